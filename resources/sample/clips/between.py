"""Walks and runs half-way between those at 45°, in steps of 22.5°, so that blended ways hardly slide.

Blended root motion is a mean of vectors: half-way between two directions it is shorter than either. Legs whose
hips turn along do not shorten as much, and slide by the rest, which falls with the square of the angle between.
"""

from collections.abc import Callable
from dataclasses import fields, is_dataclass, replace
from typing import Any

from core.clips.clip import Clip
from resources.sample.clips import hips_back, run_diagonal, run_side, walk_diagonal, walk_side
from resources.sample.clips.run import RUN
from resources.sample.clips.run_back import RUN_BACK
from resources.sample.clips.walk import WALK
from resources.sample.clips.walk_back import WALK_BACK
from resources.sample.motion.gait import Gait, gait_builders

KEPT = ("name", "frames", "mirror", "leg_keys", "extra_leg_keys", "beats")


def _mean(a: Any, b: Any) -> Any:
    """Half-way between two values of the same build, number by number."""
    if is_dataclass(a) and not isinstance(a, type):
        return replace(
            a,
            **{
                f.name: _mean(getattr(a, f.name), getattr(b, f.name)) for f in fields(a) if f.name not in KEPT
            },
        )
    if isinstance(a, tuple):
        return tuple(_mean(x, y) for x, y in zip(a, b, strict=True))
    return a if a is None else 0.5 * (a + b)


def between(a: Gait, b: Gait, name: str, frames: int) -> Gait:
    """The gait half-way between two that go the same way round."""
    whole = [replace(g, other=g.other or g.step) for g in (a, b)]
    mean: Gait = replace(_mean(*whole), name=name, frames=frames, extra_leg_keys=b.extra_leg_keys)
    return mean


def _pairs() -> tuple[Gait, ...]:
    # Straight back is 180° to the left as it is written, its tables are read along 0°.
    back, run_back = replace(WALK_BACK, lane=0.0), replace(RUN_BACK, lane=0.0)
    lefts = (
        between(WALK, walk_diagonal.FORWARD_LEFT, "walk 22 left", 30),
        between(walk_diagonal.FORWARD_LEFT, walk_side.WALK_LEFT, "walk 67 left", 28),
        between(hips_back.WALK_LEFT, walk_diagonal.BACK_LEFT, "walk 112 left", 28),
        between(walk_diagonal.BACK_LEFT, back, "walk 157 left", 28),
        between(RUN, run_diagonal.FORWARD_LEFT, "run 22 left", 20),
        between(run_diagonal.FORWARD_LEFT, run_side.RUN_LEFT, "run 67 left", 20),
        between(hips_back.RUN_LEFT, run_diagonal.BACK_LEFT, "run 112 left", 16),
        between(run_diagonal.BACK_LEFT, run_back, "run 157 left", 16),
    )
    rights = (replace(g, name=g.name.replace("left", "right"), mirror=True) for g in lefts)
    return tuple(gait for pair in zip(lefts, rights, strict=True) for gait in pair)


def builders() -> tuple[Callable[[], Clip], ...]:
    """Makers of the sixteen clips, ``walk 22 left`` first."""
    return gait_builders(*_pairs())

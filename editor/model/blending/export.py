"""Blends baked into clips of the project."""

import itertools
import math
from collections.abc import Sequence

import numpy as np

from core.blending.space_bake import baked_path, baked_point
from core.blending.space_player import SpacePlayer
from core.clips.clip import Clip
from core.clips.edits import unique_name
from core.errors import ValidationError
from core.ids import new_id
from core.progress import Progress, counted
from editor.model.blending.state import Blending
from editor.model.edit_jobs import Made
from editor.model.i18n import tr, trn
from editor.model.session import Session

MOST_CLIPS = 500
"""Points of a grid that are baked at once: more is likely a typing error, and would take hours."""


def export_path(session: Session) -> bool:
    """The recorded path as a new clip; without one the point held for a cycle. One step, a job where it is long."""
    live = session.feature(Blending).live
    player, space = live.player, live.space
    if player is None or space is None:
        raise ValidationError(live.why)
    names, path, point = _names(session), live.recorder.path, live.point
    wanted = unique_name(tr("{name} path", name=space.name), names)
    along = path is not None and path.points.shape[1] == len(space.axes)

    def work(progress: Progress) -> Made:
        if along and path is not None:
            clip = baked_path(player, path, new_id("clip"), wanted)
        else:
            clip = _held(player, point, names)
        label = tr("Bake {name} to clip {clip}", name=space.name, clip=clip.name)
        return Made(label, (clip,), None, tr("Baked to the clip “{name}”", name=clip.name))

    return session.edit_jobs.run(tr("Bake {name}", name=space.name), work)


def export_grid(session: Session) -> bool:
    """A clip for each point of the grid. One step, a job where it is long.

    Raises
    ------
    ValidationError
        There is no space to bake, or its grid has more than `MOST_CLIPS` points.
    """
    live = session.feature(Blending).live
    player, space = live.player, live.space
    if player is None or space is None:
        raise ValidationError(live.why)
    sizes = [axis.divisions + (0 if axis.wrap else 1) for axis in space.axes]
    if math.prod(sizes) > MOST_CLIPS:
        raise ValidationError(
            tr("the grid of {name} has {count} points, and {most} clips are baked at once at the most",
               name=space.name, count=math.prod(sizes), most=MOST_CLIPS)
            + ": " + tr("give its axes fewer divisions")
        )  # fmt: skip
    columns = [
        np.linspace(axis.minimum, axis.maximum, axis.divisions + 1)[:size].tolist()
        for axis, size in zip(space.axes, sizes, strict=True)
    ]
    label, taken = tr("Bake the grid of {name}", name=space.name), _names(session)

    def work(progress: Progress) -> Made:
        names, clips = list(taken), []
        for point in counted(list(itertools.product(*columns)), label):
            clip = _held(player, point, names)
            names.append(clip.name)
            clips.append(clip)
        return Made(label, tuple(clips), None, trn("Baked {count} clip", "Baked {count} clips", len(clips)))

    return session.edit_jobs.run(label, work)


def _held(player: SpacePlayer, point: Sequence[float], names: Sequence[str]) -> Clip:
    where = " ".join(f"{axis.name} {value:.4g}" for axis, value in zip(player.space.axes, point, strict=True))
    return baked_point(player, point, new_id("clip"), unique_name(f"{player.space.name} {where}", names))


def _names(session: Session) -> tuple[str, ...]:
    rig = session.rig
    return tuple(c.name for c in session.document.project.clips_of(rig.id)) if rig is not None else ()

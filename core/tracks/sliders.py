"""Key sliders: one number that pulls selected keys between, toward or away from what surrounds them.

All change values only, and refresh the automatic slopes of the keys and their neighbours. An amount
of 0 gives back the track itself.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import cast

import numpy as np
import numpy.typing as npt

from core.tracks.edits import set_values
from core.tracks.evaluate import evaluate_scalar
from core.tracks.keys import ScalarTrack
from core.tracks.shaping import Shape, pull, shaped


class Slider(StrEnum):
    """What a slider does; amounts run from −1 to 1 (and beyond, where that makes sense)."""

    TWEEN = "tween"
    BLEND_NEIGHBOUR = "blend_neighbour"
    SCALE_AVERAGE = "scale_average"
    PUSH_PULL = "push_pull"
    TIME_OFFSET = "time_offset"
    NOISE = "noise"


SHAPES: Mapping[Slider, Shape] = {
    Slider.TWEEN: Shape.TWEEN_NEIGHBOUR,
    Slider.BLEND_NEIGHBOUR: Shape.BLEND_NEIGHBOUR,
    Slider.SCALE_AVERAGE: Shape.SCALE_AVERAGE,
    Slider.PUSH_PULL: Shape.PUSH_PULL,
    Slider.NOISE: Shape.NOISE,
}
"""What the sliders that pull values are; a time offset is none of them."""


def slid(
    slider: Slider,
    track: ScalarTrack,
    keys: npt.ArrayLike,
    amount: float,
    loop: float | None = None,
    size: float = 1.0,
    seed: int = 0,
) -> ScalarTrack:
    """Apply a slider to keys.

    Parameters
    ----------
    amount : 0 changes nothing
    size : seconds that an amount of 1 shifts (time offset), value units that it shakes (noise)
    seed : of the noise; the same one gives the same noise
    """
    chosen = np.unique(np.asarray(keys, dtype=np.intp))
    if not len(chosen) or amount == 0.0:
        return track
    if slider is Slider.TIME_OFFSET:
        return time_offset(track, chosen, amount * size, loop)
    shape = SHAPES[slider]
    done = shaped(track, chosen, pull(shape, track, chosen, loop, size=size, seed=seed), amount, loop)
    return cast(ScalarTrack, done)


def time_offset(
    track: ScalarTrack, keys: npt.ArrayLike, seconds: float, loop: float | None = None
) -> ScalarTrack:
    """Give keys the values that the curve has `seconds` earlier, so that the motion comes later."""
    chosen = np.unique(np.asarray(keys, dtype=np.intp))
    return set_values(track, chosen, evaluate_scalar(track, track.times[chosen] - seconds, loop), loop)

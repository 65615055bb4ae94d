"""Frames put between the keys of a clip and of the layers that were made for it: they stay in step."""

from collections.abc import Collection, Mapping
from dataclasses import replace

import numpy as np

from core.blending.layer_stack import ClipLayer, LayerStack
from core.clips.clip import Clip
from core.clips.inbetweens import with_inbetweens
from core.ids import AssetId
from core.timing import TIME_EPSILON
from core.tracks import edits


def with_layered_inbetweens(
    stack: LayerStack,
    clips: Mapping[AssetId, Clip],
    time: float,
    frames: float,
    still: Collection[str] = (),
) -> tuple[LayerStack, tuple[Clip, ...]]:
    """Insert frames after a time, or remove them, in a clip, in the clips of its own layers and in layers' weights.

    Layers that play a clip of its own right, and those that are stretched to the clip, keep their keys.

    Parameters
    ----------
    clips : of the project, by id
    time, frames, still : as of `core.clips.inbetweens.with_inbetweens`

    Returns
    -------
    stack, clips
        Those that differ come as new objects, the others as they were.

    Raises
    ------
    ValidationError
        A key of one of the clips is in the way of removing so many.
    """
    base = clips[stack.clip]
    moving = [layer for layer in stack.layers if layer.own and not layer.stretch and layer.clip in clips]
    made = tuple(
        with_inbetweens(clip, time, frames, None, still)
        for clip in (base, *(clips[layer.clip] for layer in moving))
    )
    seconds = base.rate.to_seconds(frames)
    layers = tuple(_later(layer, time, seconds) for layer in stack.layers)
    same = all(one is other for one, other in zip(layers, stack.layers, strict=True))
    return (stack if same else replace(stack, layers=layers)), made


def _later(layer: ClipLayer, time: float, seconds: float) -> ClipLayer:
    """A layer whose keys of the weight after a time are moved."""
    curve = layer.curve
    later = np.zeros(0, int) if curve is None else np.flatnonzero(curve.times > time + TIME_EPSILON)
    if curve is None or not len(later) or not seconds:
        return layer
    times = np.maximum(curve.times[later] + seconds, time)
    return replace(layer, curve=edits.place_keys(curve, later, times, carry=False).track)

"""Layers baked into the clip below them."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from core.arrays import FloatArray
from core.blending.layer_stack import LayerStack, StackPlayer
from core.clips.bake import BakeStyle, bake
from core.clips.clip import WHOLE, Channel, Clip, Property
from core.clips.proportions import baked_proportions
from core.evaluation.clip_pipeline import ClipPipeline
from core.ids import AssetId
from core.math import quat
from core.math.transform import Transform
from core.progress import checkpoint
from core.rig.rig import Rig
from core.timing import TIME_EPSILON
from core.tracks.keys import Interpolation, ScalarTrack, scalar_track

BETWEEN = 1e-4
"""Seconds from a frame up to which a key counts as on it."""


def flattened(rig: Rig, clip: Clip, stack: LayerStack, clips: Mapping[AssetId, Clip]) -> Clip:
    """A clip with layers baked into it: keys at every frame, and at every key, on the bones that the layers change.

    Layers lie on what the rig plays, so a clip of a retarget source is brought to the rig's rest pose.
    """
    clip = baked_proportions(rig, clip)
    layered = ClipPipeline(rig, clip, layers=StackPlayer(rig, stack, clips))
    times = bake_times(clip, stack, clips)
    before = layered.without_layers(times)
    checkpoint()
    after = layered.sample_many(times)
    tracks = dict(clip.tracks)
    for prop, bones in changed_bones(before.local, after.local).items():
        for euler in (True, False):
            chosen = [b for b in bones if _has_euler(clip, rig.skeleton.names[b]) is euler]
            if prop is not Property.ROTATE and not euler:
                chosen = []
            elif prop is not Property.ROTATE:
                chosen = bones
            for bone in chosen:
                name = rig.skeleton.names[bone]
                for axis in (0, 1, 2, WHOLE):
                    tracks.pop(Channel(name, prop, axis), None)
            tracks |= bake(
                rig.skeleton,
                times,
                after.local,
                bones=chosen,
                properties=(prop,),
                rest_tolerance=None,
                style=BakeStyle(euler_angles=euler),
            )
    return replace(
        clip,
        tracks=tracks,
        curves={**clip.curves, **changed_curves(times, before.curves, after.curves)},
        morphs={**clip.morphs, **changed_curves(times, before.morphs, after.morphs)},
    )


def bake_times(clip: Clip, stack: LayerStack | None, clips: Mapping[AssetId, Clip]) -> FloatArray:
    """Times ``(T,)`` at which baking keeps what is shown: frames, both ends, keys of the clip, its layers and weights.

    Keys of layers that do not run in step with the clip (stretched, or of another length) are left out.
    """
    count = max(int(np.floor(clip.frames + 1e-6)), 0)
    frames = [clip.rate.to_seconds(frame) for frame in range(count + 1)]
    if clip.length - frames[-1] > 1e-4:
        frames.append(clip.length)
    else:
        frames[-1] = clip.length
    grid, found = np.array(frames), [track.times for track in clip.every_track()]
    for layer in stack.active() if stack is not None else ():
        own = clips.get(layer.clip)
        if layer.curve is not None:
            found.append(layer.curve.times)
        if own is not None and not layer.stretch and abs(own.length - clip.length) < TIME_EPSILON:
            found += [track.times for track in own.every_track()]
    keys = np.unique(np.concatenate(found)) if found else np.zeros(0)
    keys = keys[(keys > 0.0) & (keys < clip.length)]
    place = (
        np.clip(np.searchsorted(grid, keys), 1, len(grid) - 1) if len(grid) > 1 else np.zeros(len(keys), int)
    )
    near = np.minimum(np.abs(grid[place] - keys), np.abs(grid[place - 1] - keys))
    times = np.sort(np.concatenate((grid, keys[near > BETWEEN])))
    apart = np.concatenate(([True], np.diff(times) > TIME_EPSILON))
    return times[apart]


def changed_curves(
    times: FloatArray, before: Mapping[str, FloatArray], after: Mapping[str, FloatArray]
) -> dict[str, ScalarTrack]:
    """Tracks of the curves whose values ``(T,)`` differ at any of the times, or were not there."""
    return {
        name: scalar_track(times, values, interpolations=Interpolation.LINEAR)
        for name, values in after.items()
        if name not in before or np.abs(values - before[name]).max() > 1e-9
    }


def changed_bones(before: Transform, after: Transform) -> dict[Property, list[int]]:
    """Numbers of the bones whose translation, rotation or scale differs at any time."""
    turned = quat.angle_between(before.rotation, after.rotation).max(axis=0) > 1e-9
    moved = np.abs(before.translation - after.translation).max(axis=(0, 2)) > 1e-9
    grown = np.abs(before.scale - after.scale).max(axis=(0, 2)) > 1e-9
    pairs = ((Property.TRANSLATE, moved), (Property.ROTATE, turned), (Property.SCALE, grown))
    return {prop: np.flatnonzero(rows).tolist() for prop, rows in pairs}


def _has_euler(clip: Clip, bone: str) -> bool:
    """Whether a bone's rotation is keyed by angles; one without keys as most of the clip's are."""
    if clip.rotation(bone) is not None:
        return False
    if any(Channel(bone, Property.ROTATE, axis) in clip.tracks for axis in range(3)):
        return True
    whole = sum(channel.axis == WHOLE for channel in clip.tracks)
    angles = sum(c.property is Property.ROTATE and c.axis != WHOLE for c in clip.tracks)
    return angles >= whole

"""Clips of a retarget source, made into clips of the rig's own rest pose."""

from dataclasses import replace

import numpy as np

from core.arrays import FloatArray
from core.clips.bake import bake
from core.clips.clip import Clip
from core.clips.evaluator import ClipEvaluator
from core.math.transform import Transform
from core.pose.proportions import authored
from core.rig.rig import Rig
from core.timing import TIME_EPSILON


def baked_proportions(rig: Rig, clip: Clip) -> Clip:
    """The clip as the rig plays it, keyed on every frame and on its own keys' times.

    Keyed goals stay and are followed after this. A clip that names no retarget source comes back as
    it is.

    Raises
    ------
    MissingReferenceError
        The rig has no such source.
    """
    if clip.retarget_source is None:
        return clip
    times = frames_and_keys(clip)
    local = ClipEvaluator(rig, clip).sample_many(times, wrap=False).local
    lost = {c: t for c, t in clip.tracks.items() if rig.skeleton.find(c.bone) is None}
    tracks = bake(rig.skeleton, times, local)
    return replace(clip, tracks={**lost, **tracks}, retarget_source=None)


def frames_and_keys(clip: Clip) -> FloatArray:
    """Times ``(T,)`` of a clip's frames and of its own keys, its end included."""
    frames = np.arange(int(np.floor(clip.frames + 1e-6)) + 1) / float(clip.rate.fps)
    keyed = [track.times for track in clip.tracks.values()]
    times = np.unique(np.clip(np.concatenate((frames, [clip.length], *keyed)), 0.0, clip.length))
    kept: FloatArray = times[np.concatenate(([True], np.diff(times) > TIME_EPSILON))]
    return kept


def to_hold(rig: Rig, clip: Clip, times: FloatArray, local: Transform) -> Transform:
    """What a clip has to hold for the rig to take local transforms ``(T, B, k)`` at its times ``(T,)``.

    These very transforms but where the clip names a retarget source (`core.pose.proportions.authored`).
    """
    proportions = ClipEvaluator(rig, clip).proportions
    if proportions is None:
        return local
    own = replace(rig.skeleton, rest=proportions.pair.source)
    before = ClipEvaluator(own, clip).sample_many(times, wrap=False).local
    return authored(proportions.pair, local, before)

"""What a stack of layers makes of bones, as curves to look at."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from core.clips.bake import BakeStyle, bake
from core.clips.clip import Channel, Clip, Property
from core.evaluation.layer_pipeline import LayerPipeline
from core.ids import AssetId
from core.tracks.keys import Interpolation, Track, scalar_track

MOST = 600
"""Times at which the curves of a result are computed: more are not told apart on a screen."""


def result_clip(pipeline: LayerPipeline, bones: Sequence[str]) -> Clip:
    """The poses shown with a layer in hand as tracks of some bones, a key a frame as far as `MOST` allows.

    Channels are those that the layer's clip or the one below has keys for; rotations are angles. Curves and morph
    weights are those of all layers. The clip has an id of its own and belongs to no project.
    """
    own, below, rig = pipeline.clip, pipeline.base.clip, pipeline.rig
    frames = max(int(np.floor(own.frames + 1e-6)), 1)
    times = np.linspace(0.0, own.length, min(frames, MOST) + 1) if own.length > 0.0 else np.zeros(1)
    batch = pipeline.sample_many(times)
    tracks: dict[Channel, Track] = {}
    for prop in Property:
        keyed = {channel.bone for clip in (own, below) for channel in clip.tracks if channel.property is prop}
        chosen = [rig.skeleton.index(b) for b in bones if b in keyed and rig.skeleton.find(b) is not None]
        if chosen:
            tracks |= bake(
                rig.skeleton, times, batch.local, bones=chosen, properties=(prop,), rest_tolerance=None,
                style=BakeStyle(euler_angles=True),
            )  # fmt: skip
    linear = Interpolation.LINEAR
    curves = {
        name: scalar_track(times, values, interpolations=linear)
        for name, values in batch.curves.items() if name in own.curves or name in below.curves
    }  # fmt: skip
    morphs = {
        name: scalar_track(times, values, interpolations=linear)
        for name, values in batch.morphs.items() if name in own.morphs or name in below.morphs
    }  # fmt: skip
    return replace(
        own, id=AssetId(f"{own.id}-result"), tracks=tracks, curves=curves, morphs=morphs, looping=False
    )

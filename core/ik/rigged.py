"""Sampling a clip together with the IK goals it keys, where neither layers nor pose assets are at hand."""

from collections.abc import Sequence

import numpy.typing as npt

from core.clips.clip import Clip
from core.clips.evaluator import ClipEvaluator
from core.clips.sampled import PoseBatch
from core.ik import keyed
from core.rig.mesh import Mesh
from core.rig.rig import Rig


def sample_many(
    rig: Rig, clip: Clip, times: npt.ArrayLike, *, wrap: bool = True, meshes: Sequence[Mesh] = ()
) -> PoseBatch:
    """Poses at many times, keyed goals followed; see `ClipEvaluator.sample_many`."""
    batch = ClipEvaluator(rig, clip, meshes).sample_many(times, wrap=wrap)
    if not keyed.driving(rig, clip.curves):
        return batch
    return batch.with_local(keyed.with_ik(rig, batch.local, batch.curves)[0])

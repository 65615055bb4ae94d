"""Taking out the slow rise and fall of captures that do not know where the floor is."""

import numpy as np

from core.arrays import FloatArray
from core.math import quat
from core.math.transform import Transform
from core.pose import kinematics
from core.retarget.chain_map import Part
from core.retarget.limbs import limbs_of
from core.retarget.transfer import Binding

SECONDS = 1.0
"""A floor is told by the lowest foot within so long on both sides: longer than a jump is in the air."""


def floor_of(binding: Binding, source: Transform, fps: float, seconds: float = SECONDS) -> FloatArray:
    """Height ``(T,)`` of the floor under a source's feet, followed as it drifts.

    The lowest foot within a while, evened over as long; jumps shorter than that do not lift it.

    Parameters
    ----------
    source : model transforms ``(T, Bs, k)``
    """
    feet = limbs_of(binding)
    lows = [p.source_places(source)[:, 1] - p.source_height for limb in feet for p in limb.points]
    if not lows:
        return np.zeros(len(source.translation))
    half = max(round(seconds * fps), 1)
    window = 2 * half + 1
    lowest = np.pad(np.min(lows, axis=0), half, mode="edge")
    under = np.lib.stride_tricks.sliding_window_view(lowest, window).min(axis=-1)
    kernel = np.hanning(window + 2)[1:-1]
    return np.convolve(np.pad(under, half, mode="edge"), kernel / kernel.sum(), mode="valid")


def levelled(binding: Binding, local: Transform, fps: float) -> tuple[Transform, float]:
    """The source's poses ``(T, Bs, k)`` with its floor at rest height all along; metres taken out at most."""
    model = kinematics.to_model(binding.source, local)
    floor = floor_of(binding, model, fps)
    hips = next(iter(binding.chains.part(Part.HIPS)), None)
    if hips is None:
        return local, 0.0
    bone = binding.source.index(hips.source[0])
    parent = binding.source.parent(bone)
    step = -floor[:, None] * np.array([0.0, 1.0, 0.0])
    if parent >= 0:
        step = quat.rotate(quat.conjugate(model.rotation[:, parent]), step) / model.scale[:, parent]
    translation = np.array(local.translation)
    translation[:, bone] += step
    return local._replace(translation=translation), float(np.abs(floor).max(initial=0.0))

"""Why a file that was read back is off: which bone comes back otherwise first, and what of it."""

import numpy as np

from core.arrays import FloatArray
from core.clips.clip import Clip
from core.clips.evaluator import ClipEvaluator
from core.io.common.compare import ClipCheck
from core.io.prepare.rest_scale import folded_scale
from core.math import quat
from core.math.transform import Transform
from core.pose.kinematics import ancestors, model_matrices
from core.rig.rig import Rig

UNEVEN = 1e-4
LEVER = 0.1
"""Metres used as the length of something without length."""


def reason(
    rig: Rig,
    other: Rig,
    clip: Clip | None,
    twin: Clip | None,
    pairs: list[tuple[int, int]],
    check: ClipCheck,
    turned: bool,
    rounding: str,
) -> str:
    """What displaces a bone, in words.

    Parameters
    ----------
    clip, twin : what was written and what came back; None for the rest pose
    pairs : numbers of bones that are the same in both rigs
    turned : whether the angle is what is too large, not the distance
    rounding : what the format is called, if it keeps scale with three digits; else ""
    """
    if np.abs(other.skeleton.rest.scale - 1.0).max() < UNEVEN:  # the writer has folded rest scale
        rig, clips, _ = folded_scale(rig, () if clip is None else (clip,), ())
        clip = clips[0] if clips else None
    name, frame = (check.turned_bone, check.turned_frame) if turned else (check.bone, check.frame)
    twins = dict(pairs)
    chain = [bone for bone in _chain(rig, rig.skeleton.index(name)) if bone in twins]
    fps = clip.rate.fps if clip is not None else 1.0
    ours, theirs = _local(rig, clip, frame / fps), _local(other, twin, frame / fps)
    found = [one for bone in chain for one in _differences(rig, ours, theirs, chain, bone, twins[bone])]
    effect, told = max(found, default=(0.0, ""))
    if effect <= 0.0:
        return "the bones above it have another order or are missing"
    return told + _cause(ours, chain, told, frame, rounding, clip is None)


def _chain(rig: Rig, bone: int) -> list[int]:
    """A bone and those above it, the root first."""
    return sorted({*ancestors(rig.skeleton, bone), bone})


def _local(rig: Rig, clip: Clip | None, time: float) -> Transform:
    if clip is None:
        return rig.skeleton.rest
    batch = ClipEvaluator(rig, clip).sample_many(np.array([min(time, clip.length)]), wrap=False)
    return Transform(*(part[0] for part in batch.local))


def _differences(
    rig: Rig, ours: Transform, theirs: Transform, chain: list[int], bone: int, twin: int
) -> list[tuple[float, str]]:
    """What of a bone's own transform came back otherwise, and how far that moves the last bone of a chain."""
    name, last = rig.skeleton.names[bone], chain[-1]
    model = model_matrices(rig.skeleton, ours)[:, :3, 3]
    arm = float(np.linalg.norm(model[last] - model[bone])) or LEVER
    moved = float(np.linalg.norm(ours.translation[bone] - theirs.translation[twin]))
    turned = float(quat.angle_between(ours.rotation[bone], theirs.rotation[twin]))
    scaled = float(np.abs(ours.scale[bone] - theirs.scale[twin]).max())
    return [
        (arm * scaled if bone != last else 0.0, f"the scale of {name!r} comes back {scaled:.2g} off"),
        (arm * turned, f"the rotation of {name!r} comes back {np.degrees(turned):.2g}° off"),
        (moved, f"the translation of {name!r} comes back {moved * 1000.0:.2g} mm off"),
    ]


def _cause(ours: Transform, chain: list[int], told: str, frame: float, rounding: str, rest: bool) -> str:
    """What is known to make such a difference."""
    scales: FloatArray = ours.scale[chain]
    if rounding and (told.startswith("the scale") or np.abs(scales - 1.0).max() > UNEVEN):
        return f"; {rounding} keeps scale with three digits: fold the rest scale, or take the scale out of the clip"
    if np.ptp(scales, axis=1).max() > UNEVEN:
        return "; uneven scale above it makes shear, which bones do not hold"
    if not rest and abs(frame - round(frame)) > 1e-3:
        return (
            "; it is between two frames, where the format interpolates otherwise: write a key on every frame"
        )
    return "; the rest pose differs" if rest else ""

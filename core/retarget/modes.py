"""Playing clips on characters of other proportions: proposing modes, baking (spec: retargeting, 1).

How poses are brought across stands in `core.pose.proportions`; sampling applies it to every clip
that names a retarget source.
"""

from collections.abc import Mapping
from dataclasses import replace

from core.clips.bake import bake
from core.clips.clip import Clip
from core.clips.evaluator import ClipEvaluator
from core.ik.bake import frame_times
from core.pose.proportions import RestPair, pair_for, rest_pair, retarget_source, retargeted
from core.rig.rig import RetargetMode, Rig
from core.rig.skeleton import Skeleton

__all__ = [
    "RestPair",
    "baked_proportions",
    "pair_for",
    "proposed_modes",
    "rest_pair",
    "retarget_source",
    "retargeted",
]


def proposed_modes(skeleton: Skeleton) -> Mapping[str, RetargetMode]:
    """Sensible modes: root *animation*, the first bone below it *animation scaled*, IK and prop bones
    *animation*, all others *skeleton*.
    """
    modes: dict[str, RetargetMode] = {}
    for bone, name in enumerate(skeleton.names):
        lowered = name.lower()
        parent = skeleton.parent(bone)
        loose = lowered.startswith(("ik_", "prop", "weapon")) or "_ik" in lowered or "handslot" in lowered
        if parent < 0 or loose:
            modes[name] = RetargetMode.ANIMATION
        elif "pelvis" in lowered or lowered.endswith("hips") or lowered == "hip":
            modes[name] = RetargetMode.ANIMATION_SCALED
        else:
            modes[name] = RetargetMode.SKELETON
    return modes


def baked_proportions(rig: Rig, clip: Clip) -> Clip:
    """The clip as the rig plays it, with keys made for the rig's own rest pose, one a frame.

    Keyed goals stay and are followed after this. A clip that names no retarget source comes back as
    it is.

    Raises
    ------
    MissingReferenceError
        The rig has no such source.
    """
    if clip.retarget_source is None:
        return clip
    times = frame_times(clip)
    local = ClipEvaluator(rig, clip).sample_many(times, wrap=False).local
    loop = clip.length if clip.looping else None
    tracks = bake(rig.skeleton, times, local, looping_length=loop)
    lost = {c: t for c, t in clip.tracks.items() if rig.skeleton.find(c.bone) is None}
    return replace(clip, tracks={**lost, **tracks}, retarget_source=None)

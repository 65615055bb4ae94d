"""Playing clips on characters of other proportions: proposing modes, baking (spec: retargeting, 1).

How poses are brought across stands in `core.pose.proportions`; sampling applies it to every clip
that names a retarget source.
"""

from collections.abc import Mapping

from core.clips.proportions import baked_proportions
from core.pose.proportions import RestPair, pair_for, rest_pair, retarget_source, retargeted
from core.rig.rig import RetargetMode
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

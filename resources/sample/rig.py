"""The mannequin's rig asset."""

from functools import cache
from itertools import cycle

import numpy as np

from core.ids import AssetId
from core.math.transform import Transform
from core.rig.rig import MirrorSetup, RetargetMode, Rig
from core.rig.set_color import ORDER
from core.rig.skeleton import Skeleton
from resources.sample.limits import euler_orders, joint_limits
from resources.sample.motion.figure import FIGURE, names_of
from resources.sample.skeleton import axis_bones, symmetric_pairs

RIG_ID = AssetId("rig-mannequin")
POST_ID = AssetId("graph-feet")
"""Of the graph that places the feet after every other."""


def _bone_sets() -> dict[str, tuple[str, ...]]:
    names = FIGURE.names
    sets = {
        "spine": names_of("pelvis", "spine"),
        "head": names_of("neck", "head"),
    }
    for side, word in (("l", "left"), ("r", "right")):
        own = [n for n in names if n.endswith(f"_{side}")]
        limbs = ("clavicle", "upper_arm", "lower_arm", "hand")
        legs = ("thigh", "calf", "foot", "ball")
        toes = tuple(n for n in own if "_toe_" in n)
        sets[f"{word} arm"] = tuple(n for n in own if n.startswith(limbs))
        sets[f"{word} fingers"] = tuple(n for n in own if not n.startswith((*limbs, *legs)) and n not in toes)
        sets[f"{word} leg"] = tuple(n for n in own if n.startswith(legs))
        sets[f"{word} toes"] = toes
    return sets


@cache
def build_rig() -> Rig:
    """Skeleton, mirror lists, limits, masks, retarget modes and bone sets."""
    count = len(FIGURE.names)
    rest = Transform(FIGURE.rest_translations, FIGURE.rest_rotations, np.ones((count, 3)))
    skeleton = Skeleton(FIGURE.names, FIGURE.parents, rest, euler_orders())
    lower = set(names_of("root", "pelvis", "thigh", "calf", "foot", "ball")) | {
        n for n in FIGURE.names if "_toe_" in n
    }
    modes = dict.fromkeys(FIGURE.names, RetargetMode.SKELETON)
    modes |= {"root": RetargetMode.ANIMATION, "pelvis": RetargetMode.ANIMATION_SCALED}
    return Rig(
        RIG_ID,
        "Mannequin",
        skeleton,
        mirror=MirrorSetup(0, axis_bones(), symmetric_pairs()),
        limits=joint_limits(),
        masks={"upper body": {n: 1.0 for n in FIGURE.names if n not in lower}},
        retarget_modes=modes,
        bone_sets=(sets := _bone_sets()),
        set_colors=dict(zip(sets, cycle(ORDER), strict=False)),
        post_graph=POST_ID,
    )

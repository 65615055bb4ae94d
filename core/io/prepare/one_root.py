"""One bone above all others, for programs that read a single root."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from core.clips.clip import Clip
from core.io.common.naming import unique_names
from core.math import quat
from core.math.transform import Transform
from core.rig.rig import Rig
from core.rig.skeleton import Skeleton


def bone_above(rig: Rig, name: str) -> Rig:
    """The rig with a bone more, the parent of all its roots, resting at the origin.

    It is called `name`, with a number behind where a bone is called so already.
    """
    old = rig.skeleton
    above = unique_names([*old.names, name])[-1]
    parents = np.concatenate(([-1], np.where(old.parents < 0, 0, old.parents + 1)))
    rest = Transform(
        np.concatenate((np.zeros((1, 3)), old.rest.translation)),
        np.concatenate((quat.IDENTITY[None], old.rest.rotation)),
        np.concatenate((np.ones((1, 3)), old.rest.scale)),
    )
    orders = np.concatenate(([0], old.euler_orders)).astype(np.uint8)
    return replace(rig, skeleton=Skeleton((above, *old.names), parents, rest, orders))


def with_one_root(rig: Rig, clips: Sequence[Clip], name: str = "root") -> tuple[Rig, tuple[Clip, ...]]:
    """The rig with a bone above its roots if it has several; root motion stays with the bone it was of."""
    roots = rig.skeleton.roots()
    if len(roots) < 2:
        return rig, tuple(clips)
    first = rig.skeleton.names[roots[0]]
    own = (clip.root_motion for clip in clips)
    moved = [replace(motion, bone=motion.bone or first) for motion in own]
    told = zip(clips, moved, strict=True)
    return bone_above(rig, name), tuple(replace(clip, root_motion=motion) for clip, motion in told)

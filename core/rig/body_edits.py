"""Edits of a body plan: fitting it to a skeleton, mirroring, pairs that pass through each other. Old to new."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from core.arrays import FloatArray
from core.errors import MissingReferenceError
from core.math import quat
from core.math.transform import down_chain
from core.rig.body_plan import AxisRange, Body, BodyPlan, Capsule, Vector, inserted
from core.rig.rig import MirrorSetup
from core.rig.skeleton import Skeleton

SAME_AXIS = 0.999
"""Cosine from which on two axes are one."""


def fitting(
    bodies: Sequence[Body], ignored: Iterable[tuple[str, str]], skeleton: Skeleton
) -> BodyPlan | None:
    """The plan of those bodies that a skeleton has the bones for, in the skeleton's order.

    Left out are bodies whose bone is not there or not below the first one's, and pairs that name one of them.

    Returns
    -------
    BodyPlan or None
        None where no body is left.
    """
    there = [body for body in bodies if skeleton.find(body.bone) is not None]
    if not there:
        return None
    there.sort(key=lambda body: skeleton.index(body.bone))
    below = skeleton.descendants([skeleton.index(there[0].bone)])
    kept = tuple(body for body in there if below[skeleton.index(body.bone)])
    names = {body.bone for body in kept}
    pairs = tuple(pair for pair in ignored if pair[0] in names and pair[1] in names)
    return BodyPlan(kept, pairs)


def partner(mirror: MirrorSetup, bone: str) -> str | None:
    """The bone on the other side, or None for one on the plane or on no list."""
    for left, right in mirror.pairs:
        if bone == left:
            return right
        if bone == right:
            return left
    return None


def mirrored(
    skeleton: Skeleton, mirror: MirrorSetup, body: Body, onto: str, like: Body | None = None
) -> Body:
    """A body reflected at the mirror plane, for the bone on the other side.

    Points are reflected about the bones' own places in the rest pose, so that a rig that is not quite symmetric
    keeps its capsules on its bones. A turn about an axis is reflected to one about the reversed, reflected axis.

    Parameters
    ----------
    onto : the bone that the reflection is for
    like : the body that is there: where an axis of it points the other way, it stays and its range is reversed

    Raises
    ------
    MissingReferenceError
        A bone is not there.
    """
    rest = down_chain(skeleton.parents, skeleton.rest).rotation
    source, target = rest[skeleton.index(body.bone)], rest[skeleton.index(onto)]
    flip = np.ones(3)
    flip[mirror.axis] = -1.0

    def across(vector: Vector) -> FloatArray:
        moved: FloatArray = quat.rotate(quat.conjugate(target), flip * quat.rotate(source, np.array(vector)))
        return moved

    capsule = Capsule(
        _vector(across(body.capsule.start)), _vector(across(body.capsule.end)), body.capsule.radius
    )
    axes = []
    for number, limits in enumerate(body.axes):
        axis = -across(limits.axis)
        axis /= np.linalg.norm(axis)
        low, high = limits.minimum, limits.maximum
        if like is not None and len(like.axes) == len(body.axes):
            there = np.array(like.axes[number].axis)
            if float(there @ axis) < -SAME_AXIS:
                axis, low, high = -axis, -high, -low
        axes.append(AxisRange(_vector(axis), low, high))
    return Body(onto, capsule, body.mass, tuple(axes), body.damping)


def with_mirrored(skeleton: Skeleton, mirror: MirrorSetup, plan: BodyPlan, bones: Iterable[str]) -> BodyPlan:
    """The plan with the bodies of some bones reflected onto their partners, which get one where they have none.

    Bones without a partner are left alone. Pairs that pass through each other are reflected too.
    """
    chosen = [(bone, partner(mirror, bone)) for bone in bones if plan.find(bone) is not None]
    for bone, other in chosen:
        if other is None or skeleton.find(other) is None:
            continue
        there = plan.find(other)
        made = mirrored(skeleton, mirror, plan.body(bone), other, there)
        plan = plan.with_body(made) if there is not None else inserted(plan, made, skeleton)
    names = set(plan.bones)
    pairs = list(plan.ignored)
    moved = {bone for bone, _ in chosen}
    for pair in plan.ignored:
        if moved & set(pair):
            first, second = (partner(mirror, bone) or bone for bone in pair)
            if first in names and second in names:
                pairs.append((first, second))
    return replace(plan, ignored=tuple(pairs))


def with_pair(plan: BodyPlan, first: str, second: str, ignored: bool) -> BodyPlan:
    """The plan with two bodies passing through each other, or colliding; raises `MissingReferenceError`."""
    for bone in (first, second):
        if plan.find(bone) is None:
            raise MissingReferenceError(f"bone {bone!r} has no body; there are: {', '.join(plan.bones)}")
    rest = tuple(pair for pair in plan.ignored if set(pair) != {first, second})
    return replace(plan, ignored=(*rest, (first, second)) if ignored else rest)


def _vector(values: FloatArray) -> Vector:
    x, y, z = (float(v) for v in values)
    return (x, y, z)

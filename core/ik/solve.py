"""Applying an IK set-up to poses: pose and goal in, pose and residual out."""

from dataclasses import dataclass

import numpy as np

from core.arrays import FloatArray, IntArray
from core.errors import ValidationError
from core.ik import aim, ccd, fabrik, two_bone
from core.ik.chain import Chain, model_of, put_chain, take_chain
from core.math import quat, transform
from core.math.transform import Transform
from core.pose.blend import between
from core.rig.ik_setup import EndRotation, IkSetup, IkSolver, IkSpace, IkTarget
from core.rig.rig import Rig
from core.rig.virtual_bones import Derived, frame_of


@dataclass(frozen=True, slots=True, eq=False)
class IkGoal:
    """Where a chain is asked to go, in model space, for one pose or for poses ``(..., 3)``.

    Parameters
    ----------
    position : goal of the tip's origin
    rotation : ``(..., 4)`` wanted of the tip, used where the set-up takes the goal's rotation
    pole : where the bend points, or None
    """

    position: FloatArray
    rotation: FloatArray | None = None
    pole: FloatArray | None = None


@dataclass(frozen=True, slots=True, eq=False)
class IkResult:
    """Solved local transforms ``(..., B, k)``, metres left and steps taken ``(...)``."""

    local: Transform
    residual: FloatArray
    iterations: IntArray


def target_in_model(
    target: IkTarget,
    rig: Rig,
    model: Transform,
    character: Transform = transform.IDENTITY,
    derived: Derived | None = None,
) -> tuple[FloatArray, FloatArray]:
    """Model position and rotation of a target.

    Parameters
    ----------
    model : model transforms ``(..., B, k)`` of the pose, for targets in the space of a bone
    character : where the character stands in the world, for targets in world space
    derived : of virtual bones, see `core.rig.virtual_bones.frame_of`
    """
    place = Transform(np.asarray(target.position), np.asarray(target.rotation), np.ones(3))
    if target.space is IkSpace.WORLD:
        place = transform.compose(transform.inverse(character), place)
    elif target.space is IkSpace.BONE:
        place = transform.compose(frame_of(rig, target.bone or "", model, derived), place)
    return place.translation, place.rotation


def solve(
    rig: Rig, local: Transform, setup: IkSetup, goal: IkGoal, weight: float | FloatArray | None = None
) -> IkResult:
    """Solve one set-up on local transforms ``(..., B, k)``; bones outside the chain keep their bits.

    Parameters
    ----------
    weight : 0..1 for all poses or one each ``(...)``, the set-up's own where None; 0 returns the
        input, 1 the solution

    Raises
    ------
    ValidationError
        A chain that the solver cannot take (two-bone needs exactly two), or a goal not finite.
    """
    if not np.isfinite(goal.position).all():
        raise ValidationError(f"IK {setup.name!r}: the goal's position is not finite: {goal.position}")
    share = setup.weight if weight is None else weight
    lead = local.translation.shape[:-2]
    flat = Transform(*(p.reshape(-1, *p.shape[-2:]) for p in local))
    flat_goal = _flat_goal(goal, len(flat.translation))
    if setup.solver is IkSolver.AIM:
        solved, residual, taken = _solve_aim(rig, flat, setup, flat_goal)
    elif setup.solver.single:
        solved, residual, taken = _solve_follow(rig, flat, setup, flat_goal)
    else:
        solved, residual, taken = _solve_chain(rig, flat, setup, flat_goal)
    shaped = Transform(*(p.reshape(*lead, *p.shape[-2:]) for p in solved))
    return IkResult(_weighted(rig, local, shaped, setup, share), residual.reshape(lead), taken.reshape(lead))


def present_goal(rig: Rig, local: Transform, setup: IkSetup) -> IkGoal:
    """The goal that leaves one pose ``(B, k)`` as it is: the tip's place, and a pole in its bend.

    The pole stands one chain length from the middle joint, on the side to which it bends; what a
    bone aims at stands a metre before it. A set-up whose ends make no chain has the tip's place alone.
    """
    tip = model_of(rig.skeleton, local, rig.skeleton.index(setup.tip))
    if setup.solver is IkSolver.AIM:
        return IkGoal(tip.translation + quat.rotate(tip.rotation, setup.aim_axis), tip.rotation)
    if not _is_chain(rig, setup):
        return IkGoal(tip.translation, tip.rotation)
    chain = take_chain(rig.skeleton, local, setup.root, setup.tip)
    return IkGoal(tip.translation, tip.rotation, present_pole(chain)[0])


def present_pole(chain: Chain) -> FloatArray:
    """Where the bend of each of a chain's poses points, ``(T, 3)``: one chain length from the middle joint.

    A straight chain has no bend: its pole stands on a fixed side of it.
    """
    joints = chain.joints
    start, middle, end = joints[:, 0], joints[:, joints.shape[1] // 2], joints[:, -1]
    line = end - start
    length = np.linalg.norm(line, axis=-1, keepdims=True)
    near = length <= two_bone.NEAR
    along = np.where(near, [1.0, 0.0, 0.0], line / np.where(near, 1.0, length))

    def across(vector: FloatArray) -> tuple[FloatArray, FloatArray]:
        part = vector - np.sum(vector * along, axis=-1, keepdims=True) * along
        return part, np.linalg.norm(part, axis=-1, keepdims=True)

    aside, size = across(middle - start)
    spare, spare_size = across(np.where(np.abs(along[:, 2:]) < 0.9, [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]))
    straight = size < two_bone.NEAR
    side = np.where(straight, spare / spare_size, aside / np.where(straight, 1.0, size))
    reach = chain.lengths().sum(axis=-1, keepdims=True)
    pole: FloatArray = middle + side * reach
    return pole


def _flat_goal(goal: IkGoal, count: int) -> IkGoal:
    def spread(part: FloatArray | None, width: int) -> FloatArray | None:
        return None if part is None else np.broadcast_to(np.asarray(part).reshape(-1, width), (count, width))

    position = spread(goal.position, 3)
    assert position is not None
    return IkGoal(position, spread(goal.rotation, 4), spread(goal.pole, 3))


def _solve_chain(
    rig: Rig, local: Transform, setup: IkSetup, goal: IkGoal
) -> tuple[Transform, FloatArray, IntArray]:
    limits = dict(rig.limits) if setup.use_limits else {}
    chain = take_chain(rig.skeleton, local, setup.root, setup.tip, limits)
    tip_before = _tip_rotation(chain, local)
    names = [rig.skeleton.names[b] for b in chain.bones]
    stiffness = np.array([setup.stiffness.get(name, 0.0) for name in names])
    problem = unsolvable(rig, setup)
    if problem:
        raise ValidationError(problem)
    if setup.solver is IkSolver.TWO_BONE:
        local, residual = _two_bone(chain, local, setup, goal)
        taken = np.ones(len(residual), dtype=np.int32)
    elif setup.solver is IkSolver.FABRIK:
        residual, taken = fabrik.solve(chain, goal.position, setup.tolerance, setup.iterations, stiffness)
    else:
        step = float(np.radians(setup.step))
        residual, taken = ccd.solve(chain, goal.position, setup.tolerance, setup.iterations, stiffness, step)
    solved = put_chain(local, chain)
    _settle_tip(solved, chain, setup, goal, tip_before)
    return solved, residual, taken


def unsolvable(rig: Rig, setup: IkSetup) -> str:
    """Why a set-up of this rig can not be solved; "" where it can."""
    if setup.solver.single:
        return ""
    if not _is_chain(rig, setup):
        return (
            f"IK {setup.name!r}: {setup.root!r} is not above {setup.tip!r}, and gives no chain; "
            "choose a first bone above the tip"
        )
    if setup.solver is not IkSolver.TWO_BONE:
        return ""
    skeleton = rig.skeleton
    bones = len(skeleton.chain(skeleton.index(setup.tip), skeleton.index(setup.root))) - 1
    if bones == 2:
        return ""
    return (
        f"IK {setup.name!r}: a two-bone chain needs two bones above {setup.tip!r}, "
        f"{setup.root!r} gives {bones}; choose CCD or FABRIK, or another root"
    )


def _is_chain(rig: Rig, setup: IkSetup) -> bool:
    """Whether the tip is below the root."""
    bone, root = rig.skeleton.index(setup.tip), rig.skeleton.index(setup.root)
    while bone > root:
        bone = rig.skeleton.parent(bone)
        if bone == root:
            return True
    return False


def _two_bone(chain: Chain, local: Transform, setup: IkSetup, goal: IkGoal) -> tuple[Transform, FloatArray]:
    """Turn a chain of two bones in place; with stretch its translations grow."""
    root, joint, end = (chain.joints[:, k].copy() for k in range(3))
    placed, upper, lower = two_bone.solved(
        root, joint, end, goal.position, goal.pole, setup.soft, setup.stretch_start, setup.stretch_limit
    )
    model = chain.rotations()
    first = quat.multiply(upper, model[:, 0])
    second = quat.multiply(quat.multiply(lower, upper), model[:, 1])
    chain.local[:, 0] = quat.normalise(quat.multiply(quat.conjugate(chain.base_rotation), first))
    chain.local[:, 1] = quat.normalise(quat.multiply(quat.conjugate(first), second))
    translation = np.array(local.translation)
    for bone in (chain.bones[1], chain.tip):
        translation[:, bone] *= placed.growth[:, None]
    chain.offsets *= placed.growth[:, None, None]
    chain.place()
    residual: FloatArray = np.linalg.norm(chain.joints[:, 2] - goal.position, axis=-1)
    return local._replace(translation=translation), residual


def _tip_rotation(chain: Chain, local: Transform) -> FloatArray:
    """Model rotation of the tip bone before solving, ``(T, 4)``."""
    return quat.multiply(chain.rotations()[:, -1], local.rotation[:, chain.tip])


def _settle_tip(solved: Transform, chain: Chain, setup: IkSetup, goal: IkGoal, before: FloatArray) -> None:
    """Give the tip bone the rotation that the set-up asks for (in place)."""
    if setup.end_rotation is EndRotation.LOCAL:
        return
    wanted = before
    if setup.end_rotation is EndRotation.GOAL and goal.rotation is not None:
        wanted = goal.rotation
    above = chain.rotations()[:, -1]
    solved.rotation[:, chain.tip] = quat.normalise(quat.multiply(quat.conjugate(above), wanted))


def _solve_aim(
    rig: Rig, local: Transform, setup: IkSetup, goal: IkGoal
) -> tuple[Transform, FloatArray, IntArray]:
    """Aim the tip bone; the residual is how far its axis misses the goal, at the goal's distance."""
    bone = rig.skeleton.index(setup.tip)
    place, present, _ = model_of(rig.skeleton, local, bone)
    turned = aim.aimed(
        present, place, goal.position, setup.aim_axis, setup.up_axis, limit=float(np.radians(setup.aim_limit))
    )
    parent = rig.skeleton.parent(bone)
    above = np.broadcast_to(quat.IDENTITY, present.shape)
    if parent >= 0:
        above = model_of(rig.skeleton, local, parent).rotation
    rotation = np.array(local.rotation)
    rotation[:, bone] = quat.normalise(quat.multiply(quat.conjugate(above), turned))
    line = goal.position - place
    forward = quat.rotate(turned, np.asarray(setup.aim_axis))
    miss = np.linalg.norm(np.cross(forward, line), axis=-1)
    return local._replace(rotation=rotation), miss, np.ones(len(miss), dtype=np.int32)


def _solve_follow(
    rig: Rig, local: Transform, setup: IkSetup, goal: IkGoal
) -> tuple[Transform, FloatArray, IntArray]:
    """Put the tip bone where the goal is, with its rotation; TURN takes the rotation alone. The scale stays."""
    bone, count = rig.skeleton.index(setup.tip), len(local.translation)
    parent = rig.skeleton.parent(bone)
    above = Transform(*(np.broadcast_to(p, (count, len(p))) for p in transform.IDENTITY))
    if parent >= 0:
        above = model_of(rig.skeleton, local, parent)
    translation, rotation = np.array(local.translation), np.array(local.rotation)
    residual = np.zeros(count)
    if setup.solver is IkSolver.FOLLOW:
        translation[:, bone] = transform.apply(transform.inverse(above), goal.position)
        residual = np.linalg.norm(transform.apply(above, translation[:, bone]) - goal.position, axis=-1)
    if goal.rotation is not None:
        rotation[:, bone] = quat.normalise(quat.multiply(quat.conjugate(above.rotation), goal.rotation))
    return Transform(translation, rotation, local.scale), residual, np.ones(count, dtype=np.int32)


def _weighted(
    rig: Rig, before: Transform, solved: Transform, setup: IkSetup, weight: float | FloatArray
) -> Transform:
    """The input where the weight is 0, the solution where it is 1; only bones of the chain mix."""
    share = np.asarray(weight, dtype=np.float64)
    if (share == 1.0).all():
        return solved
    if (share == 0.0).all():
        return before
    tip = rig.skeleton.index(setup.tip)
    root = tip if setup.solver.single else rig.skeleton.index(setup.root)
    bones = list(rig.skeleton.chain(tip, root))
    parts = [np.array(part) for part in before]
    chosen = between(
        Transform(*(p[..., bones, :] for p in before)),
        Transform(*(p[..., bones, :] for p in solved)),
        share if share.ndim == 0 else share[..., None],
    )
    for part, value in zip(parts, chosen, strict=True):
        part[..., bones, :] = value
    return Transform(*parts)

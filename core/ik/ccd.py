"""Cyclic coordinate descent over a chain, for many poses at once: the compiled kernel, and its plain numpy twin."""

from typing import NamedTuple

import numpy as np

from core.arrays import BoolArray, FloatArray, IndexArray, IntArray
from core.ik import compiled
from core.ik.chain import Chain
from core.ik.limits import limited
from core.math import kernels, quat
from core.rig.rig import LimitKind


class Residual(NamedTuple):
    """How a solve ended, per pose: metres left ``(T,)`` and steps taken ``(T,)``."""

    distance: FloatArray
    iterations: IntArray


CLOSING_TURN = 0.5
"""Largest turn of a bone, radians, in the closing turn of a step."""

GAIN = 1e-9
"""Metres that a step must gain for the next one to be worth it."""


def solve(
    chain: Chain,
    goal: FloatArray,
    tolerance: float = 1e-3,
    iterations: int = 50,
    stiffness: FloatArray | None = None,
    step: float = np.pi,
    root_first: bool = False,
) -> Residual:
    """Turn the chain, in place, so that its end comes to `goal` ``(T, 3)``.

    Per step each bone, from the end to the root (or the reverse), turns the end toward the goal by
    the shortest arc, as far as its stiffness (0 free .. 1 fixed), the largest `step` in radians
    and its limit allow. A damped least-squares turn of all bones together closes the step, kept
    where it brings the end nearer: plain CCD zigzags over the last centimetres. It has what the
    turns before left of `step`: no bone turns farther in one step. Stops at the
    tolerance, at the step limit, or when a step gains less than `GAIN`. Solving from a solution
    changes nothing. A straight chain that points at or away from the goal is bent a little first,
    always to the same side.
    """
    give = np.ones(len(chain.bones)) if stiffness is None else 1.0 - np.clip(stiffness, 0.0, 1.0)
    kernel = compiled.kernel()
    if kernel is None:
        with kernels.twin():
            return solve_numpy(chain, goal, tolerance, iterations, give, step, root_first)
    work, aims = compiled.InPlace(chain), compiled.ready(goal)
    distance, taken = np.empty(len(aims)), np.empty(len(aims), dtype=np.int32)
    kernel.ccd(
        work.base, work.local, work.joints, work.offsets, work.rest, *compiled.packed_limits(chain), aims,
        give, tolerance, iterations, step, root_first, distance, taken,
    )  # fmt: skip
    work.put()
    return Residual(distance, taken)


def solve_numpy(
    chain: Chain,
    goal: FloatArray,
    tolerance: float,
    iterations: int,
    give: FloatArray,
    step: float = np.pi,
    root_first: bool = False,
) -> Residual:
    """The numpy twin of the kernel; `give` is 1 − stiffness."""
    count = len(chain.bones)
    order = range(count) if root_first else range(count - 1, -1, -1)
    distance = _distance(chain, goal)
    taken = np.zeros(len(goal), dtype=np.int32)
    active = distance > tolerance
    unlock(chain, goal, active)
    for _ in range(iterations):
        if not active.any():
            break
        poses = np.flatnonzero(active)
        turned = [_turn(chain, bone, goal, poses, float(give[bone]), step) for bone in order]
        left = np.inf if step >= np.pi else step - np.max(turned, axis=0)
        _close(chain, goal, poses, give, np.minimum(CLOSING_TURN, left))
        taken[poses] += 1
        now = _distance(chain, goal)
        active &= (now > tolerance) & (np.abs(distance - now) > GAIN)
        distance = now
    return Residual(distance, taken)


def _distance(chain: Chain, goal: FloatArray) -> FloatArray:
    distance: FloatArray = np.linalg.norm(chain.joints[:, -1] - goal, axis=-1)
    return distance


def _turn(
    chain: Chain, bone: int, goal: FloatArray, poses: IndexArray, give: float, step: float
) -> FloatArray:
    """One bone's share: turn everything below it so that the end looks at the goal; the angles ``(P,)``."""
    pivot = chain.joints[poses, bone]
    arc = quat.to_rotation_vector(quat.shortest_arc(chain.joints[poses, -1] - pivot, goal[poses] - pivot))
    angle = np.linalg.norm(arc, axis=-1, keepdims=True)
    allowed = np.minimum(angle * give, step)
    arc = arc * np.where(angle > 0.0, allowed / np.where(angle > 0.0, angle, 1.0), 0.0)
    above = chain.base_rotation[poses]
    for earlier in range(bone):
        above = quat.multiply(above, chain.local[poses, earlier])
    before = quat.multiply(above, chain.local[poses, bone])
    turned = quat.multiply(quat.conjugate(above), quat.multiply(quat.from_rotation_vector(arc), before))
    turned = quat.normalise(turned)
    limit = chain.limits[bone]
    if limit is not None:
        turned = limited(turned, chain.rest[bone], limit)
    chain.local[poses, bone] = turned
    delta = quat.multiply(quat.multiply(above, turned), quat.conjugate(before))
    below = chain.joints[poses, bone + 1 :] - pivot[:, None]
    chain.joints[poses, bone + 1 :] = pivot[:, None] + quat.rotate(delta[:, None], below)
    done: FloatArray = allowed[..., 0]
    return done


def _close(
    chain: Chain, goal: FloatArray, poses: IndexArray, give: FloatArray, room: float | FloatArray
) -> None:
    """One damped least-squares turn of all bones (Wampler 1986), undone where it does not gain.

    No bone turns by more than `room`, radians.

    The Jacobian's ``J·Jᵀ`` is 3×3 for a chain whose joints turn freely:
    ``Σ gᵢ(|rᵢ|²·1 − rᵢ·rᵢᵀ)`` with `r` from each joint to the end. A hinge about `a` adds
    ``gᵢ(a×rᵢ)(a×rᵢ)ᵀ`` instead: it moves the end along one line.
    """
    joints, local = chain.joints[poses], chain.local[poses]
    arm = joints[:, -1:] - joints[:, :-1]
    hinges = _hinge_axes(chain, poses)
    free = give * ~hinges.any(axis=(0, 2))
    matrix = np.einsum("b,pbi,pbi->p", free, arm, arm)[:, None, None] * np.eye(3)
    matrix -= np.einsum("b,pbi,pbj->pij", free, arm, arm)
    swept = np.cross(hinges, arm)
    matrix += np.einsum("b,pbi,pbj->pij", give, swept, swept)
    damping = 1e-4 * np.trace(matrix, axis1=1, axis2=2) / 3.0 + 1e-18
    matrix += damping[:, None, None] * np.eye(3)
    pull = np.linalg.solve(matrix, (goal[poses] - joints[:, -1])[..., None])[..., 0]
    wished = np.cross(arm, pull[:, None])
    along = np.sum(wished * hinges, axis=-1, keepdims=True) * hinges
    turn = give[:, None] * np.where(hinges.any(axis=-1, keepdims=True), along, wished)
    largest = np.linalg.norm(turn, axis=-1).max(axis=1)[:, None, None]
    turn *= np.minimum(1.0, np.reshape(room, (-1, 1, 1)) / np.maximum(largest, 1e-12))
    above = chain.base_rotation[poses]
    for bone in range(len(chain.bones)):
        model = quat.multiply(above, local[:, bone])
        wanted = quat.multiply(quat.from_rotation_vector(turn[:, bone]), model)
        turned = quat.normalise(quat.multiply(quat.conjugate(above), wanted))
        limit = chain.limits[bone]
        chain.local[poses, bone] = turned if limit is None else limited(turned, chain.rest[bone], limit)
        above = quat.multiply(above, chain.local[poses, bone])
    chain.place()
    before = np.linalg.norm(joints[:, -1] - goal[poses], axis=-1)
    worse = np.linalg.norm(chain.joints[poses, -1] - goal[poses], axis=-1) >= before
    chain.local[poses[worse]], chain.joints[poses[worse]] = local[worse], joints[worse]


def _hinge_axes(chain: Chain, poses: IndexArray) -> FloatArray:
    """Model directions ``(P, n, 3)`` of the hinges' axes; zeros for bones that turn otherwise."""
    axes = np.zeros((len(poses), len(chain.bones), 3))
    above = chain.base_rotation[poses]
    for bone, limit in enumerate(chain.limits):
        if limit is not None and limit.kind is LimitKind.HINGE:
            axes[:, bone] = quat.rotate(quat.multiply(above, chain.rest[bone]), np.asarray(limit.axis))
        above = quat.multiply(above, chain.local[poses, bone])
    return axes


def unlock(chain: Chain, goal: FloatArray, active: BoolArray, angle: float = 0.02) -> None:
    """Bend chains that lie straight on the line to their goal, where no shortest arc would turn them."""
    reach = chain.joints[:, -1] - chain.joints[:, 0]
    aim = goal - chain.joints[:, 0]
    cross = np.linalg.norm(np.cross(reach, aim), axis=-1)
    size = np.linalg.norm(reach, axis=-1) * np.linalg.norm(aim, axis=-1)
    straight = np.linalg.norm(reach, axis=-1) > 0.9999 * chain.lengths().sum(axis=-1)
    stuck = active & straight & (cross <= 1e-4 * size + 1e-12)
    if not stuck.any() or len(chain.bones) < 2:
        return
    model = chain.rotations()
    for bone in range(len(chain.bones)):
        turned = quat.multiply(chain.local[stuck, bone], _side_turn(chain, model, stuck, bone, angle))
        limit = chain.limits[bone]
        chain.local[stuck, bone] = turned if limit is None else limited(turned, chain.rest[bone], limit)
    chain.place()


def _side_turn(chain: Chain, model: FloatArray, stuck: BoolArray, bone: int, angle: float) -> FloatArray:
    """A small turn in the bone's frame: about its hinge, else about a fixed model perpendicular."""
    sign = 1.0 if bone % 2 == 0 else -1.0
    limit = chain.limits[bone]
    if limit is not None and limit.kind.value == "hinge":
        middle = 1.0 if limit.minimum + limit.maximum >= 0.0 else -1.0
        return quat.from_axis_angle(np.broadcast_to(limit.axis, (int(stuck.sum()), 3)), middle * angle)
    along = chain.joints[stuck, bone + 1] - chain.joints[stuck, bone]
    aside = np.where(
        np.abs(along[:, :1]) < 0.5 * np.linalg.norm(along, axis=1, keepdims=True), [1.0, 0, 0], [0, 0, 1.0]
    )
    axis = quat.rotate(quat.conjugate(model[stuck, bone]), np.cross(along, aside))
    return quat.from_axis_angle(axis, np.full(len(axis), sign * angle))

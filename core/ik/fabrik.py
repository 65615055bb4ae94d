"""FABRIK: forward and backward reaching (Aristidou and Lasenby 2011), for many poses at once."""

import numpy as np

from core.arrays import FloatArray, IndexArray
from core.ik import ccd, compiled
from core.ik.ccd import GAIN, Residual, unlock
from core.ik.chain import Chain
from core.ik.limits import limited
from core.math import kernels, quat


def solve(
    chain: Chain,
    goal: FloatArray,
    tolerance: float = 1e-3,
    iterations: int = 50,
    stiffness: FloatArray | None = None,
) -> Residual:
    """Turn the chain, in place, so that its end comes to `goal` ``(T, 3)``.

    Each step drags the joints from the end to the root and back, keeping lengths; positions become
    rotations by shortest arcs (twist is kept), stiffness (0 free .. 1 fixed) and limits apply to
    these. Stops as CCD does; a goal out of reach straightens the chain toward it. With limits, CCD goes on
    where FABRIK gets no nearer; its steps are counted too.
    """
    give = np.ones(len(chain.bones)) if stiffness is None else 1.0 - np.clip(stiffness, 0.0, 1.0)
    kernel = compiled.kernel()
    if kernel is None:
        with kernels.twin():
            first = solve_numpy(chain, goal, tolerance, iterations, give)
            return _finished(chain, goal, tolerance, iterations, stiffness, first)
    work, aims = compiled.InPlace(chain), compiled.ready(goal)
    distance, taken = np.empty(len(aims)), np.empty(len(aims), dtype=np.int32)
    kernel.fabrik(
        work.base, work.local, work.joints, work.offsets, work.rest, *compiled.packed_limits(chain), aims,
        give, tolerance, iterations, distance, taken,
    )  # fmt: skip
    work.put()
    return _finished(chain, goal, tolerance, iterations, stiffness, Residual(distance, taken))


def _finished(
    chain: Chain,
    goal: FloatArray,
    tolerance: float,
    iterations: int,
    stiffness: FloatArray | None,
    first: Residual,
) -> Residual:
    """Where limits stopped FABRIK short, CCD goes on from there: positions know nothing of hinges."""
    if not any(chain.limits) or not (first.distance > tolerance).any():
        return first
    more = ccd.solve(chain, goal, tolerance, iterations, stiffness)
    return Residual(more.distance, first.iterations + more.iterations)


def solve_numpy(
    chain: Chain, goal: FloatArray, tolerance: float, iterations: int, give: FloatArray
) -> Residual:
    """The numpy twin of the kernel; `give` is 1 − stiffness."""
    lengths = chain.lengths()
    distance = np.linalg.norm(chain.joints[:, -1] - goal, axis=-1)
    taken = np.zeros(len(goal), dtype=np.int32)
    active = distance > tolerance
    unlock(chain, goal, active)
    for _ in range(iterations):
        if not active.any():
            break
        poses = np.flatnonzero(active)
        wanted = _reached(chain.joints[poses], lengths[poses], goal[poses])
        _follow(chain, poses, wanted, give)
        taken[poses] += 1
        now = np.linalg.norm(chain.joints[:, -1] - goal, axis=-1)
        active &= (now > tolerance) & (np.abs(distance - now) > GAIN)
        distance = now
    return Residual(distance, taken)


def _reached(joints: FloatArray, lengths: FloatArray, goal: FloatArray) -> FloatArray:
    """One backward and one forward pass over joints ``(P, n + 1, 3)``."""
    out = np.array(joints)
    root = joints[:, 0]
    last = out.shape[1] - 1
    out[:, last] = goal
    for joint in range(last - 1, -1, -1):
        out[:, joint] = _kept(out[:, joint + 1], out[:, joint], lengths[:, joint])
    out[:, 0] = root
    for joint in range(1, last + 1):
        out[:, joint] = _kept(out[:, joint - 1], out[:, joint], lengths[:, joint - 1])
    return out


def _kept(anchor: FloatArray, point: FloatArray, length: FloatArray) -> FloatArray:
    """Points moved along their line to stand `length` from the anchor; on the anchor they stay there."""
    line = point - anchor
    size = np.linalg.norm(line, axis=-1, keepdims=True)
    return anchor + line * (length[:, None] / np.where(size > 1e-12, size, 1.0))


def _follow(chain: Chain, poses: IndexArray, wanted: FloatArray, give: FloatArray) -> None:
    """Turn the bones, root first, toward the wanted joints."""
    above = chain.base_rotation[poses]
    here = chain.joints[poses, 0]
    for bone in range(len(chain.bones)):
        model = quat.multiply(above, chain.local[poses, bone])
        points = quat.rotate(model, chain.offsets[poses, bone])
        arc = quat.shortest_arc(points, wanted[:, bone + 1] - here)
        if give[bone] < 1.0:
            arc = quat.from_rotation_vector(quat.to_rotation_vector(arc) * give[bone])
        local = quat.normalise(quat.multiply(quat.conjugate(above), quat.multiply(arc, model)))
        limit = chain.limits[bone]
        if limit is not None:
            local = limited(local, chain.rest[bone], limit)
        chain.local[poses, bone] = local
        above = quat.multiply(above, local)
        here = here + quat.rotate(above, chain.offsets[poses, bone])
        chain.joints[poses, bone + 1] = here

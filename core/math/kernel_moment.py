# mypy: disable-error-code="no-untyped-def"
"""One moment of playback (compiled): root motion taken out of a pose, or between two, and poses blended.

A pose is one flat row ``(10B,)``: translations ``3B``, rotations ``4B``, scales ``3B``. Twins:
`core.clips.root_motion` and `core.pose.blend`, which work on many poses with arrays.
"""

import math

from numba import njit

from core.math.kernel_blend import _add, _begin, _turn, _unit
from core.math.kernel_graph_rigid import composed, inverted, power, read_rigid
from core.math.kernel_turns import mul, plain, rotate, unit

YAW, KEPT, REST, ANCHOR, FIRST, TURN = 0, 1, 4, 8, 15, 22
"""Places in a root's numbers: whether yaw is taken out, which axes ``(3,)``, the rest rotation ``(4,)``, and
the rigid transforms ``(7,)`` ``K``, ``E(0)⁻¹`` and ``E(0)⁻¹ ∘ E(L)`` of `core.clips.root_motion.RootFrame`."""


@plain
def _down(pose, bones, bone, whole):
    """A bone's local transform put onto that of its parent: translation, rotation, scale."""
    t, r, s = 3 * bone, 3 * bones + 4 * bone, 7 * bones + 3 * bone
    x, y, z, qx, qy, qz, qw, s0, s1, s2 = whole
    mx, my, mz = rotate(qx, qy, qz, qw, s0 * pose[t], s1 * pose[t + 1], s2 * pose[t + 2])
    qx, qy, qz, qw = mul(qx, qy, qz, qw, pose[r], pose[r + 1], pose[r + 2], pose[r + 3])
    return x + mx, y + my, z + mz, qx, qy, qz, qw, s0 * pose[s], s1 * pose[s + 1], s2 * pose[s + 2]


@plain
def _extracted(frame, model):
    """``E``: the part of a root's model transform that is taken out."""
    sx, sy, sz, sw = 0.0, 0.0, 0.0, 1.0
    if frame[YAW] != 0.0:
        _, ty, _, tw = mul(
            model[3], model[4], model[5], model[6],
            -frame[REST], -frame[REST + 1], -frame[REST + 2], frame[REST + 3],
        )  # fmt: skip
        sx, sy, sz, sw = unit(0.0, ty, 0.0, tw)
    return model[0] * frame[KEPT], model[1] * frame[KEPT + 1], model[2] * frame[KEPT + 2], sx, sy, sz, sw


@njit("void(float64[::1], int64[::1], float64[::1])", cache=True, error_model="numpy")
def without_root(pose, chain, frame):
    """Take root motion out of a pose, in place: the root bone becomes ``K ∘ E⁻¹ ∘ root``.

    Parameters
    ----------
    pose : ``(10B,)``
    chain : bones from the skeleton's root down to the root bone
    frame : the root's numbers, as `YAW` … place them
    """
    bones = len(pose) // 10
    whole = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0)
    above = whole
    for bone in chain:
        above = whole
        whole = _down(pose, bones, bone, whole)
    model = (whole[0], whole[1], whole[2], whole[3], whole[4], whole[5], whole[6])
    stays = composed(read_rigid(frame, ANCHOR), composed(inverted(_extracted(frame, model)), model))
    if len(chain) > 1:
        s0 = 1.0 / (above[7] if above[7] != 0.0 else 1.0)
        s1 = 1.0 / (above[8] if above[8] != 0.0 else 1.0)
        s2 = 1.0 / (above[9] if above[9] != 0.0 else 1.0)
        ux, uy, uz, uw = -above[3], -above[4], -above[5], above[6]
        x, y, z = rotate(ux, uy, uz, uw, -above[0], -above[1], -above[2])
        mx, my, mz = rotate(ux, uy, uz, uw, s0 * stays[0], s1 * stays[1], s2 * stays[2])
        qx, qy, qz, qw = mul(ux, uy, uz, uw, stays[3], stays[4], stays[5], stays[6])
        stays = (s0 * x + mx, s1 * y + my, s2 * z + mz, qx, qy, qz, qw)
    bone = chain[len(chain) - 1]
    for k in range(3):
        pose[3 * bone + k] = stays[k]
    for k in range(4):
        pose[3 * bones + 4 * bone + k] = stays[3 + k]


@plain
def _travelled(pose, chain, frame, loops):
    """Motion since playback time 0: ``(E(0)⁻¹ ∘ E(L))ⁿ ∘ E(0)⁻¹ ∘ E(t)`` after n turns."""
    bones = len(pose) // 10
    whole = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0)
    for bone in chain:
        whole = _down(pose, bones, bone, whole)
    model = (whole[0], whole[1], whole[2], whole[3], whole[4], whole[5], whole[6])
    here = composed(read_rigid(frame, FIRST), _extracted(frame, model))
    if loops == 0:
        return here
    return composed(power(read_rigid(frame, TURN), loops), here)


@njit(
    "void(float64[::1], int64, float64[::1], int64, int64[::1], float64[::1], float64[::1])",
    cache=True,
    error_model="numpy",
)
def motion(start, loops_before, end, loops_after, chain, frame, out):
    """Root motion from one moment to another, to `out` ``(7,)``: translation, rotation.

    Parameters
    ----------
    start, end : the poses ``(10B,)`` at both
    loops_before, loops_after : turns of the clip that were over by then
    chain, frame : as of `without_root`
    """
    before = _travelled(start, chain, frame, loops_before)
    moved = composed(inverted(before), _travelled(end, chain, frame, loops_after))
    for k in range(7):
        out[k] = moved[k]


@njit("void(float64[:, ::1], float64[::1], float64[::1])", cache=True, error_model="numpy")
def blended(parts, shares, out):
    """Blend poses ``(n, 10B)`` by shares ``(n,)`` that sum to 1, from the heaviest to the lightest, to `out`."""
    bones = len(out) // 10
    turns = out[3 * bones : 7 * bones]
    taken = 0
    last, before = math.inf, -1
    while taken < len(shares):
        n = -1
        for k in range(len(shares)):  # the next in order; of equal ones the first goes first
            later = shares[k] < last or (shares[k] == last and k > before)
            if later and (n < 0 or shares[k] > shares[n]):
                n = k
        last, before, share = shares[n], n, shares[n]
        if taken and share == 0.0:
            break
        part = parts[n]
        if taken == 0:
            _begin(share, part, out)
        else:
            _add(share, part[: 3 * bones], out[: 3 * bones])
            _turn(share, part[3 * bones : 7 * bones], turns)
            _add(share, part[7 * bones :], out[7 * bones :])
        taken += 1
    _unit(turns)

"""The sampling kernel (compiled): all channels of a clip at a time → local transforms → model matrices."""

import math

from numba import njit

from core.math.kernel_layout import (
    AS_IS,
    AUX_A,
    AUX_B,
    AUX_C,
    AUX_FORM,
    AUX_WIDTH,
    BONE_BLOCK,
    EULER,
    F_HIGH,
    F_LOW,
    F_SPECIAL,
    FORM_CUBIC,
    FORM_WEIGHTED,
    I_AUX,
    I_BONE_BLOCKS,
    I_BONES,
    I_EXTRA_BLOCKS,
    I_EXTRAS,
    I_LANES,
    I_LOCAL,
    I_MODEL,
    I_PARENTS,
    I_ROWS,
    I_TRACKS,
    IS_QUATERNION,
    KIND_SCALAR,
    LANES,
    MOVES,
    PROPERTIES,
    QUATERNION,
    R_KIND,
    R_LANE,
    R_WIDTH,
    ROW_C0,
    ROW_C1,
    ROW_C2,
    ROW_C3,
    ROW_VALUE,
    SCALE,
    SIGN_W,
    SIGN_X,
    SIGN_Y,
    SIGN_Z,
    SIGNS,
    SUB_BLOCK,
)
from core.math.kernel_segments import seek

FAST = {"contract", "nsz"}
"""Multiply-adds may fuse; nothing else is loosened, so that results stay within a few last bits."""

VX, VY, VZ = (EULER * SUB_BLOCK + ROW_VALUE + a * SUB_BLOCK for a in range(3))
QX, QY, QZ, QW = (QUATERNION * SUB_BLOCK + ROW_VALUE + a * SUB_BLOCK for a in range(4))


@njit(cache=True, fastmath=FAST, error_model="numpy", forceinline=True)
def half_sincos(degrees):  # type: ignore[no-untyped-def]
    """Sine and cosine of half an angle in degrees, without a branch.

    The angle is reduced in degrees, which is exact for any size; then Taylor polynomials on
    ±45°, whose remainder is below 1e-16.
    """
    y = degrees - 720.0 * math.floor(degrees * (1.0 / 720.0) + 0.5)
    k = math.floor(y * (1.0 / 180.0) + 0.5)
    r = (y - 180.0 * k) * (math.pi / 360.0)
    z = r * r
    s = 1.0 / 355687428096000.0
    s = s * z - 1.0 / 1307674368000.0
    s = s * z + 1.0 / 6227020800.0
    s = s * z - 1.0 / 39916800.0
    s = s * z + 1.0 / 362880.0
    s = s * z - 1.0 / 5040.0
    s = s * z + 1.0 / 120.0
    s = s * z - 1.0 / 6.0
    s = r + r * z * s
    c = 1.0 / 20922789888000.0
    c = c * z - 1.0 / 87178291200.0
    c = c * z + 1.0 / 479001600.0
    c = c * z - 1.0 / 3628800.0
    c = c * z + 1.0 / 40320.0
    c = c * z - 1.0 / 720.0
    c = c * z + 1.0 / 24.0
    c = c * z - 0.5
    c = 1.0 + z * c
    odd = k - 2.0 * math.floor(k * 0.5)  # k is −2 … 2
    sine = s + odd * (c - s)
    cosine = c + odd * (s - c)
    flip_sine = 1.0 if (k == 0.0 or k == 1.0) else -1.0
    flip_cosine = 1.0 if (k == 0.0 or k == -1.0) else -1.0
    return sine * flip_sine, cosine * flip_cosine


@njit(cache=True, fastmath=FAST, error_model="numpy")
def _lanes(n, f, t):  # type: ignore[no-untyped-def]
    """Evaluate every lane's polynomial."""
    for k in range(n[I_BONE_BLOCKS]):
        begin = n[I_LANES] + k * BONE_BLOCK
        for p in range(PROPERTIES):
            if f[begin + SIGNS + MOVES + p] != 0.0:
                start = begin + p * SUB_BLOCK
                block = f[
                    start : start + SUB_BLOCK
                ]  # offsets that are constant here: else nothing is vectorised
                for i in range(LANES):
                    x = t - block[i]
                    c = block[ROW_C2 + i] + x * block[ROW_C3 + i]
                    c = block[ROW_C1 + i] + x * c
                    block[ROW_VALUE + i] = block[ROW_C0 + i] + x * c
    for k in range(n[I_EXTRA_BLOCKS]):
        begin = n[I_EXTRAS] + k * SUB_BLOCK
        block = f[begin : begin + SUB_BLOCK]
        for i in range(LANES):
            x = t - block[i]
            c = block[ROW_C2 + i] + x * block[ROW_C3 + i]
            c = block[ROW_C1 + i] + x * c
            block[ROW_VALUE + i] = block[ROW_C0 + i] + x * c


@njit(cache=True, error_model="numpy")
def solve(x, w0, w1):  # type: ignore[no-untyped-def]
    """Bézier parameter at a time fraction; twin of `core.math.bezier.solve`."""
    target = min(max(x, 0.0), 1.0)
    c1 = 3.0 * w0
    c2 = 3.0 * (1.0 - w1) - 6.0 * w0
    c3 = 1.0 + 3.0 * w0 - 3.0 * (1.0 - w1)
    low, high, b = 0.0, 1.0, target
    for _ in range(80):
        error = ((c3 * b + c2) * b + c1) * b - target
        if abs(error) <= 1e-16 or high - low <= 1e-16:
            break
        if error < 0.0:
            low = b
        else:
            high = b
        rate = (3.0 * c3 * b + 2.0 * c2) * b + c1
        step = b - error / rate if rate > 1e-12 else -1.0
        b = step if low < step < high else 0.5 * (low + high)
    return b


@njit(cache=True, error_model="numpy")
def _special_value(n, f, track, form, t):  # type: ignore[no-untyped-def]
    """Value of a lane that is no polynomial in time: weighted tangents or slerp."""
    aux = n[I_AUX] + track * AUX_WIDTH
    lane = n[n[I_ROWS] + track * R_WIDTH + R_LANE]
    if form == FORM_WEIGHTED:
        u = solve((t - f[lane]) * f[aux + AUX_C], f[aux + AUX_A], f[aux + AUX_B])
        c = f[lane + ROW_C1] + u * (f[lane + ROW_C2] + u * f[lane + ROW_C3])
        f[lane + ROW_VALUE] = f[lane + ROW_C0] + u * c
    else:
        lane += QUATERNION * SUB_BLOCK
        angle = (t - f[lane]) * f[aux + AUX_A]
        a, b = math.sin(f[aux + AUX_B] - angle), math.sin(angle)
        for c in range(4):
            o = lane + c * SUB_BLOCK
            f[o + ROW_VALUE] = a * f[o + ROW_C0] + b * f[o + ROW_C1]


@njit(cache=True, error_model="numpy")
def _special(n, f, t):  # type: ignore[no-untyped-def]
    """All lanes that are no polynomial in time."""
    for track in range(n[I_TRACKS]):
        form = f[n[I_AUX] + track * AUX_WIDTH + AUX_FORM]
        if form != FORM_CUBIC:
            _special_value(n, f, track, form, t)


@njit(cache=True, error_model="numpy")
def value_at(n, f, track, t):  # type: ignore[no-untyped-def]
    """Value of one track's lane."""
    form = f[n[I_AUX] + track * AUX_WIDTH + AUX_FORM]
    if form != FORM_CUBIC:
        _special_value(n, f, track, form, t)
        return
    row = n[I_ROWS] + track * R_WIDTH
    scalar = n[row + R_KIND] == KIND_SCALAR
    lane = n[row + R_LANE] + (0 if scalar else QUATERNION * SUB_BLOCK)
    for part in range(1 if scalar else 4):
        o = lane + part * SUB_BLOCK
        x = t - f[o]
        c = f[o + ROW_C1] + x * (f[o + ROW_C2] + x * f[o + ROW_C3])
        f[o + ROW_VALUE] = f[o + ROW_C0] + x * c


@njit(cache=True, fastmath=FAST, error_model="numpy")
def _rotations(n, f):  # type: ignore[no-untyped-def]
    """Euler lanes → quaternion lanes; quaternion lanes of quaternion tracks → unit length."""
    for k in range(n[I_BONE_BLOCKS]):
        begin = n[I_LANES] + k * BONE_BLOCK
        block = f[begin : begin + BONE_BLOCK]
        for i in range(LANES):
            sx, cx = half_sincos(block[VX + i])
            sy, cy = half_sincos(block[VY + i])
            sz, cz = half_sincos(block[VZ + i])
            x = sx * cy * cz + block[SIGNS + SIGN_X + i] * (cx * sy * sz)
            y = cx * sy * cz + block[SIGNS + SIGN_Y + i] * (sx * cy * sz)
            z = cx * cy * sz + block[SIGNS + SIGN_Z + i] * (sx * sy * cz)
            w = cx * cy * cz + block[SIGNS + SIGN_W + i] * (sx * sy * sz)
            qx, qy, qz, qw = block[QX + i], block[QY + i], block[QZ + i], block[QW + i]
            length = math.sqrt(qx * qx + qy * qy + qz * qz + qw * qw)
            keep = length >= 1e-12
            inverse = 1.0 / length if keep else 0.0
            whole = block[SIGNS + IS_QUATERNION + i] != 0.0
            if block[SIGNS + IS_QUATERNION + i] == AS_IS:
                inverse = 1.0
            block[QX + i] = qx * inverse if whole else x
            block[QY + i] = qy * inverse if whole else y
            block[QZ + i] = qz * inverse if whole else z
            block[QW + i] = (qw * inverse if keep else 1.0) if whole else w


@njit(cache=True, error_model="numpy")
def _evaluate(n, f, t):  # type: ignore[no-untyped-def]
    """Bring the lanes in `f` to the time `t` in seconds: values of all tracks, then unit quaternions of bones.

    Segments are looked up only where `t` is outside `F_LOW` to `F_HIGH`, where those in the lanes hold.
    """
    if not (f[F_LOW] <= t < f[F_HIGH]):
        seek(n, f, t)
    _lanes(n, f, t)
    if f[F_SPECIAL] > 0.0:
        _special(n, f, t)
    _rotations(n, f)


@njit(cache=True, error_model="numpy")
def _emit(n, f, translations, rotations, scales):  # type: ignore[no-untyped-def]
    """Lanes → rows of bones, in flat arrays."""
    for bone in range(n[I_BONES]):
        o = n[I_LANES] + (bone >> 4) * BONE_BLOCK + (bone & 15) + ROW_VALUE
        for c in range(3):
            translations[3 * bone + c] = f[o + c * SUB_BLOCK]
            scales[3 * bone + c] = f[o + (SCALE + c) * SUB_BLOCK]
        for c in range(4):
            rotations[4 * bone + c] = f[o + (QUATERNION + c) * SUB_BLOCK]


@njit(cache=True, fastmath=FAST, error_model="numpy")
def _models(n, f):  # type: ignore[no-untyped-def]
    """Model matrices ``(B, 4, 4)`` of the lanes, at `I_MODEL`; the last rows stand there already."""
    for bone in range(n[I_BONES]):
        o = n[I_LANES] + (bone >> 4) * BONE_BLOCK + (bone & 15) + ROW_VALUE
        lane = f[o : o + (PROPERTIES - 1) * SUB_BLOCK + 1]
        x, y = lane[9 * SUB_BLOCK], lane[10 * SUB_BLOCK]
        z, w = lane[11 * SUB_BLOCK], lane[12 * SUB_BLOCK]
        s0, s1, s2 = lane[6 * SUB_BLOCK], lane[7 * SUB_BLOCK], lane[8 * SUB_BLOCK]
        a00, a01, a02 = (1 - 2 * (y * y + z * z)) * s0, 2 * (x * y - z * w) * s1, 2 * (x * z + y * w) * s2
        a10, a11, a12 = 2 * (x * y + z * w) * s0, (1 - 2 * (x * x + z * z)) * s1, 2 * (y * z - x * w) * s2
        a20, a21, a22 = 2 * (x * z - y * w) * s0, 2 * (y * z + x * w) * s1, (1 - 2 * (x * x + y * y)) * s2
        a03, a13, a23 = lane[0], lane[SUB_BLOCK], lane[2 * SUB_BLOCK]
        parent = n[n[I_PARENTS] + bone]
        m = n[I_MODEL] + 16 * bone
        if parent < 0:
            f[m], f[m + 1], f[m + 2], f[m + 3] = a00, a01, a02, a03
            f[m + 4], f[m + 5], f[m + 6], f[m + 7] = a10, a11, a12, a13
            f[m + 8], f[m + 9], f[m + 10], f[m + 11] = a20, a21, a22, a23
        else:
            p = n[I_MODEL] + 16 * parent
            for r in range(3):
                p0, p1, p2, p3 = f[p + 4 * r], f[p + 4 * r + 1], f[p + 4 * r + 2], f[p + 4 * r + 3]
                f[m + 4 * r] = p0 * a00 + p1 * a10 + p2 * a20
                f[m + 4 * r + 1] = p0 * a01 + p1 * a11 + p2 * a21
                f[m + 4 * r + 2] = p0 * a02 + p1 * a12 + p2 * a22
                f[m + 4 * r + 3] = p0 * a03 + p1 * a13 + p2 * a23 + p3


@njit("void(int64[::1], float64[::1], float64, boolean)", cache=True, error_model="numpy")
def pose(n, f, t, models):  # type: ignore[no-untyped-def]
    """One pose: local transforms to `I_LOCAL`, values of curves in their lanes; model matrices at `I_MODEL`."""
    _evaluate(n, f, t)
    begin, bones = n[I_LOCAL], n[I_BONES]
    _emit(
        n,
        f,
        f[begin : begin + 3 * bones],
        f[begin + 3 * bones : begin + 7 * bones],
        f[begin + 7 * bones : begin + 10 * bones],
    )
    if models:
        _models(n, f)

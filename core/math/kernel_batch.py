"""Many poses in one call (compiled): sixteen times side by side, track after track, bone after bone.

A lane is a time here, not a bone as in `core.math.kernel_sample`: a track's keys are then read once for all
times of a tile that fall between them, and forward kinematics runs as wide as everything else. Tracks that
share their key times share the weights of the keys, too. What is no plain cubic or straight track is
evaluated one time after another, by the same code as single poses.
"""

import math

import numpy as np
from numba import njit

from core.math.kernel_layout import (
    AS_IS,
    BONE_BLOCK,
    F_LOOP,
    F_LOW,
    I_BONES,
    I_EXTRA_COUNT,
    I_EXTRAS,
    I_LANES,
    I_LOW,
    I_PARENTS,
    I_ROWS,
    I_TRACKS,
    IS_QUATERNION,
    KIND_SCALAR,
    PROPERTIES,
    QUATERNION,
    R_COUNT,
    R_GROUP,
    R_IN,
    R_KIND,
    R_LANE,
    R_OUT,
    R_PLACE,
    R_SIMPLE,
    R_VALUES,
    R_WIDTH,
    ROW_C0,
    ROW_VALUE,
    SIGN_W,
    SIGN_X,
    SIGN_Y,
    SIGN_Z,
    SIGNS,
    SIMPLE_LINES,
    SUB_BLOCK,
)
from core.math.kernel_memory import load_double
from core.math.kernel_sample import FAST, half_sincos, value_at
from core.math.kernel_segments import key_time, place, settle

TILE = 16
BONE_ROWS = PROPERTIES * TILE
MODEL_ROWS = 12 * TILE
WIDE = TILE + 8
"""Room of a row that is written in eights from any place on."""
RISE, FRACTION, OUT, IN, LENGTH = 0, WIDE, 2 * WIDE, 3 * WIDE, 4 * WIDE
"""Rows of the weights: of the rise to the next key on a cubic and on a line, of both slopes; segments' lengths."""
WEIGHTS = 5 * WIDE
MANY = TILE // 3
"""Runs in a tile from which its times are taken one by one."""
EACH = 3 * TILE + 1
KEYS = EACH + 2 * TILE
EX, EY, EZ = (row * TILE for row in range(3, 6))
SX, SY, SZ = (row * TILE for row in range(6, 9))
QX, QY, QZ, QW = (row * TILE for row in range(9, 13))


@njit(cache=True, error_model="numpy")
def _share_weights(n, f, row, times, first, count, w, keys):  # type: ignore[no-untyped-def]
    """Weights at a tile's times for all tracks of a group; how many runs of times share their keys.

    Of run r `keys` holds its first time, start key and end key, then the first time after the last run. Beyond
    `EACH` stand start key and end key of each time. 0 runs: some time lies where a track goes on beyond its
    keys, which is left to the slow way.
    """
    low = high = begin = 0.0
    h, runs, hold = 1.0, 0, False
    i = j = 0
    for k in range(count):
        t = times[first + k]
        if runs and t >= high and j == i + 1 and j + 1 < n[row + R_COUNT] and begin == low:
            after = key_time(n, row, j + 1)
            if t < after and high == key_time(n, row, j):  # the next segment, on the same clock
                i, j, begin, low, high, h = j, j + 1, high, high, after, after - high
                keys[3 * runs], keys[3 * runs + 1], keys[3 * runs + 2] = k, i, j
                runs += 1
        if not (low <= t < high):
            i, j, begin, h, low, high, turns, mirrored, beyond = place(n, f, row, t)
            if turns != 0.0 or mirrored or beyond != 0.0:
                return 0
            hold = i == j and not (n[row + R_COUNT] == 1 and f[F_LOOP] > 0.0)
            if runs == 0 or i != keys[3 * runs - 2] or j != keys[3 * runs - 1]:
                keys[3 * runs], keys[3 * runs + 1], keys[3 * runs + 2] = k, i, j
                runs += 1
        keys[EACH + 2 * k], keys[EACH + 2 * k + 1] = i, j
        w[FRACTION + k] = 0.0 if hold else t - begin
        w[LENGTH + k] = h
    keys[3 * runs] = count
    for k in range(TILE):
        h = w[LENGTH + k]
        u = w[FRACTION + k] / h
        w[FRACTION + k] = u
        w[RISE + k] = u * u * (3.0 - 2.0 * u)
        w[OUT + k] = u * (1.0 - u) * (1.0 - u) * h
        w[IN + k] = u * u * (u - 1.0) * h
    return runs


@njit(cache=True, fastmath=FAST, error_model="numpy")
def _cubic(n, row, w, keys, runs, wide, out):  # type: ignore[no-untyped-def]
    """One cubic track over a tile; runs are written in eights, whose surplus the next run covers."""
    values, values_step = n[row + R_VALUES], n[row + R_VALUES + 1]
    outs, outs_step = n[row + R_OUT], n[row + R_OUT + 1]
    ins, ins_step = n[row + R_IN], n[row + R_IN + 1]
    for r in range(runs):
        i, j = keys[3 * r + 1], keys[3 * r + 2]
        v0 = load_double(values + i * values_step)
        rise = load_double(values + j * values_step) - v0
        s0, s1 = load_double(outs + i * outs_step), load_double(ins + j * ins_step)
        for start in range(keys[3 * r], keys[3 * r + 3], 8):
            a = w[start : start + 3 * WIDE + 8]
            o = wide[start : start + 8]
            for k in range(8):
                o[k] = v0 + a[RISE + k] * rise + a[OUT + k] * s0 + a[IN + k] * s1
    for k in range(TILE):
        out[k] = wide[k]


@njit(cache=True, fastmath=FAST, error_model="numpy")
def _cubic_each(n, row, w, keys, count, out):  # type: ignore[no-untyped-def]
    """One cubic track over a tile whose times lie between many keys."""
    values, values_step = n[row + R_VALUES], n[row + R_VALUES + 1]
    outs, outs_step = n[row + R_OUT], n[row + R_OUT + 1]
    ins, ins_step = n[row + R_IN], n[row + R_IN + 1]
    for k in range(count):
        i, j = keys[EACH + 2 * k], keys[EACH + 2 * k + 1]
        v0 = load_double(values + i * values_step)
        rise = load_double(values + j * values_step) - v0
        s0, s1 = load_double(outs + i * outs_step), load_double(ins + j * ins_step)
        out[k] = v0 + w[RISE + k] * rise + w[OUT + k] * s0 + w[IN + k] * s1


@njit(cache=True, fastmath=FAST, error_model="numpy")
def _line(n, row, w, keys, runs, wide, out):  # type: ignore[no-untyped-def]
    """One straight track over a tile."""
    values, values_step = n[row + R_VALUES], n[row + R_VALUES + 1]
    for r in range(runs):
        v0 = load_double(values + keys[3 * r + 1] * values_step)
        rise = load_double(values + keys[3 * r + 2] * values_step) - v0
        for start in range(keys[3 * r], keys[3 * r + 3], 8):
            a = w[start : start + WIDE + 8]
            o = wide[start : start + 8]
            for k in range(8):
                o[k] = v0 + a[FRACTION + k] * rise
    for k in range(TILE):
        out[k] = wide[k]


@njit(cache=True, fastmath=FAST, error_model="numpy")
def _line_each(n, row, w, keys, count, out):  # type: ignore[no-untyped-def]
    """One straight track over a tile whose times lie between many keys."""
    values, values_step = n[row + R_VALUES], n[row + R_VALUES + 1]
    for k in range(count):
        v0 = load_double(values + keys[EACH + 2 * k] * values_step)
        rise = load_double(values + keys[EACH + 2 * k + 1] * values_step) - v0
        out[k] = v0 + w[FRACTION + k] * rise


@njit(cache=True, error_model="numpy")
def _slowly(n, f, track, row, times, first, count, s, start):  # type: ignore[no-untyped-def]
    """One track of any kind over a tile."""
    lane = n[row + R_LANE]
    parts = 1 if n[row + R_KIND] == KIND_SCALAR else 4
    if parts == 4:
        lane += QUATERNION * SUB_BLOCK
    for k in range(count):
        settle(n, f, track, times[first + k])
        value_at(n, f, track, times[first + k])
        for c in range(parts):
            s[start + c * TILE + k] = f[lane + c * SUB_BLOCK + ROW_VALUE]


@njit(cache=True, fastmath=FAST, error_model="numpy")
def _turn(b, gx, gy, gz, gw):  # type: ignore[no-untyped-def]
    """Euler rows → quaternion rows of one bone."""
    for k in range(TILE):
        sx, cx = half_sincos(b[EX + k])
        sy, cy = half_sincos(b[EY + k])
        sz, cz = half_sincos(b[EZ + k])
        b[QX + k] = sx * cy * cz + gx * (cx * sy * sz)
        b[QY + k] = cx * sy * cz + gy * (sx * cy * sz)
        b[QZ + k] = cx * cy * sz + gz * (sx * sy * cz)
        b[QW + k] = cx * cy * cz + gw * (sx * sy * sz)


@njit(cache=True, fastmath=FAST, error_model="numpy")
def _unit(b):  # type: ignore[no-untyped-def]
    """Quaternion rows of one bone → unit length."""
    for k in range(TILE):
        x, y, z, w = b[QX + k], b[QY + k], b[QZ + k], b[QW + k]
        length = math.sqrt(x * x + y * y + z * z + w * w)
        keep = length >= 1e-12
        inverse = 1.0 / length if keep else 0.0
        b[QX + k], b[QY + k], b[QZ + k] = x * inverse, y * inverse, z * inverse
        b[QW + k] = w * inverse if keep else 1.0


@njit(cache=True, error_model="numpy")
def _rest(n, f, s):  # type: ignore[no-untyped-def]
    """What stands still, into all rows."""
    bones = n[I_BONES]
    for bone in range(bones):
        lane = n[I_LANES] + (bone >> 4) * BONE_BLOCK + (bone & 15) + ROW_C0
        for p in range(PROPERTIES):
            start = bone * BONE_ROWS + p * TILE
            s[start : start + TILE] = f[lane + p * SUB_BLOCK]
    for e in range(n[I_EXTRA_COUNT]):
        start = bones * BONE_ROWS + e * TILE
        s[start : start + TILE] = f[n[I_EXTRAS] + (e >> 4) * SUB_BLOCK + (e & 15) + ROW_C0]


@njit(cache=True, error_model="numpy")
def _tile(n, f, times, first, count, s, w, keys):  # type: ignore[no-untyped-def]
    """Local transforms at up to `TILE` times into the rows `s`."""
    group, runs = -1, 0
    wide = w[WEIGHTS : WEIGHTS + WIDE]
    for track in range(n[I_TRACKS]):
        row = n[I_ROWS] + track * R_WIDTH
        if n[row + R_GROUP] != group:
            group = n[row + R_GROUP]
            runs = _share_weights(n, f, row, times, first, count, w, keys)
        start = n[row + R_PLACE] * TILE
        simple = n[row + R_SIMPLE]
        if runs == 0 or simple == 0:
            _slowly(n, f, track, row, times, first, count, s, start)
        elif simple == SIMPLE_LINES:
            if runs > MANY:
                _line_each(n, row, w, keys, count, s[start : start + TILE])
            else:
                _line(n, row, w, keys, runs, wide, s[start : start + TILE])
        elif runs > MANY:
            _cubic_each(n, row, w, keys, count, s[start : start + TILE])
        else:
            _cubic(n, row, w, keys, runs, wide, s[start : start + TILE])
    for bone in range(n[I_BONES]):
        signs = n[I_LANES] + (bone >> 4) * BONE_BLOCK + (bone & 15) + SIGNS
        b = s[bone * BONE_ROWS : (bone + 1) * BONE_ROWS]
        whole = f[signs + IS_QUATERNION]
        if whole == 0.0:
            _turn(b, f[signs + SIGN_X], f[signs + SIGN_Y], f[signs + SIGN_Z], f[signs + SIGN_W])
        elif whole != AS_IS:
            _unit(b)


@njit(cache=True, fastmath=FAST, error_model="numpy")
def _place_bone(b, p, m, root):  # type: ignore[no-untyped-def]
    """Upper three rows of a bone's model matrices from its local rows and its parent's."""
    for k in range(TILE):
        x, y, z, w = b[QX + k], b[QY + k], b[QZ + k], b[QW + k]
        s0, s1, s2 = b[SX + k], b[SY + k], b[SZ + k]
        a00, a01, a02 = (1 - 2 * (y * y + z * z)) * s0, 2 * (x * y - z * w) * s1, 2 * (x * z + y * w) * s2
        a10, a11, a12 = 2 * (x * y + z * w) * s0, (1 - 2 * (x * x + z * z)) * s1, 2 * (y * z - x * w) * s2
        a20, a21, a22 = 2 * (x * z - y * w) * s0, 2 * (y * z + x * w) * s1, (1 - 2 * (x * x + y * y)) * s2
        a03, a13, a23 = b[k], b[TILE + k], b[2 * TILE + k]
        if root:
            m[k], m[TILE + k], m[2 * TILE + k], m[3 * TILE + k] = a00, a01, a02, a03
            m[4 * TILE + k], m[5 * TILE + k], m[6 * TILE + k], m[7 * TILE + k] = a10, a11, a12, a13
            m[8 * TILE + k], m[9 * TILE + k], m[10 * TILE + k], m[11 * TILE + k] = a20, a21, a22, a23
        else:
            for r in range(3):
                o = 4 * r * TILE + k
                p0, p1, p2, p3 = p[o], p[o + TILE], p[o + 2 * TILE], p[o + 3 * TILE]
                m[o] = p0 * a00 + p1 * a10 + p2 * a20
                m[o + TILE] = p0 * a01 + p1 * a11 + p2 * a21
                m[o + 2 * TILE] = p0 * a02 + p1 * a12 + p2 * a22
                m[o + 3 * TILE] = p0 * a03 + p1 * a13 + p2 * a23 + p3


@njit(cache=True, error_model="numpy")
def _chain(n, s, m):  # type: ignore[no-untyped-def]
    """Model matrices of a tile: twelve rows a bone."""
    for bone in range(n[I_BONES]):
        parent = n[n[I_PARENTS] + bone]
        up = max(parent, 0) * MODEL_ROWS
        mine = m[bone * MODEL_ROWS : (bone + 1) * MODEL_ROWS]
        _place_bone(s[bone * BONE_ROWS : (bone + 1) * BONE_ROWS], m[up : up + MODEL_ROWS], mine, parent < 0)


@njit(cache=True, error_model="numpy")
def _forget(n, f):  # type: ignore[no-untyped-def]
    """Make every track look its segment up: single poses and batches know nothing of each other's."""
    f[F_LOW] = np.inf
    f[n[I_LOW] : n[I_LOW] + n[I_TRACKS]] = np.inf


@njit(cache=True, error_model="numpy")
def _begin(n, f):  # type: ignore[no-untyped-def]
    """Rows of a tile, weights, runs; no segment in the lanes counts any more."""
    s = np.empty(n[I_BONES] * BONE_ROWS + n[I_EXTRA_COUNT] * TILE)
    _rest(n, f, s)
    w = np.ones(WEIGHTS + WIDE)
    _forget(n, f)
    return s, w, np.empty(KEYS, np.int64)


@njit(cache=True, error_model="numpy")
def _emit(s, bones, first, count, translations, rotations, scales):  # type: ignore[no-untyped-def]
    """Rows → local transforms in flat arrays."""
    for bone in range(bones):
        b = s[bone * BONE_ROWS : (bone + 1) * BONE_ROWS]
        for k in range(count):
            o = (first + k) * bones + bone
            t, q, z = translations[3 * o : 3 * o + 3], rotations[4 * o : 4 * o + 4], scales[3 * o : 3 * o + 3]
            t[0], t[1], t[2] = b[k], b[TILE + k], b[2 * TILE + k]
            q[0], q[1], q[2], q[3] = b[QX + k], b[QY + k], b[QZ + k], b[QW + k]
            z[0], z[1], z[2] = b[SX + k], b[SY + k], b[SZ + k]


@njit(cache=True, error_model="numpy")
def _emit_models(m, bones, first, count, matrices):  # type: ignore[no-untyped-def]
    """Rows → matrices in a flat array."""
    for bone in range(bones):
        mine = m[bone * MODEL_ROWS : (bone + 1) * MODEL_ROWS]
        for k in range(count):
            o = 16 * ((first + k) * bones + bone)
            out = matrices[o : o + 16]
            for c in range(12):
                out[c] = mine[c * TILE + k]
            out[12] = out[13] = out[14] = 0.0
            out[15] = 1.0


@njit(
    "void(int64[::1], float64[::1], float64[::1], float64[::1], float64[::1], float64[::1], float64[:, ::1], "
    "float64[::1])",
    cache=True,
    error_model="numpy",
    nogil=True,
)
def poses(n, f, times, translations, rotations, scales, extras, matrices):  # type: ignore[no-untyped-def]
    """Poses at many times; one kernel for both kinds of them, which compiles once.

    Parameters
    ----------
    translations, rotations, scales : flat ``T·B·k`` to write, or empty
    extras : ``(E, T)`` to write, or empty
    matrices : flat ``T·B·16`` model matrices to write, or empty
    """
    bones = n[I_BONES]
    s, w, keys = _begin(n, f)
    m = np.empty(bones * MODEL_ROWS)
    for first in range(0, len(times), TILE):
        count = min(TILE, len(times) - first)
        _tile(n, f, times, first, count, s, w, keys)
        if len(rotations):
            _emit(s, bones, first, count, translations, rotations, scales)
        for e in range(len(extras)):
            start = bones * BONE_ROWS + e * TILE
            extras[e, first : first + count] = s[start : start + count]
        if len(matrices):
            _chain(n, s, m)
            _emit_models(m, bones, first, count, matrices)
    _forget(n, f)

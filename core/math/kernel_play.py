"""Playing compiled clips (compiled). Twin: `core.clips.compiled.tracks.evaluate`; the buffers: `kernel_play_layout`."""

import math

import numpy as np
from numba import njit

from core.math.kernel_memory import load_double, load_int, load_word, store_double
from core.math.kernel_play_layout import (
    ANY,
    CUBIC_BLOCK,
    F_HIGH,
    F_LOW,
    LANES,
    LINEAR_BLOCK,
    LINEAR_ROTATION,
    N_AXIS,
    N_CUBIC,
    N_CUBIC_AT,
    N_GOALS,
    N_LINEAR,
    N_LINEAR_AT,
    N_MANY,
    N_OUT,
    N_POSE_AT,
    N_RANGES_AT,
    N_SCALAR,
    N_SCALAR_AT,
    N_TICK,
    N_TICKS,
    N_TIMES,
    N_TRACKS,
    N_TRACKS_AT,
    N_WIDTH,
    R_EXTENT,
    R_HELD,
    R_LOW,
    R_SLOPE,
    R_SLOPE_STEP,
    R_SLOPES,
    R_WIDTH,
    SCALAR_BLOCK,
    SCALAR_LINEAR,
    T_BITS,
    T_COMPONENTS,
    T_CURSOR,
    T_DATA,
    T_DROPPED,
    T_FORM,
    T_HELD,
    T_HIGH,
    T_KEYS,
    T_LANE,
    T_LOW,
    T_SIZE,
    T_SLOPE_BITS,
    T_TICKS,
    T_WIDTH,
)
from core.math.kernel_sample import FAST

LINEAR_VALUES, CUBIC_VALUES, SCALAR_VALUES = (
    LINEAR_BLOCK - 4 * LANES,
    CUBIC_BLOCK - 4 * LANES,
    SCALAR_BLOCK - LANES,
)
NEAR = 4
"""Keys after the last one that are tried one by one."""


@njit(cache=True, error_model="numpy", forceinline=True)
def _bits(words, bit, count):  # type: ignore[no-untyped-def]
    """Whole number of `count` bits, 0 to 24, at a bit beyond an address, lowest bit first; reads eight bytes."""
    return (load_word(words + (bit >> 3)) >> (bit & 7)) & ((np.int64(1) << count) - 1)


@njit(cache=True, error_model="numpy")
def _tick(n, t):  # type: ignore[no-untyped-def]
    """The tick at or before `t`, never the last one; the one of the last time or the next are tried first."""
    axis, tick, last = n[N_AXIS], n[N_TICK], n[N_TICKS] - 2
    if load_double(axis + 8 * tick) <= t:
        if t < load_double(axis + 8 * (tick + 1)):
            return tick
        if tick < last and t < load_double(axis + 8 * (tick + 2)):
            return tick + 1
    low, high = 0, last
    while low < high:
        middle = (low + high + 1) >> 1
        if load_double(axis + 8 * middle) <= t:
            low = middle
        else:
            high = middle - 1
    return low


@njit(cache=True, error_model="numpy", forceinline=True)
def _rotation(n, f, o, r, key):  # type: ignore[no-untyped-def]
    """One key of a linear rotation track: the three components that are packed, the fourth, and which that is."""
    words, dropped = n[T_DATA + o], n[T_DROPPED + o]
    bit = key * n[T_SIZE + o]
    if dropped == ANY:
        dropped = _bits(words, bit, 2)
        bit += 2
    first, second, third = n[T_BITS + o], n[T_BITS + 1 + o], n[T_BITS + 2 + o]
    a = f[R_LOW + r] + f[R_EXTENT + r] * _bits(words, bit, first)
    b = f[R_LOW + 1 + r] + f[R_EXTENT + 1 + r] * _bits(words, bit + first, second)
    c = f[R_LOW + 2 + r] + f[R_EXTENT + 2 + r] * _bits(words, bit + first + second, third)
    d = math.sqrt(max(1.0 - (a * a + b * b + c * c), 0.0))
    x = d if dropped == 0 else a
    y = a if dropped == 0 else d if dropped == 1 else b
    z = c if dropped >= 3 else d if dropped == 2 else b
    w = d if dropped == 3 else c
    return x, y, z, w


@njit(cache=True, error_model="numpy")
def _key(n, f, o, r, key):  # type: ignore[no-untyped-def]
    """Unpack one key of any other track to `R_HELD`, its slopes to `R_SLOPES`."""
    words, components = n[T_DATA + o], n[T_COMPONENTS + o]
    bit = key * n[T_SIZE + o]
    for c in range(components):
        bits = n[T_BITS + c + o]
        f[R_HELD + c + r] = f[R_LOW + c + r] + f[R_EXTENT + c + r] * _bits(words, bit, bits)
        bit += bits
    if n[T_FORM + o] != SCALAR_LINEAR:
        for c in range(components):
            bits = n[T_SLOPE_BITS + c + o]
            f[R_SLOPES + c + r] = f[R_SLOPE + c + r] + f[R_SLOPE_STEP + c + r] * _bits(words, bit, bits)
            bit += bits


@njit(cache=True, error_model="numpy")
def _find(n, o, tick):  # type: ignore[no-untyped-def]
    """The key at or before a tick, never the last one; those after the last found are tried first."""
    ticks, last = n[T_TICKS + o], n[T_KEYS + o] - 2
    if last + 2 == n[N_TICKS]:
        return tick
    low, high = 0, last
    if n[T_HIGH + o] <= tick:
        low = n[T_CURSOR + o] + 1
        for key in range(low, min(low + NEAR, last + 1)):
            if tick < load_int(ticks + 4 * key + 4):
                return key
            low = key
    while low < high:
        middle = (low + high + 1) >> 1
        if load_int(ticks + 4 * middle) <= tick:
            low = middle
        else:
            high = middle - 1
    return low


@njit(cache=True, error_model="numpy")
def _chord(n, f, o, r, key, inverse):  # type: ignore[no-untyped-def]
    """Bring the chord from one key to the next into the lane of a linear rotation track."""
    held = R_HELD + r
    if n[T_HELD + o] == key:
        x, y, z, w = f[held], f[held + 1], f[held + 2], f[held + 3]
    else:
        x, y, z, w = _rotation(n, f, o, r, key)
    x1, y1, z1, w1 = _rotation(n, f, o, r, key + 1)
    f[held], f[held + 1], f[held + 2], f[held + 3] = x1, y1, z1, w1
    way = inverse if x * x1 + y * y1 + z * z1 + w * w1 >= 0.0 else -inverse
    b = f[n[T_LANE + o] : n[T_LANE + o] + LINEAR_BLOCK - LANES]
    b[LANES], b[2 * LANES], b[3 * LANES], b[4 * LANES] = x, y, z, w
    b[5 * LANES], b[6 * LANES] = x1 * way - x * inverse, y1 * way - y * inverse
    b[7 * LANES], b[8 * LANES] = z1 * way - z * inverse, w1 * way - w * inverse


@njit(cache=True, error_model="numpy")
def _curve(n, f, o, r, key, inverse, begin):  # type: ignore[no-untyped-def]
    """Bring the polynomials from one key to the next into the lanes of any other track."""
    if n[T_HELD + o] != key:
        _key(n, f, o, r, key)
    h0, h1, h2 = f[R_HELD + r], f[R_HELD + 1 + r], f[R_HELD + 2 + r]
    s0, s1, s2 = f[R_SLOPES + r], f[R_SLOPES + 1 + r], f[R_SLOPES + 2 + r]
    _key(n, f, o, r, key + 1)
    form = n[T_FORM + o]
    for k in range(n[T_COMPONENTS + o]):
        start = h0 if k == 0 else h1 if k == 1 else h2
        steep = s0 if k == 0 else s1 if k == 1 else s2
        rate = (f[R_HELD + k + r] - start) * inverse
        more = most = 0.0
        if form != SCALAR_LINEAR:
            end = f[R_SLOPES + k + r]
            more = (3.0 * rate - 2.0 * steep - end) * inverse
            most = (steep + end - 2.0 * rate) * inverse * inverse
            rate = steep
        c = n[T_LANE + o] + 4 * k * LANES
        if form >= SCALAR_LINEAR:  # each component has a lane of its own
            c = n[T_LANE + k + o]
            f[c] = begin
        c += LANES
        f[c], f[c + LANES], f[c + 2 * LANES], f[c + 3 * LANES] = start, rate, more, most


@njit(cache=True, error_model="numpy")
def _segment(n, f, o, r, tick):  # type: ignore[no-untyped-def]
    """Bring the segment around a tick into the lanes of one track, as powers of the time since it began."""
    key, ticks, axis = _find(n, o, tick), n[T_TICKS + o], n[N_AXIS]
    low, high = load_int(ticks + 4 * key), load_int(ticks + 4 * key + 4)
    begin = load_double(axis + 8 * low)
    inverse = 1.0 / (load_double(axis + 8 * high) - begin)
    f[n[T_LANE + o]] = begin
    if n[T_FORM + o] == LINEAR_ROTATION:
        _chord(n, f, o, r, key, inverse)
    else:
        _curve(n, f, o, r, key, inverse, begin)
    n[T_CURSOR + o], n[T_HELD + o], n[T_LOW + o], n[T_HIGH + o] = key, key + 1, low, high


@njit(cache=True, error_model="numpy")
def _seek(n, f, t):  # type: ignore[no-untyped-def]
    """Bring the segments around `t` into the lanes, and the times between which all of them hold to the header."""
    tick = _tick(n, t)
    n[N_TICK] = tick
    low, high, last = 0, n[N_TICKS] - 1, n[N_TICKS] - 1
    for track in range(n[N_TRACKS]):
        o = n[N_TRACKS_AT] + track * T_WIDTH
        if not (n[T_LOW + o] <= tick < n[T_HIGH + o]):
            _segment(n, f, o, n[N_RANGES_AT] + track * R_WIDTH, tick)
        low, high = max(low, n[T_LOW + o]), min(high, n[T_HIGH + o])
    axis = n[N_AXIS]
    f[F_LOW] = load_double(axis + 8 * low)
    f[F_HIGH] = load_double(axis + 8 * high) if high < last else np.inf


@njit(cache=True, fastmath=FAST, error_model="numpy")
def _linear(b, t):  # type: ignore[no-untyped-def]
    """One block of rotations on chords, made unit."""
    for i in range(LANES):
        x = t - b[i]
        q0, q1 = b[LANES + i] + x * b[5 * LANES + i], b[2 * LANES + i] + x * b[6 * LANES + i]
        q2, q3 = b[3 * LANES + i] + x * b[7 * LANES + i], b[4 * LANES + i] + x * b[8 * LANES + i]
        scale = 1.0 / math.sqrt(q0 * q0 + q1 * q1 + q2 * q2 + q3 * q3)
        b[9 * LANES + i], b[10 * LANES + i] = q0 * scale, q1 * scale
        b[11 * LANES + i], b[12 * LANES + i] = q2 * scale, q3 * scale


@njit(cache=True, fastmath=FAST, error_model="numpy")
def _cubic(b, t):  # type: ignore[no-untyped-def]
    """One block of rotations of which three components are cubics; the fourth, positive, comes last."""
    for i in range(LANES):
        x = t - b[i]
        p = b[LANES + i] + x * (b[2 * LANES + i] + x * (b[3 * LANES + i] + x * b[4 * LANES + i]))
        q = b[5 * LANES + i] + x * (b[6 * LANES + i] + x * (b[7 * LANES + i] + x * b[8 * LANES + i]))
        r = b[9 * LANES + i] + x * (b[10 * LANES + i] + x * (b[11 * LANES + i] + x * b[12 * LANES + i]))
        total = p * p + q * q + r * r
        left = math.sqrt(max(1.0 - total, 0.0))
        scale = 1.0 / math.sqrt(max(total, 1.0))
        b[13 * LANES + i], b[14 * LANES + i] = p * scale, q * scale
        b[15 * LANES + i], b[16 * LANES + i] = r * scale, left


@njit(cache=True, fastmath=FAST, error_model="numpy")
def _scalar(b, t):  # type: ignore[no-untyped-def]
    """One block of numbers."""
    for i in range(LANES):
        x = t - b[i]
        value = b[LANES + i] + x * (b[2 * LANES + i] + x * (b[3 * LANES + i] + x * b[4 * LANES + i]))
        b[5 * LANES + i] = value


@njit(cache=True, error_model="numpy")
def _play(n, f, t):  # type: ignore[no-untyped-def]
    """Bring the pose and the extras in `f` to a time, kept within the first and last tick."""
    axis = n[N_AXIS]
    t = min(max(t, load_double(axis)), load_double(axis + 8 * (n[N_TICKS] - 1)))
    if not (f[F_LOW] <= t < f[F_HIGH]):
        _seek(n, f, t)
    goal = n[N_GOALS]
    for k in range(n[N_LINEAR]):
        b = f[n[N_LINEAR_AT] + k * LINEAR_BLOCK : n[N_LINEAR_AT] + (k + 1) * LINEAR_BLOCK]
        _linear(b, t)
        for i in range(4 * LANES):
            f[n[goal + i]] = b[LINEAR_VALUES + i]
        goal += 4 * LANES
    for k in range(n[N_CUBIC]):
        b = f[n[N_CUBIC_AT] + k * CUBIC_BLOCK : n[N_CUBIC_AT] + (k + 1) * CUBIC_BLOCK]
        _cubic(b, t)
        for i in range(4 * LANES):
            f[n[goal + i]] = b[CUBIC_VALUES + i]
        goal += 4 * LANES
    for k in range(n[N_SCALAR]):
        b = f[n[N_SCALAR_AT] + k * SCALAR_BLOCK : n[N_SCALAR_AT] + (k + 1) * SCALAR_BLOCK]
        _scalar(b, t)
        for i in range(LANES):
            f[n[goal + i]] = b[SCALAR_VALUES + i]
        goal += LANES


@njit("void(int64[::1], float64[::1], float64)", cache=True, error_model="numpy")
def play(n, f, t):  # type: ignore[no-untyped-def]
    """Unpack the pose at `t` seconds to `N_POSE_AT`, extras behind it; what never moves stands there already.

    Where the header asks for `N_MANY` poses, `t` does not count: one kernel for both compiles once.
    """
    count, times, out = n[N_MANY], n[N_TIMES], n[N_OUT]
    begin, width = n[N_POSE_AT], n[N_WIDTH]
    for k in range(max(count, 1)):
        _play(n, f, t if count == 0 else load_double(times + 8 * k))
        if count > 0:
            for i in range(width):
                store_double(out + 8 * i, f[begin + i])
            out += 8 * width

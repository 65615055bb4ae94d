"""Playing and making compiled clips (compiled). Twins: `core.clips.compiled.tracks`, `core.clips.compiled.fit`."""

import math

import numpy as np
from numba import njit, types

from core.math.kernel_mesh import _read

T_KIND, T_INDEX, T_MODE, T_DROPPED, T_KEYS, T_TICKS, T_DATA, T_COMPONENTS, T_SIZE, T_BITS = range(10)
T_SLOPE_BITS = T_BITS + 3
TABLE_WIDTH = T_BITS + 6
P_LOW, P_STEP, P_SLOPE, P_SLOPE_STEP = 0, 3, 6, 9
PARAMETERS = 12
S_LOW, S_HIGH, S_A, S_B, S_M, S_N = 0, 1, 2, 6, 10, 13
STATE_WIDTH = 16
CUBIC = 2
ANY = 4
ROTATION = 1

_WORDS = _read(types.uint32, 1)
_TABLE = _read(types.int64, 2)
_PARAMETERS = _read(types.float64, 2)
_KEY_TICKS = _read(types.int32, 1)
_TIMES = _read(types.float64, 1)


@njit(cache=True, error_model="numpy", forceinline=True)
def _bits(words, bit, count):  # type: ignore[no-untyped-def]
    """Whole number of `count` bits, 0 to 32, that begins at a bit of the uint32 words, lowest bit first.

    Always reads the word after it, too: the array has to go on by one.
    """
    word = bit >> 5
    both = np.uint64(words[word]) | (np.uint64(words[word + 1]) << np.uint64(32))
    return (both >> np.uint64(bit & 31)) & ((np.uint64(1) << np.uint64(count)) - np.uint64(1))


@njit(cache=True, error_model="numpy")
def _key(words, table, parameters, row, key, state, out, slopes):  # type: ignore[no-untyped-def]
    """Unpack one key into the state: its value at `out`, its slopes at `slopes` where it has any."""
    components, dropped = table[row, T_COMPONENTS], table[row, T_DROPPED]
    bit = table[row, T_DATA] + key * table[row, T_SIZE]
    if dropped == ANY:
        dropped = np.int64(_bits(words, bit, 2))
        bit += 2
    rotation = table[row, T_KIND] == ROTATION
    total = 0.0
    for c in range(components):
        bits = table[row, T_BITS + c]
        value = parameters[row, P_LOW + c] + parameters[row, P_STEP + c] * np.float64(_bits(words, bit, bits))
        bit += bits
        total += value * value
        state[row, out + (c + 1 if rotation and c >= dropped else c)] = value
    if rotation:
        state[row, out + dropped] = math.sqrt(max(1.0 - total, 0.0))
    if table[row, T_MODE] == CUBIC:
        for c in range(components):
            more = table[row, T_SLOPE_BITS + c]
            code = np.float64(_bits(words, bit, more))
            state[row, slopes + c] = parameters[row, P_SLOPE + c] + parameters[row, P_SLOPE_STEP + c] * code
            bit += more


@njit(cache=True, error_model="numpy")
def _seek(words, table, parameters, key_ticks, axis, row, t, state):  # type: ignore[no-untyped-def]
    """Bring the keys around `t` into a track's state, by binary search."""
    first = table[row, T_TICKS]
    low, high = 0, table[row, T_KEYS] - 1
    while low < high:
        middle = (low + high + 1) >> 1
        if axis[key_ticks[first + middle]] <= t:
            low = middle
        else:
            high = middle - 1
    low = min(low, table[row, T_KEYS] - 2)
    state[row, S_LOW] = axis[key_ticks[first + low]]
    state[row, S_HIGH] = axis[key_ticks[first + low + 1]]
    _key(words, table, parameters, row, low, state, S_A, S_M)
    _key(words, table, parameters, row, low + 1, state, S_B, S_N)
    if table[row, T_KIND] == ROTATION and table[row, T_MODE] != CUBIC:
        dot = 0.0
        for c in range(4):
            dot += state[row, S_A + c] * state[row, S_B + c]
        if dot < 0.0:
            for c in range(4):
                state[row, S_B + c] = -state[row, S_B + c]


@njit(cache=True, error_model="numpy")
def _pose(words, table, parameters, key_ticks, axis, t, state, out, extras):  # type: ignore[no-untyped-def]
    """Unpack one pose: cubic Hermite between keys with slopes, else a line; rotations come out of unit length.

    Parameters
    ----------
    words, key_ticks : the packed keys, and their ticks
    table, parameters : a row a track: `T_KIND` …, `P_LOW` …
    axis : seconds of each tick
    t : seconds, kept within the first and last tick
    state : ``(rows, STATE_WIDTH)`` the two keys around the last time of each track, changed in place
    out : ``(B, 10)`` to write: local translation, rotation, scale of the bones; what never moves is left as it is
    extras : ``(E,)`` to write: values of the curves and morphs; what never moves is left as it is
    """
    t = min(max(t, axis[0]), axis[-1])
    for row in range(len(table)):
        low, high = state[row, S_LOW], state[row, S_HIGH]
        if not (low <= t < high):
            _seek(words, table, parameters, key_ticks, axis, row, t, state)
            low, high = state[row, S_LOW], state[row, S_HIGH]
        h = high - low
        u = min(max((t - low) / h, 0.0), 1.0)
        kind, index, components = table[row, T_KIND], table[row, T_INDEX], table[row, T_COMPONENTS]
        if table[row, T_MODE] == CUBIC:
            w1 = u * u * (3.0 - 2.0 * u)
            w0 = 1.0 - w1
            m0 = u * (1.0 - u) * (1.0 - u) * h
            m1 = -u * u * (1.0 - u) * h
            dropped = table[row, T_DROPPED]
            total = 0.0
            for c in range(components):
                k = c + 1 if kind == ROTATION and c >= dropped else c
                v = w0 * state[row, S_A + k] + w1 * state[row, S_B + k]
                v += m0 * state[row, S_M + c] + m1 * state[row, S_N + c]
                total += v * v
                if kind == ROTATION:
                    out[index, 3 + k] = v
                elif kind == 3:
                    extras[index] = v
                else:
                    out[index, (0 if kind == 0 else 7) + c] = v
            if kind == ROTATION:
                last = math.sqrt(max(1.0 - total, 0.0))
                out[index, 3 + dropped] = last
                total += last * last
                if total > 1.0 + 1e-12:
                    scale = 1.0 / math.sqrt(total)
                    for c in range(4):
                        out[index, 3 + c] *= scale
        elif kind == ROTATION:
            total = 0.0
            for c in range(4):
                v = state[row, S_A + c] + u * (state[row, S_B + c] - state[row, S_A + c])
                total += v * v
                out[index, 3 + c] = v
            scale = 1.0 / math.sqrt(total)
            for c in range(4):
                out[index, 3 + c] *= scale
        else:
            for c in range(components):
                v = state[row, S_A + c] + u * (state[row, S_B + c] - state[row, S_A + c])
                if kind == 3:
                    extras[index] = v
                else:
                    out[index, (0 if kind == 0 else 7) + c] = v


@njit(
    types.void(
        _WORDS, _TABLE, _PARAMETERS, _KEY_TICKS, _TIMES, _TIMES,
        types.float64[:, ::1], types.float64[:, :, ::1], types.float64[:, ::1],
    ),
    cache=True,
    error_model="numpy",
)  # fmt: skip
def poses(words, table, parameters, key_ticks, axis, times, state, out, extras):  # type: ignore[no-untyped-def]
    """Poses ``(T, B, 10)`` (translation, rotation, scale) and `extras` ``(T, E)``, which hold what never moves."""
    for n in range(len(times)):
        _pose(words, table, parameters, key_ticks, axis, times[n], state, out[n], extras[n])


@njit(cache=True, error_model="numpy")
def _fits(values, rough, times, stride, bound, unit, i, j):  # type: ignore[no-untyped-def]
    """Whether the line from tick `i` to `j` of the quantised values passes every sample between."""
    width = values.shape[1]
    start, end = times[i * stride], times[j * stride]
    for s in range(i * stride + 1, j * stride):
        u = (times[s] - start) / (end - start)
        total = 0.0
        for c in range(width):
            v = rough[i, c] + u * (rough[j, c] - rough[i, c])
            total += v * v
        scale = 1.0 / math.sqrt(total) if unit else 1.0
        off = 0.0
        for c in range(width):
            d = (rough[i, c] + u * (rough[j, c] - rough[i, c])) * scale - values[s, c]
            off += d * d
        if not off <= bound[s] * bound[s]:
            return False
    return True


@njit(
    types.int64(
        _read(types.float64, 2), _read(types.float64, 2), _TIMES, types.int64, _TIMES, types.boolean,
        types.int32[::1],
    ),
    cache=True,
    error_model="numpy",
    nogil=True,
)  # fmt: skip
def line_keys(values, rough, times, stride, bound, unit, keys):  # type: ignore[no-untyped-def]
    """Fewest ticks, taken greedily, whose lines stay within a bound of all samples; gives their count."""
    last = len(rough) - 1
    count, i = 1, 0
    keys[0] = 0
    while i < last:
        good, step = i + 1, 1
        while good < last and _fits(values, rough, times, stride, bound, unit, i, min(good + step, last)):
            good = min(good + step, last)
            step *= 2
        bad = min(good + step, last + 1)
        while bad - good > 1:
            middle = (good + bad) >> 1
            if _fits(values, rough, times, stride, bound, unit, i, middle):
                good = middle
            else:
                bad = middle
        i = good
        keys[count] = i
        count += 1
    return count

"""Finding a track's segment and putting its coefficients into the lanes (compiled).

The twin is `core.tracks.evaluate`: the same rules for extrapolation and the seam of a loop.
"""

import math

from numba import njit

from core.math.kernel_layout import (
    AUX_A,
    AUX_B,
    AUX_C,
    AUX_FORM,
    AUX_WIDTH,
    F_HIGH,
    F_LOOP,
    F_LOW,
    F_SPECIAL,
    FORM_CUBIC,
    FORM_SLERP,
    FORM_WEIGHTED,
    I_AUX,
    I_HIGH,
    I_LOW,
    I_ROWS,
    I_TRACKS,
    KIND_SCALAR,
    QUATERNION,
    R_AFTER,
    R_BEFORE,
    R_COUNT,
    R_CURSOR,
    R_GROUP,
    R_IN,
    R_IN_COLUMN,
    R_IN_WEIGHT,
    R_KIND,
    R_KINDS,
    R_LANE,
    R_OUT,
    R_OUT_COLUMN,
    R_OUT_WEIGHT,
    R_RUN,
    R_SIMPLE,
    R_TIMES,
    R_VALUES,
    R_VALUES_COLUMN,
    R_WIDTH,
    ROW_C0,
    ROW_C1,
    ROW_C2,
    ROW_C3,
    SIMPLE_CUBICS,
    SIMPLE_LINES,
    SUB_BLOCK,
)
from core.math.kernel_memory import load_byte, load_double, load_long, prefetch, store_double

HOLD, LINEAR_ON, CYCLE, CYCLE_OFFSET, MIRROR = 0, 1, 2, 3, 4
LINEAR, CUBIC = 1, 2
PLAIN_WEIGHT = 1.0 / 3.0
AHEAD = 16
"""Tracks ahead of which keys are fetched: about as long as memory takes to answer."""
NEAR, CACHE_LINE = 4, 8
"""Keys by which playing moves on at most from one pose to the next; keys that one fetch from memory brings."""
ROW_BYTES = 8 * R_WIDTH
INFINITY = math.inf


@njit(cache=True, inline="always")
def _at(n, row, field, key):  # type: ignore[no-untyped-def]
    """The float64 of a key in one of a track's arrays; `field` is where its address is (`R_VALUES` …)."""
    return load_double(n[row + field] + key * n[row + field + 1])


@njit(cache=True, inline="always")
def key_time(n, row, key):  # type: ignore[no-untyped-def]
    """Seconds of a key."""
    return _at(n, row, R_TIMES, key)


@njit(cache=True, error_model="numpy")
def find(n, row, t):  # type: ignore[no-untyped-def]
    """Last key at or before `t` (0 where none is), trying the cursor and its neighbour first."""
    count = n[row + R_COUNT]
    cursor = n[row + R_CURSOR]
    if _at(n, row, R_TIMES, cursor) <= t:
        if cursor + 1 >= count or t < _at(n, row, R_TIMES, cursor + 1):
            return cursor
        if cursor + 2 >= count or t < _at(n, row, R_TIMES, cursor + 2):
            n[row + R_CURSOR] = cursor + 1
            return cursor + 1
    low, high = 0, count  # the answer + 1 is the first key after t
    while low < high:
        middle = (low + high) >> 1
        if _at(n, row, R_TIMES, middle) <= t:
            low = middle + 1
        else:
            high = middle
    low = max(low - 1, 0)
    n[row + R_CURSOR] = low
    return low


@njit(cache=True, error_model="numpy")
def _end_slope(n, row, last):  # type: ignore[no-untyped-def]
    """Slope, in units a second, of a curve that goes on linearly after its last key, or before its first.

    Twin: `core.tracks.evaluate.end_slope`.
    """
    count = n[row + R_COUNT]
    if count == 1:
        return _at(n, row, R_OUT, 0) if last else _at(n, row, R_IN, 0)
    i = count - 2 if last else 0
    kind = load_byte(n[row + R_KINDS] + i * n[row + R_KINDS + 1])
    if kind == CUBIC:
        return _at(n, row, R_IN, count - 1) if last else _at(n, row, R_OUT, 0)
    if kind == LINEAR:
        rise = _at(n, row, R_VALUES, i + 1) - _at(n, row, R_VALUES, i)
        return rise / (_at(n, row, R_TIMES, i + 1) - _at(n, row, R_TIMES, i))
    return 0.0


@njit(cache=True, error_model="numpy")
def place(n, f, row, t):  # type: ignore[no-untyped-def]
    """Where `t` falls: start key, end key, start time, length, valid from, valid to, turns, mirrored, beyond.

    The start key's time is given on the caller's clock (folding added back); an empty validity
    (from = to) means: look again next time.
    """
    count = n[row + R_COUNT]
    first, last = _at(n, row, R_TIMES, 0), _at(n, row, R_TIMES, count - 1)
    length = f[F_LOOP]
    if length > 0.0:
        tau, cached, shift = t, True, 0.0
        if last - first < length:
            if t < first or (t > last and t > first + length):
                folded = math.floor((t - first) / length) * length
                tau, shift = (
                    first + (t - first - folded),
                    -folded,
                )  # the same bits, whenever this is looked up
        else:
            if t < first:
                tau = t + math.ceil((first - t) / length) * length
                cached = False
            if tau > last:
                tau = tau - math.ceil((tau - last) / length) * length
                cached = False
        i = find(n, row, tau)
        start = _at(n, row, R_TIMES, i)
        if i == count - 1:
            j, h = 0, first + length - last
        else:
            j = i + 1
            h = _at(n, row, R_TIMES, j) - start
        if not cached:
            shift = tau - t
        if h <= 0.0:
            return i, i, t, 1.0, t, t, 0.0, False, 0.0
        low, high = start - shift, start + h - shift
        if t < first:
            high = min(high, first)  # rounding may put the seam's end behind the first key, which begins anew
        if not cached or not (low <= t < high):
            low = high = t
        return i, j, start - shift, h, low, high, 0.0, False, 0.0
    if first <= t < last:
        i = find(n, row, t)
        start, stop = _at(n, row, R_TIMES, i), _at(n, row, R_TIMES, i + 1)
        return i, i + 1, start, stop - start, start, stop, 0.0, False, 0.0
    early = t < first
    how = n[row + R_BEFORE] if early else n[row + R_AFTER]
    edge = 0 if early else count - 1
    span = last - first
    if how == HOLD or (span <= 0.0 and how != LINEAR_ON):
        low, high = (-INFINITY, first) if early else (last, INFINITY)
        return edge, edge, first if early else last, 1.0, low, high, 0.0, False, 0.0
    if how == LINEAR_ON:
        low, high = (-INFINITY, first) if early else (last, INFINITY)
        return edge, edge, first if early else last, 1.0, low, high, 0.0, False, -1.0 if early else 1.0
    if t == last:
        return edge, edge, last, 1.0, t, t, 0.0, False, 0.0
    turn = math.floor((t - first) / span)
    tau = min(max(t - turn * span, first), last)
    mirrored = how == MIRROR and turn - 2.0 * math.floor(turn * 0.5) == 1.0
    if mirrored:
        tau = first + last - tau
    turns = turn if how == CYCLE_OFFSET else 0.0
    i = find(n, row, tau)
    if i == count - 1:
        return i, i, t, 1.0, t, t, turns, False, 0.0
    start, stop = _at(n, row, R_TIMES, i), _at(n, row, R_TIMES, i + 1)
    if mirrored:
        begin = first + last + turn * span - start  # where the segment's start key stands, time running back
        low, high = begin - (stop - start), begin
    else:
        begin = start + turn * span
        low, high = begin, begin + (stop - start)
    if early:
        high = min(high, first)
    elif low <= last:
        low = t
    if not (low <= t < high):
        low = high = t
    return i, i + 1, begin, stop - start, low, high, turns, mirrored, 0.0


@njit(cache=True, error_model="numpy")
def _forward(w0, w1):  # type: ignore[no-untyped-def]
    """Weights with which time runs forwards; twin of `core.math.bezier.forward`."""
    if max(w0, w1) > 1.0 and w0 + w1 - math.sqrt(w0 * w1) > 1.0 + 1e-9:
        return min(w0, 1.0), min(w1, 1.0)
    return w0, w1


@njit(cache=True, error_model="numpy")
def _refresh_scalar(n, f, row, aux, i, j, begin, h, turns, mirrored, beyond):  # type: ignore[no-untyped-def]
    """Write a segment of a scalar track into its lane and its row of `AUX_FORM` … in `f`.

    The value is ``c0 + x·(c1 + x·(c2 + x·c3))``: x is the seconds from `begin` or, where handle weights are
    not a third (`FORM_WEIGHTED`), the parameter of the Bézier curve, which sampling has to solve for.

    Parameters
    ----------
    n, f : buffers of the clip (`core.math.kernel_layout`)
    row, aux : places of the track in n and in f
    i, j, begin, h, turns, mirrored, beyond : start and end key and the rest, as `place` gives them
    """
    lane = n[row + R_LANE]
    v0 = _at(n, row, R_VALUES, i)
    c1 = c2 = c3 = 0.0
    f[aux + AUX_FORM] = FORM_CUBIC
    kind = load_byte(n[row + R_KINDS] + i * n[row + R_KINDS + 1])
    if beyond != 0.0:
        c1 = _end_slope(n, row, beyond > 0.0)
    elif kind != 0 and not (i == j and n[row + R_COUNT] > 1) and (i != j or f[F_LOOP] > 0.0):
        v1 = _at(n, row, R_VALUES, j)
        if kind == LINEAR:
            c1 = (v1 - v0) / h
        else:
            s0, s1 = _at(n, row, R_OUT, i), _at(n, row, R_IN, j)
            w0, w1 = _forward(_at(n, row, R_OUT_WEIGHT, i), _at(n, row, R_IN_WEIGHT, j))
            if w0 != PLAIN_WEIGHT or w1 != PLAIN_WEIGHT:
                f[aux + AUX_FORM] = FORM_WEIGHTED
                f[aux + AUX_A], f[aux + AUX_B] = w0, w1
                f[aux + AUX_C] = -1.0 / h if mirrored else 1.0 / h
                near, far = h * w0 * s0, (v1 - v0) - h * w1 * s1  # handles above the start key
                c1, c2, c3 = 3.0 * near, 3.0 * far - 6.0 * near, (v1 - v0) - 3.0 * far + 3.0 * near
            else:
                inverse = 1.0 / h
                rise = (v1 - v0) * inverse
                c1 = s0
                c2 = (3.0 * rise - 2.0 * s0 - s1) * inverse
                c3 = (s0 + s1 - 2.0 * rise) * (inverse * inverse)
        if mirrored and f[aux + AUX_FORM] == FORM_CUBIC:
            c1, c3 = -c1, -c3
    if turns != 0.0:
        v0 += turns * (_at(n, row, R_VALUES, n[row + R_COUNT] - 1) - _at(n, row, R_VALUES, 0))
    f[lane], f[lane + ROW_C0] = begin, v0
    f[lane + ROW_C1], f[lane + ROW_C2], f[lane + ROW_C3] = c1, c2, c3


@njit(cache=True, error_model="numpy")
def _refresh_quaternion(n, f, row, aux, i, j, begin, h, mirrored):  # type: ignore[no-untyped-def]
    """Write a segment of a quaternion track into its four lanes and its row of `AUX_FORM` … in `f`.

    A linear segment is a slerp by the shorter arc (`FORM_SLERP`: c0 and c1 are the factors of its two
    sines), or a straight line where its keys are close. A cubic one is a Hermite curve in each component,
    with the shorter arc at the seam of a loop only. Sampling scales the values to unit length.
    Parameters as of `_refresh_scalar`.
    """
    lane = n[row + R_LANE] + QUATERNION * SUB_BLOCK
    q0, q1 = n[row + R_VALUES] + i * n[row + R_VALUES + 1], n[row + R_VALUES] + j * n[row + R_VALUES + 1]
    step = n[row + R_VALUES_COLUMN]
    kind = load_byte(n[row + R_KINDS] + i * n[row + R_KINDS + 1])
    f[aux + AUX_FORM] = FORM_CUBIC
    dot = 0.0
    for c in range(4):
        dot += load_double(q0 + c * step) * load_double(q1 + c * step)
    still = kind == 0 or (i == j and (n[row + R_COUNT] > 1 or f[F_LOOP] <= 0.0))
    flip = 1.0
    if dot < 0.0 and (kind == LINEAR or j <= i):
        flip = -1.0
    scale0 = scale1 = 1.0
    if not still and kind == LINEAR:
        angle = math.acos(min(abs(dot), 1.0))
        sine = math.sin(angle)
        if sine >= 1e-4:
            f[aux + AUX_FORM] = FORM_SLERP
            f[aux + AUX_A] = -angle / h if mirrored else angle / h
            f[aux + AUX_B] = angle
            scale0 = 1.0 / sine
            scale1 = flip / sine
    for c in range(4):
        o = lane + c * SUB_BLOCK
        a, b = load_double(q0 + c * step), flip * load_double(q1 + c * step)
        c1 = c2 = c3 = 0.0
        if not still:
            if f[aux + AUX_FORM] == FORM_SLERP:
                a, c1 = a * scale0, load_double(q1 + c * step) * scale1
            elif kind == LINEAR:
                c1 = (b - a) / h
            else:
                s0 = load_double(n[row + R_OUT] + i * n[row + R_OUT + 1] + c * n[row + R_OUT_COLUMN])
                s1 = flip * load_double(n[row + R_IN] + j * n[row + R_IN + 1] + c * n[row + R_IN_COLUMN])
                rise = (b - a) / h
                c1 = s0
                c2 = (3.0 * rise - 2.0 * s0 - s1) / h
                c3 = (s0 + s1 - 2.0 * rise) / (h * h)
            if mirrored and f[aux + AUX_FORM] == FORM_CUBIC:
                c1, c3 = -c1, -c3
        f[o], f[o + ROW_C0], f[o + ROW_C1], f[o + ROW_C2], f[o + ROW_C3] = begin, a, c1, c2, c3


@njit(cache=True, error_model="numpy")
def settle(n, f, track, t):  # type: ignore[no-untyped-def]
    """Put the segment at `t` of one track into its lane."""
    lows, highs = n[I_LOW] + track, n[I_HIGH] + track
    if not (f[lows] <= t < f[highs]):
        row, aux = n[I_ROWS] + track * R_WIDTH, n[I_AUX] + track * AUX_WIDTH
        i, j, begin, h, low, high, turns, mirrored, beyond = place(n, f, row, t)
        if n[row + R_KIND] == KIND_SCALAR:
            _refresh_scalar(n, f, row, aux, i, j, begin, h, turns, mirrored, beyond)
        else:
            _refresh_quaternion(n, f, row, aux, i, j, begin, h, mirrored)
        f[lows], f[highs] = low, high


@njit(cache=True, error_model="numpy")
def _cubic_run(table, floats, run, i, j, begin, h, ahead):  # type: ignore[no-untyped-def]
    """Put a segment of each of some plain cubic tracks beside each other into their lanes.

    Works on addresses: checking an index costs more than all the rest of this.

    Parameters
    ----------
    table, floats : addresses of the first track's row and of f
    run : number of tracks
    i, j, begin, h : start and end key, start time and length, as `place` gives them
    ahead : key that is fetched of later tracks (any: fetching what is not there does nothing)
    """
    inverse = 1.0 / h
    square = inverse * inverse
    for k in range(run):
        row = table + k * ROW_BYTES
        if k + AHEAD < run:
            later = row + AHEAD * ROW_BYTES
            prefetch(load_long(later + 8 * R_VALUES) + ahead * load_long(later + 8 * R_VALUES + 8))
            prefetch(load_long(later + 8 * R_OUT) + ahead * load_long(later + 8 * R_OUT + 8))
            prefetch(load_long(later + 8 * R_IN) + ahead * load_long(later + 8 * R_IN + 8))
        values, step = load_long(row + 8 * R_VALUES), load_long(row + 8 * R_VALUES + 8)
        v0, v1 = load_double(values + i * step), load_double(values + j * step)
        s0 = load_double(load_long(row + 8 * R_OUT) + i * load_long(row + 8 * R_OUT + 8))
        s1 = load_double(load_long(row + 8 * R_IN) + j * load_long(row + 8 * R_IN + 8))
        rise = (v1 - v0) * inverse
        lane = floats + 8 * load_long(row + 8 * R_LANE)
        store_double(lane, begin)
        store_double(lane + 8 * ROW_C0, v0)
        store_double(lane + 8 * ROW_C1, s0)
        store_double(lane + 8 * ROW_C2, (3.0 * rise - 2.0 * s0 - s1) * inverse)
        store_double(lane + 8 * ROW_C3, (s0 + s1 - 2.0 * rise) * square)


@njit(cache=True, error_model="numpy")
def _line_run(table, floats, run, i, j, begin, h, ahead):  # type: ignore[no-untyped-def]
    """As `_cubic_run`, for straight tracks."""
    for k in range(run):
        row = table + k * ROW_BYTES
        if k + AHEAD < run:
            later = row + AHEAD * ROW_BYTES
            prefetch(load_long(later + 8 * R_VALUES) + ahead * load_long(later + 8 * R_VALUES + 8))
        values, step = load_long(row + 8 * R_VALUES), load_long(row + 8 * R_VALUES + 8)
        v0 = load_double(values + i * step)
        lane = floats + 8 * load_long(row + 8 * R_LANE)
        store_double(lane, begin)
        store_double(lane + 8 * ROW_C0, v0)
        store_double(lane + 8 * ROW_C1, (load_double(values + j * step) - v0) / h)
        store_double(lane + 8 * ROW_C2, 0.0)
        store_double(lane + 8 * ROW_C3, 0.0)


@njit(cache=True, error_model="numpy")
def seek(n, f, t):  # type: ignore[no-untyped-def]
    """Put the segments at `t` of all tracks into their lanes; tell from when to when they all hold.

    Tracks that stand beside each other and share their key times are looked up once, and refreshed as one
    where they are simple (`R_RUN`).
    """
    valid_from, valid_to, special = -INFINITY, INFINITY, 0.0
    lows, highs = n[I_LOW], n[I_HIGH]
    integers, floats = n.ctypes.data, f.ctypes.data
    group = -1
    i = j = ahead = 0
    begin = h = low = high = turns = beyond = 0.0
    mirrored = easy = False
    track = 0
    while track < n[I_TRACKS]:
        row, aux = n[I_ROWS] + track * R_WIDTH, n[I_AUX] + track * AUX_WIDTH
        run = n[row + R_RUN]
        if not (f[lows + track] <= t < f[highs + track]):
            if n[row + R_GROUP] != group:
                group = n[row + R_GROUP]
                before = n[row + R_CURSOR]
                i, j, begin, h, low, high, turns, mirrored, beyond = place(n, f, row, t)
                easy = i != j and not mirrored and turns == 0.0
                moved = i - before
                ahead = i  # playing, the next keys are fetched before they are needed; else those needed now
                if moved != 0 and -NEAR <= moved <= NEAR:
                    ahead = i + CACHE_LINE if moved > 0 else i - CACHE_LINE
            if easy and n[row + R_SIMPLE] == SIMPLE_CUBICS:
                _cubic_run(integers + 8 * row, floats, run, i, j, begin, h, ahead)
            elif easy and n[row + R_SIMPLE] == SIMPLE_LINES:
                _line_run(integers + 8 * row, floats, run, i, j, begin, h, ahead)
            elif n[row + R_KIND] == KIND_SCALAR:
                for k in range(run):
                    own, beside = row + k * R_WIDTH, aux + k * AUX_WIDTH
                    _refresh_scalar(n, f, own, beside, i, j, begin, h, turns, mirrored, beyond)
            else:
                _refresh_quaternion(n, f, row, aux, i, j, begin, h, mirrored)
            f[lows + track], f[highs + track] = low, high
        valid_from = max(valid_from, f[lows + track])
        valid_to = min(valid_to, f[highs + track])
        special += f[aux + AUX_FORM]
        track += run
    f[F_LOW], f[F_HIGH], f[F_SPECIAL] = valid_from, valid_to, special

# mypy: disable-error-code="no-untyped-def"
"""Blend spaces (compiled). Twins: `core.graph.space_op.SpaceOp`, `core.blending.space_player`.

A space's floats: clock, seconds, point and velocity by axis, weights; the same as they were at the step's beginning;
the turns a second of its sync group. A step in which a notify may be passed is Python's.
"""

import math

import numpy as np

from core.math import kernel_graph_layout as at
from core.math.kernel_graph_call import asked, hook
from core.math.kernel_graph_clips import clip_row, motion_between, sample, without_root
from core.math.kernel_graph_field import follow, weigh_samples
from core.math.kernel_graph_mix import mix_many, mix_motions
from core.math.kernel_graph_parts import (
    copied,
    motion_of,
    new_buffer,
    no_motion,
    part,
    put_result,
    row_of,
    stop,
)
from core.math.kernel_graph_play import passes
from core.math.kernel_turns import unit


# ---------------------------------------------------------------- places
@part
def state_size(p, d):
    """Floats of a state."""
    return 2 + 2 * p[d + at.Z_AXES] + p[d + at.Z_COUNT]


@part
def weights_of(p, d, state):
    """Place in sf of a state's weights."""
    return state + 2 + 2 * p[d + at.Z_AXES]


@part
def turns_place(p, op):
    """Place in sf of the turns a second of its sync group."""
    r = row_of(p, op)
    return p[r + at.O_FLOATS] + 2 * state_size(p, p[r + at.O_DATA])


@part
def stops_of(p, d, sample_number):
    """Place in q of the marker times of a sample."""
    return p[d + at.Z_TIMES] + p[d + at.Z_COUNT] + sample_number * (p[d + at.Z_INTERVALS] + 1)


@part
def length_of(p, q, d, sample_number):
    """Seconds of a sample at its own rate."""
    return q[p[d + at.Z_TIMES] + sample_number]


@part
def heaviest_sample(p, sf, d, state):
    """Number of the sample with the largest weight in a state; of equals the first."""
    weights, best = weights_of(p, d, state), 0
    for k in range(1, p[d + at.Z_COUNT]):
        if sf[weights + k] > sf[weights + best]:
            best = k
    return best


# ---------------------------------------------------------------- the clock
@part
def whole_cycle(p, q, sf, d, state):
    """Seconds of a cycle at the state's weights and rate 1."""
    total = 0.0
    for k in range(p[d + at.Z_COUNT]):
        total += sf[weights_of(p, d, state) + k] * length_of(p, q, d, k)
    return total


@part
def interval_seconds(p, q, sf, d, state, number):
    """Seconds that an interval between markers takes."""
    total = 0.0
    for k in range(p[d + at.Z_COUNT]):
        stops = stops_of(p, d, k)
        total += sf[weights_of(p, d, state) + k] * (q[stops + number + 1] - q[stops + number])
    return total


@part
def parted(value, whole):
    """`divmod` of floats."""
    rest = value % whole
    return np.floor((value - rest) / whole + 0.5), rest


@part
def unrated_time(p, q, d, k, clock):
    """A sample's seconds at its own rate, at a clock; they count on over cycles."""
    m = p[d + at.Z_INTERVALS]
    cycle, step = parted(clock, np.float64(m))
    number = min(int(step), m - 1)
    start, end = q[stops_of(p, d, k) + number], q[stops_of(p, d, k) + number + 1]
    return start + (step - number) * (end - start) + cycle * length_of(p, q, d, k)


@part
def clip_time(p, q, d, k, clock):
    """Seconds of a sample's clip at a clock."""
    return unrated_time(p, q, d, k, clock) * q[stops_of(p, d, p[d + at.Z_COUNT]) + k]


@part
def _advanced(p, q, sf, d, state, clock, seconds):
    """The clock after some seconds under the state's weights."""
    m, total = p[d + at.Z_INTERVALS], 0.0
    for k in range(m):
        total += interval_seconds(p, q, sf, d, state, k)
    if total <= 0.0:
        return clock
    cycle, step = parted(clock, np.float64(m))
    number, before = min(int(step), m - 1), 0.0
    for k in range(number):
        before += interval_seconds(p, q, sf, d, state, k)
    inside = (step - number) * interval_seconds(p, q, sf, d, state, number)
    cycle, rest = parted(cycle * total + before + inside + seconds, total)
    number, edge = 0, 0.0
    while number < m - 1 and edge + interval_seconds(p, q, sf, d, state, number) <= rest:
        edge += interval_seconds(p, q, sf, d, state, number)
        number += 1
    lasts = interval_seconds(p, q, sf, d, state, number)
    share = (rest - edge) / lasts if lasts > 0.0 else 0.0
    return cycle * m + number + min(share, 1.0)


@part
def space_moved(p, q, si, sf, wi, wf, op, seconds):
    """Move a state on: input, weights, clock."""
    r = row_of(p, op)
    d, state = p[r + at.O_DATA], p[r + at.O_FLOATS]
    axes, count = p[d + at.Z_AXES], p[d + at.Z_COUNT]
    point, goal, weights = state + 2, p[r + at.O_CARRIED], weights_of(p, d, state)
    for k in range(axes):
        axis = p[d + at.Z_AXIS] + k * at.AXIS_WIDTH
        wanted = sf[p[p[d + at.Z_POINT] + k]]
        sf[point + k], sf[point + axes + k] = follow(
            q, axis, sf[point + k], sf[point + axes + k], wanted, seconds
        )
    weigh_samples(p, q, sf, wf, d, point, goal)
    speed, largest, share = q[p[d + at.Z_SPEED]], 0.0, 1.0
    for k in range(count):
        largest = max(largest, abs(wf[goal + k] - sf[weights + k]))
    if speed > 0.0 and largest > speed * abs(seconds):
        share = speed * abs(seconds) / largest
        for k in range(count):
            sf[weights + k] += (wf[goal + k] - sf[weights + k]) * share
    else:
        copied(wf, goal, sf, weights, count)
    sf[state] = _advanced(p, q, sf, d, state, sf[state], seconds)
    sf[state + 1] += seconds


@part
def space_quiet(p, q, si, sf, wf, op):
    """Whether no notify is passed or under way from the beginning of the step to now."""
    r = row_of(p, op)
    d, state = p[r + at.O_DATA], p[r + at.O_FLOATS]
    for k in range(p[d + at.Z_LASTING]):
        if si[p[r + at.O_INTS] + 1 + k] != 0:
            return False
    before, heaviest = sf[state + state_size(p, d)], heaviest_sample(p, sf, d, state)
    for k in range(p[d + at.Z_COUNT]):
        row = p[d + at.Z_SAMPLES] + k * at.SAMPLE_WIDTH
        counts = sf[weights_of(p, d, state) + k] > 0.0 if p[d + at.Z_ALL_NOTIFIES] != 0 else k == heaviest
        if not counts or p[row + 3] == 0:
            continue
        length = q[p[clip_row(p, p[row]) + at.C_NUMBERS] + at.N_LENGTH]
        period = length if p[row + 1] != 0 else 0.0
        first, last = clip_time(p, q, d, k, before), clip_time(p, q, d, k, sf[state])
        if first == last:
            continue
        for n in range(p[row + 3]):
            if passes(q[p[row + 2] + n], period, first, last):
                return False
    return True


@part
def begin_space(p, sf, op):
    """Note where it stands at the beginning of its span."""
    r = row_of(p, op)
    size = state_size(p, p[r + at.O_DATA])
    copied(sf, p[r + at.O_FLOATS], sf, p[r + at.O_FLOATS] + size, size)


@part
def settle_space(p, q, si, sf, wi, wf, op):
    """What a space does after it moved: steps in which something happens are Python's."""
    if wf[at.Y_DT] > 0.0 and (si[p[row_of(p, op) + at.O_INTS]] == 1 or not space_quiet(p, q, si, sf, wf, op)):
        stop(wi)


@hook
def space_advance(p, q, si, sf, wi, wf, op):
    """Move input and clock on."""
    begin_space(p, sf, op)
    rate = sf[p[p[row_of(p, op) + at.O_DATA] + at.Z_RATE]]
    space_moved(p, q, si, sf, wi, wf, op, wf[at.Y_DT] * rate)
    settle_space(p, q, si, sf, wi, wf, op)


@part
def _pace(p, q, sf, op):
    """Seconds of playback a second: its rate, or the last pace of its sync group."""
    r = row_of(p, op)
    turns = sf[turns_place(p, op)]
    if turns != 0.0:
        return turns * whole_cycle(p, q, sf, p[r + at.O_DATA], p[r + at.O_FLOATS])
    return sf[p[p[r + at.O_DATA] + at.Z_RATE]]


@asked
def space_remaining(p, q, si, sf, wi, wf, op):
    """Seconds to the end of the cycle at the present weights."""
    r = row_of(p, op)
    d, state = p[r + at.O_DATA], p[r + at.O_FLOATS]
    whole, rate, m = whole_cycle(p, q, sf, d, state), _pace(p, q, sf, op), p[d + at.Z_INTERVALS]
    if whole <= 0.0:
        return 0.0
    if rate == 0.0:
        return math.inf
    turned = (sf[state] % m) / m
    return ((1.0 - turned) if rate > 0.0 else turned) * whole / abs(rate)


@asked
def space_period(p, q, si, sf, wi, wf, op):
    """Seconds of a cycle; infinite where it does not loop or stands still."""
    r = row_of(p, op)
    d = p[r + at.O_DATA]
    rate, whole = _pace(p, q, sf, op), whole_cycle(p, q, sf, d, p[r + at.O_FLOATS])
    return whole / abs(rate) if rate != 0.0 and whole > 0.0 and p[d + at.Z_LOOPS] != 0 else math.inf


# ---------------------------------------------------------------- the pose
@asked
def space_position(p, q, si, sf, wi, wf, op):
    """Where in its cycle it is."""
    r = row_of(p, op)
    return sf[p[r + at.O_FLOATS]] % p[p[r + at.O_DATA] + at.Z_INTERVALS]


@part
def _write_motion(p, q, wi, wf, d, k, buffer, before, after):
    """Root motion of a sample between two clocks, to its buffer."""
    clip, place = p[p[d + at.Z_SAMPLES] + k * at.SAMPLE_WIDTH], motion_of(p, buffer)
    no_motion(wf, place)
    if p[clip_row(p, clip) + at.C_ROOT] < 0 or wf[at.Y_DT] <= 0.0:
        return
    start, end = clip_time(p, q, d, k, before), clip_time(p, q, d, k, after)
    moved = motion_between(p, q, wi, wf, clip, start, end)
    for n in range(3):
        wf[place + n] = moved[n]
    x, y, z, w = unit(moved[3], moved[4], moved[5], moved[6])
    wf[place + 3], wf[place + 4], wf[place + 5], wf[place + 6] = x, y, z, w


@part
def _sample_of(p, q, wi, wf, d, k, clock, buffer):
    """Pose of a sample with its root motion taken out."""
    row = p[d + at.Z_SAMPLES] + k * at.SAMPLE_WIDTH
    time, length = clip_time(p, q, d, k, clock), q[p[clip_row(p, p[row]) + at.C_NUMBERS] + at.N_LENGTH]
    if length <= 0.0:
        time = 0.0
    else:
        time = time % length if p[row + 1] != 0 else min(max(time, 0.0), length)
    sample(p, q, wi, wf, p[row], time, buffer)
    without_root(p, q, wf, p[row], buffer)


@hook
def space_pose(p, q, si, sf, wi, wf, op):
    """The blended pose with the root motion of its span."""
    r = row_of(p, op)
    d, state = p[r + at.O_DATA], p[r + at.O_FLOATS]
    out, weights, used = new_buffer(p, wi), weights_of(p, d, state), 0
    before, after, heaviest = sf[state + state_size(p, d)], sf[state], heaviest_sample(p, sf, d, state)
    first = new_buffer(p, wi)
    size, share = motion_of(p, first) + at.MOTION - first, 0.0
    for k in range(p[d + at.Z_COUNT]):
        if sf[weights + k] > 0.0:
            buffer = first + used * size
            _sample_of(p, q, wi, wf, d, k, after, buffer)
            _write_motion(p, q, wi, wf, d, k, buffer, before, after)
            wi[p[at.W_LIST] + used], wf[p[at.X_PARTS] + used] = buffer, sf[weights + k]
            used += 1
    wi[at.D_BUFFERS] += used - 1
    mix_many(p, wi, wf, used, out)
    used = parts = 0
    for k in range(p[d + at.Z_COUNT]):
        if sf[weights + k] > 0.0:
            share = sf[weights + k]
            if p[d + at.Z_ALL_MOTION] != 0 or k == heaviest:
                wi[p[at.W_LIST] + parts] = motion_of(p, first + used * size)
                wf[p[at.X_SHARES] + parts] = share
                parts += 1
            used += 1
    mix_motions(p, wi, wf, parts, motion_of(p, out))
    put_result(p, wi, op, out)

# mypy: disable-error-code="no-untyped-def"
"""Ops that play a clip (compiled). Twin: `core.graph.clip_player.ClipOp`.

Its floats: playback time now and at the step's beginning, pace in its sync group. Its first int: whether it is fresh.
"""

import math

import numpy as np

from core.math import kernel_graph_layout as at
from core.math.kernel_graph_call import asked, hook
from core.math.kernel_graph_clips import (
    clip_row,
    motion_between,
    sample,
    without_root,
    write_motion,
)
from core.math.kernel_graph_machine import weight_at
from core.math.kernel_graph_parts import (
    emit,
    motion_of,
    new_buffer,
    no_motion,
    part,
    put_result,
    row_of,
    sort_events,
    stop,
)

ROUNDING = 1e-9
"""As `core.graph.clip_player.ROUNDING`."""
MANY_TURNS = 8.0
"""Turns in a step from which on Python counts the notifies."""


@part
def clip_length(p, q, op):
    """Seconds of a player's clip."""
    return q[p[clip_row(p, p[p[row_of(p, op) + at.O_DATA] + at.P_CLIP]) + at.C_NUMBERS] + at.N_LENGTH]


@part
def clip_pace(p, q, sf, op):
    """Seconds of the clip a second: its rate, or the last pace of its sync group."""
    r = row_of(p, op)
    turns = sf[p[r + at.O_FLOATS] + 2]
    return turns * clip_length(p, q, op) if turns != 0.0 else sf[p[p[r + at.O_DATA] + at.P_RATE]]


@asked
def clip_remaining(p, q, si, sf, wi, wf, op):
    """Seconds to the end (of this turn, where it loops) from the step's beginning."""
    r = row_of(p, op)
    d = p[r + at.O_DATA]
    rate, time, length = clip_pace(p, q, sf, op), sf[p[r + at.O_FLOATS]], clip_length(p, q, op)
    loops = p[d + at.P_LOOPS] != 0
    if length <= 0.0:
        return 0.0
    if rate == 0.0:
        return math.inf
    position = time % length if loops else time
    left = (length - position if rate > 0.0 else position) / abs(rate)
    return length / abs(rate) if loops and left <= 0.0 else left


@asked
def clip_period(p, q, si, sf, wi, wf, op):
    """Seconds of a turn; infinite where it does not loop or stands still."""
    d = p[row_of(p, op) + at.O_DATA]
    rate = clip_pace(p, q, sf, op)
    return clip_length(p, q, op) / abs(rate) if p[d + at.P_LOOPS] != 0 and rate != 0.0 else math.inf


@part
def passes(place, period, before, after):
    """Whether playback comes to a place of the clip, in any turn."""
    low, high = min(before, after), max(before, after)
    if period <= 0.0:
        return low <= place <= high
    return place + np.ceil((low - place) / period - 1e-9) * period <= high + 1e-9


@part
def _something_lasts(p, q, si, op, before, after, period):
    """Whether a notify with a duration is under way, begins or ends: these are Python's."""
    r = row_of(p, op)
    d, count = p[r + at.O_DATA], p[p[r + at.O_DATA] + at.P_LASTING_COUNT]
    for k in range(count):
        begin, end = q[p[d + at.P_LASTING] + 2 * k], q[p[d + at.P_LASTING] + 2 * k + 1]
        if si[p[r + at.O_INTS] + 1 + k] != 0:
            return True
        if passes(begin, period, before, after) or passes(end, period, before, after):
            return True
    return False


@part
def _under_way(p, si, op):
    """Whether a notify with a duration is under way: it goes on where playback stands still, too."""
    r, lasting = row_of(p, op), 0
    for k in range(p[p[r + at.O_DATA] + at.P_LASTING_COUNT]):
        lasting += si[p[r + at.O_INTS] + 1 + k]
    return lasting != 0


@part
def _notify(p, q, si, sf, wi, wf, op, before, after, there, period):
    """Note the notifies between two playback times, in the order passed."""
    d = p[row_of(p, op) + at.O_DATA]
    times, count, first_event = p[d + at.P_NOTIFIES], p[d + at.P_NOTIFY_COUNT], wi[at.D_EVENTS]
    low, high = min(before, after), max(before, after)
    for k in range(count):
        time, first, last = q[times + k], 0.0, 0.0
        if period > 0.0:
            first, last = np.floor((low - time) / period), np.ceil((high - time) / period)
        for n in range(np.int64(last - first) + 1):
            place = time + (first + n) * period if period > 0.0 else time
            passed = before < place <= after if after >= before else after <= place < before
            if not passed or place == before:
                continue
            moment = (place - before) / (after - before) * there
            weight = weight_at(p, q, si, sf, wi, wf, op, moment)
            if weight >= q[times + count + k]:
                emit(p, wi, wf, op, k, moment, weight, place)
    sort_events(p, wi, wf, first_event, after < before)


@part
def clip_held(p, q, op, time):
    """A playback time, held within the clip where it does not loop."""
    return (
        time
        if p[p[row_of(p, op) + at.O_DATA] + at.P_LOOPS] != 0
        else min(max(time, 0.0), clip_length(p, q, op))
    )


@part
def clip_travel(p, q, si, sf, wi, wf, op, speed, follows):
    """Move on by speed × dt; notifies passed become events. What ends or begins in the step is left to Python.

    Parameters
    ----------
    follows : whether it follows another in its sync group: which of its notifies fire then is Python's, too
    """
    r = row_of(p, op)
    d, f, i = p[r + at.O_DATA], p[r + at.O_FLOATS], p[r + at.O_INTS]
    dt, length, loops, before = wf[at.Y_DT], clip_length(p, q, op), p[d + at.P_LOOPS] != 0, sf[f]
    after = clip_held(p, q, op, before + speed * dt)
    end = length if speed > 0.0 else 0.0
    if not loops and abs(after - end) < ROUNDING and (end - before) * speed > 0.0:
        after = end
    sf[f] = after
    if dt <= 0.0:
        return
    ends = not loops and after == end and before != end and speed != 0.0
    if si[i] == 1 or ends or not math.isfinite(after):
        stop(wi)
        return
    si[i] = 0
    notifies = p[d + at.P_NOTIFY_COUNT] + p[d + at.P_LASTING_COUNT]
    if notifies == 0 or (before == after and not _under_way(p, si, op)):
        return
    period = length if loops else 0.0
    if (loops and abs(after - before) > MANY_TURNS * length) or _something_lasts(
        p, q, si, op, before, after, period
    ):
        stop(wi)
    elif follows:
        for k in range(p[d + at.P_NOTIFY_COUNT]):
            if passes(q[p[d + at.P_NOTIFIES] + k], period, before, after):
                stop(wi)
    else:
        there = min((after - before) / speed, dt) if speed != 0.0 else dt
        _notify(p, q, si, sf, wi, wf, op, before, after, there, period)


@hook
def clip_advance(p, q, si, sf, wi, wf, op):
    """Move on by rate × dt."""
    r = row_of(p, op)
    sf[p[r + at.O_FLOATS] + 1] = sf[p[r + at.O_FLOATS]]
    clip_travel(p, q, si, sf, wi, wf, op, sf[p[p[r + at.O_DATA] + at.P_RATE]], False)


@asked
def clip_position(p, q, si, sf, wi, wf, op):
    """Seconds within the clip."""
    r = row_of(p, op)
    length, time = clip_length(p, q, op), sf[p[r + at.O_FLOATS]]
    return time % length if p[p[r + at.O_DATA] + at.P_LOOPS] != 0 and length > 0.0 else time


@hook
def clip_pose(p, q, si, sf, wi, wf, op):
    """The pose at its time, with the root motion of its span."""
    r = row_of(p, op)
    d = p[r + at.O_DATA]
    clip, buffer, length = p[d + at.P_CLIP], new_buffer(p, wi), clip_length(p, q, op)
    after, before = sf[p[r + at.O_FLOATS]], sf[p[r + at.O_FLOATS] + 1]
    position = after % length if p[d + at.P_LOOPS] != 0 and length > 0.0 else after
    put_result(p, wi, op, buffer)
    sample(p, q, wi, wf, clip, position, buffer)
    if p[clip_row(p, clip) + at.C_ROOT] < 0 or wf[at.Y_DT] <= 0.0:
        no_motion(wf, motion_of(p, buffer))
    else:
        write_motion(p, wf, buffer, motion_between(p, q, wi, wf, clip, before, after))
    without_root(p, q, wf, clip, buffer)

# mypy: disable-error-code="no-untyped-def"
"""Sync groups in a step in which no member comes or goes and the leader passes no marker (compiled).

Twins: `core.graph.sync`, `core.graph.markers`, and what members do in `core.graph.clip_player` and
`core.graph.space_op`.
"""

import math

import numpy as np

from core.math import kernel_graph_layout as at
from core.math.kernel_graph_parts import part, row_of, stop
from core.math.kernel_graph_play import clip_held, clip_length, clip_travel
from core.math.kernel_graph_space import (
    begin_space,
    heaviest_sample,
    interval_seconds,
    length_of,
    parted,
    settle_space,
    space_moved,
    stops_of,
    turns_place,
    unrated_time,
    whole_cycle,
)

NOBODY, NEW, NEVER = -1, -2, -3
"""In place of the number of a leading member."""
TOLERANCE = 1e-12
LEAST_WAY = 1e-9
FULL = 1.0 - 1e-9
"""As in `core.graph.sync` and `core.graph.sync_member`."""


@part
def _is_space(p, op):
    """Whether a member is a blend space; if not, it is a clip."""
    return p[row_of(p, op) + at.O_MEMBER] == at.SPACE_MEMBER


@part
def _own_rate(p, sf, op):
    """Rate at which a member would play by itself, from its register; negative plays backwards."""
    d = p[row_of(p, op) + at.O_DATA]
    return sf[p[d + at.Z_RATE]] if _is_space(p, op) else sf[p[d + at.P_RATE]]


@part
def _whole(p, q, sf, op):
    """Seconds of a whole turn at rate 1."""
    r = row_of(p, op)
    if _is_space(p, op):
        return whole_cycle(p, q, sf, p[r + at.O_DATA], p[r + at.O_FLOATS])
    return clip_length(p, q, op)


@part
def _cycle(p, q, sf, op):
    """Seconds of a whole turn at the member's own rate."""
    rate = _own_rate(p, sf, op)
    return _whole(p, q, sf, op) / abs(rate) if rate != 0.0 else math.inf


@part
def _turns_place(p, op):
    """Place in sf of the turns a second that its group gives a member."""
    return turns_place(p, op) if _is_space(p, op) else p[row_of(p, op) + at.O_FLOATS] + 2


# ---------------------------------------------------------------- markers
@part
def _marker_end(p, q, op, k):
    """Where the way from a clip's marker to the next ends."""
    d = p[row_of(p, op) + at.O_DATA]
    times, count = p[d + at.P_MARKERS], p[d + at.P_MARKER_COUNT]
    return q[times + k + 1] if k + 1 < count else q[times] + clip_length(p, q, op)


@part
def _until_marker(p, q, sf, op, turns):
    """Seconds until a member passes its next marker."""
    r = row_of(p, op)
    d, way = p[r + at.O_DATA], math.inf
    if turns == 0.0:
        return way
    if _is_space(p, op):
        state, m, total = p[r + at.O_FLOATS], p[d + at.Z_INTERVALS], 0.0
        for k in range(m):
            total += interval_seconds(p, q, sf, d, state, k)
        if p[d + at.Z_NAMES] < 0 or total <= 0.0:
            return way
        below = math.floor(sf[state])
        ahead, inside = (below + 1.0 - sf[state] if turns > 0.0 else sf[state] - below), int(below)
        if ahead < LEAST_WAY:
            ahead, inside = 1.0, int(below) + (1 if turns > 0.0 else -1)
        return ahead * interval_seconds(p, q, sf, d, state, inside % m) / total / abs(turns)
    sign, length = (1.0 if turns > 0.0 else -1.0), clip_length(p, q, op)
    for k in range(p[d + at.P_MARKER_COUNT]):
        share = sign * (q[p[d + at.P_MARKERS] + k] - sf[p[r + at.O_FLOATS]]) / length % 1.0
        way = min(way, share if share > LEAST_WAY else 1.0)
    return way / abs(turns)


@part
def _space_phase(p, q, sf, op):
    """Names of the markers before and after (−1 without), how far between them, and in the whole."""
    r = row_of(p, op)
    d, clock = p[r + at.O_DATA], sf[p[r + at.O_FLOATS]]
    number = heaviest_sample(p, sf, d, p[r + at.O_FLOATS])
    length = length_of(p, q, d, number)
    whole = (unrated_time(p, q, d, number, clock) % length) / length if length > 0.0 else 0.0
    names, m = p[d + at.Z_NAMES], p[d + at.Z_INTERVALS]
    if names < 0:
        return -1, -1, 0.0, whole
    step, between = parted(clock, 1.0)
    k = int(step) % m
    return p[names + k], p[names + (k + 1) % m], between, whole


@part
def _clip_phase(p, q, sf, op):
    """As `_space_phase`, of a clip."""
    r = row_of(p, op)
    d, length, time = p[r + at.O_DATA], clip_length(p, q, op), sf[p[r + at.O_FLOATS]]
    position = time % length if p[d + at.P_LOOPS] != 0 and length > 0.0 else time
    whole, times, count = (
        position / length if length > 0.0 else 0.0,
        p[d + at.P_MARKERS],
        p[d + at.P_MARKER_COUNT],
    )
    if count == 0:
        return -1, -1, 0.0, whole
    if position < q[times]:
        position += length
    k = 0
    while k + 1 < count and q[times + k + 1] <= position:
        k += 1
    way, names = _marker_end(p, q, op, k) - q[times + k], p[d + at.P_MARKER_NAMES]
    between = (position - q[times + k]) / way if way > 0.0 else 0.0
    return p[names + k], p[names + (k + 1) % count], between, whole


@part
def _clip_time(p, q, op, phase, near):
    """The playback time at a phase that is nearest to another."""
    d, length = p[row_of(p, op) + at.O_DATA], clip_length(p, q, op)
    times, count, names = p[d + at.P_MARKERS], p[d + at.P_MARKER_COUNT], p[d + at.P_MARKER_NAMES]
    turn = length if p[d + at.P_LOOPS] != 0 and length > 0.0 else 0.0
    best, found = 0.0, False
    for k in range(count if phase[0] >= 0 else 0):
        if p[names + k] == phase[0] and p[names + (k + 1) % count] == phase[1]:
            time = q[times + k] + phase[2] * (_marker_end(p, q, op, k) - q[times + k])
            if turn > 0.0:
                time += turn * np.rint((near - time) / turn)
            if not found or abs(time - near) < abs(best - near):
                best, found = time, True
    if not found:
        best = phase[3] * length
        if turn > 0.0:
            best += turn * np.rint((near - best) / turn)
    return best


@part
def _clock_at(p, q, d, number, time):
    """The clock at which one sample is at a time of its own."""
    length, stops, m = length_of(p, q, d, number), stops_of(p, d, number), p[d + at.Z_INTERVALS]
    if length <= 0.0:
        return 0.0
    cycle, rest = parted(time - q[stops], length)
    rest += q[stops]
    step = 0
    while step < m - 1 and q[stops + step + 1] <= rest:
        step += 1
    width = q[stops + step + 1] - q[stops + step]
    return cycle * m + step + ((rest - q[stops + step]) / width if width > 0.0 else 0.0)


@part
def _space_clock(p, q, sf, op, phase, near):
    """The clock at a phase, nearest to another."""
    r = row_of(p, op)
    d = p[r + at.O_DATA]
    names, m, best, found = p[d + at.Z_NAMES], p[d + at.Z_INTERVALS], 0.0, False
    for k in range(m if phase[0] >= 0 and names >= 0 else 0):
        if p[names + k] == phase[0] and p[names + (k + 1) % m] == phase[1]:
            clock = k + phase[2]
            clock += m * np.rint((near - clock) / m)
            if not found or abs(clock - near) < abs(best - near):
                best, found = clock, True
    if not found:
        number = heaviest_sample(p, sf, d, p[r + at.O_FLOATS])
        best = _clock_at(p, q, d, number, phase[3] * length_of(p, q, d, number))
        best += m * np.rint((near - best) / m)
    return best


# ---------------------------------------------------------------- the step
@part
def _leader(p, si, wf, wi, g):
    """The member that leads; `NOBODY` counts, one is `NEW`, or `NEVER` may any lead."""
    best, best_order, best_weight, best_here = NOBODY, 0, 0.0, 0
    present = si[p[g + at.G_PLACE]] - 1
    for k in range(p[g + at.G_COUNT]):
        op, role = p[p[g + at.G_MEMBERS] + 2 * k], p[p[g + at.G_MEMBERS] + 2 * k + 1]
        if wi[p[at.W_RELEVANT] + op] == 0:
            continue
        if si[p[row_of(p, op) + at.O_INTS]] == 1:
            return NEW
        if role == at.ROLE_NEVER:
            best = NEVER if best == NOBODY else best
            continue
        weight = wf[p[at.X_WEIGHTS] + op]
        may = role == at.ROLE_CAN_LEAD or (role == at.ROLE_BLENDED_IN and weight >= FULL)
        order = 0 if role == at.ROLE_ALWAYS else (1 if may else 2)
        here = 0 if op == present else 1
        better = order < best_order or (
            order == best_order and (weight > best_weight or (weight == best_weight and here < best_here))
        )
        if best < 0 or better:
            best, best_order, best_weight, best_here = op, order, weight, here
    return best


@part
def _own_turns(p, q, sf, op):
    """Turns a second of a member that plays by itself."""
    own = _cycle(p, q, sf, op)
    if not 0.0 < own < math.inf:
        return 0.0
    return (-1.0 if _own_rate(p, sf, op) < 0.0 else 1.0) / own


@part
def _turns(p, q, sf, wi, wf, g, leader):
    """Turns a second of the group, negative backwards."""
    own = _cycle(p, q, sf, leader)
    if not 0.0 < own < math.inf:
        return 0.0
    seconds = own
    if p[g + at.G_MEAN] != 0:
        total = weights = 0.0
        for k in range(p[g + at.G_COUNT]):
            op = p[p[g + at.G_MEMBERS] + 2 * k]
            weight, cycle = wf[p[at.X_WEIGHTS] + op], _cycle(p, q, sf, op)
            if wi[p[at.W_RELEVANT] + op] != 0 and 0.0 < cycle < math.inf and weight > 0.0:
                total += cycle * weight
                weights += weight
        if weights > 0.0:
            seconds = total / weights
    return (-1.0 if _own_rate(p, sf, leader) < 0.0 else 1.0) / seconds


@part
def _lead(p, q, si, sf, wi, wf, op, turns):
    """Let the leader play on at the group's pace."""
    sf[_turns_place(p, op)] = turns
    speed = turns * _whole(p, q, sf, op)
    if _is_space(p, op):
        space_moved(p, q, si, sf, wi, wf, op, wf[at.Y_DT] * speed)
        settle_space(p, q, si, sf, wi, wf, op)
    else:
        clip_travel(p, q, si, sf, wi, wf, op, speed, False)


@part
def _follow(p, q, si, sf, wi, wf, op, phase, turns):
    """Play to where the leader is."""
    r, dt = row_of(p, op), wf[at.Y_DT]
    f = p[r + at.O_FLOATS]
    before = sf[f]
    sf[_turns_place(p, op)] = turns
    if _is_space(p, op):
        near = before + turns * p[p[r + at.O_DATA] + at.Z_INTERVALS] * dt
        space_moved(p, q, si, sf, wi, wf, op, dt)
        sf[f] = _space_clock(p, q, sf, op, phase, near)
        settle_space(p, q, si, sf, wi, wf, op)
    else:
        near = before + turns * clip_length(p, q, op) * dt
        after = clip_held(p, q, op, _clip_time(p, q, op, phase, near))
        clip_travel(p, q, si, sf, wi, wf, op, (after - before) / dt, True)
        sf[f] = after


@part
def advance_group(p, q, si, sf, wi, wf, g):
    """Let a group's members play through the step; `core.graph.sync.GroupPlan.advance`."""
    leader, dt = _leader(p, si, wf, wi, g), wf[at.Y_DT]
    if leader == NEW or wi[at.D_ACTED] != 0:  # a montage may lead
        stop(wi)
        return
    if leader == NOBODY:
        return
    for k in range(p[g + at.G_COUNT]):
        op = p[p[g + at.G_MEMBERS] + 2 * k]
        if wi[p[at.W_RELEVANT] + op] != 0:
            if _is_space(p, op):
                begin_space(p, sf, op)
            else:
                sf[p[row_of(p, op) + at.O_FLOATS] + 1] = sf[p[row_of(p, op) + at.O_FLOATS]]
    if dt <= 0.0:
        return
    if leader == NEVER:
        si[p[g + at.G_PLACE]] = 0
        for k in range(p[g + at.G_COUNT]):
            op = p[p[g + at.G_MEMBERS] + 2 * k]
            if wi[p[at.W_RELEVANT] + op] != 0:
                _lead(p, q, si, sf, wi, wf, op, _own_turns(p, q, sf, op))
        return
    turns = _turns(p, q, sf, wi, wf, g, leader)
    if _until_marker(p, q, sf, leader, turns) < dt - TOLERANCE:
        stop(wi)
        return
    si[p[g + at.G_PLACE]] = leader + 1
    _lead(p, q, si, sf, wi, wf, leader, turns)
    phase = _space_phase(p, q, sf, leader) if _is_space(p, leader) else _clip_phase(p, q, sf, leader)
    for k in range(p[g + at.G_COUNT]):
        op = p[p[g + at.G_MEMBERS] + 2 * k]
        if op != leader and wi[p[at.W_RELEVANT] + op] != 0 and wi[at.D_STOPPED] == 0:
            _follow(p, q, si, sf, wi, wf, op, phase, turns)

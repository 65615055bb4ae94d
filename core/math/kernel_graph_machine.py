# mypy: disable-error-code="no-untyped-def"
"""State machines in a step in which no transition begins or ends (compiled). Twin: `core.graph.machine_step`.

Whatever else happens in a step (a transition is taken, a blend ends, a state is asked for) is left to Python, which
then does the logic of the whole step; this decides with the same numbers that nothing of it does.
"""

import math

from core.math import kernel_graph_layout as at
from core.math.kernel_graph_call import hook
from core.math.kernel_graph_parts import offer, part, reach, row_of, stop
from core.math.kernel_graph_players import heaviest, period, remaining
from core.math.kernel_graph_stack import (
    active,
    data_of,
    inertia_floats,
    inertia_ints,
    left_place,
    plain_parts,
    state_row,
    state_weights,
    time_place,
    transition_row,
    visit_count,
    visit_floats,
    visit_ints,
)

TOLERANCE = 1e-12
NEVER_LEFT = 1e9
"""As in `core.graph.machine_parts`."""


@hook
def machine_offer(p, q, si, sf, wi, wf, op):
    """Players of the active state."""
    root = p[state_row(p, op, max(active(p, si, op), 0)) + at.ST_ROOT]
    offer(p, wf, root, wf[p[at.X_SHARES] + op])


@part
def _running(p, si, sf, op):
    """Row of the transition whose blend is under way, and the seconds it still takes; −1 where there is none."""
    count = visit_count(p, si, op)
    if count > 1:
        f = visit_floats(p, op, count - 1)
        return transition_row(p, op, si[visit_ints(p, op, count - 1) + 1]), sf[f + 1] - sf[f]
    code, f = si[inertia_ints(p, op)], inertia_floats(p, op)
    if code == 0 or sf[f] >= sf[f + 1] - TOLERANCE:
        return -1, 0.0
    return transition_row(p, op, abs(code) - 1), sf[f + 1] - sf[f]


@part
def _earliest(p, q, si, sf, op, t, of_source, running, left):
    """The first moment that min time, re-entry time and the running blend allow."""
    numbers, target = p[t + at.TR_NUMBERS], p[t + at.TR_TARGET]
    active_for = sf[time_place(p, op)]
    if of_source:
        active_for = NEVER_LEFT
        for level in range(visit_count(p, si, op)):
            if si[visit_ints(p, op, level)] == p[t + at.TR_SOURCE]:
                active_for = sf[visit_floats(p, op, level)]
    allowed = max(q[numbers + at.TN_MIN_TIME] - active_for, 0.0)
    if target != active(p, si, op) and target != at.EXIT:
        allowed = max(allowed, max(q[numbers + at.TN_REENTRY] - sf[left_place(p, op) + target], 0.0))
    if running < 0:
        return allowed
    interrupt = p[running + at.TR_INTERRUPT]
    higher = p[t + at.TR_PRIORITY] < p[running + at.TR_PRIORITY]
    refused = interrupt == at.INTERRUPT_NEVER or (interrupt == at.INTERRUPT_HIGHER and not higher)
    if of_source:
        return math.inf if refused or allowed > left + TOLERANCE else allowed
    if refused or p[running + at.TR_BY] == at.BY_SOURCE:
        allowed = max(allowed, left)
    return allowed


@part
def _automatic(p, q, si, sf, wi, wf, op, t, state, earliest):
    """The moment of an automatic rule from `earliest` on; 0 for a transition by rule alone."""
    if p[t + at.TR_AUTOMATIC] == 0:
        return 0.0
    player = p[t + at.TR_PLAYER]
    if player < 0:
        player = heaviest(p, q, si, sf, wi, wf, p[state_row(p, op, state) + at.ST_ROOT])
    if player < 0:
        return math.inf
    wanted = q[p[t + at.TR_NUMBERS] + at.TN_AUTOMATIC]
    if wanted < 0.0:
        wanted = max(sf[p[t + at.TR_SECONDS]], 0.0)
    moment, turn = remaining(p, q, si, sf, wi, wf, player) - wanted, period(p, q, si, sf, wi, wf, player)
    if moment < earliest - TOLERANCE and 0.0 < turn < math.inf:
        moment += turn * math.ceil((earliest - TOLERANCE - moment) / turn)
    return max(moment, 0.0)


@part
def _any_due(p, q, si, sf, wi, wf, op, state, of_source, running, left):
    """Whether a transition out of a state may act in this step."""
    row = state_row(p, op, state)
    for k in range(p[row + at.ST_EXIT_COUNT]):
        t = transition_row(p, op, p[p[row + at.ST_EXITS] + k])
        holds = not (of_source and p[t + at.TR_TARGET] == active(p, si, op))
        for n in range(p[t + at.TR_RULE_COUNT]):
            holds = holds and sf[p[p[t + at.TR_RULES] + n]] != 0.0
        if not holds:
            continue
        earliest = _earliest(p, q, si, sf, op, t, of_source, running, left)
        if earliest > wf[at.Y_DT] + TOLERANCE:
            continue
        moment = _automatic(p, q, si, sf, wi, wf, op, t, state, earliest)
        if max(earliest, moment) <= wf[at.Y_DT] + 2.0 * TOLERANCE:
            return True
    return False


@part
def _quiet(p, q, si, sf, wi, wf, op):
    """Whether no transition is taken, and none was asked for."""
    i = inertia_ints(p, op)
    if active(p, si, op) < 0 or visit_count(p, si, op) == 0 or si[i + 3] != 0:
        return False
    if plain_parts(p, si, op) == at.PLAIN_LOGIC:
        return False
    if wi[p[at.W_LEAVING] + op] != 0 or wf[at.Y_DT] <= 0.0 or si[i + 2] != 0:
        return True
    running, left = _running(p, si, sf, op)
    if _any_due(p, q, si, sf, wi, wf, op, active(p, si, op), False, running, left):
        return False
    if running < 0 or p[running + at.TR_SOURCE] < 0 or p[running + at.TR_BY] == at.BY_TARGET:
        return True
    return not _any_due(p, q, si, sf, wi, wf, op, p[running + at.TR_SOURCE], True, running, left)


@part
def _go_on(p, si, sf, wf, op):
    """Let the running blends go on over the step; whether none of them ends in it."""
    dt, count = wf[at.Y_DT], visit_count(p, si, op)
    going = True
    for level in range(count):
        f = visit_floats(p, op, level)
        sf[f] += dt
        going = going and (level == 0 or sf[f] < sf[f + 1] - 2.0 * TOLERANCE)
    if si[inertia_ints(p, op)] != 0:
        f = inertia_floats(p, op)
        before, seconds = sf[f], sf[f + 1]
        sf[f] = before + dt
        going = going and not (before < seconds - TOLERANCE and sf[f] >= seconds - 2.0 * TOLERANCE)
    sf[time_place(p, op)] += dt
    for k in range(p[data_of(p, op) + at.M_STATE_COUNT]):
        sf[left_place(p, op) + k] += dt
    return going


@hook
def machine_weigh(p, q, si, sf, wi, wf, op):
    """Let blends go on, and hand weights down to the states that are in the stack."""
    if not _quiet(p, q, si, sf, wi, wf, op):
        stop(wi)
        return
    weight, shares = wf[p[at.X_WEIGHTS] + op], p[at.X_SHARES]
    state_weights(p, q, si, sf, wi, wf, op, p[row_of(p, op) + at.O_CARRIED], 0.0)
    if not _go_on(p, si, sf, wf, op):
        stop(wi)
        return
    state_weights(p, q, si, sf, wi, wf, op, shares, 0.0)
    for level in range(visit_count(p, si, op)):
        state = si[visit_ints(p, op, level)]
        if state >= 0:
            root = p[state_row(p, op, state) + at.ST_ROOT]
            reach(p, wi, wf, root, weight * wf[shares + state], op, state != active(p, si, op))


@part
def share_of_state(p, q, si, sf, wi, wf, op, number, moment):
    """The weight of a state's root in the machine's pose at a moment of this step."""
    shares, total = p[at.X_SHARES] + p[at.H_OP_COUNT], 0.0
    state_weights(p, q, si, sf, wi, wf, op, shares, moment - wf[at.Y_DT])
    for k in range(p[data_of(p, op) + at.M_STATE_COUNT]):
        if p[state_row(p, op, k) + at.ST_ROOT] == number:
            total += wf[shares + k]
    return total


@part
def _ratio(part_of, whole):
    """A part of a whole, at most 1; 0 where the whole is 0 or less."""
    return min(part_of / whole, 1.0) if whole > 0.0 else 0.0


@part
def _share_at(p, q, si, sf, wi, wf, op, number, moment):
    """The share that one of its inputs has of an op at a moment: linear over the step, a machine's exact."""
    if p[row_of(p, op) + at.O_MACHINE] != 0:
        return share_of_state(p, q, si, sf, wi, wf, op, number, moment)
    weights, befores = p[at.X_WEIGHTS], p[at.S_WEIGHTS]
    after = _ratio(wf[weights + number], wf[weights + op])
    if sf[befores + op] <= 0.0:
        return after
    before = _ratio(sf[befores + number], sf[befores + op])
    return before + (after - before) * (moment / wf[at.Y_DT])


@part
def weight_at(p, q, si, sf, wi, wf, op, moment):
    """The absolute weight of an op at a moment of this step (`core.graph.op.Run.weight_at`)."""
    ops, found = p[at.H_OP_COUNT], p[at.X_SHARES]
    for k in range(op, ops):
        wf[found + k] = 0.0
    wf[found + ops - 1] = 1.0
    for k in range(ops - 1, op, -1):
        if wf[found + k] <= 0.0 or wi[p[at.W_RELEVANT] + k] == 0:
            continue
        r = row_of(p, k)
        for n in range(p[r + at.O_INPUT_COUNT]):
            number = p[p[r + at.O_INPUTS] + n]
            if number >= op and wi[p[at.W_RELEVANT] + number] != 0:
                share = _share_at(p, q, si, sf, wi, wf, k, number, moment)
                wf[found + number] = max(wf[found + number], wf[found + k] * share)
    return wf[found + op]

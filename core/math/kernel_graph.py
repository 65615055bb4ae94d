# mypy: disable-error-code="no-untyped-def"
"""The step of an animation graph in one call (compiled). Twin: `core.graph.instance`; arrays: `kernel_graph_layout`.

An inner step goes through its values, its logic (weights and times), its poses, and its end. Where something happens
that is not of every step, or an op has no kernel, the call returns and says what Python has to do before it goes on:
the whole logic of this step, which is then as it was before it, or the pose of one op.
"""

import numpy as np
from numba import boolean, carray, float64, int64, njit, void

from core.math import kernel_graph_additive as additive
from core.math import kernel_graph_layers as layers
from core.math import kernel_graph_layout as at
from core.math import kernel_graph_machine as machine
from core.math import kernel_graph_mix as mix
from core.math import kernel_graph_play as play
from core.math.kernel_graph_call import ARRAYS, address, call
from core.math.kernel_graph_machine_pose import machine_pose
from core.math.kernel_graph_parts import (
    buffer_size,
    copied,
    motion_of,
    no_motion,
    part,
    result_of,
    row_of,
)
from core.math.kernel_graph_players import remaining
from core.math.kernel_graph_rigid import composed, read_rigid, unit_motion
from core.math.kernel_graph_values import map_value, run_rows
from core.math.kernel_memory import doubles, longs

WEIGH, ADVANCE, REMAINING, PERIOD, OFFER = range(5)
LOGIC = {
    "passing": {WEIGH: mix.passing_weigh, OFFER: mix.passing_offer},
    "first": {WEIGH: mix.passing_weigh, OFFER: mix.first_offer},
    "clip": {
        ADVANCE: play.clip_advance,
        REMAINING: play.clip_remaining,
        PERIOD: play.clip_period,
    },
    "blend": {WEIGH: mix.blend_weigh, OFFER: mix.blend_offer},
    "additive": {WEIGH: additive.additive_weigh, OFFER: mix.first_offer},
    "layered": {WEIGH: layers.layered_weigh, OFFER: mix.first_offer},
    "mirror": {WEIGH: mix.passing_weigh, ADVANCE: layers.mirror_advance, OFFER: mix.first_offer},
    "machine": {WEIGH: machine.machine_weigh, OFFER: machine.machine_offer},
}
"""What is called for the logic of each kind of op; `PoseOp.LOGIC` names an entry."""
PLAYERS = ("clip",)
"""Entries whose ops are players themselves, which `OFFER` of the others leads to."""
POSES = {
    "rest": mix.rest_pose,
    "output": mix.output_pose,
    "clip": play.clip_pose,
    "additive_clip": additive.additive_clip_pose,
    "additive": additive.additive_pose,
    "blend": mix.blend_pose,
    "curve": mix.curve_pose,
    "layered": layers.layered_pose,
    "mirror": layers.mirror_pose,
    "machine": machine_pose,
}
"""What makes the pose of each kind of op; `PoseOp.POSE` names an entry."""


def addresses() -> tuple[dict[str, list[int]], dict[str, int], int]:
    """Addresses: of each entry of `LOGIC` in the order of `kernel_graph_layout.O_WEIGH` and on, of `POSES`, of maps."""
    logic = {
        kind: [address(hooks[k]) if k in hooks else 0 for k in range(5)] for kind, hooks in LOGIC.items()
    }
    for kind in PLAYERS:
        logic[kind][OFFER] = at.PLAYS
    return logic, {kind: address(hook) for kind, hook in POSES.items()}, address(map_value)


# ---------------------------------------------------------------- values
@part
def _read(p, q, si, sf, wi, wf, row):
    """What the graph says of itself at the step's beginning."""
    kind, a, b = p[row + 1], p[row + 2], p[row + 3]
    if kind == at.READ_CURVE:
        return sf[p[at.S_LAST_CURVES] + a]
    if kind == at.READ_FLOAT:
        return sf[a]
    if kind == at.READ_STATE:
        return np.float64(p[b + 1 + si[a]])
    if kind == at.READ_WEIGHT:
        return sf[p[at.S_WEIGHTS] + a]
    if kind == at.READ_REMAINING:
        return min(remaining(p, q, si, sf, wi, wf, a), 1e12)
    if kind == at.READ_INT:
        return np.float64(si[a])
    return 0.0


@part
def _fill(p, q, si, sf, wi, wf, dt):
    """Write the step's seconds, the triggers and the reads into the registers; nothing is flagged yet."""
    sf[0] = dt
    for k in range(p[at.H_VARIABLE_COUNT]):
        v = p[at.H_VARIABLES] + k * at.VARIABLE_WIDTH
        if p[v + 1] != 0:
            sf[p[v]] = 1.0 if sf[p[at.S_PENDING] + k] >= 0.0 else 0.0
    for k in range(p[at.H_FILL_COUNT]):
        row = p[at.H_FILLS] + k * at.READ_WIDTH
        sf[p[row]] = _read(p, q, si, sf, wi, wf, row)
    for k in range(p[at.H_OP_COUNT]):
        wi[p[at.W_FLAGS] + k] = 0


# ---------------------------------------------------------------- logic
@part
def _begin_logic(p, wi, wf, dt):
    """Clear what the last step left; the Output counts in full."""
    ops = p[at.H_OP_COUNT]
    wf[at.Y_DT] = dt
    wi[at.D_BUFFERS] = wi[at.D_VISITS] = wi[at.D_STOPPED] = wi[at.D_PLAIN] = 0
    for k in range(ops):
        wf[p[at.X_WEIGHTS] + k] = 0.0
        wf[p[at.X_SPANS] + k] = wf[p[at.X_STOPS] + k] = dt
        wi[p[at.W_RELEVANT] + k] = 0
        wi[p[at.W_LEAVING] + k] = 1
        wi[p[at.W_SLOT] + k] = -1
    for k in range(p[at.H_VARIABLE_COUNT]):
        wi[p[at.W_TAKEN] + k] = 0
    wf[p[at.X_WEIGHTS] + ops - 1] = 1.0
    wi[p[at.W_RELEVANT] + ops - 1], wi[p[at.W_LEAVING] + ops - 1] = 1, 0


@part
def _weigh_and_advance(p, q, si, sf, wi, wf):
    """Weights from the Output down, then times; whether nothing happened that is Python's."""
    ops = p[at.H_OP_COUNT]
    for op in range(ops - 1, -1, -1):
        there = wi[p[at.W_RELEVANT] + op]
        if there != si[p[at.S_RELEVANT] + op]:
            return False
        function = p[row_of(p, op) + at.O_WEIGH]
        if there != 0 and function != 0:
            call(function, p, q, si, sf, wi, wf, op)
            if wi[at.D_STOPPED] != 0:
                return False
    for op in range(ops):
        function = p[row_of(p, op) + at.O_ADVANCE]
        if function != 0 and wi[p[at.W_RELEVANT] + op] != 0:
            call(function, p, q, si, sf, wi, wf, op)
            if wi[at.D_STOPPED] != 0:
                return False
    return True


@part
def _logic(p, q, si, sf, wi, wf):
    """The logic of a quiet step; else all is put back as it was."""
    if p[at.H_PLAIN_LOGIC] != 0:
        return False
    events = wi[at.D_EVENTS]
    copied(sf, p[at.S_FLOATS], wf, p[at.X_BACKUP], p[at.S_FLOAT_COUNT])
    copied(si, p[at.S_INTS], wi, p[at.W_BACKUP], p[at.S_INT_COUNT])
    if _weigh_and_advance(p, q, si, sf, wi, wf):
        return True
    copied(wf, p[at.X_BACKUP], sf, p[at.S_FLOATS], p[at.S_FLOAT_COUNT])
    copied(wi, p[at.W_BACKUP], si, p[at.S_INTS], p[at.S_INT_COUNT])
    wi[at.D_EVENTS] = events
    return False


# ---------------------------------------------------------------- poses
@part
def _poses(p, q, si, sf, wi, wf):
    """From the leaves up, each once; the op that Python has to pose is in `D_OP`, and −1 where all are there."""
    for op in range(wi[at.D_OP], p[at.H_OP_COUNT]):
        if wi[p[at.W_RELEVANT] + op] != 1 or wi[p[at.W_SLOT] + op] >= 0:
            continue
        wi[p[at.W_VISITS] + wi[at.D_VISITS]] = op
        wi[at.D_VISITS] += 1
        function = p[row_of(p, op) + at.O_POSE]
        wi[at.D_STOPPED] = 0
        if function != 0:
            call(function, p, q, si, sf, wi, wf, op)
        if function == 0 or wi[at.D_STOPPED] != 0:
            wi[at.D_OP] = op
            return False
    return True


@part
def _finish(p, si, sf, wi, wf):
    """Put the result to its place, with the motion so far, and what the next step looks back at."""
    ops, size, out, dt = p[at.H_OP_COUNT], buffer_size(p), p[at.X_OUT], wf[at.Y_DT]
    found = result_of(p, wi, ops - 1)
    copied(wf, found, wf, out, size)
    motion, whole = motion_of(p, found), motion_of(p, out)
    moved = composed(read_rigid(wf, whole), read_rigid(wf, motion))
    for k in range(7):
        wf[whole + k] = moved[k]
    for k in range(7, 10):
        wf[whole + k] *= wf[motion + k]
    copied(wf, out + 10 * p[at.H_BONES], sf, p[at.S_LAST_CURVES], p[at.H_CURVES])
    for k in range(ops):
        sf[p[at.S_WEIGHTS] + k] = wf[p[at.X_WEIGHTS] + k]
        si[p[at.S_RELEVANT] + k] = wi[p[at.W_RELEVANT] + k]
    for k in range(p[at.H_VARIABLE_COUNT]):
        place = p[at.S_PENDING] + k
        if p[p[at.H_VARIABLES] + k * at.VARIABLE_WIDTH + 1] != 0 and sf[place] >= 0.0 and dt > 0.0:
            left = sf[place] - dt
            sf[place] = -1.0 if wi[p[at.W_TAKEN] + k] != 0 or left < 0.0 else left
    si[at.S_STEPS] += 1


@part
def _tell(p, si, wi, wf):
    """What a result tells beside the pose: weights, and the active state of each machine."""
    size = buffer_size(p) + at.MOTION
    copied(wf, p[at.X_WEIGHTS], wf, p[at.X_OUT] + size, p[at.H_OP_COUNT])
    unit_motion(wf, motion_of(p, p[at.X_OUT]))
    number = p[at.W_ACTIVE]
    for op in range(p[at.H_OP_COUNT]):
        if p[row_of(p, op) + at.O_MACHINE] != 0:
            wi[number] = si[p[row_of(p, op) + at.O_INTS]]
            number += 1


@part
def _run(p, q, si, sf, wi, wf, dt, inners, seed, asks):
    """All inner steps; see `step`."""
    while wi[at.D_INNER] < inners:
        if wi[at.D_PHASE] == at.VALUES:
            wi[at.D_PHASE] = at.LOGIC
            if asks:
                _begin_logic(p, wi, wf, dt)
                return at.ASK_VALUES
            _fill(p, q, si, sf, wi, wf, dt)
            run_rows(p, q, si, sf, wi, wf, 0, p[at.H_ROW_COUNT], seed)
        if wi[at.D_PHASE] == at.LOGIC:
            wi[at.D_PHASE], wi[at.D_OP] = at.POSES, 0
            _begin_logic(p, wi, wf, dt)
            if not _logic(p, q, si, sf, wi, wf):
                _begin_logic(p, wi, wf, dt)
                wi[at.D_PLAIN] = 1
                return at.ASK_LOGIC
        if wi[at.D_PHASE] == at.POSES:
            if not _poses(p, q, si, sf, wi, wf):
                return at.ASK_POSE
            wi[at.D_PHASE] = at.FINISH
            if wi[at.D_PLAIN] != 0:
                return at.ASK_END
        _finish(p, si, sf, wi, wf)
        wi[at.D_PHASE] = at.VALUES
        wi[at.D_INNER] += 1
    _tell(p, si, wi, wf)
    return at.DONE


@njit(int64(*ARRAYS, float64, int64, int64, boolean, boolean), cache=True, error_model="numpy")
def step(p, q, si, sf, wi, wf, dt, inners, seed, asks, again):
    """Move an instance on by some inner steps of `dt` seconds.

    Parameters
    ----------
    seed : of the expressions' random numbers
    asks : whether expressions ask Python for something
    again : go on where a call stopped

    Returns
    -------
    status : `DONE`, or what Python has to do before the next call
    """
    if not again:
        wi[at.D_EVENTS] = wi[at.D_INNER] = 0
        wi[at.D_PHASE] = at.VALUES
        no_motion(wf, motion_of(p, p[at.X_OUT]))
    return _run(p, q, si, sf, wi, wf, dt, inners, seed, asks)


@njit(
    int64(
        int64[::1], float64[::1], int64[::1], float64[::1], int64[:, ::1], float64, int64, int64[::1],
        float64[:, ::1], int64[:, ::1], int64,
    ),
    cache=True,
    error_model="numpy",
)  # fmt: skip
def crowd(p, q, wi, wf, states, dt, inners, seeds, numbers, whole, begin):
    """As `step` for many instances of one plan, one after the other.

    Parameters
    ----------
    states : ``(n, 4)`` addresses and sizes of si and sf of each
    numbers, whole : ``(n, …)`` to write: what each result tells, and its visits, active states and flags
    begin : the instance to begin with

    Returns
    -------
    number : of the instance that Python has to finish, or to read the events of; n where none is left
    """
    for k in range(begin, len(states)):
        si = carray(longs(states[k, 0]), (states[k, 1],))
        sf = carray(doubles(states[k, 2]), (states[k, 3],))
        wi[at.D_EVENTS] = wi[at.D_INNER] = 0
        wi[at.D_PHASE] = at.VALUES
        no_motion(wf, motion_of(p, p[at.X_OUT]))
        wi[at.D_STATUS] = _run(p, q, si, sf, wi, wf, dt, inners, seeds[k], False)
        if wi[at.D_STATUS] != at.DONE or wi[at.D_EVENTS] > 0:
            return k
        copied(wf, p[at.X_OUT], numbers[k], 0, numbers.shape[1])
        ops = p[at.H_OP_COUNT]
        whole[k, 0] = wi[at.D_VISITS]
        copied(wi, p[at.W_VISITS], whole[k], 1, ops)
        copied(wi, p[at.W_ACTIVE], whole[k], 1 + ops, ops)
        copied(wi, p[at.W_FLAGS], whole[k], 1 + 2 * ops, ops)
    return len(states)


@njit(void(*ARRAYS, float64), cache=True, error_model="numpy")
def fill(p, q, si, sf, wi, wf, dt):
    """Write seconds, triggers and reads into the registers; for plans whose expressions ask Python."""
    _fill(p, q, si, sf, wi, wf, dt)


@njit(void(*ARRAYS, int64, int64, int64), cache=True, error_model="numpy")
def rows(p, q, si, sf, wi, wf, begin, end, seed):
    """Run some rows of the expressions, between two that Python answers."""
    run_rows(p, q, si, sf, wi, wf, begin, end, seed)

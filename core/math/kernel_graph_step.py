# mypy: disable-error-code="no-untyped-def"
"""The parts of a step of an animation graph: values, logic, poses, end (compiled). See `kernel_graph`."""

import numpy as np

from core.math import kernel_graph_layout as at
from core.math.kernel_graph_call import call
from core.math.kernel_graph_parts import buffer_size, copied, motion_of, no_motion, part, result_of, row_of
from core.math.kernel_graph_players import remaining
from core.math.kernel_graph_rigid import composed, read_rigid, unit_motion
from core.math.kernel_graph_sync import advance_group
from core.math.kernel_graph_values import run_rows


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
def write_reads(p, q, si, sf, wi, wf, dt):
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
def begin_logic(p, wi, wf, dt):
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
    for group in range(p[at.H_GROUP_COUNT]):
        advance_group(p, q, si, sf, wi, wf, p[at.H_GROUPS] + group * at.GROUP_WIDTH)
        if wi[at.D_STOPPED] != 0:
            return False
    return True


@part
def logic(p, q, si, sf, wi, wf):
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
def poses(p, q, si, sf, wi, wf):
    """From the leaves up, each once; the op that Python has to pose is in `D_OP`, and −1 where all are there."""
    for op in range(wi[at.D_OP], p[at.H_OP_COUNT]):
        if wi[p[at.W_RELEVANT] + op] != 1 or wi[p[at.W_SLOT] + op] >= 0:
            continue
        wi[p[at.W_VISITS] + wi[at.D_VISITS]] = op
        wi[at.D_VISITS] += 1
        if wi[p[at.W_READY] + op] >= 0:
            wi[p[at.W_SLOT] + op] = wi[p[at.W_READY] + op]
            continue
        function = p[row_of(p, op) + at.O_POSE]
        wi[at.D_STOPPED] = 0
        if function != 0:
            call(function, p, q, si, sf, wi, wf, op)
        if function == 0 or wi[at.D_STOPPED] != 0:
            wi[at.D_OP] = op
            return False
    return True


@part
def finish(p, si, sf, wi, wf):
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
def tell(p, si, wi, wf):
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
def begin(p, wi, wf):
    """Nothing is done yet."""
    wi[at.D_EVENTS] = wi[at.D_INNER] = 0
    wi[at.D_PHASE] = at.VALUES
    no_motion(wf, motion_of(p, p[at.X_OUT]))


@part
def _acts(p, si, sf, asks):
    """Whether the update sheet, the host or a montage that plays makes this step Python's, too."""
    for k in range(p[at.H_ACT_COUNT]):
        if sf[p[p[at.H_ACTS] + k]] != 0.0:
            return True
    place = p[at.H_MONTAGES]
    for k in range(p[place]):
        if si[p[place + 1 + k]] != 0:
            return True
    return asks & at.COMMANDED != 0


@part
def think(p, q, si, sf, wi, wf, dt, seed, asks):
    """Values and logic of an inner step; `DONE`, or what Python has to do."""
    if wi[at.D_PHASE] == at.VALUES:
        wi[at.D_PHASE], wi[at.D_ACTED] = at.LOGIC, 0
        if asks & at.ANSWERS != 0:
            begin_logic(p, wi, wf, dt)
            return at.ASK_VALUES
        write_reads(p, q, si, sf, wi, wf, dt)
        run_rows(p, q, si, sf, wi, wf, 0, p[at.H_ROW_COUNT], seed)
        if _acts(p, si, sf, asks):
            begin_logic(p, wi, wf, dt)
            return at.ASK_ACT
    if wi[at.D_PHASE] == at.LOGIC:
        wi[at.D_PHASE], wi[at.D_OP] = at.POSES, 0
        begin_logic(p, wi, wf, dt)
        if not logic(p, q, si, sf, wi, wf):
            begin_logic(p, wi, wf, dt)
            wi[at.D_PLAIN] = 1
            return at.ASK_LOGIC
    return at.DONE


@part
def run(p, q, si, sf, wi, wf, dt, inners, seed, asks):
    """All inner steps; see `kernel_graph.step`."""
    while wi[at.D_INNER] < inners:
        status = think(p, q, si, sf, wi, wf, dt, seed, asks)
        if status != at.DONE:
            return status
        if wi[at.D_PHASE] == at.POSES:
            if not poses(p, q, si, sf, wi, wf):
                return at.ASK_POSE
            wi[at.D_PHASE] = at.FINISH
            if wi[at.D_PLAIN] != 0:
                return at.ASK_END
        finish(p, si, sf, wi, wf)
        wi[at.D_PHASE] = at.VALUES
        wi[at.D_INNER] += 1
    tell(p, si, wi, wf)
    return at.DONE

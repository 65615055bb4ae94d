# mypy: disable-error-code="no-untyped-def"
"""State machines: the pose (compiled). Twin: `core.graph.machine.MachineOp.pose`."""

from core.math import kernel_graph_layout as at
from core.math.kernel_graph_call import hook
from core.math.kernel_graph_inertia import (
    LAST_STEP,
    STEP,
    curves_left,
    dead_pose,
    eased,
    inertialised,
    remember_speed,
    source_motion,
)
from core.math.kernel_graph_mix import mix_curves, mix_local, mix_motions
from core.math.kernel_graph_parts import (
    buffer_size,
    copied,
    motion_of,
    new_buffer,
    part,
    put_result,
    result_of,
    row_of,
    stop,
)
from core.math.kernel_graph_rigid import unit_motion
from core.math.kernel_graph_stack import (
    BEFORE,
    FREEZE,
    LAST,
    MOST,
    TARGET,
    Y_BEFORE,
    Y,
    copy_kept,
    data_of,
    fade,
    inertia_floats,
    inertia_ints,
    kept_place,
    plain_parts,
    state_row,
    state_weights,
    transition_row,
    visit_count,
    visit_ints,
)


@part
def _source(p, si, sf, wi, wf, op, level):
    """Place in wf of the pose of a visit."""
    state = si[visit_ints(p, op, level)]
    if state != at.FROZEN:
        return result_of(p, wi, p[state_row(p, op, state) + at.ST_ROOT])
    buffer = new_buffer(p, wi)
    copied(sf, kept_place(p, op, FREEZE), wf, buffer, buffer_size(p))
    return buffer


@part
def _faded(p, q, si, sf, wi, wf, op, out):
    """The states' poses faded over each other."""
    count, found = visit_count(p, si, op), _source(p, si, sf, wi, wf, op, 0)
    for level in range(1, count):
        weight, source = fade(p, q, si, sf, wi, wf, op, level, 0.0), _source(p, si, sf, wi, wf, op, level)
        mixed = out if (count - level) % 2 else new_buffer(p, wi)
        mix_local(p, wf, found, source, 1.0 - weight, weight, mixed)
        mix_curves(p, wf, found, source, 1.0 - weight, weight, mixed)
        found = mixed


@part
def _motion(p, q, si, sf, wi, wf, op, out):
    """Root motion of the states by the mean of their weights at both ends of the step."""
    states, count, begun = p[data_of(p, op) + at.M_STATE_COUNT], 0, p[row_of(p, op) + at.O_CARRIED]
    ended = p[at.X_PARTS]
    state_weights(p, q, si, sf, wi, wf, op, ended, 0.0)
    for k in range(states):
        share = (wf[begun + k] + wf[ended + k]) / 2.0
        root = p[state_row(p, op, k) + at.ST_ROOT]
        if share > 0.0 and wi[p[at.W_RELEVANT] + root] != 0:
            wi[p[at.W_LIST] + count] = motion_of(p, result_of(p, wi, root))
            wf[p[at.X_SHARES] + count] = share
            count += 1
    mix_motions(p, wi, wf, count, motion_of(p, out))
    unit_motion(wf, motion_of(p, out))


@part
def _mean_share(p, q, si, sf, wi, wf, t, seconds, elapsed, span):
    """The mean weight of the target over the part of a step after a switch (`core.graph.inertial.mean_share`)."""
    first = max(elapsed - span, 0.0)
    last = min(elapsed, seconds)
    if elapsed <= first:
        return eased(p, q, si, sf, wi, wf, t, elapsed / seconds)
    blended = 0.0
    if last > first:
        blended = eased(p, q, si, sf, wi, wf, t, first / seconds) + eased(
            p, q, si, sf, wi, wf, t, last / seconds
        )
    return min((blended / 2.0 * max(last - first, 0.0) + elapsed - max(last, first)) / (elapsed - first), 1.0)


@part
def _with_source_motion(p, q, si, sf, wi, wf, op, out, t):
    """Mix what the source would move at the speed that it had into the root motion."""
    f, span = inertia_floats(p, op), wf[p[at.X_SPANS] + op]
    share = _mean_share(p, q, si, sf, wi, wf, t, sf[f + 1], sf[f], span)
    if span <= 0.0 or share >= 1.0:
        return
    source = new_buffer(p, wi)
    own, target = source + at.MOTION, motion_of(p, out)
    source_motion(sf, wf, f, span, source)
    copied(wf, target, wf, own, at.MOTION)
    wi[p[at.W_LIST]], wi[p[at.W_LIST] + 1] = source, own
    wf[p[at.X_SHARES]], wf[p[at.X_SHARES] + 1] = 1.0 - share, share
    mix_motions(p, wi, wf, 2, target)


@part
def _with_inertia(p, q, si, sf, wi, wf, op, out):
    """Put on what is left of an inertial blend."""
    i, f = inertia_ints(p, op), inertia_floats(p, op)
    if si[i] == 0:
        return
    if si[i] < 0:
        # The offset is from the target as it stands at the end of the step of the switch (see the twin).
        copied(wf, out, sf, kept_place(p, op, TARGET), buffer_size(p))
        si[i] = -si[i]
    elapsed, seconds, step = sf[f], sf[f + 1], sf[f + STEP]
    t = transition_row(p, op, si[i] - 1)
    _with_source_motion(p, q, si, sf, wi, wf, op, out, t)
    if elapsed >= seconds:
        si[i] = 0
        return
    share = eased(p, q, si, sf, wi, wf, t, elapsed / seconds)
    target, y, before = kept_place(p, op, TARGET), kept_place(p, op, Y), kept_place(p, op, Y_BEFORE)
    if p[t + at.TR_KIND] == at.KIND_DEAD:
        dead, aim = new_buffer(p, wi), new_buffer(p, wi)
        dead_pose(p, sf, wf, target, y, before, dead, step, elapsed)
        copied(wf, out, wf, aim, 10 * p[at.H_BONES])
        mix_local(p, wf, dead, aim, 1.0 - share, share, out)
    else:
        inertialised(p, sf, wf, target, y, before, out, step, seconds, elapsed)
    curves_left(p, sf, wf, target, y, before, out, step, seconds, elapsed)


@part
def _remember(p, si, sf, wf, op, out):
    """Keep the last two outputs, for blends that go on from them."""
    if wf[at.Y_DT] <= 0.0:
        return
    i, f = inertia_ints(p, op), inertia_floats(p, op)
    copy_kept(p, sf, op, LAST, BEFORE)
    copied(wf, out, sf, kept_place(p, op, LAST), buffer_size(p))
    si[i + 1] = min(si[i + 1] + 1, 2)
    sf[f + LAST_STEP] = wf[at.Y_DT]
    remember_speed(p, sf, wf, op, f, motion_of(p, out))


@hook
def machine_pose(p, q, si, sf, wi, wf, op):
    """The states' poses faded over each other, with what is left of an inertial blend."""
    if wi[at.D_PLAIN] != 0 or visit_count(p, si, op) > MOST + 1 or plain_parts(p, si, op) != 0:
        stop(wi)  # its step had several parts, whose root motions it puts together; or a blend by bone
        return
    out = new_buffer(p, wi)
    if visit_count(p, si, op) == 1:
        copied(wf, _source(p, si, sf, wi, wf, op, 0), wf, out, buffer_size(p))
    else:
        _faded(p, q, si, sf, wi, wf, op, out)
    _motion(p, q, si, sf, wi, wf, op, out)
    _with_inertia(p, q, si, sf, wi, wf, op, out)
    _remember(p, si, sf, wf, op, out)
    put_result(p, wi, op, out)

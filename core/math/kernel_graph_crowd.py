# mypy: disable-error-code="no-untyped-def"
"""A step of many instances of one plan (compiled): the logic of all, then what all sample, then all poses.

Players of the same tracks are sampled one after the other by time, whoever they belong to: their keys are then read
once for all that lie between the same two, and are near at hand. Sampling does not depend on what was sampled before,
so every instance gets the bits of a step by itself.
"""

from numba import carray, float64, int64, njit, void

from core.math import kernel_graph_layout as at
from core.math.kernel_graph_call import ask, call
from core.math.kernel_graph_parts import copied, part, row_of
from core.math.kernel_graph_step import begin, begin_logic, run, think
from core.math.kernel_memory import doubles, longs

PLAN = (int64[::1], float64[::1], int64[::1], float64[::1])
WHOLE, NUMBERS = int64[:, ::1], float64[:, ::1]


@part
def _whole_of(states, k):
    """The ints `si` of instance `k`, in place: a view at the address in its row of `states`."""
    return carray(longs(states[k, 0]), (states[k, 1],))


@part
def _numbers_of(states, k):
    """The floats `sf` of instance `k`, in place: a view at the address in its row of `states`."""
    return carray(doubles(states[k, 2]), (states[k, 3],))


@part
def _note_ahead(p, q, si, sf, wi, wf, k, entries, times):
    """List the ops of an instance whose poses can be made ahead."""
    for op in range(p[at.H_OP_COUNT]):
        row = row_of(p, op)
        if p[row + at.O_GROUP] < 0 or wi[p[at.W_RELEVANT] + op] != 1:
            continue
        number = wi[at.D_AHEAD]
        entries[number, 0], entries[number, 1], entries[number, 2] = k, op, p[row + at.O_GROUP]
        times[number] = ask(p[row + at.O_WHERE], p, q, si, sf, wi, wf, op)
        wi[at.D_AHEAD] = number + 1


@part
def _tell(p, wi, wf, numbers, whole):
    """Write what a result tells: its numbers; then its visits, active states and flags."""
    ops = p[at.H_OP_COUNT]
    copied(wf, p[at.X_OUT], numbers, 0, len(numbers))
    whole[0] = wi[at.D_VISITS]
    copied(wi, p[at.W_VISITS], whole, 1, ops)
    copied(wi, p[at.W_ACTIVE], whole, 1 + ops, ops)
    copied(wi, p[at.W_FLAGS], whole, 1 + 2 * ops, ops)


@njit(
    int64(
        *PLAN, WHOLE, float64, int64, int64[::1], WHOLE, NUMBERS, WHOLE, NUMBERS, WHOLE, float64[::1], int64
    ),
    cache=True,
    error_model="numpy",
    nogil=True,
)
def decide(
    p, q, wi, wf, states, dt, inners, seeds, told, told_numbers, left, left_numbers, entries, times, first
):
    """Values and logic of many instances, in their order; of some the whole step.

    Parameters
    ----------
    states : ``(n, 4)`` addresses and sizes of si and sf of each
    told, told_numbers : ``(n, …)`` to write for the instances whose step is done
    left, left_numbers : ``(n, …)`` to write for the others: what logic leaves for the poses, and in the last column
        the first of their entries; −1 where the step is done. No rows: every step is done at once
    entries, times : ``(m, 3)`` instance, op and group of what can be made ahead, and its place in its tracks;
        `D_AHEAD` counts them
    first : the instance to begin with

    Returns
    -------
    number : of the instance that Python has to finish, or to read the events of; n where none is left
    """
    ops = p[at.H_OP_COUNT]
    if first == 0:
        wi[at.D_AHEAD] = 0
    for k in range(first, len(states)):
        si, sf = _whole_of(states, k), _numbers_of(states, k)
        begin(p, wi, wf)
        status = think(p, q, si, sf, wi, wf, dt, seeds[k], 0)
        if status == at.DONE and wi[at.D_EVENTS] == 0 and len(left) > 0:
            copied(wi, p[at.W_RELEVANT], left[k], 0, 3 * ops)
            copied(wf, p[at.X_WEIGHTS], left_numbers[k], 0, ops + p[at.H_CARRIED])
            left[k, 3 * ops] = wi[at.D_AHEAD]
            _note_ahead(p, q, si, sf, wi, wf, k, entries, times)
            continue
        if len(left) > 0:
            left[k, 3 * ops] = -1
        if status == at.DONE:
            status = run(p, q, si, sf, wi, wf, dt, inners, seeds[k], 0)
        wi[at.D_STATUS] = status
        if status != at.DONE or wi[at.D_EVENTS] > 0:
            return k
        _tell(p, wi, wf, told_numbers[k], told[k])
    return len(states)


@njit(void(*PLAN, WHOLE, float64, WHOLE, int64[::1], int64[::1]), cache=True, error_model="numpy", nogil=True)
def sample(p, q, wi, wf, states, dt, entries, order, slots):
    """Make the poses that can be made ahead.

    Parameters
    ----------
    order : ``(m,)`` in which the entries are taken
    slots : ``(m,)`` to write: places of the results in wf
    """
    wf[at.Y_DT] = dt
    number = p[at.H_AHEAD]
    for j in order:
        k, op = entries[j, 0], entries[j, 1]
        wi[at.D_BUFFERS], wi[at.D_STOPPED] = number, 0
        call(p[row_of(p, op) + at.O_POSE], p, q, _whole_of(states, k), _numbers_of(states, k), wi, wf, op)
        slots[j] = wi[p[at.W_SLOT] + op]
        number += 1  # an op's result is the first buffer that it takes


@part
def _resume(p, wi, wf, dt, left, numbers, k, entries, slots):
    """Go back to where an instance's logic was done, with the poses that were made ahead."""
    ops, ready = p[at.H_OP_COUNT], p[at.W_READY]
    begin(p, wi, wf)
    begin_logic(p, wi, wf, dt)
    wi[at.D_PHASE], wi[at.D_OP], wi[at.D_ACTED] = at.POSES, 0, 0
    copied(left, 0, wi, p[at.W_RELEVANT], 3 * ops)
    copied(numbers, 0, wf, p[at.X_WEIGHTS], ops + p[at.H_CARRIED])
    for op in range(ops):
        wi[ready + op] = -1
    entry = left[3 * ops]
    while entry < len(slots) and entries[entry, 0] == k:
        wi[ready + entries[entry, 1]] = slots[entry]
        entry += 1


@njit(
    int64(*PLAN, WHOLE, float64, WHOLE, NUMBERS, WHOLE, NUMBERS, WHOLE, int64[::1], int64),
    cache=True,
    error_model="numpy",
    nogil=True,
)
def finish(p, q, wi, wf, states, dt, told, told_numbers, left, left_numbers, entries, slots, first):
    """Poses of the instances whose logic is done, and what their steps tell; see `decide`.

    Parameters
    ----------
    slots : ``(m,)`` places of the results that were made ahead

    Returns
    -------
    number : of the instance that Python has to finish; n where none is left
    """
    ops = p[at.H_OP_COUNT]
    for k in range(first, len(states)):
        if left[k, 3 * ops] < 0:
            continue
        _resume(p, wi, wf, dt, left[k], left_numbers[k], k, entries, slots)
        si, sf = _whole_of(states, k), _numbers_of(states, k)
        wi[at.D_STATUS] = run(p, q, si, sf, wi, wf, dt, 1, 0, 0)
        if wi[at.D_STATUS] != at.DONE:
            return k
        _tell(p, wi, wf, told_numbers[k], told[k])
    for op in range(ops):
        wi[p[at.W_READY] + op] = -1
    return len(states)

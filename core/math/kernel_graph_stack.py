# mypy: disable-error-code="no-untyped-def"
"""State machines: the stack of visits and its weights (compiled). Twin: `core.graph.machine`.

Its ints: active state, number of visits, state and transition of each; inertial transition, outputs remembered;
whether it went to its exit, the state it is asked to go to. Its floats: elapsed and duration of each visit; those of
the inertial blend (`INERTIA_FLOATS`); seconds in the state; for each state those since it was left.
"""

from core.math import kernel_graph_layout as at
from core.math.kernel_graph_inertia import INERTIA_FLOATS, eased
from core.math.kernel_graph_parts import buffer_size, copied, part, row_of

MOST = 4
"""As in `core.graph.machine_parts`."""
FREEZE, LAST, BEFORE, TARGET, Y, Y_BEFORE = range(6)
"""Poses that a machine keeps."""


# ---------------------------------------------------------------- places
@part
def data_of(p, op):
    """Place in p of an op's own numbers."""
    return p[row_of(p, op) + at.O_DATA]


@part
def active(p, si, op):
    """Number of the active state; −1 before the machine began."""
    return si[p[row_of(p, op) + at.O_INTS]]


@part
def visit_count(p, si, op):
    """How many visits are on the stack."""
    return si[p[row_of(p, op) + at.O_INTS] + 1]


@part
def visit_ints(p, op, level):
    """Place in si of a visit's state and transition."""
    return p[row_of(p, op) + at.O_INTS] + 2 + 2 * level


@part
def visit_floats(p, op, level):
    """Place in sf of a visit's elapsed and whole seconds."""
    return p[row_of(p, op) + at.O_FLOATS] + 2 * level


@part
def inertia_ints(p, op):
    """Place in si of the inertial transition and of how many outputs are remembered."""
    return p[row_of(p, op) + at.O_INTS] + 2 + 2 * p[data_of(p, op) + at.M_SLOTS]


@part
def inertia_floats(p, op):
    """Place in sf of the floats of the inertial blend."""
    return p[row_of(p, op) + at.O_FLOATS] + 2 * p[data_of(p, op) + at.M_SLOTS]


@part
def time_place(p, op):
    """Place in sf of the seconds in the state."""
    return inertia_floats(p, op) + INERTIA_FLOATS


@part
def left_place(p, op):
    """Place in sf of the seconds since each state was left."""
    return inertia_floats(p, op) + INERTIA_FLOATS + 1


@part
def state_row(p, op, state):
    """Place in p of a state's row."""
    return p[data_of(p, op) + at.M_STATES] + state * at.STATE_WIDTH


@part
def transition_row(p, op, transition):
    """Place in p of a transition's row."""
    return p[data_of(p, op) + at.M_TRANSITIONS] + transition * at.TRANSITION_WIDTH


@part
def kept_place(p, op, slot):
    """Place in sf of one of the machine's poses."""
    return p[row_of(p, op) + at.O_POSES] + slot * buffer_size(p)


@part
def copy_kept(p, sf, op, source, target):
    """Copy one of the machine's poses (`FREEZE` …) over another, within sf."""
    copied(sf, kept_place(p, op, source), sf, kept_place(p, op, target), buffer_size(p))


# ---------------------------------------------------------------- weights
@part
def fade(p, q, si, sf, wi, wf, op, level, later):
    """How far a visit is faded in over what lies below it some seconds later; the lowest is 1."""
    if level == 0:
        return 1.0
    f = visit_floats(p, op, level)
    share = (sf[f] + later) / sf[f + 1] if sf[f + 1] > 0.0 else 1.0
    return eased(p, q, si, sf, wi, wf, transition_row(p, op, si[visit_ints(p, op, level) + 1]), share)


@part
def state_weights(p, q, si, sf, wi, wf, op, place, later):
    """Weight of each state in the machine's pose some seconds later, to a place in wf."""
    for k in range(p[data_of(p, op) + at.M_STATE_COUNT]):
        wf[place + k] = 0.0
    left = 1.0
    for level in range(visit_count(p, si, op) - 1, -1, -1):
        share, state = fade(p, q, si, sf, wi, wf, op, level, later), si[visit_ints(p, op, level)]
        if state >= 0:
            wf[place + state] += left * share
        left *= 1.0 - share


@part
def plain_parts(p, si, op):
    """The largest `TR_PLAIN` of the transitions that run."""
    found = 0
    for level in range(1, visit_count(p, si, op)):
        row = transition_row(p, op, si[visit_ints(p, op, level) + 1])
        found = max(found, p[row + at.TR_PLAIN])
    code = si[inertia_ints(p, op)]
    if code != 0:
        found = max(found, p[transition_row(p, op, abs(code) - 1) + at.TR_PLAIN])
    return found

# mypy: disable-error-code="no-untyped-def"
"""Which player below an op counts most, and how long it takes (compiled). Twin: `core.graph.op.PoseOp.players`."""

import math

from core.math import kernel_graph_layout as at
from core.math.kernel_graph_call import ask, call
from core.math.kernel_graph_parts import part, row_of


@part
def remaining(p, q, si, sf, wi, wf, op):
    """Seconds until a player's end at its present pace; infinite for what has none."""
    function = p[row_of(p, op) + at.O_REMAINING]
    return ask(function, p, q, si, sf, wi, wf, op) if function != 0 else math.inf


@part
def period(p, q, si, sf, wi, wf, op):
    """Seconds of a turn of a player that loops; infinite for others."""
    function = p[row_of(p, op) + at.O_PERIOD]
    return ask(function, p, q, si, sf, wi, wf, op) if function != 0 else math.inf


@part
def heaviest(p, q, si, sf, wi, wf, op):
    """The player below an op with the largest weight, the lowest of equals; −1 where there is none."""
    first, shares = p[row_of(p, op) + at.O_FIRST], p[at.X_SHARES]
    for k in range(first, op):
        wf[shares + k] = -1.0
    wf[shares + op] = 1.0
    best, most = -1, -1.0
    for k in range(op, first - 1, -1):
        weight, function = wf[shares + k], p[row_of(p, k) + at.O_OFFER]
        if weight < 0.0 or function == 0:
            continue
        if function != at.PLAYS:
            call(function, p, q, si, sf, wi, wf, k)
        elif weight >= most:
            best, most = k, weight
    return best

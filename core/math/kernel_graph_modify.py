# mypy: disable-error-code="no-untyped-def"
"""What changes a pose by an alpha, while it changes nothing; feet on level ground; the pose that a graph is given
(compiled). Twins: `core.graph.nodes.modifier`, `core.graph.nodes.feet`, `core.graph.nodes.poses.PoseInputOp`.
"""

from core.math import kernel_graph_layout as at
from core.math.kernel_graph_additive import alpha_of
from core.math.kernel_graph_call import hook
from core.math.kernel_graph_mix import write_rest
from core.math.kernel_graph_parts import ZERO, input_of, new_buffer, part, put_result, result_of, row_of, stop


@part
def _passes_through(p, q, sf, wi, wf, op):
    """Whether alpha is below what counts: the result is then that of the input."""
    base = result_of(p, wi, input_of(p, op, 0))
    if alpha_of(p, q, sf, wf, op, base) >= ZERO:
        return False
    put_result(p, wi, op, base)
    return True


@hook
def modifier_pose(p, q, si, sf, wi, wf, op):
    """The pose as it is; what changes it is Python's."""
    if not _passes_through(p, q, sf, wi, wf, op):
        stop(wi)


@hook
def feet_pose(p, q, si, sf, wi, wf, op):
    """The pose as it is where the ground has always been level."""
    if _passes_through(p, q, sf, wi, wf, op):
        return
    r = row_of(p, op)
    still = wi[at.D_GROUND] == 0
    for k in range(p[p[r + at.O_DATA] + at.A_KEPT]):
        still = still and sf[p[r + at.O_FLOATS] + k] == 0.0
    if still:
        si[p[r + at.O_INTS]] = 1
        put_result(p, wi, op, result_of(p, wi, input_of(p, op, 0)))
    else:
        stop(wi)


@hook
def given_pose(p, q, si, sf, wi, wf, op):
    """What the host gives; the rest pose where it gives none."""
    if wi[at.D_GIVEN] != 0:
        put_result(p, wi, op, p[at.X_GIVEN])
        return
    buffer = new_buffer(p, wi)
    write_rest(p, q, wf, buffer)
    put_result(p, wi, op, buffer)

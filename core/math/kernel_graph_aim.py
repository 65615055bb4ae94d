# mypy: disable-error-code="no-untyped-def"
"""Aim offsets whose samples do not move (compiled). Twin: `core.graph.nodes.additive.AimOp`."""

from core.math import kernel_graph_layout as at
from core.math.kernel_graph_call import hook
from core.math.kernel_graph_mix import mix_many
from core.math.kernel_graph_parts import motion_of, new_buffer, no_motion, put_result, row_of
from core.math.kernel_graph_space import weights_of


@hook
def aim_pose(p, q, si, sf, wi, wf, op):
    """The blended difference at its point: each sample was sampled once; it has no root motion."""
    r = row_of(p, op)
    d, out, count = p[r + at.O_DATA], new_buffer(p, wi), 0
    weights = weights_of(p, d, p[r + at.O_FLOATS])
    for k in range(p[d + at.Z_COUNT]):
        if sf[weights + k] > 0.0:
            wi[p[at.W_LIST] + count] = p[d + at.AIM_STILL] + k * p[d + at.AIM_SIZE]
            wf[p[at.X_PARTS] + count] = sf[weights + k]
            count += 1
    mix_many(p, wi, wf, count, out)
    no_motion(wf, motion_of(p, out))
    put_result(p, wi, op, out)

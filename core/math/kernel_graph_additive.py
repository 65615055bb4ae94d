# mypy: disable-error-code="no-untyped-def"
"""Additive clips and putting differences on (compiled). Twins: `core.graph.nodes.additive`, `core.pose.additive`."""

from core.math import kernel_graph_layout as at
from core.math.kernel_graph_call import hook
from core.math.kernel_graph_clips import sample
from core.math.kernel_graph_layers import local_rotations, model_rotations
from core.math.kernel_graph_parts import (
    ZERO,
    buffer_size,
    copied,
    input_of,
    kept_within,
    motion_of,
    new_buffer,
    no_motion,
    part,
    put_result,
    reach,
    result_of,
    row_of,
)
from core.math.kernel_graph_play import clip_length
from core.math.kernel_graph_rigid import slerped
from core.math.kernel_turns import mul, plain, unit


@part
def alpha_of(p, q, sf, wf, op, base):
    """How strongly a difference is put on; `base` is the result whose curve says so, or −1 for the last step's."""
    r = row_of(p, op)
    d, numbers = p[r + at.O_DATA], p[r + at.O_NUMBERS]
    curve = p[d + at.A_CURVE]
    value = sf[p[d + at.A_REGISTER]]
    if curve >= 0:
        value = sf[p[at.S_LAST_CURVES] + curve] if base < 0 else wf[base + 10 * p[at.H_BONES] + curve]
    return kept_within(value * q[numbers] + q[numbers + 1], 0.0, 1.0)


@hook
def additive_weigh(p, q, si, sf, wi, wf, op):
    """Weigh the base as the op, and the difference by the last step's alpha.

    A difference whose alpha is a curve always counts: this step's curve is known only once the base is posed.
    """
    weight, alpha = wf[p[at.X_WEIGHTS] + op], alpha_of(p, q, sf, wf, op, -1)
    reach(p, wi, wf, input_of(p, op, 0), weight, op, False)
    if alpha >= ZERO or p[p[row_of(p, op) + at.O_DATA] + at.A_CURVE] >= 0:
        reach(p, wi, wf, input_of(p, op, 1), weight * alpha, op, False)


@plain
def _difference(f, own, base, bones):
    """Turn a pose into its difference from a base, in place; rotations are compared as they stand."""
    for bone in range(bones):
        for c in range(3):
            t, s = 3 * bone + c, 7 * bones + 3 * bone + c
            f[own + t] -= f[base + t]
            f[own + s] = f[own + s] / f[base + s] - 1.0 if f[base + s] != 0.0 else 0.0
        a, b = own + 3 * bones + 4 * bone, base + 3 * bones + 4 * bone
        f[a], f[a + 1], f[a + 2], f[a + 3] = mul(
            f[a], f[a + 1], f[a + 2], f[a + 3], -f[b], -f[b + 1], -f[b + 2], f[b + 3]
        )


@plain
def _put_on(f, base, delta, out, alpha, bones, turns_base, turns_out):
    """Put a difference on; rotations are read and written at places of their own."""
    for bone in range(bones):
        for c in range(3):
            t, s = 3 * bone + c, 7 * bones + 3 * bone + c
            f[out + t] = f[base + t] + alpha * f[delta + t]
            f[out + s] = f[base + s] * (1.0 + alpha * f[delta + s])
        d, b, o = delta + 3 * bones + 4 * bone, turns_base + 4 * bone, turns_out + 4 * bone
        x, y, z, w = slerped(0.0, 0.0, 0.0, 1.0, f[d], f[d + 1], f[d + 2], f[d + 3], alpha)
        x, y, z, w = mul(x, y, z, w, f[b], f[b + 1], f[b + 2], f[b + 3])
        f[o], f[o + 1], f[o + 2], f[o + 3] = unit(x, y, z, w)


@hook
def additive_pose(p, q, si, sf, wi, wf, op):
    """The base with the difference; root motion is the base's."""
    base = result_of(p, wi, input_of(p, op, 0))
    alpha = alpha_of(p, q, sf, wf, op, base)
    if alpha < ZERO:
        put_result(p, wi, op, base)
        return
    delta, out = result_of(p, wi, input_of(p, op, 1)), new_buffer(p, wi)
    bones, curves, scratch = p[at.H_BONES], p[at.H_CURVES], p[at.X_SCRATCH]
    turns = 3 * bones
    if p[p[row_of(p, op) + at.O_DATA] + at.A_MODEL] != 0:
        model_rotations(p, wf, base + turns, scratch)
        _put_on(wf, base, delta, out, alpha, bones, scratch, scratch)
        local_rotations(p, wf, scratch, out + turns)
    else:
        _put_on(wf, base, delta, out, alpha, bones, base + turns, out + turns)
    for k in range(10 * bones, 10 * bones + curves):
        wf[out + k] = wf[base + k] + alpha * wf[delta + k]
        n = k + curves
        wf[out + n] = 1.0 if wf[base + n] != 0.0 or wf[delta + n] != 0.0 else 0.0
    copied(wf, motion_of(p, base), wf, motion_of(p, out), at.MOTION)
    put_result(p, wi, op, out)


@part
def _base_pose(p, q, wi, wf, d, t, length, place):
    """The pose that an additive clip is the difference from."""
    if p[d + at.P_BASE_CLIP] < 0:
        copied(q, p[d + at.P_BASE], wf, place, buffer_size(p))
        return
    share = q[p[d + at.P_BASE]] / length if length > 0.0 else 0.0
    sample(p, q, wi, wf, p[d + at.P_BASE_CLIP], t * share, place)


@hook
def additive_clip_pose(p, q, si, sf, wi, wf, op):
    """The difference at its time; it has no root motion."""
    r = row_of(p, op)
    d, bones, curves = p[r + at.O_DATA], p[at.H_BONES], p[at.H_CURVES]
    out, base, length, time = (
        new_buffer(p, wi),
        new_buffer(p, wi),
        clip_length(p, q, op),
        sf[p[r + at.O_FLOATS]],
    )
    position = time % length if p[d + at.P_LOOPS] != 0 and length > 0.0 else time
    sample(p, q, wi, wf, p[d + at.P_CLIP], position, out)
    _base_pose(p, q, wi, wf, d, position, length, base)
    turns, scratch = 3 * bones, p[at.X_SCRATCH]
    if p[d + at.P_MODEL] != 0:
        for place in (out, base):
            model_rotations(p, wf, place + turns, scratch)
            copied(wf, scratch, wf, place + turns, 4 * bones)
    _difference(wf, out, base, bones)
    for k in range(10 * bones, 10 * bones + curves):
        wf[out + k] -= wf[base + k]
        if wf[base + k + curves] != 0.0:
            wf[out + k + curves] = 1.0
    no_motion(wf, motion_of(p, out))
    put_result(p, wi, op, out)

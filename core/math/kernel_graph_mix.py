# mypy: disable-error-code="no-untyped-def"
"""Results brought together (compiled). Twins: `core.graph.output`, `core.graph.mixing`, `core.pose.blend`."""

import math

from core.math import kernel_graph_layout as at
from core.math.kernel_graph_call import hook
from core.math.kernel_graph_parts import (
    ZERO,
    buffer_size,
    copied,
    input_of,
    kept_within,
    motion_of,
    new_buffer,
    no_motion,
    offer,
    part,
    put_result,
    reach,
    result_of,
    row_of,
)
from core.math.kernel_graph_rigid import unit_motion
from core.math.kernel_turns import plain

LARGEST_CURVE = 1e12
"""As `core.graph.mixing.LARGEST_CURVE`."""


@plain
def _scaled(f, a, share, out, count):
    for k in range(count):
        f[out + k] = share * f[a + k]


@plain
def _added(f, a, share, out, count):
    for k in range(count):
        f[out + k] += share * f[a + k]


@plain
def _turned(f, a, share, out, count):
    """Add rotations with the sign that agrees with the sum so far."""
    for b in range(count):
        x, y, z, w = f[a + 4 * b], f[a + 4 * b + 1], f[a + 4 * b + 2], f[a + 4 * b + 3]
        o = out + 4 * b
        c = -share if x * f[o] + y * f[o + 1] + z * f[o + 2] + w * f[o + 3] < 0.0 else share
        f[o] += c * x
        f[o + 1] += c * y
        f[o + 2] += c * z
        f[o + 3] += c * w


@plain
def _units(f, place, count):
    for b in range(count):
        o = place + 4 * b
        x, y, z, w = f[o], f[o + 1], f[o + 2], f[o + 3]
        length = math.sqrt(x * x + y * y + z * z + w * w)
        if length < 1e-12:
            x, y, z, w, length = 0.0, 0.0, 0.0, 1.0, 1.0
        inverse = 1.0 / length
        f[o], f[o + 1], f[o + 2], f[o + 3] = x * inverse, y * inverse, z * inverse, w * inverse


@part
def mix_local(p, wf, a, b, wa, wb, out):
    """Local transforms of two results by weights, the heavier first; `core.pose.blend.weighted`."""
    bones = p[at.H_BONES]
    sa, sb = wa / (wa + wb), wb / (wa + wb)
    if sa == 1.0 or sb == 1.0:
        copied(wf, a if sa == 1.0 else b, wf, out, 10 * bones)
        return
    if sb > sa:
        a, b, sa, sb = b, a, sb, sa
    turns, scales = 3 * bones, 7 * bones
    _scaled(wf, a, sa, out, 10 * bones)
    _added(wf, b, sb, out, turns)
    _turned(wf, b + turns, sb, out + turns, bones)
    _added(wf, b + scales, sb, out + scales, 3 * bones)
    _units(wf, out + turns, bones)


@part
def mix_curves(p, wf, a, b, wa, wb, out):
    """Curves of two results by weights; what is absent counts as 0."""
    curves, first = p[at.H_CURVES], 10 * p[at.H_BONES]
    for k in range(first, first + curves):
        wf[out + k] = (wa * wf[a + k] if wa > 0.0 else 0.0) + (wb * wf[b + k] if wb > 0.0 else 0.0)
        n = k + curves
        there = (wa > 0.0 and wf[a + n] != 0.0) or (wb > 0.0 and wf[b + n] != 0.0)
        wf[out + n] = 1.0 if there else 0.0


@part
def mix_motions(p, wi, wf, count, out):
    """Root motions by shares: place and share of `count` parts stand in the lists; the identity of none.

    The rotation goes from the largest share to the smallest, as `core.pose.blend.mean_rotation`.
    """
    places, shares = p[at.W_LIST], p[at.X_SHARES]
    total = 0.0
    for k in range(count):
        total += wf[shares + k]
    if count == 0 or total <= 0.0:
        no_motion(wf, out)
        return
    for k in range(1, count):
        j = k
        while j > 0 and wf[shares + j - 1] < wf[shares + j]:
            wf[shares + j - 1], wf[shares + j] = wf[shares + j], wf[shares + j - 1]
            wi[places + j - 1], wi[places + j] = wi[places + j], wi[places + j - 1]
            j -= 1
    if wf[shares] / total == 1.0:
        copied(wf, wi[places], wf, out, 10)
    else:
        _scaled(wf, wi[places], wf[shares] / total, out, 10)
        for k in range(1, count):
            share = wf[shares + k] / total
            _added(wf, wi[places + k], share, out, 3)
            _turned(wf, wi[places + k] + 3, share, out + 3, 1)
            _added(wf, wi[places + k] + 7, share, out + 7, 3)
        unit_motion(wf, out)
    unit_motion(wf, out)


# ---------------------------------------------------------------- blend
@part
def share_of(p, sf, op, number):
    """A weight 0..1 in a register that the op's data names."""
    return kept_within(sf[p[p[row_of(p, op) + at.O_DATA] + number]], 0.0, 1.0)


@part
def blend_share(p, sf, op):
    return share_of(p, sf, op, at.B_ALPHA)


@hook
def blend_weigh(p, q, si, sf, wi, wf, op):
    weight, share = wf[p[at.X_WEIGHTS] + op], blend_share(p, sf, op)
    if 1.0 - share >= ZERO:
        reach(p, wi, wf, input_of(p, op, 0), weight * (1.0 - share), op, False)
    if share >= ZERO:
        reach(p, wi, wf, input_of(p, op, 1), weight * share, op, False)


@hook
def blend_offer(p, q, si, sf, wi, wf, op):
    share, weight = blend_share(p, sf, op), wf[p[at.X_SHARES] + op]
    if 1.0 - share >= ZERO:
        offer(p, wf, input_of(p, op, 0), weight * (1.0 - share))
    if share >= ZERO:
        offer(p, wf, input_of(p, op, 1), weight * share)


@hook
def blend_pose(p, q, si, sf, wi, wf, op):
    share, place = blend_share(p, sf, op), p[row_of(p, op) + at.O_FLOATS]
    before = sf[place]
    sf[place] = share
    if share < ZERO:
        put_result(p, wi, op, result_of(p, wi, input_of(p, op, 0)))
        return
    if 1.0 - share < ZERO:
        put_result(p, wi, op, result_of(p, wi, input_of(p, op, 1)))
        return
    a, b = result_of(p, wi, input_of(p, op, 0)), result_of(p, wi, input_of(p, op, 1))
    out = new_buffer(p, wi)
    put_result(p, wi, op, out)
    mix_local(p, wf, a, b, 1.0 - share, share, out)
    mix_curves(p, wf, a, b, 1.0 - share, share, out)
    places, shares = p[at.W_LIST], p[at.X_SHARES]
    wi[places], wi[places + 1] = motion_of(p, a), motion_of(p, b)
    wf[shares], wf[shares + 1] = ((1.0 - share) + (1.0 - before)) / 2.0, (share + before) / 2.0
    mix_motions(p, wi, wf, 2, motion_of(p, out))


# ---------------------------------------------------------------- curves
@part
def _remapped(p, sf, d, old):
    """A value brought from one range to another."""
    low, high = sf[p[d + at.V_RANGES]], sf[p[d + at.V_RANGES + 1]]
    first, last = sf[p[d + at.V_RANGES + 2]], sf[p[d + at.V_RANGES + 3]]
    share = (old - low) / (high - low) if high != low else 0.0
    return first + (last - first) * min(max(share, 0.0), 1.0)


@hook
def curve_pose(p, q, si, sf, wi, wf, op):
    d, base, out = p[row_of(p, op) + at.O_DATA], result_of(p, wi, input_of(p, op, 0)), new_buffer(p, wi)
    copied(wf, base, wf, out, buffer_size(p) + at.MOTION)
    place, value, way = out + 10 * p[at.H_BONES] + p[d + at.V_CURVE], sf[p[d + at.V_VALUE]], p[d + at.V_WAY]
    if way == at.WAY_ADD:
        value = wf[place] + value
    elif way == at.WAY_SCALE:
        value = wf[place] * value
    elif way == at.WAY_REMAP:
        value = _remapped(p, sf, d, wf[place])
    wf[place] = kept_within(value, -LARGEST_CURVE, LARGEST_CURVE)
    wf[place + p[at.H_CURVES]] = 1.0
    put_result(p, wi, op, out)


# ---------------------------------------------------------------- what passes an input on
@hook
def passing_weigh(p, q, si, sf, wi, wf, op):
    """All inputs count as much as the op does."""
    for k in range(p[row_of(p, op) + at.O_INPUT_COUNT]):
        reach(p, wi, wf, input_of(p, op, k), wf[p[at.X_WEIGHTS] + op], op, False)


@hook
def passing_offer(p, q, si, sf, wi, wf, op):
    for k in range(p[row_of(p, op) + at.O_INPUT_COUNT]):
        offer(p, wf, input_of(p, op, k), wf[p[at.X_SHARES] + op])


@hook
def first_offer(p, q, si, sf, wi, wf, op):
    """Players of the first input alone: what lies on top does not say when a state is over."""
    offer(p, wf, input_of(p, op, 0), wf[p[at.X_SHARES] + op])


@hook
def output_pose(p, q, si, sf, wi, wf, op):
    put_result(p, wi, op, result_of(p, wi, input_of(p, op, 0)))


@hook
def rest_pose(p, q, si, sf, wi, wf, op):
    buffer = new_buffer(p, wi)
    for k in range(10 * p[at.H_BONES]):
        wf[buffer + k] = q[p[at.H_REST] + k]
    for k in range(10 * p[at.H_BONES], buffer_size(p)):
        wf[buffer + k] = 0.0
    no_motion(wf, motion_of(p, buffer))
    put_result(p, wi, op, buffer)

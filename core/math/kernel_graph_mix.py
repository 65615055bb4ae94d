# mypy: disable-error-code="no-untyped-def"
"""Results brought together (compiled). Twins: `core.graph.output`, `core.graph.mixing`, `core.pose.blend`."""

from core.math import kernel_graph_layout as at
from core.math.kernel_blend import _add, _begin, _turn, _unit
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

LARGEST_CURVE = 1e12
"""As `core.graph.mixing.LARGEST_CURVE`."""


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
    turns, scales, end = 3 * bones, 7 * bones, 10 * bones
    first, second, mixed = wf[a : a + end], wf[b : b + end], wf[out : out + end]
    _begin(sa, first, mixed)
    _add(sb, second[:turns], mixed[:turns])
    _turn(sb, second[turns:scales], mixed[turns:scales])
    _add(sb, second[scales:], mixed[scales:])
    _unit(mixed[turns:scales])


@part
def mix_curves(p, wf, a, b, wa, wb, out):
    """Curves of two results by weights; what is absent counts as 0."""
    curves, first = p[at.H_CURVES], 10 * p[at.H_BONES]
    one, other = wf[a + first : a + first + 2 * curves], wf[b + first : b + first + 2 * curves]
    mixed = wf[out + first : out + first + 2 * curves]
    for k in range(curves):
        mixed[k] = (wa * one[k] if wa > 0.0 else 0.0) + (wb * other[k] if wb > 0.0 else 0.0)
    for k in range(curves, 2 * curves):
        mixed[k] = 1.0 if (wa > 0.0 and one[k] != 0.0) or (wb > 0.0 and other[k] != 0.0) else 0.0


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
        mixed, first = wf[out : out + 10], wf[wi[places] : wi[places] + 10]
        _begin(wf[shares] / total, first, mixed)
        for k in range(1, count):
            share, more = wf[shares + k] / total, wf[wi[places + k] : wi[places + k] + 10]
            _add(share, more[:3], mixed[:3])
            _turn(share, more[3:7], mixed[3:7])
            _add(share, more[7:], mixed[7:])
        unit_motion(wf, out)
    unit_motion(wf, out)


@part
def mix_many(p, wi, wf, count, out):
    """Local transforms and curves of `count` results whose places and shares stand in the lists (`X_PARTS`).

    They are taken from the heaviest to the lightest, as `core.pose.blend.weighted`; the lists are left in that order.
    """
    places, shares, total = p[at.W_LIST], p[at.X_PARTS], 0.0
    for k in range(count):
        total += wf[shares + k]
    for k in range(1, count):
        j = k
        while j > 0 and wf[shares + j - 1] < wf[shares + j]:
            wf[shares + j - 1], wf[shares + j] = wf[shares + j], wf[shares + j - 1]
            wi[places + j - 1], wi[places + j] = wi[places + j], wi[places + j - 1]
            j -= 1
    turns, scales, end = 3 * p[at.H_BONES], 7 * p[at.H_BONES], 10 * p[at.H_BONES]
    curves = p[at.H_CURVES]
    mixed, values = wf[out : out + end], wf[out + end : out + end + 2 * curves]
    for k in range(2 * curves):
        values[k] = 0.0
    for k in range(count):
        share, place = wf[shares + k] / total, wi[places + k]
        more = wf[place : place + end]
        if k == 0 and share == 1.0:
            copied(wf, place, wf, out, end)
        elif k == 0:
            _begin(share, more, mixed)
        elif share > 0.0:
            _add(share, more[:turns], mixed[:turns])
            _turn(share, more[turns:scales], mixed[turns:scales])
            _add(share, more[scales:], mixed[scales:])
        if share > 0.0:
            own = wf[place + end : place + end + 2 * curves]
            for c in range(curves):
                values[c] += share * own[c]
                if own[curves + c] != 0.0:
                    values[curves + c] = 1.0
    if wf[shares] / total != 1.0:
        _unit(mixed[turns:scales])


# ---------------------------------------------------------------- blend
@part
def share_of(p, sf, op, number):
    """A weight 0..1 in a register that the op's data names."""
    return kept_within(sf[p[p[row_of(p, op) + at.O_DATA] + number]], 0.0, 1.0)


@part
def blend_share(p, sf, op):
    """Share 0..1 of the second input of a blend of two."""
    return share_of(p, sf, op, at.B_ALPHA)


@hook
def blend_weigh(p, q, si, sf, wi, wf, op):
    """Weigh both inputs by their shares of the op's weight; a share below `ZERO` does not count."""
    weight, share = wf[p[at.X_WEIGHTS] + op], blend_share(p, sf, op)
    if 1.0 - share >= ZERO:
        reach(p, wi, wf, input_of(p, op, 0), weight * (1.0 - share), op, False)
    if share >= ZERO:
        reach(p, wi, wf, input_of(p, op, 1), weight * share, op, False)


@hook
def blend_offer(p, q, si, sf, wi, wf, op):
    """Offer the players of both inputs by their shares; a share below `ZERO` does not count."""
    share, weight = blend_share(p, sf, op), wf[p[at.X_SHARES] + op]
    if 1.0 - share >= ZERO:
        offer(p, wf, input_of(p, op, 0), weight * (1.0 - share))
    if share >= ZERO:
        offer(p, wf, input_of(p, op, 1), weight * share)


@hook
def blend_pose(p, q, si, sf, wi, wf, op):
    """Blend two results by the share; where only one counts, its result is passed on as it is.

    The share is kept for the next step. Root motion is blended by the mean of the shares at the step's
    beginning and end.
    """
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
    """Set, add to, scale or remap one curve of the input's result, in a copy; the curve is then present."""
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
    """Offer the players of all inputs with the share of the op."""
    for k in range(p[row_of(p, op) + at.O_INPUT_COUNT]):
        offer(p, wf, input_of(p, op, k), wf[p[at.X_SHARES] + op])


@hook
def first_offer(p, q, si, sf, wi, wf, op):
    """Players of the first input alone: what lies on top does not say when a state is over."""
    offer(p, wf, input_of(p, op, 0), wf[p[at.X_SHARES] + op])


@hook
def output_pose(p, q, si, sf, wi, wf, op):
    """The result of the input, as it is."""
    put_result(p, wi, op, result_of(p, wi, input_of(p, op, 0)))


@part
def write_rest(p, q, wf, buffer):
    """Write the rest pose without curves or motion."""
    copied(q, p[at.H_REST], wf, buffer, 10 * p[at.H_BONES])
    for k in range(10 * p[at.H_BONES], buffer_size(p)):
        wf[buffer + k] = 0.0
    no_motion(wf, motion_of(p, buffer))


@hook
def rest_pose(p, q, si, sf, wi, wf, op):
    """The rest pose, without curves or root motion."""
    buffer = new_buffer(p, wi)
    write_rest(p, q, wf, buffer)
    put_result(p, wi, op, buffer)

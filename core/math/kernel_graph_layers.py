# mypy: disable-error-code="no-untyped-def"
"""Layers and mirroring (compiled). Twins: `core.graph.mixing`, `core.blending.layers`, `core.pose.mirror`."""

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
    part,
    put_result,
    reach,
    result_of,
    row_of,
    stop,
)
from core.math.kernel_graph_rigid import slerped
from core.math.kernel_turns import mul, plain, rotate, unit


@plain
def model_rotations(p, f, turns, out):
    """Model rotations of local ones, to a place."""
    for bone in range(p[at.H_BONES]):
        a, o, parent = turns + 4 * bone, out + 4 * bone, p[p[at.H_PARENTS] + bone]
        x, y, z, w = f[a], f[a + 1], f[a + 2], f[a + 3]
        if parent >= 0:
            u = out + 4 * parent
            x, y, z, w = mul(f[u], f[u + 1], f[u + 2], f[u + 3], x, y, z, w)
        f[o], f[o + 1], f[o + 2], f[o + 3] = x, y, z, w


@plain
def local_rotations(p, f, model, out):
    """Local rotations that give model ones."""
    for bone in range(p[at.H_BONES]):
        a, o, parent = model + 4 * bone, out + 4 * bone, p[p[at.H_PARENTS] + bone]
        x, y, z, w = f[a], f[a + 1], f[a + 2], f[a + 3]
        if parent >= 0:
            u = model + 4 * parent
            x, y, z, w = mul(-f[u], -f[u + 1], -f[u + 2], f[u + 3], x, y, z, w)
        f[o], f[o + 1], f[o + 2], f[o + 3] = unit(x, y, z, w)


# ---------------------------------------------------------------- layered
@part
def _layer_share(p, sf, op, layer):
    """Weight 0..1 of a layer."""
    return kept_within(sf[p[p[row_of(p, op) + at.O_DATA] + at.L_LAYERS + 2 * layer]], 0.0, 1.0)


@part
def _layer_bones(p, op, layer):
    """Place in q of a layer's largest weight of a bone; those of all bones follow."""
    return p[p[row_of(p, op) + at.O_DATA] + at.L_LAYERS + 2 * layer + 1]


@hook
def layered_weigh(p, q, si, sf, wi, wf, op):
    """Weigh the base as the op, and each layer by its weight times its largest weight of a bone."""
    weight = wf[p[at.X_WEIGHTS] + op]
    reach(p, wi, wf, input_of(p, op, 0), weight, op, False)
    for layer in range(p[p[row_of(p, op) + at.O_DATA] + at.L_COUNT]):
        share = _layer_share(p, sf, op, layer) * q[_layer_bones(p, op, layer)]
        if share >= ZERO:
            reach(p, wi, wf, input_of(p, op, layer + 1), weight * share, op, False)


@plain
def _toward(base, layer, weights, share, out):
    """Vectors ``3B`` from the base toward the layer."""
    for bone in range(len(weights)):
        u = share * weights[bone]
        for c in range(3):
            k = 3 * bone + c
            out[k] = base[k] + u * (layer[k] - base[k])


@plain
def _turned_toward(base, layer, weights, share, out):
    """Rotations ``4B`` from the base toward the layer by slerp."""
    for bone in range(len(weights)):
        u, a, b = share * weights[bone], base[4 * bone : 4 * bone + 4], layer[4 * bone : 4 * bone + 4]
        o = out[4 * bone : 4 * bone + 4]
        if u == 0.0 or u == 1.0:
            o[:] = b if u == 1.0 else a
        else:
            o[0], o[1], o[2], o[3] = slerped(a[0], a[1], a[2], a[3], b[0], b[1], b[2], b[3], u)


@part
def _over(p, q, wf, base, layer, out, share, place):
    """One pose put over another by weights a bone, which stand at a place in q."""
    bones = p[at.H_BONES]
    turns, scales, end, weights = 3 * bones, 7 * bones, 10 * bones, q[place : place + bones]
    one, other, mixed = wf[base : base + end], wf[layer : layer + end], wf[out : out + end]
    _toward(one[:turns], other[:turns], weights, share, mixed[:turns])
    _toward(one[scales:], other[scales:], weights, share, mixed[scales:])
    _turned_toward(one[turns:scales], other[turns:scales], weights, share, mixed[turns:scales])


@plain
def _over_in_model(p, q, f, base, layer, out, share, weights, scratch):
    """The same with rotations blended in model space."""
    bones = p[at.H_BONES]
    below, above, mixed = scratch, scratch + 4 * bones, scratch + 8 * bones
    model_rotations(p, f, base + 3 * bones, below)
    model_rotations(p, f, layer + 3 * bones, above)
    for bone in range(bones):
        u, a, b, o = share * q[weights + bone], below + 4 * bone, above + 4 * bone, mixed + 4 * bone
        f[o], f[o + 1], f[o + 2], f[o + 3] = slerped(
            f[a], f[a + 1], f[a + 2], f[a + 3], f[b], f[b + 1], f[b + 2], f[b + 3], u
        )
    local_rotations(p, f, mixed, out + 3 * bones)


@part
def _merge(p, f, base, layer, share, rule, out):
    """Curves of a base and one layer by one of the seven rules; blend and normalise only add up."""
    curves, first = p[at.H_CURVES], 10 * p[at.H_BONES]
    for k in range(first, first + curves):
        below, above = f[base + k + curves] != 0.0, f[layer + k + curves] != 0.0
        a, b = f[base + k] if below else 0.0, f[layer + k] if above else 0.0
        value, there = a, below or above
        if rule == at.RULE_BASE:
            there = below
        elif rule == at.RULE_BLEND or rule == at.RULE_NORMALISE:
            value = a + share * b
        elif above and share > 0.0:
            if rule == at.RULE_MAXIMUM:
                value = max(a, b) if below else b
            elif rule == at.RULE_MINIMUM:
                value = min(a, b) if below else b
            elif rule == at.RULE_OVERRIDE or not below:
                value = b
        f[out + k] = value if there else 0.0
        f[out + k + curves] = 1.0 if there else 0.0


@hook
def layered_pose(p, q, si, sf, wi, wf, op):
    """Put the layers that count over the base one after the other, by bone; merge curves by the op's rule.

    Root motion is the base's: of other rules for it Python makes the pose. Where no layer counts the result
    is the base's own.
    """
    base, total = result_of(p, wi, input_of(p, op, 0)), 1.0
    d, found = p[row_of(p, op) + at.O_DATA], base
    for number in range(p[d + at.L_COUNT]):
        share, bones = _layer_share(p, sf, op, number), _layer_bones(p, op, number)
        if share * q[bones] < ZERO:
            continue
        layer, out = result_of(p, wi, input_of(p, op, number + 1)), new_buffer(p, wi)
        _over(p, q, wf, found, layer, out, share, bones + 1)
        if p[d + at.L_MODEL] != 0:
            _over_in_model(p, q, wf, found, layer, out, share, bones + 1, p[at.X_SCRATCH])
        _merge(p, wf, found, layer, share, p[d + at.L_RULE], out)
        total += share
        found = out
    put_result(p, wi, op, found)
    if found == base:
        return
    copied(wf, motion_of(p, base), wf, motion_of(p, found), at.MOTION)
    if p[d + at.L_RULE] == at.RULE_NORMALISE:
        for k in range(10 * p[at.H_BONES], 10 * p[at.H_BONES] + p[at.H_CURVES]):
            wf[found + k] /= total


# ---------------------------------------------------------------- mirror
@plain
def _mirror(p, q, f, base, out, axis, sources, scratch):
    """`core.pose.mirror.mirrored`."""
    bones, rest, rest_model = p[at.H_BONES], p[at.H_REST], p[at.H_REST_MODEL]
    model, placed = scratch, scratch + 4 * bones
    model_rotations(p, f, base + 3 * bones, model)
    flip_x, flip_y, flip_z = (
        1.0 if axis == 0 else -1.0,
        1.0 if axis == 1 else -1.0,
        1.0 if axis == 2 else -1.0,
    )
    for k in range(10 * bones):
        f[out + k] = f[base + k]
    for bone in range(bones):
        parent, source, r = p[p[at.H_PARENTS] + bone], p[sources + bone], out + 3 * bones + 4 * bone
        ux, uy, uz, uw = 0.0, 0.0, 0.0, 1.0
        if parent >= 0:
            u = placed + 4 * parent
            ux, uy, uz, uw = f[u], f[u + 1], f[u + 2], f[u + 3]
        if source >= 0:
            m, k = model + 4 * source, rest_model + 4 * source
            x, y, z, w = mul(f[m], f[m + 1], f[m + 2], f[m + 3], -q[k], -q[k + 1], -q[k + 2], q[k + 3])
            k = rest_model + 4 * bone
            x, y, z, w = mul(x * flip_x, y * flip_y, z * flip_z, w, q[k], q[k + 1], q[k + 2], q[k + 3])
            x, y, z, w = mul(-ux, -uy, -uz, uw, x, y, z, w)
            f[r], f[r + 1], f[r + 2], f[r + 3] = unit(x, y, z, w)
            above = p[p[at.H_PARENTS] + source]
            sx, sy, sz, sw = 0.0, 0.0, 0.0, 1.0
            if above >= 0:
                m = model + 4 * above
                sx, sy, sz, sw = f[m], f[m + 1], f[m + 2], f[m + 3]
            t, k = base + 3 * source, rest + 3 * source
            x, y, z = rotate(sx, sy, sz, sw, f[t] - q[k], f[t + 1] - q[k + 1], f[t + 2] - q[k + 2])
            x, y, z = rotate(-ux, -uy, -uz, uw, -x * flip_x, -y * flip_y, -z * flip_z)
            t, k = out + 3 * bone, rest + 3 * bone
            f[t], f[t + 1], f[t + 2] = q[k] + x, q[k + 1] + y, q[k + 2] + z
            for c in range(3):
                f[out + 7 * bones + 3 * bone + c] = f[base + 7 * bones + 3 * source + c]
        o = placed + 4 * bone
        f[o], f[o + 1], f[o + 2], f[o + 3] = mul(ux, uy, uz, uw, f[r], f[r + 1], f[r + 2], f[r + 3])


@hook
def mirror_advance(p, q, si, sf, wi, wf, op):
    """Names of notifies change sides, which is left to Python."""
    if sf[p[p[row_of(p, op) + at.O_DATA] + at.MIRROR_ON]] == 0.0:
        return
    for k in range(wi[at.D_EVENTS]):
        if wi[p[at.W_EVENTS] + k * at.EVENT_INTS + at.EVENT_INNER] == wi[at.D_INNER]:
            stop(wi)


@hook
def mirror_pose(p, q, si, sf, wi, wf, op):
    """The mirrored pose, with sides of curves swapped and root motion reflected; where off, the input's result.

    A reflection along an axis negates the motion's translation on that axis, and the parts of its
    quaternion's vector on the other two.
    """
    base, d = result_of(p, wi, input_of(p, op, 0)), p[row_of(p, op) + at.O_DATA]
    if sf[p[d + at.MIRROR_ON]] == 0.0:
        put_result(p, wi, op, base)
        return
    out, axis = new_buffer(p, wi), p[d + at.MIRROR_AXIS]
    copied(wf, base, wf, out, buffer_size(p) + at.MOTION)
    _mirror(p, q, wf, base, out, axis, d + at.MIRROR_SOURCE, p[at.X_SCRATCH])
    curves, first, swap = p[at.H_CURVES], 10 * p[at.H_BONES], d + at.MIRROR_SOURCE + p[at.H_BONES]
    for k in range(curves):
        wf[out + first + k] = wf[base + first + p[swap + k]]
        wf[out + first + curves + k] = wf[base + first + curves + p[swap + k]]
    m = motion_of(p, out)
    wf[m + axis] = -wf[m + axis]
    for c in range(3):
        if c != axis:
            wf[m + 3 + c] = -wf[m + 3 + c]
    put_result(p, wi, op, out)

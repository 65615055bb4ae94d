# mypy: disable-error-code="no-untyped-def"
"""Choices of poses, blends of many, slots in which nothing plays, and what inertialises while nothing is taken over
(compiled). Twins: `core.graph.nodes.selects`, `core.graph.slots`, `core.graph.inertial`.

A change of the choice, a montage that plays and an inertial blend under way are Python's.
"""

from core.math import kernel_graph_layout as at
from core.math.kernel_graph_call import hook
from core.math.kernel_graph_inertia import LAST_STEP, eased, remember_speed
from core.math.kernel_graph_mix import mix_many, mix_motions
from core.math.kernel_graph_parts import (
    ZERO,
    buffer_size,
    copied,
    input_of,
    kept_within,
    motion_of,
    new_buffer,
    offer,
    part,
    put_result,
    reach,
    result_of,
    row_of,
    stop,
)

FARTHEST = 1e6
"""As in `core.graph.nodes.reading`."""


# ---------------------------------------------------------------- many
@part
def _many_shares(p, sf, wf, op):
    """Shares of the poses, to what the op carries; the first alone where all are 0."""
    d, place = p[row_of(p, op) + at.O_DATA], p[row_of(p, op) + at.O_CARRIED]
    count, total = p[d + at.N_COUNT], 0.0
    for k in range(count):
        wf[place + k] = kept_within(sf[p[d + at.N_WEIGHTS + k]], 0.0, FARTHEST)
        total += wf[place + k]
    if total < ZERO:
        for k in range(count):
            wf[place + k] = 0.0
        wf[place] = total = 1.0
    left = 0.0
    for k in range(count):
        share = wf[place + k] / total
        wf[place + k] = share if share >= ZERO else 0.0
        left += wf[place + k]
    for k in range(count):
        wf[place + k] /= left
    return place, count


@part
def _mixed(p, wi, wf, op, count, before, out):
    """Mix the inputs by the shares that the op carries; root motion by the mean with those at a place in wf."""
    shares, used = p[row_of(p, op) + at.O_CARRIED], 0
    for k in range(count):
        if wf[shares + k] > 0.0:
            wi[p[at.W_LIST] + used] = result_of(p, wi, input_of(p, op, k))
            wf[p[at.X_PARTS] + used] = wf[shares + k]
            used += 1
    mix_many(p, wi, wf, used, out)
    used = 0
    for k in range(count):
        if wf[shares + k] > 0.0:
            share = (wf[shares + k] + wf[before + k]) / 2.0
            if share > 0.0:
                wi[p[at.W_LIST] + used] = motion_of(p, result_of(p, wi, input_of(p, op, k)))
                wf[p[at.X_SHARES] + used] = share
                used += 1
    mix_motions(p, wi, wf, used, motion_of(p, out))


@part
def _only(wf, place, count):
    """The one of some shares that is not 0; −1 where there are more."""
    found = -1
    for k in range(count):
        if wf[place + k] > 0.0:
            if found >= 0:
                return -1
            found = k
    return found


@hook
def many_weigh(p, q, si, sf, wi, wf, op):
    """Each pose by its share."""
    place, count = _many_shares(p, sf, wf, op)
    for k in range(count):
        if wf[place + k] > 0.0:
            reach(p, wi, wf, input_of(p, op, k), wf[p[at.X_WEIGHTS] + op] * wf[place + k], op, False)


@hook
def many_offer(p, q, si, sf, wi, wf, op):
    """Offer the players of each pose by its share; a share below `ZERO` does not count."""
    place, count = _many_shares(p, sf, wf, op)
    for k in range(count):
        if wf[place + k] >= ZERO:
            offer(p, wf, input_of(p, op, k), wf[p[at.X_SHARES] + op] * wf[place + k])


@hook
def many_pose(p, q, si, sf, wi, wf, op):
    """The weighted pose."""
    place, count = _many_shares(p, sf, wf, op)
    last = p[row_of(p, op) + at.O_FLOATS]
    before = place + count
    copied(sf, last, wf, before, count)
    copied(wf, place, sf, last, count)
    only = _only(wf, place, count)
    if only >= 0:
        put_result(p, wi, op, result_of(p, wi, input_of(p, op, only)))
        return
    out = new_buffer(p, wi)
    _mixed(p, wi, wf, op, count, before, out)
    put_result(p, wi, op, out)


# ---------------------------------------------------------------- inertialising
@part
def _remember(p, si, sf, wf, op, i, f, found):
    """Keep the last two outputs, as `core.graph.inertial.Inertial.put_on`."""
    if wf[at.Y_DT] <= 0.0:
        return
    size, last = buffer_size(p), p[row_of(p, op) + at.O_POSES]
    copied(sf, last, sf, last + size, size)
    copied(wf, found, sf, last, size)
    si[i + 1] = min(si[i + 1] + 1, 2)
    sf[f + LAST_STEP] = wf[at.Y_DT]
    remember_speed(p, sf, wf, op, f, motion_of(p, found))


# ---------------------------------------------------------------- a choice
@part
def _select_shares(p, q, si, sf, wi, wf, op):
    """Largest share of each pose, then its mean, to what the op carries."""
    r = row_of(p, op)
    d, f, place = p[r + at.O_DATA], p[r + at.O_FLOATS], p[r + at.O_CARRIED]
    count, width, chosen = p[d + at.E_COUNT], p[d + at.E_WIDTH], si[p[r + at.O_INTS]]
    for k in range(2 * count):
        wf[place + k] = 0.0
    for b in range(width):
        seconds = sf[f + 1] * (q[p[r + at.O_NUMBERS] + b] if width > 1 else 1.0)
        share = sf[f] / seconds if seconds > 0.0 and sf[f] < seconds else 1.0
        e = eased(p, q, si, sf, wi, wf, p[d + at.E_EASING], share)
        for k in range(count):
            found = (1.0 - e) * sf[f + 2 + k * width + b] + (e if k == chosen else 0.0)
            wf[place + k] = max(wf[place + k], found)
            wf[place + count + k] += found / width
    return place, count


@hook
def select_weigh(p, q, si, sf, wi, wf, op):
    """Let the blend go on, and hand the shares down; a change is Python's."""
    r = row_of(p, op)
    d = p[r + at.O_DATA]
    value = sf[p[d + at.E_CHOICE]]
    chosen = int(value) if 0.0 <= value < p[d + at.E_COUNT] else p[d + at.E_DEFAULT]
    if wf[at.Y_DT] > 0.0:
        if chosen != si[p[r + at.O_INTS]]:
            stop(wi)
            return
        sf[p[r + at.O_FLOATS]] += wf[at.Y_DT]
    place, count = _select_shares(p, q, si, sf, wi, wf, op)
    for k in range(count):
        if wf[place + k] >= ZERO:
            reach(p, wi, wf, input_of(p, op, k), wf[p[at.X_WEIGHTS] + op] * wf[place + k], op, False)


@hook
def select_offer(p, q, si, sf, wi, wf, op):
    """Offer the players of each pose by its largest share; a share below `ZERO` does not count."""
    place, count = _select_shares(p, q, si, sf, wi, wf, op)
    for k in range(count):
        if wf[place + k] >= ZERO:
            offer(p, wf, input_of(p, op, k), wf[p[at.X_SHARES] + op] * wf[place + k])


@hook
def select_pose(p, q, si, sf, wi, wf, op):
    """The poses by their shares; by bone, or with an inertial blend under way, Python mixes them."""
    r = row_of(p, op)
    d, f = p[r + at.O_DATA], p[r + at.O_FLOATS]
    place, count = _select_shares(p, q, si, sf, wi, wf, op)
    width, last = p[d + at.E_WIDTH], f + 2 + count * p[d + at.E_WIDTH]
    for k in range(count):
        if wf[place + k] < ZERO:
            wf[place + k] = 0.0
    only = _only(wf, place, count)
    inertial = p[d + at.E_INERTIAL] != 0
    if (only < 0 and width > 1) or (inertial and si[p[r + at.O_INTS] + 2] != 0):
        stop(wi)
        return
    before = place + 2 * count
    copied(sf, last, wf, before, count)
    copied(wf, place + count, sf, last, count)
    if only >= 0:
        found = result_of(p, wi, input_of(p, op, only))
    else:
        total = 0.0
        for k in range(count):
            total += wf[place + k]
        for k in range(count):
            wf[place + k] /= total
        found = new_buffer(p, wi)
        _mixed(p, wi, wf, op, count, before, found)
    if inertial:
        _remember(p, si, sf, wf, op, p[r + at.O_INTS] + 2, last + count, found)
    put_result(p, wi, op, found)


# ---------------------------------------------------------------- slots
@hook
def slot_weigh(p, q, si, sf, wi, wf, op):
    """While nothing plays it is its source."""
    if wi[at.D_ACTED] != 0:
        stop(wi)
    else:
        reach(p, wi, wf, input_of(p, op, 0), wf[p[at.X_WEIGHTS] + op], op, False)


@hook
def slot_pose(p, q, si, sf, wi, wf, op):
    """The source's own result; what is left of a montage that inertialises is Python's, too."""
    r = row_of(p, op)
    inertial = p[p[r + at.O_DATA]] != 0
    if wi[at.D_ACTED] != 0 or (inertial and si[p[r + at.O_INTS]] != 0):
        stop(wi)
        return
    found = result_of(p, wi, input_of(p, op, 0))
    if inertial:
        _remember(p, si, sf, wf, op, p[r + at.O_INTS], p[r + at.O_FLOATS], found)
    put_result(p, wi, op, found)


@hook
def inertialise_pose(p, q, si, sf, wi, wf, op):
    """The pose itself, remembered; a request and what follows it are Python's."""
    r = row_of(p, op)
    if si[p[r + at.O_INTS]] != 0 or wi[at.D_ACTED] != 0 or sf[p[p[r + at.O_DATA] + at.I_REQUEST]] != 0.0:
        stop(wi)
        return
    found = result_of(p, wi, input_of(p, op, 0))
    _remember(p, si, sf, wf, op, p[r + at.O_INTS], p[r + at.O_FLOATS], found)
    put_result(p, wi, op, found)

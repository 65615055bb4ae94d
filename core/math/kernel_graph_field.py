# mypy: disable-error-code="no-untyped-def"
"""Weights of a blend space's samples, and how its input follows (compiled).

Twins: `core.blending.weights`, `core.blending.smoothing`.
"""

import math

from core.math import kernel_graph_layout as at
from core.math.kernel_graph_parts import part

INSIDE = -1e-12
"""Weight of a corner from which on a point counts as inside a triangle."""


@part
def kept_on(q, axis, value):
    """A value brought into an axis: wrapped or clamped."""
    low, high = q[axis + 2], q[axis + 3]
    if q[axis + 5] != 0.0:
        return (value - low) % q[axis + 4] + low
    return min(max(value, low), high)


@part
def follow(q, axis, here, speed, goal, seconds):
    """An axis' input and its velocity after some seconds."""
    wanted, kind, time = kept_on(q, axis, goal), int(q[axis]), q[axis + 1]
    if kind == at.FOLLOW_NONE or time <= 0.0 or seconds <= 0.0:
        return wanted, 0.0
    gap, extent = wanted - here, q[axis + 4]
    if q[axis + 5] != 0.0:
        gap = (gap + extent / 2.0) % extent - extent / 2.0
    if kind == at.FOLLOW_LINEAR:
        step = math.copysign(min(abs(gap), extent * seconds / time), gap)
        return kept_on(q, axis, here + step), step / seconds
    if kind == at.FOLLOW_SPRING:
        omega = 6.0 / time
        lead = (speed + omega * -gap) * seconds
        decay = math.exp(-omega * seconds)
        return kept_on(q, axis, wanted + (-gap + lead) * decay), (speed - omega * lead) * decay
    rate = 3.0 / time if kind == at.FOLLOW_AVERAGE else 1.5 / time
    share = 1.0 - math.exp(-rate * seconds)
    return kept_on(q, axis, here + gap * share), gap * rate * math.exp(-rate * seconds)


@part
def _after(q, place, count, value):
    """How many of some rising numbers are at or below a value."""
    found = 0
    while found < count and q[place + found] <= value:
        found += 1
    return found


@part
def _on_a_line(p, q, wf, tables, numbers, count, axes, x, y, out):
    """Linear between neighbours along a line: tables order, origin; numbers middle, direction, stops."""
    stops = numbers + 2 * axes
    along = (x - q[numbers]) * q[numbers + axes]
    if axes > 1:
        along += (y - q[numbers + 1]) * q[numbers + axes + 1]
    along = min(max(along, q[stops]), q[stops + count - 1])
    right = min(max(_after(q, stops, count, along), 1), count - 1)
    low, high = q[stops + right - 1], q[stops + right]
    share = (along - low) / (high - low)
    origin = tables + count
    wf[out + p[origin + p[tables + right - 1]]] += 1.0 - share
    wf[out + p[origin + p[tables + right]]] += share


@part
def _in_triangles(p, q, wf, tables, numbers, count, x, y, out):
    """Barycentric, or at the nearest place of the outline.

    Tables: origins, number of triangles, number of edges, triangles, edges; numbers: places.
    """
    triangles, best, most = tables + count + 2, -1, -math.inf
    many, edges = p[tables + count], p[tables + count + 1]
    bu = bv = bw = 0.0
    for k in range(many):
        a, b = numbers + 2 * p[triangles + 3 * k], numbers + 2 * p[triangles + 3 * k + 1]
        c = numbers + 2 * p[triangles + 3 * k + 2]
        fx, fy, sx, sy = q[b] - q[a], q[b + 1] - q[a + 1], q[c] - q[a], q[c + 1] - q[a + 1]
        ox, oy = x - q[a], y - q[a + 1]
        area = fx * sy - fy * sx
        v, w = (ox * sy - oy * sx) / area, (fx * oy - fy * ox) / area
        least = min(min(1.0 - v - w, v), w)
        if least > most:
            best, most, bu, bv, bw = k, least, 1.0 - v - w, v, w
    if most >= INSIDE:
        bu, bv, bw = max(bu, 0.0), max(bv, 0.0), max(bw, 0.0)
        total, corner = bu + bv + bw, triangles + 3 * best
        wf[out + p[tables + p[corner]]] += bu / total
        wf[out + p[tables + p[corner + 1]]] += bv / total
        wf[out + p[tables + p[corner + 2]]] += bw / total
        return
    outline, nearest, chosen, at_share = triangles + 3 * many, math.inf, 0, 0.0
    for k in range(edges):
        a, b = numbers + 2 * p[outline + 2 * k], numbers + 2 * p[outline + 2 * k + 1]
        lx, ly = q[b] - q[a], q[b + 1] - q[a + 1]
        share = min(max(((x - q[a]) * lx + (y - q[a + 1]) * ly) / (lx * lx + ly * ly), 0.0), 1.0)
        dx, dy = q[a] + share * lx - x, q[a + 1] + share * ly - y
        if dx * dx + dy * dy < nearest:
            nearest, chosen, at_share = dx * dx + dy * dy, k, share
    wf[out + p[tables + p[outline + 2 * chosen]]] += 1.0 - at_share
    wf[out + p[tables + p[outline + 2 * chosen + 1]]] += at_share


@part
def _cell(q, lines, count, value):
    """Cell of a grid line, and how far in it."""
    cell = min(max(_after(q, lines, count, value) - 1, 0), count - 2)
    low, high = q[lines + cell], q[lines + cell + 1]
    return cell, min(max((value - low) / (high - low), 0.0), 1.0)


@part
def _on_a_grid(p, q, wf, tables, numbers, count, x, y, out):
    """Bilinear: tables origins, then how many lines each way; numbers both kinds of lines, then the nodes' weights."""
    columns, rows = p[tables + count], p[tables + count + 1]
    nodes = numbers + columns + rows
    i, u = _cell(q, numbers, columns, x)
    j, v = _cell(q, numbers + columns, rows, y)
    for k in range(count):
        a, b = nodes + (i * rows + j) * count + k, nodes + ((i + 1) * rows + j) * count + k
        wf[out + p[tables + k]] += (
            (1.0 - u) * (1.0 - v) * q[a] + u * (1.0 - v) * q[b]
            + (1.0 - u) * v * q[a + count] + u * v * q[b + count]
        )  # fmt: skip


@part
def weigh_samples(p, q, sf, wf, d, point, out):
    """Weights of the samples at a point in the state, to a place in wf."""
    axes, axis = p[d + at.Z_AXES], p[d + at.Z_AXIS]
    for k in range(p[d + at.Z_COUNT]):
        wf[out + k] = 0.0
    kind, count, tables, numbers = (
        p[d + at.Z_FIELD],
        p[d + at.Z_PLACES],
        p[d + at.Z_TABLES],
        p[d + at.Z_NUMBERS],
    )
    x = (kept_on(q, axis, sf[point]) - q[axis + 2]) / q[axis + 4]
    y = 0.0
    if axes > 1:
        other = axis + at.AXIS_WIDTH
        y = (kept_on(q, other, sf[point + 1]) - q[other + 2]) / q[other + 4]
    if kind == at.FIELD_ONE:
        wf[out] = 1.0
    elif kind == at.FIELD_LINE:
        _on_a_line(p, q, wf, tables, numbers, count, axes, x, y, out)
    elif kind == at.FIELD_TRIANGLES:
        _in_triangles(p, q, wf, tables, numbers, count, x, y, out)
    else:
        _on_a_grid(p, q, wf, tables, numbers, count, x, y, out)

"""Closest points of a line segment and many triangles, in plain numpy.

Every sum is written out and nothing is loosened, so that the compiled twin (`core.math.kernel_terrain`) gives the
same bits. Formulas: Ericson, Real-Time Collision Detection, 5.1.5 and 5.1.9.
"""

from typing import NamedTuple

import numpy as np

from core.arrays import BoolArray, FloatArray

Vec = tuple[FloatArray, FloatArray, FloatArray]
"""x, y and z of many vectors, or of one."""

THIN = 1e-18
"""Square of the length of an axis that counts as a point, m²."""
PARALLEL = 1e-14
"""Share below which two segments count as parallel."""


class Nearest(NamedTuple):
    """Of each triangle: square of the distance, the point on it, and the way from there to the segment."""

    square: FloatArray
    point: Vec
    away: Vec


def dot(a: Vec, b: Vec) -> FloatArray:
    """Sum of products in a fixed order."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def sub(a: Vec, b: Vec) -> Vec:
    """Difference."""
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


def along(a: Vec, d: Vec, t: FloatArray) -> Vec:
    """``a + d t``."""
    return a[0] + d[0] * t, a[1] + d[1] * t, a[2] + d[2] * t


def pick(condition: BoolArray, a: Vec, b: Vec) -> Vec:
    """``a`` where it holds, else ``b``."""
    return np.where(condition, a[0], b[0]), np.where(condition, a[1], b[1]), np.where(condition, a[2], b[2])


def on_triangle(p: Vec, a: Vec, b: Vec, c: Vec, n: Vec) -> Vec:
    """The point of each triangle that is nearest to p."""
    ab, ac, bc = sub(b, a), sub(c, a), sub(c, b)
    ap, bp, cp = sub(p, a), sub(p, b), sub(p, c)
    d1, d2, d3 = dot(ab, ap), dot(ac, ap), dot(ab, bp)
    d4, d5, d6 = dot(ac, bp), dot(ab, cp), dot(ac, cp)
    va, vb, vc = d3 * d6 - d5 * d4, d5 * d2 - d1 * d6, d1 * d4 - d3 * d2
    height = dot(ap, n)
    found = p[0] - n[0] * height, p[1] - n[1] * height, p[2] - n[2] * height
    e, f = d4 - d3, d5 - d6
    found = pick((va <= 0.0) & (e >= 0.0) & (f >= 0.0), along(b, bc, e / (e + f)), found)
    found = pick((vb <= 0.0) & (d2 >= 0.0) & (d6 <= 0.0), along(a, ac, d2 / (d2 - d6)), found)
    found = pick((d6 >= 0.0) & (d5 <= d6), c, found)
    found = pick((vc <= 0.0) & (d1 >= 0.0) & (d3 <= 0.0), along(a, ab, d1 / (d1 - d3)), found)
    found = pick((d3 >= 0.0) & (d4 <= d3), b, found)
    return pick((d1 <= 0.0) & (d2 <= 0.0), a, found)


def on_edge(p: Vec, axis: Vec, a: Vec, b: Vec) -> tuple[Vec, Vec]:
    """The points of the segment from p along `axis`, and of the edges ab, that are nearest to each other."""
    edge, r = sub(b, a), sub(p, a)
    aa, ee, f = dot(axis, axis), dot(edge, edge), dot(edge, r)
    c, bb = dot(axis, r), dot(axis, edge)
    denominator = aa * ee - bb * bb
    s = np.where(denominator > PARALLEL * (aa * ee), _unit((bb * f - c * ee) / denominator), 0.0)
    t = (bb * s + f) / ee
    s = np.where(t < 0.0, _unit(-c / aa), np.where(t > 1.0, _unit((bb - c) / aa), s))
    return along(p, axis, s), along(a, edge, _unit(t))


def segment(p: Vec, axis: Vec, point_like: bool, rows: FloatArray) -> Nearest:
    """Nearest points of segments from p along one axis and each triangle of a table ``(M, 18)``.

    Where they cross, the distance is 0 and the way is the triangle's normal.
    """
    a, b, c, n = (_vec(rows, k) for k in (0, 3, 6, 9))
    point = on_triangle(p, a, b, c, n)
    away = sub(p, point)
    square = dot(away, away)
    found = Nearest(square, point, away)
    if point_like:
        return found
    q = p[0] + axis[0], p[1] + axis[1], p[2] + axis[2]
    other = on_triangle(q, a, b, c, n)
    found = _nearer(found, q, other)
    for first, second in ((a, b), (b, c), (c, a)):
        found = _nearer(found, *on_edge(p, axis, first, second))
    below, above = dot(sub(p, a), n), dot(sub(q, a), n)
    at = along(p, axis, below / (below - above))
    inside = (below * above < 0.0) & _within(at, a, b, c, n)
    zero = np.where(inside, 0.0, found.square)
    return Nearest(zero, pick(inside, at, found.point), pick(inside, n, found.away))


def _nearer(before: Nearest, on_axis: Vec, on_it: Vec) -> Nearest:
    away = sub(on_axis, on_it)
    square = dot(away, away)
    less = square < before.square
    return Nearest(
        np.where(less, square, before.square), pick(less, on_it, before.point), pick(less, away, before.away)
    )


def _within(p: Vec, a: Vec, b: Vec, c: Vec, n: Vec) -> BoolArray:
    sides = [dot(cross(sub(v, u), sub(p, u)), n) >= 0.0 for u, v in ((a, b), (b, c), (c, a))]
    both: BoolArray = sides[0] & sides[1] & sides[2]
    return both


def cross(a: Vec, b: Vec) -> Vec:
    """Cross product."""
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


def _unit(t: FloatArray) -> FloatArray:
    return np.minimum(np.maximum(t, 0.0), 1.0)


def _vec(rows: FloatArray, first: int) -> Vec:
    return rows[:, first], rows[:, first + 1], rows[:, first + 2]

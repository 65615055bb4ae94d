"""Delaunay triangles of a few points in the plane, and barycentric weights in them.

Bowyer (1981) and Watson (1981), point by point: meant for the some hundred samples of a blend
space, not for meshes.
"""

import numpy as np
import numpy.typing as npt

from core.arrays import FloatArray, IntArray

FLAT = 1e-12
"""Twice an area, of points within about 1 of each other, up to which a triangle's corners are on one line."""


def triangulate(points: npt.ArrayLike) -> IntArray:
    """Triangles ``(T, 3)``, counter-clockwise, over points ``(N, 2)``.

    Fewer than three points, or all on one line (within 1e-9 of their spread), give no triangle.
    Four points on a circle are cut one way or the other, the same way each time. No two points
    may coincide.
    """
    places = np.asarray(points, dtype=np.float64)
    if len(places) < 3 or collinear(places):
        return np.zeros((0, 3), dtype=np.int32)
    centre, spread = places.mean(axis=0), float(np.ptp(places, axis=0).max())
    scaled = (places - centre) / spread
    count = len(scaled)
    far = 1e4
    corners = np.vstack((scaled, [[-far, -far], [far, -far], [0.0, far]]))
    triangles = [(count, count + 1, count + 2)]
    circles = [_circle(corners, triangles[0])]
    for point in range(count):
        hit = [_holds(circle, corners[point]) for circle in circles]
        border = _border([t for t, inside in zip(triangles, hit, strict=True) if inside])
        kept = [(t, c) for t, c, inside in zip(triangles, circles, hit, strict=True) if not inside]
        fresh = [(a, b, point) for a, b in border if abs(_twice_area(corners, (a, b, point))) > 2e-14]
        triangles = [t for t, _ in kept] + fresh
        circles = [c for _, c in kept] + [_circle(corners, t) for t in fresh]
    inner = [t for t in triangles if max(t) < count and abs(_area(scaled, *t)) > 1e-12]
    turned = [t if _area(scaled, *t) > 0 else (t[0], t[2], t[1]) for t in inner]
    return np.array(turned, dtype=np.int32).reshape(-1, 3)


def with_area(points: npt.ArrayLike, triangles: IntArray) -> IntArray:
    """Triangles ``(T, 3)`` over points ``(N, 2)`` but for those whose corners are on one line.

    Triangles of points that were nudged may be such ones where the points themselves are.
    """
    places = np.asarray(points, dtype=np.float64)
    a, b, c = (places[triangles[:, k]] for k in range(3))
    return triangles[np.abs(_cross(b - a, c - a)) > FLAT]


def collinear(points: npt.ArrayLike) -> bool:
    """Whether all points ``(N, 2)`` lie on one line, within 1e-9 of their spread."""
    places = np.asarray(points, dtype=np.float64)
    if len(places) < 3:
        return True
    singular = np.linalg.svd(places - places.mean(axis=0), compute_uv=False)
    return bool(singular[1] <= 1e-9 * max(singular[0], 1e-300))


def barycentric(corners: npt.ArrayLike, point: npt.ArrayLike) -> FloatArray:
    """Weights ``(..., 3)`` of the corners ``(..., 3, 2)`` of triangles for a point; negative outside."""
    tri, at = np.asarray(corners, dtype=np.float64), np.asarray(point, dtype=np.float64)
    first, second, offset = (
        tri[..., 1, :] - tri[..., 0, :],
        tri[..., 2, :] - tri[..., 0, :],
        at - tri[..., 0, :],
    )
    area = _cross(first, second)
    v = _cross(offset, second) / area
    w = _cross(first, offset) / area
    return np.stack((1.0 - v - w, v, w), axis=-1)


def hull_edges(triangles: IntArray) -> IntArray:
    """Edges ``(E, 2)`` that belong to one triangle only: the outline."""
    border = _border([tuple(int(i) for i in t) for t in triangles])
    return np.array(border, dtype=np.int32).reshape(-1, 2)


def _cross(a: FloatArray, b: FloatArray) -> FloatArray:
    product: FloatArray = a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]
    return product


def _area(points: FloatArray, a: int, b: int, c: int) -> float:
    return float(_cross(points[b] - points[a], points[c] - points[a]))


def _twice_area(points: FloatArray, triangle: tuple[int, ...]) -> float:
    """Twice the area of a triangle, signed, as `_circle` divides by it: other sums round to other numbers near 0."""
    (ax, ay), (bx, by), (cx, cy) = (points[i] for i in triangle)
    return float(ax * (by - cy) + bx * (cy - ay) + cx * (ay - by))


def _circle(points: FloatArray, triangle: tuple[int, ...]) -> tuple[float, float, float]:
    """Centre and squared radius of the circle through a triangle's corners, which are not on one line."""
    (ax, ay), (bx, by), (cx, cy) = (points[i] for i in triangle)
    twice = 2.0 * _twice_area(points, triangle)
    a, b, c = ax * ax + ay * ay, bx * bx + by * by, cx * cx + cy * cy
    x = (a * (by - cy) + b * (cy - ay) + c * (ay - by)) / twice
    y = (a * (cx - bx) + b * (ax - cx) + c * (bx - ax)) / twice
    return float(x), float(y), float((ax - x) ** 2 + (ay - y) ** 2)


def _holds(circle: tuple[float, float, float], point: FloatArray) -> bool:
    x, y, squared = circle
    return bool((point[0] - x) ** 2 + (point[1] - y) ** 2 < squared * (1.0 - 1e-12))


def _border(triangles: list[tuple[int, ...]]) -> list[tuple[int, int]]:
    """Directed edges whose reverse is not among the triangles' edges, in a fixed order."""
    edges = [(t[k], t[(k + 1) % 3]) for t in triangles for k in range(3)]
    present = set(edges)
    return [e for e in edges if (e[1], e[0]) not in present]

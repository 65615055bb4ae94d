"""Faces of many corners cut into triangles."""

import numpy as np
import numpy.typing as npt

from core.arrays import FloatArray

Indices = npt.NDArray[np.int64]
MOST_CORNERS = 500
"""Faces with more are cut as a fan all the same: the search for ears would take too long."""
FLAT = 1e-9
"""Corners that bend inwards by less than this part of their edges' product count as straight."""


def cut(points: FloatArray, begin: Indices, size: Indices) -> tuple[Indices, Indices]:
    """Triangles of faces, with the faces' own winding.

    A convex face becomes a fan about its first corner. One with a corner that bends inwards is cut ear by
    ear (Meisters 1975), so that no triangle lies outside of it.

    Parameters
    ----------
    points : ``(C, 3)`` place of each corner of every face, face by face
    begin, size : ``(F,)`` first corner of each face and their number; fewer than three give nothing

    Returns
    -------
    triangles, owners
        ``(T, 3)`` numbers of corners, and ``(T,)`` the face of each
    """
    triangles, owners = [], []
    for step in range(1, max(0, int(size.max(initial=0)) - 1)):
        rows = np.flatnonzero(size > step + 1)
        triangles.append(np.stack((begin[rows], begin[rows] + step, begin[rows] + step + 1), axis=1))
        owners.append(rows)
    if not triangles:
        return np.zeros((0, 3), np.int64), np.zeros(0, np.int64)
    owner = np.concatenate(owners)
    order = np.argsort(owner, kind="stable")
    found, owner = np.concatenate(triangles)[order], owner[order]
    bent, normals = _bent(points, begin, size)
    starts = np.searchsorted(owner, bent)
    for face, start in zip(bent.tolist(), starts.tolist(), strict=True):
        first, count = int(begin[face]), int(size[face])
        ears = _ears(_flattened(points[first : first + count], normals[face]))
        found[start : start + count - 2] = np.array(ears) + first
    return found, owner


def _bent(points: FloatArray, begin: Indices, size: Indices) -> tuple[Indices, FloatArray]:
    """Faces with a corner that bends inwards; and the normals of all (Newell's sum, not of unit length)."""
    many = size > 2
    face = np.repeat(np.flatnonzero(many), size[many])
    first = np.cumsum(size[many]) - size[many]
    place = np.arange(len(face)) - np.repeat(first, size[many])
    here = begin[face] + place
    after = begin[face] + (place + 1) % size[face]
    before = begin[face] + (place - 1) % size[face]
    normals = np.zeros((len(size), 3))
    corner = points[begin[face]]
    np.add.at(normals, face, np.cross(points[here] - corner, points[after] - corner))
    into, out = points[here] - points[before], points[after] - points[here]
    length = np.linalg.norm(normals, axis=1)[face]
    turn = np.einsum("ck,ck->c", np.cross(into, out), normals[face])
    limit = -FLAT * np.linalg.norm(into, axis=1) * np.linalg.norm(out, axis=1) * length
    inwards = (turn < limit) & (length > 0.0) & (size[face] > 3) & (size[face] <= MOST_CORNERS)
    return np.unique(face[inwards]), normals


def _flattened(polygon: FloatArray, normal: FloatArray) -> FloatArray:
    """The polygon ``(N, 2)`` seen from where it runs counter-clockwise."""
    drop = int(np.argmax(np.abs(normal)))
    axes = [(drop + 1) % 3, (drop + 2) % 3]
    return polygon[:, axes if normal[drop] > 0.0 else axes[::-1]]


def _ears(polygon: FloatArray) -> list[tuple[int, int, int]]:
    """Triangles of a polygon ``(N, 2)`` that runs counter-clockwise."""
    left = list(range(len(polygon)))
    ears = []
    while len(left) > 3:
        place = next((n for n in range(len(left)) if _is_ear(polygon, left, n)), 0)
        ears.append((left[place - 1], left[place], left[(place + 1) % len(left)]))
        del left[place]
    return [*ears, (left[0], left[1], left[2])]


def _is_ear(polygon: FloatArray, left: list[int], place: int) -> bool:
    """Whether a corner sticks out, with none of the others inside of the triangle it makes."""
    a, b, c = left[place - 1], left[place], left[(place + 1) % len(left)]
    if _side(polygon[a], polygon[b], polygon[c][None])[0] <= 0.0:
        return False
    rest = polygon[[corner for corner in left if corner not in (a, b, c)]]
    # Corners at the place of one of these three (a hole's bridge) are not in the way.
    rest = rest[~(rest[:, None] == polygon[[a, b, c]][None]).all(axis=2).any(axis=1)]
    inside = np.ones(len(rest), bool)
    for p, q in ((a, b), (b, c), (c, a)):
        inside &= _side(polygon[p], polygon[q], rest) >= 0.0
    return not inside.any()


def _side(a: FloatArray, b: FloatArray, points: FloatArray) -> FloatArray:
    """Above 0 where points ``(N, 2)`` lie left of the way from a to b."""
    along, off = b - a, points - a
    result: FloatArray = along[0] * off[:, 1] - along[1] * off[:, 0]
    return result

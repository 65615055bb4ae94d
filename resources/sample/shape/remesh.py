"""Even triangles of a wanted size: split, collapse, flip, relax, after Botsch and Kobbelt (2004).

"A Remeshing Approach to Multiresolution Modeling", SGP 2004. Runs on the half x >= 0; vertices on the seam
x = 0 stay on it. Every pass picks changes that don't touch one another, so that a pass works on one
consistent mesh.
"""

from collections.abc import Callable

import numpy as np
from numba import njit
from numpy.typing import NDArray

from resources.sample.shape.fields import Array, Field

Index = NDArray[np.int64]
Sizing = Callable[[Array], Array]


def gradient(field: Field, points: Array, step: float = 4e-4) -> Array:
    """Central differences of a field, ``(N, 3)``."""
    moves = np.concatenate([np.eye(3), -np.eye(3)]) * step
    values = field((points[None] + moves[:, None]).reshape(-1, 3)).reshape(6, -1)
    return (values[:3] - values[3:]).T / (2.0 * step)


def project(field: Field, points: Array, rounds: int = 2) -> Array:
    """Points moved onto the surface by Newton steps along the gradient; points with x = 0 keep that."""
    seam = points[:, 0] == 0.0
    for _ in range(rounds):
        g = gradient(field, points)
        g[seam, 0] = 0.0
        move = field(points) / np.maximum((g * g).sum(axis=1), 0.05)
        points = points - g * np.clip(move, -0.01, 0.01)[:, None]
    points[:, 0] = np.where(seam, 0.0, np.maximum(points[:, 0], 2e-4))
    return points


def edges_of(triangles: Index) -> tuple[Index, Index, Index]:
    """Edges ``(E, 2)`` with the lower number first, how many triangles each has, edge of each corner."""
    corners = triangles[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2)
    edges, which, count = np.unique(np.sort(corners, axis=1), axis=0, return_inverse=True, return_counts=True)
    return edges, count, which.reshape(-1, 3)


def _fans(triangles: Index, vertices: int) -> tuple[Index, Index]:
    """Triangles round each vertex: starts ``(V + 1,)`` into a list of triangle numbers."""
    order = np.argsort(triangles.ravel(), kind="stable")
    starts = np.searchsorted(triangles.ravel()[order], np.arange(vertices + 1))
    return starts, order // 3


def _compact(points: Array, triangles: Index) -> tuple[Array, Index]:
    used, number = np.unique(triangles, return_inverse=True)
    return points[used], number.reshape(-1, 3)


def split_long(points: Array, triangles: Index, wanted: Array) -> tuple[Array, Index]:
    """Halve every edge that is longer than 4/3 of the wanted length and the longest of its triangles."""
    edges, count, which = edges_of(triangles)
    ratio = np.linalg.norm(points[edges[:, 0]] - points[edges[:, 1]], axis=1) / wanted[edges].mean(axis=1)
    longest = np.take_along_axis(which, ratio[which].argmax(axis=1)[:, None], axis=1)[:, 0]
    votes = np.bincount(longest, minlength=len(edges))
    uses = np.bincount(which.ravel(), minlength=len(edges))
    chosen = np.flatnonzero((ratio > 4.0 / 3.0) & (votes == uses))
    if not len(chosen):
        return points, triangles
    middle = np.full(len(edges), -1)
    middle[chosen] = len(points) + np.arange(len(chosen))
    fresh = points[edges[chosen]].mean(axis=1)
    fresh[(count[chosen] == 2) & (fresh[:, 0] == 0.0), 0] = (
        1e-3  # a chord between seam vertices is not the seam
    )
    points = np.concatenate([points, fresh])
    new = []
    for corner in range(3):
        m = middle[which[:, corner]]
        hit = m >= 0
        a, b, c = (triangles[hit][:, (corner + k) % 3] for k in range(3))
        new += [np.stack([a, m[hit], c], axis=1), np.stack([m[hit], b, c], axis=1)]
    keep = (middle[which] < 0).all(axis=1)
    return points, np.concatenate([triangles[keep], *new])


@njit(cache=True)
def _pick_collapses(points, normals, triangles, starts, fans, edges, places, kinds):  # type: ignore[no-untyped-def]
    """Which edges of the (sorted) list may shrink to their place: the surface stays a surface, none folds."""
    count = len(points)
    locked = np.zeros(count, np.bool_)
    mark = np.full(count, -1)
    remap = np.arange(count)
    moved = points.copy()
    for e in range(len(edges)):
        i, j = edges[e]
        if locked[i] or locked[j]:
            continue
        for s in range(starts[i], starts[i + 1]):
            for k in range(3):
                mark[triangles[fans[s], k]] = e
        shared = 0
        free = True
        for s in range(starts[j], starts[j + 1]):
            t = fans[s]
            for k in range(3):
                v = triangles[t, k]
                free = free and not locked[v]
                if v != i and v != j and mark[v] == e:
                    mark[v] = -2 - e
                    shared += 1
        for s in range(starts[i], starts[i + 1]):
            for k in range(3):
                free = free and not locked[triangles[fans[s], k]]
        if not free or shared != kinds[e]:
            continue
        for side in range(2):
            v, other = (i, j) if side == 0 else (j, i)
            for s in range(starts[v], starts[v + 1]):
                t = fans[s]
                a, b, c = triangles[t]
                if a == other or b == other or c == other:
                    continue
                pa = places[e] if a == v else points[a]
                pb = places[e] if b == v else points[b]
                pc = places[e] if c == v else points[c]
                n = np.cross(pb - pa, pc - pa)
                old = np.cross(points[b] - points[a], points[c] - points[a])
                if (n * old).sum() < 0.3 * np.sqrt((n * n).sum() * (old * old).sum()):
                    free = False
        if not free:
            continue
        remap[j] = i
        moved[i] = places[e]
        for v in (i, j):
            for s in range(starts[v], starts[v + 1]):
                for k in range(3):
                    locked[triangles[fans[s], k]] = True
    return remap, moved


def collapse_short(points: Array, triangles: Index, wanted: Array, normals: Array) -> tuple[Array, Index]:
    """Shrink edges that are shorter than 4/5 of the wanted length, shortest first."""
    edges, count, _ = edges_of(triangles)
    ratio = np.linalg.norm(points[edges[:, 0]] - points[edges[:, 1]], axis=1) / wanted[edges].mean(axis=1)
    seam = points[:, 0] == 0.0
    on = seam[edges]
    allowed = (ratio < 0.8) & ~(on.all(axis=1) & (count == 2))
    order = np.argsort(ratio, kind="stable")
    order = order[allowed[order]]
    edges, on = edges[order], on[order]
    edges = np.where((on[:, 1] & ~on[:, 0])[:, None], edges[:, ::-1], edges)
    one = on.sum(axis=1) == 1
    places = np.where(one[:, None], points[edges[:, 0]], points[edges].mean(axis=1))
    starts, fans = _fans(triangles, len(points))
    kinds = np.where(on.all(axis=1), 1, 2)
    remap, moved = _pick_collapses(
        points, normals, triangles, starts, fans, np.ascontiguousarray(edges), places, kinds
    )
    triangles = remap[triangles]
    good = (triangles != np.roll(triangles, 1, axis=1)).all(axis=1)
    return _compact(moved, triangles[good])


@njit(cache=True)
def _pick_flips(points, edges, sides, tips, valence, ideal, neighbours_of, neighbour_starts, triangles):  # type: ignore[no-untyped-def]  # noqa: PLR0913 - compiled
    locked = np.zeros(len(points), np.bool_)
    flips = 0
    for e in range(len(edges)):
        a, b = edges[e]
        c, d = tips[e]
        if locked[a] or locked[b] or locked[c] or locked[d]:
            continue
        before = (
            (valence[a] - ideal[a]) ** 2
            + (valence[b] - ideal[b]) ** 2
            + (valence[c] - ideal[c]) ** 2
            + (valence[d] - ideal[d]) ** 2
        )
        after = (
            (valence[a] - 1 - ideal[a]) ** 2
            + (valence[b] - 1 - ideal[b]) ** 2
            + (valence[c] + 1 - ideal[c]) ** 2
            + (valence[d] + 1 - ideal[d]) ** 2
        )
        if after >= before:
            continue
        joined = False
        for s in range(neighbour_starts[c], neighbour_starts[c + 1]):
            joined = joined or neighbours_of[s] == d
        if joined:
            continue
        # c lies left of a -> b: the new triangles are (c, a, d) and (d, b, c).
        n1 = np.cross(points[a] - points[c], points[d] - points[c])
        n2 = np.cross(points[b] - points[d], points[c] - points[d])
        o1 = np.cross(points[b] - points[a], points[c] - points[a])
        o2 = np.cross(points[a] - points[b], points[d] - points[b])
        old = o1 + o2
        l1, l2, lo = np.sqrt((n1 * n1).sum()), np.sqrt((n2 * n2).sum()), np.sqrt((old * old).sum())
        if (n1 * old).sum() < 0.7 * l1 * lo or (n2 * old).sum() < 0.7 * l2 * lo:
            continue
        small_old = min(np.sqrt((o1 * o1).sum()), np.sqrt((o2 * o2).sum()))
        if min(l1, l2) < 0.4 * small_old:
            continue
        s0, s1 = sides[e]
        triangles[s0, 0], triangles[s0, 1], triangles[s0, 2] = c, a, d
        triangles[s1, 0], triangles[s1, 1], triangles[s1, 2] = d, b, c
        locked[a] = locked[b] = locked[c] = locked[d] = True
        flips += 1
    return flips


def flip_edges(points: Array, triangles: Index) -> Index:
    """Turn edges where that brings the vertices nearer to six neighbours (four on the seam)."""
    for _ in range(4):
        edges, count, which = edges_of(triangles)
        inner = np.flatnonzero(count == 2)
        order = np.argsort(which.ravel(), kind="stable")
        first = np.searchsorted(which.ravel()[order], inner)
        corner0, corner1 = order[first], order[first + 1]
        tri0, tri1 = corner0 // 3, corner1 // 3
        a = triangles[tri0, corner0 % 3]
        b = triangles[tri0, (corner0 + 1) % 3]
        tips = np.stack([triangles[tri0, (corner0 + 2) % 3], triangles[tri1, (corner1 + 2) % 3]], axis=1)
        valence = np.bincount(edges.ravel(), minlength=len(points))
        ideal = np.where(points[:, 0] == 0.0, 4, 6)
        both = np.concatenate([edges, edges[:, ::-1]])
        both = both[np.argsort(both[:, 0], kind="stable")]
        starts = np.searchsorted(both[:, 0], np.arange(len(points) + 1))
        triangles = triangles.copy()
        done = _pick_flips(
            points, np.stack([a, b], axis=1), np.stack([tri0, tri1], axis=1), tips, valence, ideal,
            np.ascontiguousarray(both[:, 1]), starts, triangles,
        )  # fmt: skip
        if not done:
            break
    return triangles


def relax(field: Field, points: Array, triangles: Index, wanted: Array, rounds: int) -> Array:
    """Move vertices along the surface to the middle of their neighbours."""
    edges, count, _ = edges_of(triangles)
    seam = points[:, 0] == 0.0
    rim = edges[count == 1]
    inner = np.concatenate([edges, edges[:, ::-1]])
    rims = np.concatenate([rim, rim[:, ::-1]])
    use = np.concatenate([inner[~seam[inner[:, 0]]], rims[seam[rims[:, 0]]]])
    for _ in range(rounds):
        middle, weight = np.zeros_like(points), np.zeros(len(points))
        w = 1.0 / wanted[use[:, 1]]
        np.add.at(middle, use[:, 0], points[use[:, 1]] * w[:, None])
        np.add.at(weight, use[:, 0], w)
        g = gradient(field, points)
        g[seam, 0] = 0.0
        g /= np.linalg.norm(g, axis=1, keepdims=True)
        move = middle / weight[:, None] - points
        move -= (move * g).sum(axis=1, keepdims=True) * g
        points = project(field, points + 0.6 * move, 1)
    return points


def remeshed(
    field: Field, points: Array, triangles: Index, sizing: Sizing, rounds: int = 14
) -> tuple[Array, Index]:
    """The surface again with edges of about ``sizing(points)`` metres."""
    points = project(field, points)
    for turn in range(rounds):
        for _ in range(12 if turn == 0 else 3):
            before = len(points)
            points, triangles = collapse_short(points, triangles, sizing(points), points)
            if len(points) > 0.995 * before:
                break
        for _ in range(3):
            points, triangles = split_long(points, triangles, sizing(points))
        triangles = flip_edges(points, triangles)
        points = relax(field, points, triangles, sizing(points), 3)
    return project(field, relax(field, points, triangles, sizing(points), 6), 3), triangles

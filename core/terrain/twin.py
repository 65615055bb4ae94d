"""Rays and sweeps against the triangles of a terrain, in plain numpy. Compiled twin: `core.math.kernel_terrain`.

Among equal times the triangle of the lowest number counts, so that the order of looking does not matter.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from core.arrays import FloatArray
from core.terrain.closest import THIN, Vec, cross, dot, segment, sub
from core.terrain.mesh import TriangleMesh

Ints = npt.NDArray[np.int64]

NEAR = 0.0005
"""Metres between two surfaces that count as touching."""
MOST_PAIRS = 100_000
"""Pairs of capsule and triangle looked at together."""
MOST_ADVANCES = 64
"""Steps of conservative advancement; what is not decided by then counts as touching there."""
GRAZING = 1e-9
"""Share of a movement toward a surface below which it passes along it."""
RIM = 1e-12
"""Barycentric tolerance of rays, so that none slips between two triangles."""


def rays(mesh: TriangleMesh, origins: FloatArray, moves: FloatArray, times: FloatArray, which: Ints) -> None:
    """First front faces that rays ``(N, 3)`` meet: time in [0, 1] and triangle; 2 and −1 where none."""
    for row in range(len(origins)):
        times[row], which[row] = 2.0, -1
        low, high = _bounds(origins[row], origins[row], moves[row], 0.0)
        near = candidates(mesh, low, high)
        if len(near) == 0:
            continue
        found = _ray(mesh.table[near], _one(origins[row]), _one(moves[row]))
        best = int(np.argmin(found))
        if found[best] <= 1.0:
            times[row], which[row] = found[best], near[best]


def _ray(rows: FloatArray, o: Vec, d: Vec) -> FloatArray:
    a, b, c = ((rows[:, k], rows[:, k + 1], rows[:, k + 2]) for k in (0, 3, 6))
    ab, ac, ao = sub(b, a), sub(c, a), sub(o, a)
    with np.errstate(all="ignore"):
        p = cross(d, ac)
        determinant = dot(ab, p)
        inverse = 1.0 / determinant
        u = dot(ao, p) * inverse
        q = cross(ao, ab)
        v = dot(d, q) * inverse
        t = dot(ac, q) * inverse
        met = (determinant > 0.0) & (u >= -RIM) & (v >= -RIM) & (u + v <= 1.0 + RIM) & (t >= 0.0)
    return np.where(met, t, 2.0)


def sweeps(
    mesh: TriangleMesh,
    begins: FloatArray,
    ends: FloatArray,
    moves: FloatArray,
    radii: FloatArray,
    out: FloatArray,
    which: Ints,
) -> None:
    """First surfaces that capsules about segments ``(N, 3)`` to ``(N, 3)`` meet on their moves ``(N, 3)``.

    `out` ``(N, 8)``: time in [0, 1] (2 where none), point, normal (from there to the axis, unit), gap in metres;
    `which` the triangle. Without a move: the nearest within the radius, with a gap up to 0; the radius is then
    how far it looks.
    """
    out[:], which[:] = 0.0, -1
    out[:, 0] = 2.0
    asked = Capsules(begins, ends - begins, moves, radii)
    near: list[Ints] = []
    for row in range(len(begins)):
        low, high = _bounds(begins[row], ends[row], moves[row], float(radii[row]) + NEAR)
        near.append(candidates(mesh, low, high))
    point_like = dot(_columns(asked.axes), _columns(asked.axes)) <= THIN
    for kind in (True, False):
        rows = [row for row in np.flatnonzero(point_like == kind).tolist() if len(near[row])]
        for part in _parts(rows, near):
            _settle(mesh, asked, near, part, kind, out, which)


def _parts(rows: list[int], near: list[Ints]) -> Iterator[list[int]]:
    """Rows in groups of not too many pairs of row and triangle."""
    part: list[int] = []
    count = 0
    for row in rows:
        if part and count + len(near[row]) > MOST_PAIRS:
            yield part
            part, count = [], 0
        part.append(row)
        count += len(near[row])
    if part:
        yield part


class Capsules(NamedTuple):
    """What is asked: begins, axes and moves ``(N, 3)``, radii ``(N,)``."""

    begins: FloatArray
    axes: FloatArray
    moves: FloatArray
    radii: FloatArray


def _settle(
    mesh: TriangleMesh,
    asked: Capsules,
    near: list[Ints],
    rows: list[int],
    point_like: bool,
    out: FloatArray,
    which: Ints,
) -> None:
    """The answers of some rows, all pairs of row and triangle at once."""
    of = np.repeat(rows, [len(near[row]) for row in rows])
    item = np.concatenate([near[row] for row in rows])
    pairs = Capsules(*(part[of] for part in asked))
    with np.errstate(all="ignore"):
        times, details = _advance(mesh.table[item], pairs, point_like)
    still = dot(_columns(pairs.moves), _columns(pairs.moves)) <= 0.0
    key = np.where(times <= 1.0, np.where(still, details[:, 6], times), np.inf)
    first = 0
    for row in rows:
        last = first + len(near[row])
        best = first + int(np.argmin(key[first:last]))
        if times[best] <= 1.0:
            out[row, 0], out[row, 1:], which[row] = times[best], details[best], item[best]
        first = last


def _advance(table: FloatArray, pairs: Capsules, point_like: bool) -> tuple[FloatArray, FloatArray]:
    """Times ``(M,)`` at which capsules touch one triangle each, and point, normal and gap ``(M, 7)`` there."""
    count = len(table)
    times, details = np.full(count, 2.0), np.zeros((count, 7))
    active, t = np.arange(count), np.zeros(count)
    for number in range(MOST_ADVANCES):
        p, axis, m = (_columns(part[active]) for part in (pairs.begins, pairs.axes, pairs.moves))
        length = np.sqrt(dot(m, m))
        first: Vec = (p[0] + m[0] * t, p[1] + m[1] * t, p[2] + m[2] * t)
        found = segment(first, axis, point_like, table[active])
        distance = np.sqrt(found.square)
        scale = np.where(distance <= 0.0, 1.0, distance)
        away: Vec = (found.away[0] / scale, found.away[1] / scale, found.away[2] / scale)
        gap = distance - pairs.radii[active]
        closing = -dot(m, away)
        toward = closing > GRAZING * length
        moving = length > 0.0
        near = (gap <= NEAR) | (number == MOST_ADVANCES - 1)
        touching = np.where(moving, toward & near, gap <= 0.0)
        hit = active[touching]
        times[hit] = t[touching]
        parts = (*found.point, *away, gap)
        details[hit] = np.stack([part[touching] for part in parts], axis=1)
        further = t + (gap - 0.5 * NEAR) / closing
        going = moving & toward & ~touching & (further <= 1.0)
        active, t = active[going], further[going]
        if len(active) == 0:
            break
    return times, details


def candidates(mesh: TriangleMesh, low: FloatArray, high: FloatArray) -> Ints:
    """Numbers, ascending, of the triangles whose bounds meet a box of the world."""
    x0, z0, cell, columns, rows = (float(v) for v in mesh.grid)
    first = int(max(0.0, (low[0] - x0) // cell)), int(max(0.0, (low[2] - z0) // cell))
    last = int(min(columns - 1, (high[0] - x0) // cell)), int(min(rows - 1, (high[2] - z0) // cell))
    found = [mesh.large]
    for row in range(first[1], last[1] + 1):
        if last[0] >= first[0]:
            begin = row * int(columns)
            found.append(mesh.items[mesh.starts[begin + first[0]] : mesh.starts[begin + last[0] + 1]])
    near = np.unique(np.concatenate(found))
    bounds = mesh.table[near, 12:]
    meets = (bounds[:, :3] <= high).all(axis=1) & (bounds[:, 3:] >= low).all(axis=1)
    return near[meets]


def _bounds(p: FloatArray, q: FloatArray, move: FloatArray, margin: float) -> tuple[FloatArray, FloatArray]:
    corners = np.stack([p, q, p + move, q + move])
    return corners.min(axis=0) - margin, corners.max(axis=0) + margin


def _columns(rows: FloatArray) -> Vec:
    return rows[:, 0], rows[:, 1], rows[:, 2]


def _one(v: FloatArray) -> Vec:
    return v[0], v[1], v[2]

"""Rays and sweeps against the triangles of a terrain, in plain numpy. Compiled twin: `core.math.kernel_terrain`.

Among equal times the triangle of the lowest number counts, so that the order of looking does not matter.
"""

import numpy as np
import numpy.typing as npt

from core.arrays import FloatArray
from core.terrain.closest import THIN, Vec, cross, dot, segment, sub
from core.terrain.mesh import TriangleMesh

Ints = npt.NDArray[np.int64]

NEAR = 0.0005
"""Metres between two surfaces that count as touching."""
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
    for row in range(len(begins)):
        out[row], which[row] = 0.0, -1
        out[row, 0] = 2.0
        low, high = _bounds(begins[row], ends[row], moves[row], float(radii[row]) + NEAR)
        near = candidates(mesh, low, high)
        if len(near) == 0:
            continue
        p, q, m = _one(begins[row]), _one(ends[row]), _one(moves[row])
        with np.errstate(all="ignore"):
            times, details = _advance(mesh.table[near], p, q, m, float(radii[row]))
        key = details[:, 6] if not moves[row].any() else times
        best = int(np.argmin(np.where(times <= 1.0, key, np.inf)))
        if times[best] <= 1.0:
            out[row, 0], out[row, 1:] = times[best], details[best]
            which[row] = near[best]


def _advance(rows: FloatArray, p: Vec, q: Vec, m: Vec, radius: float) -> tuple[FloatArray, FloatArray]:
    """Times ``(M,)`` of conservative advancement, and point, normal and gap ``(M, 7)`` there."""
    count = len(rows)
    times, details = np.full(count, 2.0), np.zeros((count, 7))
    length, axis = np.sqrt(dot(m, m)), sub(q, p)
    point_like = bool(dot(axis, axis) <= THIN)
    active, t = np.arange(count), np.zeros(count)
    for number in range(MOST_ADVANCES):
        here: Vec = (m[0] * t, m[1] * t, m[2] * t)
        first: Vec = (p[0] + here[0], p[1] + here[1], p[2] + here[2])
        found = segment(first, axis, point_like, rows[active])
        distance = np.sqrt(found.square)
        crossing = distance <= 0.0
        scale = np.where(crossing, 1.0, distance)
        away: Vec = (found.away[0] / scale, found.away[1] / scale, found.away[2] / scale)
        gap = distance - radius
        closing = -dot(m, away)
        if length <= 0.0:
            touching = gap <= 0.0
        else:
            toward = closing > GRAZING * length
            touching = toward & ((gap <= NEAR) | (number == MOST_ADVANCES - 1))
        hit = active[touching]
        times[hit] = t[touching]
        parts = (*found.point, *away, gap)
        details[hit] = np.stack([part[touching] for part in parts], axis=1)
        if length <= 0.0:
            break
        further = t + (gap - 0.5 * NEAR) / closing
        going = toward & ~touching & (further <= 1.0)
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


def _one(v: FloatArray) -> Vec:
    return v[0], v[1], v[2]

# mypy: disable-error-code="no-untyped-def"
"""Rays and sweeps against the triangles of a terrain (compiled). Twins: `core.terrain.twin`, `core.terrain.closest`.

Nothing is loosened and every sum has the twin's order, so that both give the same bits: a run of the controller
must not depend on whether its machine has compiled yet.
"""

import math

from numba import njit, types

NEAR = 0.0005
MOST_ADVANCES = 64
GRAZING = 1e-9
RIM = 1e-12
THIN = 1e-18
PARALLEL = 1e-14

_F1 = types.Array(types.float64, 1, "C", readonly=True)
_F2 = types.Array(types.float64, 2, "C", readonly=True)
_I1 = types.Array(types.int64, 1, "C", readonly=True)
_W1, _W2, _WI = types.float64[::1], types.float64[:, ::1], types.int64[::1]


@njit(cache=True, error_model="numpy")
def _unit(t):
    """A number kept within 0..1."""
    return min(max(t, 0.0), 1.0)


@njit(cache=True, error_model="numpy")
def _on_triangle(px, py, pz, r):
    """Nearest point of a triangle to p."""
    ax, ay, az, bx, by, bz, cx, cy, cz = r[0], r[1], r[2], r[3], r[4], r[5], r[6], r[7], r[8]
    ux, uy, uz = bx - ax, by - ay, bz - az
    vx, vy, vz = cx - ax, cy - ay, cz - az
    x, y, z = px - ax, py - ay, pz - az
    d1, d2 = ux * x + uy * y + uz * z, vx * x + vy * y + vz * z
    if d1 <= 0.0 and d2 <= 0.0:
        return ax, ay, az
    height = x * r[9] + y * r[10] + z * r[11]
    x, y, z = px - bx, py - by, pz - bz
    d3, d4 = ux * x + uy * y + uz * z, vx * x + vy * y + vz * z
    if d3 >= 0.0 and d4 <= d3:
        return bx, by, bz
    vc = d1 * d4 - d3 * d2
    if vc <= 0.0 and d1 >= 0.0 and d3 <= 0.0:
        t = d1 / (d1 - d3)
        return ax + ux * t, ay + uy * t, az + uz * t
    x, y, z = px - cx, py - cy, pz - cz
    d5, d6 = ux * x + uy * y + uz * z, vx * x + vy * y + vz * z
    if d6 >= 0.0 and d5 <= d6:
        return cx, cy, cz
    vb = d5 * d2 - d1 * d6
    if vb <= 0.0 and d2 >= 0.0 and d6 <= 0.0:
        t = d2 / (d2 - d6)
        return ax + vx * t, ay + vy * t, az + vz * t
    va = d3 * d6 - d5 * d4
    e, f = d4 - d3, d5 - d6
    if va <= 0.0 and e >= 0.0 and f >= 0.0:
        t = e / (e + f)
        return bx + (cx - bx) * t, by + (cy - by) * t, bz + (cz - bz) * t
    return px - r[9] * height, py - r[10] * height, pz - r[11] * height


@njit(cache=True, error_model="numpy")
def _on_edge(px, py, pz, dx, dy, dz, r, i, j):
    """Nearest points of the axis from p and the edge between two corners: on the axis, on the edge."""
    ax, ay, az = r[i], r[i + 1], r[i + 2]
    ex, ey, ez = r[j] - ax, r[j + 1] - ay, r[j + 2] - az
    x, y, z = px - ax, py - ay, pz - az
    aa, ee = dx * dx + dy * dy + dz * dz, ex * ex + ey * ey + ez * ez
    f = ex * x + ey * y + ez * z
    c, bb = dx * x + dy * y + dz * z, dx * ex + dy * ey + dz * ez
    denominator = aa * ee - bb * bb
    s = 0.0
    if denominator > PARALLEL * (aa * ee):
        s = _unit((bb * f - c * ee) / denominator)
    t = (bb * s + f) / ee
    if t < 0.0:
        s = _unit(-c / aa)
    elif t > 1.0:
        s = _unit((bb - c) / aa)
    t = _unit(t)
    return px + dx * s, py + dy * s, pz + dz * s, ax + ex * t, ay + ey * t, az + ez * t


@njit(cache=True, error_model="numpy")
def _beside(px, py, pz, r, i, j):
    """Whether a point of a triangle's plane is on the inner side of one of its edges."""
    ex, ey, ez = r[j] - r[i], r[j + 1] - r[i + 1], r[j + 2] - r[i + 2]
    x, y, z = px - r[i], py - r[i + 1], pz - r[i + 2]
    return (ey * z - ez * y) * r[9] + (ez * x - ex * z) * r[10] + (ex * y - ey * x) * r[11] >= 0.0


@njit(cache=True, error_model="numpy")
def _nearest(px, py, pz, dx, dy, dz, point_like, r):
    """Square of the distance of an axis to a triangle, the point on it, the way from there to the axis."""
    x, y, z = _on_triangle(px, py, pz, r)
    wx, wy, wz = px - x, py - y, pz - z
    square = wx * wx + wy * wy + wz * wz
    if point_like:
        return square, x, y, z, wx, wy, wz
    qx, qy, qz = px + dx, py + dy, pz + dz
    ox, oy, oz = _on_triangle(qx, qy, qz, r)
    sx, sy, sz = qx, qy, qz
    for k in range(4):
        if k > 0:
            sx, sy, sz, ox, oy, oz = _on_edge(px, py, pz, dx, dy, dz, r, 3 * (k - 1), 3 * (k % 3))
        ux, uy, uz = sx - ox, sy - oy, sz - oz
        other = ux * ux + uy * uy + uz * uz
        if other < square:
            square, x, y, z, wx, wy, wz = other, ox, oy, oz, ux, uy, uz
    below = (px - r[0]) * r[9] + (py - r[1]) * r[10] + (pz - r[2]) * r[11]
    above = (qx - r[0]) * r[9] + (qy - r[1]) * r[10] + (qz - r[2]) * r[11]
    if below * above < 0.0:
        t = below / (below - above)
        ox, oy, oz = px + dx * t, py + dy * t, pz + dz * t
        if _beside(ox, oy, oz, r, 0, 3) and _beside(ox, oy, oz, r, 3, 6) and _beside(ox, oy, oz, r, 6, 0):
            return 0.0, ox, oy, oz, r[9], r[10], r[11]
    return square, x, y, z, wx, wy, wz


@njit(cache=True, error_model="numpy")
def _advance(px, py, pz, dx, dy, dz, point_like, mx, my, mz, radius, r, best):
    """Time at which a moving capsule touches a triangle, 2 where that is later than `best`; point, normal, gap."""
    length = math.sqrt(mx * mx + my * my + mz * mz)
    t = 0.0
    for number in range(MOST_ADVANCES):
        square, x, y, z, wx, wy, wz = _nearest(
            px + mx * t, py + my * t, pz + mz * t, dx, dy, dz, point_like, r
        )
        distance = math.sqrt(square)
        scale = 1.0 if distance <= 0.0 else distance
        wx, wy, wz = wx / scale, wy / scale, wz / scale
        gap = distance - radius
        closing = -(mx * wx + my * wy + mz * wz)
        if length <= 0.0:
            return (0.0 if gap <= 0.0 else 2.0), x, y, z, wx, wy, wz, gap
        if not closing > GRAZING * length:
            break
        if gap <= NEAR or number == MOST_ADVANCES - 1:
            return t, x, y, z, wx, wy, wz, gap
        t = t + (gap - 0.5 * NEAR) / closing
        if t > 1.0 or t > best:
            break
    return 2.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0


@njit(cache=True, error_model="numpy")
def _span(grid, row, x, z, mx, mz, margin):
    """First and last cell along x that a swept place comes within `margin` of in one row of cells."""
    low, high = grid[1] + row * grid[2] - margin, grid[1] + (row + 1.0) * grid[2] + margin
    begin, end = 0.0, 1.0
    if mz != 0.0:
        a, b = (low - z) / mz, (high - z) / mz
        begin, end = max(begin, min(a, b)), min(end, max(a, b))
    elif z < low or z > high:
        return 0, -1
    if begin > end:
        return 0, -1
    a, b = x + mx * begin, x + mx * end
    # A hair wider: where the line is cut is rounded.
    first = math.floor((min(a, b) - margin - grid[0]) / grid[2] - 1e-6)
    last = math.floor((max(a, b) + margin - grid[0]) / grid[2] + 1e-6)
    return int(max(first, 0.0)), int(min(last, grid[3] - 1.0))


@njit(cache=True, error_model="numpy")
def _rows(grid, z, mz, margin):
    """First and last row of cells."""
    first = math.floor((min(z, z + mz) - margin - grid[1]) / grid[2])
    last = math.floor((max(z, z + mz) + margin - grid[1]) / grid[2])
    return int(min(max(first, 0.0), grid[4])), int(max(min(last, grid[4] - 1.0), -1.0))


@njit(cache=True, error_model="numpy")
def _ray(ox, oy, oz, dx, dy, dz, r):
    """Time at which a ray meets the front of a triangle; 2 where it does not."""
    ux, uy, uz = r[3] - r[0], r[4] - r[1], r[5] - r[2]
    vx, vy, vz = r[6] - r[0], r[7] - r[1], r[8] - r[2]
    x, y, z = ox - r[0], oy - r[1], oz - r[2]
    px, py, pz = dy * vz - dz * vy, dz * vx - dx * vz, dx * vy - dy * vx
    determinant = ux * px + uy * py + uz * pz
    if not determinant > 0.0:
        return 2.0
    inverse = 1.0 / determinant
    u = (x * px + y * py + z * pz) * inverse
    qx, qy, qz = y * uz - z * uy, z * ux - x * uz, x * uy - y * ux
    v = (dx * qx + dy * qy + dz * qz) * inverse
    if u >= -RIM and v >= -RIM and u + v <= 1.0 + RIM:
        t = (vx * qx + vy * qy + vz * qz) * inverse
        if t >= 0.0:
            return t
    return 2.0


@njit(cache=True, error_model="numpy")
def first_front(table, grid, starts, items, large, ox, oy, oz, dx, dy, dz):
    """The first front face that a ray meets: time and triangle; 2 and −1 where there is none."""
    best, found = 2.0, -1
    for k in range(len(large)):
        t = _ray(ox, oy, oz, dx, dy, dz, table[large[k]])
        if t <= 1.0 and (t < best or (t == best and large[k] < found)):
            best, found = t, large[k]
    first, last = _rows(grid, oz, dz, 1e-9)
    for row in range(first, last + 1):
        left, right = _span(grid, row, ox, oz, dx, dz, 1e-9)
        base = row * int(grid[3])
        if right < left:
            continue
        for k in range(starts[base + left], starts[base + right + 1]):
            t = _ray(ox, oy, oz, dx, dy, dz, table[items[k]])
            if t <= 1.0 and (t < best or (t == best and items[k] < found)):
                best, found = t, items[k]
    return best, found


@njit(types.void(_F2, _F1, _I1, _I1, _I1, _F2, _F2, _W1, _WI), cache=True, error_model="numpy")
def rays(table, grid, starts, items, large, origins, moves, times, which):
    """First front faces that rays ``(N, 3)`` meet: times ``(N,)`` and triangles ``(N,)``; 2 and −1 where none."""
    for n in range(len(origins)):
        ox, oy, oz = origins[n, 0], origins[n, 1], origins[n, 2]
        times[n], which[n] = first_front(
            table, grid, starts, items, large, ox, oy, oz, moves[n, 0], moves[n, 1], moves[n, 2]
        )


@njit(types.void(_F2, _F1, _I1, _I1, _I1, _F2, _F2, _F2, _F1, _W2, _WI), cache=True, error_model="numpy")
def sweeps(table, grid, starts, items, large, begins, ends, moves, radii, out, which):
    """First surfaces that capsules meet; as `core.terrain.twin.sweeps`."""
    for n in range(len(begins)):
        px, py, pz = begins[n, 0], begins[n, 1], begins[n, 2]
        dx, dy, dz = ends[n, 0] - px, ends[n, 1] - py, ends[n, 2] - pz
        mx, my, mz = moves[n, 0], moves[n, 1], moves[n, 2]
        point_like = dx * dx + dy * dy + dz * dz <= THIN
        still = mx * mx + my * my + mz * mz <= 0.0
        radius, margin = radii[n], radii[n] + NEAR
        low_x, high_x = min(px, px + dx), max(px, px + dx)
        low_y, high_y = min(py, py + dy), max(py, py + dy)
        low_z, high_z = min(pz, pz + dz), max(pz, pz + dz)
        low_x, high_x = min(low_x, low_x + mx) - margin, max(high_x, high_x + mx) + margin
        low_y, high_y = min(low_y, low_y + my) - margin, max(high_y, high_y + my) + margin
        low_z, high_z = min(low_z, low_z + mz) - margin, max(high_z, high_z + mz) + margin
        for k in range(8):
            out[n, k] = 0.0
        out[n, 0] = 2.0
        key, found = 2.0, -1
        # The axis lies within its middle's place and half its extent over the ground.
        middle_x, middle_z = px + 0.5 * dx, pz + 0.5 * dz
        wide = margin + 0.5 * math.sqrt(dx * dx + dz * dz) + 1e-6
        first, last = _rows(grid, middle_z, mz, wide)
        for row in range(first - 1, last + 1):
            if row < first:
                begin, end = 0, len(large)
            else:
                left, right = _span(grid, row, middle_x, middle_z, mx, mz, wide)
                if right < left:
                    continue
                base = row * int(grid[3])
                begin, end = starts[base + left], starts[base + right + 1]
            for k in range(begin, end):
                item = large[k] if row < first else items[k]
                r = table[item]
                if r[15] < low_x or r[12] > high_x or r[16] < low_y or r[13] > high_y:
                    continue
                if r[17] < low_z or r[14] > high_z:
                    continue
                best = 1.0 if still else key
                t, x, y, z, wx, wy, wz, gap = _advance(
                    px, py, pz, dx, dy, dz, point_like, mx, my, mz, radius, r, best
                )
                new = gap if still else t
                if t <= 1.0 and (new < key or (new == key and item < found)):
                    key, found = new, item
                    out[n, 0], out[n, 1], out[n, 2], out[n, 3] = t, x, y, z
                    out[n, 4], out[n, 5], out[n, 6], out[n, 7] = wx, wy, wz, gap
        which[n] = found

"""Clips on characters of other proportions (compiled). Twin: `core.pose.proportions`."""

import math

from numba import njit

ANIMATION, SKELETON, SCALED, RELATIVE, ORIENTED = 0, 1, 2, 3, 4
REST, SOURCE, RATIO, TURN, CHANGE, GROWTH, WIDTH = 0, 3, 6, 7, 11, 15, 18


@njit(
    "void(int64[::1], float64[:, ::1], float64, float64[:, :, ::1], float64[:, :, ::1], float64[:, :, ::1])",
    cache=True,
    error_model="numpy",
)
def put(codes, table, near, translations, rotations, scales):  # type: ignore[no-untyped-def]
    """Change local transforms ``(T, B, k)`` in place as each bone's mode says.

    A row of the table: the character's rest place, the source's, ratio of lengths, turn from the one
    to the other, change of rest rotation, ratio of rest scales.
    """
    for bone in range(len(codes)):
        code, row = codes[bone], table[bone]
        if code == ANIMATION:
            continue
        sx, sy, sz = row[SOURCE], row[SOURCE + 1], row[SOURCE + 2]
        within = near * math.sqrt(sx * sx + sy * sy + sz * sz)
        for t in range(len(translations)):
            place = translations[t, bone]
            if code == SKELETON:
                place[0], place[1], place[2] = row[REST], row[REST + 1], row[REST + 2]
            elif code == SCALED:
                for c in range(3):
                    place[c] *= row[RATIO]
            elif code == ORIENTED:
                x, y, z = place[0], place[1], place[2]
                if math.sqrt((x - sx) ** 2 + (y - sy) ** 2 + (z - sz) ** 2) <= within:
                    place[0], place[1], place[2] = row[REST], row[REST + 1], row[REST + 2]
                    continue
                a, b, c, w = row[TURN], row[TURN + 1], row[TURN + 2], row[TURN + 3]
                ux, uy, uz = 2.0 * (b * z - c * y), 2.0 * (c * x - a * z), 2.0 * (a * y - b * x)
                place[0] = row[RATIO] * (x + w * ux + b * uz - c * uy)
                place[1] = row[RATIO] * (y + w * uy + c * ux - a * uz)
                place[2] = row[RATIO] * (z + w * uz + a * uy - b * ux)
            else:
                q = rotations[t, bone]
                x, y, z, w = q[0], q[1], q[2], q[3]
                a, b, c, d = row[CHANGE], row[CHANGE + 1], row[CHANGE + 2], row[CHANGE + 3]
                q[0] = w * a + x * d + y * c - z * b
                q[1] = w * b - x * c + y * d + z * a
                q[2] = w * c + x * b - y * a + z * d
                q[3] = w * d - x * a - y * b - z * c
                for k in range(3):
                    place[k] += row[REST + k] - row[SOURCE + k]
                    scales[t, bone, k] *= row[GROWTH + k]

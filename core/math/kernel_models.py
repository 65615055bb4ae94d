"""Model transforms down the parents (compiled). Twin: `core.math.transform.down_chain`."""

from numba import njit, types

_READ = types.Array(types.float64, 3, "C", readonly=True)
_PARENTS = types.Array(types.int32, 1, "C", readonly=True)
_WRITE = types.float64[:, :, ::1]


@njit(
    types.void(_PARENTS, _READ, _READ, _READ, _WRITE, _WRITE, _WRITE),
    cache=True,
    error_model="numpy",
)
def put(parents, translations, rotations, scales, places, turns, sizes):  # type: ignore[no-untyped-def]
    """Local transforms ``(T, B, k)`` composed down the parents into model transforms."""
    for t in range(len(translations)):
        for bone in range(len(parents)):
            p = parents[bone]
            x, y, z = translations[t, bone, 0], translations[t, bone, 1], translations[t, bone, 2]
            a, b, c, d = (
                rotations[t, bone, 0], rotations[t, bone, 1], rotations[t, bone, 2], rotations[t, bone, 3]
            )  # fmt: skip
            if p < 0:
                places[t, bone, 0], places[t, bone, 1], places[t, bone, 2] = x, y, z
                turns[t, bone, 0], turns[t, bone, 1], turns[t, bone, 2], turns[t, bone, 3] = a, b, c, d
                for k in range(3):
                    sizes[t, bone, k] = scales[t, bone, k]
                continue
            qx, qy, qz, qw = turns[t, p, 0], turns[t, p, 1], turns[t, p, 2], turns[t, p, 3]
            x, y, z = x * sizes[t, p, 0], y * sizes[t, p, 1], z * sizes[t, p, 2]
            ux, uy, uz = 2.0 * (qy * z - qz * y), 2.0 * (qz * x - qx * z), 2.0 * (qx * y - qy * x)
            places[t, bone, 0] = places[t, p, 0] + x + qw * ux + qy * uz - qz * uy
            places[t, bone, 1] = places[t, p, 1] + y + qw * uy + qz * ux - qx * uz
            places[t, bone, 2] = places[t, p, 2] + z + qw * uz + qx * uy - qy * ux
            turns[t, bone, 0] = qw * a + qx * d + qy * c - qz * b
            turns[t, bone, 1] = qw * b - qx * c + qy * d + qz * a
            turns[t, bone, 2] = qw * c + qx * b - qy * a + qz * d
            turns[t, bone, 3] = qw * d - qx * a - qy * b - qz * c
            for k in range(3):
                sizes[t, bone, k] = sizes[t, p, k] * scales[t, bone, k]

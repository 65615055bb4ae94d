"""Weighted sums of poses (compiled). Twin: `core.pose.blend.weighted`."""

import math

import numpy as np
from numba import carray, njit, types

from core.math.kernel_memory import doubles
from core.math.kernel_mesh import _read
from core.math.kernel_sample import FAST


@njit(cache=True, fastmath=FAST, error_model="numpy")
def _begin(share, part, out):  # type: ignore[no-untyped-def]
    """Begin a weighted sum: write `share` times `part` to `out`, flat arrays of the same length."""
    for k in range(len(out)):
        out[k] = share * part[k]


@njit(cache=True, fastmath=FAST, error_model="numpy")
def _add(share, part, out):  # type: ignore[no-untyped-def]
    """Add `share` times `part` to the sum `out`, flat arrays of the same length, in place."""
    for k in range(len(out)):
        out[k] += share * part[k]


@njit(cache=True, fastmath=FAST, error_model="numpy")
def _turn(share, part, out):  # type: ignore[no-untyped-def]
    """Add rotations with the sign that agrees with the sum so far."""
    for b in range(len(out) >> 2):
        x, y, z, w = part[4 * b], part[4 * b + 1], part[4 * b + 2], part[4 * b + 3]
        dot = x * out[4 * b] + y * out[4 * b + 1] + z * out[4 * b + 2] + w * out[4 * b + 3]
        c = -share if dot < 0.0 else share
        out[4 * b] += c * x
        out[4 * b + 1] += c * y
        out[4 * b + 2] += c * z
        out[4 * b + 3] += c * w


@njit(cache=True, error_model="numpy")
def _by_weight(shares, index, order):  # type: ignore[no-untyped-def]
    """Numbers of the parts from the heaviest to the lightest in one pose; of equals the first goes first."""
    for n in range(len(order)):
        place, share = n, shares[n, index]
        while place and shares[order[place - 1], index] < share:
            order[place] = order[place - 1]
            place -= 1
        order[place] = n


@njit(cache=True, fastmath=FAST, error_model="numpy")
def _unit(out):  # type: ignore[no-untyped-def]
    """Scale summed rotations ``(4B,)`` to unit length, in place; a sum near zero becomes the identity."""
    for b in range(len(out) >> 2):
        x, y, z, w = out[4 * b], out[4 * b + 1], out[4 * b + 2], out[4 * b + 3]
        length = math.sqrt(x * x + y * y + z * z + w * w)
        inverse = 1.0 / length if length >= 1e-12 else 0.0
        out[4 * b] = x * inverse
        out[4 * b + 1] = y * inverse
        out[4 * b + 2] = z * inverse
        out[4 * b + 3] = w * inverse if length >= 1e-12 else 1.0


@njit(
    types.void(
        _read(types.int64, 2), _read(types.float64, 2),
        types.float64[:, ::1], types.float64[:, ::1], types.float64[:, ::1],
    ),
    cache=True,
    error_model="numpy",
)  # fmt: skip
def weighted(addresses, shares, translations, rotations, scales):  # type: ignore[no-untyped-def]
    """Blend n batches of poses, pose after pose, so that sums stay in the nearest cache.

    Parts are taken from the heaviest to the lightest.

    Parameters
    ----------
    addresses : ``(n, 3)`` of each part's contiguous translations, rotations, scales
    shares : ``(n, T)`` weights that sum to 1
    translations, rotations, scales : ``(T, B·3)``, ``(T, B·4)``, ``(T, B·3)`` to write
    """
    size = translations.shape[1]
    turns = rotations.shape[1]
    order = np.empty(len(addresses), np.int64)
    for index in range(len(translations)):
        t, q, s = translations[index], rotations[index], scales[index]
        _by_weight(shares, index, order)
        for k in range(len(order)):
            n = order[k]
            share = shares[n, index]
            if k and share == 0.0:
                break
            moved = carray(doubles(addresses[n, 0] + 8 * size * index), (size,))
            turned = carray(doubles(addresses[n, 1] + 8 * turns * index), (turns,))
            scaled = carray(doubles(addresses[n, 2] + 8 * size * index), (size,))
            if k == 0:
                _begin(share, moved, t)
                _begin(share, turned, q)
                _begin(share, scaled, s)
            else:
                _add(share, moved, t)
                _turn(share, turned, q)
                _add(share, scaled, s)
        _unit(q)

# mypy: disable-error-code="no-untyped-def"
"""Motion matching (compiled): the nearest frame of a database, and poses between frames with what a switch left.

Twins: `core.locomotion.matching.search`, `core.locomotion.matching.poses`. The search has the twin's order of sums in
the same 32 bits, so that both find the same frame; a bound is summed in that order too, and rounding keeps the order
of sums, so that no box that could hold the nearest frame is passed over.
"""

import math

import numpy as np
from numba import njit, types

LANES = 16
"""Frames of a small box; a block of features holds them side by side."""
SMALL = 4
"""Small boxes of a large one."""

_F1 = types.Array(types.float64, 1, "C", readonly=True)
_F2 = types.Array(types.float64, 2, "C", readonly=True)
_F3 = types.Array(types.float64, 3, "C", readonly=True)
_S1 = types.Array(types.float32, 1, "C", readonly=True)
_S2 = types.Array(types.float32, 2, "C", readonly=True)
_S3 = types.Array(types.float32, 3, "C", readonly=True)
_I2 = types.Array(types.int64, 2, "C", readonly=True)
_W1 = types.float64[::1]


@njit(cache=True, error_model="numpy")
def _bound(query, count, low, high, box, best):
    """The least distance that a frame of a box can have; stops where it is no less than the best."""
    total = np.float32(0.0)
    for k in range(count):
        x = query[k]
        gap = np.float32(0.0)
        if x < low[box, k]:
            gap = low[box, k] - x
        elif x > high[box, k]:
            gap = x - high[box, k]
        total += gap * gap
        if total >= best:
            break
    return total


@njit(cache=True, error_model="numpy")
def _distances(query, count, blocks, box, found):
    """Squared distances of the frames of a small box."""
    for j in range(LANES):
        found[j] = np.float32(0.0)
    for k in range(count):
        x = query[k]
        for j in range(LANES):
            gap = x - blocks[box, k, j]
            found[j] += gap * gap


@njit(
    types.Tuple((types.int64, types.float32))(_S1, types.int64, _S3, _S2, _S2, _S2, _S2, _I2, types.float32),
    cache=True,
    error_model="numpy",
)
def nearest(query, count, blocks, low, high, low_large, high_large, spans, best):
    """Frame and squared distance of the nearest to a query over its first features; −1: none is nearer than `best`."""
    found = np.empty(LANES, dtype=np.float32)
    frame = -1
    for span in range(len(spans)):
        first, end = spans[span, 0], spans[span, 1]
        if end <= first:
            continue
        last_box = (end - 1) // LANES
        for large in range(first // (LANES * SMALL), last_box // SMALL + 1):
            if _bound(query, count, low_large, high_large, large, best) >= best:
                continue
            begin = max(large * SMALL, first // LANES)
            for box in range(begin, min(large * SMALL + SMALL, last_box + 1)):
                if _bound(query, count, low, high, box, best) >= best:
                    continue
                _distances(query, count, blocks, box, found)
                for j in range(LANES):
                    at = box * LANES + j
                    if first <= at < end and found[j] < best:
                        best = found[j]
                        frame = at
    return frame, best


@njit(
    types.Tuple((types.int64, types.float32))(_S1, types.int64, _S3, _I2, types.float32),
    cache=True,
    error_model="numpy",
)
def nearest_of_all(query, count, blocks, spans, best):
    """As `nearest`, looking at every frame: what boxes are measured against."""
    found = np.empty(LANES, dtype=np.float32)
    frame = -1
    for span in range(len(spans)):
        first, end = spans[span, 0], spans[span, 1]
        if end <= first:
            continue
        for box in range(first // LANES, (end - 1) // LANES + 1):
            _distances(query, count, blocks, box, found)
            for j in range(LANES):
                at = box * LANES + j
                if first <= at < end and found[j] < best:
                    best = found[j]
                    frame = at
    return frame, best


# ------------------------------------------------------------------------- poses
@njit(types.void(_S2, _S2, types.float64, _W1), cache=True, error_model="numpy")
def between(first, second, share, out):
    """Rows of translation and rotation ``(B, 7)`` mixed by a share, to the beginning of a row of a pose."""
    bones = len(first)
    turns = 3 * bones
    for b in range(bones):
        for k in range(3):
            x = np.float64(first[b, k])
            out[3 * b + k] = x + (np.float64(second[b, k]) - x) * share
        dot = 0.0
        for k in range(3, 7):
            dot += np.float64(first[b, k]) * np.float64(second[b, k])
        sign = -1.0 if dot < 0.0 else 1.0
        size = 0.0
        for k in range(4):
            x = np.float64(first[b, 3 + k]) * (1.0 - share) + np.float64(second[b, 3 + k]) * (sign * share)
            out[turns + 4 * b + k] = x
            size += x * x
        size = math.sqrt(size)
        for k in range(4):
            out[turns + 4 * b + k] /= size


@njit(
    types.void(_F3, types.float64, types.float64, types.float64[:, :, ::1]), cache=True, error_model="numpy"
)
def decayed(offsets, rate, seconds, out):
    """Offsets and their speeds (move, its speed, turn, its speed) some seconds later, critically damped toward 0."""
    left = math.exp(-rate * seconds)
    for part in range(0, 4, 2):
        for b in range(offsets.shape[1]):
            for k in range(3):
                x, v = offsets[part, b, k], offsets[part + 1, b, k]
                j = v + rate * x
                out[part, b, k] = left * (x + j * seconds)
                out[part + 1, b, k] = left * (v - j * rate * seconds)


@njit(types.void(_F3, _W1), cache=True, error_model="numpy")
def offset_by(offsets, out):
    """Add offsets to a row of a pose: moves in the parent's space, turns on the left of the rotation."""
    bones = offsets.shape[1]
    turns = 3 * bones
    for b in range(bones):
        for k in range(3):
            out[3 * b + k] += offsets[0, b, k]
        x, y, z = offsets[2, b, 0], offsets[2, b, 1], offsets[2, b, 2]
        angle = math.sqrt(x * x + y * y + z * z)
        if angle < 1e-12:
            continue
        s = math.sin(0.5 * angle) / angle
        x, y, z, w = x * s, y * s, z * s, math.cos(0.5 * angle)
        at = turns + 4 * b
        a, c, d, e = out[at], out[at + 1], out[at + 2], out[at + 3]
        out[at] = w * a + x * e + y * d - z * c
        out[at + 1] = w * c - x * d + y * e + z * a
        out[at + 2] = w * d + x * c - y * a + z * e
        out[at + 3] = w * e - x * a - y * c - z * d

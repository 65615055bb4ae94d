"""The nearest frame to a query: features in blocks of 16 frames, boxes over 16 and 64 of them, and an early exit.

The compiled search and its numpy twin find the same frame with the same distance, bit for bit: of equal ones the
first.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from core.arrays import Float32Array
from core.errors import ValidationError
from core.math import kernels

LANES, SMALL = 16, 4
"""Frames of a small box; small boxes of a large one."""

Spans = npt.NDArray[np.int64]
"""``(S, 2)`` frames from … up to, without the last; in rising order."""


class Found(NamedTuple):
    """A frame, −1 for none, and its squared distance."""

    frame: int
    cost: float


@dataclass(frozen=True, slots=True, eq=False)
class Index:
    """Features of every frame, ready to be searched.

    Parameters
    ----------
    count : frames
    blocks : ``(N/16, K, 16)``, the last filled up with zeros
    low, high : ``(N/16, K)`` least and most of each small box
    low_large, high_large : ``(N/64, K)``
    """

    count: int
    blocks: Float32Array
    low: Float32Array
    high: Float32Array
    low_large: Float32Array
    high_large: Float32Array

    @property
    def features(self) -> int:
        """How many a frame has."""
        return int(self.blocks.shape[1])

    @property
    def nbytes(self) -> int:
        """Bytes of all arrays."""
        return sum(a.nbytes for a in (self.blocks, self.low, self.high, self.low_large, self.high_large))

    def row(self, frame: int) -> Float32Array:
        """The features ``(K,)`` of a frame."""
        return self.blocks[frame // LANES, :, frame % LANES]

    @property
    def everything(self) -> Spans:
        """Spans of every frame."""
        return np.array([[0, self.count]], dtype=np.int64)


def make_index(features: npt.ArrayLike) -> Index:
    """An index over features ``(N, K)``, weighted already.

    Raises
    ------
    ValidationError
        They are not finite, or not two-dimensional.
    """
    rows = np.asarray(features, dtype=np.float32)
    if rows.ndim != 2 or not np.isfinite(rows).all():
        raise ValidationError(f"features: expected finite numbers (N, K), got shape {rows.shape}")
    count, wide = rows.shape
    boxes = -(-count // LANES)
    padded = np.concatenate([rows, np.zeros((boxes * LANES - count, wide), dtype=np.float32)])
    if boxes * LANES > count > 0:
        padded[count:] = rows[-1]  # keeps the last box as tight as its frames
    blocks = np.ascontiguousarray(padded.reshape(boxes, LANES, wide).transpose(0, 2, 1))
    low, high = blocks.min(axis=2), blocks.max(axis=2)
    starts = np.arange(0, boxes, SMALL)
    if boxes:
        large = np.minimum.reduceat(low, starts, axis=0), np.maximum.reduceat(high, starts, axis=0)
    else:
        large = low, high
    parts = tuple(np.ascontiguousarray(a) for a in (blocks, low, high, *large))
    for part in parts:
        part.setflags(write=False)
    return Index(count, *parts)


def nearest(
    index: Index, query: Float32Array, spans: Spans, best: float = np.inf, count: int | None = None
) -> Found:
    """The frame of some spans that is nearest to a query, if nearer than `best`.

    Parameters
    ----------
    query : ``(K,)``; a query with NaN finds nothing
    best : squared distance that has to be beaten
    count : only the first features count, such as those without the path; None for all
    """
    wide = index.features if count is None else count
    if not index.count or not len(spans):
        return Found(-1, best)
    compiled = kernels.compiled()
    if compiled is not None:
        frame, cost = compiled.matching.nearest(
            query, wide, index.blocks, index.low, index.high, index.low_large, index.high_large, spans,
            np.float32(best),
        )  # fmt: skip
        return Found(int(frame), float(cost))
    with kernels.twin():
        return by_twin(index, query, spans, best, wide)


def by_twin(index: Index, query: Float32Array, spans: Spans, best: float, count: int) -> Found:
    """As `nearest`, in numpy over every frame of the spans."""
    limit, frame = np.float32(best), -1
    for first, end in spans.tolist():
        if end <= first:
            continue
        boxes = slice(first // LANES, (end - 1) // LANES + 1)
        total = np.zeros((boxes.stop - boxes.start, LANES), dtype=np.float32)
        for k in range(count):
            gap = query[k] - index.blocks[boxes, k]
            total += gap * gap
        skipped = boxes.start * LANES
        costs = total.reshape(-1)[first - skipped : end - skipped]
        costs = np.where(np.isnan(costs), np.float32(np.inf), costs)
        at = int(np.argmin(costs))
        if costs[at] < limit:
            limit, frame = costs[at], first + at
    return Found(frame, float(limit))


def cost_of(index: Index, query: Float32Array, frame: int, count: int | None = None) -> float:
    """Squared distance of one frame, with the bits that a search gives it."""
    gap = query - index.row(frame)
    total = np.float32(0.0)
    for term in (gap * gap)[:count]:
        total = np.float32(total + term)
    return float(total)


def without(spans: Spans, first: int, end: int) -> Spans:
    """Spans with the frames from `first` up to `end` taken out."""
    kept = []
    for a, b in spans.tolist():
        kept += [(a, min(b, first)), (max(a, end), b)]
    return np.array([pair for pair in kept if pair[1] > pair[0]], dtype=np.int64).reshape(-1, 2)

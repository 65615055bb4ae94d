"""Many FBX curves at once: their keys in one table, tracks and values from whole columns.

A character has six hundred curves of a dozen keys: made one by one (`curves.track_of`), each costs a hundred small
arrays. Here every step is done once for all of them, with the same outcome.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from core.arrays import BoolArray, FloatArray, constant, require_finite, stretched
from core.errors import ValidationError
from core.io.fbx.curves import (
    CONSTANT_NEXT,
    EXTRAPOLATIONS,
    handles,
    interpolations_of,
    modes_of,
    stepped,
    upright_rows,
)
from core.timing import TIME_EPSILON
from core.tracks.evaluate import evaluate_scalar, scalars_between
from core.tracks.keys import (
    PLAIN_WEIGHT,
    SCALAR_COLUMNS,
    Extrapolation,
    ScalarTrack,
    TangentMode,
    scalar_track,
    with_cells,
)

LEVEL = ("in_slopes", "out_slopes", "interpolations", "modes", "in_weights", "out_weights")
"""Columns that often hold one value for every key, which then costs no memory."""


class Curve(NamedTuple):
    """The keys of one scalar.

    Parameters
    ----------
    rows : ``(K, 7)`` as `curves.track_of` takes them
    ends : the library's numbers of the extrapolation before and after
    add, factor : the values are ``(value + add) * factor``, the slopes ``slope * factor``
    """

    rows: FloatArray
    ends: tuple[int, int] = (0, 0)
    add: float = 0.0
    factor: float = 1.0


@dataclass(frozen=True, slots=True, eq=False)
class KeyTable:
    """Columns of all keys, curve after curve.

    Parameters
    ----------
    columns : by the names of a scalar track's, ``(N,)`` each, read-only
    bounds : ``(C + 1,)`` where each curve begins and the last ends
    beyond : extrapolation of each curve
    """

    columns: dict[str, npt.NDArray[np.generic]]
    bounds: npt.NDArray[np.int64]
    beyond: list[tuple[Extrapolation, Extrapolation]]

    def tracks(self) -> list[ScalarTrack]:
        """A track for each curve; curves with the same key times share one array of them."""
        first = self.bounds[:-1]
        levels = {
            name: (np.minimum.reduceat(column, first) == np.maximum.reduceat(column, first)).tolist()
            for name, column in self.columns.items()
            if name in LEVEL
        }
        shared: dict[bytes, npt.NDArray[np.generic]] = {}
        bounds, found = self.bounds.tolist(), []
        for number, (start, end) in enumerate(pairwise(bounds)):
            # Columns that no FBX file has are as of a track that was given none.
            cells: dict[str, object] = {
                name: stretched(getattr(_PLAIN, name), end - start)
                for name in SCALAR_COLUMNS
                if name not in self.columns
            }
            for name, column in self.columns.items():
                if name in levels and levels[name][number]:
                    cells[name] = constant(column[start].item(), end - start, column.dtype)
                else:
                    cells[name] = column[start:end]
            times = self.columns["times"][start:end]
            cells["times"] = shared.setdefault(times.tobytes(), times)
            cells["before"], cells["after"] = self.beyond[number]
            found.append(with_cells(_PLAIN, cells))  # type: ignore[arg-type]
        return found

    def values(self, times: Sequence[FloatArray]) -> list[FloatArray]:
        """Values of each curve at times of its own ``(T,)``."""
        keys, bounds = self.columns["times"], self.bounds.tolist()
        held = [beyond == (Extrapolation.HOLD, Extrapolation.HOLD) for beyond in self.beyond]
        places, at = [], []
        for number, (start, end) in enumerate(pairwise(bounds)):
            own = keys[start:end]
            clipped = np.minimum(np.maximum(times[number], own[0]), own[-1])
            places.append(own.searchsorted(clipped, side="right") + (start - 1))
            at.append(clipped)
        if not places:
            return []
        counts = np.array([len(t) for t in at])
        i, t = np.concatenate(places), np.concatenate(at)
        j = np.minimum(i + 1, np.repeat(self.bounds[1:] - 1, counts))
        h = np.where(j > i, keys[j] - keys[i], 1.0)
        column = self.columns
        found = scalars_between(
            column["interpolations"][i], (t - keys[i]) / h, h, column["values"][i], column["values"][j],
            column["out_slopes"][i], column["in_slopes"][j], (column["out_weights"][i], column["in_weights"][j]),
        )  # fmt: skip
        parts = np.split(found, np.cumsum(counts)[:-1])
        if all(held):
            return parts
        tracks = self.tracks()
        return [
            part if plain else evaluate_scalar(track, when)
            for part, plain, track, when in zip(parts, held, tracks, times, strict=True)
        ]


_PLAIN = scalar_track(np.zeros(1), np.zeros(1))


def expressible(curves: Sequence[Curve]) -> BoolArray:
    """Which curves ``(C,)`` have a track: see `curves.is_expressible`."""
    if not curves:
        return np.zeros(0, dtype=bool)
    upright = upright_rows(np.concatenate([curve.rows for curve in curves]))
    return ~np.logical_or.reduceat(upright, _bounds(curves)[:-1])


def key_table(curves: Sequence[Curve], shift: float = 0.0) -> KeyTable:
    """All keys of curves, as the columns of tracks.

    Parameters
    ----------
    shift : seconds taken from the times

    Raises
    ------
    ValidationError
        A curve without a key, of an unknown interpolation or extrapolation, times that do not rise, numbers that are
        not finite.
    """
    rows, bounds = _joined(curves)
    start, last = bounds[:-1], bounds[1:] - 1
    counts = np.diff(bounds)
    times = rows[:, 0] - shift
    gap = np.diff(times)
    inside = np.ones(len(gap), dtype=bool)
    inside[last[:-1]] = False
    if not (np.isfinite(times).all() and (gap[inside] >= 0.5 * TIME_EPSILON).all()):
        raise ValidationError("the keys of a curve do not rise in time")
    lone = counts == 1
    before, after = np.concatenate(([1.0], gap)), np.concatenate((gap, [1.0]))
    before[start] = np.where(lone, 1.0, after[start])
    after[last] = np.where(lone, 1.0, before[last])
    in_slopes, in_weights = handles(rows[:, 3], rows[:, 4], before)
    out_slopes, out_weights = handles(rows[:, 5], rows[:, 6], after)
    kinds, out_cubic = interpolations_of(rows)
    in_cubic = np.concatenate(([False], out_cubic[:-1]))
    in_cubic[start], out_cubic[last] = False, False
    modes = modes_of(kinds, in_slopes, out_slopes, in_cubic, out_cubic)
    modes[last] = TangentMode.FREE
    add = np.repeat([curve.add for curve in curves], counts)
    factor = np.repeat([curve.factor for curve in curves], counts)
    columns: dict[str, npt.NDArray[np.generic]] = {
        "times": times,
        "values": (rows[:, 1] + add) * factor,
        "in_slopes": np.where(in_cubic, in_slopes, 0.0) * factor,
        "out_slopes": np.where(out_cubic, out_slopes, 0.0) * factor,
        "interpolations": kinds.astype(np.uint8),
        "modes": modes.astype(np.uint8),
        "in_weights": np.where(in_cubic, in_weights, PLAIN_WEIGHT),
        "out_weights": np.where(out_cubic, out_weights, PLAIN_WEIGHT),
    }
    for name, column in columns.items():
        if column.dtype == np.float64:
            require_finite(column, f"key {name}")
        column.flags.writeable = False
    return KeyTable(columns, bounds, [_beyond(curve) for curve in curves])


def _beyond(curve: Curve) -> tuple[Extrapolation, Extrapolation]:
    if not all(0 <= end < len(EXTRAPOLATIONS) for end in curve.ends):
        raise ValidationError(f"a curve continues in an unknown way: {curve.ends}")
    return EXTRAPOLATIONS[curve.ends[0]], EXTRAPOLATIONS[curve.ends[1]]


def _bounds(curves: Sequence[Curve]) -> npt.NDArray[np.int64]:
    counts = [len(curve.rows) for curve in curves]
    if not all(counts):
        raise ValidationError("a curve has no keys")
    return np.concatenate(([0], np.cumsum(counts))).astype(np.int64)


def _joined(curves: Sequence[Curve]) -> tuple[FloatArray, npt.NDArray[np.int64]]:
    """All rows, as tracks have keys: see `curves.track_of`."""
    bounds = _bounds(curves)
    rows = np.concatenate([curve.rows for curve in curves])
    jumps = rows[:, 2] == CONSTANT_NEXT
    jumps[bounds[1:] - 1] = False
    if jumps.any():
        curves = [curve._replace(rows=stepped(curve.rows)) for curve in curves]
        bounds = _bounds(curves)
        rows = np.concatenate([curve.rows for curve in curves])
    kept = np.concatenate((np.diff(rows[:, 0]) >= TIME_EPSILON, [True]))
    kept[bounds[1:] - 1] = True
    if not kept.all():
        counts = np.add.reduceat(kept.astype(np.int64), bounds[:-1])
        rows, bounds = rows[kept], np.concatenate(([0], np.cumsum(counts)))
    return rows, bounds

"""The same keys of many tracks moved together, as a hand does that drags them: prepared once, moved often.

Motion capture has hundreds of tracks that share their key times. What depends on times alone is found once
for all of them, and columns that change are rows of one block.
"""

import sys
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from core.arrays import FloatArray, constant, require_finite
from core.errors import ValidationError
from core.tracks.keys import ScalarTrack, TangentMode, with_columns
from core.tracks.moving import Arrangement, Arranger
from core.tracks.refresh import KeyIndices, checked
from core.tracks.tangents import automatic_slopes

FIXED = ("modes", "in_weights", "out_weights")
"""Columns that slopes depend on, and that moving leaves as they are."""
KEPT = ("interpolations", *FIXED, "types")
"""All columns that moving leaves as they are."""

MOST_RUNS = 16


class _Memory:
    """Memory for columns, used again once no track holds a row of it.

    A move makes megabytes that live until the next one. Fresh from the system, each page of them costs a fault
    at its first touch, which together take longer than all the rest of a move.

    Parameters
    ----------
    size : values of a piece
    """

    MOST = 6
    """Pieces that are kept: those of the move shown and of the next, and some that others still hold."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._pieces: list[FloatArray] = []

    def block(self, rows: int, columns: int) -> FloatArray:
        """An array ``(rows, columns)`` of no values in particular, at most `size` of them."""
        return self._free()[: rows * columns].reshape(rows, columns)

    def _free(self) -> FloatArray:
        for number in range(len(self._pieces)):
            # Views, and views of views, refer to the piece itself; else there are the list and the argument.
            if sys.getrefcount(self._pieces[number]) <= UNSHARED:
                return self._pieces[number]
        piece = np.empty(self._size)
        self._pieces = [*self._pieces[1 - self.MOST :], piece]
        return piece


UNSHARED = 2


class KeyGroup:
    """Some keys, numbered alike, of scalar tracks that share one array of times.

    Parameters
    ----------
    tracks : at least one
    keys : indices of the keys that move
    loop : length of the clip where it loops, else None
    """

    def __init__(self, tracks: Sequence[ScalarTrack], keys: npt.ArrayLike, loop: float | None = None) -> None:
        self.tracks, self.loop = tuple(tracks), loop
        self.times = tracks[0].times
        if any(track.times is not self.times for track in tracks):
            raise ValidationError("keys moved together: expected tracks that share one array of times")
        self.keys = checked(tracks[0], keys)
        self._one_slope = all(track.in_slopes is track.out_slopes for track in tracks)
        self._constants: dict[tuple[str, float, int], npt.NDArray[Any]] = {}
        self._memory = _Memory(len(tracks) * len(self.times))

    def moved(
        self, seconds: float, values: npt.ArrayLike = 0.0, arranger: Arranger | None = None
    ) -> tuple[list[ScalarTrack], KeyIndices]:
        """The tracks with the keys moved; those in their way give in.

        What `core.tracks.moving.move_keys` does with each track. Keys that keep both neighbours at their
        distance keep their slopes; automatic ones among the others get theirs again.

        Parameters
        ----------
        seconds : how far in time
        values : value units to add, one for all or ``(T,)``
        arranger : one for all tracks that are moved alike

        Returns
        -------
        tracks, keys
            And where the moved keys stand in them now (rising).
        """
        rises = np.broadcast_to(np.asarray(values, dtype=np.float64), (len(self.tracks),))
        if not (np.isfinite(seconds) and np.isfinite(rises).all()):
            raise ValidationError("moved keys: expected finite seconds and values")
        if not len(self.keys) or not (seconds or rises.any()):
            return list(self.tracks), self.keys
        if seconds:
            found = (arranger or Arranger()).arrange(self.times, self.keys, self.times[self.keys] + seconds)
        else:
            found = Arrangement(self.times, None, self.keys, self.keys[:0])
        order, moved = found.order, found.moved
        changed: dict[str, FloatArray] = {}
        kept: dict[str, list[npt.NDArray[Any]]] = {}
        touched = self._touched(found, order)
        values = self._taken("values", order)
        if rises.any():
            run = int(moved[-1]) + 1 - int(moved[0]) == len(moved)
            part = slice(int(moved[0]), int(moved[-1]) + 1) if run else moved
            values[:, part] += rises[:, None]
            require_finite(values[:, part], "moved keys' values")
        if order is not None or rises.any():
            changed["values"] = values
        if order is not None or len(touched):
            changed |= self._slopes(found.times, values, order, touched)
        if order is not None:
            kept = {name: self._kept(name, order) for name in KEPT}
        return with_columns(self.tracks, found.times, changed, kept), moved

    def _taken(self, name: str, order: KeyIndices | None) -> FloatArray:
        """A column of all tracks ``(T, K)``, in another order."""
        count = len(self.times) if order is None else len(order)
        block = self._memory.block(len(self.tracks), count)
        runs = [slice(None)] if order is None else _runs(order)
        for row, track in zip(block, self.tracks, strict=True):
            column = getattr(track, name)
            if order is None or runs:
                np.concatenate([column[run] for run in runs], out=row)
            else:
                np.take(column, order, out=row, mode="clip")
        return block

    def _kept(self, name: str, order: KeyIndices) -> list[npt.NDArray[Any]]:
        """A column that moving does not change: one constant for tracks whose column is that."""
        found = []
        for track in self.tracks:
            column = getattr(track, name)
            if any(column.strides):
                column = column[order]
                column.flags.writeable = False
            elif len(order) != len(column):
                cell = column[0]
                key = (name, float(cell), len(order))
                if key not in self._constants:
                    self._constants[key] = constant(cell, len(order), column.dtype)
                column = self._constants[key]
            found.append(column)
        return found

    def _touched(self, found: Arrangement, order: KeyIndices | None) -> KeyIndices:
        """Keys (as they stand then) with a neighbour at another distance than before."""
        count = len(found.times)
        is_moved = np.zeros(count, dtype=bool)
        is_moved[found.moved] = True
        loose = is_moved[1:] != is_moved[:-1]
        ends = np.zeros(2, dtype=bool)
        if order is not None:
            loose |= np.diff(order) != 1
            ends[:] = order[0] != 0, order[-1] != len(self.times) - 1
        if self.loop is not None and not (is_moved.all() and order is None):
            ends[:] = True
        wide = np.concatenate((ends[:1], loose, ends[1:]))
        return np.flatnonzero(wide[:-1] | wide[1:])

    def _slopes(
        self, times: FloatArray, values: FloatArray, order: KeyIndices | None, touched: KeyIndices
    ) -> dict[str, FloatArray]:
        """Both columns of slopes, automatic ones of touched keys computed again."""
        into = self._taken("in_slopes", order)
        out = into if self._one_slope else self._taken("out_slopes", order)
        if not len(touched):
            return {"in_slopes": into, "out_slopes": out}
        before = touched if order is None else order[touched]
        modes, *weights = (np.stack([getattr(t, name)[before] for t in self.tracks]) for name in FIXED)
        kept = (modes == TangentMode.FREE) | (modes == TangentMode.BROKEN)
        fresh = automatic_slopes(times, values, modes, (weights[0], weights[1]), touched, self.loop)
        require_finite(np.stack(fresh), "slopes of moved keys")
        new_in, new_out = (
            np.where(kept, into[:, touched], fresh[0]),
            np.where(kept, out[:, touched], fresh[1]),
        )
        if out is into and not np.array_equal(new_in, new_out):
            out = into.copy()
        into[:, touched] = new_in
        out[:, touched] = new_out
        return {"in_slopes": into, "out_slopes": out}


def _runs(order: KeyIndices) -> list[slice]:
    """An order as a few runs of neighbours, which copy faster than keys one by one; none where there are many."""
    breaks = np.flatnonzero(np.diff(order) != 1) + 1
    if len(breaks) > MOST_RUNS:
        return []
    edges = [0, *breaks.tolist(), len(order)]
    return [slice(int(order[a]), int(order[b - 1]) + 1) for a, b in pairwise(edges)]

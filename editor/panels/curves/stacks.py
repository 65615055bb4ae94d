"""Curves that share their key times, stacked as the picture wants them: what is drawn, when it is. Free of Qt.

Far out, many keys fall into a pixel column: then the lowest and highest values of each 4, 16, 64 … keys are
all that is needed. Close up it is the keys in sight, values and slopes. Either is made once and kept until the
curves change, so that a drag of a hundred thousand keys costs what is seen of them.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from core.arrays import FloatArray
from core.math.columns import Floats, beside, extremes
from core.tracks.keys import Interpolation, ScalarTrack
from editor.tools.curves.lanes import Curve

Flags = npt.NDArray[np.bool_]

MANY = 32
"""With more changed curves than this, all are stacked again."""
FEW = 200
"""Up to so many keys are picked out of each curve; more come from a window."""
MOSTLY = 0.5
"""Where more than this part of the keys lies in what has changed, all groups are made again."""


class Parts(NamedTuple):
    """What is drawn of one curve.

    Parameters
    ----------
    times, values, out, into : ``(K,)`` seconds, values, slopes (value units a second)
    held : segments that hold their value, or None where none does
    """

    times: FloatArray
    values: FloatArray
    out: FloatArray
    into: FloatArray
    held: Flags | None


class Window(NamedTuple):
    """One column of the keys from `first` on, stacked ``(W, N)``."""

    first: int
    rows: Floats


def line_times(curve: Curve) -> FloatArray:
    """Times of the points that a curve is drawn through."""
    return curve.line[0] if curve.line is not None else curve.track.times


def parts_of(curve: Curve) -> Parts:
    """What is drawn of a curve; straight segments have their chords for slopes."""
    track = curve.track
    if curve.line is not None or not isinstance(track, ScalarTrack):
        times, values = curve.line if curve.line is not None else (track.times, curve.values)
        chords = _chords(times, values)
        return Parts(times, values, chords, np.concatenate((chords[:1], chords[:-1])), None)
    kinds = track.interpolations
    even = not any(kinds.strides)
    highest, lowest = (int(kinds[0]),) * 2 if even else (int(kinds.max()), int(kinds.min()))
    held = kinds == Interpolation.CONSTANT if lowest == Interpolation.CONSTANT else None
    out, into = track.out_slopes, track.in_slopes
    if lowest <= Interpolation.LINEAR <= highest:
        chords = _chords(track.times, track.values)
        straight = kinds == Interpolation.LINEAR
        out = np.where(straight, chords, out)
        ends = np.concatenate(([False], straight[:-1]))
        into = np.where(ends, np.concatenate((chords[:1], chords[:-1])), into)
    return Parts(track.times, track.values, out, into, held)


def _chords(times: FloatArray, values: FloatArray) -> FloatArray:
    if len(times) < 2:
        return np.zeros(len(times))
    chords = np.diff(values) / np.diff(times)
    return np.concatenate((chords, chords[-1:]))


class Bundle:
    """Curves that share their key times.

    Parameters
    ----------
    former : the bundle that this one takes the place of; what it knew of keys that have not changed is taken over

    Attributes
    ----------
    times : ``(K,)`` seconds
    curves, parts : as they were stacked
    """

    def __init__(self, curves: Sequence[Curve], former: "Bundle | None" = None) -> None:
        self.curves = list(curves)
        self.parts = [parts_of(curve) for curve in curves]
        self.times = self.parts[0].times
        self._windows: dict[str, Window] = {}
        self._levels: dict[int, tuple[Floats, Floats]] = {}
        # The levels of another bundle, until they are asked for: a drag has no need of them before its end.
        self._former: tuple[list[Curve], list[Parts], dict[int, tuple[Floats, Floats]]] | None = None
        if former is not None:
            own = (former.curves, former.parts, former._levels) if former._levels else former._former
            self._former, former._levels, former._former = own, {}, None

    def __len__(self) -> int:
        return len(self.curves)

    def write(self, column: int, curve: Curve) -> None:
        """Put another curve of the same times into a column."""
        self._take_over()
        parts = parts_of(curve)
        self.curves[column], self.parts[column] = curve, parts
        for name, (first, rows) in self._windows.items():
            rows[:, column] = getattr(parts, name)[first : first + len(rows)]
        for number, (low, high) in self._levels.items():
            starts = self._starts(number)
            low[:, column] = np.minimum.reduceat(parts.values, starts)
            high[:, column] = np.maximum.reduceat(parts.values, starts)

    def _starts(self, number: int) -> npt.NDArray[np.intp]:
        return np.arange(0, len(self.times), 4 ** (number + 1))

    def level(self, number: int) -> tuple[Floats, Floats]:
        """Lowest and highest values of each ``4 ** (number + 1)`` keys."""
        self._take_over()
        if number not in self._levels:
            self._levels[number] = self._groups(number, 0, len(self._starts(number)))
        return self._levels[number]

    def _groups(self, number: int, first: int, last: int) -> tuple[Floats, Floats]:
        """A part of a level: rows `first` to before `last`."""
        size = 4 ** (number + 1)
        start, end = first * size, min(last * size, len(self.times))
        return extremes([parts.values for parts in self.parts], start, end, size)

    def _take_over(self) -> None:
        """Take the levels of the bundle before, and make those groups again in which keys have changed."""
        former, self._former = self._former, None
        if former is None or not _alike(former[0], self.curves):
            return
        start, end = _changed([parts.values for parts in former[1]], [parts.values for parts in self.parts])
        if end - start > len(self.times) * MOSTLY:
            return
        for number, (low, high) in former[2].items():
            if start < end:
                size = 4 ** (number + 1)
                first, last = start // size, -(-end // size)
                low[first:last], high[first:last] = self._groups(number, first, last)
            self._levels[number] = low, high

    def window(self, name: str, first: int, last: int) -> Window:
        """A column of `Parts` from key `first` to before `last`, and some beside them."""
        known = self._windows.get(name)
        if known is None or first < known.first or last > known.first + len(known.rows):
            room = (last - first) // 4
            start, end = max(first - room, 0), min(last + room, len(self.times))
            columns = [getattr(parts, name) for parts in self.parts]
            known = self._windows[name] = Window(start, beside(columns, start, end))
        return known

    def at(self, times: FloatArray) -> Floats:
        """Values ``(T, N)`` of all curves at times (held at the ends)."""
        keys = self.times
        t = np.clip(times, keys[0], keys[-1])
        i = np.clip(np.searchsorted(keys, t, side="right") - 1, 0, len(keys) - 2)
        h = keys[i + 1] - keys[i]
        u = ((t - keys[i]) / h).astype(np.float32)[:, None]
        length = h.astype(np.float32)[:, None]
        v0, v1 = self._near("values", i), self._near("values", i + 1)
        value = v0 + u * u * (3.0 - 2.0 * u) * (v1 - v0)
        value += (u * (1.0 - u) ** 2 * length) * self._near("out", i)
        value -= (u * u * (1.0 - u) * length) * self._near("into", i + 1)
        holding = [column for column, parts in enumerate(self.parts) if parts.held is not None]
        for column in holding:
            held = self.parts[column].held
            assert held is not None
            value[:, column] = np.where(held[i], v0[:, column], value[:, column])
        return np.asarray(value, dtype=np.float32)

    def _near(self, name: str, keys: npt.NDArray[np.intp]) -> Floats:
        """A column of `Parts` at a few keys or many (rising), ``(T, N)``."""
        known = self._windows.get(name)
        if len(keys) > FEW or (known and known.first <= keys[0] and keys[-1] < known.first + len(known.rows)):
            window = self.window(name, int(keys[0]), int(keys[-1]) + 1)
            found: Floats = window.rows[keys - window.first]
            return found
        rows = np.empty((len(self), len(keys)), np.float32)
        for row, parts in zip(rows, self.parts, strict=True):
            row[:] = getattr(parts, name)[keys]
        return rows.T


def _alike(before: Sequence[Curve], now: Sequence[Curve]) -> bool:
    """Whether curves are of the same lanes, in the same order."""
    return len(before) == len(now) and all(old.lane == new.lane for old, new in zip(before, now, strict=True))


def _changed(before: Sequence[FloatArray], now: Sequence[FloatArray]) -> tuple[int, int]:
    """The first key that differs in some curve, and the one after the last; all where the numbers of keys differ."""
    count = len(now[0])
    start, end = count, 0
    for old, new in zip(before, now, strict=True):
        if old is new:
            continue
        if len(old) != count:
            return 0, count
        differs = old != new
        first = int(differs.argmax())
        if differs[first]:
            start, end = min(start, first), max(end, count - int(differs[::-1].argmax()))
            if end - start > count * MOSTLY:
                return 0, count
    return min(start, end), end


class Bundles:
    """Bundles by key times, brought up to date with the curves shown; only what changed is rebuilt."""

    def __init__(self) -> None:
        self._bundles: dict[tuple[int, int], Bundle] = {}

    def of(self, curves: Sequence[Curve]) -> list[tuple[Bundle, list[int]]]:
        """The bundles of curves, and for each which of the curves its columns are."""
        groups: dict[tuple[int, int], list[int]] = {}
        for number, curve in enumerate(curves):
            times = line_times(curve)
            groups.setdefault((id(times), len(times)), []).append(number)
        fresh: dict[tuple[int, int], Bundle] = {}
        left = {key: bundle for key, bundle in self._bundles.items() if key not in groups}
        for key, numbers in groups.items():
            before = self._bundles.get(key)
            if before is None:  # keys that were moved have other times
                size = len(numbers), key[1]
                other = next((k for k, b in left.items() if (len(b), k[1]) == size), None)
                fresh[key] = Bundle([curves[n] for n in numbers], left.pop(other) if other else None)
            else:
                fresh[key] = self._renewed(before, [curves[n] for n in numbers])
        self._bundles = fresh
        return [(fresh[key], numbers) for key, numbers in groups.items()]

    @staticmethod
    def _renewed(bundle: Bundle, members: Sequence[Curve]) -> Bundle:
        """A bundle of these curves, what is known of them kept."""
        if len(bundle) != len(members):
            return Bundle(members)
        pairs = list(zip(bundle.curves, members, strict=True))
        changed = [column for column, (old, new) in enumerate(pairs) if old is not new]
        if len(changed) > MANY or any(old.lane != new.lane for old, new in pairs if old is not new):
            return Bundle(members, bundle)
        for column in changed:
            bundle.write(column, members[column])
        return bundle

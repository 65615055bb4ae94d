"""Many curves as one picture, in plain arrays: each pixel column of each curve is one span. Free of Qt.

A column's span runs from the lowest to the highest value in it. Spans become coverage by counting
where they begin and end and summing down the columns, so that a thousand curves cost a few array
operations. What does not change (stacked values of curves that share their key times) is kept.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from core.arrays import FloatArray
from core.tracks.evaluate import is_weighted
from core.tracks.keys import Interpolation, ScalarTrack
from editor.tools.curves.lanes import Curve

Words = npt.NDArray[np.uint32]
Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.intp]


@dataclass(slots=True)
class Bundle:
    """Curves that share their key times, stacked with keys along the first axis.

    Parameters
    ----------
    curves : as they were stacked; a column whose curve has changed is written anew
    values, out, into : ``(K, N)`` values and slopes (value units a second)
    held : ``(K, N)`` segments that hold their value, or None where none does
    """

    times: FloatArray
    curves: list[Curve]
    values: Floats
    out: Floats
    into: Floats
    held: npt.NDArray[np.bool_] | None
    levels: list[tuple[Floats, Floats]] = field(default_factory=list)
    """Lowest and highest values of each 4, 16, 64 … keys, made when they are wanted."""

    def level(self, number: int) -> tuple[Floats, Floats]:
        """Lowest and highest values of each ``4 ** (number + 1)`` keys."""
        while len(self.levels) <= number:
            low, high = self.levels[-1] if self.levels else (self.values, self.values)
            self.levels.append((_fours(low, np.minimum), _fours(high, np.maximum)))
        return self.levels[number]


def _fours(rows: Floats, pick: np.ufunc) -> Floats:
    """Rows taken four by four."""
    whole = len(rows) // 4 * 4
    best = rows[0:whole:4].copy()
    for part in range(1, 4):
        pick(best, rows[part:whole:4], out=best)
    if whole < len(rows):
        best = np.concatenate((best, pick.reduce(rows[whole:], axis=0)[None]))
    return best


def stack(curves: Sequence[Curve]) -> Bundle:
    """Stack curves that share their key times."""
    parts = [_parts(curve) for curve in curves]

    def rows(number: int) -> Floats:
        rows = np.empty((len(parts), len(parts[0][0])), np.float32)
        for row, part in enumerate(parts):
            rows[row] = part[number]
        return np.ascontiguousarray(rows.T)

    held = None
    if any(part[4] is not None for part in parts):
        none = np.zeros(len(parts[0][0]), dtype=bool)
        held = np.stack([none if part[4] is None else part[4] for part in parts], axis=1)
    return Bundle(parts[0][0], list(curves), rows(1), rows(2), rows(3), held)


def _write(bundle: Bundle, column: int, curve: Curve) -> None:
    _, values, out, into, held = _parts(curve)
    bundle.curves[column] = curve
    bundle.levels.clear()
    bundle.values[:, column] = values
    bundle.out[:, column] = out
    bundle.into[:, column] = into
    if held is not None:
        if bundle.held is None:
            bundle.held = np.zeros(bundle.values.shape, dtype=bool)
        bundle.held[:, column] = held
    elif bundle.held is not None:
        bundle.held[:, column] = False


def line_times(curve: Curve) -> FloatArray:
    """Times of the points that a curve is drawn through."""
    return curve.line[0] if curve.line is not None else curve.track.times


def _parts(
    curve: Curve,
) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray, npt.NDArray[np.bool_] | None]:
    """Times, values, slopes out and in, and which segments hold."""
    track = curve.track
    if curve.line is not None or not isinstance(track, ScalarTrack):
        times, values = curve.line if curve.line is not None else (track.times, curve.values)
        chords = _chords(times, values)
        return times, values, chords, np.concatenate((chords[:1], chords[:-1])), None
    kinds = track.interpolations
    highest, lowest = int(kinds.max()), int(kinds.min())
    held = kinds == Interpolation.CONSTANT if lowest == Interpolation.CONSTANT else None
    out, into = track.out_slopes, track.in_slopes
    if lowest <= Interpolation.LINEAR <= highest:
        chords = _chords(track.times, track.values)
        straight = kinds == Interpolation.LINEAR
        out = np.where(straight, chords, out)
        ends = np.concatenate(([False], straight[:-1]))
        into = np.where(ends, np.concatenate((chords[:1], chords[:-1])), into)
    return track.times, track.values, out, into, held


def _chords(times: FloatArray, values: FloatArray) -> FloatArray:
    if len(times) < 2:
        return np.zeros(len(times))
    chords = np.diff(values) / np.diff(times)
    return np.concatenate((chords, chords[-1:]))


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
        found = []
        for key, numbers in groups.items():
            bundle = self._bundles.get(key)
            members = [curves[n] for n in numbers]
            if bundle is None or [c.lane for c in bundle.curves] != [c.lane for c in members]:
                bundle = stack(members)
            else:
                for column, curve in enumerate(members):
                    if bundle.curves[column] is not curve:
                        _write(bundle, column, curve)
            fresh[key] = bundle
            found.append((bundle, numbers))
        self._bundles = fresh
        return found


# ---------------------------------------------------------------- spans
def spans(bundle: Bundle, edges: FloatArray) -> tuple[Floats, Floats, Ints]:
    """Lowest and highest value ``(C, N)`` of the curves in columns between edges ``(W + 1,)`` in seconds.

    Returns
    -------
    low, high, columns
        ``columns (C,)`` are those that the keys reach.
    """
    times, values = bundle.times, bundle.values
    first = max(int(np.searchsorted(edges, times[0], side="right")) - 1, 0)
    last = min(int(np.searchsorted(edges, times[-1], side="left")), len(edges) - 1)
    if last <= first or len(times) < 2:
        none = np.zeros((0, values.shape[1]), np.float32)
        return none, none, np.zeros(0, np.intp)
    inner = edges[first : last + 1]
    place = np.searchsorted(times, inner)
    place[-1] = len(times) if inner[-1] >= times[-1] else place[-1]
    counts = np.diff(place)
    empty = counts == 0
    full = np.flatnonzero(~empty)
    size = (last - first, values.shape[1])
    low, high = np.empty(size, np.float32), np.empty(size, np.float32)
    # An edge beside an empty column needs the curve itself; elsewhere the key before will do.
    needed = np.zeros(last - first + 1, dtype=bool)
    needed[:-1] |= empty
    needed[1:] |= empty
    needed[0] = needed[-1] = True
    at = np.flatnonzero(needed)
    whole = np.full(last - first + 1, -1, dtype=np.intp)
    whole[at] = np.arange(len(at))
    exact = _at(bundle, inner[at])
    gaps = np.flatnonzero(empty)
    if len(gaps):
        a, b = exact[whole[gaps]], exact[whole[gaps + 1]]
        low[gaps], high[gaps] = np.minimum(a, b), np.maximum(a, b)
    if len(full):
        least, most = _extremes(bundle, place[full], counts[full])
        before = values[np.maximum(place[full] - 1, 0)]
        known = whole[full] >= 0
        if known.any():
            before[known] = exact[whole[full[known]]]
        np.minimum(least, before, out=least)
        np.maximum(most, before, out=most)
        after = whole[full + 1]
        known = after >= 0
        if known.any():
            least[known] = np.minimum(least[known], exact[after[known]])
            most[known] = np.maximum(most[known], exact[after[known]])
        low[full], high[full] = least, most
    return low, high, np.arange(first, last)


def _extremes(bundle: Bundle, start: Ints, counts: Ints) -> tuple[Floats, Floats]:
    """Lowest and highest value ``(C, N)`` of the keys from each start on; coarser where they crowd."""
    number, span = -1, 1
    while float(counts.mean()) / span >= 8.0:
        number, span = number + 1, span * 4
    low, high = (bundle.values, bundle.values) if number < 0 else bundle.level(number)
    first, last = start // span, (start + counts - 1) // span
    least, most = low[first], high[first]
    for step in range(1, int((last - first).max()) + 1):
        row = np.minimum(first + step, last)
        np.minimum(least, low[row], out=least)
        np.maximum(most, high[row], out=most)
    return least, most


def _at(bundle: Bundle, times: FloatArray) -> Floats:
    """Values ``(T, N)`` of all curves at times (held at the ends)."""
    keys = bundle.times
    t = np.clip(times, keys[0], keys[-1])
    i = np.clip(np.searchsorted(keys, t, side="right") - 1, 0, len(keys) - 2)
    h = keys[i + 1] - keys[i]
    u = ((t - keys[i]) / h).astype(np.float32)[:, None]
    length = h.astype(np.float32)[:, None]
    v0 = bundle.values[i]
    rise = u * u * (3.0 - 2.0 * u)
    value = v0 + rise * (bundle.values[i + 1] - v0)
    value += (u * (1.0 - u) ** 2 * length) * bundle.out[i]
    value -= (u * u * (1.0 - u) * length) * bundle.into[i + 1]
    if bundle.held is not None:
        value = np.where(bundle.held[i], v0, value)
    return np.asarray(value, dtype=np.float32)


def needs_exact(curve: Curve) -> bool:
    """Whether a curve has weighted handles, which stacks don't know."""
    track = curve.track
    return isinstance(track, ScalarTrack) and is_weighted(track)


# ---------------------------------------------------------------- coverage
def cover(
    low: Floats, high: Floats, columns: Ints, size: tuple[int, int], width: float, kinds: Ints, count: int
) -> Floats:
    """How many spans cover each pixel, ``(count, H, W)`` by kind of curve; whole pixels.

    Parameters
    ----------
    low, high : ``(C, N)`` upper and lower end in pixels from the top, low ≤ high
    width : thickness of the lines in pixels
    kinds : ``(N,)`` below `count`: which of the pictures each curve belongs to
    """
    rows, across = size
    if not low.size:
        return np.zeros((count, rows, across), np.float32)
    # Row 0 and the last two catch what lies outside, so that nothing needs to be picked out.
    a = np.clip(low + (1.5 - width / 2.0), 0.0, rows + 1.0).astype(np.int32)
    b = np.clip(high + (1.5 + width / 2.0), 0.0, rows + 1.0).astype(np.int32)
    np.maximum(b, a + 1, out=b)
    tall = rows + 3
    base = (kinds.astype(np.int32) * (tall * across))[None, :] + columns.astype(np.int32)[:, None]
    a *= across
    b *= across
    a += base
    b += base
    total = count * tall * across
    counts = np.bincount(a.ravel(), minlength=total)
    counts -= np.bincount(b.ravel(), minlength=total)
    grid = counts.astype(np.float32).reshape(count, tall, across)
    return np.asarray(np.cumsum(grid, axis=1, out=grid)[:, 1 : rows + 1])


def cover_finely(
    low: Floats, high: Floats, columns: Ints, size: tuple[int, int], width: float, kinds: Ints, count: int
) -> Floats:
    """As `cover`, for a few curves: pixels at the ends of spans are covered in part."""
    rows, across = size
    result = np.zeros((count, rows * across), np.float32)
    for number in range(low.shape[1]):
        top = np.maximum(low[:, number] - width / 2.0, 0.0)
        bottom = np.minimum(high[:, number] + width / 2.0, float(rows))
        seen = bottom > top
        top, bottom, x = top[seen], bottom[seen], columns[seen]
        first = top.astype(np.intp)
        counts = np.ceil(bottom).astype(np.intp) - first
        place = np.repeat(first, counts) + _steps(counts)
        share = np.minimum(place + 1.0, np.repeat(bottom, counts)) - np.maximum(place, np.repeat(top, counts))
        result[kinds[number], place * across + np.repeat(x, counts)] += share
    return result.reshape(count, rows, across)


def _steps(counts: Ints) -> Ints:
    """0, 1 … of each run."""
    ends = np.cumsum(counts)
    return np.asarray(np.arange(int(ends[-1]) if len(ends) else 0) - np.repeat(ends - counts, counts))


MOST = 255


def blend(picture: Words, layers: Floats, colors: Sequence[tuple[float, float, float]], base: float) -> None:
    """Lay coverages ``(count, H, W)``, each with its colour, over an opaque picture of RGB words.

    A pixel that many curves cross is more opaque than one that one curve crosses.
    """
    total = layers.sum(axis=0).ravel()
    at = np.flatnonzero(total > 0.004)
    if not len(at):
        return
    amount = total[at]
    steps = np.arange(MOST * 8 + 1) / 8.0
    opacity = np.where(steps < 1.0, base * steps, 1.0 - (1.0 - base) ** steps).astype(np.float32)
    alpha = opacity[np.minimum(amount * 8.0 + 0.5, MOST * 8.0).astype(np.intp)]
    weight = alpha / amount * 255.0
    flat = layers.reshape(len(layers), -1)
    parts = [flat[number][at] * weight for number in range(len(layers))]
    words = picture.reshape(-1)
    old = words[at]
    rest = 1.0 - alpha
    result = np.full(len(at), 0xFF000000, np.uint32)
    for shift, channel in ((16, 0), (8, 1), (0, 2)):
        mixed = parts[0] * colors[0][channel]
        for part, color in zip(parts[1:], colors[1:], strict=True):
            mixed += part * color[channel]
        mixed += ((old >> np.uint32(shift)) & np.uint32(255)) * rest
        result |= np.minimum(mixed + 0.5, 255.0).astype(np.uint32) << np.uint32(shift)
    words[at] = result


# ---------------------------------------------------------------- key glyphs
def stamp(picture: Words, glyph: Words, xs: Ints, ys: Ints) -> None:
    """Put a glyph's middle at every place; what lies outside is cut off."""
    half = glyph.shape[0] // 2
    rows, columns = np.nonzero(glyph)
    y = (ys[:, None] + (rows - half)).ravel()
    x = (xs[:, None] + (columns - half)).ravel()
    value = np.broadcast_to(glyph[rows, columns], (len(xs), len(rows))).ravel()
    inside = (y >= 0) & (y < picture.shape[0]) & (x >= 0) & (x < picture.shape[1])
    y, x, value = y[inside], x[inside], value[inside]
    old, rest = picture[y, x], 255 - (value >> np.uint32(24))
    result = np.full(len(value), 0xFF000000, np.uint32)
    for shift in (16, 8, 0):
        part, under = (value >> np.uint32(shift)) & np.uint32(255), (old >> np.uint32(shift)) & np.uint32(255)
        result |= np.minimum(part + (under * rest + 127) // 255, 255).astype(np.uint32) << np.uint32(shift)
    picture[y, x] = result

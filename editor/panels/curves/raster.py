"""Many curves as one picture, in plain arrays: each pixel column of each curve is one span. Free of Qt.

A column's span runs from the lowest to the highest value in it. Spans become coverage by counting
where they begin and end and summing down the columns, so that a thousand curves cost a few array
operations.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from core.arrays import FloatArray
from core.math.columns import Floats
from editor.panels.curves.stacks import Bundle

Words = npt.NDArray[np.uint32]
Ints = npt.NDArray[np.intp]


CROWDED = 12.0
"""Keys a column from which on groups of them are looked at: picking keys out one by one is quicker below."""


# ---------------------------------------------------------------- spans
def spans(bundle: Bundle, edges: FloatArray) -> tuple[Floats, Floats, Ints]:
    """Lowest and highest value ``(C, N)`` of the curves in columns between edges ``(W + 1,)`` in seconds.

    Returns
    -------
    low, high, columns
        ``columns (C,)`` are those that the keys reach.
    """
    times = bundle.times
    first = max(int(np.searchsorted(edges, times[0], side="right")) - 1, 0)
    last = min(int(np.searchsorted(edges, times[-1], side="left")), len(edges) - 1)
    if last <= first or len(times) < 2:
        none = np.zeros((0, len(bundle)), np.float32)
        return none, none, np.zeros(0, np.intp)
    inner = edges[first : last + 1]
    place = np.searchsorted(times, inner)
    place[-1] = len(times) if inner[-1] >= times[-1] else place[-1]
    counts = np.diff(place)
    empty = counts == 0
    full = np.flatnonzero(~empty)
    size = (last - first, len(bundle))
    low, high = np.empty(size, np.float32), np.empty(size, np.float32)
    # An edge beside an empty column needs the curve itself; elsewhere the key before will do.
    needed = np.zeros(last - first + 1, dtype=bool)
    needed[:-1] |= empty
    needed[1:] |= empty
    needed[0] = needed[-1] = True
    at = np.flatnonzero(needed)
    whole = np.full(last - first + 1, -1, dtype=np.intp)
    whole[at] = np.arange(len(at))
    exact = bundle.at(inner[at])
    gaps = np.flatnonzero(empty)
    if len(gaps):
        a, b = exact[whole[gaps]], exact[whole[gaps + 1]]
        low[gaps], high[gaps] = np.minimum(a, b), np.maximum(a, b)
    if len(full):
        before, after = whole[full], whole[full + 1]
        earlier = ((before < 0) & (place[full] > 0)).astype(np.intp)
        least, most = _extremes(bundle, place[full] - earlier, counts[full] + earlier)
        for edge in (before, after):
            known = np.flatnonzero(edge >= 0)
            if len(known):
                least[known] = np.minimum(least[known], exact[edge[known]])
                most[known] = np.maximum(most[known], exact[edge[known]])
        low[full], high[full] = least, most
    return low, high, np.arange(first, last)


def _extremes(bundle: Bundle, start: Ints, counts: Ints) -> tuple[Floats, Floats]:
    """Lowest and highest value ``(C, N)`` of the keys from each start on; coarser where they crowd."""
    number, span = -1, 1
    while float(counts.mean()) / span >= CROWDED:
        number, span = number + 1, span * 4
    first, last = start // span, (start + counts - 1) // span
    if number < 0:
        window = bundle.window("values", int(first[0]), int(last[-1]) + 1)
        low = high = window.rows
        first, last = first - window.first, last - window.first
    else:
        low, high = bundle.level(number)
    least, most = low[first], high[first]
    for step in range(1, int((last - first).max()) + 1):
        row = np.minimum(first + step, last)
        np.minimum(least, low[row], out=least)
        np.maximum(most, high[row], out=most)
    return least, most


# ---------------------------------------------------------------- coverage
class Coverage:
    """How many spans cover each pixel, by kind of curve.

    Spans of any number of bundles are gathered before the pixels are visited: clips whose curves
    have key times of their own (a reduced one) hold a bundle for each curve.

    Parameters
    ----------
    size : height and width in pixels
    width : thickness of the lines in pixels
    count : number of kinds
    finely : for a few curves: pixels at the ends of spans are covered in part
    """

    def __init__(self, size: tuple[int, int], width: float, count: int, finely: bool) -> None:
        self._size, self._width, self._count = size, width, count
        rows, across = size
        self._begins: list[npt.NDArray[np.int32]] = []
        self._ends: list[npt.NDArray[np.int32]] = []
        self._fine = np.zeros((count, rows * across), np.float32) if finely else None

    def add(self, low: Floats, high: Floats, columns: Ints, kinds: Ints) -> None:
        """Add the spans of some curves.

        Parameters
        ----------
        low, high : ``(C, N)`` upper and lower end in pixels from the top, low ≤ high; NaN where there is none
        columns : ``(C,)`` column of each row of spans
        kinds : ``(N,)`` below `count`: which of the pictures each curve belongs to
        """
        if not low.size:
            return
        if self._fine is not None:
            self._add_finely(self._fine, low, high, columns, kinds)
            return
        rows, across = self._size
        # Row 0 and the last two catch what lies outside, so that nothing needs to be picked out.
        # `fmin` and `fmax` take the number where the other is NaN: such a span ends up below the picture.
        a = np.fmax(np.fmin(low + (1.5 - self._width / 2.0), rows + 1.0), 0.0).astype(np.int32)
        b = np.fmax(np.fmin(high + (1.5 + self._width / 2.0), rows + 1.0), 0.0).astype(np.int32)
        np.maximum(b, a + 1, out=b)
        base = (kinds.astype(np.int32) * ((rows + 3) * across))[None, :] + columns.astype(np.int32)[:, None]
        a *= across
        b *= across
        a += base
        b += base
        self._begins.append(a.ravel("K"))
        self._ends.append(b.ravel("K"))

    def _add_finely(self, result: Floats, low: Floats, high: Floats, columns: Ints, kinds: Ints) -> None:
        rows, across = self._size
        for number in range(low.shape[1]):
            top = np.maximum(low[:, number] - self._width / 2.0, 0.0)
            bottom = np.minimum(high[:, number] + self._width / 2.0, float(rows))
            seen = bottom > top
            top, bottom, x = top[seen], bottom[seen], columns[seen]
            first = top.astype(np.intp)
            counts = np.ceil(bottom).astype(np.intp) - first
            place = np.repeat(first, counts) + _steps(counts)
            share = np.minimum(place + 1.0, np.repeat(bottom, counts)) - np.maximum(
                place, np.repeat(top, counts)
            )
            result[kinds[number], place * across + np.repeat(x, counts)] += share

    def layers(self) -> Floats:
        """Spans over each pixel, ``(count, H, W)``."""
        rows, across = self._size
        if self._fine is not None:
            return self._fine.reshape(self._count, rows, across)
        if not self._begins:
            return np.zeros((self._count, rows, across), np.float32)
        total = self._count * (rows + 3) * across
        counts = np.bincount(_joined(self._begins), minlength=total)
        counts -= np.bincount(_joined(self._ends), minlength=total)
        grid = counts.astype(np.float32).reshape(self._count, rows + 3, across)
        return np.asarray(np.cumsum(grid, axis=1, out=grid)[:, 1 : rows + 1])


def _joined(parts: list[npt.NDArray[np.int32]]) -> npt.NDArray[np.int32]:
    return parts[0] if len(parts) == 1 else np.concatenate(parts)


def _steps(counts: Ints) -> Ints:
    """0, 1 … of each run."""
    ends = np.cumsum(counts)
    return np.asarray(np.arange(int(ends[-1]) if len(ends) else 0) - np.repeat(ends - counts, counts))


MOST = 255


def blend(image: Words, layers: Floats, colors: Sequence[tuple[float, float, float]], base: float) -> None:
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
    words = image.reshape(-1)
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
def stamp(image: Words, glyph: Words, xs: Ints, ys: Ints) -> None:
    """Put a glyph's middle at every place; what lies outside is cut off."""
    half = glyph.shape[0] // 2
    rows, columns = np.nonzero(glyph)
    y = (ys[:, None] + (rows - half)).ravel()
    x = (xs[:, None] + (columns - half)).ravel()
    value = np.broadcast_to(glyph[rows, columns], (len(xs), len(rows))).ravel()
    inside = (y >= 0) & (y < image.shape[0]) & (x >= 0) & (x < image.shape[1])
    y, x, value = y[inside], x[inside], value[inside]
    old, rest = image[y, x], 255 - (value >> np.uint32(24))
    result = np.full(len(value), 0xFF000000, np.uint32)
    for shift in (16, 8, 0):
        part, under = (value >> np.uint32(shift)) & np.uint32(255), (old >> np.uint32(shift)) & np.uint32(255)
        result |= np.minimum(part + (under * rest + 127) // 255, 255).astype(np.uint32) << np.uint32(shift)
    image[y, x] = result

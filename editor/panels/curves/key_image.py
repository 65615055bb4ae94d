"""Keys on the picture of the curves: glyphs where there is room, crosses in the selection's colour where many crowd."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from core.arrays import FloatArray
from core.tracks.keys import Interpolation, ScalarTrack
from editor.model.tangent_modes import GLYPHS
from editor.panels.curves import raster
from editor.panels.curves.raster import Words
from editor.panels.curves.space import Fit
from editor.panels.curves.view_model import CurvesModel
from editor.qt.key_glyphs import glyph
from editor.qt.theme import Theme
from editor.tools.curves.lanes import Curve
from editor.tools.key_edits import Keys, Numbers

Pixels = npt.NDArray[np.intp]
KEY, KEY_GAP = 9, 4.0  # pixels of a key with its rim; keys nearer than the gap are left out
MOST_KEYS = 3000
CROWDED = 1.5
"""Selected keys a pixel, beyond which only so many are marked: the crosses run together anyway."""


@dataclass(slots=True)
class Look:
    """One curve as it is to be drawn."""

    curve: Curve
    fit: Fit
    axis: int
    bright: bool
    chosen: bool


@lru_cache(maxsize=256)
def word(color: str) -> np.uint32:
    """An opaque pixel."""
    return np.uint32(0xFF000000 | int(color[1:], 16))


def axis_color(theme: Theme, axis: int) -> str:
    """Colour of curves along an axis, 3 for those without."""
    return theme.tokens.dim if axis > 2 else theme.tokens.axis(axis)


class KeyImage:
    """Stamps keys on a picture in device pixels."""

    def __init__(self, model: CurvesModel, theme: Theme) -> None:
        self._model, self._theme = model, theme
        self._left, self._step = 0, 1

    def stamp(self, words: Words, looks: Sequence[Look], ratio: float, left: int = 0, step: int = 1) -> None:
        """Put the keys in sight on the picture, the selected ones on top, then the one under the pointer.

        Parameters
        ----------
        left : column of the plot that the picture's first one is
        step : of keys that crowd only every so many are marked
        """
        model, self._left, self._step = self._model, left, step
        selected = model.lanes.selected_keys()
        size = round(KEY * ratio) | 1
        visible = self._in_sight(looks)
        self._stamp_plain(words, looks, visible, size, ratio)
        picked = list(self._picked(looks, visible, selected))
        if sum(len(numbers) for _, numbers in picked) <= MOST_KEYS // 2:
            tokens = self._theme.tokens
            for look, numbers in picked:
                self._stamp(words, look, numbers, size + 2, (tokens.selection, tokens.panel), ratio)
        else:
            self._mark(words, picked, ratio)
        self._stamp_hovered(words, looks, selected, round(size * 1.5) | 1, ratio)

    def _in_sight(self, looks: Sequence[Look]) -> list[tuple[int, int]]:
        """First key in sight and the one after the last, found once for curves that share their times."""
        axis = self._model.view.axis
        pad = KEY / axis.scale
        known: dict[int, tuple[int, int]] = {}
        found = []
        for look in looks:
            times = look.curve.track.times
            if id(times) not in known:
                a, b = np.searchsorted(times, (axis.start - pad, axis.end + pad))
                known[id(times)] = int(a), int(b)
            found.append(known[id(times)])
        return found

    def _stamp_plain(
        self, words: Words, looks: Sequence[Look], visible: Sequence[tuple[int, int]], size: int, ratio: float
    ) -> None:
        """Keys of the curves that stand out, where they are not too many."""
        some = any(look.bright for look in looks)
        shown = [(look, a, b) for look, (a, b) in zip(looks, visible, strict=True) if look.bright or not some]
        if sum(b - a for _, a, b in shown) > MOST_KEYS:
            return
        for look, a, b in shown:
            times = look.curve.track.times
            if b > a and (times[b - 1] - times[a]) * self._model.view.axis.scale >= KEY_GAP * (b - a - 1):
                tokens, types = self._theme.tokens, look.curve.track.types[a:b]
                for kind in np.unique(types).tolist():  # plain keys have the colour of their axis
                    color = tokens.key_type(kind) if kind else axis_color(self._theme, look.axis)
                    numbers = np.flatnonzero(types == kind) + a
                    self._stamp(words, look, numbers, size + 2 * bool(kind), (color, tokens.panel), ratio)

    @staticmethod
    def _picked(
        looks: Sequence[Look], visible: Sequence[tuple[int, int]], selected: Keys
    ) -> Iterable[tuple[Look, Numbers]]:
        """Selected keys in sight."""
        known: dict[tuple[int, int, int], Numbers] = {}
        for look, (a, b) in zip(looks, visible, strict=True):
            numbers = selected.get(look.curve.lane.channel)
            if numbers is None:
                continue
            key = id(numbers), a, b
            if key not in known:
                first, last = np.searchsorted(numbers, (a, b))
                known[key] = numbers[first:last]
            if len(known[key]):
                yield look, known[key]

    def _stamp_hovered(
        self, words: Words, looks: Sequence[Look], selected: Keys, size: int, ratio: float
    ) -> None:
        if self._model.pointer.hovered is None:
            return
        tokens, (lane, key) = self._theme.tokens, self._model.pointer.hovered
        for look in looks:
            if look.curve.lane == lane and key < len(look.curve.track):
                own = selected.get(lane.channel)
                chosen = own is not None and key in own
                color = tokens.selection if chosen else axis_color(self._theme, look.axis)
                self._stamp(words, look, np.array([key]), size, (color, tokens.text), ratio)

    def _stamp(
        self, words: Words, look: Look, numbers: Numbers, size: int, colors: tuple[str, str], ratio: float
    ) -> None:
        """Glyphs of keys, in a colour with a rim of another, their shapes by mode."""
        (xs, ys), track = self._pixels([(look, numbers)], ratio), look.curve.track
        if isinstance(track, ScalarTrack):
            codes, shapes = track.modes[numbers], GLYPHS
        else:
            codes = track.interpolations[numbers]
            shapes = dict(zip(map(int, Interpolation), ("step", "square", "circle"), strict=True))
        for code, shape in shapes.items():
            chosen = codes == code
            if chosen.any():
                raster.stamp(words, glyph(shape, size, *colors, ratio, outside=True), xs[chosen], ys[chosen])

    def _pixels(self, keys: Sequence[tuple[Look, Numbers]], ratio: float) -> tuple[Pixels, Pixels]:
        """Device pixels of keys of curves."""
        model, known = self._model, dict[tuple[int, int], FloatArray]()
        times: list[FloatArray] = []
        values: list[FloatArray] = []
        for look, numbers in keys:
            key = id(look.curve.track.times), id(numbers)
            if key not in known:
                known[key] = model.view.axis.xs(look.curve.track.times[numbers])
            times.append(known[key])
            shown = look.curve.values[numbers]
            values.append(shown if look.fit == PLAIN else shown * look.fit.factor + look.fit.offset)
        xs, ys = np.concatenate(times), model.view.values.ys(np.concatenate(values))
        limit = 1e6
        found = (np.floor(np.clip(places * ratio, -limit, limit)).astype(np.intp) for places in (xs, ys))
        return next(found) - self._left, next(found)

    def _mark(self, words: Words, picked: Sequence[tuple[Look, Numbers]], ratio: float) -> None:
        """Small crosses on a great many keys, as far as they lie in the picture."""
        height, width = words.shape
        axis = self._model.view.axis
        room = axis.width * ratio * CROWDED / self._step
        ends = [axis.start + (self._left + x) / (axis.scale * ratio) for x in (-1, width + 1)]
        thin: dict[tuple[int, int], Numbers] = {}
        marked = []
        for look, numbers in picked:
            times = look.curve.track.times
            key = id(times), id(numbers)
            if key not in thin:
                some = numbers[:: max(1, int(len(numbers) / room))]
                thin[key] = some[slice(*np.searchsorted(times[some], ends))]
            marked.append((look, thin[key]))
        if not marked:
            return
        xs, ys = self._pixels(marked, ratio)
        inside = (xs >= 1) & (xs < width - 1) & (ys >= 1) & (ys < height - 1)
        marks = np.zeros(height * width, dtype=bool)
        marks[ys[inside] * width + xs[inside]] = True
        middle = np.flatnonzero(marks)
        flat, color = words.reshape(-1), word(self._theme.tokens.selection)
        for step in (0, -1, 1, -width, width):
            flat[middle + step] = color


PLAIN = Fit()

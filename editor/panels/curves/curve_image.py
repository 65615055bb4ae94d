"""The picture of the curves: paths where there are few, spans of pixels where there are many, keys stamped on."""

from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import contextmanager

import numpy as np
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPainterPath, QPen

from core.arrays import FloatArray
from core.clips.keying import loop_length
from core.math.columns import Floats
from core.tracks.evaluate import evaluate_scalar
from core.tracks.keys import Interpolation, ScalarTrack
from editor.panels.curves import ragged, raster
from editor.panels.curves.dirty_columns import DirtyColumns
from editor.panels.curves.key_image import KeyImage, Look, axis_color, word
from editor.panels.curves.raster import Ints, Words
from editor.panels.curves.space import BAND, Fit, Layout, value_ticks
from editor.panels.curves.stacks import Bundle, Bundles, line_times
from editor.panels.curves.view_model import CurvesModel
from editor.qt.key_glyphs import channels
from editor.qt.theme import Theme
from editor.qt.tokens import mix
from editor.tools.curves.lanes import Curve, Lane

FEW_POINTS, FEW_CURVES = 2500, 64
FINE_CURVES, FULL_CURVES = 60, 24
SMALL = 8
"""Where more bundles than this hold no more curves than this each, they are drawn in one pass."""
STEPS, MOST_CELLS = (1, 2, 4), 150_000
"""While a drag lasts, so many pixels share a column that no more cells (curves × columns) need be found; two at most
while the view is moved or after an edit. A part in each turn then follows finely."""
MOST_GHOSTS = 12
LEAST_BAND = 64
"""Pixels across that are drawn finely in one turn, at least."""
DIM, FULL = 0.35, 0.95
DASHES: tuple[tuple[float, ...], ...] = ((), (9.0, 3.0), (7.0, 2.5, 2.0, 2.5))
"""X runs through, y is dashed, z dashed and dotted: told apart without colour."""


def _spans(
    bundles: list[tuple[Bundle, list[int]]], edges: FloatArray
) -> Iterator[tuple[list[int], Floats, Floats, Ints]]:
    """Which curves, their lowest and highest values ``(C, N)`` in columns, and which columns these are."""
    small = [(bundle, numbers) for bundle, numbers in bundles if len(bundle) <= SMALL]
    if len(small) <= SMALL:
        small = []
    for bundle, numbers in bundles:
        if not small or len(bundle) > SMALL:
            yield numbers, *raster.spans(bundle, edges)
    if small:
        low, high, reached = ragged.spans([parts for bundle, _ in small for parts in bundle.parts], edges)
        low[~reached], high[~reached] = np.nan, np.nan
        yield [n for _, numbers in small for n in numbers], low, high, np.arange(len(edges) - 1)


def _step(cells: int, widest: int) -> int:
    """How many pixels share a column: one, but where there are too many cells for a turn."""
    return min(next((step for step in STEPS if cells / step <= MOST_CELLS), STEPS[-1]), widest)


def _still_rough(rough: range, drawn: range, roughly: bool) -> range:
    """The columns that are to be drawn finely yet, some having been drawn; one stretch that holds them all."""
    if roughly:
        ends = (drawn, rough) if rough else (drawn,)
        return range(min(one.start for one in ends), max(one.stop for one in ends))
    start = drawn.stop if drawn.start <= rough.start < drawn.stop else rough.start
    stop = drawn.start if drawn.start < rough.stop <= drawn.stop else rough.stop
    return range(start, stop) if start < stop else range(0)


class CurveImage:
    """Draws what a `CurvesModel` shows; keeps what does not change from frame to frame."""

    def __init__(self, model: CurvesModel, theme: Theme, text_width: Callable[[str], float]) -> None:
        self._model, self._theme, self._text_width = model, theme, text_width
        self._bundles, self._stale = Bundles(), DirtyColumns(model)
        self._rough = range(0)
        self._left = 0
        self._held = False
        self._keys = KeyImage(model, theme)
        self._words: Words | None = None

    # ------------------------------------------------------------ the whole
    @property
    def coarse(self) -> bool:
        """Whether some columns were last drawn several pixels wide: of a great many curves something has changed."""
        return len(self._rough) > 0

    def draw(self, ratio: float, finely: bool = False) -> QImage:
        """The picture in device pixels, `ratio` of them a logical one; see `coarse`.

        While keys are dragged only the columns that this has changed are drawn.

        Parameters
        ----------
        finely : draw the next columns in place of coarse ones, as many as a turn has time for; nothing else has
            changed since
        """
        model = self._model
        width = max(round(model.view.axis.width * ratio), 1)
        height = max(round(model.view.values.height * ratio), 1)
        looks, ghosts = self._looks(), self._ghosts()
        bundles = self._bundles.of([look.curve for look in looks])
        few = len(looks) <= FEW_CURVES and self._points(bundles) <= FEW_POINTS
        left, right = self._stale.columns(self._state(looks, ghosts, few, ratio), width, ratio)
        old = self._words
        let_go, dragged = self.coarse and not model.view.still, self._held or model.view.still
        self._held = model.view.still
        first = old is None or old.shape != (height, width)
        rough = self._rough
        if first:
            left, right, rough = 0, width, range(0)
        elif finely and rough:
            left = rough.start
            right = min(left + max(MOST_CELLS // max(len(looks), 1), LEAST_BAND), rough.stop)
        widest = 1 if finely or first else STEPS[-1] if dragged or let_go else STEPS[1]
        columns = range(left, right)
        part, step = self._part(looks, ghosts, bundles, few, columns, (height, width), ratio, widest)
        self._rough = _still_rough(rough, columns, step > 1)
        if old is None or right - left == width:
            old = self._words = part  # the image does not hold its pixels
        else:
            old[:, left:right] = part
        image = QImage(old.data, width, height, width * 4, QImage.Format.Format_RGB32)
        image.setDevicePixelRatio(ratio)
        return image

    def _state(self, looks: list[Look], ghosts: Mapping[Lane, Curve], few: bool, ratio: float) -> Hashable:
        """What a part of the picture depends on that is not drawn again."""
        model = self._model
        shown = bytes(look.bright + 2 * look.chosen for look in looks)
        length = model.lanes.clip.length if model.lanes.clip is not None else 0.0
        fits = tuple(look.fit for look in looks)
        view = (
            model.view.axis,
            model.view.values,
            model.view.unit,
            model.view.layout,
            fits,
            model.lanes.reading,
            ratio,
            length,
        )
        ghostly = tuple((lane, id(curve.track)) for lane, curve in ghosts.items())
        return view, self._theme.tokens, model.lanes.visible(), shown, ghostly, few

    def _part(
        self,
        looks: list[Look],
        ghosts: Mapping[Lane, Curve],
        bundles: list[tuple[Bundle, list[int]]],
        few: bool,
        columns: range,
        size: tuple[int, int],
        ratio: float,
        widest: int,
    ) -> tuple[Words, int]:
        """Some columns of the picture, which has a size of ``(height, width)``; how many share what is found."""
        height, whole = size
        # Crosses on keys beside the columns reach into them, and need a pixel beside themselves.
        left, right = max(columns.start - 2, 0), min(columns.stop + 2, whole)
        width, self._left = right - left, left
        words: Words = np.empty((height, width), np.uint32)
        self._ground(words, ratio)
        step = 1 if few else _step(width * len(looks), widest)
        if not few:
            self._draw_spans(words, looks, bundles, ratio, step)
        image = QImage(words.data, width, height, width * 4, QImage.Format.Format_RGB32)
        with self._painting(image, ratio) as painter:
            if self._model.view.layout is Layout.STACKED:
                self._draw_bands(painter)
            self._draw_ghosts(painter, ghosts)
            if few:
                for look in sorted(looks, key=lambda look: (look.bright, look.chosen)):
                    self._draw_path(painter, look)
            self._draw_beyond(painter, looks)
        self._keys.stamp(words, looks, ratio, left, step)
        with self._painting(image, ratio) as painter:
            self._draw_handles(painter)
        return words[:, columns.start - left : columns.stop - left], step

    @contextmanager
    def _painting(self, image: QImage, ratio: float) -> Iterator[QPainter]:
        """A painter of the plot's logical pixels."""
        painter = QPainter(image)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.translate(-self._left, 0.0)
        painter.scale(ratio, ratio)
        yield painter
        painter.end()

    def _looks(self) -> list[Look]:
        model, bright = self._model, self._model.lanes.bright()
        every = not bright
        found = []
        for curve in model.lanes.curves():
            lane = curve.lane
            axis = lane.axis if lane.axis >= 0 else 3
            shown = not every and lane in bright
            found.append(
                Look(curve, model.view.fit_of(lane), axis, shown, shown and lane in model.lanes.chosen)
            )
        return found

    def _points(self, bundles: list[tuple[Bundle, list[int]]]) -> int:
        axis, total = self._model.view.axis, 0
        for bundle, numbers in bundles:
            a, b = np.searchsorted(bundle.times, (axis.start, axis.end))
            total += (int(b) - int(a) + 2) * len(numbers)
        return total

    # ------------------------------------------------------------ many curves
    def _draw_spans(
        self,
        words: Words,
        looks: list[Look],
        bundles: list[tuple[Bundle, list[int]]],
        ratio: float,
        step: int,
    ) -> None:
        """Every curve; `step` pixels share a column."""
        model = self._model
        height, whole = words.shape
        width = -(-whole // step)
        places = self._left + np.arange(width + 1) * step
        edges = model.view.axis.start + places / (model.view.axis.scale * ratio)
        scale = model.view.values.scale * ratio
        some = any(look.bright for look in looks)
        spans = list(_spans(bundles, edges))
        for bright in (False, True):
            axes = sorted({look.axis for look in looks if look.bright == bright})
            count = sum(look.bright == bright for look in looks)
            if not count:
                continue
            line = (2.0 if bright and model.lanes.chosen else 1.5) * ratio
            coverage = raster.Coverage((height, width), line, len(axes), count <= FINE_CURVES)
            for numbers, low, high, at in spans:
                columns = [n for n, number in enumerate(numbers) if looks[number].bright == bright]
                if not columns:
                    continue
                chosen = [looks[numbers[n]] for n in columns]
                factor = np.array([-look.fit.factor * scale for look in chosen], np.float32)
                offset = np.array(
                    [height - (look.fit.offset - model.view.values.low) * scale for look in chosen],
                    np.float32,
                )
                if len(columns) < low.shape[1]:
                    low, high = low[:, columns], high[:, columns]
                kinds = np.array([axes.index(look.axis) for look in chosen])
                top, bottom = high * factor + offset, low * factor + offset
                coverage.add(top, bottom, at, kinds)
            layers = coverage.layers()
            layers = layers if step == 1 else np.repeat(layers, step, axis=2)[:, :, :whole]
            base = FULL if bright else (DIM if some or len(looks) > FULL_CURVES else 0.9)
            raster.blend(words, layers, [channels(axis_color(self._theme, axis)) for axis in axes], base)

    # ------------------------------------------------------------ few curves
    def _pen(self, look: Look, some: bool) -> QPen:
        color = QColor(axis_color(self._theme, look.axis))
        color.setAlphaF(1.0 if look.bright or not some else DIM)
        pen = QPen(color, 2.0 if look.chosen else 1.5)
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
        pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
        if 0 < look.axis < 3:
            pen.setDashPattern([d / pen.widthF() * 1.5 for d in DASHES[look.axis]])
        return pen

    def _draw_path(self, painter: QPainter, look: Look) -> None:
        some = bool(self._model.lanes.bright())
        painter.setPen(self._pen(look, some))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPath(self._path(look.curve, look.fit))

    def _path(self, curve: Curve, fit: Fit) -> QPainterPath:
        axis, values = self._model.view.axis, self._model.view.values
        path = QPainterPath()
        times = line_times(curve)
        first = max(int(np.searchsorted(times, axis.start)) - 1, 0)
        last = min(int(np.searchsorted(times, axis.end)) + 1, len(times))
        if last - first < 1:
            return path
        part = slice(first, last)
        xs = axis.xs(times[part]).tolist()
        shown = curve.line[1] if curve.line is not None else curve.values
        ys = values.ys(shown[part] * fit.factor + fit.offset).tolist()
        path.moveTo(xs[0], ys[0])
        track = curve.track
        if curve.line is not None or not isinstance(track, ScalarTrack):
            for x, y in zip(xs[1:], ys[1:], strict=True):
                path.lineTo(x, y)
            return path
        lean = fit.factor * values.scale / axis.scale
        kinds = track.interpolations[part].tolist()
        outs, ins = (track.out_slopes[part] * lean).tolist(), (track.in_slopes[part] * lean).tolist()
        after, before = track.out_weights[part].tolist(), track.in_weights[part].tolist()
        for n in range(len(xs) - 1):
            x0, y0, x1, y1 = xs[n], ys[n], xs[n + 1], ys[n + 1]
            if kinds[n] == Interpolation.CONSTANT:
                path.lineTo(x1, y0)
                path.lineTo(x1, y1)
            elif kinds[n] == Interpolation.LINEAR:
                path.lineTo(x1, y1)
            else:
                run = x1 - x0
                a, b = after[n] * run, before[n + 1] * run
                path.cubicTo(x0 + a, y0 - a * outs[n], x1 - b, y1 + b * ins[n + 1], x1, y1)
        return path

    def _ghosts(self) -> Mapping[Lane, Curve]:
        """The buffer's curves, where they are not too many."""
        return self._model.lanes.ghosts(MOST_GHOSTS)

    def _draw_ghosts(self, painter: QPainter, ghosts: Mapping[Lane, Curve]) -> None:
        if not ghosts:
            return
        painter.setPen(QPen(self._theme.color("dim", 0.7), 1.0))
        for lane, curve in ghosts.items():
            a, b = np.searchsorted(
                curve.track.times, (self._model.view.axis.start, self._model.view.axis.end)
            )
            if b - a <= FEW_POINTS:
                painter.drawPath(self._path(curve, self._model.view.fit_of(lane)))

    # ------------------------------------------------------------ beyond the keys
    def _draw_beyond(self, painter: QPainter, looks: list[Look]) -> None:
        model = self._model
        some = any(look.bright for look in looks)
        shown = [look for look in looks if look.bright or not some]
        clip = model.lanes.clip
        if clip is None or len(shown) > FEW_CURVES:
            return
        loop, axis = loop_length(clip), model.view.axis
        for look in shown:
            first, last = float(look.curve.track.times[0]), float(look.curve.track.times[-1])
            bounds = (axis.start, axis.end) if loop is None else (max(axis.start, 0.0), min(axis.end, loop))
            for start, end in ((bounds[0], min(first, bounds[1])), (max(last, bounds[0]), bounds[1])):
                if end - start > 1e-6:
                    self._draw_dashed(painter, look, start, end, loop)

    def _draw_dashed(
        self, painter: QPainter, look: Look, start: float, end: float, loop: float | None
    ) -> None:
        axis, curve = self._model.view.axis, look.curve
        count = max(2, int((end - start) * axis.scale / 3.0) + 2)
        times = np.linspace(start, end, count)
        if curve.line is not None:
            values: FloatArray = np.interp(times, *curve.line)
        else:
            assert curve.scalar is not None
            values = evaluate_scalar(curve.scalar, times, loop)
        xs, ys = axis.xs(times), self._model.view.values.ys(values * look.fit.factor + look.fit.offset)
        color = QColor(axis_color(self._theme, look.axis))
        color.setAlphaF(0.55)
        pen = QPen(color, 1.0)
        pen.setDashPattern([3.0, 4.0])
        painter.setPen(pen)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        path = QPainterPath(QPointF(float(xs[0]), float(ys[0])))
        for x, y in zip(xs[1:].tolist(), ys[1:].tolist(), strict=True):
            path.lineTo(x, y)
        painter.drawPath(path)

    # ------------------------------------------------------------ ground
    def _ground(self, words: Words, ratio: float) -> None:
        """Panel colour, time beyond the clip shaded, grid, zero line: whole columns and rows of pixels."""
        model, tokens = self._model, self._theme.tokens
        axis, values, clip = model.view.axis, model.view.values, model.lanes.clip
        height, width = words.shape
        words[:] = word(tokens.panel)
        start, end = 0, width
        if clip is not None and clip.length > 0.0:
            pixels = (round(axis.x(t) * ratio) - self._left for t in (0.0, clip.length))
            start, end = (int(np.clip(x, 0, width)) for x in pixels)
        shade = mix(tokens.panel, tokens.shadow, 0.16 if tokens.dark else 0.05)
        words[:, :start] = words[:, end:] = word(shade)
        ticks = axis.ticks(model.view.unit, self._text_width)
        minor, major = mix(tokens.panel, tokens.border, 0.35), mix(tokens.panel, tokens.border, 0.8)
        line = max(round(ratio), 1)
        for times, color in ((ticks.minor, minor), (ticks.major, major)):
            for x in (np.floor(axis.xs(times) * ratio).astype(int) - self._left).tolist():
                words[:, max(x, 0) : max(x + line, 0)] = word(color)
        if model.view.layout is Layout.STACKED:
            return
        for place in value_ticks(values)[1].tolist():
            y = int(np.floor(values.y(place) * ratio))
            zero = abs(place) < 1e-12
            words[max(y, 0) : max(y + line, 0)] = word(tokens.disabled if zero else major)

    def _draw_bands(self, painter: QPainter) -> None:
        model, theme = self._model, self._theme
        tall = BAND * model.view.values.scale
        for number, _ in enumerate(model.lanes.curves()):
            y = model.view.values.y(-number * BAND)
            if y > model.view.values.height or y + tall < 0.0:
                continue
            if tall > 6.0:
                painter.setPen(QPen(theme.color("border"), 1.0))
                painter.drawLine(QPointF(0.0, round(y) + 0.5), QPointF(model.view.axis.width, round(y) + 0.5))

    # ------------------------------------------------------------ handles
    def _draw_handles(self, painter: QPainter) -> None:
        theme = self._theme
        handles = self._model.view.handles()
        if not handles:
            return
        painter.setPen(QPen(theme.color("selection", 0.85), 1.0))
        for handle in handles:
            painter.drawLine(QPointF(*handle.key_place), QPointF(*handle.place))
        painter.setPen(QPen(theme.color("panel"), 1.0))
        painter.setBrush(theme.color("selection"))
        for handle in handles:
            painter.drawEllipse(QPointF(*handle.place), 3.0, 3.0)


def lane_color(theme: Theme, lane: Lane) -> QColor:
    """Colour of a lane in lists."""
    return QColor(theme.tokens.dim if lane.axis < 0 else theme.tokens.axis(lane.axis))

"""Paints the timeline: rows and keys (these by arrays), and what moves while time runs: ruler and playhead."""

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QImage, QPainter, QPen, QPolygonF

from core.arrays import distinct
from core.tracks.key_types import KeyType
from core.tracks.keys import Extrapolation
from editor.model.blocking import Blocking
from editor.model.display.override import DisplayLevel
from editor.model.i18n import tr
from editor.model.key_filter import KeyFilter
from editor.model.tangent_modes import GLYPHS
from editor.model.time_axis import TimeUnit
from editor.panels.timeline.canvas import Canvas
from editor.panels.timeline.layout import ARROW, EDGE, INDENT, KEY_SIZE, ROW, RULER, Layout
from editor.panels.timeline.row_view import RowView
from editor.panels.timeline.view_model import TimelineModel
from editor.qt import tokens
from editor.qt.key_glyphs import glyph
from editor.qt.time_ruler import RulerMarks, TimeRuler, shade_outside
from editor.tools.blocking import TITLES
from editor.tools.rows import Level

UNIT_NAMES = {TimeUnit.FRAMES: "frames", TimeUnit.SECONDS: "seconds", TimeUnit.TIMECODE: "timecode"}
BEYOND = {
    Extrapolation.LINEAR: "linear",
    Extrapolation.CYCLE: "cycle",
    Extrapolation.CYCLE_OFFSET: "cycle + offset",
    Extrapolation.MIRROR: "mirror",
}
LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter


class TimelinePainter:
    """One painting of the view: what rests while time runs, or what moves over it.

    Parameters
    ----------
    ruler : of what is shown
    set_key : the shortcut that sets keys
    moment : seconds where the playhead is, and those that its flag says
    """

    def __init__(
        self,
        painter: QPainter,
        model: TimelineModel,
        ruler: TimeRuler,
        set_key: str,
        moment: tuple[float, float],
    ) -> None:
        self.p, self.model, self.ruler, self.set_key = painter, model, ruler, set_key
        self.theme, self.ratio = ruler.theme, ruler.ratio
        self.layout: Layout = model.view.layout()
        self.axis = model.view.axis
        self._left = self.layout.labels
        self.small, self.metrics, self.ticks = self.ruler.font, self.ruler.metrics, self.ruler.ticks
        clip, playback = model.rows.clip, model.session.playback
        self.marks = RulerMarks.of(playback, clip, moment, model.pointer.near)

    def paint_still(self) -> None:
        """What does not depend on the time, from back to front."""
        rows = self.model.view.row_views()
        self._ground(rows)
        self._lines()
        shade_outside(self.p, self.ruler, self.marks, self.layout.head, self.layout.height)
        self._beyond(rows)
        self._keys(rows)
        self._span()
        self._labels(rows)
        self._markers()
        self._empty()

    def paint_moving(self) -> None:
        """Ruler, playhead and the box that is drawn."""
        self._ruler()
        self._playhead()
        self._box()

    # ------------------------------------------------------------ ground
    def _keys_area(self) -> QRectF:
        return QRectF(self.layout.labels, self.layout.head, self.layout.keys_width, self.layout.view_height)

    def _ground(self, rows: list[RowView]) -> None:
        layout, color = self.layout, self.theme.color
        self.p.fillRect(QRectF(0, 0, layout.width, layout.height), color("panel"))
        self.p.fillRect(self._keys_area(), color("window"))
        for view in rows:
            if view.row.level in (Level.SUMMARY, Level.BONE):
                name = "raised" if view.row.level is Level.SUMMARY else "panel"
                self.p.fillRect(QRectF(layout.labels, view.top, layout.keys_width, ROW), color(name, 0.75))
            self.p.setPen(QPen(color("divider"), 1))
            y = view.top + ROW - 0.5
            self.p.drawLine(QLineF(0, y, layout.width, y))

    def _x(self, seconds: float) -> float:
        """Pixel of a time."""
        return self.axis.x(seconds) + self._left

    def _crisp(self, seconds: float) -> float:
        """Middle of the device pixel that a time falls on."""
        return self.ruler.crisp(seconds)

    def _lines(self) -> None:
        self.p.save()
        self.p.setClipRect(self._keys_area())
        bottom = self.layout.height
        for times, alpha in ((self.ticks.minor, 0.35), (self.ticks.major, 1.0)):
            self.p.setPen(QPen(self.theme.color("divider", alpha), 1))
            xs = [self._crisp(float(t)) for t in times]
            self.p.drawLines([QLineF(x, self.layout.head, x, bottom) for x in xs])
        self.p.restore()

    # ------------------------------------------------------------ keys
    def _keys(self, rows: list[RowView]) -> None:
        layout, ratio = self.layout, self.ratio
        left = layout.labels
        width, height = round(layout.keys_width * ratio), round(layout.view_height * ratio)
        canvas = Canvas(width, height)
        for view in rows:
            if len(view.xs):
                middle = round((view.top + ROW / 2 - layout.head) * ratio - 0.5)
                xs = np.round((view.xs - left) * ratio - 0.5).astype(np.int64)
                self._holds(canvas, view, xs, middle)
                self._bars(canvas, view, xs, middle)
                self._glyphs(canvas, view, xs, middle)
        data = canvas.pixels
        image = QImage(data.data, width, height, data.strides[0], QImage.Format.Format_ARGB32_Premultiplied)
        self.p.drawImage(
            QRectF(left, layout.head, width / ratio, height / ratio), image, QRectF(image.rect())
        )

    def _holds(self, canvas: Canvas, view: RowView, xs: np.ndarray, middle: int) -> None:
        """Bars from a key to the next where a pose is held: to keys of type hold, everywhere in the Blocking view."""
        blocking = self.model.session.feature(Blocking)
        types, half = view.keys.types, max(1, round(1.5 * self.ratio))
        held = (
            np.ones(len(xs), dtype=bool) if blocking.on and not blocking.frames else np.zeros(len(xs), bool)
        )
        held[:-1] |= types[1:] == KeyType.HOLD
        held[-1] = False
        apart = np.flatnonzero(held & ~view.dense)
        for key in apart.tolist():
            kind = int(types[key + 1] if types[key + 1] == KeyType.HOLD else types[key])
            color = self.theme.tokens.key_type(kind)
            canvas.bar(int(xs[key]), int(xs[key + 1]), middle - half, middle + half, color, 0.45)

    def _bars(self, canvas: Canvas, view: RowView, xs: np.ndarray, middle: int) -> None:
        if not view.dense.any():
            return
        numbers = np.flatnonzero(view.dense)
        gap = self.ratio * 4.0
        state = view.keys.selected[numbers]
        cut = (np.diff(xs[numbers]) >= gap) | (np.diff(numbers) > 1) | (np.diff(state.astype(np.int8)) != 0)
        starts = np.concatenate([[0], np.flatnonzero(cut) + 1])
        ends = np.concatenate([np.flatnonzero(cut), [len(numbers) - 1]])
        half, cap = round(3 * self.ratio), max(1, round(1.5 * self.ratio))
        for a, b in zip(starts, ends, strict=True):
            x0, x1 = int(xs[numbers[a]]), int(xs[numbers[b]])
            thick = min((b - a + 1) / max(x1 - x0, 1), 1.0)
            own = view.keys.types[numbers[a : b + 1]]
            kind = int(own[0]) if (own == own[0]).all() else 0
            color = self.theme.tokens.selection if state[a] else self.theme.tokens.key_type(kind)
            strength = (0.55 if state[a] else 0.24) + (0.25 if state[a] else 0.11) * thick
            canvas.bar(x0, x1 + 1, middle - half, middle + half, color, strength)
            for end in (x0, x1 + 1 - cap):  # where keys begin and end
                canvas.bar(end, end + cap, middle - half, middle + half, color, 0.9)
            if state[a]:  # the two yellows are too near to tell alone
                for edge in (middle - half, middle + half - 1):
                    canvas.bar(x0, x1 + 1, edge, edge + 1, self.theme.tokens.text, 1.0)

    def _glyphs(self, canvas: Canvas, view: RowView, xs: np.ndarray, middle: int) -> None:
        chosen = np.flatnonzero(~view.dense)
        if not len(chosen):
            return
        gaps = np.diff(view.xs)
        size = (
            KEY_SIZE
            if not len(gaps)
            else float(np.clip(np.min(gaps[gaps >= 4.0], initial=KEY_SIZE), 5.0, KEY_SIZE))
        )
        pixels = int(size * self.ratio) | 1
        keys, line = view.keys, 1.2 * self.ratio
        tint = self.theme.tokens
        kinds = keys.modes[chosen].astype(np.int64) * 8 + keys.types[chosen]
        looks = kinds * 4 + keys.full[chosen] * 2 + keys.selected[chosen]
        for look in distinct(looks):
            mode, full, picked = int(look) // 32, bool(look & 2), bool(look & 1)
            own = tint.key_type(int(look) // 4 % 8)
            edge = tint.text if picked else (own if not full else _darker(own, tint.window))
            fill = tint.selection if picked else own
            image = glyph(
                GLYPHS[mode], pixels, fill, tint.selection if picked and not full else edge, line, not full
            )
            some = chosen[looks == look]
            canvas.stamp(image, xs[some], np.full(len(some), middle, dtype=np.int64))

    def _beyond(self, rows: list[RowView]) -> None:
        """What a channel does before its first and after its last key, where it does not merely hold."""
        tracks, layout = self.model.rows.tracks, self.layout
        self.p.save()
        self.p.setClipRect(self._keys_area())
        self.p.setFont(self.small)
        for view in rows:
            if len(view.row.channels) != 1:
                continue
            track = tracks[view.row.channels[0]]
            first, last = (self._x(float(track.times[k])) for k in (0, -1))
            y = round(view.top + ROW / 2) + 0.5
            for how, x0, x1 in (
                (track.before, layout.labels, min(first - KEY_SIZE, layout.width)),
                (track.after, max(last + KEY_SIZE, layout.labels), layout.width),
            ):
                if how is Extrapolation.HOLD or x1 - x0 < 4.0:
                    continue
                self.p.setPen(QPen(self.theme.color("dim"), 1, Qt.PenStyle.DashLine))
                text = tr(BEYOND[how])
                width = self.metrics.horizontalAdvance(text) + 8.0
                self.p.drawLine(QLineF(x0, y, x1, y))
                if x1 - x0 > width + 16.0:
                    at = x1 - width - 8.0 if how is track.before and x1 <= first else x0 + 8.0
                    self.p.fillRect(QRectF(at, view.top + 3, width, ROW - 6), self.theme.color("window"))
                    self.p.drawText(QRectF(at, view.top, width, ROW), Qt.AlignmentFlag.AlignCenter, text)
        self.p.restore()

    def _span(self) -> None:
        """The span of the selected keys, whose edges scale them."""
        span = self.model.pointer.selected_span()
        if span is None:
            return
        layout, color = self.layout, self.theme.color
        left, right = self._crisp(span[0]) - EDGE, self._crisp(span[1]) + EDGE
        self.p.save()
        self.p.setClipRect(self._keys_area())
        self.p.fillRect(QRectF(left, layout.head, right - left, layout.view_height), color("selection", 0.06))
        bottom = min(layout.top(layout.rows), layout.height)
        middle = (layout.head + bottom) / 2.0
        for late, x in ((False, left), (True, right)):
            near = self.model.pointer.edge is late
            self.p.setPen(QPen(color("selection", 1.0 if near else 0.55), 1))
            self.p.drawLine(QLineF(x, layout.head, x, bottom))
            self.p.setPen(Qt.PenStyle.NoPen)
            self.p.setBrush(color("selection", 1.0 if near else 0.75))
            self.p.drawRoundedRect(QRectF(x - 2.5, middle - 9.0, 5.0, 18.0), 2.5, 2.5)
        self.p.restore()

    # ------------------------------------------------------------ ruler
    def _ruler(self) -> None:
        layout, color = self.layout, self.theme.color
        self.p.fillRect(QRectF(0, 0, layout.labels, RULER), color("panel"))
        self.ruler.paint(self.p, self.marks)
        self.p.setFont(self.small)
        self.p.setPen(color("dim"))
        text, only = UNIT_NAMES[self.model.view.unit], self.model.session.feature(KeyFilter).only
        if only is not None:  # what is not there to be seen must be told
            self.p.setPen(self.theme.ink("warning"))
            text = tr("only keys of type {what}", what=TITLES[only].lower())
        self.p.drawText(QRectF(8, 0, layout.labels - 16, RULER), LEFT, text)
        self.p.setPen(QPen(color("border"), 1))
        self.p.drawLine(QLineF(0, RULER - 0.5, layout.labels, RULER - 0.5))
        self.p.drawLine(QLineF(layout.labels - 0.5, 0, layout.labels - 0.5, RULER))

    def _markers(self) -> None:
        """The markers' lane, and a thin line down from each."""
        layout, color, markers = self.layout, self.theme.color, self.model.markers.all()
        if not markers:
            return
        top, lane = RULER, layout.lane
        self.p.fillRect(QRectF(0, top, layout.width, lane), color("panel"))
        self.p.setFont(self.small)
        self.p.setPen(color("dim"))
        self.p.drawText(QRectF(8, top, layout.labels - 16, lane), LEFT, tr("markers"))
        self.p.setPen(QPen(color("border"), 1))
        self.p.drawLine(QLineF(0, layout.lanes - 0.5, layout.width, layout.lanes - 0.5))
        self.p.drawLine(QLineF(layout.labels - 0.5, top, layout.labels - 0.5, layout.lanes))
        self.p.save()
        self.p.setClipRect(QRectF(layout.labels, top, layout.keys_width, layout.height - top))
        ends = [self._x(m.time) for m in markers[1:]] + [layout.width]
        for marker, end in zip(markers, ends, strict=True):
            x = self._crisp(marker.time)
            self.p.setPen(QPen(color("ok", 0.45), 1, Qt.PenStyle.DashLine))
            self.p.drawLine(QLineF(x, layout.head, x, layout.height))
            self.p.setPen(Qt.PenStyle.NoPen)
            self.p.setBrush(color("ok"))
            flag = [(0.0, 1.5), (7.0, 5.0), (0.0, 8.5), (0.0, lane - 1.0), (-1.0, lane - 1.0), (-1.0, 1.5)]
            self.p.drawPolygon(QPolygonF([QPointF(x + dx, top + dy) for dx, dy in flag]))
            room = min(end, layout.width) - x - 12.0
            if room > 10.0:
                self.p.setPen(color("text"))
                text = self.metrics.elidedText(marker.name, Qt.TextElideMode.ElideRight, room)
                self.p.drawText(QRectF(x + 10.0, top, room, lane - 1.0), LEFT, text)
        self.p.restore()

    # ------------------------------------------------------------ labels
    def _labels(self, rows: list[RowView]) -> None:
        layout, color = self.layout, self.theme.color
        self.p.save()
        self.p.setClipRect(QRectF(0, layout.head, layout.labels, layout.view_height))
        self.p.fillRect(QRectF(0, layout.head, layout.labels, layout.view_height), color("panel"))
        for view in rows:
            self._label(view)
        self.p.restore()
        self.p.setPen(QPen(color("border"), 1))
        self.p.drawLine(QLineF(layout.labels - 0.5, 0, layout.labels - 0.5, layout.height))

    def _label(self, view: RowView) -> None:
        row, top, color = view.row, view.top, self.theme.color
        if row.level is Level.SUMMARY:
            self.p.fillRect(QRectF(0, top, self.layout.labels, ROW), color("raised", 0.75))
        x = 4.0 + row.level * INDENT
        if row.opens:
            self._arrow(x + 6.0, top + ROW / 2, row.is_open)
        x += ARROW + 4.0
        bold = row.level in (Level.SUMMARY, Level.BONE)
        self.p.setFont(self.theme.font(tokens.BODY, bold=row.level is Level.SUMMARY))
        selected = bool(row.key) and row.key[0] in self.model.session.selection.bones
        name = "selection" if selected and row.level is Level.BONE else ("text" if bold else "dim")
        if row.axis is not None and row.axis < 3:
            name = ("axis_x", "axis_y", "axis_z")[row.axis]
        self.p.setPen(self.theme.ink(name))
        end = self.layout.labels - 6.0
        if row.level is Level.SUMMARY and (self.model.rows.hidden or self.model.rows.solo):
            name_of = "solo" if self.model.rows.solo else "hide"
            end -= 18.0
            self.theme.icon(name_of, "dim").paint(self.p, QRect(round(end) + 3, round(top) + 4, 14, 14))
        room = QRectF(x, top, end - x, ROW)
        label = self.model.session.bone_label(row.label) if row.level is Level.BONE else row.label
        text = self.p.fontMetrics().elidedText(label, Qt.TextElideMode.ElideMiddle, int(room.width()))
        self.p.drawText(room, LEFT, text)
        self.p.setPen(QPen(color("divider"), 1))
        self.p.drawLine(QLineF(0, top + ROW - 0.5, self.layout.labels, top + ROW - 0.5))

    def _arrow(self, x: float, y: float, is_open: bool) -> None:
        points = (
            [(-3.5, -2.0), (3.5, -2.0), (0.0, 2.5)] if is_open else [(-2.0, -3.5), (2.5, 0.0), (-2.0, 3.5)]
        )
        self.p.setPen(Qt.PenStyle.NoPen)
        self.p.setBrush(self.theme.color("dim"))
        self.p.drawPolygon(QPolygonF([QPointF(x + dx, y + dy) for dx, dy in points]))

    # ------------------------------------------------------------ over everything
    def _playhead(self) -> None:
        """The line below the flag, which the ruler has."""
        if self.ruler.flag(self.marks) is not None and self.marks.time is not None:
            x = self._crisp(self.marks.time)
            self.p.setPen(QPen(self.theme.color("accent"), 1))
            self.p.drawLine(QLineF(x, RULER, x, self.layout.height))

    def _box(self) -> None:
        if self.model.pointer.box is not None:
            x0, y0, x1, y1 = self.model.pointer.box
            self.p.setPen(QPen(self.theme.color("accent"), 1))
            self.p.setBrush(self.theme.color("accent", 0.14))
            self.p.drawRect(QRectF(QPointF(x0, y0), QPointF(x1, y1)).adjusted(0.5, 0.5, 0.5, 0.5))

    def _empty(self) -> None:
        text = empty_text(self.model, self.set_key)
        if text:
            self.p.setFont(self.theme.font())
            self.p.setPen(self.theme.color("dim"))
            self.p.drawText(self._keys_area(), Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap, text)


def empty_text(model: TimelineModel, keys: str) -> str:
    """What to do next where there are no keys to see.

    Parameters
    ----------
    keys : the shortcut that sets keys, as the user has it; "" where there is none
    """
    clip = model.rows.clip
    if clip is None:
        return tr("No clip is selected: create one in the clip list")
    if model.session.display.has(DisplayLevel.TRANSIENT_CLIP):
        return tr("This is a preview: its keys appear once it is a clip of the document")
    rows = model.rows.all()
    if rows and not rows[0].channels:
        how = tr("press {keys}", keys=keys) if keys else tr("use Set key")
        if model.session.selection.bones:
            return tr("No keys on the selected bones: pose them, or {how} to key them as they are", how=how)
        return tr("No keys yet: pose a bone in the viewport, or {how} to key every bone as it is", how=how)
    return ""


def _darker(color: str, ground: str) -> str:
    return tokens.mix(color, ground, 0.55)

"""The picture of a run's lanes: bars, marks and curves over time."""

from math import floor, log10

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen, QPolygonF

from editor.model.graph_run.lanes import Bar, Lane, LaneKind
from editor.model.i18n import tr
from editor.panels.graph_run.view_model import LABELS, RULER, Row, RunModel
from editor.qt import tokens
from editor.qt.theme import Theme

TOKENS = {
    LaneKind.INPUT: "accent",
    LaneKind.STATES: "preview_point",
    LaneKind.TRANSITIONS: "pending",
    LaneKind.MONTAGE: "selection",
    LaneKind.NOTIFIES: "key",
    LaneKind.EVENTS: "key",
    LaneKind.WATCH: "accent",
}
LEAST = 1.0
"""Pixels of the shortest bar."""


def tick_step(scale: float) -> float:
    """Seconds from one labelled tick to the next, 1, 2 or 5 of a power of ten.

    Parameters
    ----------
    scale : pixels a second
    """
    least = 56.0 / scale
    power = 10.0 ** floor(log10(least))
    return next(power * factor for factor in (1.0, 2.0, 5.0, 10.0) if power * factor >= least - 1e-12)


class RunPainting:
    """One picture of the lanes."""

    def __init__(self, painter: QPainter, model: RunModel, theme: Theme, width: float, height: float) -> None:
        self.painter, self.model, self.theme = painter, model, theme
        self.width, self.height = float(width), float(height)
        self.small = theme.font(tokens.CAPTION, tabular=True)
        self.metrics = QFontMetricsF(self.small)

    def paint(self) -> None:
        painter, theme, model = self.painter, self.theme, self.model
        painter.fillRect(QRectF(0, 0, self.width, self.height), theme.color("panel"))
        painter.setFont(self.small)
        rows = model.rows()
        painter.save()
        painter.setClipRect(QRectF(0, RULER, self.width, self.height - RULER))
        for number, row in enumerate(rows):
            top = model.y(row)
            if top + row.whole >= RULER and top <= self.height:
                self._row(row, top, shaded=number % 2 == 1)
        painter.restore()
        if model.run.take is None:
            painter.setPen(theme.color("dim"))
            words = tr("Press play: every step is recorded, and can be gone back to.")
            painter.drawText(
                QRectF(LABELS, RULER, self.width - LABELS, self.height - RULER),
                Qt.AlignmentFlag.AlignCenter,
                words,
            )
        self._over_all()
        self._ruler()
        self._playhead()
        bar = model.bar()
        if bar is not None:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.color("dim", 0.5))
            painter.drawRoundedRect(QRectF(self.width - 6, bar[0] + 1, 4, bar[1] - 2), 2, 2)

    # ------------------------------------------------------------ rows
    def _row(self, row: Row, top: float, *, shaded: bool) -> None:
        painter, theme = self.painter, self.theme
        if shaded:
            painter.fillRect(QRectF(0, top, self.width, row.whole), theme.color("row"))
        lane = row.lane
        title = lane.title if row.old is None else tr("{lane} (now)", lane=lane.title)
        self._label(title, top, row.height)
        if row.old is not None:
            self._label(tr("before"), top + row.height, row.height, dim=True)
        painter.save()
        painter.setClipRect(
            QRectF(LABELS, max(top, RULER), self.width - LABELS, row.whole), Qt.ClipOperation.IntersectClip
        )
        self._lane(lane, top, row.height, 1.0)
        if row.old is not None:
            self._lane(row.old, top + row.height, row.height, 0.45)
        painter.restore()

    def _label(self, text: str, top: float, height: float, *, dim: bool = False) -> None:
        self.painter.setPen(self.theme.color("dim" if dim else "text"))
        short = self.metrics.elidedText(text, Qt.TextElideMode.ElideMiddle, LABELS - 20)
        self.painter.drawText(QRectF(12, top, LABELS - 20, height), Qt.AlignmentFlag.AlignVCenter, short)

    def _lane(self, lane: Lane, top: float, height: float, strength: float) -> None:
        color = self.theme.color(TOKENS[lane.kind])
        if lane.times:
            self._curve(lane, top, height, color, strength)
        for bar in lane.bars:
            if bar.end >= self.model.time(LABELS) and bar.start <= self.model.axis.end:
                self._bar(lane, bar, top, height, color, strength)
        x_before = -10.0
        for mark in lane.marks:
            x = self.model.x(mark.time)
            if LABELS - 8 <= x <= self.width + 8 and x - x_before >= 1.0:
                self._mark(x, mark.text, top, height, color, strength, room=x - x_before)
                x_before = x

    def _bar(self, lane: Lane, bar: Bar, top: float, height: float, color: QColor, strength: float) -> None:
        painter, model = self.painter, self.model
        left, right = model.x(bar.start), max(model.x(bar.end), model.x(bar.start) + LEAST)
        rect = QRectF(left, top + 2, right - left, height - 4)
        fill = QColor(color)
        fill.setAlphaF((0.34 if lane.kind is LaneKind.STATES else 0.5) * strength)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(fill)
        painter.drawRoundedRect(rect, 2, 2)
        edge = QColor(color)
        edge.setAlphaF(strength)
        painter.fillRect(QRectF(left, top + 2, 2 if right - left > 4 else 1, height - 4), edge)
        room = min(right, self.width) - max(left, LABELS) - 8
        if bar.text and room > 18 and height >= 14:
            painter.setPen(self.theme.color("text", max(strength, 0.7)))
            short = self.metrics.elidedText(bar.text, Qt.TextElideMode.ElideRight, room)
            at = QRectF(max(left, LABELS) + 6, top, room, height)
            painter.drawText(at, Qt.AlignmentFlag.AlignVCenter, short)

    def _mark(
        self, x: float, text: str, top: float, height: float, color: QColor, strength: float, room: float
    ) -> None:
        painter, middle = self.painter, top + height / 2.0
        fill = QColor(color)
        fill.setAlphaF(strength)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(fill)
        half = 4.0 if room > 9.0 else 2.0
        painter.drawPolygon(
            QPolygonF(
                [
                    QPointF(x, middle - half),
                    QPointF(x + half, middle),
                    QPointF(x, middle + half),
                    QPointF(x - half, middle),
                ]
            )
        )
        if room > self.metrics.horizontalAdvance(text) + 40:
            painter.setPen(self.theme.color("dim", max(strength, 0.7)))
            painter.drawText(QPointF(x + 7, middle + self.metrics.ascent() / 2.0 - 1), text)

    def _curve(self, lane: Lane, top: float, height: float, color: QColor, strength: float) -> None:
        """Values held until the next; what shares a pixel becomes one upright line."""
        painter, model = self.painter, self.model
        span = max(lane.high - lane.low, 1e-9)
        take = model.run.take
        end = 0.0 if take is None else take.length

        def y(value: float) -> float:
            return top + height - 3 - (value - lane.low) / span * (height - 6)

        line = QPolygonF()
        last = -1e9
        for k, (time, value) in enumerate(zip(lane.times, lane.values, strict=True)):
            until = lane.times[k + 1] if k + 1 < len(lane.times) else end
            if until < model.axis.start:
                continue
            if time > model.axis.end:
                break
            x = model.x(time)
            if x - last < 0.5 and k + 1 < len(lane.times):
                continue
            line.append(QPointF(max(x, LABELS - 2), y(value)))
            line.append(QPointF(min(model.x(until), self.width + 2), y(value)))
            last = x
        pen_color = QColor(color)
        pen_color.setAlphaF(strength)
        painter.setPen(QPen(pen_color, 1.5))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPolyline(line)
        if lane.kind is LaneKind.WATCH and height > 30:
            painter.setPen(self.theme.color("dim"))
            painter.drawText(QPointF(LABELS + 4, top + self.metrics.ascent() + 2), f"{lane.high:.3g}")
            painter.drawText(QPointF(LABELS + 4, top + height - 4), f"{lane.low:.3g}")

    # ------------------------------------------------------------ over the rows
    def _over_all(self) -> None:
        """The chosen span, what lies beyond the recording, marks, the first difference."""
        painter, theme, model, run = self.painter, self.theme, self.model, self.model.run
        take = run.take
        body = QRectF(LABELS, 0, self.width - LABELS, self.height)
        painter.save()
        painter.setClipRect(body)
        if take is not None:
            beyond = model.x(take.length)
            painter.fillRect(QRectF(beyond, RULER, self.width, self.height), theme.color("window", 0.55))
        if run.replay.span is not None:
            low, high = (model.x(time) for time in run.replay.span)
            painter.fillRect(QRectF(low, 0, high - low, self.height), theme.color("accent", 0.12))
            painter.setPen(QPen(theme.color("accent", 0.7), 1))
            for x in (low, high):
                painter.drawLine(QPointF(x, 0), QPointF(x, self.height))
        for time in run.replay.marks:
            self._flag(model.x(time), "selection", "")
        comparison = run.deck.comparison
        if comparison is not None and comparison.first is not None:
            number = min(comparison.first[0], len(comparison.take.samples) - 1)
            sample = comparison.take.samples[number]
            self._flag(model.x(sample.end), "error", "≠")
        painter.restore()
        painter.setPen(QPen(theme.color("divider"), 1))
        painter.drawLine(QPointF(LABELS - 0.5, RULER), QPointF(LABELS - 0.5, self.height))

    def _flag(self, x: float, token: str, text: str) -> None:
        painter, theme = self.painter, self.theme
        painter.setPen(QPen(theme.color(token, 0.8), 1, Qt.PenStyle.DashLine))
        painter.drawLine(QPointF(x, RULER), QPointF(x, self.height))
        if text:
            painter.setPen(theme.ink(token))
            painter.drawText(QPointF(x + 3, RULER + self.metrics.ascent() + 1), text)

    def _ruler(self) -> None:
        painter, theme, model = self.painter, self.theme, self.model
        painter.fillRect(QRectF(0, 0, self.width, RULER), theme.color("raised"))
        painter.setPen(QPen(theme.color("border"), 1))
        painter.drawLine(QPointF(0, RULER - 0.5), QPointF(self.width, RULER - 0.5))
        painter.setPen(theme.color("dim"))
        painter.drawText(QRectF(12, 0, LABELS - 20, RULER), Qt.AlignmentFlag.AlignVCenter, self._clock())
        painter.save()
        painter.setClipRect(QRectF(LABELS, 0, self.width - LABELS, RULER))
        step = tick_step(model.axis.scale)
        painter.setPen(theme.color("dim"))
        first = max(int(model.axis.start / step), 0)
        for k in range(first, int(model.axis.end / step) + 2):
            x = model.x(k * step)
            painter.drawLine(QPointF(x, RULER - 7), QPointF(x, RULER - 1))
            painter.drawText(QPointF(x + 3, RULER - 7), f"{k * step:.10g}")
            for fifth in range(1, 5):
                x = model.x((k + fifth / 5.0) * step)
                painter.drawLine(QPointF(x, RULER - 4), QPointF(x, RULER - 1))
        for time in model.run.replay.marks:
            x = model.x(time)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.color("selection"))
            painter.drawPolygon(QPolygonF([QPointF(x - 4, 1), QPointF(x + 4, 1), QPointF(x, 8)]))
        painter.restore()

    def _clock(self) -> str:
        run = self.model.run
        length = 0.0 if run.take is None else run.take.length
        return f"{run.time:.2f} / {length:.2f} s"

    def _playhead(self) -> None:
        run = self.model.run
        x = self.model.x(run.time)
        if run.take is None or x < LABELS:
            return
        color = self.theme.color("accent")
        self.painter.setPen(QPen(color, 1))
        self.painter.drawLine(QPointF(x, 0), QPointF(x, self.height))
        self.painter.setPen(Qt.PenStyle.NoPen)
        self.painter.setBrush(color)
        self.painter.drawPolygon(
            QPolygonF(
                [QPointF(x - 5, 0), QPointF(x + 5, 0), QPointF(x + 5, 6), QPointF(x, 11), QPointF(x - 5, 6)]
            )
        )

"""Paints a montage: ruler, sections with their links, slot tracks, blend, notifies, curves, playhead."""

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPainterPath, QPen, QPolygonF

from core.blending.easing import EaseShape, ease
from core.clips.clip import Notify
from core.graph.montage import Montage, MontageBlend
from core.graph.montage_problems import Part
from editor.model.i18n import tr
from editor.model.montage.montages import Item
from editor.model.montage.rows import HEAD, LABELS, RULER, SECTIONS, Row, RowKind
from editor.model.montage.shown import Box, Grip
from editor.panels.montage.view_model import MontageModel
from editor.qt import tokens
from editor.qt.event_marks import paint_mark
from editor.qt.theme import Theme

LEFT = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
CENTRE = Qt.AlignmentFlag.AlignCenter
RAMP = np.linspace(0.0, 1.0, 25)


def section_color(number: int) -> QColor:
    """The colour of a section, by its place."""
    return QColor(tokens.EVENT_COLORS[number % len(tokens.EVENT_COLORS)][1])


class MontagePainter:
    """One painting of the view."""

    def __init__(
        self, painter: QPainter, model: MontageModel, theme: Theme, width: float, height: float
    ) -> None:
        self.p, self.model, self.theme = painter, model, theme
        self.width, self.height = width, height
        self.shown = model.shown
        self.small = theme.font(tokens.CAPTION, tabular=True)
        self.metrics = QFontMetricsF(self.small)

    def paint(self) -> None:
        """Everything, from back to front."""
        p, color = self.p, self.theme.color
        p.setFont(self.small)
        p.fillRect(QRectF(0, 0, self.width, self.height), color("panel"))
        p.fillRect(QRectF(LABELS, 0, self.width - LABELS, self.height), color("window"))
        montage = self.model.montage
        if montage is None:
            return
        p.save()
        p.setClipRect(QRectF(LABELS, 0, self.width - LABELS, self.height))
        self._ground(montage)
        p.setClipRect(QRectF(LABELS, HEAD, self.width - LABELS, self.height - HEAD))
        for row in self.shown.rows():
            if self.shown.top(row) < self.height and self.shown.top(row) + row.height > HEAD:
                self._row(montage, row)
        p.setClipRect(QRectF(LABELS, 0, self.width - LABELS, self.height))
        self._sections(montage)
        self._ruler(montage)
        self._trigger(montage)
        self._drop()
        self._playhead()
        self._box()
        p.restore()
        self._labels(montage)

    # ------------------------------------------------------------ ground
    def _ground(self, montage: Montage) -> None:
        shown, color = self.shown, self.theme.color
        ticks = shown.axis.ticks(shown.unit, self.metrics.horizontalAdvance)
        for times, alpha in ((ticks.minor, 0.35), (ticks.major, 1.0)):
            self.p.setPen(QPen(color("divider", alpha), 1))
            self.p.drawLines(
                [QLineF(x, RULER, x, self.height) for x in (_crisp(shown.x(float(t))) for t in times)]
            )
        shade = color("shadow", 0.28 if self.theme.tokens.dark else 0.1)
        start, end = max(shown.x(0.0), LABELS), max(shown.x(montage.length), LABELS)
        self.p.fillRect(QRectF(LABELS, RULER, start - LABELS, self.height - RULER), shade)
        self.p.fillRect(QRectF(end, RULER, max(self.width - end, 0.0), self.height - RULER), shade)

    def _ruler(self, montage: Montage) -> None:
        shown, color = self.shown, self.theme.color
        self.p.fillRect(QRectF(LABELS, 0, self.width - LABELS, RULER), color("panel"))
        ticks = shown.axis.ticks(shown.unit, self.metrics.horizontalAdvance)
        self.p.setPen(QPen(color("dim", 0.6), 1))
        self.p.drawLines(
            [QLineF(x, RULER - 4, x, RULER) for x in (_crisp(shown.x(float(t))) for t in ticks.minor)]
        )
        for time, text in zip(ticks.major, ticks.labels, strict=True):
            x = _crisp(shown.x(float(time)))
            self.p.setPen(QPen(color("dim"), 1))
            self.p.drawLine(QLineF(x, RULER - 8, x, RULER))
            self.p.drawText(QRectF(x + 3, 0, 80, RULER - 4), LEFT, text)
        self.p.setPen(QPen(color("border"), 1))
        self.p.drawLine(QLineF(LABELS, RULER - 0.5, self.width, RULER - 0.5))

    def _playhead(self) -> None:
        x = _crisp(self.shown.x(self.model.preview.position))
        name = "accent" if self.model.preview.on else "dim"
        self.p.setPen(QPen(self.theme.color(name), 1))
        self.p.drawLine(QLineF(x, 0, x, self.height))
        self.p.setPen(Qt.PenStyle.NoPen)
        self.p.setBrush(self.theme.color(name))
        self.p.drawPolygon(_polygon((x - 5, 0), (x + 5, 0), (x + 5, 7), (x, 12), (x - 5, 7)))

    def _box(self) -> None:
        box = self.shown.box
        if box is not None:
            self.p.setPen(QPen(self.theme.color("accent"), 1))
            self.p.setBrush(self.theme.color("accent", 0.15))
            self.p.drawRect(_rect(box))

    # ------------------------------------------------------------ sections
    def _sections(self, montage: Montage) -> None:
        color = self.theme.color
        self.p.fillRect(QRectF(LABELS, RULER, self.width - LABELS, HEAD - RULER), color("panel", 0.9))
        for number in range(len(montage.sections)):
            self._band(montage, number)
        for number in range(len(montage.sections)):
            self._way(montage, number)
        for number in range(len(montage.sections)):
            self._chip(montage, number)
        self.p.setPen(QPen(color("border"), 1))
        self.p.drawLine(QLineF(LABELS, HEAD - 0.5, self.width, HEAD - 0.5))

    def _band(self, montage: Montage, number: int) -> None:
        section, item = montage.sections[number], Item(Part.SECTION, number)
        left, top, right, bottom = self.shown.section_box(number)
        tint = section_color(number)
        picked, aimed = item in self.model.montages.picked, self.model.link_to == number
        body = QColor(tint)
        body.setAlphaF(0.42 if picked or aimed else 0.2)
        self.p.fillRect(QRectF(left, top + 1, right - left, bottom - top - 1), body)
        self.p.setPen(Qt.PenStyle.NoPen)
        self.p.setBrush(tint)  # the flag: its pole at the start, its cloth with a notch
        self.p.drawPolygon(
            _polygon(
                (left, top + 1),
                (left + 11, top + 1),
                (left + 8, top + 6),
                (left + 11, top + 11),
                (left, top + 11),
            )
        )
        self.p.fillRect(QRectF(left, top + 1, 2, HEAD - RULER - 2), tint)
        problem = self.model.problem_of(item)
        playing = self.model.preview.on and self._plays(montage, number)
        font = self.theme.font(tokens.CAPTION, bold=picked or playing)
        self.p.setFont(font)
        self.p.setPen(self.theme.ink("selection" if picked else "text"))
        room = max(right - left - 18 - (16 if problem is not None else 0), 0.0)
        text = QFontMetricsF(font).elidedText(section.name, Qt.TextElideMode.ElideRight, room)
        self.p.drawText(QRectF(left + 14, top, room + 2, bottom - top), LEFT, text)
        self.p.setFont(self.small)
        if problem is not None:
            self._badge(right - 9, (top + bottom) / 2.0, problem.warning)
        if picked:
            self.p.setPen(QPen(self.theme.color("selection"), 1.5))
            self.p.setBrush(Qt.BrushStyle.NoBrush)
            self.p.drawRect(QRectF(left + 0.75, top + 1.75, right - left - 1.5, bottom - top - 2.5))

    def _plays(self, montage: Montage, number: int) -> bool:
        start = montage.sections[number].start
        later = [s.start for s in montage.sections if s.start > start]
        return start <= self.model.preview.position < min(later, default=montage.length)

    def _way(self, montage: Montage, number: int) -> None:
        """The line from a section's end to the start of the one that follows."""
        names = [section.name for section in montage.sections]
        section = montage.sections[number]
        if section.next not in names:
            return
        to = names.index(section.next)
        _, _, right, _ = self.shown.section_box(number)
        start = self.shown.section_box(to)[0]
        if abs(start - right) < 2.0:
            return  # they touch: the chip says it
        y = HEAD - 2.5
        pen = QPen(section_color(to), 1.5)
        pen.setStyle(Qt.PenStyle.SolidLine if to > number else Qt.PenStyle.DashLine)
        self.p.setPen(pen)
        self.p.drawLine(QLineF(right - 3, y, start + 4, y))
        self.p.setPen(Qt.PenStyle.NoPen)
        self.p.setBrush(section_color(to))
        way = 1.0 if start > right else -1.0
        self.p.drawPolygon(
            _polygon((start + 2, y), (start + 2 - way * 6, y - 3.5), (start + 2 - way * 6, y + 3.5))
        )

    def _chip(self, montage: Montage, number: int) -> None:
        section = montage.sections[number]
        names = [other.name for other in montage.sections]
        left, top, right, bottom = self.shown.link_box(number)
        if right - left < 8.0:
            return
        held = self.model.link_from == number
        rect = QRectF(left, top, right - left, bottom - top - 3)
        tint = section_color(names.index(section.next)) if section.next in names else self.theme.color("dim")
        fill = QColor(tint)
        fill.setAlphaF(0.5 if held else 0.22)
        self.p.setPen(QPen(self.theme.color("selection") if held else tint, 1.5 if held else 1))
        self.p.setBrush(fill)
        self.p.drawRoundedRect(rect, 6, 6)
        self.p.setPen(QPen(self.theme.color("text"), 1.3))
        self._sign(rect.left() + 9.0, rect.center().y(), section.next == section.name, bool(section.next))
        self.p.setPen(self.theme.color("text"))
        room = max(rect.width() - 20.0, 0.0)
        text = self.metrics.elidedText(section.next or tr("end"), Qt.TextElideMode.ElideRight, room)
        self.p.drawText(QRectF(rect.left() + 17.0, rect.top(), room + 2.0, rect.height()), LEFT, text)

    def _sign(self, x: float, y: float, loops: bool, goes_on: bool) -> None:
        """A turning arrow, an arrow, or a square for the end."""
        self.p.setBrush(Qt.BrushStyle.NoBrush)
        if loops:
            self.p.drawArc(QRectF(x - 4, y - 4, 8, 8), 60 * 16, 290 * 16)
            self.p.drawPolyline(_polygon((x + 0.5, y - 5.5), (x + 3, y - 3), (x + 0.5, y - 1)))
        elif goes_on:
            self.p.drawLine(QLineF(x - 4, y, x + 4, y))
            self.p.drawPolyline(_polygon((x + 1, y - 3), (x + 4, y), (x + 1, y + 3)))
        else:
            self.p.setBrush(self.theme.color("text"))
            self.p.drawRect(QRectF(x - 2.5, y - 2.5, 5, 5))

    # ------------------------------------------------------------ rows
    def _row(self, montage: Montage, row: Row) -> None:
        top = self.shown.top(row)
        self.p.setPen(QPen(self.theme.color("divider"), 1))
        self.p.drawLine(QLineF(LABELS, top + row.height - 0.5, self.width, top + row.height - 0.5))
        if row.kind is RowKind.TRACK:
            for number in range(len(montage.tracks[row.track].segments)):
                self._segment(montage, row.track, number)
            if not montage.tracks[row.track].segments:
                self.p.setPen(self.theme.color("dim"))
                rect = QRectF(LABELS + 8, top, self.width - LABELS - 16, row.height)
                self.p.drawText(rect, LEFT, tr("Drag a clip here"))
        elif row.kind is RowKind.BLEND:
            self._blend(montage, row)
        elif row.kind is RowKind.NOTIFIES:
            for number, notify in enumerate(montage.notifies):
                if notify.lane == row.name:
                    self._notify(number, notify)
        elif row.kind is RowKind.CLIP_NOTIFIES:
            self.p.setOpacity(0.55)
            for found, box in self.shown.clip_notify_boxes():
                paint_mark(self.p, self.theme, found.notify, _rect(box))
            self.p.setOpacity(1.0)
        else:
            self._curve(row)

    def _segment(self, montage: Montage, track: int, number: int) -> None:
        segment, item = montage.tracks[track].segments[number], Item(Part.SEGMENT, number, track)
        rect, clip = _rect(self.shown.segment_box(track, number)), self.model.montages.clip(segment.clip)
        picked, hovered = item in self.model.montages.picked, self.model.hovered.item == item
        color, problem = self.theme.color, self.model.problem_of(item)
        bad = problem is not None and not problem.warning
        fill = color("error" if bad else "accent", 0.42 if picked or hovered else 0.28)
        self.p.setPen(
            QPen(color("selection") if picked else color("error" if bad else "accent"), 1.5 if picked else 1)
        )
        self.p.setBrush(fill)
        self.p.drawRoundedRect(rect, 4, 4)
        name = clip.name if clip is not None else tr("missing clip")
        room = rect.adjusted(8, 0, -8 - (16 if problem is not None else 0), 0)
        upper = QRectF(room.left(), rect.top() + 1, max(room.width(), 0), rect.height() / 2.0)
        self.p.setPen(color("text"))
        self.p.drawText(
            upper, LEFT, self.metrics.elidedText(name, Qt.TextElideMode.ElideRight, upper.width())
        )
        rate = clip.rate if clip is not None else self.shown.rate
        piece = f"{rate.to_frame(segment.begin):.4g}–{rate.to_frame(segment.end):.4g}"
        more = f"{piece}   {segment.rate:.3g}×" if segment.rate != 1.0 else piece
        lower = upper.translated(0, rect.height() / 2.0 - 2)
        self.p.setPen(color("dim"))
        self.p.drawText(
            lower, LEFT, self.metrics.elidedText(more, Qt.TextElideMode.ElideRight, lower.width())
        )
        self.p.setPen(QPen(color("accent"), 2))
        for x in (rect.left() + 3, rect.right() - 3):  # the ends that are dragged
            if rect.width() > 24:
                self.p.drawLine(QLineF(x, rect.top() + 8, x, rect.bottom() - 8))
        if problem is not None:
            self._badge(rect.right() - 12, rect.center().y(), problem.warning)

    def _blend(self, montage: Montage, row: Row) -> None:
        top, bottom = self.shown.top(row) + 4.0, self.shown.top(row) + row.height - 4.0
        into, out, gone = self.shown.blend_xs()
        start, end = self.shown.x(0.0), self.shown.x(montage.length)
        path = QPainterPath(QPointF(start, bottom))
        for x, y in _ramp(montage.blend_in, start, into, False):
            path.lineTo(x, bottom - y * (bottom - top))
        if montage.auto_blend_out:
            path.lineTo(max(out, into), top)
            for x, y in _ramp(montage.blend_out, out, gone, True):
                path.lineTo(x, bottom - y * (bottom - top))
        else:
            path.lineTo(max(end, into), top)
            path.lineTo(max(end, into), bottom)
        color, hovered = self.theme.color, self.model.hovered.grip
        self.p.setPen(QPen(color("preview_point"), 1.5))
        self.p.setBrush(color("preview_point", 0.18))
        self.p.drawPath(path)
        handles = [(into, top, Grip.BLEND_IN)]
        if montage.auto_blend_out:
            handles += [(out, top, Grip.RAMP), (gone, bottom, Grip.BLEND_OUT)]
        for x, y, grip in handles:
            same = hovered is grip or (grip is Grip.RAMP and hovered is Grip.TRIGGER)
            self.p.setPen(QPen(color("window"), 1))
            self.p.setBrush(color("selection" if same else "preview_point"))
            self.p.drawEllipse(QPointF(x, y), 4.5, 4.5)

    def _trigger(self, montage: Montage) -> None:
        """The line from which on it fades out, with a flag on the ruler."""
        if not montage.auto_blend_out or montage.length <= 0.0:
            return
        x = _crisp(self.shown.blend_xs()[1])
        pen = QPen(self.theme.color("preview_point"), 1)
        pen.setDashPattern([4.0, 3.0])
        self.p.setPen(pen)
        self.p.drawLine(QLineF(x, RULER, x, self.height))
        self.p.setPen(QPen(self.theme.color("preview_point"), 1.5))
        self.p.setBrush(
            self.theme.color("preview_point") if montage.blend_out_trigger >= 0.0 else Qt.BrushStyle.NoBrush
        )
        self.p.drawPolygon(_polygon((x, RULER - 1), (x - 5, RULER - 9), (x + 5, RULER - 9)))

    def _notify(self, number: int, notify: Notify) -> None:
        item = Item(Part.NOTIFY, number)
        rect = _rect(self.shown.notify_box(number))
        picked = item in self.model.montages.picked
        flash = self.model.preview.flash(notify.name) if self.model.preview.on else 0.0
        if flash > 0.0:
            self.p.setPen(Qt.PenStyle.NoPen)
            self.p.setBrush(self.theme.color("selection", 0.6 * flash))
            self.p.drawRoundedRect(rect.adjusted(-4, -2, 4, 2), 5, 5)
        paint_mark(self.p, self.theme, notify, rect, picked, self.model.hovered.item == item)
        problem = self.model.problem_of(item)
        if problem is not None:
            self._badge(rect.left() - 7, rect.center().y(), problem.warning)

    def _curve(self, row: Row) -> None:
        xs = np.arange(0.0, max(self.width - LABELS, 2.0), 2.0)
        values, own = self.shown.curve(row.name, xs)
        there = np.isfinite(values)
        if not there.any():
            return
        low, high = float(values[there].min()), float(values[there].max())
        top, height = self.shown.top(row) + 3.0, row.height - 6.0
        part = (values - low) / (high - low) if high > low else np.full(len(values), 0.5)
        self.p.setPen(QPen(self.theme.color("key" if own else "dim"), 1.2))
        points = [
            QPointF(LABELS + x, top + height * (1.0 - y)) for x, y in zip(xs[there], part[there], strict=True)
        ]
        self.p.drawPolyline(QPolygonF(points))

    def _drop(self) -> None:
        """Where a clip that is dragged over would land."""
        drop = self.model.drop
        row = next(
            (r for r in self.shown.rows() if drop and r.kind is RowKind.TRACK and r.track == drop[0]), None
        )
        if drop is None or row is None:
            return
        x, top = self.shown.x(drop[1]), self.shown.top(row)
        self.p.setPen(QPen(self.theme.color("selection"), 2))
        self.p.drawLine(QLineF(x, top + 2, x, top + row.height - 2))
        self.p.fillRect(QRectF(LABELS, top, self.width, row.height), self.theme.color("selection", 0.1))

    # ------------------------------------------------------------ labels
    def _labels(self, montage: Montage) -> None:
        p, color = self.p, self.theme.color
        p.fillRect(QRectF(0, 0, LABELS, self.height), color("panel"))
        p.save()
        p.setClipRect(QRectF(0, HEAD, LABELS, self.height - HEAD))
        for row in self.shown.rows():
            top = self.shown.top(row)
            strong = row.kind is RowKind.TRACK
            p.setFont(self.theme.font(tokens.BODY) if strong else self.small)
            p.setPen(color("text" if strong else "dim"))
            room = QRectF(10, top, LABELS - (44 if strong else 18), min(row.height, 36.0))
            metrics = QFontMetricsF(p.font())
            p.drawText(room, LEFT, metrics.elidedText(row.title, Qt.TextElideMode.ElideMiddle, room.width()))
            if strong:
                problem = self.model.track_problem(row.track)
                if problem is not None:
                    self._badge(LABELS - 38, top + row.height / 2.0, problem.warning)
            p.setPen(QPen(color("divider"), 1))
            p.drawLine(QLineF(0, top + row.height - 0.5, LABELS, top + row.height - 0.5))
        p.restore()
        p.setFont(self.small)
        p.setPen(color("dim"))
        p.drawText(QRectF(10, RULER, LABELS - 20, SECTIONS), LEFT, tr("Sections"))
        p.drawText(QRectF(10, RULER + SECTIONS, LABELS - 20, HEAD - RULER - SECTIONS), LEFT, tr("Next"))
        p.drawText(QRectF(10, 0, LABELS - 20, RULER), LEFT, montage.group)
        p.setPen(QPen(color("border"), 1))
        p.drawLine(QLineF(LABELS - 0.5, 0, LABELS - 0.5, self.height))
        p.drawLine(QLineF(0, HEAD - 0.5, LABELS, HEAD - 0.5))
        p.drawLine(QLineF(0, RULER - 0.5, LABELS, RULER - 0.5))

    def _badge(self, x: float, y: float, warning: bool) -> None:
        """A triangle for a warning, a circle for an error, both with an exclamation mark."""
        self.p.setPen(Qt.PenStyle.NoPen)
        self.p.setBrush(self.theme.color("warning" if warning else "error"))
        if warning:
            self.p.drawPolygon(_polygon((x, y - 6.5), (x + 7, y + 5.5), (x - 7, y + 5.5)))
        else:
            self.p.drawEllipse(QPointF(x, y), 6.5, 6.5)
        self.p.setPen(QColor(tokens.ON_EVENT))
        self.p.setFont(self.theme.font(tokens.CAPTION, bold=True))
        self.p.drawText(QRectF(x - 8, y - 8 + (1.5 if warning else 0), 16, 16), CENTRE, "!")
        self.p.setFont(self.small)


def _ramp(blend: MontageBlend, start: float, end: float, down: bool) -> list[tuple[float, float]]:
    """Pixels and weights of a blend; a curve of a graph's map is drawn straight."""
    curved = blend.easing.shape is not EaseShape.CURVE
    values = np.array([ease(blend.easing, float(u)) if curved else u for u in RAMP])
    weights = 1.0 - values if down else values
    return [(start + u * (end - start), float(w)) for u, w in zip(RAMP, weights, strict=True)]


def _crisp(x: float) -> float:
    return round(x - 0.5) + 0.5


def _rect(box: Box) -> QRectF:
    return QRectF(box[0], box[1], box[2] - box[0], box[3] - box[1])


def _polygon(*points: tuple[float, float]) -> QPolygonF:
    return QPolygonF([QPointF(x, y) for x, y in points])

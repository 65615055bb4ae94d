"""The ruler that panels over time have in common: ticks, labels, brackets of the play range, the playhead's flag."""

from dataclasses import dataclass

from PySide6.QtCore import QLineF, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPen, QPolygonF

from core.clips.clip import Clip
from editor.model.playback import Playback
from editor.model.time_axis import Ticks, TimeAxis, TimeUnit
from editor.qt import tokens
from editor.qt.theme import Theme
from editor.tools.play_range import RangeEdge

HEIGHT = 24.0
FLAG_TOP, FLAG_HEIGHT, TIP = 2.0, 15.0, 21.0
GAP = 3.0
"""Pixels that a label keeps from the flag; one that is nearer is left out."""
BRACKET, SERIF = 6.5, 3.0
"""Height of a bracket of the play range, and length of its serifs."""


@dataclass(frozen=True, slots=True)
class RulerMarks:
    """What a ruler marks.

    Parameters
    ----------
    length : seconds of the clip, None without one
    looping : whether the clip begins again at its end
    play_range : seconds between which is played, None for the whole clip
    time, shown : seconds where the playhead is, and those that its flag says; None without a clip
    near : the end of the play range under the pointer
    """

    length: float | None
    looping: bool
    play_range: tuple[float, float] | None
    time: float | None
    shown: float
    near: RangeEdge | None = None

    @classmethod
    def of(
        cls, playback: Playback, clip: Clip | None, moment: tuple[float, float], near: RangeEdge | None
    ) -> "RulerMarks":
        """What the transport says.

        Parameters
        ----------
        clip : as it is shown
        moment : `time` and `shown`
        """
        if clip is None:
            return cls(None, False, playback.range, None, moment[1], near)
        return cls(clip.length, clip.looping, playback.range, *moment, near)


class TimeRuler:
    """Paints one ruler, at the top of what it is painted on.

    Parameters
    ----------
    axis : the stretch of time
    left : pixel at which the axis begins
    ratio : device pixels a logical one
    """

    def __init__(self, theme: Theme, axis: TimeAxis, unit: TimeUnit, left: float, ratio: float) -> None:
        self.theme, self.axis, self.unit, self.left, self.ratio = theme, axis, unit, left, ratio
        self.font = theme.font(tokens.CAPTION, tabular=True)
        self.metrics = QFontMetricsF(self.font)
        self.ticks: Ticks = axis.ticks(unit, self.metrics.horizontalAdvance)

    @property
    def right(self) -> float:
        """Pixel at which the axis ends."""
        return self.left + self.axis.width

    def x(self, seconds: float) -> float:
        """Pixel of a time."""
        return self.axis.x(seconds) + self.left

    def crisp(self, seconds: float) -> float:
        """Middle of the device pixel that a time falls on."""
        return crisp(self.x(seconds), self.ratio)

    def flag(self, marks: RulerMarks) -> QRectF | None:
        """Where the playhead's flag is; None where the playhead is out of sight."""
        if marks.time is None or not self.left <= self.crisp(marks.time) <= self.right:
            return None
        width = self.metrics.horizontalAdvance(self.axis.text(marks.shown, self.unit)) + 10.0
        flag = QRectF(self.crisp(marks.time) - width / 2, FLAG_TOP, width, FLAG_HEIGHT)
        flag.moveLeft(min(max(flag.left(), self.left + 1.0), self.right - width - 1.0))
        return flag

    def labels(self, marks: RulerMarks) -> list[tuple[float, str]]:
        """Left edges and texts of the labels that are written: whole ones, and none under the flag."""
        flag, found = self.flag(marks), []
        for time, text in zip(self.ticks.major.tolist(), self.ticks.labels, strict=True):
            wide = self.metrics.horizontalAdvance(text)
            x = self.x(time) - wide / 2
            if x < self.left or x + wide > self.right:
                continue
            if flag is None or x + wide + GAP <= flag.left() or x >= flag.right() + GAP:
                found.append((x, text))
        return found

    # ------------------------------------------------------------ painting
    def paint(self, p: QPainter, marks: RulerMarks) -> None:
        """Everything but the line of the playhead, which is longer than the ruler."""
        color = self.theme.color
        p.save()
        p.setClipRect(QRectF(self.left, 0, self.axis.width, HEIGHT), Qt.ClipOperation.IntersectClip)
        p.fillRect(QRectF(self.left, 0, self.axis.width, HEIGHT), color("panel"))
        shade_outside(p, self, marks, 0.0, HEIGHT)
        for times, length in ((self.ticks.minor, 4.0), (self.ticks.major, 8.0)):
            p.setPen(QPen(color("border" if length < 5 else "dim"), 1))
            xs = [self.crisp(float(t)) for t in times]
            p.drawLines([QLineF(x, HEIGHT - length, x, HEIGHT) for x in xs])
        p.setFont(self.font)
        p.setPen(color("dim"))
        for x, text in self.labels(marks):
            p.drawText(QPointF(x, 12.0), text)
        self._brackets(p, marks)
        self._flag(p, marks)
        p.restore()
        p.setPen(QPen(color("border"), 1))
        p.drawLine(QLineF(self.left, HEIGHT - 0.5, self.right, HEIGHT - 0.5))

    def _brackets(self, p: QPainter, marks: RulerMarks) -> None:
        """The ends of what is played, open to each other; calm while that is the whole clip."""
        if marks.length is None or marks.length <= 0.0:
            return
        span = marks.play_range or (0.0, marks.length)
        color = self.theme.color
        bottom = HEIGHT - 1.75
        if marks.play_range is not None:
            start, end = (self.x(time) for time in span)
            p.fillRect(QRectF(start, bottom - 2.0, end - start, 2.0), color("accent", 0.75))
        for edge, time, way in ((RangeEdge.START, span[0], 1.0), (RangeEdge.END, span[1], -1.0)):
            name = "accent" if marks.play_range is not None or marks.near is edge else "dim"
            x = self.crisp(time) - way * 3.0
            wide = 2.0 if marks.near is edge else 1.5
            pen = QPen(color(name), wide)
            pen.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
            p.setPen(pen)
            p.setBrush(Qt.BrushStyle.NoBrush)
            top = bottom - BRACKET
            points = [(way * SERIF, top), (0.0, top), (0.0, bottom), (way * SERIF, bottom)]
            p.drawPolyline(QPolygonF([QPointF(x + dx, y) for dx, y in points]))
        if marks.looping:  # where it begins again
            sign = round(self.x(marks.length)) + 7
            if sign + 12 < self.right:
                self.theme.icon("loop", "dim").paint(p, QRect(sign, 12, 11, 11))

    def _flag(self, p: QPainter, marks: RulerMarks) -> None:
        flag = self.flag(marks)
        if flag is None or marks.time is None:
            return
        x = self.crisp(marks.time)
        p.setPen(QPen(self.theme.color("accent"), 1))
        p.drawLine(QLineF(x, TIP, x, HEIGHT))
        p.setPen(Qt.PenStyle.NoPen)
        p.setBrush(self.theme.color("accent"))
        p.drawRoundedRect(flag, 3.0, 3.0)
        low = FLAG_TOP + FLAG_HEIGHT - 0.5
        p.drawPolygon(QPolygonF([QPointF(x - 4, low), QPointF(x + 4, low), QPointF(x, TIP)]))
        p.setFont(self.font)
        p.setPen(self.theme.color("on_accent"))
        p.drawText(flag, Qt.AlignmentFlag.AlignCenter, self.axis.text(marks.shown, self.unit))


def crisp(x: float, ratio: float) -> float:
    """Middle of the device pixel that a logical pixel falls on."""
    return (round(x * ratio - 0.5) + 0.5) / ratio


def shade_outside(p: QPainter, ruler: TimeRuler, marks: RulerMarks, top: float, bottom: float) -> None:
    """Shade what lies outside the clip, and once more what lies outside the play range."""
    if marks.length is None:
        return
    shade = ruler.theme.color("shadow", 0.28 if ruler.theme.tokens.dark else 0.1)
    left, right = ruler.left, ruler.right
    for start, end in [(0.0, marks.length), *([marks.play_range] if marks.play_range is not None else [])]:
        x0, x1 = max(ruler.x(start), left), max(ruler.x(end), left)
        if x0 > left:
            p.fillRect(QRectF(left, top, x0 - left, bottom - top), shade)
        if x1 < right:
            p.fillRect(QRectF(x1, top, right - x1, bottom - top), shade)

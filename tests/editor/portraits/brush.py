"""Notes what the program's own painting asks of Qt: texts, lines and shapes with their places and colours.

What Qt's styles draw by themselves is not noted. Only calls from the package ``editor`` are.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from PySide6.QtCore import QLine, QLineF, QPoint, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import (
    QBrush,
    QColor,
    QFont,
    QIcon,
    QImage,
    QPainter,
    QPainterPath,
    QPen,
    QPixmap,
    QPolygon,
    QPolygonF,
    QStaticText,
)

import editor

HOME = str(Path(editor.__file__).parent)
SKIP = ("icons.py",)
"""Pictures of icons are kept from one test to the next; buttons tell their icons by name."""
DRAWN = [
    name
    for name in dir(QPainter)
    if name.startswith(("draw", "fill", "erase", "stroke")) and callable(getattr(QPainter, name))
]
MOVES = ("setOpacity", "translate", "rotate", "scale", "setClipRect", "setClipPath")
MANY = 6
"""From so many points on, a shape is told by its count, its bounds, its first and its last."""


def number(value: float) -> str:
    """A number as the log tells it."""
    rounded = round(float(value), 1)
    return f"{rounded:g}" if rounded else "0"


def place(*values: float) -> str:
    """Pixels: compared with tolerance."""
    return "@" + ",".join(number(v) for v in values)


def color(value: QColor) -> str:
    return value.name() + (f"*{value.alphaF():.2f}" if value.alpha() != 255 else "")


def points(values: list[QPointF] | list[QPoint]) -> str:
    if len(values) <= MANY:
        return place(*(c for p in values for c in (p.x(), p.y())))
    x, y = [p.x() for p in values], [p.y() for p in values]
    ends = values[0].x(), values[0].y(), values[-1].x(), values[-1].y()
    return f"{len(values)} points {place(min(x), min(y), max(x), max(y))} from {place(*ends)}"


def told(value: object) -> str:
    """An argument in words."""
    match value:
        case QPointF() | QPoint():
            return place(value.x(), value.y())
        case QRectF() | QRect():
            return place(value.x(), value.y(), value.width(), value.height())
        case QSize():
            return place(value.width(), value.height())
        case QLineF() | QLine():
            return place(value.x1(), value.y1(), value.x2(), value.y2())
        case QPolygonF() | QPolygon():
            return points([value[k] for k in range(len(value))])
        case QPainterPath():
            elements = [value.elementAt(k) for k in range(value.elementCount())]
            return points([QPointF(e.x, e.y) for e in elements])
        case QColor():
            return color(value)
        case QPen():
            shape = "" if value.style() is Qt.PenStyle.SolidLine else f" {value.style().name}"
            return f"{color(value.color())}/{number(value.widthF())}{shape}"
        case QBrush():
            return color(value.color()) if value.style() is Qt.BrushStyle.SolidPattern else value.style().name
        case QFont():
            return f"{value.pixelSize()}px{' bold' if value.weight() > QFont.Weight.Normal else ''}"
        case QPixmap() | QImage():
            return f"picture {place(value.width(), value.height())}"
        case QIcon():
            return "icon"
        case QStaticText():
            return repr(value.text())
        case Qt.PenStyle() | Qt.BrushStyle() | Qt.GlobalColor():
            return value.name
        case Qt.AlignmentFlag():
            return "+".join(
                f.name.removeprefix("Align")
                for f in Qt.AlignmentFlag
                if f.name and value & f and bin(f.value).count("1") == 1
            )
        case str():
            return repr(value)
        case float():
            return number(value)
        case list() | tuple():
            if len(value) <= 3:
                return " ".join(told(v) for v in value)
            return f"{len(value)}: {told(value[0])} … {told(value[-1])}"
    return str(value) if isinstance(value, int | bool) else type(value).__name__


class Brush:
    """The log of one time of painting."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def note(self, where: str, what: str) -> None:
        self.lines.append(f"{where}: {what}")

    def taken(self) -> list[str]:
        """What was noted, one line for each thing, equal ones once; the log begins anew."""
        lines, self.lines = list(dict.fromkeys(self.lines)), []
        return lines


@contextmanager
def noted() -> Iterator[Brush]:
    """Note what is painted for the time of a block."""
    log = Brush()
    kept: dict[str, object] = {}
    pens: dict[int, tuple[str, str]] = {}

    def wrap(name: str, made):
        def call(painter, *args):
            frame = sys._getframe(1)
            file = frame.f_code.co_filename
            if file.startswith(HOME) and not file.endswith(SKIP):
                where = f"{Path(file).stem}.{frame.f_code.co_name}"
                words = " ".join(told(a) for a in args)
                if name.startswith("draw"):
                    pen = told(painter.pen())
                    brush = painter.brush()
                    with_brush = (
                        ""
                        if brush.style() is Qt.BrushStyle.NoBrush or "Text" in name
                        else f" in {told(brush)}"
                    )
                    font = f" {told(painter.font())}" if "Text" in name else ""
                    words = f"{words} {pen}{with_brush}{font}"
                log.note(where, f"{name} {words}")
            return made(painter, *args)

        return call

    names = [*DRAWN, *MOVES]
    for name in names:
        kept[name] = getattr(QPainter, name)
        setattr(QPainter, name, wrap(name, kept[name]))
    try:
        yield log
    finally:
        for name, made in kept.items():
            setattr(QPainter, name, made)
        pens.clear()

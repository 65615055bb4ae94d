"""Colours, pens and texts of the canvas, made once for a theme."""

from functools import lru_cache

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen, QStaticText, QTextOption

from editor.qt import tokens
from editor.qt.theme import Theme

DASHES: dict[str, tuple[float, ...]] = {
    "bool": (4.0, 2.5),
    "int": (1.2, 2.2),
    "name": (6.0, 2.0, 1.2, 2.0),
    "enum": (6.0, 2.0, 1.2, 2.0),
    "any": (2.5, 2.5),
}
"""Dash of a wire by type, in widths of the line, so that types are told apart without colour; others are solid."""
WIDTHS = {"pose": 3.2, "then": 2.4, "vector": 2.0, "quaternion": 2.0}
CACHED = 4000


class Ink:
    """What the painters draw with; asks the theme for nothing twice."""

    def __init__(self, theme: Theme) -> None:
        self.theme = theme
        self._texts: dict[tuple[str, int, bool, int], QStaticText] = {}
        self._fonts: dict[tuple[int, bool], tuple[QFont, QFontMetricsF]] = {}
        self.color = lru_cache(maxsize=None)(self._color)
        self.mix = lru_cache(maxsize=None)(self._mix)
        self.wire_pen = lru_cache(maxsize=None)(self._wire_pen)
        self.pen = lru_cache(maxsize=None)(self._pen)
        self.tone = lru_cache(maxsize=None)(self._tone)

    def reset(self) -> None:
        """Another theme is on."""
        for cached in (self.color, self.mix, self.wire_pen, self.pen, self.tone):
            cached.cache_clear()
        self._texts.clear()
        self._fonts.clear()

    def _color(self, name: str, alpha: float = 1.0) -> QColor:
        return self.theme.color(name, alpha)

    def _mix(self, a: str, b: str, share: float) -> QColor:
        """A colour between two tokens."""
        theme = self.theme.tokens
        return QColor(tokens.mix(getattr(theme, a), getattr(theme, b), share))

    def _pen(self, name: str, width: float = 1.0, alpha: float = 1.0, dash: bool = False) -> QPen:
        pen = QPen(self.color(name, alpha), width)
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
        if dash:
            pen.setDashPattern([4.0, 3.0])
        return pen

    def wire_color(self, token: str, alpha: float = 1.0) -> QColor:
        """Colour of a type of pin."""
        return self.color(f"wire_{'name' if token == 'enum' else token}", alpha)

    def _wire_pen(self, token: str, scale: float = 1.0, alpha: float = 1.0, extra: float = 0.0) -> QPen:
        pen = QPen(self.wire_color(token, alpha), WIDTHS.get(token, 1.6) * scale + extra)
        pen.setCapStyle(Qt.PenCapStyle.FlatCap if token in DASHES else Qt.PenCapStyle.RoundCap)
        if token in DASHES and scale > 0.3:
            pen.setDashPattern(list(DASHES[token]))
        return pen

    def _tone(self, tone: str, share: float = 1.0, ground: str = "raised") -> QColor:
        """Colour of a family of nodes, mixed with the ground."""
        return self.mix(ground, f"tone_{tone}", share)

    def font(self, pixels: int = tokens.BODY, bold: bool = False) -> tuple[QFont, QFontMetricsF]:
        """A font with its measures."""
        key = (pixels, bold)
        if key not in self._fonts:
            font = self.theme.font(pixels, bold)
            font.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
            self._fonts[key] = (font, QFontMetricsF(font))
        return self._fonts[key]

    def text(
        self,
        painter: QPainter,
        place: tuple[float, float],
        text: str,
        width: float,
        color: QColor,
        pixels: int = tokens.BODY,
        bold: bool = False,
        align: float = 0.0,
    ) -> None:
        """One line of text, shortened to a width.

        Parameters
        ----------
        place : left end of the room and middle of the line, scene units
        align : 0 left, 0.5 middle, 1 right of the room
        """
        font, metrics = self.font(pixels, bold)
        key = (text, pixels, bold, int(width))
        made = self._texts.get(key)
        if made is None:
            if len(self._texts) > CACHED:
                self._texts.clear()
            fitting = metrics.elidedText(text, Qt.TextElideMode.ElideRight, max(width, 8.0))
            made = QStaticText(fitting)
            made.setTextFormat(Qt.TextFormat.PlainText)
            made.setTextOption(QTextOption(Qt.AlignmentFlag.AlignLeft))
            made.prepare(painter.transform(), font)
            self._texts[key] = made
        size = made.size()
        painter.setFont(font)
        painter.setPen(color)
        x = place[0] + max(width - size.width(), 0.0) * align
        painter.drawStaticText(QPointF(x, place[1] - size.height() / 2.0), made)

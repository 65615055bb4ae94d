"""The frame of the camera that is looked through: its edge, the dimmed rest of the view, safe areas, its name."""

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from editor.gl.camera import Pixel
from editor.model.i18n import tr
from editor.model.session import Session
from editor.model.shot.state import Shot
from editor.qt import tokens
from editor.qt.theme import Theme

ACTION, TITLE = 0.9, 0.8
"""Parts of the picture within which action and lettering are safe from being cut off."""
DIM, CALM = 0.5, 0.55


class CameraFrame(QWidget):
    """Paints over the viewport while a camera is looked through; takes no mouse."""

    def __init__(self, parent: QWidget, session: Session, theme: Theme) -> None:
        super().__init__(parent)
        self._session, self._theme = session, theme
        self._shot = session.feature(Shot)
        self._rectangle: tuple[Pixel, Pixel] | None = None
        self._words = ""
        self._safe = False
        self.setObjectName("cameraFrame")
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAttribute(Qt.WidgetAttribute.WA_NoSystemBackground)
        self.hide()

    @property
    def words(self) -> str:
        """What is written at the frame."""
        return self._words

    def show_rectangle(self, rectangle: tuple[Pixel, Pixel] | None) -> None:
        """Draw the frame there; None hides it."""
        words = self._text() if rectangle is not None else ""
        safe = bool(self._session.switches["safe_frame"])
        if (rectangle, words, safe) == (self._rectangle, self._words, self._safe):
            return  # the words tell whether the camera is locked
        self._rectangle, self._words, self._safe = rectangle, words, safe
        self.setVisible(rectangle is not None)
        self.update()

    def _text(self) -> str:
        camera = self._shot.camera
        if camera is None:
            return ""
        return tr("{camera} · locked to the view", camera=camera.name) if self._shot.locked else camera.name

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._rectangle is None:
            return
        (left, top), (right, bottom) = self._rectangle
        frame = QRectF(QPointF(left, top), QPointF(right, bottom))
        painter = QPainter(self)
        outside = QPainterPath()
        outside.addRect(QRectF(self.rect()))
        outside.addRect(frame)
        painter.fillPath(outside, self._theme.color("window", DIM))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(self._theme.color("record" if self._shot.locked else "text", 0.9), 1.0))
        painter.drawRect(frame)
        if self._safe:
            painter.setPen(QPen(self._theme.color("text", CALM), 1.0, Qt.PenStyle.DashLine))
            for part in (ACTION, TITLE):
                painter.drawRect(self._inner(frame, part))
        painter.setFont(self._theme.font(tokens.CAPTION))
        painter.setPen(self._theme.ink("text"))
        painter.drawText(QPointF(left + 6.0, bottom - 7.0), self._words)
        painter.end()

    @staticmethod
    def _inner(frame: QRectF, part: float) -> QRectF:
        wide, high = frame.width() * part, frame.height() * part
        middle = frame.center()
        return QRectF(middle.x() - wide / 2.0, middle.y() - high / 2.0, wide, high)

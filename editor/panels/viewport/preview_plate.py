"""Says in a corner of the view that a preview is shown instead of the clip, with the button that stops it."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from editor.model.blending.state import Blending
from editor.model.i18n import tr
from editor.model.play.state import Play
from editor.model.session import Session
from editor.qt import tokens
from editor.qt.binding import Bindings
from editor.qt.theme import Theme
from editor.qt.widgets import label

MARGIN = 12


class PreviewPlate(QWidget):
    """There only while another source of poses than the clip is shown.

    Attributes
    ----------
    placed : it came, went or has another size
    """

    placed = Signal()

    def __init__(self, parent: QWidget, session: Session, theme: Theme) -> None:
        super().__init__(parent)
        self._session, self._theme = session, theme
        self.setObjectName("previewPlate")
        self.setCursor(Qt.CursorShape.ArrowCursor)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 4, 4, 4)
        row.setSpacing(12)
        self._text = label("")
        self._text.setObjectName("previewName")
        self._stop = QPushButton(tr("Stop the preview"))
        self._stop.setObjectName("stopPreview")
        self._stop.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._stop.setToolTip(tr("Show the clip again"))
        self._stop.clicked.connect(session.stop_preview)
        row.addWidget(self._text)
        row.addWidget(self._stop)
        self.hide()
        bindings = Bindings(self)
        bindings.refresh(
            self.refresh, session.display.changed, session.feature(Blending).spaces.changed,
        )  # fmt: skip
        theme.changed.connect(self.update)

    def refresh(self) -> None:
        """Show what is previewed, or go away."""
        source = self._session.display.source
        if source is self._session.feature(Play):  # it has a workspace of its own
            source = None
        told = "" if source is None else tr("Preview: {what}", what=source.title)
        if told == self._text.text() and self.isHidden() is (source is None):
            return  # a source that plays says every frame that its pose differs
        self._text.setText(told)
        self.setVisible(source is not None)
        self.place()

    def place(self) -> None:
        """In the corner that neither the heads-up lines, nor the axes, nor the switches take."""
        self.adjustSize()
        self.move(MARGIN, self.parentWidget().height() - self.height() - MARGIN)
        self.raise_()
        self.placed.emit()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.color("field", 0.86))
        painter.drawRoundedRect(self.rect(), tokens.RADIUS, tokens.RADIUS)
        painter.end()

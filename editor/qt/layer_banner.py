"""Says which layer receives keys, with the way back to the clip: in the view and over the timeline."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from core.blending.layer_stack import LayerMode
from editor.actions.registry import Registry
from editor.model.blending.state import Blending
from editor.model.i18n import tr
from editor.model.session import Session
from editor.qt import tokens
from editor.qt.binding import Bindings
from editor.qt.theme import Theme
from editor.qt.widgets import ElidedLabel, set_role

BAR = 3
"""Pixels of the coloured bar at its left edge."""


class LayerBanner(QWidget):
    """There only while a layer is in hand.

    Parameters
    ----------
    name : of the widget; its parts are called ``nameText``, ``nameNeutral`` and ``nameLeave``
    plate : with a rounded ground of its own, for what lies over the viewport
    below : what lies in the same corner of the viewport while it is shown, and is left clear
    """

    def __init__(
        self,
        session: Session,
        actions: Registry,
        theme: Theme,
        name: str,
        plate: bool = False,
        below: QWidget | None = None,
    ) -> None:
        super().__init__()
        self._session, self._theme, self._plate, self._below = session, theme, plate, below
        self.setObjectName(name)
        self.setCursor(Qt.CursorShape.ArrowCursor)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 2, 4, 2)
        row.setSpacing(8)
        self.text = ElidedLabel()
        self.text.setObjectName(f"{name}Text")
        self.neutral = QPushButton(tr("Key neutral"))
        self.neutral.setObjectName(f"{name}Neutral")
        self.neutral.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.neutral.setToolTip(tr("Key the layer so that at the playhead it changes nothing (Ctrl+Alt+Z)"))
        self.neutral.clicked.connect(lambda: actions.run("layer.neutral"))
        self.leave = QPushButton(tr("Back to the clip"))
        self.leave.setObjectName(f"{name}Leave")
        self.leave.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.leave.setToolTip(tr("Keys go to the clip itself again (Alt+Home)"))
        self.leave.clicked.connect(lambda: actions.run("layer.leave"))
        row.addWidget(self.text, 1)
        row.addWidget(self.neutral)
        row.addWidget(self.leave)
        self.hide()
        Bindings(self).refresh(
            self.refresh,
            session.playback.clip_changed,
            session.document.changed,
            session.evaluator.layers.changed,
        )
        theme.changed.connect(self.update)

    def refresh(self) -> None:
        """Show the layer in hand, or go away."""
        hand = self._session.feature(Blending).hand
        layer, below = hand.layer, self._session.evaluator.layered_clip
        if layer is None or below is None:
            self.hide()
            return
        mode = tr("override layer") if layer.mode is LayerMode.OVERRIDE else tr("additive layer")
        text = tr("Keying {mode} “{layer}” over “{clip}”", mode=mode, layer=layer.name, clip=below.name)
        why = hand.why_not
        self.text.set_text(f"{text}: {why}" if why else text)
        set_role(self.text, "warning" if why else "")
        self.neutral.setEnabled(not why)
        self.show()
        self.place()

    def place(self) -> None:
        """Over the viewport: in its lower left corner, or above what lies there; a strip stays where it is."""
        parent, below = self.parentWidget(), self._below
        if not self._plate or parent is None:
            return
        margin = 12
        width = min(self.sizeHint().width(), parent.width() - 2 * margin)  # the ways out stay in sight
        self.resize(width, self.sizeHint().height())
        clear = 0 if below is None or below.isHidden() else below.height() + 8
        self.move(margin, parent.height() - self.height() - margin - clear)
        self.raise_()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        if self._plate:
            painter.setBrush(self._theme.color("field", 0.86))
            painter.drawRoundedRect(self.rect(), tokens.RADIUS, tokens.RADIUS)
        painter.setBrush(self._theme.color("accent"))
        painter.drawRect(0, 0, BAR, self.height())
        painter.end()

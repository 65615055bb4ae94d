"""The small row of switches at the lower right of the viewport."""

from collections.abc import Callable

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QWidget

from editor.model.i18n import tr
from editor.panels.viewport.options import SWITCHES, ViewOptions
from editor.qt import tokens
from editor.qt.theme import Theme

ICONS = {
    "mesh": "mesh",
    "clay": "clay",
    "bones": "bone",
    "names": "text",
    "grid": "grid",
    "axes": "axis",
    "shadow": "shadow",
}


class Switches(QWidget):
    """One button for each thing the viewport can show, on a translucent plate."""

    def __init__(self, parent: QWidget, theme: Theme, toggle: Callable[[str], None]) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setObjectName("viewportSwitches")
        self.setCursor(Qt.CursorShape.ArrowCursor)
        row = QHBoxLayout(self)
        row.setContentsMargins(4, 2, 4, 2)
        row.setSpacing(0)
        self._buttons: dict[str, QToolButton] = {}
        for name, title in SWITCHES:
            button = QToolButton(self)
            button.setObjectName(f"show_{name}")
            button.setCheckable(True)
            button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            button.setIconSize(QSize(tokens.ICON, tokens.ICON))
            button.setToolTip(tr("Show: {what}", what=tr(title)))
            button.setFixedSize(24, 24)
            button.clicked.connect(lambda _=False, n=name: toggle(n))
            row.addWidget(button)
            self._buttons[name] = button
        self.tint()

    def tint(self) -> None:
        """Take the icons of the theme in use."""
        for name, button in self._buttons.items():
            button.setIcon(self._theme.icon(ICONS[name]))

    def show_options(self, options: ViewOptions) -> None:
        """Press the buttons as the options say."""
        for name, button in self._buttons.items():
            button.setChecked(getattr(options, name))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.color("field", 0.74))
        painter.drawRoundedRect(self.rect(), tokens.RADIUS, tokens.RADIUS)
        painter.end()

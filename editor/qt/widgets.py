"""Small widgets that every panel is built from."""

from collections.abc import Callable

from PySide6.QtCore import QObject, QSize, Qt, Signal
from PySide6.QtGui import QAction, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from editor.model.i18n import tr
from editor.qt import tokens
from editor.qt.keys import keeps
from editor.qt.menu import pop_up
from editor.qt.theme import Theme


class Dress(QObject):
    """Keeps the icon of a button or action in the theme's colours; lives as long as what it dresses."""

    def __init__(
        self, owner: QAction | QToolButton | QPushButton, theme: Theme, icon: str, token: str
    ) -> None:
        super().__init__(owner)
        self._owner, self._theme, self._icon, self._token = owner, theme, icon, token
        self.apply()
        theme.changed.connect(self.apply)

    def change(self, icon: str, token: str | None = None) -> None:
        """Show another icon from now on."""
        if (icon, token or self._token) != (self._icon, self._token):
            self._icon, self._token = icon, token or self._token
            self.apply()

    def apply(self) -> None:
        """Set the icon again."""
        self._owner.setIcon(self._theme.icon(self._icon, self._token))


def dress(owner: QAction | QToolButton | QPushButton, theme: Theme, icon: str, token: str = "text") -> Dress:
    """Give an icon that follows the theme."""
    return Dress(owner, theme, icon, token)


def label(text: str = "", role: str = "", wrap: bool = False, parent: QWidget | None = None) -> QLabel:
    """A label in one of the roles of the style sheet ("dim", "caption", "title", "heading" …)."""
    made = QLabel(text, parent)
    made.setTextFormat(Qt.TextFormat.PlainText)
    if role:
        made.setProperty("role", role)
    made.setWordWrap(wrap)
    return made


def set_role(widget: QWidget, role: str, name: str = "role") -> None:
    """Change a property that the style sheet asks for, and have it look again."""
    if widget.property(name) != role:
        widget.setProperty(name, role)
        widget.style().unpolish(widget)
        widget.style().polish(widget)


def line() -> QFrame:
    """A one-pixel divider."""
    made = QFrame()
    made.setProperty("role", "line")
    made.setFixedHeight(1)
    return made


def add_heading(column: QVBoxLayout, theme: Theme, text: str, *right: QWidget) -> None:
    """Begin a section of a panel: a line, a bold title, and what stands at its right."""
    column.addSpacing(2)
    column.addWidget(line())
    row = QHBoxLayout()
    row.setContentsMargins(0, 2, 0, 0)
    title = label(text)
    title.setFont(theme.font(tokens.BODY, bold=True))
    row.addWidget(title)
    row.addStretch(1)
    for widget in right:
        row.addWidget(widget)
    column.addLayout(row)


def icon_button(
    theme: Theme,
    icon: str,
    tip: str,
    checkable: bool = False,
    name: str = "",
    token: str = "text",
    size: int = 24,
    menu: bool = False,
) -> QToolButton:
    """A square button with an icon and a tooltip; with `menu` a press will open the menu it is given."""
    button = MenuButton() if menu else QToolButton()
    dress(button, theme, icon, token)
    button.setIconSize(QSize(tokens.ICON, tokens.ICON))
    button.setFixedSize(size, size)
    button.setCheckable(checkable)
    tell(button, tip)
    button.setObjectName(name)
    button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    return button


def tell(button: QAbstractButton, tip: str) -> None:
    """Say what a press of a button without words does now, to the eye and to screen readers."""
    button.setToolTip(tip)
    button.setAccessibleName(tip)


class MenuButton(QToolButton):
    """Opens its menu below at a press, and goes on: Qt's own way waits in a loop of its own until it closes."""

    def mousePressEvent(self, event: QMouseEvent) -> None:
        menu = self.menu()
        if event.button() != Qt.MouseButton.LeftButton or menu is None or not self.isEnabled():
            super().mousePressEvent(event)
            return
        self.setDown(True)
        menu.aboutToHide.connect(self._up, Qt.ConnectionType.UniqueConnection)
        pop_up(menu, self)
        event.accept()

    def _up(self) -> None:
        self.setDown(False)


class SearchField(QLineEdit):
    """A line to filter by, with a magnifying glass; Escape empties it, then gives the focus back."""

    left = Signal()

    def __init__(self, theme: Theme, hint: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setPlaceholderText(hint)
        self.setClearButtonEnabled(False)
        glass = QAction(self)
        dress(glass, theme, "search", "dim")
        self.addAction(glass, QLineEdit.ActionPosition.LeadingPosition)
        self._clear = QAction(self)
        self._clear.setToolTip(tr("Clear"))
        dress(self._clear, theme, "close", "dim")
        self._clear.triggered.connect(self.clear)
        self.addAction(self._clear, QLineEdit.ActionPosition.TrailingPosition)
        self._clear.setVisible(False)
        self.textChanged.connect(self._show_clear)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            if self.text():
                self.clear()
                event.accept()
            else:
                self.clearFocus()
                self.left.emit()
                event.ignore()  # a dialog around it closes
            return
        super().keyPressEvent(event)

    def event(self, event) -> bool:
        return keeps(event, (Qt.Key.Key_Escape,)) or super().event(event)

    def _show_clear(self, text: str) -> None:
        self._clear.setVisible(bool(text))


class ElidedLabel(QLabel):
    """A label that shortens its text with … where there is no room, the whole text as tooltip."""

    def __init__(
        self,
        text: str = "",
        role: str = "",
        mode: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._whole, self._tip, self._mode = "", "", mode
        self.setTextFormat(Qt.TextFormat.PlainText)
        if role:
            self.setProperty("role", role)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.setMinimumWidth(24)
        self.set_text(text)

    def set_text(self, text: str, tip: str = "") -> None:
        """Show another text; the tooltip is `tip` where that says more, else the whole text if it is shortened."""
        if (text, tip) != (self._whole, self._tip):
            self._whole, self._tip = text, tip if tip != text else ""
            self._fit()

    def setToolTip(self, tip: str) -> None:
        """Give it a tooltip of its own, which stays until another text is set."""
        self.set_text(self._whole, tip)

    def whole_text(self) -> str:
        """The text without shortening."""
        return self._whole

    def resizeEvent(self, event) -> None:
        super().resizeEvent(event)
        self._fit()

    def sizeHint(self) -> QSize:
        return QSize(self.fontMetrics().horizontalAdvance(self._whole) + 4, super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        return QSize(24, super().minimumSizeHint().height())

    def _fit(self) -> None:
        fitting = self.fontMetrics().elidedText(self._whole, self._mode, max(self.width(), 24))
        self.setText(fitting)
        super().setToolTip(self._tip or (self._whole if fitting != self._whole else ""))


class EmptyState(QWidget):
    """What a panel shows where there is nothing yet: what this is for, and what to do next."""

    def __init__(
        self,
        theme: Theme,
        icon: str,
        text: str,
        button: str = "",
        action: Callable[[], object] | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._theme, self._icon = theme, icon
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 16, 16, 16)
        layout.setSpacing(8)
        layout.addStretch(1)
        self._picture = QLabel()
        self._picture.setAlignment(Qt.AlignmentFlag.AlignCenter)
        layout.addWidget(self._picture)
        self._text = label(text, "dim", wrap=True)
        self._text.setAlignment(Qt.AlignmentFlag.AlignCenter)
        layout.addWidget(self._text)
        self.button: QPushButton | None = None
        if button and action is not None:
            press = QPushButton(button)
            press.setObjectName("emptyButton")
            self.button = press
            press.clicked.connect(lambda: action())
            row = QHBoxLayout()
            row.addStretch(1)
            row.addWidget(press)
            row.addStretch(1)
            layout.addLayout(row)
        layout.addStretch(2)
        theme.changed.connect(self._tint)
        self._tint()

    def minimumSizeHint(self) -> QSize:
        return QSize(60, 60)

    def set_text(self, text: str) -> None:
        """Say something else."""
        self._text.setText(text)

    def _tint(self) -> None:
        self._picture.setPixmap(self._theme.icon(self._icon, "disabled").pixmap(QSize(28, 28)))

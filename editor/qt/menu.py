"""Menus and their bar: shortcuts at the right edge, a tick for what is on, underlines only while Alt is held."""

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt
from PySide6.QtGui import QAction, QColor, QIcon, QKeyEvent, QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QApplication, QMenu, QMenuBar, QStyleOptionMenuItem, QWidget

EDGE = 12
"""Pixels between shortcuts and the menu's right edge."""


class Menu(QMenu):
    """A menu whose shortcuts end at one edge; they are what follows a tab in an entry's text."""

    def initStyleOption(self, option: QStyleOptionMenuItem, action: QAction) -> None:
        """The style draws shortcuts at their left, and an icon in place of the tick."""
        super().initStyleOption(option, action)
        option.text = option.text.partition("\t")[0]
        if action.isCheckable():
            option.icon = QIcon()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        painter = QPainter(self)
        for action in self.actions():
            keys = action.text().partition("\t")[2]
            if (
                keys
                and action.isVisible()
                and event.region().intersects(place := self.actionGeometry(action))
            ):
                painter.setPen(self._color(action))
                right = QRect(place.left(), place.top(), place.width() - EDGE, place.height())
                painter.drawText(right, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, keys)
        painter.end()

    def _color(self, action: QAction) -> QColor:
        palette = QApplication.palette()  # the menu's own has what the style sheet makes of it
        if not action.isEnabled():
            return palette.color(QPalette.ColorGroup.Disabled, QPalette.ColorRole.Text)
        role = (
            QPalette.ColorRole.Text if action is self.activeAction() else QPalette.ColorRole.PlaceholderText
        )
        return palette.color(QPalette.ColorGroup.Active, role)


def submenu(menu: QMenu, title: str) -> Menu:
    """Add a menu below a menu."""
    made = Menu(title, menu)
    menu.addMenu(made)
    return made


def pop_up(menu: QMenu, button: QWidget) -> None:
    """Open a menu right below a button, both beginning at one edge; above it where there is no room below.

    Near the right edge of the screen both end at one edge.
    """
    size, screen = menu.sizeHint(), button.screen().availableGeometry()
    place = button.mapToGlobal(QPoint(0, button.height()))
    if place.x() + size.width() > screen.right():
        place.setX(place.x() + button.width() - size.width())
    if place.y() + size.height() > screen.bottom():
        place.setY(max(place.y() - button.height() - size.height(), screen.top()))
    menu.popup(place)


class MenuBar(QMenuBar):
    """A menu bar that underlines the letters that Alt opens its menus by while Alt is held, and not before."""

    def __init__(self) -> None:
        super().__init__()
        self.underlined = False

    def initStyleOption(self, option: QStyleOptionMenuItem, action: QAction) -> None:
        super().initStyleOption(option, action)
        if not self.underlined:
            option.text = without_underline(option.text)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Qt has the bar watch its window for Alt."""
        kind = event.type()
        alt = isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Alt
        if alt and kind == QEvent.Type.ShortcutOverride:
            self._underline(True)
        elif kind == QEvent.Type.WindowDeactivate or (alt and kind == QEvent.Type.KeyRelease):
            self._underline(False)
        return super().eventFilter(watched, event)

    def _underline(self, on: bool) -> None:
        if on != self.underlined:
            self.underlined = on
            self.update()


def without_underline(text: str) -> str:
    """A title without the mark of its underlined letter; a doubled one stays what it is: an ampersand."""
    return text.replace("&&", "\0").replace("&", "").replace("\0", "&&")

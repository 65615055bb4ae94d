"""Docks: panels that tab, float, close and come back, under one calm kind of title bar."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager

from PySide6.QtCore import QEvent, QObject, QPointF, QSize, Qt, Signal
from PySide6.QtGui import QCursor, QMouseEvent, QMoveEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QApplication,
    QDockWidget,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QMainWindow,
    QPlainTextEdit,
    QSizePolicy,
    QTabBar,
    QVBoxLayout,
    QWidget,
)

from editor.model.i18n import tr
from editor.qt.focus import note_pointer_left, pointer_rests
from editor.qt.number_field import NumberField
from editor.qt.panel import Panel, PanelSpec
from editor.qt.theme import Theme
from editor.qt.widgets import icon_button
from editor.shell.tabs import TabStrip, begins_loose_drag

TITLE_HEIGHT = 28
ROOM, LEAST_ROOM = QSize(256, 192), QSize(60, 60)
"""What a panel takes before it is made."""
FOLDED = """QTabBar { min-height: 0; max-height: 0; }
QTabBar::tab { min-height: 0; max-height: 0; min-width: 0; max-width: 1px; padding: 0; margin: 0; border: 0; }"""
"""Style of the tab bars that Qt makes for docks in one place: no room at all."""


class PanelBody(QWidget):
    """Holds a panel's widget; takes the keyboard when the pointer comes in, unless somebody is typing.

    The widget is made when it is first asked for: when the panel is shown, at the latest.

    Parameters
    ----------
    create : makes the widget
    name : object name of the body

    Attributes
    ----------
    made : the widget was made
    """

    entered = Signal()
    made = Signal(object)

    def __init__(self, create: Callable[[], Panel], name: str) -> None:
        super().__init__()
        self.setObjectName(name)
        self._create = create
        self._panel: Panel | None = None
        self.head = QWidget()
        self.head.setFixedHeight(28)
        self.head_row = QHBoxLayout(self.head)
        self.head_row.setContentsMargins(8, 0, 8, 0)
        self.head_row.setSpacing(4)
        self.head.hide()
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        self._column.addWidget(self.head)

    def sizeHint(self) -> QSize:
        """Of the panel; some room before it is made, as Qt leaves a dock without any out of its layout."""
        return super().sizeHint() if self.there else ROOM

    def minimumSizeHint(self) -> QSize:
        return super().minimumSizeHint() if self.there else LEAST_ROOM

    @property
    def there(self) -> bool:
        """Whether the widget is made."""
        return self._panel is not None

    @property
    def panel(self) -> Panel:
        """The panel's widget."""
        return self.make()

    def make(self) -> Panel:
        """The panel's widget, made if it was not."""
        if self._panel is None:
            self._panel = panel = self._create()
            self.made.emit(panel)
            self._column.addWidget(panel)
            panel.setVisible(True)  # Qt would show it after the next picture
            self._column.activate()
        return self._panel

    def enterEvent(self, event) -> None:
        super().enterEvent(event)
        self.entered.emit()
        if pointer_rests(self, event):
            return
        if not typing() and QApplication.mouseButtons() == Qt.MouseButton.NoButton:
            self.take_focus()

    def leaveEvent(self, event) -> None:
        super().leaveEvent(event)
        note_pointer_left(self)

    def take_focus(self) -> None:
        """Give the keyboard to the panel's main widget."""
        inside = QApplication.focusWidget()
        if inside is not None and self.isAncestorOf(inside):
            return
        self.panel.focus_widget().setFocus(Qt.FocusReason.OtherFocusReason)


def typing() -> bool:
    """Whether the keyboard belongs to a text or number field, a menu or a dialog."""
    if QApplication.activePopupWidget() is not None or QApplication.activeModalWidget() is not None:
        return True
    focus = QApplication.focusWidget()
    if isinstance(focus, NumberField):
        return focus.editing
    return isinstance(focus, QLineEdit | QPlainTextEdit)


def mouse_held() -> bool:
    """Whether a dock may be on its way: a button of the mouse is down, or a dock holds the mouse."""
    if QApplication.mouseButtons() != Qt.MouseButton.NoButton:
        return True
    return isinstance(QWidget.mouseGrabber(), QDockWidget)


def end_dock_drag() -> None:
    """Drop a dock that the mouse drags right now, where it is.

    Qt keeps the layout of before a drag and ends the process when docks are removed or restored under it, so this
    comes first wherever a key or a command changes the layout.
    """
    dock = QWidget.mouseGrabber()
    if not isinstance(dock, QDockWidget):
        return
    place = QPointF(QCursor.pos())
    release = QMouseEvent(
        QEvent.Type.MouseButtonRelease,
        dock.mapFromGlobal(place),
        place,
        Qt.MouseButton.LeftButton,
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
    )
    QApplication.sendEvent(dock, release)


class PanelTitle(QWidget):
    """Title, the panel's own small buttons, float and close. Dragging it moves the dock."""

    def __init__(self, dock: "PanelDock", theme: Theme, title: str) -> None:
        super().__init__(dock)
        self.setObjectName("panelTitle")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedHeight(TITLE_HEIGHT)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 0, 6, 0)
        row.setSpacing(2)
        row.addWidget(QLabel(title))
        self.extra = QHBoxLayout()
        self.extra.setContentsMargins(8, 0, 4, 0)
        self.extra.setSpacing(2)
        row.addLayout(self.extra, 1)
        self._dock, self._theme = dock, theme
        self._row: QHBoxLayout | None = row  # until the buttons stand in it

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._row is not None:  # most panels stand behind others and never show it
            self._add_buttons(self._row, self._dock, self._theme)
            self._row = None

    def _add_buttons(self, row: QHBoxLayout, dock: "PanelDock", theme: Theme) -> None:
        self.float_button = icon_button(theme, "float", tr("Float or dock"), token="disabled", size=20)
        tip = tr("Close (reopen it from the Window menu)")
        self.close_button = icon_button(theme, "close", tip, token="disabled", size=20)
        for button, name in ((self.float_button, "floatPanel"), (self.close_button, "closePanel")):
            button.setIconSize(QSize(12, 12))
            button.setObjectName(name)
            row.addWidget(button)
        self.float_button.clicked.connect(lambda: dock.setFloating(not dock.isFloating()))
        self.close_button.clicked.connect(dock.close)

    def sizeHint(self) -> QSize:
        return QSize(120, TITLE_HEIGHT)

    def minimumSizeHint(self) -> QSize:
        return QSize(60, TITLE_HEIGHT)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        event.setAccepted(begins_loose_drag(event))  # else Qt drags the dock by it


class PanelDock(QDockWidget):
    """One panel's dock. Alone it has a title bar; among tabs the tab is its title."""

    def __init__(
        self, spec: PanelSpec, create: Callable[[], Panel], theme: Theme, window: QMainWindow
    ) -> None:
        super().__init__(spec.title, window)
        self.spec = spec
        self.setObjectName(f"dock.{spec.id}")
        self.body = PanelBody(create, f"panel.{spec.id}")
        self.body.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setWidget(self.body)
        self._title = PanelTitle(self, theme, spec.title)
        self._extras: list[QWidget] = []
        self.moved_about = False
        self.body.made.connect(self._on_made)
        self.visibilityChanged.connect(self._on_visible)
        self.tabs = TabStrip(self, theme)
        self.tabs.hide()
        self._bare = QWidget(self)
        self._bare.setFixedHeight(0)
        self._bare.hide()
        self.setTitleBarWidget(self._title)
        feature = QDockWidget.DockWidgetFeature
        self.setFeatures(feature.DockWidgetClosable | feature.DockWidgetMovable | feature.DockWidgetFloatable)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)

    def _on_visible(self, visible: bool) -> None:
        """In sight, in front of the other tabs: the panel is made before the picture that shows it."""
        if visible and not self.moved_about:
            self.body.make()

    # Qt does not tell it of a tab that begins to float, nor of a dock that comes in from where hidden tabs are.
    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.look()

    def moveEvent(self, event: QMoveEvent) -> None:
        super().moveEvent(event)
        self.look()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.look()

    def look(self) -> None:
        """Make the panel if its place is in sight."""
        if not self.body.there:
            self._on_visible(not self.visibleRegion().isEmpty())

    def _on_made(self, panel: Panel) -> None:
        self._extras = panel.title_widgets()
        bare = self.titleBarWidget() is not self._title
        self._place_extras(self.body.head_row if bare else self._title.extra)
        self.body.head.setVisible(bool(self._extras) and bare)

    @property
    def open(self) -> bool:
        """Whether it is part of the layout (also behind another tab)."""
        return self.toggleViewAction().isChecked()

    def show_title(self, shown: bool, beside: Sequence["PanelDock"] = ()) -> None:
        """With a title bar, bare, or under the names of itself and the docks `beside` it."""
        wanted: QWidget = self.tabs if beside else self._title if shown else self._bare
        self.tabs.show_docks(beside)
        before = self.titleBarWidget()
        if before is not wanted:
            self.setTitleBarWidget(wanted)
            before.hide()
            wanted.setVisible(wanted is not self._bare)
            titled = wanted is self._title
            self._place_extras(self._title.extra if titled else self.body.head_row)
            self.body.head.setVisible(bool(self._extras) and not titled)

    def _place_extras(self, row: QHBoxLayout) -> None:
        """The panel's own widgets stand in the title bar, or above the panel where there is none."""
        while row.count():
            row.takeAt(0)
        row.addStretch(0)
        for widget in self._extras:
            row.addWidget(widget, int(isinstance(widget, QLineEdit)))


@contextmanager
def moved_about(window: QMainWindow, docks: Iterable[PanelDock]) -> Iterator[None]:
    """Docks are put elsewhere: what is in sight only meanwhile is not made, what is in sight then is."""
    held = tuple(docks)
    for dock in held:
        dock.moved_about = True
    try:
        yield
    finally:
        layout = window.layout()
        if layout is not None:
            layout.activate()
        for dock in held:
            dock.moved_about = False
            dock.look()


class TabTidier(QObject):
    """Keeps titles in order, and Qt's tab bars folded away: the names stand in each dock's `TabStrip`.

    There is no title at the bottom, where panels begin with a bar of their own.
    """

    def __init__(self, window: QMainWindow, docks: dict[str, PanelDock]) -> None:
        super().__init__(window)
        self._window, self._docks = window, docks

    def tidy(self) -> None:
        """Look at every dock and tab bar again."""
        bars = self._window.findChildren(QTabBar, options=Qt.FindChildOption.FindDirectChildrenOnly)
        for bar in bars:
            if bar.styleSheet() != FOLDED:
                bar.setStyleSheet(FOLDED)
                bar.setDrawBase(False)
                bar.setUsesScrollButtons(False)
                bar.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        for dock in self._docks.values():
            near = self._window.tabifiedDockWidgets(dock) if dock.open else []
            beside = [d for d in near if isinstance(d, PanelDock) and d.open]
            group = [] if dock.isFloating() or not beside else _in_order([dock, *beside], bars)
            dock.show_title(dock.isFloating() or dock.spec.area != "bottom", group)


def _in_order(docks: list[PanelDock], bars: list[QTabBar]) -> list[PanelDock]:
    """Docks of one place in the order of the tab bar that Qt keeps for them."""
    for bar in bars:
        titles = [bar.tabText(place) for place in range(bar.count())]
        if all(dock.windowTitle() in titles for dock in docks):
            return sorted(docks, key=lambda dock: titles.index(dock.windowTitle()))
    return sorted(docks, key=lambda dock: dock.windowTitle())

"""The tool bar: tools, whose axes, what they turn about, snapping, auto key, and the search."""

from dataclasses import replace

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import (
    QHBoxLayout,
    QMainWindow,
    QPushButton,
    QSizePolicy,
    QToolBar,
    QToolButton,
    QWidget,
)

from editor.model import new_keys
from editor.model.i18n import tr
from editor.qt import tokens
from editor.qt.binding import Bindings
from editor.qt.menu import Menu
from editor.qt.theme import Theme
from editor.qt.widgets import MenuButton, dress, label
from editor.shell.commands import Commands
from editor.tools.state import Pivot, Space, Tool, ToolState

SPACES = {Space.LOCAL: "Local", Space.PARENT: "Parent", Space.WORLD: "World", Space.VIEW: "View"}
TANGENTS = {choice: str(title) for choice, title in new_keys.TITLES.items()}
PIVOTS = {
    Pivot.INDIVIDUAL: "Individual",
    Pivot.ACTIVE: "Active",
    Pivot.MEDIAN: "Median",
    Pivot.BALL: "Ball",
    Pivot.TOE: "Toe",
    Pivot.HEEL: "Heel",
    Pivot.POINT: "Point",
}


class Choice(MenuButton):
    """A button that says its choice and opens a menu of the others."""

    def __init__(self, theme: Theme, icon: str, tip: str, name: str, titles: dict, chosen) -> None:
        super().__init__()
        self.setObjectName(name)
        self.setProperty("choice", True)
        self.setToolTip(tip)
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setIconSize(QSize(tokens.ICON, tokens.ICON))
        dress(self, theme, icon, "dim")
        menu = Menu(self)
        group = QActionGroup(menu)
        self._titles = titles
        self._entries = {}
        for value, title in titles.items():
            entry = QAction(tr(title), menu, checkable=True)
            entry.triggered.connect(lambda _, value=value: chosen(value))
            group.addAction(entry)
            menu.addAction(entry)
            self._entries[value] = entry
        self.setMenu(menu)
        widest = max(self.fontMetrics().horizontalAdvance(tr(title)) for title in titles.values())
        self.setFixedWidth(widest + 56)
        self.setFixedHeight(24)

    def show_choice(self, value) -> None:
        """Say what is chosen now."""
        self.setText(tr(self._titles[value]))
        self._entries[value].setChecked(True)


class ToolBar(QToolBar):
    """32 px under the menu."""

    def __init__(self, commands: Commands, theme: Theme, tools: ToolState, window: QMainWindow) -> None:
        super().__init__(tr("Tools"), window)
        self.setObjectName("toolBar")
        self.setMovable(False)
        self.setFloatable(False)
        self.setFixedHeight(tokens.TOOL_BAR)
        self.setIconSize(QSize(tokens.ICON, tokens.ICON))
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        self._commands, self._theme, self._tools = commands, theme, tools
        registry = commands.registry
        for action in registry.in_toolbar("tools"):
            self._button(action.id)
        self.addSeparator()
        self._space = Choice(theme, "space", tr("Transform orientation"), "space", SPACES, self._set_space)
        self._pivot = Choice(theme, "pivot", tr("Pivot point"), "pivot", PIVOTS, self._set_pivot)
        self.addWidget(self._space)
        self.addWidget(self._pivot)
        self.addSeparator()
        for group in (("tool.snap", "tool.distribute"), ("key.auto",), ("view.ghosts", "view.trails")):
            there = [id for id in group if id in registry]
            for id in there:
                self._button(id, tr("Auto key") if id == "key.auto" else "")
            if group[0] == "key.auto":
                self.addWidget(self._new_tangents())
            if there and group[0] != "view.ghosts":
                self.addSeparator()
        gap = QWidget()
        gap.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.addWidget(gap)
        self.addWidget(self._search())
        bindings = Bindings(self)
        bindings.refresh(self._show_setup, tools.changed)
        self._show_setup()

    def _new_tangents(self) -> Choice:
        """The tangents of new keys, beside auto key."""
        registry, preferences = self._commands.registry, self._commands.registry.session.preferences
        tip = tr("Tangents of new keys") + self._keys_of("key.next_tangents")
        choice = Choice(
            self._theme, "tangents", tip, "newTangents", TANGENTS, lambda v: registry.run(f"key.tangents_{v}")
        )

        def show(name: str = "") -> None:
            choice.show_choice(new_keys.chosen(preferences))

        Bindings(choice).refresh(show, preferences.changed)
        show()
        return choice

    def _keys_of(self, id: str) -> str:
        keys = self._commands.registry.shortcuts(id)
        return f" ({keys[0]})" if keys else ""

    def _button(self, id: str, text: str = "") -> None:
        entry = self._commands.entry(id, live=True)
        self.addAction(entry)
        button = self.widgetForAction(entry)
        if isinstance(button, QToolButton):
            button.setFixedHeight(24)
            button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            button.setObjectName(id)
            if text:
                button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
            else:
                button.setFixedWidth(28)

    def _search(self) -> QWidget:
        button = QPushButton(tr("Search…"))
        button.setObjectName("searchButton")
        button.setFixedSize(180, 24)
        button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        button.setToolTip(self._commands.registry.tooltip("help.palette"))
        dress(button, self._theme, "search", "dim")
        button.clicked.connect(lambda: self._commands.registry.run("help.palette"))
        keys = label("F3", "caption")
        keys.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        row = QHBoxLayout(button)
        row.setContentsMargins(0, 0, 6, 0)
        row.addStretch(1)
        row.addWidget(keys)
        return button

    # ------------------------------------------------------------ tools
    def _set_space(self, space: Space) -> None:
        self._tools.set(self._tools.setup.with_space(space))

    def _set_pivot(self, pivot: Pivot) -> None:
        self._tools.set(replace(self._tools.setup, pivot=pivot))

    def _show_setup(self) -> None:
        setup = self._tools.setup
        self._space.show_choice(setup.space)
        self._space.setEnabled(setup.tool is not Tool.SELECT)
        self._pivot.show_choice(setup.pivot)
        self._commands.refresh()

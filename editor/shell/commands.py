"""The registry's actions as Qt knows them: entries of menus and tool bars, and keys that find the right one."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAction, QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QLineEdit,
    QMainWindow,
    QMenu,
    QPlainTextEdit,
    QTextEdit,
    QWidget,
)

from editor.actions.action import Action, Scope
from editor.actions.registry import Registry, normal
from editor.qt.binding import once_per_turn
from editor.qt.icons import known
from editor.qt.menu import Menu
from editor.qt.theme import Theme
from editor.qt.widgets import Dress, dress

if TYPE_CHECKING:
    from editor.shell.palette import Entry

REPEATING = (
    "playback.back",
    "playback.forward",
    "playback.next_key",
    "playback.previous_key",
    "edit.undo",
    "edit.redo",
)
"""Actions that go on while their key is held."""

ENDS_TYPING = ("return", "enter")
"""Keys, as `normal` writes them, that belong to a field while it is typed into."""

PRESSES = ("space",)
"""Keys that press a button or tick a box that the keyboard came to by a key."""

LIT = {"key.auto": "record"}
"""Actions whose icon has a colour of its own while they are on."""


class Commands(QObject):
    """Makes one `QAction` for each action, shared by every place that shows it.

    Keys do not go through those: one `QShortcut` a sequence asks the registry which action is meant where the
    keyboard is, so that the same keys may mean one thing over the view and another over the time panels.

    Parameters
    ----------
    scope : tells the scope of whatever has the keyboard
    """

    def __init__(
        self, registry: Registry, theme: Theme, window: QMainWindow, scope: Callable[[], Scope]
    ) -> None:
        super().__init__(window)
        self.registry = registry
        self._theme, self._window, self._scope = theme, window, scope
        self._entries: dict[str, QAction] = {}
        self._dresses: dict[str, Dress] = {}
        self._keys: dict[str, QShortcut] = {}
        self._live: set[str] = set()
        # A panel binds a dozen actions in a row: the keys are gone through once after all of them.
        self._stop = registry.changed.connect(once_per_turn(self, self._on_changed))
        app = QApplication.instance()
        if isinstance(app, QApplication):
            app.focusChanged.connect(self._on_focus)
        self.listen()

    def close(self) -> None:
        """Release the registry."""
        self._stop()

    # ------------------------------------------------------------ entries
    def entry(self, id: str, live: bool = False) -> QAction:
        """The `QAction` of an action; a `live` one is kept up to date by `refresh`, others when a menu opens."""
        if id not in self._entries:
            self._entries[id] = self._make(id)
        if live:
            self._live.add(id)
        return self._entries[id]

    def _make(self, id: str) -> QAction:
        action = self.registry[id]
        made = QAction(
            action.title, self
        )  # the window would have each looked at by all that watch its events
        made.setObjectName(id)
        icon = known(action.icon)
        if icon:
            self._dresses[id] = dress(made, self._theme, icon, "dim" if id in LIT else "text")
        made.setCheckable(self.registry.is_checked(id) is not None)
        made.triggered.connect(lambda _=False: self._triggered(id))
        return made

    def _triggered(self, id: str) -> None:
        self.registry.run(id)
        self.update([id])

    def refresh(self) -> None:
        """Bring what is always in sight up to date."""
        self.update(self._live)

    def update(self, ids: Sequence[str] | set[str]) -> None:
        """Bring entries up to date: enabled, checked, text, tooltip."""
        for id in ids:
            entry = self._entries[id]
            checked = self.registry.is_checked(id)
            if checked is not None:
                entry.setCheckable(True)
                entry.setChecked(checked)
                if id in LIT:
                    self._dresses[id].change(known(self.registry[id].icon), LIT[id] if checked else "dim")
            entry.setEnabled(not self.registry.why_disabled(id))
            entry.setToolTip(self.registry.tooltip(id))

    # ------------------------------------------------------------ menus
    def fill(self, menu: QMenu, ids: Sequence[str | None], opens: bool = False) -> None:
        """Put entries into a menu; they are brought up to date whenever it opens. None is a line.

        Parameters
        ----------
        opens : the menu opens right now
        """
        shown = [id for id in ids if id is not None]
        for id in ids:
            if id is None:
                menu.addSeparator()
            else:
                menu.addAction(self.entry(id))
        menu.aboutToShow.connect(lambda: self._open(shown))
        if opens:
            self._open(shown)

    def _open(self, ids: list[str]) -> None:
        history = self.registry.session.history
        labels = {"edit.undo": history.undo_label, "edit.redo": history.redo_label}
        for id in ids:
            keys = self.registry.shortcuts(id)
            title = self.registry[id].title.replace("&", "&&")
            if labels.get(id):
                title = f"{title} {labels[id]}"
            text = QKeySequence(keys[0]).toString(QKeySequence.SequenceFormat.NativeText) if keys else ""
            self._entries[id].setText(f"{title}\t{text}" if text else title)
        self.update(ids)

    def menu_of(self, ids: Sequence[str | None], parent: QWidget) -> QMenu:
        """A menu of actions by id, made for one showing; None is a line.

        Raises
        ------
        ValidationError
            An id is not registered: an entry that is silently missing is missed by nobody but the user.
        """
        for id in ids:
            if id is not None:
                self.registry[id]  # must exist
        menu = Menu(parent)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.fill(menu, ids)
        return menu

    def palette_entries(self) -> "list[Entry]":
        """Every action as the palette lists it."""
        from editor.shell.palette import Entry

        return [
            Entry(
                action.id,
                action.title.rstrip("…"),
                action.menu.replace("/", " › "),
                ", ".join(self._native(k) for k in self.registry.shortcuts(action.id)[:1]),
                known(action.icon),
                not self.registry.why_disabled(action.id),
                bool(self.registry.is_checked(action.id)),
            )
            for action in self._by_use()
            if action.id != "help.palette"
        ]

    def _by_use(self) -> list[Action]:
        """Every action, those that the palette was last asked for first."""
        used = {id: place for place, id in enumerate(self.registry.session.preferences.used_actions)}
        return sorted(self.registry, key=lambda action: used.get(action.id, len(used)))

    def _native(self, keys: str) -> str:
        return QKeySequence(keys).toString(QKeySequence.SequenceFormat.NativeText)

    # ------------------------------------------------------------ keys
    def listen(self) -> None:
        """Listen for every key sequence that any action has, and for no other; the graph canvas hears its own."""
        every = self.registry.every_shortcut()
        wanted = {
            normal(keys): keys
            for action in self.registry
            if action.scope is not Scope.GRAPH
            for keys in every[action.id]
        }
        for gone in [name for name in self._keys if name not in wanted]:
            self._keys.pop(gone).deleteLater()
        repeating = {normal(keys) for id in REPEATING for keys in every.get(id, ())}
        for name, keys in wanted.items():
            if name not in self._keys:
                shortcut = QShortcut(QKeySequence(keys), self._window)
                shortcut.activated.connect(lambda keys=keys: self._pressed(keys))
                self._keys[name] = shortcut
            self._keys[name].setAutoRepeat(name in repeating)
        self._on_focus(None, QApplication.focusWidget())

    def _on_focus(self, _: QWidget | None, now: QWidget | None) -> None:
        """Return ends the typing in a field: unlike letters, Qt's fields do not claim it from shortcuts."""
        typing = isinstance(now, QLineEdit | QPlainTextEdit | QTextEdit | QComboBox | QAbstractSpinBox)
        for name in ENDS_TYPING:
            if name in self._keys:
                self._keys[name].setEnabled(not typing)
        # A click leaves Space to what it does elsewhere: a button that was clicked keeps the focus, too.
        walked = isinstance(now, QAbstractButton) and QApplication.mouseButtons() == Qt.MouseButton.NoButton
        for name in PRESSES:
            if name in self._keys:
                self._keys[name].setEnabled(not walked)

    def _pressed(self, keys: str) -> None:
        action = self.registry.by_keys(keys, self._scope())
        if action is None:
            action = self.registry.by_keys(keys, Scope.VIEW)
        idle = normal(keys) == "esc" and action is not None and self.registry.why_disabled(action.id)
        if action is not None and not idle:  # Esc takes back whatever there is; nothing is nothing to tell
            self.registry.run(action.id)
            if action.id in self._live:
                self.update([action.id])

    def _on_changed(self) -> None:
        self.listen()
        self.refresh()


def scope_of(widget: QWidget | None, time_panels: Sequence[QWidget]) -> Scope:
    """The scope of whatever has the keyboard: the time panels have their own, all else is the view's."""
    if widget is not None and any(panel is widget or panel.isAncestorOf(widget) for panel in time_panels):
        return Scope.TIME
    return Scope.VIEW

"""Every action with its keys, to look up, and to change by pressing others."""

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from core.errors import AnimError
from editor.actions.action import Scope
from editor.actions.key_presets import TITLES
from editor.model.i18n import tr
from editor.qt.choice import ChoiceBox
from editor.qt.dialogs import Dialog
from editor.qt.panel import PanelContext
from editor.qt.widgets import SearchField, label

SCOPES = {
    Scope.WINDOW: "Everywhere",
    Scope.VIEW: "Over the viewport",
    Scope.TIME: "Over the timeline",
    Scope.GRAPH: "Over the graph canvas",
}
ID = Qt.ItemDataRole.UserRole
MODIFIERS = (Qt.Key.Key_Control, Qt.Key.Key_Shift, Qt.Key.Key_Alt, Qt.Key.Key_Meta, Qt.Key.Key_AltGr)


class ShortcutSheet(Dialog):
    """Double click (or Enter) on a row, then press the new keys; Backspace takes keys away, Escape stays."""

    def __init__(self, window: QWidget, context: PanelContext) -> None:
        super().__init__(window, tr("Keyboard shortcuts"), "shortcutSheet")
        self._registry, self._theme = context.actions, context.theme
        self._waiting: QTreeWidgetItem | None = None
        self.resize(640, 560)
        self.search = SearchField(context.theme, tr("Find by name or shortcut"))
        self.search.setObjectName("shortcutSearch")
        self.search.textChanged.connect(self._filter)
        self.table = QTreeWidget()
        self.table.setObjectName("shortcutTable")
        self.table.setProperty("role", "table")
        self.table.setProperty("indented", True)
        self.table.setColumnCount(3)
        self.table.setHeaderLabels([tr("Action"), tr("Shortcut"), tr("Context")])
        self.table.setUniformRowHeights(True)
        self.table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.table.setExpandsOnDoubleClick(False)
        self.table.setIndentation(12)
        self.table.header().setStretchLastSection(False)
        self.table.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.table.header().resizeSection(1, 160)
        self.table.header().resizeSection(2, 130)
        self.table.itemActivated.connect(lambda item, _: self._wait(item))
        self.table.installEventFilter(self)
        self.note = label("", "dim", wrap=True)
        self.note.setObjectName("shortcutNote")
        self.presets = ChoiceBox()
        self.presets.setObjectName("keyPreset")
        self.presets.setToolTip(tr("Keymap of another program; your own changes are kept per keymap"))
        for name, title in TITLES.items():
            self.presets.addItem(title, name)
        self.presets.setCurrentIndex(self.presets.findData(self._registry.preset))
        self.presets.activated.connect(lambda _: self._use(self.presets.currentData()))
        top = QHBoxLayout()
        top.addWidget(self.search, 1)
        top.addWidget(label(tr("Keymap"), "dim"))
        top.addWidget(self.presets)
        self.body.addLayout(top)
        self.body.addWidget(self.table, 1)
        self.body.addWidget(self.note)
        self.add_button(tr("Reset to defaults"), self._reset, name="resetKeys")
        self.add_button(tr("Close"), self.close, name="closeKeys")
        self._fill()
        self._say(tr("Double-click a row, then press the new shortcut."))

    def _fill(self) -> None:
        self.table.clear()
        groups: dict[str, QTreeWidgetItem] = {}
        rows: dict[str, list[QTreeWidgetItem]] = {}
        for action in self._registry:
            place = action.menu or tr("Other")
            if place not in groups:
                groups[place] = QTreeWidgetItem(self.table, [place.replace("/", " › ")])
                groups[place].setFirstColumnSpanned(True)
                groups[place].setFont(0, self._theme.font(bold=True))
                groups[place].setFlags(Qt.ItemFlag.ItemIsEnabled)
            item = QTreeWidgetItem(groups[place])
            rows.setdefault(place, []).append(item)
            item.setData(0, ID, action.id)
            item.setText(0, action.title.rstrip("…"))
            item.setText(2, tr(SCOPES[action.scope]))
            item.setForeground(2, self._theme.color("dim"))
            item.setToolTip(0, action.tip or action.title)
            self._show_keys(item)
        self._groups = [(groups[place], items) for place, items in rows.items()]
        self.table.expandAll()
        self._filter(self.search.text())

    def _show_keys(self, item: QTreeWidgetItem) -> None:
        keys = self._registry.shortcuts(item.data(0, ID))
        native = QKeySequence.SequenceFormat.NativeText
        item.setText(1, ", ".join(QKeySequence(k).toString(native) for k in keys))

    def _filter(self, words: str) -> None:
        wanted = words.casefold().split()
        for title, items in self._groups:
            shown = 0
            for item in items:
                text = f"{item.text(0)} {item.text(1)} {title.text(0)}".casefold()
                hidden = not all(word in text for word in wanted)
                item.setHidden(hidden)
                shown += not hidden
            title.setHidden(not shown)

    # ------------------------------------------------------------ changing
    def _wait(self, item: QTreeWidgetItem) -> None:
        if item.data(0, ID) is None:
            return
        self._stop()
        self._waiting = item
        item.setText(1, tr("press the new shortcut"))
        title = item.text(0)
        self._say(
            tr("Press the new shortcut for “{title}”. Backspace removes it, Escape cancels.", title=title)
        )
        self.table.setFocus()

    def _stop(self) -> None:
        item, self._waiting = self._waiting, None
        if item is not None:
            self._show_keys(item)

    def eventFilter(self, watched, event: QEvent) -> bool:
        waiting = self._waiting is not None
        if waiting and event.type() == QEvent.Type.ShortcutOverride:
            event.accept()
            return True
        if waiting and event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            self._take(event)
            return True
        return super().eventFilter(watched, event)

    def _take(self, event: QKeyEvent) -> None:
        item = self._waiting
        if item is None or event.key() in MODIFIERS:
            return
        if event.key() == Qt.Key.Key_Escape:
            self._stop()
            self._say("")
            return
        portable = QKeySequence.SequenceFormat.PortableText
        keys = (
            []
            if event.key() == Qt.Key.Key_Backspace
            else [QKeySequence(event.keyCombination()).toString(portable)]
        )
        try:
            self._registry.set_shortcuts(item.data(0, ID), keys)
            self._say(tr("Shortcut changed."))
        except AnimError as error:
            self._say(str(error))
        self._stop()

    def _use(self, preset: str) -> None:
        self._stop()
        self._registry.use_preset(preset)
        self._fill()
        self._say(tr("Keymap: {program}.", program=TITLES[preset]))

    def _reset(self) -> None:
        for action in self._registry:
            if self._registry.shortcuts(action.id) != self._registry.given(action.id):
                self._registry.set_shortcuts(action.id, None)
        self._fill()
        self._say(tr("All shortcuts are at their defaults."))

    def _say(self, text: str) -> None:
        self.note.setText(text)

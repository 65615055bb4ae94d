"""The bone tree: find, select, lock, hide and solo bones; see what is keyed."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from PySide6.QtCore import (
    QEvent,
    QItemSelection,
    QItemSelectionModel,
    QModelIndex,
    QPoint,
    QSignalBlocker,
    Qt,
)
from PySide6.QtGui import QAction, QActionGroup, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QMenu,
    QStackedLayout,
    QToolButton,
    QTreeView,
    QVBoxLayout,
    QWidget,
)

from editor.model.blending.state import Blending
from editor.model.i18n import tr
from editor.model.ik.state import IkState
from editor.model.retarget.state import Retargeting
from editor.model.selection import Mode
from editor.panels.bone_tree import menus
from editor.panels.bone_tree.delegate import BoneDelegate
from editor.panels.bone_tree.item_model import COLUMNS, MARK_COLUMN, MODE_COLUMN, NAME_COLUMN, BoneModel
from editor.panels.bone_tree.mode_menu import mode_menu
from editor.panels.bone_tree.rows_in_sight import RowsInSight
from editor.panels.bone_tree.set_chips import SetChips
from editor.panels.bone_tree.view_model import FLAGS, BoneTree, Show
from editor.panels.bone_tree.virtual_rows import bind_virtual
from editor.qt import tokens
from editor.qt.binding import Bindings
from editor.qt.keys import keeps
from editor.qt.menu import Menu
from editor.qt.panel import Panel, PanelContext
from editor.qt.widgets import Dress, EmptyState, SearchField, icon_button
from editor.tools.blending.mask_stroke import MaskStroke, painted_weights

SHOW_TITLES = {
    Show.ALL: "All bones",
    Show.SELECTED: "Selected",
    Show.ANIMATED: "Animated",
    Show.CHANGED: "Changed here",
}
FLAG_WIDTH, MODE_WIDTH, INDENT = 16, 50, 8


class BoneView(QTreeView):
    """The tree itself: arrows move within it, clicks on switches don't select."""

    def __init__(self, panel: "BoneTreePanel") -> None:
        super().__init__(panel)
        self._panel = panel
        self.setObjectName("bones")
        self.setHeaderHidden(True)
        self.setUniformRowHeights(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setIndentation(INDENT)
        self.setMouseTracking(True)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.setExpandsOnDoubleClick(False)
        self.setAllColumnsShowFocus(False)

    def event(self, event: QEvent) -> bool:
        """Arrows walk through the rows; with Alt they are keys of actions."""
        alt = isinstance(event, QKeyEvent) and event.modifiers() & Qt.KeyboardModifier.AltModifier
        return (not alt and keeps(event, (Qt.Key.Key_Up, Qt.Key.Key_Down))) or super().event(event)

    def focusInEvent(self, event) -> None:
        """Qt makes a row the current one where none is: that chooses no bone."""
        with self._panel.choosing_nothing():
            super().focusInEvent(event)

    def mousePressEvent(self, event) -> None:
        index = self.indexAt(event.position().toPoint())
        if event.button() == Qt.MouseButton.LeftButton and NAME_COLUMN < index.column() < MARK_COLUMN:
            self._panel.toggle(index)
            event.accept()
            return
        if event.button() == Qt.MouseButton.LeftButton and self._panel.begin_stroke(index, event.modifiers()):
            event.accept()
            return
        super().mousePressEvent(event)

    def mouseMoveEvent(self, event) -> None:
        if not self._panel.stroke_over(self.indexAt(event.position().toPoint())):
            super().mouseMoveEvent(event)

    def mouseReleaseEvent(self, event) -> None:
        if not self._panel.end_stroke():
            super().mouseReleaseEvent(event)

    def mouseDoubleClickEvent(self, event) -> None:
        index = self.indexAt(event.position().toPoint())
        if NAME_COLUMN < index.column() < MARK_COLUMN:
            self._panel.toggle(index)
            return
        if event.button() == Qt.MouseButton.LeftButton and self._panel.begin_stroke(index, event.modifiers()):
            return  # the second of two quick strokes over one row
        if self._panel.edit_virtual(index) or self._panel.select_chain(index, event.modifiers()):
            return
        super().mouseDoubleClickEvent(event)

    def viewportEvent(self, event: QEvent) -> bool:
        if isinstance(event, QMouseEvent) and event.type() == QEvent.Type.MouseMove:
            self._panel.hover(self.indexAt(event.position().toPoint()))
        elif event.type() == QEvent.Type.Leave:
            self._panel.hover(QModelIndex())
        elif event.type() == QEvent.Type.Paint:
            with self._panel.delegate.one_painting():
                return super().viewportEvent(event)
        return super().viewportEvent(event)

    def keyboardSearch(self, search: str) -> None:
        """Letters belong to the tools; names are found in the search field."""

    def drawBranches(self, painter, rect, index) -> None:
        if self.selectionModel().isSelected(index):
            painter.fillRect(rect, self._panel.theme.color("selected_row"))
            painter.fillRect(rect.left(), rect.top(), 2, rect.height(), self._panel.theme.color("selection"))
        super().drawBranches(painter, rect, index)


class BoneTreePanel(Panel):
    """Search and filter above the tree; selection is the session's, both ways."""

    def __init__(self, context: PanelContext) -> None:
        super().__init__()
        self.context, self.theme = context, context.theme
        self.tree = BoneTree(context.session)
        self.model = BoneModel(self.tree, self)
        self.show_what = Show.ALL
        self._collapsed: set[str] = set()
        self._syncing = False
        self._stroke: MaskStroke | None = None
        self._build()
        self._bind()
        self.relist()

    # ------------------------------------------------------------ building
    def _build(self) -> None:
        self.search = SearchField(self.theme, tr("Find"), self)
        self.search.setObjectName("boneSearch")
        self.search.textChanged.connect(self.relist)
        self.search.left.connect(self._to_tree)
        self.filter = icon_button(self.theme, "filter", tr("Filter bones"), name="boneFilter", menu=True)
        self._filter_dress = self.filter.findChild(Dress)
        self.filter.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.filter.setMenu(self._filter_menu())
        self.view = BoneView(self)
        self.view.setModel(self.model)
        self.view.setMinimumHeight(tokens.LEAST_LIST)
        self.delegate = BoneDelegate(self.theme, self.view)
        self.rows = RowsInSight(self.view, self.model, self.delegate)
        self.view.setItemDelegate(self.delegate)
        header = self.view.header()
        header.setStretchLastSection(False)
        header.setMinimumSectionSize(FLAG_WIDTH)
        header.setSectionResizeMode(NAME_COLUMN, QHeaderView.ResizeMode.Stretch)
        for column in range(1, COLUMNS):
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.Fixed)
            header.resizeSection(column, MODE_WIDTH if column == MODE_COLUMN else FLAG_WIDTH)
        header.moveSection(MODE_COLUMN, NAME_COLUMN + 1)
        self._show_modes()
        self.empty = EmptyState(self.theme, "bones", "")
        self._stack = QStackedLayout()
        self._stack.addWidget(self.view)
        self._stack.addWidget(self.empty)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        self.sets = SetChips(self.context)
        layout.addWidget(self.sets)
        layout.addLayout(self._stack, 1)

    def _filter_menu(self) -> QMenu:
        menu = Menu(self)
        group = QActionGroup(menu)
        for show, title in SHOW_TITLES.items():
            action = QAction(tr(title), menu, checkable=True, checked=show is Show.ALL)
            action.triggered.connect(lambda _, show=show: self.set_show(show))
            group.addAction(action)
            menu.addAction(action)
        menu.addSeparator()
        prefixes = QAction(tr("Hide shared name prefix"), menu, checkable=True)
        prefixes.setToolTip(tr("Hide the prefix that all bone names share"))
        prefixes.triggered.connect(lambda _: self.context.session.switches.toggle("short_names"))
        menu.addAction(prefixes)
        menu.aboutToShow.connect(lambda: prefixes.setChecked(self.context.session.switches["short_names"]))
        return menu

    def _bind(self) -> None:
        session = self.context.session
        bindings = Bindings(self)
        bindings.refresh(self.relist, session.document.changed, session.playback.clip_changed)
        bindings.refresh(self._refresh_marks, session.keying.changed)
        bindings.refresh(self.rows.renew, session.selection.flags_changed)
        bindings.refresh(
            self._show_selection,
            session.selection.bones_changed,
            session.feature(Retargeting).virtual.changed,
        )
        self._unbind = bind_virtual(self.context, self)
        bindings.refresh(self._show_hover, session.selection.hover_changed)
        bindings.on(session.switches.changed, self._on_switch)
        bindings.refresh(
            self._show_pins, session.feature(IkState).pins.changed, session.playback.clip_changed
        )
        bindings.refresh(self._show_mask, session.feature(Blending).paint_changed, session.document.changed)
        self.view.selectionModel().selectionChanged.connect(self._selected_here)
        self.view.selectionModel().currentChanged.connect(self._selected_here)
        self.view.collapsed.connect(lambda index: self._note_collapsed(index, True))
        self.view.expanded.connect(lambda index: self._note_collapsed(index, False))
        self.view.customContextMenuRequested.connect(self._open_menu)
        self.theme.changed.connect(self.view.viewport().update)

    def title_widgets(self) -> list[QWidget]:
        """Search and filter stand in the title bar."""
        return [self.search, self.filter]

    def focus_widget(self) -> QWidget:
        """Gets the focus when the pointer comes in."""
        return self.view

    def start_search(self) -> None:
        """Put the keyboard into the search field."""
        self.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.search.selectAll()

    def reveal_active(self) -> None:
        """Open what the active bone is in, and scroll to it."""
        rig, active = self.tree.rig, self.context.session.selection.active
        number = rig.skeleton.find(active) if rig is not None and active is not None else None
        if number is None:
            return
        if not self.model.index_of(number).isValid():
            self.search.clear()
            self.set_show(Show.ALL)
        self.view.scrollTo(self.model.index_of(number), QAbstractItemView.ScrollHint.PositionAtCenter)

    # ------------------------------------------------------------ listing
    def set_show(self, show: Show) -> None:
        """List all bones, the selected, the animated or the changed ones."""
        self.show_what = show
        if self._filter_dress is not None:
            self._filter_dress.change("filter", "text" if show is Show.ALL else "accent")
        self.filter.setToolTip(tr("Filter bones") + f": {tr(SHOW_TITLES[show])}")
        self.relist()

    def relist(self, *_: object) -> None:
        """Rig, words or filter may differ: list again, keeping what was open and selected."""
        self.tree.forget_marks()
        if self.model.show(self.search.text(), self.show_what):
            self._open_rows()
        self._show_empty()
        self._show_selection()

    def _open_rows(self) -> None:
        searching = bool(self.search.text()) or self.show_what is not Show.ALL
        with QSignalBlocker(self.view):
            self.view.expandAll()
            for virtual in self.tree.virtual_bones:  # neither modes nor flags
                row = self.model.index_of(self.model.names.index(virtual.name))
                if row.isValid():
                    self.view.setFirstColumnSpanned(row.row(), row.parent(), True)
            for bone in self.model.listed() if not searching else ():
                if self.model.names[bone] in self._collapsed:
                    self.view.collapse(self.model.index_of(bone))

    def _note_collapsed(self, index: QModelIndex, collapsed: bool) -> None:
        bone = self.model.bone_at(index)
        if bone is not None and not self.search.text():
            (self._collapsed.add if collapsed else self._collapsed.discard)(bone)

    def _show_empty(self) -> None:
        if self.tree.rig is None:
            self.empty.set_text(tr("No character yet. Open a document, or import a file."))
        elif not self.model.listed():
            self.empty.set_text(tr("No bone matches. Change the search or the filter."))
        self._stack.setCurrentIndex(0 if self.model.listed() else 1)

    def _refresh_marks(self) -> None:
        if not self.tree.forget_marks():
            return  # most frames of a playback change none
        if self.show_what is Show.CHANGED:
            self.relist()
        self.rows.renew()

    # ------------------------------------------------------------ selection, both ways
    def _show_selection(self) -> None:
        if self.show_what is Show.SELECTED and self.model.show(self.search.text(), self.show_what):
            self._open_rows()
            self._show_empty()
        selection, rig = self.context.session.selection, self.tree.rig
        wanted = QItemSelection()
        active = QModelIndex()
        chosen = self.context.session.feature(Retargeting).virtual.chosen
        virtual = (chosen.name,) if chosen is not None and chosen.name in self.model.names else ()
        numbers = [rig.skeleton.find(bone) for bone in selection.bones] if rig is not None else []
        for number in (*numbers, *map(self.model.names.index, virtual)):
            index = self.model.index_of(number) if number is not None else QModelIndex()
            if index.isValid():
                wanted.select(index, index.siblingAtColumn(COLUMNS - 1))
                active = index
        self.delegate.active = selection.active
        with self.choosing_nothing():
            model = self.view.selectionModel()
            model.select(wanted, QItemSelectionModel.SelectionFlag.ClearAndSelect)
            if active.isValid():
                model.setCurrentIndex(active, QItemSelectionModel.SelectionFlag.NoUpdate)
                if not self.view.hasFocus() or not self.view.visualRect(active).isValid():
                    self.view.scrollTo(active)
        self.rows.renew()

    @contextmanager
    def choosing_nothing(self) -> Iterator[None]:
        """What becomes selected or current in the tree meanwhile is no choice of the person's."""
        before, self._syncing = self._syncing, True
        try:
            yield
        finally:
            self._syncing = before

    def _selected_here(self, *_: object) -> None:
        if self._syncing:
            return
        model = self.view.selectionModel()
        bones = [self.model.bone_at(index) for index in model.selectedRows()]
        before = self.context.session.selection.bones
        current = self.model.bone_at(model.currentIndex())
        ordered = [b for b in before if b in bones] + [b for b in bones if b not in before]
        if current in ordered:
            ordered.remove(current)
            ordered.append(current)
        self.tree.select([bone for bone in ordered if bone is not None])

    # ------------------------------------------------------------ painting a blend mask
    def begin_stroke(self, index: QModelIndex, modifiers: Qt.KeyboardModifier) -> bool:
        """A press while a mask is painted: Shift takes all bones below along, Alt takes bones out."""
        session, bone = self.context.session, self.model.bone_at(index)
        mask = session.feature(Blending).painted
        if mask is None or bone is None or self.tree.virtual(bone) is not None:
            return False
        weight = 0.0 if modifiers & Qt.KeyboardModifier.AltModifier else session.feature(Blending).brush
        below = bool(modifiers & Qt.KeyboardModifier.ShiftModifier)
        self._stroke = MaskStroke(session, mask, weight, below)
        return self.stroke_over(index)

    def stroke_over(self, index: QModelIndex) -> bool:
        """The pointer goes over a row with the button down; whether a mask is being painted."""
        bone = self.model.bone_at(index)
        paints = bone is not None and self.tree.virtual(bone) is None
        if self._stroke is not None and bone is not None and paints and self._stroke.over(bone):
            self._show_mask()
        return self._stroke is not None

    def end_stroke(self) -> bool:
        """The button came up; whether a mask was being painted."""
        stroke, self._stroke = self._stroke, None
        if stroke is not None:
            stroke.finish()
            self._show_mask()
        return stroke is not None

    def _show_mask(self) -> None:
        self.delegate.weights = painted_weights(self.context.session, self._stroke)
        self.rows.renew()

    def _show_pins(self) -> None:
        session = self.context.session
        self.delegate.pinned = session.feature(IkState).pins.kinds(session.rig)
        self.rows.renew()

    # ------------------------------------------------------------ pointer
    def toggle(self, index: QModelIndex) -> None:
        """A click on a row's lock, eye or solo."""
        bone = self.model.bone_at(index)
        if bone is None or self.tree.virtual(bone) is not None:
            return
        if index.column() == MODE_COLUMN:
            place = self.view.visualRect(index).bottomLeft()
            mode_menu(self.context, self.tree, bone, self).popup(self.view.viewport().mapToGlobal(place))
        else:
            self.tree.toggle(bone, FLAGS[index.column() - 1])

    def _on_switch(self, name: str) -> None:
        if name == "bone_modes":
            self._show_modes()
        elif name == "short_names":
            self.relist()

    def _show_modes(self) -> None:
        self.view.setColumnHidden(MODE_COLUMN, not self.context.session.switches["bone_modes"])

    def hover(self, index: QModelIndex) -> None:
        """The pointer is over a row."""
        self.tree.hover(self.model.bone_at(index))

    def _show_hover(self) -> None:
        self.delegate.hovered = self.context.session.selection.hover
        self.rows.renew()

    def _to_tree(self) -> None:
        self.view.setFocus()

    def _open_menu(self, place: QPoint) -> None:
        bone = self.model.bone_at(self.view.indexAt(place))
        if bone is not None:
            entries = menus.BONE if self.tree.virtual(bone) is None else menus.VIRTUAL
            menu = self.context.window.menu_of(entries, self)
            menu.popup(self.view.viewport().mapToGlobal(place))

    def edit_virtual(self, index: QModelIndex) -> bool:
        """A double click on a row; whether it is a virtual bone, which is then edited."""
        bone = self.model.bone_at(index)
        if bone is None or self.tree.virtual(bone) is None:
            return False
        self.context.actions.run("virtual.edit")
        return True

    def select_chain(self, index: QModelIndex, modifiers: Qt.KeyboardModifier) -> bool:
        """A double click on a bone: select to its chain's end, with Shift besides what is selected."""
        bone = self.model.bone_at(index)
        if bone is None:
            return False
        add = bool(modifiers & Qt.KeyboardModifier.ShiftModifier)
        self.context.session.selection.select_to_end(bone, Mode.ADD if add else Mode.REPLACE)
        return True

    def panel_actions(self) -> Mapping[str, Callable[[], object]]:
        return {
            "tree.filter": self.start_search,
            "tree.reveal": self.reveal_active,
            "set.rename": self.sets.name_set,
        }

    def close_panel(self) -> None:
        """Leave the actions to nobody."""
        while self._unbind:
            self._unbind.pop()()


def make(context: PanelContext) -> Panel:
    """The panel's widget."""
    return BoneTreePanel(context)

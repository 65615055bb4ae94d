"""The Shot panel: cameras, props and second characters as one list, and the selected one below."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QSignalBlocker, QSize, Qt
from PySide6.QtWidgets import (
    QAbstractItemView,
    QMenu,
    QScrollArea,
    QStackedLayout,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from core.errors import AnimError
from core.ids import AssetId
from editor.model.i18n import tr
from editor.model.session import Session
from editor.model.shot import importing
from editor.panels.shot.details import Details
from editor.panels.shot.view_model import ItemRow, ShotModel
from editor.qt.action_tip import action_button
from editor.qt.binding import Bindings
from editor.qt.dialogs import choose_files
from editor.qt.file_filters import readable
from editor.qt.panel import Panel, PanelContext
from editor.qt.widgets import EmptyState, add_heading, icon_button

NAME, INFO, SEEN = 0, 1, 2
ROW, MOST_ROWS = 22, 8
WHAT = "Cameras to look through, props for hands, and a second character to act with. They are saved with the document."


class ShotPanel(Panel):
    """Everything beside the character."""

    def __init__(self, context: PanelContext) -> None:
        super().__init__()
        self.setObjectName("shotPanel")
        self._context, self._theme = context, context.theme
        self.model = ShotModel(context.session)
        self._rows: tuple[ItemRow, ...] = ()
        body = QWidget()
        self._column = QVBoxLayout(body)
        self._column.setContentsMargins(12, 8, 12, 12)
        self._column.setSpacing(6)
        self._build_list()
        self.details = Details(context, self.model, self._attempt)
        self._column.addWidget(self.details)
        self._column.addStretch(1)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setWidget(body)
        self.empty = EmptyState(
            self._theme, "camera", tr(WHAT), tr("New camera from view"), lambda: self._run("view.camera_new")
        )
        first = QWidget()
        column = QVBoxLayout(first)
        column.setContentsMargins(12, 8, 12, 12)
        column.addWidget(self.empty, 1)
        self._stack = QStackedLayout(self)
        self._stack.addWidget(area)
        self._stack.addWidget(first)
        session = context.session
        bindings = Bindings(self)
        bindings.refresh(
            self.refresh, self.model.shot.changed, self.model.characters.changed, session.document.changed,
            session.playback.time_changed, session.playback.clip_changed, session.selection.bones_changed,
            session.switches.changed,
        )  # fmt: skip
        files: dict[str, Callable[[Session, Path], None]] = {
            "shot.camera_import": importing.import_cameras,
            "shot.prop_import": importing.import_prop,
            "shot.character_add": importing.add_character,
        }
        self._unbind = [
            context.actions.bind(action, partial(self._choose_file, action, take))
            for action, take in files.items()
        ]
        self.refresh()

    def sizeHint(self) -> QSize:
        return QSize(280, 480)

    def close_panel(self) -> None:
        """The window closes."""
        while self._unbind:
            self._unbind.pop()()

    # ------------------------------------------------------------ building
    def _build_list(self) -> None:
        self.add = icon_button(
            self._theme, "add", tr("Add to the shot"), name="shotAdd", token="dim", size=22, menu=True
        )
        menu = QMenu(self.add)
        menu.aboutToShow.connect(lambda: self._fill_menu(menu))
        self.add.setMenu(menu)
        remove = action_button(
            self._theme, self._context.actions, "shot.remove", "delete", "shotRemove", token="dim", size=22
        )
        remove.clicked.connect(lambda: self._run("shot.remove"))
        add_heading(self._column, self._theme, tr("Shot"), self.add, remove)
        self.list = QTreeWidget()
        self.list.setObjectName("shotList")
        self.list.setProperty("role", "table")
        self.list.setColumnCount(3)
        self.list.setHeaderHidden(True)
        self.list.setRootIsDecorated(False)
        self.list.setUniformRowHeights(True)
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setToolTip(
            tr("A click selects; a double click on the name renames; the eye shows and hides")
        )
        header = self.list.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(NAME, header.ResizeMode.Stretch)
        header.setSectionResizeMode(INFO, header.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(SEEN, header.ResizeMode.Fixed)
        header.resizeSection(SEEN, 26)
        self.list.setEditTriggers(
            QAbstractItemView.EditTrigger.NoEditTriggers
        )  # names only, see _double_clicked
        self.list.itemClicked.connect(self._clicked)
        self.list.itemDoubleClicked.connect(self._double_clicked)
        self.list.itemChanged.connect(self._renamed)
        self._column.addWidget(self.list)

    def _fill_menu(self, menu: QMenu) -> None:
        menu.clear()
        for action in ("view.camera_new", "shot.camera_import", "shot.prop_import", "shot.character_add"):
            menu.addAction(self._context.actions[action].title, partial(self._run, action))
        for rig, name in self.model.own_characters():
            menu.addAction(
                tr("Second character: {name}", name=name),
                partial(self._attempt, partial(self.model.add_own, rig)),
            )

    # ------------------------------------------------------------ doing
    def _run(self, action: str) -> None:
        self._attempt(lambda: self._context.actions.run(action))

    def _attempt(self, work: Callable[[], object]) -> None:
        try:
            work()
        except AnimError as error:
            self._context.session.messages.warn(str(error))
        self.refresh()

    def _choose_file(self, action: str, take: Callable[[Session, Path], None]) -> None:
        session = self._context.session
        filters = readable()
        if action == "shot.prop_import":
            filters = [filters[0].replace(")", " *.obj)"), *filters[1:], "Wavefront OBJ (*.obj)"]
        here = session.document.path
        choose_files(
            self, self._context.actions[action].title.rstrip("…"), filters, lambda paths: take(session, paths[0]),
            start=here.parent if here is not None else None,
        )  # fmt: skip

    def _clicked(self, item: QTreeWidgetItem, column: int) -> None:
        key: AssetId = item.data(NAME, Qt.ItemDataRole.UserRole)
        if column == SEEN:
            self._attempt(lambda: self.model.toggle_visible(key))
        else:
            self.model.shot.select(key)

    def _double_clicked(self, item: QTreeWidgetItem, column: int) -> None:
        if column == NAME:
            self.list.editItem(item, NAME)

    def _renamed(self, item: QTreeWidgetItem, column: int) -> None:
        if column == NAME:
            self.model.shot.select(item.data(NAME, Qt.ItemDataRole.UserRole))
            self._attempt(lambda: self.model.shot.rename(item.text(NAME)))

    # ------------------------------------------------------------ showing
    def refresh(self) -> None:
        """Show everything as it is now."""
        rows = self.model.rows()
        self._stack.setCurrentIndex(0 if rows or self.model.own_characters() else 1)
        self._show_list(rows)
        self.details.refresh()

    def _show_list(self, rows: tuple[ItemRow, ...]) -> None:
        selected = self.model.selected
        with QSignalBlocker(self.list):
            if [row.id for row in rows] != [row.id for row in self._rows]:
                self.list.clear()
                for row in rows:
                    item = QTreeWidgetItem(["", "", ""])
                    item.setFlags(item.flags() | Qt.ItemFlag.ItemIsEditable)
                    item.setData(NAME, Qt.ItemDataRole.UserRole, row.id)
                    item.setTextAlignment(INFO, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
                    self.list.addTopLevelItem(item)
                self.list.setFixedHeight(ROW * min(max(len(rows), 2), MOST_ROWS) + 4)
                self._rows = ()
            for number, row in enumerate(rows):
                there = self.list.topLevelItem(number)
                assert there is not None
                if not self._rows or self._rows[number] != row:
                    self._show_row(there, row)
                there.setSelected(selected is not None and row.id == selected.id)
            self._rows = rows

    def _show_row(self, there: QTreeWidgetItem, row: ItemRow) -> None:
        there.setText(NAME, row.name)
        there.setIcon(NAME, self._theme.icon(row.icon, "warning" if row.problem else "dim"))
        there.setText(INFO, row.info)
        there.setToolTip(NAME, row.problem or row.name)
        there.setToolTip(INFO, row.problem)
        if row.visible is not None:
            there.setIcon(SEEN, self._theme.icon("show" if row.visible else "hide", "dim"))
            there.setToolTip(SEEN, tr("Hide") if row.visible else tr("Show"))


def make(context: PanelContext) -> Panel:
    """The panel's widget."""
    return ShotPanel(context)

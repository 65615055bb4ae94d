"""Retarget sources of the character: rest poses that its clips may have been made on, and which each was."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QSignalBlocker, QSize, Qt
from PySide6.QtGui import QAction, QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QCheckBox,
    QHBoxLayout,
    QHeaderView,
    QMenu,
    QPushButton,
    QToolButton,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from core.errors import AnimError
from editor.model.i18n import tr
from editor.model.retarget import proportions
from editor.qt.binding import Bindings
from editor.qt.choice import ChoiceBox
from editor.qt.dialogs import choose_files
from editor.qt.file_filters import readable
from editor.qt.menu import Menu
from editor.qt.panel import Panel, PanelContext
from editor.qt.widgets import EmptyState, add_heading, icon_button, label

NAME, CLIPS = 0, 1


class ProportionsPanel(Panel):
    """The list of sources, which the clip shown was made on, and the bones' modes."""

    def __init__(self, context: PanelContext) -> None:
        super().__init__()
        self.setObjectName("proportionsPanel")
        self.setAcceptDrops(True)
        self.context, self.theme, self.session = context, context.theme, context.session
        self._filling = False
        self._build()
        session = self.session
        Bindings(self).refresh(
            self.refresh, session.document.changed, session.playback.clip_changed, session.switches.changed
        )
        self._unbind = [context.actions.bind("retarget.source_file", self._choose_file)]
        self.refresh()

    # ------------------------------------------------------------ building
    def _build(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 8, 12, 12)
        column.setSpacing(6)
        self.body = QWidget()
        inner = QVBoxLayout(self.body)
        inner.setContentsMargins(0, 0, 0, 0)
        inner.setSpacing(6)
        self.about = label(
            tr("For clips made on a character with the same bones but other proportions: add its rest pose "
               "here, then choose it for each clip."), "caption", wrap=True,
        )  # fmt: skip
        inner.addWidget(self.about)
        self.add = icon_button(
            self.theme, "add", tr("Add retarget source"), name="addRetargetSource", menu=True
        )
        self.add.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.add.setMenu(self._add_menu())
        self.rename = icon_button(self.theme, "edit", tr("Rename the source"), name="renameRetargetSource")
        self.rename.clicked.connect(self._rename)
        self.delete = icon_button(self.theme, "delete", tr("Delete the source"), name="deleteRetargetSource")
        self.delete.clicked.connect(self._delete)
        add_heading(inner, self.theme, tr("Retarget sources"), self.add, self.rename, self.delete)
        self.list = self._list()
        inner.addWidget(self.list, 1)
        add_heading(inner, self.theme, tr("This clip"))
        row = QHBoxLayout()
        row.addWidget(label(tr("Made on"), "dim"))
        self.choice = ChoiceBox()
        self.choice.setObjectName("clipRetargetSource")
        self.choice.setToolTip(tr("The rest pose that the current clip was made on"))
        self.choice.activated.connect(self._choose)
        row.addWidget(self.choice, 1)
        self.bake = QPushButton(tr("Bake"))
        self.bake.setObjectName("bakeProportions")
        self.bake.clicked.connect(lambda: self._run("retarget.bake"))
        row.addWidget(self.bake)
        inner.addLayout(row)
        add_heading(inner, self.theme, tr("Bones"))
        row = QHBoxLayout()
        self.modes = QCheckBox(tr("Show translation modes"))
        self.modes.setObjectName("showModes")
        self.modes.setToolTip(self.context.actions.tooltip("retarget.modes"))
        self.modes.toggled.connect(lambda on: self.session.switches.set("bone_modes", on))
        propose = QPushButton(tr("Propose"))
        propose.setObjectName("proposeModes")
        propose.setToolTip(self.context.actions.tooltip("retarget.propose_modes"))
        propose.clicked.connect(lambda: self._run("retarget.propose_modes"))
        row.addWidget(self.modes, 1)
        row.addWidget(propose)
        inner.addLayout(row)
        self.summary = label("", "caption", wrap=True)
        self.summary.setObjectName("modeSummary")
        inner.addWidget(self.summary)
        self.empty = EmptyState(self.theme, "scale", tr("Open or import a character first"))
        column.addWidget(self.body)
        column.addWidget(self.empty)

    def _list(self) -> QTreeWidget:
        made = QTreeWidget()
        made.setObjectName("retargetSources")
        made.setProperty("role", "table")
        made.setColumnCount(2)
        made.setHeaderLabels([tr("Name"), tr("Clips")])
        made.headerItem().setTextAlignment(CLIPS, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        made.setRootIsDecorated(False)
        made.setAlternatingRowColors(True)
        made.setMinimumHeight(72)
        made.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        made.header().setStretchLastSection(False)
        made.header().setSectionResizeMode(NAME, QHeaderView.ResizeMode.Stretch)
        made.header().setSectionResizeMode(CLIPS, QHeaderView.ResizeMode.Fixed)
        made.header().resizeSection(CLIPS, 56)
        made.itemDoubleClicked.connect(lambda item, _: self._edit(item))
        made.itemChanged.connect(self._renamed)
        made.itemSelectionChanged.connect(self._enable)
        return made

    def _add_menu(self) -> QMenu:
        menu = Menu(self)
        entries = (("From a file…", "retarget.source_file"), ("From current pose", "retarget.source_pose"))
        for text, id in entries:
            action = QAction(tr(text), menu)
            action.triggered.connect(lambda _=False, id=id: self._run(id))
            menu.addAction(action)
        return menu

    def sizeHint(self) -> QSize:
        return QSize(300, 420)

    # ------------------------------------------------------------ doing
    def _run(self, id: str) -> None:
        self.context.actions.run(id)

    def _attempt(self, work: Callable[[], object]) -> None:
        try:
            work()
        except AnimError as error:
            self.session.messages.warn(str(error))
            self.refresh()

    def _choose_file(self) -> None:
        choose_files(
            self, tr("Add retarget source"), readable(),
            lambda paths: self._attempt(lambda: proportions.add_file(self.session, paths[0])),
        )  # fmt: skip

    def _chosen(self) -> str | None:
        items = self.list.selectedItems()
        return str(items[0].data(NAME, Qt.ItemDataRole.UserRole)) if items else None

    def _edit(self, item: QTreeWidgetItem) -> None:
        if item.data(NAME, Qt.ItemDataRole.UserRole):
            self.list.editItem(item, NAME)

    def _rename(self) -> None:
        items = self.list.selectedItems()
        if items:
            self._edit(items[0])

    def _renamed(self, item: QTreeWidgetItem) -> None:
        old = item.data(NAME, Qt.ItemDataRole.UserRole)
        if not self._filling and old:
            self._attempt(lambda: proportions.rename_source(self.session, str(old), item.text(NAME)))

    def _delete(self) -> None:
        name = self._chosen()
        if name:
            self._attempt(lambda: proportions.delete_source(self.session, name))

    def _choose(self, _: int) -> None:
        self._attempt(lambda: proportions.choose_source(self.session, self.choice.currentData()))

    # ------------------------------------------------------------ showing
    def refresh(self) -> None:
        """Show the character's sources, and the clip's."""
        rig, clip = self.session.rig, self.session.clip
        self.body.setVisible(rig is not None)
        self.empty.setVisible(rig is None)
        if rig is None:
            return
        kept = self._chosen()
        self._filling = True
        try:
            self.list.clear()
            own = len(self.session.document.project.clips_of(rig.id))
            rows = [(name, len(proportions.made_on(self.session, name))) for name in rig.retarget_sources]
            rest = [("", own - sum(count for _, count in rows)), *rows]
            for name, count in rest:
                item = QTreeWidgetItem([name or tr("own rest pose"), str(count)])
                item.setData(NAME, Qt.ItemDataRole.UserRole, name)
                item.setTextAlignment(CLIPS, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
                if name:
                    item.setFlags(item.flags() | Qt.ItemFlag.ItemIsEditable)
                self.list.addTopLevelItem(item)
                item.setSelected(bool(name) and name == kept)
        finally:
            self._filling = False
        entries = [(tr("own rest pose"), None), *((name, name) for name in rig.retarget_sources)]
        self.choice.show_choices(entries, clip.retarget_source if clip is not None else None, otherwise=0)
        self.choice.setEnabled(clip is not None)
        self.bake.setEnabled(not self.context.actions.why_disabled("retarget.bake"))
        self.bake.setToolTip(self.context.actions.tooltip("retarget.bake"))
        with QSignalBlocker(self.modes):
            self.modes.setChecked(self.session.switches["bone_modes"])
        self.summary.setText(self._modes_in_words())
        self._enable()

    def _modes_in_words(self) -> str:
        rig = self.session.rig
        assert rig is not None
        counts: dict[str, int] = {}
        for bone in rig.skeleton.names:
            title = tr(proportions.MODES[proportions.mode_of(rig, bone)][0])
            counts[title] = counts.get(title, 0) + 1
        words = ", ".join(f"{count} × {title}" for title, count in counts.items())
        return "\n".join(filter(None, (words, proportions.acting(self.session))))

    def _enable(self) -> None:
        chosen = bool(self._chosen())
        self.rename.setEnabled(chosen)
        self.delete.setEnabled(chosen)

    # ------------------------------------------------------------ files dropped
    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if event.mimeData().hasUrls() and self.session.rig is not None:
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        paths = [Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile()]
        if paths:
            event.acceptProposedAction()
            self._attempt(lambda: proportions.add_file(self.session, paths[0]))

    def close_panel(self) -> None:
        """Leave the action to nobody."""
        while self._unbind:
            self._unbind.pop()()


def make(context: PanelContext) -> Panel:
    """The panel's widget."""
    return ProportionsPanel(context)

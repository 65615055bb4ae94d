"""The retarget panel: source, map, options and report, from top to bottom; the deed at the bottom."""

from pathlib import Path

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QAction, QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QMenu,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QStackedLayout,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from core.ids import AssetId
from editor.model.i18n import sentence, tr, trn
from editor.model.retarget.state import Retargeting
from editor.panels.retarget import files
from editor.panels.retarget.chain_fields import ChainFields
from editor.panels.retarget.options import OptionFields
from editor.panels.retarget.report import ReportView
from editor.panels.retarget.table import MapTable
from editor.panels.retarget.view_model import RetargetView
from editor.qt.binding import Bindings
from editor.qt.choice import ChoiceBox
from editor.qt.menu import Menu
from editor.qt.panel import Panel, PanelContext
from editor.qt.widgets import EmptyState, add_heading, icon_button, label

WHAT = "Retarget the motion of another character to this one. Drop a BVH, FBX, glTF or USD file here, or open one."


class RetargetPanel(Panel):
    """Puts clips of another character on the one shown."""

    def __init__(self, context: PanelContext) -> None:
        super().__init__()
        self.setObjectName("retargetPanel")
        self.setAcceptDrops(True)
        self.context, self.theme, self.session = context, context.theme, context.session
        self.state = context.session.feature(Retargeting)
        self.model = RetargetView(context.session)
        self.tell_sight(self.state.pick.watch)
        self._build()
        session, live = self.session, self.state.live
        bindings = Bindings(self)
        bindings.refresh(
            self.refresh, self.state.changed, self.state.pick.changed, live.state_changed,
            session.playback.clip_changed, session.document.changed, session.jobs.changed,
        )  # fmt: skip
        self._unbind = [
            context.actions.bind("retarget.open", self._choose_source),
            context.actions.bind("retarget.commit", self._commit),
            context.actions.bind("retarget.load_map", lambda: files.load_map(self, session)),
            context.actions.bind("retarget.save_map", lambda: files.save_map(self, session)),
        ]
        self.refresh()

    # ------------------------------------------------------------ building
    def _build(self) -> None:
        self._stack = QStackedLayout(self)
        first = QWidget()
        column = QVBoxLayout(first)
        column.setContentsMargins(0, 0, 0, 24)
        column.setSpacing(4)
        self.others = QVBoxLayout()
        self.others.setSpacing(4)
        self.empty = EmptyState(self.theme, "retarget", tr(WHAT), tr("Open source…"), self._open)
        column.addWidget(self.empty, 1)
        column.addLayout(self.others)
        self._first = first
        self._offered: tuple[tuple[AssetId, str], ...] = ()
        self._stack.addWidget(first)
        whole = QWidget()
        outer = QVBoxLayout(whole)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(0)
        scroller = QScrollArea()
        scroller.setFrameShape(QFrame.Shape.NoFrame)
        scroller.setWidgetResizable(True)
        scroller.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        body = QWidget()
        self.column = QVBoxLayout(body)
        self.column.setContentsMargins(12, 8, 12, 8)
        self.column.setSpacing(6)
        self._add_source()
        self._add_map()
        add_heading(self.column, self.theme, tr("Options"))
        self.options = OptionFields(self.theme, self.state)
        self.column.addWidget(self.options)
        self._add_contacts()
        self.report = ReportView(self.theme)
        self.column.addWidget(self.report)
        self.column.addStretch(1)
        scroller.setWidget(body)
        outer.addWidget(scroller, 1)
        outer.addWidget(self._bottom())
        self._stack.addWidget(whole)
        self._whole = whole

    def _add_source(self) -> None:
        grid = QGridLayout()
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(4)
        grid.setColumnStretch(1, 1)
        self.source = QToolButton()
        self.source.setObjectName("retargetSource")
        self.source.setToolTip(
            tr("Where the motion comes from: a file, or another character of the document")
        )
        self.source.setProperty("choice", "true")
        self.source.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.source.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        menu = Menu(self.source)
        menu.aboutToShow.connect(lambda: self._fill_sources(menu))
        self.source.setMenu(menu)
        self.clip = ChoiceBox()
        self.clip.setObjectName("retargetClip")
        self.clip.setToolTip(tr("Clip of the source"))
        self.clip.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.clip.activated.connect(lambda _: self.state.set_clip(AssetId(str(self.clip.currentData()))))
        for line, (title, widget) in enumerate(((tr("From"), self.source), (tr("Clip"), self.clip))):
            grid.addWidget(label(title, "dim"), line, 0)
            grid.addWidget(widget, line, 1)
        self.column.addLayout(grid)
        self.about = label("", "caption", wrap=True)
        self.about.setObjectName("retargetAbout")
        self.column.addWidget(self.about)

    def _add_map(self) -> None:
        buttons = []
        for id, icon in (
            ("retarget.pick", "solo"), ("retarget.add_chain", "add"), ("retarget.remove_chain", "delete"),
            ("retarget.propose", "rest"), ("retarget.load_map", "import"), ("retarget.save_map", "save"),
        ):  # fmt: skip
            button = icon_button(
                self.theme, icon, self.context.actions.tooltip(id), id == "retarget.pick", id, size=22
            )
            button.clicked.connect(lambda _=False, id=id: self._run(id))
            buttons.append(button)
        self.buttons = {button.objectName(): button for button in buttons}
        add_heading(self.column, self.theme, tr("Map"), *buttons)
        self.table = MapTable(self.theme, self._bones)
        self.table.setMinimumHeight(180)
        self.table.chosen.connect(self.state.pick.look_at)
        # queued: the map is filled again only after the cell's editor has gone
        self.table.written.connect(self._write, Qt.ConnectionType.QueuedConnection)
        self.column.addWidget(self.table, 4)
        self.problem = label("", "error", wrap=True)
        self.problem.setObjectName("retargetProblem")
        self.notes = label("", "warning", wrap=True)
        self.left = label("", "caption")
        self.left.setObjectName("retargetLeft")
        self.chain = ChainFields(self.theme, self.state)
        for widget in (self.chain, self.problem, self.notes, self.left):
            self.column.addWidget(widget)

    def _add_contacts(self) -> None:
        row = QHBoxLayout()
        self.contacts = label("", "dim")
        self.contacts.setObjectName("retargetContacts")
        self.contacts.setToolTip(tr("Shown on the timeline: drag their ends, delete, double-click to add"))
        self.again = QPushButton(tr("Detect again"))
        self.again.setObjectName("retargetFindAnew")
        self.again.setProperty("flat", "true")
        self.again.clicked.connect(lambda: self._run("retarget.contacts"))
        row.addWidget(self.contacts)
        row.addStretch(1)
        row.addWidget(self.again)
        self.column.addLayout(row)

    def _bottom(self) -> QWidget:
        bar = QFrame()
        bar.setObjectName("retargetBar")
        row = QHBoxLayout(bar)
        row.setContentsMargins(12, 6, 12, 8)
        row.setSpacing(4)
        self.preview = icon_button(
            self.theme, "show", self.context.actions.tooltip("retarget.preview"), True, "retargetPreview"
        )
        self.preview.clicked.connect(lambda: self._run("retarget.preview"))
        self.place = icon_button(
            self.theme, "in_place", self.context.actions.tooltip("retarget.keep_place"), True, "retargetPlace"
        )
        self.place.clicked.connect(lambda: self._run("retarget.keep_place"))
        self.all = QPushButton(tr("All clips"))
        self.all.setObjectName("retargetAll")
        self.all.clicked.connect(lambda: self._run("retarget.commit_all"))
        self.commit = QPushButton(tr("Retarget"))
        self.commit.setObjectName("retargetCommit")
        self.commit.setDefault(True)
        self.commit.setMinimumWidth(88)
        self.commit.clicked.connect(lambda: self._run("retarget.commit"))
        row.addWidget(self.preview)
        row.addWidget(self.place)
        row.addStretch(1)
        row.addWidget(self.all)
        row.addWidget(self.commit)
        return bar

    def sizeHint(self) -> QSize:
        return QSize(340, 520)

    # ------------------------------------------------------------ doing
    def _run(self, id: str) -> None:
        self.context.actions.run(id)
        self.refresh()

    def _commit(self) -> None:
        """Make the clip; one that was previewed in place is looked at where its way has led it."""
        live = self.context.session.feature(Retargeting).live
        moved = live.on and live.keep_place
        if (
            self.context.session.feature(Retargeting).outcome.commit()
            and moved
            and "view.frame_all" in self.context.actions
        ):
            self.context.actions.run("view.frame_all")

    def _choose_source(self) -> None:
        """Ask for a source; panel and source view come to the front, wherever this was asked from."""
        for panel in ("source_view", "retarget"):
            self.context.window.show_panel(panel)
        files.open_source(self, self.session)

    def _write(self, chain: str, side: str, text: str) -> None:
        self.model.write(chain, side, text)

    def _open(self) -> None:
        self._run("retarget.open")

    def _bones(self, side: str) -> tuple[str, ...]:
        subject = self.state.subject
        source = subject.source.rig if subject.source is not None else None
        rig = subject.target if side == "target" else source
        return rig.skeleton.names if rig is not None else ()

    def _fill_sources(self, menu: QMenu) -> None:
        menu.clear()
        menu.addAction(tr("Open a file…"), self._open)
        others = self.state.others()
        if others:
            menu.addSection(tr("Characters of the document"))
        for rig in others:
            action = QAction(rig.name, menu)
            action.triggered.connect(lambda _=False, rig=rig: self.state.use_rig(rig.id))
            menu.addAction(action)
        menu.addSeparator()
        menu.addAction(tr("Clear source"), self.state.clear)

    # ------------------------------------------------------------ showing
    def refresh(self) -> None:
        """Show everything as it is now."""
        state = self.state
        self._stack.setCurrentWidget(self._whole if state.subject.source is not None else self._first)
        if state.subject.source is None:
            self._show_empty()
            return
        self.source.setText(state.subject.source.title)
        self._show_clips()
        self.about.setText(self.model.about())
        rows = self.model.rows()
        self.table.show_rows(rows, state.pick.chain)
        self.chain.refresh(next((row.degrees for row in rows if row.name == state.pick.chain), None))
        short, whole = self.model.left_out()
        self.left.setText(short)
        self.left.setToolTip(whole)
        _say(self.problem, state.computation.why_not)
        _say(self.notes, self.model.notes())
        self.options.show_choices(state.subject.choices)
        self.contacts.setText(self.model.contacts())
        self.again.setVisible(state.subject.spans_edited)
        self.again.setToolTip(self.context.actions.tooltip("retarget.contacts"))
        self.report.show_report(self.model.report(), self.model.table(), state.computation.busy)
        actions = self.context.actions
        for id, button in self.buttons.items():
            button.setEnabled(not actions.why_disabled(id))
            _tell(button, actions.tooltip(id))
        _tell(self.preview, actions.tooltip("retarget.preview"))
        _tell(self.place, actions.tooltip("retarget.keep_place"))
        self.buttons["retarget.pick"].setChecked(state.pick.picking)
        self.preview.setChecked(state.live.on)
        self.place.setChecked(state.live.keep_place)
        ready = state.computation.result is not None and not state.computation.why_not
        self.commit.setEnabled(ready)
        self.commit.setToolTip(actions.tooltip("retarget.commit"))
        self.all.setVisible(len(state.subject.source.clips) > 1)
        self.all.setText(trn("All {count} clip", "All {count} clips", len(state.subject.source.clips)))
        self.all.setEnabled(not state.computation.why_not)
        self.all.setToolTip(actions.tooltip("retarget.commit_all"))

    def _show_empty(self) -> None:
        has = self.state.subject.target is not None
        if self.empty.button is not None:
            self.empty.button.setVisible(has)
        self.empty.set_text(tr(WHAT) if has else tr("Open or import the target character first."))
        offered = tuple((rig.id, rig.name) for rig in self.state.others()) if has else ()
        if offered != self._offered:
            self._offered = offered
            self._offer(offered)

    def _offer(self, rigs: tuple[tuple[AssetId, str], ...]) -> None:
        """Other characters of the document, as buttons below the one that opens a file."""
        while (item := self.others.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        for id, name in rigs:
            button = QPushButton(tr("Use the clips of {name}", name=name))
            button.setObjectName(f"source.{name}")
            button.setProperty("flat", "true")
            button.setToolTip(tr("Another character of this document"))
            button.clicked.connect(lambda _=False, id=id: self.state.use_rig(id))
            self.others.addWidget(button, 0, Qt.AlignmentFlag.AlignHCenter)

    def _show_clips(self) -> None:
        source, clip = self.state.subject.source, self.state.subject.clip
        assert source is not None
        self.clip.show_choices(
            [(c.name, str(c.id)) for c in source.clips], None if clip is None else str(clip.id)
        )

    # ------------------------------------------------------------ files dropped
    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if event.mimeData().hasUrls() and self.state.subject.target is not None:
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        paths = [Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile()]
        if paths:
            event.acceptProposedAction()
            self.state.load(paths[0])

    def close_panel(self) -> None:
        """Leave the actions to nobody."""
        while self._unbind:
            self._unbind.pop()()


def _say(where, text: str) -> None:
    where.setText(sentence(text))
    where.setVisible(bool(text))


def make(context: PanelContext) -> Panel:
    """The panel's widget."""
    return RetargetPanel(context)


def _tell(button: QToolButton, tip: str) -> None:
    """The tip says why the button is disabled; whoever cannot see it is told the same."""
    button.setToolTip(tip)
    button.setAccessibleName(tip)

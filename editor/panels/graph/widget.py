"""The graph panel: way to the sheet and tools above, tree of sheets beside, the canvas, errors below."""

from collections.abc import Callable, Mapping

from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtGui import QHideEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QSplitter, QStackedLayout, QVBoxLayout, QWidget

from editor.model.graph.editor import GraphEditor
from editor.model.graph.geometry import Rect
from editor.model.graph.ghost_strip import GhostStrip
from editor.model.i18n import tr
from editor.panels.graph.crumbs import Crumbs
from editor.panels.graph.menus import item_menu
from editor.panels.graph.mini_map import MARGIN, MiniMap
from editor.panels.graph.notice import NoticeLine
from editor.panels.graph.popups import Popups
from editor.panels.graph.problem_list import ProblemList
from editor.panels.graph.sheets import SheetTree
from editor.panels.graph.view import CanvasView
from editor.qt.binding import Bindings
from editor.qt.panel import Panel, PanelContext
from editor.qt.widgets import EmptyState, icon_button, label, line

CHECK_DELAY = 180
"""Milliseconds after an edit until the graph is compiled to look for errors."""
LEAST_FOR_TREE = 480
"""Pixels of the panel below which the tree of sheets is hidden."""
LEAST_FOR_MAP = (420, 260)
"""Pixels of the canvas below which the mini-map is hidden."""


class GraphPanel(Panel):
    """All of it."""

    def __init__(self, context: PanelContext) -> None:
        super().__init__()
        self.setObjectName("graphPanel")
        self.context, self.theme = context, context.theme
        self.editor = context.session.feature(GraphEditor)
        self.canvas = self.editor.canvas
        self._build()
        self._check = QTimer(self)
        self._check.setSingleShot(True)
        self._check.setInterval(CHECK_DELAY)
        self._check.timeout.connect(self._look)
        session = context.session
        bindings = Bindings(self)
        bindings.on(self.canvas.moved, lambda _: self._on_moved())
        bindings.on(self.canvas.live_changed, lambda _: self._on_live())
        bindings.on(self.canvas.notice_changed, lambda _: self.notice.refresh())
        bindings.on(self.canvas.changed, lambda _: self._on_changed())
        self._refresh_later = bindings.refresh(
            self.refresh, self.canvas.changed, session.playback.clip_changed, session.document.changed
        )
        bindings.on(self.editor.problems.changed, lambda _: self._show_problems())
        self._bindings = bindings
        self.popups = Popups(self.editor, self.view, context, bindings)
        self._live_step: object = None
        self._bind_actions()
        self.refresh()

    def showEvent(self, event: QShowEvent) -> None:
        """What is selected here shows in the viewport, too."""
        super().showEvent(event)
        self.context.session.feature(GhostStrip).see(True)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.context.session.feature(GhostStrip).see(False)

    # ------------------------------------------------------------ building
    def _build(self) -> None:
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        self.notice = NoticeLine(self.canvas, self.context)
        whole.addWidget(self.notice)
        self._stack = QStackedLayout()
        whole.addLayout(self._stack, 1)
        body = QWidget()
        column = QVBoxLayout(body)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        head = QHBoxLayout()
        head.setContentsMargins(8, 3, 8, 3)
        head.setSpacing(4)
        theme = self.theme
        self.out = icon_button(theme, "back", tr("Out of this sheet (Backspace)"), name="graphOut")
        self.out.clicked.connect(lambda: self.canvas.go_out())
        head.addWidget(self.out)
        self.crumbs = Crumbs(self.canvas, theme)
        head.addWidget(self.crumbs)
        head.addStretch(1)
        self.zoom = label("", "dim")
        self.zoom.setObjectName("graphZoom")
        head.addWidget(self.zoom)
        self.tools: dict[str, QWidget] = {}
        for icon, id, tip in (
            ("add", "graph.add", tr("Add a node (Tab)")),
            ("search", "graph.find", tr("Find and replace (Ctrl+F)")),
            ("frame", "graph.fit_all", tr("Show everything (A)")),
        ):
            button = icon_button(theme, icon, tip, name=f"tool.{id}")
            self.tools[id] = button
            button.clicked.connect(lambda _=False, id=id: self.context.actions.run(id))
            head.addWidget(button)
        self.map_button = icon_button(theme, "grid", tr("Mini-map"), checkable=True, name="graphMapButton")
        self.map_button.setChecked(True)
        self.map_button.toggled.connect(lambda _: self._place_map())
        head.addWidget(self.map_button)
        self.tree_button = icon_button(theme, "menu", tr("Sheets"), checkable=True, name="graphTreeButton")
        self.tree_button.setChecked(True)
        head.addWidget(self.tree_button)
        column.addLayout(head)
        column.addWidget(line())
        self.splitter = QSplitter(Qt.Orientation.Horizontal)
        self.splitter.setHandleWidth(1)
        self.splitter.setChildrenCollapsible(False)
        self.tree = SheetTree(self.canvas, theme)
        self.tree_button.toggled.connect(lambda _: self._place_tree())
        self.view = CanvasView(self.editor, self.context.actions, theme)
        self.view.resized.connect(self._place_map)
        self.view.menu_wanted.connect(self._menu)
        self.view.hint_wanted.connect(self.context.window.set_hint)
        self.map = MiniMap(self.canvas, self.view.ink, self.view)
        self.splitter.addWidget(self.tree)
        self.splitter.addWidget(self.view)
        self.splitter.setStretchFactor(1, 1)
        self.splitter.setSizes([150, 900])
        column.addWidget(self.splitter, 1)
        self.problems = ProblemList(self.editor, theme)
        column.addWidget(self.problems)
        self._stack.addWidget(body)
        self.empty = EmptyState(
            theme,
            "graph",
            tr("No animation graph yet. It plays clips by states, blends and variables."),
            tr("New graph"),
            lambda: self.context.actions.run("graph.new"),
        )
        self._stack.addWidget(self.empty)

    def _bind_actions(self) -> None:
        for id, work in (
            ("graph.cancel", self._cancel),
            ("graph.add", self._add),
            ("graph.paste", self._paste),
            ("graph.find", lambda: self.popups.find()),
            ("graph.problems", lambda: self.problems.open_list()),
        ):
            self.context.actions.bind(id, work)

    def focus_widget(self) -> QWidget:
        return self.view if self._stack.currentIndex() == 0 else self

    def panel_actions(self) -> Mapping[str, Callable[[], object]]:
        return {}

    # ------------------------------------------------------------ showing
    def refresh(self) -> None:
        """Show graph, path, tree and errors as they are."""
        there = self.canvas.graph is not None
        self._stack.setCurrentIndex(0 if there else 1)
        if not there:
            return
        self.crumbs.refresh()
        self.tree.refresh()
        self.out.setEnabled(len(self.canvas.path) > 1)
        if self.editor.problems.due:
            self._check.start()
        self._show_zoom()
        self.map.update()
        self.view.update()

    def _on_changed(self) -> None:
        if self.view.gesture is not None and self.canvas.scene is None:
            self.view.cancel()
        self.view.update()

    def _on_moved(self) -> None:
        self._show_zoom()
        self.view.update()
        self.map.update()

    def _on_live(self) -> None:
        frame = self.canvas.frame
        step = (None if frame is None else frame.step, self.canvas.live.breaks)
        if step != self._live_step and self.isVisible():
            self._live_step = step
            self.view.update()

    def _show_zoom(self) -> None:
        self.zoom.setText(f"{round(self.canvas.view.zoom * 100)} %")

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_tree()

    def _place_tree(self) -> None:
        """A narrow panel is for the canvas; the way to the sheet stays above it."""
        wide = self.width() >= LEAST_FOR_TREE
        self.tree.setVisible(self.tree_button.isChecked() and wide)
        for widget in (self.tree_button, self.map_button, self.zoom, self.tools["graph.find"]):
            widget.setVisible(wide)

    def _place_map(self) -> None:
        w, h = self.view.width(), self.view.height()
        room = w >= LEAST_FOR_MAP[0] and h >= LEAST_FOR_MAP[1]
        self.map.setVisible(room and self.map_button.isChecked())
        self.map.move(round(w - self.map.width() - MARGIN), round(h - self.map.height() - MARGIN))

    def _look(self) -> None:
        self.editor.problems.check()
        self._show_problems()

    def _show_problems(self) -> None:
        self.view.show_problems(self.editor.problems.badges())
        self.problems.refresh()

    # ------------------------------------------------------------ doing
    def _cancel(self) -> None:
        if not self.view.cancel() and not self.popups.close():
            self.canvas.select([])

    def _add(self) -> None:
        self.editor.add_here(self.view.pointer_place())

    def _paste(self) -> None:
        self.popups.paste(self.view.pointer_place())

    def _menu(self, at: QPoint) -> None:
        menu = item_menu(self.editor, self.context, self.view)
        menu.popup(self.view.mapToGlobal(at))

    def seen(self) -> Rect:
        """What the canvas shows."""
        return self.canvas.view.seen(self.canvas.size)

    def close_panel(self) -> None:
        self._check.stop()
        self._bindings.drop()


def make(context: PanelContext) -> Panel:
    """The panel's widget."""
    return GraphPanel(context)

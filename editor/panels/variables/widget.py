"""The variables of what the character plays: set while it runs, added, renamed and deleted, tied to keys."""

from collections.abc import Callable, Mapping

from PySide6.QtCore import QPoint, QSignalBlocker, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QHBoxLayout, QScrollArea, QStackedLayout, QVBoxLayout, QWidget

from core.errors import AnimError
from core.graph.graph import Graph, Role, Variable
from core.graph.language.values import Kind
from editor.model.graph_run.lanes import WatchedPin
from editor.model.graph_run.mapping import Controls
from editor.model.graph_run.state import GraphRun
from editor.model.graph_run.variable_edits import KINDS, VariableEdits
from editor.model.i18n import tr
from editor.panels.variables.keyboard import GamepadPoll, Keyboard
from editor.panels.variables.pad import Pad
from editor.panels.variables.rows import VariableRow
from editor.panels.variables.settings import KIND_NAMES, VariableSettings
from editor.panels.variables.view_model import PadAxis, pad_axes, set_axes, share_of, titles_of
from editor.qt import tokens
from editor.qt.binding import Bindings
from editor.qt.choice import ChoiceBox
from editor.qt.focus import tab_through
from editor.qt.menu import Menu
from editor.qt.panel import Panel, PanelContext
from editor.qt.widgets import EmptyState, icon_button, label, line

LOWEST_PAD, HIGHEST_PAD = 58, 150
"""How high the pad is, in pixels."""


class VariablesPanel(Panel):
    """Rows above, settings of the chosen one, the pad below."""

    def __init__(self, context: PanelContext) -> None:
        super().__init__()
        self.setObjectName("variablesPanel")
        session = context.session
        self._context, self.theme = context, context.theme
        self.run = run = session.feature(GraphRun)
        self.edits = session.feature(VariableEdits)
        self.controls = session.feature(Controls)
        self._rows: list[VariableRow] = []
        self._listed: object = None
        self._chosen: tuple[str, str] | None = None
        self._axes: list[PadAxis | None] = [None, None]
        self._left_free = [False, False]  # axes of the pad that are to set nothing
        self._keyboard = Keyboard(self, self.controls, run)
        self._gamepad = GamepadPoll(self, self.controls)
        self._build()
        bindings = Bindings(self)
        bindings.refresh(
            self.refresh, run.state_changed, run.stepped, session.document.changed,
            session.playback.clip_changed, self.controls.changed,
        )  # fmt: skip
        self.refresh()

    # ------------------------------------------------------------ building
    def _build(self) -> None:
        self._stack = QStackedLayout(self)
        body = QWidget()
        column = QVBoxLayout(body)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        inside = QWidget()
        self._column = QVBoxLayout(inside)
        self._column.setContentsMargins(0, 4, 0, 4)
        self._column.setSpacing(2)
        self._column.addStretch(1)
        area.setWidget(inside)
        self._area = area
        area.setMinimumHeight(tokens.LEAST_LIST)
        area.setFrameShape(QScrollArea.Shape.NoFrame)
        column.addWidget(area, 1)
        self.settings = VariableSettings(self._context, self.edits, self.controls)
        self.settings.renamed = self._on_renamed
        self.settings.hide()
        self._divider = line()
        column.addWidget(self._divider)
        column.addWidget(self.settings)
        column.addWidget(line())
        # Rows and pad share a low panel; the pad grows to its height first.
        column.addWidget(self._pad_part(), 1)
        self._stack.addWidget(body)
        self.empty = EmptyState(
            self.theme,
            "inspector",
            tr("Nothing to play yet: choose what the character plays in the Run panel."),
        )
        self._stack.addWidget(self.empty)

    def _pad_part(self) -> QWidget:
        part = QWidget()
        part.setObjectName("padPart")
        part.setMaximumHeight(HIGHEST_PAD + 40)
        self.pad = Pad(self.theme)
        self.pad.setMinimumHeight(LOWEST_PAD)
        self.pad.setMaximumHeight(HIGHEST_PAD)
        self.pad.moved.connect(self._pad_moved)
        column = QVBoxLayout(part)
        column.setContentsMargins(12, 4, 8, 4)
        column.setSpacing(2)
        row = QHBoxLayout()
        row.setSpacing(4)
        row.addWidget(label(tr("Pad"), "caption"))
        self.across, self.up = ChoiceBox(), ChoiceBox()
        for number, (box, name, tip) in enumerate(
            ((self.across, "padAcross", tr("Left to right")), (self.up, "padUp", tr("Bottom to top")))
        ):
            box.setObjectName(name)
            box.setToolTip(tip)
            box.setAccessibleName(tip)
            box.setMinimumContentsLength(4)
            box.setSizeAdjustPolicy(ChoiceBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
            box.activated.connect(lambda index, number=number: self._choose_axis(number, index))
            row.addWidget(box, 1)
        self.springs = icon_button(
            self.theme, "in_place", tr("Back to 0 when released"), checkable=True, name="padSprings"
        )
        self.springs.toggled.connect(lambda on: setattr(self.pad, "springs", on))
        row.addWidget(self.springs)
        column.addLayout(row)
        column.addWidget(self.pad)
        return part

    def title_widgets(self) -> list[QWidget]:
        """Add, and how keys and gamepads work."""
        add = icon_button(self.theme, "add", tr("Add a variable"), name="variableAdd", size=22, menu=True)
        menu = Menu(add)
        for kind in KINDS:
            menu.addAction(KIND_NAMES[kind]).triggered.connect(lambda _=False, kind=kind: self.add(kind))
        menu.addSeparator()
        menu.addAction(tr("Trigger")).triggered.connect(lambda: self.add(Kind.BOOL, Role.TRIGGER))
        menu.addAction(tr("Own variable")).triggered.connect(lambda: self.add(Kind.FLOAT, Role.OWN))
        add.setMenu(menu)
        more = icon_button(
            self.theme, "keyboard", tr("Keys and gamepad"), name="variableMore", size=22, menu=True
        )
        options = Menu(more)
        keys = options.addAction(tr("Keys set variables while the run goes on"))
        keys.setCheckable(True)
        keys.setChecked(self.controls.active)
        keys.toggled.connect(lambda on: setattr(self.controls, "active", on))
        use_pad = options.addAction(tr("Use a gamepad"))
        use_pad.setCheckable(True)
        use_pad.triggered.connect(lambda on: self._use_gamepad(on, use_pad))
        more.setMenu(options)
        return [add, more]

    def close_panel(self) -> None:
        """The window closes."""
        self._gamepad.stop()

    def panel_actions(self) -> Mapping[str, Callable[[], object]]:
        """What needs the panel."""
        return {
            "graph.add_variable": lambda: self.add(Kind.FLOAT),
            "graph.add_trigger": lambda: self.add(Kind.BOOL, Role.TRIGGER),
        }

    # ------------------------------------------------------------ showing
    def refresh(self, *_: object) -> None:
        """Show the variables and what they hold."""
        run = self.run
        graph = run.graph
        self._stack.setCurrentIndex(1 if graph is None else 0)
        if graph is None:
            return
        listed = [(g.id, v, tuple(g.enums.items())) for g, v in run.played.variables]
        if self._listed != listed:
            self._listed = listed
            self._list()
        for row in self._rows:
            row.refresh()
            row.show_keys(" ".join(b.control for b in self.controls.of(row.variable.name)))
            row.select((row.graph.id, row.variable.name) == self._chosen)
        found = self._found()
        self.settings.show_variable(*(found or (None, None)))
        self._divider.setVisible(found is not None)
        self._refresh_pad()

    def _list(self) -> None:
        while self._column.count() > 1:
            item = self._column.takeAt(0)
            widget = None if item is None else item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        self._rows = []
        for number, graph in enumerate(self.run.played.both):
            if number:
                heading = label(tr("After it: {name}", name=graph.name), "caption")
                heading.setContentsMargins(12, 6, 8, 0)
                self._column.insertWidget(self._column.count() - 1, heading)
            for variable in graph.variables:
                self._add_row(graph, variable)
        if not self._rows:
            hint = label(tr("No variables yet. Add one with + above."), "dim", wrap=True)
            hint.setContentsMargins(12, 4, 8, 0)
            self._column.insertWidget(0, hint)
        tab_through(self._area, *self._rows)

    def _add_row(self, graph: Graph, variable: Variable) -> None:
        row = VariableRow(self.theme, self.run, graph, variable)
        row.chosen.connect(lambda: self.choose(graph.id, variable.name))
        row.menu_asked.connect(lambda place: self._open_menu(graph.id, variable.name, place))
        self._rows.append(row)
        self._column.insertWidget(self._column.count() - 1, row)

    def _found(self) -> tuple[Graph, Variable] | None:
        pairs = self.run.played.variables
        return next(((g, v) for g, v in pairs if (g.id, v.name) == self._chosen), None)

    def choose(self, graph: str, name: str) -> None:
        """Open a variable's settings; once more closes them."""
        self._chosen = None if self._chosen == (graph, name) else (graph, name)
        self.refresh()

    def _on_renamed(self, new: str) -> None:
        if self._chosen is not None:
            self._chosen = (self._chosen[0], new)

    # ------------------------------------------------------------ editing
    def add(self, kind: Kind, role: Role = Role.INPUT) -> None:
        """A new variable of the graph that runs, its settings open."""
        graph = self.run.graph
        if graph is None or not self.edits.editable(graph):
            self._context.session.messages.info(
                tr("Only a graph has variables of its own: choose a graph in the Run panel")
            )
            return
        self._chosen = (graph.id, self.edits.add(graph, kind, role))
        self.refresh()
        self.settings.edit_name()

    def _open_menu(self, graph: str, name: str, place: QPoint) -> None:
        self._chosen = (graph, name)
        self.refresh()
        found = self._found()
        if found is None:
            return
        owner, variable = found
        menu = Menu(self)
        own = self.edits.editable(owner)
        rename = menu.addAction(tr("Rename"))
        rename.triggered.connect(self.settings.edit_name)
        delete = menu.addAction(tr("Delete"))
        delete.triggered.connect(lambda: self._guarded(lambda: self.edits.delete(owner, name)))
        names = [v.name for v in owner.variables]
        up, down = menu.addAction(tr("Move up")), menu.addAction(tr("Move down"))
        at = names.index(name)
        up.triggered.connect(lambda: self.edits.move(owner, name, at - 1))
        down.triggered.connect(lambda: self.edits.move(owner, name, at + 1))
        for action in (rename, delete):
            action.setEnabled(own)
        up.setEnabled(own and at > 0)
        down.setEnabled(own and at < len(names) - 1)
        menu.addSeparator()
        default = menu.addAction(tr("Back to its default"))
        value = variable.default if len(variable.default) > 1 else variable.default[0]
        default.triggered.connect(lambda: self.run.set(name, value, owner))
        default.setEnabled(variable.role is Role.INPUT)
        if variable.role is Role.OWN:
            plot = menu.addAction(tr("Plot"))
            plot.triggered.connect(lambda: self.run.deck.watch(WatchedPin("", name, name)))
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(place)

    def _guarded(self, act: Callable[[], object]) -> None:
        try:
            act()
        except AnimError as error:
            self._context.session.messages.error(str(error))

    def _use_gamepad(self, on: bool, entry: QAction) -> None:
        if not on:
            self._gamepad.stop()
            return
        problem = self._gamepad.start()
        if problem:
            entry.setChecked(False)
            self._context.session.messages.warn(problem)
        else:
            self._context.session.messages.info(tr("Gamepad: {name}", name=self._gamepad.name))

    # ------------------------------------------------------------ the pad
    def _refresh_pad(self) -> None:
        axes = pad_axes(self.run)
        titles = titles_of(axes)
        for number, box in enumerate((self.across, self.up)):
            known = self._axes[number]
            at = next(
                (k for k, axis in enumerate(axes) if known is not None and axis.key == known.key), len(axes)
            )
            if at == len(axes) and number < len(axes) and not self._left_free[number]:
                at = number
            self._axes[number] = axes[at] if at < len(axes) else None
            with QSignalBlocker(box):
                if [box.itemText(k) for k in range(box.count())] != [*titles, "–"]:
                    box.clear()
                    box.addItems([*titles, "–"])
                box.setCurrentIndex(at)
        across, up = self._axes
        point = share_of(self.run, across), share_of(self.run, up)
        home = share_of(self.run, across, 0.0), share_of(self.run, up, 0.0)
        words = ("" if across is None else across.title, "" if up is None else up.title)
        self.pad.show_point(point, home, words)
        self.pad.setEnabled(across is not None or up is not None)

    def _choose_axis(self, number: int, index: int) -> None:
        axes = pad_axes(self.run)
        self._left_free[number] = index >= len(axes)
        self._axes[number] = axes[index] if index < len(axes) else None
        self._refresh_pad()

    def _pad_moved(self, x: float, y: float) -> None:
        pairs = zip(self._axes, (x, y), strict=True)
        set_axes(self.run, [(axis, share) for axis, share in pairs if axis is not None])


def make(context: PanelContext) -> Panel:
    """The panel's widget."""
    return VariablesPanel(context)

"""The Node panel: everything about what is selected on the graph canvas."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QFormLayout,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from core.blending.easing import EaseShape, EaseWay, Easing
from core.errors import AnimError
from core.graph import edits
from core.graph.catalogue.every import shape_of
from core.graph.catalogue.pins import Form, Parameter, PinKind, Surroundings
from core.graph.graph import BlendKind, Interrupt, InterruptBy, Node, TargetStart, Transition
from core.graph.language.values import BOOL, FLOAT
from core.graph.problems import Problem
from editor.model.graph.editor import GraphEditor
from editor.model.graph.machines import BLEND_WORDS
from editor.model.graph.naming import named, spelled
from editor.model.graph.options import Option, Options
from editor.model.i18n import tr
from editor.panels.graph_node.fields import EasingPlot, expression_field, parameter_field
from editor.panels.graph_node.order import OrderList
from editor.qt.binding import Bindings
from editor.qt.focus import tab_through
from editor.qt.number_field import NumberField
from editor.qt.panel import Panel, PanelContext
from editor.qt.widgets import ElidedLabel, label

LABELS = 92


class NodePanel(Panel):
    """Rebuilt when what is selected differs."""

    def __init__(self, context: PanelContext) -> None:
        super().__init__()
        self.setObjectName("graphNodePanel")
        self.theme, self.context = context.theme, context
        self.editor = context.session.feature(GraphEditor)
        self.canvas = self.editor.canvas
        self.options = Options(self.canvas, self.editor.language)
        self._shown: object = None
        self._held: list[Node | Transition] = []
        self._told: tuple[Problem, ...] = ()
        self._places: list[tuple[str, QWidget, QVBoxLayout]] = []
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        self.area = QScrollArea()
        self.area.setWidgetResizable(True)
        self.area.setFrameShape(QScrollArea.Shape.NoFrame)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        column.addWidget(self.area)
        self._bindings = Bindings(self)
        self._bindings.refresh(
            self.refresh, self.canvas.changed, self.canvas.moved, self.editor.problems.changed
        )
        self.refresh()

    # ------------------------------------------------------------ what is shown
    def refresh(self) -> None:
        """Show what is selected, as it is."""
        graph, scene = self.canvas.graph, self.canvas.committed
        chosen = self.canvas.state.selection
        found: list[Node | Transition] = []
        if scene is not None:
            found += [n for n in scene.sheet.nodes if n.id in chosen]
            found += [t for t in scene.sheet.transitions if t.id in chosen]
        stamp = (
            tuple(map(id, found)),
            graph.id if graph is not None else None,
            None if graph is None else (graph.variables, graph.slots, graph.name),
            scene.token if scene is not None else None,
            scene.sheet if scene is not None and (not found or isinstance(found[0], Transition)) else None,
            tuple(scene.nodes[n.id].inputs for n in found if isinstance(n, Node))
            if scene is not None
            else (),
        )
        if stamp == self._shown or (found == self._held and self._typing()):
            if self._told is not self.editor.problems.found:
                self._tell_problems()  # they come a moment later: the field that is being used must stay
            return
        self._shown, self._held = stamp, found
        self._places = []
        body = QWidget()
        form = QFormLayout(body)
        form.setContentsMargins(10, 8, 10, 10)
        form.setSpacing(5)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        self.form = form
        nodes = [n for n in found if isinstance(n, Node)]
        if len(found) == 1 and nodes:
            self._node(nodes[0])
        elif found and not nodes:
            self._transitions([t for t in found if isinstance(t, Transition)])
        elif found:
            form.addRow(label(tr("{count} selected", count=len(found)), "heading"))
        elif graph is not None:
            self._graph()
        else:
            form.addRow(label(tr("No graph is open"), "dim"))
        self._tell_problems()
        keyboard = self._keyboard()
        self.area.setWidget(body)
        tab_through(self.area, body)
        again = body.findChild(QWidget, keyboard) if keyboard else None
        if again is not None:
            again.setFocus(Qt.FocusReason.TabFocusReason)
        elif keyboard is not None:
            self.area.setFocus(Qt.FocusReason.OtherFocusReason)

    def _keyboard(self) -> str | None:
        """Name of the field with the keyboard, which is to have it again when all are made anew.

        "" after something was typed and handed over: undo is the document's again; None where it is elsewhere.
        """
        widget = QApplication.focusWidget()
        if widget is None or not self.area.isAncestorOf(widget):
            return None
        if isinstance(widget, QLineEdit) and widget.isModified():
            return ""
        while not widget.objectName() and widget.parentWidget() is not None:
            widget = widget.parentWidget()
        return widget.objectName()

    def _typing(self) -> bool:
        """Whether something is typed that was not handed over yet: it must not be lost."""
        line = QApplication.focusWidget()
        return isinstance(line, QLineEdit) and self.area.isAncestorOf(line) and line.isModified()

    def _row(self, title: str, widget: QWidget, name: str, tip: str = "") -> None:
        widget.setObjectName(name)
        widget.setMinimumWidth(40)
        widget.setSizePolicy(QSizePolicy.Policy.Ignored, widget.sizePolicy().verticalPolicy())
        text = ElidedLabel(title)
        text.setFixedWidth(LABELS)
        text.setProperty("role", "dim")
        if tip:
            widget.setToolTip(tip)
        self.form.addRow(text, widget)

    def _line(self, title: str, text: str, name: str, put: Callable[[str], object], tip: str = "") -> None:
        """A line of text that is handed over where it differs."""
        line = QLineEdit(text)

        def taken() -> None:
            if line.text() != text:
                self._guarded(lambda: put(line.text()))

        line.editingFinished.connect(taken)
        self._row(title, line, name, tip)

    def _problems(self, item: str) -> None:
        """A place for what is wrong with an item, filled by `_tell_problems`."""
        place = QWidget()
        column = QVBoxLayout(place)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(5)
        self.form.addRow(place)
        self._places.append((item, place, column))

    def _tell_problems(self) -> None:
        """Say what is wrong now, with its quick fixes; nothing else is made again."""
        self._told = self.editor.problems.found
        for item, place, column in self._places:
            while column.count():
                taken = column.takeAt(0)
                widget = None if taken is None else taken.widget()
                if widget is not None:
                    widget.hide()
                    widget.deleteLater()
            problems = self.editor.problems.of(item)
            for problem in problems:
                self._tell(problem, column)
            place.setVisible(bool(problems))

    def _tell(self, problem: Problem, column: QVBoxLayout) -> None:
        text = label(problem.message, wrap=True)
        color = self.theme.tokens.warning if problem.warning else self.theme.tokens.error
        text.setStyleSheet(f"color: {color}")
        column.addWidget(text)
        for fix in self.editor.problems.fixes(problem):
            button = QPushButton(fix.title)
            button.clicked.connect(
                lambda _=False, fix=fix: self._guarded(lambda: self.editor.problems.fix(fix))
            )
            column.addWidget(button)

    def _guarded(self, work: Callable[[], object]) -> None:
        try:
            work()
        except AnimError as error:
            self.canvas.messages.info(str(error))
            self._shown = None
            self.refresh()

    # ------------------------------------------------------------ a node
    def _node(self, node: Node) -> None:
        editor, scene = self.editor, self.canvas.committed
        assert scene is not None
        self.form.addRow(label(named(node.kind).title, "heading"))
        self._problems(node.id)
        if node.kind not in ("get", "output"):
            self._line(
                tr("Name"), node.name, "node.name", lambda text: editor.renames.rename_node(node.id, text)
            )
        wired = tuple(x.pin for x in scene.sheet.links if x.target == node.id)
        around = scene.token
        if not isinstance(around, Surroundings):
            return
        own = Surroundings(around.graph, around.spaces, around.pose_assets, around.graphs, wired)
        shape = shape_of(node, own)
        for parameter in shape.parameters:
            if parameter.form is not Form.SHEET:
                self._parameter(node, parameter)
        if node.kind == "state":
            for moment in ("enter", "full", "leave", "gone"):
                put = partial(self._type, node.id, moment)
                self._line(
                    tr("On {moment}", moment=moment), node.literals.get(moment, ""), f"state.{moment}", put,
                    tr("What the state does then, such as: foot := curve('Foot'); emit('landed')"),
                )  # fmt: skip
        for pin in shape.inputs:
            if pin.kind is not PinKind.VALUE:
                continue
            if pin.name in wired:
                self._row(spelled(pin.name), label(tr("wired"), "dim"), f"pin.{pin.name}")
                continue
            text = node.literals.get(pin.name, pin.default or "")
            put = partial(self._type, node.id, pin.name)
            field = expression_field(self.theme, editor.language, text, pin.type, put)
            self._row(spelled(pin.name), field, f"pin.{pin.name}", str(pin.type or ""))

    def _type(self, node: str, pin: str, text: str) -> None:
        self._guarded(lambda: self.editor.nodes.set_literal(node, pin, text))

    def _parameter(self, node: Node, parameter: Parameter) -> None:
        def put(value: object) -> None:
            self._guarded(lambda: self._put(node, parameter, value))

        field = parameter_field(
            self.theme, parameter, node.parameters.get(parameter.name), self.options.of(parameter, node), put
        )
        self._row(spelled(parameter.name), field, f"parameter.{parameter.name}")

    def _put(self, node: Node, parameter: Parameter, value: object) -> None:
        if value == node.parameters.get(parameter.name):
            return
        if parameter.form is Form.SLOT and isinstance(value, str):
            graph = self.canvas.graph
            if graph is not None and value not in graph.slots:
                return
        self.editor.nodes.set_parameter([node.id], parameter.name, value)  # type: ignore[arg-type]

    # ------------------------------------------------------------ transitions
    def _transitions(self, found: list[Transition]) -> None:
        editor, first = self.editor, found[0]
        ids = [str(t.id) for t in found]
        title = editor.machines.words(first.id).split("\n")[0]
        if len(found) > 1:
            title = tr("{count} transitions", count=len(found))
        self.form.addRow(label(title, "heading", wrap=True))
        for id in ids:
            self._problems(id)
        machines = editor.machines
        if len(found) == 1:
            rule = expression_field(
                self.theme, editor.language, first.rule, BOOL,
                lambda text: self._guarded(lambda: machines.set_rule(first.id, text)),
            )  # fmt: skip
            rule.setPlaceholderText(tr("speed > 0.1 and not in_air"))
            self._row(tr("Rule"), rule, "transition.rule")
        self._automatic(first, ids)
        seconds = expression_field(
            self.theme, editor.language, first.blend.seconds, FLOAT,
            lambda text: self._guarded(lambda: machines.set_blend(ids, seconds=text.strip() or "0")),
        )  # fmt: skip
        self._row(tr("Blend time"), seconds, "transition.seconds", tr("Seconds, or an expression"))
        plain = first.blend.kind is not BlendKind.CUSTOM  # a sheet of its own is made where the blend has one
        kinds = [Option(str(k), BLEND_WORDS[k]) for k in BlendKind if k is not BlendKind.CUSTOM or not plain]
        self._choice(tr("Blend"), "transition.kind", kinds, str(first.blend.kind),
                     lambda v: machines.set_blend(ids, kind=BlendKind(str(v))))  # fmt: skip
        self._easing(first, ids)
        starts = [Option(str(s), spelled(str(s))) for s in TargetStart]
        self._choice(tr("Target starts"), "transition.start", starts, str(first.start),
                     lambda v: machines.change(ids, start=TargetStart(str(v))))  # fmt: skip
        if first.start is TargetStart.AT:
            at = NumberField(self.theme, "s", None, 0.01, 2, (0.0, 1e4))
            at.set_value(first.start_at)
            at.committed.connect(lambda x: self._guarded(lambda: machines.change(ids, start_at=x)))
            self._row(tr("At"), at, "transition.start_at")
        masks = self.options.of(Parameter("profile", Form.MASK, ""), Node(first.id, "state"))
        profile = parameter_field(
            self.theme, Parameter("profile", Form.MASK, ""), first.blend.profile, masks,
            lambda v: self._guarded(lambda: machines.set_blend(ids, profile=str(v or ""))),
        )  # fmt: skip
        self._row(
            tr("Profile"), profile, "transition.profile", tr("Mask whose weights are factors of the time")
        )
        for name, title in (("min_time", tr("Min time in state")), ("reentry_time", tr("Re-entry time"))):
            field = NumberField(self.theme, "s", None, 0.01, 2, (0.0, 1e4))
            field.set_value(getattr(first, name))
            field.committed.connect(
                lambda x, name=name: self._guarded(lambda: machines.change(ids, **{name: x}))
            )
            self._row(title, field, f"transition.{name}")
        ways = [Option(str(i), spelled(str(i))) for i in Interrupt]
        self._choice(tr("Interrupt"), "transition.interrupt", ways, str(first.interrupt),
                     lambda v: machines.change(ids, interrupt=Interrupt(str(v))))  # fmt: skip
        by = [Option(str(i), spelled(str(i))) for i in InterruptBy]
        self._choice(tr("Interrupted by"), "transition.interrupt_by", by, str(first.interrupt_by),
                     lambda v: machines.change(ids, interrupt_by=InterruptBy(str(v))))  # fmt: skip
        sheet = self.canvas.sheet
        if sheet is not None:
            leaving = edits.ranked(sheet, first.source)
            rows = [(str(t.id), editor.machines.words(t.id).replace("\n", " · ")) for t in leaving]
            self.form.addRow(label(tr("Order (drag): the first that holds is taken"), "dim", wrap=True))
            order = OrderList(rows, ids, lambda new: self._guarded(lambda: machines.order(new)))
            order.chosen.connect(lambda id: self.canvas.select([id]))
            self.form.addRow(order)

    def _choice(
        self, title: str, name: str, options: list[Option], value: str, put: Callable[[object], object]
    ) -> None:
        parameter = Parameter(name, Form.CHOICE, None, tuple(o.value for o in options))
        field = parameter_field(
            self.theme, parameter, value, options, lambda v: self._guarded(lambda: put(v))
        )
        self._row(title, field, name)

    def _automatic(self, first: Transition, ids: list[str]) -> None:
        machines = self.editor.machines
        box = QCheckBox(tr("when the clip ends"))
        box.setChecked(first.automatic is not None)
        box.toggled.connect(
            lambda on: self._guarded(lambda: machines.change(ids, automatic=-1.0 if on else None))
        )
        self._row(tr("Automatic"), box, "transition.automatic")
        if first.automatic is not None:
            field = NumberField(self.theme, "s", None, 0.01, 2, (-1.0, 1e4))
            field.set_value(first.automatic)
            field.committed.connect(lambda x: self._guarded(lambda: machines.change(ids, automatic=x)))
            tip = tr("Seconds that the clip has left; −1 as long as the blend takes")
            self._row(tr("Time left"), field, "transition.left", tip)
            graph = self.canvas.graph
            nodes = [] if graph is None else [n for s in graph.sheets for n in s.nodes]
            names = sorted({n.name for n in nodes if n.name and n.kind in ("clip", "blend_space")})
            parameter = Parameter("player", Form.GROUP, "")
            put = parameter_field(
                self.theme, parameter, first.player, [Option(n, n) for n in names],
                lambda v: self._guarded(lambda: machines.change(ids, player=str(v or ""))),
            )  # fmt: skip
            self._row(tr("Player"), put, "transition.player", tr("The heaviest one where none is named"))

    def _easing(self, first: Transition, ids: list[str]) -> None:
        machines, easing = self.editor.machines, first.blend.easing
        graph = self.canvas.graph
        maps = list(graph.maps) if graph is not None else []
        shapes = [Option(str(s), spelled(str(s))) for s in EaseShape if s is not EaseShape.CURVE or maps]

        def put(**changes: object) -> None:
            values = {
                "shape": easing.shape,
                "way": easing.way,
                "power": easing.power,
                "curve": easing.curve,
                **changes,
            }
            if values["shape"] is EaseShape.CURVE and not values["curve"]:
                values["curve"] = maps[0]
            machines.set_blend(ids, easing=Easing(**values))  # type: ignore[arg-type]

        self._choice(
            tr("Easing"), "transition.ease", shapes, str(easing.shape), lambda v: put(shape=EaseShape(str(v)))
        )
        if easing.shape in (EaseShape.POWER, EaseShape.CIRCULAR, EaseShape.EXPONENTIAL):
            ways = [Option(str(w), spelled(str(w))) for w in EaseWay]
            self._choice(
                tr("Slow at"), "transition.way", ways, str(easing.way), lambda v: put(way=EaseWay(str(v)))
            )
        if easing.shape is EaseShape.POWER:
            power = NumberField(self.theme, "", None, 0.02, 0, (2, 5))
            power.set_value(easing.power)
            power.committed.connect(lambda x: self._guarded(lambda: put(power=round(x))))
            self._row(tr("Power"), power, "transition.power")
        if easing.shape is EaseShape.CURVE:
            curves = [Option(m, m) for m in maps]
            self._choice(tr("Map"), "transition.map", curves, easing.curve or "", lambda v: put(curve=str(v)))
        self.form.addRow(EasingPlot(self.theme, easing))

    # ------------------------------------------------------------ the graph
    def _graph(self) -> None:
        graph, sheet = self.canvas.require()
        renames = self.editor.renames
        self.form.addRow(label(tr("Graph"), "heading"))
        self._line(tr("Name"), graph.name, "graph.name", renames.rename_graph)
        if edits.holder_of(graph, sheet.id) is None:
            self._line(
                tr("Sheet"), sheet.name, "graph.sheet", lambda text: renames.rename_sheet(sheet.id, text)
            )
        slots = QLineEdit(", ".join(graph.slots))
        slots.setPlaceholderText("DefaultGroup.UpperBody")
        slots.editingFinished.connect(lambda: self._guarded(lambda: self.editor.set_slots(slots.text())))
        self._row(tr("Slots"), slots, "graph.slots", tr("group.slot, comma-separated: where montages play"))

    def close_panel(self) -> None:
        self._bindings.drop()


def make(context: PanelContext) -> Panel:
    """The panel's widget."""
    return NodePanel(context)

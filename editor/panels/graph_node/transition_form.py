"""The fields of transitions: rule, blend with its easing, times, interruption, order."""

from PySide6.QtWidgets import QCheckBox, QPushButton

from core.blending.easing import EaseShape, EaseWay, Easing
from core.graph import edits
from core.graph.catalogue.pins import Form, Parameter
from core.graph.graph import (
    BlendKind,
    Interrupt,
    InterruptBy,
    Node,
    SheetKind,
    TargetStart,
    Transition,
)
from core.graph.language.values import BOOL, FLOAT
from editor.model.graph.choices import Option
from editor.model.graph.editor import GraphEditor
from editor.model.graph.ghost_strip import GhostStrip
from editor.model.graph.machines import BLEND_WORDS
from editor.model.graph.naming import spelled
from editor.model.graph.options import Options
from editor.model.i18n import tr
from editor.panels.graph_node.fields import EasingPlot, expression_field, parameter_field
from editor.panels.graph_node.order import OrderList
from editor.panels.graph_node.rows import Rows
from editor.qt.number_field import NumberField
from editor.qt.theme import Theme
from editor.qt.widgets import label


class TransitionForm:
    """Fills a form with what is selected; several transitions get the values of the first where they are changed.

    Parameters
    ----------
    strip : shows the transition in the viewport
    """

    def __init__(
        self,
        rows: Rows,
        editor: GraphEditor,
        options: Options,
        theme: Theme,
        strip: GhostStrip,
    ) -> None:
        self.rows, self.editor, self.options, self.theme = rows, editor, options, theme
        self.canvas, self._strip = editor.canvas, strip

    def fill(self, found: list[Transition]) -> None:
        """Show transitions."""
        editor, first = self.editor, found[0]
        ids = [str(t.id) for t in found]
        title = editor.machines.words(first.id).split("\n")[0]
        if len(found) > 1:
            title = tr("{count} transitions", count=len(found))
        self.rows.form.addRow(label(title, "heading", wrap=True))
        machines = editor.machines
        if len(found) == 1:
            rule = expression_field(
                self.theme, editor.language, first.rule, BOOL,
                lambda text: self.rows.guarded(lambda: machines.set_rule(first.id, text)),
            )  # fmt: skip
            rule.setPlaceholderText(tr("speed > 0.1 and not in_air"))
            self.rows.row(tr("Rule"), rule, "transition.rule")
        self._automatic(first, ids)
        seconds = expression_field(
            self.theme, editor.language, first.blend.seconds, FLOAT,
            lambda text: self.rows.guarded(lambda: machines.set_blend(ids, seconds=text.strip() or "0")),
        )  # fmt: skip
        self.rows.row(tr("Blend time"), seconds, "transition.seconds", tr("Seconds, or an expression"))
        kinds = [Option(str(k), BLEND_WORDS[k]) for k in BlendKind]

        def set_kind(value: object) -> None:
            kind = BlendKind(str(value))
            machines.custom_blend(ids) if kind is BlendKind.CUSTOM else machines.set_blend(ids, kind=kind)

        self.rows.choice(tr("Blend"), "transition.kind", kinds, str(first.blend.kind), set_kind)
        if first.blend.kind is BlendKind.CUSTOM:
            self._custom_sheet(first, ids)
        self._easing(first, ids)
        if len(found) == 1:
            self._ghosts()
        starts = [Option(str(s), spelled(str(s))) for s in TargetStart]
        self.rows.choice(tr("Target starts"), "transition.start", starts, str(first.start),
                     lambda v: machines.change(ids, start=TargetStart(str(v))))  # fmt: skip
        if first.start is TargetStart.AT:
            at = NumberField(self.theme, "s", None, 0.01, 2, (0.0, 1e4))
            at.set_value(first.start_at)
            at.committed.connect(lambda x: self.rows.guarded(lambda: machines.change(ids, start_at=x)))
            self.rows.row(tr("At"), at, "transition.start_at")
        masks = self.options.of(Parameter("profile", Form.MASK, ""), Node(first.id, "state"))
        profile = parameter_field(
            self.theme, Parameter("profile", Form.MASK, ""), first.blend.profile, masks,
            lambda v: self.rows.guarded(lambda: machines.set_blend(ids, profile=str(v or ""))),
        )  # fmt: skip
        self.rows.row(
            tr("Profile"), profile, "transition.profile", tr("Mask whose weights are factors of the time")
        )
        times = (
            ("min_time", tr("Min time"), tr("Seconds that the source must have been active")),
            ("reentry_time", tr("Re-entry time"), tr("Seconds since the target was left, at the least")),
        )
        for name, title, tip in times:
            field = NumberField(self.theme, "s", None, 0.01, 2, (0.0, 1e4))
            field.set_value(getattr(first, name))
            field.committed.connect(
                lambda x, name=name: self.rows.guarded(lambda: machines.change(ids, **{name: x}))
            )
            self.rows.row(title, field, f"transition.{name}", tip)
        ways = [Option(str(i), spelled(str(i))) for i in Interrupt]
        self.rows.choice(tr("Interrupt"), "transition.interrupt", ways, str(first.interrupt),
                     lambda v: machines.change(ids, interrupt=Interrupt(str(v))))  # fmt: skip
        by = [Option(str(i), spelled(str(i))) for i in InterruptBy]
        self.rows.choice(tr("Interrupted by"), "transition.interrupt_by", by, str(first.interrupt_by),
                     lambda v: machines.change(ids, interrupt_by=InterruptBy(str(v))))  # fmt: skip
        sheet = self.canvas.sheet
        if sheet is not None:
            leaving = edits.ranked(sheet, first.source)
            rows = [(str(t.id), editor.machines.words(t.id).replace("\n", " · ")) for t in leaving]
            self.rows.form.addRow(label(tr("Order (drag): the first that holds is taken"), "dim", wrap=True))
            order = OrderList(rows, ids, lambda new: self.rows.guarded(lambda: machines.order(new)))
            order.chosen.connect(lambda id: self.canvas.select([id]))
            self.rows.form.addRow(order)

    def _ghosts(self) -> None:
        """Whether the viewport shows it, and why it cannot."""
        box, strip = QCheckBox(tr("while paused")), self._strip
        box.setChecked(strip.wanted)
        box.toggled.connect(lambda on: setattr(strip, "wanted", on))
        tip = tr(
            "In the viewport, without running it: where it typically leaves, half of the blend, where it leads"
        )
        self.rows.row(tr("Ghosts"), box, "transition.ghosts", tip)
        if strip.wanted and strip.reason:
            self.rows.form.addRow(label(tr("No ghosts: {reason}", reason=strip.reason), "dim", wrap=True))

    def _custom_sheet(self, first: Transition, ids: list[str]) -> None:
        """Which sheet makes one pose of both, and the way to it."""
        graph, machines = self.canvas.graph, self.editor.machines
        sheets = [] if graph is None else [s for s in graph.sheets if s.kind is SheetKind.POSE]
        options = [Option(str(s.id), s.name) for s in sheets if s.of_kind("pose_input")]
        self.rows.choice(
            tr("Its sheet"), "transition.sheet", options, first.blend.sheet,
            lambda v: machines.set_blend(ids, sheet=str(v)),
        )  # fmt: skip
        button = QPushButton(tr("Open its sheet"))
        button.setObjectName("transition.open_sheet")
        button.setToolTip(tr("Expressions there know w (the eased weight), t and T (seconds)"))
        button.clicked.connect(lambda: self.canvas.enter(first.blend.sheet))
        self.rows.form.addRow(button)

    def _automatic(self, first: Transition, ids: list[str]) -> None:
        machines = self.editor.machines
        box = QCheckBox(tr("when the clip ends"))
        box.setChecked(first.automatic is not None)
        box.toggled.connect(
            lambda on: self.rows.guarded(lambda: machines.change(ids, automatic=-1.0 if on else None))
        )
        self.rows.row(tr("Automatic"), box, "transition.automatic")
        if first.automatic is not None:
            field = NumberField(self.theme, "s", None, 0.01, 2, (-1.0, 1e4))
            field.set_value(first.automatic)
            field.committed.connect(lambda x: self.rows.guarded(lambda: machines.change(ids, automatic=x)))
            tip = tr("Seconds that the clip has left; −1 as long as the blend takes")
            self.rows.row(tr("Time left"), field, "transition.left", tip)
            graph = self.canvas.graph
            nodes = [] if graph is None else [n for s in graph.sheets for n in s.nodes]
            names = sorted({n.name for n in nodes if n.name and n.kind in ("clip", "blend_space")})
            parameter = Parameter("player", Form.GROUP, "")
            put = parameter_field(
                self.theme, parameter, first.player, [Option(n, n) for n in names],
                lambda v: self.rows.guarded(lambda: machines.change(ids, player=str(v or ""))),
            )  # fmt: skip
            self.rows.row(tr("Player"), put, "transition.player", tr("The heaviest one where none is named"))

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

        self.rows.choice(
            tr("Easing"), "transition.ease", shapes, str(easing.shape), lambda v: put(shape=EaseShape(str(v)))
        )
        if easing.shape in (EaseShape.POWER, EaseShape.CIRCULAR, EaseShape.EXPONENTIAL):
            ways = [Option(str(w), spelled(str(w))) for w in EaseWay]
            self.rows.choice(
                tr("Slow at"), "transition.way", ways, str(easing.way), lambda v: put(way=EaseWay(str(v)))
            )
        if easing.shape is EaseShape.POWER:
            power = NumberField(self.theme, "", None, 0.02, 0, (2, 5))
            power.set_value(easing.power)
            power.committed.connect(lambda x: self.rows.guarded(lambda: put(power=round(x))))
            self.rows.row(tr("Power"), power, "transition.power")
        if easing.shape is EaseShape.CURVE:
            curves = [Option(m, m) for m in maps]
            self.rows.choice(
                tr("Map"), "transition.map", curves, easing.curve or "", lambda v: put(curve=str(v))
            )
        self.rows.form.addRow(EasingPlot(self.theme, easing))

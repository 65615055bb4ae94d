"""The IK panel: set-ups, the active one with its live residual, limits, pins and the ground."""

from collections.abc import Callable
from functools import partial
from typing import Any

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QGridLayout,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QStackedLayout,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from core.ik.body import Reach
from core.rig.ik_setup import EndRotation, IkSolver
from editor.model.i18n import tr
from editor.model.ik.state import IkState
from editor.panels.ik.limits_view import LimitsView
from editor.panels.ik.setup_list import ROW, SetupList
from editor.panels.ik.view_model import SOLVER_NAMES, IkModel
from editor.qt import tokens
from editor.qt.action_tip import action_button, tell_action
from editor.qt.binding import Bindings
from editor.qt.choice import ChoiceBox
from editor.qt.number_field import NumberField
from editor.qt.panel import Panel, PanelContext
from editor.qt.widgets import EmptyState, add_heading, icon_button, label, set_role

ENDS = (
    (EndRotation.MODEL, "Keep world"),
    (EndRotation.LOCAL, "Follow parent"),
    (EndRotation.GOAL, "Match goal"),
)
AXES = tuple(
    (f"{sign}{name}", tuple(value * (number == axis) + 0.0 for number in range(3)))
    for axis, name in enumerate("XYZ")
    for sign, value in (("+", 1.0), ("−", -1.0))
)
"""Of a bone's own frame."""
ROWS = 7
"""Set-ups seen at once; more scroll."""
REACHES = ((Reach.BONE, "Bone"), (Reach.LIMB, "Limb"), (Reach.CHAIN, "Chain"), (Reach.BODY, "Body"))


class IkPanel(Panel):
    """Everything about IK, in one column that scrolls."""

    def __init__(self, context: PanelContext) -> None:
        super().__init__()
        self.setObjectName("ikPanel")
        self._context, self.model = context, IkModel(context.session)
        self._seen: str | None = None
        self._filled: dict[QComboBox, tuple[str, ...]] = {}
        body = QWidget()
        self._column = QVBoxLayout(body)
        self._column.setContentsMargins(12, 8, 12, 12)
        self._column.setSpacing(6)
        self._list()
        self._details()
        self._ground()
        self._column.addStretch(1)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setWidget(body)
        self.empty = EmptyState(
            context.theme, "ik", "", tr("Propose set-ups"), lambda: context.actions.run("ik.propose")
        )
        self._stack = QStackedLayout(self)
        self._stack.addWidget(area)
        self._stack.addWidget(self.empty)
        session = context.session
        self.tell_sight(session.feature(IkState).watch)
        bindings = Bindings(self)
        bindings.refresh(
            self.refresh, session.feature(IkState).changed, session.feature(IkState).solved, session.evaluator.changed,
            session.document.changed, session.selection.bones_changed, session.playback.clip_changed,
        )  # fmt: skip
        self.refresh()

    def sizeHint(self) -> QSize:
        return QSize(272, 520)

    # ------------------------------------------------------------ building
    def _heading(self, text: str, *right: QWidget) -> None:
        add_heading(self._column, self._context.theme, text, *right)

    def _list(self) -> None:
        theme, actions = self._context.theme, self._context.actions
        row = QHBoxLayout()
        row.setSpacing(4)
        row.addWidget(label(tr("Drag scope"), "dim"))
        row.addStretch(1)
        self.reach: dict[Reach, QToolButton] = {}
        for reach, text in REACHES:
            button = QToolButton()
            button.setText(tr(text))
            button.setCheckable(True)
            button.setObjectName(f"reach.{reach.value}")
            tell_action(button, actions, f"ik.reach_{reach.value}")
            button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            button.clicked.connect(lambda _=False, r=reach: actions.run(f"ik.reach_{r.value}"))
            self.reach[reach] = button
            row.addWidget(button)
        self._column.addLayout(row)
        add = action_button(theme, actions, "ik.add", "add", "ikAdd", size=22)
        add.clicked.connect(lambda: actions.run("ik.add"))
        more = action_button(theme, actions, "ik.propose", "bones", "ikPropose", size=22)
        more.clicked.connect(lambda: actions.run("ik.propose"))
        remove = icon_button(theme, "delete", tr("Remove this set-up"), name="ikRemove", token="dim", size=22)
        remove.clicked.connect(lambda: self.model.remove())
        self._heading(tr("Set-ups"), add, more, remove)
        self.list = SetupList(theme)
        self.list.chosen.connect(self._context.session.feature(IkState).select)
        self.list.toggled.connect(lambda name: self.model.toggle(name))
        frame = QScrollArea()
        frame.setWidgetResizable(True)
        frame.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        frame.setFrameShape(QScrollArea.Shape.NoFrame)
        frame.setWidget(self.list)
        self._list_frame = frame
        self._column.addWidget(frame)

    def _details(self) -> None:
        self.ending = label("", "caption")
        self.ending.setObjectName("ikEnding")
        self.ending.setFont(self._context.theme.font(tokens.CAPTION, tabular=True))
        self._heading(tr("Chain"), self.ending)
        grid = self._grid()
        self.name = QLineEdit()
        self.name.setObjectName("ikName")
        self.name.editingFinished.connect(self._rename)
        self._pair(grid, tr("Name"), self.name)
        self.solver = self._box("ikSolver", [(tr(SOLVER_NAMES[s]), s) for s in IkSolver], "solver")
        self._pair(grid, tr("Solver"), self.solver)
        self.root, self.tip = self._bone_box("ikRoot", "root"), self._bone_box("ikTip", "tip")
        self._pair(grid, tr("From"), self.root)
        self._pair(grid, tr("To"), self.tip)
        self.end = self._box("ikEnd", [(tr(text), end) for end, text in ENDS], "end_rotation")
        self._pair(grid, tr("End bone"), self.end)
        self.weight = self._field("ikWeight", "%", 1.0, 0, 0.0, 100.0, keyed=True)
        self.weight.committed.connect(lambda value: self.model.set_weight(value / 100.0))
        self._pair(grid, tr("Weight"), self.weight)
        self._goal()
        self._numbers()
        self._limits()

    def _goal(self) -> None:
        self._heading(tr("Goal"))
        grid = self._grid()
        self.space = ChoiceBox()
        self.space.setObjectName("ikSpace")
        self._narrow(self.space)
        self.space.activated.connect(lambda _: self.model.set_space(self.space.currentData()))
        self._pair(grid, tr("Space"), self.space)
        self.goal = self._axes("ikGoal", "goal", 0.001, 3, tr("Where the goal is, metres"))
        self.turn = self._axes("ikTurn", "turn", 1.0, 1, tr("How the goal is turned, degrees"))
        self.pole = QCheckBox(tr("Pole"))
        self.pole.setObjectName("ikPole")
        self.pole.setToolTip(
            tr("The direction of the bend. Without a pole the chain bends in its present plane")
        )
        self.pole.clicked.connect(lambda on: self.model.change(pole=self._pole_target() if on else None))
        self._column.addWidget(self.pole)
        self.match = self._doing("ik.match", tr("Match (FK→IK)"), "ikMatch")
        self.bake = self._doing("ik.bake", tr("Bake (IK→FK)"), "ikBake")
        row = QHBoxLayout()
        row.setSpacing(4)
        row.addWidget(self.match)
        row.addWidget(self.bake)
        self._column.addLayout(row)

    def _axes(self, name: str, what: str, step: float, decimals: int, tip: str) -> list[NumberField]:
        """A row of three fields for the goal."""
        row = QHBoxLayout()
        row.setSpacing(4)
        fields: list[NumberField] = []
        for axis in range(3):
            field = NumberField(self._context.theme, "°" if what == "turn" else "", axis, step, decimals)
            field.setObjectName(f"{name}.{'xyz'[axis]}")
            field.setToolTip(tip)
            field.setFixedHeight(tokens.CONTROL)
            field.setMinimumWidth(48)
            field.committed.connect(lambda value, axis=axis: self.model.set_goal(axis, value, what))
            fields.append(field)
            row.addWidget(field)
        self._column.addLayout(row)
        return fields

    def _numbers(self) -> None:
        self._heading(tr("Solving"))
        grid = self._grid()
        self.iterations = self._field("ikIterations", "", 0.25, 0, 0, 500)
        self.iterations.committed.connect(lambda value: self.model.change(iterations=round(value)))
        self._pair(grid, tr("Max iterations"), self.iterations)
        self.tolerance = self._field("ikTolerance", "mm", 0.01, 2, 0.001, 1000.0)
        self.tolerance.committed.connect(lambda value: self.model.change(tolerance=value / 1000.0))
        self._pair(grid, tr("Tolerance"), self.tolerance)
        self.step = self._field("ikStep", "°", 0.5, 0, 1.0, 180.0)
        self.step.setToolTip(
            tr("Largest rotation of a bone per iteration. Small values spread the bend over the chain")
        )
        self.step.committed.connect(lambda value: self.model.change(step=value))
        self._pair(grid, tr("Max angle per iteration"), self.step)
        self.soft = self._field("ikSoft", "%", 0.5, 0, 0.0, 90.0)
        self.soft.committed.connect(lambda value: self.model.change(soft=value / 100.0))
        self._pair(grid, tr("Soft reach"), self.soft)
        self.stretch = self._field("ikStretch", "×", 0.01, 2, 1.0, 10.0)
        self.stretch.setToolTip(
            tr("How far the chain may stretch to reach the goal, as a factor of its length")
        )
        self.stretch.committed.connect(lambda value: self.model.change(stretch_limit=value))
        self._pair(grid, tr("Stretch"), self.stretch)
        self.stretch_start = self._field("ikStretchStart", "%", 0.5, 0, 10.0, 100.0)
        self.stretch_start.setToolTip(
            tr(
                "Distance of the goal at which stretching starts, as a factor of the chain's length; needs a "
                "stretch over 1"
            )
        )
        self.stretch_start.committed.connect(lambda value: self.model.change(stretch_start=value / 100.0))
        self._pair(grid, tr("Stretch start"), self.stretch_start)
        self._aim()

    def _aim(self) -> None:
        """What an aiming bone needs; shown for those alone."""
        self._aiming = QWidget()
        grid = QGridLayout(self._aiming)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(4)
        grid.setColumnMinimumWidth(0, 84)
        grid.setColumnStretch(1, 1)
        axes = [(text, axis) for text, axis in AXES]
        self.aim_axis = self._box("ikAimAxis", axes, "aim_axis", self.model.aim_along)
        self.aim_axis.setToolTip(tr("Which of the bone's own axes points at the goal"))
        self.up_axis = self._box("ikUpAxis", axes, "up_axis", self.model.keep_up)
        self.up_axis.setToolTip(tr("Which of the bone's own axes points up while it aims"))
        self.aim_limit = self._field("ikAimLimit", "°", 0.5, 0, 0.0, 180.0)
        self.aim_limit.setToolTip(tr("Largest rotation away from the pose"))
        self.aim_limit.committed.connect(lambda value: self.model.change(aim_limit=value))
        self._pair(grid, tr("Aim axis"), self.aim_axis)
        self._pair(grid, tr("Up axis"), self.up_axis)
        self._pair(grid, tr("Aim limit"), self.aim_limit)
        self._column.addWidget(self._aiming)

    def _limits(self) -> None:
        self.use_limits = QCheckBox(tr("Apply"))
        self.use_limits.setObjectName("ikUseLimits")
        self.use_limits.setToolTip(tr("Apply joint limits while this chain is solved (CCD and FABRIK)"))
        self.use_limits.clicked.connect(lambda on: self.model.change(use_limits=bool(on)))
        self._heading(tr("Joint limits"), self.use_limits)
        self.limits = LimitsView(self._context.theme, self.model)
        self._column.addWidget(self.limits)

    def _ground(self) -> None:
        self._heading(tr("Ground and feet"))
        grid = self._grid()
        self.ground: dict[str, NumberField] = {}
        rows = (
            ("height", tr("Height"), "m", 0.005, 3, -100.0, 100.0),
            ("tilt_x", tr("Slope to +X"), "°", 0.25, 1, -80.0, 80.0),
            ("tilt_z", tr("Slope to +Z"), "°", 0.25, 1, -80.0, 80.0),
            ("count", tr("Stairs"), "", 0.1, 0, 0.0, 100.0),
            ("rise", tr("Stair height"), "m", 0.002, 3, -2.0, 2.0),
            ("run", tr("Stair depth"), "m", 0.002, 3, 0.01, 10.0),
            ("start", tr("Stairs start at Z"), "m", 0.005, 3, -100.0, 100.0),
        )
        for name, text, unit, step, decimals, low, high in rows:
            field = self._field(f"ground.{name}", unit, step, decimals, low, high)
            field.committed.connect(lambda value, name=name: self.model.set_ground(name, value))
            self.ground[name] = field
            self._pair(grid, text, field)
        row = QHBoxLayout()
        row.setSpacing(4)
        row.addWidget(self._doing("ik.feet_pose", tr("Place in pose"), "feetPose"))
        row.addWidget(self._doing("ik.feet_clip", tr("Place in clip"), "feetClip"))
        self._column.addLayout(row)

    # ------------------------------------------------------------ small parts
    def _grid(self) -> QGridLayout:
        grid = QGridLayout()
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(4)
        grid.setColumnMinimumWidth(0, 84)
        grid.setColumnStretch(1, 1)
        self._column.addLayout(grid)
        return grid

    def _pair(self, grid: QGridLayout, text: str, widget: QWidget) -> None:
        row = grid.rowCount()
        grid.addWidget(label(text, "dim"), row, 0)
        grid.addWidget(widget, row, 1)

    def _field(
        self, name: str, unit: str, step: float, decimals: int, low: float, high: float, keyed: bool = False
    ) -> NumberField:
        field = NumberField(self._context.theme, unit, None, step, decimals, (low, high), keyed)
        field.setObjectName(name)
        field.setFixedHeight(tokens.CONTROL)
        return field

    def _narrow(self, box: QComboBox) -> None:
        box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        box.setMinimumContentsLength(8)
        box.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def _box(
        self, name: str, choices: list, field: str, use: Callable[[Any], object] | None = None
    ) -> QComboBox:
        box = ChoiceBox()
        box.setObjectName(name)
        self._narrow(box)
        for text, value in choices:
            box.addItem(text, value)
        box.activated.connect(lambda _: (use or partial(self._choose, field))(box.currentData()))
        return box

    def _bone_box(self, name: str, field: str) -> QComboBox:
        return self._box(name, [], field)

    def _choose(self, field: str, value: object) -> None:
        self.model.change(**{field: value})
        self.refresh()

    def _doing(self, action: str, text: str, name: str) -> QPushButton:
        actions = self._context.actions
        button = QPushButton(text)
        button.setObjectName(name)
        tell_action(button, actions, action)
        button.setStyleSheet("min-width: 0; padding: 3px 6px;")
        button.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        button.clicked.connect(lambda: actions.run(action))
        return button

    def _pole_target(self) -> object:
        setup = self.model.setup
        return setup.goal if setup is not None else None

    def _rename(self) -> None:
        setup = self.model.setup
        if setup is not None and self.name.text() != setup.name:
            self.model.rename(self.name.text())
            self.refresh()

    # ------------------------------------------------------------ showing
    def refresh(self) -> None:
        """Show everything as it is now; fields being edited stay."""
        model = self.model
        if model.rig is None or not model.rows():
            self.empty.set_text(
                tr("No character yet.")
                if model.rig is None
                else tr("IK chains follow a goal: arms and legs, spine, head.")
            )
            self._stack.setCurrentIndex(1)
            return
        self._stack.setCurrentIndex(0)
        reach = self._context.session.feature(IkState).reach
        for key, button in self.reach.items():
            button.setChecked(key is reach)
        self.list.show_rows(model.rows())
        self._list_frame.setFixedHeight(min(self.list.height(), ROWS * ROW + ROW // 2))
        active = self._context.session.feature(IkState).active
        if active != self._seen and active is not None and self.model.setup is not None:
            self._list_frame.ensureVisible(0, int(self.list.row_rect(active).center().y()), 0, ROW)
        self._seen = active
        self._show_setup()
        ground = model.ground
        for name, field in self.ground.items():
            field.set_value(float(getattr(ground, name)))
        for name in ("rise", "run", "start"):
            self.ground[name].setEnabled(ground.count > 0)

    def _show_setup(self) -> None:
        model, setup = self.model, self.model.setup
        if setup is None:
            return
        self.ending.setText(model.ending())
        set_role(self.ending, "caption" if model.reached() else "warning")
        if not self.name.hasFocus():
            self.name.setText(setup.name)
            self.name.setCursorPosition(0)
        aims = setup.solver is IkSolver.AIM
        single = setup.solver.single
        two = setup.solver is IkSolver.TWO_BONE
        for box, value in ((self.solver, setup.solver), (self.end, setup.end_rotation)):
            box.setCurrentIndex(box.findData(value))
        self._fill(self.root, model.bones(), setup.root)
        self._fill(self.tip, model.bones(), setup.tip)
        self.root.setEnabled(not single)
        self.end.setEnabled(not single)
        weight, state = model.weight()
        self.weight.set_value(weight * 100.0)
        self.weight.set_key_state(state)
        self._show_goal(setup)
        self.pole.setChecked(setup.pole is not None)
        self.pole.setEnabled(two)
        self.iterations.set_value(float(setup.iterations))
        self.tolerance.set_value(setup.tolerance * 1000.0)
        self.step.set_value(setup.step)
        self.step.setEnabled(setup.solver is IkSolver.CCD)
        self.iterations.setEnabled(not two and not single)
        self.tolerance.setEnabled(not two and not single)
        self.soft.set_value(setup.soft * 100.0)
        self.stretch.set_value(setup.stretch_limit)
        self.soft.setEnabled(two)
        self.stretch.setEnabled(two)
        self.stretch_start.set_value(setup.stretch_start * 100.0)
        self.stretch_start.setEnabled(two and setup.stretch_limit > 1.0)
        self._aiming.setVisible(aims)
        for box, axis in ((self.aim_axis, setup.aim_axis), (self.up_axis, setup.up_axis)):
            box.setCurrentIndex(next((n for n, (_, each) in enumerate(AXES) if each == tuple(axis)), -1))
        self.aim_limit.set_value(setup.aim_limit)
        self.use_limits.setChecked(setup.use_limits)
        self.use_limits.setEnabled(not two and not single)
        self.bake.setEnabled(model.driven)
        self.limits.show_rows(model.limits())

    def _show_goal(self, setup) -> None:
        words = ["model", "world", *(f"bone {name}" for name in self.model.carriers())]
        self._fill(self.space, words, self.model.space())
        state = "animated" if self.model.driven else "none"
        takes_turn = setup.solver is not IkSolver.AIM and (
            setup.solver.single or setup.end_rotation is EndRotation.GOAL
        )
        for what, fields in (("goal", self.goal), ("turn", self.turn)):
            values = self.model.goal(what)
            for axis, field in enumerate(fields):
                field.set_value(None if values is None else values[axis])
                field.set_key_state(state)
        for field in self.turn:
            field.setVisible(takes_turn)

    def _fill(self, box: QComboBox, names, chosen: str) -> None:
        if self._filled.get(box) != tuple(names):
            self._filled[box] = tuple(names)
            box.clear()
            for name in names:
                box.addItem(name, name)
            width = max((QFontMetrics(box.font()).horizontalAdvance(name) for name in names), default=0)
            box.view().setMinimumWidth(min(width + 32, 320))
        if box.currentData() != chosen:
            box.setCurrentIndex(box.findData(chosen))


def make(context: PanelContext) -> Panel:
    """The panel's widget."""
    return IkPanel(context)

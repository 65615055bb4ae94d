"""The Simulate panel: bones, range, how they move, the layer that comes of it; preview, bake or discard."""

from collections.abc import Callable
from typing import NamedTuple

from PySide6.QtCore import QSignalBlocker, QSize, Qt
from PySide6.QtWidgets import (
    QButtonGroup,
    QCheckBox,
    QGridLayout,
    QHBoxLayout,
    QPushButton,
    QScrollArea,
    QStackedLayout,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from core.blending.layer_stack import LayerMode
from core.errors import AnimError
from editor.model.i18n import tr
from editor.panels.simulate.view_model import SimulateModel
from editor.qt.binding import Bindings
from editor.qt.choice import ChoiceBox
from editor.qt.job_bar import JobBar
from editor.qt.number_field import NumberField
from editor.qt.panel import Panel, PanelContext
from editor.qt.widgets import ElidedLabel, EmptyState, add_heading, label

MODES = ((LayerMode.OVERRIDE, tr("Override")), (LayerMode.ADDITIVE, tr("Additive")))


class _Number(NamedTuple):
    """An option that is a number, 0 to `most`."""

    name: str
    text: str
    unit: str
    step: float
    decimals: int
    most: float
    tip: str


NUMBERS = (
    _Number("start", tr("Start"), "f", 1.0, 0, 1e6, tr("Frame of the clip")),
    _Number("end", tr("End"), "f", 1.0, 0, 1e6, tr("Frame of the clip")),
    _Number(
        "settle", tr("Settle"), "s", 0.01, 2, 60.0,
        tr("Seconds simulated before the range begins: of the turn before where the clip loops"),
    ),
    _Number(
        "follow", tr("Follow clip"), "%", 0.5, 0, 100.0,
        tr("Share of the forces that make the clip's own motion: 0 is limp, 100 is the clip unless something is "
           "in the way"),
    ),
    _Number("gravity", tr("Gravity"), "×", 0.01, 2, 100.0, tr("Times 9.81 m/s²")),
    _Number(
        "stiffness", tr("Stiffness"), "Hz", 0.02, 2, 20.0,
        tr("How fast a spring brings each joint back to the clip's pose; 0 is no spring"),
    ),
    _Number(
        "damping", tr("Damping"), "", 0.01, 2, 5.0,
        tr("Of the spring: below 1 it swings, at 1 it comes back without"),
    ),
    _Number(
        "tolerance", tr("Reduce"), "mm", 0.01, 2, 1000.0,
        tr("How far reducing the keys may move any point; 0 keeps a key a frame"),
    ),
    _Number("blend_in", tr("Blend in"), "s", 0.01, 2, 60.0, tr("Of the layer's weight")),
    _Number("blend_out", tr("Blend out"), "s", 0.01, 2, 60.0, tr("Of the layer's weight")),
)  # fmt: skip
"""The options that are numbers."""


class SimulatePanel(Panel):
    """Nothing is changed before Bake; meanwhile the view shows what would be."""

    def __init__(self, context: PanelContext) -> None:
        super().__init__()
        self.setObjectName("simulatePanel")
        self._context, self._theme = context, context.theme
        self.model = SimulateModel(context.session)
        self.fields: dict[str, NumberField] = {}
        body = QWidget()
        self._column = QVBoxLayout(body)
        self._column.setContentsMargins(12, 8, 12, 12)
        self._column.setSpacing(6)
        self.missing = label("", "warning", wrap=True)
        self.missing.setObjectName("simulateMissing")
        self.missing.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._column.addWidget(self.missing)
        self._build_bones()
        self._build_motion()
        self._build_layer()
        self._build_run()
        self._column.addStretch(1)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setWidget(body)
        self.empty = EmptyState(
            self._theme, "simulate", tr("Select a clip: bones of it can be simulated and baked as a layer")
        )
        self._stack = QStackedLayout(self)
        self._stack.addWidget(area)
        self._stack.addWidget(self.empty)
        session = context.session
        Bindings(self).refresh(
            self.refresh, self.model.simulating.state_changed, session.document.changed,
            session.playback.clip_changed, session.playback.state_changed, session.switches.changed,
        )  # fmt: skip
        self.refresh()

    def sizeHint(self) -> QSize:
        return QSize(280, 560)

    # ------------------------------------------------------------ building
    def _build_bones(self) -> None:
        simulating = self.model.simulating
        add_heading(self._column, self._theme, tr("Bones"))
        self.bones = ElidedLabel("")
        self.bones.setObjectName("simulateBones")
        self._column.addWidget(self.bones)
        self.counts = label("", "caption", wrap=True)
        self.counts.setObjectName("simulateCounts")
        self._column.addWidget(self.counts)
        row = QHBoxLayout()
        row.setSpacing(4)
        self.keep = self._button(tr("Keep selection"), "simulateKeep", self._toggle_kept)
        self.keep.setCheckable(True)
        self.keep.setToolTip(tr("Go on simulating these bones when others are selected"))
        whole = self._button(tr("Whole body"), "simulateWhole", simulating.use_whole_body)
        whole.setToolTip(tr("All bodies of the plan; the character falls"))
        self.below = QCheckBox(tr("With all bones below"))
        self.below.setToolTip(tr("Simulate all bones below as well"))
        self.below.setObjectName("simulateBelow")
        self.below.clicked.connect(lambda on: simulating.set(below=bool(on)))
        row.addWidget(self.keep)
        row.addWidget(whole)
        row.addStretch(1)
        self._column.addLayout(row)
        self._column.addWidget(self.below)
        add_heading(self._column, self._theme, tr("Range"), self._range_button())
        grid = self._grid()
        self._field(grid, 0, 0, "start")
        self._field(grid, 0, 2, "end")
        self._field(grid, 1, 0, "settle")

    def _range_button(self) -> QPushButton:
        button = self._button(tr("Play range"), "simulateRange", self.model.simulating.use_play_range)
        button.setToolTip(tr("Take the play range; without one the whole clip"))
        return button

    def _build_motion(self) -> None:
        add_heading(self._column, self._theme, tr("Motion"))
        grid = self._grid()
        self._field(grid, 0, 0, "follow")
        self._field(grid, 0, 2, "gravity")
        self._field(grid, 1, 0, "stiffness")
        self._field(grid, 1, 2, "damping")
        row = QHBoxLayout()
        self.collide, self.ground = QCheckBox(tr("Hits the body")), QCheckBox(tr("Hits the ground"))
        for box, name, tip in (
            (self.collide, "collide", tr("Simulated bodies collide with the other bodies of the plan")),
            (
                self.ground,
                "ground",
                tr("Simulated bodies collide with the ground, at the height set in the IK panel"),
            ),
        ):
            box.setObjectName(f"simulate_{name}")
            box.setToolTip(tip)
            box.clicked.connect(lambda on, name=name: self.model.simulating.set(**{name: bool(on)}))
            row.addWidget(box)
        row.addStretch(1)
        self._column.addLayout(row)

    def _build_layer(self) -> None:
        add_heading(self._column, self._theme, tr("Layer"))
        grid = self._grid()
        self.mode = ChoiceBox()
        self.mode.setObjectName("simulateMode")
        self.mode.setToolTip(
            tr(
                "Override replaces the bones' motion; additive adds the difference, so that edits below show through"
            )
        )
        for mode, title in MODES:
            self.mode.addItem(title, mode)
        self.mode.setSizeAdjustPolicy(ChoiceBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.mode.setMinimumContentsLength(4)
        self.mode.activated.connect(lambda _: self.model.simulating.set(mode=self.mode.currentData()))
        grid.addWidget(label(tr("Mode"), "dim"), 0, 0)
        grid.addWidget(self.mode, 0, 1)
        self._field(grid, 0, 2, "tolerance")
        self._field(grid, 1, 0, "blend_in")
        self._field(grid, 1, 2, "blend_out")

    def _build_run(self) -> None:
        self._column.addSpacing(4)
        self.run = self._button(tr("Simulate"), "simulateRun", self._on_run)
        self._column.addWidget(self.run)
        self.progress = JobBar("simulateProgress", lambda: self.model.simulating.job)
        self._column.addWidget(self.progress)
        self.why = label("", "caption", wrap=True)
        self.why.setObjectName("simulateWhy")
        self._column.addWidget(self.why)
        self.result = QWidget()
        column = QVBoxLayout(self.result)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        self.outcome = label("", "caption", wrap=True)
        self.outcome.setObjectName("simulateOutcome")
        column.addWidget(self.outcome)
        row, group = QHBoxLayout(), QButtonGroup(self.result)
        row.setSpacing(4)
        self.sides: list[QToolButton] = []
        for text, original in ((tr("Clip"), True), (tr("Simulated"), False)):
            button = QToolButton()
            button.setObjectName("simulateShowClip" if original else "simulateShowSimulated")
            button.setText(text)
            button.setToolTip(tr("What the view shows"))
            button.setCheckable(True)
            button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            button.clicked.connect(lambda _=False, o=original: self.model.simulating.show_original(o))
            group.addButton(button)
            row.addWidget(button)
            self.sides.append(button)
        row.addStretch(1)
        column.addLayout(row)
        ends = QHBoxLayout()
        ends.setSpacing(4)
        self.bake = self._button(tr("Bake as layer"), "simulateBake", self.model.simulating.bake)
        self.bake.setDefault(True)
        ends.addWidget(self.bake)
        ends.addWidget(self._button(tr("Discard"), "simulateDiscard", self.model.simulating.discard))
        ends.addStretch(1)
        column.addLayout(ends)
        self._column.addWidget(self.result)

    # ------------------------------------------------------------ small parts
    def _grid(self) -> QGridLayout:
        grid = QGridLayout()
        grid.setHorizontalSpacing(6)
        grid.setVerticalSpacing(4)
        grid.setColumnStretch(1, 1)
        grid.setColumnStretch(3, 1)
        self._column.addLayout(grid)
        return grid

    def _field(self, grid: QGridLayout, row: int, column: int, name: str) -> None:
        number = next(one for one in NUMBERS if one.name == name)
        field = NumberField(self._theme, number.unit, None, number.step, number.decimals, (0.0, number.most))
        field.setObjectName(f"simulate_{number.name}")
        field.setFixedHeight(22)
        field.setMinimumWidth(44)
        field.setToolTip(number.tip)
        scale = 0.01 if number.unit == "%" else 1.0
        field.committed.connect(lambda value: self.model.simulating.set(**{number.name: value * scale}))
        grid.addWidget(label(number.text, "dim"), row, column)
        grid.addWidget(field, row, column + 1)
        self.fields[number.name] = field

    def _button(self, text: str, name: str, run: Callable[[], object]) -> QPushButton:
        button = QPushButton(text)
        button.setObjectName(name)
        button.setStyleSheet("min-width: 0; padding: 3px 8px;")
        button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        button.clicked.connect(lambda: self._attempt(run))
        return button

    # ------------------------------------------------------------ doing
    def _attempt(self, work: Callable[[], object]) -> None:
        try:
            work()
        except AnimError as error:
            self._context.session.messages.warn(str(error))
        self.refresh()

    def _toggle_kept(self) -> None:
        simulating = self.model.simulating
        if simulating.options.bones:
            simulating.set(bones=())
        else:
            simulating.use_selection()

    def _on_run(self) -> None:
        simulating = self.model.simulating
        if simulating.job is not None:
            simulating.cancel()
        else:
            simulating.run()

    # ------------------------------------------------------------ showing
    def refresh(self) -> None:
        """Show everything as it is now."""
        model, simulating = self.model, self.model.simulating
        self._stack.setCurrentIndex(0 if model.has_clip else 1)
        if not model.has_clip:
            return
        missing = model.missing
        self.missing.setText(missing)
        self.missing.setVisible(bool(missing))
        self.bones.set_text(model.chosen())
        counts = model.counts()
        self.counts.setText(counts)
        self.counts.setVisible(bool(counts))
        self.keep.setChecked(bool(simulating.options.bones))
        self._show_options()
        busy, why = simulating.job is not None, simulating.why_not
        self.run.setText(tr("Cancel") if busy else tr("Simulate"))
        self.run.setEnabled(busy or not why)
        self.why.setText(why)
        self.why.setVisible(bool(why) and not missing)
        self.progress.refresh()
        self.result.setVisible(simulating.outcome is not None and not busy)
        self.outcome.setText(model.outcome())
        for button, original in zip(self.sides, (True, False), strict=True):
            button.setChecked(simulating.shows_original is original)

    def _show_options(self) -> None:
        simulating, options = self.model.simulating, self.model.simulating.options
        start, end = simulating.frames()
        into, out = simulating.blends()
        values = {
            "start": start, "end": end, "settle": simulating.settle(), "follow": 100.0 * options.follow,
            "gravity": options.gravity, "stiffness": options.stiffness, "damping": options.damping,
            "tolerance": options.tolerance, "blend_in": into, "blend_out": out,
        }  # fmt: skip
        for name, value in values.items():
            self.fields[name].set_value(value)
        ends = (into, out) == (options.blend_in, options.blend_out)
        for name in ("blend_in", "blend_out"):
            self.fields[name].setEnabled(ends)
        for box, on in (
            (self.below, options.below),
            (self.collide, options.collide),
            (self.ground, options.ground),
        ):
            with QSignalBlocker(box):
                box.setChecked(on)
        with QSignalBlocker(self.mode):
            self.mode.setCurrentIndex(self.mode.findData(options.mode))


def make(context: PanelContext) -> Panel:
    """The panel's widget."""
    return SimulatePanel(context)

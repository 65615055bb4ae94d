"""The blend-space panel: choose or make a space, drop clips on the plot, drag the point, see the blend."""

import time

from PySide6.QtCore import QPointF, Qt, QTimer
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QInputDialog,
    QPushButton,
    QScrollArea,
    QStackedLayout,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from core.ids import AssetId
from editor.model.blending.state import Blending
from editor.model.i18n import tr
from editor.panels.blend_space.plot import SpacePlot
from editor.panels.blend_space.settings import AxisSettings, SampleEditor, SpaceSettings, combo
from editor.panels.blend_space.view_model import BlendSpaceModel
from editor.panels.blend_space.weights import WeightList
from editor.qt.binding import Bindings
from editor.qt.drags import DragGrip
from editor.qt.menu import Menu, pop_up
from editor.qt.number_field import NumberField
from editor.qt.panel import Panel, PanelContext
from editor.qt.turns import Rank
from editor.qt.widgets import Dress, EmptyState, icon_button, label, line

TICK = 15
"""Milliseconds between two looks at the clock while the blend runs."""
RESTS = 50
"""Milliseconds without a move of the point after which the clock goes on by itself."""
KINDS = (("line", "1D (one axis)"), ("plane", "2D (two axes)"), ("aim", "Aim offset (yaw, pitch)"))


class BlendSpacePanel(Panel):
    """The plot above, point and weights below it, then the settings."""

    def __init__(self, context: PanelContext) -> None:
        super().__init__()
        self.setObjectName("blendSpacePanel")
        self.context, self.theme = context, context.theme
        self.model = BlendSpaceModel(context.session)
        self._build()
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setInterval(TICK)
        self._timer.timeout.connect(self._on_time)
        bindings = Bindings(self)
        bindings.refresh(self.refresh, self.model.changed, context.session.document.changed)
        bindings.refresh(self._show_moved, self.model.moved, rank=Rank.FIRST)
        bindings.on(self.model.live.state_changed, lambda _: self._on_state())
        self.destroyed.connect(lambda _=None, model=self.model: model.close())
        self.refresh()
        self._on_state()

    # ------------------------------------------------------------ building
    def _build(self) -> None:
        self._stack = QStackedLayout(self)
        self.empty = EmptyState(self.theme, "blend", "", tr("New blend space"), self._open_new)
        body = QWidget()
        column = QVBoxLayout(body)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(self._head())
        column.addLayout(self._bar())
        column.addWidget(self._notice())
        self.plot = SpacePlot(self.model, self.theme)
        self.plot.edit_wanted.connect(self._edit)
        self.plot.hint_wanted.connect(self.context.window.set_hint)
        self.plot.dragged.connect(self._on_dragged)
        column.addWidget(self.plot)
        column.addLayout(self._fields())
        column.addWidget(line())
        self.weights = WeightList(self.model, self.theme)
        self.weights.edit_wanted.connect(self._edit_row)
        column.addSpacing(4)
        column.addWidget(self.weights)
        column.addSpacing(4)
        column.addWidget(line())
        self.axes = [AxisSettings(self.model, self.theme, k) for k in range(2)]
        for axis in self.axes:
            column.addWidget(axis)
            column.addWidget(line())
        self.settings = SpaceSettings(self.model, self.theme)
        column.addWidget(self.settings)
        column.addStretch(1)
        scroll = QScrollArea()
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setWidgetResizable(True)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setWidget(body)
        self.scroller = scroll
        self._stack.addWidget(self.empty)
        self._stack.addWidget(scroll)
        self.editor = SampleEditor(self.model, self.theme, self)

    def _head(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setContentsMargins(8, 6, 8, 2)
        row.setSpacing(4)
        self.choice = combo("blendChoice", tr("Blend space"))
        self.choice.activated.connect(self._chosen)
        self.add = icon_button(self.theme, "add", tr("New blend space"), name="newBlendSpace")
        self.add.clicked.connect(self._open_new)
        self.more = icon_button(self.theme, "more", tr("More"), name="blendMore")
        self.more.clicked.connect(self._open_more)
        tip = tr("Drag this blend space onto the graph canvas")
        self.grip = DragGrip(self.theme, "blend", tip, "blendGrip", self._open_id)
        row.addWidget(self.grip)
        row.addWidget(self.choice, 1)
        row.addWidget(self.add)
        row.addWidget(self.more)
        return row

    def _open_id(self) -> str | None:
        space = self.model.spaces.committed
        return None if space is None else str(space.id)

    def _bar(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setContentsMargins(8, 2, 8, 4)
        row.setSpacing(2)
        theme = self.theme
        self.play = icon_button(theme, "play", tr("Play the blend in the viewport (Space)"), name="blendPlay")
        self._play_dress = self.play.findChild(Dress)
        self.record = icon_button(
            theme, "auto_key", tr("Record the point's path"), True, "blendRecord", "record"
        )
        self.replay = icon_button(theme, "loop", tr("Replay the recorded path"), True, "blendReplay")
        self.snap = icon_button(theme, "snap", tr("Snap samples to grid lines"), True, "blendSnap")
        self.aim = icon_button(theme, "pivot", tr("Aim by dragging in the viewport"), True, "blendAim")
        self.measure = icon_button(
            theme, "speed", tr("Analyse: place samples by their clips' measured speed and direction"),
            name="blendAnalyse",
        )  # fmt: skip
        self.slip = icon_button(
            theme,
            "root_motion",
            tr("Foot-slip map: how fast planted feet slide over the plane"),
            True,
            "blendSlip",
        )
        self.bake = icon_button(theme, "export", tr("Bake to clips"), name="blendBake")
        self.play.clicked.connect(self.model.live.toggle)
        self.record.clicked.connect(lambda: self.model.live.record())
        self.replay.clicked.connect(lambda: self.model.live.replay())
        self.snap.clicked.connect(self.model.set_snap)
        self.aim.clicked.connect(self._set_aiming)
        self.measure.clicked.connect(self.model.analyse)
        self.slip.clicked.connect(lambda: self.model.toggle_slip())
        self.bake.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.bake.clicked.connect(self._open_bake)
        self.stop = QPushButton(tr("Stop the preview"))
        self.stop.setObjectName("blendStop")
        policy = self.stop.sizePolicy()
        policy.setRetainSizeWhenHidden(True)  # its coming and going moves nothing
        self.stop.setSizePolicy(policy)
        self.stop.setToolTip(tr("Show the clip again"))
        self.stop.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.stop.clicked.connect(self.model.live.stop)
        for button in (self.play, self.record, self.replay):
            row.addWidget(button)
        row.addSpacing(4)
        row.addWidget(self.stop)
        row.addStretch(1)
        for button in (self.aim, self.snap, self.measure, self.slip, self.bake):
            row.addWidget(button)
        return row

    def _notice(self) -> QWidget:
        """Why a clip was refused, and the way out."""
        self.notice = QFrame()
        self.notice.setObjectName("blendNotice")
        self.notice.setProperty("role", "card")
        column = QVBoxLayout(self.notice)
        column.setContentsMargins(10, 8, 10, 8)
        column.setSpacing(6)
        self.reason = label("", wrap=True)
        self.reason.setObjectName("blendReason")
        column.addWidget(self.reason)
        row = QHBoxLayout()
        convert, leave = QPushButton(tr("Convert")), QPushButton(tr("Cancel"))
        convert.setObjectName("convertClip")
        leave.setObjectName("leaveClip")
        convert.clicked.connect(lambda: self.model.attempt(self.model.spaces.convert_refused))
        leave.clicked.connect(lambda: self.model.spaces.dismiss_problem())
        row.addStretch(1)
        row.addWidget(leave)
        row.addWidget(convert)
        column.addLayout(row)
        holder = QWidget()
        outer = QVBoxLayout(holder)
        outer.setContentsMargins(8, 0, 8, 6)
        outer.addWidget(self.notice)
        self._notice_holder = holder
        return holder

    def _fields(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setContentsMargins(12, 4, 12, 8)
        row.setSpacing(8)
        self.labels, self.fields = [], []
        for number in range(2):
            text = label("", "dim")
            field = NumberField(self.theme, step=0.01)
            field.setObjectName(("pointX", "pointY")[number])
            field.previewed.connect(lambda value, number=number: self.model.set_value(number, value))
            field.committed.connect(lambda value, number=number: self.model.set_value(number, value))
            self.labels.append(text)
            self.fields.append(field)
            row.addWidget(text)
            row.addWidget(field, 1)
        return row

    def focus_widget(self) -> QWidget:
        """Gets the focus when the pointer comes in."""
        return self.plot if self._stack.currentIndex() else self

    # ------------------------------------------------------------ showing
    def refresh(self) -> None:
        """Show the open space as it is now."""
        model, space = self.model, self.model.space
        self._stack.setCurrentIndex(0 if space is None else 1)
        self._show_empty()
        if space is None:
            return
        self._show_names()
        self._show_buttons()
        problem = model.spaces.problem
        self._notice_holder.setVisible(problem is not None)
        self.reason.setText(f"{problem.reason}." if problem is not None else "")
        self._show_point()
        height = self.plot.heightForWidth(max(self.scroller.viewport().width(), 180))
        if self.plot.height() != height or self.plot.minimumHeight() != height:
            self.plot.setFixedHeight(height)
        if self.weights.height() != self.weights.sizeHint().height():
            self.weights.setFixedHeight(self.weights.sizeHint().height())
        for axis in self.axes:
            axis.show_axis()
        self.settings.show_space()
        self.plot.update()
        self.weights.update()

    def _show_moved(self) -> None:
        """Only point and weights differ: nothing else is looked at, for a drag has few milliseconds."""
        self._show_point()
        self.plot.update()
        self.weights.update()
        if self.editor.isVisible() and not any(field.editing for field in self.editor.fields):
            self.editor.refresh()

    def resizeEvent(self, event) -> None:
        super().resizeEvent(event)
        # Later: what asks for another size from within a layout of the whole window makes Qt end the process.
        QTimer.singleShot(0, self, self.refresh)

    def _show_empty(self) -> None:
        ready = self.context.session.rig is not None
        text = tr("Blend clips over one or two axes, such as speed and direction.")
        self.empty.set_text(text if ready else tr("Open or import a character first."))
        self.empty.findChild(QWidget, "emptyButton").setVisible(ready)

    def _show_names(self) -> None:
        names, space = self.model.names(), self.model.space
        self.choice.show_choices(
            [(name, asset) for asset, name in names], None if space is None else space.id
        )

    def _show_buttons(self) -> None:
        live, space = self.model.live, self.model.space
        can = live.player is not None
        self._play_dress.change("pause" if live.running else "play", "preview_point" if live.on else "text")
        for button in (self.play, self.record, self.measure, self.bake):
            button.setEnabled(can)
        self.stop.setVisible(live.on)
        self.record.setChecked(live.recorder.recording)
        self.replay.setChecked(live.recorder.replaying)
        self.replay.setEnabled(can and (live.recorder.path is not None or live.recorder.replaying))
        self.snap.setChecked(space is not None and all(axis.snap for axis in space.axes))
        aims = space is not None and space.aim_offset
        self.aim.setVisible(aims)
        self.aim.setChecked(aims and self.context.session.feature(Blending).aiming)
        self.slip.setVisible(not aims)
        self.measure.setVisible(not aims)
        self.slip.setEnabled(can and not self.model.measuring)
        self.slip.setChecked(self.model.slip is not None)

    def _show_point(self) -> None:
        space, point = self.model.space, self.model.live.point
        for number, (text, field) in enumerate(zip(self.labels, self.fields, strict=True)):
            there = space is not None and number < len(space.axes)
            text.setVisible(there)
            field.setVisible(there)
            if space is None or not there:
                continue
            axis = space.axes[number]
            text.setText(axis.name)
            field.unit, field.minimum, field.maximum = axis.unit, axis.minimum, axis.maximum
            field.step = axis.extent / 400.0
            field.set_value(point[number])

    # ------------------------------------------------------------ doing
    def _tick(self) -> None:
        self.model.live.tick(time.monotonic())

    def _on_time(self) -> None:
        if self._timer.interval() != TICK:  # the hand rests
            self._timer.setInterval(TICK)
        self._tick()

    def _on_dragged(self) -> None:
        """The clock goes on with the point, and not by itself while the hand moves: one picture for one event."""
        if self._timer.isActive():
            self._timer.start(RESTS)
            self._tick()

    def _on_state(self) -> None:
        running = self.model.live.running
        if running and not self._timer.isActive():
            self._timer.start(TICK)
            self._tick()
        elif not running:
            self._timer.stop()

    def _chosen(self, index: int) -> None:
        self.model.live.stop()
        self.model.spaces.open(AssetId(self.choice.itemData(index)))

    def _set_aiming(self, on: bool) -> None:
        self.context.session.feature(Blending).aiming = on
        if on:
            self.model.live.start()

    def _open_new(self) -> None:
        kinds = [(tr(title), lambda kind=kind: self.model.spaces.new(kind)) for kind, title in KINDS]
        self._pop(self.add if self.add.isVisible() else self.empty.button or self.empty, kinds)

    def _open_more(self) -> None:
        entries = [
            (tr("Rename…"), self._rename),
            (tr("Delete"), lambda: self.model.spaces.delete()),
        ]
        self._pop(self.more, entries)

    def _open_bake(self) -> None:
        path = self.model.live.recorder.path is not None
        entries = [
            (
                tr("Recorded path to a clip") if path else tr("Current point to a clip"),
                self.model.export_path,
            ),
            (tr("Every grid point to clips"), self.model.export_grid),
        ]
        self._pop(self.bake, entries)

    def _pop(self, at: QWidget, entries) -> None:
        menu = Menu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for text, work in entries:
            action = QAction(text, menu)
            action.triggered.connect(lambda _, work=work: self.model.attempt(work))
            menu.addAction(action)
        pop_up(menu, at)

    def _rename(self) -> None:
        space = self.model.spaces.committed
        if space is None:
            return
        dialog = QInputDialog(self)
        dialog.setWindowTitle(tr("Rename blend space"))
        dialog.setLabelText(tr("Name"))
        dialog.setTextValue(space.name)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.textValueSelected.connect(
            lambda name: self.model.attempt(lambda: self.model.spaces.rename(name))
        )
        dialog.open()

    def _edit(self, number: int, at: QPointF) -> None:
        self.model.select(number if number >= 0 else None)
        self.editor.open_for(number, self.plot.mapToGlobal(at.toPoint()))

    def _edit_row(self, number: int, at: QPointF) -> None:
        self.editor.open_for(number, self.weights.mapToGlobal(at.toPoint()))

    def close_panel(self) -> None:
        """Before the window goes."""
        self._timer.stop()
        self.model.close()


def make(context: PanelContext) -> Panel:
    """The panel's widget."""
    return BlendSpacePanel(context)

"""The timing bar over the timeline: a slider with modes, and buttons that nudge keys and put frames between them."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QSize
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QVBoxLayout, QWidget

from editor.model.i18n import tr
from editor.model.timing_state import TimingState
from editor.model.tried import tried
from editor.qt import tokens
from editor.qt.binding import Bindings
from editor.qt.choice import ChoiceBox
from editor.qt.drag_bar import DragBar, Scale
from editor.qt.number_field import NumberField
from editor.qt.panel import PanelContext
from editor.qt.widgets import icon_button, label, line
from editor.tools.shaping import MODES, Mode, ShapeDrag, mode_of

BUTTONS = (
    ("timing.nudge_earlier", "nudge_earlier"),
    ("timing.nudge_later", "nudge_later"),
    ("timing.remove_frames", "remove_frames"),
    ("timing.insert_frames", "insert_frames"),
)
WIDEST = 460
"""Pixels: a longer slider is no finer to the hand."""
BUTTONS_FROM = 640
"""Pixels from which there is room for the buttons; their keys work on a narrower bar."""


class _ModeBox(ChoiceBox):
    """The list of modes; tells whether an entry was chosen from the opened list, or gone through by arrow keys."""

    opened = False

    def showPopup(self) -> None:
        self.opened = True
        super().showPopup()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        self.opened = False
        super().keyPressEvent(event)


class TimingBar(QWidget):
    """32 px between the transport and the ruler; shown by the switch of `timing.bar`."""

    def __init__(self, context: PanelContext) -> None:
        super().__init__()
        self.setObjectName("timingBar")
        self._context, self._session = context, context.session
        self._state = context.session.feature(TimingState)
        self._drag: ShapeDrag | None = None
        theme = context.theme
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        row = QHBoxLayout()
        row.setContentsMargins(8, 0, 8, 0)
        row.setSpacing(4)
        column.addLayout(row, 1)
        column.addWidget(line())
        self.setFixedHeight(tokens.TOOL_BAR + 1)
        self.modes = self._mode_box()
        row.addWidget(self.modes)
        self.slider = DragBar(theme, "timingSlider", _scale(mode_of(self._state)), self._begin, 11.0, 4.0)
        self.slider.setMaximumWidth(WIDEST)
        self.slider.dragged.connect(self._move)
        self.slider.released.connect(self._finish)
        self.slider.cancelled.connect(self._cancel)
        row.addWidget(self.slider, 4)
        self.number = NumberField(theme, "%", None, 0.5, 0)
        self.number.setObjectName("timingNumber")
        self.number.setFixedWidth(64)
        self.number.previewed.connect(self._scrub)
        self.number.committed.connect(self._typed)
        self.number.cancelled.connect(self._cancel)
        row.addWidget(self.number)
        self.keep = icon_button(theme, "buffer", "", name="timing.keep_buffer")
        self.keep.clicked.connect(lambda: context.actions.run("timing.keep_buffer"))
        row.addWidget(self.keep)
        row.addStretch(1)
        self._right = self._steps(row)
        hide = icon_button(theme, "close", tr("Hide the timing bar"), name="timingHide")
        hide.clicked.connect(lambda: self._session.switches.set("timing_bar", False))
        row.addWidget(hide)
        self._bind()

    def sizeHint(self) -> QSize:
        return QSize(900, tokens.TOOL_BAR + 1)

    def minimumSizeHint(self) -> QSize:
        """What is left without buttons."""
        return QSize(440, tokens.TOOL_BAR + 1)

    # ------------------------------------------------------------ making
    def _mode_box(self) -> ChoiceBox:
        box = _ModeBox()
        box.setObjectName("timingMode")
        box.setAccessibleName(tr("What the slider does"))
        group = ""
        for mode in MODES.values():
            if group and mode.group != group:
                box.insertSeparator(box.count())
            group = mode.group
            box.addItem(mode.title, mode.id)
        box.activated.connect(lambda _: self._chosen(box.currentData(), box.opened))
        return box

    def _chosen(self, mode: str, opened: bool) -> None:
        """A mode was chosen: from the opened list its number is ready to be typed, as by the mode's action."""
        if opened:
            self.use(mode)
        else:
            self._state.choose(mode)

    def _steps(self, row: QHBoxLayout) -> list[QWidget]:
        """The number of frames, and the buttons that use it."""
        caption = label(tr("frames"), "caption")
        self.frames = NumberField(self._context.theme, "", None, 0.1, 0, (1.0, 1000.0))
        self.frames.setObjectName("timingFrames")
        self.frames.setFixedWidth(44)
        self.frames.setToolTip(tr("Frames that keys are nudged by, and that are inserted or removed"))
        self.frames.committed.connect(lambda n: self._session.preferences.set("timing_frames", round(n)))
        self._buttons: dict[str, QToolButton] = {}
        for id, icon in BUTTONS:
            button = icon_button(self._context.theme, icon, "", name=id)
            button.clicked.connect(lambda _=False, id=id: self._context.actions.run(id))
            self._buttons[id] = button
        widgets = [caption, self.frames, *self._buttons.values()]
        for widget in widgets:
            row.addWidget(widget)
        row.addSpacing(8)
        return widgets

    def _bind(self) -> None:
        s, bindings = self._session, Bindings(self)
        self._refresh = bindings.refresh(
            self._show, s.switches.changed, s.preferences.changed, self._state.changed, s.document.changed,
            s.playback.clip_changed, s.selection.keys_changed, s.selection.bones_changed,
        )  # fmt: skip
        for event in (s.document.replaced, s.playback.clip_changed):
            bindings.on(event, lambda _: self._cancel())
        self._context.theme.changed.connect(self._show)
        self._show()

    def bound(self) -> dict[str, Callable[[], object]]:
        """Handlers of the actions that the bar does."""
        return {f"timing_mode.{mode}": partial(self.use, mode) for mode in MODES}

    def use(self, mode: str) -> None:
        """Show the bar in a mode, its number ready to be typed."""
        self._context.window.show_panel("timeline")
        self._state.choose(mode)
        self._session.switches.set("timing_bar", True)
        self._show()
        self.number.edit()

    # ------------------------------------------------------------ showing
    def _show(self) -> None:
        self.setVisible(self._session.switches["timing_bar"])
        if not self._session.switches["timing_bar"]:
            return
        mode, actions = mode_of(self._state), self._context.actions
        self.modes.setCurrentIndex(self.modes.findData(mode.id))
        self.modes.setToolTip(mode.tip)
        self.slider.set_scale(_scale(mode))
        self.slider.setToolTip(tr("{what}. Ctrl: steps of five · Esc cancels", what=mode.tip))
        self.slider.setAccessibleName(mode.title)
        able = not actions.why_disabled("timing.insert_frames")
        for widget in (self.modes, self.slider, self.number):
            widget.setEnabled(able)
        self.number.unit, self.number.minimum, self.number.maximum = mode.unit, mode.low, mode.high
        if not self.slider.held and self._drag is None:
            self.number.set_value(mode.neutral)
        self.keep.setVisible(mode.id == "blend_buffer")
        self.frames.set_value(float(self._session.preferences.get("timing_frames")))
        for id, button in {**self._buttons, "timing.keep_buffer": self.keep}.items():
            button.setEnabled(not actions.why_disabled(id))
            button.setToolTip(actions.tooltip(id))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        for widget in self._right:
            widget.setVisible(event.size().width() >= BUTTONS_FROM)

    # ------------------------------------------------------------ dragging
    def _begin(self) -> bool:
        self._cancel()
        self._drag = tried(self._session.messages, lambda: ShapeDrag(self._session, mode_of(self._state)))
        return self._drag is not None

    def _move(self, value: float) -> None:
        drag = self._drag
        if drag is None:
            return
        drag.move(value)
        self.number.set_value(value)
        if not drag.live:
            self._context.window.set_hint(tr("Many keys: computed on release · Esc cancels"))
            return
        self._context.window.set_hint(
            tr("{what}: {value} {unit} · Esc cancels", what=drag.mode.title, value=f"{value:.0f}", unit=drag.mode.unit)
        )  # fmt: skip

    def _finish(self) -> None:
        drag, self._drag = self._drag, None
        if drag is not None:
            tried(self._session.messages, drag.finish)
        self._at_rest()

    def _cancel(self) -> None:
        drag, self._drag = self._drag, None
        if drag is not None:
            drag.cancel()
        self._at_rest()

    def _scrub(self, value: float) -> None:
        """The number is dragged sideways."""
        if self._drag is not None or self._begin():
            self._move(value)

    def _typed(self, value: float) -> None:
        """A number was typed, or its drag has ended."""
        if self._drag is not None or self._begin():
            self._move(value)
            self._finish()
        self._at_rest()

    def _at_rest(self) -> None:
        self._context.window.set_hint("")
        self.number.set_value(mode_of(self._state).neutral)

    def close_bar(self) -> None:
        """End what is under way."""
        self._cancel()


def _scale(mode: Mode) -> Scale:
    """A mode's values along the slider."""
    between = tuple(m for m in mode.marks if m not in mode.lines)
    snap = 5.0 if mode.high - mode.low > 50.0 else 1.0
    return Scale(
        mode.low, mode.high, mode.marks, mode.lines, between, mode.rest, step=1.0, snap=snap, magnet=3.0
    )

"""The transport row: where we are, how it plays, which part."""

from collections.abc import Callable

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QActionGroup, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QToolButton, QWidget

from core.clips.edits import KeepTime
from core.timing import FrameRate, frame_text, rate_text
from editor.model.blocking import Blocking
from editor.model.i18n import tr
from editor.model.playback import MAX_SPEED, MIN_SPEED, LoopMode
from editor.panels.timeline.key_field import KeyFrameField
from editor.panels.timeline.seam_label import SeamLabel
from editor.panels.timeline.view_model import TimelineModel
from editor.qt import tokens
from editor.qt.binding import Bindings
from editor.qt.menu import Menu, pop_up
from editor.qt.number_field import NumberField
from editor.qt.panel import PanelContext
from editor.qt.turns import Rank
from editor.qt.widgets import Dress, icon_button, label

BUTTONS = (
    ("playback.start", "start"),
    ("playback.previous_key", "previous_key"),
    ("playback.back", "back"),
    ("playback.toggle", "play"),
    ("playback.forward", "forward"),
    ("playback.next_key", "next_key"),
    ("playback.end", "end"),
)
FIELD = 52
MOST_FRAMES = 1e6
RATES = (12, 15, 24, 25, 30, 48, 50, 60, 120)
LOOPS = {LoopMode.LOOP: "loop", LoopMode.PING_PONG: "ping_pong", LoopMode.ONCE: "once"}
LOOP_NAMES = {LoopMode.LOOP: "Loop", LoopMode.PING_PONG: "Ping-pong", LoopMode.ONCE: "Once"}


class Transport(QWidget):
    """32 px above the ruler."""

    def __init__(self, context: PanelContext, model: TimelineModel) -> None:
        super().__init__()
        self.setObjectName("transport")
        self.setFixedHeight(tokens.TOOL_BAR)
        self._context, self._model = context, model
        self._session = context.session
        self._row = row = QHBoxLayout(self)
        row.setContentsMargins(8, 0, 8, 0)
        row.setSpacing(4)
        self._captions: list[QLabel] = []
        self._buttons: dict[str, QToolButton] = {}
        self._switches: dict[str, QToolButton] = {}
        for id, icon in BUTTONS:
            button = icon_button(context.theme, icon, "", name=id)
            button.clicked.connect(lambda _=False, id=id: context.actions.run(id))
            self._buttons[id] = button
            row.addWidget(button)
        self._play = next(d for d in self._buttons["playback.toggle"].children() if isinstance(d, Dress))
        row.addSpacing(8)
        self.frame = self._field(row, tr("frame"), "transportFrame", "", 0.1, 0)
        self.length = self._field(row, tr("of"), "transportLength", "", 0.25, 0)
        row.addSpacing(8)
        self.start = self._field(row, tr("range"), "transportStart", "", 0.25, 0)
        self.end = self._field(row, "–", "transportEnd", "", 0.25, 0)
        self._clear = icon_button(context.theme, "close", tr("Play the whole clip"), name="transportClear")
        self._clear.clicked.connect(lambda: self._session.playback.set_range(None))
        row.addWidget(self._clear)
        row.addSpacing(8)
        self._captions.append(label(tr("key frame"), "caption"))
        row.addWidget(self._captions[-1])
        self.keys = KeyFrameField(context)
        self.keys.setFixedWidth(52)
        row.addWidget(self.keys)
        self.seam = SeamLabel(context, model)
        row.addSpacing(8)
        row.addWidget(self.seam, 1)
        row.addWidget(self._switch("time.event_lanes", "events"))
        row.addWidget(self._switch("time.snap", "snap"))
        row.addWidget(self._switch("time.ripple", "ripple"))
        row.addWidget(self._switch("timing.bar", "timing"))
        row.addWidget(self._switch("blocking.strip", "pose_strip"))
        row.addWidget(self._switch("blocking.view", "blocking"))
        row.addSpacing(8)
        self.rate = self._menu_button(row, "transportRate", tr("Frames per second"), self._open_rates)
        self._loop_button = icon_button(context.theme, "loop", tr("Loop mode"), name="transportLoop")
        self._loop_button.clicked.connect(self._next_loop)
        self._loop = next(d for d in self._loop_button.children() if isinstance(d, Dress))
        row.addWidget(self._loop_button)
        self._place = icon_button(
            context.theme, "root_motion", tr("Apply root motion"), True, "transportWalk"
        )
        self._place.clicked.connect(lambda on: setattr(self._session.playback, "in_place", not on))
        row.addWidget(self._place)
        self.speed = self._field(row, "", "transportSpeed", "×", 0.005, 2)
        self.speed.minimum, self.speed.maximum = MIN_SPEED, MAX_SPEED
        self._connect()
        self._bind()

    # ------------------------------------------------------------ making
    def _field(
        self, row: QHBoxLayout, title: str, name: str, unit: str, step: float, decimals: int
    ) -> NumberField:
        if title:
            self._captions.append(label(title, "caption"))
            row.addWidget(self._captions[-1])
        field = NumberField(self._context.theme, unit, None, step, decimals, bounds=(0.0, MOST_FRAMES))
        field.setObjectName(name)
        field.setFixedWidth(FIELD)
        row.addWidget(field)
        return field

    def _switch(self, id: str, icon: str) -> QToolButton:
        """A switch of the action registry."""
        button = icon_button(self._context.theme, icon, "", True, id)
        button.clicked.connect(lambda _=False: self._context.actions.run(id))
        self._switches[id] = button
        return button

    def _menu_button(self, row: QHBoxLayout, name: str, tip: str, opened: Callable[[], None]) -> QToolButton:
        button = QToolButton()
        button.setObjectName(name)
        button.setToolTip(tip)
        button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        button.setFixedHeight(24)
        button.clicked.connect(opened)
        row.addWidget(button)
        return button

    def _connect(self) -> None:
        playback = self._session.playback
        for signal in (self.frame.previewed, self.frame.committed):
            signal.connect(lambda frame: playback.seek(playback.rate.to_seconds(frame)))
        self.length.committed.connect(self._set_length)
        for field in (self.start, self.end):
            for signal in (field.previewed, field.committed):
                signal.connect(lambda _: self._set_range())
        for signal in (self.speed.previewed, self.speed.committed):
            signal.connect(lambda factor: setattr(playback, "speed", factor))

    def _bind(self) -> None:
        s, binding = self._session, Bindings(self)
        self._refresh = binding.refresh(
            self._show, s.playback.time_changed, s.playback.state_changed, s.playback.clip_changed,
            s.playback.range_changed, s.document.changed, s.selection.bones_changed, s.switches.changed,
            s.feature(Blocking).changed,
            rank=Rank.FIRST,
        )  # fmt: skip
        self._context.theme.changed.connect(self._show)
        self._show()

    # ------------------------------------------------------------ room
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._make_room(event.size().width())

    def minimumSizeHint(self) -> QSize:
        """What is left on the narrowest row."""
        return QSize(560, tokens.TOOL_BAR)

    def _make_room(self, width: int) -> None:
        """On a narrow row what can be done elsewhere gives way to what cannot.

        First captions go, the last one first; then the fields of the range, which the ruler's brackets set, and of
        keys, which can be dragged.
        """
        row = self._row
        ways: list[list[QWidget]] = [[caption] for caption in reversed(self._captions)]
        ways.append([self.start, self.end, self._clear, self.keys])
        wanted = row.minimumSize().width()
        room = [
            sum((part.minimumWidth() or part.minimumSizeHint().width()) + row.spacing() for part in way)
            for way in ways
        ]
        wanted += sum(size for way, size in zip(ways, room, strict=True) if way[0].isHidden())
        for way, size in zip(ways, room, strict=True):
            fits = wanted <= width
            for widget in way:
                widget.setVisible(fits)
            wanted -= 0 if fits else size

    # ------------------------------------------------------------ showing
    def _show(self) -> None:
        playback, actions = self._session.playback, self._context.actions
        rate, clip = playback.rate, playback.shown
        for id, button in self._buttons.items():
            if id in actions:
                button.setEnabled(not actions.why_disabled(id))
                button.setToolTip(actions.tooltip(id))
        for id, button in self._switches.items():
            button.setChecked(bool(actions.is_checked(id)))
            button.setToolTip(actions.tooltip(id))
        self._play.change("pause" if playback.playing else "play", "accent" if playback.playing else "text")
        length = rate.to_frame(playback.length)
        start, end = (rate.to_frame(time) for time in playback.span)
        self.frame.maximum = self.end.maximum = _tidy(length)
        self.start.maximum, self.end.minimum = _tidy(end), _tidy(start)
        for field, frame in (
            (self.frame, playback.shown_frame), (self.length, length), (self.start, start), (self.end, end),
        ):  # fmt: skip
            field.decimals = len(frame_text(frame).partition(".")[2])
            field.set_value(_tidy(frame))
            field.setFixedWidth(max(field.width(), field.width_of(length), field.width_of(frame)))
        for widget in (
            self.frame,
            self.length,
            self.start,
            self.end,
            self.speed,
            self.rate,
            self._loop_button,
        ):
            widget.setEnabled(clip is not None)
        self._clear.setEnabled(playback.range is not None)
        text = tr("{rate} fps", rate=rate_text(rate.fps))
        if text != self.rate.text():
            self.rate.setText(text)
            self._make_room(self.width())
        self._loop.change(LOOPS[playback.loop])
        self._loop_button.setToolTip(tr("Loop mode: {what}", what=tr(LOOP_NAMES[playback.loop])))
        self._place.setChecked(not playback.in_place)
        self.speed.set_value(playback.speed)

    # ------------------------------------------------------------ doing
    def _set_length(self, frames: float) -> None:
        clip = self._session.playback.shown
        if clip is not None:
            self._session.clips.set_length(clip.id, clip.rate.to_seconds(frames))
        self._refresh()

    def _set_range(self) -> None:
        playback = self._session.playback
        start, end = (playback.rate.to_seconds(f.value or 0.0) for f in (self.start, self.end))
        whole = start <= 0.0 and abs(end - playback.length) < 1e-3 * playback.rate.frame
        playback.set_range(*((None, None) if whole else (start, end)))

    def _next_loop(self) -> None:
        order = tuple(LOOPS)
        playback = self._session.playback
        playback.loop = order[(order.index(playback.loop) + 1) % len(order)]

    def _open_rates(self) -> None:
        menu = Menu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        group = QActionGroup(menu)
        now = self._session.playback.rate
        for number in RATES:
            entry = menu.addAction(f"{number} fps")
            entry.setCheckable(True)
            entry.setChecked(FrameRate.of(number) == now)
            entry.triggered.connect(lambda _=False, n=number: self._ask_rate(FrameRate.of(n)))
            group.addAction(entry)
        pop_up(menu, self.rate)

    def _ask_rate(self, rate: FrameRate) -> None:
        clip = self._session.playback.shown
        if clip is None or rate == clip.rate:
            return
        choices = [("seconds", tr("Keep seconds")), ("frames", tr("Keep frames"))]

        def answered(answer: str) -> None:
            if answer:
                self._session.clips.set_rate(clip.id, rate, KeepTime(answer))

        self._context.window.ask(
            tr("Frame rate"),
            tr("Keys can stay at their seconds, or at their frame numbers (the motion gets faster or slower)."),
            choices, answered, "seconds",
        )  # fmt: skip


def _tidy(frame: float) -> float:
    """A frame number without the last digits' rounding."""
    return round(frame, 4)

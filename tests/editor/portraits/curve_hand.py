"""A hand at the curve editor that tells all that came of what it did: steps, numbers, flags, hints, what is painted."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

from PySide6.QtCore import QEvent, QPoint, QPointF, QSize, Qt
from PySide6.QtGui import QIcon, QKeyEvent, QPainter
from PySide6.QtWidgets import QApplication, QMenu, QScrollBar, QToolButton, QWidget

from core.clips.clip import Channel, Marker
from editor.model.key_places import key_places
from editor.model.time_view import TimeView
from editor.panels.curves.strip import OperationStrip
from editor.qt.number_field import NumberField
from editor.tools.curves.lanes import Lane
from tests.editor.panels.curves.curve_stage import CurveStage, X, Y, curve_stage
from tests.editor.portraits import happenings, pointer, words
from tests.editor.portraits.brush import Brush, noted, told
from tests.editor.portraits.pointer import LEFT, NONE, RIGHT
from tests.editor.turning import in_front, turn_until_shown

PAINTERS = (("plot.", "time_ruler."), ("channel_list.",))
"""Painters of the canvas, and of the list; what fields and buttons show is told in words."""
OWN = tuple(name for names in PAINTERS for name in names)
NOWHERE = QPoint(100, 340)
"""A place of the plot at which there is nothing."""
SIZE = QSize(700, 353)
"""Of the plot, whatever the fonts make of the rest: what a drag changes depends on it."""
SWITCHES = ("curves_motion", "fit_curves", "snap", "ripple")
FLAGS = ("hidden", "locked", "solo", "chosen")
NAMES = {NONE: "", pointer.SHIFT: "Shift ", pointer.CTRL: "Ctrl ", pointer.ALT: "Alt "}


def named(held: Qt.KeyboardModifier) -> str:
    """Keys held, before what is done with them."""
    return "".join(word for flag, word in NAMES.items() if word and held & flag)


def keyed(code: Qt.Key, held: Qt.KeyboardModifier = NONE) -> str:
    """A key and what is held with it."""
    return f"{named(held)}{code.name.removeprefix('Key_')}"


class CurveHand:
    """Does things at a curve editor, one after the other, tells them, and takes them back.

    Attributes
    ----------
    lines : what was told
    """

    def __init__(self, stage: CurveStage, log: Brush) -> None:
        self.stage, self.log = stage, log
        self.session, self.model = stage.session, stage.model
        self.plot, self.list = stage.plot, stage.panel.list
        self.lines: list[str] = []
        self._menus: set[str] = set()
        self._tried: list[str] = []
        self._kept: list[str] = []
        self.session.edit_jobs.grace = 400.0
        marked = replace(stage.clip, markers=(Marker("note", 33.4 / 30.0),))
        self.session.edits.put("marks", marked)
        self.session.playback.set_range(0.2, 1.8)
        self.session.playback.seek(10.0 / 30.0)
        in_front(self.stage.window)
        self.plot.setFocus()
        self.settle()
        self.begin()

    def begin(self) -> None:
        """Everything is taken back to what it is now."""
        view, lanes, selection = self.model.view, self.model.lanes, self.session.selection
        self._first = (
            self.session.history.position, view.axis, view.values, view.layout, lanes.buffer, lanes.reading,
            {flag: getattr(lanes, flag) for flag in FLAGS}, selection.bones, dict(selection.keys),
            self.session.playback.time, self.session.playback.range,
            {switch: self.session.switches[switch] for switch in SWITCHES},
        )  # fmt: skip
        self._rest = self.whole()
        self._painted: list[str] = []
        self._shown: dict[tuple[str, ...], list[str]] = {names: [] for names in PAINTERS}

    # ------------------------------------------------------------ what there is
    def settle(self) -> None:
        """Let come what comes."""
        turn_until_shown()
        self.stage.user.wait_until(lambda: not (self.session.jobs.running or self.session.edit_jobs.busy))
        self.plot.flush()
        QApplication.processEvents()

    def whole(self) -> list[str]:
        """All that canvas and list paint."""
        self.log.taken()
        for part in (self.plot.viewport(), self.list.viewport()):
            part.update()
        self.settle()
        return [line for line in self.log.taken() if line.startswith(OWN)]

    def state(self) -> dict[str, str]:
        """What can be seen of the panel, and what of the session is no part of the document."""
        session, view, lanes, held = self.session, self.model.view, self.model.lanes, self.model.pointer
        fields, axis, values = self.stage.panel.fields, self.model.view.axis, self.model.view.values
        focus = QApplication.focusWidget()
        strips = [s for s in self.stage.panel.findChildren(OperationStrip) if s.isVisible()]
        selected = session.selection.keys
        hovered = held.hovered
        found = {
            "keys": "; ".join(f"{happenings.value(c)} {k.tolist()}" for c, k in selected.items()),
            "bones": " ".join(session.selection.bones),
            "view": f"{axis.start:.3f} … {axis.end:.3f}, {values.low:.4g} … {values.high:.4g}",
            "layout": f"{view.layout} {lanes.reading.name}",
            "fields": " | ".join([fields.count.text(), *map(shown, fields_of(fields))]),
            "at": f"frame {session.playback.rate.to_frame(session.playback.time):.2f}",
            "range": happenings.value(session.playback.range) if session.playback.range else "whole",
            "plays": str(session.playback.playing),
            "buffer": "none" if lanes.buffer is None else self._buffered(),
            "hint": self.stage.services.hint,
            "cursor": self.plot.viewport().cursor().shape().name.removesuffix("Cursor"),
            "tip": self.list.viewport().toolTip(),
            "hovered": f"{label_of(hovered[0])} key {hovered[1]}" if hovered is not None else "",
            "held": f"{'lasso ' * held.lasso}{'scrubs ' * held.scrubbing}{'weighted ' * view.weighted}"
            f"{'still' * view.still}",
            "focus": named_widget(focus),
            "bars": " ".join(map(bar_text, (self.stage.panel.across, self.stage.panel.up))),
            "list from": str(self.list.verticalScrollBar().value()),
            "edges": self._edges(),
            "empty": str(self.stage.panel.empty.isVisible()),
            "places of keys": key_places(session.preferences).name,
            "strip": " and ".join(map(strip_text, strips)),
            "buttons": " ".join(map(button_text, self.stage.panel.findChildren(QToolButton))).strip(),
        }
        found |= {flag: " · ".join(sorted(label_of(lane) for lane in getattr(lanes, flag))) for flag in FLAGS}
        return found

    def _edges(self) -> str:
        """How wide time is said to be shown, and whether the ruler of a dope sheet above serves for it."""
        edges = self.session.feature(TimeView).edges
        wide = f"{edges[1] - edges[0]} pixels" if edges is not None else "out of sight"
        tools = self.stage.panel._tools.y() > self.plot.mapTo(self.stage.panel, QPoint()).y()
        return f"{wide}{', no ruler' * self.plot.ruled}{', tools below' * tools}"

    def _buffered(self) -> str:
        buffer, clip = self.model.lanes.buffer, self.session.clip
        if clip is None or buffer is None or buffer.id != clip.id:
            return "of another clip"
        return f"differs in {len(happenings.changes(buffer, clip))}"

    # ------------------------------------------------------------ deeds
    def do(self, what: str, deed: Callable[[], object], back: bool = True) -> None:
        """Do something and tell what came of it."""
        session = self.session
        before, position, said = self.state(), session.history.position, len(session.messages.log)
        old, tried, drawn = session.clip, session.preview.clip, self.plot.item.drawn
        opened = {id(w) for w in happenings.windows()}
        self.log.taken()
        self._kept.clear()
        deed()
        self.settle()
        found = [line for line in self.log.taken() if line.startswith(OWN)]
        now, came = self.state(), list(self._kept)
        for window in happenings.windows():
            if id(window) not in opened and isinstance(window, QMenu):
                came += self._menu(window)
                window.close()
        labels = session.history.labels
        if session.history.position < position:
            came.append(f"{position - session.history.position} steps back")
        came += [f"step {label!r}" for label in labels[position : session.history.position]]
        differ = happenings.changes(old, session.clip)
        came += (differ[:6] if differ != self._tried else ["as it was tried"]) if differ else []
        came += [f"… {len(differ)} changes"] if len(differ) > 6 else []
        if session.preview.clip is not tried:
            self._tried = (
                happenings.changes(session.clip, session.preview.clip) if session.preview.clip else []
            )
            came += [f"tries {line}" for line in self._tried[:5]] or ["tries nothing"]
        came += [f"said {m.text!r} {m.next_step}".rstrip() for m in session.messages.log[said:]]
        came += [f"{k}: {other(before[k], now[k])}" for k in now if now[k] != before[k]]
        for names in PAINTERS:
            own = [line for line in found if line.startswith(names)]
            if own:  # it paints anew; what does not shows what it did
                self._shown[names] = [f"+ {line}" for line in own if line not in self._rest]
        painted = [line for lines in self._shown.values() for line in lines]
        if painted != self._painted:
            self._painted = painted
            came += ["paints", *(f"  {line}" for line in painted[:14])] if painted else ["paints as at rest"]
        anew = " (drawn anew)" if self.plot.item.drawn > drawn else ""
        self.lines += [f"{what}:{'' if came else ' nothing'}{anew}", *(f"    {line}" for line in came)]
        if back:
            self.back()

    def _menu(self, menu: QMenu) -> list[str]:
        """Entries of a menu, once."""
        entries = words.menu_lines(menu)
        if (whole := "\n".join(entries)) in self._menus:
            return ["menu as above"]
        self._menus.add(whole)
        return ["menu", *(f"  {line}" for line in entries)]

    def back(self) -> None:
        """As it was at the beginning."""
        position, axis, values, layout, buffer, reading, flags, bones, keys, time, played, switches = (
            self._first
        )
        session, view, lanes = self.session, self.model.view, self.model.lanes
        if self.model.gestures.current is not None:
            self.lines.append("    the gesture goes on")
            self.model.gestures.cancel()
        if self.stage.panel.strip is not None:
            self.stage.panel.strip.run.cancel()
        while session.history.position > position and session.undo():
            pass
        while session.history.position < position and session.redo():
            pass
        if session.playback.playing:
            session.playback.pause()
        session.selection.select(bones)
        session.selection.select_keys(keys)
        for switch, on in switches.items():
            session.switches.set(switch, on)
        lanes.set_reading(reading)
        view.set_layout(layout)
        for flag, held in flags.items():
            lanes.set_flag(flag, held)
        lanes.buffer = buffer
        view.set_axes(axis, values)
        session.playback.set_range(*(played or (None,)))
        session.playback.seek(time)
        self.model.pointer.scrubbing = False
        self.hover(NOWHERE)
        self.list.viewport().setToolTip("")
        self.leave()
        self.stage.services.hint = ""
        self.plot.setFocus()
        self.settle()
        self._painted, self._tried, self._shown = [], [], {names: [] for names in PAINTERS}

    # ------------------------------------------------------------ mouse
    def leave(self) -> None:
        """The pointer is somewhere else."""
        for widget in (self.plot, self.list):
            QApplication.sendEvent(widget, QEvent(QEvent.Type.Leave))

    def hover(self, at: QPoint, held: Qt.KeyboardModifier = NONE, widget: QWidget | None = None) -> None:
        """The pointer goes there."""
        none = Qt.MouseButton.NoButton
        pointer.mouse(widget or self.plot, QEvent.Type.MouseMove, at, none, none, held)

    def drag(
        self,
        what: str,
        at: QPoint,
        by: Sequence[tuple[int, int]],
        held: Qt.KeyboardModifier = NONE,
        end: str = "",
        button: Qt.MouseButton = LEFT,
    ) -> None:
        """Press, go to one place after the other, tell what is seen meanwhile, and end it in some way."""

        def under_way() -> None:
            pointer.press(self.plot, at, button, held)
            for x, y in by:
                pointer.mouse(self.plot, QEvent.Type.MouseMove, at + QPoint(x, y), Qt.MouseButton.NoButton,
                              button, held)  # fmt: skip
                QApplication.processEvents()

        there = at + QPoint(*by[-1])
        self.do(f"{named(held)}{what}", under_way, back=False)
        match end:
            case "escape":
                self.do("  Escape", lambda: self.press(Qt.Key.Key_Escape), back=False)
            case "right":
                self.do("  right button", lambda: self.both(there, RIGHT), back=False)
            case "middle":
                self.do("  middle button", lambda: self.both(there, pointer.MIDDLE), back=False)
            case "wheel":
                self.do("  wheel", lambda: pointer.wheel(self.plot, there, 1), back=False)
        self.do("  released", lambda: pointer.let_go(self.plot, there, button, held))

    def both(self, at: QPoint, button: Qt.MouseButton) -> None:
        """Press and release another button while the left one is held."""
        pointer.mouse(self.plot, QEvent.Type.MouseButtonPress, at, button, LEFT | button)
        pointer.mouse(self.plot, QEvent.Type.MouseButtonRelease, at, button, LEFT)

    # ------------------------------------------------------------ keys
    def press(self, code: Qt.Key, held: Qt.KeyboardModifier = NONE, widget: QWidget | None = None) -> None:
        """A key at what has the keyboard: kept from the window's shortcuts, or passed on to the parents."""
        at = widget or QApplication.focusWidget() or self.plot
        letter = chr(code) if code < 0x80 and held == NONE else ""
        for kind in (QEvent.Type.ShortcutOverride, QEvent.Type.KeyPress):
            event, up = QKeyEvent(kind, code, held, letter), at
            event.ignore()
            QApplication.sendEvent(up, event)
            if kind is QEvent.Type.ShortcutOverride and event.isAccepted():
                self._kept.append(f"keeps {keyed(code, held)}")
        QApplication.sendEvent(at, QKeyEvent(QEvent.Type.KeyRelease, code, held, letter))

    # ------------------------------------------------------------ places
    def key(self, channel: Channel, number: int, part: int = 0) -> QPoint:
        """Where a key is."""
        return self.stage.key_place(channel, number, part).toPoint()

    def handle(self, channel: Channel, number: int, side: int) -> QPoint:
        """Where a handle is."""
        return self.stage.handle_place(channel, number, side).toPoint()

    def on_curve(self, lane: Lane, time: float) -> QPoint:
        """A place of a curve."""
        view, curve = self.model.view, self.model.lanes.curve(lane)
        value = view.fit_of(lane).on(self.model.pointer.value_at(curve, time))
        return self.stage.at(view.axis.x(time), view.values.y(value)).toPoint()

    def on_ruler(self, time: float, beside: float = 0.0) -> QPoint:
        """A place of the ruler."""
        return (self.stage.at(self.model.view.axis.x(time), 0.0) + QPointF(beside, -8.0)).toPoint()


def label_of(lane: Lane) -> str:
    return f"{lane.channel.bone} {lane.name}"


def fields_of(fields) -> tuple[NumberField, ...]:
    return fields.frame, fields.value, fields.into, fields.out


def shown(field: NumberField) -> str:
    """What a number field says."""
    number = "–" if field.value is None else f"{field.value:.{field.decimals}f}"
    return f"{number}{field.unit}{'' if field.isEnabled() else ' OFF'}"


def named_widget(widget: QWidget | None) -> str:
    if widget is None:
        return ""
    return widget.objectName() or f"{type(widget).__name__} of {named_widget(widget.parentWidget())}"


def bar_text(bar: QScrollBar) -> str:
    """Where a scroll bar is, in hundredths: pixels of the axes round a little."""
    return f"{bar.value() / 100:.0f} of {bar.maximum() / 100:.0f}, page {bar.pageStep() / 100:.0f}"


def button_text(button: QToolButton) -> str:
    """A button of the tool row that is held down, or that is not always there."""
    name = button.objectName().removeprefix("curves")
    if name != "Result" and not button.isChecked():
        return ""
    return f"{name}{' held' if button.isChecked() else ''}" if button.isVisible() else ""


def strip_text(strip) -> str:
    """The strip of an operation, in a line."""
    parts = [strip.run.operation.title]
    for id, (field, slider) in strip._fields.items():
        parts.append(f"{id}={shown(field)}" + (f" slider {slider.value()}" if slider is not None else ""))
    parts += [f"{id}={box.currentText()}" for id, box in strip._boxes.items()]
    return " · ".join([*parts, strip.note.whole_text()])


def other(was: str, now: str) -> str:
    """A value before and after; of long ones only what is new."""
    return f"{was!r} → {now!r}" if len(was) < 60 else f"→ {now!r}"


@contextmanager
def curves(qapp: QApplication, *bones: str) -> Iterator[CurveHand]:
    """A hand at the curve editor on the small arm, two curves of the arm drawn, two keys of one selected."""
    with curve_stage(qapp, size=(1000, 420)) as stage:
        stage.plot.setFixedSize(SIZE)
        stage.panel.list.setFixedSize(204, SIZE.height())
        stage.show(*(bones or ("arm",)))
        if not bones:
            stage.only(X, Y)
            stage.session.selection.select_keys({X: [2, 3]})
        with noted() as log, icons_noted(log):
            yield CurveHand(stage, log)


@contextmanager
def icons_noted(log: Brush) -> Iterator[None]:
    """Note the icons that are painted by hand, too."""
    made = QIcon.paint

    def paint(icon: QIcon, painter: QPainter, *where: object) -> None:
        log.note("channel_list.icon", f"{words.icon_name(icon)} {' '.join(map(told, where))}")
        made(icon, painter, *where)

    QIcon.paint = paint
    try:
        yield
    finally:
        QIcon.paint = made

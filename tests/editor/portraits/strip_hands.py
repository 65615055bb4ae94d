"""Hands on one painted widget: what each gesture shows on its way, and what came of it.

Only what the widget paints by itself is told, and of that what is other than at rest, as in `in_hand`.
"""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QIcon
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QWidget
from shiboken6 import Shiboken

from editor.model.session import Session
from editor.panels.timeline import painting
from editor.panels.timeline.canvas import Canvas
from editor.qt.theme import Theme
from tests.editor.panel_stage import Stage
from tests.editor.portraits import happenings, pointer, sitter
from tests.editor.portraits.brush import Brush, noted, place, told
from tests.editor.portraits.hands import Hands
from tests.editor.portraits.in_hand import pressed
from tests.editor.portraits.pointer import LEFT, NONE, RIGHT
from tests.editor.turning import in_front, turn_until_shown

NOTHING = re.compile(r"-?\b\d+(?:\.\d+)?e-1\d\b")
"""What is left of rounding; another processor leaves something else."""
SHOWN = 14
"""So many lines of a picture are told, of more only how many there are."""
LONG = 45
HELD = {
    NONE: "",
    pointer.SHIFT: "Shift ",
    pointer.CTRL: "Ctrl ",
    pointer.ALT: "Alt ",
    pointer.SHIFT | pointer.ALT: "Shift Alt ",
}


class StripHands(Hands):
    """Takes one widget in hand.

    Parameters
    ----------
    files : names of the files whose painting is told
    own : what of the widget and its panel is told beside the session
    again : brings back what an undo does not, after each deed
    """

    def __init__(
        self, qapp: QApplication, stage: Stage, widget: QWidget, log: Brush, files: tuple[str, ...],
        own: Callable[[], dict[str, str]], again: Callable[[], object] = lambda: None,
    ) -> None:  # fmt: skip
        super().__init__(qapp, stage, widget, still=True)
        self.widget, self.log, self.again = widget, log, again
        self._files, self._own = files, own
        self._on_the_way: list[str] = []
        self._last: list[str] = []
        self.rest: list[str] = []
        stage.notes.show_panel = lambda panel: self._on_the_way.append(f"    shows the panel {panel}")
        in_front(stage.window)
        self.lay_down()

    # ------------------------------------------------------------ pictures
    def lay_down(self) -> None:
        """Nothing is at the widget any more; what it paints now is how it looks at rest."""
        QApplication.sendEvent(pointer.target(self.widget), QEvent(QEvent.Type.Leave))
        self.settle()
        self.log.taken()
        if hasattr(self.widget, "_still"):
            self.widget._still = None  # a kept picture: else only what is drawn over it would be noted
        self.widget.update()
        self.settle()
        self.rest = self._taken()

    def _taken(self) -> list[str]:
        """What was painted since, without the brush that a line or a picture does not use."""
        lines = [line for line in self.log.taken() if line.partition(".")[0].partition(":")[0] in self._files]
        plain = ("drawLine", "drawImage", "drawPixmap")
        bare = [t.partition(" in #")[0] if any(f": {name}" in t for name in plain) else t for t in lines]
        return list(dict.fromkeys(t for t in bare if ": setClip" not in t and "painting._keys: " not in t))

    def own(self) -> dict[str, str]:
        """What is told beside the session."""
        widget = self.widget
        there = f"{widget.height()} px high" if Shiboken.isValid(widget) and widget.isVisible() else "hidden"
        return {**self._own(), "the widget": there}

    def picture(self) -> list[str]:
        """What is painted by itself now and was not at rest."""
        self.settle()
        found = self._taken()
        lines = otherwise(self.rest, found) if found else ["paints nothing"]
        if lines == self._last:
            return ["the same"] if lines else []
        self._last = lines
        more = [f"… {len(lines)} lines"] if len(lines) > SHOWN else []
        return lines[:SHOWN] + more

    def show(self, what: str) -> None:
        """Tell what is there at a moment on the way."""
        hint = f" {self.stage.notes.hint!r}" if self.stage.notes.hint else ""
        self._on_the_way += [f"    {what}{hint}", *(f"        {line}" for line in self.picture())]

    def other(self, what: str, deed: Callable[[], object]) -> None:
        """Do something that stays, and tell how it looks at rest then."""
        before = self.rest
        deed()
        self.lay_down()
        lines = otherwise(before, self.rest)
        self.lines += [f"then {what}", *(f"    {line}" for line in lines[:LONG])]

    # ------------------------------------------------------------ deeds
    def do(self, what: str, deed: Callable[[], object], back: bool = True) -> list[str]:
        """Do something and tell what came of it, how it looks then, and take it back."""
        before, own = happenings.moment(self.stage, self.panel), self.own()
        self.settle()
        self.log.taken()
        self._on_the_way.clear()
        self._last = []
        self._ran.clear()
        pointer.KEPT.clear()
        deed()
        self.settle()
        came = [f"does {id}" for id in self._ran] + happenings.came(self.stage, self.panel, before)
        left = (
            "preferences",
            f"~ {type(self.widget).__name__} ",
        )  # told by what they do, and under the pointer
        came = [line for line in came if not line.startswith(left)]
        now = self.own()
        came += [f"{k}: {own.get(k)} → {now[k]}" for k in now if now[k] != own.get(k)]
        if Shiboken.isValid(self.widget):
            shown = [line for line in self.picture() if line != "the same"]
            came += [f"looks {line}" for line in shown if line != "paints nothing"]
        lines = [NOTHING.sub("0", line) for line in self._menus_once(came)]
        self.lines += [
            f"{what}:{'' if came or self._on_the_way else ' nothing'}",
            *self._on_the_way,
            *(f"    {line}" for line in lines),
        ]
        if back:
            self.back(before)
            self.again()
            self.settle()
        return came

    def over(self, what: str, at: QPoint) -> None:
        """The pointer comes to a place, and leaves."""

        def deed() -> None:
            pointer.hover(self.widget, at)
            cursor = self.widget.cursor().shape().name.removesuffix("Cursor")
            self.show(f"{cursor} {self.widget.toolTip()!r}")
            QApplication.sendEvent(pointer.target(self.widget), QEvent(QEvent.Type.Leave))
            self.show("away")

        self.do(f"over {what}", deed)

    def click(self, what: str, at: QPoint, held=NONE, button=LEFT, back: bool = True) -> None:
        def deed() -> None:
            pointer.press(self.widget, at, button, held)
            pointer.let_go(self.widget, at, button, held)

        name = {LEFT: "click", RIGHT: "right click"}.get(button, "middle click")
        self.do(f"{HELD[held]}{name} on {what}", deed, back)

    def twice(self, what: str, at: QPoint, back: bool = True) -> None:
        self.do(f"double click on {what}", lambda: pointer.twice(self.widget, at), back)

    def wheel(self, what: str, at: QPoint, notches: float, held=NONE) -> None:
        self.do(
            f"{HELD[held]}wheel {notches:+g} on {what}", lambda: pointer.wheel(self.widget, at, notches, held)
        )

    def wheel_in_drag(self, what: str, at: QPoint) -> None:
        """Turn the wheel while something is dragged, and give the drag up."""

        def deed() -> None:
            pointer.press(self.widget, at)
            pointer.mouse(
                self.widget, QEvent.Type.MouseMove, at + QPoint(30, 0), Qt.MouseButton.NoButton, LEFT
            )
            pointer.wheel(self.widget, at + QPoint(30, 0), 1)
            pressed(self.widget, Qt.Key.Key_Escape, NONE)
            pointer.let_go(self.widget, at + QPoint(30, 0))

        self.do(f"wheel while {what} is dragged", deed)

    def key(self, code: Qt.Key, held=NONE, back: bool = True) -> None:
        """A key that the widget keeps, or gets past the window's shortcuts."""

        def deed() -> None:
            kept, used = pressed(self.widget, code, held)
            words = [*(["kept"] if kept else []), *(["used"] if used else [])]
            self._on_the_way.append(f"    {' and '.join(words) or 'neither kept nor used'}")

        self.do(f"{HELD[held]}{code.name.removeprefix('Key_')}", deed, back)

    def typed(self, name: str, text: str, end: Qt.Key) -> None:
        """Type into a field that a gesture has opened; where it lies is told."""

        def deed() -> None:
            field = next((f for f in self.widget.findChildren(QLineEdit, name) if f.isVisible()), None)
            if field is None:
                self.lines.append(f"no {name} is open")
                return
            place = field.geometry()
            self.lines.append(
                f"{name} {field.text()!r} @{place.x()},{place.y()},{place.width()},{place.height()}"
            )
            field.selectAll()
            QTest.keyClicks(field, text)
            QTest.keyClick(field, end)

        self.do(f"{text!r} and {end.name.removeprefix('Key_')}", deed)

    def drag(
        self, what: str, at: QPoint, *by: tuple[int, int], held=NONE, end: str = "", button=LEFT, back: bool = True
    ) -> None:  # fmt: skip
        """Press, move to places beside the press one after the other, and end.

        Parameters
        ----------
        end : "Escape" or "right button" before the release, "" for the release alone
        """

        def deed() -> None:
            widget = self.widget
            pointer.press(widget, at, button, held)
            self.show("pressed")
            to = at
            for dx, dy in by:
                to = at + QPoint(dx, dy)
                pointer.mouse(widget, QEvent.Type.MouseMove, to, Qt.MouseButton.NoButton, button, held)
                self.show(f"at {dx},{dy}")
            if end == "Escape":
                kept, _ = pressed(widget, Qt.Key.Key_Escape, NONE)
                self.show(f"Escape{' is kept' if kept else ''}")
            elif end:
                pointer.mouse(widget, QEvent.Type.MouseButtonPress, to, RIGHT, LEFT | RIGHT)
                pointer.mouse(widget, QEvent.Type.MouseButtonRelease, to, RIGHT, LEFT)
                self.show("right button")
            pointer.let_go(widget, to, button, held)

        name = "drag" if button is LEFT else "middle drag"
        self.do(f"{HELD[held]}{name} {what}{', ' * bool(end)}{end}", deed, back)


def otherwise(rest: list[str], found: list[str]) -> list[str]:
    """What is painted and was not at rest; of the functions at work, what they painted at rest and now do not."""
    work = {line.partition(":")[0] for line in found}
    work.discard("time_ruler.shade_outside")  # on the ruler alone where the rest stays as it is
    gone = [f"- {line}" for line in rest if line not in found and line.partition(":")[0] in work]
    return [*(f"+ {line}" for line in found if line not in rest), *gone]


@contextmanager
def pictures_noted(log: Brush) -> Iterator[None]:
    """Note icons, and the bars and keys of the rows, which are put into a picture without Qt's painter."""
    bar, stamp, glyph, paint, find = Canvas.bar, Canvas.stamp, painting.glyph, QIcon.paint, Theme.icon
    looks: dict[int, str] = {}

    def noted_bar(canvas, x0, x1, y0, y1, color, alpha):
        log.note("Canvas.bar", f"{place(x0, y0, x1 - x0, y1 - y0)} {color} {alpha:.2f}")
        bar(canvas, x0, x1, y0, y1, color, alpha)

    def noted_glyph(*args):
        image = glyph(*args)
        looks[id(image)] = " ".join(told(a) if not hasattr(a, "name") else a.name for a in args)
        return image

    def noted_stamp(canvas, image, xs, ys):
        many = place(*xs[:6].tolist())
        log.note("Canvas.stamp", f"{looks.get(id(image))} {len(xs)}: {many} y {place(*ys[:1].tolist())}")
        stamp(canvas, image, xs, ys)

    def noted_find(theme, name, token="text", *more):
        log.note("icon", f"{name} {token}")
        return find(theme, name, token, *more)

    def noted_icon(icon, painter, *args):
        log.note("QIcon.paint", " ".join(told(a) for a in args))
        paint(icon, painter, *args)

    Canvas.bar, Canvas.stamp, painting.glyph = noted_bar, noted_stamp, noted_glyph
    QIcon.paint, Theme.icon = noted_icon, noted_find
    try:
        yield
    finally:
        Canvas.bar, Canvas.stamp, painting.glyph, QIcon.paint, Theme.icon = bar, stamp, glyph, paint, find


def point(place: QPointF | tuple[float, float]) -> QPoint:
    """A pixel of a widget."""
    return place.toPoint() if isinstance(place, QPointF) else QPoint(round(place[0]), round(place[1]))


@contextmanager
def panel(
    qapp: QApplication,
    stage: str,
    prepare: Callable[[Session, QWidget], object] = lambda session, widget: None,
) -> Iterator[tuple[Stage, QWidget, Brush]]:
    """The timeline at a stage, with what it paints noted."""
    made, widget = sitter.seated(qapp, "timeline", stage)
    try:
        with noted() as log, pictures_noted(log):
            prepare(made.session, widget)
            turn_until_shown()
            yield made, widget, log
    finally:
        sitter.away(qapp, made, widget)


def stretch(widget: QWidget) -> str:
    """What part of the clip is in sight."""
    view = widget.model.view
    return f"{view.axis.start:.3f} to {view.axis.end:.3f} s, {view.scroll:g} px down"

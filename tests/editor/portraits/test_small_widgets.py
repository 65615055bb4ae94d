"""The small widgets that panels are made of, in hand: what each shows, paints, tells and keeps, as approved."""

from collections.abc import Callable
from types import SimpleNamespace

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QVBoxLayout, QWidget

from editor.model.graph.language import Fault
from editor.qt.choice import ChoiceBox, KeyCheckBox
from editor.qt.drag_bar import DragBar, Scale
from editor.qt.expression_line import ExpressionLine
from editor.qt.job_bar import JobBar
from editor.qt.menu import Menu, submenu
from editor.qt.name_field import NameField
from editor.qt.theme import Theme
from editor.qt.weight_slider import WeightSlider
from editor.qt.widgets import ElidedLabel, EmptyState, MenuButton, SearchField, dress, icon_button, tell
from tests.editor.portraits import approved, pointer
from tests.editor.portraits.alone import alone
from tests.editor.portraits.gestures import move
from tests.editor.portraits.pointer import CTRL, LEFT, MIDDLE, NONE, RIGHT

Key = Qt.Key
SCALE = Scale(
    -150.0, 150.0, (-100.0, 0.0, 100.0), (-100.0, 0.0, 100.0), (-50.0, 50.0), step=1.0, snap=25.0, magnet=3.0
)


def kept(widget: QWidget, code: Key) -> str:
    """Whether a widget keeps a key from the window's shortcuts."""
    pointer.KEPT.clear()
    pointer.key(widget, code)
    return f"{code.name} {'is kept' if pointer.KEPT else 'is let through'}"


# ------------------------------------------------------------ bars
def drag_bar(qapp: QApplication) -> list[str]:
    """A bar with a handle that springs back."""
    ready = [True]
    with alone(qapp, lambda theme: DragBar(theme, "bar", SCALE, lambda: ready[0]), (320, 100)) as here:
        bar = here.widget
        bar.dragged.connect(lambda value: here.heard.append(f"{value:g}"))
        bar.released.connect(lambda: here.heard.append("released"))
        bar.cancelled.connect(lambda: here.heard.append("cancelled"))

        def at(value: float, dx: int = 0) -> QPoint:
            return QPoint(round(bar.x_of(value)) + dx, 14)

        def drag(start: QPoint, to: QPoint, held=NONE, button=LEFT) -> None:
            pointer.press(bar, start, button, held)
            here.settle()
            move(bar, to, button, held)

        here.do("over the handle", lambda: move(bar, at(0.0, 5)))
        here.do("beside it", lambda: move(bar, at(0.0, 14)))
        here.do("over it", lambda: move(bar, at(0.0)))
        here.do("away", lambda: QApplication.sendEvent(bar, QEvent(QEvent.Type.Leave)))
        drags = (
            (at(0.0), at(61.0)), (at(0.0, 6), at(61.0, 6)), (at(0.0), at(101.0)), (at(-75.0), at(2.0)),
            (at(0.0), at(0.0, 900)),
        )  # fmt: skip
        for word, held in (("", NONE), ("Ctrl ", CTRL)):
            for start, to in drags:
                name = f"{word}drag from {start.x()} to {to.x()}"
                here.do(name, lambda s=start, t=to, h=held: drag(s, t, h))
                here.do("let go", lambda t=to, h=held: pointer.let_go(bar, t, LEFT, h))
        here.do("drag", lambda: drag(at(0.0), at(80.0)))
        here.do("another button let go", lambda: pointer.let_go(bar, at(80.0), MIDDLE))
        here.do("the right button", lambda: pointer.press(bar, at(80.0), RIGHT))
        here.do("let go", lambda: pointer.let_go(bar, at(80.0)))
        here.do("right drag", lambda: drag(at(0.0), at(80.0), button=RIGHT))
        here.do("Escape at rest", lambda: here.heard.append(kept(bar, Key.Key_Escape)))
        here.do("drag", lambda: drag(at(0.0), at(80.0)))
        here.do("K", lambda: here.heard.append(kept(bar, Key.Key_K)))
        here.do("Escape", lambda: here.heard.append(kept(bar, Key.Key_Escape)))
        here.do("let go", lambda: pointer.let_go(bar, at(80.0)))
        here.do("drag, and the keyboard goes", lambda: drag(at(0.0), at(80.0)), here.elsewhere)
        here.do("let go", lambda: pointer.let_go(bar, at(80.0)))
        ready[0] = False
        here.do("refused", lambda: drag(at(0.0), at(80.0)), lambda: pointer.let_go(bar, at(80.0)))
        ready[0] = True
        here.do("rests elsewhere", lambda: bar.rest_at(50.0))
        here.do("drag from there", lambda: drag(at(50.0), at(-20.0)))
        here.do("let go", lambda: pointer.let_go(bar, at(-20.0)))
        here.do("off", lambda: bar.setEnabled(False))
        here.do(
            "another scale", lambda: bar.set_scale(Scale(0.0, 1.0, (0.0, 1.0), (0.0, 0.5, 1.0), factor=100.0))
        )
        here.do("on", lambda: bar.setEnabled(True))
        here.do("light", lambda: here.theme.use("light"))
        return here.lines


def weights(qapp: QApplication) -> list[str]:
    """A slider of a weight: a drag that Escape takes back stays taken back until the button is let go."""
    with alone(qapp, lambda theme: WeightSlider("layer"), (240, 80)) as here:
        slider = here.widget
        slider.valueChanged.connect(lambda value: here.heard.append(str(value)))
        slider.sliderPressed.connect(lambda: here.heard.append("pressed"))
        slider.sliderReleased.connect(lambda: here.heard.append("released"))
        slider.cancelled.connect(lambda: here.heard.append("cancelled"))
        slider.setValue(50)
        middle = slider.rect().center()

        def drag(*then: Callable[[], object]) -> None:
            pointer.press(slider, middle)
            move(slider, middle + QPoint(40, 0), LEFT)
            for deed in then:
                deed()
            move(slider, middle + QPoint(70, 0), LEFT)
            pointer.let_go(slider, middle + QPoint(70, 0))

        here.do("drag", drag)
        slider.setValue(50)
        here.do("drag, Escape", lambda: drag(lambda: here.heard.append(kept(slider, Key.Key_Escape))))
        here.do("Escape at rest", lambda: here.heard.append(kept(slider, Key.Key_Escape)))
        slider.setValue(50)
        here.do("again", drag)
        here.do("wheel", lambda: pointer.wheel(slider, middle, 1.0))
        here.do("key", slider.setFocus, lambda: here.key(Key.Key_Right))
        return here.lines


# ------------------------------------------------------------ lines
def lines_of_text(qapp: QApplication) -> list[str]:
    """A search field, a name in its place, and an expression."""
    found: list[str] = []
    with alone(qapp, lambda theme: SearchField(theme, "Find"), (240, 80)) as here:
        field = here.widget
        field.left.connect(lambda: here.heard.append("left"))
        here.do("typed", field.setFocus, lambda: here.type("arm"))
        here.do("Escape", lambda: here.heard.append(kept(field, Key.Key_Escape)))
        here.do("Escape again", lambda: here.heard.append(kept(field, Key.Key_Escape)))
        here.do("K", field.setFocus, lambda: here.heard.append(kept(field, Key.Key_K)))
        here.do("the cross", lambda: field.actions()[-1].trigger())
        found += here.lines

    def holder(theme: Theme) -> QWidget:
        made = QWidget()
        made.setObjectName("holder")
        made.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        made.setMinimumHeight(40)
        return made

    with alone(qapp, holder, (240, 120)) as here:

        def field() -> NameField:
            name = NameField("walk", lambda text: here.heard.append(f"named {text!r}"), here.widget)
            name.open()
            return name

        def ends(*codes: Key) -> Callable[[], None]:
            def deed() -> None:
                for code in codes:
                    here.key(code)

            return deed

        def selected() -> None:
            line = field()
            here.heard.append(f"selected {line.selectedText()!r}, {kept(line, Key.Key_K)}")

        here.do("is open", selected)
        here.do("Enter", ends(Key.Key_Return))
        here.do("as it was", field, ends(Key.Key_Return))
        here.do("Escape", field, lambda: here.type("run"), ends(Key.Key_Escape))
        here.do("elsewhere", field, lambda: here.type("run"), here.elsewhere)
        found += here.lines
    with alone(qapp, ExpressionLine, (240, 80)) as here:
        line = here.widget
        here.do("an expression", lambda: line.setText("speed > nobody"))
        here.do("is wrong", lambda: line.show_fault(Fault("there is no 'nobody'", 8, 6)))
        here.do("at its end", lambda: line.show_fault(Fault("expected a value", 14, 0)))
        here.do("light", lambda: here.theme.use("light"))
        here.do("is right", lambda: line.show_fault(None))
        found += here.lines
    return found


# ------------------------------------------------------------ labels, buttons, choices
def elided(qapp: QApplication, mode: Qt.TextElideMode) -> list[str]:
    """A label that is too long."""
    with alone(qapp, lambda theme: ElidedLabel("A short one", "dim", mode), (200, 80)) as here:
        text = here.widget
        long = "A long line of words that does not fit into the window of this test"
        here.do("long", lambda: text.set_text(long))
        here.do("wide", lambda: here.window.resize(700, 80))
        here.do("narrow", lambda: here.window.resize(120, 80))
        here.do("with a tip", lambda: text.set_text(long, "What it means"))
        here.do("the tip is the text", lambda: text.set_text("Short", "Short"))
        here.lines.append(f"{text.whole_text()} {text.minimumSizeHint().width()}")
        return here.lines


def labels(qapp: QApplication) -> list[str]:
    """Labels, what stands where nothing is, work under way."""
    found = elided(qapp, Qt.TextElideMode.ElideRight) + elided(qapp, Qt.TextElideMode.ElideMiddle)
    pressed: list[str] = []

    def empty(theme: Theme) -> QWidget:
        return EmptyState(theme, "clip", "No clip yet", "New clip", lambda: pressed.append("new"))

    with alone(qapp, empty, (240, 260)) as here:
        here.do("its button", lambda: here.tap("emptyButton"), lambda: here.heard.extend(pressed))
        here.do("another text", lambda: here.widget.set_text("Nothing is selected"))
        here.do("light", lambda: here.theme.use("light"))
        found += here.lines
    job: list[SimpleNamespace | None] = [None]
    with alone(qapp, lambda theme: JobBar("bar", lambda: job[0]), (240, 90)) as here:

        def polls() -> None:
            here.heard.append("looks again" if here.widget._timer.isActive() else "looks no more")

        for fraction, text in ((0.25, "reading"), (0.9996, "")):
            job[0] = SimpleNamespace(fraction=fraction, text=text)
            here.do(f"{fraction:g}", here.widget.refresh, polls)
        job[0] = None
        here.do("done", here.widget.refresh, polls)
        found += here.lines
    return found


def choices(qapp: QApplication) -> list[str]:
    """Boxes to choose from and to tick, which the wheel and the space bar leave alone where they have no keyboard."""

    def both(theme: Theme) -> QWidget:
        made = QWidget()
        box, tick = ChoiceBox(), KeyCheckBox("Loop")
        box.setObjectName("box")
        tick.setObjectName("tick")
        column = QVBoxLayout(made)
        column.addWidget(box)
        column.addWidget(tick)
        return made

    with alone(qapp, both, (220, 140)) as here:
        box, tick = here.find("box"), here.find("tick")
        assert isinstance(box, ChoiceBox) and isinstance(tick, KeyCheckBox)
        box.currentIndexChanged.connect(lambda k: here.heard.append(f"index {k}"))
        box.activated.connect(lambda k: here.heard.append(f"chosen {k}"))
        tick.toggled.connect(lambda on: here.heard.append(f"ticked {on}"))
        three = [("walk", 1), ("run", 2), ("jump", 3)]
        here.do("choices", lambda: box.show_choices(three, 2))
        here.do("one that is not there", lambda: box.show_choices(three, 9))
        here.do("or another", lambda: box.show_choices(three, 9, 0))
        here.do("wheel without the keyboard", lambda: pointer.wheel(box, QPoint(20, 10), -1.0))
        here.do("wheel with it", box.setFocus, lambda: pointer.wheel(box, QPoint(20, 10), -1.0))
        here.do("down", lambda: here.key(Key.Key_Down))
        here.do("Space at a tick", tick.setFocus, lambda: here.heard.append(kept(tick, Key.Key_Space)))
        here.do("a click elsewhere, a click at it", here.elsewhere, lambda: here.tap("tick", QPoint(9, 9)))
        return here.lines


def menus(qapp: QApplication) -> list[str]:
    """A button that opens a menu, and what the menu paints: shortcuts at its right edge, ticks in place of icons."""

    def buttons(theme: Theme) -> QWidget:
        made = QWidget()
        opener = icon_button(theme, "menu", "More", name="opener", menu=True)
        opener.setParent(made)
        plain = icon_button(theme, "undo", "Undo", True, "plain", "dim", 30)
        plain.setParent(made)
        plain.move(60, 0)
        made.setFixedHeight(40)
        menu = Menu(opener)
        for text, on, checkable in (
            ("Copy\tCtrl+C", True, False),
            ("Paste\tCtrl+V", False, False),
            ("Loop\tL", True, True),
        ):
            entry = QAction(text, menu, checkable=checkable)
            entry.setEnabled(on)
            entry.setIcon(theme.icon("key"))
            menu.addAction(entry)
        submenu(menu, "More").addAction("Rare\tF9")
        opener.setMenu(menu)
        return made

    with alone(qapp, buttons, (240, 120)) as here:
        opener, plain = here.find("opener"), here.find("plain")
        assert isinstance(opener, MenuButton)
        menu: QMenu = opener.menu()

        def open_with(button: Qt.MouseButton) -> Callable[[], None]:
            def deed() -> None:
                """What is let go goes to the menu, if one has opened."""
                QTest.mousePress(opener, button, pos=QPoint(8, 8))
                QTest.mouseRelease(menu if menu.isVisible() else opener, button, pos=QPoint(8, 8))

            return deed

        def told() -> None:
            place = menu.pos() - opener.mapToGlobal(QPoint(0, 0)) if menu.isVisible() else None
            here.heard.append(
                "no menu" if place is None else f"a menu at {place.x()} {place.y()} {opener.isDown()}"
            )

        here.do("right button", open_with(RIGHT), told)
        here.do(
            "off", lambda: opener.setEnabled(False), open_with(LEFT), told, lambda: opener.setEnabled(True)
        )
        here.do("it opens", open_with(LEFT), told)

        def at() -> None:
            here.heard.append(menu.activeAction().text() if menu.activeAction() is not None else "at none")

        for _ in range(3):
            here.do("down", lambda: here.key(Key.Key_Down), at)
        here.do("closed", menu.close, told, lambda: here.heard.append(f"down {opener.isDown()}"))
        dressed = dress(plain, here.theme, "undo", "dim")
        here.do("another icon", lambda: dressed.change("redo", "accent"))
        here.do("the same colour", lambda: dressed.change("undo"))
        here.do("another tip", lambda: tell(plain, "Redo"))
        here.do("light", lambda: here.theme.use("light"))
        return here.lines


PARTS: dict[str, Callable[[QApplication], list[str]]] = {
    "drag bar": drag_bar,
    "weight slider": weights,
    "lines of text": lines_of_text,
    "labels": labels,
    "choices": choices,
    "menus": menus,
}


@pytest.mark.parametrize("name", list(PARTS))
def test_small_widgets_are_as_approved(qapp, name: str) -> None:
    problem = approved.problem_of(f"widgets-{name.replace(' ', '-')}", lambda: PARTS[name](qapp))
    assert not problem, problem

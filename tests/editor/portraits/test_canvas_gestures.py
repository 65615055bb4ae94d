"""The canvas of a graph in hand: each gesture with each modifier, what shows under way and what comes of it."""

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from editor.model.graph.hits import arrow_points, choice_box, middle_of
from tests.editor.panels.graph.graphs import (
    BACK,
    BLEND,
    CLIP_A,
    CLIP_B,
    GO,
    IDLE,
    OUTPUT,
    POSES,
    STATES,
    WALKING,
)
from tests.editor.portraits import approved, pointer
from tests.editor.portraits.canvas_hands import MIRROR, AtCanvas, canvas
from tests.editor.portraits.gestures import move
from tests.editor.portraits.pointer import ALT, CTRL, LEFT, MIDDLE, NONE, RIGHT, SHIFT, twice

FAR = QPoint(-400, -300)


def scrolled(here: AtCanvas, by: QPoint, held=NONE) -> None:
    """A touch pad."""
    at = QPointF(300, 200)
    event = QWheelEvent(
        at, QPointF(here.widget.mapToGlobal(at.toPoint())), by, by, Qt.MouseButton.NoButton, held,
        Qt.ScrollPhase.ScrollUpdate, False,
    )  # fmt: skip
    QApplication.sendEvent(here.widget, event)


# ------------------------------------------------------------ a sheet of poses
def under_the_pointer(here: AtCanvas) -> None:
    """Over each kind of thing."""
    scene = here.canvas.scene
    blend = scene.rect(BLEND)
    choice = choice_box(scene.nodes[CLIP_B], scene.places[CLIP_B], "clip")
    places = {
        "nothing": here.at(460, 300),
        "a node": here.title(BLEND),
        "a pin": here.pin(BLEND, "a"),
        "an output": here.pin(CLIP_A, "out", True),
        "a number": here.at(blend.x + 90, here.canvas.scene.pin_place(BLEND, "alpha", False)[1]),
        "a choice": here.at(choice.x + 20, choice.y + 6),
        "a wire": here.at(472, 59),
        "a knot": here.at(224, 220),
        "a comment": here.at(-20, -30),
        "the corner of a comment": here.at(199, 329),
    }
    here.places = places
    for name, at in places.items():

        def deed(at=at) -> None:
            move(here.widget, at)
            here.picture("under it")
            here.lines.append(f"      tip {pointer.tip_of(here.widget, at)!r}")

        here.do(f"over {name}", deed)


def at_places(here: AtCanvas) -> None:
    """Clicks, double clicks and drags with each modifier at each kind of thing."""
    here.chosen = (CLIP_A,)
    here.back()
    held = {"": NONE, "Shift ": SHIFT, "Ctrl ": CTRL, "Alt ": ALT}
    for name, at in here.places.items():
        for word, keys in held.items():
            here.do(f"{word}click on {name}", lambda at=at, keys=keys: pointer.tap(here.widget, at, keys))
            if word != "Shift ":
                here.drag(f"{word}drag of {name}", at, at + QPoint(37, -22), held=keys)
        here.do(f"double click on {name}", lambda at=at: twice(here.widget, at))
        here.do(f"right click on {name}", lambda at=at: here.open_menu(at))
        here.drag(f"drag of {name} by a hair", at, at + QPoint(2, 1), shown=False)
        here.drag(f"drag of {name}, Escape", at, at + QPoint(37, -22), shown=False,
                  during=lambda: here.key(Qt.Key.Key_Escape))  # fmt: skip
    here.chosen = ()
    here.back()


def drags(here: AtCanvas) -> None:
    """Wires to where they fit and where not, boxes, strokes, pans, and what happens in the middle of them."""
    pin, at = here.pin, here.at
    pose, a = pin(CLIP_A, "out", True), pin(BLEND, "a")
    here.drag("a wire to a pin", pin(MIRROR, "out", True), pin(OUTPUT, "pose"))
    here.drag("a wire to a node", pose, here.title(MIRROR))
    here.drag("a wire to a pin that does not fit", pose, pin(MIRROR, "on"))
    here.drag("a wire to nothing", pose, at(460, 300))
    here.drag("a wire off its pin", a, at(460, 300))
    here.drag("a wire off its pin to another", a, pin(MIRROR, "pose"))
    here.drag("Shift a wire off its pin to another", a, pin(MIRROR, "pose"), held=SHIFT)
    here.drag("Ctrl a wire off its output", pose, pin(MIRROR, "pose"), held=CTRL)
    here.drag(
        "a wire, right button", pose, a, shown=False, during=lambda: pointer.press(here.widget, a, RIGHT)
    )
    here.drag("a node onto a wire", here.title(MIRROR), at(472, 60))
    here.drag("Alt a node off the grid", here.title(MIRROR), here.title(MIRROR) + QPoint(13, 11), held=ALT)
    here.drag("a node out of the canvas", here.title(MIRROR), FAR, shown=False)
    here.drag("a box", at(-60, -50), at(300, 90))
    here.drag("a box, the other way", at(300, 100), at(-60, -50), shown=False)
    here.drag("right drag", at(460, 300), at(490, 310), button=RIGHT)
    here.drag("right drag by a hair", at(460, 300), at(461, 301), button=RIGHT, shown=False)
    here.drag("middle drag", here.title(BLEND), here.title(BLEND) + QPoint(24, 9), button=MIDDLE)
    here.drag("Ctrl right drag over wires", at(220, -10), at(220, 260), button=RIGHT, held=CTRL)
    here.drag("Ctrl right drag, Escape", at(220, -10), at(220, 260), button=RIGHT, held=CTRL, shown=False,
              during=lambda: here.key(Qt.Key.Key_Escape))  # fmt: skip
    here.drag("a drag, another button let go", here.title(BLEND), here.title(BLEND) + QPoint(40, 0), shown=False,
              during=lambda: pointer.let_go(here.widget, here.title(BLEND), MIDDLE))  # fmt: skip
    here.chosen = (CLIP_A, CLIP_B)
    here.back()
    here.drag("two nodes", here.title(CLIP_A), here.title(CLIP_A) + QPoint(-37, 50))
    here.drag("another than the two", here.title(MIRROR), here.title(MIRROR) + QPoint(40, 0), shown=False)
    here.drag("Shift box", at(240, 20), at(300, 90), held=SHIFT, shown=False)
    here.drag("Ctrl box", at(-60, -50), at(100, 60), held=CTRL, shown=False)
    here.chosen = ()
    here.back()

    def modifiers() -> None:
        for name, code, flag in (("Alt", Qt.Key.Key_Alt, ALT), ("Shift", Qt.Key.Key_Shift, SHIFT)):
            QTest.keyPress(here.widget, code)  # Qt adds the modifier by itself
            here.picture(f"{name} goes down")
            QTest.keyRelease(here.widget, code, flag)

    here.drag(
        "a node, keys go down", here.title(MIRROR), here.title(MIRROR) + QPoint(13, 11), during=modifiers
    )

    def wheel() -> None:
        pointer.wheel(here.widget, here.title(BLEND), 1)
        here.picture("the wheel turns")

    here.drag("a node, and the wheel", here.title(MIRROR), here.title(MIRROR) + QPoint(40, 0), during=wheel)

    def edge() -> None:
        for _ in range(3):
            here.widget._scroll()
        here.picture("at the edge")

    right = QPoint(here.widget.width() - 2, 200)
    here.drag("a wire to the edge", pose, right, during=edge)
    here.do("the edge, nothing in hand", here.widget._scroll)


def wheels_and_keys(here: AtCanvas) -> None:
    """The wheel, touch pads, the space bar, letters."""
    middle = here.title(BLEND)
    for name, notches, held in (
        ("up", 1, NONE),
        ("down", -2, NONE),
        ("Ctrl up", 1, CTRL),
        ("Shift up", 1, SHIFT),
    ):
        here.do(f"wheel {name}", lambda n=notches, h=held: pointer.wheel(here.widget, middle, n, h))
    here.do("two fingers", lambda: scrolled(here, QPoint(12, -30)))
    here.do("two fingers with Ctrl", lambda: scrolled(here, QPoint(12, -30), CTRL))

    def space(*then) -> None:
        move(here.widget, here.at(460, 300))
        QTest.keyPress(here.widget, Qt.Key.Key_Space)
        here.picture("space is held")
        for work in then:
            work()
        QTest.keyRelease(here.widget, Qt.Key.Key_Space)

    here.do("space", space)
    here.do(
        "space and the pointer moves",
        lambda: space(lambda: move(here.widget, middle), lambda: here.picture("moved")),
    )
    here.do("space and a drag", lambda: space(
        lambda: pointer.press(here.widget, middle), lambda: move(here.widget, middle + QPoint(30, 0), LEFT),
        lambda: here.picture("dragged"), lambda: pointer.let_go(here.widget, middle + QPoint(30, 0)),
    ))  # fmt: skip
    here.do("space, and the keyboard goes", lambda: space(lambda: here.panel.tree.setFocus()))
    for code in (Qt.Key.Key_S, Qt.Key.Key_Tab, Qt.Key.Key_F2, Qt.Key.Key_Delete, Qt.Key.Key_Return,
                 Qt.Key.Key_Left, Qt.Key.Key_Down, Qt.Key.Key_Escape):  # fmt: skip
        here.chosen = (CLIP_A,)
        here.back()
        here.do(f"{code.name}, a node selected", lambda code=code: here.key(code))
    here.chosen = ()
    here.back()


# ------------------------------------------------------------ a machine
def machine(here: AtCanvas) -> None:
    """States and transitions."""
    here.sheet = STATES
    here.back()
    rect = here.canvas.scene.rect(IDLE)
    border = here.at(rect.right - 1, rect.y + rect.h / 2)
    arrows = {a.transitions[0].id: arrow_points(here.canvas.scene, a) for a in here.canvas.scene.arrows}
    go = here.at(*middle_of(arrows[GO]))
    end = here.at(*map(float, arrows[GO][-1])) - QPoint(6, 0)
    for name, at in (("the border of a state", border), ("a state", here.title(IDLE)), ("an arrow", go)):

        def over(at=at) -> None:
            move(here.widget, at)
            here.picture("under it")
            here.lines.append(f"      tip {pointer.tip_of(here.widget, at)!r}")

        here.do(f"over {name}", over)
        for word, keys in {"": NONE, "Shift ": SHIFT, "Ctrl ": CTRL, "Alt ": ALT}.items():
            here.do(f"{word}click on {name}", lambda at=at, keys=keys: pointer.tap(here.widget, at, keys))
        here.do(f"double click on {name}", lambda at=at: twice(here.widget, at))
        here.do(f"right click on {name}", lambda at=at: here.open_menu(at))
    here.drag("an arrow to a state", border, here.title(WALKING))
    here.drag("an arrow to nothing", border, here.at(160, 200))
    here.drag(
        "an arrow, Escape",
        border,
        here.title(WALKING),
        shown=False,
        during=lambda: here.key(Qt.Key.Key_Escape),
    )
    here.drag("a state", here.title(IDLE), here.title(IDLE) + QPoint(20, 50))
    here.chosen = (GO,)
    here.back()
    here.do("a click on the arrow that is selected", lambda: pointer.tap(here.widget, go))
    here.drag("the end of an arrow to its other state", end, here.title(IDLE))
    here.drag("the end of an arrow to nothing", end, here.at(160, 200))
    here.do("Shift click on a state", lambda: pointer.tap(here.widget, here.title(IDLE), SHIFT))
    here.chosen = (BACK,)
    here.back()
    here.do("Alt click on the other arrow", lambda: pointer.tap(here.widget, go, ALT))
    here.sheet, here.chosen = POSES, ()
    here.back()


def gestures(qapp) -> list[str]:
    with pytest.MonkeyPatch.context() as patch, canvas(qapp, patch) as here:
        for part in (under_the_pointer, at_places, drags, wheels_and_keys, machine):
            here.lines.append(f"=== {part.__name__}")
            part(here)
        return here.lines


def test_gestures_at_the_canvas_are_as_approved(qapp) -> None:
    problem = approved.problem_of("gestures-graph", lambda: gestures(qapp))
    assert not problem, problem

"""What mouse and keys do in the view of the source, without the view."""

from types import SimpleNamespace

import pytest
from PySide6.QtCore import Qt

from editor.panels.source_view.widget import _Hands
from editor.tools.pointer import Button, Modifiers, Pointer


class Model:
    """Writes down what it is asked."""

    def __init__(self, dragging: bool = False, picking: bool = False) -> None:
        self.done: list[tuple[object, ...]] = []
        note = self.note
        self.gestures = SimpleNamespace(
            current=object() if dragging else None, move=note("drag"), release=note("release")
        )
        self.controller = SimpleNamespace(wheel=note("wheel"))
        self.retargeting = SimpleNamespace(pick=SimpleNamespace(picking=picking, set_picking=note("picking")))
        self.press, self.hover = note("press"), note("hover")

    def note(self, name: str):
        return lambda *values: self.done.append((name, *values))


def pointer(button: Button = Button.NONE) -> Pointer:
    return Pointer(10.0, 20.0, button)


def test_the_wheel_zooms_where_the_pointer_is() -> None:
    model = Model()
    _Hands(model).wheel(pointer(), -2.0)  # type: ignore[arg-type]
    assert model.done == [("wheel", -2.0, (10.0, 20.0))]


def test_the_pointer_hovers_drags_and_leaves() -> None:
    still, dragging = Model(), Model(dragging=True)
    for model in (still, dragging):
        hands = _Hands(model)  # type: ignore[arg-type]
        hands.move(pointer())
        hands.move(pointer(Button.LEFT))
        hands.leave()
    assert still.done == [("hover", (10.0, 20.0)), ("hover", None)]
    assert dragging.done == [("drag", pointer()), ("drag", pointer(Button.LEFT)), ("hover", None)]


def test_only_the_button_that_began_a_drag_ends_it() -> None:
    model = Model()
    hands = _Hands(model)  # type: ignore[arg-type]
    hands.press(pointer(Button.MIDDLE))
    hands.release(pointer(Button.LEFT))
    hands.release(pointer(Button.MIDDLE))
    assert model.done == [("press", pointer(Button.MIDDLE)), ("release", pointer(Button.MIDDLE))]
    dragging = Model(dragging=True)
    _Hands(dragging).press(pointer(Button.LEFT))  # type: ignore[arg-type]
    assert dragging.done == []


@pytest.mark.parametrize(
    ("key", "pressed", "picking", "taken"),
    [
        (Qt.Key.Key_Escape, True, True, True),
        (Qt.Key.Key_Escape, True, False, False),
        (Qt.Key.Key_Escape, False, True, False),
        (Qt.Key.Key_Return, True, True, False),
    ],
)
def test_escape_ends_picking(key: Qt.Key, pressed: bool, picking: bool, taken: bool) -> None:
    model = Model(picking=picking)
    found = _Hands(model).key(int(key), "", Modifiers.NONE, pressed, False)  # type: ignore[arg-type]
    assert found is taken and model.done == ([("picking", False)] if taken else [])

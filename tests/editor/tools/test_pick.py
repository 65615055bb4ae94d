"""A press on what is no handle, without a window: clicks take turns in a pile; boxes, and modifiers."""

import pytest

from editor.model.selection import Mode, Selection
from editor.tools.pick import ClickMemory, Pick, mode_of
from editor.tools.pointer import Button, Modifiers, Pointer
from tests.editor.panel_stage import small_session

PILE = ("hand_l", "lower_arm_l", "head")


class Scene:
    """Bones in a pile at one place, two in every box."""

    def __init__(self) -> None:
        self.boxes: list = []
        self.pile = PILE

    def bones_at(self, pixel):
        return self.pile if abs(pixel[0] - 100.0) < 20.0 else ()

    def bones_in(self, low, high):
        self.asked = low, high
        return ("head", "hand_l")

    def show_box(self, box):
        self.boxes.append(box)


@pytest.fixture
def selection():
    session = small_session(mesh=False)
    yield session.selection
    session.close()


def press(
    scene: Scene, selection: Selection, memory: ClickMemory, x: float, *way, held=Modifiers.NONE
) -> Pick:
    gesture = Pick(scene, selection, memory)
    at = Pointer(x, 50.0, Button.LEFT, held)
    gesture.begin(at)
    for place in way:
        at = Pointer(*place, Button.LEFT, held)
        gesture.move(at)
    gesture.finish(at)
    return gesture


def test_clicks_on_one_spot_take_turns_in_the_pile(selection):
    scene, memory = Scene(), ClickMemory()
    seen = []
    for x in (100.0, 101.0, 99.0, 100.0):
        press(scene, selection, memory, x)
        seen += selection.bones
    assert seen == [*PILE, PILE[0]]
    press(scene, selection, memory, 110.0)  # another spot begins anew
    assert selection.bones == (PILE[0],)
    press(scene, selection, memory, 110.0)
    selection.select(("pelvis",))
    press(scene, selection, memory, 110.0)  # something else was selected meanwhile
    assert selection.bones == (PILE[0],)
    scene.pile = PILE[::-1]
    press(scene, selection, memory, 110.0)  # another pile
    assert selection.bones == (PILE[2],)


@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("away, again", [(4.0, True), (4.5, False), (-4.0, True), (-4.5, False)])
def test_the_spot_is_some_pixels_wide_both_ways(axis, away, again):
    memory = ClickMemory()
    assert memory.choose((10.0, 10.0), PILE, None) == PILE[0]
    place = [10.0, 10.0]
    place[axis] += away
    assert memory.choose((place[0], place[1]), PILE, PILE[0]) == PILE[1 if again else 0]
    assert memory.choose((0.0, 0.0), (), None) is None


def test_shift_adds_and_ctrl_removes_the_uppermost_and_does_not_take_turns(selection):
    scene, memory = Scene(), ClickMemory()
    selection.select(("pelvis",))
    for _ in range(2):
        press(scene, selection, memory, 100.0, held=Modifiers.SHIFT)
        assert selection.bones == ("pelvis", PILE[0])
    for _ in range(2):
        press(scene, selection, memory, 100.0, held=Modifiers.CTRL)
        assert selection.bones == ("pelvis",)


@pytest.mark.parametrize(
    "held, left", [(Modifiers.NONE, ()), (Modifiers.SHIFT, ("pelvis",)), (Modifiers.CTRL, ("pelvis",))]
)
def test_a_click_beside_all_lets_go_of_the_selection_unless_it_adds(selection, held, left):
    selection.select(("pelvis",))
    press(Scene(), selection, ClickMemory(), 300.0, held=held)
    assert selection.bones == left


@pytest.mark.parametrize(
    "held, left",
    [
        (Modifiers.NONE, {"head", "hand_l"}),
        (Modifiers.SHIFT, {"pelvis", "head", "hand_l"}),
        (Modifiers.CTRL, {"pelvis"}),
    ],
)
def test_a_box_drawn_any_way_round_selects_adds_or_removes(selection, held, left):
    for start, end in ((60.0, (20.0, 90.0)), (20.0, (60.0, 90.0))):
        scene = Scene()
        selection.select(("pelvis", "head"))
        gesture = press(scene, selection, ClickMemory(), start, (start + 1.0, 50.0), end, held=held)
        assert scene.asked == ((20.0, 50.0), (60.0, 90.0)) and scene.boxes[-1] is None
        assert scene.boxes[:-1] == [((20.0, 50.0), (60.0, 90.0))] and set(selection.bones) == left
        assert gesture.hint


def test_a_box_taken_back_is_no_longer_drawn_and_selects_nothing(selection):
    scene = Scene()
    selection.select(("pelvis",))
    gesture = Pick(scene, selection, ClickMemory())
    gesture.move(Pointer(5.0, 5.0))
    gesture.finish(Pointer(5.0, 5.0))
    assert scene.boxes == [] and gesture.hint == ""
    gesture.begin(Pointer(10.0, 10.0))
    gesture.move(Pointer(60.0, 60.0))
    gesture.cancel()
    assert scene.boxes[-1] is None and selection.bones == ("pelvis",)


def test_keys_held_say_how_it_joins():
    both = Modifiers.SHIFT | Modifiers.CTRL
    found = [mode_of(Pointer(0.0, 0.0, Button.LEFT, held)) for held in (Modifiers.ALT, Modifiers.SHIFT, both)]
    assert found == [Mode.REPLACE, Mode.ADD, Mode.REMOVE]

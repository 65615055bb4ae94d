"""One of the shot moved by the gizmo, without a window: along the axes shown, snapped, typed, one step, taken back."""

from dataclasses import replace

import numpy as np
import pytest

from core.ids import AssetId
from core.math import quat
from editor.tools.pointer import Button, Modifiers, Pointer
from editor.tools.shot import MoveItem, PickItem, item_axes
from editor.tools.state import Setup, Space, Tool

AXES = np.array([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
"""Rows: the first handle works along z."""


class Shot:
    """Takes what is moved; a thing is its matrix here."""

    def __init__(self) -> None:
        self.shown: list = []
        self.steps: list[tuple[str, np.ndarray]] = []
        self.selected: list = []

    def moved(self, item, matrix):
        return matrix

    def set_preview(self, made) -> None:
        self.shown.append(made)

    def put(self, label, made) -> None:
        self.steps.append((label, made))

    def select(self, item) -> None:
        self.selected.append(item)


class Grip:
    """A handle along the first axis; ten pixels are a tenth of a metre, radian or factor."""

    axes, free = (0,), False

    def __init__(self, none: float = 0.0) -> None:
        self.none, self.seen = none, []

    def amount(self, pixel):
        found = np.full(3, self.none)
        found[0] += pixel[0] / 100.0
        return found

    def show(self, amount) -> None:
        self.seen.append(amount)


class Item:
    name = "box"


BEGUN = np.array([[0.0, -2.0, 0.0, 1.0], [1.0, 0.0, 0.0, 2.0], [0.0, 0.0, 3.0, 3.0], [0.0, 0.0, 0.0, 1.0]])


def gesture(tool: Tool, **setup) -> tuple[MoveItem, Shot]:
    shot = Shot()
    made = MoveItem(
        shot, replace(Setup(tool), **setup), Item(), BEGUN, AXES, Grip(1.0 if tool is Tool.SCALE else 0.0)
    )
    return made, shot


def drag(made: MoveItem, pixels: float, held: Modifiers = Modifiers.NONE) -> None:
    made.begin(Pointer(0.0, 0.0, Button.LEFT, held))
    for share in (0.5, 1.0):
        made.move(Pointer(pixels * share, 0.0, Button.LEFT, held))


def matrix_of(tool: Tool, amount: float) -> np.ndarray:
    wanted = BEGUN.copy()
    if tool is Tool.MOVE:
        wanted[2, 3] += amount
    elif tool is Tool.ROTATE:
        wanted[:3, :3] = quat.to_matrix(quat.from_axis_angle([0.0, 0.0, 1.0], amount)) @ wanted[:3, :3]
    else:
        wanted[:3, 0] *= 1.0 + amount
    return wanted


WORDS = {Tool.MOVE: "0.5 m", Tool.ROTATE: "28.6°", Tool.SCALE: "× 1.5"}


@pytest.mark.parametrize("tool", list(WORDS))
def test_a_drag_works_along_the_axes_shown_and_is_one_step(tool):
    made, shot = gesture(tool)
    drag(made, 50.0)
    assert np.allclose(shot.shown[-1], matrix_of(tool, 0.5)) and not shot.steps
    assert made.status.endswith(WORDS[tool]) and made.chip == WORDS[tool]
    made.finish(Pointer(50.0, 0.0))
    ((label, matrix),) = shot.steps
    assert label.endswith(f" box {WORDS[tool]}") and np.allclose(matrix, matrix_of(tool, 0.5))


STEPS = {Tool.MOVE: ("length_step", 0.2, 0.6), Tool.ROTATE: ("angle_step", 20.0, np.radians(40.0)),
         Tool.SCALE: ("factor_step", 0.25, 0.5)}  # fmt: skip


@pytest.mark.parametrize("snap", [False, True])
@pytest.mark.parametrize("held", [Modifiers.NONE, Modifiers.CTRL])
@pytest.mark.parametrize("tool", list(STEPS))
def test_ctrl_snaps_to_the_step_of_the_tool_and_where_snapping_is_on_frees(tool, held, snap):
    name, step, caught = STEPS[tool]
    made, shot = gesture(tool, snap=snap, **{name: step})
    drag(made, 57.0, held)
    wanted = caught if snap != bool(held) else 0.57
    assert np.allclose(shot.shown[-1], matrix_of(tool, wanted), atol=1e-9)


@pytest.mark.parametrize("tool, text, amount", [
    (Tool.MOVE, "1.5", 1.5), (Tool.ROTATE, "90", np.pi / 2.0), (Tool.SCALE, "2", 1.0), (Tool.MOVE, "-2", -2.0),
])  # fmt: skip
def test_a_typed_number_wins_over_the_pointer(tool, text, amount):
    made, shot = gesture(tool)
    made.begin(Pointer(0.0, 0.0))
    assert not made.under_way
    for letter in text:
        assert made.type_text(letter)
    assert made.under_way and not made.type_text("q")
    assert np.allclose(shot.shown[-1], matrix_of(tool, amount)) and f"⟨{text}⟩" in made.status
    made.move(Pointer(70.0, 0.0))
    assert np.allclose(shot.shown[-1], matrix_of(tool, amount))


@pytest.mark.parametrize("tool", list(WORDS))
def test_nothing_asked_for_is_no_step_and_a_drag_can_be_taken_back(tool):
    made, shot = gesture(tool)
    made.begin(Pointer(0.0, 0.0))
    made.move(Pointer(1.0, 0.0))
    assert shot.shown == [] and not made.under_way
    made.move(Pointer(40.0, 0.0))
    made.move(Pointer(0.0, 0.0))
    assert shot.shown[-1] is None
    made.finish(Pointer(0.0, 0.0))
    made.move(Pointer(40.0, 0.0))
    made.cancel()
    assert shot.shown[-1] is None and shot.steps == []


def test_a_factor_of_nothing_can_be_undone_by_another():
    made, shot = gesture(Tool.SCALE)
    drag(made, -100.0)
    assert np.linalg.norm(shot.shown[-1][:3, 0]) == pytest.approx(1e-3)


def test_handles_follow_the_world_the_view_or_the_thing_itself():
    view = np.diag([1.0, -1.0, -1.0])
    own = np.array([[0.0, 1.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    for tool in (Tool.MOVE, Tool.ROTATE):
        assert np.array_equal(item_axes(Setup(tool).with_space(Space.VIEW), BEGUN, view), view)
        assert np.array_equal(item_axes(Setup(tool).with_space(Space.WORLD), BEGUN, view), np.eye(3))
        assert np.allclose(item_axes(Setup(tool).with_space(Space.LOCAL), BEGUN, view), own)
    scale = Setup(Tool.SCALE).with_space(Space.WORLD)
    assert np.allclose(item_axes(scale, BEGUN, view), own)  # a thing is scaled along its own axes


@pytest.mark.parametrize("away, selected", [(0.0, True), (3.0, True), (60.0, False)])
def test_a_click_selects_and_what_is_dragged_from_it_does_not(away, selected):
    shot = Shot()
    made = PickItem(shot, AssetId("prop"))
    made.finish(Pointer(0.0, 0.0))
    assert shot.selected == []
    made.begin(Pointer(5.0, 5.0))
    made.finish(Pointer(5.0 + away, 5.0))
    assert shot.selected == ([AssetId("prop")] if selected else [])

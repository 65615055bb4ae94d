"""A drag of a gizmo's handle without a window: Ctrl, Shift, typed numbers, locks, signs, steps and taking back."""

from dataclasses import replace

import numpy as np
import pytest

from core.math import quat
from editor.model.session import Session
from editor.tools.pointer import Button, Modifiers, Pointer
from editor.tools.state import Pivot, Setup, Space, Tool
from editor.tools.transform import TransformBones, movable, plain
from editor.tools.world_pose import Frame, world_pose
from tests.editor.panel_stage import small_session

HAND = "hand_l"
PIXELS = {Tool.ROTATE: 0.01, Tool.MOVE: 0.001, Tool.SCALE: 0.01}
"""Radians, metres or factors a pixel."""


class Handle:
    """A handle that asks for an amount by how far to the right the pointer went."""

    free = False

    def __init__(self, tool: Tool, axes: tuple[int, ...]) -> None:
        self.axes, self._tool = axes, tool
        self.direction = np.array([0.0, 0.0, 1.0])
        self.told: list[np.ndarray] = []

    def amount(self, pixel: tuple[float, float]) -> np.ndarray:
        wanted = np.ones(3) if self._tool is Tool.SCALE else np.zeros(3)
        for axis in self.axes or (2,):
            wanted[axis] += pixel[0] * PIXELS[self._tool]
        return wanted

    def show(self, amount: np.ndarray) -> None:
        self.told.append(np.array(amount))


@pytest.fixture
def session():
    made = small_session(mesh=False)
    made.keying.auto = True
    made.selection.select([HAND])
    made.playback.seek(10.0 / 30.0)
    yield made
    made.close()


def drag(session: Session, tool: Tool, axes: tuple[int, ...] = (0,), **setup: object) -> TransformBones:
    """A drag of the selected bones, begun at pixel 0."""
    skeleton = session.rig.skeleton
    chosen = replace(Setup(tool), **setup)
    bones, _ = movable(session, skeleton)
    world = world_pose(skeleton, session.evaluator.pose(), np.eye(4))
    frame = Frame(Space.LOCAL, Pivot.INDIVIDUAL, np.eye(3), world.positions()[bones[0]])
    made = TransformBones(session, chosen, world, bones, frame, Handle(tool, axes), np.eye(3))
    made.begin(at(0.0))
    return made


def at(x: float, *held: Modifiers) -> Pointer:
    keys = Modifiers.NONE
    for key in held:
        keys |= key
    return Pointer(x, 0.0, Button.LEFT, keys)


def amount(gesture: TransformBones) -> np.ndarray:
    return gesture._grip.told[-1]


CASES = {
    # tool: pixels, free amount, with Ctrl, with Ctrl and Shift
    Tool.ROTATE: (17.0, 0.17, np.radians(10.0), np.radians(9.5)),
    Tool.MOVE: (17.3, 0.0173, 0.02, 0.017),
    Tool.SCALE: (17.3, 1.173, 1.2, 1.17),
}


@pytest.mark.parametrize("tool", list(CASES))
def test_ctrl_snaps_and_shift_makes_the_steps_a_tenth(session: Session, tool: Tool) -> None:
    pixels, free, coarse, fine = CASES[tool]
    gesture = drag(session, tool)
    gesture.move(at(pixels))
    assert amount(gesture)[0] == pytest.approx(free)
    gesture.move(at(pixels, Modifiers.CTRL))
    assert amount(gesture)[0] == pytest.approx(coarse)
    gesture.move(at(pixels, Modifiers.CTRL, Modifiers.SHIFT))
    assert amount(gesture)[0] == pytest.approx(fine)
    gesture.move(at(pixels, Modifiers.SHIFT))
    assert amount(gesture)[0] == pytest.approx(free)
    gesture.cancel()


@pytest.mark.parametrize("tool", list(CASES))
def test_ctrl_turns_snapping_off_where_it_is_on(session: Session, tool: Tool) -> None:
    pixels, free, coarse, _ = CASES[tool]
    gesture = drag(session, tool, snap=True)
    gesture.move(at(pixels))
    assert amount(gesture)[0] == pytest.approx(coarse)
    gesture.move(at(pixels, Modifiers.CTRL))
    assert amount(gesture)[0] == pytest.approx(free)
    gesture.cancel()


@pytest.mark.parametrize(
    ("tool", "step", "wanted"),
    [
        (Tool.ROTATE, {"angle_step": 15.0}, np.radians(15.0)),
        (Tool.MOVE, {"length_step": 0.05}, 0.0),
        (Tool.SCALE, {"factor_step": 0.5}, 1.0),
    ],
)
def test_steps_are_those_of_the_settings(session: Session, tool: Tool, step: dict, wanted: float) -> None:
    gesture = drag(session, tool, **step)
    gesture.move(at(17.3, Modifiers.CTRL))
    assert amount(gesture)[0] == pytest.approx(wanted)
    gesture.cancel()


@pytest.mark.parametrize(
    ("tool", "typed", "part", "wanted"),
    [
        (Tool.ROTATE, "45", "rotations", None),
        (Tool.MOVE, "0.25", "translations", 0.25),
        (Tool.SCALE, "1.5", "scales", 1.5),
    ],
)
def test_a_typed_number_is_degrees_metres_or_a_factor_and_wins_over_pointer_and_ctrl(
    session: Session, tool: Tool, typed: str, part: str, wanted: float | None
) -> None:
    hand = session.rig.skeleton.index(HAND)
    before = session.evaluator.pose()
    gesture = drag(session, tool)
    gesture.move(at(33.0))
    assert all(gesture.type_text(letter) for letter in typed)
    gesture.move(at(80.0, Modifiers.CTRL))
    gesture.finish(at(80.0))
    after = session.evaluator.pose()
    if wanted is None:
        turn = quat.multiply(quat.conjugate(before.rotations[hand]), after.rotations[hand])
        assert quat.to_rotation_vector(turn) == pytest.approx([np.radians(45.0), 0.0, 0.0], abs=1e-6)
    else:
        moved = getattr(after, part)[hand] - getattr(before, part)[hand] * (tool is Tool.MOVE)
        assert moved[0] == pytest.approx(wanted, abs=1e-6)
    assert session.history.position == 1
    verb = {
        Tool.ROTATE: "Rotate hand_l 45°",
        Tool.MOVE: "Move hand_l 0.25 m",
        Tool.SCALE: "Scale hand_l × 1.5",
    }
    assert session.history.labels[-1] == f"{verb[tool]} @ f10"


def test_typed_numbers_go_to_the_handle_s_axes_in_turn(session: Session) -> None:
    gesture = drag(session, Tool.MOVE, (0, 2))
    for letter in "1,2":
        gesture.type_text(letter)
    assert amount(gesture).tolist() == [1.0, 0.0, 2.0]
    gesture.cancel()
    uniform = drag(session, Tool.SCALE, ())
    uniform.type_text("2")
    assert amount(uniform).tolist() == [2.0, 2.0, 2.0]
    uniform.cancel()


@pytest.mark.parametrize(("pixels", "sign"), [(17.0, 1.0), (-17.0, -1.0)])
@pytest.mark.parametrize("axes", [(0,), (1,), ()])
def test_an_angle_has_the_sign_of_its_turn(
    session: Session, axes: tuple[int, ...], pixels: float, sign: float
) -> None:
    hand = session.rig.skeleton.index(HAND)
    before = session.evaluator.pose().rotations[hand]
    gesture = drag(session, Tool.ROTATE, axes)
    gesture.move(at(pixels))
    degrees = float(np.degrees(0.17)) * sign
    assert gesture.status.startswith("Rotate") and f"{degrees:.1f}°" in gesture.status
    gesture.finish(at(pixels))
    assert session.history.labels[-1] == f"Rotate hand_l {degrees:.1f}° @ f10"
    turn = quat.multiply(quat.conjugate(before), session.evaluator.pose().rotations[hand])
    axis = axes[0] if axes else 2
    assert quat.to_rotation_vector(turn)[axis] == pytest.approx(0.17 * sign, abs=1e-6)


@pytest.mark.parametrize("tool", list(CASES))
def test_a_drag_taken_back_leaves_everything_bit_for_bit(session: Session, tool: Tool) -> None:
    before, project = session.evaluator.pose(), session.document.project
    gesture = drag(session, tool)
    gesture.move(at(40.0))
    shown = session.evaluator.pose()
    assert any(not np.array_equal(a, b) for a, b in zip(before.local, shown.local, strict=True))
    gesture.cancel()
    after = session.evaluator.pose()
    assert all(np.array_equal(a, b) for a, b in zip(before.local, after.local, strict=True))
    assert session.document.project is project and session.history.position == 0
    assert session.preview.clip is None


@pytest.mark.parametrize("tool", list(CASES))
def test_locked_bones_are_not_dragged_and_back_at_the_start_is_no_step(session: Session, tool: Tool) -> None:
    session.selection.select([HAND, "head"])
    session.selection.set_flag("locked", ["head"])
    bones, locked = movable(session, session.rig.skeleton)
    assert locked == ("head",)
    head = session.rig.skeleton.index("head")
    assert head not in bones
    before = session.evaluator.pose()
    gesture = drag(session, tool)
    gesture.move(at(30.0))
    gesture.move(at(0.0))
    gesture.finish(at(0.0))
    assert session.history.position == 0
    gesture = drag(session, tool)
    gesture.move(at(30.0))
    gesture.finish(at(30.0))
    after = session.evaluator.pose()
    assert session.history.position == 1
    assert all(np.array_equal(a[head], b[head]) for a, b in zip(before.local, after.local, strict=True))


def test_less_than_a_jitter_is_no_drag(session: Session) -> None:
    gesture = drag(session, Tool.ROTATE)
    gesture.move(at(1.5))
    assert not gesture.under_way
    gesture.finish(at(1.5))
    assert session.history.position == 0


MINUS = "\N{MINUS SIGN}"


@pytest.mark.parametrize(("tool", "axes", "pixels", "status", "chip", "label"), [
    (Tool.ROTATE, (0,), 17.0, "Rotate X  9.7°  local", "X 9.7°", "Rotate hand_l 9.7° @ f10"),
    (Tool.ROTATE, (1,), -17.0, "Rotate Y  -9.7°  local", f"Y {MINUS}9.7°", "Rotate hand_l -9.7° @ f10"),
    (Tool.ROTATE, (), -17.0, "Rotate  -9.7°  local", f"{MINUS}9.7°", "Rotate hand_l -9.7° @ f10"),
    (Tool.MOVE, (2,), -25.0, "Move Z  -0.025 m  local", f"Z {MINUS}2.5 cm", "Move hand_l 0.025 m @ f10"),
    (Tool.MOVE, (0,), 1000.0, "Move X  +1.000 m  local", "X 1.000 m", "Move hand_l 1 m @ f10"),
    (Tool.MOVE, (0,), 999.0, "Move X  +0.999 m  local", "X 99.9 cm", "Move hand_l 0.999 m @ f10"),
    (Tool.MOVE, (0, 1), 30.0, "Move XY  +0.030  +0.030 m  local", "XY 4.2 cm", "Move hand_l 0.042 m @ f10"),
    (Tool.MOVE, (), 30.0, "Move  +0.000  +0.000  +0.030 m  local", "3.0 cm", "Move hand_l 0.03 m @ f10"),
    (Tool.SCALE, (1,), 50.0, "Scale Y  × 1.500  local", "Y × 1.500", "Scale hand_l × 1.5 @ f10"),
    (Tool.SCALE, (1,), -50.0, "Scale Y  × 0.500  local", "Y × 0.500", "Scale hand_l × 0.5 @ f10"),
    (Tool.SCALE, (0, 1, 2), 25.0, "Scale  × 1.250  1.250  1.250  local", "× 1.250", "Scale hand_l × 1.25 @ f10"),
])  # fmt: skip
def test_what_a_drag_says_meanwhile_and_what_its_step_is_called(
    session: Session, tool: Tool, axes: tuple[int, ...], pixels: float, status: str, chip: str, label: str
) -> None:
    gesture = drag(session, tool, axes)
    gesture.move(at(pixels))
    assert (gesture.status, gesture.chip) == (status, chip)
    gesture.finish(at(pixels))
    assert session.history.labels[-1] == label and session.preview.pose is None


def test_typed_digits_are_shown_and_need_no_pointer(session: Session) -> None:
    gesture = drag(session, Tool.MOVE)
    assert not gesture.type_text("x") and not gesture.under_way
    assert gesture.type_text("2") and gesture.under_way
    assert gesture.status == "Move X  +2.000 m  ⟨2⟩  local" and gesture.chip == "X 2.000 m"
    gesture.type_text("\b")
    assert gesture.status == "Move X  +0.000 m  local" and session.preview.pose is None
    gesture.cancel()


def test_several_bones_are_counted_and_of_a_chain_the_upper_one_goes_unless_a_turn_is_spread(
    session: Session,
) -> None:
    session.selection.select(["lower_arm_l", HAND, "head"])
    skeleton = session.rig.skeleton
    before = session.evaluator.pose()
    gesture = drag(session, Tool.ROTATE)
    gesture.move(at(20.0))
    gesture.finish(at(20.0))
    assert session.history.labels[-1] == "Rotate 2 bones 11.5° @ f10"
    after = session.evaluator.pose()
    assert np.array_equal(after.rotations[skeleton.index(HAND)], before.rotations[skeleton.index(HAND)])
    session.undo()
    gesture = drag(session, Tool.ROTATE, distribute=True)
    gesture.move(at(20.0))
    gesture.finish(at(20.0))
    assert session.history.labels[-1] == "Rotate 3 bones 11.5° @ f10"
    after = session.evaluator.pose()
    for name, share in (("lower_arm_l", 0.1), (HAND, 0.1), ("head", 0.2)):
        bone = skeleton.index(name)
        turn = quat.multiply(quat.conjugate(before.rotations[bone]), after.rotations[bone])
        assert quat.to_rotation_vector(turn) == pytest.approx([share, 0.0, 0.0], abs=1e-6)
    session.undo()
    session.selection.select([HAND])
    gesture = drag(session, Tool.ROTATE, distribute=True)  # nothing to spread over
    gesture.move(at(20.0))
    assert np.array_equal(amount(gesture), [0.2, 0.0, 0.0])
    gesture.cancel()


def test_a_drag_pauses_playback_and_small_ways_count_once_it_is_one(session: Session) -> None:
    session.playback.play()
    gesture = drag(session, Tool.ROTATE)
    assert not session.playback.playing
    gesture.move(at(2.0))
    assert gesture.under_way
    gesture.move(at(1.0))
    assert amount(gesture)[0] == pytest.approx(0.01) and session.preview.pose is not None
    gesture.move(at(0.0))
    assert session.preview.pose is None
    gesture.cancel()


def test_numbers_are_told_without_trailing_zeros_and_minus_zero() -> None:
    for value, digits, text in (
        (1.50, 2, "1.5"), (2.0, 3, "2"), (-0.001, 2, "0"), (-0.5, 0, "0"), (10.0, 0, "10"), (-1.25, 2, "-1.25"),
        (100.0, 1, "100"),
    ):  # fmt: skip
        assert plain(value, digits) == text

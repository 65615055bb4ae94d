"""Posing in the viewport by mouse and keys."""

import numpy as np
import pytest

from core.arrays import same_value
from core.clips.clip import Channel, Property
from editor.gl.gizmo import Handle
from editor.panels.viewport.panel import PANEL
from editor.tools.state import Pivot, Setup, Space, Tool
from tests.editor.panel_stage import Stage
from tests.editor.seen import Seen
from tests.editor.user import CTRL, RIGHT, SHIFT, User


class Scene(Seen):
    """The viewport alone in a window, and where things are in it."""

    def __init__(self, qapp) -> None:
        self.stage = Stage(qapp)
        self.panel = self.stage.add(PANEL.create(self.stage.context))
        self.stage.show(700, 480)
        self.user = User(self.stage.window)
        super().__init__(self.stage.session, self.panel)

    def clip(self):
        return self.session.clip

    def keys_at(self, frame: int) -> set[Channel]:
        time = frame / 30.0
        return {c for c, t in self.clip().tracks.items() if np.isclose(t.times, time, atol=1e-6).any()}


@pytest.fixture
def scene(qapp):
    made = Scene(qapp)
    yield made
    made.stage.close(qapp)


def test_bone_clicked_where_it_is_seen_is_selected(scene):
    for name in ("lower_arm_l", "thigh_r", "head"):
        scene.user.click(scene.view, scene.bone_pixel(name))
        assert scene.session.selection.bones == (name,)


def test_click_with_shift_adds_and_with_ctrl_removes(scene):
    user, selection = scene.user, scene.session.selection
    user.click(scene.view, scene.bone_pixel("calf_l"))
    user.click(scene.view, scene.bone_pixel("calf_r"), modifiers=SHIFT)
    assert selection.bones == ("calf_l", "calf_r")
    user.click(scene.view, scene.bone_pixel("calf_l"), modifiers=CTRL)
    assert selection.bones == ("calf_r",)


def test_click_on_empty_ground_selects_nothing(scene):
    scene.user.click(scene.view, scene.bone_pixel("head"))
    scene.user.click(scene.view, (20, 400))
    assert scene.session.selection.bones == ()


def test_box_dragged_round_both_feet_selects_them(scene):
    scene.stage.tools.set(Setup(Tool.SELECT))
    left, right = scene.bone_pixel("foot_r", 0.5), scene.bone_pixel("foot_l", 0.5)
    low = min(left[0], right[0]) - 40, min(left[1], right[1]) - 4
    high = max(left[0], right[0]) + 40, max(left[1], right[1]) + 20
    scene.user.drag(scene.view, low, high)
    assert set(scene.session.selection.bones) == {"foot_l", "foot_r"}


def test_box_given_up_by_escape_selects_nothing(scene):
    scene.stage.tools.set(Setup(Tool.SELECT))
    scene.user.drag(scene.view, (10, 200), (690, 470), release=False)
    scene.user.press("Esc")
    scene.user.release_mouse((690, 470))
    assert scene.session.selection.bones == () and scene.model.box is None


def test_ring_dragged_at_frame_ten_keys_only_the_channel_turned(scene):
    user, session = scene.user, scene.session
    session.playback.seek(10 / 30)
    user.click(scene.view, scene.bone_pixel("upper_arm_l"))
    assert scene.keys_at(10) == set()
    # A turn about a bone's own X is a change of its X angle alone, whatever the others are (order XYZ).
    start = scene.handle_pixel(Handle.X)
    user.drag(scene.view, start, (start[0] + 10, start[1] + 40))
    assert scene.keys_at(10) == {Channel("upper_arm_l", Property.ROTATE, 0)}
    assert session.history.labels[-1].startswith("Rotate upper_arm_l")
    assert session.history.labels[-1].endswith("@ f10")
    keyed = session.clip
    assert session.undo() and scene.keys_at(10) == set()
    assert session.redo() and session.clip is keyed


def test_gizmo_drag_cancelled_leaves_everything_bit_for_bit(scene):
    user, session = scene.user, scene.session
    session.playback.seek(10 / 30)
    user.click(scene.view, scene.bone_pixel("upper_arm_l"))
    project, pose = session.document.project, session.evaluator.pose()
    start = scene.handle_pixel(Handle.X)
    for button in (None, RIGHT):
        seen = []
        user.drag(
            scene.view, start, (start[0] + 10, start[1] + 60), release=False,
            during=lambda seen=seen: seen.append(session.evaluator.pose()),
        )  # fmt: skip
        assert not np.array_equal(seen[0].rotations, pose.rotations)
        if button is None:
            user.press("Esc")
        else:
            user.click(scene.view, (start[0] + 10, start[1] + 60), button=RIGHT)
        user.release_mouse((start[0] + 10, start[1] + 60))
        assert session.document.project is project and session.preview.pose is None
        assert same_value(session.evaluator.pose().rotations, pose.rotations)
        assert session.history.labels == ()


def test_number_typed_during_a_drag_decides(scene):
    user, session = scene.user, scene.session
    user.click(scene.view, scene.bone_pixel("hand_r"))
    start = scene.handle_pixel(Handle.Y)
    user.press_mouse(scene.view, start)
    user.move_held((start[0] + 25, start[1]))
    user.type("45")
    user.press("Backspace")
    user.press("Backspace")
    user.type("-90.5")
    assert "-90.5" in scene.panel.overlay.lines.tool
    user.press("Return")
    user.release_mouse((start[0] + 25, start[1]))
    track = session.clip.scalar(Channel("hand_r", Property.ROTATE, 1))
    assert track is not None and track.values[0] == pytest.approx(-90.5, abs=1e-9)
    assert session.history.labels == ("Rotate hand_r -90.5° @ f0",)


def test_child_of_a_selected_bone_is_not_turned_twice(scene):
    user, session = scene.user, scene.session
    session.selection.select(["lower_arm_l", "upper_arm_l"])
    user.settle()
    start = scene.handle_pixel(Handle.Z)
    user.press_mouse(scene.view, start)
    user.move_held((start[0] + 5, start[1] + 5))
    user.type("30")
    user.press("Return")
    user.release_mouse(start)
    assert {channel.bone for channel in scene.keys_at(0)} >= {"upper_arm_l"}
    lower = session.clip.scalar(Channel("lower_arm_l", Property.ROTATE, 2))
    assert lower is None
    assert session.clip.scalar(Channel("upper_arm_l", Property.ROTATE, 2)).values[0] == pytest.approx(30.0)


def test_locked_bone_stays_and_says_so(scene):
    user, session = scene.user, scene.session
    session.selection.select(["head"])
    session.selection.set_flag("locked", ["head"])
    user.settle()
    start = scene.handle_pixel(Handle.X)
    user.drag(scene.view, start, (start[0] + 20, start[1] + 40))
    assert session.history.labels == ()
    assert "head" in session.messages.latest.text


def test_move_tool_moves_along_the_arrow_only(scene):
    user, session = scene.user, scene.session
    scene.stage.tools.set(Setup(Tool.MOVE, move_space=Space.WORLD))
    session.selection.select(["pelvis"])
    user.settle()
    start = scene.handle_pixel(Handle.Y)
    user.drag(scene.view, start, (start[0] + 7, start[1] - 50))
    assert {c for c in session.clip.tracks if c.bone == "pelvis"} == {
        Channel("pelvis", Property.TRANSLATE, 1)
    }
    assert session.clip.scalar(Channel("pelvis", Property.TRANSLATE, 1)).values[0] > 1.05


def test_scale_tool_scales_the_axis_of_its_handle(scene):
    user, session = scene.user, scene.session
    scene.stage.tools.set(Setup(Tool.SCALE))
    session.selection.select(["head"])
    user.settle()
    start = scene.handle_pixel(Handle.Y)
    user.press_mouse(scene.view, start)
    user.move_held((start[0], start[1] - 12))
    user.type("1.5")
    user.press("Return")
    user.release_mouse(start)
    assert {c: float(session.clip.tracks[c].values[0]) for c in session.clip.tracks if c.bone == "head"} == {
        Channel("head", Property.SCALE, 1): 1.5
    }


def test_snapped_turn_lands_on_whole_steps(scene):
    user, session = scene.user, scene.session
    session.selection.select(["head"])
    user.settle()
    start = scene.handle_pixel(Handle.Z)
    user.drag(scene.view, start, (start[0] + 20, start[1] + 33), modifiers=CTRL)
    value = float(session.clip.scalar(Channel("head", Property.ROTATE, 2)).values[0])
    assert abs(value) >= 5.0 and value == pytest.approx(round(value / 5.0) * 5.0, abs=1e-9)


def test_turn_without_auto_key_is_pending_until_keyed(scene):
    user, session = scene.user, scene.session
    session.keying.auto = False
    session.selection.select(["head"])
    user.settle()
    start = scene.handle_pixel(Handle.Z)
    user.drag(scene.view, start, (start[0] + 20, start[1] + 33))
    assert session.history.labels == () and set(session.keying.pending) == {"head"}
    assert scene.panel.overlay.lines.pending == 1 and not scene.panel.overlay.lines.auto_key
    assert scene.model.draw_list().ghosts
    assert session.keying.set_key()
    assert not scene.model.draw_list().ghosts


def test_two_arms_turned_about_the_median_keep_their_distance(scene):
    user, session = scene.user, scene.session
    scene.stage.tools.set(Setup(Tool.ROTATE, rotate_space=Space.WORLD, pivot=Pivot.MEDIAN))
    session.selection.select(["upper_arm_l", "upper_arm_r"])
    user.settle()
    skeleton = session.rig.skeleton
    pair = [skeleton.index("upper_arm_l"), skeleton.index("upper_arm_r")]
    before = scene.model.matrices()[pair, :3, 3]
    start = scene.handle_pixel(Handle.Z, 0.3)
    user.press_mouse(scene.view, start)
    user.move_held((start[0], start[1] + 20))
    user.type("90")
    user.press("Return")
    user.release_mouse(start)
    after = scene.model.matrices()[pair, :3, 3]
    assert np.linalg.norm(after[0] - after[1]) == pytest.approx(np.linalg.norm(before[0] - before[1]))
    middle = before.mean(axis=0)
    turned = np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    assert after == pytest.approx(middle + (before - middle) @ turned.T, abs=1e-9)


def test_empty_document_says_what_to_do(qapp):
    from editor.model.session import Session

    stage = Stage(qapp, Session.create())
    panel = stage.add(PANEL.create(stage.context))
    stage.show(400, 300)
    user = User(stage.window)
    user.click(panel.view, (200, 150))
    user.drag(panel.view, (50, 50), (200, 200))
    assert panel.drop_zone.isVisible() and "Drop" in panel.drop_zone.words[0]
    stage.close(qapp)


def test_angle_of_a_drag_is_written_beside_the_pointer_until_it_ends(scene):
    scene.stage.tools.set(Setup(Tool.ROTATE))
    scene.session.selection.select(["upper_arm_l"])
    scene.user.settle()
    start = scene.handle_pixel(Handle.X)
    scene.user.drag(scene.view, start, (start[0] + 10, start[1] + 40), release=False)
    scene.user.settle()
    text, at = scene.panel.overlay.chip
    angle = float(text.removeprefix("X ").removesuffix("°").replace("\N{MINUS SIGN}", "-"))
    assert abs(angle) > 2.0 and at == pytest.approx((start[0] + 10, start[1] + 40), abs=1.5)
    assert f"{angle:.1f}" in scene.model.gestures.current.status
    plate = scene.panel.overlay._chip_plate()
    assert scene.panel.overlay.rect().contains(plate.toAlignedRect())
    scene.user.press("3")
    scene.user.press("0")
    scene.user.settle()
    assert scene.panel.overlay.chip[0] == "X 30.0°"
    scene.user.press("Esc")
    scene.user.settle()
    assert scene.panel.overlay.chip is None
    scene.user.release_mouse(start)


def test_distance_of_a_drag_has_a_unit_and_stays_in_the_view_at_its_edge(scene):
    scene.stage.tools.set(Setup(Tool.MOVE, Space.WORLD))
    scene.session.selection.select(["pelvis"])
    scene.user.settle()
    start = scene.handle_pixel(Handle.X, 0.8)
    scene.user.drag(scene.view, start, (696, 476), release=False)
    scene.user.settle()
    text, _ = scene.panel.overlay.chip
    assert text.startswith("X ") and text.split()[-1] in ("cm", "m")
    assert scene.panel.overlay.rect().contains(scene.panel.overlay._chip_plate().toAlignedRect())
    scene.user.press("Esc")
    scene.user.release_mouse((696, 476))
    assert scene.model.chip() is None

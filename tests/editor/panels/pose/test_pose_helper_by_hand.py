"""PoseHelper by mouse and keys: beside the viewport, on the small character and on the sample's walk."""

from pathlib import Path

import numpy as np
import pytest

from core.arrays import same_value
from core.io.native.read import read
from core.math import quat
from core.pose import kinematics
from core.progress import Progress
from core.project.project import Project
from editor.model.posing.blend import Goal
from editor.model.session import Session
from editor.panels.pose.panel import PANEL
from editor.panels.viewport.panel import PANEL as VIEWPORT
from editor.tools.state import Setup, Tool
from tests.editor.panel_stage import Stage
from tests.editor.user import SHIFT, User

SAMPLE = Path(__file__).parents[4] / "resources" / "sample" / "mannequin.posewright"


class Scene:
    def __init__(self, qapp, session=None) -> None:
        self.stage = Stage(qapp, session)
        self.view = self.stage.add(VIEWPORT.create(self.stage.context), 1)
        self.panel = self.stage.add(PANEL.create(self.stage.context), 2)
        self.stage.show(420, 900)
        self.user, self.session = User(self.stage.window), self.stage.session
        self.bar = self.panel.bar

    def bar_at(self, share: float) -> tuple[float, float]:
        return self.bar.x_of(share), 16.0

    def pose_at(self, frame: float):
        self.session.playback.seek(frame / 30)
        self.user.settle()
        return self.session.evaluator.pose()


@pytest.fixture
def scene(qapp):
    made = Scene(qapp)
    yield made
    made.stage.close(qapp)


@pytest.fixture
def walk(qapp):
    session = Session.create()
    project = read(SAMPLE, Progress()).project
    session.document.replace(project, None)
    session.playback.set_clip(project.clip_named("walk").id)
    made = Scene(qapp, session)
    yield made
    made.stage.close(qapp)


def apart(a, b) -> float:
    return float(np.degrees(quat.angle_between(a.rotations, b.rotations)).max())


def test_bar_dragged_previews_live_and_commits_one_step_on_release(scene):
    base, session = scene.pose_at(12), scene.session
    steps, during = session.history.position, []
    scene.user.drag(
        scene.bar,
        scene.bar_at(0.0),
        scene.bar_at(0.6),
        during=lambda: during.append(session.evaluator.pose()),
    )
    assert apart(during[0], base) > 1.0
    assert session.history.position == steps + 1
    assert "toward rest pose" in session.history.labels[-1]
    assert apart(session.evaluator.pose(), during[0]) < 0.02
    scene.user.press("Ctrl+Z")
    assert same_value(session.evaluator.pose(), base)
    scene.user.press("Ctrl+Shift+Z")
    assert apart(session.evaluator.pose(), during[0]) < 0.02


def test_bar_goes_from_minus_fifty_to_a_hundred_and_fifty(scene):
    scene.pose_at(12)
    for end, share in ((2.0, -0.5), (scene.bar.width() - 2.0, 1.5)):
        scene.user.press_mouse(scene.bar, scene.bar_at(0.0))
        scene.user.move_held((end, 16.0))
        assert scene.bar.share == share
        scene.user.press("Esc")
        scene.user.release_mouse((end, 16.0))


def test_escape_during_the_drag_gives_the_pose_back_bit_for_bit(scene):
    base, session = scene.pose_at(12), scene.session
    project = session.document.project
    scene.user.drag(scene.bar, scene.bar_at(0.0), scene.bar_at(1.2), release=False)
    assert apart(session.evaluator.pose(), base) > 1.0
    scene.user.press("Esc")
    assert same_value(session.evaluator.pose(), base)
    scene.user.release_mouse(scene.bar_at(1.2))
    assert session.document.project is project
    assert same_value(session.evaluator.pose(), base)


def test_previous_key_and_breakdown_are_chosen_by_a_click(scene):
    first = scene.pose_at(0)
    scene.pose_at(12)
    scene.user.click("goal_previous")
    assert scene.panel.model.goal is Goal.PREVIOUS
    scene.user.type_into("blendPercent", "100")
    assert apart(scene.session.evaluator.pose(), first) < 0.02
    scene.session.undo()
    scene.pose_at(5)
    scene.user.click("goal_breakdown")
    assert scene.bar.share == pytest.approx(0.25)


def test_goal_without_a_pose_says_what_is_missing(scene):
    scene.user.click("goal_copied")
    assert not scene.bar.isEnabled()
    assert scene.panel._hint.text() == "Copy a pose first"
    scene.user.click("poseCopy")
    assert scene.bar.isEnabled()


def test_mirror_buttons_swap_and_copy_sides(scene):
    pose = scene.pose_at(12)
    scene.user.click("mirror_left_to_right")
    made, skeleton = scene.session.evaluator.pose(), scene.session.rig.skeleton
    left, right = (skeleton.index(f"upper_arm_{side}") for side in "lr")
    assert quat.angle_between(made.rotations[right], pose.rotations[left] * [1, -1, -1, 1]) < 1e-6
    assert scene.session.history.labels[-1] == "Mirror left to right @ f12"


def test_reset_of_the_rotation_by_its_button(scene):
    scene.pose_at(12)
    scene.session.selection.select(["upper_arm_l"])
    scene.user.click("resetTurn")
    arm = scene.session.rig.skeleton.index("upper_arm_l")
    assert quat.angle_between(scene.session.evaluator.pose().rotations[arm], quat.IDENTITY) < 1e-6


def test_bone_set_is_named_and_selected_by_its_button(scene):
    scene.session.selection.select(["hand_l", "hand_r"])
    scene.user.settle()
    scene.panel.scrolled.ensureWidgetVisible(
        scene.user.window.findChild(type(scene.panel.set_name), "boneSetName")
    )
    bar = scene.panel.scrolled.verticalScrollBar()
    bar.setValue(bar.maximum())
    scene.user.settle()
    scene.user.click("addBoneSet")
    scene.user.settle()
    bar.setValue(bar.maximum())
    scene.user.type_into("boneSetName", "hands")
    scene.session.selection.select(["head"])
    scene.user.settle()
    bar.setValue(bar.maximum())
    scene.user.click("boneSet_hands", modifiers=SHIFT)
    assert set(scene.session.selection.bones) == {"head", "hand_l", "hand_r"}
    scene.user.click("boneSet_hands")
    assert scene.session.selection.bones == ("hand_l", "hand_r")


def test_empty_project_offers_nothing_and_breaks_nothing(scene):
    scene.session.document.replace(Project(), None)
    scene.user.settle()
    assert not scene.panel._body.isEnabled()


def test_walk_copied_at_its_start_and_pasted_mirrored_at_half_cycle_stays_a_walk(walk):
    user, session = walk.user, walk.session
    skeleton = session.rig.skeleton
    goal = walk.pose_at(16)
    before = kinematics.to_model(skeleton, goal.local).translation
    walk.pose_at(0)
    user.move(walk.view.view, (200, 150))
    user.press("Ctrl+C")
    walk.pose_at(16)
    steps = session.history.position
    user.press("Ctrl+Shift+V")
    assert session.history.position in (steps, steps + 1)  # a perfect walk needs no key at all
    after = kinematics.to_model(skeleton, session.evaluator.pose().local).translation
    assert np.abs(after - before).max() < 0.02
    root = skeleton.index("root")
    assert after[root] == pytest.approx(before[root])  # it did not jump back to where it started
    assert "Pasted mirrored: 82 of 82 bones" in session.messages.latest.text


def test_walk_mirrored_by_half_a_cycle_is_nearly_itself(walk):
    session = walk.session
    poses = [walk.pose_at(frame) for frame in (0, 5, 11, 20)]
    walk.panel.scope.setCurrentIndex(walk.panel.scope.findData("clip"))
    walk.user.settle()
    walk.user.click("mirrorHalfCycle", (10, 10))
    assert walk.panel.half.isChecked()
    walk.user.click("mirror_swap")
    assert session.history.labels[-1] == "Mirror walk"
    skeleton = session.rig.skeleton
    for frame, pose in zip((0, 5, 11, 20), poses, strict=True):
        a, b = (kinematics.to_model(skeleton, p.local).translation for p in (pose, walk.pose_at(frame)))
        assert np.abs(a - b).max() < 0.03


def test_m_mirrors_and_b_held_makes_a_breakdown_in_the_viewport(scene):
    user, session = scene.user, scene.session
    scene.stage.tools.set(Setup(Tool.SELECT))
    low, high = scene.pose_at(0), scene.pose_at(20)
    scene.pose_at(7)
    user.move(scene.view.view, (60, 200))
    with user.holding("B"):
        user.drag(scene.view.view, (60, 200), (300, 200))
    assert session.history.labels[-1].endswith("toward breakdown @ f7")
    assert apart(session.evaluator.pose(), low) > apart(session.evaluator.pose(), high)
    before = session.evaluator.pose()
    user.press("M")
    arm = [session.rig.skeleton.index(f"upper_arm_{side}") for side in "lr"]
    after = session.evaluator.pose()
    assert quat.angle_between(after.rotations[arm[1]], before.rotations[arm[0]] * [1, -1, -1, 1]) < 1e-6


def test_ghosts_are_set_by_their_fields_and_turns_spread_by_the_box(scene):
    bar = scene.panel.scrolled.verticalScrollBar()
    bar.setValue(bar.maximum())
    scene.user.settle()
    by, every = scene.user.find("ghostsBy"), scene.user.find("ghosts_step")
    for key, spacing in (("Up", "frames"), ("Down", "keys"), ("Up", "frames")):
        scene.user.press(key, by)
        assert by.currentData() == spacing and every.isEnabled() is (spacing == "frames")
    scene.user.click("pose_ghosts")
    scene.user.type_into("ghosts_before", "2")
    scene.pose_at(30)
    assert scene.session.switches["ghosts"]
    assert len(scene.view.model.draw_list().ghosts) == 7
    scene.panel.scrolled.ensureWidgetVisible(scene.panel.distribute)
    scene.user.settle()
    scene.user.click("distribute", (10, 10))
    assert scene.stage.tools.setup.distribute

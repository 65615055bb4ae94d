"""Inverse kinematics as a person does it: goals, poles, pins and bodies dragged in the view; bake; undo."""

import numpy as np
import pytest

from core.ik import keyed
from core.ik.body import PinKind, Reach
from core.rig.ik_setup import EndRotation, IkSolver
from editor.gl.gizmo import Handle
from editor.model.ik.state import IkState
from editor.tools.state import Setup, Tool
from tests.editor.panels.ik.ik_scene import Scene


@pytest.fixture
def scene(qapp):
    made = Scene(qapp)
    yield made
    made.stage.close(qapp)


def test_proposed_set_ups_are_listed_and_turning_one_on_changes_no_pose(scene):
    assert scene.user.visible("Propose set-ups")
    scene.propose()
    assert [row.name for row in scene.ik.model.rows()][:2] == ["Left arm", "Right arm"]
    before, clip = scene.rotations(), scene.session.clip
    scene.turn_on("Left arm")
    assert scene.session.rig.ik_setup("Left arm").enabled
    assert np.array_equal(scene.rotations(), before)
    assert scene.session.clip is clip
    assert np.allclose(scene.mark("Left arm").goal, scene.place("hand_l"))
    scene.session.undo()
    assert not scene.session.rig.ik_setup("Left arm").enabled


def test_dragging_the_hand_goal_writes_keys_on_the_arm_in_one_step(scene):
    scene.propose()
    scene.turn_on("Left arm")
    before, steps = scene.session.clip, scene.session.history.position
    hand, foot = scene.place("hand_l"), scene.place("foot_l")
    start = scene.pixel(scene.mark("Left arm").goal)
    live = []
    scene.user.drag(
        scene.view, start, (start[0] - 40, start[1] - 50),
        during=lambda: live.append((scene.place("hand_l"), scene.ik.ending.text())),
    )  # fmt: skip
    assert np.linalg.norm(live[0][0] - hand) > 0.05
    assert "mm" in live[0][1]
    assert scene.session.history.position == steps + 1
    assert np.allclose(scene.place("hand_l"), live[0][0], atol=1e-5)
    assert np.array_equal(scene.place("foot_l"), foot)
    changed = {c.bone for c, t in scene.session.clip.tracks.items() if before.tracks.get(c) is not t}
    assert changed <= {"upper_arm_l", "lower_arm_l", "hand_l"}
    assert "upper_arm_l" in changed
    scene.session.undo()
    assert scene.session.clip is before
    scene.session.redo()
    assert np.allclose(scene.place("hand_l"), live[0][0], atol=1e-5)


def test_escape_takes_a_goal_drag_back_exactly(scene):
    scene.propose()
    scene.turn_on("Left arm")
    before, clip = scene.rotations(), scene.session.clip
    start = scene.pixel(scene.mark("Left arm").goal)
    scene.user.drag(scene.view, start, (start[0] - 30, start[1] - 30), release=False)
    assert not np.array_equal(scene.rotations(), before)
    scene.user.press("Esc")
    scene.user.release_mouse((start[0] - 30, start[1] - 30))
    assert np.array_equal(scene.rotations(), before)
    assert scene.session.clip is clip


def test_dragging_the_pole_swings_the_elbow_and_leaves_the_hand(scene):
    scene.propose()
    scene.turn_on("Left arm")
    elbow, hand = scene.place("lower_arm_l"), scene.place("hand_l")
    steps = scene.session.history.position
    start = scene.pixel(scene.mark("Left arm").pole)
    scene.user.drag(scene.view, start, (start[0] + 30, start[1] + 120))
    assert scene.session.history.position == steps + 1
    assert np.linalg.norm(scene.place("lower_arm_l") - elbow) > 0.02
    assert np.linalg.norm(scene.place("hand_l") - hand) < 1e-4
    scene.session.undo()
    assert np.allclose(scene.place("lower_arm_l"), elbow)


def test_pinned_feet_stay_while_the_pelvis_is_moved(scene):
    scene.select("foot_l", "foot_r")
    scene.user.move(scene.view, (30, 60))
    scene.user.press("P")
    assert dict(scene.session.feature(IkState).pins.kinds(scene.session.rig)) == {
        "foot_l": PinKind.BOTH, "foot_r": PinKind.BOTH,
    }  # fmt: skip
    feet = [scene.place(f"foot_{s}") for s in "lr"]
    scene.stage.tools.set(Setup(Tool.MOVE))
    scene.select("pelvis")
    pelvis, clip, steps = scene.place("pelvis"), scene.session.clip, scene.session.history.position
    live = []
    scene.drag_gizmo(Handle.Y, (0, 30), during=lambda: live.append([scene.place(f"foot_{s}") for s in "lr"]))
    assert scene.place("pelvis")[1] < pelvis[1] - 0.03
    for shown in (live[0], [scene.place(f"foot_{s}") for s in "lr"]):
        assert np.abs(np.array(shown) - np.array(feet)).max() < 1e-4
    assert scene.session.history.position == steps + 1
    assert any(c.bone == "calf_l" for c in scene.session.clip.tracks)
    scene.session.undo()
    assert scene.session.clip is clip
    scene.select("foot_l", "foot_r")
    scene.user.move(scene.view, (30, 62))
    scene.user.press("P")
    assert not scene.session.feature(IkState).pins.kinds(scene.session.rig)


def test_full_body_drag_of_a_hand_keeps_the_feet_and_is_one_step(scene):
    scene.propose()
    scene.user.click("reach.body")
    assert scene.session.feature(IkState).reach is Reach.BODY
    scene.stage.tools.set(Setup(Tool.MOVE))
    scene.session.playback.seek(0.0)
    scene.select("hand_l")
    feet = [scene.place(f"foot_{s}") for s in "lr"]
    pelvis, hand, steps = scene.place("pelvis"), scene.place("hand_l"), scene.session.history.position
    scene.drag_gizmo(Handle.CENTRE, (40, 90))
    assert np.linalg.norm(scene.place("hand_l") - hand) > 0.1
    assert np.linalg.norm(scene.place("pelvis") - pelvis) > 0.01
    assert np.abs(np.array([scene.place(f"foot_{s}") for s in "lr"]) - np.array(feet)).max() < 1e-4
    assert scene.session.history.position == steps + 1
    assert scene.session.history.labels[-1].startswith("Full body hand_l")
    scene.session.undo()
    assert np.allclose(scene.place("hand_l"), hand)


def test_limb_drag_leaves_everything_else_alone(scene):
    scene.propose()
    scene.user.click("reach.limb")
    scene.stage.tools.set(Setup(Tool.MOVE))
    scene.select("hand_l")
    before, pelvis = scene.session.clip, scene.place("pelvis")
    scene.drag_gizmo(Handle.CENTRE, (-30, 20))
    changed = {c.bone for c, t in scene.session.clip.tracks.items() if before.tracks.get(c) is not t}
    assert changed and changed <= {"upper_arm_l", "lower_arm_l", "hand_l"}
    assert np.array_equal(scene.place("pelvis"), pelvis)


def test_match_then_drag_keys_the_goal_and_bake_gives_bones_back_each_one_step(scene):
    scene.propose()
    scene.turn_on("Left arm")
    original, steps = scene.session.clip, scene.session.history.position
    frames = range(0, 61, 5)
    before = [scene.place("hand_l", f) for f in frames]
    scene.session.feature(IkState).select("Left arm")
    scene.user.settle()
    scene.ik.findChild(type(scene.ik.match), "ikMatch").click()
    scene.user.settle()
    matched = scene.session.clip
    assert keyed.drives(matched, "Left arm")
    assert scene.session.history.position == steps + 1
    assert np.abs(np.array([scene.place("hand_l", f) for f in frames]) - before).max() < 1e-3
    start = scene.pixel(scene.mark("Left arm").goal)
    scene.user.drag(scene.view, start, (start[0] - 30, start[1] - 40))
    dragged = scene.session.clip
    assert scene.session.history.position == steps + 2
    assert dragged.tracks == matched.tracks  # the goal is keyed, the bones are not
    assert np.linalg.norm(scene.place("hand_l") - before[4]) > 0.05
    shown = [scene.place("hand_l", f) for f in frames]
    scene.ik.bake.click()
    scene.user.settle()
    assert scene.session.history.position == steps + 3
    assert not keyed.driving(scene.session.rig, scene.session.clip.curves)
    assert np.abs(np.array([scene.place("hand_l", f) for f in frames]) - shown).max() < 1e-3
    for expected in (dragged, matched, original):
        scene.session.undo()
        assert scene.session.clip is expected


def test_panel_edits_are_single_steps_and_bad_ones_are_told(scene):
    scene.propose()
    scene.session.feature(IkState).select("Left arm")
    scene.user.settle()
    scene.ik.iterations.committed.emit(12.0)
    scene.ik.solver.setCurrentIndex(scene.ik.solver.findText("CCD"))
    scene.ik.solver.activated.emit(scene.ik.solver.currentIndex())
    setup = scene.session.rig.ik_setup("Left arm")
    assert (setup.iterations, str(setup.solver)) == (12, "ccd")
    told = []
    scene.session.messages.posted.connect(told.append)
    scene.ik.model.change(root="hand_r")
    assert told and scene.session.rig.ik_setup("Left arm").root == "upper_arm_l"
    scene.ik.model.rename("Reach")
    assert scene.session.feature(IkState).current.name == "Reach"
    scene.session.undo()
    scene.session.undo()
    scene.session.undo()
    assert scene.session.rig.ik_setup("Left arm").iterations == 50


def test_stiff_joint_leaves_the_turning_to_the_others(scene):
    scene.propose()
    scene.session.feature(IkState).select("Left arm")
    scene.ik.model.change(solver=IkSolver.CCD)
    scene.user.settle()
    scene.type_into("stiffness.upper_arm_l", "100")
    assert scene.session.rig.ik_setup("Left arm").stiffness == {"upper_arm_l": 1.0}
    upper = scene.session.rig.skeleton.index("upper_arm_l")
    before = scene.rotations()
    scene.ik.model.set_goal(1, scene.ik.model.goal()[1] + 0.03)
    after = scene.rotations()
    assert np.array_equal(after[upper], before[upper])
    assert np.abs(after - before).max() > 1e-3
    scene.type_into("stiffness.upper_arm_l", "0")
    assert scene.session.rig.ik_setup("Left arm").stiffness == {}


def test_goal_is_turned_by_numbers_and_the_hand_takes_its_turn(scene):
    scene.propose()
    scene.session.feature(IkState).select("Left arm")
    scene.ik.model.change(end_rotation=EndRotation.GOAL)
    scene.user.settle()
    steps = scene.session.history.position
    place, turn = scene.place("hand_l"), np.array(scene.ik.model.goal("turn"))
    scene.type_into("ikTurn.x", f"{turn[0] + 20.0:.1f}")
    assert scene.session.history.position == steps + 1
    assert scene.ik.model.goal("turn")[0] == pytest.approx(turn[0] + 20.0, abs=0.1)
    assert np.linalg.norm(scene.place("hand_l") - place) < 1e-4
    scene.ik.match.click()
    scene.user.settle()
    scene.type_into("ikTurn.z", "0")
    assert scene.ik.model.goal("turn")[2] == pytest.approx(0.0, abs=1e-6)
    assert "ik/Left arm/turn z" in scene.session.clip.curves
    scene.session.undo()
    scene.session.undo()
    scene.session.undo()
    assert scene.ik.model.goal("turn") == pytest.approx(tuple(turn), abs=1e-6)

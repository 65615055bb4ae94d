"""Goals of IK set-ups: numbers in their own space, keys of them, their weights, and steps with their names."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from core.ids import AssetId
from core.ik import keyed
from core.ik.chain import model_of
from core.ik.solve import IkGoal
from core.rig.ik_setup import EndRotation, IkSpace, IkTarget
from core.tracks.evaluate import evaluate_scalar
from editor.model.ik import edits, goals
from editor.model.ik.state import IkState
from editor.model.messages import Level
from editor.model.session import Session
from tests.editor.panel_stage import small_session

ARM = ("upper_arm_l", "lower_arm_l", "hand_l")
FREE = np.array([0.45, 1.2, 0.3])
"""A place that the left hand reaches."""


@pytest.fixture
def session() -> Iterator[Session]:
    """Every chain has a set-up; frame 10 is shown."""
    made = small_session(mesh=False)
    edits.propose(made)
    made.playback.seek(10 / 30)
    yield made
    made.close()


@pytest.fixture
def state(session) -> IkState:
    return session.feature(IkState)


def last(session: Session) -> str:
    return session.history.labels[-1]


def said(session: Session) -> tuple[Level, str]:
    return session.messages.latest.level, session.messages.latest.text


def place(session: Session, bone: str, pose=None) -> np.ndarray:
    pose = pose or session.evaluator.pose()
    return model_of(session.rig.skeleton, pose.local, session.rig.skeleton.index(bone)).translation


# ---------------------------------------------------------------- goals
def test_a_goal_is_where_the_pose_has_its_bone_and_without_a_pole_has_none(session):
    setup = session.rig.ik_setup("Left arm")
    found = goals.goal_places(session, setup)
    np.testing.assert_allclose(found.position, place(session, "hand_l"))
    assert (found.pole is None) is (setup.pole is None)
    assert goals.goal_places(session, replace(setup, pole=None)).pole is None
    assert goals.goal_values(session, replace(setup, pole=None), "pole") is None


@pytest.mark.parametrize("axis, letter", [(0, "X"), (1, "Y"), (2, "Z")])
def test_a_number_of_a_goal_moves_the_bone_there_with_keys_on_the_chain(session, axis, letter):
    setup, wanted = session.rig.ik_setup("Left arm"), place(session, "hand_l")
    value = round(wanted[axis] - 0.04, 4)
    wanted = np.where(np.arange(3) == axis, value, wanted)
    assert goals.set_goal(session, setup, axis, value)
    np.testing.assert_allclose(place(session, "hand_l"), wanted, atol=2e-3)
    assert last(session).startswith(f"Move goal of Left arm {letter} {value:.4g} m")
    assert not session.clip.curves
    now = session.playback.time
    assert set(ARM) <= {
        c.bone for c, t in session.clip.tracks.items() if np.isclose(t.times, now, atol=1e-6).any()
    }


def test_a_number_of_a_keyed_goal_is_a_key_of_it(session):
    edits.match(session, "Left arm")
    setup = session.rig.ik_setup("Left arm")
    before = goals.goal_values(session, setup, "goal")
    assert goals.set_goal(session, setup, 1, before[1] + 0.03)
    names = [keyed.curve_name("Left arm", field) for field in keyed.GOAL]
    found = [evaluate_scalar(session.clip.curves[n], np.array([session.playback.time]))[0] for n in names]
    np.testing.assert_allclose(found, before + [0.0, 0.03, 0.0], atol=1e-6)
    np.testing.assert_allclose(goals.goal_values(session, setup, "goal"), found, atol=1e-9)
    goals.set_goal(session, setup, 1, 9.0)
    assert goals.goal_values(session, setup, "goal")[1] == pytest.approx(9.0)
    assert place(session, "hand_l")[1] < 3.0


def test_without_a_clip_a_goal_is_where_the_rest_pose_has_it(session):
    session.playback.set_clip(None, session.rig.id)
    found = goals.goal_places(session, session.rig.ik_setup("Left arm"))
    np.testing.assert_allclose(found.position, place(session, "hand_l"))


def test_a_goal_in_the_space_of_a_bone_has_numbers_of_that_space(session):
    target = IkTarget(IkSpace.BONE, "head")
    assert (
        goals.change_space(session, "Left arm", target, None) and last(session) == "IK Left arm: goal in head"
    )
    setup = session.rig.ik_setup("Left arm")
    assert setup.goal == target and setup.pole is None
    found = goals.goal_values(session, setup, "goal")
    np.testing.assert_allclose(found, place(session, "hand_l") - place(session, "head"), atol=1e-9)
    assert goals.change_space(session, "Left arm", IkTarget(IkSpace.WORLD), IkTarget())
    assert last(session) == "IK Left arm: goal in world"
    others = [s for s in session.rig.ik_setups if s.name != "Left arm"]
    assert all(s.goal == IkTarget() for s in others)


def test_a_goal_is_turned_by_degrees(session):
    edits.change(session, "Left arm", {"end_rotation": EndRotation.GOAL})
    setup = session.rig.ik_setup("Left arm")
    turn = goals.goal_values(session, setup, "turn")
    assert goals.set_goal(session, setup, 2, turn[2] + 10.0, "turn")
    assert last(session).startswith(f"Rotate goal of Left arm Z {turn[2] + 10.0:.4g}°")
    found = goals.goal_values(session, session.rig.ik_setup("Left arm"), "turn")
    np.testing.assert_allclose(found, turn + [0.0, 0.0, 10.0], atol=1e-3)


@pytest.mark.parametrize("what, fields", [("goal", keyed.GOAL), ("turn", keyed.TURN), ("pole", keyed.POLE)])
def test_a_key_of_a_goal_has_its_own_curves(session, what, fields):
    setup = session.rig.ik_setup("Left arm")
    goal = IkGoal(FREE, np.array([0.0, 0.0, 0.0, 1.0]), FREE + [0.0, 0.0, 1.0])
    clip = goals.with_goal_keys(session, session.clip, setup, goal, what)
    assert set(clip.curves) == {keyed.curve_name("Left arm", field) for field in fields}
    values = [clip.curves[keyed.curve_name("Left arm", field)].values[-1] for field in fields]
    wanted = {"goal": FREE, "turn": np.zeros(3), "pole": FREE + [0.0, 0.0, 1.0]}[what]
    np.testing.assert_allclose(values, wanted, atol=1e-9)
    none = goals.with_goal_keys(
        session, session.clip, replace(setup, pole=None), replace(goal, pole=None), "pole"
    )
    assert none is session.clip


def test_a_weight_is_a_key_where_the_clip_drives_the_goal(session):
    setup = session.rig.ik_setup("Left arm")
    assert goals.key_weight(session, setup, 0.5) and last(session) == "IK Left arm: weight"
    edits.match(session, "Left arm")
    setup = session.rig.ik_setup("Left arm")
    assert goals.key_weight(session, setup, 0.25) and last(session) == "Key IK weight Left arm @ f10"
    track = session.clip.curves[keyed.curve_name("Left arm", keyed.WEIGHT)]
    assert evaluate_scalar(track, np.array([10 / 30]))[0] == pytest.approx(0.25)
    assert session.rig.ik_setup("Left arm").weight == 0.5


def test_clips_of_other_characters_keep_their_curves_when_a_space_changes(session):
    edits.match(session, "Left arm")
    twin = replace(session.rig, id=AssetId("rig-twin"), name="twin")
    theirs = replace(session.clip, id=AssetId("clip-twin"), name="theirs", rig=twin.id)
    session.edits.put("twin", twin, theirs)
    before = session.clip
    goals.change_space(session, "Left arm", IkTarget(IkSpace.BONE, "head"), None)
    assert session.document.project.assets[theirs.id] is theirs and session.clip is not before

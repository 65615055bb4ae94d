"""Edits of IK set-ups, matches, bakes and feet: names of their steps, what is said and what is refused."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from core.errors import AnimError, ValidationError
from core.ik import feet, keyed
from core.ik.body import Reach
from core.ik.chain import model_of
from core.ik.ground import Ground
from core.ik.solve import IkGoal
from core.project.project import Project
from core.rig.ik_setup import IkSetup, IkSolver
from editor.model.ik import edits
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


# ---------------------------------------------------------------- set-ups
def test_proposed_set_ups_are_one_step_and_the_first_is_shown():
    session = small_session(mesh=False)
    steps = session.history.position
    count = edits.propose(session)
    assert count == len(session.rig.ik_setups) > 3 and session.history.position == steps + 1
    assert last(session) == "Propose IK set-ups"
    state = session.feature(IkState)
    assert state.active == session.rig.ik_setups[0].name
    state.select("Left leg")
    session.edits.put("fewer", replace(session.rig, ik_setups=(session.rig.ik_setup("Left leg"),)))
    assert edits.propose(session) == count - 1 and state.active == "Left leg"
    assert edits.propose(session) == 0 and said(session) == (
        Level.INFO, "Every recognised chain already has a set-up",
    )  # fmt: skip
    session.close()


def test_a_set_up_is_added_for_the_limb_of_a_bone_or_between_two(session, state):
    steps = session.history.position
    session.selection.select(["hand_l"])
    name = edits.add(session)
    assert name == "hand_l" == state.active and last(session) == "Add IK hand_l"
    made = session.rig.ik_setup(name)
    assert (made.root, made.tip, made.enabled) == ("upper_arm_l", "hand_l", True)
    session.selection.select(["hand_l", "spine", "chest"])
    assert edits.add(session) == "hand_l 2"
    made = session.rig.ik_setup("hand_l 2")
    assert (made.root, made.tip) == ("spine", "hand_l") and session.history.position == steps + 2
    assert edits.add(session) == "hand_l 3"


def test_what_no_set_up_can_be_added_for_is_said(session):
    steps = session.history.position
    assert edits.add(session) is None and said(session)[1].startswith("Select the end effector")
    session.selection.select(["pelvis"])
    assert edits.add(session) is None
    assert said(session) == (Level.WARNING, "pelvis has no parent chain for IK")
    session.selection.select(["hand_l", "foot_r"])
    assert edits.add(session) is None and said(session)[0] is Level.WARNING
    assert session.history.position == steps


def test_a_slash_in_a_bones_name_is_no_part_of_a_set_ups_name(session):
    rig = replace(session.rig, ik_setups=(IkSetup("a b", "spine", "head"), IkSetup("a b 2", "spine", "head")))
    assert edits._free(rig, "a/b") == "a b 3" and edits._free(rig, "c/d") == "c d"


def test_a_change_names_its_fields_and_leaves_other_set_ups(session, state):
    before = {s.name: s for s in session.rig.ik_setups}
    assert edits.change(session, "Left arm", {"soft": 0.1, "use_limits": False})
    assert last(session) == "IK Left arm: soft, use limits"
    assert {s.name for s in session.rig.ik_setups if s is not before[s.name]} == {"Left arm"}
    assert (
        edits.change(session, "Left arm", {"soft": 0.2}, "Softness")
        and last(session) == "IK Left arm: Softness"
    )
    steps = session.history.position
    assert not edits.change(session, "Left arm", {"soft": 0.2}) and session.history.position == steps


@pytest.mark.parametrize("active, after", [("Left arm", "arm"), ("Left leg", "Left leg")])
def test_a_new_name_is_given_to_its_curves_and_shown(session, state, active, after):
    edits.match(session, "Left arm")
    names = {name for name in session.clip.curves if name.startswith("ik/Left arm/")}
    state.select(active)
    assert edits.change(session, "Left arm", {"name": "arm"}) and last(session) == "IK arm: name"
    assert {name.replace("Left arm", "arm") for name in names} <= set(session.clip.curves)
    assert not keyed.drives(session.clip, "Left arm") and state.active == after
    session.undo()
    assert keyed.drives(session.clip, "Left arm")


def test_an_aiming_bone_that_becomes_a_chain_begins_at_its_limb_else_at_its_parent(session):
    assert edits._first_bone(session, session.rig, "hand_r") == "upper_arm_r"
    assert edits._first_bone(session, session.rig, "pelvis") == "pelvis"
    setup = IkSetup("one", "pelvis", "pelvis", IkSolver.TURN)
    session.edits.put("one", replace(session.rig, ik_setups=(*session.rig.ik_setups, setup)))
    with pytest.raises(ValidationError):
        edits.change(session, "one", {"solver": IkSolver.CCD})
    arm = IkSetup("two", "spine", "spine", IkSolver.AIM)
    session.edits.put("two", replace(session.rig, ik_setups=(*session.rig.ik_setups, arm)))
    edits.change(session, "two", {"solver": IkSolver.CCD})
    made = session.rig.ik_setup("two")
    assert made.tip == "spine" and made.root == "pelvis"


def test_an_aiming_bone_that_is_given_a_first_bone_keeps_it(session):
    edits.change(session, "Head", {"solver": IkSolver.CCD, "root": "chest"})
    made = session.rig.ik_setup("Head")
    assert (made.root, made.tip) == ("chest", "head")


def test_a_chain_keeps_its_first_bone_when_it_gets_another_solver(session):
    root = session.rig.ik_setup("Left arm").root
    edits.change(session, "Left arm", {"solver": IkSolver.FABRIK})
    assert session.rig.ik_setup("Left arm").root == root


def test_a_removed_set_up_leaves_the_first_of_the_others_shown(session, state):
    first, second = (s.name for s in session.rig.ik_setups[:2])
    state.select(first)
    assert edits.remove(session, first) and last(session) == f"Remove IK {first}"
    assert state.active == second and first not in [s.name for s in session.rig.ik_setups]
    for setup in session.rig.ik_setups:
        edits.remove(session, setup.name)
    assert state.active is None


def test_set_ups_are_turned_on_together_and_off_when_all_are_on(session, state):
    both = ("Left arm", "Right arm")
    edits.toggle(session, ("Right arm",))
    assert last(session) == "IK on: Right arm" and state.active == "Right arm"
    assert edits.toggle(session, both) and last(session) == "IK on: Left arm, Right arm"
    assert {s.name for s in state.enabled} == set(both) and state.active == "Left arm"
    assert (
        edits.toggle(session, both) and last(session) == "IK off: Left arm, Right arm" and state.enabled == ()
    )


def test_those_of_the_selection_are_meant_each_once_else_the_active_one(session, state):
    state.select("Right leg")
    assert edits._meant(session) == ("Right leg",)
    session.selection.select(["hand_l", "lower_arm_l", "foot_r"])
    assert edits._meant(session) == ("Left arm", "Right leg")
    assert not edits.is_on(session)
    edits.toggle(session, ("Left arm",))
    assert not edits.is_on(session)
    edits.toggle(session, ("Right leg",))
    assert edits.is_on(session)
    session.selection.select(["pelvis"])
    assert edits._meant(session) == () and not edits.is_on(session)


def test_toggling_what_has_no_set_up_adds_one_or_says_how_to_get_one(session, state):
    session.edits.put("none", replace(session.rig, ik_setups=()))
    state.select(None)
    assert not edits.toggle(session)
    assert said(session) == (
        Level.INFO, "No IK set-up: propose some in the IK panel, or select a hand or foot",
    )  # fmt: skip
    session.selection.select(["hand_l"])
    assert edits.toggle(session) and [s.name for s in state.enabled] == ["hand_l"]
    session.selection.select(["pelvis"])
    assert not edits.toggle(session)


def test_without_a_character_it_is_said_to_open_one(session):
    session.document.replace(Project({}), None)
    assert not edits.is_on(session)
    for work in (edits.propose, edits.add, edits.toggle, edits.place_feet_here, edits.place_feet_in_clip):
        with pytest.raises(AnimError, match="There is no character: open or import one first"):
            work(session)


# ---------------------------------------------------------------- poses
def test_how_a_solve_ended_is_told_under_the_name_of_its_set_up(session, state):
    setup, base = session.rig.ik_setup("Left arm"), session.evaluator.pose()
    pose = edits.posed(session, setup, base, IkGoal(FREE))
    assert np.linalg.norm(place(session, "hand_l", pose) - FREE) < 1e-3
    assert state.ending("Left arm").residual < 1e-3
    edits.posed(session, setup, base, IkGoal(FREE + [0.0, 9.0, 0.0]))
    assert state.ending("Left arm").residual > 5.0


@pytest.mark.parametrize(
    "bone, name", [("hand_l", "Left arm"), ("lower_arm_l", "lower_arm_l"), ("calf_r", "calf_r")]
)
def test_a_pull_is_told_under_the_set_up_that_ends_there_else_under_the_bone(session, state, bone, name):
    base = session.evaluator.pose()
    assert state.ending(name) is None
    edits.pull(session, base, bone, place(session, bone) + [0.0, 0.0, 0.05], Reach.LIMB)
    assert state.ending(name) is not None


def test_changed_and_solved_bones_are_keyed_and_locked_ones_that_stayed_are_not(session):
    base, head = session.evaluator.pose(), session.rig.skeleton.index("head")
    pose = base.with_bone(head, rotation=np.array([0.0, 0.6, 0.0, 0.8]))
    session.selection.set_flag("locked", ["hand_r"])
    assert edits.commit_pose(session, "Posed", base, pose, ["head", "hand_l", "hand_r"])
    now = session.playback.time
    found = {c.bone for c, t in session.clip.tracks.items() if np.isclose(t.times, now, atol=1e-6).any()}
    assert found == {"head", "hand_l"} and last(session).startswith("Posed")


# ---------------------------------------------------------------- over a range
def test_a_match_says_keys_error_bone_and_frame(session):
    assert edits.match(session, "Left arm") and last(session) == "Match IK Left arm"
    assert said(session)[1].startswith("Match IK Left arm: ") and " keys, largest error " in said(session)[1]
    assert keyed.drives(session.clip, "Left arm")


def test_a_match_of_a_play_range_keys_that_alone(session):
    session.playback.set_range(0.5, 1.0)
    edits.match(session, "Left arm")
    track = session.clip.curves[keyed.curve_name("Left arm", keyed.GOAL[0])]
    assert track.times[0] >= 0.5 - 1 / 30 - 1e-6 and track.times[-1] <= 1.0 + 1 / 30 + 1e-6


def test_without_a_clip_there_is_nothing_to_match_bake_or_drop(session):
    session.playback.set_clip(None, session.rig.id)
    for work in (edits.match, edits.bake_to_keys):
        assert not work(session, "Left arm") and said(session) == (Level.INFO, "Select a clip first")
    assert not edits.drop_goal(session, "Left arm") and not edits.place_feet_in_clip(session)


@pytest.mark.parametrize("locked, words", [
    (["hand_l"], "Locked: hand_l"), (list(ARM), "Locked: upper_arm_l, lower_arm_l, hand_l"),
])  # fmt: skip
def test_a_bake_onto_locked_bones_is_refused_and_says_which(session, locked, words):
    edits.match(session, "Left arm")
    session.selection.set_flag("locked", locked)
    project = session.document.project
    for name in (None, "Left arm"):
        assert not edits.bake_to_keys(session, name) and said(session) == (Level.WARNING, words)
        assert session.messages.latest.next_step == "Unlock them in the bone tree"
    assert session.document.project is project
    session.selection.set_flag("locked", ["foot_l"])
    assert edits.bake_to_keys(session, "Left arm") and last(session) == "Bake IK Left arm"


def test_a_bake_of_another_goal_does_not_mind_locked_bones(session):
    edits.match(session, "Left arm")
    edits.match(session, "Right arm")
    session.selection.set_flag("locked", ["hand_r"])
    assert edits.bake_to_keys(session, "Left arm")
    assert keyed.drives(session.clip, "Right arm") and not keyed.drives(session.clip, "Left arm")
    session.selection.set_flag("locked", [])
    assert edits.bake_to_keys(session) and last(session) == "Bake IK goals"
    assert not keyed.drives(session.clip, "Right arm")


def test_more_than_three_locked_bones_are_not_all_named(session):
    session.selection.set_flag("locked", ["head", "spine", "chest", "hand_l"])
    assert edits._refused(session, ["head", "spine", "chest", "head", "foot_l"])
    assert said(session)[1] == "Locked: head, spine, chest"
    assert edits._refused(session, ["head", "spine", "chest", "hand_l"])
    assert said(session)[1] == "Locked: head, spine, chest …"
    assert not edits._refused(session, ["foot_l"])


def test_what_cannot_be_worked_out_is_a_warning(session, monkeypatch):
    def fail(*_):
        raise ValidationError("too short")

    monkeypatch.setattr(edits.bake, "matched", fail)
    project = session.document.project
    assert not edits.match(session, "Left arm") and said(session) == (Level.WARNING, "too short")
    assert session.document.project is project


def test_a_dropped_goal_leaves_the_tracks(session):
    before = session.clip
    edits.match(session, "Left arm")
    assert edits.drop_goal(session, "Left arm") and last(session) == "Remove goal keys Left arm"
    assert not session.clip.curves and session.clip.tracks.keys() == before.tracks.keys()
    assert not edits.drop_goal(session, "Left arm")


# ---------------------------------------------------------------- feet
def test_on_level_ground_feet_stay_and_that_is_said(session):
    project = session.document.project
    for work in (edits.place_feet_here, edits.place_feet_in_clip):
        assert not work(session)
        assert said(session) == (Level.INFO, "The ground is level: feet are unchanged")
    assert session.document.project is project


def test_feet_are_placed_here_or_in_the_clip(session, state):
    state.set_ground(Ground(0.0, 8.0, 0.0))
    assert edits.place_feet_here(session) and last(session) == "Place feet @ f10"
    session.undo()
    assert edits.place_feet_in_clip(session) and last(session) == "Place feet in swing"
    assert said(session)[1].startswith("Feet placed: worst foot ") and said(session)[1].endswith(" mm off")


@pytest.mark.parametrize("span, time, start", [
    (None, 1.0, 0.0), ((0.5, 1.5), 1.0, 0.5), ((0.5, 1.5), 0.5, 0.5), ((0.5, 1.5), 0.25, 0.0),
])  # fmt: skip
def test_feet_here_come_from_the_start_of_the_range_that_the_time_is_in(
    session, state, monkeypatch, span, time, start
):
    seen = []

    def placed(rig, roles, clip, ground, local, at, begin):
        seen.append((at, begin))
        raise AnimError("no feet")

    monkeypatch.setattr(feet, "placed_pose", placed)
    state.set_ground(Ground(0.0, 8.0, 0.0))
    session.playback.set_range(*(span or (None, None)))
    session.playback.seek(time)
    assert not edits.place_feet_here(session) and said(session) == (Level.WARNING, "no feet")
    assert seen == [(pytest.approx(time), pytest.approx(start))]


@pytest.mark.parametrize("bone", ["pelvis", "thigh_l", "calf_r", "foot_l"])
def test_feet_in_the_clip_need_hips_and_legs_unlocked(session, state, bone):
    state.set_ground(Ground(0.0, 8.0, 0.0))
    session.selection.set_flag("locked", [bone])
    assert not edits.place_feet_in_clip(session) and said(session)[1] == f"Locked: {bone}"

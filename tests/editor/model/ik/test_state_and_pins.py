"""The state of IK in a session: set-ups found, reach of a drag, pins, the ground, endings; how often each is told."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from core.ids import AssetId
from core.ik.body import PinKind, Reach
from core.ik.ground import Ground
from core.ik.solve import IkGoal
from core.project.project import Project
from core.rig.ik_setup import IkSetup, IkSolver
from editor.model.ik import edits
from editor.model.ik.pins import MOVED, Pins
from editor.model.ik.state import GROUND, Ending, IkState, changed_bones
from editor.model.session import Session
from tests.editor.panel_stage import small_session


@pytest.fixture
def session() -> Iterator[Session]:
    made = small_session(mesh=False)
    state = made.feature(IkState)
    reach, hands = state.reach, state.keeps_hands
    state.reach = Reach.BONE
    edits.propose(made)
    yield made
    state.reach, state.keeps_hands = reach, hands
    made.close()


@pytest.fixture
def state(session) -> IkState:
    made = session.feature(IkState)
    made.told = []
    made.changed.connect(lambda _: made.told.append(1))
    return made


def without_character(session: Session) -> None:
    session.document.replace(Project({}), None)


# ---------------------------------------------------------------- set-ups
def test_set_ups_are_found_by_name_and_those_that_are_on_are_shown(session, state):
    assert state.find("Left arm").tip == "hand_l" and state.find("none") is None and state.find(None) is None
    assert state.enabled == ()
    edits.toggle(session, ("Left arm",))
    assert state.enabled == (state.find("Left arm"),) and state.current is state.find("Left arm")


def test_a_bone_belongs_to_the_set_up_that_ends_there_else_to_one_that_holds_it(session, state):
    head = IkSetup("Above", "spine", "hand_l", IkSolver.CCD)
    session.edits.put("more", replace(session.rig, ik_setups=(head, *session.rig.ik_setups)))
    assert state.of_bone("hand_l").name == "Above"
    assert state.of_bone("foot_l").name == "Left leg" and state.of_bone("calf_l").name == "Left leg"
    assert state.of_bone("chest").name == "Above" and state.of_bone("pelvis") is None
    assert state.chain(state.find("Left leg")) == ("thigh_l", "calf_l", "foot_l")
    session.edits.put("last", replace(session.rig, ik_setups=(*session.rig.ik_setups[1:], head)))
    assert state.of_bone("hand_l").name == "Left arm" and state.of_bone("upper_arm_l").name == "Left arm"


def test_choosing_and_watching_are_told_once(state):
    state.select("Left leg")
    state.select("Left leg")
    assert state.active == "Left leg" and len(state.told) == 1
    for on in (True, True, False, False):
        state.watch(on)
        assert state.watched is on
    assert len(state.told) == 3


def test_without_a_character_there_is_nothing(session, state):
    setup = state.find("Left arm")
    pose = session.evaluator.pose()
    without_character(session)
    assert state.rig is None and state.setups == () and state.enabled == () and state.chain(setup) == ()
    assert dict(state.roles().found) == {}
    assert state.reached("hand_l", Reach.LIMB) == state.reached("hand_l", Reach.CHAIN) == ("hand_l",)
    assert state.decided("hand_l", Reach.BODY) == ((), frozenset())
    assert not state.toggle_pin(["foot_l"])
    assert state.held(pose) is pose and state.held_with_names(pose, iter(["head"])) == (pose, ("head",))
    state.reach = Reach.LIMB
    assert state.reach_of("hand_l") is Reach.BONE


def test_roles_are_found_once_a_skeleton(session, state):
    first = state.roles()
    session.edits.put("name", replace(session.rig, name="other"))
    assert state.roles() is first
    rest = session.rig.skeleton.rest
    skeleton = replace(session.rig.skeleton, rest=rest._replace(translation=rest.translation * 1.1))
    session.edits.put("skeleton", replace(session.rig, skeleton=skeleton))
    assert state.roles() is not first


# ---------------------------------------------------------------- reach
def test_reach_and_hands_are_kept_in_the_preferences_and_told_once(session, state):
    state.reach = Reach.BONE
    assert state.told == []
    for count, reach in enumerate((Reach.LIMB, Reach.CHAIN, Reach.BODY, Reach.BONE), start=1):
        state.reach = reach
        assert state.reach is reach and session.preferences.get("ik_reach") == str(reach)
        state.reach = reach
        assert len(state.told) == count
    session.preferences.set("ik_reach", "everything")
    assert state.reach is Reach.BONE
    state.told.clear()
    before = state.keeps_hands
    state.keeps_hands = not before
    assert state.keeps_hands is not before and len(state.told) == 1
    state.keeps_hands = not before
    assert len(state.told) == 1


@pytest.mark.parametrize("scope, on, bone, found", [
    (Reach.BONE, False, "hand_l", Reach.BONE), (Reach.BONE, True, "hand_l", Reach.LIMB),
    (Reach.BONE, True, "lower_arm_l", Reach.BONE), (Reach.LIMB, False, "hand_l", Reach.LIMB),
    (Reach.LIMB, False, "pelvis", Reach.BONE), (Reach.BODY, False, "pelvis", Reach.BODY),
    (Reach.BODY, False, "hand_l", Reach.BODY), (Reach.CHAIN, False, "pelvis", Reach.BONE),
])  # fmt: skip
def test_the_reach_of_a_drag_is_the_scope_where_the_bone_has_a_chain(session, state, scope, on, bone, found):
    if on:
        edits.toggle(session, ("Left arm",))
    state.reach = scope
    assert state.reach_of(bone) is found


@pytest.mark.parametrize("reach, bones", [
    (Reach.BONE, ("hand_l",)), (Reach.LIMB, ("upper_arm_l", "lower_arm_l", "hand_l")),
    (Reach.BODY, ("upper_arm_l", "lower_arm_l", "hand_l")),
    (Reach.CHAIN, ("spine", "chest", "upper_arm_l", "lower_arm_l", "hand_l")),
])  # fmt: skip
def test_bones_that_a_drag_turns_for_certain(state, reach, bones):
    assert state.reached("hand_l", reach) == bones
    assert state.reached("pelvis", reach) == ("pelvis",)


@pytest.mark.parametrize("wider, chain, scope, found", [
    (True, True, Reach.BONE, Reach.BODY), (False, True, Reach.LIMB, Reach.CHAIN),
    (False, False, Reach.BONE, Reach.LIMB),
    (False, False, Reach.BODY, Reach.BODY), (False, False, Reach.CHAIN, Reach.CHAIN),
])  # fmt: skip
def test_temporary_ik_reaches_the_limb_at_least(state, wider, chain, scope, found):
    state.reach = scope
    assert state.drag_reach(wider, chain) is found


def test_pinned_bones_are_decided_by_a_drag_of_the_body(state):
    before = set(state.decided("pelvis", Reach.BODY).bones)
    state.toggle_pin(["foot_r"])
    after = set(state.decided("pelvis", Reach.BODY).bones)
    assert {"thigh_r", "calf_r", "foot_r"} <= after and before <= after


# ---------------------------------------------------------------- pins
def test_bones_are_pinned_and_unpinned_together(session, state):
    rig, kinds = session.rig, lambda: dict(state.pins.kinds(session.rig))
    assert state.toggle_pin(iter(["foot_l", "foot_r"])) and kinds() == {
        "foot_l": PinKind.BOTH,
        "foot_r": PinKind.BOTH,
    }
    assert len(state.told) == 1
    assert state.toggle_pin(["foot_l", "hand_l"]) and len(kinds()) == 3
    assert state.toggle_pin(["foot_l"], PinKind.POSITION) and kinds()["foot_l"] is PinKind.POSITION
    assert not state.toggle_pin(["foot_r", "hand_l"]) and kinds() == {"foot_l": PinKind.POSITION}
    assert not state.toggle_pin([]) and kinds() == {"foot_l": PinKind.POSITION}
    assert state.pins.kinds(replace(rig, id=AssetId("other"))) == {} and state.pins.kinds(None) == {}


def test_pins_are_told_once_and_are_of_one_character(session):
    pins, told, rig = Pins(), [], session.rig
    pins.changed.connect(told.append)
    pins.put(rig, {"foot_l": PinKind.BOTH})
    pins.put(rig, {"foot_l": PinKind.BOTH, "head": None})
    assert len(told) == 1
    other = replace(rig, id=AssetId("other"))
    pins.put(other, {"foot_l": PinKind.BOTH})
    assert len(told) == 2 and dict(pins.kinds(rig)) == {}
    pins.torn = {"foot_l": 0.5}
    pins.clear()
    assert len(told) == 3 and dict(pins.kinds(other)) == {} and pins.torn == {}
    pins.clear()
    assert len(told) == 3


def test_another_document_has_no_pins(session, state):
    state.toggle_pin(["foot_l"])
    session.document.replace(session.document.project, None)
    assert dict(state.pins.kinds(session.rig)) == {}


def lowered(pose, by: float = 0.05):
    return pose.with_bone(0, translation=pose.translations[0] - [0.0, by, 0.0])


def test_a_pinned_bone_that_is_moved_itself_stays_where_it_was_put(session, state):
    rig, foot = session.rig, session.rig.skeleton.index("foot_l")
    before = session.evaluator.pose()
    state.toggle_pin(["foot_l"])
    for step, held in ((0.5 * MOVED, True), (1.0, False)):
        after = lowered(before).with_bone(foot, translation=before.translations[foot] + [step, 0.0, 0.0])
        found = state.pins.hold(rig, state.roles(), before, after)
        assert (found is not after) is held
    turned = lowered(before).with_bone(foot, rotation=np.array([0.0, 0.6, 0.0, 0.8]))
    assert state.pins.hold(rig, state.roles(), before, turned) is turned
    assert state.pins.hold(rig, state.roles(), before, before) is before


def test_a_pin_out_of_reach_is_torn_by_so_much(session, state):
    state.toggle_pin(["foot_l"], PinKind.POSITION)
    before = session.evaluator.pose()
    raised = lowered(before, -0.5)
    state.pins.hold(session.rig, state.roles(), before, raised)
    assert state.pins.torn["foot_l"] == pytest.approx(0.5, abs=0.02)
    state.pins.hold(session.rig, state.roles(), before, lowered(before))
    assert state.pins.torn.get("foot_l", 0.0) < 1e-3


def test_pins_of_bones_that_the_character_lacks_do_not_matter(session, state):
    state.pins.put(session.rig, {"tail": PinKind.BOTH})
    pose = lowered(session.evaluator.pose())
    assert state.held(pose) is pose


def test_only_a_pose_of_the_character_is_held_and_every_bone_that_differs_is_named(session, state):
    pose = lowered(session.evaluator.pose())
    assert state.held(pose) is pose
    state.toggle_pin(["foot_l"])
    other = replace(pose, rig=AssetId("other"))
    assert state.held(other) is other
    held, names = state.held_with_names(pose, iter(["pelvis"]))
    assert held is not pose and names[0] == "pelvis"
    assert set(names) == {"pelvis", *changed_bones(session.rig, pose, held)} and len(set(names)) == len(names)
    assert {"thigh_l", "calf_l"} <= set(names)


def test_the_pose_without_a_drag_has_what_is_pending(session, state):
    session.keying.auto = False
    pose = lowered(session.evaluator.pose())
    session.keying.commit_pose("Lower", pose, ["pelvis"])
    session.preview.set_pose(session.evaluator.sampled_pose())
    np.testing.assert_array_equal(state.standing().translations[0], pose.translations[0])
    session.preview.clear()
    session.keying.auto = True


def test_bones_that_differ_in_any_part_are_changed(session):
    rig, pose = session.rig, session.evaluator.pose()
    assert changed_bones(rig, pose, pose) == ()
    moved = pose.with_bone(3, translation=pose.translations[3] + 1e-9).with_bone(
        6, rotation=np.array([0.0, 0.6, 0.0, 0.8])
    )
    scaled = moved.with_bone(9, scale=np.array([1.0, 1.0, 1.5]))
    assert changed_bones(rig, pose, scaled) == ("head", "hand_l", "hand_r")


# ---------------------------------------------------------------- ground
@pytest.mark.parametrize("ground", [
    Ground(0.1, 5.0, -3.0), Ground(0.1, 5.0, -3.0, rise=0.2, run=0.3, start=0.5, count=4),
    Ground(rise=0.2, run=0.3, count=2),
])  # fmt: skip
def test_a_ground_is_kept_in_one_step_and_comes_back(session, state, ground):
    steps = session.history.position
    assert state.set_ground(ground) and session.history.position == steps + 1
    assert session.history.labels[-1] == "Ground" and state.ground == ground and len(state.told) == 1
    assert not state.set_ground(ground) and session.history.position == steps + 1
    stored = session.document.project.settings[GROUND]
    assert len(stored) == (3 if ground.count == Ground().count else 7)


@pytest.mark.parametrize("stored", [None, [], [1.0, 2.0], "abc", {"height": 1.0}, [1.0] * 4])
def test_what_is_no_ground_is_the_level_one(session, state, stored):
    session.edits.set_settings("Settings", {GROUND: stored})
    assert state.ground == Ground()


def test_numbers_of_the_ground_are_read_whatever_their_kind(session, state):
    session.edits.set_settings("Settings", {GROUND: (1, 2, 3)})
    assert state.ground == Ground(1.0, 2.0, 3.0)
    session.edits.set_settings("Settings", {GROUND: [0, 0, 0, 0.2, 0.3, 1, 4.0]})
    assert state.ground == Ground(0.0, 0.0, 0.0, rise=0.2, run=0.3, start=1.0, count=4)


# ---------------------------------------------------------------- endings and upkeep
def test_how_a_drag_ended_is_told_for_each_set_up(state):
    told = []
    state.solved.connect(told.append)
    assert state.ending("Left arm") is None
    state.tell("Left arm", Ending(0.5, 3))
    state.tell("Left leg", Ending(0.1, 2))
    assert state.ending("Left arm") == Ending(0.5, 3) and state.ending("Left leg") == Ending(0.1, 2)
    assert len(told) == 2


def test_where_the_clip_drives_a_set_up_its_ending_is_the_clips(session, state):
    edits.match(session, "Left arm")
    state.tell("Left arm", Ending(5.0, 99))
    found = state.ending("Left arm")
    assert found.residual < 1e-3 and found.iterations != 99 and isinstance(found.iterations, int)
    setup, base = session.rig.ik_setup("Left leg"), session.evaluator.pose()
    edits.posed(session, setup, base, IkGoal(np.array([0.0, 9.0, 0.0])))
    assert state.ending("Left leg").residual > 5.0


def test_the_first_set_up_is_shown_where_the_one_shown_is_gone(session, state):
    state.select("Left leg")
    rig = session.rig
    session.edits.put("fewer", replace(rig, ik_setups=rig.ik_setups[:1]))
    assert state.active == rig.ik_setups[0].name
    session.edits.put("none", replace(rig, ik_setups=()))
    assert state.current is None


def test_other_edits_are_not_told(session, state):
    session.edits.put("name", replace(session.clip, name="other"))
    session.edits.set_settings("Settings", {"other": 1})
    assert state.told == []
    session.edits.put("setups", replace(session.rig, ik_setups=session.rig.ik_setups[1:]))
    assert state.told == [1]
    session.edits.put("twin", replace(session.rig, id=AssetId("twin"), name="twin", ik_setups=()))
    session.playback.set_clip(None, AssetId("twin"))
    assert state.told == [1, 1]

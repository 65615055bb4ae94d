"""The IK panel without its widget: what the lists offer, whether the goal was reached, axes that differ, limits."""

import numpy as np
import pytest

from core.math import quat
from core.rig.ik_setup import IkSolver, IkSpace
from core.rig.rig import JointLimit, LimitKind
from editor.model.ik import edits
from editor.model.ik.state import Ending, IkState
from editor.panels.ik.view_model import IkModel
from tests.editor.panel_stage import small_session

X, Y, Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
NEAR_X = (0.9, 0.43588989, 0.0)
"""Some 26° from x: another axis."""


@pytest.fixture
def session():
    made = small_session(mesh=False)
    edits.propose(made)
    made.feature(IkState).select("Left arm")
    made.said = []
    made.messages.posted.connect(lambda message: made.said.append(message.text))
    yield made
    made.close()


@pytest.fixture
def model(session) -> IkModel:
    return IkModel(session)


def test_without_a_set_up_or_a_character_nothing_is_offered_and_nothing_done(session, model):
    state = session.feature(IkState)
    for setup in list(state.setups):
        edits.remove(session, setup.name)
    position = session.history.position
    assert model.setup is None and model.rows() == () and model.limits() == () and not model.driven
    assert model.weight() == (1.0, "none") and model.goal() is None and model.reached()
    assert model.ending() == "drag the goal in the viewport" and model.space() == "model"
    for nothing in (
        model.change(soft=0.1), model.set_weight(0.5), model.set_goal(0, 1.0), model.remove(),
        model.set_stiffness("hand_l", 0.5), model.set_space("world"), model.rename("other"),
    ):  # fmt: skip
        assert nothing is False
    model.aim_along(X)
    model.keep_up(X)
    assert model.stiffness("hand_l") is None and session.history.position == position


def test_bones_and_carriers_are_those_of_the_character(session, model):
    names = session.rig.skeleton.names
    assert model.bones() == names and model.carriers() == names
    session.document.replace(type(session.document.project)(), None)
    assert model.rig is None and model.bones() == () and model.carriers() == ()
    assert not model.set_limit("head", None) and not model.add_limit("head")


@pytest.mark.parametrize("residual, tolerance, reached", [
    (0.0, 0.001, True), (0.0009, 0.001, True), (0.0011, 0.001, False), (0.00009, 1e-6, True), (0.0002, 1e-6, False),
])  # fmt: skip
def test_the_goal_is_reached_within_the_tolerance_but_for_what_nobody_sees(
    session, model, residual, tolerance, reached
):
    model.change(tolerance=tolerance)
    session.feature(IkState).tell("Left arm", Ending(residual, 1))
    session.feature(IkState).tell("Head", Ending(1.0 - residual, 2))
    assert model.reached() is reached
    assert model.ending() == f"{residual * 1000.0:.2f} mm · 1 iteration"


@pytest.mark.parametrize("word, space, bone", [
    ("world", IkSpace.WORLD, None), ("bone head", IkSpace.BONE, "head"), ("bone pelvis", IkSpace.BONE, "pelvis"),
])  # fmt: skip
def test_the_goals_space_is_what_the_box_says_and_the_poles_goes_along(session, model, word, space, bone):
    before = model.space()
    assert before == "model"
    assert model.set_space(word) and model.space() == word
    assert (model.setup.goal.space, model.setup.goal.bone) == (space, bone)
    if model.setup.pole is not None:
        assert (model.setup.pole.space, model.setup.pole.bone) == (space, bone)
    assert not model.set_space(word)
    assert model.set_space("model") and model.space() == "model"


def test_a_bone_of_the_chain_cannot_hold_its_goal(session, model):
    position = session.history.position
    assert not model.set_space("bone hand_l")
    assert "hand_l is moved by the chain itself" in session.said[-1] and session.history.position == position


def test_axes_that_are_one_give_way_and_others_stay(session, model):
    session.feature(IkState).select("Head")
    model.change(aim_axis=Z, up_axis=Y)
    model.aim_along(X)
    assert (model.setup.aim_axis, model.setup.up_axis) == (X, Y)
    model.aim_along(Y)  # the up axis gives way
    assert model.setup.aim_axis == Y and abs(np.dot(model.setup.up_axis, Y)) < 1e-9
    model.change(aim_axis=X, up_axis=Y)
    for axis in (X, (-1.0, 0.0, 0.0)):
        model.keep_up(axis)
        assert model.setup.up_axis == Y and "must differ" in session.said[-1]
    session.said.clear()
    model.keep_up(NEAR_X)
    assert model.setup.up_axis == pytest.approx(NEAR_X) and not session.said
    model.aim_along((0.0, 0.0, -1.0))
    assert model.setup.up_axis == pytest.approx(NEAR_X)


def test_only_solvers_that_ask_have_a_stiffness_and_none_is_not_kept(session, model):
    assert model.stiffness("upper_arm_l") is None
    for solver in (IkSolver.CCD, IkSolver.FABRIK):
        model.change(solver=solver)
        assert model.stiffness("upper_arm_l") == 0.0
        assert model.set_stiffness("upper_arm_l", 0.4) and model.set_stiffness("lower_arm_l", 0.2)
        assert model.setup.stiffness == {"upper_arm_l": 0.4, "lower_arm_l": 0.2}
        assert model.set_stiffness("upper_arm_l", 0.0) and model.set_stiffness("lower_arm_l", 0.0)
        assert model.setup.stiffness == {}


def test_a_name_that_is_empty_or_does_not_fit_is_left(session, model):
    before = model.setup
    assert not model.rename("   ") and model.setup is before
    assert not model.rename("Head") and session.said and model.setup is before
    assert model.rename("  Reach ") and model.setup.name == "Reach"


def turned(session, bone: str, axis, degrees: float) -> None:
    rotation = quat.from_axis_angle(list(axis), np.radians(degrees))
    pose = session.evaluator.pose().with_bone(session.rig.skeleton.index(bone), rotation=rotation)
    session.keying.commit_pose("turned", pose, [bone])


@pytest.mark.parametrize(
    "degrees, allowed", [(-50.0, True), (-25.0, True), (29.0, True), (31.0, False), (-70.0, False)]
)
def test_a_limit_says_how_far_a_joint_is_turned_and_whether_it_may_be(session, model, degrees, allowed):
    session.keying.auto = True
    assert model.set_limit("upper_arm_l", JointLimit(LimitKind.CONE_TWIST, X, -60.0, 30.0, 20.0))
    assert session.history.labels[-1] == "Limit of upper_arm_l"
    turned(session, "upper_arm_l", X, degrees)
    row = next(r for r in model.limits() if r.bone == "upper_arm_l")
    assert row.turn == pytest.approx(degrees, abs=1e-4) and row.lean == pytest.approx(0.0, abs=1e-4)
    assert row.allowed is row.within is allowed
    assert [r.bone for r in model.limits()] == ["upper_arm_l", "lower_arm_l"]


@pytest.mark.parametrize("degrees, allowed", [(15.0, True), (25.0, False)])
def test_a_lean_out_of_the_cone_is_not_allowed_and_its_turn_is_within(session, model, degrees, allowed):
    session.keying.auto = True
    model.set_limit("upper_arm_l", JointLimit(LimitKind.CONE_TWIST, X, -60.0, 30.0, 20.0))
    turned(session, "upper_arm_l", Z, degrees)
    row = next(r for r in model.limits() if r.bone == "upper_arm_l")
    assert row.lean == pytest.approx(degrees, abs=1e-4)
    assert row.allowed is allowed and row.within


def test_a_limit_is_added_changed_and_removed_and_what_does_not_fit_is_said(session, model):
    assert not model.change_limit("head", "maximum", 20.0)
    assert model.add_limit("head")
    limit = session.rig.limits["head"]
    assert (limit.minimum, limit.maximum, limit.kind) == (-60.0, 60.0, LimitKind.CONE_TWIST)
    assert np.linalg.norm(limit.axis) == pytest.approx(1.0)
    assert model.change_limit("head", "maximum", 20.0) and session.rig.limits["head"].maximum == 20.0
    before = session.rig
    assert not model.change_limit("head", "maximum", -90.0) and session.said and session.rig is before
    assert model.set_limit("head", None) and "head" not in session.rig.limits

"""Marks of chains, pins and joint limits: where they are in the world of a character that stands turned elsewhere."""

from dataclasses import replace

import numpy as np
import pytest

from core.ik.body import PinKind
from core.math import quat
from core.math.transform import Transform
from core.rig.ik_setup import IkSolver
from core.rig.rig import JointLimit, LimitKind
from editor.actions.every import registry
from editor.model.ik.state import IkState
from editor.tools.ik import marks
from editor.tools.ik.marks import along, chain_marks, limit_marks, pin_marks, shown_turn
from tests.editor.actions import rich

BONE = "lower_arm_l"


@pytest.fixture
def session():
    made = rich.session()
    yield made
    made.close()


def limited(session, limit, bone=BONE, turn=None):
    """The session with a limit on a bone, which is turned by axis and degrees."""
    session.edits.put("limit", replace(session.rig, limits={bone: limit}))
    pose, number = session.evaluator.pose(), session.rig.skeleton.index(bone)
    if turn is not None:
        axis, degrees = turn
        rotation = quat.from_axis_angle(np.array(axis, float), np.radians(degrees))
        session.preview.set_pose(pose.with_bone(number, rotation=rotation))
    session.selection.select([bone])
    return session


def frame_of(session, bone=BONE):
    """Place and rotation ``(3, 3)`` of a bone at rest on what is above it, in the world."""
    number, model = session.rig.skeleton.index(bone), session.evaluator.model()
    parent = session.rig.skeleton.parent(number)
    world = session.evaluator.world()
    above = quat.to_matrix(model.rotation[parent])
    return (world @ np.append(model.translation[number], 1.0))[:3], world[:3, :3] @ above


def about(axis, degrees):
    return quat.to_matrix(quat.from_axis_angle(np.array(axis, float), np.radians(degrees)))


# ---------------------------------------------------------------- limits
@pytest.mark.parametrize(
    "axis, arm", [((0.0, 0.0, 1.0), (1.0, 0.0, 0.0)), ((0.0, 1.0, 0.0), (1.0, 0.0, 0.0))]
)
@pytest.mark.parametrize("turn, inside", [
    (0.0, True), (45.0, True), (-30.0, True), (60.0, True), (60.9, True), (61.1, False), (-30.9, True),
    (-31.1, False), (100.0, False),
])  # fmt: skip
def test_the_sector_of_a_hinge_and_where_it_stands(session, axis, arm, turn, inside):
    limited(session, JointLimit(LimitKind.HINGE, axis, -30.0, 60.0), turn=(axis, turn))
    (mark,) = limit_marks(session, 0.2)
    centre, frame = frame_of(session)
    assert mark.bone == BONE and np.allclose(mark.centre, centre)
    assert len(mark.sector) == int(90.0 / 4.0) + 2 and mark.cone.shape == (0, 3)
    for degrees, point in zip(np.linspace(-30.0, 60.0, len(mark.sector)), mark.sector, strict=True):
        assert np.allclose(point, centre + 0.2 * frame @ about(axis, degrees) @ arm)
    assert np.allclose(mark.now, centre + 0.2 * frame @ about(axis, turn) @ arm, atol=1e-9)
    assert mark.inside is inside


def test_the_arm_of_a_sector_is_square_to_the_axis(session):
    along_arm = JointLimit(LimitKind.HINGE, (1.0, 0.0, 0.0), -10.0, 10.0)
    limited(session, along_arm)
    (mark,) = limit_marks(session)
    centre, frame = frame_of(session)
    local = (mark.sector - centre) @ frame
    assert np.allclose(
        local[:, 0], 0.0, atol=1e-9
    )  # the bone lies along the axis: any arm square to it will do
    assert np.allclose(np.linalg.norm(local, axis=1), 0.1)
    slanted = np.array([0.6, 0.8, 0.0])
    limited(session, JointLimit(LimitKind.HINGE, tuple(slanted), -10.0, 10.0))
    (mark,) = limit_marks(session, 0.3)
    local = (mark.sector - centre) @ frame
    assert np.allclose(local @ slanted, 0.0, atol=1e-9) and np.allclose(np.linalg.norm(local, axis=1), 0.3)
    middle = local.sum(axis=0)
    assert np.allclose(middle / np.linalg.norm(middle), [0.8, -0.6, 0.0], atol=1e-6)


def test_a_narrow_sector_has_ends_and_little_else(session):
    limited(session, JointLimit(LimitKind.HINGE, (0.0, 0.0, 1.0), 5.0, 5.0))
    assert len(limit_marks(session)[0].sector) == 2
    limited(session, JointLimit(LimitKind.HINGE, (0.0, 0.0, 1.0), 0.0, 4.2))
    assert len(limit_marks(session)[0].sector) == 3


@pytest.mark.parametrize("lean, twist, inside", [
    (0.0, 0.0, True), (20.0, 0.0, True), (20.9, 0.0, True), (21.1, 0.0, False), (10.0, 40.0, True), (10.0, 42.0, False),
])  # fmt: skip
def test_a_cone_lets_the_axis_lean_and_turn(session, lean, twist, inside):
    limit = JointLimit(LimitKind.CONE_TWIST, (1.0, 0.0, 0.0), -40.0, 40.0, 20.0)
    limited(session, limit)
    turn = quat.multiply(
        quat.from_axis_angle(np.array([0.0, 0.0, 1.0]), np.radians(lean)),
        quat.from_axis_angle(np.array([1.0, 0.0, 0.0]), np.radians(twist)),
    )
    pose, number = session.evaluator.pose(), session.rig.skeleton.index(BONE)
    session.preview.set_pose(pose.with_bone(number, rotation=turn))
    (mark,) = limit_marks(session, 0.2)
    centre, frame = frame_of(session)
    local = (mark.cone - centre) @ frame
    assert local.shape == (49, 3) and np.allclose(local[0], local[-1])
    assert np.allclose(local[:, 0], 0.2 * np.cos(np.radians(20.0)))
    assert np.allclose(np.hypot(local[:, 1], local[:, 2]), 0.2 * np.sin(np.radians(20.0)))
    assert np.allclose(local[:-1].mean(axis=0)[1:], 0.0, atol=1e-9)  # all the way round, evenly
    assert mark.inside is inside


def test_limits_are_those_of_the_selected_bones_or_of_the_ones_asked_for(session):
    limit = JointLimit(LimitKind.HINGE, (0.0, 0.0, 1.0), -30.0, 60.0)
    session.edits.put("limits", replace(session.rig, limits={BONE: limit, "calf_l": limit}))
    session.selection.select([BONE, "head"])
    assert [m.bone for m in limit_marks(session)] == [BONE]
    assert [m.bone for m in limit_marks(session, 0.1, ("calf_l", "head", BONE, "gone"))] == ["calf_l", BONE]


@pytest.mark.parametrize("degrees, low, high, shown", [
    (350.0, -20.0, 20.0, -10.0), (-350.0, -20.0, 20.0, 10.0), (10.0, -20.0, 20.0, 10.0), (100.0, -20.0, 20.0, 100.0),
    (-170.0, 100.0, 170.0, 190.0), (170.0, -190.0, -100.0, -190.0), (20.0, -20.0, 20.0, 20.0),
    (-20.0, -20.0, 20.0, -20.0), (300.0, -20.0, 20.0, -60.0), (190.0, 200.0, 210.0, 190.0),
])  # fmt: skip
def test_a_turn_is_told_a_round_on_or_back_where_that_is_nearer_to_the_range(degrees, low, high, shown):
    assert shown_turn(degrees, low, high) == pytest.approx(shown)


def test_a_bone_points_to_its_first_child(session):
    rig = session.rig
    index = rig.skeleton.index
    assert np.allclose(along(rig, index("upper_arm_l")), [1.0, 0.0, 0.0])
    assert np.allclose(along(rig, index("calf_l")), [0.0, -1.0, 0.0])
    assert np.allclose(along(rig, index("chest")), [0.0, 1.0, 0.0])
    assert np.allclose(along(rig, index("hand_l")), [0.0, 1.0, 0.0])
    rest = rig.skeleton.rest
    places = rest.translation.copy()
    places[index("hand_l")] = 0.0
    skeleton = replace(rig.skeleton, rest=Transform(places, rest.rotation, rest.scale))
    assert np.allclose(along(replace(rig, skeleton=skeleton), index("lower_arm_l")), [0.0, 1.0, 0.0])


# ---------------------------------------------------------------- chains and pins
def test_chains_that_are_on_are_marked_where_their_joints_goals_and_poles_are():
    made, actions = rich.at_stage("ik")
    state = made.feature(IkState)
    found = {m.setup.name: m for m in chain_marks(made)}
    assert found and set(found) == {s.name for s in state.setups if s.enabled or s.name == "Left arm"}
    mark = found["Left arm"]
    skeleton, model, world = made.rig.skeleton, made.evaluator.model(), made.evaluator.world()
    bones = [skeleton.index(b) for b in ("upper_arm_l", "lower_arm_l", "hand_l")]
    places = (np.c_[model.translation[bones], np.ones(3)] @ world.T)[:, :3]
    assert np.allclose(mark.joints, places, atol=1e-9) and np.allclose(mark.bend, places[1])
    assert np.allclose(mark.goal, places[2], atol=1e-5)  # matched to the hand
    assert mark.keyed and [m.keyed for m in found.values()].count(True) == 1
    bent = np.linalg.norm(mark.pole - places[1])
    assert 0.05 < bent < 2.0
    off = replace(mark.setup, enabled=False)
    assert not marks.aims(off) and marks.aims(replace(off, solver=IkSolver.AIM))
    made.close()


def test_pins_are_marked_where_their_bones_are(session):
    assert pin_marks(session) == ()
    session.selection.select(["hand_l"])
    assert registry(session).run("ik.pin_both")
    ((bone, kind, place),) = pin_marks(session)
    number = session.rig.skeleton.index("hand_l")
    world = session.evaluator.world() @ np.append(session.evaluator.model().translation[number], 1.0)
    assert bone == "hand_l" and np.allclose(place, world[:3]) and kind is PinKind.BOTH


def test_without_a_character_nothing_is_marked(session):
    session.document.replace(type(session.document.project)({}), None)
    assert chain_marks(session) == () and pin_marks(session) == () and limit_marks(session) == ()

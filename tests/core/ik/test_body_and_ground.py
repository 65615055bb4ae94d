"""Pulling bones with pins, and feet on a slope."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import ValidationError
from core.ik.body import PinKind, Reach, held, limb_setup, pulled
from core.ik.ground import Ground, clearances, find_feet, place_feet
from core.math import quat
from core.math.transform import Transform, down_chain
from core.rig.roles import find_roles
from tests.core.ik.chains import chain_rig
from tests.editor.rigs import small_rig

RIG = small_rig()
ROLES = find_roles(RIG.skeleton)
FEET = {"foot_l": PinKind.BOTH, "foot_r": PinKind.BOTH}


def standing(bend: float = 0.3) -> Transform:
    """Knees and elbows bent a little."""
    rotation = np.array(RIG.skeleton.rest.rotation)
    for side in "lr":
        for bone, angle in (("thigh", -bend), ("calf", 2 * bend), ("foot", -bend)):
            rotation[RIG.skeleton.index(f"{bone}_{side}")] = quat.from_axis_angle([1.0, 0, 0], angle)
        sign = -1.0 if side == "l" else 1.0
        rotation[RIG.skeleton.index(f"lower_arm_{side}")] = quat.from_axis_angle([0, 1.0, 0], sign * 0.6)
    return RIG.skeleton.rest._replace(rotation=rotation)


def place(local: Transform, bone: str) -> np.ndarray:
    return down_chain(RIG.skeleton.parents, local).translation[RIG.skeleton.index(bone)]


def turn(local: Transform, bone: str) -> np.ndarray:
    return down_chain(RIG.skeleton.parents, local).rotation[RIG.skeleton.index(bone)]


steps = st.tuples(*[st.floats(-0.12, 0.12)] * 3).map(np.array)


@settings(max_examples=40)
@given(steps)
def test_pinned_feet_stay_within_a_tenth_of_a_millimetre_while_the_pelvis_moves(step):
    before = standing(0.6)
    result = pulled(RIG, ROLES, before, "pelvis", place(before, "pelvis") + step, Reach.BONE, FEET)
    assert result.residual < 1e-9
    for foot in FEET:
        if result.held[foot] < 1e-6:
            assert np.linalg.norm(place(result.local, foot) - place(before, foot)) < 1e-4
            assert quat.angle_between(turn(result.local, foot), turn(before, foot)) < 1e-6
    assert max(result.held.values()) < 0.07


def test_pins_of_each_kind_hold_what_they_say():
    before = standing()
    moved = np.array(before.translation)
    moved[0] += [0.05, -0.08, 0.03]
    rotation = np.array(before.rotation)
    rotation[0] = quat.from_axis_angle([0.0, 1.0, 0.0], 0.3)
    after = Transform(moved, rotation, before.scale)
    for kind in PinKind:
        local, _ = held(RIG, ROLES, before, after, {"foot_l": kind})
        stays = np.linalg.norm(place(local, "foot_l") - place(before, "foot_l")) < 1e-6
        straight = quat.angle_between(turn(local, "foot_l"), turn(before, "foot_l")) < 1e-6
        assert bool(stays) is (kind is not PinKind.ROTATION)
        assert bool(straight) is (kind is not PinKind.POSITION)
        outside = [RIG.skeleton.index(b) for b in ("pelvis", "chest", "thigh_r", "hand_l")]
        assert np.array_equal(local.rotation[outside], after.rotation[outside])


def test_pin_on_a_pose_that_did_not_move_changes_no_bit():
    before = standing()
    local, gaps = held(RIG, ROLES, before, before, {**FEET, "hand_l": PinKind.POSITION})
    assert local is before
    assert max(gaps.values()) == 0.0


def test_limb_scope_moves_the_limb_alone():
    before = standing()
    goal = place(before, "hand_l") + [-0.1, 0.1, 0.1]
    result = pulled(RIG, ROLES, before, "hand_l", goal, Reach.LIMB)
    assert result.residual < 1e-6
    changed = np.flatnonzero((result.local.rotation != before.rotation).any(axis=1))
    assert {RIG.skeleton.names[b] for b in changed} <= {"upper_arm_l", "lower_arm_l", "hand_l"}
    assert np.array_equal(result.local.translation, before.translation)


def test_full_body_reaches_where_the_limb_cannot_with_feet_standing():
    before = standing(0.5)
    goal = place(before, "hand_l") + [0.25, -0.2, 0.35]
    limb = pulled(RIG, ROLES, before, "hand_l", goal, Reach.LIMB)
    body = pulled(RIG, ROLES, before, "hand_l", goal, Reach.BODY)
    assert limb.residual > 0.1
    assert body.residual < 2e-3
    for foot in FEET:
        assert np.linalg.norm(place(body.local, foot) - place(before, foot)) < 1e-4
    pelvis = np.linalg.norm(place(body.local, "pelvis") - place(before, "pelvis"))
    assert 0.01 < pelvis < 0.5


def test_full_body_out_of_all_reach_stays_finite_and_on_its_feet():
    before = standing(0.4)
    body = pulled(RIG, ROLES, before, "hand_l", np.array([5.0, 1.0, 0.0]), Reach.BODY)
    assert all(np.isfinite(part).all() for part in body.local)
    assert body.residual > 1.0
    assert max(body.held.values()) < 1e-4


def test_hips_follow_a_pull_until_a_leg_that_stands_is_straight():
    before = standing(0.5)
    goal = place(before, "hand_l") + [0.0, 2.0, 0.0]
    body = pulled(RIG, ROLES, before, "hand_l", goal, Reach.BODY)
    straight = max(
        np.linalg.norm(place(body.local, f"thigh_{side}") - place(body.local, f"foot_{side}"))
        for side in "lr"
    )
    assert 0.995 * 0.9 < straight <= 0.9 + 1e-9
    assert max(body.held.values()) < 1e-4


def test_feet_of_which_only_the_turn_is_held_do_not_hold_the_hips_down():
    before = standing(0.5)
    goal = place(before, "hand_l") + [0.1, 0.9, 0.1]
    turns_only = dict.fromkeys(FEET, PinKind.ROTATION)
    free = pulled(RIG, ROLES, before, "hand_l", goal, Reach.BODY, turns_only)
    stands = pulled(RIG, ROLES, before, "hand_l", goal, Reach.BODY)
    assert free.residual < 2e-3 and stands.residual > 0.1
    for foot in FEET:
        assert place(free.local, foot)[1] > place(before, foot)[1] + 0.05
        assert quat.angle_between(turn(free.local, foot), turn(before, foot)) < 1e-6


def test_body_scope_of_a_hand_leaves_the_other_hand_alone():
    before = standing(0.5)
    body = pulled(RIG, ROLES, before, "hand_l", place(before, "hand_l") + [0.1, -0.1, 0.1], Reach.BODY)
    arm = [RIG.skeleton.index(b) for b in ("upper_arm_r", "lower_arm_r")]
    assert np.array_equal(body.local.rotation[arm], before.rotation[arm])


def test_limb_of_bones_without_a_role_is_what_hangs_above_them():
    rig = chain_rig(5)
    roles = find_roles(rig.skeleton)
    assert limb_setup(rig, roles, "b0") is None
    setup = limb_setup(rig, roles, "b5")
    assert setup is not None
    assert (setup.root, setup.tip) == ("b3", "b5")


# ---------------------------------------------------------------- ground

GROUNDS = [Ground(0.0, 0.0, 12.0), Ground(0.0, 15.0, 0.0), Ground(0.4, -8.0, 5.0), Ground(-0.3, 0.0, -20.0)]


def batch(*poses: Transform) -> Transform:
    return Transform(*(np.stack(parts) for parts in zip(*poses, strict=True)))


def grounded(local: Transform) -> Transform:
    """The lowest sole of each pose on the flat ground."""
    low = clearances(RIG, local, Ground(), find_feet(RIG, ROLES)).min(axis=(1, 2))
    translation = local.translation.copy()
    translation[:, 0, 1] -= low
    return local._replace(translation=translation)


@pytest.mark.parametrize("ground", GROUNDS)
def test_feet_stand_on_the_slope_with_heel_and_toe(ground):
    poses = grounded(batch(standing(0.2), standing(0.5)))
    result = place_feet(RIG, ROLES, poses, ground)
    assert result.residual.max() < 1e-6
    assert np.abs(result.clearance).max() < 1e-6  # heel and toe, both feet
    model = down_chain(RIG.skeleton.parents, result.local)
    rest = down_chain(RIG.skeleton.parents, RIG.skeleton.rest)
    for bone in ("foot_l", "foot_r"):
        number = RIG.skeleton.index(bone)
        up = quat.rotate(quat.conjugate(rest.rotation[number]), [0.0, 1.0, 0.0])
        assert np.allclose(quat.rotate(model.rotation[:, number], up), ground.normal, atol=1e-6)


def test_flat_ground_leaves_standing_feet_as_they_are():
    poses = grounded(batch(standing(0.3)))
    again = place_feet(RIG, ROLES, poses, Ground())
    assert np.abs(again.lowered).max() < 1e-9
    assert quat.angle_between(again.local.rotation, poses.rotation).max() < 1e-6


def test_pelvis_goes_down_so_that_the_lower_foot_reaches():
    poses = grounded(batch(standing(0.02)))  # legs almost straight
    result = place_feet(RIG, ROLES, poses, Ground(0.0, 25.0, 0.0))
    assert result.lowered[0] < -0.02
    assert result.residual.max() < 1e-6


def test_lifted_foot_keeps_its_height_above_the_ground_and_its_tilt():
    lifted = standing(0.3)
    rotation = np.array(lifted.rotation)
    rotation[RIG.skeleton.index("thigh_l")] = quat.from_axis_angle([1.0, 0, 0], -1.2)
    rotation[RIG.skeleton.index("calf_l")] = quat.from_axis_angle([1.0, 0, 0], 1.2)
    poses = grounded(batch(lifted._replace(rotation=rotation)))
    feet = find_feet(RIG, ROLES)
    before = clearances(RIG, poses, Ground(), feet)
    ground = Ground(0.1, 0.0, 10.0)
    result = place_feet(RIG, ROLES, poses, ground)
    assert before[0, 0].min() > 0.2
    assert result.clearance[0, 0].min() == pytest.approx(before[0, 0].min(), abs=1e-5)
    foot = RIG.skeleton.index("foot_l")
    turned = [down_chain(RIG.skeleton.parents, p).rotation[0, foot] for p in (poses, result.local)]
    assert quat.angle_between(*turned) < 1e-6


def test_feet_of_a_rig_without_legs_are_refused():
    rig = chain_rig(3)
    with pytest.raises(ValidationError, match="hips and feet"):
        place_feet(rig, find_roles(rig.skeleton), batch(rig.skeleton.rest), Ground())


def test_ground_steeper_than_it_can_be_is_refused():
    with pytest.raises(ValidationError):
        Ground(0.0, 89.0)

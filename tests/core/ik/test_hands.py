"""Wrists of pulled arms, and the ends that fingers and toes belong to."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.ik.body import Reach, pulled
from core.ik.hands import BEND, TWIST, eased_wrist, end_above, hips_above
from core.math import quat
from core.math.transform import down_chain
from core.rig.roles import find_roles
from tests.core.ik.test_temporary_ik import RIG, ROLES, posed
from tests.editor import rigs

HAND = RIG.skeleton.index("hand_l")
FINGERS = (
    ("palm_l", 6, (0.04, 0.0, 0.0)),
    ("index_01_l", 16, (0.05, 0.0, 0.02)),
    ("index_02_l", 17, (0.04, 0.0, 0.0)),
    ("thumb_01_l", 6, (0.03, 0.0, 0.04)),
    ("toe_l", 12, (0.0, -0.05, 0.15)),
    ("palm_r", 9, (-0.04, 0.0, 0.0)),
    ("index_01_r", 21, (-0.05, 0.0, 0.02)),
    ("index_02_r", 22, (-0.04, 0.0, 0.0)),
    ("thumb_01_r", 9, (-0.03, 0.0, 0.04)),
    ("toe_r", 15, (0.0, -0.05, 0.15)),
)


def bent(local) -> tuple[float, float]:
    """Angles of bend and twist of the left wrist; rest rotations are none."""
    parts = quat.swing_twist(local.rotation[HAND], np.array([1.0, 0.0, 0.0]))
    return tuple(float(quat.angle_between(quat.IDENTITY, part)) for part in parts)


def model(local):
    return down_chain(RIG.skeleton.parents, local)


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 99), step=st.tuples(*[st.floats(-0.4, 0.4)] * 3))
@pytest.mark.parametrize("reach", [Reach.LIMB, Reach.CHAIN])
def test_wrist_stays_comfortable_and_the_hand_is_where_it_would_be(reach, seed, step):
    local = posed(seed)
    goal = model(local).translation[HAND] + step
    eased = pulled(RIG, ROLES, local, "hand_l", goal, reach).local
    kept = pulled(RIG, ROLES, local, "hand_l", goal, reach, keep_hand=True).local
    assert np.allclose(model(eased).translation[HAND], model(kept).translation[HAND], rtol=0.0, atol=1e-12)
    turned = quat.angle_between(model(kept).rotation[HAND], model(local).rotation[HAND])
    assert float(turned) < 1e-6
    before, after, free = bent(local), bent(eased), bent(kept)
    assert after[0] <= max(BEND, before[0]) + 1e-6 and after[1] <= max(TWIST, before[1]) + 1e-6
    if free[0] <= BEND and free[1] <= TWIST:
        assert np.allclose(eased.rotation, kept.rotation, rtol=0.0, atol=1e-9)


def test_a_hand_follows_its_lower_arm_where_its_wrist_would_bend_too_far():
    local = posed(3)
    rotation = np.array(local.rotation)
    rotation[HAND] = quat.from_axis_angle(np.array([0.0, 0.0, 1.0]), BEND * 2.0)
    eased = eased_wrist(RIG, ROLES, local, local._replace(rotation=rotation), "hand_l")
    assert bent(eased)[0] == pytest.approx(BEND, abs=1e-9)
    foot = RIG.skeleton.index("foot_l")
    rotation[foot] = rotation[HAND]
    other = local._replace(rotation=rotation)
    assert eased_wrist(RIG, ROLES, local, other, "foot_l") is other
    assert eased_wrist(RIG, ROLES, other, other, "hand_l") is other  # it was bent as far before


def test_fingers_toes_and_palms_belong_to_their_hand_or_foot(monkeypatch):
    monkeypatch.setattr(rigs, "BONES", (*rigs.BONES, *FINGERS))
    rig = rigs.small_rig()
    roles = find_roles(rig.skeleton)
    found = {name: end_above(rig, roles, name) for name in rig.skeleton.names}
    small = {"palm_l", "index_01_l", "index_02_l", "thumb_01_l"}
    assert {name for name, end in found.items() if end == "hand_l"} == small
    assert {name for name, end in found.items() if end == "hand_r"} == {n[:-1] + "r" for n in small}
    assert {name for name, end in found.items() if end == "foot_l"} == {"toe_l"}
    assert sum(end is None for end in found.values()) == len(found) - 10


def test_the_lowest_spine_bone_and_thighs_belong_to_the_hips():
    found = {name for name in RIG.skeleton.names if hips_above(RIG, ROLES, name) == "pelvis"}
    assert found == {"spine", "thigh_l", "thigh_r"}
    assert {hips_above(RIG, ROLES, name) for name in set(RIG.skeleton.names) - found} == {None}


def test_a_hand_that_stands_in_its_lower_arm_is_left_as_it_is():
    rest = RIG.skeleton.rest
    translation = np.array(rest.translation)
    translation[HAND] = 0.0
    rig = replace(RIG, skeleton=replace(RIG.skeleton, rest=rest._replace(translation=translation)))
    local = posed(3)._replace(translation=translation)
    rotation = np.array(local.rotation)
    rotation[HAND] = quat.from_axis_angle(np.array([0.0, 0.0, 1.0]), BEND * 2.0)
    after = local._replace(rotation=rotation)
    assert eased_wrist(rig, ROLES, local, after, "hand_l") is after

"""Bones pulled without a set-up: limb and chain reach what can be reached, and turn nothing else."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.ik.body import PinKind, Reach, chain_setup, limb_setup, pulled, solved_bones
from core.math import quat
from core.math.transform import Transform, down_chain
from core.rig.roles import find_roles
from tests.editor.rigs import small_rig

RIG = small_rig()
ROLES = find_roles(RIG.skeleton)


def posed(seed: int) -> Transform:
    """A pose in which arms and legs are bent."""
    made, rest = np.random.default_rng(seed), RIG.skeleton.rest
    turns = quat.from_rotation_vector(made.uniform(-0.3, 0.3, (len(RIG.skeleton), 3)))
    for bone in ("lower_arm_l", "lower_arm_r", "calf_l", "calf_r"):
        axis = (0.0, 0.0, 1.0) if bone.startswith("lower") else (1.0, 0.0, 0.0)
        turns[RIG.skeleton.index(bone)] = quat.from_axis_angle(np.array(axis), 1.0)
    return Transform(np.array(rest.translation), turns, np.array(rest.scale))


@pytest.mark.parametrize(
    ("bone", "reach"), [("hand_l", Reach.LIMB), ("foot_r", Reach.LIMB), ("hand_r", Reach.CHAIN)]
)
@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 99), step=st.tuples(*[st.floats(-0.06, 0.06)] * 3))
def test_what_can_be_reached_is_reached_and_other_bones_keep_their_bits(bone, reach, seed, step):
    local = posed(seed)
    number = RIG.skeleton.index(bone)
    goal = down_chain(RIG.skeleton.parents, local).translation[number] + step
    done = pulled(RIG, ROLES, local, bone, goal, reach)
    after = down_chain(RIG.skeleton.parents, done.local).translation[number]
    assert np.linalg.norm(after - goal) < 2e-4
    setup = (limb_setup if reach is Reach.LIMB else chain_setup)(RIG, ROLES, bone)
    assert setup is not None
    chain = RIG.skeleton.chain(number, RIG.skeleton.index(setup.root))
    others = [b for b in range(len(RIG.skeleton)) if b not in chain]
    assert np.array_equal(done.local.rotation[others], local.rotation[others])
    assert np.array_equal(done.local.translation, local.translation)


def test_a_chain_ends_below_the_hips_and_a_root_has_none():
    chain = chain_setup(RIG, ROLES, "hand_l")
    assert chain is not None and chain.root == "spine"
    assert chain_setup(RIG, ROLES, "pelvis") is None
    local = posed(1)
    goal = np.array([0.0, 1.2, 0.1])
    moved = pulled(RIG, ROLES, local, "pelvis", goal, Reach.CHAIN)
    assert np.allclose(down_chain(RIG.skeleton.parents, moved.local).translation[0], goal)


def test_out_of_reach_the_limb_is_stretched_out_toward_the_goal():
    local = posed(2)
    done = pulled(RIG, ROLES, local, "hand_l", np.array([9.0, 1.0, 0.0]), Reach.LIMB)
    model = down_chain(RIG.skeleton.parents, done.local).translation
    shoulder, elbow, hand = (model[RIG.skeleton.index(b)] for b in ("upper_arm_l", "lower_arm_l", "hand_l"))
    assert np.linalg.norm(hand - shoulder) == pytest.approx(
        np.linalg.norm(hand - elbow) + np.linalg.norm(elbow - shoulder), abs=1e-6
    )


@pytest.mark.parametrize("reach", list(Reach))
@pytest.mark.parametrize(
    ("bone", "pins"), [("hand_l", {"hand_r": PinKind.BOTH}), ("pelvis", {}), ("head", {})]
)
@settings(max_examples=3, deadline=None)
@given(seed=st.integers(0, 99), step=st.tuples(*[st.floats(-0.1, 0.1)] * 3))
def test_no_pull_changes_a_bone_beside_those_that_it_decides(bone, reach, pins, seed, step):
    local = posed(seed)
    goal = down_chain(RIG.skeleton.parents, local).translation[RIG.skeleton.index(bone)] + step
    done = pulled(RIG, ROLES, local, bone, goal, reach, pins).local
    solved = solved_bones(RIG, ROLES, bone, reach, pins)
    names = np.array(RIG.skeleton.names)
    turned = set(names[(done.rotation != local.rotation).any(axis=1)])
    moved = set(names[(done.translation != local.translation).any(axis=1)])
    assert turned | moved <= set(solved.bones)
    assert moved <= solved.placed <= set(solved.bones)
    assert list(solved.bones) == sorted(solved.bones, key=RIG.skeleton.index)

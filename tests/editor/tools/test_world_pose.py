"""Moving bones in the world: each space and pivot against matrices."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from core.math import quat
from core.math.transform import Transform
from core.pose.pose import Pose, rest_pose
from editor.tools.state import Pivot, Space
from editor.tools.world_pose import (
    Frame,
    chain_share,
    frame_of,
    moved,
    pivot_of,
    scaled,
    topmost,
    turned,
    world_pose,
)
from tests.editor.rigs import small_rig

RIG = small_rig()
SKELETON = RIG.skeleton
VIEW = Rotation.from_euler("yx", [30, -20], degrees=True).as_matrix().T
ARM, LOWER, HAND = (SKELETON.index(name) for name in ("upper_arm_l", "lower_arm_l", "hand_l"))


def random_pose(seed: int, uneven: bool = False) -> Pose:
    random = np.random.default_rng(seed)
    rest = rest_pose(RIG)
    rotations = quat.normalise(random.normal(size=(len(rest), 4)))
    scales = random.uniform(0.6, 1.5, size=(len(rest), 3)) if uneven else np.ones((len(rest), 3))
    return rest.with_local(
        Transform(rest.translations + random.normal(scale=0.05, size=(len(rest), 3)), rotations, scales)
    )


def placed(seed: int, uneven: bool = False):
    root = np.eye(4)
    root[:3, :3] = Rotation.from_euler("y", 40, degrees=True).as_matrix()
    root[:3, 3] = [1.0, 0.2, -3.0]
    return world_pose(SKELETON, random_pose(seed, uneven), root)


def test_stance_of_a_pose_agrees_with_the_evaluators_matrices():
    from core.pose.kinematics import model_matrices

    pose = random_pose(3, uneven=True)
    s = world_pose(SKELETON, pose, np.eye(4))
    assert s.matrices == pytest.approx(model_matrices(SKELETON, pose.local), abs=1e-12)


@given(st.integers(0, 10_000), st.sampled_from(Space), st.floats(-3.0, 3.0), st.integers(0, 2))
def test_turn_about_an_axis_of_the_frame_turns_the_bone_in_the_world_by_it(seed, space, angle, axis):
    s = placed(seed)
    axes = frame_of(s, ARM, space, VIEW)
    frame = Frame(space, Pivot.INDIVIDUAL, axes, s.positions()[ARM])
    after = world_pose(SKELETON, turned(s, (ARM,), frame, np.eye(3)[axis] * angle), s.root)
    wanted = Rotation.from_rotvec(axes[axis] * angle).as_matrix() @ s.matrices[ARM, :3, :3]
    assert after.matrices[ARM, :3, :3] == pytest.approx(wanted, abs=1e-9)
    assert after.positions()[ARM] == pytest.approx(s.positions()[ARM], abs=1e-12)


@given(st.integers(0, 10_000), st.sampled_from([Pivot.ACTIVE, Pivot.MEDIAN]), st.floats(-3.0, 3.0))
def test_turn_about_a_shared_pivot_moves_bones_as_one_rigid_body(seed, pivot, angle):
    s = placed(seed)
    bones = (ARM, SKELETON.index("upper_arm_r"))
    axes = frame_of(s, ARM, Space.WORLD, VIEW)
    point = pivot_of(s, bones, ARM, pivot)
    after = world_pose(
        SKELETON,
        turned(s, bones, Frame(Space.WORLD, pivot, axes, point), np.array([0.0, angle, 0.0])),
        s.root,
    )
    turn = Rotation.from_rotvec([0.0, angle, 0.0]).as_matrix()
    for bone in bones:
        assert after.positions()[bone] == pytest.approx(
            point + turn @ (s.positions()[bone] - point), abs=1e-9
        )
        assert after.matrices[bone, :3, :3] == pytest.approx(turn @ s.matrices[bone, :3, :3], abs=1e-9)


@given(st.integers(0, 10_000), st.sampled_from(Space))
def test_move_goes_by_metres_along_the_frame_even_below_uneven_scale(seed, space):
    s = placed(seed, uneven=True)
    axes = frame_of(s, LOWER, space, VIEW)
    frame = Frame(space, Pivot.INDIVIDUAL, axes, s.positions()[LOWER])
    amount = np.array([0.1, -0.2, 0.3])
    after = world_pose(SKELETON, moved(s, (LOWER,), frame, amount, VIEW), s.root)
    assert after.positions()[LOWER] - s.positions()[LOWER] == pytest.approx(amount @ axes, abs=1e-9)


def test_local_scale_multiplies_exactly_and_only_its_axis():
    s = placed(5)
    frame = Frame(Space.LOCAL, Pivot.INDIVIDUAL, frame_of(s, ARM, Space.LOCAL, VIEW), s.positions()[ARM])
    after = scaled(s, (ARM,), frame, np.array([1.0, 1.7, 1.0]))
    assert after.scales[ARM].tolist() == [1.0, 1.7, 1.0]
    assert np.array_equal(after.rotations, s.pose.rotations)


def test_uniform_scale_is_the_same_in_every_space():
    s = placed(6)
    for space in Space:
        frame = Frame(space, Pivot.INDIVIDUAL, frame_of(s, ARM, space, VIEW), s.positions()[ARM])
        assert scaled(s, (ARM,), frame, np.full(3, 1.3)).scales[ARM] == pytest.approx([1.3] * 3, abs=1e-12)


def test_parent_and_child_selected_leave_only_the_parent():
    assert topmost(SKELETON, (HAND, ARM, SKELETON.index("foot_r"))) == (ARM, SKELETON.index("foot_r"))


def test_distributed_turn_adds_up_along_the_chain():
    share = chain_share(SKELETON, (ARM, LOWER, HAND))
    assert share == pytest.approx({ARM: 1 / 3, LOWER: 1 / 3, HAND: 1 / 3})
    s = world_pose(SKELETON, rest_pose(RIG), np.eye(4))
    frame = Frame(Space.WORLD, Pivot.INDIVIDUAL, np.eye(3), s.positions()[ARM])
    after = world_pose(
        SKELETON, turned(s, (ARM, LOWER, HAND), frame, np.array([0.0, 0.0, 0.9]), share), s.root
    )
    for bone, part in ((ARM, 0.3), (LOWER, 0.6), (HAND, 0.9)):
        wanted = Rotation.from_rotvec([0.0, 0.0, part]).as_matrix()
        assert after.matrices[bone, :3, :3] == pytest.approx(wanted, abs=1e-12)


def test_bone_below_a_parent_scaled_to_nothing_still_moves_finitely():
    pose = rest_pose(RIG)
    scales = pose.scales.copy()
    scales[ARM] = 0.0
    s = world_pose(SKELETON, pose.with_local(Transform(pose.translations, pose.rotations, scales)), np.eye(4))
    frame = Frame(Space.WORLD, Pivot.INDIVIDUAL, np.eye(3), s.positions()[LOWER])
    assert np.isfinite(moved(s, (LOWER,), frame, np.array([0.1, 0.0, 0.0]), VIEW).translations).all()


@pytest.mark.parametrize("space", list(Space))
@pytest.mark.parametrize("pivot", [Pivot.ACTIVE, Pivot.MEDIAN])
def test_scaling_about_a_shared_point_stretches_the_way_to_it(space, pivot):
    s = placed(11)
    bones = (ARM, SKELETON.index("upper_arm_r"))
    axes, point = frame_of(s, ARM, space, VIEW), pivot_of(s, bones, ARM, pivot)
    factors = np.array([1.5, 0.5, 2.0])
    after = world_pose(SKELETON, scaled(s, bones, Frame(space, pivot, axes, point), factors), s.root)
    stretch = axes.T @ np.diag(factors) @ axes
    for bone in bones:
        wanted = point + stretch @ (s.positions()[bone] - point)
        assert after.positions()[bone] == pytest.approx(wanted, abs=1e-9)
        own = s.matrices[bone, :3, :3]
        if space is Space.LOCAL:
            assert after.pose.scales[bone] == pytest.approx(factors)
        else:
            assert after.pose.scales[bone] == pytest.approx(np.linalg.norm(stretch @ own, axis=0), abs=1e-9)
    assert scaled(s, bones, Frame(space, pivot, axes, point), np.ones(3)).translations == pytest.approx(
        s.pose.translations, abs=1e-9
    )


@pytest.mark.parametrize("space", [Space.WORLD, Space.VIEW, Space.PARENT])
def test_a_factor_below_zero_turns_the_axes_over_that_lie_along_it(space):
    s = placed(12)
    frame = Frame(space, Pivot.INDIVIDUAL, frame_of(s, ARM, space, VIEW), s.positions()[ARM])
    assert scaled(s, (ARM,), frame, np.full(3, -2.0)).scales[ARM] == pytest.approx([-2.0] * 3)
    assert scaled(s, (ARM,), frame, np.full(3, 2.0)).translations == pytest.approx(
        s.pose.translations, abs=1e-12
    )


def test_the_pivot_is_the_middle_of_the_bones_box_or_the_active_bone():
    s = placed(13)
    bones = (ARM, LOWER, SKELETON.index("foot_r"))
    places = s.positions()[list(bones)]
    middle = (places.min(axis=0) + places.max(axis=0)) / 2.0
    assert pivot_of(s, bones, LOWER, Pivot.MEDIAN) == pytest.approx(middle)
    assert pivot_of(s, bones, LOWER, Pivot.ACTIVE) == pytest.approx(places[1])
    assert pivot_of(s, (), LOWER, Pivot.MEDIAN) == pytest.approx(places[1])
    assert pivot_of(s, bones, LOWER, Pivot.INDIVIDUAL) == pytest.approx(places[1])


@pytest.mark.parametrize("space", [Space.LOCAL, Space.PARENT, Space.WORLD, Space.VIEW])
def test_bones_move_along_their_own_axes_only_with_pivots_of_their_own(space):
    s, bones, amount = placed(14), (ARM, SKELETON.index("thigh_r")), np.array([0.1, -0.2, 0.3])
    for pivot in (Pivot.INDIVIDUAL, Pivot.ACTIVE):
        axes = frame_of(s, ARM, space, VIEW)
        after = world_pose(
            SKELETON, moved(s, bones, Frame(space, pivot, axes, s.positions()[ARM]), amount, VIEW), s.root
        )
        for bone in bones:
            own = (
                frame_of(s, bone, space, VIEW)
                if pivot is Pivot.INDIVIDUAL and space is not Space.VIEW
                else axes
            )
            assert after.positions()[bone] - s.positions()[bone] == pytest.approx(amount @ own, abs=1e-9)


@pytest.mark.parametrize("space", [Space.LOCAL, Space.PARENT])
def test_bones_turn_about_their_own_axes_with_pivots_of_their_own(space):
    s, bones, amount = placed(15), (ARM, SKELETON.index("thigh_r")), np.array([0.3, -0.4, 0.5])
    after = turned(s, bones, Frame(space, Pivot.INDIVIDUAL, np.eye(3), s.positions()[ARM]), amount)
    turn = Rotation.from_rotvec(amount).as_matrix()
    for bone in bones:
        before = quat.to_matrix(s.pose.rotations[bone])
        wanted = before @ turn if space is Space.LOCAL else turn @ before
        assert quat.to_matrix(after.rotations[bone]) == pytest.approx(wanted, abs=1e-9)
    assert np.array_equal(after.translations, s.pose.translations)


def test_shares_of_a_turn_are_those_of_the_longest_chain_through_a_bone():
    chest, head, other = (SKELETON.index(n) for n in ("chest", "head", "upper_arm_r"))
    share = chain_share(SKELETON, (chest, head, ARM, LOWER, HAND, other))
    assert share == pytest.approx(dict.fromkeys((chest, head, ARM, LOWER, HAND, other), 1 / 4))
    apart = chain_share(SKELETON, (ARM, HAND, other))
    assert apart == pytest.approx({ARM: 1 / 2, HAND: 1 / 2, other: 1.0})
    assert chain_share(SKELETON, (head,)) == {head: 1.0}


def test_roots_stand_in_the_characters_frame():
    s = placed(16)
    assert s.parent_matrix(0) is s.root and np.array_equal(s.parent_matrix(LOWER), s.matrices[ARM])
    assert quat.to_matrix(s.parent_rotation(0)) == pytest.approx(s.root[:3, :3])
    assert np.array_equal(s.parent_rotation(LOWER), s.rotations[ARM])

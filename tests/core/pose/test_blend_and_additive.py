"""Weighted poses, tweens and additive differences: the laws of the blending spec."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from core.errors import ValidationError
from core.ids import AssetId
from core.math import kernels, quat
from core.math.transform import Transform, down_chain
from core.pose import additive
from core.pose.blend import between, blend, weighted
from core.pose.pose import Pose
from core.rig.skeleton import Skeleton

BONES = 4
SKELETON = Skeleton(
    ("a", "b", "c", "d"),
    np.array([-1, 0, 1, 1]),
    Transform(np.zeros((4, 3)), np.tile([0, 0, 0, 1.0], (4, 1)), np.ones((4, 3))),
)


def transforms(seed: int, spread: float = 1.0) -> Transform:
    rng = np.random.default_rng(seed)
    return Transform(
        rng.normal(size=(BONES, 3)),
        quat.from_rotation_vector(spread * rng.uniform(-1, 1, (BONES, 3))),
        rng.uniform(0.5, 2.0, (BONES, 3)),
    )


def close(a: Transform, b: Transform, tolerance: float = 1e-9) -> bool:
    return bool(
        np.abs(a.translation - b.translation).max() < tolerance
        and np.abs(a.scale - b.scale).max() < tolerance
        and quat.angle_between(a.rotation, b.rotation).max() < tolerance
    )


weights = hnp.arrays(float, 3, elements=st.floats(0.01, 10.0))


@given(weights, st.permutations(range(3)), st.integers(0, 50))
def test_weighted_blend_does_not_depend_on_the_order(shares: np.ndarray, order: list[int], seed: int) -> None:
    parts = [transforms(seed + i) for i in range(3)]
    assert close(weighted(parts, shares), weighted([parts[i] for i in order], shares[order]))


def yaw(degrees: float) -> np.ndarray:
    return quat.from_axis_angle([0.0, 1.0, 0.0], np.radians(degrees))


def yawed(*degrees: float) -> list[Transform]:
    """A pose of one bone for each angle about +Y."""
    still = np.zeros((1, 3))
    return [Transform(still, yaw(angle)[None], still + 1.0) for angle in degrees]


@pytest.mark.parametrize("batched", [False, True])
@pytest.mark.parametrize("order", [(0, 1, 2), (2, 0, 1), (1, 2, 0)])
def test_pose_of_no_weight_decides_no_sign(order: tuple[int, ...], batched: bool) -> None:
    kernels.load()
    shares, parts = np.array([0.0, 0.5, 0.5]), yawed(0.0, 170.0, 190.0)
    if batched:
        parts = [Transform(*(a[None] for a in part)) for part in parts]
    mixed = weighted([parts[i] for i in order], shares[list(order)])
    assert np.degrees(quat.angle_between(mixed.rotation, yaw(180.0))).max() < 1e-9


@given(
    st.lists(st.integers(1, 1000), min_size=2, max_size=6, unique=True), st.randoms(), st.integers(0, 10_000)
)
def test_rotations_of_unequal_weights_blend_alike_in_any_order(shares: list[int], shuffle, seed: int) -> None:
    kernels.load()
    rng = np.random.default_rng(seed)
    still = np.zeros((3, BONES, 3))
    parts = [Transform(still, quat.normalise(rng.normal(size=(3, BONES, 4))), still) for _ in shares]
    order = list(range(len(shares)))
    shuffle.shuffle(order)
    numbers = np.array(shares, dtype=np.float64)
    single = [Transform(*(a[0] for a in part)) for part in parts]
    for given_parts in (parts, single):
        first = weighted(given_parts, numbers)
        second = weighted([given_parts[i] for i in order], numbers[order])
        assert quat.angle_between(first.rotation, second.rotation).max() < 1e-8


@pytest.mark.parametrize("weights_by_bone", [False, True])
def test_weight_that_goes_to_nothing_makes_no_flip(weights_by_bone: bool) -> None:
    before = None
    for small in (2e-6, 1e-6, 1e-9, 0.0):
        shares = np.array([small, 0.6, 0.4])
        if weights_by_bone:
            shares = np.tile(shares[:, None], (1, 1))
        mixed = weighted(yawed(0.0, 170.0, 200.0), shares).rotation
        if before is not None:
            assert quat.angle_between(mixed, before).max() < 1e-5
        before = mixed


def test_of_equal_weights_the_first_goes_first() -> None:
    """Three turns with no middle: the sign of the last follows the first two."""
    half = np.radians([0.0, 65.0, 130.0 - 180.0])
    expected = np.degrees(2.0 * np.arctan2(np.sin(half).sum(), np.cos(half).sum()))
    mixed = weighted(yawed(0.0, 130.0, 260.0), np.full(3, 1.0)).rotation
    assert np.degrees(quat.angle_between(mixed, yaw(expected))).max() < 1e-9


def test_sign_of_a_quaternion_does_not_matter() -> None:
    a, b = transforms(1), transforms(2)
    flipped = b._replace(rotation=-b.rotation)
    assert close(weighted([a, b], [0.3, 0.7]), weighted([a, flipped], [0.3, 0.7]))


def test_part_of_weight_one_comes_back_exactly() -> None:
    a, b = transforms(1), transforms(2)
    assert weighted([a, b], [0.0, 2.0]) is b


@pytest.mark.parametrize("bad", [[0.0, 0.0], [-1.0, 2.0], [np.nan, 1.0]])
def test_weights_that_cannot_be_normalised_are_refused(bad: list[float]) -> None:
    with pytest.raises(ValidationError, match="blend weights"):
        weighted([transforms(1), transforms(2)], bad)


def test_missing_curve_counts_as_zero() -> None:
    def pose(curves: dict[str, float]) -> Pose:
        return Pose(AssetId("rig-1"), *transforms(1), curves)

    mixed = blend([pose({"smile": 1.0}), pose({"frown": 2.0})], [0.25, 0.75])
    assert dict(mixed.curves) == {"smile": 0.25, "frown": 1.5}


def test_between_is_bit_exact_at_both_ends() -> None:
    a, b = transforms(1), transforms(2)
    assert between(a, b, 0.0) is a
    assert between(a, b, 1.0) is b
    mixed = between(a, b, np.array([0.0, 1.0, 0.5, 0.5]))
    assert np.array_equal(mixed.rotation[0], a.rotation[0])
    assert np.array_equal(mixed.rotation[1], b.rotation[1])


@given(st.floats(-0.5, 1.5), st.integers(0, 50))
def test_between_moves_by_its_share_of_the_angle(alpha: float, seed: int) -> None:
    a, b = transforms(seed), transforms(seed + 1)
    whole = quat.angle_between(a.rotation, b.rotation)
    part = quat.angle_between(a.rotation, between(a, b, alpha).rotation)
    expected = np.abs(alpha) * whole
    assert np.allclose(part, np.where(expected > np.pi, 2 * np.pi - expected, expected), atol=1e-9)


@given(st.integers(0, 100))
def test_difference_put_on_its_base_gives_the_pose_back(seed: int) -> None:
    pose, base = transforms(seed), transforms(seed + 1)
    assert close(additive.apply(base, additive.difference(pose, base)), pose)
    delta = additive.difference_model(SKELETON, pose, base)
    assert close(additive.apply_model(SKELETON, base, delta), pose)


@given(st.integers(0, 100))
def test_weight_zero_changes_nothing(seed: int) -> None:
    pose, delta = transforms(seed), transforms(seed + 1)
    assert np.array_equal(additive.apply(pose, delta, 0.0).rotation, pose.rotation)
    assert close(additive.apply_model(SKELETON, pose, delta, 0.0), pose, 1e-15)


def test_model_space_difference_keeps_its_direction_when_the_parent_leans() -> None:
    base = Transform(np.zeros((4, 3)), np.tile(quat.IDENTITY, (4, 1)), np.ones((4, 3)))
    raised = base._replace(rotation=base.rotation.copy())
    raised.rotation[2] = quat.from_axis_angle([0, 0, 1], np.pi / 2)
    leaning = base._replace(rotation=base.rotation.copy())
    leaning.rotation[0] = quat.from_axis_angle([1, 0, 0], 0.5)
    delta = additive.difference_model(SKELETON, raised, base)
    turned = down_chain(SKELETON.parents, additive.apply_model(SKELETON, leaning, delta)).rotation
    assert np.allclose(turned[2], quat.multiply(raised.rotation[2], leaning.rotation[0]))
    local = additive.apply(leaning, additive.difference(raised, base))
    assert np.allclose(
        down_chain(SKELETON.parents, local).rotation[2],
        quat.multiply(leaning.rotation[0], raised.rotation[2]),
    )


@given(st.integers(0, 100))
def test_model_space_difference_by_the_kernel_has_the_bits_of_the_twin(seed: int) -> None:
    assert kernels.load() is not None
    pose, base, target = (transforms(seed + k) for k in range(3))
    by_kernel = additive.difference_model(SKELETON, pose, base)
    put_on = additive.apply_model(SKELETON, target, by_kernel, 0.4)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kernels, "compiled", lambda: None)
        by_twin = additive.difference_model(SKELETON, pose, base)
        assert [part.tobytes() for part in by_kernel] == [part.tobytes() for part in by_twin]
        twin_put_on = additive.apply_model(SKELETON, target, by_twin, 0.4)
    assert [part.tobytes() for part in put_on] == [part.tobytes() for part in twin_put_on]


def test_scale_of_zero_in_the_base_is_safe() -> None:
    pose, base = transforms(1), transforms(2)
    base.scale[0] = 0.0
    assert np.isfinite(additive.difference(pose, base).scale).all()


def test_several_additives_compose() -> None:
    pose, one, two = transforms(1), transforms(2, 0.3), transforms(3, 0.3)
    by_steps = additive.apply(additive.apply(pose, one), two)
    turn = quat.multiply(quat.multiply(two.rotation, one.rotation), pose.rotation)
    assert quat.angle_between(by_steps.rotation, turn).max() < 1e-12

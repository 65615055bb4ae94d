"""Compiled solvers against their numpy twins."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.ik import ccd, compiled, fabrik, two_bone
from core.ik.chain import Chain, take_chain
from core.math import kernels, quat
from core.rig.rig import JointLimit, LimitKind
from tests.core.ik.chains import bent, chain_rig
from tests.core.ik.test_iterative import LIMITS

LOOSE = {
    "b1": JointLimit(LimitKind.HINGE, (1.0, 0.0, 0.0), -10.0, 140.0),
    "b3": JointLimit(LimitKind.CONE_TWIST, (0.0, 1.0, 0.0), -40.0, 30.0, 70.0),
}


@pytest.fixture(scope="module", autouse=True)
def loaded():
    assert kernels.load() is not None
    assert compiled.kernel() is not None


def pair(bones: int, seed: int, count: int, limits: dict[str, JointLimit] | None) -> tuple[Chain, Chain]:
    rig = chain_rig(bones)
    pose = bent(rig, seed, count, 0.2)  # a straight chain turned root first meets half turns of either side
    return tuple(take_chain(rig.skeleton, pose, "b0", f"b{bones}", limits) for _ in range(2))  # type: ignore[return-value]


def goals(bones: int, seed: int, count: int) -> np.ndarray:
    rig = chain_rig(bones)
    return take_chain(rig.skeleton, bent(rig, seed, count), "b0", f"b{bones}").joints[:, -1]


def agree(first: Chain, second: Chain, tolerance: float = 1e-9) -> None:
    assert np.abs(first.joints - second.joints).max() < tolerance
    assert quat.angle_between(first.local, second.local).max() < 10 * tolerance


@pytest.mark.parametrize("limits", [None, LIMITS, LOOSE], ids=["free", "tight limits", "loose limits"])
@pytest.mark.parametrize(("step", "root_first"), [(np.pi, False), (0.2, False), (np.pi, True)])
def test_ccd_kernel_takes_the_same_steps_as_its_twin(limits, step, root_first) -> None:
    ours, twin = pair(6, 1, 50, limits)
    aims = goals(6, 2, 50)
    give = np.array([1.0, 0.5, 1.0, 1.0, 0.8, 1.0])
    for iterations in (1, 3):
        found = ccd.solve(ours, aims, 1e-3, iterations, 1.0 - give, step, root_first)
        expected = ccd.solve_numpy(twin, aims, 1e-3, iterations, give, step, root_first)
        agree(ours, twin)
        assert np.array_equal(found.iterations, expected.iterations)
        assert np.abs(found.distance - expected.distance).max() < 1e-9


@pytest.mark.parametrize("limits", [None, LIMITS, LOOSE], ids=["free", "tight limits", "loose limits"])
def test_fabrik_kernel_takes_the_same_steps_as_its_twin(limits, monkeypatch) -> None:
    ours, twin = pair(6, 3, 50, limits)
    aims = goals(6, 4, 50)
    give = np.array([1.0, 0.5, 1.0, 1.0, 0.8, 1.0])
    monkeypatch.setattr(fabrik, "_finished", lambda *parts: parts[-1])  # what CCD adds has its own test
    found = fabrik.solve(ours, aims, 1e-3, 3, 1.0 - give)
    expected = fabrik.solve_numpy(twin, aims, 1e-3, 3, give)
    agree(ours, twin)
    assert np.array_equal(found.iterations, expected.iterations)


@pytest.mark.parametrize("solver", [ccd, fabrik])
@pytest.mark.parametrize("aim", [[0.0, 0.3, 0.0], [0.0, -0.3, 0.0], [0.0, 0.0, 0.0], [0.0, 9.0, 0.0]])
def test_straight_chains_bend_to_the_same_side_in_kernel_and_twin(solver, aim, monkeypatch) -> None:
    ours, twin = pair(5, 0, 1, LOOSE)
    monkeypatch.setattr(fabrik, "_finished", lambda *parts: parts[-1])
    for chain in (ours, twin):
        chain.local[:] = quat.IDENTITY
        chain.place()
    solver.solve(ours, np.array([aim]), 1e-3, 2)
    solver.solve_numpy(twin, np.array([aim]), 1e-3, 2, np.ones(5))
    agree(ours, twin)


numbers = st.one_of(st.just(0.0), st.floats(-1.5, 1.5, allow_subnormal=False))
points = st.lists(numbers, min_size=15, max_size=15).map(lambda v: np.array(v).reshape(5, 1, 3))


@settings(max_examples=300)
@given(points, st.booleans(), st.sampled_from([0.0, 0.1]), st.sampled_from([1.0, 1.3]))
def test_two_bone_kernel_agrees_with_its_twin_also_where_degenerate(places, poled, soft, stretch) -> None:
    root, joint, end, goal, pole = places
    near = (
        np.linalg.norm(np.cross(joint - root, goal - root)),
        np.linalg.norm(np.cross(pole - root, goal - root)),
    )
    if any(0.0 < size < 1e-5 for size in near):
        return  # on the very edge of collinear either side may answer
    placed, upper, lower = two_bone.solved(
        root, joint, end, goal, pole if poled else None, soft, 1.0, stretch
    )
    twin = two_bone.reach(root, joint, end, goal, pole if poled else None, soft, 1.0, stretch)
    for ours, theirs in zip(placed, twin, strict=True):
        assert np.isfinite(ours).all()
        assert np.abs(ours - theirs).max() < 1e-7
    a, b = quat.rotate(upper, joint - root), twin.joint - root
    assert np.linalg.norm(np.cross(a, b)) < 1e-6
    c = quat.rotate(lower, quat.rotate(upper, end - joint))
    assert np.linalg.norm(np.cross(c, twin.end - twin.joint)) < 1e-6


@pytest.mark.parametrize("with_kernel", [True, False])
def test_where_limits_stop_fabrik_short_ccd_goes_on(with_kernel, monkeypatch) -> None:
    """Hinges of which positions know nothing: what FABRIK leaves is less far after it, and its steps are counted on."""
    if not with_kernel:
        monkeypatch.setattr(compiled, "kernel", lambda: None)
    whole, alone = pair(6, 3, 50, LIMITS)
    aims, free = goals(6, 4, 50), np.zeros(6)
    found = fabrik.solve(whole, aims, 1e-3, 20, free)
    short = fabrik.solve_numpy(alone, aims, 1e-3, 20, 1.0 - free)
    left = short.distance > 1e-3
    assert left.any() and (found.distance <= short.distance + 1e-9)[left].mean() > 0.9
    assert found.distance[left].sum() < 0.9 * short.distance[left].sum()
    assert (found.iterations[left] > short.iterations[left]).all()


@pytest.mark.parametrize("solver", [ccd, fabrik])
@pytest.mark.parametrize(
    "parts", [("local",), ("joints",), ("local", "joints", "offsets", "rest", "base_rotation")]
)
def test_chains_whose_arrays_lie_otherwise_in_memory_are_solved_in_place(solver, parts) -> None:
    plain, other = pair(5, 3, 20, LOOSE)
    aims = goals(5, 4, 20)
    for part in parts:
        whole = np.zeros((*np.shape(getattr(other, part))[:-1], 9))[..., ::2][
            ..., : getattr(other, part).shape[-1]
        ]
        whole[...] = getattr(other, part)
        setattr(other, part, whole)
    found = [solver.solve(each, aims, 1e-3, 4) for each in (plain, other)]
    assert np.array_equal(found[0].distance, found[1].distance)
    assert np.array_equal(plain.local, other.local) and np.array_equal(plain.joints, other.joints)

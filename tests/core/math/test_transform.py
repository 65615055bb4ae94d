"""Transforms against 4×4 matrices."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from core.math import quat, transform
from core.math.transform import Transform

parts = st.floats(-5.0, 5.0)
rotations = (
    st.tuples(*[st.floats(-1.0, 1.0)] * 4)
    .filter(lambda q: np.linalg.norm(q) > 0.1)
    .map(lambda q: np.array(q) / np.linalg.norm(q))
)
vectors = st.tuples(parts, parts, parts).map(np.array)
sizes = st.floats(0.2, 4.0)
uniform = st.builds(lambda t, q, s: Transform(t, q, np.full(3, s)), vectors, rotations, sizes)
uneven = st.builds(Transform, vectors, rotations, st.tuples(sizes, sizes, sizes).map(np.array))


@given(uniform, uneven)
def test_compose_even_parent_is_the_matrix_product(parent, child):
    product = transform.to_matrix(parent) @ transform.to_matrix(child)
    assert np.allclose(transform.to_matrix(transform.compose(parent, child)), product, atol=1e-9)


@given(uniform)
def test_inverse_even_scale_undoes(whole):
    assert np.allclose(
        transform.to_matrix(transform.compose(whole, transform.inverse(whole))), np.eye(4), atol=1e-9
    )


@given(uneven, vectors)
def test_apply_a_point_agrees_with_the_matrix(whole, point):
    assert np.allclose(
        transform.apply(whole, point), (transform.to_matrix(whole) @ [*point, 1.0])[:3], atol=1e-9
    )


@given(uneven)
def test_from_matrix_without_shear_comes_back(whole):
    back = transform.from_matrix(transform.to_matrix(whole))
    assert np.allclose(back.translation, whole.translation, atol=1e-9)
    assert np.allclose(back.scale, whole.scale, atol=1e-9)
    assert quat.angle_between(back.rotation, whole.rotation) < 1e-6


@given(uneven)
def test_from_matrix_mirrored_keeps_the_matrix(whole):
    mirrored = transform.to_matrix(whole) @ np.diag([-1.0, 1.0, 1.0, 1.0])
    assert np.allclose(transform.to_matrix(transform.from_matrix(mirrored)), mirrored, atol=1e-8)


def test_from_matrix_flattened_axis_stays_finite():
    flat = transform.to_matrix(Transform(np.zeros(3), quat.IDENTITY, np.array([1.0, 0.0, 2.0])))
    back = transform.from_matrix(flat)
    assert np.isfinite(back.rotation).all()
    assert np.allclose(transform.to_matrix(back), flat)


@given(st.lists(st.integers(-1, 40), min_size=1, max_size=60), st.integers(0, 2**32 - 1))
def test_down_chain_is_each_bone_below_its_parent_bit_for_bit(drawn, seed):
    parents = np.array([min(parent, bone - 1) for bone, parent in enumerate(drawn)], dtype=np.int32)
    r = np.random.default_rng(seed)
    count = len(parents)
    local = Transform(
        r.normal(size=(2, count, 3)),
        quat.normalise(r.normal(size=(2, count, 4))),
        r.uniform(0.5, 2, (2, count, 3)),
    )
    one_by_one = Transform(*(np.array(part) for part in local))
    for bone, parent in enumerate(parents):
        if parent >= 0:
            above, own = (Transform(*(part[:, n] for part in one_by_one)) for n in (parent, bone))
            for part, value in zip(one_by_one, transform.compose(above, own), strict=True):
                part[:, bone] = value
    for found, expected in zip(transform.down_chain(parents, local), one_by_one, strict=True):
        np.testing.assert_array_equal(found, expected)


def test_generations_hold_every_bone_once_below_the_one_before():
    found = transform.generations([-1, 0, 0, 1, -1, 3, 4])
    assert [bones.tolist() for bones in found] == [[0, 4], [1, 2, 6], [3], [5]]
    assert transform.generations([]) == []

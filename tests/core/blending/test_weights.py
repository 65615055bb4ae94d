"""Weights of blend spaces: the laws of the spec for every kind, wrap and shape."""

from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from core.blending.blend_space import BlendSpace, SpaceAxis, SpaceKind, SpaceSample
from core.blending.weights import SpaceWeights
from core.errors import ValidationError
from core.ids import AssetId

SPEED = SpaceAxis("speed", 0.0, 6.0)
TURN = SpaceAxis("direction", -180.0, 180.0, wrap=True)


def space(axes: tuple[SpaceAxis, ...], places: list[tuple[float, ...]], kind: SpaceKind) -> BlendSpace:
    samples = tuple(SpaceSample(AssetId(f"clip-{i}"), place) for i, place in enumerate(places))
    return BlendSpace(AssetId("space-1"), "test", AssetId("rig-1"), axes, samples, kind)


kinds_2d = st.sampled_from([SpaceKind.GRID, SpaceKind.TRIANGLES])
axes_2d = st.sampled_from(
    [
        (SpaceAxis("x", -1.0, 1.0), SpaceAxis("y", -2.0, 2.0)),
        (TURN, SPEED),
        (SpaceAxis("x", -1.0, 1.0, wrap=True), SpaceAxis("y", -1.0, 1.0, wrap=True)),
    ]
)


@st.composite
def spaces(draw: st.DrawFn) -> BlendSpace:
    axes = draw(axes_2d)
    cells = draw(
        st.lists(st.tuples(st.integers(0, 11), st.integers(0, 11)), min_size=1, max_size=9, unique=True)
    )
    places = [tuple(a.minimum + c / 12 * a.extent for a, c in zip(axes, cell, strict=True)) for cell in cells]
    return space(axes, places, draw(kinds_2d))


@st.composite
def lines(draw: st.DrawFn) -> BlendSpace:
    axis = draw(st.sampled_from([SPEED, TURN]))
    cells = draw(st.lists(st.integers(0, 11), min_size=1, max_size=6, unique=True))
    return space((axis,), [(axis.minimum + c / 12 * axis.extent,) for c in cells], SpaceKind.LINE)


any_space = st.one_of(spaces(), lines())
share = st.floats(0.0, 1.0, allow_subnormal=False)


def at(blend: BlendSpace, u: float, v: float) -> np.ndarray:
    return np.array([a.minimum + s * a.extent for a, s in zip(blend.axes, (u, v), strict=False)])


@given(any_space, share, share)
def test_weights_are_nonnegative_and_sum_to_one(blend: BlendSpace, u: float, v: float) -> None:
    weights = SpaceWeights(blend)(at(blend, u, v))
    assert (weights >= 0.0).all()
    assert weights.sum() == pytest.approx(1.0, abs=1e-12)


@given(any_space)
def test_sample_has_the_whole_weight_at_its_own_place(blend: BlendSpace) -> None:
    weights = SpaceWeights(blend)
    for number, sample in enumerate(blend.samples):
        assert weights(np.array(sample.place))[number] == pytest.approx(1.0, abs=1e-9)


@given(any_space, share, share, st.floats(0, 2 * np.pi))
def test_small_step_changes_weights_a_little(blend: BlendSpace, u: float, v: float, angle: float) -> None:
    weights = SpaceWeights(blend)
    step = 1e-6
    here = weights(at(blend, u, v))
    there = weights(at(blend, u + step * np.cos(angle), v + step * np.sin(angle)))
    assert np.abs(here - there).max() < 2e-3


@given(any_space, share)
def test_wrapped_axis_meets_itself(blend: BlendSpace, v: float) -> None:
    assume(blend.axes[0].wrap)
    weights = SpaceWeights(blend)
    assert weights(at(blend, 0.0, v)) == pytest.approx(weights(at(blend, 1.0, v)), abs=1e-9)
    assert weights(at(blend, 1.0 - 1e-9, v)) == pytest.approx(weights(at(blend, 0.0, v)), abs=1e-5)


def test_line_is_linear_between_neighbours_and_clamped() -> None:
    weights = SpaceWeights(space((SPEED,), [(1.0,), (2.0,), (5.0,)], SpaceKind.LINE))
    assert weights([1.5]) == pytest.approx([0.5, 0.5, 0.0])
    assert weights([3.0]) == pytest.approx([0.0, 2 / 3, 1 / 3])
    assert weights([0.0]) == pytest.approx([1.0, 0.0, 0.0])
    assert weights([99.0]) == pytest.approx([0.0, 0.0, 1.0])


def test_direction_wraps_round_the_back() -> None:
    weights = SpaceWeights(space((TURN,), [(-135.0,), (135.0,), (0.0,)], SpaceKind.LINE))
    assert weights([180.0]) == pytest.approx([0.5, 0.5, 0.0])
    assert weights([-157.5]) == pytest.approx([0.75, 0.25, 0.0])


def test_triangle_weights_are_barycentric_and_outside_takes_the_nearest_point() -> None:
    axes = (SpaceAxis("x", 0.0, 1.0), SpaceAxis("y", 0.0, 1.0))
    weights = SpaceWeights(space(axes, [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0)], SpaceKind.TRIANGLES))
    assert weights([0.25, 0.5]) == pytest.approx([0.25, 0.25, 0.5])
    assert weights([1.0, 1.0]) == pytest.approx([0.0, 0.5, 0.5])


def test_grid_mixes_its_nodes() -> None:
    axes = (SpaceAxis("x", 0.0, 1.0, 1), SpaceAxis("y", 0.0, 1.0, 1))
    corners = [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (1.0, 1.0)]
    weights = SpaceWeights(space(axes, corners, SpaceKind.GRID))
    assert weights([0.25, 0.5]) == pytest.approx([0.375, 0.125, 0.375, 0.125])


def test_collinear_samples_in_the_plane_blend_along_their_line() -> None:
    axes = (SpaceAxis("x", 0.0, 1.0), SpaceAxis("y", 0.0, 1.0))
    weights = SpaceWeights(space(axes, [(0.0, 0.0), (0.5, 0.5), (1.0, 1.0)], SpaceKind.TRIANGLES))
    assert weights([0.5, 0.0]) == pytest.approx([0.5, 0.5, 0.0])


def test_many_points_at_once_keep_their_shape() -> None:
    weights = SpaceWeights(space((SPEED,), [(0.0,), (6.0,)], SpaceKind.LINE))
    assert weights(np.zeros((3, 2, 1))).shape == (3, 2, 2)
    assert weights([3.0]).shape == (2,)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"samples": (SpaceSample(AssetId("a"), (1.0,)), SpaceSample(AssetId("b"), (1.0,)))}, "at one place"),
        ({"samples": (SpaceSample(AssetId("a"), (9.0,)),)}, "outside"),
        ({"samples": (SpaceSample(AssetId("a"), (1.0, 2.0)),)}, "2 coordinates for 1"),
        ({"kind": SpaceKind.GRID}, "cannot be a grid"),
        ({"axes": ()}, "one or two axes"),
    ],
)
def test_space_that_makes_no_sense_is_refused(change: dict[str, Any], message: str) -> None:
    values: dict[str, Any] = {"axes": (SPEED,), "samples": (), "kind": SpaceKind.LINE}
    with pytest.raises(ValidationError, match=message):
        BlendSpace(AssetId("space-1"), "test", AssetId("rig-1"), **{**values, **change})


def test_wrapped_minimum_and_maximum_are_one_place() -> None:
    with pytest.raises(ValidationError, match="at one place"):
        space((TURN,), [(-180.0,), (180.0,)], SpaceKind.LINE)


def test_space_without_samples_says_what_to_do() -> None:
    with pytest.raises(ValidationError, match="drag a clip"):
        SpaceWeights(space((SPEED,), [], SpaceKind.LINE))


def test_moved_sample_snaps_where_the_axis_does() -> None:
    snapping = SpaceAxis("speed", 0.0, 6.0, divisions=3, snap=True)
    blend = space((snapping,), [(0.0,)], SpaceKind.LINE).with_sample(SpaceSample(AssetId("c"), (3.2,)))
    assert blend.samples[1].place == (4.0,)
    assert blend.with_moved(1, (99.0,)).samples[1].place == (6.0,)
    assert blend.without_sample(0).samples[0].clip == "c"


@given(
    st.lists(st.integers(0, 1000), min_size=3, max_size=5, unique=True),
    st.booleans(),
    kinds_2d,
    st.tuples(st.floats(0.0, 1.0), st.floats(0.0, 1.0)),
)
@settings(max_examples=20)
def test_close_samples_on_one_line_of_a_wrapped_space_have_finite_weights(places, upright, kind, point):
    """Nudged copies of such samples make triangles that have no area where the samples are."""
    axes = (SpaceAxis("x", -1.0, 1.0, wrap=True), SpaceAxis("y", 0.0, 8.0, wrap=True))
    pairs = [(0.5, k / 10_000) if upright else (k / 10_000, 0.5) for k in places]
    blend = space(axes, [(2.0 * x - 1.0, 8.0 * y) for x, y in pairs], kind)
    weights = SpaceWeights(blend)
    asked = weights([(2.0 * point[0] - 1.0, 8.0 * point[1]), *(sample.place for sample in blend.samples)])
    assert np.isfinite(asked).all()
    assert asked.sum(axis=-1) == pytest.approx(1.0)

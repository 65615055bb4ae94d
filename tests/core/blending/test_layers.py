"""Layered blend per bone, curve rules, and what an aim offset takes."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.blending.aim_offset import converted, misfit, require_fit
from core.blending.blend_space import BlendSpace, SpaceAxis, SpaceKind, SpaceSample
from core.blending.layers import (
    BranchFilter,
    CurveRule,
    PoseLayer,
    branch_weights,
    layered,
    mask_weights,
    merged_curves,
    over,
)
from core.clips.clip import Additive, AdditiveBase, AdditiveSpace
from core.errors import MissingReferenceError, ValidationError
from core.ids import AssetId
from core.math import quat
from core.math.transform import down_chain
from core.pose.blend import weighted
from core.pose.pose import Pose, rest_pose
from tests.core.blending.clips import RIG, walking


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        ([("spine", 0)], [0, 1, 1, 1]),
        ([("spine", 1)], [0, 1, 1, 1]),
        ([("spine", 2)], [0, 0.5, 1, 1]),
        ([("root", 4)], [0.25, 0.5, 0.75, 1]),
        ([("spine", 0), ("hand", -1)], [0, 1, 1, 0]),
        ([("spine", -1)], [0, 0, 0, 0]),
        ([("root", 4), ("arm", 0)], [0.25, 0.5, 1, 1]),
    ],
)
def test_branch_filters_give_the_specs_depths(filters: list[tuple[str, int]], expected: list[float]) -> None:
    weights = branch_weights(RIG.skeleton, [BranchFilter(*f) for f in filters])
    assert weights == pytest.approx(expected)


def test_mask_names_what_there_is() -> None:
    assert mask_weights(RIG, "upper") == pytest.approx([0, 0, 0.5, 1.0])
    with pytest.raises(MissingReferenceError, match="there are: upper"):
        mask_weights(RIG, "lower")
    with pytest.raises(ValidationError, match="depth"):
        branch_weights(RIG.skeleton, [BranchFilter("root", -2)])


def turned(seed: int) -> Pose:
    rng = np.random.default_rng(seed)
    rest = rest_pose(RIG)
    turns = quat.from_rotation_vector(rng.uniform(-1, 1, (4, 3)))
    return rest.with_local(rest.local._replace(rotation=turns, translation=rng.normal(size=(4, 3))))


@given(st.integers(0, 100), st.booleans())
def test_weight_zero_is_the_base_and_one_is_the_layer(seed: int, model: bool) -> None:
    base, over = turned(seed), turned(seed + 1)
    none = layered(RIG, base, [PoseLayer(over, 0.0, np.ones(4))], model)
    whole = layered(RIG, base, [PoseLayer(over, 1.0, np.ones(4))], model)
    assert np.array_equal(none.rotations, base.rotations)
    assert quat.angle_between(whole.rotations, over.rotations).max() < 1e-7
    assert np.allclose(whole.translations, over.translations)


@given(st.integers(0, 50), st.integers(0, 50))
def test_layer_of_half_weight_is_the_weighted_blend_in_either_order(first: int, second: int) -> None:
    below, above = turned(first).local, turned(second).local
    for parts in ((below, above), (above, below)):
        result = over(RIG.skeleton, *parts, np.full(4, 0.5))
        for pair in ((below, above), (above, below)):
            expected = weighted(pair, [1.0, 1.0])
            assert all(np.allclose(a, b, atol=1e-12) for a, b in zip(result[::2], expected[::2], strict=True))
            assert quat.angle_between(result.rotation, expected.rotation).max() < 1e-9


def test_model_rotations_keep_the_layers_direction() -> None:
    base, over = turned(1), turned(2)
    mask = np.array([0.0, 0.0, 1.0, 1.0])
    result = layered(RIG, base, [PoseLayer(over, 1.0, mask)], True)
    for bone in (2, 3):
        have = down_chain(RIG.skeleton.parents, result.local).rotation[bone]
        want = down_chain(RIG.skeleton.parents, over.local).rotation[bone]
        assert quat.angle_between(have, want) < 1e-7
    assert quat.angle_between(result.rotations[:2], base.rotations[:2]).max() < 1e-7


@pytest.mark.parametrize(
    ("rule", "a", "b", "c"),
    [
        (CurveRule.OVERRIDE, 3.0, 4.0, 5.0),
        (CurveRule.DO_NOT_OVERRIDE, 1.0, 2.0, 5.0),
        (CurveRule.BLEND, 1.0 + 1.5, 0.5 * 2 + 0.5 * 4, 2.5),
        (CurveRule.NORMALISE, 2.5 / 2, 3.0 / 2, 2.5 / 2),
        (CurveRule.MAXIMUM, 3.0, 4.0, 5.0),
        (CurveRule.MINIMUM, 1.0, 2.0, 5.0),
    ],
)
def test_curve_rules(rule: CurveRule, a: float, b: float, c: float) -> None:
    base = {"a": 1.0}
    layers = [{"b": 2.0}, {"a": 3.0, "b": 4.0, "c": 5.0}]
    assert merged_curves(base, layers, [0.5, 0.5], rule) == pytest.approx({"a": a, "b": b, "c": c})


def test_base_only_keeps_the_base_and_weights_are_clamped() -> None:
    assert merged_curves({"a": 1.0}, [{"a": 9.0}], [1.0], CurveRule.BASE_ONLY) == {"a": 1.0}
    assert merged_curves({"a": 1.0}, [{"a": 9.0}], [7.0], CurveRule.BLEND) == {"a": 10.0}


def test_layer_of_weight_zero_does_not_override() -> None:
    assert merged_curves({"a": 1.0}, [{"a": 9.0}], [0.0], CurveRule.OVERRIDE) == {"a": 1.0}


AIM = walking("aim", 1.0, 0.0, additive=Additive(AdditiveSpace.MODEL, AdditiveBase.REST))
OTHER = replace(AIM, id=AssetId("clip-other"), name="other")
SPACE = BlendSpace(
    AssetId("space-1"),
    "aim",
    RIG.id,
    (SpaceAxis("yaw", -90.0, 90.0), SpaceAxis("pitch", -90.0, 90.0)),
    (SpaceSample(AIM.id, (0.0, 0.0)), SpaceSample(OTHER.id, (45.0, 0.0))),
    SpaceKind.GRID,
    aim_offset=True,
)


@pytest.mark.parametrize(
    ("additive", "reason"),
    [
        (None, "is not additive"),
        (Additive(AdditiveSpace.LOCAL), "local space"),
        (Additive(AdditiveSpace.MODEL, AdditiveBase.FIRST_FRAME), "another additive base"),
    ],
)
def test_clip_that_does_not_fit_is_refused_and_the_remedy_makes_it_fit(
    additive: Additive | None, reason: str
) -> None:
    odd = replace(OTHER, additive=additive)
    clips = {AIM.id: AIM, odd.id: odd}
    problem = misfit(SPACE, odd, clips)
    assert problem is not None
    assert reason in problem.reason
    with pytest.raises(ValidationError, match=reason):
        require_fit(SPACE, clips)
    mended = converted(odd, problem.remedy)
    require_fit(SPACE, {AIM.id: AIM, mended.id: mended})

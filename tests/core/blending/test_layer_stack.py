"""Layers over a clip: order, masks, weight curves, mute and solo, additive; curves by every rule."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.blending.layer_stack import ClipLayer, LayerMode, LayerStack, StackPlayer
from core.blending.layers import BranchFilter, CurveRule, merged_columns, merged_curves
from core.clips.clip import Additive, AdditiveSpace, Channel, Clip, Property
from core.clips.sample import ClipEvaluator
from core.errors import MissingReferenceError, ValidationError
from core.evaluation.clip_pipeline import ClipPipeline
from core.ids import AssetId
from core.math import quat
from core.tracks.keys import Interpolation, scalar_track
from tests.core.blending.clips import RIG

LINEAR = Interpolation.LINEAR


def bent(name: str, spine: float, arm: float, length: float = 1.0) -> Clip:
    tracks = {
        Channel("spine", Property.ROTATE, 2): scalar_track([0.0], [spine]),
        Channel("arm", Property.ROTATE, 2): scalar_track([0.0, length], [0.0, arm], interpolations=LINEAR),
    }
    curves = {name: scalar_track([0.0], [1.0]), "all": scalar_track([0.0], [spine])}
    return Clip(AssetId(f"clip-{name}"), name, RIG.id, length, tracks=tracks, curves=curves)


BASE, OVER, ADD = bent("base", 10.0, 20.0), bent("over", 50.0, 60.0, 2.0), bent("add", 5.0, 7.0)
CLIPS = {clip.id: clip for clip in (BASE, OVER, ADD)}


def stack(*layers: ClipLayer, **more: object) -> ClipPipeline:
    made = LayerStack(AssetId("stack-1"), "layers", RIG.id, BASE.id, layers, **more)  # type: ignore[arg-type]
    return ClipPipeline(RIG, BASE, layers=StackPlayer(RIG, made, CLIPS))


def degrees(pipeline: ClipPipeline, bone: str, time: float) -> float:
    q = pipeline.sample_many([time]).rotations[0, RIG.skeleton.index(bone)]
    return float(np.degrees(2.0 * np.arctan2(q[2], q[3])))


@given(st.floats(0.0, 1.0), st.floats(0.0, 1.0))
def test_override_layer_goes_over_by_its_weight(weight: float, time: float) -> None:
    layered = stack(ClipLayer("l", OVER.id, weight=weight))
    assert degrees(layered, "spine", time) == pytest.approx(10.0 + weight * 40.0, abs=1e-6)


@given(st.floats(0.0, 1.0), st.floats(0.0, 1.0))
def test_additive_layer_adds_its_difference(weight: float, time: float) -> None:
    layered = stack(ClipLayer("l", ADD.id, LayerMode.ADDITIVE, weight))
    assert degrees(layered, "spine", time) == pytest.approx(10.0 + weight * 5.0, abs=1e-6)
    assert degrees(layered, "arm", time) == pytest.approx(20.0 * time + weight * 7.0 * time, abs=1e-6)


def test_masks_and_branches_choose_the_bones() -> None:
    masked = stack(ClipLayer("l", OVER.id, mask="upper"))
    assert degrees(masked, "spine", 0.5) == pytest.approx(10.0)
    assert degrees(masked, "arm", 0.5) == pytest.approx((10.0 + 15.0) / 2)
    branch = stack(ClipLayer("l", OVER.id, branches=(BranchFilter("arm", 1),)))
    assert degrees(branch, "spine", 0.5) == pytest.approx(10.0)
    assert degrees(branch, "arm", 0.5) == pytest.approx(15.0)


def test_weight_curve_is_followed_in_time() -> None:
    curve = scalar_track([0.0, 1.0], [0.0, 1.0], interpolations=LINEAR)
    layered = stack(ClipLayer("l", OVER.id, weight=0.5, curve=curve))
    assert [degrees(layered, "spine", t) for t in (0.0, 0.5, 1.0)] == pytest.approx([10.0, 20.0, 30.0])


def test_higher_layer_wins_and_mute_and_solo_count() -> None:
    low, high = ClipLayer("low", OVER.id), ClipLayer("high", ADD.id)
    assert degrees(stack(low, high), "spine", 0.0) == pytest.approx(5.0)
    assert degrees(stack(low, replace(high, muted=True)), "spine", 0.0) == pytest.approx(50.0)
    assert degrees(stack(replace(low, solo=True), high), "spine", 0.0) == pytest.approx(50.0)
    assert stack(replace(low, muted=True)).layers is None


def test_stretched_layer_plays_over_the_length_below() -> None:
    assert degrees(stack(ClipLayer("l", OVER.id)), "arm", 1.0) == pytest.approx(30.0)
    assert degrees(stack(ClipLayer("l", OVER.id, stretch=True)), "arm", 1.0) == pytest.approx(60.0)


def test_model_space_additive_clip_is_put_on_in_model_space() -> None:
    clips = {**CLIPS, ADD.id: replace(ADD, additive=Additive(AdditiveSpace.MODEL))}
    made = LayerStack(AssetId("s"), "layers", RIG.id, BASE.id, (ClipLayer("l", ADD.id, LayerMode.ADDITIVE),))
    layered = ClipPipeline(RIG, BASE, layers=StackPlayer(RIG, made, clips))
    assert degrees(layered, "spine", 0.0) == pytest.approx(15.0)


@pytest.mark.parametrize("rule", list(CurveRule))
@given(weights=st.lists(st.sampled_from([0.0, 0.3, 1.0]), min_size=2, max_size=2))
def test_curves_over_many_times_are_those_of_single_poses(rule: CurveRule, weights: list[float]) -> None:
    base, layers = {"a": 1.0, "b": -2.0}, [{"a": 3.0, "c": 5.0}, {"b": 0.5, "c": -1.0}]
    single = merged_curves(base, layers, weights, rule)
    many = merged_columns(
        {k: np.full(3, v) for k, v in base.items()},
        [
            ({k: np.full(3, v) for k, v in t.items()}, np.full(3, w))
            for t, w in zip(layers, weights, strict=True)
        ],
        rule,
    )
    assert {k: pytest.approx(v) for k, v in single.items()} == {k: float(v[1]) for k, v in many.items()}


def test_put_over_agrees_with_sampling() -> None:
    layered = stack(ClipLayer("l", OVER.id, weight=0.4), ClipLayer("a", ADD.id, LayerMode.ADDITIVE, 0.7))
    times = np.array([0.0, 0.6])
    below = ClipEvaluator(RIG, BASE).sample_many(times).local
    assert layered.layers is not None
    again = layered.layers.put_over(below, times, BASE.length)
    assert quat.angle_between(again.rotation, layered.sample_many(times).rotations).max() < 1e-12


def test_missing_clip_mask_or_odd_weight_is_named() -> None:
    with pytest.raises(MissingReferenceError, match="'l'"):
        stack(ClipLayer("l", AssetId("clip-gone")))
    with pytest.raises(MissingReferenceError, match="mask"):
        stack(ClipLayer("l", OVER.id, mask="none such"))
    with pytest.raises(ValidationError, match="0 to 1"):
        ClipLayer("l", OVER.id, weight=1.5)


def test_layers_move_change_and_go() -> None:
    made = LayerStack(AssetId("s"), "s", RIG.id, BASE.id, tuple(ClipLayer(n, OVER.id) for n in "abc"))
    assert [layer.name for layer in made.moved(0, 2).layers] == ["b", "c", "a"]
    assert [layer.name for layer in made.without_layer(1).layers] == ["a", "c"]
    assert made.with_layer(1, ClipLayer("x", ADD.id)).layers[1].name == "x"

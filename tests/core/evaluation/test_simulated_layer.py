"""A simulation as a layer: what plays is what was simulated; ranges checked against clips."""

from dataclasses import replace

import numpy as np
import pytest

from core.blending.layer_stack import LayerMode
from core.clips.clip import Additive, AdditiveBase, AdditiveSpace
from core.errors import ValidationError
from core.evaluation.clip_pipeline import ClipPipeline, stack_of
from core.evaluation.range_check import check_ranges, checkable, require_plan, widened_to_fit
from core.evaluation.simulated_layer import LayerSetup, blended, simulated_layer, weight_curve
from core.ids import AssetId
from core.math import quat
from core.physics.parts import scene_of
from core.physics.simulated import SimulationSetup, simulate
from core.project.project import Project
from core.rig.body_plan import Body, BodyPlan, Capsule
from core.tracks.evaluate import evaluate_scalar
from tests.core.physics import chains


def sway(t):
    return 0.2 * np.sin(6.0 * t)


def simulated(project: Project, clip, start=0.0, end=None, bones=("link0",)):
    rig = project.rigs[0]
    pipeline = ClipPipeline.of(project, clip)
    setup = SimulationSetup(start, clip.length if end is None else end, stiffness=2.0, ground=None)
    scene = scene_of(rig, rig.body_plan, list(bones))
    found = simulate(rig, scene, setup, lambda at: pipeline.sample_many(at).local, clip.rate)
    return found, pipeline.sample_many(found.times).local


def chain_project(plan: bool = False) -> Project:
    rig = chains.rig(3)
    if plan:
        bodies = (Body("carrier", Capsule((0, 0, 0), (0, 0.5, 0), 0.1), 5.0), chains.link("link0"))
        rig = replace(rig, body_plan=BodyPlan(bodies))
    clip = chains.clip(1.0, sway, {"link1": lambda t: 0.3 * np.sin(3.0 * t)})
    return Project({rig.id: rig, clip.id: clip})


@pytest.mark.parametrize("mode", list(LayerMode))
def test_layer_plays_what_was_simulated(mode):
    project = chain_project()
    clip = project.clips[0]
    found, below = simulated(project, clip)
    made = simulated_layer(project, clip, below, found, LayerSetup("tail", mode, tolerance=0.0))
    after = project.with_assets(*made.assets)
    played = ClipPipeline.of(after, clip).sample_many(found.times).local
    assert np.degrees(quat.angle_between(found.local.rotation, below.rotation)).max() > 3.0
    assert np.degrees(quat.angle_between(played.rotation, found.local.rotation)).max() < 1e-4
    assert np.allclose(played.translation, found.local.translation, atol=1e-9)
    assert after.clips[0] is clip  # the clip below is as it was


def test_reduced_layer_stays_within_the_tolerance():
    project = chain_project()
    clip = project.clips[0]
    found, below = simulated(project, clip)
    whole = simulated_layer(project, clip, below, found, LayerSetup("tail", tolerance=0.0))
    made = simulated_layer(project, clip, below, found, LayerSetup("tail", tolerance=0.005))
    assert made.keys < whole.keys
    after = project.with_assets(*made.assets)
    played = ClipPipeline.of(after, clip).models_many(found.times)[..., :3, 3]
    exact = ClipPipeline.of(project.with_assets(*whole.assets), clip).models_many(found.times)[..., :3, 3]
    assert np.linalg.norm(played - exact, axis=-1).max() < 0.0055


def test_free_body_takes_its_places_along():
    project = chain_project(plan=True)
    clip = project.clips[0]
    found, below = simulated(project, clip, end=0.3, bones=("carrier",))
    assert found.free
    made = simulated_layer(project, clip, below, found, LayerSetup("fall", tolerance=0.0))
    played = ClipPipeline.of(project.with_assets(*made.assets), clip).sample_many(found.times).local
    assert below.translation[-1, 1, 1] - played.translation[-1, 1, 1] > 0.3
    assert np.allclose(played.translation, found.local.translation, atol=1e-9)


def test_weights_are_1_inside_the_range_and_0_outside():
    project = chain_project()
    clip = project.clips[0]
    found, _ = simulated(project, clip, 0.2, 0.8)
    curve = weight_curve(clip, found, LayerSetup("x", blend_in=0.1, blend_out=0.2))
    at = evaluate_scalar(curve, np.array([0.0, 0.19, 0.25, 0.3, 0.6, 0.7, 0.81, 1.0]))
    assert np.allclose(at, [0.0, 0.0, 0.5, 1.0, 1.0, 0.5, 0.0, 0.0], atol=0.02)
    curve = weight_curve(clip, found, LayerSetup("x"))
    assert np.allclose(evaluate_scalar(curve, np.array([0.1, 0.2, 0.8, 0.9])), [0.0, 1.0, 1.0, 0.0])
    whole, _ = simulated(project, clip)
    assert weight_curve(clip, whole, LayerSetup("x")) is None
    short = weight_curve(clip, found, LayerSetup("x", blend_in=3.0, blend_out=1.0))
    assert evaluate_scalar(short, np.array([0.5]))[0] == pytest.approx(1.0)


def test_blended_is_what_the_layer_shows():
    project = chain_project()
    clip = project.clips[0]
    found, below = simulated(project, clip, 0.2, 0.8)
    setup = LayerSetup("tail", blend_in=0.2, blend_out=0.2, tolerance=0.0)
    after = project.with_assets(*simulated_layer(project, clip, below, found, setup).assets)
    played = ClipPipeline.of(after, clip).sample_many(found.times).local
    weights = evaluate_scalar(weight_curve(clip, found, setup), found.times)
    wanted = blended(below, found, weights)
    assert np.degrees(quat.angle_between(played.rotation, wanted.rotation)).max() < 1e-4


def test_second_layer_goes_onto_the_first_with_names_of_its_own():
    project = chain_project()
    clip = project.clips[0]
    for _ in range(2):
        found, below = simulated(project, clip)
        project = project.with_assets(
            *simulated_layer(project, clip, below, found, LayerSetup("tail")).assets
        )
    stack = stack_of(project, clip.id)
    assert [layer.name for layer in stack.layers] == ["tail", "tail 2"]
    assert set(project.rigs[0].masks) == {"tail", "tail 2"}
    assert [c.name for c in project.clips] == ["clip", "tail", "tail 2"]


def test_layer_over_model_rotations_is_additive():
    project = chain_project()
    clip = project.clips[0]
    found, below = simulated(project, clip)
    project = project.with_assets(*simulated_layer(project, clip, below, found, LayerSetup("a")).assets)
    project = project.with_assets(replace(stack_of(project, clip.id), model_rotations=True))
    found, below = simulated(project, clip)
    made = simulated_layer(project, clip, below, found, LayerSetup("b", tolerance=0.0))
    assert made.stack.layers[-1].mode is LayerMode.ADDITIVE
    played = ClipPipeline.of(project.with_assets(*made.assets), clip).sample_many(found.times).local
    assert np.degrees(quat.angle_between(played.rotation, found.local.rotation)).max() < 1e-4


def test_layer_setup_tells_what_is_wrong():
    with pytest.raises(ValidationError, match="expected a name"):
        LayerSetup("")
    with pytest.raises(ValidationError, match="0 or more"):
        LayerSetup("x", blend_in=-1.0)


# ---------------------------------------------------------------- ranges
def test_check_finds_the_clip_the_axis_the_amount_and_the_time():
    project = chain_project(plan=True)
    rig = project.rigs[0]
    swing = chains.clip(1.0, swings={"link0": lambda t: np.radians(60.0) * np.sin(np.pi * t)})
    swing = replace(swing, id=AssetId("swing"), name="swing")
    body = chains.link("link0", ranges=((-170.0, 170.0), (-40.0, 40.0), (-170.0, 170.0)))
    plan = rig.body_plan.with_body(body)
    project = project.with_assets(replace(rig, body_plan=plan), swing)
    rows = check_ranges(project, project.rigs[0], plan)
    assert [(row.name, row.excess.bone, row.excess.axis) for row in rows] == [("swing", "link0", 1)]
    assert rows[0].excess.beyond == pytest.approx(20.0, abs=0.05)
    assert rows[0].time == pytest.approx(0.5, abs=0.04)
    wider = widened_to_fit(plan, rows)
    assert wider.body("link0").axes[1].maximum == pytest.approx(62.0, abs=0.1)
    assert check_ranges(project, project.rigs[0], wider) == ()


def test_check_leaves_additive_clips_out_and_needs_a_plan():
    project = chain_project()
    clip = replace(project.clips[0], additive=Additive(AdditiveSpace.LOCAL, AdditiveBase.REST))
    assert checkable(project.with_assets(clip), project.rigs[0]) == ()
    with pytest.raises(ValidationError, match="no body plan"):
        require_plan(project.rigs[0])

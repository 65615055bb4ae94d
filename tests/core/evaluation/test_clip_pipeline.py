"""The pipeline of a clip: the order of its steps, one pose against many, what edits share, and the way back."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.blending.layer_stack import ClipLayer, LayerMode, LayerStack, StackPlayer
from core.clips.clip import Additive, AdditiveBase, AdditiveSpace, Channel, Clip, Property, RootMotion
from core.clips.evaluator import ClipEvaluator
from core.clips.sample import sample
from core.evaluation.clip_pipeline import ClipPipeline
from core.evaluation.to_clip_pose import to_clip_pose
from core.ids import AssetId
from core.ik import keyed
from core.io import load
from core.io.prepare import bake_evaluated
from core.io.prepare.settings import Prepare
from core.io.presets import export
from core.math import quat
from core.math.transform import Transform
from core.pose.library import apply_asset
from core.tracks.keys import scalar_track
from tests.editor.rigs import small_clip, small_rig
from tests.editor.shown_projects import ASSET, CLIP, TIMES, driven_project, whole_project

RIG = small_rig()


def apart(one: Transform, other: Transform) -> float:
    """The largest difference of two transforms: metres, radians, scale."""
    turned = quat.angle_between(one.rotation, other.rotation).max()
    moved = np.abs(one.translation - other.translation).max()
    return float(max(turned, moved, np.abs(one.scale - other.scale).max()))


def test_clip_without_anything_else_is_its_evaluator_bit_for_bit() -> None:
    clip = small_clip(RIG)
    pipeline, plain = ClipPipeline(RIG, clip), ClipEvaluator(RIG, clip)
    for one, other in zip(
        pipeline.sample_many(TIMES).local, plain.sample_many(TIMES, wrap=False).local, strict=True
    ):
        assert np.array_equal(one, other)
    assert np.array_equal(pipeline.models_many(TIMES), plain.models_many(TIMES, wrap=False))


def test_steps_go_from_tracks_over_layers_and_goals_to_pose_assets() -> None:
    """The same pose put together by hand, one moment after another."""
    project = whole_project()
    clip, asset = project.get(Clip, CLIP), project.assets[ASSET]
    pipeline = ClipPipeline.of(project, clip)
    found = pipeline.sample_many(TIMES)
    rig = pipeline.rig
    stack = project.all(LayerStack)[0]
    layers = StackPlayer(rig, stack, {other.id: other for other in project.clips})
    for row, time in enumerate(TIMES):
        at = np.array([time])
        below = ClipEvaluator(rig, clip).sample_many(at, wrap=False)
        layered = layers.over(below, at, clip.length)
        local, ends = keyed.with_ik(rig, layered.local, below.curves)
        assert set(ends) == {"Left arm"}
        pose = apply_asset(rig.skeleton, layered.with_local(local).pose(0), asset, layered.pose(0).curves)  # type: ignore[arg-type]
        assert apart(pose.local, found.pose(row).local) < 1e-12
        assert apart(pipeline.pose(float(time)).local, found.pose(row).local) < 1e-12


def test_edited_clip_shares_tracks_layers_and_assets() -> None:
    project = driven_project()
    pipeline = ClipPipeline.of(project, project.get(Clip, CLIP))
    assert pipeline.with_clip(pipeline.clip) is pipeline
    turned = pipeline.clip.with_tracks({Channel("head", Property.ROTATE, 0): scalar_track([0.0], [25.0])})
    edited = pipeline.with_clip(turned)
    assert edited.assets is pipeline.assets
    fresh = ClipPipeline.of(project.with_assets(turned), turned)
    assert apart(edited.sample_many(TIMES).local, fresh.sample_many(TIMES).local) < 1e-12


def test_moment_takes_root_motion_out_and_keeps_the_rest_of_the_pose() -> None:
    clip = replace(small_clip(RIG), root_motion=RootMotion(True))
    clip = clip.with_tracks({Channel("pelvis", Property.TRANSLATE, 2): scalar_track([0.0, 2.0], [0.0, 3.0])})
    found, plain = ClipPipeline(RIG, clip).sample(1.0, 0.5), sample(RIG, clip, 1.0, 0.5)
    assert apart(found.pose.local, plain.pose.local) < 1e-12
    assert found.root_motion.translation == pytest.approx(plain.root_motion.translation)


@given(st.floats(0.0, 2.0), st.floats(-1.0, 1.0), st.floats(0.1, 1.0))
def test_way_back_gives_what_the_clip_holds(time: float, look: float, weight: float) -> None:
    """What is shown, taken back below pose assets and an additive layer, is what the tracks gave."""
    project = driven_project()
    clip = project.get(Clip, CLIP)
    curves = {**clip.curves, "look": scalar_track([0.0], [look])}
    clip = replace(clip, curves=curves)
    lift = {Channel("upper_arm_l", Property.ROTATE, 2): scalar_track([0.0, 2.0], [0.0, 50.0])}
    from_rest = Additive(AdditiveSpace.LOCAL, AdditiveBase.REST)
    add = Clip(AssetId("clip-add"), "add", clip.rig, 2.0, tracks=lift, additive=from_rest)
    layer = ClipLayer("add", add.id, LayerMode.ADDITIVE, weight)
    stack = LayerStack(AssetId("stack"), "layers", clip.rig, CLIP, (layer,))
    pipeline = ClipPipeline.of(project.with_assets(clip, add, stack), clip)
    shown = pipeline.pose(time)
    own = pipeline.tracks.sample_many([time], wrap=False).pose(0)
    back = to_clip_pose(pipeline, time, shown, shown.curves)
    assert abs(look) < 0.01 or apart(shown.local, own.local) > 1e-4
    assert apart(back.local, own.local) < 1e-6


def test_export_bakes_what_is_shown_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project, runs = driven_project(), []
    real = bake_evaluated.bake_evaluated

    def counted(*args: object, **kwargs: object) -> object:
        runs.append(args)
        return real(*args, **kwargs)  # type: ignore[arg-type]

    for module in ("core.io.prepare.prepare", "core.io.registry"):
        monkeypatch.setattr(f"{module}.bake_evaluated", counted)
    export(project, tmp_path / "one.glb", Prepare(clips=(CLIP,)))
    assert len(runs) == 1
    ready = real(project, {CLIP})
    export(ready, tmp_path / "two.glb", Prepare(clips=(CLIP,)), evaluated=True)
    assert len(runs) == 1
    one, two = (load(tmp_path / f"{name}.glb").project.clips[0] for name in ("one", "two"))
    rig = load(tmp_path / "one.glb").project.rigs[0]
    assert apart(*(ClipPipeline(rig, clip).sample_many(TIMES).local for clip in (one, two))) < 1e-12

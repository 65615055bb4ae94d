"""What is exported of a clip with layers is what is seen."""

from dataclasses import replace
from pathlib import Path

import numpy as np

from core.blending.layer_stack import ClipLayer, LayerMode, LayerStack
from core.clips.sample import sample_many
from core.evaluation.clip_pipeline import ClipPipeline
from core.ids import AssetId
from core.io import load, save
from core.io.prepare.settings import Prepare
from core.io.presets import export
from core.math import quat
from core.project.project import Project
from tests.core.blending.clips import RIG, walking

WALK, RUN = walking("walk", 1.2, 1.5), walking("run", 0.8, 4.0)
STACK = LayerStack(
    AssetId("stack-1"),
    "layers",
    RIG.id,
    WALK.id,
    (ClipLayer("run", RUN.id, LayerMode.ADDITIVE, 0.5, mask="upper"),),
)
PROJECT = Project({asset.id: asset for asset in (RIG, WALK, RUN, STACK)})


def test_layers_are_baked_into_what_other_formats_get(tmp_path: Path) -> None:
    out = tmp_path / "walk.glb"
    save(PROJECT, out)
    project = load(out).project
    times = np.linspace(0.0, 1.1, 34) * (30.0 / 30.0)
    times = np.round(times * 30.0) / 30.0
    shown = ClipPipeline.of(PROJECT, WALK)
    expected = shown.sample_many(times)
    written = sample_many(project.rigs[0], project.clip_named("walk"), times, wrap=False)
    order = [project.rigs[0].skeleton.index(name) for name in RIG.skeleton.names]
    assert quat.angle_between(written.rotations[:, order], expected.rotations).max() < 1e-3
    assert np.abs(written.translations[:, order] - expected.translations).max() < 1e-4
    alone = sample_many(RIG, WALK, times, wrap=False)
    assert quat.angle_between(alone.rotations, expected.rotations).max() > 0.1


def test_native_file_keeps_the_layers(tmp_path: Path) -> None:
    out = tmp_path / "walk.posewright"
    save(PROJECT, out)
    assert load(out).project.get(LayerStack, STACK.id).layers[0].weight == 0.5


def test_layers_are_baked_where_clips_are_chosen_and_read_back(tmp_path: Path) -> None:
    done = export(PROJECT, tmp_path / "walk.glb", Prepare(clips=(WALK.id,)))
    assert done.check is not None
    assert done.check.good
    project = load(tmp_path / "walk.glb").project
    shown = ClipPipeline.of(PROJECT, WALK)
    times = np.arange(20) / 30.0
    expected = shown.sample_many(times)
    written = sample_many(project.rigs[0], project.clip_named("walk"), times, wrap=False)
    order = [project.rigs[0].skeleton.index(name) for name in RIG.skeleton.names]
    assert quat.angle_between(written.rotations[:, order], expected.rotations).max() < 1e-3


def test_clips_made_for_a_layer_are_written_in_the_clip_below_alone(tmp_path: Path) -> None:
    for muted, name in ((False, "on"), (True, "off")):
        layers = (replace(STACK.layers[0], own=True, muted=muted),)
        project = PROJECT.with_assets(replace(STACK, layers=layers))
        save(project, tmp_path / f"{name}.glb")
        assert [clip.name for clip in load(tmp_path / f"{name}.glb").project.clips] == ["walk"]

"""``bodies propose``, ``check``, ``widen`` and ``simulate`` on real files."""

import json
from dataclasses import replace

import numpy as np
import pytest

from core.cli.main import main
from core.clips.sample import sample_many
from core.evaluation.clip_pipeline import ClipPipeline, stack_of
from core.io import load, save
from core.math import quat
from core.project.project import Project
from tests.core.physics import chains


@pytest.fixture
def chain(tmp_path):
    rig = chains.rig(3)
    clip = chains.clip(1.0, lambda t: 0.3 * np.sin(6.0 * t))
    path = tmp_path / "chain.posewright"
    save(Project({rig.id: rig, clip.id: clip}), path)
    return str(path)


def test_propose_check_and_widen(few_clips, tmp_path, capsys):
    out, wide = str(tmp_path / "out.posewright"), str(tmp_path / "wide.posewright")
    assert main(["bodies", "check", few_clips]) == 1
    assert "no body plan" in capsys.readouterr().err
    assert main(["bodies", "propose", few_clips, "--out", out]) == 0
    assert "thigh_l:" in capsys.readouterr().out
    assert main(["bodies", "check", out]) == 0
    assert "0 outside the ranges" in capsys.readouterr().out
    project = load(out).project
    rig = project.rigs[0]
    tight = rig.body_plan.with_body(rig.body_plan.body("thigh_l").with_range(0, -20.0, 10.0))
    save(project.with_assets(replace(rig, body_plan=tight)), tmp_path / "tight.posewright")
    assert main(["bodies", "check", str(tmp_path / "tight.posewright"), "--json"]) == 1
    rows = json.loads(capsys.readouterr().out)
    assert {row["bone"] for row in rows} == {"thigh_l"} and rows[0]["beyond"] >= rows[-1]["beyond"] > 0.0
    assert main(["bodies", "widen", str(tmp_path / "tight.posewright"), "--out", wide]) == 0
    assert "1 range widened" in capsys.readouterr().out
    assert main(["bodies", "check", wide]) == 0


def test_bodies_are_kept_in_our_own_files_alone(few_clips, tmp_path, capsys):
    assert main(["bodies", "propose", few_clips, "--out", str(tmp_path / "x.glb")]) == 2
    assert ".posewright" in capsys.readouterr().err


def test_simulate_writes_a_layer_or_the_baked_clip(chain, tmp_path, capsys):
    layered, flat = str(tmp_path / "layer.posewright"), str(tmp_path / "flat.glb")
    words = ["simulate", chain, "--bones", "link0", "--stiffness", "1", "--tolerance", "0.1"]
    assert main([*words, "--out", layered]) == 0
    assert "3 bones over 31 frames" in capsys.readouterr().out
    project = load(layered).project
    clip = project.clip_named("clip")
    assert stack_of(project, clip.id).layers[0].name == "Simulated link0"
    times = np.arange(31) / 30.0
    shown = ClipPipeline.of(project, clip).sample_many(times).local.rotation
    plain = sample_many(project.rigs[0], clip, times).local.rotation
    assert np.degrees(quat.angle_between(shown, plain)).max() > 5.0
    assert main([*words, "--out", flat]) == 0
    baked = load(flat).project
    number = [baked.rigs[0].skeleton.index(f"link{n}") for n in range(3)]
    own = [project.rigs[0].skeleton.index(f"link{n}") for n in range(3)]
    other = sample_many(baked.rigs[0], baked.clips[0], times).local.rotation
    assert np.degrees(quat.angle_between(other[:, number], shown[:, own])).max() < 0.2


@pytest.mark.parametrize(
    ("more", "status", "reason"),
    [
        (["--bones", "gone"], 1, "no bone is named 'gone'"),
        (["--bones", "link0", "--frames", "5:99"], 1, "expected a range within 0:30"),
        (["--bones", "link0", "--frames", "a:b"], 2, "expected two frames"),
        (["--bones", "link0", "--clip", "walk"], 1, "no clip is named 'walk'"),
        (["--bones", "link0", "--stiffness", "99"], 1, "stiffness of 0 to 20"),
    ],
)
def test_simulate_says_what_is_wrong(chain, tmp_path, capsys, more, status, reason):
    assert main(["simulate", chain, *more, "--out", str(tmp_path / "x.posewright")]) == status
    assert reason in capsys.readouterr().err
    assert not (tmp_path / "x.posewright").exists()

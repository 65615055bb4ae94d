"""``posewright retarget`` from files to a file."""

from pathlib import Path

import numpy as np
import pytest

from core.cli.main import main
from core.io import load
from core.math import quat
from core.retarget.report import COLUMNS

SAMPLE = Path(__file__).parents[3] / "resources" / "sample" / "mannequin.posewright"


def test_several_sources_become_one_file_and_one_table(
    shared: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out.posewright"
    words = [str(shared / "data" / "bvh" / "cmu_j*.bvh"), str(shared / "data" / "gltf" / "Fox.glb")]
    assert main(["retarget", *words, "--all", "--onto", str(SAMPLE), "--out", str(out)]) == 1
    told = capsys.readouterr()
    rows = told.out.splitlines()
    assert rows[0].split()[:2] == ["source", "clip"] and "cmu_jumping_jacks" in rows[1]
    assert sum("four legs" in row for row in rows) == 3 and "1 clips, 3 failed" in rows[-1]
    assert "2/2" in told.err
    project = load(out).project
    (clip,) = project.clips
    moved = {c.bone for c in clip.tracks if c.property == 0}
    assert moved == {"pelvis"} and clip.rig == project.rigs[0].id
    assert project.meshes_of(clip.rig)


def test_onto_itself_gives_the_clip_again(tmp_path: Path) -> None:
    from core.ik.rigged import sample_many

    out = tmp_path / "out.posewright"
    words = ["retarget", str(SAMPLE), "--clip", "walk", "--onto", str(SAMPLE), "--out", str(out)]
    assert main(words) == 0
    projects = load(SAMPLE).project, load(out).project
    clips = [p.clip_named("walk") for p in projects]
    times = np.arange(0, 20) / clips[0].rate.fps
    poses = [sample_many(p.rigs[0], c, times, wrap=False).local for p, c in zip(projects, clips, strict=True)]
    assert np.abs(poses[0].translation - poses[1].translation).max() < 1e-6
    assert quat.angle_between(poses[0].rotation, poses[1].rotation).max() < 1e-6


def test_a_map_is_written_edited_and_used(
    shared: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, chains = str(shared / "data" / "bvh" / "cmu_jumping_jacks.bvh"), tmp_path / "map.json"
    out = tmp_path / "out.glb"
    common = ["retarget", source, "--onto", str(SAMPLE), "--out", str(out)]
    assert main([*common, "--write-map", str(chains)]) == 0 and not out.exists()
    assert "left leg: LeftHip, LeftKnee → thigh_l, calf_l" in capsys.readouterr().out
    assert main([*common, "--all", "--map", str(chains), "--no-foot-lock"]) == 0 and out.exists()
    out.unlink()
    chains.write_text('{"schema": "posewright-chain-map/1", "chains": []}')
    assert main([*common, "--all", "--map", str(chains)]) == 1
    assert "no chain" in capsys.readouterr().out and not out.exists()


def one_clip(path: Path, name: str) -> Path:
    """A file of the sample character with one short clip, called as every file of its program calls it."""
    from dataclasses import replace

    from core.io import save
    from core.project.references import part_of

    project = load(SAMPLE).project
    clip = replace(project.clip_named("walk"), name=name)
    save(part_of(project, (project.rigs[0], clip)), path)
    return path


def test_a_lone_clip_needs_no_all_and_is_called_as_its_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = [one_clip(tmp_path / f"{name}.posewright", "mixamo.com") for name in ("sneaking", "limping")]
    out = tmp_path / "out.posewright"
    assert main(["retarget", *map(str, files), "--onto", str(SAMPLE), "--out", str(out)]) == 0
    assert {clip.name for clip in load(out).project.clips} == {"sneaking", "limping"}
    told = capsys.readouterr().out
    for column, meaning in COLUMNS:
        assert column in told.splitlines()[0] and meaning in told


def test_hips_and_knees_are_controlled_and_nonsense_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, source = tmp_path / "out.posewright", one_clip(tmp_path / "walk.posewright", "Take 001")
    common = ["retarget", str(source), "--onto", str(SAMPLE), "--out", str(out)]
    assert main([*common, "--hip-drop", "0.5", "--knee-limit", "20"]) == 0 and out.exists()
    out.unlink()
    assert main([*common, "--knee-limit", "-3"]) == 1 and not out.exists()
    assert "knee limit of up to 180°, got -3.0" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["nothing.bvh", "--all"], "no such file"),
        ([str(SAMPLE)], "--clip NAME, or --all; it holds idle, walk"),
        ([str(SAMPLE), "--all", "--out", "walk.mp3"], "cannot be written (known: "),
    ],
)
def test_a_command_that_makes_no_sense_is_a_usage_error(
    words: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tail = ["--onto", str(SAMPLE), "--out", str(tmp_path / "out.glb")]
    assert main(["retarget", *tail, *words]) == 2
    assert said in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{nope", "no JSON"),
        ("[" * 100_000, "no JSON"),
        ('{"schema": "posewright-chain-map/1", "chains": [{"name": "a", "part": ["arm"]}]}', "a part"),
        (
            '{"schema": "posewright-chain-map/1", "chains": [{"name": "a", "confidence": NaN, "source": ["Hips"],'
            ' "target": ["pelvis"]}]}',
            "confidence is 0 to 1",
        ),
    ],
)
def test_a_map_that_is_none_is_told_once_before_anything_is_done(
    text: str, said: str, shared: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, chains = str(shared / "data" / "bvh" / "cmu_jumping_jacks.bvh"), tmp_path / "map.json"
    chains.write_text(text)
    tail = ["--onto", str(SAMPLE), "--out", str(tmp_path / "out.glb"), "--map", str(chains)]
    assert main(["retarget", source, "--all", *tail]) == 1
    told = capsys.readouterr()
    assert said in told.err and "map.json" in told.err and not told.out
    assert len(told.err.strip().splitlines()) == 1


def test_a_map_for_one_source_fails_at_the_other_alone(
    shared: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = shared / "data" / "bvh"
    chains, out = tmp_path / "map.json", tmp_path / "out.glb"
    common = ["--onto", str(SAMPLE), "--out", str(out)]
    assert main(["retarget", str(data / "cmu_jumping_jacks.bvh"), *common, "--write-map", str(chains)]) == 0
    capsys.readouterr()
    both = [str(data / "cmu_jumping_jacks.bvh"), str(data / "pybvh_example.bvh")]
    assert main(["retarget", *both, "--all", *common, "--map", str(chains)]) == 1
    told = capsys.readouterr().out
    assert "chain map: 'spine' in the source: no bone is named 'lowerback'" in told
    assert "1 clips, 1 failed" in told and out.exists()


def test_options_are_taken_and_wrong_ones_refused(
    shared: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, out = str(shared / "data" / "bvh" / "cmu_jumping_jacks.bvh"), tmp_path / "out.posewright"
    common = ["retarget", source, "--all", "--onto", str(SAMPLE), "--out", str(out)]
    assert main([*common, "--floor-offset", "0.5", "--stride", "0.5", "--level-floor", "--hold-hands"]) == 0
    lifted = load(out).project.clips[0]
    assert main([*common, "--overwrite"]) == 0
    plain = load(out).project.clips[0]
    rise = [
        next(t for c, t in clip.tracks.items() if c.bone == "pelvis" and c.property == 0 and c.axis == 1)
        for clip in (lifted, plain)
    ]
    assert float(np.median(rise[0].values - rise[1].values)) == pytest.approx(0.5, abs=0.05)
    capsys.readouterr()
    assert main([*common, "--overwrite", "--arm-reach", "2"]) == 1
    assert "arm reach of 0 to 1" in capsys.readouterr().err

"""The command line: what it prints, what it writes, and how it fails."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from core.cli.common import Subcommand
from core.cli.main import is_command, main
from core.clips.clip import WHOLE, Channel, Property
from core.io import load, save
from core.project.references import check
from tests.core.io import making
from tests.core.io.test_bvh import written


@pytest.fixture
def figure(tmp_path):
    """A glTF file with a five-bone figure and a clip of 2 s."""
    rng = np.random.default_rng(0)
    tracks = {
        Channel(f"b{b}", Property.ROTATE, WHOLE): making.turning(rng, at=[0.0, 0.5, 2.0]) for b in range(5)
    }
    tracks[Channel("b0", Property.TRANSLATE, 2)] = making.scalar(rng, at=[0.0, 1.0, 2.0])
    path = tmp_path / "Ünïcode 動.glb"
    save(making.with_clip(making.small(), tracks, 2.0), path)
    return str(path)


def answer(capsys, *words):
    assert main(words) == 0
    return json.loads(capsys.readouterr().out)


def failed(capsys, status, *words):
    """The one line of a failure."""
    assert main(words) == status
    printed = capsys.readouterr()
    assert printed.out == ""
    (line,) = printed.err.splitlines()
    assert line.startswith("posewright: ")
    return line


def test_info_json_tells_bones_clips_meshes_and_report(capsys, figure):
    told = answer(capsys, "info", figure, "--json")
    assert told["rigs"][0]["bones"] == [f"b{b}" for b in range(5)]
    (clip,) = told["clips"]
    assert (clip["name"], clip["duration"], clip["rate"]) == ("move", 2.0, 30.0)
    assert told["meshes"][0]["vertices"] > 0
    assert told["report"]["format"] == "glTF 2.0"
    assert told["report"]["rate"] == 30.0


def test_info_text_names_everything(capsys, figure):
    assert main(["info", figure]) == 0
    text = capsys.readouterr().out
    for word in ("b4", "move", "2 s", "body", "smile", "up: +Y"):
        assert word in text


def test_sample_json_has_the_promised_layout(capsys, figure):
    told = answer(capsys, "sample", figure, "--times", "0,0.25,2")
    assert list(told) == [
        "clip",
        "duration",
        "bones",
        "sources",
        "parents",
        "times",
        "positions",
        "rotations",
    ]
    assert told["clip"] == "move"
    assert told["duration"] == 2.0
    assert told["sources"] == [0, 1, 2, 3, 4]
    assert told["parents"][0] == -1
    assert np.shape(told["positions"]) == (3, 5, 3)
    assert np.shape(told["rotations"]) == (3, 5, 4)
    assert np.allclose(np.linalg.norm(told["rotations"], axis=2), 1.0)


def test_sample_spaces_differ_as_they_should(capsys, figure):
    world, model, local = (
        answer(capsys, "sample", figure, "--times", "0.3", "--space", space)
        for space in ("world", "model", "local")
    )
    assert world["positions"] == model["positions"]
    rest = load(figure).project.rigs[0].skeleton.rest.translation
    assert np.allclose(local["positions"][0][1:], rest[1:])
    assert not np.allclose(world["positions"][0][1:], rest[1:])


def test_sample_native_is_in_the_files_units_and_axes(capsys, tmp_path):
    path = str(written(tmp_path))
    native, metres = (answer(capsys, "sample", path, "--times", "0", *flag) for flag in (["--native"], []))
    assert native["positions"][0][0] == pytest.approx([1.0, 95.0, 2.0])
    assert metres["positions"][0][0] == pytest.approx([0.01, 0.95, 0.02])
    assert native["clip"] == "a"
    local = answer(capsys, "sample", path, "--times", "0", "--native", "--space", "local")
    assert local["positions"][0][1] == pytest.approx([10.0, 160.0, 0.0])


def test_sample_negative_and_late_times_hold_the_ends(capsys, figure):
    told = answer(capsys, "sample", figure, "--times=-1,0,2,9")
    assert np.allclose(told["positions"][0], told["positions"][1], atol=1e-12)
    assert np.allclose(told["positions"][2], told["positions"][3], atol=1e-12)


def test_sample_without_clips_gives_the_rest_pose(capsys, tmp_path):
    save(making.small(), tmp_path / "a.posewright")
    told = answer(capsys, "sample", str(tmp_path / "a.posewright"), "--times", "0,1", "--space", "local")
    assert told["clip"] is None
    assert np.allclose(told["positions"][1], making.small().rigs[0].skeleton.rest.translation)


def test_sample_npz_holds_the_same(capsys, figure, tmp_path):
    out = tmp_path / "poses.npz"
    assert main(["sample", figure, "--times", "0,1", "--npz", str(out)]) == 0
    assert capsys.readouterr().out == ""
    told = answer(capsys, "sample", figure, "--times", "0,1")
    with np.load(out) as arrays:
        assert arrays["positions"].tolist() == told["positions"]
        assert arrays["bones"].tolist() == told["bones"]
        assert float(arrays["duration"]) == 2.0


@pytest.mark.parametrize("suffix", [".posewright", ".glb", ".gltf", ".bvh"])
def test_convert_to_every_format(figure, tmp_path, suffix):
    out = tmp_path / f"out{suffix}"
    assert main(["convert", figure, str(out)]) == 0
    assert load(out).project.clips[0].length == pytest.approx(2.0, abs=1e-6)


def test_convert_span_and_rate(capsys, figure, tmp_path):
    out = tmp_path / "out.posewright"
    assert main(["convert", figure, str(out), "--rate", "10", "--start", "0.5", "--end", "1.25"]) == 0
    clip = load(out).project.clips[0]
    assert clip.rate.fps == 10.0
    assert clip.length == pytest.approx(0.75)
    capsys.readouterr()
    cut = answer(capsys, "sample", str(out), "--times", "0,0.3,0.75")
    whole = answer(capsys, "sample", figure, "--times", "0.5,0.8,1.25")
    assert np.allclose(cut["positions"], whole["positions"], atol=1e-6)


def test_convert_to_a_document_drops_what_the_other_clips_were_in(capsys, tmp_path):
    """Blend spaces and graphs of clips that stay behind are cleared and named; the document opens."""
    sample = Path(__file__).parents[3] / "resources" / "sample" / "mannequin.posewright"
    out = tmp_path / "walk.posewright"
    assert main(["convert", str(sample), str(out), "--clip", "walk"]) == 0
    assert "'locomotion'" in capsys.readouterr().out
    kept = load(out)
    assert [clip.name for clip in kept.project.clips] == ["walk"]
    check(kept.project)


def test_convert_only_the_clip_asked_for(figure, tmp_path):
    project = load(figure).project
    from dataclasses import replace

    second = replace(project.clips[0], id="clip-2", name="other")
    save(project.with_assets(second), tmp_path / "two.posewright")
    out = tmp_path / "one.glb"
    assert main(["convert", str(tmp_path / "two.posewright"), str(out), "--clip", "other"]) == 0
    assert [clip.name for clip in load(out).project.clips] == ["other"]


@pytest.mark.parametrize(
    "words",
    [
        (),
        ("dance",),
        ("info",),
        ("sample", "FILE"),
        ("sample", "FILE", "--times", "a,b"),
        ("sample", "FILE", "--times", "nan"),
        ("sample", "FILE", "--times", ""),
        ("sample", "FILE", "--times", "0", "--space", "outer"),
        ("sample", "FILE", "--times", "0", "--json", "--npz", "x.npz"),
        ("sample", "FILE", "--times", "0", "--npz", "/no/such/folder/x.npz"),
        ("convert", "FILE"),
        ("convert", "FILE", "out.docx"),
        ("convert", "FILE", "out.vrm"),
        ("convert", "FILE", "/no/such/folder/out.glb"),
        ("convert", "FILE", "out.glb", "--rate", "0"),
        ("convert", "FILE", "out.glb", "--start", "1.5", "--end", "1"),
        ("convert", "FILE", "out.glb", "--end", "99"),
        ("convert", "FILE", "out.glb", "--rate", "1e9"),
    ],
)
def test_usage_errors_exit_2(capsys, figure, tmp_path, monkeypatch, words):
    monkeypatch.chdir(tmp_path)
    before = sorted(p.name for p in tmp_path.iterdir())
    status = 1 if "1e9" in words else 2  # a rate beyond all measure is told by the frame rate itself
    failed(capsys, status, *(figure if word == "FILE" else word for word in words))
    assert sorted(p.name for p in tmp_path.iterdir()) == before


def test_bad_input_exits_1_and_names_file_and_reason(capsys, tmp_path):
    bad = tmp_path / "bad.glb"
    bad.write_bytes(b"glTF\x02\0\0\0")
    for words in (
        ["info", str(bad)],
        ["sample", str(bad), "--times", "0"],
        ["convert", str(bad), str(tmp_path / "o.glb")],
    ):
        assert "bad.glb: header" in failed(capsys, 1, *words)
    assert "No such file" in failed(capsys, 1, "info", str(tmp_path / "none.glb"))


def test_unknown_clip_lists_what_there_is(capsys, figure):
    line = failed(capsys, 1, "sample", figure, "--times", "0", "--clip", "fly")
    assert "'fly'" in line
    assert "move" in line


def test_help_exits_0(capsys):
    assert main(["--help"]) == 0
    assert "convert" in capsys.readouterr().out


def test_others_contribute_subcommands(capsys):
    def run(arguments):
        print(f"drawing {arguments.file}")
        return 0

    render = Subcommand("render", "Draw.", lambda parser: parser.add_argument("file"), run)
    assert main(["render", "x"], extra=[render]) == 0
    assert capsys.readouterr().out == "drawing x\n"
    assert is_command("render", [render])
    assert not is_command("render")
    assert is_command("info")
    assert not is_command("walk.glb")


def test_command_line_is_light(figure):
    """Neither the compiler nor any window is loaded to answer about a file."""
    code = (
        "import sys\nfrom core.cli.main import main\n"
        f"status = main(['sample', {figure!r}, '--times', '0'])\n"
        "heavy = {'numba', 'PySide6', 'OpenGL', 'scipy', 'editor'} & set(sys.modules)\n"
        "sys.exit(f'loaded {heavy}' if heavy else status)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("command", ["convert", "retarget"])
def test_format_that_is_refused_is_answered_with_those_there_are(figure, tmp_path, capsys, command):
    more = [] if command == "convert" else ["--onto", figure, "--all", "--out"]
    assert main([command, figure, *more, str(tmp_path / "x.foo")]) == 2
    said = capsys.readouterr().err
    assert "cannot be written" in said and ".glb" in said and ".bvh" in said and ".usda" in said


def test_format_that_can_only_be_written_is_answered_with_those_that_can_be_read(tmp_path, capsys):
    (tmp_path / "a.csv").write_text("time,x\n")
    assert main(["info", str(tmp_path / "a.csv")]) == 1
    said = capsys.readouterr().err
    assert "can be written but not read" in said and ".bvh" in said

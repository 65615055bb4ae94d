"""``batch``: many files, globs, presets, and what is said of files that are no good."""

import json

import pytest

from core.cli.main import main
from core.io import load, save
from tests.core.io.test_presets import walking


@pytest.fixture
def files(tmp_path):
    (tmp_path / "in" / "deep").mkdir(parents=True)
    for name in ("a.glb", "deep/b.glb"):
        save(walking(), tmp_path / "in" / name)
    return tmp_path


def test_batch_converts_what_a_glob_finds_and_reads_it_back(files, capsys):
    words = ["batch", str(files / "in/**/*.glb"), "--to", str(files / "out"), "--format", "glb", "--json"]
    assert main([*words, "--root", "in-place", "--keys", "reduced"]) == 0
    told = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [entry["good"] for entry in told] == [True, True]
    assert {path.name for path in (files / "out").iterdir()} == {"a.glb", "b.glb"}


def test_batch_writes_a_file_for_each_clip_where_the_format_holds_one(files, capsys):
    assert main(["batch", str(files / "in/a.glb"), "--to", str(files / "out"), "--format", "bvh"]) == 0
    assert {path.name for path in (files / "out").iterdir()} == {"a_move.bvh", "a_stand.bvh"}
    assert "ok:" in capsys.readouterr().out


def test_batch_chooses_clips_by_glob(files):
    words = ["batch", str(files / "in/a.glb"), "--to", str(files / "out"), "--preset", "godot"]
    assert main([*words, "--clip", "st*"]) == 0
    assert [clip.name for clip in load(files / "out/a.glb").project.clips] == ["stand"]


def test_batch_goes_on_after_a_broken_file_and_says_so(files, capsys):
    (files / "in/a.glb").write_bytes(b"glTF no")
    words = ["batch", str(files / "in/**/*.glb"), "--to", str(files / "out"), "--format", "glb"]
    assert main(words) == 1
    assert "FAILED" in capsys.readouterr().out
    assert (files / "out/b.glb").is_file()


@pytest.mark.parametrize(
    "words", [["*.none", "--format", "glb"], ["in/a.glb"], ["in/a.glb", "--format", "doc"]]
)
def test_batch_refuses_what_makes_no_sense(files, words, capsys, monkeypatch):
    monkeypatch.chdir(files)
    assert main(["batch", words[0], "--to", "out", *words[1:]]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1

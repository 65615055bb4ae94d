"""Commands never replace a file unasked; asked to, they keep the old one and say what is lost."""

import json

import pytest

from core.cli.main import main
from core.io import load, save
from core.io.backups import Backups, data_dir
from tests.core.io.test_presets import walking


@pytest.fixture
def walk(tmp_path):
    save(walking(), tmp_path / "walk.glb")
    return tmp_path / "walk.glb"


def backups(path):
    return Backups(data_dir() / "backups").of(path)


def test_convert_onto_its_own_input_is_refused(walk, capsys):
    before = walk.read_bytes()
    assert main(["convert", str(walk), str(walk)]) == 2
    said = capsys.readouterr().err
    assert "this is the file that is read" in said and "--overwrite" in said
    assert walk.read_bytes() == before


def test_convert_onto_a_file_that_exists_is_refused(walk, capsys):
    other = walk.with_name("other.glb")
    other.write_bytes(b"somebody's work")
    assert main(["convert", str(walk), str(other)]) == 2
    assert "exists already" in capsys.readouterr().err
    assert other.read_bytes() == b"somebody's work"


def test_convert_overwrite_keeps_the_old_file_and_tells_what_is_lost(walk, capsys):
    before = walk.read_bytes()
    assert main(["convert", str(walk), str(walk), "--clip", "stand", "--overwrite"]) == 0
    told = capsys.readouterr().out
    assert "lost: clip 'walk'" in told or "lost: clip" in told
    (kept,) = backups(walk)
    assert kept.read_bytes() == before and str(kept) in told
    assert [clip.name for clip in load(walk).project.clips] == ["stand"]


def test_convert_does_not_replace_the_buffer_of_another_file(walk, capsys):
    other = walk.with_name("out.bin")
    other.write_bytes(b"a buffer of something else")
    assert main(["convert", str(walk), str(walk.with_name("out.gltf"))]) == 2
    assert "out.bin" in capsys.readouterr().err
    assert other.read_bytes() == b"a buffer of something else"


def test_overwrite_without_a_backup_replaces_nothing(walk, capsys, monkeypatch):
    before = walk.read_bytes()
    blocked = walk.with_name("blocked")
    blocked.write_text("no folder")
    monkeypatch.setenv("POSEWRIGHT_DATA_DIR", str(blocked))
    assert main(["convert", str(walk), str(walk), "--overwrite"]) == 1
    assert "cannot be backed up" in capsys.readouterr().err
    assert walk.read_bytes() == before


def test_batch_into_the_folder_of_its_inputs_leaves_them(walk, capsys):
    before = walk.read_bytes()
    words = ["batch", str(walk), "--to", str(walk.parent), "--format", "glb", "--json"]
    assert main(words) == 1
    assert "this is the file that is read" in json.loads(capsys.readouterr().out)["error"]
    assert walk.read_bytes() == before
    assert main([*words, "--overwrite"]) == 0
    assert str(backups(walk)[0]) in json.loads(capsys.readouterr().out)["replaced"][-1]


@pytest.mark.parametrize(
    "words", [["compile", "{in}", "{out}"], ["retarget", "{in}", "--all", "--onto", "{in}", "--out", "{out}"]]
)
def test_other_commands_leave_files_that_exist(walk, words, capsys):
    out = walk.with_name("out.pwclip" if words[0] == "compile" else "out.glb")
    out.write_bytes(b"before")
    filled = [word.replace("{in}", str(walk)).replace("{out}", str(out)) for word in words]
    assert main(filled) == 2
    assert "exists already" in capsys.readouterr().err and out.read_bytes() == b"before"

"""A format that was added by one entry is known to reading, writing, presets' export and the command line."""

import json

import pytest

from core.cli.main import main
from core.io import format_of, formats, load, save
from core.io.prepare.settings import Prepare
from core.io.presets import DEAF, export
from core.io.replacing import replacement
from tests.core.io.test_presets import walking
from tests.core.io.toy import HEAD, toy_format


@pytest.fixture
def toy():
    with toy_format() as made:
        yield made


@pytest.fixture
def walk(tmp_path):
    save(walking(), tmp_path / "walk.glb")
    return tmp_path


def test_new_format_is_known_by_its_name_and_by_its_first_bytes(toy, tmp_path):
    assert toy in formats() and format_of("a.toy") is toy
    assert format_of("a.bin", HEAD + b"anything") is toy


def test_new_format_is_gone_with_its_entry():
    assert format_of("a.toy") is None and "toy" not in [known.id for known in formats()]


def test_new_format_is_saved_loaded_and_read_back_by_an_export(toy, tmp_path):
    done = export(walking(), tmp_path / "a.toy", Prepare(metres_per_unit=0.01, up_axis="-X"))
    assert done.check is not None and done.check.good and done.check.worst.millimetres == 0.0
    assert done.report.warnings == [DEAF["metres_per_unit"]]  # its options have an up axis, and no unit
    assert load(tmp_path / "a.toy").report.format == "Toy"


def test_what_a_new_format_cannot_hold_is_lost_by_replacing(toy, tmp_path):
    project = walking()
    save(project, tmp_path / "a.toy")
    assert replacement(tmp_path / "a.toy", project).lost == ()
    other = project.with_assets(*(clip for clip in project.clips if clip is not project.clips[0]))
    assert replacement(tmp_path / "a.toy", other.without(project.clips[0].id)).lost != ()


def test_command_line_converts_to_and_from_a_new_format(toy, walk, capsys):
    assert main(["convert", str(walk / "walk.glb"), str(walk / "walk.toy"), "--check"]) == 0
    assert "the file holds what it should" in capsys.readouterr().out
    assert main(["convert", str(walk / "walk.toy"), str(walk / "back.bvh")]) == 0
    assert main(["info", str(walk / "walk.toy")]) == 0
    assert "Toy" in capsys.readouterr().out


def test_batch_writes_a_new_format_one_clip_a_file(toy, walk, capsys):
    words = ["batch", str(walk / "walk.glb"), "--to", str(walk / "out"), "--format", "toy", "--json"]
    assert main(words) == 0
    told = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    clips = load(walk / "walk.glb").project.clips
    assert len(list((walk / "out").glob("*.toy"))) == len(clips)
    assert "good" in json.dumps(told)


def test_choice_that_a_format_does_not_have_names_those_that_have_it(toy, walk, capsys):
    assert main(["convert", str(walk / "walk.glb"), str(walk / "o.bvh"), "--frame-time", "1/30"]) == 2
    assert "only BVH has" in capsys.readouterr().err
    assert main(["convert", str(walk / "walk.glb"), str(walk / "o.bvh"), "--allow-folder", "/tmp"]) == 2
    assert "only USD does" in capsys.readouterr().err

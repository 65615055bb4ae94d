"""What commands ask about reading and writing: units, axes, keys, frame times, characters."""

import argparse
import json

import numpy as np
import pytest

from core.cli import exporting
from core.cli.main import main
from core.io import load, save
from core.io.bvh.options import BvhReadOptions
from core.io.gltf.options import GltfWriteOptions
from core.tracks.keys import Interpolation
from tests.core.io.common.test_characters import pair
from tests.core.io.test_bvh import written
from tests.core.io.test_presets import walking


@pytest.fixture
def walk(tmp_path):
    save(walking(), tmp_path / "walk.glb")
    return tmp_path


@pytest.fixture
def both(tmp_path):
    save(pair(), tmp_path / "both.glb", GltfWriteOptions(together=True))
    return tmp_path


@pytest.mark.parametrize(("text", "metres"), [("cm", 0.01), ("M", 1.0), ("in", 0.0254), ("0.5", 0.5)])
def test_unit_is_a_name_or_metres(text, metres):
    assert exporting.unit(text) == metres


@pytest.mark.parametrize(("text", "name"), [("z", "+Z"), ("+y", "+Y"), ("-X", "-X")])
def test_axis_is_known_by_its_letter(text, name):
    assert exporting.axis(text) == name


@pytest.mark.parametrize(
    ("read", "text"),
    [(exporting.unit, "0"), (exporting.unit, "league"), (exporting.axis, "up"), (exporting.axis, ""),
     (exporting.seconds, "1/0"), (exporting.seconds, "soon"), (exporting.keys, "own:3"),
     (exporting.keys, "few"), (exporting.keys, "reduced:-1"),
     (exporting.keys, "reduced:1:some"), (exporting.keys, "cubic:1:exact")],
)  # fmt: skip
def test_words_that_make_no_sense_are_refused(read, text):
    with pytest.raises(argparse.ArgumentTypeError, match="expected"):
        read(text)


def test_convert_writes_unit_and_axes(walk, capsys):
    out = walk / "out.glb"
    assert main(["convert", str(walk / "walk.glb"), str(out), "--unit", "cm", "--up", "z", "--check"]) == 0
    assert "against glTF's law" in capsys.readouterr().out
    report = load(out).report
    assert (report.unit, report.up_axis) == ("centimetre", "+Z")


def test_convert_to_bvh_in_unit_and_axes_is_read_back_good(walk, capsys):
    words = ["convert", str(walk / "walk.glb"), str(walk / "out.bvh"), "--unit", "cm", "--up", "z"]
    assert main([*words, "--clip", "move", "--check"]) == 0
    assert "holds what it should" in capsys.readouterr().out


def test_convert_with_cubic_keys_tells_what_fitting_cost(walk, capsys):
    words = ["convert", str(walk / "walk.glb"), str(walk / "out.glb"), "--keys", "cubic:0.5", "--check"]
    assert main(words) == 0
    assert "fitted with cubic keys" in capsys.readouterr().out
    clip = load(walk / "out.glb").project.clip_named("move")
    assert all((track.interpolations == Interpolation.CUBIC).all() for track in clip.tracks.values())


def test_keys_tell_where_reduced_ones_may_stand():
    assert exporting.keys("reduced:0.5") == ("reduced", 0.5, "own")
    assert exporting.keys("reduced:0.5:exact") == ("reduced", 0.5, "exact")
    assert exporting.keys("reduced::frames") == ("reduced", None, "frames")


def test_convert_with_reduced_keys_tells_how_many_are_left(walk, capsys):
    words = ["convert", str(walk / "walk.glb"), str(walk / "out.glb"), "--keys", "reduced:5"]
    assert main(words) == 0
    assert "keys, off by at most" in capsys.readouterr().out


def test_convert_of_a_unit_that_the_format_lacks_says_so(walk, capsys):
    assert main(["convert", str(walk / "walk.glb"), str(walk / "out.csv"), "--unit", "cm"]) == 0
    assert "cannot be chosen" in capsys.readouterr().out


def test_frame_time_of_the_user_wins(tmp_path, capsys):
    path = written(tmp_path)
    assert main(["info", str(path), "--frame-time", "1/60", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["clips"][0]["rate"] == 60.0


def test_frame_time_is_for_bvh_alone(walk, capsys):
    assert main(["info", str(walk / "walk.glb"), "--frame-time", "1/60"]) == 2
    assert "only BVH" in capsys.readouterr().err


def test_unit_and_axis_of_a_file_are_told(tmp_path, capsys):
    path = written(tmp_path)
    assert main(["sample", str(path), "--times", "0", "--in-unit", "cm", "--in-up", "z"]) == 0
    place = np.array(json.loads(capsys.readouterr().out)["positions"])[0, 0]
    assert place == pytest.approx([0.01, 0.02, -0.95])
    assert load(path, options=BvhReadOptions(0.01, "+Z")).report.unit_guessed is False


def test_info_lists_the_characters(both, capsys):
    assert main(["info", str(both / "both.glb"), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["report"]["characters"] == ["Anna", "Bert"]
    assert [rig["clips"] for rig in told["rigs"]] == [["dance"], ["dance"]]
    assert main(["info", str(both / "both.glb")]) == 0
    assert "characters: Anna, Bert" in capsys.readouterr().out


def test_convert_takes_one_character_or_says_what_it_left(both, capsys):
    one = both / "one.glb"
    assert main(["convert", str(both / "both.glb"), str(one), "--character", "Bert"]) == 0
    assert [rig.name for rig in load(one).project.rigs] == ["one"]
    assert capsys.readouterr().out == ""
    again = ["convert", str(both / "both.glb"), str(one), "--overwrite"]
    assert main([*again, "--character", "all"]) == 0
    assert "left out: Bert" in capsys.readouterr().out
    assert main([*again, "--character", "Carl"]) == 1
    assert "there are: Anna, Bert" in capsys.readouterr().err


def test_convert_several_files_together(both, walk, capsys):
    words = ["convert", str(both / "both.glb"), str(walk / "walk.glb"), str(walk / "three.glb")]
    assert main(words) == 2
    assert "--together" in capsys.readouterr().err
    assert main([*words, "--together", "--check"]) == 0
    assert load(walk / "three.glb").report.characters == ["Anna", "Bert", "walk"]


def test_convert_together_twice_the_same_is_refused(tmp_path, capsys):
    save(pair(), tmp_path / "a.posewright")
    path = str(tmp_path / "a.posewright")
    assert main(["convert", path, path, str(tmp_path / "b.glb"), "--together"]) == 2
    assert "came with another file" in capsys.readouterr().err

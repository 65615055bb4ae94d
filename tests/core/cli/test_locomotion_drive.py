"""``posewright locomotion --drive``: by rules, by motion matching, side by side, with numbers of a file."""

import json

import pytest

import core.io
from core.cli.main import main
from core.ids import new_id
from core.locomotion.matching.setup import Matching
from core.locomotion.play_setup import PlaySetup
from resources.sample.locomotion import FILE
from tests.light_character import light

COURSE = FILE.with_name("course") / "course.json"


@pytest.fixture(scope="module")
def short(tmp_path_factory):
    """A course of one short section."""
    course = json.loads(COURSE.read_text(encoding="utf-8"))
    section = course["sections"][0]
    section["segments"] = [{"seconds": 0.3}, {"seconds": 0.9, "move": [0.0, 1.0]}, {"seconds": 0.5}]
    course["sections"] = [section]
    file = tmp_path_factory.mktemp("course") / "course.json"
    file.write_text(json.dumps(course), encoding="utf-8")
    return file


@pytest.fixture(scope="module")
def light_file(tmp_path_factory):
    """A character with few clips: its database is made in a tenth of the time."""
    file = tmp_path_factory.mktemp("light") / "light.posewright"
    core.io.save(light(), file)
    return file


def test_both_ways_are_judged_side_by_side(short, light_file, capsys):
    assert main(["locomotion", str(short), "--character", str(light_file), "--drive", "both", "--table"]) == 0
    lines = capsys.readouterr().out.splitlines()
    head = next(line for line in lines if line.startswith("measure"))
    assert "rules: mean p95 worst" in head and "matching: mean p95 worst" in head
    assert any(line.startswith("foot slip in contact") for line in lines)


def test_matching_alone_takes_its_numbers_of_a_file(short, light_file, tmp_path, capsys):
    numbers = tmp_path / "mine.json"
    matching = {"choices": [{"clip": "run", "on": False}]}
    numbers.write_text(json.dumps({"format": "posewright.matching", "version": 1, "matching": matching}))
    base = ["locomotion", str(short), "--drive", "matching", "--json", "--character", str(light_file)]
    plain = rows(base, capsys)
    own = rows([*base, "--matching", str(numbers)], capsys)
    assert [row["measure"] for row in plain] == [row["measure"] for row in own]
    assert plain != own


MADE = {}
"""Rows by the words of their command: each takes half a second."""


def rows(words, capsys):
    if tuple(words) not in MADE:
        assert main(words) == 0
        MADE[tuple(words)] = json.loads(capsys.readouterr().out)["presets"]["normal"]
    return MADE[tuple(words)]


def test_single_numbers_are_set_and_a_set_up_of_the_document_has_its_own(short, light_file, tmp_path, capsys):
    base = ["locomotion", str(short), "--drive", "matching", "--json", "--character"]
    plain = rows([*base, str(light_file)], capsys)
    set_here = rows([*base, str(light_file), "--set", "transition=5", "--set", "warp=off"], capsys)
    assert set_here != plain
    project = light()
    numbers = Matching(transition=5.0, warp=False)
    own = tmp_path / "own.posewright"
    core.io.save(
        project.with_assets(PlaySetup(new_id("play_setup"), "own", project.rigs[0].id, matching=numbers)), own
    )
    assert rows([*base, str(own)], capsys) == set_here
    assert rows([*base, str(own), "--set", "transition=0.1", "--set", "warp=on"], capsys) == plain


def test_a_number_that_is_not_there_is_refused_with_those_that_are(short, light_file, capsys):
    base = ["locomotion", str(short), "--character", str(light_file), "--drive", "matching", "--set"]
    assert main([*base, "speed=3"]) == 1
    assert "feet_place, feet_speed" in capsys.readouterr().err
    assert main([*base, "path_place=far"]) == 1
    assert "path_place: expected a number, got 'far'" in capsys.readouterr().err
    assert main([*base[:4], "--set", "path_place=3"]) == 2
    assert "--set: expected --drive matching" in capsys.readouterr().err


def test_matching_without_a_character_is_refused(short, capsys):
    assert main(["locomotion", str(short), "--drive", "both"]) == 2
    assert "expected --character FILE" in capsys.readouterr().err

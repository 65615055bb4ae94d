"""``posewright locomotion --drive``: by rules, by motion matching, side by side, with numbers of a file."""

import json

import pytest

from core.cli.main import main
from resources.sample.locomotion import FILE

COURSE = FILE.with_name("course") / "course.json"


@pytest.fixture
def short(tmp_path):
    """A course of one short section."""
    course = json.loads(COURSE.read_text(encoding="utf-8"))
    section = course["sections"][0]
    section["segments"] = [{"seconds": 0.3}, {"seconds": 0.9, "move": [0.0, 1.0]}, {"seconds": 0.5}]
    course["sections"] = [section]
    file = tmp_path / "course.json"
    file.write_text(json.dumps(course), encoding="utf-8")
    return file


def test_both_ways_are_judged_side_by_side(short, capsys):
    assert main(["locomotion", str(short), "--character", str(FILE), "--drive", "both", "--table"]) == 0
    lines = capsys.readouterr().out.splitlines()
    head = next(line for line in lines if line.startswith("measure"))
    assert "rules: mean p95 worst" in head and "matching: mean p95 worst" in head
    assert any(line.startswith("foot slip in contact") for line in lines)


def test_matching_alone_takes_its_numbers_of_a_file(short, tmp_path, capsys):
    numbers = tmp_path / "mine.json"
    matching = {"choices": [{"clip": "run", "on": False}]}
    numbers.write_text(json.dumps({"format": "posewright.matching", "version": 1, "matching": matching}))
    base = ["locomotion", str(short), "--character", str(FILE), "--drive", "matching", "--json"]
    assert main(base) == 0
    plain = json.loads(capsys.readouterr().out)["presets"]["normal"]
    assert main([*base, "--matching", str(numbers)]) == 0
    own = json.loads(capsys.readouterr().out)["presets"]["normal"]
    assert [row["measure"] for row in plain] == [row["measure"] for row in own]
    assert plain != own


def test_matching_without_a_character_is_refused(short, capsys):
    assert main(["locomotion", str(short), "--drive", "both"]) == 2
    assert "expected --character FILE" in capsys.readouterr().err

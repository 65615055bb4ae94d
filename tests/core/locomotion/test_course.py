"""The course, its file, the judge's rows, and the command that prints them."""

import json
import math

import numpy as np
import pytest

from core.cli.main import main
from core.errors import FormatError, ValidationError
from core.locomotion.course import Course, Section, Segment, run_controller
from core.locomotion.course_file import course_values, read_course, write_course
from core.locomotion.input import Gait, RotationMode
from core.locomotion.judge.paths import paths
from core.locomotion.judge.responses import responses
from core.locomotion.judge.rows import Row, over, table
from core.locomotion.setup import PRESETS
from core.terrain.terrain import flat_terrain
from resources.sample.course import build

FILE = build.__file__.replace("build.py", "course.json")


def rows_by_name(rows: list[Row]) -> dict[tuple[str, str], Row]:
    return {(row.measure, row.case): row for row in rows}


# ------------------------------------------------------------------------- inputs of segments
def test_segments_hold_and_sweep_their_inputs():
    section = Section(
        "s",
        (
            Segment(1.0, (0.0, 1.0), move_rate=90.0, gait=Gait.WALK),
            Segment(
                0.5,
                view=30.0,
                view_rate=-60.0,
                pitch=10.0,
                pitch_rate=20.0,
                mode=RotationMode.AIMING,
                jump=True,
            ),
            Segment(0.1),
        ),
        yaw=100.0,
    )
    inputs = section.inputs()
    assert len(inputs) == section.steps == 96
    assert inputs[0].move == (0.0, 1.0) and inputs[30].move == pytest.approx((0.7071, 0.7071), abs=0.005)
    assert inputs[59].move[0] > 0.99 and inputs[0].gait is Gait.WALK and inputs[0].yaw == 100.0
    assert inputs[60].yaw == 130.0 and inputs[89].yaw == pytest.approx(130.0 - 29.0)
    assert inputs[89].pitch == pytest.approx(10.0 + 29.0 / 3.0, abs=0.01)
    assert inputs[60].jump and inputs[60].mode is RotationMode.AIMING
    assert (
        inputs[95].yaw == pytest.approx(100.0)
        and inputs[95].pitch == pytest.approx(20.0)
        and not inputs[95].jump
    )


@pytest.mark.parametrize("wrong", [{"seconds": -1.0}, {"seconds": math.nan}, {"seconds": 1.0, "pitch": 95.0}])
def test_a_segment_that_cannot_be_is_refused(wrong):
    with pytest.raises(ValidationError, match=r"segment: \w+: expected"):
        Segment(**wrong)


# ------------------------------------------------------------------------- the file
def test_the_sample_course_is_what_its_builder_makes_and_covers_the_list():
    course = read_course(FILE)
    assert (
        course_values(course)["sections"]
        == course_values(Course("c", course.terrain, tuple(build.sections())))["sections"]
    )
    assert course.seconds == pytest.approx(78.0, abs=1.0)  # 75, and the time to get up
    groups = {section.group for section in course.sections}
    assert groups >= {
        "steady", "ways", "pivots", "turns", "crouch", "aim", "jumps", "drops", "slopes", "stairs", "bumps", "ragdoll"
    }  # fmt: skip


def test_a_course_comes_back_from_its_file(tmp_path):
    course = read_course(FILE)
    write_course(course, tmp_path / "c.json")
    again = read_course(tmp_path / "c.json")
    assert again.sections == course.sections and course_values(again) == course_values(course)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"sections": []}, "sections: expected 1 to"),
        ({"sections": [{"name": "a"}, {"name": "a"}]}, "sections: course: sections: expected one or more"),
        ({"sections": [{"name": "a", "to": 1}]}, r"sections\[0\].to: expected members of"),
        ({"sections": [{"name": "a", "segments": [{}]}]}, r"sections\[0\].segments\[0\].seconds: it is missing"),
        ({"sections": [{"name": "a", "segments": [{"seconds": 1, "gait": "hop"}]}]}, r"\[0\].gait: expected one"),
        ({"sections": [{"name": "a", "segments": [{"seconds": 1, "move": [2, 0]}]}]}, r"segments\[0\]: segment: move"),
        ({"sections": [{"name": "a", "segments": [{"seconds": 600}] * 7}]}, "sections: expected 3600 s at most"),
        ({"terrain": {"format": "posewright.terrain", "version": 1}}, "terrain.pieces: expected"),
    ],
)  # fmt: skip
def test_a_bad_course_is_refused_by_file_and_place(change, message, tmp_path):
    good = course_values(Course("c", flat_terrain(), (Section("a", (Segment(1.0),)),)))
    path = tmp_path / "c.json"
    path.write_text(json.dumps({**good, **change}))
    with pytest.raises(FormatError, match=message):
        read_course(path)


# ------------------------------------------------------------------------- the judge
@pytest.mark.parametrize("name", ["normal", "responsive"])
def test_quick_presets_meet_the_response_times(name):
    rows = responses(PRESETS[name])
    assert len(rows) == 14 and all(row.met for row in rows)


def test_the_sluggish_preset_misses_the_response_times():
    """It is slow on purpose: the judge has to say so."""
    rows = rows_by_name(responses(PRESETS["sluggish"]))
    assert not rows["90 % of speed", "run"].met and not rows["stop", "sprint"].met
    assert rows["input to first change", "move"].met


def test_rows_of_the_controller_over_the_course():
    course = read_course(FILE)
    runs = run_controller(course, PRESETS["normal"])
    assert runs[-1].begins + len(runs[-1].inputs) / 60.0 == pytest.approx(course.seconds)
    rows = rows_by_name(paths(course, runs))
    assert rows["facing error, moving", "input held 0.5 s"].p95 <= 10.0
    assert rows["facing error, moving", "every step"].place == "pivots"
    assert rows["way off the velocity", "on ground"].worst < 1e-6
    assert rows["capsule below ground", "course"].worst < 1.0
    drops = {run.section.name: run.states[-1] for run in runs if run.section.group == "drops"}
    assert all(not state.in_air and abs(state.position[1]) < 1e-6 for state in drops.values())


def test_a_row_tells_its_worst_sample_and_whether_it_is_within_its_target():
    row = over(
        "m", "c", "°", (("p95", 5.0),),
        [(np.array([1.0, 2.0]), np.array([0.1, 0.2]), "first"), (np.array([9.0]), np.array([7.5]), "second")],
    )  # fmt: skip
    assert row is not None and (row.worst, row.at, row.place, row.mean, row.count) == (
        9.0,
        7.5,
        "second",
        4.0,
        3,
    )
    assert not row.met and "MISSED" in table([row]) and over("m", "c", "°", (), []) is None


def test_the_command_prints_the_table_and_json(capsys, tmp_path):
    short = Course("short", flat_terrain(), (Section("walk", (Segment(1.0, (0.0, 1.0), gait=Gait.WALK),)),))
    write_course(short, tmp_path / "c.json")
    assert main(["locomotion", str(tmp_path / "c.json"), "--table"]) == 0
    printed = capsys.readouterr().out
    assert "short: 1 section, 1.0 s" in printed and "normal: " in printed and "reversal 180°" in printed
    assert main(["locomotion", str(tmp_path / "c.json"), "--preset", "all", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert set(told["presets"]) == set(PRESETS)
    stop = next(r for r in told["presets"]["normal"] if r["measure"] == "stop" and r["case"] == "walk")
    assert stop["worst"] == pytest.approx(7 / 60) and stop["met"] and stop["target"] == {"worst": 0.15}
    assert main(["locomotion", str(tmp_path / "none.json")]) == 1
    assert "none.json" in capsys.readouterr().err


# ------------------------------------------------------------------------- what the command is given
CHARACTER = FILE.replace("course/course.json", "locomotion.posewright")


@pytest.mark.parametrize("text", ["", "   ", "not a course", "[1, 2"])
def test_a_file_that_is_no_course_says_what_one_is(tmp_path, capsys, text):
    path = tmp_path / "mine.json"
    path.write_text(text, encoding="utf-8")
    assert main(["locomotion", str(path)]) == 1
    told = capsys.readouterr().err
    assert "mine.json" in told
    assert 'a course is JSON that begins with {"format": "posewright.course"' in told
    assert "name another file" in told


def test_a_set_up_that_is_not_there_is_told(capsys):
    assert main(["locomotion", FILE, "--character", CHARACTER, "--set-up", "mine"]) == 1
    assert "no set-up of" in capsys.readouterr().err
    assert main(["locomotion", FILE, "--set-up", "mine"]) == 2
    assert "--character" in capsys.readouterr().err


def test_presets_stand_beside_each_other_and_a_section_is_chosen(capsys):
    assert main(["locomotion", FILE, "--preset", "all", "--section", "gaits"]) == 0
    told = capsys.readouterr().out
    head = next(line for line in told.splitlines() if line.startswith("measure"))
    assert head.split() == ["measure", "case", "normal", "responsive", "sluggish", "target"]
    stop = next(line for line in told.splitlines() if line.startswith("stop") and "sprint" in line)
    assert "0.6167" in stop


def test_equal_runs_have_equal_digests_and_others_do_not(capsys):
    def digest(preset: str) -> str:
        assert main(["locomotion", FILE, "--digest", "--section", "gaits", "--preset", preset]) == 0
        return capsys.readouterr().out

    assert digest("normal") == digest("normal")
    normal, sluggish = (digest(name).splitlines()[-1].split("\t")[2] for name in ("normal", "sluggish"))
    assert normal != sluggish

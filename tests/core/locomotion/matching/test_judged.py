"""Motion matching judged on parts of the sample course: bounds on what is deterministic."""

from functools import cache

import pytest

from core.locomotion.character import begin, step
from core.locomotion.course import Course, run_course
from core.locomotion.course_file import read_course
from core.locomotion.judge.poses import pose_rows
from core.locomotion.judge.rows import Row
from resources.sample.locomotion import FILE
from tests.core.locomotion.matching.sample import character

PARTS = ("gaits", "way ahead", "way right", "way back", "circle 2 m", "pivots", "bumps")


@cache
def judged() -> dict[tuple[str, str], Row]:
    whole = read_course(FILE.with_name("course") / "course.json")
    course = Course(whole.name, whole.terrain, tuple(s for s in whole.sections if s.name in PARTS))
    assert len(course.sections) == len(PARTS)
    setup, terrain = character(), course.terrain
    runs = run_course(
        course,
        lambda s: begin(setup, terrain, s.at, s.yaw),
        lambda state, given: step(setup, terrain, state, given),
    )
    return {(row.measure, row.case): row for row in pose_rows(setup, course, runs)}


@pytest.mark.parametrize(
    ("measure", "case", "figure", "most"),
    [
        ("foot slip in contact", "steady", "mean", 0.5),
        ("foot slip in contact", "steady", "p95", 2.5),
        ("foot slip in contact", "transitions", "mean", 1.5),
        ("foot slip in contact", "transitions", "worst", 30.0),
        ("foot slip in contact", "turns", "mean", 2.0),
        ("sole below ground", "course", "worst", 6.0),
        ("step of velocity beyond the clips' own", "course", "p95", 1.2),
        ("played direction", "steady", "mean", 4.0),
        ("leg stretched", "course", "worst", 0.995),
        ("limits broken", "course", "p95", 2.5),
        ("limits broken", "course", "worst", 60.0),  # 157 with legs that turned about
    ],
)
def test_rows_are_within_their_bounds(measure, case, figure, most):
    assert getattr(judged()[measure, case], figure) <= most

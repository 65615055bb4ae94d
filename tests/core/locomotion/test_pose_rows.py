"""The judge's rows on poses: what they find is measured, and a walking character keeps within their bounds."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from core.locomotion.character import CharacterState, begin, step
from core.locomotion.course import Course, Section, SectionRun, Segment, run_course
from core.locomotion.course_file import read_course
from core.locomotion.input import Gait, RotationMode
from core.locomotion.judge.poses import pose_rows
from core.locomotion.judge.rows import Row
from core.terrain.terrain import flat_terrain
from resources.sample.locomotion import FILE
from tests.core.locomotion.sample import sample

FLAT = flat_terrain()


def run(*segments: Segment, group: str = "steady") -> tuple[Course, list[SectionRun[CharacterState]]]:
    course = Course("course", FLAT, (Section("section", segments, group=group),))
    made = run_course(
        course,
        lambda section: begin(sample(), FLAT, section.at, section.yaw),
        lambda state, given: step(sample(), FLAT, state, given),
    )
    return course, list(made)


@cache
def over_course(*names: str) -> tuple[Row, ...]:
    """Rows of some sections of the sample course."""
    whole = read_course(FILE.with_name("course") / "course.json")
    course = Course("part", whole.terrain, tuple(s for s in whole.sections if s.name in names))
    assert len(course.sections) == len(names)
    made = run_course(
        course,
        lambda section: begin(sample(), course.terrain, section.at, section.yaw),
        lambda state, given: step(sample(), course.terrain, state, given),
    )
    return tuple(pose_rows(sample(), course, made))


def test_feet_and_legs_keep_their_bounds_over_stairs_bumps_and_a_drop():
    """Of a run, which is the same in every process."""
    rows = list(over_course("gaits", "stairs up", "stairs down", "bumps", "drop 12 m"))
    below = row(rows, "sole below ground", "course")
    assert below.p95 < 5.0 and 0.0 < below.worst < 8.0  # it does go under a little
    slip = row(rows, "foot slip in contact", "steady")
    assert slip.mean < 0.6 and slip.p95 < 3.0 and slip.worst < 20.0
    assert row(rows, "limits broken", "course").p95 < 1.5
    assert row(rows, "leg stretched", "course").worst <= 0.99 + 1e-9
    for group in ("stairs", "bumps"):
        jerk = row(rows, "hips' jerk p95 against flat ground", group)
        assert 0.3 < jerk.worst < 1.5


def test_joint_limits_are_judged_where_the_rig_has_some():
    rows = list(over_course("bumps"))
    assert sample().rig.limits
    broken = row(rows, "limits broken", "course")
    assert broken.count > 50
    unlimited = replace(sample(), rig=replace(sample().rig, limits={}))
    course, made = run(Segment(0.5))
    assert all(r.measure != "limits broken" for r in pose_rows(unlimited, course, made))


def test_poses_of_physics_and_of_a_get_up_clip_have_rows_of_their_own():
    rows = list(over_course("ragdoll"))
    for measure in ("sole below ground", "leg stretched", "limits broken"):
        counts = [row(rows, measure, case).count for case in ("course", "ragdoll", "get-up")]
        assert all(count > 15 for count in counts)
        assert (
            sum(counts) == sum(s.steps for s in section("ragdoll")) + 1 - 10
        )  # every step but the first ones
    assert row(rows, "leg stretched", "course").worst <= 0.99 + 1e-9
    assert row(rows, "limits broken", "course").worst < 1.0
    assert row(rows, "step of velocity beyond the clips' own", "ragdoll").target == ()
    assert not any(r.measure == "sole floating in contact" and r.case == "ragdoll" for r in rows)


def section(*names: str) -> tuple[Section, ...]:
    whole = read_course(FILE.with_name("course") / "course.json")
    return tuple(s for s in whole.sections if s.name in names)


def row(rows: list[Row], measure: str, case: str) -> Row:
    return next(r for r in rows if r.measure == measure and r.case == case)


@pytest.mark.parametrize("gait", [Gait.WALK, Gait.RUN])
def test_feet_that_walk_and_run_on_level_ground_stay_where_they_are(gait):
    rows = pose_rows(sample(), *run(Segment(2.5, (0.0, 1.0), gait=gait)))
    slip = row(rows, "foot slip in contact", "steady")
    assert slip.count > 50
    assert slip.met
    assert row(rows, "played speed", "steady").met
    assert row(rows, "played direction", "steady").met


def test_a_turn_in_place_holds_the_feet_and_comes_to_the_view():
    rows = pose_rows(
        sample(),
        *run(
            Segment(0.2, mode=RotationMode.LOOKING),
            Segment(2.0, mode=RotationMode.LOOKING, view=-90.0),
            group="turns",
        ),
    )
    assert row(rows, "foot slip in contact", "turns").met
    assert row(rows, "facing error at rest", "end of turns").met


def test_a_pose_that_slides_is_found():
    course, made = run(Segment(2.0, (0.0, 1.0), gait=Gait.WALK))
    shifted = tuple(
        replace(
            state, body=replace(state.body, position=tuple(np.add(state.body.position, (0.001 * k, 0, 0))))
        )
        for k, state in enumerate(made[0].states)
    )
    slid = pose_rows(sample(), course, [made[0]._replace(states=shifted)])
    assert row(slid, "foot slip in contact", "steady").mean == pytest.approx(6.0, abs=1.0)  # 1 mm a step


def test_a_rig_without_legs_has_no_rows_of_feet_and_legs(monkeypatch):
    course, made = run(Segment(0.5, (0.0, 1.0)))
    monkeypatch.setattr("core.locomotion.judge.poses.legs_of", lambda setup: ())
    found = {r.measure for r in pose_rows(sample(), course, made)}
    assert "step of velocity beyond the clips' own" in found
    assert not found & {
        "sole below ground",
        "leg stretched",
        "foot slip in contact",
        "sole floating in contact",
    }

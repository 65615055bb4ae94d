"""``locomotion COURSE.json``: run a course and print the judge's table."""

import argparse
import json

from core.cli.common import Subcommand, UsageError
from core.cli.locomotion_bake import add_bake, bake_course
from core.cli.replacing import add_overwrite
from core.io import load
from core.locomotion.character import CharacterSetup, begin, character_setup, step
from core.locomotion.course import Course, run_controller, run_course
from core.locomotion.course_file import read_course
from core.locomotion.judge.paths import paths
from core.locomotion.judge.poses import pose_rows
from core.locomotion.judge.responses import responses
from core.locomotion.judge.rows import Row, table
from core.locomotion.setup import PRESETS, Setup

ALL = "all"


def _arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("course", metavar="COURSE.json", help="a course: terrain and sections with inputs")
    parser.add_argument(
        "--preset",
        choices=[*PRESETS, ALL],
        default="normal",
        help="how quickly the controller responds (normal)",
    )
    add_bake(parser)
    add_overwrite(parser)
    shown = parser.add_mutually_exclusive_group()
    shown.add_argument("--table", action="store_true", help="print the judge's table (default)")
    shown.add_argument("--json", action="store_true", help="print the rows as JSON")


def judged(course: Course, setup: Setup, character: CharacterSetup | None = None) -> list[Row]:
    """Every row that there is for a set-up on a course; those of poses where there is a character."""
    rows = [*responses(setup), *paths(course, run_controller(course, setup))]
    if character is None:
        return rows
    own, terrain = character.with_controller(setup), course.terrain
    runs = run_course(
        course,
        lambda section: begin(own, terrain, section.at, section.yaw),
        lambda state, given: step(own, terrain, state, given),
    )
    return [*rows, *pose_rows(own, course, runs)]


def _character(path: str | None) -> CharacterSetup | None:
    if path is None:
        return None
    project = load(path).project
    if not project.rigs:
        raise UsageError(f"--character: {path} holds no character")
    return character_setup(project, project.rigs[0])


def _run(arguments: argparse.Namespace) -> int:
    course = read_course(arguments.course)
    if arguments.bake:
        if arguments.preset == ALL:
            raise UsageError("--bake: expected one preset, got all")
        return bake_course(course, PRESETS[arguments.preset], arguments)
    names = list(PRESETS) if arguments.preset == ALL else [arguments.preset]
    character = _character(arguments.character)
    made = {name: judged(course, PRESETS[name], character) for name in names}
    if arguments.json:
        told = {
            "course": course.name,
            "seconds": course.seconds,
            "presets": {name: [row.values() for row in rows] for name, rows in made.items()},
        }
        print(json.dumps(told, indent=1, ensure_ascii=False))
        return 0
    count = len(course.sections)
    print(f"{course.name}: {count} section{'' if count == 1 else 's'}, {course.seconds:.1f} s")
    for name, rows in made.items():
        missed = sum(not row.met for row in rows)
        print(f"\n{name}: {len(rows)} rows, {missed} missed")
        print(table(rows))
    return 0


COMMAND = Subcommand("locomotion", "Run a course and judge the character's movement.", _arguments, _run)

"""``locomotion COURSE.json``: run a course and print the judge's table."""

import argparse
import json
from collections.abc import Mapping, Sequence

from core.cli.common import Subcommand, UsageError
from core.cli.locomotion_bake import add_bake, bake_course, matching_of
from core.cli.replacing import add_overwrite
from core.io import load
from core.locomotion.character import CharacterSetup, begin, character_setup, step
from core.locomotion.course import Course, run_controller, run_course
from core.locomotion.course_file import read_course
from core.locomotion.judge.beside import beside
from core.locomotion.judge.paths import paths
from core.locomotion.judge.poses import pose_rows
from core.locomotion.judge.responses import responses
from core.locomotion.judge.rows import Row, table
from core.locomotion.matching.driver import make_matcher
from core.locomotion.matching.setup import Drive
from core.locomotion.setup import PRESETS, Setup

ALL, BOTH = "all", "both"


def _arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("course", metavar="COURSE.json", help="a course: terrain and sections with inputs")
    parser.add_argument(
        "--preset",
        choices=[*PRESETS, ALL],
        default="normal",
        help="how quickly the controller responds (normal)",
    )
    parser.add_argument(
        "--drive",
        choices=[*Drive, BOTH],
        default=Drive.RULES,
        help="with --character: by the graph's rules, by motion matching, or both side by side (rules)",
    )
    parser.add_argument(
        "--matching", metavar="FILE.json", help="weights and ranges of motion matching (posewright.matching)"
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


def _characters(arguments: argparse.Namespace) -> dict[str, CharacterSetup | None]:
    """The character by each way to drive it; alone the controller without one."""
    if arguments.character is None:
        if arguments.drive != Drive.RULES:
            raise UsageError(f"--drive {arguments.drive}: expected --character FILE, a file with a character")
        return {Drive.RULES: None}
    project = load(arguments.character).project
    if not project.rigs:
        raise UsageError(f"--character: {arguments.character} holds no character")
    own = character_setup(project, project.rigs[0])
    ways: dict[str, CharacterSetup | None] = {Drive.RULES: own}
    if arguments.drive != Drive.RULES:
        ways[Drive.MATCHING] = own.with_matching(
            make_matcher(project, own.rig, own.moves, matching_of(arguments))
        )
    return ways if arguments.drive == BOTH else {arguments.drive: ways[arguments.drive]}


def _run(arguments: argparse.Namespace) -> int:
    course = read_course(arguments.course)
    if arguments.bake:
        if arguments.preset == ALL or arguments.drive == BOTH:
            raise UsageError("--bake: expected one preset and one way to drive")
        return bake_course(course, PRESETS[arguments.preset], arguments)
    names = list(PRESETS) if arguments.preset == ALL else [arguments.preset]
    ways = _characters(arguments)
    made = {
        name: {way: judged(course, PRESETS[name], character) for way, character in ways.items()}
        for name in names
    }
    if arguments.json:
        _print_json(course, made)
        return 0
    count = len(course.sections)
    print(f"{course.name}: {count} section{'' if count == 1 else 's'}, {course.seconds:.1f} s")
    for name, by_way in made.items():
        told = ", ".join(
            f"{len(rows)} rows{f' by {way}' if len(by_way) > 1 else ''}, {sum(not row.met for row in rows)} missed"
            for way, rows in by_way.items()
        )
        print(f"\n{name}: {told}")
        print(table(next(iter(by_way.values()))) if len(by_way) == 1 else beside(by_way))
    return 0


def _print_json(course: Course, made: Mapping[str, Mapping[str, Sequence[Row]]]) -> None:
    """The rows by preset; by preset and way where there are several."""
    presets = {
        name: {way: [row.values() for row in rows] for way, rows in by_way.items()}
        for name, by_way in made.items()
    }
    plain = {
        name: by_way if len(by_way) > 1 else next(iter(by_way.values())) for name, by_way in presets.items()
    }
    told = {"course": course.name, "seconds": course.seconds, "presets": plain}
    print(json.dumps(told, indent=1, ensure_ascii=False))


COMMAND = Subcommand("locomotion", "Run a course and judge the character's movement.", _arguments, _run)

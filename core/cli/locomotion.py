"""``locomotion COURSE.json``: run a course and print the judge's table."""

import argparse
import json
from collections.abc import Mapping, Sequence

from core.cli.common import Subcommand, UsageError
from core.cli.locomotion_bake import add_bake, bake_course, character_of, lacking, matching_of, only
from core.cli.replacing import add_overwrite
from core.io import load
from core.locomotion.character import CharacterSetup, CharacterState, begin, character_setup, step
from core.locomotion.course import Course, SectionRun, run_controller, run_course
from core.locomotion.course_file import read_course
from core.locomotion.judge.beside import beside
from core.locomotion.judge.digest import digests
from core.locomotion.judge.paths import paths
from core.locomotion.judge.poses import LEGEND, pose_rows
from core.locomotion.judge.responses import responses
from core.locomotion.judge.rows import Row, compared, table
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
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="one number of motion matching, such as path_place=3 or warp=off; may be repeated",
    )
    add_bake(parser)
    add_overwrite(parser)
    parser.add_argument(
        "--set-up", metavar="NAME", help="the character's set-up of this name, saved in its file (the first)"
    )
    shown = parser.add_mutually_exclusive_group()
    shown.add_argument("--table", action="store_true", help="print the judge's table (default)")
    shown.add_argument("--json", action="store_true", help="print the rows as JSON")
    shown.add_argument(
        "--digest",
        action="store_true",
        help="print SHA-256 of every state and pose, section by section: equal where runs are",
    )


Runs = tuple[SectionRun[CharacterState], ...]


def character_runs(course: Course, setup: Setup, character: CharacterSetup) -> Runs:
    """Every section by a character."""
    own, terrain = character.with_controller(setup), course.terrain
    return run_course(
        course,
        lambda section: begin(own, terrain, section.at, section.yaw),
        lambda state, given: step(own, terrain, state, given),
    )


def judged(course: Course, setup: Setup, character: CharacterSetup | None = None) -> list[Row]:
    """Every row that there is for a set-up on a course; those of poses where there is a character."""
    rows = [*responses(setup), *paths(course, run_controller(course, setup))]
    if character is None:
        return rows
    own = character.with_controller(setup)
    return [*rows, *pose_rows(own, course, character_runs(course, setup, character))]


def _characters(arguments: argparse.Namespace) -> dict[str, CharacterSetup | None]:
    """The character by each way to drive it; alone the controller without one."""
    if arguments.character is None:
        if arguments.drive != Drive.RULES:
            raise UsageError(f"--drive {arguments.drive}: expected --character FILE, a file with a character")
        if arguments.set_up is not None:
            raise UsageError("--set-up: expected --character FILE, the file that holds it")
        return {Drive.RULES: None}
    project = load(arguments.character).project
    rig, chosen = character_of(project, arguments)
    own = character_setup(project, rig, None, chosen)
    ways: dict[str, CharacterSetup | None] = {Drive.RULES: own}
    if arguments.drive != Drive.RULES:
        ways[Drive.MATCHING] = own.with_matching(
            make_matcher(project, rig, own.moves, matching_of(arguments, chosen))
        )
    return ways if arguments.drive == BOTH else {arguments.drive: ways[arguments.drive]}


def _run(arguments: argparse.Namespace) -> int:
    if arguments.set and arguments.drive == Drive.RULES:
        raise UsageError("--set: expected --drive matching or both")
    course = only(read_course(arguments.course), arguments.section)
    if arguments.bake:
        if arguments.preset == ALL or arguments.drive == BOTH:
            raise UsageError("--bake: expected one preset and one way to drive")
        return bake_course(course, PRESETS[arguments.preset], arguments)
    names = list(PRESETS) if arguments.preset == ALL else [arguments.preset]
    ways = _characters(arguments)
    if arguments.digest:
        for name in names:
            for way, character in ways.items():
                _print_digests(course, name if len(ways) == 1 else f"{name} {way}", PRESETS[name], character)
        return 0
    made = {
        name: {way: judged(course, PRESETS[name], character) for way, character in ways.items()}
        for name in names
    }
    some = next(iter(ways.values()))
    missing = () if some is None else some.missing
    if arguments.json:
        _print_json(course, made, missing)
        return 0
    count = len(course.sections)
    print(f"{course.name}: {count} section{'' if count == 1 else 's'}, {course.seconds:.1f} s")
    if some is not None:
        print("\n".join(lacking(some.rig.name, missing)))
    for name, by_way in made.items():
        told = ", ".join(
            f"{len(rows)} rows{f' by {way}' if len(by_way) > 1 else ''}, {sum(not row.met for row in rows)} missed"
            for way, rows in by_way.items()
        )
        print(f"{name}: {told}")
    print(f"\n{_tabled(made)}")
    if some is not None:
        print("\n" + "\n".join(LEGEND))
    return 0


def _tabled(made: Mapping[str, Mapping[str, Sequence[Row]]]) -> str:
    """The rows of one run; of one preset both ways, or of several presets, side by side."""
    first = next(iter(made.values()))
    if len(made) == 1:
        return table(next(iter(first.values()))) if len(first) == 1 else beside(first)
    return compared(
        {
            name if len(by_way) == 1 else f"{name} {way}": rows
            for name, by_way in made.items()
            for way, rows in by_way.items()
        }
    )


def _print_json(
    course: Course, made: Mapping[str, Mapping[str, Sequence[Row]]], missing: Sequence[str]
) -> None:
    """The rows by preset; by preset and way where there are several."""
    presets = {
        name: {way: [row.values() for row in rows] for way, rows in by_way.items()}
        for name, by_way in made.items()
    }
    plain = {
        name: by_way if len(by_way) > 1 else next(iter(by_way.values())) for name, by_way in presets.items()
    }
    told = {"course": course.name, "seconds": course.seconds, "missing": list(missing), "presets": plain}
    print(json.dumps(told, indent=1, ensure_ascii=False))


def _print_digests(course: Course, name: str, setup: Setup, character: CharacterSetup | None) -> None:
    """One section a line, then all of them."""
    if character is None:
        found = digests(run_controller(course, setup))
    else:
        found = digests(character_runs(course, setup, character))
    for section, digest in found.items():
        print(f"{name}\t{section}\t{digest}")


COMMAND = Subcommand("locomotion", "Run a course and judge the character's movement.", _arguments, _run)

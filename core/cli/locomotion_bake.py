"""``locomotion COURSE.json --bake OUT``: the sections of a course as clips with root motion, in a file."""

import argparse
from collections.abc import Sequence

from core.cli.common import UsageError
from core.cli.replacing import kept_old, require_free
from core.errors import MissingReferenceError
from core.evaluation.clip_pipeline import pose_assets
from core.ids import new_id
from core.io import load, save
from core.locomotion.bake import baked_course
from core.locomotion.course import Course
from core.locomotion.driven import Driven
from core.locomotion.matching.driver import make_matcher
from core.locomotion.matching.setup import Drive, Matching
from core.locomotion.matching.setup_file import read_matching, with_values
from core.locomotion.play_setup import PlaySetup, setup_named, setups_of
from core.locomotion.setup import Setup
from core.project.project import Asset, Project
from core.project.references import part_of
from core.rig.rig import Rig


def add_bake(parser: argparse.ArgumentParser) -> None:
    """The options."""
    parser.add_argument(
        "--bake",
        metavar="OUT",
        help="write each section as a clip with root motion, such as OUT.glb; no table",
    )
    parser.add_argument(
        "--character",
        metavar="FILE",
        help="the file of the character that runs: its poses are judged, or baked",
    )
    parser.add_argument("--rig", metavar="NAME", help="its rig, where the file has several (the first)")
    parser.add_argument(
        "--section", action="append", metavar="NAME", help="only this section; may be repeated"
    )


def matching_of(arguments: argparse.Namespace, chosen: PlaySetup | None) -> Matching:
    """What motion matching is set to: by the file, else by the character's set-up, then by ``--set``."""
    own = Matching() if chosen is None else chosen.matching
    return with_values(read_matching(arguments.matching) if arguments.matching else own, arguments.set)


def bake_course(course: Course, setup: Setup, arguments: argparse.Namespace) -> int:
    """Run the course with a character, and write what it did."""
    if not arguments.character:
        raise UsageError("--bake: expected --character FILE, a file with a character and its clips")
    require_free(arguments.bake, arguments.overwrite, [arguments.course, arguments.character])
    project = load(arguments.character).project
    rig, chosen = character_of(project, arguments)
    driven = Driven.of(project, rig, setup, course.terrain, chosen)
    if arguments.drive == Drive.MATCHING:
        own = driven.setup
        matcher = make_matcher(project, rig, own.moves, matching_of(arguments, chosen))
        driven = Driven(own.with_matching(matcher), course.terrain)
    clips = baked_course(driven, course, lambda section: new_id("clip"))
    parts: tuple[Asset, ...] = (rig, *project.meshes_of(rig.id), *pose_assets(project, rig.id), *clips)
    written = part_of(project, parts)
    for line in kept_old(arguments.bake, written):
        print(line)
    save(written, arguments.bake)
    seconds = sum(clip.length for clip in clips)
    print(f"{arguments.bake}: {len(clips)} clip{'' if len(clips) == 1 else 's'}, {seconds:.1f} s")
    for line in lacking(rig.name, driven.missing):
        print(line)
    return 0


def character_of(project: Project, arguments: argparse.Namespace) -> tuple[Rig, PlaySetup | None]:
    """The rig that runs, and the set-up that was named, else the first that it has.

    Raises
    ------
    MissingReferenceError
        No rig or set-up of that name.
    """
    rig = _rig(project, arguments.rig)
    if arguments.set_up is not None:
        return rig, setup_named(project, rig, arguments.set_up)
    return rig, next(iter(setups_of(project, rig.id)), None)


def lacking(name: str, missing: Sequence[str]) -> list[str]:
    """Lines that tell what a character lacks, kind by kind, and which of its behaviours are off."""
    if not missing:
        return [f"{name} has all that locomotion uses"]
    lines = []
    for kind, told in (
        ("clip ", "clips"), ("blend space ", "blend spaces"), ("bone ", "bones"), ("bones of ", "bones of"),
        ("curve ", "curves"), ("ragdoll ", "ragdoll"), ("behaviour ", "so these behaviours are off"),
    ):  # fmt: skip
        found = [item.removeprefix(kind) for item in missing if item.startswith(kind)]
        if found:
            lines.append(f"{name}: {told}: {'; '.join(found)}")
    return [lines[0].replace(": ", " lacks ", 1), *lines[1:]] if lines else []


def only(course: Course, names: list[str] | None) -> Course:
    """The course with some of its sections; all of them where none is named.

    Raises
    ------
    MissingReferenceError
        A section is not there.
    """
    if not names:
        return course
    have = [section.name for section in course.sections]
    unknown = [name for name in names if name not in have]
    if unknown:
        raise MissingReferenceError(f"no section is named {unknown[0]!r}; there are: {', '.join(have)}")
    return Course(course.name, course.terrain, tuple(s for s in course.sections if s.name in names))


def _rig(project: Project, name: str | None) -> Rig:
    found = [rig for rig in project.rigs if name is None or rig.name == name]
    if not found:
        have = ", ".join(repr(rig.name) for rig in project.rigs) or "none"
        raise MissingReferenceError(f"no rig is named {name!r}; there are: {have}")
    return found[0]

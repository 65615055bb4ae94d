"""``bodies propose|check|widen FILE``: the bodies of a ragdoll and their ranges, without a window."""

import argparse
import json
from dataclasses import replace
from pathlib import Path

from core.cli.common import Subcommand, UsageError
from core.cli.replacing import add_overwrite, kept_old, require_free
from core.clips.clip import Clip
from core.errors import AnimError
from core.evaluation.range_check import RangeExcess, check_ranges, checkable, require_plan, widened_to_fit
from core.io import load, save
from core.project.project import Project
from core.rig.propose_bodies import propose_bodies
from core.rig.rig import Rig
from core.rig.roles import rig_roles
from core.timing import frame_text

NATIVE = ".posewright"
AXES = ("bend", "sideways", "twist")


def _arguments(parser: argparse.ArgumentParser) -> None:
    words = parser.add_subparsers(dest="word", metavar="WORD", required=True, parser_class=type(parser))
    propose = words.add_parser("propose", help="give a character bodies, from its bones and its skin")
    _file(propose, "a file with a character")
    _out(propose, "the Posewright file to write")
    check = words.add_parser(
        "check", help="list which clip leaves the range of which joint, by how much and when"
    )
    _file(check, "a Posewright file with bodies, or any character with --propose")
    check.add_argument("--propose", action="store_true", help="check against proposed bodies")
    check.add_argument("--json", action="store_true", help="print it as JSON")
    widen = words.add_parser("widen", help="widen joint ranges until they hold all clips")
    _file(widen, "a Posewright file with bodies")
    _out(widen, "the Posewright file to write")


def _file(parser: argparse.ArgumentParser, text: str) -> None:
    parser.add_argument("file", help=text)


def _out(parser: argparse.ArgumentParser, text: str) -> None:
    parser.add_argument("--out", metavar="FILE", required=True, help=text)
    add_overwrite(parser)


def _run(arguments: argparse.Namespace) -> int:
    words = {"propose": _propose, "check": _check, "widen": _widen}
    return words[arguments.word](arguments)


def _rig(project: Project, path: str) -> Rig:
    with_clips = [rig for rig in project.rigs if project.clips_of(rig.id)]
    found = next(iter([*with_clips, *project.rigs]), None)
    if found is None:
        raise AnimError(f"{path}: it holds no rig")
    return found


def _with_proposal(project: Project, rig: Rig) -> Rig:
    return replace(rig, body_plan=propose_bodies(rig, project.meshes_of(rig.id), rig_roles(rig)))


def _require_native(path: str) -> None:
    if Path(path).suffix.lower() != NATIVE:
        raise UsageError(f"{path}: bodies are kept in {NATIVE} files alone; give --out that extension")


# ---------------------------------------------------------------- bodies
def _propose(arguments: argparse.Namespace) -> int:
    _require_native(arguments.out)
    require_free(arguments.out, arguments.overwrite, [arguments.file])
    project = load(arguments.file).project
    rig = _with_proposal(project, _rig(project, arguments.file))
    assert rig.body_plan is not None
    for body in rig.body_plan:
        ranges = ", ".join(f"{axis.minimum:.4g}…{axis.maximum:.4g}°" for axis in body.axes) or "free"
        print(f"{body.bone}: {body.mass:.3g} kg, radius {1000.0 * body.capsule.radius:.1f} mm, {ranges}")
    _save(arguments, project.with_assets(rig))
    print(f"{arguments.out}: {len(rig.body_plan)} bodies, {rig.body_plan.mass:.3g} kg")
    return 0


def _check(arguments: argparse.Namespace) -> int:
    project = load(arguments.file).project
    rig = _rig(project, arguments.file)
    rig = _with_proposal(project, rig) if arguments.propose else rig
    rows = check_ranges(project, rig, require_plan(rig))
    if arguments.json:
        print(json.dumps([_told(project, row) for row in rows], indent=1))
    else:
        for row in rows:
            told = _told(project, row)
            print(
                f"{row.name}: {told['bone']} {told['axis']} {told['beyond']:.1f}° beyond its range at frame "
                f"{frame_text(_frame(project, row))} ({told['lowest']:.1f}…{told['highest']:.1f}°)"
            )
        clips = len(checkable(project, rig))
        outside = len({row.clip for row in rows})
        print(f"{clips} clip{'' if clips == 1 else 's'}, {outside} outside the ranges")
    return 1 if rows else 0


def _frame(project: Project, row: RangeExcess) -> float:
    return project.get(Clip, row.clip).rate.to_frame(row.time)


def _told(project: Project, row: RangeExcess) -> dict[str, object]:
    return {
        "clip": row.name, "bone": row.excess.bone, "axis": AXES[row.excess.axis], "beyond": row.excess.beyond,
        "lowest": row.excess.lowest, "highest": row.excess.highest, "time": row.time,
        "frame": _frame(project, row),
    }  # fmt: skip


def _widen(arguments: argparse.Namespace) -> int:
    _require_native(arguments.out)
    require_free(arguments.out, arguments.overwrite, [arguments.file])
    project = load(arguments.file).project
    rig = _rig(project, arguments.file)
    plan = require_plan(rig)
    rows = check_ranges(project, rig, plan)
    wider = widened_to_fit(plan, rows)
    _save(arguments, project.with_assets(replace(rig, body_plan=wider)))
    ranges = len({(row.excess.bone, row.excess.axis) for row in rows})
    print(f"{arguments.out}: {ranges} range{'' if ranges == 1 else 's'} widened")
    return 0


def _save(arguments: argparse.Namespace, project: Project) -> None:
    for line in kept_old(arguments.out, project):
        print(line)
    save(project, arguments.out)


COMMAND = Subcommand(
    "bodies", "Propose the bodies of a ragdoll, check clips against their ranges.", _arguments, _run
)

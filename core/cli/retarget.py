"""``retarget SOURCE --clip NAME|--all --onto CHARACTER --out FILE``: clips of one character on another."""

import argparse
import glob
import sys
from dataclasses import replace
from pathlib import Path

from core.cli.common import Subcommand, UsageError
from core.cli.replacing import add_overwrite, kept_old, require_free
from core.clips.clip import Clip
from core.errors import AnimError, ValidationError
from core.ids import new_id
from core.io import format_of, load, save
from core.io.common.opening import read_regular
from core.io.prepare.bake_evaluated import bake_evaluated
from core.io.registry import writable
from core.project.project import Project
from core.project.references import part_of
from core.retarget.chain_map import ChainMap, map_to_json, parsed_map, propose_map
from core.retarget.lock import LockOptions
from core.retarget.report import ClipReport, legend, name_of, table
from core.retarget.retarget import Options, retarget_clip
from core.retarget.transfer import TransferOptions
from core.rig.rig import Rig


def _arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "sources", nargs="+", metavar="SOURCE", help="files with clips; * and ** are expanded"
    )
    parser.add_argument("--clip", metavar="NAME", action="append", help="only this clip; repeatable")
    parser.add_argument(
        "--all", action="store_true", help="every clip of every source; not needed if each file has one clip"
    )
    parser.add_argument("--onto", required=True, metavar="CHARACTER", help="the file with the character")
    parser.add_argument(
        "--out", required=True, metavar="FILE", help="the file to write: the character and clips"
    )
    add_overwrite(parser)
    parser.add_argument("--map", metavar="MAP.json", help="chain map to use")
    parser.add_argument(
        "--write-map", metavar="MAP.json", help="only write the proposed chain map, for editing"
    )
    parser.add_argument("--no-foot-lock", action="store_true", help="do not lock planted feet")
    parser.add_argument(
        "--hip-drop",
        type=float,
        default=1.0,
        metavar="0..1",
        help="how far the hips move so that planted feet are reached; 0 keeps the hips",
    )
    parser.add_argument(
        "--knee-limit",
        type=float,
        default=LockOptions().knee_limit,
        metavar="DEGREES",
        help="how much more a knee may bend before its foot is released",
    )
    parser.add_argument("--hold-hands", action="store_true", help="lock resting hands, too")
    parser.add_argument(
        "--arm-reach",
        type=float,
        default=0.0,
        metavar="0..1",
        help="how far hands follow the source's hand positions",
    )
    parser.add_argument(
        "--stride", type=float, default=1.0, metavar="X", help="factor on the movement over the ground"
    )
    parser.add_argument(
        "--floor-offset",
        type=float,
        default=0.0,
        metavar="METRES",
        help="raise the character and its floor, in metres",
    )
    parser.add_argument(
        "--level-floor", action="store_true", help="remove the slow vertical drift of a capture"
    )


def _run(arguments: argparse.Namespace) -> int:
    sources = _found(arguments.sources)
    if not arguments.write_map:
        require_free(arguments.out, arguments.overwrite, [arguments.onto, *sources])
    format = format_of(arguments.out)
    if format is None or not arguments.out.lower().endswith(format.write_suffixes):
        raise UsageError(f"{arguments.out}: files of this name cannot be written (known: {writable()})")
    onto = load(arguments.onto).project
    target = _rig(onto, arguments.onto)
    if arguments.write_map:
        require_free(arguments.write_map, arguments.overwrite)
        for line in kept_old(arguments.write_map, None):
            print(line)
        return _write_map(sources[0], target, arguments.write_map)
    given = _map_of(arguments.map) if arguments.map else None
    lock = LockOptions(
        hands=arguments.hold_hands, hip_drop=arguments.hip_drop, knee_limit=arguments.knee_limit
    )
    options = Options(
        TransferOptions(
            stride_factor=arguments.stride,
            floor_offset=arguments.floor_offset,
            arm_reach=arguments.arm_reach,
        ),
        None if arguments.no_foot_lock else lock,
        level_floor=arguments.level_floor,
    )
    clips: list[Clip] = []
    reports: list[ClipReport] = []
    for number, path in enumerate(sources):
        print(f"{number + 1}/{len(sources)} {path}", file=sys.stderr)
        _retarget_file(path, target, given, arguments.clip, arguments.all, options, clips, reports)
    if clips:
        written = part_of(onto, (target, *onto.meshes_of(target.id), *clips))
        for line in kept_old(arguments.out, written):
            print(line)
        save(written, arguments.out)
    print(table(reports))
    print(legend())
    for report in reports:
        for note in report.notes:
            print(f"{report.clip}: {note}")
    failed = sum(bool(report.failure) for report in reports)
    print(f"{arguments.out}: {len(clips)} clips" if clips else "nothing was written", end="")
    print(f", {failed} failed" if failed else "")
    return 1 if failed else 0


def _retarget_file(
    path: str,
    target: Rig,
    given: ChainMap | None,
    names: list[str] | None,
    every: bool,
    options: Options,
    clips: list[Clip],
    reports: list[ClipReport],
) -> None:
    """Retarget the clips of one file; what goes wrong is told in the table and stops nothing else."""
    name = Path(path).name
    try:
        project = load(path).project
        chosen = [project.clip_named(n).id for n in names] if names else [clip.id for clip in project.clips]
        if not chosen:
            raise AnimError("it holds no clip")
        if len(chosen) > 1 and not names and not every:
            known = ", ".join(clip.name for clip in project.clips)
            raise UsageError(f"{path}: say which clips: --clip NAME, or --all; it holds {known}")
        seen = bake_evaluated(project, chosen)
        wanted = [seen.get(Clip, clip) for clip in chosen]
        for clip in wanted:
            rig = project.get(Rig, clip.rig)
            try:
                done = retarget_clip(
                    rig, clip, target, given, options, id=new_id("clip"), bases=project.clips
                )
            except AnimError as error:
                reports.append(ClipReport(name, clip.name, failure=" ".join(str(error).split())))
                continue
            called = _free(name_of(clip.name, path, len(project.clips)), clips)
            clips.append(replace(done.clip, name=called))
            reports.append(replace(done.report, source=name))
    except UsageError:
        raise
    except AnimError as error:
        reports.append(ClipReport(name, "", failure=" ".join(str(error).split())))


def _free(name: str, clips: list[Clip]) -> str:
    taken, number, free = {clip.name for clip in clips}, 2, name
    while free in taken:
        free, number = f"{name} {number}", number + 1
    return free


def _found(patterns: list[str]) -> list[str]:
    """The files that the patterns name, each once, in order."""
    found: list[str] = []
    for pattern in patterns:
        if Path(pattern).exists():
            matches = [pattern]
        else:
            every = sorted(glob.glob(pattern, recursive=True))  # noqa: PTH207 - patterns may be absolute
            matches = [match for match in every if format_of(match) is not None]
        if not matches:
            raise UsageError(f"{pattern}: no such file")
        found += [match for match in matches if match not in found]
    return found


def _rig(project: Project, path: str) -> Rig:
    if not project.rigs:
        raise AnimError(f"{path}: it holds no character")
    return project.rigs[0]


def _map_of(path: str) -> ChainMap:
    try:
        return parsed_map(read_regular(Path(path)).decode("utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{path}: cannot be read: {error}") from None
    except AnimError as error:
        raise ValidationError(f"{path}: {error}") from None


def _write_map(path: str, target: Rig, out: str) -> int:
    found = propose_map(_rig(load(path).project, path).skeleton, target.skeleton)
    Path(out).write_text(map_to_json(found), encoding="utf-8")
    for pair in found.chains:
        print(f"{pair.confidence:.2f}  {pair.name}: {', '.join(pair.source)} → {', '.join(pair.target)}")
    print(f"left out of the source: {', '.join(found.source_left) or 'none'}")
    print(f"left out of the target: {', '.join(found.target_left) or 'none'}")
    for note in (found.refused, *found.notes):
        if note:
            print(note)
    return 0


COMMAND = Subcommand("retarget", "Retarget clips to another character.", _arguments, _run)
"""For `core.cli.main`."""

"""``montage list|check|bake FILE``: montages without a window, for scripts and build servers."""

import argparse
import json
from collections.abc import Sequence
from typing import Any

from core.cli.common import Subcommand, positive
from core.cli.replacing import add_overwrite, kept_old, require_free
from core.errors import MissingReferenceError
from core.evaluation.clip_pipeline import pose_assets
from core.graph.montage import Montage
from core.graph.montage_edits import section_number, trigger_time
from core.graph.montage_preview import baked_montage
from core.graph.montage_problems import problems_of
from core.graph.names import near
from core.ids import AssetId, new_id
from core.io import load, save
from core.project.project import Asset, Project
from core.project.references import part_of
from core.rig.rig import Rig
from core.timing import FrameRate


def _arguments(parser: argparse.ArgumentParser) -> None:
    words = parser.add_subparsers(dest="word", metavar="WORD", required=True, parser_class=type(parser))
    show = words.add_parser("list", help="what each montage holds: slots, segments, sections, notifies")
    show.add_argument("file", help="a Posewright file with montages")
    show.add_argument("--json", action="store_true", help="print it as JSON")
    check = words.add_parser("check", help="list every problem of a file's montages")
    check.add_argument("file", help="a Posewright file with montages")
    check.add_argument("--montage", metavar="NAME", help="which montage; all where left out")
    check.add_argument("--json", action="store_true", help="print the problems as JSON")
    bake = words.add_parser("bake", help="play a montage to its end; write what it plays as a clip")
    bake.add_argument("file", help="a Posewright file with montages")
    bake.add_argument("--montage", metavar="NAME", help="which montage; the only one where left out")
    bake.add_argument(
        "--section", metavar="NAME", default="", help="where it begins; the start where left out"
    )
    bake.add_argument(
        "--over", metavar="CLIP", help="the clip that it plays over; the rest pose where left out"
    )
    bake.add_argument("--rate", type=positive, default=30.0, metavar="FPS", help="frames per second (30)")
    bake.add_argument(
        "--seconds",
        type=positive,
        default=10.0,
        metavar="S",
        help="cut an endless chain of sections here (10)",
    )
    bake.add_argument("--out", metavar="CLIP", required=True, help="the file to write, such as CLIP.glb")
    add_overwrite(bake)


def montage_named(project: Project, name: str | None, path: str) -> Montage:
    """The montage of that name, or the only one; raises `MissingReferenceError` listing what there is."""
    montages = project.all(Montage)
    found = [montage for montage in montages if name is None or montage.name == name]
    names = [montage.name for montage in montages]
    if not found:
        what = "it holds no montage" if name is None else f"no montage is named {name!r}{near(name, names)}"
        raise MissingReferenceError(f"{path}: {what}; there are: {', '.join(map(repr, names)) or 'none'}")
    if name is None and len(found) > 1:
        have = ", ".join(map(repr, names))
        raise MissingReferenceError(f"{path}: it holds several montages; choose one with --montage: {have}")
    return found[-1]


def told(montage: Montage, project: Project) -> dict[str, Any]:
    """A montage as plain values, times in seconds."""
    clips = {clip.id: clip.name for clip in project.clips}
    return {
        "name": montage.name,
        "length": montage.length,
        "group": montage.group,
        "slots": {
            montage.slot_name(track): [
                {
                    "clip": clips.get(s.clip), "place": s.place, "begin": s.begin, "end": s.end, "rate": s.rate,
                }
                for s in track.segments
            ]
            for track in montage.tracks
        },
        "sections": [{"name": s.name, "start": s.start, "next": s.next} for s in montage.sections],
        "blend_in": montage.blend_in.seconds,
        "blend_out": montage.blend_out.seconds,
        "blends_out_at": trigger_time(montage) if montage.auto_blend_out else None,
        "notifies": [
            {
                "name": n.name, "time": n.time, "duration": n.duration, "lane": n.lane, "data": dict(n.data),
                "branching": n.rule.branching, "while": n.rule.condition,
            }
            for n in montage.notifies
        ],
    }  # fmt: skip


def _run(arguments: argparse.Namespace) -> int:
    return {"list": _list, "check": _check, "bake": _bake}[arguments.word](arguments)


def _list(arguments: argparse.Namespace) -> int:
    project = load(arguments.file).project
    found = [told(montage, project) for montage in project.all(Montage)]
    if arguments.json:
        print(json.dumps(found, indent=1))
        return 0
    for montage in found:
        ways = ", ".join(s["name"] + (f" → {s['next']}" if s["next"] else "") for s in montage["sections"])
        print(f"{montage['name']}: {montage['length']:.4g} s" + (f", sections {ways}" if ways else ""))
        for slot, segments in montage["slots"].items():
            print(f"  {slot}: " + ", ".join(_segment(segment) for segment in segments))
        for notify in montage["notifies"]:
            print(
                f"  {notify['time']:.4g} s {notify['name']}" + (" (branching)" if notify["branching"] else "")
            )
    if not found:
        print("no montage")
    return 0


def _segment(segment: dict[str, Any]) -> str:
    rate = f" × {segment['rate']:g}" if segment["rate"] != 1.0 else ""
    return (
        f"{segment['clip']} {segment['begin']:.4g}–{segment['end']:.4g} s at {segment['place']:.4g} s{rate}"
    )


def _check(arguments: argparse.Namespace) -> int:
    project = load(arguments.file).project
    montages: Sequence[Montage] = project.all(Montage)
    if arguments.montage:
        montages = [montage_named(project, arguments.montage, arguments.file)]
    found = [(montage, problem) for montage in montages for problem in problems_of(montage, project)]
    if arguments.json:
        rows = [
            {
                "montage": montage.name, "message": p.message, "part": str(p.part), "track": p.track,
                "number": p.number, "warning": p.warning,
            }
            for montage, p in found
        ]  # fmt: skip
        print(json.dumps(rows, indent=1))
    else:
        for montage, problem in found:
            print(f"{montage.name}: {'warning: ' if problem.warning else ''}{problem.message}")
        count = len(montages)
        print(
            f"{count} montage{'' if count == 1 else 's'}, {len(found)} problem{'' if len(found) == 1 else 's'}"
        )
    return 1 if any(not problem.warning for _, problem in found) else 0


def _bake(arguments: argparse.Namespace) -> int:
    require_free(arguments.out, arguments.overwrite, [arguments.file])
    project = load(arguments.file).project
    montage = montage_named(project, arguments.montage, arguments.file)
    if arguments.section:
        section_number(montage, arguments.section)
    base: AssetId | None = project.clip_named(arguments.over).id if arguments.over else None
    clip = baked_montage(
        montage, project, new_id("clip"), section=arguments.section, base=base,
        rate=FrameRate.of(arguments.rate), most=arguments.seconds,
    )  # fmt: skip
    rig = project.get(Rig, montage.rig)
    parts: tuple[Asset, ...] = (rig, *project.meshes_of(rig.id), *pose_assets(project, rig.id), clip)
    written = part_of(project, parts)
    for line in kept_old(arguments.out, written):
        print(line)
    save(written, arguments.out)
    print(f"{arguments.out}: {clip.length:.4g} s, {len(clip.notifies)} notifies")
    return 0


COMMAND = Subcommand("montage", "List, check and bake montages.", _arguments, _run)

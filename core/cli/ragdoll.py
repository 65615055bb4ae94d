"""``ragdoll FILE``: let the character of a file fall from a clip, get up, and tell or bake what it did."""

import argparse
import json
from pathlib import Path

from core.cli.common import Subcommand, UsageError, chosen_rig, number_list, output_folder, positive
from core.cli.replacing import add_overwrite, kept_old, require_free
from core.clips.clip import Clip
from core.evaluation.clip_pipeline import pose_assets
from core.ids import new_id
from core.io import load, save
from core.locomotion.animation.propose import propose
from core.locomotion.fall import GET_UPS
from core.physics.drop import Drop, Fallen, baked, run_drop
from core.physics.get_up import GetUp
from core.physics.ragdoll import Push, Ragdoll
from core.project.project import Asset, Project
from core.project.references import part_of
from core.rig.propose_bodies import propose_bodies
from core.rig.rig import Rig
from core.terrain.pieces import Bumps, Plane, Slope, Stairs
from core.terrain.reading import read_terrain
from core.terrain.terrain import Terrain

GROUNDS = {
    "flat": Terrain((Plane(),), "flat"),
    "stairs": Terrain((Plane(), Stairs((0.0, 0.0, 1.1), count=12, width=8.0)), "stairs"),
    "slope": Terrain((Plane(), Slope(25.0, (0.0, 0.0, 1.1), length=6.0, width=8.0)), "slope"),
    "bumps": Terrain((Plane(), Bumps((0.0, 0.0, 6.5), size=(14.0, 12.0), amplitude=0.15)), "bumps"),
}


def _arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="a file with a character and clips")
    parser.add_argument(
        "--clip", action="append", metavar="NAME", help="fall from this clip (the first); may be repeated"
    )
    parser.add_argument("--time", type=float, metavar="S", help="seconds of the clip (its middle)")
    parser.add_argument(
        "--speed", type=float, default=0.0, metavar="V", help="m/s the character travels ahead (0)"
    )
    parser.add_argument("--height", type=float, default=0.0, metavar="H", help="metres above the ground (0)")
    parser.add_argument("--yaw", type=float, default=0.0, metavar="DEGREES", help="where it faces (0: +Z)")
    parser.add_argument(
        "--terrain",
        default="flat",
        metavar="NAME|FILE",
        help=f"{', '.join(GROUNDS)}, or a terrain file (flat)",
    )
    parser.add_argument(
        "--push", action="append", metavar="BONE:X,Y,Z", help="a blow in N·s at the start; may be repeated"
    )
    parser.add_argument("--seconds", type=positive, default=4.0, metavar="S", help="of the fall (4)")
    parser.add_argument("--lie", action="store_true", help="stay lying where there are clips to get up by")
    parser.add_argument(
        "--bake", metavar="OUT", help="write each fall as a clip with root motion, such as OUT.glb"
    )
    add_overwrite(parser)
    shown = parser.add_mutually_exclusive_group()
    shown.add_argument("--table", action="store_true", help="print a row a fall (default)")
    shown.add_argument("--json", action="store_true", help="print the rows as JSON")


def _pushes(told: list[str] | None) -> tuple[Push, ...]:
    found = []
    for text in told or ():
        bone, colon, numbers = text.rpartition(":")
        try:
            x, y, z = number_list(numbers)
        except (argparse.ArgumentTypeError, ValueError):
            colon = ""
        if not colon or not bone:
            raise UsageError(f"--push: expected BONE:X,Y,Z in N·s, got {text!r}")
        found.append(Push(bone, (x, y, z)))
    return tuple(found)


def _ground(name: str) -> Terrain:
    if name in GROUNDS:
        return GROUNDS[name]
    if not Path(name).exists():
        raise UsageError(f"--terrain: expected {', '.join(GROUNDS)} or a terrain file, got {name!r}")
    return read_terrain(name)


def _clips(project: Project, names: list[str] | None, path: str) -> list[Clip]:
    if names:
        return [project.clip_named(name) for name in names]
    if not project.clips:
        raise UsageError(f"{path}: it holds no clip to fall from")
    return [project.clips[0]]


def _values(clip: Clip, drop: Drop, fallen: Fallen) -> dict[str, float | str | bool | None]:
    return {
        "clip": clip.name,
        "time_s": round(drop.time, 4),
        "rest_s": None if fallen.rest is None else round(fallen.rest, 3),
        "limits_deg": round(fallen.limits, 2),
        "limits_rest_deg": round(fallen.limits_rest, 2),
        "ground_mm": round(fallen.ground * 1e3, 1),
        "ground_rest_mm": round(fallen.ground_rest * 1e3, 2),
        "get_up": fallen.rise,
        "get_up_first_mm": round(fallen.first * 1e3, 3),
        "ended": fallen.ended,
    }


COLUMNS = {
    "clip": "clip",
    "time_s": "from s",
    "rest_s": "rest s",
    "limits_deg": "limits °",
    "limits_rest_deg": "at rest °",
    "ground_mm": "ground mm",
    "ground_rest_mm": "at rest mm",
    "get_up": "gets up by",
    "get_up_first_mm": "first step mm",
}


def _table(rows: list[dict[str, float | str | bool | None]]) -> str:
    cells = [list(COLUMNS.values())]
    cells += [["-" if row[key] in (None, "") else str(row[key]) for key in COLUMNS] for row in rows]
    widths = [max(len(line[k]) for line in cells) for k in range(len(COLUMNS))]
    return "\n".join(
        "  ".join(c.ljust(w) for c, w in zip(line, widths, strict=True)).rstrip() for line in cells
    )


def _run(arguments: argparse.Namespace) -> int:
    if arguments.bake:
        output_folder(arguments.bake)
        require_free(arguments.bake, arguments.overwrite, [arguments.file])
    ground, pushes = _ground(arguments.terrain), _pushes(arguments.push)
    project = load(arguments.file).project
    clips = _clips(project, arguments.clip, arguments.file)
    rig = chosen_rig(project, clips[0], arguments.file)
    plan = rig.body_plan if rig.body_plan is not None else propose_bodies(rig, project.meshes_of(rig.id))
    doll = Ragdoll(rig, plan, ground)
    get_up = None if arguments.lie else _get_up(project, rig, doll)
    rows, made = [], []
    for clip in clips:
        time = 0.5 * clip.length if arguments.time is None else arguments.time
        place = (0.0, max(float(ground.under([0.0, 0.0, 0.0])), 0.0) + arguments.height, 0.0)
        drop = Drop(clip, time, place, arguments.yaw, arguments.speed, pushes, arguments.seconds)
        fallen = run_drop(doll, drop, get_up)
        rows.append(_values(clip, drop, fallen))
        made.append(baked(doll, fallen.postures, new_id("clip"), f"fall from {clip.name}"))
    if arguments.bake:
        _write(project, rig, made, arguments.bake)
    if arguments.json:
        print(json.dumps({"bodies": len(plan), "mass_kg": round(plan.mass, 2), "falls": rows}, indent=1))
    else:
        print(_table(rows))
    return 0


def _get_up(project: Project, rig: Rig, doll: Ragdoll) -> GetUp | None:
    moves = propose(rig, project)
    clips = [moves.clips[name] for name in GET_UPS if name in moves]
    return GetUp(rig, doll.plan, clips) if clips else None


def _write(project: Project, rig: Rig, clips: list[Clip], path: str) -> None:
    parts: tuple[Asset, ...] = (rig, *project.meshes_of(rig.id), *pose_assets(project, rig.id), *clips)
    written = part_of(project, parts)
    for line in kept_old(path, written):
        print(line)
    save(written, path)


COMMAND = Subcommand(
    "ragdoll", "Let a character fall from a clip as a ragdoll, and get up.", _arguments, _run
)
"""Declared for `core.cli.main`."""

"""``posewright shot``: cameras and props of a document, without a window."""

import argparse
import json
import sys
from pathlib import Path

from core.cli.common import Subcommand, UsageError, chosen_rig, output_folder
from core.project.project import Project


def _arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("what", choices=("list", "add"), help="list what there is, or add to a copy")
    parser.add_argument("file", help="the document, or the character's file")
    parser.add_argument("--json", action="store_true", help="list: as JSON")
    parser.add_argument(
        "--cameras", metavar="FILE", help="add: the cameras of a glTF, FBX, USD or Posewright file"
    )
    parser.add_argument("--prop", metavar="FILE", help="add: the meshes of a file as one prop (also OBJ)")
    parser.add_argument(
        "--bone", metavar="NAME", help="add: the bone that holds the prop; without, it stands at 0"
    )
    parser.add_argument("--character", metavar="FILE", help="add: a second character to look at")
    parser.add_argument("--out", metavar="FILE.posewright", help="add: where to write")
    parser.add_argument(
        "--overwrite", action="store_true", help="add: replace the file where it is there already"
    )


def _run(arguments: argparse.Namespace) -> int:
    import core.io

    project = core.io.load(arguments.file).project
    if arguments.what == "list":
        rows = _rows(project)
        lines = (
            [json.dumps(rows, indent=2)] if arguments.json else [_line(row) for row in rows] or ["nothing"]
        )
        print("\n".join(lines))
        return 0
    if not arguments.out or Path(arguments.out).suffix.lower() != ".posewright":
        raise UsageError("--out: a shot is saved in a document: name a file that ends in .posewright")
    if Path(arguments.out).exists() and not arguments.overwrite:
        raise UsageError(
            f"{arguments.out}: this file exists already; choose another name (--overwrite replaces it)"
        )
    made = _added(project, arguments)
    output_folder(arguments.out)
    core.io.save(made, arguments.out)
    added = len(made.assets) - len(project.assets)
    print(f"{arguments.out}: {added} added", file=sys.stderr)
    return 0


def _added(project: Project, arguments: argparse.Namespace) -> Project:
    from core.ids import new_id
    from core.io.shot_files import read_prop, read_shot_cameras
    from core.pose.kinematics import model_matrices
    from core.shot.character import ShotCharacter
    from core.shot.prop import Hold, held_always, offset_at

    if not (arguments.cameras or arguments.prop or arguments.character):
        raise UsageError("shot add: expected --cameras, --prop or --character")
    if arguments.bone and not arguments.prop:
        raise UsageError("--bone: expected --prop, which it is to hold")
    if arguments.cameras:
        project = project.with_assets(*read_shot_cameras(arguments.cameras))
    if arguments.prop:
        prop = read_prop(arguments.prop)
        if arguments.bone:
            rig = chosen_rig(project, None, arguments.file)
            number = rig.skeleton.index(arguments.bone)  # tells which bones there are
            models = model_matrices(rig.skeleton, rig.skeleton.rest)
            prop = held_always(prop, Hold(0.0, offset_at(models[number]), arguments.bone, rig.id))
        project = project.with_assets(prop)
    if arguments.character:
        path = Path(arguments.character)
        if not path.is_file():
            raise UsageError(f"--character: {path} is not there")
        shown = ShotCharacter(new_id("shot_character"), path.stem, str(path.resolve()))
        project = project.with_assets(shown)
    return project


def _rows(project: Project) -> list[dict[str, object]]:
    from core.shot.camera import ShotCamera, key_times
    from core.shot.character import ShotCharacter
    from core.shot.prop import Prop

    rows: list[dict[str, object]] = []
    for camera in project.all(ShotCamera):
        keys = len(key_times(camera))
        rows.append({"kind": "camera", "name": camera.name, "lens_mm": round(camera.lens, 4), "keys": keys})
    for prop in project.all(Prop):
        holders = [hold.bone or "world" for hold in prop.holds]
        rows.append({"kind": "prop", "name": prop.name, "held_by": holders})
    others = project.all(ShotCharacter)
    return rows + [{"kind": "character", "name": one.name, "file": one.file} for one in others]


def _line(row: dict[str, object]) -> str:
    more = ", ".join(f"{key} {_text(value)}" for key, value in row.items() if key not in ("kind", "name"))
    return f"{row['kind']} {row['name']}: {more}"


def _text(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


COMMAND = Subcommand(
    "shot", "List or add cameras, props and second characters of a document.", _arguments, _run
)

"""``sets list|make|rename|delete|carry FILE``: named sets of a character's bones, for selection in the editor."""

import argparse
import json
from collections.abc import Sequence

from core.cli.common import Subcommand, UsageError
from core.cli.replacing import add_overwrite, kept_old, require_free
from core.errors import AnimError
from core.io import load, save
from core.project.project import Project
from core.rig import bone_sets
from core.rig.rig import Rig
from core.rig.set_color import SetColor


def _arguments(parser: argparse.ArgumentParser) -> None:
    words = parser.add_subparsers(dest="word", metavar="WORD", required=True, parser_class=type(parser))
    listing = words.add_parser("list", help="the sets, their colors and bones")
    _file(listing)
    listing.add_argument("--json", action="store_true", help="as JSON")
    make = words.add_parser("make", help="make a set, or give one other bones")
    _shared(make)
    _name(make)
    make.add_argument("--bones", metavar="A,B,…", required=True, help="names of its bones")
    make.add_argument("--color", choices=[str(color) for color in SetColor], help="a free one where left out")
    rename = words.add_parser("rename", help="rename a set")
    _shared(rename)
    _name(rename)
    rename.add_argument("--to", metavar="NEW", required=True, help="its new name")
    delete = words.add_parser("delete", help="delete a set; its bones stay")
    _shared(delete)
    _name(delete)
    carry = words.add_parser("carry", help="take the sets of another file's characters, by names of bones")
    _shared(carry)
    carry.add_argument("--from", metavar="OTHER", dest="source", required=True, help="the file with the sets")


def _file(run: argparse.ArgumentParser) -> None:
    run.add_argument("file", help="a file with a character")
    run.add_argument("--rig", metavar="NAME", help="which character; the first where left out")


def _name(run: argparse.ArgumentParser) -> None:
    run.add_argument("--name", metavar="NAME", required=True, help="name of the set")


def _shared(run: argparse.ArgumentParser) -> None:
    _file(run)
    run.add_argument("--out", metavar="FILE", required=True, help="the document to write (.posewright)")
    add_overwrite(run)


def _run(arguments: argparse.Namespace) -> int:
    if arguments.word != "list":
        require_free(arguments.out, arguments.overwrite, [arguments.file])
        if not arguments.out.lower().endswith(".posewright"):
            raise UsageError(f"{arguments.out}: only documents (.posewright) keep bone sets")
    project = load(arguments.file).project
    rig = _rig(project, arguments.file, arguments.rig)
    if arguments.word == "list":
        return _list(rig, arguments.json)
    after = _edited(arguments, rig)
    project = project.with_assets(after)
    for line in kept_old(arguments.out, project):
        print(line)
    save(project, arguments.out)
    count = len(after.bone_sets)
    print(f"{arguments.out}: {after.name}, {count} bone set" + ("" if count == 1 else "s"))
    return 0


def _edited(arguments: argparse.Namespace, rig: Rig) -> Rig:
    if arguments.word == "make":
        color = None if arguments.color is None else SetColor(arguments.color)
        return bone_sets.with_set(rig, arguments.name, _words(arguments.bones), color)
    if arguments.word == "rename":
        return bone_sets.renamed(rig, arguments.name, arguments.to)
    if arguments.word == "delete":
        return bone_sets.without_set(rig, arguments.name)
    for other in load(arguments.source).project.rigs:
        rig = bone_sets.carried(rig, other)
    return rig


def _words(text: str) -> Sequence[str]:
    return [word.strip() for word in text.split(",") if word.strip()]


def _rig(project: Project, file: str, name: str | None) -> Rig:
    rigs = [rig for rig in project.rigs if name is None or rig.name == name]
    if not rigs:
        have = ", ".join(repr(rig.name) for rig in project.rigs) or "none"
        raise AnimError(
            f"{file}: it holds no character" + (f" called {name!r}; there are: {have}" if name else "")
        )
    return rigs[0]


def _list(rig: Rig, as_json: bool) -> int:
    if as_json:
        found = {
            name: {"color": str(bone_sets.color_of(rig, name)), "bones": list(bones)}
            for name, bones in rig.bone_sets.items()
        }
        print(json.dumps(found, indent=1))
        return 0
    for name, bones in rig.bone_sets.items():
        print(f"{name} ({bone_sets.color_of(rig, name)}): {', '.join(bones)}")
    return 0


COMMAND = Subcommand("sets", "Named sets of a character's bones, for selection.", _arguments, _run)

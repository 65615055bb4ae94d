"""``media list|attach|remove FILE``: audio and reference footage of a document without a window."""

import argparse
import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from core.cli.common import Subcommand, UsageError, chosen_clip, number_list
from core.cli.replacing import add_overwrite, kept_old, require_free
from core.errors import AnimError, MissingReferenceError
from core.graph.names import near
from core.ids import AssetId, new_id
from core.io import load, save
from core.media.footage import open_footage
from core.media.probe import PICTURES, probe
from core.media.tracks import CARD, WHOLE, AudioTrack, Placement, ReferenceTrack, Track
from core.project.project import Project


def _arguments(parser: argparse.ArgumentParser) -> None:
    words = parser.add_subparsers(dest="word", metavar="WORD", required=True, parser_class=type(parser))
    show = words.add_parser(
        "list", help="the sounds and references of a document, and what is wrong with them"
    )
    show.add_argument("file", help="a Posewright file")
    show.add_argument("--json", action="store_true", help="print it as JSON")
    attach = words.add_parser("attach", help="put a sound, video, sequence or image beside a clip")
    attach.add_argument("file", help="a Posewright file")
    attach.add_argument("media", help="the file to attach: sound, video, or an image of a numbered sequence")
    attach.add_argument(
        "--as",
        dest="kind",
        choices=("audio", "reference"),
        help="what it is used as (a file with images: reference)",
    )
    attach.add_argument("--clip", metavar="NAME", help="the clip (default: the first)")
    attach.add_argument("--every-clip", action="store_true", help="with every clip instead of one")
    attach.add_argument("--name", help="what it is called (default: the name of its file)")
    attach.add_argument(
        "--start", type=_number, default=0.0, metavar="FRAME", help="frame at which it begins (0)"
    )
    attach.add_argument("--volume", type=_number, metavar="PERCENT", help="of a sound (100)")
    attach.add_argument("--opacity", type=_number, metavar="PERCENT", help="of a reference (60)")
    attach.add_argument(
        "--placement", choices=[str(p) for p in Placement],
        help="a reference behind the character, or as a card in front (behind)",
    )  # fmt: skip
    attach.add_argument("--rate", type=_number, metavar="FPS", help="of a sequence (the clip's)")
    attach.add_argument("--out", metavar="FILE", required=True, help="the Posewright file to write")
    add_overwrite(attach)
    remove = words.add_parser("remove", help="remove a sound or reference from a document; its file stays")
    remove.add_argument("file", help="a Posewright file")
    remove.add_argument("--name", required=True, help="what it is called")
    remove.add_argument("--out", metavar="FILE", required=True, help="the Posewright file to write")
    add_overwrite(remove)


def _number(text: str) -> float:
    """A finite number; raises `argparse.ArgumentTypeError`."""
    try:
        (number,) = number_list(text)
    except (argparse.ArgumentTypeError, ValueError):
        raise argparse.ArgumentTypeError(f"expected one finite number, got {text!r}") from None
    return number


def _require_fitting(arguments: argparse.Namespace, kind: str, sequence: bool) -> None:
    """Refuse options that say nothing of such a file, and a rate that is none.

    Raises
    ------
    UsageError
        An option belongs to another kind of file, or the rate is not above 0.
    """
    rate = arguments.rate
    if rate is not None and rate <= 0.0:
        raise UsageError(f"--rate: expected images a second above 0, got {rate:g}")
    wrong = ("volume",) if kind == "reference" else ("opacity", "placement", "rate")
    for option in wrong:
        if getattr(arguments, option) is not None:
            raise UsageError(f"--{option}: {arguments.media} is attached as {kind}, which has none")
    if rate is not None and not sequence:
        raise UsageError(f"--rate: {arguments.media} is a video, which has its own")


def _tracks(project: Project) -> tuple[Track, ...]:
    return tuple(a for a in project.assets.values() if isinstance(a, AudioTrack | ReferenceTrack))


def told(track: Track, project: Project) -> dict[str, Any]:
    """A track as plain values, with what its file holds or what is wrong with it."""
    values = asdict(track)
    clips = {clip.id: clip for clip in project.clips}
    clip = clips.get(track.clip) if track.clip is not None else None
    values["clip"] = None if clip is None else clip.name
    values["kind"] = "audio" if isinstance(track, AudioTrack) else "reference"
    values["problem"] = ""
    del values["id"]
    rate = clip.rate.fps if clip is not None else 30.0
    try:
        info = probe(Path(track.path))
        values["seconds"] = info.seconds
        if isinstance(track, ReferenceTrack):
            footage = open_footage(Path(track.path), track.rate or rate)
            values["images"], values["size"] = len(footage.times), list(footage.size)
            values["seconds"] = None if footage.still else footage.end
        elif not info.sound:
            values["problem"] = "it has no sound"
    except AnimError as error:
        values["problem"] = str(error)
    return values


def _list(arguments: argparse.Namespace) -> int:
    project = load(arguments.file).project
    found = [told(track, project) for track in _tracks(project)]
    if arguments.json:
        print(json.dumps(found, indent=1, default=str))
        return 0
    for one in found:
        where = f"clip {one['clip']!r}" if one["clip"] else "every clip"
        seconds = one.get("seconds")
        length = "" if seconds is None else f", {seconds:.4g} s"
        more = f", {one['images']} images of {one['size'][0]}x{one['size'][1]}" if "images" in one else ""
        print(f"{one['name']}: {one['kind']} with {where}, starts at {one['start']:.4g} s{length}{more}")
        print(f"  {one['path']}" + (f": {one['problem']}" if one["problem"] else ""))
    if not found:
        print("no audio or reference")
    return 0


def _attach(arguments: argparse.Namespace) -> int:
    out = _native(arguments.out)
    require_free(out, arguments.overwrite, [arguments.file])
    path = Path(arguments.media).absolute()
    project = load(arguments.file).project
    clip = chosen_clip(project, arguments.clip)
    if clip is None and not arguments.every_clip:
        raise AnimError(f"{arguments.file}: it holds no clip; attach it with --every-clip")
    info = probe(path)
    kind = arguments.kind or ("reference" if info.size is not None else "audio")
    if kind == "audio" and not info.sound:
        raise AnimError(f"{path}: it has no sound")
    if kind == "reference" and info.size is None:
        raise AnimError(f"{path}: it has no images")
    sequence = path.suffix.lower() in PICTURES
    _require_fitting(arguments, kind, sequence)
    owner: AssetId | None = None if arguments.every_clip or clip is None else clip.id
    start = clip.rate.to_seconds(arguments.start) if clip is not None else arguments.start / 30.0
    name = arguments.name or path.name
    placement = Placement(arguments.placement or Placement.BEHIND)
    track: Track
    if kind == "audio":
        volume = 100.0 if arguments.volume is None else arguments.volume
        track = AudioTrack(new_id("audio"), name, str(path), owner, start, volume / 100.0)
    else:
        place = CARD if placement is Placement.CARD else WHOLE
        opacity = 60.0 if arguments.opacity is None else arguments.opacity
        track = ReferenceTrack(
            new_id("reference"), name, str(path), owner, start, arguments.rate or 0.0, True, opacity / 100.0,
            placement, place["x"], place["y"], place["size"],
        )  # fmt: skip
    _save(project.with_assets(track), out)
    print(f"{out}: {kind} {track.name!r} added")
    return 0


def _remove(arguments: argparse.Namespace) -> int:
    out = _native(arguments.out)
    require_free(out, arguments.overwrite, [arguments.file])
    project = load(arguments.file).project
    tracks = _tracks(project)
    found = [track for track in tracks if track.name == arguments.name]
    if not found:
        names = [track.name for track in tracks]
        have = ", ".join(map(repr, names)) or "none"
        hint = near(arguments.name, names)
        raise MissingReferenceError(
            f"{arguments.file}: no audio or reference is named {arguments.name!r}{hint}; there are: {have}"
        )
    _save(project.without(*(track.id for track in found)), out)
    print(f"{out}: {len(found)} removed")
    return 0


def _native(out: str) -> str:
    """A name of a Posewright file: other formats hold no media."""
    if Path(out).suffix.lower() != ".posewright":
        raise UsageError(f"{out}: audio and references are kept in .posewright files only")
    return out


def _save(project: Project, out: str) -> None:
    for line in kept_old(out, project):
        print(line)
    save(project, out)


def _run(arguments: argparse.Namespace) -> int:
    return {"list": _list, "attach": _attach, "remove": _remove}[arguments.word](arguments)


COMMAND = Subcommand("media", "List, attach and remove audio and reference footage.", _arguments, _run)

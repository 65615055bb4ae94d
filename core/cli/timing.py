"""``timing WORD FILE``: frames between keys, keys every so many frames, chains that overlap, splines and key types."""

import argparse
from collections.abc import Callable

import numpy as np

from core.cli.common import Subcommand, UsageError, chosen_clip, positive
from core.cli.replacing import add_overwrite, kept_old, require_free
from core.clips.cascade import cascaded, chain_depths
from core.clips.clip import Channel, Clip
from core.clips.follow import followed
from core.clips.inbetweens import with_inbetweens
from core.clips.key_times import baked_on
from core.clips.key_types import with_key_type
from core.clips.spline_pass import SPLINE_MODES, splined
from core.errors import AnimError, ValidationError
from core.ik.stance import spans_of, with_planted_feet
from core.io import format_of, load, save
from core.io.prepare.bake_evaluated import bake_evaluated
from core.io.registry import writable
from core.rig.rig import Rig
from core.timing import frame_text
from core.tracks.key_types import TYPE_NAMES
from core.tracks.keys import TangentMode
from core.tracks.setting import keys_at


def _arguments(parser: argparse.ArgumentParser) -> None:
    words = parser.add_subparsers(dest="word", metavar="WORD", required=True, parser_class=type(parser))
    insert = words.add_parser("insert", help="insert frames after a frame; everything later moves")
    remove = words.add_parser("remove", help="remove frames between a frame and the next key; no key is lost")
    for run in (insert, remove):
        _shared(run, bones=False)
        run.add_argument("--at", type=float, metavar="F", required=True, help="the frame; a key on it stays")
        run.add_argument("--frames", type=positive, metavar="N", default=1.0, help="how many (1)")
    bake = words.add_parser("bake", help="keys every so many frames in place of those that are there")
    _shared(bake, bones=False)
    bake.add_argument("--on", type=int, metavar="N", default=1, help="frames from key to key (1)")
    bake.add_argument("--range", metavar="A:B", help="range of frames; the whole clip where left out")
    cascade = words.add_parser("cascade", help="let each bone of a chain come later than the one above it")
    _shared(cascade, bones=True)
    cascade.add_argument("--offset", type=float, metavar="N", required=True, help="frames from bone to bone")
    follow = words.add_parser("follow", help="let a chain trail behind the motion above it and settle")
    _shared(follow, bones=True)
    follow.add_argument(
        "--lag", type=float, metavar="N", required=True, help="frames that the chain's end trails"
    )
    follow.add_argument(
        "--strength", type=float, metavar="S", default=1.0, help="share of the swing, 0 to 1 (1)"
    )
    spline = words.add_parser(
        "spline", help="turn stepped keys to tangents; nothing outside the range changes"
    )
    _shared(spline, bones=False)
    names = [mode.name.lower() for mode in SPLINE_MODES]
    spline.add_argument("--tangents", choices=names, default="clamped", help="which (clamped)")
    spline.add_argument(
        "--free-feet", action="store_true", help="do not keep feet that stand still from pose to pose"
    )
    plant = words.add_parser("plant", help="keep feet that stand still from pose to pose where they are")
    _shared(plant, bones=False)
    types = words.add_parser("types", help="give keys a type")
    _shared(types, bones=False)
    types.add_argument("--type", choices=list(TYPE_NAMES), required=True, help="which type")
    types.add_argument("--at", metavar="F,F,…", help="only keys on these frames; all where left out")
    for run in (follow, spline, plant):
        run.add_argument("--range", metavar="A:B", help="range of frames; the whole clip where left out")


def _shared(run: argparse.ArgumentParser, bones: bool) -> None:
    run.add_argument("file", help="a file with a character and clips")
    run.add_argument("--clip", metavar="NAME", help="which clip; the first where left out")
    text = "bones of the chain" if bones else "only the keys of these bones; all of the clip where left out"
    run.add_argument("--bones", metavar="A,B,…", required=bones, help=text)
    run.add_argument(
        "--out", metavar="FILE", required=True, help="the file to write; the extension sets the format"
    )
    add_overwrite(run)


def _run(arguments: argparse.Namespace) -> int:
    require_free(arguments.out, arguments.overwrite, [arguments.file])
    target = format_of(arguments.out)
    if target is None or not arguments.out.lower().endswith(target.write_suffixes):
        raise UsageError(f"{arguments.out}: files of this name cannot be written (known: {writable()})")
    project = load(arguments.file).project
    clip = chosen_clip(project, arguments.clip)
    if clip is None:
        raise AnimError(f"{arguments.file}: it holds no clip")
    rig = project.get(Rig, clip.rig)
    words: dict[str, Callable[[argparse.Namespace, Clip, Rig], Clip]] = {
        "insert": _frames, "remove": _frames, "bake": _bake, "cascade": _cascade, "follow": _follow,
        "spline": _spline, "plant": _plant, "types": _types,
    }  # fmt: skip
    new = words[arguments.word](arguments, clip, rig)
    project = project.with_assets(new)
    if not target.document:
        project = bake_evaluated(project)
    for line in kept_old(arguments.out, project):
        print(line)
    save(project, arguments.out)
    keys = sum(len(track) for track in new.every_track())
    print(f"{arguments.out}: {new.name}, {frame_text(new.frames)} frames, {keys} keys")
    return 0


def _bones(arguments: argparse.Namespace, rig: Rig) -> list[str] | None:
    """The bones that are named; None where none are."""
    if arguments.bones is None:
        return None
    names = [name.strip() for name in arguments.bones.split(",") if name.strip()]
    unknown = [name for name in names if rig.skeleton.find(name) is None]
    if unknown or not names:
        raise ValidationError(f"--bones: {rig.name!r} has no bone {', '.join(map(repr, unknown)) or 'named'}")
    return names


def _frames(arguments: argparse.Namespace, clip: Clip, rig: Rig) -> Clip:
    bones, sign = _bones(arguments, rig), 1.0 if arguments.word == "insert" else -1.0
    channels = None if bones is None else [c for c in clip.tracks if c.bone in bones]
    return with_inbetweens(clip, clip.rate.to_seconds(arguments.at), sign * arguments.frames, channels)


def _span(arguments: argparse.Namespace, clip: Clip) -> tuple[float, float] | None:
    """The seconds of ``--range``; None where it is left out."""
    if arguments.range is None:
        return None
    first, _, last = arguments.range.partition(":")
    try:
        return clip.rate.to_seconds(float(first)), clip.rate.to_seconds(float(last))
    except ValueError:
        raise UsageError(f"--range: expected two frames such as 10:40, got {arguments.range!r}") from None


def _bake(arguments: argparse.Namespace, clip: Clip, rig: Rig) -> Clip:
    bones, span = _bones(arguments, rig), _span(arguments, clip)
    return baked_on(clip, [c for c in clip.tracks if bones is None or c.bone in bones], arguments.on, span)


def _cascade(arguments: argparse.Namespace, clip: Clip, rig: Rig) -> Clip:
    bones = _bones(arguments, rig) or []
    if not any(chain_depths(rig.skeleton, bones).values()):
        raise ValidationError("--bones: expected at least two bones of a chain, one below the other")
    return cascaded(clip, rig.skeleton, bones, arguments.offset)[0]


def _follow(arguments: argparse.Namespace, clip: Clip, rig: Rig) -> Clip:
    bones = _bones(arguments, rig) or []
    if not any(chain_depths(rig.skeleton, bones).values()):
        raise ValidationError("--bones: expected at least two bones of a chain, one below the other")
    return followed(rig, clip, bones, arguments.lag, _span(arguments, clip), strength=arguments.strength)


def _channels(arguments: argparse.Namespace, clip: Clip, rig: Rig) -> list[Channel]:
    """Channels of ``--bones``; all of the clip's tracks where it is left out."""
    bones = _bones(arguments, rig)
    return [channel for channel in clip.tracks if bones is None or channel.bone in bones]


def _spline(arguments: argparse.Namespace, clip: Clip, rig: Rig) -> Clip:
    mode = TangentMode[arguments.tangents.upper()]
    channels, span = _channels(arguments, clip, rig), _span(arguments, clip)
    done = splined(clip, channels, span, mode)
    if arguments.free_feet or mode == TangentMode.STEPPED or done is clip or clip.additive is not None:
        return done
    return _planted(rig, done, channels, span)


def _plant(arguments: argparse.Namespace, clip: Clip, rig: Rig) -> Clip:
    if clip.additive is not None:
        raise ValidationError(f"{clip.name!r} is an additive clip: its feet stand nowhere")
    return _planted(rig, clip, _channels(arguments, clip, rig), _span(arguments, clip))


def _planted(rig: Rig, clip: Clip, channels: list[Channel], span: tuple[float, float] | None) -> Clip:
    chosen = set(channels)
    done = with_planted_feet(rig, clip, span, {c.bone for c in clip.tracks if c not in chosen})
    count = sum(spans_of(done.stances).values())
    print(f"{count} {'stretch' if count == 1 else 'stretches'} with a planted foot")
    return done.clip


def _types(arguments: argparse.Namespace, clip: Clip, rig: Rig) -> Clip:
    keys = {channel: np.arange(len(clip.tracks[channel])) for channel in _channels(arguments, clip, rig)}
    if arguments.at is not None:
        try:
            at = np.array([clip.rate.to_seconds(float(frame)) for frame in arguments.at.split(",")])
        except ValueError:
            raise UsageError(f"--at: expected frames such as 0,12,20, got {arguments.at!r}") from None
        at.sort()
        found = {channel: keys_at(clip.tracks[channel].times, at) for channel in keys}
        keys = {channel: numbers[numbers >= 0] for channel, numbers in found.items()}
    if not any(len(numbers) for numbers in keys.values()):
        raise ValidationError("--at: no key is on these frames")
    return with_key_type(clip, keys, TYPE_NAMES[arguments.type])


COMMAND = Subcommand(
    "timing",
    "Insert or remove frames, bake keys, let chains overlap or follow, spline stepped keys, plant feet, set key types.",
    _arguments,
    _run,
)

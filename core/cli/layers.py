"""``layers list|merge|extract|split FILE``: animation layers without a window."""

import argparse
import json
from collections.abc import Callable
from typing import Any

from core.blending.layer_stack import LayerStack
from core.cli.common import Subcommand, UsageError, chosen_clip
from core.cli.replacing import add_overwrite, kept_old, require_free
from core.clips.clip import Channel, Clip
from core.errors import AnimError, MissingReferenceError, ValidationError
from core.evaluation.clip_pipeline import stack_of
from core.evaluation.layer_verbs import Verb, extracted, merged_all, merged_down, split
from core.io import format_of, load, save
from core.io.prepare.bake_evaluated import bake_evaluated
from core.io.registry import writable
from core.project.project import Project
from core.rig.rig import Rig


def _arguments(parser: argparse.ArgumentParser) -> None:
    words = parser.add_subparsers(dest="word", metavar="WORD", required=True, parser_class=type(parser))
    show = words.add_parser("list", help="the layers of each clip: mode, weight, mask, keys")
    show.add_argument("file", help="a Posewright file")
    show.add_argument("--json", action="store_true", help="print it as JSON")
    merge = words.add_parser("merge", help="merge a layer with what is below it, or all into the clip")
    _shared(merge)
    merge.add_argument(
        "--layer", metavar="NAME", help="merge this one down; all into the clip where left out"
    )
    extract = words.add_parser("extract", help="move keys of a range into an override layer")
    divide = words.add_parser("split", help="few keys stay in the clip, an additive layer gets the rest")
    for run in (extract, divide):
        _shared(run)
        run.add_argument("--bones", metavar="A,B,…", help="only these bones; all of the clip where left out")
        run.add_argument("--range", metavar="A:B", help="range of frames; the whole clip where left out")
    divide.add_argument("--keep", metavar="F,F,…", default="", help="frames of keys that the clip keeps")


def _shared(run: argparse.ArgumentParser) -> None:
    run.add_argument("file", help="a Posewright file")
    run.add_argument("--clip", metavar="NAME", help="which clip; the first where left out")
    run.add_argument(
        "--out", metavar="FILE", required=True, help="the file to write; the extension sets the format"
    )
    add_overwrite(run)


def _run(arguments: argparse.Namespace) -> int:
    if arguments.word == "list":
        return _list(arguments)
    require_free(arguments.out, arguments.overwrite, [arguments.file])
    target = format_of(arguments.out)
    if target is None or not arguments.out.lower().endswith(target.write_suffixes):
        raise UsageError(f"{arguments.out}: files of this name cannot be written (known: {writable()})")
    project = load(arguments.file).project
    clip = chosen_clip(project, arguments.clip)
    if clip is None:
        raise AnimError(f"{arguments.file}: it holds no clip")
    words: dict[str, Callable[[argparse.Namespace, Project, Clip], Verb]] = {
        "merge": _merge, "extract": _extract, "split": _split,
    }  # fmt: skip
    made = words[arguments.word](arguments, project, clip)
    project = made.put_into(project)
    new = project.get(Clip, clip.id)
    if not target.document:
        project = bake_evaluated(project)
    for line in kept_old(arguments.out, project):
        print(line)
    save(project, arguments.out)
    layers = 0 if made.stack is None else len(made.stack.layers)
    keys = sum(len(track) for track in new.every_track())
    print(
        f"{arguments.out}: {clip.name}, {keys} keys, {layers} layers, shown the same within {made.change:.1e}"
    )
    return 0


def _list(arguments: argparse.Namespace) -> int:
    project = load(arguments.file).project
    found = [_told(project, stack) for stack in project.all(LayerStack)]
    if arguments.json:
        print(json.dumps(found, indent=1))
        return 0
    for stack in found:
        print(f"{stack['clip']}:")
        for layer in reversed(stack["layers"]):
            parts = [layer["mode"], f"weight {layer['weight']}", f"{layer['keys']} keys"]
            parts += [f"mask {layer['mask']}"] if layer["mask"] else []
            parts += [word for word in ("muted", "solo") if layer[word]]
            print(f"  {layer['name']}: {', '.join(parts)}")
    if not found:
        print("no layers")
    return 0


def _told(project: Project, stack: LayerStack) -> dict[str, Any]:
    """A clip's layers as plain values, from the lowest."""
    clips = {clip.id: clip for clip in project.clips}
    return {
        "clip": clips[stack.clip].name,
        "layers": [
            {
                "name": layer.name, "mode": str(layer.mode), "clip": clips[layer.clip].name,
                "weight": "keyed" if layer.curve is not None else layer.weight, "mask": layer.mask,
                "muted": layer.muted, "solo": layer.solo, "keyed_channels_only": layer.keyed,
                "keys": sum(len(track) for track in clips[layer.clip].every_track()),
            }
            for layer in stack.layers
        ],
    }  # fmt: skip


def _merge(arguments: argparse.Namespace, project: Project, clip: Clip) -> Verb:
    stack = stack_of(project, clip.id)
    if stack is None:
        raise ValidationError(f"clip {clip.name!r} has no layers")
    if arguments.layer is None:
        return merged_all(project, clip)
    names = [layer.name for layer in stack.layers]
    if arguments.layer not in names:
        have = ", ".join(map(repr, names))
        raise MissingReferenceError(f"clip {clip.name!r} has no layer {arguments.layer!r}; there are: {have}")
    return merged_down(project, clip, names.index(arguments.layer))


def _extract(arguments: argparse.Namespace, project: Project, clip: Clip) -> Verb:
    return extracted(project, clip, _channels(arguments, project, clip), _span(arguments, clip))


def _split(arguments: argparse.Namespace, project: Project, clip: Clip) -> Verb:
    try:
        kept = [clip.rate.to_seconds(float(part)) for part in arguments.keep.split(",") if part.strip()]
    except ValueError:
        raise UsageError(f"--keep: expected frames such as 10,24, got {arguments.keep!r}") from None
    return split(project, clip, _channels(arguments, project, clip), _span(arguments, clip), kept)


def _channels(arguments: argparse.Namespace, project: Project, clip: Clip) -> tuple[Channel, ...]:
    if arguments.bones is None:
        return tuple(clip.tracks)
    rig = project.get(Rig, clip.rig)
    names = [name.strip() for name in arguments.bones.split(",") if name.strip()]
    unknown = [name for name in names if rig.skeleton.find(name) is None]
    if unknown or not names:
        raise ValidationError(f"--bones: {rig.name!r} has no bone {', '.join(map(repr, unknown)) or 'named'}")
    return tuple(channel for channel in clip.tracks if channel.bone in names)


def _span(arguments: argparse.Namespace, clip: Clip) -> tuple[float, float]:
    if arguments.range is None:
        return 0.0, clip.length
    first, _, last = arguments.range.partition(":")
    try:
        return clip.rate.to_seconds(float(first)), clip.rate.to_seconds(float(last))
    except ValueError:
        raise UsageError(f"--range: expected two frames such as 10:40, got {arguments.range!r}") from None


COMMAND = Subcommand(
    "layers", "List animation layers; merge, extract to and split into them.", _arguments, _run
)

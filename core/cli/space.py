"""``space list|switch|release|bake FILE``: let bones follow the world, the root or another bone; bake it to keys."""

import argparse

from core.cli.common import Subcommand, UsageError, chosen_clip
from core.cli.replacing import add_overwrite, kept_old, require_free
from core.errors import AnimError
from core.evaluation import spaces
from core.evaluation.clip_pipeline import ClipPipeline
from core.evaluation.spaces import Switched
from core.io import format_of, load, save
from core.io.prepare.bake_evaluated import bake_evaluated
from core.io.registry import writable
from core.project.project import Project
from core.rig.rig import Rig
from core.rig.spaces import Follow, target_named
from core.timing import frame_text


def _arguments(parser: argparse.ArgumentParser) -> None:
    words = parser.add_subparsers(dest="word", metavar="WORD", required=True, parser_class=type(parser))
    listing = words.add_parser("list", help="which bones follow what, from and to which frame")
    _file(listing)
    switch = words.add_parser("switch", help="let a bone follow a space; nothing moves at the switch")
    _shared(switch)
    switch.add_argument("--bone", metavar="NAME", required=True, help="the bone to move")
    switch.add_argument("--to", metavar="SPACE", required=True, help="world, root, a bone or a virtual bone")
    switch.add_argument("--from", type=float, metavar="F", dest="first", default=0.0, help="first frame (0)")
    switch.add_argument(
        "--until", type=float, metavar="F", help="frame at which it ends; the clip's end where left out"
    )
    switch.add_argument(
        "--how",
        choices=[str(how) for how in Follow],
        help="the limb bends, the bone alone moves, or it only rotates; by the bone's role where left out",
    )
    switch.add_argument(
        "--keep", action="store_true", help="keep the motion: only what is keyed later follows"
    )
    switch.add_argument("--bake", action="store_true", help="leave keys on the bones instead of a live span")
    release = words.add_parser("release", help="let a bone's own keys play again")
    _shared(release)
    release.add_argument("--bone", metavar="NAME", required=True, help="the bone that follows a space")
    release.add_argument("--at", type=float, metavar="F", required=True, help="the frame")
    bake = words.add_parser("bake", help="keys on every frame in place of live spans")
    _shared(bake)
    bake.add_argument("--bone", metavar="NAME", help="whose spans; all where left out")
    bake.add_argument("--range", metavar="A:B", help="spans in this range of frames; all where left out")


def _file(run: argparse.ArgumentParser) -> None:
    run.add_argument("file", help="a file with a character and clips")
    run.add_argument("--clip", metavar="NAME", help="which clip; the first where left out")


def _shared(run: argparse.ArgumentParser) -> None:
    _file(run)
    run.add_argument(
        "--out", metavar="FILE", required=True, help="the file to write; the extension sets the format"
    )
    add_overwrite(run)


def _run(arguments: argparse.Namespace) -> int:
    if arguments.word != "list":
        require_free(arguments.out, arguments.overwrite, [arguments.file])
        target = format_of(arguments.out)
        if target is None or not arguments.out.lower().endswith(target.write_suffixes):
            raise UsageError(f"{arguments.out}: files of this name cannot be written (known: {writable()})")
    project = load(arguments.file).project
    clip = chosen_clip(project, arguments.clip)
    if clip is None:
        raise AnimError(f"{arguments.file}: it holds no clip")
    pipeline = ClipPipeline.of(project, clip)
    if arguments.word == "list":
        return _list(pipeline)
    made = {"switch": _switch, "release": _release, "bake": _bake}[arguments.word](arguments, pipeline)
    clips = tuple(made.clip if c.id == clip.id else c for c in project.clips_of(made.rig.id))
    project = project.with_assets(spaces.without_unused(made.rig, clips), made.clip)
    return _write(arguments.out, project, made)


def _write(out: str, project: Project, made: Switched) -> int:
    target = format_of(out)
    found = spaces.spans(project.get(Rig, made.rig.id), made.clip)
    if target is not None and not target.document:
        project = bake_evaluated(project)
    for line in kept_old(out, project):
        print(line)
    save(project, out)
    count = f"{len(found)} span" + ("" if len(found) == 1 else "s")
    print(f"{out}: {made.clip.name}, {count}, largest error {made.metres * 1000.0:.4f} mm")
    return 0


def _list(pipeline: ClipPipeline) -> int:
    rate = pipeline.clip.rate
    for span in spaces.spans(pipeline.rig, pipeline.clip):
        first, last = (frame_text(rate.to_frame(time)) for time in (span.start, span.end))
        print(f"{span.bone}: {span.space}, frames {first} to {last}")
    return 0


def _switch(arguments: argparse.Namespace, pipeline: ClipPipeline) -> Switched:
    rate, rig = pipeline.clip.rate, pipeline.rig
    until = None if arguments.until is None else rate.to_seconds(arguments.until)
    first = rate.to_seconds(arguments.first)
    how = None if arguments.how is None else Follow(arguments.how)
    made = spaces.switched(
        pipeline, arguments.bone, target_named(rig, arguments.to), first, until, how, arguments.keep
    )
    if not arguments.bake:
        return made
    live = ClipPipeline(made.rig, made.clip, (), pipeline.layers)
    return spaces.baked(live, arguments.bone, (first, first))


def _release(arguments: argparse.Namespace, pipeline: ClipPipeline) -> Switched:
    pipeline.rig.skeleton.index(arguments.bone)
    return spaces.released(pipeline, arguments.bone, pipeline.clip.rate.to_seconds(arguments.at))


def _bake(arguments: argparse.Namespace, pipeline: ClipPipeline) -> Switched:
    within, rate = None, pipeline.clip.rate
    if arguments.bone is not None:
        pipeline.rig.skeleton.index(arguments.bone)
    if arguments.range is not None:
        first, _, last = arguments.range.partition(":")
        try:
            within = rate.to_seconds(float(first)), rate.to_seconds(float(last))
        except ValueError:
            raise UsageError(f"--range: expected two frames such as 10:40, got {arguments.range!r}") from None
    return spaces.baked(pipeline, arguments.bone, within)


COMMAND = Subcommand(
    "space",
    "Let bones follow the world, the root or another bone over a range; bake it to keys.",
    _arguments,
    _run,
)

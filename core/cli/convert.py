"""``convert IN OUT``: read one format, write another."""

import argparse
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from core.blending.layer_stack import LayerStack
from core.cli.common import Subcommand, UsageError, number_list, positive
from core.cli.exporting import add_reading, add_writing, opened, options_of, settings_of
from core.cli.replacing import add_overwrite, kept_old, require_free
from core.clips.bake import bake
from core.clips.clip import Clip
from core.clips.virtual_bones import made_real
from core.ids import AssetId
from core.ik.rigged import sample_many
from core.io import Format, format_of, formats, save
from core.io.prepare.bake_evaluated import bake_evaluated
from core.io.registry import writable
from core.project.project import Project
from core.project.references import mended
from core.rig.rig import Rig
from core.timing import TIME_EPSILON, FrameRate
from core.tracks.keys import Interpolation, scalar_track


def _number(text: str) -> float:
    (number, *more) = number_list(text)
    if more:
        raise argparse.ArgumentTypeError(f"expected one number, got {text!r}")
    return number


def _arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("inputs", metavar="IN", nargs="+", help="the file to read; several with --together")
    parser.add_argument("output", metavar="OUT", help="the file to write; the extension sets the format")
    parser.add_argument("--clip", metavar="NAME", action="append", help="only this clip; repeatable")
    parser.add_argument("--rate", type=positive, metavar="R", help="sample at R frames per second")
    parser.add_argument("--start", type=_number, metavar="S", help="trim everything before S seconds")
    parser.add_argument("--virtual-bones", action="store_true", help="write virtual bones as bones with keys")
    parser.add_argument("--end", type=_number, metavar="E", help="trim everything after E seconds")
    parser.add_argument(
        "--together", action="store_true",
        help=f"all characters of all files into one file ({', '.join(f.short for f in formats() if f.scene)})",
    )  # fmt: skip
    parser.add_argument("--preset", metavar="NAME", help="settings for a program: unreal, unity, godot …")
    parser.add_argument("--check", action="store_true", help="verify the written file by reading it back")
    add_overwrite(parser)
    add_reading(parser)
    add_writing(parser)


def _run(arguments: argparse.Namespace) -> int:
    require_free(arguments.output, arguments.overwrite, arguments.inputs)
    target = format_of(arguments.output)
    if target is None or not arguments.output.lower().endswith(target.write_suffixes):
        raise UsageError(f"{arguments.output}: files of this name cannot be written (known: {writable()})")
    if len(arguments.inputs) > 1 and not arguments.together:
        raise UsageError("several files into one need --together; many files at once are for batch")
    project = _read(arguments)
    chosen = {project.clip_named(name).id for name in arguments.clip or ()} or {c.id for c in project.clips}
    notes: list[str] = []
    if not target.document or arguments.virtual_bones or arguments.start or arguments.end is not None:
        project = bake_evaluated(
            project, chosen, notes=notes
        )  # layers are not cut, nor do they know further bones
    elif arguments.clip:
        only = mended(_only(project, chosen))
        project = only.project
        print_lines("\n".join(only.notes))
    if arguments.rate is not None or arguments.start is not None or arguments.end is not None:
        project = project.with_assets(
            *(
                resampled(project, clip, arguments.rate, arguments.start, arguments.end)
                for clip in project.clips
            )
        )
    if arguments.virtual_bones:
        for rig in project.rigs:
            larger, clips = made_real(rig, project.clips_of(rig.id))
            project = project.with_assets(larger, *clips)
    print_lines("\n".join(f"sampled: {note}" for note in notes))
    return _written(project, target, arguments)


def _only(project: Project, chosen: set[AssetId]) -> Project:
    """The project with some of its clips, and those that the layers over them play."""
    layers = [stack for stack in project.all(LayerStack) if stack.clip not in chosen]
    project = project.without(*(stack.id for stack in layers))
    played = {layer.clip for stack in project.all(LayerStack) for layer in stack.layers}
    return project.without(*(c.id for c in project.clips if c.id not in chosen and c.id not in played))


def _read(arguments: argparse.Namespace) -> Project:
    """All that the files hold, in one project."""
    project = Project()
    for path in arguments.inputs:
        found = opened(path, arguments).project
        twice = next((asset for asset in found.assets if asset in project.assets), None)
        if twice is not None:
            raise UsageError(f"{path}: what it holds came with another file already")
        project = replace(project, settings={**found.settings, **project.settings})
        project = project.with_assets(*found.assets.values())
    return project


def _written(project: Project, target: Format, arguments: argparse.Namespace) -> int:
    """Write the project as the command line says; the exit status."""
    from core.io.presets import export, preset_named

    preset = preset_named(arguments.preset) if arguments.preset else None
    if arguments.overwrite:
        print_lines("\n".join(kept_old(arguments.output, project)))
    if target.document:
        print_lines(save(project, arguments.output).to_text())
        return 0
    settings = settings_of(arguments, preset)
    if arguments.together:
        settings = replace(settings, rigs=tuple(rig.id for rig in project.rigs))
    elif len(project.rigs) > 1:
        others = ", ".join(rig.name for rig in project.rigs[1:])
        print(f"left out: {others} (choose with --character, or write all with --together)")
    options = options_of(arguments, arguments.output, preset)
    done = export(
        project, Path(arguments.output), settings, options, self_check=arguments.check, evaluated=True
    )
    print_lines(done.report.to_text())
    if done.check is None:
        return 0
    print_lines(done.check.to_text())
    return 0 if done.check.good else 1


def print_lines(text: str) -> None:
    """Print lines of a report; nothing where there are none."""
    if text:
        print(text)


def resampled(
    project: Project, clip: Clip, rate: float | None, start: float | None, end: float | None
) -> Clip:
    """A clip with a key on every frame of a span, from 0 on.

    Parameters
    ----------
    rate : frames a second; None keeps the clip's
    start, end : seconds; None is the clip's start or end

    Raises
    ------
    UsageError
        The span is empty, or is no part of the clip.
    """
    first, last = start or 0.0, clip.length if end is None else end
    if not 0.0 <= first <= last <= clip.length + TIME_EPSILON:
        raise UsageError(
            f"clip {clip.name!r}: expected 0 ≤ start ≤ end ≤ {clip.length:g} s, got {first:g} to {last:g}"
        )
    frame_rate = clip.rate if rate is None else FrameRate.of(rate)
    span = last - first
    count = int(np.floor(span * frame_rate.fps + 1e-6)) + 1
    if count > 2_000_000:
        raise UsageError(f"clip {clip.name!r}: {count} frames are too many")
    times = np.array([frame_rate.to_seconds(i) for i in range(count)])
    if span - times[-1] > TIME_EPSILON:
        times = np.append(times, span)
    rig = project.get(Rig, clip.rig)
    batch = sample_many(rig, clip, first + times, wrap=False)

    def tracks(values: dict[str, Any]) -> dict[str, Any]:
        kind = Interpolation.LINEAR
        return {name: scalar_track(times, column, interpolations=kind) for name, column in values.items()}

    return replace(
        clip,
        length=float(times[-1]),
        rate=frame_rate,
        retarget_source=None,
        tracks=bake(rig.skeleton, times, batch.local),
        curves=tracks({name: batch.curves[name] for name in clip.curves}),
        morphs=tracks({name: batch.morphs[name] for name in clip.morphs}),
        notifies=tuple(replace(n, time=n.time - first) for n in clip.notifies if first <= n.time <= last),
        sync_markers=tuple(
            replace(m, time=m.time - first) for m in clip.sync_markers if first <= m.time <= last
        ),
        markers=tuple(replace(m, time=m.time - first) for m in clip.markers if first <= m.time <= last),
    )


COMMAND = Subcommand("convert", "Convert a file to another format.", _arguments, _run)

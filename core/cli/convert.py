"""``convert IN OUT``: read one format, write another."""

import argparse
from dataclasses import replace
from typing import Any

import numpy as np

from core.cli.common import Subcommand, UsageError, number_list, output_folder, positive
from core.clips.bake import bake
from core.clips.clip import Clip
from core.ik.rigged import sample_many
from core.io import format_of, load, save
from core.project.project import Project
from core.rig.rig import Rig
from core.timing import TIME_EPSILON, FrameRate
from core.tracks.keys import Interpolation, scalar_track


def _number(text: str) -> float:
    (number, *more) = number_list(text)
    if more:
        raise argparse.ArgumentTypeError(f"expected one number, got {text!r}")
    return number


def _arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("input", metavar="IN", help="the file to read")
    parser.add_argument("output", metavar="OUT", help="the file to write; its suffix tells the format")
    parser.add_argument(
        "--clip", metavar="NAME", action="append", help="only this clip; may be given several times"
    )
    parser.add_argument("--rate", type=positive, metavar="R", help="sample at R frames a second")
    parser.add_argument("--start", type=_number, metavar="S", help="cut off what is before S seconds")
    parser.add_argument("--end", type=_number, metavar="E", help="cut off what is after E seconds")


def _run(arguments: argparse.Namespace) -> int:
    output_folder(arguments.output)
    target = format_of(arguments.output)
    if target is None or not arguments.output.lower().endswith(target.write_suffixes):
        raise UsageError(f"{arguments.output}: files of this name cannot be written")
    project = load(arguments.input).project
    if arguments.clip:
        chosen = {project.clip_named(name).id for name in arguments.clip}
        project = project.without(*(clip.id for clip in project.clips if clip.id not in chosen))
    if arguments.rate is not None or arguments.start is not None or arguments.end is not None:
        project = project.with_assets(
            *(
                resampled(project, clip, arguments.rate, arguments.start, arguments.end)
                for clip in project.clips
            )
        )
    report = save(project, arguments.output)
    for line in report.to_text().splitlines():
        print(line)
    return 0


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


COMMAND = Subcommand("convert", "Read one file and write another, of any format.", _arguments, _run)

"""What leaves a run: a span as a clip, the recording as a test for the command line."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

from core.clips.clip import Clip
from core.errors import ValidationError
from core.evaluation.clip_pipeline import pose_assets
from core.graph.peek import machines
from core.graph.post import Character
from core.graph.record import baked_run, taken
from core.graph.saved_test import QUIET, run_to
from core.ids import new_id
from core.io import save
from core.io.common.atomic import write_atomic
from core.math import transform
from core.progress import Progress
from core.project.project import Asset, Project
from core.project.references import part_of
from core.timing import FrameRate
from editor.model.graph_run.take import Take
from editor.model.i18n import tr

RATE = FrameRate.of(60.0)


def steps_between(take: Take, span: tuple[float, float] | None) -> tuple[int, int]:
    """Numbers of the first and last step of a span, counted from 1; all of them without one."""
    if span is None:
        return 1, len(take.steps)
    return take.number_at(span[0]), take.number_at(span[1])


def span_clip(take: Take, span: tuple[float, float] | None, name: str, progress: Progress) -> Clip:
    """A span of a run as a clip, run again on a character of its own, so that it can be done in the background.

    Raises
    ------
    ValidationError
        The span has no length.
    """
    first, last = steps_between(take, span)
    if last <= first:
        raise ValidationError(tr("The run has no length yet: play it first"))
    character = Character(take.plan, take.character.post_plan, take.character.seed)
    steps, results = list(take.steps[first - 1 : last]), []
    for number, step in enumerate(take.steps[:last], 1):
        if number % 30 == 0:
            progress.report(number / last)
        result = taken(character, step)
        if number >= first:
            results.append(result)
    results[0] = results[0].but(root_motion=transform.IDENTITY)
    kept = [k for k, step in enumerate(steps) if k == 0 or step.dt > 0.0]
    # A step of no time shows changed inputs at once: it takes the place of the one before it.
    shown = [k + 1 if k + 1 < len(steps) and steps[k + 1].dt == 0.0 else k for k in kept]
    poses = [results[k].but(pose=results[j].pose) for k, j in zip(kept, shown, strict=True)]
    return baked_run(take.plan, poses, [steps[k] for k in kept], RATE, new_id("clip"), name)


def save_clip(project: Project, clip: Clip, path: Path) -> None:
    """Write one clip with its character to a file of any format."""
    rig = next(rig for rig in project.rigs if rig.id == clip.rig)
    rig = replace(rig, post_graph=None, animation=None)
    parts: tuple[Asset, ...] = (rig, *project.meshes_of(rig.id), *pose_assets(project, rig.id), clip)
    save(part_of(project, parts), path)


# -------------------------------------------------------------------- tests
def as_test(take: Take, marks: tuple[float, ...] = ()) -> dict[str, Any]:
    """A recording as an input file of ``posewright graph run``: its steps, and what must come of them.

    Expected are the states wherever one changes, at every mark and at the end, and how often each event happens.
    """
    return {**run_to(take.plan, take.steps), "expect": [*_states(take, marks), *_counts(take)]}


def save_test(take: Take, marks: tuple[float, ...], path: Path) -> None:
    """Write `as_test` as JSON."""
    write_atomic(path, json.dumps(as_test(take, marks), indent=1).encode())


def _states(take: Take, marks: tuple[float, ...]) -> list[dict[str, Any]]:
    told = {take.number_at(time) for time in (*marks, take.length)}
    found: list[dict[str, Any]] = []
    last: tuple[int, ...] = ()
    for number, sample in enumerate(take.samples, 1):
        if sample.active != last or number in told:
            pairs = zip(machines(take.plan), sample.active, strict=True)
            states = {op.name: op.states[active].name for op, active in pairs if active >= 0}
            if states:
                found.append({"time": round(sample.end, 9), "state": states})
        last = sample.active
    return found


def _counts(take: Take) -> list[dict[str, Any]]:
    counts: dict[str, int] = {}
    events = [event for sample in take.samples for event in sample.events]
    for event in events:
        if event.kind not in QUIET:
            counts[event.name] = counts.get(event.name, 0) + 1
    other = {event.name for event in events if event.kind in QUIET}
    return [{"event": name, "count": count} for name, count in sorted(counts.items()) if name not in other]

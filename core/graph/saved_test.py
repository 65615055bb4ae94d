"""A recorded run as a test: its steps, and what is expected of them, as JSON values for ``graph run``."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from core.arrays import same_value
from core.graph.commands import Command, Do
from core.graph.events import EventKind
from core.graph.plan import Plan
from core.graph.record import Recording, Step, run_on
from core.graph.recorded import instance_of
from core.graph.result import StepResult
from core.math import transform
from core.terrain.reading import terrain_values

PLAIN = Command(Do.PLAY, "")
MEMBERS = {
    "section": "section", "at": "at", "rate": "rate", "seconds": "seconds", "stop_group": "stop_group",
    "handle": "handle", "slot": "slot", "in": "blend_in", "out": "blend_out", "loops": "loops",
}  # fmt: skip
"""Members of a command in a file → of `Command`, where they differ from what is left out."""
QUIET = (EventKind.TICK, EventKind.TRANSITION_START, EventKind.TRANSITION_END)
"""Events that saved tests do not count: the states tell as much."""


def saved_test(recording: Recording, expect: Sequence[Mapping[str, Any]] | None = None) -> dict[str, Any]:
    """A recording as an input file of ``graph run``: the same steps and what they must give.

    Parameters
    ----------
    expect : what must hold, as such a file says it; where left out, what the run shows: every change of a state, and
        how often each event happened
    """
    here = recording.at
    recording.goto(0)
    results = run_on(recording.instance, recording.steps)
    recording.goto(here)
    found = expectations(recording.steps, results) if expect is None else [dict(entry) for entry in expect]
    return {**run_to(instance_of(recording.instance).plan, recording.steps), "expect": found}


def run_to(plan: Plan, steps: Sequence[Step]) -> dict[str, Any]:
    """Steps as JSON values, with the terrain that bodies fell on."""
    told: dict[str, Any] = {"steps": steps_to(steps)}
    terrain = next((step.terrain for step in steps if step.terrain is not None), None)
    if terrain is not None and plan.simulates:
        told["ground"] = terrain_values(terrain)
    return told


def expectations(steps: Sequence[Step], results: Sequence[StepResult]) -> list[dict[str, Any]]:
    """What a run shows: the state of each machine where it changed and at the end, and how often events happened."""
    ends = np.cumsum([step.dt for step in steps]).tolist()
    found: list[dict[str, Any]] = []
    last: dict[str, str] = {}
    for number, (end, result) in enumerate(zip(ends, results, strict=True)):
        closing = number == len(results) - 1
        changed = {m: s for m, s in result.states.items() if closing or last.get(m) != s}
        if changed:
            found.append({"time": round(end, 9), "state": changed})
        last = dict(result.states)
    counts: dict[str, int] = {}
    for event in (event for result in results for event in result.events):
        if event.kind not in QUIET:
            counts[event.name] = counts.get(event.name, 0) + 1
    told = {event.name for result in results for event in result.events if event.kind in QUIET}
    counted = {name: count for name, count in counts.items() if name not in told}
    return [*found, *({"event": name, "count": count} for name, count in sorted(counted.items()))]


def steps_to(steps: Sequence[Step]) -> list[dict[str, Any]]:
    """Steps as JSON values; equal ones in a row are told once, with their number."""
    found: list[dict[str, Any]] = []
    for step in steps:
        entry = _entry(step)
        last = {key: value for key, value in found[-1].items() if key != "count"} if found else None
        if last == entry and set(entry) == {"dt"}:
            found[-1]["count"] = found[-1].get("count", 1) + 1
        else:
            found.append(entry)
    return found


def _entry(step: Step) -> dict[str, Any]:
    entry: dict[str, Any] = {"dt": step.dt}
    if step.inputs:
        entry["set"] = {name: _plain(value) for name, value in step.inputs.items()}
    if step.commands:
        entry["commands"] = [command_to(command) for command in step.commands]
    if step.ground is not None:
        entry["ground"] = [[height, list(normal)] for height, normal in step.ground]
    if not same_value(step.character, transform.IDENTITY):
        moved = [*step.character.translation, *step.character.rotation]
        entry["stands"] = [float(x) for x in moved]
    return entry


def _plain(value: Any) -> Any:
    return value if isinstance(value, str | bool | int | float) else [float(x) for x in value]


def command_to(command: Command) -> dict[str, Any]:
    """A command as an input file says it."""
    whose = {Do.GO: "machine", Do.TRAVEL: "machine", Do.PLAY_CLIP: "clip"}.get(command.do, "montage")
    entry: dict[str, Any] = {"do": str(command.do), whose: command.target}
    if command.to or command.do is Do.NEXT:
        entry["next" if command.do is Do.NEXT else "state"] = command.to
    for member, name in MEMBERS.items():
        value = getattr(command, name)
        if value != getattr(PLAIN, name):
            entry[member] = value
    return entry

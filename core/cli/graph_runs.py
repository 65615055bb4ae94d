"""A graph's run from a written script: what each step gives, what is expected of it, and its trace."""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from core.graph.post import Character, under
from core.graph.record import Step, taken
from core.graph.result import StepResult
from core.math import quat, transform
from core.math.transform import Transform
from core.terrain.query import GroundQuery

Values = Mapping[str, float | tuple[float, ...]]


@dataclass(slots=True)
class Walk:
    """A run, step by step.

    Parameters
    ----------
    ends : seconds at the end of each step
    values : the graph's variables after each step
    stands : where the character stands after each step
    """

    steps: Sequence[Step]
    results: list[StepResult] = field(default_factory=list)
    ends: list[float] = field(default_factory=list)
    values: list[Values] = field(default_factory=list)
    stands: list[Transform] = field(default_factory=list)

    def at(self, time: float) -> int:
        """Number of the step that ends nearest to a time."""
        return min(range(len(self.ends)), key=lambda k: abs(self.ends[k] - time))


def walked(
    character: Character, steps: Sequence[Step], ground: GroundQuery | None, until: int | None = None
) -> Walk:
    """Let a character take steps on a ground of the world, standing where its root motion has brought it.

    Parameters
    ----------
    until : how many steps; all where left out
    """
    walk = Walk(steps)
    stands, time = transform.IDENTITY, 0.0
    names = [variable.name for variable, _ in character.plan.variables]
    for step in steps[:until]:
        if step.ground is not None or step.character is not transform.IDENTITY:
            result = taken(
                character, step
            )  # of a saved run, which says where it stood and what the ground was
        else:
            result = character.step(
                step.dt, step.inputs, asked(ground, stands), stands, commands=step.commands
            )
        moved = transform.compose(stands, result.root_motion)
        stands = Transform(moved.translation, quat.normalise(moved.rotation), moved.scale)
        time += step.dt
        walk.results.append(result)
        walk.ends.append(time)
        walk.values.append({name: character.value(name) for name in names})
        walk.stands.append(stands)
    return walk


def asked(ground: GroundQuery | None, stands: Transform) -> Any:
    """A ground of the world as a character at a place asks it; None where there is none."""
    return None if ground is None else under(ground, stands)


# -------------------------------------------------------------------- expectations
def unmet(expectations: Sequence[Mapping[str, Any]], walk: Walk) -> list[str]:
    """What is expected and the run does not show, a line each."""
    told = []
    for number, expected in enumerate(expectations):
        found = next((check for key, check in CHECKS.items() if key in expected), None)
        if found is None:
            shown = json.dumps(expected)[:80]
            told.append(f"expect[{number}]: expected one of {', '.join(CHECKS)}, got {shown}")
            continue
        try:
            told += [f"expect[{number}]: {line}" for line in found(expected, walk)]
        except (TypeError, ValueError, AttributeError, KeyError):
            told.append(f"expect[{number}]: it is not written as the guide says: {json.dumps(expected)[:80]}")
    return told


def _step(expected: Mapping[str, Any], walk: Walk) -> int:
    time = float(expected.get("time", walk.ends[-1]))
    if not math.isfinite(time):
        raise ValueError(time)
    return walk.at(time)


def _state(expected: Mapping[str, Any], walk: Walk) -> list[str]:
    at = _step(expected, walk)
    return [
        f"at {walk.ends[at]:.3f} s {machine!r} is in {walk.results[at].states.get(machine)!r}, expected {wanted!r}"
        for machine, wanted in expected["state"].items()
        if walk.results[at].states.get(machine) != wanted
    ]


def _montage(expected: Mapping[str, Any], walk: Walk) -> list[str]:
    at = _step(expected, walk)
    sections = {playing.name: playing.section for playing in walk.results[at].montages}
    return [
        f"at {walk.ends[at]:.3f} s montage {name!r} plays {sections.get(name)!r}, expected {wanted!r}"
        for name, wanted in expected["montage"].items()
        if sections.get(name) != wanted
    ]


def _value(expected: Mapping[str, Any], walk: Walk) -> list[str]:
    at, tolerance = _step(expected, walk), float(expected.get("tolerance", 1e-6))
    told = []
    for name, wanted in expected["value"].items():
        found = walk.values[at].get(name)
        pair = [[x] if isinstance(x, int | float) else list(x or ()) for x in (found, wanted)]
        fits = len(pair[0]) == len(pair[1]) and all(
            abs(float(a) - float(b)) <= tolerance for a, b in zip(*pair, strict=True)
        )
        if not fits:
            told.append(f"at {walk.ends[at]:.3f} s variable {name!r} is {found}, expected {wanted}")
    return told


def _event(expected: Mapping[str, Any], walk: Walk) -> list[str]:
    name = expected["event"]
    start, end = float(expected.get("from", 0.0)), float(expected.get("to", math.inf))
    count = 0
    for step, until, result in zip(walk.steps, walk.ends, walk.results, strict=False):
        moments = (until - step.dt + event.moment for event in result.events if event.name == name)
        count += sum(start <= moment <= end for moment in moments)
    if "count" in expected:
        fits, wanted = count == int(expected["count"]), str(int(expected["count"]))
    else:
        fits, wanted = count > 0, "once or more"
    return [] if fits else [f"{name!r} happened {count} times, expected {wanted}"]


CHECKS = {"state": _state, "montage": _montage, "value": _value, "event": _event}
"""Kinds of expectations, by the member that tells them."""


# -------------------------------------------------------------------- trace
def trace(character: Character, walk: Walk) -> list[dict[str, Any]]:
    """States, montages, variables, weights, travel and events of every step, as JSON values."""
    named = [(op.name, op.number) for op in character.plan.ops if op.name]
    told = []
    rows = zip(walk.steps, walk.ends, walk.results, walk.values, walk.stands, strict=False)
    for step, end, result, values, stands in rows:
        told.append(
            {
                "time": end,
                "states": dict(result.states),
                "montages": [
                    {"name": m.name, "section": m.section, "time": m.position, "weight": m.weight}
                    for m in result.montages
                ],
                "values": dict(values),
                "weights": {name: float(w) for name, number in named if (w := result.weights[number]) > 0.0},
                "stands": [float(x) for x in stands.translation],
                "flagged": sorted(result.flagged),
                "events": [
                    {
                        "name": e.name, "kind": str(e.kind), "time": end - step.dt + e.moment,
                        "weight": float(e.weight), "node": e.node,
                    }
                    for e in result.events
                ],
            }
        )  # fmt: skip
    return told

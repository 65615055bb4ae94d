"""What a recorded run tells: why a step did what it did, two runs compared, and that a run repeats bit for bit."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from core.arrays import same_value
from core.errors import ValidationError
from core.graph.explain import Explanation, explain
from core.graph.instance import InputValue, Instance
from core.graph.machine import MachineOp
from core.graph.machine_parts import MachineTransition
from core.graph.post import Character
from core.graph.record import Mover, Recording, taken
from core.graph.result import StepResult
from core.graph.watch import Reason
from core.math import quat

CLOSE = 1e-9
"""How near the twin's numbers are to the kernel's."""


# -------------------------------------------------------------------- why
@dataclass(frozen=True, slots=True)
class RecordedReason:
    """Why a candidate transition was taken in a recorded step, or not.

    Parameters
    ----------
    held : number of the first recorded step, this one or later, in which its rules hold; None where they never do
    """

    reason: Reason
    held: int | None


@dataclass(frozen=True, slots=True, eq=False)
class RecordedExplanation:
    """A recorded step, explained: `explanation` as of `core.graph.explain`, `reasons` with when rules hold."""

    number: int
    explanation: Explanation
    reasons: tuple[RecordedReason, ...]


def explain_recorded(recording: Recording, number: int) -> RecordedExplanation:
    """Why a recorded step did what it did; the recording stays where it is.

    Parameters
    ----------
    number : of the step, from 0

    Raises
    ------
    ValidationError
        There is no such step, or it is longer than a tenth of a second.
    """
    if not 0 <= number < len(recording.steps):
        raise ValidationError(f"expected a step of 0 to {len(recording.steps) - 1}, got {number}")
    here = recording.at
    try:
        recording.goto(number)
        found = explain(recording.instance, recording.steps[number])
        plans = [_way(found, reason) for reason in found.reasons]
        held = rules_held(recording, [way for way in plans if way is not None], number)
    finally:
        recording.goto(here)
    told = (held.get(id(way)) if way is not None else None for way in plans)
    reasons = tuple(RecordedReason(reason, step) for reason, step in zip(found.reasons, told, strict=True))
    return RecordedExplanation(number, found, reasons)


def _way(found: Explanation, reason: Reason) -> MachineTransition | None:
    """The compiled transition that a reason is about."""
    machines = (op for op in found.plan.ops if isinstance(op, MachineOp) and op.name == reason.machine)
    ways = (
        t for op in machines for t in op.transitions if (t.node, t.name) == (reason.node, reason.transition)
    )
    return next(ways, None)


def rules_held(recording: Recording, ways: Sequence[MachineTransition], start: int = 0) -> dict[int, int]:
    """For the identity (`id`) of each way the first step from `start` on in which all its rules are true.

    The recording is at its end afterwards.
    """
    found: dict[int, int] = {}
    instance = instance_of(recording.instance)
    recording.goto(start)
    for number in range(start, len(recording.steps)):
        taken(recording.instance, recording.steps[number])
        values = instance.state.registers
        for way in ways:
            if id(way) not in found and all(values[rule] != 0.0 for rule in way.rules):
                found[id(way)] = number
        if len(found) == len(ways):
            break
    recording.goto(len(recording.steps))
    return found


def instance_of(mover: Any) -> Instance:
    """The instance of a graph within what is stepped."""
    if isinstance(mover, Instance):
        return mover
    found: Instance = mover.instance
    return found


# -------------------------------------------------------------------- two runs
@dataclass(frozen=True, slots=True, eq=False)
class Comparison:
    """Two runs from one step on.

    Parameters
    ----------
    start : number of the step from which both ran
    first : number of the first step in which they differ; None where they do not
    what : *states*, *events*, *pose*, *curves* or *root motion*: what differs there, "" where nothing
    metres, degrees : the largest difference of a bone's local translation and rotation there
    one, other : results from `start` on
    """

    start: int
    first: int | None
    what: str
    metres: float
    degrees: float
    one: Sequence[StepResult]
    other: Sequence[StepResult]


def compared(
    recording: Recording,
    number: int,
    mover: Instance | Character,
    inputs: Mapping[int, Mapping[str, InputValue]] | None = None,
) -> Comparison:
    """Run the steps from `number` on as they were recorded, and again with something changed.

    Parameters
    ----------
    mover : of the same plan, or of one in which a rule, clip or node was changed; it goes on from the recorded state,
        which goes over to another plan by node id (`core.graph.carry`)
    inputs : number of a step, `number` or later → the inputs it has instead of its own

    Raises
    ------
    ValidationError
        No such step, or changed inputs of a step before it; what the mover refuses.
    """
    count, changed = len(recording.steps), inputs or {}
    if not 0 <= number < count:
        raise ValidationError(f"expected a step of 0 to {count - 1}, got {number}")
    early = [k for k in changed if not number <= k < count]
    if early:
        raise ValidationError(f"expected changed inputs in steps {number} to {count - 1}, got {early[0]}")
    here = recording.at
    steps = recording.steps[number:]
    try:
        recording.goto(number)
        take_over(recording.instance, mover)
        one = [taken(recording.instance, step) for step in steps]
    finally:
        recording.goto(here)
    again = [replace(s, inputs=changed.get(number + k, s.inputs)) for k, s in enumerate(steps)]
    other = [taken(mover, step) for step in again]
    for k, (a, b) in enumerate(zip(one, other, strict=True)):
        what = difference(a, b)
        if what:
            return Comparison(number, number + k, what, *_largest(a, b), one, other)
    return Comparison(number, None, "", 0.0, 0.0, one, other)


def take_over(source: Any, mover: Instance | Character) -> None:
    """Let a mover go on from where another is."""
    a, b = instance_of(source), instance_of(mover)
    b.go_on_from(a)
    posts = getattr(source, "post", None), getattr(mover, "post", None)
    if posts[0] is not None and posts[1] is not None:
        posts[1].instance.go_on_from(posts[0].instance)


def difference(a: StepResult, b: StepResult) -> str:
    """What differs first between two results, "" where nothing does."""
    if dict(a.states) != dict(b.states):
        return "states"
    if a.events != b.events:
        return "events"
    if len(a.pose.rotations) != len(b.pose.rotations) or not same_value(a.pose.local, b.pose.local):
        return "pose"
    if (dict(a.pose.curves), dict(a.pose.morphs)) != (dict(b.pose.curves), dict(b.pose.morphs)):
        return "curves"
    return "" if same_value(a.root_motion, b.root_motion) else "root motion"


def _largest(a: StepResult, b: StepResult) -> tuple[float, float]:
    if len(a.pose.rotations) != len(b.pose.rotations):
        return float("inf"), 180.0
    metres = float(np.linalg.norm(a.pose.translations - b.pose.translations, axis=1).max())
    degrees = float(np.degrees(quat.angle_between(a.pose.rotations, b.pose.rotations)).max())
    return metres, degrees


# -------------------------------------------------------------------- the same bits
@dataclass(frozen=True, slots=True)
class Proof:
    """Whether a run repeats.

    Parameters
    ----------
    first : number of the first step after which the state had other bits; None where it never had
    largest : the largest difference of a number of the state where snapshots were kept; infinite where one is there
        that must be equal
    """

    first: int | None
    largest: float

    @property
    def same_bits(self) -> bool:
        """Whether every step left the same bits."""
        return self.first is None

    @property
    def close(self) -> bool:
        """Whether the numbers agree to `CLOSE`, as those of kernel and twin do."""
        return self.same_bits or self.largest <= CLOSE


def proved(recording: Recording, mover: Mover) -> Proof:
    """Run all steps on a fresh mover of the same plan, and hold every state against the recorded hashes."""
    first, largest = None, 0.0
    for number, step in enumerate(recording.steps):
        if number in recording.snapshots:
            largest = max(largest, _apart(recording.snapshots[number], mover.snapshot()))
        taken(mover, step)
        if first is None and mover.state_hash() != recording.hashes[number]:
            first = number
    return Proof(first, largest)


def _apart(one: Any, other: Any) -> float:
    """The largest difference between the numbers of two snapshots."""
    pairs = [(one, other)] if hasattr(one, "numbers") else [(one.graph, other.graph), (one.post, other.post)]
    found = 0.0
    for a, b in pairs:
        if a is None or b is None:
            continue
        if not np.array_equal(a.ints, b.ints) or not np.array_equal(a.relevant != 0, b.relevant != 0):
            return float("inf")
        found = max(found, float(np.abs(a.numbers - b.numbers).max(initial=0.0)))
    return found

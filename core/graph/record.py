"""Runs of a graph: recorded, gone back in, run again, and baked to a clip (spec: graph, Runs)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

import numpy as np

from core.arrays import FloatArray, same_value
from core.clips.bake import bake
from core.clips.clip import Clip, Notify, RootMotion, RootPose
from core.clips.root_motion import with_motion
from core.errors import ValidationError
from core.graph.commands import Command
from core.graph.events import EventKind
from core.graph.grounds import whole_ground
from core.graph.hashing import plan_hash
from core.graph.instance import InputValue, Instance
from core.graph.language.interpreter import Ground
from core.graph.plan import Plan
from core.graph.result import StepResult
from core.ids import AssetId
from core.math import transform
from core.math.transform import Transform
from core.terrain.terrain import Terrain
from core.timing import FrameRate
from core.tracks.keys import Interpolation, scalar_track

SNAPSHOT_STEPS = 60
"""Steps from one snapshot to the next: what going anywhere has to run again."""
LONGEST_BAKE = 3600.0


Answer = tuple[float, tuple[float, float, float]]
"""Height and normal of the ground at a place."""


class Mover(Protocol):
    """What can be stepped and put back: an instance, or a character with its post-process graph."""

    def step(
        self,
        dt: float,
        inputs: Mapping[str, InputValue] | None = None,
        ground: Ground | None = None,
        character: Transform = transform.IDENTITY,
        *,
        commands: Sequence[Command] = (),
    ) -> StepResult:
        """Move on; see `Instance.step`."""
        ...

    def snapshot(self) -> Any:
        """The state now."""
        ...

    def restore(self, state: Any) -> None:
        """Go on from a snapshot."""
        ...

    def state_hash(self) -> int:
        """A hash of the state now."""
        ...


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a run.

    Parameters
    ----------
    inputs : variables that were written
    ground : what the ground answered, in the order it was asked; None where there was none to ask
    character : where the character stood
    commands : what was asked
    terrain : the whole ground in the world, where it is known
    """

    dt: float
    inputs: Mapping[str, InputValue] = field(default_factory=dict)
    ground: tuple[Answer, ...] | None = None
    character: Transform = transform.IDENTITY
    commands: tuple[Command, ...] = ()
    terrain: Terrain | None = None


class _Noting:
    """A ground that notes its answers."""

    def __init__(self, ground: Ground) -> None:
        self._ground = ground
        self.terrain = whole_ground(ground)
        self.answers: list[Answer] = []

    def __call__(self, point: FloatArray) -> tuple[float, FloatArray]:
        height, normal = self._ground(point)
        x, y, z = (float(v) for v in np.asarray(normal, dtype=np.float64).reshape(-1)[:3])
        self.answers.append((float(height), (x, y, z)))
        return height, normal


class _Answering:
    """A ground that gives noted answers again; level at 0 when they are used up."""

    def __init__(self, answers: Sequence[Answer], terrain: Terrain | None) -> None:
        self._waiting = iter(answers)
        self.terrain = terrain

    def __call__(self, point: FloatArray) -> tuple[float, FloatArray]:
        height, normal = next(self._waiting, (0.0, (0.0, 1.0, 0.0)))
        return height, np.array(normal)


def taken(mover: Mover, step: Step) -> StepResult:
    """Let a mover take a step."""
    ground = None if step.ground is None else _Answering(step.ground, step.terrain)
    return mover.step(step.dt, step.inputs, ground, step.character, commands=step.commands)


@dataclass(slots=True)
class Recording:
    """A run that can be gone back in.

    Parameters
    ----------
    instance : what runs
    plan_hash : of the plans that it was run with (see `core.graph.hashing`)
    steps : as they were run
    snapshots : number of a step → the state before it
    hashes : of the state after each step
    differs : number of the first step after which going back found another state than was recorded; None is as it
        must be: every step left the same bits
    """

    instance: Mover
    plan_hash: str = ""
    steps: list[Step] = field(default_factory=list)
    snapshots: dict[int, Any] = field(default_factory=dict)
    at: int = 0
    hashes: list[int] = field(default_factory=list)
    differs: int | None = None

    @classmethod
    def of(cls, plan: Plan, seed: int = 0) -> "Recording":
        """A recording that begins now."""
        return cls(Instance(plan, seed), plan_hash(plan))

    def step(
        self,
        dt: float,
        inputs: Mapping[str, InputValue] | None = None,
        ground: Ground | None = None,
        character: Transform = transform.IDENTITY,
        commands: Sequence[Command] = (),
    ) -> StepResult:
        """Run and note one step. After going back, the steps that lay ahead are dropped.

        A step that is refused (see `Instance.step`) is not noted, and nothing has changed.
        """
        # A snapshot costs as much as a part of a step: where none is kept, a refused step is undone by running again.
        before = self.instance.snapshot() if self.at % SNAPSHOT_STEPS == 0 else None
        noting = None if ground is None else _Noting(ground)
        try:
            result = self.instance.step(dt, inputs, noting, character, commands=commands)
        except Exception:
            if before is None:
                self.goto(self.at)
            else:
                self.instance.restore(before)
            raise
        if self.at < len(self.steps):
            self._drop_ahead()
        if before is not None:
            self.snapshots[self.at] = before
        answers = None if noting is None else tuple(noting.answers)
        terrain = None if noting is None else noting.terrain
        self.steps.append(Step(dt, dict(inputs or {}), answers, character, tuple(commands), terrain))
        self.hashes.append(self.instance.state_hash())
        self.at += 1
        return result

    def _drop_ahead(self) -> None:
        """Forget the steps that lie ahead of where it stands."""
        del self.steps[self.at :]
        del self.hashes[self.at :]
        for number in [number for number in self.snapshots if number > self.at]:
            del self.snapshots[number]

    def goto(self, number: int) -> StepResult | None:
        """Go to the state after so many steps, bit for bit; give the last step's result, None at 0.

        Every step that is run again is held against its recorded hash; see `differs`.

        Raises
        ------
        ValidationError
            The recording has not so many steps.
        """
        if not 0 <= number <= len(self.steps):
            raise ValidationError(f"expected a step of 0 to {len(self.steps)}, got {number}")
        start = 0 if number == 0 else max(k for k in self.snapshots if k < number)
        if self.steps:
            self.instance.restore(self.snapshots[start])
        result, self.differs = None, None
        for k in range(start, number):
            result = taken(self.instance, self.steps[k])
            if self.differs is None and self.instance.state_hash() != self.hashes[k]:
                self.differs = k
        self.at = number
        return result

    def again(
        self, number: int, mover: Mover, inputs: Mapping[int, Mapping[str, InputValue]] | None = None
    ) -> list[StepResult]:
        """Run all steps again on a fresh mover, with other inputs from a step on; give every result.

        Two runs of one plan agree bit for bit up to `number`. A mover of another plan (a rule or clip that was
        changed) runs from the beginning, since states of two plans do not compare.

        Parameters
        ----------
        inputs : number of a step, `number` or later → the inputs it has instead of its own
        """
        changed = inputs or {}
        early = [k for k in changed if not number <= k < len(self.steps)]
        if early:
            raise ValidationError(
                f"expected changed inputs in steps {number} to {len(self.steps) - 1}, got {early[0]}"
            )
        steps = [replace(s, inputs=changed.get(k, s.inputs)) for k, s in enumerate(self.steps)]
        return run_on(mover, steps)


def first_difference(one: Sequence[StepResult], other: Sequence[StepResult]) -> int | None:
    """Number of the first step in which two runs give different poses, travel, events or states; None where equal.

    Of runs of unequal length that agree the first step that only one has.
    """
    for number, (a, b) in enumerate(zip(one, other, strict=False)):
        if not same_value(
            (a.pose, a.root_motion, a.events, a.states), (b.pose, b.root_motion, b.events, b.states)
        ):
            return number
    return None if len(one) == len(other) else min(len(one), len(other))


def run_on(mover: Mover, steps: Sequence[Step]) -> list[StepResult]:
    """Let a mover take steps."""
    return [taken(mover, step) for step in steps]


def run(plan: Plan, steps: Sequence[Step], seed: int = 0) -> list[StepResult]:
    """Run steps from the beginning."""
    return run_on(Instance(plan, seed), steps)


def even_steps(
    seconds: float,
    rate: FrameRate,
    inputs: Sequence[tuple[float, Mapping[str, InputValue]]],
    commands: Sequence[tuple[float, Command]] = (),
) -> list[Step]:
    """Steps of one frame each, the first of 0 s; inputs and commands go to the first step at or after their time.

    Raises
    ------
    ValidationError
        A length outside 0 to an hour, or a time that is not finite.
    """
    if not 0.0 <= seconds <= LONGEST_BAKE:
        raise ValidationError(f"expected a length of 0 to {LONGEST_BAKE:g} s, got {seconds:g}")
    count = int(np.floor(rate.to_frame(seconds) + 1e-6))
    waiting = sorted(inputs, key=lambda entry: entry[0])
    asked = sorted(commands, key=lambda entry: entry[0])
    steps = []
    for frame in range(count + 1):
        time = rate.to_seconds(frame)
        due: dict[str, InputValue] = {}
        while waiting and waiting[0][0] <= time + 1e-9:
            due.update(waiting.pop(0)[1])
        now = []
        while asked and asked[0][0] <= time + 1e-9:
            now.append(asked.pop(0)[1])
        dt = rate.to_seconds(frame) - rate.to_seconds(frame - 1) if frame else 0.0
        steps.append(Step(dt, due, commands=tuple(now)))
    return steps


def baked_run(
    plan: Plan, results: Sequence[StepResult], steps: Sequence[Step], rate: FrameRate, id: AssetId, name: str
) -> Clip:
    """A run as a clip: a key a step, root motion in the root bone, curves and notifies.

    Parameters
    ----------
    results, steps : of `run`; the first step's pose stands at 0 s
    """
    if not results:
        raise ValidationError("the run has no steps; nothing can be baked")
    times = np.cumsum([0.0, *(step.dt for step in steps[1:])])
    poses = [result.pose for result in results]
    local = Transform(*(np.stack(parts) for parts in zip(*(pose.local for pose in poses), strict=True)))
    settings = RootMotion(enabled=True, pose=RootPose.FIRST_FRAME)
    moved = [result.root_motion for result in results]
    moving = any(np.abs(m.translation).max() > 0.0 or abs(float(m.rotation[3])) < 1.0 for m in moved)
    if moving:
        whole = Transform(*(np.stack(parts) for parts in zip(*moved, strict=True)))
        local = with_motion(plan.rig.skeleton, local, whole, settings)
    else:
        settings = RootMotion()
    curves = {
        name: scalar_track(
            times, [p.curves.get(name, 0.0) for p in poses], interpolations=Interpolation.LINEAR
        )
        for name in dict.fromkeys(n for p in poses for n in p.curves)
    }
    morphs = {
        name: scalar_track(
            times, [p.morphs.get(name, 0.0) for p in poses], interpolations=Interpolation.LINEAR
        )
        for name in dict.fromkeys(n for p in poses for n in p.morphs)
    }
    clip = Clip(
        id,
        name,
        plan.rig.id,
        float(times[-1]),
        rate,
        tracks=bake(plan.rig.skeleton, times, local, rest_tolerance=1e-9),
        curves=curves,
        morphs=morphs,
        root_motion=settings,
    )
    return replace(clip, notifies=_notifies(times, steps, results))


def _notifies(times: FloatArray, steps: Sequence[Step], results: Sequence[StepResult]) -> tuple[Notify, ...]:
    """The notifies of a run at their moments; those with a duration from begin to end."""
    found: list[Notify] = []
    open_: dict[tuple[str, str, float], Notify] = {}
    for time, step, result in zip(times, steps, results, strict=True):
        for event in result.events:
            moment = max(float(time) - step.dt + event.moment, 0.0)
            key = (event.node, event.name, event.time)
            if event.kind is EventKind.NOTIFY:
                found.append(Notify(event.name, moment, data=dict(event.data)))
            elif event.kind is EventKind.BEGIN:
                open_[key] = Notify(event.name, moment, data=dict(event.data))
            elif event.kind is EventKind.END and key in open_:
                begun = open_.pop(key)
                found.append(replace(begun, duration=moment - begun.time))
    end = float(times[-1])
    found.extend(replace(begun, duration=end - begun.time) for begun in open_.values())
    return tuple(sorted(found, key=lambda notify: notify.time))

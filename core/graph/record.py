"""Runs of a graph: recorded, gone back in, run again, and baked to a clip (spec: graph, Runs)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from core.arrays import FloatArray
from core.clips.bake import bake
from core.clips.clip import Clip, Notify, RootMotion, RootPose
from core.clips.root_motion import with_motion
from core.errors import ValidationError
from core.graph.events import EventKind
from core.graph.instance import InputValue, Instance, State, StepResult
from core.graph.plan import Plan
from core.ids import AssetId
from core.math.transform import Transform
from core.timing import FrameRate
from core.tracks.keys import Interpolation, scalar_track

SNAPSHOT_STEPS = 60
"""Steps from one snapshot to the next: what going anywhere has to run again."""
LONGEST_BAKE = 3600.0


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a run: its seconds and the inputs that changed."""

    dt: float
    inputs: Mapping[str, InputValue] = field(default_factory=dict)


@dataclass(slots=True)
class Recording:
    """A run of one instance that can be gone back in.

    Parameters
    ----------
    steps : as they were run
    snapshots : number of a step → the state before it
    """

    instance: Instance
    steps: list[Step] = field(default_factory=list)
    snapshots: dict[int, State] = field(default_factory=dict)
    at: int = 0

    @classmethod
    def of(cls, plan: Plan, seed: int = 0) -> "Recording":
        """A recording that begins now."""
        return cls(Instance(plan, seed))

    def step(self, dt: float, inputs: Mapping[str, InputValue] | None = None) -> StepResult:
        """Run and note one step. After going back, the steps that lay ahead are dropped.

        A step that is refused (see `Instance.step`) is not noted, and nothing has changed.
        """
        before = self.instance.snapshot()
        try:
            result = self.instance.step(dt, inputs)
        except Exception:
            self.instance.restore(before)
            raise
        del self.steps[self.at :]
        for number in [number for number in self.snapshots if number > self.at]:
            del self.snapshots[number]
        if self.at % SNAPSHOT_STEPS == 0:
            self.snapshots[self.at] = before
        self.steps.append(Step(dt, dict(inputs or {})))
        self.at += 1
        return result

    def goto(self, number: int) -> StepResult | None:
        """Go to the state after so many steps, bit for bit; give the last step's result, None at 0.

        Raises
        ------
        ValidationError
            The recording has not so many steps.
        """
        if not 0 <= number <= len(self.steps):
            raise ValidationError(f"expected a step of 0 to {len(self.steps)}, got {number}")
        if number == 0:
            start = 0
        else:
            start = max(k for k in self.snapshots if k < number)
        if self.steps:
            self.instance.restore(self.snapshots[start])
        result = None
        for step in self.steps[start:number]:
            result = self.instance.step(step.dt, step.inputs)
        self.at = number
        return result


def run(plan: Plan, steps: Sequence[Step], seed: int = 0) -> list[StepResult]:
    """Run steps from the beginning."""
    instance = Instance(plan, seed)
    return [instance.step(step.dt, step.inputs) for step in steps]


def even_steps(
    seconds: float, rate: FrameRate, inputs: Sequence[tuple[float, Mapping[str, InputValue]]]
) -> list[Step]:
    """Steps of one frame each, the first of 0 s; inputs are written at the first step at or after their time.

    Raises
    ------
    ValidationError
        A length outside 0 to an hour, or a time that is not finite.
    """
    if not 0.0 <= seconds <= LONGEST_BAKE:
        raise ValidationError(f"expected a length of 0 to {LONGEST_BAKE:g} s, got {seconds:g}")
    count = int(np.floor(rate.to_frame(seconds) + 1e-6))
    waiting = sorted(inputs, key=lambda entry: entry[0])
    steps = []
    for frame in range(count + 1):
        time = rate.to_seconds(frame)
        due: dict[str, InputValue] = {}
        while waiting and waiting[0][0] <= time + 1e-9:
            due.update(waiting.pop(0)[1])
        steps.append(Step(rate.to_seconds(frame) - rate.to_seconds(frame - 1) if frame else 0.0, due))
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

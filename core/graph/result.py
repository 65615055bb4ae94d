"""What a step gives. It is told in arrays, and read as values when somebody looks."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.arrays import FloatArray
from core.graph.events import Event
from core.graph.machine import MachineOp
from core.graph.montage_state import PlayingMontage
from core.graph.op import GraphOp, Run
from core.graph.output import Output, packed
from core.graph.packer import WholeArray
from core.graph.plan import Plan
from core.math import quat, transform
from core.math.transform import Transform
from core.pose.pose import Pose

Events = Callable[[], tuple[Event, ...]]


@dataclass(slots=True, eq=False)
class StepResult:
    """What a step gives.

    Parameters
    ----------
    numbers : translations, rotations, scales, curves, which are present, root motion, weights of the ops
    actives : number of the active state of each machine, in the order of the ops
    flags : ``(N,)`` nodes with a value that had no answer
    montages : what plays at the end of the step
    """

    plan: Plan
    numbers: FloatArray
    actives: WholeArray
    _visits: WholeArray | tuple[int, ...]
    flags: WholeArray
    montages: tuple[PlayingMontage, ...] = ()
    _events: Events | tuple[Event, ...] = ()
    _pose: Pose | None = None
    _states: Mapping[str, str] | None = None
    _flagged: frozenset[str] | None = None

    @property
    def pose(self) -> Pose:
        """The pose with its curves and morph weights, root motion taken out."""
        if self._pose is None:
            bones, table, numbers = self.plan.layout.bones, self.plan.table, self.numbers
            first = 10 * bones
            values = numbers[first : first + len(table)].tolist()
            present = numbers[first + len(table) : first + 2 * len(table)].tolist()
            self._pose = Pose(
                self.plan.rig.id,
                numbers[: 3 * bones].reshape(bones, 3),
                numbers[3 * bones : 7 * bones].reshape(bones, 4),
                numbers[7 * bones : first].reshape(bones, 3),
                {n: values[k] for n, k in table.index.items() if present[k]},
                {n: values[k] for n, k in table.morph_index.items() if present[k]},
            )
        return self._pose

    def silent(self) -> "StepResult":
        """The same without events: of a step in which the graph was not run."""
        return replace(self, _events=())

    @property
    def root_motion(self) -> Transform:
        """Root motion of the whole step: parts ``(3,)``, ``(4,)``, ``(3,)``."""
        moved = self.numbers[self.plan.layout.pose :]
        return Transform(moved[:3], moved[3:7], moved[7:10])

    @property
    def weights(self) -> FloatArray:
        """``(N,)`` absolute weight of every op."""
        return self.numbers[self.plan.layout.pose + 10 :]

    @property
    def visits(self) -> tuple[int, ...]:
        """Numbers of the ops whose pose was made, each once."""
        if not isinstance(self._visits, tuple):
            self._visits = tuple(self._visits.tolist())
        return self._visits

    @property
    def events(self) -> tuple[Event, ...]:
        """What happened, by moment."""
        if not isinstance(self._events, tuple):
            self._events = self._events()
        return self._events

    @property
    def states(self) -> Mapping[str, str]:
        """Name of each machine → name of its active state."""
        if self._states is not None:
            return self._states
        machines = [op for op in self.plan.ops if isinstance(op, MachineOp)]
        return {op.name: op.states[int(n)].name for op, n in zip(machines, self.actives, strict=True)}

    def but(
        self,
        *,
        pose: Pose | None = None,
        root_motion: Transform | None = None,
        events: tuple[Event, ...] | None = None,
        states: Mapping[str, str] | None = None,
        flagged: frozenset[str] | None = None,
    ) -> "StepResult":
        """The same with some parts put in place of its own."""
        numbers, at = self.numbers, self.plan.layout.pose
        if root_motion is not None:
            numbers = numbers.copy()
            numbers[at : at + 10] = np.concatenate(root_motion)
        return replace(
            self,
            numbers=numbers,
            _events=self._events if events is None else events,
            _pose=self._pose if pose is None else pose,
            _states=self._states if states is None else states,
            _flagged=self._flagged if flagged is None else flagged,
        )

    @property
    def flagged(self) -> frozenset[str]:
        """Ids of the nodes with a value that had no answer."""
        if self._flagged is not None:
            return self._flagged
        return frozenset(self.plan.ops[int(k)].node for k in np.flatnonzero(self.flags))


def told_in_arrays(output: Output, weights: FloatArray) -> FloatArray:
    """`StepResult.numbers` of a result."""
    return np.concatenate((packed(output), *output.motion, weights))


def actives(ops: tuple[GraphOp, ...], ints: WholeArray) -> WholeArray:
    """`StepResult.actives` of a state."""
    places = [op.place.ints for op in ops if isinstance(op, MachineOp)]
    return ints[places]


def joined(results: Sequence[StepResult], inner: float) -> StepResult:
    """One result of inner steps of `inner` seconds each: the last one's, with all motion and events."""
    events: list[Event] = []
    motion = transform.IDENTITY
    for number, result in enumerate(results):
        events.extend(replace(event, moment=event.moment + number * inner) for event in result.events)
        motion = transform.compose(motion, result.root_motion)
    turned = motion._replace(rotation=quat.normalise(motion.rotation))
    return results[-1].but(root_motion=turned, events=tuple(events))


def playing(run: Run) -> tuple[PlayingMontage, ...]:
    """What plays at the end of a step."""
    return tuple(found.told(run.dt) for found in run.playing if found.ended < 0.0)

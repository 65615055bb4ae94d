"""One recorded run: its steps, and what each showed, so that it can be gone back in and drawn as lanes."""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from core.errors import AnimError
from core.graph.commands import Command
from core.graph.events import Event, EventKind
from core.graph.hashing import plan_hash
from core.graph.instance import InputValue
from core.graph.montage_state import PlayingMontage
from core.graph.peek import Running, machine_view, machines
from core.graph.plan import Plan
from core.graph.post import Character, under
from core.graph.record import Recording, Step
from core.graph.result import StepResult
from core.math import quat, transform
from core.math.transform import Transform
from core.rig.rig import Animation
from core.terrain.ground import Ground

MOST_STEPS = 36_000
"""Steps that a take may have: ten minutes of sixty a second."""

CLOSE = 10
"""Steps from one snapshot to the next where it was gone back, so that dragging to and fro is quick there."""
MOST_CLOSE = 48
"""Such snapshots that are kept."""

FOLLOW = 0.08
"""Seconds in which the character comes half of the way to the ground's height."""

QUIET = frozenset({EventKind.TICK})


@dataclass(frozen=True, slots=True, eq=False)
class Sample:
    """What one step showed.

    Parameters
    ----------
    dt, end : seconds of the step, and from the take's start to its end
    active : number of the active state of each machine, in the order of `core.graph.peek.machines`
    seconds : time in that state
    running : transitions under way of each machine
    values : ``(R,)`` all values of the graph's expressions, the variables among them
    weights : ``(N,)`` absolute weight of every op
    pose : a number that equal poses and travels share
    """

    dt: float
    end: float
    active: tuple[int, ...]
    seconds: tuple[float, ...]
    running: tuple[tuple[Running, ...], ...]
    montages: tuple[PlayingMontage, ...]
    events: tuple[Event, ...]
    values: npt.NDArray[np.float32]
    weights: npt.NDArray[np.float32]
    stands: Transform
    pose: int


@dataclass(slots=True, eq=False)
class Take:
    """A character's run from its beginning, on one plan.

    Parameters
    ----------
    asset : what the character plays
    recording : its steps, which can be gone back in
    samples : what each step showed
    """

    asset: Animation
    character: Character
    ground: Ground | None = None
    recording: Recording = field(init=False)
    samples: list[Sample] = field(default_factory=list)
    result: StepResult | None = None
    _close: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.recording = Recording(self.character, plan_hash(self.character.plan))

    @property
    def plan(self) -> Plan:
        """The plan of what is played."""
        return self.character.plan

    @property
    def at(self) -> int:
        """How many steps in it stands."""
        return self.recording.at

    @property
    def steps(self) -> Sequence[Step]:
        """Its steps."""
        return self.recording.steps

    @property
    def length(self) -> float:
        """Seconds that are recorded."""
        return self.samples[-1].end if self.samples else 0.0

    @property
    def time(self) -> float:
        """Seconds at which it stands."""
        return self.samples[self.at - 1].end if self.at else 0.0

    @property
    def stands(self) -> Transform:
        """Where the character is in the world."""
        return self.samples[self.at - 1].stands if self.at else transform.IDENTITY

    @property
    def full(self) -> bool:
        """Whether no more steps are recorded."""
        return len(self.recording.steps) >= MOST_STEPS

    def step(
        self, dt: float, inputs: Mapping[str, InputValue] | None = None, commands: Sequence[Command] = ()
    ) -> StepResult:
        """Run and record one step; steps that lay ahead are dropped."""
        stands, at = self.stands, self.at
        ground = None if self.ground is None else under(self.ground, stands)
        result = self.recording.step(dt, inputs, ground, stands, commands)
        del self.samples[at:]
        self.samples.append(self._sample(dt, result, stands))
        self.result = result
        return result

    def goto(self, number: int) -> StepResult | None:
        """Stand after so many steps, 1 or more; nothing is dropped."""
        recording = self.recording
        number = min(max(number, 1), len(recording.steps))
        if number == recording.at or not recording.steps:
            return self.result
        start = max(k for k in recording.snapshots if k < number)
        for place in range(start // CLOSE * CLOSE + CLOSE, number, CLOSE):
            recording.goto(place)
            recording.snapshots[place] = self.character.snapshot()
            self._close.append(place)
        while len(self._close) > MOST_CLOSE:
            recording.snapshots.pop(self._close.pop(0), None)
        self.result = recording.goto(number)
        return self.result

    def value(self, name: str) -> float | tuple[float, ...] | None:
        """What a variable holds where it stands; None where the plan has none of that name."""
        try:
            return self.character.value(name)
        except AnimError:
            return None

    def cut(self) -> None:
        """Drop the steps that lie ahead."""
        recording = self.recording
        del recording.steps[recording.at :], recording.hashes[recording.at :], self.samples[recording.at :]
        for number in [number for number in recording.snapshots if number > recording.at]:
            del recording.snapshots[number]

    def number_at(self, time: float) -> int:
        """How many steps lie up to a time, at least one."""
        found = bisect_right(self.samples, time + 1e-9, key=lambda sample: sample.end)
        return min(max(found, 1), max(len(self.samples), 1))

    def _on_ground(self, moved: Transform, stands: Transform, dt: float) -> Transform:
        """Where the character stands after a step: it follows the ground's height softly, so that stairs are walked."""
        if self.ground is None:
            return moved
        height = float(self.ground.under(moved.translation))
        share = 1.0 - 2.0 ** (-dt / FOLLOW) if self.samples else 1.0
        place = moved.translation.copy()
        place[1] = stands.translation[1] + (height - stands.translation[1]) * share
        return moved._replace(translation=place)

    def _sample(self, dt: float, result: StepResult, stands: Transform) -> Sample:
        state = self.character.instance.state
        views = [machine_view(op, state) for op in machines(self.plan)]
        moved = transform.compose(stands, result.root_motion)
        if not self.plan.simulating(result.weights):
            moved = self._on_ground(moved, stands, dt)
        numbers = np.round(result.numbers[: 10 * self.plan.layout.bones], 6) + 0.0
        return Sample(
            dt,
            (self.samples[-1].end if self.samples else 0.0) + dt,
            tuple(view.active for view in views),
            tuple(view.seconds for view in views),
            tuple(view.running for view in views),
            result.montages,
            tuple(event for event in result.events if event.kind not in QUIET),
            state.registers.astype(np.float32),
            result.weights.astype(np.float32),
            Transform(moved.translation, quat.normalise(moved.rotation), moved.scale),
            hash((numbers.tobytes(), np.round(moved.translation, 6).tobytes())),
        )

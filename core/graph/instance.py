"""One character's run of a plan: all its state in arrays, and the step that moves it on."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from core.arrays import BoolArray, FloatArray, IndexArray
from core.errors import MissingReferenceError, ValidationError
from core.graph.asking import ask_machines, montages_of, require_fit
from core.graph.commands import Command
from core.graph.events import Event
from core.graph.graph import Role, Variable
from core.graph.language import interpreter
from core.graph.language.interpreter import Ground
from core.graph.language.program import DT
from core.graph.language.values import Kind
from core.graph.machine import MachineOp
from core.graph.montage_state import Branch, PlayingMontage
from core.graph.names import near
from core.graph.op import Run
from core.graph.output import Output
from core.graph.plan import Plan, readers
from core.graph.sync_member import SyncMember
from core.graph.watch import Watch
from core.math import quat, transform
from core.math.transform import Transform
from core.pose.pose import Pose

LONGEST_STEP = 0.1
"""Seconds; a longer step is run as equal inner ones."""
MOST_INNER = 1000

InputValue = float | int | bool | str | Sequence[float]


@dataclass(slots=True, eq=False)
class State:
    """Everything that lasts from step to step; `copy` is a snapshot.

    Parameters
    ----------
    floats, ints : of the ops, laid out by the plan
    registers : of the expressions, the variables among them
    memory : state of the expressions
    poses, curves, present : ``(P, B, 10)``, ``(P, C)``, ``(P, C)`` pose buffers of the machines
    weights, relevant : ``(N,)`` of the ops in the last step
    last_curves : ``(C,)`` of the last result
    pending : ``(V,)`` seconds that each trigger still lasts; negative where it is not set
    steps : how many there were
    """

    floats: FloatArray
    ints: IndexArray
    registers: FloatArray
    memory: FloatArray
    poses: FloatArray
    curves: FloatArray
    present: BoolArray
    weights: FloatArray
    relevant: BoolArray
    last_curves: FloatArray
    pending: FloatArray
    steps: int = 0

    def copy(self) -> "State":
        """A snapshot that shares nothing."""
        return replace(
            self,
            **{name: getattr(self, name).copy() for name in self.__dataclass_fields__ if name != "steps"},
        )

    def same_bits(self, other: "State") -> bool:
        """Whether two states are equal to the last bit."""
        names = [name for name in self.__dataclass_fields__ if name != "steps"]
        return self.steps == other.steps and all(
            getattr(self, name).tobytes() == getattr(other, name).tobytes() for name in names
        )


@dataclass(frozen=True, slots=True, eq=False)
class StepResult:
    """What a step gives.

    Parameters
    ----------
    pose : with its curves and morph weights, root motion taken out
    root_motion : of the whole step
    events : by moment
    weights : ``(N,)`` absolute weight of every op
    states : name of each machine -> name of its active state
    flagged : ids of the nodes with a value that had no answer
    visits : numbers of the ops whose pose was made, each once
    montages : what plays at the end of the step
    """

    pose: Pose
    root_motion: Transform
    events: tuple[Event, ...]
    weights: FloatArray
    states: Mapping[str, str]
    flagged: frozenset[str] = frozenset()
    visits: tuple[int, ...] = ()
    montages: tuple[PlayingMontage, ...] = ()


@dataclass(slots=True)
class Instance:
    """A character that a plan moves.

    Parameters
    ----------
    seed : of the expressions' random numbers
    on_branch : what a branching notify of a montage starts at its moment; a pure function, so that runs repeat
    watch : what notes the steps, for explanations
    """

    plan: Plan
    seed: int = 0
    on_branch: Branch | None = None
    watch: Watch | None = None
    state: State = field(init=False)
    _readers: tuple[tuple[int, ...], ...] = field(init=False)

    def __post_init__(self) -> None:
        self._readers = readers(self.plan.ops)
        self.restart()

    def restart(self) -> None:
        """Go back to the beginning."""
        plan = self.plan
        bones, curves, ops = len(plan.rig.skeleton), len(plan.table), len(plan.ops)
        self.state = State(
            np.zeros(plan.floats),
            np.zeros(plan.ints, dtype=np.intp),
            plan.program.registers.copy(),
            np.zeros(plan.program.states + 3),
            np.zeros((plan.poses, bones, 10)),
            np.zeros((plan.poses, curves)),
            np.zeros((plan.poses, curves), dtype=bool),
            np.zeros(ops),
            np.zeros(ops, dtype=bool),
            np.zeros(curves),
            np.full(len(plan.variables), -1.0),
        )
        for op in plan.ops:
            op.begin_state(self.state.ints)

    def snapshot(self) -> State:
        """The state now; give it to `restore` later."""
        return self.state.copy()

    def restore(self, state: State) -> None:
        """Go on from a snapshot of the same plan."""
        if state.floats.shape != (self.plan.floats,) or state.relevant.shape != (len(self.plan.ops),):
            raise ValidationError("the snapshot is of another plan")
        self.state = state.copy()

    # ---------------------------------------------------------------- inputs
    def set(self, name: str, value: InputValue) -> None:
        """Write a variable; numbers are clamped to its bounds, a trigger is set by truth.

        Raises
        ------
        MissingReferenceError
            No variable of that name; near ones are listed.
        ValidationError
            A value of the wrong type, NaN or infinite.
        """
        names = [variable.name for variable, _ in self.plan.variables]
        if name not in names:
            raise MissingReferenceError(f"the graph has no variable {name!r}{near(name, names)}")
        number = names.index(name)
        variable, place = self.plan.variables[number]
        if variable.role is Role.TRIGGER:
            if value:
                self.state.pending[number] = variable.buffer
            return
        numbers = self._numbers(variable, value)
        kept = np.clip(numbers, variable.minimum, variable.maximum)
        self.state.registers[place.register : place.register + len(kept)] = kept

    def _numbers(self, variable: Variable, value: InputValue) -> FloatArray:
        if isinstance(value, str):
            return np.array([float(self._index(variable, value))])
        try:
            numbers = np.atleast_1d(np.asarray(value, dtype=np.float64))
        except (TypeError, ValueError, OverflowError) as error:
            raise ValidationError(
                f"variable {variable.name!r}: expected {variable.kind}, got {str(value)[:60]}"
            ) from error
        width = 3 if variable.kind is Kind.VECTOR else 1
        if numbers.shape != (width,) or not np.isfinite(numbers).all():
            raise ValidationError(
                f"variable {variable.name!r}: expected {width} finite number(s), got {value!r}"
            )
        if variable.kind is Kind.BOOL:
            return np.asarray(numbers != 0.0, dtype=np.float64)
        return np.rint(numbers) if variable.kind in (Kind.INT, Kind.ENUM) else numbers

    def _index(self, variable: Variable, text: str) -> int:
        if variable.kind is Kind.ENUM:
            members = self.plan.graph.enums.get(variable.enum, ())
            if text not in members:
                raise ValidationError(
                    f"variable {variable.name!r}: expected one of {', '.join(members)}, got {text!r}"
                )
            return members.index(text)
        if variable.kind is Kind.NAME:
            return self.plan.names.index(text) if text in self.plan.names else len(self.plan.names)
        raise ValidationError(f"variable {variable.name!r}: expected {variable.kind}, got {text!r}")

    def value(self, name: str) -> float | tuple[float, ...]:
        """What a variable holds."""
        for variable, place in self.plan.variables:
            if variable.name == name:
                found = self.state.registers[place.register : place.register + place.type.width]
                return float(found[0]) if len(found) == 1 else tuple(float(x) for x in found)
        raise MissingReferenceError(f"the graph has no variable {name!r}")

    # ---------------------------------------------------------------- stepping
    def step(
        self,
        dt: float,
        inputs: Mapping[str, InputValue] | None = None,
        ground: Ground | None = None,
        character: Transform = transform.IDENTITY,
        incoming: Output | None = None,
        commands: Sequence[Command] = (),
    ) -> StepResult:
        """Move on by some seconds.

        Deterministic: the same plan, state and inputs give the same bits. A step of 0 s moves and
        fires nothing; one over `LONGEST_STEP` runs as equal inner steps, posed at the last.

        Parameters
        ----------
        inputs : variables to write first
        ground : height and normal of the ground at a place ``(3,)`` in the character's space; level at 0 where
            left out
        character : where the character stands in the world, for goals in world space
        incoming : the pose that a post-process graph is run on; its curves are those that expressions read
        commands : montages to play and states to go to; they act at the beginning of the step

        Raises
        ------
        ValidationError
            A `dt` that is negative, not finite, or longer than `MOST_INNER` inner steps; see `set`.
        """
        if not 0.0 <= dt <= LONGEST_STEP * MOST_INNER:
            raise ValidationError(f"expected a step of 0 to {LONGEST_STEP * MOST_INNER:g} s, got {dt}")
        require_fit(self.plan.ops, commands)
        for name, value in (inputs or {}).items():
            self.set(name, value)
        ask_machines(self.plan.ops, self.state.ints, commands)
        count = max(1, math.ceil(dt / LONGEST_STEP - 1e-9))
        inner = dt / count
        events: list[Event] = []
        motion = transform.IDENTITY
        for number in range(count):
            asked = () if number else commands
            result = self._inner(inner, ground, character, incoming, asked)
            events.extend(replace(event, moment=event.moment + number * inner) for event in result.events)
            motion = transform.compose(motion, result.root_motion)
        motion = Transform(motion.translation, quat.normalise(motion.rotation), motion.scale)
        return replace(result, root_motion=motion, events=tuple(events))

    def _inner(
        self,
        dt: float,
        ground: Ground | None,
        character: Transform,
        incoming: Output | None,
        commands: Sequence[Command],
    ) -> StepResult:
        plan, state = self.plan, self.state
        if incoming is not None:
            state.last_curves = incoming.curves.copy()
        count = len(plan.ops)
        run = Run(
            plan.rig, plan.ops, state.registers, state.floats, state.ints, state.poses, state.curves,
            state.present, dt, np.zeros(count), state.weights, np.zeros(count), np.zeros(count, dtype=bool),
            state.relevant, np.ones(count, dtype=bool), state.last_curves, np.zeros(count), self._readers,
            ground=ground, character=character, incoming=incoming,
            watch=self.watch,
        )  # fmt: skip
        if run.watch is not None:
            run.watch.rules, run.watch.names = plan.rules, plan.names
        state.registers[DT] = dt
        self._show_triggers()
        for register, fill in plan.fills:
            state.registers[register] = fill(run)
        flagged = interpreter.run(
            plan.program, state.registers, state.memory, self.seed, plan.tracks(), ground
        )
        for action in plan.actions:
            action.run(run)
        montages = montages_of(plan.ops)
        if montages is not None:
            run.branch = self.on_branch
            montages.play_all(run, [*commands, *run.commands])
        self._weigh(run)
        self._advance(run)
        output = run.output(count - 1)
        if run.watch is not None:
            run.watch.outputs = run.outputs
        self._end(run)
        self._lapse_triggers(run, dt)
        state.weights, state.relevant, state.last_curves = run.weights, run.relevant, output.curves.copy()
        state.steps += 1
        if dt > 0.0:
            happened = {event.name for event in run.events}
            for name, register in plan.event_reads:
                state.registers[register] = float(name in happened)
        names = plan.table
        curves = {n: float(output.curves[k]) for n, k in names.index.items() if output.present[k]}
        morphs = {n: float(output.curves[k]) for n, k in names.morph_index.items() if output.present[k]}
        return StepResult(
            Pose(plan.rig.id, *output.local, curves, morphs),
            output.motion,
            tuple(sorted(run.events, key=lambda event: event.moment)),
            run.weights,
            {op.name: op.states[op.active(run)].name for op in plan.ops if isinstance(op, MachineOp)},
            frozenset({plan.ops[n].node for n in flagged if 0 <= n < count} | run.flagged),
            tuple(run.visits),
            tuple(found.told(dt) for found in run.playing if found.ended < 0.0),
        )

    def _weigh(self, run: Run) -> None:
        """From the Output down: weights, relevance, what the machines decide."""
        last = len(run.ops) - 1
        run.weights[last], run.spans[last], run.stops[last] = 1.0, run.dt, run.dt
        run.relevant[last], run.leaving[last] = True, False
        for op in reversed(run.ops):
            number = op.number
            if not run.relevant[number]:
                continue
            if not run.was_relevant[number] and number not in run.begun and number not in run.kept:
                op.restart(run)
            op.weigh(run, float(run.weights[number]))

    def _advance(self, run: Run) -> None:
        for op in run.ops:
            if run.relevant[op.number] and not (isinstance(op, SyncMember) and op.group):
                op.advance(run, float(run.weights[op.number]))
        for group in self.plan.groups:
            group.advance(run)

    def _end(self, run: Run) -> None:
        """What counts no more ends: what was cut in this step, and what nothing reached."""
        for number in sorted(run.passing):
            run.ops[number].gone(run, float(run.stops[number]))
            run.relevant[number] = False
        for index in np.flatnonzero(run.was_relevant & ~run.relevant):
            if int(index) not in run.passing:
                run.ops[int(index)].gone(run, 0.0)

    def _show_triggers(self) -> None:
        for number, (variable, place) in enumerate(self.plan.variables):
            if variable.role is Role.TRIGGER:
                self.state.registers[place.register] = float(self.state.pending[number] >= 0.0)

    def _lapse_triggers(self, run: Run, dt: float) -> None:
        """Triggers that a transition took are gone; others last for their buffer."""
        for number, (variable, _) in enumerate(self.plan.variables):
            if variable.role is not Role.TRIGGER or self.state.pending[number] < 0.0 or dt <= 0.0:
                continue
            left = self.state.pending[number] - dt
            self.state.pending[number] = -1.0 if number in run.taken or left < 0.0 else left

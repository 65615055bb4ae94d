"""One character's run of a plan: all its state in arrays, and the step that moves it on."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from core.arrays import FloatArray
from core.errors import MissingReferenceError, ValidationError
from core.graph.asking import ask_machines, montages_of, require_fit
from core.graph.carry import carried
from core.graph.commands import Command
from core.graph.graph import Role, Variable
from core.graph.language import interpreter
from core.graph.language.interpreter import Ground
from core.graph.language.program import DT, Program
from core.graph.language.values import Kind
from core.graph.montage_state import Branch
from core.graph.names import near
from core.graph.op import Run
from core.graph.output import Output
from core.graph.plan import Plan, readers
from core.graph.result import StepResult, actives, joined, playing, told_in_arrays
from core.graph.runner import Asking, Runner, StepArrays, Work, runner_of
from core.graph.state import STEPS, State
from core.graph.state_hash import state_hash
from core.graph.sync_member import SyncMember
from core.graph.watch import Watch
from core.math import kernels, quat, transform
from core.math.transform import Transform

LONGEST_STEP = 0.1
"""Seconds; a longer step is run as equal inner ones."""
MOST_INNER = 1000

InputValue = float | int | bool | str | Sequence[float]


@dataclass(frozen=True, slots=True)
class Given:
    """What the host gives a step beside its inputs; see `Instance.step`."""

    ground: Ground | None
    character: Transform
    incoming: Output | None
    commands: tuple[Command, ...]


NOTHING_GIVEN = Given(None, transform.IDENTITY, None, ())


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
    runner: Runner | None = field(init=False, default=None)
    _readers: tuple[tuple[int, ...], ...] = field(init=False)

    def __post_init__(self) -> None:
        self._readers = readers(self.plan.ops)
        self.state = State.empty(self.plan.layout)
        self.restart()

    def restart(self) -> None:
        """Go back to the beginning.

        Whether the compiled kernel runs it or its twin is settled here, for all steps until the next restart: both
        agree to the last digits, not to the last bit.
        """
        self.state.put(State.empty(self.plan.layout))
        self.state.registers[:] = self.plan.program.registers
        self.state.pending[:] = -1.0
        for op in self.plan.ops:
            op.begin_state(self.state.ints)
        self.runner = runner_of(self.plan)

    def snapshot(self) -> State:
        """The state now; give it to `restore` later."""
        return self.state.copy()

    def restore(self, state: State) -> None:
        """Go on from a snapshot of the same plan."""
        if state.layout != self.plan.layout:
            raise ValidationError("the snapshot is of another plan")
        self.state.put(state)

    def state_hash(self) -> int:
        """A hash of the state now: equal bits have equal hashes, in every process."""
        return state_hash(self.state.numbers, self.state.whole)

    def go_on_from(self, other: "Instance") -> None:
        """Go on from where another instance is; of another plan what its nodes remember goes over by node id."""
        if other.plan is self.plan:
            self.state.put(other.state)
        else:
            self.state.put(carried(other.state, other.plan, self.plan))

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
        count = self.take_in(dt, inputs, commands)
        given = Given(ground, character, incoming, tuple(commands))
        runner = self.runner if self.watch is None else None  # what notes the steps sees every pose
        if runner is not None and not self.plan.notes_events and (count == 1 or incoming is None):
            return self._compiled(runner, dt / count, count, given)
        results = []
        for number in range(count):
            if runner is None:
                results.append(self._by_twin(dt / count, given))
            else:
                results.append(self._compiled(runner, dt / count, 1, given))
            self._note_events(dt / count, results[-1])
            given = given if number else replace(given, commands=())
        return results[0] if count == 1 else joined(results, dt / count)

    def take_in(
        self, dt: float, inputs: Mapping[str, InputValue] | None, commands: Sequence[Command] = ()
    ) -> int:
        """Check what a step is given, and write it to the state; the number of inner steps."""
        if not 0.0 <= dt <= LONGEST_STEP * MOST_INNER:
            raise ValidationError(f"expected a step of 0 to {LONGEST_STEP * MOST_INNER:g} s, got {dt}")
        if commands:
            require_fit(self.plan.ops, commands)
        for name, value in (inputs or {}).items():
            self.set(name, value)
        if commands:
            ask_machines(self.plan.ops, self.state.ints, commands)
        return max(1, math.ceil(dt / LONGEST_STEP - 1e-9))

    def _compiled(self, runner: Runner, dt: float, count: int, given: Given) -> StepResult:
        """Some inner steps by the kernel."""
        if given.incoming is not None:
            self.state.last_curves[:] = given.incoming.curves
        return runner.step(self.asking(runner, dt, given), count, *self.works)

    def asking(self, runner: Runner, dt: float, given: Given = NOTHING_GIVEN) -> Asking:
        """What Python does in a step by the kernel."""

        def begin(first: bool) -> Run:
            return self._run(dt, given if first else replace(given, commands=()), runner.arrays)

        return Asking(
            self.state,
            dt,
            self.seed,
            begin,
            given.ground,
            given.incoming,
            given.character,
            bool(given.commands),
        )

    @property
    def works(self) -> tuple[Work, Work, Work]:
        """What `Runner.step` asks for."""
        return self._act, self._logic, self._end

    def _by_twin(self, dt: float, given: Given) -> StepResult:
        """One inner step in plain Python."""
        with kernels.twin():
            plan, state, count = self.plan, self.state, len(self.plan.ops)
            if given.incoming is not None:
                state.last_curves[:] = given.incoming.curves
            run = self._run(dt, given, StepArrays.fresh(count))
            if run.watch is not None:
                run.watch.rules, run.watch.names = plan.rules, plan.names
            state.registers[DT] = dt
            self._show_triggers()
            for read in plan.fills:
                state.registers[read.register] = read.value(run)
            flagged = interpreter.run(
                plan.program, state.registers, state.memory, self.seed, plan.tracks(), given.ground
            )
            self._act(run)
            self._logic(run)
            output = run.output(count - 1)
            if run.watch is not None:
                run.watch.outputs = run.outputs
            self._end(run)
            self._lapse_triggers(run, dt)
            state.weights[:], state.relevant[:] = run.weights, run.relevant
            state.last_curves[:] = output.curves
            state.whole[STEPS] += 1
        flags = np.array([k in flagged or op.node in run.flagged for k, op in enumerate(plan.ops)], np.int64)
        turn = quat.normalise(output.motion.rotation)
        return StepResult(
            plan,
            told_in_arrays(replace(output, motion=output.motion._replace(rotation=turn)), run.weights),
            actives(plan.ops, state.ints),
            tuple(run.visits),
            flags,
            playing(run),
            tuple(sorted(run.events, key=lambda event: event.moment)),
        )

    def _run(self, dt: float, given: Given, arrays: StepArrays) -> Run:
        """An inner step as Python sees it."""
        plan, state = self.plan, self.state
        run = Run(
            plan.rig, plan.ops, state.registers, state.floats, state.ints, state.poses, dt, arrays.weights,
            state.weights, arrays.spans, arrays.relevant, state.relevant, arrays.leaving, state.last_curves,
            arrays.stops, self._readers, ground=given.ground, character=given.character, incoming=given.incoming,
            commands=[*given.commands], watch=self.watch,
        )  # fmt: skip
        if plan.has_customs:
            run.rerun = self._rerun(run)
        return run

    def _rerun(self, run: Run) -> Callable[[int, int], None]:
        """Runs rows of the program again within a step; those with state have had theirs."""
        plan, state = self.plan, self.state

        def rerun(begin: int, end: int) -> None:
            rows = plan.program.rows[begin:end]
            part = Program(rows[rows[:, 5] < 0], plan.program.registers, 0)
            found = interpreter.run(part, state.registers, state.memory, self.seed, plan.tracks(), run.ground)
            run.flagged.update(plan.ops[k].node for k in found if 0 <= k < len(plan.ops))

        return rerun

    def _act(self, run: Run) -> None:
        """What the update sheet does beside setting variables; montages are played as it and the host ask."""
        for action in self.plan.actions:
            action.run(run)
        montages = montages_of(self.plan.ops)
        if montages is not None:
            run.branch = self.on_branch
            montages.play_all(run, run.commands, self.plan.branches)

    def _logic(self, run: Run) -> None:
        """Weights, then times."""
        self._weigh(run)
        self._advance(run)

    def _note_events(self, dt: float, result: StepResult) -> None:
        """Let the expressions of the next step know which events happened."""
        if dt > 0.0 and self.plan.notes_events:
            happened = {event.name for event in result.events}
            waiting = {event.name for event in result.events if not event.acted}
            for name, register in self.plan.event_reads:
                self.state.registers[register] = float(name in happened)
            for name, register in self.plan.sheet_events:
                self.state.registers[register] = float(name in waiting)

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

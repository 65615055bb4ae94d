"""Pose ops, the compiled form of pose nodes, and one step in progress over them.

A step goes over the ops three times: from the Output down (`weigh`: weights, relevance, what the machines decide),
over those that play (`advance`: times, notifies, root motion), and from the leaves up (`pose`), each op at most once.
All that lasts from step to step lies in the instance's arrays, at the places that the plan gave each op.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from core.arrays import FloatArray
from core.clips.clip import AdditiveSpace
from core.graph.commands import Command
from core.graph.events import Event, EventKind
from core.graph.language.interpreter import Ground
from core.graph.output import Output
from core.graph.packer import Packed, Packer, WholeArray
from core.graph.visit import Visit
from core.math import transform
from core.math.transform import Transform
from core.rig.rig import Rig

ZERO = 1e-5
"""The smallest weight that counts."""


@dataclass(slots=True)
class Place:
    """Where an op's numbers lie: first float, first int and first pose buffer of the instance."""

    floats: int = 0
    ints: int = 0
    poses: int = 0


class OpPlace(NamedTuple):
    """Which op of the plan it is.

    Parameters
    ----------
    number : its place in the plan's order, inputs before readers
    node : id of its node
    name : what events and reads call it; "" where nothing does
    """

    number: int
    node: str
    name: str = ""


class GraphOp:
    """One node, compiled: what has a place in the plan and in time. What gives a pose is a `PoseOp`.

    Parameters
    ----------
    where : number, node and name, which are its attributes
    inputs : numbers of the ops whose poses it reads, a pin each
    """

    FLOATS = 0
    INTS = 0
    POSES = 0
    LOGIC: str | None = None
    """Its entry in `core.math.kernel_graph.LOGIC`; see `logic`."""
    POSE: str | None = None
    """Its entry in `core.math.kernel_graph.POSES`; None: Python makes its pose."""
    BUFFERS = 1
    """Results that its kernel writes at most, with those that it works with."""
    PARTS = 0
    """Results that its kernel mixes at once beside its inputs'."""
    CARRIED = 0
    """Floats that its logic leaves for its pose."""
    additive: AdditiveSpace | None = None
    """The space of the difference that it gives; None for a plain pose."""
    serves_requests = False
    """Whether it can be asked to inertialise."""
    simulates = False
    """Whether it moves bodies: it begins from the last two results of the graph, and wants the whole ground."""
    VALUES: Mapping[str, int] = {}
    """What expressions read of it: name of the function → place among its floats."""

    def __init__(self, where: OpPlace, inputs: Sequence[int]) -> None:
        self.number, self.node, self.name = where
        self.inputs = tuple(inputs)
        self.place = Place()

    @property
    def logic(self) -> str | None:
        """How the kernel hands its weight down and moves it in time; None: Python does, for the whole plan.

        An op that does not say, and that leaves `weigh` and `advance` as they are here, passes its weight on to all
        inputs; its players are those of all, or of the first where it has `players` of its own.
        """
        kind = type(self)
        if self.LOGIC is not None:
            return self.LOGIC
        if kind.weigh is not GraphOp.weigh or kind.advance is not GraphOp.advance:
            return None
        return "passing" if kind.players is GraphOp.players else "first"

    def packed(self, packer: Packer) -> Packed:
        """Its own numbers as its kernels read them."""
        return Packed()

    def restart(self, run: "Run") -> None:
        """Begin anew, on becoming relevant."""

    def weigh(self, run: "Run", weight: float) -> None:
        """Hand weights down to the inputs (`Run.reach`)."""
        for number in self.inputs:
            run.reach(number, weight, self, relevant=True)

    def advance(self, run: "Run", weight: float) -> None:
        """Move in time by its span."""

    def players(self, run: "Run") -> list[tuple["GraphOp", float]]:
        """The players below it with their present weights relative to this op."""
        return [found for number in self.inputs for found in run.ops[number].players(run)]

    def remaining(self, run: "Run") -> float:
        """Seconds until a player's end at its present pace; infinite for what has none."""
        return float("inf")

    def gone(self, run: "Run", moment: float) -> None:
        """It counts no more: what is under way ends at a moment of this step."""

    def period(self, run: "Run") -> float:
        """Seconds of a turn of a player that loops, at its present pace; infinite for others."""
        return float("inf")

    def begin_state(self, ints: WholeArray) -> None:
        """Set what an instance's ints must be before the first step, where that is not 0."""

    def keep_result(self) -> None:
        """Keep the result of each step, for what asks for the last pose."""

    def last(self, run: "Run") -> Output | None:
        """Its result of the last step, where it keeps that."""
        return None

    def keep_history(self) -> None:
        """Keep the results of the last two steps and where they stood, for what goes on with their speed."""

    def history(self, run: "Run") -> "History | None":
        """Its last two results, where it keeps them and there is one."""
        return None

    def span(self, run: "Run") -> float:
        """Seconds that pass for it in this step."""
        return float(run.spans[self.number])

    def begins(self, run: "Run") -> float:
        """The moment of this step from which on time passes for it."""
        return float(run.stops[self.number] - run.spans[self.number])

    def share_at(self, run: "Run", number: int, moment: float) -> float:
        """The share 0..1 that one of its inputs has of it at a moment: linear over the step.

        A machine knows it exactly.
        """
        after = _ratio(run.weights, number, self.number)
        if run.before[self.number] <= 0.0:
            return after  # it begins in this step
        before = _ratio(run.before, number, self.number)
        return before + (after - before) * (moment / run.dt if run.dt > 0.0 else 1.0)


class History(NamedTuple):
    """The last two results of a graph.

    Parameters
    ----------
    local, place : of the last step: local transforms, and where the character stood in the world with them
    local_before, place_before : of the one before; the same where there was one step only
    seconds : between the two
    """

    local: Transform
    place: Transform
    local_before: Transform
    place_before: Transform
    seconds: float


class PoseOp(GraphOp, ABC):
    """A pose node, compiled."""

    @abstractmethod
    def pose(self, run: "Run") -> Output:
        """Its result for this step; the inputs' are there."""


class TellingOp(PoseOp):
    """A pose node whose kernel notes events."""

    @abstractmethod
    def told(self, item: int) -> Mapping[str, object]:
        """What an event that the kernel noted for it is, as the fields of `Event`."""


def _ratio(weights: FloatArray, part: int, whole: int) -> float:
    return min(float(weights[part] / weights[whole]), 1.0) if weights[whole] > 0.0 else 0.0


@dataclass(slots=True)
class Run:
    """One step in progress.

    Parameters
    ----------
    ops : of the plan, inputs before readers
    registers : values of this step's expressions
    floats, ints : the instance's state, changed in place
    poses : ``(P, 10B + 2C)`` the poses that ops keep: translations, rotations, scales, curves, which are present
    dt : seconds of the step
    weights : ``(N,)`` absolute weight by op in this step; before ``(N,)`` in the last
    spans : ``(N,)`` seconds that pass for each op
    relevant : ``(N,)`` whether an op counts in this step; was_relevant ``(N,)`` in the last
    leaving : ``(N,)`` whether an op lies only in branches that are being left
    last_curves : ``(C,)`` the graph's curves as the last step left them
    ground : height and normal of the ground at a place in model space; None is level ground at height 0
    character : where the character stands in the world
    incoming : the pose that a post-process graph is given
    flagged : ids of nodes that found no answer
    watch : what notes the step (`watch.Watch`, which knows machines); None mostly
    requests : number of an op that the update sheet asks to inertialise → the moment
    commands : what the update sheet asks in this step
    playing : the montages of this step (`montage_state.Playing`; which knows ops, and so is not named here)
    branch : what a branching notify of a montage starts, at its moment
    stops : ``(N,)`` moment at which time ends for each op: dt, or when a branch was cut
    readers : ``(N,)`` numbers of the ops that read each op
    passing : ops that count in this step, but are gone at its end
    following : ops that follow another in their sync group
    histories : of each machine, the beginnings of the parts of the step with the visits as they were there
    handed : number of a pose input of a custom blend → the pose that its transition gives it
    asked : numbers of the ops that are posed when another asks for them, not in their order
    moment : of the step at which actions act
    moments : number of a machine → the moment at which it was asked to go somewhere; the step's beginning without
    rerun : runs the rows of the program from one to another again, those without state
    """

    rig: Rig
    ops: Sequence[GraphOp]
    registers: FloatArray
    floats: FloatArray
    ints: WholeArray
    poses: FloatArray
    dt: float
    weights: FloatArray
    before: FloatArray
    spans: FloatArray
    relevant: WholeArray
    was_relevant: WholeArray
    leaving: WholeArray
    last_curves: FloatArray
    stops: FloatArray
    readers: Sequence[Sequence[int]] = ()
    outputs: dict[int, Output] = field(default_factory=dict)
    events: list[Event] = field(default_factory=list)
    begun: set[int] = field(default_factory=set)
    kept: set[int] = field(default_factory=set)
    taken: set[int] = field(default_factory=set)
    visits: list[int] = field(default_factory=list)
    ground: Ground | None = None
    character: Transform = transform.IDENTITY
    incoming: Output | None = None
    flagged: set[str] = field(default_factory=set)
    requests: dict[int, float] = field(default_factory=dict)
    watch: Any = None
    commands: list[Command] = field(default_factory=list)
    playing: list[Any] = field(default_factory=list)
    branch: Callable[[Event], Sequence[Command]] | None = None
    passing: set[int] = field(default_factory=set)
    following: set[int] = field(default_factory=set)
    histories: dict[int, list[tuple[float, list[Visit]]]] = field(default_factory=dict)
    handed: dict[int, Output] = field(default_factory=dict)
    asked: set[int] = field(default_factory=set)
    moment: float = 0.0
    moments: dict[int, float] = field(default_factory=dict)
    rerun: Callable[[int, int], None] | None = None

    def reach(
        self,
        number: int,
        weight: float,
        reader: GraphOp,
        *,
        relevant: bool,
        span: float | None = None,
        stop: float | None = None,
        leaving: bool = False,
        passing: bool = False,
    ) -> None:
        """Say that an op counts with a weight; of several readers the largest weight and longest time stand.

        Parameters
        ----------
        span : seconds that pass for it; the reader's where left out
        stop : moment at which they end; the reader's where left out
        relevant : whether it counts for its reader; what asks for a pose later must say the same here
        leaving : whether the branch is being left
        passing : whether the branch is gone at the end of the step
        """
        if not relevant:
            return
        end = float(self.stops[reader.number]) if stop is None else stop
        seconds = float(self.spans[reader.number]) if span is None else span
        passing = passing or reader.number in self.passing
        if self.relevant[number]:
            begin = min(end - seconds, float(self.stops[number] - self.spans[number]))
            end = max(end, float(self.stops[number]))
            seconds = end - begin
            passing = passing and number in self.passing
        self.weights[number] = max(self.weights[number], weight)
        self.stops[number], self.spans[number] = end, seconds
        self.relevant[number] = True
        self.leaving[number] &= leaving or bool(self.leaving[reader.number])
        (self.passing.add if passing else self.passing.discard)(number)

    def weight_at(self, number: int, moment: float) -> float:
        """The absolute weight 0..1 of an op at a moment of this step: exact within transitions, else linear."""
        readers = [reader for reader in self.readers[number] if self.relevant[reader]]
        if not readers:
            after, before = float(self.weights[number]), float(self.before[number])
            return 1.0 if number == len(self.ops) - 1 else before + (after - before) * moment / self.dt
        return max(
            self.weight_at(reader, moment) * self.ops[reader].share_at(self, number, moment)
            for reader in readers
        )

    def begin(self, number: int, always: bool = False, moment: float = 0.0) -> None:
        """Restart an op and all below it that were not relevant (all of them with `always`), once a step.

        Parameters
        ----------
        moment : at which it restarts; what is under way ends there
        """
        if number in self.begun or number in self.kept:
            return
        self.begun.add(number)
        op = self.ops[number]
        if always and self.was_relevant[number]:
            op.gone(self, moment)
        if always or not self.was_relevant[number]:
            op.restart(self)
        for below in op.inputs:
            self.begin(below, always, moment)

    def keep(self, number: int) -> None:
        """Let an op and all below it go on where they stood, relevant or not."""
        self.kept.add(number)
        for below in self.ops[number].inputs:
            self.keep(below)

    def value(self, register: int) -> float:
        """A value of this step."""
        return float(self.registers[register])

    def emit(
        self, kind: EventKind, name: str, moment: float, weight: float, node: str, **details: object
    ) -> None:
        """Note an event."""
        self.events.append(Event(name, kind, min(max(moment, 0.0), self.dt), weight, node, **details))  # type: ignore[arg-type]

    def output(self, number: int) -> Output:
        """An op's result; it is made at first use."""
        found = self.outputs.get(number)
        if found is None:
            self.visits.append(number)
            found = self.outputs[number] = posing(self.ops[number]).pose(self)
        return found


def posing(op: GraphOp) -> PoseOp:
    """An op that is read for its pose: the compiler links no others."""
    assert isinstance(op, PoseOp)
    return op

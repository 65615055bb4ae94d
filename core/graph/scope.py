"""What the expressions of a graph can name: its variables, and what the graph says of itself."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from core.errors import ValidationError
from core.graph.graph import Graph, Role
from core.graph.language.program import ProgramBuilder
from core.graph.language.values import BOOL, FLOAT, NAME, VECTOR, Kind, Value, ValueType
from core.graph.machine import MachineOp
from core.graph.montages import MontagesOp
from core.graph.names import near
from core.graph.op import GraphOp, Run
from core.graph.sync_member import SyncMember
from core.ik.chain import model_of
from core.tracks.evaluate import evaluate_scalar

Fill = Callable[[Run], float]

READS = {
    "curve": ("name",),
    "time_in_state": (),
    "state": ("machine",),
    "exited": ("machine",),
    "playing": ("montage",),
    "montage_time": ("montage",),
    "time": ("player",),
    "remaining": ("player",),
    "weight": ("node",),
    "fired": ("trigger",),
    "take": ("trigger",),
    "event": ("name",),
    "active": ("node",),
    "fraction": ("player",),
    "raw_curve": ("player", "curve"),
    "bone": ("bone",),
    "ragdoll_at_rest": ("ragdoll",),
    "ragdoll_speed": ("ragdoll",),
    "ragdoll_facing": ("ragdoll",),
    "got_up": ("get_up",),
    "get_up_progress": ("get_up",),
}
"""Functions that read the graph, with what each names."""
OWN = ("ragdoll_at_rest", "ragdoll_speed", "ragdoll_facing", "got_up", "get_up_progress")
"""Those that read a value of one kind of node (`GraphOp.VALUES`); 0 while the node does not count."""
TYPES = {
    "state": NAME,
    **dict.fromkeys(("exited", "active", "playing", "ragdoll_at_rest", "got_up"), BOOL),
}
"""Types of what they say, where that is no number."""


@dataclass(frozen=True, slots=True)
class Read:
    """A register that is filled from the state when a step begins.

    Parameters
    ----------
    function : one of `READS`, with the name that it is asked for
    value : what it says
    machine : the machine of ``time_in_state``
    """

    register: int
    function: str
    name: str
    value: Fill
    machine: Callable[[], MachineOp] | None = None


@dataclass(slots=True)
class GraphScope:
    """Places of variables and reads; each read is filled at the beginning of a step.

    Parameters
    ----------
    ops : the plan's ops so far; reads look nodes up when the plan is complete
    machine : the machine whose rules are being compiled, for ``time_in_state``
    takes : triggers that the expression being compiled takes
    event_reads : names of events that are asked for → register that says whether one happened in the last step
    sheet_events : the same for the update sheet, which has acted on some events at their moment
    bones : names of the rig's bones, for ``bone``
    prefix : put before names of nodes: those of a linked graph are named after its node
    first_map : number of the graph's first map in the plan
    """

    graph: Graph
    builder: ProgramBuilder
    ops: list[GraphOp]
    curves: dict[str, int]
    places: dict[str, Value] = field(default_factory=dict)
    names: list[str] = field(default_factory=list)
    fills: list[Read] = field(default_factory=list)
    machine: Callable[[], MachineOp] | None = None
    takes: set[int] = field(default_factory=set)
    event_reads: dict[str, int] = field(default_factory=dict)
    sheet_events: dict[str, int] = field(default_factory=dict)
    bones: tuple[str, ...] = ()
    prefix: str = ""
    first_map: int = 0
    _known: dict[tuple[str, ...], Value] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for variable in self.graph.variables:
            type_ = ValueType(variable.kind, variable.enum if variable.kind is Kind.ENUM else "")
            self.places[variable.name] = self.builder.place(type_, variable.default)

    def variable(self, name: str) -> Value | None:
        """The place of a variable."""
        return self.places.get(name)

    def variables(self) -> Iterable[str]:
        """Names of the variables."""
        return self.places

    def reads(self) -> Iterable[str]:
        """Names of the functions that read the graph."""
        return READS

    def track(self, name: str) -> int | None:
        """Number of a map."""
        return self.first_map + list(self.graph.maps).index(name) if name in self.graph.maps else None

    def enum_member(self, enum: str, member: str) -> int | None:
        """Index of an enum's member."""
        members = self.graph.enums.get(enum, ())
        return members.index(member) if member in members else None

    def name_index(self, name: str) -> int:
        """Index under which a name is held."""
        if name not in self.names:
            self.names.append(name)
        return self.names.index(name)

    def read(self, function: str, arguments: Sequence[str]) -> Value:
        """The place of what the graph says; see `READS`."""
        wanted = READS[function]
        if len(arguments) != len(wanted):
            shape = ", ".join(f"'{name}'" for name in wanted)
            raise ValidationError(f"expected {function}({shape})")
        if function in ("fired", "take"):
            return self._trigger(function, arguments[0])
        if function == "event":
            return self._event(arguments[0])
        if function == "bone":
            return self._bone(arguments[0])
        if function not in ("curve", "playing", "montage_time") and arguments:
            arguments = [self.prefix + arguments[0], *arguments[1:]]
        key = (function, *arguments, str(id(self.machine)) if function == "time_in_state" else "")
        if key not in self._known:
            place = self.builder.place(TYPES.get(function, FLOAT))
            name, value = arguments[0] if arguments else "", self._fill(function, arguments)
            self.fills.append(Read(place.register, function, name, value, self.machine))
            self._known[key] = place
        return self._known[key]

    def _trigger(self, function: str, name: str) -> Value:
        triggers = [v.name for v in self.graph.variables if v.role is Role.TRIGGER]
        if name not in triggers:
            raise ValidationError(f"the graph has no trigger {name!r}{near(name, triggers)}")
        if (
            function == "take" and not self.prefix
        ):  # a linked graph's trigger is a pin, which its host consumes
            self.takes.add([v.name for v in self.graph.variables].index(name))
        return Value(BOOL, self.places[name].register)

    @property
    def reads_bones(self) -> bool:
        """Whether an expression asks for a bone of the last pose."""
        return any(function == "bone" for function, *_ in self._known)

    def _event(self, name: str) -> Value:
        if name not in self.event_reads:
            self.event_reads[name] = self.builder.place(BOOL).register
        return Value(BOOL, self.event_reads[name])

    def sheet_event(self, name: str) -> int:
        """The register that tells whether an event happened in the last step on which nothing has acted yet."""
        if name not in self.sheet_events:
            self.sheet_events[name] = self.builder.place(BOOL).register
        return self.sheet_events[name]

    def _bone(self, name: str) -> Value:
        if name not in self.bones:
            raise ValidationError(f"the rig has no bone {name!r}{near(name, self.bones)}")
        key, number = ("bone", name), self.bones.index(name)
        if key not in self._known:
            place = self._known[key] = self.builder.place(VECTOR)
            for axis in range(3):
                self.fills.append(Read(place.register + axis, "bone", "", _place_of(number, axis)))
        return self._known[key]

    def _fill(self, function: str, arguments: Sequence[str]) -> Fill:
        if function == "curve":
            return self._curve(arguments[0])
        if function == "time_in_state":
            machine = self.machine
            if machine is None:
                raise ValidationError("time_in_state belongs into the rules of a machine")
            return lambda run: machine().time_in_state(run)
        name, ops = arguments[0], self.ops
        if function in ("playing", "montage_time"):
            return lambda run: self._montage(name, run, function == "playing")

        def found() -> GraphOp:
            return next(op for op in ops if op.name == name)

        if function == "state":
            return lambda run: self._state_name(found(), run)
        if function == "exited":
            return lambda run: self._exited(found(), run)
        if function == "weight":
            return lambda run: float(run.before[found().number])
        if function == "active":
            return lambda run: float(run.was_relevant[found().number])
        if function in OWN:
            return lambda run: _own_value(found(), run, function)
        if function == "fraction":
            return lambda run: _fraction(found(), run)
        if function == "raw_curve":
            return lambda run: self._raw_curve(name, arguments[1], run)
        if function == "remaining":
            return lambda run: min(found().remaining(run), 1e12)
        return lambda run: float(run.floats[found().place.floats])

    def _state_name(self, op: GraphOp, run: Run) -> float:
        assert isinstance(op, MachineOp)
        active = op.active(run)
        return float(self.name_index(op.states[active].name if active >= 0 else ""))

    @staticmethod
    def _exited(op: GraphOp, run: Run) -> float:
        assert isinstance(op, MachineOp)
        return float(op.exited(run))

    def _montages(self) -> MontagesOp | None:
        return next((op for op in self.ops if isinstance(op, MontagesOp)), None)

    def _montage(self, name: str, run: Run, playing: bool) -> float:
        op = self._montages()
        assert op is not None
        found = op.newest(run, name)
        return float(found is not None) if playing else op.position(run, found)

    def _raw_curve(self, name: str, curve: str, run: Run) -> float:
        """A curve of a player, or of the newest montage of that name that plays."""
        op = next((op for op in self.ops if op.name == name), None)
        montages = self._montages()
        own = name.removeprefix(self.prefix)  # a linked graph shares its host's montages
        if op is not None and (montages is None or own not in montages.by_name):
            return _raw_curve(op, run, curve)
        block = None if montages is None else montages.newest(run, own)
        plan = None if montages is None or block is None else montages.plan_of(run, block)
        return (
            0.0 if montages is None or plan is None else plan.raw_curve(curve, montages.position(run, block))
        )

    def _curve(self, name: str) -> Fill:
        index = self.curves.get(name)
        if index is None:
            return lambda run: 0.0  # a curve that is absent is 0
        return lambda run: float(run.last_curves[index])

    def name_states(self) -> None:
        """Give every state that ``state`` can say its index, when all ops are there."""
        for read in self.fills:
            op = next((op for op in self.ops if op.name == read.name), None)
            if read.function == "state" and isinstance(op, MachineOp):
                for name in ("", *(state.name for state in op.states)):
                    self.name_index(name)

    def unresolved(self) -> list[str]:
        """Names of nodes that reads ask for and no op has, or that are of the wrong kind."""
        missing = []
        for function, *arguments in self._known:
            if function in ("curve", "time_in_state", "bone"):
                continue
            name = arguments[0]
            if function in ("playing", "montage_time"):
                op = self._montages()
                names = list(op.by_name) if op is not None else []
                if name not in names:
                    missing.append(
                        f"{function}({name!r}): no montage of that name plays here{near(name, names)}"
                    )
                continue
            fitting = [op for op in self.ops if op.name == name]
            montages = self._montages() if function == "raw_curve" else None
            if not fitting and montages is not None and name.removeprefix(self.prefix) in montages.by_name:
                continue
            if not fitting:
                have = [op.name for op in self.ops if op.name]
                missing.append(f"{function}({name!r}): there is no node of that name{near(name, have)}")
            elif function in ("state", "exited") and not isinstance(fitting[0], MachineOp):
                missing.append(f"{function}({name!r}): that node is no state machine")
            elif function == "time" and not isinstance(fitting[0], SyncMember):
                # Only what plays keeps its time where it is read.
                missing.append(f"{function}({name!r}): that node plays nothing; name a clip or a blend space")
            elif function in OWN and function not in fitting[0].VALUES:
                kind = "Get up" if "up" in function else "Ragdoll"
                missing.append(f"{function}({name!r}): that node is no {kind} node")
        return missing


def _place_of(bone: int, axis: int) -> Fill:
    """Model position of a bone in the pose of the last step, 0 before the first."""

    def fill(run: Run) -> float:
        last = run.ops[-1].last(run)
        return 0.0 if last is None else float(model_of(run.rig.skeleton, last.local, bone).translation[axis])

    return fill


def _own_value(op: GraphOp, run: Run, function: str) -> float:
    """A value that a node keeps for expressions; 0 where it did not count in the last step."""
    if not run.was_relevant[op.number]:
        return 0.0
    return float(run.floats[op.place.floats + op.VALUES[function]])


def _fraction(op: GraphOp, run: Run) -> float:
    """How far a player is, 0..1 of its length; 0 where it has none."""
    length = float(getattr(op, "length", 0.0))
    time = float(run.floats[op.place.floats])
    if length <= 0.0:
        return 0.0
    return time % length / length if getattr(op, "loops", False) else min(max(time / length, 0.0), 1.0)


def _raw_curve(op: GraphOp, run: Run, name: str) -> float:
    """A curve of a player's clip at its time, unweighted; 0 where the clip has none."""
    clip = getattr(getattr(op, "evaluator", None), "clip", None)
    track = None if clip is None else clip.curves.get(name)
    if clip is None or track is None:
        return 0.0
    time, length = float(run.floats[op.place.floats]), clip.length
    at = time % length if getattr(op, "loops", False) and length > 0.0 else time
    return float(evaluate_scalar(track, np.array([at]))[0])

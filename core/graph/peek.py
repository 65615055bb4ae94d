"""What a state holds, read without taking a step: machines, their transitions, values of expressions."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from core.arrays import FloatArray
from core.blending.easing import ease
from core.graph.instance import Instance
from core.graph.language import interpreter
from core.graph.language.compiler import compile_expression
from core.graph.language.program import ProgramBuilder
from core.graph.language.syntax import Binary, ExpressionError, parse
from core.graph.language.values import Kind, ValueType
from core.graph.machine import VISIT, MachineOp
from core.graph.op import Run
from core.graph.plan import Plan
from core.graph.runner import StepArrays
from core.graph.scope import GraphScope
from core.graph.state import State
from core.math import kernels, transform


@dataclass(frozen=True, slots=True)
class Running:
    """A transition under way.

    Parameters
    ----------
    number : of the machine's transition
    progress : 0..1 of its blend, eased
    """

    number: int
    progress: float


@dataclass(frozen=True, slots=True)
class MachineView:
    """What a machine does.

    Parameters
    ----------
    active : number of the active state; −1 before it began
    seconds : time in that state
    running : transitions under way, the oldest first
    """

    active: int
    seconds: float
    running: tuple[Running, ...]


def machines(plan: Plan) -> tuple[MachineOp, ...]:
    """The machines of a plan, in the order of its ops."""
    found = plan.kept.get("peek_machines")
    if found is None:
        found = plan.kept["peek_machines"] = tuple(op for op in plan.ops if isinstance(op, MachineOp))
    assert isinstance(found, tuple)
    return found


def machine_view(op: MachineOp, state: State) -> MachineView:
    """What a machine does in a state."""
    ints, floats = state.ints, state.floats
    i, f = op.place.ints + 2, op.place.floats
    running = []
    for level in range(1, int(ints[i - 1])):
        number = int(ints[i + VISIT * level + 1])
        elapsed, seconds = float(floats[f + VISIT * level]), float(floats[f + VISIT * level + 1])
        if number >= 0 and elapsed < seconds:
            transition = op.transitions[number]
            running.append(
                Running(number, float(ease(transition.easing, elapsed / seconds, transition.track)))
            )
    blend, at = op.inertial.place()
    code, seconds = abs(int(ints[blend])), float(floats[at + 1])
    if code and seconds > 0.0 and float(floats[at]) < seconds:
        running.append(Running(code - 1, min(float(floats[at]) / seconds, 1.0)))
    return MachineView(int(ints[op.place.ints]), float(floats[op.time_place()]), tuple(running))


def player_left(instance: Instance, op: MachineOp, state: int, player: str = "") -> tuple[float, float]:
    """Seconds that the heaviest player of a state, or one by name, has left, and seconds of its turn where it loops.

    Both are infinite where there is none.
    """
    run = _still(instance)
    players = run.ops[op.states[state].root].players(run)
    found = [pair for pair in players if not player or pair[0].name == player]
    if not found:
        return float("inf"), float("inf")
    heaviest, _ = max(found, key=lambda pair: (pair[1], -pair[0].number))
    return heaviest.remaining(run), heaviest.period(run)


# -------------------------------------------------------------------- values of expressions
def in_words(plan: Plan, type_: ValueType, numbers: FloatArray) -> str:
    """A value as people read it: true or false, a name, a member of an enum, numbers."""
    first = float(numbers[0])
    if type_.kind is Kind.BOOL:
        return "true" if first != 0.0 else "false"
    if type_.kind is Kind.NAME:
        return repr(plan.names[int(first)]) if 0 <= first < len(plan.names) else "''"
    if type_.kind is Kind.ENUM:
        members = plan.graph.enums.get(type_.enum, ())
        return members[int(first)] if 0 <= first < len(members) else f"{first:g}"
    if len(numbers) == 1:
        return f"{first:.4g}"
    return "(" + ", ".join(f"{float(x):.4g}" for x in numbers) + ")"


@dataclass(frozen=True, slots=True)
class Asked:
    """An expression, compiled to be asked about states of one plan.

    Parameters
    ----------
    ask : gives its value's numbers ``(1,)``, ``(3,)`` or ``(4,)`` for an instance as it stands
    """

    type: ValueType
    ask: Callable[[Instance], FloatArray]


def asking(plan: Plan, text: str, machine: MachineOp | None = None) -> Asked:
    """Compile an expression against a plan, to ask what it gives for a state.

    Functions that keep something from step to step begin again each time they are asked.

    Parameters
    ----------
    machine : whose ``time_in_state`` is meant

    Raises
    ------
    ExpressionError
        It is wrong, or names what is not there.
    """
    builder = ProgramBuilder()
    scope = GraphScope(
        plan.graph, builder, list(plan.ops), plan.table.index, names=list(plan.names),
        bones=plan.rig.skeleton.names,
        machine=None if machine is None else (lambda: machine),
    )  # fmt: skip
    value = compile_expression(text, scope, builder)
    lost = scope.unresolved()
    if lost:
        raise ExpressionError(lost[0], text, 0)
    program, own = builder.finish(), dict(scope.places)
    events = dict(plan.event_reads)

    def ask(instance: Instance) -> FloatArray:
        state = instance.state
        registers = program.registers.copy()
        registers[0] = 1.0 / 60.0
        for number, (variable, place) in enumerate(plan.variables):
            first, width = own[variable.name].register, place.type.width
            registers[first : first + width] = state.registers[place.register : place.register + width]
            if state.pending[number] >= 0.0:
                registers[first] = 1.0
        for name, register in scope.event_reads.items():
            registers[register] = state.registers[events[name]] if name in events else 0.0
        run = _still(instance)
        for read in scope.fills:
            registers[read.register] = read.value(run)
        with kernels.twin():
            interpreter.run(program, registers, np.zeros(program.states + 3), instance.seed, plan.tracks())
        return registers[value.register : value.register + value.type.width]

    return Asked(value.type, ask)


def _still(instance: Instance) -> Run:
    """A step of no time, for reads."""
    plan, state, arrays = instance.plan, instance.state, StepArrays.fresh(len(instance.plan.ops))
    return Run(
        plan.rig, plan.ops, state.registers, state.floats, state.ints, state.poses, 0.0, arrays.weights,
        state.weights, arrays.spans, arrays.relevant, state.relevant, arrays.leaving, state.last_curves,
        arrays.stops, character=transform.IDENTITY,
    )  # fmt: skip


def guards(text: str) -> list[str]:
    """The parts of a rule that must all hold: what its outermost ``and`` joins."""
    try:
        tree = parse(text)
    except ExpressionError:
        return [text.strip()]
    columns: list[int] = []
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, Binary) and text[node.column :].startswith("and"):
            before = text[: node.column]
            if before.count("(") == before.count(")"):
                columns.append(node.column)
            waiting += [node.left, node.right]
    parts, begin = [], 0
    for column in sorted(columns):
        parts.append(text[begin:column].strip())
        begin = column + len("and")
    return [part for part in (*parts, text[begin:].strip()) if part]


def weights_by_node(plan: Plan, weights: FloatArray) -> Mapping[str, float]:
    """Id of every pose node and state → its absolute weight."""
    found: dict[str, float] = {}
    values = weights.tolist()
    for op in plan.ops:
        if found.get(op.node, -1.0) < values[op.number]:
            found[op.node] = values[op.number]
    for machine in machines(plan):
        for state in machine.states:
            found[state.node] = values[state.root]
    return found

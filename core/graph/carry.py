"""Going on with another plan of a graph: what its nodes remember goes over by node id (spec: graph, §2)."""

import numpy as np

from core.graph.machine import MachineOp
from core.graph.montages import MontagesOp
from core.graph.op import GraphOp
from core.graph.plan import Plan
from core.graph.state import State

Key = tuple[object, ...]


def carried(state: State, old: Plan, new: Plan) -> State:
    """A state of one plan as a state of another.

    Ops go over by node where kind and layout agree (of a machine its states and transitions, of montages their names);
    variables, triggers and curves by name. What expressions remember goes over where all expressions are the same. The
    rest is as at the beginning.
    """
    made = State.empty(new.layout)
    made.registers[:] = new.program.registers
    made.pending[:] = -1.0
    for op in new.ops:
        op.begin_state(made.ints)
    numbers = _keyed(old.ops)
    for key, op in _keyed(new.ops).items():
        source = numbers.get(key)
        if source is not None:
            _carry_op(state, made, source, op)
    _carry_values(state, made, old, new)
    _carry_leaders(state, made, old, new)
    made.whole[0] = state.whole[0]
    return made


def _keyed(ops: tuple[GraphOp, ...]) -> dict[Key, GraphOp]:
    """Ops by what must agree: node, name, kind and layout; ops of one node that agree are counted."""
    found: dict[Key, GraphOp] = {}
    for op in ops:
        key: Key = (op.node, op.name, type(op), op.FLOATS, op.INTS, op.POSES, *_layout(op))
        count = 0
        while (*key, count) in found:
            count += 1
        found[(*key, count)] = op
    return found


def _layout(op: GraphOp) -> tuple[object, ...]:
    """What the numbers of an op refer to by number."""
    if isinstance(op, MachineOp):
        return (*(s.node for s in op.states), *((t.node, t.name, t.source, t.target) for t in op.transitions))
    if isinstance(op, MontagesOp):
        sections = [tuple(section.name for section in plan.sections) for plan in op.plans]
        return (*(plan.source.node for plan in op.plans), *sections, *(c.id for c in op.clips.clips))
    return ()


def _carry_op(state: State, made: State, old: GraphOp, new: GraphOp) -> None:
    a, b = old.place, new.place
    made.floats[b.floats : b.floats + new.FLOATS] = state.floats[a.floats : a.floats + old.FLOATS]
    made.ints[b.ints : b.ints + new.INTS] = state.ints[a.ints : a.ints + old.INTS]
    if state.layout.pose == made.layout.pose:
        made.poses[b.poses : b.poses + new.POSES] = state.poses[a.poses : a.poses + old.POSES]
    made.weights[new.number] = state.weights[old.number]
    made.relevant[new.number] = state.relevant[old.number]


def _carry_values(state: State, made: State, old: Plan, new: Plan) -> None:
    places = {v.name: (k, v, place) for k, (v, place) in enumerate(old.variables)}
    for number, (variable, place) in enumerate(new.variables):
        if variable.name not in places:
            continue
        before, was, source = places[variable.name]
        if (was.kind, was.enum) == (variable.kind, variable.enum):
            width = place.type.width
            values = state.registers[source.register : source.register + width]
            kept = np.clip(values, variable.minimum, variable.maximum)
            made.registers[place.register : place.register + width] = kept
            if was.role is variable.role:
                made.pending[number] = state.pending[before]
    for reads, sources in ((new.event_reads, old.event_reads), (new.sheet_events, old.sheet_events)):
        known = dict(sources)
        for name, register in reads:
            if name in known:
                made.registers[register] = state.registers[known[name]]
    for index, earlier in (
        (new.table.index, old.table.index),
        (new.table.morph_index, old.table.morph_index),
    ):
        for name, k in index.items():
            if name in earlier:
                made.last_curves[k] = state.last_curves[earlier[name]]
    same = new.program.states == old.program.states and np.array_equal(new.program.rows, old.program.rows)
    if same:
        made.memory[: new.program.states] = state.memory[: old.program.states]


def _carry_leaders(state: State, made: State, old: Plan, new: Plan) -> None:
    """Who leads a sync group: an op's number, which may be another now."""
    numbers = {key: op.number for key, op in _keyed(new.ops).items()}
    keys = {op.number: key for key, op in _keyed(old.ops).items()}
    places = {group.name: group.place for group in old.groups}
    for group in new.groups:
        leader = int(state.ints[places[group.name]]) - 1 if group.name in places else -1
        made.ints[group.place] = numbers.get(keys.get(leader, ()), -1) + 1

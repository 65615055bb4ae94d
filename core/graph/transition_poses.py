"""What a transition looks like without running its graph: source, middle of the blend and target (spec: graph, §7).

A graph is made of the machine alone, with only that transition and a switch for its rule, and run from rest with the
variables at their defaults: nothing that runs elsewhere is touched, and the blend is the one that will be run.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace

from core.errors import ValidationError
from core.graph import edits, peek
from core.graph.compile import compile_graph
from core.graph.compiler import Assets
from core.graph.graph import Blend, Graph, Link, Node, Sheet, SheetKind, Transition, Variable, new_node_id
from core.graph.instance import LONGEST_STEP, MOST_INNER, Instance
from core.graph.language.values import Kind
from core.graph.machine import MachineOp
from core.graph.problems import GraphError
from core.pose.pose import Pose

LONGEST = LONGEST_STEP * MOST_INNER
"""Seconds into the source at which a transition is looked at, at most."""
AT_ONCE = 1e-9
"""Seconds in which a transition without a blend is taken: in a step of none nothing happens."""


@dataclass(frozen=True, slots=True, eq=False)
class TransitionPoses:
    """A transition as three poses, root motion taken out.

    Parameters
    ----------
    source : of the state that it leaves, when it typically does; `leaves` seconds after that was entered
    middle : after half of the blend's `seconds`
    target : of the state that it leads to, at its start
    """

    source: Pose
    middle: Pose
    target: Pose
    leaves: float
    seconds: float


def transition_poses(graph: Graph, project: Assets, transition: str) -> TransitionPoses:
    """The poses of a transition from state to state.

    It leaves where its automatic rule says; by rule alone at the end of the clip of the source's heaviest player, or
    at the middle of the turn of one that loops.

    Raises
    ------
    MissingReferenceError
        The graph has no such transition.
    ValidationError
        It does not lead from a state to a state.
    GraphError
        What the states hold has faults, or needs what is outside the machine.
    """
    found, sheet = edits.transition_in(graph, transition), edits.sheet_of(graph, transition)
    states = {node.id: node for node in sheet.of_kind("state")}
    if found.source not in states or found.target not in states:
        raise ValidationError("only a transition from a state to a state has poses of its own")
    ends = (states[found.source], *([states[found.target]] if found.target != found.source else []))
    updates = [s for s in graph.sheets if s.kind is SheetKind.UPDATE]
    try:
        return _poses(graph, project, found, sheet, ends, updates)
    except GraphError:  # sheets that name other states, or an update sheet that needs what is outside
        others = [state for state in states.values() if state not in ends]
        return _poses(graph, project, found, sheet, (*ends, *others), ())


def _poses(
    graph: Graph,
    project: Assets,
    found: Transition,
    sheet: Sheet,
    states: tuple[Node, ...],
    updates: Iterable[Sheet],
) -> TransitionPoses:
    holder = edits.holder_of(graph, sheet.id)
    machine = Node(
        new_node_id() if holder is None else holder[1].id, "machine", {"sheet": sheet.id}, {},
        sheet.name if holder is None else holder[1].name,
    )  # fmt: skip
    output = Node(new_node_id(), "output", name="Output")
    root = Sheet(
        new_node_id(), "pose", SheetKind.POSE, (machine, output), (Link(machine.id, output.id, "pose"),)
    )
    switch = "leaves"
    while any(v.name == switch for v in graph.variables):
        switch += "_"
    blends = [s for s in graph.sheets if s.id == found.blend.sheet]
    nodes = (*states, *(node for s in blends for node in s.nodes))
    inner = {s.id: s for s in (*edits.inner_sheets(graph, nodes), *blends, *updates)}

    def made(blend: Blend) -> Instance:
        way = replace(found, rule=switch, automatic=None, min_time=0.0, reentry_time=0.0, blend=blend)
        alone = replace(sheet, nodes=states, links=(), transitions=(way,))
        variables = (*graph.variables, Variable(switch, Kind.BOOL, maximum=1.0, minimum=0.0))
        kept = [s for id, s in inner.items() if id != sheet.id]
        whole = replace(graph, variables=variables, sheets=(root, alone, *kept), layout={})
        return Instance(compile_graph(whole, project))

    run = made(found.blend)
    entered = run.step(0.0)
    op = next(op for op in peek.machines(run.plan) if op.node == machine.id)
    leaves = _leaves(run, op, found)
    source = run.step(leaves).pose if leaves > 0.0 else entered.pose
    seconds = min(max(float(run.state.registers[op.transitions[0].seconds]), 0.0), LONGEST)
    cut = made(Blend("0"))
    cut.step(0.0)
    if leaves > 0.0:
        cut.step(leaves)
    target = cut.step(AT_ONCE, {switch: True}).pose
    middle = run.step(seconds / 2.0, {switch: True}).pose if seconds > 0.0 else target
    return TransitionPoses(source, middle, target, leaves, seconds)


def _leaves(run: Instance, op: MachineOp, transition: Transition) -> float:
    """Seconds in the source after which a transition typically leaves it."""
    left, turn = peek.player_left(run, op, 0, transition.player if transition.automatic is not None else "")
    if transition.automatic is not None:
        wanted = transition.automatic
        left -= max(float(run.state.registers[op.transitions[0].seconds]), 0.0) if wanted < 0.0 else wanted
    elif math.isfinite(turn):
        left = turn / 2.0
    return min(max(left, 0.0), LONGEST) if math.isfinite(left) else 0.0

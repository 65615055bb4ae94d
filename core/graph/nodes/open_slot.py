"""Open slots of linked graphs: places for a graph that the host chooses while a graph runs (spec: graph, §8)."""

from collections.abc import Mapping

from core.errors import MissingReferenceError
from core.graph.compile import compile_graph
from core.graph.compiler import Assets
from core.graph.graph import Graph
from core.graph.instance import Instance
from core.graph.names import near
from core.graph.nodes.linked import OpenSlotOp
from core.graph.plan import Plan
from core.ids import AssetId


def open_slots(plan: Plan) -> dict[str, str]:
    """Name of every open slot → id of the graph that fills it, "" where none does."""
    return {op.slot: op.filled for op in plan.ops if isinstance(op, OpenSlotOp)}


def fill_slots(instance: Instance, project: Assets, filled: Mapping[str, AssetId]) -> Instance:
    """Go on with other graphs in open slots: the pose goes over inertialised, everything else runs on.

    Parameters
    ----------
    filled : name of a slot → id of the graph in it; slots that are left out have the graph that their node names

    Returns
    -------
    instance : what runs from now on; the one given stays as it is

    Raises
    ------
    MissingReferenceError
        No open slot of that name; near ones are listed.
    GraphError
        What is wrong with the graph with these.
    """
    graph: Graph = instance.plan.graph
    plan = compile_graph(graph, project, filled)
    known = open_slots(plan)
    for name in filled:
        if name not in known:
            raise MissingReferenceError(f"graph {graph.name!r} has no open slot {name!r}{near(name, known)}")
    made = Instance(plan, instance.seed, instance.on_branch)
    made.go_on_from(instance)
    before = open_slots(instance.plan)
    for op in plan.ops:
        if isinstance(op, OpenSlotOp) and before.get(op.slot) != op.filled:
            op.ask(made.state.ints)
    return made

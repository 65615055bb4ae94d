"""Linked graphs: another graph of the project at work inside this one, with state and variables of its own.

A node with the parameter ``slot`` is an open slot: the host says which graph is in it (`core.graph.nodes.open_slot`);
``graph`` is the one that stands in it at first, and without one its pin ``pose`` passes through.
"""

from dataclasses import replace

from core.graph import inertial as inertia
from core.graph.compiler import MOST_NODES, Compiler, Kind
from core.graph.graph import Graph, Node, Role, Sheet, Variable
from core.graph.inertial import Inertial
from core.graph.language.program import Op
from core.graph.language.values import FLOAT, Value, ValueType
from core.graph.language.values import Kind as ValueKind
from core.graph.mixing import OutputOp
from core.graph.names import near
from core.graph.op import OpPlace, Run
from core.graph.output import Output
from core.graph.packer import WholeArray

MOST_LEVELS = 16
"""Graphs linked within each other."""


class OpenSlotOp(OutputOp):
    """The end of what fills an open slot; it inertialises when the host fills the slot with another graph.

    Its ints: whether it was filled anew; then an inertial's.

    Parameters
    ----------
    slot : its name
    filled : id of the graph in it, "" where there is none
    seconds : register of how long the jump takes to die out
    """

    POSE: str | None = None
    BUFFERS = 1
    INTS = 1 + inertia.INTS
    FLOATS = inertia.FLOATS
    POSES = inertia.POSES

    def __init__(self, where: OpPlace, below: int, slot: str, filled: str, seconds: int) -> None:
        super().__init__(where, (below,))
        self.slot, self.filled, self.seconds = slot, filled, seconds
        self.inertial = Inertial(self, 1)

    def ask(self, ints: WholeArray) -> None:
        """Let the next step inertialise."""
        ints[self.place.ints] = 1

    def restart(self, run: Run) -> None:
        """Forget the outputs."""
        self.inertial.restart(run)

    def pose(self, run: Run) -> Output:
        """What comes in, with what is left of the jump."""
        found = run.output(self.inputs[0])
        if run.dt > 0.0 and run.ints[self.place.ints]:
            run.ints[self.place.ints] = 0
            self.inertial.begin(run, run.value(self.seconds), self.span(run))
        return self.inertial.put_on(run, found)

    def keep_result(self) -> None:
        """It is never the end of a whole graph."""


def _linked(c: Compiler, sheet: Sheet, node: Node) -> int:
    slot = str(node.parameters.get("slot") or "")
    if not slot:
        return _graph_at(c, sheet, node)
    wanted = c.filled.get(slot) or str(node.parameters.get("graph") or "")
    seconds = c.value(sheet, node, "seconds", FLOAT, "0.2")
    if wanted:
        below = _graph_at(
            c, sheet, replace(node, parameters={**node.parameters, "graph": wanted}), open_slot=True
        )
    else:
        below = c.pose(sheet, node, "pose") if c.link(sheet, node.id, "pose") else c.rest(node.id)
    return c.add(lambda at: OpenSlotOp(at, below, slot, wanted, seconds), node.id, node.name)


def _graph_at(c: Compiler, sheet: Sheet, node: Node, *, open_slot: bool = False) -> int:
    """The pose of the graph that a node names.

    Parameters
    ----------
    open_slot : pins that this graph has not are for others
    """
    graph = c.asset(sheet, node, "graph", Graph, "linked graph")
    if graph is None:
        return c.rest(node.id)
    problem = _refused(c, graph)
    if problem:
        c.fault(problem, sheet.id, node.id, "graph")
        return c.rest(node.id)
    root = graph.root
    if root is None:
        c.fault(f"graph {graph.name!r} has no pose sheet; add one with an Output", sheet.id, node.id, "graph")
        return c.rest(node.id)
    c.inlined[0] += sum(len(inner.nodes) for inner in graph.sheets)
    child = c.linked(graph, node.name)
    pins = {variable.name for variable in graph.variables if variable.role is not Role.OWN}
    pins |= {_pin(found) for inner in graph.sheets for found in inner.of_kind("pose_input")}
    for pin in [*node.literals, *(link.pin for link in c.links_to(sheet, node.id))]:
        if pin not in pins and not open_slot:
            c.fault(
                f"graph {graph.name!r} has no input {pin[:60]!r}{near(pin[:60], pins)}",
                sheet.id,
                node.id,
                pin,
            )
    for variable in graph.variables:
        if variable.role is not Role.OWN:
            _write(c, sheet, node, variable, child.scope.places[variable.name])
    child.given = lambda _, found: c.pose(sheet, node, _pin(found))
    below = child.whole(root)
    return c.add(lambda at: OutputOp(at, (below,)), node.id, node.name)


def _refused(c: Compiler, graph: Graph) -> str:
    """Why a graph cannot be linked here, or nothing."""
    if graph.id in c.inside:
        names = {found.id: found.name for found in (*c.project.all(Graph), c.graph)}
        path = " -> ".join(repr(names.get(key, key)) for key in (*c.inside, graph.id))
        return f"the graphs link each other in a circle: {path}; cut one of these links"
    if len(c.inside) > MOST_LEVELS:
        return f"graphs are linked within each other more than {MOST_LEVELS} deep"
    if c.inlined[0] + sum(len(sheet.nodes) for sheet in graph.sheets) > MOST_NODES:
        return f"with its linked graphs it has more than {MOST_NODES} nodes"
    return ""


def _pin(node: Node) -> str:
    """The pin of the linking node that gives a pose input its pose."""
    return str(node.parameters.get("input") or "pose")


def _write(c: Compiler, sheet: Sheet, node: Node, variable: Variable, place: Value) -> None:
    """Rows that write an input of the linked graph each step, within its bounds."""
    if variable.name not in node.literals and c.link(sheet, node.id, variable.name) is None:
        return  # the place holds its default
    type_ = ValueType(variable.kind, variable.enum if variable.kind is ValueKind.ENUM else "")
    register = c.value(sheet, node, variable.name, type_, "0")
    low, high = (c.builder.constant(FLOAT, x).register for x in (variable.minimum, variable.maximum))
    for k in range(place.type.width):
        held = c.builder.emit(Op.MAXIMUM, FLOAT, register + k, low)
        c.builder.write(Op.MINIMUM, place.register + k, held.register, high)


KINDS: dict[str, Kind] = {"linked_graph": _linked}

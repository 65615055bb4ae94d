"""Linked graphs: another graph of the project at work inside this one, with state and variables of its own."""

from core.graph.compiler import MOST_NODES, Compiler, Kind
from core.graph.graph import Graph, Node, Role, Sheet, Variable
from core.graph.language.program import Op
from core.graph.language.values import FLOAT, Value, ValueType
from core.graph.language.values import Kind as ValueKind
from core.graph.mixing import OutputOp
from core.graph.names import near

MOST_LEVELS = 16
"""Graphs linked within each other."""


def _linked(c: Compiler, sheet: Sheet, node: Node) -> int:
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
        if pin not in pins:
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
    return c.add(lambda n: OutputOp(n, node.id, node.name, (below,)))


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

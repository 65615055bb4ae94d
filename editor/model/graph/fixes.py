"""Quick fixes: what a click can do about a problem of a graph."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from core.errors import AnimError
from core.graph import edits
from core.graph.graph import Graph, Link, Node, NodeId, Role, SheetKind, Variable, new_node_id
from core.graph.language.renaming import with_name, with_quoted
from core.graph.language.values import Kind
from core.graph.problems import Problem
from core.graph.scope import READS
from editor.model.graph.geometry import on_grid
from editor.model.graph.layout import Layout
from editor.model.i18n import tr

NEAR = "; near: "


@dataclass(frozen=True, slots=True)
class Fix:
    """A quick fix.

    Parameters
    ----------
    make : gives the graph with it done, and its layout
    """

    title: str
    make: Callable[[Graph, Layout], tuple[Graph, Layout]]


def fixes_of(problem: Problem) -> tuple[Fix, ...]:
    """What can be done about a problem by a click."""
    found: list[Fix] = []
    message = problem.message
    if message.startswith("nothing is wired to"):
        found.append(Fix(tr("Connect the rest pose"), lambda g, y: _with_rest(g, y, problem)))
    if message.startswith("the graph has no slot"):
        found.append(Fix(tr("Make the slot"), lambda g, y: (_with_slot(g, problem), y)))
    name = _quoted(message)
    if name.isidentifier() and any(words in message for words in UNKNOWN):
        for kind, title in ((Kind.FLOAT, tr("number")), (Kind.BOOL, tr("yes or no"))):
            found.append(_new_variable(name, kind, title))
    if message.startswith("expected one Output node, found 0"):
        found.append(Fix(tr("Add an output"), lambda g, y: (_with_output(g, problem.sheet), y)))
    if message.startswith("the machine has no state"):
        found.append(Fix(tr("Add a state"), lambda g, y: (_with_state(g, problem.sheet), y)))
    if problem.pin and NEAR in message:
        found.extend(
            _instead(problem, name, other) for other in message.split(NEAR)[1].split(";")[0].split(", ")[:2]
        )
    return tuple(found)


UNKNOWN = ("there is no variable", "unknown name", "is no name", "there is no name")
"""How the compiler says that a name is not there."""


def _new_variable(name: str, kind: Kind, title: str) -> Fix:
    words = tr("Make variable {name} ({kind})", name=name, kind=title)
    return Fix(words, lambda g, y: (_with_variable(g, name, kind), y))


def _quoted(message: str) -> str:
    """The first quoted name of a message."""
    parts = message.split("'")
    return parts[1] if len(parts) > 2 else ""


def _with_rest(graph: Graph, layout: Layout, problem: Problem) -> tuple[Graph, Layout]:
    node = Node(new_node_id(), "rest")
    link = Link(node.id, NodeId(problem.node), problem.pin)
    x, y = layout.places.get(problem.node, (0.0, 0.0))
    if problem.node in layout.places:
        layout = layout.moved({node.id: on_grid((x - 176.0, y))})
    return edits.added(graph, problem.sheet, [node], [link]), layout


def _with_slot(graph: Graph, problem: Problem) -> Graph:
    slot = str(edits.node_in(graph, problem.node).parameters.get("slot") or "DefaultGroup.Slot")
    if not edits.node_in(graph, problem.node).parameters.get("slot"):
        graph = edits.with_parameter(graph, problem.node, "slot", slot)
    return graph if slot in graph.slots else replace(graph, slots=(*graph.slots, slot))


def _with_variable(graph: Graph, name: str, kind: Kind) -> Graph:
    if any(v.name == name for v in graph.variables):
        return graph
    bounds = (0.0, 1.0) if kind is Kind.BOOL else (-1e12, 1e12)
    made = Variable(name, kind, (0.0,), *bounds, role=Role.INPUT)
    return replace(graph, variables=(*graph.variables, made))


def _with_output(graph: Graph, sheet: str) -> Graph:
    return edits.added(graph, sheet, [Node(new_node_id(), "output", name="Output")])


def _with_state(graph: Graph, sheet: str) -> Graph:
    inside = edits.made_sheet(SheetKind.POSE, "state")
    return edits.added(
        graph, sheet, [Node(new_node_id(), "state", {"sheet": inside.id}, {}, "state")], sheets=[inside]
    )


def _instead(problem: Problem, old: str, new: str) -> Fix:
    """The near name instead of one that is not there."""

    def make(graph: Graph, layout: Layout) -> tuple[Graph, Layout]:
        def change(text: str) -> str:
            return with_quoted(with_name(text, old, new), tuple(READS), old, new)

        try:
            node = edits.node_in(graph, problem.node)
        except AnimError:
            found = edits.transition_in(graph, problem.node)
            return edits.with_transition(graph, replace(found, rule=change(found.rule))), layout
        if problem.pin in node.parameters:
            return edits.with_parameter(graph, problem.node, problem.pin, new), layout
        text = node.literals.get(problem.pin, "")
        return edits.with_literal(graph, problem.node, problem.pin, change(text)), layout

    return Fix(tr("Use {name} instead", name=new), make)

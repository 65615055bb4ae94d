"""Renaming that follows everywhere in one step: variables, nodes, states, slots, events."""

import re
from collections.abc import Callable
from dataclasses import replace

from core.errors import ValidationError
from core.graph import edits
from core.graph.graph import LINKED, Graph, Node, Sheet, Transition
from core.graph.language.renaming import with_compared, with_name, with_quoted
from core.graph.scope import READS
from editor.model.graph.canvas import Canvas
from editor.model.graph.layout import read_layout, with_layout
from editor.model.i18n import tr

NAME = re.compile(r"[A-Za-z_][A-Za-z_0-9]*")
TRIGGERS = ("take", "fired")
NAMED = ("machine", "player", "node", "ragdoll", "get_up")
OF_NODES = tuple(name for name, arguments in READS.items() if arguments[:1] and arguments[0] in NAMED)


class Renames:
    """Edits of names."""

    def __init__(self, canvas: Canvas) -> None:
        self._canvas = canvas

    def rename_variable(self, old: str, new: str) -> bool:
        """Rename a variable in expressions, nodes, and in the pins of graphs that link this one.

        Raises
        ------
        ValidationError
            No word, or a name that another variable has.
        """
        graph, _ = self._canvas.require()
        new = new.strip()
        if new == old:
            return False
        if not NAME.fullmatch(new):
            raise ValidationError(tr("A variable's name is letters, digits and _, not starting with a digit"))
        if any(v.name == new for v in graph.variables):
            raise ValidationError(tr("The graph has a variable {name} already", name=new))
        variables = tuple(replace(v, name=new) if v.name == old else v for v in graph.variables)
        changed = edits.with_expressions(
            replace(graph, variables=variables),
            lambda text: with_quoted(with_name(text, old, new), TRIGGERS, old, new),
        )
        changed = _with_nodes(changed, lambda n: _with_value(n, "variable", old, new))
        others = [_with_pin(g, graph, old, new) for g in self._canvas.project.all(Graph) if g.id != graph.id]
        before = {g.id: g for g in self._canvas.project.all(Graph)}
        told = [g for g in others if g is not before[g.id]]
        return self._canvas.commit(tr("Rename variable"), changed, None, *told)

    def rename_node(self, node: str, new: str) -> bool:
        """Rename a node, state or machine; expressions and actions that speak of it follow.

        Raises
        ------
        ValidationError
            A state or machine without a name, or with one that another has.
        """
        graph, _ = self._canvas.require()
        found = edits.node_in(graph, node)
        new, old = new.strip(), found.name
        if new == old:
            return False
        sheet = edits.sheet_of(graph, node)
        if found.kind in ("state", "machine"):
            self._require_free(graph, sheet, found, new)
        changed = edits.with_node(graph, replace(found, name=new))
        inside = str(found.parameters.get("sheet") or "")
        if found.kind in edits.OPENS and any(s.id == inside and s.name in (old, "") for s in graph.sheets):
            changed = edits.changed_sheet(changed, inside, lambda s: replace(s, name=new))
        if old and new:
            changed = self._followed(changed, sheet, found, old, new)
        return self._canvas.commit(tr("Rename {name}", name=old or found.kind), changed)

    def _require_free(self, graph: Graph, sheet: Sheet, node: Node, new: str) -> None:
        if not new:
            raise ValidationError(tr("A state needs a name: rules and actions refer to it"))
        among = (
            sheet.nodes if node.kind == "state" else [n for s in graph.sheets for n in s.of_kind("machine")]
        )
        if any(n.name == new and n.id != node.id for n in among):
            raise ValidationError(tr("“{name}” is the name of another one here", name=new))

    def _followed(self, graph: Graph, sheet: Sheet, node: Node, old: str, new: str) -> Graph:
        """What speaks of a node by its name, with the new one."""
        if node.kind == "state":
            holder = edits.holder_of(graph, sheet.id)
            machine = "" if holder is None else holder[1].name
            graph = edits.with_expressions(graph, lambda t: with_compared(t, "state", machine, old, new))

            def leads(n: Node) -> Node:
                if n.kind == "any" and isinstance(n.parameters.get("states"), tuple):
                    listed = tuple(new if s == old else s for s in n.parameters["states"])  # type: ignore[union-attr]
                    return replace(n, parameters={**n.parameters, "states": listed})
                if n.kind in ("go", "travel") and n.parameters.get("machine") == machine:
                    return _with_value(n, "state", old, new)
                return n

            return _with_nodes(graph, leads)
        if sum(n.name == old for s in graph.sheets for n in s.nodes) > 0:
            return graph  # another node still has the name: what is meant by it stays
        graph = edits.with_expressions(graph, lambda t: with_quoted(t, OF_NODES, old, new))
        names = {"machine": "machine", "inertialise": "target"}
        if node.kind in names:
            graph = _with_nodes(graph, lambda n: _with_value(n, names[node.kind], old, new))
        return _with_transitions(graph, lambda t: replace(t, player=new) if t.player == old else t)

    def rename_slot(self, old: str, new: str) -> bool:
        """Rename a slot of the graph, and of the nodes that play it."""
        graph, _ = self._canvas.require()
        new = new.strip()
        if not new or new in graph.slots:
            raise ValidationError(
                tr("Type a slot name that the graph does not have, such as DefaultGroup.Arms")
            )
        changed = replace(graph, slots=tuple(new if s == old else s for s in graph.slots))
        return self._canvas.commit(
            tr("Rename slot"), _with_nodes(changed, lambda n: _with_value(n, "slot", old, new))
        )

    def rename_event(self, old: str, new: str) -> bool:
        """Rename an event that the graph emits or listens to; notifies of clips keep their names."""
        graph, _ = self._canvas.require()
        changed = edits.with_expressions(graph, lambda t: with_quoted(t, ("event", "emit"), old, new.strip()))
        changed = _with_nodes(changed, lambda n: _with_value(n, "event", old, new.strip()))
        return self._canvas.commit(tr("Rename event"), changed)

    def rename_sheet(self, sheet: str, new: str) -> bool:
        """Rename a sheet of the graph's own."""
        graph, _ = self._canvas.require()
        return self._canvas.commit(
            tr("Rename sheet"), edits.changed_sheet(graph, sheet, lambda s: replace(s, name=new.strip()))
        )

    def rename_graph(self, new: str) -> bool:
        """Rename the open graph."""
        graph, _ = self._canvas.require()
        if not new.strip():
            raise ValidationError(tr("A graph needs a name"))
        return self._canvas.commit(tr("Rename graph"), replace(graph, name=new.strip()))


def _with_value(node: Node, parameter: str, old: str, new: str) -> Node:
    if node.parameters.get(parameter) != old:
        return node
    return replace(node, parameters={**node.parameters, parameter: new})


def _with_nodes(graph: Graph, change: Callable[[Node], Node]) -> Graph:
    def sheet(old: Sheet) -> Sheet:
        nodes = tuple(change(n) for n in old.nodes)
        return (
            old if all(a is b for a, b in zip(nodes, old.nodes, strict=True)) else replace(old, nodes=nodes)
        )

    return replace(graph, sheets=tuple(sheet(s) for s in graph.sheets))


def _with_transitions(graph: Graph, change: Callable[[Transition], Transition]) -> Graph:
    sheets = tuple(
        replace(s, transitions=tuple(change(t) for t in s.transitions)) if s.transitions else s
        for s in graph.sheets
    )
    return replace(graph, sheets=sheets)


def _with_pin(graph: Graph, linked: Graph, old: str, new: str) -> Graph:
    """A graph that links another, with a pin of its linking nodes renamed."""
    nodes = {n.id for s in graph.sheets for n in s.nodes if n.parameters.get(LINKED) == linked.id}
    if not nodes:
        return graph

    def sheet(s: Sheet) -> Sheet:
        return replace(
            s,
            nodes=tuple(
                replace(n, literals={new if p == old else p: t for p, t in n.literals.items()})
                if n.id in nodes
                else n
                for n in s.nodes
            ),
            links=tuple(replace(x, pin=new) if x.target in nodes and x.pin == old else x for x in s.links),
        )

    layout = read_layout(graph)
    knots = {(n, new if n in nodes and p == old else p): v for (n, p), v in layout.knots.items()}
    changed = replace(graph, sheets=tuple(sheet(s) for s in graph.sheets))
    return with_layout(changed, replace(layout, knots=knots)) if layout.knots else changed

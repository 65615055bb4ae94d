"""A piece of a graph: nodes with the wires and transitions between them and the sheets that they open."""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace

from core.graph.edits import OPENS, inner_sheets
from core.graph.graph import Graph, Node, NodeId, Sheet, Transition, new_node_id


@dataclass(frozen=True, slots=True)
class Fragment:
    """A piece of a sheet.

    Parameters
    ----------
    sheet : holds the nodes, wires and transitions; its id is not used
    inner : sheets that the nodes open and the transitions blend by, and those within
    """

    sheet: Sheet
    inner: tuple[Sheet, ...] = ()

    @property
    def nodes(self) -> Iterable[Node]:
        """Every node, those of the inner sheets too."""
        return [*self.sheet.nodes, *(n for s in self.inner for n in s.nodes)]

    def mapped(self, change: Callable[[Node], Node]) -> "Fragment":
        """With every node changed."""

        def sheet(old: Sheet) -> Sheet:
            return replace(old, nodes=tuple(change(n) for n in old.nodes))

        return Fragment(sheet(self.sheet), tuple(sheet(s) for s in self.inner))


def taken(graph: Graph, sheet: str, ids: Collection[str]) -> Fragment:
    """The piece of a sheet that some nodes are, with the wires and transitions between them."""
    whole = graph.sheet(sheet)
    nodes = tuple(n for n in whole.nodes if n.id in ids)
    chosen = {n.id for n in nodes}
    ways = tuple(t for t in whole.transitions if t.source in chosen and t.target in chosen)
    return Fragment(
        replace(
            whole,
            nodes=nodes,
            links=tuple(x for x in whole.links if x.source in chosen and x.target in chosen),
            transitions=ways,
        ),
        inner_sheets(graph, nodes, ways),
    )


def _led(old: Transition, known: Mapping[str, NodeId]) -> Transition:
    """A transition between the nodes that became of its own."""
    blend = replace(old.blend, sheet=known.get(old.blend.sheet, old.blend.sheet))
    return replace(old, id=known[old.id], source=known[old.source], target=known[old.target], blend=blend)


def fresh(piece: Fragment) -> tuple[Fragment, dict[str, NodeId]]:
    """The same piece with fresh ids, and what became of the old ones."""
    known: dict[str, NodeId] = {}
    for sheet in (piece.sheet, *piece.inner):
        for id in (sheet.id, *(n.id for n in sheet.nodes), *(t.id for t in sheet.transitions)):
            known[id] = new_node_id()

    def node(old: Node) -> Node:
        parameters = dict(old.parameters)
        inside = str(parameters.get("sheet") or "")
        if old.kind in OPENS and inside in known:
            parameters["sheet"] = known[inside]
        return replace(old, id=known[old.id], parameters=parameters)

    def sheet_of(old: Sheet) -> Sheet:
        return Sheet(
            known[old.id],
            old.name,
            old.kind,
            tuple(node(n) for n in old.nodes),
            tuple(
                replace(x, source=known[x.source], target=known[x.target])
                for x in old.links
                if x.source in known and x.target in known
            ),
            tuple(_led(t, known) for t in old.transitions if t.source in known and t.target in known),
        )

    return Fragment(sheet_of(piece.sheet), tuple(sheet_of(s) for s in piece.inner)), known

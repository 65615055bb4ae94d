"""Edits of graphs: from an old one to a new one, with wires and sheets kept in order."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import replace

from core.errors import MissingReferenceError, ValidationError
from core.graph.catalogue.pins import PinKind
from core.graph.graph import Graph, Link, Node, NodeId, Sheet, SheetKind, Transition, new_node_id

OPENS = ("machine", "state")
"""Kinds of nodes whose parameter ``sheet`` names a sheet of their own."""


# -------------------------------------------------------------------- finding
def sheet_of(graph: Graph, item: str) -> Sheet:
    """The sheet that a node or transition stands on; raises `MissingReferenceError`."""
    for sheet in graph.sheets:
        if any(node.id == item for node in sheet.nodes) or any(t.id == item for t in sheet.transitions):
            return sheet
    raise MissingReferenceError(f"graph {graph.name!r} has no node {item!r}")


def node_in(graph: Graph, node: str) -> Node:
    """A node wherever it stands; raises `MissingReferenceError`."""
    for sheet in graph.sheets:
        for found in sheet.nodes:
            if found.id == node:
                return found
    raise MissingReferenceError(f"graph {graph.name!r} has no node {node!r}")


def transition_in(graph: Graph, transition: str) -> Transition:
    """A transition wherever it stands; raises `MissingReferenceError`."""
    for sheet in graph.sheets:
        for found in sheet.transitions:
            if found.id == transition:
                return found
    raise MissingReferenceError(f"graph {graph.name!r} has no transition {transition!r}")


def inner_sheets(
    graph: Graph, nodes: Iterable[Node], transitions: Iterable[Transition] = ()
) -> tuple[Sheet, ...]:
    """The sheets that nodes open and transitions blend by, and those within, each once, outer before inner."""
    by_id = {sheet.id: sheet for sheet in graph.sheets}
    found: dict[str, Sheet] = {}
    waiting = [str(node.parameters.get("sheet") or "") for node in nodes if node.kind in OPENS]
    waiting += [t.blend.sheet for t in transitions if t.blend.sheet]
    while waiting:
        sheet = by_id.get(NodeId(waiting.pop(0)))
        if sheet is not None and sheet.id not in found:
            found[sheet.id] = sheet
            waiting += [str(n.parameters.get("sheet") or "") for n in sheet.nodes if n.kind in OPENS]
            waiting += [t.blend.sheet for t in sheet.transitions if t.blend.sheet]
    return tuple(found.values())


def holder_of(graph: Graph, sheet: str) -> tuple[Sheet, Node] | None:
    """The node that opens a sheet, with the sheet that it stands on; None for a graph's own sheets."""
    for outer in graph.sheets:
        for node in outer.nodes:
            if node.kind in OPENS and node.parameters.get("sheet") == sheet:
                return outer, node
    return None


# -------------------------------------------------------------------- changing
def changed_sheet(graph: Graph, sheet: str, change: Callable[[Sheet], Sheet]) -> Graph:
    """A graph with one sheet changed."""
    return graph.with_sheet(change(graph.sheet(sheet)))


def with_node(graph: Graph, node: Node) -> Graph:
    """A node put in place of the one with its id."""
    sheet = sheet_of(graph, node.id)
    return graph.with_sheet(replace(sheet, nodes=tuple(node if n.id == node.id else n for n in sheet.nodes)))


def with_transition(graph: Graph, transition: Transition) -> Graph:
    """A transition put in place of the one with its id."""
    sheet = sheet_of(graph, transition.id)
    found = tuple(transition if t.id == transition.id else t for t in sheet.transitions)
    return graph.with_sheet(replace(sheet, transitions=found))


def with_parameter(graph: Graph, node: str, name: str, value: object) -> Graph:
    """A parameter set; None removes it."""
    found = node_in(graph, node)
    parameters = {k: v for k, v in found.parameters.items() if k != name}
    if value is not None:
        parameters[name] = value  # type: ignore[assignment]
    return with_node(graph, replace(found, parameters=parameters))


def with_literal(graph: Graph, node: str, pin: str, text: str | None) -> Graph:
    """What is typed into a pin; None removes it, so that the default holds."""
    found = node_in(graph, node)
    literals = {k: v for k, v in found.literals.items() if k != pin}
    if text is not None:
        literals[pin] = text
    return with_node(graph, replace(found, literals=literals))


def added(
    graph: Graph,
    sheet: str,
    nodes: Iterable[Node] = (),
    links: Iterable[Link] = (),
    transitions: Iterable[Transition] = (),
    sheets: Iterable[Sheet] = (),
) -> Graph:
    """Nodes, wires and transitions put on a sheet, with sheets that the nodes open."""
    graph = changed_sheet(
        graph,
        sheet,
        lambda s: replace(
            s, nodes=(*s.nodes, *nodes), links=(*s.links, *links), transitions=(*s.transitions, *transitions)
        ),
    )
    return replace(graph, sheets=(*graph.sheets, *sheets))


def made_sheet(kind: SheetKind, name: str) -> Sheet:
    """A fresh sheet; a pose sheet has its Output."""
    nodes = (Node(new_node_id(), "output", name="Output"),) if kind is SheetKind.POSE else ()
    return Sheet(new_node_id(), name, kind, nodes)


# -------------------------------------------------------------------- wires
def connected(graph: Graph, sheet: str, link: Link, kind: PinKind) -> Graph:
    """A wire laid. What was at its input goes; a pose output's other wire too, for it feeds one input."""

    def change(old: Sheet) -> Sheet:
        kept = [
            other
            for other in old.links
            if not (other.target == link.target and other.pin == link.pin)
            and not (kind is PinKind.POSE and other.source == link.source and other.output == link.output)
        ]
        return replace(old, links=(*kept, link))

    return changed_sheet(graph, sheet, change)


def would_circle(sheet: Sheet, source: str, target: str) -> bool:
    """Whether a wire from one node to another would close a circle."""
    after: dict[str, list[str]] = {}
    for link in sheet.links:
        after.setdefault(link.source, []).append(link.target)
    waiting, seen = [target], set[str]()
    while waiting:
        node = waiting.pop()
        if node == source:
            return True
        if node not in seen:
            seen.add(node)
            waiting += after.get(node, ())
    return False


def cut(graph: Graph, sheet: str, links: Collection[Link]) -> Graph:
    """Without some wires."""
    gone = set(links)
    return changed_sheet(
        graph, sheet, lambda s: replace(s, links=tuple(link for link in s.links if link not in gone))
    )


def healing_links(
    sheet: Sheet, gone: Collection[str], pose_pins: Mapping[str, tuple[str, ...]]
) -> list[Link]:
    """Wires that close the gaps which nodes leave: from what fed a node's first wired pose pin to what it fed.

    Parameters
    ----------
    pose_pins : node id → its pose inputs in order
    """
    gone = set(gone)

    def before(node: str) -> Link | None:
        met: set[str] = set()
        while node not in met:
            met.add(node)
            found = next(
                (link for pin in pose_pins.get(node, ()) if (link := sheet.link_to(NodeId(node), pin))), None
            )
            if found is None or found.source not in gone:
                return found
            node = found.source
        return None

    healed = []
    for link in sheet.links:
        if link.source in gone and link.target not in gone and link.output == "out":
            source = before(link.source)
            if source is not None:
                healed.append(replace(link, source=source.source, output=source.output))
    return healed


def without(graph: Graph, sheet: str, ids: Collection[str], healed: Iterable[Link] = ()) -> Graph:
    """Nodes and transitions taken off a sheet, with their wires, and the sheets that only they opened.

    Parameters
    ----------
    healed : wires that are laid instead (`healing_links`)
    """
    gone = set(ids)
    before = graph.sheet(sheet)
    removed = [node for node in before.nodes if node.id in gone]
    ways = [t for t in before.transitions if not gone.isdisjoint((t.id, t.source, t.target))]

    def change(old: Sheet) -> Sheet:
        links = [x for x in old.links if x.source not in gone and x.target not in gone]
        return replace(
            old,
            nodes=tuple(n for n in old.nodes if n.id not in gone),
            links=(*links, *healed),
            transitions=tuple(t for t in old.transitions if t not in ways),
        )

    inner = {s.id for s in inner_sheets(graph, removed, ways)}
    graph = changed_sheet(graph, sheet, change)
    rest = [s for s in graph.sheets if s.id not in inner]
    used = {str(n.parameters.get("sheet")) for s in rest for n in s.nodes}
    used |= {t.blend.sheet for s in rest for t in s.transitions}
    return replace(
        graph, sheets=tuple(s for s in graph.sheets if s.id not in inner or s.id in used or s is graph.root)
    )


# -------------------------------------------------------------------- machines
def reordered(graph: Graph, sheet: str, order: Iterable[str]) -> Graph:
    """The transitions of one source in another order, at the places in the list that they had.

    All get the priority of their place, so that the order holds whatever the list does.
    """
    wanted = [transition_in(graph, id) for id in order]
    sources = {t.source for t in wanted}
    if len(sources) > 1:
        raise ValidationError("expected transitions of one state to put in order")
    numbered = iter([replace(t, priority=k) for k, t in enumerate(wanted)])
    ids = {t.id for t in wanted}
    return changed_sheet(
        graph,
        sheet,
        lambda s: replace(s, transitions=tuple(next(numbered) if t.id in ids else t for t in s.transitions)),
    )


def ranked(sheet: Sheet, source: str) -> list[Transition]:
    """Transitions that leave a node, in the order in which they are looked at."""
    return sorted((t for t in sheet.transitions if t.source == source), key=lambda t: t.priority)


# -------------------------------------------------------------------- names
def free_name(wanted: str, taken: Collection[str]) -> str:
    """A name that is not taken: as wanted, or with a number."""
    if wanted not in taken:
        return wanted
    stem = wanted.rstrip("0123456789").rstrip() or wanted
    number = 2
    while f"{stem} {number}" in taken:
        number += 1
    return f"{stem} {number}"


def expressions_of(graph: Graph) -> Iterator[tuple[str, str, str]]:
    """(node or transition, pin, text) of everything typed in the language."""
    for sheet in graph.sheets:
        for node in sheet.nodes:
            for pin, text in node.literals.items():
                yield node.id, pin, text
        for transition in sheet.transitions:
            yield transition.id, "rule", transition.rule
            yield transition.id, "blend seconds", transition.blend.seconds


def with_expressions(graph: Graph, change: Callable[[str], str]) -> Graph:
    """Every expression of a graph changed."""

    def sheet(old: Sheet) -> Sheet:
        nodes = tuple(
            replace(n, literals={p: change(t) for p, t in n.literals.items()}) if n.literals else n
            for n in old.nodes
        )
        transitions = tuple(
            replace(t, rule=change(t.rule), blend=replace(t.blend, seconds=change(t.blend.seconds)))
            for t in old.transitions
        )
        same = nodes == old.nodes and transitions == old.transitions
        return old if same else replace(old, nodes=nodes, transitions=transitions)

    return replace(graph, sheets=tuple(sheet(old) for old in graph.sheets))

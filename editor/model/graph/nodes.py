"""Adding, moving, deleting and editing nodes of the open sheet; each method is one undo step."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace

from core.errors import ValidationError
from core.graph import edits
from core.graph.catalogue.every import NODE_TYPES, shape_of
from core.graph.catalogue.pins import joins
from core.graph.graph import (
    Graph,
    Link,
    Node,
    NodeId,
    ParameterValue,
    Sheet,
    SheetKind,
    Transition,
    new_node_id,
)
from core.ids import AssetId, new_id
from editor.model.graph.canvas import Canvas
from editor.model.graph.geometry import Point, on_grid
from editor.model.graph.layout import Layout
from editor.model.graph.naming import named
from editor.model.graph.scene import HEAD, wire_key
from editor.model.graph.state import PinPlace
from editor.model.graph.wires import WireEdits, pose_pins, split_knot
from editor.model.i18n import tr

UNIQUE = ("state", "machine", "conduit", "any")
"""Kinds whose nodes get a name of their own: other things refer to them by it."""


@dataclass(frozen=True, slots=True)
class NewNode:
    """What the search adds.

    Parameters
    ----------
    plays : clip, blend space or other asset node that a new state gets inside, or None
    nested : whether a new state is a machine of its own
    """

    kind: str
    parameters: Mapping[str, ParameterValue] = field(default_factory=dict)
    literals: Mapping[str, str] = field(default_factory=dict)
    name: str = ""
    plays: Node | None = None
    nested: bool = False


class NodeEdits:
    """Edits of nodes."""

    def __init__(self, canvas: Canvas, wires: WireEdits) -> None:
        self._canvas, self._wires = canvas, wires

    # ------------------------------------------------------------ adding
    def add(
        self, new: NewNode, at: Point, joined: tuple[PinPlace, ...] = (), from_state: str = ""
    ) -> str | None:
        """Add a node, select it, and connect it where a wire was drawn; returns its id.

        Parameters
        ----------
        at : place of the node; with a wire, of the pin that it ends at
        joined : pins that the wires come from, all inputs or all outputs
        from_state : state from which a transition leads to it
        """
        graph, sheet = self._canvas.require()
        fitting = NODE_TYPES.get(new.kind)
        if fitting is None or sheet.kind not in fitting.sheets:
            raise ValidationError(
                tr("{what} does not go on this sheet", what=named(new.kind).title or new.kind)
            )
        node, sheets = self.made(graph, sheet, new)
        graph = edits.added(graph, sheet.id, [node], sheets=sheets)
        place = on_grid((at[0], at[1] - HEAD / 2))
        if joined and not joined[0].output:  # it feeds what was drawn from: it stands left of the pointer
            place = on_grid((at[0] - 176.0, at[1] - HEAD / 2))
        if from_state:
            place = on_grid((at[0] - 80.0, at[1] - 24.0))
            link = Transition(new_node_id(), NodeId(from_state), node.id)
            graph = edits.added(graph, sheet.id, transitions=[link])
        layout = self._placed().moved({node.id: place})
        graph = self._joined(graph, sheet, node, joined)
        if not self._canvas.commit(tr("Add {what}", what=named(new.kind).title.lower()), graph, layout):
            return None
        self._canvas.select([node.id])
        return node.id

    def add_variable(self, name: str, at: Point) -> str | None:
        """Add the node that gives a variable; returns its id."""
        return self.add(NewNode("get", {"variable": name}), at)

    def made(self, graph: Graph, sheet: Sheet, new: NewNode) -> tuple[Node, list[Sheet]]:
        """A node and the sheets that it opens."""
        name = new.name
        parameters = dict(new.parameters)
        sheets: list[Sheet] = []
        if new.kind in UNIQUE:
            taken = {n.name for s in graph.sheets for n in s.nodes} if new.kind == "machine" else {
                n.name for n in sheet.nodes
            }  # fmt: skip
            name = edits.free_name(name or named(new.kind).title.lower(), taken)
        if new.kind in edits.OPENS and not parameters.get("sheet"):
            kind = SheetKind.MACHINE if new.kind == "machine" or new.nested else SheetKind.POSE
            made = edits.made_sheet(kind, name)
            if new.plays is not None and kind is SheetKind.POSE:
                inside = replace(new.plays, id=new_node_id())
                link = Link(inside.id, made.nodes[0].id, "pose")
                made = replace(made, nodes=(inside, *made.nodes), links=(link,))
            sheets.append(made)
            parameters["sheet"] = made.id
        return Node(new_node_id(), new.kind, parameters, dict(new.literals), name), sheets

    def _joined(self, graph: Graph, sheet: Sheet, node: Node, joined: tuple[PinPlace, ...]) -> Graph:
        """Wires from pins to the first pin of a new node that fits."""
        if not joined:
            return graph
        scene = self._canvas.committed
        around = None if scene is None else scene.token
        shape = shape_of(node, around)  # type: ignore[arg-type]
        pins = shape.inputs if joined[0].output else shape.outputs
        used: set[str] = set()
        for end in joined:
            own = self._wires.pin(end)
            if own is None:
                continue
            fit = next(
                (
                    p
                    for p in pins
                    if p.name not in used and not (joins(own, p) if end.output else joins(p, own))
                ),
                None,
            )
            if fit is not None:
                used |= {fit.name} if end.output else set()
                graph = self._wires.laid(graph, sheet.id, end, PinPlace(node.id, fit.name, not end.output))
        return graph

    # ------------------------------------------------------------ places
    def _placed(self) -> Layout:
        """The layout with the place of every node of the sheet, so that none moves when one is moved."""
        scene, layout = self._canvas.committed, self._canvas.layout
        return layout if scene is None else layout.moved(scene.places)

    def move(self, places: Mapping[str, Point], label: str = "") -> bool:
        """Put nodes elsewhere."""
        graph, _ = self._canvas.require()
        return self._canvas.commit(
            label or tr("Move nodes"), graph, self._placed().moved(dict(places.items()))
        )

    def place_and(
        self, label: str, graph: Graph, places: Mapping[str, Point], layout: Layout | None = None
    ) -> bool:
        """Commit a graph with nodes at new places."""
        scene = self._canvas.committed
        base = (layout or self._canvas.layout).moved({} if scene is None else scene.places)
        return self._canvas.commit(label, graph, base.moved(places))

    # ------------------------------------------------------------ deleting
    def delete(self, items: Collection[str] | None = None, *, heal: bool = False) -> bool:
        """Delete items (the selection), closing the gaps in wires where `heal`.

        Raises
        ------
        ValidationError
            Nothing is selected, or only the Output.
        """
        graph, sheet = self._canvas.require()
        chosen = set(self._canvas.state.selection if items is None else items)
        kept = {str(n.id) for n in sheet.of_kind("output")} if len(sheet.of_kind("output")) == 1 else set()
        gone = chosen - kept
        if not gone:
            raise ValidationError(
                tr("The Output stays: every pose sheet needs one") if chosen else tr("Nothing is selected")
            )
        layout, scene = self._placed(), self._canvas.committed
        nodes = {str(n.id) for n in sheet.nodes} & gone
        healed = []
        if heal and scene is not None:
            healed = edits.healing_links(sheet, nodes, pose_pins(scene))
        links = [x for x in sheet.links if wire_key(x) in gone]
        knots_gone = [split_knot(key) for key in gone if key.startswith("k:")]
        knots_gone.sort(reverse=True)  # from the last: those before keep their numbers
        for target, pin, number in knots_gone:
            knots = [p for k, p in enumerate(layout.knots.get((target, pin), ())) if k != number]
            layout = layout.with_knots(target, pin, knots)
        for link in links:
            layout = layout.with_knots(link.target, link.pin, ())
        left = edits.without(edits.cut(graph, sheet.id, links), sheet.id, gone, healed)
        kept = {s.id for s in left.sheets}
        inner = [s for s in graph.sheets if s.id not in kept]
        layout = layout.without([*gone, *(s.id for s in inner), *(n.id for s in inner for n in s.nodes)])
        return self._canvas.commit(tr("Delete"), left, layout)

    # ------------------------------------------------------------ what a node says
    def set_literal(self, node: str, pin: str, text: str | None) -> bool:
        """Type into a pin; None or nothing removes it."""
        graph, _ = self._canvas.require()
        text = text.strip() if text is not None else None
        return self._canvas.commit(
            tr("Set {pin}", pin=pin.replace("_", " ")),
            edits.with_literal(graph, node, pin, text if text else None),
        )

    def set_parameter(self, nodes: Iterable[str], name: str, value: ParameterValue) -> bool:
        """Set a parameter of nodes."""
        graph, _ = self._canvas.require()
        for node in nodes:
            graph = edits.with_parameter(graph, node, name, value)
        return self._canvas.commit(tr("Set {pin}", pin=name.replace("_", " ")), graph)

    def fold(self, nodes: Iterable[str], folded: bool) -> bool:
        """Hide the pins of nodes that nobody uses, or show them."""
        graph, _ = self._canvas.require()
        layout = self._canvas.layout
        chosen = frozenset(nodes)
        wanted = layout.folded | chosen if folded else layout.folded - chosen
        label = tr("Hide unused pins") if folded else tr("Show unused pins")
        return self._canvas.commit(label, graph, replace(layout, folded=wanted))

    def swap(self, node: str, new: NewNode) -> bool:
        """Put another kind of node in place of one; wires and values of equal pins stay."""
        graph, sheet = self._canvas.require()
        scene = self._canvas.committed
        old = edits.node_in(graph, node)
        made, sheets = self.made(graph, sheet, new)
        made = replace(made, id=old.id, name=made.name or old.name)
        shape = shape_of(made, scene.token)  # type: ignore[arg-type, union-attr]
        literals = {p: t for p, t in old.literals.items() if shape.input(p) is not None}
        made = replace(made, literals={**made.literals, **literals})
        links, used = [], set[str]()
        for link in sheet.links:
            if link.target != old.id:
                links.append(link)
                continue
            source = self._wires.pin(PinPlace(link.source, link.output, True))
            fits = [p for p in shape.inputs if source is not None and not joins(source, p)]
            fits.sort(key=lambda p: p.name != link.pin)
            free = next((p for p in fits if p.name not in used), None)
            if free is not None:
                used.add(free.name)
                links.append(replace(link, pin=free.name))
        if not shape.outputs:
            links = [x for x in links if x.source != old.id]
        nodes = tuple(made if n.id == old.id else n for n in sheet.nodes)
        changed = graph.with_sheet(replace(sheet, nodes=nodes, links=tuple(links)))
        gone = (
            edits.inner_sheets(graph, [old])
            if old.parameters.get("sheet") != made.parameters.get("sheet")
            else ()
        )
        dropped = {s.id for s in gone}
        changed = replace(changed, sheets=(*(s for s in changed.sheets if s.id not in dropped), *sheets))
        return self._canvas.commit(tr("Swap node"), changed)

    def new_graph(self, name: str, rig: AssetId) -> Graph:
        """A graph that gives the rest pose."""
        sheet = edits.made_sheet(SheetKind.POSE, "pose")
        rest = Node(new_node_id(), "rest")
        root = replace(sheet, nodes=(rest, *sheet.nodes), links=(Link(rest.id, sheet.nodes[0].id, "pose"),))
        return Graph(new_id("graph"), name, rig, sheets=(root,))

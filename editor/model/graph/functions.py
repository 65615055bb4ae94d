"""Folding nodes into a linked graph of their own, and unfolding one in place."""

from collections.abc import Collection
from dataclasses import replace

from core.errors import ValidationError
from core.graph import edits
from core.graph.catalogue.pins import PinKind
from core.graph.catalogue.poses import pose_input_name
from core.graph.fragment import Fragment, fresh, taken
from core.graph.graph import LINKED, Graph, Link, Node, NodeId, Role, Sheet, SheetKind, Variable, new_node_id
from core.graph.language.renaming import names_in
from core.graph.language.values import Kind, ValueType
from core.ids import AssetId, new_id
from editor.model.graph.canvas import Canvas
from editor.model.graph.geometry import Point, on_grid
from editor.model.graph.layout import Comment, Layout, read_layout, with_layout
from editor.model.graph.scene import Scene
from editor.model.i18n import tr


class Functions:
    """Edits that fold and unfold."""

    def __init__(self, canvas: Canvas) -> None:
        self._canvas = canvas

    # ------------------------------------------------------------ folding
    def fold(self, name: str = "") -> AssetId:
        """Make the selected nodes a graph of its own, with a node in their place that links it; returns its id.

        Wires that come in become pose inputs and variables; variables that the nodes speak of become inputs that
        the linking node fills from here. One step.

        Raises
        ------
        ValidationError
            Nothing is selected, not a pose sheet, or more than one pose leads out.
        """
        graph, sheet = self._canvas.require()
        scene = self._canvas.committed
        fixed = {n.id for n in sheet.of_kind("output")}
        chosen = [id for id in self._canvas.selected_nodes if id not in fixed]
        if scene is None or not chosen:
            raise ValidationError(tr("Select the nodes to fold first"))
        if sheet.kind is not SheetKind.POSE:
            raise ValidationError(tr("Only pose nodes can be folded; states stay in their machine"))
        inside = set(chosen)
        leaving = [x for x in sheet.links if x.source in inside and x.target not in inside]
        out = {(x.source, x.output) for x in leaving}
        if len(out) != 1 or _kind(scene, leaving[0]) is not PinKind.POSE:
            raise ValidationError(tr("Select nodes from which exactly one pose leads out"))
        made, linking, links = self._made(graph, scene, chosen, leaving, name)
        box = [scene.places[id] for id in chosen]
        place = (sum(p[0] for p in box) / len(box), sum(p[1] for p in box) / len(box))
        rest = edits.without(graph, sheet.id, chosen)
        rest = edits.added(rest, sheet.id, [linking], links)
        layout = self._left(scene, chosen, made, links, linking).moved({linking.id: on_grid(place)})
        self._canvas.commit(tr("Fold to function"), rest, layout, made)
        self._canvas.select([linking.id])
        return made.id

    def _left(self, scene: Scene, chosen: list[str], made: Graph, links: list[Link], linking: Node) -> Layout:
        """The layout without what went into the new graph; wires to its inputs keep the way that they had."""
        layout = self._canvas.layout.moved(scene.places)
        gone = [*chosen, *(c.id for c in self._comments(scene))]
        below = made.sheets[1:]
        kept = layout.without([*gone, *(s.id for s in below), *(n.id for s in below for n in s.nodes)])
        into = [x for x in links if x.target == linking.id]
        for old, new in zip(_into(scene.sheet, chosen), into, strict=True):
            kept = kept.with_knots(new.target, new.pin, layout.knots.get((old.target, old.pin), ()))
        return kept

    def _made(
        self, graph: Graph, scene: Scene, chosen: list[str], leaving: list[Link], name: str
    ) -> tuple[Graph, Node, list[Link]]:
        """The new graph, the node that links it, and its wires."""
        sheet = scene.sheet
        inside = set(chosen)
        piece = taken(graph, sheet.id, inside)
        output = Node(new_node_id(), "output", name="Output")
        nodes, links = list(piece.sheet.nodes), list(piece.sheet.links)
        links.append(Link(leaving[0].source, output.id, "pose", leaving[0].output))
        variables: dict[str, Variable] = {}
        outer: list[Link] = []
        linking = NodeId(new_node_id())
        places: dict[str, Point] = {str(id): scene.places[id] for id in chosen}
        literals: dict[str, str] = {}
        words = self._words(piece)
        for variable in graph.variables:
            if variable.name in words:
                variables[variable.name] = replace(variable, role=_role(variable))
                if variable.role is not Role.TRIGGER:
                    literals[variable.name] = variable.name
        poses: set[str] = set()
        for link in _into(sheet, inside):
            x, y = scene.places[link.target]
            if _kind(scene, link) is PinKind.POSE:
                pin = edits.free_name(link.pin, poses)
                poses.add(pin)
                entry = Node(new_node_id(), "pose_input", {"input": pin})
            else:
                pin = edits.free_name(_word(link.pin), {v.replace(" ", "_") for v in variables}).replace(
                    " ", "_"
                )
                variables[pin] = _variable(pin, _type(scene, link))
                entry = Node(new_node_id(), "get", {"variable": pin})
            nodes.append(entry)
            links.append(Link(entry.id, link.target, link.pin))
            outer.append(Link(link.source, linking, pin, link.output))
            places[entry.id] = (x - 192.0, y)
        right = max(scene.rect(id).right for id in chosen)
        places[output.id] = (right + 64.0, scene.places[leaving[0].source][1])
        outer += [replace(x, source=linking, output="out") for x in leaving]
        title = name or edits.free_name("function", {g.name for g in self._canvas.project.all(Graph)})
        root = replace(sheet, id=new_node_id(), name="pose", nodes=(*nodes, output), links=tuple(links))
        made = Graph(
            new_id("graph"), title, graph.rig, tuple(variables.values()), graph.enums, graph.maps, graph.slots,
            (root, *piece.inner), graph.sync_groups,
        )  # fmt: skip
        made = with_layout(made, self._taken_along(scene, piece, root).moved(places))
        return made, Node(linking, "linked_graph", {LINKED: made.id}, literals, title), outer

    def _taken_along(self, scene: Scene, piece: Fragment, root: Sheet) -> Layout:
        """What the layout says of the nodes, of the wires between them, and on the sheets below; chosen comments."""
        part = self._canvas.layout.part({n.id for n in piece.nodes}, {s.id for s in piece.inner})
        own = {n.id for n in piece.sheet.nodes}
        between = {(x.target, x.pin) for x in piece.sheet.links}
        return replace(
            part,
            comments=(*(replace(c, sheet=root.id) for c in self._comments(scene)), *part.comments),
            knots={k: v for k, v in part.knots.items() if k in between or k[0] not in own},
        )

    def _comments(self, scene: Scene) -> list[Comment]:
        """Comments that are selected with the nodes."""
        return [c for c in scene.comments if c.id in self._canvas.state.selection]

    @staticmethod
    def _words(piece: Fragment) -> set[str]:
        texts = [t for n in piece.nodes for t in n.literals.values()]
        for sheet in piece.inner:
            texts += [t for x in sheet.transitions for t in (x.rule, x.blend.seconds)]
        found = {name for text in texts for name in names_in(text)}
        return found | {str(n.parameters["variable"]) for n in piece.nodes if n.parameters.get("variable")}

    # ------------------------------------------------------------ unfolding
    def unfold(self, node: str) -> list[str]:
        """Put the nodes of a linked graph in place of the node that links it; the linked graph stays.

        Raises
        ------
        ValidationError
            No linked graph, or one with an update sheet, own variables or a slot that this one lacks.
        """
        graph, sheet = self._canvas.require()
        scene = self._canvas.committed
        linking = edits.node_in(graph, node)
        linked = self._canvas.project.assets.get(AssetId(str(linking.parameters.get(LINKED) or "")))
        if scene is None or linking.kind != "linked_graph" or not isinstance(linked, Graph):
            raise ValidationError(tr("Select a linked graph to unfold first"))
        root = linked.root
        if root is None or any(s.kind is SheetKind.UPDATE for s in linked.sheets):
            raise ValidationError(tr("A graph with an update sheet cannot be unfolded"))
        piece, ids = fresh(taken(linked, root.id, {n.id for n in root.nodes}))
        feeds = {x.pin: x for x in sheet.links if x.target == linking.id}
        graph = self._with_variables(graph, linked)
        nodes, links = self._unfolded(piece, feeds, linking)
        output = next((n for n in piece.sheet.nodes if n.kind == "output"), None)
        last = None if output is None else piece.sheet.link_to(output.id, "pose")
        if last is not None:
            for link in (x for x in sheet.links if x.source == linking.id):
                links.append(Link(last.source, link.target, link.pin, last.output))
        changed = edits.without(graph, sheet.id, [linking.id])
        changed = edits.added(changed, sheet.id, nodes, links, sheets=piece.inner)
        layout = self._layout(scene, linked, linking, ids, nodes, links, piece)
        self._canvas.commit(tr("Unfold"), changed, layout)
        self._canvas.select([n.id for n in nodes])
        return [str(n.id) for n in nodes]

    def _with_variables(self, graph: Graph, linked: Graph) -> Graph:
        known = {v.name for v in graph.variables}
        lacking = tuple(v for v in linked.variables if v.name not in known)
        slots = tuple(s for s in linked.slots if s not in graph.slots)
        return replace(
            graph,
            variables=(*graph.variables, *lacking),
            slots=(*graph.slots, *slots),
            enums={**linked.enums, **graph.enums},
            maps={**linked.maps, **graph.maps},
        )

    def _unfolded(
        self, piece: Fragment, feeds: dict[str, Link], linking: Node
    ) -> tuple[list[Node], list[Link]]:
        """Nodes and wires without the Output and what stood for the inputs."""
        gone: dict[str, Link | None] = {}
        texts: dict[str, str] = {}
        for node in piece.sheet.nodes:
            if node.kind == "output":
                gone[node.id] = None
            elif node.kind == "pose_input":
                gone[node.id] = feeds.get(_input_of(node))
            elif node.kind == "get":
                name = _input_of(node)
                if name in feeds:
                    gone[node.id] = feeds[name]
                elif linking.literals.get(name, name) != name:
                    gone[node.id] = None
                    texts[node.id] = linking.literals[name]
        links: list[Link] = []
        typed: dict[str, dict[str, str]] = {}
        for link in piece.sheet.links:
            if link.target in gone:
                continue
            if link.source in texts:
                typed.setdefault(link.target, {})[link.pin] = texts[link.source]
            elif link.source in gone:
                feed = gone[link.source]
                if feed is not None:
                    links.append(replace(link, source=feed.source, output=feed.output))
            else:
                links.append(link)
        nodes = [
            replace(n, literals={**n.literals, **typed[n.id]}) if n.id in typed else n
            for n in piece.sheet.nodes
            if n.id not in gone
        ]
        return nodes, links

    def _layout(
        self, scene: Scene, linked: Graph, linking: Node, ids: dict[str, NodeId], nodes: list[Node],
        links: list[Link], piece: Fragment,
    ) -> Layout:  # fmt: skip
        """The nodes that stay on the sheet where the link stood, what is on the sheets below where it is there.

        A wire that came in goes the way that it had outside, then the one that it had inside.
        """
        sheet, kept = scene.sheet.id, {str(n.id) for n in nodes}
        below = {str(id) for s in piece.inner for id in (s.id, *(n.id for n in s.nodes))}
        known = {str(k): str(v) for k, v in ids.items() if v in kept or v in below}
        if linked.root is not None:
            known[linked.root.id] = sheet
        part = read_layout(linked).renamed(known)
        own = [p for k, p in part.places.items() if k in kept]
        if own:
            x, y = scene.places[linking.id]
            way = on_grid((x - min(p[0] for p in own), y - min(p[1] for p in own)))
            part = part.shifted(way, kept, sheet)
        before, inputs = self._canvas.layout, {n.id: _input_of(n) for n in piece.sheet.nodes}
        for link in piece.sheet.links:
            outside = before.knots.get((linking.id, inputs[link.source]), ())
            part = part.with_knots(
                link.target, link.pin, (*outside, *part.knots.get((link.target, link.pin), ()))
            )
        wired = {(x.target, x.pin) for x in links}
        part = replace(part, knots={k: v for k, v in part.knots.items() if k in wired or k[0] in below})
        return before.moved(scene.places).without([linking.id]).with_part(part)


def _input_of(node: Node) -> str:
    """The name of the input that a node of a linked graph reads, or ""."""
    if node.kind == "pose_input":
        return pose_input_name(node)
    return str(node.parameters.get("variable") or "") if node.kind == "get" else ""


def _into(sheet: Sheet, nodes: Collection[str]) -> list[Link]:
    """Wires from outside to nodes."""
    return [x for x in sheet.links if x.target in nodes and x.source not in nodes]


def _kind(scene: Scene, link: Link) -> PinKind:
    pin = scene.nodes[link.source].pin(link.output, True)
    return PinKind.VALUE if pin is None else pin.pin.kind


def _type(scene: Scene, link: Link) -> ValueType:
    """The type of what a wire carries; a number where it is any."""
    for pin in (scene.nodes[link.target].pin(link.pin), scene.nodes[link.source].pin(link.output, True)):
        if pin is not None and pin.pin.type is not None and pin.pin.type.kind is not Kind.QUATERNION:
            return pin.pin.type
    return ValueType(Kind.FLOAT)


def _variable(name: str, type_: ValueType) -> Variable:
    default = (0.0, 0.0, 0.0) if type_.kind is Kind.VECTOR else (0.0,)
    bounds = (0.0, 1.0) if type_.kind is Kind.BOOL else (-1e12, 1e12)
    return Variable(name, type_.kind, default, *bounds, enum=type_.enum)


def _role(variable: Variable) -> Role:
    return Role.TRIGGER if variable.role is Role.TRIGGER else Role.INPUT


def _word(text: str) -> str:
    word = "".join(c if c.isalnum() or c == "_" else "_" for c in text)
    return word if word[:1].isalpha() or word[:1] == "_" else f"value_{word}"

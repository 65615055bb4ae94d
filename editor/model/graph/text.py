"""Copy, cut, paste and duplicate: pieces of graphs as text on the system's clipboard."""

import json
from collections.abc import Collection
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from core.errors import FormatError, ValidationError
from core.graph import edits
from core.graph.catalogue.every import NODE_TYPES
from core.graph.fragment import Fragment, fresh, taken
from core.graph.graph import Graph, Node, Sheet, Variable, asset_parameters
from core.graph.language.renaming import names_in
from core.ids import AssetId
from core.io.native.graph_schema import sheet_from, sheet_to, variable_from, variable_to
from core.json_values import Value
from editor.model.clipboard import MAX_TEXT, Clipboard
from editor.model.graph.canvas import Canvas
from editor.model.graph.geometry import GRID, Point, Rect, on_grid
from editor.model.graph.layout import Comment, Layout, layout_from
from editor.model.graph.layout import written as written_layout
from editor.model.graph.naming import named
from editor.model.graph.nodes import UNIQUE, NodeEdits
from editor.model.i18n import tr

HEAD = "graph nodes"
STEP = 2 * GRID


@dataclass(frozen=True, slots=True)
class Piece:
    """What is on the clipboard.

    Parameters
    ----------
    layout : places, comments, knots and hidden pins, of the inner sheets too
    variables, enums, slots : those that the nodes speak of
    assets : id of an asset that a node names → its name
    """

    fragment: Fragment
    layout: Layout
    variables: tuple[Variable, ...]
    enums: dict[str, tuple[str, ...]]
    slots: tuple[str, ...]
    assets: dict[str, str]


@dataclass(frozen=True, slots=True)
class Missing:
    """What a pasted piece speaks of that the graph or document lacks."""

    variables: tuple[Variable, ...] = ()
    slots: tuple[str, ...] = ()
    assets: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.variables or self.slots or self.assets)

    def words(self) -> str:
        """What is missing, as a list."""
        parts = []
        if self.variables:
            parts.append(tr("variables: {names}", names=", ".join(v.name for v in self.variables)))
        if self.slots:
            parts.append(tr("slots: {names}", names=", ".join(self.slots)))
        if self.assets:
            parts.append(tr("assets: {names}", names=", ".join(self.assets)))
        return "; ".join(parts)


class TextEdits:
    """The clipboard's part of the canvas."""

    def __init__(self, canvas: Canvas, nodes: NodeEdits, clipboard: Clipboard) -> None:
        self._canvas, self._nodes, self._clipboard = canvas, nodes, clipboard

    # ------------------------------------------------------------ out
    def copy(self) -> int:
        """Put the selected nodes and comments on the clipboard as text; how many nodes they are.

        Raises
        ------
        ValidationError
            Nothing that can be copied is selected.
        """
        graph, sheet = self._canvas.require()
        piece = self._piece(graph, sheet, self._canvas.state.selection)
        if piece is None:
            raise ValidationError(tr("Select nodes to copy first"))
        self._clipboard.text = written(piece)
        return len(piece.fragment.sheet.nodes)

    def cut(self) -> int:
        """Copy the selection, then delete it and join the wires that it leaves."""
        count = self.copy()
        self._nodes.delete(heal=True)
        return count

    def _piece(self, graph: Graph, sheet: Sheet, ids: Collection[str]) -> Piece | None:
        scene = self._canvas.committed
        fixed = {n.id for n in sheet.of_kind("output")}
        fragment = taken(graph, sheet.id, set(ids) - fixed)
        comments = tuple(c for c in self._canvas.layout.of_sheet(sheet.id) if c.id in ids)
        if scene is None or not (fragment.sheet.nodes or comments):
            return None
        layout = self._canvas.layout
        places = {str(n.id): scene.places[n.id] for n in fragment.sheet.nodes}
        wires = {(str(x.target), x.pin) for x in fragment.sheet.links}
        part = layout.part({n.id for n in fragment.nodes}, {s.id for s in fragment.inner})
        part = replace(
            part.moved(places),
            comments=(*comments, *part.comments),
            knots={k: v for k, v in part.knots.items() if k in wires or k[0] not in places},
        )
        words = _words(fragment)
        variables = tuple(v for v in graph.variables if v.name in words)
        enums = {v.enum for v in variables if v.enum}
        enums |= {str(n.parameters.get("enum")) for n in fragment.nodes if n.parameters.get("enum")}
        project = self._canvas.project
        assets = {
            id: str(project.assets[AssetId(id)].name)
            for n in fragment.nodes
            for id in _assets_of(n)
            if AssetId(id) in project.assets
        }
        slots = {str(n.parameters.get("slot")) for n in fragment.nodes if n.kind == "slot"}
        return Piece(
            fragment,
            part,
            variables,
            {name: graph.enums[name] for name in sorted(enums) if name in graph.enums},
            tuple(s for s in graph.slots if s in slots),
            assets,
        )

    # ------------------------------------------------------------ in
    def read(self) -> Piece:
        """What is on the clipboard; raises `ValidationError` where that is no piece of a graph."""
        return read_piece(self._clipboard.text)

    @property
    def can_paste(self) -> bool:
        """Whether the clipboard holds a piece of a graph."""
        return f'"posewright": "{HEAD}"' in self._clipboard.text[:100]

    def missing(self, piece: Piece) -> Missing:
        """What the open graph and the document lack of what a piece speaks of."""
        graph, _ = self._canvas.require()
        known = {v.name for v in graph.variables}
        return Missing(
            tuple(v for v in piece.variables if v.name not in known),
            tuple(s for s in piece.slots if s not in graph.slots),
            tuple(n for id, n in piece.assets.items() if self._asset(id, n) is None),
        )

    def _asset(self, id: str, name: str) -> str | None:
        """An asset of the document for one that a piece names: the same, else one of its name and kind."""
        project = self._canvas.project
        if AssetId(id) in project.assets:
            return id
        stem = id.partition("-")[0]
        graph = self._canvas.graph
        rig = None if graph is None else graph.rig
        fits = (
            a.id
            for a in project.assets.values()
            if a.name == name and a.id.partition("-")[0] == stem and getattr(a, "rig", rig) == rig
        )
        return next(fits, None)

    def paste(self, at: Point, *, make: bool = False, piece: Piece | None = None) -> list[str]:
        """Paste with its middle at a place, as one undo step; returns the ids of the new nodes.

        Parameters
        ----------
        make : whether missing variables and slots are made, too

        Raises
        ------
        ValidationError
            The clipboard holds no piece of a graph, or one for another kind of sheet.
        """
        found = piece or self.read()
        boxes = [Rect(x, y, 176.0, 64.0) for (x, y) in self._own_places(found).values()]
        boxes += [c.rect for c in found.layout.of_sheet(found.fragment.sheet.id)]
        low = (min(b.x for b in boxes), min(b.y for b in boxes))
        high = (max(b.right for b in boxes), max(b.bottom for b in boxes))
        corner = (at[0] - (high[0] - low[0]) / 2.0, at[1] - (high[1] - low[1]) / 2.0)
        way = on_grid((corner[0] - low[0], corner[1] - low[1]))
        return self._put(tr("Paste"), found, way, make=make)

    def duplicate(self, way: Point = (STEP, STEP)) -> list[str]:
        """Put copies of the selection beside it; inputs keep the wires that they have from outside."""
        graph, sheet = self._canvas.require()
        piece = self._piece(graph, sheet, self._canvas.state.selection)
        if piece is None:
            raise ValidationError(tr("Select nodes to duplicate first"))
        return self._put(tr("Duplicate"), piece, way, inputs=True)

    def _own_places(self, piece: Piece) -> dict[str, Point]:
        return {n.id: piece.layout.places.get(n.id, (0.0, 0.0)) for n in piece.fragment.sheet.nodes}

    def _put(
        self, label: str, piece: Piece, way: Point, *, make: bool = False, inputs: bool = False
    ) -> list[str]:
        graph, sheet = self._canvas.require()
        for node in piece.fragment.sheet.nodes:
            fitting = NODE_TYPES.get(node.kind)
            if fitting is not None and sheet.kind not in fitting.sheets:
                raise ValidationError(
                    tr(
                        "“{node}” does not go on this sheet: open a {kind} sheet first",
                        node=node.name or named(node.kind).title, kind=str(fitting.sheets[0]),
                    )
                )  # fmt: skip
        made, ids = fresh(piece.fragment)
        made = made.mapped(lambda n: self._redirected(n, piece))
        renamed = self._renamed(graph, sheet, made.sheet.nodes)
        nodes = [renamed.get(n.id, n) for n in made.sheet.nodes]
        links = list(made.sheet.links)
        if inputs:
            chosen = {n.id for n in piece.fragment.sheet.nodes}
            outside = [x for x in sheet.links if x.target in chosen and x.source not in chosen]
            values = {w.link for w in self._wires() if w.token not in ("pose", "then")}
            links += [replace(x, target=ids[x.target]) for x in outside if x in values]
        if make:
            missing = self.missing(piece)
            enums = {**piece.enums, **graph.enums}
            graph = replace(
                graph,
                variables=(*graph.variables, *missing.variables),
                slots=(*graph.slots, *missing.slots),
                enums=enums,
            )
        graph = edits.added(graph, sheet.id, nodes, links, made.sheet.transitions, made.inner)
        comments = {c.id for c in self._canvas.layout.comments}
        layout = self._layout(piece, ids, way, sheet.id)
        if not self._canvas.commit(label, graph, layout):
            return []
        fresh_ids = [str(n.id) for n in nodes]
        self._canvas.select([*fresh_ids, *(c.id for c in layout.of_sheet(sheet.id) if c.id not in comments)])
        return fresh_ids

    def _wires(self) -> Any:
        scene = self._canvas.committed
        return () if scene is None else scene.wires

    def _redirected(self, node: Node, piece: Piece) -> Node:
        changes = {}
        for name in asset_parameters(node.kind):
            id = str(node.parameters.get(name) or "")
            if id:
                changes[name] = self._asset(id, piece.assets.get(id, ""))
        return replace(node, parameters={**node.parameters, **changes}) if changes else node

    def _renamed(self, graph: Graph, sheet: Sheet, nodes: tuple[Node, ...]) -> dict[str, Node]:
        """Nodes whose names are taken, with free ones."""
        taken_names = {n.name for n in sheet.nodes}
        machines = {n.name for s in graph.sheets for n in s.of_kind("machine")}
        found = {}
        for node in nodes:
            if node.kind in UNIQUE:
                taken = machines if node.kind == "machine" else taken_names
                name = edits.free_name(node.name, taken)
                taken.add(name)
                found[str(node.id)] = replace(node, name=name)
        return found

    def _layout(self, piece: Piece, ids: dict[str, Any], way: Point, sheet: str) -> Layout:
        scene = self._canvas.committed
        own = self._own_places(piece)
        known = {**ids, piece.fragment.sheet.id: sheet}
        part = piece.layout.moved(own).renamed(known).shifted(way, {ids[k] for k in own}, sheet)
        return self._canvas.layout.moved({} if scene is None else scene.places).with_part(part)


def _words(fragment: Fragment) -> set[str]:
    """Every name that a piece speaks of: in expressions and parameters."""
    found: set[str] = set()
    for sheet in (fragment.sheet, *fragment.inner):
        texts = [t for n in sheet.nodes for t in n.literals.values()]
        texts += [t for x in sheet.transitions for t in (x.rule, x.blend.seconds)]
        for text in texts:
            found |= names_in(text)
        found |= {str(n.parameters["variable"]) for n in sheet.nodes if n.parameters.get("variable")}
    return found


def _assets_of(node: Node) -> list[str]:
    return [str(node.parameters[n]) for n in asset_parameters(node.kind) if node.parameters.get(n)]


def written(piece: Piece) -> str:
    """A piece as text."""
    whole = {
        "posewright": HEAD,
        "version": 1,
        "nodes": sheet_to(piece.fragment.sheet),
        "sheets": [sheet_to(s) for s in piece.fragment.inner],
        **written_layout(piece.layout),
        "variables": [variable_to(v) for v in piece.variables],
        "enums": {k: list(v) for k, v in piece.enums.items()},
        "slots": list(piece.slots),
        "assets": piece.assets,
    }
    return json.dumps(whole, ensure_ascii=False, indent=1)


def read_piece(text: str) -> Piece:
    """The piece of a graph in a text.

    Raises
    ------
    ValidationError
        It holds none, or one that is damaged.
    """
    if len(text) > MAX_TEXT:
        raise ValidationError(tr("The clipboard holds too much text for nodes"))
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        data = None
    if not isinstance(data, dict) or data.get("posewright") != HEAD:
        raise ValidationError(tr("The clipboard holds no nodes: copy some first"))
    value = Value(data, "", Path(tr("clipboard")))
    try:
        fragment = Fragment(
            sheet_from(value.object("nodes")), tuple(sheet_from(s) for s in value.objects("sheets"))
        )
        layout = _layout_from(value, fragment)
        enums = value.object("enums")
        piece = Piece(
            fragment,
            layout,
            tuple(variable_from(v) for v in value.objects("variables")),
            {name: tuple(str(m) for m in enums.items(name)) for name in enums.data},
            tuple(str(s) for s in value.items("slots")),
            {str(k): str(v) for k, v in value.object("assets").data.items()},
        )
    except (FormatError, ValidationError, KeyError, TypeError) as error:
        raise ValidationError(tr("The nodes on the clipboard are damaged: {error}", error=error)) from error
    if not piece.fragment.sheet.nodes and not piece.layout.comments:
        raise ValidationError(tr("The clipboard holds no nodes: copy some first"))
    return piece


def _layout_from(value: Value, fragment: Fragment) -> Layout:
    """What a text says of the layout; comments of no inner sheet lie on the piece's own."""
    own, inner = fragment.sheet.id, {s.id for s in fragment.inner}
    places = {k: value.object("places").floats(k, 2) for k in value.object("places").data}
    comments = tuple(
        Comment(
            "", sheet if (sheet := c.text("sheet", own)) in inner else own, c.text("text"),
            Rect(*(float(x) for x in c.floats("rect", 4))), c.integer("color", 0),
        )
        for c in value.objects("comments")
    )  # fmt: skip
    found = layout_from(value.data)
    return Layout(
        {k: (float(v[0]), float(v[1])) for k, v in places.items()}, comments, found.knots, found.folded
    )

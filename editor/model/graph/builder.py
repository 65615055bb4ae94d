"""From a graph's sheet to the scene that is drawn; views of nodes that did not change are kept."""

from collections.abc import Mapping
from typing import Any

from core.blending.blend_space import BlendSpace
from core.graph.catalogue.every import shape_of
from core.graph.catalogue.pins import ASSET_FORMS, Parameter, PinKind, Shape, Surroundings
from core.graph.edits import OPENS
from core.graph.graph import Graph, Node, Sheet, SheetKind, Transition
from core.ids import AssetId
from core.pose.library import PoseAsset
from core.project.project import Project
from editor.model.graph.arrange import arranged
from editor.model.graph.choices import ON_NODE, Choices
from editor.model.graph.geometry import GRID, Point
from editor.model.graph.layout import Layout
from editor.model.graph.naming import Tone, named, spelled
from editor.model.graph.scene import (
    DETAIL,
    HEAD,
    NARROW,
    PAD,
    PILL,
    ROW,
    STATE,
    WIDTH,
    ArrowView,
    ChoiceView,
    NodeView,
    PinView,
    Scene,
    WireView,
    token_of,
)
from editor.model.i18n import tr

SHORT = ("get", "use_pose", "rest", "pose_input", "snapshot", "on_start", "on_step")
"""Kinds that are drawn narrow: they have little to say."""
MAIN = (
    "variable", "function", "slot", "name", "snapshot", "input", "event", "montage", "bone", "setup", "curve",
    "state", "target", "enum",
)  # fmt: skip
"""Parameters that say what a node is about, the first one that it has."""
FORMS = {"state": "state", "conduit": "diamond", "any": "pill", "entry": "pill", "exit": "pill"}


class SceneBuilder:
    """Makes scenes; one for each canvas."""

    def __init__(self) -> None:
        self._views: dict[str, tuple[tuple[object, ...], NodeView]] = {}
        self._around: tuple[object, Surroundings, Mapping[str, str], Choices] | None = None

    def surroundings(self, graph: Graph, project: Project) -> tuple[Surroundings, Mapping[str, str], Choices]:
        """What pins can depend on, the names of assets by id, what can be chosen; the same while nothing changes."""
        others = [a for a in project.assets.values() if a.id != graph.id]
        key = (graph.variables, graph.enums, graph.slots, tuple(map(id, others)))
        if self._around is None or self._around[0] != key:
            found = Surroundings(
                graph,
                {s.id: s for s in project.all(BlendSpace)},
                {a.id: a for a in project.all(PoseAsset)},
                {g.id: g for g in project.all(Graph)},
            )
            names = {str(asset.id): str(asset.name) for asset in others}
            self._around = (key, found, names, Choices(graph, project))
        return self._around[1:]

    def scene(self, graph: Graph, project: Project, sheet: Sheet, layout: Layout) -> Scene:
        """The scene of a sheet; nodes without a place are arranged."""
        around, names, choices = self.surroundings(graph, project)
        wired: dict[str, list[str]] = {}
        for link in sheet.links:
            wired.setdefault(link.target, []).append(link.pin)
        sheets = {s.id: s for s in graph.sheets}
        views: dict[str, NodeView] = {}
        kept: dict[str, tuple[tuple[object, ...], NodeView]] = {}
        for node in sheet.nodes:
            pins = tuple(wired.get(node.id, ()))
            inside = sheets.get(str(node.parameters.get("sheet") or "")) if node.kind in OPENS else None  # type: ignore[call-overload]
            key = (node, pins, node.id in layout.folded, inside, around)
            old = self._views.get(node.id)
            if old is not None and _same(old[0], key):
                kept[node.id] = old
            else:
                kept[node.id] = (
                    key,
                    _Maker(around, names, sheets, choices).view(node, pins, node.id in layout.folded),
                )
            views[node.id] = kept[node.id][1]
        self._views = kept
        return Scene(
            sheet,
            views,
            _places(sheet, views, layout),
            tuple(
                WireView(
                    link,
                    _token(views[link.source], link.output),
                    layout.knots.get((link.target, link.pin), ()),
                )
                for link in sheet.links
                if link.source in views and link.target in views
            ),
            _arrows(sheet, views),
            layout.of_sheet(sheet.id),
            around,
        )


def _same(a: tuple[object, ...], b: tuple[object, ...]) -> bool:
    return a[0] is b[0] and a[1] == b[1] and a[2] == b[2] and a[3] is b[3] and a[4] is b[4]


def _places(sheet: Sheet, views: Mapping[str, NodeView], layout: Layout) -> dict[str, Point]:
    lacking = [id for id in views if id not in layout.places]
    if not lacking:
        return {id: layout.places[id] for id in views}
    sizes = {id: (view.w, view.h) for id, view in views.items()}
    found = arranged(sheet, sizes)
    known = [layout.places[id] for id in views if id in layout.places]
    if known:  # strangers stand below what has its place
        left = min(x for x, _ in known)
        below = max(layout.places[id][1] + views[id].h for id in views if id in layout.places) + 4 * GRID
        corner = (min(found[id][0] for id in lacking), min(found[id][1] for id in lacking))
        found = {id: (x - corner[0] + left, y - corner[1] + below) for id, (x, y) in found.items()}
    return {id: layout.places.get(id, found[id]) for id in views}


def _token(view: NodeView, output: str) -> str:
    pin = view.pin(output, output=True)
    return pin.token if pin is not None else "any"


def _arrows(sheet: Sheet, views: Mapping[str, NodeView]) -> tuple[ArrowView, ...]:
    pairs: dict[tuple[str, str], list[Transition]] = {}
    ranks: dict[str, int] = {}
    leaving: dict[str, int] = {}
    for transition in sorted(sheet.transitions, key=lambda t: t.priority):
        leaving[transition.source] = ranks[transition.id] = leaving.get(transition.source, 0) + 1
        if transition.source in views and transition.target in views:
            pairs.setdefault((transition.source, transition.target), []).append(transition)
    return tuple(
        ArrowView(a, b, tuple(found), tuple(ranks[t.id] for t in found), (b, a) in pairs)
        for (a, b), found in pairs.items()
    )


def _main(shape: Shape) -> Parameter | None:
    """The parameter that says what a node is about: its asset, else the first of `MAIN`."""
    for parameter in shape.parameters:
        if parameter.form in ASSET_FORMS:
            return parameter
    own = {p.name: p for p in shape.parameters}
    return next((own[name] for name in MAIN if name in own), None)


class _Maker:
    """Makes the view of one node."""

    def __init__(
        self,
        around: Surroundings,
        names: Mapping[str, str],
        sheets: Mapping[Any, Sheet],
        choices: Choices,
    ) -> None:
        self.around, self.names, self.sheets, self.choices = around, names, sheets, choices

    def view(self, node: Node, wired: tuple[str, ...], folded: bool) -> NodeView:
        """The view of a node.

        Parameters
        ----------
        wired : its pins at which wires end
        folded : whether pins that nobody uses are hidden
        """
        around = Surroundings(
            self.around.graph, self.around.spaces, self.around.pose_assets, self.around.graphs, wired
        )
        shape = shape_of(node, around)
        title, detail, missing = self._words(node, shape)
        form, tone = FORMS.get(node.kind, "node"), named(node.kind).tone
        opens = str(node.parameters.get("sheet") or "") if node.kind in OPENS else ""
        if form != "node":
            w, h = STATE if form == "state" else PILL
            if form == "diamond":
                w, h = 112.0, 48.0
            if form == "state":
                tone, detail = self._inside(opens)
            return NodeView(node.id, node.kind, form, title, detail, tone, w, h, opens=opens, missing=missing)
        top = HEAD + (DETAIL if detail else 0.0)
        inputs: list[PinView] = []
        y = top + PAD
        for pin in shape.inputs:
            typed, has = node.literals.get(pin.name), pin.name in wired
            if folded and not has and typed is None:
                continue
            literal = None
            if pin.kind is PinKind.VALUE and not has:
                literal = typed if typed is not None else pin.default or ""
            inputs.append(
                PinView(
                    pin, y + ROW / 2, False, has, token_of(pin), spelled(pin.name), literal, typed is not None
                )
            )
            y += ROW
        chosen = self._chosen(node, shape, y, folded)
        y += ROW * sum(not c.head for c in chosen)
        outputs = tuple(
            PinView(pin, top / 2, True, False, token_of(pin), spelled(pin.name)) for pin in shape.outputs
        )
        height = y + PAD if y > top + PAD else top + PAD
        height = max(-(-height // GRID) * GRID, 2 * GRID)
        width = NARROW if node.kind in SHORT else WIDTH
        return NodeView(
            node.id,
            node.kind,
            form,
            title,
            detail,
            tone,
            width,
            height,
            tuple(inputs),
            outputs,
            opens,
            missing,
            chosen,
        )

    def _chosen(self, node: Node, shape: Shape, y: float, folded: bool) -> tuple[ChoiceView, ...]:
        """Fields to choose in: of what the head says a chevron there, of the rest a row each from a height on."""
        found: list[ChoiceView] = []
        main = _main(shape)
        for parameter in shape.parameters:
            value = str(node.parameters.get(parameter.name) or "")
            head = parameter is main
            if parameter.form not in ON_NODE or (folded and not head and not value):
                continue
            title = self.choices.title(parameter, value)
            missing = ""
            if value and title is None:
                missing = tr("{what} {name} is not there", what=spelled(parameter.name), name=value)
            elif head and not value:
                missing = tr("no {what} is chosen", what=spelled(parameter.name).lower())
            spare = parameter.default == "" and not head
            shown = title or value or (tr("none") if spare else tr("choose"))
            found.append(
                ChoiceView(
                    parameter, y + ROW / 2, spelled(parameter.name), value, shown, missing, head, spare,
                    str(named(node.kind).tone),
                )
            )  # fmt: skip
            y += 0.0 if head else ROW
        return tuple(found)

    def _words(self, node: Node, shape: Shape) -> tuple[str, str, str]:
        """Title, second line, and what is missing."""
        kind = named(node.kind).title
        about, missing = self._about(node, shape)
        if node.kind == "expression":
            return node.name or node.literals.get("value", "0") or kind, kind if node.name else "", ""
        if node.kind == "get":
            return about or kind, "", missing
        if node.name and node.name != kind:
            return node.name, f"{kind} · {about}" if about and about != node.name else kind, missing
        return (about, kind, missing) if about else (kind, "", missing)

    def _about(self, node: Node, shape: Shape) -> tuple[str, str]:
        main = _main(shape)
        if main is None:
            return "", ""
        name = main.name
        if main.form in ASSET_FORMS:
            id = str(node.parameters.get(name) or "")
            if not id:
                return "", tr("no {what} is chosen", what=spelled(name).lower())
            if AssetId(id) not in self.names:
                return "", tr("its {what} is gone", what=spelled(name).lower())
            return self.names[id], ""
        found = str(node.parameters.get(name) or "")
        if not found and name not in ("input", "state"):
            return "", tr("no {what} is chosen", what=spelled(name).lower())
        if name == "variable" and found not in {v.name for v in self.around.graph.variables}:
            return found, tr("the graph has no variable {name}", name=found)
        if name == "slot" and found not in self.around.graph.slots:
            return found, tr("the graph has no slot {name}", name=found)
        if found and main.form in ON_NODE and self.choices.title(main, found) is None:
            return found, tr("{what} {name} is not there", what=spelled(name), name=found)
        return found, ""

    def _inside(self, opens: str) -> tuple[Tone, str]:
        """Colour and words of what a state plays."""
        sheet = self.sheets.get(opens)
        if sheet is None:
            return Tone.VALUE, tr("nothing")
        if sheet.kind is SheetKind.MACHINE:
            return Tone.LOGIC, tr("{count} states", count=len(sheet.of_kind("state")))
        output = next(iter(sheet.of_kind("output")), None)
        link = None if output is None else sheet.link_to(output.id, "pose")
        if link is None:
            return Tone.SOURCE, tr("rest pose")
        source = next((n for n in sheet.nodes if n.id == link.source), None)
        if source is None:
            return Tone.SOURCE, ""
        about, _ = self._about(source, shape_of(source, self.around))
        kind = named(source.kind)
        return kind.tone, f"{kind.title} · {about}" if about else kind.title

"""Find and replace in the open graph: names, parameters, expressions, assets; and the uses of a thing."""

from dataclasses import dataclass, replace

from core.errors import ValidationError
from core.graph.graph import Graph, Node, Sheet, Transition, asset_parameters
from core.graph.language.renaming import names_in
from core.ids import AssetId
from editor.model.graph.canvas import Canvas
from editor.model.graph.naming import named, spelled
from editor.model.i18n import tr


@dataclass(frozen=True, slots=True)
class Found:
    """One place.

    Parameters
    ----------
    item : node, transition or comment
    where : what of it
    text : as it stands there
    """

    sheet: str
    item: str
    title: str
    where: str
    text: str


class Finding:
    """Looks through the open graph."""

    def __init__(self, canvas: Canvas) -> None:
        self._canvas = canvas

    def find(self, text: str, *, whole: bool = False) -> list[Found]:
        """Places that hold a text; with `whole` as a name of its own."""
        graph = self._canvas.graph
        if graph is None or not text:
            return []
        wanted = text.casefold()

        def fits(place: Found) -> bool:
            if whole:
                return text == place.text or text in names_in(place.text)
            return wanted in place.text.casefold()

        return [place for place in self._places(graph) if fits(place)]

    def uses(self, name: str) -> list[Found]:
        """Where a variable, clip, bone, event, slot or any other name is used."""
        return self.find(name, whole=True)

    def _places(self, graph: Graph) -> list[Found]:
        found: list[Found] = []
        for sheet in graph.sheets:
            names: dict[str, str] = {n.id: n.name or named(n.kind).title for n in sheet.nodes}
            for node in sheet.nodes:
                found += self._of_node(sheet, node, names[node.id])
            for transition in sheet.transitions:
                found += _of_transition(sheet, transition, names)
        for comment in self._canvas.layout.comments:
            found.append(Found(comment.sheet, comment.id, tr("Comment"), tr("text"), comment.text))
        return found

    def _of_node(self, sheet: Sheet, node: Node, title: str) -> list[Found]:
        project = self._canvas.project
        found = [Found(sheet.id, node.id, title, tr("name"), title)]
        kind = named(node.kind).title
        if kind != title:
            found.append(Found(sheet.id, node.id, title, tr("kind"), kind))
        for name, value in node.parameters.items():
            if name == "sheet" or value is None:
                continue
            text = ", ".join(str(v) for v in value) if isinstance(value, tuple) else str(value)
            if name in asset_parameters(node.kind):
                asset = project.assets.get(AssetId(text))
                text = text if asset is None else str(asset.name)
            found.append(Found(sheet.id, node.id, title, spelled(name), text))
        for pin, text in node.literals.items():
            found.append(Found(sheet.id, node.id, title, spelled(pin), text))
        return found

    def replace(self, old: str, new: str) -> int:
        """Replace a text in names, typed texts and expressions of the whole graph in one step; how many places.

        Raises
        ------
        ValidationError
            Nothing to look for.
        """
        if not old:
            raise ValidationError(tr("Type what to look for first"))
        graph, _ = self._canvas.require()
        count = 0

        def change(text: str) -> str:
            nonlocal count
            made = text.replace(old, new)
            count += made != text
            return made

        def node(n: Node) -> Node:
            literals = {p: change(t) for p, t in n.literals.items()}
            kept = {*asset_parameters(n.kind), "sheet"}
            parameters = {
                k: change(v) if isinstance(v, str) and k not in kept else v for k, v in n.parameters.items()
            }
            return replace(n, name=change(n.name), literals=literals, parameters=parameters)

        def transition(t: Transition) -> Transition:
            blend = replace(t.blend, seconds=change(t.blend.seconds))
            return replace(t, rule=change(t.rule), blend=blend, player=change(t.player))

        def sheet(s: Sheet) -> Sheet:
            nodes = tuple(node(n) for n in s.nodes)
            return replace(s, nodes=nodes, transitions=tuple(transition(t) for t in s.transitions))

        changed = replace(graph, sheets=tuple(sheet(s) for s in graph.sheets))
        layout = self._canvas.layout
        comments = tuple(replace(c, text=change(c.text)) for c in layout.comments)
        if count:
            self._canvas.commit(tr("Replace"), changed, replace(layout, comments=comments))
        return count


def _of_transition(sheet: Sheet, transition: Transition, names: dict[str, str]) -> list[Found]:
    title = f"{names.get(transition.source, '?')} → {names.get(transition.target, '?')}"
    return [
        Found(sheet.id, transition.id, title, where, text)
        for where, text in (
            (tr("rule"), transition.rule),
            (tr("blend seconds"), transition.blend.seconds),
            (tr("player"), transition.player),
        )
        if text
    ]

"""Choosing clips, bones, masks, slots and the rest on the node: a list that is searched, and what can be made."""

from dataclasses import dataclass, replace

from core.errors import ValidationError
from core.graph import edits
from core.graph.catalogue.pins import Form
from core.graph.graph import Graph
from core.rig.rig import Rig
from editor.model.graph.canvas import Canvas
from editor.model.graph.choices import Choices
from editor.model.graph.naming import spelled
from editor.model.graph.nodes import NodeEdits
from editor.model.graph.scene import ChoiceView
from editor.model.graph.state import ChoicePlace
from editor.model.i18n import tr

GROUP = "DefaultGroup"
"""Group of a new slot whose name has none."""


@dataclass(frozen=True, slots=True)
class Pick:
    """One row of the list.

    Parameters
    ----------
    makes : whether it has to be made first
    now : whether the node has it
    """

    title: str
    value: str
    group: str = ""
    tone: str = "value"
    help: str = ""
    makes: bool = False
    now: bool = False


class Choosing:
    """Lists and sets what is chosen on nodes of the open sheet."""

    def __init__(self, canvas: Canvas, nodes: NodeEdits) -> None:
        self._canvas, self._nodes = canvas, nodes

    def view(self, place: ChoicePlace) -> ChoiceView | None:
        """The field as it is drawn; None where it is not on the open sheet."""
        scene = self._canvas.committed
        node = None if scene is None else scene.nodes.get(place.node)
        return None if node is None else node.choice(place.field)

    def first(self, node: str) -> ChoicePlace | None:
        """The field that says what a node is about: the one in its head, else the first."""
        scene = self._canvas.committed
        view = None if scene is None else scene.nodes.get(node)
        found = () if view is None else sorted(view.choices, key=lambda c: not c.head)
        return ChoicePlace(node, found[0].name) if found else None

    def find(self, place: ChoicePlace, text: str) -> list[Pick]:
        """Rows for what was typed, in any order of words; names that begin with it come first."""
        view, graph = self.view(place), self._canvas.graph
        if view is None or graph is None:
            return []
        words, wanted = text.casefold().split(), text.strip().casefold()
        found = [
            Pick(o.title, o.value, tr("now") if o.value == view.value else "", view.tone, now=o.value == view.value)
            for o in Choices(graph, self._canvas.project).of(view.parameter.form)
            if all(word in o.title.casefold() for word in words)
        ]  # fmt: skip
        if wanted:
            found.sort(
                key=lambda p: (p.title.casefold() != wanted, not p.title.casefold().startswith(wanted))
            )
        elif view.optional:
            found.insert(0, Pick(tr("none"), "", now=not view.value))
        made = self._made(view, text.strip(), found)
        if made is None:
            return found
        return [*found, made] if wanted else [made, *found]

    def _made(self, view: ChoiceView, typed: str, found: list[Pick]) -> Pick | None:
        """What can be made: the name that was typed, or the one that is missing."""
        name = typed or (view.value if view.missing else "")
        form = view.parameter.form
        if form is Form.SLOT and name and "." not in name:
            name = f"{GROUP}.{name}"
        if form not in (Form.SLOT, Form.MASK, Form.CURVE) or not name or any(p.value == name for p in found):
            return None
        if form is Form.CURVE:
            return Pick(tr("Use {name}", name=name), name, tr("new name"))
        return Pick(tr("Make {name}", name=name), name, tr("new"), makes=True)

    def hint(self, place: ChoicePlace) -> str:
        """What the empty search field says."""
        view = self.view(place)
        return "" if view is None else tr("Choose {what}…", what=spelled(view.name).lower())

    def choose(self, place: ChoicePlace, pick: Pick) -> bool:
        """Set what was chosen, making it first where it is not there; one undo step."""
        view, graph = self.view(place), self._canvas.graph
        if view is None or graph is None or (pick.value == view.value and not pick.makes):
            return False
        if not pick.makes:
            return self._nodes.set_parameter([place.node], place.field, pick.value)
        graph = edits.with_parameter(graph, place.node, place.field, pick.value)
        if view.parameter.form is Form.SLOT:
            return self._with_slot(graph, pick.value)
        return self._with_mask(graph, pick.value)

    def _with_slot(self, graph: Graph, slot: str) -> bool:
        if not all(slot.partition(".")):
            raise ValidationError(
                tr("“{name}”: write a slot as group.slot, such as DefaultGroup.Arms", name=slot)
            )
        return self._canvas.commit(
            tr("Make slot {name}", name=slot), replace(graph, slots=(*graph.slots, slot))
        )

    def _with_mask(self, graph: Graph, mask: str) -> bool:
        rig = self._canvas.project.get(Rig, graph.rig)
        made = replace(rig, masks={**rig.masks, mask: {}})
        return self._canvas.commit(tr("New mask {name}", name=mask), graph, None, made)

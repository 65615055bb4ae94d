"""What a parameter of a node can be chosen from: clips, bones, masks, slots, curves and the rest, by name."""

from core.graph.catalogue.pins import Form, Parameter
from core.graph.graph import Graph, Node
from core.graph.language.functions import FUNCTIONS
from core.graph.montage import Montage
from editor.model.graph.canvas import Canvas
from editor.model.graph.choices import ON_NODE, Choices, Option
from editor.model.graph.language import Language
from editor.model.graph.naming import spelled

NAMED = (
    Form.CLIP, Form.SPACE, Form.AIM, Form.POSES, Form.GRAPH, Form.BONE, Form.MASK, Form.SLOT, Form.CURVE, Form.MAP,
    Form.VARIABLE, Form.ENUM, Form.MONTAGE, Form.SECTION, Form.MACHINE, Form.STATE, Form.EVENT, Form.SETUP,
    Form.FUNCTION, Form.GROUP, Form.SNAPSHOT, Form.SAVED, Form.INERTIALISER,
)  # fmt: skip
"""Forms that are chosen from a list."""
LISTS = (Form.TEXTS, Form.BONES, Form.CURVES, Form.STATES, Form.NUMBERS)
"""Forms that hold several."""


class Options:
    """Lists choices for the open graph."""

    def __init__(self, canvas: Canvas, language: Language) -> None:
        self._canvas, self._language = canvas, language

    def of(self, parameter: Parameter, node: Node) -> list[Option]:
        """Choices of a parameter; empty for those that are typed."""
        graph = self._canvas.graph
        if graph is None:
            return []
        if parameter.form is Form.CHOICE:
            return [Option(c, spelled(c) if c else "–") for c in parameter.choices]
        if parameter.form in ON_NODE:
            return list(Choices(graph, self._canvas.project).of(parameter.form))
        return [Option(name, name) for name in self._names(graph, parameter.form, node)]

    def _names(self, graph: Graph, form: Form, node: Node) -> list[str]:
        project = self._canvas.project
        nodes = [n for s in graph.sheets for n in s.nodes]

        def parameters(kind: str, name: str) -> list[str]:
            return sorted({str(n.parameters.get(name) or "") for n in nodes if n.kind == kind} - {""})

        montages = [m for m in project.all(Montage) if m.rig == graph.rig]
        simple = {
            Form.MAP: list(graph.maps),
            Form.VARIABLE: [v.name for v in graph.variables],
            Form.ENUM: list(graph.enums),
            Form.FUNCTION: list(FUNCTIONS),
            Form.MACHINE: [n.name for n in nodes if n.kind == "machine"],
            Form.SNAPSHOT: sorted(
                {*parameters("snapshot", "snapshot"), *parameters("save_snapshot", "snapshot")}
            ),
            Form.SAVED: parameters("save_pose", "name"),
            Form.INERTIALISER: [n.name for n in nodes if n.kind == "inertialise" and n.name],
            Form.GROUP: sorted({str(n.parameters.get("group") or "") for n in nodes} - {""}),
        }
        if form in simple:
            return simple[form]
        if form is Form.EVENT:
            return self._language.events(graph)
        if form is Form.SECTION:
            name = node.parameters.get("montage")
            return [s.name for m in montages if m.name == name for s in m.sections]
        if form is Form.STATE:
            return self._states(graph, str(node.parameters.get("machine") or ""))
        return []

    def _states(self, graph: Graph, machine: str) -> list[str]:
        held = {
            str(n.parameters.get("sheet"))
            for s in graph.sheets
            for n in s.of_kind("machine")
            if n.name == machine
        }
        return [n.name for s in graph.sheets if s.id in held for n in s.of_kind("state")]

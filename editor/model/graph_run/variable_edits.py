"""Edits of the variables of the graph that runs: each one undoable step, followed everywhere."""

from dataclasses import replace

from core.errors import ValidationError
from core.graph.graph import Graph, Role, Variable
from core.graph.language.values import Kind
from core.graph.montage import Montage
from core.graph.variables import (
    changed_kind,
    moved_variable,
    renamed_pins,
    renamed_variable,
    uses,
    with_variable,
    without_variable,
)
from core.project.project import Asset
from editor.model.document import Document
from editor.model.edits import Edits
from editor.model.graph_run.state import GraphRun
from editor.model.i18n import tr

KINDS = (Kind.FLOAT, Kind.BOOL, Kind.INT, Kind.VECTOR, Kind.ENUM, Kind.NAME)
STARTS: dict[Kind, tuple[float, float, tuple[float, ...]]] = {
    Kind.FLOAT: (0.0, 1.0, (0.0,)),
    Kind.BOOL: (0.0, 1.0, (0.0,)),
    Kind.INT: (0.0, 10.0, (0.0,)),
    Kind.VECTOR: (-1.0, 1.0, (0.0, 0.0, 0.0)),
    Kind.NAME: (0.0, 1e12, (0.0,)),
}
"""Lowest, highest and first value of a new variable."""


class VariableEdits:
    """Adds, renames, changes and deletes variables of document graphs."""

    def __init__(self, document: Document, edits: Edits, graph_run: GraphRun) -> None:
        self._document, self._edits, self._run = document, edits, graph_run

    def editable(self, graph: Graph) -> bool:
        """Whether a graph is the document's own; one that plays a clip or a blend space is made of it."""
        return self._document.project.assets.get(graph.id) is graph

    def add(self, graph: Graph, kind: Kind = Kind.FLOAT, role: Role = Role.INPUT) -> str:
        """A new variable; its name."""
        base = {Role.TRIGGER: "trigger", Role.OWN: "own"}.get(
            role, "value" if kind is not Kind.BOOL else "flag"
        )
        taken = {variable.name for variable in graph.variables}
        name, count = base, 2
        while name in taken:
            name, count = f"{base}_{count}", count + 1
        enum = ""
        if kind is Kind.ENUM:
            if not graph.enums:
                graph = replace(graph, enums={"mode": (tr("first"), tr("second"))})
            enum = next(iter(graph.enums))
        low, high, default = STARTS.get(kind, (0.0, 1.0, (0.0,)))
        if kind is Kind.ENUM:
            high = float(max(len(graph.enums[enum]) - 1, 0))
        variable = Variable(name, kind, default, low, high, role=role, enum=enum)
        self._edits.put(tr("Add variable {name}", name=name), with_variable(graph, variable))
        return name

    def rename(self, graph: Graph, old: str, new: str) -> bool:
        """Another name, wherever the variable is named, also by graphs that link this one."""
        new = new.strip().replace(" ", "_")
        if not new or new == old:
            return False
        assets: list[Asset] = [renamed_variable(graph, old, new)]
        for other in self._document.project.all(Graph):
            changed = renamed_pins(other, graph.id, old, new)
            if changed is not other and other.id != graph.id:
                assets.append(changed)
        self._run.inputs.rename(graph.id, old, new)
        return self._edits.put(tr("Rename variable {old} to {new}", old=old, new=new), *assets)

    def delete(self, graph: Graph, name: str) -> bool:
        """Without it; what names it is told by the graph's problems."""
        return self._edits.put(tr("Delete variable {name}", name=name), without_variable(graph, name))

    def uses(self, graph: Graph, name: str) -> tuple[str, ...]:
        """Ids of the nodes and transitions that name it."""
        return uses(graph, name)

    def move(self, graph: Graph, name: str, place: int) -> bool:
        """To another place of the list."""
        return self._edits.put(tr("Move variable {name}", name=name), moved_variable(graph, name, place))

    def set_kind(self, graph: Graph, variable: Variable, kind: Kind) -> bool:
        """Another type."""
        if kind is variable.kind:
            return False
        enum = next(iter(graph.enums), "mode") if kind is Kind.ENUM else ""
        if kind is Kind.ENUM and enum not in graph.enums:
            graph = replace(graph, enums={**graph.enums, enum: (tr("first"), tr("second"))})
        made = changed_kind(variable, kind, enum, len(graph.enums.get(enum, ())))
        return self._put(graph, made)

    def set_role(self, graph: Graph, variable: Variable, role: Role) -> bool:
        """Who writes it; a trigger is a bool."""
        made = changed_kind(variable, Kind.BOOL) if role is Role.TRIGGER else variable
        return self._put(graph, replace(made, role=role))

    def set_range(self, graph: Graph, variable: Variable, low: float, high: float) -> bool:
        """Bounds that every write is clamped to; the default is brought within them."""
        if low > high:
            raise ValidationError(
                tr("{name}: expected a minimum below the maximum, got {low} and {high}",
                   name=variable.name, low=f"{low:g}", high=f"{high:g}")
            )  # fmt: skip
        default = tuple(min(max(x, low), high) for x in variable.default)
        return self._put(graph, replace(variable, minimum=low, maximum=high, default=default))

    def set_default(self, graph: Graph, variable: Variable, default: tuple[float, ...]) -> bool:
        """The value that a run begins with."""
        kept = tuple(min(max(x, variable.minimum), variable.maximum) for x in default)
        return self._put(graph, replace(variable, default=kept))

    def set_unit(self, graph: Graph, variable: Variable, unit: str) -> bool:
        """What is shown beside the value."""
        return self._put(graph, replace(variable, unit=unit.strip()))

    def set_buffer(self, graph: Graph, variable: Variable, seconds: float) -> bool:
        """How long an unused trigger lasts."""
        return self._put(graph, replace(variable, buffer=max(seconds, 0.0)))

    def set_members(self, graph: Graph, variable: Variable, members: tuple[str, ...]) -> bool:
        """The members of the variable's enum."""
        if not members or len(set(members)) < len(members):
            raise ValidationError(tr("Expected different names, with commas between them"))
        graph = replace(graph, enums={**graph.enums, variable.enum: members})
        high = float(len(members) - 1)
        default = (min(variable.default[0], high),)
        return self._put(graph, replace(variable, maximum=high, default=default))

    def _put(self, graph: Graph, variable: Variable) -> bool:
        return self._edits.put(
            tr("Change variable {name}", name=variable.name), with_variable(graph, variable)
        )

    def montages(self) -> tuple[Montage, ...]:
        """The montages that the graph can play."""
        graph = self._run.graph
        found = () if graph is None else self._document.project.all(Montage)
        return tuple(m for m in found if graph is not None and m.rig == graph.rig)

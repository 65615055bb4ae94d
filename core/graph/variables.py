"""Edits of a graph's variables; renaming follows to every place that names one."""

from collections.abc import Iterator
from dataclasses import replace

from core.errors import MissingReferenceError, ValidationError
from core.graph.graph import LINKED, Graph, Link, Node, ParameterValue, Sheet, Transition, Variable
from core.graph.language.renaming import with_name, with_quoted
from core.graph.language.values import Kind
from core.graph.names import near
from core.ids import AssetId

_TRIGGERS = ("take", "fired")
RESERVED = frozenset({"and", "or", "not", "true", "false", "dt", "time_in_state"})
"""Words of the language that no variable may have as its name."""


def variable_named(graph: Graph, name: str) -> Variable:
    """The variable of that name; raises `MissingReferenceError` with near names."""
    for variable in graph.variables:
        if variable.name == name:
            return variable
    names = [variable.name for variable in graph.variables]
    raise MissingReferenceError(f"graph {graph.name!r} has no variable {name!r}{near(name, names)}")


def with_variable(graph: Graph, variable: Variable) -> Graph:
    """The graph with a variable added, or in place of the one of its name.

    Raises
    ------
    ValidationError
        A name that is a word of the language.
    """
    if variable.name in RESERVED:
        raise ValidationError(
            f"variable {variable.name!r}: this is a word of the language; choose another name"
        )
    names = [found.name for found in graph.variables]
    if variable.name not in names:
        return replace(graph, variables=(*graph.variables, variable))
    variables = tuple(variable if found.name == variable.name else found for found in graph.variables)
    return replace(graph, variables=variables)


def without_variable(graph: Graph, name: str) -> Graph:
    """The graph without a variable; what names it stays as it is, and is told when the graph is compiled."""
    variable_named(graph, name)
    return replace(graph, variables=tuple(v for v in graph.variables if v.name != name))


def moved_variable(graph: Graph, name: str, place: int) -> Graph:
    """The graph with a variable at another place of the list."""
    variable = variable_named(graph, name)
    others = [found for found in graph.variables if found.name != name]
    others.insert(min(max(place, 0), len(others)), variable)
    return replace(graph, variables=tuple(others))


def changed_kind(variable: Variable, kind: Kind, enum: str = "", members: int = 1) -> Variable:
    """A variable of another kind, with a default that fits.

    Parameters
    ----------
    members : of the enum
    """
    first = variable.default[0]
    default: tuple[float, ...] = (first,)
    low, high = variable.minimum, variable.maximum
    if kind is Kind.VECTOR:
        default = (first, 0.0, 0.0) if len(variable.default) == 1 else variable.default
        low, high = (low, high) if variable.kind in (Kind.FLOAT, Kind.INT) else (-1e12, 1e12)
        low, high = min(low, 0.0), max(high, 0.0)
    elif kind is Kind.BOOL:
        default, low, high = (float(first != 0.0),), 0.0, 1.0
    elif kind in (Kind.ENUM, Kind.NAME):
        default, low, high = (0.0,), 0.0, float(max(members - 1, 0)) if kind is Kind.ENUM else 1e12
    elif variable.kind not in (Kind.FLOAT, Kind.INT):
        low, high = (-1e12, 1e12) if variable.kind is not Kind.BOOL else (0.0, 1.0)
    if kind is Kind.INT:
        default = (float(round(default[0])),)
    return replace(variable, kind=kind, default=default, minimum=low, maximum=high, enum=enum)


# -------------------------------------------------------------------- renaming
def renamed_variable(graph: Graph, old: str, new: str) -> Graph:
    """The graph with a variable renamed wherever it is named: expressions, rules, nodes that get, set or watch it.

    Raises
    ------
    ValidationError
        The new name is taken, or is no name.
    MissingReferenceError
        There is no variable of the old name.
    """
    variable = variable_named(graph, old)
    if new == old:
        return graph
    if any(other.name == new for other in graph.variables):
        raise ValidationError(f"graph {graph.name!r} has a variable {new!r} already; choose another name")
    if new in RESERVED:
        raise ValidationError(f"variable {new!r}: this is a word of the language; choose another name")
    made = replace(variable, name=new)
    return replace(
        graph,
        variables=tuple(made if found.name == old else found for found in graph.variables),
        sheets=tuple(_sheet(sheet, old, new) for sheet in graph.sheets),
    )


def renamed_pins(graph: Graph, linked: AssetId, old: str, new: str) -> Graph:
    """A graph that links another one, with the pins of that one's variable renamed; the same where it has none."""
    sheets = []
    for sheet in graph.sheets:
        ids = {n.id for n in sheet.nodes if n.kind == "linked_graph" and n.parameters.get(LINKED) == linked}
        nodes = tuple(_with_pin(node, old, new) if node.id in ids else node for node in sheet.nodes)
        links = tuple(
            Link(link.source, link.target, new, link.output)
            if link.target in ids and link.pin == old
            else link
            for link in sheet.links
        )
        same = nodes == sheet.nodes and links == sheet.links
        sheets.append(sheet if same else replace(sheet, nodes=nodes, links=links))
    return graph if tuple(sheets) == graph.sheets else replace(graph, sheets=tuple(sheets))


def uses(graph: Graph, name: str) -> tuple[str, ...]:
    """Ids of the nodes and transitions that name a variable."""
    found: dict[str, None] = {}
    for item, text in _texts(graph):
        if renamed_text(text, name, f"{name}_") != text:
            found[item] = None
    for sheet in graph.sheets:
        for node in sheet.nodes:
            if node.parameters.get("variable") == name:
                found[node.id] = None
    return tuple(found)


def _texts(graph: Graph) -> Iterator[tuple[str, str]]:
    for sheet in graph.sheets:
        for node in sheet.nodes:
            for text in (
                *node.literals.values(),
                *(v for v in node.parameters.values() if isinstance(v, str)),
            ):
                yield node.id, text
        for transition in sheet.transitions:
            yield transition.id, transition.rule
            yield transition.id, transition.blend.seconds


def _sheet(sheet: Sheet, old: str, new: str) -> Sheet:
    nodes = tuple(_node(node, old, new) for node in sheet.nodes)
    transitions = tuple(_transition(transition, old, new) for transition in sheet.transitions)
    if nodes == sheet.nodes and transitions == sheet.transitions:
        return sheet
    return replace(sheet, nodes=nodes, transitions=transitions)


def _node(node: Node, old: str, new: str) -> Node:
    own = {link for link in node.literals if node.kind == "expression" and link == old}
    # A wired pin of an expression node hides a variable of its name; only its literal value names variables.
    literals = node.literals
    if not own:
        literals = {pin: renamed_text(text, old, new) for pin, text in node.literals.items()}
    parameters: dict[str, ParameterValue] = dict(node.parameters)
    for key in ("variable", "trigger"):
        if parameters.get(key) == old:
            parameters[key] = new
    if literals == node.literals and parameters == node.parameters:
        return node
    return replace(node, literals=literals, parameters=parameters)


def _with_pin(node: Node, old: str, new: str) -> Node:
    if old not in node.literals:
        return node
    return replace(node, literals={new if pin == old else pin: text for pin, text in node.literals.items()})


def _transition(transition: Transition, old: str, new: str) -> Transition:
    rule = renamed_text(transition.rule, old, new)
    seconds = renamed_text(transition.blend.seconds, old, new)
    if (rule, seconds) == (transition.rule, transition.blend.seconds):
        return transition
    return replace(transition, rule=rule, blend=replace(transition.blend, seconds=seconds))


def renamed_text(text: str, old: str, new: str) -> str:
    """An expression with a variable renamed, also one that does not compile; calls and components stay.

    A quoted name counts as the argument of ``take`` and ``fired``.
    """
    return with_quoted(with_name(text, old, new), _TRIGGERS, old, new)

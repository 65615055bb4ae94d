"""What the Variables panel shows and sets: rows, the pad's two axes, keys. Free of Qt."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from core.graph.graph import Graph, Role, Variable
from core.graph.language.values import Kind
from editor.model.graph_run.state import GraphRun

NUMBERS = (Kind.FLOAT, Kind.INT)
WIDEST = 1e6
"""A range wider than this has no place on a pad."""


@dataclass(frozen=True, slots=True)
class PadAxis:
    """One number that the pad sets: a variable, or a component of a vector.

    Parameters
    ----------
    part : of a vector; −1 for a number
    """

    graph: Graph
    variable: Variable
    part: int = -1

    @property
    def title(self) -> str:
        """What it is called."""
        return self.variable.name + (f".{'xyz'[self.part]}" if self.part >= 0 else "")

    @property
    def key(self) -> tuple[str, str, int]:
        """What it is, whatever else is changed: two graphs may have a variable of one name."""
        return self.graph.id, self.variable.name, self.part

    @property
    def span(self) -> tuple[float, float]:
        """Its range."""
        return self.variable.minimum, self.variable.maximum


def pad_axes(run: GraphRun) -> list[PadAxis]:
    """Everything that the pad can set: inputs with a range."""
    found = []
    for graph, variable in run.played.variables:
        if variable.role is not Role.INPUT or not 0.0 < variable.maximum - variable.minimum <= WIDEST:
            continue
        if variable.kind in NUMBERS:
            found.append(PadAxis(graph, variable))
        elif variable.kind is Kind.VECTOR:
            found += [PadAxis(graph, variable, part) for part in range(3)]
    return found


def titles_of(axes: Sequence[PadAxis]) -> list[str]:
    """What the axes are called; with the graph's name where another graph has one of the same name."""
    names = Counter(axis.title for axis in axes)
    return [f"{axis.title} ({axis.graph.name})" if names[axis.title] > 1 else axis.title for axis in axes]


def value_of(run: GraphRun, axis: PadAxis) -> float:
    """The number that an axis shows."""
    value = run.value(axis.variable, axis.graph)
    if axis.part >= 0:
        return float(value[axis.part]) if isinstance(value, tuple | list) else 0.0
    return float(value) if isinstance(value, int | float) else 0.0


def share_of(run: GraphRun, axis: PadAxis | None, value: float | None = None) -> float:
    """The number as a share 0..1 of its range; a half where there is no axis."""
    if axis is None:
        return 0.5
    low, high = axis.span
    number = value_of(run, axis) if value is None else value
    return min(max((number - low) / (high - low), 0.0), 1.0)


def set_axes(run: GraphRun, shares: list[tuple[PadAxis, float]]) -> None:
    """Set axes by shares of their ranges; two components of one vector at once."""
    vectors: dict[tuple[str, str], list[float]] = {}
    for axis, share in shares:
        low, high = axis.span
        number = low + (high - low) * share
        if axis.part < 0:
            run.set(
                axis.variable.name, round(number) if axis.variable.kind is Kind.INT else number, axis.graph
            )
            continue
        key = (axis.graph.id, axis.variable.name)
        if key not in vectors:
            value = run.value(axis.variable, axis.graph)
            vectors[key] = [float(x) for x in value] if isinstance(value, tuple | list) else [0.0] * 3
        vectors[key][axis.part] = number
    for axis, _ in shares:
        numbers = vectors.pop((axis.graph.id, axis.variable.name), None)
        if numbers is not None:
            run.set(axis.variable.name, numbers, axis.graph)

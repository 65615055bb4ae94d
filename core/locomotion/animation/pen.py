"""Draws graph documents: nodes with counted ids, so that every build gives the same bytes."""

from collections.abc import Mapping, Sequence
from itertools import count, pairwise

from core.blending.easing import EaseShape, Easing
from core.graph.graph import (
    Blend,
    BlendKind,
    Link,
    Node,
    NodeId,
    ParameterValue,
    Sheet,
    SheetKind,
    TargetStart,
    Transition,
)


class Pen:
    """Collects the sheets of a graph.

    Parameters
    ----------
    first : number of the first id
    """

    def __init__(self, first: int) -> None:
        self._numbers = count(first)
        self.sheets: list[Sheet] = []

    def id(self) -> NodeId:
        """The next id."""
        return NodeId(f"n-{next(self._numbers):08x}")

    def node(
        self,
        kind: str,
        name: str = "",
        pins: Mapping[str, str] | None = None,
        /,
        **parameters: ParameterValue,
    ) -> Node:
        """A node of a kind."""
        return Node(self.id(), kind, parameters, pins or {}, name)

    def pose(
        self, name: str, wires: Sequence[tuple[Node, Node, str]], last: Node, nodes: Sequence[Node] = ()
    ) -> Sheet:
        """A pose sheet of the nodes that wires join, with an Output after the last; `nodes` come first."""
        output = self.node("output", "Output")
        known = {node.id: node for node in (*nodes, *(node for wire in wires for node in wire[:2]), last)}
        links = [Link(source.id, target.id, pin) for source, target, pin in wires]
        links.append(Link(last.id, output.id, "pose"))
        sheet = Sheet(self.id(), name, SheetKind.POSE, (*known.values(), output), tuple(links))
        self.sheets.append(sheet)
        return sheet

    def update(self, name: str, start: Node, chain: Sequence[Node]) -> Sheet:
        """An update sheet whose one chain goes from a node that starts it through actions."""
        links = tuple(Link(a.id, b.id, "then") for a, b in pairwise((start, *chain)))
        sheet = Sheet(self.id(), name, SheetKind.UPDATE, (start, *chain), links)
        self.sheets.append(sheet)
        return sheet


class Machine:
    """Draws a machine: states by name, arrows between them.

    Parameters
    ----------
    pen : draws its ids, and takes its sheet
    """

    def __init__(self, pen: Pen, name: str) -> None:
        self.pen, self.name = pen, name
        self.states: dict[str, Node] = {}
        self.arrows: list[Transition] = []

    def __contains__(self, name: str) -> bool:
        return name in self.states

    def state(self, name: str, sheet: Sheet, does: Mapping[str, str] | None = None) -> None:
        """Add a state; the first is where it begins. `does` are its statements by moment, such as ``enter``."""
        self.states[name] = self.pen.node("state", name, does, sheet=sheet.id)

    def arrow(
        self,
        source: str,
        target: str,
        rule: str,
        seconds: float = 0.2,
        *,
        automatic: float | None = None,
        kind: BlendKind = BlendKind.INERTIALISE,
        start: TargetStart = TargetStart.STATE,
        start_at: float = 0.0,
    ) -> None:
        """Add a transition, where there are both of its states."""
        if source not in self.states or target not in self.states:
            return
        self.arrows.append(
            Transition(
                self.pen.id(), self.states[source].id, self.states[target].id, rule, automatic=automatic,
                blend=Blend(f"{seconds:g}", Easing(EaseShape.SMOOTH), kind), start=start, start_at=start_at,
            )
        )  # fmt: skip

    def drawn(self) -> Sheet:
        """The machine's sheet."""
        sheet = Sheet(
            self.pen.id(), self.name, SheetKind.MACHINE, tuple(self.states.values()), (), tuple(self.arrows)
        )
        self.pen.sheets.append(sheet)
        return sheet

"""What compiling a part of a graph asks of the compiler of the whole."""

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from core.clips.clip import Clip
from core.graph.actions import Action
from core.graph.graph import Graph, Link, Node, Sheet
from core.graph.language.program import ProgramBuilder
from core.graph.language.values import Value, ValueType
from core.graph.op import GraphOp
from core.graph.scope import GraphScope
from core.ids import AssetId
from core.rig.rig import Rig


class Compiling(Protocol):
    """The graph that is compiled, what came of it until now, and what is said about it."""

    graph: Graph
    rig: Rig
    clips: Mapping[AssetId, Clip]
    ops: list[GraphOp]
    builder: ProgramBuilder
    prefix: str
    scope: GraphScope
    actions: list[Action]
    branches: dict[str, list[Action]]
    checks: list[Callable[[], None]]

    def fault(
        self, message: str, sheet: str = "", node: str = "", pin: str = "", column: int = -1
    ) -> None: ...
    def warn(self, message: str, sheet: str, node: str, pin: str = "") -> None: ...
    def node_of(self, sheet: Sheet, node: str) -> Node | None: ...
    def link(self, sheet: Sheet, node: str, pin: str) -> Link | None: ...
    def links_to(self, sheet: Sheet, node: str) -> Sequence[Link]: ...
    def links_from(self, sheet: Sheet, node: str) -> Sequence[Link]: ...
    def value(self, sheet: Sheet, node: Node, pin: str, type_: ValueType, default: str) -> int: ...
    def expression(
        self, text: str, type_: ValueType, sheet: str, node: str, pin: str, column: int = 0
    ) -> Value: ...

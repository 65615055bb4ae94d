"""Value wires: what expression, function and variable nodes become, each once (spec: graph, Values)."""

from collections.abc import Iterable, Sequence

from core.graph.compiling import Compiling
from core.graph.graph import Node, Sheet
from core.graph.language.compiler import Scope, compile_expression
from core.graph.language.functions import FUNCTIONS
from core.graph.language.program import DT, Op
from core.graph.language.syntax import ExpressionError
from core.graph.language.values import BOOL, FLOAT, Kind, Value, ValueType, resting
from core.graph.names import near

VALUE_NODES = ("expression", "function", "get")
"""Kinds of nodes that give values."""
DEEPEST = 100
"""Value nodes behind each other; every one is a few calls of Python's stack."""


class LocalScope:
    """A scope with names of its own: the pins of an expression node that are wired.

    Parameters
    ----------
    scope : what the other names mean
    names : pin → the value that is wired to it
    """

    def __init__(self, scope: Scope, names: dict[str, Value]) -> None:
        self._scope, self._names = scope, names

    def variable(self, name: str) -> Value | None:
        """A wired pin, else a variable."""
        return self._names.get(name) or self._scope.variable(name)

    def variables(self) -> Iterable[str]:
        """Names of pins and variables."""
        return [*self._names, *self._scope.variables()]

    def reads(self) -> Iterable[str]:
        """As of the scope."""
        return self._scope.reads()

    def read(self, function: str, arguments: Sequence[str]) -> Value:
        """As of the scope."""
        return self._scope.read(function, arguments)

    def track(self, name: str) -> int | None:
        """As of the scope."""
        return self._scope.track(name)

    def enum_member(self, enum: str, member: str) -> int | None:
        """As of the scope."""
        return self._scope.enum_member(enum, member)

    def name_index(self, name: str) -> int:
        """As of the scope."""
        return self._scope.name_index(name)


class Wires:
    """The value nodes of one graph, compiled at first use.

    A circle of value nodes is refused unless it goes through a function node ``previous``, which then gives the
    number of the step before, 0 before the first.
    """

    def __init__(self, c: Compiling) -> None:
        self._c = c
        self._known: dict[tuple[str, str], Value] = {}
        self._under_way: list[tuple[str, str]] = []
        self._waiting: list[tuple[Sheet, Node, Value]] = []

    @property
    def places(self) -> dict[tuple[str, str], Value]:
        """(node, pin) → its value, of all that was compiled; ``out`` is a value node's own."""
        found = {}
        for (_, name), value in self._known.items():
            node, dot, pin = name.partition(".")
            found[node, pin if dot else "out"] = value
        return found

    def pin(self, sheet: Sheet, node: Node, pin: str, type_: ValueType, default: str) -> Value:
        """The value of a pin: its wire's node, or what is typed into it."""
        c = self._c
        link = c.link(sheet, node.id, pin)
        if link is None:
            key = (sheet.id, f"{node.id}.{pin}")
            if key not in self._known:
                text = node.literals.get(pin, default)
                self._known[key] = c.expression(text, type_, sheet.id, node.id, pin)
            return self._known[key]
        source = c.node_of(sheet, link.source)
        if source is None or source.kind not in VALUE_NODES:
            c.fault(f"expected one of {', '.join(VALUE_NODES)} on this wire", sheet.id, node.id, pin)
            return self._nothing(type_)
        found = self._node(sheet, source, type_)
        if not type_.accepts(found.type):
            c.fault(f"expected {type_}, got {found.type}", sheet.id, node.id, pin)
            return self._nothing(type_)
        return found

    def _nothing(self, type_: ValueType) -> Value:
        return self._c.builder.constant(type_, *(0.0,) * type_.width)

    def _node(self, sheet: Sheet, node: Node, type_: ValueType) -> Value:
        c, key = self._c, (sheet.id, node.id)
        if key in self._known:
            return self._known[key]
        if key in self._under_way:
            path = " -> ".join(name for _, name in [*self._under_way[self._under_way.index(key) :], key])
            c.fault(
                f"the values go in a circle: {path}; put a function node previous into it", sheet.id, node.id
            )
            return self._nothing(type_)
        if len(self._under_way) >= DEEPEST:
            c.fault(f"values nested deeper than {DEEPEST} nodes", sheet.id, node.id)
            return self._nothing(type_)
        if node.parameters.get("function") == "previous" and self._in_circle(sheet, node):
            place = c.builder.place(FLOAT)
            self._known[key] = place
            self._waiting.append((sheet, node, place))
            return place
        self._under_way.append(key)
        found = self._compiled(sheet, node, type_)
        self._under_way.pop()
        self._known[key] = found
        return found

    def _in_circle(self, sheet: Sheet, node: Node) -> bool:
        """Whether a node's own wires lead back to it."""
        waiting, seen = [node.id], set[str]()
        while waiting:
            for link in self._c.links_to(sheet, waiting.pop()):
                if link.source == node.id:
                    return True
                if link.source not in seen:
                    seen.add(link.source)
                    waiting.append(link.source)
        return False

    def _compiled(self, sheet: Sheet, node: Node, type_: ValueType) -> Value:
        c = self._c
        if node.kind == "get":
            name = str(node.parameters.get("variable", ""))
            found = c.scope.variable(name)
            if found is None:
                c.fault(
                    f"there is no variable {name[:60]!r}{near(name[:60], c.scope.variables())}",
                    sheet.id,
                    node.id,
                )
                return self._nothing(type_)
            return found
        if node.kind == "function":
            return self._function(sheet, node, type_)
        names = {
            link.pin: self._wired(sheet, node, link.pin)
            for link in c.links_to(sheet, node.id)
            if link.pin.isidentifier()
        }
        return self._text(sheet, node, node.literals.get("value", "0"), names, type_)

    def _wired(self, sheet: Sheet, node: Node, pin: str) -> Value:
        link = self._c.link(sheet, node.id, pin)
        source = None if link is None else self._c.node_of(sheet, link.source)
        if source is None or source.kind not in VALUE_NODES:
            self._c.fault(f"expected one of {', '.join(VALUE_NODES)} on this wire", sheet.id, node.id, pin)
            return self._nothing(FLOAT)
        return self._node(sheet, source, FLOAT)

    def _function(self, sheet: Sheet, node: Node, type_: ValueType) -> Value:
        c = self._c
        name = str(node.parameters.get("function", ""))
        function = FUNCTIONS.get(name)
        if function is None:
            c.fault(f"there is no function {name[:60]!r}{near(name[:60], FUNCTIONS)}", sheet.id, node.id)
            return self._nothing(type_)
        names: dict[str, Value] = {}
        for pin, wanted in zip(function.parameters, function.types, strict=True):
            if c.link(sheet, node.id, pin) is not None:
                names[pin] = self._wired(sheet, node, pin)
            else:
                names[pin] = self._text(sheet, node, node.literals.get(pin, resting(wanted)), {}, wanted, pin)
        return self._text(sheet, node, f"{name}({', '.join(function.parameters)})", names, None)

    def _text(
        self,
        sheet: Sheet,
        node: Node,
        text: str,
        names: dict[str, Value],
        type_: ValueType | None,
        pin: str = "value",
    ) -> Value:
        c = self._c
        scope = LocalScope(c.scope, names)
        # What is expected only gives quoted texts a meaning here; who reads the node checks the type.
        expected = type_ if type_ is not None and type_.kind in (Kind.ENUM, Kind.NAME) else None
        try:
            return compile_expression(text, scope, c.builder, expected, len(c.ops))
        except ExpressionError as error:
            c.fault(error.reason, sheet.id, node.id, pin, error.column)
            return self._nothing(type_ or FLOAT)

    def finish(self) -> None:
        """Close the circles, when all else is compiled: what ``previous`` gives next is what stands there now."""
        c, closing = self._c, []
        while self._waiting:
            sheet, node, place = self._waiting.pop()
            now = self.pin(sheet, node, "x", FLOAT, "0")
            closing.append((place, now))
        zero = c.builder.constant(FLOAT, 0.0).register
        for place, now in closing:
            moving = c.builder.emit(Op.LESS, BOOL, zero, DT)
            c.builder.write(Op.LATCH, place.register, moving.register, now.register)

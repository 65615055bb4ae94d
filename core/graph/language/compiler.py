"""From a parsed expression to rows of a program, with types checked."""

import difflib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import NoReturn, Protocol

from core.errors import ValidationError
from core.graph.language import syntax
from core.graph.language.functions import FUNCTIONS, Function, each
from core.graph.language.program import DT, Op, ProgramBuilder
from core.graph.language.syntax import ExpressionError
from core.graph.language.values import (
    BOOL,
    FLOAT,
    INT,
    LARGEST_WHOLE,
    NAME,
    QUATERNION,
    VECTOR,
    Kind,
    Value,
    ValueType,
)


class Scope(Protocol):
    """What an expression can name, beside the functions of the language."""

    def variable(self, name: str) -> Value | None:
        """The place of a variable; None where there is none."""
        ...

    def variables(self) -> Iterable[str]:
        """Every name that `variable` knows, to list near ones."""
        ...

    def reads(self) -> Iterable[str]:
        """Names of the functions that `read` knows."""
        ...

    def read(self, function: str, arguments: Sequence[str]) -> Value:
        """The place that the host fills with what the graph says, such as ``curve('speed')``.

        Raises
        ------
        ValidationError
            The arguments name nothing that is there, or are too many or too few.
        """
        ...

    def track(self, name: str) -> int | None:
        """Number of a named track of the graph (for ``map``); None where there is none."""
        ...

    def enum_member(self, enum: str, member: str) -> int | None:
        """Index of an enum's member; None where there is none."""
        ...

    def name_index(self, name: str) -> int:
        """Index under which a name is held as a value."""
        ...


@dataclass(frozen=True, slots=True)
class _Quoted:
    """A quoted text, which becomes a name or an enum member by what stands beside it."""

    text: str
    column: int


def compile_expression(
    text: str, scope: Scope, builder: ProgramBuilder, expected: ValueType | None = None, node: int = -1
) -> Value:
    """Add an expression's rows to a program; return where its value will lie.

    Parameters
    ----------
    expected : the type it must have; an int is taken where a float is expected
    node : number of the node that is flagged where an operation has no answer

    Raises
    ------
    ExpressionError
        With the column: anything `syntax.parse` refuses, an unknown name (near ones are listed), or types that
        do not fit.
    """
    tree = syntax.parse(text)
    compiler = _Compiler(text, scope, builder, node)
    found = compiler.value(tree, expected)
    if expected is not None and not expected.accepts(found.type):
        compiler.fail(f"expected {expected}, got {found.type}", 0, len(text))
    return found


MOST_COMPARED = 500
"""Names that an unknown one is compared with."""

ARITHMETIC = {
    "+": Op.ADD,
    "-": Op.SUBTRACT,
    "*": Op.MULTIPLY,
    "/": Op.DIVIDE,
    "//": Op.FLOOR_DIVIDE,
    "%": Op.MODULO,
    "**": Op.POWER,
}


class _Compiler:
    """Compiles one expression; it is the `Emitter` of the functions."""

    def __init__(self, text: str, scope: Scope, builder: ProgramBuilder, node: int) -> None:
        self.text, self.scope, self.builder, self.node = text, scope, builder, node
        self.column = 0

    def fail(self, message: str, column: int | None = None, length: int = 1) -> NoReturn:
        raise ExpressionError(message, self.text, self.column if column is None else column, length)

    # ---------------------------------------------------------------- for functions
    def op(self, op: Op, type_: ValueType, *operands: Value) -> Value:
        return self.builder.emit(op, type_, *(v.register for v in operands), node=self.node)

    def number(self, value: float) -> Value:
        return self.builder.constant(FLOAT, value)

    def part(self, value: Value, index: int) -> Value:
        return Value(FLOAT, value.register + index)

    def gather(self, *parts: Value) -> Value:
        place = self.builder.place(VECTOR if len(parts) == 3 else QUATERNION)
        for offset, component in enumerate(parts):
            self.builder.write(Op.COPY, place.register + offset, component.register, node=self.node)
        return place

    def common(self, values: Sequence[Value]) -> ValueType:
        first = values[0].type
        for value in values[1:]:
            if first.accepts(value.type):
                continue
            if not value.type.accepts(first):
                self.fail(f"{first} and {value.type} do not go together")
            first = value.type
        return first

    # ---------------------------------------------------------------- the tree
    def value(self, node: syntax.Node, expected: ValueType | None = None) -> Value:
        """The place of a node's value; a quoted text takes the expected type."""
        self.column = node.column
        if isinstance(node, syntax.Number):
            if node.whole and node.value <= LARGEST_WHOLE:
                return self.builder.constant(INT, node.value)
            return self.builder.constant(FLOAT, node.value)
        if isinstance(node, syntax.Truth):
            return self.builder.constant(BOOL, float(node.value))
        if isinstance(node, syntax.Text):
            return self.quoted(_Quoted(node.value, node.column), expected)
        if isinstance(node, syntax.Name):
            return self.name(node)
        if isinstance(node, syntax.Member):
            return self.member(node)
        if isinstance(node, syntax.Unary):
            return self.unary(node)
        if isinstance(node, syntax.Binary):
            return self.binary(node)
        return self.call(node)

    def quoted(self, quoted: _Quoted, expected: ValueType | None) -> Value:
        if expected is not None and expected.kind is Kind.ENUM:
            index = self.scope.enum_member(expected.enum, quoted.text)
            if index is None:
                self.fail(
                    f"{quoted.text!r} is not a member of {expected}", quoted.column, len(quoted.text) + 2
                )
            return self.builder.constant(expected, float(index))
        return self.builder.constant(NAME, float(self.scope.name_index(quoted.text)))

    def name(self, node: syntax.Name) -> Value:
        if node.value == "dt":
            return Value(FLOAT, DT)
        if node.value == "pi":
            return self.number(3.141592653589793)
        if node.value in self.scope.reads() and node.value not in self.scope.variables():
            return self.read(node.value, (), node.column)
        found = self.scope.variable(node.value)
        if found is None:
            known = ["dt", "pi", *self.scope.variables()]
            self.unknown("there is no variable", node.value, known, node.column)
        return found

    def unknown(self, what: str, name: str, known: Iterable[str], column: int) -> NoReturn:
        near = difflib.get_close_matches(name[:60], list(islice(known, MOST_COMPARED)), n=3, cutoff=0.5)
        hint = f"; near: {', '.join(near)}" if near else ""
        self.fail(f"{what} {name!r}{hint}", column, len(name))

    def member(self, node: syntax.Member) -> Value:
        value = self.value(node.of)
        if value.type != VECTOR or node.name not in ("x", "y", "z"):
            self.fail(f"{value.type} has no part {node.name!r}: .x, .y and .z are of vectors", node.column)
        return self.part(value, "xyz".index(node.name))

    def unary(self, node: syntax.Unary) -> Value:
        value = self.value(node.operand)
        self.column = node.column
        if node.operator == "not":
            self.require(value, BOOL, "not")
            return self.op(Op.NOT, BOOL, value)
        if not value.type.is_number and value.type != VECTOR:
            self.fail(f"{node.operator} needs a number or a vector, got {value.type}")
        if node.operator == "+":
            return value
        return each(self, [value], lambda emit, v: emit.op(Op.NEGATE, v[0].type, v[0]))

    def require(self, value: Value, type_: ValueType, what: str) -> None:
        if not type_.accepts(value.type):
            self.fail(f"{what} needs {type_}, got {value.type}")

    def pair(self, node: syntax.Binary) -> tuple[Value, Value]:
        """Both operands; a quoted text takes the type of what it is compared with."""
        if isinstance(node.left, syntax.Text):
            right = self.value(node.right)
            return self.value(node.left, right.type), right
        left = self.value(node.left)
        return left, self.value(node.right, left.type)

    def binary(self, node: syntax.Binary) -> Value:
        """A chain such as ``a + b + c`` leans to the left: it is worked off without going deeper for each."""
        chain = [node]
        while isinstance(chain[-1].left, syntax.Binary):
            chain.append(chain[-1].left)
        left: Value | None = None
        for link in reversed(chain):
            left = self.joined(link, left)
        assert left is not None
        return left

    def joined(self, node: syntax.Binary, left: Value | None) -> Value:
        """One operator; its left side where that is known already."""
        if left is None:
            left, right = self.pair(node)
        else:
            right = self.value(node.right, left.type)
        self.column = node.column
        if node.operator in ("and", "or"):
            self.require(left, BOOL, node.operator)
            self.require(right, BOOL, node.operator)
            return self.op(Op.AND if node.operator == "and" else Op.OR, BOOL, left, right)
        if node.operator in syntax.COMPARISONS:
            return self.compare(node.operator, left, right)
        return self.arithmetic(node.operator, left, right)

    def compare(self, operator: str, left: Value, right: Value) -> Value:
        kind = self.common([left, right])
        if kind.width > 1:
            self.fail(f"{kind}s cannot be compared; compare their parts or length()")
        if operator in ("==", "!="):
            return self.op(Op.EQUAL if operator == "==" else Op.NOT_EQUAL, BOOL, left, right)
        if not kind.is_number:
            self.fail(f"{operator} needs numbers, got {kind}")
        if operator in (">", ">="):
            left, right = right, left
        return self.op(Op.LESS if operator in ("<", ">") else Op.LESS_EQUAL, BOOL, left, right)

    def arithmetic(self, operator: str, left: Value, right: Value) -> Value:
        types = (left.type, right.type)
        op = ARITHMETIC[operator]
        if all(t.is_number for t in types):
            whole = types == (INT, INT) and operator not in ("/", "**")
            return self.op(op, INT if whole else FLOAT, left, right)
        if types == (QUATERNION, QUATERNION) and operator == "*":
            return self.op(Op.COMPOSE, QUATERNION, left, right)
        both = types == (VECTOR, VECTOR) and operator in "+-"
        scaled = operator == "*" and VECTOR in types and any(t.is_number for t in types)
        divided = operator == "/" and types[0] == VECTOR and types[1].is_number
        if both or scaled or divided:
            return each(self, [left, right], lambda emit, v: emit.op(op, FLOAT, *v))
        hint = "; dot(a, b) and cross(a, b) multiply vectors" if types == (VECTOR, VECTOR) else ""
        return self.fail(f"{operator} does not go with {left.type} and {right.type}{hint}")

    def call(self, node: syntax.Call) -> Value:
        if node.function == "map":
            return self.map(node)
        function = FUNCTIONS.get(node.function)
        if function is None:
            if node.function not in self.scope.reads():
                known = [*FUNCTIONS, "map", *self.scope.reads()]
                self.unknown("there is no function", node.function, known, node.column)
            return self.read(node.function, node.arguments, node.column)
        arguments = self.arguments(node, function)
        self.column = node.column
        return function.build(self, arguments)

    def arguments(self, node: syntax.Call, function: Function) -> list[Value]:
        wanted = f"{node.function}({', '.join(function.parameters)}{', …' if function.variadic else ''})"
        count, given = len(function.parameters), len(node.arguments)
        if given < count or (given > count and not function.variadic):
            self.fail(f"expected {wanted}, got {given} argument{'' if given == 1 else 's'}", node.column)
        values: list[Value] = []
        for number, argument in enumerate(node.arguments):
            type_ = function.types[min(number, count - 1)]
            value = self.value(argument, type_ or (values[-1].type if values else None))
            if type_ is not None and not type_.accepts(value.type):
                name = function.parameters[min(number, count - 1)]
                self.fail(f"{name} of {wanted} needs {type_}, got {value.type}", argument.column)
            values.append(value)
        self.column = node.column
        self.fitting(node.function, values, function)
        return values

    def fitting(self, name: str, values: Sequence[Value], function: Function) -> None:
        """Refuse what functions that take several types cannot work on."""
        loose = [v for i, v in enumerate(values) if function.types[min(i, len(function.types) - 1)] is None]
        if not loose or name in ("if", "previous", "latch"):
            if name in ("previous", "latch") and loose[0].type.width > (3 if name == "previous" else 1):
                self.fail(f"{name} cannot keep {loose[0].type}")
            return
        vectors = name in ("lerp", "delta", "rate")
        for value in loose:
            if not value.type.is_number and not (vectors and value.type == VECTOR):
                self.fail(f"{name} needs numbers{' or vectors' if vectors else ''}, got {value.type}")
        self.common(loose)

    def map(self, node: syntax.Call) -> Value:
        if len(node.arguments) != 2 or not isinstance(node.arguments[0], syntax.Text):
            self.fail("expected map('name', x)", node.column)
        name = node.arguments[0]
        assert isinstance(name, syntax.Text)
        number = self.scope.track(name.value)
        if number is None:
            self.fail(f"the graph has no map {name.value!r}", name.column, len(name.value) + 2)
        x = self.value(node.arguments[1], FLOAT)
        self.require(x, FLOAT, "map")
        return self.builder.emit(Op.MAP, FLOAT, x.register, node=self.node, c=number)

    def read(self, function: str, arguments: Sequence[syntax.Node], column: int) -> Value:
        texts = []
        for argument in arguments:
            if not isinstance(argument, syntax.Text | syntax.Name):
                self.fail(f"{function} takes names, such as {function}('name')", argument.column)
            texts.append(argument.value)
        try:
            return self.scope.read(function, texts)
        except ExpressionError:
            raise
        except ValidationError as error:
            self.fail(str(error), column, len(function))

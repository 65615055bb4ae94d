"""The syntax of expressions: text to a tree, with columns for errors.

The grammar, loosest first: ``or`` · ``and`` · ``not`` · comparisons (chains as in Python) · ``+ -`` ·
``* / // %`` · unary ``+ -`` · ``**`` (right to left) · ``.x .y .z`` · numbers, 'strings', names, calls.
"""

import math
import re
from dataclasses import dataclass

from core.errors import ValidationError

MOST_CHARACTERS = 2000
MOST_DEPTH = 64


class ExpressionError(ValidationError):
    """An expression that cannot be used.

    Parameters
    ----------
    column : 0-based place in the text where the trouble begins
    length : characters that it covers, at least 1
    """

    def __init__(self, message: str, text: str, column: int, length: int = 1) -> None:
        self.reason, self.text, self.column, self.length = message, text, column, max(length, 1)
        super().__init__(f"{message} (column {column + 1} of {_shortened(text)!r})")


@dataclass(frozen=True, slots=True)
class Number:
    """A literal; whole ones without a point are ints."""

    value: float
    whole: bool
    column: int


@dataclass(frozen=True, slots=True)
class Text:
    """A quoted name."""

    value: str
    column: int


@dataclass(frozen=True, slots=True)
class Truth:
    """``true`` or ``false``."""

    value: bool
    column: int


@dataclass(frozen=True, slots=True)
class Name:
    """A variable, or an enum member as an argument."""

    value: str
    column: int


@dataclass(frozen=True, slots=True)
class Member:
    """``of.x``: one component of a vector."""

    of: "Node"
    name: str
    column: int


@dataclass(frozen=True, slots=True)
class Unary:
    """``-x``, ``+x`` or ``not x``."""

    operator: str
    operand: "Node"
    column: int


@dataclass(frozen=True, slots=True)
class Binary:
    """Two operands and the operator between them; its column is the operator's."""

    operator: str
    left: "Node"
    right: "Node"
    column: int


@dataclass(frozen=True, slots=True)
class Call:
    """A function with its arguments."""

    function: str
    arguments: tuple["Node", ...]
    column: int


Node = Number | Text | Truth | Name | Member | Unary | Binary | Call

COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")
WORDS = ("and", "or", "not", "true", "false")

_TOKEN = re.compile(
    r"\s*(?:(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|(?P<name>[A-Za-z_][A-Za-z_0-9]*)"
    r"|(?P<text>'[^']*'|\"[^\"]*\")|(?P<sign>\*\*|//|<=|>=|==|!=|[-+*/%<>().,]))"
)


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str
    text: str
    column: int


def _shortened(text: str) -> str:
    return text if len(text) <= 60 else f"{text[:57]}..."


def _tokens(text: str) -> list[_Token]:
    found: list[_Token] = []
    at = 0
    end = len(text.rstrip())
    while at < end:
        match = _TOKEN.match(text, at)
        if match is None:
            column = at + len(text[at:]) - len(text[at:].lstrip())
            sign = text[column]
            why = (
                "a quote that is not closed"
                if sign in "'\""
                else f"the character {sign!r} has no meaning here"
            )
            if sign == "=":
                why = "use == to compare"
            raise ExpressionError(why, text, column)
        kind = match.lastgroup
        assert kind is not None
        found.append(_Token(kind, match[kind], match.start(kind)))
        at = match.end()
    found.append(_Token("end", "", len(text)))
    return found


def parse(text: str) -> Node:
    """Parse an expression.

    Raises
    ------
    ExpressionError
        With the column: longer than `MOST_CHARACTERS`, nested deeper than `MOST_DEPTH`, a character, number or
        word that does not belong, a bracket that is not closed, or nothing at all.
    """
    if len(text) > MOST_CHARACTERS:
        why = f"expected at most {MOST_CHARACTERS} characters, got {len(text)}"
        raise ExpressionError(why, text, MOST_CHARACTERS)
    return _Parser(text).whole()


class _Parser:
    """Recursive descent over the tokens; every level of nesting is counted."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = _tokens(text)
        self.at = 0
        self.depth = 0

    @property
    def token(self) -> _Token:
        return self.tokens[self.at]

    def error(self, message: str, token: _Token | None = None) -> ExpressionError:
        where = token or self.token
        return ExpressionError(message, self.text, where.column, len(where.text))

    def take(self) -> _Token:
        token = self.token
        self.at += token.kind != "end"
        return token

    def accept(self, *texts: str) -> _Token | None:
        return self.take() if self.token.kind in ("sign", "name") and self.token.text in texts else None

    def expect(self, text: str, after: str) -> None:
        if self.accept(text) is None:
            got = repr(self.token.text) if self.token.text else "the end"
            raise self.error(f"expected {text!r} {after}, got {got}")

    def whole(self) -> Node:
        if self.token.kind == "end":
            raise self.error("the expression is empty")
        node = self.either()
        if self.token.kind != "end":
            raise self.error(f"expected an operator or the end, got {self.token.text!r}")
        return node

    def deeper(self) -> None:
        self.depth += 1
        if self.depth > MOST_DEPTH:
            raise self.error(f"nested deeper than {MOST_DEPTH} levels")

    def either(self) -> Node:
        self.deeper()
        node = self.both()
        while token := self.accept("or"):
            node = Binary("or", node, self.both(), token.column)
        self.depth -= 1
        return node

    def both(self) -> Node:
        node = self.negated()
        while token := self.accept("and"):
            node = Binary("and", node, self.negated(), token.column)
        return node

    def negated(self) -> Node:
        if token := self.accept("not"):
            self.deeper()
            node = Unary("not", self.negated(), token.column)
            self.depth -= 1
            return node
        return self.compared()

    def compared(self) -> Node:
        left = self.sum()
        result: Node | None = None
        while token := self.accept(*COMPARISONS):
            right = self.sum()
            link = Binary(token.text, left, right, token.column)
            result = link if result is None else Binary("and", result, link, token.column)
            left = right
        return left if result is None else result

    def sum(self) -> Node:
        node = self.product()
        while token := self.accept("+", "-"):
            node = Binary(token.text, node, self.product(), token.column)
        return node

    def product(self) -> Node:
        node = self.signed()
        while token := self.accept("*", "/", "//", "%"):
            node = Binary(token.text, node, self.signed(), token.column)
        return node

    def signed(self) -> Node:
        if token := self.accept("-", "+"):
            self.deeper()
            node = Unary(token.text, self.signed(), token.column)
            self.depth -= 1
            return node
        return self.power()

    def power(self) -> Node:
        node = self.member()
        if token := self.accept("**"):
            self.deeper()
            node = Binary("**", node, self.signed(), token.column)
            self.depth -= 1
        return node

    def member(self) -> Node:
        node = self.primary()
        while self.accept("."):
            token = self.take()
            if token.kind != "name":
                raise self.error("expected x, y or z after the point", token)
            node = Member(node, token.text, token.column)
        return node

    def primary(self) -> Node:
        token = self.take()
        if token.kind == "number":
            return self.number(token)
        if token.kind == "text":
            return Text(token.text[1:-1], token.column)
        if token.kind == "name" and token.text in ("true", "false"):
            return Truth(token.text == "true", token.column)
        if token.kind == "name" and token.text not in WORDS:
            return self.call(token) if self.accept("(") else Name(token.text, token.column)
        if token.text == "(":
            node = self.either()
            self.expect(")", "to close the bracket")
            return node
        got = repr(token.text) if token.text else "the end"
        raise self.error(f"expected a value, got {got}", token)

    def number(self, token: _Token) -> Number:
        value = float(token.text)
        if not math.isfinite(value):
            raise self.error(f"the number {token.text} is too large", token)
        return Number(value, token.text.isdigit(), token.column)

    def call(self, token: _Token) -> Call:
        arguments: list[Node] = []
        if self.accept(")"):
            return Call(token.text, (), token.column)
        while True:
            arguments.append(self.either())
            if self.accept(")"):
                return Call(token.text, tuple(arguments), token.column)
            self.expect(",", f"or ')' in the arguments of {token.text}")

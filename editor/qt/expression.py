"""What a person may type into a number field: numbers, sums, and changes relative to what stands there.

A small parser of its own; nothing is ever executed.
"""

import math
import re
from collections.abc import Callable, Mapping

from core.errors import ValidationError
from editor.model.i18n import tr

UNITS: Mapping[str, Mapping[str, float]] = {
    "m": {"m": 1.0, "cm": 0.01, "mm": 0.001, "km": 1000.0, "in": 0.0254, "ft": 0.3048},
    "°": {"°": 1.0, "deg": 1.0, "rad": 180.0 / math.pi, "turn": 360.0},
    "s": {"s": 1.0, "ms": 0.001, "min": 60.0},
    "%": {"%": 1.0},
}
"""For each unit a field may have: the units understood after a number, in terms of the field's."""

FUNCTIONS: Mapping[str, Callable[[float], float]] = {
    "sin": lambda x: math.sin(math.radians(x)),
    "cos": lambda x: math.cos(math.radians(x)),
    "tan": lambda x: math.tan(math.radians(x)),
    "asin": lambda x: math.degrees(math.asin(x)),
    "acos": lambda x: math.degrees(math.acos(x)),
    "atan": lambda x: math.degrees(math.atan(x)),
    "sqrt": math.sqrt,
    "abs": abs,
    "round": lambda x: float(round(x)),
}
CONSTANTS: Mapping[str, float] = {"pi": math.pi, "tau": math.tau, "e": math.e}

_TOKEN = re.compile(
    r"\s*(?:(\d+[.]?\d*(?:[eE][+-]?\d+)?|[.]\d+(?:[eE][+-]?\d+)?)|(\*\*|[-+*/^()%°])|([A-Za-z]+))"
)
_RELATIVE = re.compile(r"\s*([-+*/])=|\s*([+*/])")
MAX_LETTERS = 200


def evaluate(text: str, current: float | None = None, unit: str = "") -> float:
    """The value that `text` asks for.

    ``12.5`` and ``=12.5`` are the value itself; ``+3``, ``*2``, ``/2`` and ``-=3`` change the current
    one (``-3`` is the number). Sums, powers, brackets, ``pi``, sines in degrees and units (``12 cm``)
    are understood; a comma is a decimal point.

    Raises
    ------
    ValidationError
        Saying what could not be read.
    """
    if len(text) > MAX_LETTERS:
        raise ValidationError(tr("That is too long for a number."))
    cleaned = text.replace(",", ".").replace("−", "-").replace("×", "*").replace("÷", "/").strip()
    if cleaned.startswith("="):
        return _finite(_Parser(cleaned[1:], unit).whole(), text)
    relative = _RELATIVE.match(cleaned)
    if relative is None:
        return _finite(_Parser(cleaned, unit).whole(), text)
    sign = relative.group(1) or relative.group(2)
    amount = _Parser(cleaned[relative.end() :], unit).whole()
    if current is None:
        raise ValidationError(tr("The values differ; type the new value instead."))
    if sign == "/" and amount == 0.0:
        raise ValidationError(tr("Cannot divide by zero."))
    changed = {
        "+": lambda: current + amount,
        "-": lambda: current - amount,
        "*": lambda: current * amount,
        "/": lambda: current / amount,
    }[sign]()
    return _finite(changed, text)


def _finite(value: float, text: str) -> float:
    if not math.isfinite(value) or abs(value) > 1e12:
        raise ValidationError(tr("{text!r} is too large.", text=text))
    return value


class _Parser:
    """Recursive descent over sums, products, powers and atoms."""

    def __init__(self, text: str, unit: str) -> None:
        self.units = UNITS.get(unit, {})
        self.text = text
        self.tokens = self._split(text)
        self.place = 0

    def _split(self, text: str) -> list[str]:
        tokens, place = [], 0
        end = len(text.rstrip())
        while place < end:
            match = _TOKEN.match(text, place)
            if match is None:
                raise ValidationError(tr("Cannot read {text!r}.", text=text[place:].strip()))
            tokens.append(match.group().strip())
            place = match.end()
        return tokens

    def whole(self) -> float:
        if not self.tokens:
            raise ValidationError(tr("Type a number, such as 12.5, +3 or *2."))
        try:
            value = self.sum()
        except (ValueError, OverflowError) as error:
            raise ValidationError(tr("{text!r} has no value.", text=self.text)) from error
        if self.place < len(self.tokens):
            raise ValidationError(tr("Cannot read {text!r}.", text=self.tokens[self.place]))
        return value

    def peek(self) -> str:
        return self.tokens[self.place] if self.place < len(self.tokens) else ""

    def take(self) -> str:
        token = self.peek()
        self.place += 1
        return token

    def sum(self) -> float:
        value = self.product()
        while self.peek() in ("+", "-"):
            value = value + self.product() if self.take() == "+" else value - self.product()
        return value

    def product(self) -> float:
        value = self.signed()
        while self.peek() in ("*", "/"):
            if self.take() == "*":
                value *= self.signed()
            else:
                divisor = self.signed()
                if divisor == 0.0:
                    raise ValidationError(tr("Cannot divide by zero."))
                value /= divisor
        return value

    def signed(self) -> float:
        if self.peek() in ("+", "-"):
            return -self.signed() if self.take() == "-" else self.signed()
        return self.power()

    def power(self) -> float:
        base = self.atom()
        if self.peek() in ("^", "**"):
            self.take()
            value = base ** self.signed()
            if isinstance(value, complex):
                raise ValueError("not a real number")
            return float(value)
        return base

    def atom(self) -> float:
        token = self.take()
        if token == "(":
            value = self.sum()
            if self.take() != ")":
                raise ValidationError(tr("A closing bracket is missing."))
            return value
        if token and (token[0].isdigit() or token[0] == "."):
            value = float(token)
            return value * self.units[self.take()] if self.peek() in self.units else value
        if token in FUNCTIONS:
            if self.peek() != "(":
                raise ValidationError(tr("{name} needs brackets, such as {name}(30).", name=token))
            return float(FUNCTIONS[token](self.atom()))
        if token in CONSTANTS:
            return CONSTANTS[token]
        if not token:
            raise ValidationError(tr("Something is missing at the end."))
        raise ValidationError(tr("Cannot read {text!r}.", text=token))


def shown(value: float, decimals: int) -> str:
    """A number for reading: fixed decimals, a real minus, no minus on zero."""
    text = f"{value:.{decimals}f}"
    if float(text) == 0.0:
        text = text.lstrip("-")
    return text.replace("-", "−")


def typed(value: float, decimals: int) -> str:
    """A number for editing: as many digits as matter, no trailing zeros."""
    text = f"{value:.{decimals + 3}f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text

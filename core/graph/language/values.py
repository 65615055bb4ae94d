"""Types of values in a graph, and where a value lies."""

from dataclasses import dataclass
from enum import StrEnum


class Kind(StrEnum):
    """What a value is. All are held as float64 numbers; names and enum members by their index."""

    BOOL = "bool"
    INT = "int"
    FLOAT = "float"
    VECTOR = "vector"
    QUATERNION = "quaternion"
    NAME = "name"
    ENUM = "enum"


WIDTHS = {Kind.VECTOR: 3, Kind.QUATERNION: 4}
"""Numbers that a value takes, where that is not one."""

LARGEST_WHOLE = 2.0**53
"""Whole numbers up to this are exact in float64."""


@dataclass(frozen=True, slots=True)
class ValueType:
    """A kind, and for an enum its name."""

    kind: Kind
    enum: str = ""

    @property
    def width(self) -> int:
        """How many numbers it takes."""
        return WIDTHS.get(self.kind, 1)

    @property
    def is_number(self) -> bool:
        """Whether it is an int or a float."""
        return self.kind in (Kind.INT, Kind.FLOAT)

    def accepts(self, other: "ValueType") -> bool:
        """Whether a value of another type may stand here: the same type, or an int for a float."""
        return self == other or (self.kind is Kind.FLOAT and other.kind is Kind.INT)

    def __str__(self) -> str:
        return f"enum {self.enum}" if self.kind is Kind.ENUM else self.kind.value


BOOL = ValueType(Kind.BOOL)
INT = ValueType(Kind.INT)
FLOAT = ValueType(Kind.FLOAT)
VECTOR = ValueType(Kind.VECTOR)
QUATERNION = ValueType(Kind.QUATERNION)
NAME = ValueType(Kind.NAME)


def resting(type_: ValueType | None) -> str:
    """The expression of a pin of some type into which nothing was typed; None is any type."""
    if type_ is None:
        return "0"
    return {
        Kind.BOOL: "false",
        Kind.VECTOR: "vec(0, 0, 0)",
        Kind.QUATERNION: "axis_angle(vec(0, 1, 0), 0)",
    }.get(type_.kind, "0")


@dataclass(frozen=True, slots=True)
class Value:
    """A typed value in the register file: `register` is the first of its `type.width` numbers."""

    type: ValueType
    register: int

"""Checked access to parsed JSON: every error names the place, as ``nodes[3].translation``."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from core.arrays import FloatArray
from core.errors import FormatError

T = TypeVar("T")


class Value:
    """A JSON value that knows its file and its place in it."""

    __slots__ = ("data", "file", "place")

    def __init__(self, data: Any, place: str, file: Path) -> None:
        self.data = data
        self.place = place
        self.file = file

    def error(self, reason: str, key: str = "", hint: str = "") -> FormatError:
        """An error at this place, or at one of its members."""
        return FormatError(self.file, self._place(key), reason, hint)

    def _place(self, key: str) -> str:
        return f"{self.place}.{key}" if key and self.place else key or self.place

    def has(self, key: str) -> bool:
        """Whether a member is there and not null."""
        return self.data.get(key) is not None

    def object(self, key: str) -> "Value":
        """A member that is an object; an absent one is empty."""
        data = self.data.get(key)
        if data is None:
            data = {}
        if not isinstance(data, dict):
            raise self.error(f"expected an object, got {_kind(data)}", key)
        return Value(data, self._place(key), self.file)

    def items(self, key: str) -> list[Any]:
        """A member that is a list; an absent one is empty."""
        data = self.data.get(key)
        if data is None:
            return []
        if not isinstance(data, list):
            raise self.error(f"expected a list, got {_kind(data)}", key)
        return data

    def objects(self, key: str) -> list["Value"]:
        """The members of a list of objects."""
        items = self.items(key)
        place = self._place(key)
        for number, item in enumerate(items):
            if not isinstance(item, dict):
                raise FormatError(self.file, f"{place}[{number}]", f"expected an object, got {_kind(item)}")
        return [Value(item, f"{place}[{number}]", self.file) for number, item in enumerate(items)]

    def integer(self, key: str, default: int | None = None, below: int | None = None, least: int = 0) -> int:
        """A whole number from `least` up, below `below` where given."""
        data = self.data.get(key)
        if data is None:
            if default is None:
                raise self.error("expected a number, it is missing", key)
            return default
        if isinstance(data, float) and data.is_integer():
            data = int(data)
        if isinstance(data, bool) or not isinstance(data, int):
            raise self.error(f"expected a whole number, got {_kind(data)}", key)
        if data < least or (below is not None and data >= below):
            upper = f"{least} to {below - 1}" if below is not None else f"{least} or more"
            raise self.error(
                f"expected {upper if below != 0 else 'nothing: none are there'}, got {data}", key
            )
        return data

    def reference(self, key: str, count: int) -> int | None:
        """An index below `count`, or None where absent."""
        return self.integer(key, below=count) if self.has(key) else None

    def indices(self, key: str, count: int) -> list[int]:
        """A list of indices below `count`."""
        items = self.items(key)
        for number, item in enumerate(items):
            if isinstance(item, bool) or not isinstance(item, int) or not 0 <= item < count:
                raise self.error(f"expected 0 to {count - 1}, got {item!r}"[:120], f"{key}[{number}]")
        return items

    def text(self, key: str, default: str | None = None) -> str:
        """A string."""
        data = self.data.get(key)
        if data is None:
            if default is None:
                raise self.error("expected text, it is missing", key)
            return default
        if not isinstance(data, str):
            raise self.error(f"expected text, got {_kind(data)}", key)
        return data

    def number(self, key: str, default: float) -> float:
        """A finite number."""
        data = self.data.get(key)
        if data is None:
            return default
        return self.number_of(data, key)

    def number_of(self, data: Any, key: str) -> float:
        """A finite number somewhere in the value of `key`."""
        return float(self._floats([data], 1, key)[0])

    def floats(self, key: str, count: int | None, default: list[float] | None = None) -> FloatArray:
        """Finite numbers, `count` of them where given."""
        data = self.data.get(key)
        if data is None:
            if default is None:
                raise self.error("expected numbers, they are missing", key)
            return np.array(default)
        return self._floats(data, count, key)

    def _floats(self, data: Any, count: int | None, key: str) -> FloatArray:
        if not isinstance(data, list) or any(
            isinstance(x, bool) or not isinstance(x, int | float) for x in data
        ):
            raise self.error(f"expected {count or 'a list of'} numbers, got {_kind(data)}", key)
        if count is not None and len(data) != count:
            raise self.error(f"expected {count} numbers, got {len(data)}", key)
        try:
            array = np.array(data, dtype=np.float64)
        except OverflowError:
            raise self.error("expected finite numbers, got one beyond all measure", key) from None
        if not np.isfinite(array).all():
            raise self.error(f"expected finite numbers, got {array[~np.isfinite(array)][0]}", key)
        return array

    def flag(self, key: str) -> bool:
        """True or false; an absent one is false."""
        data = self.data.get(key)
        if data is not None and not isinstance(data, bool):
            raise self.error(f"expected true or false, got {_kind(data)}", key)
        return bool(data)

    def texts(self, key: str) -> tuple[str, ...]:
        """A list of strings; an absent one is empty."""
        items = self.items(key)
        for number, item in enumerate(items):
            if not isinstance(item, str):
                raise self.error(f"expected text, got {_kind(item)}", f"{key}[{number}]")
        return tuple(items)

    def mapping(self, key: str) -> dict[str, "Value"]:
        """The members of an object of objects."""
        whole = self.object(key)
        for name, item in whole.data.items():
            if not isinstance(item, dict):
                raise whole.error(f"expected an object, got {_kind(item)}", name[:60])
        return {
            name: Value(item, f"{whole.place}.{name[:60]}", self.file) for name, item in whole.data.items()
        }

    def numbers(self, key: str) -> dict[str, float]:
        """The members of an object of finite numbers."""
        whole = self.object(key)
        return {name: whole.number(name, 0.0) for name in whole.data}

    def choice(self, key: str, known: Mapping[str, T]) -> T:
        """The meaning of a word."""
        word = self.text(key)
        if word not in known:
            raise self.error(f"expected one of {', '.join(known)}, got {word[:40]!r}", key)
        return known[word]

    def required(self, key: str) -> Any:
        """A member of any kind that must be there."""
        if key not in self.data:
            raise self.error("it is missing", key)
        return self.data[key]

    def names(self) -> Iterator[str]:
        """Names of the members."""
        return iter(self.data)


def _kind(data: Any) -> str:
    if isinstance(data, str):
        return f"text {data[:40]!r}"
    if isinstance(data, dict):
        return "an object"
    if isinstance(data, list):
        return f"a list of {len(data)}"
    return repr(data)[:40]

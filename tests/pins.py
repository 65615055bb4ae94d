"""Results of many cases, held against a file that was looked through.

    PINS = Pins(__file__)                     # test_setting.py: beside it lies test_setting_pins.txt
    PINS.hold("linear, before the first key", result)

A line of the file is ``case | words | number``: words are all that is exact (shapes, names, flags, counts; a checksum
where they are many), the number is a sum of all real numbers, each by a factor of its own. Where a result changes on
purpose, run the tests with ``POSEWRIGHT_APPROVE=1`` and look at what changes in the file.
"""

import os
import zlib
from collections.abc import Callable, Iterator, Mapping, Set
from contextlib import contextmanager
from dataclasses import fields, is_dataclass
from enum import Enum
from pathlib import Path
from typing import Any

import numpy as np

APPROVE = "POSEWRIGHT_APPROVE"
LONG = 150
"""Characters of words beyond which a checksum stands for the rest."""
NEAR = 1e-8
"""Share of the numbers' size by which a sum may be off: processors round differently."""


class Pins:
    """The cases of one test file; made at its head.

    Parameters
    ----------
    near : share of the numbers' size by which a sum may be off; solvers stop within a tolerance of their own
    """

    def __init__(self, test: str, near: float = NEAR) -> None:
        path = Path(test)
        self.near = near
        self.path = path.with_name(f"{path.stem}_pins.txt")
        self._known: dict[str, tuple[str, str]] | None = None

    def hold(self, case: str, *results: object) -> None:
        """The results of a case must be those of the file.

        Parameters
        ----------
        results : numbers, texts, arrays, and tuples, mappings and dataclasses of them
        """
        words: list[str] = []
        numbers: list[np.ndarray] = []
        for result in results:
            for part in _parts(result):
                if isinstance(part, str):
                    words.append(part)
                else:
                    numbers.append(part)
        text = " ".join(words).replace("|", "/").replace("\n", "/")
        if len(text) > LONG:
            text = f"{text[:LONG]}… {zlib.crc32(text.encode()):08x}"
        values = np.concatenate(numbers) if numbers else np.zeros(0)
        total = float(_factors(len(values)) @ values)
        known = self._read()
        if os.environ.get(APPROVE):
            if case not in known or not _same(known[case], text, total, values, self.near):
                known[case] = text, f"{total:.10g}"
                lines = [f"{name} | {told} | {number}\n" for name, (told, number) in sorted(known.items())]
                self.path.write_text("".join(lines), encoding="utf-8")
            return
        assert case in known, f"{self.path.name} has no line “{case}”: {APPROVE}=1 writes it"
        assert _same(known[case], text, total, values, self.near), (
            f"{self.path.name}, “{case}”: {text} | {total:.10g} is not {' | '.join(known[case])}"
        )

    @contextmanager
    def together(self, case: str) -> Iterator[Callable[..., None]]:
        """One line for the results of many cases that are alike, in their order."""
        noted: list[object] = []
        yield lambda *results: noted.extend(results)
        self.hold(case, *noted)

    def _read(self) -> dict[str, tuple[str, str]]:
        if self._known is None:
            self._known = {}
            if self.path.exists():
                for line in self.path.read_text(encoding="utf-8").splitlines():
                    case, words, number = line.split(" | ")
                    self._known[case] = words, number
        return self._known


def _same(known: tuple[str, str], words: str, total: float, values: np.ndarray, share: float) -> bool:
    near = share * (1.0 + float(np.abs(values).sum())) + 1e-9 * abs(total)
    return known[0].strip() == words.strip() and abs(float(known[1]) - total) <= near


def _factors(count: int) -> np.ndarray:
    """Factors between 1 and 2 in size, of both signs: what changes places or signs changes the sum."""
    n = np.arange(1.0, count + 1.0)
    return np.where(np.cos(2.3 * n) < 0.0, -1.0, 1.0) * (1.0 + np.abs(np.sin(n)))


def _parts(value: Any) -> Iterator[str | np.ndarray]:
    """Exact words and real numbers of anything."""
    if isinstance(value, Enum):
        yield value.name
    elif value is None or isinstance(value, bool | int | str | bytes | np.bool_ | np.integer):
        yield str(value)
    elif isinstance(value, float | np.floating):
        yield from _real(np.array([float(value)]))
    elif isinstance(value, np.ndarray):
        yield "x".join(map(str, value.shape)) or "-"
        if value.dtype.kind in "f":
            yield from _real(value.ravel().astype(np.float64))
        else:
            yield ",".join(map(str, value.ravel().tolist()))
    elif is_dataclass(value) and not isinstance(value, type):
        yield type(value).__name__
        for field in fields(value):
            yield from _parts(getattr(value, field.name))
    elif isinstance(value, Mapping):
        yield f"{{{len(value)}"
        for key in value:
            yield from _parts(key)
            yield from _parts(value[key])
    elif isinstance(value, Set):
        yield f"{{{','.join(sorted(map(str, value)))}"
    elif isinstance(value, Iterator | list | tuple):
        listed = list(value)
        yield f"[{len(listed)}"
        for part in listed:
            yield from _parts(part)
    else:
        raise TypeError(f"no pin is written for a {type(value).__name__}: give its parts")


def _real(numbers: np.ndarray) -> Iterator[str | np.ndarray]:
    odd = ~np.isfinite(numbers)
    if odd.any():
        yield "odd " + ",".join(f"{k}:{numbers[k]}" for k in np.flatnonzero(odd))
        numbers = np.where(odd, 0.0, numbers)
    yield numbers

"""Rows of the judge's table: what was measured, against what, and where it was worst."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from core.arrays import FloatArray

Samples = tuple[FloatArray, FloatArray, str]
"""Values ``(N,)``, the seconds ``(N,)`` of the course they are of, and the section."""


@dataclass(frozen=True, slots=True)
class Row:
    """One measure.

    Parameters
    ----------
    measure : what, such as ``"facing error, moving"``
    case : which gait or part of the course, or ""
    unit : of every number
    target : limits by statistic (``"mean"``, ``"p95"``, ``"worst"``), empty where there is none
    mean, p95, worst : over its samples; all the same where there is one
    at : seconds of the course of the worst; None where it is not of the course
    place : the section of the worst, or ""
    count : how many samples
    """

    measure: str
    case: str
    unit: str
    target: tuple[tuple[str, float], ...]
    mean: float
    p95: float
    worst: float
    at: float | None = None
    place: str = ""
    count: int = 1

    @property
    def met(self) -> bool:
        """Whether every limit holds, to a hair for rounding."""
        return all(getattr(self, name) <= limit * (1.0 + 1e-9) + 1e-12 for name, limit in self.target)

    def values(self) -> dict[str, Any]:
        """As plain values."""
        return {**asdict(self), "target": dict(self.target), "met": self.met}


def single(measure: str, case: str, unit: str, value: float, limit: float) -> Row:
    """A row of one number with a limit."""
    return Row(measure, case, unit, (("worst", limit),), value, value, value)


def over(
    measure: str,
    case: str,
    unit: str,
    target: Sequence[tuple[str, float]],
    samples: Sequence[Samples],
) -> Row | None:
    """A row over samples ``(N,)`` with their seconds ``(N,)`` and section, part by part; None where there is none."""
    kept = [part for part in samples if len(part[0])]
    if not kept:
        return None
    values, times = np.concatenate([part[0] for part in kept]), np.concatenate([part[1] for part in kept])
    places = np.repeat(np.arange(len(kept)), [len(part[0]) for part in kept])
    worst = int(np.argmax(values))
    return Row(
        measure, case, unit, tuple(target), float(values.mean()), float(np.percentile(values, 95.0)),
        float(values[worst]), float(times[worst]), kept[places[worst]][2], len(values),
    )  # fmt: skip


def table(rows: Sequence[Row]) -> str:
    """Rows as aligned text, one a line."""
    head = ("measure", "case", "mean", "p95", "worst", "at", "target", "")
    body = [head, *(_cells(row) for row in rows)]
    widths = [max(len(line[k]) for line in body) for k in range(len(head))]
    return "\n".join(
        "  ".join(cell.ljust(w) for cell, w in zip(line, widths, strict=True)).rstrip() for line in body
    )


def _cells(row: Row) -> tuple[str, ...]:
    at = "" if row.at is None else f"{row.at:.2f} s {row.place}"
    limits = ", ".join(f"{name} ≤ {limit:.4g}" for name, limit in row.target)
    told = "" if not row.target else ("met" if row.met else "MISSED")
    mean, p95, worst = (f"{x:.4g} {row.unit}" for x in (row.mean, row.p95, row.worst))
    if row.count == 1:
        mean = p95 = ""
    return row.measure, row.case, mean, p95, worst, at, limits, told


def compared(named: Mapping[str, Sequence[Row]]) -> str:
    """The rows of several runs beside each other, one measure a line: what its limits are on, ``!`` where missed."""
    keys = list(dict.fromkeys((row.measure, row.case) for rows in named.values() for row in rows))
    found = [{(row.measure, row.case): row for row in rows} for rows in named.values()]
    head = ("measure", "case", *named, "target")
    body = [head]
    for key in keys:
        rows = [one.get(key) for one in found]
        some = next(row for row in rows if row is not None)
        limits = ", ".join(f"{name} ≤ {limit:.4g} {some.unit}" for name, limit in some.target)
        body.append((*key, *(_short(row) for row in rows), limits))
    widths = [max(len(line[k]) for line in body) for k in range(len(head))]
    return "\n".join(
        "  ".join(cell.ljust(w) for cell, w in zip(line, widths, strict=True)).rstrip() for line in body
    )


def _short(row: Row | None) -> str:
    """The figures of a row that its limits are on, its worst where it has none."""
    if row is None:
        return "–"
    names = [name for name, _ in row.target] or ["worst"]
    figures = " / ".join(f"{getattr(row, name):.4g}" for name in names)
    return figures if row.met else f"{figures} !"

"""The judge's rows of several ways to drive a character, side by side."""

from collections.abc import Mapping, Sequence

from core.locomotion.judge.rows import Row


def beside(made: Mapping[str, Sequence[Row]]) -> str:
    """Rows as aligned text, one measure a line, each way's figures in columns of its own.

    A way's column says its mean, p95 and worst; a row of one number says that. ``*`` marks a target that is missed.
    """
    ways = list(made)
    found = {way: {(row.measure, row.case): row for row in rows} for way, rows in made.items()}
    keys = dict.fromkeys(key for way in ways for key in found[way])
    head = ("measure", "case", "unit", *(f"{way}: mean p95 worst" for way in ways), "target", "better")
    lines = [head]
    for key in keys:
        rows = [found[way].get(key) for way in ways]
        any_row = next(row for row in rows if row is not None)
        target = ", ".join(f"{name} ≤ {limit:.4g}" for name, limit in any_row.target)
        lines.append((*key, any_row.unit, *(_figures(row) for row in rows), target, _better(ways, rows)))
    widths = [max(len(line[k]) for line in lines) for k in range(len(head))]
    return "\n".join(
        "  ".join(cell.ljust(w) for cell, w in zip(line, widths, strict=True)).rstrip() for line in lines
    )


def _figures(row: Row | None) -> str:
    if row is None:
        return "-"
    missed = "" if row.met else " *"
    if row.count == 1:
        return f"{row.worst:.4g}{missed}"
    return f"{row.mean:.4g} {row.p95:.4g} {row.worst:.4g}{missed}"


def _better(ways: Sequence[str], rows: Sequence[Row | None]) -> str:
    """The way that is lower in what the target asks for first, by a per cent at least; where all are there."""
    there = [row for row in rows if row is not None]
    if len(there) < len(ways) or len(ways) < 2:
        return ""
    what = there[0].target[0][0] if there[0].target else "mean"
    values = [float(getattr(row, what)) for row in there]
    low, second = sorted(values)[:2]
    return ways[values.index(low)] if second - low > 0.01 * max(second, 1e-9) else "equal"


__all__ = ["beside"]

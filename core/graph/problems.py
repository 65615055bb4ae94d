"""What is wrong with a graph: everything at once, each with its place and what to do."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.errors import ValidationError


@dataclass(frozen=True, slots=True)
class Problem:
    """One fault of a graph.

    Parameters
    ----------
    message : what is wrong and what to do
    sheet, node : ids of its place, or ""
    pin : the input that it concerns, or ""
    column : 0-based place in an expression, or −1
    warning : whether the graph can be run all the same
    """

    message: str
    sheet: str = ""
    node: str = ""
    pin: str = ""
    column: int = -1
    warning: bool = False

    def __str__(self) -> str:
        place = " / ".join(part for part in (self.sheet, self.node, self.pin) if part)
        return f"{place}: {self.message}" if place else self.message


class GraphError(ValidationError):
    """A graph that cannot be run; `problems` lists everything that is wrong with it."""

    def __init__(self, name: str, problems: Sequence[Problem]) -> None:
        self.problems = tuple(problems)
        faults = [problem for problem in problems if not problem.warning]
        more = f" (and {len(faults) - 1} more)" if len(faults) > 1 else ""
        super().__init__(f"graph {name!r}: {faults[0]}{more}")

"""What a run is given: values of variables, and paths of inputs that are played back."""

import csv
import io
import json
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from core.errors import FormatError
from core.graph.graph import Graph, Variable
from core.graph.instance import InputValue
from core.graph.record import Step
from core.ids import AssetId
from core.io.common.atomic import write_atomic
from editor.model.i18n import tr

NEAR = 1e-7
"""Seconds within which two times are one."""
BEFORE = -1.0
"""A start from which on a path gives what it has at 0 s."""


@dataclass(frozen=True, slots=True)
class InputPath:
    """Inputs over time.

    Parameters
    ----------
    entries : seconds, rising, each with the variables written then
    length : seconds after which it begins again
    """

    entries: tuple[tuple[float, Mapping[str, InputValue]], ...]
    length: float

    @property
    def names(self) -> tuple[str, ...]:
        """The variables that it writes."""
        return tuple(dict.fromkeys(name for _, values in self.entries for name in values))

    def due(self, start: float, end: float) -> dict[str, InputValue]:
        """What is written after `start` up to `end`, over the seams of its turns; at 0 s with a start below 0."""
        found: dict[str, InputValue] = {}
        if not self.entries:
            return found
        turn = int(max(start, 0.0) // self.length) if self.length > 0.0 else 0
        while True:
            base = turn * self.length
            first = bisect_right(self.entries, start - base + NEAR, key=lambda entry: entry[0])
            if start < base - NEAR or start < -NEAR:
                first = 0
            last = bisect_right(self.entries, end - base + NEAR, key=lambda entry: entry[0])
            for _, values in self.entries[first:last]:
                found.update(values)
            turn += 1
            if self.length <= 0.0 or turn * self.length > end + NEAR:
                return found


def path_of(steps: Sequence[Step], first: int, last: int) -> InputPath:
    """The inputs that steps from `first` up to (not with) `last` were given, each at its step's end.

    The first step ends at 0 s.
    """
    time, entries = 0.0, []
    for number, step in enumerate(steps[first:last]):
        time += step.dt if number else 0.0
        if step.inputs:
            # What was set while it was paused counts from the next step on.
            entries.append((time if step.dt > 0.0 or not number else time + 10.0 * NEAR, dict(step.inputs)))
    return InputPath(tuple(entries), time)


def read_path(path: Path) -> InputPath:
    """Inputs from a CSV or JSON file, as of ``posewright graph run --inputs``.

    Raises
    ------
    FormatError
        What is wrong, and where; or that the file has no inputs.
    """
    from core.graph.script import read_script

    script = read_script(path)
    entries = tuple(sorted(script.inputs, key=lambda entry: entry[0]))
    if not entries:
        raise FormatError(path, "", tr("it has no inputs"))
    return InputPath(entries, max(script.seconds or 0.0, entries[-1][0]))


def write_path(path: InputPath, file: Path) -> None:
    """Write inputs as CSV, or as JSON by the name's extension, so that `read_path` and the command line read them."""
    if file.suffix.lower() == ".json":
        data = {
            "seconds": path.length,
            "inputs": [{"time": time, **_plain(values)} for time, values in path.entries],
        }
        write_atomic(file, json.dumps(data, indent=1).encode())
        return
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(["time", *path.names])
    for time, values in path.entries:
        rows.writerow([f"{time:.9g}", *(_cell(values.get(name)) for name in path.names)])
    write_atomic(file, text.getvalue().encode())


def fits(variable: Variable, value: InputValue) -> bool:
    """Whether a value is a vector where the variable is one, and a single value where it is none.

    What was set or recorded may be of before the variable became one of another kind.
    """
    return (np.ndim(value) == 0) == (len(variable.default) == 1)


def _plain(values: Mapping[str, InputValue]) -> dict[str, object]:
    return {
        name: value if isinstance(value, bool | int | float | str) else [float(x) for x in value]
        for name, value in values.items()
    }


def _cell(value: InputValue | None) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return value
    return f"{value:.9g}" if isinstance(value, int | float) else " ".join(f"{float(x):.9g}" for x in value)


class Inputs:
    """The values that were set by hand, and the path that is played.

    They belong to the session, not to the document: a graph's own defaults stay as they are.
    """

    def __init__(self) -> None:
        self._values: dict[tuple[AssetId, str], InputValue] = {}
        self._due: dict[str, InputValue] = {}
        self.path: InputPath | None = None

    def value(self, graph: Graph, variable: Variable) -> InputValue:
        """What a variable was set to; its default where nobody set it."""
        default = variable.default if len(variable.default) > 1 else variable.default[0]
        held = self._values.get((graph.id, variable.name), default)
        return held if fits(variable, held) else default

    def set(self, graph: Graph, name: str, value: InputValue, *, keep: bool = True) -> None:
        """Write a variable in the next step; `keep` remembers it for later runs."""
        if keep:
            self._values[graph.id, name] = value
        self._due[name] = value

    def rename(self, graph: AssetId, old: str, new: str) -> None:
        """A variable has another name."""
        if (graph, old) in self._values:
            self._values[graph, new] = self._values.pop((graph, old))
        if old in self._due:
            self._due[new] = self._due.pop(old)

    def all_set(self, graphs: Sequence[Graph]) -> dict[str, InputValue]:
        """Everything that was set for some graphs, for the first step of a run."""
        self._due.clear()
        return {
            variable.name: self._values[graph.id, variable.name]
            for graph in reversed(graphs)
            for variable in graph.variables
            if (graph.id, variable.name) in self._values
            and fits(variable, self._values[graph.id, variable.name])
        }

    def due(self, start: float, end: float) -> dict[str, InputValue]:
        """What the step between two times is given: the path's, and over it what was set by hand."""
        found = {} if self.path is None else self.path.due(start, end)
        found.update(self._due)
        self._due.clear()
        return found

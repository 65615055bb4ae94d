"""Scripts of runs: inputs over time, what is asked, the ground, and what must hold; read from CSV or JSON."""

import csv
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from core.errors import AnimError, FormatError
from core.graph.commands import Command
from core.graph.grounds import terrain_of
from core.graph.instance import InputValue
from core.graph.record import LONGEST_BAKE, Step
from core.graph.script_commands import commands_from, steps_from
from core.json_values import Value
from core.terrain.ground import Ground
from core.terrain.query import GroundQuery
from core.terrain.reading import terrain_from

LARGEST_INPUT = 64 * 2**20
"""Bytes of an input file."""


@dataclass(slots=True)
class Script:
    """What an input file says.

    Parameters
    ----------
    inputs : time in seconds → variables written then
    seconds : how long to run; None where the file does not say
    expect : what must hold, checked after the run
    ground : what the character walks on, a plane with stairs or a terrain; None is level ground
    commands : time in seconds → what is asked then
    steps : the steps of a saved run; None where inputs and commands say what happens
    """

    inputs: list[tuple[float, dict[str, InputValue]]] = field(default_factory=list)
    seconds: float | None = None
    expect: list[Mapping[str, Any]] = field(default_factory=list)
    ground: GroundQuery | None = None
    commands: list[tuple[float, Command]] = field(default_factory=list)
    steps: list[Step] | None = None


def read_script(path: Path) -> Script:
    """Read an input file: CSV with a header ``time,variable,…``, or JSON; the guide describes both.

    Raises
    ------
    FormatError
        Naming the line or place of what is wrong.
    """
    try:
        if path.stat().st_size > LARGEST_INPUT:
            raise FormatError(path, "", f"expected at most {LARGEST_INPUT // 2**20} MB")
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise FormatError(path, "", f"it cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise FormatError(path, f"byte {error.start}", "expected UTF-8 text") from None
    return _from_json(path, text) if path.suffix.lower() == ".json" else _from_csv(path, text)


def _from_csv(path: Path, text: str) -> Script:
    rows = csv.reader(text.splitlines())
    header = [name.strip() for name in next(rows, [])]
    if not header or header[0] != "time":
        raise FormatError(path, "line 1", "expected a header that begins with time, then names of variables")
    script = Script()
    for row in rows:
        if not any(cell.strip() for cell in row):
            continue
        where = f"line {rows.line_num}"
        if len(row) > len(header):
            raise FormatError(path, where, f"expected at most {len(header)} columns, got {len(row)}")
        time = _time(path, where, row[0])
        cells = zip(header[1:], row[1:], strict=False)
        script.inputs.append((time, {name: _cell(cell.strip()) for name, cell in cells if cell.strip()}))
    return script


def _time(path: Path, where: str, value: object) -> float:
    try:
        time = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        time = math.nan
    if not 0.0 <= time <= LONGEST_BAKE:
        raise FormatError(path, where, f"expected a time of 0 to {LONGEST_BAKE:g} s, got {str(value)[:40]!r}")
    return time


def _cell(text: str) -> InputValue:
    """A number, a vector ``x y z``, true or false, or a text."""
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    try:
        numbers = [float(part) for part in text.split()]
    except ValueError:
        return text
    return numbers[0] if len(numbers) == 1 else numbers


def _from_json(path: Path, text: str) -> Script:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise FormatError(path, "", f"expected JSON: {error}") from None
    if not isinstance(data, dict):
        raise FormatError(path, "", "expected an object with inputs, seconds and expect")
    lists: dict[str, list[Any]] = {}
    for key in ("inputs", "expect", "commands", "steps"):
        lists[key] = data.get(key, [])
        if not isinstance(lists[key], list) or not all(isinstance(item, dict) for item in lists[key]):
            raise FormatError(path, key, "expected a list of objects")
    script = Script(expect=lists["expect"], ground=_ground(path, data.get("ground")))
    if lists["steps"]:
        if lists["inputs"] or lists["commands"]:
            raise FormatError(path, "steps", "expected steps alone, or inputs and commands")
        terrain = terrain_of(script.ground)
        script.steps = [
            step if step.ground is None else replace(step, terrain=terrain)
            for step in steps_from(path, lists["steps"])
        ]
    times = [_time(path, f"commands[{k}].time", e.get("time", 0.0)) for k, e in enumerate(lists["commands"])]
    script.commands = list(zip(times, commands_from(path, lists["commands"]), strict=True))
    if data.get("seconds") is not None:
        script.seconds = _time(path, "seconds", data["seconds"])
    for number, entry in enumerate(lists["inputs"]):
        values = {name: value for name, value in entry.items() if name != "time"}
        script.inputs.append((_time(path, f"inputs[{number}].time", entry.get("time", 0.0)), values))
    return script


def _ground(path: Path, data: object) -> GroundQuery | None:
    """The ground by the members of `Ground`, such as ``{"rise": 0.18, "count": 5}``, or a terrain."""
    if data is None:
        return None
    if isinstance(data, dict) and "pieces" in data:
        return terrain_from(Value(data, "ground", path))
    known = {field.name for field in fields(Ground)}
    if not isinstance(data, dict) or not set(data) <= known:
        raise FormatError(
            path, "ground", f"expected an object of {', '.join(sorted(known))}; or a terrain with pieces"
        )
    if not all(isinstance(value, int | float) and math.isfinite(value) for value in data.values()):
        raise FormatError(path, "ground", "expected numbers")
    try:
        return Ground(**{name: int(value) if name == "count" else value for name, value in data.items()})
    except AnimError as error:
        raise FormatError(path, "ground", str(error)) from None

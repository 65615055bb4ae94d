"""Commands and saved steps of an input file of ``graph run``: montages to play, states to go to."""

from collections.abc import Mapping, Sequence
from math import isfinite
from pathlib import Path
from typing import Any

import numpy as np

from core.errors import FormatError
from core.graph.commands import Command, Do
from core.graph.record import Answer, Step
from core.math import quat, transform
from core.math.transform import Transform

_TEXTS = {"section": "section", "next": "to", "state": "to", "slot": "slot"}
_NUMBERS = {"at": "at", "rate": "rate", "seconds": "seconds", "in": "blend_in", "out": "blend_out"}
_WHOLE = ("handle", "loops")
_KNOWN = {"time", "do", "montage", "machine", "clip", "stop_group", *_WHOLE, *_TEXTS, *_NUMBERS}


def commands_from(path: Path, entries: Sequence[Mapping[str, Any]]) -> list[Command]:
    """The commands of a file's list ``commands``, such as ``{"time": 1, "do": "play", "montage": "wave"}``.

    Raises
    ------
    FormatError
        Naming the entry and what is wrong with it.
    """
    return [_command(path, f"commands[{number}]", entry) for number, entry in enumerate(entries)]


def _command(path: Path, place: str, entry: Mapping[str, Any]) -> Command:
    words = ", ".join(Do)
    if entry.get("do") not in set(Do):
        raise FormatError(path, f"{place}.do", f"expected one of {words}, got {str(entry.get('do'))[:40]!r}")
    for key in entry:
        if key not in _KNOWN:
            raise FormatError(path, f"{place}.{key}", f"expected one of {', '.join(sorted(_KNOWN))}")
    do = Do(entry["do"])
    whose = {Do.GO: "machine", Do.TRAVEL: "machine", Do.PLAY_CLIP: "clip"}.get(do, "montage")
    target = entry.get(whose)
    if not isinstance(target, str) or not target:
        raise FormatError(path, f"{place}.{whose}", f"expected the name of a {whose}")
    values: dict[str, Any] = {}
    for key, name in _TEXTS.items():
        if key in entry:
            if not isinstance(entry[key], str):
                raise FormatError(path, f"{place}.{key}", "expected a name")
            values[name] = entry[key]
    for key, name in _NUMBERS.items():
        if key in entry:
            values[name] = _number(path, f"{place}.{key}", entry[key])
    if "stop_group" in entry:
        if not isinstance(entry["stop_group"], bool):
            raise FormatError(path, f"{place}.stop_group", "expected true or false")
        values["stop_group"] = entry["stop_group"]
    for key in _WHOLE:
        if key in entry:
            values[key] = int(_number(path, f"{place}.{key}", entry[key]))
    return Command(do, target, **values)


def _number(path: Path, place: str, value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value):
        raise FormatError(path, place, f"expected a number, got {str(value)[:40]!r}")
    return float(value)


# -------------------------------------------------------------------- saved steps
MOST_STEPS = 1_000_000
_STEP = {"dt", "count", "set", "commands", "ground", "stands"}


def steps_from(path: Path, entries: Sequence[Mapping[str, Any]]) -> list[Step]:
    """The steps of a saved run, as `core.graph.saved_test` writes them.

    Raises
    ------
    FormatError
        Naming the entry and what is wrong with it.
    """
    found: list[Step] = []
    for number, entry in enumerate(entries):
        place = f"steps[{number}]"
        for key in entry:
            if key not in _STEP:
                raise FormatError(path, f"{place}.{key}", f"expected one of {', '.join(sorted(_STEP))}")
        count = int(_number(path, f"{place}.count", entry.get("count", 1)))
        if count < 1 or len(found) + count > MOST_STEPS:
            raise FormatError(path, f"{place}.count", f"expected 1 step or more, and {MOST_STEPS} in all")
        found.extend([_step(path, place, entry)] * count)
    return found


def _step(path: Path, place: str, entry: Mapping[str, Any]) -> Step:
    values, asked = entry.get("set", {}), entry.get("commands", [])
    if not isinstance(values, dict):
        raise FormatError(path, f"{place}.set", "expected an object of variables")
    if not isinstance(asked, list) or not all(isinstance(item, dict) for item in asked):
        raise FormatError(path, f"{place}.commands", "expected a list of objects")
    stands = transform.IDENTITY
    if "stands" in entry:
        numbers = np.array(_numbers(path, f"{place}.stands", entry["stands"], 7))
        stands = Transform(numbers[:3], quat.normalise(numbers[3:]), np.ones(3))
    return Step(
        _number(path, f"{place}.dt", entry.get("dt")), values, _answers(path, place, entry.get("ground")), stands,
        tuple(_command(path, f"{place}.commands[{k}]", item) for k, item in enumerate(asked)),
    )  # fmt: skip


def _answers(path: Path, place: str, data: Any) -> tuple[Answer, ...] | None:
    if data is None:
        return None
    if not isinstance(data, list) or not all(isinstance(item, list) and len(item) == 2 for item in data):
        raise FormatError(path, f"{place}.ground", "expected a list of [height, [x, y, z]]")
    found = []
    for height, normal in data:
        x, y, z = _numbers(path, f"{place}.ground", normal, 3)
        found.append((_number(path, f"{place}.ground", height), (x, y, z)))
    return tuple(found)


def _numbers(path: Path, place: str, data: Any, count: int) -> list[float]:
    if not isinstance(data, list) or len(data) != count:
        raise FormatError(path, place, f"expected {count} numbers")
    return [_number(path, place, item) for item in data]

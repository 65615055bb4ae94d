"""Commands of an input file of ``graph run``: montages to play, states to go to."""

from collections.abc import Mapping, Sequence
from math import isfinite
from pathlib import Path
from typing import Any

from core.errors import FormatError
from core.graph.commands import Command, Do

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

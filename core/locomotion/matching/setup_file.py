"""A set-up of motion matching as JSON: ``posewright.matching``, version 1; what is left out has its default."""

import json
from collections.abc import Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

from core.errors import ValidationError
from core.json_values import Value
from core.locomotion.matching.setup import Choice, Matching, Tag
from core.locomotion.recording_file import opened

FORMAT, VERSION = "posewright.matching", 1
TAGS = {tag.value: tag for tag in Tag}
DEFAULT = Matching()
SETTABLE = tuple(member.name for member in fields(Matching) if member.name != "choices")
"""What `with_values` sets."""
SWITCHES = {"on": True, "true": True, "yes": True, "off": False, "false": False, "no": False}


def read_matching(path: str | Path) -> Matching:
    """Read a set-up.

    Raises
    ------
    FormatError
        Naming the file and the field.
    """
    return matching_from(opened(Path(path), FORMAT, VERSION).object("matching"))


def write_matching(setup: Matching, path: str | Path) -> None:
    """Write a set-up: what differs from the default."""
    data = {"format": FORMAT, "version": VERSION, "matching": matching_values(setup)}
    Path(path).write_text(json.dumps(data, indent=1, allow_nan=False) + "\n", encoding="utf-8")


def matching_values(setup: Matching) -> dict[str, Any]:
    """A set-up as plain values: what differs from the default."""
    made: dict[str, Any] = {}
    for member in fields(Matching):
        value = getattr(setup, member.name)
        if value == getattr(DEFAULT, member.name):
            continue
        if member.name == "choices":
            value = [_choice_values(choice) for choice in value]
        made[member.name] = list(value) if isinstance(value, tuple) else value
    return made


def _choice_values(choice: Choice) -> dict[str, Any]:
    made: dict[str, Any] = {"clip": choice.clip}
    if choice.tag is not None:
        made["tag"] = choice.tag.value
    if not choice.on:
        made["on"] = False
    if choice.first or choice.last:
        made |= {"first": choice.first, "last": choice.last}
    return made


def matching_from(value: Value) -> Matching:
    """A set-up of a JSON object; raises `FormatError`."""
    known = {member.name: getattr(DEFAULT, member.name) for member in fields(Matching)}
    changed: dict[str, Any] = {}
    for name in value.names():
        if name not in known:
            raise value.error(f"expected members of {', '.join(known)}", name[:60])
        if not value.has(name):
            continue
        default = known[name]
        if name == "choices":
            changed[name] = tuple(_choice(entry) for entry in value.objects(name))
        elif isinstance(default, bool):
            changed[name] = value.flag(name)
        elif isinstance(default, int):
            changed[name] = value.integer(name)
        elif isinstance(default, tuple):
            changed[name] = tuple(value.floats(name, None).tolist())
        else:
            changed[name] = value.number(name, 0.0)
    try:
        return replace(DEFAULT, **changed)
    except ValidationError as error:
        raise value.error(str(error)) from None


def with_values(setup: Matching, told: Sequence[str]) -> Matching:
    """A set-up with some members told as ``name=value``: ``path_place=3``, ``warp=off``, ``paces=0.6,1.25``.

    Parameters
    ----------
    told : one member each; of two for the same member the later counts; no value is an empty list

    Raises
    ------
    ValidationError
        No such member, a value that cannot be read, or one out of its bounds.
    """
    changed: dict[str, Any] = {}
    for pair in told:
        name, equals, text = (part.strip() for part in pair.partition("="))
        if not equals or name not in SETTABLE:
            raise ValidationError(
                f"matching: expected name=value with a name of {', '.join(SETTABLE)}, got {pair[:60]!r}"
            )
        changed[name] = _told(name, text)
    return replace(setup, **changed)


def _told(name: str, text: str) -> bool | int | float | tuple[float, ...]:
    """The value of a member as it is typed."""
    default = getattr(DEFAULT, name)
    try:
        if isinstance(default, bool):
            return SWITCHES[text.lower()]
        if isinstance(default, int):
            return int(text)
        if isinstance(default, tuple):
            return tuple(float(part) for part in text.split(",")) if text else ()
        return float(text)
    except (KeyError, ValueError):
        wanted = {bool: "on or off", int: "a whole number", tuple: "numbers with commas between"}
        kind = wanted.get(type(default), "a number")
        raise ValidationError(f"matching: {name}: expected {kind}, got {text[:60]!r}") from None


def _choice(entry: Value) -> Choice:
    for name in entry.names():
        if name not in ("clip", "tag", "on", "first", "last"):
            raise entry.error("expected members of clip, tag, on, first, last", name[:60])
    try:
        return Choice(
            entry.text("clip"), entry.choice("tag", TAGS) if entry.has("tag") else None,
            entry.flag("on") if entry.has("on") else True, entry.number("first", 0.0), entry.number("last", 0.0),
        )  # fmt: skip
    except ValidationError as error:
        raise entry.error(str(error)) from None

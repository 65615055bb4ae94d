"""A course as JSON: ``posewright.course``, version 1: the terrain, and sections by their members."""

import json
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Any

from core.errors import ValidationError
from core.json_values import Value
from core.locomotion.course import Course, Section, Segment
from core.locomotion.input import Gait, RotationMode
from core.locomotion.recording_file import opened
from core.terrain.reading import terrain_from, terrain_values

FORMAT, VERSION = "posewright.course", 1
GAITS = {gait.name.lower(): gait for gait in Gait}
MODES = {mode.name.lower(): mode for mode in RotationMode}
MOST_SECTIONS = 1000
MOST_SECONDS = 3600.0


def read_course(path: str | Path) -> Course:
    """Read a course.

    Raises
    ------
    FormatError
        Naming the file and the field.
    """
    whole = opened(Path(path), FORMAT, VERSION)
    entries = whole.objects("sections")
    if not 0 < len(entries) <= MOST_SECTIONS:
        raise whole.error(f"expected 1 to {MOST_SECTIONS} sections, got {len(entries)}", "sections")
    sections = tuple(_section(entry) for entry in entries)
    if sum(segment.seconds for section in sections for segment in section.segments) > MOST_SECONDS:
        raise whole.error(f"expected {MOST_SECONDS:g} s at most", "sections")
    try:
        return Course(whole.text("name", "course"), terrain_from(whole.object("terrain")), sections)
    except ValidationError as error:
        raise whole.error(str(error), "sections") from None


def _section(entry: Value) -> Section:
    known = {member.name for member in fields(Section)}
    _refuse_unknown(entry, known)
    x, y, z = entry.floats("at", 3, [0.0, 0.0, 0.0]).tolist()
    segments = tuple(_segment(part) for part in entry.objects("segments"))
    return Section(entry.text("name"), segments, (x, y, z), entry.number("yaw", 0.0), entry.text("group", ""))


def _segment(entry: Value) -> Segment:
    known = {member.name: member for member in fields(Segment)}
    _refuse_unknown(entry, set(known))
    if not entry.has("seconds"):
        raise entry.error("it is missing", "seconds")
    made: dict[str, Any] = {}
    for name in entry.names():
        if not entry.has(name):
            continue
        if name == "move":
            made[name] = tuple(entry.floats(name, 2).tolist())
        elif name in ("gait", "mode"):
            made[name] = entry.choice(name, GAITS) if name == "gait" else entry.choice(name, MODES)
        elif isinstance(known[name].default, bool):
            made[name] = entry.flag(name)
        else:
            made[name] = entry.number(name, 0.0)
    try:
        return Segment(**made)
    except ValidationError as error:
        raise entry.error(str(error)) from None


def _refuse_unknown(entry: Value, known: set[str]) -> None:
    for name in entry.names():
        if name not in known:
            raise entry.error(f"expected members of {', '.join(sorted(known))}", name[:60])


def course_values(course: Course) -> dict[str, Any]:
    """A course as plain values for JSON; members at their defaults are left out."""
    return {
        "format": FORMAT,
        "version": VERSION,
        "name": course.name,
        "terrain": terrain_values(course.terrain),
        "sections": [
            {
                "name": section.name,
                "group": section.group,
                "at": list(section.at),
                "yaw": section.yaw,
                "segments": [_values(segment) for segment in section.segments],
            }
            for section in course.sections
        ],
    }


def _values(segment: Segment) -> dict[str, Any]:
    made: dict[str, Any] = {}
    for member in fields(segment):
        value = getattr(segment, member.name)
        if member.default is not MISSING and value == member.default:
            continue
        if isinstance(value, Gait | RotationMode):
            value = value.name.lower()
        made[member.name] = list(value) if isinstance(value, tuple) else value
    return made


def write_course(course: Course, path: str | Path) -> None:
    """Write a course: a piece and a segment a line, so that two versions compare line by line."""
    values = course_values(course)
    sections = [
        _members({**section, "segments": _Text(_list(section["segments"], 3))}, 2)
        for section in values["sections"]
    ]
    terrain = {**values["terrain"], "pieces": _Text(_list(values["terrain"]["pieces"], 2))}
    whole = {**values, "terrain": _Text(_members(terrain, 1)), "sections": _Text(_lines(sections, 1))}
    Path(path).write_text(_members(whole, 0) + "\n", encoding="utf-8")


class _Text(str):
    """What is JSON already."""


def _members(values: dict[str, Any], depth: int) -> str:
    inner = ",\n".join(
        f"{' ' * (depth + 1)}{_dumped(name)}: {_dumped(value)}" for name, value in values.items()
    )
    return f"{{\n{inner}\n{' ' * depth}}}"


def _list(values: list[Any], depth: int) -> str:
    return _lines([_dumped(value) for value in values], depth)


def _lines(texts: list[str], depth: int) -> str:
    inner = ",\n".join(f"{' ' * (depth + 1)}{text}" for text in texts)
    return f"[\n{inner}\n{' ' * depth}]" if texts else "[]"


def _dumped(value: Any) -> str:
    return str(value) if isinstance(value, _Text) else json.dumps(value, allow_nan=False, ensure_ascii=False)

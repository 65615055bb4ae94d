"""Recorded inputs as JSON: ``posewright.recording``, version 1.

Equal inputs that follow each other are one row: how many, right, ahead, view yaw, view pitch, gait, mode, and the
keys held as letters (j jump, c crouch, r ragdoll); then a blow, where there is one: bone, and tenths of N·s along
x, y and z.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from itertools import groupby
from pathlib import Path
from typing import Any

from core.errors import FormatError, ValidationError
from core.json_text import parse_object
from core.json_values import Value
from core.locomotion.input import Blow, Gait, Input, RotationMode
from core.locomotion.setup import PRESETS, Setup
from core.terrain.reading import terrain_from, terrain_values
from core.terrain.terrain import Terrain

FORMAT, VERSION = "posewright.recording", 1
LONGEST = 60 * 60 * 60
"""Steps of an hour: more are refused."""


@dataclass(frozen=True, slots=True, eq=False)
class RecordedInputs:
    """What a file of inputs holds: set-up, terrain, where the character starts, and one input a step."""

    setup: Setup
    terrain: Terrain
    place: tuple[float, float, float]
    yaw: float
    inputs: tuple[Input, ...]


def write_recording(recorded: RecordedInputs, path: str | Path) -> None:
    """Write a recording."""
    data = {
        "format": FORMAT,
        "version": VERSION,
        "controller": setup_values(recorded.setup),
        "start": {"at": list(recorded.place), "yaw": recorded.yaw},
        "terrain": terrain_values(recorded.terrain),
        "inputs": rows_of(recorded.inputs),
    }
    Path(path).write_text(json.dumps(data, allow_nan=False) + "\n", encoding="utf-8")


def read_recording(path: str | Path) -> RecordedInputs:
    """Read a recording.

    Raises
    ------
    FormatError
        Naming the file and the place in it.
    """
    file = Path(path)
    whole = opened(file, FORMAT, VERSION)
    beginning = whole.object("start")
    x, y, z = beginning.floats("at", 3, [0.0, 0.0, 0.0]).tolist()
    return RecordedInputs(
        setup_from(whole.object("controller")),
        terrain_from(whole.object("terrain")),
        (x, y, z),
        beginning.number("yaw", 0.0),
        inputs_from(whole, "inputs"),
    )


def setup_values(setup: Setup) -> dict[str, Any]:
    """A set-up as plain values: the preset of its name, or *normal*, and what differs from it."""
    base = PRESETS.get(setup.name, PRESETS["normal"])
    made: dict[str, Any] = {"preset": base.name}
    for member in fields(Setup):
        value = getattr(setup, member.name)
        if value != getattr(base, member.name):
            made[member.name] = list(value) if isinstance(value, tuple) else value
    return made


def setup_from(value: Value) -> Setup:
    """A set-up of a JSON object; raises `FormatError`."""
    base = value.choice("preset", PRESETS) if value.has("preset") else PRESETS["normal"]
    known = {member.name: getattr(base, member.name) for member in fields(Setup)}
    changed: dict[str, Any] = {}
    for name in value.names():
        if name == "preset" or not value.has(name):
            continue
        if name not in known:
            raise value.error(f"expected members of preset, {', '.join(known)}", name[:60])
        default = known[name]
        if isinstance(default, str):
            changed[name] = value.text(name)
        elif isinstance(default, bool):
            changed[name] = value.flag(name)
        elif isinstance(default, tuple):
            changed[name] = tuple(value.floats(name, len(default)).tolist())
        else:
            changed[name] = value.number(name, 0.0)
    try:
        return replace(base, **changed)
    except ValidationError as error:
        raise value.error(str(error)) from None


def opened(file: Path, kind: str, version: int) -> Value:
    """The object of a JSON file of one of our kinds; raises `FormatError`."""
    try:
        raw = file.read_bytes()
    except OSError as error:
        raise FormatError(file, "", error.strerror or "it cannot be read") from None
    what = f'a {kind.removeprefix("posewright.")} is JSON that begins with {{"format": "{kind}", "version": {version}'
    if not raw.strip():
        raise FormatError(file, "", "the file is empty", f"{what}; name another file")
    try:
        parsed = parse_object(raw, file, "")
    except FormatError as error:
        hint = f"{what}; correct the text there, or name another file"
        raise FormatError(file, error.where, error.reason, hint) from None
    whole = Value(parsed, "", file)
    if whole.text("format", "") != kind:
        raise whole.error(f"expected {kind!r}, got {whole.text('format', '')[:40]!r}", "format")
    found = whole.integer("version")
    if found != version:
        raise whole.error(
            f"expected version {version}, got {found}", "version", "written by a newer Posewright"
        )
    return whole


def rows_of(inputs: Sequence[Input]) -> list[list[Any]]:
    """Inputs as rows of the file."""
    rows: list[list[Any]] = []
    for given, group in groupby(inputs):
        held = "j" * given.jump + "c" * given.crouch + "r" * given.ragdoll
        count = sum(1 for _ in group)
        row: list[Any] = [
            count, given.right, given.ahead, given.view_yaw, given.view_pitch, int(given.gait), int(given.mode), held
        ]  # fmt: skip
        blow = given.blow
        rows.append(row if blow is None else [*row, [blow.bone, blow.x, blow.y, blow.z]])
    return rows


def inputs_from(whole: Value, key: str) -> tuple[Input, ...]:
    """Inputs of rows; raises `FormatError`."""
    return tuple(_inputs(whole, key))


def _inputs(whole: Value, key: str) -> Iterator[Input]:
    total = 0
    for number, row in enumerate(whole.items(key)):
        place = f"{key}[{number}]"
        if not isinstance(row, list) or len(row) not in (8, 9) or not isinstance(row[7], str):
            raise whole.error("expected [count, right, ahead, yaw, pitch, gait, mode, keys held]", place)
        if any(isinstance(x, bool) or not isinstance(x, int) for x in row[:7]) or row[0] < 1:
            raise whole.error("expected whole numbers, the first of them 1 or more", place)
        if set(row[7]) - set("jcr"):
            raise whole.error(f"expected keys held of j, c and r, got {row[7][:20]!r}", place)
        total += row[0]
        if total > LONGEST:
            raise whole.error(f"expected at most {LONGEST} steps", place)
        _, right, ahead, yaw, pitch, gait, mode, held = row[:8]
        keys = ("j" in held, "c" in held, "r" in held)
        try:
            blow = _blow(row[8]) if len(row) == 9 else None
            given = Input(right, ahead, yaw, pitch, Gait(gait), RotationMode(mode), *keys, blow=blow)
        except (ValueError, ValidationError) as error:
            raise whole.error(str(error), place) from None
        for _ in range(row[0]):
            yield given


def _blow(parts: Any) -> Blow:
    """A blow of a row; raises `ValidationError`."""
    whole = isinstance(parts, list) and len(parts) == 4 and isinstance(parts[0], str)
    if not whole or any(isinstance(x, bool) or not isinstance(x, int) for x in parts[1:]):
        raise ValidationError("expected a blow as [bone, x, y, z] in tenths of N·s")
    return Blow(*parts)

"""What a view draws in its own pictures, as lines of text: shapes, ghosts, bones and meshes with places and colours."""

from dataclasses import fields
from enum import Enum

import numpy as np

from editor.gl.draw_list import DrawList, Shape
from editor.gl.mesh_values import MeshGeometry
from editor.panels.viewport.view_model import ViewportModel

LIKE = {"colors", "color", "tint", "part_colors", "outline"}
"""Fields that hold colours."""


def number(value: float) -> str:
    rounded = round(float(value), 4)
    return f"{rounded:.4g}" if rounded else "0"


def color(value: np.ndarray) -> str:
    """One colour, red, green, blue and opacity of 255."""
    return "/".join(str(round(float(v) * 255)) for v in value)


def colors(values: np.ndarray) -> str:
    """Different colours in the order in which they come; of many the first, the middle and the last."""
    rows = list(dict.fromkeys(color(row) for row in values.reshape(-1, values.shape[-1])))
    return " ".join(rows) if len(rows) <= 6 else f"{rows[0]} {rows[len(rows) // 2]} {rows[-1]} of {len(rows)}"


def array(values: np.ndarray) -> str:
    """Shape, the first and the last row, and the mean."""
    shape = "×".join(map(str, values.shape))
    if not values.size:
        return f"({shape})"
    if values.dtype.kind in "bu" or values.size <= 8:
        return f"({shape}) {' '.join(number(v) for v in values.reshape(-1)[:24])}"
    rows = values.reshape(-1, values.shape[-1] if values.ndim > 1 else 1)
    ends = [" ".join(number(v) for v in row) for row in (rows[0], rows[-1])]
    return f"({shape}) {ends[0]} … {ends[1]} mean {' '.join(number(v) for v in rows.mean(axis=0))}"


def told(name: str, value: object) -> str:
    """A value of a field."""
    match value:
        case np.ndarray():
            return colors(value) if name in LIKE and value.ndim else array(value)
        case Enum():
            return value.name.lower()
        case float():
            return number(value)
        case tuple() if name in LIKE and value:
            return color(np.array(value))
        case tuple():
            return " ".join(told(name, v) for v in value)
        case MeshGeometry():
            return f"{len(value.positions)} vertices"
        case bool() | int() | str() | None:
            return str(value)
    return line(value) if hasattr(value, "__dataclass_fields__") else type(value).__name__


def line(value: object) -> str:
    """A drawn thing: its fields that are not as they are by default."""
    words = []
    for field in fields(value):  # type: ignore[arg-type]
        now = getattr(value, field.name)
        plain = isinstance(now, bool | int | float | str | Enum | tuple | None)
        if (plain and now == field.default) or now is None:
            continue
        words.append(f"{field.name}={told(field.name, now)}")
    return f"{type(value).__name__} {' '.join(words)}".rstrip()


def lines(drawn: DrawList) -> list[str]:
    """All of a picture, in the order in which it is drawn."""
    found: list[str] = []
    for field in fields(drawn):
        value = getattr(drawn, field.name)
        things: tuple[Shape, ...] = value if isinstance(value, tuple) else (value,)
        found += [f"{field.name}: {line(v) if hasattr(v, '__dataclass_fields__') else v}" for v in things]
    return found


def over(model: ViewportModel) -> list[str]:
    """What is written over the picture."""
    found = [f"lines: {line(model.heads_up())} {model.heads_up().key_state!r}"]
    found += [f"name: {name} @{x:.1f},{y:.1f}" for name, x, y in model.scene.names()]
    found += [f"label: {text} {bright} @{x:.1f},{y:.1f}" for text, x, y, bright in model.scene.labels()]
    if (chip := model.chip()) is not None:
        found.append(f"chip: {chip[0]} @{chip[1][0]:.1f},{chip[1][1]:.1f}")
    if (frame := model.camera_rectangle()) is not None:
        found.append(f"frame: @{','.join(f'{v:.1f}' for corner in frame for v in corner)}")
    return found

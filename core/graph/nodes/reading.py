"""Reading the parameters of a node while it is compiled; what does not fit is told and a default stands in."""

import math
from collections.abc import Iterable

import numpy as np

from core.arrays import FloatArray
from core.blending.easing import EaseShape, EaseWay, Easing, ease
from core.blending.layers import BranchFilter, branch_weights, mask_weights
from core.errors import AnimError
from core.graph.compiler import Compiler
from core.graph.graph import Node, Sheet
from core.graph.names import near
from core.graph.op import Run
from core.tracks.keys import ScalarTrack

MOST_PINS = 64
"""Poses that one node takes."""
FARTHEST = 1e6
"""Metres (and scale) to which values are kept that move bones: beyond it float64 sums overflow."""


def text(node: Node, name: str, default: str = "") -> str:
    """A parameter as text."""
    value = node.parameters.get(name)
    return default if value is None else str(value)


def truth(node: Node, name: str, default: bool = False) -> bool:
    """A parameter as yes or no."""
    value = node.parameters.get(name)
    return default if value is None else bool(value)


def number(
    c: Compiler,
    sheet: Sheet,
    node: Node,
    name: str,
    default: float,
    least: float = -FARTHEST,
    most: float = FARTHEST,
) -> float:
    """A parameter as a number within bounds."""
    value = node.parameters.get(name)
    if value is None:
        return default
    if isinstance(value, int | float) and math.isfinite(value) and least <= value <= most:
        return float(value)
    c.fault(
        f"{name}: expected a number of {least:g} to {most:g}, got {str(value)[:40]!r}",
        sheet.id,
        node.id,
        name,
    )
    return default


def numbers(
    c: Compiler, sheet: Sheet, node: Node, name: str, default: tuple[float, ...]
) -> tuple[float, ...]:
    """A parameter as a list of as many finite numbers as the default has."""
    value = node.parameters.get(name)
    if value is None:
        return default
    fits = isinstance(value, tuple) and len(value) == len(default)
    if fits and all(isinstance(x, int | float) and abs(x) <= FARTHEST for x in value):  # type: ignore[union-attr]
        return tuple(float(x) for x in value)  # type: ignore[union-attr]
    c.fault(f"{name}: expected {len(default)} numbers, got {str(value)[:40]!r}", sheet.id, node.id, name)
    return default


def choice(c: Compiler, sheet: Sheet, node: Node, name: str, known: Iterable[str], default: str) -> str:
    """A parameter that is one of several words."""
    words = list(known)
    value = text(node, name, default)
    if value in words:
        return value
    c.fault(f"{name}: expected one of {', '.join(words)}, got {value[:40]!r}", sheet.id, node.id, name)
    return default


def bone(c: Compiler, sheet: Sheet, node: Node, name: str, *, virtual: bool = False) -> str | None:
    """A parameter that names a bone of the rig; with `virtual` also a virtual bone."""
    wanted = text(node, name)
    have = list(c.rig.skeleton.names)
    if virtual:
        have += [found.name for found in c.rig.virtual_bones]
    if wanted in have:
        return wanted
    what = f"rig {c.rig.name!r} has no bone {wanted[:60]!r}" if wanted else "no bone is chosen"
    c.fault(f"{name}: {what}{near(wanted[:60], have)}; choose one", sheet.id, node.id, name)
    return None


def bone_weights(c: Compiler, sheet: Sheet, node: Node, ending: str = "") -> FloatArray:
    """Weights ``(B,)`` by the parameters ``mask`` or ``branches``; 1 everywhere where there is neither."""
    mask, branches = node.parameters.get(f"mask{ending}"), node.parameters.get(f"branches{ending}") or ()
    try:
        if mask:
            return mask_weights(c.rig, str(mask))
        if branches:
            texts = branches if isinstance(branches, tuple) else (branches,)
            return branch_weights(c.rig.skeleton, [_branch(str(entry)) for entry in texts])
    except (AnimError, ValueError) as error:
        c.fault(str(error), sheet.id, node.id, f"mask{ending}" if mask else f"branches{ending}")
    return np.ones(len(c.rig.skeleton))


def _branch(entry: str) -> BranchFilter:
    """A branch filter written ``bone`` or ``bone:depth``."""
    name, _, depth = entry.rpartition(":")
    return BranchFilter(name, int(depth)) if name else BranchFilter(entry)


class Eased:
    """An easing with its map, ready to be asked."""

    def __init__(self, easing: Easing, track: ScalarTrack | None) -> None:
        self.easing, self.track = easing, track

    def __call__(self, share: float) -> float:
        """The eased share, 0..1 of 0..1."""
        return float(ease(self.easing, share, self.track))


def easing(c: Compiler, sheet: Sheet, node: Node) -> Eased:
    """The easing by the parameters ``ease``, ``ease_way``, ``ease_power`` and ``ease_curve``."""
    shape = EaseShape(choice(c, sheet, node, "ease", [str(s) for s in EaseShape], str(EaseShape.LINEAR)))
    way = EaseWay(choice(c, sheet, node, "ease_way", [str(w) for w in EaseWay], str(EaseWay.IN_OUT)))
    power = int(number(c, sheet, node, "ease_power", 2, 2, 5))
    curve = text(node, "ease_curve") or None
    track = c.graph.maps.get(curve) if curve else None
    if shape is EaseShape.CURVE and track is None:
        c.fault(f"the graph has no map {curve or ''!r} for its easing", sheet.id, node.id, "ease_curve")
        return Eased(Easing(), None)
    return Eased(Easing(shape, way, power, curve), track)


def vector(run: Run, register: int) -> FloatArray:
    """A vector value ``(3,)`` of this step, kept within `FARTHEST`."""
    return np.clip(run.registers[register : register + 3], -FARTHEST, FARTHEST)


def quaternion(run: Run, register: int) -> FloatArray:
    """A rotation value ``(4,)`` of this step at unit length; the identity where it has none."""
    value = np.clip(run.registers[register : register + 4], -FARTHEST, FARTHEST)
    length = float(np.linalg.norm(value))
    return value / length if length > 1e-9 else np.array([0.0, 0.0, 0.0, 1.0])

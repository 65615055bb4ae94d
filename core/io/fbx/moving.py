"""In the helper: what of an FBX scene moves, and by which keys."""

from dataclasses import dataclass, field
from typing import Any

from core.arrays import FloatArray


@dataclass(slots=True)
class Axis:
    """Keys of one scalar, ``(K, 7)`` (see `core.io.fbx.curves.track_of`); one key where nothing is animated."""

    rows: FloatArray
    ends: tuple[int, int] = (0, 0)
    keyed: bool = False


@dataclass(slots=True)
class Moved:
    """A node or morph channel and the animated properties of it, layer by layer.

    `times` are those of all keys: of every layer, and of the weights of those layers.
    """

    thing: Any
    values: dict[str, list[Any]] = field(default_factory=dict)
    layers: set[int] = field(default_factory=set)
    times: list[FloatArray] = field(default_factory=list)


@dataclass(slots=True)
class Moving:
    """A node that moves, and what its keys are held against.

    Parameters
    ----------
    axes : its animated properties' keys
    times : ``(K,)`` of all keys
    checks, wanted : ``(T,)`` times between keys, ``(T, 10)`` the library's local transform there
    resting : translation, rotation and scale at rest
    size : the largest length, what errors of a place are a part of
    """

    moved: Moved
    axes: dict[str, list[Axis]]
    times: FloatArray
    checks: FloatArray
    wanted: FloatArray
    resting: tuple[Any, Any, Any]
    size: float

    def keyed(self, name: str) -> list[Axis] | None:
        """The three axes of a property that has keys; None where it has none."""
        group = self.axes.get(name)
        return group if group is not None and any(axis.keyed for axis in group) else None

"""A plan's hash: equal for equal graphs, whatever their layout says."""

import hashlib
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from core.clips.clip import Clip
from core.graph.graph import Graph
from core.graph.plan import Plan

_digests: WeakKeyDictionary[Clip, bytes] = WeakKeyDictionary()
"""Of clips by identity, as long as they live."""


def plan_hash(plan: Plan) -> str:
    """Hexadecimal digits that two plans share exactly where graph, rig, compiled program and sources are equal.

    Sources are the linked graphs, clips, blend spaces, pose assets and montages (see `Plan.sources`). The layout of
    canvases does not count.
    """
    made = hashlib.blake2b(digest_size=16)
    _add_graph(made, plan.graph)
    for source in plan.sources:
        if isinstance(source, Graph):
            _add_graph(made, source)
        elif isinstance(source, Clip):
            made.update(_clip_digest(source))
        else:
            _add(made, source)
    _add(made, plan.filled)
    _add(made, plan.rig.skeleton)
    _add(
        made,
        (plan.program.rows, plan.program.registers, plan.layout.floats, plan.layout.ints, plan.layout.poses),
    )
    return made.hexdigest()


def _add_graph(made: Any, graph: Graph) -> None:
    for name in ("id", "rig", "variables", "enums", "maps", "slots", "sheets"):
        _add(made, getattr(graph, name))


def _clip_digest(clip: Clip) -> bytes:
    """The digest of a clip, worked out once: a clip is frozen, and has tens of thousands of keys."""
    found = _digests.get(clip)
    if found is None:
        made = hashlib.blake2b(digest_size=16)
        _add(made, clip)
        found = _digests[clip] = made.digest()
    return found


def _add(made: Any, value: Any) -> None:
    """Add a value with its type, so that 1, 1.0, "1" and True differ."""
    made.update(type(value).__name__.encode() + b":")
    if isinstance(value, np.ndarray):
        made.update(
            str(value.dtype).encode() + str(value.shape).encode() + np.ascontiguousarray(value).tobytes()
        )
    elif isinstance(value, Enum):
        made.update(str(value.value).encode())
    elif isinstance(value, Mapping):
        for key in sorted(value, key=str):
            _add(made, key)
            _add(made, value[key])
    elif isinstance(value, tuple | list):
        made.update(str(len(value)).encode())
        for item in value:
            _add(made, item)
    elif is_dataclass(value):
        for field in fields(value):
            _add(made, getattr(value, field.name))
    else:
        made.update(repr(value).encode())
    made.update(b";")

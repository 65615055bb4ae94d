"""Golden evaluations by other programs (see GOLDENS.md of the shared folder)."""

import json
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

FILES = (
    "data/gltf/*.gltf",
    "data/gltf/*.glb",
    "data/gltf/*.vrma",
    "data/bvh/*.bvh",
    "data/clients/*.glb",
    "data/clients/*.bvh",
    "cases/*.bvh",
)


@lru_cache(maxsize=4)
def golden(path: Path) -> dict[str, Any]:
    return json.loads(path.with_name(path.name + ".golden.json").read_text("utf-8"))


def evaluated_clips(path: Path) -> list[dict[str, Any]]:
    """The clips of a golden; one of the rest pose where a file has none."""
    told = golden(path)
    rest = {"name": None, "duration": 0.0, "times": [0.0], "p": [told["rest"]["p"]], "q": [told["rest"]["q"]]}
    return told["clips"] or [rest]


def size_of(path: Path) -> float:
    """Diagonal of the rest pose."""
    return float(np.linalg.norm(np.ptp(np.array(golden(path)["rest"]["p"]), axis=0))) or 1.0


def degrees_between(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    b = b / np.linalg.norm(b, axis=-1, keepdims=True)
    chord = np.minimum(np.linalg.norm(a - b, axis=-1), np.linalg.norm(a + b, axis=-1))
    return np.degrees(4.0 * np.arcsin(np.minimum(1.0, chord / 2.0)))

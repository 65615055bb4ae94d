"""Small glTF files with cameras, for tests."""

import base64
import json
import math
from pathlib import Path
from typing import Any

import numpy as np


def gltf_with_cameras(
    path: Path, below: bool = False, parallel: bool = False, fov: float = 0.8, number: int = 0
) -> Path:
    """A bone and a camera: it goes 2 m to the right and turns half a radian to the left in a second.

    Parameters
    ----------
    below : the camera is below a node that turns half a radian to the left, too
    parallel : it has a parallel projection, 6 m by 3 m
    """
    times = np.array([0.0, 1.0], np.float32)
    places = np.array([[0.0, 1.5, 5.0], [2.0, 1.5, 5.0]], np.float32)
    turns = np.array([[0.0, 0.0, 0.0, 1.0], [0.0, math.sin(0.25), 0.0, math.cos(0.25)]], np.float32)
    data = times.tobytes() + places.tobytes() + turns.tobytes()
    views = [(0, 8), (8, 24), (32, 32)]
    kind: dict[str, Any] = {
        "type": "perspective",
        "perspective": {"yfov": fov, "aspectRatio": 1.5, "znear": 0.1},
    }
    if parallel:
        flat = {"xmag": 3.0, "ymag": 1.5, "znear": 0.1, "zfar": 50.0}
        kind = {"type": "orthographic", "orthographic": flat}
    nodes: list[dict[str, Any]] = [
        {"name": "root", "children": [1]},
        {"name": "tip", "translation": [0.0, 1.0, 0.0]},
        {"name": "Shot", "camera": number, "translation": places[0].tolist()},
        {"name": "dolly", "children": [2]},
    ]
    channels = [
        {"sampler": 0, "target": {"node": 2, "path": "translation"}},
        {"sampler": 1, "target": {"node": 2, "path": "rotation"}},
        {"sampler": 1, "target": {"node": 1, "path": "rotation"}},
    ]
    if below:
        channels.append({"sampler": 1, "target": {"node": 3, "path": "rotation"}})
    document = {
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [0, 3] if below else [0, 2]}],
        "nodes": nodes if below else nodes[:3],
        "skins": [{"joints": [0, 1]}],
        "cameras": [kind],
        "animations": [
            {
                "name": "take",
                "samplers": [{"input": 0, "output": 1}, {"input": 0, "output": 2}],
                "channels": channels,
            }
        ],
        "accessors": [
            {
                "bufferView": 0,
                "componentType": 5126,
                "count": 2,
                "type": "SCALAR",
                "min": [0.0],
                "max": [1.0],
            },
            {"bufferView": 1, "componentType": 5126, "count": 2, "type": "VEC3"},
            {"bufferView": 2, "componentType": 5126, "count": 2, "type": "VEC4"},
        ],
        "bufferViews": [{"buffer": 0, "byteOffset": at, "byteLength": size} for at, size in views],
        "buffers": [
            {
                "byteLength": len(data),
                "uri": "data:application/octet-stream;base64," + base64.b64encode(data).decode("ascii"),
            }
        ],
    }
    path.write_text(json.dumps(document))
    return path

"""Small files of each format to break, and how long and large their refusal may be."""

import json
import struct
import time
import tracemalloc

import numpy as np
import pytest

from core.clips.clip import Channel, Property
from core.errors import FormatError
from core.io import load
from core.io.native.write import to_bytes
from tests.core.io import making
from tests.core.io.test_bvh import HEAD, ROWS

SECONDS, MEGABYTES = 2.0, 500


def refused(path, data):
    """The error of a file with these bytes; it must come within the limits."""
    path.write_bytes(data)
    tracemalloc.start()
    began = time.perf_counter()
    try:
        with pytest.raises(FormatError) as caught:
            load(path)
        took, peak = time.perf_counter() - began, tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert took < 5 * SECONDS  # five times the goal: this may be a busy machine, and is being traced
    assert peak < MEGABYTES << 20
    error = caught.value
    assert error.path == str(path)
    assert error.reason
    assert "please report" not in str(error)
    return error


def gltf_document():
    """A cube's corner on two joints, skinned, with a morph target and a clip."""
    floats = np.arange(64, dtype=np.float32) / 64
    data = floats.tobytes() + np.array([0, 1, 2], np.uint16).tobytes() + bytes(12) + b"\0\0"
    view = {"buffer": 0, "byteOffset": 0, "byteLength": 256}
    places = [
        view,
        {"buffer": 0, "byteOffset": 256, "byteLength": 6},
        {"buffer": 0, "byteOffset": 262, "byteLength": 12},
    ]
    document = {
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [0, 2]}],
        "nodes": [
            {"name": "a", "children": [1]},
            {"name": "b", "translation": [0, 1, 0]},
            {"mesh": 0, "skin": 0},
        ],
        "skins": [{"joints": [0, 1], "inverseBindMatrices": 5}],
        "meshes": [
            {
                "primitives": [
                    {
                        "attributes": {"POSITION": 0, "JOINTS_0": 2, "WEIGHTS_0": 3},
                        "indices": 1,
                        "targets": [{"POSITION": 0}],
                    }
                ]
            }
        ],
        "animations": [
            {
                "samplers": [{"input": 4, "output": 3}, {"input": 4, "output": 6, "interpolation": "STEP"}],
                "channels": [
                    {"sampler": 0, "target": {"node": 1, "path": "rotation"}},
                    {"sampler": 1, "target": {"node": 2, "path": "weights"}},
                ],
            }
        ],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3", "byteOffset": 16},
            {"bufferView": 1, "componentType": 5123, "count": 3, "type": "SCALAR"},
            {"bufferView": 2, "componentType": 5121, "count": 3, "type": "VEC4"},
            {"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC4", "byteOffset": 4},
            {"bufferView": 0, "componentType": 5126, "count": 3, "type": "SCALAR"},
            {"bufferView": 0, "componentType": 5126, "count": 2, "type": "MAT4"},
            {"bufferView": 0, "componentType": 5126, "count": 3, "type": "SCALAR"},
        ],
        "bufferViews": places,
        "buffers": [{"byteLength": len(data)}],
    }
    return document, data


def glb(change=lambda document: None):
    document, data = gltf_document()
    change(document)
    text = json.dumps(document).encode()
    text += b" " * (-len(text) % 4)
    body = data + b"\0" * (-len(data) % 4)
    chunks = struct.pack("<I4s", len(text), b"JSON") + text + struct.pack("<I4s", len(body), b"BIN\0") + body
    return struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks


def native():
    rng = np.random.default_rng(0)
    tracks = {("b0", 1, 3): making.turning(rng), ("b1", 0, 0): making.scalar(rng)}
    tracks = {Channel(b, Property(p), a): t for (b, p, a), t in tracks.items()}
    return to_bytes(making.with_clip(making.small(), tracks, 2.0))


def bvh():
    return (HEAD + "MOTION\nFrames: 3\nFrame Time: 0.04\n" + "\n".join(ROWS) + "\n").encode()


SMALL = {
    ".glb": glb,
    ".gltf": lambda: json.dumps({**gltf_document()[0], "buffers": []}).encode(),
    ".bvh": bvh,
    ".posewright": native,
}


def put(*path):
    """A change that puts a value at a place of the document."""
    *keys, last, value = path

    def change(document):
        for key in keys:
            document = document[key]
        document[last] = value

    return change

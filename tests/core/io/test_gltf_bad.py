"""Absurd and hostile glTF files are refused with the place that is wrong."""

import struct

import pytest

from core.io.gltf.builder import as_glb
from tests.core.io.broken import glb, gltf_document, put, refused


def without_view(kind, count, component=5126):
    """An accessor with no data of its own."""
    return {"componentType": component, "type": kind, "count": count}


GLTF_CASES = {
    "negative count": (put("accessors", 0, "count", -1), "accessors[0].count"),
    "no count": (put("accessors", 0, "count", 0), "accessors[0].count"),
    "huge count": (put("accessors", 0, "count", 10**12), "accessors[0].count"),
    "huge count of nothing": (
        put("accessors", 0, {"componentType": 5126, "type": "VEC3", "count": 10**9}),
        "accessors[0].count",
    ),
    "huge offset": (put("accessors", 0, "byteOffset", 10**15), "accessors[0].count"),
    "negative offset": (put("accessors", 0, "byteOffset", -4), "accessors[0].byteOffset"),
    "view outside": (put("bufferViews", 0, "byteLength", 10**9), "bufferViews[0]"),
    "view nowhere": (put("accessors", 0, "bufferView", 99), "accessors[0].bufferView"),
    "unknown component": (put("accessors", 0, "componentType", 7), "accessors[0].componentType"),
    "unknown type": (put("accessors", 0, "type", "VEC9"), "accessors[0].type"),
    "tiny stride": (put("bufferViews", 0, "byteStride", 4), "accessors["),
    "buffer too long": (put("buffers", 0, "byteLength", 10**12), "buffers[0].byteLength"),
    "buffer elsewhere": (put("buffers", 0, "uri", "../../../../etc/passwd"), "buffers[0].uri"),
    "buffer absolute": (put("buffers", 0, "uri", "/etc/passwd"), "buffers[0].uri"),
    "buffer hidden": (put("buffers", 0, "uri", "%2e%2e/%2e%2e/etc/passwd"), "buffers[0].uri"),
    "buffer from the net": (put("buffers", 0, "uri", "file:///etc/passwd"), "buffers[0].uri"),
    "buffer not there": (put("buffers", 0, "uri", "gone.bin"), "buffers[0].uri"),
    "buffer not base64": (put("buffers", 0, "uri", "data:;base64,!!!"), "buffers[0].uri"),
    "own child": (put("nodes", 0, "children", [0]), "nodes[0].children"),
    "cycle": (put("nodes", 1, "children", [0]), "nodes["),
    "two parents": (put("nodes", 2, "children", [1]), "nodes[2].children"),
    "child nowhere": (put("nodes", 0, "children", [77]), "nodes[0].children[0]"),
    "NaN translation": (put("nodes", 1, "translation", [0, float("nan"), 0]), "nodes[1].translation"),
    "infinite matrix": (put("nodes", 1, "matrix", [float("inf")] * 16), "nodes[1].matrix"),
    "short matrix": (put("nodes", 1, "matrix", [1.0]), "nodes[1].matrix"),
    "zero quaternion": (put("nodes", 1, "rotation", [0, 0, 0, 0]), "nodes[1].rotation"),
    "joint twice": (put("skins", 0, "joints", [0, 0]), "skins[0].joints"),
    "no joints": (put("skins", 0, "joints", []), "skins[0].joints"),
    "joint nowhere": (put("skins", 0, "joints", [0, 99]), "skins[0].joints[1]"),
    "few bind matrices": (put("accessors", 5, "count", 1), "skins[0].inverseBindMatrices"),
    "keys without values": (put("accessors", 3, "count", 2), ""),
    "unknown interpolation": (
        put("animations", 0, "samplers", 0, "interpolation", "BEZIER"),
        "animations[0].samplers[0]",
    ),
    "sampler nowhere": (
        put("animations", 0, "channels", 0, "sampler", 5),
        "animations[0].channels[0].sampler",
    ),
    "wrong version": (put("asset", "version", "1.0"), "asset.version"),
    "compressed": (put("extensionsRequired", ["KHR_draco_mesh_compression"]), "extensionsRequired"),
    "index too high": (
        put(
            "accessors",
            1,
            {"bufferView": 0, "componentType": 5123, "count": 3, "type": "SCALAR", "byteOffset": 250},
        ),
        "meshes[0]",
    ),
    "nodes no list": (put("nodes", {"a": 1}), "nodes"),
    "node no object": (put("nodes", 1, 7), "nodes[1]"),
    "number no number": (put("accessors", 0, "count", "three"), "accessors[0].count"),
    "number too long": (put("accessors", 0, "count", 10**400), "accessors[0].count"),
    "no nodes": (put("nodes", []), ""),
}


@pytest.mark.parametrize("case", GLTF_CASES)
def test_gltf_absurd_file_is_refused_with_its_place(tmp_path, case):
    change, where = GLTF_CASES[case]
    error = refused(tmp_path / "a.glb", glb(change))
    assert error.where.startswith(where)
    assert error.where


def test_gltf_buffer_behind_a_link_is_refused(tmp_path):
    outside = tmp_path / "secret.bin"
    outside.write_bytes(bytes(1000))
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "link.bin").symlink_to(outside)
    error = refused(folder / "a.glb", glb(put("buffers", 0, "uri", "link.bin")))
    assert error.where == "buffers[0].uri"


@pytest.mark.parametrize(
    "text",
    [
        b'{"a":' * 100_000,
        b"[" * 1_000_000,
        b'{"a":' + b"[" * 500 + b"}",
        b'{"asset":{"version":"2.0"},"x":[' + b"{}," * 4_000_000,
    ],
    ids=["deep objects", "deep lists", "crossed", "four million objects"],
)
def test_json_bombs_are_refused(tmp_path, text):
    refused(tmp_path / "a.gltf", b'{"b":' + text)


def test_gltf_one_small_buffer_named_a_million_times_is_refused(tmp_path):
    document, data = gltf_document()
    data = data + bytes(1 << 20)
    document["buffers"] = [{"byteLength": len(data)}]
    document["bufferViews"][0] = {"buffer": 0, "byteLength": len(data)}
    big = {"bufferView": 0, "componentType": 5121, "count": 1 << 18, "type": "VEC4"}
    count = 2000
    document["accessors"] += [big] * count
    document["meshes"][0]["primitives"] = [
        {"attributes": {"POSITION": 0, "JOINTS_0": 7 + i, "WEIGHTS_0": 7 + i}} for i in range(count)
    ]
    document["accessors"][0] = {"bufferView": 0, "componentType": 5126, "count": 1 << 16, "type": "VEC3"}
    text = as_glb(
        {k: v for k, v in document.items() if k != "buffers"} | {"buffers": document["buffers"]}, data
    )
    refused(tmp_path / "a.glb", text)


@pytest.mark.parametrize("chunk", [0xFFFFFFFF, 10_000_000, 3])
def test_glb_chunk_lengths_that_lie_are_refused(tmp_path, chunk):
    data = bytearray(glb())
    struct.pack_into("<I", data, 12, chunk)
    refused(tmp_path / "a.glb", bytes(data))

"""Reading glTF: accessors of every make, odd names, missing images, what the report tells."""

import json

import numpy as np
import pytest

from core.io import load
from core.io.gltf.accessors import COMPONENTS, Accessors
from core.io.gltf.builder import as_glb
from core.io.gltf.container import Container
from core.math.transform import to_matrix
from tests.core.io.broken import glb, gltf_document, put


def read(tmp_path, *changes):
    def change(document):
        for one in changes:
            one(document)

    path = tmp_path / "a.glb"
    path.write_bytes(glb(change))
    return load(path)


def accessors(tmp_path, entries, views, data):
    """The accessors of a file with only these."""
    document = {
        "asset": {"version": "2.0"},
        "accessors": entries,
        "bufferViews": [{"buffer": 0, **view} for view in views],
        "buffers": [{"byteLength": len(data)}],
    }
    path = tmp_path / "a.glb"
    path.write_bytes(as_glb(document, data))
    return Accessors(Container(path))


@pytest.mark.parametrize(("code", "kind"), COMPONENTS.items())
@pytest.mark.parametrize("normalized", [False, True])
def test_accessor_component_types(tmp_path, code, kind, normalized):
    values = np.array([[0, 1], [2, 100]]).astype(kind)
    if np.dtype(kind).kind == "i":
        values[0, 0] = np.iinfo(kind).min
    entry = {"bufferView": 0, "componentType": code, "count": 2, "type": "VEC2", "normalized": normalized}
    found = accessors(tmp_path, [entry], [{"byteLength": values.nbytes}], values.tobytes()).read(0, ("VEC2",))
    wanted = values.astype(np.float64)
    if normalized and np.dtype(kind).kind in "iu":
        wanted = np.maximum(wanted / np.iinfo(kind).max, -1.0)
    assert found.tolist() == wanted.tolist()


def test_accessor_interleaved_by_stride(tmp_path):
    data = np.arange(24, dtype=np.float32)
    entries = [
        {"bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3", "byteOffset": 0},
        {"bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC2", "byteOffset": 12},
    ]
    both = accessors(tmp_path, entries, [{"byteLength": 96, "byteStride": 24}], data.tobytes())
    rows = data.reshape(4, 6)
    assert both.read(0, ("VEC3",)).tolist() == rows[:, :3].tolist()
    assert both.read(1, ("VEC2",)).tolist() == rows[:, 3:5].tolist()


@pytest.mark.parametrize("based", [False, True])
def test_accessor_sparse_with_and_without_a_base(tmp_path, based):
    base = np.arange(12, dtype=np.float32)
    where, values = np.array([1, 3], np.uint16), np.array([[9, 9, 9], [8, 8, 8]], np.float32)
    data = base.tobytes() + where.tobytes() + values.tobytes()
    entry = {
        "componentType": 5126, "count": 4, "type": "VEC3", **({"bufferView": 0} if based else {}),
        "sparse": {"count": 2, "indices": {"bufferView": 1, "componentType": 5123}, "values": {"bufferView": 2}},
    }  # fmt: skip
    views = [{"byteLength": 48}, {"byteOffset": 48, "byteLength": 4}, {"byteOffset": 52, "byteLength": 24}]
    wanted = base.reshape(4, 3).copy() if based else np.zeros((4, 3))
    wanted[where] = values
    assert accessors(tmp_path, [entry], views, data).read(0, ("VEC3",)).tolist() == wanted.tolist()


def test_accessor_small_matrices_have_padded_columns(tmp_path):
    data = bytes([1, 2, 3, 0, 4, 5, 6, 0, 7, 8, 9, 0])
    entry = {"bufferView": 0, "componentType": 5121, "count": 1, "type": "MAT3"}
    found = accessors(tmp_path, [entry], [{"byteLength": 12}], data).read(0, ("MAT3",))
    assert found.tolist() == [list(range(1, 10))]


def test_gltf_joints_without_a_name_or_with_a_name_twice_import(tmp_path):
    loaded = read(tmp_path, put("nodes", 0, "name", "b"))
    assert loaded.project.rigs[0].skeleton.names == ("b", "b.001")
    assert loaded.report.renamed == [("b", "b.001")]
    loaded = read(tmp_path, lambda d: [d["nodes"][i].pop("name") for i in (0, 1)])
    assert loaded.project.rigs[0].skeleton.names == ("node_0", "node_1")
    assert "2 bones have no name" in loaded.report.warnings[0]


def test_gltf_skin_without_mesh_imports(tmp_path):
    def bare(document):
        document["nodes"].pop()
        document.pop("meshes")
        document["animations"][0]["channels"].pop()

    loaded = read(tmp_path, bare)
    assert len(loaded.project.rigs[0].skeleton) == 2
    assert len(loaded.project.clips) == 1


def test_gltf_node_matrix_becomes_a_transform_and_shear_is_told(tmp_path):
    matrix = np.array([[0, -2, 0, 5], [3, 0, 0, 6], [0, 0, 1, 7], [0, 0, 0, 1.0]])
    loaded = read(tmp_path, put("nodes", 0, "matrix", matrix.T.ravel().tolist()))
    rest = loaded.project.rigs[0].skeleton.rest
    assert np.abs(to_matrix(rest)[0] - matrix).max() < 1e-12
    matrix[0, 2] = 0.5
    loaded = read(tmp_path, put("nodes", 0, "matrix", matrix.T.ravel().tolist()))
    assert any("shear" in warning for warning in loaded.report.warnings)


def test_gltf_rigid_mesh_hangs_on_its_node(tmp_path):
    loaded = read(tmp_path, lambda d: d["nodes"][2].pop("skin"))
    (mesh,) = loaded.project.meshes_of(loaded.project.rigs[0].id)
    assert mesh.bones == ("node_2",)
    assert loaded.project.rigs[0].skeleton.find("node_2") is not None


def test_gltf_missing_image_is_told_and_the_rest_imported(tmp_path):
    def textured(document):
        document["images"] = [{"uri": "gone.png"}, {"uri": "../../secret.png"}]
        document["textures"] = [{"source": 0}, {"source": 1}]
        document["materials"] = [
            {"pbrMetallicRoughness": {"baseColorTexture": {"index": i}, "baseColorFactor": [1, 0, 0, 1]}}
            for i in (0, 1)
        ]
        document["meshes"][0]["primitives"][0]["material"] = 1

    loaded = read(tmp_path, textured)
    assert any("gone.png" in warning for warning in loaded.report.warnings)
    assert any("same folder" in warning for warning in loaded.report.warnings)
    (mesh,) = loaded.project.meshes_of(loaded.project.rigs[0].id)
    assert mesh.materials[0].color == (1.0, 0.0, 0.0, 1.0)
    assert mesh.materials[0].texture is None


@pytest.mark.parametrize(("mode", "wanted"), [(4, [[0, 1, 2]]), (5, [[0, 1, 2]]), (6, [[1, 2, 0]])])
def test_gltf_triangle_modes(tmp_path, mode, wanted):
    loaded = read(tmp_path, put("meshes", 0, "primitives", 0, "mode", mode))
    (mesh,) = loaded.project.meshes_of(loaded.project.rigs[0].id)
    assert mesh.triangles.tolist() == wanted


def test_gltf_lines_are_left_out_and_told(tmp_path):
    loaded = read(tmp_path, put("meshes", 0, "primitives", 0, "mode", 1))
    assert loaded.project.meshes_of(loaded.project.rigs[0].id) == ()
    assert "points and lines" in loaded.report.left_out


def test_gltf_two_keys_at_one_time_are_kept_apart(tmp_path):
    """A jump made of two keys at the same time stays a jump."""
    document, data = gltf_document()
    times = np.array([0.0, 0.5, 0.5], np.float32)
    view = {"buffer": 0, "byteOffset": len(data), "byteLength": 12}
    document["bufferViews"].append(view)
    document["accessors"][4] = {"bufferView": 3, "componentType": 5126, "count": 3, "type": "SCALAR"}
    data += times.tobytes()
    document["buffers"][0]["byteLength"] = len(data)
    path = tmp_path / "a.glb"
    path.write_bytes(as_glb(document, data))
    loaded = load(path)
    track = next(iter(loaded.project.clips[0].tracks.values()))
    assert track.times.tolist() == pytest.approx([0.0, 0.5, 0.50001], abs=1e-9)
    assert any("same time" in warning for warning in loaded.report.warnings)


def test_gltf_text_file_with_embedded_buffer(tmp_path):
    import base64

    document, data = gltf_document()
    uri = "data:application/octet-stream;base64," + base64.b64encode(data).decode()
    document["buffers"][0]["uri"] = uri
    path = tmp_path / "ä.gltf"
    path.write_text("\ufeff" + json.dumps(document), "utf-8")
    assert load(path).project.rigs[0].name == "ä"

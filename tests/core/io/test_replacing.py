"""What replacing a file loses is told from the file itself."""

import json
import struct

import pytest

import core.io
from core.io.gltf.options import GltfWriteOptions
from core.io.registry import files_beside
from core.rig.mesh import Mesh
from tests.core.io.test_presets import walking


@pytest.fixture
def rich(tmp_path):
    """A glTF file with a normal texture, a second set of UVs, colours, a camera and extensions."""
    path = tmp_path / "rich.gltf"
    core.io.save(walking(), path, GltfWriteOptions(embed=True))
    told = json.loads(path.read_text("utf-8"))
    material = told.setdefault("materials", [{}])[0]
    material["normalTexture"] = {"index": 0}
    material["extensions"] = {"KHR_materials_clearcoat": {}}
    told.setdefault("images", []).append({"uri": "data:image/png;base64,iVBORw0KGgo="})
    told.setdefault("textures", []).append({"source": 0})
    told["cameras"] = [{"type": "perspective", "perspective": {"yfov": 1.0, "znear": 0.1}}]
    told["extensionsUsed"] = ["KHR_materials_clearcoat", "EXT_lights_image_based"]
    for primitive in told["meshes"][0]["primitives"]:
        attributes = primitive["attributes"]
        attributes["TEXCOORD_1"] = (
            attributes["TEXCOORD_0"] if "TEXCOORD_0" in attributes else attributes["POSITION"]
        )
    path.write_text(json.dumps(told), "utf-8")
    return path


def test_what_is_not_taken_in_is_told_as_lost(rich):
    lost = "; ".join(core.io.lost_by_replacing(rich, core.io.load(rich).project))
    for what in (
        "normal textures",
        "TEXCOORD_1",
        "cameras",
        "KHR_materials_clearcoat",
        "EXT_lights_image_based",
    ):
        assert what in lost


def test_clips_meshes_and_morphs_that_are_gone_are_told(tmp_path):
    project = walking()
    core.io.save(project, tmp_path / "a.glb")
    less = project.without(project.clips[0].id, *(mesh.id for mesh in project.all(Mesh)))
    lost = core.io.lost_by_replacing(tmp_path / "a.glb", less)
    assert f"clip {project.clips[0].name!r}" in lost
    assert any(text.startswith("mesh ") for text in lost)


def test_same_project_again_loses_nothing(tmp_path):
    core.io.save(walking(), tmp_path / "a.glb")
    assert core.io.lost_by_replacing(tmp_path / "a.glb", core.io.load(tmp_path / "a.glb").project) == ()


def test_unreadable_file_is_told_as_lost_whole(tmp_path):
    (tmp_path / "a.glb").write_bytes(struct.pack("<4sII", b"glTF", 2, 12))
    (lost,) = core.io.lost_by_replacing(tmp_path / "a.glb", walking())
    assert "all that is in it now" in lost


def test_no_file_loses_nothing(tmp_path):
    assert core.io.lost_by_replacing(tmp_path / "a.glb", walking()) == ()


def test_gltf_writes_a_buffer_beside_unless_it_is_embedded(tmp_path):
    assert [p.name for p in files_beside(tmp_path / "a.gltf")] == ["a.bin"]
    assert (
        files_beside(tmp_path / "a.gltf", options=GltfWriteOptions(embed=True))
        == files_beside(tmp_path / "a.glb")
        == ()
    )

"""Base colours of every format: textures and how they lie, vertex colours, opacity, sides; and the heads of images."""

import json
import struct
import zipfile
import zlib
from dataclasses import replace

import numpy as np
import pytest

from core.io import load, save
from core.io.common.images import image_size, media_type, why_not_drawn
from core.rig.mesh import AlphaMode, Material, Texture, Wrap
from tests.core.io import making

IMAGE = Texture("image/png", making.PNG)


def png(width, height, body=b""):
    """A PNG whose head tells a size that its body need not have."""

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + head + chunk(b"IDAT", zlib.compress(body)) + chunk(b"IEND", b"")


def dressed(*materials, colors=True):
    project = making.small()
    mesh = project.meshes_of(project.rigs[0].id)[0]
    painted = np.random.default_rng(5).uniform(0.1, 0.9, (len(mesh.positions), 4)).astype(np.float32)
    return project.with_assets(replace(mesh, materials=materials, colors=painted if colors else None))


def only_mesh(project):
    return project.meshes_of(project.rigs[0].id)[0]


def corner_colors(mesh):
    """Colours by corner, in an order that does not depend on how vertices are numbered."""
    rows = np.concatenate([mesh.positions, mesh.colors], axis=1)[mesh.triangles]
    return rows.reshape(-1, 7)


LYING = replace(
    IMAGE, wrap=(Wrap.CLAMP, Wrap.MIRROR), smooth=False, offset=(0.25, -0.5), rotation=0.5, scale=(2.0, 3.0)
)
SKIN = Material("skin", (0.5, 0.25, 1.0, 1.0), 0.0, 0.5, True, LYING, AlphaMode.MASK, 0.3)
GLASS = Material("glass", (0.5, 0.25, 1.0, 0.5), 0.0, 0.5, False, IMAGE, AlphaMode.BLEND)


@pytest.mark.parametrize("suffix", [".glb", ".gltf", ".posewright"])
def test_save_surfaces_come_back_whole(suffix, tmp_path):
    first = dressed(SKIN, GLASS)
    save(first, tmp_path / f"a{suffix}")
    one, two = only_mesh(first), only_mesh(load(tmp_path / f"a{suffix}").project)
    assert two.materials == one.materials
    assert np.array_equal(corner_colors(two), corner_colors(one))


def test_save_fbx_vertex_colours_opacity_and_texture_come_back(tmp_path):
    clear = replace(GLASS, texture=None, metallic=0.0)
    first = dressed(clear, replace(clear, name="solid", color=(0.5, 0.5, 0.5, 1.0), alpha=AlphaMode.OPAQUE))
    save(first, tmp_path / "a.fbx")
    two = only_mesh(load(tmp_path / "a.fbx").project)
    assert np.allclose(corner_colors(two)[:, 3:], corner_colors(only_mesh(first))[:, 3:], atol=1e-6)
    assert [m.alpha for m in two.materials] == [AlphaMode.BLEND, AlphaMode.OPAQUE]
    assert two.materials[0].color == pytest.approx((0.5, 0.25, 1.0, 0.5), abs=1e-6)


def test_save_usd_vertex_colours_masks_and_wraps_come_back(tmp_path):
    pytest.importorskip("pxr")
    masked = Material("skin", (0.5, 0.25, 1.0, 1.0), 0.25, 0.5, True, replace(IMAGE, wrap=(Wrap.CLAMP, Wrap.MIRROR)),
                      AlphaMode.MASK, 0.25)  # fmt: skip
    first = dressed(masked, replace(masked, name="plain", texture=None, alpha=AlphaMode.OPAQUE, cutoff=0.5))
    save(first, tmp_path / "a.usda")
    two = only_mesh(load(tmp_path / "a.usda").project)
    assert two.materials == only_mesh(first).materials
    assert np.allclose(corner_colors(two)[:, 3:], corner_colors(only_mesh(first))[:, 3:], atol=1e-6)


def test_read_native_before_surfaces_blends_what_was_sheer(tmp_path):
    """A mesh document of version 1, as files had it before opacity had a meaning of its own."""
    save(dressed(SKIN, GLASS, colors=False), tmp_path / "new.posewright")
    with (
        zipfile.ZipFile(tmp_path / "new.posewright") as new,
        zipfile.ZipFile(tmp_path / "old.posewright", "w") as old,
    ):
        for name in new.namelist():
            data = new.read(name)
            if name.endswith(".json"):
                document = json.loads(data)
                if document.get("schema") == "posewright.mesh":
                    document["version"] = 1
                    document.pop("colors")
                    for material in document["materials"]:
                        for key in ("alpha", "cutoff"):
                            material.pop(key)
                        for key in ("wrap", "smooth", "offset", "rotation", "scale"):
                            material["texture"].pop(key)
                data = json.dumps(document).encode()
            old.writestr(name, data)
    skin, glass = only_mesh(load(tmp_path / "old.posewright").project).materials
    assert (skin.alpha, glass.alpha) == (AlphaMode.OPAQUE, AlphaMode.BLEND)
    assert skin.texture == IMAGE


def gltf(tmp_path, change):
    save(dressed(SKIN, GLASS), tmp_path / "a.gltf")
    document = json.loads((tmp_path / "a.gltf").read_text())
    change(document)
    (tmp_path / "a.gltf").write_text(json.dumps(document))
    return load(tmp_path / "a.gltf")


def test_read_gltf_of_specular_and_gloss_has_its_diffuse_colour(tmp_path):
    def older(document):
        look = document["materials"][0].pop("pbrMetallicRoughness")
        document["materials"][0]["extensions"] = {
            "KHR_materials_pbrSpecularGlossiness": {
                "diffuseFactor": [0.25, 0.5, 0.75, 1.0],
                "diffuseTexture": look["baseColorTexture"],
                "glossinessFactor": 0.25,
            }
        }

    material = only_mesh(gltf(tmp_path, older).project).materials[0]
    assert material.color == (0.25, 0.5, 0.75, 1.0)
    assert material.texture == LYING
    assert (material.metallic, material.roughness) == (0.0, 0.75)


def test_read_gltf_image_beyond_measure_is_kept_and_told(tmp_path):
    huge = png(60_000, 60_000)

    def swollen(document):
        import base64

        document["images"] = [
            {"uri": "data:image/png;base64," + base64.b64encode(huge).decode(), "name": "Skin"}
        ]
        for texture in document["textures"]:
            texture["source"] = 0

    loaded = gltf(tmp_path, swollen)
    assert only_mesh(loaded.project).materials[0].texture.data == huge
    (told,) = [text for text in loaded.report.warnings if "not drawn" in text]
    assert "Skin" in told
    assert "60000 × 60000" in told


@pytest.mark.parametrize("form", ["PNG", "JPEG", "WEBP"])
@pytest.mark.parametrize("settings", [{}, {"lossless": True}, {"progressive": True}])
def test_image_head_tells_the_size_that_pillow_reads(form, settings, tmp_path):
    image = pytest.importorskip("PIL.Image")
    picture = image.fromarray(np.random.default_rng(1).integers(0, 255, (37, 123, 3)).astype(np.uint8))
    picture.save(tmp_path / "a", form, **settings)
    data = (tmp_path / "a").read_bytes()
    assert media_type(data) == f"image/{form.lower()}"
    assert image_size(data) == (123, 37)
    assert why_not_drawn(data) == ""
    for end in range(0, len(data), 7):
        image_size(data[:end])  # however it is cut, it is no exception


@pytest.mark.parametrize("size", [(60_000, 60_000), (16_385, 1), (0, 4), (16_000, 16_000)])
def test_image_of_no_sensible_size_is_not_drawn(size):
    assert f"{size[0]} × {size[1]}" in why_not_drawn(png(*size))

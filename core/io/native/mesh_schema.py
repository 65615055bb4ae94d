"""Meshes in native files."""

from dataclasses import asdict
from typing import Any

from core.ids import AssetId
from core.io.native.packs import PackReader, PackWriter
from core.io.native.schema import AssetKind, Document, Schema
from core.io.values import Value
from core.rig.mesh import Material, Mesh, MeshPart, MorphTarget, Texture

ARRAYS = ("positions", "normals", "triangles", "inverse_bind", "influences", "weights", "uvs")
SUFFIXES = {"image/png": "png", "image/jpeg": "jpg", "image/webp": "webp"}


def _to_document(mesh: Mesh, packs: PackWriter) -> Document:
    arrays = {name: getattr(mesh, name) for name in ARRAYS}
    return {
        "id": mesh.id,
        "name": mesh.name,
        "rig": mesh.rig,
        "joints": list(mesh.joints),
        **{name: None if array is None else packs.put(array) for name, array in arrays.items()},
        "materials": [_put_material(material, packs) for material in mesh.materials],
        "parts": [asdict(part) for part in mesh.parts],
        "morphs": [
            {
                "name": morph.name,
                "positions": packs.put(morph.positions),
                "normals": None if morph.normals is None else packs.put(morph.normals),
                "default_weight": morph.default_weight,
            }
            for morph in mesh.morphs
        ],
    }


def _put_material(material: Material, packs: PackWriter) -> Document:
    texture = material.texture
    return {
        "name": material.name,
        "color": list(material.color),
        "metallic": material.metallic,
        "roughness": material.roughness,
        "double_sided": material.double_sided,
        "texture": None
        if texture is None
        else {
            "media_type": texture.media_type,
            **packs.put_bytes(texture.data, SUFFIXES.get(texture.media_type, "bin")),
        },
    }


def _from_document(value: Value, packs: PackReader) -> Mesh:
    arrays: dict[str, Any] = {name: _array(value, name, packs) for name in ARRAYS}
    return Mesh(
        id=AssetId(value.text("id")),
        name=value.text("name"),
        rig=AssetId(value.text("rig")),
        joints=value.texts("joints"),
        materials=tuple(_material(material, packs) for material in value.objects("materials")),
        parts=tuple(
            MeshPart(part.integer("start"), part.integer("count"), part.integer("material"))
            for part in value.objects("parts")
        ),
        morphs=tuple(
            MorphTarget(
                morph.text("name"),
                packs.get(morph.required("positions")),
                _array(morph, "normals", packs),
                morph.number("default_weight", 0.0),
            )
            for morph in value.objects("morphs")
        ),
        **arrays,
    )


def _array(value: Value, key: str, packs: PackReader) -> Any:
    """An array that may be None."""
    ref = value.required(key)
    return None if ref is None else packs.get(ref)


def _material(value: Value, packs: PackReader) -> Material:
    red, green, blue, alpha = value.floats("color", 4).tolist()
    texture = None
    if value.has("texture"):
        image = value.object("texture")
        texture = Texture(image.text("media_type"), packs.get_bytes(image.data))
    return Material(
        value.text("name"),
        (red, green, blue, alpha),
        value.number("metallic", 0.0),
        value.number("roughness", 1.0),
        value.flag("double_sided"),
        texture,
    )


KIND = AssetKind("mesh", Mesh, Schema("posewright.mesh", 1), _to_document, _from_document)

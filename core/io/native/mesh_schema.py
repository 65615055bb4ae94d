"""Meshes in native files."""

from dataclasses import asdict
from typing import Any

from core.ids import AssetId
from core.io.native.packs import PackReader, PackWriter
from core.io.native.schema import AssetKind, Document, Schema
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


def _from_document(document: Document, packs: PackReader) -> Mesh:
    arrays: dict[str, Any] = {
        name: None if document[name] is None else packs.get(document[name]) for name in ARRAYS
    }
    return Mesh(
        id=AssetId(document["id"]),
        name=document["name"],
        rig=AssetId(document["rig"]),
        joints=tuple(document["joints"]),
        materials=tuple(_material(m, packs) for m in document["materials"]),
        parts=tuple(MeshPart(p["start"], p["count"], p["material"]) for p in document["parts"]),
        morphs=tuple(
            MorphTarget(
                m["name"],
                packs.get(m["positions"]),
                None if m["normals"] is None else packs.get(m["normals"]),
                m["default_weight"],
            )
            for m in document["morphs"]
        ),
        **arrays,
    )


def _material(values: Document, packs: PackReader) -> Material:
    texture = values["texture"]
    red, green, blue, alpha = values["color"]
    return Material(
        values["name"],
        (red, green, blue, alpha),
        values["metallic"],
        values["roughness"],
        values["double_sided"],
        None if texture is None else Texture(texture["media_type"], packs.get_bytes(texture)),
    )


KIND = AssetKind("mesh", Mesh, Schema("posewright.mesh", 1), _to_document, _from_document)

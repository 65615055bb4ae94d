"""Meshes in native files."""

from dataclasses import asdict
from typing import Any

from core.ids import AssetId
from core.io.native.packs import PackReader, PackWriter
from core.io.native.schema import AssetKind, Document, Schema
from core.json_values import Value
from core.rig.mesh import AlphaMode, Material, Mesh, MeshPart, MorphTarget, Texture, Wrap

ARRAYS = ("positions", "normals", "triangles", "inverse_bind", "influences", "weights", "uvs", "colors")
SUFFIXES = {"image/png": "png", "image/jpeg": "jpg", "image/webp": "webp"}


def _to_document(mesh: Mesh, packs: PackWriter) -> Document:
    arrays = {name: getattr(mesh, name) for name in ARRAYS}
    return {
        "id": mesh.id,
        "name": mesh.name,
        "rig": mesh.rig,
        "joints": list(mesh.bones),
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
        "alpha": str(material.alpha),
        "cutoff": material.cutoff,
        "texture": None
        if texture is None
        else {
            "media_type": texture.media_type,
            "wrap": [str(wrap) for wrap in texture.wrap],
            "smooth": texture.smooth,
            "offset": list(texture.offset),
            "rotation": texture.rotation,
            "scale": list(texture.scale),
            **packs.put_bytes(texture.data, SUFFIXES.get(texture.media_type, "bin")),
        },
    }


def _from_document(value: Value, packs: PackReader) -> Mesh:
    arrays: dict[str, Any] = {name: _array(value, name, packs) for name in ARRAYS}
    return Mesh(
        id=AssetId(value.text("id")),
        name=value.text("name"),
        rig=AssetId(value.text("rig")),
        bones=value.texts("joints"),
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
    red, green, blue, opacity = value.floats("color", 4).tolist()
    return Material(
        value.text("name"),
        (red, green, blue, opacity),
        value.number("metallic", 0.0),
        value.number("roughness", 1.0),
        value.flag("double_sided"),
        _texture(value.object("texture"), packs) if value.has("texture") else None,
        value.choice("alpha", {str(mode): mode for mode in AlphaMode}),
        value.number("cutoff", 0.5),
    )


def _texture(value: Value, packs: PackReader) -> Texture:
    words = value.texts("wrap")
    if len(words) != 2 or not set(words) <= set(Wrap):
        raise value.error(f"expected two of {', '.join(Wrap)}", "wrap")
    across, down = (Wrap(word) for word in words)
    (x, y), (wide, high) = value.floats("offset", 2).tolist(), value.floats("scale", 2).tolist()
    return Texture(
        value.text("media_type"), packs.get_bytes(value.data), (across, down), value.flag("smooth"),
        (x, y), value.number("rotation", 0.0), (wide, high),
    )  # fmt: skip


def _with_surfaces(document: Document) -> Document:
    """Version 2: vertex colours, what opacity means, how textures lie. Before, opacity below 1 was blended."""

    def dressed(material: Any) -> Any:
        if not isinstance(material, dict):
            return material
        colour, texture = material.get("color"), material.get("texture")
        opacity = colour[3] if isinstance(colour, list) and len(colour) == 4 else 1.0
        sheer = isinstance(opacity, int | float) and opacity < 1.0
        found = {**material, "alpha": "blend" if sheer else "opaque", "cutoff": 0.5}
        if isinstance(texture, dict):
            plain = {"wrap": ["repeat", "repeat"], "smooth": True, "offset": [0.0, 0.0], "rotation": 0.0,
                     "scale": [1.0, 1.0]}  # fmt: skip
            found["texture"] = {**plain, **texture}
        return found

    materials = document.get("materials")
    return {
        **document,
        "colors": None,
        "materials": [dressed(m) for m in materials] if isinstance(materials, list) else materials,
    }


KIND = AssetKind(
    "mesh", Mesh, Schema("posewright.mesh", 2, {1: _with_surfaces}), _to_document, _from_document
)

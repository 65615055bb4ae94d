"""In the helper: meshes, skins, morph targets, materials."""

from typing import Any

import numpy as np

from core.io.fbx.ufbx_lifetime import all_of, array_of, keep, matrix_of

MOST_TEXTURE_BYTES = 64 << 20


def meshes(scene: Any, arrays: dict[str, Any]) -> list[dict[str, Any]]:
    """Each mesh once, with the nodes that show it."""
    return [_mesh(mesh, f"mesh{mesh.typed_id}", arrays) for mesh in all_of(scene.meshes) if mesh.num_vertices]


def _mesh(mesh: Any, key: str, arrays: dict[str, Any]) -> dict[str, Any]:
    arrays[f"{key}.points"] = array_of(mesh.vertices, 3)
    arrays[f"{key}.corners"] = array_of(mesh.vertex_indices, 1, np.int64)
    arrays[f"{key}.faces"] = array_of(mesh.faces, 2, np.int64)
    arrays[f"{key}.face_material"] = array_of(mesh.face_material, 1, np.int64)
    for name, attribute, width in (
        ("normal", mesh.vertex_normal, 3), ("uv", mesh.vertex_uv, 2), ("color", mesh.vertex_color, 4),
    ):  # fmt: skip
        keep(attribute)
        if attribute.exists:
            arrays[f"{key}.{name}"] = array_of(attribute.values, width)
            arrays[f"{key}.{name}_index"] = array_of(attribute.indices, 1, np.int64)
    places = []
    for node in all_of(mesh.instances):
        arrays[f"{key}.geometry{node.typed_id}"] = matrix_of(keep(node.geometry_to_node))
        places.append(node.typed_id)
    skins = all_of(mesh.skin_deformers)
    return {
        "key": key,
        "name": mesh.name,
        "nodes": places,
        "skins": len(skins),
        "skin": _skin(skins[0], key, arrays) if skins else None,
        "morphs": _morphs(mesh, key, arrays),
        "materials": [_material(material, arrays) for material in all_of(mesh.materials)],
    }


def _skin(skin: Any, key: str, arrays: dict[str, Any]) -> dict[str, Any]:
    bones: list[int] = []
    binds, vertices, weights, numbers = [], [], [], []
    for cluster in all_of(skin.clusters):
        node = keep(cluster.bone_node)
        if node is None:
            continue
        rows = array_of(cluster.vertices, 1, np.int64)
        vertices.append(rows)
        weights.append(array_of(cluster.weights, 1))
        numbers.append(np.full(len(rows), len(bones), np.int64))
        binds.append(matrix_of(keep(cluster.geometry_to_bone)))
        bones.append(node.typed_id)
    arrays[f"{key}.binds"] = np.array(binds).reshape(-1, 4, 4)
    arrays[f"{key}.skin_vertices"] = np.concatenate(vertices) if vertices else np.zeros(0, np.int64)
    arrays[f"{key}.skin_weights"] = np.concatenate(weights) if weights else np.zeros(0)
    arrays[f"{key}.skin_bones"] = np.concatenate(numbers) if numbers else np.zeros(0, np.int64)
    return {"bones": bones, "method": skin.skinning_method.name}


def _morphs(mesh: Any, key: str, arrays: dict[str, Any]) -> list[dict[str, Any]]:
    told = []
    for deformer in all_of(mesh.blend_deformers):
        for channel in all_of(deformer.channels):
            shape = keep(channel.target_shape)
            if shape is None:
                continue
            name = f"{key}.morph{channel.typed_id}"
            _shape(shape, name, arrays)
            told.append(
                {
                    "key": name,
                    "channel": channel.typed_id,
                    "name": channel.name or shape.name,
                    "weight": channel.weight,
                    **_steps(channel, shape, name, arrays),
                }
            )
    return told


def _shape(shape: Any, name: str, arrays: dict[str, Any]) -> None:
    arrays[f"{name}.vertices"] = array_of(shape.offset_vertices, 1, np.int64)
    arrays[f"{name}.points"] = array_of(shape.position_offsets, 3)


def _steps(channel: Any, last: Any, name: str, arrays: dict[str, Any]) -> dict[str, Any]:
    """At what weight a channel's shape is reached, and its in-between shapes."""
    full, between = 1.0, []
    for number, step in enumerate(all_of(channel.keyframes)):
        shape = keep(step.shape)
        if shape.typed_id == last.typed_id:
            full = step.target_weight
            continue
        _shape(shape, f"{name}.{number}", arrays)
        between.append({"key": f"{name}.{number}", "weight": step.target_weight})
    return {"full": full, "between": between}


def _material(material: Any, arrays: dict[str, Any]) -> dict[str, Any]:
    fbx, pbr = keep(material.fbx), keep(material.pbr)
    diffuse, base = keep(fbx.diffuse_color), keep(pbr.base_color)
    if not diffuse.has_value and keep(diffuse.texture) is None:
        diffuse = base
    colour = list(keep(diffuse.value_vec4))[:3] if diffuse.has_value else [0.8, 0.8, 0.8]
    texture = keep(diffuse.texture) or keep(base.texture)
    features = keep(material.features)
    see_through = keep(keep(pbr.opacity).texture) or keep(keep(fbx.transparency_color).texture)
    told: dict[str, Any] = {
        "name": material.name, "color": colour, "texture": None, "file": "",
        "opacity": _opacity(fbx, pbr),
        "double_sided": bool(keep(features.double_sided).enabled),
        # An image that holds the colour and the opacity: other masks are not read.
        "cut_out": see_through is not None and texture is not None and _same_file(see_through, texture),
    }  # fmt: skip
    if texture is not None:
        content = bytes(texture.content or b"")
        told["file"] = texture.filename or texture.relative_filename or ""
        told["wrap"] = [
            "clamp" if keep(w).name == "CLAMP" else "repeat" for w in (texture.wrap_u, texture.wrap_v)
        ]
        told["moved"] = bool(texture.has_uv_transform)
        if 0 < len(content) <= MOST_TEXTURE_BYTES:
            told["texture"] = f"texture{texture.typed_id}"
            arrays[f"texture{texture.typed_id}"] = np.frombuffer(content, np.uint8)
    return told


def _opacity(fbx: Any, pbr: Any) -> float:
    """Of a Phong or Lambert material, 1 less its transparent colour times the factor; white where it has none."""
    factor, colour, opacity = keep(fbx.transparency_factor), keep(fbx.transparency_color), keep(pbr.opacity)
    if opacity.has_value:
        return float(min(list(keep(opacity.value_vec4))[:3]))
    clear = max(list(keep(colour.value_vec4))[:3]) if colour.has_value else 1.0
    return 1.0 - float(clear) * (float(keep(factor.value_vec4)[0]) if factor.has_value else 0.0)


def _same_file(a: Any, b: Any) -> bool:
    return bool(a.typed_id == b.typed_id or (a.filename and a.filename == b.filename))

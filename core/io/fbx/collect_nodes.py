"""In the helper: the head of an FBX file and its nodes."""

from typing import Any

import numpy as np
import ufbx

from core.io.common.marks import NAME, RIG
from core.io.fbx.ufbx_lifetime import all_of, keep, matrix_of

COLOURS = (
    "DiffuseColor",
    "Maya|baseColor",
    "Maya|TEX_color_map",
    "base_color",
    "3dsMax|Parameters|base_color_map",
)
"""Names of the property that a texture of the base colour is on."""


STOCK_CAMERAS = "Producer "
"""How the names of cameras begin that MotionBuilder has in every file."""


def head(scene: Any) -> dict[str, Any]:
    """Units, axes, rate, producer."""
    settings, about = keep(scene.settings), keep(scene.metadata)
    axes = keep(settings.axes)
    application = keep(about.latest_application)
    producer = " ".join(part for part in (application.name, application.version) if part) or about.creator
    return {
        "version": about.version,
        "ascii": about.ascii,
        "producer": producer,
        "unit_metres": settings.unit_meters,
        "axes": [axes.right.name, axes.up.name, axes.front.name],
        "rate": settings.frames_per_second,
        "warnings": [warning.description for warning in all_of(about.warnings)][:20],
    }


def nodes(scene: Any, arrays: dict[str, Any]) -> list[dict[str, Any]]:
    """All nodes but the scene's root, parents first."""
    told, rests, worlds = [], [], []
    for node in all_of(scene.nodes):
        if node.is_root:
            continue
        parent = keep(node.parent)
        local = keep(node.local_transform)
        mesh = keep(node.mesh)
        told.append(
            {
                "id": node.typed_id,
                "name": node.name,
                "parent": -1 if parent is None or parent.is_root else parent.typed_id,
                "rig": _text(node, RIG),
                "own_name": _text(node, NAME),
                "bone": keep(node.bone) is not None,
                "aside": keep(node.camera) is not None or keep(node.light) is not None,
                "mesh": -1 if mesh is None else mesh.typed_id,
                "order": int(node.rotation_order),
                "normal": node.inherit_mode == ufbx.InheritMode.NORMAL,
            }
        )
        rests.append([*local.translation, *local.rotation, *local.scale])
        worlds.append(matrix_of(keep(node.node_to_world)))
    arrays["rest"] = np.array(rests).reshape(-1, 10)
    arrays["world"] = np.array(worlds).reshape(-1, 4, 4)
    return told


def further(scene: Any) -> list[str]:
    """Kinds of content that are not imported, in words."""
    found = [
        f"{len(items)} {kind}" if len(items) > 1 else kind
        for kind, items in (
            ("lights", scene.lights), ("constraints", scene.constraints),
            ("point caches", scene.cache_deformers),
        )
        if len(keep(items))
    ]  # fmt: skip
    stock = sum(
        keep(node.camera) is not None and node.name.startswith(STOCK_CAMERAS) for node in all_of(scene.nodes)
    )
    if stock:
        found.append(f"{stock} cameras that MotionBuilder adds to every file")
    sets = max((len(keep(mesh.uv_sets)) for mesh in all_of(scene.meshes)), default=0)
    if sets > 1:
        found.append(f"{sets - 1} further UV set" + ("s" if sets > 2 else ""))
    sets = max((len(keep(mesh.color_sets)) for mesh in all_of(scene.meshes)), default=0)
    if sets > 1:
        found.append(f"{sets - 1} further set{'s' if sets > 2 else ''} of vertex colours")
    kinds = set()
    for material in all_of(scene.materials):
        for one in all_of(material.textures):
            if one.material_prop not in COLOURS:
                kinds.add(one.material_prop)
    if kinds:
        found.append(f"textures of {', '.join(sorted(kinds)[:6])}")
    return found


def _text(element: Any, name: str) -> str:
    """A text property that our own writer put there; empty where it is not."""
    found = keep(ufbx.find_prop(keep(element.props), name))
    return "" if found is None else str(found.value_str)

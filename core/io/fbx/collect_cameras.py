"""In the helper: cameras of an FBX file, where each is and how it sees over time."""

from typing import Any

import numpy as np
import ufbx

from core.io.fbx.collect_nodes import STOCK_CAMERAS
from core.io.fbx.ufbx_lifetime import all_of, keep, matrix_of

MOST_SAMPLES = 20_000
LENS = ("FocalLength", "FieldOfView", "FieldOfViewX", "FieldOfViewY", "FilmWidth", "FilmHeight", "OrthoZoom")
"""Properties that change what a camera sees."""


def cameras(scene: Any, arrays: dict[str, Any]) -> list[dict[str, Any]]:
    """Every node with a camera; world matrices and fields of view at every frame of the first take that moves it."""
    rate = float(keep(scene.settings).frames_per_second) or 30.0
    stacks = all_of(scene.anim_stacks)
    found: list[dict[str, Any]] = []
    for node in all_of(scene.nodes):
        camera = keep(node.camera)
        if camera is None or node.name.startswith(STOCK_CAMERAS):
            continue
        moving = [stack for stack in stacks if _moves(stack, node, camera)]
        key = f"camera{len(found)}"
        times, begin = _times(moving[0], rate) if moving else (np.zeros(1), 0.0)
        worlds, fovs = [], []
        for time in times.tolist():
            moment = scene if not moving else keep(ufbx.evaluate_scene(scene, keep(moving[0].anim), time))
            now = keep(keep(moment.nodes)[node.typed_id])
            worlds.append(matrix_of(keep(now.node_to_world)))
            fovs.append([float(part) for part in keep(keep(now.camera).field_of_view_deg)])
        arrays[f"{key}.times"] = times - begin
        arrays[f"{key}.world"] = np.array(worlds).reshape(-1, 4, 4)
        arrays[f"{key}.fov"] = np.array(fovs).reshape(-1, 2)
        parallel = camera.projection_mode == ufbx.ProjectionMode.ORTHOGRAPHIC
        size = keep(camera.orthographic_size)
        found.append(
            {
                "key": key,
                "name": node.name,
                "height": float(size.y) if parallel else 0.0,
                "aspect": float(size.x / size.y) if parallel and size.y else 0.0,
                "near": float(camera.near_plane),
                "far": float(camera.far_plane),
                "rate": rate,
                "take": moving[0].name if moving else "",
                "others": [stack.name for stack in moving[1:]],
                "aimed": _aimed(node),
            }
        )
    return found


def _aimed(node: Any) -> bool:
    """Whether another node tells where it looks, which only a program with constraints knows."""
    for connection in all_of(node.connections_dst):
        if connection.dst_prop in ("LookAtProperty", "UpVectorProperty"):
            return True
    return False


def _moves(stack: Any, node: Any, camera: Any) -> bool:
    """Whether a take has curves of the camera, its node, or a node above."""
    places, at = set(), node
    while at is not None and not at.is_root:
        places.add(at.element_id)
        at = keep(at.parent)
    for layer in all_of(stack.layers):
        for prop in all_of(layer.anim_props):
            element = keep(prop.element).element_id
            if element in places or (element == camera.element_id and prop.prop_name in LENS):
                return True
    return False


def _times(stack: Any, rate: float) -> tuple[Any, float]:
    """Seconds of every frame of a take with its end, and when it begins."""
    begin, end = float(stack.time_begin), float(stack.time_end)
    count = min(int(np.floor((end - begin) * rate + 1e-6)), MOST_SAMPLES) if end > begin else 0
    times = begin + np.arange(count + 1) / rate
    if end - times[-1] > 1e-6:
        times = np.append(times, end)
    return times, begin

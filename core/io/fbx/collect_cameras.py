"""In the helper: cameras of an FBX file, where each is and how it sees over time."""

from typing import Any

import numpy as np
import ufbx

from core.arrays import FloatArray
from core.io.fbx.collect_nodes import STOCK_CAMERAS
from core.io.fbx.ufbx_lifetime import all_of, keep, matrix_of
from core.math.transform import Transform, to_matrix

MOST_SAMPLES = 20_000
MOST_SCENES = 400
"""Times at which a whole scene is evaluated, where nothing less tells a lens or an unusual way to inherit."""
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
        if moving and (not _plain(node) or _zooms(moving[0], camera)):
            times = times[:: -(-len(times) // MOST_SCENES)]
            worlds, fovs = _by_scene(scene, moving[0], node, times)
        else:
            fov = [float(part) for part in keep(camera.field_of_view_deg)]
            fovs = np.repeat([fov], len(times), axis=0)
            worlds = (
                _by_nodes(moving[0], node, times) if moving else matrix_of(keep(node.node_to_world))[None]
            )
        arrays[f"{key}.times"] = times - begin
        arrays[f"{key}.world"], arrays[f"{key}.fov"] = worlds, fovs
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


def _by_scene(scene: Any, stack: Any, node: Any, times: FloatArray) -> tuple[FloatArray, FloatArray]:
    """World matrices ``(T, 4, 4)`` and fields of view ``(T, 2)``; each time costs a whole scene, never released."""
    worlds, fovs = [], []
    for time in times.tolist():
        moment = keep(ufbx.evaluate_scene(scene, keep(stack.anim), time))
        now = keep(keep(moment.nodes)[node.typed_id])
        worlds.append(matrix_of(keep(now.node_to_world)))
        fovs.append([float(part) for part in keep(keep(now.camera).field_of_view_deg)])
    return np.array(worlds).reshape(-1, 4, 4), np.array(fovs).reshape(-1, 2)


def _by_nodes(stack: Any, node: Any, times: FloatArray) -> FloatArray:
    """World matrices ``(T, 4, 4)`` down the nodes from the top."""
    path, anim = _path(node), keep(stack.anim)
    # The scene's own root may turn and scale what is below it.
    above = keep(path[0].parent)
    base = np.eye(4) if above is None else matrix_of(keep(above.node_to_world))
    rows = np.empty((len(path), len(times), 10))
    for number, one in enumerate(path):
        for row, time in enumerate(times.tolist()):
            local = keep(ufbx.evaluate_transform(anim, one, time))
            rows[number, row] = (*local.translation, *local.rotation, *local.scale)
    world = np.repeat(base[None], len(times), axis=0)
    for part in to_matrix(Transform(rows[..., :3], rows[..., 3:7], rows[..., 7:])):
        world = world @ part
    return np.asarray(world, dtype=np.float64)


def _path(node: Any) -> list[Any]:
    """The nodes from below the scene's root to one."""
    found, at = [], node
    while at is not None and not at.is_root:
        found.append(at)
        at = keep(at.parent)
    return found[::-1]


def _plain(node: Any) -> bool:
    """Whether all nodes above inherit the plain way, so that their matrices multiply."""
    return all(one.inherit_mode == ufbx.InheritMode.NORMAL for one in _path(node))


def _zooms(stack: Any, camera: Any) -> bool:
    """Whether a take changes how a camera sees."""
    return any(
        keep(prop.element).element_id == camera.element_id and prop.prop_name in LENS
        for layer in all_of(stack.layers)
        for prop in all_of(layer.anim_props)
    )


def _aimed(node: Any) -> bool:
    """Whether another node tells where it looks, which only a program with constraints knows."""
    for connection in all_of(node.connections_dst):
        if connection.dst_prop in ("LookAtProperty", "UpVectorProperty"):
            return True
    return False


def _moves(stack: Any, node: Any, camera: Any) -> bool:
    """Whether a take has curves of the camera, its node, or a node above."""
    places = {one.element_id for one in _path(node)}
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

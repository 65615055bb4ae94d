"""Which bones under the pointer are in front: what a pull may take."""

import numpy as np

from core.rig.rig import Rig
from core.rig.skeleton import Skeleton
from editor.gl.bone_handles import caught_handles
from editor.gl.camera import Pixel, project
from editor.gl.limbs import by_limb
from editor.gl.picking import pick_bones
from editor.panels.viewport.scene_composer import SceneComposer

BEHIND = 0.2
"""Metres that a bone may lie behind the skin that covers it."""


def bones_in_front(scene: SceneComposer, rig: Rig, pixel: Pixel) -> tuple[str, ...]:
    """Names of the bones under a pixel, the first to take first, without those that the character itself hides.

    Where skin is seen, a bone behind it counts only if it moves that part: the bone of the skin, those above and below
    it. The bone of the skin comes last, so that a shape drawn under the pointer is taken before it.
    """
    camera, size = scene.controller.camera, scene.controller.size
    shapes = scene.draw_list().bones
    order: dict[int, float] = {}
    if shapes is not None:
        handles = caught_handles(shapes, camera, size, pixel)
        _, depths = project(camera, shapes.heads[list(handles)].astype(np.float64).reshape(-1, 3), size)
        near = sorted(zip(handles, np.ravel(depths).tolist(), strict=True), key=lambda pair: pair[1])
        for bone, deep in (*near, *((h.bone, h.depth) for h in pick_bones(shapes, camera, size, pixel))):
            order.setdefault(bone, deep)
    skin = scene.skin_at(pixel)
    if skin is not None:
        number, point = skin
        seen = float(np.ravel(project(camera, point[None], size)[1])[0])
        order = {
            bone: deep
            for bone, deep in order.items()
            if deep <= seen or (deep <= seen + BEHIND and _one_part(rig.skeleton, bone, number))
        }
        order.setdefault(number, seen)
    found = by_limb(list(order), scene.character.limbs(rig.skeleton))
    names = (rig.skeleton.names[bone] for bone in found)
    return tuple(name for name in names if scene.session.selection.pickable(name))


def _one_part(skeleton: Skeleton, a: int, b: int) -> bool:
    """Whether one of two bones is the other, or above it."""
    if a == b:
        return True
    low, high = max(a, b), min(a, b)
    return bool(skeleton.descendants([high])[low])

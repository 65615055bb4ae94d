"""Where on the screen meshes can be at most, told by their bones without skinning them."""

from collections.abc import Iterable

import numpy as np

from core.arrays import FloatArray
from editor.gl.camera import axes, half_extent
from editor.gl.frame_view import FrameView
from editor.gl.mesh_values import MeshInstance

Area = tuple[int, int, int, int]
"""Left, bottom, width and height in pixels of the framebuffer."""


def screen_area(instances: Iterable[MeshInstance], view: FrameView, margin: int) -> Area | None:
    """The part of the framebuffer that holds all of the meshes.

    Every vertex lies within a sphere round the middle of what each of its bones carries, and once skinned within the
    hull of these spheres moved by the bones.

    Parameters
    ----------
    margin : pixels added on every side

    Returns
    -------
    Area or None
        None where it is not known: a mesh reaches the eye, is morphed, or was skinned elsewhere. Width and height
        are 0 where nothing is in sight.
    """
    found = [_spheres(instance) for instance in instances]
    if any(spheres is None for spheres in found):
        return None
    spheres = np.concatenate([np.zeros((0, 4)), *(part for part in found if part is not None)])
    if not np.isfinite(spheres).all():
        return None
    camera, reach = view.camera, spheres[:, 3]
    right, up, forward = axes(camera)
    offset = spheres[:, :3] - view.eye
    depth = offset @ forward
    if not camera.orthographic and (depth - reach <= 1e-6).any():
        return None
    sides = []
    half = half_extent(camera, view.size)
    for axis, extent, pixels in ((right, half[0], view.pixels[0]), (up, half[1], view.pixels[1])):
        low, high = offset @ axis - reach, offset @ axis + reach
        if not camera.orthographic:
            low = low * camera.distance / np.where(low < 0.0, depth - reach, depth + reach)
            high = high * camera.distance / np.where(high > 0.0, depth - reach, depth + reach)
        if camera.mirrored and axis is right:
            low, high = -high, -low
        first = np.floor((1.0 + low.min(initial=np.inf) / extent) * pixels / 2.0) - margin
        last = np.ceil((1.0 + high.max(initial=-np.inf) / extent) * pixels / 2.0) + margin
        sides.append((int(np.clip(first, 0, pixels)), int(np.clip(last, 0, pixels))))
    (left, end), (bottom, top) = sides
    return left, bottom, max(end - left, 0), max(top - bottom, 0)


def _spheres(instance: MeshInstance) -> FloatArray | None:
    """Middles and radii ``(C, 4)`` in the world of what each bone carries."""
    weights = instance.morph_weights
    if instance.skinned_positions is not None or (weights is not None and np.any(weights)):
        return None
    bones, middles, radii = instance.geometry.bone_spheres
    matrices = np.asarray(instance.matrices, dtype=np.float64)[bones]
    turns = matrices[:, :3, :3]
    # The most that a matrix stretches, squared, is at most the largest row of its Gram matrix (Gershgorin).
    stretch = np.sqrt(np.abs(np.swapaxes(turns, 1, 2) @ turns).sum(axis=2).max(axis=1, initial=0.0))
    places = np.einsum("cij,cj->ci", turns, middles) + matrices[:, :3, 3]
    return np.column_stack([places, radii * stretch])

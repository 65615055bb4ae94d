"""What of the skeleton stands out: bones near the pointer, handles at joints, outlines of what is selected.

Free of Qt and OpenGL.
"""

import numpy as np

from core.arrays import BoolArray, Float32Array, FloatArray, IndexArray
from editor.gl.bone_geometry import WAIST
from editor.gl.camera import Camera, Pixel, Size, axes, eye, project
from editor.gl.draw_list import BoneShapes, BoneState, BoneStyle, polyline
from editor.gl.screen_geometry import distance_to_segments

NEAR = 56.0
"""Logical pixels from the pointer within which bones are drawn in full."""
HANDLE = 8.0
"""Size of the handle at a joint, logical pixels."""
APART = 12.0
"""Handles that would be closer than this are left out, so that a hand is not all dots."""
OUTLINE = 1.5
"""Width of each of the two lines around what is selected, logical pixels."""

_CHOSEN = (BoneState.SELECTED, BoneState.ACTIVE)
_ROUND = 24


def near_bones(bones: BoneShapes, camera: Camera, size: Size, pixel: Pixel | None) -> BoolArray:
    """Which bones ``(B,)`` come near a pixel; none where there is no pixel."""
    count = len(bones.heads)
    if pixel is None or not count:
        return np.zeros(count, dtype=bool)
    ends = np.stack([bones.heads, bones.tails], axis=1).astype(np.float64)
    pixels, depth = project(camera, ends, size)
    seen = (depth > 0.0).all(axis=1) | camera.orthographic
    apart = distance_to_segments(np.asarray(pixel, np.float64), pixels[:, 0], pixels[:, 1])[0]
    return np.asarray(seen & (apart <= NEAR))


def handle_bones(bones: BoneShapes, camera: Camera, size: Size) -> IndexArray:
    """Bones that have a handle at their joint: selected ones first, then the one under the pointer, then near ones.

    A handle that would lie over an earlier one is left out.
    """
    states = bones.states if bones.states is not None else np.zeros(len(bones.heads), np.uint8)
    rank = np.full(len(bones.heads), 9)
    if bones.near is not None:
        rank[bones.near & (states != BoneState.DIMMED)] = 3
    rank[states == BoneState.HOVER] = 2
    rank[np.isin(states, _CHOSEN)] = 1
    rank[states == BoneState.HIDDEN] = 9
    wanted = np.flatnonzero(rank < 9)
    if not len(wanted):
        return wanted
    pixels, depth = project(camera, bones.heads[wanted].astype(np.float64), size)
    taken: list[int] = []
    for index in np.lexsort((wanted, rank[wanted])):
        if depth[index] <= 0.0 and not camera.orthographic:
            continue
        others = pixels[taken] - pixels[index]
        if not (np.hypot(others[:, 0], others[:, 1]) < APART).any():
            taken.append(int(index))
    return np.asarray(wanted[taken], dtype=np.intp)


def caught_handles(bones: BoneShapes, camera: Camera, size: Size, pixel: Pixel) -> tuple[int, ...]:
    """Bones whose handle lies under a pixel, the nearest first."""
    numbers = handle_bones(bones, camera, size)
    if not len(numbers):
        return ()
    pixels, _ = project(camera, bones.heads[numbers].astype(np.float64), size)
    apart = np.hypot(pixels[:, 0] - pixel[0], pixels[:, 1] - pixel[1])
    return tuple(int(numbers[n]) for n in np.argsort(apart) if apart[n] <= HANDLE / 2 + 1.0)


def chosen_bones(bones: BoneShapes) -> IndexArray:
    """Numbers of the bones that are selected."""
    if bones.states is None:
        return np.zeros(0, np.intp)
    return np.flatnonzero(np.isin(bones.states, _CHOSEN))


def outline_segments(
    bones: BoneShapes, numbers: IndexArray, axes_of: FloatArray | Float32Array, camera: Camera
) -> Float32Array:
    """Lines ``(N, 2, 3)`` that hold all of the outline of some bones, whatever the camera: their edges.

    What of them lies inside the bones is cut away by the stencil.

    Parameters
    ----------
    numbers : which bones
    axes_of : rows of them ``(N, >= 12)`` that begin with origin, way to the tail, and both half widths at the waist
    """
    heads = bones.heads[numbers].astype(np.float64)
    if bones.style is not BoneStyle.OCTAHEDRAL:
        sticks = np.stack([bones.heads[numbers], bones.tails[numbers]], axis=1)
        if bones.style is BoneStyle.STICK:
            return np.asarray(sticks, np.float32)
        width = np.linalg.norm(np.asarray(axes_of, np.float64)[:, 6:9], axis=1, keepdims=True)
        return np.concatenate([sticks, _circles(heads, width, camera)]).astype(np.float32)
    rows = np.asarray(axes_of, np.float64)
    along, side, over = rows[:, 3:6], rows[:, 6:9], rows[:, 9:12]
    waist, tails = heads + WAIST * along, heads + along
    ring = [waist + 0.7071 * (a * side + b * over) for a, b in ((1, 1), (-1, 1), (-1, -1), (1, -1))]
    edges = np.empty((12, len(heads), 2, 3), np.float32)
    for number, corner in enumerate(ring):
        edges[number::4, :, 0] = corner
        edges[number, :, 1] = ring[(number + 1) % 4]
        edges[number + 4, :, 1] = heads
        edges[number + 8, :, 1] = tails
    return edges.reshape(-1, 2, 3)


def _circles(heads: FloatArray, width: FloatArray, camera: Camera) -> Float32Array:
    """Outlines of balls as seen by the camera, ``(N * 24, 2, 3)``."""
    right, up, look = axes(camera)
    away = np.tile(look, (len(heads), 1)) if camera.orthographic else heads - eye(camera)
    away = away / np.maximum(np.linalg.norm(away, axis=1, keepdims=True), 1e-12)
    across = np.cross(away, up)
    weak = np.linalg.norm(across, axis=1) < 1e-6
    across[weak] = right
    across /= np.linalg.norm(across, axis=1, keepdims=True)
    over = np.cross(across, away)
    angle = np.linspace(0.0, 2.0 * np.pi, _ROUND + 1)
    points = heads[:, None] + width[:, None] * (
        np.cos(angle)[:, None] * across[:, None] + np.sin(angle)[:, None] * over[:, None]
    )
    return np.concatenate([polyline(row) for row in points])

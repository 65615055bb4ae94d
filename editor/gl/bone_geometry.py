"""Where bones are drawn: tips, widths, frames and the unit shapes. Free of Qt and OpenGL."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from core.arrays import Float32Array, FloatArray, quantile
from editor.gl.colors import Color, ViewportColors, mix, with_alpha
from editor.gl.draw_list import BoneShapes, BoneState

WAIST = 0.16  # where along a bone its octahedron is widest
_SHORT = 1e-5
FAINT, FULL = 0.30, 0.70
"""Opacity of bones over the mesh: away from the pointer, and near it."""


def bone_tips(rest_translations: npt.ArrayLike, parents: Sequence[int] | npt.NDArray[Any]) -> FloatArray:
    """Where each bone ends, in its own rest space (B, 3).

    A bone ends where its only child starts; with several children at the one that carries most
    bones (hips end at the spine), or in the middle of them where they carry alike (a hand ends
    among the fingers); without any, it goes on in the direction it came from, a little shorter. A
    root that stands at the origin far below its child only marks the ground: it points forward.

    Parameters
    ----------
    rest_translations : (B, 3) local to the parent, metres
    parents : (B,), parents before children, -1 for roots
    """
    local = np.asarray(rest_translations, dtype=np.float64)
    count = len(local)
    carried = np.ones(count)
    children: list[list[int]] = [[] for _ in range(count)]
    for bone in range(count - 1, -1, -1):
        parent = int(parents[bone])
        if parent >= 0:
            carried[parent] += carried[bone]
            children[parent].append(bone)
    lengths: FloatArray = np.linalg.norm(local, axis=1)
    typical = quantile(lengths[lengths > _SHORT], 0.5) if (lengths > _SHORT).any() else 0.1
    tips = np.zeros((count, 3))
    far = 0.8 * float(lengths.max(initial=0.0))
    for bone in range(count):
        below = [child for child in children[bone] if lengths[child] > _SHORT]
        if int(parents[bone]) < 0 and lengths[bone] < 1e-3 and len(below) == 1 and lengths[below[0]] > far:
            tips[bone] = (0.0, 0.0, 0.2 * lengths[below[0]])
        elif below:
            most = max(carried[child] for child in below)
            heirs = [child for child in below if carried[child] > 0.6 * most]
            tip = local[heirs].mean(axis=0)
            if np.linalg.norm(tip) < 0.35 * lengths[heirs].mean():
                tip = local[heirs[0]]
            tips[bone] = tip
        elif int(parents[bone]) >= 0 and lengths[bone] > _SHORT:
            tips[bone] = local[bone] * 0.7
        else:
            tips[bone] = (0.0, typical * 0.5, 0.0)
    return tips


def bone_widths(heads: npt.NDArray[np.floating], tails: npt.NDArray[np.floating]) -> FloatArray:
    """Half width (B,) of each bone's shape, metres: by its length, evened out over the skeleton.

    Measured by the longer bones: most bones of a figure are those of its fingers.
    """
    lengths: FloatArray = np.linalg.norm(np.asarray(tails, np.float64) - heads, axis=1)
    if not len(lengths):
        return lengths
    long = quantile(lengths, 0.85)
    widths: FloatArray = np.clip(lengths * 0.115, long * 0.018, long * 0.105)
    return widths


def bone_frames(shapes: BoneShapes) -> tuple[FloatArray, FloatArray]:
    """Direction to the tail and a side at a right angle to it, both (B, 3); directions keep their length.

    Bones without length are given a short upright one, so that they can be seen and picked.
    """
    heads = np.asarray(shapes.heads, np.float64)
    along = np.asarray(shapes.tails, np.float64) - heads
    length = np.linalg.norm(along, axis=1)
    short = length < _SHORT
    if short.any():
        rest = length[~short]
        along[short] = (0.0, 0.3 * quantile(rest, 0.5) if len(rest) else 0.02, 0.0)
        length = np.linalg.norm(along, axis=1)
    unit = along / np.maximum(length, 1e-12)[:, None]
    across = np.tile((1.0, 0.0, 0.0), (len(unit), 1))
    hint = across if shapes.sides is None else np.asarray(shapes.sides, np.float64)
    side = hint - unit * np.einsum("bi,bi->b", unit, hint)[:, None]
    size = np.linalg.norm(side, axis=1)
    weak = size < 1e-4
    if weak.any():
        axis = np.eye(3)[np.argmin(np.abs(unit[weak]), axis=1)]
        side[weak] = np.cross(unit[weak], axis)
        size = np.linalg.norm(side, axis=1)
    return along, side / np.maximum(size, 1e-12)[:, None]


def unit_octahedron() -> Float32Array:
    """Triangles of a bone from (0,0,0) to (0,1,0), half width 1 at the waist: (24, 6) point, normal."""
    ring = [(1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)]
    rows = []
    for i in range(4):
        a = (ring[i][0] * 0.7071, WAIST, ring[i][1] * 0.7071)
        b = (ring[(i + 1) % 4][0] * 0.7071, WAIST, ring[(i + 1) % 4][1] * 0.7071)
        for corners in ((a, (0.0, 1.0, 0.0), b), (a, b, (0.0, 0.0, 0.0))):
            p, q, r = (np.array(c) for c in corners)
            normal = np.cross(q - p, r - p)
            centre = (p + q + r) / 3 - (0.0, WAIST, 0.0)
            if normal @ centre < 0:
                q, r, normal = r, q, -normal
            rows += [np.concatenate([c, normal / np.linalg.norm(normal)]) for c in (p, q, r)]
    return np.array(rows, dtype=np.float32)


def unit_sphere(rings: int = 10, around: int = 14) -> Float32Array:
    """Triangles of a unit ball: (N, 6) point, normal, counter-clockwise from outside."""
    v = np.linspace(0, np.pi, rings + 1)
    u = np.linspace(0, 2 * np.pi, around + 1)
    points = np.stack(
        [
            np.outer(np.sin(v), np.sin(u)),
            np.outer(np.cos(v), np.ones_like(u)),
            np.outer(np.sin(v), np.cos(u)),
        ],
        -1,
    )
    a, b, c, d = points[:-1, :-1], points[1:, :-1], points[1:, 1:], points[:-1, 1:]
    corners = np.stack([a, b, c, a, c, d], axis=2).reshape(-1, 3)
    return np.concatenate([corners, corners], axis=1).astype(np.float32)


def bone_surface(shapes: BoneShapes) -> FloatArray:
    """Corners ``(B * 24, 3)`` of the triangles of octahedral bones, world metres."""
    along, side = bone_frames(shapes)
    width = bone_widths(shapes.heads, shapes.tails)[:, None]
    unit = along / np.linalg.norm(along, axis=1, keepdims=True)
    axes = np.stack([side * width, along, np.cross(side, unit) * width], axis=1)
    local = unit_octahedron()[:, :3].astype(np.float64)
    placed = shapes.heads[:, None] + np.einsum("vk,bkj->bvj", local, axes)
    return np.asarray(placed.reshape(-1, 3))


def state_colors(shapes: BoneShapes, colors: ViewportColors) -> tuple[Float32Array, Float32Array]:
    """Fill and outline colour of every bone, (B, 4) each."""
    bright = mix(colors.bone_selected, (1.0, 1.0, 1.0, 1.0), 0.35)
    if shapes.solid:
        return _solid_colors(shapes, colors, bright)
    table: dict[BoneState, tuple[Color, Color]] = {
        BoneState.NORMAL: (with_alpha(colors.bone, FAINT), with_alpha(colors.bone_outline, 1.4 * FAINT)),
        BoneState.DIMMED: (with_alpha(colors.bone, 0.16), with_alpha(colors.bone_outline, 0.28)),
        BoneState.HOVER: (with_alpha(colors.bone_hover, 0.78), with_alpha(colors.bone_outline, 0.90)),
        BoneState.SELECTED: (with_alpha(colors.bone_selected, 0.80), with_alpha(colors.bone_outline, 0.90)),
        BoneState.ACTIVE: (with_alpha(bright, 0.86), with_alpha(colors.bone_outline, 0.95)),
        BoneState.CHILD: (with_alpha(mix(colors.bone, colors.bone_selected, 0.5), 0.52),
                          with_alpha(colors.bone_outline, 0.75)),
        BoneState.HIDDEN: ((0.0, 0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 0.0)),
    }  # fmt: skip
    fill, outline = _by_state(shapes, table)
    if shapes.near is not None:
        states = shapes.states if shapes.states is not None else np.zeros(len(shapes.heads), np.uint8)
        near = shapes.near & (states == BoneState.NORMAL)
        fill[near, 3], outline[near, 3] = FULL, 0.9
    return fill, outline


def _solid_colors(
    shapes: BoneShapes, colors: ViewportColors, bright: Color
) -> tuple[Float32Array, Float32Array]:
    """Colours of bones that stand for the character themselves."""
    edge = with_alpha(colors.bone_outline, 1.0)
    table = {
        BoneState.NORMAL: (colors.bone_solid, edge),
        BoneState.DIMMED: (with_alpha(colors.bone_solid, 0.35), with_alpha(edge, 0.5)),
        BoneState.HOVER: (with_alpha(colors.bone_hover, 1.0), edge),
        BoneState.SELECTED: (with_alpha(colors.bone_selected, 1.0), edge),
        BoneState.ACTIVE: (with_alpha(bright, 1.0), edge),
        BoneState.CHILD: (mix(colors.bone_solid, colors.bone_selected, 0.35), edge),
        BoneState.HIDDEN: ((0.0, 0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 0.0)),
    }
    return _by_state(shapes, table)


def _by_state(
    shapes: BoneShapes, table: dict[BoneState, tuple[Color, Color]]
) -> tuple[Float32Array, Float32Array]:
    order = sorted(table)
    fills = np.array([table[state][0] for state in order], np.float32)
    outlines = np.array([table[state][1] for state in order], np.float32)
    states = shapes.states if shapes.states is not None else np.zeros(len(shapes.heads), np.uint8)
    states = np.minimum(states, len(order) - 1)
    fill, outline = fills[states], outlines[states]
    if shapes.colors is not None:
        own = (shapes.colors[:, 3] > 0) & np.isin(
            states, (BoneState.NORMAL, BoneState.DIMMED, BoneState.CHILD)
        )
        fill[own, :3] = shapes.colors[own, :3]
    return fill, outline

"""A jointed figure of capsules for pictures and benchmarks: 21 bones, one smooth skinned mesh."""

from dataclasses import dataclass, replace

import numpy as np

from editor.gl.bone_geometry import bone_tips
from editor.gl.draw_list import BoneShapes, MeshGeometry, MeshInstance

# name, parent, local position, radius of the capsule that starts here, material
BONES = [
    ("pelvis", -1, (0, 0.95, 0), 0.115, 0),
    ("spine_01", 0, (0, 0.12, 0), 0.115, 0),
    ("spine_02", 1, (0, 0.16, 0), 0.13, 0),
    ("neck", 2, (0, 0.24, 0), 0.05, 1),
    ("head", 3, (0, 0.10, 0.01), 0.095, 0),
    ("upper_arm_l", 2, (0.17, 0.20, 0), 0.052, 0),
    ("lower_arm_l", 5, (0.13, -0.24, 0), 0.043, 0),
    ("hand_l", 6, (0.11, -0.22, 0.03), 0.038, 1),
    ("upper_arm_r", 2, (-0.17, 0.20, 0), 0.052, 0),
    ("lower_arm_r", 8, (-0.13, -0.24, 0), 0.043, 0),
    ("hand_r", 9, (-0.11, -0.22, 0.03), 0.038, 1),
    ("thigh_l", 0, (0.10, -0.03, 0), 0.085, 0),
    ("calf_l", 11, (0.02, -0.42, 0.01), 0.06, 0),
    ("foot_l", 12, (0.01, -0.41, -0.02), 0.045, 1),
    ("ball_l", 13, (0, -0.05, 0.13), 0.04, 1),
    ("thigh_r", 0, (-0.10, -0.03, 0), 0.085, 0),
    ("calf_r", 15, (-0.02, -0.42, 0.01), 0.06, 0),
    ("foot_r", 16, (-0.01, -0.41, -0.02), 0.045, 1),
    ("ball_r", 17, (0, -0.05, 0.13), 0.04, 1),
    ("thumb_l", 7, (0.02, -0.04, 0.05), 0.016, 1),
    ("thumb_r", 10, (-0.02, -0.04, 0.05), 0.016, 1),
]
PARENTS = [row[1] for row in BONES]
LOCAL = np.array([row[2] for row in BONES], np.float64)
TIPS = bone_tips(LOCAL, PARENTS)
BODY_COLORS = np.array([(0.851, 0.839, 0.816, 1), (0.357, 0.384, 0.431, 1)], np.float32)


def rotation(axis: int, degrees: float) -> np.ndarray:
    """A (4, 4) turn about a world axis."""
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    matrix = np.eye(4)
    i, j = (axis + 1) % 3, (axis + 2) % 3
    matrix[i, i] = matrix[j, j] = c
    matrix[i, j], matrix[j, i] = -s, s
    return matrix


def world_matrices(turns: dict[int, np.ndarray] | None = None, at: tuple = (0, 0, 0)) -> np.ndarray:
    """World matrices (B, 4, 4) with the bones named in `turns` turned in their own space."""
    out = np.zeros((len(BONES), 4, 4))
    for bone, parent in enumerate(PARENTS):
        local = np.eye(4)
        local[:3, 3] = LOCAL[bone]
        if parent < 0:
            local[:3, 3] += at
        local = local @ (turns or {}).get(bone, np.eye(4))
        out[bone] = local if parent < 0 else out[parent] @ local
    return out


WALKING = {11: rotation(0, -28), 12: rotation(0, 24), 15: rotation(0, 22), 16: rotation(0, 12), 5: rotation(0, 25),
           8: rotation(0, -30), 9: rotation(0, -35), 2: rotation(1, 8), 17: rotation(0, 20)}  # fmt: skip


def _capsule(a: np.ndarray, b: np.ndarray, radius: float, around: int, rings: int) -> tuple[np.ndarray, ...]:
    along = b - a
    length = np.linalg.norm(along)
    unit = along / length
    side = np.cross(unit, (0.3, 0.1, 1.0))
    side /= np.linalg.norm(side)
    over = np.cross(unit, side)
    angles = np.concatenate([np.linspace(-np.pi / 2, 0, rings), np.linspace(0, np.pi / 2, rings)])
    shift = np.concatenate([np.zeros(rings), np.full(rings, length)])
    u = np.linspace(0, 2 * np.pi, around, endpoint=False)
    ring = np.cos(u)[:, None] * side - np.sin(u)[:, None] * over
    normals = np.cos(angles)[:, None, None] * ring + np.sin(angles)[:, None, None] * unit
    taper = np.where(shift > 0, 0.86, 1.0)[:, None, None]
    points = a + shift[:, None, None] * unit + normals * radius * taper
    v, w = np.meshgrid(np.arange(2 * rings - 1), np.arange(around), indexing="ij")
    n = (w + 1) % around
    p, q, r, s = v * around + w, (v + 1) * around + w, (v + 1) * around + n, v * around + n
    triangles = np.stack([np.stack([p, q, r], -1), np.stack([p, r, s], -1)], 2).reshape(-1, 3)
    return (
        points.reshape(-1, 3),
        normals.reshape(-1, 3),
        triangles,
        (shift / max(length, 1e-9)).repeat(around),
    )


def figure_geometry(around: int = 24, rings: int = 9, key: str = "figure") -> MeshGeometry:
    """The mesh in rest pose; bends are blended between a bone and its parent."""
    rest = world_matrices()
    positions, normals, triangles, bones, weights, parts = [], [], [], [], [], []
    start = 0
    for bone, (_, parent, _, radius, part) in enumerate(BONES):
        a = rest[bone, :3, 3]
        b = a + TIPS[bone]
        p, n, t, at = _capsule(a, b, radius, around, rings)
        positions.append(p)
        normals.append(n)
        triangles.append(t + start)
        parts.append(np.full(len(t), part))
        start += len(p)
        low = np.clip(0.5 - at - np.einsum("vi,i->v", p - a, TIPS[bone]) / (TIPS[bone] @ TIPS[bone]), 0, 0.5)
        own = 1.0 - (low if parent >= 0 else 0 * low)
        bones.append(np.stack([np.full(len(p), bone), np.full(len(p), max(parent, 0))], -1))
        weights.append(np.stack([own, 1.0 - own], -1))
    return MeshGeometry(
        key,
        np.concatenate(positions),
        np.concatenate(normals),
        np.concatenate(triangles),
        np.concatenate(bones),
        np.concatenate(weights),
        np.concatenate(parts),
    )


@dataclass(frozen=True)
class Figure:
    """A posed figure."""

    mesh: MeshInstance
    bones: BoneShapes


def figure(turns: dict | None = None, at=(0.0, 0.0, 0.0), geometry: MeshGeometry | None = None) -> Figure:
    """Mesh and bones in a pose."""
    geometry = geometry or figure_geometry()
    world = world_matrices(turns, at)
    skinning = world @ np.linalg.inv(world_matrices())
    tails = np.einsum("bij,bj->bi", world[:, :3, :3], TIPS) + world[:, :3, 3]
    shapes = BoneShapes(world[:, :3, 3], tails, world[:, :3, 0])
    return Figure(MeshInstance(geometry, skinning, BODY_COLORS), shapes)


def with_states(bones: BoneShapes, **states: list[int]) -> BoneShapes:
    """The bones with some of them in another state, by name."""
    from editor.gl.draw_list import BoneState

    array = np.zeros(len(bones.heads), np.uint8)
    for name, members in states.items():
        array[members] = BoneState[name.upper()]
    return replace(bones, states=array)

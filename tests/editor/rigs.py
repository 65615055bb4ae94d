"""Small characters for tests of the editor: a dozen bones, a mesh of tubes, a clip of a few keys."""

import numpy as np

from core.clips.clip import Channel, Clip, Property
from core.ids import AssetId
from core.math.transform import Transform
from core.project.project import Project
from core.rig.mesh import Mesh
from core.rig.rig import MirrorSetup, Rig
from core.rig.skeleton import Skeleton
from core.timing import FrameRate
from core.tracks.keys import scalar_track

BONES = (
    ("pelvis", -1, (0.0, 1.0, 0.0)),
    ("spine", 0, (0.0, 0.15, 0.0)),
    ("chest", 1, (0.0, 0.2, 0.0)),
    ("head", 2, (0.0, 0.25, 0.0)),
    ("upper_arm_l", 2, (0.2, 0.18, 0.0)),
    ("lower_arm_l", 4, (0.28, 0.0, 0.0)),
    ("hand_l", 5, (0.26, 0.0, 0.0)),
    ("upper_arm_r", 2, (-0.2, 0.18, 0.0)),
    ("lower_arm_r", 7, (-0.28, 0.0, 0.0)),
    ("hand_r", 8, (-0.26, 0.0, 0.0)),
    ("thigh_l", 0, (0.1, -0.05, 0.0)),
    ("calf_l", 10, (0.0, -0.45, 0.0)),
    ("foot_l", 11, (0.0, -0.45, 0.0)),
    ("thigh_r", 0, (-0.1, -0.05, 0.0)),
    ("calf_r", 13, (0.0, -0.45, 0.0)),
    ("foot_r", 14, (0.0, -0.45, 0.0)),
)
RATE = FrameRate.of(30)


def small_rig() -> Rig:
    """A person of sixteen bones, arms stretched out, facing +Z; every rest rotation the identity."""
    names = tuple(name for name, _, _ in BONES)
    count = len(names)
    rest = Transform(
        np.array([place for _, _, place in BONES]),
        np.tile([0.0, 0.0, 0.0, 1.0], (count, 1)),
        np.ones((count, 3)),
    )
    skeleton = Skeleton(names, np.array([parent for _, parent, _ in BONES], np.int32), rest)
    pairs = tuple((n, n[:-1] + "r") for n in names if n.endswith("_l"))
    mirror = MirrorSetup(axis_bones=("pelvis", "spine", "chest", "head"), pairs=pairs)
    return Rig(AssetId("rig-small"), "small", skeleton, mirror=mirror)


def world_places(rig: Rig) -> np.ndarray:
    """Rest positions ``(B, 3)`` of the bones; their rest rotations are none."""
    places = np.zeros((len(rig.skeleton), 3))
    for bone, parent in enumerate(rig.skeleton.parents):
        places[bone] = rig.skeleton.rest.translation[bone] + (places[parent] if parent >= 0 else 0.0)
    return places


def tube_mesh(rig: Rig, around: int = 10, along: int = 6, radius: float = 0.055) -> Mesh:
    """A tube for each bone, from its head to its first child's (or onwards), each following its bone alone."""
    heads = world_places(rig)
    positions, normals, triangles, bones = [], [], [], []
    base = 0
    for bone, head in enumerate(heads):
        children = rig.skeleton.children(bone)
        tail = heads[children[0]] if children else head + (head - heads[rig.skeleton.parent(bone)]) * 0.6
        direction = (tail - head) / max(np.linalg.norm(tail - head), 1e-9)
        side = np.cross(direction, [0.0, 0.0, 1.0])
        side = side / np.linalg.norm(side)
        other = np.cross(direction, side)
        angle = np.linspace(0.0, 2 * np.pi, around, endpoint=False)
        ring = np.cos(angle)[:, None] * side + np.sin(angle)[:, None] * other
        for step in np.linspace(0.0, 1.0, along):
            positions.append(head + (tail - head) * step + ring * radius)
            normals.append(ring)
            bones.append(np.full(around, bone))
        for row in range(along - 1):
            a = base + row * around + np.arange(around)
            b = base + row * around + (np.arange(around) + 1) % around
            triangles.append(np.stack([a, b, b + around], axis=1))
            triangles.append(np.stack([a, b + around, a + around], axis=1))
        base += around * along
    count = base
    inverse = np.tile(np.eye(4), (len(heads), 1, 1))
    inverse[:, :3, 3] = -heads
    return Mesh(
        AssetId("mesh-small"), "body", rig.id,
        np.concatenate(positions).astype(np.float32), np.concatenate(normals).astype(np.float32),
        np.concatenate(triangles).astype(np.uint32), rig.skeleton.names, inverse,
        np.concatenate(bones).astype(np.uint16)[:, None], np.ones((count, 1), np.float32),
    )  # fmt: skip


def small_clip(rig: Rig, length: float = 2.0) -> Clip:
    """An arm that swings: angle tracks of the left arm with a few keys, a move of the pelvis."""
    times = np.array([0.0, 20.0, 40.0, 60.0]) / 30.0
    tracks = {
        Channel("upper_arm_l", Property.ROTATE, axis): scalar_track(times, values)
        for axis, values in enumerate(([0, 10, 20, 0], [0, -20, 20, 0], [0, 5, 0, 0]))
    }
    tracks[Channel("pelvis", Property.TRANSLATE, 1)] = scalar_track(times[::3], [1.0, 1.0])
    tracks[Channel("lower_arm_l", Property.ROTATE, 1)] = scalar_track(times, [0.0, -40.0, -10.0, 0.0])
    return Clip(AssetId("clip-small"), "swing", rig.id, length, RATE, False, tracks)


def small_project(mesh: bool = True, clip: bool = True) -> Project:
    """The person, with a mesh and a clip unless they are not wanted."""
    rig = small_rig()
    assets = [rig]
    if mesh:
        assets.append(tube_mesh(rig))
    if clip:
        assets.append(small_clip(rig))
    return Project({asset.id: asset for asset in assets})

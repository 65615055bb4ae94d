"""Documents of the sizes that the editor must carry, made anew and always alike: no file of theirs is kept.

python -m tests.big_documents OUT.posewright|OUT.bvh [--bones 65] [--frames 4000] [--clips 1] [--sparse]
"""

import argparse
from pathlib import Path

import numpy as np

from core.clips.clip import Channel, Clip, Property
from core.ids import AssetId
from core.math import quat
from core.math.transform import Transform
from core.project.project import Project
from core.rig.mesh import Mesh, MeshPart
from core.rig.rig import Rig
from core.rig.skeleton import Skeleton
from core.timing import FrameRate
from core.tracks.keys import ScalarTrack, TangentMode, scalar_track
from core.tracks.tangents import with_tangents

RIG, CLIP = AssetId("rig-big"), AssetId("clip-big")
RATE = FrameRate.of(30)
LIMBS = np.array(
    [[0.0, 0.14, 0.0], [0.11, 0.02, 0.0], [-0.11, 0.02, 0.0], [0.04, -0.14, 0.0], [-0.04, -0.14, 0.0]]
)
WAVES = ((0.3, 20.0), (1.1, 10.0), (2.7, 8.0), (6.0, 4.0))  # radians a second, degrees


def big_rig(bones: int = 65) -> Rig:
    """Five limbs of equal length that leave a pelvis one metre up."""
    names, parents, places = ["pelvis"], [-1], [np.array([0.0, 1.0, 0.0])]
    last = [0] * len(LIMBS)
    for number in range(1, bones):
        limb, along = (number - 1) % len(LIMBS), (number - 1) // len(LIMBS)
        names.append(f"limb_{limb}_{along:02d}")
        parents.append(last[limb])
        places.append(LIMBS[limb] * (13.0 * 5 / max(bones, 65)))
        last[limb] = number
    rest = Transform(np.array(places), np.tile(quat.IDENTITY, (bones, 1)), np.ones((bones, 3)))
    return Rig(RIG, "big", Skeleton(tuple(names), np.array(parents, np.int32), rest))


def wave(times: np.ndarray, r: np.random.Generator) -> np.ndarray:
    """A smooth curve of some tens of degrees."""
    rows = [r.normal() * size * np.sin(times * pace + r.uniform(0, 6)) for pace, size in WAVES]
    return np.sum(rows, axis=0) / 3.0


def big_clip(
    rig: Rig, frames: int = 4000, name: str = "long", seed: int = 0, every: int = 1, properties: int = 3
) -> Clip:
    """Every channel of every bone keyed, cubic and automatic, as edited motion capture is.

    Parameters
    ----------
    every : frames from key to key
    properties : 3 keys move, turn and scale; 1 turns, and moves of the root
    """
    r = np.random.default_rng(seed)
    times = np.arange(0, frames, every) / RATE.fps
    times.flags.writeable = False
    tracks: dict[Channel, ScalarTrack] = {}
    for bone, at in zip(rig.skeleton.names, rig.skeleton.rest.translation, strict=True):
        for prop in Property:
            if (
                properties == 1
                and prop is not Property.ROTATE
                and (bone, prop) != ("pelvis", Property.TRANSLATE)
            ):
                continue
            for axis in range(3):
                degrees = wave(times, r)
                value = {0: at[axis] + degrees * 0.001, 1: degrees, 2: 1.0 + degrees * 0.001}[int(prop)]
                track = scalar_track(times, value, modes=int(TangentMode.AUTO))
                tracks[Channel(bone, prop, axis)] = with_tangents(track)
    length = (frames - 1) / RATE.fps
    return Clip(AssetId(f"clip-{name}"), name, rig.id, length, RATE, tracks=tracks)


def big_project(
    bones: int = 65, frames: int = 4000, clips: int = 1, every: int = 1, properties: int = 3
) -> Project:
    """A rig and clips that key all of it."""
    rig = big_rig(bones)
    made = [
        big_clip(rig, frames, "long" if clips == 1 else f"take {n:03d}", n, every, properties)
        for n in range(clips)
    ]
    return Project({rig.id: rig, **{clip.id: clip for clip in made}})


def finer_mesh(mesh: Mesh, vertices: int) -> Mesh:
    """The mesh with its first triangles cut in three until it has that many vertices."""
    extra = vertices - len(mesh.positions)
    if extra <= 0:
        return mesh
    cut = mesh.triangles[:extra]
    fresh = np.arange(len(mesh.positions), vertices, dtype=np.uint32)[: len(cut)]

    def grown(column: np.ndarray, rows: np.ndarray) -> np.ndarray:
        return np.concatenate((column, rows.astype(column.dtype)))

    middle = mesh.positions[cut].mean(axis=1)
    normal = mesh.normals[cut].sum(axis=1)
    normal /= np.maximum(np.linalg.norm(normal, axis=1, keepdims=True), 1e-9)
    a, b, c = cut.T
    small = np.stack([np.stack(t, axis=1) for t in ((a, b, fresh), (b, c, fresh), (c, a, fresh))], axis=1)
    triangles = np.concatenate((small.reshape(-1, 3), mesh.triangles[extra:])).astype(np.uint32)
    return Mesh(
        mesh.id, mesh.name, mesh.rig,
        grown(mesh.positions, middle), grown(mesh.normals, normal), triangles,
        mesh.bones, mesh.inverse_bind,
        grown(mesh.influences, mesh.influences[a]), grown(mesh.weights, mesh.weights[a]),
        parts=(MeshPart(0, len(triangles), 0),), materials=mesh.materials[:1],
    )  # fmt: skip


def main() -> None:
    """Write one to a file."""
    import core.io

    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("out", type=Path)
    options.add_argument("--bones", type=int, default=65)
    options.add_argument("--frames", type=int, default=4000)
    options.add_argument("--clips", type=int, default=1)
    options.add_argument("--every", type=int, default=1, help="frames from key to key")
    given = options.parse_args()
    bare = 1 if given.out.suffix == ".bvh" else 3
    project = big_project(given.bones, given.frames, given.clips, given.every, bare)
    core.io.save(project, given.out)


if __name__ == "__main__":
    main()

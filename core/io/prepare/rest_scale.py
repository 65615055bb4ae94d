"""Rest scale baked into what is below it, so that bones have no scale at rest and move as before."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from core.arrays import FloatArray
from core.clips.clip import Channel, Clip, Property
from core.io.common.normals import unit_normals
from core.math.transform import Transform
from core.project.project import Project
from core.rig.mesh import Mesh
from core.rig.rig import Rig
from core.rig.skeleton import Skeleton
from core.tracks.keys import QuaternionTrack, ScalarTrack, Track
from core.tracks.setting import scaled_values

EVEN = 1e-6
"""Up to which three factors count as one (files keep them as 32-bit numbers)."""


def folded_scale(
    rig: Rig, clips: Sequence[Clip], meshes: Sequence[Mesh]
) -> tuple[Rig, tuple[Clip, ...], tuple[Mesh, ...]]:
    """The same character and motion, its bones resting without scale.

    Bones of Blender and Unreal have no scale in rest: a file that needs one loses it there, and all below
    stands in the wrong place. An even factor commutes with rotations, so it goes exactly into offsets of
    the bones below, into keys, and into the binding of meshes; no key is added. Uneven scale is
    folded at bones without children only: elsewhere it shears, which offsets cannot express, and it stays.
    A bone mirrored along its x axis, as right limbs made of left ones are, becomes one that is not: what is below
    is expressed in its mirrored frame, rotations included.
    """
    own = _own_factors(rig.skeleton)
    if not (own != 1.0).any():
        return rig, tuple(clips), tuple(meshes)
    total = np.array(own)
    for bone, parent in enumerate(rig.skeleton.parents):
        if parent >= 0:
            total[bone] *= total[parent]
    above = np.ones_like(own)
    below = rig.skeleton.parents >= 0
    above[below] = total[rig.skeleton.parents[below]]
    turns = _turns(above)
    rest = rig.skeleton.rest
    # Where the rest scale was folded it is now 1 to the last bit, not the noise of two divisions.
    scale = rest.scale / own
    scale = np.where((own != 1.0) & (np.abs(scale - 1.0) < 2.0 * EVEN), 1.0, scale)
    old = rig.skeleton
    skeleton = Skeleton(
        old.names, old.parents, Transform(rest.translation * above, rest.rotation * turns, scale),
        old.euler_orders, old.sources,
    )  # fmt: skip
    factors = {
        name: {
            Property.TRANSLATE: above[bone],
            Property.ROTATE: turns[bone],
            Property.SCALE: 1.0 / own[bone],
        }
        for bone, name in enumerate(old.names)
    }
    return (
        replace(rig, skeleton=skeleton),
        tuple(replace(clip, tracks=_tracks(clip, factors)) for clip in clips),
        tuple(_mesh(mesh, old, total) for mesh in meshes),
    )


def folded_project(project: Project, rigs: Sequence[Rig]) -> tuple[Project, tuple[Rig, ...]]:
    """The project with the rest scale of these rigs folded, and the rigs as they are then."""
    made = []
    for rig in rigs:
        folded, clips, meshes = folded_scale(rig, project.clips_of(rig.id), project.meshes_of(rig.id))
        if folded is not rig:
            project = project.with_assets(folded, *clips, *meshes)
        made.append(folded)
    return project, tuple(made)


def _own_factors(skeleton: Skeleton) -> FloatArray:
    """What each bone's rest scale is divided by, ``(B, 3)``: itself where it can be folded, else 1."""
    scale = skeleton.rest.scale
    parents = set(skeleton.parents.tolist())
    own = np.ones_like(scale)
    for bone, factors in enumerate(scale):
        mirrored = factors[0] < 0.0 < min(factors[1:])
        signs = np.array([-1.0 if mirrored else 1.0, 1.0, 1.0])
        plain = factors * signs
        even = np.ptp(plain) <= EVEN * np.abs(plain).max()
        if np.abs(factors).min() <= EVEN:
            continue
        if even or bone not in parents:
            own[bone] = signs * plain.mean() if even else factors
        elif mirrored:
            own[bone] = signs
    return own


def _turns(above: FloatArray) -> FloatArray:
    """By what components of quaternions (x, y, z, w), and angles about axes, change below mirrored bones.

    A rotation R seen in a frame with the signs D is D R D: its turn about an axis changes its sense where the two
    other axes have different signs.
    """
    signs = np.sign(above)
    x, y, z = signs.T
    return np.stack((y * z, x * z, x * y, np.ones(len(signs))), axis=-1)


def _tracks(clip: Clip, factors: dict[str, dict[Property, FloatArray]]) -> dict[Channel, Track]:
    made: dict[Channel, Track] = {}
    for channel, track in clip.tracks.items():
        by = factors.get(channel.bone, {}).get(channel.property)
        if by is not None and isinstance(track, ScalarTrack):
            track = scaled_values(track, float(by[channel.axis]))
        elif by is not None and isinstance(track, QuaternionTrack) and (by != 1.0).any():
            track = replace(
                track, values=track.values * by, in_tangents=track.in_tangents * by,
                out_tangents=track.out_tangents * by,
            )  # fmt: skip
        made[channel] = track
    return made


def _mesh(mesh: Mesh, skeleton: Skeleton, total: FloatArray) -> Mesh:
    """The mesh bound to bones without scale; one that follows a single bone takes the scale itself."""
    factors = total[[skeleton.index(name) for name in mesh.bones]]
    if (factors == 1.0).all():
        return mesh
    if len(mesh.bones) > 1 or not np.array_equal(mesh.inverse_bind[0], np.eye(4)):
        binds = np.array(mesh.inverse_bind)
        binds[:, :3] *= factors[:, :, None]
        return replace(mesh, inverse_bind=binds)
    by = factors[0].astype(np.float32)
    normals = mesh.normals / by
    morphs = tuple(
        replace(m, positions=m.positions * by, normals=None if m.normals is None else m.normals / by)
        for m in mesh.morphs
    )
    turned = -1.0 if np.prod(factors[0]) < 0.0 else 1.0
    triangles = mesh.triangles[:, ::-1] if turned < 0.0 else mesh.triangles
    return replace(
        mesh, positions=mesh.positions * by, normals=unit_normals(normals), triangles=triangles, morphs=morphs
    )

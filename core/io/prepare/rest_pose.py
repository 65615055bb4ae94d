"""Skeletons that rest as their meshes were bound, and clips that move alike on them."""

from dataclasses import replace

import numpy as np

from core.arrays import FloatArray
from core.clips.bake import bake
from core.clips.clip import WHOLE, Channel, Clip, Property
from core.clips.evaluator import rest_degrees
from core.errors import ValidationError
from core.math import transform
from core.math.transform import Transform, from_matrix
from core.pose.kinematics import chain_matrices
from core.project.project import Project
from core.rig.rig import Rig
from core.rig.skeleton import Skeleton
from core.tracks.keys import scalar_track


def bound_rest(rig: Rig, project: Project) -> Rig:
    """The rig resting as its meshes were bound; bones that no mesh uses keep their local transforms."""
    skeleton = rig.skeleton
    bound: dict[int, FloatArray] = {}
    for mesh in project.meshes_of(rig.id):
        if len(mesh.bones) < 2:
            continue  # follows one bone: it defines no bind pose
        for joint in np.unique(mesh.influences[mesh.weights > 0.0]):
            bone = skeleton.index(mesh.bones[joint])
            matrix = np.linalg.pinv(mesh.inverse_bind[joint])
            if bone in bound and np.abs(bound[bone] - matrix).max() > 1e-3 * max(
                1.0, float(np.abs(matrix).max())
            ):
                raise ValidationError(
                    f"bone {skeleton.names[bone]!r}: meshes were bound to it in different poses"
                )
            bound.setdefault(bone, matrix)
    local = transform.to_matrix(skeleton.rest)
    model = chain_matrices(skeleton.parents, local)
    made = np.array(model)
    for bone, parent in enumerate(skeleton.parents):
        above = made[parent] if parent >= 0 else np.eye(4)
        made[bone] = bound.get(bone, above @ local[bone])
        local[bone] = np.linalg.solve(above, made[bone])
    split = from_matrix(local)
    return replace(
        rig,
        skeleton=Skeleton(skeleton.names, skeleton.parents, split, skeleton.euler_orders, skeleton.sources),
    )


def pinned(clip: Clip, old: Skeleton, new: Skeleton) -> Clip:
    """The clip with a key wherever it relied on a rest pose that has changed."""
    local = Transform(*(np.array(part)[None] for part in old.rest))
    still = bake(new, np.zeros(1), local, rest_tolerance=1e-9)
    tracks = dict(clip.tracks)
    for channel, track in still.items():
        axes = range(3) if channel.property is Property.ROTATE else (channel.axis,)
        driven = any(Channel(channel.bone, channel.property, axis) in clip.tracks for axis in (*axes, WHOLE))
        if not driven:
            tracks[channel] = track
        elif channel.property is Property.ROTATE and clip.rotation(channel.bone) is None:
            degrees = rest_degrees(old, old.index(channel.bone))
            for axis in range(3):  # Euler axes without a track relied on it, too
                own = Channel(channel.bone, Property.ROTATE, axis)
                tracks.setdefault(own, scalar_track([0.0], [float(degrees[axis])]))
    return replace(clip, tracks=tracks)

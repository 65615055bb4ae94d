"""Projects in another unit and other axes: for writers, and for files that state theirs wrongly."""

from dataclasses import replace

import numpy as np

from core.arrays import FloatArray
from core.clips.clip import WHOLE, Channel, Clip, Property
from core.clips.evaluator import rest_degrees
from core.io.common.options import ReadOptions
from core.io.common.rotations import euler_keys
from core.io.common.units_and_axes import UP_AXES, unit_name, up_name
from core.io.loaded import Loaded
from core.math import quat
from core.math.transform import Transform
from core.project.project import Project
from core.rig.mesh import Mesh, MorphTarget
from core.rig.rig import Rig, SourceFrame
from core.rig.skeleton import Skeleton
from core.shot.camera import ShotCamera
from core.tracks.keys import Interpolation, QuaternionTrack, ScalarTrack, Track, altered, quaternion_track
from core.tracks.setting import scaled_values

TOLERANCE = 1e-7
"""Largest deviation of a part of a quaternion where a root's Euler angles have to be fitted."""


def respaced(project: Project, factor: float, turn: FloatArray) -> Project:
    """The project with all lengths times a factor and every root turned by quarter turns.

    Exact but for rounding, except for the Euler angles of a turned root, which are fitted (1e-7).

    Parameters
    ----------
    turn : quaternion of a rotation that maps axes onto axes
    """
    skeletons = {rig.id: rig.skeleton for rig in project.rigs}
    changed: list[Rig | Mesh | Clip | ShotCamera] = []
    for rig in project.rigs:
        changed.append(replace(rig, skeleton=_skeleton(rig.skeleton, factor, turn)))
        changed += [_mesh(mesh, factor) for mesh in project.meshes_of(rig.id)]
    changed += [_clip(clip, skeletons[clip.rig], factor, turn) for clip in project.clips]
    changed += [respaced_camera(camera, factor, turn) for camera in project.all(ShotCamera)]
    return project.with_assets(*changed)


def respaced_camera(camera: ShotCamera, factor: float, turn: FloatArray) -> ShotCamera:
    """A camera with all lengths times a factor, turned as `respaced` turns roots."""
    bones = _skeleton(camera.skeleton, factor, turn)
    motion = _clip(camera.motion, camera.skeleton, factor, turn)
    place = Transform(bones.rest.translation[0], bones.rest.rotation[0], bones.rest.scale[0])
    height = None if camera.height is None else camera.height * factor
    near, far = camera.near * factor, camera.far * factor
    return replace(camera, place=place, motion=motion, height=height, near=near, far=far)


def _skeleton(skeleton: Skeleton, factor: float, turn: FloatArray) -> Skeleton:
    translation, rotation = skeleton.rest.translation * factor, np.array(skeleton.rest.rotation)
    for root in skeleton.roots():
        translation[root] = quat.rotate(turn, translation[root])
        rotation[root] = quat.multiply(turn, rotation[root])
    rest = Transform(translation, rotation, skeleton.rest.scale)
    return Skeleton(skeleton.names, skeleton.parents, rest, skeleton.euler_orders, skeleton.sources)


def _mesh(mesh: Mesh, factor: float) -> Mesh:
    if factor == 1.0:
        return mesh
    binds, single = np.array(mesh.inverse_bind), np.float32(factor)
    binds[:, :3, 3] *= factor
    morphs = tuple(
        MorphTarget(m.name, m.positions * single, m.normals, m.default_weight) for m in mesh.morphs
    )
    return replace(mesh, positions=mesh.positions * single, inverse_bind=binds, morphs=morphs)


def _clip(clip: Clip, skeleton: Skeleton, factor: float, turn: FloatArray) -> Clip:
    roots = {skeleton.names[root] for root in skeleton.roots()} if abs(turn[3]) < 1.0 else set()
    tracks: dict[Channel, Track] = {}
    for channel, track in clip.tracks.items():
        if channel.property is Property.TRANSLATE and isinstance(track, ScalarTrack):
            sign = 1.0
            if channel.bone in roots:
                column = np.round(quat.to_matrix(turn))[:, channel.axis]
                axis = int(np.argmax(np.abs(column)))
                channel, sign = channel._replace(axis=axis), float(column[axis])
            tracks[channel] = scaled_values(track, factor * sign)
        elif channel.bone not in roots or channel.property is Property.SCALE:
            tracks[channel] = track
        elif isinstance(track, QuaternionTrack):
            parts = ("values", "in_tangents", "out_tangents")
            turned = {part: quat.multiply(turn, getattr(track, part)) for part in parts}
            tracks[channel] = altered(track, turned)
        else:
            whole = Channel(channel.bone, Property.ROTATE, WHOLE)
            if whole not in tracks:
                tracks[whole] = _euler(clip, skeleton, channel.bone, turn)
    return replace(clip, tracks=tracks)


def _euler(clip: Clip, skeleton: Skeleton, name: str, turn: FloatArray) -> QuaternionTrack:
    """A root's Euler curves as cubic quaternion keys, turned: a turn about the outside has no place in them."""
    bone = skeleton.index(name)
    loop = clip.length if clip.looping and clip.length > 0.0 else None
    axes = [clip.scalar(Channel(name, Property.ROTATE, axis)) for axis in range(3)]
    rest, order = rest_degrees(skeleton, bone), int(skeleton.euler_orders[bone])
    keys = euler_keys(axes, rest, order, clip.length, loop, TOLERANCE)
    parts = [
        None if part is None else quat.multiply(turn, part) for part in (keys.values, keys.ins, keys.outs)
    ]
    values, ins, outs = parts
    assert values is not None
    return quaternion_track(keys.times, values, ins, outs, Interpolation.CUBIC)


def with_overrides(loaded: Loaded, options: ReadOptions) -> Loaded:
    """What was read, in the unit and with the up axis that the user says the file has."""
    if options.metres_per_unit is None and options.up_axis is None:
        return loaded
    project, report = loaded.project, loaded.report
    known = project.rigs[0].source
    metres = options.metres_per_unit or known.metres_per_unit
    axes = known.to_y_up if options.up_axis is None else UP_AXES[options.up_axis]
    turn = _quarter(quat.multiply(axes, quat.conjugate(known.to_y_up)))
    project = respaced(project, metres / known.metres_per_unit, turn)
    source = SourceFrame(metres, axes)
    report.unit, report.up_axis = unit_name(metres), up_name(axes)
    return Loaded(project.with_assets(*(replace(rig, source=source) for rig in project.rigs)), report)


def _quarter(turn: FloatArray) -> FloatArray:
    """A rotation that maps axes onto axes, without rounding errors."""
    return quat.from_matrix(np.round(quat.to_matrix(turn)))

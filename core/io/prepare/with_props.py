"""Props as bones with rigid meshes, for formats that know neither props nor what holds them."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from core.arrays import FloatArray
from core.clips.bake import bake
from core.clips.clip import Clip
from core.clips.evaluator import ClipEvaluator
from core.clips.proportions import baked_proportions
from core.ids import AssetId
from core.io.common.compare import frames_of
from core.io.common.naming import unique_names
from core.io.report import ExportReport
from core.math.transform import Transform, from_matrix
from core.pose.kinematics import model_matrices
from core.project.project import Asset, Project
from core.rig.mesh import Mesh
from core.rig.rig import Rig
from core.rig.skeleton import Skeleton
from core.shot.camera import ShotCamera
from core.shot.character import ShotCharacter
from core.shot.prop import Prop, matrix_at


def with_props(project: Project) -> Project:
    """The project with each visible prop as a bone that carries its meshes.

    A prop that one bone holds at all times is a bone below that one, at its offset. Any other is a root with keys
    on every frame of each clip.
    """
    props = [prop for prop in project.all(Prop) if prop.visible]
    bare = project.without(*(prop.id for prop in project.all(Prop)))
    if not props or not project.rigs:
        return bare
    assets: list[Asset] = []
    for rig in project.rigs:
        own = [prop for prop in props if _owner(prop, project) is rig]
        if own:
            assets += _carried(rig, project.clips_of(rig.id), own, bare)
    return bare.with_assets(*assets)


def _owner(prop: Prop, project: Project) -> Rig:
    named = [hold.rig for hold in prop.holds if hold.rig is not None]
    return next((rig for rig in project.rigs if rig.id in named), project.rigs[0])


def _carried(rig: Rig, clips: Sequence[Clip], props: Sequence[Prop], project: Project) -> list[Asset]:
    """The rig with bones for props, its clips with their motion, and their meshes."""
    old = rig.skeleton
    names = unique_names([*old.names, *(prop.name for prop in props)], list(range(len(old))))[len(old) :]
    taken = [mesh.name for mesh in project.all(Mesh)]
    parents, rests = [], []
    for prop in props:
        parents.append(_above(prop, rig))
        rests.append(
            prop.holds[0].offset
            if parents[-1] >= 0
            else _place(prop, rig, 0.0, model_matrices(old, old.rest))
        )
    rest = Transform(
        *(
            np.concatenate([own, np.stack(new)])
            for own, new in zip(old.rest, zip(*rests, strict=True), strict=True)
        )
    )
    orders = np.concatenate([old.euler_orders, np.zeros(len(props), np.uint8)]).astype(np.uint8)
    skeleton = Skeleton(
        (*old.names, *names), np.concatenate([old.parents, parents]).astype(np.int32), rest, orders
    )
    made: list[Asset] = [replace(rig, skeleton=skeleton, retarget_sources={})]
    free = [(prop, name) for prop, name, above in zip(props, names, parents, strict=True) if above < 0]
    for clip in clips:
        plain = baked_proportions(rig, clip)
        made.append(_moved(plain, rig, free))
    for prop, name in zip(props, names, strict=True):
        for number, mesh in enumerate(prop.meshes):
            title = unique_names([*taken, mesh.name or prop.name])[-1]
            taken.append(title)
            own_id = AssetId(f"mesh-{prop.id}-{number}")
            made.append(replace(mesh, id=own_id, name=title, rig=rig.id, bones=(name,)))
    return made


def _above(prop: Prop, rig: Rig) -> int:
    """The bone that holds a prop at all times, or −1."""
    hold = prop.holds[0]
    if len(prop.holds) > 1 or hold.bone is None or hold.rig != rig.id:
        return -1
    found = rig.skeleton.find(hold.bone)
    return -1 if found is None else found


def _place(prop: Prop, rig: Rig, time: float, matrices: FloatArray) -> Transform:
    """Where a prop is, bones at model matrices ``(B, 4, 4)``; at the first of its offsets where its bone is missing."""

    def bone(of: AssetId, name: str) -> FloatArray | None:
        number = rig.skeleton.find(name) if of == rig.id else None
        return None if number is None else np.asarray(matrices[number])

    found = matrix_at(prop, time, bone)
    return prop.holds[0].offset if found is None else from_matrix(found)


def _moved(clip: Clip, rig: Rig, props: Sequence[tuple[Prop, str]]) -> Clip:
    """A clip with keys of props on every frame."""
    if not props:
        return clip
    times = frames_of(clip)
    models = ClipEvaluator(rig, clip).models_many(times, wrap=False)
    tracks = dict(clip.tracks)
    for prop, name in props:
        places = [_place(prop, rig, float(time), models[row]) for row, time in enumerate(times)]
        local = Transform(*(np.stack(part)[:, None] for part in zip(*places, strict=True)))
        alone = Skeleton((name,), np.array([-1], np.int32), Transform(*(part[0] for part in local)))
        tracks |= bake(alone, times, local, rest_tolerance=None)
    return replace(clip, tracks=tracks)


def without_shot(project: Project) -> Project:
    """The project without cameras, props and second characters."""
    return project.without(
        *(a.id for a in project.assets.values() if isinstance(a, ShotCamera | Prop | ShotCharacter))
    )


def with_props_alone(project: Project, report: ExportReport) -> Project:
    """As `with_props`, for a format without cameras: they are told as left out."""
    for camera in project.all(ShotCamera):
        report.leave_out(f"camera {camera.name!r}: of the formats that are exported glTF alone holds cameras")
    return with_props(project)

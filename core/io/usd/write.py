"""Writing USD: SkelRoot, Skeleton, SkelAnimation, skinned meshes, blend shapes."""

import json
import tempfile
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from core.arrays import FloatArray, IntArray
from core.clips.clip import Clip
from core.clips.sample import sample_many
from core.errors import UnsupportedError
from core.io.common.atomic import write_atomic
from core.io.common.clip_extras import to_extras
from core.io.common.marks import EXTRAS
from core.io.common.naming import printable
from core.io.common.spans import breaks_of
from core.io.common.units_and_axes import UP_AXES
from core.io.prepare.rest_scale import folded_project
from core.io.prepare.selection import written_clips, written_rigs
from core.io.prepare.with_props import with_props_alone
from core.io.report import ExportReport
from core.io.usd.names import identifiers
from core.io.usd.options import UsdWriteOptions
from core.io.usd.textures import free_files, texture_files
from core.math import quat
from core.math.transform import Transform, to_matrix
from core.pose.kinematics import chain_matrices
from core.progress import Progress
from core.project.project import Project
from core.rig.rig import Rig
from core.tracks.keys import Interpolation

ROUNDS = 4
STEP = 2e-5


def write(project: Project, path: Path, options: UsdWriteOptions, progress: Progress) -> ExportReport:
    """Write rigs with their meshes and clips as ``.usda``, ``.usdc`` or ``.usd``.

    Raises
    ------
    ValidationError
        The project holds no rig, or a rig no bone.
    UnsupportedError
        The extra ``usd`` is not installed.
    """
    if find_spec("pxr") is None:
        raise UnsupportedError("USD files need the extra 'usd': pip install posewright[usd]")
    from core.io.usd.write_materials import MaterialWriter
    from core.io.usd.write_meshes import MeshWriter

    report = ExportReport("USD")
    project = with_props_alone(project, report)
    rigs = written_rigs(project, options, report)
    if options.fold_scale:
        project, rigs = folded_project(project, rigs)
    told = [(rig, written_clips(project, rig, options)) for rig in rigs]
    with tempfile.TemporaryDirectory(prefix="posewright-usd-") as folder:
        file = Path(folder) / f"stage{path.suffix.lower()}"
        stage = _stage(file, options, [clip for _, clips in told for clip in clips])
        hung = [mesh for rig in rigs for mesh in project.meshes_of(rig.id)] if options.meshes else []
        images = free_files(path.parent, texture_files(hung))
        materials = MaterialWriter(stage, report, images)
        names = identifiers(["Materials", *(rig.name for rig in rigs)])[1:]
        for number, ((rig, clips), name) in enumerate(zip(told, names, strict=True)):
            scene = _Character(stage, rig, options, "/Root" if len(rigs) == 1 else f"/Root/{name}")
            meshes = MeshWriter(scene, rig, materials, report)
            if options.meshes:
                meshes.write(project.meshes_of(rig.id))
            scene.skeleton(meshes.pose.bones)
            titles = identifiers([clip.name for clip in clips])
            for place, (clip, title) in enumerate(zip(clips, titles, strict=True)):
                part = progress.part(0.2 + 0.7 * number / len(rigs), 0.2 + 0.7 * (number + 1) / len(rigs))
                part.report(place / len(clips), f"writing clip {clip.name}")
                scene.clip(clip, title, meshes.tokens, place == 0)
                _left_out(clip, report)
            if np.abs(rig.skeleton.rest.scale - 1.0).max() > 1e-6:
                report.warnings.append(
                    f"{rig.name}: USD keeps animated scale with three digits (half floats)"
                )
        progress.report(0.95, f"writing {path.name}")
        stage.GetRootLayer().Save()
        for data, name in images.items():
            if not path.with_name(name).exists():
                write_atomic(path.with_name(name), data)
        write_atomic(path, file.read_bytes())
    return report


def _left_out(clip: Clip, report: ExportReport) -> None:
    report.sampled.append(f"clip {clip.name!r}: USD holds samples, not curves")
    if clip.additive:
        report.leave_out("additive settings of clips")


def _stage(file: Path, options: UsdWriteOptions, clips: Sequence[Clip]) -> Any:
    """A stage with its unit, axes and span of time, and the prim that holds all."""
    from pxr import Usd, UsdGeom

    stage = Usd.Stage.CreateNew(str(file))
    codes = _codes(clips)
    stage.GetRootLayer().documentation = "Posewright"
    UsdGeom.SetStageUpAxis(stage, UsdGeom.Tokens.z if options.up_axis == "+Z" else UsdGeom.Tokens.y)
    UsdGeom.SetStageMetersPerUnit(stage, options.metres_per_unit)
    stage.SetTimeCodesPerSecond(codes)
    stage.SetFramesPerSecond(codes)
    stage.SetStartTimeCode(0)
    stage.SetEndTimeCode(max((clip.length for clip in clips), default=0.0) * codes)
    stage.SetDefaultPrim(UsdGeom.Xform.Define(stage, "/Root").GetPrim())
    return stage


def _codes(clips: Sequence[Clip]) -> float:
    return clips[0].rate.fps if clips else 24.0


class _Character:
    """One rig on a stage, below `path`."""

    def __init__(self, stage: Any, rig: Rig, options: UsdWriteOptions, path: str) -> None:
        from pxr import UsdSkel

        self.stage, self.rig, self.options, self.path = stage, rig, options, path
        self.codes = stage.GetTimeCodesPerSecond()
        UsdSkel.Root.Define(stage, path)
        self.skel = UsdSkel.Skeleton.Define(stage, f"{path}/Skel")
        self.skel.GetPrim().SetDisplayName(printable(rig.name))
        self.back: FloatArray = quat.conjugate(UP_AXES[options.up_axis])
        names = identifiers(list(rig.skeleton.names))
        self.paths: list[str] = []
        for bone, name in enumerate(names):
            parent = rig.skeleton.parent(bone)
            self.paths.append(name if parent < 0 else f"{self.paths[parent]}/{name}")
        local = Transform(*(part[None] for part in rig.skeleton.rest))
        self.rest = to_matrix(Transform(*(part[0] for part in self.in_file(local))))
        self.model = chain_matrices(rig.skeleton.parents, self.rest)

    def in_file(self, local: Transform) -> Transform:
        """Local transforms ``(T, B, k)`` in the file's unit and axes."""
        roots = list(self.rig.skeleton.roots())
        translation = local.translation / self.options.metres_per_unit
        rotation = np.array(local.rotation)
        translation[:, roots] = quat.rotate(self.back, translation[:, roots])
        rotation[:, roots] = quat.multiply(self.back, rotation[:, roots])
        return Transform(translation, rotation, local.scale)

    def skeleton(self, binds: dict[int, FloatArray]) -> None:
        """Joints with the pose in which meshes are bound (else rest)."""
        from pxr import Vt

        world = [binds.get(bone, matrix) for bone, matrix in enumerate(self.model)]
        self.skel.CreateJointsAttr(self.paths)
        self.skel.CreateJointNamesAttr([printable(name) for name in self.rig.skeleton.names])
        self.skel.CreateBindTransformsAttr(Vt.Matrix4dArray([usd_matrix(m) for m in world]))
        self.skel.CreateRestTransformsAttr(Vt.Matrix4dArray([usd_matrix(m) for m in self.rest]))

    def clip(self, clip: Clip, title: str, tokens: dict[str, str], plays: bool) -> None:
        """One SkelAnimation below the skeleton; one that plays is bound to it."""
        from pxr import Gf, UsdSkel, Vt

        animation = UsdSkel.Animation.Define(self.stage, f"{self.path}/Skel/{title}")
        animation.GetPrim().SetCustomDataByKey(EXTRAS, json.dumps(to_extras(clip, title)))
        animation.CreateJointsAttr(self.paths)
        translations, rotations = animation.CreateTranslationsAttr(), animation.CreateRotationsAttr()
        scales = animation.CreateScalesAttr()
        times = self._times(clip)
        batch = sample_many(self.rig, clip, times, wrap=False)
        local = held_scale(self.rig.skeleton.parents, self.in_file(batch.local))
        turned = quat.continuous(local.rotation)
        morphs = [morph for morph in clip.morphs if morph in tokens]
        weights = animation.CreateBlendShapeWeightsAttr() if morphs else None
        if morphs:
            animation.CreateBlendShapesAttr([tokens[morph] for morph in morphs])
        table = np.stack([batch.morphs[m] for m in morphs], axis=1) if morphs else None
        for row, time in enumerate(times.tolist()):
            code = time * self.codes
            translations.Set(Vt.Vec3fArray.FromNumpy(local.translation[row].astype(np.float32)), code)
            quats = [Gf.Quatf(w, x, y, z) for x, y, z, w in turned[row].tolist()]
            rotations.Set(Vt.QuatfArray(quats), code)
            scales.Set(Vt.Vec3hArray.FromNumpy(local.scale[row].astype(np.float16)), code)
            if weights is not None and table is not None:
                weights.Set(Vt.FloatArray.FromNumpy(table[row].astype(np.float32)), code)
        if plays:
            binding = UsdSkel.BindingAPI.Apply(self.skel.GetPrim())
            binding.CreateAnimationSourceRel().SetTargets([animation.GetPath()])

    def _times(self, clip: Clip) -> FloatArray:
        """Frames, keys, a moment before each step, and what it takes between them."""
        tracks = list(clip.every_track())
        breaks = breaks_of(tracks, clip.length)
        count = int(np.ceil(clip.length * clip.rate.fps - 1e-6))
        frames = np.arange(count) / clip.rate.fps
        steps = [t.times[1:][t.interpolations[:-1] == Interpolation.CONSTANT] - STEP for t in tracks]
        times = np.unique(np.concatenate((breaks, frames, *steps)))
        times = times[(times >= 0.0) & (times <= clip.length)]
        times = times[np.concatenate((np.diff(times) > STEP * 0.5, [True]))]
        for _ in range(ROUNDS):
            middle = 0.5 * (times[1:] + times[:-1])
            ends = sample_many(self.rig, clip, times, wrap=False).local
            wanted = sample_many(self.rig, clip, middle, wrap=False).local
            bad = np.diff(times) > 1e-3
            off = np.abs(0.5 * (ends.translation[1:] + ends.translation[:-1]) - wanted.translation).max(
                axis=(1, 2)
            )
            between = quat.slerp(ends.rotation[:-1], ends.rotation[1:], np.full(middle.shape + (1,), 0.5))
            angle = quat.angle_between(between, wanted.rotation).max(axis=1)
            bad &= (off > self.options.tolerance) | (angle > 10.0 * self.options.tolerance)
            if not bad.any():
                break
            times = np.sort(np.concatenate((times, middle[bad])))
        return times


def held_scale(parents: IntArray, local: Transform) -> Transform:
    """Local transforms ``(T, B, k)`` with the scale that USD's half floats hold, every bone where it was.

    The translations below a bone make up for what its scale lost.
    """
    scale = local.scale.astype(np.float16).astype(np.float64)
    if np.array_equal(scale, local.scale):
        return local
    wanted = chain_matrices(parents, to_matrix(local))
    translation = np.array(local.translation)
    made = np.empty_like(wanted)
    for bone, parent in enumerate(parents):
        if parent >= 0:
            place = np.linalg.pinv(made[:, parent]) @ wanted[:, bone, :, 3:]
            translation[:, bone] = place[:, :3, 0]
        own = to_matrix(Transform(translation[:, bone], local.rotation[:, bone], scale[:, bone]))
        made[:, bone] = own if parent < 0 else made[:, parent] @ own
    return Transform(translation, local.rotation, scale)


def usd_matrix(matrix: FloatArray) -> Any:
    """USD's row-vector matrix of our column-vector one."""
    from pxr import Gf

    return Gf.Matrix4d(matrix.T.tolist())

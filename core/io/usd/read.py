"""Reading USD (UsdSkel): every skeleton a rig, with its animations and skinned meshes."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from core.arrays import FloatArray
from core.clips.clip import WHOLE, Channel, Clip, Property
from core.errors import FormatError, ValidationError
from core.ids import AssetId, new_id
from core.io.common.clip_extras import parsed, with_extras
from core.io.common.helper.cameras import Y_AHEAD, read_cameras
from core.io.common.helper.meshes import MeshReader
from core.io.common.helper.packet import Packet, fetch
from core.io.common.helper.scene import Scene
from core.io.common.helper.target import Kind
from core.io.common.naming import stem_of, unique_names
from core.io.common.options import ALLOW
from core.io.common.units_and_axes import UP_AXES, unit_name
from core.io.loaded import Loaded
from core.io.report import ImportReport
from core.math import quat
from core.math.transform import Transform, from_matrix, to_matrix
from core.progress import Progress
from core.project.project import Asset, Project
from core.project.references import check
from core.rig.rig import Rig, SourceFrame
from core.rig.skeleton import Skeleton, skeleton_from_unordered
from core.timing import FrameRate
from core.tracks.keys import Interpolation, ScalarTrack, TangentMode, Track, quaternion_track, scalar_track
from core.tracks.splits import settled

USD = Kind("USD", "core.io.usd.worker", "pxr", "pip install posewright[usd]")
REST = 1e-9
FOLDERS_VARIABLE = "POSEWRIGHT_USD_FOLDERS"
SHEAR = 1e-5
"""Up to which a transform above a skeleton counts as one without shear."""


def read(path: Path, progress: Progress, folders: Sequence[str] = ()) -> Loaded:
    """Read a USD file.

    Parameters
    ----------
    folders : further folders than its own from which layers and images may be read

    Raises
    ------
    FormatError
        What is wrong with the file; also one without a skeleton.
    UnsupportedError
        The extra ``usd`` is not installed.
    """
    report = ImportReport("USD")
    progress.report(0.0, f"reading {path.name}")
    further = os.pathsep.join(str(Path(folder).absolute()) for folder in folders)
    packet = fetch(path, progress.part(0.0, 0.6), USD, {FOLDERS_VARIABLE: further})
    refused = packet.told["refused"]
    if not packet.told["skeletons"] and not packet.told["cameras"]:
        hint = f"{'; '.join(refused[:3])} ({ALLOW})" if refused else ""
        raise FormatError(path, "", "the file holds no skeleton (UsdSkel), so there is nothing to pose", hint)
    for text in refused:
        report.leave_out(f"{text} ({ALLOW})")
    report.producer = packet.told["producer"]
    for text in packet.told["left_out"]:
        report.leave_out(text)
    source = _source(packet, report)
    try:
        assets: list[Asset] = []
        for told in packet.told["skeletons"]:
            assets += _Character(path, packet, told, source, report, progress).assets()
    except ValidationError as error:
        raise FormatError(path, "", str(error)) from error
    project = Project().with_assets(*assets, *read_cameras(packet, source, Y_AHEAD, report))
    check(project)
    longest = max(project.clips, key=lambda clip: clip.length, default=None)
    if longest is not None:
        report.rate, report.duration = longest.rate.fps, longest.length
        report.frames = round(longest.frames) + 1
    return Loaded(project, report)


def _source(packet: Packet, report: ImportReport) -> SourceFrame:
    metres = float(packet.told["unit_metres"])
    if not 1e-6 <= metres <= 1e6:
        report.warn(f"its unit of {metres:g} m cannot be; taken for centimetres")
        metres = 0.01
    report.unit = unit_name(metres)
    report.up_axis = "+Z" if packet.told["up"] == "Z" else "+Y"
    return SourceFrame(metres, UP_AXES[report.up_axis])


class _Character:
    """One skeleton with its meshes and animations."""

    def __init__(
        self, path: Path, packet: Packet, told: dict[str, Any], source: SourceFrame, report: ImportReport,
        progress: Progress,
    ) -> None:  # fmt: skip
        self.path, self.packet, self.told, self.source = path, packet, told, source
        self.report, self.progress = report, progress

    def assets(self) -> list[Asset]:
        """Rig, meshes, clips."""
        several = len(self.packet.told["skeletons"]) > 1
        name = self.told["name"] if several else stem_of(self.path)
        skeleton, names = self._skeleton()
        rig = Rig(new_id("rig"), name or "rig", skeleton, source=self.source)
        scene = Scene(skeleton, self.source, dict(enumerate(names)), {0: {"name": "mesh"}})
        own = Packet({"meshes": self.told["meshes"]}, self.packet.arrays)
        reader = MeshReader(own, scene, rig.id, self.path, self.report)
        meshes = reader.read(self.progress.part(0.6, 0.8))
        for missing in self.told["loose"]:
            self.report.warn(f"skeleton {self.told['path']}: no {missing}; the rest pose stands in")
        clips = [self._clip(clip, rig.id, skeleton, names, reader) for clip in self.told["clips"]]
        return [rig, *meshes, *clips]

    def _skeleton(self) -> tuple[Skeleton, list[str]]:
        joints = [joint.split("/")[-1] for joint in self.told["joints"]]
        wanted = self.told["names"] or joints
        names = unique_names([name.strip() or f"joint_{n}" for n, name in enumerate(wanted)])
        self.report.renamed += [(old, new) for old, new in zip(wanted, names, strict=True) if old != new]
        if not names:
            raise ValidationError(f"skeleton {self.told['path']} has no joints")
        local = from_matrix(self.packet.array(f"{self._key()}.rest"))
        parents = self.told["parents"]
        self.roots = np.flatnonzero(np.array(parents) < 0)
        world = self.packet.array(f"{self._key()}.world")
        local = self._rooted(Transform(*(np.array(part)[None] for part in local)), world[None])
        translation = local.translation[0] * self.source.metres_per_unit
        rest = Transform(translation, local.rotation[0], local.scale[0])
        skeleton, _ = skeleton_from_unordered(names, parents, rest)
        return skeleton, names

    def _key(self) -> str:
        return f"skel{self.packet.told['skeletons'].index(self.told)}"

    def _rooted(self, local: Transform, world: FloatArray) -> Transform:
        """Roots ``(T, B, k)`` with the skeleton's transform in the scene applied, turned to our axes."""
        parts = [np.array(part) for part in local]
        for root in self.roots:
            own = to_matrix(Transform(*(part[:, root] for part in local)))
            split = from_matrix(world @ own)
            parts[0][:, root] = quat.rotate(self.source.to_y_up, split.translation)
            parts[1][:, root] = quat.multiply(self.source.to_y_up, split.rotation)
            parts[2][:, root] = split.scale
        return Transform(*parts)

    def _clip(
        self, told: dict[str, Any], rig: AssetId, skeleton: Skeleton, names: list[str],
        meshes: MeshReader,
    ) -> Clip:  # fmt: skip
        key = told["key"]
        codes = self.packet.array(f"{key}.times")
        rate = float(self.packet.told["codes"]) or 24.0
        times = _settled((codes - codes[0]) / rate)
        keep = np.concatenate((np.diff(times) > 1e-5, [True]))
        # What the prims above do between the animation's own samples concerns the roots alone.
        own = keep & self.packet.array(f"{key}.own")
        rest = from_matrix(self.packet.array(f"{self._key()}.rest"))
        local = Transform(*(np.repeat(part[None], len(codes), axis=0) for part in rest))
        for column, joint in enumerate(told["rows"]):
            if joint >= 0:
                for part, name in zip(local, ("t", "q", "s"), strict=True):
                    part[:, joint] = self.packet.array(f"{key}.{name}")[:, column]
        stands = self.packet.array(f"{self._key()}.world")
        world = (
            self.packet.array(f"{key}.world")
            if told["moves"]
            else np.repeat(stands[None], len(codes), axis=0)
        )
        local = Transform(local.translation, quat.normalise(local.rotation), local.scale)
        if shear_of(world) > SHEAR:  # between samples, USD interpolates matrices
            own, local = keep, straightened(local, self.told["parents"], world)
            world = np.broadcast_to(np.eye(4), world.shape)
        local = self._rooted(local, world)
        tracks: dict[Channel, Track] = {}
        for number, name in enumerate(names):
            bone, rows = skeleton.index(name), keep if number in self.roots else own
            at = _settled(times[rows])
            moved = local.translation[rows, number] * self.source.metres_per_unit
            for prop, values in ((Property.TRANSLATE, moved), (Property.SCALE, local.scale[rows, number])):
                if np.abs(values - skeleton.rest[prop][bone]).max() > REST:
                    tracks |= {Channel(name, prop, axis): _linear(at, values[:, axis]) for axis in range(3)}
            turned = quat.continuous(local.rotation[rows, number])
            if (
                np.abs(
                    quat.aligned(turned, skeleton.rest.rotation[bone]) - skeleton.rest.rotation[bone]
                ).max()
                > REST
            ):
                tracks[Channel(name, Property.ROTATE, WHOLE)] = quaternion_track(at, _settled(turned))
        morphs: dict[str, ScalarTrack] = {}
        weights = self.packet.array(f"{key}.weights")
        for column, name in enumerate(told["morphs"]):
            if name in self.told["morphs"]:
                line = _linear(_settled(times[own]), weights[own, column])
                for target in meshes.channels.get(self.told["morphs"].index(name), ()):
                    morphs[target] = meshes.track(target, line)
        clip = Clip(
            new_id("clip"), told["name"] or "clip", rig, float(times[-1]),
            FrameRate.of(rate if 0.01 < rate < 10000 else 24.0), tracks=tracks, morphs=morphs,
        )  # fmt: skip
        return with_extras(clip, parsed(told["extras"]), self.report)


def shear_of(matrices: FloatArray) -> float:
    """The largest cosine between two axes of matrices ``(T, 4, 4)``."""
    columns = matrices[:, :3, :3]
    lengths = np.linalg.norm(columns, axis=1, keepdims=True)
    columns = columns / np.where(lengths > 0.0, lengths, 1.0)
    angles = np.einsum("tki,tkj->tij", columns, columns)
    return float(np.abs(angles[:, (0, 0, 1), (1, 2, 2)]).max())


def straightened(local: Transform, parents: Sequence[int], above: FloatArray) -> Transform:
    """Local transforms ``(T, B, k)``, the roots' in the scene, that put every bone where sheared ones put it.

    Bones know no shear: below a sheared transform all of them move a little in their parents instead.

    Parameters
    ----------
    above : matrices ``(T, 4, 4)`` above the roots
    """
    matrices = to_matrix(local)
    wanted, made = np.empty_like(matrices), np.empty_like(matrices)
    parts = [np.array(part) for part in local]
    for bone, parent in enumerate(parents):
        wanted[:, bone] = (above if parent < 0 else wanted[:, parent]) @ matrices[:, bone]
        base = np.linalg.pinv(made[:, parent]) if parent >= 0 else np.eye(4)
        split = from_matrix(base @ wanted[:, bone])
        for part, own in zip(parts, split, strict=True):
            part[:, bone] = own
        one = to_matrix(split)
        made[:, bone] = one if parent < 0 else made[:, parent] @ one
    return Transform(*parts)


def _settled(values: FloatArray) -> FloatArray:
    return np.asarray(settled(np.array(values, dtype=np.float64)), dtype=np.float64)


def _linear(times: FloatArray, values: FloatArray) -> ScalarTrack:
    return scalar_track(
        times, _settled(values), interpolations=Interpolation.LINEAR, modes=TangentMode.LINEAR
    )

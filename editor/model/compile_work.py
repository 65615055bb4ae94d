"""Compiling a clip of the document and measuring every bone of the result: the part that runs on a worker."""

from dataclasses import dataclass

import numpy as np

from core.arrays import Float32Array, FloatArray
from core.clips.clip import Clip
from core.clips.compiled.clip import CompiledClip
from core.clips.compiled.compile import compile_clip
from core.clips.compiled.container import to_bytes
from core.clips.compiled.options import CompileOptions, CompileReport
from core.clips.compiled.player import CompiledPlayer
from core.clips.compiled.source import resampled
from core.clips.sample import ClipEvaluator
from core.evaluation.clip_pipeline import parts_of
from core.ids import AssetId
from core.io.prepare.bake_evaluated import bake_evaluated
from core.math.transform import Transform
from core.pose import kinematics
from core.progress import Progress
from core.project.project import Asset, Project
from core.rig.mesh import Mesh
from core.rig.rig import Rig
from editor.model.i18n import tr

CHUNK = 512


@dataclass(frozen=True, slots=True, eq=False)
class Order:
    """What is to be compiled: frozen values, so that it may run anywhere.

    Parameters
    ----------
    project : the rig, the clip, and all that the clip is seen with: its layers, driven poses, meshes
    """

    rig: Rig
    clip: Clip
    project: Project

    @property
    def meshes(self) -> tuple[Mesh, ...]:
        """Meshes of the rig."""
        return self.project.meshes_of(self.rig.id)

    @property
    def parts(self) -> tuple[Asset, ...]:
        """Everything the result depends on."""
        return tuple(self.project.assets.values())


def order_for(project: Project, clip: AssetId) -> Order:
    """What compiling a clip of a project takes."""
    found = project.get(Clip, clip)
    parts = parts_of(project, found)
    return Order(project.get(Rig, found.rig), found, Project({part.id: part for part in parts}))


@dataclass(frozen=True, slots=True, eq=False)
class BoneErrors:
    """How far each bone is off, measured on the decompressed clip.

    Parameters
    ----------
    times : ``(S,)`` seconds at which the clip was checked: keys, between them, and random times
    metres : ``(S, B)`` the worst of the bone and its three shell points
    """

    times: FloatArray
    metres: Float32Array

    @property
    def largest(self) -> FloatArray:
        """Metres ``(B,)``, the largest over time."""
        most: FloatArray = self.metres.max(axis=0, initial=0.0).astype(np.float64)
        return most

    @property
    def moments(self) -> FloatArray:
        """Seconds ``(B,)`` at which each bone is off the most."""
        if not len(self.times):
            return np.zeros(self.metres.shape[1])
        moments: FloatArray = self.times[np.argmax(self.metres, axis=0)]
        return moments


@dataclass(frozen=True, slots=True, eq=False)
class Compiled:
    """One clip compiled."""

    order: Order
    options: CompileOptions
    clip: CompiledClip
    report: CompileReport
    errors: BoneErrors

    @property
    def holds(self) -> bool:
        """Whether every bone stays within the bound, by this second measurement."""
        return bool(self.errors.largest.max(initial=0.0) <= self.options.metres + 1e-9)

    def to_bytes(self) -> bytes:
        """The file."""
        return to_bytes(self.clip)


def compiled(order: Order, options: CompileOptions, progress: Progress) -> Compiled:
    """Compile as the command line does: layers, keyed goals and driven poses are baked first.

    Raises
    ------
    AnimError
        The clip cannot be compiled within the bound.
    Cancelled
        From `progress`.
    """
    seen = bake_evaluated(order.project, {order.clip.id}, progress.part(0.0, 0.1))
    clip = seen.get(Clip, order.clip.id)
    made, report = compile_clip(order.rig, clip, options, order.meshes, progress.part(0.1, 0.9))
    played = resampled(order.rig, clip, options.rate)
    wanted = ClipEvaluator(order.rig, played, order.meshes).sample_many(report.times, wrap=False).local
    errors = measured(made, report.times, wanted, options.shell, progress.part(0.9, 1.0))
    return Compiled(order, options, made, report, errors)


def measured(
    made: CompiledClip, times: FloatArray, wanted: Transform, shell: float, progress: Progress
) -> BoneErrors:
    """Distances of what the player gives from wanted local transforms ``(S, B, k)``.

    It is the player that is asked, not the fitting's own reading of its keys: what is measured is
    what plays.
    """
    skeleton, player = made.skeleton, CompiledPlayer(made)
    metres = np.zeros((len(times), len(skeleton)), np.float32)  # of many clips: half the memory
    for first in range(0, len(times), CHUNK):
        progress.report(first / max(len(times), 1), tr("measuring"))
        rows = slice(first, first + CHUNK)
        moved = kinematics.model_matrices(skeleton, player.poses(times[rows])[0])
        moved = moved - kinematics.model_matrices(skeleton, Transform(*(part[rows] for part in wanted)))
        place = moved[..., :3, 3]
        off = np.square(place).sum(axis=-1)
        for axis in range(3):
            off = np.maximum(off, np.square(place + shell * moved[..., :3, axis]).sum(axis=-1))
        metres[rows] = np.sqrt(off)
    return BoneErrors(times, metres)

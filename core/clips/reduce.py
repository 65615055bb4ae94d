"""Fewer keys for a whole clip within a distance in model space, measured at bones and at the body's shell."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple, cast

import numpy as np
import numpy.typing as npt

from core.arrays import FloatArray
from core.clips.clip import Channel, Clip, Property
from core.clips.sample import ClipEvaluator
from core.errors import ValidationError
from core.pose import kinematics
from core.progress import Progress, nothing
from core.rig.mesh import Mesh
from core.rig.rig import Rig
from core.rig.skeleton import Skeleton
from core.tracks.keys import ScalarTrack, Track
from core.tracks.reduce import is_sampled, reduced, reduced_rotation

ROUNDS = 12
CHUNK = 256
BARE_SHELL = 0.05
"""Metres from a bone at which its turning is measured where neither mesh nor child tells more."""


class Reduction(NamedTuple):
    """A reduced clip and what it cost.

    Parameters
    ----------
    before, after : keys of all tracks
    metres : largest distance of any measured point from where it was
    bone, time : where and when
    """

    clip: Clip
    before: int
    after: int
    metres: float
    bone: str
    time: float


def reduce_clip(
    rig: Rig,
    clip: Clip,
    metres: float,
    meshes: Sequence[Mesh] = (),
    channels: Collection[Channel] | None = None,
    progress: Progress | None = None,
) -> Reduction:
    """Take keys away as long as every bone and shell point stays within a distance of where it was.

    Each track gets a tolerance from the reach of what hangs on it; the result is measured in model
    space at every frame and between frames (sampled motion: at its samples), and the tracks above a
    point that is too far off are done again with half the tolerance. Curves and morphs stay as they are.

    Parameters
    ----------
    metres : allowed distance, above 0
    meshes : their vertices give the shell; without them three points beside each bone
    channels : only these are reduced; None is all

    Raises
    ------
    ValidationError
        The distance is not above 0.
    Cancelled
        From `progress`.
    """
    if not metres > 0.0:
        raise ValidationError(f"key reduction: expected a distance above 0 m, got {metres}")
    skeleton, tell = rig.skeleton, progress or nothing()
    shell = shell_points(skeleton, meshes)
    reach = reaches(skeleton, shell)
    chosen = [c for c in clip.tracks if (channels is None or c in channels) and skeleton.find(c.bone) is not None]
    times = _times(clip, chosen)
    measure = _Measure(rig, clip, times, shell)
    scale = np.full(len(skeleton), 0.5)
    made: dict[Channel, Track] = {}
    stale: set[int] = set(range(len(skeleton)))
    best = clip
    for number in range(ROUNDS):
        last = number == ROUNDS - 1
        for place, channel in enumerate(chosen):
            bone = skeleton.index(channel.bone)
            if bone in stale:
                if place % 16 == 0:
                    tell.report((number + place / len(chosen)) / (number + 2.0), "reducing keys")
                track = clip.tracks[channel]
                tolerance = metres * float(scale[bone])
                made[channel] = track if last else _one(track, channel, tolerance, float(reach[bone]))
        best = clip.with_tracks(cast(Mapping[Channel, Track | None], made))
        errors = measure.errors(best, tell)
        bad = np.flatnonzero(errors.max(axis=0) > metres)
        if not len(bad):
            break
        stale = set()
        for far in bad:
            stale |= set(kinematics.ancestors(skeleton, int(far)))
        scale[list(stale)] *= 0.25 if number == ROUNDS - 2 else 0.5
    else:
        best, errors = clip, np.zeros((len(times), len(skeleton)))
    row, column = divmod(int(np.argmax(errors)), len(skeleton))
    before = sum(len(t) for t in clip.tracks.values())
    after = sum(len(t) for t in best.tracks.values())
    tell.report(1.0, "reducing keys")
    return Reduction(
        best, before, after, float(errors.max(initial=0.0)), skeleton.names[column], float(times[row])
    )


def _one(track: Track, channel: Channel, metres: float, reach: float) -> Track:
    """One track, reduced to what a distance allows it."""
    if channel.property is Property.TRANSLATE:
        tolerance = metres
    else:
        tolerance = metres / max(reach, 1e-3)
        if channel.property is Property.ROTATE:
            tolerance = float(np.degrees(tolerance))
    if isinstance(track, ScalarTrack):
        return reduced(track, tolerance)
    return reduced_rotation(track, tolerance)


def _times(clip: Clip, channels: Collection[Channel]) -> FloatArray:
    """Key times where all is sampled motion (what was between the samples, nobody knows), else frames and halves."""
    tracks = [clip.tracks[channel] for channel in channels]
    if tracks and all(is_sampled(track) for track in tracks):
        shared = {id(track.times): track.times for track in tracks}
        return np.unique(np.concatenate(list(shared.values())))
    end = max(clip.length, clip.last_key())
    count = max(1, round(clip.rate.to_frame(end) * 2.0))
    return np.linspace(0.0, end, count + 1)


def shell_points(skeleton: Skeleton, meshes: Sequence[Mesh] = ()) -> FloatArray:
    """Points ``(B, 7, 3)`` in each bone's own space: the bone, and the ends of what it carries on six sides."""
    points = np.zeros((len(skeleton), 7, 3))
    spread = np.full(len(skeleton), BARE_SHELL)
    for bone, parent in enumerate(skeleton.parents):
        if parent >= 0:
            length = float(np.linalg.norm(skeleton.rest.translation[bone]))
            spread[parent] = max(spread[parent], min(length, 0.5) * 0.5)
    for axis in range(3):
        points[:, 1 + 2 * axis, axis] = spread
        points[:, 2 + 2 * axis, axis] = -spread
    for mesh in meshes:
        bones = kinematics.joint_bones(mesh, skeleton)
        for joint, bone in enumerate(bones):
            mine = ((mesh.influences == joint) & (mesh.weights > 0.25)).any(axis=1)
            if not mine.any():
                continue
            matrix = mesh.inverse_bind[joint]
            local = mesh.positions[mine].astype(np.float64) @ matrix[:3, :3].T + matrix[:3, 3]
            for axis in range(3):
                for side, pick in ((1 + 2 * axis, np.argmax), (2 + 2 * axis, np.argmin)):
                    candidate = local[int(pick(local[:, axis]))]
                    if np.linalg.norm(candidate) > np.linalg.norm(points[bone, side]):
                        points[bone, side] = candidate
    return points


def reaches(skeleton: Skeleton, shell: FloatArray) -> FloatArray:
    """Metres from each bone to the furthest point of the shell that it moves, in the rest pose ``(B,)``."""
    model = kinematics.model_matrices(skeleton, skeleton.rest)
    world = np.einsum("bij,bpj->bpi", model[:, :3, :3], shell) + model[:, None, :3, 3]
    reach = np.zeros(len(skeleton))
    for bone in range(len(skeleton)):
        for above in kinematics.ancestors(skeleton, bone):
            far = np.linalg.norm(world[bone] - model[above, :3, 3], axis=1).max()
            reach[above] = max(reach[above], float(far))
    return reach


class _Measure:
    """Distances of a clip's points from where the first clip has them."""

    def __init__(self, rig: Rig, clip: Clip, times: FloatArray, shell: FloatArray) -> None:
        self._evaluator = ClipEvaluator(rig, clip)
        self._times, self._shell = times, shell
        self._before = [self._evaluator.models_many(part, wrap=False) for part in self._parts()]

    def _parts(self) -> list[FloatArray]:
        return [self._times[n : n + CHUNK] for n in range(0, len(self._times), CHUNK)]

    def errors(self, clip: Clip, tell: Progress) -> FloatArray:
        """Metres ``(T, B)``: the worst point of each bone at each time."""
        evaluator = self._evaluator.updated(clip)
        rows: list[npt.NDArray[Any]] = []
        for part, before in zip(self._parts(), self._before, strict=True):
            if tell.cancelled:
                tell.report(0.5, "measuring")
            moved = evaluator.models_many(part, wrap=False) - before
            off = np.matmul(self._shell, np.swapaxes(moved[..., :3, :3], -1, -2)) + moved[..., None, :3, 3]
            rows.append(np.sqrt(np.square(off).sum(axis=-1).max(axis=-1)))
        return np.concatenate(rows)

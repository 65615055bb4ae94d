"""Evaluates one clip on one rig."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from threading import Lock
from typing import Self

import numpy as np
import numpy.typing as npt

from core.arrays import FloatArray, require_finite
from core.clips import notifies, root_motion
from core.clips.binding import Binding, BoneTracks, bind, rebound
from core.clips.clip import Clip, Notify
from core.clips.player import ClipPlayer
from core.clips.sampled import PoseBatch, playback_at
from core.errors import ValidationError
from core.ids import AssetId
from core.math import euler, kernels
from core.math.transform import Transform
from core.pose import kinematics
from core.pose.output import PoseOutput
from core.pose.pose import Pose, pose_of
from core.pose.proportions import Proportions, pair_for
from core.rig.mesh import Mesh
from core.rig.rig import Rig
from core.rig.skeleton import Skeleton
from core.tracks.evaluate import Places, locate, rotations_at, scalars_at
from core.tracks.keys import ScalarTrack, Track

FEW_TIMES = 24
"""Up to so many times are stepped through one by one where the compiled kernel is not there."""

_Found = dict[tuple[int, int, int], Places]


class ClipEvaluator:
    """Samples a clip at any times; may be used from several threads.

    Tracks of bones that the rig lacks are left out; a channel without a track takes its value from
    the rest pose (a lone Euler axis: the rest rotation's angles on the others). A clip that names a
    retarget source rests as that does, and comes out in the proportions of the rig, each bone by its
    mode (`core.pose.proportions`).

    Parameters
    ----------
    rig : the rig, or just its skeleton
    clip : what to play
    meshes : meshes whose morph weights the poses carry, at their defaults where the clip
        has no track for them
    """

    def __init__(self, rig: Rig | Skeleton, clip: Clip, meshes: Sequence[Mesh] = ()) -> None:
        self._begin(rig, clip, tuple(meshes), None)

    def _begin(
        self,
        rig: Rig | Skeleton,
        clip: Clip,
        meshes: tuple[Mesh, ...],
        degrees: FloatArray | None,
        known: Binding | None = None,
    ) -> None:
        self.rig: Rig | Skeleton = rig
        self.skeleton: Skeleton = rig.skeleton if isinstance(rig, Rig) else rig
        self.rig_id: AssetId = rig.id if isinstance(rig, Rig) else clip.rig
        self.meshes: tuple[Mesh, ...] = meshes
        self._clip = clip
        pair = pair_for(rig, clip.retarget_source)
        self.proportions = None if pair is None else Proportions(pair)
        authored = self.skeleton if pair is None else replace(self.skeleton, rest=pair.source)
        defaults = {f"{m.name}/{t.name}": t.default_weight for m in meshes for t in m.morphs}
        self.binding = known or bind(authored, clip, defaults, degrees)
        self._by_bone: dict[int, BoneTracks] = {entry.bone: entry for entry in self.binding.bones}
        self._player: ClipPlayer | None = None
        self._lock = Lock()
        self.root_frame: root_motion.RootFrame | None = None

    @property
    def clip(self) -> Clip:
        """The clip that is evaluated."""
        return self._clip

    @property
    def loop(self) -> float | None:
        """Length of the loop in seconds, or None where the clip does not loop."""
        return self._clip.length if self._clip.looping and self._clip.length > 0.0 else None

    def updated(self, clip: Clip) -> Self:
        """An evaluator of an edited clip that shares what did not change with this one.

        Tracks are told apart by identity. Where the clip has tracks for the same channels as
        before, only the changed ones are laid out again.
        """
        if clip is self._clip:
            return self
        other = object.__new__(type(self))  # no __init__: `_begin` lays out what differs
        same_rest = clip.retarget_source == self._clip.retarget_source
        known = rebound(self.binding, self._clip, clip) if same_rest else None
        other._begin(self.rig, clip, self.meshes, self.binding.rest_degrees if same_rest else None, known)
        if (
            self._player is not None
            and same_rest
            and self.loop == other.loop
            and self.binding.places == other.binding.places
            and len(self.binding.extras) == len(other.binding.extras)
        ):
            with self._lock:
                other._player = self._player.fork(other)
        return other

    def player(self) -> ClipPlayer:
        """A player of its own for steady playback (one thread)."""
        with self._lock:
            return self._shared_player().fork(self)

    def _shared_player(self) -> ClipPlayer:
        if self._player is None:
            self._player = ClipPlayer(self)
        return self._player

    # ------------------------------------------------------------------ many times at once

    def sample_many(self, times: npt.ArrayLike, *, wrap: bool = True) -> PoseBatch:
        """Poses at many times, the root's motion left in.

        Parameters
        ----------
        times : ``(T,)`` seconds from the clip's start
        wrap : for a looping clip: True takes times modulo the length, so that exactly at the end
            it shows the first frame, for it goes on; False holds times within 0..length and
            shows the end frame there. A clip that does not loop takes times as they are, and
            beyond its keys each track's extrapolation

        Raises
        ------
        ValidationError
            Times are not finite or not one-dimensional.
        """
        asked = _checked_times(times)
        local, extras = self._sampled(self._clip_times(asked, wrap))
        curves: dict[str, FloatArray] = {}
        morphs: dict[str, FloatArray] = {}
        for entry, values in zip(self.binding.extras, extras, strict=True):
            (morphs if entry.is_morph else curves)[entry.name] = values
        return PoseBatch(self.rig_id, asked, *local, curves, morphs)

    def moment_row(self, time: float) -> tuple[FloatArray, list[float]] | None:
        """The pose at one time within the clip as one row, and the values of `Binding.extras`.

        What playback asks for in every picture: `sample_many` of one time costs twenty times as much.

        Parameters
        ----------
        time : seconds, finite; held within 0..length where the clip loops

        Returns
        -------
        row : ``(10B,)`` translations ``3B``, rotations ``4B``, scales ``3B``, the caller's own; None without
            the compiled kernels
        """
        loop = self.loop
        if loop is not None:
            time = min(max(time, 0.0), loop)
        with self._lock:
            player = self._shared_player()
            if not player.is_compiled:
                return None
            player.pose(time)
            return player.row.copy(), player.extras().tolist()

    def pose_at(self, time: float) -> Pose:
        """The pose at one time within the clip, its end included, the root's motion left in."""
        found = self.moment_row(time)
        if found is None:
            return self.sample_many([time], wrap=False).pose(0)
        row, extras = found
        return pose_of(self.rig_id, row, *self.named(extras))

    def named(self, extras: Sequence[float]) -> tuple[dict[str, float], dict[str, float]]:
        """Curves and morph weights of the values of `Binding.extras`."""
        curves: dict[str, float] = {}
        morphs: dict[str, float] = {}
        for entry, value in zip(self.binding.extras, extras, strict=True):
            (morphs if entry.is_morph else curves)[entry.name] = value
        return curves, morphs

    def models_many(self, times: npt.ArrayLike, *, wrap: bool = True) -> FloatArray:
        """Model matrices ``(T, B, 4, 4)`` at many times; see `sample_many`."""
        at = self._clip_times(_checked_times(times), wrap)
        with self._lock:
            found = self._shared_player().models_many(at)
        if found is not None:
            return found
        return kinematics.model_matrices(self.skeleton, self._sampled(at)[0])

    def _sampled(self, at: FloatArray) -> tuple[Transform, FloatArray]:
        """Local transforms ``(T, B, k)`` and extras ``(E, T)`` at times within the clip."""
        with self._lock:
            player = self._shared_player()
            found = player.poses(at)
            if found is not None:
                return found
            if 0 < len(at) <= FEW_TIMES:
                return _stepped(player, at)
        with kernels.twin():
            return self.sampled_by_track(at)

    def sampled_by_track(self, at: FloatArray) -> tuple[Transform, FloatArray]:
        """The numpy twin of the batched kernel: track after track over all times.

        Times ``(T,)`` lie within the clip where it loops. Gives local transforms ``(T, B, k)`` and
        the values of `Binding.extras` ``(E, T)``.
        """
        places: _Found = {}
        local = self._local(at, tuple(range(len(self.skeleton))), places)
        if self.proportions is not None:
            self.proportions.put(local)
        extras = np.empty((len(self.binding.extras), len(at)))
        for row, entry in enumerate(self.binding.extras):
            extras[row] = entry.default if entry.track is None else self._scalar(entry.track, at, places)
        return local, extras

    def _clip_times(self, times: FloatArray, wrap: bool) -> FloatArray:
        length = self.loop
        if length is None:
            return times
        if not wrap:
            return np.clip(times, 0.0, length)
        folded: FloatArray = times - np.floor(times / length) * length
        return np.where((folded >= length) | (folded < 0.0), 0.0, folded)

    def root_locals(self, bones: tuple[int, ...], times: npt.ArrayLike) -> Transform:
        """Local transforms ``(T, N, k)`` of a few bones at times within the clip, its end included."""
        at = np.asarray(times, dtype=np.float64)
        with self._lock:
            found = self._shared_player().poses(at)
        if found is not None:
            return Transform(*(part[:, list(bones)] for part in found[0]))
        if self.proportions is not None:
            return Transform(*(part[:, list(bones)] for part in self.sampled_by_track(at)[0]))
        return self._local(at, bones, {})

    def _local(self, at: FloatArray, bones: tuple[int, ...], places: _Found) -> Transform:
        """Local transforms ``(T, N, k)`` of bones; bones stand first while building, times last."""
        rest, count, chosen = self.binding.skeleton.rest, len(at), list(bones)
        translation = np.repeat(rest.translation[chosen][:, :, None], count, axis=2)
        rotation = np.repeat(rest.rotation[chosen][:, :, None], count, axis=2)
        scale = np.repeat(rest.scale[chosen][:, :, None], count, axis=2)
        turned: dict[int, list[tuple[int, FloatArray]]] = {}
        for row, bone in enumerate(bones):
            tracks = self._by_bone.get(bone)
            if tracks is None:
                continue
            for axis, track in tracks.translate:
                translation[row, axis] = self._scalar(track, at, places)
            for axis, track in tracks.scale:
                scale[row, axis] = self._scalar(track, at, places)
            if tracks.whole is not None:
                rotation[row] = rotations_at(tracks.whole, self._places(tracks.whole, at, places)).T
            elif tracks.turn:
                degrees = np.repeat(self.binding.rest_degrees[bone][:, None], count, axis=1)
                for axis, track in tracks.turn:
                    degrees[axis] = self._scalar(track, at, places)
                turned.setdefault(int(self.skeleton.euler_orders[bone]), []).append((row, degrees))
        for order, angles in turned.items():
            rows = [row for row, _ in angles]
            stacked = np.stack([degrees for _, degrees in angles]).transpose(0, 2, 1)
            rotation[rows] = euler.to_quaternion(stacked, order).transpose(0, 2, 1)
        return Transform(
            *(np.ascontiguousarray(part.transpose(2, 0, 1)) for part in (translation, rotation, scale))
        )

    def _scalar(self, track: ScalarTrack, at: FloatArray, places: _Found) -> FloatArray:
        return scalars_at(track, self._places(track, at, places))

    def _places(self, track: Track, at: FloatArray, places: _Found) -> Places:
        """Places among a track's keys, found once for all tracks that share their key times."""
        key = (id(track.times), int(track.before), int(track.after))
        found = places.get(key)
        if found is None:
            found = places[key] = locate(track.times, at, track.before, track.after, self.loop)
        return found

    # ------------------------------------------------------------------ playback

    def sample(
        self, time: float, previous: float | None = None, *, stopped: bool = False
    ) -> PoseOutput[Notify]:
        """One moment of playback: pose without the root's motion, that motion, state, notifies.

        Parameters
        ----------
        time : seconds of playback since the clip's start, counting on over the seam of a loop
            (2.5 in a loop of 2 s is half a second into its second turn; its root motion is
            that of both). A clip that does not loop is held within its length
        previous : playback time of the last sample; None where there is none: then nothing has
            moved, and notifies exactly at `time` fire
        stopped : show the end frame where `time` is exactly the end of a turn, instead of the
            first frame, which a clip that goes on shows there

        Raises
        ------
        ValidationError
            A time is no single number, or is not finite.
        """
        return moment(self, self.pose_at, time, previous, stopped)


def moment(
    evaluator: ClipEvaluator,
    pose_at: Callable[[float], Pose],
    time: float,
    previous: float | None,
    stopped: bool,
) -> PoseOutput[Notify]:
    """One moment of playback, its pose taken from `pose_at`; see `ClipEvaluator.sample`.

    Parameters
    ----------
    evaluator : of the clip, which tells its root motion
    pose_at : gives the pose at a time within the clip, root motion left in
    """
    time = _checked_time(time)
    previous = None if previous is None else _checked_time(previous)
    clip = evaluator.clip
    state = playback_at(clip.length, clip.looping, time, stopped)
    pose = pose_at(state.position)
    if clip.root_motion.enabled:
        pose = _rooted(evaluator, pose)
    before = time if previous is None else previous
    return PoseOutput(
        pose,
        root_motion.motion_between(evaluator, before, time),
        state,
        notifies.fired(clip, before, time, include_start=previous is None),
    )


def _rooted(evaluator: ClipEvaluator, pose: Pose) -> Pose:
    """A pose with root motion taken out."""
    if kernels.compiled() is None:
        return pose.with_local(root_motion.without_root(evaluator, pose.local))
    row = np.concatenate([part.reshape(-1) for part in pose.local])
    root_motion.take_out(evaluator, row)
    return pose_of(pose.rig, row, pose.curves, pose.morphs)


def _checked_time(time: npt.ArrayLike) -> float:
    """One time as a plain float: numpy's numbers and arrays without axes come as well."""
    array = np.asarray(time, dtype=np.float64)
    if array.ndim:
        raise ValidationError(f"playback time: expected one number, got shape {array.shape}")
    require_finite(array, "playback times")
    return float(array)


def _checked_times(times: npt.ArrayLike) -> FloatArray:
    asked = np.asarray(times, dtype=np.float64)
    if asked.ndim != 1:
        raise ValidationError(f"sample times: expected shape (T,), got {asked.shape}")
    require_finite(asked, "sample times")
    return asked


def _stepped(player: ClipPlayer, at: FloatArray) -> tuple[Transform, FloatArray]:
    """A few poses, one after the other."""
    poses, extras = [], []
    for time in at:
        poses.append(Transform(*(part.copy() for part in player.pose(float(time)))))
        extras.append(player.extras().copy())
    local = Transform(*(np.stack(parts) for parts in zip(*poses, strict=True)))
    return local, np.stack(extras, axis=1)


def rest_degrees(skeleton: Skeleton, bone: int) -> FloatArray:
    """Euler angles ``(3,)`` of a bone's rest rotation in its own order."""
    return euler.from_quaternion(skeleton.rest.rotation[bone], int(skeleton.euler_orders[bone]))

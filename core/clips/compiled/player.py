"""Playing a compiled clip: one pose, or many, from the packed words."""

import numpy as np
import numpy.typing as npt

from core.arrays import FloatArray
from core.clips.compiled.clip import CompiledClip, transform_of
from core.clips.compiled.container import track_words
from core.clips.compiled.tracks import Kind, Mode
from core.errors import ValidationError
from core.math import kernels
from core.math.transform import Transform


class CompiledPlayer:
    """Decompresses poses; the two keys around the last time of every track stay unpacked.

    A time near the last costs one pass over the tracks, any other a binary search a track. The
    arrays it gives are its own: read or copy them before the next call. One thread each.

    Attributes
    ----------
    local : transforms ``(B, k)`` of the last pose
    extras : ``(E,)`` values of curves, then morphs
    """

    def __init__(self, clip: CompiledClip) -> None:
        self.clip = clip
        # How the table and the parameters are laid out: `core.math.kernel_compiled`.
        moving = [track for track in clip.tracks if track.mode is not Mode.CONSTANT]
        self._table = np.zeros((len(moving), 15), np.int64)
        self._parameters = np.zeros((len(moving), 12))
        words: list[npt.NDArray[np.uint32]] = []
        ticks: list[npt.NDArray[np.int32]] = []
        first_word = first_tick = 0
        for row, track in enumerate(moving):
            width, packed = track.components, track_words(track)
            dropped = track.dropped if track.kind is Kind.ROTATION else 0
            self._table[row, :9] = (
                track.kind, track.index, track.mode, dropped, len(track.ticks), first_tick,
                32 * first_word, width, track.key_bits,
            )  # fmt: skip
            self._table[row, 9 : 9 + width] = track.bits
            self._table[row, 12 : 12 + width] = track.slope_bits
            top = np.maximum(2.0 ** np.array(track.bits) - 1.0, 1.0)
            self._parameters[row, :width] = track.low
            self._parameters[row, 3 : 3 + width] = track.extent / top
            if track.mode is Mode.CUBIC:
                steep = np.where(np.array(track.slope_bits) > 0, track.slope.astype(np.float64), 0.0)
                self._parameters[row, 6 : 6 + width] = -steep
                top = np.maximum(2.0 ** np.array(track.slope_bits) - 1.0, 1.0)
                self._parameters[row, 9 : 9 + width] = 2.0 * steep / top
            words.append(packed)
            ticks.append(track.ticks)
            first_word, first_tick = first_word + len(packed), first_tick + len(track.ticks)
        self._words = np.concatenate([*words, np.zeros(2, np.uint32)])
        self._axis = np.ascontiguousarray(clip.axis)
        self._ticks = np.concatenate([*ticks, np.zeros(0, np.int32)])
        self._state = np.zeros((len(moving), 16))
        self._state[:, 0] = np.inf
        self._pose, self._time = clip.still_pose(), np.zeros(1)
        self.extras = clip.still_extras()
        self.local: Transform = transform_of(self._pose)

    def pose(self, time: float) -> Transform:
        """Local transforms ``(B, k)`` at a time, held beyond the ends: `local`; `extras` are good too."""
        if time - time != 0.0:
            raise ValidationError(f"expected a finite time, got {time}")
        loaded = kernels.compiled()
        if loaded is None:
            with kernels.twin():
                poses, extras = self.clip.poses_numpy(np.array([time]))
            self._pose[:], self.extras[:] = poses[0], extras[0]
        else:
            self._time[0] = time
            loaded.compiled.poses(
                *self._packed(), self._time, self._state, self._pose[None], self.extras[None]
            )
        return self.local

    def poses(self, times: npt.ArrayLike) -> tuple[Transform, FloatArray]:
        """Poses ``(T, B, k)`` and extras ``(T, E)`` at many times, arrays of the caller's own."""
        at = np.ascontiguousarray(times, dtype=np.float64)
        if at.ndim != 1 or not np.isfinite(at).all():
            raise ValidationError(f"expected finite times (T,), got {at.shape}")
        loaded = kernels.compiled()
        if loaded is None:
            with kernels.twin():
                poses, extras = self.clip.poses_numpy(at)
            return transform_of(poses), extras
        poses = np.repeat(self.clip.still_pose()[None], len(at), axis=0)
        extras = np.repeat(self.clip.still_extras()[None], len(at), axis=0)
        loaded.compiled.poses(*self._packed(), at, self._state, poses, extras)
        return transform_of(poses), extras

    def _packed(self) -> tuple[npt.NDArray[np.generic], ...]:
        return self._words, self._table, self._parameters, self._ticks, self._axis

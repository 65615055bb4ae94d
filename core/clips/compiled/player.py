"""Playing a compiled clip: one pose, or many, from the packed words."""

import numpy as np
import numpy.typing as npt

from core.arrays import FloatArray
from core.clips.compiled.clip import CompiledClip, transform_of
from core.clips.compiled.lanes import laid_out
from core.errors import ValidationError
from core.math import kernel_play_layout as layout
from core.math import kernels
from core.math.transform import Transform


class CompiledPlayer:
    """Decompresses poses; the segments around the last time of every track stay unpacked.

    A time near the last costs little more than the polynomials of the tracks, any other a binary search a track.
    The arrays it gives are its own: read or copy them before the next call. One thread each.

    Attributes
    ----------
    local : transforms ``(B, k)`` of the last pose
    extras : ``(E,)`` values of curves, then morphs
    """

    def __init__(self, clip: CompiledClip) -> None:
        self.clip = clip
        self._lanes = lanes = laid_out(clip)
        self._n, self._f = lanes.integers, lanes.floats
        self._pose, self.extras = lanes.pose, lanes.extras
        self.local: Transform = transform_of(self._pose)
        self._compiled: kernels.Compiled | None = None

    def pose(self, time: float) -> Transform:
        """Local transforms ``(B, k)`` at a time, held beyond the ends: `local`; `extras` are good too."""
        if time - time != 0.0:
            raise ValidationError(f"expected a finite time, got {time}")
        compiled = self._compiled or self._kernel()
        if compiled is None:
            with kernels.twin():
                poses, extras = self.clip.poses_numpy(np.array([time]))
            self._pose[:], self.extras[:] = poses[0], extras[0]
        else:
            compiled.compiled.play(self._n, self._f, time)
        return self.local

    def _kernel(self) -> kernels.Compiled | None:
        if self._compiled is None:
            self._compiled = kernels.compiled()
        return self._compiled

    def poses(self, times: npt.ArrayLike) -> tuple[Transform, FloatArray]:
        """Poses ``(T, B, k)`` and extras ``(T, E)`` at many times, arrays of the caller's own."""
        at = np.ascontiguousarray(times, dtype=np.float64)
        if at.ndim != 1 or not np.isfinite(at).all():
            raise ValidationError(f"expected finite times (T,), got {at.shape}")
        compiled = self._kernel()
        if compiled is None:
            with kernels.twin():
                poses, extras = self.clip.poses_numpy(at)
            return transform_of(poses), extras
        made = np.empty((len(at), self._pose.size + len(self.extras)))
        if len(at):
            asked = self._n[layout.N_MANY : layout.N_OUT + 1]
            asked[:] = len(at), at.ctypes.data, made.ctypes.data
            compiled.compiled.play(self._n, self._f, 0.0)
            asked[:] = 0
        bones = made[:, : self._pose.size].reshape(len(at), *self._pose.shape)
        return transform_of(bones), made[:, self._pose.size :]

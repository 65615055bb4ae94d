"""Steady playback: one pose after another into buffers that are used again and again."""

import math
from collections.abc import Iterator
from itertools import pairwise
from typing import Protocol

import numpy as np

from core.arrays import FloatArray
from core.clips.binding import Binding
from core.clips.packed import IntBuffer, Packed, can_pack, pack
from core.clips.stepping import Stepper
from core.errors import ValidationError
from core.math import kernel_layout as layout
from core.math import kernels
from core.math.threads import spread
from core.math.transform import Transform
from core.pose import kinematics
from core.pose.proportions import Proportions
from core.progress import checkpoint
from core.rig.skeleton import Skeleton

POSES_AT_ONCE, LEAST_AT_ONCE = 150_000, 256
"""Bones times moments that are worked out at once (20 ms), and the fewest moments, for the kernel works in tiles."""
LEAST_ASIDE = 96
"""Fewest moments that are worth a thread."""


class Playable(Protocol):
    """What a player takes of an evaluator."""

    @property
    def binding(self) -> Binding: ...
    @property
    def skeleton(self) -> Skeleton: ...
    @property
    def proportions(self) -> Proportions | None: ...
    @property
    def loop(self) -> float | None: ...


class ClipPlayer:
    """Evaluates a clip at one time after another, fastest where times follow each other.

    The arrays it gives are its own buffers: read them, or copy them, before the next call. A
    player belongs to one thread.

    Attributes
    ----------
    local : transforms ``(B, k)`` of the last pose, the root's motion left in
    row : the same in one row ``(10B,)``: translations, rotations, scales
    matrices : model matrices ``(B, 4, 4)``, good after `models`
    """

    def __init__(self, evaluator: Playable) -> None:
        # Not the evaluator, which holds players: what it keeps alive should go with it, at once.
        self._binding = binding = evaluator.binding
        self._skeleton = evaluator.skeleton
        self._proportions = evaluator.proportions
        self._loop = evaluator.loop
        self._names = [extra.name for extra in binding.extras]
        self._packed: Packed = pack(binding, self._loop)
        self._n, self._f = self._packed.integers, self._packed.floats
        self._can_pack = can_pack(self._packed.tracks, self._loop)
        self._compiled: kernels.Compiled | None = None
        self._stepper: Stepper | None = None
        self._extra_lanes = self._packed.extra_lanes()
        self._extras = np.array([extra.default for extra in binding.extras])
        self._views()

    def _views(self) -> None:
        count = len(self._skeleton)
        part = self.row = self._packed.part(layout.I_LOCAL, 10 * count)
        self.local = Transform(
            part[: 3 * count].reshape(count, 3),
            part[3 * count : 7 * count].reshape(count, 4),
            part[7 * count :].reshape(count, 3),
        )
        self.matrices: FloatArray = self._packed.part(layout.I_MODEL, 16 * count).reshape(count, 4, 4)

    @property
    def is_compiled(self) -> bool:
        """Whether the compiled kernel answers (else its numpy twin)."""
        return self._kernel() is not None

    def _kernel(self) -> kernels.Compiled | None:
        if self._compiled is None and self._can_pack:
            self._compiled = kernels.compiled()
        return self._compiled

    def _position(self, time: float) -> float:
        loop = self._loop
        if loop is not None and not 0.0 <= time <= loop:
            time = math.fmod(time, loop)
            if time < 0.0:
                time += loop
        if time - time != 0.0:
            raise ValidationError(f"expected a finite time to evaluate, got {time}")
        return time

    def pose(self, time: float) -> Transform:
        """Local transforms ``(B, k)`` at a time: `local`.

        A looping clip shows its end frame exactly at its length; times beyond it are taken modulo.
        """
        compiled = self._compiled or self._kernel()
        if compiled is not None:
            compiled.sample.pose(self._n, self._f, self._position(time), False)
        else:
            self._step(self._position(time))
        if self._proportions is not None:
            self._proportions.put(self.local)
        return self.local

    def models(self, time: float) -> FloatArray:
        """Model matrices ``(B, 4, 4)`` at a time: `matrices`; `local` is good too."""
        compiled = self._compiled or self._kernel()
        if self._proportions is not None:
            self.matrices[:] = kinematics.model_matrices(self._skeleton, self.pose(time))
        elif compiled is not None:
            compiled.sample.pose(self._n, self._f, self._position(time), True)
        else:
            self._step(self._position(time))
            self.matrices[:] = kinematics.model_matrices(self._skeleton, self.local)
        return self.matrices

    def _step(self, time: float) -> None:
        with kernels.twin():
            if self._stepper is None:
                own = self.local
                if (
                    self._proportions is not None
                ):  # the stepper writes what changes: it must find its own again
                    own = Transform(*(part.copy() for part in own))
                self._stepper = Stepper(self._binding, self._loop, own, self._extras)
            self._stepper.step(time)
            if self._proportions is not None:
                for part, own_part in zip(self.local, self._stepper.local, strict=True):
                    part[:] = own_part

    def extras(self) -> FloatArray:
        """Values ``(E,)`` of curves and morphs at the last pose, in the order of `Binding.extras`."""
        if self._stepper is not None and self._compiled is None:
            return self._extras
        values: FloatArray = self._f[self._extra_lanes]
        return values

    def poses(self, times: FloatArray) -> tuple[Transform, FloatArray] | None:
        """Poses ``(T, B, k)`` and extras ``(E, T)`` at many times by the kernel, or None without it.

        Times must be finite and within the clip where it loops.
        """
        compiled = self._kernel()
        if compiled is None:
            return None
        count, bones = len(times), len(self._skeleton)
        whole = np.empty(10 * count * bones)  # one block: large enough for large pages
        ends = np.cumsum([0, 3, 4, 3]) * count * bones
        flat = [whole[start:end] for start, end in pairwise(ends)]
        extras = np.empty((len(self._names), count))
        at = _writable(np.ascontiguousarray(times))

        def some(side: int, part: slice) -> None:
            columns = [
                column[part.start * len(column) // count : part.stop * len(column) // count]
                for column in flat
            ]
            values = np.empty((len(self._names), part.stop - part.start))
            compiled.batch.poses(*self._of(side), at[part], *columns, values, np.empty(0))
            extras[:, part] = values

        for part in self._parts(count):
            spread(some, part, LEAST_ASIDE)
        shaped = (part.reshape(count, bones, width) for part, width in zip(flat, (3, 4, 3), strict=True))
        local = Transform(*shaped)
        if self._proportions is not None:
            self._proportions.put(local)
        return local, extras

    def models_many(self, times: FloatArray) -> FloatArray | None:
        """Model matrices ``(T, B, 4, 4)`` at many times by the kernel, or None without it."""
        compiled = self._kernel()
        if compiled is None or self._proportions is not None:
            return None
        bones = len(self._skeleton)
        matrices = np.empty((len(times), bones, 4, 4))
        none = (np.empty(0), np.empty(0), np.empty(0), np.empty((0, 0)))
        at = _writable(np.ascontiguousarray(times))

        def some(side: int, part: slice) -> None:
            compiled.batch.poses(*self._of(side), at[part], *none, matrices[part].reshape(-1))

        for part in self._parts(len(times)):
            spread(some, part, LEAST_ASIDE)
        return matrices

    def _of(self, side: int) -> tuple[IntBuffer, FloatArray]:
        """The clip's layout for one of several threads: a kernel notes in it where it is."""
        return (self._n, self._f) if side == 0 else (self._n.copy(), self._f.copy())

    def _parts(self, count: int) -> Iterator[slice]:
        """So many times in parts: between them a job may be cancelled."""
        most = max(LEAST_AT_ONCE, POSES_AT_ONCE // max(len(self._skeleton), 1))
        for start in range(0, count, most):
            checkpoint()
            yield slice(start, min(start + most, count))

    def fork(self, evaluator: Playable) -> "ClipPlayer":
        """A player of an edited clip whose tracks drive the same places; only changed ones are laid out."""
        other = object.__new__(ClipPlayer)
        other._binding = evaluator.binding
        other._skeleton, other._loop, other._names = self._skeleton, self._loop, self._names
        other._proportions = self._proportions
        other._packed = self._packed.copy()
        pairs = enumerate(zip(self._packed.tracks, evaluator.binding.tracks, strict=True))
        other._packed.replace({index: new for index, (old, new) in pairs if old is not new})
        other._n, other._f = other._packed.integers, other._packed.floats
        other._can_pack = can_pack(other._packed.tracks, other._loop)
        other._compiled = self._compiled if other._can_pack else None
        other._stepper = None
        other._extra_lanes = self._extra_lanes
        other._extras = self._extras.copy()
        other._views()
        return other


def _writable(array: FloatArray) -> FloatArray:
    """Kernels are compiled for writable arrays; a read-only one is copied."""
    return array if array.flags.writeable else array.copy()

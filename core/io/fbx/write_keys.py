"""Keys as FBX stores them: ticks, values, and runs of equal attributes."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.arrays import FloatArray
from core.io.common.spans import Spans
from core.io.fbx.document import TICKS
from core.tracks.keys import PLAIN_WEIGHT, Interpolation, ScalarTrack

CONSTANT, LINEAR, CUBIC_USER_BROKEN = 0x2, 0x4, 0x8 | 0x400 | 0x800
WEIGHTED_RIGHT, WEIGHTED_NEXT_LEFT = 0x0100_0000, 0x0200_0000
WEIGHT_UNIT = 10000.0
STEP = 2e-5
"""Seconds between the last key of a step and its end."""
Attributes = tuple[npt.NDArray[np.int32], npt.NDArray[np.float32], npt.NDArray[np.int32]]


@dataclass(frozen=True, slots=True, eq=False)
class FbxKeys:
    """Keys of one curve; slopes are per second, weights fractions of the segment.

    Parameters
    ----------
    kinds : `Interpolation` of the segment that starts at each key
    """

    times: FloatArray
    values: FloatArray
    ins: FloatArray
    outs: FloatArray
    kinds: npt.NDArray[np.uint8]
    in_weights: FloatArray
    out_weights: FloatArray

    @classmethod
    def still(cls, times: FloatArray, value: float) -> "FbxKeys":
        """Keys of one value."""
        count = len(times)
        zero, third = np.zeros(count), np.full(count, PLAIN_WEIGHT)
        kinds = np.full(count, int(Interpolation.LINEAR), np.uint8)
        return cls(times, np.full(count, value), zero, zero, kinds, third, third)

    def ticks(self) -> npt.NDArray[np.int64]:
        """Times in FBX's unit."""
        return np.round(self.times * TICKS).astype(np.int64)

    def attributes(self) -> Attributes:
        """Flags, data and counts of each run of keys with the same attributes.

        Data of a key: its right slope, the next key's left slope, both weights, velocities.
        """
        count = len(self.times)
        flags = np.array([CONSTANT, LINEAR, CUBIC_USER_BROKEN], np.int64)[self.kinds]
        next_in = np.append(self.ins[1:], 0.0)
        next_weight = np.append(self.in_weights[1:], PLAIN_WEIGHT)
        cubic = self.kinds == Interpolation.CUBIC
        heavy_right = cubic & (np.abs(self.out_weights - PLAIN_WEIGHT) > 1e-6)
        heavy_left = cubic & (np.abs(next_weight - PLAIN_WEIGHT) > 1e-6)
        flags = flags | np.where(heavy_right, WEIGHTED_RIGHT, 0) | np.where(heavy_left, WEIGHTED_NEXT_LEFT, 0)
        packed = _packed(self.out_weights) | (_packed(next_weight) << 16)
        data = np.zeros((count, 4), np.float32)
        data[:, 0] = np.where(cubic, self.outs, 0.0)
        data[:, 1] = np.where(cubic, next_in, 0.0)
        data[:, 2] = packed.astype(np.int32).view(np.float32)
        raw = data.view(np.int32)
        changed = np.flatnonzero((np.diff(raw, axis=0) != 0).any(axis=1) | (np.diff(flags) != 0)) + 1
        starts = np.concatenate(([0], changed))
        counts = np.diff(np.append(starts, count)).astype(np.int32)
        return flags[starts].astype(np.int32), np.ascontiguousarray(data[starts]).ravel(), counts


def _packed(weights: FloatArray) -> npt.NDArray[np.int64]:
    return np.clip(np.round(weights * WEIGHT_UNIT), 0, 9999).astype(np.int64)


def own_keys(track: ScalarTrack, factor: float) -> FbxKeys:
    """A track's own keys."""
    return FbxKeys(
        np.asarray(track.times), track.values * factor, track.in_slopes * factor, track.out_slopes * factor,
        np.asarray(track.interpolations), np.asarray(track.in_weights), np.asarray(track.out_weights),
    )  # fmt: skip


def spans_to_keys(spans: Spans) -> list[FbxKeys]:
    """A curve for each column of fitted spans; where they jump, there is a key just before."""
    zero = np.zeros((1, spans.last.shape[0]))
    times = spans.breaks
    values = np.concatenate((spans.v0, spans.last[None]))
    ins, outs = np.concatenate((zero, spans.s1)), np.concatenate((spans.s0, zero))
    if len(spans.v0):
        limit = 1e-7 * np.maximum(1.0, np.abs(values[1:]))
        jumps = np.flatnonzero((np.abs(values[1:] - spans.v1) > limit).any(axis=1))
        if len(jumps):
            gap = np.minimum(STEP, 0.5 * np.diff(spans.breaks)[jumps])
            ins[jumps + 1] = 0.0
            times = np.insert(times, jumps + 1, spans.breaks[jumps + 1] - gap)
            values = np.insert(values, jumps + 1, spans.v1[jumps], axis=0)
            ins = np.insert(ins, jumps + 1, spans.s1[jumps], axis=0)
            outs = np.insert(outs, jumps + 1, 0.0, axis=0)
    count = len(times)
    third = np.full(count, PLAIN_WEIGHT)
    kinds = np.full(count, int(Interpolation.CUBIC), np.uint8)
    return [
        FbxKeys(times, values[:, k], ins[:, k], outs[:, k], kinds, third, third)
        for k in range(values.shape[1])
    ]

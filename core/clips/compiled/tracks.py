"""Tracks of a compiled clip: quantised keys on the ticks of a shared time axis, and how they are read."""

from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any

import numpy as np
import numpy.typing as npt

from core.arrays import Float32Array, FloatArray, column_least, column_most, row_lengths, row_sums
from core.clips.compiled import ranges

Codes = npt.NDArray[np.uint32]
Ticks = npt.NDArray[np.int32]

ANY = 4
"""`dropped` of a rotation track whose keys say for themselves which component is left out."""
ROOT_HALF = float(np.float32(np.sqrt(0.5)))


class Kind(IntEnum):
    """What a track drives."""

    TRANSLATION = 0
    ROTATION = 1
    SCALE = 2
    EXTRA = 3


class Mode(IntEnum):
    """How a track runs between its keys."""

    CONSTANT = 0
    LINEAR = 1
    CUBIC = 2


@dataclass(frozen=True, slots=True, eq=False)
class PackedTrack:
    """One track.

    Parameters
    ----------
    kind : what it drives
    index : number of the bone, or of the curve or morph
    mode : constant tracks have their value in `low` and no keys
    dropped : rotations: the component left out of every key, its sign positive; `ANY` where keys
        differ; 0 for others
    bits, slope_bits : of each component of a key; a component of 0 bits is always `low`, such a slope 0
    ticks : ``(K,)`` rising places on the clip's axis, the first 0 and the last its end
    codes : ``(K, C)`` whole numbers, ``(K, 2 C)`` with slopes
    drops : ``(K,)`` component left out of each key, where `dropped` is `ANY`
    low, extent : ``(C,)`` float32 range of values; code 2**bits - 1 is ``low + extent``
    slope : ``(C,)`` float32 largest slope; codes run from −slope to +slope
    """

    kind: Kind
    index: int
    mode: Mode
    low: Float32Array
    dropped: int = 0
    bits: tuple[int, ...] = (0, 0, 0)
    slope_bits: tuple[int, ...] = (0, 0, 0)
    ticks: Ticks = field(default_factory=lambda: np.zeros(0, np.int32))
    codes: Codes = field(default_factory=lambda: np.zeros((0, 3), np.uint32))
    drops: npt.NDArray[np.uint8] = field(default_factory=lambda: np.zeros(0, np.uint8))
    extent: Float32Array = field(default_factory=lambda: np.zeros(3, np.float32))
    slope: Float32Array = field(default_factory=lambda: np.zeros(3, np.float32))

    @property
    def components(self) -> int:
        """Numbers in one value: 1 for curves and morphs, else 3."""
        return 1 if self.kind is Kind.EXTRA else 3

    @property
    def key_bits(self) -> int:
        """Bits of one key."""
        return sum(self.bits) + sum(self.slope_bits) + (2 if self.dropped == ANY else 0)

    def cost(self, ticks: int) -> int:
        """Bits it takes in a clip with a number of ticks: its row, its range, its keys."""
        if self.mode is Mode.CONSTANT:
            return 96 + 32 * self.components
        head = {Kind.ROTATION: 96, Kind.EXTRA: 64}.get(self.kind, 128)
        stream = ticks_bits(len(self.ticks), ticks) + self.key_bits * len(self.ticks)
        return 96 + head + (32 if self.mode is Mode.CUBIC else 0) + (stream + 31) // 32 * 32


def ticks_bits(keys: int, ticks: int) -> int:
    """Bits for the ticks of the keys: none where on every tick, else a bitmap or a list, whichever is smaller."""
    return 0 if keys == ticks else min(ticks, keys * tick_bits(ticks))


def tick_bits(ticks: int) -> int:
    """Bits of a listed tick."""
    return (ticks - 1).bit_length()


def quantised(values: FloatArray, low: Float32Array, extent: Float32Array, bits: tuple[int, ...]) -> Codes:
    """Whole numbers of a number of bits nearest to values ``(K, C)`` within their range."""
    top = 2.0 ** np.array(bits) - 1.0
    span = np.where(extent > 0.0, extent.astype(np.float64), 1.0)
    codes = np.rint((values - low.astype(np.float64)) / span * top)
    return np.clip(codes, 0.0, top).astype(np.uint32)


def restored(
    codes: npt.NDArray[Any], low: Float32Array, extent: Float32Array, bits: tuple[int, ...]
) -> FloatArray:
    """Values ``(K, C)`` of whole numbers."""
    step = extent.astype(np.float64) / np.maximum(2.0 ** np.array(bits) - 1.0, 1.0)
    values: FloatArray = low.astype(np.float64) + step * codes
    return values


def value_range(kind: Kind, values: FloatArray) -> tuple[Float32Array, Float32Array]:
    """Least value and extent ``(C,)`` that hold all values ``(K, C)``, as files can store them."""
    least, most = column_least(values), column_most(values)
    if kind is Kind.ROTATION:
        low = ranges.low_values(ranges.low_codes(least))
    else:
        low = least.astype(np.float32)
        low = np.where(low > least, np.nextafter(low, np.float32(-np.inf)), low)
    reach = most - low.astype(np.float64)
    return low, np.nextafter(reach.astype(np.float32), np.float32(np.inf)) if kind is Kind.EXTRA else (
        ranges.at_least(reach)
    )


def without(rotations: FloatArray, dropped: npt.ArrayLike) -> FloatArray:
    """Three components ``(K, 3)`` of rotations ``(K, 4)``, the dropped one made positive."""
    if isinstance(dropped, int):
        left = [column for column in range(4) if column != dropped]
        part: FloatArray = rotations[:, left] * np.where(rotations[:, dropped] < 0.0, -1.0, 1.0)[:, None]
        return part
    index = np.broadcast_to(np.asarray(dropped, dtype=np.intp), (len(rotations),))
    sign = np.where(rotations[np.arange(len(rotations)), index] < 0.0, -1.0, 1.0)
    places = np.arange(3) + (np.arange(3) >= index[:, None])
    kept: FloatArray = np.take_along_axis(rotations, places, axis=1) * sign[:, None]
    return kept


def completed(kept: FloatArray, dropped: npt.ArrayLike) -> FloatArray:
    """Rotations ``(K, 4)`` of three components; the inverse of `without`."""
    result = np.empty((len(kept), 4))
    if isinstance(dropped, int):
        result[:, [column for column in range(4) if column != dropped]] = kept
        result[:, dropped] = np.sqrt(np.maximum(1.0 - row_sums(np.square(kept)), 0.0))
        return result
    index = np.broadcast_to(np.asarray(dropped, dtype=np.intp), (len(kept),))
    places = np.arange(3) + (np.arange(3) >= index[:, None])
    np.put_along_axis(result, places, kept, axis=1)
    rest = np.sqrt(np.maximum(1.0 - row_sums(np.square(kept)), 0.0))
    result[np.arange(len(kept)), index] = rest
    return result


def constant_value(track: PackedTrack) -> FloatArray:
    """Value of a constant track: ``(4,)`` for rotations, else ``(C,)``."""
    value = track.low.astype(np.float64)
    if track.kind is Kind.ROTATION:
        whole = completed(value[None], track.dropped)[0]
        unit: FloatArray = whole / np.linalg.norm(whole)
        return unit
    return value


def key_values(track: PackedTrack) -> FloatArray:
    """Values of all keys: ``(K, 4)`` for rotations, signs as packed, else ``(K, C)``."""
    values = restored(track.codes[:, : track.components], track.low, track.extent, track.bits)
    if track.kind is Kind.ROTATION:
        return completed(values, track.drops if track.dropped == ANY else track.dropped)
    return values


def key_slopes(track: PackedTrack) -> FloatArray:
    """Slopes ``(K, C)`` of all keys of a cubic track."""
    codes = track.codes[:, track.components :]
    least = np.where(np.array(track.slope_bits) > 0, -track.slope, np.float32(0.0))
    return restored(codes, least, np.float32(2.0) * track.slope, track.slope_bits)


def evaluate(track: PackedTrack, axis: FloatArray, times: FloatArray) -> FloatArray:
    """The numpy twin of the kernel for one track at many times: ``(T, 4)`` for rotations, else ``(T, C)``."""
    if track.mode is Mode.CONSTANT:
        value = constant_value(track)
        return np.broadcast_to(value, (len(times), len(value)))
    keys = axis[track.ticks]
    at = np.clip(times, keys[0], keys[-1])
    place = np.clip(np.searchsorted(keys, at, side="right") - 1, 0, len(keys) - 2)
    h = keys[place + 1] - keys[place]
    u = np.clip((at - keys[place]) / h, 0.0, 1.0)[:, None]
    values = key_values(track)
    a, b = values[place], values[place + 1]
    if track.mode is Mode.CUBIC:
        return _cubic(track, a, b, key_slopes(track), place, u, h[:, None])
    if track.kind is not Kind.ROTATION:
        mixed: FloatArray = a + u * (b - a)
        return mixed
    b = np.where(row_sums(a * b)[:, None] < 0.0, -b, b)
    line = a + u * (b - a)
    unit: FloatArray = line / row_lengths(line)[:, None]
    return unit


def _cubic(
    track: PackedTrack,
    a: FloatArray,
    b: FloatArray,
    slopes: FloatArray,
    place: npt.NDArray[np.intp],
    u: FloatArray,
    h: FloatArray,
) -> FloatArray:
    if track.kind is Kind.ROTATION:
        a, b = without(a, track.dropped), without(b, track.dropped)
    rise = u * u * (3.0 - 2.0 * u)
    out, into = u * (1.0 - u) ** 2 * h, -u * u * (1.0 - u) * h
    values: FloatArray = (1.0 - rise) * a + rise * b + out * slopes[place] + into * slopes[place + 1]
    if track.kind is not Kind.ROTATION:
        return values
    whole = completed(values, track.dropped)
    length = row_lengths(whole)[:, None]
    return np.where(length > 1.0, whole / length, whole)

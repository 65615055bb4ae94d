"""Keys in arrays: scalar and quaternion tracks, frozen.

A track never knows which bone it drives: the clip's channel says so. Columns that hold one
value for every key are zero-stride broadcasts (`core.arrays.constant`) and cost no memory, and
tracks of one file usually share one array of times.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import IntEnum
from math import isfinite
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from core.arrays import ByteArray, FloatArray, constant, frozen, require_finite, stretched
from core.errors import ValidationError
from core.math import bezier, quat
from core.timing import TIME_EPSILON
from core.tracks.key_types import UNTYPED, types_column

PLAIN_WEIGHT = 1.0 / 3.0
"""Handle weight at which a weighted tangent is exactly the Hermite form."""
LONGEST_WEIGHT = bezier.LONGEST * (1.0 + 1e-9)
"""The longest handle that cutting a segment can leave, with room for rounding."""
_WEIGHTS = f"key weights: expected 0 to 1 of the segment ({bezier.LONGEST:.4g} where a segment was cut)"


class Interpolation(IntEnum):
    """How the segment that *starts* at a key runs to the next one."""

    CONSTANT = 0
    LINEAR = 1
    CUBIC = 2


class TangentMode(IntEnum):
    """How a key's slopes come about (spec: editing, Tangents)."""

    AUTO = 0
    CLAMPED = 1
    FREE = 2
    BROKEN = 3
    FLAT = 4
    LINEAR = 5
    STEPPED = 6


class Extrapolation(IntEnum):
    """What a track does beyond its first and last key when the clip does not loop."""

    HOLD = 0
    LINEAR = 1
    CYCLE = 2
    CYCLE_OFFSET = 3
    MIRROR = 4


def _untyped() -> ByteArray:
    return UNTYPED


@dataclass(frozen=True, slots=True, eq=False)
class ScalarTrack:
    """Sorted keys of one scalar channel; build it with `scalar_track`, which fills in defaults.

    Parameters
    ----------
    times : ``(K,)`` seconds, rising by at least `TIME_EPSILON`
    values : ``(K,)`` metres, degrees, factors or plain numbers
    in_slopes, out_slopes : ``(K,)`` value units per second
    interpolations : ``(K,)`` `Interpolation` of the segment that starts at the key
    modes : ``(K,)`` `TangentMode`
    in_weights, out_weights : ``(K,)`` handle lengths as fractions of the segment, 0..1 (up to
        `LONGEST_WEIGHT` where a key was put into a segment of long handles);
        `PLAIN_WEIGHT` is the unweighted Hermite form
    before, after : extrapolation on each side
    types : ``(K,)`` `core.tracks.key_types.KeyType`

    Raises
    ------
    ValidationError
        No key; times not finite, not rising or too close; values or slopes not finite; weights
        outside 0..1; unknown interpolation, mode or type.
    """

    times: FloatArray
    values: FloatArray
    in_slopes: FloatArray
    out_slopes: FloatArray
    interpolations: ByteArray
    modes: ByteArray
    in_weights: FloatArray
    out_weights: FloatArray
    before: Extrapolation = Extrapolation.HOLD
    after: Extrapolation = Extrapolation.HOLD
    types: ByteArray = field(default_factory=_untyped)

    def __post_init__(self) -> None:
        put, count = object.__setattr__, len(self.times)
        for name, check in _CHECKS.items():
            put(self, name, check(getattr(self, name), count, name))
        put(self, "before", Extrapolation(self.before))
        put(self, "after", Extrapolation(self.after))

    def __len__(self) -> int:
        return len(self.times)


@dataclass(frozen=True, slots=True, eq=False)
class QuaternionTrack:
    """Sorted quaternion keys of one bone's rotation; build it with `quaternion_track`.

    Linear is slerp on the short way, cubic the glTF cubic spline (component-wise Hermite, then
    normalised; tangents per second), constant steps. Stored keys are unit quaternions.

    Parameters
    ----------
    times : ``(K,)`` seconds, rising
    values : ``(K, 4)`` unit quaternions
    in_tangents, out_tangents : ``(K, 4)`` per second; used by cubic segments only
    interpolations : ``(K,)`` `Interpolation` of the segment that starts at the key
    before, after : extrapolation on each side (cycle with offset composes the whole turn)
    types : ``(K,)`` `core.tracks.key_types.KeyType`
    """

    times: FloatArray
    values: FloatArray
    in_tangents: FloatArray
    out_tangents: FloatArray
    interpolations: ByteArray
    before: Extrapolation = Extrapolation.HOLD
    after: Extrapolation = Extrapolation.HOLD
    types: ByteArray = field(default_factory=_untyped)

    def __post_init__(self) -> None:
        put, count = object.__setattr__, len(self.times)
        put(self, "times", checked_times(self.times))
        put(self, "types", types_column(self.types, count))
        values = frozen(self.values, (count, 4), "quaternion keys")
        length = np.linalg.norm(values, axis=1)
        if not (np.isfinite(length).all() and float(length.min()) > 1e-6):
            place = int(np.flatnonzero(~(np.isfinite(length) & (length > 1e-6)))[0])
            raise ValidationError(f"quaternion key {place}: expected a rotation, got {values[place]}")
        if np.abs(length - 1.0).max() > 1e-12:
            values = frozen(quat.normalise(values), (count, 4), "quaternion keys")
        put(self, "values", values)
        for name in ("in_tangents", "out_tangents"):
            tangents = frozen(getattr(self, name), (count, 4), f"key {name}")
            require_finite(tangents, f"key {name}")
            put(self, name, tangents)
        codes = frozen(self.interpolations, (count,), "key interpolations", np.uint8)
        if int(codes.max()) >= len(Interpolation):
            raise ValidationError(f"key interpolations: unknown code {int(codes.max())}")
        put(self, "interpolations", codes)
        put(self, "before", Extrapolation(self.before))
        put(self, "after", Extrapolation(self.after))

    def __len__(self) -> int:
        return len(self.times)


Track = ScalarTrack | QuaternionTrack
AnyTrack = TypeVar("AnyTrack", ScalarTrack, QuaternionTrack)


def checked_times(times: npt.ArrayLike) -> FloatArray:
    """Times of keys as a frozen array; raises `ValidationError` naming the first bad one."""
    array: FloatArray = frozen(times, (None,), "key times")
    if not len(array):
        raise ValidationError("a track needs at least one key")
    require_finite(array, "key times")
    gaps = array[1:] - array[:-1]
    if len(gaps) and float(gaps.min()) < TIME_EPSILON * 0.5:
        place = int(np.argmin(gaps))
        raise ValidationError(
            f"key times must rise by {TIME_EPSILON} s: keys {place} and {place + 1} stand at "
            f"{array[place]} and {array[place + 1]}"
        )
    return array


def _column(
    value: npt.ArrayLike | None, default: float, count: int, dtype: npt.DTypeLike
) -> npt.NDArray[Any]:
    array = np.asarray(default if value is None else value, dtype=dtype)
    return constant(array.item(), count, dtype) if array.ndim == 0 else array


def scalar_track(
    times: npt.ArrayLike,
    values: npt.ArrayLike,
    in_slopes: npt.ArrayLike | None = None,
    out_slopes: npt.ArrayLike | None = None,
    interpolations: npt.ArrayLike | None = None,
    modes: npt.ArrayLike | None = None,
    weights: tuple[npt.ArrayLike | None, npt.ArrayLike | None] = (None, None),
    beyond: tuple[Extrapolation, Extrapolation] = (Extrapolation.HOLD, Extrapolation.HOLD),
) -> ScalarTrack:
    """Build a track; columns left out are zero slopes, cubic, auto, plain weights; scalars fill a column.

    Slopes are taken as given: `core.tracks.tangents` computes those of the automatic modes.

    Parameters
    ----------
    weights : of the handles before and after each key
    beyond : what the track does before its first and after its last key
    """
    times = np.asarray(times, dtype=np.float64)
    count = len(times)
    return ScalarTrack(
        times,
        np.asarray(values, dtype=np.float64),
        _column(in_slopes, 0.0, count, np.float64),
        _column(out_slopes, 0.0, count, np.float64),
        _column(interpolations, Interpolation.CUBIC, count, np.uint8),
        _column(modes, TangentMode.AUTO, count, np.uint8),
        _column(weights[0], PLAIN_WEIGHT, count, np.float64),
        _column(weights[1], PLAIN_WEIGHT, count, np.float64),
        *beyond,
    )


def quaternion_track(
    times: npt.ArrayLike,
    values: npt.ArrayLike,
    in_tangents: npt.ArrayLike | None = None,
    out_tangents: npt.ArrayLike | None = None,
    interpolations: npt.ArrayLike | None = None,
    before: Extrapolation = Extrapolation.HOLD,
    after: Extrapolation = Extrapolation.HOLD,
) -> QuaternionTrack:
    """Build a quaternion track; without tangents they are zero, without interpolations it is linear."""
    times = np.asarray(times, dtype=np.float64)
    none = np.broadcast_to(constant(0.0, 1), (len(times), 4))
    return QuaternionTrack(
        times,
        np.asarray(values, dtype=np.float64),
        none if in_tangents is None else np.asarray(in_tangents, dtype=np.float64),
        none if out_tangents is None else np.asarray(out_tangents, dtype=np.float64),
        _column(interpolations, Interpolation.LINEAR, len(times), np.uint8),
        before,
        after,
    )


SCALAR_COLUMNS: tuple[str, ...] = (
    "times",
    "values",
    "in_slopes",
    "out_slopes",
    "interpolations",
    "modes",
    "in_weights",
    "out_weights",
    "types",
)
QUATERNION_COLUMNS: tuple[str, ...] = (
    "times", "values", "in_tangents", "out_tangents", "interpolations", "types",
)  # fmt: skip


def columns(track: Track) -> tuple[str, ...]:
    """Names of the per-key arrays of a track, times first."""
    return SCALAR_COLUMNS if isinstance(track, ScalarTrack) else QUATERNION_COLUMNS


# ---------------------------------------------------------------- edited tracks
# A clip of motion capture has hundreds of tracks, and an edit of all of them must not check again what
# was checked when the tracks were built: columns that are shared, or only put in another order.


def altered(track: AnyTrack, changes: Mapping[str, Any]) -> AnyTrack:
    """The track with other columns, of which only these are checked.

    Parameters
    ----------
    changes : column name → values, as many as there are keys; times may be among them

    Raises
    ------
    ValidationError
        As the track itself does.
    """
    if not isinstance(track, ScalarTrack) or changes.keys() - _CHECKS.keys():
        return replace(track, **changes)
    count = len(track)
    return _trusted(track, {name: _CHECKS[name](column, count, name) for name, column in changes.items()})


def reordered(track: AnyTrack, times: npt.ArrayLike, rows: Mapping[str, Any]) -> AnyTrack:
    """The track with other keys, whose columns (all but the times) hold values out of tracks.

    Parameters
    ----------
    times : ``(N,)`` of the keys then; checked
    rows : column name → ``(N,)`` values out of this or another track's column of that name, or such as
        `require_row` lets pass; only their shape and type are checked
    """
    if not isinstance(track, ScalarTrack):
        return replace(track, times=checked_times(times), **rows)
    checked = checked_times(times)
    known: dict[str, Any] = {"times": checked}
    for name in SCALAR_COLUMNS[1:]:
        column = rows[name] if len(checked) != len(track) else rows.get(name, getattr(track, name))
        known[name] = frozen(column, (len(checked),), f"key {name}", _DTYPES[name])
    return _trusted(track, known)


def with_cells(track: ScalarTrack, changes: Mapping[str, npt.NDArray[Any]]) -> ScalarTrack:
    """The track with read-only columns made of its own by cells whose values the caller has checked.

    Parameters
    ----------
    changes : column name → ``(K,)``; all of them where the number of keys is another
    """
    return _trusted(track, changes)


def with_columns(
    tracks: Sequence[ScalarTrack],
    times: FloatArray,
    blocks: Mapping[str, FloatArray],
    kept: Mapping[str, Sequence[npt.NDArray[Any]]],
) -> list[ScalarTrack]:
    """Tracks with other columns, which came out of tracks.

    Parameters
    ----------
    times : ``(K,)`` seconds that all of them get; checked
    blocks : column name → ``(T, K)`` finite values or slopes, a row a track; taken over and made read-only
    kept : column name → ``(K,)`` for each track, out of its own column of that name
    """
    checked = checked_times(times)
    for name, block in blocks.items():
        if block.shape != (len(tracks), len(checked)):
            raise ValidationError(f"key {name}: expected {(len(tracks), len(checked))}, got {block.shape}")
        block.flags.writeable = False
    names = ("times", *blocks, *kept)
    rows = zip(*blocks.values(), *kept.values(), strict=True) if blocks or kept else [()] * len(tracks)
    return [
        _trusted(track, dict(zip(names, (checked, *row), strict=True)))
        for track, row in zip(tracks, rows, strict=True)
    ]


def require_row(row: Mapping[str, Any]) -> None:
    """Raise `ValidationError` where one key's columns are not what a scalar track may hold."""
    for name, value in row.items():
        check = _CHECKS[name]
        if check in _CODES:
            check(np.array([value], dtype=np.int64).astype(np.uint8), 1, name)
        elif not isfinite(value):
            raise ValidationError(f"key {name}: expected a finite number, got {value}")
        elif check is _weight_column and not 0.0 <= value <= LONGEST_WEIGHT:
            raise ValidationError(_WEIGHTS)


def _trusted(track: AnyTrack, known: Mapping[str, Any]) -> AnyTrack:
    """A copy with columns that are known to be right; for this module alone."""
    made: AnyTrack = object.__new__(type(track))
    put = object.__setattr__
    for name in track.__slots__:
        put(made, name, known[name] if name in known else getattr(track, name))
    return made


def _times_column(values: Any, count: int, name: str) -> npt.NDArray[Any]:
    times = checked_times(values)
    if len(times) != count:
        raise ValidationError(f"key times: expected {count}, got {len(times)}")
    return times


def _finite_column(values: Any, count: int, name: str) -> npt.NDArray[Any]:
    array = frozen(values, (count,), f"key {name}")
    require_finite(array, f"key {name}")
    return array


def _weight_column(values: Any, count: int, name: str) -> npt.NDArray[Any]:
    array = _finite_column(values, count, name)
    if float(array.min()) < 0.0 or float(array.max()) > LONGEST_WEIGHT:
        raise ValidationError(_WEIGHTS)
    return array


def _code_column(values: Any, count: int, name: str) -> npt.NDArray[Any]:
    codes = frozen(values, (count,), f"key {name}", np.uint8)
    kinds = Interpolation if name == "interpolations" else TangentMode
    if int(codes.max()) >= len(kinds):
        raise ValidationError(f"key {name}: expected codes below {len(kinds)}, got {int(codes.max())}")
    return codes


def _type_column(values: Any, count: int, name: str) -> npt.NDArray[Any]:
    return types_column(values, count)


_CHECKS = {
    "times": _times_column,
    "values": _finite_column,
    "in_slopes": _finite_column,
    "out_slopes": _finite_column,
    "interpolations": _code_column,
    "modes": _code_column,
    "in_weights": _weight_column,
    "out_weights": _weight_column,
    "types": _type_column,
}
_CODES = (_code_column, _type_column)
_DTYPES = {name: np.uint8 if check in _CODES else np.float64 for name, check in _CHECKS.items()}


class CheckedColumns:
    """Makes scalar tracks whose columns are arrays of other tracks, too: each array is checked once.

    For what reads many tracks at a time; half of a clip's columns are those of the track before.
    """

    def __init__(self) -> None:
        self._right: dict[tuple[str, int], npt.NDArray[Any]] = {}

    def track(
        self, columns: Mapping[str, npt.NDArray[Any]], before: Extrapolation, after: Extrapolation
    ) -> ScalarTrack:
        """The track with these columns, by name; raises as `ScalarTrack` does."""
        made, put, times = object.__new__(ScalarTrack), object.__setattr__, columns["times"]
        count = len(times) if times.ndim else 0
        for name, check in _CHECKS.items():
            array = columns[name]
            if array.shape != (count,) or self._right.get((name, id(array))) is not array:
                given, array = array, check(array, count, name)
                if array is given:  # frozen: nobody can change it any more
                    self._right[name, id(array)] = array
            put(made, name, array)
        put(made, "before", Extrapolation(before))
        put(made, "after", Extrapolation(after))
        return made


def taken(track: AnyTrack, keys: npt.ArrayLike) -> AnyTrack:
    """The track with only the keys at these indices (rising, at least one)."""
    chosen = np.asarray(keys)
    if chosen.ndim == 1 and len(chosen) == len(track) and np.array_equal(chosen, np.arange(len(track))):
        return track
    count = int(np.count_nonzero(chosen)) if chosen.dtype == np.bool_ else len(chosen)
    kept: dict[str, Any] = {}
    for name in columns(track):
        column = getattr(track, name)
        kept[name] = column[chosen] if any(column.strides) or not count else stretched(column, count)
    return reordered(track, kept.pop("times"), kept)


def joined(tracks: Sequence[AnyTrack]) -> AnyTrack:
    """Keys of tracks that follow each other in time, as one track (settings of the first)."""
    first = tracks[0]
    whole: dict[str, Any] = {
        name: np.concatenate([getattr(t, name) for t in tracks]) for name in columns(first)
    }
    return reordered(first, whole.pop("times"), whole)

"""Putting a key into a segment without changing the curve's shape."""

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from core.arrays import FloatArray, constant
from core.math import bezier, quat
from core.timing import TIME_EPSILON
from core.tracks.evaluate import evaluate_quaternion, evaluate_scalar
from core.tracks.keys import (
    LONGEST_WEIGHT,
    PLAIN_WEIGHT,
    AnyTrack,
    Extrapolation,
    Interpolation,
    QuaternionTrack,
    ScalarTrack,
    TangentMode,
    columns,
    reordered,
    require_row,
)


class Segment(NamedTuple):
    """The segment that a time falls into: keys at both ends, length, seconds since its start."""

    start: int
    end: int
    h: float
    x: float


def segment_at(times: FloatArray, time: float, loop: float | None) -> Segment | None:
    """The segment between keys at a time, the seam's gap of a loop included; None outside the keys."""
    place, last = int(np.searchsorted(times, time)), len(times) - 1
    if 0 < place <= last:
        start = place - 1
        return Segment(start, place, float(times[place] - times[start]), float(time - times[start]))
    gap = float(times[0]) + (loop or 0.0) - float(times[-1])
    if loop is None or gap <= TIME_EPSILON:
        return None
    x = time - float(times[-1]) + (loop if place == 0 else 0.0)
    return Segment(last, 0, gap, x) if 0.0 < x < gap else None


def split_scalar(track: ScalarTrack, time: float, loop: float | None) -> ScalarTrack:
    """A scalar track with a key more, at a time where there is none (see `edits.insert_key`)."""
    place = int(np.searchsorted(track.times, time))
    segment = segment_at(track.times, time, loop)
    value = float(evaluate_scalar(track, np.array([time]), loop)[0])
    if segment is None:
        return _extended(track, place, time, value)
    code = Interpolation(int(track.interpolations[segment.start]))
    row: dict[str, Any] = {"times": time, "values": value, "interpolations": int(code)}
    if code == Interpolation.CONSTANT:
        return inserted(track, place, row | {"modes": int(TangentMode.STEPPED)})
    if code == Interpolation.LINEAR:
        slope = (track.values[segment.end] - track.values[segment.start]) / segment.h
        row |= {"in_slopes": slope, "out_slopes": slope, "modes": int(TangentMode.LINEAR)}
        return inserted(track, place, row)
    cut = _cut(track, segment)
    row |= cut.row | {"modes": int(TangentMode.FREE if cut.smooth else TangentMode.BROKEN)}
    outs = _one(track.out_weights, segment.start, cut.start_weight)
    ins = _one(track.in_weights, segment.end, cut.end_weight)
    return inserted(replace(track, out_weights=outs, in_weights=ins), place, row)


class _Cut(NamedTuple):
    """A cubic segment cut in two: the new key's columns, and the outer keys' weights on the inside."""

    row: dict[str, float]
    start_weight: float
    end_weight: float
    smooth: bool


def _cut(track: ScalarTrack, segment: Segment) -> _Cut:
    """De Casteljau's subdivision in time and value."""
    i, j, h = segment.start, segment.end, segment.h
    w0, w1 = (float(w) for w in bezier.forward(track.out_weights[i], track.in_weights[j]))
    s0, s1 = float(track.out_slopes[i]), float(track.in_slopes[j])
    plain = w0 == w1 == PLAIN_WEIGHT
    x = segment.x / h
    b = x if plain else float(bezier.solve(x, w0, w1))
    points = np.array(
        [
            [0.0, track.values[i]],
            [w0 * h, track.values[i] + w0 * h * s0],
            [h - w1 * h, track.values[j] - w1 * h * s1],
            [h, track.values[j]],
        ]
    )
    first = points[:-1] + b * np.diff(points, axis=0)
    second = first[:-1] + b * np.diff(first, axis=0)
    middle = second[0] + b * (second[1] - second[0])
    run = second[1] - second[0]
    slope = float(run[1] / run[0]) if run[0] > 1e-12 * h else 0.0
    left, right = float(middle[0]), h - float(middle[0])
    row = {"values": float(middle[1]), "in_slopes": slope, "out_slopes": slope}
    if plain:
        return _Cut(row, PLAIN_WEIGHT, PLAIN_WEIGHT, True)
    row["in_weights"] = _fraction(middle[0] - second[0][0], left)
    row["out_weights"] = _fraction(second[1][0] - middle[0], right)
    return _Cut(row, _fraction(first[0][0], left), _fraction(h - first[2][0], right), True)


def _fraction(part: float, whole: float) -> float:
    return min(max(float(part) / whole, 0.0), LONGEST_WEIGHT) if whole > 0.0 else PLAIN_WEIGHT


def _extended(track: ScalarTrack, place: int, time: float, value: float) -> ScalarTrack:
    """A key beyond the ends; the new segment is straight, which is what hold and linear are."""
    end = 0 if place == 0 else len(track) - 1
    how = track.before if place == 0 else track.after
    straight = how in (Extrapolation.HOLD, Extrapolation.LINEAR)
    code = Interpolation.LINEAR if straight else Interpolation(int(track.interpolations[end]))
    slope = (value - float(track.values[end])) / (time - float(track.times[end]))
    row = {
        "times": time,
        "values": value,
        "in_slopes": slope,
        "out_slopes": slope,
        "interpolations": int(code),
        "modes": int(TangentMode.FREE),
    }
    if place > 0 and straight:
        # The last key started no segment until now, so its interpolation is free to be told.
        track = replace(track, interpolations=_one(track.interpolations, end, int(code)))
        modes = track.modes
        if modes[end] == TangentMode.STEPPED:
            track = replace(track, modes=_one(modes, end, int(TangentMode.FREE)))
        row["interpolations"] = int(Interpolation.CUBIC)
    return inserted(track, place, row)


def split_quaternion(track: QuaternionTrack, time: float, loop: float | None) -> QuaternionTrack:
    """A quaternion track with a key more.

    Linear and constant segments keep their shape exactly. A cubic one is a spline of which only
    the direction counts, while keys must be unit: each half becomes the cubic between unit ends
    that comes nearest (a few thousandths of a degree at most where the segment turns by 150°).
    """
    place = int(np.searchsorted(track.times, time))
    segment = segment_at(track.times, time, loop)
    value = evaluate_quaternion(track, np.array([time]), loop)[0]
    zero = np.zeros(4)
    row: dict[str, Any] = {"times": time, "values": value, "in_tangents": zero, "out_tangents": zero}
    if segment is None:
        end = 0 if place == 0 else len(track) - 1
        row["interpolations"] = int(track.interpolations[end])
        row["values"] = quat.aligned(value, track.values[end])
        if track.interpolations[end] == Interpolation.CUBIC:  # nothing was beyond it: let it rest there
            name = "in_tangents" if place == 0 else "out_tangents"
            still: dict[str, Any] = {name: _one(getattr(track, name), end, zero)}
            track = replace(track, **still)
        return inserted(track, place, row)
    i, j, h, u = segment.start, segment.end, segment.h, segment.x / segment.h
    row["interpolations"] = int(track.interpolations[i])
    row["values"] = quat.aligned(value, track.values[i if place > 0 else j])
    if track.interpolations[i] != Interpolation.CUBIC:
        return inserted(track, place, row)
    q0, q1, out, into = track.values[i], track.values[j], track.out_tangents[i], track.in_tangents[j]
    across = -1.0 if j <= i and float(q0 @ q1) < 0.0 else 1.0  # the seam takes the short way
    whole = bezier.hermite_coefficients(h, q0, across * q1, out, across * into)
    sign = across if place == 0 else 1.0  # of the spline: half-way it may be far from either key
    row["values"] = sign * quat.normalise(_raw(whole, u))
    first, before = _half(whole, 0.0, u, segment.x)
    after, last = _half(whole, u, 1.0, h - segment.x)
    row |= {"in_tangents": sign * before, "out_tangents": sign * after}
    changed = replace(
        track,
        out_tangents=_one(track.out_tangents, i, first),
        in_tangents=_one(track.in_tangents, j, across * last),
    )
    return inserted(changed, place, row)


def _half(whole: tuple[FloatArray, ...], a: float, b: float, seconds: float) -> tuple[FloatArray, FloatArray]:
    """Tangents (per second) of a cubic between unit ends that turns as ``p`` does from `a` to `b`.

    To begin with the angular velocities at both ends are the spline's own. What a tangent has along
    its key only paces the curve in between; these two numbers are the least-squares fit of its
    directions. Then both tangents are moved by what is still off (Gauss-Newton).
    """
    q0, q1 = (quat.normalise(_raw(whole, x)) for x in (a, b))
    m0, m1 = (_turning(whole, x, b - a) for x in (a, b))
    s = _FIT[:, None]
    aim = quat.normalise(_raw(whole, a + (b - a) * s))
    h10, h11 = s * (1.0 - s) ** 2, s * s * (s - 1.0)
    curve = bezier.hermite(s, 1.0, q0, q1, m0, m1)

    def aside(rows: FloatArray) -> FloatArray:
        off: FloatArray = rows - np.sum(rows * aim, axis=1, keepdims=True) * aim
        return off.ravel()

    system = np.stack((aside(h10 * q0), aside(h11 * q1)), axis=1)
    pace = np.linalg.lstsq(system, -aside(curve), rcond=None)[0]
    m0, m1 = m0 + pace[0] * q0, m1 + pace[1] * q1
    best, least = (m0, m1), np.inf
    for _ in range(_ROUNDS):
        curve = bezier.hermite(s, 1.0, q0, q1, m0, m1)
        length = np.linalg.norm(curve, axis=1, keepdims=True)
        off = curve / length - aim
        most = float(np.abs(off).max())
        if most >= 0.99 * least or not np.isfinite(most):
            break
        best, least = (m0, m1), most
        unit = curve / length
        across = (np.eye(4) - unit[:, :, None] * unit[:, None, :]) / length[..., None]  # of normalising
        slopes = np.concatenate((h10[..., None] * across, h11[..., None] * across), axis=2)
        weight = 1.0 + 3.0 * np.abs(off).max(axis=1) / max(most, 1e-300)  # evens the error out
        lean = np.linalg.lstsq(
            (weight[:, None, None] * slopes).reshape(-1, 8), -(weight[:, None] * off).ravel(), rcond=1e-9
        )[0]
        m0, m1 = m0 + lean[:4], m1 + lean[4:]
    return best[0] / seconds, best[1] / seconds


_FIT: FloatArray = np.linspace(0.0, 1.0, 33)[1:-1]
_ROUNDS = 12


def _raw(whole: tuple[FloatArray, ...], u: float | FloatArray) -> FloatArray:
    """The spline before it is normalised."""
    c0, c1, c2, c3 = whole
    point: FloatArray = c0 + u * (c1 + u * (c2 + u * c3))
    return point


def _turning(whole: tuple[FloatArray, ...], u: float, span: float) -> FloatArray:
    """Derivative of the normalised spline, per `span` of its parameter."""
    _, c1, c2, c3 = whole
    point, rate = _raw(whole, u), c1 + u * (2.0 * c2 + u * 3.0 * c3)
    length = max(float(np.linalg.norm(point)), 1e-9)
    unit = point / length
    turning: FloatArray = (rate - unit * float(unit @ rate)) * (span / length)
    return turning


def with_smooth_tangents(
    track: QuaternionTrack, keys: npt.NDArray[np.intp], old: npt.NDArray[np.uint8]
) -> QuaternionTrack:
    """Tangents for the segments that have just become cubic: those of a curve through the neighbours."""
    into, out = np.array(track.in_tangents), np.array(track.out_tangents)
    values, times, last = quat.continuous(track.values), track.times, len(track) - 1
    for key in keys[old[keys] != Interpolation.CUBIC]:
        for place, column in ((int(key), out), (min(int(key) + 1, last), into)):
            a, b = max(place - 1, 0), min(place + 1, last)
            if a < b:
                column[place] = (values[b] - values[a]) / (times[b] - times[a])
    return replace(track, values=settled(values), in_tangents=settled(into), out_tangents=settled(out))


def inserted(track: AnyTrack, place: int, row: dict[str, Any]) -> AnyTrack:
    """The track with a key put in before index `place`; columns that `row` lacks get their default."""
    changes: dict[str, Any] = {}
    for name in columns(track):
        default = PLAIN_WEIGHT if name.endswith("weights") else 0
        changes[name] = with_value(getattr(track, name), place, row.get(name, default))
    if isinstance(track, ScalarTrack):
        require_row(row)
    return reordered(track, changes.pop("times"), changes)


def with_value(column: npt.NDArray[Any], place: int, value: Any) -> npt.NDArray[Any]:
    """A column with one value more; one constant column stays so where it can."""
    if column.ndim == 1 and column.strides == (0,) and column[0] == value:
        return constant(column[0].item(), len(column) + 1, column.dtype)
    if column.ndim == 2 and column.strides == (0, 0) and np.all(column[0] == value):
        return np.broadcast_to(column[0], (len(column) + 1, column.shape[1]))
    longer = np.empty((len(column) + 1, *column.shape[1:]), dtype=column.dtype)
    longer[:place], longer[place], longer[place + 1 :] = column[:place], value, column[place:]
    return settled(longer)


def _one(column: npt.NDArray[Any], key: int, value: Any) -> npt.NDArray[Any]:
    """A copy of a column with one value changed; the column itself where it stands there already."""
    if np.all(column[key] == value):
        return column
    changed = np.array(column)
    changed[key] = value
    return settled(changed)


def settled(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Declare a fresh array finished, so that nobody needs to copy it."""
    array.flags.writeable = False
    return array

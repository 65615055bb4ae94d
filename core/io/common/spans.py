"""Curves cut into spans: what a glTF sampler can express exactly, and fitting for the rest.

Between two neighbouring break times every curve of a group (x, y, z of a translation, the
weights of a mesh) is one polynomial. Cubic and linear spans over a common set of breaks are
exact, since a Hermite segment can be cut anywhere; a step is a key just before the next one.
Everything else (weighted tangents, cycles, Euler angles, slerp beside cubic keys) is fitted by
Hermite spans that are halved until they are near enough.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.arrays import FloatArray
from core.tracks.evaluate import evaluate_scalar, is_weighted, locate
from core.tracks.keys import Extrapolation, Interpolation, ScalarTrack, Track

STEP_GAP = 2e-5
"""Seconds between the last key of a step and its end in a linear or cubic sampler."""
CLOSE = 1e-6
"""Breaks nearer than this are one."""
CLOSE_VALUE = 1e-4
"""Ends of fitted spans that differ by less meet; their curve has no step there."""
MOST_HALVINGS = 12
SHORTEST = 1e-4
"""Seconds under which a span is not halved: the curve has a step there."""
PROBES = (0.21, 0.79)
"""Where a span is compared with its curve, beside the middle."""
Curve = Callable[[FloatArray], FloatArray]


@dataclass(frozen=True, slots=True, eq=False)
class Keys:
    """A sampler: ``STEP``, ``LINEAR`` or ``CUBICSPLINE``.

    Parameters
    ----------
    times : ``(K,)`` seconds, each a float32
    values : ``(K, W)``
    ins, outs : tangents of a cubic one
    """

    times: FloatArray
    values: FloatArray
    kind: str
    ins: FloatArray | None = None
    outs: FloatArray | None = None


@dataclass(slots=True)
class Spans:
    """Pieces between breaks ``(N + 1,)``: values and slopes at both ends ``(N, W)``, and the value at the end."""

    breaks: FloatArray
    v0: FloatArray
    v1: FloatArray
    s0: FloatArray
    s1: FloatArray
    last: FloatArray


def breaks_of(tracks: Sequence[Track], length: float) -> FloatArray:
    """0, the key times inside, and the length."""
    times = np.unique(np.concatenate([track.times for track in tracks])) if tracks else np.zeros(0)
    inside = times[(times > CLOSE) & (times < length - CLOSE)]
    ends = [0.0, length] if length > CLOSE else [0.0]
    merged = np.concatenate((ends[:1], inside, ends[1:]))
    return merged[np.concatenate(([True], np.diff(merged) > CLOSE))]


def single(times: FloatArray, down: bool = False) -> FloatArray:
    """Times as float32 can hold them; the last one never later than given, so that all samplers end alike.

    Parameters
    ----------
    down : none of them later than given, so that a step has happened at its very time
    """
    rounded = times.astype(np.float32)
    lower = np.maximum(np.nextafter(rounded, np.float32(-np.inf)), np.float32(0.0))
    late = rounded.astype(np.float64) > times
    if not down:
        late[:-1] = False
    return np.where(late, lower, rounded).astype(np.float64)


def is_exact(track: Track, length: float, loop: float | None) -> bool:
    """Whether spans between key times are plain polynomials (or slerps)."""
    if isinstance(track, ScalarTrack) and is_weighted(track):
        return False
    if loop is not None:  # keys outside would have to be folded in
        return bool(track.times[0] >= -CLOSE and track.times[-1] <= loop + CLOSE)
    before = track.before is Extrapolation.HOLD or track.times[0] <= CLOSE
    return before and (track.after is Extrapolation.HOLD or track.times[-1] >= length - CLOSE)


def scalar_keys(
    tracks: Sequence[ScalarTrack | None],
    rest: Sequence[float],
    length: float,
    loop: float | None,
    tolerance: float,
) -> tuple[Keys, bool]:
    """One sampler for a group of scalar tracks; absent ones hold their rest value.

    Returns
    -------
    keys, exact
        Whether the sampler evaluates as the tracks do, but for rounding.
    """

    def curve(times: FloatArray) -> FloatArray:
        columns = [
            np.full(len(times), value) if track is None else evaluate_scalar(track, times, loop)
            for track, value in zip(tracks, rest, strict=True)
        ]
        return np.stack(columns, axis=1)

    present = [track for track in tracks if track is not None]
    breaks = breaks_of(present, length)
    if not all(is_exact(track, length, loop) for track in present):
        return cubic_keys(fitted(curve, breaks, tolerance)), False
    if all(is_linear(track, loop) for track in present):
        times = single(breaks)  # values of just these times, so that rounding them costs nothing
        return Keys(times, curve(np.minimum(times, length)), "LINEAR"), True
    parts = [
        _constant_spans(breaks, value) if track is None else _spans_of(track, breaks, loop)
        for track, value in zip(tracks, rest, strict=True)
    ]
    kinds = {int(k) for _, found in parts for k in found}
    v0, v1, s0, s1 = (
        np.stack([getattr(s, name)[:, 0] for s, _ in parts], axis=1) for name in ("v0", "v1", "s0", "s1")
    )
    spans = Spans(breaks, v0, v1, s0, s1, np.concatenate([s.last for s, _ in parts]))
    if kinds <= {Interpolation.CONSTANT}:
        return step_keys(spans), True
    if Interpolation.CUBIC not in kinds:
        return linear_keys(spans), True
    return cubic_keys(spans), True


def is_linear(track: Track, loop: float | None) -> bool:
    """Whether a track runs straight from key to key all through the clip."""
    # The last key's interpolation matters where a segment runs across the seam of a loop.
    kinds = track.interpolations if loop is not None else track.interpolations[:-1]
    return bool((kinds == Interpolation.LINEAR).all())


def _constant_spans(breaks: FloatArray, value: float) -> tuple[Spans, npt.NDArray[np.uint8]]:
    flat = np.full((len(breaks) - 1, 1), value)
    zero = np.zeros_like(flat)
    return Spans(breaks, flat, flat, zero, zero, np.array([value])), np.zeros(0, np.uint8)


def _spans_of(
    track: ScalarTrack, breaks: FloatArray, loop: float | None
) -> tuple[Spans, npt.NDArray[np.uint8]]:
    """The polynomial pieces of a track, and which interpolations they have where they are not flat."""
    half = np.diff(breaks) * 0.5
    places = locate(track.times, breaks[:-1] + half, Extrapolation.HOLD, Extrapolation.HOLD, loop)
    i, j, h = places.start, places.end, places.h
    held = i == j if loop is not None else (i == j) | (breaks[:-1] + half < track.times[0])
    a, b = track.values[i], track.values[j]
    kind = np.where(held, Interpolation.CONSTANT, track.interpolations[i])
    cubic, linear = kind == Interpolation.CUBIC, kind == Interpolation.LINEAR
    slope0, slope1 = track.out_slopes[i], track.in_slopes[j]
    chord = (b - a) / h
    ends = []
    for x in (places.x - half, places.x + half):
        u = np.clip(x / h, 0.0, 1.0)
        value = a + u * h * (slope0 * (1 - u) ** 2 + chord * u * (3 - 2 * u) - slope1 * u * (1 - u))
        slope = slope0 * (1 - u) * (1 - 3 * u) + slope1 * u * (3 * u - 2) + 6 * chord * u * (1 - u)
        value = np.where(cubic, np.where(u == 1.0, b, value), np.where(linear, a + (b - a) * u, a))
        value = np.where(linear & (u == 1.0), b, value)
        ends.append((value[:, None], np.where(cubic, slope, np.where(linear, chord, 0.0))[:, None]))
    (v0, s0), (v1, s1) = ends
    last = evaluate_scalar(track, breaks[-1:], loop)
    return Spans(breaks, v0, v1, s0, s1, last), np.unique(kind[~held]).astype(np.uint8)


def fitted(curve: Curve, breaks: FloatArray, tolerance: float, unit: bool = False) -> Spans:
    """Hermite spans near a curve ``(T,) -> (T, W)`` that is smooth between breaks.

    Parameters
    ----------
    tolerance : largest deviation of a component, relative to values above 1
    unit : the values are unit quaternions: compare after normalising, and let the sign run on
    """
    last = curve(breaks[-1:])[0]
    start, end = breaks[:-1], breaks[1:]
    v0, v1, s0, s1 = _ends(curve, start, end)
    done: list[tuple[FloatArray, ...]] = []
    for halving in range(MOST_HALVINGS + 1):
        if not len(start):
            break
        middle, h = 0.5 * (start + end), (end - start)[:, None]
        value, slope = _inside(curve, middle, h)
        good = _near(value, _hermite(0.5, h, v0, v1, s0, s1), tolerance, unit)
        for u in PROBES:
            rest = np.flatnonzero(good)
            wanted = curve(start[rest] + u * h[rest, 0])
            found = _hermite(u, h[rest], v0[rest], v1[rest], s0[rest], s1[rest])
            good[rest] = _near(wanted, found, tolerance, unit)
        good |= (halving == MOST_HALVINGS) | (h[:, 0] < SHORTEST)
        done.append(tuple(part[good] for part in (start, v0, v1, s0, s1)))
        bad = ~good
        # Half of the samples needed next are known: the middle is where both halves meet.
        start, end = np.concatenate((start[bad], middle[bad])), np.concatenate((middle[bad], end[bad]))
        v0, v1 = np.concatenate((v0[bad], value[bad])), np.concatenate((value[bad], v1[bad]))
        s0, s1 = np.concatenate((s0[bad], slope[bad])), np.concatenate((slope[bad], s1[bad]))
    if not done:
        empty = np.zeros((0, len(last)))
        return Spans(breaks[:1], empty, empty, empty, empty, last)
    begin, v0, v1, s0, s1 = (np.concatenate(parts) for parts in zip(*done, strict=True))
    order = np.argsort(begin)
    spans = Spans(np.append(begin[order], breaks[-1]), v0[order], v1[order], s0[order], s1[order], last)
    return _one_sign(spans) if unit else spans


def _inside(curve: Curve, times: FloatArray, h: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Values and slopes at times inside of spans."""
    e = np.maximum(h * 1e-4, 1e-9)
    before, value, after = curve(np.concatenate((times - e[:, 0], times, times + e[:, 0]))).reshape(
        3, len(times), -1
    )
    return value, (after - before) / (2 * e)


def _hermite(
    u: float, h: FloatArray, v0: FloatArray, v1: FloatArray, s0: FloatArray, s1: FloatArray
) -> FloatArray:
    w = 1.0 - u
    return v0 * (1 + 2 * u) * w * w + v1 * (3 - 2 * u) * u * u + h * (s0 * u * w * w - s1 * u * u * w)


def _near(wanted: FloatArray, found: FloatArray, tolerance: float, unit: bool) -> npt.NDArray[np.bool_]:
    if unit:
        found = found / np.maximum(np.linalg.norm(found, axis=1, keepdims=True), 1e-12)
    limit = tolerance * np.maximum(1.0, np.abs(wanted))
    return np.asarray((np.abs(found - wanted) <= limit).all(axis=1))


def _ends(curve: Curve, start: FloatArray, end: FloatArray) -> tuple[FloatArray, ...]:
    """Values and slopes at both ends of spans, from inside (second order differences)."""
    e = np.maximum((end - start) * 1e-4, 1e-9)[:, None]
    t = [start + k * e[:, 0] for k in range(3)] + [end - k * e[:, 0] for k in (0, 1, 2, 3)]
    f = curve(np.concatenate(t)).reshape(7, len(start), -1)
    v0, s0 = f[0], (-3 * f[0] + 4 * f[1] - f[2]) / (2 * e)
    # At the very end the curve may have stepped on to the next span already; a quaternion may
    # only have changed its sign.
    inside = 3 * f[4] - 3 * f[5] + f[6]
    there = np.where(np.sum(inside * f[3], axis=1, keepdims=True) < 0.0, -f[3], f[3])
    there = np.where((np.abs(inside - f[3]) < CLOSE_VALUE).all(axis=1, keepdims=True), f[3], there)
    stepped = (np.abs(inside - there) > CLOSE_VALUE * np.maximum(1.0, np.abs(there))).any(axis=1)
    v1 = np.where(stepped[:, None], inside, there)
    return v0, v1, s0, (3 * v1 - 4 * f[4] + f[5]) / (2 * e)


def _one_sign(spans: Spans) -> Spans:
    """Flip quaternion spans so that each begins with the sign the one before ended with."""
    meeting = np.sum(spans.v1[:-1] * spans.v0[1:], axis=1)
    sign = np.cumprod(np.concatenate(([1.0], np.where(meeting < 0.0, -1.0, 1.0))))[:, None]
    for name in ("v0", "v1", "s0", "s1"):
        setattr(spans, name, getattr(spans, name) * sign)
    if len(spans.v1) and float(np.dot(spans.v1[-1], spans.last)) < 0.0:
        spans.last = -spans.last
    return spans


def _jumps(spans: Spans) -> npt.NDArray[np.bool_]:
    """Spans whose end is not where the next one begins."""
    following = np.concatenate((spans.v0[1:], spans.last[None]))
    limit = 1e-9 * np.maximum(1.0, np.abs(following))
    return np.asarray((np.abs(following - spans.v1) > limit).any(axis=1))


def _values(spans: Spans) -> FloatArray:
    return np.concatenate((spans.v0, spans.last[None]))


def step_keys(spans: Spans) -> Keys:
    """Keys of curves that only step."""
    return Keys(single(spans.breaks, down=True), _values(spans), "STEP")


def linear_keys(spans: Spans) -> Keys:
    """Keys of curves that run straight or step."""
    times, values, _, _ = _with_steps(spans)
    return Keys(times, values, "LINEAR")


def cubic_keys(spans: Spans) -> Keys:
    """Keys of Hermite curves, with steps between them where they jump."""
    times, values, ins, outs = _with_steps(spans)
    return Keys(times, values, "CUBICSPLINE", ins, outs)


def _with_steps(spans: Spans) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Times, values, in- and out-slopes; where a span jumps at its end, there is a key just before."""
    zero = np.zeros((1, spans.last.shape[0]))
    values = _values(spans)
    ins, outs = np.concatenate((zero, spans.s1)), np.concatenate((spans.s0, zero))
    if not len(spans.v0):
        return single(spans.breaks), values, ins, outs
    jumps = np.flatnonzero(_jumps(spans))
    if not len(jumps):
        return single(spans.breaks), values, ins, outs
    gap = np.minimum(STEP_GAP, 0.5 * np.diff(spans.breaks)[jumps])
    times = np.insert(spans.breaks, jumps + 1, spans.breaks[jumps + 1] - gap)
    ins[jumps + 1] = 0.0
    return (
        single(times, down=True),
        np.insert(values, jumps + 1, spans.v1[jumps], axis=0),
        np.insert(ins, jumps + 1, spans.s1[jumps], axis=0),
        np.insert(outs, jumps + 1, 0.0, axis=0),
    )

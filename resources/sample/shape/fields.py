"""Implicit surfaces: a field is a function from points ``(N, 3)`` to signed distances ``(N,)``, inside < 0.

Distances are approximate away from the surface; near it they are right to first order, which is what
blending and projection need. The blends are Inigo Quilez's polynomial smooth minima
(https://iquilezles.org/articles/smin/), cubic for a soft curvature.
"""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Field = Callable[[Array], Array]


def smooth_min(a: Array, b: Array, k: float) -> Array:
    """Minimum whose crease is rounded over the width ``k`` (metres)."""
    h = np.maximum(k - np.abs(a - b), 0.0) / k
    return np.asarray(np.minimum(a, b) - h**3 * (k / 6.0))


def smooth_max(a: Array, b: Array, k: float) -> Array:
    """Maximum whose crease is rounded over the width ``k`` (metres)."""
    return -smooth_min(-a, -b, k)


def blend(k: float, *fields: Field) -> Field:
    """Union of fields, one after the other, each joined with a fillet of width ``k``."""

    def field(p: Array) -> Array:
        d = fields[0](p)
        for other in fields[1:]:
            d = smooth_min(d, other(p), k)
        return d

    return field


def carve(k: float, body: Field, *tools: Field) -> Field:
    """``body`` without the tools, with edges rounded over ``k``."""

    def field(p: Array) -> Array:
        d = body(p)
        for tool in tools:
            d = smooth_max(d, -tool(p), k)
        return d

    return field


def near(field: Field, centre: Sequence[float] | Array, radius: float, margin: float = 0.06) -> Field:
    """The same field, replaced by the distance to a ball that holds it where that is far away."""
    c = np.asarray(centre, dtype=float)

    def bounded(p: Array) -> Array:
        d = np.linalg.norm(p - c, axis=1) - radius
        close = d < margin
        if close.any():
            d[close] = field(p[close])
        return np.asarray(d)

    return bounded


def mirrored(field: Field) -> Field:
    """The field reflected in the plane x = 0."""
    return lambda p: field(p * [-1.0, 1.0, 1.0])


def rounded_cone(a: Sequence[float] | Array, b: Sequence[float] | Array, ra: float, rb: float) -> Field:
    """Convex hull of two balls, at ``a`` with radius ``ra`` and at ``b`` with ``rb``."""
    a, b = np.asarray(a, dtype=float), np.asarray(b, dtype=float)
    length = float(np.linalg.norm(b - a))
    axis = (b - a) / length
    slope = (ra - rb) / length
    cos = float(np.sqrt(1.0 - slope * slope))

    def field(p: Array) -> Array:
        q = p - a
        y = q @ axis
        x = np.linalg.norm(q - y[:, None] * axis, axis=1)
        k = y * cos - x * slope
        side = x * cos + y * slope - ra
        low = np.hypot(x, y) - ra
        high = np.hypot(x, y - length) - rb
        return np.asarray(np.where(k < 0.0, low, np.where(k > length * cos, high, side)))

    return field


def ellipsoid(centre: Sequence[float] | Array, radii: Sequence[float], axes: Array | None = None) -> Field:
    """Ellipsoid with half-axes ``radii`` along the rows of ``axes`` (model axes where left out)."""
    c, r = np.asarray(centre, dtype=float), np.asarray(radii, dtype=float)
    rows = np.eye(3) if axes is None else axes

    def field(p: Array) -> Array:
        q = (p - c) @ rows.T
        g = np.linalg.norm(q / r, axis=1)
        slope = np.linalg.norm(q / (r * r), axis=1)
        return np.asarray(np.where(slope > 1e-9, g * (g - 1.0) / np.maximum(slope, 1e-9), -r.min()))

    return field


class NaturalSpline:
    """Cubic spline through rows of values, straight at its ends (second derivative zero)."""

    def __init__(self, places: Array, values: Array) -> None:
        h = np.diff(places)[:, None]
        chords = np.diff(values, axis=0) / h
        n = len(places)
        system, right = np.eye(n), np.zeros_like(values)
        for i in range(1, n - 1):
            system[i, i - 1 : i + 2] = h[i - 1, 0], 2.0 * (h[i - 1, 0] + h[i, 0]), h[i, 0]
            right[i] = 6.0 * (chords[i] - chords[i - 1])
        bends = np.linalg.solve(system, right)
        self._places = places
        self._parts = (
            values[:-1],
            chords - h * (2.0 * bends[:-1] + bends[1:]) / 6.0,
            0.5 * bends[:-1],
            np.diff(bends, axis=0) / (6.0 * h),
        )

    def __call__(self, at: Array, slope: bool = False) -> Array:
        """Values (or slopes) at places within the range, ``(N, columns)``."""
        i = np.clip(np.searchsorted(self._places, at, side="right") - 1, 0, len(self._places) - 2)
        u = (at - self._places[i])[:, None]
        a, b, c, d = (part[i] for part in self._parts)
        return np.asarray(b + u * (2.0 * c + 3.0 * u * d) if slope else a + u * (b + u * (c + u * d)))


class Loft:
    """A tube whose cross-section is given at stations along an axis, closed by domes.

    Parameters
    ----------
    origin, axes
        Where station 0 lies, and rows: side, along, front.
    stations
        Rows ``(y, out, in, front, back, middle)``: the four radii in metres about the axis point that
        lies ``middle`` metres to the front. Natural cubic splines run through them, so that light
        glides over the stations without bands.
    power
        Exponent of the superellipse: 2 is an ellipse, larger is squarer.
    dome
        Lengths in metres of the rounded ends, beyond the first and the last station. Long ones fade out
        inside another part without leaving a mark on it.
    """

    def __init__(
        self,
        origin: Sequence[float] | Array,
        axes: Array,
        stations: Sequence[Sequence[float]],
        power: float = 2.0,
        dome: tuple[float, float] = (0.02, 0.02),
    ) -> None:
        table = np.asarray(stations, dtype=float)
        self._origin, self._axes = np.asarray(origin, dtype=float), axes
        self._low, self._high = table[0, 0], table[-1, 0]
        self._radii = NaturalSpline(table[:, 0], table[:, 1:])
        self._slopes = self._radii(table[[0, -1], 0], slope=True)
        self._power, self._dome = power, dome

    def __call__(self, p: Array) -> Array:
        q = (p - self._origin) @ self._axes.T
        y = np.clip(q[:, 1], self._low, self._high)
        past = (q[:, 1] - y)[
            :, None
        ]  # the silhouette goes on straight under the dome, so that it has no kink
        ends = self._radii(y)
        straight = ends + past * self._slopes[(past[:, 0] > 0).astype(int)]
        out, into, front, back = np.maximum(straight, 0.4 * ends)[:, :4].T
        middle = straight[:, 4]
        x, z = q[:, 0], q[:, 2] - middle
        end = np.where(q[:, 1] < y, *self._dome)
        radii = np.stack([np.where(x > 0, out, into), end, np.where(z > 0, front, back)])
        parts = np.abs(np.stack([x, q[:, 1] - y, z])) / radii
        n = self._power
        g = np.maximum((parts**n).sum(axis=0) ** (1 / n), 1e-9)
        slope = np.linalg.norm((parts / g) ** (n - 1) / radii, axis=0)
        return np.asarray(np.where(g < 1e-6, -radii.min(axis=0), (g - 1.0) / np.maximum(slope, 1e-6)))

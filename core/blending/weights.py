"""Weights of a blend space's samples at a point: nonnegative, summing to 1, continuous, exact at samples."""

from bisect import bisect_right
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from core.arrays import FloatArray, IndexArray, IntArray
from core.blending.blend_space import BlendSpace, SpaceKind
from core.errors import ValidationError
from core.math.triangulate import barycentric, collinear, hull_edges, triangulate, with_area

JITTER = 1e-7
"""Nudge by which points on one circle are cut alike in every copy of a wrapped axis."""


class Line(NamedTuple):
    """Samples along a line: a place on it, its direction, their order along it, and where each is."""

    middle: FloatArray
    direction: FloatArray
    order: IndexArray
    stops: FloatArray


class Grid(NamedTuple):
    """Lines of a grid each way, and the weights ``(X, Y, places)`` at its nodes."""

    across: FloatArray
    along: FloatArray
    nodes: FloatArray


class SpaceWeights:
    """A blend space's weights, worked out once and asked at many points.

    Places are scaled so that each axis runs from 0 to 1. On a wrapped axis the samples also stand
    one range to either side, and copies give their weight to the original.

    Raises
    ------
    ValidationError
        Without any sample.
    """

    def __init__(self, space: BlendSpace) -> None:
        if not space.samples:
            raise ValidationError(f"blend space {space.name!r} has no sample: drag a clip onto it")
        self.space = space
        self.count = len(space.samples)
        self._low = np.array([axis.minimum for axis in space.axes])
        self._extent = np.array([axis.extent for axis in space.axes])
        places = (np.array([s.place for s in space.samples], dtype=np.float64) - self._low) / self._extent
        self.places, self.origin = self._copies(places)
        self._wraps = len(self.places) > self.count
        self._corners: FloatArray = np.zeros((0, 3, 2))
        self.triangles: IntArray = np.zeros((0, 3), dtype=np.int32)
        self.outline: IntArray = np.zeros((0, 2), dtype=np.int32)
        self.line: Line | None = None
        self.grid: Grid | None = None
        self._find = self._choose()

    def __call__(self, point: npt.ArrayLike) -> FloatArray:
        """Weights ``(..., n)`` at points ``(..., axes)`` in the axes' own units."""
        if np.ndim(point) == 1:
            return self._at(np.asarray(point, dtype=np.float64))
        asked = np.asarray(point, dtype=np.float64).reshape(-1, len(self._low))
        kept = np.array([self.space.kept(tuple(p)) for p in asked]).reshape(asked.shape)
        scaled = (kept - self._low) / self._extent
        found = np.array([self._find(p) for p in scaled])
        out = np.zeros((len(found), self.count))
        np.add.at(out.T, self.origin, found.T)
        shape = np.shape(point)[:-1] if np.ndim(point) else ()
        return out.reshape(*shape, self.count)

    def _at(self, point: FloatArray) -> FloatArray:
        """The weights ``(n,)`` at one point ``(axes,)``: what playback asks for in each step."""
        kept = np.array(self.space.kept(tuple(point.tolist())))
        found = self._find((kept - self._low) / self._extent)
        if not self._wraps:
            return found
        out = np.zeros(self.count)
        np.add.at(out, self.origin, found)
        return out

    def _copies(self, places: FloatArray) -> tuple[FloatArray, IntArray]:
        """Places with a copy on either side of each wrapped axis, and whose copy each is."""
        origin = np.arange(len(places), dtype=np.int32)
        for number, axis in enumerate(self.space.axes):
            if axis.wrap:
                step = np.zeros(places.shape[1])
                step[number] = 1.0
                places = np.concatenate((places, places - step, places + step))
                origin = np.tile(origin, 3)
        return places, origin

    def _choose(self) -> Callable[[FloatArray], FloatArray]:
        if len(self.places) == 1:
            return lambda _point: np.ones(1)
        if self.places.shape[1] == 1 or collinear(self.places):
            return self._on_a_line()
        bump = np.stack((np.sin(self.origin * 12.9898), np.cos(self.origin * 78.233)), axis=-1)
        self.triangles = with_area(self.places, triangulate(self.places + JITTER * bump))
        self._corners = self.places[self.triangles]
        self.outline = hull_edges(self.triangles)
        if self.space.kind is SpaceKind.GRID:
            return self._on_a_grid()
        return self._in_triangles

    def _on_a_line(self) -> Callable[[FloatArray], FloatArray]:
        """Linear between neighbours along the line that the samples stand on, clamped at the ends."""
        middle = self.places.mean(axis=0)
        direction = np.linalg.svd(self.places - middle)[2][0]
        along = (self.places - middle) @ direction
        order = np.argsort(along, kind="stable")
        stops = along[order]
        self.line = Line(middle, direction, order, stops)

        edges, numbers = stops.tolist(), order.tolist()

        def find(point: FloatArray) -> FloatArray:
            weights = np.zeros(len(edges))
            at = min(max(float((point - middle) @ direction), edges[0]), edges[-1])
            right = min(max(bisect_right(edges, at), 1), len(edges) - 1)
            share = (at - edges[right - 1]) / (edges[right] - edges[right - 1])
            weights[numbers[right - 1]], weights[numbers[right]] = 1.0 - share, share
            return weights

        return find

    def _in_triangles(self, point: FloatArray) -> FloatArray:
        """Barycentric in the triangle that holds the point, or at the hull's nearest point."""
        weights = np.zeros(len(self.places))
        inside = barycentric(self._corners, point)
        best = int(np.argmax(inside.min(axis=-1)))
        if inside[best].min() >= -1e-12:
            share = np.maximum(inside[best], 0.0)
            weights[self.triangles[best]] = share / share.sum()
            return weights
        start, end = self.places[self.outline[:, 0]], self.places[self.outline[:, 1]]
        line = end - start
        share = np.clip(np.sum((point - start) * line, axis=1) / np.sum(line * line, axis=1), 0.0, 1.0)
        nearest = start + share[:, None] * line
        edge = int(np.argmin(np.sum((nearest - point) ** 2, axis=1)))
        weights[self.outline[edge, 0]] = 1.0 - share[edge]
        weights[self.outline[edge, 1]] = share[edge]
        return weights

    def _on_a_grid(self) -> Callable[[FloatArray], FloatArray]:
        """Bilinear between grid nodes that hold the triangles' weights.

        Lines also run through samples that stand off the regular grid, so that a sample has
        weight 1 at its own place whatever the divisions.
        """
        self.lines = [self._grid_lines(number) for number in range(2)]
        nodes = np.array(
            [[self._in_triangles(np.array([x, y])) for y in self.lines[1]] for x in self.lines[0]]
        )

        self.grid = Grid(self.lines[0], self.lines[1], nodes)
        ways = [lines.tolist() for lines in self.lines]

        def find(point: FloatArray) -> FloatArray:
            cell, share = [0, 0], [0.0, 0.0]
            for number, (at, lines) in enumerate(zip(point.tolist(), ways, strict=True)):
                cell[number] = min(max(bisect_right(lines, at) - 1, 0), len(lines) - 2)
                low, high = lines[cell[number]], lines[cell[number] + 1]
                share[number] = min(max((at - low) / (high - low), 0.0), 1.0)
            (i, j), (u, v) = cell, share
            mixed: FloatArray = (
                (1 - u) * (1 - v) * nodes[i, j]
                + u * (1 - v) * nodes[i + 1, j]
                + (1 - u) * v * nodes[i, j + 1]
                + u * v * nodes[i + 1, j + 1]
            )
            return mixed

        return find

    def _grid_lines(self, number: int) -> FloatArray:
        regular = np.linspace(0.0, 1.0, self.space.axes[number].divisions + 1)
        own = self.places[(self.places[:, number] >= 0.0) & (self.places[:, number] <= 1.0), number]
        extra = [x for x in np.unique(own) if np.abs(regular - x).min() > 1e-9]
        lines = np.unique(np.concatenate((regular, extra)))
        return lines[np.concatenate(([True], np.diff(lines) > 1e-9))]

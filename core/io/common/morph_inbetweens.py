"""Morph targets with shapes in between: one target for each shape, its weight a function of the channel's."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.arrays import FloatArray
from core.tracks.evaluate import evaluate_scalar
from core.tracks.keys import Interpolation, ScalarTrack, TangentMode, scalar_track

BENDS = 16
"""Pieces in which a cubic segment is taken for straight."""


@dataclass(frozen=True, slots=True, eq=False)
class InbetweenWeight:
    """How much of one shape shows at a channel's weight: all of it at its own, none at its neighbours'.

    In between it is linear, beyond the outermost shapes the last line goes on (as UsdSkel and FBX have it).

    Parameters
    ----------
    knots : ``(K,)`` rising weights of all the channel's shapes and of none, 0
    place : which of them is this shape's
    """

    knots: FloatArray
    place: int

    def of(self, weights: npt.ArrayLike) -> FloatArray:
        """Weights of the shape at weights of the channel."""
        given = np.asarray(weights, dtype=np.float64)
        left = np.clip(np.searchsorted(self.knots, given, "right") - 1, 0, len(self.knots) - 2)
        along = (given - self.knots[left]) / (self.knots[left + 1] - self.knots[left])
        found: FloatArray = np.where(left == self.place, 1.0 - along, 0.0)
        found += np.where(left + 1 == self.place, along, 0.0)
        return found

    def track(self, channel: ScalarTrack) -> ScalarTrack:
        """The shape's track: keys of the channel's, and one wherever that passes a shape."""
        times, stepped = _straight(channel)
        values = evaluate_scalar(channel, times)
        passing = []
        for start in np.flatnonzero(~stepped[:-1]):
            rise = values[start + 1] - values[start]
            inner = self.knots[(self.knots - values[start]) * (self.knots - values[start + 1]) < 0.0]
            passing += [
                times[start] + (times[start + 1] - times[start]) * (k - values[start]) / rise for k in inner
            ]
        added = np.array(passing, dtype=np.float64)
        whole = np.concatenate((times, added))
        order = np.argsort(whole, kind="stable")
        kinds = np.where(
            np.append(stepped, np.zeros(len(added), bool)), Interpolation.CONSTANT, Interpolation.LINEAR
        )
        good = np.concatenate(([True], np.diff(whole[order]) > 1e-5))
        at = whole[order][good]
        return scalar_track(
            at,
            self.of(evaluate_scalar(channel, at)),
            interpolations=kinds[order][good],
            modes=TangentMode.LINEAR,
            beyond=(channel.before, channel.after),
        )


def inbetween_weights(weights: Sequence[float]) -> list[InbetweenWeight]:
    """A weight function for each shape of a channel, by the different weights, not 0, at which they are reached.

    Raises
    ------
    ValueError
        Two shapes have the same weight, or one has weight 0.
    """
    knots = np.unique(np.array([0.0, *weights], dtype=np.float64))
    if len(knots) != len(weights) + 1 or not np.isfinite(knots).all():
        raise ValueError(f"expected different weights other than 0, got {list(weights)}")
    return [InbetweenWeight(knots, int(np.searchsorted(knots, weight))) for weight in weights]


def _straight(track: ScalarTrack) -> tuple[FloatArray, npt.NDArray[np.bool_]]:
    """Times between which the track is straight, and whether it steps from there on."""
    times, stepped = [track.times[:1]], [track.interpolations[:1] == Interpolation.CONSTANT]
    for key in range(1, len(track)):
        kind = track.interpolations[key - 1]
        pieces = BENDS if kind == Interpolation.CUBIC else 1
        inner = np.linspace(track.times[key - 1], track.times[key], pieces + 1)[1:]
        times.append(inner)
        stepped.append(
            np.append(np.zeros(pieces - 1, bool), track.interpolations[key] == Interpolation.CONSTANT)
        )
    return np.concatenate(times), np.concatenate(stepped)

"""One pose at a time in plain numpy: the twin of the sampling kernel.

Tracks that share their key times are one group: a time is looked up once for all of them, and the
keys at both ends of the segment are gathered again only when a key was passed.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from core.arrays import FloatArray, distinct
from core.clips.binding import Binding
from core.clips.clip import Property
from core.math import euler
from core.math.transform import Transform
from core.tracks.evaluate import (
    Places,
    locate,
    rotations_at,
    rotations_between,
    scalars_at,
    scalars_between,
)
from core.tracks.keys import PLAIN_WEIGHT, QuaternionTrack, ScalarTrack, Track

_COLUMN = {Property.TRANSLATE: 0, Property.ROTATE: 1, Property.SCALE: 2}


class _Ends(NamedTuple):
    """The keys at both ends of a group's segment, one entry a track."""

    kinds: npt.NDArray[np.uint8]
    v0: FloatArray
    v1: FloatArray
    out: FloatArray
    into: FloatArray
    weights: tuple[FloatArray, FloatArray] | None


class _Group:
    """Tracks of one kind that share their key times and extrapolation."""

    def __init__(self, tracks: list[Track], targets: list[int]) -> None:
        self.tracks = tracks
        self.targets = np.array(targets, dtype=np.intp)
        self.first = tracks[0]
        self.segment = (-1, -1)
        self.ends: _Ends | None = None

    def places(self, t: FloatArray, loop: float | None) -> Places:
        """Where the time falls among the group's keys."""
        return locate(self.first.times, t, self.first.before, self.first.after, loop)

    def values(self, t: FloatArray, loop: float | None) -> FloatArray:
        """Value of each track, ``(N,)`` or ``(N, 4)``, at the one time of `t` ``(1,)``."""
        places = self.places(t, loop)
        outside = (places.turns is not None and places.turns.any()) or (
            places.beyond is not None and places.beyond.any()
        )
        if outside:
            return np.concatenate([self._alone(track, places) for track in self.tracks])
        segment = (int(places.start[0]), int(places.end[0]))
        if segment != self.segment or self.ends is None:
            self.ends, self.segment = self._gather(*segment), segment
        ends, u = self.ends, places.x / places.h
        if isinstance(self.first, ScalarTrack):
            parts = (ends.v0, ends.v1, ends.out, ends.into, ends.weights)
            return scalars_between(ends.kinds, u, places.h, *parts)
        seam = np.broadcast_to(places.end <= places.start, ends.kinds.shape)
        u, h = (np.broadcast_to(part, ends.kinds.shape) for part in (u, places.h))
        return rotations_between(ends.kinds, u, h, ends.v0, ends.v1, ends.out, ends.into, seam)

    def _alone(self, track: Track, places: Places) -> FloatArray:
        return scalars_at(track, places) if isinstance(track, ScalarTrack) else rotations_at(track, places)

    def _gather(self, i: int, j: int) -> _Ends:
        tracks = self.tracks
        kinds = np.array([track.interpolations[i] for track in tracks])
        v0 = np.array([track.values[i] for track in tracks])
        v1 = np.array([track.values[j] for track in tracks])
        scalars = [track for track in tracks if isinstance(track, ScalarTrack)]
        if scalars:
            out = np.array([track.out_slopes[i] for track in scalars])
            into = np.array([track.in_slopes[j] for track in scalars])
            w0 = np.array([track.out_weights[i] for track in scalars])
            w1 = np.array([track.in_weights[j] for track in scalars])
            plain = bool((w0 == PLAIN_WEIGHT).all() and (w1 == PLAIN_WEIGHT).all())
            return _Ends(kinds, v0, v1, out, into, None if plain else (w0, w1))
        turns = [track for track in tracks if isinstance(track, QuaternionTrack)]
        out = np.array([track.out_tangents[i] for track in turns])
        into = np.array([track.in_tangents[j] for track in turns])
        return _Ends(kinds, v0, v1, out, into, None)


class Stepper:
    """Evaluates a bound clip at one time after another; its arrays are written over each time.

    Parameters
    ----------
    local : transforms ``(B, k)`` to write
    extras : values ``(E,)`` to write
    """

    def __init__(self, binding: Binding, loop: float | None, local: Transform, extras: FloatArray) -> None:
        self._binding, self._loop = binding, loop
        self.local, self._extras = local, extras
        skeleton = binding.skeleton
        self._bones = len(skeleton)
        rest = skeleton.rest
        self._flat = np.concatenate(
            (
                rest.translation.ravel(),
                binding.rest_degrees.ravel(),
                rest.scale.ravel(),
                np.array([extra.default for extra in binding.extras]),
            )
        )
        self._groups = _grouped(binding)
        turned = [entry.bone for entry in binding.bones if entry.turn and entry.whole is None]
        self._turned = [
            (int(order), np.array([b for b in turned if skeleton.euler_orders[b] == order]))
            for order in distinct(skeleton.euler_orders[turned])
        ]
        local.rotation[:] = rest.rotation

    def step(self, time: float) -> None:
        """Write the pose and the extras at a time that the caller has brought inside the clip."""
        t = np.array([time])
        local, flat, size = self.local, self._flat, 3 * self._bones
        for group in self._groups:
            values = group.values(t, self._loop)
            if isinstance(group.first, ScalarTrack):
                flat[group.targets] = values
            else:
                local.rotation[group.targets] = values
        local.translation[:] = flat[:size].reshape(-1, 3)
        local.scale[:] = flat[2 * size : 3 * size].reshape(-1, 3)
        self._extras[:] = flat[3 * size :]
        degrees = flat[size : 2 * size].reshape(-1, 3)
        for order, bones in self._turned:
            local.rotation[bones] = euler.to_quaternion(degrees[bones], order)


def _grouped(binding: Binding) -> list[_Group]:
    """Tracks by kind, key times (the same array, or equal ones) and extrapolation."""
    size = 3 * len(binding.skeleton)
    same: dict[int, bytes] = {}
    groups: dict[tuple[bool, bytes, int, int], tuple[list[Track], list[int]]] = {}
    for place, track in zip(binding.places, binding.tracks, strict=True):
        if id(track.times) not in same:
            same[id(track.times)] = track.times.tobytes()
        scalar = isinstance(track, ScalarTrack)
        key = (scalar, same[id(track.times)], int(track.before), int(track.after))
        tracks, targets = groups.setdefault(key, ([], []))
        tracks.append(track)
        if not scalar:
            targets.append(place.bone)
        elif place.bone < 0:
            targets.append(3 * size + place.row)
        else:
            targets.append(_COLUMN[place.property] * size + 3 * place.bone + place.axis)
    return [_Group(tracks, targets) for tracks, targets in groups.values()]

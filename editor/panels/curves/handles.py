"""Tangent handles of the selected keys: where they stand on the screen. Free of Qt."""

from collections.abc import Collection, Iterable
from typing import NamedTuple, Protocol

import numpy as np

from core.arrays import FloatArray
from core.clips.clip import Clip
from core.tracks.keys import PLAIN_WEIGHT, Interpolation, ScalarTrack
from editor.model.time_axis import TimeAxis
from editor.panels.curves.space import Fit, ValueAxis
from editor.tools import key_edits
from editor.tools.curves.lanes import Curve, Lane
from editor.tools.key_edits import Keys, Numbers

HANDLE = 46.0
MOST_HANDLES = 240


class Handle(NamedTuple):
    """A tangent handle on the screen."""

    lane: Lane
    key: int
    side: int
    key_place: tuple[float, float]
    place: tuple[float, float]
    weighted: bool


class Curves(Protocol):
    """What handles are drawn from: the curves shown."""

    @property
    def clip(self) -> Clip | None: ...
    @property
    def locked(self) -> Collection[Lane]: ...
    def selected_keys(self) -> Keys: ...
    def visible(self) -> Iterable[Lane]: ...
    def curve(self, lane: Lane) -> Curve | None: ...


class Places(Protocol):
    """Where curves are on the screen."""

    @property
    def axis(self) -> TimeAxis: ...
    @property
    def values(self) -> ValueAxis: ...
    @property
    def weighted(self) -> bool: ...
    def key_places(self, curve: Curve, keys: Numbers) -> tuple[FloatArray, FloatArray]: ...
    def fit_of(self, lane: Lane) -> Fit: ...


def handles_of(curves: Curves, places: Places) -> Iterable[Handle]:
    """Handles of the selected keys in sight, where there are not too many."""
    clip, keys = curves.clip, curves.selected_keys()
    if clip is None or not 0 < key_edits.count(keys) <= MOST_HANDLES:
        return
    visible = set(curves.visible())
    for channel, numbers in keys.items():
        lane = Lane(channel)
        curve = curves.curve(lane)
        track = curve.scalar if curve is not None else None
        if curve is None or track is None or lane not in visible or lane in curves.locked:
            continue
        xs, ys = places.key_places(curve, numbers)
        for number, x, y in zip(numbers.tolist(), xs.tolist(), ys.tolist(), strict=True):
            if not -HANDLE * 2 < x < places.axis.width + HANDLE * 2:
                continue
            for side in (-1, 1):
                handle = _handle(places, lane, track, number, side, (x, y))
                if handle is not None:
                    yield handle


def _handle(
    places: Places, lane: Lane, track: ScalarTrack, key: int, side: int, at: tuple[float, float]
) -> Handle | None:
    segment, other = (key - 1, key - 1) if side < 0 else (key, key + 1)
    inside = 0 <= other < len(track)
    if inside and track.interpolations[segment] != Interpolation.CUBIC:
        return None
    slope = float((track.in_slopes if side < 0 else track.out_slopes)[key])
    weight = float((track.in_weights if side < 0 else track.out_weights)[key])
    lean = slope * places.fit_of(lane).factor * places.values.scale / places.axis.scale
    weighted = inside and (places.weighted or abs(weight - PLAIN_WEIGHT) > 1e-9)
    if weighted:
        run = weight * abs(float(track.times[other] - track.times[key])) * places.axis.scale
    else:
        run = HANDLE / float(np.hypot(1.0, lean))
    return Handle(lane, key, side, at, (at[0] + side * run, at[1] - side * run * lean), weighted)

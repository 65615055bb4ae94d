"""Rows of a dope sheet: summary → bone → property → axis, over the channels of a clip; curves and morphs last.

Plain values that timeline, dope sheet and curve editor can all list channels by.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum

import numpy as np

from core.arrays import FloatArray
from core.clips.clip import WHOLE, Channel, ChannelKind, Property
from core.timing import TIME_EPSILON
from core.tracks.keys import ScalarTrack, TangentMode, Track
from editor.model.channels import PROPERTY_NAMES
from editor.model.i18n import tr
from editor.model.tangent_modes import MIXED


class Level(IntEnum):
    """How deep a row stands."""

    SUMMARY = 0
    BONE = 1
    PROPERTY = 2
    AXIS = 3


RowKey = tuple[str, ...]
"""Identity of a row that outlives edits: () for the summary, (bone,), (bone, property), (bone, property, axis).

Groups beside the bones are ("", "curves") and ("", "morphs"), what is in them has the name added.
"""

GROUPS: Mapping[ChannelKind, RowKey] = {
    ChannelKind.CURVE: ("", "curves"),
    ChannelKind.MORPH: ("", "morphs"),
}
GROUP_NAMES = {ChannelKind.CURVE: tr("Curves"), ChannelKind.MORPH: tr("Morphs")}
AXIS_NAMES = ("X", "Y", "Z", tr("Quaternion"))


@dataclass(frozen=True, slots=True)
class Row:
    """One row.

    Parameters
    ----------
    channels : the channels that have a track, in the row and below it
    wanted : how many channels the row stands for, with a track or without: a key on fewer of them
        is a partly keyed one
    axis : axis number of an axis row, else None
    opens : whether there is something below it
    """

    key: RowKey
    level: Level
    label: str
    channels: tuple[Channel, ...]
    wanted: int
    axis: int | None = None
    opens: bool = False
    is_open: bool = False


def rows_for(
    tracks: Mapping[Channel, Track],
    bones: Iterable[str] | None,
    opened: frozenset[RowKey],
    title: str,
    hidden: frozenset[RowKey] = frozenset(),
    solo: frozenset[RowKey] = frozenset(),
    weights: frozenset[Channel] = frozenset(),
) -> tuple[Row, ...]:
    """List the rows of the bones given (None: all that have a track), folded as `opened` says.

    Bones without a track get a row too, so that it shows where their keys will be. Named curves and
    morphs stand last: all where no bones are given, else the selected ones.

    Parameters
    ----------
    weights : the selected morphs and named curves
    hidden, solo : keys of bones' and groups' rows that are left out; that alone are listed, if any
    """
    by_row: dict[RowKey, list[Channel]] = {(bone,): [] for bone in bones} if bones is not None else {}
    extras: dict[RowKey, list[Channel]] = {}
    for channel in tracks:
        key: RowKey = (channel.bone,)
        if not channel.is_bone:
            if bones is None or channel in weights:
                extras.setdefault(GROUPS[channel.kind], []).append(channel)
        elif bones is None:
            by_row.setdefault(key, []).append(channel)
        elif key in by_row:
            by_row[key].append(channel)
    by_row |= extras
    alone = solo & by_row.keys()
    shown = {k: c for k, c in by_row.items() if k not in hidden and (not alone or k in alone)}
    every = tuple(channel for channels in shown.values() for channel in channels)
    rows = [Row((), Level.SUMMARY, title, every, len(every), None, bool(shown), () in opened)]
    if () in opened:
        for key, channels in shown.items():
            if key in extras:
                rows += _group_rows(key, channels, opened)
            else:
                rows += _bone_rows(key[0], sorted(channels, key=lambda c: (c.property, c.axis)), opened)
    return tuple(rows)


def top_of(row: RowKey) -> RowKey:
    """Key of the bone's or group's row that a row stands in."""
    return row[:2] if row[:1] == ("",) else row[:1]


def _group_rows(key: RowKey, channels: Sequence[Channel], opened: frozenset[RowKey]) -> Iterable[Row]:
    title = GROUP_NAMES[channels[0].kind]
    yield Row(key, Level.BONE, title, tuple(channels), len(channels), None, True, key in opened)
    if key in opened:
        for channel in channels:
            yield Row((*key, channel.bone), Level.PROPERTY, channel.bone, (channel,), 1)


def _bone_rows(bone: str, channels: Sequence[Channel], opened: frozenset[RowKey]) -> Iterable[Row]:
    key = (bone,)
    yield Row(key, Level.BONE, bone, tuple(channels), len(channels), None, bool(channels), key in opened)
    if key not in opened:
        return
    for prop in Property:
        below = tuple(channel for channel in channels if channel.property is prop)
        if not below:
            continue
        part = (bone, prop.name)
        whole = below[0].axis == WHOLE
        wanted = 1 if whole else 3
        yield Row(
            part,
            Level.PROPERTY,
            PROPERTY_NAMES[prop],
            below,
            wanted,
            None,
            not whole,
            part in opened and not whole,
        )
        if part in opened and not whole:
            for channel in below:
                name = AXIS_NAMES[channel.axis]
                yield Row((*part, name), Level.AXIS, name, (channel,), 1, channel.axis)


# ---------------------------------------------------------------- keys of a row


@dataclass(frozen=True, slots=True, eq=False)
class RowKeys:
    """Keys of a row within a stretch of time, several channels' keys at one time being one.

    Parameters
    ----------
    times : ``(N,)`` seconds, rising
    full : ``(N,)`` whether every channel the row stands for has a key there
    selected : ``(N,)`` whether any of the keys there is selected
    modes : ``(N,)`` tangent mode, `MIXED` where the channels differ
    types : ``(N,)`` `KeyType`, the strongest of the channels' (extreme, hold, breakdown, in-between, key)
    """

    times: FloatArray
    full: np.ndarray[tuple[int], np.dtype[np.bool_]]
    selected: np.ndarray[tuple[int], np.dtype[np.bool_]]
    modes: np.ndarray[tuple[int], np.dtype[np.uint8]]
    types: np.ndarray[tuple[int], np.dtype[np.uint8]]

    def of_types(self, shown: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> "RowKeys":
        """Only the keys of the types that are shown, a flag for each."""
        kept = shown[self.types]
        if kept.all():
            return self
        return RowKeys(
            self.times[kept], self.full[kept], self.selected[kept], self.modes[kept], self.types[kept]
        )


STRENGTH = np.array([0, 2, 1, 4, 3], dtype=np.uint8)
"""By type, which one tells what a row's key is where its channels differ: key, in-between, breakdown, hold, extreme."""
BY_STRENGTH = np.argsort(STRENGTH).astype(np.uint8)


def keys_of(
    tracks: Mapping[Channel, Track],
    row: Row,
    start: float,
    end: float,
    selected: Mapping[Channel, "Sequence[int] | np.ndarray[tuple[int], np.dtype[np.int64]]"],
) -> RowKeys:
    """Gather a row's keys between two times (both included).

    Channels that share one array of times, as those of a motion capture file do, are merged once.
    """
    places: list[np.ndarray[tuple[int], np.dtype[np.int64]]] = []
    exact: list[FloatArray] = []
    weights: list[int] = []
    shared: dict[int, int] = {}
    spans: dict[int, tuple[int, int]] = {}
    for channel in row.channels:
        times = tracks[channel].times
        name = id(times)
        if name in shared:
            weights[shared[name]] += 1
            continue
        first, last = (int(i) for i in np.searchsorted(times, (start, end), side="left"))
        last += bool(last < len(times) and times[last] <= end)
        spans[name] = first, last
        shared[name] = len(places)
        places.append(_ticks(times[first:last]))
        exact.append(times[first:last])
        weights.append(1)
    if not places or not sum(map(len, places)):
        none = np.zeros(0, np.uint8)
        return RowKeys(np.zeros(0), np.zeros(0, bool), np.zeros(0, bool), none, none)
    if len(places) == 1:  # rising already
        merged, where = places[0], np.arange(len(places[0]))
    else:
        merged, where = np.unique(np.concatenate(places), return_index=True)
    count = np.zeros(len(merged), dtype=np.int64)
    for place, weight in zip(places, weights, strict=True):
        count[np.searchsorted(merged, place)] += weight
    times = np.concatenate(exact)[where]
    return RowKeys(
        times,
        count >= max(row.wanted, 1),
        _chosen(tracks, row, merged, selected),
        _modes(tracks, row, merged, spans),
        _types(tracks, row, merged, spans),
    )


def _chosen(
    tracks: Mapping[Channel, Track],
    row: Row,
    merged: np.ndarray[tuple[int], np.dtype[np.int64]],
    selected: Mapping[Channel, "Sequence[int] | np.ndarray[tuple[int], np.dtype[np.int64]]"],
) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Which of the keys are selected in any channel; channels alike in times and keys are looked at once."""
    chosen = np.zeros(len(merged), dtype=bool)
    seen: set[tuple[int, int]] = set()
    for channel in row.channels:
        numbers, own = selected.get(channel), tracks[channel].times
        if numbers is None or not len(numbers) or (id(numbers), id(own)) in seen:
            continue
        seen.add((id(numbers), id(own)))
        picked = np.asarray(numbers, dtype=np.int64)
        hit = _ticks(own[picked[picked < len(own)]])
        place_of = np.searchsorted(merged, hit)
        inside = (place_of < len(merged)) & (merged[np.minimum(place_of, len(merged) - 1)] == hit)
        chosen[place_of[inside]] = True
    return chosen


def _ticks(times: FloatArray) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """Times as whole numbers of the smallest difference that counts."""
    return np.asarray(np.round(times / TIME_EPSILON), dtype=np.int64)


def _modes(
    tracks: Mapping[Channel, Track],
    row: Row,
    merged: np.ndarray[tuple[int], np.dtype[np.int64]],
    spans: Mapping[int, tuple[int, int]],
) -> np.ndarray[tuple[int], np.dtype[np.uint8]]:
    unset = 255
    modes = np.full(len(merged), unset, dtype=np.uint8)
    done: set[tuple[int, int, bool]] = set()
    for channel in row.channels:
        track = tracks[channel]
        scalar = isinstance(track, ScalarTrack)
        column = track.modes if isinstance(track, ScalarTrack) else track.interpolations
        even = column.strides == (0,)
        mark = id(track.times), int(column[0]) if even else -1, scalar
        if even and mark in done:
            continue
        done.add(mark)
        first, last = spans[id(track.times)]
        at = np.searchsorted(merged, _ticks(track.times[first:last]))
        own = mode_codes(track)[first:last]
        old = modes[at]
        modes[at] = np.where((old == unset) | (old == own), own, MIXED)
    return modes


def _types(
    tracks: Mapping[Channel, Track],
    row: Row,
    merged: np.ndarray[tuple[int], np.dtype[np.int64]],
    spans: Mapping[int, tuple[int, int]],
) -> np.ndarray[tuple[int], np.dtype[np.uint8]]:
    strong = np.zeros(len(merged), dtype=np.uint8)
    for channel in row.channels:
        track = tracks[channel]
        if not any(track.types.strides) and not track.types[0]:
            continue  # plain keys
        first, last = spans[id(track.times)]
        at = np.searchsorted(merged, _ticks(track.times[first:last]))
        strong[at] = np.maximum(strong[at], STRENGTH[track.types[first:last]])
    return np.asarray(BY_STRENGTH[strong], dtype=np.uint8)


def mode_codes(track: Track) -> np.ndarray[tuple[int], np.dtype[np.uint8]]:
    """Tangent mode of each key; of quaternion keys the one that draws alike."""
    if isinstance(track, ScalarTrack):
        return track.modes
    alike = np.array([TangentMode.STEPPED, TangentMode.LINEAR, TangentMode.AUTO], dtype=np.uint8)
    return np.asarray(alike[track.interpolations], dtype=np.uint8)

"""The whole clip on a strip, and the stretch in sight as a handle on it: where that is, and its drag. Free of Qt."""

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from core.arrays import FloatArray
from core.clips.clip import Channel, Clip
from editor.model.selection import Selection
from editor.model.time_axis import TimeAxis
from editor.panels.timeline.row_list import RowList
from editor.panels.timeline.timeline_view import TimelineView
from editor.tools.gesture import Gesture
from editor.tools.pointer import Pointer
from editor.tools.span_part import Part

MARGIN = 6.0
NARROWEST = 14.0
"""Pixels of the handle at the least, however short a stretch is in sight."""
REACH = 6.0


@dataclass(frozen=True, slots=True)
class Density:
    """Which pixel columns of the strip hold keys, and which selected ones; ``(W,)`` each."""

    keys: npt.NDArray[np.bool_]
    selected: npt.NDArray[np.bool_]


def same(made_of: tuple[object, ...], now: tuple[object, ...]) -> bool:
    """Whether something was made of the very same objects."""
    return all(a is b or (isinstance(a, int | float) and a == b) for a, b in zip(made_of, now, strict=True))


def runs(columns: npt.NDArray[np.bool_]) -> list[tuple[int, int]]:
    """First, and one past the last, of every run of True."""
    edges = np.flatnonzero(np.diff(np.concatenate(([False], columns, [False])).astype(np.int8)))
    return list(zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True))


class Overview:
    """Maps the clip onto the strip, and finds keys for its columns.

    Parameters
    ----------
    view : whose stretch of time is shown and moved
    """

    def __init__(self, rows: RowList, view: TimelineView, selection: Selection) -> None:
        self._rows, self._view, self._selection = rows, view, selection
        self._density: tuple[tuple[object, ...], Density] | None = None

    @property
    def clip(self) -> Clip | None:
        """The clip shown, None where it has no length."""
        clip = self._rows.clip
        return clip if clip is not None and clip.length > 0.0 else None

    @property
    def wanted(self) -> bool:
        """Whether a part of the clip is, or lately was, out of sight."""
        return self.clip is not None and self._view.partial

    # -------------------------------------------------- places
    def x(self, seconds: float) -> float:
        """Pixel of a time; what lies outside the clip is at its nearer end."""
        clip, layout = self.clip, self._view.layout()
        share = min(max(seconds / clip.length, 0.0), 1.0) if clip is not None else 0.0
        return layout.labels + MARGIN + share * self._room

    def time(self, x: float) -> float:
        """Seconds at a pixel, beyond the clip too."""
        length = self.clip.length if self.clip is not None else 0.0
        return (x - self._view.layout().labels - MARGIN) / self._room * length

    @property
    def _room(self) -> float:
        return max(self._view.layout().keys_width - 2.0 * MARGIN, 1.0)

    def handle(self) -> tuple[float, float]:
        """Left and right edge of the stretch in sight."""
        axis = self._view.axis
        left, right = self.x(axis.start), self.x(axis.end)
        if right - left < NARROWEST:
            middle = (left + right) / 2.0
            left, right = middle - NARROWEST / 2.0, middle + NARROWEST / 2.0
        return left, right

    def part_at(self, x: float) -> Part | None:
        """What of the handle lies at a pixel; its ends are held a little outside, too."""
        left, right = self.handle()
        reach = min(REACH, (right - left) / 4.0)
        if left - REACH <= x <= left + reach:
            return Part.FIRST
        if right - reach <= x <= right + REACH:
            return Part.LAST
        return Part.WHOLE if left < x < right else None

    # -------------------------------------------------- keys
    def density(self, still: bool = False) -> Density:
        """Keys by pixel column of the strip over time; as they were while `still`."""
        width = max(round(self._room), 1)
        made_of = self._rows.tracks, self._rows.all(), self._selection.keys, width
        known = self._density
        if known is None or not (still or same(known[0], made_of)):
            known = self._density = made_of, self._find(width)
        return known[1]

    def _find(self, width: int) -> Density:
        rows, tracks, length = self._rows.all(), self._rows.tracks, self.clip.length if self.clip else 1.0
        found = Density(np.zeros(width, dtype=bool), np.zeros(width, dtype=bool))
        chosen = self._selection.keys

        def columns(times: FloatArray) -> npt.NDArray[np.int64]:
            places: npt.NDArray[np.int64] = np.rint(times / length * (width - 1)).astype(np.int64)
            return np.clip(places, 0, width - 1)

        seen: set[tuple[int, int]] = set()  # channels that were keyed together share their times and numbers
        channels: tuple[Channel, ...] = tuple(rows[0].channels) if rows else ()
        for channel in channels:
            times, numbers = tracks[channel].times, chosen.get(channel)
            if (id(times), 0) not in seen:
                seen.add((id(times), 0))
                found.keys[columns(times)] = True
            if numbers is not None and (id(times), id(numbers)) not in seen:
                seen.add((id(times), id(numbers)))
                found.selected[columns(times[numbers[numbers < len(times)]])] = True
        return found

    # -------------------------------------------------- moving
    def zoom(self, factor: float) -> None:
        """Show more or less of the clip, about the middle of what is in sight."""
        self._view.set_axis(self._view.axis.zoomed(factor, self._view.axis.width / 2.0))

    def press(self, x: float) -> "DragStretch":
        """The drag that a press begins: beside the handle it is brought there first."""
        part, axis = self.part_at(x), self._view.axis
        if part is None:
            self._view.set_axis(
                self.within(replace(axis, start=self.time(x) - (axis.end - axis.start) / 2.0))
            )
            part = Part.WHOLE
        return DragStretch(self, self._view, part, axis)

    def within(self, axis: TimeAxis) -> TimeAxis:
        """An axis moved so that it shows as much of the clip as it can."""
        length, wide = self.clip.length if self.clip is not None else 0.0, axis.end - axis.start
        if wide >= length:
            return replace(axis, start=(length - wide) / 2.0)
        return replace(axis, start=min(max(axis.start, 0.0), length - wide))


class DragStretch(Gesture):
    """Drag the stretch in sight along, or one end of it; Escape brings `home` into sight again."""

    def __init__(self, overview: Overview, view: TimelineView, part: Part, home: TimeAxis) -> None:
        self._overview, self._view, self._part, self._home = overview, view, part, home
        self._before = view.axis
        self._from = 0.0

    def begin(self, pointer: Pointer) -> None:
        self._from = self._overview.time(pointer.x)

    def move(self, pointer: Pointer) -> None:
        axis, moved = self._before, self._overview.time(pointer.x) - self._from
        if self._part is Part.WHOLE:
            self._view.set_axis(self._overview.within(replace(axis, start=axis.start + moved)))
            return
        least = 2.0 * axis.rate.frame
        start, end = axis.start, axis.end
        if self._part is Part.FIRST:
            start = min(start + moved, end - least)
        else:
            end = max(end + moved, start + least)
        scaled = replace(axis, scale=axis.width / (end - start))
        anchored = end - scaled.width / scaled.scale if self._part is Part.FIRST else start
        self._view.set_axis(replace(scaled, start=anchored))

    def cancel(self) -> None:
        self._view.set_axis(self._home)

"""Where the events of a clip lie on the strip: lanes from top to bottom, overlapping bars stacked. Free of Qt."""

from collections.abc import Callable

from core.clips.clip import Clip
from editor.tools import clip_events
from editor.tools.clip_events import ClipEvent, Lane


class EventRows:
    """The rows that each lane takes.

    Attributes
    ----------
    lanes : each lane with its first row and how many rows it takes
    """

    def __init__(self) -> None:
        self.lanes: tuple[tuple[Lane, int, int], ...] = ()
        self._levels: dict[Lane, tuple[tuple[ClipEvent, int], ...]] = {}
        self._made_of: object = None

    @property
    def count(self) -> int:
        """Rows of all lanes, at least one."""
        return max(sum(depth for _, _, depth in self.lanes), 1)

    def lay_out(
        self,
        clip: Clip | None,
        lanes: tuple[Lane, ...],
        scale: float,
        width: Callable[[str], float],
        held: bool,
    ) -> bool:
        """Stack what overlaps; whether any lane lies elsewhere than before.

        Parameters
        ----------
        scale : pixels a second
        width : pixels that a moment takes with its name
        held : a drag lasts: every lane keeps its height
        """
        made_of = (clip, lanes, scale, held)
        if made_of == self._made_of:  # while it plays nothing but the playhead moves
            return False
        self._made_of = made_of
        known = {lane: depth for lane, _, depth in self.lanes}
        rows, top, self._levels = [], 0, {}
        for lane in lanes:
            events = clip_events.on_lane(clip, lane) if clip is not None else ()
            levels = clip_events.levels(events, lambda name: width(name) / scale)
            depth = known.get(lane, 1) if held else max(levels, default=0) + 1
            pairs = zip(events, levels, strict=True)
            self._levels[lane] = tuple((event, min(level, depth - 1)) for event, level in pairs)
            rows.append((lane, top, depth))
            top += depth
        before, self.lanes = self.lanes, tuple(rows)
        return before != self.lanes

    def top(self, lane: Lane) -> int | None:
        """The first row of a lane, None where it is not shown."""
        return next((top for known, top, _ in self.lanes if known == lane), None)

    def row(self, event: ClipEvent) -> int:
        """The row of an event; the first of its lane where it is not known."""
        level = next((k for known, k in self._levels.get(event.lane, ()) if known == event), 0)
        return (self.top(event.lane) or 0) + level

    def lane_at(self, row: float) -> Lane | None:
        """The lane that a row belongs to."""
        return next((lane for lane, top, depth in self.lanes if top <= row < top + depth), None)

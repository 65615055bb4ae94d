"""The rows of a timeline: which there are, which are open, and their keys. Free of Qt."""

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from core.arrays import FloatArray
from core.clips.clip import Channel, Clip
from core.tracks.keys import Track
from editor.model.evaluator import Evaluator
from editor.model.events import Event
from editor.model.i18n import trn
from editor.model.key_filter import KeyFilter
from editor.model.selection import Selection
from editor.tools import key_edits
from editor.tools.rows import GROUPS, Row, RowKey, RowKeys, keys_of, rows_for, top_of

KeyNumbers = dict[Channel, npt.NDArray[np.int64]]


class RowList:
    """Rows of what is selected, and their keys.

    Attributes
    ----------
    changed : other rows are listed
    hidden, solo : rows of bones and groups left out, and listed alone
    aimed_row : the row that a menu was opened on
    """

    def __init__(self, evaluator: Evaluator, selection: Selection, types: KeyFilter) -> None:
        self._evaluator, self._types = evaluator, types
        self._selection = selection
        self.changed: Event[None] = Event()
        self.hidden: frozenset[RowKey] = frozenset()
        self.solo: frozenset[RowKey] = frozenset()
        self.aimed_row: RowKey | None = None
        self._tracks: tuple[Clip | None, dict[Channel, Track]] = (None, {})
        self._opened: dict[RowKey, bool] = {}
        self._rows: tuple[Row, ...] | None = None
        self._row_keys: dict[RowKey, tuple[float, float, RowKeys]] = {}

    def drop(self) -> None:
        """Other rows may be listed."""
        self._rows = None
        self._row_keys.clear()

    def drop_keys(self) -> None:
        """Other keys are selected."""
        self._row_keys.clear()

    @property
    def clip(self) -> Clip | None:
        """The clip shown, as a drag previews it."""
        return self._evaluator.clip

    @property
    def tracks(self) -> dict[Channel, Track]:
        """Tracks of the clip shown, named curves' and morphs' too."""
        clip = self.clip
        if self._tracks[0] is not clip:
            self._tracks = clip, key_edits.all_tracks(clip) if clip is not None else {}
        return self._tracks[1]

    def all(self) -> tuple[Row, ...]:
        """The rows, from the selection; of every bone with keys where nothing is selected."""
        if self._rows is None:
            clip = self.clip
            if clip is None:
                self._rows = ()
            else:
                weights = frozenset(self._selection.weights)
                selected = self._selection.in_order
                bones = selected if selected or weights else None
                title = trn("{count} bone", "{count} bones", len(selected)) if selected else clip.name
                self._rows = rows_for(
                    self.tracks, bones, self._open_rows(bones, bool(weights)), title, self.hidden, self.solo,
                    weights,
                )  # fmt: skip
        return self._rows

    def _open_rows(self, bones: tuple[str, ...] | None, weights: bool = False) -> frozenset[RowKey]:
        """Rows the user opened, and those open until closed: the summary, a lone bone's, selected sliders'."""
        defaults: set[RowKey] = {(), *GROUPS.values()} if weights else {()}
        if bones is not None and len(bones) == 1:
            defaults |= {(bones[0],), (bones[0], "TRANSLATE"), (bones[0], "ROTATE"), (bones[0], "SCALE")}
        return frozenset(
            (defaults | {k for k, v in self._opened.items() if v})
            - {k for k, v in self._opened.items() if not v}
        )

    def keys_in(self, row: Row, start: float, end: float) -> RowKeys:
        """Keys of a row between two times."""
        known = self._row_keys.get(row.key)
        if known is not None and known[:2] == (start, end):
            return known[2]
        found = keys_of(self.tracks, row, start, end, self._selection.keys)
        if self._types.shown is not None:
            found = found.of_types(self._types.shown)
        self._row_keys[row.key] = start, end, found
        return found

    def key_times(self) -> FloatArray:
        """Times of the keys of all rows, for stepping from key to key."""
        rows, tracks = self.all(), self.tracks
        if not rows:
            return np.zeros(0)
        times = {id(tracks[c].times): tracks[c].times for c in rows[0].channels}
        return np.unique(np.concatenate(list(times.values()))) if times else np.zeros(0)

    def channels_keys(self, channels: Iterable[Channel], start: float, end: float) -> KeyNumbers:
        """Numbers of the keys of channels between two times (both included)."""
        found: KeyNumbers = {}
        tracks = self.tracks
        for channel in channels:
            if channel in tracks:
                times = tracks[channel].times
                a, b = np.searchsorted(times, start - 5e-6), np.searchsorted(times, end + 5e-6)
                numbers = np.arange(a, b)
                if self._types.shown is not None:
                    numbers = numbers[self._types.shown[tracks[channel].types[a:b]]]
                if len(numbers):
                    found[channel] = numbers
        return found

    def select_row(self) -> None:
        """Select the keys of the row aimed at."""
        row = next((row for row in self.all() if row.key == self.aimed_row), None)
        if row is not None:
            self._selection.select_keys(self.channels_keys(row.channels, -np.inf, np.inf))

    def toggle_row(self, row: Row) -> None:
        """Open or close a row."""
        if row.opens:
            self._opened[row.key] = not row.is_open
            self.drop()
            self.changed.emit(None)

    def set_rows(self, hidden: Iterable[RowKey], solo: Iterable[RowKey]) -> None:
        """Leave rows of bones and groups out, or list some alone."""
        new = frozenset(hidden), frozenset(solo)
        if new != (self.hidden, self.solo):
            self.hidden, self.solo = new
            self.drop()
            self.changed.emit(None)

    def hide_row(self) -> None:
        """Leave the row aimed at out, with what stands in the same bone's."""
        if self.aimed_row:
            self.set_rows(self.hidden | {top_of(self.aimed_row)}, self.solo)

    def solo_row(self) -> None:
        """List the row aimed at alone; again lists it with the others."""
        if self.aimed_row:
            self.set_rows(self.hidden, self.solo ^ {top_of(self.aimed_row)})

    def show_rows(self) -> None:
        """List every row again."""
        self.set_rows((), ())

    def open_all(self, is_open: bool) -> None:
        """Open or close every row but the summary."""
        self._rows = None
        self._opened = {}
        if is_open:
            tracks = self.tracks
            self._opened = {(c.bone,): True for c in tracks if c.is_bone}
            self._opened |= {(c.bone, c.property.name): True for c in tracks if c.is_bone}
            self._opened |= {row.key: True for row in self.all() if row.key[:1] == ("",)}
        else:
            self._opened = {row.key: False for row in self.all() if row.key}
        self.drop()
        self.changed.emit(None)

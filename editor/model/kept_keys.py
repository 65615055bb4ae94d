"""Selected keys stay the keys they were: through an edit from elsewhere, an undo or a redo."""

from collections.abc import Callable

import numpy as np

from core.arrays import FloatArray
from core.clips.clip import Channel, Clip
from core.timing import TIME_EPSILON
from editor.model.channels import track_of
from editor.model.selection import KeyIndices, Selection


class KeptKeys:
    """Numbers the selected keys again when keys before them come or go.

    Parameters
    ----------
    selection : whose keys are kept
    clip : gives the clip that selected keys are numbered in, or None
    """

    def __init__(self, selection: Selection, clip: Callable[[], Clip | None]) -> None:
        self._selection, self._clip = selection, clip
        self._times: dict[Channel, FloatArray] = {}
        selection.keys_changed.connect(lambda _: self.note())

    def note(self) -> None:
        """Remember at which times (seconds) the selected keys stand."""
        clip = self._clip()
        tracks = {c: track_of(clip, c) for c in self._selection.keys} if clip is not None else {}
        self._times = {c: t.times for c, t in tracks.items() if t is not None}

    def follow(self) -> None:
        """The document changed: select the keys that stand where the selected ones stood."""
        clip, found = self._clip(), {}
        looked: dict[tuple[int, int, int], KeyIndices] = {}  # hundreds of channels share times and numbers
        for channel, numbers in self._selection.keys.items():
            track = None if clip is None else track_of(clip, channel)
            if track is None:
                continue
            old = self._times.get(channel)
            which = id(track.times), id(numbers), id(old)
            if which not in looked:
                looked[which] = _again(track.times, numbers, old)
            found[channel] = looked[which]
        self._selection.select_keys(found)
        self.note()


def _again(times: FloatArray, numbers: KeyIndices, old: FloatArray | None) -> KeyIndices:
    """Numbers of the keys at the times of `numbers` among `old`; of moved ones (as many as before) the same."""
    if old is None or times is old or np.array_equal(times, old):
        return numbers if not len(numbers) or numbers[-1] < len(times) else numbers[numbers < len(times)]
    wanted = old[numbers[numbers < len(old)]]
    places = np.minimum(np.searchsorted(times, wanted - TIME_EPSILON / 2.0), len(times) - 1)
    there = np.abs(times[places] - wanted) < TIME_EPSILON
    if len(times) == len(old) and not there.all():
        return numbers
    kept: KeyIndices = places[there]
    return kept

"""Which pictures of the reference footage are shown at the playhead, and which are needed next."""

from dataclasses import dataclass

import numpy as np

from core.media.footage import Footage
from core.media.tracks import ReferenceTrack
from editor.model.events import Event
from editor.model.media.files import MediaFiles
from editor.model.media.frame_cache import AHEAD, FrameCache, Picture
from editor.model.playback import LoopMode, Playback
from editor.model.switches import Switches


@dataclass(frozen=True, slots=True)
class Shown:
    """A track with the picture that is shown of it.

    Parameters
    ----------
    aspect : width by height, as shown
    late : whether the picture is an earlier one, until that of the playhead is decoded
    """

    track: ReferenceTrack
    picture: Picture
    aspect: float
    late: bool = False


class ReferencePictures:
    """Follows the playhead.

    Attributes
    ----------
    changed : another picture is shown
    cache : the decoded pictures
    rows : pixels of the height of the view, which a picture of size 1 takes
    """

    def __init__(self, playback: Playback, switches: Switches, files: MediaFiles, cache: FrameCache) -> None:
        self._playback, self._switches, self._files, self.cache = playback, switches, files, cache
        self.rows = 720
        self.changed: Event[None] = Event()
        self._tracks: tuple[ReferenceTrack, ...] = ()
        self._told: object = ()
        playback.time_changed.connect(lambda _: self._look())
        playback.state_changed.connect(lambda _: self._look())
        cache.arrived.connect(lambda _: self._look())
        switches.changed.connect(lambda name: self._look(True) if name == "reference" else None)

    def set_tracks(self, tracks: tuple[ReferenceTrack, ...]) -> None:
        """The tracks of the clip shown, or what is known of their files, differ."""
        self._tracks = tracks
        rate = float(self._playback.rate.fps)
        found = [self._files.footage(track, rate) for track in tracks]
        self.cache.forget([footage for footage in found if footage is not None])
        self._look(True)

    def set_rows(self, rows: int) -> None:
        """The view has another height, in pixels of the screen."""
        if rows != self.rows:
            self.rows = rows
            self._look(True)

    def shown(self) -> tuple[Shown, ...]:
        """What is to be drawn, in the order of the tracks; has what is missing decoded."""
        if not self._switches["reference"]:
            return ()
        found = []
        rate = float(self._playback.rate.fps)
        for track in self._tracks:
            footage = self._files.footage(track, rate) if track.shown and track.opacity > 0.0 else None
            picture = None if footage is None else self._of(track, footage)
            if footage is not None and picture is not None:
                found.append(Shown(track, picture[0], footage.size[0] / footage.size[1], picture[1]))
        return tuple(found)

    def index(self, track: ReferenceTrack) -> int | None:
        """The picture of a track at the playhead; None without footage, before its start and after its end."""
        footage = self._files.footage(track, float(self._playback.rate.fps))
        return None if footage is None else footage.index_at(self._playback.time - track.start)

    def _of(self, track: ReferenceTrack, footage: Footage) -> tuple[Picture, bool] | None:
        index = footage.index_at(self._playback.time - track.start)
        if index is None:
            return None
        size = footage.scaled(max(1, round(self.rows * track.size)))
        self.cache.want(
            footage,
            size,
            self._next(track, footage, index, self._ahead(footage, size)),
            self._playback.playing,
        )
        exact = self.cache.picture(footage, size, index)
        if exact is not None:
            return exact, False
        near = self.cache.nearest(footage, size, index)
        return None if near is None else (near, True)

    def _next(self, track: ReferenceTrack, footage: Footage, index: int, count: int) -> list[int]:
        """The picture shown and those after it, over the seam of a loop."""
        playback, last = self._playback, len(footage.times)
        start, end = (seconds - track.start for seconds in playback.span)
        if playback.playing and playback.loop is LoopMode.LOOP:
            last = min(last, max(index + 1, int(np.searchsorted(footage.times, end - 1e-6))))
        found = list(range(index, min(index + count, last)))
        if playback.playing and playback.loop is LoopMode.LOOP and len(found) < count:
            first = footage.index_at(max(start, 0.0))
            found += range(first or 0, min((first or 0) + count - len(found), index))
        return found

    def _ahead(self, footage: Footage, size: tuple[int, int]) -> int:
        if not self._playback.playing:
            return 2
        fits = (self.cache.most_bytes // 2) // max(1, len(self._tracks) * size[0] * size[1] * 4)
        return int(min(AHEAD, max(2, fits)))

    def _look(self, always: bool = False) -> None:
        """Say that another picture is shown, where that is so."""
        if not self._tracks:
            if always:
                self.changed.emit(None)
            return
        now = tuple((shown.track.id, shown.picture) for shown in self.shown())
        if always or now != self._told:
            self._told = now
            self.changed.emit(None)

"""Audio and reference footage of the clip shown: what there is, what is wrong with it, and every edit (undoable)."""

import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from core.errors import AnimError
from core.ids import AssetId, new_id
from core.media.mix import Voice
from core.media.tracks import CARD, WHOLE, AudioTrack, Placement, ReferenceTrack, Track, media_of
from editor.model.document import Document
from editor.model.edits import Edits
from editor.model.events import Event
from editor.model.i18n import tr
from editor.model.jobs import Jobs
from editor.model.media.files import MediaFiles
from editor.model.media.frame_cache import FrameCache
from editor.model.media.pictures import ReferencePictures
from editor.model.media.player import SoundPlayer
from editor.model.messages import Messages
from editor.model.playback import Playback
from editor.model.switches import Switches


class Media:
    """The media tracks of the clip shown.

    Attributes
    ----------
    files : what is known of the files
    player : lets the sound be heard
    pictures : which pictures are shown
    chosen : id of the track that keys and fields work on, or None
    changed : tracks, their files, or which one is chosen differ
    asked : id of a track that another file is to be chosen for, or the kind of a new one ("audio", "reference")
    """

    def __init__(
        self,
        document: Document,
        edits: Edits,
        playback: Playback,
        jobs: Jobs,
        messages: Messages,
        switches: Switches,
        closing: Event[None],
    ) -> None:
        self._document, self._edits, self._playback = document, edits, playback
        self.files = MediaFiles(jobs, messages)
        self.player = SoundPlayer(playback, switches, jobs, messages)
        self.pictures = ReferencePictures(playback, switches, self.files, FrameCache(jobs))
        self.chosen: AssetId | None = None
        self._shown: tuple[Track, ...] = ()
        self._dragged: Track | None = None
        self._seen: object = None
        self.changed: Event[None] = Event()
        document.changed.connect(lambda _: self._refresh())
        document.replaced.connect(lambda _: self._refresh())
        playback.clip_changed.connect(lambda _: self._refresh())
        self.files.changed.connect(lambda _: self._spread())
        self.player.changed.connect(lambda _: self.changed.emit(None))
        closing.connect(lambda _: self._close())

    # ------------------------------------------------------------ what there is
    @property
    def tracks(self) -> tuple[Track, ...]:
        """The tracks of the clip shown, as a drag shows them."""
        dragged = self._dragged
        if dragged is None:
            return self._shown
        return tuple(dragged if track.id == dragged.id else track for track in self._shown)

    @property
    def audio(self) -> tuple[AudioTrack, ...]:
        """Those that are heard."""
        return tuple(track for track in self.tracks if isinstance(track, AudioTrack))

    @property
    def references(self) -> tuple[ReferenceTrack, ...]:
        """Those that are seen."""
        return tuple(track for track in self.tracks if isinstance(track, ReferenceTrack))

    @property
    def rate(self) -> float:
        """Pictures a second of sequences that have none of their own."""
        return float(self._playback.rate.fps)

    def problem(self, track: Track) -> str:
        """What is wrong with a track's file, or ""."""
        return self.files.problem(track, self.rate)

    def seconds(self, track: Track) -> float | None:
        """How long a track's file is, None where that is not known (yet), infinite for one picture."""
        if isinstance(track, AudioTrack):
            sound = self.files.sound(track)
            return None if sound is None else sound.seconds
        footage = self.files.footage(track, self.rate)
        return None if footage is None else footage.end

    def track(self, id: AssetId | None) -> Track | None:
        """A track of the clip shown by its id."""
        return next((track for track in self.tracks if track.id == id), None)

    @property
    def chosen_track(self) -> Track | None:
        """The track chosen; the only one where there is one."""
        found = self.track(self.chosen)
        return found if found is not None or len(self._shown) != 1 else self.tracks[0]

    def choose(self, id: AssetId | None) -> None:
        """Choose the track that keys and fields work on."""
        if id != self.chosen:
            self.chosen = id
            self.changed.emit(None)

    # ------------------------------------------------------------ edits
    def add_audio(self, path: Path, start: float = 0.0) -> AudioTrack:
        """Put a sound beside the clip shown."""
        place = self._place(path)
        track = AudioTrack(new_id("audio"), path.name or place, place, self._owner(), start)
        self._put(tr("Add audio {name}", name=track.name), track)
        return track

    def add_reference(self, path: Path, start: float = 0.0) -> ReferenceTrack:
        """Show a video, a sequence or a picture with the clip shown."""
        place = self._place(path)
        track = ReferenceTrack(new_id("reference"), path.name or place, place, self._owner(), start)
        self._put(tr("Add reference {name}", name=track.name), track)
        return track

    def choose_another(self, id: AssetId, path: Path) -> None:
        """Give a track another file; everything else of it stays."""
        track = self.track(id)
        if track is None:
            return
        old = Path(track.path).name
        name = path.name if track.name in (old, track.path) else track.name
        label = tr("File of {name}", name=track.name)
        if not self._edits.put(label, replace(track, path=self._place(path), name=name)):
            self.files.read_again(track, self.rate)

    def set(self, id: AssetId, what: str, **values: object) -> None:
        """Change fields of a track, as one undo step.

        Raises
        ------
        ValidationError
            A value is out of its bounds.
        """
        track = self._document.project.assets.get(id)
        if not isinstance(track, AudioTrack | ReferenceTrack):
            return
        changed: Mapping[str, Any] = values
        after = replace(track, **changed)
        dragged, self._dragged = self._dragged, None
        if after != track:
            self._edits.put(tr("{what} of {name}", what=what, name=track.name), after)
        elif dragged is not None:
            self._spread()  # back where it was

    def drag(self, id: AssetId, **values: object) -> None:
        """Show a track with other fields until `set` keeps them or `cancel` takes them back."""
        track = self._document.project.assets.get(id)
        if isinstance(track, AudioTrack | ReferenceTrack):
            changed: Mapping[str, Any] = values
            self._dragged = replace(track, **changed)
            self._spread()

    def cancel(self) -> None:
        """Take a drag back."""
        if self._dragged is not None:
            self._dragged = None
            self._spread()

    def nudge(self, id: AssetId, frames: float) -> None:
        """Let a track begin so many frames later."""
        track = self.track(id)
        if track is not None:
            self.set(id, tr("Start"), start=track.start + frames / self.rate)

    def toggle(self, id: AssetId) -> None:
        """Mute a sound, hide a reference, or back."""
        track = self.track(id)
        if isinstance(track, AudioTrack):
            self.set(id, tr("Mute"), muted=not track.muted)
        elif track is not None:
            self.set(id, tr("Show"), shown=not track.shown)

    def swap_placement(self, id: AssetId) -> None:
        """Show a reference behind the character, or as a card in front: at first a small one at the lower left."""
        track = self.track(id)
        if not isinstance(track, ReferenceTrack):
            return
        if track.placement is Placement.BEHIND:
            values: dict[str, object] = {"placement": Placement.CARD, **CARD}
        else:
            values = {"placement": Placement.BEHIND, **WHOLE}
        self.set(id, tr("Place"), **values)

    def read_again(self, id: AssetId) -> None:
        """Look at the file of a track once more."""
        track = self.track(id)
        if track is not None:
            self.files.read_again(track, self.rate)
            self._spread()

    def remove(self, id: AssetId) -> None:
        """Remove a track; the file stays where it is."""
        track = self.track(id)
        if track is not None:
            self._edits.remove(tr("Remove {name}", name=track.name), id)

    def _owner(self) -> AssetId | None:
        clip = self._playback.clip
        if clip is None:
            raise AnimError(tr("open or make a clip first"))
        return clip

    def _place(self, path: Path) -> str:
        place = os.path.normpath(path.absolute())
        self.files.allow(place)
        return place

    def _put(self, label: str, track: Track) -> None:
        self.chosen = track.id
        self._edits.put(label, track)

    # ------------------------------------------------------------ keeping up
    def _refresh(self) -> None:
        playback = self._playback
        clip = playback.clip if playback.transient_clip is None else None
        shown = media_of(self._document.project, clip) if clip is not None else ()
        seen = shown, self.rate
        if seen == self._seen and self._dragged is None:
            return
        self._seen, self._shown, self._dragged = seen, shown, None
        self.files.use(shown, self.rate)
        self._spread()

    def _spread(self) -> None:
        """Let the sound and the pictures know."""
        voices = []
        for track in self.audio:
            sound = self.files.sound(track)
            if sound is not None and not track.muted:
                voices.append(Voice(sound, track.start, track.volume))
        self.player.set_voices(voices)
        self.pictures.set_tracks(self.references)
        self.changed.emit(None)

    def _close(self) -> None:
        self.player.close()
        self.pictures.cache.close()
        self.files.close()

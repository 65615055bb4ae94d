"""The files that audio and reference tracks name: opened off the window's thread, with what is wrong with them."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.media.footage import Footage, open_footage
from core.media.probe import PICTURES
from core.media.sound import Sound, open_sound
from core.media.tracks import AudioTrack, ReferenceTrack, Track, leads_away
from core.progress import Progress
from editor.model.events import Event
from editor.model.i18n import tr
from editor.model.jobs import Job, Jobs
from editor.model.messages import Messages

_Key = tuple[str, str, float]


@dataclass(eq=False)
class _File:
    """One file as one kind of track uses it."""

    sound: Sound | None = None
    footage: Footage | None = None
    problem: str = ""
    job: Job[Any] | None = None
    dropped: bool = False


class MediaFiles:
    """Opens what the tracks in use name, and gives it back when they no longer do.

    Attributes
    ----------
    changed : a file was opened, more of it was decoded, or something is wrong with it
    """

    def __init__(self, jobs: Jobs, messages: Messages) -> None:
        self._jobs, self._messages = jobs, messages
        self._files: dict[_Key, _File] = {}
        self._allowed: set[str] = set()
        self.changed: Event[None] = Event()

    def allow(self, path: str) -> None:
        """Somebody chose this path: it is looked at, wherever it leads."""
        self._allowed.add(path)

    def use(self, tracks: tuple[Track, ...], rate: float) -> None:
        """Open the files of these tracks, and close all others.

        Parameters
        ----------
        rate : pictures a second of sequences that have none of their own
        """
        wanted = {_key(track, rate): track for track in tracks}
        for key in [key for key in self._files if key not in wanted]:
            self._close(self._files.pop(key))
        for key, track in wanted.items():
            if key not in self._files:
                self._open(key, track)

    def sound(self, track: AudioTrack) -> Sound | None:
        """The sound of a track, as far as it is decoded."""
        file = self._files.get(_key(track, 0.0))
        return None if file is None else file.sound

    def footage(self, track: ReferenceTrack, rate: float) -> Footage | None:
        """The footage of a track, once it is open."""
        file = self._files.get(_key(track, rate))
        return None if file is None else file.footage

    def problem(self, track: Track, rate: float) -> str:
        """What is wrong with the file of a track, or ""."""
        file = self._files.get(_key(track, rate))
        return "" if file is None else file.problem

    def opening(self, track: Track, rate: float) -> bool:
        """Whether the file of a track is being read."""
        file = self._files.get(_key(track, rate))
        return file is not None and file.job is not None

    def read_again(self, track: Track, rate: float) -> None:
        """Look at a file once more: it may be there by now."""
        key = _key(track, rate)
        if key in self._files:
            self._close(self._files.pop(key))
        self.allow(track.path)
        self._open(key, track)

    def close(self) -> None:
        """Give everything back."""
        for file in self._files.values():
            self._close(file)
        self._files.clear()

    def _open(self, key: _Key, track: Track) -> None:
        file = self._files[key] = _File()
        if leads_away(track.path) and track.path not in self._allowed:
            file.problem = tr("it is on another computer: choose it again to read it")
            self._tell(track, file)
            return
        path, kind, rate = Path(track.path), key[0], key[2]

        def work(progress: Progress) -> Sound | Footage:
            if kind == "reference":
                return open_footage(path, rate or 30.0, progress)
            sound = open_sound(path)
            file.sound = sound  # it can be heard and drawn while it is decoded
            done = False
            try:
                sound.decode(progress)
                done = not file.dropped
            finally:
                if not done:  # broken, cancelled, or nobody waits for it any more
                    file.sound = None
                    sound.close()
            return sound

        def done(found: Sound | Footage) -> None:
            file.job = None
            if self._files.get(key) is not file:
                self._close(file)
                return
            if isinstance(found, Footage):
                file.footage = found
            self.changed.emit(None)

        def failed(error: Exception) -> None:
            file.job = None
            file.problem = _told(error)
            if self._files.get(key) is file:
                self._tell(track, file)

        def cancelled() -> None:
            file.job = None
            file.problem = tr("reading was cancelled")
            if self._files.get(key) is file:
                self.changed.emit(None)

        job: Job[Any] = Job(tr("Read {name}", name=path.name), work, done, failed, cancelled)
        file.job = job
        self._jobs.start(job)
        if job.finished:
            file.job = None

    def _tell(self, track: Track, file: _File) -> None:
        self._messages.warn(
            tr("{name}: {reason}", name=track.name, reason=file.problem),
            tr("Choose another file for it (Clip › Media)"),
        )
        self.changed.emit(None)

    def _close(self, file: _File) -> None:
        if file.job is not None:  # whoever decodes closes it
            file.dropped = True
            file.job.cancel()
            return
        if file.sound is not None:
            file.sound.close()
            file.sound = None


def _key(track: Track, rate: float) -> _Key:
    if isinstance(track, AudioTrack):
        return "audio", track.path, 0.0
    pictures = Path(track.path).suffix.lower() in PICTURES
    return "reference", track.path, (track.rate or rate) if pictures else 0.0


def _told(error: Exception) -> str:
    reason = getattr(error, "reason", "")
    return str(reason) if reason else str(error)

"""What the clip list does: whole clips as undoable steps."""

from collections.abc import Callable

from core.clips import edits
from core.clips.clip import Clip, RootMotion
from core.clips.edits import KeepTime
from core.errors import AnimError, ValidationError
from core.ids import AssetId
from core.media.tracks import tracks_owned_by
from core.progress import Progress
from core.rig.rig import Rig
from core.timing import FrameRate
from editor.model.document import Document
from editor.model.edit_jobs import EditJobs, Made
from editor.model.edits import Edits
from editor.model.evaluator import Evaluator
from editor.model.i18n import tr
from editor.model.playback import Playback


class Clips:
    """Makes, copies, renames, deletes and changes clips; each one undo step.

    Methods raise `AnimError` with the reason where something cannot be done.
    """

    def __init__(
        self, document: Document, edits: Edits, jobs: EditJobs, playback: Playback, evaluator: Evaluator
    ) -> None:
        self._document, self._edits, self._jobs = document, edits, jobs
        self._playback, self._evaluator = playback, evaluator

    def new(self, name: str | None = None, length: float = 1.0, rate: FrameRate | None = None) -> AssetId:
        """Add a clip without keys for the rig shown, and show its first frame; playback stops, as it is to be posed."""
        rig = self._rig()
        wanted = edits.checked_name(name) if name is not None else tr("clip")
        if name is not None and wanted in self._names():
            raise ValidationError(
                tr("there is already a clip named “{name}”: choose another name", name=wanted)
            )
        clip = edits.new_clip(
            rig, edits.unique_name(wanted, self._names()), length, rate or self._playback.rate
        )
        self._playback.pause()
        self._add(tr("New clip {name}", name=clip.name), clip)
        return clip.id

    def duplicate(self, clip: AssetId) -> AssetId:
        """Add a copy under a free name, and show it."""
        copy = edits.duplicated(self._clip(clip), self._names())
        self._add(tr("Duplicate clip {name}", name=self._clip(clip).name), copy)
        return copy.id

    def rename(self, clip: AssetId, name: str) -> bool:
        """Give a clip another name, which no other clip of its rig has."""
        old = self._clip(clip)
        others = [c.name for c in self._document.project.clips_of(old.rig) if c.id != clip]
        new = edits.renamed(old, name, others)
        return new is not old and self._edits.put(
            tr("Rename {old} to {new}", old=old.name, new=new.name), new
        )

    def why_not_delete(self, clip: AssetId) -> str:
        """Why a clip cannot be deleted, or "" where it can."""
        return self._edits.in_use(clip, self._with(clip))

    def delete(self, clip: AssetId) -> bool:
        """Delete a clip; one that another clip needs is refused with `ValidationError`."""
        old = self._clip(clip)
        siblings = list(self._document.project.clips_of(old.rig))
        place = [c.id for c in siblings].index(clip)
        beside = siblings[place + 1 : place + 2] or siblings[max(place - 1, 0) : place]
        view = self._edits.view_of(old.rig, beside[0].id if beside else None)
        view_after = view if self._playback.clip == clip else None
        return self._edits.remove(
            tr("Delete clip {name}", name=old.name), clip, *self._with(clip), view_after=view_after
        )

    def _with(self, clip: AssetId) -> tuple[AssetId, ...]:
        """What goes with a clip: its audio and reference tracks."""
        return tuple(track.id for track in tracks_owned_by(self._document.project, clip))

    def set_length(self, clip: AssetId, seconds: float) -> bool:
        """Change a clip's length; keys stay where they are."""
        return self._change(clip, tr("Length"), lambda c: edits.with_length(c, seconds))

    def set_rate(self, clip: AssetId, rate: FrameRate, keep: KeepTime = KeepTime.SECONDS) -> bool:
        """Change a clip's frame rate, keeping its seconds or its frames."""
        return self._change(clip, tr("Frame rate"), lambda c: edits.with_rate(c, rate, keep))

    def set_looping(self, clip: AssetId, looping: bool) -> bool:
        """Make a clip loop or not."""
        return self._change(clip, tr("Loop"), lambda c: edits.with_looping(c, looping))

    def set_root_motion(self, clip: AssetId, settings: RootMotion) -> bool:
        """Change how a clip's root motion is taken out."""
        rig = self._document.project.get(Rig, self._clip(clip).rig)
        return self._change(clip, tr("Root motion"), lambda c: edits.with_root_motion(c, settings, rig))

    def trim(self, clip: AssetId, start: float, end: float) -> bool:
        """Keep only a part of a clip."""
        time = self._playback.time

        def follow(done: bool) -> None:
            if done and self._playback.clip == clip:
                self._playback.set_range(None)
                self._playback.seek(max(0.0, time - start))

        return self._change(clip, tr("Trim"), lambda c: edits.trimmed(c, start, end), follow)

    def reverse(self, clip: AssetId) -> bool:
        """Play a clip backwards."""
        return self._change(clip, tr("Reverse"), edits.reversed_clip)

    def _change(
        self,
        clip: AssetId,
        what: str,
        change: Callable[[Clip], Clip],
        done: Callable[[bool], object] | None = None,
    ) -> bool:
        old = self._clip(clip)
        label = tr("{what} of {name}", what=what, name=old.name)

        def work(progress: Progress) -> Made:
            new = change(old)
            return Made(label, () if new is old else (new,))

        return self._jobs.run(label, work, done)

    def _add(self, label: str, clip: Clip) -> None:
        self._edits.put(label, clip, view_after=self._edits.view_of(clip.rig, clip.id))

    def _clip(self, clip: AssetId) -> Clip:
        return self._document.project.get(Clip, clip)

    def _names(self) -> list[str]:
        return [clip.name for clip in self._document.project.clips]

    def _rig(self) -> Rig:
        rig = self._evaluator.rig
        if rig is None:
            raise AnimError(tr("open or import a character first"))
        return rig

"""Fewer keys for the clip shown, tried out before they are kept. Free of Qt."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from core.clips.clip import Channel, Clip
from core.clips.reduce import Reduction, reduce_clip
from core.errors import AnimError
from core.progress import Progress
from core.tracks.places import KeyPlaces
from editor.model.compile_state import Compiling
from editor.model.events import Event
from editor.model.i18n import tr, trn
from editor.model.jobs import Job
from editor.model.key_places import PREFERENCE, choose, key_places
from editor.model.session import Session

MILLIMETRES = 0.1


class Scope(StrEnum):
    """Whose keys are reduced."""

    ALL = "all"
    SELECTED = "selected"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the reduction would do, in words and numbers.

    Parameters
    ----------
    before, after : keys of the tracks reduced
    millimetres : how far any point of the body is moved at most, at `bone` and `frame`
    time : that frame in seconds
    bones : name, keys before, keys after; those that keep most come first
    """

    before: int
    after: int
    millimetres: float
    bone: str
    frame: float
    time: float
    bones: tuple[tuple[str, int, int], ...]

    @property
    def share(self) -> float:
        """Keys left, as a share of those before."""
        return self.after / self.before if self.before else 1.0


class ReduceModel:
    """Works on a worker, shows the reduced clip as a preview, and makes it one step where it is kept.

    Whatever else changes the clip, or shows another one, ends it without a trace.

    Attributes
    ----------
    changed : anything shown differs
    outcome : what came of it, once it is known
    problem : why nothing came of it, or ""
    """

    def __init__(self, session: Session) -> None:
        self.session = session
        self.millimetres = MILLIMETRES
        self.scope = Scope.ALL
        self.problem = ""
        self.changed: Event[None] = Event()
        self._clip: Clip | None = None
        self._job: Job[Reduction] | None = None
        self._done: Reduction | None = None
        self.outcome: Outcome | None = None
        self._original = False
        self._keep = False
        self._locked = session.selection.locked
        self._subscriptions = [
            session.document.changed.connect(lambda _: self._on_document()),
            session.document.replaced.connect(lambda _: self._end()),
            session.playback.clip_changed.connect(lambda _: self.cancel()),
            session.preview.changed.connect(lambda _: self.changed.emit(None)),
            session.selection.bones_changed.connect(lambda _: self._on_bones()),
            session.selection.flags_changed.connect(lambda _: self._on_flags()),
            session.preferences.changed.connect(self._on_preference),
        ]

    def close(self) -> None:
        """Stop listening."""
        self._end()
        while self._subscriptions:
            self._subscriptions.pop()()

    # ------------------------------------------------------------ what
    @property
    def active(self) -> bool:
        """Whether a reduction is being tried out."""
        return self._clip is not None

    @property
    def busy(self) -> bool:
        """Whether it is still being worked out."""
        return self._job is not None

    @property
    def job(self) -> Job[Reduction] | None:
        """The work under way."""
        return self._job

    @property
    def why_not(self) -> str:
        """Why nothing can be reduced now, or ""."""
        clip = self.session.clip
        if self.session.rig is None or clip is None:
            return tr("create or select a clip first")
        if not clip.tracks:
            return tr("the clip has no keys yet")
        if self._channels(clip):
            return ""
        return (
            tr("select a bone first")
            if self.scope is Scope.SELECTED
            else tr("every bone with keys is locked")
        )

    @property
    def shows_original(self) -> bool:
        """Whether the view and the curves show the clip as it is, not as it would be."""
        preview = self.session.preview.clip
        return self._done is None or preview is not self._done.clip

    @property
    def can_apply(self) -> bool:
        """Whether there is something to keep."""
        return self.busy or (self.outcome is not None and self.outcome.after < self.outcome.before)

    # ------------------------------------------------------------ doing
    def begin(self) -> bool:
        """Try it out on the clip shown; False (with a message) where that cannot be."""
        if self.why_not:
            self.session.messages.info(tr("Keys cannot be reduced: {why}", why=self.why_not))
            return False
        self.session.feature(Compiling).compare.show(False)
        self._clip, self._original = self.session.clip, False
        self._refresh()
        return True

    def set_millimetres(self, millimetres: float) -> None:
        """Allow another distance."""
        if millimetres != self.millimetres:
            self.millimetres = millimetres
            self._again()

    @property
    def places(self) -> KeyPlaces:
        """Where keys may stand: a preference that converting shares."""
        return key_places(self.session.preferences)

    def set_places(self, places: KeyPlaces) -> None:
        """Let keys stand elsewhere."""
        choose(self.session.preferences, places)

    def _on_preference(self, name: str) -> None:
        if name == PREFERENCE:
            self._again()

    def set_scope(self, scope: Scope) -> None:
        """Reduce all bones, or those selected."""
        if scope is not self.scope:
            self.scope = scope
            self._again()

    def show_original(self, original: bool) -> None:
        """Show the clip as it is, or as it would be."""
        self._original = original
        self._show()

    def apply(self) -> None:
        """Keep it as one step; waits for work that is under way."""
        if self.busy:
            self._keep = True
            self.changed.emit(None)
            return
        clip, done, outcome = self._clip, self._done, self.outcome
        self._end()
        if clip is None or done is None or outcome is None:
            return
        if outcome.after == outcome.before:
            self.session.messages.info(
                tr("No removable keys at this tolerance"), tr("Increase the tolerance")
            )
            return
        text = trn(
            "{before} → {count} key", "{before} → {count} keys", outcome.after, before=f"{outcome.before:,}"
        )
        try:
            self.session.edits.put(tr("Reduce keys of {clip}: {what}", clip=clip.name, what=text), done.clip)
        except AnimError as error:
            self.session.messages.warn(str(error))
            return
        mm = f"{outcome.millimetres:.4f}"
        self.session.messages.info(tr("{what}, largest error {mm} mm", what=text, mm=mm))

    def go_to_worst(self) -> None:
        """Select the bone that is moved the most, at the moment when it is."""
        outcome = self.outcome
        if outcome is not None:
            self.session.playback.pause()
            self.session.selection.select([outcome.bone])
            self.session.playback.seek(outcome.time)

    def cancel(self) -> None:
        """Give it up: the clip stays as it is."""
        if self.active:
            self._end()

    # ------------------------------------------------------------ work
    def _channels(self, clip: Clip) -> list[Channel]:
        rig, chosen = self.session.rig, set(self.session.selection.bones)
        if rig is None:
            return []
        return [
            channel
            for channel in clip.tracks
            if rig.skeleton.find(channel.bone) is not None
            and channel.bone not in self.session.selection.locked
            and (self.scope is Scope.ALL or channel.bone in chosen)
        ]

    def _again(self) -> None:
        if self.active:
            self._refresh()
        else:
            self.changed.emit(None)

    def _refresh(self) -> None:
        rig, clip = self.session.rig, self._clip
        if rig is None or clip is None:
            return
        self._stop()
        self.problem = ""
        channels = self._channels(clip)
        if not channels:
            self.problem = self.why_not
            self._forget()
            self.changed.emit(None)
            return
        meshes, metres = self.session.evaluator.meshes, self.millimetres * 1e-3
        places = self.places

        def work(progress: Progress) -> Reduction:
            return reduce_clip(rig, clip, metres, meshes, channels, progress, places)

        job: Job[Reduction] = Job(
            tr("Reduce keys of {clip}", clip=clip.name),
            work,
            lambda done: self._take(clip, done, channels),
            lambda error: self._fail(job, error),
            lambda: self._cancelled(job),
            detached=True,
        )
        self._job = job
        self.changed.emit(None)
        self.session.jobs.start(job)

    def _take(self, clip: Clip, done: Reduction, channels: Sequence[Channel]) -> None:
        self._clear_preview()
        self._job, self._done = None, done
        self.outcome = outcome_of(clip, done, channels)
        if self._keep:
            self.apply()
        else:
            self._show()

    def _fail(self, job: Job[Reduction], error: Exception) -> None:
        if job is self._job:
            self._job, self.problem = None, str(error)
            self._forget()
            self.changed.emit(None)

    def _cancelled(self, job: Job[Reduction]) -> None:
        """Somebody pressed cancel in the status bar."""
        if job is self._job:
            self._job = None
            self.cancel()
            self.session.messages.info(tr("Reducing keys was cancelled: nothing changed"))

    def _show(self) -> None:
        done = self._done
        if done is None or self._original:
            self._clear_preview()
        else:
            self.session.preview.set_clip(done.clip)
        self.changed.emit(None)

    # ------------------------------------------------------------ end
    def _stop(self) -> None:
        job, self._job = self._job, None
        if job is not None:
            self.session.jobs.cancel(job)

    def _end(self) -> None:
        self._stop()
        self._forget()
        self._clip = None
        self._keep = self._original = False
        self.problem = ""
        self.changed.emit(None)

    def _forget(self) -> None:
        self._clear_preview()
        self._done = self.outcome = None

    def _clear_preview(self) -> None:
        if self._done is not None and self.session.preview.clip is self._done.clip:
            self.session.preview.set_clip(None)

    def _on_document(self) -> None:
        clip = self._clip
        if clip is not None and self.session.document.project.assets.get(clip.id) is not clip:
            self._end()
            self.session.messages.info(
                tr("Reduction cancelled: the clip was changed"),
                tr("Start again to reduce it as it is now"),
            )
        else:
            self.changed.emit(None)

    def _on_bones(self) -> None:
        if self.scope is Scope.SELECTED:
            self._again()

    def _on_flags(self) -> None:
        """Bones that are locked keep their keys."""
        locked = self.session.selection.locked
        if locked != self._locked:
            self._locked = locked
            self._again()


def outcome_of(clip: Clip, done: Reduction, channels: Sequence[Channel]) -> Outcome:
    """What a reduction of some channels of a clip did."""
    bones: dict[str, list[int]] = {}
    for channel in channels:
        counts = bones.setdefault(channel.bone, [0, 0])
        counts[0] += len(clip.tracks[channel])
        counts[1] += len(done.clip.tracks[channel])
    rows = [(name, before, after) for name, (before, after) in bones.items()]
    return Outcome(
        sum(before for _, before, _ in rows),
        sum(after for _, _, after in rows),
        done.metres * 1e3,
        done.bone,
        clip.rate.to_frame(done.time),
        done.time,
        tuple(sorted(rows, key=lambda row: -row[2])),
    )

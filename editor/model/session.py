"""The session: everything the editor works on, passed to constructors, never global."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

import numpy as np

from core.arrays import FloatArray, distinct
from core.clips.clip import Clip
from core.clips.end_tangents import with_ends
from core.errors import AnimError
from core.io.backups import Backups, data_dir
from core.rig.rig import Rig
from core.tracks.tangents import Ends
from editor.model.autokey import Keying
from editor.model.bone_names import short_name
from editor.model.clipboard import Clipboard
from editor.model.clips import Clips
from editor.model.commands import ViewState
from editor.model.display.display import Display
from editor.model.display.override import DisplayLevel
from editor.model.document import Document
from editor.model.edit_jobs import EditJobs
from editor.model.edits import Edits
from editor.model.evaluator import Evaluator
from editor.model.events import Event
from editor.model.features import FEATURES, make_features
from editor.model.files import Files
from editor.model.history import History, Step, StepKind
from editor.model.i18n import tr
from editor.model.jobs import Job, Jobs
from editor.model.journal import Journal
from editor.model.kept_keys import KeptKeys
from editor.model.messages import Messages
from editor.model.pending import PendingPose
from editor.model.playback import LoopMode, Playback, PlayMode
from editor.model.preferences import Preferences
from editor.model.preview import Preview
from editor.model.selection import Selection
from editor.model.switches import Switches

F = TypeVar("F")


@dataclass(eq=False)
class Session:
    """One open document and what the user does with it."""

    document: Document
    history: History
    selection: Selection
    playback: Playback
    preview: Preview
    pending: PendingPose
    display: Display
    evaluator: Evaluator
    edits: Edits
    edit_jobs: EditJobs
    keying: Keying
    clips: Clips
    files: Files
    clipboard: Clipboard
    preferences: Preferences
    jobs: Jobs
    journal: Journal
    messages: Messages
    switches: Switches
    closing: Event[None] = field(default_factory=Event)
    journal_problem: str = ""
    journal_changed: Event[None] = field(default_factory=Event)
    _features: dict[type[object], object] = field(init=False, default_factory=dict)
    _key_times: tuple[Clip, frozenset[str], FloatArray] | None = field(init=False, default=None)

    @classmethod
    def create(
        cls,
        config_dir: Path | None = None,
        data_folder: Path | None = None,
        features: Mapping[str, type[object]] | None = None,
    ) -> "Session":
        """Build a session with an empty document.

        Parameters
        ----------
        config_dir, data_folder : where preferences, and journals and backups, live; None asks the
            environment and then the system
        features : name and class of each feature; None takes those of the editor
        """
        data = data_folder or data_dir()
        preferences, messages, jobs, document = Preferences(config_dir), Messages(), Jobs(), Document()
        history, playback, preview = History(document), Playback(document), Preview()
        pending = PendingPose()
        display = Display(playback, preview, pending)
        evaluator = Evaluator(document, playback, display)
        selection = Selection(lambda: evaluator.rig)

        def view() -> ViewState:
            return ViewState(playback.rig, playback.clip, playback.time, selection.bones, playback.below)

        def settle(before: Clip, after: Clip) -> Clip:
            flat = preferences.get("auto_ends") == Ends.FLAT
            return with_ends(before, after, Ends.FLAT) if flat else after

        def settle_preview(clip: Clip) -> Clip:
            before = document.project.assets.get(clip.id)
            return settle(before, clip) if isinstance(before, Clip) else clip

        edits = Edits(document, history, view)
        edits.settle, preview.settle = settle, settle_preview
        edit_jobs = EditJobs(document, edits, jobs, messages)
        journal = Journal(data / "journal")
        keying = Keying(
            document,
            edits,
            edit_jobs,
            playback,
            selection,
            evaluator,
            display,
            pending,
            preferences,
            messages,
        )
        backups = Backups(data / "backups", int(preferences.get("backups")))
        files = Files(document, edits, playback, jobs, journal, backups, preferences, messages)
        clips = Clips(document, edits, edit_jobs, playback, evaluator)
        session = cls(
            document, history, selection, playback, preview, pending, display, evaluator, edits, edit_jobs, keying,
            clips, files, Clipboard(), preferences, jobs, journal, messages, Switches(preferences),
        )  # fmt: skip
        session._features = make_features(FEATURES if features is None else features, session._services())
        session._connect()
        return session

    def _services(self) -> dict[str, object]:
        """What a feature can take, by name."""
        return {
            name: value
            for name, value in vars(self).items()
            if not name.startswith("_") and not isinstance(value, str)
        }

    def feature(self, kind: type[F]) -> F:
        """The one feature of a class, for example ``session.feature(IkState)``.

        Raises
        ------
        LookupError
            The class is no feature of this session.
        """
        found = self._features.get(kind)
        if not isinstance(found, kind):
            raise LookupError(f"{kind.__name__} has no entry in editor/model/features.py")
        return found

    # ------------------------------------------------------------ what is shown
    @property
    def rig(self) -> Rig | None:
        """The rig shown."""
        return self.evaluator.rig

    @property
    def clip(self) -> Clip | None:
        """The document's clip that is shown, of a layer in hand the layer's (a drag's preview is `evaluator.clip`)."""
        return self.playback.shown

    def stop_preview(self) -> None:
        """Show the clip again where a blend space or a retarget is previewed instead."""
        self.display.leave(DisplayLevel.SOURCE)

    def bone_label(self, bone: str) -> str:
        """A bone's name as it is written for people: without the prefix that all share, by the switch."""
        rig = self.rig
        return (
            short_name(bone, rig.skeleton.names) if rig is not None and self.switches["short_names"] else bone
        )

    def view(self) -> ViewState:
        """What is shown and selected now."""
        playback = self.playback
        return ViewState(playback.rig, playback.clip, playback.time, self.selection.bones, playback.below)

    def show(self, view: ViewState | None) -> None:
        """Go back to where the user was, as far as that still exists."""
        if view is None:
            return
        project = self.document.project
        if view.clip is not None and view.clip in project.assets:
            here = (self.playback.clip, self.playback.below)
            if (view.clip, view.below) != here:  # else a transient clip may go on playing
                self.playback.set_clip(view.clip, below=view.below)
        elif view.clip is None and view.rig is not None and view.rig in project.assets:
            self.playback.set_clip(None, view.rig)
        elif view.rig is not None and view.rig in project.assets:
            clips = project.clips_of(view.rig)
            shown = self.playback.shown
            if shown is None or shown.rig != view.rig:
                self.playback.set_clip(clips[0].id if clips else None, view.rig)
        self.playback.seek(view.time)
        self.selection.select(view.bones)

    # ------------------------------------------------------------ history
    def undo(self) -> bool:
        """Take the last step back and show where it was; a running gesture is dropped first."""
        return self._go(self.history.undo())

    def redo(self) -> bool:
        """Do the next step again and show where it was."""
        return self._go(self.history.redo())

    def go_to(self, position: int) -> bool:
        """Undo or redo until `position` steps are done."""
        return self._go(self.history.go_to(position))

    def _go(self, view: ViewState | None) -> bool:
        if view is None:
            return False
        self.preview.clear()
        self.playback.pause()
        self.show(view)
        return True

    # ------------------------------------------------------------ keys
    def key_times(self, bones: Iterable[str] | None = None) -> FloatArray:
        """Times of keys of bones (the selection; everything where nothing is selected), rising; read-only.

        Half a dozen actions ask for them at every change: they are found once for a clip and a selection.
        """
        clip = self.clip
        if clip is None:
            return np.zeros(0)
        chosen = frozenset(self.selection.bones if bones is None else bones)
        known = self._key_times
        if known is None or known[0] is not clip or known[1] != chosen:
            known = self._key_times = clip, chosen, _key_times(clip, chosen)
        return known[2]

    # ------------------------------------------------------------ end
    def close(self) -> None:
        """Release everything; the document is saved, or discarded on purpose."""
        self.playback.pause()
        self.jobs.cancel_all()
        self.closing.emit(None)
        self.journal.close()
        self.files.disk.close()

    def _connect(self) -> None:
        preferences, playback = self.preferences, self.playback
        for name, kind in (("mode", PlayMode), ("loop", LoopMode)):
            value = preferences.get("play_mode" if name == "mode" else "loop_mode")
            if value in {str(item) for item in kind}:
                setattr(playback, name, kind(value))
        playback.in_place = bool(preferences.get("in_place"))
        self._limit_undo("undo_megabytes")
        preferences.changed.connect(self._limit_undo)
        playback.key_times = self.key_times
        self.edits.show = self.show
        self.edits.transient = lambda: None if playback.transient_clip is None else playback.transient_clip.id
        playback.clip_changed.connect(lambda _: self._on_clip())
        playback.state_changed.connect(lambda _: self._remember_transport())
        self.document.replaced.connect(lambda _: self._on_replaced())
        kept = KeptKeys(self.selection, lambda: self.evaluator.clip)
        self.document.changed.connect(lambda _: self._on_document(kept))
        self.history.stepped.connect(self._on_step)
        self.jobs.failed.connect(self._on_failed)
        self._known = self.document.project
        self.journal.begin(self.document.project, None, on_disk=False)

    def _on_step(self, step: Step) -> None:
        before, self._known = self._known, self.document.project
        view = step.command.view_before if step.kind is StepKind.UNDO else step.command.view_after
        self.journal.record(step.kind, step.command.label, view, before, self._known)
        self.check_journal()

    def check_journal(self) -> None:
        """Say when steps no longer reach the journal, and when they do again; tries again meanwhile.

        The only reader of the journal's problem: everything that shows it asks `journal_problem`.
        """
        problem, known = self.journal.problem, self.journal_problem
        self.journal_problem = problem
        if problem and not known:
            self.messages.warn(
                tr("Steps cannot be written to the journal: {problem}", problem=problem),
                tr("Save often: a crash would lose what is not saved"),
            )
        elif known and not problem:
            self.messages.info(tr("Steps are written to the journal again"))
        if problem:
            self.journal.retry()
        if problem != known:
            self.journal_changed.emit(None)

    def _on_replaced(self) -> None:
        document, project = self.document, self.document.project
        self._known, self._key_times = project, None
        state = self.files.disk.state if document.path is not None else None
        self.journal.begin(project, document.path, on_disk=not document.dirty, state=state)
        self.preview.clear()
        self.selection.clear()
        self.playback.pause()
        with_clips = [rig for rig in project.rigs if project.clips_of(rig.id)]
        rig = next(iter([*with_clips, *project.rigs]), None)
        clips = project.clips_of(rig.id) if rig else ()
        self.playback.set_clip(clips[0].id if clips else None, rig.id if rig else None)
        self.playback.seek(0.0)

    def _on_document(self, kept: KeptKeys) -> None:
        self.selection.prune()
        if self.preview.active:  # a gesture commits: it says itself what is selected
            kept.note()
        else:
            kept.follow()

    def _limit_undo(self, preference: str) -> None:
        if preference == "undo_megabytes":
            self.history.max_bytes = int(self.preferences.get(preference)) * 2**20

    def _on_clip(self) -> None:
        self.selection.prune()
        self.selection.select_keys({})

    def _remember_transport(self) -> None:
        self.preferences.set("play_mode", str(self.playback.mode))
        self.preferences.set("loop_mode", str(self.playback.loop))
        self.preferences.set("in_place", self.playback.in_place)

    def _on_failed(self, job: Job[object]) -> None:
        text = str(job.error) if isinstance(job.error, AnimError) else repr(job.error)
        self.messages.error(tr("{title} failed: {text}", title=job.title, text=text))


def _key_times(clip: Clip, bones: frozenset[str]) -> FloatArray:
    shared = {
        id(track.times): track.times
        for channel, track in clip.tracks.items()
        if not bones or channel.bone in bones
    }
    times = distinct(np.concatenate(list(shared.values()))) if shared else np.zeros(0)
    times.flags.writeable = False
    return times

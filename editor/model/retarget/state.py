"""Retargeting in one session: owns the parts that choose, compute, show and keep a retarget."""

from pathlib import Path

from core.ids import AssetId
from core.progress import Progress
from core.rig.rig import Rig
from editor.model.display.display import Display
from editor.model.document import Document
from editor.model.edits import Edits
from editor.model.evaluator import Evaluator
from editor.model.events import Event
from editor.model.i18n import tr
from editor.model.jobs import Job, Jobs
from editor.model.messages import Messages
from editor.model.playback import Playback
from editor.model.retarget.chain_pick import ChainPick
from editor.model.retarget.computation import Computation
from editor.model.retarget.edits import RetargetEdits
from editor.model.retarget.live import RetargetLive
from editor.model.retarget.outcome import RetargetOutcome
from editor.model.retarget.source import Source, read_source, source_of
from editor.model.retarget.subject import RetargetSubject
from editor.model.retarget.virtual_bones import VirtualBones
from editor.model.selection import Selection


class Retargeting:
    """What the retarget panel, the source view, the timeline and their actions share.

    The target is the character that the window shows.

    Attributes
    ----------
    subject : source, clip, target, map and options
    pick : the chain looked at
    edits : changes of map, options and contacts
    computation : the result, computed in the background
    outcome : puts results into the document
    live : source and result in the views
    virtual : virtual bones of the target
    changed : source, clip, map, options, result or reports differ
    """

    def __init__(
        self,
        document: Document,
        edits: Edits,
        evaluator: Evaluator,
        playback: Playback,
        display: Display,
        selection: Selection,
        messages: Messages,
        jobs: Jobs,
    ) -> None:
        self._document = document
        self._messages = messages
        self._jobs = jobs
        self.changed: Event[None] = Event()
        self.live = RetargetLive(evaluator, playback, display)
        self.subject = RetargetSubject(document, edits, evaluator)
        self.pick = ChainPick(self.subject, selection, messages)
        self.edits = RetargetEdits(self.subject, self.pick, selection)
        self.computation = Computation(self.subject, self.live, jobs, messages)
        self.outcome = RetargetOutcome(
            self.subject, self.computation, document, edits, playback, messages, jobs
        )
        self.virtual = VirtualBones(evaluator, selection, edits, messages)
        self.pick.give = lambda chain, bones: self.edits.set_bones(chain, target=bones)
        self.subject.setup_changed.connect(lambda _: self._on_setup())
        self.computation.changed.connect(self.changed.emit)
        self.outcome.changed.connect(self.changed.emit)
        document.replaced.connect(lambda _: self.clear())
        playback.clip_changed.connect(lambda _: self._on_rig())
        document.changed.connect(self._on_document)

    # ------------------------------------------------------------ choosing the source
    def others(self) -> tuple[Rig, ...]:
        """Other characters of the document that have clips."""
        project, target = self._document.project, self.subject.target
        return tuple(
            r for r in project.rigs if project.clips_of(r.id) and (target is None or r.id != target.id)
        )

    def load(self, path: Path) -> Job[Source]:
        """Read a file and make it the source."""

        def work(progress: Progress) -> Source:
            return read_source(path, progress)

        def failed(error: Exception) -> None:
            self._messages.error(str(error))

        return self._jobs.run(tr("Read {name}", name=path.name), work, self.set_source, failed)

    def use_rig(self, rig: AssetId) -> None:
        """Make another character of the document the source."""
        project = self._document.project
        self.set_source(source_of(project, project.get(Rig, rig)))

    def set_source(self, source: Source | None) -> None:
        """Make a character the source, with its first clip and the proposed map."""
        self.subject.set_source(source)
        self.computation.forget()
        self.pick.reset()
        self.pick.picking = False
        self.outcome.reports = ()
        self.computation.renew()
        if source is not None:
            self.live.start()

    def clear(self) -> None:
        """Start over without a source."""
        self.live.stop()
        self.set_source(None)

    def set_clip(self, clip: AssetId) -> None:
        """Retarget another clip of the source."""
        if self.subject.set_clip(clip):
            self.computation.forget()
            self.computation.renew()

    # ------------------------------------------------------------ upkeep
    def _on_setup(self) -> None:
        self.pick.drop_lost()
        self.computation.renew()
        self.pick.changed.emit(None)

    def _on_rig(self) -> None:
        """Another character is shown: it is the target from now on."""
        if self.subject.has_other_target():
            self.pick.reset()
            self.subject.begin_setup()
            self.computation.renew()

    def _on_document(self, ids: frozenset[AssetId]) -> None:
        """The set-up was undone or redone, or the target's skeleton has changed under the map."""
        subject = self.subject
        if subject.source is None or subject.target is None:
            return
        if subject.has_other_setup():
            subject.begin_setup()
            self.pick.find_again()
            self.computation.renew()
            self.pick.changed.emit(None)
        elif subject.is_target(ids):
            self.computation.renew()

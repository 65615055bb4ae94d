"""Retargeting in one session: the source is chosen, the result worked out and shown, and put into the document."""

from dataclasses import replace
from pathlib import Path

from core.arrays import same_value
from core.clips.clip import Clip
from core.clips.edits import unique_name
from core.errors import AnimError
from core.ids import AssetId, new_id
from core.progress import Progress
from core.retarget.report import ClipReport, name_of
from core.retarget.retarget import retarget_clip
from core.rig.rig import Rig
from editor.model.display.display import Display
from editor.model.document import Document
from editor.model.edits import Edits
from editor.model.evaluator import Evaluator
from editor.model.i18n import tr, trn
from editor.model.jobs import Job, Jobs
from editor.model.messages import Messages
from editor.model.playback import Playback
from editor.model.retarget.contact_curves import with_contact_curves
from editor.model.retarget.edits import RetargetEdits
from editor.model.retarget.run import Result, run
from editor.model.retarget.setup import KEY
from editor.model.retarget.source import Source, read_source, source_of
from editor.model.retarget.virtual_bones import VirtualBones
from editor.model.selection import Selection

Made = list[tuple[Clip | None, ClipReport]]


class Retargeting(RetargetEdits):
    """What the retarget panel, the source view, the timeline and their actions share.

    The target is the character that the window shows.
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
        super().__init__(document, edits, evaluator, playback, display, selection, messages, jobs)
        self.virtual = VirtualBones(evaluator, selection, edits, messages)
        self._job: Job[Result] | None = None
        self._again = False
        self.reports: tuple[ClipReport, ...] = ()
        document.replaced.connect(lambda _: self.clear())
        playback.clip_changed.connect(lambda _: self._on_rig())
        document.changed.connect(self._on_document)

    @property
    def busy(self) -> bool:
        """Whether a result is being worked out."""
        return self._job is not None

    # ------------------------------------------------------------ choosing the source
    def others(self) -> tuple[Rig, ...]:
        """Other characters of the document that have clips."""
        project, target = self._document.project, self.target
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
        self._source = source
        self._clip = source.clips[0].id if source is not None and source.clips else None
        self._result, self._bones, self._chain, self.picking = None, (), None, False
        self.reports = ()
        self._begin_setup()
        self._renew()
        if source is not None:
            self.live.start()

    def clear(self) -> None:
        """Start over without a source."""
        self.live.stop()
        self.set_source(None)

    def set_clip(self, clip: AssetId) -> None:
        """Retarget another clip of the source."""
        if clip != self._clip:
            self._clip, self._result = clip, None
            self._renew()

    # ------------------------------------------------------------ working it out
    def _renew(self) -> None:
        """Work the result out again; while one is under way, after that."""
        self.live.set_source(self._source, self.clip)
        self.problem = self._setup.chains.refused if self._setup is not None else ""
        if self._job is not None:
            self._again = True
            self._job.cancel()
        else:
            self._begin()
        self.changed.emit(None)

    def _begin(self) -> None:
        self._again = False
        source, clip, target, chains = self._source, self.clip, self.target, self.chains
        if source is None or clip is None or target is None or chains is None or self.problem:
            self._take(None)
            return
        options = self.choices.options(self._edited_spans)

        def work(progress: Progress) -> Result:
            return run(source.rig, clip, target, chains, options, progress)

        title = tr("Retarget {name}", name=clip.name)
        job: Job[Result] = Job(title, work, self._done, self._failed, lambda: self._over(self._result))
        self._job = job
        self._jobs.start(job)

    def _done(self, result: Result) -> None:
        self._over(result)

    def _failed(self, error: Exception) -> None:
        if not isinstance(error, AnimError):
            self._messages.error(f"{type(error).__name__}: {error}", tr("Please report this"))
        self.problem = str(error)
        self._over(None)

    def _over(self, result: Result | None) -> None:
        self._job = None
        if self._again:
            self._begin()
        else:
            self._take(result)
        self.changed.emit(None)

    def _take(self, result: Result | None) -> None:
        self._result = result
        self.live.set_result(self.target, result)

    # ------------------------------------------------------------ the outcome
    def commit(self) -> bool:
        """Put the result into the document as a new clip: one step."""
        result, target, clip = self._result, self.target, self.clip
        if result is None or target is None or clip is None or self.busy:
            self._messages.info(self.why_not or tr("wait: the result is being computed"))
            return False
        made = self._finished(result.clip, result.report, [c.name for c in self._document.project.clips])
        label = tr("Retarget {clip} onto {rig}", clip=clip.name, rig=target.name)
        view = self._edits.view_of(target.id, made.id, self._playback.time)
        done = self._edits.put(label, made, view_after=view)
        self.reports = (result.report,)
        self._messages.info(
            tr("Added clip “{name}” to {rig}", name=made.name, rig=target.name),
            tr("The eye in the retarget panel shows source and preview again"),
        )
        self.changed.emit(None)
        return done

    def commit_all(self) -> Job[Made] | None:
        """Retarget every clip of the source, and put them into the document: one step; failures are told."""
        source, target, setup = self._source, self.target, self._setup
        if source is None or target is None or setup is None or self.problem:
            self._messages.info(self.why_not)
            return None

        def work(progress: Progress) -> Made:
            found: Made = []
            for number, clip in enumerate(source.clips):
                part = progress.part(number / len(source.clips), (number + 1) / len(source.clips))
                try:
                    options = setup.choices.options(setup.spans.get(clip.name))
                    done = retarget_clip(
                        source.rig, clip, target, setup.chains, options, id=new_id("clip"), progress=part
                    )
                    found.append((done.clip, done.report))
                except AnimError as error:
                    found.append((None, ClipReport(source.title, clip.name, failure=str(error))))
            return found

        def use(found: Made) -> None:
            taken = [c.name for c in self._document.project.clips]
            made = []
            for clip, report in found:
                if clip is None:
                    continue
                made.append(self._finished(clip, report, taken))
                taken.append(made[-1].name)
            if made:
                count = trn("{count} clip", "{count} clips", len(made))
                label = tr("Retarget {count} onto {rig}", count=count, rig=target.name)
                view = self._edits.view_of(target.id, made[0].id)
                self._edits.put(label, *made, view_after=view)
            self.reports = tuple(report for _, report in found)
            self.changed.emit(None)

        title = tr("Retarget {name}", name=source.title)
        return self._jobs.run(title, work, use)

    def _finished(self, clip: Clip, report: ClipReport, taken: list[str]) -> Clip:
        kept = with_contact_curves(clip, report.contacts) if self.choices.curves else clip
        return replace(kept, id=new_id("clip"), name=unique_name(self._name_of(clip), taken))

    def _name_of(self, clip: Clip) -> str:
        """What a result is called: as its file where that holds no other clip."""
        source = self._source
        return clip.name if source is None else name_of(clip.name, source.path, len(source.clips))

    # ------------------------------------------------------------ upkeep
    def _on_rig(self) -> None:
        """Another character is shown: it is the target from now on."""
        target = self.target
        if self._source is not None and target is not None and target.id != self._target:
            self._chain, self._bones = None, ()
            self._begin_setup()
            self._renew()

    def _on_document(self, ids: frozenset[AssetId]) -> None:
        """The set-up was undone or redone, or the target's skeleton has changed under the map."""
        if self._source is None or self.target is None:
            return
        if not same_value(self._document.project.settings.get(KEY), self._stored):
            self._begin_setup()
            pair = self._pair(self._chain)
            self._chain, self._bones = (None, ()) if pair is None else (pair.name, pair.source)
            self._renew()
            self.picked_changed.emit(None)
        elif self._target in ids:
            self._renew()

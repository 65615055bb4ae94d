"""Puts retargeted clips into the document."""

from dataclasses import replace

from core.clips.clip import Clip
from core.clips.edits import unique_name
from core.errors import AnimError
from core.ids import new_id
from core.progress import Progress
from core.retarget.report import ClipReport, name_of
from core.retarget.retarget import retarget_clip
from editor.model.document import Document
from editor.model.edits import Edits
from editor.model.events import Event
from editor.model.i18n import tr, trn
from editor.model.jobs import Job, Jobs
from editor.model.messages import Messages
from editor.model.playback import Playback
from editor.model.retarget.computation import Computation
from editor.model.retarget.contact_curves import with_contact_curves
from editor.model.retarget.subject import RetargetSubject

Made = list[tuple[Clip | None, ClipReport]]


class RetargetOutcome:
    """Makes clips of the document from a retarget.

    Attributes
    ----------
    changed : clips were made, so the reports differ
    reports : of the clips made last
    """

    def __init__(
        self,
        subject: RetargetSubject,
        computation: Computation,
        document: Document,
        edits: Edits,
        playback: Playback,
        messages: Messages,
        jobs: Jobs,
    ) -> None:
        self._subject = subject
        self._computation = computation
        self._document = document
        self._edits = edits
        self._playback = playback
        self._messages = messages
        self._jobs = jobs
        self.changed: Event[None] = Event()
        self.reports: tuple[ClipReport, ...] = ()

    def commit(self) -> bool:
        """Put the result into the document as a new clip: one step."""
        computation, target, clip = self._computation, self._subject.target, self._subject.clip
        result = computation.result
        if result is None or target is None or clip is None or computation.busy:
            self._messages.info(computation.why_not or tr("wait: the result is being computed"))
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
        source, target, setup = self._subject.source, self._subject.target, self._subject.setup
        if source is None or target is None or setup is None or self._computation.problem:
            self._messages.info(self._computation.why_not)
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
        kept = with_contact_curves(clip, report.contacts) if self._subject.choices.curves else clip
        return replace(kept, id=new_id("clip"), name=unique_name(self._name_of(clip), taken))

    def _name_of(self, clip: Clip) -> str:
        """What a result is called: as its file where that holds no other clip."""
        source = self._subject.source
        return clip.name if source is None else name_of(clip.name, source.path, len(source.clips))

"""The work of a retarget in the background: restarted whenever something it depends on changes."""

from core.errors import AnimError
from core.progress import Progress
from core.retarget.contacts import ContactSpan
from editor.model.events import Event
from editor.model.i18n import tr
from editor.model.jobs import Job, Jobs
from editor.model.messages import Messages
from editor.model.retarget.live import RetargetLive
from editor.model.retarget.run import Result, run
from editor.model.retarget.subject import RetargetSubject


class Computation:
    """Computes the result of a subject, and gives it to the preview.

    Attributes
    ----------
    changed : the result, or the work under way, differs
    problem : why there is no result although source, clip and target are chosen, or ""
    """

    def __init__(self, subject: RetargetSubject, live: RetargetLive, jobs: Jobs, messages: Messages) -> None:
        self._subject = subject
        self._live = live
        self._jobs = jobs
        self._messages = messages
        self.changed: Event[None] = Event()
        self.problem = ""
        self._result: Result | None = None
        self._job: Job[Result] | None = None
        self._again = False

    @property
    def result(self) -> Result | None:
        """The newest result; None while there is none yet, or the map cannot be used."""
        return self._result

    @property
    def busy(self) -> bool:
        """Whether a result is being worked out."""
        return self._job is not None

    @property
    def spans(self) -> tuple[ContactSpan, ...]:
        """Contacts that are held: those edited, else those found."""
        edited = self._subject.edited_spans
        if edited is not None:
            return edited
        return self._result.spans if self._result is not None else ()

    @property
    def why_not(self) -> str:
        """Why nothing can be retargeted now, or ""."""
        return self._subject.missing or self.problem

    def forget(self) -> None:
        """The result is of something else."""
        self._result = None

    def renew(self) -> None:
        """Work the result out again; while one is under way, after that."""
        subject = self._subject
        self._live.set_source(subject.source, subject.clip)
        self.problem = subject.chains.refused if subject.chains is not None else ""
        if self._job is not None:
            self._again = True
            self._job.cancel()
        else:
            self._begin()
        self.changed.emit(None)

    def _begin(self) -> None:
        self._again = False
        subject = self._subject
        source, clip, target, chains = subject.source, subject.clip, subject.target, subject.chains
        if source is None or clip is None or target is None or chains is None or self.problem:
            self._take(None)
            return
        options = subject.choices.options(subject.edited_spans)

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
        self._live.set_result(self._subject.target, result)

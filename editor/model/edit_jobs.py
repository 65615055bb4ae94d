"""Edits that may take long: worked out on the frozen project beside the window, committed as one step.

Short ones are waited for (`GRACE`), so that they are done when the call returns. Longer ones become a job with
progress and cancel; when it ends, its outcome becomes one undo step where the document is still the one that it was
worked out from, and is dropped with a message where it is not.
"""

from collections.abc import Callable
from typing import NamedTuple

from core.clips.clip import Clip
from core.clips.shared_times import with_shared_times
from core.ids import AssetId
from core.progress import Progress
from core.project.project import Asset, Project
from editor.model.commands import ViewState
from editor.model.document import Document
from editor.model.edits import Edits
from editor.model.i18n import tr
from editor.model.jobs import Job, Jobs, JobState
from editor.model.messages import Messages

GRACE = 0.08
"""Seconds that the window waits for an edit before it becomes a job: less than a person notices."""


class Made(NamedTuple):
    """What an edit has made.

    Parameters
    ----------
    label : of the undo step
    assets : added or replaced
    view_after : what to show then, or None for what is shown
    note : what there is to say about it, or ""
    advice : what to do about the note
    gone : ids of assets that are removed in the same step

    With neither `assets` nor `gone` nothing changes.
    """

    label: str
    assets: tuple[Asset, ...]
    view_after: ViewState | None = None
    note: str = ""
    advice: str = ""
    gone: tuple[AssetId, ...] = ()


Work = Callable[[Progress], Made]
"""Runs on a worker: may touch frozen values only, and asks the progress (or `core.progress.counted`) often."""


class EditJobs:
    """Runs edits of one document, one at a time.

    Attributes
    ----------
    grace : seconds to wait for an edit before it becomes a job
    """

    def __init__(self, document: Document, edits: Edits, jobs: Jobs, messages: Messages) -> None:
        self._document, self._edits, self._jobs, self._messages = document, edits, jobs, messages
        self._job: Job[Made] | None = None
        self.grace = GRACE

    @property
    def busy(self) -> bool:
        """Whether an edit is under way."""
        return self._job is not None

    def run(
        self,
        title: str,
        work: Work,
        done: Callable[[bool], object] | None = None,
        dropped: Callable[[], object] | None = None,
    ) -> bool:
        """Work out an edit and commit it; whether that has happened already.

        Parameters
        ----------
        title : what the user waits for
        work : makes the new assets from frozen ones
        done : called on the window's thread after the commit, with whether anything changed
        dropped : called there instead where nothing comes of it: cancelled, failed, or the document has changed

        Raises
        ------
        AnimError
            From `work`, where it failed while it was waited for; later it is a message.
        """
        if self._job is not None:
            self._messages.warn(
                tr("“{title}” is still running", title=self._job.title),
                tr("Wait for it or cancel it in the status bar, then try again"),
            )
            return False
        before, committed, early = self._document.project, False, True
        failure: Exception | None = None

        def give_up() -> None:
            if dropped is not None:
                dropped()

        def finish(made: Made) -> None:
            nonlocal committed
            self._job = None
            if self._document.project is not before:
                give_up()
                self._messages.warn(
                    tr(
                        "“{label}” was not applied: the document has changed in the meantime",
                        label=made.label,
                    ),
                    tr("Try again"),
                )
                return
            if made.assets or made.gone:
                after = before.with_assets(*made.assets).without(*made.gone)
                committed = self._edits.commit(made.label, after, made.view_after)
            if made.note:
                (self._messages.warn if made.advice else self._messages.info)(made.note, made.advice)
            if done is not None:
                done(committed)

        def failed(error: Exception) -> None:
            nonlocal failure
            self._job = None
            give_up()
            failure = error
            if not early:
                self._messages.error(tr("{title} failed: {text}", title=title, text=str(error)))

        def cancelled() -> None:
            self._job = None
            give_up()
            self._messages.info(tr("{title} cancelled: nothing has changed", title=title))

        def shared(progress: Progress) -> Made:
            return _with_shared_times(work(progress), before)

        job = Job(title, shared, finish, failed, cancelled, detached=True)
        self._job = job
        self._jobs.start(job, self.grace)
        early = False
        if failure is not None:
            raise failure
        return committed

    def cancel(self) -> None:
        """Give the edit under way up, one too that has ended and is not committed yet."""
        if self._job is not None and self._job.state is not JobState.FAILED:
            self._jobs.cancel(self._job)


def _with_shared_times(made: Made, before: Project) -> Made:
    """What was made, with one array for the equal key times of each clip: here it costs the window nothing."""
    assets = tuple(
        with_shared_times(asset, old if isinstance(old := before.assets.get(asset.id), Clip) else None)
        if isinstance(asset, Clip)
        else asset
        for asset in made.assets
    )
    return made._replace(assets=assets)

"""Work that takes longer than a blink, off the window's thread, with progress and cancel.

A job is a value: what to compute (on a worker, from frozen data) and what to do with the result
(on the window's thread). Who runs it is exchangeable: the window brings a thread pool, tests and
scripts run at once.
"""

import logging
import threading
from collections.abc import Callable
from enum import StrEnum
from typing import Any, Generic, Protocol, TypeVar

from core.errors import AnimError, Cancelled
from core.progress import Progress, running
from editor.model.events import Event

logger = logging.getLogger(__name__)
T = TypeVar("T")


class JobState(StrEnum):
    """How far a job has come."""

    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"


class Job(Generic[T]):
    """One piece of work.

    Parameters
    ----------
    title : what the user is waiting for ("Import walk.glb")
    work : runs on a worker thread; may touch only frozen data and what it makes itself
    done : gets the result, on the window's thread
    failed : gets the error, on the window's thread; None leaves it to `Jobs`' `failed` event
    cancelled : called on the window's thread after a cancel
    detached : whether a cancel ends it at once: its thread stops at its next look at the progress, and nobody waits
        for that. For work that only computes; work that writes has to be waited for
    """

    def __init__(
        self,
        title: str,
        work: Callable[[Progress], T],
        done: Callable[[T], object] | None = None,
        failed: Callable[[Exception], object] | None = None,
        cancelled: Callable[[], object] | None = None,
        detached: bool = False,
    ) -> None:
        self.title = title
        self.detached = detached
        self.opens = ""
        self._over = threading.Event()
        self.state = JobState.WAITING
        self.fraction = 0.0
        self.text = ""
        self.result: T | None = None
        self.error: Exception | None = None
        self._work, self._done, self._failed, self._cancelled = work, done, failed, cancelled
        self._progress = Progress(self._note)

    def cancel(self) -> None:
        """Ask the work to stop at its next report."""
        self._progress.cancel()

    @property
    def finished(self) -> bool:
        """Whether it has come to its end, whichever."""
        return self.state not in (JobState.WAITING, JobState.RUNNING)

    def execute(self) -> None:
        """Do the work; on the worker's thread. Never raises."""
        self.state = JobState.RUNNING
        try:
            self._progress.report(0.0)
            with running(self._progress):
                self.result = self._work(self._progress)
        except Cancelled:
            self.state = JobState.CANCELLED
        except Exception as error:
            self.error = error
            self.state = JobState.FAILED
        else:
            self.state = JobState.CANCELLED if self.detached and self._progress.cancelled else JobState.DONE
        finally:
            self._over.set()

    def wait(self, seconds: float) -> bool:
        """Wait for the work to end, so long at most; whether it has."""
        return self._over.wait(seconds)

    def deliver(self) -> bool:
        """Hand over the outcome; on the window's thread. False where nobody took the error."""
        if self.state is JobState.DONE and self._done is not None:
            self._done(self.result)  # type: ignore[arg-type]
        elif self.state is JobState.CANCELLED and self._cancelled is not None:
            self._cancelled()
        elif self.state is JobState.FAILED and self.error is not None:
            if self._failed is None:
                return False
            self._failed(self.error)
        return True

    def _note(self, fraction: float, text: str) -> None:
        self.fraction, self.text = fraction, text


class Runner(Protocol):
    """Runs `work` on a worker thread, then `then` on the window's thread."""

    def __call__(self, work: Callable[[], None], then: Callable[[], None]) -> None: ...


def run_at_once(work: Callable[[], None], then: Callable[[], None]) -> None:
    """The runner of tests and scripts: everything on the caller's thread."""
    work()
    then()


class Jobs:
    """The jobs of a session.

    Attributes
    ----------
    changed : a job has started or ended; while jobs run, the window reads their fractions by a timer
    failed : a job whose error nobody took
    """

    def __init__(self, runner: Runner = run_at_once) -> None:
        self.runner: Runner = runner
        self._running: list[Job[Any]] = []
        self.changed: Event[None] = Event()
        self.failed: Event[Job[Any]] = Event()

    @property
    def running(self) -> tuple[Job[Any], ...]:
        """Jobs that have not ended, oldest first."""
        return tuple(self._running)

    def start(self, job: Job[T], grace: float = 0.0) -> Job[T]:
        """Run a job; returns it.

        Parameters
        ----------
        grace : seconds to wait for its end, so that short work is delivered before this returns
        """
        self._running.append(job)
        self.runner(job.execute, lambda: self._end(job))
        if grace > 0.0 and not job.finished:
            job.wait(grace)
        if grace > 0.0 and job.finished:
            self._end(job)
        else:
            self.changed.emit(None)
        return job

    def cancel(self, job: Job[Any]) -> None:
        """Ask a job to stop; one that is detached is over with that."""
        job.cancel()
        if job.detached and job in self._running:
            job.state = JobState.CANCELLED
            self._end(job)

    def run(
        self,
        title: str,
        work: Callable[[Progress], T],
        done: Callable[[T], object] | None = None,
        failed: Callable[[Exception], object] | None = None,
        cancelled: Callable[[], object] | None = None,
        opens: str = "",
    ) -> Job[T]:
        """Make a job and start it; `opens` is what it makes the document of, for who waits for that."""
        job = Job(title, work, done, failed, cancelled)
        job.opens = opens
        return self.start(job)

    @property
    def opening(self) -> str:
        """What is being opened as the document, or nothing."""
        return next((job.opens for job in self._running if job.opens), "")

    def cancel_all(self) -> None:
        """Ask every job to stop."""
        for job in self.running:
            self.cancel(job)

    def _end(self, job: Job[Any]) -> None:
        if job not in self._running:  # delivered already
            return
        self._running.remove(job)
        try:
            if not job.deliver():
                expected = isinstance(job.error, AnimError)  # says itself what is wrong: no fault of ours
                logger.log(
                    logging.INFO if expected else logging.ERROR,
                    "%s failed: %s", job.title, job.error, exc_info=None if expected else job.error,
                )  # fmt: skip
                self.failed.emit(job)
        finally:
            self.changed.emit(None)

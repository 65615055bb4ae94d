"""Jobs: outcomes reach the right hands."""

import pytest

from core.errors import FormatError
from core.progress import Progress
from editor.model.jobs import Job, Jobs, JobState


def test_job_delivers_its_result_and_leaves_the_list() -> None:
    jobs, got = Jobs(), []
    job = jobs.run("add", lambda progress: 1 + 1, got.append)
    assert got == [2] and job.state is JobState.DONE and jobs.running == ()


def test_job_that_nobody_watches_tells_of_its_failure() -> None:
    jobs, failed, taken = Jobs(), [], []
    jobs.failed.connect(failed.append)

    def work(progress: Progress) -> None:
        raise FormatError("a.glb", "", "broken")

    jobs.run("read", work)
    jobs.run("read", work, failed=taken.append)
    assert len(failed) == 1 and isinstance(taken[0], FormatError)


def test_job_cancelled_before_it_runs_does_nothing() -> None:
    jobs, later, ran, told = Jobs(lambda work, then: later.append((work, then))), [], [], []
    job = jobs.run("x", lambda progress: ran.append(1), ran.append, cancelled=lambda: told.append(1))
    assert jobs.running == (job,) and not job.finished
    jobs.cancel_all()
    for work, then in later:
        work()
        then()
    assert ran == [] and told == [1] and job.state is JobState.CANCELLED


def test_job_reports_its_progress() -> None:
    job = Job("x", lambda progress: progress.part(0.5, 1.0).report(0.5, "half"))
    job.execute()
    assert (job.fraction, job.text) == (0.75, "half")


def test_listener_that_fails_does_not_keep_the_job_in_the_list() -> None:
    jobs = Jobs()

    def bad(result: int) -> None:
        raise RuntimeError("no")

    with pytest.raises(RuntimeError):
        jobs.run("x", lambda progress: 1, bad)
    assert jobs.running == ()

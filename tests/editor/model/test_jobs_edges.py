"""Jobs and edits beside the window at their edges: states, who is told and how often, and what is raised."""

import logging
from dataclasses import replace

import numpy as np
import pytest

from core.clips.clip import Channel, Property
from core.errors import AnimError, Cancelled, ValidationError
from core.io import ImportReport, Loaded
from core.progress import Progress
from core.project.project import Project
from core.tracks.keys import scalar_track
from editor.model.commands import ViewState
from editor.model.edit_jobs import GRACE, Made
from editor.model.jobs import Job, Jobs, JobState, run_at_once
from editor.model.messages import Level
from editor.model.read_ahead import ReadAhead
from editor.model.session import Session
from tests.editor.panel_stage import small_session


class Later:
    """A runner that works, and tells, when it is told to."""

    def __init__(self) -> None:
        self.waiting: list = []

    def __call__(self, work, then) -> None:
        self.waiting.append((work, then))

    def work(self) -> None:
        for work, _ in self.waiting:
            work()

    def tell(self) -> None:
        waiting, self.waiting = self.waiting, []
        for _, then in waiting:
            then()


def failing(error: Exception):
    def work(progress: Progress) -> None:
        raise error

    return work


# ---------------------------------------------------------------- one job
def test_a_new_job_waits() -> None:
    job = Job("x", lambda progress: 1)
    assert (job.state, job.finished, job.fraction, job.text, job.opens) == (
        JobState.WAITING,
        False,
        0.0,
        "",
        "",
    )
    assert job.result is None and job.error is None and not job.detached and not job.wait(0.0)
    job.execute()
    assert job.finished and job.wait(0.0) and job.result == 1


@pytest.mark.parametrize(
    ("error", "state"),
    [(Cancelled(), JobState.CANCELLED), (AnimError("no"), JobState.FAILED), (KeyError("x"), JobState.FAILED)],
)  # fmt: skip
def test_a_job_ends_by_what_its_work_raises(error: Exception, state: JobState) -> None:
    job = Job("x", failing(error))
    job.execute()
    assert job.state is state and job.finished and job.wait(0.0)
    assert job.error is (error if state is JobState.FAILED else None)


@pytest.mark.parametrize(("detached", "state"), [(True, JobState.CANCELLED), (False, JobState.DONE)])
def test_a_cancel_that_comes_too_late_counts_where_nobody_waits(detached: bool, state: JobState) -> None:
    made: list[Job] = []

    def work(progress: Progress) -> int:
        made[0].cancel()
        return 1

    made.append(Job("x", work, detached=detached))
    made[0].execute()
    assert made[0].state is state


@pytest.mark.parametrize(
    ("state", "called", "taken"),
    [
        (JobState.DONE, ["done"], True),
        (JobState.CANCELLED, ["cancelled"], True),
        (JobState.FAILED, ["failed"], True),
        (JobState.WAITING, [], True),
    ],
)
def test_an_outcome_is_handed_to_who_asked_for_it(state: JobState, called: list[str], taken: bool) -> None:
    heard: list[str] = []
    job = Job(
        "x",
        lambda progress: 1,
        lambda result: heard.append("done"),
        lambda error: heard.append("failed"),
        lambda: heard.append("cancelled"),
    )
    job.state, job.error = state, AnimError("no")
    assert job.deliver() is taken and heard == called
    bare = Job("x", lambda progress: 1)
    bare.state, bare.error = state, AnimError("no")
    assert bare.deliver() is (state is not JobState.FAILED)


# ---------------------------------------------------------------- jobs of a session
def test_starting_and_ending_are_told_each() -> None:
    later = Later()
    jobs, heard = Jobs(later), []
    jobs.changed.connect(lambda _: heard.append(len(jobs.running)))
    first = jobs.run("a", lambda progress: 1)
    second = jobs.run("b", lambda progress: 2, opens="b.glb")
    assert heard == [1, 2] and jobs.running == (first, second) and jobs.opening == "b.glb"
    later.work()
    later.tell()
    assert heard == [1, 2, 1, 0] and jobs.running == () and jobs.opening == ""


@pytest.mark.parametrize("works", [True, False])
def test_short_work_is_delivered_before_start_returns(works: bool) -> None:
    later, got, heard = Later(), [], []
    jobs = Jobs(lambda work, then: (work() if works else None, later(work, then)))
    jobs.changed.connect(heard.append)
    job = Job("x", lambda progress: 1, got.append)
    jobs.start(job, grace=0.001)
    assert got == ([1] if works else []) and len(heard) == 1
    later.tell()
    assert len(got) == (1 if works else 0) and len(heard) == (1 if works else 2)


def test_without_grace_nothing_is_delivered_early() -> None:
    later, got = Later(), []
    jobs = Jobs(lambda work, then: (work(), later(work, then)))
    jobs.start(Job("x", lambda progress: 1, got.append))
    assert got == []
    later.tell()
    assert got == [1]


@pytest.mark.parametrize(
    ("error", "level", "traced"),
    [(AnimError("no"), logging.INFO, False), (KeyError("x"), logging.ERROR, True)],
)
def test_errors_nobody_takes_are_logged_by_whose_fault_they_are(
    caplog: pytest.LogCaptureFixture, error: Exception, level: int, traced: bool
) -> None:
    caplog.set_level(logging.INFO)
    jobs, failed = Jobs(), []
    jobs.failed.connect(failed.append)
    job = jobs.run("read", failing(error))
    (line,) = caplog.records
    assert (line.levelno, line.getMessage()) == (level, f"read failed: {error}")
    assert bool(line.exc_info) is traced and failed == [job]


def test_a_detached_job_is_over_with_its_cancel_and_another_when_it_stops() -> None:
    for detached in (True, False):
        later, told = Later(), []
        jobs = Jobs(later)
        job = Job(
            "x",
            lambda progress: 1,
            told.append,
            cancelled=lambda told=told: told.append("over"),
            detached=detached,
        )
        jobs.start(job)
        jobs.cancel_all()
        assert (jobs.running == ()) is detached and told == (["over"] if detached else [])
        later.work()
        later.tell()
        assert told == ["over"] and jobs.running == ()
        jobs.cancel(job)
        assert told == ["over"]


def test_the_runner_of_scripts_works_and_then_tells() -> None:
    order: list[str] = []
    run_at_once(lambda: order.append("work"), lambda: order.append("then"))
    assert order == ["work", "then"]


# ---------------------------------------------------------------- edits
@pytest.fixture
def session() -> Session:
    made = small_session(mesh=False)
    yield made
    made.jobs.runner = run_at_once
    made.close()


def renamed(session: Session, name: str, **made: object):
    clip = replace(session.clip, name=name)
    return lambda progress: Made(f"Call it {name}", (clip,), **made)


def test_an_edit_is_one_step_that_shows_its_view_and_says_its_note(session: Session) -> None:
    done: list[bool] = []
    view = replace(session.view(), time=1.5)
    work = renamed(session, "walk", view_after=view, note="careful", advice="look")
    assert session.edit_jobs.grace == GRACE and not session.edit_jobs.busy
    assert session.edit_jobs.run("Rename", work, done.append) and done == [True]
    assert session.history.labels == ("Call it walk",) and session.playback.time == 1.5
    latest = session.messages.latest
    assert (latest.level, latest.text, latest.next_step) == (Level.WARNING, "careful", "look")


def test_an_edit_that_makes_nothing_is_no_step_and_its_note_is_no_warning(session: Session) -> None:
    done: list[bool] = []
    assert not session.edit_jobs.run(
        "Nothing", lambda progress: Made("x", (), None, "nothing to do"), done.append
    )
    assert done == [False] and session.history.labels == ()
    assert (session.messages.latest.level, session.messages.latest.text) == (Level.INFO, "nothing to do")
    assert not session.edit_jobs.run("Same", lambda progress: Made("same", (session.clip,)), done.append)
    assert done == [False, False] and session.history.labels == ()


def test_an_edit_that_only_removes_is_a_step(session: Session) -> None:
    clip = session.clip.id
    assert session.edit_jobs.run(
        "Gone", lambda progress: Made("Gone", (), ViewState(session.rig.id), gone=(clip,))
    )
    assert session.document.project.clips == () and session.history.labels == ("Gone",)


def test_an_edit_that_was_dropped_tells_so_once(session: Session) -> None:
    later = session.jobs.runner = Later()
    session.edit_jobs.grace = 0.0
    dropped: list[int] = []
    assert not session.edit_jobs.run("Rename", renamed(session, "walk"), None, lambda: dropped.append(1))
    assert session.edit_jobs.busy
    session.edits.set_settings("other", {"n": 1})
    later.work()
    later.tell()
    latest = session.messages.latest
    assert (latest.level, latest.next_step) == (Level.WARNING, "Try again") and dropped == [1]
    assert latest.text == "“Call it walk” was not applied: the document has changed in the meantime"
    assert session.clip.name == "swing" and not session.edit_jobs.busy


@pytest.mark.parametrize("early", [True, False])
def test_a_failure_is_raised_where_it_is_waited_for_and_told_later(session: Session, early: bool) -> None:
    dropped: list[int] = []

    def run() -> bool:
        return session.edit_jobs.run(
            "Break", failing(ValidationError("no way")), None, lambda: dropped.append(1)
        )

    if early:
        with pytest.raises(ValidationError, match="no way"):
            run()
        assert session.messages.latest is None
    else:
        later = session.jobs.runner = Later()
        session.edit_jobs.grace = 0.0
        assert not run()
        later.work()
        later.tell()
        latest = session.messages.latest
        assert (latest.level, latest.text) == (Level.ERROR, "Break failed: no way")
    assert dropped == [1] and not session.edit_jobs.busy


def test_a_second_edit_is_refused_with_what_is_running(session: Session) -> None:
    later = session.jobs.runner = Later()
    session.edit_jobs.grace = 0.0
    session.edit_jobs.run("Rename", renamed(session, "walk"))
    dropped: list[int] = []
    assert not session.edit_jobs.run("Other", renamed(session, "run"), None, lambda: dropped.append(1))
    latest = session.messages.latest
    assert (latest.level, latest.text) == (Level.WARNING, "“Rename” is still running")
    assert (
        latest.next_step.startswith("Wait for it or cancel it") and len(later.waiting) == 1 and dropped == []
    )
    later.work()
    later.tell()
    assert session.history.labels == ("Call it walk",)


def test_a_cancelled_edit_says_that_nothing_has_changed(session: Session) -> None:
    session.edit_jobs.cancel()
    later = session.jobs.runner = Later()
    session.edit_jobs.grace = 0.0
    dropped: list[int] = []
    session.edit_jobs.run("Rename", renamed(session, "walk"), None, lambda: dropped.append(1))
    session.edit_jobs.cancel()
    assert session.messages.latest.text == "Rename cancelled: nothing has changed" and dropped == [1]
    later.work()
    later.tell()
    assert session.history.labels == () and dropped == [1]


def test_an_edit_that_has_failed_is_not_cancelled(session: Session) -> None:
    later = session.jobs.runner = Later()
    session.edit_jobs.grace = 0.0
    session.edit_jobs.run("Break", failing(ValidationError("no way")))
    later.work()
    session.edit_jobs.cancel()
    later.tell()
    assert session.messages.latest.text == "Break failed: no way"


def test_equal_times_of_new_tracks_become_one_array(session: Session) -> None:
    channels = [Channel("head", Property.ROTATE, axis) for axis in range(2)]
    tracks = {channel: scalar_track(np.array([0.0, 0.5, 1.0]), [0.0, 1.0, 0.0]) for channel in channels}
    clip = session.clip.with_tracks(tracks)
    session.edit_jobs.run("Keys", lambda progress: Made("Keys", (clip, replace(session.rig, name="person"))))
    first, second = (session.clip.tracks[channel].times for channel in channels)
    assert first is second and session.rig.name == "person"


# ---------------------------------------------------------------- reading ahead
def test_what_was_read_ahead_is_handed_over_or_raised() -> None:
    found = Loaded(Project(), ImportReport("x"))
    assert ReadAhead(lambda progress: found).loaded(Progress()) is found
    with pytest.raises(AnimError, match="broken"):
        ReadAhead(failing(AnimError("broken"))).loaded(Progress())


def test_reading_that_gave_nothing_counts_as_cancelled() -> None:
    with pytest.raises(Cancelled):
        ReadAhead(lambda progress: None).loaded(Progress())

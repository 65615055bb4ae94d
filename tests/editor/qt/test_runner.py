import logging
import threading
import time

from PySide6.QtWidgets import QApplication

from core.errors import Cancelled
from editor.model.jobs import Jobs
from editor.qt.runner import JobRunner
from editor.qt.stall import StallLogger


def wait(condition, seconds=5.0):
    until = time.monotonic() + seconds
    while not condition() and time.monotonic() < until:
        QApplication.processEvents()
    assert condition()


def test_job_works_on_another_thread_and_is_delivered_on_this_one(qapp):
    runner = JobRunner()
    jobs = Jobs(runner)
    threads = {}

    def work(progress):
        threads["work"] = threading.get_ident()
        progress.report(0.5, "half")
        return 42

    job = jobs.run("count", work, lambda result: threads.update(done=threading.get_ident(), result=result))
    wait(lambda: job.finished and not jobs.running)
    assert threads["result"] == 42
    assert threads["done"] == threading.get_ident() != threads["work"]
    runner.close()


def test_job_cancelled_stops_at_its_next_report(qapp):
    runner = JobRunner()
    jobs = Jobs(runner)
    go, outcome = threading.Event(), []

    def work(progress):
        go.wait(5.0)
        progress.report(0.1)

    job = jobs.run("long", work, outcome.append, cancelled=lambda: outcome.append("cancelled"))
    job.cancel()
    go.set()
    wait(lambda: not jobs.running)
    assert outcome == ["cancelled"]
    assert Cancelled is not None
    runner.close()


def test_job_that_fails_hands_over_its_error(qapp):
    runner = JobRunner()
    jobs = Jobs(runner)
    errors = []
    jobs.run("bad", lambda progress: 1 / 0, failed=errors.append)
    wait(lambda: bool(errors))
    assert isinstance(errors[0], ZeroDivisionError)
    runner.close()


def test_stall_over_the_limit_is_logged_with_where_it_hangs(qapp, caplog):
    watcher = StallLogger(limit=0.02)

    def slow_place():
        until = time.monotonic() + 5.0
        while not caplog.records and time.monotonic() < until:
            pass

    with caplog.at_level(logging.WARNING, "editor.qt.stall"):
        QApplication.processEvents()
        slow_place()
    watcher.close()
    assert "slow_place" in caplog.text

import logging
import threading
import time
import traceback
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from core.errors import Cancelled
from editor.model.jobs import Jobs
from editor.qt.runner import JobRunner
from editor.qt.stall import StallLogger


def wait(condition, seconds=400.0):
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
        go.wait(400.0)
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
        until = time.monotonic() + 1.0
        while not caplog.records and time.monotonic() < until:
            pass

    with caplog.at_level(logging.WARNING, "editor.qt.stall"):
        until = time.monotonic() + 400.0
        while "slow_place" not in caplog.text and time.monotonic() < until:
            caplog.clear()  # a busy machine stalls elsewhere, too
            QApplication.processEvents()
            slow_place()
    watcher.close()
    assert "slow_place" in caplog.text


class _Witness:
    """Says in which thread it ends, as a dialog would if Qt let it."""

    def __init__(self, ends: list[int]) -> None:
        self.ends = ends

    def __del__(self) -> None:
        self.ends.append(threading.get_ident())


def test_what_a_work_holds_last_ends_on_the_windows_thread(qapp):
    runner = JobRunner()
    ends: list[int] = []
    # The worker dawdles after it has said that it is done: all is delivered here meanwhile.
    runner._messenger.finished.connect(lambda number: time.sleep(0.05), Qt.ConnectionType.DirectConnection)
    for _ in range(4):
        runner(partial(lambda held: None, _Witness(ends)), lambda: None)
    wait(lambda: len(ends) == 4)
    assert set(ends) == {threading.get_ident()}
    runner.close()


def test_what_a_stalled_function_holds_ends_on_the_windows_thread(qapp, monkeypatch):
    ends: list[int] = []
    plain = traceback.format_stack
    looked = threading.Event()

    def slow(frame):
        looked.set()
        time.sleep(0.2)  # reading source files, on a busy machine
        return plain(frame)

    def stalled():
        local = _Witness(ends)
        assert looked.wait(400.0)
        return local.ends

    monkeypatch.setattr(traceback, "format_stack", slow)
    logger = StallLogger(limit=0.02)
    stalled()
    wait(lambda: bool(ends))
    assert ends == [threading.get_ident()]
    logger.close()

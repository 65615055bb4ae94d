"""The plugin that delays work in the background."""

import threading

from editor.qt.runner import JobRunner
from tests import late
from tests.editor.qt.test_runner import wait


def test_work_waits_before_and_after_in_its_own_thread_and_is_delivered_here(qapp):
    seen = []

    def waited(seconds):
        seen.append((seconds, threading.current_thread() is threading.main_thread()))

    runner, run = JobRunner(), late.late(JobRunner.__call__, waited)
    run(runner, lambda: seen.append("work"), lambda: seen.append("delivered"))
    wait(lambda: "delivered" in seen)
    runner.close()
    (before, here), work, (after, there), delivered = seen
    assert (work, delivered) == ("work", "delivered") and not here and not there
    assert before in late.BEFORE and after in late.AFTER


def test_plugin_delays_every_runner_of_the_process_until_pytest_ends():
    ends, plain = [], JobRunner.__call__
    config = type("Config", (), {"add_cleanup": staticmethod(ends.append)})
    late.pytest_configure(config)
    try:
        assert JobRunner.__call__ is not plain
    finally:
        for end in ends:
            end()
    assert JobRunner.__call__ is plain

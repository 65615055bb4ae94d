"""What a cycle keeps alive is destroyed on the window's thread, whichever thread makes garbage."""

import gc
import os
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication

from core.garbage import uncollected
from editor.model import heap
from editor.qt import collector as collecting
from editor.qt.collector import Collector


class InCycle:
    """Refers to itself, as widgets and their slots do, and notes the thread that ends it."""

    def __init__(self, ended: list[int]) -> None:
        self.myself, self.ended = self, ended

    def __del__(self) -> None:
        self.ended.append(threading.get_ident())


def work(made: list[object]) -> None:
    """Makes as many objects as let the collector fall due many times, as a job does."""
    made.extend([[]] for _ in range(50_000))


@pytest.fixture
def collector(qapp: QApplication) -> Iterator[Collector]:
    made = Collector(qapp)
    yield made
    made.close()
    made.setParent(QObject())


def in_a_thread() -> list[object]:
    made: list[object] = []
    thread = threading.Thread(target=work, args=(made,))
    thread.start()
    thread.join()
    return made


def test_python_alone_ends_a_cycle_in_the_thread_of_a_job(qapp: QApplication) -> None:
    # The danger itself, without Qt objects: were it gone, so could the collector be.
    gc.collect()
    ended: list[int] = []
    InCycle(ended)
    in_a_thread()
    assert ended and ended[0] != threading.get_ident()


def test_with_the_collector_a_cycle_ends_on_the_windows_thread(qtbot, collector: Collector) -> None:
    ended: list[int] = []
    InCycle(ended)
    made = in_a_thread()
    assert made and not ended
    qtbot.waitUntil(lambda: bool(ended), timeout=60_000)
    assert ended == [threading.get_ident()]


def test_closing_hands_it_back_to_python(qapp: QApplication) -> None:
    made = Collector(qapp)
    assert not gc.isenabled()
    made.close()
    assert gc.isenabled()


def test_nothing_is_collected_while_a_document_is_written_down(collector: Collector) -> None:
    ended: list[int] = []
    made: list[object] = []
    with uncollected():
        InCycle(ended)
        work(made)
        collector.look()
        assert not ended
    assert not gc.isenabled(), "collecting is the collector's business then, too"
    work(made)
    for _ in range(20):
        collector.look()
        gc.collect(1)
    assert ended == [threading.get_ident()]


def test_collector_that_begins_while_a_document_is_written_stays_the_only_one(qapp: QApplication) -> None:
    assert gc.isenabled()
    with uncollected():
        begun = Collector(qapp)
    try:
        assert not gc.isenabled()
    finally:
        begun.close()
    assert gc.isenabled()


@pytest.mark.skipif(heap.kept() == 0, reason="the C library does not tell what it keeps")
def test_holes_between_what_stays_are_given_back(
    collector: Collector, monkeypatch: pytest.MonkeyPatch
) -> None:
    blocks = [bytearray(40_000) for _ in range(6_000)]
    kept = blocks[::50]
    del blocks
    assert heap.kept() > collecting.MOST_KEPT
    before = resident()
    monkeypatch.setattr(collecting, "TRIM_PAUSE", 0.0)
    collector.look()
    assert before - resident() > 0.8 * collecting.MOST_KEPT
    assert len(kept) == 120


def resident() -> int:
    """Bytes of memory that this process holds."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")

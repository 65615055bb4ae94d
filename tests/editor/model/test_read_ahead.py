"""A document that is read while the window is made: what comes of it, of failures and of cancelling."""

import threading

import pytest

import core.io
from core.errors import Cancelled, FormatError
from core.progress import Progress
from editor.model.read_ahead import ReadAhead, read_checked
from tests.editor.stage import small_project


@pytest.fixture
def file(tmp_path):
    core.io.save(small_project(), tmp_path / "a.posewright")
    return tmp_path / "a.posewright"


def test_document_is_handed_over_however_early_it_is_asked_for(file):
    go_on = threading.Event()

    def read(progress):
        assert go_on.wait(400.0)
        return read_checked(file, progress)

    ahead = ReadAhead(read)
    told = []

    def hear(fraction, text):
        told.append(text)
        go_on.set()  # it is waited for by now

    assert ahead.loaded(Progress(hear)).project.rigs
    assert told
    assert ahead.loaded(Progress()).project.rigs, "it can be asked for again"


def test_failure_is_told_to_who_asks(tmp_path):
    (tmp_path / "bad.posewright").write_bytes(b"no document")
    ahead = ReadAhead(lambda progress: read_checked(tmp_path / "bad.posewright", progress))
    with pytest.raises(FormatError, match=r"bad\.posewright"):
        ahead.loaded(Progress())


def test_cancelling_who_waits_stops_the_reading():
    stopped = threading.Event()

    def read(progress):
        while not progress.cancelled:
            stopped.wait(0.001)
        stopped.set()
        progress.report(0.0)

    ahead, waiting = ReadAhead(read), Progress()
    waiting.cancel()
    with pytest.raises(Cancelled):
        ahead.loaded(waiting)
    assert stopped.wait(400.0)
    with pytest.raises(Cancelled):
        ahead.loaded(Progress())

import logging
import stat
import sys

import pytest

from editor.model import logs


@pytest.fixture
def started():
    root = logging.getLogger()
    before = root.handlers[:]
    root.handlers.clear()
    made = logs.start()
    yield made
    for handler in root.handlers:
        handler.close()
    root.handlers[:] = before


def test_stall_goes_to_the_file_and_not_to_the_terminal(started, capsys):
    logging.getLogger("editor.qt.stall").warning("the window's thread has not answered")
    logging.getLogger("core.io").warning("something else")
    text = logs.log_file().read_text(encoding="utf-8")
    assert "has not answered" in text and "something else" in text
    assert "has not answered" not in capsys.readouterr().err


def test_other_warnings_reach_the_terminal_too(capsys, monkeypatch):
    root = logging.getLogger()
    before = root.handlers[:]
    root.handlers.clear()
    try:
        logs.start()
        logging.getLogger("core.io").warning("something else")
        assert "something else" in capsys.readouterr().err
    finally:
        for handler in root.handlers:
            handler.close()
        root.handlers[:] = before


@pytest.mark.skipif(sys.platform == "win32", reason="no modes there")
def test_log_folder_is_the_users_own(started):
    assert stat.S_IMODE(logs.log_file().parent.stat().st_mode) == 0o700


def test_log_file_that_cannot_be_made_leaves_the_terminal_alone(own_directories, capsys):
    (own_directories / "data").mkdir(parents=True)
    (own_directories / "data" / "logs").write_text("in the way")
    root = logging.getLogger()
    before = root.handlers[:]
    root.handlers.clear()
    try:
        assert logs.start() is None
        logging.getLogger("editor.qt.stall").warning("the window's thread has not answered")
    finally:
        root.handlers[:] = before
    said = capsys.readouterr().err
    assert "there will be no log file" in said and "has not answered" not in said

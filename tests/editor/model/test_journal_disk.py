"""A journal on a disk that is full, gone, slow or of another owner."""

import gc
import itertools
import os
from pathlib import Path

import pytest

from core.arrays import same_value
from core.project.project import Project
from editor.model import journal as journals
from editor.model import recovery
from editor.model.codec import encode
from editor.model.commands import ViewState
from editor.model.file_state import copy_with_digest
from editor.model.history import StepKind
from editor.model.journal import Journal
from editor.model.journal_lock import lock_path
from editor.model.session import Session
from tests.editor.model.journals import crashed, put_value
from tests.editor.rigs import small_project


def test_steps_are_forced_to_the_disk_while_more_keep_coming(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the clock of a burst: what is written is synchronised every 50 ms, not only when all is quiet."""

    synced: list[float] = []
    now = [0.0]

    def ticking() -> float:
        now[0] += 0.01  # each look at the clock is ten milliseconds later
        return now[0]

    monkeypatch.setattr(os, "fdatasync", lambda fd: synced.append(now[0]))
    journal = Journal(tmp_path / "journal")
    project = small_project()
    with journal._lock:  # all wait in the queue before the first is written
        monkeypatch.setattr(journals.time, "monotonic", ticking)
        journal._idle.clear()
    journal.begin(project, None, on_disk=False)
    for number in range(60):
        journal.record(StepKind.DO, str(number), ViewState(), project, Project(project.assets, {"n": number}))
    journal._drain()
    assert len(synced) > 5 and max(b - a for a, b in itertools.pairwise(synced)) < 0.1
    journal.close()


def test_writing_a_whole_document_sets_no_collection_off(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    collected: list[bool] = []

    def noted(value: object, arrays: list[object]) -> object:
        collected.append(gc.isenabled())
        return encode(value, arrays)

    monkeypatch.setattr(journals, "encode", noted)
    journal = Journal(tmp_path / "journal")
    journal.begin(small_project(), None, on_disk=False)
    journal.flush()
    assert collected == [False], "a million little containers would set it off, with the window held up"
    assert gc.isenabled()
    journal.close()


def test_journal_is_private(tmp_path: Path) -> None:
    path = tmp_path / "a.posewright"
    old = crashed(tmp_path, path)
    assert old.journal.folder.stat().st_mode & 0o777 == 0o700
    files = list(old.journal.folder.iterdir())
    assert {file.suffix for file in files} == {".journal", ".base", ".lock"}
    assert all(file.stat().st_mode & 0o777 == 0o600 for file in files)
    old.journal.close()
    assert not list(old.journal.folder.iterdir())


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such modes")
@pytest.mark.parametrize("bit", [0o040, 0o020, 0o010, 0o004, 0o002, 0o001])
def test_a_folder_that_others_may_use_becomes_private(tmp_path: Path, bit: int) -> None:
    folder = tmp_path / "journal"
    folder.mkdir()
    folder.chmod(0o700 | bit)
    journal = Journal(folder)
    journal.begin(small_project(), None, on_disk=False)
    journal.flush()
    assert folder.stat().st_mode & 0o777 == 0o700
    journal.close()


def test_a_copy_of_what_is_no_file_is_refused_before_anything_is_made(tmp_path: Path) -> None:
    target = tmp_path / "copy"
    for source in (tmp_path, tmp_path / "nothing"):
        with pytest.raises(OSError, match="no regular file"):
            copy_with_digest(source, target)
        assert not target.exists()


def full_disk(monkeypatch: pytest.MonkeyPatch, after: int) -> list[bool]:
    """From now on writing stops `after` bytes on as on a full disk, as long as the list holds True."""
    import errno

    left, full, real = [after], [True], os.write

    def write(handle: int, data) -> int:
        if not full[0]:
            return real(handle, data)
        if left[0] <= 0:
            raise OSError(errno.ENOSPC, "No space left on device")
        some = bytes(data[: left[0]])
        left[0] -= len(some)
        return real(handle, some)

    monkeypatch.setattr(os, "write", write)
    return full


@pytest.mark.parametrize("room", [0, 25, 400])
def test_journal_on_a_full_disk_says_so_and_begins_anew_when_there_is_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, room: int
) -> None:
    session = Session.create(tmp_path / "config", tmp_path)
    session.document.replace(small_project(), None)
    put_value(session, 1.0)
    session.journal.flush()
    first = session.journal.path
    full = full_disk(monkeypatch, room)
    for value in (2.0, 3.0, 4.0):
        put_value(session, value)
    session.journal.flush()
    session.check_journal()
    assert "No space left" in session.journal_problem
    assert "journal" in session.messages.log[-1].text
    held = recovery.recover(_copied(first, tmp_path / "then.journal"))
    assert held.steps >= 1 and not held.problem  # what was written before is whole, the torn record cut off
    full[0] = False
    session.check_journal()  # what the window's timer does
    session.journal.flush()
    session.check_journal()
    assert session.journal_problem == "" and "again" in session.messages.log[-1].text
    put_value(session, 5.0)
    session.undo()
    session.undo()  # of a step that the journal never held
    session.journal.flush()
    assert len(list(session.journal.folder.glob("*.journal"))) == 1
    lock_path(session.journal.path).write_text("{}")
    found = recovery.recover(session.journal.path)
    assert same_value(found.project, session.document.project) and not found.problem
    session.close()


def _copied(path: Path, to: Path) -> Path:
    to.write_bytes(path.read_bytes())
    return to


def test_journal_whose_folder_was_deleted_begins_anew(tmp_path: Path) -> None:
    import shutil

    session = Session.create(tmp_path / "config", tmp_path)
    session.document.replace(small_project(), None)
    put_value(session, 1.0)
    session.journal.flush()
    shutil.rmtree(session.journal.folder)
    put_value(session, 2.0)
    session.journal.flush()
    session.check_journal()
    assert "deleted" in session.messages.log[-1].text
    session.journal.flush()
    session.check_journal()
    lock_path(session.journal.path).write_text("{}")
    assert same_value(recovery.recover(session.journal.path).project, session.document.project)
    session.close()


def test_recoverable_reads_heads_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from editor.model import journal_file

    old = crashed(tmp_path)
    monkeypatch.setattr(journal_file, "unpack", None)  # whoever took a record apart would fail
    monkeypatch.setattr(journal_file.zlib, "crc32", lambda data, *rest: _short(data, *rest))
    (item,) = recovery.recoverable(old.journal.folder)
    assert (item.steps, item.last) == (6, "value 5.0")
    monkeypatch.undo()
    old.journal.close()


def _short(data, *rest) -> int:
    import binascii

    assert len(data) < 100, "a head, not what a record holds"
    return binascii.crc32(data, *rest)

"""Whose a journal is: taken, released, and swept where its program has ended."""

import ctypes
import os
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from editor.model import file_lock, journal_lock, leftovers, process


def test_lock_of_a_journal_that_cannot_be_made_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(source: object, target: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", refused)
    with pytest.raises(OSError, match="No space"):
        journal_lock.take(tmp_path / "a.journal")
    assert list(tmp_path.iterdir()) == []


def test_journal_is_owned_until_it_is_released(tmp_path: Path) -> None:
    journal = tmp_path / "a.journal"
    assert not journal_lock.owned(journal)
    journal_lock.take(journal)
    assert journal_lock.owned(journal) and journal_lock.lock_path(journal).name == "a.lock"
    assert [file.name for file in tmp_path.iterdir()] == ["a.lock"]
    journal_lock.release(journal)
    journal_lock.release(journal)
    assert not journal_lock.owned(journal)


@pytest.mark.parametrize(
    "owner",
    [None, [], {}, {"pid": os.getpid()}, {"pid": "x", "start": "1"}, {"pid": 1 << 22, "start": ""}],
    ids=["none", "list", "nothing", "no start", "a word", "no such process"],
)
def test_what_names_no_process_runs_nowhere(owner: object) -> None:
    assert not process.runs(owner)
    assert process.runs(process.own()) and process.start_time(0) == process.start_time(-1) == ""


def test_sweep_removes_drafts_of_ended_programs_and_old_ones(tmp_path: Path) -> None:
    here, ended = f".lock.{os.getpid()}.a", f".lock.{1 << 22}.a"
    names = (here, ended, f".lock.{os.getpid()}.old", ".lock.nonsense.a", f".lock.{'9' * 12}.a")
    for name in names:
        (tmp_path / name).write_text("")
    old = time.time() - journal_lock.LONGEST - 5.0
    os.utime(tmp_path / names[2], (old, old))
    journal_lock.sweep(tmp_path)
    assert [file.name for file in tmp_path.iterdir()] == [here]


def test_sweep_removes_locks_that_belong_to_nothing(tmp_path: Path) -> None:
    for name in ("a.journal", "b.base"):
        (tmp_path / name).write_text("")
    for name in "abc":
        (tmp_path / f"{name}.lock").write_text("{}")
    journal_lock.take(tmp_path / "d.journal")
    journal_lock.sweep(tmp_path)
    assert sorted(file.name for file in tmp_path.glob("*.lock")) == ["a.lock", "b.lock", "d.lock"]


def test_windows_is_asked_when_a_process_began_and_whether_it_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple] = []

    class Kernel:
        """What answers for the system; `times` are those of the start and of the end."""

        handle, known, times = 9, True, (1234, 0)

        def OpenProcess(self, *given: object) -> int:
            asked.append(given)
            return self.handle

        def GetProcessTimes(self, handle: int, *places: object) -> bool:
            places[0]._obj.value, places[1]._obj.value = self.times
            return self.known

        def CloseHandle(self, handle: int) -> None:
            asked.append((handle,))

    kernel = Kernel()
    monkeypatch.setattr(ctypes, "windll", SimpleNamespace(kernel32=kernel), raising=False)
    monkeypatch.setattr(sys, "platform", "win32")
    assert process.start_time(7) == "1234" and asked == [(0x1000, False, 7), (9,)]
    kernel.times = (1234, 1)
    assert process.start_time(7) == ""
    kernel.times, kernel.known = (1234, 0), False
    assert process.start_time(7) == "" and len(asked) == 6
    kernel.handle = 0
    assert process.start_time(7) == "" and len(asked) == 7


@pytest.mark.parametrize("length", [90, 150, 230])
def test_lock_of_a_document_with_a_long_name_is_cut(tmp_path: Path, length: int) -> None:
    path = tmp_path / ("n" * length)
    lock = file_lock.take(path)
    (made,) = tmp_path.iterdir()
    assert made.name == f".{'n' * min(length, 200)}.lock" and made == file_lock.lock_of(path)
    lock.release()


def test_lock_is_drafted_under_a_name_that_is_swept_as_a_half_written_document(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drafts: list[Path] = []
    monkeypatch.setattr(os, "link", lambda draft, lock: drafts.append(draft))
    file_lock.take(tmp_path / ("n" * 150))
    found = leftovers.PART.fullmatch(drafts[0].name)
    assert found is not None and found[1] == "n" * 100

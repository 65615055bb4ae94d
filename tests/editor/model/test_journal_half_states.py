"""The journal's folder as it is at every moment at which its program may end: nothing stays, nothing is lost."""

import os
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

import core.io
from core.arrays import same_value
from core.project.project import Project
from editor.model import journal_lock, process, recovery
from editor.model.commands import ViewState
from editor.model.history import StepKind
from editor.model.journal import Journal
from tests.editor.rigs import small_project

NOBODY = {"pid": 1 << 22, "start": "1"}
"""A process that cannot run: Linux counts to one less."""
CHANGES = (
    "open",
    "write",
    "fdopen",
    "fsync",
    "fdatasync",
    "ftruncate",
    "unlink",
    "replace",
    "rename",
    "link",
    "mkdir",
)


class Moments:
    """Copies of a folder before each call of the system that changes it, and after the first half of each write."""

    def __init__(self, folder: Path, into: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self._folder, self._into = folder, into
        self.taken: list[tuple[str, Path, str]] = []
        self.doing = ""
        self._copying = False
        monkeypatch.setattr(process, "own", lambda: dict(NOBODY))
        for name in CHANGES:
            monkeypatch.setattr(os, name, self._watched(name, getattr(os, name)))

    def _watched(self, name: str, call: Callable) -> Callable:
        def first(*given, **named):
            if self._copying:
                return call(*given, **named)
            self._copy(name)
            if name == "write" and len(given[1]) > 1:
                half = call(given[0], memoryview(given[1])[: len(given[1]) // 2])
                self._copy("half a write")
                return half  # the journal writes the rest
            return call(*given, **named)

        return first

    def _copy(self, before: str) -> None:
        self._copying = True
        target = self._into / str(len(self.taken))
        if self._folder.exists():
            shutil.copytree(self._folder, target)
        else:
            target.mkdir(parents=True)
        self.taken.append((before, target, self.doing))
        self._copying = False


def longer(project: Project, seconds: float) -> Project:
    """The document with another length of its clip."""
    return project.with_assets(replace(project.clips[0], length=seconds))


def test_whenever_its_program_ends_a_journal_is_recovered_or_swept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, document = tmp_path / "journal", tmp_path / "walk.posewright"
    first = small_project(mesh=False)
    states = [first]
    core.io.save(first, document)
    with monkeypatch.context() as patches:
        moments = Moments(folder, tmp_path / "moments", patches)
        journal = Journal(folder)

        def step(after: Project) -> None:
            journal.record(StepKind.DO, "step", ViewState(), states[-1], after)
            assert journal.flush()
            states.append(after)

        moments.doing = "begin"
        journal.begin(first, document, on_disk=True)
        assert journal.flush()
        moments.doing = "step 1"
        step(longer(first, 3.0))
        moments.doing = "step 2"
        step(longer(first, 4.0))
        moments.doing = "save"
        journal.saved(document, states[-1], states[-1])  # whatever the file holds: it is what was saved
        assert journal.flush()
        moments.doing = "step 3"
        step(longer(first, 5.0))
        moments.doing = "close"
        journal.close()
    assert len(moments.taken) > 30, "the patches are not where the journal writes"
    seen: set[str] = set()
    for before, copy, doing in moments.taken:
        found = recovery.recoverable(copy)
        left = {path.name for path in copy.iterdir()}
        mine = {item.journal.stem for item in found}
        assert all(name.partition(".")[0] in mine for name in left), f"{doing}, before {before}: {left}"
        assert len(found) <= 1, f"{doing}, before {before}"
        seen.add(f"{doing}: {len(found)}")
        for item in found:
            last = recovery.recover(item.journal).project
            known = [n for n, state in enumerate(states) if same_value(last.clips[0], state.clips[0])]
            assert known, f"{doing}, before {before}"
            if doing == "step 2":
                assert known[0] in (1, 2)
            recovery.discard(item.journal)
        assert not list(copy.iterdir()), f"{doing}, before {before}"
    assert {"begin: 0", "step 2: 1", "save: 1", "step 3: 1", "close: 0"} <= seen


def test_lock_in_the_making_of_a_running_program_stays(tmp_path: Path) -> None:
    draft = tmp_path / f"{journal_lock.WRITING}{os.getpid()}.abc"
    draft.write_bytes(b"{")
    lock = tmp_path / "a.lock"
    journal_lock.take(tmp_path / "a.journal")
    assert recovery.recoverable(tmp_path) == []
    assert draft.exists() and lock.exists(), "both belong to a program that runs"
    os.utime(draft, (0, 0))
    journal_lock.sweep(tmp_path)
    assert not draft.exists() and lock.exists(), "nobody writes a lock for ten seconds"


def test_damaged_lock_is_nobodys(tmp_path: Path) -> None:
    for text in (b"", b"{", b"[]", b'{"pid": "x"}', b"\xff", b"[" * 100_000):
        (tmp_path / "a.lock").write_bytes(text)
        assert not journal_lock.owned(tmp_path / "a.journal")

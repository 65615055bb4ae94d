"""Files that fail: a full disk, read-only, deleted, replaced, locked, two editors. Each for real, and what is said.

A full disk is a file system of a megabyte in memory where this user may mount one, else a limit on the size of files.
"""

import os
import resource
import shutil
import signal
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

import core.io
from core.arrays import same_value
from editor.model import recovery
from editor.model.file_lock import lock_of
from editor.model.journal_lock import lock_path
from editor.model.session import Session
from tests.editor.model.test_two_editors import change_outside, others_lock
from tests.editor.rigs import small_project
from tests.temporary import own_folder


@dataclass
class Fault:
    """One case: what was done, what the user saw, and whether nothing was lost."""

    what: str
    saw: str
    sound: bool


@dataclass
class Faults:
    """All cases."""

    cases: list[Fault] = field(default_factory=list)

    @property
    def problems(self) -> list[str]:
        return [case.what for case in self.cases if not case.sound]

    def rows(self) -> list[tuple[str, str]]:
        """For the table of the closing note."""
        return [(c.what, c.saw if c.sound else f"NOT SOUND: {c.saw}") for c in self.cases]


class Bench:
    """A saved document that is open, in a folder of its own."""

    def __init__(self, folder: Path, data: Path | None = None) -> None:
        self.folder, self.path = folder, folder / "walk.posewright"
        self.session = Session.create(folder / "config", data or folder / "data")
        self.session.document.replace(small_project(), None)
        self.session.playback.set_clip(self.session.document.project.clips[0].id)
        self.session.files.save(self.path)
        self.before = self.path.read_bytes()
        self.seen = len(self.session.messages.log)

    def edit(self, length: float = 3.0) -> None:
        """One step."""
        clip = self.session.document.project.clips[0]
        self.session.edits.put("Length", replace(clip, length=length))

    def said(self) -> str:
        """What the user has been told since the start."""
        self.session.journal.flush()
        self.session.check_journal()
        parts = [
            f"{m.text}" + (f" ({m.next_step})" if m.next_step else "") for m in self.session.messages.log
        ]
        return " · ".join(dict.fromkeys(text.replace(str(self.folder), "…") for text in parts[self.seen :]))

    def recovers(self) -> bool:
        """Whether the journal gives the state that is shown."""
        self.session.journal.flush()
        path = self.session.journal.path
        if path is None:
            return False
        for name in (path, path.with_suffix(".base")):
            if name.exists():
                shutil.copy(name, self.folder / f"copy{name.suffix}")
        found = recovery.recover(self.folder / "copy.journal")
        lock_path(self.folder / "copy.journal").unlink()
        return same_value(dict(found.project.assets), dict(self.session.document.project.assets))

    def holds(self, length: float) -> bool:
        """Whether the file has this state."""
        return core.io.load(self.path).project.clips[0].length == length


def run() -> Faults:
    """Every case once."""
    told = Faults()
    for what, case in CASES.items():
        folder = own_folder("fault")
        try:
            saw, sound = case(folder)
        except Exception as error:
            saw, sound = f"{type(error).__name__}: {error}", False
        finally:
            shutil.rmtree(folder, ignore_errors=True)
        told.cases.append(Fault(what, saw or "nothing: all is well", sound))
    return told


# ---------------------------------------------------------------- cases
def _full_for_saving(folder: Path) -> tuple[str, bool]:
    with _small_disk(folder) as small:
        bench = Bench(small, folder / "data")
        bench.edit()
        with _filled(small):
            bench.session.files.save()
            kept = bench.path.read_bytes() == bench.before and bench.session.document.dirty
            parts = list(small.glob(".*.part"))
        bench.session.files.save()
        saw, sound = bench.said(), kept and not parts and bench.holds(3.0)
        bench.session.close()
    return saw, sound


def _full_for_the_journal(folder: Path) -> tuple[str, bool]:
    with _small_disk(folder) as small:
        bench = Bench(folder, small / "data")
        bench.edit(2.5)
        bench.session.journal.flush()
        with _filled(small):
            for number in range(40):
                bench.edit(3.0 + number)
            bench.session.journal.flush()
            bench.session.check_journal()
            noticed = bool(bench.session.journal_problem)
        bench.session.check_journal()
        bench.session.journal.flush()
        saw = bench.said()
        sound = noticed and not bench.session.journal_problem and bench.recovers()
        bench.session.close()
    return saw, sound


def _read_only_file(folder: Path) -> tuple[str, bool]:
    bench = Bench(folder)
    bench.session.files.new()
    real = os.access
    bench.path.chmod(0o444)
    os.access = lambda path, mode: mode != os.W_OK and real(path, mode)  # the superuser may write all
    try:
        bench.session.files.open(bench.path)
        bench.edit()
        refused = not bench.session.files.save()
    finally:
        os.access = real
    saw, sound = bench.said(), refused and bench.path.read_bytes() == bench.before
    bench.session.close()
    return saw, sound


def _deleted(folder: Path) -> tuple[str, bool]:
    bench = Bench(folder)
    bench.path.unlink()
    bench.session.files.look()
    bench.edit()
    kept = bench.recovers()
    bench.session.files.save()
    saw, sound = bench.said(), kept and bench.holds(3.0)
    bench.session.close()
    return saw, sound


def _replaced(folder: Path) -> tuple[str, bool]:
    bench = Bench(folder)
    change_outside(bench.path)
    theirs = bench.path.read_bytes()
    bench.session.files.look()
    bench.edit()
    bench.session.files.save()
    saw, sound = bench.said(), bench.path.read_bytes() == theirs and bench.recovers()
    bench.session.close()
    return saw, sound


def _locked(folder: Path) -> tuple[str, bool]:
    bench = Bench(folder)
    bench.session.files.new()
    others_lock(bench.path)
    bench.session.files.open(bench.path)
    bench.edit()
    refused = not bench.session.files.save()
    saw = bench.said()
    sound = refused and bench.session.document.read_only and bench.path.read_bytes() == bench.before
    bench.session.close()
    return saw, sound and lock_of(bench.path).exists()


def _stale_lock(folder: Path) -> tuple[str, bool]:
    bench = Bench(folder)
    bench.session.files.new()
    others_lock(bench.path, start="long ago")
    bench.session.files.open(bench.path)
    sound = bench.session.document.path == bench.path and not bench.session.document.read_only
    saw = bench.said()
    bench.session.close()
    return saw, sound


def _two_editors(folder: Path) -> tuple[str, bool]:
    bench = Bench(folder)
    other = Session.create(folder / "config2", folder / "data2")
    other.files.open(bench.path)  # same process: the lock is ours, as where none could be made
    other.edits.put("Theirs", replace(other.document.project.clips[0], length=9.0))
    other.files.save()
    bench.edit()
    bench.session.files.save()
    saw, sound = bench.said(), bench.holds(9.0) and bench.recovers() and bench.session.document.dirty
    other.close()
    bench.session.close()
    return saw, sound


def _journal_deleted(folder: Path) -> tuple[str, bool]:
    bench = Bench(folder)
    bench.edit(2.5)
    bench.session.journal.flush()
    shutil.rmtree(folder / "data" / "journal")
    bench.edit(3.0)
    bench.session.journal.flush()
    saw = bench.said()
    bench.session.journal.flush()
    sound = bench.recovers()
    bench.session.close()
    return saw, sound


def _folder_gone(folder: Path) -> tuple[str, bool]:
    place = folder / "share"
    place.mkdir()
    bench = Bench(place, folder / "data")
    shutil.rmtree(place)
    place.write_text("not a folder any more")
    bench.edit()
    bench.session.files.save()
    saw, dirty = bench.said(), bench.session.document.dirty
    place.unlink()
    place.mkdir()
    kept = bench.recovers()
    bench.session.files.save()
    sound = dirty and kept and bench.holds(3.0)
    bench.session.close()
    return saw, sound


def _pipe(folder: Path) -> tuple[str, bool]:
    bench = Bench(folder)
    pipe = folder / "pipe.posewright"
    os.mkfifo(pipe)
    bench.session.files.open(pipe)
    saw, sound = bench.said(), bench.session.document.path == bench.path
    bench.session.close()
    return saw, sound


CASES: dict[str, Callable[[Path], tuple[str, bool]]] = {
    "disk full while saving, then room": _full_for_saving,
    "disk full for the journal, then room": _full_for_the_journal,
    "file read-only": _read_only_file,
    "file deleted while open": _deleted,
    "file replaced while open, then saved": _replaced,
    "file locked by another": _locked,
    "lock of a program that ended": _stale_lock,
    "two editors, no lock between them": _two_editors,
    "journal folder deleted": _journal_deleted,
    "share gone, then back": _folder_gone,
    "a pipe named .posewright": _pipe,
}


# ---------------------------------------------------------------- a full disk
@contextmanager
def _small_disk(folder: Path) -> Iterator[Path]:
    small = folder / "small"
    small.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=1m", "posewright-fault", str(small)]
    mounted = False
    with suppress(OSError):
        mounted = subprocess.run(mount, capture_output=True, check=False).returncode == 0
    try:
        yield small
    finally:
        if mounted:
            subprocess.run(["umount", "-l", str(small)], capture_output=True, check=False)


@contextmanager
def _filled(small: Path) -> Iterator[None]:
    """No room in a folder's file system: it is filled where it is small, else no file may grow."""
    ballast = small / "ballast"
    if os.path.ismount(small):
        with suppress(OSError), ballast.open("wb", buffering=0) as file:
            while file.write(b"x" * 4096) == 4096:
                pass
        with suppress(OSError), ballast.open("ab", buffering=0) as file:
            while file.write(b"x"):
                pass
        try:
            yield
        finally:
            ballast.unlink()
        return
    old = resource.getrlimit(resource.RLIMIT_FSIZE)
    before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (2000, old[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, old)
        signal.signal(signal.SIGXFSZ, before)

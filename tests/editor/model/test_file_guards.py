"""The document's file on the disk, step by step: its lock, what it was, and what a look at it finds."""

import getpass
import json
import os
import socket
import time
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from core.errors import FormatError
from editor.model import disk as disks
from editor.model import file_lock, file_state, process
from editor.model.disk import (
    ChangedOutsideError,
    Disk,
    LockedError,
    Seen,
    read_stable,
    require_regular,
    writable,
)
from editor.model.file_lock import FRESH, RENEW_EVERY, STALE_AFTER, FileLock, Owner, lock_of, stale, take
from editor.model.file_state import TRIES, copy_with_digest, digest, stat_of, state_of


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "walk.posewright"
    path.write_bytes(b"one")
    return path


def another(host: str = "elsewhere", **changes: object) -> Owner:
    own = process.own()
    return replace(Owner(host, "anna", int(own["pid"]), str(own["start"]), 5.0), **changes)


def held_by(path: Path, owner: Owner) -> Path:
    lock = lock_of(path)
    lock.write_text(json.dumps(asdict(owner)))
    return lock


# ---------------------------------------------------------------- locks
@pytest.mark.parametrize(
    ("user", "host", "who"), [("a", "b", "a on b"), ("", "b", "? on b"), ("a", "", "a on ?")]
)
def test_owner_is_named_for_people(user: str, host: str, who: str) -> None:
    assert Owner(host, user, 1, "2", 3.0).who == who


def test_lock_says_who_holds_the_document_and_since_when(path: Path) -> None:
    before = time.time()
    lock = take(path)
    told = json.loads(lock_of(path).read_text())
    assert isinstance(lock, FileLock) and lock.path == path
    assert lock_of(path).name == ".walk.posewright.lock"
    assert (told["host"], told["pid"]) == (socket.gethostname(), os.getpid())
    assert told["start"] == process.start_time(os.getpid()) and before <= told["since"] <= time.time()
    lock.release()
    assert not lock_of(path).exists()


def test_lock_of_an_account_without_a_name_names_none(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown() -> str:
        raise KeyError("no such user")

    monkeypatch.setattr(getpass, "getuser", unknown)
    lock = take(path)
    assert json.loads(lock_of(path).read_text())["user"] == ""
    lock.release()


def test_own_lock_is_taken_again_and_another_s_is_not(path: Path) -> None:
    first = take(path)
    again = take(path)
    assert isinstance(again, FileLock)
    again.release()
    assert not lock_of(path).exists()
    first.release()
    owner = another()
    held_by(path, owner)
    assert take(path) == owner and take(path, over=False) == owner
    assert isinstance(take(path, over=True), FileLock)


@pytest.mark.parametrize("change", [{"host": "elsewhere"}, {"pid": 1 << 22}, {"start": "another"}])
def test_lock_is_our_own_only_where_host_process_and_start_agree(
    path: Path, change: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(file_lock, "stale", lambda owner, lock: False)
    owner = replace(another(socket.gethostname()), **change)
    held_by(path, owner)
    assert take(path) == owner


def test_lock_of_another_is_not_released_nor_renewed(path: Path) -> None:
    lock = take(path)
    owner = another()
    held_by(path, owner)
    assert lock.renew() == owner
    lock.release()
    assert lock_of(path).exists()


@pytest.mark.parametrize(("later", "renewed"), [(RENEW_EVERY, False), (RENEW_EVERY + 1.0, True)])
def test_lock_is_renewed_at_intervals(
    path: Path, monkeypatch: pytest.MonkeyPatch, later: float, renewed: bool
) -> None:
    now = [100.0]
    monkeypatch.setattr(file_lock.time, "monotonic", lambda: now[0])
    lock = take(path)
    os.utime(lock_of(path), (50.0, 50.0))
    now[0] += later
    assert lock.renew() is None
    assert (lock_of(path).stat().st_mtime > 50.0) is renewed
    os.utime(lock_of(path), (50.0, 50.0))
    now[0] += RENEW_EVERY - 1.0
    assert lock.renew() is None
    assert (lock_of(path).stat().st_mtime > 50.0) is (not renewed)
    lock_of(path).unlink()
    now[0] += 1000.0
    assert lock.renew() is None
    lock.release()


@pytest.mark.parametrize(("age", "gone"), [(STALE_AFTER - 5.0, False), (STALE_AFTER + 5.0, True)])
def test_lock_of_another_machine_counts_while_it_is_renewed(path: Path, age: float, gone: bool) -> None:
    lock = held_by(path, another())
    os.utime(lock, (time.time() - age, time.time() - age))
    assert stale(another(), lock) is gone
    lock.unlink()
    assert stale(another(), lock)


def test_lock_of_this_machine_counts_while_its_process_runs(path: Path) -> None:
    lock, here = lock_of(path), socket.gethostname()
    assert not stale(another(here), lock)
    assert stale(another(here, start="another"), lock)


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{}", '{"host": "a", "user": "b", "pid": "x", "start": "c", "since": 1}', "[" * 4000,
     '{"host": "a", "user": "b", "pid": 1e999, "start": "c", "since": 1}'],
    ids=range(6),
)  # fmt: skip
@pytest.mark.parametrize(("age", "told"), [(FRESH - 5.0, "busy"), (FRESH + 5.0, "")])
def test_lock_that_cannot_be_read_may_be_in_the_making(path: Path, text: str, age: float, told: str) -> None:
    lock = lock_of(path)
    lock.write_text(text)
    os.utime(lock, (time.time() - age, time.time() - age))
    assert file_lock._read(lock) == told
    found = take(path)
    assert isinstance(found, Owner if told else FileLock)
    if told:
        assert (found.host, found.user, found.pid, found.start) == ("", "", 0, "")


def test_lock_that_comes_back_each_time_is_given_up(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tries: list[Path] = []

    def never(path: Path, owner: Owner) -> None:
        tries.append(path)
        raise FileExistsError

    monkeypatch.setattr(file_lock, "_make", never)
    assert take(path) is None and len(tries) == 3


def test_names_in_a_lock_are_cut_to_a_length(path: Path) -> None:
    held_by(path, another(host="h" * 101, user="u" * 100))
    found = file_lock._read(lock_of(path))
    assert (len(found.host), len(found.user)) == (100, 100)


def test_lock_half_made_leaves_nothing_behind(path: Path) -> None:
    take(path).release()
    assert [file.name for file in path.parent.iterdir()] == [path.name]


# ---------------------------------------------------------------- what a file was
def test_state_of_a_file_is_what_the_system_tells_and_its_checksum(path: Path) -> None:
    state, found = state_of(path), path.stat()
    assert (state.size, state.modified, state.inode, state.device) == (
        3,
        found.st_mtime_ns,
        found.st_ino,
        found.st_dev,
    )
    assert state.sha256 == digest(path) and len(state.sha256) == 64 and state.same_file(found)
    for name in ("size", "modified", "inode", "device"):
        assert not replace(state, **{name: -1}).same_file(found)


def test_what_is_no_regular_file_has_no_state(tmp_path: Path) -> None:
    for place in (tmp_path, tmp_path / "absent", Path("\0")):
        assert stat_of(place) is None and state_of(place) is None and digest(place) == ""


def test_file_that_cannot_be_read_has_no_state(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(self: Path, *given: object) -> object:
        raise PermissionError

    monkeypatch.setattr(Path, "open", refused)
    assert digest(path) == "" and state_of(path) is None


def test_file_that_goes_while_it_is_read_has_no_state(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(file_state, "digest", lambda file: path.unlink() or "sum")
    assert state_of(path) is None


def test_file_that_is_written_again_with_as_many_bytes_is_looked_at_again(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks: list[int] = []

    def reading(file: Path) -> str:
        looks.append(1)
        if len(looks) == 1:
            os.utime(path, ns=(5, 5))
        return f"sum {len(looks)}"

    monkeypatch.setattr(file_state, "digest", reading)
    assert state_of(path).sha256 == "sum 2"


@pytest.mark.parametrize("changes", [1, 2, 99])
def test_file_that_changes_while_it_is_read_is_looked_at_again(
    path: Path, monkeypatch: pytest.MonkeyPatch, changes: int
) -> None:
    looks: list[int] = []

    def reading(file: Path) -> str:
        looks.append(1)
        if len(looks) <= changes:
            path.write_bytes(b"x" * (10 + len(looks)))
        return f"sum {len(looks)}"

    monkeypatch.setattr(file_state, "digest", reading)
    state = state_of(path)
    assert len(looks) == min(changes + 1, TRIES) and state.sha256 == f"sum {len(looks)}"
    assert state.size == 10 + min(changes, TRIES)


def test_copy_that_fails_leaves_nothing_behind(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    copy = path.with_name("copy")
    assert copy_with_digest(path, copy) == digest(path) and copy.read_bytes() == b"one"

    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        copy_with_digest(path, copy)
    assert not copy.exists() and path.exists()


# ---------------------------------------------------------------- the document's file
def test_claimed_lock_is_held_until_it_is_dropped_or_another_is_adopted(path: Path) -> None:
    disk, other = Disk(), path.with_name("other")
    lock = disk.claim(path)
    disk.drop(lock)
    assert not lock_of(path).exists()
    disk.adopt(disk.claim(path), state_of(path))
    assert disk.claim(path) is disk._lock
    disk.drop(disk._lock)
    assert lock_of(path).exists()  # the document's own is not dropped
    disk.drop(None)
    disk.adopt(disk._lock, disk.state)
    assert lock_of(path).exists()
    disk.adopt(disk.claim(other), None)
    assert not lock_of(path).exists() and lock_of(other).exists() and disk.state is None
    disk.forget()
    assert not lock_of(other).exists()


def test_closed_disk_locks_nothing_more(path: Path) -> None:
    disk = Disk()
    disk.claim(path)
    disk.close()
    assert not lock_of(path).exists()
    assert disk.claim(path) is None and not lock_of(path).exists()


def test_claim_of_what_another_holds_says_who(path: Path) -> None:
    held_by(path, another())
    with pytest.raises(LockedError, match=r"walk.posewright is open by anna on elsewhere") as caught:
        Disk().claim(path)
    assert (caught.value.path, caught.value.owner) == (path, another())
    disk = Disk()
    assert isinstance(disk.claim(path, over=True), FileLock)
    disk.close()


def test_unchanged_file_passes_and_a_changed_one_says_what_to_do(path: Path) -> None:
    disk, known = Disk(), state_of(path)
    disk.check_unchanged(path, None)
    disk.check_unchanged(path, known)
    os.utime(path, ns=(1, 1))
    disk.check_unchanged(path, known)  # only touched
    path.write_bytes(b"two")
    with pytest.raises(
        ChangedOutsideError,
        match=r"walk.posewright was changed by another program .*: save under another name, or overwrite it",
    ) as caught:
        disk.check_unchanged(path, known)
    assert caught.value.found == state_of(path) and caught.value.path == path
    path.unlink()
    disk.check_unchanged(path, known)


def test_look_finds_changes_and_what_is_gone(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    disk = Disk()
    assert disk.look(path) == Seen()
    disk.adopt(disk.claim(path), state_of(path))
    assert disk.look(path) == Seen()
    path.write_bytes(b"two")
    assert disk.look(path) == Seen(changed=state_of(path))
    owner = another()
    held_by(path, owner)
    assert disk.look(path) == Seen(changed=state_of(path), owner=owner)
    assert disk.look(path.with_name("other")).owner is None
    monkeypatch.setattr(disks, "state_of", lambda path: None)
    assert disk.look(path) == Seen(gone=True, owner=owner)
    path.unlink()
    assert disk.look(path) == Seen(gone=True, owner=owner)
    lock_of(path).unlink()


def test_news_are_told_once_each(path: Path) -> None:
    disk = Disk()
    disk.adopt(None, state_of(path))
    known = disk.state
    path.write_bytes(b"two")
    changed, owner = Seen(changed=state_of(path)), another()
    assert disk.news(Seen(), known) is None
    assert disk.news(changed, known) == changed
    assert disk.news(changed, known) is None
    assert disk.news(replace(changed, owner=owner), known) == Seen(owner=owner)
    assert disk.news(replace(changed, owner=owner), known) is None
    assert disk.news(Seen(gone=True, owner=owner), known) == Seen(gone=True)
    assert disk.news(Seen(gone=True, owner=owner), known) is None
    assert disk.news(replace(changed, owner=owner), known) == changed
    path.write_bytes(b"three")
    assert disk.news(Seen(changed=state_of(path)), known) == Seen(changed=state_of(path))


def test_look_that_a_save_overtook_tells_nothing(path: Path) -> None:
    disk = Disk()
    disk.adopt(None, state_of(path))
    known = disk.state
    disk.adopt(None, replace(known, modified=1))
    assert disk.news(Seen(gone=True), known) is None
    assert disk.news(Seen(gone=True), disk.state) == Seen(gone=True)


def test_contents_written_again_are_no_news_but_a_new_owner_is(path: Path) -> None:
    disk = Disk()
    disk.adopt(None, state_of(path))
    again, owner = replace(disk.state, modified=1), another()
    assert disk.news(Seen(changed=again, owner=owner), disk.state) == Seen(owner=owner)
    assert disk.state is again


def test_what_a_save_told_of_is_not_told_by_a_look(path: Path) -> None:
    disk = Disk()
    disk.adopt(None, state_of(path))
    path.write_bytes(b"two")
    disk.was_told(state_of(path))
    assert disk.news(Seen(changed=state_of(path)), disk.state) is None


def test_what_is_no_regular_file_is_refused_but_a_folder_and_nothing_are_not(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(FormatError, match="not a regular file"):
        require_regular(tmp_path / "pipe")
    require_regular(tmp_path)
    require_regular(tmp_path / "absent")


@pytest.mark.parametrize(("changes", "reads"), [(0, 1), (1, 2), (99, 3)])
def test_file_exchanged_while_it_is_read_is_read_again(path: Path, changes: int, reads: int) -> None:
    done: list[int] = []

    def read() -> None:
        done.append(1)
        if len(done) <= changes:
            path.write_bytes(b"x" * (10 + len(done)))

    state = read_stable(path, read)
    assert len(done) == reads and state.size == (3, 11, 12)[min(changes, 2)]


def test_file_that_is_not_there_is_read_once(tmp_path: Path) -> None:
    done: list[int] = []
    assert read_stable(tmp_path / "absent", lambda: done.append(1)) is None and done == [1]


def test_writing_a_new_file_is_up_to_its_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[Path, int]] = []
    monkeypatch.setattr(os, "access", lambda place, way: asked.append((place, way)) or False)
    (tmp_path / "there").write_text("")
    assert not writable(tmp_path / "there") and not writable(tmp_path / "new")
    assert asked == [(tmp_path / "there", os.W_OK), (tmp_path, os.W_OK)]

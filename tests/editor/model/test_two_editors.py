"""One file, several people: locks, read-only, and what others changed is never overwritten unasked."""

import json
import os
import socket
import time
from dataclasses import replace
from pathlib import Path

import pytest

import core.io
from core.arrays import same_value
from core.project.differences import Change, differences
from core.rig.rig import Rig
from editor.model import process
from editor.model.disk import Access, ChangedOutsideError, LockedError
from editor.model.file_lock import STALE_AFTER, FileLock, Owner, lock_of, take
from editor.model.file_state import digest, state_of
from editor.model.journal_lock import lock_path
from editor.model.leftovers import sweep
from editor.model.messages import Level
from editor.model.session import Session
from tests.editor.rigs import small_project


@pytest.fixture
def session(tmp_path: Path) -> Session:
    session = Session.create(tmp_path / "config", tmp_path / "data")
    session.document.replace(small_project(), None)
    yield session
    session.close()


@pytest.fixture
def path(session: Session, tmp_path: Path) -> Path:
    """A document that is saved and open."""
    path = tmp_path / "walk.posewright"
    session.files.save(path)
    return path


class Told:
    """Answers as told, and keeps what was asked."""

    def __init__(self, **answers: str) -> None:
        self.answers, self.asked, self.asking = answers, [], False

    def _take(self, name: str, what, answer) -> None:
        self.asked.append((name, what))
        answer(self.answers.get(name, ""))

    def locked(self, error, answer) -> None:
        self._take("locked", error, answer)

    def conflict(self, error, answer) -> None:
        self._take("conflict", error, answer)

    def outside(self, path, answer) -> None:
        self._take("outside", path, answer)

    def recovered(self, item, found, answer) -> None:
        self._take("recovered", found, answer)


def others_lock(path: Path, **changes) -> Owner:
    """A lock as an editor of the parent process (which runs) would have left it."""
    pid = os.getppid()
    owner = {"host": socket.gethostname(), "user": "anna", "pid": pid, "start": process.start_time(pid)}
    owner |= {"since": time.time()} | changes
    lock_of(path).write_text(json.dumps(owner))
    return Owner(**owner)


def change_outside(path: Path) -> None:
    """As another program saves: another file under the same name."""
    project = core.io.load(path).project
    clip = project.clips[0]
    core.io.save(project.with_assets(replace(clip, name="theirs")), path)


# ------------------------------------------------------------ locks
def test_open_document_is_locked_and_free_when_closed(session: Session, path: Path) -> None:
    found = json.loads(lock_of(path).read_text())
    assert (found["host"], found["pid"]) == (socket.gethostname(), os.getpid())
    assert found["user"] and abs(found["since"] - time.time()) < 60
    session.files.new()
    assert not lock_of(path).exists()


def test_lock_of_a_save_whose_end_is_never_heard_of_goes_with_the_session(
    session: Session, tmp_path: Path
) -> None:
    """The window closes while a save runs: its work ends, its outcome is not delivered."""
    waiting = []
    session.jobs.runner = lambda work, then: waiting.append(work)
    session.files.save(tmp_path / "a.posewright")
    session.files.disk.claim(tmp_path / "b.posewright")
    session.close()
    for work in waiting:
        work()
    assert not lock_of(tmp_path / "a.posewright").exists() and not lock_of(tmp_path / "b.posewright").exists()


def test_save_as_takes_the_lock_along(session: Session, path: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.posewright"
    session.files.save(other)
    assert lock_of(other).exists() and not lock_of(path).exists()
    session.close()
    assert not lock_of(other).exists()


def test_document_open_elsewhere_is_asked_about(session: Session, path: Path) -> None:
    session.files.new()
    others_lock(path)
    session.files.questions = told = Told()
    session.files.open(path)
    (name, error) = told.asked[0]
    assert name == "locked" and error.owner.user == "anna" and "anna on" in str(error)
    assert session.document.path is None  # nothing chosen, nothing opened


def test_read_only_document_is_not_saved_over(session: Session, path: Path, tmp_path: Path) -> None:
    session.files.new()
    others_lock(path)
    before = path.read_bytes()
    session.files.open(path)  # nobody to ask: read-only
    assert session.document.path == path and session.document.read_only
    assert json.loads(lock_of(path).read_text())["user"] == "anna"
    session.clips.set_length(session.clip.id, 3.0)
    assert not session.files.save() and not session.files.save(path)
    assert path.read_bytes() == before
    session.files.save(tmp_path / "mine.posewright")
    assert not session.document.read_only and session.document.path == tmp_path / "mine.posewright"
    session.close()
    assert lock_of(path).exists()  # theirs


def test_copy_of_a_document_open_elsewhere_has_no_path(session: Session, path: Path) -> None:
    session.files.new()
    others_lock(path)
    session.files.questions = Told(locked="copy")
    session.files.open(path)
    assert session.document.path is None and session.document.title == "walk (copy)"
    assert not session.files.save()


def test_lock_of_a_process_that_ended_is_stale(session: Session, path: Path) -> None:
    session.files.new()
    others_lock(path, start="long ago")
    session.files.open(path)
    assert session.document.path == path and not session.document.read_only
    assert json.loads(lock_of(path).read_text())["pid"] == os.getpid()


def test_lock_of_another_machine_is_stale_when_nobody_renews_it(tmp_path: Path) -> None:
    path = tmp_path / "a.posewright"
    theirs = others_lock(path, host="elsewhere")
    assert take(path) == theirs
    old = time.time() - STALE_AFTER - 60
    os.utime(lock_of(path), (old, old))
    assert isinstance(take(path), FileLock)


def test_lock_can_be_taken_over_and_the_other_notices(session: Session, path: Path) -> None:
    others_lock(path, host="elsewhere", user="ben")  # as their "take over" leaves it
    session.files.look()
    assert any("ben on elsewhere" in message.text for message in session.messages.log)
    session.files.look()
    assert sum("ben on elsewhere" in message.text for message in session.messages.log) == 1
    session.files.open(path, access=Access.TAKE_OVER)
    assert not session.document.read_only


@pytest.mark.parametrize(
    "text", ["", "{}", "[1]", '{"host": 1, "user": 2, "pid": "x"}', "\x00" * 9000, "9" * 5000]
)
def test_lock_that_says_nothing_holds_only_while_it_is_fresh(tmp_path: Path, text: str) -> None:
    path = tmp_path / "a.posewright"
    lock_of(path).write_text(text)
    assert isinstance(take(path), Owner)  # may be just being written
    old = time.time() - 60
    os.utime(lock_of(path), (old, old))
    assert isinstance(take(path), FileLock)


def test_lock_is_there_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whenever the program ends while it locks a document, nobody is kept out, and what stays is swept."""
    path = tmp_path / ("足" * 40 + ".posewright")
    path.write_bytes(b"x")
    seen: list[set[str]] = []

    def watched(name: str):
        call = getattr(os, name)

        def first(*given, **named):
            lock = lock_of(path)
            assert not lock.exists() or json.loads(lock.read_text())["pid"] == os.getpid()
            seen.append({other.name for other in tmp_path.iterdir()})
            return call(*given, **named)

        return first

    for name in ("open", "fdopen", "link", "unlink"):
        monkeypatch.setattr(os, name, watched(name))
    lock = take(path)
    monkeypatch.undo()
    assert isinstance(lock, FileLock) and lock_of(path).exists() and len(seen) >= 4
    assert {other.name for other in tmp_path.iterdir()} == {path.name, lock_of(path).name}
    drafts = set().union(*seen) - {path.name, lock_of(path).name}
    assert drafts
    lock.release()
    for draft in drafts:
        (tmp_path / draft).write_bytes(b"{")
        os.utime(tmp_path / draft, (0, 0))
    sweep(files=[path], temporary=tmp_path / "none")
    assert [other.name for other in tmp_path.iterdir()] == [path.name]


def test_folder_without_links_is_locked_all_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_):
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "link", refused)
    path = tmp_path / "a.posewright"
    assert isinstance(take(path), FileLock)
    assert json.loads(lock_of(path).read_text())["pid"] == os.getpid()
    assert [other.name for other in tmp_path.iterdir()] == [lock_of(path).name]


def test_document_whose_folder_cannot_be_written_opens_without_a_lock(
    session: Session, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session.files.new()
    real = os.open

    def refuse(name, *rest, **more):
        if str(name).endswith((".lock", ".part")) and "journal" not in str(name):
            raise PermissionError(13, "denied")
        return real(name, *rest, **more)

    monkeypatch.setattr(os, "open", refuse)
    session.files.open(path)
    assert session.document.path == path and not lock_of(path).exists()


def test_save_as_over_a_document_open_elsewhere_is_asked_about(
    session: Session, path: Path, tmp_path: Path
) -> None:
    other = tmp_path / "theirs.posewright"
    core.io.save(small_project(), other)
    others_lock(other)
    before = other.read_bytes()
    session.clips.set_length(session.clip.id, 3.0)
    session.files.questions = told = Told()
    session.files.save(other)
    assert isinstance(told.asked[0][1], LockedError) and other.read_bytes() == before
    assert session.document.path == path and session.document.dirty


# ------------------------------------------------------------ changed outside
def test_save_over_what_another_changed_is_refused(session: Session, path: Path) -> None:
    change_outside(path)
    theirs = path.read_bytes()
    session.clips.set_length(session.clip.id, 3.0)
    session.files.save()
    assert path.read_bytes() == theirs and session.document.dirty
    assert (
        session.messages.latest.level is Level.ERROR
        and "changed by another program" in session.messages.latest.text
    )


def test_save_over_what_another_changed_overwrites_when_told_and_keeps_theirs(
    session: Session, path: Path
) -> None:
    change_outside(path)
    theirs = path.read_bytes()
    session.clips.set_length(session.clip.id, 3.0)
    session.files.questions = told = Told(conflict="overwrite")
    saved = []
    session.files.save(done=lambda: saved.append(True))
    assert isinstance(told.asked[0][1], ChangedOutsideError) and saved
    assert core.io.load(path).project.clips[0].length == 3.0
    assert theirs in [backup.read_bytes() for backup in session.files.backups.of(path)]
    session.clips.set_length(session.clip.id, 4.0)
    session.files.save()
    assert len(told.asked) == 1 and not session.document.dirty


def test_file_changed_while_it_is_being_written_is_not_replaced(
    session: Session, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import core.io.native.write as module

    real = module._read_back

    def slow(*arguments) -> None:
        change_outside_bytes = b"theirs, saved in the meantime"
        path.write_bytes(change_outside_bytes)
        real(*arguments)

    monkeypatch.setattr(module, "_read_back", slow)
    session.clips.set_length(session.clip.id, 3.0)
    session.files.save()
    assert path.read_bytes() == b"theirs, saved in the meantime" and session.document.dirty


def test_file_that_was_only_touched_is_saved_without_asking(session: Session, path: Path) -> None:
    path.write_bytes(path.read_bytes())
    session.clips.set_length(session.clip.id, 3.0)
    session.files.save()
    assert not session.document.dirty


def test_file_changed_while_open_is_noticed_once(session: Session, path: Path) -> None:
    session.files.questions = told = Told()
    session.files.look()
    assert not told.asked
    change_outside(path)
    session.files.look()
    session.files.look()
    assert told.asked == [("outside", path)]
    path.write_bytes(path.read_bytes() + b"again")
    session.files.look()
    assert len(told.asked) == 2


def test_change_found_while_something_is_asked_is_told_by_a_later_look(session: Session, path: Path) -> None:
    session.files.questions = told = Told()
    told.asking = True
    change_outside(path)
    session.files.look()
    assert not told.asked and not session.files.looking
    told.asking = False
    session.files.look()
    session.files.look()
    assert told.asked == [("outside", path)]


def test_what_a_save_asked_about_is_not_asked_again_by_a_look(session: Session, path: Path) -> None:
    change_outside(path)
    session.clips.set_length(session.clip.id, 3.0)
    session.files.questions = told = Told()
    session.files.save()
    session.files.look()
    assert [name for name, _ in told.asked] == ["conflict"]
    path.write_bytes(path.read_bytes() + b"again")
    session.files.look()
    assert [name for name, _ in told.asked] == ["conflict", "outside"]


def test_who_took_the_file_over_is_told_beside_what_a_save_asked_about(session: Session, path: Path) -> None:
    change_outside(path)
    others_lock(path, host="elsewhere", user="ben")
    session.clips.set_length(session.clip.id, 3.0)
    session.files.questions = told = Told()
    session.files.save()
    session.files.look()
    assert [name for name, _ in told.asked] == ["conflict"], "their version is known already"
    assert sum("ben on elsewhere" in message.text for message in session.messages.log) == 1
    session.files.look()
    assert len(told.asked) == 1
    assert sum("ben on elsewhere" in message.text for message in session.messages.log) == 1


def test_file_changed_while_open_can_be_reloaded(session: Session, path: Path) -> None:
    session.files.questions = Told(outside="reload")
    change_outside(path)
    session.files.look()
    assert session.document.project.clips[0].name == "theirs" and not session.document.dirty
    session.clips.set_length(session.clip.id, 3.0)
    session.files.save()
    assert not session.document.dirty


def test_what_the_file_does_not_hold_any_more_counts_as_unsaved(session: Session, path: Path) -> None:
    session.files.questions = told = Told()
    change_outside(path)
    session.files.look()
    assert told.asked == [("outside", path)] and session.document.dirty, "mine was kept, and is in no file"
    session.clips.set_length(session.clip.id, 3.0)
    session.history.undo()
    assert session.document.dirty
    session.files.questions = Told(conflict="overwrite")
    session.files.save()
    assert not session.document.dirty


def test_reload_of_what_cannot_be_read_leaves_the_document_as_it_was_and_unsaved(
    session: Session, path: Path
) -> None:
    before = session.document.project
    session.files.questions = told = Told(outside="reload")
    path.write_bytes(b"cut off")
    session.files.look()
    assert told.asked and session.messages.latest.level is Level.ERROR
    assert session.document.project is before and session.document.path == path and session.document.dirty


def test_read_only_document_does_not_become_unsaved_as_its_file_is_changed(
    session: Session, path: Path
) -> None:
    session.files.open(path, access=Access.READ_ONLY)
    session.files.questions = told = Told()
    change_outside(path)
    session.files.look()
    assert told.asked and session.document.read_only and not session.document.dirty


def test_file_deleted_while_open_is_said_once_and_saved_again(session: Session, path: Path) -> None:
    path.unlink()
    session.files.look()
    session.files.look()
    assert sum("deleted or moved" in message.text for message in session.messages.log) == 1
    assert session.document.dirty, "whoever closes it is asked"
    session.files.save()
    assert not session.document.dirty and path.is_file()
    session.clips.set_length(session.clip.id, 3.0)
    session.files.save()
    assert core.io.load(path).project.clips[0].length == 3.0


def test_write_protected_file_opens_read_only(
    session: Session, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session.files.new()
    monkeypatch.setattr(os, "access", lambda *arguments: False)
    session.files.open(path)
    assert session.document.read_only and "write-protected" in session.messages.latest.text


def test_two_editors_one_after_the_other(session: Session, path: Path, tmp_path: Path) -> None:
    """Both open the file (one shared folder, no lock possible); the second to save is asked."""
    second = Session.create(tmp_path / "config2", tmp_path / "data2")
    second.files.open(path)
    for number, each in enumerate((session, second)):
        each.clips.set_length(each.clip.id, 3.0 + number)
    session.files.save()
    second.files.questions = told = Told()
    second.files.save()
    assert [name for name, _ in told.asked] == ["conflict"]
    assert core.io.load(path).project.clips[0].length == 3.0
    second.close()


# ------------------------------------------------------------ recovery onto another's file
def lost(tmp_path: Path, path: Path) -> Session:
    """A session that was killed with a step not saved."""
    old = Session.create(tmp_path / "config", tmp_path / "data3")
    old.document.replace(small_project(), None)
    old.files.save(path)
    old.clips.set_length(old.clip.id, 7.0)
    old.journal.flush()
    lock_path(old.journal.path).write_text(json.dumps({"pid": os.getpid(), "start": "another"}))
    lock_of(path).unlink()
    return old


@pytest.mark.parametrize("choice", ["copy", "file", ""])
def test_recovery_onto_anothers_file_offers_both_and_changes_neither(tmp_path: Path, choice: str) -> None:
    path = tmp_path / "walk.posewright"
    old = lost(tmp_path, path)
    change_outside(path)
    theirs = path.read_bytes()
    new = Session.create(tmp_path / "config", tmp_path / "data3")
    new.files.questions = told = Told(recovered=choice)
    (item,) = new.files.recoverable()
    new.files.recover(item)
    assert [name for name, _ in told.asked] == ["recovered"] and path.read_bytes() == theirs
    if choice == "copy":
        assert new.document.path is None and new.document.title == "walk (recovered)"
        assert new.document.project.clips[0].length == 7.0 and not new.files.save()
    else:
        assert new.files.recoverable() == [item]  # nothing is given up
        names = [clip.name for clip in new.document.project.clips]
        assert names == (["theirs"] if choice == "file" else [])
    new.close()
    old.journal.close()


def test_recovery_of_a_document_open_elsewhere_is_a_copy(tmp_path: Path) -> None:
    path = tmp_path / "walk.posewright"
    old = lost(tmp_path, path)
    others_lock(path)
    new = Session.create(tmp_path / "config", tmp_path / "data3")
    (item,) = new.files.recoverable()
    new.files.recover(item)
    assert new.document.path is None and new.document.project.clips[0].length == 7.0
    assert any("anna" in message.text for message in new.messages.log)
    new.close()
    old.journal.close()


# ------------------------------------------------------------ no regular files, odd names
def test_document_that_is_a_pipe_is_refused_at_once(session: Session, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.posewright"
    os.mkfifo(pipe)
    assert digest(pipe) == "" and state_of(pipe) is None
    session.files.open(pipe)
    assert "not a regular file" in session.messages.latest.text
    before = session.document.project
    session.files.save(pipe)
    assert "not a regular file" in session.messages.latest.text
    assert session.document.project is before and not lock_of(pipe).exists()


def test_document_whose_name_is_no_unicode_is_saved_listed_and_opened(
    session: Session, tmp_path: Path
) -> None:
    path = tmp_path / "caf\udce9.posewright"
    session.clips.set_length(session.clip.id, 3.0)
    session.files.save(path)
    project = session.document.project
    assert path.is_file() and not session.document.dirty
    session.clips.set_length(session.clip.id, 4.0)
    session.journal.flush()
    assert session.journal.problem == ""
    session.files.save()
    assert session.files.backups.of(path)
    session.files.open(path)
    assert session.document.path == path and session.preferences.recent[0] == path
    assert session.document.project.clips[0].length == 4.0
    assert same_value(session.document.project.get(Rig, project.rigs[0].id), project.rigs[0])
    again = Session.create(tmp_path / "config", tmp_path / "data9")
    assert path in again.preferences.recent
    again.close()


# ------------------------------------------------------------ what differs
def test_differences_name_each_asset_and_what_of_it() -> None:
    project = small_project()
    clip = project.clips[0]
    channel = next(iter(clip.tracks))
    other = project.with_assets(replace(clip.with_tracks({channel: None}), length=9.0))
    other = other.without(next(a.id for a in project.assets.values() if type(a).__name__ == "Mesh"))
    other = other.with_assets(replace(clip, id="clip-new", name="new"))
    found = {(d.kind, d.name): (d.change, d.what) for d in differences(project, other)}
    assert found[("clip", clip.name)] == (Change.CHANGED, "length, 1 track")
    assert found[("clip", "new")] == (Change.ADDED, "")
    assert [change for (kind, _), (change, _) in found.items() if kind == "mesh"] == [Change.REMOVED]
    assert differences(project, project) == ()

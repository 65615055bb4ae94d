"""The journal: what was committed survives the program's death, and nothing read from it can do harm."""

import json
import os
import random
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

import core.io
from core.arrays import same_value
from core.errors import AnimError
from core.ids import AssetId
from core.project.project import Project
from core.tracks import edits
from editor.model import journal_lock, recovery
from editor.model.commands import ViewState
from editor.model.file_state import state_of
from editor.model.history import StepKind
from editor.model.journal import Journal, pinned_path
from editor.model.journal_file import Record, records
from editor.model.journal_lock import lock_path
from editor.model.session import Session
from tests.editor.model.journals import CHANNEL, crashed, put_value
from tests.editor.rigs import small_project


def test_recover_of_a_document_never_saved_gives_the_last_state(tmp_path: Path) -> None:
    old = crashed(tmp_path)
    new = Session.create(tmp_path / "config", tmp_path)
    (item,) = new.files.recoverable()
    assert (item.document, item.steps, item.last) == (None, 6, "value 5.0")
    new.files.recover(item)
    assert same_value(new.document.project, old.document.project)
    assert new.document.dirty and new.playback.clip == old.playback.clip
    assert new.files.recoverable() == []  # its own journal is alive
    new.close()
    assert not list((tmp_path / "journal").glob("*.journal"))
    old.journal.close(discard=False)


def test_recover_of_a_saved_document_replays_onto_the_file(tmp_path: Path) -> None:
    path = tmp_path / "größe 歩く.posewright"
    old = crashed(tmp_path, path)
    journal = old.journal.path
    assert journal.stat().st_size < 20_000  # the mesh is in the file, not in the journal
    found = recovery.recover(journal)
    assert found.document == path and found.steps == 6 and not found.problem
    assert same_value(dict(found.project.assets), dict(old.document.project.assets))
    old.journal.close()


def test_recover_does_not_depend_on_the_file_that_was_open(tmp_path: Path) -> None:
    path = tmp_path / "a.posewright"
    for number, spoil in enumerate((lambda: path.write_bytes(b"something else"), path.unlink)):
        data = tmp_path / str(number)
        old = crashed(data, path)
        spoil()
        found = recovery.recover(old.journal.path)
        assert same_value(dict(found.project.assets), dict(old.document.project.assets))
        assert found.document == path and found.changed == (number == 0) and not found.problem
        old.journal.close()


def test_recover_comes_back_to_the_layer_in_hand(tmp_path: Path) -> None:
    project = small_project()
    clip = project.clips[0]
    journal = Journal(tmp_path / "journal")
    journal.begin(project, None, on_disk=False)
    view = ViewState(clip.rig, AssetId("clip-layer"), 0.5, (), below=clip.id)
    journal.record(StepKind.DO, "x", view, project, Project(project.assets, {"n": 1}))
    journal.flush()
    lock_path(journal.path).write_text("{}")
    assert recovery.recover(journal.path).view == view
    journal.close()


def test_recover_without_the_journals_own_copy_uses_a_backup_or_says_so(tmp_path: Path) -> None:
    path = tmp_path / "a.posewright"
    old = crashed(tmp_path, path)
    journal, whole = old.journal.path, path.read_bytes()
    pinned_path(journal).unlink()
    path.write_bytes(b"something else")
    with pytest.raises(AnimError, match="has changed since"):
        recovery.recover(journal)
    journal_lock.release(journal)
    backup = tmp_path / "copy.posewright"
    backup.write_bytes(whole)
    found = recovery.recover(journal, lambda _: [backup])
    assert same_value(dict(found.project.assets), dict(old.document.project.assets)) and found.changed
    old.journal.close()


def test_file_replaced_between_opening_and_the_first_step_is_not_taken_for_the_base(tmp_path: Path) -> None:
    """The journal then holds the whole document: its base is what was read, not what lies there now."""
    path = tmp_path / "a.posewright"
    project = small_project()
    core.io.save(project, path)
    state = state_of(path)
    core.io.save(project.without(project.clips[0].id), path)
    journal = Journal(tmp_path / "journal")
    journal.begin(project, path, on_disk=True, state=state)
    journal.record(StepKind.DO, "x", ViewState(), project, Project(project.assets, {"n": 1}))
    journal.flush()
    lock_path(journal.path).write_text("{}")
    found = recovery.recover(journal.path)
    assert found.project.clips and found.project.settings["n"] == 1 and found.changed
    journal.close()


def test_saving_starts_the_journal_anew_and_keeps_what_came_meanwhile(tmp_path: Path) -> None:
    session = Session.create(tmp_path, tmp_path)
    session.document.replace(small_project(), None)
    put_value(session, 1.0)
    waiting = []
    session.jobs.runner = lambda work, then: waiting.append((work, then))
    session.files.save(tmp_path / "b.posewright")
    put_value(session, 2.0)  # while the save is under way
    for work, then in waiting:
        work()
        then()
    session.journal.flush()
    assert session.document.dirty and session.document.path == tmp_path / "b.posewright"
    assert len(list((tmp_path / "journal").glob("*.journal"))) == 1
    lock_path(session.journal.path).write_text("{}")
    found = recovery.recover(session.journal.path)
    assert same_value(dict(found.project.assets), dict(session.document.project.assets))
    session.close()


def test_closing_in_peace_leaves_nothing_to_recover(tmp_path: Path) -> None:
    session = Session.create(tmp_path, tmp_path)
    session.document.replace(small_project(), None)
    put_value(session, 1.0)
    session.close()
    assert list((tmp_path / "journal").iterdir()) == []


def test_record_does_not_wait_for_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The window's thread only queues: with a disk that hangs, steps go on and are written when it answers."""
    import threading

    gate = threading.Event()
    real = os.fdatasync
    monkeypatch.setattr(os, "fdatasync", lambda fd: (gate.wait(400.0), real(fd)))
    session = Session.create(tmp_path, tmp_path)
    session.document.replace(small_project(), None)
    for step in range(20):
        put_value(session, step + 1.0)
    assert session.history.position == 20 and not session.journal.flush(0.0)
    gate.set()
    assert session.journal.flush()
    assert sum(isinstance(r, Record) for r in records(session.journal.path)) == 21
    session.close()


EDIT_UNTIL_KILLED = """
import sys
from pathlib import Path
from core.clips.clip import Channel, Property
from core.tracks import edits
from editor.model.session import Session
from tests.editor.rigs import small_project
channel = Channel("upper_arm_l", Property.ROTATE, 1)
data = Path(sys.argv[1])
session = Session.create(data, data)
session.document.replace(small_project(), None)
for step in range(1, 10_000):
    clip = session.clip
    track = edits.set_value(clip.scalar(channel), 0.01 * (step % 150), float(step))
    session.edits.put(str(step), clip.with_tracks({channel: track}))
    print(step, flush=True)
    session.journal.flush()  # nobody makes gestures faster than a disk writes
"""


def test_save_that_ended_before_the_journal_heard_of_it_is_no_other_persons_file(tmp_path: Path) -> None:
    """The file was exchanged, the program ended: what the steps make is what the file holds."""
    path = tmp_path / "walk.posewright"
    session = crashed(tmp_path, path)
    core.io.save(session.document.project, path)
    found = recovery.recover(session.journal.path)
    assert not found.changed and same_value(found.project, session.document.project)
    journal_lock.release(session.journal.path)
    clip = session.document.project.clips[0]
    core.io.save(session.document.project.with_assets(replace(clip, name="another's")), path)
    assert recovery.recover(session.journal.path).changed
    session.close()


@pytest.mark.skipif(sys.platform == "win32", reason="needs SIGKILL")
@pytest.mark.parametrize("seed", range(3))
def test_kill_at_a_random_moment_loses_at_most_the_last_gesture(tmp_path: Path, seed: int) -> None:
    command = [sys.executable, "-c", EDIT_UNTIL_KILLED, str(tmp_path)]
    root = Path(__file__).resolve().parents[3]
    child = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=root)
    assert child.stdout is not None
    stop = random.Random(seed).randint(5, 120)
    done = 0
    for line in child.stdout:
        done = int(line)
        if done >= stop:
            break
    os.kill(child.pid, signal.SIGKILL)
    rest = child.stdout.read().split()
    child.stdout.close()
    child.wait()
    done = max([done, *map(int, rest)])
    session = Session.create(tmp_path, tmp_path)
    (item,) = session.files.recoverable()
    session.files.recover(item)
    # Replay the same edits here: the second route to what must have come back.
    expected = small_project()
    steps = item.steps
    assert done - 1 <= steps <= done + 1
    clip = expected.clips[0]
    for step in range(1, steps + 1):
        track = edits.set_value(clip.scalar(CHANNEL), 0.01 * (step % 150), float(step))
        clip = clip.with_tracks({CHANNEL: track})
    assert same_value(session.document.project.clips[0], clip)
    session.close()


def test_journal_that_cannot_be_written_warns_and_lets_work_go_on(tmp_path: Path) -> None:
    (tmp_path / "journal").write_text("a file where the folder should be")
    session = Session.create(tmp_path, tmp_path)
    session.document.replace(small_project(), None)
    put_value(session, 1.0)
    session.journal.flush()
    put_value(session, 2.0)
    assert session.history.position == 2
    assert any("journal" in message.text for message in session.messages.log)
    session.close()


def test_two_instances_leave_each_others_journals_alone(tmp_path: Path) -> None:
    first = Session.create(tmp_path, tmp_path)
    first.document.replace(small_project(), None)
    put_value(first, 1.0)
    first.journal.flush()
    second = Journal(tmp_path / "journal")
    assert recovery.recoverable(second.folder) == []
    first.close()


def test_what_ended_programs_left_without_steps_is_removed(tmp_path: Path) -> None:
    folder = tmp_path / "journal"
    folder.mkdir()
    (folder / "a.base").write_bytes(b"x")
    (folder / "a.lock").write_text(json.dumps({"pid": 1 << 22, "start": "1"}))
    assert recovery.recoverable(folder) == [] and not list(folder.iterdir())


def test_step_is_on_disk_within_a_second(tmp_path: Path) -> None:
    session = Session.create(tmp_path, tmp_path)
    session.document.replace(small_project(), None)
    put_value(session, 1.0)
    assert session.journal.flush(1.0)
    assert session.journal.path.stat().st_size > 0
    session.close()

"""The journal: what was committed survives the program's death, and nothing read from it can do harm."""

import gc
import itertools
import json
import os
import random
import signal
import subprocess
import sys
from dataclasses import replace
from enum import Enum
from pathlib import Path

import numpy as np
import pytest

import core.io
from core.arrays import same_value
from core.clips.clip import Channel, Property
from core.errors import AnimError, ValidationError
from core.project.project import Project
from core.rig.mesh import Mesh
from core.tracks import edits
from editor.model import journal as journals
from editor.model import journal_lock, recovery
from editor.model.codec import decode, difference, encode, pack, patched, unpack
from editor.model.commands import ViewState
from editor.model.file_state import state_of
from editor.model.history import StepKind
from editor.model.journal import Journal, pinned_path
from editor.model.journal_file import MAGIC, MARKER, Record, Torn, frame, records, summaries
from editor.model.journal_lock import lock_path
from editor.model.session import Session
from tests.editor.rigs import small_project

CHANNEL = Channel("upper_arm_l", Property.ROTATE, 1)
SAMPLE = Path(__file__).parents[3] / "resources" / "sample" / "mannequin.posewright"


def put_value(session: Session, value: float) -> None:
    clip = session.clip
    track = edits.set_value(clip.scalar(CHANNEL), 0.5, value)
    session.edits.put(f"value {value}", clip.with_tracks({CHANNEL: track}))


def crashed(data: Path, path: Path | None = None, steps: int = 5) -> Session:
    """A session whose journal is left as a crash leaves it, made to look as another's."""
    session = Session.create(data / "config", data)
    session.document.replace(small_project(), None)
    if path is not None:
        session.files.save(path)
    for step in range(steps):
        put_value(session, step + 1.0)
    session.undo()
    session.journal.flush()
    lock_path(session.journal.path).write_text(json.dumps({"pid": os.getpid(), "start": "another"}))
    return session


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
    monkeypatch.setattr(os, "fdatasync", lambda fd: (gate.wait(5.0), real(fd)))
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


# ---------------------------------------------------------------- torn and hostile


def test_a_torn_tail_is_dropped_with_a_message(tmp_path: Path) -> None:
    old = crashed(tmp_path)
    whole = old.journal.path.read_bytes()
    journal = tmp_path / "torn.journal"
    for cut in (1, 7, 40):
        journal.write_bytes(whole[:-cut])
        found = recovery.recover(journal)
        assert found.problem and found.steps == 5
        journal_lock.release(journal)
    old.journal.close()


def test_a_flipped_byte_in_the_last_record_ends_only_that(tmp_path: Path) -> None:
    old = crashed(tmp_path)
    whole = bytearray(old.journal.path.read_bytes())
    whole[-10] ^= 0x40
    journal = tmp_path / "bad.journal"
    journal.write_bytes(whole)
    found = recovery.recover(journal)
    assert "checksum" in found.problem and found.steps == 5
    old.journal.close()


def offsets(path: Path) -> list[int]:
    """Where the records of a journal begin."""
    data = path.read_bytes()
    places, at = [], data.find(MARKER)
    while at >= 0:
        places.append(at)
        at = data.find(MARKER, at + 1)
    return places


@pytest.mark.parametrize("damage", ["payload", "head", "cut out"])
def test_a_record_damaged_in_between_ends_only_itself(tmp_path: Path, damage: str) -> None:
    session = Session.create(tmp_path / "config", tmp_path)
    session.document.replace(small_project(), None)
    for number, time in enumerate((0.1, 0.2, 0.3, 0.4)):
        clip = session.clip
        channel = Channel("upper_arm_l", Property.ROTATE, number % 3) if number < 3 else CHANNEL
        track = edits.set_value(clip.scalar(channel), time, 10.0 + number)
        session.edits.put(f"step {number}", clip.with_tracks({channel: track}))
    session.journal.flush()
    data, places = bytearray(session.journal.path.read_bytes()), offsets(session.journal.path)
    assert len(places) == 5  # the base and four steps
    lost = places[1]
    if damage == "cut out":  # as a torn write leaves it that others were appended to
        data[lost + 30 : places[2]] = b""
    else:
        data[lost + (60 if damage == "payload" else 6)] ^= 0xFF
    journal = tmp_path / "bad.journal"
    journal.write_bytes(data)
    found = recovery.recover(journal)
    clip, whole = found.project.clips[0], session.clip
    assert found.steps == 3 and "left out" in found.problem
    for axis in (1, 2):
        channel = Channel("upper_arm_l", Property.ROTATE, axis)
        assert same_value(clip.tracks[channel], whole.tracks[channel])
    session.close()


def test_do_undo_do_another_crash_gives_the_last_state(tmp_path: Path) -> None:
    session = Session.create(tmp_path / "config", tmp_path)
    session.document.replace(small_project(), None)
    put_value(session, 1.0)
    put_value(session, 2.0)
    session.undo()
    put_value(session, 3.0)
    put_value(session, 4.0)
    session.undo()
    session.redo()
    session.journal.flush()
    lock_path(session.journal.path).write_text("{}")
    found = recovery.recover(session.journal.path)
    assert same_value(found.project, session.document.project)
    assert found.project.clips[0].scalar(CHANNEL).values[1] == 4.0
    session.close()


@pytest.mark.parametrize("steps", ["uu", "uur", "uurr", "uurru", "uuruurr", "udu", "uuduru", "dduuuurrrr"])
def test_undo_beyond_the_last_save_and_crash_gives_what_was_seen(tmp_path: Path, steps: str) -> None:
    """What is undone there was done before the journal began: its records must say themselves what they change."""
    session = Session.create(tmp_path / "config", tmp_path)
    session.document.replace(small_project(), None)
    for value in (1.0, 2.0, 3.0):
        put_value(session, value)
    session.files.save(tmp_path / "a.posewright")
    for number, step in enumerate(steps):
        if step == "d":
            put_value(session, 10.0 + number)
        else:
            assert session.undo() if step == "u" else session.redo() or True
        session.journal.flush()
    lock_path(session.journal.path).write_text("{}")
    found = recovery.recover(session.journal.path)
    assert same_value(dict(found.project.assets), dict(session.document.project.assets)) and not found.problem
    session.close()


def write(path: Path, *parts: bytes) -> Path:
    path.write_bytes(MAGIC + b"".join(parts))
    return path


HOSTILE = [
    {"kind": "base", "project": ["d", "Popen", {"args": "touch owned"}]},
    {"kind": "base", "project": ["d", "__import__", {}]},
    {"kind": "base", "project": ["n", "Project", [1, 2, 3]]},
    {"kind": "base", "project": ["d", "Project", {"nobody": 1}]},
    {"kind": "base", "project": ["c", 0.0, [10**12], "<f8"]},
    {"kind": "base", "project": ["c", 0.0, [-1], "<f8"]},
    {"kind": "base", "project": ["c", 0.0, [3], "|O"]},
    {"kind": "base", "project": ["a", 5]},
    {"kind": "base", "project": ["f", "1", "0"]},
    {"kind": "base", "project": None},
    {"kind": "base", "path": "/etc/passwd", "sha256": "0"},
    {"kind": "do"},
    {"kind": "base"},
]


@pytest.mark.parametrize("data", HOSTILE, ids=str)
def test_hostile_base_is_refused(tmp_path: Path, data: dict) -> None:
    journal = write(tmp_path / "evil.journal", *frame([data, []], []))
    with pytest.raises(AnimError):
        recovery.recover(journal)


def test_hostile_nesting_and_array_sizes_are_refused(tmp_path: Path) -> None:
    deep: object = 0
    for _ in range(300):
        deep = ["l", [deep]]
    huge, objects = [{"kind": "base"}, [["<f8", [10**9, 10**9]]]], [{}, [["O", [1]]]]
    for packed in ([{"kind": "base", "project": deep}, []], huge, objects):
        journal = write(tmp_path / "evil.journal", *frame(packed, [b"\0" * 8]))
        with pytest.raises(AnimError):
            recovery.recover(journal)
        journal_lock.release(journal)


def test_records_that_claim_to_be_huge_are_torn(tmp_path: Path) -> None:
    journal = write(tmp_path / "evil.journal", b"\xff" * 64)
    (only,) = records(journal)
    assert isinstance(only, Torn)


@pytest.mark.parametrize("seed", range(30))
def test_random_damage_never_does_more_than_raise(tmp_path: Path, seed: int) -> None:
    rng = np.random.default_rng(seed)
    project = small_project(mesh=False)
    arrays: list = []
    data, blob = pack({"kind": "base", "project": encode(project, arrays)}, arrays)
    text = bytearray(json.dumps(data).encode())
    for place in rng.integers(0, len(text), 6):
        text[place] = rng.choice(np.frombuffer(b'0123456789[]",{}:nulltrue-', np.uint8))
    try:
        unpacked, back = unpack(json.loads(text), b"".join(blob))
        decode(unpacked["project"], back)
    except (AnimError, ValueError, KeyError, TypeError):
        pass


# ---------------------------------------------------------------- the codec


def test_encode_and_decode_give_equal_projects() -> None:
    project = small_project()
    arrays: list = []
    packed, blob = pack(encode(project, arrays), arrays)
    data, back = unpack(json.loads(json.dumps(packed)), b"".join(blob))
    assert same_value(decode(data, back), project)


def test_bones_of_a_mesh_are_read_from_journals_that_call_them_joints() -> None:
    mesh = next(asset for asset in small_project().assets.values() if isinstance(asset, Mesh))
    arrays: list[np.ndarray] = []
    kind, name, values = encode(mesh, arrays)
    assert "bones" in values
    values["joints"] = values.pop("bones")
    assert same_value(decode([kind, name, values], arrays), mesh)
    other = replace(mesh, bones=tuple(reversed(mesh.bones)))
    arrays.clear()
    kind, changes = difference(mesh, other, arrays)
    changes["joints"] = changes.pop("bones")
    assert patched(mesh, [kind, changes], arrays).bones == other.bones


def test_difference_holds_only_the_arrays_that_changed() -> None:
    project = small_project()
    clip = project.clips[0]
    track = edits.set_value(clip.scalar(CHANNEL), 0.5, 3.0)
    after = project.with_assets(clip.with_tracks({CHANNEL: track}))
    arrays: list = []
    data = difference(project, after, arrays)
    assert sum(a.nbytes for a in arrays) < 300
    packed, blob = pack(data, arrays)
    read, back = unpack(json.loads(json.dumps(packed)), b"".join(blob))
    result = patched(project, read, back)
    assert same_value(result, after) and result.rigs[0] is project.rigs[0]


def test_difference_keeps_the_order_of_what_was_moved() -> None:
    project = small_project()
    turned = type(project)(dict(reversed(project.assets.items())), {"a": 1})
    arrays: list = []
    result = patched(project, difference(project, turned, arrays), arrays)
    assert list(result.assets) == list(turned.assets) and result.settings["a"] == 1


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


def test_what_ended_programs_left_without_steps_is_removed(tmp_path: Path) -> None:
    folder = tmp_path / "journal"
    folder.mkdir()
    (folder / "a.base").write_bytes(b"x")
    (folder / "a.lock").write_text(json.dumps({"pid": 1 << 22, "start": "1"}))
    assert recovery.recoverable(folder) == [] and not list(folder.iterdir())


def test_journal_of_version_1_is_still_recovered(tmp_path: Path) -> None:
    import struct
    import zlib

    project = small_project()
    after = Project(project.assets, {"n": 1})
    arrays: list = []
    head = {"kind": "base", "path": None, "time": 1.0, "project": encode(project, arrays)}
    whole = b"PWJOURNAL1\n"
    again: list = []
    step = {"kind": "do", "label": "a", "time": 5.0, "view": [None, None, 0.0, []], "change": None}
    step["change"] = difference(project, after, again)
    for data, used in ((head, arrays), (step, again), ({**step, "kind": "undo"}, []), ({"kind": "redo"}, [])):
        packed, blobs = pack(data, used)
        text = json.dumps(packed).encode()
        payload = text + b"".join(blobs)
        whole += struct.pack("<QII", len(payload), zlib.crc32(payload), len(text)) + payload
    journal = tmp_path / "old.journal"
    journal.write_bytes(whole)
    (item,) = recovery.recoverable(tmp_path)
    assert (item.steps, item.last) == (3, "a")
    found = recovery.recover(journal)
    assert found.project.settings["n"] == 1 and same_value(dict(found.project.assets), dict(project.assets))


FORGED = [
    ["d", "Project", {"assets": ["m", [["x", 5]]]}],
    ["d", "Project", {"assets": ["m", [["x", ["d", "ViewState", {}]]]]}],
    ["d", "Project", {"assets": 5}],
]


@pytest.mark.parametrize("project", FORGED, ids=str)
def test_forged_project_is_refused_in_words(tmp_path: Path, project: list) -> None:
    journal = write(tmp_path / "evil.journal", *frame([{"kind": "base", "project": project}, []], []))
    with pytest.raises(AnimError):
        recovery.recover(journal)


def test_forged_step_is_left_out_in_words(tmp_path: Path) -> None:
    project = small_project()
    arrays: list = []
    base = frame(*pack({"kind": "base", "project": encode(project, arrays)}, arrays))
    clip = str(project.clips[0].id)
    forged = {"name": ["new", 5], "tracks": ["new", ["m", [["a", 1]]]]}
    change = ["patch", {"assets": ["items", [[clip, ["patch", forged]]], [], None]}]
    step = frame([{"kind": "do", "from": 0, "to": 1, "change": change, "time": 1e300, "label": 7}, []], [])
    journal = write(tmp_path / "evil.journal", *base, *step)
    recovery.recoverable(tmp_path)
    found = recovery.recover(journal)
    assert found.problem and same_value(dict(found.project.assets), dict(project.assets))


def test_journal_that_is_a_pipe_is_refused_at_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.journal")
    with pytest.raises(AnimError, match="no regular file"):
        list(summaries(tmp_path / "a.journal"))
    assert recovery.recoverable(tmp_path) == []


def test_step_is_on_disk_within_a_second(tmp_path: Path) -> None:
    session = Session.create(tmp_path, tmp_path)
    session.document.replace(small_project(), None)
    put_value(session, 1.0)
    assert session.journal.flush(1.0)
    assert session.journal.path.stat().st_size > 0
    session.close()


def test_every_asset_of_the_sample_character_survives_the_journal_s_codec():
    """Its graph's variables have a kind that was written but not known when read: nothing could be recovered."""
    project = core.io.load(SAMPLE).project
    arrays: list = []
    written = json.loads(json.dumps(encode(project, arrays)))
    assert same_value(dict(decode(written, arrays).assets), dict(project.assets))


def test_codec_refuses_to_write_an_enumeration_that_it_could_not_read():
    with pytest.raises(ValidationError, match="cannot write a Unknown down"):
        encode(Enum("Unknown", ["A"]).A, [])

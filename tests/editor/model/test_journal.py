"""The journal: what was committed survives the program's death, and nothing read from it can do harm."""

import json
import os
import random
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from core.arrays import same_value
from core.clips.clip import Channel, Property
from core.errors import AnimError
from core.tracks import edits
from editor.model import recovery
from editor.model.codec import decode, difference, encode, pack, patched, unpack
from editor.model.journal import Journal, lock_path
from editor.model.journal_file import MAGIC, Record, Torn, frame, records
from editor.model.session import Session
from tests.editor.rigs import small_project

CHANNEL = Channel("upper_arm_l", Property.ROTATE, 1)


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


def test_recover_when_the_file_changed_since_uses_the_backup_or_says_so(tmp_path: Path) -> None:
    path = tmp_path / "a.posewright"
    old = crashed(tmp_path, path)
    journal, whole = old.journal.path, path.read_bytes()
    path.write_bytes(b"something else")
    with pytest.raises(AnimError, match="has changed since"):
        recovery.recover(journal)
    recovery.release(journal)
    backup = tmp_path / "copy.posewright"
    backup.write_bytes(whole)
    found = recovery.recover(journal, lambda _: [backup])
    assert same_value(dict(found.project.assets), dict(old.document.project.assets))
    old.journal.close()


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
    real = os.fsync
    monkeypatch.setattr(os, "fsync", lambda fd: (gate.wait(5.0), real(fd)))
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
        recovery.release(journal)
    old.journal.close()


def test_a_flipped_byte_ends_the_replay_before_it(tmp_path: Path) -> None:
    old = crashed(tmp_path)
    whole = bytearray(old.journal.path.read_bytes())
    whole[-200] ^= 0x40
    journal = tmp_path / "bad.journal"
    journal.write_bytes(whole)
    found = recovery.recover(journal)
    assert "checksum" in found.problem and found.steps < 6
    old.journal.close()


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
        recovery.release(journal)


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


def test_step_is_on_disk_within_a_second(tmp_path: Path) -> None:
    session = Session.create(tmp_path, tmp_path)
    session.document.replace(small_project(), None)
    put_value(session, 1.0)
    assert session.journal.flush(1.0)
    assert session.journal.path.stat().st_size > 0
    session.close()

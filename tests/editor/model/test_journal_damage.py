"""A journal that is torn, damaged or made by somebody with ill will does no harm."""

import json
import os
from pathlib import Path

import numpy as np
import pytest

from core.arrays import same_value
from core.clips.clip import Channel, Property
from core.errors import AnimError
from core.project.project import Project
from core.tracks import edits
from editor.model import journal_lock, recovery
from editor.model.codec import decode, difference, encode, pack, unpack
from editor.model.journal_file import MARKER, Torn, frame, records, summaries
from editor.model.journal_lock import lock_path
from editor.model.session import Session
from tests.editor.model.journals import CHANNEL, crashed, put_value, write
from tests.editor.rigs import small_project


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

"""Records of a journal as bytes, of this version and the first: what is torn, what is skipped, and what is said."""

import json
import struct
import zlib
from pathlib import Path

import numpy as np
import pytest

from core.errors import FormatError
from editor.model import journal_file
from editor.model.codec import pack
from editor.model.journal_file import MAGIC, MARKER, Record, Torn, frame, records, summaries
from tests.editor.model.journals import write

MAGIC_1 = b"PWJOURNAL1\n"
NO_KIND = "a record is of no known kind"


def raw(meta: bytes, text: bytes, blob: bytes = b"", marker: bytes = MARKER, damage: int = 0) -> bytes:
    """A record by hand: its head, the checksum of that, and its payload."""
    payload = meta + text + blob
    head = struct.pack("<4sQIII", marker, len(payload), zlib.crc32(payload) ^ damage, len(meta), len(text))
    return head + struct.pack("<I", zlib.crc32(head)) + payload


def raw_1(data: object, blob: bytes = b"", damage: int = 0, length: int | None = None) -> bytes:
    """A record of version 1: lengths and a checksum, the JSON text, and the bytes of the arrays."""
    text = data if isinstance(data, bytes) else json.dumps(data).encode()
    payload = text + blob
    head = struct.pack("<QII", len(payload), zlib.crc32(payload) ^ damage, len(text))
    if length is not None:
        head = struct.pack("<QII", length, zlib.crc32(payload), len(text))
    return head + payload


GOOD = raw(b'{"kind":"do"}', b"[{},[]]")


def test_a_record_is_its_meta_data_its_body_and_its_arrays(tmp_path: Path) -> None:
    array = np.array([1.5, -2.0])
    packed, blobs = pack({"kind": "do", "label": "ä", "change": {"a": [1, {}], "b": []}}, [array])
    journal = write(tmp_path / "a.journal", *frame(packed, blobs))
    (found,) = records(journal)
    assert found.data == {"kind": "do", "label": "ä", "change": {"a": [1, {}], "b": []}}
    np.testing.assert_array_equal(found.arrays[0], array)
    assert list(summaries(journal)) == [{"kind": "do", "label": "ä"}]


def test_framed_bytes_are_those_of_a_record_by_hand() -> None:
    packed, blobs = pack({"kind": "base", "project": ["l", [1, 2]]}, [np.array([7], np.uint8)])
    framed = b"".join(bytes(piece) for piece in frame(packed, blobs))
    assert framed == raw(b'{"kind":"base"}', b'[{"project":["l",[1,2]]},[["|u1",[1]]]]', b"\7")


def test_words_are_written_as_they_are() -> None:
    packed, blobs = pack({"kind": "do", "label": "ä"}, [])
    assert '"label":"ä"'.encode() in b"".join(bytes(piece) for piece in frame(packed, blobs))


def test_many_kinds_of_arrays_are_written_some_at_a_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(journal_file, "KINDS_AT_ONCE", 2)
    arrays = [np.full(2, n, np.uint8) for n in range(5)]
    journal = write(tmp_path / "a.journal", *frame(*pack({"kind": "do"}, arrays)))
    (found,) = records(journal)
    assert [array.tolist() for array in found.arrays] == [[n, n] for n in range(5)]


@pytest.mark.parametrize("depth", [0, 1, 3, 9])
def test_text_of_any_depth_of_pieces_is_the_same_json(depth: int) -> None:
    def value() -> object:
        return {"a": [1, [2, {"b": None}], []], "c": {}, "d": "x"}

    pieces = list(journal_file._opened(value(), depth))
    assert json.loads("".join(pieces)) == value()
    assert (len(pieces) == 1) is (depth == 0)


# ---------------------------------------------------------------- files that are no journals
@pytest.mark.parametrize("read", [records, summaries])
def test_what_is_no_journal_is_refused(tmp_path: Path, read) -> None:
    path = tmp_path / "a.journal"
    path.write_bytes(b"PWJOURNAL3\n" + GOOD)
    with pytest.raises(FormatError, match="not a journal"):
        list(read(path))
    with pytest.raises(FormatError, match="no regular file"):
        list(read(tmp_path / "absent.journal"))


@pytest.mark.parametrize("read", [records, summaries])
@pytest.mark.parametrize("more", [0, 1])
def test_a_journal_beyond_belief_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, read, more: int
) -> None:
    journal = write(tmp_path / "a.journal", GOOD)
    monkeypatch.setattr(journal_file, "MAX_FILE", journal.stat().st_size - more)
    if not more:
        assert len(list(read(journal))) == 1
        return
    with pytest.raises(FormatError, match=rf"a journal of {journal.stat().st_size} bytes is not believable"):
        list(read(journal))


@pytest.mark.parametrize("read", [records, summaries])
def test_a_journal_that_cannot_be_read_is_refused_with_the_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, read
) -> None:
    def fail(path: Path) -> object:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(journal_file, "_opened_file", fail)
    with pytest.raises(FormatError, match="cannot be read: Permission denied"):
        list(read(tmp_path / "a.journal"))


@pytest.mark.parametrize("read", [records, summaries])
@pytest.mark.parametrize("length", [0, 5])
def test_a_journal_whose_program_ended_as_it_began_holds_nothing(tmp_path: Path, read, length: int) -> None:
    path = tmp_path / "a.journal"
    path.write_bytes(MAGIC[:length])
    assert list(read(path)) == []


# ---------------------------------------------------------------- records that cannot be read
@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        (raw(b"[1]", b"[{},[]]"), NO_KIND),
        (raw(b"{}", b"[[],[]]"), NO_KIND),
        (raw(b"{}", b"[{}]"), "a record cannot be read: not arrays this program has written"),
        (raw(b"{", b"[{},[]]"), "a record cannot be read: "),
        (raw(b"{}", b"[{},["), "a record cannot be read: "),
        (raw(b"\xff", b"[{},[]]"), "a record cannot be read: "),
        (raw(b"{}", b'[{},[["<f8",[2]]]]', bytes(8)), "an array of 16 bytes, but 8 are left"),
        (raw(b"{}", b"[" * 200_000), "a record cannot be read: "),
    ],
    ids=range(8),
)
def test_a_record_that_makes_no_sense_ends_only_itself(tmp_path: Path, bad: bytes, reason: str) -> None:
    journal = write(tmp_path / "a.journal", GOOD, bad, GOOD)
    first, torn, last = records(journal)
    assert isinstance(first, Record) and isinstance(last, Record)
    assert isinstance(torn, Torn) and reason in torn.reason and torn.offset == len(MAGIC) + len(GOOD)


@pytest.mark.parametrize(
    ("meta", "reason"),
    [(b"[1]", NO_KIND), (b"{", "a record cannot be read: "), (b"[" * 200_000, "a record cannot be read: ")],
    ids=range(3),
)
def test_a_summary_that_makes_no_sense_ends_only_itself(tmp_path: Path, meta: bytes, reason: str) -> None:
    journal = write(tmp_path / "a.journal", GOOD, raw(meta, b"[{},[]]"), GOOD)
    first, torn, last = summaries(journal)
    assert first == last == {"kind": "do"}
    assert isinstance(torn, Torn) and reason in torn.reason and torn.offset == len(MAGIC) + len(GOOD)


@pytest.mark.parametrize("more", [0, 1])
def test_meta_data_beyond_belief_is_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, more: int
) -> None:
    monkeypatch.setattr(journal_file, "MAX_META", len(b'{"kind":"do"}') - more)
    (found,) = summaries(write(tmp_path / "a.journal", GOOD))
    assert found == (Torn(len(MAGIC), NO_KIND) if more else {"kind": "do"})


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        (GOOD[:-1], "the last record is incomplete"),
        (GOOD[:20], "the last record is incomplete"),
        (raw(b"{}", b"[{},[]]", damage=1), "the last record's checksum does not match"),
        (raw(b"{}", b"[{},[]]", marker=b"PWR?"), "the last record is incomplete"),
        (b"\0" * 64, "the last record is incomplete"),
    ],
    ids=range(5),
)
def test_what_ends_a_journal_is_told(tmp_path: Path, bad: bytes, reason: str) -> None:
    journal = write(tmp_path / "a.journal", GOOD, bad)
    first, torn = records(journal)
    assert first.data == {"kind": "do"} and torn == Torn(len(MAGIC) + len(GOOD), reason)


def test_heads_alone_do_not_tell_of_a_damaged_payload(tmp_path: Path) -> None:
    journal = write(tmp_path / "a.journal", raw(b'{"kind":"a"}', b"[{},[]]", damage=1), GOOD)
    assert list(summaries(journal)) == [{"kind": "a"}, {"kind": "do"}]
    torn, found = records(journal)
    assert torn == Torn(len(MAGIC), "a record in between is damaged and was left out")
    assert found.data == {"kind": "do"}


def test_meta_data_longer_than_its_record_is_no_record(tmp_path: Path) -> None:
    payload = b"{}[{},[]]"
    for meta, text, sound in ((2, 7, True), (3, 7, False)):
        head = struct.pack("<4sQIII", MARKER, len(payload), zlib.crc32(payload), meta, text)
        whole = head + struct.pack("<I", zlib.crc32(head)) + payload
        (found,) = records(write(tmp_path / f"{meta}.journal", whole))
        assert isinstance(found, Record) is sound


@pytest.mark.parametrize("between", [b"", MARKER, MARKER * 3, b"x" * 50 + MARKER + b"y" * 9])
def test_the_next_record_is_found_behind_markers_that_begin_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, between: bytes
) -> None:
    monkeypatch.setattr(journal_file, "WINDOW", 16)
    journal = write(tmp_path / "a.journal", b"lost", between, GOOD, GOOD)
    torn, *found = records(journal)
    assert isinstance(torn, Torn) and torn.offset == len(MAGIC)
    assert [record.data for record in found] == [{"kind": "do"}] * 2


def test_a_long_payload_is_checked_a_window_at_a_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(journal_file, "WINDOW", 8)
    array = np.arange(100, dtype=np.uint8)
    journal = write(tmp_path / "a.journal", *frame(*pack({"kind": "do"}, [array])))
    (found,) = records(journal)
    assert found.arrays[0].tolist() == array.tolist()


# ---------------------------------------------------------------- version 1
@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        (raw_1([{}, []])[:10], "the last record is incomplete"),
        (raw_1([{}, []], length=10**6), "the last record is incomplete"),
        (raw_1([{}, []], length=2), "the last record is incomplete"),
        (raw_1([{}, []], damage=1), "a record's checksum does not match"),
        (raw_1(b"[{},"), "a record cannot be read: "),
        (raw_1([{}]), "a record cannot be read: not arrays"),
        (raw_1([[], []]), NO_KIND),
    ],
    ids=range(7),
)
@pytest.mark.parametrize("read", [records, summaries])
def test_the_first_bad_record_ends_a_journal_of_version_1(
    tmp_path: Path, read, bad: bytes, reason: str
) -> None:
    good = raw_1([{"kind": "do", "x": 1}, [["|u1", [3]]]], b"\1\2\3")
    path = tmp_path / "a.journal"
    after = good if len(bad) > 10 else b""
    path.write_bytes(MAGIC_1 + good + good + bad + after)
    first, second, torn = read(path)
    assert isinstance(torn, Torn) and reason in torn.reason
    assert torn.offset == len(MAGIC_1) + 2 * len(good)
    if read is records:
        assert first.data == second.data == {"kind": "do", "x": 1}
        assert first.arrays[0].tolist() == [1, 2, 3]
    else:
        assert first == second == {"kind": "do", "x": 1}

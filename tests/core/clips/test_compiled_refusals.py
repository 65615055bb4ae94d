"""Compiled clips that say what cannot be, though every checksum is right, are refused in words of their own."""

import json
import re
import struct
import zlib

import numpy as np
import pytest

from core.clips.compiled.clip import CompiledClip
from core.clips.compiled.container import SECTIONS, TRACK, WIDTH_BITS, to_bytes
from core.clips.compiled.tracks import ANY, Kind, Mode
from core.clips.compiled.unpack import from_bytes
from core.errors import FormatError
from tests.core.clips.test_compiled import arm
from tests.core.clips.test_compiled_player import track

TICKS = 40
HINT = r" \(compile the clip again\)$"


def made(even: bool = True) -> CompiledClip:
    """Tracks of three bones and two curves: constant, linear and cubic, keys by list, bitmap and on every tick."""
    r = np.random.default_rng(9)
    kinds = [(Kind.TRANSLATION, Mode.LINEAR), (Kind.ROTATION, Mode.LINEAR), (Kind.ROTATION, Mode.CUBIC),
             (Kind.SCALE, Mode.CUBIC), (Kind.EXTRA, Mode.CUBIC), (Kind.EXTRA, Mode.LINEAR)]  # fmt: skip
    tracks = [
        track(r, kind, n % 2 if kind is Kind.EXTRA else n % 3, mode, TICKS)
        for n, (kind, mode) in enumerate(kinds)
    ]
    axis = np.arange(TICKS) * 0.05 if even else np.cumsum(r.uniform(0.01, 0.1, TICKS))
    about = {"name": "c", "length": 1.95, "bones": ["b0", "b1", "b2"], "curves": ["a"], "morphs": ["m"]}
    return CompiledClip(arm(3).skeleton, axis, tuple(tracks), about)


def place(data: bytes, name: str) -> tuple[int, int]:
    """Where a section begins, and its bytes."""
    return struct.unpack_from("<II", data, 80 + 16 * SECTIONS.index(name))


def signed(data: bytearray) -> bytes:
    """The bytes with all checksums right."""
    for number in range(len(SECTIONS)):
        at = 80 + 16 * number
        offset, length = struct.unpack_from("<II", data, at)
        struct.pack_into("<I", data, at + 8, zlib.crc32(bytes(data[offset : offset + length])))
    struct.pack_into("<I", data, 16, zlib.crc32(bytes(data[20:160])))
    return bytes(data)


def with_header(at: int, form: str, value, even: bool = True) -> bytes:
    data = bytearray(to_bytes(made(even)))
    struct.pack_into(form, data, at, value)
    return signed(data)


def with_about(**changes) -> bytes:
    clip = made()
    return to_bytes(CompiledClip(clip.skeleton, clip.axis, clip.tracks, {**clip.about, **changes}))


def with_row(number: int, **changes) -> tuple[bytes, int]:
    """A file with other words in the row of a track, and where that row is."""
    data = bytearray(to_bytes(made()))
    offset, _ = place(bytes(data), "TRACKS")
    rows = np.frombuffer(bytes(data), TRACK, len(made().tracks), offset).copy()
    for name, value in changes.items():
        rows[number][name] = value(int(rows[number][name])) if callable(value) else value
    data[offset : offset + rows.nbytes] = rows.tobytes()
    return signed(data), offset + number * TRACK.itemsize


def refused(data: bytes, words: str) -> None:
    with pytest.raises(FormatError, match=words):
        from_bytes(data, "a.pwclip")


@pytest.mark.parametrize("even", [True, False])
def test_such_a_file_comes_back(even):
    clip = made(even)
    again = from_bytes(to_bytes(clip))
    np.testing.assert_allclose(again.axis, clip.axis, atol=1e-12)
    for ours, theirs in zip(again.tracks, clip.tracks, strict=True):
        for name in ("kind", "index", "mode", "dropped", "bits"):
            assert getattr(ours, name) == getattr(theirs, name)
        for name in ("ticks", "codes", "drops"):
            np.testing.assert_array_equal(getattr(ours, name), getattr(theirs, name))
        np.testing.assert_allclose(ours.low, theirs.low, atol=2e-6)
        assert (ours.extent >= theirs.extent).all() and (ours.extent <= theirs.extent * 1.07).all()
    np.testing.assert_allclose(again.skeleton.rest.translation, clip.skeleton.rest.translation, atol=1e-7)


@pytest.mark.parametrize(("at", "form", "value", "words"), [
    (0, "<B", 0, r"byte 0: expected b'PWCLIP"),
    (8, "<H", 3, "byte 8: expected version 2 with 5 sections, got 3 with 5"),
    (10, "<H", 4, "byte 8: expected version 2 with 5 sections, got 2 with 4"),
    (20, "<I", 4, "byte 160: section ABOUT names 3 bones, the header says 4"),
    (24, "<I", 1, "byte 24: expected 2 to 10000000 ticks, got 1"),
    (24, "<I", 10_000_001, "byte 24: expected 2 to 10000000 ticks, got 10000001"),
    (28, "<I", 9, "section TRACKS: expected 9 tracks, got 72 bytes"),
    (32, "<d", 1e9, "byte 32: expected evenly spaced ticks, got one every"),
    (32, "<d", -1e9, "byte 32: expected evenly spaced ticks"),
    (40, "<d", 0.0, "byte 32: expected evenly spaced ticks, got one every 0.0 s"),
    (40, "<d", -0.1, "byte 32: expected evenly spaced ticks"),
    (40, "<d", 1e6, "byte 32: expected evenly spaced ticks"),
    (40, "<d", float("nan"), "byte 32: expected evenly spaced ticks"),
    (80, "<I", 168, "byte 80: section ABOUT is said to stand at 168"),
    (96, "<I", 168, "byte 96: section BONES is said to stand at 168"),
    (84, "<I", 3, "byte 80: section ABOUT is said to stand at 160 with 3 bytes, expected 160"),
    (84, "<I", 80_000, "byte 80: section ABOUT is said to stand at 160 with 80000 bytes"),
    (92, "<I", 1, "byte 80: section ABOUT is said to stand"),
    (156, "<I", 1, "byte 144: section DATA is said to stand"),
])  # fmt: skip
def test_headers_that_cannot_be(at, form, value, words):
    refused(with_header(at, form, value), words)


def test_bytes_that_are_missing_or_too_many():
    data = to_bytes(made())
    refused(data[:159], "byte 159: the file ends within its header of 160 bytes")
    refused(
        data[:-8], rf"byte {len(data) - 8}: the file says it has {len(data)} bytes, {len(data) - 8} are there"
    )
    more = bytearray(data + bytes(8))
    struct.pack_into("<I", more, 12, len(more))
    refused(signed(more), rf"byte {len(data)}: expected the end, 8 bytes more came")
    changed = bytearray(data)
    changed[60] ^= 1
    refused(bytes(changed), "byte 16: the header does not match its checksum")
    changed = bytearray(data)
    changed[165] ^= 1
    refused(bytes(changed), r"byte 160: section ABOUT \(\d+ bytes\) does not match its checksum")


@pytest.mark.parametrize(("changes", "words"), [
    ({"bones": "b"}, "expected an object with the names of the bones"),
    ({"bones": ["b0", "b1"]}, "names 2 bones, the header says 3"),
    ({"length": -0.1}, "expected a length in seconds, got -0.1"),
    ({"length": 1e7}, "expected a length in seconds, got 10000000.0"),
    ({"length": "2"}, "expected a length in seconds, got '2'"),
    ({"curves": "a"}, "expected names of curves"),
    ({"morphs": [1]}, "expected names of morphs"),
])  # fmt: skip
def test_words_about_a_clip_that_cannot_be(changes, words):
    refused(with_about(**changes), rf"byte 160: section ABOUT:? {words}{HINT}")


def test_words_that_are_no_object():
    for text, words in ((b"[1, 2, 3]", "expected an object"), (b"{nothing}", "section ABOUT is no JSON")):
        data = bytearray(to_bytes(made()))
        offset, length = place(bytes(data), "ABOUT")
        data[offset : offset + length] = text.ljust(length)
        refused(signed(data), words)
    assert from_bytes(with_about(length=0)).length == 0.0
    assert json.loads(json.dumps(dict(from_bytes(with_about(curves=["x"])).about)))["curves"] == ["x"]


def test_ticks_that_do_not_rise():
    data = bytearray(to_bytes(made(even=False)))
    offset, _ = place(bytes(data), "AXIS")
    for value in (float("nan"), float("inf"), -1.0, struct.unpack_from("<d", data, offset + 8)[0]):
        broken = bytearray(data)
        struct.pack_into("<d", broken, offset + 16, value)
        refused(signed(broken), rf"byte {offset}: section AXIS: expected finite times that rise")
    struct.pack_into("<I", data, 24, TICKS + 1)
    refused(signed(data), rf"section AXIS: expected {TICKS + 1} times, got {8 * TICKS} bytes")


def test_bones_that_cannot_be():
    data = bytearray(to_bytes(made()))
    offset, _ = place(bytes(data), "BONES")
    struct.pack_into("<i", data, offset + 48, 2)  # a bone whose parent comes after it
    refused(signed(data), rf"byte {offset}: section BONES: ")


@pytest.mark.parametrize(("number", "changes", "words"), [
    (0, {"kind": 4 + 16}, "a track of an unknown kind: 4, 1, "),
    (0, {"kind": 16 * 3}, "a track of an unknown kind: 0, 3, "),
    (0, {"told": 8 * 3}, "a track of an unknown kind: 0, 1, 3"),
    (0, {"widths": 1 << 30}, "a track of an unknown kind"),
    (0, {"index": 3}, "a track drives number 3, which there is not"),
    (4, {"index": 2}, "a track drives number 2, which there is not"),
    (0, {"told": lambda told: told | 1}, "a track leaves out component 1"),
    (1, {"told": lambda told: told & ~7 | 5}, "a track leaves out component 5"),
    (2, {"told": lambda told: told & ~7 | ANY}, "a track leaves out component 4"),
    (0, {"widths": 25}, r"expected at most 24 bits, got \(25, 0, 0\)"),
    (3, {"widths": 25 << (3 * WIDTH_BITS)}, r"expected at most 24 bits, got \(0, 0, 0\) and \(25, 0, 0\)"),
    (0, {"kind": 0}, r"a constant track with \d+ keys"),
    (0, {"keys": 1}, r"expected 2 to 40 keys, got 1"),
    (0, {"keys": 41}, r"expected 2 to 40 keys, got 41"),
    (0, {"told": 0, "keys": 39}, r"expected 2 to 40 keys, got 39"),
    (5, {"widths": 24, "keys": 40, "told": 0}, r"the data of this track runs beyond byte \d+"),
])  # fmt: skip
def test_rows_of_tracks_that_cannot_be(number, changes, words):
    data, at = with_row(number, **changes)
    refused(data, rf"byte {at}: {words}")


def test_one_place_driven_twice():
    data, at = with_row(5, index=made().tracks[4].index)
    refused(data, rf"byte {at}: a second track drives the same")


def test_keys_that_are_not_from_end_to_end():
    by_list = [n for n, t in enumerate(made().tracks) if len(t.ticks) * 6 < TICKS]
    by_bits = [n for n, t in enumerate(made().tracks) if len(t.ticks) < TICKS and len(t.ticks) * 6 >= TICKS]
    assert by_list and by_bits
    for number in (by_list[0], by_bits[0]):
        data, at = with_row(number, keys=lambda keys: keys + 1)
        with pytest.raises(FormatError, match=r"byte \d+") as error:
            from_bytes(data)
        assert re.search(
            rf"byte {at}: expected \d+ keys from the first tick to the last, in order", str(error.value)
        )


def test_numbers_that_are_not_finite():
    data = bytearray(to_bytes(made()))
    offset, _ = place(bytes(data), "DATA")
    for value in (float("nan"), float("inf"), 1.1e12, -1.1e12):
        struct.pack_into("<f", data, offset, value)
        refused(signed(data), rf"byte {offset}: expected finite numbers, got \[")
    struct.pack_into("<f", data, offset, 0.9e12)
    assert from_bytes(signed(data)).tracks[0].low[0] == np.float32(0.9e12)

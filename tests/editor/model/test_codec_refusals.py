"""What the journal's codec refuses to write and to read, and what it takes at the limits."""

import base64
from enum import Enum
from fractions import Fraction
from typing import NamedTuple

import numpy as np
import pytest

from core.clips.clip import Channel, ChannelKind, Property
from core.errors import AnimError, ValidationError
from core.project.project import Project
from core.tracks.keys import scalar_track
from editor.model import codec, codec_tracks
from editor.model.codec import MAX_DEPTH, decode, difference, encode, pack, patched, unpack
from editor.model.commands import ViewState
from tests.editor.rigs import small_project


class Unknown(NamedTuple):
    """A tuple that the codec does not know."""

    a: int


@pytest.mark.parametrize("value", [{1}, object(), 1j, range(3)], ids=lambda v: type(v).__name__)
def test_values_of_another_type_are_not_written(value: object) -> None:
    with pytest.raises(ValidationError, match=f"cannot write a {type(value).__name__} down"):
        encode(value, [])
    with pytest.raises(ValidationError, match=f"cannot write a {type(value).__name__} down"):
        encode([value], [])


def test_a_tuple_that_is_not_among_the_classes_is_not_written() -> None:
    with pytest.raises(ValidationError, match="cannot write a Unknown down: its module is not among"):
        encode(Unknown(1), [])


@pytest.mark.parametrize(
    ("value", "plain"),
    [
        (np.float64(1.5), 1.5),
        (np.float32(0.5), 0.5),
        (np.int64(3), 3),
        (np.uint8(3), 3),
        (np.bool_(True), True),
        (True, True),
        (None, None),
        ("a", "a"),
    ],
)
def test_single_numbers_become_plain_ones(value: object, plain: object) -> None:
    found = encode(value, [])
    assert found == plain and type(found) is type(plain)


@pytest.mark.parametrize(
    ("value", "written"),
    [
        ((1, "a"), ["t", [1, "a"]]),
        ([1, (2,)], ["l", [1, ["t", [2]]]]),
        ({1: "a"}, ["m", [[1, "a"]]]),
        (Fraction(30000, 1001), ["f", "30000", "1001"]),
        (b"\0\xff", ["b", base64.b64encode(b"\0\xff").decode()]),
        (Property.ROTATE, ["e", "Property", Property.ROTATE.value]),
        (
            Channel("head", Property.ROTATE, 1),
            [
                "n",
                "Channel",
                ["head", ["e", "Property", Property.ROTATE.value], 1, ["e", "ChannelKind", ChannelKind.BONE.value]],
            ],
        ),
    ],
    ids=range(7),
)  # fmt: skip
def test_values_are_written_in_one_form_and_read_back(value: object, written: list) -> None:
    assert encode(value, []) == written
    back = decode(written, [])
    assert back == value and type(back) is type(value)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (["d", "Property", {}], "Property is no record"),
        (["d", "Channel", {}], "Channel is no record"),
        (["e", "ViewState", 1], "ViewState is no enumeration"),
        (["n", "ViewState", []], "ViewState is no tuple"),
        (["e", "Property", 99], "not a value this program has written"),
        (["d", "Nobody", {}], "not a value this program has written"),
        (["d", "ViewState", {"nobody": 1}], "not a value this program has written"),
        (["?", 1], "not a value this program has written"),
        ([], "not a value this program has written"),
        ({}, "not a value this program has written"),
        (["f", "1", "x"], "not a value this program has written"),
        (["b", "?"], "not a value this program has written"),
        (["a", 1], "array 1 of 1"),
        (["a", -1], "array -1 of 1"),
        (["a", "0"], "array '0' of 1"),
        (["c", 1.0, [2, -1], "<f8"], r"array of shape \(2, -1\), type <f8"),
        (["c", 1.0, [2], "<c8"], r"array of shape \(2,\), type <c8"),
    ],
    ids=str,
)
def test_what_was_not_written_is_refused_in_words(data: object, words: str) -> None:
    with pytest.raises(ValidationError, match=words):
        decode(data, [np.zeros(1)])


def test_fractions_are_read_with_forty_digits_at_most() -> None:
    assert decode(["f", "1" * 41, "2" * 41], []) == Fraction(int("1" * 40), int("2" * 40))


def nested(depth: int) -> object:
    data: object = 0
    for _ in range(depth):
        data = ["l", [data]]
    return data


def test_values_may_be_nested_so_deep_and_no_deeper() -> None:
    assert decode(nested(MAX_DEPTH), []) is not None
    with pytest.raises(ValidationError, match="nested too deeply"):
        decode(nested(MAX_DEPTH + 1), [])


def test_an_array_of_one_number_may_be_so_long_and_no_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(codec, "MAX_CONSTANT", 6)
    found = decode(["c", 2.5, [2, 3], "<f8"], [])
    assert found.shape == (2, 3) and not found.flags.writeable and (found == 2.5).all()
    assert decode(["c", 2.5, [2], "<f4"], []).dtype == np.float32
    with pytest.raises(ValidationError, match="array of shape"):
        decode(["c", 2.5, [7], "<f8"], [])


def test_bare_numbers_and_empty_arrays_are_written_as_arrays() -> None:
    for array in (np.array(2.5), np.zeros((0, 3))):
        arrays: list = []
        assert encode(array, arrays) == ["a", 0] and arrays[0] is array


# ---------------------------------------------------------------- differences
def test_a_change_holds_fields_and_entries_that_differ_and_no_others() -> None:
    view = ViewState(None, None, 1.0, ("a",))
    assert difference(view, view, []) == codec.SHARED
    assert difference(view, ViewState(None, None, 2.0, view.bones), []) == ["patch", {"time": ["new", 2.0]}]
    same = object()
    before, after = {"a": same, "b": 1, "c": 2}, {"a": same, "b": 3, "d": 4}
    assert difference(before, after, []) == ["items", [["b", ["new", 3]], ["d", ["new", 4]]], ["c"], None]
    assert difference({"a": 1}, [1], []) == ["new", ["l", [1]]]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}),
        ({"a": 1, "b": 2, "c": 3}, {"a": 1, "c": 3}),
        ({"a": 1}, {"b": 2, "a": 1}),
        ({"a": 1}, {"a": 1, "b": 2}),
        ({"a": 1, "b": 2}, {}),
        ({}, {"a": None}),
    ],
)
def test_a_mapping_is_patched_to_what_it_became_in_its_order(before: dict, after: dict) -> None:
    change = difference(before, after, [])
    found = patched(before, change, [])
    assert found == after and list(found) == list(after)
    kept = [key for key in before if key in after]
    assert (change[3] is None) is (kept + [key for key in after if key not in before] == list(after))


@pytest.mark.parametrize(
    ("before", "change", "words"),
    [
        (ViewState(), ["patch", {"nobody": ["new", 1]}], "ViewState has no 'nobody'"),
        (ViewState(), ["what", {}], "a change of kind 'what' does not fit a ViewState"),
        (5, ["patch", {}], "a change of kind 'patch' does not fit a int"),
        (Unknown(1), ["patch", {}], "a change of kind 'patch' does not fit a Unknown"),
        ({"a": 1}, ["items", [], ["b"], None], "not a change this program has written"),
        ({"a": 1}, ["items", []], "not a change this program has written"),
        ({"a": 1}, ["items", [], [], ["b"]], "an order names other things than there are"),
        ({"a": 1}, ["items", [], [], ["a", "a"]], "an order names other things than there are"),
        (None, [], "not a change this program has written"),
        (5, ["items", [], [], None], "not a change this program has written"),
    ],
    ids=range(10),
)
def test_a_change_that_does_not_fit_is_refused_in_words(before: object, change: list, words: str) -> None:
    with pytest.raises(AnimError, match=words):
        patched(before, change, [])


def test_a_patched_project_is_a_project_again() -> None:
    before = small_project(mesh=False)
    clip = before.clips[0].id
    after = Project({clip: before.assets[clip]}, {"a": 1})
    found = patched(before, difference(before, after, []), [])
    assert isinstance(found, Project) and list(found.assets) == [clip] and dict(found.settings) == {"a": 1}


# ---------------------------------------------------------------- bytes
def test_arrays_are_packed_little_endian_and_in_order() -> None:
    arrays = [
        np.array([1, 2], ">i4"),
        np.arange(6, dtype=np.float64).reshape(2, 3).T,
        np.array(3.5),
        np.zeros(0),
    ]
    packed, blobs = pack("x", arrays)
    data, kinds = packed
    assert data == "x"
    assert kinds == [["<i4", [2]], ["<f8", [3, 2]], ["<f8", [1]], ["<f8", [0]]]
    assert bytes(blobs[0]) == b"\1\0\0\0\2\0\0\0" and blobs[3] == b""
    _, back = unpack(packed, b"".join(blobs))
    assert back[1].tolist() == arrays[1].tolist() and back[2].tolist() == [3.5]


@pytest.mark.parametrize(
    ("kinds", "size", "words"),
    [
        ([["<f8", [2]]], 15, "an array of 16 bytes, but 15 are left"),
        ([["<f8", [1]], ["<f8", [1]]], 15, "an array of 8 bytes, but 7 are left"),
        ([["|O", [1]]], 8, r"array of type '\|O' and shape \[1\]"),
        ([["<f8", [0, -1]]], 8, r"array of type '<f8' and shape \[0, -1\]"),
        ([["<f8"]], 8, "not arrays this program has written"),
        ([["<f8", ["x"]]], 8, "not arrays this program has written"),
        (5, 8, "not arrays this program has written"),
    ],
    ids=range(7),
)
def test_arrays_that_do_not_fit_their_bytes_are_refused(kinds: object, size: int, words: str) -> None:
    with pytest.raises(ValidationError, match=words):
        unpack([None, kinds], bytes(size))


def test_empty_arrays_take_no_bytes_of_those_that_follow() -> None:
    _, (empty, full) = unpack([None, [["<f8", [0, 3]], ["|u1", [2]]]], b"\1\2")
    assert empty.shape == (0, 3) and full.tolist() == [1, 2]


# ---------------------------------------------------------------- tracks together
def tracks(count: int) -> dict[Channel, object]:
    return {
        Channel(f"b{n}", Property.ROTATE, n % 3): scalar_track([0.0, 1.0], [0.0, n]) for n in range(count)
    }


@pytest.mark.parametrize(("count", "together"), [(codec_tracks.FEW, False), (codec_tracks.FEW + 1, True)])
def test_more_than_a_few_tracks_are_written_together(count: int, together: bool) -> None:
    assert (codec_tracks.encode_tracks(tracks(count), []) is not None) is together


def test_equal_values_of_a_column_may_be_so_many_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    given = {
        channel: scalar_track(np.arange(5.0), np.broadcast_to(float(n), 5))
        for n, channel in enumerate(tracks(12))
    }
    arrays: list = []
    data = codec_tracks.encode_tracks(given, arrays)
    monkeypatch.setattr(codec_tracks, "MAX_FILLED", 5)
    assert list(codec_tracks.decode_tracks(data, arrays)) == list(given)
    monkeypatch.setattr(codec_tracks, "MAX_FILLED", 4)
    with pytest.raises(ValidationError, match="a column of 5 equal values is not believable"):
        codec_tracks.decode_tracks(data, arrays)


def test_channels_named_twice_do_not_fit_their_tracks() -> None:
    arrays: list = []
    names, shown, *rest = codec_tracks.encode_tracks(tracks(12), arrays)
    rows = arrays[shown].copy()
    rows[1] = rows[0]
    arrays[shown] = rows
    with pytest.raises(ValidationError, match="12 channels do not fit the tracks that are there"):
        codec_tracks.decode_tracks([names, shown, *rest], arrays)


def test_fewer_channels_than_tracks_do_not_fit() -> None:
    arrays: list = []
    names, shown, *rest = codec_tracks.encode_tracks(tracks(12), arrays)
    arrays[shown] = arrays[shown][:-1]
    with pytest.raises(ValidationError, match="11 channels do not fit the tracks that are there"):
        codec_tracks.decode_tracks([names, shown, *rest], arrays)


@pytest.mark.parametrize(
    ("array", "fits"),
    [
        (np.zeros((2, 5), np.int32), True),
        (np.zeros((2, 5), np.uint8), True),
        (np.zeros((0, 5), np.int32), True),
        (np.zeros((2, 4), np.int32), False),
        (np.zeros(10, np.int32), False),
        (np.zeros((2, 5)), False),
        (np.full((2, 5), -1), False),
    ],
    ids=range(7),
)
def test_tables_hold_whole_numbers_of_their_shape(array: np.ndarray, fits: bool) -> None:
    if fits:
        assert codec_tracks._numbers(0, [array], (None, 5)) is array
        return
    with pytest.raises(ValidationError, match="expected whole numbers"):
        codec_tracks._numbers(0, [array], (None, 5))


def test_rows_of_columns_keep_the_shape_they_were_written_with() -> None:
    wrong = [
        [0, [[[4], False, 1]]],  # rows of four in an array of rows of three
        [0, [[[-1], False, 1]]],
        [0, [[[], False, 1]]],
        [0, [[[3], True, 1]]],
    ]
    for written in wrong:
        with pytest.raises(ValidationError, match="columns of rows"):
            codec_tracks._pieces(written, [np.array([[0, 2]]), np.zeros((2, 3))])
    (found,) = codec_tracks._pieces([0, [[[3], False, 1]]], [np.array([[0, 2]]), np.zeros((2, 3))])
    assert found.shape == (2, 3)
    with pytest.raises(ValidationError, match="3 rows of columns, but there are 2"):
        codec_tracks._pieces([0, [[[3], False, 1]]], [np.array([[0, 3]]), np.zeros((2, 3))])


def test_enumerations_are_read_by_their_value() -> None:
    for kind in Property:
        assert decode(["e", "Property", kind.value], []) is kind
    assert issubclass(codec.classes()["Property"], Enum)

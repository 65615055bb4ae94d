"""Text on the clipboard at its edges: what kind it is, what is refused and in which words, and limits of numbers."""

import json
from dataclasses import replace

import numpy as np
import pytest

from core.arrays import same_value
from core.clips.clip import WHOLE, Channel, ChannelKind, Notify, Property
from core.errors import Cancelled, ValidationError
from core.math import euler
from core.pose.pose import rest_pose
from core.progress import Progress, running
from core.tracks.keys import quaternion_track, scalar_track
from core.tracks.typed import with_types
from editor.model import clipboard, event_text
from editor.model.channels import curve_channel
from editor.model.clipboard import (
    KEYS_HEAD,
    KEYS_TAIL,
    MOST_SECONDS,
    MOST_VALUE,
    Clipboard,
    keys_to_text,
    pose_to_text,
    text_to_keys,
    text_to_pose,
)
from editor.model.event_text import Copied
from tests.editor.rigs import small_rig

ARM, HEAD = Channel("upper_arm_l", Property.ROTATE, 1), 3
NEITHER = "the clipboard holds neither a pose nor keys"


def row(**changes: object) -> dict[str, object]:
    given = {"bone": "head", "property": "rotate", "axis": 1, "times": [0.0, 1.0], "values": [0.0, 2.0]}
    return {name: value for name, value in (given | changes).items() if value is not None}


def keys(*rows: object, **changes: object) -> str:
    return json.dumps({"posewright": "keys", "version": 1, "tracks": list(rows)} | changes)


# ---------------------------------------------------------------- the clipboard
def test_text_is_kept_where_no_window_brings_another_clipboard() -> None:
    board = Clipboard()
    assert board.text == board.kind == ""
    board.text = "words"
    assert board.text == "words"
    written: list[str] = []
    board.write, board.read = written.append, lambda: "theirs"
    board.text = "ours"
    assert written == ["ours"] and board.text == "theirs"


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("", ""),
        ("words", ""),
        ('{"posewright": "pose"}', "pose"),
        ('  {"posewright": "pose"}', "pose"),
        ('{"posewright": "events"}', "events"),
        ('{"other": 1}', ""),
        ('{"posewright": ', ""),
        ('["posewright"]', ""),
        (f"{KEYS_HEAD}anything", "keys"),
        (json.dumps({"x": " " * 300, "posewright": "pose"}), ""),
    ],
)
def test_kind_of_a_text_is_what_it_says_near_its_beginning(text: str, kind: str) -> None:
    board = Clipboard()
    board.text = text
    assert board.kind == kind and board.kind == kind


def test_kind_follows_the_text() -> None:
    board = Clipboard()
    for text, kind in (('{"posewright": "pose"}', "pose"), ("words", ""), ('{"posewright": "pose"}', "pose")):
        board.text = text
        assert board.kind == kind


# ---------------------------------------------------------------- poses
def test_a_pose_names_its_rig_and_holds_the_bones_asked_for() -> None:
    rig = small_rig()
    pose = rest_pose(rig).with_bone(
        HEAD, [1.0, 2.0, 3.0], euler.to_quaternion([0, 90, 0], 0), [1.0, 2.0, 1.0]
    )
    found = json.loads(pose_to_text(rig, pose, ("head",)))
    assert (found["posewright"], found["version"], found["rig"]) == ("pose", 1, "small")
    assert list(found["bones"]) == ["head"] and found["bones"]["head"]["translation"] == [1.0, 2.0, 3.0]
    assert found["bones"]["head"]["scale"] == [1.0, 2.0, 1.0]
    assert found["bones"]["head"]["rotation"] == pytest.approx([0.0, np.sqrt(0.5), 0.0, np.sqrt(0.5)])


def test_parts_that_a_pose_lacks_stay_as_they_are() -> None:
    rig = small_rig()
    base = rest_pose(rig).with_bone(HEAD, scale=[3.0, 3.0, 3.0])
    text = json.dumps(
        {"posewright": "pose", "bones": {"head": {"translation": [0.0, 0.0, 5.0]}, "chest": {}}}
    )
    found = text_to_pose(text, rig, base)
    assert found.bones == ("head", "chest") and found.missing == () and found.total == 2
    assert found.pose.translations[HEAD].tolist() == [0.0, 0.0, 5.0]
    assert found.pose.scales[HEAD].tolist() == [3.0, 3.0, 3.0]
    np.testing.assert_array_equal(found.pose.translations[:HEAD], base.translations[:HEAD])


@pytest.mark.parametrize(
    ("part", "value", "words"),
    [
        ("translation", [0.0, 0.0], "head translation needs 3 finite numbers up to 1e[+]09, got"),
        ("rotation", [0.0, 0.0, 1.0], "head rotation needs 4 finite numbers"),
        ("scale", [1.0, 1.0, MOST_VALUE * 1.01], "head scale needs 3 finite numbers"),
        ("scale", [1.0, 1.0, -MOST_VALUE * 1.01], "head scale needs 3 finite numbers"),
        ("scale", ["a", 1.0, 1.0], "head scale is not made of numbers"),
        ("scale", [[1.0], 1.0, 1.0], "head scale is not made of numbers"),
        ("scale", [10**400, 1.0, 1.0], "head scale is not made of numbers"),
    ],
)
def test_numbers_of_a_pose_that_make_no_sense_are_named(part: str, value: object, words: str) -> None:
    text = json.dumps({"posewright": "pose", "bones": {"head": {part: value}}})
    with pytest.raises(ValidationError, match=f"pasted pose: {words}"):
        text_to_pose(text, small_rig(), rest_pose(small_rig()))


def test_the_largest_numbers_are_taken() -> None:
    text = json.dumps({"posewright": "pose", "bones": {"head": {"scale": [MOST_VALUE, 1.0, -MOST_VALUE]}}})
    found = text_to_pose(text, small_rig(), rest_pose(small_rig()))
    assert found.pose.scales[HEAD].tolist() == [MOST_VALUE, 1.0, -MOST_VALUE]


@pytest.mark.parametrize("read", ["pose", "keys"])
@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("words", NEITHER),
        ("[]", NEITHER),
        ("[" * 100_000, NEITHER),
        ("{}", "the clipboard holds no {what}: copy {one} first"),
        (
            '{"posewright": "other", "bones": {}, "tracks": []}',
            "the clipboard holds no {what}: copy {one} first",
        ),
    ],
    ids=range(5),
)
def test_text_of_another_kind_is_refused_in_words(read: str, text: str, words: str) -> None:
    words = words.format(what=read, one="one" if read == "pose" else "some")
    with pytest.raises(ValidationError, match=words):
        text_to_pose(text, small_rig(), rest_pose(small_rig())) if read == "pose" else text_to_keys(text)


def test_text_too_long_is_refused_before_it_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    text = keys(row())
    monkeypatch.setattr(clipboard, "MAX_TEXT", len(text))
    assert len(text_to_keys(text)) == 1
    with pytest.raises(ValidationError, match="the clipboard's text is too long for a pose or keys"):
        text_to_keys(text + " ")


def test_text_of_this_program_too_long_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    text = keys_to_text({ARM: scalar_track([0.0], [1.0])}, {ARM: [0]})
    assert text.startswith(KEYS_HEAD) and text.endswith(KEYS_TAIL)
    monkeypatch.setattr(clipboard, "MAX_TEXT", len(text))
    assert list(text_to_keys(text)) == [ARM]
    monkeypatch.setattr(clipboard, "MAX_TEXT", len(text) - 1)
    with pytest.raises(ValidationError, match="too long"):
        text_to_keys(text)


# ---------------------------------------------------------------- keys
def test_keys_of_any_kind_come_back_with_their_types_and_weights() -> None:
    turn, speed = Channel("head", Property.ROTATE, WHOLE), curve_channel("speed")
    weighted = scalar_track([0.0, 1.0, 2.0], [1.0, 2.0, 3.0], weights=(np.full(3, 0.5), np.full(3, 0.25)))
    tracks = {
        ARM: with_types(weighted, np.array([0, 1, 0])),
        turn: quaternion_track([0.0, 1.0], [[0, 0, 0, 1], [0, 0.6, 0, 0.8]]),
        speed: scalar_track([0.0], [4.0]),
    }
    text = keys_to_text(tracks, {channel: np.arange(len(track)) for channel, track in tracks.items()})
    rows = json.loads(text)["tracks"]
    assert [("types" in r, "in_weights" in r, "in_tangents" in r) for r in rows] == [
        (True, True, False),
        (False, False, True),
        (False, True, False),
    ]
    assert [(r["axis"], r["kind"], r["property"]) for r in rows][:2] == [
        (1, "bone", "rotate"),
        (WHOLE, "bone", "rotate"),
    ]
    back = text_to_keys(text)
    assert list(back) == [ARM, turn, speed] and back[ARM].types.tolist() == [0, 1, 0]
    assert all(same_value(back[channel], track) for channel, track in tracks.items())


def test_keys_of_another_program_need_only_places_and_values() -> None:
    (found,) = text_to_keys(keys(row())).items()
    assert found[0] == Channel("head", Property.ROTATE, 1, ChannelKind.BONE)
    assert (found[1].times.tolist(), found[1].values.tolist()) == ([0.0, 1.0], [0.0, 2.0])
    (curve,) = text_to_keys(keys(row(bone="speed", kind="curve", axis=0)))
    assert (curve.kind, curve.bone) == (ChannelKind.CURVE, "speed")


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"axis": 4}, "there is no axis 4"),
        ({"axis": -1}, "there is no axis -1"),
        ({"bone": None}, "the keys on the clipboard cannot be read"),
        ({"property": "colour"}, "the keys on the clipboard cannot be read"),
        ({"kind": "colour"}, "the keys on the clipboard cannot be read"),
        ({"axis": "x"}, "the keys on the clipboard cannot be read"),
        ({"values": None}, "the keys on the clipboard cannot be read"),
        ({"times": [0.0, MOST_SECONDS * 1.01]}, r"head times holds numbers beyond ±1e[+]07"),
        ({"times": [-MOST_SECONDS * 1.01, 0.0]}, r"head times holds numbers beyond ±1e[+]07"),
        ({"values": [0.0, MOST_VALUE * 1.01]}, r"head values holds numbers beyond ±1e[+]09"),
        ({"modes": [0, 256]}, "head modes holds numbers beyond ±255"),
        ({"values": [0.0, "x"]}, "head values is not made of numbers"),
    ],
    ids=str,
)
def test_keys_that_make_no_sense_are_refused_in_words(changes: dict[str, object], words: str) -> None:
    with pytest.raises(ValidationError, match=words):
        text_to_keys(keys(row(**changes)))


@pytest.mark.parametrize("tracks", [5, None, {"a": 1}])
def test_tracks_that_are_no_list_are_refused(tracks: object) -> None:
    with pytest.raises(ValidationError, match="the clipboard holds no keys: copy some first"):
        text_to_keys(keys(tracks=tracks))


@pytest.mark.parametrize("rows", [[5], [[]], [None], ["words"]])
def test_rows_that_are_none_are_refused(rows: list[object]) -> None:
    with pytest.raises(ValidationError, match="the keys on the clipboard cannot be read"):
        text_to_keys(keys(*rows))


def test_the_largest_times_and_values_are_taken() -> None:
    (track,) = text_to_keys(keys(row(times=[0.0, MOST_SECONDS], values=[-MOST_VALUE, MOST_VALUE]))).values()
    assert track.times[1] == MOST_SECONDS and track.values.tolist() == [-MOST_VALUE, MOST_VALUE]
    (empty,) = text_to_keys(keys(row(times=[0.0], values=[1.0], modes=[0]))).values()
    assert len(empty) == 1


def test_names_are_written_as_they_are() -> None:
    assert '"Über ä"' in keys_to_text(
        {curve_channel("Über ä"): scalar_track([0.0], [1.0])}, {curve_channel("Über ä"): [0]}
    )
    rig = small_rig()
    assert "Ä" in pose_to_text(replace(rig, name="Ä"), rest_pose(rig), ())


def test_words_for_keys_end_with_a_cancel() -> None:
    progress = Progress()
    progress.cancel()
    with running(progress), pytest.raises(Cancelled):
        clipboard._row_text({"times": [0.0]})


# ---------------------------------------------------------------- notifies
def test_notifies_come_back_and_nothing_is_nothing() -> None:
    copied = Copied((), (Notify("step", 0.5, 0.25),))
    assert event_text.read(event_text.written(copied)) == copied and bool(copied) and not Copied()
    found = json.loads(event_text.written(Copied()))
    assert (found["posewright"], found["version"]) == ("events", 1)


def test_notifies_in_a_text_too_long_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    text = event_text.written(Copied((), (Notify("step", 0.5, 0.25),)))
    monkeypatch.setattr(event_text, "MAX_TEXT", len(text))
    assert event_text.read(text)
    with pytest.raises(ValidationError, match="The clipboard holds too much text for notifies"):
        event_text.read(text + " ")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("words", "holds no notifies or segments"),
        ("[" * 100_000, "holds no notifies or segments"),
        ("[]", "holds no notifies or segments"),
        ('{"posewright": "pose"}', "holds no notifies or segments"),
        ('{"posewright": "events", "segments": 5}', "The text on the clipboard is damaged: "),
        (
            '{"posewright": "events", "segments": [], "notifies": [{}]}',
            "The text on the clipboard is damaged: ",
        ),
    ],
    ids=range(6),
)
def test_text_without_notifies_is_refused_in_words(text: str, words: str) -> None:
    with pytest.raises(ValidationError, match=words):
        event_text.read(text)

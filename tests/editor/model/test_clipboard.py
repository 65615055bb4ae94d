"""Poses and keys as text: what goes out comes back, what does not fit is told."""

import json

import numpy as np
import pytest

from core.arrays import same_value
from core.clips.clip import WHOLE, Channel, Property
from core.errors import ValidationError
from core.math import euler, quat
from core.pose.pose import rest_pose
from core.tracks.keys import quaternion_track, scalar_track, taken
from editor.model import pose_edits
from editor.model.clipboard import PIECE, Clipboard, keys_to_text, pose_to_text, text_to_keys, text_to_pose
from editor.model.messages import Level
from editor.model.session import Session
from editor.tools import key_commands
from tests.editor.rigs import small_project, small_rig

ARM = Channel("upper_arm_l", Property.ROTATE, 1)


@pytest.fixture
def session() -> Session:
    session = Session.create()
    session.document.replace(small_project(), None)
    yield session
    session.close()


def test_pose_survives_the_text_exactly() -> None:
    rig = small_rig()
    pose = rest_pose(rig).with_bone(3, [0.1, 0.2, 1 / 3], euler.to_quaternion([10, 20, 30], 0), [1, 2, 3])
    found = text_to_pose(pose_to_text(rig, pose), rig, rest_pose(rig))
    assert found.missing == () and len(found.bones) == found.total == 16
    for part, other in zip(found.pose.local, pose.local, strict=True):
        np.testing.assert_allclose(part, other, atol=1e-15)


def test_paste_on_another_rig_reports_the_match(session: Session) -> None:
    document = json.loads(pose_to_text(session.rig, session.evaluator.pose(), ("head",)))
    document["bones"] |= {"tail": document["bones"]["head"]}
    document["bones"]["head"]["rotation"] = [0, 0, 1, 1]
    session.clipboard.text = json.dumps(document)
    pose_edits.paste_pose(session)
    assert session.messages.latest.level is Level.WARNING
    assert "1 of 2 bones, missing: tail" in session.messages.latest.text
    assert session.evaluator.pose().rotations[3, 2] == pytest.approx(np.sqrt(0.5))


def test_copy_and_paste_pose_between_frames_goes_to_the_selection_only(session: Session) -> None:
    session.playback.seek(20 / 30)
    wanted = session.evaluator.pose()
    pose_edits.copy_pose(session)
    session.playback.seek(1.0)
    session.selection.select(["lower_arm_l"])
    pose_edits.paste_pose(session)
    np.testing.assert_allclose(session.evaluator.pose().rotations[5], wanted.rotations[5], atol=1e-9)
    assert not np.allclose(session.evaluator.pose().rotations[4], wanted.rotations[4])
    assert session.history.labels == ("Paste pose @ f30",)


def test_paste_with_auto_key_off_is_pending(session: Session) -> None:
    session.playback.seek(20 / 30)
    pose_edits.copy_pose(session)
    session.playback.seek(1.0)
    session.keying.auto = False
    pose_edits.paste_pose(session)
    assert {"upper_arm_l", "lower_arm_l"} <= set(session.keying.pending)


@pytest.mark.parametrize("row", [5, "x", None, [0, 0, 0]])
def test_pose_text_with_a_bone_that_is_no_transform_is_refused(session: Session, row: object) -> None:
    text = json.dumps({"posewright": "pose", "bones": {"head": row}})
    with pytest.raises(ValidationError, match="head is no transform"):
        text_to_pose(text, session.rig, session.evaluator.pose())


BAD = ["", "hello", "[]", "{}", '{"posewright": "pose"}', '{"posewright": "pose", "bones": 3}', "[" * 99999]


@pytest.mark.parametrize("text", BAD, ids=range(len(BAD)))
def test_text_without_a_pose_is_refused(session: Session, text: str) -> None:
    with pytest.raises(ValidationError):
        text_to_pose(text, session.rig, session.evaluator.pose())
    with pytest.raises(ValidationError):
        text_to_keys(text)


@pytest.mark.parametrize("value", [[0, 0, 0, 0], [0, 0, 0, None], [0, 0, 1], "x", [1e999, 0, 0, 0]])
def test_pose_text_with_numbers_that_turn_nothing_is_refused(session: Session, value: object) -> None:
    text = json.dumps({"posewright": "pose", "bones": {"head": {"rotation": value}}})
    with pytest.raises(ValidationError):
        text_to_pose(text, session.rig, session.evaluator.pose())


def test_keys_survive_the_text_exactly() -> None:
    clip = small_project().clips[0]
    turn = Channel("head", Property.ROTATE, WHOLE)
    tracks = dict(clip.tracks) | {turn: quaternion_track([0, 1], [[0, 0, 0, 1], [0, 0.6, 0, 0.8]])}
    keys = {ARM: [1, 2], turn: [0, 1]}
    back = text_to_keys(keys_to_text(tracks, keys))
    assert list(back) == [ARM, turn]
    for channel, track in back.items():
        assert same_value(track, taken(tracks[channel], keys[channel]))


def test_many_keys_become_text_in_short_pieces_that_let_the_window_work(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    times = np.arange(4321) / 30.0
    turns = quat.normalise(np.stack([np.sin(times), np.cos(times), times, np.ones(len(times))], axis=1))
    turn = Channel("head", Property.ROTATE, WHOLE)
    tracks = {ARM: scalar_track(times, np.sin(times)), turn: quaternion_track(times, turns)}
    lengths, dumps = [], json.dumps

    def noted(value: object, **options: object) -> str:
        lengths.append(np.size(value) if isinstance(value, list) else 1)
        return dumps(value, **options)

    monkeypatch.setattr(json, "dumps", noted)
    text = keys_to_text(tracks, {channel: np.arange(len(times)) for channel in tracks})
    assert max(lengths) <= 4 * PIECE, "no call of the encoder holds the interpreter for long"
    assert json.loads(text)["tracks"][0]["bone"] == ARM.bone
    back = text_to_keys(text)
    assert list(back) == [ARM, turn]
    for channel, track in back.items():
        assert same_value(track, taken(tracks[channel], np.arange(len(times))))


def test_paste_keys_stand_at_the_playhead_and_win(session: Session) -> None:
    session.selection.select_keys({ARM: [1, 2]})
    key_commands.copy(session)
    assert session.clipboard.kind == "keys"
    session.playback.seek(40 / 30)
    key_commands.paste(session)
    track = session.clip.scalar(ARM)
    assert np.round(track.times * 30).tolist() == [0, 20, 40, 60] and track.values.tolist() == [
        0,
        -20,
        -20,
        20,
    ]
    assert session.selection.keys[ARM].tolist() == [2, 3]
    session.undo()
    assert session.clip.scalar(ARM).values.tolist() == [0, -20, 20, 0]


def test_paste_keys_that_do_not_fit_are_told(session: Session) -> None:
    turn = Channel("upper_arm_l", Property.ROTATE, WHOLE)
    other = Channel("tail", Property.ROTATE, 0)
    tracks = {
        turn: quaternion_track([0], [[0, 0, 0, 1]]),
        ARM: session.clip.tracks[ARM],
        other: session.clip.tracks[ARM],
    }
    session.clipboard.text = keys_to_text(tracks, {c: [0] for c in tracks})
    key_commands.paste(session)
    assert "2 channels are locked or do not fit" in session.messages.latest.text
    session.clipboard.text = keys_to_text(tracks, {turn: [0]})
    with pytest.raises(ValidationError, match="none of the keys"):
        key_commands.paste(session)


def test_duplicate_delete_move_are_one_step_each(session: Session) -> None:
    session.selection.select_keys({ARM: [1]})
    session.playback.seek(30 / 30)
    key_commands.duplicate(session)
    assert len(session.clip.tracks[ARM]) == 5
    key_commands.frames_typed(session, 1.0, 1.0, "+1")
    assert session.clip.tracks[ARM].times[2] == pytest.approx(31 / 30)
    key_commands.delete(session)
    assert len(session.clip.tracks[ARM]) == 4 and dict(session.selection.keys) == {}
    assert session.history.labels == ("Duplicate keys @ f30", "Frames of 1 key: +1", "Delete 1 key")


def test_keys_of_locked_bones_are_left_alone(session: Session) -> None:
    key_commands.select_all(session)
    session.selection.set_flag("locked", ["upper_arm_l"])
    before = session.clip
    key_commands.delete(session)
    assert {c.bone for c in session.clip.tracks} == {"upper_arm_l"}
    assert session.clip.tracks[ARM] is before.tracks[ARM]


def test_select_keys_here_and_all_follow_the_bones_selected(session: Session) -> None:
    session.playback.seek(20 / 30)
    key_commands.select_here(session)
    assert len(session.selection.keys) == 4  # the pelvis has none here
    session.selection.select(["lower_arm_l"])
    key_commands.select_all(session)
    assert {c.bone: len(k) for c, k in session.selection.keys.items()} == {"lower_arm_l": 4}


ABSURD = [1e308, -1e308, 1e12, "1e999", None, [1.0], 10**400, float("nan"), float("inf"), "x", True]


@pytest.mark.parametrize("column", ["times", "values", "in_slopes", "out_weights", "interpolations", "modes"])
@pytest.mark.parametrize("number", ABSURD, ids=lambda v: repr(v)[:12])
def test_absurd_numbers_among_pasted_keys_are_refused_with_words(column, number):
    row = {"bone": "arm_l", "property": "rotate", "axis": 0, "times": [0.0, 1.0], "values": [0.0, 1.0]}
    row[column] = [0.0, number]
    text = json.dumps({"posewright": "keys", "version": 1, "tracks": [row]})
    if number is True:
        text_to_keys(text)  # one
        return
    with pytest.raises(ValidationError):
        text_to_keys(text)


@pytest.mark.parametrize("axis", [1e999, "x", None, [], 99, -7, 10**30])
def test_absurd_axis_of_pasted_keys_is_refused(axis):
    row = {"bone": "arm_l", "property": "rotate", "axis": axis, "times": [0.0], "values": [0.0]}
    with pytest.raises(ValidationError):
        text_to_keys(json.dumps({"posewright": "keys", "version": 1, "tracks": [row]}))


def test_kind_of_a_long_text_is_looked_for_once(monkeypatch):
    import editor.model.clipboard as module

    asked = []
    real = module._document
    monkeypatch.setattr(module, "_document", lambda text: asked.append(1) or real(text))
    board = Clipboard()
    board.text = json.dumps({"posewright": "keys", "tracks": []})
    assert [board.kind, board.kind, board.kind] == ["keys"] * 3 and len(asked) == 1
    board.text = "something else"
    assert board.kind == ""

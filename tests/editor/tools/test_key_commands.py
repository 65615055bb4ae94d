"""What is done with selected keys: selecting, copying, pasting, numbers, loops; labels, what is said, locked bones."""

from dataclasses import replace

import numpy as np
import pytest

from core.clips.clip import Channel, Property
from core.clips.loop_tools import cycled, linked
from core.errors import ValidationError
from core.rig.rig import MirrorSetup
from editor.model import clipboard
from editor.tools import key_commands
from editor.tools.curves.lanes import curve_channel
from tests.editor.actions import rich

TURN, ELBOW = rich.TURN, Channel("lower_arm_l", Property.ROTATE, 1)
PELVIS, SPEED = Channel("pelvis", Property.TRANSLATE, 1), curve_channel("speed")
ARM = [Channel("upper_arm_l", Property.ROTATE, axis) for axis in range(3)]


@pytest.fixture
def session():
    made = rich.session()
    made.playback.set_range(None)
    yield made
    made.close()


def chosen(session):
    return {c: np.asarray(k).tolist() for c, k in session.selection.keys.items()}


def frames(session, channel=TURN):
    return np.round(session.clip.tracks[channel].times * 30.0, 6).tolist()


def last(session):
    return session.history.labels[session.history.position - 1]


# ---------------------------------------------------------------- selecting
def test_channels_shown_are_those_of_the_selected_bones_else_all(session):
    assert set(key_commands.shown_channels(session)) == set(ARM)
    session.selection.select([])
    shown = key_commands.shown_channels(session)
    assert {*ARM, ELBOW, PELVIS, SPEED} <= set(shown)
    key_commands.select_all(session)
    assert chosen(session)[PELVIS] == [0, 1] and chosen(session)[SPEED] == [0, 1, 2]
    assert chosen(session)[TURN] == [0, 1, 2, 3] and set(chosen(session)) == set(shown)
    session.selection.select(["upper_arm_l"])
    key_commands.select_all(session)
    assert chosen(session) == {c: [0, 1, 2, 3] for c in ARM}


def test_keys_at_the_playhead_are_selected(session):
    session.selection.select([])
    session.playback.seek(20.0 / 30.0)
    key_commands.select_here(session)
    assert chosen(session) == {**{c: [1] for c in ARM}, ELBOW: [1]}
    session.playback.seek(1.0)
    key_commands.select_here(session)
    assert chosen(session) == {SPEED: [1]}
    session.playback.seek(0.9)
    key_commands.select_here(session)
    assert chosen(session) == {}


def test_without_a_clip_there_is_nothing(session):
    session.document.replace(type(session.document.project)({}), None)
    assert key_commands.shown_channels(session) == () and key_commands.selected(session) is None
    key_commands.select_all(session)
    key_commands.select_here(session)
    assert key_commands.frames_of(session) == (None, 0) and key_commands.first_at(session, 3.0) is None
    assert not key_commands.set_first(session, 3.0) and not key_commands.commit_made(session, "x", None)
    with pytest.raises(ValidationError, match="does not loop"):
        key_commands.cycle_here(session)


def test_keys_of_locked_bones_are_left_out_and_it_is_said(session):
    session.selection.select_keys({TURN: np.array([1]), ELBOW: np.array([1]), SPEED: np.array([1])})
    said = len(session.messages.log)
    assert (
        set(key_commands.selected(session)[1]) == {TURN, ELBOW, SPEED} and len(session.messages.log) == said
    )
    session.selection.set_flag("locked", ["upper_arm_l"])
    assert set(key_commands.selected(session)[1]) == {ELBOW, SPEED}
    assert session.messages.latest.text == "Keys of locked bones were not changed"
    assert session.messages.latest.next_step == "Unlock them in the bone tree"
    session.selection.select_keys({TURN: np.array([1])})
    assert key_commands.selected(session) is None
    with pytest.raises(ValidationError, match="no keys are selected"):
        key_commands.delete(session)


# ---------------------------------------------------------------- the clipboard
def test_copied_keys_are_pasted_at_the_playhead_or_each_at_its_own_time(session):
    key_commands.copy(session)
    assert session.messages.latest.text == "Copied 2 keys"
    values = session.clip.tracks[TURN].values
    session.playback.seek(25.0 / 30.0)
    assert key_commands.paste(session)
    assert last(session) == "Paste keys @ f25" and frames(session) == [0.0, 20.0, 25.0, 40.0, 45.0, 60.0]
    assert session.clip.tracks[TURN].values.tolist() == values[[0, 1, 1, 2, 2, 3]].tolist()
    assert chosen(session) == {TURN: [2, 4]}
    session.undo()
    session.edits.put("away", session.clip.with_tracks({TURN: None}))
    session.playback.seek(25.0 / 30.0)
    assert key_commands.paste(session, at_playhead=False)
    assert last(session) == "Paste keys @ f20" and frames(session) == [20.0, 40.0]


def test_keys_are_pasted_turned_round_or_on_the_other_side(session):
    key_commands.copy(session)
    values = session.clip.tracks[TURN].values
    session.playback.seek(25.0 / 30.0)
    assert key_commands.paste(session, backwards=True) and last(session) == "Paste keys reversed @ f25"
    assert session.clip.tracks[TURN].values.tolist() == values[[0, 1, 2, 2, 1, 3]].tolist()
    session.undo()
    assert key_commands.paste(session, mirror=True) and last(session) == "Paste keys mirrored @ f25"
    twin = {c for c in session.clip.tracks if c.bone == "upper_arm_r"}
    assert {c.property for c in twin} == {Property.ROTATE} and set(chosen(session)) == twin
    assert all(np.allclose(session.clip.tracks[c].times * 30.0, [25.0, 45.0]) for c in twin)
    assert frames(session) == [0.0, 20.0, 40.0, 60.0]
    turned = session.clip.tracks[Channel("upper_arm_r", Property.ROTATE, 1)].values
    assert np.allclose(turned, [20.0, -20.0])


def test_keys_that_no_mirror_list_knows_are_not_mirrored(session):
    rows = {TURN: session.clip.tracks[TURN], SPEED: session.clip.curves["speed"]}
    assert all(c.bone == "upper_arm_r" for c in key_commands.mirrored_rows(session.rig, session.clip, rows))
    spine = {Channel("spine", Property.ROTATE, 1): session.clip.tracks[TURN]}
    assert {c.bone for c in key_commands.mirrored_rows(session.rig, session.clip, spine)} == {"spine"}
    bare = replace(session.rig, mirror=MirrorSetup())
    for rig, some in ((bare, rows), (session.rig, {SPEED: session.clip.curves["speed"]})):
        with pytest.raises(ValidationError, match="mirror lists"):
            key_commands.mirrored_rows(rig, session.clip, some)


def test_what_is_locked_or_does_not_fit_is_left_out_and_counted(session):
    session.selection.select_keys({c: np.array([1]) for c in (*ARM, ELBOW)})
    key_commands.copy(session)
    session.selection.set_flag("locked", ["lower_arm_l"])
    session.playback.seek(30.0 / 30.0)
    assert key_commands.paste(session, locked=[ARM[0]])
    assert set(chosen(session)) == {ARM[1], ARM[2]}
    assert session.messages.latest.text.startswith("2 channels are locked or do not fit and were left out")
    assert session.messages.latest.next_step == "Unlock them"
    session.undo()
    assert key_commands.paste(session)
    assert session.messages.latest.text.startswith("1 channel is locked or does not fit and was left out")
    session.undo()
    clip = session.clip
    session.selection.set_flag("locked", ["upper_arm_l", "lower_arm_l"])
    before = session.history.position
    try:
        assert not key_commands.paste(session)
    except ValidationError as error:
        assert "none of the keys fits" in str(error)
    assert session.clip is clip and session.history.position == before


def test_copies_beside_the_selection_and_of_given_keys(session):
    session.playback.seek(50.0 / 30.0)
    assert key_commands.duplicate(session)
    assert last(session) == "Duplicate keys @ f50" and frames(session) == [0.0, 20.0, 40.0, 50.0, 60.0, 70.0]
    session.undo()
    clip = session.clip
    assert key_commands.duplicate(session, (clip, {ELBOW: np.array([2])}))
    assert frames(session, ELBOW) == [0.0, 20.0, 40.0, 50.0, 60.0] and frames(session) == [
        0.0,
        20.0,
        40.0,
        60.0,
    ]
    key_commands.copy(session, (clip, {ELBOW: np.array([1])}))
    assert session.messages.latest.text == "Copied 1 key"
    session.selection.select_keys({})
    for work in (key_commands.copy, key_commands.duplicate):
        with pytest.raises(ValidationError, match="no keys are selected"):
            work(session)
    with pytest.raises(ValidationError, match="no keys are selected"):
        key_commands.copy(session, (clip, {}))


def test_more_keys_than_the_clipboard_takes_are_refused(session, monkeypatch):
    monkeypatch.setattr(key_commands, "MAX_COPIED", 2)
    key_commands.copy(session)
    assert clipboard.MAX_COPIED > 2
    text = session.clipboard.text
    session.selection.select_keys({TURN: np.array([0, 1, 2])})
    with pytest.raises(ValidationError, match="takes 2 keys, not 3"):
        key_commands.copy(session)
    assert session.clipboard.text == text


def test_deleted_keys_go_in_one_step(session):
    assert key_commands.delete(session)
    assert last(session) == "Delete 2 keys" and frames(session) == [0.0, 60.0] and chosen(session) == {}
    assert key_commands.delete(session, (session.clip, {ELBOW: np.array([0])}))
    assert last(session) == "Delete 1 key" and frames(session, ELBOW) == [20.0, 40.0, 60.0]


# ---------------------------------------------------------------- numbers
def test_the_frame_of_keys_at_one_time_and_how_many_they_are(session):
    assert key_commands.frames_of(session) == (None, 2)
    session.selection.select_keys({TURN: np.array([1]), ELBOW: np.array([1])})
    frame, number = key_commands.frames_of(session)
    assert frame == pytest.approx(20.0) and number == 2
    session.selection.select_keys({})
    assert key_commands.frames_of(session) == (None, 0)


def test_the_first_of_the_selected_keys_goes_to_a_frame(session):
    preview = key_commands.first_at(session, 25.0)
    assert np.allclose(preview.clip.tracks[TURN].times * 30.0, [0, 25, 45, 60]) and frames(session)[1] == 20.0
    assert key_commands.set_first(session, 25.0)
    assert last(session) == "Move 2 keys to frame 25" and frames(session) == [0.0, 25.0, 45.0, 60.0]
    assert chosen(session) == {TURN: [1, 2]}
    assert key_commands.set_first(session, 10.5) and last(session) == "Move 2 keys to frame 10.5"
    session.selection.select_keys({})
    assert key_commands.first_at(session, 25.0) is None and not key_commands.set_first(session, 25.0)


def test_frames_are_typed_with_a_factor_and_an_offset(session):
    assert key_commands.frames_typed(session, 1.0, 3.0, "+3")
    assert last(session) == "Frames of 2 keys: +3" and frames(session) == [0.0, 23.0, 43.0, 60.0]
    assert key_commands.frames_typed(session, 0.5, 0.0, "*0.5") and frames(session) == [0.0, 11.5, 21.5, 60.0]


def test_an_edit_that_changes_nothing_is_no_step(session):
    before = session.history.position
    assert not key_commands.commit(session, "same", key_commands.Edited(session.clip, {ELBOW: np.array([0])}))
    assert session.history.position == before and chosen(session) == {ELBOW: [0]}
    assert not key_commands.commit_made(
        session, "same", lambda clip: key_commands.Edited(clip, {TURN: np.array([3])})
    )
    assert session.history.position == before and chosen(session) == {TURN: [3]}


# ---------------------------------------------------------------- loops
def test_ends_are_linked_of_given_channels_selected_ones_or_those_shown(session):
    length = session.clip.length
    tracks = {c: session.clip.tracks[c] for c in (*ARM, ELBOW)}
    raised = {c: replace(track, values=track.values + [0, 0, 0, 9]) for c, track in tracks.items()}
    session.edits.put("raised", session.clip.with_tracks(raised))
    clip = session.clip
    for channels, keys, bones, changed in (
        ([ELBOW], {TURN: [1]}, ["upper_arm_l"], [ELBOW]), (None, {TURN: [1]}, ["lower_arm_l"], [TURN]),
        (None, {}, ["lower_arm_l"], [ELBOW]), (None, {}, ["upper_arm_l"], ARM),
    ):  # fmt: skip
        session.selection.select(bones)
        session.selection.select_keys({c: np.array(k) for c, k in keys.items()})
        assert key_commands.link_ends(session, channels) and last(session) == "Link first and last keys"
        for channel in (*ARM, ELBOW):
            track = session.clip.tracks[channel]
            same = track is clip.tracks[channel]
            assert same is (channel not in changed)
            if not same:
                assert np.array_equal(track.values, linked(clip.tracks[channel], length).values)
        session.undo()
    session.selection.set_flag("locked", ["upper_arm_l"])
    before = session.history.position
    key_commands.link_ends(session, [TURN])
    assert session.history.position == before


@pytest.mark.parametrize("work", [key_commands.link_ends, key_commands.cycle_here])
def test_a_clip_that_does_not_loop_has_no_cycle(session, work):
    session.edits.put("open", replace(session.clip, looping=False))
    with pytest.raises(ValidationError, match="turn on Looping"):
        work(session)


def test_the_cycle_begins_at_the_playhead(session):
    clip = session.clip
    session.playback.seek(20.0 / 30.0)
    assert key_commands.cycle_here(session)
    assert last(session) == "Start the cycle here" and session.playback.time == 0.0 and chosen(session) == {}
    assert np.allclose(session.clip.tracks[TURN].times, cycled(clip, 20.0 / 30.0).tracks[TURN].times)
    before = session.history.position
    key_commands.cycle_here(session)  # at its start already
    assert session.history.position == before

"""Nudging keys and putting frames between them, on a session: what is worked on, one step, locks, messages."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.clips.channels import all_tracks
from core.clips.clip import Channel, Property
from core.errors import ValidationError
from core.tracks.keys import scalar_track
from editor.model.timing_state import TimingState
from editor.tools import key_moves, shaping, timing
from tests.editor.actions import rich

TURN = rich.TURN
OTHER = Channel("upper_arm_l", Property.ROTATE, 0)


@pytest.fixture
def session():
    made = rich.session()
    yield made
    made.close()


def frames(session, channel: Channel = TURN) -> list[float]:
    return np.round(session.clip.tracks[channel].times * 30.0, 6).tolist()


@given(st.sets(st.integers(0, 9), min_size=1), st.integers(-400, 400))
def test_nudged_keys_keep_their_spacing_values_and_slopes_to_a_tenth_of_a_frame(chosen, tenths: int) -> None:
    made = rich.session()
    try:
        clip = made.clip
        keys = {c: np.array(sorted(k for k in chosen if k < len(t))) for c, t in clip.tracks.items()}
        keys = {c: k for c, k in keys.items() if len(k)}
        found = key_moves.moved(clip, keys, clip.rate.to_seconds(tenths / 10.0))
        for channel, numbers in found.keys.items():
            old, new = clip.tracks[channel], found.clip.tracks[channel]
            was = old.times[keys[channel]]
            assert np.diff(new.times[numbers]) == pytest.approx(np.diff(was), abs=1e-9)
            assert new.times[numbers] == pytest.approx(was + tenths / 300.0, abs=1e-9)
    finally:
        made.close()


def test_selected_keys_are_nudged_in_one_step_and_stay_selected(session) -> None:
    before, position = session.document.project, session.history.position
    was = frames(session)
    assert timing.nudge(session, 1.0)
    assert session.history.position == position + 1 and session.history.labels[-1] == "Nudge 2 keys +1 f"
    assert frames(session) == [was[0], was[1] + 1, was[2] + 1, *was[3:]]
    timing.nudge(session, -0.1)
    assert frames(session)[1] == pytest.approx(was[1] + 0.9)
    assert session.undo() and session.undo()
    assert session.document.project.assets[session.clip.id] is before.assets[session.clip.id]


def test_without_selected_keys_those_of_the_bones_here_move_and_the_playhead_with_them(session) -> None:
    session.selection.select_keys({})
    session.selection.select(["upper_arm_l"])
    start = session.clip.tracks[TURN].times[1]
    session.playback.seek(float(start))
    for count in (1, 2, 3):
        assert timing.nudge(session, 1.0)
        assert session.playback.time == pytest.approx(start + count / 30.0)
    assert session.clip.tracks[TURN].times[1] == pytest.approx(start + 0.1)
    assert not session.selection.keys


def test_keys_of_locked_bones_are_nudged_by_nothing(session) -> None:
    session.selection.set_flag("locked", ["upper_arm_l"])
    before = session.clip
    with pytest.raises(ValidationError, match="locked"):
        timing.nudge(session, 1.0)
    session.selection.select_keys({})
    session.playback.seek(float(before.tracks[TURN].times[1]))
    with pytest.raises(ValidationError, match="no key at the playhead"):
        timing.nudge(session, 1.0)
    assert session.clip is before


def test_frames_everywhere_move_events_and_length_and_leave_locked_bones_with_a_word(session) -> None:
    session.selection.set_flag("locked", ["upper_arm_l"])
    before = session.clip
    assert timing.put_frames(session, 2)
    after = session.clip
    assert after.length == pytest.approx(before.length + 2 / 30.0)
    assert after.tracks[TURN] is before.tracks[TURN]
    assert after.notifies[0].time == pytest.approx(before.notifies[0].time + 2 / 30.0)
    assert "locked" in session.messages.latest.text.lower()
    assert session.history.labels[-1] == "Insert 2 frames @ f10"
    assert session.undo()
    assert all(all_tracks(session.clip)[c] is t for c, t in all_tracks(before).items())


def test_frames_for_selected_bones_move_their_keys_only(session) -> None:
    before = session.clip
    session.selection.select(["upper_arm_l"])
    assert timing.put_frames(session, 3, everywhere=False)
    after = session.clip
    assert after.length == before.length and after.notifies == before.notifies
    changed = {c.bone for c, t in after.tracks.items() if before.tracks[c] is not t}
    assert changed == {"upper_arm_l"}


def test_frames_that_cannot_be_removed_change_nothing_and_say_which_key_is_in_the_way(session) -> None:
    before = session.clip
    with pytest.raises(ValidationError, match="Move or delete it first"):
        timing.put_frames(session, -50)
    assert session.clip is before


def test_bones_without_keys_are_told(session) -> None:
    session.selection.select(["calf_r"])
    with pytest.raises(ValidationError, match="no keys"):
        timing.put_frames(session, 1, everywhere=False)


def test_the_number_of_frames_is_remembered(session) -> None:
    session.preferences.set("timing_frames", 4)
    try:
        assert timing.step(session) == 4
    finally:
        session.preferences.reset("timing_frames")


VERBS = {
    "nudge": lambda s: timing.nudge(s, 1.0),
    "insert": lambda s: timing.put_frames(s, 2),
    "insert here": lambda s: timing.put_frames(s, 2, everywhere=False),
    "share": timing.share_keys,
    "bake": lambda s: timing.bake_on(s, 4),
    **{
        mode: lambda s, mode=mode: shaping.apply(s, mode, 70.0 if mode not in shaping.IN_FRAMES else 3.0)
        for mode in shaping.MODES
        if mode != "blend_buffer"
    },
}
LOW = Channel("lower_arm_l", Property.ROTATE, 1)


@pytest.mark.parametrize("name", list(VERBS))
@pytest.mark.parametrize("by_keys", [True, False])
def test_no_verb_changes_a_locked_bone_and_each_says_so(session, name: str, by_keys: bool) -> None:
    bones = ["chest", "upper_arm_l", "lower_arm_l"]
    session.selection.select_keys({})
    session.selection.select(bones)
    session.playback.seek(0.31)
    chest = Channel("chest", Property.ROTATE, 0)
    session.edits.put(
        "chest", session.clip.with_tracks({chest: scalar_track([0.0, 0.3, 0.7, 2.0], [0, 9, 4, 0])})
    )
    if by_keys:
        session.selection.select_keys({c: np.array([1, 2]) for c in session.clip.tracks if c.bone in bones})
    elif name == "nudge":
        session.playback.seek(float(session.clip.tracks[LOW].times[1]))
    session.selection.set_flag("locked", ["upper_arm_l"])
    before = session.clip
    try:
        VERBS[name](session)
    except ValidationError:
        assert name == "nudge" and not by_keys  # no other of the bones has a key there
        return
    after = session.clip
    assert after is not before, name
    assert all(after.tracks[c] is t for c, t in before.tracks.items() if c.bone == "upper_arm_l")
    assert any("locked" in message.text.lower() for message in session.messages.log)


def test_shared_keys_are_those_of_every_selected_bone_and_of_contacts_only_where_selected(session) -> None:
    timing.nudge(session, 1.0)
    session.selection.select_keys({})
    session.selection.select(["upper_arm_l", "lower_arm_l"])
    before = session.clip
    assert timing.share_keys(session)
    after = session.clip
    rows = {c: frames(session, c) for c in after.tracks if c.bone in ("upper_arm_l", "lower_arm_l")}
    assert len({tuple(row) for row in rows.values()}) == 1
    assert dict(after.curves) == dict(before.curves)
    assert not timing.share_keys(session) and "already" in session.messages.latest.text


def test_keys_are_baked_over_the_selected_keys_else_the_play_range_else_the_clip(session) -> None:
    assert timing.bake_span(session) == pytest.approx(tuple(session.clip.tracks[TURN].times[[1, 2]]))
    session.selection.select_keys({})
    assert timing.bake_span(session) == pytest.approx((0.2, 1.5))
    session.playback.set_range(None)
    assert timing.bake_span(session) == pytest.approx((0.0, session.clip.length))
    curves = dict(session.clip.curves)
    assert timing.bake_on(session, 4)
    assert dict(session.clip.curves) == curves  # contacts stay on their frames
    assert {f % 4 for f in frames(session) if f != 60.0} == {0.0}


def test_the_buffer_is_forgotten_with_its_document(session) -> None:
    shaping.keep_buffer(session)
    state = session.feature(TimingState)
    assert state.buffer is session.clip
    session.document.replace(session.document.project, None)
    assert state.buffer is None


def test_an_unknown_remembered_mode_is_the_first(session) -> None:
    state = session.feature(TimingState)
    state.choose("warp")
    assert shaping.mode_of(state) is next(iter(shaping.MODES.values()))
    session.preferences.reset("timing_mode")

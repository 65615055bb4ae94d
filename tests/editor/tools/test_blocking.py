"""Blocking on a session: the stepped view, tangents of new keys, the spline pass, key types, whole poses."""

import numpy as np
import pytest

from core.clips.clip import Channel, Property
from core.clips.new_keys import NewTangents
from core.clips.poses import poses_of
from core.errors import ValidationError
from core.tracks import edits
from core.tracks.key_types import KeyType
from core.tracks.keys import Interpolation, TangentMode, scalar_track
from editor.model import new_keys
from editor.model.blocking import Blocking
from editor.tools import blocking, key_commands
from tests.editor.actions import rich

TURN = rich.TURN


@pytest.fixture
def session():
    made = rich.session()
    new_keys.choose(made.preferences, NewTangents.CURVE)
    made.playback.set_range(None)
    made.selection.select_keys({})
    yield made
    new_keys.choose(made.preferences, NewTangents.CURVE)
    made.preferences.set("auto_ends", "one_sided")
    made.preferences.set("blocking_frames", 0)
    made.close()


def undone_and_redone(session, before) -> None:
    """The last step goes back to the very clip, and comes back."""
    after = session.clip
    assert session.undo() and session.clip is before
    assert session.redo() and session.clip is after


def test_the_blocking_view_shows_the_pose_held_and_changes_nothing_else(session) -> None:
    view, evaluator, clip = session.feature(Blocking), session.evaluator, session.clip
    times = poses_of(clip).times
    middle = float(times[0] + times[1]) / 2.0
    session.playback.seek(float(times[0]))
    held = evaluator.pose()
    session.playback.seek(middle)
    between = evaluator.pose()
    assert not np.allclose(between.rotations, held.rotations)
    view.set(True)
    assert np.array_equal(evaluator.pose().rotations, held.rotations)
    assert evaluator.shown_time == pytest.approx(times[0]) and session.playback.time == pytest.approx(middle)
    assert session.clip is clip and evaluator.clip is clip
    assert np.array_equal(
        evaluator.sampled_pose(middle).rotations, between.rotations
    )  # what edits and files read
    view.hold_for(4)
    session.playback.seek(7.0 / 30.0)
    assert evaluator.shown_time == pytest.approx(4.0 / 30.0)
    view.set(False)
    session.playback.seek(middle)
    assert np.array_equal(evaluator.pose().rotations, between.rotations)


@pytest.mark.parametrize("choice", list(NewTangents))
def test_every_new_key_gets_the_chosen_tangents_in_the_same_step(session, choice) -> None:
    blocking.choose_tangents(session, choice)
    assert new_keys.chosen(session.preferences) is choice
    session.playback.seek(5.0 / 30.0)
    before = session.clip
    assert session.keying.set_key(["upper_arm_l"], "used")
    track = session.clip.tracks[TURN]
    place = int(np.argmin(np.abs(track.times - 5.0 / 30.0)))
    wanted = {NewTangents.CLAMPED: TangentMode.CLAMPED, NewTangents.LINEAR: TangentMode.LINEAR,
              NewTangents.STEPPED: TangentMode.STEPPED}.get(choice, TangentMode.AUTO)  # fmt: skip
    assert track.modes[place] == wanted
    undone_and_redone(session, before)


def test_next_tangents_goes_through_the_whole_list(session) -> None:
    seen = []
    for _ in NewTangents:
        blocking.next_tangents(session)
        seen.append(new_keys.chosen(session.preferences))
    assert sorted(seen) == sorted(NewTangents)


def test_a_clip_is_stepped_and_splined_over_the_play_range_and_nothing_outside_changes(session) -> None:
    start = session.clip
    assert blocking.spline(session, TangentMode.STEPPED)
    stepped = session.clip
    assert (stepped.tracks[TURN].interpolations[:-1] == Interpolation.CONSTANT).all()
    undone_and_redone(session, start)
    session.playback.set_range(0.0, 25.0 / 30.0)
    assert blocking.spline(session)
    track = session.clip.tracks[TURN]
    inside = track.times[1:] < 25.0 / 30.0 + 1e-6
    assert (track.interpolations[:-1][inside] == Interpolation.CUBIC).all()
    assert (track.interpolations[:-1][~inside] == Interpolation.CONSTANT).all()
    assert session.history.labels[-1] == "Spline pass: clamped"
    undone_and_redone(session, stepped)


def test_types_are_set_on_selected_keys_or_those_here_selected_by_type_and_copied(session) -> None:
    before = session.clip
    session.selection.select_keys({TURN: np.array([1, 2])})
    assert blocking.set_type(session, KeyType.BREAKDOWN)
    assert session.clip.tracks[TURN].types[:4].tolist() == [0, 1, 1, 0]
    undone_and_redone(session, before)
    assert blocking.select_type(session, KeyType.BREAKDOWN) == 2
    key_commands.copy(session)
    session.playback.seek(float(session.clip.tracks[TURN].times[-1]) - 0.05)
    assert key_commands.paste(session)
    keys = session.selection.keys[TURN]
    assert (session.clip.tracks[TURN].types[keys] == KeyType.BREAKDOWN).all()
    session.selection.select_keys({})
    session.selection.select(["upper_arm_l"])
    session.playback.seek(0.0)
    assert blocking.set_type(session, KeyType.EXTREME)
    assert session.clip.tracks[TURN].types[0] == KeyType.EXTREME
    assert not blocking.set_type(session, KeyType.EXTREME)


def test_a_pose_is_held_to_the_playhead_as_keys_of_type_hold(session) -> None:
    before, times = session.clip, poses_of(session.clip).times
    goal = float(times[1]) - 2.0 / 30.0
    session.playback.seek(goal)
    assert blocking.hold_pose(session)
    track = session.clip.tracks[TURN]
    place = int(np.argmin(np.abs(track.times - goal)))
    assert track.types[place] == KeyType.HOLD and track.values[place] == before.tracks[TURN].values[0]
    undone_and_redone(session, before)
    session.playback.seek(0.0)
    with pytest.raises(ValidationError, match="no pose comes before"):
        blocking.hold_pose(session)


def test_a_pose_is_swapped_with_its_neighbour_and_back_and_the_playhead_goes_along(session) -> None:
    before, times = session.clip, poses_of(session.clip).times
    session.playback.seek(float(times[1]))
    assert blocking.swap_with_neighbour(session, 1)
    assert session.playback.time == pytest.approx(times[2])
    old, new = before.tracks[TURN].values, session.clip.tracks[TURN].values
    assert new[[1, 2]].tolist() == old[[2, 1]].tolist()
    undone_and_redone(session, before)
    session.playback.seek(float(times[0]))
    with pytest.raises(ValidationError, match="before this one"):
        blocking.swap_with_neighbour(session, -1)


def test_a_pose_is_retimed_by_frames_between_its_neighbours(session) -> None:
    before, times = session.clip, poses_of(session.clip).times
    session.playback.seek(float(times[1]))
    assert blocking.nudge_pose(session, 1)
    assert session.clip.tracks[TURN].times[1] == pytest.approx(times[1] + 1.0 / 30.0)
    assert session.playback.time == pytest.approx(times[1] + 1.0 / 30.0)
    undone_and_redone(session, before)
    assert blocking.within_neighbours(before, float(times[1]), 1e3) == pytest.approx(times[2] - 1.0 / 30.0)
    assert blocking.within_neighbours(before, float(times[1]), -1.0) == pytest.approx(times[0] + 1.0 / 30.0)


def test_a_spline_pass_that_changes_nothing_says_why(session) -> None:
    said = []
    session.messages.posted.connect(lambda message: said.append(message.text))
    assert blocking.spline(session, TangentMode.STEPPED)
    times = poses_of(session.clip).times
    session.playback.set_range(float(times[0]) + 0.02, float(times[1]) - 0.02)
    assert not blocking.spline(session) and "no two keys" in said[-1]
    session.playback.set_range(None)
    lone = session.clip.tracks[TURN]
    session.selection.select_keys({TURN: np.array([0])})
    session.edits.put(
        "one key", session.clip.with_tracks({TURN: edits.delete_keys(lone, np.arange(1, len(lone)))})
    )
    before = session.clip
    session.selection.select_keys({TURN: np.array([0])})
    assert not blocking.spline(session) and "one key only" in said[-1]
    assert session.clip is before
    session.selection.select_keys({})
    session.undo()
    assert blocking.spline(session)
    assert not blocking.spline(session) and "no key in the range is stepped" in said[-1]


def test_feet_are_planted_by_the_pass_and_on_their_own_and_the_choice_is_remembered(session) -> None:
    assert blocking.plants(session)
    blocking.toggle_plants(session)
    assert not blocking.plants(session)
    blocking.toggle_plants(session)
    assert not blocking.plant_feet(session)  # no leg has keys
    before = session.clip
    turns = {
        Channel(f"{bone}_{side}", Property.ROTATE, 0): scalar_track([0.0, 1.0], [0.0, angle])
        for side in "lr"
        for bone, angle in (("thigh", -60.0), ("calf", 120.0), ("foot", -60.0))
    }
    drop = scalar_track([0.0, 1.0], [1.0, 0.55])
    session.edits.put("crouch", before.with_tracks({**turns, Channel("pelvis", Property.TRANSLATE, 1): drop}))
    before = session.clip
    assert blocking.plant_feet(session)
    assert len(session.clip.tracks[Channel("calf_l", Property.ROTATE, 0)]) > 2
    undone_and_redone(session, before)


def test_a_spline_pass_says_how_many_bones_it_was_for(session) -> None:
    said = []
    session.messages.posted.connect(lambda message: said.append((message.text, message.next_step)))
    assert blocking.spline(session, TangentMode.STEPPED)
    every = {channel.bone for channel in session.clip.tracks}
    session.selection.select_keys({})
    session.selection.select([TURN.bone])
    said.clear()
    assert blocking.spline(session)
    assert any(f"Only 1 of {len(every)} keyed bones" in text and "all bones" in do for text, do in said), said
    session.undo()
    session.selection.select(sorted(every))
    said.clear()
    assert blocking.spline(session)
    assert not any("keyed bones" in text for text, _ in said)


def test_planting_over_a_part_of_the_clip_says_which_part(session) -> None:
    said = []
    session.messages.posted.connect(lambda message: said.append((message.text, message.next_step)))
    assert not blocking.plant_feet(session) and said[-1][1] == ""
    session.playback.set_range(0.2, 1.0)
    assert not blocking.plant_feet(session) and "play range" in said[-1][1]
    session.selection.select_keys({TURN: np.array([0, 1])})
    assert not blocking.plant_feet(session) and "selected keys" in said[-1][1]

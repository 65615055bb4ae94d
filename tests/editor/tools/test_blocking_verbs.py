"""Verbs of blocking one by one: labels, where the playhead goes, what is said of nothing to do, ends, locked bones."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from core.clips.clip import Additive, AdditiveSpace, Channel, Property
from core.clips.new_keys import NewTangents
from core.clips.poses import poses_of
from core.errors import ValidationError
from core.project.project import Project
from core.tracks.key_types import KeyType
from core.tracks.keys import TangentMode, scalar_track
from editor.model import new_keys
from editor.tools import blocking
from tests.editor.actions import rich

TURN, ELBOW = rich.TURN, Channel("lower_arm_l", Property.ROTATE, 1)


@pytest.fixture
def session():
    made = rich.session()
    new_keys.choose(made.preferences, NewTangents.CURVE)
    made.playback.set_range(None)
    made.selection.select_keys({})
    made.switches.set("snap", True)
    made.preferences.set(blocking.PLANT, True)
    yield made
    new_keys.choose(made.preferences, NewTangents.CURVE)
    made.preferences.set(blocking.PLANT, True)
    made.close()


def last(session):
    return session.history.labels[session.history.position - 1]


def frames(session):
    return np.round(poses_of(session.clip).times * 30.0, 6).tolist()


def go(session, frame):
    session.playback.seek(frame / 30.0)


# ---------------------------------------------------------------- types
def test_types_have_labels_and_what_has_them_already_is_told(session):
    session.selection.select_keys({TURN: np.array([1, 2])})
    assert blocking.set_type(session, KeyType.INBETWEEN) and last(session) == "Key type in-between: 2 keys"
    before = session.history.position
    assert not blocking.set_type(session, KeyType.INBETWEEN) and session.history.position == before
    assert session.messages.latest.text == "These keys are of this type already"
    session.selection.select_keys({TURN: np.array([3])})
    assert blocking.set_type(session, KeyType.HOLD) and last(session) == "Key type hold: 1 key"
    session.selection.select([])
    session.selection.select_keys({})
    assert blocking.select_type(session, KeyType.INBETWEEN) == 2
    assert {c: k.tolist() for c, k in session.selection.keys.items()} == {TURN: [1, 2]}
    session.selection.select(["lower_arm_l"])
    assert blocking.select_type(session, KeyType.INBETWEEN) == 0 and not session.selection.keys
    assert session.messages.latest.text == "There are no keys of the type in-between here"
    assert blocking.select_type(session, KeyType.KEY) == 4


def test_without_a_clip_nothing_is_done(session):
    session.document.replace(Project({}), None)
    assert blocking.select_type(session, KeyType.KEY) == 0
    for work in (blocking.spline, blocking.plant_feet, lambda s: blocking.nudge_pose(s, 1)):
        assert not work(session)
    for work in (blocking.pose_here, blocking.hold_pose, lambda s: blocking.swap_with_neighbour(s, 1)):
        with pytest.raises(ValidationError):
            work(session)
    assert not blocking.swap_poses(session, 0.0, 1.0)


# ---------------------------------------------------------------- tangents
@pytest.mark.parametrize("choice", list(NewTangents))
def test_a_spline_pass_gives_the_tangents_of_new_keys_or_clamped_ones(session, choice):
    new_keys.choose(session.preferences, choice)
    mode = blocking.spline_mode(session)
    assert mode != TangentMode.STEPPED
    if choice in (NewTangents.CURVE, NewTangents.STEPPED):
        assert mode == TangentMode.CLAMPED
    blocking.spline(session, TangentMode.STEPPED)
    assert last(session) == "Back to stepped keys"
    assert blocking.spline(session) and set(session.clip.tracks[TURN].modes.tolist()) == {mode}


def test_a_pass_over_a_range_changes_the_keys_in_it_alone(session):
    session.selection.select([])
    blocking.spline(session, TangentMode.STEPPED)
    session.playback.set_range(15.0 / 30.0, 45.0 / 30.0)
    assert blocking.spline(session, TangentMode.LINEAR) and last(session) == "Spline pass: linear"
    modes = session.clip.tracks[TURN].modes.tolist()
    assert modes[0] == modes[3] == TangentMode.STEPPED and modes[1] == TangentMode.LINEAR
    assert not blocking.spline(session, TangentMode.LINEAR)
    session.playback.set_range(None)
    assert blocking.spline(session, TangentMode.LINEAR)
    assert TangentMode.STEPPED not in session.clip.tracks[TURN].modes
    blocking.spline(session, TangentMode.STEPPED)
    assert not blocking.spline(session, TangentMode.STEPPED)
    assert session.messages.latest.text == "All keys in the range are stepped already"


def test_why_nothing_was_splined(session):
    clip, ch = session.clip, [TURN, ELBOW]
    why = blocking._why_not
    assert why(clip, ch, (0.0, 2.0), TangentMode.STEPPED) == "All keys in the range are stepped already"
    assert "no key in the range is stepped" in why(clip, ch, (0.0, 2.0), TangentMode.AUTO)
    for span, two in (
        ((0.1, 1.3), False),
        ((0.1, 40.0 / 30.0), True),
        ((20.0 / 30.0, 1.34), True),
        ((0.67, 1.34), False),
    ):
        assert ("no two keys" in why(clip, ch, span, TangentMode.AUTO)) is not two, span
    lone = clip.with_tracks({TURN: scalar_track([0.5], [1.0]), ELBOW: None})
    assert "one key only" in why(lone, ch, (0.0, 2.0), TangentMode.AUTO)
    mixed = clip.with_tracks({TURN: scalar_track([0.5], [1.0])})
    assert "one key only" not in why(mixed, ch, (0.0, 2.0), TangentMode.AUTO)
    assert "one key only" in why(clip, [], (0.0, 2.0), TangentMode.AUTO)


def test_what_is_said_of_planted_feet():
    def told(residual, **spans):
        stances = SimpleNamespace()
        done = SimpleNamespace(stances=stances, residual=residual)
        original = blocking.spans_of
        blocking.spans_of = lambda found: spans if found is stances else {}
        try:
            return blocking._told(done)
        finally:
            blocking.spans_of = original

    assert told(0.5) == ("", "") and told(0.5, left=0) == ("", "")
    assert told(0.0009, left=1) == ("Feet planted over 1 stretch", "")
    assert told(0.0, left=1, right=2) == ("Feet planted over 3 stretches", "")
    advice = "Lower the hips in the poses beside it"
    assert told(0.0123, left=2) == ("Feet planted over 2 stretches, 12 mm out of reach", advice)
    assert told(0.001, left=2)[1] == advice


def test_next_tangents_are_told(session):
    seen = []
    for _ in NewTangents:
        blocking.next_tangents(session)
        seen.append(new_keys.chosen(session.preferences))
        assert session.messages.latest.text == f"New keys: {new_keys.TITLES[seen[-1]].lower()}"
    assert set(seen) == set(NewTangents)


def test_feet_are_planted_in_the_clip_itself_only(session):
    session.edits.put("laid", replace(session.clip, additive=Additive(AdditiveSpace.LOCAL)))
    with pytest.raises(ValidationError, match="in the clip itself"):
        blocking.plant_feet(session)


# ---------------------------------------------------------------- poses
def test_the_pose_held_here_is_found_and_gone_to(session):
    for frame, pose in ((0, 0), (19, 0), (20, 20), (39.9, 20), (60, 60)):
        go(session, frame)
        assert blocking.pose_here(session) * 30.0 == pytest.approx(pose)
    session.selection.set_flag("locked", ["lower_arm_l"])
    session.playback.play()
    blocking.select_pose(session, 20.0 / 30.0)
    assert not session.playback.playing and session.playback.frame == pytest.approx(20.0)
    keys = {c: k.tolist() for c, k in session.selection.keys.items()}
    assert keys[TURN] == [1] and ELBOW not in keys


def test_poses_are_held_copied_and_swapped_in_labelled_steps(session):
    go(session, 30)
    assert blocking.hold_pose(session) and last(session) == "Hold pose to f30"
    assert frames(session) == [0.0, 20.0, 30.0, 40.0, 60.0]
    track = session.clip.tracks[TURN]
    assert track.values[2] == track.values[1] == -20.0 and track.types[2] == KeyType.HOLD
    go(session, 30)
    assert blocking.hold_pose(session) is not None
    session.undo()
    session.undo()
    go(session, 20)
    assert (
        blocking.hold_pose(session) and session.clip.tracks[TURN].values[1] == 0.0
    )  # the pose before, not this one
    session.undo()
    assert blocking.copy_pose(session, 20.0 / 30.0, 50.0 / 30.0) and last(session) == "Copy pose f20 to f50"
    assert session.clip.tracks[TURN].values.tolist() == [0, -20, 20, -20, 0]
    session.undo()
    assert blocking.swap_poses(session, 0.0, 40.0 / 30.0) and last(session) == "Swap poses f0 and f40"
    assert session.clip.tracks[TURN].values.tolist() == [20, -20, 0, 20]  # the ends of a loop are one


@pytest.mark.parametrize("frame, side, other", [
    (20, 1, 40), (20, -1, 0), (0, 1, 20), (60, -1, 40), (20, 2, None), (0, -1, None), (60, 1, None), (30, 1, 40),
])  # fmt: skip
def test_a_pose_changes_places_with_the_one_beside_it(session, frame, side, other):
    go(session, frame)
    if side == 2:
        side, other = 1, 40
    if other is None:
        with pytest.raises(ValidationError, match="comes after this" if side > 0 else "comes before this"):
            blocking.swap_with_neighbour(session, side)
        return
    here = 20 if frame == 30 else frame
    assert blocking.swap_with_neighbour(session, side) and last(session) == f"Swap poses f{here} and f{other}"
    assert session.playback.frame == pytest.approx(other)


def test_poses_are_put_at_other_times(session):
    assert (
        blocking.move_poses(session, {20.0 / 30.0: 25.0 / 30.0}) and last(session) == "Retime 1 pose to f25"
    )
    assert frames(session) == [0.0, 25.0, 40.0, 60.0]
    moves = {25.0 / 30.0: 10.0 / 30.0, 40.0 / 30.0: 30.0 / 30.0}
    assert blocking.move_poses(session, moves) and last(session) == "Retime 2 poses from f10"
    assert frames(session) == [0.0, 10.0, 30.0, 60.0]


def test_a_pose_is_nudged_up_to_its_neighbours_and_the_playhead_follows(session):
    go(session, 20)
    assert blocking.nudge_pose(session, 3) and last(session) == "Retime 1 pose to f23"
    assert session.playback.frame == pytest.approx(23.0)
    assert blocking.nudge_pose(session, 99) and frames(session) == [0.0, 39.0, 40.0, 60.0]
    with pytest.raises(ValidationError, match="in the way"):
        blocking.nudge_pose(session, 1)
    assert blocking.nudge_pose(session, -99) and frames(session) == [0.0, 1.0, 40.0, 60.0]
    go(session, 0)
    with pytest.raises(ValidationError, match="in the way"):
        blocking.nudge_pose(session, -1)


def test_bounds_of_a_pose_are_its_neighbours_but_for_breakdowns(session):
    within, frame = blocking.within_neighbours, 1.0 / 30.0
    clip = session.clip
    assert within(clip, 60 * frame, 9.0) == 9.0 and within(clip, 0.0, -1.0) == 0.0
    assert within(clip, 20 * frame, 25 * frame) == 25 * frame
    typed = {c: replace(t, types=np.full(len(t), KeyType.KEY, np.uint8)) for c, t in clip.tracks.items()}
    for c, track in typed.items():
        if len(track) == 4:
            typed[c] = replace(track, types=np.array([0, 0, KeyType.BREAKDOWN, 0], np.uint8))
    loose = clip.with_tracks(typed)
    assert within(loose, 20 * frame, 9.0) == pytest.approx(59 * frame)
    crowded = clip.with_tracks({TURN: scalar_track(np.array([0.0, 0.5, 1.0, 60.0]) * frame, [0, 1, 2, 3])})
    assert within(crowded, 0.5 * frame, 0.0) == pytest.approx(0.5 * frame)  # closer than a frame it stays


def test_locked_bones_are_told_where_poses_change(session):
    session.selection.set_flag("locked", ["head"])
    said = len(session.messages.log)
    blocking.swap_poses(session, 0.0, 40.0 / 30.0)
    assert len(session.messages.log) == said  # it has no keys
    session.selection.set_flag("locked", ["lower_arm_l"])
    elbow = session.clip.tracks[ELBOW]
    assert blocking.swap_poses(session, 0.0, 40.0 / 30.0)
    assert session.messages.latest.text == "Keys of locked bones were not changed"
    assert session.messages.latest.next_step == "Unlock them in the bone tree"
    assert session.clip.tracks[ELBOW].values.tolist() == elbow.values.tolist()

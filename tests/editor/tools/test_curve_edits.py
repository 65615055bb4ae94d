"""Edits of the curve editor as pure functions, and undo after any sequence of them."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from core.arrays import same_value
from core.progress import Progress
from core.tracks.components import Reading, to_angles
from core.tracks.edits import set_slopes
from core.tracks.keys import Interpolation, ScalarTrack, TangentMode
from editor.model.session import Session
from editor.tools import key_edits, key_moves
from editor.tools.curves import edits
from editor.tools.curves.gestures import within
from editor.tools.curves.lanes import Lane, channels_of, curve_channel, lanes_of, track_of, with_tracks
from editor.tools.curves.operations import Setting, operations
from editor.tools.curves.reader import Reader
from tests.editor.panels.curves.curve_stage import TURN, X, Y, Z, arm_project

QUICK = [o for o in operations() if not o.slow]
READER = Reader(arm_project().rigs[0].skeleton)
BLINK = curve_channel("blink")


def keys_of(clip, channels, seed):
    r = np.random.default_rng(seed)
    found = {}
    for channel in channels:
        track = track_of(clip, channel)
        if track is not None:
            chosen = np.flatnonzero(r.random(len(track)) < 0.4)
            if len(chosen):
                found[channel] = chosen
    return found


@given(st.integers(0, 10**6), st.floats(-0.5, 0.5), st.floats(-50, 50))
def test_move_touches_only_the_keys_and_their_neighbours(seed, seconds, value):
    clip = arm_project().clips[0]
    keys = keys_of(clip, [X, Y], seed)
    done = key_moves.moved(clip, keys, 0.0, {Lane(c): value for c in keys}, READER)
    for channel, numbers in keys.items():
        before, after = clip.tracks[channel], done.clip.tracks[channel]
        near = np.unique(np.clip(np.concatenate((numbers - 1, numbers, numbers + 1)), 0, len(before) - 1))
        far = np.setdiff1d(np.arange(len(before)), near)
        assert np.array_equal(after.in_slopes[far], before.in_slopes[far])
        assert np.array_equal(after.values[np.setdiff1d(np.arange(len(before)), numbers)],
                              before.values[np.setdiff1d(np.arange(len(before)), numbers)])  # fmt: skip
    shifted = key_moves.moved(clip, keys, seconds, {}, READER)
    for channel in keys:
        assert (np.diff(shifted.clip.tracks[channel].times) > 0).all()
    assert all(shifted.clip.tracks[c] is clip.tracks[c] for c in clip.tracks if c not in keys)


def test_moving_all_keys_of_tracks_that_share_times_lets_them_share_on():
    clip = arm_project().clips[0]
    clip = clip.with_tracks({c: _with_times(clip.tracks[c], clip.tracks[X].times) for c in (X, Y, Z)})
    keys = {c: np.arange(8) for c in (X, Y, Z)}
    done = key_moves.moved(clip, keys, 0.1, {Lane(c): 1.0 for c in keys}, READER).clip
    assert done.tracks[X].times is done.tracks[Y].times is done.tracks[Z].times
    assert np.array_equal(done.tracks[X].in_slopes, clip.tracks[X].in_slopes)


def _with_times(track, times):
    from dataclasses import replace

    return replace(track, times=times)


def test_copies_pasted_backwards_run_the_other_way():
    clip = arm_project().clips[0]
    rows = key_edits.rows_of(clip, {X: np.array([1, 2, 3])})
    done = key_edits.merged(clip, key_edits.turned_round(rows), 5.0)
    track = done.clip.tracks[X]
    places = done.keys[X]
    assert track.values[places].tolist() == clip.tracks[X].values[[3, 2, 1]].tolist()
    gaps = np.diff(clip.tracks[X].times[1:4])
    assert np.allclose(np.diff(track.times[places]), gaps[::-1])


@pytest.mark.parametrize("reading", list(Reading))
@pytest.mark.parametrize("part", [0, 1, 2])
def test_quaternion_no_op_drag_changes_no_rotation(reading, part):
    clip = arm_project().clips[0]
    reader = Reader(READER.skeleton, reading)
    there = key_moves.moved(clip, {TURN: np.arange(5)}, 0.0, {Lane(TURN, part): 1e-9}, reader).clip
    from core.math import quat

    turned = quat.angle_between(there.tracks[TURN].values, clip.tracks[TURN].values)
    assert np.degrees(turned).max() < 1e-4
    assert np.allclose(to_angles(there.tracks[TURN].values, quat.IDENTITY),
                       to_angles(clip.tracks[TURN].values, quat.IDENTITY), atol=1e-4)  # fmt: skip


def test_lanes_of_bones_curves_and_quaternions_and_changes_of_them():
    clip = arm_project().clips[0]
    lanes = lanes_of(channels_of(clip, ["hand"]))
    assert [lane.name for lane in lanes] == ["Rotate X quat", "Rotate Y quat", "Rotate Z quat", "blink"]
    assert with_tracks(clip, {X: clip.tracks[X], BLINK: clip.curves["blink"]}) is clip
    assert "blink" not in with_tracks(clip, {BLINK: None}).curves


def test_lasso_holds_what_lies_inside_its_outline():
    points = [(0, 0), (10, 0), (10, 10), (5, 4), (0, 10)]
    xs, ys = np.array([1.0, 5.0, 5.0, 9.0, 12.0]), np.array([1.0, 2.0, 8.0, 8.0, 1.0])
    assert within(points, xs, ys).tolist() == [True, True, False, True, False]
    assert within([(0, 0), (6, 6)], xs, ys).tolist() == [True, True, False, False, False]


@pytest.mark.parametrize("operation", operations(), ids=lambda o: o.id)
def test_every_operation_runs_on_every_kind_of_curve(operation):
    project = arm_project()
    clip = project.clips[0]
    every = {c: np.arange(len(track_of(clip, c))) for c in channels_of(clip, None)}
    values = {p.id: p.value for p in operation.parameters}
    if "amount" in values:
        values["amount"] = 50.0
    done = operation.apply(Setting(clip, every, project.rigs[0]), values, Progress())
    assert done.clip.id == clip.id


class CurveEdits(RuleBasedStateMachine):
    """Any edits in any order: going back gives every earlier version again, bit for bit."""

    def __init__(self) -> None:
        super().__init__()
        self.session = Session.create()
        self.session.document.replace(arm_project(), None)
        self.session.playback.set_clip(arm_project().clips[0].id)
        self.versions = [self.clip]

    @property
    def clip(self):
        return self.session.document.project.clips[0]

    def put(self, clip) -> None:
        del self.versions[self.session.history.position + 1 :]
        if self.session.edits.put("edit", clip):
            self.versions.append(clip)

    def pick(self, seed):
        return keys_of(self.clip, [*self.clip.tracks, BLINK], seed)

    @rule(seed=st.integers(0, 999), frames=st.integers(-8, 8), value=st.floats(-30, 30))
    def move(self, seed, frames, value):
        keys = self.pick(seed)
        lanes = {Lane(c, seed % 3 if c == TURN else 0): value for c in keys}
        self.put(key_moves.moved(self.clip, keys, frames / 30.0, lanes, READER).clip)

    @rule(seed=st.integers(0, 999))
    def delete(self, seed):
        keys = {c: k[:1] for c, k in self.pick(seed).items() if len(track_of(self.clip, c)) > 2}
        self.put(key_edits.deleted(self.clip, keys))

    @rule(seed=st.integers(0, 999), time=st.floats(0.0, 2.0))
    def insert(self, seed, time):
        channels = channels_of(self.clip, None)
        self.put(edits.inserted(self.clip, channels[seed % len(channels)], time).clip)

    @rule(seed=st.integers(0, 999), mode=st.sampled_from(list(TangentMode)))
    def set_mode(self, seed, mode):
        self.put(edits.with_mode(self.clip, self.pick(seed), mode))

    @rule(seed=st.integers(0, 999), kind=st.sampled_from(list(Interpolation)))
    def set_kind(self, seed, kind):
        self.put(edits.with_kind(self.clip, self.pick(seed), kind))

    @rule(seed=st.integers(0, 999), slope=st.floats(-200, 200))
    def set_slope(self, seed, slope):
        self.put(edits.changed(self.clip, self.pick(seed), lambda t, k, loop: set_slopes(t, k, slope)))

    @rule(seed=st.integers(0, 999), seconds=st.floats(0.0, 3.0), back=st.booleans())
    def paste(self, seed, seconds, back):
        rows = key_edits.rows_of(self.clip, self.pick(seed))
        self.put(key_edits.merged(self.clip, key_edits.turned_round(rows) if back else rows, seconds).clip)

    @rule(seed=st.integers(0, 999), operation=st.sampled_from(QUICK), amount=st.floats(-100, 100))
    def operate(self, seed, operation, amount):
        from core.errors import ValidationError

        values = {p.id: p.value for p in operation.parameters} | {"amount": amount}
        try:
            setting = Setting(self.clip, self.pick(seed), self.session.rig)
            self.put(operation.apply(setting, values, Progress()).clip)
        except ValidationError:
            pass  # nothing it could work on was selected

    @precondition(lambda self: self.session.history.can_undo)
    @rule()
    def undo(self):
        self.session.undo()

    @precondition(lambda self: self.session.history.can_redo)
    @rule()
    def redo(self):
        self.session.redo()

    @invariant()
    def what_stands_is_the_version_of_this_step(self):
        position = self.session.history.position
        assert same_value(self.clip, self.versions[position])
        for track in self.clip.every_track():
            assert (np.diff(track.times) > 0).all()
            if isinstance(track, ScalarTrack):
                assert np.isfinite(track.in_slopes).all()

    def teardown(self):
        self.session.go_to(0)
        assert same_value(self.clip, self.versions[0])
        self.session.close()


TestCurveEdits = CurveEdits.TestCase
TestCurveEdits.settings = settings(max_examples=15, stateful_step_count=20, deadline=None)


def test_channels_beside_the_bones_never_look_like_a_bone():
    assert not BLINK.is_bone and Lane(BLINK).group == "Curves"

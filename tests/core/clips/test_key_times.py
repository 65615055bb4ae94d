"""Shared keys change no curve; baked keys are on their grid, with the values that the curves had."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.clips.channels import all_tracks, curve_channel
from core.clips.clip import WHOLE, Channel, Clip, Property
from core.clips.key_times import baked_on, with_shared_keys
from core.errors import ValidationError
from core.ids import AssetId
from core.math import quat
from core.timing import FrameRate
from core.tracks.evaluate import evaluate_quaternion, evaluate_scalar
from core.tracks.keys import Interpolation, TangentMode, quaternion_track, scalar_track
from core.tracks.tangents import with_tangents

RATE = FrameRate.of(24)
X, Y = (Channel("a", Property.ROTATE, axis) for axis in range(2))
Q = Channel("b", Property.ROTATE, WHOLE)
SPEED = curve_channel("speed")
FRAMES = st.sets(st.integers(0, 48), min_size=2, max_size=9).map(sorted)


def clip_of(seed: int, rows, looping: bool = False) -> Clip:
    rng = np.random.default_rng(seed)
    tracks = []
    for frames in rows[:3]:
        kinds = rng.choice([0, 1, 2], len(frames)).astype(np.uint8)
        made = scalar_track(
            np.array(frames) / 24.0, rng.normal(scale=30.0, size=len(frames)), interpolations=kinds
        )
        tracks.append(with_tangents(made))
    frames = np.array(rows[3]) / 24.0
    turns = quaternion_track(frames, quat.normalise(rng.normal(size=(len(frames), 4))))
    return Clip(
        AssetId("clip-1"), "c", AssetId("rig-1"), 2.0, RATE, looping, {X: tracks[0], Y: tracks[1], Q: turns},
        {"speed": tracks[2]},
    )  # fmt: skip


def same_shape(a, b, times) -> bool:
    if a.values.ndim == 2:
        return bool(
            (quat.angle_between(evaluate_quaternion(a, times), evaluate_quaternion(b, times)) < 1e-6).all()
        )
    return bool(np.allclose(evaluate_scalar(a, times), evaluate_scalar(b, times), atol=1e-7))


@given(st.integers(0, 2**31), st.tuples(FRAMES, FRAMES, FRAMES, FRAMES))
def test_every_channel_has_the_union_of_keys_and_its_shape_of_before(seed, rows) -> None:
    clip = clip_of(seed, rows)
    channels = [X, Y, Q, SPEED]
    done = with_shared_keys(clip, channels)
    union = np.array(sorted(set().union(*rows))) / 24.0
    probe = np.linspace(0.0, 2.0, 97)
    probe = probe[np.abs(probe[:, None] - union).min(axis=1) > 1e-4]  # a step is on neither side of itself
    for channel in channels:
        new, old = all_tracks(done)[channel], all_tracks(clip)[channel]
        assert new.times == pytest.approx(union, abs=1e-9)
        assert same_shape(new, old, probe)
    assert with_shared_keys(done, channels) is done


def test_only_the_times_asked_for_are_shared() -> None:
    clip = clip_of(1, ([0, 48], [0, 10, 20, 48], [0, 5], [0, 48]))
    done = with_shared_keys(clip, [X, Y], [10 / 24.0])
    assert np.round(done.tracks[X].times * 24).tolist() == [0, 10, 48]
    assert done.tracks[Y] is clip.tracks[Y] and done.curves["speed"] is clip.curves["speed"]


@given(
    st.integers(0, 2**31), st.tuples(FRAMES, FRAMES, FRAMES, FRAMES), st.sampled_from([1, 2, 4]),
    st.integers(0, 20), st.integers(1, 28),
)  # fmt: skip
def test_baked_keys_are_on_the_grid_with_the_values_of_before_and_others_stay(
    seed, rows, step, start, number
) -> None:
    clip, end = clip_of(seed, rows), start + number
    done = baked_on(clip, [X, Y, Q, SPEED], step, (start / 24.0, end / 24.0))
    grid = sorted({*range(start, end + 1, step), end})
    for frames, channel in zip((*rows[:2], rows[3], rows[2]), (X, Y, Q, SPEED), strict=True):
        old, new = all_tracks(clip)[channel], all_tracks(done)[channel]
        outside = [f for f in frames if f < start or f > end]
        assert np.round(new.times * 24.0, 6).tolist() == sorted([*outside, *grid])
        at = np.array(grid) / 24.0
        places = np.searchsorted(new.times, at - 1e-6)
        if channel == Q:
            assert quat.angle_between(new.values[places], evaluate_quaternion(old, at)).max() < 1e-6
        else:
            assert new.values[places] == pytest.approx(evaluate_scalar(old, at), abs=1e-7)


def test_stepped_curves_stay_stepped_and_single_keys_stay_single() -> None:
    held = scalar_track(
        [0.0, 1.0], [1.0, 0.0], interpolations=Interpolation.CONSTANT, modes=TangentMode.STEPPED
    )
    clip = clip_of(1, ([0, 48], [0, 48], [0, 48], [0, 48]))
    clip = replace(clip, tracks={X: held, Y: scalar_track([0.5], [3.0])})
    done = baked_on(clip, [X, Y], 4)
    assert done.tracks[Y] is clip.tracks[Y]
    assert (np.asarray(done.tracks[X].interpolations) == Interpolation.CONSTANT).all()
    assert set(done.tracks[X].values) == {0.0, 1.0}


def test_the_last_key_of_a_loop_that_travels_keeps_its_value() -> None:
    clip = clip_of(1, ([0, 48], [0, 48], [0, 48], [0, 48]), looping=True)
    clip = replace(clip, tracks={X: scalar_track([0.0, 2.0], [0.0, 5.0])})
    done = baked_on(clip, [X], 4)
    assert done.tracks[X].values[-1] == 5.0 and done.tracks[X].values[0] == 0.0


@pytest.mark.parametrize(("frames", "span"), [(0, None), (2, (1.0, 1.0)), (2, (0.0, float("nan")))])
def test_bakes_without_frames_or_time_are_refused(frames, span) -> None:
    with pytest.raises(ValidationError, match="bake"):
        baked_on(clip_of(1, ([0, 48],) * 4), [X], frames, span)

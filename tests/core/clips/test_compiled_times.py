"""Compiled clips hold their bound at every time: between frames, beside jumps and corners, at the last key."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.clips.clip import WHOLE, Channel, Clip, Property
from core.clips.compiled import search
from core.clips.compiled.axes import with_least_axis
from core.clips.compiled.clip import CompiledClip
from core.clips.compiled.compile import compile_clip
from core.clips.compiled.container import to_bytes
from core.clips.compiled.options import CompileOptions
from core.clips.compiled.sampling import MOMENT, cut, sampling_of, without_jumps
from core.clips.compiled.unpack import from_bytes
from core.clips.sample import sample_many
from core.io import load
from core.math import kernels, quat
from core.math.transform import Transform
from core.pose import kinematics
from core.rig.rig import Rig
from core.timing import TIME_EPSILON, FrameRate
from core.tracks.keys import Interpolation, TangentMode, quaternion_track, scalar_track
from tests.core.clips.test_compiled import arm, waving

SAMPLE = Path(__file__).resolve().parents[3] / "resources" / "sample" / "mannequin.posewright"
ROUNDING = 1e-7
"""Metres that the rest pose, which files hold in float32, may be off."""


@pytest.fixture(autouse=True, scope="module")
def same_route() -> None:
    """Clips are sampled by the kernels throughout, not by their twins at first."""
    assert kernels.load() is not None


def off_at(
    rig: Rig, clip: Clip, compiled: CompiledClip, times: np.ndarray, shell: float = 0.03
) -> np.ndarray:
    """Metres ``(T,)`` of what is read back from the file, by matrices; 0 in the moments of jumps."""
    wanted = kinematics.model_matrices(rig.skeleton, sample_many(rig, clip, times, wrap=False).local)
    poses = from_bytes(to_bytes(compiled)).poses_numpy(times)[0]
    got = kinematics.model_matrices(rig.skeleton, Transform(poses[..., :3], poses[..., 3:7], poses[..., 7:]))
    points = np.concatenate((np.zeros((1, 3)), shell * np.eye(3)))
    points = np.concatenate((points, np.ones((4, 1))), axis=1)
    off = np.linalg.norm(np.einsum("tbij,pj->tbpi", got - wanted, points)[..., :3], axis=-1).max(axis=(1, 2))
    for track in clip.tracks.values():
        for jump in track.times[1:][track.interpolations[:-1] == Interpolation.CONSTANT]:
            off[(times < jump) & (times > jump - MOMENT)] = 0.0
    return off


def random_times(clip: Clip, count: int = 3000, seed: int = 7) -> np.ndarray:
    """Times all over a clip, its ends, its keys, and hairs beside those."""
    keys = np.concatenate([track.times for track in clip.tracks.values()])
    beside = np.concatenate([keys + hair for hair in (-1e-3, -2.0 * TIME_EPSILON, 0.0, TIME_EPSILON, 1e-3)])
    spread = np.random.default_rng(seed).uniform(0.0, clip.length, count)
    return np.unique(np.clip(np.concatenate((spread, beside, [0.0, clip.length])), 0.0, clip.length))


def assert_holds(rig: Rig, clip: Clip, options: CompileOptions) -> CompiledClip:
    compiled, report = compile_clip(rig, clip, options)
    assert report.largest <= options.metres
    off = off_at(rig, clip, compiled, random_times(clip), options.shell)
    assert off.max() <= options.metres + ROUNDING
    return compiled


@pytest.mark.parametrize("name", ["walk", "run"])
def test_sample_clips_hold_the_bound_at_random_times(name) -> None:
    project = load(SAMPLE).project
    clip = project.clip_named(name)
    assert_holds(project.get(Rig, clip.rig), clip, CompileOptions())


@pytest.mark.parametrize("seed", range(3))
def test_keys_between_frames_hold_the_bound(seed) -> None:
    clip = waving(seed, kind=Interpolation.CUBIC)
    moved = {
        channel: replace(track, times=track.times * 0.9713 + 0.0041) for channel, track in clip.tracks.items()
    }
    assert_holds(arm(), replace(clip, tracks=moved), CompileOptions())


def test_jump_on_the_last_key_stays_a_jump() -> None:
    turn = scalar_track([0.0, 0.4, 1.0], [0.0, 30.0, 90.0], interpolations=Interpolation.CONSTANT)
    clip = Clip("clip-1", "step", "rig-1", 1.0, tracks={Channel("b0", Property.ROTATE, 2): turn})
    compiled = assert_holds(arm(2), clip, CompileOptions())
    found = compiled.poses_numpy(np.array([0.995, 1.0]))[0][:, 0, 3:7]
    turned = np.degrees(quat.angle_between(found, quat.IDENTITY))
    assert turned == pytest.approx([30.0, 90.0], abs=0.1)


def test_two_jumps_in_one_moment_both_stay_jumps() -> None:
    """As files have stepped keys that take the next value: 20 microseconds apart."""
    times = [0.0, 0.5, 0.5 + 2.0 * TIME_EPSILON, 1.0]
    step = scalar_track(times, [0.0, 1.0, 3.0, 0.0], interpolations=Interpolation.CONSTANT)
    clip = Clip("clip-1", "steps", "rig-1", 1.0, tracks={Channel("b0", Property.TRANSLATE, 0): step})
    compiled = assert_holds(arm(2), clip, CompileOptions())
    assert compiled.poses_numpy(np.array([0.5 - 2.0 * TIME_EPSILON, 0.51]))[0][:, 0, 0] == pytest.approx(
        [0.0, 3.0]
    )


@pytest.mark.parametrize("seed", [1, 2])
def test_loop_that_holds_its_last_key_up_to_its_first_one_jumps_there(seed) -> None:
    """The first key lies on a half-frame, and the loop jumps just after it."""
    clip = waving(seed, kind=Interpolation.CONSTANT)
    assert clip.looping
    compiled, report = compile_clip(arm(), clip, CompileOptions(1e-5))
    assert report.largest <= 1e-5
    first = float(next(iter(clip.tracks.values())).times[0])
    beside = np.array([first - 1e-3, first + 2.0 * TIME_EPSILON, first + 1e-3])
    assert off_at(arm(), clip, compiled, beside).max() <= 1e-5 + ROUNDING


def test_corners_of_cubics_take_two_keys_not_a_dense_run_of_them() -> None:
    """Broken tangents: the slopes of a ball that bounces, on a frame of its own."""
    times = np.array([0.0, 0.4, 0.8, 1.2])
    bounce = scalar_track(times, np.zeros(4), [-90.0, -90.0, -90.0, -90.0], [90.0, 90.0, 90.0, 90.0],
                          modes=int(TangentMode.BROKEN))  # fmt: skip
    clip = Clip("clip-1", "bounce", "rig-1", 1.2, tracks={Channel("b0", Property.ROTATE, 2): bounce})
    compiled = assert_holds(arm(), clip, CompileOptions())
    (track,) = compiled.tracks
    assert len(track.ticks) <= 24


def drawn_clip(draw) -> Clip:
    """A few bones, few keys on or off frames, every interpolation, weighted handles, quaternion keys."""
    fps = draw(st.sampled_from([24.0, 30.0]))
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    tracks = {}
    for bone in range(3):
        for axis in range(draw(st.integers(0, 3))):
            count = int(rng.integers(2, 6))
            times = np.sort(rng.choice(25, count, replace=False)) / fps
            if draw(st.booleans()):
                times = times + rng.uniform(0.0, 0.9, count) / fps
            tracks[Channel(f"b{bone}", Property.ROTATE, axis)] = scalar_track(
                times,
                rng.uniform(-60, 60, count),
                rng.uniform(-300, 300, count),
                rng.uniform(-300, 300, count),
                rng.integers(0, 3, count),
                int(TangentMode.BROKEN),
                weights=(rng.uniform(0.02, 0.98, count), rng.uniform(0.02, 0.98, count)),
            )
    if draw(st.booleans()):
        times = np.array([0.0, 0.31, 0.77])
        turns = quat.normalise(rng.normal(0.0, 1.0, (3, 4)))
        for axis in range(3):
            tracks.pop(Channel("b2", Property.ROTATE, axis), None)
        tracks[Channel("b2", Property.ROTATE, WHOLE)] = quaternion_track(times, turns)
    last = max((float(track.times[-1]) for track in tracks.values()), default=0.5)
    length = last if draw(st.booleans()) else last + 0.1
    tracks[Channel("b0", Property.TRANSLATE, 1)] = scalar_track([0.0, last], [0.0, 1.0])
    return Clip("clip-1", "drawn", "rig-1", length, FrameRate.of(fps), tracks=tracks)


@settings(max_examples=14, deadline=None)
@given(st.data(), st.sampled_from([1e-4, 1e-3]))
def test_small_random_clips_hold_the_bound_at_random_times(data, metres) -> None:
    assert_holds(arm(3), drawn_clip(data.draw), CompileOptions(metres))


def test_search_that_finds_nothing_takes_every_tick_and_still_holds(monkeypatch) -> None:
    monkeypatch.setattr(search, "TRIES", 0)
    monkeypatch.setattr(search, "ROUNDS", 0)
    assert_holds(arm(), waving(4), CompileOptions())


def test_report_names_the_worst_of_all_times_it_looked_at() -> None:
    rig, clip = arm(), waving(1)
    compiled, report = compile_clip(rig, clip)
    off = off_at(rig, clip, compiled, report.times)
    assert off.max() == pytest.approx(report.largest, abs=ROUNDING)
    assert off[np.searchsorted(report.times, report.time)] == pytest.approx(report.largest, abs=ROUNDING)
    for track in clip.tracks.values():  # keys, and middles of the gaps between
        middles = (track.times[1:] + track.times[:-1]) * 0.5
        assert np.abs(report.times[:, None] - track.times).min(axis=0).max() < 2.0 * TIME_EPSILON
        assert len(middles) < report.checked
    gaps = np.diff(np.concatenate(([0.0], report.times, [clip.length])))
    assert gaps.max() <= clip.rate.frame / 4.0


# ---------------------------------------------------------------- parts


@given(st.lists(st.floats(1e-5, 1.0), min_size=1, max_size=12), st.data())
def test_cut_keeps_every_tick_and_no_gap_becomes_too_short(gaps, data) -> None:
    axis = np.concatenate(([0.0], np.cumsum(gaps)))
    parts = np.array(
        data.draw(st.lists(st.sampled_from([1, 2, 4, 8]), min_size=len(gaps), max_size=len(gaps)))
    )
    finer = cut(axis, parts)
    assert np.isin(axis, finer).all() and (np.diff(finer) > 0.0).all()
    long = np.array(gaps) >= 1e-2
    assert len(finer) - len(axis) >= (parts[long] - 1).sum()
    assert np.diff(finer).min() >= min(min(gaps), 2e-5) * 0.999


def test_samples_in_the_moment_of_a_jump_do_not_count_but_those_in_a_corner_do() -> None:
    axis = np.array([0.0, 0.5 - TIME_EPSILON, 0.5, 0.75 - TIME_EPSILON, 0.75, 1.0])
    sampling = sampling_of(axis)
    times = sampling.times
    values = np.where(times < 0.5, 0.0, 1.0) + np.abs(times - 0.75)
    found = without_jumps(sampling, values[:, None])
    inside = (times > 0.5 - TIME_EPSILON) & (times < 0.5)
    assert inside.any() and np.array_equal(inside, ~found.counted)
    assert np.array_equal(found.axis, axis)


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 10**6))
def test_least_axis_moves_no_key(seed) -> None:
    compiled = compile_clip(arm(), waving(seed), CompileOptions(1e-3))[0]
    wide = np.union1d(compiled.axis, np.linspace(compiled.axis[0], compiled.axis[-1], 700))
    places = np.searchsorted(wide, compiled.axis)
    tracks = tuple(replace(t, ticks=places[t.ticks].astype(np.int32)) for t in compiled.tracks)
    least = with_least_axis(replace(compiled, axis=wide, tracks=tracks))
    times = np.linspace(0.0, 2.0, 97)
    assert np.abs(least.poses_numpy(times)[0] - compiled.poses_numpy(times)[0]).max() < 1e-6
    assert len(to_bytes(least)) <= len(to_bytes(compiled))

"""Conversion between Euler angles and quaternions, loop tools, key reduction of whole clips."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from core.arrays import same_value
from core.clips import reduce
from core.clips.clip import WHOLE, Channel, Clip, Property, RootMotion
from core.clips.convert import RotationKind, convert_rotations
from core.clips.loop_tools import cycled, is_linked, keep_linked, linked, looped, seam
from core.clips.reduce import reduce_clip, shell_points
from core.clips.sample import ClipEvaluator, sample_many
from core.errors import Cancelled, ValidationError
from core.ids import AssetId
from core.math import quat
from core.math.transform import Transform
from core.pose import kinematics
from core.progress import Progress
from core.rig.rig import Rig
from core.rig.skeleton import Skeleton
from core.tracks.evaluate import evaluate_quaternion, evaluate_scalar
from core.tracks.keys import Interpolation, quaternion_track, scalar_track
from core.tracks.places import KeyPlaces
from core.tracks.tangents import with_tangents

seeds = st.integers(0, 2**31)


def chain(count=4, order=0):
    rest = Transform(
        np.repeat([[0.0, 0.3, 0.0]], count, axis=0),
        np.repeat([[0, 0, 0, 1.0]], count, axis=0),
        np.ones((count, 3)),
    )
    names = tuple(f"b{n}" for n in range(count))
    orders = np.full(count, order, dtype=np.uint8)
    return Rig("rig-1", "chain", Skeleton(names, np.arange(-1, count - 1, dtype=np.int32), rest, orders))


ANYWHERE = KeyPlaces.ANYWHERE


def euler_clip(seed, order=0, looping=False, kinds=None, size=60.0):
    r = np.random.default_rng(seed)
    tracks = {}
    for axis in range(3):
        times = np.unique(np.round(np.sort(r.uniform(0, 2.0, 5)), 2))
        if len(times) > 1 and looping:
            times[0], times[-1] = 0.0, 2.0
        values = r.normal(size=len(times)) * size
        if looping:
            values[-1] = values[0]
        track = scalar_track(times, values, interpolations=kinds)
        tracks[Channel("b1", Property.ROTATE, axis)] = with_tangents(track, 2.0 if looping else None)
    return Clip("clip-1", "spin", "rig-1", 2.0, looping=looping, tracks=tracks)


def angles(rig, a, b, times, bone=1):
    first, second = (sample_many(rig, c, times, wrap=False).rotations[:, bone] for c in (a, b))
    return np.degrees(quat.angle_between(first, second))


# ---------------------------------------------------------------- conversion
@settings(max_examples=12)
@given(seeds, st.integers(0, 5), st.booleans(), st.sampled_from(KeyPlaces))
def test_conversion_to_quaternions_keeps_the_bound_it_reports(seed, order, looping, places):
    rig, clip = chain(order=order), euler_clip(seed, order, looping)
    done = convert_rotations(clip, rig.skeleton, ["b1"], RotationKind.QUATERNION, 0.1, places)
    assert done.clip.rotation("b1") is not None
    assert places is not KeyPlaces.ANYWHERE or done.error <= 0.1
    off = angles(rig, clip, done.clip, np.linspace(0.0, 2.0, 777))
    assert off.max() <= done.error * 1.2 + 1e-6


@settings(max_examples=8)
@given(seeds, st.integers(0, 5))
def test_conversion_there_and_back_stays_within_both_bounds(seed, order):
    rig, clip = chain(order=order), euler_clip(seed, order, size=25.0)
    there = convert_rotations(clip, rig.skeleton, ["b1"], RotationKind.QUATERNION, 0.05, ANYWHERE)
    back = convert_rotations(there.clip, rig.skeleton, ["b1"], RotationKind.EULER, 0.05, ANYWHERE)
    assert back.clip.rotation("b1") is None
    assert all(Channel("b1", Property.ROTATE, a) in back.clip.tracks for a in range(3))
    assert angles(rig, clip, back.clip, np.linspace(0.0, 2.0, 500)).max() <= 0.12
    for axis in range(3):  # and no jumps
        track = back.clip.scalar(Channel("b1", Property.ROTATE, axis))
        assert np.abs(np.diff(evaluate_scalar(track, np.linspace(0, 2, 500)))).max() < 30.0


def test_conversion_of_steps_keeps_them_steps():
    rig, clip = chain(), euler_clip(1, kinds=int(Interpolation.CONSTANT))
    done = convert_rotations(clip, rig.skeleton, ["b1"], RotationKind.QUATERNION, 0.05)
    track = done.clip.rotation("b1")
    assert (track.interpolations[:-1] == Interpolation.CONSTANT).all()
    assert done.error < 1e-6


def test_conversion_of_a_step_beside_a_curve_holds_outside_the_jump():
    rig = chain()
    x = scalar_track([0.0, 1.0, 2.0], [0.0, 90.0, 0.0], interpolations=[0, 2, 2])
    y = with_tangents(scalar_track([0.0, 2.0], [0.0, 40.0]))
    tracks = {Channel("b1", Property.ROTATE, 0): x, Channel("b1", Property.ROTATE, 1): y}
    clip = Clip("clip-1", "step", "rig-1", 2.0, tracks=tracks)
    done = convert_rotations(clip, rig.skeleton, ["b1"], RotationKind.QUATERNION, 0.05, ANYWHERE)
    times = np.r_[np.linspace(0.0, 0.9999, 99), np.linspace(1.0, 2.0, 99)]
    assert angles(rig, clip, done.clip, times).max() < 0.06
    assert done.error <= 0.05


def test_conversion_through_gimbal_lock_holds_its_bound():
    rig = chain()
    q = quaternion_track(
        [0.0, 1.0, 2.0],
        np.stack([quat.from_axis_angle([0, 1.0, 0.001], np.radians(a)) for a in (0.0, 90.0, 170.0)]),
    )
    clip = Clip("clip-1", "pole", "rig-1", 2.0, tracks={Channel("b1", Property.ROTATE, WHOLE): q})
    done = convert_rotations(clip, rig.skeleton, ["b1"], RotationKind.EULER, 0.1, ANYWHERE)
    assert done.error <= 0.1


def keyed(values, times=(0.0, 10.0, 20.0, 40.0)):
    """A clip with a few clean keys on whole frames."""
    tracks = {
        Channel("b1", Property.ROTATE, axis): with_tangents(scalar_track(np.array(times) / 30.0, row))
        for axis, row in enumerate(values)
    }
    return Clip("clip-1", "clean", "rig-1", times[-1] / 30.0, tracks=tracks)


CLEAN = keyed(([0.0, 40.0, -10.0, 0.0], [0.0, 10.0, 20.0, 0.0], [0.0, 5.0, 0.0, 0.0]))


@pytest.mark.parametrize("places", [KeyPlaces.OWN, KeyPlaces.EXACT])
def test_conversion_leaves_keys_on_the_frames_where_they_are(places):
    rig = chain()
    there = convert_rotations(CLEAN, rig.skeleton, ["b1"], RotationKind.QUATERNION, places=places)
    track = there.clip.rotation("b1")
    assert np.array_equal(track.times, [0.0, 10.0 / 30.0, 20.0 / 30.0, 40.0 / 30.0])
    assert angles(rig, CLEAN, there.clip, track.times).max() < 1e-6
    assert there.error < 0.5 and there.error == pytest.approx(
        angles(rig, CLEAN, there.clip, np.linspace(0.0, CLEAN.length, 2000)).max(), rel=0.05
    )
    back = convert_rotations(there.clip, rig.skeleton, ["b1"], RotationKind.EULER, places=places)
    for axis in range(3):
        assert np.array_equal(back.clip.scalar(Channel("b1", Property.ROTATE, axis)).times, track.times)


def test_conversion_that_adds_keys_keeps_all_and_puts_the_others_on_frames():
    rig = chain()
    done = convert_rotations(CLEAN, rig.skeleton, ["b1"], RotationKind.QUATERNION, 0.05, KeyPlaces.FRAMES)
    frames = done.clip.rotation("b1").times * 30.0
    assert np.abs(frames - np.round(frames)).max() < 1e-4 and len(frames) > 4
    assert {0, 10, 20, 40} <= {round(f) for f in frames} and done.error <= 0.05


def test_conversion_of_a_straight_turn_about_one_axis_stays_straight():
    rig = chain()
    line = scalar_track([0.0, 1.0, 2.0], [0.0, 90.0, 30.0], interpolations=int(Interpolation.LINEAR))
    clip = Clip("clip-1", "line", "rig-1", 2.0, tracks={Channel("b1", Property.ROTATE, 0): line})
    done = convert_rotations(clip, rig.skeleton, ["b1"], RotationKind.QUATERNION)
    assert done.error < 1e-6 and len(done.clip.rotation("b1")) == 3


def test_conversion_of_sampled_motion_keeps_a_key_on_each_frame():
    rig = chain()
    clip = mocap(rig, 60, whole=False)
    bone = rig.skeleton.names[1]
    done = convert_rotations(clip, rig.skeleton, [bone], RotationKind.QUATERNION)
    assert np.array_equal(
        done.clip.rotation(bone).times, clip.scalar(Channel(bone, Property.ROTATE, 0)).times
    )
    assert done.error < 0.1


@pytest.mark.parametrize("places", list(KeyPlaces))
def test_clip_reduction_puts_keys_only_where_it_is_told(places):
    rig = chain(3)
    times = np.cumsum(np.random.default_rng(4).uniform(0.7, 1.6, 60)) / 30.0
    rows = np.random.default_rng(5).normal(size=(60, 3)).cumsum(axis=0) * 4.0
    tracks = {
        Channel("b1", Property.ROTATE, axis): with_tangents(scalar_track(times, rows[:, axis]))
        for axis in range(3)
    }
    clip = Clip("clip-1", "wave", "rig-1", float(times[-1]), tracks=tracks)
    done = reduce_clip(rig, clip, 0.02, places=places)
    assert done.after < done.before and done.metres <= 0.02
    for channel, track in done.clip.tracks.items():
        frames = track.times * 30.0
        off_frames = np.abs(frames - np.round(frames)) > 1e-4
        own = np.isin(track.times, times)
        if places in (KeyPlaces.OWN, KeyPlaces.EXACT):
            assert own.all()
        if places is KeyPlaces.FRAMES:
            assert (own | ~off_frames).all()
        if places is KeyPlaces.EXACT:
            old = clip.tracks[channel]
            kept = np.isin(old.times, track.times)
            assert np.array_equal(old.values[kept], track.values)
            assert np.array_equal(old.out_slopes[kept], track.out_slopes)


def test_conversion_leaves_other_bones_and_those_keyed_so_alone():
    rig, clip = chain(), euler_clip(2)
    assert convert_rotations(clip, rig.skeleton, ["b0", "b1"], RotationKind.EULER).clip is clip
    with pytest.raises(ValidationError):
        convert_rotations(clip, rig.skeleton, ["b1"], RotationKind.QUATERNION, 0.0)


# ---------------------------------------------------------------- loops
@given(seeds)
def test_linked_ends_close_in_value_and_slope(seed):
    clip = euler_clip(seed)
    for track in clip.tracks.values():
        done = linked(track, 2.0)
        assert is_linked(done, 2.0)
        a, b, c, d = evaluate_scalar(done, np.array([0.0, 1e-9, 2.0 - 1e-9, 2.0]), 2.0)
        assert a == pytest.approx(d, abs=1e-9)
        assert done.out_slopes[0] == pytest.approx(done.in_slopes[-1])
        assert {done.interpolations[0], done.interpolations[-2]} == {Interpolation.CUBIC}
        assert b == pytest.approx(a, abs=1e-2) and c == pytest.approx(d, abs=1e-2)


def test_linked_quaternion_ends_close():
    q = quaternion_track([0.0, 1.0, 2.0], quat.normalise(np.random.default_rng(0).normal(size=(3, 4))))
    done = linked(q, 2.0, from_last=True)
    assert is_linked(done, 2.0)
    assert np.array_equal(np.abs(done.values[0]), np.abs(q.values[2]))


def test_edit_of_a_linked_first_key_takes_the_last_along():
    clip = looped(euler_clip(3, looping=True))
    channel = next(iter(clip.tracks))
    track = clip.tracks[channel]
    values = np.array(track.values)
    values[0] += 10.0
    edited = clip.with_tracks({channel: replace(track, values=values)})
    done = keep_linked(clip, edited)
    assert done.tracks[channel].values[-1] == pytest.approx(values[0])
    values[0] -= 10.0
    values[-1] += 5.0
    done = keep_linked(clip, clip.with_tracks({channel: replace(track, values=values)}))
    assert done.tracks[channel].values[0] == pytest.approx(values[-1])


@given(seeds, st.floats(-3.0, 3.0))
def test_cyclic_shift_is_the_same_motion_begun_elsewhere(seed, seconds):
    # By less than the time in which two keys are one, a key at the seam stays where it is.
    assume(1e-4 < seconds % 2.0 < 2.0 - 1e-4)
    clip = euler_clip(seed, looping=True)
    done = cycled(clip, seconds)
    times = np.linspace(0.0, 1.999, 97)
    back = np.mod(times + seconds, 2.0)
    sure = (np.minimum(back, 2.0 - back) > 1e-3) & (np.minimum(times, 2.0 - times) > 1e-3)
    for channel, track in clip.tracks.items():
        before = evaluate_scalar(track, back[sure], 2.0)
        after = evaluate_scalar(done.tracks[channel], times[sure], 2.0)
        assert np.allclose(before, after, atol=1e-6 * (1.0 + np.abs(before).max()))


def test_cyclic_shift_of_quaternions_and_of_an_open_end():
    r = np.random.default_rng(4)
    q = quat.continuous(quat.normalise(r.normal(size=(4, 4))))
    track = quaternion_track([0.2, 0.7, 1.1, 1.6], q)
    clip = Clip("c", "c", "rig-1", 2.0, looping=True, tracks={Channel("b1", Property.ROTATE, WHOLE): track})
    done = cycled(clip, 0.5).rotation("b1")
    times = np.linspace(0.01, 1.99, 83)
    a = evaluate_quaternion(track, np.mod(times + 0.5, 2.0), 2.0)
    assert np.degrees(quat.angle_between(a, evaluate_quaternion(done, times, 2.0))).max() < 1e-3
    with pytest.raises(ValidationError, match="does not loop"):
        cycled(replace(clip, looping=False), 0.5)


def test_seam_of_many_channels_is_that_of_each_alone_and_looks_for_the_root_once(monkeypatch):
    rig, looked, roots = chain(6), [], Skeleton.roots
    clip = replace(mocap(rig, 90, whole=False), looping=True)
    turn = Channel("b1", Property.ROTATE, WHOLE)
    others = {c: t for c, t in clip.tracks.items() if c.bone != "b1"}
    clip = replace(clip, tracks=others | {turn: mocap(rig, 90, whole=True).tracks[turn]})
    alone = [seam(replace(clip, tracks={c: t}), rig.skeleton).jumps[0] for c, t in clip.tracks.items()]
    monkeypatch.setattr(Skeleton, "roots", lambda self: looked.append(self) or roots(self))
    found = seam(clip, rig.skeleton)
    assert len(looked) == 1
    assert sorted(found.jumps) == sorted(alone) and any(jump.value for jump in alone)


def test_seam_meter_reads_jump_of_value_and_rate():
    line = scalar_track([0.0, 2.0], [0.0, 10.0], 5.0, 5.0)
    clip = Clip("c", "c", "rig-1", 2.0, tracks={Channel("b1", Property.ROTATE, 0): line})
    found = seam(clip)
    assert found.degrees == pytest.approx(10.0) and found.degrees_per_second == pytest.approx(0.0, abs=1e-6)
    closed = seam(clip.with_tracks({Channel("b1", Property.ROTATE, 0): linked(line, 2.0)}))
    assert closed.degrees == pytest.approx(0.0, abs=1e-9)


# ---------------------------------------------------------------- reduction
def mocap(rig, frames=150, seed=0, whole=True):
    r = np.random.default_rng(seed)
    times = np.arange(frames) / 30.0
    tracks = {}
    for bone in rig.skeleton.names:
        wave = sum(
            np.outer(np.sin(f * times + r.uniform(0, 6)), r.normal(size=3) * 12.0) for f in (1.0, 2.7, 5.0)
        )
        if whole:
            q = quat.from_rotation_vector(np.radians(wave))
            tracks[Channel(bone, Property.ROTATE, WHOLE)] = quaternion_track(times, quat.continuous(q))
        else:
            for axis in range(3):
                tracks[Channel(bone, Property.ROTATE, axis)] = scalar_track(
                    times, wave[:, axis], interpolations=int(Interpolation.LINEAR)
                )
    return Clip("clip-1", "mocap", "rig-1", float(times[-1]), tracks=tracks)


@pytest.mark.parametrize("whole", [True, False])
@pytest.mark.parametrize("metres", [0.0005, 0.005])
def test_clip_reduction_holds_its_distance_measured_another_way(whole, metres):
    rig = chain(5)
    clip = mocap(rig, whole=whole)
    done = reduce_clip(rig, clip, metres)
    times = np.linspace(0.0, clip.length, 150)
    shell = shell_points(rig.skeleton)
    placed = []
    for which in (clip, done.clip):
        batch = sample_many(rig, which, times)
        matrices = kinematics.model_matrices(rig.skeleton, batch.local)
        placed.append(np.einsum("tbij,bpj->tbpi", matrices[..., :3, :3], shell) + matrices[..., None, :3, 3])
    worst = np.linalg.norm(placed[0] - placed[1], axis=-1).max()
    assert worst <= metres * 1.001
    assert done.metres == pytest.approx(worst, rel=0.05)
    assert done.after < done.before * (0.9 if metres < 0.001 else 0.5)
    assert done.bone in rig.skeleton.names


def test_clip_reduction_of_some_channels_shares_the_others():
    rig = chain(3)
    clip = mocap(rig, 60)
    only = Channel("b2", Property.ROTATE, WHOLE)
    done = reduce_clip(rig, clip, 0.01, channels=[only])
    assert all((done.clip.tracks[c] is clip.tracks[c]) == (c != only) for c in clip.tracks)
    with pytest.raises(ValidationError):
        reduce_clip(rig, clip, 0.0)


def test_cancelled_reduction_measures_nothing_more(monkeypatch):
    rig, measured, progress = chain(4), [], Progress()
    models_many = ClipEvaluator.models_many

    def noted(self, times, **options):
        measured.append(len(times))
        progress.cancel()
        return models_many(self, times, **options)

    monkeypatch.setattr(ClipEvaluator, "models_many", noted)
    monkeypatch.setattr(reduce, "CHUNK", 16)
    with pytest.raises(Cancelled):
        reduce_clip(rig, mocap(rig, 200), 0.01, progress=progress)
    assert measured == [16], "the first piece of the clip as it was, and no other"


def test_reduction_of_what_is_too_long_to_keep_in_memory_finds_the_same_keys(monkeypatch):
    rig = chain(4)
    clip = mocap(rig, 120)
    whole = reduce_clip(rig, clip, 0.01)
    monkeypatch.setattr(reduce, "KEPT_PLACES", 0)
    again = reduce_clip(rig, clip, 0.01)
    assert same_value(again.clip, whole.clip) and again.metres == whole.metres and again.time == whole.time


def test_seam_of_a_travelling_clip_leaves_out_what_root_motion_hands_over():
    rig = chain()
    root = rig.skeleton.names[0]
    tracks = {
        Channel(root, Property.TRANSLATE, axis): scalar_track([0.0, 1.0], [0.0, end], 3.0 * end, 3.0 * end)
        for axis, end in ((0, 0.0), (1, 0.2), (2, 1.5))
    }
    clip = Clip(AssetId("clip-1"), "walk", rig.id, 1.0, looping=True, tracks=tracks)
    still = seam(clip, rig.skeleton)
    travelling = seam(replace(clip, root_motion=RootMotion(enabled=True)), rig.skeleton)
    assert still.metres == pytest.approx(1.5)
    assert travelling.metres == pytest.approx(0.2), "height is not handed over by these settings"

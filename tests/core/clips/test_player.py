"""The compiled kernel, the stepping twin and the track-by-track twin agree."""

import itertools
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.arrays import same_value
from core.clips import player as players
from core.clips.clip import Channel, Clip, Property
from core.clips.evaluator import ClipEvaluator
from core.clips.player import ClipPlayer
from core.clips.stepping import Stepper
from core.errors import Cancelled
from core.math import kernels, threads, transform
from core.math.transform import Transform
from core.pose import kinematics
from core.progress import Progress, running
from core.tracks.keys import Extrapolation, Interpolation, scalar_track
from tests.core.clips import making


@pytest.fixture(scope="module", autouse=True)
def compiled():
    assert kernels.load() is not None


def apart(a: Transform, b: Transform) -> float:
    return max(float(np.abs(x - y).max(initial=0.0)) for x, y in zip(a, b, strict=True))


def stepped(evaluator: ClipEvaluator, times: np.ndarray) -> tuple[Transform, np.ndarray]:
    bones = len(evaluator.skeleton)
    local = Transform(np.zeros((bones, 3)), np.zeros((bones, 4)), np.zeros((bones, 3)))
    extras = np.zeros(len(evaluator.binding.extras))
    stepper = Stepper(evaluator.binding, evaluator.loop, local, extras)
    poses, values = [], []
    for time in times:
        stepper.step(float(time))
        poses.append([part.copy() for part in local])
        values.append(extras.copy())
    return Transform(*(np.stack(parts) for parts in zip(*poses, strict=True))), np.stack(values, axis=1)


def test_a_track_of_other_segments_after_an_edit_is_what_a_fresh_player_makes_of_it():
    """Undoing the drag of a weighted handle left the curve weighted in the memory of the compiled player."""
    rig = making.rig(3, 1)
    channel = Channel(rig.skeleton.names[1], Property.ROTATE, 0)
    plain = scalar_track([0.0, 0.5, 1.0], [0.0, 40.0, -20.0])
    weights = np.full(3, 0.4)
    tracks = {
        "plain": plain,
        "lines": replace(plain, interpolations=np.full(3, Interpolation.LINEAR, dtype=np.uint8)),
        "weighted": replace(plain, out_weights=weights, in_weights=weights[::-1]),
    }
    clips = {name: Clip("c", "c", rig.id, 1.0, tracks={channel: track}) for name, track in tracks.items()}
    for before, after in itertools.permutations(clips.values(), 2):
        evaluator = ClipEvaluator(rig, before)
        evaluator.player().pose(0.3)
        evaluator.sample(0.3)
        found, wanted = evaluator.updated(after), ClipEvaluator(rig, after)
        for time in (0.3, 0.1, 0.8):
            ours, theirs = found.sample(time).pose.rotations, wanted.sample(time).pose.rotations
            np.testing.assert_allclose(ours, theirs, atol=1e-12)


@settings(max_examples=12)
@given(st.integers(0, 10_000), st.booleans(), st.sampled_from([1, 3, 9]))
def test_kernel_and_twins_any_clip_agree(seed, looping, bones):
    clip = making.clip(bones, looping=looping, seed=seed, wild=True)
    evaluator = ClipEvaluator(making.rig(bones, seed), clip)
    rng = np.random.default_rng(seed)
    low, high = (0.0, clip.length) if looping else (-4.0, 6.0)
    times = np.concatenate((rng.uniform(low, high, 12), np.linspace(low, high, 23)))
    local, extras = evaluator.sampled_by_track(times)
    steps, step_extras = stepped(evaluator, times)
    assert apart(local, steps) < 1e-9
    assert np.allclose(extras, step_extras, atol=1e-9)
    found = evaluator.player().poses(times)
    if found is not None:  # the kernel leaves turning extrapolations to the twin
        assert apart(local, found[0]) < 1e-9
        assert np.allclose(extras, found[1], atol=1e-9)


def test_kernel_steady_playback_forwards_backwards_and_seeking_agrees_with_the_twin():
    for looping in (False, True):
        evaluator = ClipEvaluator(making.rig(20), making.clip(20, looping=looping))
        player = evaluator.player()
        assert player.is_compiled
        steady = np.linspace(0.0, 2.0, 121)
        for times in (steady, steady[::-1], np.random.default_rng(0).uniform(0, 2, 60)):
            expected, extras = evaluator.sampled_by_track(times)
            for index, time in enumerate(times):
                local = player.pose(float(time))
                assert apart(local, Transform(*(part[index] for part in expected))) < 1e-9
                assert np.allclose(player.extras(), extras[:, index], atol=1e-9)


def test_curves_beyond_the_first_block_have_their_own_values():
    """The kernel keeps tracks in blocks of 16: a clip of 40 curves has a part of a third one."""
    times = np.linspace(0.0, 2.0, 5)
    curves = {
        f"curve{number:02}": scalar_track(times, np.random.default_rng(number).normal(size=5))
        for number in range(40)
    }
    evaluator = ClipEvaluator(making.rig(3), replace(making.clip(3), curves=curves))
    player = evaluator.player()
    assert player.is_compiled
    at = np.array([0.0, 0.31, 1.2, 1.9])
    expected = evaluator.sampled_by_track(at)[1]
    for index, time in enumerate(at):
        player.pose(float(time))
        assert np.allclose(player.extras(), expected[:, index], atol=1e-9)


def test_kernel_model_matrices_agree_with_numpy_s():
    rig = making.rig(20, even=False)
    evaluator = ClipEvaluator(rig, making.clip(20))
    player = evaluator.player()
    for time in (0.0, 0.33, 1.9):
        matrices = player.models(time)
        expected = kinematics.chain_matrices(rig.skeleton.parents, transform.to_matrix(player.local))
        assert np.allclose(matrices, expected, atol=1e-9)


@pytest.mark.parametrize("kind", [Interpolation.CUBIC, Interpolation.LINEAR])
@pytest.mark.parametrize("keys", [1, 4, 200])
@pytest.mark.parametrize("looping", [False, True])
def test_kernel_batches_of_plain_tracks_any_count_agree_with_the_twin(kind, keys, looping):
    rng = np.random.default_rng(keys)
    rig, at = making.rig(18, even=False), np.sort(rng.uniform(0.1, 1.8, keys))
    tracks = {
        Channel(f"b{bone}", prop, axis): scalar_track(
            at, rng.normal(size=keys) * 30.0**prop, *rng.normal(size=(2, keys)), interpolations=kind
        )
        for bone in range(0, 18, 2)
        for prop in (Property.TRANSLATE, Property.ROTATE)
        for axis in range(3)
    }
    evaluator = ClipEvaluator(rig, Clip("c", "c", making.RIG, 2.0, looping=looping, tracks=tracks))
    for count in (0, 1, 15, 16, 17, 70):  # a tile of the kernel holds sixteen times
        times = rng.uniform(0.0, 2.0, count)
        expected, _ = evaluator.sampled_by_track(times)
        found = evaluator.player().poses(times)
        assert found is not None
        assert apart(expected, found[0]) < 1e-9
        matrices = kinematics.chain_matrices(rig.skeleton.parents, transform.to_matrix(expected))
        assert np.allclose(evaluator.models_many(times), matrices, atol=1e-9)


def test_kernel_columns_of_any_stride_are_read_where_they_are():
    table = np.random.default_rng(4).normal(size=(30, 6))
    table.flags.writeable = False
    at = np.linspace(0, 2, 30)
    tracks = {
        Channel("b0", Property.TRANSLATE, a): scalar_track(at, table[:, a], table[:, 3], table[:, 3])
        for a in range(3)
    }
    assert tracks[Channel("b0", Property.TRANSLATE, 0)].values.strides == (48,)
    evaluator = ClipEvaluator(making.rig(1), Clip("c", "c", making.RIG, 2.0, tracks=tracks))
    times = np.linspace(0, 2, 50)
    found = evaluator.player().poses(times)
    assert found is not None
    assert apart(evaluator.sampled_by_track(times)[0], found[0]) < 1e-12


def test_kernel_angles_of_many_turns_keep_their_digits():
    at = np.array([0.0, 1.0])
    tracks = {
        Channel("b0", Property.ROTATE, a): scalar_track(
            at, [-1e6, 1e6 + 7.0 * a], interpolations=Interpolation.LINEAR
        )
        for a in range(3)
    }
    evaluator = ClipEvaluator(making.rig(1), Clip("c", "c", making.RIG, 1.0, tracks=tracks))
    times = np.linspace(0, 1, 77)
    found = evaluator.player().poses(times)
    assert found is not None
    assert apart(evaluator.sampled_by_track(times)[0], found[0]) < 1e-9


def test_player_edited_track_by_track_stays_right():
    rig, clip = making.rig(), making.clip(looping=True)
    evaluator = ClipEvaluator(rig, clip)
    evaluator.player()
    rng = np.random.default_rng(1)
    channels = [c for c in clip.tracks if c.axis < 3]
    for turn in range(12):
        channel = channels[int(rng.integers(len(channels)))]
        at = np.sort(rng.uniform(0, 2, 5)) if turn % 2 else clip.tracks[channel].times
        clip = clip.with_tracks({channel: scalar_track(at, rng.normal(size=len(at)))})
        evaluator = evaluator.updated(clip)
        times = rng.uniform(0, 2, 9)
        found = evaluator.player().poses(times)
        assert found is not None
        assert apart(ClipEvaluator(rig, clip).sampled_by_track(times)[0], found[0]) < 1e-9


def test_player_turning_extrapolation_is_left_to_the_twin():
    clip = making.clip()
    channel = next(c for c in clip.tracks if c.axis == 3)
    clip = clip.with_tracks({channel: replace(clip.tracks[channel], after=Extrapolation.LINEAR)})
    evaluator = ClipEvaluator(making.rig(), clip)
    player = ClipPlayer(evaluator)
    assert not player.is_compiled
    expected, _ = evaluator.sampled_by_track(np.array([5.0]))
    assert apart(player.pose(5.0), Transform(*(part[0] for part in expected))) < 1e-12


def test_player_frozen_arrays_are_left_alone():
    clip = making.clip(looping=True, wild=True)
    before = {c: t.values.copy() for c, t in clip.tracks.items()}
    player = ClipEvaluator(making.rig(), clip).player()
    for time in np.linspace(0, 4, 50):
        player.models(float(time))
    assert all(np.array_equal(before[c], t.values) for c, t in clip.tracks.items())


def test_two_players_of_one_evaluator_do_not_share_buffers():
    evaluator = ClipEvaluator(making.rig(), making.clip())
    first, second = evaluator.player(), evaluator.player()
    kept = first.pose(0.2).translation.copy()
    second.pose(1.4)
    assert np.array_equal(first.local.translation, kept)


@pytest.mark.parametrize(("most", "wild"), [(37, False), (64, True), (37, True)])
def test_poses_worked_out_in_parts_are_those_worked_out_at_once(most, wild, monkeypatch) -> None:
    """Between the parts the window's thread gets its turn, and a cancelled job ends."""
    clip = making.clip(seed=3, bones=5, wild=wild, looping=wild)  # a loop of any tracks is compiled
    rig = making.rig()
    times = np.linspace(0.0, clip.length, 301)
    whole, models = ClipEvaluator(rig, clip).sample_many(times), ClipEvaluator(rig, clip).models_many(times)
    monkeypatch.setattr(players, "LEAST_AT_ONCE", most)
    monkeypatch.setattr(players, "POSES_AT_ONCE", 1)
    monkeypatch.setattr(players, "LEAST_ASIDE", 9)
    monkeypatch.setattr(threads, "processors", lambda: 3)
    evaluator = ClipEvaluator(rig, clip)
    assert evaluator.player().is_compiled
    parts = evaluator.sample_many(times)
    assert same_value(parts, whole) and np.array_equal(evaluator.models_many(times), models)
    progress = Progress()
    progress.cancel()
    with running(progress), pytest.raises(Cancelled):
        evaluator.sample_many(times)

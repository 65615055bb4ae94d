"""Shaping over a clip: goals of rest, buffer and mirror, loops kept closed, and what is refused."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.clips.additive import AdditiveSampler
from core.clips.channels import curve_channel, morph_channel
from core.clips.clip import WHOLE, Additive, AdditiveBase, AdditiveSpace, Channel, Clip, Property
from core.clips.loop_tools import is_linked
from core.clips.sample import sample
from core.clips.shaping import ClipShaping, Sources, shaped_clip
from core.errors import ValidationError
from core.ids import AssetId
from core.math import quat
from core.pose.mirror import mirror_pose
from core.rig.rig import Rig
from core.tracks.keys import quaternion_track, scalar_track
from core.tracks.shaping import Shape
from tests.editor.rigs import small_rig

LEFT = [Channel("upper_arm_l", Property.ROTATE, axis) for axis in range(3)]
RIGHT = [Channel("upper_arm_r", Property.ROTATE, axis) for axis in range(3)]
PLACE = Channel("pelvis", Property.TRANSLATE, 1)
TURN = Channel("head", Property.ROTATE, WHOLE)
TIMES = [0.0, 0.5, 1.0, 1.5, 2.0]
seeds = st.integers(0, 2**31)


def clip_of(seed: int, looping: bool = False) -> Clip:
    rng = np.random.default_rng(seed)
    tracks = {c: scalar_track(TIMES, rng.uniform(-70.0, 70.0, 5)) for c in (*LEFT, *RIGHT)}
    tracks[PLACE] = scalar_track(TIMES, rng.uniform(0.8, 1.2, 5))
    tracks[TURN] = quaternion_track(TIMES, quat.normalise(rng.normal(size=(5, 4))))
    curve = scalar_track(TIMES, rng.uniform(0.0, 1.0, 5))
    return Clip(
        AssetId("clip-1"), "c", AssetId("rig-small"), 2.0, looping=looping, tracks=tracks,
        curves={"speed": curve}, morphs={"face/smile": curve},
    )  # fmt: skip


def keys_of(clip: Clip, *numbers: int) -> dict[Channel, np.ndarray]:
    every = (*clip.tracks, curve_channel("speed"), morph_channel("face/smile"))
    return {channel: np.array(numbers) for channel in every}


@pytest.fixture(scope="module")
def rig() -> Rig:
    return small_rig()


@given(seeds)
def test_blend_to_default_at_100_percent_is_the_rest_pose_there(seed) -> None:
    rig, clip = small_rig(), clip_of(seed)
    sources = Sources(rig, defaults={morph_channel("face/smile"): 0.25})
    done = shaped_clip(clip, keys_of(clip, 2), Shape.BLEND_DEFAULT, 1.0, sources)
    pose, rest = sample(rig, done, 1.0).pose, rig.skeleton.rest
    assert np.allclose(pose.translations, rest.translation, atol=1e-9)
    assert np.degrees(quat.angle_between(pose.rotations, rest.rotation)).max() < 1e-5
    assert done.curves["speed"].values[2] == 0.0 and done.morphs["face/smile"].values[2] == 0.25


def test_angles_go_to_the_nearest_turn_of_the_rest(rig) -> None:
    clip = replace(clip_of(1), tracks={LEFT[0]: scalar_track([0.0, 1.0], [0.0, 350.0])})
    done = shaped_clip(clip, {LEFT[0]: [1]}, Shape.BLEND_DEFAULT, 0.5, Sources(rig))
    assert done.tracks[LEFT[0]].values[1] == pytest.approx(355.0)


@given(seeds)
def test_blend_to_mirror_at_100_percent_is_the_mirrored_pose_there(seed) -> None:
    rig, clip = small_rig(), clip_of(seed)
    clip = replace(clip, curves={}, morphs={})
    keys = {c: np.array([2]) for c in (*LEFT, *RIGHT)}
    done = shaped_clip(clip, keys, Shape.BLEND_MIRROR, 1.0, Sources(rig))
    wanted = mirror_pose(rig, sample(rig, clip, 1.0).pose)
    found = sample(rig, done, 1.0).pose
    for bone in ("upper_arm_l", "upper_arm_r"):
        place = rig.skeleton.index(bone)
        assert np.degrees(quat.angle_between(found.rotations[place], wanted.rotations[place])) < 1e-4
    assert done.tracks[TURN] is clip.tracks[TURN]


@given(seeds, seeds)
def test_blend_to_buffer_at_100_percent_gives_the_buffers_values(seed, other) -> None:
    clip, buffer = clip_of(seed), clip_of(other)
    done = shaped_clip(clip, keys_of(clip, 1, 3), Shape.BLEND_BUFFER, 1.0, Sources(buffer=buffer))
    for channel, track in done.tracks.items():
        wanted = buffer.tracks[channel].values[[1, 3]]
        if channel == TURN:
            assert quat.angle_between(track.values[[1, 3]], wanted).max() < 1e-9
        else:
            assert track.values[[1, 3]] == pytest.approx(wanted, abs=1e-9)


@given(seeds, st.sampled_from(list(Shape)), st.floats(-1.5, 1.5))
def test_a_drag_prepared_once_gives_what_each_amount_alone_does(seed, shape, amount) -> None:
    rig, clip = small_rig(), clip_of(seed)
    sources = Sources(rig, clip_of(seed + 1), seed=4)
    ready = ClipShaping(clip, keys_of(clip, 1, 2), shape, sources)
    ready.at(0.7)
    one, two = ready.at(amount), shaped_clip(clip, keys_of(clip, 1, 2), shape, amount, sources)
    assert all(np.array_equal(t.values, two.tracks[c].values) for c, t in one.tracks.items())
    if shape is not Shape.TWEEN:
        assert ready.at(0.0) is clip


def test_ends_of_a_loop_that_were_one_stay_one(rig) -> None:
    clip = clip_of(3, looping=True)
    clip = replace(clip, tracks={LEFT[0]: scalar_track([0.0, 1.0, 2.0], [5.0, 40.0, 5.0])})
    done = shaped_clip(clip, {LEFT[0]: [0]}, Shape.BLEND_DEFAULT, 1.0, Sources(rig))
    assert is_linked(done.tracks[LEFT[0]], 2.0) and done.tracks[LEFT[0]].values[-1] == 0.0


def test_noise_differs_from_channel_to_channel_and_from_seed_to_seed(rig) -> None:
    flat = scalar_track(TIMES, np.zeros(5))
    clip = replace(clip_of(1), tracks=dict.fromkeys(LEFT, flat))
    keys = {c: np.arange(5) for c in LEFT}
    one, two = (shaped_clip(clip, keys, Shape.NOISE, 1.0, Sources(seed=n)) for n in (1, 2))
    rows = [one.tracks[c].values for c in LEFT] + [two.tracks[LEFT[0]].values]
    assert all(not np.array_equal(a, b) for n, a in enumerate(rows) for b in rows[:n])


@pytest.mark.parametrize(
    ("shape", "keys", "text"),
    [
        (Shape.TWEEN, {}, "got none"),
        (Shape.TWEEN, {Channel("nobody", Property.ROTATE, 0): [0]}, "got none"),
        (Shape.BLEND_DEFAULT, {LEFT[0]: [0]}, "rig"),
        (Shape.BLEND_BUFFER, {LEFT[0]: [0]}, "nothing is buffered"),
        (Shape.BLEND_MIRROR, {LEFT[0]: [0]}, "rig"),
    ],
)
def test_what_is_missing_is_named(shape, keys, text) -> None:
    with pytest.raises(ValidationError, match=text):
        shaped_clip(clip_of(1), keys, shape, 1.0)


def test_bones_on_no_mirror_list_are_refused(rig) -> None:
    bare = replace(rig, mirror=replace(rig.mirror, pairs=(), axis_bones=()))
    with pytest.raises(ValidationError, match="mirror lists"):
        shaped_clip(clip_of(1), {LEFT[0]: [0]}, Shape.BLEND_MIRROR, 1.0, Sources(bare))


@pytest.mark.parametrize(
    "kind", [AdditiveBase.REST, AdditiveBase.FIRST_FRAME, AdditiveBase.FRAME, AdditiveBase.CLIP]
)
@pytest.mark.parametrize("other", [False, True])
def test_the_default_of_an_additive_clip_is_no_difference_from_its_base(rig, kind, other) -> None:
    base = replace(clip_of(8), id=AssetId("clip-2"), length=1.0)
    declared = Additive(AdditiveSpace.LOCAL, kind, base.id if other else None, 0.5)
    clip = replace(clip_of(7), additive=declared)
    done = shaped_clip(clip, keys_of(clip, 2), Shape.BLEND_DEFAULT, 1.0, Sources(rig, base=base))
    done = replace(done, additive=None)
    sampler = AdditiveSampler(rig, done, {base.id: base}, declared=declared)
    local = sampler.deltas([1.0]).local
    assert np.abs(local.translation).max() < 1e-9 and np.abs(local.scale).max() < 1e-9
    assert quat.angle_between(local.rotation[0], quat.IDENTITY).max() < 1e-6


def test_a_base_clip_that_is_missing_is_named(rig) -> None:
    declared = Additive(AdditiveSpace.LOCAL, AdditiveBase.CLIP, AssetId("clip-2"))
    clip = replace(clip_of(7), additive=declared)
    with pytest.raises(ValidationError, match="base clip"):
        shaped_clip(clip, keys_of(clip, 2), Shape.BLEND_DEFAULT, 1.0, Sources(rig))

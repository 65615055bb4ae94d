"""Additive clips: identity on their own base in both spaces, every kind of base, composition."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.clips.additive import AdditiveSampler, put_on
from core.clips.clip import Additive, AdditiveBase, AdditiveSpace, Channel, Clip, Property
from core.clips.sample import sample_many
from core.errors import MissingReferenceError
from core.ids import AssetId
from core.math import quat
from core.math.transform import Transform
from core.pose import kinematics
from core.tracks.keys import scalar_track
from tests.core.blending.clips import NAMES, RIG

spaces = st.sampled_from(list(AdditiveSpace))
seeds = st.integers(0, 1000)
times = st.lists(st.floats(0.0, 1.0), min_size=1, max_size=4)


def wild(name: str, seed: int, length: float = 1.0, size: float = 80.0) -> Clip:
    """Every channel keyed with random values."""
    random = np.random.default_rng(seed)
    tracks = {}
    for bone in NAMES:
        for axis in range(3):
            keys = np.linspace(0.0, length, 4)
            for prop, low, high in (
                (Property.TRANSLATE, -1.0, 1.0),
                (Property.ROTATE, -size, size),
                (Property.SCALE, 0.5, 2.0),
            ):
                tracks[Channel(bone, prop, axis)] = scalar_track(keys, random.uniform(low, high, 4))
    curves = {"smile": scalar_track([0.0, length], random.uniform(-1, 1, 2))}
    return Clip(AssetId(f"clip-{name}"), name, RIG.id, length, tracks=tracks, curves=curves)


def bases(other: Clip) -> list[tuple[AdditiveBase, AssetId | None, float]]:
    return [
        (AdditiveBase.REST, None, 0.0),
        (AdditiveBase.FIRST_FRAME, None, 0.0),
        (AdditiveBase.FRAME, other.id, 0.3),
        (AdditiveBase.CLIP, other.id, 0.0),
    ]


def require_close(a: Transform, b: Transform, tolerance: float) -> None:
    assert quat.angle_between(a.rotation, b.rotation).max() < tolerance
    assert np.abs(a.translation - b.translation).max() < tolerance
    assert np.abs(a.scale - b.scale).max() < tolerance


@given(spaces, st.integers(0, 3), seeds, times)
def test_put_on_its_own_base_gives_the_clip_back(
    space: AdditiveSpace, kind: int, seed: int, at: list[float]
) -> None:
    clip, other = wild("own", seed), wild("base", seed + 1, 2.5)
    base, base_clip, base_time = bases(other)[kind]
    sampler = AdditiveSampler(
        RIG, clip, {other.id: other}, declared=Additive(space, base, base_clip, base_time)
    )
    delta = sampler.deltas(at)
    result = put_on(RIG.skeleton, sampler.base(at).local, delta.local, space)
    require_close(result, sampler.poses(at).local, 1e-6)
    assert delta.curves["smile"] + sampler.base(at).curves.get("smile", 0.0) == pytest.approx(
        sampler.poses(at).curves["smile"]
    )


@given(spaces, seeds, times)
def test_weight_zero_changes_nothing(space: AdditiveSpace, seed: int, at: list[float]) -> None:
    clip, pose = wild("own", seed), sample_many(RIG, wild("pose", seed + 7), at).local
    delta = AdditiveSampler(RIG, clip, {}, declared=Additive(space)).deltas(at)
    result = put_on(RIG.skeleton, pose, delta.local, space, 0.0)
    require_close(result, pose, 1e-9)


@given(seeds, st.floats(0.0, 1.0), st.floats(0.0, 1.0))
def test_one_additive_twice_is_its_parts_together(seed: int, first: float, second: float) -> None:
    """About one axis the parts of a turn add up, so that order and cutting do not matter."""
    clip = Clip(
        AssetId("clip-bend"),
        "bend",
        RIG.id,
        1.0,
        tracks={Channel("arm", Property.ROTATE, 2): scalar_track([0.0], [40.0])},
    )
    pose = sample_many(RIG, wild("pose", seed), [0.4]).local
    delta = AdditiveSampler(RIG, clip, {}).deltas([0.0]).local
    local = AdditiveSpace.LOCAL
    twice = put_on(RIG.skeleton, put_on(RIG.skeleton, pose, delta, local, first), delta, local, second)
    once = put_on(RIG.skeleton, pose, delta, local, first + second) if first + second <= 1.0 else None
    other = put_on(RIG.skeleton, put_on(RIG.skeleton, pose, delta, local, second), delta, local, first)
    require_close(twice, other, 1e-7)
    if once is not None:
        require_close(twice, once, 1e-7)


def test_model_space_arm_keeps_its_direction_when_the_spine_leans() -> None:
    raised = {Channel("arm", Property.ROTATE, 2): scalar_track([0.0], [50.0])}
    clip = Clip(AssetId("clip-up"), "up", RIG.id, 1.0, tracks=raised)
    lean = {Channel("spine", Property.ROTATE, 0): scalar_track([0.0], [30.0])}
    leaning = sample_many(RIG, Clip(AssetId("clip-lean"), "lean", RIG.id, 1.0, tracks=lean), [0.0]).local
    goal = quat.from_axis_angle([0.0, 0.0, 1.0], np.radians(50.0))
    below = kinematics.model_rotations(RIG.skeleton, leaning.rotation)[0, 2]
    for space, turned in ((AdditiveSpace.MODEL, goal), (AdditiveSpace.LOCAL, None)):
        delta = AdditiveSampler(RIG, clip, {}, declared=Additive(space)).deltas([0.0])
        put = put_on(RIG.skeleton, leaning, delta.local, space)
        arm = kinematics.model_rotations(RIG.skeleton, put.rotation)[0, 2]
        own = quat.multiply(arm, quat.conjugate(below))  # how the arm turned, as the world sees it
        same = float(quat.angle_between(own, goal)) < 1e-9
        assert same is (turned is not None)


def test_clip_frame_by_frame_is_scaled_to_the_same_length() -> None:
    clip, other = wild("own", 1, 1.0), wild("base", 2, 4.0)
    declared = Additive(AdditiveSpace.LOCAL, AdditiveBase.CLIP, other.id)
    base = AdditiveSampler(RIG, clip, {other.id: other}, declared=declared).base([0.0, 0.25, 1.0])
    require_close(base.local, sample_many(RIG, other, [0.0, 1.0, 4.0]).local, 1e-12)


def test_base_clip_that_is_not_there_is_named() -> None:
    declared = Additive(AdditiveSpace.LOCAL, AdditiveBase.CLIP, AssetId("clip-gone"))
    with pytest.raises(MissingReferenceError, match="own"):
        AdditiveSampler(RIG, wild("own", 1), {}, declared=declared)

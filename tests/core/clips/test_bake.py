"""Baking: tracks made from samples give the samples back."""

import numpy as np
import pytest

from core.clips.bake import BakeStyle, bake, unrolled_degrees
from core.clips.clip import WHOLE, Channel, Clip, Property
from core.clips.sample import sample_many
from core.errors import ValidationError
from core.math import euler, quat
from core.math.transform import Transform
from core.tracks.keys import Interpolation
from tests.core.clips import making


def baked(rig, tracks) -> Clip:
    return Clip("c", "c", making.RIG, 2.0, tracks=tracks)


@pytest.mark.parametrize("angles", [False, True])
def test_bake_sampled_clip_gives_the_same_poses_at_the_keys(angles):
    rig, times = making.rig(7), np.linspace(0, 2, 41)
    batch = sample_many(rig, making.clip(7), times)
    again = sample_many(
        rig, baked(rig, bake(rig.skeleton, times, batch.local, style=BakeStyle(euler_angles=angles))), times
    )
    assert np.allclose(again.translations, batch.translations, atol=1e-12)
    assert np.allclose(again.scales, batch.scales, atol=1e-12)
    assert quat.angle_between(again.rotations, batch.rotations).max() < 1e-6


def test_bake_euler_angles_never_jump_between_keys():
    rig, times = making.rig(6), np.linspace(0, 3, 200)
    spin = quat.from_axis_angle([0.2, 1.0, 0.1], times * 7.0)
    rotations = np.repeat(spin[:, None], 6, axis=1)
    degrees = unrolled_degrees(rig.skeleton, rotations, list(range(6)))
    assert np.abs(np.diff(degrees, axis=0)).max() < 120.0  # fast near the lock, but no half or whole turn
    for bone in range(6):
        order = int(rig.skeleton.euler_orders[bone])
        assert quat.angle_between(euler.to_quaternion(degrees[:, bone], order), spin).max() < 1e-6


def test_bake_quaternion_signs_agree_from_key_to_key():
    rig, times = making.rig(1), np.linspace(0, 1, 30)
    q = quat.from_axis_angle([0, 0, 1], times * 9.0) * np.where(np.arange(30) % 2, 1.0, -1.0)[:, None]
    local = Transform(np.zeros((30, 1, 3)), q[:, None], np.ones((30, 1, 3)))
    track = bake(rig.skeleton, times, local)[Channel("b0", Property.ROTATE, WHOLE)]
    assert (np.sum(track.values[1:] * track.values[:-1], axis=1) > 0).all()


def test_bake_bones_at_rest_get_no_tracks_unless_asked_for():
    rig, times = making.rig(3), np.array([0.0, 1.0])
    local = Transform(*(np.repeat(part[None], 2, axis=0) for part in rig.skeleton.rest))
    assert bake(rig.skeleton, times, local) == {}
    assert len(bake(rig.skeleton, times, local, rest_tolerance=None)) == 3 * 7


def test_bake_chosen_bones_and_properties_only():
    rig, times = making.rig(4), np.array([0.0, 1.0])
    batch = sample_many(rig, making.clip(4), times)
    tracks = bake(rig.skeleton, times, batch.local, bones=[2], properties=[Property.TRANSLATE])
    assert set(tracks) == {Channel("b2", Property.TRANSLATE, a) for a in range(3)}


def test_bake_constant_columns_cost_no_memory_and_share_their_times():
    rig, times = making.rig(1), np.linspace(0, 1, 50)
    local = Transform(np.full((50, 1, 3), 3.0), np.tile(quat.IDENTITY, (50, 1, 1)), np.ones((50, 1, 3)))
    tracks = bake(rig.skeleton, times, local, properties=[Property.TRANSLATE])
    one, two = (tracks[Channel("b0", Property.TRANSLATE, a)] for a in range(2))
    assert one.values.strides == (0,)
    assert one.times is two.times


def test_bake_cubic_gets_automatic_slopes():
    rig, times = making.rig(1), np.linspace(0, 1, 5)
    local = Transform(
        np.repeat((times**2)[:, None, None], 3, axis=2), np.tile(quat.IDENTITY, (5, 1, 1)), np.ones((5, 1, 3))
    )
    tracks = bake(
        rig.skeleton,
        times,
        local,
        properties=[Property.TRANSLATE],
        style=BakeStyle(interpolation=Interpolation.CUBIC),
    )
    assert np.allclose(tracks[Channel("b0", Property.TRANSLATE, 0)].in_slopes[1:-1], 2 * times[1:-1])


def test_bake_shapes_that_disagree_are_refused():
    rig = making.rig(2)
    with pytest.raises(ValidationError, match="expected transforms"):
        bake(rig.skeleton, [0.0], Transform(np.zeros((2, 2, 3)), np.zeros((2, 2, 4)), np.ones((2, 2, 3))))

"""Converting rotations is bounded, whatever speed the bone turns at."""

import numpy as np
import pytest

from core.clips import convert
from core.clips.clip import Channel, Clip, Property
from core.clips.convert import RotationKind
from core.errors import Cancelled
from core.ids import AssetId
from core.progress import Progress, running
from core.timing import FrameRate
from core.tracks.keys import TangentMode, scalar_track
from core.tracks.places import KeyPlaces
from tests.big_documents import big_rig


def spinning(count=40, speed=100_000.0):
    """A bone that turns at an absurd speed about all three axes."""
    times = np.arange(count) / 30.0
    rig = big_rig(2)
    bone = rig.skeleton.names[0]
    tracks = {
        Channel(bone, Property.ROTATE, axis): scalar_track(
            times, times * speed, modes=int(TangentMode.LINEAR)
        )
        for axis in range(3)
    }
    return rig, bone, Clip(AssetId("spin"), "spin", rig.id, float(times[-1]), FrameRate.of(30), tracks=tracks)


def test_conversion_of_absurd_speeds_is_bounded_and_says_what_is_left(monkeypatch):
    monkeypatch.setattr(convert, "LEAST_SAMPLES", 600)
    rig, bone, clip = spinning()
    made = convert.convert_rotations(
        clip, rig.skeleton, [bone], RotationKind.QUATERNION, 0.05, KeyPlaces.ANYWHERE
    )
    assert sum(len(track) for track in made.clip.tracks.values()) <= 601
    assert made.left == made.errors and made.left[bone] > 0.05


def test_conversion_of_a_random_walk_is_bounded_and_says_what_is_left(monkeypatch):
    """Turns without any order between the frames: each stretch asks for more keys than its neighbours."""
    monkeypatch.setattr(convert, "LEAST_SAMPLES", 600)
    rig, bone, clip = spinning()
    steps = np.random.default_rng(3).normal(0.0, 5_000.0, (3, 40))
    tracks = {
        channel: scalar_track(track.times, np.cumsum(steps[channel.axis]), modes=int(TangentMode.LINEAR))
        for channel, track in clip.tracks.items()
    }
    made = convert.convert_rotations(
        clip.with_tracks(tracks), rig.skeleton, [bone], RotationKind.QUATERNION, 0.05, KeyPlaces.ANYWHERE
    )
    assert sum(len(track) for track in made.clip.tracks.values()) <= 601
    assert made.left == made.errors and made.left[bone] > 0.05


def test_conversion_within_its_bound_leaves_nothing():
    rig, bone, clip = spinning(speed=90.0)
    made = convert.convert_rotations(
        clip, rig.skeleton, [bone], RotationKind.QUATERNION, 0.05, KeyPlaces.ANYWHERE
    )
    assert made.left == {} and made.error <= 0.05


def test_conversion_stops_where_the_work_is_cancelled():
    rig, bone, clip = spinning()
    progress = Progress()
    progress.cancel()
    with running(progress), pytest.raises(Cancelled):
        convert.convert_rotations(clip, rig.skeleton, [bone], RotationKind.QUATERNION)

"""Equal key times become one array again, and nothing else changes."""

from dataclasses import replace

import numpy as np

from core.arrays import same_value
from core.clips.clip import WHOLE, Channel, Clip, Property
from core.clips.shared_times import with_shared_times
from core.ids import AssetId
from core.tracks.keys import quaternion_track, scalar_track

TURNS = [[0.0, 0.0, 0.0, 1.0], [0.0, 0.6, 0.0, 0.8]]


def clip_of(*times: list[float]) -> Clip:
    """A clip with a track of its own for each list of times, a curve and a quaternion track at the first ones."""
    tracks = {
        Channel("root", Property.TRANSLATE, axis): scalar_track(np.array(at), np.arange(len(at), dtype=float))
        for axis, at in enumerate(times)
    }
    tracks[Channel("hips", Property.ROTATE, WHOLE)] = quaternion_track(np.array(times[0]), TURNS)
    curves = {"lean": scalar_track(np.array(times[0]), [3.0, 4.0])}
    return Clip(AssetId("c"), "c", AssetId("r"), 2.0, tracks=tracks, curves=curves)


def test_equal_times_become_one_array_and_others_stay() -> None:
    clip = clip_of([0.0, 1.0], [0.0, 1.0], [0.0, 1.5])
    shared = with_shared_times(clip)
    assert same_value(shared, clip)
    assert len({id(track.times) for track in clip.every_track()}) == 5
    assert len({id(track.times) for track in shared.every_track()}) == 2
    assert with_shared_times(shared) is shared


def test_tracks_that_were_there_before_are_left_as_they_are() -> None:
    before = clip_of([0.0, 1.0], [0.0, 1.0], [0.0, 1.5])
    channel = Channel("root", Property.SCALE, 0)
    after = before.with_tracks({channel: scalar_track([0.0, 1.0], [1.0, 2.0])})
    both = replace(after, morphs={"m/smile": scalar_track([0.0, 1.0], [0.0, 1.0])})
    shared = with_shared_times(both, before)
    known = {id(track.times) for track in before.every_track()}
    assert same_value(shared, both)
    assert id(shared.morphs["m/smile"].times) in known and id(shared.tracks[channel].times) in known
    assert all(shared.tracks[c] is track for c, track in before.tracks.items())
    assert with_shared_times(before, before) is before

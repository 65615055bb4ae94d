"""Frames inserted and removed between keys: everything after the time moves, nothing else does, no key is lost."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.clips.channels import all_tracks, curve_channel, morph_channel
from core.clips.clip import (
    WHOLE,
    Additive,
    AdditiveBase,
    AdditiveSpace,
    Channel,
    Clip,
    Marker,
    Notify,
    Property,
    SyncMarker,
)
from core.clips.contacts import contact_spans, with_contacts
from core.clips.inbetweens import removable_frames, with_inbetweens
from core.clips.loop_tools import is_linked
from core.errors import ValidationError
from core.ids import AssetId
from core.timing import FrameRate
from core.tracks.keys import quaternion_track, scalar_track

RATE = FrameRate.of(24)
X = Channel("a", Property.ROTATE, 0)
Q = Channel("b", Property.ROTATE, WHOLE)
LENGTH = 60


def seconds(frame: float) -> float:
    return RATE.to_seconds(frame)


def keyed(frames, looping: bool = False) -> Clip:
    """A clip with keys of every kind at frames, and events of every kind."""
    times = [seconds(f) for f in sorted(frames)]
    values = np.arange(len(times)) ** 2 * 1.0
    turns = np.tile([0.0, 0.0, 0.0, 1.0], (len(times), 1))
    clip = Clip(
        AssetId("clip-1"), "c", AssetId("rig-1"), seconds(LENGTH), RATE, looping,
        {X: scalar_track(times, values), Q: quaternion_track(times, turns)},
        {"speed": scalar_track(times, values)}, {"face/smile": scalar_track(times, values)},
        (Notify("moment", seconds(10)), Notify("state", seconds(20), seconds(10))),
        (SyncMarker("left", seconds(30)),), (Marker("note", seconds(40)),),
    )  # fmt: skip
    return with_contacts(clip, "contact_foot", [(seconds(15), seconds(35))])


def frames_of(clip: Clip, channel: Channel = X) -> list[float]:
    return np.round(np.asarray(all_tracks(clip)[channel].times) * 24.0, 6).tolist()


FRAMES = st.sets(st.integers(0, LENGTH), min_size=1, max_size=12)


@given(FRAMES, st.integers(0, LENGTH), st.integers(1, 20), st.booleans())
def test_insertion_moves_everything_after_the_time_by_the_frames_and_nothing_else(
    frames, at: int, count: int, looping: bool
) -> None:
    clip = keyed(frames, looping)
    longer = with_inbetweens(clip, seconds(at), count)

    def moved(frame: float) -> float:
        return frame + count if frame > at else frame

    assert longer.length == pytest.approx(seconds(LENGTH + count))
    for channel in (X, Q, curve_channel("speed"), morph_channel("face/smile")):
        assert frames_of(longer, channel) == [moved(f) for f in sorted(frames)]
        assert np.array_equal(all_tracks(longer)[channel].values, all_tracks(clip)[channel].values)
    assert [n.time for n in longer.notifies] == pytest.approx([seconds(moved(f)) for f in (10, 20)])
    state = longer.notifies[1]
    assert state.time + state.duration == pytest.approx(seconds(moved(30)))
    assert longer.sync_markers[0].time == pytest.approx(seconds(moved(30)))
    assert longer.markers[0].time == pytest.approx(seconds(moved(40)))
    assert contact_spans(longer, "contact_foot")[0] == pytest.approx((seconds(moved(15)), seconds(moved(35))))


@given(FRAMES, st.integers(0, LENGTH), st.integers(1, 20))
def test_frames_inserted_and_removed_again_give_the_clip_back(frames, at: int, count: int) -> None:
    clip = with_inbetweens(keyed(frames), 0.0, 1)  # its automatic slopes are set now
    clip = with_inbetweens(clip, 0.0, -1) if removable_frames(clip, 0.0) else clip
    back = with_inbetweens(with_inbetweens(clip, seconds(at), count), seconds(at), -count)
    assert back.length == pytest.approx(clip.length, abs=1e-12)
    for channel, track in all_tracks(clip).items():
        again = all_tracks(back)[channel]
        assert again.times == pytest.approx(track.times, abs=1e-9)
        assert np.array_equal(again.values, track.values)
    for old, new in zip(clip.notifies, back.notifies, strict=True):
        assert (new.time, new.duration) == pytest.approx((old.time, old.duration), abs=1e-9)


@given(FRAMES, st.integers(0, LENGTH), st.integers(1, 30))
def test_removing_never_loses_a_key_nor_changes_the_spacing_after_the_time(
    frames, at: int, count: int
) -> None:
    clip = keyed(frames)
    room = removable_frames(clip, seconds(at))
    if count > room:
        with pytest.raises(ValidationError, match=f"{room} "):
            with_inbetweens(clip, seconds(at), -count)
        return
    shorter = with_inbetweens(clip, seconds(at), -count)
    for channel, track in all_tracks(clip).items():
        again = all_tracks(shorter)[channel]
        assert len(again) == len(track)
        later = np.flatnonzero(track.times > seconds(at) + 1e-5)
        assert np.diff(again.times[later]) == pytest.approx(np.diff(track.times[later]), abs=1e-9)
        assert (again.times[later] >= seconds(at + 1) - 1e-9).all()


def test_of_chosen_channels_only_their_keys_move() -> None:
    clip = keyed([0, 10, 20])
    longer = with_inbetweens(clip, seconds(10), 5, [X])
    assert frames_of(longer) == [0, 10, 25]
    assert longer.tracks[Q] is clip.tracks[Q] and longer.length == clip.length
    assert longer.notifies == clip.notifies and longer.curves["speed"] is clip.curves["speed"]


def test_bones_that_stay_keep_their_very_tracks() -> None:
    clip = keyed([0, 10, 20], looping=True)
    longer = with_inbetweens(clip, seconds(5), 5, still=["a"])
    assert longer.tracks[X] is clip.tracks[X]
    assert frames_of(longer, Q) == [0, 15, 25]


def test_a_loop_stays_closed() -> None:
    clip = keyed([0, 30, LENGTH], looping=True)
    tracks = {X: scalar_track([0.0, seconds(30), seconds(LENGTH)], [1.0, 5.0, 1.0])}
    clip = replace(clip, tracks=tracks)
    longer = with_inbetweens(clip, seconds(12), 7)
    assert is_linked(longer.tracks[X], longer.length)


def test_the_frame_that_an_additive_clip_is_a_difference_from_moves_along() -> None:
    base = Additive(AdditiveSpace.LOCAL, AdditiveBase.FRAME, None, seconds(20))
    clip = replace(keyed([0, 10]), additive=base)
    assert with_inbetweens(clip, seconds(12), 4).additive.base_time == pytest.approx(seconds(24))
    other = replace(clip, additive=replace(base, base_clip=AssetId("clip-2")))
    assert with_inbetweens(other, seconds(12), 4).additive.base_time == seconds(20)


def test_what_is_in_the_way_is_named_with_its_frame() -> None:
    clip = keyed([0, 10, 12])
    with pytest.raises(ValidationError, match="a key of 'a' is at frame 12"):
        with_inbetweens(clip, seconds(10), -2)
    assert frames_of(with_inbetweens(clip, seconds(10), -1)) == [0, 10, 11]


def test_nothing_after_the_time_is_the_clip_itself_for_channels() -> None:
    clip = keyed([0, 10])
    assert with_inbetweens(clip, seconds(10), 3, [X, Q]) is clip
    with pytest.raises(ValidationError, match="nothing but 0 frames"):
        with_inbetweens(clip, seconds(10), -3, [X, Q])


@pytest.mark.parametrize(("time", "frames"), [(float("nan"), 1.0), (0.0, float("inf"))])
def test_numbers_that_are_not_finite_are_refused(time: float, frames: float) -> None:
    with pytest.raises(ValidationError, match="finite"):
        with_inbetweens(keyed([0]), time, frames)

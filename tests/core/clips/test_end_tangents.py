"""Automatic end keys: one-sided, or flat by the user's choice, and only where an edit computed their slopes."""

from dataclasses import replace

import numpy as np
import pytest

from core.clips.clip import Channel, Clip, Property
from core.clips.end_tangents import with_ends
from core.ids import AssetId
from core.tracks import edits
from core.tracks.evaluate import evaluate_scalar
from core.tracks.keys import TangentMode, scalar_track
from core.tracks.tangents import Ends, with_tangents

CHANNEL = Channel("b", Property.TRANSLATE, 0)
TIMES, VALUES = [0.0, 1.0, 2.0, 3.0], [0.0, 2.0, 1.0, 4.0]


def clip_of(track, **about) -> Clip:
    return Clip(AssetId("clip-a"), "a", AssetId("rig"), 3.0, tracks={CHANNEL: track}, **about)


def edited(before: Clip, track, ends: Ends = Ends.FLAT):
    return with_ends(before, replace(before, tracks={CHANNEL: track}), ends).tracks[CHANNEL]


def auto(values=VALUES):
    return with_tangents(scalar_track(TIMES, values, modes=TangentMode.AUTO))


def test_end_slopes_flat_and_one_sided_agree_with_the_measured_curve():
    """Second route: the slope measured on the sampled curve, not the one that is stored."""
    for ends, expected in ((Ends.ONE_SIDED, 2.0), (Ends.FLAT, 0.0)):
        track = with_tangents(scalar_track(TIMES, VALUES, modes=TangentMode.AUTO), ends=ends)
        rise = np.diff(evaluate_scalar(track, [0.0, 1e-5]))[0] / 1e-5
        assert rise == pytest.approx(expected, abs=1e-3)
        assert track.in_slopes[1] == auto().in_slopes[1]  # keys between are the same


def test_clamped_ends_are_flat_either_way():
    for ends in Ends:
        track = with_tangents(scalar_track(TIMES, VALUES, modes=TangentMode.CLAMPED), ends=ends)
        assert track.out_slopes[0] == 0.0 == track.in_slopes[-1]


def test_flat_ends_leave_a_closed_loop_smooth():
    track = scalar_track(TIMES, [0.0, 2.0, 1.0, 0.0], modes=TangentMode.AUTO)
    one_sided, flat = (with_tangents(track, 3.0, ends=ends) for ends in Ends)
    assert np.array_equal(one_sided.out_slopes, flat.out_slopes) and flat.out_slopes[0] == flat.in_slopes[-1]


def test_edit_of_the_last_key_makes_that_end_flat_and_leaves_the_other():
    before = clip_of(auto())
    track = edited(before, edits.set_values(before.tracks[CHANNEL], [3], [5.0]))
    assert track.in_slopes[3] == 0.0 and track.out_slopes[0] == 2.0


def test_edit_of_the_neighbour_keeps_a_flat_end_flat():
    before = clip_of(with_tangents(scalar_track(TIMES, VALUES, modes=TangentMode.AUTO), ends=Ends.FLAT))
    track = edited(before, edits.set_values(before.tracks[CHANNEL], [1], [3.0]))
    assert track.out_slopes[0] == 0.0
    assert edited(before, edits.set_values(before.tracks[CHANNEL], [1], [3.0]), Ends.ONE_SIDED).out_slopes[
        0
    ] == pytest.approx(3.0)


def test_deleting_the_end_makes_the_new_end_flat():
    before = clip_of(auto())
    assert edited(before, edits.delete_keys(before.tracks[CHANNEL], [3])).in_slopes[-1] == 0.0


def test_slopes_by_hand_and_tracks_left_alone_stay_as_they_are():
    before = clip_of(auto())
    dragged = edits.set_slopes(before.tracks[CHANNEL], [0], [7.0], [7.0])
    assert edited(before, dragged) is dragged
    assert with_ends(before, before, Ends.FLAT) is before
    renamed = replace(before, name="b")
    assert with_ends(before, renamed, Ends.FLAT) is renamed

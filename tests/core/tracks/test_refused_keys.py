"""Every edit that names keys refuses those that there are not, and values that come with keys in another order."""

import numpy as np
import pytest

from core.errors import ValidationError
from core.math import quat
from core.tracks import edits
from core.tracks.keys import Interpolation, quaternion_track, scalar_track
from core.tracks.reduce import reduced_rotation
from core.tracks.refresh import checked

TRACK = scalar_track([0.0, 1.0, 2.0, 3.0], [0.0, 2.0, 1.0, 4.0])


@pytest.mark.parametrize("keys", [[-1], [4], [-1, 2], [0, 4]])
def test_keys_that_are_not_there_are_refused(keys):
    with pytest.raises(ValidationError, match="indices below 4"):
        checked(TRACK, keys)
    with pytest.raises(ValidationError, match="indices below 4"):
        edits.place_keys(TRACK, keys, np.arange(len(keys)) + 5.0)
    with pytest.raises(ValidationError, match="indices below 4"):
        edits.set_values(TRACK, keys, np.zeros(len(keys)))
    with pytest.raises(ValidationError, match="indices below 4"):
        edits.delete_keys(TRACK, keys)


@pytest.mark.parametrize("keys", [[2, 1], [1, 1]])
def test_keys_that_come_with_values_rise_and_others_are_put_in_order(keys):
    with pytest.raises(ValidationError, match="rising"):
        edits.place_keys(TRACK, keys, [1.5, 2.5])
    with pytest.raises(ValidationError, match="rising"):
        edits.set_values(TRACK, keys, [0.0, 1.0])
    assert checked(TRACK, keys).tolist() == sorted(set(keys))
    assert checked(TRACK, []).tolist() == []


TURNS = quat.from_axis_angle([[0.0, 0.0, 1.0]], np.array([0.2, 0.9, 0.4]))


@pytest.mark.parametrize("time", [-1.0, 3.5])
@pytest.mark.parametrize("kind", list(Interpolation))
def test_a_turn_keyed_beyond_the_ends_keeps_what_is_within_and_rests_outside(time, kind):
    tangent = np.tile([0.0, 0.0, 0.3, 0.1], (3, 1))
    track = quaternion_track([0.0, 1.0, 2.0], TURNS, tangent, tangent, interpolations=int(kind))
    more = edits.insert_key(track, time)
    place, end = (0, 0) if time < 0 else (3, 2)
    assert more.times[place] == time and more.interpolations[place] == kind
    np.testing.assert_allclose(more.values[place], track.values[end])
    kept = np.delete(np.arange(4), place)
    cubic = kind == Interpolation.CUBIC
    for name in ("in_tangents", "out_tangents"):
        wanted = np.array(getattr(track, name))
        if cubic and name == ("in_tangents" if time < 0 else "out_tangents"):
            wanted[end] = 0.0
        np.testing.assert_array_equal(getattr(more, name)[kept], wanted)


def test_a_turn_that_needs_all_its_keys_stays_the_very_track():
    rng = np.random.default_rng(1)
    turns = quat.continuous(quat.normalise(rng.normal(size=(5, 4))))
    track = quaternion_track(np.arange(5.0), turns, interpolations=int(Interpolation.LINEAR))
    assert reduced_rotation(track, 1e-4) is track

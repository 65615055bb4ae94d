"""Keys of many tracks moved together, against each track moved by itself."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import ValidationError
from core.tracks.keys import TangentMode, scalar_track
from core.tracks.many import KeyGroup
from core.tracks.moving import move_keys
from core.tracks.tangents import with_tangents

LENGTH = 2.0


def tracks_of(seed, count, keys, loop=None):
    """Tracks with slopes as their modes want them, all of one array of times."""
    r = np.random.default_rng(seed)
    times = np.sort(r.choice(60, keys, replace=False)) / 30.0
    times.flags.writeable = False
    made = []
    for number in range(count):
        modes = r.integers(0, len(TangentMode), keys) if number % 2 else int(r.integers(0, 3))
        values = np.round(r.normal(size=keys), 2)
        if loop is not None:
            values[-1] = values[0]
        slopes = r.normal(size=keys)
        weights = r.uniform(0.2, 0.6, keys) if number % 3 == 0 else 1 / 3
        track = scalar_track(times, values, slopes, slopes, modes=modes, weights=(weights, weights))
        made.append(with_tangents(track, loop))
    return made


@given(
    st.integers(0, 10_000), st.integers(1, 5), st.integers(2, 12), st.sets(st.integers(0, 11), min_size=1),
    st.integers(-40, 40), st.booleans(), st.booleans(),
)  # fmt: skip
def test_keys_of_many_tracks_moved_are_as_if_each_were_moved(seed, count, keys, chosen, frames, rises, loops):
    loop = LENGTH if loops else None
    tracks = tracks_of(seed, count, keys, loop)
    numbers = np.array(sorted(k for k in chosen if k < keys) or [0])
    values = np.round(np.random.default_rng(seed).normal(size=count), 2) * rises
    found, places = KeyGroup(tracks, numbers, loop).moved(frames / 30.0, values)
    for old, new, value in zip(tracks, found, values, strict=True):
        alone = move_keys(old, numbers, frames / 30.0, float(value), loop)
        assert np.array_equal(places, alone.keys)
        assert np.array_equal(new.times, alone.track.times)
        for name in (
            "values",
            "in_slopes",
            "out_slopes",
            "interpolations",
            "modes",
            "in_weights",
            "out_weights",
        ):
            assert np.allclose(getattr(new, name), getattr(alone.track, name), rtol=1e-9, atol=1e-9), name
    assert all(new.times is found[0].times for new in found)


def test_keys_of_many_tracks_moved_by_nothing_are_the_same_tracks():
    tracks = tracks_of(1, 3, 5)
    found, places = KeyGroup(tracks, [1, 2]).moved(0.0, 0.0)
    assert all(a is b for a, b in zip(found, tracks, strict=True))
    assert places.tolist() == [1, 2]


def test_keys_of_many_tracks_moved_share_what_does_not_change():
    tracks = [with_tangents(scalar_track(t.times, t.values)) for t in tracks_of(2, 2, 8)]
    up, _ = KeyGroup(tracks, np.arange(8)).moved(0.0, 1.0)
    along, _ = KeyGroup(tracks, np.arange(8)).moved(0.5)
    assert up[0].times is tracks[0].times and up[0].in_slopes is tracks[0].in_slopes
    assert along[0].values is tracks[0].values and along[1].modes is tracks[1].modes


def test_keys_of_many_tracks_moved_cannot_be_written():
    found, _ = KeyGroup(tracks_of(3, 2, 6), [1]).moved(0.1, 1.0)
    with pytest.raises(ValueError, match="read-only"):
        found[0].values[0] = 1.0


def test_keys_moved_again_leave_tracks_that_are_still_held_as_they_were():
    group, held = KeyGroup(tracks_of(5, 3, 9), [2, 3]), []
    for step in range(1, 12):
        found, _ = group.moved(step / 30.0, float(step))
        if step % 3 == 0:
            held.append((step, found[1].values, found[2].in_slopes))
    for step, values, slopes in held:
        again, _ = KeyGroup(tracks_of(5, 3, 9), [2, 3]).moved(step / 30.0, float(step))
        assert np.array_equal(values, again[1].values) and np.array_equal(slopes, again[2].in_slopes)


def test_keys_moved_again_use_the_memory_of_moves_that_nobody_holds():
    group, places = KeyGroup(tracks_of(6, 3, 9), [4]), set()
    for step in range(1, 30):
        found, _ = group.moved(step / 300.0, 1.0)
        places |= {column.__array_interface__["data"][0] for column in (found[0].values, found[0].in_slopes)}
    assert len(places) <= 6


def test_keys_of_tracks_with_times_of_their_own_are_refused():
    with pytest.raises(ValidationError, match="share one array"):
        KeyGroup([tracks_of(1, 1, 5)[0], tracks_of(2, 1, 5)[0]], [0])


def test_keys_moved_by_no_number_are_refused():
    with pytest.raises(ValidationError, match="finite"):
        KeyGroup(tracks_of(1, 1, 5), [0]).moved(float("nan"))


@pytest.mark.parametrize(
    ("chosen", "gaps"), [([1, 2], 1), ([2, 3], 1), ([1, 2], -1), ([3, 4], -3), ([0, 1], 4), ([2, 3], 2)]
)
@pytest.mark.parametrize("loops", [False, True])
def test_neighbours_moved_onto_the_keys_at_the_ends_are_as_if_each_track_were_moved(chosen, gaps, loops):
    times, loop = np.arange(5) * 0.5, 2.0 if loops else None
    rng = np.random.default_rng(4)
    tracks = [with_tangents(scalar_track(times, rng.normal(size=5)), loop) for _ in range(3)]
    shared = [replace(track, times=tracks[0].times) for track in tracks]
    found, places = KeyGroup(shared, chosen, loop).moved(0.5 * gaps)
    for old, new in zip(shared, found, strict=True):
        alone = move_keys(old, chosen, 0.5 * gaps, 0.0, loop)
        assert np.array_equal(places, alone.keys) and np.array_equal(new.times, alone.track.times)
        np.testing.assert_allclose(new.in_slopes, alone.track.in_slopes, atol=1e-9)
        np.testing.assert_allclose(new.out_slopes, alone.track.out_slopes, atol=1e-9)

"""Keys set on many tracks at one time, held against setting them on each track alone, to the last bit."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.arrays import constant
from core.errors import ValidationError
from core.tracks.edits import set_value, set_values
from core.tracks.evaluate import evaluate_scalar
from core.tracks.keys import PLAIN_WEIGHT, Extrapolation, columns, scalar_track
from core.tracks.tangents import with_tangents
from core.tracks.together import evaluate_scalars, set_keys_together, set_together

TIMES = np.array([0.0, 0.25, 0.5, 1.0, 1.5])


def some_tracks(seed: int, loop: float | None, shared: bool) -> list:
    """Tracks of every mode and interpolation, weighted ones among them; some have times of their own."""
    r = np.random.default_rng(seed)
    made = []
    for n in range(24):
        count = len(TIMES) if n % 6 else int(r.integers(1, 5))
        times = TIMES[:count] if shared else TIMES[:count].copy()
        if n % 7 == 0:
            times = np.sort(r.uniform(0.0, 1.5, count)) if count < 3 else times
        values = r.normal(size=count)
        values[-1] = values[0] if n % 2 else values[-1]
        kinds = r.integers(0, 3, count) if n % 3 else 2
        weights = r.uniform(0.0, 1.0, count) if n % 5 == 0 else PLAIN_WEIGHT
        track = scalar_track(
            times,
            values,
            r.normal(size=count),
            r.normal(size=count),
            kinds,
            r.integers(0, 7, count),
            weights=(weights, weights),
            beyond=(Extrapolation(int(r.integers(0, 5))), Extrapolation(int(r.integers(0, 5)))),
        )
        made.append(with_tangents(track, loop))
    return made


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("loop", [None, 1.5, 2.0])
@pytest.mark.parametrize("time", [0.0, 0.1, 0.5, 0.500001, 1.2, 1.5, 1.7, -0.3])
def test_tracks_together_are_as_each_alone_to_the_bit(seed, loop, time) -> None:
    tracks = some_tracks(seed, loop, shared=bool(seed % 2))
    alone = [evaluate_scalar(track, np.array([time]), loop)[0] for track in tracks]
    assert evaluate_scalars(tracks, time, loop).tolist() == alone
    values = np.random.default_rng(seed + 100).normal(size=len(tracks))
    for n in range(0, len(tracks), 4):
        values[n] = alone[n]
    made = set_together(tracks, time, values, loop)
    for track, own, value in zip(tracks, made, values.tolist(), strict=True):
        expected = set_value(track, time, value, loop)
        assert (own is track) == (expected is track)
        for name in columns(track):
            a, b = getattr(own, name), getattr(expected, name)
            assert a.dtype == b.dtype and np.array_equal(a, b), name
            assert not a.flags.writeable
            assert (a is getattr(track, name)) == (b is getattr(track, name)), f"{name} is shared as before"
        assert (own.in_slopes is own.out_slopes) == (expected.in_slopes is expected.out_slopes)
        assert (own.before, own.after) == (expected.before, expected.after)


def test_new_keys_leave_tracks_with_shared_times_one_array() -> None:
    tracks = [scalar_track(TIMES, TIMES * n) for n in range(3)]
    assert all(track.times is tracks[0].times for track in tracks) or len({id(t.times) for t in tracks}) == 3
    made = set_together(tracks, 0.3, [1.0, 2.0, 3.0])
    assert made[0].times is made[1].times is made[2].times
    assert not any(made[0].in_weights.strides), "one constant column stays so"
    assert np.array_equal(made[0].in_weights, constant(PLAIN_WEIGHT, 6))


def test_numbers_that_are_not_finite_are_refused() -> None:
    tracks = [scalar_track(TIMES, TIMES)] * 2
    with pytest.raises(ValidationError, match="key values"):
        set_together(tracks, 0.3, [1.0, np.inf])
    with pytest.raises(ValidationError, match="finite seconds"):
        set_together(tracks, np.nan, [1.0, 2.0])


@given(st.integers(0, 2**31), st.sets(st.integers(0, 8), min_size=1).map(sorted), st.booleans())
def test_keys_set_together_are_those_set_track_by_track_to_the_bit(seed, keys, looping) -> None:
    rng = np.random.default_rng(seed)
    times = np.cumsum(rng.uniform(0.05, 0.4, 9))
    modes = [rng.integers(0, 7, 9).astype(np.uint8) for _ in range(4)]
    tracks = [scalar_track(times, rng.normal(size=9), modes=m) for m in modes]
    loop = float(times[-1]) if looping else None
    values = rng.normal(size=(4, len(keys)))
    values[1] = tracks[1].values[keys]
    made = set_keys_together(tracks, np.array(keys), values, loop)
    assert made[1] is tracks[1]
    for track, new, row in zip(tracks, made, values, strict=True):
        alone = set_values(track, keys, row, loop)
        assert all(np.array_equal(getattr(new, name), getattr(alone, name)) for name in columns(alone))


def test_keys_of_tracks_with_other_times_or_values_of_another_shape_are_refused() -> None:
    one, two = scalar_track([0.0, 1.0], [0.0, 1.0]), scalar_track([0.0, 2.0], [0.0, 1.0])
    with pytest.raises(ValidationError, match="share their times"):
        set_keys_together([one, two], np.array([0]), [[1.0], [2.0]])
    with pytest.raises(ValidationError, match="expected"):
        set_keys_together([one], np.array([0]), [[1.0, 2.0]])
    with pytest.raises(ValidationError):
        set_keys_together([one], np.array([0]), [[float("nan")]])

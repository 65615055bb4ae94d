"""What the columns of a track may hold, at its bounds, on every way by which tracks are made."""

from dataclasses import replace

import numpy as np
import pytest

from core.arrays import constant
from core.errors import ValidationError
from core.timing import TIME_EPSILON
from core.tracks import edits, refresh
from core.tracks.key_types import KeyType, types_column
from core.tracks.keys import (
    LONGEST_WEIGHT,
    QUATERNION_COLUMNS,
    SCALAR_COLUMNS,
    CheckedColumns,
    Extrapolation,
    Interpolation,
    TangentMode,
    altered,
    joined,
    quaternion_track,
    reordered,
    require_row,
    scalar_track,
    taken,
    with_columns,
)
from core.tracks.tangents import with_tangents
from tests.core.tracks.test_exact_edits import TIMES, rotations, scalar

BOUNDS = {  # column: values that are good, values that are not
    "values": ((-1e300, 1e300), (np.nan, np.inf, -np.inf)),
    "in_slopes": ((-1e300, 1e300), (np.nan, np.inf)),
    "out_slopes": ((-1e300, 1e300), (np.nan, -np.inf)),
    "in_weights": ((0.0, 1.0, LONGEST_WEIGHT), (-1e-9, LONGEST_WEIGHT * (1 + 1e-9), np.nan)),
    "out_weights": ((0.0, 1.0, LONGEST_WEIGHT), (-1e-9, LONGEST_WEIGHT * (1 + 1e-9), np.inf)),
    "interpolations": ((0, len(Interpolation) - 1), (len(Interpolation), 255)),
    "modes": ((0, len(TangentMode) - 1), (len(TangentMode), 255)),
    "types": ((0, len(KeyType) - 1), (len(KeyType), 255)),
}


def with_one(name, value):
    column = np.array(getattr(scalar(None), name))
    column[3] = value
    return column


@pytest.mark.parametrize("name", BOUNDS)
def test_columns_at_their_bounds(name):
    track = scalar(None)
    every = {column: getattr(track, column) for column in SCALAR_COLUMNS}
    good, bad = BOUNDS[name]
    ways = (
        lambda column: replace(track, **{name: column}),
        lambda column: altered(track, {name: column}),
        lambda column: CheckedColumns().track({**every, name: column}, track.before, track.after),
    )
    for value in good:
        column = with_one(name, value)
        for way in ways:
            made = way(column)
            np.testing.assert_array_equal(getattr(made, name), column)
            assert not getattr(made, name).flags.writeable
        require_row({name: value})
    for value in bad:
        for way in ways:
            with pytest.raises(ValidationError, match=r"^key|weights"):
                way(with_one(name, value))
        with pytest.raises(ValidationError, match=r"^key|weights"):
            require_row({name: value})
    for way in ways:
        with pytest.raises(ValidationError, match=r"expected"):
            way(with_one(name, good[0])[:5])


def test_one_array_that_was_checked_is_known_in_its_place_alone():
    track = scalar(None)
    every = {column: getattr(track, column) for column in SCALAR_COLUMNS}
    columns = CheckedColumns()
    first = columns.track(every, Extrapolation.CYCLE, Extrapolation.HOLD)
    second = columns.track(every, Extrapolation.HOLD, Extrapolation.LINEAR)
    for name in SCALAR_COLUMNS:
        assert getattr(first, name) is getattr(second, name) is every[name]
    assert (first.before, first.after, second.after) == (
        Extrapolation.CYCLE,
        Extrapolation.HOLD,
        Extrapolation.LINEAR,
    )
    with pytest.raises(ValidationError, match="weights"):  # good values are no good weights
        columns.track({**every, "in_weights": np.asarray(every["values"])}, track.before, track.after)


def test_times_at_their_bounds():
    for made, more in ((scalar_track, ()), (quaternion_track, (4,))):
        for times in ([0.0, TIME_EPSILON], [0.0, 0.51 * TIME_EPSILON, 1.0], [-1e9, 1e9]):
            values = np.ones((len(times), *more))
            assert made(times, values).times.tolist() == times
        for times, words in (
            ([0.0, 0.49 * TIME_EPSILON], "keys 0 and 1 stand at 0.0 and"),
            ([0.0, 1.0, 0.5], "keys 1 and 2 stand at 1.0 and 0.5"),
            ([0.0, np.nan], "key times"), ([], "at least one key"),
        ):  # fmt: skip
            with pytest.raises(ValidationError, match=words):
                made(times, np.ones((len(times), *more)))


def test_rotations_at_their_bounds():
    track = rotations(2)
    for value in ([0.0, 0.0, 0.0, 0.0], [1e-7, 0.0, 0.0, 0.0], [np.nan, 0.0, 0.0, 1.0]):
        values = np.array(track.values)
        values[4] = value
        with pytest.raises(ValidationError, match=r"^quaternion key 4: expected a rotation, got"):
            replace(track, values=values)
    values[4] = [3e-6, 0.0, 0.0, 4e-6]
    np.testing.assert_allclose(replace(track, values=values).values[4], [0.6, 0.0, 0.0, 0.8])
    assert replace(track, before=Extrapolation.CYCLE).values is track.values
    for name in ("in_tangents", "out_tangents"):
        column = np.array(getattr(track, name))
        column[2, 1] = np.inf
        with pytest.raises(ValidationError, match=rf"^key {name}"):
            replace(track, **{name: column})
        with pytest.raises(ValidationError, match=rf"^key {name}: expected shape"):
            replace(track, **{name: column[:5]})
    with pytest.raises(ValidationError, match=r"^key interpolations: unknown code 3$"):
        quaternion_track(TIMES, track.values, interpolations=len(Interpolation))
    for value in (-1, len(Extrapolation)):
        with pytest.raises(ValueError, match="Extrapolation"):
            replace(track, after=value)


def test_what_is_left_out_has_its_default():
    made = scalar_track([0.0, 1.0], [1.0, 2.0])
    assert (
        (made.in_slopes, made.out_slopes) is not None
        and not made.in_slopes.any()
        and not made.out_slopes.any()
    )
    assert set(made.interpolations) == {Interpolation.CUBIC} and set(made.modes) == {TangentMode.AUTO}
    assert set(made.in_weights) == set(made.out_weights) == {1.0 / 3.0} and not made.types.any()
    assert made.before is made.after is Extrapolation.HOLD and len(made) == 2
    turned = quaternion_track([0.0, 1.0], [[0.0, 0.0, 0.0, 1.0]] * 2)
    assert set(turned.interpolations) == {Interpolation.LINEAR} and not turned.in_tangents.any()
    assert not turned.out_tangents.any() and turned.in_tangents.shape == (2, 4) and len(turned) == 2
    part = scalar_track([0.0, 1.0], [1.0, 2.0], 3.0, [4.0, 5.0], 0, [1, 2], (0.1, [0.2, 0.3]), (1, 2))
    assert part.in_slopes.tolist() == [3.0, 3.0] and part.out_slopes.tolist() == [4.0, 5.0]
    assert part.interpolations.tolist() == [0, 0] and part.modes.tolist() == [1, 2]
    assert part.in_weights.tolist() == [0.1, 0.1] and part.out_weights.tolist() == [0.2, 0.3]
    assert (part.before, part.after) == (Extrapolation.LINEAR, Extrapolation.CYCLE)


@pytest.mark.parametrize("made", [scalar, rotations])
def test_keys_taken_and_joined(made):
    track = made(None)
    names = SCALAR_COLUMNS if made is scalar else QUATERNION_COLUMNS
    for keys in ([0], [1, 4], np.array([True, False, True, True, False, False]), range(1, 6)):
        some = taken(track, keys)
        for name in names:
            np.testing.assert_array_equal(getattr(some, name), getattr(track, name)[np.asarray(keys)])
        assert (some.before, some.after) == (track.before, track.after)
    assert taken(track, np.arange(6)) is track
    whole = joined([taken(track, [0, 1]), taken(track, [2]), taken(track, [3, 4, 5])])
    for name in names:
        np.testing.assert_array_equal(getattr(whole, name), getattr(track, name))
    order = {name: getattr(track, name)[::-1] for name in names if name != "times"}
    turned = reordered(track, -track.times[::-1], order)
    np.testing.assert_array_equal(turned.values, track.values[::-1])
    with pytest.raises(ValidationError, match="must rise"):
        reordered(track, track.times[::-1], order)
    one = reordered(track, [5.0], {name: getattr(track, name)[:1] for name in names if name != "times"})
    assert one.times.tolist() == [5.0] and len(one) == 1


def test_blocks_of_columns():
    tracks = [scalar(None, 1), scalar(2, 2)]
    block = np.arange(12.0).reshape(2, 6)
    made = with_columns(tracks, TIMES + 1.0, {"values": block}, {"modes": [tracks[1].modes, tracks[0].modes]})
    assert [t.values.tolist() for t in made] == block.tolist() and made[0].modes is tracks[1].modes
    assert made[0].times is made[1].times and made[1].in_slopes is tracks[1].in_slopes
    assert [t.times.tolist() for t in with_columns(tracks, TIMES, {}, {})] == [TIMES.tolist()] * 2
    with pytest.raises(ValidationError, match=r"^key values: expected \(2, 6\), got \(2, 5\)$"):
        with_columns(tracks, TIMES, {"values": block[:, :5].copy()}, {})


def test_indices_of_keys_at_their_bounds():
    track = scalar(2)
    for keys in ([0, 5], [], [5, 0, 5]):
        assert refresh.checked(track, keys).tolist() == sorted(set(keys))
    assert refresh.checked(track, [0, 5], rising=True).tolist() == [0, 5]
    for keys in ([6], [-1], [0, 7]):
        with pytest.raises(ValidationError, match=r"^key"):
            refresh.checked(track, keys)
    for keys in ([5, 0], [1, 1]):
        with pytest.raises(ValidationError, match=r"^keys: expected rising indices"):
            refresh.checked(track, keys, rising=True)
    column = np.arange(4.0)
    np.testing.assert_array_equal(refresh.put(column, [1, 2], [1.0, 2.0]), column)
    assert refresh.put(column, [1, 2], 7.0).tolist() == [0.0, 7.0, 7.0, 3.0] and column[1] == 1.0


@pytest.mark.parametrize("loop", [None, 2.6, 3.4])
def test_keys_beside_deleted_ones_get_their_automatic_slopes_again(loop):
    track = with_tangents(scalar(2, 4), loop)
    track = with_tangents(replace(track, modes=np.zeros(6, dtype=np.uint8)), loop)
    for keys in ([0], [5], [0, 1], [4, 5], [2], [0, 5], [1, 3]):
        left = edits.delete_keys(track, keys, loop)
        fresh = with_tangents(
            scalar_track(left.times, left.values, weights=(left.in_weights, left.out_weights)), loop
        )
        near = [n for n in range(len(left)) if (loop is None or 0 < n < len(left) - 1)]
        np.testing.assert_allclose(left.in_slopes[near], fresh.in_slopes[near])
        np.testing.assert_allclose(left.out_slopes[near], fresh.out_slopes[near])


def test_segments_that_become_cubic_turn_the_short_way():
    track = rotations(1)
    signs = np.array([1.0, -1.0, -1.0, 1.0, -1.0, 1.0])[:, None]
    done = edits.set_interpolation(
        replace(track, values=track.values * signs), [0, 1, 2, 3, 4], Interpolation.CUBIC
    )
    np.testing.assert_array_equal(done.values, track.values)
    plain = edits.set_interpolation(track, [0, 1, 2, 3, 4], Interpolation.CUBIC)
    np.testing.assert_array_equal(done.out_tangents, plain.out_tangents)
    np.testing.assert_array_equal(done.in_tangents, plain.in_tangents)


def test_an_even_column_of_plain_types_gets_the_length_it_needs():
    for given in (constant(0, 0, np.uint8), constant(0, 3, np.uint8), constant(0, 5, np.uint8)):
        assert types_column(given, 5).tolist() == [0] * 5
    assert types_column(constant(2, 5, np.uint8), 5).tolist() == [2] * 5
    for given in (constant(2, 3, np.uint8), np.zeros(3, np.uint8), constant(1, 6, np.uint8)):
        with pytest.raises(ValidationError, match=r"^key types: expected shape \(5\)"):
            types_column(given, 5)
    with pytest.raises(ValidationError, match=r"^key types: expected codes below 5, got 5$"):
        types_column(np.array([0, 5], np.uint8), 2)
    assert types_column(constant(0, 4, np.uint8), 0).tolist() == []

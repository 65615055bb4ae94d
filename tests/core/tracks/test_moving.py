"""Moving keys over others, held against a plain dictionary of keys; tracks built without checking twice."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.arrays import constant, same_value
from core.errors import ValidationError
from core.tracks import edits
from core.tracks.keys import (
    SCALAR_COLUMNS,
    ScalarTrack,
    TangentMode,
    altered,
    quaternion_track,
    reordered,
    require_row,
    scalar_track,
)

STEP = 0.25


@st.composite
def moves(draw: st.DrawFn) -> tuple[list[int], list[int], list[int]]:
    """Places of keys on a grid, which are moved, and where to."""
    places = sorted(draw(st.sets(st.integers(0, 20), min_size=1, max_size=12)))
    chosen = sorted(draw(st.sets(st.integers(0, len(places) - 1), max_size=len(places))))
    goals = draw(st.lists(st.integers(-3, 23), min_size=len(chosen), max_size=len(chosen)))
    return places, chosen, goals


@given(moves(), st.sampled_from([TangentMode.AUTO, TangentMode.FREE]))
def test_place_keys_anywhere_is_a_dictionary_that_the_placed_are_put_into(
    case: tuple[list[int], list[int], list[int]], mode: TangentMode
) -> None:
    places, chosen, goals = case
    track = scalar_track(np.array(places) * STEP, np.arange(len(places)) * 10.0, modes=int(mode))
    result = edits.place_keys(track, chosen, np.array(goals) * STEP)
    left = {place: n for n, place in enumerate(places) if n not in chosen}
    wanted = left | dict(zip(goals, chosen, strict=True))  # of those on one place the last stays
    rows = sorted(wanted.items())
    assert np.round(result.track.times / STEP).astype(int).tolist() == [place for place, _ in rows]
    assert (result.track.values / 10.0).astype(int).tolist() == [n for _, n in rows]
    placed = {wanted[place] for place in goals}
    assert result.keys.tolist() == [i for i, (_, n) in enumerate(rows) if n in placed]


@given(moves())
def test_tracks_with_their_own_times_move_like_those_that_share_them(
    case: tuple[list[int], list[int], list[int]],
) -> None:
    places, chosen, goals = case
    times = np.array(places) * STEP
    times.flags.writeable = False
    values = np.sin(np.arange(len(places)))
    arranger, goal = edits.Arranger(), np.array(goals) * STEP
    pair = (scalar_track(times, values) for _ in range(2))
    shared = [edits.place_keys(track, chosen, goal, arranger=arranger) for track in pair]
    own = edits.place_keys(scalar_track(times + 0.0, values), chosen, np.array(goals) * STEP)
    assert shared[0].track.times is shared[1].track.times
    for result in shared:
        assert same_value(result.track, own.track) and np.array_equal(result.keys, own.keys)


# ---------------------------------------------------------------- built without checking twice
TRACK = scalar_track([0.0, 1.0, 2.0], [1.0, 2.0, 3.0])


@pytest.mark.parametrize(
    "changes",
    [
        {"values": [1.0, np.nan, 2.0]},
        {"values": [1.0, 2.0]},
        {"times": [0.0, 2.0, 1.0]},
        {"times": [0.0, 1.0]},
        {"in_weights": [0.1, 0.2, 1.5]},
        {"modes": [0, 1, 99]},
        {"out_slopes": [np.inf, 0.0, 0.0]},
    ],
)
def test_altered_track_refuses_what_the_track_itself_would(changes: dict[str, list[float]]) -> None:
    with pytest.raises(ValidationError):
        altered(TRACK, changes)


def test_altered_track_is_a_plain_track_whose_arrays_nobody_can_write_to() -> None:
    values = np.array([5.0, 6.0, 7.0])
    track = altered(TRACK, {"values": values})
    values[0] = 99.0
    assert same_value(track, scalar_track([0.0, 1.0, 2.0], [5.0, 6.0, 7.0]))
    assert track.times is TRACK.times and not track.values.flags.writeable
    assert isinstance(track, ScalarTrack) and hash(track) is not None


def test_reordered_track_checks_times_and_shapes() -> None:
    rows = {name: getattr(TRACK, name)[:2] for name in SCALAR_COLUMNS[1:]}
    assert len(reordered(TRACK, [0.0, 3.0], rows)) == 2
    with pytest.raises(ValidationError):
        reordered(TRACK, [3.0, 0.0], rows)
    with pytest.raises(ValidationError):
        reordered(TRACK, [0.0, 3.0], rows | {"values": constant(1.0, 3)})


def test_altered_quaternion_track_is_checked_as_a_whole() -> None:
    track = quaternion_track([0.0, 1.0], [[0.0, 0.0, 0.0, 1.0]] * 2)
    with pytest.raises(ValidationError):
        altered(track, {"values": np.zeros((2, 4))})


@pytest.mark.parametrize("row", [{"values": np.nan}, {"in_weights": 2.0}, {"modes": 200}, {"times": np.inf}])
def test_row_of_a_key_that_no_track_may_hold_is_refused(row: dict[str, float]) -> None:
    with pytest.raises(ValidationError):
        require_row(row)

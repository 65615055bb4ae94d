"""Tracks check themselves when built."""

from typing import Any

import numpy as np
import pytest

from core.errors import ValidationError
from core.tracks.keys import (
    SCALAR_COLUMNS,
    CheckedColumns,
    Extrapolation,
    Interpolation,
    joined,
    quaternion_track,
    scalar_track,
    taken,
)


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"times": [], "values": []}, "at least one key"),
        ({"times": [0.0, 0.0], "values": [0.0, 1.0]}, "keys 0 and 1"),
        ({"times": [1.0, 0.0], "values": [0.0, 1.0]}, "must rise"),
        ({"times": [0.0, np.nan], "values": [0.0, 1.0]}, "finite"),
        ({"times": [0.0], "values": [np.inf]}, "key values: expected finite"),
        ({"times": [0.0], "values": [1.0, 2.0]}, "key values: expected shape"),
        ({"times": [0.0], "values": [1.0], "weights": (1.5, None)}, "weights"),
        ({"times": [0.0], "values": [1.0], "interpolations": 3}, "expected codes below"),
        ({"times": [0.0], "values": [1.0], "modes": 9}, "expected codes below"),
        ({"times": [0.0], "values": [1.0], "out_slopes": [np.nan]}, "out_slopes"),
    ],
)
def test_scalar_track_that_cannot_be_is_refused(columns: dict[str, Any], message: str) -> None:
    with pytest.raises(ValidationError, match=message):
        scalar_track(**columns)


def test_defaults_cost_no_memory() -> None:
    track = scalar_track(np.arange(1000.0), np.zeros(1000))
    assert all(
        getattr(track, c).strides == (0,) for c in ("in_slopes", "modes", "in_weights", "interpolations")
    )


def test_quaternion_keys_are_normalised_and_zero_is_refused() -> None:
    track = quaternion_track([0.0], [[0.0, 0.0, 0.0, 2.0]])
    assert track.values[0, 3] == 1.0
    assert track.interpolations[0] == Interpolation.LINEAR
    with pytest.raises(ValidationError, match="quaternion key 1"):
        quaternion_track([0.0, 1.0], [[0, 0, 0, 1], [0, 0, 0, 0]])


def test_taken_and_joined_are_inverse() -> None:
    track = scalar_track([0.0, 1.0, 2.0], [5.0, 6.0, 7.0])
    whole = joined([taken(track, [0]), taken(track, [1, 2])])
    assert np.array_equal(whole.times, track.times)
    assert np.array_equal(whole.values, track.values)


def test_taken_keys_leave_constant_columns_constant() -> None:
    """A deleted key made nine columns of a track of motion capture out of five."""
    track = scalar_track(np.arange(10.0), np.arange(10.0))
    shorter = taken(track, [1, 3, 4])
    assert shorter.times.tolist() == [1.0, 3.0, 4.0]
    for name in ("interpolations", "modes", "in_weights", "out_weights"):
        assert getattr(track, name).strides == (0,) == getattr(shorter, name).strides
        assert getattr(shorter, name).tolist() == getattr(track, name)[:3].tolist()
    assert shorter.interpolations is taken(track, [0, 1, 2]).interpolations


def test_columns_checked_once_make_the_same_tracks_and_refuse_the_same() -> None:
    columns = CheckedColumns()
    track = scalar_track([0.0, 0.5, 1.0], [1.0, 2.0, 3.0])
    given = {name: getattr(track, name) for name in SCALAR_COLUMNS}
    for _ in range(2):
        made = columns.track(given, Extrapolation.HOLD, Extrapolation.CYCLE)
        assert all(getattr(made, name) is given[name] for name in SCALAR_COLUMNS)
        assert (made.before, made.after) == (Extrapolation.HOLD, Extrapolation.CYCLE)
    short = scalar_track([0.0, 0.5], [1.0, 2.0])
    for name in SCALAR_COLUMNS[:-1]:  # right in its own track, but of another length (plain types fit any)
        with pytest.raises(ValidationError):
            columns.track({**given, name: getattr(short, name)}, Extrapolation.HOLD, Extrapolation.HOLD)
    for name, wrong in (
        ("times", [0.0, 0.0, 1.0]), ("values", [0.0, np.nan, 0.0]), ("in_weights", [0.0, 0.0, 1e9]),
        ("interpolations", [0, 0, 200]), ("values", 1.0),
    ):  # fmt: skip
        with pytest.raises(ValidationError):
            columns.track({**given, name: np.asarray(wrong)}, Extrapolation.HOLD, Extrapolation.HOLD)

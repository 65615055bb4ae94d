"""Edits that change how segments run, and what they refuse."""

import numpy as np
import pytest

from core.errors import ValidationError
from core.tracks import edits
from core.tracks.keys import Interpolation, TangentMode, scalar_track
from core.tracks.reduce import reduced
from core.tracks.tangents import with_tangents


@pytest.mark.parametrize("kind", [Interpolation.LINEAR, Interpolation.CUBIC])
def test_a_stepped_key_that_is_not_to_step_becomes_automatic(kind: Interpolation) -> None:
    stepped = scalar_track(
        [0.0, 1.0, 2.0], [0.0, 3.0, 1.0],
        interpolations=int(Interpolation.CONSTANT), modes=int(TangentMode.STEPPED),
    )  # fmt: skip
    changed = edits.set_interpolation(stepped, [1], kind)
    wanted = [TangentMode.STEPPED, TangentMode.AUTO, TangentMode.STEPPED]
    assert changed.modes.tolist() == [int(mode) for mode in wanted]
    again = edits.set_interpolation(changed, [1], Interpolation.CONSTANT)
    assert again.modes.tolist() == changed.modes.tolist()


@pytest.mark.parametrize("value", [np.nan, np.inf])
@pytest.mark.parametrize("time", [0.0, 0.5])
def test_a_value_that_is_no_number_is_refused_by_its_name(value: float, time: float) -> None:
    with pytest.raises(ValidationError, match="key value: expected a finite number"):
        edits.set_value(scalar_track([0.0, 1.0], [0.0, 1.0]), time, value)


def test_what_stands_still_is_one_key_also_where_nothing_may_be_off() -> None:
    still = with_tangents(scalar_track([0.0, 0.5, 1.0, 2.0], np.full(4, 0.25)))
    assert len(reduced(still, 0.0)) == 1

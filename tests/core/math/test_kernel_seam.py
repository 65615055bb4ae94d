"""The compiled kernels and their plain twins at the very moments of keys, in batches that come in order."""

import numpy as np
import pytest

from core.clips.sample import sample_many
from core.math import kernels
from core.tracks.keys import Interpolation
from tests.core.clips.test_compiled import arm, waving


@pytest.mark.parametrize("seed", range(5))
def test_held_keys_of_a_loop_begin_at_their_own_time(seed: int) -> None:
    """Rounding put the end of the seam behind the first key, which then came one look too late."""
    if kernels.load() is None:
        pytest.skip("the compiled kernels are off")
    clip = waving(seed, kind=Interpolation.CONSTANT)
    first = min(float(track.times[0]) for track in clip.tracks.values())
    together = sample_many(arm(), clip, np.array([first / 2.0, first]), wrap=False).local.rotation[1]
    alone = sample_many(arm(), clip, np.array([first]), wrap=False).local.rotation[0]
    np.testing.assert_allclose(together, alone, atol=1e-12)

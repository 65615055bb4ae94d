"""What a player gives at a time does not depend on the times before it, to the last bit."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.clips.clip import Channel, Clip, Property
from core.clips.evaluator import ClipEvaluator
from core.ids import AssetId
from core.math import kernels
from core.tracks.keys import Interpolation, scalar_track
from tests.core.graph.builders import RIG, rig


@pytest.fixture(scope="module", autouse=True)
def loaded():
    if kernels.load() is None:
        pytest.skip("the compiled kernels cannot be used here")


def gapped() -> ClipEvaluator:
    """A loop whose keys leave a gap round the seam."""
    track = scalar_track([0.3, 0.71], [0.1, 0.9], interpolations=Interpolation.LINEAR)
    clip = Clip(
        AssetId("clip-gap"),
        "gap",
        RIG,
        1.37,
        looping=True,
        tracks={Channel("hips", Property.TRANSLATE, 0): track},
    )
    return ClipEvaluator(rig(), clip)


@given(st.lists(st.floats(0.0, 1.37), min_size=2, max_size=6))
def test_pose_in_the_gap_round_a_seam_has_the_same_bits_after_any_times(times):
    evaluator = gapped()
    player = evaluator.player()
    for time in times:
        found = np.array(player.pose(time).translation)
    assert found.tobytes() == np.array(evaluator.player().pose(times[-1]).translation).tobytes()

"""The alignment as drawn: where the source's own rest points, against a second way to find it."""

import numpy as np
import pytest

from core.math import quat
from core.math.transform import down_chain
from core.retarget.retarget import retarget_clip
from editor.tools.retarget.marks import ChainTurn, chain_turns
from tests.editor.walkers import STEP, small, step, tall


@pytest.fixture(scope="module")
def binding():
    return retarget_clip(small(), step(small()), tall(), id=STEP).binding


def turn_of(turns: tuple[ChainTurn, ...], chain: str) -> ChainTurn:
    return next(turn for turn in turns if turn.chain == chain)


def test_arms_that_hang_fifty_degrees_lower_are_drawn_so(binding):
    turns = chain_turns(binding)
    rests = [down_chain(rig.skeleton.parents, rig.skeleton.rest).translation for rig in (small(), tall())]
    for side in ("left", "right"):
        turn = turn_of(turns, f"{side} arm")
        for rig, places, drawn in ((small(), rests[0], turn.own), (tall(), rests[1], turn.aligned)):
            head, tip = (rig.skeleton.index(f"{name}_{side[0]}") for name in ("upper_arm", "lower_arm"))
            way = places[tip] - places[head]
            np.testing.assert_allclose(drawn / np.linalg.norm(drawn), way / np.linalg.norm(way), atol=1e-6)
        angle = np.degrees(np.linalg.norm(quat.to_rotation_vector(quat.shortest_arc(turn.own, turn.aligned))))
        assert turn.degrees == pytest.approx(50.0, abs=0.5) and angle == pytest.approx(turn.degrees, abs=1e-3)


def test_what_agrees_already_points_one_way(binding):
    turn = turn_of(chain_turns(binding), "left leg")
    np.testing.assert_allclose(turn.own, turn.aligned, atol=1e-6)
    assert turn.degrees < 0.1


def test_lines_are_as_long_as_the_targets_bone(binding):
    rest = down_chain(tall().skeleton.parents, tall().skeleton.rest).translation
    turn = turn_of(chain_turns(binding), "left arm")
    bones = [tall().skeleton.index(name) for name in ("upper_arm_l", "lower_arm_l")]
    length = np.linalg.norm(rest[bones[1]] - rest[bones[0]])
    assert np.linalg.norm(turn.own) == pytest.approx(length) == np.linalg.norm(turn.aligned)

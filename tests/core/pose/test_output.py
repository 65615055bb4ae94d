"""One moment of anything played, and the blend of several: every part by the same weights."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.blending.blend_space import MotionRule
from core.clips.clip import Notify
from core.errors import ValidationError
from core.ids import AssetId
from core.math import quat
from core.math.transform import IDENTITY, Transform
from core.pose.output import Playback, PoseOutput, blend
from core.pose.pose import Pose

UP = np.array([0.0, 0.0, 1.0])


def moment(metres: float, degrees: float, name: str, loops: int = 0, rig: str = "rig") -> PoseOutput[Notify]:
    """One bone that is so far along x and turned about z; its root walked as far."""
    turn = quat.from_rotation_vector(np.radians(degrees) * UP)
    place = np.array([metres, 0.0, 0.0])
    pose = Pose(
        AssetId(rig), place[None], turn[None], np.ones((1, 3)), {"speed": metres, name: 1.0}, {"m/a": degrees}
    )
    playback = Playback(1.0, 0.25, 0.25, loops)
    return PoseOutput(pose, Transform(place, turn, np.ones(3)), playback, (Notify(name, 0.2),))


@given(st.floats(0.01, 0.99), st.floats(-5.0, 5.0), st.floats(-170.0, 170.0))
def test_every_part_is_blended_by_the_same_weights(share: float, metres: float, degrees: float) -> None:
    one, other = moment(0.0, 0.0, "left"), moment(metres, degrees, "right", 3)
    both = blend([one, other], [1.0 - share, share])
    assert both.rig == "rig"
    assert both.pose.translations[0, 0] == pytest.approx(share * metres)
    assert both.root_motion.translation[0] == pytest.approx(share * metres)
    assert quat.angle_between(both.pose.rotations[0], both.root_motion.rotation) < 1e-7
    assert both.curves["speed"] == pytest.approx(share * metres)
    assert both.curves["left"] == pytest.approx(1.0 - share)
    assert both.morphs["m/a"] == pytest.approx(share * degrees)
    assert both.playback is (other if share > 0.5 else one).playback
    assert [n.name for n in both.notifies] == ["left", "right"]


@given(st.permutations(range(3)), st.lists(st.floats(0.1, 1.0), min_size=3, max_size=3, unique=True))
def test_order_of_the_parts_does_not_matter(order: list[int], weights: list[float]) -> None:
    parts = [moment(1.0, 10.0, "a"), moment(2.0, -20.0, "b"), moment(3.0, 30.0, "c")]
    here, there = blend(parts, weights), blend([parts[i] for i in order], [weights[i] for i in order])
    assert here.root_motion.translation == pytest.approx(there.root_motion.translation)
    assert quat.angle_between(here.pose.rotations, there.pose.rotations).max() < 1e-7
    assert here.curves == pytest.approx(there.curves)


def test_part_of_weight_one_comes_back_and_one_of_none_says_nothing() -> None:
    one, other = moment(1.0, 20.0, "left"), moment(2.0, 50.0, "right")
    assert blend([one, other], [0.0, 2.0]) is other


def test_outputs_of_different_rigs_and_weights_of_nothing_are_refused() -> None:
    one, other = moment(1.0, 20.0, "left"), moment(2.0, 50.0, "right", rig="other")
    with pytest.raises(ValidationError, match="different rigs"):
        blend([one, other], [0.5, 0.5])
    with pytest.raises(ValidationError, match="above 0"):
        blend([one, one], [0.0, 0.0])
    with pytest.raises(ValidationError, match="at least one"):
        blend([], [])


def test_blend_space_gives_what_its_clips_blended_give() -> None:
    """Two routes to one moment: the space's player, and its clips' own moments blended."""
    from dataclasses import replace

    from core.blending.space_player import SpacePlayer
    from core.clips.sample import sample
    from tests.core.blending.test_space_player import CLIPS, RIG, SPACE

    space = replace(SPACE, notifies=MotionRule.ALL, root_motion=MotionRule.ALL)
    player = SpacePlayer(RIG, space, CLIPS)
    before = player.start([2.0])
    after = player.advanced(before, [2.0], 0.05)
    times = zip(player.clips, player.clip_times(before.clock), player.clip_times(after.clock), strict=True)
    assert after.weights is not None
    wanted = blend([sample(RIG, clip, end, start) for clip, start, end in times], after.weights)
    found = player.sample(after, before)
    assert quat.angle_between(found.pose.rotations, wanted.pose.rotations).max() < 1e-7
    assert found.pose.translations == pytest.approx(wanted.pose.translations)
    assert found.root_motion.translation == pytest.approx(wanted.root_motion.translation)
    assert found.curves == pytest.approx(wanted.curves)
    assert 0.0 <= found.playback.position <= found.playback.length
    assert blend([found, wanted], [1.0, 0.0]).root_motion is not IDENTITY

"""Search by pose: where a clip is nearest to a pose, wherever in the world that is."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.clips.nearest_pose import nearest_time, pose_index
from core.clips.sample import sample_many
from core.errors import ValidationError
from core.math import transform
from core.math.transform import Transform
from tests.core.locomotion.matching.sample import clip, project

GET_UPS = ("get up back", "get up front", "get up side")


def posed(name: str, time: float, x: float = 0.0, z: float = 0.0, yaw: float = 0.0) -> Transform:
    """A pose of a clip put elsewhere on the ground."""
    rig = project().rigs[0]
    local = Transform(*(part[0].copy() for part in sample_many(rig, clip(name), [time], wrap=False).local))
    put = Transform(np.array([x, 0.0, z]), np.array([0.0, np.sin(yaw / 2), 0.0, np.cos(yaw / 2)]), np.ones(3))
    for root in rig.skeleton.roots():
        moved = transform.compose(put, Transform(*(part[root] for part in local)))
        local.translation[root], local.rotation[root] = moved.translation, moved.rotation
    return local


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 18), st.floats(-5, 5), st.floats(-5, 5), st.floats(-3.1, 3.1))
def test_a_pose_of_a_clip_is_found_at_its_time_wherever_it_is(frame, x, z, yaw):
    name = "get up back"
    found = nearest_time(project().rigs[0], clip(name), posed(name, frame / 60.0, x, z, yaw), 0.0, 0.3)
    assert found.distance < 1e-3
    assert abs(found.time - frame / 60.0) < 0.1


@pytest.mark.parametrize("name", GET_UPS)
def test_of_the_clips_that_get_up_the_one_that_lies_so_is_found(name):
    rig = project().rigs[0]
    index = pose_index(rig, [(clip(other), 0.0, 0.3) for other in GET_UPS])
    assert index.nearest(posed(name, 0.1, 2.0, 1.0, 2.0)).clip == name


def test_a_walk_is_found_at_the_same_foot():
    found = nearest_time(project().rigs[0], clip("walk"), posed("walk", 0.4, 1.0, 2.0, 0.5))
    assert found.time == pytest.approx(0.4, abs=0.02)


def test_what_is_not_there_is_said():
    rig = project().rigs[0]
    with pytest.raises(ValidationError, match="one range"):
        pose_index(rig, [])
    index = pose_index(rig, [(clip("walk"), 0.0, 0.3)])
    with pytest.raises(ValidationError, match=r"'run'.*there are: walk"):
        index.nearest(posed("walk", 0.0), "run")
    bad = posed("walk", 0.0)
    bad.translation[1] = np.nan
    with pytest.raises(ValidationError, match="finite"):
        index.nearest(bad)

"""The sample's graph in motion: gaits, crouching, the head's aim, feet on stairs."""

import numpy as np
import pytest

from core.graph.graph import Graph
from core.graph.post import character_of, under
from core.ik.ground import clearances, find_feet
from core.math import quat, transform
from core.math.transform import Transform, down_chain
from core.rig.roles import find_roles
from core.terrain.ground import Ground
from tests.resources.conftest import Character


@pytest.fixture
def mover(character: Character):
    graph = next(g for g in character.project.all(Graph) if g.name == "moves")
    return character_of(graph, character.project)


def test_speed_decides_how_fast_it_goes(mover) -> None:
    for speed in (0.0, 1.4, 3.5):
        for _ in range(20):
            result = mover.step(1 / 20, {"speed": speed})
        travelled = float(result.root_motion.translation[2]) * 20
        assert travelled == pytest.approx(speed, abs=0.45)
    for _ in range(10):
        result = mover.step(1 / 20, {"speed": 0.0, "crouch": True})
    assert result.states["moves"] == "crouched"


def test_head_looks_where_it_is_told_and_comes_back(mover) -> None:
    skeleton = mover.plan.rig.skeleton
    head = skeleton.index("head")
    goal = np.array([2.0, 1.4, 1.5])

    def missed(result) -> float:
        model = down_chain(skeleton.parents, result.pose.local)
        line = goal - model.translation[head]
        forward = quat.rotate(model.rotation[head], np.array([0.0, 0.0, 1.0]))
        return float(np.degrees(np.arccos(np.clip(forward @ line / np.linalg.norm(line), -1.0, 1.0))))

    plain = missed(mover.step(0.1))
    angles = [missed(mover.step(0.05, {"look": True, "look_place": goal})) for _ in range(12)]
    assert plain > 30.0
    assert angles[-1] < 1.0
    assert np.abs(np.diff(angles)).max() < 30.0  # it turns in its fade's time, not at once
    for _ in range(12):
        result = mover.step(0.05, {"look": False})
    assert missed(result) == pytest.approx(plain, abs=8.0)


def test_feet_stand_on_a_slope_and_on_the_level_nothing_changes(mover, character: Character) -> None:
    rig = mover.plan.rig
    slope = Ground(tilt_z=8.0)
    for _ in range(20):
        result = mover.step(1 / 20, {"speed": 0.0}, under(slope, transform.IDENTITY))
    feet = find_feet(rig, find_roles(rig.skeleton))
    local = Transform(*(part[None] for part in result.pose.local))
    heights = clearances(rig, local, slope, feet)
    assert np.abs(heights.min(axis=2)).max() < 0.01, "a heel or toe of each foot is on the ground"
    mover.restart()
    flat = mover.step(1 / 20)
    graph = mover.instance
    graph.restart()
    alone = graph.step(1 / 20)
    for part, other in zip(flat.pose.local, alone.pose.local, strict=True):
        assert part == pytest.approx(other, abs=1e-12)

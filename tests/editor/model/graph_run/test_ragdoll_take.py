"""A run in the editor that falls on stairs: gone back into the fall, played on, with the rig's own graph after it."""

import numpy as np
import pytest

from core.graph.post import character_of
from core.physics import engine
from core.terrain.ground import Ground
from editor.model.graph_run.take import Take
from tests.core.graph.nodes.falling import DT, places, plan, project

pytestmark = pytest.mark.skipif(bool(engine.unavailable()), reason="the physics engine is not installed")
HIT, STEPS = 20, 190


def take() -> Take:
    graph = plan().graph
    whole = project().with_assets(graph)
    return Take(graph, character_of(graph, whole), Ground(rise=0.15, run=0.3, start=0.7, count=5))


def test_a_run_on_stairs_is_gone_back_in_and_played_on_to_the_same_poses():
    made = take()
    for number in range(STEPS):
        result = made.step(DT, {"hit": number == HIT})
        if number == 70:
            assert result.states["machine"] == "falls"
        if number > HIT + 2:
            lowest = places(result, made.stands)[:, 1].min()
            assert lowest > -0.08
    shown = [sample.pose for sample in made.samples]
    stood = [sample.stands.translation.tobytes() for sample in made.samples]
    assert made.recording.differs is None
    made.goto(70)
    assert made.recording.differs is None
    for _ in range(70, STEPS):
        made.step(DT, {"hit": False})
    assert [sample.pose for sample in made.samples] == shown
    assert [sample.stands.translation.tobytes() for sample in made.samples] == stood


def test_the_character_stays_below_its_body_on_the_stairs():
    made = take()
    for number in range(HIT + 100):
        result = made.step(DT, {"hit": number == HIT})
    pelvis = places(result, made.stands)[0]
    stands = made.stands.translation
    assert np.hypot(pelvis[0] - stands[0], pelvis[2] - stands[2]) < 0.02
    assert made.ground is not None
    assert stands[1] == pytest.approx(float(made.ground.under(stands)), abs=1e-6)

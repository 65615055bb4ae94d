"""What limbs do in a fast fall: a body that ran flails, others curl up; and both are pulled only when it is fast."""

import numpy as np
import pytest

from core.locomotion.limbs import Limbs, curled_up
from core.math.transform import Transform, down_chain
from core.physics import engine
from tests.core.physics.falls import fall, project, ragdoll

pytestmark = pytest.mark.skipif(bool(engine.unavailable()), reason="the physics engine is not installed")


def limbs(clip="flail"):
    rig = project().rigs[0]
    return Limbs(rig, project().clip_named(clip) if clip else None)


def height(local: Transform) -> float:
    """Metres from the lowest to the highest bone of a body, about its pelvis."""
    model = down_chain(project().rigs[0].skeleton.parents, local).translation[1:]
    return float(np.linalg.norm(model - model.mean(axis=0), axis=1).max())


def test_who_ran_flails_and_others_curl_up():
    made = limbs()
    assert not made.curls(np.array([0.0, -1.0, 3.6]))
    assert made.curls(np.array([0.5, -8.0, 0.5]))
    assert limbs(None).curls(np.array([0.0, 0.0, 9.0]))


def test_a_body_that_is_curled_up_bends_every_way_it_bends_farthest():
    doll = ragdoll()
    angles = curled_up(doll.rig, doll)
    assert angles.shape == (int(doll.frames.count.sum()),)
    assert np.abs(doll.within(angles) - angles).max() == 0.0
    first = np.cumsum([0, *doll.frames.count[1:-1].tolist()])
    bends = dict(zip(doll.plan.bones[1:], np.degrees(angles[first]).tolist(), strict=True))
    assert bends["thigh_l"] < -60.0 and bends["calf_l"] > 60.0 and bends["lower_arm_r"] > 60.0
    assert bends["thigh_l"] == pytest.approx(bends["thigh_r"], abs=6.0)


def test_in_a_fast_fall_the_body_gets_smaller_than_one_that_flails():
    sizes = {}
    for curled in (True, False):
        made = limbs()
        doll, state = fall("idle", height=40.0, speed=0.0)
        time = 0.0
        for _ in range(100):  # 1.7 s, to 16 m/s
            drive, time = made.drive(doll, state, time, curled=curled)
            state = doll.step(state, drive)
        assert float(np.linalg.norm(state.velocity[:3])) > 10.0
        still = Transform(np.zeros(3), np.array([0.0, 0.0, 0.0, 1.0]), np.ones(3))
        sizes[curled] = height(doll.local(state, still))
    assert sizes[True] < 0.8 * sizes[False]


def test_a_slow_body_is_not_pulled():
    made = limbs()
    doll, state = fall("idle", speed=0.0)
    drive, time = made.drive(doll, state, 0.25, curled=True)
    assert drive is None and time == 0.25

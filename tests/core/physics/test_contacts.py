"""Hands and feet that get up stay out of the ground, come softly, and leave the level as it is."""

import numpy as np
import pytest

from core.clips.sample import sample_many
from core.math.transform import Transform, compose, down_chain
from core.physics import engine
from core.physics.contacts import FASTEST, OVER, Contacts
from core.physics.get_up import GetUp
from core.physics.start import Posture
from core.rig.propose_bodies import propose_bodies
from core.rig.roles import Role
from tests.core.physics.falls import fall, placed, project

ENDS = ("foot_l", "foot_r", "hand_l", "hand_r")


def rig():
    return project().rigs[0]


def clip(name):
    return next(clip for clip in project().clips if clip.name == name)


def pose(name, time):
    return Transform(*(part[0] for part in sample_many(rig(), clip(name), [time]).local))


def places(local, where):
    model = down_chain(rig().skeleton.parents, local)
    world = compose(Transform(*(part[None] for part in where)), model).translation
    return world[[rig().skeleton.index(name) for name in ENDS]]


def test_only_what_is_in_the_ground_is_wanted_higher():
    contacts, local = Contacts(rig(), propose_bodies(rig())), pose("idle", 0.0)
    free = contacts.wanted(local, placed(), lambda at: np.full(len(at), -5.0))
    assert free.shape == (4,) and not free.any()
    sunk = contacts.wanted(local, placed(), lambda at: np.full(len(at), 0.2))
    feet = places(local, placed())[:2, 1]
    assert sunk[:2] == pytest.approx(0.2 + OVER[Role.FOOT] - feet, abs=1e-9) and not sunk[2:].any()
    assert not contacts.wanted(local, placed(), lambda at: np.full(len(at), np.nan)).any()


def test_put_raises_the_ends_and_leaves_the_rest_of_the_body():
    contacts, local = Contacts(rig(), propose_bodies(rig())), pose("run", 0.1)
    lifts = np.array([0.1, 0.0, 0.05, 0.08])
    before, after = places(local, placed()), places(contacts.put(local, lifts), placed())
    assert after[:, 1] - before[:, 1] == pytest.approx(lifts, abs=2e-3)
    assert np.abs((after - before)[:, [0, 2]]).max() < 2e-3
    assert contacts.put(local, np.zeros(4)) is local


def test_lifts_come_no_faster_than_they_may_and_end_at_nothing():
    lifts, fastest = np.zeros(4), 0.0
    for _ in range(60):
        made = Contacts.followed(lifts, np.array([0.3, 0.0, 0.1, 0.0]), 1 / 60)
        fastest, lifts = max(fastest, float(np.abs(made - lifts).max())), made
    assert lifts[[0, 2]] == pytest.approx([0.3, 0.1], abs=1e-6) and not lifts[[1, 3]].any()
    assert fastest <= FASTEST / 60 + 1e-12
    for _ in range(240):
        lifts = Contacts.followed(lifts, np.zeros(4), 1 / 60)
    assert not lifts.any()


def risen(name):
    """Getting up after a fall; how deep hands and feet get in the ground without and with their heights, and poses."""
    doll, state = fall("walk", terrain=name, speed=1.4)
    for _ in range(180):
        state = doll.step(state)
    lying = Posture(doll.local(state, placed()), placed())
    up = GetUp(rig(), doll.plan, [clip("get up back"), clip("get up front"), clip("get up side")])
    under, found = doll.terrain.under, {}
    for heights in (None, under):
        rise, depths, poses = up.begin(lying, float(under(state.position[:3]))), [], []
        while not up.over(rise):
            rise = up.step(rise, float(under(rise.placement.translation)), heights=heights)
            posture = up.posture(rise)
            at = places(posture.local, posture.placement)
            depths.append(np.maximum(under(at) - at[:, 1], 0.0))
            poses.append(posture.local)
        found[heights is not None] = np.array(depths), poses
    return found


@pytest.mark.skipif(bool(engine.unavailable()), reason="the physics engine is not installed")
def test_on_the_level_limbs_are_moved_only_where_they_were_in_the_ground():
    found = risen("flat")
    depths, plain, raised = found[False][0], found[False][1], found[True][1]
    assert found[True][0].max() <= depths.max() + 0.005
    over = np.array([OVER[Role.FOOT]] * 2 + [OVER[Role.HAND]] * 2)
    low = [
        (over - places(local, placed())[:, 1] > -0.02).any() or (depth > 0.0).any()
        for local, depth in zip(plain, depths, strict=True)
    ]
    first = low.index(True) if True in low else len(low)
    for one, other in zip(plain[:first], raised[:first], strict=True):
        assert one.rotation.tobytes() == other.rotation.tobytes()


@pytest.mark.skipif(bool(engine.unavailable()), reason="the physics engine is not installed")
def test_on_stairs_hands_and_feet_are_less_deep_in_them():
    found = risen("stairs")
    without, with_heights = (found[key][0] for key in (False, True))
    assert without.max() > 0.05
    assert with_heights.sum() < 0.5 * without.sum()
    assert with_heights.max() <= without.max() + 0.005

"""Powered ragdolls: they follow a clip, give way when hit and recover, and hold what is held."""

import numpy as np
import pytest

from core.clips.sample import sample_many
from core.errors import MissingReferenceError
from core.math import quat
from core.math.transform import Transform
from core.physics import engine
from core.physics.powered import Aim, towards
from core.physics.ragdoll import PICTURE, Push
from core.physics.start import Posture, world_of
from tests.core.physics.falls import placed, project, ragdoll

pytestmark = pytest.mark.skipif(bool(engine.unavailable()), reason="the physics engine is not installed")


def shown(doll, name, count, height=2.0):
    clip = next(clip for clip in project().clips if clip.name == name)
    times = np.clip((np.arange(count + 3) - 1) * PICTURE, 0.0, clip.length)
    poses = sample_many(doll.rig, clip, times)
    return [
        Posture(Transform(t, r, s), placed(0.0, height, 0.0))
        for t, r, s in zip(poses.translations, poses.rotations, poses.scales, strict=True)
    ]


def follow(doll, poses, aim, pushes=()):
    """States along postures, with a push in the tenth step."""
    state = doll.start(poses[0], poses[1], PICTURE)
    states = [state]
    for k in range(1, len(poses) - 1):
        drive = towards(doll, state, (poses[k - 1], poses[k], poses[k + 1]), aim)
        state = doll.step(state, drive, pushes if k == 10 else ())
        states.append(state)
    return states


@pytest.mark.parametrize(("name", "mean"), [("run", 1.0), ("walk", 0.5), ("idle", 0.1)])
def test_full_strength_follows_a_clip(name, mean):
    doll = ragdoll()
    poses = shown(doll, name, 40)
    states = follow(doll, poses, Aim(1.0, 6.0, 1.0))
    errors = []
    for state, posture in zip(states[2:], poses[3:], strict=False):
        want = world_of(doll.rig.skeleton, posture).rotation[doll.frames.bones]
        errors.append(np.degrees(quat.angle_between(doll.bodies(state).rotation, want)).mean())
    assert np.mean(errors) < mean


def test_a_blow_on_the_chest_moves_the_head_and_it_comes_back():
    doll = ragdoll()
    poses = shown(doll, "idle", 90)
    upper = ("spine_01", "spine_04", "neck_01", "head", "upper_arm", "lower_arm", "hand")
    soft = {bone: 2.0 if bone.startswith(upper) else 12.0 for bone in doll.plan.bones}
    calm = follow(doll, poses, Aim(1.0, soft, 1.0))
    hit = follow(doll, poses, Aim(1.0, soft, 1.0), [Push("spine_04", (0.0, 0.0, -40.0))])
    head, foot = (doll.plan.bones.index(bone) for bone in ("head", "foot_l"))
    away = [
        np.linalg.norm(doll.bodies(a).translation - doll.bodies(b).translation, axis=1)
        for a, b in zip(calm, hit, strict=True)
    ]
    farthest = max(float(row[head]) for row in away)
    assert 0.005 < farthest < 0.2
    assert away[-1][head] < 0.02
    assert max(float(row[foot]) for row in away) < 0.02


def test_held_bones_follow_exactly_while_the_others_hang():
    doll = ragdoll()
    poses = shown(doll, "walk", 40)
    arm = ("upper_arm_l", "lower_arm_l", "hand_l")
    held = [bone for bone in doll.plan.bones if bone not in arm]
    states = follow(doll, poses, Aim(0.0, 1.0, 0.0, held))
    want = world_of(doll.rig.skeleton, poses[len(states)])
    bodies = doll.bodies(states[-1])
    places = np.linalg.norm(bodies.translation - want.translation[doll.frames.bones], axis=1)
    number = {bone: k for k, bone in enumerate(doll.plan.bones)}
    assert places[[number[b] for b in ("pelvis", "thigh_l", "calf_l", "thigh_r", "calf_r")]].max() < 1e-3
    assert places[number["hand_l"]] > 0.02  # it swings


def test_a_bone_without_a_body_is_refused():
    doll = ragdoll()
    poses = shown(doll, "idle", 4)
    state = doll.start(poses[0], poses[1], PICTURE)
    with pytest.raises(MissingReferenceError, match="no body"):
        towards(doll, state, (poses[0], poses[1], poses[2]), Aim({"index_01_l": 1.0}))

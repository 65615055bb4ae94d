"""Powered ragdolls: they follow a clip, give way when hit and recover, and hold what is held."""

import numpy as np
import pytest

from core.clips.sample import sample_many
from core.errors import MissingReferenceError
from core.io import load
from core.math import quat
from core.math.transform import Transform
from core.physics import engine
from core.physics.powered import Aim, towards
from core.physics.ragdoll import PICTURE, Push, Ragdoll
from core.physics.start import Posture, world_of
from core.rig.propose_bodies import propose_bodies
from core.terrain.pieces import Plane
from core.terrain.terrain import Terrain
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


def errors(doll, states, poses):
    """Degrees ``(states, bodies)`` between the bodies and the postures that they follow."""
    found = []
    for state, posture in zip(states[1:], poses[2:], strict=False):
        want = world_of(doll.rig.skeleton, posture).rotation[doll.frames.bones]
        found.append(np.degrees(quat.angle_between(doll.bodies(state).rotation, want)))
    return np.array(found)


def test_a_hand_that_passes_through_the_thigh_in_the_clip_is_followed():
    doll = ragdoll()
    clip = next(clip for clip in project().clips if clip.name == "wave")
    poses = shown(doll, "wave", round(clip.length / PICTURE))
    assert errors(doll, follow(doll, poses, Aim(1.0, 6.0, 1.0)), poses).max() < 2.0


def robot(shared):
    """A ragdoll of a rig whose clips leave its joint ranges, with the postures of its run."""
    loaded = load(shared / "data/gltf/RobotExpressive.glb").project
    rig = loaded.rigs[0]
    doll = Ragdoll(
        rig, propose_bodies(rig, loaded.meshes_of(rig.id)), Terrain((Plane(at=(0.0, -12.0, 0.0)),))
    )
    clip = next(clip for clip in loaded.clips if clip.name == "Running")
    times = np.clip((np.arange(round(clip.length / PICTURE) + 2) - 1) * PICTURE, 0.0, clip.length)
    poses = sample_many(rig, clip, times)
    rows = zip(poses.translations, poses.rotations, poses.scales, strict=True)
    return doll, [Posture(Transform(t, r, s), placed()) for t, r, s in rows]


def test_a_clip_beyond_the_ranges_is_followed(shared):
    doll, poses = robot(shared)
    found = errors(doll, follow(doll, poses, Aim(1.0, 6.0, 1.0)), poses)
    assert found.mean() < 1.0 and found.max() < 4.0


def test_ranges_close_gently_when_a_drive_ends_beyond_them(shared):
    doll, poses = robot(shared)
    outside = np.array(
        [s.slack.low.sum() + s.slack.high.sum() for s in follow(doll, poses, Aim(1.0, 6.0, 1.0))]
    )
    last = int(np.argmax(outside))
    state = follow(doll, poses[: last + 2], Aim(1.0, 6.0, 1.0))[-1]
    widest = max(float(part.max()) for part in state.slack.left(state.steps))
    assert np.degrees(widest) > 10.0
    fastest = float(np.abs(state.velocity[6:]).max())
    for _ in range(40):
        state = doll.step(state)
        assert float(np.abs(state.velocity[6:]).max()) < fastest + 10.0
        assert np.degrees(doll.beyond(state).max()) < 8.0
    assert max(float(part.max()) for part in state.slack.left(state.steps)) == 0.0


def test_a_limp_arm_does_not_fall_through_the_body_though_the_clip_does():
    doll = ragdoll()
    poses = shown(doll, "idle", 3)
    arm = ("upper_arm_l", "lower_arm_l", "hand_l")
    index = doll.rig.skeleton.index
    for posture in poses:  # the arm through the belly
        old = posture.local.rotation[index("upper_arm_l")]
        posture.local.rotation[index("upper_arm_l")] = quat.multiply(
            old, quat.from_axis_angle([0, 0, 1], np.radians(-60.0))
        )
    held = [bone for bone in doll.plan.bones if bone not in arm]
    state = doll.start(poses[0], poses[1], PICTURE)
    hands = {number for number, bone in enumerate(doll.plan.bones) if bone in arm}
    limp = towards(doll, state, (poses[0], poses[1], poses[2]), Aim(0.0, 1.0, 0.0, held)).course
    whole = towards(doll, state, (poses[0], poses[1], poses[2]), Aim(1.0, 6.0, 1.0)).course
    assert limp is not None and not hands & set(limp.ignored.ravel().tolist())
    assert whole is not None and hands & set(whole.ignored.ravel().tolist())

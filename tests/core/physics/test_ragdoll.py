"""Ragdolls: what a fall keeps, that it comes to rest within its limits, and that it repeats to the byte."""

import hashlib
import itertools
import logging
import os
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

from core.errors import UnsupportedError, ValidationError
from core.math import kernels, quat
from core.math.transform import down_chain
from core.physics import engine
from core.physics.ragdoll import PICTURE, Push, Ragdoll
from core.physics.start import Posture, world_of
from core.rig.body_plan import Body, BodyPlan, Capsule
from core.rig.propose_bodies import capsule_ends
from core.terrain.pieces import Slope
from core.terrain.terrain import Terrain
from tests.core.physics.falls import TERRAINS, fall, placed, postures, project, ragdoll, start_speeds

needs_engine = pytest.mark.skipif(bool(engine.unavailable()), reason="the physics engine is not installed")


def run(doll, state, count):
    states = [state]
    for _ in range(count):
        states.append(doll.step(states[-1]))
    return states


@needs_engine
@pytest.mark.parametrize("name", ["idle", "run", "roll", "get up side", "flail", "crouch walk"])
def test_the_start_of_a_fall_moves_no_bone(name):
    doll = ragdoll()
    clip = next(c for c in project().clips if c.name == name)
    before, now = postures(doll.rig, clip, 0.4 * clip.length, (0.3, 1.0, -2.0), 3.0, yaw=37.0)
    state = doll.start(before, now)
    shown = world_of(doll.rig.skeleton, now)
    local = doll.local(state, now.placement)
    back = world_of(doll.rig.skeleton, Posture(local, now.placement))
    assert np.abs(back.translation - shown.translation).max() < 1e-7
    assert np.degrees(quat.angle_between(back.rotation, shown.rotation)).max() < 1e-4
    bodies = doll.bodies(state)
    assert np.abs(bodies.translation - shown.translation[doll.frames.bones]).max() < 1e-7


@needs_engine
@pytest.mark.parametrize(("name", "time"), [("run", 0.2), ("sprint", 0.34), ("roll", 0.5)])
def test_bodies_start_with_the_speed_of_the_shown_motion(name, time):
    doll = ragdoll()
    clip = next(c for c in project().clips if c.name == name)
    fine = 1.0 / 2400.0
    before, now = postures(doll.rig, clip, time, speed=3.6, seconds=fine)
    shown = []
    for posture in (before, now):
        starts, ends = capsule_ends(doll.plan, doll.rig.skeleton, world_of(doll.rig.skeleton, posture))
        shown.append(0.5 * (starts + ends))
    wanted = (shown[1] - shown[0]) / fine
    off = np.linalg.norm(start_speeds(doll, doll.start(before, now, fine)) - wanted, axis=1)
    assert np.linalg.norm(wanted, axis=1).max() > 4.0
    assert off.max() < 0.05  # clavicles carry arms at up to 0.3 m/s here, and have no axes


@needs_engine
def test_what_axes_cannot_do_goes_on_and_comes_to_a_stop():
    doll = ragdoll()
    clip = next(c for c in project().clips if c.name == "sprint")
    before, now = postures(doll.rig, clip, 0.34, (0.0, 3.0, 0.0), speed=3.6)
    state = doll.start(before, now)
    clavicle, arm = (doll.rig.skeleton.index(bone) for bone in ("clavicle_l", "upper_arm_l"))
    angle = quat.angle_between(before.local.rotation[clavicle], now.local.rotation[clavicle])
    assert np.degrees(angle) > 1.0
    turned, lengths = [], []
    for _ in range(20):
        local = doll.local(state, now.placement)
        turned.append(local.rotation[clavicle])
        lengths.append(np.linalg.norm(local.translation[arm]))
        # bones and bodies are one
        at = world_of(doll.rig.skeleton, Posture(local, now.placement))
        bodies = doll.bodies(state)
        assert np.abs(at.translation[doll.frames.bones] - bodies.translation).max() < 1e-7
        assert quat.angle_between(at.rotation[doll.frames.bones], bodies.rotation).max() < 1e-6
        state = doll.step(state)
    steps = np.array([float(quat.angle_between(a, b)) for a, b in itertools.pairwise(turned)])
    assert steps[0] == pytest.approx(float(angle), rel=0.2)
    assert (np.diff(steps[:9]) < 0.0).all()
    assert steps[10:].max() < 1e-9
    assert np.ptp(lengths) < 1e-9


@needs_engine
def test_a_character_that_was_put_elsewhere_falls_from_rest(caplog):
    doll = ragdoll("bumps")
    clip = next(c for c in project().clips if c.name == "walk forward left")
    before, now = postures(doll.rig, clip, 0.9917, speed=3.6)  # its root goes back to the start: 80 m/s
    state = doll.start(before, now)
    assert np.abs(state.velocity).max() == 0.0
    first = state.position[:3]
    with caplog.at_level(logging.WARNING):
        for _ in range(120):
            state = doll.step(state)
    assert not caplog.records and not state.ended
    assert np.linalg.norm(state.position[[0, 2]] - first[[0, 2]]) < 2.0


@needs_engine
def test_a_wild_start_stays_finite(caplog):
    doll = ragdoll("bumps")
    clip = next(c for c in project().clips if c.name == "idle")
    before, now = postures(doll.rig, clip, 0.0, (0.0, 0.3, 0.0), speed=38.0)
    random = np.random.default_rng(5)
    turned = quat.normalise(
        before.local.rotation + random.normal(scale=0.7, size=before.local.rotation.shape)
    )
    before = Posture(before.local._replace(rotation=turned), before.placement)
    with caplog.at_level(logging.WARNING):
        states = run(doll, doll.start(before, now), 180)
    assert not caplog.records and not states[-1].ended
    assert max(float(np.abs(state.velocity[3:]).max()) for state in states) < 150.0


@needs_engine
def test_a_jump_of_the_pose_carries_no_bone_far():
    doll = ragdoll()
    clip = next(c for c in project().clips if c.name == "idle")
    before, now = postures(doll.rig, clip, 0.0, (0.0, 1.0, 0.0))
    index = doll.rig.skeleton.index
    before.local.translation[index("upper_arm_l")] += [0.3, 0.0, 0.0]  # 18 m/s
    state = doll.start(before, now)
    first = doll.local(state, now.placement)
    for _ in range(20):
        state = doll.step(state)
    last = doll.local(state, now.placement)
    away = np.linalg.norm(last.translation - first.translation, axis=1)
    assert 0.05 < away[index("upper_arm_l")] < 0.101


@needs_engine
@pytest.mark.parametrize("size", [0.5, 1.0, 2.5])
def test_a_round_body_does_not_roll_without_end(size):
    rig = project().rigs[0]
    ball = Body("pelvis", Capsule((0.0, 0.0, 0.0), (0.0, 0.0, 0.0), 0.25 * size), 75.0 * size**3)
    doll = Ragdoll(rig, BodyPlan((ball,)), Terrain((Slope(3.0, length=60.0, width=60.0),)))
    clip = next(c for c in project().clips if c.name == "idle")
    still, _ = postures(rig, clip, 0.0, (0.0, 1.0, 20.0))
    state = doll.start(still, still)
    for _ in range(240):
        state = doll.step(state)
    assert state.at_rest


@needs_engine
@pytest.mark.parametrize("terrain", list(TERRAINS))
def test_a_fall_comes_to_rest_on_every_ground(terrain):
    doll, state = fall(terrain=terrain)
    states = run(doll, state, 240)
    last = states[-1]
    assert not last.ended and last.at_rest
    assert next(s.seconds for s in states if s.at_rest) < 3.5
    # a second route: capsules against the terrain's own triangles
    for number, kept in enumerate(states[::12]):
        world = doll.world_pose(kept)
        starts, ends = capsule_ends(doll.plan, doll.rig.skeleton, world)
        radii = np.array([b.capsule.radius for b in doll.plan.bodies])
        hits = doll.terrain.nearest(starts, ends, radii)
        deepest = min(0.0, float(hits.gap[hits.piece >= 0].min(initial=0.0)))
        assert deepest > (-0.06 if number else -0.01), (number, deepest)


@needs_engine
def test_energy_never_rises_beyond_the_start():
    doll, state = fall("run", height=0.3)
    doll._load(state.start, state.ignored)
    doll.world.restore(state.numbers)
    begun = sum(doll.world.energy())
    highest = begun
    for _ in range(120):
        state = doll.step(state)
        highest = max(highest, sum(doll.world.energy()))
    assert highest <= 1.005 * begun


@needs_engine
def test_ranges_hold_when_the_body_lies():
    doll, state = fall("run")
    for _ in range(180):
        state = doll.step(state)
    over = np.maximum(doll._low - state.position[7:], state.position[7:] - doll._high)
    assert np.degrees(over.max()) < 0.5


@needs_engine
def test_a_state_steps_on_to_the_same_bytes_here_and_in_another_ragdoll():
    doll, state = fall("sprint", time=0.1)
    states = run(doll, state, 60)
    again = run(doll, states[20], 40)
    assert [s.to_bytes() for s in states[20:]] == [s.to_bytes() for s in again]
    other, elsewhere = doll.fork(), fall("idle")[1]
    other.step(elsewhere)  # another fall in between
    for number in (3, 40, 17):
        assert other.step(states[number]).to_bytes() == states[number + 1].to_bytes()


def digest_of_a_fall() -> str:
    """A sum of all numbers of a fall on stairs."""
    doll, state = fall("run", terrain="stairs")
    for _ in range(50):
        state = doll.step(state)
    return hashlib.sha256(state.to_bytes()).hexdigest()


@needs_engine
def test_another_process_gives_the_same_bytes():
    program = "from tests.core.physics.test_ragdoll import digest_of_a_fall; print(digest_of_a_fall())"
    mode = "off" if kernels.load() is None else "on"  # the twins' last bits are others
    told = subprocess.run(
        [sys.executable, "-c", program], env={**os.environ, "POSEWRIGHT_KERNELS": mode},
        capture_output=True, text=True, check=True,
    ).stdout.strip()  # fmt: skip
    assert told == digest_of_a_fall() and len(told) == 64


@needs_engine
def test_a_push_moves_the_body_that_is_hit():
    doll, state = fall("idle", speed=0.0, height=1.0)
    plain, hit = doll.step(state), doll.step(state, pushes=[Push("spine_05", (40.0, 0.0, 0.0))])
    doll.world.restore(hit.numbers)
    doll.world.forward()
    pushed = doll.world.body_velocity(doll.plan.bones.index("spine_04"))[3]
    doll.world.restore(plain.numbers)
    doll.world.forward()
    assert pushed - doll.world.body_velocity(doll.plan.bones.index("spine_04"))[3] > 0.5
    mean = 40.0 / doll.plan.mass
    assert hit.velocity[0] == pytest.approx(mean, abs=2.0 * mean)
    with pytest.raises(ValidationError, match="rides on no body"):
        doll.step(state, pushes=[Push("root", (1.0, 0.0, 0.0))])


@needs_engine
def test_a_state_that_is_not_finite_ends_with_the_last_good_pose(tmp_path, monkeypatch, caplog):
    monkeypatch.chdir(tmp_path)
    doll, state = fall()
    good = doll.step(state)
    broken = np.array(good.numbers)
    broken[60] = np.nan
    with caplog.at_level(logging.WARNING):
        after = doll.step(replace(good, numbers=broken))
    assert after.ended and after.at_rest
    assert np.array_equal(after.position, good.position)
    assert any("physics:" in record.getMessage() for record in caplog.records)
    assert not list(tmp_path.iterdir())  # the engine would write its log here
    assert doll.step(after) is after
    assert np.isfinite(doll.local(after, placed()).rotation).all()
    assert doll.step(good).steps == 2  # and others go on


@needs_engine
def test_a_posture_that_is_not_finite_is_refused():
    doll = ragdoll()
    clip = next(c for c in project().clips if c.name == "idle")
    before, now = postures(doll.rig, clip, 0.0)
    now.local.translation[3, 0] = np.nan
    with pytest.raises(ValidationError, match="finite postures"):
        doll.start(before, now)


@needs_engine
def test_capsules_that_overlap_at_the_start_are_not_thrown_apart():
    doll = ragdoll()
    clip = next(c for c in project().clips if c.name == "idle")
    before, now = postures(doll.rig, clip, 0.0, (0.0, 1.0, 0.0))
    index = doll.rig.skeleton.index
    for posture in (before, now):  # both hands in the belly
        for bone, turn in (("upper_arm_l", -60.0), ("upper_arm_r", -60.0)):
            old = posture.local.rotation[index(bone)]
            posture.local.rotation[index(bone)] = quat.multiply(
                old, quat.from_axis_angle([0, 0, 1], np.radians(turn))
            )
    state = doll.start(before, now)
    assert len(state.ignored) > 0
    fastest = 0.0
    for _ in range(12):
        state = doll.step(state)
        fastest = max(fastest, float(np.abs(state.velocity[3:]).max()))
    assert fastest < 25.0


def test_without_the_engine_the_error_says_what_to_install(monkeypatch):
    engine.unavailable.cache_clear()
    monkeypatch.setitem(sys.modules, "mujoco", None)
    try:
        with pytest.raises(UnsupportedError, match=r"pip install 'mujoco-core>=4\.0\.1,<5'"):
            engine.require()
    finally:
        monkeypatch.undo()
        engine.unavailable.cache_clear()


def test_the_engine_is_not_imported_before_the_first_ragdoll():
    program = (
        "import sys, core.physics.ragdoll, core.locomotion.character, core.cli.main\n"
        "assert 'mujoco' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


@needs_engine
def test_loose_bones_follow_the_body_nearest_to_them(shared):
    from core.io import load
    from core.rig.propose_bodies import propose_bodies

    loaded = load(shared / "data/gltf/RobotExpressive.glb").project
    rig = loaded.rigs[0]
    doll = Ragdoll(rig, propose_bodies(rig, loaded.meshes_of(rig.id)), TERRAINS["flat"])
    foot, calf = rig.skeleton.index("Foot.L"), rig.skeleton.index("LowerLeg.L")
    assert doll.plan.bodies[doll.frames.riding[foot]].bone == "LowerLeg.L"
    clip = next(c for c in loaded.clips if c.name == "Running")
    before, now = postures(rig, clip, 0.2)
    state = doll.start(before, now)
    first = down_chain(rig.skeleton.parents, doll.local(state, placed()))
    for _ in range(90):
        state = doll.step(state)
    last = down_chain(rig.skeleton.parents, doll.local(state, placed()))
    lengths = [np.linalg.norm(m.translation[foot] - m.translation[calf]) for m in (first, last)]
    assert lengths[1] == pytest.approx(lengths[0], abs=1e-6)
    assert state.seconds == pytest.approx(90 * PICTURE)


@needs_engine
def test_knees_bend_as_the_rest_pose_shows(shared):
    from core.io import load
    from core.rig.propose_bodies import propose_bodies

    loaded = load(shared / "data/fbx/maya_kenney_character_7700_binary.fbx").project
    rig, clip = loaded.rigs[0], loaded.clips[0]
    doll = Ragdoll(rig, propose_bodies(rig, loaded.meshes_of(rig.id)), TERRAINS["flat"])
    fine = 1.0 / 2400.0
    before, now = postures(rig, clip, 0.23, (0.0, 3.0, 0.0), seconds=fine)
    state = doll.start(before, now, fine)
    shown = [
        0.5 * sum(capsule_ends(doll.plan, rig.skeleton, world_of(rig.skeleton, p))) for p in (before, now)
    ]
    wanted = (shown[1] - shown[0]) / fine
    told = start_speeds(doll, state)
    for bone in ("LeftLeg", "LeftFoot", "RightLeg", "RightFoot"):
        number = doll.plan.bones.index(bone)
        assert np.linalg.norm(wanted[number]) > 2.0
        assert np.linalg.norm(told[number] - wanted[number]) < 0.05

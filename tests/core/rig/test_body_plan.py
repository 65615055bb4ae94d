"""Body plans: their rules, the proposals for real rigs, and the angles of their joints."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.clips.sample import sample_many
from core.errors import MissingReferenceError, ValidationError
from core.io import load
from core.math import quat
from core.math.transform import Transform, down_chain
from core.rig.body_angles import angles_of, excesses, turn_of, widened
from core.rig.body_plan import (
    AxisRange,
    Body,
    BodyPlan,
    Capsule,
    check,
    inserted,
    parents_of,
    riders,
    segment_distances,
)
from core.rig.propose_bodies import capsule_ends, propose_bodies, propose_chain
from core.rig.skeleton import Skeleton
from resources.sample.locomotion import FILE

BALL = Capsule((0.0, 0.0, 0.0), (0.0, 0.1, 0.0), 0.05)
X, Y, Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)


@pytest.fixture(scope="module")
def sample():
    return load(FILE).project


@pytest.fixture(scope="module")
def plan(sample):
    return propose_bodies(sample.rigs[0], sample.meshes_of(sample.rigs[0].id))


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: Capsule((0, 0, 0), (0, 1, 0), 0.0), "radius above 0"),
        (lambda: Capsule((0, 0, float("nan")), (0, 1, 0), 1.0), "finite"),
        (lambda: AxisRange((1.0, 1.0, 0.0), -10, 10), "unit vector"),
        (lambda: AxisRange(X, 10, -10), "minimum first"),
        (lambda: Body("a", BALL, 0.0), "above 0 kg"),
        (lambda: Body("a", BALL, 1.0, (AxisRange(X, 0, 1), AxisRange(Y, 0, 1))), "one or three axes"),
        (
            lambda: Body("a", BALL, 1.0, (AxisRange(X, 0, 1), AxisRange(X, 0, 1), AxisRange(Y, 0, 1))),
            "square",
        ),
        (
            lambda: Body("a", BALL, 1.0, (AxisRange(X, 0, 1), AxisRange(Z, 0, 90), AxisRange(Y, 0, 1))),
            "second axis must stay within ±85",
        ),
        (lambda: BodyPlan(()), "one body at least"),
        (lambda: BodyPlan((Body("a", BALL, 1.0), Body("a", BALL, 1.0))), "two bodies"),
        (lambda: BodyPlan((Body("a", BALL, 1.0),), (("a", "b"),)), "must name two bodies"),
    ],
)
def test_a_plan_that_breaks_a_rule_is_refused_with_the_reason(make, said):
    with pytest.raises(ValidationError, match=said):
        make()


def test_a_plan_must_fit_the_skeleton(sample, plan):
    skeleton = sample.rigs[0].skeleton
    check(plan, skeleton)
    with pytest.raises(MissingReferenceError, match="tail"):
        check(BodyPlan((Body("pelvis", BALL, 1.0), Body("tail", BALL, 1.0))), skeleton)
    with pytest.raises(ValidationError, match="not below the root body"):
        check(BodyPlan((Body("thigh_l", BALL, 1.0), Body("hand_l", BALL, 1.0))), skeleton)
    with pytest.raises(ValidationError, match="put it first"):
        check(BodyPlan((Body("hand_l", BALL, 1.0), Body("pelvis", BALL, 1.0))), skeleton)


def test_the_sample_gets_nineteen_bodies_and_42_angles(sample, plan):
    assert len(plan) == 19
    assert sum(len(body.axes) for body in plan.bodies) == 42
    assert plan.mass == pytest.approx(75.0, abs=2.0)
    assert plan.bodies[0].bone == "pelvis" and plan.ignored == ()
    thigh, hand = plan.body("thigh_l"), plan.body("hand_l")
    assert thigh.capsule.radius == pytest.approx(0.074, abs=0.005)
    assert plan.body("calf_l").capsule.radius == pytest.approx(0.050, abs=0.003)
    assert thigh.axes[0].axis == X and (thigh.axes[0].minimum, thigh.axes[0].maximum) == (-135.0, 35.0)
    ride = riders(plan, sample.rigs[0].skeleton)
    index = sample.rigs[0].skeleton.index
    assert plan.bodies[ride[index("index_03_l")]] is hand
    assert plan.bodies[ride[index("clavicle_l")]].bone == "spine_04" and ride[index("root")] == -1


def test_both_sides_of_a_proposal_are_mirror_images(plan):
    for left in plan.bodies:
        if not left.bone.endswith("_l"):
            continue
        right = plan.body(left.bone[:-2] + "_r")
        assert right.mass == left.mass
        assert right.capsule.radius == pytest.approx(left.capsule.radius, abs=1e-4)
        for number, (a, b) in enumerate(zip(left.axes, right.axes, strict=True)):
            told = (b.minimum, b.maximum) if number == 0 else (-b.maximum, -b.minimum)
            assert told == pytest.approx((a.minimum, a.maximum))


def test_every_clip_of_the_sample_stays_within_the_proposed_ranges(sample, plan):
    rig = sample.rigs[0]
    for clip in sample.clips:
        if clip.additive is None:
            poses = sample_many(rig, clip, np.linspace(0.0, clip.length, 24))
            worst = max(excesses(plan, rig.skeleton, poses.rotations), key=lambda e: e.beyond)
            assert worst.beyond == 0.0, (clip.name, worst)


def test_widened_ranges_hold_the_poses_that_left_them(sample, plan):
    rig = sample.rigs[0]
    narrow = plan.with_body(plan.body("calf_l").with_range(0, -5.0, 20.0))
    clip = next(c for c in sample.clips if c.name == "run")
    rotations = sample_many(rig, clip, np.linspace(0.0, clip.length, 24)).rotations
    found = excesses(narrow, rig.skeleton, rotations)
    calf = next(e for e in found if e.bone == "calf_l")
    assert calf.beyond > 50.0
    fitted = widened(narrow, found)
    assert max(e.beyond for e in excesses(fitted, rig.skeleton, rotations)) == 0.0
    assert fitted.body("calf_l").axes[0].minimum == -5.0


@given(
    st.permutations([X, Y, Z]),
    st.tuples(st.sampled_from([-1.0, 1.0]), st.sampled_from([-1.0, 1.0]), st.sampled_from([-1.0, 1.0])),
    st.tuples(st.floats(-179, 179), st.floats(-84, 84), st.floats(-179, 179)),
)
def test_angles_and_turns_are_each_others_inverse(axes, signs, angles):
    own = [tuple(s * x for x in axis) for axis, s in zip(axes, signs, strict=True)]
    body = Body("a", BALL, 1.0, tuple(AxisRange(axis, -80, 80) for axis in own))
    told = angles_of(body, turn_of(body, np.array(angles)))
    assert told == pytest.approx(angles, abs=1e-6)


def test_a_hinge_has_the_part_of_the_turn_about_its_axis():
    body = Body("a", BALL, 1.0, (AxisRange(X, -180, 180),))
    turn = quat.multiply(quat.from_axis_angle(Y, 0.3), quat.from_axis_angle(X, -1.2))
    assert angles_of(body, turn) == pytest.approx([np.degrees(-1.2)])


def test_distances_of_segments_agree_with_points_along_them():
    random = np.random.default_rng(7)
    starts, ends = random.normal(size=(2, 12, 3))
    ends[3] = starts[3]  # a point
    ends[5] = starts[5] + 2.0 * (ends[4] - starts[4])  # parallel
    told = segment_distances(starts, ends)
    u = np.linspace(0.0, 1.0, 401)[:, None]
    for i in range(12):
        for j in range(12):
            a = starts[i] + u * (ends[i] - starts[i])
            b = starts[j] + u * (ends[j] - starts[j])
            near = min(float(np.linalg.norm(b - p, axis=1).min()) for p in a[::4]) if i != j else 0.0
            assert told[i, j] <= near + 1e-9 and told[i, j] >= near - 0.02


FEWER = {
    "gltf/RobotExpressive.glb": 15,  # its feet are not below its hips
    "gltf/CesiumMan.gltf": 19,
    "gltf/KayKit_Med_MovementBasic.glb": 18,  # no neck, and no mesh
    "fbx/pab_arnaud_skin.fbx": 19,
    "bvh/cmu_01_01.bvh": 19,
    "fbx/ozz_robot.fbx": 13,  # no person: by the size of its bones
    "gltf/03_skinned_cylinder.gltf": 3,
}


@pytest.mark.parametrize("name", FEWER)
def test_shared_rigs_get_bodies(name, shared):
    project = load(shared / "data" / name).project
    rig = project.rigs[0]
    plan = propose_bodies(rig, project.meshes_of(rig.id))
    assert len(plan) == FEWER[name]
    parents = parents_of(plan, rig.skeleton)
    assert parents[0] == -1 and all(0 <= above < number for number, above in enumerate(parents) if number)


def test_a_rig_in_centimetres_has_bodies_in_metres(sample, plan):
    rig = sample.rigs[0]
    model = down_chain(rig.skeleton.parents, rig.skeleton.rest)
    starts, ends = capsule_ends(plan, rig.skeleton, model)
    calf = plan.bones.index("calf_l")
    knee = model.translation[rig.skeleton.index("calf_l")]
    assert np.linalg.norm(starts[calf] - knee) < 0.03
    assert np.linalg.norm(ends[calf] - starts[calf]) == pytest.approx(0.432, abs=0.002)
    # an armature of scale 0.01 above bones in centimetres: the same body in the world
    old = rig.skeleton
    rest = Transform(
        np.concatenate([np.zeros((1, 3)), 100.0 * old.rest.translation]),
        np.concatenate([[[0.0, 0.0, 0.0, 1.0]], old.rest.rotation]),
        np.concatenate([np.full((1, 3), 0.01), old.rest.scale]),
    )
    bigger = Skeleton(("armature", *old.names), np.concatenate([[-1], old.parents + 1]), rest)
    hundred = np.diag([100.0, 100.0, 100.0, 1.0])
    meshes = [replace(m, inverse_bind=hundred @ m.inverse_bind) for m in sample.meshes_of(rig.id)]
    made = propose_bodies(replace(rig, skeleton=bigger), meshes)
    for a, b in zip(plan.bodies, made.bodies, strict=True):
        assert b.capsule.radius == pytest.approx(a.capsule.radius, abs=2e-5)
        assert b.capsule.end == pytest.approx(a.capsule.end, abs=2e-5)
        assert b.mass == pytest.approx(a.mass, rel=1e-3)


def test_a_chain_of_fingers_joins_the_plan(sample, plan):
    rig = sample.rigs[0]
    chain = propose_chain(rig, ["index_01_l", "index_02_l", "index_03_l"], sample.meshes_of(rig.id))
    longer = plan
    for body in chain:
        longer = inserted(longer, body, rig.skeleton)
    parents = parents_of(longer, rig.skeleton)
    number = longer.bones.index("index_01_l")
    assert longer.bones[parents[number]] == "hand_l" and len(longer) == 22
    assert longer.without("index_02_l").bones.count("index_02_l") == 0
    with pytest.raises(ValidationError, match="root body"):
        longer.without("pelvis")

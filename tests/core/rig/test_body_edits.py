"""Edits of body plans: fitting to a skeleton, mirroring as a law, pairs; and the plan in files and journals."""

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.arrays import same_value
from core.errors import FormatError, MissingReferenceError
from core.io.native import rig_schema
from core.io.native.read import from_bytes
from core.io.native.write import to_bytes
from core.math import quat
from core.math.transform import Transform, down_chain
from core.pose.mirror import MirrorWay, mirror_map
from core.pose.mirror import mirrored as mirrored_pose
from core.rig.body_angles import angles_of, turns_from_rest
from core.rig.body_edits import fitting, mirrored, partner, with_mirrored, with_pair
from core.rig.body_plan import AxisRange, Body, BodyPlan, Capsule
from core.rig.propose_bodies import propose_bodies
from editor.model import codec
from tests.editor.stage import small_project, small_rig


def turned_rig(seed: int):
    """The small rig with every bone's own axes turned, so that left and right do not agree by luck."""
    rig = small_rig()
    rng = np.random.default_rng(seed)
    count = len(rig.skeleton)
    own = quat.normalise(rng.normal(size=(count, 4)))
    places = down_chain(rig.skeleton.parents, rig.skeleton.rest).translation
    rotation, translation = np.array(own), np.array(places)
    for bone, parent in enumerate(rig.skeleton.parents):
        if parent >= 0:
            rotation[bone] = quat.multiply(quat.conjugate(own[parent]), own[bone])
            translation[bone] = quat.rotate(quat.conjugate(own[parent]), places[bone] - places[parent])
    skeleton = replace(rig.skeleton, rest=Transform(translation, rotation, np.ones((count, 3))))
    return replace(rig, skeleton=skeleton)


def arm(rig, seed: int) -> Body:
    rng = np.random.default_rng(seed + 1)
    frame = quat.to_matrix(quat.normalise(rng.normal(size=4)))
    axes = tuple(AxisRange(tuple(axis), *sorted(rng.uniform(-80, 80, 2).tolist())) for axis in frame)
    start, end = rng.normal(size=(2, 3)) * 0.1
    return Body("arm_l", Capsule(tuple(start), tuple(end), 0.05), 2.0, axes, 0.5)


@given(st.integers(0, 1000))
def test_mirrored_twice_is_the_same_body(seed):
    rig = turned_rig(seed)
    body = arm(rig, seed)
    there = mirrored(rig.skeleton, rig.mirror, body, "arm_r")
    back = mirrored(rig.skeleton, rig.mirror, there, "arm_l")
    assert np.allclose(back.capsule.start, body.capsule.start, atol=1e-9)
    assert np.allclose(back.capsule.end, body.capsule.end, atol=1e-9)
    for one, other in zip(back.axes, body.axes, strict=True):
        assert np.allclose(one.axis, other.axis, atol=1e-9)
        assert (one.minimum, one.maximum) == (other.minimum, other.maximum)


@given(st.integers(0, 1000))
def test_mirrored_pose_has_the_angles_of_the_pose_about_the_mirrored_axes(seed):
    rig = turned_rig(seed)
    body = arm(rig, seed)
    there = mirrored(rig.skeleton, rig.mirror, body, "arm_r")
    rng = np.random.default_rng(seed)
    rotation = np.array(rig.skeleton.rest.rotation)
    number = rig.skeleton.index("arm_l")
    rotation[number] = quat.multiply(rotation[number], quat.from_rotation_vector(rng.uniform(-0.7, 0.7, 3)))
    pose = Transform(rig.skeleton.rest.translation, rotation, rig.skeleton.rest.scale)
    other = mirrored_pose(rig, pose, mirror_map(rig, MirrorWay.LEFT_TO_RIGHT))
    plan = BodyPlan((Body("root", body.capsule, 1.0), body, there))
    left = angles_of(body, turns_from_rest(plan, rig.skeleton, pose.rotation)[1])
    right = angles_of(there, turns_from_rest(plan, rig.skeleton, other.rotation)[2])
    assert np.allclose(left, right, atol=1e-6)


def test_mirrored_keeps_the_sense_of_the_axes_that_are_there():
    rig = turned_rig(3)
    body = arm(rig, 3)
    there = mirrored(rig.skeleton, rig.mirror, body, "arm_r")
    first = there.axes[0]
    reversed_axes = (AxisRange(tuple(-np.array(first.axis)), -10.0, 5.0), *there.axes[1:])
    again = mirrored(rig.skeleton, rig.mirror, body, "arm_r", replace(there, axes=reversed_axes))
    assert np.allclose(again.axes[0].axis, -np.array(first.axis))
    assert (again.axes[0].minimum, again.axes[0].maximum) == (-first.maximum, -first.minimum)


def test_with_mirrored_replaces_and_adds_partners_and_reflects_pairs():
    rig = turned_rig(1)
    root = Body("root", Capsule((0, 0, 0), (0, 1, 0), 0.2), 10.0)
    plan = BodyPlan((root, arm(rig, 1)), (("root", "arm_l"),))
    once = with_mirrored(rig.skeleton, rig.mirror, plan, ["arm_l", "root"])
    assert once.bones == ("root", "arm_l", "arm_r")
    assert set(once.ignored) == {("root", "arm_l"), ("root", "arm_r")}
    thicker = replace(arm(rig, 1), capsule=replace(arm(rig, 1).capsule, radius=0.11))
    twice = with_mirrored(rig.skeleton, rig.mirror, once.with_body(thicker), ["arm_l"])
    assert twice.body("arm_r").capsule.radius == 0.11
    assert partner(rig.mirror, "hand_r") == "hand_l" and partner(rig.mirror, "head") is None


def test_with_pair_goes_and_comes_back_whichever_way_round():
    rig = turned_rig(1)
    plan = BodyPlan((Body("root", Capsule((0, 0, 0), (0, 1, 0), 0.2), 10.0), arm(rig, 1)))
    on = with_pair(plan, "arm_l", "root", True)
    assert on.ignored == (("root", "arm_l"),)
    assert with_pair(on, "root", "arm_l", False) == plan
    with pytest.raises(MissingReferenceError, match="'head' has no body"):
        with_pair(plan, "root", "head", True)


def test_fitting_leaves_out_bodies_of_bones_that_are_gone():
    rig = small_rig()
    ball = Capsule((0, 0, 0), (0, 0, 0), 0.1)
    bodies = tuple(Body(bone, ball, 1.0) for bone in ("hand_l", "gone", "pelvis", "root"))
    plan = fitting(bodies, (("gone", "pelvis"), ("pelvis", "hand_l")), rig.skeleton)
    assert plan.bones == ("root", "pelvis", "hand_l")
    assert plan.ignored == (("pelvis", "hand_l"),)
    assert fitting((Body("gone", ball, 1.0),), (), rig.skeleton) is None
    assert fitting(bodies[:1], (), rig.skeleton).bones == ("hand_l",)


# ---------------------------------------------------------------- the plan in documents
def with_plan():
    project = small_project()
    rig = project.rigs[0]
    return project.with_assets(replace(rig, body_plan=propose_bodies(rig)))


def test_plan_survives_file_and_journal():
    project = with_plan()
    assert project.rigs[0].body_plan is not None
    assert same_value(from_bytes(to_bytes(project)), project)
    arrays: list = []
    text = json.loads(json.dumps(codec.encode(project, arrays)))
    assert same_value(codec.decode(text, arrays), project)


def test_rig_of_version_5_opens_without_a_plan():
    document = {"schema": "posewright.rig", "version": 5, "id": "r"}
    assert rig_schema.SCHEMA.upgraded(document)["body_plan"] is None


def test_plan_of_a_file_loses_bodies_whose_bones_are_gone(tmp_path):
    from pathlib import Path

    from core.io.native.body_schema import body_plan, body_plan_document
    from core.json_values import Value

    rig = with_plan().rigs[0]
    document = body_plan_document(rig.body_plan)
    document["bodies"][-1]["bone"] = "not there"
    found = body_plan(Value(document, "rig", Path("x.posewright")), rig.skeleton)
    assert found.bones == rig.body_plan.bones[:-1]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"radius": -1.0}, "radius above 0"),
        ({"mass": 0.0}, "mass above 0"),
        ({"start": [1, 2]}, "start"),
        ({"axes": [{"axis": [1, 1, 0], "minimum": 0, "maximum": 1}]}, "unit vector"),
    ],
)
def test_broken_plan_in_a_file_is_told_with_its_reason(change, reason):
    import io
    import zipfile

    data = to_bytes(with_plan())
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(out, "w") as new:
        for entry in old.infolist():
            content = old.read(entry)
            if b"posewright.rig" in content and entry.filename.endswith(".json"):
                document = json.loads(content)
                if document.get("schema") == "posewright.rig":
                    document["body_plan"]["bodies"][1] |= change
                    content = json.dumps(document).encode()
            new.writestr(entry, content)
    with pytest.raises(FormatError, match=reason):
        from_bytes(out.getvalue())

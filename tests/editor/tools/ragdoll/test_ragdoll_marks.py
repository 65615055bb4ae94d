"""Marks of bodies and of their joints' ranges: where they are in the world, which is active, what is inside."""

from dataclasses import replace

import numpy as np
import pytest

from core.math import quat
from core.rig.propose_bodies import propose_bodies
from editor.model.ragdoll.bodies import Bodies
from editor.tools.ragdoll.marks import body_frame, body_marks, range_marks
from tests.editor.panel_stage import small_session

BONE = "lower_arm_l"
SIZES = (0.3, 0.2, 0.1)


@pytest.fixture
def session():
    made = small_session()
    made.edits.put("bodies", replace(made.rig, body_plan=propose_bodies(made.rig)))
    made.selection.select((BONE,))
    made.playback.seek(20.0 / 30.0)
    made.feature(Bodies).symmetric = True
    yield made
    made.close()


def with_body(session, **changes):
    """Change the body of the bone."""
    plan = session.rig.body_plan
    bodies = tuple(replace(b, **changes) if b.bone == BONE else b for b in plan.bodies)
    session.edits.put("body", replace(session.rig, body_plan=replace(plan, bodies=bodies)))
    return next(b for b in bodies if b.bone == BONE)


def body(session):
    return next(b for b in session.rig.body_plan.bodies if b.bone == BONE)


def rest_frame(session):
    """Place and rotation ``(3, 3)`` that the bone has at rest on the bone above, in the world."""
    number, model = session.rig.skeleton.index(BONE), session.evaluator.model()
    world = session.evaluator.world()
    above = quat.to_matrix(model.rotation[session.rig.skeleton.parent(number)])
    return (world @ np.append(model.translation[number], 1.0))[:3], world[:3, :3] @ above


def about(axis, degrees):
    return quat.to_matrix(quat.from_axis_angle(np.array(axis, float), np.radians(degrees)))


def test_bodies_are_marked_where_their_bones_are(session):
    marks = body_marks(session)
    assert [m.body for m in marks] == list(session.rig.body_plan.bodies)
    number, model = session.rig.skeleton.index(BONE), session.evaluator.model()
    mark = next(m for m in marks if m.body.bone == BONE)
    turn = quat.to_matrix(model.rotation[number])
    world = session.evaluator.world()
    for end, point in ((mark.start, mark.body.capsule.start), (mark.end, mark.body.capsule.end)):
        local = model.translation[number] + turn @ np.array(point)
        assert np.allclose(end, (world @ np.append(local, 1.0))[:3])
    assert mark.radius == mark.body.capsule.radius and np.allclose(mark.middle, (mark.start + mark.end) / 2.0)
    frame = body_frame(session, BONE)
    assert np.allclose(frame.scale, 1.0) and np.allclose(quat.to_matrix(frame.rotation), world[:3, :3] @ turn)


def test_the_active_body_and_the_one_that_changes_with_it_are_told(session):
    assert {m.body.bone for m in body_marks(session) if m.active} == {BONE}
    assert {m.body.bone for m in body_marks(session) if m.partner} == {"lower_arm_r"}
    session.feature(Bodies).symmetric = False
    assert not any(m.partner for m in body_marks(session))


def test_without_bodies_nothing_is_marked(session):
    session.edits.put("none", replace(session.rig, body_plan=None))
    assert body_marks(session) == () and range_marks(session, SIZES) == ()
    session.undo()
    session.selection.select((session.rig.body_plan.bodies[0].bone,))
    assert session.feature(Bodies).active is not None and range_marks(session, SIZES) == ()


@pytest.mark.parametrize("degrees, inside", [
    (0.0, True), (29.0, True), (30.04, True), (30.2, False), (-20.04, True), (-20.2, False),
])  # fmt: skip
def test_arcs_of_the_axes_run_over_their_ranges_and_the_pose_stands_on_them(session, degrees, inside):
    axes = body(session).axes
    axes = (replace(axes[0], minimum=-20.0, maximum=30.0), *axes[1:])
    made = with_body(session, axes=axes)
    number = session.rig.skeleton.index(BONE)
    turn = quat.from_axis_angle(np.array(axes[0].axis), np.radians(degrees))
    session.preview.set_pose(session.evaluator.pose().with_bone(number, rotation=turn))
    marks = range_marks(session, SIZES)
    centre, frame = rest_frame(session)
    assert [m.axis for m in marks] == list(range(len(axes))) and marks[0].inside is inside
    arm = np.subtract(made.capsule.end, made.capsule.start)
    arm = arm / np.linalg.norm(arm)
    for mark, limits, size in zip(marks, axes, SIZES, strict=False):
        axis = np.array(limits.axis)
        flat = arm - axis * (arm @ axis)
        if np.linalg.norm(flat) < 0.3:
            flat = np.cross(axis, np.eye(3)[int(np.argmin(np.abs(axis)))])
        reach = flat / np.linalg.norm(flat) * size
        count = max(2, int((limits.maximum - limits.minimum) / 4.0) + 2)
        turns = np.linspace(limits.minimum, limits.maximum, count)
        assert np.allclose(mark.centre, centre) and mark.rim.shape == (count, 3)
        assert np.allclose(mark.rim, [centre + frame @ about(axis, d) @ reach for d in turns], atol=1e-6)
        now = degrees if mark.axis == 0 else 0.0
        assert np.allclose(mark.now, centre + frame @ about(axis, now) @ reach, atol=1e-6)
        frame = frame @ about(axis, now)


def test_a_capsule_that_is_a_ball_points_to_its_middle_and_one_at_the_joint_upwards(session):
    for end, wanted in (((0.0, 0.0, 0.2), (0.0, 0.0, 1.0)), ((0.0, 0.0, 0.0), (0.0, 1.0, 0.0))):
        axes = (replace(body(session).axes[0], axis=(1.0, 0.0, 0.0), minimum=0.0, maximum=8.0),)
        with_body(session, capsule=replace(body(session).capsule, start=end, end=end), axes=axes)
        mark = range_marks(session, SIZES)[0]
        centre, frame = rest_frame(session)
        assert np.allclose(mark.rim[0], centre + 0.3 * frame @ np.array(wanted))

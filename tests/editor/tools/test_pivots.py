"""Pivots that stand still: whatever turns, the point stays where it is in the world; others move with the body."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.ik.pivots import FootPoint, carrier, foot_anchor
from core.math import quat
from core.math.transform import Transform
from core.rig.roles import find_roles
from editor.gl import camera as cameras
from editor.gl.gizmo import Handle, parts
from editor.panels.viewport.panel import PANEL as VIEW
from editor.shell.tools import bind_tools
from editor.tools.pivots import anchor_of, anchored, place_of, standing
from editor.tools.state import Picked, Pivot, Setup, Space, Tool
from editor.tools.world_pose import Frame, frame_of, scaled, turned, world_pose
from tests.editor.panel_stage import Stage, small_session
from tests.editor.user import User

STILL = 1e-6


@pytest.fixture(scope="module")
def session():
    made = small_session(mesh=False)
    yield made
    made.close()


@settings(max_examples=25, deadline=None)
@given(
    bone=st.sampled_from(["foot_l", "pelvis", "thigh_l", "chest", "calf_r"]), pivot=st.sampled_from(Pivot),
    space=st.sampled_from(Space), amount=st.tuples(*[st.floats(-2.0, 2.0)] * 3), seed=st.integers(0, 99),
    scale=st.booleans(),
)  # fmt: skip
def test_the_point_stays_whatever_is_rotated_or_scaled(session, bone, pivot, space, amount, seed, scale):
    rig, made = session.rig, np.random.default_rng(seed)
    base = session.evaluator.pose()
    turns = quat.from_rotation_vector(made.uniform(-0.5, 0.5, (len(rig.skeleton), 3)))
    pose = base.with_local(Transform(base.translations, turns, base.scales))
    root = np.eye(4)
    root[:3, 3] = made.uniform(-2.0, 2.0, 3)
    s, number = world_pose(rig.skeleton, pose, root), rig.skeleton.index(bone)
    setup = Setup(Tool.ROTATE, pivot=pivot, picked=Picked("foot_l", (0.02, -0.1, 0.15)))
    axes = frame_of(s, number, space, np.eye(3))
    frame = anchored(session, Frame(space, pivot, axes, s.positions()[number]), s, setup, bone)
    if not pivot.still:
        assert frame.anchor is None
        return
    assert frame.anchor is not None and frame.point == pytest.approx(place_of(s, frame.anchor))
    factors = np.exp(np.array(amount) * 0.2)
    after = scaled(s, [number], frame, factors) if scale else turned(s, [number], frame, np.array(amount))
    still, body = standing(session, s, after, frame, (number,))
    now = world_pose(rig.skeleton, still, root)
    assert np.abs(place_of(now, frame.anchor) - place_of(s, frame.anchor)).max() < STILL
    moved = [
        b
        for b in range(len(rig.skeleton))
        if not np.array_equal(still.translations[b], after.translations[b])
    ]
    assert set(moved) <= {body} and body == rig.skeleton.index("pelvis")


def test_the_points_of_a_foot_are_on_the_floor_and_of_the_leg_that_is_meant(session):
    rig = session.rig
    roles, model = find_roles(rig.skeleton), session.evaluator.model()
    for bone, foot in (("calf_r", "foot_r"), ("thigh_l", "foot_l")):
        anchor = foot_anchor(rig, roles, bone, FootPoint.HEEL, model)
        assert anchor is not None and rig.skeleton.names[anchor.bone] == foot
    heel, toe, ball = (
        foot_anchor(rig, roles, "foot_l", which, model)
        for which in (FootPoint.HEEL, FootPoint.TOE, FootPoint.BALL)
    )
    assert heel is not None and toe is not None and ball is not None
    assert heel.point[2] < ball.point[2] < toe.point[2]
    assert foot_anchor(rig, find_roles(rig.skeleton), "head", FootPoint.BALL, model) is not None
    assert carrier(rig, "pelvis", heel, (0,)) == 0 and carrier(rig, None, heel, ()) == 0
    assert anchor_of(session, Setup(pivot=Pivot.POINT), "foot_l") is None


def test_a_foot_rolls_about_its_heel_by_mouse_and_the_pivot_goes_on_by_key(qapp):
    stage = Stage(qapp)
    panel = stage.add(VIEW.create(stage.context))
    bind_tools(stage.actions, stage.tools)
    stage.show(520, 460)
    user, session, view = User(stage.window), stage.session, panel.view
    try:
        stage.tools.set(Setup(Tool.ROTATE, rotate_space=Space.WORLD))
        session.selection.select(("foot_l",))
        session.playback.seek(1.0)
        user.move(view, (30, 60))
        seen = []
        for _ in range(4):
            user.press("Y")
            seen.append(stage.tools.setup.pivot)
        assert seen == [Pivot.BALL, Pivot.TOE, Pivot.HEEL, Pivot.INDIVIDUAL]
        stage.actions.run("tool.pivot_heel")
        user.settle()
        rig, model = session.rig, panel.model

        def heel() -> np.ndarray:
            s = world_pose(rig.skeleton, session.evaluator.pose(), session.evaluator.world())
            anchor = anchor_of(session, stage.tools.setup, "foot_l")
            return place_of(s, anchor)

        before, first = heel(), session.clip
        assert np.abs(model.gizmo().pivot - before).max() < 1e-6
        part = next(p for p in parts(model.gizmo(), model.camera, view.view_size) if p.handle is Handle.X)
        pixel, _ = cameras.project(
            model.camera, part.lines[len(part.lines) // 2].mean(axis=0), view.view_size
        )
        live = []
        user.drag(
            view, (float(pixel[0]), float(pixel[1])), (float(pixel[0]) + 10, float(pixel[1]) + 40),
            during=lambda: live.append(heel()),
        )  # fmt: skip
        assert np.abs(live[0] - before).max() < STILL and np.abs(heel() - before).max() < 1e-4
        assert {c.bone for c in session.clip.tracks} - {c.bone for c in first.tracks} == {"foot_l"}
        assert session.clip is not first
        after = session.clip
        session.undo()
        assert session.clip is first
        session.redo()
        assert session.clip is after
        session.undo()
        user.settle()
        # Shift+Y picks the place of a bone under the pointer
        s = world_pose(rig.skeleton, session.evaluator.pose(), session.evaluator.world())
        at, _ = cameras.project(model.camera, s.positions()[rig.skeleton.index("head")], view.view_size)
        user.move(view, (float(at[0]), float(at[1]) + 2))
        user.press("Shift+Y")
        picked = stage.tools.setup
        assert picked.pivot is Pivot.POINT and picked.picked is not None
        s = world_pose(rig.skeleton, session.evaluator.pose(), session.evaluator.world())
        place = place_of(s, anchor_of(session, picked, "foot_l"))
        there, _ = cameras.project(model.camera, place, view.view_size)
        assert there == pytest.approx((float(at[0]), float(at[1]) + 2), abs=1.0)
    finally:
        stage.close(qapp)

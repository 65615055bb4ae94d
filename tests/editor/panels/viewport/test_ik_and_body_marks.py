"""Marks of IK and of bodies without a view: in front of the character, and larger under the pointer."""

from dataclasses import replace

import numpy as np
import pytest

from core.rig.propose_bodies import propose_bodies
from editor.gl.camera_controller import ViewCameraController
from editor.gl.colors import DARK
from editor.gl.draw_list import Layer, Lines, Points
from editor.model.ik import edits
from editor.model.ik.state import IkState
from editor.model.ragdoll.bodies import Bodies
from editor.panels.viewport.body_marks import BodyMarks
from editor.panels.viewport.ik_marks import IkMarks
from editor.tools.ik.marks import chain_marks
from tests.editor.panel_stage import small_session

ARM = "Left arm"


@pytest.fixture
def session():
    made = small_session()
    made.edits.put("bodies", replace(made.rig, body_plan=propose_bodies(made.rig)))
    edits.propose(made)
    edits.toggle(made, (ARM,))
    made.feature(IkState).select(ARM)
    yield made
    made.close()


@pytest.fixture
def ik(session) -> IkMarks:
    return IkMarks(session, ViewCameraController())


@pytest.fixture
def bodies(session) -> BodyMarks:
    session.selection.select(["lower_arm_l"])
    session.feature(Bodies).watch(True)
    return BodyMarks(session, ViewCameraController())


def tint(shape: Points) -> tuple[float, ...]:
    return tuple(np.ravel(shape.colors)[:3])


def test_chains_goals_and_poles_are_drawn_in_front_of_the_character(session, ik):
    shapes = ik.shapes(session.rig)
    assert shapes and all(shape.layer is Layer.FRONT for shape in shapes)
    (mark,) = (m for m in chain_marks(session) if m.setup.name == ARM)
    chain = next(s for s in shapes if isinstance(s, Lines))
    ends = np.asarray(chain.points).reshape(-1, 3)
    assert np.allclose(ends[0], mark.joints[0], atol=1e-5) and np.allclose(
        ends[-1], mark.joints[-1], atol=1e-5
    )


@pytest.mark.parametrize("what", ["goal", "pole"])
def test_a_goal_or_pole_grows_under_the_pointer_and_no_other_does(session, ik, what):
    before = [s for s in ik.shapes(session.rig) if isinstance(s, Points)]
    ik.hovered = (ARM, what)
    after = [s for s in ik.shapes(session.rig) if isinstance(s, Points)]
    grown = [
        k for k, (a, b) in enumerate(zip(before, after, strict=True)) if float(b.sizes) != float(a.sizes)
    ]
    (mark,) = (m for m in chain_marks(session) if m.setup.name == ARM)
    place = mark.goal if what == "goal" else mark.pole
    assert len(grown) == 1 and float(after[grown[0]].sizes) > float(before[grown[0]].sizes)
    assert np.allclose(after[grown[0]].points[0], place, atol=1e-5)


def test_while_time_runs_only_the_ground_is_shown(session, ik):
    assert len(ik.shapes(session.rig)) > 0
    session.playback.play()
    assert ik.shapes(session.rig) == ()
    session.playback.pause()


def test_handles_of_the_active_body_are_in_front_and_the_one_under_the_pointer_stands_out(session, bodies):
    grips = bodies.grips()
    assert {g.handle.value for g in grips} >= {"radius", "start", "end", "middle"}
    for grip in grips:
        bodies.hovered = grip.handle
        dots = [s for s in bodies.shapes() if isinstance(s, Points)]
        assert len(dots) == len(grips) and all(d.layer is Layer.FRONT for d in dots)
        over = [d for d in dots if np.allclose(d.points[0], grip.place, atol=1e-5)]
        assert tint(over[0]) == pytest.approx(DARK.gizmo_hover[:3], abs=1e-6)
        others = [d for d in dots if d is not over[0]]
        assert all(tint(d) == pytest.approx(DARK.bone_selected[:3], abs=1e-6) for d in others)
        assert float(over[0].sizes) > max(float(d.sizes) for d in others)


def test_bodies_are_shown_with_their_panel_or_by_their_switch(session, bodies):
    assert bodies.shown and bodies.shapes()
    session.feature(Bodies).watch(False)
    assert not bodies.shown and bodies.shapes() == ()
    session.switches.set("bodies", True)
    assert bodies.shown and bodies.grips() == ()
    count = len(bodies.shapes())
    session.selection.select(())
    assert 0 < len(bodies.shapes()) < count  # the active one is filled, and its partner

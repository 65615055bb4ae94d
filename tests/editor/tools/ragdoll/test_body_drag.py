"""A body's capsule dragged without a window: its ends, its middle, its thickness; one step, mirrored, taken back."""

from dataclasses import replace

import numpy as np
import pytest

from core.math import quat
from core.math.transform import Transform
from core.rig.propose_bodies import propose_bodies
from editor.model.ragdoll.bodies import Bodies
from editor.tools.pointer import Button, Pointer
from editor.tools.ragdoll.drag import BodyHandle, DragBody
from tests.editor.panel_stage import small_session

BONE, TWIN = "lower_arm_l", "lower_arm_r"
TURN = quat.from_axis_angle([0.0, 0.0, 1.0], np.radians(90.0))
FRAME = Transform(np.array([5.0, 6.0, 7.0]), TURN, np.ones(3))
ASIDE = np.array([0.0, 0.0, 1.0])


@pytest.fixture
def bodies():
    session = small_session()
    session.edits.put("bodies", replace(session.rig, body_plan=propose_bodies(session.rig)))
    session.selection.select((BONE,))
    made = session.feature(Bodies)
    made.symmetric = False
    made.session = session
    yield made
    session.close()


def body(bodies, bone: str = BONE):
    return next(b for b in bodies.plan.bodies if b.bone == bone)


def drag(bodies, handle: BodyHandle, *shift: float) -> DragBody:
    made = DragBody(
        bodies, body(bodies), handle, FRAME, ASIDE, lambda pixel: np.array(shift) * pixel[0] / 100.0
    )
    made.begin(Pointer(0.0, 0.0, Button.LEFT))
    for x in (50.0, 100.0):
        made.move(Pointer(x, 0.0, Button.LEFT))
    return made


def moved(bodies, before) -> dict[str, list[float]]:
    """How far the ends went, in the bone's own axes."""
    now = body(bodies).capsule
    return {
        end: np.round(np.subtract(getattr(now, end), getattr(before.capsule, end)), 9).tolist()
        for end in ("start", "end")
    }


WAY = [0.02, 0.0, 0.01]
"""What a pull of 2 cm along the world's y and 1 cm along z is for a bone that is turned by 90° about z."""


@pytest.mark.parametrize("handle, ends, title", [
    (BodyHandle.START, ("start",), "Start"), (BodyHandle.END, ("end",), "End"),
    (BodyHandle.MIDDLE, ("start", "end"), "Place"),
])  # fmt: skip
def test_a_handle_moves_its_ends_alone_in_the_axes_of_the_bone(bodies, handle, ends, title):
    before, steps = body(bodies), bodies.session.history.position
    made = drag(bodies, handle, 0.0, 0.02, 0.01)
    assert moved(bodies, before) == {end: WAY if end in ends else [0.0] * 3 for end in ("start", "end")}
    assert bodies.session.history.position == steps
    made.finish(Pointer(100.0, 0.0))
    assert moved(bodies, before) == {end: WAY if end in ends else [0.0] * 3 for end in ("start", "end")}
    assert body(bodies).capsule.radius == before.capsule.radius
    assert bodies.session.history.position == steps + 1 and title in bodies.session.history.labels[-1]
    bodies.session.undo()
    assert body(bodies) == before


def test_the_radius_grows_along_its_own_direction(bodies):
    before = body(bodies)
    made = drag(bodies, BodyHandle.RADIUS, 0.5, 0.5, 0.01)
    assert f"radius {1000.0 * before.capsule.radius + 10.0:.1f} mm" in made.status
    made.finish(Pointer(100.0, 0.0))
    assert body(bodies).capsule.radius == pytest.approx(before.capsule.radius + 0.01)
    assert moved(bodies, before) == {"start": [0.0] * 3, "end": [0.0] * 3}
    made = drag(bodies, BodyHandle.RADIUS, 0.0, 0.0, -9.0)
    assert body(bodies).capsule.radius > 0.0  # never into nothing
    made.cancel()


def test_the_length_is_told_meanwhile(bodies):
    before = body(bodies).capsule
    direction = np.subtract(before.end, before.start) / before.length
    made = drag(bodies, BodyHandle.END, *quat.rotate(TURN, 0.05 * direction))
    assert f"length {1000.0 * before.length + 50.0:.1f} mm" in made.status and BONE in made.status
    made.cancel()


@pytest.mark.parametrize("symmetric", [False, True])
def test_the_other_side_goes_along_where_editing_is_symmetric(bodies, symmetric):
    bodies.symmetric = symmetric
    before, twin = body(bodies), body(bodies, TWIN)
    made = drag(bodies, BodyHandle.RADIUS, 0.0, 0.0, 0.01)
    assert (body(bodies, TWIN).capsule.radius > twin.capsule.radius) is symmetric
    made.finish(Pointer(100.0, 0.0))
    assert (body(bodies, TWIN).capsule.radius > twin.capsule.radius) is symmetric
    assert body(bodies) != before


@pytest.mark.parametrize("handle", list(BodyHandle))
def test_a_drag_taken_back_or_not_begun_changes_nothing(bodies, handle):
    before, position = bodies.plan, bodies.session.history.position
    drag(bodies, handle, 0.0, 0.02, 0.01).cancel()
    assert bodies.plan == before and bodies.session.history.position == position
    made = DragBody(bodies, body(bodies), handle, FRAME, ASIDE, lambda pixel: np.ones(3))
    made.move(Pointer(90.0, 0.0))
    made.begin(Pointer(0.0, 0.0))
    made.move(Pointer(1.0, 0.0))
    made.finish(Pointer(1.0, 0.0))
    assert bodies.plan == before and bodies.session.history.position == position

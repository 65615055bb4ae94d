"""Bodies and their joints' ranges as the viewport draws and catches them, world space. Free of Qt."""

from dataclasses import dataclass

import numpy as np

from core.arrays import FloatArray
from core.math import quat, transform
from core.math.transform import Transform
from core.rig.body_angles import angles_of, turns_from_rest
from core.rig.body_plan import Body
from core.rig.rig import Rig
from editor.model.ragdoll.bodies import Bodies
from editor.model.session import Session
from editor.tools.ik.marks import shown_turn

SLACK = 0.05
"""Degrees outside a range that are drawn as inside."""
STEP = 4.0
"""Degrees between two points of an arc."""


@dataclass(frozen=True, slots=True, eq=False)
class BodyMark:
    """A body: ends of its capsule ``(3,)`` and its radius.

    Parameters
    ----------
    active : whether it is the one being edited
    partner : whether it changes with that one
    """

    body: Body
    start: FloatArray
    end: FloatArray
    active: bool
    partner: bool

    @property
    def radius(self) -> float:
        """Metres."""
        return self.body.capsule.radius

    @property
    def middle(self) -> FloatArray:
        """Between the ends."""
        middle: FloatArray = 0.5 * (self.start + self.end)
        return middle


@dataclass(frozen=True, slots=True, eq=False)
class RangeMark:
    """The range of one axis.

    Parameters
    ----------
    axis : its number: bend, sideways, twist
    centre : ``(3,)`` where the joint is
    rim : ``(N, 3)`` from the least to the largest angle
    now : ``(3,)`` where on the rim the pose shown stands
    inside : whether it is within the range
    """

    axis: int
    centre: FloatArray
    rim: FloatArray
    now: FloatArray
    inside: bool


def body_frame(session: Session, bone: str) -> Transform:
    """Where a bone is in the world: what a capsule's points are told in. Without scale."""
    rig = session.rig
    assert rig is not None
    number = rig.skeleton.index(bone)
    model = session.evaluator.model()
    placed = transform.compose(
        transform.from_matrix(session.evaluator.world()),
        Transform(model.translation[number], model.rotation[number], np.ones(3)),
    )
    return Transform(placed.translation, placed.rotation, np.ones(3))


def body_marks(session: Session) -> tuple[BodyMark, ...]:
    """All bodies of the character shown."""
    bodies = session.feature(Bodies)
    plan, active = bodies.plan, bodies.active
    if plan is None or session.rig is None:
        return ()
    other = bodies.other_side(active.bone) if active is not None else None
    marks = []
    for body in plan.bodies:
        frame = body_frame(session, body.bone)
        start, end = (transform.apply(frame, point) for point in (body.capsule.start, body.capsule.end))
        chosen = active is not None and body.bone == active.bone
        marks.append(BodyMark(body, start, end, chosen, body.bone == other))
    return tuple(marks)


def range_marks(session: Session, sizes: tuple[float, float, float]) -> tuple[RangeMark, ...]:
    """Arcs of the active body's axes, each as large as `sizes` says, metres; none of the root body."""
    rig, bodies = session.rig, session.feature(Bodies)
    body, plan = bodies.active, bodies.plan
    if rig is None or plan is None or body is None or body.bone == plan.bodies[0].bone:
        return ()
    frame, arm = _rest_frame(session, rig, body), _along(body)
    local = session.evaluator.pose().local
    number = plan.bones.index(body.bone)
    angles = angles_of(body, turns_from_rest(plan, rig.skeleton, local.rotation)[number])
    marks = []
    for axis, (limits, size) in enumerate(zip(body.axes, sizes, strict=False)):
        about = np.array(limits.axis)
        angle = shown_turn(float(angles[axis]), limits.minimum, limits.maximum)
        count = max(2, int((limits.maximum - limits.minimum) / STEP) + 2)
        reach = _across(arm, about) * size

        def rim(degrees: FloatArray, about=about, reach=reach, frame=frame) -> FloatArray:  # type: ignore[no-untyped-def]
            turns = quat.from_axis_angle(np.broadcast_to(about, (len(degrees), 3)), np.radians(degrees))
            points: FloatArray = frame.translation + quat.rotate(frame.rotation, quat.rotate(turns, reach))
            return points

        inside = limits.minimum - SLACK <= angle <= limits.maximum + SLACK
        arc = rim(np.linspace(limits.minimum, limits.maximum, count))
        marks.append(RangeMark(axis, frame.translation, arc, rim(np.array([angle]))[0], inside))
        turned = quat.from_axis_angle(about, np.radians(angle))
        frame = frame._replace(rotation=quat.multiply(frame.rotation, turned))
    return tuple(marks)


def _rest_frame(session: Session, rig: Rig, body: Body) -> Transform:
    """The bone's place with the turn that it would have at rest on the bone above."""
    number = rig.skeleton.index(body.bone)
    placed = body_frame(session, body.bone)
    local = session.evaluator.pose().local.rotation[number]
    above = quat.multiply(placed.rotation, quat.conjugate(local))
    return placed._replace(rotation=quat.multiply(above, rig.skeleton.rest.rotation[number]))


def _along(body: Body) -> FloatArray:
    """The direction of a body in its bone's axes."""
    capsule = body.capsule
    along = np.subtract(capsule.end, capsule.start)
    if np.linalg.norm(along) < 1e-9:
        along = np.array(capsule.end)
    length = float(np.linalg.norm(along))
    return along / length if length > 1e-9 else np.array([0.0, 1.0, 0.0])


def _across(arm: FloatArray, about: FloatArray) -> FloatArray:
    """A unit vector square to an axis, as near to an arm as can be."""
    flat = arm - about * float(arm @ about)
    if np.linalg.norm(flat) < 0.3:
        flat = np.cross(about, np.eye(3)[int(np.argmin(np.abs(about)))])
    unit: FloatArray = flat / np.linalg.norm(flat)
    return unit

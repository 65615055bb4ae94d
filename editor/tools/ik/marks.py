"""Where goals, poles, pins and joint limits stand in the world: what the viewport draws and the pointer can hit."""

from dataclasses import dataclass

import numpy as np

from core.arrays import FloatArray
from core.ik import keyed
from core.ik.body import PinKind
from core.ik.chain import model_of
from core.ik.limits import twist_angle
from core.ik.solve import unsolvable
from core.math import quat
from core.math import transform as transforms
from core.math.transform import Transform
from core.rig.ik_setup import IkSetup, IkSolver
from core.rig.rig import JointLimit, LimitKind, Rig
from editor.model.ik import goals
from editor.model.ik.state import IkState
from editor.model.session import Session

SLACK = np.radians(1.0)
"""How far a joint may be beyond its limit before that is shown: keys are never exact."""


@dataclass(frozen=True, slots=True, eq=False)
class ChainMark:
    """One set-up as drawn, world space.

    Parameters
    ----------
    joints : ``(N, 3)`` of the chain, root first
    goal, pole : ``(3,)``; the pole is None where it has none
    bend : ``(3,)`` the joint that the pole's line begins at
    keyed : whether the clip keys the goal
    """

    setup: IkSetup
    joints: FloatArray
    goal: FloatArray
    pole: FloatArray | None
    bend: FloatArray
    keyed: bool


@dataclass(frozen=True, slots=True, eq=False)
class LimitMark:
    """A joint limit as drawn, world space.

    Parameters
    ----------
    centre : ``(3,)``
    sector : ``(N, 3)`` rim from the least to the largest turn
    cone : ``(N, 3)`` rim of the cone, or empty
    now : ``(3,)`` where on the rim the joint stands
    inside : whether the limit holds
    """

    bone: str
    centre: FloatArray
    sector: FloatArray
    cone: FloatArray
    now: FloatArray
    inside: bool


def chain_marks(session: Session) -> tuple[ChainMark, ...]:
    """Marks of the set-ups that are on."""
    rig = session.rig
    if rig is None:
        return ()
    world, local = _character(session), session.evaluator.pose().local
    clip, marks = session.evaluator.clip, []
    for setup in session.feature(IkState).setups:
        driven = clip is not None and keyed.drives(clip, setup.name)
        if not (setup.enabled or driven) or unsolvable(rig, setup):
            continue
        bones = keyed.chain_bones(rig, setup)
        joints = np.array([model_of(rig.skeleton, local, b).translation for b in bones])
        goal = goals.goal_places(session, setup)
        pole = None if goal.pole is None else transforms.apply(world, goal.pole)
        placed = transforms.apply(world, joints)
        place = transforms.apply(world, goal.position)
        marks.append(ChainMark(setup, placed, place, pole, placed[len(placed) // 2], driven))
    return tuple(marks)


def pin_marks(session: Session) -> tuple[tuple[str, PinKind, FloatArray], ...]:
    """Pinned bones and where they stand."""
    rig = session.rig
    if rig is None:
        return ()
    world, local = _character(session), session.evaluator.pose().local
    return tuple(
        (
            bone,
            kind,
            transforms.apply(world, model_of(rig.skeleton, local, rig.skeleton.index(bone)).translation),
        )
        for bone, kind in session.feature(IkState).pins.kinds(rig).items()
        if rig.skeleton.find(bone) is not None
    )


def limit_marks(
    session: Session, size: float = 0.1, bones: tuple[str, ...] | None = None
) -> tuple[LimitMark, ...]:
    """Arcs of the selected bones' limits (or of `bones`), `size` metres in radius."""
    rig = session.rig
    if rig is None:
        return ()
    chosen = session.selection.bones if bones is None else bones
    return tuple(
        _limit_mark(session, rig, bone, rig.limits[bone], size) for bone in chosen if bone in rig.limits
    )


def _limit_mark(session: Session, rig: Rig, bone: str, limit: JointLimit, size: float) -> LimitMark:
    number = rig.skeleton.index(bone)
    local = session.evaluator.pose().local
    whole = transforms.compose(_character(session), model_of(rig.skeleton, local, number))
    centre = whole.translation
    above = quat.multiply(whole.rotation, quat.conjugate(local.rotation[number]))
    frame = quat.multiply(above, rig.skeleton.rest.rotation[number])
    axis = np.asarray(limit.axis)
    swing, twist = quat.swing_twist(
        quat.multiply(quat.conjugate(rig.skeleton.rest.rotation[number]), local.rotation[number]), axis
    )
    angle = float(twist_angle(twist, axis))
    line = along(rig, number)
    arm = line - np.dot(line, axis) * axis
    if np.linalg.norm(arm) < 1e-3:
        arm = np.cross(axis, np.eye(3)[int(np.argmin(np.abs(axis)))])
    arm = arm / np.linalg.norm(arm) * size
    low, high = np.radians(limit.minimum), np.radians(limit.maximum)
    turns = np.linspace(low, high, max(2, int(np.degrees(high - low) / 4.0) + 2))

    def rim(angles: FloatArray) -> FloatArray:
        turned = quat.rotate(quat.from_axis_angle(np.broadcast_to(axis, (len(angles), 3)), angles), arm)
        return centre + quat.rotate(frame, turned)

    cone = np.zeros((0, 3))
    lean = float(np.linalg.norm(quat.to_rotation_vector(swing)))
    angle = float(np.radians(shown_turn(np.degrees(angle), limit.minimum, limit.maximum)))
    inside = low - SLACK <= angle <= high + SLACK
    if limit.kind is LimitKind.CONE_TWIST:
        spin = np.linspace(0.0, 2.0 * np.pi, 49)
        tilt = np.cross(axis, arm) / size
        edge = quat.rotate(quat.from_axis_angle(tilt, np.radians(limit.cone)), axis * size)
        cone = centre + quat.rotate(
            frame, quat.rotate(quat.from_axis_angle(np.tile(axis, (49, 1)), spin), edge)
        )
        inside = inside and lean <= np.radians(limit.cone) + SLACK
    return LimitMark(bone, centre, rim(turns), cone, rim(np.array([angle]))[0], bool(inside))


def shown_turn(degrees: float, low: float, high: float) -> float:
    """The same turn a whole round on or back, where that lies within a range or nearer to it."""
    away = [max(low - each, each - high, 0.0) for each in (degrees, degrees + 360.0, degrees - 360.0)]
    return (degrees, degrees + 360.0, degrees - 360.0)[int(np.argmin(away))]


def along(rig: Rig, bone: int) -> FloatArray:
    """Where a bone points, in its own frame."""
    children = rig.skeleton.children(bone)
    if not children:
        return np.array([0.0, 1.0, 0.0])
    line = rig.skeleton.rest.translation[children[0]]
    length = float(np.linalg.norm(line))
    return line / length if length > 1e-9 else np.array([0.0, 1.0, 0.0])


def _character(session: Session) -> Transform:
    return transforms.from_matrix(session.evaluator.world())


def aims(setup: IkSetup) -> bool:
    """Whether a set-up looks at its goal instead of reaching it."""
    return setup.solver is IkSolver.AIM

"""Pivots that stand still: the point of a foot, or one that was picked, about which the whole pose turns."""

from dataclasses import replace

import numpy as np

from core.arrays import FloatArray
from core.ik.pivots import Anchor, FootPoint, carrier, foot_anchor
from core.math.transform import Transform
from core.pose.pose import Pose
from core.rig.roles import Role
from editor.model.ik.state import IkState
from editor.model.session import Session
from editor.tools.state import Picked, Pivot, Setup
from editor.tools.world_pose import Frame, WorldPose, world_pose

FOOT = {Pivot.BALL: FootPoint.BALL, Pivot.TOE: FootPoint.TOE, Pivot.HEEL: FootPoint.HEEL}


def anchor_of(session: Session, setup: Setup, active: str) -> Anchor | None:
    """The point that stands still with this set-up, or None: a pivot of another kind, or no such point."""
    rig = session.rig
    if rig is None:
        return None
    if setup.pivot is Pivot.POINT and setup.picked is not None:
        bone = rig.skeleton.find(setup.picked.bone)
        return None if bone is None else Anchor(bone, np.asarray(setup.picked.point))
    if setup.pivot not in FOOT:
        return None
    return foot_anchor(
        rig, session.feature(IkState).roles(), active, FOOT[setup.pivot], session.evaluator.model()
    )


def anchored(session: Session, frame: Frame, s: WorldPose, setup: Setup, active: str) -> Frame:
    """A frame whose handles are at the point that stands still; the frame itself where there is none."""
    anchor = anchor_of(session, setup, active)
    if anchor is None:
        return frame if not setup.pivot.still else replace(frame, pivot=Pivot.INDIVIDUAL)
    return replace(frame, pivot=Pivot.INDIVIDUAL, point=place_of(s, anchor), anchor=anchor)


def place_of(s: WorldPose, anchor: Anchor) -> FloatArray:
    """Where an anchor is ``(3,)``, world metres."""
    matrix = s.matrices[anchor.bone]
    place: FloatArray = matrix[:3, :3] @ anchor.point + matrix[:3, 3]
    return place


def standing(
    session: Session, begun: WorldPose, pose: Pose, frame: Frame, bones: tuple[int, ...]
) -> tuple[Pose, int]:
    """A pose shifted as a whole so that the frame's anchor is where it was, and the bone that is shifted."""
    rig, anchor = session.rig, frame.anchor
    assert rig is not None and anchor is not None
    body = carrier(rig, session.feature(IkState).roles().one(Role.HIPS), anchor, bones)
    now = world_pose(begun.skeleton, pose, begun.root)
    back = place_of(begun, anchor) - place_of(now, anchor)
    if float(np.abs(back).max()) < 1e-12:
        return pose, body
    translations = np.array(pose.translations)
    translations[body] += np.linalg.solve(now.parent_matrix(body)[:3, :3], back)
    return pose.with_local(Transform(translations, pose.rotations, pose.scales)), body


def picked_at(s: WorldPose, bone: int, place: FloatArray) -> Picked:
    """A world place as a point of a bone."""
    matrix = s.matrices[bone]
    x, y, z = (float(v) for v in np.linalg.solve(matrix[:3, :3], place - matrix[:3, 3]))
    return Picked(s.skeleton.names[bone], (x, y, z))

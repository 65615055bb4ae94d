"""Drag a dot of a motion trail: the limb follows, at the dot's own time."""

from collections.abc import Callable

import numpy as np

from core.arrays import FloatArray
from core.ik.two_bone import reach
from core.math import quat
from core.math.transform import Transform
from core.pose import kinematics
from core.pose.pose import Pose
from core.rig.rig import Rig
from core.rig.skeleton import Skeleton
from editor.model.i18n import tr
from editor.model.posing.verbs import at_frame, live_mirrored
from editor.model.session import Session
from editor.tools.gesture import Gesture
from editor.tools.pointer import Pointer
from editor.tools.scene import Pixel
from editor.tools.transform import JITTER


def body_of(skeleton: Skeleton, bone: int) -> int:
    """The bone that carries the whole figure: the topmost at or above `bone` with more than one child."""
    line = kinematics.ancestors(skeleton, bone)
    return next((b for b in line if len(skeleton.children(b)) > 1), line[0])


def limb_above(skeleton: Skeleton, bone: int) -> tuple[int, ...]:
    """The bones, at most two, whose turning moves a bone without moving the body; the upper one first."""
    body = body_of(skeleton, bone)
    limb: list[int] = []
    above = skeleton.parent(bone)
    while above >= 0 and above != body and len(limb) < 2:
        limb.insert(0, above)
        above = skeleton.parent(above)
    return tuple(limb) if above >= 0 else ()


def pulled(skeleton: Skeleton, pose: Pose, bone: int, goal: FloatArray) -> tuple[Pose, tuple[int, ...]]:
    """The pose with a bone's head brought to a model position, as far as its limb reaches.

    Two bones above it bend, one aims; without any, the body moves. The bone keeps its model
    rotation, so that a foot stays flat.

    Returns
    -------
    pose, bones
        The new pose, and numbers of the bones that it changes.
    """
    model = kinematics.to_model(skeleton, pose.local)
    limb = limb_above(skeleton, bone)
    places = model.translation
    if not limb:
        body = body_of(skeleton, bone)
        body = bone if bone < body else body
        return _moved(skeleton, pose, model, body, goal - places[bone]), (body,)
    if len(limb) == 1:
        turn = quat.shortest_arc(places[bone] - places[limb[0]], goal - places[limb[0]])
        turns = [turn]
    else:
        upper, lower = limb
        bent = reach(places[upper], places[lower], places[bone], goal)
        first = quat.shortest_arc(places[lower] - places[upper], bent.joint - places[upper])
        along = quat.rotate(first, places[bone] - places[lower])
        second = quat.multiply(quat.shortest_arc(along, bent.end - bent.joint), first)
        turns = [first, second]
    rotations = np.array(pose.rotations)
    above = skeleton.parent(limb[0])
    holder = model.rotation[above] if above >= 0 else quat.IDENTITY
    for number, turn in zip(limb, turns, strict=True):
        turned = quat.multiply(turn, model.rotation[number])
        rotations[number] = quat.normalise(quat.multiply(quat.conjugate(holder), turned))
        holder = turned
    rotations[bone] = quat.normalise(quat.multiply(quat.conjugate(holder), model.rotation[bone]))
    return pose.with_local(Transform(pose.translations, rotations, pose.scales)), (*limb, bone)


def _moved(skeleton: Skeleton, pose: Pose, model: Transform, bone: int, step: FloatArray) -> Pose:
    """The pose with a bone shifted by model metres ``(3,)``."""
    above = skeleton.parent(bone)
    inside = np.asarray(step, dtype=np.float64)
    if above >= 0:
        inside = quat.rotate(quat.conjugate(model.rotation[above]), inside) / model.scale[above]
    return pose.with_bone(bone, translation=pose.translations[bone] + inside)


class DragTrailDot(Gesture):
    """One drag of a dot; the playhead goes to the dot's time, and back where it is cancelled.

    Parameters
    ----------
    bone, time, place : the dot: bone, seconds, world position ``(3,)``
    moved : how far (world metres) a pointer at a pixel has moved the dot
    """

    grabs_keys = True

    def __init__(
        self, session: Session, rig: Rig, bone: str, time: float, place: FloatArray,
        moved: Callable[[Pixel], FloatArray],
    ) -> None:  # fmt: skip
        self._session, self._rig, self._bone = session, rig, bone
        self._time, self._place, self._moved = time, np.asarray(place, dtype=np.float64), moved
        self._before = session.playback.time
        self._start: Pointer | None = None
        self._base: Pose | None = None
        self._posed: tuple[Pose, tuple[str, ...]] | None = None

    def begin(self, pointer: Pointer) -> None:
        self._start = pointer
        self._session.playback.pause()
        self._session.playback.seek(self._time)
        self._base = self._session.evaluator.pose()
        world = self._session.evaluator.world()
        self._into = np.linalg.inv(world)

    def move(self, pointer: Pointer) -> None:
        if self._start is None or self._base is None:
            return
        if self._posed is None and pointer.distance(self._start) < JITTER:
            return
        place = self._place + self._moved(pointer.pixel)
        goal = self._into[:3, :3] @ place + self._into[:3, 3]
        skeleton = self._rig.skeleton
        pose, bones = pulled(skeleton, self._base, skeleton.index(self._bone), goal)
        names = tuple(skeleton.names[b] for b in bones)
        held = [name for name in names if name in self._session.selection.locked]
        if held:
            self._session.messages.warn(
                tr("Locked: {bones}", bones=", ".join(held)), tr("Unlock in the bone tree to pose")
            )
            return
        self._posed = live_mirrored(self._session, pose, names)
        self._session.preview.set_pose(self._posed[0])

    def finish(self, pointer: Pointer) -> None:
        if self._posed is not None:
            pose, bones = self._posed
            self._session.keying.commit_pose(
                at_frame(self._session, tr("Drag trail of {bone}", bone=self._bone)), pose, bones
            )
        self._session.preview.clear()

    def cancel(self) -> None:
        self._session.preview.clear()
        self._session.playback.seek(self._before)

    @property
    def status(self) -> str:
        return tr("Trail of {bone}", bone=self._bone)

    @property
    def hint(self) -> str:
        return tr("Release to key the limb at this frame · Esc or right button cancels")

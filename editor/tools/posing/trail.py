"""Drag a dot of a motion trail: the limb follows, at the dot's own time."""

from collections.abc import Callable

import numpy as np

from core.arrays import FloatArray
from core.clips.keying import KeyWhich
from core.evaluation.path import limb_above, pulled
from core.pose.pose import Pose
from core.rig.rig import Rig
from editor.model.i18n import tr
from editor.model.posing.verbs import at_frame, live_mirrored
from editor.model.session import Session
from editor.tools.gesture import Gesture
from editor.tools.pointer import Pointer
from editor.tools.scene import Pixel
from editor.tools.transform import JITTER

__all__ = ["DragTrailDot", "limb_above", "pulled"]


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
                at_frame(self._session, tr("Drag trail of {bone}", bone=self._bone)),
                pose,
                bones,
                KeyWhich.POSED,
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

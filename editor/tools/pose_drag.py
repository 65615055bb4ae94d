"""A pose dragged in the pose strip: retimed, copied, swapped, or with all that come later. Free of Qt."""

from collections.abc import Callable
from typing import NamedTuple

from core.clips.clip import Clip
from core.clips.poses import poses_of, with_pose_copied, with_poses_at, with_poses_swapped
from core.timing import TIME_EPSILON, frame_text
from editor.model.i18n import tr
from editor.model.session import Session
from editor.tools.blocking import within_neighbours
from editor.tools.gesture import Gesture
from editor.tools.pointer import CLICK_SLOP, Modifiers, Pointer


class Drop(NamedTuple):
    """What a drag makes of the clip if it ends now.

    Parameters
    ----------
    clip : the clip then
    time : seconds where the pose is drawn meanwhile
    label : name of the step
    """

    clip: Clip
    time: float
    label: str


class DragPose(Gesture):
    """Drag a pose: between its neighbours; with Shift all later ones go along, Ctrl copies it, Alt swaps two.

    Parameters
    ----------
    time_at : seconds under an x pixel
    pose_at : time of the pose under an x pixel, or None
    show : told where the pose is drawn, None once the drag has ended
    """

    def __init__(
        self,
        session: Session,
        pose: float,
        time_at: Callable[[float], float],
        pose_at: Callable[[float], float | None],
        show: Callable[[Drop | None], None],
    ) -> None:
        self._session, self._pose, self._time_at, self._pose_at = session, pose, time_at, pose_at
        self._show, self._clip = show, session.clip
        self._times = poses_of(self._clip).times if self._clip is not None else None
        self._pressed: Pointer | None = None
        self._drop: Drop | None = None
        self._still, self._snaps = frozenset(session.selection.locked), bool(session.switches["snap"])

    def begin(self, pointer: Pointer) -> None:
        self._pressed = pointer

    def move(self, pointer: Pointer) -> None:
        start = self._pressed
        if (
            start is None
            or self._clip is None
            or (self._drop is None and abs(pointer.x - start.x) < CLICK_SLOP)
        ):
            return
        self._session.playback.pause()
        wanted = self._pose + self._time_at(pointer.x) - self._time_at(start.x)
        self._drop = self._made(self._clip, max(self._clip.rate.snap(wanted), 0.0), pointer)
        self._session.preview.set_clip(None if self._drop.clip is self._clip else self._drop.clip)
        self._show(self._drop)

    def _made(self, clip: Clip, goal: float, pointer: Pointer) -> Drop:
        pose, still, rate = self._pose, self._still, clip.rate
        here = frame_text(rate.to_frame(pose))
        if pointer.has(Modifiers.ALT):
            other = self._pose_at(pointer.x)
            if other is None or abs(other - pose) < TIME_EPSILON:
                return Drop(clip, goal, tr("Swap poses: drop it on another pose"))
            label = tr("Swap poses f{frame} and f{goal}", frame=here, goal=frame_text(rate.to_frame(other)))
            return Drop(with_poses_swapped(clip, pose, other, still), other, label)
        if pointer.has(Modifiers.CTRL):
            label = tr("Copy pose f{frame} to f{goal}", frame=here, goal=frame_text(rate.to_frame(goal)))
            return Drop(with_pose_copied(clip, pose, goal, None, still), goal, label)
        if pointer.has(Modifiers.SHIFT):
            assert self._times is not None
            earlier = self._times[self._times < pose - TIME_EPSILON]
            goal = max(goal, float(earlier[-1]) + rate.frame if len(earlier) else 0.0)
            later = self._times[self._times > pose - TIME_EPSILON].tolist()
            label = tr(
                "Retime poses from f{frame} to f{goal}", frame=here, goal=frame_text(rate.to_frame(goal))
            )
            return Drop(
                with_poses_at(clip, {time: time + goal - pose for time in later}, still, self._snaps),
                goal,
                label,
            )
        goal = within_neighbours(clip, pose, goal)
        label = tr("Retime pose f{frame} to f{goal}", frame=here, goal=frame_text(rate.to_frame(goal)))
        return Drop(with_poses_at(clip, {pose: goal}, still, self._snaps), goal, label)

    def finish(self, pointer: Pointer) -> None:
        drop, session = self._drop, self._session
        self._show(None)
        if drop is not None and drop.clip is not self._clip and session.clip is self._clip:
            session.edits.put(drop.label, drop.clip)
            session.preview.clear()
            session.playback.seek(drop.time)
            return
        session.preview.clear()

    def cancel(self) -> None:
        self._show(None)
        self._session.preview.clear()

    @property
    def dragged(self) -> bool:
        """Whether it is more than a click."""
        return self._drop is not None

    @property
    def status(self) -> str:
        return self._drop.label if self._drop is not None else ""

    @property
    def hint(self) -> str:
        return tr("Drag: retime · Shift: with all later ones · Ctrl: copy · Alt: swap · Esc cancels")

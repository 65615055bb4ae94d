"""Blending the pose shown toward another, live: what the blend bar and the library's cards drag."""

from enum import StrEnum

import numpy as np

from core.errors import ValidationError
from core.ids import AssetId
from core.pose.edits import overlaid, toward
from core.pose.library import LibraryPose
from core.pose.pose import Pose, rest_pose
from core.rig.rig import Rig
from core.timing import TIME_EPSILON
from editor.model.i18n import tr
from editor.model.posing.copied import copied_over
from editor.model.posing.state import PosingState
from editor.model.posing.verbs import acting, at_frame, travelling, unlocked
from editor.model.session import Session

LEAST, MOST = -0.5, 1.5
"""How far a blend goes away from and beyond its goal."""


class Goal(StrEnum):
    """What the pose is blended toward."""

    COPIED = "copied"
    LIBRARY = "library"
    REST = "rest"
    PREVIOUS = "previous"
    NEXT = "next"
    BREAKDOWN = "breakdown"


TITLES = {
    Goal.COPIED: "copied pose",
    Goal.LIBRARY: "library pose",
    Goal.REST: "rest pose",
    Goal.PREVIOUS: "previous key",
    Goal.NEXT: "next key",
    Goal.BREAKDOWN: "breakdown",
}


class Blend:
    """One blend, from press to release. `share` moves it; then `finish` or `cancel`, once.

    Parameters
    ----------
    start, end : poses at shares 0 and 1
    bones : names of the bones that take part
    base : the pose shown at the press; where the blend stands still, exactly this is shown
    still : the share at which nothing changes, or None where there is none (a breakdown)
    mask : bone → weight
    """

    def __init__(
        self,
        session: Session,
        rig: Rig,
        title: str,
        start: Pose,
        end: Pose,
        bones: tuple[str, ...],
        still: float | None = 0.0,
        mask: dict[str, float] | None = None,
    ) -> None:
        self._session, self._rig, self._title = session, rig, title
        self._start, self._end, self.bones = start, end, bones
        self._base = session.evaluator.pose()
        self._still, self._mask = still, mask
        self.share: float | None = None
        session.playback.pause()

    def pose_at(self, share: float) -> Pose:
        """The pose at a share."""
        mixed = toward(self._start, self._end, share, self._rig.skeleton, self.bones, self._mask)
        if self._start is self._base:
            return mixed
        return overlaid(self._base, mixed, self._rig.skeleton, self.bones)

    def move(self, share: float) -> None:
        """Show the pose at a share, held within −0.5 to 1.5."""
        self.share = float(np.clip(share, LEAST, MOST))
        if self.share == self._still:
            self._session.preview.set_pose(None)
        else:
            self._session.preview.set_pose(self.pose_at(self.share))

    def finish(self) -> bool:
        """Commit what is shown, as one step; whether anything changed."""
        share = self.share
        done = False
        if share is not None and share != self._still:
            label = tr("{percent} % toward {goal}", percent=f"{100 * share:.0f}", goal=self._title)
            pose = self.pose_at(share)
            done = self._session.keying.commit_pose(at_frame(self._session, label), pose, self.bones)
        self._session.preview.clear()
        return done

    def cancel(self) -> None:
        """Show again what was there, bit for bit."""
        self._session.preview.clear()


def key_neighbours(session: Session, bones: tuple[str, ...]) -> tuple[float | None, float | None]:
    """Times of the keys of bones before and after the current time; None where there is none."""
    times, now = session.key_times(bones), session.playback.time
    before, after = times[times < now - TIME_EPSILON], times[times > now + TIME_EPSILON]
    return (float(before[-1]) if len(before) else None), (float(after[0]) if len(after) else None)


def begin_blend(session: Session, goal: Goal) -> Blend:
    """A blend of the selected bones (all without a selection) toward a goal.

    Raises
    ------
    ValidationError
        There is nothing to blend toward; the message says what to do.
    """
    rig = session.rig
    if rig is None:
        raise ValidationError(tr("there is no character to pose: open or import one first"))
    base, bones = session.evaluator.pose(), unlocked(session, acting(session, rig))
    if not bones:
        raise ValidationError(tr("every selected bone is locked: unlock it in the bone tree"))
    title = tr(TITLES[goal])
    if goal is Goal.REST:
        return Blend(session, rig, title, base, rest_pose(rig), bones)
    if goal is Goal.COPIED:
        found = copied_over(session, rig, base)
        still = travelling(session, rig)
        held = tuple(bone for bone in bones if bone in found.bones and bone not in still)
        if not held:
            raise ValidationError(tr("the copied pose contains none of these bones"))
        return Blend(session, rig, title, base, found.pose, held)
    if goal is Goal.LIBRARY:
        pose = session.feature(PosingState).active_pose(session.document.project)
        if pose is None:
            raise ValidationError(tr("no library pose is selected: click one in the Poses panel"))
        return blend_toward(session, pose)
    return _between_keys(session, rig, goal, base, bones)


def _between_keys(session: Session, rig: Rig, goal: Goal, base: Pose, bones: tuple[str, ...]) -> Blend:
    title = tr(TITLES[goal])
    before, after = key_neighbours(session, bones)
    sampled = session.evaluator.sampled_pose
    if goal is Goal.PREVIOUS:
        if before is None:
            raise ValidationError(tr("these bones have no key before the playhead"))
        return Blend(session, rig, title, base, sampled(before), bones)
    if goal is Goal.NEXT:
        if after is None:
            raise ValidationError(tr("these bones have no key after the playhead"))
        return Blend(session, rig, title, base, sampled(after), bones)
    if before is None or after is None:
        raise ValidationError(tr("a breakdown needs keys of these bones on both sides of the playhead"))
    return Blend(session, rig, title, sampled(before), sampled(after), bones, still=None)


def blend_toward(session: Session, pose: LibraryPose | AssetId) -> Blend:
    """A blend toward a library pose, on the bones that it holds, through the mask in force."""
    rig = session.rig
    if rig is None:
        raise ValidationError(tr("there is no character to pose: open or import one first"))
    if not isinstance(pose, LibraryPose):
        pose = session.document.project.get(LibraryPose, pose)
    held = pose.held(rig.skeleton)
    chosen = set(unlocked(session, acting(session, rig))) - travelling(session, rig)
    bones = tuple(bone for bone in held if bone in chosen)
    if not bones:
        raise ValidationError(
            tr("“{name}” contains none of the selected bones: select others, or none for all", name=pose.name)
        )
    mask = rig.masks.get(session.feature(PosingState).mask) if session.feature(PosingState).mask else None
    base = session.evaluator.pose()
    return Blend(
        session, rig, f"“{pose.name}”", base, pose.over(rig.skeleton, base), bones,
        mask=None if mask is None else dict(mask),
    )  # fmt: skip

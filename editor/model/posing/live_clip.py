"""The clip as it would be if the drag under way ended now: what ghosts and trails show live."""

import numpy as np

from core.arrays import FloatArray
from core.clips import keying
from core.clips.clip import Clip
from core.clips.sample import ClipEvaluator
from core.pose import kinematics
from core.pose.pose import Pose
from core.project.seen import driven_batch, driving_curves
from editor.model.session import Session


class LiveClip:
    """Evaluates the clip shown, with the keys that auto key would set for the pose of a drag."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._keyed: tuple[Clip, Pose, float, ClipEvaluator] | None = None

    def evaluator(self) -> ClipEvaluator | None:
        """Of the clip as it would be; None without a clip. The same object until something changes."""
        session = self._session
        base, pose, rig = session.evaluator.clip_evaluator, session.preview.pose, session.rig
        time = session.playback.time
        if base is None or rig is None:
            return None
        if pose is None or not session.keying.auto or pose.rig != rig.id or len(pose) != len(rig.skeleton):
            return base
        known = self._keyed
        if known is not None and known[0] is base.clip and known[1] is pose and known[2] == time:
            return known[3]
        goal = session.evaluator.undriven(pose)
        sampled = session.evaluator.undriven(session.evaluator.sampled_pose())
        free = [name for name in rig.skeleton.names if name not in session.selection.locked]
        clip = keying.key_pose(base.clip, rig, time, goal, free, session.keying.tolerance, sampled=sampled)
        made = base.updated(clip)
        self._keyed = base.clip, pose, time, made
        return made

    def matrices(self, times: FloatArray) -> FloatArray:
        """World matrices ``(T, B, 4, 4)`` of the character at other times, standing as the one shown does."""
        evaluator = self.evaluator()
        if evaluator is None:
            return np.zeros((0, 0, 4, 4))
        worlds = self._session.evaluator.worlds(times, evaluator)
        return worlds[:, None] @ self._models(evaluator, times)

    def _models(self, evaluator: ClipEvaluator, times: FloatArray) -> FloatArray:
        project = self._session.document.project
        if not driving_curves(project, evaluator.clip):
            return evaluator.models_many(times, wrap=False)
        batch = driven_batch(project, evaluator.skeleton, evaluator.sample_many(times, wrap=False))
        return kinematics.model_matrices(evaluator.skeleton, batch.local)

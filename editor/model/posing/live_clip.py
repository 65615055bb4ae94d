"""The clip as it would be if the drag under way ended now: what ghosts and trails show live."""

import numpy as np

from core.arrays import FloatArray
from core.clips import keying
from core.clips.keying_layers import key_layer
from core.evaluation.clip_pipeline import ClipPipeline
from core.evaluation.layer_pipeline import LayerPipeline
from core.pose.pose import Pose
from editor.model.session import Session


class LiveClip:
    """Evaluates the clip shown, with the keys that auto key would set for the pose of a drag."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._keyed: tuple[ClipPipeline, Pose, float, ClipPipeline] | None = None

    def pipeline(self) -> ClipPipeline | None:
        """Of the clip as it would be; None without a clip. The same object until something changes."""
        session = self._session
        base, pose, rig = session.evaluator.pipeline, session.preview.pose, session.rig
        time = session.playback.time
        if base is None or rig is None:
            return None
        if pose is None or not session.keying.auto or pose.rig != rig.id or len(pose) != len(rig.skeleton):
            return base
        known = self._keyed
        if known is not None and known[0] is base and known[1] is pose and known[2] == time:
            return known[3]
        goal = session.evaluator.to_clip_pose(pose)
        sampled = session.evaluator.to_clip_pose(session.evaluator.sampled_pose())
        free = [name for name in rig.skeleton.names if name not in session.selection.locked]
        key_pose = key_layer if isinstance(base, LayerPipeline) else keying.key_pose
        clip = key_pose(base.clip, rig, time, goal, free, session.keying.tolerance, sampled=sampled)
        made = base.with_clip(clip)
        self._keyed = base, pose, time, made
        return made

    def matrices(self, times: FloatArray) -> FloatArray:
        """World matrices ``(T, B, 4, 4)`` of the character at other times, standing as the one shown does."""
        pipeline = self.pipeline()
        if pipeline is None:
            return np.zeros((0, 0, 4, 4))
        return self._session.evaluator.worlds(times, pipeline)[:, None] @ pipeline.models_many(times)

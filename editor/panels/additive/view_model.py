"""The additive panel without Qt: what the clip shown is a difference from, and the three pictures."""

from dataclasses import dataclass, replace

import numpy as np

from core.arrays import BoolArray, FloatArray
from core.clips.additive import put_on
from core.clips.clip import Additive, AdditiveBase, AdditiveSpace, Clip
from core.errors import AnimError
from core.ids import AssetId
from core.math import quat
from core.math.transform import Transform
from core.pose import kinematics
from editor.model.blending.state import Blending
from editor.model.session import Session

MOVED = np.radians(0.5)
"""A bone's difference from which on it is drawn as one that moves."""


@dataclass(frozen=True, slots=True, eq=False)
class Figure:
    """Bones as lines: where they begin and end ``(B, 3)`` in model space, and which ones are marked."""

    title: str
    heads: FloatArray
    tails: FloatArray
    marked: BoolArray


class AdditiveModel:
    """Reads and changes the declaration of the clip shown."""

    def __init__(self, session: Session) -> None:
        self.session = session

    @property
    def clip(self) -> Clip | None:
        """The clip shown."""
        return self.session.clip

    def others(self) -> tuple[Clip, ...]:
        """Clips that may be a base."""
        clip = self.clip
        if clip is None:
            return ()
        return tuple(c for c in self.session.document.project.clips_of(clip.rig) if c.id != clip.id)

    def set_space(self, space: AdditiveSpace | None) -> None:
        """Declare the clip additive in a space, or not additive."""
        clip = self.clip
        if clip is None:
            return
        if space is None:
            self._put(None)
        else:
            self._put(replace(clip.additive, space=space) if clip.additive else Additive(space))

    def set_base(self, base: AdditiveBase) -> None:
        """Choose what it is a difference from; a base clip is found where one is needed."""
        clip = self.clip
        if clip is None or clip.additive is None:
            return
        other = clip.additive.base_clip
        if base is AdditiveBase.CLIP and other in (None, clip.id):
            others = self.others()
            other = others[0].id if others else None
        if base is AdditiveBase.FRAME and other is None:
            other = clip.id
        if base in (AdditiveBase.REST, AdditiveBase.FIRST_FRAME):
            other = None
        self._put(replace(clip.additive, base=base, base_clip=other))

    def set_base_clip(self, base: AssetId) -> None:
        """Choose the base clip."""
        clip = self.clip
        if clip is not None and clip.additive is not None:
            self._put(replace(clip.additive, base_clip=base))

    def set_base_frame(self, frame: float) -> None:
        """Choose the frame of the base clip."""
        clip = self.clip
        if clip is not None and clip.additive is not None:
            self._put(replace(clip.additive, base_time=clip.rate.to_seconds(frame)))

    def _put(self, additive: Additive | None) -> None:
        clip = self.clip
        if clip is None:
            return
        try:
            self.session.feature(Blending).layers.set_additive(clip.id, additive)
        except AnimError as error:
            self.session.messages.warn(str(error))

    # ------------------------------------------------------------ pictures
    def figures(self) -> tuple[Figure, Figure, Figure] | None:
        """Base, difference (put on the rest pose) and result at the time shown."""
        clip, rig = self.clip, self.session.rig
        if clip is None or rig is None or clip.additive is None:
            return None
        try:
            sampler = self.session.feature(Blending).layers.sampler(clip, rig)
            at = np.array([min(max(self.session.playback.time, 0.0), clip.length)])
            base, delta = sampler.base(at).local, sampler.deltas(at)
        except AnimError:
            return None
        skeleton = rig.skeleton
        rest = Transform(*(np.asarray(part)[None] for part in skeleton.rest))
        alone = put_on(skeleton, rest, delta.local, delta.space)
        result = put_on(skeleton, base, delta.local, delta.space)
        turned = quat.angle_between(delta.local.rotation[0], quat.IDENTITY) > MOVED
        if delta.space is AdditiveSpace.MODEL:
            turned = quat.angle_between(base.rotation[0], result.rotation[0]) > MOVED
        marked = turned | (np.abs(delta.local.translation[0]).max(axis=1) > 1e-3)
        none = np.zeros_like(marked)
        names = ("Base", "Difference", "Result")
        poses = zip(names, (base, alone, result), (none, marked, marked), strict=True)
        made = []
        for title, local, shown in poses:
            heads = kinematics.model_matrices(skeleton, local)[0, :, :3, 3]
            parents = np.maximum(skeleton.parents, 0)
            made.append(Figure(title, heads[parents], heads, shown[parents] & (skeleton.parents >= 0)))
        return made[0], made[1], made[2]

"""Which channels of a clip have keys: what counts of a layer that overrides only where it is keyed."""

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from core.clips.clip import Clip, Property
from core.clips.sampled import PoseBatch
from core.math.transform import Transform
from core.rig.skeleton import Skeleton

Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class KeyedChannels:
    """Flags by bone.

    Parameters
    ----------
    translate, scale : ``(B, 3)`` by axis
    rotate : ``(B,)``; a rotation counts as a whole: with keys on one angle alone the others are those of the rest pose
    curves, morphs : names of the curves and morph weights that have keys
    """

    translate: Flags
    rotate: Flags
    scale: Flags
    curves: frozenset[str]
    morphs: frozenset[str]

    @classmethod
    def of(cls, skeleton: Skeleton, clip: Clip) -> "KeyedChannels":
        """Those of a clip; tracks of bones that the skeleton lacks are left out."""
        count = len(skeleton)
        translate, scale = np.zeros((count, 3), dtype=bool), np.zeros((count, 3), dtype=bool)
        rotate = np.zeros(count, dtype=bool)
        for channel in clip.tracks:
            bone = skeleton.find(channel.bone)
            if bone is None:
                continue
            if channel.property is Property.ROTATE:
                rotate[bone] = True
            else:
                (translate if channel.property is Property.TRANSLATE else scale)[bone, channel.axis] = True
        return cls(translate, rotate, scale, frozenset(clip.curves), frozenset(clip.morphs))

    def filled(self, layer: Transform, below: Transform) -> Transform:
        """The layer's local transforms ``(..., B, k)`` where there are keys, those below elsewhere."""
        return Transform(
            np.where(self.translate, layer.translation, below.translation),
            np.where(self.rotate[:, None], layer.rotation, below.rotation),
            np.where(self.scale, layer.scale, below.scale),
        )

    def with_keyed_extras(self, batch: PoseBatch) -> PoseBatch:
        """Poses with the curves and morphs that have keys alone: the others are not the layer's to say."""
        curves = {name: values for name, values in batch.curves.items() if name in self.curves}
        morphs = {name: values for name, values in batch.morphs.items() if name in self.morphs}
        return replace(batch, curves=curves, morphs=morphs)

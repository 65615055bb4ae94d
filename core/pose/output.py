"""What playing gives at one moment, whatever is played: a clip, a blend space, a blend of several."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

import numpy as np
import numpy.typing as npt

from core.arrays import FloatArray
from core.ids import AssetId
from core.math import quat, transform
from core.math.transform import Transform
from core.pose import blend as poses
from core.pose.pose import Pose

E = TypeVar("E")
"""An event that was passed; clips have `core.clips.clip.Notify`."""


@dataclass(frozen=True, slots=True)
class Playback:
    """Where playback stands.

    Parameters
    ----------
    length : of the clip, or of a blend space's cycle, in seconds
    position : seconds into it, 0..length
    normalised : how far it is, 0..1: of a clip the position as a fraction (0 without length), of a blend
        space the fraction of its cycle of sync markers
    loops : how often the end was passed; negative before the start of a looping clip
    """

    length: float
    position: float
    normalised: float
    loops: int


@dataclass(frozen=True, slots=True, eq=False)
class PoseOutput(Generic[E]):
    """One moment (spec: evaluation, Sampling).

    Parameters
    ----------
    pose : with root motion taken out; it knows its rig, and carries curves and morph weights
    root_motion : motion of the root since the previous moment, ``root(a)⁻¹ ∘ root(b)``
    playback : position and loops
    notifies : those passed since the previous moment, in the order passed
    """

    pose: Pose
    root_motion: Transform
    playback: Playback
    notifies: tuple[E, ...] = ()

    @property
    def rig(self) -> AssetId:
        """Id of the rig the pose belongs to."""
        return self.pose.rig

    @property
    def curves(self) -> Mapping[str, float]:
        """Named float curve values."""
        return self.pose.curves

    @property
    def morphs(self) -> Mapping[str, float]:
        """Morph channel (``mesh/target``) → weight."""
        return self.pose.morphs


def blend(outputs: Sequence[PoseOutput[E]], weights: npt.ArrayLike) -> PoseOutput[E]:
    """Weighted moment of one rig, everything in it by the same weights.

    Poses, curves, morphs and root motion are blended; position and loops are those of the heaviest (of
    equal ones the first); notifies are those of every part that counts. An output of weight 1 comes back
    as it is.

    Parameters
    ----------
    weights : ``(n,)`` of 0 or more, made to sum to 1

    Raises
    ------
    ValidationError
        Outputs of different rigs, none at all, or weights that cannot be normalised.
    """
    pose = poses.blend([output.pose for output in outputs], weights)
    shares = poses.checked_weights(weights)
    heaviest = outputs[int(np.argmax(shares))]
    if shares.max() == 1.0:
        return heaviest
    counted = [output for output, share in zip(outputs, shares, strict=True) if share > 0.0]
    motion = mixed_motion([output.root_motion for output in outputs], shares)
    notifies = tuple(event for output in counted for event in output.notifies)
    return PoseOutput(pose, motion, heaviest.playback, notifies)


def mixed_motion(motions: Sequence[Transform], shares: FloatArray) -> Transform:
    """Root motions, parts ``(3,)``, ``(4,)``, ``(3,)``, blended by shares ``(n,)``; the identity where all are 0."""
    if shares.sum() <= 0.0:
        return transform.IDENTITY
    used = [k for k in range(len(motions)) if shares[k] > 0.0]
    blended = poses.weighted([motions[k] for k in used], shares[used])
    return Transform(blended.translation, quat.normalise(blended.rotation), blended.scale)

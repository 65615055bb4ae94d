"""Additive clips: a clip's difference from its base at any times (spec: blending, Additive clips)."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from core.arrays import FloatArray
from core.clips.clip import Additive, AdditiveBase, AdditiveSpace, Clip
from core.clips.evaluator import ClipEvaluator
from core.clips.sampled import PoseBatch
from core.errors import MissingReferenceError, ValidationError
from core.ids import AssetId
from core.math.transform import Transform
from core.pose import additive as poses
from core.pose.proportions import pair_for, retargeted
from core.rig.rig import Rig
from core.rig.skeleton import Skeleton

DEFAULT = Additive(AdditiveSpace.LOCAL, AdditiveBase.REST)
"""What a clip that declares nothing is taken for where a difference is asked of it."""


@dataclass(frozen=True, slots=True, eq=False)
class Deltas:
    """Differences of a clip from its base at many times.

    Parameters
    ----------
    space : whether rotations are differences in local or in model space
    local : ``(T, B, k)``; the scale part is ``s / s_base − 1``
    curves, morphs : name → difference ``(T,)``
    """

    space: AdditiveSpace
    local: Transform
    curves: Mapping[str, FloatArray] = field(default_factory=dict)
    morphs: Mapping[str, FloatArray] = field(default_factory=dict)


class AdditiveSampler:
    """Gives a clip's pose, its base's pose and the difference at many times at once.

    Parameters
    ----------
    clips : where a base clip is looked up
    evaluator : the clip's, where there is one already
    declared : what the clip is taken for; its own declaration by default

    Raises
    ------
    MissingReferenceError
        The base clip is not there.
    ValidationError
        The base clip is for another rig.
    """

    def __init__(
        self,
        rig: Rig,
        clip: Clip,
        clips: Mapping[AssetId, Clip],
        evaluator: ClipEvaluator | None = None,
        declared: Additive | None = None,
    ) -> None:
        self.rig, self.clip = rig, clip
        self.declared = declared or clip.additive or DEFAULT
        self._own = evaluator or ClipEvaluator(rig, clip)
        self._base = self._own
        self._source = clip.retarget_source
        self._raw: AdditiveSampler | None = None
        base = self.declared.base_clip
        uses_clip = self.declared.base in (AdditiveBase.CLIP, AdditiveBase.FRAME)
        if uses_clip and base is not None and base != clip.id:
            found = clips.get(base)
            if found is None:
                raise MissingReferenceError(f"clip {clip.name!r}: its additive base clip is not there")
            if found.rig != clip.rig:
                raise ValidationError(
                    f"clip {clip.name!r}: its additive base {found.name!r} is for another rig"
                )
            self._base = ClipEvaluator(rig, found)
            self._source = found.retarget_source

    @property
    def own(self) -> ClipEvaluator:
        """The clip's evaluator."""
        return self._own

    @property
    def other(self) -> ClipEvaluator:
        """The evaluator of what it is the difference from, where that is a clip."""
        return self._base

    @property
    def brings_across(self) -> bool:
        """Whether clip or base were made on another rest pose."""
        return self._own.proportions is not None or self._base.proportions is not None

    def poses(self, times: npt.ArrayLike) -> PoseBatch:
        """The clip's own poses."""
        return self._own.sample_many(times, wrap=False)

    def base(self, times: npt.ArrayLike) -> PoseBatch:
        """Poses of the base at times of the clip: a clip frame by frame is scaled to the same length."""
        at = np.asarray(times, dtype=np.float64)
        kind = self.declared.base
        if kind is AdditiveBase.REST:
            rest = self.rig.skeleton.rest
            local = Transform(*(np.broadcast_to(part, (len(at), *part.shape)) for part in rest))
            return PoseBatch(self.rig.id, at, *local)
        if kind is AdditiveBase.CLIP:
            own, other = self.clip.length, self._base.clip.length
            return self._base.sample_many(at * (other / own) if own > 0.0 else np.zeros_like(at), wrap=False)
        moment = self.declared.base_time if kind is AdditiveBase.FRAME else 0.0
        return self._base.sample_many(np.full(len(at), moment), wrap=False)

    def deltas(self, times: npt.ArrayLike) -> Deltas:
        """Differences at times of the clip.

        Of a clip made on another rest pose the difference is brought across, as each bone's mode says
        of additive clips; where its base was made on yet another, both poses are.
        """
        if self.clip.retarget_source is None or self._source != self.clip.retarget_source:
            return difference(self.rig.skeleton, self.poses(times), self.base(times), self.declared.space)
        pair = pair_for(self.rig, self._source)
        assert pair is not None
        found = self._as_authored(pair.source).deltas(times)
        return replace(found, local=retargeted(pair, found.local, additive=True))

    def _as_authored(self, rest: Transform) -> "AdditiveSampler":
        """The same on a rig of the clip's own proportions."""
        if self._raw is None:
            rig = replace(self.rig, skeleton=replace(self.rig.skeleton, rest=rest), retarget_sources={})
            own, base = (replace(e.clip, retarget_source=None) for e in (self._own, self._base))
            declared = replace(self.declared, base_clip=base.id)
            self._raw = AdditiveSampler(rig, own, {base.id: base}, None, declared)
        return self._raw


def difference(skeleton: Skeleton, own: PoseBatch, base: PoseBatch, space: AdditiveSpace) -> Deltas:
    """What turns the base's poses into the clip's own, moment by moment."""
    if space is AdditiveSpace.MODEL:
        local = poses.difference_model(skeleton, own.local, base.local)
    else:
        local = poses.difference(own.local, base.local)
    return Deltas(space, local, _minus(own.curves, base.curves), _minus(own.morphs, base.morphs))


def put_on(
    skeleton: Skeleton,
    local: Transform,
    delta: Transform,
    space: AdditiveSpace,
    weight: npt.ArrayLike = 1.0,
) -> Transform:
    """Local transforms ``(..., B, k)`` with a difference put on.

    Parameters
    ----------
    weight : a number, or weights that broadcast over ``(..., B)``
    """
    if space is AdditiveSpace.MODEL:
        return poses.apply_model(skeleton, local, delta, weight)
    return poses.apply(local, delta, weight)


def _minus(own: Mapping[str, FloatArray], base: Mapping[str, FloatArray]) -> dict[str, FloatArray]:
    names = dict.fromkeys((*own, *base))
    return {name: np.asarray(own.get(name, 0.0)) - np.asarray(base.get(name, 0.0)) for name in names}

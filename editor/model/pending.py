"""The pending pose: changes not keyed yet while auto key is off. It survives scrubbing."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from types import MappingProxyType

import numpy as np

from core.clips.clip import Channel
from core.ids import AssetId
from core.math.transform import Transform
from core.pose.pose import Pose
from core.rig.rig import Rig
from editor.model.channels import split_weights
from editor.model.events import Event


class PendingPose:
    """Local transforms by bone, and weights of morphs and named curves, that lie over the sampled pose.

    They stay until they are keyed or dropped.

    Attributes
    ----------
    changed : which bones are pending, or how, differs
    """

    def __init__(self) -> None:
        self._rig: AssetId | None = None
        self._bones: Mapping[str, Transform] = MappingProxyType({})
        self._weights: Mapping[Channel, float] = MappingProxyType({})
        self.changed: Event[None] = Event()

    @property
    def bones(self) -> Mapping[str, Transform]:
        """Pending local transforms by bone name."""
        return self._bones

    @property
    def weights(self) -> Mapping[Channel, float]:
        """Pending values of morphs and named curves by channel."""
        return self._weights

    @property
    def rig(self) -> AssetId | None:
        """The rig they belong to, or None where nothing is pending."""
        return self._rig

    def __bool__(self) -> bool:
        return bool(self._bones or self._weights)

    def put(self, rig: Rig, pose: Pose, bones: Iterable[str]) -> None:
        """Make the bones of a pose pending, beside those that are already."""
        kept = dict(self._bones) if self._rig == rig.id else {}
        kept |= {bone: pose.bone(rig.skeleton.index(bone)) for bone in bones}
        self._set(rig.id, kept)

    def put_weights(self, rig: Rig, values: Mapping[Channel, float]) -> None:
        """Make weights pending, beside those that are already."""
        kept = dict(self._weights) if self._rig == rig.id else {}
        self._set(rig.id, dict(self._bones) if self._rig == rig.id else {}, kept | dict(values))

    def drop(self, bones: Iterable[str] | None = None) -> None:
        """Forget the bones given, or all there is."""
        if not self:
            return
        gone = set(self._bones if bones is None else bones)
        kept = {bone: value for bone, value in self._bones.items() if bone not in gone}
        weights = {} if bones is None else dict(self._weights)
        if len(kept) != len(self._bones) or len(weights) != len(self._weights):
            self._set(self._rig if kept or weights else None, kept, weights)

    def drop_weights(self, channels: Iterable[Channel]) -> None:
        """Forget the weights given."""
        gone = set(channels)
        weights = {channel: value for channel, value in self._weights.items() if channel not in gone}
        if len(weights) != len(self._weights):
            self._set(self._rig if self._bones or weights else None, dict(self._bones), weights)

    def kept(self) -> Callable[[], None]:
        """What is pending now, as a function that makes it so again."""
        rig, bones, weights = self._rig, dict(self._bones), dict(self._weights)
        return lambda: self._set(rig, bones, weights)

    def over(self, rig: Rig, pose: Pose) -> Pose:
        """The pose with the pending transforms laid over it."""
        if self._rig != rig.id or not self:
            return pose
        if self._weights:
            curves, morphs = split_weights(self._weights)
            pose = replace(pose, curves={**pose.curves, **curves}, morphs={**pose.morphs, **morphs})
        if not self._bones:
            return pose
        known = [(rig.skeleton.find(bone), value) for bone, value in self._bones.items()]
        places = [index for index, _ in known if index is not None]
        values = [value for index, value in known if index is not None]
        parts = []
        for number, whole in enumerate(pose.local):
            part = np.array(whole)
            if places:
                part[places] = np.stack([value[number] for value in values])
            parts.append(part)
        return pose.with_local(Transform(*parts))

    def _set(
        self, rig: AssetId | None, bones: dict[str, Transform], weights: dict[Channel, float] | None = None
    ) -> None:
        if weights is None:
            weights = dict(self._weights) if rig == self._rig else {}
        self._rig = rig
        self._bones, self._weights = MappingProxyType(bones), MappingProxyType(weights)
        self.changed.emit(None)

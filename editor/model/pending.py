"""The pending pose: changes not keyed yet while auto key is off. It survives scrubbing."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType

import numpy as np

from core.ids import AssetId
from core.math.transform import Transform
from core.pose.pose import Pose
from core.rig.rig import Rig
from editor.model.events import Event


class PendingPose:
    """Local transforms by bone that lie over the sampled pose until they are keyed or dropped.

    Attributes
    ----------
    changed : which bones are pending, or how, differs
    """

    def __init__(self) -> None:
        self._rig: AssetId | None = None
        self._bones: Mapping[str, Transform] = MappingProxyType({})
        self.changed: Event[None] = Event()

    @property
    def bones(self) -> Mapping[str, Transform]:
        """Pending local transforms by bone name."""
        return self._bones

    @property
    def rig(self) -> AssetId | None:
        """The rig they belong to, or None where nothing is pending."""
        return self._rig

    def __bool__(self) -> bool:
        return bool(self._bones)

    def put(self, rig: Rig, pose: Pose, bones: Iterable[str]) -> None:
        """Make the bones of a pose pending, beside those that are already."""
        kept = dict(self._bones) if self._rig == rig.id else {}
        kept |= {bone: pose.bone(rig.skeleton.index(bone)) for bone in bones}
        self._set(rig.id, kept)

    def drop(self, bones: Iterable[str] | None = None) -> None:
        """Forget the bones given, or all."""
        if not self._bones:
            return
        gone = set(self._bones if bones is None else bones)
        kept = {bone: value for bone, value in self._bones.items() if bone not in gone}
        if len(kept) != len(self._bones):
            self._set(self._rig if kept else None, kept)

    def over(self, rig: Rig, pose: Pose) -> Pose:
        """The pose with the pending transforms laid over it."""
        if self._rig != rig.id or not self._bones:
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

    def _set(self, rig: AssetId | None, bones: dict[str, Transform]) -> None:
        self._rig = rig
        self._bones = MappingProxyType(bones)
        self.changed.emit(None)

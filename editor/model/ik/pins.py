"""Pinned bones: what holds its place while other bones are posed. Part of the session, not of the file."""

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np

from core.ids import AssetId
from core.ik.body import PinKind, held
from core.pose.pose import Pose
from core.rig.rig import Rig
from core.rig.roles import Roles
from editor.model.events import Event

MOVED = 1e-12


class Pins:
    """Pins by bone, for the rig they were set on.

    Attributes
    ----------
    changed : which bones are pinned, or how
    """

    def __init__(self) -> None:
        self._rig: AssetId | None = None
        self._kinds: Mapping[str, PinKind] = MappingProxyType({})
        self.torn: Mapping[str, float] = MappingProxyType({})
        self.changed: Event[None] = Event()

    def kinds(self, rig: Rig | None) -> Mapping[str, PinKind]:
        """Pinned bones of a rig."""
        return self._kinds if rig is not None and rig.id == self._rig else MappingProxyType({})

    def put(self, rig: Rig, bones: Mapping[str, PinKind | None]) -> None:
        """Pin bones; those given None are unpinned."""
        kinds = dict(self.kinds(rig))
        for bone, kind in bones.items():
            if kind is None:
                kinds.pop(bone, None)
            else:
                kinds[bone] = kind
        if kinds != dict(self._kinds) or rig.id != self._rig:
            self._rig, self._kinds = rig.id, MappingProxyType(kinds)
            self.changed.emit(None)

    def clear(self) -> None:
        """Unpin all."""
        if self._kinds:
            self._rig, self._kinds, self.torn = None, MappingProxyType({}), MappingProxyType({})
            self.changed.emit(None)

    def hold(self, rig: Rig, roles: Roles, before: Pose, after: Pose) -> Pose:
        """`after` with the pinned bones where they are in `before`.

        A pinned bone that was itself moved is left where it was put.
        """
        kinds = {b: k for b, k in self.kinds(rig).items() if rig.skeleton.find(b) is not None}
        kinds = {b: k for b, k in kinds.items() if not _moved(before, after, rig.skeleton.index(b))}
        if not kinds or before is after:
            return after
        local, gaps = held(rig, roles, before.local, after.local, kinds)
        self.torn = MappingProxyType(gaps)
        return after if local is after.local else after.with_local(local)


def _moved(before: Pose, after: Pose, bone: int) -> bool:
    pairs = zip(before.local[:2], after.local[:2], strict=True)
    return any(bool(np.abs(a[bone] - b[bone]).max() > MOVED) for a, b in pairs)

"""Stable identities: assets are referred to by id, never by position or name."""

from collections.abc import Mapping
from typing import NamedTuple, NewType
from uuid import uuid4

AssetId = NewType("AssetId", str)
"""Identity of a rig, mesh, clip … inside a project, such as ``clip-3f0c9a1e5b7d``."""


def new_id(kind: str) -> AssetId:
    """Return a fresh id that starts with the asset's kind, for people who read files."""
    return AssetId(f"{kind}-{uuid4().hex[:12]}")


Targets = Mapping[AssetId, AssetId | None]
"""Where references are to lead instead: id → another id, or None where what it names is gone."""


class Reference(NamedTuple):
    """One asset's reference to another.

    Parameters
    ----------
    target : id of the asset referred to
    kind : the class that it must be of
    role : what it is to the one that refers to it, for messages ("rig", "base clip")
    """

    target: AssetId
    kind: type
    role: str


def redirected(target: AssetId, targets: Targets) -> AssetId | None:
    """Where a reference leads by `targets`: the same where they do not name it, None where it is gone."""
    return targets.get(target, target)

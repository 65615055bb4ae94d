"""Stable identities: assets are referred to by id, never by position or name."""

from typing import NewType
from uuid import uuid4

AssetId = NewType("AssetId", str)
"""Identity of a rig, mesh, clip … inside a project, such as ``clip-3f0c9a1e5b7d``."""


def new_id(kind: str) -> AssetId:
    """Return a fresh id that starts with the asset's kind, for people who read files."""
    return AssetId(f"{kind}-{uuid4().hex[:12]}")

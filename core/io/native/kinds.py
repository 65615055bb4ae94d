"""Every kind of asset that native files hold. A new kind is registered here, and nowhere else."""

from core.errors import UnsupportedError
from core.io.native import (
    blend_schema,
    clip_schema,
    graph_schema,
    media_schema,
    mesh_schema,
    montage_schema,
    notify_schema,
    play_schema,
    pose_schema,
    rig_schema,
    shot_schema,
)
from core.io.native.schema import AssetKind, Schema

PROJECT = Schema("posewright.project", 1)

KINDS: tuple[AssetKind, ...] = (
    rig_schema.KIND,
    mesh_schema.KIND,
    clip_schema.KIND,
    pose_schema.POSE,
    pose_schema.ASSET,
    blend_schema.SPACE,
    blend_schema.STACK,
    graph_schema.KIND,
    montage_schema.KIND,
    notify_schema.KIND,
    play_schema.KIND,
    shot_schema.CAMERA,
    shot_schema.PROP,
    shot_schema.CHARACTER,
    media_schema.AUDIO,
    media_schema.REFERENCE,
)


def kind_of(asset: object) -> AssetKind:
    """How an asset is stored; raises `UnsupportedError` for a type that is not registered."""
    for kind in KINDS:
        if type(asset) is kind.type:
            return kind
    raise UnsupportedError(f"assets of type {type(asset).__name__} cannot be saved")


def kind_named(name: str) -> AssetKind:
    """The kind of that word; raises `UnsupportedError` for one that this program does not know."""
    for kind in KINDS:
        if kind.kind == name:
            return kind
    raise UnsupportedError(
        f"it holds a {name[:40]!r}, which this version does not know: it was saved by a newer Posewright"
    )

"""Library poses and pose assets in native files."""

from core.ids import AssetId
from core.io.native.packs import PackReader, PackWriter, Ref
from core.io.native.schema import AssetKind, Document, Schema
from core.json_values import Value
from core.math.transform import Transform
from core.pose.library import LibraryPose, PoseAsset, PoseTarget


def _put(transform: Transform, packs: PackWriter) -> dict[str, Ref]:
    return {part: packs.put(getattr(transform, part)) for part in Transform._fields}


def _transform(value: Value, packs: PackReader) -> Transform:
    return Transform(*(packs.get(value.required(part)) for part in Transform._fields))


def _pose_to(pose: LibraryPose, packs: PackWriter) -> Document:
    return {
        "id": pose.id,
        "name": pose.name,
        "rig": pose.rig,
        "bones": list(pose.bones),
        "local": _put(pose.local, packs),
        "tags": list(pose.tags),
    }


def _pose_from(value: Value, packs: PackReader) -> LibraryPose:
    return LibraryPose(
        AssetId(value.text("id")),
        value.text("name"),
        AssetId(value.text("rig")),
        value.texts("bones"),
        _transform(value.object("local"), packs),
        value.texts("tags"),
    )


def _asset_to(asset: PoseAsset, packs: PackWriter) -> Document:
    return {
        "id": asset.id,
        "name": asset.name,
        "rig": asset.rig,
        "targets": [
            {"name": target.name, "bones": list(target.bones), "delta": _put(target.delta, packs)}
            for target in asset.targets
        ],
    }


def _asset_from(value: Value, packs: PackReader) -> PoseAsset:
    return PoseAsset(
        AssetId(value.text("id")),
        value.text("name"),
        AssetId(value.text("rig")),
        tuple(
            PoseTarget(row.text("name"), row.texts("bones"), _transform(row.object("delta"), packs))
            for row in value.objects("targets")
        ),
    )


POSE = AssetKind("pose", LibraryPose, Schema("posewright.pose", 1), _pose_to, _pose_from)
ASSET = AssetKind("pose_asset", PoseAsset, Schema("posewright.pose_asset", 1), _asset_to, _asset_from)

"""Rigs in native files."""

from dataclasses import asdict

from core.ids import AssetId
from core.io.native.packs import PackReader, PackWriter, Ref
from core.io.native.schema import AssetKind, Document, Schema
from core.math.transform import Transform
from core.rig.rig import JointLimit, LimitKind, MirrorSetup, RetargetMode, Rig, SourceFrame, VirtualBone
from core.rig.skeleton import Skeleton


def _put_transform(transform: Transform, packs: PackWriter) -> dict[str, Ref]:
    return {part: packs.put(getattr(transform, part)) for part in Transform._fields}


def _transform(refs: Document, packs: PackReader) -> Transform:
    return Transform(*(packs.get(refs[part]) for part in Transform._fields))


def _to_document(rig: Rig, packs: PackWriter) -> Document:
    skeleton = rig.skeleton
    return {
        "id": rig.id,
        "name": rig.name,
        "bones": list(skeleton.names),
        "parents": packs.put(skeleton.parents),
        "rest": _put_transform(skeleton.rest, packs),
        "euler_orders": packs.put(skeleton.euler_orders),
        "sources": packs.put(skeleton.sources),
        "mirror": {
            "axis": rig.mirror.axis,
            "axis_bones": list(rig.mirror.axis_bones),
            "pairs": [list(pair) for pair in rig.mirror.pairs],
        },
        "limits": {bone: {**asdict(limit), "axis": list(limit.axis)} for bone, limit in rig.limits.items()},
        "masks": {name: dict(weights) for name, weights in rig.masks.items()},
        "retarget_modes": {bone: str(mode) for bone, mode in rig.retarget_modes.items()},
        "retarget_sources": {name: _put_transform(t, packs) for name, t in rig.retarget_sources.items()},
        "virtual_bones": [asdict(bone) for bone in rig.virtual_bones],
        "bone_sets": {name: list(bones) for name, bones in rig.bone_sets.items()},
        "source": {
            "metres_per_unit": rig.source.metres_per_unit,
            "to_y_up": rig.source.to_y_up.tolist(),
        },
    }


def _from_document(document: Document, packs: PackReader) -> Rig:
    mirror, source = document["mirror"], document["source"]
    return Rig(
        AssetId(document["id"]),
        document["name"],
        Skeleton(
            tuple(document["bones"]),
            packs.get(document["parents"]),
            _transform(document["rest"], packs),
            packs.get(document["euler_orders"]),
            packs.get(document["sources"]),
        ),
        MirrorSetup(mirror["axis"], tuple(mirror["axis_bones"]), tuple((a, b) for a, b in mirror["pairs"])),
        {bone: _limit(values) for bone, values in document["limits"].items()},
        {name: dict(weights) for name, weights in document["masks"].items()},
        {bone: RetargetMode(mode) for bone, mode in document["retarget_modes"].items()},
        {name: _transform(refs, packs) for name, refs in document["retarget_sources"].items()},
        tuple(VirtualBone(**{**v, "offset": tuple(v["offset"])}) for v in document["virtual_bones"]),
        {name: tuple(bones) for name, bones in document["bone_sets"].items()},
        SourceFrame(source["metres_per_unit"], source["to_y_up"]),
    )


def _limit(values: Document) -> JointLimit:
    x, y, z = values["axis"]
    return JointLimit(
        LimitKind(values["kind"]), (x, y, z), values["minimum"], values["maximum"], values["cone"]
    )


KIND = AssetKind("rig", Rig, Schema("posewright.rig", 1), _to_document, _from_document)

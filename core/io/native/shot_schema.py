"""Cameras, props and second characters in native files."""

import numpy as np

from core.errors import ValidationError
from core.ids import AssetId
from core.io.native import clip_schema, mesh_schema
from core.io.native.packs import PackReader, PackWriter
from core.io.native.schema import AssetKind, Document, Schema
from core.json_values import Value
from core.math.transform import Transform
from core.shot.camera import ShotCamera
from core.shot.character import ShotCharacter
from core.shot.prop import Hold, Prop


def _put_transform(transform: Transform) -> Document:
    names = Transform._fields
    return {name: [float(v) for v in part] for name, part in zip(names, transform, strict=True)}


def _transform(value: Value) -> Transform:
    return Transform(
        np.array(value.floats("translation", 3)),
        np.array(value.floats("rotation", 4)),
        np.array(value.floats("scale", 3)),
    )


def _put_camera(camera: ShotCamera, packs: PackWriter) -> Document:
    return {
        "id": camera.id,
        "name": camera.name,
        "place": _put_transform(camera.place),
        "lens": camera.lens,
        "sensor": list(camera.sensor),
        "height": camera.height,
        "near": camera.near,
        "far": camera.far,
        "motion": clip_schema.KIND.to_document(camera.motion, packs),
    }


def _camera(value: Value, packs: PackReader) -> ShotCamera:
    across, down = value.floats("sensor", 2).tolist()
    try:
        return ShotCamera(
            AssetId(value.text("id")), value.text("name"), _transform(value.object("place")),
            value.number("lens", 35.0), (across, down),
            value.number("height", 1.0) if value.has("height") else None,
            clip_schema.KIND.from_document(value.object("motion"), packs),
            value.number("near", 0.05), value.number("far", 1000.0),
        )  # fmt: skip
    except ValidationError as error:
        raise value.error(str(error)) from None


def _put_prop(prop: Prop, packs: PackWriter) -> Document:
    return {
        "id": prop.id,
        "name": prop.name,
        "visible": prop.visible,
        "meshes": [mesh_schema.KIND.to_document(mesh, packs) for mesh in prop.meshes],
        "holds": [
            {"start": hold.start, "bone": hold.bone, "rig": hold.rig, "offset": _put_transform(hold.offset)}
            for hold in prop.holds
        ],
    }


def _prop(value: Value, packs: PackReader) -> Prop:
    try:
        return Prop(
            AssetId(value.text("id")), value.text("name"),
            tuple(mesh_schema.KIND.from_document(mesh, packs) for mesh in value.objects("meshes")),
            tuple(_hold(hold) for hold in value.objects("holds")),
            value.flag("visible"),
        )  # fmt: skip
    except ValidationError as error:
        raise value.error(str(error)) from None


def _hold(value: Value) -> Hold:
    bone = value.text("bone") if value.has("bone") else None
    rig = AssetId(value.text("rig")) if value.has("rig") else None
    return Hold(value.number("start", 0.0), _transform(value.object("offset")), bone, rig)


def _put_character(character: ShotCharacter, packs: PackWriter) -> Document:
    return {
        "id": character.id,
        "name": character.name,
        "file": character.file,
        "rig": character.rig,
        "clip": character.clip,
        "rig_name": character.rig_name,
        "clip_name": character.clip_name,
        "offset": character.offset,
        "place": _put_transform(character.place),
        "ghosted": character.ghosted,
        "visible": character.visible,
    }


def _character(value: Value, packs: PackReader) -> ShotCharacter:
    try:
        return ShotCharacter(
            AssetId(value.text("id")), value.text("name"), value.text("file", ""),
            AssetId(value.text("rig")) if value.has("rig") else None,
            AssetId(value.text("clip")) if value.has("clip") else None,
            value.text("rig_name", ""), value.text("clip_name", ""), value.number("offset", 0.0),
            _transform(value.object("place")), value.flag("ghosted"), value.flag("visible"),
        )  # fmt: skip
    except ValidationError as error:
        raise value.error(str(error)) from None


CAMERA = AssetKind("camera", ShotCamera, Schema("posewright.camera", 1), _put_camera, _camera)
PROP = AssetKind("prop", Prop, Schema("posewright.prop", 1), _put_prop, _prop)
CHARACTER = AssetKind(
    "shot_character", ShotCharacter, Schema("posewright.shot_character", 1), _put_character, _character
)

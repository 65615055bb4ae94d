"""Rigs in native files."""

from dataclasses import asdict

from core.errors import ValidationError
from core.ids import AssetId
from core.io.native.body_schema import body_plan, body_plan_document
from core.io.native.ik_schema import ik_document, ik_setup
from core.io.native.packs import PackReader, PackWriter, Ref
from core.io.native.schema import AssetKind, Document, Schema
from core.json_values import Value
from core.math.transform import Transform
from core.rig.rig import JointLimit, LimitKind, MirrorSetup, RetargetMode, Rig, SourceFrame, VirtualBone
from core.rig.roles import part_named
from core.rig.set_color import ORDER, SetColor
from core.rig.skeleton import Skeleton


def _put_transform(transform: Transform, packs: PackWriter) -> dict[str, Ref]:
    return {part: packs.put(getattr(transform, part)) for part in Transform._fields}


def _transform(value: Value, packs: PackReader) -> Transform:
    return Transform(*(packs.get(value.required(part)) for part in Transform._fields))


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
        "masks": {name: {"weights": dict(weights)} for name, weights in rig.masks.items()},
        "retarget_modes": {bone: str(mode) for bone, mode in rig.retarget_modes.items()},
        "retarget_sources": {name: _put_transform(t, packs) for name, t in rig.retarget_sources.items()},
        "virtual_bones": [asdict(bone) for bone in rig.virtual_bones],
        "bone_sets": {name: list(bones) for name, bones in rig.bone_sets.items()},
        "set_colors": {name: str(color) for name, color in rig.set_colors.items()},
        "source": {
            "metres_per_unit": rig.source.metres_per_unit,
            "to_y_up": rig.source.to_y_up.tolist(),
        },
        "ik_setups": [ik_document(setup) for setup in rig.ik_setups],
        "post_graph": rig.post_graph,
        "animation": rig.animation,
        "roles": dict(rig.roles),
        "body_plan": None if rig.body_plan is None else body_plan_document(rig.body_plan),
    }


def _from_document(value: Value, packs: PackReader) -> Rig:
    source = value.object("source")
    skeleton = Skeleton(
        value.texts("bones"),
        packs.get(value.required("parents")),
        _transform(value.object("rest"), packs),
        packs.get(value.required("euler_orders")),
        packs.get(value.required("sources")),
    )
    return Rig(
        AssetId(value.text("id")),
        value.text("name"),
        skeleton,
        _mirror(value.object("mirror")),
        {bone: _limit(limit) for bone, limit in value.mapping("limits").items()},
        {name: weights.numbers("weights") for name, weights in value.mapping("masks").items()},
        {
            bone: _mode(value.object("retarget_modes"), bone)
            for bone in value.object("retarget_modes").names()
        },
        {name: _transform(t, packs) for name, t in value.mapping("retarget_sources").items()},
        tuple(_virtual_bone(bone) for bone in value.objects("virtual_bones")),
        {name: value.object("bone_sets").texts(name) for name in value.object("bone_sets").names()},
        SourceFrame(source.number("metres_per_unit", 1.0), source.floats("to_y_up", 4)),
        tuple(ik_setup(setup) for setup in value.objects("ik_setups")),
        AssetId(value.text("post_graph")) if value.has("post_graph") else None,
        AssetId(value.text("animation")) if value.has("animation") else None,
        _roles(value.object("roles")),
        body_plan(value.object("body_plan"), skeleton) if value.has("body_plan") else None,
        _colors(value.object("set_colors")),
    )


def _colors(value: Value) -> dict[str, SetColor]:
    known = {str(color): color for color in SetColor}
    return {name: value.choice(name, known) for name in value.names()}


def _mirror(value: Value) -> MirrorSetup:
    pairs = []
    for number, pair in enumerate(value.items("pairs")):
        if not (isinstance(pair, list) and len(pair) == 2 and all(isinstance(name, str) for name in pair)):
            raise value.error(f"expected two names, got {str(pair)[:60]}", f"pairs[{number}]")
        pairs.append((pair[0], pair[1]))
    return MirrorSetup(value.integer("axis", below=3), value.texts("axis_bones"), tuple(pairs))


def _roles(value: Value) -> dict[str, str]:
    for part in value.names():
        try:
            part_named(part)
        except ValidationError as error:
            raise value.error(str(error), part[:60]) from None
    return {part: value.text(part) for part in value.names()}


def _mode(value: Value, bone: str) -> RetargetMode:
    return value.choice(bone, {str(mode): mode for mode in RetargetMode})


def _virtual_bone(value: Value) -> VirtualBone:
    x, y, z = value.floats("offset", 3).tolist()
    return VirtualBone(value.text("name"), value.text("source"), value.text("target"), (x, y, z))


def _limit(value: Value) -> JointLimit:
    x, y, z = value.floats("axis", 3).tolist()
    kind = value.choice("kind", {str(kind): kind for kind in LimitKind})
    minimum, maximum = value.number("minimum", 0.0), value.number("maximum", 0.0)
    return JointLimit(kind, (x, y, z), minimum, maximum, value.number("cone", 0.0))


def _with_ik(document: Document) -> Document:
    """Version 1 knew no IK set-ups."""
    return {**document, "ik_setups": []}


def _with_post_graph(document: Document) -> Document:
    """Version 2 knew no post-process graph."""
    return {**document, "post_graph": None}


def _with_animation(document: Document) -> Document:
    """Version 3 knew no animation mode."""
    return {**document, "animation": None}


def _with_roles(document: Document) -> Document:
    """Version 4 knew no parts of the body that a person chose."""
    return {**document, "roles": {}}


def _with_body_plan(document: Document) -> Document:
    """Version 5 knew no body plan."""
    return {**document, "body_plan": None}


def _with_set_colors(document: Document) -> Document:
    """Version 6 knew no colours of bone sets: each gets one, in turn."""
    names = list(document.get("bone_sets") or {})
    return {**document, "set_colors": {name: str(ORDER[k % len(ORDER)]) for k, name in enumerate(names)}}


SCHEMA = Schema(
    "posewright.rig",
    7,
    {
        1: _with_ik,
        2: _with_post_graph,
        3: _with_animation,
        4: _with_roles,
        5: _with_body_plan,
        6: _with_set_colors,
    },
)
KIND = AssetKind("rig", Rig, SCHEMA, _to_document, _from_document)

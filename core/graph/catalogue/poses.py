"""Pins and parameters of the pose nodes."""

from collections.abc import Callable

from core.blending.easing import EaseShape, EaseWay
from core.blending.layers import CurveRule
from core.clips.clip import AdditiveSpace
from core.graph.catalogue.pins import (
    MOST_PINS,
    POSE_OUT,
    Build,
    Form,
    Parameter,
    Pin,
    Shape,
    Surroundings,
    choice,
    number,
    plain,
    pose,
    truth,
    value,
)
from core.graph.graph import LINKED, Node, Role, SyncRole
from core.graph.language.values import BOOL, FLOAT, INT, NAME, QUATERNION, VECTOR, Kind, ValueType
from core.ids import AssetId
from core.rig.ik_setup import EndRotation, IkSpace

SYNC = (Parameter("group", Form.GROUP, ""), choice("role", SyncRole, SyncRole.CAN_LEAD))
ALPHA = (
    choice("alpha_by", ("number", "bool", "curve"), "number"),
    Parameter("alpha_curve", Form.CURVE, ""),
    number("fade_in", 0.2, 0.0),
    number("fade_out", 0.2, 0.0),
    number("alpha_scale", 1.0),
    number("alpha_bias", 0.0),
)
EASE = (
    choice("ease", EaseShape, EaseShape.LINEAR),
    choice("ease_way", EaseWay, EaseWay.IN_OUT),
    Parameter("ease_power", Form.WHOLE, 2, (), 2, 5),
    Parameter("ease_curve", Form.MAP, ""),
)


def _alpha(node: Node) -> tuple[Pin, ...]:
    by = node.parameters.get("alpha_by") or "number"
    if by == "curve":
        return ()
    return (value("alpha", BOOL, "true") if by == "bool" else value("alpha", FLOAT, "1"),)


def _alpha_parameters(node: Node) -> tuple[Parameter, ...]:
    by = node.parameters.get("alpha_by") or "number"
    unused = {"number": ("alpha_curve", "fade_in", "fade_out"), "bool": ("alpha_curve",)}
    left_out = unused.get(str(by), ("fade_in", "fade_out"))
    return tuple(p for p in ALPHA if p.name not in left_out)


def _count(node: Node, default: int, least: int = 1) -> int:
    found = node.parameters.get("count")
    return min(max(int(found), least), MOST_PINS) if isinstance(found, int | float) else default


def _modifier(inputs: tuple[Pin, ...], parameters: tuple[Parameter, ...]) -> Build:
    """A node that changes a pose by an alpha."""
    return lambda node, around: Shape(
        (*inputs, *_alpha(node)), POSE_OUT, (*parameters, *_alpha_parameters(node))
    )


def _axes(node: Node, around: Surroundings) -> tuple[Pin, ...]:
    space = around.spaces.get(AssetId(str(node.parameters.get("space") or "")))
    axes = space.axes if space is not None else ()
    return tuple(value("xy"[k], FLOAT, f"{axis.minimum:g}") for k, axis in enumerate(axes)) or (value("x"),)


def _space(node: Node, around: Surroundings) -> Shape:
    pins = (*_axes(node, around), value("rate", FLOAT, "1"))
    return Shape(pins, POSE_OUT, (Parameter("space", Form.SPACE), *SYNC))


def _aim(node: Node, around: Surroundings) -> Shape:
    pins = (pose("base"), *_axes(node, around), value("rate", FLOAT, "1"), *_alpha(node))
    return Shape(pins, POSE_OUT, (Parameter("space", Form.AIM), *_alpha_parameters(node)))


def _layered(node: Node, around: Surroundings) -> Shape:
    endings = ["" if k == 0 else f"_{k + 1}" for k in range(_count(node, 1))]
    pins = [pose("base")]
    parameters = [Parameter("count", Form.WHOLE, 1, (), 1, MOST_PINS)]
    for ending in endings:
        pins += [pose(f"layer{ending}"), value(f"weight{ending}", FLOAT, "1")]
        parameters += [Parameter(f"mask{ending}", Form.MASK, ""), Parameter(f"branches{ending}", Form.BONES)]
    parameters += [
        truth("model_rotations"),
        choice("curves", CurveRule, CurveRule.OVERRIDE),
        choice("root_motion", ("base", "weighted", "added"), "base"),
    ]
    return Shape(tuple(pins), POSE_OUT, tuple(parameters))


def _curve(node: Node, around: Surroundings) -> Shape:
    pins = [pose("pose"), value("value")]
    if node.parameters.get("way") == "remap":
        ends = (("from_low", "0"), ("from_high", "1"), ("to_low", "0"), ("to_high", "1"))
        pins += [value(name, FLOAT, text) for name, text in ends]
    way = choice("way", ("set", "add", "scale", "remap"), "set")
    return Shape(tuple(pins), POSE_OUT, (Parameter("curve", Form.CURVE, ""), way))


def _many(node: Node, around: Surroundings) -> Shape:
    count = _count(node, 2)
    pins = [pin for k in range(count) for pin in (pose(f"pose_{k}"), value(f"weight_{k}"))]
    return Shape(tuple(pins), POSE_OUT, (Parameter("count", Form.WHOLE, 2, (), 1, MOST_PINS),))


def _select(
    names: Callable[[Node, Surroundings], tuple[str, ...]], type_: ValueType, *own: Parameter
) -> Build:
    def build(node: Node, around: Surroundings) -> Shape:
        found, wanted = names(node, around), type_
        default = {Kind.BOOL: "false", Kind.INT: "0"}.get(type_.kind, f"'{found[0]}'" if found else "''")
        if type_.kind is Kind.ENUM:
            wanted = ValueType(Kind.ENUM, str(node.parameters.get("enum") or ""))
        times = [value(f"time_{name.removeprefix('pose_')}", FLOAT, "0.2") for name in found]
        pins = (value("value", wanted, default), *(pose(name) for name in found), *times)
        more = (Parameter("mask", Form.MASK, ""), truth("inertialise"), truth("reset"))
        return Shape(pins, POSE_OUT, (*own, *EASE, *more))

    return build


def _numbered(node: Node, around: Surroundings) -> tuple[str, ...]:
    return tuple(f"pose_{k}" for k in range(_count(node, 2)))


def _members(node: Node, around: Surroundings) -> tuple[str, ...]:
    return around.graph.enums.get(str(node.parameters.get("enum") or ""), ())[:MOST_PINS]


def _names(node: Node, around: Surroundings) -> tuple[str, ...]:
    names = node.parameters.get("names") or ()
    return tuple(str(name) for name in names)[:MOST_PINS] if isinstance(names, tuple) else ()


def _bone_part(name: str) -> tuple[Parameter, ...]:
    return (
        choice(f"{name}_way", ("ignore", "add", "replace"), "ignore"),
        choice(f"{name}_space", ("local", "model", "world"), "local"),
    )


def _transform_bone(node: Node, around: Surroundings) -> Shape:
    pins, parameters = [pose("pose")], [Parameter("bone", Form.BONE, "")]
    kinds = (
        ("translation", VECTOR, "vec(0, 0, 0)"),
        ("rotation", QUATERNION, "axis_angle(vec(0, 1, 0), 0)"),
        ("scale", VECTOR, "vec(1, 1, 1)"),
    )
    for name, type_, default in kinds:
        way, space = _bone_part(name)
        parameters.append(way)
        if node.parameters.get(way.name) not in (None, "ignore"):
            parameters.append(space)
            pins.append(value(name, type_, default))
    return Shape((*pins, *_alpha(node)), POSE_OUT, (*parameters, *_alpha_parameters(node)))


def _goal(pin: str) -> tuple[tuple[Pin, ...], tuple[Parameter, ...]]:
    pins = (value(pin, VECTOR, None), value(f"{pin}_rotation", QUATERNION, None))
    return pins, (choice(f"{pin}_space", IkSpace, IkSpace.MODEL), Parameter(f"{pin}_bone", Form.BONE, ""))


GOAL, GOAL_PARAMETERS = _goal("goal")
POLE, POLE_PARAMETERS = _goal("pole")


def _pose_asset(node: Node, around: Surroundings) -> Shape:
    asset = around.pose_assets.get(AssetId(str(node.parameters.get("asset") or "")))
    targets = asset.targets if asset is not None else ()
    pins = (pose("pose"), *(value(target.name, FLOAT, "0") for target in targets), *_alpha(node))
    own = (Parameter("asset", Form.POSES), truth("by_curves"))
    return Shape(pins, POSE_OUT, (*own, *_alpha_parameters(node)))


def _ragdoll(node: Node, around: Surroundings) -> Shape:
    pins = [pose("pose"), value("active", BOOL, "true"), value("strength"), value("blend", FLOAT, "1")]
    pins += [value("frequency", FLOAT, "6"), value("root_strength"), value("gravity", FLOAT, "1")]
    parameters = [
        choice("character", ("body", "incoming", "stays"), "body"),
        Parameter("count", Form.WHOLE, 0, (), 0, MOST_PINS),
    ]
    for k in range(_count(node, 0, 0)):
        pins += [value(f"strength_{k + 1}", FLOAT, "1"), value(f"blend_{k + 1}", FLOAT, "1")]
        parameters += [Parameter(f"mask_{k + 1}", Form.MASK, ""), Parameter(f"branches_{k + 1}", Form.BONES)]
    return Shape(tuple(pins), POSE_OUT, tuple(parameters))


def _root_motion(node: Node, around: Surroundings) -> Shape:
    pins = [pose("pose"), value("keep", BOOL, "true"), value("scale", FLOAT, "1"), value("turn")]
    if node.parameters.get("replace"):
        pins += [value("velocity", VECTOR, "vec(0, 0, 0)"), value("spin")]
    return Shape(tuple(pins), POSE_OUT, (truth("replace"),))


def pose_input_name(node: Node) -> str:
    """The pin of a linking node that gives a pose input its pose."""
    return str(node.parameters.get("input") or "pose")


def _linked(node: Node, around: Surroundings) -> Shape:
    graph = around.graphs.get(AssetId(str(node.parameters.get(LINKED) or "")))
    poses: dict[str, None] = {}
    pins: list[Pin] = []
    if graph is not None:
        for sheet in graph.sheets:
            poses.update(dict.fromkeys(pose_input_name(found) for found in sheet.of_kind("pose_input")))
        for variable in graph.variables:
            if variable.role is not Role.OWN:
                type_ = ValueType(variable.kind, variable.enum if variable.kind is Kind.ENUM else "")
                pins.append(value(variable.name, type_, None))
    if node.parameters.get("slot"):  # its host fills it; without a graph its pose passes through
        poses.setdefault("pose", None)
        pins.append(value("seconds", FLOAT, "0.2"))
    parameters = (Parameter(LINKED, Form.GRAPH), Parameter("slot", Form.TEXT, ""))
    return Shape((*(pose(name) for name in poses), *pins), POSE_OUT, parameters)


POSES: dict[str, Build] = {
    "output": plain((pose("pose"),), ()),
    "rest": plain(),
    "clip": plain(
        (value("rate", FLOAT, "1"), value("start"), value("clip_name", NAME, None)),
        parameters=(
            Parameter("clip", Form.CLIP), truth("loop", True), truth("keep_time"), truth("mirror"), *SYNC,
        ),
    ),
    "blend_space": _space,
    "blend": plain((pose("a"), pose("b"), value("alpha"))),
    "blend_many": _many,
    "blend_by_bool": _select(lambda node, around: ("true", "false"), BOOL),
    "blend_by_int": _select(
        _numbered, INT, Parameter("count", Form.WHOLE, 2, (), 1, MOST_PINS),
        Parameter("default", Form.WHOLE, 0, (), 0, MOST_PINS - 1),
    ),
    "blend_by_enum": _select(_members, ValueType(Kind.ENUM), Parameter("enum", Form.ENUM, "")),
    "blend_by_name": _select(
        _names, NAME, Parameter("names", Form.TEXTS), Parameter("default", Form.WHOLE, 0, (), 0, MOST_PINS - 1)
    ),
    "layered": _layered,
    "apply_additive": _modifier(
        (pose("base"), pose("additive")), (choice("space", ("", *AdditiveSpace), ""),)
    ),
    "make_additive": plain(
        (pose("pose"), pose("base")), parameters=(choice("space", AdditiveSpace, AdditiveSpace.LOCAL),)
    ),
    "aim_offset": _aim,
    "machine": plain(parameters=(Parameter("sheet", Form.SHEET),)),
    "slot": plain(
        (pose("source"),),
        parameters=(
            Parameter("slot", Form.SLOT, ""), choice("curves", CurveRule, CurveRule.BLEND),
            truth("always_update"),
        ),
    ),
    "save_pose": plain((pose("pose"),), parameters=(Parameter("name", Form.TEXT, ""),)),
    "use_pose": plain(parameters=(Parameter("name", Form.SAVED, ""),)),
    "snapshot": plain(parameters=(Parameter("snapshot", Form.SNAPSHOT, ""),)),
    "pose_input": plain(parameters=(Parameter("input", Form.TEXT, ""),)),
    "pose_asset": _pose_asset,
    "linked_graph": _linked,
    "inertialise": plain(
        (pose("pose"), value("request", BOOL, "false"), value("seconds", FLOAT, "0.2")),
        parameters=(
            Parameter("mask", Form.MASK, ""), Parameter("branches", Form.BONES),
            Parameter("bones_out", Form.BONES), Parameter("curves_out", Form.CURVES),
        ),
    ),
    "modify_curve": _curve,
    "transform_bone": _transform_bone,
    "copy_bone": _modifier(
        (pose("pose"),),
        (
            Parameter("source", Form.BONE, ""), Parameter("bone", Form.BONE, ""),
            choice("space", ("local", "model"), "model"),
            truth("translation", True), truth("rotation", True), truth("scale"),
        ),
    ),
    "two_bone_ik": _modifier(
        (pose("pose"), *GOAL, *POLE),
        (
            Parameter("bone", Form.BONE, ""), *GOAL_PARAMETERS, *POLE_PARAMETERS,
            choice("end_rotation", EndRotation, EndRotation.MODEL), number("soft", 0.0, 0.0, 0.99),
            number("stretch_start", 1.0, 0.01, 10.0), number("stretch_limit", 1.0, 1.0, 10.0),
        ),
    ),
    "chain_ik": _modifier(
        (pose("pose"), *GOAL, *POLE),
        (
            Parameter("setup", Form.SETUP, ""), Parameter("root", Form.BONE, ""), Parameter("tip", Form.BONE, ""),
            *GOAL_PARAMETERS, *POLE_PARAMETERS, choice("solver", ("ccd", "fabrik"), "ccd"),
            Parameter("iterations", Form.WHOLE, 20, (), 1, 200), number("tolerance", 1e-3, 1e-9, 1.0),
            truth("use_limits", True),
        ),
    ),
    "look_at": _modifier(
        (pose("pose"), *GOAL),
        (
            Parameter("bone", Form.BONE, ""), *GOAL_PARAMETERS, Parameter("axis", Form.NUMBERS),
            Parameter("up_axis", Form.NUMBERS), number("limit", 180.0, 0.0, 180.0),
        ),
    ),
    "foot_placement": _modifier(
        (pose("pose"),),
        (
            number("pelvis_down", 15.0, 0.0, 1e3), number("pelvis_up", 10.0, 0.0, 1e3),
            number("foot_down", 30.0, 0.0, 1e3), number("foot_up", 15.0, 0.0, 1e3),
            number("turn_half", 0.1, 1e-3, 1e3), number("ankle", 40.0, 0.0, 89.0),
        ),
    ),
    "plant_feet": _modifier(
        (pose("pose"), value("hold", FLOAT, "1"), value("follow", FLOAT, "1")),
        (
            Parameter("contacts", Form.TEXT, "contact"), Parameter("feet", Form.TEXT, "ik"),
            number("free_half", 0.06, 1e-3, 10.0), number("foot_half", 0.03, 1e-3, 10.0),
            number("hips_half", 0.06, 1e-3, 10.0), number("turn_half", 0.06, 1e-3, 10.0),
            number("ahead", 0.06, 0.0, 1.0), number("ankle", 40.0, 0.0, 89.0),
        ),
    ),
    "stride_warp": _modifier(
        (pose("pose"), value("stride", FLOAT, "1"), value("direction"), value("turn")), ()
    ),
    "mirror": plain((pose("pose"), value("on", BOOL, "true"))),
    "root_motion": _root_motion,
    "ragdoll": _ragdoll,
    "get_up": plain(
        (value("rate", FLOAT, "1"),), POSE_OUT,
        (Parameter("clips", Form.TEXTS), truth("move_character", True)),
    ),
}  # fmt: skip

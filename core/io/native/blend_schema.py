"""Blend spaces and layer stacks in native files."""

from core.blending.blend_space import BlendSpace, MotionRule, Smoothing, SpaceAxis, SpaceKind, SpaceSample
from core.blending.layer_stack import ClipLayer, LayerMode, LayerStack
from core.blending.layers import BranchFilter, CurveRule
from core.ids import AssetId
from core.io.native.clip_schema import put_track, scalar_from
from core.io.native.packs import PackReader, PackWriter
from core.io.native.schema import AssetKind, Document, Schema
from core.json_values import Value


def _space_to(space: BlendSpace, packs: PackWriter) -> Document:
    return {
        "id": space.id,
        "name": space.name,
        "rig": space.rig,
        "kind": str(space.kind),
        "axes": [
            {
                "name": axis.name,
                "minimum": axis.minimum,
                "maximum": axis.maximum,
                "divisions": axis.divisions,
                "snap": axis.snap,
                "wrap": axis.wrap,
                "smoothing": str(axis.smoothing),
                "smoothing_time": axis.smoothing_time,
                "unit": axis.unit,
            }
            for axis in space.axes
        ],
        "samples": [{"clip": s.clip, "place": list(s.place), "rate": s.rate} for s in space.samples],
        "aim_offset": space.aim_offset,
        "base_clip": space.base_clip,
        "sync": space.sync,
        "weight_speed": space.weight_speed,
        "root_motion": str(space.root_motion),
        "notifies": str(space.notifies),
    }


def _space_from(value: Value, packs: PackReader) -> BlendSpace:
    rules = {str(rule): rule for rule in MotionRule}
    return BlendSpace(
        AssetId(value.text("id")),
        value.text("name"),
        AssetId(value.text("rig")),
        tuple(_axis(axis) for axis in value.objects("axes")),
        tuple(
            SpaceSample(
                AssetId(s.text("clip")),
                tuple(float(x) for x in s.floats("place", None)),
                s.number("rate", 1.0),
            )
            for s in value.objects("samples")
        ),
        value.choice("kind", {str(kind): kind for kind in SpaceKind}),
        value.flag("aim_offset"),
        AssetId(value.text("base_clip")) if value.has("base_clip") else None,
        value.flag("sync"),
        value.number("weight_speed", 0.0),
        value.choice("root_motion", rules),
        value.choice("notifies", rules),
    )


def _axis(value: Value) -> SpaceAxis:
    return SpaceAxis(
        value.text("name"),
        value.number("minimum", 0.0),
        value.number("maximum", 1.0),
        value.integer("divisions", least=1),
        value.flag("snap"),
        value.flag("wrap"),
        value.choice("smoothing", {str(kind): kind for kind in Smoothing}),
        value.number("smoothing_time", 0.0),
        value.text("unit", ""),
    )


def _stack_to(stack: LayerStack, packs: PackWriter) -> Document:
    return {
        "id": stack.id,
        "name": stack.name,
        "rig": stack.rig,
        "clip": stack.clip,
        "model_rotations": stack.model_rotations,
        "curves": str(stack.curves),
        "layers": [
            {
                "name": layer.name,
                "clip": layer.clip,
                "mode": str(layer.mode),
                "weight": layer.weight,
                "curve": None if layer.curve is None else put_track(layer.curve, packs),
                "mask": layer.mask,
                "branches": [{"bone": b.bone, "depth": b.depth} for b in layer.branches],
                "muted": layer.muted,
                "solo": layer.solo,
                "stretch": layer.stretch,
                "keyed": layer.keyed,
                "own": layer.own,
            }
            for layer in stack.layers
        ],
    }


def _stack_from(value: Value, packs: PackReader) -> LayerStack:
    return LayerStack(
        AssetId(value.text("id")),
        value.text("name"),
        AssetId(value.text("rig")),
        AssetId(value.text("clip")),
        tuple(_layer(layer, packs) for layer in value.objects("layers")),
        value.flag("model_rotations"),
        value.choice("curves", {str(rule): rule for rule in CurveRule}),
    )


def _layer(value: Value, packs: PackReader) -> ClipLayer:
    return ClipLayer(
        value.text("name"),
        AssetId(value.text("clip")),
        value.choice("mode", {str(mode): mode for mode in LayerMode}),
        value.number("weight", 1.0),
        scalar_from(value.object("curve"), packs) if value.has("curve") else None,
        value.text("mask") if value.has("mask") else None,
        tuple(BranchFilter(b.text("bone"), b.integer("depth", least=-1)) for b in value.objects("branches")),
        value.flag("muted"),
        value.flag("solo"),
        value.flag("stretch"),
        value.flag("keyed"),
        value.flag("own"),
    )


def _second(document: Document) -> Document:
    """Version 2: layers whose keys alone count, and clips that belong to their layer; there were none."""
    layers = document.get("layers")
    if isinstance(layers, list):
        document["layers"] = [
            {**layer, "keyed": False, "own": False} if isinstance(layer, dict) else layer for layer in layers
        ]
    return document


SPACE = AssetKind("blend_space", BlendSpace, Schema("posewright.blend_space", 1), _space_to, _space_from)
STACK = AssetKind(
    "layer_stack", LayerStack, Schema("posewright.layer_stack", 2, {1: _second}), _stack_to, _stack_from
)

"""Animation graphs in native files: nodes by id, one an entry, and the canvas's layout apart, so that edits merge."""

from typing import Any

from core.blending.easing import EaseShape, EaseWay, Easing
from core.graph.graph import (
    Blend,
    BlendKind,
    Graph,
    Interrupt,
    InterruptBy,
    Link,
    Node,
    NodeId,
    ParameterValue,
    Role,
    Sheet,
    SheetKind,
    SyncSetting,
    TargetStart,
    Tempo,
    Transition,
    Variable,
)
from core.graph.language.values import Kind
from core.ids import AssetId
from core.io.native.clip_schema import put_track, scalar_from
from core.io.native.packs import PackReader, PackWriter
from core.io.native.schema import AssetKind, Document, Schema
from core.json_values import Value


def _to(graph: Graph, packs: PackWriter) -> Document:
    return {
        "id": graph.id,
        "name": graph.name,
        "rig": graph.rig,
        "variables": [variable_to(variable) for variable in graph.variables],
        "enums": {name: list(members) for name, members in graph.enums.items()},
        "maps": {name: put_track(track, packs) for name, track in graph.maps.items()},
        "slots": list(graph.slots),
        "sheets": [sheet_to(sheet) for sheet in graph.sheets],
        "sync_groups": [{"name": group.name, "tempo": str(group.tempo)} for group in graph.sync_groups],
        "layout": dict(graph.layout),
    }


def variable_to(variable: Variable) -> Document:
    return {
        "name": variable.name,
        "kind": str(variable.kind),
        "default": list(variable.default),
        "minimum": variable.minimum,
        "maximum": variable.maximum,
        "unit": variable.unit,
        "role": str(variable.role),
        "enum": variable.enum,
        "buffer": variable.buffer,
    }


def sheet_to(sheet: Sheet) -> Document:
    return {
        "id": sheet.id,
        "name": sheet.name,
        "kind": str(sheet.kind),
        "nodes": [
            {
                "id": node.id,
                "kind": node.kind,
                "name": node.name,
                "parameters": {
                    key: list(value) if isinstance(value, tuple) else value
                    for key, value in node.parameters.items()
                },
                "literals": dict(node.literals),
            }
            for node in sheet.nodes
        ],
        "links": [
            {"source": link.source, "output": link.output, "target": link.target, "pin": link.pin}
            for link in sheet.links
        ],
        "transitions": [_transition_to(transition) for transition in sheet.transitions],
    }


def _transition_to(transition: Transition) -> Document:
    return {
        "id": transition.id,
        "source": transition.source,
        "target": transition.target,
        "rule": transition.rule,
        "automatic": transition.automatic,
        "priority": transition.priority,
        "min_time": transition.min_time,
        "reentry_time": transition.reentry_time,
        "interrupt": str(transition.interrupt),
        "interrupt_by": str(transition.interrupt_by),
        "player": transition.player,
        "seconds": transition.blend.seconds,
        "blend": str(transition.blend.kind),
        "ease": put_easing(transition.blend.easing),
        "profile": transition.blend.profile,
        "sheet": transition.blend.sheet,
        "start": str(transition.start),
        "start_at": transition.start_at,
    }


def put_easing(easing: Easing) -> Document:
    """An easing as plain values."""
    return {
        "shape": str(easing.shape),
        "way": str(easing.way),
        "power": easing.power,
        "curve": easing.curve,
    }


def _from(value: Value, packs: PackReader) -> Graph:
    enums, maps = value.object("enums"), value.object("maps")
    return Graph(
        AssetId(value.text("id")),
        value.text("name"),
        AssetId(value.text("rig")),
        tuple(variable_from(variable) for variable in value.objects("variables")),
        {name: _texts(enums, name) for name in enums.data},
        {name: scalar_from(maps.object(name), packs) for name in maps.data},
        _texts(value, "slots"),
        tuple(sheet_from(sheet) for sheet in value.objects("sheets")),
        tuple(
            SyncSetting(group.text("name"), group.choice("tempo", {str(tempo): tempo for tempo in Tempo}))
            for group in value.objects("sync_groups")
        ),
        value.object("layout").data,
    )


def _texts(value: Value, key: str) -> tuple[str, ...]:
    items = value.items(key)
    if not all(isinstance(item, str) for item in items):
        raise value.error("expected a list of texts", key)
    return tuple(items)


def variable_from(value: Value) -> Variable:
    return Variable(
        value.text("name"),
        value.choice("kind", {str(kind): kind for kind in Kind}),
        tuple(float(x) for x in value.floats("default", None)),
        value.number("minimum", -1e12),
        value.number("maximum", 1e12),
        value.text("unit", ""),
        value.choice("role", {str(role): role for role in Role}),
        value.text("enum", ""),
        value.number("buffer", 0.0),
    )


def sheet_from(value: Value) -> Sheet:
    return Sheet(
        NodeId(value.text("id")),
        value.text("name"),
        value.choice("kind", {str(kind): kind for kind in SheetKind}),
        tuple(_node(node) for node in value.objects("nodes")),
        tuple(
            Link(
                NodeId(link.text("source")),
                NodeId(link.text("target")),
                link.text("pin"),
                link.text("output", "out"),
            )
            for link in value.objects("links")
        ),
        tuple(_transition(transition) for transition in value.objects("transitions")),
    )


def _node(value: Value) -> Node:
    parameters, literals = value.object("parameters"), value.object("literals")
    return Node(
        NodeId(value.text("id")),
        value.text("kind"),
        {key: _parameter(parameters, key) for key in parameters.data},
        {pin: literals.text(pin) for pin in literals.data},
        value.text("name", ""),
    )


def _parameter(value: Value, key: str) -> ParameterValue:
    data: Any = value.data[key]
    if isinstance(data, list):
        return tuple(item if isinstance(item, str) else value.number_of(item, key) for item in data)
    if data is None or isinstance(data, str | bool | int | float):
        return data
    raise value.error("expected a number, a text, a truth or a list of these", key)


def easing_from(value: Value) -> Easing:
    """An easing from the values of `put_easing`."""
    return Easing(
        value.choice("shape", {str(shape): shape for shape in EaseShape}),
        value.choice("way", {str(way): way for way in EaseWay}),
        value.integer("power", 2),
        value.text("curve") if value.has("curve") else None,
    )


def _transition(value: Value) -> Transition:
    return Transition(
        NodeId(value.text("id")),
        NodeId(value.text("source")),
        NodeId(value.text("target")),
        value.text("rule", ""),
        value.number("automatic", 0.0) if value.has("automatic") else None,
        value.integer("priority", 0, least=-1_000_000),
        value.number("min_time", 0.0),
        value.number("reentry_time", 0.0),
        value.choice("interrupt", {str(rule): rule for rule in Interrupt}),
        Blend(
            value.text("seconds", "0.2"),
            easing_from(value.object("ease")),
            value.choice("blend", {str(kind): kind for kind in BlendKind}),
            value.text("profile", ""),
            value.text("sheet", ""),
        ),
        value.choice("interrupt_by", {str(by): by for by in InterruptBy}),
        value.text("player", ""),
        value.choice("start", {str(start): start for start in TargetStart}),
        value.number("start_at", 0.0),
    )


def _second(document: Document) -> Document:
    """Version 1 had neither sync groups nor interruption by the source's transitions."""
    return _with_transitions(document, {"interrupt_by": str(InterruptBy.TARGET)})


def _third(document: Document) -> Document:
    """Version 2 had neither profiles nor custom blends, and targets began as their state says."""
    return _with_transitions(document, {"profile": "", "sheet": "", "start": str(TargetStart.STATE)})


def _with_transitions(document: Document, added: Document) -> Document:
    """A document with members added to each transition."""
    sheets = [
        {**sheet, "transitions": [{**transition, **added} for transition in sheet.get("transitions", ())]}
        for sheet in document.get("sheets", ())
    ]
    return {**document, "sheets": sheets}


KIND = AssetKind("graph", Graph, Schema("posewright.graph", 3, {1: _second, 2: _third}), _to, _from)

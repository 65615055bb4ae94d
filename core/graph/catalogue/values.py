"""Pins and parameters of value nodes, and of the nodes of update sheets."""

from collections.abc import Mapping

from core.graph.catalogue.pins import (
    Build,
    Form,
    Parameter,
    Pin,
    PinKind,
    Shape,
    Surroundings,
    plain,
    truth,
    value,
)
from core.graph.commands import Do
from core.graph.graph import Graph, Node
from core.graph.language.functions import FUNCTIONS
from core.graph.language.values import BOOL, FLOAT, INT, NAME, QUATERNION, VECTOR, Kind, ValueType, resting


def _result(type_: ValueType | None) -> tuple[Pin, ...]:
    return (Pin("out", PinKind.VALUE, type_),)


def variable_type(graph: Graph, name: str) -> ValueType | None:
    """The type of a variable; None where there is none."""
    found = next((v for v in graph.variables if v.name == name), None)
    if found is None:
        return None
    return ValueType(found.kind, found.enum if found.kind is Kind.ENUM else "")


def _get(node: Node, around: Surroundings) -> Shape:
    name = str(node.parameters.get("variable") or "")
    return Shape((), _result(variable_type(around.graph, name)), (Parameter("variable", Form.VARIABLE, ""),))


def _expression(node: Node, around: Surroundings) -> Shape:
    names = [pin for pin in around.wired if pin.isidentifier() and pin != "value"]
    letters = [letter for letter in "abcdefgh" if letter not in names]
    pins = tuple(Pin(name, PinKind.VALUE, None, None) for name in (*names, *letters[:1]))
    return Shape((value("value", None, "0"), *pins), _result(None))


_RESULTS: Mapping[str, ValueType] = {
    **dict.fromkeys(("rose", "fell", "hysteresis"), BOOL),
    **dict.fromkeys(("floor", "ceil", "round", "count"), INT),
    **dict.fromkeys(("vec", "cross", "normalise", "rotate", "ground_normal"), VECTOR),
    "axis_angle": QUATERNION,
}
_ANY_RESULT = ("if", "min", "max", "clamp", "lerp", "previous", "delta", "rate", "latch")


def _function(node: Node, around: Surroundings) -> Shape:
    name = str(node.parameters.get("function") or "")
    function = FUNCTIONS.get(name)
    parameters = (Parameter("function", Form.FUNCTION, ""),)
    if function is None:
        return Shape((), _result(None), parameters)
    pins = tuple(
        value(pin, type_, resting(type_))
        for pin, type_ in zip(function.parameters, function.types, strict=True)
    )
    return Shape(pins, _result(None if name in _ANY_RESULT else _RESULTS.get(name, FLOAT)), parameters)


THEN = Pin("then", PinKind.THEN)
WHEN = value("when", BOOL, None)


def _start(*parameters: Parameter) -> Build:
    return plain((), (THEN,), parameters)


def _action(*parameters: Parameter, pins: tuple[Pin, ...] = ()) -> Build:
    return plain((THEN, *pins, WHEN), (THEN,), parameters)


def _set(node: Node, around: Surroundings) -> Shape:
    type_ = variable_type(around.graph, str(node.parameters.get("variable") or ""))
    default = resting(type_)
    if type_ is not None and type_.kind is Kind.ENUM:
        default = f"'{(around.graph.enums.get(type_.enum) or ('',))[0]}'"
    elif type_ == NAME:
        default = "''"
    pins = (THEN, value("value", type_, default), WHEN)
    return Shape(pins, (THEN,), (Parameter("variable", Form.VARIABLE, ""),))


MONTAGE = (
    Parameter("montage", Form.MONTAGE, ""),
    Parameter("section", Form.SECTION, ""),
    Parameter("to", Form.SECTION, ""),
    Parameter("at", Form.NUMBER, None, (), 0.0),
    Parameter("seconds", Form.NUMBER, None, (), 0.0),
    truth("stop_group", True),
)
TO_STATE = (Parameter("machine", Form.MACHINE, ""), Parameter("state", Form.STATE, ""))

VALUES: dict[str, Build] = {"expression": _expression, "function": _function, "get": _get}

UPDATE: dict[str, Build] = {
    "on_start": _start(),
    "on_step": _start(),
    "on_event": _start(Parameter("event", Form.EVENT, "")),
    "on_changed": _start(Parameter("variable", Form.VARIABLE, "")),
    "set": _set,
    "emit_event": _action(Parameter("event", Form.EVENT, "")),
    "go": _action(*TO_STATE),
    "travel": _action(*TO_STATE),
    "save_snapshot": _action(Parameter("snapshot", Form.SNAPSHOT, "")),
    "request_inertialise": _action(Parameter("target", Form.INERTIALISER, "")),
    "play_clip": _action(
        Parameter("clip", Form.CLIP),
        Parameter("slot", Form.SLOT, ""),
        truth("stop_group", True),
        pins=(
            value("rate", FLOAT, "1"),
            value("in", FLOAT, "0.25"),
            value("out", FLOAT, "0.25"),
            value("loops", FLOAT, "1"),
        ),
    ),
    **{
        f"{do}_montage": _action(*MONTAGE, pins=(value("rate", FLOAT, "1"),))
        for do in Do
        if do not in (Do.GO, Do.TRAVEL, Do.PLAY_CLIP)
    },
}

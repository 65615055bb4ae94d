"""What pins and parameters are, and short ways to tell them."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from core.blending.blend_space import BlendSpace
from core.graph.graph import Graph, Node
from core.graph.language.values import FLOAT, ValueType
from core.ids import AssetId
from core.pose.library import PoseAsset

MOST_PINS = 64


class PinKind(StrEnum):
    """What goes through a pin."""

    POSE = "pose"
    VALUE = "value"
    THEN = "then"


@dataclass(frozen=True, slots=True)
class Pin:
    """An input or output of a node.

    Parameters
    ----------
    kind : what goes through it
    type : of a value; None for one that takes or gives any
    default : what an input without wire and literal holds; None where it then has no value at all
    """

    name: str
    kind: PinKind = PinKind.POSE
    type: ValueType | None = None
    default: str | None = None


class Form(StrEnum):
    """What a parameter may be."""

    TEXT = "text"
    NUMBER = "number"
    WHOLE = "whole"
    TRUTH = "truth"
    CHOICE = "choice"
    TEXTS = "texts"
    NUMBERS = "numbers"
    CLIP = "clip"
    SPACE = "space"
    AIM = "aim"
    POSES = "poses"
    GRAPH = "graph"
    BONE = "bone"
    BONES = "bones"
    MASK = "mask"
    SLOT = "slot"
    CURVE = "curve"
    CURVES = "curves"
    MAP = "map"
    VARIABLE = "variable"
    ENUM = "enum"
    MONTAGE = "montage"
    SECTION = "section"
    MACHINE = "machine"
    STATE = "state"
    STATES = "states"
    EVENT = "event"
    SHEET = "sheet"
    SETUP = "setup"
    FUNCTION = "function"
    GROUP = "group"
    SNAPSHOT = "snapshot"
    SAVED = "saved"
    INERTIALISER = "inertialiser"


ASSET_FORMS = frozenset({Form.CLIP, Form.SPACE, Form.AIM, Form.POSES, Form.GRAPH})
"""Forms of parameters that hold the id of an asset."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """Something about a node that is fixed when the graph is compiled.

    Parameters
    ----------
    default : what it is where the node does not say
    choices : of form `CHOICE`
    least, most : bounds of a number
    """

    name: str
    form: Form = Form.TEXT
    default: str | float | bool | None = None
    choices: tuple[str, ...] = ()
    least: float = -1e6
    most: float = 1e6


@dataclass(frozen=True, slots=True)
class Shape:
    """Pins and parameters of one node."""

    inputs: tuple[Pin, ...] = ()
    outputs: tuple[Pin, ...] = ()
    parameters: tuple[Parameter, ...] = ()

    def input(self, name: str) -> Pin | None:
        """An input by name."""
        return next((pin for pin in self.inputs if pin.name == name), None)


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What the pins of a node can depend on beside itself.

    Parameters
    ----------
    spaces, pose_assets, graphs : assets of the project by id
    wired : pins of the node that wires end at, for nodes with pins of their own naming
    """

    graph: Graph
    spaces: Mapping[AssetId, BlendSpace] = field(default_factory=dict)
    pose_assets: Mapping[AssetId, PoseAsset] = field(default_factory=dict)
    graphs: Mapping[AssetId, Graph] = field(default_factory=dict)
    wired: tuple[str, ...] = ()


Build = Callable[[Node, Surroundings], Shape]


def pose(name: str) -> Pin:
    """A pose input."""
    return Pin(name)


def value(name: str, type_: ValueType | None = FLOAT, default: str | None = "0") -> Pin:
    """A value input."""
    return Pin(name, PinKind.VALUE, type_, default)


POSE_OUT = (Pin("out"),)


def truth(name: str, default: bool = False) -> Parameter:
    """A parameter that is on or off."""
    return Parameter(name, Form.TRUTH, default)


def number(name: str, default: float, least: float = -1e6, most: float = 1e6) -> Parameter:
    """A parameter that is a number."""
    return Parameter(name, Form.NUMBER, default, (), least, most)


def choice(name: str, choices: Iterable[str], default: str) -> Parameter:
    """A parameter that is one of several words."""
    return Parameter(name, Form.CHOICE, default, tuple(str(c) for c in choices))


def plain(
    inputs: tuple[Pin, ...] = (), outputs: tuple[Pin, ...] = POSE_OUT, parameters: tuple[Parameter, ...] = ()
) -> Build:
    found = Shape(inputs, outputs, parameters)
    return lambda node, around: found


def joins(source: Pin, target: Pin) -> str:
    """Why an output's wire cannot end at an input, or "" where it can; an int goes into a float by itself."""
    if source.kind is not target.kind:
        return f"expected {_said(target)}, got {_said(source)}"
    if source.kind is not PinKind.VALUE or source.type is None or target.type is None:
        return ""
    return "" if target.type.accepts(source.type) else f"expected {target.type}, got {source.type}"


def _said(pin: Pin) -> str:
    if pin.kind is PinKind.POSE:
        return "a pose"
    if pin.kind is PinKind.THEN:
        return "the next action"
    return "a value" if pin.type is None else str(pin.type)

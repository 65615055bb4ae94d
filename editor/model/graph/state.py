"""The state of the canvas as a value: sheet path, selection, what is under the pointer, the gesture in hand."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from core.ids import AssetId
from editor.model.graph.geometry import Point
from editor.model.graph.layout import Comment


@dataclass(frozen=True, slots=True)
class PinPlace:
    """A pin of a node."""

    node: str
    pin: str
    output: bool = False


@dataclass(frozen=True, slots=True)
class ChoicePlace:
    """A field of a node that is chosen from a list: the name of its parameter."""

    node: str
    field: str


@dataclass(frozen=True, slots=True)
class Moving:
    """Items on their way.

    Parameters
    ----------
    places : node → where it is shown
    guides : lines to neighbours: (vertical, place, from, to)
    wire : key of the wire that a release would put the node into, or ""
    """

    places: dict[str, Point] = field(default_factory=dict)
    guides: tuple[tuple[bool, float, float, float], ...] = ()
    wire: str = ""


@dataclass(frozen=True, slots=True)
class Wiring:
    """Wires that are drawn from pins to the pointer.

    Parameters
    ----------
    ends : pins where the wires begin; all inputs or all outputs
    at : scene place of the pointer
    over : pin that a release would take
    reason : why what is under the pointer does not fit
    """

    ends: tuple[PinPlace, ...]
    at: Point
    over: PinPlace | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Arrowing:
    """A transition that is drawn from a state, or whose end is moved."""

    source: str
    at: Point
    over: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Boxing:
    """A box to select by."""

    start: Point
    at: Point


@dataclass(frozen=True, slots=True)
class Cutting:
    """A stroke that cuts wires."""

    stroke: tuple[Point, ...]
    cut: frozenset[str] = frozenset()


Preview = Moving | Wiring | Arrowing | Boxing | Cutting


@dataclass(frozen=True, slots=True)
class CanvasState:
    """What the canvas shows beside the document.

    Parameters
    ----------
    graph : the graph that is open; None is the first of the character
    path : ids of the sheets from the outermost to the open one
    selection : ids of nodes, transitions, comments; keys of wires and knots
    active : the item that the keyboard works on; the last one that was clicked
    pin : the pin of the active node that the keyboard works on
    choice : the choice field of the active node that the keyboard works on, instead of a pin
    hovered : item under the pointer, or ""
    hovered_pin : pin under the pointer
    preview : the gesture in hand
    fits : while a wire is drawn: every pin that it could end at, with the reason why not, or ""
    knot : a knot that is dragged: wire, number, place
    sizing : a comment whose size is being changed
    scrubbed : a literal that is scrubbed, with its text
    """

    graph: AssetId | None = None
    path: tuple[str, ...] = ()
    selection: frozenset[str] = frozenset()
    active: str = ""
    pin: PinPlace | None = None
    choice: ChoicePlace | None = None
    hovered: str = ""
    hovered_pin: PinPlace | None = None
    preview: Preview | None = None
    fits: Mapping[PinPlace, str] | None = None
    knot: tuple[tuple[str, str], int, Point] | None = None
    sizing: Comment | None = None
    scrubbed: tuple[PinPlace, str] | None = None

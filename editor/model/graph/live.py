"""What a running graph tells the canvas: weights, active states, transitions, values, what has just happened.

Whoever runs graphs implements `LiveGraph` and hands it to the canvas (`Canvas.show_live`); until then nothing runs.
The canvas asks once a picture and draws only what differs from the picture before.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from core.ids import AssetId
from editor.model.events import Event

FLASH = 1.0
"""Seconds over which the flash of an event fades."""


@dataclass(frozen=True, slots=True)
class LiveTransition:
    """A transition under way.

    Parameters
    ----------
    id : of the transition; the first one of a chain through conduits
    progress : 0..1 of its blend, eased
    """

    id: str
    progress: float


@dataclass(frozen=True, slots=True)
class LiveMachine:
    """What a machine does.

    Parameters
    ----------
    active : id of the active state's node; "" before it began
    seconds : time in that state
    running : transitions under way, the oldest first
    """

    active: str = ""
    seconds: float = 0.0
    running: tuple[LiveTransition, ...] = ()


@dataclass(frozen=True, slots=True)
class LiveFrame:
    """One picture of a running graph; ids are those of the document.

    Parameters
    ----------
    step : counts up with every step, so that an unchanged picture is not drawn again
    weights : node id → absolute weight 0..1 of every pose node and state that the plan has; those that the plan
        does not know are absent and are not dimmed
    machines : id of the machine's sheet → what it does
    values : (node id, pin) → value of a value pin as text; pin ``out`` is a value node's result
    valued : the pins that have values, the same object in every frame of a plan; None is those of `values`
    flashes : node id → seconds since its last event, at most `FLASH`
    """

    step: int
    weights: Mapping[str, float] = field(default_factory=dict)
    machines: Mapping[str, LiveMachine] = field(default_factory=dict)
    values: Mapping[tuple[str, str], str] = field(default_factory=dict)
    flashes: Mapping[str, float] = field(default_factory=dict)
    valued: Mapping[tuple[str, str], object] | None = None

    def link(self, source: str) -> float | None:
        """Weight of the pose wires that begin at a node; None where the plan does not know it."""
        return self.weights.get(source)


class LiveGraph(Protocol):
    """The running instance as the canvas sees it.

    Attributes
    ----------
    changed : another picture is there
    breaks : ids of nodes, states and transitions at which it stops
    """

    changed: Event[None]

    @property
    def breaks(self) -> frozenset[str]: ...

    def frame(self, graph: AssetId) -> LiveFrame | None:
        """What a graph does now; None where it does not run."""
        ...

    def value(self, graph: AssetId, text: str, machine: str = "") -> str:
        """The present value of an expression in words, for rules that are being typed; "" where nothing runs.

        Parameters
        ----------
        machine : id of the machine's sheet that ``time_in_state`` means
        """
        ...


class NothingRuns:
    """No graph is running."""

    def __init__(self) -> None:
        self.changed: Event[None] = Event()

    @property
    def breaks(self) -> frozenset[str]:
        """No break points."""
        return frozenset()

    def frame(self, graph: AssetId) -> LiveFrame | None:
        """None: nothing runs."""
        return None

    def value(self, graph: AssetId, text: str, machine: str = "") -> str:
        """Nothing."""
        return ""

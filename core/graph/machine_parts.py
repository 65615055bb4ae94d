"""What a compiled state machine is made of."""

from dataclasses import dataclass

from core.blending.easing import Easing
from core.graph.graph import BlendKind, Interrupt, InterruptBy
from core.tracks.keys import ScalarTrack

MOST = 4
"""Transitions that a machine takes in a step, and crossfades that it runs at once."""
TOLERANCE = 1e-12
"""Seconds by which a moment may lie past the step's end, for rounding."""
NEVER_LEFT = 1e9
"""Seconds since a state was left, from which on it counts as never left."""
FROZEN = -2
"""Number of a visit whose pose stands still."""
EXIT = -3
"""Number of the target of a transition to an exit."""


@dataclass(frozen=True, slots=True)
class MachineTransition:
    """A transition, compiled; a chain through conduits is one.

    Parameters
    ----------
    source, target : numbers of states
    rules : registers that must all be true
    automatic : seconds the heaviest player must have left; −1 the blend's duration; None is by rule alone
    seconds : register of the blend's duration
    map, track : number and track of the map of an easing by curve
    takes : numbers of the triggers that its rules take
    interrupt_by : whose transitions may interrupt it
    player : name of the player that an automatic rule looks at; "" is the heaviest
    """

    node: str
    name: str
    source: int
    target: int
    rules: tuple[int, ...]
    automatic: float | None
    priority: int
    min_time: float
    reentry_time: float
    interrupt: Interrupt
    kind: BlendKind
    seconds: int
    easing: Easing
    map: int
    track: ScalarTrack | None
    takes: tuple[int, ...]
    interrupt_by: InterruptBy = InterruptBy.TARGET
    player: str = ""


@dataclass(frozen=True, slots=True)
class MachineState:
    """A state, compiled.

    Parameters
    ----------
    root : number of the op that gives its pose
    reset : *always*, *when_irrelevant* or *never*
    exits : its transitions in the order in which they are looked at
    """

    node: str
    name: str
    root: int
    reset: str
    exits: tuple[int, ...]

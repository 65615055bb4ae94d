"""What a compiled state machine is made of."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from core.arrays import FloatArray
from core.blending.easing import Easing
from core.graph.events import EventKind
from core.graph.graph import BlendKind, Interrupt, InterruptBy, TargetStart
from core.graph.op import Run
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
class CustomBlend:
    """The compiled sheet of a custom blend.

    Parameters
    ----------
    root : number of the op that gives the blended pose
    sources, targets : numbers of its pose inputs
    registers : of w, t and T
    rows : first and last row of the program that may read them
    ops : numbers of the sheet's own ops, which are posed when the machine asks
    """

    root: int
    sources: tuple[int, ...]
    targets: tuple[int, ...]
    registers: tuple[int, int, int]
    rows: tuple[int, int]
    ops: tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
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
    slower : ``(B,)`` how many times slower the blend's slowest bone is than each; None where all take as long
    sheet, custom : id of the sheet of a custom blend, and what it is compiled to
    start, start_at : where the target's players begin
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
    slower: FloatArray | None = None
    sheet: str = ""
    custom: CustomBlend | None = None
    start: TargetStart = TargetStart.STATE
    start_at: float = 0.0


Doing = Callable[[Run, float], None]
"""What is done at a moment of the step."""


@dataclass(frozen=True, slots=True)
class MachineState:
    """A state, compiled.

    Parameters
    ----------
    root : number of the op that gives its pose
    reset : *always*, *when_irrelevant* or *never*
    exits : its transitions in the order in which they are looked at
    does : what is done when it is entered, full, left and gone
    """

    node: str
    name: str
    root: int
    reset: str
    exits: tuple[int, ...]
    does: Mapping[EventKind, Sequence[Doing]] = field(default_factory=dict)

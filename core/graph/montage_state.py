"""What the state of a montage that plays is made of, and its view within a step."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from core.arrays import FloatArray
from core.blending.easing import Easing
from core.graph.commands import Command
from core.graph.events import Event
from core.graph.montage_plan import MontagePlan
from core.math.transform import Transform

MOST_PLAYING = 32
"""Montages that play at once; one more cuts the oldest, and flags the graph's montages."""
MOST_CUTS = 100
"""Sections, branching notifies and ends that one montage passes in a step."""
TOLERANCE = 1e-12
NEVER = -1.0
"""Seconds of fading out of a montage that does not."""

# Ints of one that plays: number of its montage counted from 1, handle, paused, fresh, cut short, at its end, section;
# turns that a clip still plays (-1 for ever), then for each section what follows it, then those of the notifies.
MONTAGE, HANDLE, PAUSED, FRESH, INTERRUPTED, HELD, SECTION, LOOPS, NEXT = range(9)
# Floats: position, rate, seconds of blending in, seconds of fading out so far, and of the whole fade; seconds in which
# it blends in, and in which it fades out by itself.
POSITION, RATE, ELAPSED, OUT, SECONDS, INTO, AWAY = range(7)
FLOATS = 7
ENTERED, STARTING = 1, 2
"""Of the int FRESH: it was set where it is; what is exactly there of its own has fired, of its clips not yet."""

Branch = Callable[[Event], Sequence[Command]]
"""What a branching notify starts: commands that act at its moment."""


@dataclass(slots=True)
class Part:
    """An even part of a step of one that plays: from when, and how far its blends are there."""

    start: float
    elapsed: float
    out: float
    seconds: float
    into: float = 0.0


@dataclass(slots=True)
class Switch:
    """A blend that inertialises: its slots go over at once, and let the jump die out.

    Parameters
    ----------
    factors : ``(B,)`` times the seconds for each bone; None is 1
    easing : of the root motion
    """

    moment: float
    seconds: float
    factors: FloatArray | None = None
    easing: Easing = field(default_factory=Easing)


@dataclass(slots=True)
class Way:
    """A piece of its way through the step: moments, and where it was at them."""

    start: float
    stop: float
    before: float
    after: float


@dataclass(frozen=True, slots=True)
class PlayingMontage:
    """A montage that plays, as a step's result tells it."""

    name: str
    handle: int
    section: str
    position: float
    weight: float


@dataclass(slots=True)
class Playing:
    """One montage in this step, with what the slots need of it.

    Parameters
    ----------
    parts : of the step, for its weight at a moment
    motions : root motion of each of its tracks in the step
    life, area : seconds that it plays in the step, and its weight summed over them
    switches : its blends that inertialise and begin in the step
    ways : its way through the step, piece by piece
    position : where it is at the end of the step
    """

    plan: MontagePlan
    begun: float
    handle: int = 0
    parts: list[Part] = field(default_factory=list)
    motions: list[Transform] = field(default_factory=list)
    position: float = 0.0
    section: str = ""
    ended: float = -1.0
    life: float = 0.0
    area: float = 0.0
    switches: list[Switch] = field(default_factory=list)
    ways: list[Way] = field(default_factory=list)

    def weight(self, moment: float) -> float:
        """The weight at a moment of the step; with profiles, of the bones that take longest."""
        fades = self._fades(moment)
        return 0.0 if fades is None else self.plan.weight(*fades)

    def bone_weights(self, moment: float, bones: int) -> FloatArray:
        """The weights ``(B,)`` by bone at a moment of the step."""
        fades = self._fades(moment)
        return np.zeros(bones) if fades is None else self.plan.bone_weights(bones, *fades)

    def _fades(self, moment: float) -> tuple[float, float, float, float] | None:
        """Seconds of fading in so far and in all, then of fading out; None where it does not play."""
        if not self.parts or moment < self.begun or 0.0 <= self.ended < moment - TOLERANCE:
            return None
        part = next((p for p in reversed(self.parts) if p.start <= moment + TOLERANCE), self.parts[0])
        passed = max(moment - part.start, 0.0)
        out = part.out + passed if part.out >= 0.0 else NEVER
        return part.elapsed + passed, part.into, out, part.seconds

    def told(self, moment: float) -> PlayingMontage:
        """What a step's result tells of it."""
        name = self.plan.montage.name
        return PlayingMontage(name, self.handle, self.section, self.position, self.weight(moment))

"""The clock of a blend space that is tried out: where in the cycle, where on the ground, where the point was."""

from collections import deque
from dataclasses import replace

import numpy as np

from core.blending.space_player import SpacePlayer, SpaceState
from core.clips.clip import Notify
from core.clips.sample import PoseOutput
from core.math import transform
from core.math.transform import Transform
from editor.model.display.transport import LookClock

TRAIL = 1.5
"""Seconds that the trail of the point lasts."""
LONGEST_STEP = 0.25
"""Seconds that the clock moves on at most between two looks, after a stall."""


class BlendClock:
    """Playback of one blend space at a time, advanced step by step.

    Attributes
    ----------
    now : seconds that were played so far
    state : where playback stands; None before its first moment
    stands : where root motion has led the character
    trail : seconds and the smoothed point there, the oldest first
    """

    def __init__(self) -> None:
        self.now = 0.0
        self.state: SpaceState | None = None
        self.stands: Transform = transform.IDENTITY
        self.trail: deque[tuple[float, tuple[float, ...]]] = deque()
        self._looks = LookClock(LONGEST_STEP)
        self._sampled: PoseOutput[Notify] | None = None

    def sampled(self, player: SpacePlayer, point: tuple[float, ...]) -> PoseOutput[Notify]:
        """The moment now; the start of the cycle at a point where nothing was played yet."""
        if self.state is None:
            self.state = player.start(point)
        if self._sampled is None:
            self._sampled = player.sample(self.state)
        return self._sampled

    def rest(self) -> None:
        """Forget when it was last looked at: the time until the next look does not count."""
        self._looks.rest()

    def elapsed(self, now: float) -> float | None:
        """Seconds since the last look (monotonic); None at the first after a rest."""
        return self._looks.elapsed(now)

    def advance(self, player: SpacePlayer, point: tuple[float, ...], seconds: float, walks: bool) -> None:
        """Play on with the input at a point; `walks` lets root motion lead the character."""
        self.now += seconds
        before = self.state or player.start(point)
        self.state = player.advanced(before, point, seconds)
        if walks:
            self.stands = transform.compose(self.stands, player.motion_between(before, self.state))
        self.trail.append((self.now, self.state.point))
        while self.trail and self.now - self.trail[0][0] > TRAIL:
            self.trail.popleft()
        self._sampled = None

    def settle(self, player: SpacePlayer, point: tuple[float, ...]) -> None:
        """Follow the point at once, without playing on."""
        self._take(player, self.state or player.start(point), point)

    def carry_over(
        self, before: SpacePlayer | None, player: SpacePlayer | None, point: tuple[float, ...]
    ) -> None:
        """Another player: the cycle goes on where it was, under weights of the new samples."""
        self._sampled = None
        if player is None:
            self.state = None
        elif self.state is None or before is None or before.space.id != player.space.id:
            self.state = player.start(point)
        else:
            clock = self.state.clock / before.group.intervals * player.group.intervals
            self._take(player, replace(self.state, clock=clock), point)

    def _take(self, player: SpacePlayer, state: SpaceState, point: tuple[float, ...]) -> None:
        kept = player.space.kept(point)
        self.state = replace(
            state, weights=player.field(np.array(kept)), point=kept, velocity=(0.0,) * len(kept)
        )
        self._sampled = None

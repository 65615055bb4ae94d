"""From the time that passes to whole steps of 1/60 s, and how far the next one is."""

from core.locomotion.setup import H

MOST_STEPS = 4
"""Steps a picture at most: what a slow picture leaves over is dropped, and counted."""
SPEEDS = (0.05, 0.1, 0.25, 0.5, 1.0)


class PlayClock:
    """Gives out steps as time passes.

    Attributes
    ----------
    speed : of the run; below 1 is slow motion
    dropped : steps that were left out because pictures took too long
    """

    def __init__(self) -> None:
        self.speed = 1.0
        self.dropped = 0
        self._last: float | None = None
        self._left = 0.0

    @property
    def share(self) -> float:
        """How much of the next step has passed, 0 to 1: what pictures show between two steps."""
        return min(max(self._left / H, 0.0), 1.0)

    def pause(self) -> None:
        """What passes until the next look does not count."""
        self._last = None

    def reset(self) -> None:
        """Stand exactly at a step."""
        self._last, self._left = None, 0.0

    def passed(self, now: float) -> float:
        """Seconds since the last look, 0 at the first."""
        last, self._last = self._last, now
        return 0.0 if last is None else max(now - last, 0.0)

    def steps(self, seconds: float) -> int:
        """How many steps seconds make, with what was left before."""
        self._left += seconds * self.speed
        count = int(self._left / H + 1e-9)
        self._left -= count * H
        if count > MOST_STEPS:
            self.dropped += count - MOST_STEPS
            count = MOST_STEPS
        return count

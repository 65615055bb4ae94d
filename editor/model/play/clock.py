"""From the time that passes to whole steps of 1/60 s, and how far the next one is."""

from core.locomotion.pacing import Pace, paced

SPEEDS = (0.05, 0.1, 0.25, 0.5, 1.0)


class PlayClock:
    """Gives out steps as time passes: four a picture at most, the rest is dropped and counted.

    Attributes
    ----------
    speed : of the run; below 1 is slow motion
    """

    def __init__(self) -> None:
        self.speed = 1.0
        self._last: float | None = None
        self._pace = Pace()

    @property
    def share(self) -> float:
        """How much of the next step has passed, 0 to 1: what pictures show between two steps."""
        return min(max(self._pace.share, 0.0), 1.0)

    @property
    def dropped(self) -> int:
        """Steps that were left out because pictures took too long."""
        return self._pace.dropped

    def pause(self) -> None:
        """What passes until the next look does not count."""
        self._last = None

    def reset(self) -> None:
        """Stand exactly at a step; nothing is dropped yet."""
        self._last, self._pace = None, Pace()

    def passed(self, now: float) -> float:
        """Seconds since the last look, 0 at the first."""
        last, self._last = self._last, now
        return 0.0 if last is None else max(now - last, 0.0)

    def steps(self, seconds: float) -> int:
        """How many steps seconds make, with what was left before."""
        self._pace, count = paced(self._pace, seconds * self.speed)
        return count

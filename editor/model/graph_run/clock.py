"""From the time that passes to steps: even steps at full speed, shorter ones in slow motion."""

from editor.model.display.transport import LookClock

STEP = 1.0 / 60.0
"""Seconds of a step at full speed; a recording of even steps runs the same without a window."""
LONGEST_LOOK = 0.1
"""Seconds that count at most between two looks, after a stall."""
SPEEDS = (0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 4.0)


class Clock:
    """Gives out steps as time passes."""

    def __init__(self) -> None:
        self.speed = 1.0
        self._looks = LookClock(LONGEST_LOOK)
        self._left = 0.0

    @property
    def dt(self) -> float:
        """Seconds of a step: a sixtieth, less in slow motion so that it stays smooth."""
        return STEP * min(self.speed, 1.0)

    def pause(self) -> None:
        """What passes until the next look does not count."""
        self._looks.rest()
        self._left = 0.0

    def passed(self, now: float) -> float:
        """Seconds of the run that passed since the last look.

        Parameters
        ----------
        now : seconds, monotonic
        """
        return (self._looks.elapsed(now) or 0.0) * self.speed

    def steps(self, seconds: float) -> int:
        """How many steps seconds make, with what was left before."""
        self._left += seconds
        count = int(self._left / self.dt + 1e-6)
        self._left = max(self._left - count * self.dt, 0.0)
        return count

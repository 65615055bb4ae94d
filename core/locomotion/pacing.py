"""Fixed steps for pictures that come at any time: how many to take, and how far the picture is into the next."""

from typing import NamedTuple

from core.locomotion.setup import H

MOST = 4
"""Steps for one picture at most; the rest is dropped, so that a slow machine falls behind and does not stall."""


class Pace(NamedTuple):
    """What is left over between pictures.

    Parameters
    ----------
    left : seconds not stepped yet, below one step
    dropped : steps left out so far
    """

    left: float = 0.0
    dropped: int = 0

    @property
    def share(self) -> float:
        """Where a picture lies between the last state but one (0) and the last (1), for `state.between`."""
        return self.left / H


def paced(pace: Pace, seconds: float) -> tuple[Pace, int]:
    """The steps to take for a picture that comes `seconds` after the last, and what is left over then.

    Time that is not finite or runs backwards counts as none.
    """
    if not 0.0 <= seconds < 1e6:
        return pace, 0
    whole = pace.left + seconds
    steps = int(whole / H + 1e-9)
    left = max(whole - steps * H, 0.0)
    return Pace(left, pace.dropped + max(steps - MOST, 0)), min(steps, MOST)

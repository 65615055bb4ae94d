"""One entry of a state machine's stack."""

from dataclasses import dataclass


@dataclass(slots=True)
class Visit:
    """A state that a machine is in, and how far it is faded in over what lies below.

    Parameters
    ----------
    transition : the one that it was entered by; −1 at the bottom of the stack
    elapsed : seconds since it was entered
    seconds : duration of its fade
    entered : moment of this step at which it was entered; −1 where earlier
    """

    state: int
    transition: int = -1
    elapsed: float = 0.0
    seconds: float = 0.0
    entered: float = -1.0

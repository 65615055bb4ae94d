"""Mouse input as values: where the pointer is, which button, which modifier keys."""

from dataclasses import dataclass
from enum import Enum, Flag, auto


class Button(Enum):
    """Mouse buttons."""

    NONE = "none"
    LEFT = "left"
    MIDDLE = "middle"
    RIGHT = "right"


class Modifiers(Flag):
    """Keys held with the pointer."""

    NONE = 0
    SHIFT = auto()
    CTRL = auto()
    ALT = auto()


@dataclass(frozen=True, slots=True)
class Pointer:
    """One moment of the pointer.

    Parameters
    ----------
    x, y : logical pixels from the top left corner of the view
    button : the button that began the gesture (`NONE` when only moving)
    modifiers : keys held now
    """

    x: float
    y: float
    button: Button = Button.NONE
    modifiers: Modifiers = Modifiers.NONE

    @property
    def pixel(self) -> tuple[float, float]:
        """The place as a pair."""
        return self.x, self.y

    def has(self, modifiers: Modifiers) -> bool:
        """Whether all of these keys are held."""
        return (self.modifiers & modifiers) == modifiers

    def distance(self, other: "Pointer") -> float:
        """Pixels between two moments."""
        return float(((self.x - other.x) ** 2 + (self.y - other.y) ** 2) ** 0.5)


CLICK_SLOP = 4.0
"""Pixels the pointer may wander during a click."""

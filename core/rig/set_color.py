"""Colours of bone sets, by name: what a colour looks like is the window's matter."""

from enum import StrEnum


class SetColor(StrEnum):
    """Colour of a bone set; sets without one are gray."""

    RED = "red"
    ORANGE = "orange"
    YELLOW = "yellow"
    GREEN = "green"
    TEAL = "teal"
    BLUE = "blue"
    PURPLE = "purple"
    PINK = "pink"
    GRAY = "gray"


ORDER = tuple(color for color in SetColor if color is not SetColor.GRAY)
"""The colours that new sets get in turn."""

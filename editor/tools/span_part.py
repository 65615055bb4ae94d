"""The parts of a span on a lane over time that a drag can hold."""

from enum import Enum


class Part(Enum):
    """What of a span is held."""

    FIRST = "first"
    LAST = "last"
    WHOLE = "whole"

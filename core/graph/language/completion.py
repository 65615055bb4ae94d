"""A word that could stand at the cursor of an expression that is being typed."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Completion:
    """What could stand at the cursor.

    Parameters
    ----------
    text : what is written
    begin, end : columns that it replaces
    help : what it is, in a few words
    """

    text: str
    begin: int
    end: int
    help: str = ""

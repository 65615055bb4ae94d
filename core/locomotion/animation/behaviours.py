"""What a driven character does, what each of it needs, and what is off because that is missing."""

from collections.abc import Mapping
from typing import NamedTuple

from core.locomotion.animation.propose import BEHAVIOURS, Moves

Way = tuple[str, ...]
SPACE = "blend space "
"""What a need begins with that is no clip."""
LEGS = "legs with feet"


NEEDS: Mapping[str, tuple[Way, ...]] = {
    "stand": (("idle",),),
    "walk": ((f"{SPACE}forward",), ("walk",)),
    "eight ways": ((f"{SPACE}forward", f"{SPACE}backward"),),
    "crouch": ((f"{SPACE}crouch",), ("crouch idle",)),
    "jump": (("jump start", "fall"),),
    "fall": (("fall",),),
    "land": (("land",),),
    "lean": ((f"{SPACE}lean",),),
    "lean in the air": ((f"{SPACE}air lean",),),
    "aim": ((f"{SPACE}aim",),),
    "look around": ((f"{SPACE}look",),),
    "warp strides": ((LEGS,),),
    "foot placement": ((LEGS,),),
    **BEHAVIOURS,
}
"""Behaviour → the ways in which it can be had, each a list of clips, blend spaces or bones that are all needed."""


class Behaviour(NamedTuple):
    """One behaviour of a character.

    Parameters
    ----------
    lacks : what its nearest way is without; empty where it is on
    """

    name: str
    lacks: Way

    @property
    def on(self) -> bool:
        """Whether the character does it."""
        return not self.lacks


def behaviours(moves: Moves) -> tuple[Behaviour, ...]:
    """Every behaviour, on or off, by what was found for a rig."""
    found = []
    for name, ways in NEEDS.items():
        lacks = [tuple(need for need in way if not _there(moves, need)) for way in ways]
        found.append(Behaviour(name, min(lacks, key=len)))
    return tuple(found)


def _there(moves: Moves, need: str) -> bool:
    if need == LEGS:
        return "bones of legs with feet" not in moves.missing
    if need.startswith(SPACE):
        return need.removeprefix(SPACE) in moves.spaces
    return need in moves

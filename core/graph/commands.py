"""What a host or the update sheet asks a running graph to do: montages to play, states to go to."""

from dataclasses import dataclass
from enum import StrEnum


class Do(StrEnum):
    """What to do."""

    PLAY = "play"
    STOP = "stop"
    JUMP = "jump"
    NEXT = "next"
    PAUSE = "pause"
    RESUME = "resume"
    RATE = "rate"
    GO = "go"
    TRAVEL = "travel"


@dataclass(frozen=True, slots=True)
class Command:
    """One request; it acts at the beginning of its step.

    Parameters
    ----------
    target : name of the montage, or of the machine for *go* and *travel*
    section : where *play* starts and *jump* goes to; for *next* the section whose follower is set, "" being the
        one that plays
    to : the state of *go* and *travel*; for *next* the section that follows, "" being none
    at : seconds at which *play* starts; the section's start where left out
    rate : of *play* (times the montage's own) and *rate*
    seconds : in which *stop* fades out; the montage's own blend where left out
    stop_group : whether *play* fades out the others of its group
    handle : which playing one is meant; 0 is the newest of its name
    """

    do: Do
    target: str
    section: str = ""
    to: str = ""
    at: float | None = None
    rate: float = 1.0
    seconds: float | None = None
    stop_group: bool = True
    handle: int = 0

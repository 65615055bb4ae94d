"""What a host or the update sheet asks a running graph to do: montages to play, states to go to."""

from dataclasses import dataclass
from enum import StrEnum


class Do(StrEnum):
    """What to do."""

    PLAY = "play"
    PLAY_CLIP = "play_clip"
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
    target : name of the montage, of the clip for *play_clip* (and for what is asked of it later), or of the machine
        for *go* and *travel*
    section : where *play* starts and *jump* goes to; for *next* the section whose follower is set, "" being the
        one that plays
    to : the state of *go* and *travel*; for *next* the section that follows, "" being none
    at : seconds at which *play* starts; the section's start where left out
    rate : of *play* (times the montage's own) and *rate*
    seconds : in which *stop* fades out; the montage's own blend where left out
    stop_group : whether *play* and *play_clip* fade out the others of the group
    handle : which playing one is meant; 0 is the newest of its name
    slot : ``group.slot`` in which *play_clip* plays
    blend_in, blend_out : seconds of the fades of *play_clip*
    loops : how often *play_clip* plays it; 0 is until it is stopped
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
    slot: str = ""
    blend_in: float = 0.25
    blend_out: float = 0.25
    loops: int = 1


def play_clip(
    clip: str,
    slot: str,
    blend_in: float = 0.25,
    blend_out: float = 0.25,
    rate: float = 1.0,
    loops: int = 1,
    *,
    stop_group: bool = True,
) -> Command:
    """Play a clip in a slot without a montage of its own; see `Command`."""
    return Command(
        Do.PLAY_CLIP, clip, rate=rate, slot=slot, blend_in=blend_in, blend_out=blend_out, loops=loops,
        stop_group=stop_group,
    )  # fmt: skip

"""What happens in a step, and when."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class EventKind(StrEnum):
    """What kind of thing happened."""

    NOTIFY = "notify"
    BEGIN = "begin"
    TICK = "tick"
    END = "end"
    FINISHED = "finished"
    ENTER = "enter"
    FULL = "full"
    LEAVE = "leave"
    GONE = "gone"
    TRANSITION_START = "transition_start"
    TRANSITION_END = "transition_end"
    TRANSITION_INTERRUPTED = "transition_interrupted"
    MONTAGE_STARTED = "montage_started"
    MONTAGE_SECTION = "montage_section"
    MONTAGE_BLENDING_OUT = "montage_blending_out"
    MONTAGE_ENDED = "montage_ended"
    CUSTOM = "custom"


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened.

    Parameters
    ----------
    name : of the notify, state or clip; of a transition ``source -> target``
    moment : seconds into the step, 0..dt
    weight : absolute weight of its branch there, 0..1
    node : id of the node that it comes from
    clip, time : name of the source clip and its own seconds, of a notify
    leaving : whether the branch is being left
    progress, seconds : how far a tick is within its notify's duration, 0..1 and seconds
    interrupted : whether what ends was cut
    acted : whether what follows from it was done at its moment (of a branching notify)
    """

    name: str
    kind: EventKind
    moment: float
    weight: float
    node: str
    clip: str = ""
    time: float = 0.0
    leaving: bool = False
    data: Mapping[str, str] = field(default_factory=dict)
    progress: float = 0.0
    seconds: float = 0.0
    interrupted: bool = False
    acted: bool = False

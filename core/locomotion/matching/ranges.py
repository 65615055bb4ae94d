"""Which ranges of clips take part in motion matching, and what each is for: proposed by name, length and way."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from core.clips.clip import Clip
from core.clips.sample import sample_many
from core.errors import MissingReferenceError
from core.locomotion.animation.propose import NAMES, plain
from core.locomotion.animation.speeds import clip_way
from core.locomotion.matching.setup import MATCHED, Matching, Tag
from core.math import quat
from core.rig.rig import Rig

SHORTEST = 0.2
"""Seconds under which a clip is a pose, and no motion."""
MOVES = 0.2
"""m/s from which a clip goes somewhere."""
ENDS_NEAR = 0.05
"""Seconds to its end within which a loop counts as whole."""
CYCLES = (Tag.STAND, Tag.MOVE, Tag.CROUCH_STAND, Tag.CROUCH_MOVE)
"""What goes on at its start where its ends meet."""
MEETS = math.radians(10.0)
"""Radians that a bone may turn from the last frame to the first."""
WORDS: tuple[tuple[Tag, tuple[str, ...]], ...] = (
    (Tag.GET_UP, ("get up", "getting up", "stand up", "standing up")),
    (Tag.LAND, ("land", "landing", "roll")),
    (Tag.FALL, ("fall", "falling", "flail")),
    (Tag.JUMP, ("jump", "jumping", "leap", "hop")),
    (Tag.PIVOT, ("pivot",)),
    (Tag.STOP, ("stop", "stopping")),
    (Tag.START, ("start", "starting")),
    (Tag.TURN, ("turn", "turning", "rotate")),
)
"""Words of a clip's name that say what it is for, the strongest first."""
MOVING = (
    "walk",
    "walking",
    "run",
    "running",
    "sprint",
    "sprinting",
    "jog",
    "jogging",
    "strafe",
    "sneak",
    "sneaking",
)
CROUCHED = ("crouch", "crouching", "crouched", "sneak", "sneaking")
WAYS = (
    "left", "right", "back", "backward", "backwards", "forward", "forwards", "hips", "ahead", "fast", "slow",
    "in", "place", "loop", "cycle", "f", "b", "l", "r", "fl", "fr", "bl", "br", "a", "c",
)  # fmt: skip
"""Other words that the name of a clip that moves may have: *run with rifle* is left to a person."""


@dataclass(frozen=True, slots=True, eq=False)
class Range:
    """Part of a clip.

    Parameters
    ----------
    tag : what it is for
    first, last : seconds of the clip
    looping : whether it goes on at its start
    on : whether it takes part
    """

    clip: Clip
    tag: Tag
    first: float
    last: float
    looping: bool
    on: bool


def proposed_tag(rig: Rig, clip: Clip) -> Tag:
    """What a clip is for, by its name, its length and how far it goes."""
    if clip.additive is not None or clip.length < SHORTEST:
        return Tag.OTHER
    name = plain(clip.name)
    words = f" {name} "
    crouched = any(f" {word} " in words for word in CROUCHED)
    for tag, marks in WORDS:
        if any(f" {mark} " in words for mark in marks):
            return tag
    known = all(word in MOVING + CROUCHED + WAYS or word.isdigit() for word in name.split())
    if known and any(f" {word} " in words for word in MOVING):
        right, ahead, seconds = clip_way(rig, clip)
        if (right * right + ahead * ahead) ** 0.5 < MOVES * seconds:
            return Tag.CROUCH_STAND if crouched else Tag.OTHER
        return Tag.CROUCH_MOVE if crouched else Tag.MOVE
    if name in NAMES["idle"]:
        return Tag.STAND
    return Tag.CROUCH_STAND if crouched else Tag.OTHER


def searchable(rig: Rig, clips: Iterable[Clip]) -> list[Clip]:
    """The clips of a rig that could be searched: no differences, no single poses."""
    return [
        clip for clip in clips if clip.rig == rig.id and clip.additive is None and clip.length >= SHORTEST
    ]


def ranges_of(rig: Rig, clips: Sequence[Clip], setup: Matching) -> tuple[Range, ...]:
    """A range of every clip of a rig that is no difference, in the order of the clips, as a person has chosen.

    Raises
    ------
    MissingReferenceError
        A choice names a clip that there is none of.
    """
    own = searchable(rig, clips)
    names = [clip.name for clip in own]
    for choice in setup.choices:
        if choice.clip not in names:
            raise MissingReferenceError(
                f"matching: no clip of {rig.name} is named {choice.clip!r}; there are: {', '.join(names)}"
            )
    made = []
    for clip in own:
        said = setup.choice(clip.name)
        tag = said.tag if said is not None and said.tag is not None else proposed_tag(rig, clip)
        first = min(said.first, clip.length) if said is not None else 0.0
        last = min(said.last or clip.length, clip.length) if said is not None else clip.length
        whole = first <= ENDS_NEAR and last >= clip.length - ENDS_NEAR
        if whole and not clip.looping and tag in CYCLES and _meets(rig, clip):
            clip = replace(clip, looping=True)  # many files cannot say that a clip loops
        on = tag in MATCHED and (said is None or said.on) and last - first >= SHORTEST
        made.append(Range(clip, tag, first, last, clip.looping and whole, on))
    return tuple(made)


def _meets(rig: Rig, clip: Clip) -> bool:
    """Whether a clip ends in the pose that it begins with."""
    turns = sample_many(rig, clip, [0.0, clip.length], wrap=False).rotations
    return bool(quat.angle_between(turns[0], turns[1]).max() <= MEETS)

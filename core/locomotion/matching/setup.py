"""What motion matching is set to: weights of the features, how often it searches, and which clips take part."""

from dataclasses import dataclass, fields
from enum import StrEnum

from core.errors import ValidationError


class Drive(StrEnum):
    """How a character's poses are chosen."""

    RULES = "rules"
    MATCHING = "matching"


class Tag(StrEnum):
    """What a range of a clip is for."""

    STAND = "stand"
    MOVE = "move"
    START = "start"
    STOP = "stop"
    PIVOT = "pivot"
    TURN = "turn"
    CROUCH_STAND = "crouch stand"
    CROUCH_MOVE = "crouch move"
    JUMP = "jump"
    FALL = "fall"
    LAND = "land"
    GET_UP = "get up"
    OTHER = "other"


MATCHED = (Tag.STAND, Tag.MOVE, Tag.START, Tag.STOP, Tag.PIVOT, Tag.CROUCH_STAND, Tag.CROUCH_MOVE)
"""What is searched for; the rest is left to the graph *Locomotion*."""


@dataclass(frozen=True, slots=True)
class Choice:
    """What a person says of a clip's range.

    Parameters
    ----------
    clip : its name
    tag : what it is for; None leaves the proposal
    on : whether it takes part
    first, last : seconds of the clip; `last` 0 is its end
    """

    clip: str
    tag: Tag | None = None
    on: bool = True
    first: float = 0.0
    last: float = 0.0

    def __post_init__(self) -> None:
        if not 0.0 <= self.first < 1e6 or not 0.0 <= self.last < 1e6 or 0.0 < self.last <= self.first:
            raise ValidationError(
                f"matching: range of {self.clip!r}: expected 0 ≤ first < last, got {self.first:g} to {self.last:g}"
            )


@dataclass(frozen=True, slots=True)
class Matching:
    """Numbers of motion matching: seconds, metres, degrees; weights without unit.

    Parameters
    ----------
    feet_place, feet_speed, hips_speed, path_place, path_facing : weights of the groups of features
    search_every : seconds from one search to the next
    wish_change : change of the wish (1 is full stick) that searches at once; `view_change` degrees of the view
    transition : squared distance by which another frame has to be nearer than the present one
    near : frames around the present one that are no candidates
    end : frames before the end of a range that are none
    blend_half : half-life of what is left of the old motion after a switch
    pull_half, pull_turn_half : half-lives with which the pose's root goes to the controller's place and facing
    pull_most : share of the clip's own speed that this pull has at most
    farthest, farthest_turn : metres and degrees that the root is from the controller at most
    warp : whether steps are lengthened, hastened and turned to the controller's velocity
    mirror : whether every range is there mirrored, too
    paces : times its own speed that copies of ranges that go somewhere are played; steps are fitted in between
    bends : degrees a second by which copies of ranges that go ahead are bent, to the left and to the right
    choices : what a person says of clips; see `Choice`

    Raises
    ------
    ValidationError
        A number is out of its bounds.
    """

    feet_place: float = 0.75
    feet_speed: float = 1.0
    hips_speed: float = 1.0
    path_place: float = 2.0
    path_facing: float = 1.5
    search_every: float = 0.1
    wish_change: float = 0.3
    view_change: float = 30.0
    transition: float = 0.1
    near: int = 20
    end: int = 20
    blend_half: float = 0.1
    pull_half: float = 0.1
    pull_turn_half: float = 0.2
    pull_most: float = 0.5
    farthest: float = 0.15
    farthest_turn: float = 45.0
    warp: bool = True
    mirror: bool = True
    paces: tuple[float, ...] = (0.6, 1.25)
    bends: tuple[float, ...] = (45.0, 90.0)
    choices: tuple[Choice, ...] = ()

    def __post_init__(self) -> None:
        for name, (low, high) in BOUNDS.items():
            value = getattr(self, name)
            if not low <= value <= high:
                raise ValidationError(f"matching: {name}: expected {low:g} to {high:g}, got {value!r}")
        if len(self.bends) > 8 or not all(1.0 <= bend <= 360.0 for bend in self.bends):
            raise ValidationError(f"matching: bends: expected up to 8 of 1 to 360°/s, got {self.bends!r}")
        if len(self.paces) > 8 or not all(0.25 <= pace <= 2.0 for pace in self.paces):
            raise ValidationError(f"matching: paces: expected up to 8 of 0.25 to 2, got {self.paces!r}")
        names = [choice.clip for choice in self.choices]
        if len(set(names)) != len(names):
            raise ValidationError("matching: choices: expected one of each clip")

    @property
    def weights(self) -> tuple[float, ...]:
        """One a group, in the order of `core.locomotion.matching.features.GROUPS`."""
        return self.feet_place, self.feet_speed, self.hips_speed, self.path_place, self.path_facing

    def choice(self, clip: str) -> Choice | None:
        """What is said of a clip."""
        return next((choice for choice in self.choices if choice.clip == clip), None)


BOUNDS: dict[str, tuple[float, float]] = {
    "feet_place": (0.0, 100.0), "feet_speed": (0.0, 100.0), "hips_speed": (0.0, 100.0),
    "path_place": (0.0, 100.0), "path_facing": (0.0, 100.0), "search_every": (1.0 / 60.0, 10.0),
    "wish_change": (0.0, 2.0), "view_change": (0.0, 180.0), "transition": (0.0, 1e6), "near": (0, 600), "end": (0, 600),
    "blend_half": (0.0, 2.0), "pull_half": (0.0, 10.0), "pull_turn_half": (0.0, 10.0), "pull_most": (0.0, 10.0),
    "farthest": (0.0, 10.0), "farthest_turn": (0.0, 180.0),
}  # fmt: skip
"""Least and most of the numbers."""
NUMBERS = tuple(member.name for member in fields(Matching) if member.name in BOUNDS)

"""What a controller is set to: sizes, speeds, and tables over the gait amount (spec: locomotion, *Controller*)."""

import math
from dataclasses import dataclass

from core.errors import ValidationError
from core.locomotion.dampers import table

H = 1.0 / 60.0
"""Seconds of a step."""

Four = tuple[float, float, float, float]
AMOUNTS: Four = (0.0, 1.0, 2.0, 3.0)
"""The gait amounts that tables hold."""


@dataclass(frozen=True, slots=True)
class Setup:
    """A controller's numbers: metres, seconds, degrees.

    Parameters
    ----------
    walk, run, sprint, crouch : top speeds, m/s
    acceleration, braking : m/s² at gait amounts 0, 1, 2, 3
    friction : 1/s there
    yaw_half : half-life in seconds of the yaw there
    radius, height, crouch_height : of the capsule, whole heights
    air_control : share of the acceleration in the air
    walkable : degrees up to which ground is stood on
    step : metres that are stepped up, and down without falling
    gravity : m/s²
    jump : m/s upward at take-off
    buffer, coyote : seconds that a jump is kept for the ground, and allowed after an edge
    fall_limit : m/s
    side_sets : whether hips have sets for left and right (four sets) or face ahead and back only (two)

    Raises
    ------
    ValidationError
        A number is not finite or out of its bounds.
    """

    walk: float = 1.75
    run: float = 3.75
    sprint: float = 6.5
    crouch: float = 1.5
    acceleration: Four = (20.0, 20.0, 20.0, 7.5)
    braking: Four = (15.0, 15.0, 12.5, 5.0)
    friction: Four = (5.0, 5.0, 4.0, 0.5)
    yaw_half: Four = (0.15, 0.15, 0.15, 0.05)
    radius: float = 0.30
    height: float = 1.80
    crouch_height: float = 1.12
    air_control: float = 0.15
    walkable: float = 45.0
    step: float = 0.45
    gravity: float = 9.81
    jump: float = 4.2
    buffer: float = 0.1
    coyote: float = 0.1
    fall_limit: float = 40.0
    side_sets: bool = False
    name: str = "normal"

    def __post_init__(self) -> None:
        bounds = {
            "walk": (0.01, 50.0), "run": (0.01, 50.0), "sprint": (0.01, 50.0), "crouch": (0.01, 50.0),
            "acceleration": (0.01, 1e4), "braking": (0.01, 1e4), "friction": (0.0, 1e3), "yaw_half": (0.0, 10.0),
            "radius": (0.05, 5.0), "height": (0.1, 20.0), "crouch_height": (0.1, 20.0),
            "air_control": (0.0, 1.0), "walkable": (1.0, 80.0), "step": (0.0, 5.0), "gravity": (0.01, 1000.0),
            "jump": (0.0, 100.0), "buffer": (0.0, 10.0), "coyote": (0.0, 10.0), "fall_limit": (0.1, 1000.0),
        }  # fmt: skip
        for name, (low, high) in bounds.items():
            value = getattr(self, name)
            for number in value if isinstance(value, tuple) else (value,):
                if not low <= number <= high:
                    raise ValidationError(f"controller: {name}: expected {low:g} to {high:g}, got {number!r}")
        if not self.walk < self.run < self.sprint:
            raise ValidationError("controller: expected walk < run < sprint")
        if not 2.0 * self.radius <= self.crouch_height <= self.height:
            raise ValidationError("controller: expected 2 radius ≤ crouch_height ≤ height")

    def gait_amount(self, speed: float) -> float:
        """0 standing, 1 at walk, 2 at run, 3 at sprint, linear between."""
        return table(speed, (0.0, self.walk, self.run, self.sprint), AMOUNTS)

    @property
    def walkable_cos(self) -> float:
        """The least upward part of a walkable normal."""
        return math.cos(math.radians(self.walkable)) - 1e-6


PRESETS: dict[str, Setup] = {
    "normal": Setup(),
    "responsive": Setup(
        acceleration=(25.0, 25.0, 25.0, 5.0),
        braking=(20.0, 20.0, 20.0, 8.0),
        friction=(10.0, 10.0, 10.0, 5.0),
        yaw_half=(0.1, 0.1, 0.1, 0.05),
        name="responsive",
    ),
    "sluggish": Setup(
        acceleration=(5.0, 5.0, 5.0, 2.0),
        braking=(10.0, 10.0, 10.0, 3.0),
        friction=(4.0, 4.0, 4.0, 1.0),
        yaw_half=(0.2, 0.2, 0.2, 0.05),
        name="sluggish",
    ),
}
"""The presets; where the specification gives two numbers, the first holds up to running, the second at a sprint."""


def preset(name: str) -> Setup:
    """A preset by name.

    Raises
    ------
    ValidationError
        There is none of that name.
    """
    if name not in PRESETS:
        raise ValidationError(f"controller: expected one of {', '.join(PRESETS)}, got {name!r}")
    return PRESETS[name]

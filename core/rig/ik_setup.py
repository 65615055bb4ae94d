"""IK set-ups stored on the rig: which chain follows what, and how (spec: ik)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from core.arrays import frozen_mapping
from core.errors import ValidationError


class IkSolver(StrEnum):
    """How the chain is solved.

    AIM turns the tip alone toward the goal, FOLLOW puts the tip alone where the goal is, with the goal's
    rotation, and TURN gives it the goal's rotation only: a prop, a hip or a head in another space.
    """

    TWO_BONE = "two_bone"
    CCD = "ccd"
    FABRIK = "fabrik"
    AIM = "aim"
    FOLLOW = "follow"
    TURN = "turn"

    @property
    def single(self) -> bool:
        """Whether it works on the tip alone, without a chain."""
        return self in (IkSolver.AIM, IkSolver.FOLLOW, IkSolver.TURN)


class IkSpace(StrEnum):
    """What a goal's place is relative to."""

    MODEL = "model"
    WORLD = "world"
    BONE = "bone"


class EndRotation(StrEnum):
    """What the bone at the end of the chain does with its own rotation."""

    MODEL = "keep_model"
    LOCAL = "keep_local"
    GOAL = "goal"


@dataclass(frozen=True, slots=True)
class IkTarget:
    """A place (and rotation) that a chain follows.

    Parameters
    ----------
    space : what `position` and `rotation` are relative to
    bone : name of the bone where `space` is a bone
    position : metres
    rotation : unit quaternion
    """

    space: IkSpace = IkSpace.MODEL
    bone: str | None = None
    position: tuple[float, float, float] = (0.0, 0.0, 0.0)
    rotation: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 1.0)

    def __post_init__(self) -> None:
        if (self.space is IkSpace.BONE) != (self.bone is not None):
            raise ValidationError("IK goal: a bone is named exactly where the space is a bone")


@dataclass(frozen=True, slots=True)
class IkSetup:
    """One chain and how it is solved.

    Parameters
    ----------
    root, tip : names of the chain's first bone and of the bone whose origin reaches for the goal
    goal, pole : where it reaches, and where the bend points (two-bone only; None keeps the present
        bend plane)
    weight : 0..1, blends from the input pose
    end_rotation : what the tip bone does with its rotation
    soft : fraction of the reach over which a two-bone chain eases into full extension; 0 is off
    stretch_start, stretch_limit : reach ratio at which lengths begin to grow, and the largest
        growth factor; a limit of 1 is off
    stiffness : bone name → 0 (free) .. 1 (never turns)
    step : largest turn of a bone in one CCD step, degrees
    use_limits : whether the rig's joint limits hold
    tolerance, iterations : metres and steps at which the iterative solvers stop
    aim_axis, up_axis : of an aiming bone, in its own frame
    aim_limit : largest turn from the input pose, degrees
    """

    name: str
    root: str
    tip: str
    solver: IkSolver = IkSolver.CCD
    goal: IkTarget = IkTarget()
    pole: IkTarget | None = None
    enabled: bool = False
    weight: float = 1.0
    end_rotation: EndRotation = EndRotation.MODEL
    soft: float = 0.0
    stretch_start: float = 1.0
    stretch_limit: float = 1.0
    stiffness: Mapping[str, float] = field(default_factory=dict)
    step: float = 180.0
    use_limits: bool = True
    tolerance: float = 1e-3
    iterations: int = 50
    aim_axis: tuple[float, float, float] = (0.0, 1.0, 0.0)
    up_axis: tuple[float, float, float] = (0.0, 0.0, 1.0)
    aim_limit: float = 180.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "stiffness", frozen_mapping(self.stiffness))
        object.__setattr__(self, "solver", IkSolver(self.solver))
        if not self.name or "/" in self.name:
            raise ValidationError(f"IK set-up: expected a name without a slash, got {self.name!r}")
        if not 0.0 <= self.weight <= 1.0:
            raise ValidationError(f"IK {self.name!r}: expected a weight of 0 to 1, got {self.weight}")
        if self.iterations < 0 or not self.tolerance > 0.0:
            raise ValidationError(f"IK {self.name!r}: expected iterations ≥ 0 and a tolerance above 0 m")
        if not 0.0 <= self.soft < 1.0 or self.stretch_limit < 1.0 or self.stretch_start <= 0.0:
            raise ValidationError(f"IK {self.name!r}: soft is 0 to below 1, stretch starts above 0 and grows")

    def bones(self) -> tuple[str, ...]:
        """Names of the bones it turns or weighs."""
        return (self.root, self.tip, *self.stiffness)

    def targets(self) -> tuple[str, ...]:
        """Names of the bones, virtual ones among them, that goal and pole use as their space."""
        return tuple(t.bone for t in (self.goal, self.pole) if t is not None and t.bone is not None)

"""What drives and shows a character: a controller with a pose for each of its states."""

from typing import Protocol, TypeVar

import numpy as np

from core.arrays import FloatArray
from core.locomotion.input import Input
from core.locomotion.state import State
from core.math import quat
from core.math.transform import Transform
from core.pose.pose import Pose
from core.rig.rig import Rig

S = TypeVar("S")
UP = np.array([0.0, 1.0, 0.0])


class Driven(Protocol[S]):
    """A character that is driven: pure steps over frozen states, and what each of them looks like."""

    @property
    def rig(self) -> Rig:
        """Whose poses they are."""
        ...

    def start(self, place: tuple[float, float, float] = (0.0, 0.0, 0.0), yaw: float = 0.0) -> S:
        """The state in which it stands at a place; `yaw` in degrees about +Y."""
        ...

    def step(self, state: S, given: Input) -> S:
        """The state 1/60 s later."""
        ...

    def control(self, state: S) -> State:
        """The controller's part of a state."""
        ...

    def pose(self, state: S) -> Pose:
        """The pose of a state, the character's own motion taken out; see `standing`."""
        ...


def standing(state: State) -> Transform:
    """Where a character stands: what puts its pose into the world."""
    turn: FloatArray = quat.from_axis_angle(UP, np.radians(state.yaw))
    return Transform(np.array(state.position), turn, np.ones(3))

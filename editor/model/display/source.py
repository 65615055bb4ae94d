"""Another source of the pose shown than the clip: a blend space, a retarget or a graph that is tried out."""

from typing import Protocol

from core.arrays import FloatArray
from core.pose.pose import Pose
from editor.model.events import Event


class PoseSource(Protocol):
    """Gives the pose to show now. `changed` says that it differs."""

    changed: Event[None]

    def pose(self) -> Pose | None:
        """The pose now, root motion taken out; None where there is none to show: the clip's shows."""

    def world(self) -> FloatArray:
        """Matrix ``(4, 4)`` that puts the pose into the world."""

    def stop(self) -> None:
        """Show the clip again."""

    @property
    def title(self) -> str:
        """What is shown, in a few words."""

    @property
    def detail(self) -> str:
        """Where in it."""


class Drawn(Protocol):
    """A pose that is drawn in place of the one shown, for looking only. `changed` says that it differs."""

    changed: Event[None]

    @property
    def on(self) -> bool:
        """Whether it is drawn."""

    @property
    def title(self) -> str:
        """What is drawn, in a few words."""

    def pose(self) -> Pose | None:
        """The pose to draw."""

    def matrices(self) -> FloatArray | None:
        """Model matrices ``(B, 4, 4)`` of `pose`."""

    def stop(self) -> None:
        """Draw the pose shown again."""

"""What a drag shows before it is committed. Never saved, never in the history."""

from collections.abc import Callable

from core.clips.clip import Clip
from core.pose.pose import Pose
from editor.model.events import Event


class Preview:
    """A pose or a clip shown instead of the document's, while a gesture runs.

    Attributes
    ----------
    changed : what is to be shown differs
    hold : what a pose goes through before it is shown (pins), or None
    settle : what a clip goes through before it is shown, as `Edits.settle` does when it is committed
    """

    def __init__(self) -> None:
        self._pose: Pose | None = None
        self._clip: Clip | None = None
        self.changed: Event[None] = Event()
        self.hold: Callable[[Pose], Pose] | None = None
        self.settle: Callable[[Clip], Clip] = lambda clip: clip

    @property
    def pose(self) -> Pose | None:
        """Overrides the evaluated pose."""
        return self._pose

    @property
    def clip(self) -> Clip | None:
        """Overrides the data of the clip with the same id."""
        return self._clip

    @property
    def active(self) -> bool:
        """Whether anything is overridden."""
        return self._pose is not None or self._clip is not None

    def set_pose(self, pose: Pose | None) -> None:
        """Show this pose from now on, with pinned bones held."""
        if pose is not None and self.hold is not None:
            pose = self.hold(pose)
        if pose is not self._pose:
            self._pose = pose
            self.changed.emit(None)

    def set_clip(self, clip: Clip | None) -> None:
        """Evaluate this clip from now on."""
        if clip is not None:
            clip = self.settle(clip)
        if clip is not self._clip:
            self._clip = clip
            self.changed.emit(None)

    def clear(self) -> None:
        """Show the document again."""
        if self.active:
            self._pose = self._clip = None
            self.changed.emit(None)

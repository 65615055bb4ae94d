"""The kinds of things that are shown in place of the document's clip, or over it."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from enum import IntEnum

from core.clips.clip import Clip
from core.pose.pose import Pose
from core.rig.rig import Rig
from editor.model.display.source import Drawn, PoseSource
from editor.model.i18n import tr, trn
from editor.model.pending import PendingPose
from editor.model.playback import Playback
from editor.model.preview import Preview


class DisplayLevel(IntEnum):
    """Heights in the stack: what is higher is shown over what is lower."""

    DRAGGED_CLIP = 1
    TRANSIENT_CLIP = 2
    SOURCE = 3
    PENDING = 4
    DRAGGED_POSE = 5
    DRAWN = 6


class Override(ABC):
    """One thing that is shown in place of what lies below it, or that changes it.

    An override leaves alone what it says nothing of: `clip` and `pose` then give what is below.
    """

    level: DisplayLevel

    @property
    @abstractmethod
    def active(self) -> bool:
        """Whether it has a say now."""

    @property
    @abstractmethod
    def title(self) -> str:
        """What is shown, in a few words."""

    @abstractmethod
    def leave(self) -> None:
        """Show what is below again."""

    def clip(self, below: Clip | None) -> Clip | None:
        """The clip that is evaluated."""
        return below

    def pose(self, rig: Rig, below: Callable[[], Pose]) -> Pose:
        """The pose shown; `below` gives the one below, where it is needed."""
        return below()


class DraggedClip(Override):
    """Keys of the clip shown, as a drag has them."""

    level = DisplayLevel.DRAGGED_CLIP

    def __init__(self, preview: Preview) -> None:
        self._preview = preview

    @property
    def active(self) -> bool:
        return self._preview.clip is not None

    @property
    def title(self) -> str:
        return tr("keys as they are dragged")

    def leave(self) -> None:
        self._preview.set_clip(None)

    def clip(self, below: Clip | None) -> Clip | None:
        edited = self._preview.clip
        return edited if below is not None and edited is not None and edited.id == below.id else below


class TransientClip(Override):
    """A clip from outside the document, for the time line of a preview."""

    level = DisplayLevel.TRANSIENT_CLIP

    def __init__(self, playback: Playback) -> None:
        self._playback = playback

    @property
    def active(self) -> bool:
        return self._playback.transient_clip is not None

    @property
    def title(self) -> str:
        clip = self._playback.transient_clip
        return clip.name if clip is not None else ""

    def leave(self) -> None:
        self._playback.set_transient_clip(None)

    def clip(self, below: Clip | None) -> Clip | None:
        return self._playback.transient_clip or below


class Pending(Override):
    """Changes that are not keyed yet."""

    level = DisplayLevel.PENDING

    def __init__(self, pending: PendingPose) -> None:
        self._pending = pending

    @property
    def active(self) -> bool:
        return bool(self._pending)

    @property
    def title(self) -> str:
        count = len(self._pending.bones) + len(self._pending.weights)
        return trn("{count} pending change", "{count} pending changes", count)

    def leave(self) -> None:
        self._pending.drop()

    def pose(self, rig: Rig, below: Callable[[], Pose]) -> Pose:
        return self._pending.over(rig, below())


class DraggedPose(Override):
    """The pose, as a drag has it."""

    level = DisplayLevel.DRAGGED_POSE

    def __init__(self, preview: Preview) -> None:
        self._preview = preview

    @property
    def active(self) -> bool:
        return self._preview.pose is not None

    @property
    def title(self) -> str:
        return tr("the pose as it is dragged")

    def leave(self) -> None:
        self._preview.set_pose(None)

    def pose(self, rig: Rig, below: Callable[[], Pose]) -> Pose:
        dragged = self._preview.pose
        fits = dragged is not None and dragged.rig == rig.id and len(dragged) == len(rig.skeleton)
        return dragged if dragged is not None and fits else below()


class Source(Override):
    """Another source of poses than the clip."""

    level = DisplayLevel.SOURCE

    def __init__(self, source: PoseSource) -> None:
        self.source = source

    @property
    def active(self) -> bool:
        return True

    @property
    def title(self) -> str:
        return self.source.title

    def leave(self) -> None:
        self.source.stop()


class DrawnInstead(Override):
    """A pose that only the viewport shows; what is edited stays below it."""

    level = DisplayLevel.DRAWN

    def __init__(self, drawn: Drawn) -> None:
        self.drawn = drawn

    @property
    def active(self) -> bool:
        return self.drawn.on

    @property
    def title(self) -> str:
        return self.drawn.title

    def leave(self) -> None:
        self.drawn.stop()

"""What is shown: the document's clip, and over it one ordered stack of overrides."""

from collections.abc import Callable, Sequence
from functools import partial

from core.clips.clip import Clip
from core.pose.pose import Pose
from core.rig.rig import Rig
from editor.model.display.override import (
    DisplayLevel,
    DraggedClip,
    DraggedPose,
    DrawnInstead,
    Override,
    Pending,
    Source,
    TransientClip,
)
from editor.model.display.source import Drawn, PoseSource
from editor.model.events import Event
from editor.model.pending import PendingPose
from editor.model.playback import Playback
from editor.model.preview import Preview


class Display:
    """The overrides of one session; whoever needs to know what is shown asks this, never one of them.

    Attributes
    ----------
    changed : what an override of that level shows, or whether it is there, differs
    dragged : a drag has changed the pose or the clip: the clip is what the person means
    """

    def __init__(self, playback: Playback, preview: Preview, pending: PendingPose) -> None:
        self._overrides: list[Override] = [
            DraggedClip(preview),
            TransientClip(playback),
            Pending(pending),
            DraggedPose(preview),
        ]
        self._with_clips = _with_clips(self._overrides)
        self._source: Source | None = None
        self._leave_source: Callable[[], None] = lambda: None
        self.changed: Event[DisplayLevel] = Event()
        self.dragged: Event[None] = Event()
        self._preview = preview
        preview.changed.connect(lambda _: self._on_preview())
        pending.changed.connect(lambda _: self.changed.emit(DisplayLevel.PENDING))
        playback.clip_changed.connect(lambda _: self.changed.emit(DisplayLevel.TRANSIENT_CLIP))

    # ------------------------------------------------------------ what is there
    @property
    def shown(self) -> tuple[Override, ...]:
        """The overrides that have a say now, from the lowest to the highest."""
        return tuple(override for override in self._overrides if override.active)

    @property
    def top(self) -> Override | None:
        """The highest that has a say; None where the document's clip is shown as it is."""
        return next((override for override in reversed(self._overrides) if override.active), None)

    def has(self, *levels: DisplayLevel) -> bool:
        """Whether an override of one of the levels has a say."""
        return any(override.level in levels and override.active for override in self._overrides)

    def leave(self, level: DisplayLevel) -> None:
        """End what is shown at a level; those below and above stay."""
        for override in self.shown:
            if override.level is level:
                override.leave()

    # ------------------------------------------------------------ putting in
    def add_drawn(self, drawn: Drawn) -> None:
        """Let a pose be drawn in place of the one shown whenever it is on."""
        self._insert(DrawnInstead(drawn))
        drawn.changed.connect(lambda _: self.changed.emit(DisplayLevel.DRAWN))

    def show(self, source: PoseSource) -> None:
        """Show another source of poses than the clip; one that was shown is stopped."""
        if self._source is not None and self._source.source is source:
            return
        if self._source is not None:
            self._source.leave()
        self._source = Source(source)
        self._insert(self._source)
        self._leave_source = source.changed.connect(lambda _: self.changed.emit(DisplayLevel.SOURCE))
        self.changed.emit(DisplayLevel.SOURCE)

    def hide(self, source: PoseSource) -> None:
        """Show the clip again where that source is shown."""
        if self._source is not None and self._source.source is source:
            self._leave_source()
            self._overrides.remove(self._source)
            self._with_clips = _with_clips(self._overrides)
            self._source = None
            self.changed.emit(DisplayLevel.SOURCE)

    def _on_preview(self) -> None:
        self.changed.emit(DisplayLevel.DRAGGED_POSE)
        if self._preview.active:
            self.dragged.emit(None)

    def _insert(self, override: Override) -> None:
        self._overrides = sorted([*self._overrides, override], key=lambda other: other.level)
        self._with_clips = _with_clips(self._overrides)

    # ------------------------------------------------------------ what it gives
    @property
    def source(self) -> PoseSource | None:
        """What gives poses in place of the clip, or None."""
        return None if self._source is None else self._source.source

    @property
    def drawn(self) -> Drawn | None:
        """What is drawn in place of the pose shown, or None."""
        top = self.top
        return top.drawn if isinstance(top, DrawnInstead) else None

    def clip(self, below: Clip | None) -> Clip | None:
        """The clip to evaluate, over the document's."""
        for override in self._with_clips:
            below = override.clip(below)
        return below

    def pose(self, rig: Rig, below: Callable[[], Pose]) -> Pose:
        """The pose shown, over that of the clip or of the source; computed only where it is seen."""
        return self._pose_from(len(self._overrides), rig, below)

    def _pose_from(self, count: int, rig: Rig, below: Callable[[], Pose]) -> Pose:
        """The pose over the lowest so many overrides: the highest active one is asked, and asks for what it needs."""
        for number in range(count - 1, -1, -1):
            override = self._overrides[number]
            if override.active:
                return override.pose(rig, partial(self._pose_from, number, rig, below))
        return below()


def _with_clips(overrides: Sequence[Override]) -> tuple[Override, ...]:
    """Those of some overrides that have a say in which clip is evaluated: a picture asks thousands of times."""
    return tuple(override for override in overrides if type(override).clip is not Override.clip)

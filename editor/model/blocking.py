"""The Blocking view: the clip is shown in steps, pose by pose, and no key changes. Free of Qt."""

from collections.abc import Mapping

import numpy as np

from core.clips.clip import Clip
from core.clips.poses import Poses, held_time, poses_of
from editor.model.document import Document
from editor.model.evaluator import Evaluator
from editor.model.events import Event
from editor.model.i18n import tr
from editor.model.playback import Playback
from editor.model.preferences import Preferences

PREFERENCE = "blocking_frames"
STEPS: Mapping[int, str] = {0: tr("Key poses"), 2: tr("On 2s"), 3: tr("On 3s"), 4: tr("On 4s")}
"""What a shown pose is held for: until the next key pose (0), or for so many frames."""


NONE = Poses(np.zeros(0), np.zeros(0, np.uint8))


class Blocking:
    """Shows each time as the pose that is held then. Only what is shown: files, bakes and edits know nothing of it.

    Attributes
    ----------
    changed : it was turned on or off, or holds for another time
    """

    def __init__(
        self, document: Document, playback: Playback, evaluator: Evaluator, preferences: Preferences
    ) -> None:
        self._playback, self._evaluator, self._preferences = playback, evaluator, preferences
        self._on = False
        self._known: list[tuple[Clip, Poses]] = []
        self.changed: Event[None] = Event()
        document.replaced.connect(lambda _: self.set(False))

    @property
    def on(self) -> bool:
        """Whether the view is stepped."""
        return self._on

    def set(self, on: bool) -> None:
        """Turn it on or off."""
        if on != self._on:
            self._on = on
            self._evaluator.set_hold(self.held if on else None)
            self.changed.emit(None)

    @property
    def frames(self) -> int:
        """Frames that a pose is held for; 0 is until the next key pose."""
        found = int(self._preferences.get(PREFERENCE))
        return found if found in STEPS else 0

    def hold_for(self, frames: int) -> None:
        """Hold poses for so many frames, 0 until the next key pose; remembered."""
        if frames != self.frames:
            self._preferences.set(PREFERENCE, frames)
            self._evaluator.set_hold(self.held if self._on else None)
            self.changed.emit(None)

    def poses(self) -> Poses:
        """The key poses of the clip shown, a drag's preview of it too."""
        return self.poses_of(self._evaluator.clip)

    def poses_of(self, clip: Clip | None) -> Poses:
        """The key poses of a clip, found once: the document's and a drag's preview are asked for in turns."""
        if clip is None:
            return NONE
        found = next((poses for known, poses in self._known if known is clip), None)
        if found is None:
            found = poses_of(clip)
            self._known = [(clip, found), *self._known[:1]]
        return found

    def held_pose(self, time: float) -> float:
        """Time of the key pose that is the last one at a time, in whatever steps the view goes."""
        return held_time(self.poses().times, time)

    def held(self, time: float) -> float:
        """Time whose pose is shown at a time."""
        frames, rate = self.frames, self._playback.rate
        if frames:
            frame = rate.to_frame(time) + 1e-6
            return rate.to_seconds(frame // frames * frames)
        return held_time(self.poses().times, time)

    @property
    def title(self) -> str:
        """What the view says while it is on."""
        held = STEPS[self.frames].lower()
        return tr("Blocking view: {how}", how=held) if self._on else ""

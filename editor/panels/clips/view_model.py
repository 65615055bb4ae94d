"""The clip list without Qt: what is listed, and what editing a clip does."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TypeVar

from core.clips.clip import Clip, RootMotion
from core.clips.edits import KeepTime
from core.errors import AnimError
from core.evaluation.clip_pipeline import own_clips
from core.ids import AssetId
from core.timing import FrameRate, frame_text, rate_text
from editor.model.i18n import tr
from editor.model.session import Session

T = TypeVar("T")

"""What a dragged clip is announced as; the data is the clip's id in UTF-8."""


@dataclass(frozen=True, slots=True)
class Row:
    """One clip of the list.

    Parameters
    ----------
    detail : its length in frames and its rate
    shown : whether it is the clip in the viewport
    """

    id: AssetId
    name: str
    detail: str
    looping: bool
    root_motion: bool
    shown: bool


@dataclass(frozen=True, slots=True)
class Settings:
    """What the fields below the list show of the clip shown."""

    id: AssetId
    frames: float
    seconds: float
    rate: float
    looping: bool
    keyed: bool
    root_motion: RootMotion
    bones: tuple[str, ...]


class ClipList:
    """Lists the clips of the rig shown and edits them; what cannot be done is said in the message bar."""

    def __init__(self, session: Session) -> None:
        self._session = session

    @property
    def has_rig(self) -> bool:
        """Whether there is a character to make clips for."""
        return self._session.rig is not None

    def rows(self, words: str = "") -> tuple[Row, ...]:
        """Clips of the rig shown whose name holds every word."""
        rig = self._session.rig
        if rig is None:
            return ()
        wanted = [word.casefold() for word in words.split()]
        own = own_clips(self._session.document.project)  # of layers: they are in the Layers panel
        return tuple(
            Row(
                clip.id,
                clip.name,
                tr("{frames} f · {rate} fps", frames=frame_text(clip.frames), rate=rate_text(clip.rate.fps)),
                clip.looping,
                clip.root_motion.enabled,
                clip.id == (self._session.playback.below or self._session.playback.clip),
            )
            for clip in self._session.document.project.clips_of(rig.id)
            if clip.id not in own
            if all(word in clip.name.casefold() for word in wanted)
        )

    def settings(self) -> Settings | None:
        """Settings of the clip shown, or below the layer in hand."""
        clip, rig = self._session.evaluator.layered_clip, self._session.rig
        if clip is None or rig is None:
            return None
        roots = tuple(rig.skeleton.names[i] for i in rig.skeleton.roots())
        named = clip.root_motion.bone
        bones = roots if named is None or named in roots else (*roots, named)
        return Settings(
            clip.id,
            clip.frames,
            clip.length,
            clip.rate.fps,
            clip.looping,
            any(True for _ in clip.every_track()),
            clip.root_motion,
            bones,
        )

    # ------------------------------------------------------------ doing
    def show(self, clip: AssetId) -> None:
        """Show a clip; the frame stays where it is, as far as the clip reaches. It ends every preview."""
        self._session.stop_preview()
        self._session.playback.set_clip(clip)

    def new(self) -> AssetId | None:
        """Make an empty clip and show it."""
        return self._try(lambda: self._session.clips.new())

    def duplicate(self, clip: AssetId) -> AssetId | None:
        """Make a copy and show it."""
        return self._try(lambda: self._session.clips.duplicate(clip))

    def rename(self, clip: AssetId, name: str) -> bool:
        """Give another name."""
        return bool(self._try(lambda: self._session.clips.rename(clip, name)))

    def delete(self, clip: AssetId) -> bool:
        """Delete a clip; one in use is refused with the reason."""
        return bool(self._try(lambda: self._session.clips.delete(clip)))

    def set_frames(self, clip: AssetId, frames: float) -> bool:
        """Change the length, given in frames."""
        asset = self._clip(clip)
        return bool(self._try(lambda: self._session.clips.set_length(clip, asset.rate.to_seconds(frames))))

    def rate_asks(self, clip: AssetId, rate: float) -> bool:
        """Whether a change of rate has to ask what stays: seconds or frames."""
        asset = self._clip(clip)
        return abs(asset.rate.fps - rate) > 1e-9 and (asset.length > 0.0 or asset.last_key() > 0.0)

    def set_rate(self, clip: AssetId, rate: float, keep: KeepTime) -> bool:
        """Change the frame rate."""
        return bool(self._try(lambda: self._session.clips.set_rate(clip, FrameRate.of(rate), keep)))

    def set_looping(self, clip: AssetId, looping: bool) -> bool:
        """Make it loop or not."""
        return bool(self._try(lambda: self._session.clips.set_looping(clip, looping)))

    def set_root_motion(self, clip: AssetId, changes: Mapping[str, object]) -> bool:
        """Change parts of the root-motion settings by name; parts left out stay."""
        settings: RootMotion = replace(self._clip(clip).root_motion, **changes)  # type: ignore[arg-type]
        return bool(self._try(lambda: self._session.clips.set_root_motion(clip, settings)))

    def _clip(self, clip: AssetId) -> Clip:
        return self._session.document.project.get(Clip, clip)

    def _try(self, work: Callable[[], T]) -> T | None:
        try:
            return work()
        except AnimError as error:
            self._session.messages.warn(str(error))
            return None

"""Audio and reference footage that lie beside a clip: assets of the project that name a file on disk.

The file itself is not in the document. In memory the path is absolute; the document stores it relative to itself
where both are on one drive (`core.io.native.media_schema`).
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Protocol, TypeVar

from core.clips.clip import Clip
from core.errors import ValidationError
from core.ids import AssetId, Reference, Targets, redirected

MOST_SECONDS = 360_000.0
"""How far a track may be moved from the clip's start, either way."""
MOST_VOLUME = 4.0
LEAST_SIZE, MOST_SIZE = 0.02, 10.0
MOST_PLACE = 10.0


class Placement(StrEnum):
    """Where reference footage is shown."""

    BEHIND = "behind"
    CARD = "card"


CARD = {"x": 0.2, "y": 0.8, "size": 0.3}
WHOLE = {"x": 0.5, "y": 0.5, "size": 1.0}
"""Where a card is at first, and footage behind the character."""


def _checked(what: str, value: float, low: float, high: float) -> None:
    if not (math.isfinite(value) and low <= value <= high):
        raise ValidationError(f"{what}: expected {low:g} to {high:g}, got {value:g}")


def _check_common(name: str, path: str, start: float) -> None:
    if not name.strip():
        raise ValidationError("media: expected a name")
    if not path.strip() or "\0" in path:
        raise ValidationError(f"{name!r}: expected the path of a file")
    _checked(f"{name!r}: start in seconds", start, -MOST_SECONDS, MOST_SECONDS)


@dataclass(frozen=True, slots=True)
class AudioTrack:
    """Sound that plays along with a clip.

    Parameters
    ----------
    path : of a sound file, or of a video that has sound
    clip : the clip it belongs to; None is every clip
    start : seconds of the clip at which the file begins
    volume : factor, 0 to 4
    """

    id: AssetId
    name: str
    path: str
    clip: AssetId | None = None
    start: float = 0.0
    volume: float = 1.0
    muted: bool = False

    def __post_init__(self) -> None:
        _check_common(self.name, self.path, self.start)
        _checked(f"{self.name!r}: volume", self.volume, 0.0, MOST_VOLUME)

    def references(self) -> tuple[Reference, ...]:
        """The clip it belongs to."""
        return () if self.clip is None else (Reference(self.clip, Clip, "clip"),)

    def with_targets(self, targets: Targets) -> "AudioTrack | None":
        """The same for another clip; None where its clip is gone."""
        return _redirected(self, targets)


@dataclass(frozen=True, slots=True)
class ReferenceTrack:
    """A video, a sequence of pictures or one picture that is shown with the character.

    Parameters
    ----------
    path : of a video, a picture, or the first picture of a sequence
    clip : the clip it belongs to; None is every clip
    start : seconds of the clip at which the footage begins
    rate : pictures a second of a sequence; 0 is the clip's own. A video has its own times
    opacity : 0 to 1
    placement : behind the character, or a card in front
    x, y : its middle, as a share of the view's width from the left and of its height from the top
    size : its height as a share of the view's
    """

    id: AssetId
    name: str
    path: str
    clip: AssetId | None = None
    start: float = 0.0
    rate: float = 0.0
    shown: bool = True
    opacity: float = 0.6
    placement: Placement = Placement.BEHIND
    x: float = 0.5
    y: float = 0.5
    size: float = 1.0

    def __post_init__(self) -> None:
        _check_common(self.name, self.path, self.start)
        _checked(f"{self.name!r}: rate in pictures a second", self.rate, 0.0, 1000.0)
        _checked(f"{self.name!r}: opacity", self.opacity, 0.0, 1.0)
        _checked(f"{self.name!r}: x", self.x, -MOST_PLACE, MOST_PLACE)
        _checked(f"{self.name!r}: y", self.y, -MOST_PLACE, MOST_PLACE)
        _checked(f"{self.name!r}: size", self.size, LEAST_SIZE, MOST_SIZE)

    def references(self) -> tuple[Reference, ...]:
        """The clip it belongs to."""
        return () if self.clip is None else (Reference(self.clip, Clip, "clip"),)

    def with_targets(self, targets: Targets) -> "ReferenceTrack | None":
        """The same for another clip; None where its clip is gone."""
        return _redirected(self, targets)


Track = AudioTrack | ReferenceTrack
T = TypeVar("T", AudioTrack, ReferenceTrack)


def _redirected(track: T, targets: Targets) -> T | None:
    if track.clip is None:
        return track
    clip = redirected(track.clip, targets)
    return None if clip is None else replace(track, clip=clip)


def leads_away(path: str) -> bool:
    """Whether a path names another computer (``//host/share``); what a document names there is not asked for."""
    return path.replace("\\", "/").startswith("//")


class _Assets(Protocol):
    @property
    def assets(self) -> Mapping[AssetId, object]: ...


def media_of(project: _Assets, clip: AssetId | None) -> tuple[Track, ...]:
    """The tracks that play with a clip, its own and those of every clip, in order."""
    return tuple(
        asset
        for asset in project.assets.values()
        if isinstance(asset, AudioTrack | ReferenceTrack) and asset.clip in (None, clip)
    )


def tracks_owned_by(project: _Assets, clip: AssetId) -> tuple[Track, ...]:
    """The tracks that belong to one clip alone, and go with it."""
    return tuple(track for track in media_of(project, clip) if track.clip == clip)

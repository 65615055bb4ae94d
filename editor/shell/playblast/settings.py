"""What a playblast is to show and where it goes, as a value that another process can be given. Free of Qt."""

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from core.arrays import FloatArray
from core.clips.clip import Clip
from core.errors import ValidationError
from core.ids import AssetId
from core.io.movies import SUFFIXES
from core.timing import TIME_EPSILON
from editor.gl.camera import Camera

PICTURES = ".png"
KINDS = (PICTURES, *SUFFIXES)
SEE_THROUGH = (PICTURES, ".webp")
"""What can hold a transparent background."""
MAX_EDGE, MAX_PICTURES = 8192, 100_000


@dataclass(frozen=True, slots=True)
class Playblast:
    """One playblast.

    Parameters
    ----------
    path : its suffix, one of `KINDS`, tells what is written; pictures are numbered
    clip : which clip
    start, end : seconds in the clip, both shown
    rate : pictures a second
    size : pixels
    ratio : pixels for each logical pixel: how thick lines are
    camera, camera_time : where the view looks from, and the time (seconds) at which it did
    light : colours of the light theme
    transparent : nothing behind the character
    background : a plain colour as #rrggbb in place of the theme's, or nothing
    shot_camera : id of the camera of the shot that is looked through in place of `camera`, or nothing
    counter : write the number of the frame, and of the last one, into each picture
    sound : with the sound of the clip, which only MP4 can
    open_end : leave out the last picture, which a looping clip shows again as its first
    in_place : take root motion back
    layers : with the layers over the clip
    switches : what of the character and its stage is shown, see `editor.model.switches`
    bones : names of the selected bones, whose trails are shown
    blocking : frames that the Blocking view holds a pose for, 0 until the next key pose; None shows the motion
    """

    path: Path
    clip: AssetId
    start: float
    end: float
    rate: float
    size: tuple[int, int]
    camera: Camera = field(default_factory=Camera)
    camera_time: float = 0.0
    ratio: float = 1.0
    light: bool = False
    transparent: bool = False
    open_end: bool = False
    in_place: bool = True
    layers: bool = True
    switches: Mapping[str, bool] = field(default_factory=dict)
    bones: tuple[str, ...] = ()
    background: str = ""
    counter: bool = False
    sound: bool = False
    shot_camera: str = ""
    blocking: int | None = None

    def __post_init__(self) -> None:
        if self.path.suffix.lower() not in KINDS:
            known = ", ".join(KINDS)
            raise ValidationError(f"the name must end in one of {known}, this is {self.path.name or 'none'}")
        if not all(1 <= edge <= MAX_EDGE for edge in self.size):
            raise ValidationError(f"playblast: expected 1 to {MAX_EDGE} pixels each way, got {self.size}")
        if self.background and not re.fullmatch("#[0-9a-fA-F]{6}", self.background):
            raise ValidationError(f"playblast: expected a colour as #rrggbb, got {self.background!r}")
        if not (np.isfinite(self.rate) and self.rate > 0.0):
            raise ValidationError(f"playblast: expected a rate above 0, got {self.rate}")
        if not 0.0 <= self.start <= self.end:
            raise ValidationError(
                f"playblast: expected 0 ≤ start ≤ end, got {self.start:g} to {self.end:g} s"
            )
        if self.count > MAX_PICTURES:
            raise ValidationError(f"playblast: expected at most {MAX_PICTURES} pictures, got {self.count}")

    @property
    def kind(self) -> str:
        """The suffix in lower case."""
        return self.path.suffix.lower()

    @property
    def count(self) -> int:
        """How many pictures there will be."""
        whole = int(np.floor((self.end - self.start) * self.rate + 1e-6)) + 1
        closes = (
            self.open_end and whole > 1 and self.start + (whole - 1) / self.rate > self.end - TIME_EPSILON
        )
        return whole - 1 if closes else whole

    def times(self) -> FloatArray:
        """When each picture is taken ``(N,)``, seconds in the clip."""
        times: FloatArray = np.minimum(self.start + np.arange(self.count) / self.rate, self.end)
        return times

    def files(self) -> tuple[str, ...]:
        """Names of what is written, in order."""
        if self.kind != PICTURES:
            return (self.path.name,)
        digits = max(4, len(str(self.count - 1)))
        return tuple(f"{self.path.stem}_{number:0{digits}d}{PICTURES}" for number in range(self.count))

    def to_json(self) -> dict[str, Any]:
        """Plain values."""
        return {**asdict(self), "path": str(self.path), "switches": dict(self.switches)}

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> "Playblast":
        """The same again from `to_json`."""
        camera = dict(values["camera"])
        camera["target"] = tuple(camera["target"])
        return cls(
            **{
                **values,
                "path": Path(values["path"]),
                "size": tuple(values["size"]),
                "bones": tuple(values["bones"]),
                "camera": Camera(**camera),
            }
        )


def clip_frames(clip: Clip) -> int:
    """Number of a clip's last frame."""
    return max(0, round(clip.length * clip.rate.fps))

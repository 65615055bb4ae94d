"""What a contact sheet is to show and where it goes, as a value that another process can be given. Free of Qt."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from core.errors import ValidationError
from core.ids import AssetId
from editor.contact_sheet import SheetStyle

SUFFIX = ".png"
MOST_FRAMES = 1000


@dataclass(frozen=True, slots=True)
class SheetTask:
    """One sheet.

    Parameters
    ----------
    path : the picture, a PNG
    clips : which clips, of one character, below each other
    frames : pictures of each clip, spread from its first to its last frame
    style : how they look
    """

    path: Path
    clips: tuple[AssetId, ...]
    frames: int = 12
    style: SheetStyle = field(default_factory=SheetStyle)

    def __post_init__(self) -> None:
        if self.path.suffix.lower() != SUFFIX:
            raise ValidationError(f"the name must end in {SUFFIX}, this is {self.path.name or 'none'}")
        if not self.clips:
            raise ValidationError("sheet: expected at least one clip")
        if not 1 <= self.frames <= MOST_FRAMES:
            raise ValidationError(f"sheet: expected 1 to {MOST_FRAMES} frames, got {self.frames}")

    def to_json(self) -> dict[str, Any]:
        """Plain values."""
        return {**asdict(self), "path": str(self.path)}

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> "SheetTask":
        """The same again from `to_json`."""
        style: dict[str, Any] = {
            name: tuple(value) if isinstance(value, list) else value
            for name, value in values["style"].items()
        }
        return cls(Path(values["path"]), tuple(values["clips"]), int(values["frames"]), SheetStyle(**style))

"""A second character beside the one that is edited: of the same document or of another file, read only."""

from dataclasses import dataclass, replace

from core.clips.clip import Clip
from core.errors import ValidationError
from core.ids import AssetId, Reference, Targets, redirected
from core.math.transform import IDENTITY, Transform
from core.rig.rig import Rig
from core.shot.prop import checked_transform


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class ShotCharacter:
    """A character to look at. An asset of the project.

    Parameters
    ----------
    file : the file that holds it, relative to the document's folder where it can be; "" is this document
    rig, clip : of this document, where `file` is ""; a clip of None is the rest pose
    rig_name, clip_name : in the file; "" is the first rig, and the rest pose
    offset : seconds of playback at which its clip begins
    place : where it stands
    ghosted : drawn see-through

    Raises
    ------
    ValidationError
        No name, or an offset that is not finite.
    """

    id: AssetId
    name: str
    file: str = ""
    rig: AssetId | None = None
    clip: AssetId | None = None
    rig_name: str = ""
    clip_name: str = ""
    offset: float = 0.0
    place: Transform = IDENTITY
    ghosted: bool = False
    visible: bool = True

    def __post_init__(self) -> None:
        what = f"character {self.name!r}"
        if not self.name.strip():
            raise ValidationError("second character: expected a name")
        if not -1e6 < self.offset < 1e6:
            raise ValidationError(f"{what}: expected an offset in seconds, got {self.offset}")
        if not self.file and self.rig is None:
            raise ValidationError(f"{what}: expected a file, or a character of this document")
        object.__setattr__(self, "place", checked_transform(self.place, what))

    def references(self) -> tuple[Reference, ...]:
        """The rig and the clip of this document that it shows."""
        rigs = () if self.rig is None else (Reference(self.rig, Rig, "character"),)
        clips = () if self.clip is None else (Reference(self.clip, Clip, "clip"),)
        return (*rigs, *clips)

    def with_targets(self, targets: Targets) -> "ShotCharacter | None":
        """The same with references redirected (see `Asset.with_targets`); None where its rig is gone."""
        rig = None if self.rig is None else redirected(self.rig, targets)
        if rig is None and not self.file:
            return None
        return replace(self, rig=rig, clip=None if self.clip is None else redirected(self.clip, targets))


def clip_time(clip: Clip, offset: float, time: float) -> float:
    """Seconds within a clip that began at `offset` of playback: a loop goes on, another clip waits at its ends."""
    at = time - offset
    if clip.length <= 0.0:
        return 0.0
    if clip.looping:
        return at % clip.length
    return min(max(at, 0.0), clip.length)

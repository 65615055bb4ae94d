"""What to do to a project before a format writes it."""

from dataclasses import dataclass
from enum import StrEnum

from core.errors import ValidationError
from core.ids import AssetId
from core.tracks.places import KeyPlaces


class Keys(StrEnum):
    """Which keys are written: the clip's own, one on each frame, as few as a distance allows, or cubic ones.

    Cubic keys are exact where tracks are; Euler angles and weighted tangents are fitted by them.
    """

    OWN = "own"
    FRAMES = "frames"
    REDUCED = "reduced"
    CUBIC = "cubic"


class Root(StrEnum):
    """What happens to root motion: it stays in the pose, is removed, or moves an added root bone."""

    KEEP = "keep"
    IN_PLACE = "in place"
    EXTRACTED = "extracted"


class Rest(StrEnum):
    """Which pose the skeleton rests in: its own, or the one in which the meshes were bound."""

    NODES = "nodes"
    SKIN = "skin"


class RestScale(StrEnum):
    """What happens to scale in the rest pose: it stays, or is baked into offsets and meshes (`prepare.rest_scale`)."""

    KEEP = "keep"
    FOLDED = "folded"


@dataclass(frozen=True, slots=True)
class Prepare:
    """What to do.

    Parameters
    ----------
    rig : which rig; None is the project's first
    clips : which of its clips; None is all
    keys : see `Keys`
    millimetres : by how much `Keys.REDUCED` may move any point
    root : what happens to root motion; the clip's own settings select its parts
    rest : see `Rest`
    scale : see `RestScale`; None is what the format's programs need: folded in FBX and USD, kept elsewhere
    one_root : whether a skeleton of several roots gets a bone above them
    root_name : of the bone that `Root.EXTRACTED` makes
    degrees : by how much `Keys.CUBIC` may turn a bone where it has to fit
    metres_per_unit, up_axis : of the file; None is what the format's own settings say
    rigs : several rigs for one file, with all their clips, in place of `rig` and `clips`
    places : where `Keys.REDUCED` may put keys
    """

    rig: AssetId | None = None
    clips: tuple[AssetId, ...] | None = None
    keys: Keys = Keys.OWN
    millimetres: float = 1.0
    root: Root = Root.KEEP
    rest: Rest = Rest.NODES
    root_name: str = "root_motion"
    scale: RestScale | None = None
    one_root: bool = False
    degrees: float = 0.01
    metres_per_unit: float | None = None
    up_axis: str | None = None
    rigs: tuple[AssetId, ...] = ()
    places: KeyPlaces = KeyPlaces.OWN

    def __post_init__(self) -> None:
        if not 0.0 < self.millimetres < 1e4:
            raise ValidationError(f"reduction: expected a distance above 0 mm, got {self.millimetres}")
        if not 1e-5 <= self.degrees <= 90.0:
            raise ValidationError(f"cubic keys: expected an angle of 0.00001° to 90°, got {self.degrees}")

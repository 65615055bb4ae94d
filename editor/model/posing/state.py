"""What the posing panels, actions and tools share while the window is open; never saved in a document."""

from core.ids import AssetId
from core.pose.library import LibraryPose
from core.project.project import Project
from editor.model.events import Event


class PosingState:
    """The library poses chosen, and the mask they are applied through.

    Attributes
    ----------
    changed : something chosen differs
    """

    def __init__(self) -> None:
        self._poses: tuple[AssetId, ...] = ()
        self._mask = ""
        self.changed: Event[None] = Event()

    @property
    def poses(self) -> tuple[AssetId, ...]:
        """Ids of the library poses chosen, the active one last."""
        return self._poses

    @property
    def active(self) -> AssetId | None:
        """The library pose that is blended toward."""
        return self._poses[-1] if self._poses else None

    def choose(self, *poses: AssetId) -> None:
        """Choose library poses; the last one is active."""
        chosen = tuple(dict.fromkeys(poses))
        if chosen != self._poses:
            self._poses = chosen
            self.changed.emit(None)

    @property
    def mask(self) -> str:
        """Name of the rig's mask that library poses are applied through; "" is none."""
        return self._mask

    def use_mask(self, name: str) -> None:
        """Apply library poses through a mask of the rig."""
        if name != self._mask:
            self._mask = name
            self.changed.emit(None)

    def active_pose(self, project: Project) -> LibraryPose | None:
        """The active library pose, where the project still has it."""
        found = project.assets.get(self.active) if self.active else None
        return found if isinstance(found, LibraryPose) else None

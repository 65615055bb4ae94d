"""What is driven in Play, over what, and how quickly it responds: the choices a person makes, kept as preferences."""

from pathlib import Path

from core.ids import AssetId
from core.locomotion.matching.setup import Drive
from core.locomotion.play_setup import PlaySetup, setups_of
from core.locomotion.setup import PRESETS, Setup
from core.rig.rig import Rig
from core.terrain.reading import read_terrain
from core.terrain.terrain import Terrain
from editor.model.document import Document
from editor.model.events import Event
from editor.model.i18n import tr
from editor.model.play.grounds import TERRAINS
from editor.model.playback import Playback
from editor.model.preferences import Preferences

PREFERENCE = "play"
FILE = "file"
"""Id of a terrain that was read from a file."""
BY_NAME = ""
"""In place of a set-up's id: clips are found by their names alone."""


class PlayChoices:
    """Character, set-up, terrain and preset.

    Attributes
    ----------
    changed : another one is chosen; true where the character begins again at the terrain's start
    """

    def __init__(self, document: Document, playback: Playback, preferences: Preferences) -> None:
        self._document, self._playback, self._preferences = document, playback, preferences
        stored = preferences.get(PREFERENCE)
        stored = stored if isinstance(stored, dict) else {}
        self._terrain_id = stored["terrain"] if stored.get("terrain") in TERRAINS else "flat"
        self._preset = stored["preset"] if stored.get("preset") in PRESETS else "normal"
        self._drive = Drive(stored["drive"]) if stored.get("drive") in list(Drive) else Drive.RULES
        self._terrains: dict[str, Terrain] = {}
        self._file: Path | None = None
        self._setups: dict[AssetId, str] = {}
        self.changed: Event[bool] = Event()
        document.replaced.connect(lambda _: self._setups.clear())

    # ------------------------------------------------------------ the character
    @property
    def rig(self) -> Rig | None:
        """The character shown."""
        found = self._document.project.assets.get(self._playback.rig) if self._playback.rig else None
        return found if isinstance(found, Rig) else None

    @property
    def setups(self) -> tuple[PlaySetup, ...]:
        """The set-ups that the document holds for the character."""
        rig = self.rig
        return () if rig is None else setups_of(self._document.project, rig.id)

    @property
    def setup(self) -> PlaySetup | None:
        """The set-up it is driven by: the one chosen, else the first; None finds all clips by name."""
        rig, setups = self.rig, self.setups
        if rig is None:
            return None
        chosen = self._setups.get(rig.id)
        if chosen == BY_NAME:
            return None
        return next((found for found in setups if found.id == chosen), setups[0] if setups else None)

    def choose_setup(self, asset: str) -> None:
        """Drive the character by a set-up, by its id; `BY_NAME` finds all clips by name."""
        rig, before = self.rig, self.setup
        if rig is None or (asset != BY_NAME and all(found.id != asset for found in self.setups)):
            return
        self._setups[rig.id] = asset
        if self.setup is not before:
            self.changed.emit(False)

    # ------------------------------------------------------------ the terrain
    @property
    def terrain_id(self) -> str:
        """Id of the terrain, `FILE` for one of a file."""
        return self._terrain_id if self._file is None else FILE

    @property
    def terrain(self) -> Terrain:
        """What the character is driven over."""
        key = self.terrain_id
        if key not in self._terrains:
            self._terrains[key] = TERRAINS[key][1]()
        return self._terrains[key]

    @property
    def terrain_title(self) -> str:
        """What the terrain is called."""
        return TERRAINS[self._terrain_id][0] if self._file is None else self._file.name

    def choose_terrain(self, key: str) -> None:
        """Drive over another terrain, from its start."""
        if key in TERRAINS and key != self.terrain_id:
            self._terrain_id, self._file = key, None
            self._keep()
            self.changed.emit(True)

    def open_terrain(self, path: Path) -> None:
        """Drive over a terrain of a file.

        Raises
        ------
        FormatError
            Naming the file and the field.
        """
        self.put_terrain(read_terrain(path), path)
        self.changed.emit(True)

    def put_terrain(self, terrain: Terrain, path: Path) -> None:
        """Take a terrain that was read from a file."""
        self._terrains[FILE], self._file = terrain, path

    # ------------------------------------------------------------ the controller
    @property
    def preset(self) -> str:
        """How quickly the controller responds: a key of `PRESETS`."""
        return self._preset

    @property
    def controller(self) -> Setup:
        """The preset's numbers."""
        return PRESETS[self._preset]

    def choose_preset(self, name: str) -> None:
        """Let the controller respond as a preset says, from where the character is."""
        if name in PRESETS and name != self._preset:
            self._preset = name
            self._keep()
            self.changed.emit(False)

    @property
    def drive(self) -> Drive:
        """How the character's poses are chosen."""
        return self._drive

    def choose_drive(self, drive: Drive) -> None:
        """Choose poses by the graph's rules or by motion matching, from where the character is."""
        if drive is not self._drive:
            self._drive = drive
            self._keep()
            self.changed.emit(False)

    def put_preset(self, name: str) -> None:
        """Take the preset of recorded inputs, where it is one."""
        self._preset = name if name in PRESETS else self._preset

    def _keep(self) -> None:
        stored = {"terrain": self._terrain_id, "preset": self._preset, "drive": str(self._drive)}
        self._preferences.set(PREFERENCE, stored)

    # ------------------------------------------------------------ what can be driven
    def why_not(self) -> str:
        """Why the character cannot be driven, or ""."""
        return tr("no character is shown") if self.rig is None else ""

"""What the user likes: kept in a JSON file of its own, never in documents."""

import json
import logging
import math
import os
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

from core.io.common.opening import read_regular
from editor.model.events import Event
from editor.model.paths import config_dir

logger = logging.getLogger(__name__)
T = TypeVar("T")

MAX_RECENT = 12
MAX_USED = 24

DEFAULTS: Mapping[str, Any] = {
    "theme": "dark",
    "scale": 1.0,
    "language": "",
    "recent": [],
    "used_actions": [],
    "layout": "",
    "geometry": "",
    "key_preset": "default",
    "shortcuts": {},
    "time_unit": "frames",
    "auto_key": True,
    "snap_to_frames": True,
    "tolerance_translate": 1e-4,
    "tolerance_rotate": 0.01,
    "tolerance_scale": 1e-4,
    "backups": 5,
    "undo_megabytes": 512,
    "play_mode": "real_time",
    "loop_mode": "loop",
    "in_place": True,
    "last_folder": "",
    "key_places": "own",
    "auto_ends": "one_sided",
    "reduced_motion": False,
    "timing_frames": 1,
    "timing_mode": "tween",
    "new_tangents": "curve",
    "blocking_frames": 0,
    "plant_feet": True,
    "space_keep": False,
    "space_bake": False,
    "space_frames": 0,
    "path_frames": 8,
    "pull_keeps_hands": False,
}
"""Every preference that the model knows, with its default; others (a panel's) may be stored beside them."""


RANGES: Mapping[str, tuple[float, float]] = {
    "scale": (0.5, 4.0),
    "tolerance_translate": (0.0, 1e3),
    "tolerance_rotate": (0.0, 360.0),
    "tolerance_scale": (0.0, 1e3),
    "backups": (0, 1000),
    "undo_megabytes": (1, 1_000_000),
    "timing_frames": (1, 1000),
    "space_frames": (0, 100_000),
    "path_frames": (0, 1000),
}
"""What numbers may be; one outside is not believed."""
MOST_BYTES = 16 << 20


class Preferences:
    """Preferences by name; written a moment after they change, read once.

    A file that cannot be read is put aside as ``preferences.broken.json`` and defaults are used:
    starting never fails because of it. A value of another type than the default's is not believed.

    Attributes
    ----------
    changed : the name of what differs
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._file = (folder or config_dir()) / "preferences.json"
        self._values: dict[str, Any] = {}
        self.changed: Event[str] = Event()
        self._read()

    @property
    def path(self) -> Path:
        """The file."""
        return self._file

    def get(self, name: str, default: Any = None) -> Any:
        """A preference's value, else its default."""
        usual = DEFAULTS.get(name, default)
        value = self._values.get(name, usual)
        return value if usual is None or _fits(value, usual) else usual

    def set(self, name: str, value: Any) -> None:
        """Set a preference (JSON types only) and write the file; an equal value does nothing."""
        if self.get(name) == value:
            return
        self._values[name] = value
        self.save()
        self.changed.emit(name)

    def reset(self, name: str) -> None:
        """Back to the default."""
        if name in self._values:
            del self._values[name]
            self.save()
            self.changed.emit(name)

    # ------------------------------------------------------------ recent files
    @property
    def recent(self) -> tuple[Path, ...]:
        """Files opened or saved last, newest first."""
        return tuple(Path(p) for p in self.get("recent") if isinstance(p, str))

    def add_recent(self, path: Path) -> None:
        """Put a file first in the list."""
        text = str(path.absolute())
        self.set("recent", [text, *(p for p in self.get("recent") if p != text)][:MAX_RECENT])

    def forget_recent(self, path: Path | None = None) -> None:
        """Take a file from the list, or all."""
        text = None if path is None else str(path.absolute())
        self.set("recent", [] if text is None else [p for p in self.get("recent") if p != text])

    # ------------------------------------------------------------ actions used
    @property
    def used_actions(self) -> tuple[str, ...]:
        """Ids of the actions chosen in the palette, those chosen last first."""
        return tuple(id for id in self.get("used_actions") if isinstance(id, str))

    def add_used_action(self, id: str) -> None:
        """Put an action first in the list."""
        self.set("used_actions", [id, *(known for known in self.used_actions if known != id)][:MAX_USED])

    # ------------------------------------------------------------ file
    def save(self) -> None:
        """Write the file, whole or not at all; failing to is only logged."""
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(prefix=".preferences.", suffix=".part", dir=self._file.parent)
            try:
                # A file's name may be no Unicode: what is none becomes its JSON escape.
                with os.fdopen(handle, "w", encoding="utf-8", errors="backslashreplace") as file:
                    json.dump(self._values, file, indent=1, ensure_ascii=False)
                Path(name).replace(self._file)
            except BaseException:
                with suppress(OSError):
                    Path(name).unlink()
                raise
        except OSError as error:
            logger.warning("preferences could not be written to %s: %s", self._file, error)

    def _read(self) -> None:
        try:
            values = json.loads(read_regular(self._file, MOST_BYTES).decode("utf-8"))
            if not isinstance(values, dict):
                raise ValueError("expected an object")
        except FileNotFoundError:
            return
        except (OSError, ValueError, RecursionError) as error:
            logger.warning("%s could not be read (%s); defaults are used", self._file, error)
            with suppress(OSError):
                self._file.replace(self._file.with_suffix(".broken.json"))
            return
        self._values = {
            k: v for k, v in values.items() if k not in DEFAULTS or (_fits(v, DEFAULTS[k]) and _within(k, v))
        }


def _within(name: str, value: Any) -> bool:
    """Whether a number is in its range."""
    low, high = RANGES.get(name, (-math.inf, math.inf))
    return not isinstance(value, int | float) or low <= value <= high


def _fits(value: Any, default: Any) -> bool:
    """Whether a value read from the file can stand in for the default."""
    if isinstance(default, bool) or isinstance(value, bool):
        return isinstance(value, bool) and isinstance(default, bool)
    if isinstance(default, int | float):
        return isinstance(value, int | float) and value == value and abs(value) < 1e9
    return isinstance(value, type(default))

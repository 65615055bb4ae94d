"""What is drawn over a driven character: switches by name, kept in the preferences."""

from collections.abc import Mapping

from editor.model.events import Event
from editor.model.i18n import tr
from editor.model.preferences import Preferences

PREFERENCE = "play_overlays"

OVERLAYS: Mapping[str, tuple[str, str, bool]] = {
    "velocity": (tr("Velocity"), tr("Arrow of the velocity, 0.4 m for 1 m/s"), True),
    "wish": (tr("Wish"), tr("Arrow of what the input asks for, 1 m for a full stick"), False),
    "capsule": (tr("Capsule"), tr("What the controller moves over the ground"), False),
    "contacts": (tr("Contacts"), tr("A dot at each foot that touches the ground"), True),
    "locks": (tr("Foot locks"), tr("Where a locked foot is held"), False),
    "trace": (
        tr("Foot trace"),
        tr("Where the feet were in the last 4 s, coloured by slip while they touch"),
        True,
    ),
}
"""Name → title, tooltip, whether it is on at first."""


class Overlays:
    """Switches; `changed` tells that one differs."""

    def __init__(self, preferences: Preferences) -> None:
        self._preferences = preferences
        stored = preferences.get(PREFERENCE)
        stored = stored if isinstance(stored, dict) else {}
        self._on = {name: bool(stored.get(name, on)) for name, (_, _, on) in OVERLAYS.items()}
        self.changed: Event[str] = Event()

    def __getitem__(self, name: str) -> bool:
        return self._on[name]

    def set(self, name: str, on: bool) -> None:
        """Turn a switch; raises `KeyError` for one that does not exist."""
        if self._on[name] != on:
            self._on[name] = on
            self._preferences.set(PREFERENCE, dict(self._on))
            self.changed.emit(name)

    def toggle(self, name: str) -> None:
        """Turn a switch over."""
        self.set(name, not self._on[name])

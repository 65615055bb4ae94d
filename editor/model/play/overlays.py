"""What is drawn over a driven character: switches by name, kept in the preferences."""

from collections.abc import Mapping
from typing import NamedTuple

from editor.model.events import Event
from editor.model.i18n import tr
from editor.model.preferences import Preferences

PREFERENCE = "play_overlays"


class Overlay(NamedTuple):
    """One switch: what it is called, what it draws, its icon, and whether it is on at first."""

    title: str
    tip: str
    icon: str
    on: bool


OVERLAYS: Mapping[str, Overlay] = {
    "velocity": Overlay(tr("Velocity"), tr("Arrow of the velocity, 0.4 m for 1 m/s"), "velocity", True),
    "wish": Overlay(tr("Wish"), tr("Arrow of what the input asks for, 1 m for a full stick"), "wish", False),
    "capsule": Overlay(tr("Capsule"), tr("What the controller moves over the ground"), "capsule", False),
    "contacts": Overlay(
        tr("Contacts"), tr("A dot at each foot that touches the ground, coloured by slip"), "contact", True
    ),
    "locks": Overlay(tr("Foot locks"), tr("A ring where a foot is held on the ground"), "lock", False),
    "trace": Overlay(
        tr("Foot trace"),
        tr("Where the feet were in the last 4 s, coloured by slip while they touch"),
        "trace",
        True,
    ),
}


class Overlays:
    """Switches; `changed` tells that one differs."""

    def __init__(self, preferences: Preferences) -> None:
        self._preferences = preferences
        stored = preferences.get(PREFERENCE)
        stored = stored if isinstance(stored, dict) else {}
        self._on = {name: bool(stored.get(name, known.on)) for name, known in OVERLAYS.items()}
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

"""What of the character and its stage is shown: named switches, remembered between sessions."""

from collections.abc import Mapping

from editor.model.events import Event
from editor.model.preferences import Preferences

DEFAULTS: Mapping[str, bool] = {
    "mesh": True,
    "bones": True,
    "names": False,
    "grid": True,
    "axes": False,
    "limits": False,
    "bodies": False,
    "alignment": True,
    "shadow": True,
    "ghosts": False,
    "trails": False,
    "trails_speed": False,
    "trails_curvature": False,
    "transition_ghosts": True,
    "live_mirror": False,
    "heads_up": True,
    "traffic": False,
    "safe_frame": True,
    "shot": True,
    "silhouette": False,
    "clay": False,
    "unlit": False,
    "follow": False,
    "bone_modes": False,
    "short_names": True,
    "snap": True,
    "snap_keys": True,
    "snap_markers": True,
    "ripple": False,
    "event_lanes": False,
    "overview": True,
    "fit_curves": True,
    "curves_motion": False,
    "timing_bar": False,
    "pose_strip": False,
    "set_colors": False,
    "scrub_sound": True,
    "sound": True,
    "reference": True,
    "temporary_ik": False,
    "path_drag": False,
    "path_draw": False,
}


SHADINGS: Mapping[str, Mapping[str, bool]] = {
    "textured": {"clay": False, "unlit": False, "silhouette": False},
    "clay": {"clay": True, "unlit": False, "silhouette": False},
    "unlit": {"clay": False, "unlit": True, "silhouette": False},
    "silhouette": {"clay": False, "unlit": False, "silhouette": True},
}
"""How meshes are drawn, in the order in which a key goes through them: the switches of each."""

TRAIL_COLORS: Mapping[str, Mapping[str, bool]] = {
    "time": {"trails_speed": False, "trails_curvature": False},
    "speed": {"trails_speed": True, "trails_curvature": False},
    "curvature": {"trails_speed": False, "trails_curvature": True},
}
"""What the colours of trails tell, in the order in which a key goes through them: the switches of each."""


class Switches:
    """Switches by name; `changed` tells which."""

    def __init__(self, preferences: Preferences) -> None:
        self._preferences = preferences
        stored = preferences.get("switches", {})
        stored = stored if isinstance(stored, dict) else {}
        self._on = {name: bool(stored.get(name, default)) for name, default in DEFAULTS.items()}
        self.changed: Event[str] = Event()

    def __getitem__(self, name: str) -> bool:
        return self._on[name]

    def set(self, name: str, on: bool) -> None:
        """Turn a switch; raises `KeyError` for one that does not exist."""
        if self._on[name] != on:
            self._on[name] = on
            self._preferences.set("switches", dict(self._on))
            self.changed.emit(name)

    def shading(self) -> str:
        """Which of `SHADINGS` the switches make; the one that counts where several are on."""
        if self._on["silhouette"]:
            return "silhouette"
        return next((name for name in ("clay", "unlit") if self._on[name]), "textured")

    def next_shading(self) -> str:
        """Go on to the next of `SHADINGS`; its name."""
        names = tuple(SHADINGS)
        name = names[(names.index(self.shading()) + 1) % len(names)]
        for switch, on in SHADINGS[name].items():
            self.set(switch, on)
        return name

    def trail_colors(self) -> str:
        """Which of `TRAIL_COLORS` the switches make; speed where both are on."""
        return next((name for name in ("speed", "curvature") if self._on[f"trails_{name}"]), "time")

    def set_trail_colors(self, name: str) -> None:
        """Have trails colored by one of `TRAIL_COLORS`; raises `KeyError` for another."""
        for switch, on in TRAIL_COLORS[name].items():
            self.set(switch, on)

    def toggle(self, name: str) -> None:
        """Turn a switch over."""
        self.set(name, not self._on[name])

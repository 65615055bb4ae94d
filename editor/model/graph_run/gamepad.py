"""A gamepad read by SDL, where the extra ``gamepad`` is installed."""

import importlib
import os
import warnings
from collections.abc import Mapping
from typing import Any

from core.errors import UnsupportedError
from editor.model.i18n import tr

AXES = ("left_x", "left_y", "right_x", "right_y", "left_trigger", "right_trigger")
"""In SDL's order; sticks −1..1, up and right positive, triggers 0..1."""
BUTTONS = (
    "a", "b", "x", "y", "back", "guide", "start", "left_stick", "right_stick", "left_shoulder", "right_shoulder",
    "up", "down", "left", "right",
)  # fmt: skip
"""In SDL's order."""
FULL = 32767.0


class Gamepad:
    """The first gamepad that is connected.

    Raises
    ------
    UnsupportedError
        The extra is not installed, or no gamepad is connected; the message says what to do.
    """

    def __init__(self) -> None:
        self._sdl = sdl()
        sdl2 = self._sdl
        if sdl2.SDL_InitSubSystem(sdl2.SDL_INIT_GAMECONTROLLER) != 0:
            raise UnsupportedError(tr("Gamepads cannot be read: {reason}", reason=_reason(sdl2)))
        self._pad = None
        for number in range(sdl2.SDL_NumJoysticks()):
            if sdl2.SDL_IsGameController(number) and not self._pad:
                self._pad = sdl2.SDL_GameControllerOpen(number)
        if not self._pad:
            self.close()
            raise UnsupportedError(tr("No gamepad is connected: connect one, then try again"))

    @property
    def name(self) -> str:
        """What the gamepad calls itself."""
        found = self._sdl.SDL_GameControllerName(self._pad)
        return (found or b"").decode("utf-8", "replace")

    @property
    def connected(self) -> bool:
        """Whether it is still there."""
        return bool(self._pad) and bool(self._sdl.SDL_GameControllerGetAttached(self._pad))

    def named(self) -> Mapping[str, float]:
        """Every control now by name, see `AXES` and `BUTTONS`; empty where it was unplugged."""
        sdl2 = self._sdl
        sdl2.SDL_GameControllerUpdate()
        if not self.connected:
            return {}
        found: dict[str, float] = {}
        for number, name in enumerate(AXES):
            value = max(sdl2.SDL_GameControllerGetAxis(self._pad, number) / FULL, -1.0)
            found[name] = -value + 0.0 if name.endswith("_y") else value  # sticks count down as positive
        for number, name in enumerate(BUTTONS):
            found[name] = float(sdl2.SDL_GameControllerGetButton(self._pad, number))
        return found

    def controls(self) -> Mapping[str, float]:
        """Every control now by number: ``axis0`` −1..1, up and right positive, ``button0`` 0 or 1."""
        named = self.named()
        found = {f"axis{number}": named.get(name, 0.0) for number, name in enumerate(AXES)}
        return found | {f"button{number}": named.get(name, 0.0) for number, name in enumerate(BUTTONS)}

    def close(self) -> None:
        """Close the gamepad."""
        if self._pad:
            self._sdl.SDL_GameControllerClose(self._pad)
        self._pad = None
        self._sdl.SDL_QuitSubSystem(self._sdl.SDL_INIT_GAMECONTROLLER)


class PadWatch:
    """Waits for a gamepad that is plugged in; looking costs microseconds, as SDL stays at work.

    Raises
    ------
    UnsupportedError
        The extra is not installed, or SDL cannot start.
    """

    def __init__(self) -> None:
        self._sdl = sdl()
        if self._sdl.SDL_InitSubSystem(self._sdl.SDL_INIT_GAMECONTROLLER) != 0:
            raise UnsupportedError(tr("Gamepads cannot be read: {reason}", reason=_reason(self._sdl)))

    def look(self) -> Gamepad | None:
        """The first gamepad, or None."""
        self._sdl.SDL_GameControllerUpdate()
        if self._sdl.SDL_NumJoysticks() == 0:
            return None
        try:
            return Gamepad()
        except UnsupportedError:
            return None

    def close(self) -> None:
        """Wait no more."""
        self._sdl.SDL_QuitSubSystem(self._sdl.SDL_INIT_GAMECONTROLLER)


def sdl() -> Any:
    """The module ``sdl2``, told to read gamepads only.

    Raises
    ------
    UnsupportedError
        The extra is not installed.
    """
    os.environ.setdefault("SDL_JOYSTICK_ALLOW_BACKGROUND_EVENTS", "1")  # the window is Qt's
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # it warns of which library it takes
            return importlib.import_module("sdl2")
    except (ImportError, OSError) as error:
        raise UnsupportedError(
            tr("Gamepads need the extra “gamepad”: pip install posewright[gamepad]")
        ) from error


def _reason(sdl2: Any) -> str:
    return str((sdl2.SDL_GetError() or b"").decode("utf-8", "replace"))

"""A gamepad read by pygame, where the extra ``gamepad`` is installed."""

import importlib
import os
from collections.abc import Mapping
from typing import Any

from core.errors import UnsupportedError
from editor.model.i18n import tr


class Gamepad:
    """The first gamepad that is connected.

    Raises
    ------
    UnsupportedError
        The extra is not installed, or no gamepad is connected; the message says what to do.
    """

    def __init__(self) -> None:
        os.environ.setdefault("SDL_VIDEODRIVER", "dummy")  # the window is Qt's
        os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
        try:
            self._pygame: Any = importlib.import_module("pygame")
        except ImportError as error:
            raise UnsupportedError(
                tr("Gamepads need the extra “gamepad”: pip install posewright[gamepad]")
            ) from error
        self._pygame.display.init()
        self._pygame.joystick.init()
        if self._pygame.joystick.get_count() == 0:
            self.close()
            raise UnsupportedError(tr("No gamepad is connected: connect one, then try again"))
        self._stick = self._pygame.joystick.Joystick(0)

    @property
    def name(self) -> str:
        """What the gamepad calls itself."""
        return str(self._stick.get_name())

    def controls(self) -> Mapping[str, float]:
        """Every control now: ``axis0`` −1..1, up and right positive, ``button0`` 0 or 1."""
        self._pygame.event.pump()
        found: dict[str, float] = {}
        for number in range(self._stick.get_numaxes()):
            value = float(self._stick.get_axis(number))
            found[f"axis{number}"] = -value if number % 2 else value  # sticks count down as positive
        for number in range(self._stick.get_numbuttons()):
            found[f"button{number}"] = float(self._stick.get_button(number))
        return found

    def close(self) -> None:
        """Let the gamepad go."""
        self._pygame.joystick.quit()
        self._pygame.display.quit()

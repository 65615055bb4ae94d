"""Whether there is a screen to open a window on, and what to do where there is none.

Needs nothing but the standard library: ``dev.py`` asks here before anything is installed.
"""

import os
import sys
from collections.abc import Mapping
from pathlib import Path

SETTINGS = "-screen 0 1920x1080x24 +extension GLX"
"""What a virtual screen needs, in the words of Xvfb."""

ADVICE = """  On a desktop: start this in a terminal of that desktop.
  Over SSH: connect with "ssh -X" (slow), or use remote desktop software.
  Without any screen: xvfb-run -a -s "{settings}" {command}
  Files can be inspected, sampled and converted without a window: {plain} --help"""


def missing_screen(environment: Mapping[str, str] | None = None) -> str:
    """Why no window can be opened here, or "" where nothing speaks against it.

    Only Linux is asked; a platform of Qt's that was chosen by ``QT_QPA_PLATFORM`` and needs no display is left
    to Qt. A display that is named is not tried: Qt does that, see `editor.shell.start`.
    """
    if not sys.platform.startswith("linux"):
        return ""
    values = os.environ if environment is None else environment
    platform = values.get("QT_QPA_PLATFORM", "").partition(":")[0].partition(";")[0]
    if platform not in ("", "xcb") and not platform.startswith("wayland"):
        return ""
    if values.get("DISPLAY"):
        return ""
    wayland = values.get("WAYLAND_DISPLAY")
    if not wayland:
        return "neither DISPLAY nor WAYLAND_DISPLAY is set"
    socket = Path(values.get("XDG_RUNTIME_DIR", "/")) / wayland
    return "" if socket.exists() else f"WAYLAND_DISPLAY names {socket}, which does not exist"


def words(why: str, command: str = "posewright", plain: str = "posewright") -> str:
    """What to say where no window can be opened.

    Parameters
    ----------
    why : the reason
    command : how the program was started
    plain : how it is started without a window
    """
    first = f"There is no screen to show the window on: {why}."
    return first + "\n" + ADVICE.format(settings=SETTINGS, command=command, plain=plain)

"""An action: one thing the user can do, declared once for menus, tool bars, keys, palette and help."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from editor.model.session import Session


class Scope(StrEnum):
    """Where an action's keys work; those of the window work everywhere but in text fields.

    The graph canvas has a keyboard of its own: its keys come before those of the window.
    """

    WINDOW = "window"
    VIEW = "view"
    TIME = "time"
    GRAPH = "graph"


def always(session: Session) -> str:
    """Enabled without condition."""
    return ""


@dataclass(frozen=True, slots=True)
class Action:
    """One declaration.

    Parameters
    ----------
    id : ``group.verb``, stable: shortcuts and menus refer to it
    title : what it is called, in the user's language
    run : does it; None leaves it to the window, which binds a handler
    shortcut : key sequences as Qt writes them ("Ctrl+Shift+Z"), the first one is shown
    menu : where it stands, such as ``File`` or ``View/Show``; "" is in no menu
    section : actions of one menu with different sections are parted by a line
    toolbar : tool bar it stands on, or ""
    icon : name in the icon family (``mdi6.…``), or ""
    enabled : "" where it can be done, else the reason why not
    checked : whether it is on, for those that are on or off
    tip : what it does, where the title does not say it
    """

    id: str
    title: str
    run: Callable[[Session], object] | None = None
    shortcut: tuple[str, ...] = ()
    scope: Scope = Scope.WINDOW
    menu: str = ""
    section: str = ""
    toolbar: str = ""
    icon: str = ""
    enabled: Callable[[Session], str] = always
    checked: Callable[[Session], bool] | None = None
    tip: str = ""

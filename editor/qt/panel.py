"""What a panel is, and what it is given when it is made."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol

from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QDockWidget, QMenu, QWidget

from editor.qt.theme import Theme

if TYPE_CHECKING:
    from editor.actions.registry import Registry
    from editor.model.session import Session
    from editor.qt.binding import Source
    from editor.qt.runner import JobRunner
    from editor.tools.state import ToolState

Area = Literal["left", "right", "bottom", "centre"]


class WindowServices(Protocol):
    """What a panel may ask of the window it stands in. Nothing here blocks: answers come to callbacks."""

    def set_hint(self, text: str) -> None:
        """Show what mouse and keys do now at the left of the status bar; "" shows the default."""

    def set_frame_rate(self, frames_per_second: float | None, behind: bool = False) -> None:
        """Show the measured pictures a second in the status bar; None shows nothing."""

    def show_panel(self, panel: str) -> None:
        """Bring a panel to the front, wherever it is."""

    def menu_of(self, actions: Sequence[str | None], parent: QWidget) -> QMenu:
        """A menu of registered actions by id, ready to pop up; None is a separator."""

    def ask(
        self,
        title: str,
        text: str,
        choices: Sequence[tuple[str, str]],
        answer: Callable[[str], None],
        default: str = "",
    ) -> None:
        """Ask with one button for each (id, label); `answer` gets the id, or "" when cancelled."""


@dataclass(frozen=True, slots=True)
class PanelContext:
    """Everything a panel may use, passed to its constructor; nothing is global.

    Parameters
    ----------
    session : the model, free of Qt
    actions : every action, to run by id or to put in menus
    theme : colours, fonts, icons
    runner : starts jobs off the window's thread
    window : services of the window
    tools : the active tool and how it works, shared by viewport, tool bar and actions
    """

    session: "Session"
    actions: "Registry"
    theme: Theme
    runner: "JobRunner"
    window: WindowServices
    tools: "ToolState"


class Panel(QWidget):
    """What the shell asks of every panel's widget; a panel overrides what it has."""

    _sight_told: Callable[[bool], object] | None = None
    _dock: QDockWidget | None = None

    def tell_sight(self, told: Callable[[bool], object]) -> None:
        """Have something told whenever the panel comes into sight or goes out of it, behind another tab as well."""
        self._sight_told = told

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._sight_told is None:
            return
        # a dock behind another tab is not hidden: it says by itself whether it is in front
        above = self.parentWidget()
        while above is not None and not isinstance(above, QDockWidget):
            above = above.parentWidget()
        if above is not None and self._dock is not above:
            if self._dock is not None:
                self._dock.visibilityChanged.disconnect(self._sight_told)
            self._dock = above
            above.visibilityChanged.connect(self._sight_told)
        self._sight_told(True)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        if self._sight_told is not None:
            self._sight_told(False)

    def focus_widget(self) -> QWidget:
        """What gets the keyboard with the panel."""
        return self

    def title_widgets(self) -> list[QWidget]:
        """Widgets of its own that stand in the title bar."""
        return []

    def panel_actions(self) -> Mapping[str, Callable[[], object]]:
        """What it does for actions, by their ids; it is brought to the front before."""
        return {}

    def show_drop(self, shown: bool) -> None:
        """Files are held over the window, or no longer."""

    def close_panel(self) -> None:
        """The window closes: end what goes on, release the session."""


@dataclass(frozen=True, slots=True)
class PanelSpec:
    """Declares a panel; the shell docks it.

    Parameters
    ----------
    id : stable name, kept in layouts
    title : what its title bar shows (translated)
    area : where it stands in the default layout
    icon : name for `Theme.icon`
    create : makes its widget, a `Panel`; called when the panel is first needed, and imports the widget's module
        only then
    actions : ids of the actions that it does or listens for, or what several ids begin with, up to a dot; one that
        is run before the panel is there makes it first
    wakes : what goes on in it out of sight, too: the event after which to look, and whether it goes on then. The
        panel is made for it
    """

    id: str
    title: str
    area: Area
    icon: str
    create: Callable[[PanelContext], Panel]
    actions: tuple[str, ...] = ()
    wakes: Callable[["Session"], tuple["Source", Callable[[], bool]]] | None = None

    def done_of(self, actions: Sequence[str]) -> tuple[str, ...]:
        """Which of some actions need the panel, by id."""
        begins = tuple(known for known in self.actions if known.endswith("."))
        if not self.actions:
            return ()
        return tuple(id for id in actions if id in self.actions or id.startswith(begins))

"""Workspaces: layouts by purpose, each remembered as the person left it."""

import json
import logging
from collections.abc import Mapping
from dataclasses import dataclass

from PySide6.QtCore import QByteArray, Qt, QTimer
from PySide6.QtWidgets import QMainWindow

from editor.model.preferences import Preferences
from editor.shell.docks import PanelDock, moved_about

logger = logging.getLogger(__name__)

VERSION = 1
"""Of the saved layouts; raise it when docks change so that old ones would not fit."""

Groups = tuple[tuple[str, ...], ...]

LEFT, RIGHT = Qt.DockWidgetArea.LeftDockWidgetArea, Qt.DockWidgetArea.RightDockWidgetArea
BOTTOM = Qt.DockWidgetArea.BottomDockWidgetArea
SHORT = 800
"""Below this height of the window a left column of two rows goes down to the status bar, beside the timeline."""
FRAME = 84
"""Pixels of menu, tool bar and status bar."""
LEAST_TIME = 170
"""Logical pixels of a timeline above the curves: transport, ruler, events, four rows; at most half of both panels."""


@dataclass(frozen=True, slots=True)
class Workspace:
    """A layout as it comes out of the box.

    Parameters
    ----------
    left, right : rows from top to bottom, each a group of tabs, the first in front; ids of panels that
        do not exist are left out
    bottom : rows of the bottom, each a group of tabs
    left_share, right_share, bottom_share, time_share : share of the left column's first row; of the right one's;
        of the window's height; of the bottom's first row
    left_width, right_width : pixels of the columns
    left_part : share that the left column has at the least of what the right one leaves
    tall : the right column goes down to the status bar, beside the bottom
    """

    id: str
    title: str
    left: Groups
    right: Groups
    bottom: Groups
    left_share: float = 0.56
    bottom_share: float = 0.33
    time_share: float = 0.32
    left_width: int = 260
    right_width: int = 272
    left_part: float = 0.0
    right_share: float = 0.56
    tall: bool = False


WORKSPACES = (
    Workspace(
        "pose",
        "Pose",
        (("bone_tree",), ("clips", "pose_library", "weights", "history")),
        (("inspector", "pose", "mirror", "ik"),),
        (("timeline", "curves"),),
    ),
    Workspace(
        "curves",
        "Curves",
        (("bone_tree", "clips"),),
        (("inspector", "weights", "history"),),
        (("timeline",), ("curves",)),
        bottom_share=0.62,
    ),
    Workspace(
        "blend",
        "Blend",
        (("clips",), ("bone_tree",)),
        (("blend_space", "layers", "additive", "variables", "inspector", "history"),),
        (("timeline", "curves", "montage", "graph_run"),),
        left_share=0.6,
        bottom_share=0.24,
        right_width=340,
    ),
    Workspace(
        "retarget",
        "Retarget",
        (("source_view", "bone_tree", "clips"),),
        (("retarget", "proportions", "inspector", "history"),),
        (("timeline", "curves"),),
        bottom_share=0.24,
        left_width=430,
        left_part=0.46,
        right_width=360,
    ),
    Workspace(
        "export",
        "Export",
        (("clips",),),
        (("compile", "reduce", "history", "inspector"),),
        (("timeline", "curves"),),
        bottom_share=0.24,
        right_width=340,
    ),
    Workspace(
        "graph",
        "Graph",
        (("clips",),),
        (("variables", "history"), ("graph_node", "inspector")),
        (("graph",), ("graph_run", "timeline")),
        bottom_share=0.62,
        time_share=0.62,
        left_width=220,
        right_width=300,
        right_share=0.36,
        tall=True,
    ),
    Workspace(
        "play",
        "Play",
        (("graph",),),
        (("play", "play_setup", "history"),),
        (("play_run",),),
        bottom_share=0.22,
        left_width=380,
        right_width=300,
    ),
)


def arrange(window: QMainWindow, docks: Mapping[str, PanelDock], workspace: Workspace) -> None:
    """Put every dock where a workspace has it; those it does not name are closed, beside the others."""
    for dock in docks.values():
        dock.setFloating(False)
        window.removeDockWidget(dock)
    window.setCorner(Qt.Corner.BottomLeftCorner, LEFT if left_goes_down(window, workspace) else BOTTOM)
    window.setCorner(Qt.Corner.BottomRightCorner, RIGHT if workspace.tall else BOTTOM)
    placed: set[str] = set()
    places: tuple[tuple[Qt.DockWidgetArea, Groups], ...] = (
        (LEFT, workspace.left),
        (RIGHT, workspace.right),
        (BOTTOM, workspace.bottom),
    )
    for area, groups in places:
        for group in groups:
            placed |= _put(window, docks, area, group)
    for name, dock in docks.items():
        if name not in placed:
            area = {"left": LEFT, "right": RIGHT}.get(dock.spec.area, BOTTOM)
            window.addDockWidget(area, dock)
            beside = next(
                (d for n, d in docks.items() if n in placed and window.dockWidgetArea(d) == area), None
            )
            if beside is not None:  # so that it opens as a tab, not as a sliver below
                window.tabifyDockWidget(beside, dock)
            dock.close()
    for row in (*workspace.left, *workspace.right, *workspace.bottom):
        if row and row[0] in docks:
            docks[row[0]].raise_()
    resize(window, docks, workspace)


def left_goes_down(window: QMainWindow, workspace: Workspace) -> bool:
    """Whether the left column of a fresh layout takes the whole height: a short window has no room for its rows."""
    return len(workspace.left) > 1 and window.height() < SHORT


def _put(
    window: QMainWindow, docks: Mapping[str, PanelDock], area: Qt.DockWidgetArea, group: tuple[str, ...]
) -> set[str]:
    there = [name for name in group if name in docks]
    for name in there:
        window.addDockWidget(area, docks[name], Qt.Orientation.Vertical)
        docks[name].show()
    for name in there[1:]:
        window.tabifyDockWidget(docks[there[0]], docks[name])
    if there:
        docks[there[0]].raise_()
    return set(there)


def resize(window: QMainWindow, docks: Mapping[str, PanelDock], workspace: Workspace) -> None:
    """Give the columns and rows of a workspace their sizes."""

    def first(row: tuple[str, ...]) -> list[PanelDock]:
        return [docks[name] for name in row if name in docks][:1]

    columns = [dock for row in workspace.left for dock in first(row)]
    others = [dock for row in workspace.right for dock in first(row)]
    sideways = columns[:1] + others[:1]
    # where the window is narrow, the middle is as wide as the left at the least
    rest = window.width() - workspace.right_width
    left = min(max(workspace.left_width, round(rest * workspace.left_part)), rest // 2)
    widths = [left] * len(columns[:1]) + [workspace.right_width] * len(others[:1])
    window.resizeDocks(sideways, widths, Qt.Orientation.Horizontal)
    bottom = [dock for group in workspace.bottom for dock in first(group)]
    if bottom:
        height = round(window.height() * workspace.bottom_share)
        heights = [height]
        if len(bottom) == 2:
            above = max(round(height * workspace.time_share), min(LEAST_TIME, height // 2))
            heights = [above, height - above]
        window.resizeDocks(bottom[:2], heights, Qt.Orientation.Vertical)
    for column, share, down in (
        (columns, workspace.left_share, left_goes_down(window, workspace)),
        (others, workspace.right_share, workspace.tall),
    ):
        if len(column) == 2:
            below = 0.0 if down else workspace.bottom_share
            rest = max(200, round((window.height() - FRAME) * (1 - below)))
            shares = [round(rest * share), round(rest * (1 - share))]
            window.resizeDocks(column, shares, Qt.Orientation.Vertical)


class Layouts:
    """Layouts of the workspaces, kept in the preferences.

    Parameters
    ----------
    window : the main window, docks made
    """

    def __init__(self, window: QMainWindow, docks: Mapping[str, PanelDock], preferences: Preferences) -> None:
        self._window, self._docks, self._preferences = window, docks, preferences
        self._states: dict[str, str] = {}
        self.current = WORKSPACES[0]
        self._shown = False

    def shown(self) -> None:
        """The window is on the screen: only now do the sizes of a fresh layout take hold."""
        if not self._shown and self.current.id not in self._states:
            QTimer.singleShot(0, self._window, lambda: resize(self._window, self._docks, self.current))
        self._shown = True

    def start(self) -> None:
        """Show the layout of the last session, or the first workspace's."""
        try:
            stored = json.loads(self._preferences.get("layout") or "{}")
            names = {w.id: w for w in WORKSPACES}
            self.current = names.get(stored.get("workspace"), WORKSPACES[0])
            states = stored.get("states", {})
            self._states = {k: v for k, v in states.items() if k in names and isinstance(v, str)}
        except (ValueError, AttributeError) as error:
            logger.warning("the stored layout could not be read: %s", error)
        self._show()

    def use(self, workspace: str) -> None:
        """Go to another workspace, as it was left."""
        self.remember()
        self.current = next(w for w in WORKSPACES if w.id == workspace)
        self._show()

    def reset(self) -> None:
        """The workspace as it came out of the box."""
        self._states.pop(self.current.id, None)
        self._arrange()

    def remember(self) -> None:
        """Note the layout as it is now."""
        self._states[self.current.id] = bytes(self._window.saveState(VERSION).toBase64().data()).decode(
            "ascii"
        )

    def save(self) -> None:
        """Keep everything for the next session."""
        self.remember()
        self._preferences.set("layout", json.dumps({"workspace": self.current.id, "states": self._states}))

    def _show(self) -> None:
        state = self._states.get(self.current.id)
        if state is None:
            self._arrange()
            return
        with moved_about(self._window, self._docks.values()):
            kept = QByteArray.fromBase64(QByteArray(state.encode("ascii")))
            fits = self._window.restoreState(kept, VERSION)
        if not fits:
            logger.warning("the stored layout of %s no longer fits", self.current.id)
            self.reset()

    def _arrange(self) -> None:
        """The current workspace as it came out of the box; rows take their sizes once the columns have theirs."""
        workspace = self.current
        with moved_about(self._window, self._docks.values()):
            arrange(self._window, self._docks, workspace)
        QTimer.singleShot(0, self._window, lambda: self._settle(workspace, 2))

    def _settle(self, workspace: Workspace, rounds: int) -> None:
        if self.current is workspace and rounds:
            resize(self._window, self._docks, workspace)
            QTimer.singleShot(0, self._window, lambda: self._settle(workspace, rounds - 1))

"""The actions of the window itself: its workspaces and panels, beside those that the session declares."""

from collections.abc import Sequence

from editor.actions.action import Action
from editor.actions.every import registry
from editor.actions.registry import Registry
from editor.model.i18n import tr
from editor.model.session import Session
from editor.qt.panel import PanelSpec
from editor.shell.workspaces import WORKSPACES


def window_registry(session: Session, specs: Sequence[PanelSpec]) -> Registry:
    """Every action that a window with these panels offers."""
    actions = registry(session)
    menu = tr("Window")
    for number, workspace in enumerate(WORKSPACES, 1):
        title = tr("{name} workspace", name=tr(workspace.title))
        shortcut = (f"Ctrl+{number}",)
        actions.add(
            Action(f"window.{workspace.id}", title, shortcut=shortcut, menu=menu, section="workspace")
        )
    if "tool.snap" not in actions:
        tip = tr("Move, rotate and scale in steps; Ctrl inverts while dragging")
        actions.add(Action("tool.snap", tr("Snap"), menu=tr("Tool"), section="how", icon="snap", tip=tip))
    for by, title, keys in (
        (1, tr("Next panel"), "F6"),
        (-1, tr("Previous panel"), "Shift+F6"),
    ):
        id = "window.next_panel" if by > 0 else "window.previous_panel"
        tip = tr("Give the keyboard to another panel that is in sight")
        actions.add(Action(id, title, shortcut=(keys,), menu=menu, section="float", tip=tip))
    actions.add(Action("window.float", tr("Float or dock panel"), menu=menu, section="float"))
    for spec in specs:
        if spec.area != "centre":
            actions.add(Action(f"panel.{spec.id}", spec.title, menu=menu, section="panel", icon=spec.icon))
    return actions

"""The window around the panels as it was read and approved: menus, bars, tabs, dialogs, messages, the start."""

from pathlib import Path
from types import SimpleNamespace

import pytest
from PySide6.QtWidgets import QWidget

from editor.model.messages import Level
from tests.editor.panel_stage import Notes
from tests.editor.portraits import approved, dialogs, words
from tests.editor.portraits.deeds import everything
from tests.editor.portraits.hands import Hands
from tests.editor.stage import small_project, stage

PANELS = ("clips", "bone_tree", "inspector", "timeline", "history", "curves")


def looped(window):
    """The clip of the window loops: its last frame is the first again."""
    window.session.clips.set_looping(window.session.clip.id, True)
    return ranged(window)


def ranged(window):
    """A part of the clip is played."""
    window.session.playback.set_range(0.2, 0.6)
    return window


DIALOGS = {
    "preferences": lambda window: window.actions_registry.run("edit.preferences"),
    "about": lambda window: window.actions_registry.run("help.about"),
    "shortcutSheet": lambda window: window.actions_registry.run("help.shortcuts"),
    "export": lambda window: ranged(window).actions_registry.run("file.export"),
    "playblast": lambda window: looped(window).actions_registry.run("file.playblast"),
    "sheet": lambda window: window.actions_registry.run("file.sheet"),
    "guide": lambda window: window.actions_registry.run("help.guide"),
}
LEFT = {
    "export": ("exportStart", "Browse"), "playblast": ("playblastStart", "Start", "Browse"),
    "sheet": ("sheetStart", "Start", "Browse"), "guide": ("QTextBrowser",), "shortcutSheet": ("Reset",),
}  # fmt: skip
"""What begins long work or is about files of this machine: tests of their own hold these."""


def menus(window) -> list[str]:
    found = []
    for action in window.menuBar().actions():
        found += [f"menu {action.text()!r}", *words.menu_lines(action.menu())]
    return found


def bars(qapp, open: bool) -> list[str]:
    """Menus, bars and titles of the window, with a document or without."""
    with stage(qapp, *PANELS, project=small_project if open else None) as here:
        window = here.window
        here.user.settle()
        if open:
            here.session.selection.select(["arm_l"])
            here.frame(7)
        found = ["=== menus", *menus(window), f"title {window.windowTitle()!r}"]
        for name in ("tool_bar", "workspace_bar", "status"):
            found += [f"=== {name}", *dialogs.told(getattr(window, name))]
        for dock in window.docks.values():
            if dock.isVisible() and dock.titleBarWidget() is not None:
                found += [f"=== title {dock.objectName()}", *words.lines(dock.titleBarWidget())]
        found += ["=== workspaces"]
        for action in [a for a in window.actions_registry if a.id.startswith("window.")]:
            found.append(f"{action.id} {action.title!r} {window.actions_registry.tooltip(action.id)!r}")
    return found


@pytest.mark.parametrize("open", [False, True])
def test_menus_and_bars_are_as_approved(qapp, open: bool) -> None:
    problem = approved.problem_of(f"window-{'open' if open else 'empty'}", lambda: bars(qapp, open))
    assert not problem, problem


def dialog_of(qapp, name: str, folder: Path) -> list[str]:
    """A dialog, and what its controls do."""
    with stage(qapp, *PANELS) as here:
        here.user.settle()
        here.session.selection.select(["arm_l"])
        DIALOGS[name](here.window)
        here.user.settle()
        here.user.wait_until(lambda: not here.session.jobs.running)
        found = dialogs.sitting(qapp, here, None if name in ("guide", "about") else LEFT.get(name, ()))
    found = [line.replace(str(folder), "TMP") for line in found]
    if name == "about":  # the path of the log file takes as many lines as it is long
        found = [approved.PLACE.sub("", line) for line in found]
    return found


@pytest.mark.parametrize("name", list(DIALOGS))
def test_dialog_is_as_approved_and_does_what_was(qapp, name: str, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    problem = approved.problem_of(f"dialog-{name}", lambda: dialog_of(qapp, name, tmp_path))
    assert not problem, problem


def deeds_of_bars(qapp) -> list[str]:
    """What the controls of the window's bars do."""
    with stage(qapp, *PANELS) as here:
        here.user.settle()
        around = SimpleNamespace(session=here.session, notes=Notes(), actions=here.window.actions_registry)
        found = []
        for name in ("tool_bar", "status", "workspace_bar"):
            found += [f"=== {name}", *everything(Hands(qapp, around, getattr(here.window, name)))]
    return found


def test_bars_do_what_was_approved(qapp) -> None:
    problem = approved.problem_of("window-deeds", lambda: deeds_of_bars(qapp))
    assert not problem, problem


def messages_of(qapp) -> list[str]:
    """Messages of each level, and the palette."""
    with stage(qapp, "clips") as here:
        here.user.settle()
        found, messages = [], here.session.messages
        for level, step in (
            (Level.INFO, ""),
            (Level.WARNING, "edit.undo"),
            (Level.ERROR, "edit.undo"),
            (Level.ERROR, ""),
        ):
            messages.post(
                level, f"Something of {level.name}", "Do this next", step, "Take back" if step else ""
            )
            here.user.settle()
            bars = [w for w in here.window.findChildren(QWidget, "messageBar") if w.isVisible()]
            found += [f"=== {level.name}", *(line for bar in bars for line in words.lines(bar))]
            found += words.lines(here.window.status)
        here.user.press("F3")
        here.user.type("key")
        found += ["=== palette", *dialogs.told(here.user.find("palette"))]
        here.user.press("Esc")
    return found


def test_messages_are_as_approved(qapp) -> None:
    problem = approved.problem_of("window-messages", lambda: messages_of(qapp))
    assert not problem, problem

"""The window in the states that it comes to: what its bars, menus, titles and tabs say then, as read and approved."""

import threading
from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QCursor, QEnterEvent
from PySide6.QtWidgets import QApplication, QDialog, QTabBar, QWidget

from editor.model.jobs import Job
from editor.model.messages import Level
from editor.shell.docks import PanelDock
from editor.tools.state import Pivot, Setup, Space, Tool
from tests.editor.portraits import approved, happenings, words
from tests.editor.portraits.brush import noted
from tests.editor.portraits.in_hand import otherwise
from tests.editor.stage import Stage, stage

PANELS = ("clips", "bone_tree", "inspector", "timeline", "history", "curves", "layers")


# ------------------------------------------------------------ bars, menus, titles
def shown(here: Stage) -> list[str]:
    """What the window says around its panels, and how its docks lie."""
    window = here.window
    found = [f"title {window.windowTitle()!r} {'changed' if window.isWindowModified() else ''}"]
    for name in ("tool_bar", "status", "workspace_bar"):
        found += words.lines(getattr(window, name))
    for id, dock in window.docks.items():
        place = window.dockWidgetArea(dock).name if not dock.isFloating() else "floats"
        state = "in sight" if not dock.body.visibleRegion().isEmpty() else "open" if dock.open else "closed"
        bar = dock.titleBarWidget()
        head = f" head {dock.body.head.isVisible()}"
        found.append(f"dock {id} {place} {state} {bar.objectName() or 'bare'}{head}")
        if bar.isVisible() and bar.objectName() == "tabStrip":
            boxes = [dock.tabs.place_of(name).getRect() for name in dock.tabs.names]
            places = ",".join(str(v) for box in boxes for v in box)
            found.append(f"  names {dock.tabs.names} @{places}")
    folded = [bar for bar in window.findChildren(QTabBar) if bar.isVisible() and bar.height() > 1]
    found += [f"tab bar of {bar.height()} pixels" for bar in folded]
    found.append(f"middle {'in sight' if window.centre_body.isVisible() else 'hidden'}")
    for action in window.menuBar().actions():
        found += [f"menu {action.text()!r}", *words.menu_lines(action.menu())]
    return [line.replace(" icon=own", "") for line in found]  # pictures of recent files come late


def _file(here: Stage) -> None:
    here.session.files.save(here.app.portrait_folder / "walk.posewright")
    here.user.wait_until(lambda: not here.session.files.saving)


def _work(here: Stage, count: int) -> None:
    """Jobs that wait until the next state."""
    for number in range(count):

        def work(progress, number=number) -> None:
            progress.report(0.25, "reading" if not number else "")
            here.app.portrait_wait.wait(400.0)

        here.session.jobs.start(Job(f"Import {number}", work))
    here.user.wait_until(lambda: all(j.fraction > 0.0 for j in here.session.jobs.running))
    here.window.status._jobs._refresh()


def _work_ends(here: Stage) -> None:
    here.app.portrait_wait.set()
    here.user.wait_until(lambda: not here.session.jobs.running)


def _dock(name: str, deed: Callable[[PanelDock], object]) -> Callable[[Stage], object]:
    return lambda here: deed(here.window.docks[name])


def _run(action: str) -> Callable[[Stage], object]:
    return lambda here: here.window.actions_registry.run(action)


def _setup(**changes: object) -> Callable[[Stage], object]:
    return lambda here: here.window.tools.set(replace(here.window.tools.setup, **changes))


STATES: dict[str, Callable[[Stage], object]] = {
    "a hint": lambda here: here.window.set_hint("Drag: this and that"),
    "no hint": lambda here: here.window.set_hint(""),
    "a change": lambda here: here.session.clips.set_length(here.session.clip.id, 2.0),
    "taken back": lambda here: here.session.undo(),
    "saved": _file,
    "changed since": lambda here: here.session.clips.set_length(here.session.clip.id, 3.0),
    "a bone": lambda here: here.session.selection.select(["arm_l"]),
    "two bones": lambda here: here.session.selection.select(["arm_l", "hand_l"]),
    "no bone": lambda here: here.session.selection.select([]),
    "plays": lambda here: here.session.playback.play(),
    "stands": lambda here: here.session.playback.pause(),
    "another clip": lambda here: here.session.playback.set_clip(here.session.document.project.clips[1].id),
    "move": lambda here: here.window.tools.set(Setup(Tool.MOVE).with_space(Space.WORLD)),
    "rotate about a toe": _setup(tool=Tool.ROTATE, pivot=Pivot.TOE, snap=True),
    "select": _setup(tool=Tool.SELECT, snap=False),
    "auto key off": lambda here: setattr(here.session.keying, "auto", False),
    "stepped tangents": _run("key.tangents_flat_ends"),
    "ghosts": lambda here: here.session.switches.set("ghosts", True),
    "frames come late": lambda here: here.window.set_frame_rate(23.6, True),
    "frames in time": lambda here: here.window.set_frame_rate(59.6),
    "no frames": lambda here: here.window.set_frame_rate(None),
    "one job": lambda here: _work(here, 1),
    "three jobs": lambda here: _work(here, 2),
    "no job": _work_ends,
    "a dock floats": _dock("history", lambda dock: dock.setFloating(True)),
    "and is back": _dock("history", lambda dock: dock.setFloating(False)),
    "another tab": _dock("history", lambda dock: dock.raise_()),
    "a dock is closed": _run("panel.history"),
    "and shown": _run("panel.history"),
    "a time panel is closed": _run("panel.curves"),
    "and open": _run("panel.curves"),
    "the next panel": _run("window.next_panel"),
    "the panel before": _run("window.previous_panel"),
    "maximised": lambda here: (here.window.docks["clips"].body.take_focus(), here.window.maximise()),
    "as before": _run("view.maximise"),
    "curves": _run("window.curves"),
    "blend": _run("window.blend"),
    "pose": _run("window.pose"),
    "another layout": lambda here: here.window.docks["history"].setFloating(True),
    "reset": _run("view.reset_layout"),
    "narrow": lambda here: here.window.resize(960, 540),
    "wide": lambda here: here.window.resize(1280, 720),
    "light": lambda here: here.session.preferences.set("theme", "light"),
    "dark": lambda here: here.session.preferences.set("theme", "dark"),
    "scaled": lambda here: here.session.preferences.set("scale", 1.5),
    "nothing open": _run("file.new"),
}
"""What happens to the window, one after the other."""


def states_of(qapp: QApplication) -> list[str]:
    found: list[str] = []
    with stage(qapp, *PANELS) as here:
        here.user.settle()
        before = shown(here)
        for name, deed in STATES.items():
            said = len(here.session.messages.log)
            deed(here)
            here.user.settle()
            now = shown(here)
            found.append(f"=== {name}")
            found += [f"said {m.text!r} {m.next_step}".rstrip() for m in here.session.messages.log[said:]]
            found += happenings.differs(before, now)
            focus = QApplication.focusWidget()
            found.append(f"focus {focus.objectName() or type(focus).__name__ if focus else 'nowhere'}")
            for asked in [w for w in happenings.windows() if isinstance(w, QDialog)]:
                found += [f"asks {asked.windowTitle()!r}"]
                asked.close()
            quiet(here)
            before = shown(here)
    return found


def quiet(here: Stage) -> None:
    """News in the status bar are over: they go by the clock."""
    news = here.window.status._news
    if news.isActive():
        news.stop()
        news.timeout.emit()
        here.user.settle()


def test_states_are_told_as_approved(qapp, tmp_path, monkeypatch) -> None:
    monkeypatch.setitem(approved.FOR_NOW, str(tmp_path), "TMP")
    monkeypatch.setattr(qapp, "portrait_folder", tmp_path, raising=False)

    def told() -> list[str]:
        monkeypatch.setattr(qapp, "portrait_wait", threading.Event(), raising=False)
        (tmp_path / "walk.posewright").unlink(missing_ok=True)
        return states_of(qapp)

    problem = approved.problem_of("window-states", told)
    assert not problem, problem


# ------------------------------------------------------------ tabs under the pointer
def tabs_of(qapp: QApplication) -> list[str]:
    """The names of panels in one place, under the pointer and under each button of the mouse."""
    found: list[str] = []
    with stage(qapp, *PANELS) as here:
        here.user.settle()
        dock = next(
            d for d in here.window.docks.values() if d.titleBarWidget() is d.tabs and d.tabs.isVisible()
        )
        strip = dock.tabs
        with noted() as log:
            strip.update()
            here.user.settle()
            rest = log.taken()
            found += ["=== at rest", *rest]
            for name in strip.names:
                here.user.move(strip, strip.place_of(name).center())
                found += [f"=== over {name}", *otherwise(rest, log.taken())]
            here.user.move(here.window.status, (4, 4))
            found += ["=== away", *otherwise(rest, log.taken())]
            other = next(n for n in strip.names if n != dock.windowTitle())
            for theme in ("light", "dark"):
                here.session.preferences.set("theme", theme)
                here.user.settle()
                found += [f"=== {theme}", *[t for t in log.taken() if t.startswith("tabs")]]
        for name in (dock.windowTitle(), other):
            here.user.click(strip, strip.place_of(name).center(), Qt.MouseButton.RightButton)
            menu = QApplication.activePopupWidget()
            found += [f"=== right button on {name}", *words.menu_lines(menu)]
            menu.close()
            for held in (Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier):
                before = shown(here)
                here.user.click(strip, strip.place_of(name).center(), modifiers=held)
                found += [f"=== {held.name} on {name}", *happenings.differs(before, shown(here))]
                dock.raise_()
                here.user.settle()
    return found


def test_tabs_look_and_answer_as_approved(qapp) -> None:
    problem = approved.problem_of("window-tabs", lambda: tabs_of(qapp))
    assert not problem, problem


# ------------------------------------------------------------ the palette
KEYS = ("Down", "Down", "Up", "Up", "PgDown", "PgDown", "PgUp", "Down")
TYPED = ("key", "curve", "onion", "zzzz", "mirorr", "undo", "arm left", "frme", "ghosts")


def palette_of(qapp: QApplication) -> list[str]:
    """What is listed for words, what keys do, what is painted of each kind of entry."""
    found: list[str] = []

    def told(what: str, log) -> None:
        palette = here.window.palette_box
        focus = QApplication.focusWidget()
        found.append(f"=== {what}")
        if palette.isVisible():
            found.extend(line for line in words.lines(palette) if ">" in line or "|" not in line)
            found.append(f"row {palette.view.currentIndex().row()} of {palette.model.rowCount()}")
            palette.update()
            palette.view.viewport().update()
            here.user.settle()
            found.extend(t for t in log.taken() if t.startswith("palette.paint:"))
        else:
            log.taken()
            found.append("away")
        found.append(f"focus {focus.objectName() or type(focus).__name__}")

    with stage(qapp, *PANELS) as here:
        here.user.settle()
        here.session.switches.set("ghosts", True)
        here.window.docks["clips"].body.take_focus()
        with noted() as log:
            here.user.press("F3")
            told("open", log)
            for keys in KEYS:
                here.user.press(keys)
                told(keys, log)
            for text in TYPED:
                here.user.press("Ctrl+A")
                here.user.type(text)
                told(text, log)
            here.user.press("Esc")
            told("Escape", log)
            for deed in (
                lambda: here.user.press("F3"),
                lambda: here.user.click("palette", (6, 6)),
                lambda: (here.user.press("F3"), here.user.press("Ctrl+A"), here.user.type("undo")),
            ):
                deed()
                told("next", log)
            here.user.press("Return")
            told("Enter on what cannot be done", log)
            here.user.press("Ctrl+A")
            here.user.type("select all")
            here.user.press("Return")
            told(f"Enter {here.session.selection.bones}", log)
    return found


def test_palette_is_as_approved(qapp) -> None:
    problem = approved.problem_of("window-palette", lambda: palette_of(qapp))
    assert not problem, problem


# ------------------------------------------------------------ messages
LONG = "A sentence that is longer than a line of the window, with a path /that/goes/on/" + "and/on/" * 12


def bar_of(qapp: QApplication) -> list[str]:
    """The notice over the window: where it lies, how long it stays, what puts it away."""
    found: list[str] = []
    with stage(qapp, "clips") as here:
        bar, messages = here.window.messages.bar, here.session.messages

        def told(what: str) -> None:
            here.user.settle()
            timer = bar._timer
            found.append(f"=== {what}")
            found.extend(words.lines(bar) if bar.isVisible() else ["away"])
            found.append(f"at {approved_place(bar)}")
            found.append(f"goes in {timer.interval()} ms" if timer.isActive() else "stays")

        def enter() -> None:
            QApplication.sendEvent(bar, QEnterEvent(QPointF(5, 5), QPointF(5, 5), QPointF(5, 5)))

        for level in (Level.WARNING, Level.ERROR):
            messages.post(level, f"Something of {level.name}", "Do this next", "edit.undo")
            told(level.name)
        messages.warn("Less grave")
        told("a warning after an error")
        messages.resolve()
        told("resolved")
        messages.warn("With the pointer on it")
        enter()
        told("pointer on it")
        QApplication.sendEvent(bar, QEvent(QEvent.Type.Leave))
        told("pointer away")
        here.window.resize(1000, 600)
        told("a smaller window")
        messages.resolve()
        told("a warning is not resolved")
        messages.error(LONG, "The next step")
        told("long")
        here.session.preferences.set("theme", "light")
        with noted() as log:
            bar.grab()
            found.extend(log.taken())
        told("light")
        bar.findChild(QWidget, "closeMessage").click()
        told("closed")
        messages.error("Undo it", "", "edit.undo", "Take it back")
        here.session.clips.set_length(here.session.clip.id, 2.0)
        told("with a button")
        bar.button.click()
        told(f"pressed: {here.session.clip.length}")
        QCursor.setPos(here.window.mapToGlobal(QPoint(500, here.window.height() - 60)))
        messages.error("Where the pointer is in the way")
        told("elsewhere")
    return found


def approved_place(widget: QWidget) -> str:
    """Where a widget lies, to be compared with tolerance."""
    return "@" + ",".join(str(v) for v in widget.geometry().getRect())


def test_message_bar_is_as_approved(qapp) -> None:
    problem = approved.problem_of("window-message-bar", lambda: bar_of(qapp))
    assert not problem, problem

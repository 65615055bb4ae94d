"""Dialogs of the window in each of their choices, at work, and while keys are set, as they were approved."""

import threading

import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QTreeWidget, QWidget
from shiboken6 import Shiboken

from core.errors import AnimError
from editor.shell.work_dialog import WorkDialog
from tests.editor.portraits import approved, dialogs, happenings, words
from tests.editor.portraits.test_window_states import PANELS
from tests.editor.stage import stage

# ------------------------------------------------------------ dialogs in each of their choices
CHOICES = ("file.export", "file.playblast", "file.sheet", "edit.preferences")


def choices_of(qapp: QApplication, action: str) -> list[str]:
    """A dialog with each entry of each of its lists chosen: all that is other than before."""
    found: list[str] = []
    with stage(qapp, *PANELS) as here:
        here.user.settle()
        here.session.selection.select(["arm_l"])
        here.window.actions_registry.run(action)
        dialogs.settled(here)
        dialog = dialogs.shown()
        for name in [
            b.objectName() for b in dialog.findChildren(QComboBox) if b.isVisible() and b.isEnabled()
        ]:
            box = dialog.findChild(QComboBox, name)
            first = box.currentIndex()
            for place in [*(k for k in range(box.count()) if k != first), first]:
                box = dialog.findChild(QComboBox, name)
                before = words.lines(dialog)
                box.setCurrentIndex(place)
                box.activated.emit(place)
                dialogs.settled(here)
                came = happenings.differs(before, words.lines(dialog))
                found += [f"=== {name} {box.itemText(place)!r}", *came]
        dialog.close()
        here.user.settle()
    return [dialogs.MOMENT.sub("WHEN", line) for line in found]


@pytest.mark.parametrize("action", CHOICES)
def test_choices_of_dialogs_are_as_approved(qapp, action: str, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(approved.FOR_NOW, str(tmp_path), "TMP")
    problem = approved.problem_of(f"choices-{action}", lambda: choices_of(qapp, action))
    assert not problem, problem


# ------------------------------------------------------------ dialogs at work
def work_of(qapp: QApplication) -> list[str]:
    """A dialog that does some work: under way, stopped, failed and done, with what ends it."""
    found: list[str] = []
    with stage(qapp, "clips") as here:
        here.user.settle()

        dialog = WorkDialog(here.window, here.window.context, "Some work", "work", QSize(420, 300))
        dialog.add_go("Begin", lambda: None, "workGo")
        dialog.open()
        go: dict[str, threading.Event] = {}

        def told(what: str) -> None:
            here.user.settle()
            dialog._show_progress()
            focus = dialog.focusWidget()
            found.append(f"=== {what}")
            found.extend(words.lines(dialog) if dialog.isVisible() else ["away"])
            found.append(f"focus {focus.objectName() if focus else 'nowhere'} working {dialog.working}")

        def begin(error: Exception | None = None) -> None:
            go["on"] = wait = threading.Event()

            def work(progress) -> str:
                progress.report(0.4, "writing the file")
                while not wait.wait(0.005):
                    progress.report(0.4, "writing the file")
                if error is not None:
                    raise error
                return "done"

            dialog.begin(
                "Work", work, lambda result: dialog.say(result, "ok", [f"remark {k}" for k in range(5)])
            )
            here.user.wait_until(lambda: here.session.jobs.running[0].fraction > 0.0)

        def ended() -> None:
            here.user.wait_until(lambda: not here.session.jobs.running)

        told("at first")
        begin()
        told("under way")
        dialog.begin("Another", lambda progress: None, lambda result: None)
        told("another is not begun")
        dialog.cancel.click()
        dialog._show_progress()
        found.append(f"says {dialog.doing.text()!r}")
        ended()
        told("cancelled")
        dialog.hide_outcome()
        told("changed since")
        begin()
        QTest.keyClick(dialog, Qt.Key.Key_Escape)
        found.append(f"says {dialog.doing.text()!r}")
        ended()
        told("Escape while it works")
        begin()
        dialog.close()
        ended()
        told("closed while it works")
        for error in (AnimError("It is known"), ValueError("It is not known")):
            begin(error)
            go["on"].set()
            ended()
            told(f"failed {type(error).__name__}")
        begin()
        go["on"].set()
        ended()
        told("done")
        dialog.say("With fewer remarks", "warning", ["one", "two"])
        told("a warning")
        dialog.say("With none", "error")
        told("an error")
        QTest.keyClick(dialog, Qt.Key.Key_Escape)
        here.user.settle()
        found.append(f"=== Escape: {'there' if Shiboken.isValid(dialog) else 'gone'}")
    return found


def test_dialog_at_work_is_as_approved(qapp) -> None:
    problem = approved.problem_of("dialog-at-work", lambda: work_of(qapp))
    assert not problem, problem


# ------------------------------------------------------------ keys that are set
PRESSED = {
    "another key": "Ctrl+Alt+Shift+F11",
    "one that is taken": "Ctrl+Z",
    "Shift alone": "Shift",
    "Escape": "Escape",
    "none": "Backspace",
}


def keys_of(qapp: QApplication) -> list[str]:
    """A row of the list of shortcuts waits for a key: what each key does there, and what is said."""
    found: list[str] = []
    with stage(qapp, *PANELS) as here:
        registry = here.window.actions_registry
        registry.run("help.shortcuts")
        here.user.settle()
        sheet = dialogs.shown()
        table = sheet.findChild(QTreeWidget, "shortcutTable")

        def told(what: str) -> None:
            here.user.settle()
            row = here.user.row(table, "Next frame")
            note = sheet.findChild(QWidget, "shortcutNote").text()
            cells = [row.siblingAtColumn(column).data() for column in range(3)]
            found.append(f"=== {what}: {cells} {registry.shortcuts('playback.forward')} {note!r}")

        told("at first")
        for what, keys in PRESSED.items():
            here.user.click_row(table, "Next frame", double=True)
            told(f"waits for {what}")
            QTest.keyClick(table, getattr(Qt.Key, f"Key_{keys}")) if "+" not in keys else here.user.press(
                keys
            )
            told(what)
        here.user.click("resetKeys")
        told("reset")
        here.user.click_row(table, "Next frame", double=True)
        here.user.click_row(table, "Previous frame", double=True)
        told("another row waits")
        QTest.keyClick(table, Qt.Key.Key_Escape)
        for text in ("frame", "next fra", "ctrl+z", "zzzz"):
            here.user.type_into("shortcutSearch", text, enter=False)
            lines = words.lines(table)
            found += [f"=== search {text!r}: {len(lines)}", *lines[:12]]
    return found


def test_keys_are_set_as_approved(qapp) -> None:
    problem = approved.problem_of("dialog-keys", lambda: keys_of(qapp))
    assert not problem, problem

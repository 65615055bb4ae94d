"""Dialogs of panels and of files as they were read and approved, with their default buttons and what they answer."""

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QDialog, QPushButton, QTableWidget

import core.io
from core.clips.clip import Notify
from core.clips.notify_types import FieldKind, NotifyField, NotifyType
from core.ids import AssetId
from core.rig.rig import VirtualBone
from editor.model.disk import ChangedOutsideError, LockedError
from editor.model.file_lock import Owner
from editor.model.file_state import state_of
from editor.model.recovery import Recoverable, Recovered
from editor.panels.bone_tree.virtual_dialog import VirtualBoneDialog
from editor.qt.notify_type_dialog import NotifyTypeDialog
from editor.qt.number_field import NumberField
from editor.shell.file_questions import FileQuestions
from editor.shell.report_dialog import ReportDialog
from tests.editor.portraits import approved, dialogs
from tests.editor.stage import Stage, small_project, stage

BONE = VirtualBone("grip", "hand_r", "hand_l", (0.01, 0.0, -0.25))
STEP = NotifyType(
    AssetId("type-step"),
    "step",
    (
        NotifyField("foot", FieldKind.CHOICE, "left", ("left", "right")),
        NotifyField("volume", FieldKind.NUMBER, "0.5", (), 0.0, 1.5, "dB"),
    ),
)


def add_virtual(here: Stage, folder: Path) -> None:
    VirtualBoneDialog(here.window, here.window.context, here.session.rig, BONE).open()


def edit_virtual(here: Stage, folder: Path) -> None:
    rig = replace(here.session.rig, virtual_bones=(BONE,))
    here.session.edits.put("virtual", rig)
    VirtualBoneDialog(here.window, here.window.context, rig, BONE, BONE.name).open()


def notify_type(here: Stage, folder: Path) -> None:
    here.session.edits.put("type", STEP, replace(here.session.clip, notifies=(Notify("step", 0.5),)))
    NotifyTypeDialog(here.window, here.window.context, here.session.clip.notifies[0]).open()


def report(here: Stage, folder: Path) -> None:
    found = [(folder / name, core.io.load(folder / name).report) for name in ("tester.glb", "walk.bvh")]
    ReportDialog(here.window, found).open()


def importing(*names: str) -> Callable[[Stage, Path], None]:
    def ask(here: Stage, folder: Path) -> None:
        here.window.documents.import_files([folder / name for name in names])

    return ask


def moved(dialog: QDialog) -> None:
    """Another offset and target, as a person would set them."""
    dialog.findChild(NumberField, "virtualOffset.y").set_value(0.125)
    dialog.findChild(QComboBox, "virtualTarget").setCurrentText("head")


def filled(dialog: QDialog) -> None:
    """A further field, with a kind and bounds."""
    dialog.findChild(QPushButton, "notifyTypeAdd").click()
    table = dialog.findChild(QTableWidget, "notifyTypeFields")
    row = table.rowCount() - 1
    for column, text in enumerate(("gain", "", "2", "", "-1", "3", "dB")):
        if text:
            table.item(row, column).setText(text)
    table.cellWidget(row, 1).setCurrentIndex(1)


PREPARED = {"virtual-add": moved, "virtual-edit": moved, "notify-type": filled}
DIALOGS: dict[str, tuple[Callable[[Stage, Path], None], tuple[str, ...]]] = {
    "virtual-add": (add_virtual, ()),
    "virtual-edit": (edit_virtual, ()),
    "notify-type": (notify_type, ("notifyTypeDelete",)),
    "report": (report, ()),
    "import-one": (importing("tester.glb"), ("acceptImport",)),
    "import-several": (importing("tester.glb", "broken.glb", "walk.bvh"), ("acceptImport",)),
}
"""What opens each, and the controls that end it."""


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    project = small_project()
    core.io.save(project, tmp_path / "tester.glb")
    core.io.save(project, tmp_path / "walk.bvh")
    (tmp_path / "broken.glb").write_bytes(b"glTF" + b"\x00" * 40)
    monkeypatch.setitem(approved.FOR_NOW, str(tmp_path), "TMP")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def dialog_of(qapp: QApplication, name: str, folder: Path) -> list[str]:
    opens, left = DIALOGS[name]
    with stage(qapp, "bone_tree", "inspector", "history") as here:
        here.user.settle()
        opens(here, folder)
        dialogs.settled(here)
        found = dialogs.sitting(qapp, here, left)
        prepare = PREPARED.get(name, lambda dialog: None)
        found += ["=== ends", *dialogs.endings(here, lambda: opens(here, folder), prepare)]
    return found


@pytest.mark.parametrize("name", list(DIALOGS))
def test_dialog_is_as_approved_and_does_what_was(qapp, name: str, files: Path) -> None:
    problem = approved.problem_of(f"dialog-{name}", lambda: dialog_of(qapp, name, files))
    assert not problem, problem


# ------------------------------------------------------------ questions about files
OWNER = Owner("elsewhere", "anna", 1, "then", 1e9)


def _questions(here: Stage, path: Path) -> dict[str, Callable[[FileQuestions, Callable[[str], None]], None]]:
    """What is asked, by name."""
    lost = Recoverable(path, path, 3, "Pose hand", 1e9)
    other = here.session.document.project
    other = other.with_assets(replace(other.clips[0], name="mine"))
    found = Recovered(
        other, path, here.session.view_state() if hasattr(here.session, "view_state") else None, 3
    )

    def dirty(ask: FileQuestions, answer: Callable[[str], None]) -> None:
        here.session.clips.set_length(here.session.clip.id, 3.0)
        ask.outside(path, answer)

    return {
        "locked": lambda ask, answer: ask.locked(LockedError(path, OWNER), answer),
        "conflict": lambda ask, answer: ask.conflict(ChangedOutsideError(path, state_of(path)), answer),
        "conflict of a locked one": lambda ask, answer: ask.conflict(LockedError(path, OWNER), answer),
        "outside": lambda ask, answer: ask.outside(path, answer),
        "recovered": lambda ask, answer: ask.recovered(lost, found, answer),
        "outside with changes": dirty,
    }


def questions_of(qapp: QApplication, folder: Path) -> list[str]:
    """Every question, what each button answers, what Return and Escape do."""
    path = folder / "walk.posewright"
    core.io.save(small_project(), path)
    os.utime(path, (1e9, 1e9))
    found: list[str] = []
    with stage(qapp, "clips") as here:
        here.user.settle()
        given: list[str] = []
        ask = FileQuestions(here.window, here.window.context, lambda: given.append("asks where"))
        for name, opens in _questions(here, path).items():

            def show(opens=opens) -> None:
                given.clear()
                opens(ask, given.append)
                dialogs.settled(here)

            show()
            found += [f"=== {name}", *dialogs.sitting(qapp, here, None), f"closed: {given}"]
            show()
            buttons = [b.objectName() for b in dialogs.shown().findChildren(QPushButton)]
            for button in buttons:
                dialogs.shown().findChild(QPushButton, button).click()
                dialogs.settled(here)
                found.append(f"{button}: {given}")
                if not given:  # a comparison
                    found += dialogs.sitting(qapp, here, None)
                    dialogs.shown().close()
                    here.user.settle()
                show()
            for code in (Qt.Key.Key_Return, Qt.Key.Key_Escape):
                QTest.keyClick(dialogs.shown(), code)
                here.user.settle()
                found.append(f"{code.name}: {given}")
                if code is Qt.Key.Key_Return:
                    show()
    return found


def test_questions_about_files_are_as_approved(qapp, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr("socket.gethostname", lambda: "here")
    problem = approved.problem_of("dialog-questions", lambda: questions_of(qapp, tmp_path))
    assert not problem, problem

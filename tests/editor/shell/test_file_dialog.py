"""The dialog that chooses files, where the system has none: ours to look at, Qt's to use."""

import os

import pytest
from PySide6.QtCore import QDir, Qt
from PySide6.QtWidgets import QFileDialog, QLabel, QLineEdit, QListView, QToolButton, QTreeView

import core.io
from editor.qt import file_dialog
from tests.editor.stage import small_project, stage


@pytest.fixture
def here(qapp):
    with stage(qapp, "clips", "bone_tree", "timeline", "inspector") as made:
        yield made


def opened(here, folder) -> QFileDialog:
    here.user.press("Ctrl+O")
    dialog = here.user.find("files")
    assert isinstance(dialog, QFileDialog)
    dialog.setDirectory(str(folder))
    tree = dialog.findChild(QTreeView, "treeView")
    here.user.until(lambda: tree.model().rowCount(tree.rootIndex()) > 0)
    here.user.settle()
    return dialog


def test_columns_hold_name_size_and_time_whole(here, tmp_path):
    path = tmp_path / "a rather long name of a character that somebody gave.posewright"
    core.io.save(small_project(), path)
    os.utime(path, (1_700_000_000, 1_700_000_000))
    dialog = opened(here, tmp_path)
    tree = dialog.findChild(QTreeView, "treeView")
    header = tree.header()
    assert tree.isVisible() and header.isSectionHidden(file_dialog.KIND)
    assert header.length() <= tree.viewport().width()
    row = tree.model().index(0, 0, tree.rootIndex())
    option = file_dialog.QStyleOptionViewItem()
    tree.itemDelegate().initStyleOption(option, row.siblingAtColumn(file_dialog.CHANGED))
    assert option.text.startswith("2023-11-1") and len(option.text) == 16
    wide = tree.fontMetrics().horizontalAdvance(option.text)
    assert wide < header.sectionSize(file_dialog.CHANGED)
    assert tree.fontMetrics().horizontalAdvance(path.name) < header.sectionSize(file_dialog.NAME)
    dialog.reject()


def test_nothing_is_underlined_and_icons_are_of_one_family(here, tmp_path):
    core.io.save(small_project(), tmp_path / "one.posewright")
    dialog = opened(here, tmp_path)
    texts = [label.text() for label in dialog.findChildren(QLabel)]
    assert {"Folder", "Name", "Format"} <= set(texts) and not any("&" in text for text in texts)
    shown = [button.objectName() for button in dialog.findChildren(QToolButton) if button.isVisible()]
    assert shown == ["backButton", "forwardButton", "toParentButton", "newFolderButton"]
    tree = dialog.findChild(QTreeView, "treeView")
    row = tree.model().index(0, 0, tree.rootIndex())
    icon = row.data(Qt.ItemDataRole.DecorationRole)
    ours = here.theme.icon("file", "dim").pixmap(16, 16).toImage()
    assert icon.pixmap(16, 16).toImage() == ours
    dialog.reject()


def test_a_row_clicked_twice_is_opened_and_its_folder_is_at_the_side_next_time(here, tmp_path):
    folder = tmp_path / "shots"
    folder.mkdir()
    core.io.save(small_project(), folder / "one.posewright")
    dialog = opened(here, folder)
    tree = dialog.findChild(QTreeView, "treeView")
    cell = tree.visualRect(tree.model().index(0, 0, tree.rootIndex()))
    here.user.click(tree.viewport(), cell.center(), double=True)
    here.user.until(lambda: here.session.document.path is not None)
    assert here.session.document.path == folder / "one.posewright"
    again = opened(here, tmp_path)
    side = again.findChild(QListView, "sidebar")
    assert "shots" in [side.model().index(row, 0).data() for row in range(side.model().rowCount())]
    again.reject()


def test_name_typed_opens_and_escape_leaves_all_as_it_was(here, tmp_path):
    core.io.save(small_project(), tmp_path / "one.posewright")
    before = here.session.document.project
    dialog = opened(here, tmp_path)
    here.user.press("Esc")
    here.user.settle()
    assert here.session.document.project is before
    dialog = opened(here, tmp_path)
    field = dialog.findChild(QLineEdit, "fileNameEdit")
    here.user.type_into(field, "one.posewright")
    here.user.until(lambda: here.session.document.path is not None)
    assert here.session.document.path == tmp_path / "one.posewright"


def test_places_are_folders_that_are_there(monkeypatch, tmp_path):
    gone = tmp_path / "gone"
    monkeypatch.setattr(file_dialog, "_visited", [gone, tmp_path])
    found = list(file_dialog.places(QDir.homePath()))
    assert tmp_path in found and gone not in found and all(path.is_dir() for path in found)
    assert len(set(found)) == len(found)

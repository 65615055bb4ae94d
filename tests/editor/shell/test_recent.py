"""File › Open recent: each entry opens its own file, those that are gone are off."""

from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from PySide6.QtCore import QEvent, QPoint
from PySide6.QtGui import QHelpEvent, QPixmap
from PySide6.QtWidgets import QApplication, QMainWindow, QToolTip

from editor.model.recent_pictures import picture_path
from editor.model.session import Session
from editor.shell.menus import LateMenu
from editor.shell.recent import RecentMenu


@pytest.fixture
def here(qtbot, tmp_path: Path) -> Iterator[SimpleNamespace]:
    window, session = QMainWindow(), Session.create()
    qtbot.addWidget(window)
    for name in ("a", "b & c", "gone"):
        path = tmp_path / f"{name}.posewright"
        if name != "gone":
            path.write_bytes(b"")
        session.preferences.add_recent(path)
    menu, opened = LateMenu("File", window), []
    menu.later(lambda: menu.addAction("Open the sample").setObjectName("file.sample"))
    recent = RecentMenu(window, {"File": menu}, session, opened.append)
    yield SimpleNamespace(folder=tmp_path, session=session, menu=menu, recent=recent, opened=opened)
    session.close()


def entries(here) -> list:
    here.recent.menu.aboutToShow.emit()
    return here.recent.menu.actions()


def test_each_entry_opens_its_own_file_the_newest_first(here) -> None:
    paths = [here.folder / f"{name}.posewright" for name in ("gone", "b & c", "a")]
    found = entries(here)[:3]
    assert [a.text() for a in found] == ["gone.posewright", "b && c.posewright", "a.posewright"]
    assert [a.toolTip() for a in found] == [str(path) for path in paths]
    assert [a.isEnabled() for a in found] == [False, True, True]
    for action in found[1:]:
        action.trigger()
    assert here.opened == paths[1:]


def test_a_file_with_a_picture_shows_it(here) -> None:
    path = here.folder / "a.posewright"
    picture_path(path).parent.mkdir(parents=True, exist_ok=True)
    picture = QPixmap(8, 8)
    picture.fill()
    assert picture.save(str(picture_path(path)))
    assert [not a.icon().isNull() for a in entries(here)[:3]] == [False, False, True]


def test_the_list_stands_before_the_samples_and_can_be_cleared(here) -> None:
    assert [a.text() for a in here.menu.actions()] == ["Open recent", "Open the sample"]
    here.menu.aboutToShow.emit()
    assert here.recent.menu.isEnabled()
    entries(here)[-1].trigger()
    here.menu.aboutToShow.emit()
    assert here.session.preferences.recent == () and not here.recent.menu.isEnabled()


def test_the_folder_of_a_file_is_told_over_its_entry(here) -> None:
    menu = here.recent.menu
    menu.popup(QPoint(0, 0))
    place = menu.actionGeometry(menu.actions()[0]).center()
    QApplication.sendEvent(menu, QHelpEvent(QEvent.Type.ToolTip, place, menu.mapToGlobal(place)))
    assert QToolTip.text() == str(here.folder / "gone.posewright")
    QToolTip.hideText()
    menu.close()

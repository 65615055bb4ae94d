"""What an empty view says, what it shows while files are held over the window, and while one is read."""

import threading

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDropEvent
from PySide6.QtWidgets import QApplication

import core.io
from editor.gl.viewport_widget import ViewportWidget
from tests.editor.stage import stage


@pytest.fixture
def here(qapp):
    with stage(qapp, "viewport", "bone_tree") as made:
        yield made


def zone(here):
    return here.window.centre_body.panel.drop_zone


def hold(here, *paths) -> QMimeData:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    enter = QDragEnterEvent(
        QPointF(600, 300).toPoint(), Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )  # fmt: skip
    QApplication.sendEvent(here.window, enter)
    assert enter.isAccepted()
    return data


def test_empty_document_says_where_to_drop_which_files(here):
    assert zone(here).state == "" and not zone(here).isVisible()
    full = here.user.picture("viewport")
    here.session.files.new()
    here.user.settle()
    title, formats, hint = zone(here).words
    assert zone(here).isVisible() and "Drop" in title and "Ctrl+O" in hint
    for format_ in core.io.formats():
        assert not format_.can_read or all(suffix in formats for suffix in format_.suffixes)
    empty = here.user.picture("viewport")
    assert (empty.astype(int) != full).any(axis=2).mean() > 0.02
    here.user.press("Ctrl+Z")


def test_files_held_over_the_window_light_the_zone_until_they_leave_or_are_dropped(here, tmp_path):
    held = hold(here, tmp_path / "a.glb")
    assert zone(here).state == "over" and zone(here).isVisible()
    QApplication.sendEvent(here.window, QDragLeaveEvent())
    assert zone(here).state == "" and not zone(here).isVisible()
    core.io.save(here.session.document.project, tmp_path / "c.posewright")
    held = hold(here, tmp_path / "c.posewright")
    drop = QDropEvent(
        QPointF(600, 300), Qt.DropAction.CopyAction, held, Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )  # fmt: skip
    QApplication.sendEvent(here.window, drop)
    assert zone(here).state != "over"
    here.user.wait_until(lambda: here.session.document.path == tmp_path / "c.posewright", "not opened")


def test_name_of_what_is_being_opened_is_shown_until_it_is_there(here, tmp_path, monkeypatch):
    path = tmp_path / "slow.posewright"
    core.io.save(here.session.document.project, path)
    go_on, load = threading.Event(), core.io.load

    def slow(*words, **more):
        assert go_on.wait(400.0)
        return load(*words, **more)

    monkeypatch.setattr(core.io, "load", slow)
    here.session.files.open(path)
    here.user.settle()
    assert zone(here).state == "opening" and zone(here).words[0] == "Opening slow.posewright…"
    assert zone(here).isVisible()
    go_on.set()
    here.user.wait_until(lambda: here.session.document.path == path, "not opened")
    here.user.settle()
    assert zone(here).state == "" and not zone(here).isVisible()


def test_keyboard_belongs_to_the_view_from_the_start(here):
    view = here.window.findChild(ViewportWidget)
    here.user.wait_until(lambda: QApplication.focusWidget() is view, "the view has no focus")
    here.user.press("Space")
    assert here.session.playback.playing
    here.user.press("Space")


def test_camera_that_moves_at_once_is_chosen_in_the_preferences(here, monkeypatch):
    monkeypatch.delenv("POSEWRIGHT_STILL")
    here.user.press("Ctrl+,")
    box = here.user.find("preference.reduced_motion")
    assert box.currentText() == "Eased"
    box.setFocus()
    here.user.press("Down")
    here.user.click("closePreferences")
    assert here.session.preferences.get("reduced_motion") is True
    model = here.window.centre_body.panel.model
    here.window.actions_registry.run("view.top")
    assert model.camera.orthographic and abs(model.camera.pitch) > 1.5  # no step in between

"""The dialogs of a file that others have open or have changed, by mouse."""

import json
import os
import time
from dataclasses import replace

import pytest
from PySide6.QtWidgets import QWidget

import core.io
from editor.model.file_lock import lock_of
from editor.shell.window import MainWindow
from tests.editor.model.test_two_editors import change_outside, lost, others_lock
from tests.editor.rigs import small_project
from tests.editor.stage import stage


@pytest.fixture
def here(qapp, monkeypatch):
    """A window that looks at its file only when a test says so, not at moments that depend on the machine."""
    monkeypatch.setattr(MainWindow, "_look_at_file", lambda _: None)
    with stage(qapp, "clips") as found:
        yield found


@pytest.fixture
def path(here, tmp_path):
    """A document that is saved and open in the window."""
    path = tmp_path / "walk.posewright"
    here.session.files.save(path)
    wait(here)
    return path


def wait(here):
    here.user.wait_until(lambda: not here.session.jobs.running, "the work did not end")
    here.user.settle()


def look(here):
    here.session.files.look()
    here.user.wait_until(lambda: not here.session.files.looking, "the look did not end")
    here.user.settle()


def change(here, length=3.0):
    here.session.clips.set_length(here.session.document.project.clips[0].id, length)


def test_save_over_what_another_changed_asks_compares_and_overwrites(here, path):
    change_outside(path)
    theirs = path.read_bytes()
    change(here)
    here.user.choose("File", "Save")
    wait(here)
    assert here.user.visible("walk.posewright was changed by another program") and path.read_bytes() == theirs
    here.user.click("compare")
    look(here)  # as when the window is active again before the versions are read
    wait(here)
    assert here.user.visible("versions")
    rows = here.user.find("differences")
    assert "theirs" in rows.topLevelItem(0).text(2) and "length" in rows.topLevelItem(0).text(2)
    here.user.click("cancel")
    assert here.user.visible("walk.posewright was changed by another program")
    here.user.click("overwrite")
    wait(here)
    assert core.io.load(path).project.clips[0].length == 3.0 and not here.session.document.dirty


def test_a_file_that_cannot_be_compared_is_told_with_the_reason(here, path):
    change_outside(path)
    change(here)
    here.user.choose("File", "Save")
    wait(here)
    path.write_bytes(b"PK")
    here.user.click("compare")
    wait(here)
    assert here.user.visible("versions")
    assert "walk.posewright" in here.session.messages.latest.text
    assert here.user.find("differences").topLevelItem(0).text(0) == "the file cannot be read"
    here.user.click("cancel")
    here.user.press("Esc")


def test_change_found_while_versions_are_compared_is_asked_about_afterwards(here, path):
    change_outside(path)
    change(here)
    here.user.choose("File", "Save")
    wait(here)
    here.user.click("compare")
    wait(here)
    path.write_bytes(b"PK")
    look(here)
    assert here.user.visible("versions") and not here.user.visible("question")
    here.user.click("cancel")
    here.user.click("cancel")
    look(here)
    assert here.user.visible("walk.posewright was changed by another program") and here.user.visible("reload")
    here.user.click("cancel")
    look(here)
    assert not here.user.visible("question") and here.session.document.dirty


def test_look_that_ends_while_versions_are_read_asks_nothing(here, path):
    change_outside(path)
    change(here)
    here.user.choose("File", "Save")
    wait(here)
    path.write_bytes(b"PK")
    works = []
    run, here.session.jobs.runner = here.session.jobs.runner, lambda *work: works.append(work)
    here.user.click("compare")
    here.session.files.look()
    for work in reversed(works):  # the look ends first
        run(*work)
        here.user.wait_until(lambda: not here.session.files.looking, "the look did not end")
    here.session.jobs.runner = run
    wait(here)
    assert here.user.visible("versions") and not here.user.visible("question")


def test_change_is_asked_about_after_a_comparison_that_was_cancelled(here, path):
    change_outside(path)
    change(here)
    here.user.choose("File", "Save")
    wait(here)
    works = []
    run, here.session.jobs.runner = here.session.jobs.runner, lambda *work: works.append(work)
    here.user.click("compare")
    here.session.jobs.runner = run
    here.session.jobs.cancel_all()
    for work in works:  # the comparison, and pictures of clips where their moment came meanwhile
        run(*work)
    wait(here)
    assert not here.user.visible("versions")
    path.write_bytes(b"PK")
    look(here)
    assert here.user.visible("walk.posewright was changed by another program") and here.user.visible("reload")


def test_save_over_what_another_changed_can_be_cancelled_or_saved_elsewhere(here, path):
    change_outside(path)
    theirs = path.read_bytes()
    change(here)
    here.user.choose("File", "Save")
    wait(here)
    here.user.click("cancel")
    assert path.read_bytes() == theirs and here.session.document.dirty
    here.user.choose("File", "Save")
    wait(here)
    here.user.click("save_as")
    assert here.user.visible("files")


def test_document_open_elsewhere_opens_read_only_and_the_title_says_so(here, path):
    here.session.files.new()
    others_lock(path)
    here.window.documents.open(path)
    wait(here)
    assert here.user.visible("walk.posewright is open elsewhere")
    here.user.click("read_only")
    wait(here)
    assert here.session.document.read_only and "read-only" in here.window.windowTitle()
    change(here)
    here.user.choose("File", "Save")
    assert here.user.visible("files")  # asks where
    assert json.loads(lock_of(path).read_text())["user"] == "anna"


def test_document_open_elsewhere_can_be_left_alone(here, path):
    here.session.files.new()
    others_lock(path)
    here.window.documents.open(path)
    wait(here)
    here.user.click("cancel")
    wait(here)
    assert here.session.document.path is None and not here.session.document.project.assets


def test_file_changed_while_open_is_noticed_and_reloaded(here, path):
    change_outside(path)
    look(here)
    assert here.user.visible("walk.posewright was changed by another program")
    here.user.click("reload")
    wait(here)
    assert here.session.document.project.clips[0].name == "theirs"


@pytest.mark.parametrize("when", ["at intervals", "when the window becomes active"])
def test_file_changed_while_open_is_noticed_by_itself(qapp, tmp_path, when):
    with stage(qapp, "clips") as here:
        here.window._journal_timer.setInterval(50 if when == "at intervals" else 10**6)
        path = tmp_path / "walk.posewright"
        here.session.files.save(path)
        wait(here)
        if when == "at intervals":
            change_outside(path)
        else:
            other = QWidget()
            other.show()
            other.activateWindow()
            here.user.wait_until(lambda: not here.window.isActiveWindow(), "the other window is not active")
            change_outside(path)
            other.close()
            here.window.activateWindow()
        here.user.wait_until(lambda: here.user.visible("question"), "nothing was asked")
        assert here.user.visible("walk.posewright was changed by another program")
        here.user.click("reload")
        wait(here)
        assert here.session.document.project.clips[0].name == "theirs"


def test_file_changed_while_open_keeps_mine_until_it_is_saved(here, path):
    change(here)
    change_outside(path)
    look(here)
    here.user.click("cancel")
    look(here)
    assert not here.user.visible("question") and here.session.document.dirty


def test_recovery_onto_anothers_file_shows_both_side_by_side(qapp, tmp_path):
    path = tmp_path / "walk.posewright"
    old = lost(tmp_path, path)
    change_outside(path)
    with stage(qapp, "clips", project=None) as here:
        folder = here.session.journal.folder
        folder.mkdir(parents=True, exist_ok=True)
        for name in old.journal.folder.iterdir():
            os.link(name, folder / name.name)
        here.window.documents.offer_recovery()
        wait(here)
        here.user.click("recover")
        wait(here)
        assert here.user.visible("versions") and here.user.visible("walk.posewright is a different version")
        assert here.user.visible("Recovered steps") and here.user.visible("The file now")
        here.user.click("copy")
        wait(here)
        assert here.session.document.title == "walk (recovered)" and here.session.document.dirty
    old.journal.close()


def test_window_shows_a_document_whose_name_is_no_unicode(here, tmp_path):
    path = tmp_path / "caf\udce9.posewright"
    project = small_project()
    core.io.save(project.with_assets(replace(project.clips[0], name="odd")), path)
    here.window.documents.open(path)
    wait(here)
    assert here.session.document.path == path
    change(here)
    here.user.choose("File", "Save")
    wait(here)
    assert not here.session.document.dirty and time.time() - path.stat().st_mtime < 60
    here.session.files.new()
    here.user.choose("File", "Open recent", "caf\N{REPLACEMENT CHARACTER}.posewright")
    wait(here)
    assert here.session.document.path == path

import gc
import threading
import weakref

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, QRect, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QAbstractButton, QApplication, QFileDialog, QLabel, QLineEdit

import core.io
from core.arrays import same_value
from core.clips.clip import Channel, Property
from core.io import ImportReport
from core.tracks.keys import TangentMode
from editor.model import recovery
from editor.model.session import Session
from tests.editor.stage import small_project, stage

ALL = ("viewport", "bone_tree", "clips", "inspector", "history", "timeline")


def change(here):
    here.session.clips.set_looping(here.session.playback.clip, not here.clip().looping)
    here.user.settle()


def wait(here):
    here.user.wait_until(lambda: not here.session.jobs.running, "the work did not end")
    here.user.settle()


def choose_file(here, path):
    dialog = here.user.find("files")
    assert isinstance(dialog, QFileDialog)
    field = dialog.findChild(QLineEdit, "fileNameEdit")
    here.user.type_into(field, str(path))


# ------------------------------------------------------------ saving and opening
def test_save_asks_where_the_first_time_then_writes_and_says_so(here, tmp_path):
    change(here)
    assert here.window.isWindowModified() and here.user.find("savedState").text() == "not saved"
    here.user.press("Ctrl+S")
    choose_file(here, tmp_path / "mine")
    wait(here)
    assert (tmp_path / "mine.posewright").is_file()
    assert not here.window.isWindowModified() and here.user.find("savedState").text() == "saved"
    assert here.window.windowTitle() == "mine[*] – Posewright"


def test_open_reads_what_was_saved(here, tmp_path):
    core.io.save(small_project(), tmp_path / "a.posewright")
    here.user.press("Ctrl+O")
    choose_file(here, tmp_path / "a.posewright")
    wait(here)
    assert here.session.document.path == tmp_path / "a.posewright"
    assert here.session.clip.name == "walk"
    assert same_value(here.session.clip, small_project().clip_named("walk"))


@pytest.mark.parametrize("answer", ["cancel", "discard", "save"])
def test_new_with_unsaved_changes_asks_first(here, tmp_path, answer):
    change(here)
    here.user.press("Ctrl+N")
    assert here.user.visible("Save changes to Untitled?")
    here.user.click(answer)
    if answer == "save":
        choose_file(here, tmp_path / "kept")
        wait(here)
        assert core.io.load(tmp_path / "kept.posewright").project.clips[0].looping
    assert bool(here.session.document.project.assets) == (answer == "cancel")


def test_escape_at_the_question_keeps_everything(here):
    change(here)
    here.user.press("Ctrl+N")
    here.user.press("Esc")
    assert here.session.document.project.assets and here.session.document.dirty


def test_recent_files_are_listed_and_open(here, tmp_path):
    path = tmp_path / "b.posewright"
    core.io.save(small_project(), path)
    here.session.preferences.add_recent(path)
    here.user.choose("File", "Open recent", "b.posewright")
    wait(here)
    assert here.session.document.path == path


def test_broken_file_is_told_in_the_bar_and_nothing_is_lost(here, tmp_path):
    (tmp_path / "bad.posewright").write_bytes(b"PK\x03\x04 no zip")
    before = here.session.document.project
    here.window.documents.open(tmp_path / "bad.posewright")
    wait(here)
    assert here.session.document.project is before
    assert "bad.posewright" in here.session.messages.latest.text
    here.user.click("closeMessage")
    assert not here.user.visible("messageBar")


def test_error_goes_when_the_next_open_succeeds(here, tmp_path):
    (tmp_path / "bad.posewright").write_bytes(b"PK\x03\x04 no zip")
    core.io.save(small_project(), tmp_path / "good.posewright")
    here.window.documents.open(tmp_path / "bad.posewright")
    wait(here)
    assert here.user.visible("messageBar")
    here.window.documents.open(tmp_path / "good.posewright")
    wait(here)
    assert not here.user.visible("messageBar")


def test_notice_lies_over_the_window_and_moves_nothing(here):
    before = {w.objectName(): (w.mapTo(here.window, w.rect().topLeft()), w.size())
              for w in (here.window.centre_body, *(d.body for d in here.window.docks.values()))}  # fmt: skip
    here.session.messages.error("the disk is full", "Make room, then save again")
    here.user.settle()
    bar = here.user.find("messageBar")
    after = {w.objectName(): (w.mapTo(here.window, w.rect().topLeft()), w.size())
             for w in (here.window.centre_body, *(d.body for d in here.window.docks.values()))}  # fmt: skip
    assert after == before
    assert here.window.rect().contains(bar.geometry()) and bar.geometry().bottom() < here.window.status.y()


def test_notice_stays_while_the_pointer_is_on_it(here):
    here.session.messages.warn("one thing was left out")
    here.user.settle()
    bar = here.window.messages.bar
    assert bar._timer.isActive()
    here.user.move("messageBar")
    assert not bar._timer.isActive()
    here.user.move(here.window.status)
    assert bar._timer.isActive()


def test_notice_keeps_away_from_the_pointer(here):
    here.session.messages.error("one", "")
    here.user.settle()
    bar = here.user.find("messageBar")
    low = bar.geometry()
    here.window.messages._place(low.center())
    assert not bar.geometry().intersects(low) and here.window.rect().contains(bar.geometry())


@pytest.mark.parametrize("width", [800, 1280])
def test_long_notice_wraps_and_is_there_to_its_last_word(here, width):
    here.window.resize(width, 720)
    here.user.settle()
    reason = "its copy of /home/someone/Projects/A very long name of a folder/characters/hero.posewright is missing"
    told = (
        f"Recovered 12 steps; not all of it: {reason}, and the file has changed since these steps were made"
    )
    for text, step in ((told, ""), (told, "Restore that version to recover them"), ("/" + "deep/" * 60, "")):
        here.session.messages.warn(text, step)
        here.user.settle()
        bar, area = here.user.find("messageBar"), here.window.rect()
        assert area.contains(bar.geometry()) and bar.geometry().bottom() < here.window.status.y()
        for name, wanted in (("messageText", text), ("messageNextStep", step)):
            if not wanted:
                continue
            shown = here.user.find(name)
            assert shown.text().replace("\u200b", "") == wanted
            assert shown.heightForWidth(shown.width()) <= shown.height()
            assert bar.rect().contains(QRect(shown.mapTo(bar, QPoint(0, 0)), shown.size()))
    here.session.messages.warn("short")
    here.user.settle()
    assert bar.height() == 32 and here.user.find("messageText").text() == "short"


def test_report_of_an_opened_file_is_offered_and_can_be_reopened(here, tmp_path):
    report = ImportReport(
        "glTF", left_out=["normal textures", "2 UV sets"], warnings=["one bone has no name"]
    )
    assert here.session.files.reports == ()
    here.session.files.tell(tmp_path / "hero.glb", report)
    here.user.settle()
    text = here.user.find("messageText").text()
    assert text.startswith("hero.glb: left out: normal textures, 2 UV sets")
    here.user.click("messageAction")
    assert "Left out: normal textures, 2 UV sets" in here.user.find("reportText").toPlainText()
    here.user.click("Close")
    here.user.choose("File", "Import report…")
    shown = here.user.find("reportText").toPlainText()
    assert "Left out: normal textures, 2 UV sets" in shown and "Warning: one bone has no name" in shown
    here.user.press("Esc")
    here.window.documents.new()
    assert here.session.files.reports == (), "another document has reports of its own"


def test_title_names_what_was_opened(here, tmp_path):
    core.io.save(small_project(), tmp_path / "robot.glb")
    here.window.documents.open(tmp_path / "robot.glb")
    wait(here)
    assert here.window.windowTitle() == "robot.glb[*] – Posewright"
    assert [path.name for path, _ in here.session.files.reports] == ["robot.glb"]
    here.window.documents.load_sample(play=False)
    wait(here)
    assert here.window.windowTitle() == "Sample character[*] – Posewright"
    here.window.documents.new()
    here.user.settle()
    assert here.window.windowTitle() == "Untitled[*] – Posewright"


# ------------------------------------------------------------ dropping files
def drop(here, *paths):
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(p)) for p in paths])
    place, action = QPointF(600, 300), Qt.DropAction.CopyAction
    left, none = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    enter = QDragEnterEvent(place.toPoint(), action, data, left, none)
    QApplication.sendEvent(here.window, enter)
    assert enter.isAccepted()
    QApplication.sendEvent(here.window, QDropEvent(place, action, data, left, none))
    wait(here)


def test_dropped_document_is_opened_after_asking_about_changes(here, tmp_path):
    core.io.save(small_project(), tmp_path / "c.posewright")
    change(here)
    drop(here, tmp_path / "c.posewright")
    here.user.click("discard")
    wait(here)
    assert here.session.document.path == tmp_path / "c.posewright"


def test_dropped_file_of_another_format_is_offered_for_import(here, tmp_path):
    core.io.save(small_project(), tmp_path / "d.glb")
    drop(here, tmp_path / "d.glb")
    assert here.user.visible("importDialog")


def test_dropped_document_is_opened_and_other_files_with_it_are_offered_for_import(here, tmp_path):
    core.io.save(small_project(), tmp_path / "c.posewright")
    for name in ("d.glb", "e.bvh"):
        core.io.save(small_project(), tmp_path / name)
    drop(here, tmp_path / "d.glb", tmp_path / "c.posewright", tmp_path / "e.bvh")
    wait(here)
    assert here.session.document.path == tmp_path / "c.posewright"
    assert [row.split()[0] for row in here.user.rows("importFiles")] == ["d.glb", "e.bvh"]
    here.user.click("acceptImport")
    assert here.session.history.labels == ("Import d.glb", "Import e.bvh")


# ------------------------------------------------------------ closing
@pytest.mark.parametrize(("answer", "gone"), [("cancel", False), ("discard", True)])
def test_close_with_unsaved_changes_asks(here, answer, gone):
    change(here)
    here.window.close()
    here.user.settle()
    assert here.window.isVisible()
    here.user.click(answer)
    assert here.window.isVisible() == (not gone)
    assert here.session.journal.closed == gone


def test_close_without_changes_just_closes(here):
    here.window.close()
    here.user.settle()
    assert not here.window.isVisible() and here.session.journal.closed


def test_close_while_a_document_is_saved_waits_for_it(here, tmp_path, monkeypatch):
    going_on = threading.Event()
    save = core.io.save

    def slow(*args, **more):
        going_on.wait(400.0)
        return save(*args, **more)

    monkeypatch.setattr(core.io, "save", slow)
    here.session.files.save(tmp_path / "walk.posewright")
    here.user.wait_until(lambda: here.session.files.saving)
    here.window.close()
    here.user.settle()
    assert here.window.isVisible()
    assert here.session.messages.latest.text == "Saving; the window closes afterwards"
    going_on.set()
    here.user.wait_until(lambda: not here.window.isVisible(), "the window never closed")
    assert core.io.load(tmp_path / "walk.posewright").project.clips


def test_close_leaves_no_journal_behind(here):
    change(here)
    here.session.journal.flush()
    folder = here.session.journal.folder
    assert list(folder.glob("*.journal"))
    here.window._close_now()
    here.session.journal.flush()
    assert not list(folder.glob("*.journal"))


# ------------------------------------------------------------ recovery
def leave_a_journal(project):
    """What a program that was killed leaves: a journal whose owner no longer runs."""
    session = Session.create()
    session.document.replace(project, None)
    session.playback.set_clip(project.clips[0].id)
    session.clips.set_looping(project.clips[0].id, True)
    session.journal.flush()
    for lock in session.journal.folder.glob("*.lock"):
        lock.write_text('{"pid": 999999999, "started": 0}')
    session.journal.close(discard=False)
    return session.journal.folder


def test_start_offers_what_a_crash_left_and_brings_it_back(qapp):
    folder = leave_a_journal(small_project())
    for lock in folder.glob("*.lock"):
        lock.unlink()
    with stage(qapp, "clips", project=None) as here:
        here.window.documents.offer_recovery()
        wait(here)
        assert here.user.visible("Recover unsaved work?")
        here.user.click("recover")
        wait(here)
        assert here.session.document.project.clips[0].looping
        assert here.session.document.dirty


def test_journals_are_looked_for_beside_the_window(qapp, monkeypatch):
    """Journals may be large and lie on a slow disk: the window's thread reads none of them."""
    threads = []
    look = recovery.recoverable
    monkeypatch.setattr(
        recovery, "recoverable", lambda folder: threads.append(threading.current_thread()) or look(folder)
    )
    leave_a_journal(small_project())
    with stage(qapp, "clips", project=None) as here:
        here.window.documents.offer_recovery()
        wait(here)
        here.user.click("later")
    assert threads and threading.main_thread() not in threads


def test_recovery_can_wait_and_can_be_thrown_away(qapp):
    leave_a_journal(small_project())
    with stage(qapp, "clips", project=None) as here:
        here.window.documents.offer_recovery()
        wait(here)
        here.user.click("later")
        assert here.session.files.recoverable()
        here.user.choose("File", "Recover lost work…")
        wait(here)
        here.user.click("discard")
        wait(here)
        assert not here.session.files.recoverable()
        assert not here.user.visible("question")


# ------------------------------------------------------------ messages, jobs, theme
def test_job_shows_progress_and_can_be_cancelled(here):
    go, outcome = threading.Event(), []

    def work(progress):
        progress.report(0.4, "reading")
        go.wait(400.0)
        progress.report(0.5)

    here.session.jobs.run("Import big.glb", work, cancelled=lambda: outcome.append("cancelled"))
    here.user.wait_until(lambda: here.user.visible("jobBox") and here.user.find("jobProgress").value() == 400)
    assert here.user.find("jobText").text() == "Import big.glb: reading"
    for more in (1, 2):
        here.session.jobs.run("Other", lambda _: go.wait(400.0))
        words = f"Import big.glb: reading (and {more} more)"
        here.user.wait_until(lambda words=words: here.user.find("jobText").text() == words)
    here.user.click("cancelJob")
    go.set()
    wait(here)
    here.user.wait_until(lambda: not here.user.visible("jobBox"))
    assert outcome == ["cancelled"]


def test_error_in_the_bar_is_not_covered_by_lesser_news(here):
    here.session.messages.error("the disk is full", "Free some space")
    here.session.messages.info("Saved")
    here.user.settle()
    assert here.user.find("messageText").text() == "the disk is full"
    assert here.user.find("messageNextStep").text() == "Free some space"


def test_theme_changes_at_once_everywhere(here):
    dark = here.user.picture()
    here.user.choose("View", "Appearance", "Light")
    light = here.user.picture()
    assert here.theme.tokens.name == "light"
    assert light[:, :, :3].mean() > dark[:, :, :3].mean() + 120
    window = here.theme.color("window").getRgb()[:3]
    assert tuple(int(c) for c in light[1, 2, :3]) == window
    here.user.choose("View", "Appearance", "Dark")
    assert (here.user.picture() == dark).mean() > 0.98


def test_flat_ends_are_chosen_in_the_preferences_and_used_by_the_next_key(here):
    """The palette leads from "tangent" to the dialog; what is stored changes only where it is edited."""
    session = here.session
    assert session.clip is not None
    before = dict(session.clip.tracks)
    here.user.press("F3")
    here.user.type("tangent")
    assert "Preferences" in here.user.rows("paletteList")
    here.user.type(" preferences")
    here.user.press("Return")
    box = here.user.find("preference.auto_ends")
    assert box.currentText() == "One-sided"
    box.setFocus()
    assert here.user.until(box.hasFocus)  # the dialog's window may be activated a moment later
    here.user.press("Down")
    here.user.press("Return")
    assert here.user.until(lambda: session.preferences.get("auto_ends") == "flat")
    if here.user.visible("closePreferences"):
        here.user.click("closePreferences")
    assert dict(session.clip.tracks) == before
    channel = Channel("hand_l", Property.TRANSLATE, 0)
    for frame, x in ((0, 0.1), (10, 0.4), (20, 0.5)):
        here.frame(frame)
        pose = session.evaluator.pose()
        hand = session.rig.skeleton.index("hand_l")
        moved = pose.with_bone(hand, translation=pose.translations[hand] + [x, 0.0, 0.0])
        session.keying.commit_pose("Move", moved, ["hand_l"])
    track = session.clip.tracks[channel]
    ends = [k for k in (0, len(track) - 1) if track.modes[k] == TangentMode.AUTO]
    assert ends and all(track.in_slopes[k] == 0.0 == track.out_slopes[k] for k in ends)


def test_preferences_change_at_once_and_are_kept(here):
    here.user.press("Ctrl+,")
    here.user.type_into("preference.backups", "9")
    here.user.find("preference.scale").setFocus()
    here.user.press("Down")
    here.user.click("closePreferences")
    assert here.session.preferences.get("backups") == 9
    assert here.session.preferences.get("scale") == 1.25
    assert "Interface scale: 125 %" in here.session.messages.latest.text


def test_about_and_keys_open_and_close(here):
    here.user.choose("Help", "About Posewright")
    here.user.wait_until(lambda: here.user.visible("about"))
    here.user.press("Esc")
    here.user.wait_until(lambda: not here.user.visible("about"))
    here.user.press("F1")
    assert "Set key on selection" in here.user.rows("shortcutTable")
    here.user.press("Esc")
    assert not here.user.visible("shortcutSheet")


# ------------------------------------------------------------ the whole window
def test_whole_window_pose_by_field_scrub_undo_save_reopen(qapp, tmp_path):
    with stage(qapp, *ALL) as here:
        here.user.click_row("bones", "arm_l")
        here.frame(10)
        here.user.type_into("rotate.z", "33")
        here.frame(20)
        here.user.press("Ctrl+Z")
        assert here.session.playback.frame == pytest.approx(10.0)
        here.user.press("Ctrl+Shift+Z")
        here.user.press("Ctrl+S")
        choose_file(here, tmp_path / "whole")
        wait(here)
        kept = here.clip()
    with stage(qapp, *ALL, project=None) as here:
        here.window.documents.open(tmp_path / "whole.posewright")
        wait(here)
        assert same_value(here.clip(), kept)


def test_whole_window_empty_project_shows_what_to_do_everywhere(qapp):
    with stage(qapp, *ALL, project=None) as here:
        for keys in ("Space", "S", "Ctrl+Z", "Ctrl+A", "Delete", "F", "Right", "Shift+H", "Esc"):
            here.user.press(keys)
        assert here.user.visible("No character yet.")
        assert here.session.document.project.assets == {}


def listeners(session: Session) -> list[int]:
    events = (
        session.evaluator.changed, session.selection.bones_changed, session.selection.hover_changed,
        session.messages.posted, session.history.changed, session.switches.changed,
    )  # fmt: skip
    return [len(event) for event in events]


def test_close_and_reopen_leaves_nothing_alive(qapp):
    for _ in range(2):
        with stage(qapp, *ALL) as here:
            session = here.session
            held = [weakref.ref(here.window)]
            held += [weakref.ref(dock.body.panel) for dock in here.window.docks.values()]
            held.append(weakref.ref(here.window.centre_body.panel))
            here.user.click_row("bones", "hand_l")
            del here
        gc.collect()
        alive = [ref() for ref in held if ref() is not None]
        assert alive == []
        # What listens is the session's own: as much as in a session that no window has shown.
        assert listeners(session) == listeners(Session.create())


def test_nothing_is_clipped_at_1280_by_720(qapp):
    with stage(qapp, *ALL) as here:
        bar = here.window.menuBar()
        assert all(not bar.actionGeometry(menu).isEmpty() for menu in bar.actions())
        assert bar.actions()[-1].text() == "&Help"
        here.session.selection.select(["arm_l"])
        here.user.settle()
        assert (here.window.width(), here.window.height()) == (1280, 720)
        short = [
            f"{type(w).__name__} {w.objectName()!r} {w.text()!r}"
            for w in (*here.window.findChildren(QLabel), *here.window.findChildren(QAbstractButton))
            if w.isVisible() and w.text() and w.width() + 1 < w.minimumSizeHint().width()
        ]
        assert short == []

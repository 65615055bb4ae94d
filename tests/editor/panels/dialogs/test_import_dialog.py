import sys
import threading
from dataclasses import replace

import pytest
from PySide6.QtWidgets import QAbstractButton, QFileDialog, QLabel

import core.io
from core.clips.clip import Clip
from core.io import ImportReport
from core.project.project import Project
from editor.model.importing import with_fresh_ids
from editor.model.preferences import Preferences
from editor.shell.importing import details
from editor.shell.importing import dialog as dialogs
from editor.shell.importing.dialog import ImportDialog
from editor.shell.importing.entry import Entry, facts, notes
from tests.editor.stage import WALK, small_project, small_rig, stage


@pytest.fixture
def files(tmp_path):
    project = small_project()
    core.io.save(project, tmp_path / "tester.glb")
    core.io.save(project, tmp_path / "walk.bvh")
    (tmp_path / "broken.glb").write_bytes(b"glTF" + b"\x00" * 40)
    return tmp_path


@pytest.fixture
def here(qapp):
    with stage(qapp, "clips", "history") as made:
        yield made


def settle(here):
    here.user.wait_until(lambda: not here.session.jobs.running, "it was not read")
    here.user.settle()


def read(here, *paths):
    here.window.documents.import_files(list(paths))
    settle(here)


def choose(here, name, text):
    """By the keyboard; a file that is read again meanwhile leaves the focus where it was."""
    here.user.find(name).setFocus()
    for key in ("Home", *["Down"] * 20):
        here.user.press(key)
        settle(here)
        box = here.user.find(name)
        assert box.hasFocus()
        if box.currentText() == text:
            return
    raise AssertionError(f"{text} is not offered")


def untick(here, row):
    clips = here.user.find("importClips")
    here.user.click(clips.viewport(), clips.visualItemRect(clips.item(row)).center())


def names(here):
    return [clip.name for clip in here.session.document.project.clips]


def test_import_shows_what_the_file_holds_before_anything_changes(here, files):
    read(here, files / "tester.glb")
    dialog = here.user.find("importDialog")
    assert isinstance(dialog, ImportDialog)
    rows = dict(facts(dialog._entries[0].found))
    assert rows["Skeleton"].startswith("8 bone")
    assert here.user.find("importClips").count() == 2
    assert names(here) == ["walk", "turn"] and here.session.history.labels == ()


def test_import_as_a_new_character_is_one_undo_step(here, files):
    read(here, files / "tester.glb")
    choose(here, "importTarget", "As a new character")
    here.user.press("Return")
    assert len(here.session.document.project.rigs) == 2
    assert here.session.history.labels == ("Import tester.glb",)
    assert here.session.rig is here.session.document.project.rigs[1]
    here.user.press("Ctrl+Z")
    assert len(here.session.document.project.rigs) == 1


def test_import_clips_onto_the_character_takes_only_those_ticked(here, files):
    read(here, files / "tester.glb")
    choose(here, "importTarget", "Clips only, onto tester")
    untick(here, 0)
    here.user.click("acceptImport")
    assert len(here.session.document.project.rigs) == 1
    assert names(here) == ["walk", "turn", "turn 2"]


def test_import_escaped_takes_nothing(here, files):
    read(here, files / "tester.glb")
    here.user.press("Esc")
    assert names(here) == ["walk", "turn"] and not here.user.visible("importDialog")


def test_file_can_be_read_again_in_another_unit_and_axis(here, files):
    read(here, files / "walk.bvh")
    choose(here, "importUnit", "Centimetres")
    report = here.user.find("importDialog")._entries[0].found.report
    assert report.unit == "centimetre" and not report.unit_guessed
    choose(here, "importAxis", "+Z")
    report = here.user.find("importDialog")._entries[0].found.report
    assert (report.unit, report.up_axis) == ("centimetre", "+Z")


def test_scene_file_can_be_told_its_unit_too(here, files):
    read(here, files / "tester.glb")
    choose(here, "importUnit", "Centimetres")
    head = here.user.find("importDialog")._entries[0].found.project.rigs[0].skeleton
    assert head.rest.translation[head.index("pelvis")][1] == pytest.approx(0.01)


def test_wrong_frame_times_are_put_right(here, files):
    read(here, files / "walk.bvh")
    choose(here, "importRate", "60 fps")
    assert here.user.find("importDialog")._entries[0].found.report.rate == pytest.approx(60.0)
    choose(here, "importRate", "Other")
    assert here.user.find("importFps").unit == "fps"
    here.user.type_into("importFps", "15")
    settle(here)
    found = here.user.find("importDialog")._entries[0].found
    assert found.project.clips[0].length == pytest.approx(2.0, abs=1e-6)
    here.user.click("acceptImport")
    assert here.session.clip.rate.fps == pytest.approx(15.0)


def test_broken_file_says_why_and_leaves_the_document_alone(here, files):
    before = here.session.document.project
    read(here, files / "broken.glb")
    assert not here.user.visible("importDialog")
    assert "broken.glb" in here.session.messages.latest.text
    assert here.session.document.project is before
    assert here.user.visible("messageBar")


def test_nothing_ticked_for_a_character_that_is_there_is_refused_with_a_reason(here, files):
    read(here, files / "tester.glb")
    choose(here, "importTarget", "Clips only, onto tester")
    here.user.click("importClipsNone")
    here.user.click("acceptImport")
    assert "tick a clip" in here.user.find("importProblem").text()
    assert here.session.history.labels == ()
    here.user.click("importClipsAll")
    assert not here.user.visible("importProblem")


def test_reading_shows_itself_after_a_while_and_escape_ends_it(here, files, monkeypatch):
    go = threading.Event()

    def slow(mine, path, options, progress):
        go.wait(400.0)
        progress.report(0.5)
        raise AssertionError("it was not cancelled")

    monkeypatch.setattr(dialogs, "read_for_import", slow)
    monkeypatch.setattr(dialogs, "PATIENCE", 0)
    here.window.documents.import_files([files / "tester.glb"])
    here.user.wait_until(lambda: here.user.visible("importDialogProgress"))
    here.user.press("Esc")
    go.set()
    settle(here)
    assert not here.user.visible("importDialog") and names(here) == ["walk", "turn"]


# ------------------------------------------------------------ several files, several characters
def test_several_files_are_told_apart_and_imported_together(here, files):
    read(here, files / "tester.glb", files / "broken.glb", files / "walk.bvh")
    listed = here.user.rows("importFiles")
    assert (
        listed[0].endswith("2 clips")
        and listed[1].endswith("cannot be read")
        and listed[2].endswith("1 clip")
    )
    here.user.click_row("importFiles", listed[1])
    assert "broken.glb" in here.user.find("importError").text()
    here.user.click_row("importFiles", listed[2])
    choose(here, "importTarget", "As a new character")
    here.user.click_row("importFiles", listed[0])
    untick(here, 1)
    here.user.click("acceptImport")
    assert here.session.history.labels == ("Import tester.glb", "Import walk.bvh")


def test_files_of_one_skeleton_make_one_character(qapp, files):
    core.io.save(small_project(), files / "again.bvh")
    with stage(qapp, "clips", project=None) as here:
        read(here, files / "walk.bvh", files / "again.bvh")
        here.user.click("acceptImport")
        assert len(here.session.document.project.rigs) == 1 and len(names(here)) == 2


def test_file_that_is_unticked_stays_away(here, files):
    read(here, files / "tester.glb", files / "walk.bvh")
    view = here.user.find("importFiles")
    rect = view.visualItemRect(view.item(1))
    here.user.click(view.viewport(), (rect.left() + 10, rect.center().y()))
    here.user.click("acceptImport")
    assert here.session.history.labels == ("Import tester.glb",)


def test_one_of_several_characters_can_be_chosen(here, tmp_path):
    both = small_project()
    more = with_fresh_ids(small_project().without(WALK))
    both = both.with_assets(*more.assets.values())
    both = both.with_assets(replace(both.rigs[1], name="twin"))
    core.io.save(both, tmp_path / "both.posewright")
    read(here, tmp_path / "both.posewright")
    assert here.user.find("importClips").count() == 3
    choose(here, "importCharacter", "twin")
    assert here.user.find("importClips").count() == 1
    choose(here, "importTarget", "As a new character")
    here.user.click("acceptImport")
    assert [rig.name for rig in here.session.document.project.rigs] == ["tester", "twin"]
    assert len(names(here)) == 3


def test_file_can_become_a_document_of_its_own(here, files):
    read(here, files / "tester.glb")
    choose(here, "importTarget", "As a new document")
    untick(here, 0)
    here.user.click("acceptImport")
    here.user.settle()
    assert names(here) == ["turn"] and here.session.document.path is None
    assert len(here.session.document.project.rigs) == 1 and here.session.history.labels == ()


def test_long_facts_are_written_on_several_lines(here, files, monkeypatch):
    words = "a long fact of the file " * 20
    monkeypatch.setattr(details, "facts", lambda found: [("Notes", words)])
    read(here, files / "tester.glb")
    (shown,) = [w for w in here.user.find("importDialog").findChildren(QLabel) if w.text() == words]
    assert shown.height() > 2 * shown.fontMetrics().height() and shown.width() < 900


def test_nothing_is_cut(here, files):
    read(here, files / "tester.glb", files / "walk.bvh")
    dialog = here.user.find("importDialog")
    short = [
        f"{type(w).__name__} {w.text()!r}"
        for w in (*dialog.findChildren(QLabel), *dialog.findChildren(QAbstractButton))
        if w.isVisible() and w.text() and w.width() + 1 < w.minimumSizeHint().width()
    ]
    assert short == []


# ------------------------------------------------------------ smaller things
def test_notes_list_everything_that_had_to_change():
    report = ImportReport(
        "glTF 2.0", renamed=[("a", "a.001")], left_out=["cameras"], warnings=["odd weights"]
    )
    text = "\n".join(notes(report))
    assert all(word in text for word in ("a.001", "cameras", "odd weights"))


def test_options_follow_the_format(tmp_path):
    entry = Entry(tmp_path / "a.bvh")
    entry.told.unit, entry.told.rate = 0.01, 50.0
    assert (entry.options().metres_per_unit, entry.options().frame_time) == (0.01, 0.02)
    assert Entry(tmp_path / "a.posewright").options() is None


def test_import_into_an_empty_document(qapp, files):
    with stage(qapp, "clips", project=None) as here:
        read(here, files / "tester.glb")
        here.user.click("acceptImport")
        assert names(here) == ["walk", "turn"]
        assert isinstance(here.session.clip, Clip)


def test_rig_without_clips_imports_its_rig(qapp, tmp_path):
    rig = small_rig()
    core.io.save(Project({rig.id: rig}), tmp_path / "bare.glb")
    with stage(qapp, "clips", project=None) as here:
        read(here, tmp_path / "bare.glb")
        here.user.click("acceptImport")
        assert len(here.session.rig.skeleton) == 8


def test_folder_that_a_usd_file_names_is_allowed_by_a_button(here, tmp_path):
    pytest.importorskip("pxr")
    inside, outside = tmp_path / "inside", tmp_path / "outside"
    inside.mkdir()
    outside.mkdir()
    core.io.save(small_project(), outside / "hero.usda")
    (inside / "a.usda").write_text("#usda 1.0\n(\n    subLayers = [@../outside/hero.usda@]\n)\n")
    read(here, inside / "a.usda")
    assert "hero.usda in a.usda: outside of the file's folder" in here.user.find("importError").text()
    here.user.click("importAllow")
    dialog = here.window.findChild(QFileDialog, "files")
    dialog.filesSelected.emit([str(outside)])
    dialog.close()
    settle(here)
    here.user.click("acceptImport")
    assert len(names(here)) == 4  # motion without a mesh goes onto the character that it fits


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="file names are Unicode here")
def test_file_whose_name_is_no_utf8_is_opened_listed_saved_and_exported(here, tmp_path):
    path = tmp_path / "caf\udce9.glb"
    core.io.save(small_project(), path)
    here.session.files.open(path)
    settle(here)
    assert here.session.rig.name == "caf?" and path in here.session.preferences.recent
    here.session.files.save(tmp_path / "caf\udce9.posewright")
    settle(here)
    assert core.io.load(tmp_path / "caf\udce9.posewright").project.clips
    assert here.session.document.path == tmp_path / "caf\udce9.posewright"
    found = Preferences().recent  # as they are on disk
    assert tmp_path / "caf\udce9.posewright" in found

import pytest

import core.io
from core.clips.clip import Clip
from core.project.project import Project
from editor.shell.import_dialog import ImportDialog, facts, notes
from tests.editor.stage import small_project, small_rig, stage


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


def read(here, path):
    here.session.files.inspect(path)
    here.user.wait_until(lambda: not here.session.jobs.running, "it was not read")
    here.user.settle()


def names(here):
    return [clip.name for clip in here.session.document.project.clips]


def test_import_shows_what_the_file_holds_before_anything_changes(here, files):
    read(here, files / "tester.glb")
    assert here.user.visible("importDialog")
    dialog = here.user.find("importDialog")
    assert isinstance(dialog, ImportDialog)
    rows = dict(facts(dialog._found))
    assert rows["Skeleton"].startswith("8 bone")
    assert "importClips" in [w.objectName() for w in dialog.children()]
    assert names(here) == ["walk", "turn"] and here.session.history.labels == ()


def test_import_as_a_new_character_is_one_undo_step(here, files):
    read(here, files / "tester.glb")
    here.user.find("importTarget").setCurrentIndex(0)
    here.user.click("acceptImport")
    assert len(here.session.document.project.rigs) == 2
    assert here.session.history.labels == ("Import tester.glb",)
    assert here.session.rig is here.session.document.project.rigs[1]
    here.user.press("Ctrl+Z")
    assert len(here.session.document.project.rigs) == 1


def test_import_clips_onto_the_character_takes_only_those_ticked(here, files):
    read(here, files / "tester.glb")
    target, clips = here.user.find("importTarget"), here.user.find("importClips")
    target.setCurrentIndex(target.count() - 1)
    first = clips.visualItemRect(clips.item(0))
    here.user.click(clips.viewport(), (first.left() + 8, first.center().y()))
    here.user.click("acceptImport")
    assert len(here.session.document.project.rigs) == 1
    assert names(here) == ["walk", "turn", "turn 2"]


def test_import_escaped_takes_nothing(here, files):
    read(here, files / "tester.glb")
    here.user.press("Esc")
    assert names(here) == ["walk", "turn"] and not here.user.visible("importDialog")


def test_bvh_can_be_read_again_in_another_unit(here, files):
    read(here, files / "walk.bvh")
    box = here.user.find("importUnit")
    box.setCurrentIndex(box.findText("centimetre"))
    box.activated.emit(box.currentIndex())
    here.user.wait_until(lambda: not here.session.jobs.running)
    here.user.settle()
    dialog = here.user.find("importDialog")
    assert dialog._found.report.unit == "centimetre" and not dialog._found.report.unit_guessed


def test_broken_file_says_why_and_leaves_the_document_alone(here, files):
    before = here.session.document.project
    read(here, files / "broken.glb")
    assert not here.user.visible("importDialog")
    assert "broken.glb" in here.session.messages.latest.text
    assert here.session.document.project is before
    assert here.user.visible("messageBar")


def test_file_with_nothing_ticked_and_no_rig_of_its_own_is_refused_with_a_reason(here, files):
    read(here, files / "tester.glb")
    target, clips = here.user.find("importTarget"), here.user.find("importClips")
    target.setCurrentIndex(target.count() - 1)
    for row in range(clips.count()):
        first = clips.visualItemRect(clips.item(row))
        here.user.click(clips.viewport(), (first.left() + 8, first.center().y()))
    here.user.click("acceptImport")
    assert here.user.visible("importDialog")
    assert here.session.history.labels == ()


def test_notes_list_everything_that_had_to_change():
    from core.io import ImportReport

    report = ImportReport("glTF 2.0", renamed=[("a", "a.001")], left_out=["cameras"], warnings=["odd weights"])
    text = notes(report)
    assert all(word in text for word in ("a.001", "cameras", "odd weights"))


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

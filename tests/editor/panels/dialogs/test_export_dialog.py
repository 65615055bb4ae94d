import threading

import pytest

import core.io
from core.errors import AnimError
from editor.shell.export_plan import plan, writable
from tests.editor.stage import RIG, TURN, WALK, small_project, stage


@pytest.fixture
def here(qapp):
    with stage(qapp, "clips") as made:
        yield made


def open_dialog(here):
    here.user.press("Ctrl+E")
    return here.user.find("exportDialog")


def finish(here):
    here.user.wait_until(lambda: not here.session.jobs.running, "the export did not end")
    here.user.settle()


def test_preview_tells_files_and_contents_before_anything_is_written(here, tmp_path):
    open_dialog(here)
    here.user.type_into("exportPath", str(tmp_path / "out.glb"), enter=False)
    text = here.user.find("exportPreview").toPlainText()
    assert text.splitlines()[0] == "out.glb"
    assert "8 bone" in text and "clip walk: 30 frames" in text and "clip turn" in text
    assert list(tmp_path.iterdir()) == []


def test_export_writes_what_the_preview_said(here, tmp_path):
    open_dialog(here)
    here.user.type_into("exportPath", str(tmp_path / "out.glb"), enter=False)
    here.user.click("startExport")
    finish(here)
    found = core.io.load(tmp_path / "out.glb").project
    assert [clip.name for clip in found.clips] == ["walk", "turn"]
    assert "Exported out.glb" in here.user.find("exportOutcome").text()
    here.user.click("cancelExport")
    assert not here.user.visible("exportDialog")


def test_export_only_the_clips_ticked(here, tmp_path):
    open_dialog(here)
    here.user.type_into("exportPath", str(tmp_path / "out.gltf"), enter=False)
    clips = here.user.find("exportClips")
    first = clips.visualItemRect(clips.item(0))
    here.user.click(clips.viewport(), (first.left() + 8, first.center().y()))
    assert "clip walk" not in here.user.find("exportPreview").toPlainText()
    here.user.click("startExport")
    finish(here)
    assert {p.name for p in tmp_path.iterdir()} == {"out.gltf", "out.bin"}
    assert [clip.name for clip in core.io.load(tmp_path / "out.gltf").project.clips] == ["turn"]


def test_same_bytes_wherever_the_playhead_and_the_selection_are(here, tmp_path):
    written = []
    for name, frame, bones in (("a.glb", 0, []), ("b.glb", 17, ["head"])):
        here.frame(frame)
        here.session.selection.select(bones)
        open_dialog(here)
        here.user.type_into("exportPath", str(tmp_path / name), enter=False)
        here.user.click("startExport")
        finish(here)
        here.user.press("Esc")
        written.append((tmp_path / name).read_bytes())
    assert written[0] == written[1]


def test_existing_file_is_announced_in_the_preview(here, tmp_path):
    (tmp_path / "out.glb").write_bytes(b"old")
    open_dialog(here)
    here.user.type_into("exportPath", str(tmp_path / "out.glb"), enter=False)
    assert "Replaces out.glb" in here.user.find("exportPreview").toPlainText()


@pytest.mark.parametrize("name", ["out.xyz", "missing/out.glb"])
def test_path_that_cannot_be_written_says_why_and_disables_the_button(here, tmp_path, name):
    open_dialog(here)
    here.user.type_into("exportPath", str(tmp_path / name), enter=False)
    assert not here.user.find("startExport").isEnabled()
    assert here.user.find("exportPreview").toPlainText()


def test_escape_during_an_export_cancels_it_and_keeps_the_dialog(here, tmp_path, monkeypatch):
    go = threading.Event()

    def slow(project, path, options=None, progress=None, format=None):
        go.wait(5.0)
        progress.report(0.5)
        raise AssertionError("it was not cancelled")

    monkeypatch.setattr(core.io, "save", slow)
    open_dialog(here)
    here.user.type_into("exportPath", str(tmp_path / "out.glb"), enter=False)
    here.user.click("startExport")
    assert here.user.visible("exportProgress") and here.user.visible("jobBox")
    here.user.press("Esc")
    go.set()
    finish(here)
    assert here.user.visible("exportDialog")
    assert "Cancelled" in here.user.find("exportOutcome").text()


def test_export_that_fails_says_why(here, tmp_path, monkeypatch):
    def broken(*_, **__):
        raise AnimError("the disk is full")

    monkeypatch.setattr(core.io, "save", broken)
    open_dialog(here)
    here.user.type_into("exportPath", str(tmp_path / "out.glb"), enter=False)
    here.user.click("startExport")
    finish(here)
    assert "the disk is full" in here.user.find("exportOutcome").text()
    assert here.user.find("startExport").isEnabled()


def test_export_is_not_offered_without_a_character(qapp):
    with stage(qapp, "clips", project=None) as here:
        here.user.press("Ctrl+E")
        assert not here.user.visible("exportDialog")
        assert here.session.messages.latest.text.startswith("Export")


def test_plan_of_a_bvh_holds_one_clip_and_says_what_is_left_out(tmp_path):
    made = plan(small_project(), RIG, {WALK, TURN}, tmp_path / "x.bvh")
    assert made.options.clip == WALK and made.files == ("x.bvh",)
    assert any("left out" in line for line in made.lines)
    assert plan(small_project(), RIG, set(), tmp_path / "x.bvh").problem


def test_plan_embedded_gltf_is_one_file(tmp_path):
    assert plan(small_project(), RIG, {WALK}, tmp_path / "x.gltf", embed=True).files == ("x.gltf",)
    assert plan(small_project(), RIG, {WALK}, tmp_path / "x.gltf").files == ("x.gltf", "x.bin")


def test_native_format_is_saved_not_exported():
    assert "posewright" not in [f.id for f in writable()]


def choose(here, name, text):
    box = here.user.find(name)
    box.setFocus()
    for _ in range(box.count()):
        here.user.press("Up")
    while box.currentText() != text:
        row = box.currentIndex()
        here.user.press("Down")
        assert box.currentIndex() != row, f"{text} is not offered"


@pytest.mark.parametrize(("preset", "suffix", "package"), [("Unity", ".fbx", "ufbx"), ("Omniverse", ".usda", "pxr")])
def test_preset_sets_the_format_and_the_file_is_read_back(here, tmp_path, preset, suffix, package):
    pytest.importorskip(package)
    open_dialog(here)
    here.user.type_into("exportPath", str(tmp_path / "out.glb"), enter=False)
    choose(here, "exportPreset", preset)
    assert here.user.find("exportPath").text().endswith(f"out{suffix}")
    assert "+Y up" in here.user.find("exportPreview").toPlainText()
    here.user.click("startExport")
    here.user.wait_until(lambda: not here.session.jobs.running, "the export did not end")
    here.user.settle()
    outcome = here.user.find("exportOutcome").text()
    assert "the largest error is" in outcome and " mm (" in outcome
    assert (tmp_path / f"out{suffix}").is_file()


def test_root_in_place_and_reduced_keys_are_told_and_done(here, tmp_path):
    open_dialog(here)
    here.user.type_into("exportPath", str(tmp_path / "out.glb"), enter=False)
    choose(here, "exportKeys", "Reduced")
    choose(here, "exportRoot", "On a bone of its own")
    text = here.user.find("exportPreview").toPlainText()
    assert "keys reduced by up to 1 mm" in text and "root_motion" in text
    here.user.click("startExport")
    finish(here)
    assert "root_motion" in core.io.load(tmp_path / "out.glb").project.rigs[0].skeleton.names


def test_plan_of_an_fbx_keeps_the_presets_settings(tmp_path):
    made = plan(small_project(), RIG, {WALK}, tmp_path / "x.fbx", meshes=False, preset="unreal")
    assert (made.options.up_axis, made.options.meshes, made.options.clips) == ("+Z", False, (WALK,))
    assert made.prepare.clips == (WALK,)


def test_plan_of_a_table_holds_samples_alone(tmp_path):
    made = plan(small_project(), RIG, {WALK}, tmp_path / "x.csv")
    assert made.options.clips == (WALK,) and "a row on every frame" in made.lines

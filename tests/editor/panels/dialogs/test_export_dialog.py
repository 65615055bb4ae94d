"""What tests of exporting share."""

import json
import threading
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QLineEdit

import core.io
from core.clips.sample import sample_many
from core.errors import AnimError
from core.ids import AssetId
from core.io import presets
from core.io.gltf.options import GltfWriteOptions
from tests.editor.shell.test_window import choose_file
from tests.editor.stage import small_project, stage


@pytest.fixture
def here(qapp):
    with stage(qapp, "clips") as made:
        yield made


def open_dialog(here):
    here.user.press("Ctrl+E")
    return here.user.find("export")


def shown(here):
    """Everything that the preview says."""
    tree = here.user.find("exportPreview")
    lines = [
        " ".join(parts) for parts in zip(*(here.user.rows(tree, column) for column in range(3)), strict=True)
    ]
    labels = [here.window.findChild(QLabel, name).text() for name in ("exportLosses", "exportNotes")]
    return "\n".join([*lines, *labels])


def choose(here, name, text):
    box = here.user.find(name)
    box.setFocus()
    for _ in range(box.count()):
        here.user.press("Up")
    while box.currentText() != text:
        row = box.currentIndex()
        here.user.press("Down")
        assert box.currentIndex() != row, f"{text} is not offered"


def finish(here):
    here.user.wait_until(lambda: not here.session.jobs.running, "the export did not end")
    here.user.settle()


def test_preview_tells_files_and_contents_before_anything_is_written(here, tmp_path):
    open_dialog(here)
    here.user.type_into("exportPath", str(tmp_path / "out.glb"), enter=False)
    text = shown(here)
    assert text.splitlines()[0].startswith("out.glb about ")
    assert "8 bones" in text and "walk 30 frames · 1 s 9 keys" in text and "turn" in text
    assert list(tmp_path.iterdir()) == []


def test_export_writes_what_the_preview_said(here, tmp_path):
    open_dialog(here)
    here.user.type_into("exportPath", str(tmp_path / "out.glb"), enter=False)
    here.user.click("exportStart")
    finish(here)
    found = core.io.load(tmp_path / "out.glb").project
    assert [clip.name for clip in found.clips] == ["walk", "turn"]
    assert "Exported out.glb" in here.user.find("exportOutcome").text()
    here.user.click("exportCancel")
    assert not here.user.visible("export")


def test_export_only_the_clips_ticked(here, tmp_path):
    open_dialog(here)
    here.user.type_into("exportPath", str(tmp_path / "out.gltf"), enter=False)
    clips = here.user.find("exportClips")
    first = clips.visualItemRect(clips.item(0))
    here.user.click(clips.viewport(), (first.left() + 8, first.center().y()))
    assert "walk" not in shown(here)
    here.user.click("exportStart")
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
        here.user.click("exportStart")
        finish(here)
        here.user.press("Esc")
        written.append((tmp_path / name).read_bytes())
    assert written[0] == written[1]


def test_existing_file_is_announced_in_the_preview(here, tmp_path):
    (tmp_path / "out.glb").write_bytes(b"old")
    open_dialog(here)
    here.user.type_into("exportPath", str(tmp_path / "out.glb"), enter=False)
    assert "Replaces out.glb" in shown(here)


@pytest.mark.parametrize("name", ["out.xyz", "missing/out.glb"])
def test_path_that_cannot_be_written_says_why_and_disables_the_button(here, tmp_path, name):
    open_dialog(here)
    here.user.type_into("exportPath", str(tmp_path / name), enter=False)
    assert not here.user.find("exportStart").isEnabled()
    assert shown(here)


def test_escape_during_an_export_cancels_it_and_keeps_the_dialog(here, tmp_path, monkeypatch):
    go = threading.Event()

    def slow(project, path, options=None, progress=None, format=None):
        go.wait(400.0)
        progress.report(0.5)
        raise AssertionError("it was not cancelled")

    monkeypatch.setattr(presets, "write_evaluated", slow)
    open_dialog(here)
    here.user.type_into("exportPath", str(tmp_path / "out.glb"), enter=False)
    here.user.click("exportStart")
    assert here.user.visible("exportProgress") and here.user.visible("jobBox")
    here.user.press("Esc")
    go.set()
    finish(here)
    assert here.user.visible("export")
    assert "Cancelled" in here.user.find("exportOutcome").text()


def test_export_that_fails_says_why(here, tmp_path, monkeypatch):
    def broken(*_, **__):
        raise AnimError("the disk is full")

    monkeypatch.setattr(presets, "write_evaluated", broken)
    open_dialog(here)
    here.user.type_into("exportPath", str(tmp_path / "out.glb"), enter=False)
    here.user.click("exportStart")
    finish(here)
    assert "the disk is full" in here.user.find("exportOutcome").text()
    assert here.user.find("exportStart").isEnabled()


def test_export_is_not_offered_without_a_character(qapp):
    with stage(qapp, "clips", project=None) as here:
        here.user.press("Ctrl+E")
        assert not here.user.visible("export")
        assert here.session.messages.latest.text.startswith("Export")


@pytest.mark.parametrize(
    ("preset", "suffix", "package"), [("Unity", ".fbx", "ufbx"), ("Omniverse", ".usda", "pxr")]
)
def test_preset_sets_the_format_and_the_file_is_read_back(here, tmp_path, preset, suffix, package):
    pytest.importorskip(package)
    open_dialog(here)
    here.user.type_into("exportPath", str(tmp_path / "out.glb"), enter=False)
    choose(here, "exportPreset", preset)
    assert here.user.find("exportPath").text().endswith(f"out{suffix}")
    assert here.user.find("exportUp").currentText() == "Default (+Y)"
    here.user.click("exportStart")
    here.user.wait_until(lambda: not here.session.jobs.running, "the export did not end")
    here.user.settle()
    outcome = here.user.find("exportOutcome").text()
    assert "the largest error is" in outcome and " mm (" in outcome
    assert (tmp_path / f"out{suffix}").is_file()
    choose(here, "exportPreset", "Blender")
    assert not here.user.visible("exportOutcome"), "it was said of other settings"


def test_the_file_is_chosen_where_the_path_says_and_by_the_format(here, tmp_path):
    open_dialog(here)
    (tmp_path / "there").mkdir()
    here.user.type_into("exportPath", str(tmp_path / "there" / "walk.glb"), enter=False)
    here.user.click("Browse…")
    dialog = here.user.find("files")
    assert Path(dialog.directory().path()) == tmp_path / "there"
    assert dialog.nameFilters()[0].endswith("(*.glb)")
    assert dialog.findChild(QLineEdit, "fileNameEdit").text() == "walk.glb", "as it is called so far"
    assert dialog.defaultSuffix() == "glb", "of a name that is typed without one"
    choose_file(here, tmp_path / "there" / "run.glb")
    assert here.user.find("exportPath").text() == str(tmp_path / "there" / "run.glb")


def test_root_in_place_and_reduced_keys_are_told_and_done(here, tmp_path):
    open_dialog(here)
    here.user.type_into("exportPath", str(tmp_path / "out.glb"), enter=False)
    choose(here, "exportKeys", "Reduced")
    choose(here, "exportRoot", "On its own bone")
    text = shown(here)
    assert "keys within 1 mm" in text and "root_motion" in text
    here.user.click("exportStart")
    finish(here)
    assert "root_motion" in core.io.load(tmp_path / "out.glb").project.rigs[0].skeleton.names


# ------------------------------------------------------------ several files, presets, memory
def test_one_file_for_each_clip_by_the_pattern_of_names(here, tmp_path):
    open_dialog(here)
    here.user.type_into("exportPath", str(tmp_path / "hero.glb"), enter=False)
    here.user.click("exportEach")
    here.user.type_into("exportPattern", "{number}-{clip}", enter=False)
    here.user.click("exportStart")
    finish(here)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["001-walk.glb", "002-turn.glb"]
    assert "Exported 2 files" in here.user.find("exportOutcome").text()
    assert [c.name for c in core.io.load(tmp_path / "002-turn.glb").project.clips] == ["turn"]


def test_pattern_that_gives_all_files_one_name_is_refused(here, tmp_path):
    open_dialog(here)
    here.user.type_into("exportPath", str(tmp_path / "hero.glb"), enter=False)
    here.user.click("exportEach")
    here.user.type_into("exportPattern", "same", enter=False)
    assert "{clip}" in shown(here) and not here.user.find("exportStart").isEnabled()


def test_own_preset_is_saved_found_again_and_deleted(here, tmp_path):
    open_dialog(here)
    here.user.type_into("exportPath", str(tmp_path / "out.glb"), enter=False)
    choose(here, "exportKeys", "Cubic")
    here.user.click("exportPresetMenu")
    here.user.choose_in_popup("Save these settings…")
    here.user.type_into("presetNameField", "For the game")
    assert here.user.find("exportPreset").currentText() == "For the game"
    choose(here, "exportKeys", "As they are")
    assert here.user.find("exportPreset").currentText() == "Own settings"
    choose(here, "exportPreset", "For the game")
    assert here.user.find("exportKeys").currentText() == "Cubic"
    here.user.click("exportPresetMenu")
    here.user.choose_in_popup("Delete For the game")
    assert here.user.find("exportPreset").findText("For the game") < 0


def test_settings_are_remembered_for_the_document(here, tmp_path):
    open_dialog(here)
    here.user.type_into("exportPath", str(tmp_path / "mine.glb"), enter=False)
    choose(here, "exportPreset", "Blender")
    here.user.click("exportClipsNone")
    clips = here.user.find("exportClips")
    here.user.click(clips.viewport(), clips.visualItemRect(clips.item(1)).center())
    here.user.click("exportStart")
    finish(here)
    here.user.press("Esc")
    open_dialog(here)
    assert here.user.find("exportPath").text() == str(tmp_path / "mine.glb")
    assert here.user.find("exportPreset").currentText() == "Blender"
    assert here.user.find("exportKeys").currentText() == "On every frame"
    assert "turn" in shown(here) and "walk" not in shown(here)


def test_part_of_the_clips_is_written_from_frame_zero(here, tmp_path):
    open_dialog(here)
    here.user.type_into("exportPath", str(tmp_path / "part.glb"), enter=False)
    choose(here, "exportSpan", "Frames")
    here.user.type_into("exportFirst", "3")
    here.user.type_into("exportLast", "12")
    here.user.click("exportStart")
    finish(here)
    found = core.io.load(tmp_path / "part.glb").project
    assert [clip.length for clip in found.clips] == pytest.approx([0.3, 0.3])
    mine = here.clip()
    ours = sample_many(here.session.rig, mine, [0.2], wrap=False)
    theirs = sample_many(found.rigs[0], found.clip_named("walk"), [0.1], wrap=False)
    order = [found.rigs[0].skeleton.index(name) for name in here.session.rig.skeleton.names]
    assert np.allclose(theirs.translations[:, order], ours.translations, atol=1e-5)


def test_error_that_was_found_is_told_and_its_frame_is_shown(here, tmp_path, monkeypatch):
    def spoilt(project, path, options=None, progress=None, format=None):
        clip = project.clip_named("turn")
        head = {c: t for c, t in clip.tracks.items() if c.bone == "head"}
        wrong = replace(clip, tracks={c: t for c, t in clip.tracks.items() if c not in head})
        return write_evaluated(project.with_assets(wrong), path, options, progress, format)

    write_evaluated = presets.write_evaluated
    monkeypatch.setattr(presets, "write_evaluated", spoilt)
    open_dialog(here)
    here.user.type_into("exportPath", str(tmp_path / "out.glb"), enter=False)
    here.user.click("exportStart")
    finish(here)
    outcome = here.user.find("exportOutcome")
    assert "Verification failed" in outcome.text() and outcome.property("role") == "error"
    here.user.click("exportJump")
    assert not here.user.visible("export")
    assert here.session.clip.name == "turn" and here.session.playback.frame == pytest.approx(15.0)
    assert here.session.selection.bones == ("head",)


def test_everything_is_reached_and_nothing_is_cut(here):
    dialog = open_dialog(here)
    here.user.settle()
    short = [
        f"{type(w).__name__} {w.objectName()!r} {w.text()!r}"
        for w in (*dialog.findChildren(QLabel), *dialog.findChildren(QAbstractButton))
        if w.isVisible() and w.text() and w.width() + 1 < w.minimumSizeHint().width()
    ]
    assert short == []
    seen = set()
    for _ in range(40):
        here.user.press("Tab")
        seen.add(here.app.focusWidget().objectName())
    assert {"exportPreset", "exportPath", "exportKeys", "exportClips", "exportStart", "exportCancel"} <= seen


# ---------------------------------------------------------------- files that exist already


@pytest.fixture
def imported(qapp, tmp_path):
    """The window with a character that was opened from a file with more in it than the document holds."""
    path = tmp_path / "hero.gltf"
    core.io.save(small_project(), path, GltfWriteOptions(embed=True))
    told = json.loads(path.read_text("utf-8"))
    told["cameras"] = [{"type": "perspective", "perspective": {"yfov": 1.0, "znear": 0.1}}]
    path.write_text(json.dumps(told), "utf-8")
    with stage(qapp, "clips", project=None) as made:
        made.session.files.open(path)
        finish(made)
        made.source = path
        yield made


def trial(here):
    """A clip that is tried out after the file was opened."""
    walk = here.session.document.project.clips[0]
    here.session.edits.put("Try", replace(walk, id=AssetId("clip-trial"), name="trial"))


def test_proposed_name_is_never_the_imported_file(imported):
    before = imported.source.read_bytes()
    open_dialog(imported)
    for suffix in (".gltf", ".glb", ".gltf"):
        choose(imported, "exportFormat", f"glTF 2.0 ({suffix})")
        assert Path(imported.user.find("exportPath").text()) != imported.source
    imported.user.click("exportStart")
    finish(imported)
    assert imported.source.read_bytes() == before
    assert imported.source.with_name("hero_export.gltf").exists()


def test_own_export_is_proposed_again_and_somebody_elses_is_not(imported):
    (imported.source.with_name("hero.glb")).write_bytes(b"somebody's")
    open_dialog(imported)
    choose(imported, "exportFormat", "glTF 2.0 (.glb)")
    assert imported.user.find("exportPath").text().endswith("hero_export.glb")
    imported.user.click("exportStart")
    finish(imported)
    imported.user.press("Esc")
    open_dialog(imported)
    assert imported.user.find("exportPath").text().endswith("hero_export.glb")


def test_replacing_asks_what_would_be_lost_and_keeps_the_old_file(imported):
    before = imported.source.read_bytes()
    trial(imported)
    open_dialog(imported)
    imported.user.type_into("exportPath", str(imported.source), enter=False)
    assert "Made here, not in the imported file: clip trial" in shown(imported)
    assert "Left out when hero.gltf was imported: cameras" in shown(imported)
    imported.user.click("exportStart")
    finish(imported)
    words = " ".join(label.text() for label in imported.user.find("question").findChildren(QLabel))
    assert "is the file that the character was imported from" in words
    assert "Replacing it loses: cameras" in words and "New clips: trial" in words
    assert imported.source.read_bytes() == before
    imported.user.click("replace")
    finish(imported)
    (kept,) = imported.session.files.backups.of(imported.source)
    assert kept.read_bytes() == before
    assert str(kept) in imported.user.find("exportRemarks").text()
    assert len(core.io.load(imported.source).project.clips) == 3


def test_escape_at_the_question_leaves_the_file(imported):
    before = imported.source.read_bytes()
    open_dialog(imported)
    imported.user.type_into("exportPath", str(imported.source), enter=False)
    imported.user.click("exportStart")
    finish(imported)
    imported.user.press("Esc")
    finish(imported)
    assert imported.source.read_bytes() == before and imported.user.visible("export")


@pytest.mark.parametrize("free", ["hero_2.gltf", "hero_3.gltf"])
def test_export_beside_takes_a_free_name(imported, free):
    before = imported.source.read_bytes()
    if free == "hero_3.gltf":
        imported.source.with_name("hero_2.gltf").write_bytes(b"taken")
    open_dialog(imported)
    imported.user.type_into("exportPath", str(imported.source), enter=False)
    imported.user.click("exportStart")
    finish(imported)
    said = [label.text() for label in QApplication.activeWindow().findChildren(QLabel)]
    assert any(free in text for text in said), said
    imported.user.click("beside")
    finish(imported)
    assert imported.source.read_bytes() == before
    assert len(core.io.load(imported.source.with_name(free)).project.clips) == 2

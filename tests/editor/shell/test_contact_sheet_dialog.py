"""Contact sheets as a person asks for them in the window."""

import threading
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from core.clips.clip import Clip
from core.errors import FormatError, ValidationError
from core.math import quat
from editor.contact_sheet import SheetStyle, Strip, contact_sheet, size_of_sheet, spread
from editor.model.shot.state import Shot
from editor.shell.sheet import dialog as dialogs
from editor.shell.sheet import run
from editor.shell.sheet.run import draw_sheet
from editor.shell.sheet.settings import SheetTask
from editor.shell.sheet.worker import work
from tests.editor.shell.test_window import choose_file
from tests.editor.stage import TURN, WALK, small_project, stage

STYLE = SheetStyle(views=("front", "top"), cell=(64, 48), columns=3, grid=False)


@pytest.fixture
def here(qapp):
    with stage(qapp, "viewport", "bone_tree") as made:
        yield made


@pytest.fixture
def inside(monkeypatch):
    """The worker's work done in this process: for what does not depend on the other one."""
    monkeypatch.setattr(run.helper, "run", lambda module, folder, what, progress: work(folder, progress))


def opened(here, path):
    here.user.press("F3")
    here.user.type("storyboard")
    here.user.press("Return")
    found = here.user.find("sheet")
    here.user.type_into("sheetPath", str(path), enter=False)
    return found


@pytest.mark.parametrize(("kept", "shown"), [(7, 7), (10**9, 12), (0, 12), ("many", 12)])
def test_numbers_kept_from_the_last_time_come_again_within_their_bounds(here, tmp_path, kept, shown):
    here.session.preferences.set("contact_sheet", {"frames": kept})
    opened(here, tmp_path / "walk.png")
    assert here.user.find("sheetFrames").value == shown


def test_sheet_is_found_by_its_word_and_is_the_one_that_python_draws(here, tmp_path, monkeypatch):
    folders: list[Path] = []
    monkeypatch.setattr(dialogs, "open_folder", lambda folder: folders.append(folder) or True)
    opened(here, tmp_path / "walk.png")
    here.user.type_into("sheetFrames", "4")
    here.user.type_into("sheetWidth", "64")
    here.user.type_into("sheetHeight", "48")
    here.user.click("sheetView_left")
    here.user.click("sheetView_top")
    said = here.user.find("sheetSummary").text()
    here.user.click("sheetStart")
    here.user.wait_until(lambda: not here.session.jobs.running, "the sheet was not drawn")
    here.user.settle()
    assert [path.name for path in tmp_path.iterdir()] == ["walk.png"]
    written = np.asarray(Image.open(tmp_path / "walk.png").convert("RGB"))
    project = here.session.document.project
    clip = project.get(Clip, WALK)
    style = SheetStyle(views=("front", "top"), cell=(64, 48), light=not here.window.theme.tokens.dark)
    wanted = contact_sheet(project, here.session.rig, [Strip(clip, spread(clip, 4))], style)
    assert np.abs(written.astype(int) - wanted[..., :3]).max() <= 2
    assert said == f"8 images: {wanted.shape[1]} × {wanted.shape[0]} px."
    assert "Saved walk.png" in here.user.find("sheetOutcome").text()
    here.user.click("sheetFolder")
    assert folders == [tmp_path]
    here.user.press("Esc")
    opened(here, tmp_path / "again.png")
    assert here.user.find("sheetView_top").isChecked() and not here.user.find("sheetView_left").isChecked()


@pytest.mark.parametrize("key", ["Esc", "Return"])
def test_a_key_on_the_defaults_closes_or_draws_at_once(here, monkeypatch, key):
    """No field begins to type by itself: it would take the key."""
    begun = []
    monkeypatch.setattr(dialogs.SheetDialog, "_start", lambda self: begun.append(self))
    here.user.press("F3")
    here.user.type("storyboard")
    here.user.press("Return")
    here.user.find("sheet")
    here.user.press(key)
    assert here.user.visible("sheet") is (key == "Return")
    assert len(begun) == (key == "Return")


def test_the_file_is_chosen_where_the_path_says(here, tmp_path):
    (tmp_path / "there").mkdir()
    opened(here, tmp_path / "there" / "walk.png")
    here.user.click("sheetBrowse")
    assert Path(here.user.find("files").directory().path()) == tmp_path / "there"
    choose_file(here, tmp_path / "there" / "run.png")
    assert here.user.find("sheetPath").text() == str(tmp_path / "there" / "run.png")


def test_cameras_of_the_document_are_among_the_views(here, tmp_path):
    here.session.feature(Shot).add_camera(np.array([0.0, 1.0, 4.0]), quat.IDENTITY, 50.0)
    (camera,) = here.session.feature(Shot).cameras
    opened(here, tmp_path / "walk.png")
    for name in ("front", "left"):
        here.user.click(f"sheetView_{name}")
    here.user.click(camera.name)
    assert here.user.find("sheetSummary").text().startswith("12 images")
    here.user.press("Esc")


def test_what_cannot_be_is_said_and_nothing_can_be_started(here, tmp_path):
    opened(here, tmp_path / "walk.png")
    summary, start = here.user.find("sheetSummary"), here.user.find("sheetStart")
    for name in ("front", "left"):
        here.user.click(f"sheetView_{name}")
    assert summary.text() == "Choose at least one view" and not start.isEnabled()
    here.user.click("sheetView_front")
    assert start.isEnabled()
    here.user.type_into("sheetPath", str(tmp_path / "no" / "walk.png"), enter=False)
    assert "Folder not found" in summary.text() and not start.isEnabled()
    here.user.type_into("sheetPath", str(tmp_path / "walk.jpg"), enter=False)
    assert "must end in .png" in summary.text() and not start.isEnabled()


def test_every_clip_is_proposed_under_the_documents_name(here):
    here.user.press("F3")
    here.user.type("contact sheet")
    here.user.press("Return")
    assert Path(here.user.find("sheetPath").text()).stem == here.session.clip.name
    box = here.user.find("sheetClips")
    box.setFocus()
    here.user.press("Down")
    clips = here.session.document.project.clips_of(here.session.rig.id)
    pictures = sum(len(spread(clip, 12)) for clip in clips) * 2
    assert here.user.find("sheetSummary").text().startswith(f"{pictures} images")
    here.user.press("Esc")


def test_the_folder_that_was_typed_stays_when_other_clips_are_chosen(here, tmp_path):
    opened(here, tmp_path / "walk.png")
    here.user.find("sheetClips").setFocus()
    here.user.press("Down")
    typed = Path(here.user.find("sheetPath").text())
    assert typed.parent == tmp_path and typed.stem != "walk"


def test_several_clips_lie_below_each_other_and_the_size_is_told_before(inside, tmp_path):
    project = small_project()
    size = draw_sheet(project, SheetTask(tmp_path / "all.png", (WALK, TURN), 5, STYLE))
    counts = [len(spread(project.get(Clip, clip), 5)) for clip in (WALK, TURN)]
    with Image.open(tmp_path / "all.png") as image:
        assert size == size_of_sheet(counts, STYLE) == image.size


def test_task_comes_back_from_plain_values_and_bad_ones_are_refused(tmp_path):
    task = SheetTask(tmp_path / "a.png", (WALK,), 3, STYLE)
    assert SheetTask.from_json(task.to_json()) == task
    for wrong in ({"path": tmp_path / "a.gif"}, {"clips": ()}, {"frames": 0}):
        with pytest.raises(ValidationError):
            SheetTask(**{"path": tmp_path / "a.png", "clips": (WALK,), **wrong})


def test_folder_that_is_gone_is_a_clear_error(inside, tmp_path):
    with pytest.raises(FormatError, match="cannot be written"):
        draw_sheet(small_project(), SheetTask(tmp_path / "gone" / "a.png", (WALK,), 3, STYLE))


def test_another_sheet_cannot_be_started_while_one_is_drawn(here, tmp_path, monkeypatch):
    go_on = threading.Event()
    monkeypatch.setattr(run.helper, "run", lambda module, folder, what, progress: go_on.wait(400.0))
    opened(here, tmp_path / "walk.png")
    start = here.user.find("sheetStart")
    here.user.click("sheetStart")
    try:
        here.user.type_into("sheetFrames", "3")
        assert not start.isEnabled()
    finally:
        go_on.set()
    here.user.wait_until(lambda: not here.session.jobs.running, "the work did not end")
    here.user.settle()
    assert start.isEnabled()

"""Playblasts as a person records them: what the view shows is what is written, and a cancel leaves nothing."""

import itertools
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from PySide6.QtGui import QImage

from core.errors import AnimError, Cancelled, UnsupportedError
from core.progress import Progress
from core.timing import FrameRate
from editor.gl.camera import Camera
from editor.gl.viewport_widget import ViewportWidget
from editor.model.session import Session
from editor.qt.theme import Theme
from editor.shell import helper
from editor.shell.playblast import dialog as dialogs
from editor.shell.playblast import run
from editor.shell.playblast.form import Look, PlayblastForm
from editor.shell.playblast.run import record
from editor.shell.playblast.settings import Playblast
from editor.shell.playblast.worker import HIGH, LOW, merged, work
from tests.editor.shell.test_window import choose_file
from tests.editor.stage import TURN, WALK, small_project, stage


@pytest.fixture
def here(qapp):
    with stage(qapp, "viewport", "bone_tree") as made:
        yield made


def task(path, **changes):
    chosen = {"clip": WALK, "start": 0.0, "end": 0.1, "rate": 30.0, "size": (96, 64)}
    return Playblast(**{"path": path, **chosen, **changes})


@pytest.fixture
def inside(monkeypatch):
    """The worker's work done in this process, as the same function: for what does not depend on the other one."""
    monkeypatch.setattr(run.helper, "run", lambda module, folder, what, progress: work(folder, progress))


def opened(here, path):
    here.user.press("Ctrl+Alt+P")
    found = here.user.find("playblast")
    here.user.type_into("playblastPath", str(path), enter=False)
    return found


def frames(here, first, last):
    box = here.user.find("playblastSpan")
    box.setFocus()
    while box.currentText() != "Frames":
        here.user.press("Down")
    here.user.type_into("playblastFirst", str(first))
    here.user.type_into("playblastLast", str(last))


def finish(here):
    here.user.wait_until(lambda: not here.session.jobs.running, "the recording did not end")
    here.user.settle()


def pixels(image: QImage):
    image = image.convertToFormat(QImage.Format.Format_RGBA8888)
    rows = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.bytesPerLine())
    return rows[:, : image.width() * 4].reshape(image.height(), image.width(), 4)[..., :3].copy()


# ------------------------------------------------------------ in the window
def test_on_a_fine_screen_pictures_have_the_pixels_of_the_view(qapp):
    session, theme = Session.create(), Theme(qapp)
    session.document.replace(small_project(), None)
    session.playback.set_clip(WALK)
    clip = session.clip
    forms = [
        PlayblastForm(session, theme, clip, Look(Camera(), (600, 400), ratio), Path.home())
        for ratio in (1.0, 2.0)
    ]
    assert [form._view_pixels() for form in forms] == [(600, 400), (1200, 800)]
    for form in forms:
        form.deleteLater()
    session.close()


@pytest.mark.parametrize("rate", [24, 60])
def test_pictures_come_at_the_rate_of_the_clip_until_another_is_typed(here, tmp_path, rate):
    clips = here.session.document.project
    here.session.document.replace(clips.with_assets(replace(here.clip(), rate=FrameRate.of(rate))), None)
    here.session.playback.set_clip(WALK)
    opened(here, tmp_path / "shot.mp4")
    assert here.user.find("playblastRate").value == rate


def test_pictures_are_those_of_the_view(here, tmp_path):
    here.user.press("Q")  # a gizmo is not part of the picture
    view = here.window.findChild(ViewportWidget)
    opened(here, tmp_path / "walk.png")
    frames(here, 4, 6)
    assert here.user.find("playblastSummary").text().startswith("3 images")
    here.user.click("playblastStart")
    finish(here)
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == ["walk_0000.png", "walk_0001.png", "walk_0002.png"]
    assert here.user.find("playblastOutcome").text() == "Recorded walk_0000.png to walk_0002.png."
    here.user.press("Esc")
    for number in range(3):
        here.frame(4 + number)
        here.user.wait_until(lambda: view.refined, "the view did not come to rest")
        shown = pixels(view.shown_image())
        written = np.asarray(Image.open(tmp_path / names[number]).convert("RGB"))
        assert written.shape == shown.shape
        off = np.abs(written.astype(int) - shown)
        off[:110, -110:] = 0  # the axis widget is not part of the picture
        assert off.max() <= 2


def test_settings_are_kept_and_the_folder_is_opened(here, tmp_path, monkeypatch):
    shown: list[Path] = []
    monkeypatch.setattr(dialogs, "open_folder", lambda folder: shown.append(folder) or True)
    opened(here, tmp_path / "a.png")
    frames(here, 0, 0)
    here.user.click("playblastShow_grid")
    here.user.click("playblastOpen")
    here.user.press("Return")
    finish(here)
    assert shown == [tmp_path]
    assert here.user.find("playblastFolder").toolTip() == "Show the folder in the system's file manager"
    here.user.click("playblastFolder")
    assert shown == [tmp_path, tmp_path]
    here.user.press("Esc")
    here.user.press("Ctrl+Alt+P")
    assert not here.user.find("playblastShow_grid").isChecked()
    assert here.user.find("playblastOpen").isChecked()
    assert Path(here.user.find("playblastPath").text()) == tmp_path / "walk.png"


def test_the_file_is_chosen_where_the_path_says(here, tmp_path):
    (tmp_path / "there").mkdir()
    opened(here, tmp_path / "there" / "walk.png")
    here.user.click("Browse…")
    dialog = here.user.find("files")
    assert Path(dialog.directory().path()) == tmp_path / "there"
    choose_file(here, tmp_path / "there" / "run.png")
    assert here.user.find("playblastPath").text() == str(tmp_path / "there" / "run.png")


def test_escape_stops_the_recording_and_leaves_nothing(here, tmp_path):
    opened(here, tmp_path / "walk.png")
    here.user.click("playblastStart")
    dialog = here.user.find("playblast")
    here.user.wait_until(lambda: dialog.bar.value() > 60, "it did not begin")
    here.user.press("Esc")
    finish(here)
    assert here.user.visible("playblast")
    assert "Cancelled" in here.user.find("playblastOutcome").text()
    assert list(tmp_path.iterdir()) == []


def test_format_sets_the_name_and_what_can_be_transparent(here, tmp_path):
    opened(here, tmp_path / "walk.png")
    assert here.user.find("playblastTransparent").isEnabled()
    here.user.find("playblastFormat").setFocus()
    here.user.press("Down")
    assert here.user.find("playblastPath").text().endswith("walk.gif")
    assert not here.user.find("playblastTransparent").isEnabled()


def test_name_sets_the_format(here, tmp_path):
    opened(here, tmp_path / "walk.webp")
    assert here.user.find("playblastFormat").currentText() == "Animated WebP"


def test_missing_package_is_named_before_anything_is_drawn(here, tmp_path, monkeypatch):
    why = UnsupportedError("MP4 needs the package imageio-ffmpeg: install the extra 'pictures'")
    monkeypatch.setattr(dialogs, "why_missing", lambda kind: why if kind == ".mp4" else None)
    opened(here, tmp_path / "walk.png")
    here.user.find("playblastFormat").setFocus()
    here.user.press("End")
    assert "extra 'pictures'" in here.user.find("playblastSummary").text()
    assert not here.user.find("playblastStart").isEnabled()


def test_range_and_size_are_offered(here, tmp_path):
    here.session.playback.set_range(5 / 30, 9 / 30)
    opened(here, tmp_path / "walk.png")
    assert here.user.find("playblastSpan").currentText() == "Preview range"
    assert here.user.find("playblastSummary").text().startswith("5 images")
    box = here.user.find("playblastSize")
    box.setFocus()
    here.user.press("End")
    here.user.type_into("playblastWidth", "123")
    assert here.user.find("playblast")._task.size[0] == 123


def test_trails_are_offered_with_bones_alone(here, tmp_path):
    opened(here, tmp_path / "walk.png")
    trails = here.user.find("playblastShow_trails")
    assert not trails.isEnabled() and "none is selected" in trails.toolTip()
    here.user.press("Esc")
    here.session.selection.select(["arm_l"])
    opened(here, tmp_path / "walk.png")
    trails = here.user.find("playblastShow_trails")
    assert trails.isEnabled() and "none" not in trails.toolTip()
    here.user.press("Esc")


@pytest.mark.parametrize("name", ["walk.avi", "missing/walk.png"])
def test_path_that_cannot_be_written_says_why(here, tmp_path, name):
    opened(here, tmp_path / name)
    assert here.user.find("playblastSummary").text()
    assert not here.user.find("playblastStart").isEnabled()


def test_playblast_is_not_offered_without_a_clip(qapp):
    with stage(qapp, "bone_tree", project=None) as here:
        here.user.press("Ctrl+Alt+P")
        assert not here.user.visible("playblast")


# ------------------------------------------------------------ the recording itself
@pytest.mark.parametrize(("suffix", "library"), [(".webp", "PIL"), (".mp4", "imageio_ffmpeg")])
def test_films_are_written_whole(inside, tmp_path, suffix, library):
    pytest.importorskip(library)
    assert record(small_project(), task(tmp_path / f"a{suffix}")) == (tmp_path / f"a{suffix}",)
    assert [path.name for path in tmp_path.iterdir()] == [f"a{suffix}"]


def test_transparent_picture_over_the_background_is_the_opaque_one(inside, tmp_path):
    on = {
        "grid": True,
        "shadow": False,
        "bones": True,
    }  # with the shadow comes light on the ground, which is left out
    for name, clear, shown in (
        ("clear", True, on),
        ("solid", False, on),
        ("empty", False, dict.fromkeys(on, False)),
    ):
        record(small_project(), task(tmp_path / f"{name}.png", end=0.0, transparent=clear, switches=shown))
    clear, solid, empty = (
        np.asarray(Image.open(tmp_path / f"{name}_0000.png").convert("RGBA"), np.float64)
        for name in ("clear", "solid", "empty")
    )
    alpha = clear[..., 3:] / 255.0
    assert (alpha == 0.0).mean() > 0.2 and alpha.max() > 0.6
    assert np.abs(clear * alpha + empty * (1.0 - alpha) - solid)[..., :3].max() <= 3.0


def test_a_blocking_view_is_recorded_in_steps(inside, tmp_path):
    for name, blocking in (("held", 0), ("moving", None), ("twos", 2)):
        record(small_project(), task(tmp_path / f"{name}.png", rate=30.0, end=0.1, blocking=blocking))
    images = {
        name: [np.asarray(Image.open(tmp_path / f"{name}_{n:04d}.png").convert("RGB")) for n in range(4)]
        for name in ("held", "moving", "twos")
    }
    assert all(np.array_equal(images["held"][0], image) for image in images["held"])
    assert not np.array_equal(images["moving"][0], images["moving"][3])
    assert np.array_equal(images["twos"][2], images["moving"][2])
    assert np.array_equal(images["twos"][3], images["twos"][2])


def test_merged_pictures_give_back_colour_and_opacity():
    color, alpha = np.array([200.0, 100.0, 30.0]), np.linspace(0.02, 1.0, 50)[:, None]

    def before(level):
        return np.rint(color * alpha + level * (1.0 - alpha)).astype(np.uint8)[None]

    made = merged(before(LOW), before(HIGH))[0]
    assert np.abs(made[:, 3] - 255.0 * alpha[:, 0]).max() <= 1.0
    again = made[:, :3] * (made[:, 3:] / 255.0) + 128.0 * (1.0 - made[:, 3:] / 255.0)
    assert np.abs(again - (color * alpha + 128.0 * (1.0 - alpha))).max() <= 1.5


def test_same_settings_write_the_same_bytes_in_another_process_too(tmp_path, request):
    written = []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        files = record(small_project(), task(tmp_path / name / "a.png"))
        written.append([path.read_bytes() for path in files])
        request.getfixturevalue("inside")
    assert written[0] == written[1] and len(written[0]) == 4


def test_cancelled_recording_leaves_nothing_and_keeps_what_was_there(inside, tmp_path):
    (tmp_path / "a_0000.png").write_bytes(b"mine")
    progress = Progress(lambda fraction, text: progress.cancel() if fraction > 0.1 else None)
    with pytest.raises(Cancelled):
        record(small_project(), task(tmp_path / "a.png", end=1.0), progress=progress)
    assert [path.name for path in tmp_path.iterdir()] == ["a_0000.png"]
    assert (tmp_path / "a_0000.png").read_bytes() == b"mine"


def test_process_that_dies_is_told_and_leaves_nothing(tmp_path, monkeypatch):
    monkeypatch.setattr(run, "WORKER", "editor.shell.playblast.nothing_of_that_name")
    with pytest.raises(AnimError, match="could not be drawn"):
        record(small_project(), task(tmp_path / "a.png"))
    assert list(tmp_path.iterdir()) == []


def test_process_that_hangs_is_stopped_by_a_cancel(tmp_path, monkeypatch):
    monkeypatch.setattr(helper, "PATIENCE", 0.1)
    monkeypatch.setattr(run, "WORKER", "http.server")  # runs until it is ended
    started = time.monotonic()
    progress = Progress(
        lambda fraction, text: progress.cancel() if time.monotonic() > started + 0.3 else None
    )
    with pytest.raises((Cancelled, AnimError)):
        record(small_project(), task(tmp_path / "a.png"), progress=progress)
    assert list(tmp_path.iterdir()) == []


def test_last_frame_of_a_loop_is_left_out_and_json_keeps_everything():
    more = {"camera": Camera(yaw=1.0), "switches": {"grid": False}, "bones": ("head",)}
    made = task(Path("a.gif"), end=1.0, open_end=True, **more)
    assert made.count == 30 and len(made.times()) == 30
    assert task(Path("a.gif"), end=1.0).count == 31
    assert Playblast.from_json(made.to_json()) == made


@pytest.mark.parametrize("wrong", [{"size": (0, 5)}, {"rate": 0.0}, {"start": 2.0, "end": 1.0}, {"path": Path("a.bmp")},
                                   {"end": 1e6}])  # fmt: skip
def test_what_cannot_be_recorded_is_refused(wrong):
    with pytest.raises(AnimError):
        task(**{"path": Path("a.png"), "clip": TURN, **wrong})


def test_frame_counter_and_plain_background_are_in_every_picture(inside, tmp_path):
    project = small_project()
    plain = record(project, task(tmp_path / "a.png", background="#ffffff", switches={"grid": False}))
    told = record(
        project, task(tmp_path / "b.png", background="#ffffff", counter=True, switches={"grid": False})
    )
    bare, counted = (
        [np.asarray(Image.open(path).convert("RGB")).astype(int) for path in files] for files in (plain, told)
    )
    written = []
    for before, after in zip(bare, counted, strict=True):
        assert (before[:3, :] >= 250).all()  # no vignette, no gradient
        rows, columns = np.nonzero(np.abs(after - before).max(axis=2) > 20)
        assert len(rows) > 20 and rows.min() >= 64 - 30 and columns.max() < 70
        written.append(after[-30:, :70])
    assert any(np.abs(a - b).max() > 60 for a, b in itertools.pairwise(written))
    with pytest.raises(AnimError, match="#rrggbb"):
        task(tmp_path / "c.png", background="white")


def test_counter_and_background_are_chosen_in_the_dialog_and_kept(here, tmp_path):
    opened(here, tmp_path / "walk.png")
    frames(here, 0, 0)
    here.user.click("playblastCounter")
    box = here.user.find("playblastBackground")
    box.setFocus()
    here.user.press("Down")
    here.user.press("Down")
    assert box.currentText() == "Grey"
    here.user.click("playblastTransparent")
    assert not box.isEnabled()
    here.user.click("playblastTransparent")
    here.user.click("playblastStart")
    finish(here)
    image = np.asarray(Image.open(tmp_path / "walk_0000.png").convert("RGB")).astype(int)
    assert (np.abs(image[0, :40] - 128) <= 2).all() and (np.abs(image[-1, -40:] - 128) <= 2).mean() > 0.5
    here.user.press("Esc")
    here.user.press("Ctrl+Alt+P")
    assert here.user.find("playblastCounter").isChecked()
    assert here.user.find("playblastBackground").currentText() == "Grey"
    here.user.press("Esc")

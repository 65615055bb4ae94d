import argparse
import gc
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from PySide6.QtWidgets import QLabel

import core.io
from editor.app import main
from editor.gl.camera import Camera
from editor.model.logs import log_file
from editor.render_camera import cameras, read_camera
from editor.render_cli import frame_list, size_of
from editor.shell.documents import sample_path
from editor.shell.start import begin, run, spare_documents
from tests.editor.stage import small_project, stage

ROOT = Path(__file__).parents[3]


@pytest.fixture
def file(tmp_path):
    core.io.save(small_project(), tmp_path / "tester.posewright")
    return tmp_path / "tester.posewright"


def in_a_new_process(code):
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def test_opened_document_is_no_matter_of_full_collections(qapp):
    with stage(qapp, "clips", project=None) as here:
        spare_documents(here.session)
        try:
            before = gc.get_freeze_count()
            here.load(small_project())
            here.user.settle()
            clip = here.clip()
            assert gc.get_freeze_count() > before
            assert not any(known is clip for known in gc.get_objects())
        finally:
            gc.unfreeze()


@pytest.mark.parametrize("command", ["info", "sample", "convert", "render"])
def test_command_line_never_imports_qt(file, tmp_path, command):
    extra = {
        "info": ["--json"],
        "sample": ["--times", "0"],
        "convert": [str(tmp_path / "x.glb")],
        "render": ["--out", str(tmp_path / "pictures"), "--size", "64x48"],
    }[command]
    loaded = in_a_new_process(
        "import sys, json; from editor.app import main\n"
        f"status = main({[command, str(file), *extra]!r})\n"
        "print(); print(json.dumps([status, sorted(m for m in sys.modules if 'PySide6' in m or 'qtawesome' in m)]))"
    )
    assert loaded == [0, []]


def test_render_draws_a_picture_for_each_frame(file, tmp_path):
    status = main(["render", str(file), "--clip", "walk", "--frames", "0:30:15", "--out", str(tmp_path / "p"),
                   "--size", "160x90", "--light"])  # fmt: skip
    assert status == 0
    names = sorted(path.name for path in (tmp_path / "p").iterdir())
    assert names == ["frame_0000.png", "frame_0015.png", "frame_0030.png"]
    pictures = [Image.open(tmp_path / "p" / name).convert("RGB") for name in names]
    assert {picture.size for picture in pictures} == {(160, 90)}
    assert pictures[0].tobytes() != pictures[1].tobytes(), "the pose differs"
    assert len(pictures[0].getcolors(100_000)) > 50, "the character is in it"


@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        (["missing.glb", "--out", "x"], 1),
        (["FILE", "--clip", "none", "--out", "x"], 1),
        (["FILE", "--frames", "9:1", "--out", "x"], 2),
        (["FILE", "--size", "0x5", "--out", "x"], 2),
        (["FILE"], 2),
    ],
)
def test_render_bad_input_is_one_line_and_a_status(file, capsys, arguments, status):
    given = [str(file) if word == "FILE" else word for word in arguments]
    assert main(["render", *given]) == status
    assert len(capsys.readouterr().err.strip().splitlines()) == 1


@pytest.mark.parametrize(
    ("text", "frames"),
    [("7", (7.0,)), ("0:2", (0.0, 1.0, 2.0)), ("0:1:0.5", (0.0, 0.5, 1.0)), ("1:4:2", (1.0, 3.0))],
)
def test_frame_list_includes_both_ends_where_the_step_meets_them(text, frames):
    assert frame_list(text) == frames


@pytest.mark.parametrize("text", ["", "a", "1:2:3:4", "0:5:0", "0:5:-1", "5:0", "0:1e9:0.001", "nan"])
def test_frame_list_refuses_nonsense(text):
    with pytest.raises(argparse.ArgumentTypeError):
        frame_list(text)


def test_size_is_width_by_height():
    assert size_of("640X360") == (640, 360)


def test_helper_for_fbx_waits_while_the_program_runs_and_ends_with_it(qapp):
    told = in_a_new_process(
        "import json\n"
        "from PySide6.QtCore import QTimer\n"
        "from core.io.common.helper import spare\n"
        "from editor.shell import start\n"
        "start.HELPERS_AFTER, seen = 0, []\n"
        "def look():\n"
        "    if not seen: seen.extend(kept.process for kept in spare._kept.spares.values())\n"
        "    if seen: here.close()\n"
        "def begin(window, files, sample):\n"
        "    global here, timer\n"
        "    here, timer = window, QTimer(window, interval=10, timeout=look)\n"
        "    timer.start()\n"
        "start.begin, start.read_sample = begin, lambda: None\n"
        "status = start.run([])\n"
        "print(json.dumps([status, len(seen), seen[0].returncode is not None]))"
    )
    assert told == [0, 1, True]


def test_start_reads_no_source_of_what_it_imports():
    """PySide6 looks for a feature in the text of every module that comes after it: a thousand files."""
    told = in_a_new_process(
        "import json, linecache, sys\n"
        "from editor.qt.feature_scan import skip_feature_scan\n"
        "skipped = skip_feature_scan()\n"
        "import PySide6.QtGui, editor.shell.panels\n"
        "editor.shell.panels.panel_specs()\n"
        "sources = [name for name in linecache.cache if 'editor' in name]\n"
        "hooked = __import__.__name__ == '__feature_import__'\n"
        "print(json.dumps([skipped, sources, 'core.graph.kinds' in sys.modules, hooked]))"
    )
    assert told == [True, [], False, False], "the installed PySide6 can be told to leave them alone"


def test_unknown_option_is_a_usage_error_before_any_window(capsys):
    assert run(["--frobnicate"]) == 2
    assert "--frobnicate" in capsys.readouterr().err


def test_start_without_files_shows_the_sample_character_playing(qapp):
    assert sample_path() is not None
    with stage(qapp, "clips", "bone_tree", project=None) as here:
        begin(here.window, [])
        here.user.wait_until(
            lambda: not here.session.jobs.running and bool(here.session.document.project.assets)
        )
        assert here.session.playback.playing and here.session.rig is not None
        assert here.session.document.path is None, "nobody saves over the sample"
        assert not here.session.document.dirty
        assert "hand_l" in here.user.rows("bones")


def test_start_with_a_file_opens_it_and_offers_the_others_for_import(qapp, file, tmp_path):
    core.io.save(small_project(), tmp_path / "more.glb")
    with stage(qapp, "clips", project=None) as here:
        begin(here.window, [file, tmp_path / "more.glb"])
        here.user.wait_until(lambda: not here.session.jobs.running)
        here.user.settle()
        assert here.session.document.path == file
        assert here.user.visible("importDialog")


def test_start_with_a_missing_file_says_so_and_shows_the_sample(qapp, tmp_path):
    with stage(qapp, "clips", project=None) as here:
        begin(here.window, [tmp_path / "nowhere.glb"])
        here.user.wait_until(lambda: bool(here.session.document.project.assets))
        assert "nowhere.glb" in here.user.find("messageText").text()


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux has displays to name")
@pytest.mark.parametrize("display", [None, ":6553"])
def test_start_without_a_screen_says_what_to_do_instead_of_aborting(display):
    environment = {
        k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    }
    if display:
        environment["DISPLAY"] = display
    done = subprocess.run(
        [sys.executable, "-m", "editor", "some.glb"], cwd=ROOT, env=environment, capture_output=True, text=True,
        timeout=300,
    )  # fmt: skip
    assert done.returncode == 1, "134 is an abort inside Qt"
    assert "no screen" in done.stderr and "xvfb-run" in done.stderr and "ssh -X" in done.stderr
    assert (display or "neither DISPLAY") in done.stderr


@pytest.mark.parametrize(
    ("word", "hint"), [("conver", "did you mean 'convert'?"), ("zzz", "the commands are info, ")]
)
def test_unknown_word_is_not_taken_for_a_file(capsys, monkeypatch, tmp_path, word, hint):
    monkeypatch.chdir(tmp_path)
    assert main([word]) == 2
    said = capsys.readouterr().err
    assert hint in said and repr(word) in said and len(said.strip().splitlines()) == 1


def test_word_that_is_a_file_is_not_taken_for_a_command(monkeypatch, tmp_path):
    from core.cli.main import unknown_word

    monkeypatch.chdir(tmp_path)
    (tmp_path / "conver").write_bytes(b"")
    assert [unknown_word(word) for word in ("conver", "some/conver", "walk.glb", "--help", "")] == [""] * 5


def test_render_to_a_film_of_another_kind_lists_those_there_are(file, capsys, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    assert main(["render", str(file), "--out", "x.avi"]) == 2
    assert ".gif, .webp, .mp4" in capsys.readouterr().err and not (tmp_path / "x.avi").exists()


def test_log_file_is_named_where_help_is_asked_for(here):
    here.window.actions_registry.run("help.about")
    here.user.settle()
    shown = here.window.findChild(QLabel, "logFile")
    assert shown is not None and shown.text().endswith(str(log_file()))
    here.user.press("Escape")


def pixels(folder, number=0):
    return np.array(Image.open(sorted(folder.glob("*.png"))[number]).convert("RGB")).astype(int)


@pytest.mark.parametrize("frames", ["31", "0:400:50", "-1"])
def test_render_of_frames_outside_the_clip_is_an_error_that_says_which_there_are(
    file, capsys, tmp_path, frames
):
    assert (
        main(["render", str(file), "--clip", "walk", f"--frames={frames}", "--out", str(tmp_path / "p")]) == 2
    )
    told = capsys.readouterr().err
    assert "walk" in told
    assert "0 to 30" in told
    assert not (tmp_path / "p").exists()


def test_render_looks_from_the_side_wanted(file, tmp_path):
    shots = {}
    for side in ("front", "right", "three-quarter"):
        assert (
            main(["render", str(file), "--camera", side, "--size", "96x72", "--out", str(tmp_path / side)])
            == 0
        )
        shots[side] = pixels(tmp_path / side)
    assert not any(np.array_equal(shots["front"], shots[other]) for other in ("right", "three-quarter"))
    assert main(["render", str(file), "--size", "96x72", "--out", str(tmp_path / "plain")]) == 0
    assert np.array_equal(pixels(tmp_path / "plain"), shots["three-quarter"])


def test_render_camera_of_a_file_stands_as_it_says(file, tmp_path):
    plain = Camera()
    told = {"target": list(plain.target), "distance": 9.0, "yaw": 90.0, "pitch": 0.0, "fov": 30.0}
    (tmp_path / "camera.json").write_text(json.dumps(told))
    camera, framed = read_camera(tmp_path / "camera.json")
    assert (camera.distance, framed) == (9.0, False)
    assert np.degrees([camera.yaw, camera.fov]) == pytest.approx([90.0, 30.0])
    (tmp_path / "side.json").write_text('{"yaw": 90, "pitch": 0}')
    for name, out in (("side.json", "a"), ("left", "b")):
        side = str(tmp_path / name) if "." in name else name
        assert (
            main(["render", str(file), "--camera", side, "--size", "96x72", "--out", str(tmp_path / out)])
            == 0
        )
    assert np.array_equal(pixels(tmp_path / "a"), pixels(tmp_path / "b"))


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("{", "line 1"),
        ('{"yaw": "x"}', "yaw"),
        ('{"distance": -1}', "distance"),
        ('{"zoom": 2}', "zoom"),
        ("[]", "object"),
    ],
)
def test_render_camera_file_that_is_none_names_what_is_wrong(file, capsys, tmp_path, text, named):
    (tmp_path / "camera.json").write_text(text)
    assert (
        main(["render", str(file), "--camera", str(tmp_path / "camera.json"), "--out", str(tmp_path / "p")])
        == 2
    )
    assert named in capsys.readouterr().err


def test_render_unknown_side_lists_those_there_are(file, capsys, tmp_path):
    assert main(["render", str(file), "--camera", "diagonal", "--out", str(tmp_path / "p")]) == 2
    assert "three-quarter" in capsys.readouterr().err


def test_render_camera_follows_over_the_ground_and_zooms():
    heads = [np.array([(x, 0.0, 0.0), (x, 1.7, 0.0)]) for x in (0.0, 1.0, 4.0)]
    bodies = [np.zeros((0, 3))] * 3
    still = cameras("front", heads, bodies, (96, 72), False, 1.0)
    assert len(set(still)) == 1
    moving = cameras("front", heads, bodies, (96, 72), True, 1.0)
    assert np.allclose(np.diff([camera.target for camera in moving], axis=0), [(1, 0, 0), (3, 0, 0)])
    assert moving[0].distance < still[0].distance
    near = cameras("front", heads, bodies, (96, 72), True, 2.0)
    assert near[0].distance == pytest.approx(moving[0].distance / 2.0)


def test_render_shows_textures_and_clay_does_not(tmp_path):
    from tests.editor.panels.viewport.test_textures_in_view import GREEN, HUGE, dressed

    core.io.save(dressed(GREEN), tmp_path / "green.posewright")
    core.io.save(dressed(HUGE), tmp_path / "huge.posewright")
    given = ["--size", "96x72", "--no-grid"]
    assert main(["render", str(tmp_path / "green.posewright"), *given, "--out", str(tmp_path / "a")]) == 0
    assert (
        main(["render", str(tmp_path / "green.posewright"), *given, "--clay", "--out", str(tmp_path / "b")])
        == 0
    )
    greens = [(p[..., 1] > p[..., 0] + 40).sum() for p in (pixels(tmp_path / "a"), pixels(tmp_path / "b"))]
    assert greens[0] > 100
    assert greens[1] == 0


def test_render_says_which_texture_is_not_shown(capsys, tmp_path):
    from tests.editor.panels.viewport.test_textures_in_view import HUGE, dressed

    core.io.save(dressed(HUGE), tmp_path / "huge.posewright")
    assert (
        main(["render", str(tmp_path / "huge.posewright"), "--size", "64x48", "--out", str(tmp_path / "p")])
        == 0
    )
    told = capsys.readouterr().err
    assert "skin" in told
    assert "60000 × 60000" in told


UNWANTED = (
    "numba", "llvmlite", "scipy", "mujoco", "pxr", "ufbx", "PIL", "pyqtgraph", "qtawesome",  # big
    "OpenGL.GL", "numpy.ma", "numpy.polynomial",  # parts that nothing needs yet
    "ssl", "http", "urllib.request", "PySide6.QtNetwork",  # nothing goes over a network
    "core.cli", "core.graph.kinds", "core.io.fbx.read", "core.io.usd.read", "core.locomotion.bake",
    "importlib.metadata", "editor.qt.file_dialog", "editor.shell.palette", "editor.model.graph_run.export",
    "editor.panels.graph.widget", "editor.panels.play.widget", "editor.panels.retarget.widget", "editor.shell.export",
)  # fmt: skip


def test_start_imports_nothing_that_is_needed_later_only(tmp_path):
    """The window with the sample character in it, as it is shown first."""
    told = in_a_new_process(
        "import json, os, sys\n"
        f"os.environ['POSEWRIGHT_DATA_DIR'] = os.environ['POSEWRIGHT_CONFIG_DIR'] = {str(tmp_path)!r}\n"
        "from editor.app import main, spare_imports\n"
        "spare_imports()\n"
        "from editor.gl.viewport_widget import ViewportWidget\n"
        "from editor.shell import kernel_start\n"
        "kernel_start.AFTER = 10**6  # kernels come a while after the first picture\n"
        "from PySide6.QtCore import QTimer\n"
        "from PySide6.QtWidgets import QApplication\n"
        "painted, modules = ViewportWidget.draw_picture, []\n"
        "def paint(self, framebuffer):\n"
        "    drawn = painted(self, framebuffer)\n"
        "    if self._draw_list.meshes and not modules:\n"
        "        modules.extend(sys.modules)\n"
        "        QTimer.singleShot(0, QApplication.quit)\n"
        "    return drawn\n"
        "ViewportWidget.draw_picture = paint\n"
        "main([])\n"
        "print(json.dumps(modules))"
    )
    assert "editor.panels.timeline.widget" in told, "the window was there"
    assert [name for name in UNWANTED if name in told] == []
    own = [name for name in told if name.startswith(("core.", "editor."))]
    assert len(own) < 1010, (
        "each module of ours costs a third of a millisecond: import it where it is first needed"
    )

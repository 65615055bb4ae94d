import os
import subprocess
import sys

import numpy as np
import pytest

SCRIPT = """
import sys
from pathlib import Path
from editor.gl.camera import Camera
from editor.gl.capture import OffscreenRenderer, write_png
from editor.gl.draw_list import DrawList, Grid
with OffscreenRenderer() as view:
    image = view.render(DrawList(Grid()), Camera(), (64, 48))
    write_png(sys.argv[1], image)
    assert not any(name.startswith("PySide6") for name in sys.modules), "Qt was loaded"
"""


def run(script: str, *args: str, **environment: str) -> subprocess.CompletedProcess[str]:
    clean = {
        k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY", "PYOPENGL_PLATFORM")
    }
    return subprocess.run(
        [sys.executable, "-c", script, *args],
        env={**clean, **environment},
        capture_output=True,
        text=True,
        timeout=300,
    )


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="EGL is Linux's way")
@pytest.mark.parametrize("display", [None, "the test's"])
def test_picture_is_taken_without_qt_with_and_without_a_display(tmp_path, display, view):
    there = {"DISPLAY": os.environ["DISPLAY"]} if display and os.environ.get("DISPLAY") else {}
    done = run(SCRIPT, str(tmp_path / "a.png"), **there)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "a.png").stat().st_size > 500


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="EGL is Linux's way")
def test_missing_library_is_named_with_what_to_install():
    script = """
import ctypes.util
from editor.gl import egl
egl.ctypes.util.find_library = lambda name: "libEGL-that-is-not-there.so.1"
from editor.gl.capture import NoContextError, OffscreenRenderer
try:
    OffscreenRenderer()
except NoContextError as error:
    print(error)
"""
    done = run(script)
    assert done.returncode == 0, done.stderr
    assert "libEGL-that-is-not-there" in done.stdout and "libegl1" in done.stdout


def test_inside_qt_the_context_comes_from_qt_and_the_picture_is_the_same(qapp, view):
    from editor.gl.camera import Camera
    from editor.gl.capture import OffscreenRenderer
    from editor.gl.draw_list import DrawList, Grid

    frame = DrawList(Grid())
    with OffscreenRenderer(samples=0) as ours:
        assert type(ours._context).__name__ == "_QtContext"
        image = ours.render(frame, Camera(), (200, 120))
    difference = np.abs(image.astype(int) - view.render(frame, Camera(), (200, 120)).astype(int))
    assert difference.max() <= 2

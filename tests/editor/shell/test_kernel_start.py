"""A window gets its kernels by itself: loaded where they are compiled, else compiled first, beside it."""

import os
import subprocess
import sys

import pytest
from PySide6.QtWidgets import QWidget

from core.math import kernels, warm
from editor.shell import kernel_start
from editor.shell.kernel_start import KernelStart
from tests.editor.user import User


@pytest.fixture
def begun(monkeypatch, tmp_path):
    """What is begun, of a loader that knows nothing yet and has an empty cache."""
    told: list[object] = []
    monkeypatch.setattr(kernels, "_state", kernels._State())
    monkeypatch.setattr(kernels, "RECHECK", 0.0)
    monkeypatch.setattr(kernels, "load", lambda: told.append("load"))
    monkeypatch.setattr(kernel_start, "AFTER", 0)
    monkeypatch.setattr(kernel_start, "LOOK", 0)
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    monkeypatch.delenv("POSEWRIGHT_KERNELS", raising=False)
    return told


@pytest.fixture
def started(qapp):
    """Begins as a window does, and ends it."""
    made = []

    def start():
        made.append(KernelStart(qapp))
        return made[-1]

    yield start
    for one in made:
        one.close()
        one.deleteLater()


def make_warm():
    kernels.stamp().parent.mkdir(parents=True, exist_ok=True)
    kernels.stamp().write_text("warm")


def compile_by(monkeypatch, code, begun):
    """Put a process that runs some code in place of the one that compiles."""

    def start():
        begun.append(subprocess.Popen([sys.executable, "-c", code, str(kernels.stamp())]))
        return begun[-1]

    monkeypatch.setattr(warm, "start_in_background", start)


def test_compiled_kernels_are_loaded_by_a_thread(qapp, begun, started):
    make_warm()
    started()
    assert User(QWidget()).until(lambda: begun == ["load"])


def test_missing_kernels_are_compiled_and_then_loaded(qapp, begun, started, monkeypatch):
    code = "import pathlib, sys; p = pathlib.Path(sys.argv[1]); p.parent.mkdir(parents=True); p.write_text('warm')"
    compile_by(monkeypatch, code, begun)
    started()
    assert User(QWidget()).until(lambda: "load" in begun)
    assert len(begun) == 2, "they were compiled once, and loaded once"


def test_compiling_that_fails_is_not_begun_again(qapp, begun, started, monkeypatch):
    compile_by(monkeypatch, "raise SystemExit(1)", begun)
    here = started()
    assert User(QWidget()).until(lambda: bool(begun) and not here._timer.isActive())
    assert len(begun) == 1


def test_the_end_of_the_window_ends_the_compiling(qapp, begun, started, monkeypatch):
    compile_by(monkeypatch, "import time; time.sleep(600)", begun)
    here = started()
    assert User(QWidget()).until(lambda: bool(begun))
    here.close()
    assert begun[0].returncode not in (None, 0)


def test_kernels_switched_off_are_neither_compiled_nor_loaded(qapp, begun, started, monkeypatch):
    monkeypatch.setitem(os.environ, "POSEWRIGHT_KERNELS", "off")
    here = started()
    assert User(QWidget()).until(lambda: not here._timer.isActive())
    assert begun == []

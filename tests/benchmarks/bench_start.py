"""Start-up, step by step: from the process's birth to the sample character drawn in a window that answers.

    python -m tests.benchmarks.bench_start [--runs 5]

Three kinds of start: warm; with the compiled kernels' cache empty; and the very first, where no byte code is there
either (not even the libraries', which an installation does leave). Beside them the interpreter alone, and a bare Qt
window with an empty OpenGL view, so that what is ours can be told from what is not. Needs a display (a virtual
one will do).
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

os.environ.setdefault("QT_QPA_PLATFORM", "xcb")

BARE = """
import sys
from PySide6.QtCore import QTimer
from PySide6.QtOpenGLWidgets import QOpenGLWidget
from PySide6.QtWidgets import QApplication, QMainWindow
app = QApplication(sys.argv)
window, view = QMainWindow(), QOpenGLWidget()
window.setCentralWidget(view)
view.frameSwapped.connect(lambda: app.quit())
window.resize(1280, 720)
window.show()
app.exec()
"""

EDITOR = """
import json, os, sys, time
began = time.perf_counter()
with open("/proc/self/stat") as file:
    ticks = int(file.read().rsplit(")", 1)[1].split()[19])
with open("/proc/uptime") as file:
    age = float(file.read().split()[0]) - ticks / os.sysconf("SC_CLK_TCK")
steps = {"interpreter": age}

def done(name):
    global began
    steps[name] = time.perf_counter() - began
    began = time.perf_counter()

from core.class_code import keep
from core.io.backups import data_dir
from editor.app import main, spare_imports
spare_imports(keep(data_dir()))  # as main does before it imports
import editor.shell.start, editor.shell.panels
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from editor.gl.viewport_widget import ViewportWidget
from editor.shell.window import MainWindow
done("imports")
built, painted = MainWindow.__init__, ViewportWidget.draw_picture

def build(self, *arguments):
    done("application, theme")
    built(self, *arguments)
    done("window built")

def paint(self, framebuffer):
    drawn = painted(self, framebuffer)
    if "first frame" not in steps:
        done("first frame")
    if self._draw_list.bones is not None or self._draw_list.meshes:
        done("character drawn")
        QTimer.singleShot(0, finish)
    return drawn

def finish():
    done("answers")
    print(json.dumps(steps), file=sys.__stdout__, flush=True)
    QApplication.instance().quit()

MainWindow.__init__, ViewportWidget.draw_picture = build, paint
main([])
"""
STEPS = (
    "interpreter", "imports", "application, theme", "window built", "first frame", "character drawn", "answers",
)  # fmt: skip


def started(code: str, environment: dict[str, str]) -> tuple[float, dict[str, float]]:
    """Wall time of a fresh interpreter that runs some code, and the steps that it told."""
    began = time.perf_counter()
    run = subprocess.run(
        [sys.executable, "-c", code],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        timeout=120,
        check=False,
    )
    spent = time.perf_counter() - began
    lines = [line for line in run.stdout.splitlines() if line.startswith("{")]
    return spent, json.loads(lines[-1]) if lines else {}


def environment_in(folder: str, **extra: str) -> dict[str, str]:
    """An environment with directories of its own."""
    own = {"POSEWRIGHT_CONFIG_DIR": f"{folder}/config", "POSEWRIGHT_DATA_DIR": f"{folder}/data"}
    given = {**os.environ, "PYTHONPYCACHEPREFIX": f"{tempfile.gettempdir()}/posewright-bench-pyc"}
    given.pop("PYTHONDONTWRITEBYTECODE", None)  # a start that is not the first finds byte code
    return {**given, **own, **extra}


def print_steps(rows: dict[str, list[dict[str, float]]]) -> None:
    """One row a step, one column a kind of start: medians."""
    print(f"\n{'seconds, median':24}" + "".join(f"{name:>22}" for name in rows))
    for step in STEPS:
        values = [statistics.median(run.get(step, float("nan")) for run in runs) for runs in rows.values()]
        print(f"{step:24}" + "".join(f"{value:22.3f}" for value in values))
    totals = [statistics.median(sum(run.values()) for run in runs) for runs in rows.values()]
    print(f"{'until it answers':24}" + "".join(f"{value:22.3f}" for value in totals))
    print(f"{'target, fails above':24}" + f"{'2, 5':>22}" * len(rows))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=5)
    runs = parser.parse_args().runs
    plain = {"interpreter": "pass", "bare Qt window": BARE}
    subprocess.run([sys.executable, "-m", "core.math.warm"], check=False, stderr=subprocess.DEVNULL)
    with tempfile.TemporaryDirectory() as folder:
        warm = environment_in(folder)
        for name, code in plain.items():
            times = [started(code, warm)[0] for _ in range(runs + 1)][1:]
            print(
                f"{name:24}{statistics.median(times):>8.2f} s  (min {min(times):.2f}, max {max(times):.2f})"
            )
        rows: dict[str, list[dict[str, float]]] = {"warm": [], "kernels cold": [], "very first": []}
        started(EDITOR, warm)
        for number in range(runs):
            rows["warm"].append(started(EDITOR, warm)[1])
            cold = {"NUMBA_CACHE_DIR": f"{folder}/numba{number}"}
            rows["kernels cold"].append(started(EDITOR, environment_in(f"{folder}/cold{number}", **cold))[1])
            if number < 2:
                first = {
                    "PYTHONPYCACHEPREFIX": f"{folder}/pyc{number}",
                    "NUMBA_CACHE_DIR": f"{folder}/first{number}",
                }
                rows["very first"].append(
                    started(EDITOR, environment_in(f"{folder}/first{number}", **first))[1]
                )
    print_steps(rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())

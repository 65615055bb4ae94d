"""Start-up: from the process's birth to the first drawn frame of the sample character.

    python -m tests.benchmarks.bench_start [--runs 5]

Beside it stand the interpreter alone, and a bare Qt window with an empty OpenGL view, so that what
is ours can be told from what is not. Needs a display (a virtual one will do).
"""

import argparse
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
import sys
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from editor.gl.viewport_widget import ViewportWidget

painted = ViewportWidget.paintGL
def first(self):
    painted(self)
    QTimer.singleShot(0, QApplication.instance().quit)
ViewportWidget.paintGL = first
from editor.app import main
main([])
"""


def seconds(code: str, environment: dict[str, str]) -> float:
    """Wall time of a fresh interpreter that runs some code."""
    began = time.perf_counter()
    subprocess.run(
        [sys.executable, "-c", code],
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        timeout=120,
        check=False,
    )
    return time.perf_counter() - began


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=5)
    runs = parser.parse_args().runs
    with tempfile.TemporaryDirectory() as folder:
        environment = {
            **os.environ,
            "POSEWRIGHT_CONFIG_DIR": f"{folder}/config",
            "POSEWRIGHT_DATA_DIR": f"{folder}/data",
        }
        rows = {"interpreter": "pass", "bare Qt window": BARE, "editor on the sample": EDITOR}
        times: dict[str, list[float]] = {name: [] for name in rows}
        for _ in range(runs + 1):
            for name, code in rows.items():
                times[name].append(seconds(code, environment))
    bare = statistics.median(times["bare Qt window"][1:])
    print(f"{'':24}{'first run':>12}{'median':>10}{'min':>8}{'max':>8}{'to bare':>10}")
    for name, taken in times.items():
        warm = taken[1:]
        middle = statistics.median(warm)
        print(
            f"{name:24}{taken[0]:>10.2f} s{middle:>8.2f} s{min(warm):>8.2f}{max(warm):>8.2f}{middle / bare:>9.1f}×"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())

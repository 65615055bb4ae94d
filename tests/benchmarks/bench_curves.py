"""What the curve editor costs beside one pyqtgraph item a curve: pan, zoom, key drags, opening, memory.

    xvfb-run -s "-screen 0 1600x900x24" python -m tests.benchmarks.bench_curves [--frames 30] [--no-baseline]

Each frame is a change of the view and the painting that follows, waited for. "baseline" draws the same
keys with `pyqtgraph.PlotCurveItem`, one a curve, one pixel wide (downsampling and clipping make it slower).
"""

import argparse
import os
import resource
import sys
import time
from collections.abc import Callable

os.environ.setdefault("QT_QPA_PLATFORM", "xcb")

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication

from editor.tools.curves.lanes import Lane
from tests.editor.panels.curves.curve_stage import CurveStage, curve_stage, large_project


def memory() -> float:
    """Largest resident size so far, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def now_memory() -> float:
    """Resident size now, in MB."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20


def timed(
    app: QApplication, frames: int, step: Callable[[int], None], paint: Callable[[], None]
) -> list[float]:
    """Seconds of each frame."""
    seconds = []
    for frame in range(frames + 2):
        start = time.perf_counter()
        step(frame)
        paint()
        if frame >= 2:
            seconds.append(time.perf_counter() - start)
        app.processEvents()
    return seconds


def said(name: str, seconds: list[float], base: float | None = None) -> float:
    """Print one row; returns its median in seconds."""
    middle, late = float(np.median(seconds)), float(np.percentile(seconds, 95))
    beside = f"   baseline {base * 1e3:6.1f} ms, {base / middle:5.2f} × ours" if base else ""
    print(f"{name:46} {middle * 1e3:8.1f} ms  p95 {late * 1e3:7.1f}{beside}", flush=True)
    return middle


def ours(app: QApplication, stage: CurveStage, frames: int) -> dict[str, list[float]]:
    """Pan and zoom, whole and near."""
    model, plot = stage.model, stage.plot

    def paint() -> None:
        plot.flush()
        stage.window.repaint()
        plot.viewport().repaint()

    found = {}
    model.view.fit_all()
    found["pan, whole clip"] = timed(
        app, frames, lambda n: model.view.set_axes(model.view.axis.panned(3), model.view.values), paint
    )
    model.view.fit_all()
    found["zoom, whole clip"] = timed(
        app,
        frames,
        lambda n: model.view.set_axes(model.view.axis.zoomed(1.02, 400), model.view.values.zoomed(1.01, 100)),
        paint,
    )
    model.view.set_axes(model.view.axis.fitted(40.0, 48.0), model.view.values)
    found["pan, 240 frames"] = timed(
        app, frames, lambda n: model.view.set_axes(model.view.axis.panned(3), model.view.values), paint
    )
    return found


def baseline(app: QApplication, curves: int, frames: int) -> dict[str, list[float]]:
    """The same with one pyqtgraph item a curve."""
    clip = large_project().clips[0]
    plot = pg.PlotWidget()
    plot.resize(1060, 400)
    for track in list(clip.tracks.values())[:curves]:
        item = pg.PlotCurveItem(track.times, track.values, pen=pg.mkPen("#ef6461", width=1))
        plot.addItem(item)
    plot.show()
    app.processEvents()
    box = plot.getPlotItem().vb
    found = {}
    few = max(3, frames // (6 if curves > 100 else 1))

    def paint() -> None:
        plot.viewport().repaint()

    whole = (0.0, clip.length)
    box.setRange(xRange=whole, yRange=(-90, 90), padding=0)
    found["pan, whole clip"] = timed(
        app, few, lambda n: box.setRange(xRange=(whole[0] + n * 0.3, whole[1] + n * 0.3), padding=0), paint
    )
    found["zoom, whole clip"] = timed(
        app,
        few,
        lambda n: box.setRange(xRange=(n * 1.0, whole[1] - n * 1.0), yRange=(-90 + n, 90 - n), padding=0),
        paint,
    )
    box.setRange(xRange=(40.0, 48.0), padding=0)
    found["pan, 240 frames"] = timed(
        app, few, lambda n: box.setRange(xRange=(40.0 + n * 0.03, 48.0 + n * 0.03), padding=0), paint
    )
    plot.close()
    return found


def drags(app: QApplication, stage: CurveStage, frames: int) -> None:
    """Drag one key, and 100,000."""
    model, plot, session = stage.model, stage.plot, stage.session

    def paint() -> None:
        plot.flush()
        plot.viewport().repaint()

    def drag(name: str, lane: Lane, key: int) -> None:
        place = stage.key_place(lane.channel, key)
        stage.user.press_mouse(stage.canvas, place)
        last = [0.0]

        def step(n: int) -> None:
            at = QPointF(place.x() + n * 2.0, place.y() - n * 1.5)
            window = stage.window.windowHandle()
            inside = QPointF(stage.canvas.mapTo(stage.window, at.toPoint()))
            event = QMouseEvent(
                QEvent.Type.MouseMove, inside, inside, Qt.MouseButton.NoButton, Qt.MouseButton.LeftButton,
                Qt.KeyboardModifier.NoModifier,
            )  # fmt: skip
            QApplication.sendEvent(window, event)
            last[0] = at.x()

        said(name, timed(app, frames, step, paint))
        start = time.perf_counter()
        stage.user.release_mouse((last[0], place.y()))
        print(f"{'  letting go (commit, repaint)':46} {(time.perf_counter() - start) * 1e3:8.1f} ms")

    stage.show("bone_07")
    model.view.set_axes(model.view.axis.fitted(40.0, 48.0), model.view.values)
    stage.user.settle()
    channel = next(lane.channel for lane in model.lanes.all() if lane.name == "Rotate X")
    drag("drag 1 key", Lane(channel), 1300)
    session.undo()
    session.selection.select(())
    stage.user.settle()
    model.view.fit_all()
    stage.user.settle()
    lanes = model.lanes.all()[:25]
    start = time.perf_counter()
    left, right = model.view.axis.x(-1.0), model.view.axis.x(140.0)
    hidden = [lane for lane in model.lanes.all() if lane not in lanes]
    model.lanes.set_flag("hidden", hidden)
    keys = model.pointer.keys_in([(left, -1e5), (right, 1e5)])
    session.selection.select_keys(keys)
    count = sum(len(k) for k in keys.values())
    paint()
    print(f"{f'box-select {count:,} keys':46} {(time.perf_counter() - start) * 1e3:8.1f} ms")
    middle = next(lane for lane in lanes if lane.name == "Rotate X")
    drag(f"drag {count:,} keys of 25 curves", middle, 2000)
    session.undo()
    model.lanes.set_flag("hidden", ())
    part = {lane.channel: np.arange(500, 671) for lane in model.lanes.all()}
    session.selection.select_keys(part)
    stage.user.settle()
    drag(f"drag {171 * 585:,} keys of 585 curves", middle, 600)
    start = time.perf_counter()
    session.undo()
    paint()
    print(f"{'undo of it':46} {(time.perf_counter() - start) * 1e3:8.1f} ms")


def main() -> None:
    """Read the options and print the table."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--frames", type=int, default=30)
    options.add_argument("--no-baseline", action="store_true")
    given = options.parse_args()
    app = QApplication(sys.argv[:1])
    app.setQuitOnLastWindowClosed(False)
    project = large_project()
    before = now_memory()
    with curve_stage(app, size=(1280, 480)) as stage:
        start = time.perf_counter()
        stage.load(project)
        stage.plot.flush()
        stage.plot.viewport().repaint()
        said("open 65 bones × 9 channels × 4,000 keys", [time.perf_counter() - start])
        stage.user.settle()
        start = time.perf_counter()
        stage.session.selection.select(["bone_09"])
        app.processEvents()
        stage.plot.flush()
        stage.plot.viewport().repaint()
        said("select a bone → curves shown", [time.perf_counter() - start])
        for count in (9, 585):
            stage.session.selection.select(["bone_09"] if count == 9 else ())
            stage.user.settle()
            beside = {} if given.no_baseline else baseline(app, count, given.frames)
            print(f"-- {count} curves")
            for name, seconds in ours(app, stage, given.frames).items():
                base = float(np.median(beside[name])) if name in beside else None
                said(f"{name}, {count} curves", seconds, base)
        drags(app, stage, given.frames)
        print(
            f"memory: {now_memory() - before:.0f} MB more than the clip alone; at most {memory():.0f} MB in all"
        )


if __name__ == "__main__":
    main()

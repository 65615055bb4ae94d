"""What blending costs: 2, 4 and 9 clips a pose, the foot-slip map, and the point dragged till the picture.

    python -m tests.benchmarks.bench_blend [--rounds 200] [--no-window]

The drag moves the blend space's point by mouse events while the viewport plays the blend; measured is
the time from the event until the picture with the new pose is drawn (p95 is what counts).
"""

import argparse
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np

from core.blending.blend_space import BlendSpace, SpaceAxis, SpaceSample
from core.blending.foot_slip import slip_field, slip_map
from core.blending.layer_stack import ClipLayer, LayerMode, LayerStack, StackPlayer
from core.blending.space_player import SpacePlayer
from core.clips.clip import Clip
from core.evaluation.clip_pipeline import ClipPipeline
from core.ids import AssetId
from core.io import load
from core.math import kernels
from core.project.project import Project
from editor.model.blending.state import Blending

SAMPLE = Path(__file__).parents[2] / "resources" / "sample" / "mannequin.posewright"


def timed(name: str, work: Callable[[], object], rounds: int) -> None:
    """Print the median and 95th percentile of some work, in milliseconds."""
    work()
    spent = []
    for _ in range(rounds):
        start = time.perf_counter()
        work()
        spent.append(time.perf_counter() - start)
    median, late = np.median(spent) * 1e3, np.percentile(spent, 95) * 1e3
    print(f"{name:44} {median:8.3f} ms   p95 {late:8.3f} ms")


def of_clips(project: Project, count: int) -> BlendSpace:
    """A plane with so many clips, such that a point in its middle has all of them (a grid of one cell)."""
    sources = [c for c in project.clips if c.looping][:2]
    samples = []
    for k in range(count):
        angle = 2 * np.pi * k / count
        samples.append(
            SpaceSample(sources[k % len(sources)].id, (np.cos(angle), np.sin(angle)), 1.0 + 0.01 * k)
        )
    axes = (SpaceAxis("x", -1.0, 1.0, 1), SpaceAxis("y", -1.0, 1.0, 1))
    return BlendSpace(AssetId("space-bench"), "bench", project.rigs[0].id, axes, tuple(samples), sync=False)


def poses(project: Project, rounds: int) -> None:
    """Blends of several clips, a pose at a time and in bulk; layers."""
    rig, clips = project.rigs[0], {c.id: c for c in project.clips}
    print(f"{len(rig.skeleton)} bones")
    for count in (2, 4, 9):
        player = SpacePlayer(rig, of_clips(project, count), clips)
        even = np.full(count, 1.0 / count)
        state = replace(player.start((0.0, 0.0)), weights=even)
        clock = [0.0]

        def one(player: SpacePlayer = player, state=state, clock=clock) -> object:
            clock[0] += 0.01
            return player.sample(replace(state, clock=clock[0])).pose

        timed(f"blend of {count} clips, one pose", one, rounds)
        clocks = np.linspace(0.0, 3.0, 300)
        timed(
            f"blend of {count} clips, 300 poses",
            lambda p=player, e=even, c=clocks: p.poses(c, e),
            max(rounds // 10, 3),
        )
    walk = next(c for c in project.clips if c.looping)
    others: list[Clip] = [c for c in project.clips if c.id != walk.id]
    modes = (LayerMode.OVERRIDE, LayerMode.ADDITIVE)
    layers = tuple(ClipLayer(f"l{k}", others[k % len(others)].id, modes[k % 2], 0.5) for k in range(4))
    stack = LayerStack(AssetId("s"), "s", rig.id, walk.id, layers)
    over = ClipPipeline(rig, walk, layers=StackPlayer(rig, stack, clips))
    timed("clip with 4 layers, one pose", lambda: over.sample_many([0.3]), rounds)
    space = of_clips(project, 2)
    field = slip_field(SpacePlayer(rig, space, clips))
    grid = [np.linspace(-1.0, 1.0, 25)] * 2
    timed("foot-slip map of 25 × 25 points", lambda: slip_map(field, grid), 3)


def dragging(project: Project, rounds: int) -> None:
    """The point dragged in the window, from each mouse event till the picture is drawn."""
    import os
    import sys

    from tests.temporary import own_folder

    folder = str(own_folder("bench"))
    os.environ["POSEWRIGHT_CONFIG_DIR"], os.environ["POSEWRIGHT_DATA_DIR"] = folder, folder
    from PySide6.QtCore import QEvent, QPointF, Qt
    from PySide6.QtGui import QMouseEvent
    from PySide6.QtWidgets import QApplication

    from editor.model.session import Session
    from editor.qt.theme import Theme
    from editor.shell.panels import panel_specs
    from editor.shell.window import MainWindow
    from tests.editor.user import User

    app = QApplication.instance() or QApplication(sys.argv[:1])
    session = Session.create()
    window = MainWindow(session, Theme(app, "dark"), list(panel_specs()))
    session.document.replace(project, None)
    window.resize(1440, 900)
    user = User(window)
    window.layouts.use("blend")
    spaces = session.feature(Blending).spaces
    space = spaces.new("plane")
    clips = {c.name: c for c in project.clips}
    for name, place in (
        ("idle", (0.0, 0.0)),
        ("walk", (0.0, 1.4)),
        ("run", (0.0, 3.6)),
        ("wave", (120.0, 2.0)),
    ):
        if name in clips:
            spaces.add(clips[name].id, place)
    assert space is not None
    user.settle()
    window.show_panel("blend_space")
    user.settle()
    plot, view = user.find("blendPlot"), user.find("viewport")
    frame = plot.frame()
    drawn = [0.0]
    view.drawn.connect(lambda _: drawn.__setitem__(0, time.perf_counter()))
    user.press_mouse(plot, frame.pixel((-90.0, 1.0)))
    spent = []
    for k in range(rounds):
        angle = 2 * np.pi * k / 60
        at = frame.pixel((90.0 * float(np.cos(angle)), 2.0 + 1.5 * float(np.sin(angle))))
        start = time.perf_counter()
        top = plot.window()
        place = plot.mapTo(top, QPointF(*at).toPoint())
        handle = top.windowHandle()
        left = Qt.MouseButton.LeftButton
        event = QMouseEvent(
            QEvent.Type.MouseMove, QPointF(place), QPointF(handle.mapToGlobal(place)), Qt.MouseButton.NoButton, left,
            Qt.KeyboardModifier.NoModifier,
        )  # fmt: skip
        QApplication.sendEvent(handle, event)
        until = start + 0.5
        while drawn[0] < start and time.perf_counter() < until:
            app.processEvents()
        spent.append((drawn[0] if drawn[0] > start else time.perf_counter()) - start)
    user.release_mouse(frame.pixel((0.0, 1.0)))
    session.feature(Blending).live.stop()
    median, late = np.median(spent) * 1e3, np.percentile(spent, 95) * 1e3
    print(f"{'point dragged, input to picture':44} {median:8.3f} ms   p95 {late:8.3f} ms")
    window._close_now()


def main() -> None:
    """Read the options and print the table."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--rounds", type=int, default=200)
    options.add_argument("--no-window", action="store_true")
    given = options.parse_args()
    kernels.load()  # else the first rows are the twins'
    project = load(SAMPLE).project
    poses(project, given.rounds)
    if not given.no_window:
        dragging(project, given.rounds)


if __name__ == "__main__":
    main()

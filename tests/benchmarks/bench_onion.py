"""Onion skin and trails while a bone is dragged: what each input costs, part by part.

    xvfb-run -a python -m tests.benchmarks.bench_onion [--frames 60] [--size 900x500]

Drives the viewport panel of the sample character with real mouse events and waits for each picture. Three parts are
told apart: *posing* (keys the drag would set, sampling, bone matrices of ghosts and trails), *drawing* (OpenGL until
it has finished, `glFinish`), *interface* (everything else: events, overlay, Qt). Draw calls and vertices tell what
a graphics card would have to do.
"""

import argparse
import os
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from tests.temporary import own_folder

SAMPLE = Path(__file__).parents[2] / "resources" / "sample" / "mannequin.posewright"
TRAIL_BONES = (
    "hand_l", "hand_r", "foot_l", "foot_r", "head", "pelvis", "lower_arm_l", "lower_arm_r", "calf_l", "calf_r",
)  # fmt: skip


class Clock:
    """Adds up the time spent in functions that it wraps."""

    def __init__(self) -> None:
        self.spent = 0.0
        self._depth = 0

    def wrap(self, owner: object, name: str) -> None:
        """Time every call of a method; nested calls count once."""
        original: Callable[..., object] = getattr(owner, name)

        def timed(*args: object, **kwargs: object) -> object:
            start = time.perf_counter()
            self._depth += 1
            try:
                return original(*args, **kwargs)
            finally:
                self._depth -= 1
                if self._depth == 0:
                    self.spent += time.perf_counter() - start

        setattr(owner, name, timed)

    def take(self) -> float:
        """Seconds since the last call."""
        spent, self.spent = self.spent, 0.0
        return spent


def main() -> None:
    """Read the options and print the table."""
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("--size", default="900x500")
    options.add_argument("--frames", type=int, default=60)
    given = options.parse_args()
    folder = str(own_folder("bench"))
    os.environ.setdefault("POSEWRIGHT_CONFIG_DIR", folder)
    os.environ.setdefault("POSEWRIGHT_DATA_DIR", folder)
    os.environ.setdefault("QT_QPA_PLATFORM", "xcb")

    from PySide6.QtWidgets import QApplication

    from editor.model.preferences import Preferences
    from editor.shell.start import prepare

    prepare(Preferences())
    app = QApplication([])
    run(app, tuple(int(edge) for edge in given.size.split("x")), given.frames)


def run(app: object, size: tuple[int, ...], frames: int) -> None:
    """Measure four scenes."""
    from core.io.native.read import read
    from core.progress import Progress
    from editor.model.session import Session
    from editor.panels.viewport.panel import PANEL
    from tests.editor.panel_stage import Stage
    from tests.editor.user import User

    session = Session.create()
    project = read(SAMPLE, Progress()).project
    session.document.replace(project, None)
    session.playback.set_clip(project.clip_named("walk").id)
    session.playback.seek(8 / 30)
    stage = Stage(app, session)
    panel = stage.add(PANEL.create(stage.context))
    stage.show(size[0], size[1])
    user = User(stage.window)
    user.wait_until(lambda: panel.view.problem is not None or panel.view._renderer.ready, "no picture")
    vertices = sum(len(mesh.positions) for mesh in session.evaluator.meshes)
    print(f"{len(session.rig.skeleton)} bones, {vertices:,} vertices, view {panel.view.view_size}")
    columns = ("p50 ms", "p95 ms", "posing", "drawing", "interface", "calls", "vertices")
    widths = (7, 7, 7, 8, 10, 6, 9)
    print(f"{'scene':38} " + " ".join(f"{c:>{w}}" for c, w in zip(columns, widths, strict=True)))
    for title, ghosts, bones in (
        ("bone drag", False, ("upper_arm_l",)),
        ("bone drag, trails of 10 bones", False, TRAIL_BONES),
        ("bone drag, ghosts ±5", True, ("upper_arm_l",)),
        ("bone drag, ghosts ±5, trails of 10", True, TRAIL_BONES),
    ):
        session.switches.set("ghosts", ghosts)
        session.switches.set("trails", len(bones) > 1)
        session.selection.select([*(b for b in bones if b != "upper_arm_l"), "upper_arm_l"])
        user.settle()
        measure(title, stage, panel, user, frames)
    stage.close(app)


def measure(title: str, stage: object, panel: object, user: object, frames: int) -> None:
    """Drag a ring of the gizmo and print one row."""
    from editor.gl import camera as cameras
    from editor.gl.api import GL
    from editor.gl.gizmo import Handle, parts

    model, view = panel.model, panel.view
    posing, drawing = Clock(), Clock()
    posing.wrap(model.scene, "draw_list")
    renderer = view._renderer
    draw = renderer.draw

    def finished(*args: object, **kwargs: object) -> object:
        result = draw(*args, **kwargs)
        GL.glFinish()
        return result

    renderer.draw = finished
    drawing.wrap(renderer, "draw")
    size = view.view_size
    part = next(p for p in parts(model.gizmo(), model.camera, size) if p.handle is Handle.VIEW)
    pixel, _ = cameras.project(model.camera, part.lines[3].mean(axis=0), size)
    start = float(pixel[0]), float(pixel[1])
    user.press_mouse(view, start)
    rows = []
    for step in range(frames + 6):
        angle = 0.9 * np.sin(step / 9.0)
        at = start[0] + 70.0 * angle, start[1] + 40.0 * angle
        posing.take(), drawing.take()
        begun = time.perf_counter()
        user.move_held(at)
        whole = time.perf_counter() - begun
        if step >= 6:
            rows.append((whole, posing.take(), drawing.take()))
    user.press("Esc")
    user.release_mouse(start)
    del renderer.draw, model.scene.draw_list
    table = 1e3 * np.array(rows)
    stats = renderer.stats
    rest = np.median(table[:, 0] - table[:, 1] - table[:, 2])
    print(
        f"{title:38} {np.median(table[:, 0]):7.1f} {np.percentile(table[:, 0], 95):7.1f} {np.median(table[:, 1]):7.1f} "
        f"{np.median(table[:, 2]):8.1f} {rest:10.1f} {stats.draw_calls:6} {stats.vertices:9,}"
    )
    print(
        f"{'':38} "
        + "  ".join(f"{name} {calls}×, {count:,}" for name, (calls, count) in stats.passes.items())
    )


if __name__ == "__main__":
    main()

"""The graph canvas by injected events: drags, wires, the search, panning of big sheets; live pictures.

    python -m tests.benchmarks.bench_canvas [--edits N] [--wall]

Prints the median and the 95th percentile of each in milliseconds of the window's thread, input to
painted picture. With ``--edits`` it makes
that many random edits with a running graph instead, and undoes them all.
"""

import argparse
import os
import sys
import time
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from tests.temporary import own_folder

if sys.platform.startswith("linux"):
    os.environ.setdefault("QT_QPA_PLATFORM", "xcb")
os.environ["POSEWRIGHT_STILL"] = "1"
FOLDER = str(own_folder("bench"))
os.environ["POSEWRIGHT_CONFIG_DIR"], os.environ["POSEWRIGHT_DATA_DIR"] = f"{FOLDER}/config", f"{FOLDER}/data"

from PySide6.QtCore import QEvent, QPointF, Qt  # noqa: E402
from PySide6.QtGui import QMouseEvent  # noqa: E402
from PySide6.QtWidgets import QApplication, QWidget  # noqa: E402

from core.arrays import same_value  # noqa: E402
from core.graph.graph import Graph, Link, Node, NodeId, Sheet, SheetKind  # noqa: E402
from core.project.project import Project  # noqa: E402
from editor.model.graph.editor import GraphEditor, SearchWanted  # noqa: E402
from editor.model.graph.geometry import View  # noqa: E402
from editor.model.graph.live import LiveFrame, NothingRuns  # noqa: E402
from editor.model.graph_run.state import GraphRun  # noqa: E402
from tests.editor.model.graph.random_edits import RandomEdits  # noqa: E402
from tests.editor.panels.graph.graphs import GRAPH, graph_project  # noqa: E402
from tests.editor.stage import RIG, WALK, stage  # noqa: E402

LEFT, NONE = Qt.MouseButton.LeftButton, Qt.MouseButton.NoButton


def big_graph(count: int) -> Graph:
    """Chains of nodes, ten to a chain: a clip, then blends of two."""
    nodes, links, places = [], [], {}
    for k in range(count):
        chain, place = divmod(k, 10)
        id = NodeId(f"n-{k + 1:08x}")
        nodes.append(
            Node(id, "clip", {"clip": WALK}) if place == 0 else Node(id, "blend", {}, {"alpha": "0.5"})
        )
        places[id] = [place * 240, chain * 144]
        if place:
            links.append(Link(NodeId(f"n-{k:08x}"), id, "a"))
    output = Node(NodeId("n-0fffffff"), "output", name="Output")
    places[output.id] = [2600, 0]
    sheet = Sheet(NodeId("n-0ffffffe"), "pose", SheetKind.POSE, (*nodes, output), tuple(links))
    return Graph(GRAPH, "big", RIG, sheets=(sheet,), layout={"places": places})


def clock() -> float:
    """Seconds of work of the window's thread, whatever else the machine does; `--wall` is by the wall's clock."""
    return time.perf_counter() if "--wall" in sys.argv else time.thread_time()


class Bench:
    """One window; `measure` times a move of the pointer until its picture is painted."""

    def __init__(self, made) -> None:
        made.window.use_workspace("graph")
        made.window.show_panel("graph")
        made.window.resize(1600, 1000)
        made.user.settle()
        self.made = made
        self.editor = made.session.feature(GraphEditor)
        self.canvas = self.editor.canvas
        self.view: QWidget = made.user.find("graphCanvas")

    def load(self, count: int) -> None:
        """A graph of so many nodes."""
        project = graph_project()
        self.made.load(Project({**project.assets, GRAPH: big_graph(count)}))
        self.canvas.open(GRAPH)
        self.made.user.settle()

    def send(self, kind: QEvent.Type, at: QPointF, button: Qt.MouseButton, held: Qt.MouseButton) -> None:
        place = QPointF(self.view.mapToGlobal(at.toPoint()))
        event = QMouseEvent(kind, at, place, button, held, Qt.KeyboardModifier.NoModifier)
        QApplication.sendEvent(self.view, event)

    def drag(
        self, start: QPointF, way: tuple[float, float], button: Qt.MouseButton, steps: int = 60
    ) -> np.ndarray:
        """Milliseconds of each move of a drag."""
        self.send(QEvent.Type.MouseButtonPress, start, button, button)
        QApplication.processEvents()
        found = []
        for k in range(1, steps + 1):
            at = start + QPointF(way[0] * k / steps, way[1] * k / steps)
            began = clock()
            self.send(QEvent.Type.MouseMove, at, NONE, button)
            self.view.repaint()
            found.append((clock() - began) * 1e3)
        self.send(QEvent.Type.MouseButtonRelease, start + QPointF(*way), button, NONE)
        QApplication.processEvents()
        return np.array(found)

    def timed(self, work: Callable[[], object], times: int = 20) -> np.ndarray:
        """Milliseconds of something, with its picture."""
        found = []
        for _ in range(times):
            began = clock()
            work()
            QApplication.processEvents()
            found.append((clock() - began) * 1e3)
        return np.array(found)


def told(name: str, found: np.ndarray, target: float) -> None:
    p95 = float(np.percentile(found, 95))
    verdict = "ok" if p95 <= target else "OVER"
    print(f"{name:44s} median {np.median(found):7.2f}  p95 {p95:7.2f}  target {target:5.1f}  {verdict}")


class Weights(NothingRuns):
    """A graph whose weights and values change with every picture."""

    def __init__(self, ids: list[str]) -> None:
        super().__init__()
        self.ids, self.step = ids, 0
        self.pins = dict.fromkeys((id, "alpha") for id in ids)

    def frame(self, graph):
        phases = (np.sin(np.arange(len(self.ids)) + self.step * 0.1) * 0.5 + 0.5).tolist()
        weights = dict(zip(self.ids, phases, strict=True))
        values = {(id, "alpha"): f"{weight:.2f}" for id, weight in weights.items()}
        return LiveFrame(self.step, weights, values=values, valued=self.pins)


def measure(bench: Bench) -> None:
    bench.load(500)
    canvas, view = bench.canvas, bench.view
    middle = QPointF(view.width() / 2.0, view.height() / 2.0)
    canvas.view = View(-40.0, -40.0, 1.0)
    told("pan, 500 nodes, 100 %", bench.drag(middle, (-300, -200), Qt.MouseButton.MiddleButton), 16.7)
    canvas.fit()
    told("pan, 500 nodes, all in sight", bench.drag(middle, (-300, -200), Qt.MouseButton.MiddleButton), 16.7)
    canvas.view = View(-40.0, -40.0, 0.45)
    told("pan, 500 nodes, 45 % (texts)", bench.drag(middle, (-300, -200), Qt.MouseButton.MiddleButton), 16.7)
    told(
        "zoom, 500 nodes, 45 %",
        bench.timed(lambda: setattr(canvas, "view", canvas.view.zoomed(1.02, (300, 200)))),
        33,
    )
    canvas.view = View(-40.0, -40.0, 0.5)
    ids = list(canvas.scene.nodes)[:50]
    canvas.select(ids)
    place = canvas.scene.rect(ids[0])
    x, y = canvas.view.to_pixel((place.x + 40.0, place.y + 10.0))
    told("drag of 50 nodes of 500", bench.drag(QPointF(x, y), (160, 120), LEFT), 33)
    canvas.view = View(-40.0, -40.0, 1.0)
    x, y = canvas.view.to_pixel(canvas.scene.pin_place(ids[0], "out", True))
    told("wire preview, 500 nodes", bench.drag(QPointF(x, y), (60, 200), LEFT), 16)
    bench.made.user.press("Esc")
    opened = bench.timed(lambda: bench.editor.search_wanted.emit(SearchWanted((100.0, 100.0))))
    told("search opens, 500 nodes", opened, 50)
    bench.made.user.press("Esc")
    bench.load(3000)
    canvas.fit()
    told(
        "pan, 3,000 nodes, all in sight", bench.drag(middle, (-200, -150), Qt.MouseButton.MiddleButton), 33.3
    )
    canvas.view = View(-40.0, -40.0, 0.5)
    told("pan, 3,000 nodes, 50 %", bench.drag(middle, (-300, -400), Qt.MouseButton.MiddleButton), 33.3)
    canvas.fit()
    told("whole picture, 3,000 nodes", bench.timed(lambda: (bench.view.raster.drop(), view.repaint())), 100)
    bench.load(300)
    live_pictures(bench, 0.5, "300 nodes, 50 %")
    live_pictures(bench, 0.6, "300 nodes, 60 %, with values")
    bench.view.setFocus()
    bench.made.window.maximise()  # the canvas has the whole window: the most that can be in sight
    bench.made.user.settle()
    live_pictures(bench, 0.3, "300 nodes, 30 %")


def live_pictures(bench: Bench, zoom: float, what: str) -> None:
    """What a picture of a running graph costs beside the same picture of one that does not run.

    The run's own frame is made before the clock starts: another part of the program makes it.
    """
    canvas, view = bench.canvas, bench.view
    canvas.show_live(NothingRuns())
    canvas.view = View(-40.0, -40.0, zoom)
    view.repaint()
    still = bench.timed(view.repaint, 60)
    live = Weights(list(canvas.scene.nodes))
    frames: dict[int, LiveFrame] = {}
    for step in range(1, 122):
        live.step = step
        frames[step] = live.frame(GRAPH)
    live.frame = lambda graph: frames[live.step]
    live.step = 1
    canvas.show_live(live)

    def picture() -> None:
        live.step += 1
        view.repaint()

    bench.timed(picture, 60)
    running = bench.timed(picture, 60)
    shown = len(canvas.scene.seen(canvas.view.seen(canvas.size)))
    told(f"a live picture, {what} (whole repaint)", running, 16.7)
    share = np.median(running) - np.median(still)
    print(f"{f'  of which live, {shown} nodes in sight':44s} median {share:7.2f}  target   2.0")


def random_edits(bench: Bench, count: int) -> None:
    project = graph_project()
    bench.made.load(project)
    bench.canvas.open(GRAPH)
    edits, run = RandomEdits(bench.made.session, 1), bench.made.session.feature(GraphRun)
    began = clock()
    for k in range(count):
        edits.one()
        if k % 20 == 0:
            run.start()
            QApplication.processEvents()
    bench.made.session.go_to(0)
    same = same_value(bench.made.session.document.project, project)
    took = clock() - began
    print(
        f"{count} random edits, {edits.refused} refused in words, {took:.1f} s; undo {'exact' if same else 'WRONG'}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--edits", type=int, default=0)
    parser.add_argument("--wall", action="store_true", help="time by the wall's clock")
    options = parser.parse_args()
    app = QApplication([])
    with stage(app, "graph", project=graph_project) as made:
        bench = Bench(made)
        if options.edits:
            random_edits(bench, options.edits)
        else:
            measure(bench)
            bench.made.load(replace(graph_project()))


if __name__ == "__main__":
    main()

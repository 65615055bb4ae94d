"""Every interaction of the window that must be quick, by injected mouse and key events, beside what it may cost.

    xvfb-run -s "-screen 0 1280x720x24 +extension GLX" python -m tests.benchmarks.bench_latency [--only WORD] [--parts]

The clip is 65 bones × 9 cubic channels × 4,000 frames (2.3 million keys); then the same with 10,000 frames. Times
run from the input to the end of its picture (`tests.benchmarks.hand`); "own" is what the window's thread worked of
the median, which other programs disturb less. "longest turn" is the longest time that the
window's thread did not look at its queue. With `--parts` each row is followed by the milliseconds of each part of the
program (`tests.benchmarks.parts`). Nothing is asserted.
"""

# ruff: noqa: E402
import argparse
import gc
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from tests.temporary import own_folder

os.environ.setdefault("QT_QPA_PLATFORM", "xcb")
FOLDER = str(own_folder("bench"))
os.environ["POSEWRIGHT_CONFIG_DIR"] = os.environ["POSEWRIGHT_DATA_DIR"] = FOLDER

import numpy as np
from PySide6.QtCore import QPointF, QRect, Qt
from PySide6.QtWidgets import QApplication, QTreeView, QWidget

from tests.benchmarks.hand import MIDDLE, Hand, Pictures, Spent, swing
from tests.benchmarks.parts import PARTS, Parts

CTRL, PLAIN = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.NoModifier
SIZE = (1280, 720)


class Table:
    """Prints rows as they come.

    Parameters
    ----------
    only : print (and let measure) only rows whose name holds it
    """

    def __init__(self, only: str = "") -> None:
        self.only = only
        columns = f"{'p50':>7}{'p95':>8}{'max':>8}{'own':>7}   {'target':>6} {'fails':>6}"
        print(f"{'interaction, ms':52}{columns}  longest turn")

    def row(
        self, name: str, spent: Sequence[Spent], target: float, fails: float, longest: float = 0.0
    ) -> None:
        """One row; times in milliseconds, those over a limit marked."""
        seconds = [one.wall for one in spent]
        p50, p95, most = (
            float(f(seconds)) * 1e3 for f in (np.median, lambda s: np.percentile(s, 95), np.max)
        )
        own = float(np.median([one.own for one in spent])) * 1e3
        parts = _by_parts(spent)
        judged = p95 if len(seconds) > 4 else p50
        mark = " FAILS" if judged > fails else " slow" if judged > target else ""
        print(
            f"{name:52}{p50:7.1f}{p95:8.1f}{most:8.1f}{own:7.1f}   {target:6g} {fails:6g}  {longest * 1e3:8.0f}{mark}",
            flush=True,
        )
        if parts:
            print(f"      {parts}", flush=True)


def _by_parts(spent: Sequence[Spent]) -> str:
    """Median milliseconds of each part that took some, "" where parts are not watched."""
    watched = [one.parts for one in spent if one.parts is not None]
    means = (
        {part: float(np.median([one.get(part, 0.0) for one in watched])) * 1e3 for part in PARTS}
        if watched
        else {}
    )
    return " · ".join(f"{part} {value:.1f}" for part, value in means.items() if value >= 0.05)


class Bench:
    """The window on a project, a hand, and where things are in it."""

    def __init__(self, app: QApplication, table: Table, moves: int, parts: Parts | None = None) -> None:
        from editor.gl.viewport_widget import ViewportWidget
        from editor.panels.blend_space.plot import SpacePlot
        from editor.panels.bone_tree.widget import BoneView
        from editor.panels.clips.list_view import ClipView
        from editor.panels.curves.plot import PlotView
        from editor.panels.curves.widget import CurvesPanel
        from editor.panels.timeline.track_view import TrackView
        from editor.panels.viewport.widget import ViewportPanel
        from editor.shell.panels import panel_specs
        from tests.editor.stage import Stage

        painted = Pictures()
        painted.watch("view", ViewportWidget, "paintEvent")
        painted.watch("curves", PlotView, "paintEvent")
        painted.watch("timeline", TrackView, "paintEvent")
        painted.watch("blend", SpacePlot, "paintEvent")
        painted.watch("clips", ClipView, "paintEvent")
        self.app, self.table, self.moves = app, table, moves
        self.stage = Stage(app, tuple(spec.id for spec in panel_specs()), None, "dark")
        self.window, self.session = self.stage.window, self.stage.session
        self.window.resize(*SIZE)
        self.hand = Hand(self.window, painted, parts)
        self.kinds: dict[str, type] = {
            "view": ViewportPanel, "curves": CurvesPanel, "timeline": TrackView, "blend": SpacePlot, "tree": BoneView,
            "clips": ClipView,
        }  # fmt: skip
        self.hand.rest(0.3)
        gc.freeze()  # as the program does once it has started

    def find(self, what: str) -> QWidget:
        """A widget by its kind, the one in sight."""
        return next(w for w in self.window.findChildren(self.kinds[what]) if w.isVisible())

    def show(self, workspace: str, panel: str = "") -> None:
        """Go to a workspace, and bring a panel to the front."""
        self.window.use_workspace(workspace)
        if panel:
            self.window.show_panel(panel)
        self.hand.rest(0.2)

    def load(self, project: object, clip: str = "") -> None:
        """Open a project."""
        self.stage.load(project)
        if clip:
            self.session.playback.set_clip(self.session.document.project.clip_named(clip).id)
        self.hand.rest(0.3)
        gc.collect()

    def select(self, *bones: str) -> None:
        """Select bones, without a hand."""
        self.session.selection.select(bones)
        self.hand.rest(0.05)

    @contextmanager
    def rows(self, word: str) -> Iterator[Callable[..., None]]:
        """Rows of one kind; noted with the longest turn since the last."""
        self.hand.longest = 0.0

        def note(name: str, seconds: Sequence[Spent], target: float, fails: float) -> None:
            self.table.row(name, seconds, target, fails, self.hand.longest)
            self.hand.longest = 0.0

        yield note

    def wanted(self, name: str) -> bool:
        """Whether a group of rows is asked for."""
        return self.table.only in name


# ---------------------------------------------------------------- viewport
def gizmo_places(panel: object, count: int) -> list[QPointF]:
    """Places of a drag of the gizmo's outer ring."""
    from editor.gl import camera as cameras
    from editor.gl.gizmo import Handle, parts

    model, size = panel.model, panel.view.view_size
    part = next(p for p in parts(model.gizmo(), model.camera, size) if p.handle is Handle.VIEW)
    pixel, _ = cameras.project(model.camera, part.lines[3].mean(axis=0), size)
    return swing(QPointF(float(pixel[0]), float(pixel[1])), count, 60.0, 40.0)


def bone_drag(bench: Bench, bone: str, name: str) -> None:
    """Turn a bone by the gizmo, let go, undo."""
    bench.session.playback.seek(8 / 30)
    bench.select(bone)
    panel, hand = bench.find("view"), bench.hand
    hand.over(panel.view, QPointF(30, 60))
    hand.key(Qt.Key.Key_E)
    hand.rest(0.2)
    places = gizmo_places(panel, bench.moves + 4)
    with bench.rows("drag") as note:
        note(f"drag of a bone{name}", hand.drag(panel.view, places, "view"), 33, 60)
        note(
            f"  letting go{name}", [hand.timed(lambda: hand.release(panel.view, places[-1]), "view")], 50, 100
        )
        hand.rest(0.1)
        note(f"  undo of it{name}", [hand.struck(Qt.Key.Key_Z, CTRL, "view")], 16, 250)


def scrub(bench: Bench, name: str) -> None:
    """Scrub along the ruler, to another frame with each move."""
    from editor.panels.timeline.widget import TimelinePanel

    hand, tracks = bench.hand, bench.find("timeline")
    model = next(p.model for p in bench.window.findChildren(TimelinePanel) if p.isAncestorOf(tracks))
    frames, rate = round(bench.session.clip.frames), bench.session.clip.rate
    pace = max(1, round(frames * 4 / model.view.axis.width))
    half = max(1, min(frames // 2, 12 * pace))
    numbers = [frames // 2 + round(pace * n) % (2 * half) - half for n in range(bench.moves + 4)]
    places = [QPointF(round(model.view.view_x(rate.to_seconds(n))), 12.0) for n in numbers]
    with bench.rows("scrub") as note:
        note(f"scrub{name}", hand.drag(tracks, places, "view"), 33, 60)
    hand.release(tracks, places[-1])
    hand.rest()


# ---------------------------------------------------------------- curves
def pan_and_zoom(bench: Bench, name: str, target: float, fails: float) -> None:
    """Pan by the middle button, zoom by the wheel."""
    hand, panel = bench.hand, bench.find("curves")
    canvas, model = panel.plot.viewport(), panel.model
    middle = panel.plot.view_place(model.view.axis.width / 2, model.view.values.height / 2)
    places = swing(middle, bench.moves + 4, 80.0, 40.0)
    with bench.rows("pan") as note:
        note(f"pan {name}", hand.drag(canvas, places, "curves", MIDDLE), target, fails)
        hand.release(canvas, places[-1], MIDDLE)
        hand.over(canvas, middle)
        steps = [1.0 if n % 12 < 6 else -1.0 for n in range(bench.moves)]
        note(
            f"zoom {name}",
            [hand.timed(lambda s=s: hand.wheel(canvas, middle, s), "curves") for s in steps],
            target,
            fails,
        )
    model.view.fit_all()
    hand.rest()


def select_bones(bench: Bench, name: str) -> None:
    """Click bones in the tree; their curves are shown."""
    hand, tree = bench.hand, bench.find("tree")
    rows = visible_rows(tree)[1:]
    spent: list[Spent] = []
    with bench.rows("select") as note:
        for rect in rows * 5:
            place = QPointF(rect.left() + 40, rect.center().y())
            hand.over(tree.viewport(), place)
            spent.append(hand.timed(lambda place=place: click(hand, tree.viewport(), place), "curves"))
        note(f"select a bone → curves shown{name}", spent[2:], 50, 150)


def click(hand: Hand, widget: QWidget, place: QPointF) -> None:
    """Press and release."""
    hand.press(widget, place)
    hand.release(widget, place)


def visible_rows(tree: QTreeView) -> list[QRect]:
    """Where the rows in sight are, from the top on."""
    inside, found = tree.viewport().rect(), []
    index = tree.indexAt(inside.topLeft())
    while index.isValid() and inside.contains(tree.visualRect(index).center()):
        found.append(tree.visualRect(index))
        index = tree.indexBelow(index)
    return found


def key_drags(bench: Bench) -> None:
    """One key and one handle of a bone's nine curves."""
    from core.clips.clip import Channel, Property
    from editor.tools.curves.lanes import Lane

    hand, panel = bench.hand, bench.find("curves")
    canvas, model = panel.plot.viewport(), panel.model
    bone = bench.session.selection.active
    channel = Channel(bone, Property.ROTATE, 0)
    model.view.set_axes(model.view.axis.fitted(40.0, 42.0), model.view.values)
    hand.rest()
    key = 41 * 30
    place = key_place(panel, Lane(channel), key)
    places = swing(place, bench.moves + 4, 50.0, 60.0)
    with bench.rows("key") as note:
        note("drag of a key", hand.drag(canvas, places, "curves"), 33, 60)
        note("  letting go", [hand.timed(lambda: hand.release(canvas, places[-1]), "curves")], 50, 100)
        hand.rest()
        note("  undo of it", [hand.struck(Qt.Key.Key_Z, CTRL, "curves")], 16, 250)
        handle = next(h for h in model.view.handles() if h.side > 0)
        places = swing(panel.plot.view_place(*handle.place), bench.moves + 4, 10.0, 60.0)
        note("drag of a tangent handle", hand.drag(canvas, places, "curves"), 33, 60)
        note("  letting go", [hand.timed(lambda: hand.release(canvas, places[-1]), "curves")], 50, 100)
        hand.key(Qt.Key.Key_Z, CTRL)
    model.view.fit_all()
    hand.rest()


def key_place(panel: object, lane: object, key: int) -> QPointF:
    """Where a key is in the plot."""
    curve = panel.model.lanes.curve(lane)
    xs, ys = panel.model.view.key_places(curve, np.array([key]))
    return panel.plot.view_place(float(xs[0]), float(ys[0]))


def many_keys(bench: Bench, frames: int) -> None:
    """Catch 100,000 keys of all curves in a box, move them, undo; then every key there is."""
    hand, panel, session = bench.hand, bench.find("curves"), bench.session
    canvas, model, moves = panel.plot.viewport(), panel.model, max(bench.moves // 2, 8)
    bench.select()
    model.view.fit_all()
    hand.rest()
    first, last = model.view.axis.x((500 - 0.5) / 30), model.view.axis.x((671 - 0.5) / 30)
    corner, end = (
        panel.plot.view_place(first, 2.0),
        panel.plot.view_place(last, model.view.values.height - 2.0),
    )
    with bench.rows("box") as note:
        hand.drag(canvas, [corner, *swing(end, 6, 3.0, 3.0), end], "curves")
        spent = hand.timed(lambda: hand.release(canvas, end), "curves")
        count = sum(len(k) for k in session.selection.keys.values())
        note(f"box-select {count:,} keys of 585 curves", [spent], 100, 500)
        dragged(bench, panel, f"{count:,} keys of 585 curves", moves, 600)
        hand.over(canvas, corner)
        hand.key(Qt.Key.Key_A, CTRL)
        hand.rest()
        count = sum(len(k) for k in session.selection.keys.values())
        dragged(bench, panel, f"all {count:,} keys", moves, 600)
        note_whole = [hand.struck(Qt.Key.Key_Delete, PLAIN, "curves")]
        note(f"delete all {count:,} keys", note_whole, 100, 250)
        note(
            "undo of that: the whole clip",
            [hand.struck(Qt.Key.Key_Z, CTRL, "curves")],
            100,
            250,
        )
    session.selection.select_keys({})
    hand.rest()


def dragged(bench: Bench, panel: object, what: str, moves: int, key: int) -> None:
    """Move the selected keys by one of them, let go, undo."""
    hand, model, canvas = bench.hand, panel.model, panel.plot.viewport()
    lane = next(iter(model.lanes.bright()))
    places = swing(key_place(panel, lane, key), moves + 4, 60.0, 40.0)
    with bench.rows("many") as note:
        note(f"drag {what}", hand.drag(canvas, places, "curves"), 33, 60)
        note("  letting go", [hand.timed(lambda: hand.release(canvas, places[-1]), "curves")], 50, 100)
        hand.rest(0.3)
        note("  undo of it", [hand.struck(Qt.Key.Key_Z, CTRL, "curves")], 100, 250)
        hand.rest(0.3)


# ---------------------------------------------------------------- blend space
def blend_point(bench: Bench) -> None:
    """Drag the point of the sample's locomotion."""
    hand, plot = bench.hand, bench.find("blend")
    frame = plot.frame()
    middle = QPointF(frame.left + frame.width * 0.55, frame.top + frame.height * 0.45)
    places = swing(middle, bench.moves + 4, frame.width * 0.3, frame.height * 0.3)
    with bench.rows("blend") as note:
        spent = hand.drag(plot, places, "view")
        note("drag of a blend point (9 clips, 15,576 vertices)", spent, 33, 60)
    hand.release(plot, places[-1])
    hand.rest()


# ---------------------------------------------------------------- opening, saving, many
def opened(bench: Bench, path: Path, name: str, target: float, fails: float) -> None:
    """Open a file through the window; parsing alone is told beside it."""
    import core.io

    hand, window = bench.hand, bench.window
    parsing = float("inf")
    for _ in range(3):
        start = time.perf_counter()
        core.io.load(path)
        parsing = min(parsing, time.perf_counter() - start)
    gc.collect()
    bench.session.document.replace(type(bench.session.document.project)(), None)
    hand.rest(0.2)
    with bench.rows("open") as note:
        hand.longest = 0.0
        there = bench.session.document
        whole = hand.timed(
            lambda: window.documents.open(path), "curves", "view", done=lambda: bool(there.project.clips)
        )
        hand.rest(0.3)
        note(f"open {name}", [whole], target, fails)
        beyond = (whole.wall - parsing) * 1e3
        print(f"{'  of which parsing alone':52}{parsing * 1e3:7.1f}{'':23}   beyond it {beyond:.0f} ms")


def memory() -> str:
    """Resident size now and at most, in MB."""
    with open("/proc/self/statm") as file:
        now = int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20
    return f"{now:.0f} MB now, {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB at most"


def many_clips(bench: Bench) -> None:
    """Two hundred clips: scroll the list, switch, edit, save."""
    from tests.big_documents import big_project

    hand, session = bench.hand, bench.session
    bench.show("pose", "clips")
    bench.load(big_project(65, 300, 200, 3, 1))
    view = bench.find("clips")
    middle = QPointF(view.width() / 2, view.height() / 2)
    with bench.rows("clips") as note:
        hand.over(view.viewport(), middle)
        steps = [-1.0] * 10 + [1.0] * 9
        turns = [hand.timed(lambda s=s: hand.wheel(view.viewport(), middle, s), "clips") for s in steps]
        bench.session.playback.set_clip(session.document.project.clips[0].id)
        note("200 clips: scroll their list", turns, 16, 60)
        spent = []
        for n in range(8):
            place = QPointF(60, 36 - 24 * (n % 2))
            hand.over(view.viewport(), place)
            spent.append(
                hand.timed(lambda place=place: click(hand, view.viewport(), place), "view", "timeline")
            )
            hand.rest(0.4)  # no double clicks
        note("200 clips: switch to another", spent[1:], 50, 100)
    bone_drag(bench, "limb_0_04", ", 200 clips")
    with bench.rows("save") as note:
        start, worked = time.perf_counter(), time.thread_time()
        session.files.save(Path(FOLDER) / "many.posewright")
        hand.until(lambda: not session.files.saving, "the file", 1e-3)
        note(
            "200 clips: save (in the background)",
            [Spent(time.perf_counter() - start, time.thread_time() - worked)],
            5000,
            10000,
        )


def large_rig(bench: Bench) -> None:
    """Three hundred bones."""
    from tests.big_documents import big_project

    bench.show("pose", "timeline")
    bench.load(big_project(300, 600, 1, 2, 1))
    bench.session.switches.set("trails", True)
    bone_drag(bench, "limb_0_20", ", 300 bones, a trail")
    bench.session.switches.set("trails", False)
    scrub(bench, ", 300 bones")
    panel, hand = bench.find("view"), bench.hand
    places = swing(QPointF(panel.view.width() / 2, panel.view.height() / 2), bench.moves, 150.0, 100.0)
    with bench.rows("hover") as note:
        spent = []
        for place in places:
            start, worked = time.perf_counter(), time.thread_time()
            hand.over(panel.view, place)
            spent.append(Spent(time.perf_counter() - start, time.thread_time() - worked))
        note("hover over bones (picking), 300 bones", spent, 33, 60)
        tree = bench.find("tree")
        spent = []
        for row in range(5):
            rect = visible_rows(tree)[row]  # choosing one may scroll the tree
            place = QPointF(rect.left() + 6, rect.center().y())
            bench.session.selection.clear()  # a click on what is selected draws nothing anew
            hand.rest(0.4)  # no double clicks
            spent.append(hand.timed(lambda place=place: click(hand, tree.viewport(), place), "view"))
        note("select a bone in the tree, 300 bones", spent, 50, 150)


def file_scene(bench: Bench, path: Path) -> None:
    """Any file with a character and a clip: a bone deep in it is posed, and its curves are shown."""
    import core.io

    project = core.io.load(path).project
    clip = max(project.clips, key=lambda clip: len(clip.tracks))
    skeleton = next(rig for rig in project.rigs if rig.id == clip.rig).skeleton
    keyed = {channel.bone for channel in clip.tracks if channel.is_bone} & set(skeleton.names)
    depth = [0] * len(skeleton)
    for bone, parent in enumerate(skeleton.parents.tolist()):
        depth[bone] = depth[parent] + 1 if parent >= 0 else 0
    bone = max(
        sorted(keyed), key=lambda name: (depth[skeleton.index(name)] <= 6, depth[skeleton.index(name)])
    )
    name = f", {path.name}: {len(skeleton)} bones"
    bench.show("pose", "timeline")
    bench.load(project, clip.name)
    bone_drag(bench, bone, name)
    scrub(bench, name)
    bench.show("curves")
    select_bones(bench, name)
    bench.select(bone)
    pan_and_zoom(bench, f"the curves of {bone}{name}", 16, 60)


# ---------------------------------------------------------------- all of it
def sample_scenes(bench: Bench) -> None:
    """The sample character: bones, ghosts, blend space."""
    from dataclasses import replace

    from core.io.native.read import read
    from core.progress import Progress
    from editor.model.opening import sample_path
    from tests.big_documents import finer_mesh

    project = read(sample_path(), Progress()).project
    bench.show("pose", "timeline")
    bench.load(project, "walk")
    bone_drag(bench, "upper_arm_l", ", 15,576 vertices")
    mesh = project.meshes_of(project.rigs[0].id)[0]
    bench.load(replace(project, assets={**project.assets, mesh.id: finer_mesh(mesh, 20_000)}), "walk")
    bench.session.switches.set("ghosts", True)
    bench.hand.rest(0.2)
    scrub(bench, " with ±5 ghosts, 20,000 vertices")
    bench.session.switches.set("ghosts", False)
    bench.load(project, "walk")
    bench.show("blend", "blend_space")
    blend_point(bench)


def big_scenes(bench: Bench, frames: int, short: bool) -> None:
    """The long clip."""
    from tests.big_documents import big_project

    name = f", {frames:,} frames"
    path = Path(FOLDER) / f"big{frames}.posewright"
    import core.io

    core.io.save(big_project(65, frames), path)
    bench.show("curves")
    opened(bench, path, f"65 bones × 9 channels × {frames:,} frames", 500, 2000)
    print(f"{'memory with that clip open':56}{memory():>40}   target 450 MB, fails 1 GB")
    select_bones(bench, name)
    bench.select("limb_0_04")
    bench.find("curves").model.view.fit_all()
    pan_and_zoom(bench, f"9 curves × {frames:,} keys", 16, 60)
    if not short:
        key_drags(bench)
    bench.select()
    pan_and_zoom(bench, f"585 curves × {frames:,} keys", 50, 60)
    many_keys(bench, frames)
    bone_drag(bench, "limb_0_04", name)
    scrub(bench, name)


def bvh_scene(bench: Bench) -> None:
    """A long BVH."""
    path = Path(FOLDER) / "big10000.bvh"
    command = [sys.executable, "-m", "tests.big_documents", str(path), "--frames", "10000"]
    subprocess.run(command, check=True)
    bench.show("curves")
    opened(bench, path, "BVH, 65 bones, 10,000 frames", 1500, 3000)
    print(f"{'memory with that clip open':56}{memory():>40}")


def main() -> None:
    """Read the options and print the table."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument(
        "--only", default="", help="some of sample, big, huge, bvh, clips, rig, with commas between"
    )
    options.add_argument(
        "--open", type=Path, help="a file whose character and clip are measured in place of all"
    )
    options.add_argument("--moves", type=int, default=40)
    options.add_argument("--parts", action="store_true", help="milliseconds of each part of the program, too")
    given = options.parse_args()
    parts = Parts() if given.parts else None
    if parts is not None:
        parts.watch()
    from core.math import kernels
    from editor.model.preferences import Preferences
    from editor.shell.start import prepare

    # What the program does in the background on its very first start; later starts find it done.
    subprocess.run([sys.executable, "-m", "core.math.warm"], check=False)
    prepare(Preferences())
    kernels.load()  # what they cost in the background of a start `bench_start` tells
    app = QApplication(sys.argv[:1])
    app.setQuitOnLastWindowClosed(False)
    bench = Bench(app, Table(), given.moves, parts)
    scenes: dict[str, Callable[[], None]] = {
        "sample": lambda: sample_scenes(bench),
        "big": lambda: big_scenes(bench, 4000, short=False),
        "huge": lambda: big_scenes(bench, 10_000, short=True),
        "bvh": lambda: bvh_scene(bench),
        "clips": lambda: many_clips(bench),
        "rig": lambda: large_rig(bench),
    }
    if given.open is not None:
        scenes = {given.open.name: lambda: file_scene(bench, given.open)}
    for name, scene in scenes.items():
        if not given.only or name in given.only.split(","):
            print(f"-- {name}", flush=True)
            scene()
    bench.stage.close()


if __name__ == "__main__":
    main()

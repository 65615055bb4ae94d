"""What the canvas shows of a run, its grid, and its small map: painted after each thing that happens, as approved."""

from collections.abc import Callable
from types import SimpleNamespace

import pytest
from PySide6.QtCore import QEvent, QPoint

from core.ids import AssetId
from editor.model.events import Event
from editor.model.graph.geometry import View
from editor.model.graph.live import LiveFrame, LiveMachine, LiveTransition
from editor.panels.graph import live_overlay
from tests.editor.panels.graph.graphs import (
    BACK,
    BLEND,
    CLIP_A,
    CLIP_B,
    GO,
    GRAPH,
    IDLE,
    MACHINE,
    OUTPUT,
    POSES,
    STATES,
    WALKING,
)
from tests.editor.portraits import approved, pointer
from tests.editor.portraits.canvas_hands import MIRROR, NOTE, AtCanvas, canvas
from tests.editor.portraits.in_hand import otherwise

MOST = 18
"""So many lines of a picture are told, of more only how many there are."""
INSIDE = tuple(f"paint_nodes.{name}:" for name in ("_sprite", "_node", "_state", "pin", "_input", "_choice"))
"""What is painted inside of a node is told in its own portrait."""
KEPT = ("raster.", "paint_nodes.", "paint_wires.", "view.")
"""What these painted before is still there: they paint only what came into sight."""


class Run:
    """A run that is at whatever it is told to be."""

    def __init__(self) -> None:
        self.changed: Event[None] = Event()
        self.breaks: frozenset[str] = frozenset()
        self.now: LiveFrame | None = None

    def frame(self, graph: AssetId) -> LiveFrame | None:
        return self.now if graph == GRAPH else None

    def value(self, graph: AssetId, text: str, machine: str = "") -> str:
        return "0.5" if self.now is not None else ""

    def show(self, frame: LiveFrame | None) -> None:
        self.now = frame
        self.changed.emit(None)

    def stop_at(self, *ids: str) -> None:
        self.breaks = frozenset(ids)
        self.changed.emit(None)


class Watched:
    """Tells what the canvas paints by itself after each thing that happens, and what of it is other than before."""

    def __init__(self, here: AtCanvas, patch: pytest.MonkeyPatch) -> None:
        self.here, self.run, self.clock = here, Run(), 100.0
        patch.setattr(live_overlay, "time", SimpleNamespace(monotonic=lambda: self.clock))
        here.canvas.show_live(self.run)
        self.here.settle()
        self.before = here.log.taken()

    def do(self, what: str, deed: Callable[[], object]) -> None:
        here = self.here
        here.log.taken()
        deed()
        here.hands.settle()
        now = [line for line in here.log.taken() if not line.startswith(INSIDE)]
        found = [
            line for line in otherwise(self.before, now) if not line.startswith(tuple(f"- {k}" for k in KEPT))
        ]
        view, late = here.canvas.view, " values come later" if here.widget._late.isActive() else ""
        if late:
            here.widget._late.stop()
        here.lines.append(
            f"{what}: {'' if now else 'paints nothing '}{view.x:.0f} {view.y:.0f} {view.zoom:.2f}{late}"
        )
        here.lines.extend(f"    {line}" for line in found[:MOST])
        here.lines.extend([f"    … {len(found)} lines"] if len(found) > MOST else [])
        if now:
            self.before = now

    def later(self, seconds: float, frame: LiveFrame) -> Callable[[], None]:
        """A picture of the run that comes after a time."""

        def deed() -> None:
            self.clock += seconds
            self.run.show(frame)

        return deed


WEIGHTS = {CLIP_A: 1.0, CLIP_B: 0.0, BLEND: 0.25, OUTPUT: 1.0, MIRROR: 1e-4}
VALUES = {
    (BLEND, "alpha"): "0.25",
    (MIRROR, "on"): "true",
    (CLIP_A, "out"): "1234567890",
    (OUTPUT, "pose"): "",
}


def poses(seen: Watched) -> None:
    """Wires by their weight, what has none, values, events, break points."""
    here, show = seen.here, seen.run.show
    seen.do("it runs", lambda: show(LiveFrame(1)))
    seen.do("weights", lambda: show(LiveFrame(2, WEIGHTS)))
    seen.do("others", lambda: show(LiveFrame(3, {**WEIGHTS, CLIP_A: 0.04, CLIP_B: 0.96, BLEND: 1e-6})))
    seen.do("the same step", lambda: show(LiveFrame(3, WEIGHTS)))
    seen.do("values", seen.later(1.0, LiveFrame(4, values=VALUES, valued=VALUES)))
    other = {**VALUES, (BLEND, "alpha"): "0.75", (MIRROR, "on"): "false"}
    seen.do("another value, too soon", seen.later(0.05, LiveFrame(5, values=other, valued=VALUES)))
    seen.do("a moment later", seen.later(0.06, LiveFrame(6, values=other, valued=VALUES)))
    for age in (0.0, 0.5, 1.0):
        seen.do(f"an event {age:g} s ago", seen.later(1.0, LiveFrame(int(7 + 2 * age), flashes={BLEND: age})))
    seen.do("values far away", lambda: setattr(here.canvas, "view", View(-120.0, -60.0, 0.5)))
    seen.do("are not written", seen.later(1.0, LiveFrame(20, values=VALUES, valued=VALUES)))
    seen.do("near again", lambda: setattr(here.canvas, "view", View(-120.0, -60.0, 1.0)))
    seen.do("a break point", lambda: seen.run.stop_at(BLEND))
    seen.do("a node under the pointer", lambda: pointer.hover(here.widget, here.title(BLEND)))
    seen.do("the light theme", lambda: here.stage.theme.use("light"))
    seen.do("the dark theme", lambda: here.stage.theme.use("dark"))
    seen.do("no break point", lambda: seen.run.stop_at())
    seen.do("it runs no more", lambda: show(None))


def machine(seen: Watched) -> None:
    """The state it is in, for how long, and the transitions under way and just over."""
    here, show = seen.here, seen.run.show

    def frame(step: int, active: str, seconds: float, *running: tuple[str, float]) -> LiveFrame:
        told = LiveMachine(active, seconds, tuple(LiveTransition(*each) for each in running))
        return LiveFrame(step, {IDLE: float(active == IDLE), WALKING: float(active != IDLE)}, {STATES: told})

    seen.do("the machine", lambda: here.canvas.open(GRAPH, STATES))
    here.canvas.view = View(-60.0, -120.0, 1.0)
    seen.do("before it began", lambda: show(frame(30, "", 0.0)))
    seen.do("idle", lambda: show(frame(31, IDLE, 1.26)))
    for step, share in ((40, 0.0), (45, 0.5), (50, 1.0)):
        seen.do(f"goes on, {share:g}", lambda s=step, p=share: show(frame(s, IDLE, 2.0, (GO, p))))
    seen.do("arrived", lambda: show(frame(51, WALKING, 0.02)))
    seen.do("a while later", lambda: show(frame(80, WALKING, 0.5)))
    seen.do("long after", lambda: show(frame(96, WALKING, 1.0)))
    seen.do("both", lambda: show(frame(97, WALKING, 1.0, (GO, 0.9), (BACK, 0.25))))
    seen.do("from the beginning", lambda: show(frame(1, IDLE, 0.0)))
    seen.do("a state selected", lambda: here.canvas.select([WALKING]))
    seen.do("none", lambda: here.canvas.select([]))
    seen.do("break points", lambda: seen.run.stop_at(GO, IDLE))
    seen.do("far away", lambda: setattr(here.canvas, "view", View(-60.0, -120.0, 0.5)))
    seen.do("another machine runs", lambda: show(LiveFrame(200, machines={MACHINE: LiveMachine(IDLE, 1.0)})))
    seen.do("nothing runs", lambda: (seen.run.stop_at(), show(None)))


def grid(seen: Watched) -> None:
    """The grid and what comes into sight, at each size and when the sheet is moved."""
    here = seen.here
    seen.do("poses", lambda: here.canvas.open(GRAPH, POSES))
    for zoom in (1.0, 0.8, 0.79, 0.4, 0.2, 0.1, 2.0, 1.0):
        seen.do(f"zoom {zoom:g}", lambda z=zoom: setattr(here.canvas, "view", View(-120.0, -60.0, z)))
    for x, y in ((-100, -60), (-100, -90), (-140, -50), (-120, 4000), (-120, -60)):
        seen.do(f"moved to {x} {y}", lambda x=x, y=y: setattr(here.canvas, "view", View(x, y, 1.0)))
    seen.do("a comment selected", lambda: here.canvas.select([NOTE]))
    seen.do("nothing", lambda: here.canvas.select([]))


def small_map(seen: Watched) -> None:
    """The small map: where the view is, clicks, drags, and when it is there at all."""
    here = seen.here
    small = here.panel.map
    middle, corner = QPoint(84, 56), QPoint(20, 12)
    seen.do("a click in its middle", lambda: pointer.tap(small, middle))
    seen.do("in its corner", lambda: pointer.tap(small, corner))

    def dragged(button=pointer.LEFT) -> None:
        pointer.press(small, corner, button)
        pointer.mouse(small, QEvent.Type.MouseMove, middle, pointer.LEFT, button)
        pointer.let_go(small, middle, button)

    seen.do("a drag", dragged)
    seen.do("the pointer over it", lambda: pointer.hover(small, corner))
    seen.do("a right drag", lambda: dragged(pointer.RIGHT))
    seen.do("a node moved", lambda: here.editor.nodes.move({CLIP_A: (-400.0, 0.0)}))
    seen.do("the map is put away", lambda: here.panel.map_button.click())
    seen.do("and shown", lambda: here.panel.map_button.click())
    seen.do("light", lambda: here.stage.theme.use("light"))
    seen.do("dark", lambda: here.stage.theme.use("dark"))
    seen.do("a machine", lambda: here.canvas.open(GRAPH, STATES))
    here.stage.show(360, 400)
    here.settle()
    here.lines.append(f"small window: {'there' if small.isVisible() else 'away'}")


def told(qapp) -> list[str]:
    with pytest.MonkeyPatch.context() as patch, canvas(qapp, patch) as here:
        seen = Watched(here, patch)
        for part in (poses, machine, grid, small_map):
            here.lines.append(f"=== {part.__name__}")
            part(seen)
        return here.lines


def test_a_run_on_the_canvas_is_as_approved(qapp) -> None:
    problem = approved.problem_of("canvas-run", lambda: told(qapp))
    assert not problem, problem

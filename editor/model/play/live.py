"""What a driven character tells the canvas of its graphs: active states, weights, values, what has just happened."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from core.graph.peek import Running, machine_view, machines
from core.graph.plan import Plan
from core.ids import AssetId
from core.locomotion.character import CharacterState
from core.locomotion.fall import Phase
from core.locomotion.setup import H
from editor.model.events import Event
from editor.model.graph.canvas import CanvasNotice
from editor.model.graph.editor import GraphEditor
from editor.model.graph.live import FLASH, LiveFrame
from editor.model.graph_run.live import RunLive
from editor.model.graph_run.live_places import LivePlaces, LiveValues
from editor.model.i18n import tr
from editor.model.play.run import Run
from editor.model.play.state import Play

DRAWN = CanvasNotice(
    tr("The character moves by a graph that is drawn from its clips: add it to the document to see it live."),
    tr("Add it"),
    "play.add_graph",
)
"""What is said where the graph is none of the document."""


class _Moment:
    """The main graph in one state."""

    def __init__(self, plan: Plan, state: CharacterState) -> None:
        views = [machine_view(op, state.graph) for op in machines(plan)]
        self.active: Sequence[int] = [view.active for view in views]
        self.seconds: Sequence[float] = [view.seconds for view in views]
        self.running: Sequence[Sequence[Running]] = [view.running for view in views]
        weights = state.graph.weights  # those of its last step: the graph waits while the character is down
        standing = state.fall.phase is Phase.STANDING
        self.weights: npt.NDArray[Any] = weights if standing else np.zeros_like(weights)


class PlayLive:
    """Pictures of the step that Play shows; implements `LiveGraph`.

    Attributes
    ----------
    changed : another picture is there
    """

    def __init__(self, play: Play) -> None:
        self._play = play
        self._places: tuple[Plan, LivePlaces] | None = None
        self._count = 0
        self._frame: tuple[CharacterState, AssetId, LiveFrame] | None = None
        self.changed: Event[None] = Event()
        play.stepped.connect(lambda _: self._moved())
        play.state_changed.connect(lambda _: self._moved())

    def _moved(self) -> None:
        self._count += 1
        self.changed.emit(None)

    @property
    def breaks(self) -> frozenset[str]:
        """A driven character stops nowhere by itself."""
        return frozenset()

    @property
    def _run(self) -> Run | None:
        return self._play.run if self._play.on else None

    def frame(self, graph: AssetId) -> LiveFrame | None:
        """What a graph does at the step shown; None where it does not drive the character."""
        run, known = self._run, self._frame
        if run is None:
            return None
        state = run.state
        if known is not None and known[0] is state and known[1] == graph:
            return known[2]
        setup = run.driven.setup
        if setup.plan.graph.id == graph:
            made = self._main(run, setup.plan)
        elif setup.feet is not None and setup.feet.graph.id == graph and state.feet is not None:
            values = LiveValues(setup.feet, state.feet.registers)
            made = LiveFrame(self._count, values=values, valued=setup.feet.pins)
        else:
            return None
        self._frame = state, graph, made
        return made

    def _main(self, run: Run, plan: Plan) -> LiveFrame:
        places, moment = self._places_of(plan), _Moment(plan, run.state)
        return LiveFrame(
            self._count,
            places.weights(moment),
            places.machines_of(moment),
            LiveValues(plan, run.state.graph.registers),
            flashes(run),
            plan.pins,
        )

    def value(self, graph: AssetId, text: str, machine: str = "") -> str:
        """The present value of an expression in words; "" where the graph does not drive, or it is wrong."""
        run = self._run
        if run is None or run.driven.setup.plan.graph.id != graph or not text.strip():
            return ""
        places = self._places_of(run.driven.setup.plan)
        return places.asked(text, machine, run.driven.instance_at(run.state))

    def _places_of(self, plan: Plan) -> LivePlaces:
        if self._places is None or self._places[0] is not plan:
            self._places = (plan, LivePlaces(plan))
        return self._places[1]


def flashes(run: Run) -> dict[str, float]:
    """Node → seconds since its last event, up to `FLASH`."""
    found: dict[str, float] = {}
    first = max(run.at - round(FLASH / H), 0)
    for number in range(first, run.at + 1):
        for event in run.notes[number].events:
            since = (run.at - number + 1) * H - event.moment
            if since <= FLASH:
                found[event.node] = max(since, 0.0)
    return found


class PlayOnCanvas:
    """Has the canvas show the graph that drives the character while Play is on, and the run's at other times."""

    def __init__(self, play: Play, graph_editor: GraphEditor, graph_live: RunLive) -> None:
        self._play, self._canvas, self._run_live = play, graph_editor.canvas, graph_live
        self._live = PlayLive(play)
        self._shown: AssetId | None = None
        play.state_changed.connect(lambda _: self._follow())

    def _follow(self) -> None:
        play, canvas = self._play, self._canvas
        live = self._live if play.on else self._run_live
        if canvas.live is not live:
            canvas.show_live(live)
        plan = play.run.driven.setup.plan if play.on and play.run is not None else None
        graph = None if plan is None else plan.graph.id
        held = any(known.id == graph for known in canvas.graphs)
        canvas.say(DRAWN if plan is not None and not held else None)
        if graph != self._shown:
            self._shown = graph
            if plan is not None and graph is not None and held:
                self._open(plan, graph)

    def _open(self, plan: Plan, graph: AssetId) -> None:
        """Open it at its machine, where what the character does shows; a sheet of it that is open stays."""
        if self._canvas.state.graph != graph:
            sheets = LivePlaces(plan).machine_sheets
            self._canvas.open(graph, sheets[0] if sheets else "")

"""What the run tells the canvas: weights, active states, transitions, values, what has just happened."""

from bisect import bisect_left

from core.graph.plan import Plan
from core.ids import AssetId
from editor.model.events import Event
from editor.model.graph.live import FLASH, LiveFrame
from editor.model.graph_run.live_places import LivePlaces, LiveValues
from editor.model.graph_run.state import GraphRun
from editor.model.graph_run.take import Sample, Take


class RunLive:
    """Pictures of the run for the canvas, for the step at which it stands; implements `LiveGraph`.

    Attributes
    ----------
    changed : another picture is there
    """

    def __init__(self, graph_run: GraphRun) -> None:
        self._run = graph_run
        self._places: tuple[Plan, LivePlaces] | None = None
        self._count = 0
        self._frame: tuple[Sample, LiveFrame] | None = None
        self.changed: Event[None] = Event()
        graph_run.stepped.connect(lambda _: self._moved())
        graph_run.state_changed.connect(lambda _: self._moved())

    def _moved(self) -> None:
        self._count += 1
        self.changed.emit(None)

    @property
    def breaks(self) -> frozenset[str]:
        """Ids of what has a break point."""
        return self._run.breaks.nodes

    def frame(self, graph: AssetId) -> LiveFrame | None:
        """What a graph does at the step shown; None where it does not run."""
        take = self._run.take
        if take is None or not self._run.on or not take.at or take.plan.graph.id != graph:
            return None
        sample = take.samples[take.at - 1]
        if self._frame is not None and self._frame[0] is sample:
            return self._frame[1]
        places = self._places_of(take.plan)
        made = LiveFrame(
            self._count,
            places.weights(sample),
            places.machines_of(sample),
            LiveValues(take.plan, sample.values),
            flashes(take),
            take.plan.pins,
        )
        self._frame = (sample, made)
        return made

    def value(self, graph: AssetId, text: str, machine: str = "") -> str:
        """The present value of an expression in words; "" where nothing runs, or it is wrong."""
        take = self._run.take
        if take is None or not self._run.on or take.plan.graph.id != graph or not text.strip():
            return ""
        return self._places_of(take.plan).asked(text, machine, take.character.instance)

    def _places_of(self, plan: Plan) -> LivePlaces:
        if self._places is None or self._places[0] is not plan:
            self._places = (plan, LivePlaces(plan))
            self._frame = None
        return self._places[1]


def flashes(take: Take) -> dict[str, float]:
    """Node → seconds since its last event, up to `FLASH`."""
    now = take.samples[take.at - 1].end
    first = bisect_left(take.samples, now - FLASH, key=lambda sample: sample.end)
    found: dict[str, float] = {}
    for sample in take.samples[first : take.at]:
        for event in sample.events:
            since = now - (sample.end - sample.dt + event.moment)
            if since <= FLASH:
                found[event.node] = max(since, 0.0)
    return found

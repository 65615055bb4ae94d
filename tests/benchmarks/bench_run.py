"""What recording and live values of a running graph cost, beside the step itself.

    python -m tests.benchmarks.bench_run

A graph of 300 nodes on 65 bones: a tree of blends over players, each blend's alpha an expression. All figures are
medians of the processor's time; ratios are to a step of the library alone.
"""

from dataclasses import dataclass

from core.graph.animation import character_playing
from core.ids import AssetId
from editor.model.events import Event
from editor.model.graph_run.lanes import LaneBook
from editor.model.graph_run.live import RunLive
from editor.model.graph_run.take import Take
from tests.benchmarks.bench_graph import DT, tree
from tests.benchmarks.bench_peers import median

NODES = 300


@dataclass
class _Run:
    """As much of a run as the live picture looks at."""

    take: Take
    on: bool = True

    def __post_init__(self) -> None:
        self.stepped: Event[None] = Event()
        self.state_changed: Event[None] = Event()


def main() -> None:
    """Print the table."""
    graph, project = tree(NODES)
    alone = character_playing(graph, project)
    take = Take(graph, character_playing(graph, project))
    book, run = LaneBook(take), _Run(take)
    live = RunLive(run)  # type: ignore[arg-type]
    take.step(0.0)
    alone.step(0.0)

    def recorded() -> None:
        take.step(DT, {"speed": (len(take.steps) % 100) / 100.0})

    def shown() -> None:
        run.stepped.emit(None)
        book.grow()
        live._frame = None
        frame = live.frame(AssetId(graph.id))
        assert frame is not None
        for node in visible:
            frame.values[node]

    visible = list(take.plan.pins)[:60]
    for _ in range(5):
        recorded(), shown(), alone.step(DT)
    step = median(lambda: alone.step(DT), inner=20)
    record = median(recorded, inner=20)
    look = median(shown, inner=20)
    far = iter(range(10_000))

    def back() -> None:
        take.goto(len(take.steps) - 61 + next(far) % 2 * 58)

    goto = median(back, inner=4)
    print(f"{len(take.plan.ops)} ops, {len(take.plan.pins)} value pins")
    print(f"step of the library     {step / 1e3:7.3f} ms")
    print(f"step recorded, sampled  {record / 1e3:7.3f} ms   {record / step:5.2f} × a step")
    print(f"lanes and live picture  {look / 1e3:7.3f} ms   {look / step:5.2f} × a step (limit 2 ms)")
    print(f"go to a recorded step   {goto / 1e3:7.3f} ms   {goto / step:5.1f} × a step (limit 16 ms)")


if __name__ == "__main__":
    main()

"""Ties the run to the canvas: live pictures there, nodes pointed at by the run shown there."""

from core.graph.graph import Graph
from editor.model.graph.editor import GraphEditor
from editor.model.graph_run.live import RunLive
from editor.model.graph_run.state import GraphRun


class RunOnCanvas:
    """Shows the run on the canvas, and what its lanes point at."""

    def __init__(self, graph_run: GraphRun, graph_editor: GraphEditor, graph_live: RunLive) -> None:
        self._run, self._canvas = graph_run, graph_editor.canvas
        self._canvas.show_live(graph_live)
        graph_run.node_chosen.connect(self._show)

    def _show(self, item: str) -> None:
        take = self._run.take
        graph = None if take is None else take.plan.graph
        if (
            graph is None
            or all(graph.id != known.id for known in self._canvas.graphs)
            or not _has(graph, item)
        ):
            return  # an asset that is played has no sheet to show
        if self._canvas.graph is None or self._canvas.graph.id != graph.id:
            self._canvas.open(graph.id)
        self._canvas.show(item)

    def run_open(self) -> None:
        """Run the graph that the canvas shows, whatever the character plays."""
        graph = self._canvas.graph
        if graph is not None:
            self._run.choose(graph.id)
            self._run.start()


def _has(graph: Graph, item: str) -> bool:
    """Whether an id is of one of the graph's nodes, states, transitions or sheets."""
    return any(
        item == sheet.id
        or any(item == node.id for node in sheet.nodes)
        or any(item == transition.id for transition in sheet.transitions)
        for sheet in graph.sheets
    )

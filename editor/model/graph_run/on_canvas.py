"""Ties the run to the canvas: live pictures there, nodes pointed at by the run shown there."""

from core.errors import ValidationError
from core.graph.graph import Graph
from editor.model.graph.editor import GraphEditor
from editor.model.graph.naming import spelled
from editor.model.graph.state import PinPlace
from editor.model.graph_run.lanes import WatchedPin
from editor.model.graph_run.live import RunLive
from editor.model.graph_run.state import GraphRun
from editor.model.i18n import tr


class RunOnCanvas:
    """Shows the run on the canvas, and what its lanes point at; asks the run about what is selected there."""

    def __init__(self, graph_run: GraphRun, graph_editor: GraphEditor, graph_live: RunLive) -> None:
        self._run, self._canvas = graph_run, graph_editor.canvas
        self._canvas.show_live(graph_live)
        graph_run.node_chosen.connect(self._show)

    def _show(self, item: str) -> None:
        """Show a node, state or transition in its graph: the one that runs, one linked in it, or the one after it."""
        take = self._run.take
        if take is None:
            return
        first = take.plan.graph.id
        graphs = sorted(self._canvas.graphs, key=lambda graph: graph.id != first)
        graph = next((graph for graph in graphs if _has(graph, item)), None)
        if graph is None:
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

    # ------------------------------------------------------------ about what is selected
    @property
    def breakable(self) -> tuple[str, ...]:
        """Selected nodes, states and transitions: what a run can stop at."""
        sheet, chosen = self._canvas.sheet, self._canvas.state.selection
        if sheet is None:
            return ()
        found = [str(node.id) for node in sheet.nodes] + [str(t.id) for t in sheet.transitions]
        return tuple(id for id in found if id in chosen)

    def toggle_breaks(self) -> None:
        """Set break points at all that is selected; remove them where all have one."""
        breaks, chosen = self._run.breaks, self.breakable
        missing = [id for id in chosen if id not in breaks.nodes]
        for id in missing or chosen:
            breaks.toggle(id)

    @property
    def transition(self) -> str:
        """Id of the selected transition; "" where none is."""
        sheet, chosen = self._canvas.sheet, self._canvas.state.selection
        known = [] if sheet is None else [str(t.id) for t in sheet.transitions]
        return next((id for id in known if id in chosen), "")

    @property
    def watchable(self) -> tuple[WatchedPin, ...]:
        """What can be plotted: the value of the pin that is worked on, else the weights of the selected nodes."""
        canvas = self._canvas
        scene, pin = canvas.committed, canvas.state.pin
        if scene is None:
            return ()
        if pin is not None and pin.node in scene.nodes:
            return self._watchable_pin(pin)
        return tuple(
            WatchedPin(id, "", tr("weight of {name}", name=scene.nodes[id].title))
            for id in canvas.selected_nodes
        )

    def _watchable_pin(self, pin: PinPlace) -> tuple[WatchedPin, ...]:
        scene, graph = self._canvas.committed, self._canvas.graph
        view = None if scene is None else scene.nodes[pin.node].pin(pin.pin, pin.output)
        if scene is None or graph is None or view is None:
            return ()
        title = scene.nodes[pin.node].title
        if view.token == "pose":  # of a pose the weight: of what makes it, or of what it is wired to
            source = pin.node
            if not pin.output:
                source = next(
                    (x.source for x in scene.sheet.links if (x.target, x.pin) == (pin.node, pin.pin)), ""
                )
            if source not in scene.nodes:
                return ()
            return (WatchedPin(source, "", tr("weight of {name}", name=scene.nodes[source].title)),)
        name = "out" if pin.output else pin.pin
        return (WatchedPin(pin.node, name, f"{title}: {spelled(pin.pin)}"),)

    def watch(self) -> None:
        """Plot what can be plotted as lanes of the run; once more ends it.

        Raises
        ------
        ValidationError
            Nothing that has a value is selected.
        """
        found = self.watchable
        if not found:
            raise ValidationError(tr("Select a node or a pin that has a value or a weight"))
        for pin in found:
            self._run.deck.watch(pin)


def _has(graph: Graph, item: str) -> bool:
    """Whether an id is of one of the graph's nodes, states, transitions or sheets."""
    return any(
        item == sheet.id
        or any(item == node.id for node in sheet.nodes)
        or any(item == transition.id for transition in sheet.transitions)
        for sheet in graph.sheets
    )

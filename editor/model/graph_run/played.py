"""What a run plays: by the character's animation mode, or what is tried instead of it."""

from core.graph.animation import graph_of
from core.graph.graph import Graph, Variable
from core.ids import AssetId
from core.rig.rig import Animation
from editor.model.document import Document
from editor.model.evaluator import Evaluator
from editor.model.graph_run.animation_mode import AnimationMode


class Played:
    """What is played on the character shown."""

    def __init__(self, document: Document, evaluator: Evaluator, mode: AnimationMode) -> None:
        self._document, self._evaluator, self._mode = document, evaluator, mode
        self._graph: tuple[Animation, Graph] | None = None
        self.tried: AssetId | None = None

    @property
    def graphs(self) -> tuple[Graph, ...]:
        """Graphs of the shown character."""
        rig = self._evaluator.rig
        found = self._document.project.all(Graph)
        return tuple(graph for graph in found if rig is not None and graph.rig == rig.id)

    @property
    def asset(self) -> Animation | None:
        """What is tried, else what the character plays, else its first graph."""
        tried = None if self.tried is None else self._document.project.assets.get(self.tried)
        rig = self._evaluator.rig
        if isinstance(tried, Animation) and rig is not None and getattr(tried, "rig", None) == rig.id:
            return tried
        return self._mode.chosen or self._mode.first()

    @property
    def graph(self) -> Graph | None:
        """The graph that runs; of an asset the one that plays it, the same object until the asset changes."""
        asset = self.asset
        if asset is None or isinstance(asset, Graph):
            return asset
        if self._graph is None or self._graph[0] is not asset:
            self._graph = (asset, graph_of(asset))
        return self._graph[1]

    @property
    def post(self) -> Graph | None:
        """The graph that is run after it."""
        post, graph = self._mode.post, self.graph
        return None if post is None or graph is None or post.id == graph.id else post

    @property
    def both(self) -> tuple[Graph, ...]:
        """The graph that runs, and the one after it."""
        return tuple(graph for graph in (self.graph, self.post) if graph is not None)

    @property
    def variables(self) -> tuple[tuple[Graph, Variable], ...]:
        """Every variable that a run can be given, each with the graph that it is of."""
        return tuple((graph, variable) for graph in self.both for variable in graph.variables)

"""The animation mode of the character shown: what it plays, and the graph that is run after that."""

from dataclasses import dataclass, replace

from core.blending.blend_space import BlendSpace
from core.clips.clip import Clip
from core.graph.graph import Graph
from core.graph.montage import Montage
from core.ids import AssetId
from core.rig.rig import Animation, Rig
from editor.model.document import Document
from editor.model.edits import Edits
from editor.model.evaluator import Evaluator
from editor.model.i18n import tr

PLAYED: tuple[tuple[type[Animation], str], ...] = (
    (Graph, "graph"),
    (Clip, "clip"),
    (BlendSpace, "blend"),
    (Montage, "layers"),
)
"""Kinds of what a character can play, in the order of the list, with their icons."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One thing to choose.

    Parameters
    ----------
    kind : what it is, for people
    """

    id: AssetId
    name: str
    kind: str
    icon: str


def kind_name(kind: type[Animation]) -> str:
    """What people call a kind of animation."""
    names = {
        Graph: tr("graph"), Clip: tr("clip"), BlendSpace: tr("blend space"), Montage: tr("montage"),
    }  # fmt: skip
    return names.get(kind, "")


class AnimationMode:
    """Chooses what the character shown plays; each choice is one undoable step."""

    def __init__(self, document: Document, evaluator: Evaluator, edits: Edits) -> None:
        self._document, self._evaluator, self._edits = document, evaluator, edits

    @property
    def choices(self) -> tuple[Choice, ...]:
        """All that the character can play: graphs, clips, blend spaces, montages."""
        rig = self._evaluator.rig
        if rig is None:
            return ()
        return tuple(
            Choice(asset.id, asset.name, kind_name(kind), icon)
            for kind, icon in PLAYED
            for asset in self._document.project.assets.values()
            if isinstance(asset, kind)
            and getattr(asset, "rig", None) == rig.id
            and asset.id != rig.post_graph
        )

    @property
    def post_choices(self) -> tuple[Choice, ...]:
        """The graphs that can run after what the character plays: those that take a pose."""
        rig = self._evaluator.rig
        found = () if rig is None else self._document.project.all(Graph)
        return tuple(
            Choice(graph.id, graph.name, kind_name(Graph), "graph")
            for graph in found
            if rig is not None and graph.rig == rig.id and (takes_pose(graph) or graph.id == rig.post_graph)
        )

    @property
    def chosen(self) -> Animation | None:
        """What the document says that the character plays; None where it says nothing."""
        rig = self._evaluator.rig
        found = (
            None if rig is None or rig.animation is None else self._document.project.assets.get(rig.animation)
        )
        return found if isinstance(found, Animation) else None

    @property
    def post(self) -> Graph | None:
        """The graph that is run after it."""
        rig = self._evaluator.rig
        found = (
            None
            if rig is None or rig.post_graph is None
            else self._document.project.assets.get(rig.post_graph)
        )
        return found if isinstance(found, Graph) else None

    def choose(self, asset: AssetId | None) -> bool:
        """Let the character play an asset or a graph; None leaves it to the first graph."""
        rig = self._evaluator.rig
        if rig is None or rig.animation == asset:
            return False
        name = tr("none") if asset is None else self._document.project.assets[asset].name
        return self._edits.put(tr("Animation mode: {name}", name=name), replace(rig, animation=asset))

    def choose_post(self, graph: AssetId | None) -> bool:
        """Let a graph run after whatever the character plays; None is no graph."""
        rig = self._evaluator.rig
        if rig is None or rig.post_graph == graph:
            return False
        name = tr("none") if graph is None else self._document.project.assets[graph].name
        changed = replace(rig, post_graph=graph)
        if graph is not None and changed.animation == graph:
            changed = replace(changed, animation=None)  # it takes a pose, and gives none by itself
        return self._edits.put(tr("Post-process graph: {name}", name=name), changed)

    def first(self) -> Animation | None:
        """What plays where nothing is chosen: the first graph that is not run after others."""
        rig = self._evaluator.rig
        if rig is None:
            return None
        own = [graph for graph in self._document.project.all(Graph) if graph.rig == rig.id]
        return next((graph for graph in own if graph.id != rig.post_graph), None)

    @property
    def rig(self) -> Rig | None:
        """The character's rig."""
        return self._evaluator.rig


def takes_pose(graph: Graph) -> bool:
    """Whether a graph works on a pose that it is given."""
    return any(node.kind == "pose_input" for sheet in graph.sheets for node in sheet.nodes)

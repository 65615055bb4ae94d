"""The locomotion sample's own graphs and montage: what `core.locomotion` draws from its clips, kept as documents."""

from core.graph.graph import Graph
from core.graph.montage import Montage
from core.ids import AssetId
from core.locomotion.animation.graphs import feet_graph, locomotion_graph
from core.locomotion.animation.propose import propose
from core.locomotion.animation.turns import turn_montage
from core.project.project import Project
from core.rig.rig import Rig
from resources.sample.rig import POST_ID

LOCOMOTION_ID, TURN_ID = AssetId("graph-locomotion"), AssetId("montage-turn-in-place")


def build_moving(project: Project, rig: Rig) -> tuple[Graph | Montage, ...]:
    """The graphs ``Locomotion``, and ``Feet`` that is run after every other; the montage ``turn in place``."""
    moves = propose(rig, project)
    montage = turn_montage(rig, moves, TURN_ID)
    graphs = locomotion_graph(rig, moves, LOCOMOTION_ID), feet_graph(rig, POST_ID)
    return graphs if montage is None else (*graphs, montage)

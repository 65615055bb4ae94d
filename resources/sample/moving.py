"""The locomotion sample's own graphs: what `core.locomotion` draws from its clips, kept as documents."""

from core.graph.graph import Graph
from core.ids import AssetId
from core.locomotion.animation.graphs import feet_graph, locomotion_graph
from core.locomotion.animation.propose import propose
from core.project.project import Project
from core.rig.rig import Rig
from resources.sample.rig import POST_ID

LOCOMOTION_ID = AssetId("graph-locomotion")


def build_moving(project: Project, rig: Rig) -> tuple[Graph, Graph]:
    """The graphs ``Locomotion``, and ``Feet`` that is run after every other."""
    return locomotion_graph(rig, propose(rig, project), LOCOMOTION_ID), feet_graph(rig, POST_ID)

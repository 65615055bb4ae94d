"""Which graphs and tables of a project a character moves by."""

from core.clips.clip import Clip
from core.graph.compiler import Assets
from core.graph.graph import Graph
from core.locomotion.animation.propose import Moves
from core.locomotion.animation.speeds import table_of, table_of_clip
from core.locomotion.animation.values import Tables
from core.locomotion.play_setup import PlaySetup
from core.rig.rig import Rig

GRAPH = "Locomotion"
"""Name of the graph that a rig moves by, where the project has one for it; else one is drawn."""


def graph_of(project: Assets, rig: Rig, chosen: PlaySetup | None = None) -> Graph | None:
    """The graph of a project that a rig moves by; None where one is drawn from its clips."""
    own = [graph for graph in project.all(Graph) if graph.rig == rig.id]
    if chosen is not None and (chosen.draws or chosen.graph is not None):
        return next((graph for graph in own if graph.id == chosen.graph), None)
    return next((graph for graph in own if graph.name == GRAPH), None)


def plants(graph: Graph) -> bool:
    """Whether a graph holds feet where they are put down."""
    return any(sheet.of_kind("plant_feet") for sheet in graph.sheets)


def tables_of(project: Assets, rig: Rig, moves: Moves) -> Tables:
    """Speeds of the clips and blend spaces that a rig moves by."""
    clips = {clip.id: clip for clip in project.all(Clip)}
    found = {
        name: table_of(rig, moves.spaces[name], clips)
        for name in ("forward", "backward", "crouch")
        if name in moves.spaces
    }
    if "forward" not in found and "walk" in moves:
        found["forward"] = table_of_clip(rig, moves.clips["walk"])
    return Tables(found.get("forward"), found.get("backward"), found.get("crouch"))

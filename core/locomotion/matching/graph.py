"""The graph *Matching*: what goes over a matched pose, as a document like any other: steps, leans, looks, breath."""

from core.graph.graph import Graph
from core.ids import AssetId
from core.ik.leg import body_legs
from core.locomotion.animation.graphs import Over, put_offsets
from core.locomotion.animation.pen import Pen
from core.locomotion.animation.propose import Moves
from core.locomotion.animation.variables import VARIABLES
from core.rig.rig import Rig

GRAPH = "Matching"
FIRST = 0x18A00001


def matching_graph(rig: Rig, moves: Moves, asset: AssetId | None = None) -> Graph:
    """The graph of a rig that is run on each matched pose, before the one that places the feet."""
    pen = Pen(FIRST)
    over = Over(pen, pen.node("pose_input", "pose"))
    if body_legs(rig) is not None:
        pins = {"stride": "stride", "direction": "direction", "turn": "turn"}
        over.then(pen.node("stride_warp", "warp", pins))
    put_offsets(moves, over)
    if "breathing" in moves:
        breath = pen.node("clip", "breathing", clip=moves.clips["breathing"].id)
        over.added(pen.node("apply_additive", "breath"), breath)
    sheet = pen.pose("pose", over.wires, over.last)
    others = tuple(other for other in pen.sheets if other is not sheet)
    graph = asset or AssetId(f"graph-matching-{rig.id}")
    return Graph(graph, GRAPH, rig.id, VARIABLES, sheets=(sheet, *others))

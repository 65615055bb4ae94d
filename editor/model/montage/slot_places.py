"""Where the slots of a montage are in the graphs of its rig."""

from collections.abc import Iterable
from dataclasses import dataclass

from core.graph.graph import Graph
from core.ids import AssetId


@dataclass(frozen=True, slots=True)
class SlotPlace:
    """A node that shows a slot.

    Parameters
    ----------
    graph : id of the graph
    sheet, node : ids in it
    title : graph and sheet in words
    """

    graph: AssetId
    sheet: str
    node: str
    title: str


def places_of(slot: str, graphs: Iterable[Graph]) -> tuple[SlotPlace, ...]:
    """The slot nodes for ``group.slot``, in the order of graphs and sheets."""
    return tuple(
        SlotPlace(graph.id, sheet.id, node.id, f"{graph.name} › {sheet.name}")
        for graph in graphs
        for sheet in graph.sheets
        for node in sheet.nodes
        if node.kind == "slot" and node.parameters.get("slot") == slot
    )

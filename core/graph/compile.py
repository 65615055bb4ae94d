"""Compiling a graph of a project."""

from collections.abc import Mapping

from core.graph.compiler import Assets, Compiler
from core.graph.custom_compile import compile_custom
from core.graph.graph import Graph
from core.graph.montage_compile import compile_montages
from core.graph.plan import Plan
from core.ids import AssetId


def compile_graph(graph: Graph, project: Assets, filled: Mapping[str, AssetId] | None = None) -> Plan:
    """Compile a graph of a project.

    Parameters
    ----------
    filled : name of an open slot → id of the graph in it (`core.graph.nodes.open_slot`)

    Raises
    ------
    GraphError
        With every problem found: no Output, a cycle, a missing rig, clip, blend space, mask or sheet, a clip of
        another rig, an expression that is wrong, a machine without a state, more than `MOST_NODES` nodes.
    """
    from core.graph.kinds import (
        KINDS,
    )  # every node, with the physics of some: a start of the editor needs none

    compiler = Compiler(graph, project, KINDS, compile_montages, compile_custom)
    compiler.filled = dict(filled or {})
    return compiler.plan()

"""Compiling a graph of a project."""

from core.graph.compiler import Assets, Compiler
from core.graph.custom_compile import compile_custom
from core.graph.graph import Graph
from core.graph.kinds import KINDS
from core.graph.montage_compile import compile_montages
from core.graph.plan import Plan


def compile_graph(graph: Graph, project: Assets) -> Plan:
    """Compile a graph of a project.

    Raises
    ------
    GraphError
        With every problem found: no Output, a cycle, a missing rig, clip, blend space, mask or sheet, a clip of
        another rig, an expression that is wrong, a machine without a state, more than `MOST_NODES` nodes.
    """
    return Compiler(graph, project, KINDS, compile_montages, compile_custom).plan()

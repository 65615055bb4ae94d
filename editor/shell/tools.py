"""Binds the actions of the tools to the active tool."""

from dataclasses import replace
from functools import partial

from editor.actions.registry import Registry
from editor.tools.state import Pivot, Tool, ToolState

TOOLS = {
    "tool.select": Tool.SELECT,
    "tool.move": Tool.MOVE,
    "tool.rotate": Tool.ROTATE,
    "tool.scale": Tool.SCALE,
}


PIVOTS = {f"tool.pivot_{pivot.value}": pivot for pivot in Pivot}


def _take_pivot(tools: ToolState, pivot: Pivot) -> None:
    tools.set(replace(tools.setup, pivot=pivot))


def _has_pivot(tools: ToolState, pivot: Pivot) -> bool:
    return tools.setup.pivot is pivot


def bind_tools(registry: Registry, tools: ToolState) -> None:
    """Let keys, menu and tool bar take tools; a tool's key again cycles its space."""
    for id, tool in TOOLS.items():
        registry.bind(id, partial(tools.press, tool), checked=partial(_in_hand, tools, tool))
    if "tool.snap" in registry:
        registry.bind("tool.snap", lambda: _toggle_snap(tools), checked=lambda: tools.setup.snap)
    if "tool.pivot_next" in registry:
        registry.bind("tool.pivot_next", lambda: tools.set(tools.setup.next_still()))
    for id, pivot in PIVOTS.items():
        if id in registry:
            registry.bind(id, partial(_take_pivot, tools, pivot), checked=partial(_has_pivot, tools, pivot))
    if "tool.distribute" in registry:
        registry.bind(
            "tool.distribute", lambda: _toggle_distribute(tools), checked=lambda: tools.setup.distribute
        )


def _toggle_distribute(tools: ToolState) -> None:
    tools.set(replace(tools.setup, distribute=not tools.setup.distribute))


def _in_hand(tools: ToolState, tool: Tool) -> bool:
    return tools.setup.tool is tool


def _toggle_snap(tools: ToolState) -> None:
    tools.set(replace(tools.setup, snap=not tools.setup.snap))

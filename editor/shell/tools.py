"""Binds the actions of the tools to the active tool."""

from dataclasses import replace
from functools import partial

from editor.actions.registry import Registry
from editor.tools.state import Tool, ToolState

TOOLS = {
    "tool.select": Tool.SELECT,
    "tool.move": Tool.MOVE,
    "tool.rotate": Tool.ROTATE,
    "tool.scale": Tool.SCALE,
}


def bind_tools(registry: Registry, tools: ToolState) -> None:
    """Let keys, menu and tool bar take tools; a tool's key again cycles its space."""
    for id, tool in TOOLS.items():
        registry.bind(id, partial(tools.press, tool), checked=partial(_in_hand, tools, tool))
    if "tool.snap" in registry:
        registry.bind("tool.snap", lambda: _toggle_snap(tools), checked=lambda: tools.setup.snap)
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

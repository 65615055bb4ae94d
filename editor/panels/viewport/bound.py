"""The declared actions that the viewport does: cameras, and tools where nobody else does them."""

from collections.abc import Callable
from functools import partial

from editor.actions.registry import Registry
from editor.gl.camera import View
from editor.panels.viewport.view_model import ViewportModel
from editor.tools.state import Tool

TOOLS = {"select": Tool.SELECT, "move": Tool.MOVE, "rotate": Tool.ROTATE, "scale": Tool.SCALE}


def bind_actions(actions: Registry, model: ViewportModel) -> list[Callable[[], None]]:
    """Bind what the viewport does; returns what takes each away again."""
    handlers: dict[str, Callable[[], object]] = {
        "view.frame": model.frame_selected,
        "view.frame_all": model.frame_all,
        "view.camera_new": model.new_camera,
        "view.opposite": model.controller.look_opposite,
        **{f"view.{view.name.lower()}": partial(model.controller.look_from, view) for view in View},
    }
    bound = [actions.bind(id, handler) for id, handler in handlers.items() if id in actions]
    if "view.orthographic" in actions:
        bound.append(
            actions.bind(
                "view.orthographic",
                model.controller.toggle_orthographic,
                checked=lambda: model.controller.camera.orthographic,
            )
        )
    if "view.flip" in actions:
        bound.append(
            actions.bind(
                "view.flip",
                model.controller.toggle_mirrored,
                checked=lambda: model.controller.camera.mirrored,
            )
        )
    for name, tool in TOOLS.items():
        id = f"tool.{name}"
        if id in actions and actions.why_disabled(id):
            bound.append(
                actions.bind(id, partial(model.tools.press, tool), checked=partial(_in_hand, model, tool))
            )
    return bound


def _in_hand(model: ViewportModel, tool: Tool) -> bool:
    return model.tools.setup.tool is tool

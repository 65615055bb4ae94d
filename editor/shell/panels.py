"""The panels of the window, in the order of the Window menu."""

import importlib

from editor.qt.panel import PanelSpec

NAMES = (
    "viewport",
    "bone_tree",
    "clips",
    "inspector",
    "weights",
    "history",
    "timeline",
    "curves",
    "media",
    "montage",
    "pose",
    "pose_library",
    "mirror",
    "ik",
    "spaces",
    "bodies",
    "simulate",
    "shot",
    "blend_space",
    "graph_run",
    "variables",
    "graph",
    "graph_node",
    "layers",
    "additive",
    "play",
    "play_run",
    "play_setup",
    "retarget",
    "source_view",
    "proportions",
    "compile",
    "reduce",
)


def panel_specs() -> tuple[PanelSpec, ...]:
    """Every panel's declaration."""
    return tuple(importlib.import_module(f"editor.panels.{name}.panel").PANEL for name in NAMES)

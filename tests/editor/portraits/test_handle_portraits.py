"""How handles, axes and bones are drawn in each of their states: lines, fills, sizes and colours, as approved."""

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from editor.gl.axis_widget import bubbles, widget_shapes
from editor.gl.bone_geometry import state_colors
from editor.gl.camera import Camera
from editor.gl.colors import DARK, LIGHT, ViewportColors
from editor.gl.draw_list import AxisWidget, BoneShapes, BoneState, GizmoShape, Shape
from editor.gl.gizmo import Handle
from editor.gl.gizmo_shapes import gizmo_shapes
from tests.editor.portraits import approved, drawn

SIZE = (640.0, 480.0)
ASIDE = Camera((0.0, 0.9, 0.0), 0.7, 0.3, 3.4)
THEMES = {"dark": DARK, "light": LIGHT}
STATES: dict[str, dict] = {
    "at rest": {},
    "over x": {"hovered": Handle.X},
    "over a plane": {"hovered": Handle.XY},
    "over the middle": {"hovered": Handle.CENTRE},
    "over the outer ring": {"hovered": Handle.VIEW},
    "inside the rings": {"hovered": Handle.TRACKBALL},
    "y in hand": {"active": Handle.Y},
    "y in hand, over z": {"active": Handle.Y, "hovered": Handle.Z},
    "y turned": {"active": Handle.Y, "sweep": (0.3, 0.9)},
    "y turned twice and more": {"active": Handle.Y, "sweep": (0.3, -14.0)},
    "turned in the view": {"active": Handle.VIEW, "sweep": (-0.5, -0.4)},
}


def told(shapes: Iterable[Shape]) -> list[str]:
    return [f"    {drawn.line(shape)}" for shape in shapes]


def handles() -> list[str]:
    """The handles of each tool; in the light theme those at rest, and what is other there."""
    found: list[str] = []
    for mode in ("translate", "rotate", "scale"):
        gizmo = GizmoShape(mode, np.array([0.1, 1.2, 0.0]), np.eye(3))
        before: list[str] = []
        for name, state in STATES.items():
            now = told(gizmo_shapes(replace(gizmo, **state), ASIDE, SIZE, DARK))
            found += [f"{mode} {name}:", *(line for line in now if line not in before or name == "at rest")]
            before = before or now
        for name, camera in (("along x", replace(ASIDE, yaw=np.pi / 2, pitch=0.0)),
                             ("parallel", replace(ASIDE, orthographic=True))):  # fmt: skip
            found += [f"{mode} {name}:", *told(gizmo_shapes(gizmo, camera, SIZE, DARK))]
        found += [f"{mode} light:", *told(gizmo_shapes(gizmo, ASIDE, SIZE, LIGHT))]
    return found


def axes() -> list[str]:
    """The axes in the corner."""
    found: list[str] = []
    for theme, colors in THEMES.items():
        for hovered in (None, 0, 2, 4):
            shapes = widget_shapes(AxisWidget(hovered), ASIDE, SIZE, colors)
            found += [f"axes {theme} over {hovered}:", *told(shapes)]
    places, depth = bubbles(AxisWidget(), replace(ASIDE, mirrored=True), SIZE)
    return [*found, f"mirrored: {drawn.array(places)} {drawn.array(depth)}"]


def bones() -> list[str]:
    """The colours of bones in each state: faint, near the pointer, in the colours of their set, solid."""
    states = np.array([state.value for state in BoneState], np.uint8)
    heads = np.zeros((len(states), 3))
    heads[:, 0] = np.arange(len(states))
    near, blue = np.ones(len(states), bool), np.tile([0.0, 0.0, 1.0, 1.0], (len(states), 1))
    plain = BoneShapes(heads, heads + [0.0, 0.5, 0.0], states=states)
    kinds = {
        "far": plain,
        "near": replace(plain, near=near),
        "of a set": replace(plain, colors=blue),
        "solid": replace(plain, solid=True),
    }
    return [
        line
        for theme, colors in THEMES.items()
        for name, shapes in kinds.items()
        for line in (f"bones {theme} {name}:", *_colored(shapes, colors))
    ]


def _colored(shapes: BoneShapes, colors: ViewportColors) -> list[str]:
    """Which colours each state has."""
    return [
        f"    {name} {BoneState(number).name.lower()}: {drawn.color(row)}"
        for name, rows in zip(("inside", "outline"), state_colors(shapes, colors), strict=True)
        for number, row in enumerate(rows)
    ]


def everything() -> list[str]:
    return [*handles(), *axes(), *bones()]


def test_handles_axes_and_bones_are_drawn_as_approved() -> None:
    problem = approved.problem_of("view-handles", everything)
    assert not problem, problem

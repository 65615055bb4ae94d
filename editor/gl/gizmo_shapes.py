"""How the gizmo and the world-axes widget look: values for the shape pass. Free of Qt and OpenGL."""

from math import ceil

import numpy as np

from core.arrays import Float32Array
from editor.gl.camera import Camera, Size
from editor.gl.colors import Color, ViewportColors, with_alpha
from editor.gl.draw_list import GizmoShape, Layer, Lines, Points, PointShape, Shape, Triangles, polyline
from editor.gl.gizmo import AXES, CENTRE, RING, Handle, Part, parts, towards_eye, view_scale
from editor.gl.gizmo_drag import turn_basis

_LINE = 2.0


def gizmo_shapes(gizmo: GizmoShape, camera: Camera, size: Size, colors: ViewportColors) -> list[Shape]:
    """Everything to draw, back to front: fills, dark edging, lines, squares."""
    middle: tuple[Color, float] | None = None
    pieces = [part for part in parts(gizmo, camera, size) if _shown(part, gizmo)]
    fills, fill_colors, lines, line_colors, widths, boxes, box_colors = [], [], [], [], [], [], []
    for part in pieces:
        color = part_color(part, gizmo, colors)
        width = _LINE + (1.0 if part.handle in (gizmo.hovered, gizmo.active) else 0.0)
        if part.handle is Handle.VIEW:
            width -= 0.5
        if part.handle is Handle.CENTRE and part.box is None:
            middle = color, width
            continue
        if len(part.fill) and part.box is None:
            fills.append(part.fill)
            fill_colors.append(np.tile(with_alpha(color, color[3] * 0.28), (len(part.fill), 1)))
        for segments, ends in ((part.lines, (width, width)), (part.tip, (11.0, 0.5))):
            if segments is None or not len(segments):
                continue
            block = segments.reshape(-1, 2, 3)
            lines.append(block)
            line_colors.append(np.tile(color, (len(block), 1)))
            widths.append(np.tile(ends, (len(block), 1)))
        if part.box is not None:
            boxes.append(part.box)
            box_colors.append(color)
    shapes: list[Shape] = []
    if fills:
        shapes.append(Triangles(np.concatenate(fills), np.concatenate(fill_colors)))
    shapes += _sweep_shapes(gizmo, camera, size, colors)
    if lines:
        points, ink, width_rows = np.concatenate(lines), np.concatenate(line_colors), np.concatenate(widths)
        caps = gizmo.mode != "rotate"  # the many short segments of a ring meet better without
        edging = ink * np.array([0, 0, 0, 0.35])
        shapes.append(
            Lines(points, edging, (width_rows + 1.8).astype(np.float32), layer=Layer.FRONT, caps=caps)
        )
        shapes.append(Lines(points, ink, width_rows.astype(np.float32), layer=Layer.FRONT, caps=caps))
    if middle is not None:
        shapes += _ring(gizmo, *middle)
    if boxes:
        edge = (0.0, 0.0, 0.0, 0.5)
        shapes.append(
            Points(np.array(boxes), np.array(box_colors), 12.0, edge, 1.0, PointShape.SQUARE, Layer.FRONT)
        )
    return shapes


def _ring(gizmo: GizmoShape, color: Color, width: float) -> list[Shape]:
    """The middle of the move tool."""
    at, across = gizmo.pivot[None], 2 * CENTRE * gizmo.size
    dark = np.array(with_alpha((0.0, 0.0, 0.0, 1.0), 0.35))
    return [
        Points(at, np.array(with_alpha(color, 0.2)), across, layer=Layer.FRONT),
        Points(at, dark, across + 2.0, (0, 0, 0, 0), width + 2.0, PointShape.RING, Layer.FRONT),
        Points(at, np.array(color), across, (0, 0, 0, 0), width, PointShape.RING, Layer.FRONT),
    ]


def _shown(part: Part, gizmo: GizmoShape) -> bool:
    if part.handle is Handle.TRACKBALL:
        return Handle.TRACKBALL in (gizmo.hovered, gizmo.active)
    return part.visible > 0.01


def part_color(part: Part, gizmo: GizmoShape, colors: ViewportColors) -> Color:
    """Axis colour; bright under the pointer; faint while another handle is dragged."""
    if part.handle is Handle.TRACKBALL:
        return with_alpha(colors.gizmo_neutral, 0.35)
    if part.handle in (gizmo.active, gizmo.hovered) and gizmo.active in (None, part.handle):
        return with_alpha(colors.gizmo_hover, 1.0)
    palette = (colors.axis_x, colors.axis_y, colors.axis_z, colors.gizmo_neutral)
    alpha = 0.95 * part.visible * (0.7 if part.color == 3 else 1.0)
    return with_alpha(palette[part.color], alpha * (0.22 if gizmo.active is not None else 1.0))


def _sweep_shapes(gizmo: GizmoShape, camera: Camera, size: Size, colors: ViewportColors) -> list[Shape]:
    """The angle turned so far: a sector, and its first and last radius."""
    if gizmo.sweep is None or gizmo.active is None or gizmo.mode != "rotate":
        return []
    a, b, radius = ring_basis(gizmo, gizmo.active, camera)
    scale = view_scale(gizmo, camera, size) * radius
    start, turn = gizmo.sweep
    shown = float(np.clip(turn, -2 * np.pi, 2 * np.pi))
    steps = max(2, ceil(abs(shown) / 0.06))
    angle = np.linspace(start, start + shown, steps + 1)[:, None]
    arc = (gizmo.pivot + scale * (np.cos(angle) * a + np.sin(angle) * b)).astype(np.float32)
    fan = np.stack([np.broadcast_to(gizmo.pivot, arc[:-1].shape), arc[:-1], arc[1:]], axis=1)
    color = colors.gizmo_hover
    spokes = np.array([[gizmo.pivot, arc[0]], [gizmo.pivot, arc[-1]]], np.float32)
    spoke_colors = np.array([with_alpha(color, 0.55), color], np.float32)
    return [
        Triangles(fan, np.array(with_alpha(color, 0.22), np.float32)),
        Lines(spokes, spoke_colors, 1.5, layer=Layer.FRONT),
        Lines(polyline(arc), np.array(color, np.float32), 2.5, layer=Layer.FRONT),
    ]


def ring_basis(gizmo: GizmoShape, handle: object, camera: Camera) -> tuple[Float32Array, Float32Array, float]:
    """Where angle 0 and a quarter turn lie on a ring, and its radius as a part of the gizmo's size."""
    for n, axis in enumerate(AXES):
        if handle is axis:
            a, b = turn_basis(gizmo.axes[n])
            return a.astype(np.float32), b.astype(np.float32), RING
    a, b = turn_basis(towards_eye(camera, gizmo.pivot))
    return a.astype(np.float32), b.astype(np.float32), 1.0

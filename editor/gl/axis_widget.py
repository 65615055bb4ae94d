"""The world axes in the corner: where the bubbles are, which is under a pixel, how they look.

Free of Qt and OpenGL. A click on a bubble looks along that axis.
"""

import numpy as np
import numpy.typing as npt

from core.arrays import FloatArray
from editor.gl.camera import Camera, Pixel, Size, View, axes
from editor.gl.colors import ViewportColors, mix, with_alpha
from editor.gl.draw_list import AxisWidget, Layer, Lines, Points, Shape

VIEWS = (View.LEFT, View.TOP, View.FRONT, View.RIGHT, View.BOTTOM, View.BACK)
"""The view each bubble leads to: +x, +y, +z, -x, -y, -z."""

_BUBBLE = 9.5
_LETTERS = (
    (((-1, -1.2), (1, 1.2)), ((-1, 1.2), (1, -1.2))),
    (((-1, -1.2), (0, 0)), ((1, -1.2), (0, 0)), ((0, 0), (0, 1.3))),
    (((-1, -1.2), (1, -1.2)), ((1, -1.2), (-1, 1.2)), ((-1, 1.2), (1, 1.2))),
)


def centre(widget: AxisWidget, size: Size) -> FloatArray:
    """Middle of the widget (2,), logical pixels."""
    half = widget.size / 2
    return np.array([size[0] - widget.margin - half, widget.margin + half])


def bubbles(widget: AxisWidget, camera: Camera, size: Size) -> tuple[FloatArray, FloatArray]:
    """Middles (6, 2) in logical pixels and how far each is from the eye (6,), -1..1."""
    right, up, forward = axes(camera)
    flip = -1.0 if camera.mirrored else 1.0
    directions = np.concatenate([np.eye(3), -np.eye(3)])
    reach = widget.size / 2 - _BUBBLE - 1.0
    offset = np.stack([flip * directions @ right, -(directions @ up)], axis=1) * reach
    return centre(widget, size) + offset, directions @ forward


def bubble_at(widget: AxisWidget, camera: Camera, size: Size, pixel: Pixel) -> int | None:
    """Number of the nearest-to-the-eye bubble under a pixel, or None."""
    middles, depth = bubbles(widget, camera, size)
    near = np.linalg.norm(middles - np.asarray(pixel), axis=1) <= _BUBBLE + 2.0
    return int(np.argmin(np.where(near, depth, np.inf))) if near.any() else None


def inside(widget: AxisWidget, size: Size, pixel: Pixel) -> bool:
    """Whether a pixel lies on the widget's disc: a drag there orbits."""
    return bool(np.linalg.norm(centre(widget, size) - np.asarray(pixel)) <= widget.size / 2)


def widget_shapes(widget: AxisWidget, camera: Camera, size: Size, colors: ViewportColors) -> list[Shape]:
    """Everything to draw, from back to front."""
    middles, depth = bubbles(widget, camera, size)
    middle = centre(widget, size)
    shapes: list[Shape] = []
    if widget.hovered is not None:
        plate = Points(_flat(middle[None]), np.array(with_alpha(colors.plate, 0.45)), widget.size,
                       layer=Layer.OVERLAY)  # fmt: skip
        shapes.append(plate)
    order = np.argsort(-depth)
    for group in (order[:3], order[3:]):
        shapes += _group(group, middles, depth, middle, widget, colors)
    return shapes


def _group(
    group: npt.NDArray[np.intp],
    middles: FloatArray,
    depth: FloatArray,
    middle: FloatArray,
    widget: AxisWidget,
    colors: ViewportColors,
) -> list[Shape]:
    palette = (colors.axis_x, colors.axis_y, colors.axis_z)
    stems, stem_colors, spots, spot_colors, strokes = [], [], [], [], []
    for number in group:
        color = mix(palette[number % 3], with_alpha(colors.background_top, 1.0), 0.18 * (depth[number] + 1.0))
        hovered = number == widget.hovered
        if number < 3:
            stems.append([middle, middles[number]])
            stem_colors.append(color)
            strokes += [(middles[number] + np.array(a) * 3.1, middles[number] + np.array(b) * 3.1)
                        for a, b in _LETTERS[number]]  # fmt: skip
        spots.append(middles[number])
        full = mix(color, (1.0, 1.0, 1.0, 1.0), 0.35) if hovered else color
        spot_colors.append(
            full if number < 3 or hovered else mix(with_alpha(colors.background_top, 1.0), color, 0.38)
        )
    shapes: list[Shape] = []
    if stems:
        ends = _flat(np.array(stems).reshape(-1, 2)).reshape(-1, 2, 3)
        shapes.append(Lines(ends, np.array(stem_colors), 2.0, layer=Layer.OVERLAY))
    sizes = np.array([2 * _BUBBLE if number < 3 else 1.5 * _BUBBLE for number in group], np.float32)
    shapes.append(Points(_flat(np.array(spots)), np.array(spot_colors), sizes, layer=Layer.OVERLAY))
    if strokes:
        ends = _flat(np.array(strokes).reshape(-1, 2)).reshape(-1, 2, 3)
        ink = np.array((0.07, 0.08, 0.09, 0.92))
        shapes.append(Lines(ends, ink, 1.6, layer=Layer.OVERLAY))
    return shapes


def _flat(points: FloatArray) -> FloatArray:
    return np.concatenate([points, np.zeros((len(points), 1))], axis=1)

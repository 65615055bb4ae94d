"""A gizmo handle being dragged: the gizmo's drag maths as the amounts that tools work with. Free of Qt."""

from collections.abc import Callable

import numpy as np

from core.arrays import FloatArray
from editor.gl import gizmo_drag
from editor.gl.camera import Camera, Pixel, Size
from editor.gl.draw_list import GizmoShape
from editor.gl.gizmo import RING, Handle, towards_eye
from editor.tools.state import Tool


class GizmoHandleDrag:
    """Implements `editor.tools.scene.HandleDrag` for one drag: camera and gizmo are those of the press.

    Parameters
    ----------
    gizmo : as it stood when it was pressed; its axes are the frame that amounts are measured in
    start : where it was pressed
    shown : called with the gizmo to draw whenever the amount changes
    """

    def __init__(
        self,
        tool: Tool,
        handle: Handle,
        gizmo: GizmoShape,
        camera: Camera,
        size: Size,
        start: Pixel,
        shown: Callable[[GizmoShape], None],
    ) -> None:
        self._tool = tool
        self.handle = handle
        self._gizmo = gizmo
        self._camera, self._size, self._start = camera, size, start
        self._shown = shown
        self._pivot = np.asarray(gizmo.pivot, dtype=np.float64)
        self._frame = np.asarray(gizmo.axes, dtype=np.float64)
        self._turned = 0.0  # so that a drag may go round several times

    @property
    def axes(self) -> tuple[int, ...]:
        """Numbers of the axes the handle works along; none for those that turn in the view."""
        return () if self.handle in (Handle.VIEW, Handle.TRACKBALL) else self.handle.moved_axes

    @property
    def direction(self) -> FloatArray:
        """Axis toward the eye, in the frame's axes."""
        return self._frame @ towards_eye(self._camera, self._pivot)

    @property
    def free(self) -> bool:
        """Whether it is the free turn inside the rings."""
        return self.handle is Handle.TRACKBALL

    def amount(self, pixel: Pixel) -> FloatArray:
        """Metres, a rotation vector or factors ``(3,)`` along the frame's axes."""
        if self._tool is Tool.ROTATE:
            return self._turn(pixel)
        return self._shift(pixel) if self._tool is Tool.MOVE else self._factors(pixel)

    def show(self, amount: FloatArray) -> None:
        """Draw the sweep, the moved or the stretched gizmo."""
        sweep = None
        pivot = self._gizmo.pivot
        if self._tool is Tool.ROTATE and self.handle is not Handle.TRACKBALL:
            axis, angle = self._axis_of(amount)
            sweep = gizmo_drag.sweep(self._camera, self._pivot, axis, self._start, angle, self._size)
        elif self._tool is Tool.MOVE:
            pivot = (self._pivot + np.asarray(amount) @ self._frame).astype(np.float32)
        self._shown(
            GizmoShape(self._gizmo.mode, pivot, self._gizmo.axes, None, self.handle, sweep, self._gizmo.size)
        )

    # -------------------------------------------------- each tool
    def _turn(self, pixel: Pixel) -> FloatArray:
        if self.handle is Handle.TRACKBALL:
            world = gizmo_drag.trackball(self._camera, self._start, pixel, self._gizmo.size * RING)
            return self._frame @ world
        axis = self._world_axis()
        angle = gizmo_drag.turn_about_axis(
            self._camera, self._pivot, axis, self._start, pixel, self._size, self._gizmo.size * RING
        )
        self._turned = gizmo_drag.unwrap(self._turned, angle)
        if self.handle is Handle.VIEW:
            return self.direction * self._turned
        return np.eye(3)[self.handle.moved_axes[0]] * self._turned

    def _world_axis(self) -> FloatArray:
        if self.handle is Handle.VIEW:
            return towards_eye(self._camera, self._pivot)
        return self._frame[self.handle.moved_axes[0]]

    def _axis_of(self, amount: FloatArray) -> tuple[FloatArray, float]:
        axis = self._world_axis()
        return axis, float((np.asarray(amount) @ self._frame) @ axis)

    def _shift(self, pixel: Pixel) -> FloatArray:
        camera, size, start = self._camera, self._size, self._start
        axes = self.handle.moved_axes
        if len(axes) == 1:
            along = gizmo_drag.move_along_axis(camera, self._pivot, self._frame[axes[0]], start, pixel, size)
            return np.eye(3)[axes[0]] * float(along @ self._frame[axes[0]])
        normal = self.handle.normal
        if normal is None:
            return self._frame @ gizmo_drag.move_in_view(camera, self._pivot, start, pixel, size)
        moved = self._frame @ gizmo_drag.move_in_plane(
            camera, self._pivot, self._frame[normal], start, pixel, size
        )
        moved[normal] = 0.0
        return moved

    def _factors(self, pixel: Pixel) -> FloatArray:
        axes = self.handle.moved_axes
        factors = np.ones(3)
        if len(axes) == 1:
            factors[axes[0]] = gizmo_drag.scale_along_axis(
                self._camera,
                self._pivot,
                self._frame[axes[0]],
                self._start,
                pixel,
                self._size,
                self._gizmo.size,
            )
        else:
            factors[list(axes)] = gizmo_drag.scale_all(self._start, pixel, self._gizmo.size)
        return factors

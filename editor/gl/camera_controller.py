"""The viewport's camera and what moves it; what tools know as a `CameraController`. Free of Qt."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from core.arrays import FloatArray
from editor.gl import camera as cameras
from editor.gl.camera import Camera, Pixel, Size, View
from editor.gl.mesh_source import bounds
from editor.model.events import Event
from editor.model.i18n import tr
from editor.tools.navigate import zoom_by_wheel


class ViewCameraController:
    """A camera in a view of some size.

    Attributes
    ----------
    moved : looks from elsewhere now
    tween : moves the view to a camera step by step; None shows it at once
    still : shows it at once all the same: a camera of the shot moves along with the view
    """

    def __init__(self) -> None:
        self.camera = Camera()
        self.size: Size = (640.0, 480.0)
        self.moved: Event[None] = Event()
        self.tween: Callable[[Camera], None] | None = None
        self.still = False
        self._chosen_ortho = False

    def go(self, camera: Camera) -> None:
        """Look from elsewhere, in an eased move where there is one."""
        if self.tween is None or self.still:
            self.set_camera(camera)
        elif camera != self.camera:
            self.tween(camera)

    def follow(self, shift: FloatArray) -> None:
        """Move along with what is looked at, by metres ``(3,)``."""
        target = np.asarray(self.camera.target) + shift
        self.set_camera(replace(self.camera, target=(float(target[0]), float(target[1]), float(target[2]))))

    def look(self) -> object:
        """The camera, to come back to."""
        return self.camera

    def restore(self, look: object) -> None:
        """Put the camera back."""
        if isinstance(look, Camera):
            self.set_camera(look)

    def set_camera(self, camera: Camera) -> None:
        """Look from elsewhere; the same camera does nothing."""
        if camera != self.camera:
            self.camera = camera
            self.moved.emit(None)

    def resize(self, size: Size) -> None:
        """The view has another size in logical pixels."""
        self.size = (max(size[0], 1.0), max(size[1], 1.0))

    def orbit(self, dx: float, dy: float) -> None:
        """Turn by a drag; leaves the parallel projection of a standard view."""
        camera = self.camera
        if camera.orthographic and cameras.view_name(camera) is not None:
            camera = replace(camera, orthographic=self._chosen_ortho)
        self.set_camera(cameras.orbit_pixels(camera, dx, dy))

    def pan(self, dx: float, dy: float) -> None:
        """Shift by a drag."""
        self.set_camera(cameras.pan(self.camera, dx, dy, self.size))

    def dolly(self, factor: float, cursor: Pixel | None = None) -> None:
        """Come closer or go away."""
        self.set_camera(cameras.dolly(self.camera, factor, self.size, cursor))

    def wheel(self, steps: float, pixel: Pixel) -> None:
        """Zoom to the cursor."""
        zoom_by_wheel(self, steps, pixel)

    def frame(self, points: npt.ArrayLike, room: float = 0.0) -> None:
        """Look at points ``(N, 3)``, which become the pivot, with metres of room around them."""
        found = bounds(points, room)
        if found is not None:
            self.go(cameras.frame(self.camera, *found, self.size))

    def axes(self) -> FloatArray:
        """``(3, 3)`` rows right, up and toward the camera."""
        right, up, forward = cameras.axes(self.camera)
        return np.stack([right, up, -forward])

    @property
    def name(self) -> str:
        """What the view is called where it is a standard one, and whether it is parallel."""
        view = cameras.view_name(self.camera)
        words = [tr(view.name.title())] if view is not None else []
        if self.camera.orthographic:
            words.append(tr("orthographic"))
        return " ".join(words)

    def look_from(self, view: View) -> None:
        """Take a standard view, orthographic until it is orbited away from."""
        self.go(cameras.standard_view(self.camera, view))

    def look_opposite(self) -> None:
        """Look from the other side."""
        self.go(cameras.opposite(self.camera))

    def toggle_orthographic(self) -> None:
        """Parallel or perspective projection."""
        self._chosen_ortho = not self.camera.orthographic
        self.set_camera(replace(self.camera, orthographic=self._chosen_ortho))

    def toggle_mirrored(self) -> None:
        """Flip the picture left to right, to judge a pose with fresh eyes."""
        self.set_camera(replace(self.camera, mirrored=not self.camera.mirrored))

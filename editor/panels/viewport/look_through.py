"""Looking through a camera of the shot: the view stands where it does, and moves it where it is locked. Free of Qt."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from math import tan

import numpy as np

from core.arrays import FloatArray
from core.math import quat
from core.shot.camera import SENSOR, lens_of
from editor.gl import camera as cameras
from editor.gl.camera import Camera, Pixel
from editor.gl.camera_controller import ViewCameraController
from editor.gl.shot_view import camera_of, fov_within, frame_rectangle, place_of
from editor.model.play.state import Play
from editor.model.session import Session
from editor.model.shot.state import Shot

LEAST_DISTANCE = 0.3


class LookThrough:
    """Keeps a view at the active camera of the shot while it is looked through.

    Parameters
    ----------
    dragging : whether a gesture is under way in the view
    """

    def __init__(
        self, session: Session, controller: ViewCameraController, dragging: Callable[[], bool]
    ) -> None:
        self._session, self._controller, self._dragging = session, controller, dragging
        self._shot = session.feature(Shot)
        self._before: Camera | None = None
        self._of: object = None
        self._distance = LEAST_DISTANCE
        self._busy = False

    def connections(self) -> list[Callable[[], None]]:
        """Listen; returns what ends that."""
        session = self._session
        sources = (self._shot.changed, session.playback.time_changed, session.document.changed)
        found = [source.connect(lambda _: self.look()) for source in sources]
        return [*found, self._controller.moved.connect(lambda _: self._on_moved())]

    @property
    def on(self) -> bool:
        """Whether the view is at a camera now."""
        return self._shot.through and self._shot.camera is not None and not self._session.feature(Play).on

    def rectangle(self) -> tuple[Pixel, Pixel] | None:
        """Where in the view the picture of the camera is."""
        camera = self._shot.camera
        if not self.on or camera is None:
            return None
        return frame_rectangle(camera.aspect, self._controller.size)

    def look(self) -> None:
        """Stand where the camera does now; or where the view stood before, where that has ended."""
        if self._busy:
            return
        view = self._shot.view() if self.on else None
        self._controller.still = view is not None and self._shot.locked
        if view is None:
            before, self._before = self._before, None
            if before is not None and not self._session.feature(Play).on:
                self._controller.set_camera(before)
            return
        camera = self._shot.camera
        if self._before is None:
            self._before = self._controller.camera
        if camera is not None and self._of != camera.id:
            self._of = camera.id
            self._distance = self._to_character(view.position, view.rotation)
        made = camera_of(view, self._controller.size, distance=self._distance)
        with self._quiet():
            self._controller.set_camera(replace(made, mirrored=self._controller.camera.mirrored))

    def _to_character(self, position: FloatArray, rotation: FloatArray) -> float:
        """Metres ahead of a camera to the character: what the view turns about."""
        if self._session.rig is None:
            return 4.0
        middle = np.asarray(self._session.evaluator.matrices())[:, :3, 3].mean(axis=0)
        ahead = quat.rotate(rotation, np.array([0.0, 0.0, -1.0]))
        return max(LEAST_DISTANCE, float((middle - position) @ ahead))

    @contextmanager
    def _quiet(self) -> Iterator[None]:
        before, self._busy = self._busy, True
        try:
            yield
        finally:
            self._busy = before

    def _on_moved(self) -> None:
        """The view was moved by hand: the camera goes along, or is left."""
        if self._busy or not self.on or self._before is None:
            return
        if not self._shot.locked:
            self._before = None  # the view stays where the hand took it
            self._shot.look_through(False)
            return
        self._distance = self._controller.camera.distance
        with self._quiet():
            self._shot.place_camera(*place_of(self._controller.camera), commit=not self._dragging())

    def finish(self, navigated: bool) -> None:
        """A gesture ended; one that moved a locked camera is a step now."""
        if navigated and self.on and self._shot.locked:
            with self._quiet():
                self._shot.commit_preview()

    @contextmanager
    def taken_back(self, navigated: bool) -> Iterator[None]:
        """While a gesture is cancelled: what it made of a locked camera goes with it."""
        moves = navigated and self.on and self._shot.locked
        if not moves:
            yield
            return
        with self._quiet():
            yield
            self._shot.set_preview(None)

    def new_camera(self) -> None:
        """Create a camera that sees what the view does, and look through it; the view does not move."""
        camera = self._controller.camera
        aspect = SENSOR[0] / SENSOR[1]
        fov = fov_within(camera, aspect, self._controller.size)
        position, rotation = place_of(camera)
        if camera.orthographic:  # a new camera is a perspective one: it shows the same at the target
            high = 2.0 * camera.distance * tan(camera.fov / 2.0)
            position = np.asarray(camera.target) - cameras.axes(camera)[2] * (high / 2.0 / tan(0.2))
            fov = fov_within(replace(camera, fov=0.4), aspect, self._controller.size)
        self._shot.add_camera(position, rotation, lens_of(fov, SENSOR[1]))

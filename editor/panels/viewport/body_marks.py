"""Capsules of the bodies, ranges of the active one's joint, and its handles, as shapes of the viewport. Free of Qt."""

from typing import NamedTuple

import numpy as np

from core.arrays import FloatArray
from core.math.vectors import unit
from editor.gl import camera as cameras
from editor.gl.camera import Camera, Pixel, Size
from editor.gl.camera_controller import ViewCameraController
from editor.gl.colors import DARK, Color, ViewportColors, with_alpha
from editor.gl.draw_list import Layer, Lines, Points, PointShape, Shape, Triangles, polyline
from editor.model.ragdoll.bodies import Bodies
from editor.model.session import Session
from editor.tools.ragdoll.drag import BodyHandle
from editor.tools.ragdoll.marks import BodyMark, RangeMark, body_marks, range_marks

REACH = 11.0
"""Logical pixels round a handle within which it is caught."""
ARCS = (48.0, 60.0, 72.0)
"""Radii of the arcs in logical pixels: bend, sideways, twist."""
SIDES = 12
"""Segments of half a circle."""
HANDLE, HOVER = 11.0, 4.0


class Grip(NamedTuple):
    """A handle: which, where ``(3,)``, and the direction in which it works (of the radius alone)."""

    handle: BodyHandle
    place: FloatArray
    aside: FloatArray


class BodyMarks:
    """Makes the shapes, and says which handle lies under a pixel.

    Attributes
    ----------
    hovered : the handle under the pointer, or being dragged
    """

    def __init__(self, session: Session, controller: ViewCameraController) -> None:
        self._session, self._controller = session, controller
        self.hovered: BodyHandle | None = None
        self._colors: ViewportColors = DARK

    def use_colors(self, colors: ViewportColors) -> None:
        """Take the theme's colours."""
        self._colors = colors

    @property
    def shown(self) -> bool:
        """Whether capsules are drawn: with the Bodies panel in front, or by their switch."""
        bodies = self._session.feature(Bodies)
        return bodies.plan is not None and (bodies.watched or self._session.switches["bodies"])

    # ------------------------------------------------------------ what is drawn
    def shapes(self) -> tuple[Shape, ...]:
        """Outlines of all bodies, the active one filled; then its ranges and handles."""
        if not self.shown:
            return ()
        shapes: list[Shape] = []
        marks = body_marks(self._session)
        for mark in sorted(marks, key=lambda m: (m.active, m.partner)):
            shapes += self._capsule(mark)
        bodies = self._session.feature(Bodies)
        if bodies.watched and not self._session.playback.playing and self._session.display.source is None:
            for arc in self._ranges():
                shapes += self._range(arc)
        shapes += [self._dot(grip) for grip in self.grips()]
        return tuple(shapes)

    def _capsule(self, mark: BodyMark) -> list[Shape]:
        colors = self._colors
        tint = colors.bone_selected if mark.active else colors.capsule
        strength = 1.0 if mark.active else 0.75 if mark.partner else 0.5
        rim = outline(self._controller.camera, mark)
        shapes: list[Shape] = []
        if mark.active or mark.partner:
            fan = np.stack([np.tile(mark.middle, (len(rim), 1)), rim, np.roll(rim, -1, axis=0)], axis=1)
            shapes.append(Triangles(fan, _faded(tint, 0.16 if mark.active else 0.07)))
        width = 2.0 if mark.active else 1.25
        line = polyline(rim, closed=True)
        shapes.append(Lines(line, _faded(tint, strength), width, layer=Layer.FRONT, caps=False))
        return shapes

    def _ranges(self) -> tuple[RangeMark, ...]:
        """Arcs of the active body, as large on the screen from near and from far."""
        active = self._session.feature(Bodies).active
        rig = self._session.rig
        if active is None or rig is None:
            return ()
        number = rig.skeleton.index(active.bone)
        place = (self._session.evaluator.world() @ self._session.evaluator.matrices()[number])[:3, 3]
        metres = float(cameras.metres_per_pixel(self._controller.camera, place, self._controller.size))
        bend, side, twist = (metres * pixels for pixels in ARCS)
        return range_marks(self._session, (bend, side, twist))

    def _range(self, mark: RangeMark) -> list[Shape]:
        own = (self._colors.axis_x, self._colors.axis_y, self._colors.axis_z)[mark.axis]
        tint = own if mark.inside else self._colors.axis_x
        rim, centre = mark.rim, mark.centre
        fan = np.stack([np.tile(centre, (len(rim) - 1, 1)), rim[:-1], rim[1:]], axis=1)
        ends = np.array([[centre, rim[0]], [centre, rim[-1]]])
        needle = self._colors.bone_selected if mark.inside else self._colors.axis_x
        return [
            Triangles(fan, _faded(tint, 0.10 if mark.inside else 0.25)),
            Lines(polyline(rim), _faded(tint, 0.9), 1.5, layer=Layer.FRONT, caps=False),
            Lines(ends, _faded(tint, 0.55), 1.0, layer=Layer.FRONT),
            Lines(np.array([[centre, mark.now]]), _faded(needle, 0.95), 2.0, layer=Layer.FRONT),
        ]

    def _dot(self, grip: Grip) -> Points:
        over = grip.handle is self.hovered
        shape = {BodyHandle.RADIUS: PointShape.DIAMOND, BodyHandle.MIDDLE: PointShape.SQUARE}.get(
            grip.handle, PointShape.DISC
        )
        tint = self._colors.gizmo_hover if over else self._colors.bone_selected
        outline_tint = with_alpha(self._colors.bone_outline, 0.9)
        size = HANDLE + (HOVER if over else 0.0)
        return Points(grip.place[None], _faded(tint, 1.0), size, outline_tint, 1.5, shape, Layer.FRONT)

    # ------------------------------------------------------------ what is caught
    def grips(self) -> tuple[Grip, ...]:
        """Handles of the active body, while it is edited in the view."""
        if not self._session.feature(Bodies).editing:
            return ()
        mark = next((mark for mark in body_marks(self._session) if mark.active), None)
        if mark is None:
            return ()
        aside = across(self._controller.camera, mark)
        nothing = np.zeros(3)
        found = [Grip(BodyHandle.RADIUS, mark.middle + mark.radius * aside, aside)]
        if mark.body.capsule.length > 1e-6:
            found += [Grip(BodyHandle.START, mark.start, nothing), Grip(BodyHandle.END, mark.end, nothing)]
        return (*found, Grip(BodyHandle.MIDDLE, mark.middle, nothing))

    def grip_at(self, camera: Camera, size: Size, pixel: Pixel) -> Grip | None:
        """The handle under a pixel, the nearest first."""
        best: tuple[float, Grip] | None = None
        for grip in self.grips():
            at, depth = cameras.project(camera, grip.place[None], size)
            if depth[0] <= 0.0 and not camera.orthographic:
                continue
            apart = float(np.hypot(at[0, 0] - pixel[0], at[0, 1] - pixel[1]))
            if apart <= REACH and (best is None or apart < best[0]):
                best = apart, grip
        return None if best is None else best[1]


def across(camera: Camera, mark: BodyMark) -> FloatArray:
    """Unit direction square to a capsule and to the line of sight: where its outline is widest."""
    sight = _sight(camera, mark.middle)
    along = mark.end - mark.start
    aside = np.cross(along, sight)
    if np.linalg.norm(aside) < 1e-6 * max(1.0, float(np.linalg.norm(along))):
        aside = cameras.axes(camera)[0]
    return unit(aside, np.array([1.0, 0.0, 0.0]))


def outline(camera: Camera, mark: BodyMark) -> FloatArray:
    """The outline ``(N, 3)`` of a capsule as seen from the camera: two half circles that face it."""
    aside = across(camera, mark)
    angles = np.linspace(0.0, np.pi, SIDES + 1)[:, None]
    halves = []
    for place, sign in ((mark.end, 1.0), (mark.start, -1.0)):
        away = unit(np.cross(_sight(camera, place), aside), np.array([0.0, 1.0, 0.0]))
        if float(away @ (mark.end - mark.start)) < 0.0:
            away = -away
        circle = sign * (np.cos(angles) * aside + np.sin(angles) * away)
        halves.append(place + mark.radius * circle)
    return np.concatenate(halves)


def _sight(camera: Camera, place: FloatArray) -> FloatArray:
    """Unit direction from a place towards the eye."""
    if camera.orthographic:
        return -np.asarray(cameras.axes(camera)[2])
    return unit(cameras.eye(camera) - place, np.array([0.0, 0.0, 1.0]))


def _faded(color: Color, alpha: float) -> FloatArray:
    return np.array(with_alpha(color, alpha), dtype=np.float32)

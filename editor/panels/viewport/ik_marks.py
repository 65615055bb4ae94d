"""Goals, poles, chains, pins, joint limits and the ground as shapes of the viewport. Free of Qt."""

from dataclasses import dataclass

import numpy as np

from core.arrays import Float32Array, FloatArray
from core.ik.body import PinKind
from core.rig.rig import Rig
from editor.gl import camera as cameras
from editor.gl.camera import Camera, Pixel, Size
from editor.gl.camera_controller import ViewCameraController
from editor.gl.colors import DARK, Color, with_alpha
from editor.gl.draw_list import Layer, Lines, Points, PointShape, Shape, Triangles, polyline
from editor.model.ik.state import IkState
from editor.model.session import Session
from editor.tools.ik.marks import ChainMark, LimitMark, chain_marks, limit_marks, pin_marks

REACH = 11.0
"""Logical pixels round a goal or pole within which it is caught."""
GOAL_SIZE, POLE_SIZE, PIN_SIZE, HOVER = 18.0, 12.0, 11.0, 5.0
LIMIT_PIXELS = 46.0
DASH = 4.0
"""Logical pixels of a dash and of a gap."""
GROUND_EXTENT = 2.0
PIN_SHAPES = {
    PinKind.BOTH: PointShape.SQUARE,
    PinKind.POSITION: PointShape.DISC,
    PinKind.ROTATION: PointShape.RING,
}


@dataclass(frozen=True, slots=True)
class IkTints:
    """Colours of the theme."""

    accent: Color
    key: Color
    warning: Color
    error: Color
    outline: Color
    limit: Color


DEFAULT_TINTS = IkTints(
    DARK.ghost_before,
    DARK.bone_selected,
    DARK.ghost_after,
    DARK.axis_x,
    DARK.bone_outline,
    DARK.joint_limit,
)


def faded(color: Color, alpha: float) -> Float32Array:
    """A colour at an opacity, as shapes take it."""
    return np.array(with_alpha(color, alpha), dtype=np.float32)


def dashed(row: FloatArray, centre: FloatArray, radius: float = LIMIT_PIXELS) -> Float32Array:
    """Every other run of the segments along a curve ``(P, 3)`` round a centre: dashes of about `DASH` pixels.

    Parameters
    ----------
    radius : logical pixels on the screen that the curve is away from its centre
    """
    segments = polyline(row)
    if not len(segments):
        return segments
    lengths = np.linalg.norm(segments[:, 1] - segments[:, 0], axis=1)
    away = float(np.linalg.norm(np.asarray(row) - centre, axis=1).mean())
    along = (np.cumsum(lengths) - lengths / 2) * radius / max(away, 1e-9)
    return np.asarray(segments[(along // DASH) % 2 == 0])


class IkMarks:
    """Makes the shapes, and says which goal or pole lies under a pixel.

    Attributes
    ----------
    hovered : (set-up, "goal" or "pole") under the pointer
    pulling : whether a drag moves bones by IK just now
    """

    def __init__(self, session: Session, controller: ViewCameraController) -> None:
        self._session, self._controller = session, controller
        self.tints = DEFAULT_TINTS
        self.hovered: tuple[str, str] | None = None
        self.pulling = False

    # ------------------------------------------------------------ what is drawn
    def shapes(self, rig: Rig) -> tuple[Shape, ...]:
        """Everything there is to show; little where no IK is on and nothing is pinned."""
        shapes: list[Shape] = []
        shapes += self._ground()
        if self._session.playback.playing:
            return tuple(shapes)
        for mark in self._limits(rig):
            shapes += self._limit(mark)
        for chain in chain_marks(self._session):
            shapes += self._chain(chain)
        return (*shapes, *self._pins())

    def limit_bone(self, rig: Rig) -> str | None:
        """The bone whose limit's arcs are drawn: the active one, and only where they help.

        That is with the IK panel in front, in a pull, or by their own switch: they would lie over the rotate
        gizmo all the time.
        """
        session = self._session
        wanted = session.switches["limits"] or session.feature(IkState).watched or self.pulling
        if session.playback.playing or not wanted:
            return None
        bone = session.selection.active
        return bone if bone in rig.limits else None

    def _limits(self, rig: Rig) -> tuple[LimitMark, ...]:
        """Its arcs, as large on the screen from near and from far."""
        bone = self.limit_bone(rig)
        if bone is None:
            return ()
        head = self._session.evaluator.matrices()[rig.skeleton.index(bone), :3, 3]
        metres = cameras.metres_per_pixel(self._controller.camera, head, self._controller.size)
        return limit_marks(self._session, float(metres) * LIMIT_PIXELS, (bone,))

    def _chain(self, mark: ChainMark) -> list[Shape]:
        tints, name = self.tints, mark.setup.name
        active = name == self._session.feature(IkState).active
        strength = 0.95 if active else 0.55
        line = with_alpha(tints.accent, strength)
        shapes: list[Shape] = []
        if len(mark.joints) > 1:
            shapes.append(
                Lines(polyline(mark.joints), faded(line, strength), 2.0 if active else 1.5, layer=Layer.FRONT)
            )
        gap = float(np.linalg.norm(mark.joints[-1] - mark.goal))
        if gap > 5e-4:  # what the chain does not reach
            away = faded(tints.warning, strength)
            shapes.append(Lines(np.array([[mark.joints[-1], mark.goal]]), away, 1.5, 4.0, Layer.FRONT))
        if mark.pole is not None:
            at = np.array([[mark.bend, mark.pole]])
            shapes.append(Lines(at, faded(tints.accent, 0.5 * strength), 1.0, 5.0, Layer.FRONT))
            shapes.append(self._dot(mark.pole, POLE_SIZE, (name, "pole"), line, PointShape.DIAMOND))
        tint = with_alpha(tints.key, strength) if mark.keyed else line
        shapes.append(self._dot(mark.goal, GOAL_SIZE, (name, "goal"), tint, PointShape.RING))
        shapes.append(self._dot(mark.goal, 5.0, None, tint, PointShape.DISC))
        return shapes

    def _dot(
        self, place: FloatArray, size: float, which: tuple[str, str] | None, tint: Color, shape: PointShape
    ) -> Points:
        over = which is not None and which == self.hovered
        return Points(
            place[None], faded(tint, 1.0 if over else tint[3]), size + (HOVER if over else 0.0),
            with_alpha(self.tints.outline, 0.8), 2.0 if shape is PointShape.RING else 1.0, shape, Layer.FRONT,
        )  # fmt: skip

    def _pins(self) -> list[Shape]:
        torn = self._session.feature(IkState).pins.torn
        shapes: list[Shape] = []
        for bone, kind, place in pin_marks(self._session):
            tint = self.tints.error if torn.get(bone, 0.0) > 1e-3 else self.tints.warning
            edge = with_alpha(self.tints.outline, 0.9)
            shapes.append(
                Points(place[None], faded(tint, 1.0), PIN_SIZE, edge, 1.5, PIN_SHAPES[kind], Layer.FRONT)
            )
        return shapes

    def _limit(self, mark: LimitMark) -> list[Shape]:
        # neutral: accent is the chain's and the selection's, and hues are the axes'
        tint = self.tints.limit if mark.inside else self.tints.error
        rim, centre = mark.sector, mark.centre
        edge = faded(tint, 0.85)
        fan = np.stack([np.tile(centre, (len(rim) - 1, 1)), rim[:-1], rim[1:]], axis=1)
        shapes: list[Shape] = [
            Triangles(fan, faded(tint, 0.07)),
            Lines(dashed(rim, centre), edge, 1.5, layer=Layer.FRONT, caps=False),
            Lines(np.array([[centre, rim[0]], [centre, rim[-1]]]), faded(tint, 0.6), 1.0, DASH, Layer.FRONT),
            Lines(np.array([[centre, mark.now]]), faded(self.tints.key, 0.95), 2.0, layer=Layer.FRONT),
        ]
        if len(mark.cone):
            shapes.append(Lines(dashed(mark.cone, centre), edge, 1.5, layer=Layer.FRONT, caps=False))
            spokes = np.stack([np.tile(centre, (4, 1)), mark.cone[:-1:12]], axis=1)
            shapes.append(Lines(spokes, faded(tint, 0.35), 1.0, 3.0, Layer.FRONT))
        return shapes

    def _ground(self) -> list[Shape]:
        """The ground that feet are placed on, where it is not the flat one."""
        ground = self._session.feature(IkState).ground
        if ground.flat:
            return []
        lines = np.linspace(-GROUND_EXTENT, GROUND_EXTENT, 9)
        ends = np.array([-GROUND_EXTENT, GROUND_EXTENT])
        along_z = np.stack(
            [np.repeat(lines[:, None], 2, 1), np.zeros((9, 2)), np.tile(ends, (9, 1))], axis=-1
        )
        points = np.concatenate([along_z, along_z[..., [2, 1, 0]]])
        points[..., 1] = ground.under(points)
        corners = points[[0, 8]].reshape(4, 3)
        plate = np.array([[corners[0], corners[1], corners[2]], [corners[1], corners[2], corners[3]]])
        return [
            Triangles(plate, faded(self.tints.accent, 0.05), Layer.SCENE),
            Lines(points, faded(self.tints.accent, 0.35), 1.0),
        ]

    # ------------------------------------------------------------ what is caught
    def mark_at(self, camera: Camera, size: Size, pixel: Pixel) -> tuple[ChainMark, str] | None:
        """The goal or pole under a pixel, the nearest first; goals before poles."""
        best: tuple[float, ChainMark, str] | None = None
        for mark in chain_marks(self._session):
            for what, place in (("goal", mark.goal), ("pole", mark.pole)):
                if place is None:
                    continue
                at, depth = cameras.project(camera, place[None], size)
                if depth[0] <= 0.0 and not camera.orthographic:
                    continue
                apart = float(np.hypot(at[0, 0] - pixel[0], at[0, 1] - pixel[1])) + (
                    0.5 if what == "pole" else 0.0
                )
                if apart <= REACH and (best is None or apart < best[0]):
                    best = apart, mark, what
        return None if best is None else (best[1], best[2])

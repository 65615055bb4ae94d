"""Dragging a body's capsule in the view: its ends, its middle, or its thickness. Live, one undo step, Escape undoes."""

from collections.abc import Callable
from dataclasses import replace
from enum import StrEnum

import numpy as np

from core.arrays import FloatArray
from core.math import quat
from core.math.transform import Transform
from core.rig.body_plan import Body, BodyPlan, Capsule, Vector
from editor.model.i18n import tr
from editor.model.ragdoll.bodies import Bodies, with_radius
from editor.tools.gesture import Gesture
from editor.tools.pointer import Pointer
from editor.tools.scene import Pixel
from editor.tools.transform import JITTER


class BodyHandle(StrEnum):
    """What of a capsule is dragged."""

    START = "start"
    END = "end"
    MIDDLE = "middle"
    RADIUS = "radius"


TITLES = {
    BodyHandle.START: tr("Start"),
    BodyHandle.END: tr("End"),
    BodyHandle.MIDDLE: tr("Place"),
    BodyHandle.RADIUS: tr("Radius"),
}


class DragBody(Gesture):
    """One drag of a handle.

    Parameters
    ----------
    body : as it was at the press
    frame : where its bone is in the world
    aside : unit direction in the world in which the radius grows
    moved : how far (world metres) a pointer at a pixel has moved the handle
    """

    def __init__(
        self,
        bodies: Bodies,
        body: Body,
        handle: BodyHandle,
        frame: Transform,
        aside: FloatArray,
        moved: Callable[[Pixel], FloatArray],
    ) -> None:
        self._bodies, self._body, self._handle = bodies, body, handle
        self._frame, self._aside, self._moved = frame, aside, moved
        self._plan = bodies.plan
        self._start: Pointer | None = None
        self._now: Body | None = None

    def begin(self, pointer: Pointer) -> None:
        self._start = pointer

    def move(self, pointer: Pointer) -> None:
        if self._start is None or (self._now is None and pointer.distance(self._start) < JITTER):
            return
        self._now = self._dragged(self._moved(pointer.pixel))
        self._bodies.set_preview(self._made())

    def finish(self, pointer: Pointer) -> None:
        if self._now is not None:
            self._bodies.change(self._body.bone, TITLES[self._handle], self._now)
        self._bodies.set_preview(None)

    def cancel(self) -> None:
        self._bodies.set_preview(None)

    def _made(self) -> BodyPlan | None:
        if self._plan is None or self._now is None:
            return self._plan
        return self._bodies.with_body(self._plan, self._now)

    def _dragged(self, shift: FloatArray) -> Body:
        body, capsule = self._body, self._body.capsule
        if self._handle is BodyHandle.RADIUS:
            return with_radius(body, capsule.radius + float(shift @ self._aside))
        inside = quat.rotate(quat.conjugate(self._frame.rotation), shift)
        first = inside if self._handle is not BodyHandle.END else np.zeros(3)
        second = inside if self._handle is not BodyHandle.START else np.zeros(3)
        return replace(
            body,
            capsule=Capsule(
                _vector(np.add(capsule.start, first)), _vector(np.add(capsule.end, second)), capsule.radius
            ),
        )

    @property
    def status(self) -> str:
        capsule = (self._now or self._body).capsule
        return tr(
            "{bone} body  radius {radius} mm  length {length} mm",
            bone=self._body.bone, radius=f"{1000.0 * capsule.radius:.1f}", length=f"{1000.0 * capsule.length:.1f}",
        )  # fmt: skip

    @property
    def hint(self) -> str:
        return tr("Release to change the body · Esc or right button cancels")


def _vector(values: FloatArray) -> Vector:
    x, y, z = (float(value) for value in values)
    return (x, y, z)

"""Hitting a driven character: press on a part of it, pull, release."""

import math

import numpy as np

from core.arrays import FloatArray
from editor.model.i18n import tr
from editor.model.play.controls import PlayControls
from editor.tools.gesture import Gesture
from editor.tools.pointer import CLICK_SLOP, Pointer

CLICK = 60.0
"""N·s of a click, away from the viewer."""
PER_PIXEL = 0.8
"""N·s for each pixel of a drag, along the screen."""
HARDEST = 400.0


class PushBone(Gesture):
    """A blow on a bone; it is dealt at the release, Esc deals none.

    Parameters
    ----------
    right, up, ahead : unit directions ``(3,)`` of the view in the world
    """

    def __init__(
        self, controls: PlayControls, bone: str, right: FloatArray, up: FloatArray, ahead: FloatArray
    ) -> None:
        self._controls, self._bone = controls, bone
        self._right, self._up, self._ahead = right, up, ahead
        self._start: Pointer | None = None
        self._impulse = np.zeros(3)

    def begin(self, pointer: Pointer) -> None:
        self._start = pointer
        self._impulse = self._asked(pointer)

    def move(self, pointer: Pointer) -> None:
        self._impulse = self._asked(pointer)

    def finish(self, pointer: Pointer) -> None:
        self._controls.hit(self._bone, self._asked(pointer).tolist())

    def _asked(self, pointer: Pointer) -> FloatArray:
        start = self._start or pointer
        dx, dy = pointer.x - start.x, pointer.y - start.y
        length = math.hypot(dx, dy)
        if length < CLICK_SLOP:
            level = self._ahead * np.array([1.0, 0.0, 1.0])
            size = float(np.linalg.norm(level))
            return CLICK * (level / size if size > 1e-6 else self._ahead)
        scale = min(PER_PIXEL * length, HARDEST) / length
        return scale * (dx * self._right - dy * self._up)

    @property
    def status(self) -> str:
        size = float(np.linalg.norm(self._impulse))
        return tr("Push {bone} with {size} N·s", bone=self._bone, size=f"{size:.0f}")

    @property
    def hint(self) -> str:
        size = float(np.linalg.norm(self._impulse))
        return tr(
            "Push {bone} with {size} N·s: release to hit · Esc cancels", bone=self._bone, size=f"{size:.0f}"
        )

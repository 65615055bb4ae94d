"""Moving a camera, prop or second character with the gizmo: live, one undo step, exact cancel."""

from math import degrees, radians

import numpy as np

from core.arrays import FloatArray
from core.ids import AssetId
from core.math import quat
from core.shot.camera import ShotCamera
from editor.model.i18n import tr
from editor.model.shot.state import Item, Shot
from editor.tools.gesture import Gesture
from editor.tools.pointer import Modifiers, Pointer
from editor.tools.scene import HandleDrag
from editor.tools.state import Setup, Space, Tool
from editor.tools.transform import JITTER, VERBS, plain, typed_amount
from editor.tools.typed import Typed


def item_axes(setup: Setup, matrix: FloatArray, view: FloatArray) -> FloatArray:
    """Rows ``(3, 3)`` that the handles of one of the shot follow: the world's, the view's, or its own."""
    if setup.space is Space.VIEW:
        return view
    if setup.space is Space.WORLD and setup.tool is not Tool.SCALE:
        return np.eye(3)
    columns = matrix[:3, :3]
    length = np.maximum(np.linalg.norm(columns, axis=0, keepdims=True), 1e-12)
    return np.asarray((columns / length).T, dtype=np.float64)


class MoveItem(Gesture):
    """One drag of a handle.

    Parameters
    ----------
    item : as it was at the press, at the world matrix `begun`
    axes : ``(3, 3)`` rows that the grip's amounts follow
    """

    grabs_keys = True

    def __init__(
        self, shot: Shot, setup: Setup, item: Item, begun: FloatArray, axes: FloatArray, grip: HandleDrag
    ) -> None:  # fmt: skip
        self._shot, self._setup, self._item = shot, setup, item
        self._begun, self._axes, self._grip = begun, axes, grip
        self._none = np.ones(3) if setup.tool is Tool.SCALE else np.zeros(3)
        self._amount = self._none
        self._start: Pointer | None = None
        self._now: Pointer | None = None
        self._typed = Typed()
        self._under_way = False

    def begin(self, pointer: Pointer) -> None:
        self._start = self._now = pointer

    def move(self, pointer: Pointer) -> None:
        if self._start is None or (not self._under_way and pointer.distance(self._start) < JITTER):
            return
        self._under_way, self._now = True, pointer
        self._update()

    def type_text(self, text: str) -> bool:
        typed = self._typed.with_text(text)
        if typed is None:
            return False
        self._typed, self._under_way = typed, True
        self._update()
        return True

    def finish(self, pointer: Pointer) -> None:
        if np.array_equal(self._amount, self._none):
            self._shot.set_preview(None)
        else:
            self._shot.put(self.label, self._made())

    def cancel(self) -> None:
        self._shot.set_preview(None)

    @property
    def under_way(self) -> bool:
        """Whether anything has been asked for yet."""
        return self._under_way

    def _update(self) -> None:
        self._amount = self._wanted()
        self._grip.show(self._amount)
        self._shot.set_preview(None if np.array_equal(self._amount, self._none) else self._made())

    def _wanted(self) -> FloatArray:
        if self._typed:
            return self._from_typed(self._typed.values())
        if self._now is None:
            return self._none
        amount = np.asarray(self._grip.amount(self._now.pixel), dtype=np.float64)
        if self._now.has(Modifiers.CTRL) == self._setup.snap:
            return amount
        if self._setup.tool is Tool.ROTATE:
            length, step = float(np.linalg.norm(amount)), radians(self._setup.angle_step)
            return amount if length < 1e-12 else amount * (round(length / step) * step / length)
        step = self._setup.length_step if self._setup.tool is Tool.MOVE else self._setup.factor_step
        return np.where(np.abs(amount - self._none) > 1e-12, np.round(amount / step) * step, amount)

    def _from_typed(self, values: tuple[float, ...]) -> FloatArray:
        return typed_amount(self._setup.tool, self._grip, self._none, values)

    def _made(self) -> Item:
        matrix = np.array(self._begun)
        if self._setup.tool is Tool.MOVE:
            matrix[:3, 3] += self._amount @ self._axes
        elif self._setup.tool is Tool.ROTATE:
            turn = quat.to_matrix(quat.from_rotation_vector(self._amount @ self._axes))
            matrix[:3, :3] = turn @ matrix[:3, :3]
        else:
            # A factor of zero could not be undone by another factor.
            factors = np.where(np.abs(self._amount) < 1e-3, 1e-3, self._amount)
            matrix[:3, :3] = matrix[:3, :3] * factors[None, :]
        return self._shot.moved(self._item, matrix)

    # -------------------------------------------------- words
    @property
    def label(self) -> str:
        """Name of the undo step."""
        return f"{VERBS[self._setup.tool]} {self._item.name} {self._short()}"

    def _short(self) -> str:
        if self._setup.tool is Tool.ROTATE:
            return f"{plain(degrees(float(np.linalg.norm(self._amount))), 1)}°"
        if self._setup.tool is Tool.MOVE:
            return f"{plain(float(np.linalg.norm(self._amount)), 3)} m"
        return "× " + plain(float(self._amount[np.argmax(np.abs(self._amount - 1.0))]), 3)

    @property
    def status(self) -> str:
        typed = f"  ⟨{self._typed.text}⟩" if self._typed else ""
        return f"{VERBS[self._setup.tool]} {self._item.name}  {self._short()}{typed}"

    @property
    def chip(self) -> str:
        return self._short()

    @property
    def hint(self) -> str:
        return tr("Type a number · Ctrl snaps · Enter commits · Esc or right button cancels")


class PickItem(Gesture):
    """A click on one of the shot selects it; what is dragged from it does nothing."""

    def __init__(self, shot: Shot, item: AssetId) -> None:
        self._shot, self._item = shot, item
        self._start: Pointer | None = None

    def begin(self, pointer: Pointer) -> None:
        self._start = pointer

    def finish(self, pointer: Pointer) -> None:
        if self._start is not None and pointer.distance(self._start) < 2.0 * JITTER:
            self._shot.select(self._item)


def can_scale(item: Item) -> bool:
    """Whether the scale tool does anything with it: cameras have no size."""
    return not isinstance(item, ShotCamera)

"""Move, turn or scale the selected bones with the gizmo: live, typed, snapped, one undo step, exact cancel."""

from math import degrees, radians

import numpy as np

from core.arrays import FloatArray
from core.pose.pose import Pose
from core.rig.skeleton import Skeleton
from editor.model.i18n import tr, trn
from editor.model.posing.verbs import live_mirrored
from editor.model.session import Session
from editor.tools.gesture import Gesture
from editor.tools.pivots import standing
from editor.tools.pointer import Modifiers, Pointer
from editor.tools.scene import HandleDrag
from editor.tools.state import Setup, Tool
from editor.tools.typed import Typed
from editor.tools.world_pose import Frame, WorldPose, chain_share, moved, scaled, topmost, turned

VERBS = {Tool.MOVE: tr("Move"), Tool.ROTATE: tr("Rotate"), Tool.SCALE: tr("Scale")}
FINE = 0.1
"""What Shift makes of the steps of snapping."""
JITTER = 2.0
"""Pixels the pointer must go before anything moves."""


def movable(session: Session, skeleton: Skeleton) -> tuple[tuple[int, ...], tuple[str, ...]]:
    """Numbers of the selected bones that may move, in order of selection, and names of the locked ones."""
    known = [name for name in session.selection.bones if skeleton.find(name) is not None]
    locked = tuple(name for name in known if name in session.selection.locked)
    return tuple(skeleton.index(name) for name in known if name not in locked), locked


MINUS = "\N{MINUS SIGN}"


def typed_amount(tool: Tool, grip: HandleDrag, none: FloatArray, values: tuple[float, ...]) -> FloatArray:
    """The amount ``(3,)`` of a drag by typed numbers, laid on the handle's axes in turn.

    Parameters
    ----------
    none : ``(3,)`` what changes nothing: zeros, or ones for scale
    values : degrees (the first alone), metres or factors; one factor is for all of the handle's axes

    Returns
    -------
    FloatArray
        A rotation vector in radians, metres, or factors, in the handle's frame.
    """
    axes = grip.axes
    if tool is Tool.ROTATE:
        along = np.eye(3)[axes[0]] if len(axes) == 1 else np.asarray(grip.direction, dtype=np.float64)
        return np.asarray(along * radians(values[0]))
    amount = none.copy()
    if tool is Tool.SCALE and len(values) == 1:
        amount[list(axes or (0, 1, 2))] = values[0]
        return amount
    for axis, value in zip(axes or (0, 1, 2), values, strict=False):
        amount[axis] = value
    return amount


class TransformBones(Gesture):
    """One drag of a handle.

    Parameters
    ----------
    begun : the world as it stands at the press
    bones : numbers of the bones to move (unlocked); of parent and child only the parent moves,
        unless the turn is distributed along the chain
    frame : whose axes the grip's amounts follow
    view : ``(3, 3)`` rows right, up, toward the eye
    """

    grabs_keys = True

    def __init__(
        self,
        session: Session,
        setup: Setup,
        begun: WorldPose,
        bones: tuple[int, ...],
        frame: Frame,
        grip: HandleDrag,
        view: FloatArray,
    ) -> None:
        self._session = session
        self._setup = setup
        self._begun = begun
        self._frame = frame
        self._grip = grip
        self._view = view
        self._spread = setup.distribute and setup.tool is Tool.ROTATE and len(bones) > 1
        self._bones = tuple(sorted(bones)) if self._spread else topmost(begun.skeleton, bones)
        self._share = chain_share(begun.skeleton, bones) if self._spread else None
        self._none = np.ones(3) if setup.tool is Tool.SCALE else np.zeros(3)
        self._amount = self._none
        self._typed = Typed()
        self._pointer: Pointer | None = None
        self._under_way = False
        self._body: int | None = None

    # -------------------------------------------------- mouse
    def begin(self, pointer: Pointer) -> None:
        self._pointer = pointer
        self._session.playback.pause()

    def move(self, pointer: Pointer) -> None:
        if not self._under_way and self._pointer is not None:
            if pointer.distance(self._pointer) < JITTER:
                return  # ignore jitter below the threshold
            self._under_way = True
        self._pointer = pointer
        self._update()

    def type_text(self, text: str) -> bool:
        typed = self._typed.with_text(text)
        if typed is None:
            return False
        self._typed = typed
        self._under_way = True
        self._update()
        return True

    @property
    def free(self) -> bool:
        """Whether the press was on the open ground between the handles."""
        return self._grip.free

    @property
    def under_way(self) -> bool:
        """Whether anything has been asked for yet."""
        return self._under_way

    def finish(self, pointer: Pointer) -> None:
        if np.array_equal(self._amount, self._none):
            self.cancel()
            return
        pose, names = live_mirrored(self._session, self._posed(), self._names())
        self._session.keying.commit_pose(self.label, pose, names)
        self._session.preview.clear()

    def cancel(self) -> None:
        self._session.preview.clear()

    # -------------------------------------------------- what it comes to
    def _update(self) -> None:
        wanted = self._wanted()
        self._amount = wanted
        self._grip.show(wanted)
        if np.array_equal(wanted, self._none):
            self._session.preview.clear()  # back at the start: exactly what was there
        else:
            self._session.preview.set_pose(live_mirrored(self._session, self._posed(), self._names())[0])

    def _names(self) -> tuple[str, ...]:
        body = () if self._body is None or self._body in self._bones else (self._body,)
        return tuple(self._begun.skeleton.names[bone] for bone in (*self._bones, *body))

    def _wanted(self) -> FloatArray:
        if self._typed:
            return self._from_typed(self._typed.values())
        if self._pointer is None:
            return self._none
        amount = np.asarray(self._grip.amount(self._pointer.pixel), dtype=np.float64)
        if self._snapping():
            amount = self._snapped(amount)
        return amount

    def _snapping(self) -> bool:
        held = self._pointer is not None and self._pointer.has(Modifiers.CTRL)
        return held != self._setup.snap

    def _snapped(self, amount: FloatArray) -> FloatArray:
        fine = FINE if self._pointer is not None and self._pointer.has(Modifiers.SHIFT) else 1.0
        if self._setup.tool is Tool.ROTATE:
            length = float(np.linalg.norm(amount))
            if length < 1e-12:
                return amount
            step = radians(self._setup.angle_step) * fine
            return amount * (round(length / step) * step / length)
        step = (self._setup.length_step if self._setup.tool is Tool.MOVE else self._setup.factor_step) * fine
        changed = np.abs(amount - self._none) > 1e-12
        return np.where(changed, np.round(amount / step) * step, amount)

    def _from_typed(self, values: tuple[float, ...]) -> FloatArray:
        return typed_amount(self._setup.tool, self._grip, self._none, values)

    def _posed(self) -> Pose:
        pose = self._turned()
        if self._frame.anchor is None or self._setup.tool is Tool.MOVE:
            return pose
        pose, self._body = standing(self._session, self._begun, pose, self._frame, self._bones)
        return pose

    def _turned(self) -> Pose:
        if self._setup.tool is Tool.ROTATE:
            return turned(self._begun, self._bones, self._frame, self._amount, self._share)
        if self._setup.tool is Tool.MOVE:
            return moved(self._begun, self._bones, self._frame, self._amount, self._view)
        return scaled(self._begun, self._bones, self._frame, self._amount)

    # -------------------------------------------------- words
    @property
    def label(self) -> str:
        """Name of the undo step, such as ``Rotate hand_l 12° @ f34``."""
        names = self._begun.skeleton.names
        what = (
            names[self._bones[0]]
            if len(self._bones) == 1
            else trn("{count} bone", "{count} bones", len(self._bones))
        )
        return f"{VERBS[self._setup.tool]} {what} {self._short()} @ f{self._frame_text()}"

    def _frame_text(self) -> str:
        return plain(self._session.playback.frame, 2)

    def _short(self) -> str:
        """The amount as one number."""
        if self._setup.tool is Tool.ROTATE:
            return f"{plain(self._angle(), 1)}°"
        if self._setup.tool is Tool.MOVE:
            return f"{plain(float(np.linalg.norm(self._amount)), 3)} m"
        return "× " + plain(float(self._amount[np.argmax(np.abs(self._amount - 1.0))]), 3)

    def _angle(self) -> float:
        """Degrees turned, with the sign it has about the handle's axis."""
        axes = self._grip.axes
        if len(axes) == 1:
            return degrees(float(self._amount[axes[0]]))
        along = float(self._amount @ np.asarray(self._grip.direction)) if not axes else 1.0
        length = degrees(float(np.linalg.norm(self._amount)))
        return -length if along < 0.0 else length

    @property
    def status(self) -> str:
        axes = "".join("XYZ"[axis] for axis in self._grip.axes)
        along = f" {axes}" if axes and len(axes) < 3 else ""
        if self._setup.tool is Tool.ROTATE:
            amount = f"{self._angle():.1f}°"
        elif self._setup.tool is Tool.MOVE:
            amount = "  ".join(f"{self._amount[axis]:+.3f}" for axis in self._grip.axes or (0, 1, 2)) + " m"
        else:
            amount = "× " + "  ".join(f"{self._amount[axis]:.3f}" for axis in self._grip.axes or (0, 1, 2))
        typed = f"  ⟨{self._typed.text}⟩" if self._typed else ""
        return f"{VERBS[self._setup.tool]}{along}  {amount}{typed}  {self._frame.space.value}"

    @property
    def chip(self) -> str:
        axes = "".join("XYZ"[axis] for axis in self._grip.axes) if len(self._grip.axes) < 3 else ""
        if self._setup.tool is Tool.ROTATE:
            amount = f"{self._angle():.1f}°"
        elif self._setup.tool is Tool.MOVE:
            amount = _distance(self._amount, self._grip.axes)
        else:
            amount = f"× {float(self._amount[np.argmax(np.abs(self._amount - 1.0))]):.3f}"
        return f"{axes} {amount.replace('-', MINUS)}".strip()

    @property
    def hint(self) -> str:
        return tr("Type a number · Ctrl snaps · Enter commits · Esc or right button cancels")


def _distance(amount: FloatArray, axes: tuple[int, ...]) -> str:
    """How far, with the sign that it has along one axis: centimetres below a metre."""
    value = float(amount[axes[0]]) if len(axes) == 1 else float(np.linalg.norm(amount))
    return f"{value:.3f} m" if abs(value) >= 1.0 else f"{100.0 * value:.1f} cm"


def plain(value: float, digits: int) -> str:
    """A number without trailing zeros and without a minus zero."""
    text = f"{value:.{digits}f}"
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return "0" if text == "-0" else text

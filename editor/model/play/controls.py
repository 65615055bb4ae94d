"""What the person does with keyboard, mouse and gamepad, as the input of one step."""

import math
from collections.abc import Mapping
from enum import Enum

from core.locomotion.dampers import clamp, wrap
from core.locomotion.input import Gait, Input, RotationMode
from editor.model.events import Event

STEEPEST = 89.0
DEGREES_PER_PIXEL = 0.25
DEAD_ZONE = 0.15
"""Of a stick: less than this counts as 0, the rest is stretched to 0..1."""
STICK_TURN = 180.0
"""Degrees a second of a full right stick; its share counts squared."""
TRIGGER = 0.3
"""How far a trigger counts as pulled."""


class Control(Enum):
    """One thing that a key or a button asks for."""

    AHEAD = "ahead"
    BACK = "back"
    LEFT = "left"
    RIGHT = "right"
    WALK = "walk"
    SPRINT = "sprint"
    JUMP = "jump"
    CROUCH = "crouch"
    RAGDOLL = "ragdoll"
    VELOCITY = "velocity"
    LOOKING = "looking"
    AIMING = "aiming"


STEERING = frozenset(
    (Control.AHEAD, Control.BACK, Control.LEFT, Control.RIGHT, Control.JUMP, Control.CROUCH, Control.RAGDOLL)
)
"""What takes over from a recorded run."""
HELD = STEERING - {Control.CROUCH} | {Control.SPRINT, Control.AIMING}
"""What counts while it is held; the rest acts when it goes down."""
PAD_BUTTONS: Mapping[str, Control] = {
    "a": Control.JUMP, "b": Control.WALK, "y": Control.CROUCH, "back": Control.RAGDOLL,
    "left_stick": Control.SPRINT, "up": Control.VELOCITY, "down": Control.LOOKING,
}  # fmt: skip
"""Buttons of a gamepad by name; the left trigger aims."""


class PlayControls:
    """Held keys, toggles, the view and a gamepad.

    Attributes
    ----------
    yaw, pitch : degrees of the view; yaw positive to the left, pitch positive up
    walking, crouching : toggles
    mode : rotation mode while nobody aims
    changed : a toggle differs
    """

    def __init__(self) -> None:
        self.yaw, self.pitch = 0.0, -12.0
        self.walking = self.crouching = False
        self.mode = RotationMode.VELOCITY
        self._held: set[Control] = set()
        self._tapped: set[Control] = set()
        self._pad: frozenset[Control] = frozenset()
        self._stick = (0.0, 0.0)
        self.changed: Event[None] = Event()

    # ------------------------------------------------------------ keys
    def press(self, control: Control) -> None:
        """A key went down."""
        if control in self._held:
            return
        self._held.add(control)
        self._down(control)

    def release(self, control: Control) -> None:
        """A key came up."""
        self._held.discard(control)

    def release_all(self) -> None:
        """The view lost the keyboard: nothing is held."""
        self._held.clear()
        self._tapped.clear()

    def holds(self, control: Control) -> bool:
        """Whether it is held, by a key or on the gamepad."""
        return control in self._held or control in self._pad

    @property
    def steers(self) -> bool:
        """Whether the person asks for a movement now."""
        moved = any(self.holds(control) for control in STEERING) or bool(self._tapped & STEERING)
        return moved or self._stick != (0.0, 0.0)

    def _down(self, control: Control) -> None:
        if control in HELD:
            self._tapped.add(control)  # a tap between two steps counts for one
            return
        if control is Control.WALK:
            self.walking = not self.walking
        elif control is Control.CROUCH:
            self.crouching = not self.crouching
            self._tapped.add(control)
        elif control is Control.VELOCITY:
            self.mode = RotationMode.VELOCITY
        elif control is Control.LOOKING:
            self.mode = RotationMode.LOOKING
        self.changed.emit(None)

    # ------------------------------------------------------------ the view
    def look(self, dx: float, dy: float) -> None:
        """Turn the view by pixels to the right and down."""
        self.turn(-dx * DEGREES_PER_PIXEL, -dy * DEGREES_PER_PIXEL)

    def turn(self, yaw: float, pitch: float) -> None:
        """Turn the view by degrees to the left and up."""
        if math.isfinite(yaw) and math.isfinite(pitch):
            self.yaw = wrap(self.yaw + yaw)
            self.pitch = clamp(self.pitch + pitch, -STEEPEST, STEEPEST)

    # ------------------------------------------------------------ gamepad
    def gamepad(self, controls: Mapping[str, float], seconds: float) -> None:
        """What a gamepad's controls are now; see `editor.model.graph_run.gamepad`.

        Parameters
        ----------
        controls : sticks and triggers −1..1 (up and right positive), buttons 0 or 1, by name; empty where none is
            connected
        seconds : since the last look
        """
        self._stick = stick(controls.get("left_x", 0.0), controls.get("left_y", 0.0))
        x, y = stick(controls.get("right_x", 0.0), controls.get("right_y", 0.0))
        rate = STICK_TURN * seconds * math.hypot(x, y)
        self.turn(-x * rate, y * rate)
        held = {control for name, control in PAD_BUTTONS.items() if controls.get(name, 0.0) > 0.5}
        if controls.get("left_trigger", 0.0) > TRIGGER:
            held.add(Control.AIMING)
        before, self._pad = self._pad, frozenset(held)
        for control in held - before:
            self._down(control)

    # ------------------------------------------------------------ the input
    def input(self) -> Input:
        """The input of the next step; taps are used up by it."""
        right = self._share(Control.RIGHT) - self._share(Control.LEFT) + self._stick[0]
        ahead = self._share(Control.AHEAD) - self._share(Control.BACK) + self._stick[1]
        gait = Gait.RUN
        if self.holds(Control.SPRINT):
            gait = Gait.SPRINT
        elif self.walking:
            gait = Gait.WALK
        given = Input.of(
            (right, ahead),
            self.yaw,
            self.pitch,
            gait,
            RotationMode.AIMING if self.holds(Control.AIMING) else self.mode,
            jump=bool(self._share(Control.JUMP)),
            crouch=self.crouching,
            ragdoll=bool(self._share(Control.RAGDOLL)),
        )
        self._tapped.clear()
        return given

    def _share(self, control: Control) -> float:
        return float(self.holds(control) or control in self._tapped)


def stick(x: float, y: float) -> tuple[float, float]:
    """A stick without its dead zone, what is left stretched to a length of 1 at most."""
    length = math.hypot(x, y)
    if not length > DEAD_ZONE:
        return 0.0, 0.0
    scaled = min((length - DEAD_ZONE) / (1.0 - DEAD_ZONE), 1.0) / length
    return x * scaled, y * scaled

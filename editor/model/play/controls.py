"""What the person does with keyboard, mouse and gamepad: what is held now, and the input of each step."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

from core.locomotion.controls import VIEW_RATE, Controls, Key, Sticks, controlled, stick
from core.locomotion.dampers import clamp, wrap
from core.locomotion.input import Blow, Input, RotationMode
from editor.model.events import Event

STEEPEST = 89.0
DEGREES_PER_PIXEL = 0.25
TRIGGER = 0.3
"""How far a trigger counts as pulled."""
LOOKS_DOWN = -12.0
"""Degrees of pitch with which a run begins."""

STEERING = frozenset((Key.AHEAD, Key.BACK, Key.LEFT, Key.RIGHT, Key.JUMP, Key.CROUCH, Key.RAGDOLL))
"""What takes over from a recorded run."""
PAD_BUTTONS: Mapping[str, Key] = {
    "a": Key.JUMP, "b": Key.WALK, "y": Key.CROUCH, "back": Key.RAGDOLL, "left_stick": Key.SPRINT,
    "up": Key.VELOCITY, "down": Key.LOOKING,
}  # fmt: skip
"""Buttons of a gamepad by name; the left trigger aims."""


class PlayControls:
    """Held keys, the view, and a gamepad. The view turns with every picture, everything else counts at the next step.

    Attributes
    ----------
    changed : a toggle differs
    """

    def __init__(self) -> None:
        self._known = Controls(0.0, LOOKS_DOWN)
        self._held: set[Key] = set()
        self._tapped: set[Key] = set()
        self._pad: frozenset[Key] = frozenset()
        self._stick = (0.0, 0.0)
        self._blow: Blow | None = None
        self.changed: Event[None] = Event()

    @property
    def yaw(self) -> float:
        """Degrees of the view, positive to the left."""
        return self._known.yaw

    @property
    def pitch(self) -> float:
        """Degrees of the view, positive up."""
        return self._known.pitch

    @property
    def walking(self) -> bool:
        """Whether walking is toggled on."""
        return self._known.walking

    @property
    def crouching(self) -> bool:
        """Whether crouching is toggled on."""
        return self._known.crouching

    @property
    def mode(self) -> RotationMode:
        """Rotation mode while nobody aims."""
        return self._known.mode

    # ------------------------------------------------------------ keys
    def press(self, key: Key) -> None:
        """A key went down."""
        self._held.add(key)
        self._tapped.add(key)  # a tap between two steps counts for one

    def release(self, key: Key) -> None:
        """A key came up."""
        self._held.discard(key)

    def hit(self, bone: str, impulse: Sequence[float]) -> None:
        """Hit a bone with the next step, with an impulse in N·s in the world."""
        self._blow = Blow.of(bone, impulse)

    def release_all(self) -> None:
        """The view lost the keyboard: nothing is held."""
        self._held.clear()
        self._tapped.clear()
        self._blow = None

    @property
    def held(self) -> frozenset[Key]:
        """What is held by keys and on the gamepad, and what was tapped since the last step."""
        return frozenset(self._held | self._tapped) | self._pad

    @property
    def steers(self) -> bool:
        """Whether the person asks for a movement now."""
        steered = bool(self.held & STEERING) or stick(*self._stick) != (0.0, 0.0)
        return steered or self._blow is not None

    # ------------------------------------------------------------ the view
    def look(self, dx: float, dy: float) -> None:
        """Turn the view by pixels to the right and down."""
        self.turn(-dx * DEGREES_PER_PIXEL, -dy * DEGREES_PER_PIXEL)

    def turn(self, yaw: float, pitch: float) -> None:
        """Turn the view by degrees to the left and up."""
        if math.isfinite(yaw) and math.isfinite(pitch):
            pitch = clamp(self.pitch + pitch, -STEEPEST, STEEPEST)
            self._known = replace(self._known, yaw=wrap(self.yaw + yaw), pitch=pitch)

    def face(self, yaw: float) -> None:
        """Look along a yaw, as a run begins."""
        self._known = replace(self._known, yaw=wrap(yaw), pitch=LOOKS_DOWN)

    # ------------------------------------------------------------ gamepad
    def gamepad(self, controls: Mapping[str, float], seconds: float) -> None:
        """What a gamepad's controls are now; see `editor.model.graph_run.gamepad`.

        Parameters
        ----------
        controls : sticks and triggers −1..1 (up and right positive), buttons 0 or 1, by name; empty where none is
            connected
        seconds : since the last look
        """
        self._stick = controls.get("left_x", 0.0), controls.get("left_y", 0.0)
        x, y = stick(controls.get("right_x", 0.0), controls.get("right_y", 0.0))
        rate = VIEW_RATE * seconds * math.hypot(x, y)
        self.turn(-x * rate, y * rate)
        held = {key for name, key in PAD_BUTTONS.items() if controls.get(name, 0.0) > 0.5}
        if controls.get("left_trigger", 0.0) > TRIGGER:
            held.add(Key.AIM)
        self._tapped |= held - self._pad
        self._pad = frozenset(held)

    # ------------------------------------------------------------ the input
    def input(self) -> Input:
        """The input of the next step; taps are used up by it."""
        before = self._known
        after, given = controlled(before, self.held, Sticks(self._stick))
        self._tapped.clear()
        given, self._blow = replace(given, blow=self._blow), None
        self._known = replace(after, held=self.held)  # a tap that is over can be tapped again
        if (before.walking, before.crouching, before.mode) != (self.walking, self.crouching, self.mode):
            self.changed.emit(None)
        return given

"""Gestures in the view, as they were read and approved: what each amounts to, says, draws, selects and leaves."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import Qt

from editor.gl.axis_widget import bubbles
from editor.gl.camera import Pixel
from editor.gl.draw_list import AxisWidget
from editor.gl.gizmo import Handle
from editor.tools.pointer import Pointer
from editor.tools.state import Pivot, Setup, Space, Tool
from tests.editor.portraits.view_hands import (
    ALT,
    CTRL,
    HELD,
    LEFT,
    MIDDLE,
    MOVED,
    NONE,
    RIGHT,
    SCALED,
    SHIFT,
    SIZE,
    TURNED,
    ViewHands,
    problem_of,
)  # fmt: skip

Key = Qt.Key


def _tool(hands: ViewHands, setup: Setup, *bones: str) -> None:
    hands.session.selection.select(bones or ("lower_arm_l",))
    hands.model.tools.set(setup)


# ------------------------------------------------------------ handles
def _handles(setup: Setup) -> Callable[[ViewHands], None]:
    def done(hands: ViewHands) -> None:
        _tool(hands, setup)
        for handle in Handle:
            hands.drag(handle.name, hands.handle(handle), whole=True)
        first = Handle.VIEW if setup.tool is Tool.ROTATE else Handle.CENTRE
        for handle in (Handle.Y, first):
            at = hands.handle(handle)
            for word, held in HELD.items():
                hands.drag(f"{word}{handle.name}", at, held=held)
            hands.drag(f"{handle.name} below the threshold", at, far=(1.0, 0.5))
            hands.drag(f"{handle.name} just above", at, far=(2.0, 1.0))
        at = hands.handle(Handle.Y)
        for text, ends in (("12.5", Key.Key_Return), ("-3", Key.Key_Enter), ("4\t5\t6", Key.Key_Return),
                           ("12\b", Key.Key_Return), ("7x", Key.Key_Escape), ("", Key.Key_Return)):  # fmt: skip
            hands.typed("Y", at, text, ends)
        hands.typed(first.name, hands.handle(first), "20", Key.Key_Return)
        _kept_in_drag(hands, at)
        hands.session.selection.set_flag("locked", ["lower_arm_l"])
        hands.drag("locked", at)
        hands.session.selection.set_flag("locked", [])
        hands.session.keying.auto = False
        hands.drag("auto key off", at)
        hands.session.keying.auto = True

    return done


def _kept_in_drag(hands: ViewHands, at: Pixel) -> None:
    """What a running drag lets happen: the wheel, other buttons, Ctrl that goes down, Escape, the right button."""
    to = at[0] + 34.0, at[1] - 22.0
    for what, do in {
        "Ctrl goes down": lambda: hands.key(Key.Key_Control, held=CTRL),
        "Shift goes down": lambda: hands.key(Key.Key_Shift, held=SHIFT),
        "the wheel turns": lambda: hands.input.wheel(Pointer(*to), 2.0),
        "the middle button": lambda: (hands.press(to, MIDDLE), hands.release(to, MIDDLE)),
        "a double click": lambda: hands.input.double_click(Pointer(*to)),
        "the pointer leaves": lambda: hands.input.leave(),
        "the right button": lambda: hands.press(to, RIGHT),
        "Escape": lambda: hands.key(Key.Key_Escape),
        "Enter": lambda: hands.key(Key.Key_Return),
        "K B V": lambda: [hands.key(k, "") for k in (Key.Key_K, Key.Key_B, Key.Key_V)],
    }.items():
        with hands.taken_back():
            hands.press(at)
            hands.move(to)
            before = hands.moment()
            do()
            hands.tell(f"in a drag {what}", before)


def _spaces(hands: ViewHands) -> None:
    """Each space and each pivot of each tool, with two bones; snapping, mirroring, a turn that is distributed."""
    for space in Space:
        for setup in (MOVED, TURNED, SCALED):
            _tool(hands, Setup(setup.tool, space, space, space), "upper_arm_l", "hand_l")
            at = hands.handle(Handle.X)
            hands.drag(f"{setup.tool.name} {space.name} X", at)
    for pivot in Pivot:
        for setup in (MOVED, TURNED, SCALED):
            _tool(hands, replace(setup, pivot=pivot), "upper_arm_l", "thigh_r")
            hands.drag(f"{setup.tool.name} {pivot.name} Z", hands.handle(Handle.Z))
    for setup in (MOVED, TURNED, SCALED):
        _tool(hands, replace(setup, snap=True))
        for word, held in list(HELD.items())[:4]:
            hands.drag(f"{setup.tool.name} snapping {word}", hands.handle(Handle.Y), held=held)
    _tool(hands, replace(TURNED, distribute=True), "upper_arm_l", "lower_arm_l", "hand_l")
    hands.drag("distributed", hands.handle(Handle.VIEW))
    hands.session.switches.set("live_mirror", True)
    _tool(hands, TURNED)
    hands.drag("mirrored live", hands.handle(Handle.VIEW))
    hands.session.switches.set("live_mirror", False)
    camera = hands.model.camera
    for word, other in (("mirrored view", replace(camera, mirrored=True)),
                        ("parallel view", replace(camera, orthographic=True)),
                        ("rolled view", replace(camera, roll=0.4))):  # fmt: skip
        hands.model.controller.set_camera(other)
        for setup in (MOVED, TURNED, SCALED):
            _tool(hands, setup)
            for handle in (Handle.X, Handle.CENTRE, Handle.TRACKBALL):
                hands.drag(f"{word} {setup.tool.name} {handle.name}", hands.handle(handle))
    for word, yaw, pitch in (("from the front", 0.0, 0.0), ("along X", np.pi / 2, 0.02)):
        hands.model.controller.set_camera(replace(camera, yaw=float(yaw), pitch=pitch))
        for setup in (replace(MOVED, move_space=Space.WORLD), replace(TURNED, rotate_space=Space.WORLD)):
            _tool(hands, setup)
            for handle in (Handle.X, Handle.Y, Handle.ZX, Handle.XY):
                hands.drag(f"{word} {setup.tool.name} {handle.name}", hands.handle(handle))


# ------------------------------------------------------------ selecting
def _picked(hands: ViewHands) -> None:
    """Clicks, double clicks and boxes with each modifier; hidden and locked bones; nothing selected."""
    hands.model.tools.set(Setup(Tool.SELECT))
    hands.session.selection.select(["head", "lower_arm_l"])
    for word, held in HELD.items():
        for name in ("upper_arm_l", "lower_arm_l"):
            hands.click(f"{word}{name}", hands.bone(name), held=held)
        hands.click(f"{word}beside", (30.0, 450.0), held=held)
        at = hands.bone("hand_l", 0.0)
        hands.drag(f"{word}box", (at[0] - 40.0, at[1] - 40.0), held=held, far=(80.0, 80.0), whole=not held)
        hands.drag(f"{word}box backwards", (at[0] + 40.0, at[1] + 40.0), held=held, far=(-60.0, -60.0))
        hands.drag(f"{word}a click that wanders", hands.bone("hand_l"), held=held, far=(2.0, 2.0))
    with hands.taken_back() as before:  # the next of those above each other
        at = hands.bone("chest", 0.1)
        for time in range(3):
            hands.press(at)
            hands.release(at)
            hands.tell(f"click {time}", before)
            at = at[0] + 1.0, at[1]
    for ends in (lambda: hands.key(Key.Key_Escape), lambda: hands.press(at, RIGHT)):
        with hands.taken_back() as before:
            hands.press((10.0, 100.0))
            hands.move((400.0, 400.0))
            ends()
            hands.tell("a box given up", before)
    for flag in ("hidden", "locked"):
        hands.session.selection.set_flag(flag, ["upper_arm_l", "hand_l"])
        hands.click(f"{flag} upper_arm_l", hands.bone("upper_arm_l"))
        hands.drag(f"{flag} box", (10.0, 10.0), far=(500.0, 400.0))
        hands.session.selection.set_flag(flag, [])
    for name in ("lower_arm_l", "foot_r"):
        hands.click(f"right click {name}", hands.bone(name), RIGHT)
        hands.click(f"Ctrl right click {name}", hands.bone(name), RIGHT, CTRL)
    hands.click("right click beside", (30.0, 450.0), RIGHT)
    hands.session.selection.clear()
    for setup in (MOVED, TURNED):
        hands.model.tools.set(setup)
        hands.drag(f"{setup.tool.name} with nothing selected", hands.bone("hand_l"))
    _tool(hands, TURNED)
    hands.click("inside the rings", hands.handle(Handle.TRACKBALL))
    hands.drag("inside the rings with Shift", hands.handle(Handle.TRACKBALL), held=SHIFT)


# ------------------------------------------------------------ looking
def _looked(hands: ViewHands) -> None:
    """Each button with each modifier moves the camera or does not; the wheel; the axes in the corner."""
    for name, button in (("left", LEFT), ("middle", MIDDLE), ("right", RIGHT)):
        for word, held in {**HELD, "Shift Alt ": SHIFT | ALT}.items():
            hands.drag(f"{word}{name}", (60.0, 430.0), button, held)
    for camera in ("mirrored", "orthographic"):
        hands.model.controller.set_camera(replace(hands.model.camera, **{camera: True}))
        for held in (NONE, SHIFT, CTRL):
            hands.drag(f"{camera} {held}", (60.0, 430.0), MIDDLE, held)
    for steps in (1.0, -2.5):
        with hands.taken_back() as before:
            hands.input.wheel(Pointer(*(150.0, 300.0)), steps)
            hands.tell(f"wheel {steps}", before)
    for ends in ("Escape", "the right button", "the other button"):
        with hands.taken_back() as before:
            hands.press((60.0, 430.0), MIDDLE)
            hands.move((90.0, 400.0), MIDDLE)
            if ends == "Escape":
                hands.key(Key.Key_Escape)
            elif ends == "the right button":
                hands.press((90.0, 400.0), RIGHT)
            else:
                hands.release((90.0, 400.0), LEFT)
            hands.tell(f"turned, {ends}", before)
    hands.model.controller.set_camera(replace(hands.model.camera, mirrored=False, orthographic=False))
    for at in range(6):
        spot = bubbles(AxisWidget(), hands.model.camera, SIZE)[0][at]
        with hands.taken_back() as before:
            hands.hover((float(spot[0]), float(spot[1])))
            hands.tell(f"over bubble {at}", before, pictures=at == 0)
            hands.press((float(spot[0]), float(spot[1])))
            hands.tell(f"bubble {at}", before)
            hands.input.release(Pointer(*(0.0, 0.0)))
            spot = bubbles(AxisWidget(), hands.model.camera, SIZE)[0][at]
            hands.press((float(spot[0]), float(spot[1])))
            hands.tell(f"bubble {at} again", before)
            hands.drag(f"turned from the view of bubble {at}", (60.0, 430.0), MIDDLE, far=(4.0, 0.0))
    middle = SIZE[0] - AxisWidget().margin - AxisWidget().size / 2 + 9.0
    hands.drag("within the axes", (middle, AxisWidget().margin + AxisWidget().size / 2 + 9.0))
    controller = hands.model.controller
    for name in ("look_opposite", "toggle_orthographic", "toggle_mirrored"):
        with hands.taken_back() as before:
            getattr(controller, name)()
            hands.tell(name, before)
            hands.drag(f"{name}, turned", (60.0, 430.0), MIDDLE)
            getattr(controller, name)()
            hands.tell(f"{name} again", before)
    for bones in ((), ("head",), ("hand_l", "foot_r")):
        hands.session.selection.select(bones)
        for name in ("frame_selected", "frame_all"):
            with hands.taken_back() as before:
                getattr(hands.model, name)()
                hands.tell(f"{name} {bones}", before)


# ------------------------------------------------------------ keys that are held
def _held_keys(hands: ViewHands) -> None:
    """K scrubs, B makes a breakdown, V pulls, Shift+Y picks a pivot; Escape and what else is kept."""
    _tool(hands, TURNED, "upper_arm_l")
    away, hand = (60.0, 430.0), hands.bone("hand_l")
    for code, text in ((Key.Key_K, "k"), (Key.Key_B, "b"), (Key.Key_V, "v"), (Key.Key_Y, "y"), (Key.Key_D, "d"),
                       (Key.Key_Escape, ""), (Key.Key_Return, ""), (Key.Key_Control, "")):  # fmt: skip
        for word, held in HELD.items():
            with hands.taken_back() as before:
                hands.hover(hand)
                down = hands.key(code, text, held)
                hands.tell(f"{word}{code.name} {'is kept' if down else 'is let through'}", before)
                up = hands.key(code, text, held, pressed=False)
                hands.tell(f"released {'kept' if up else 'let through'}", before)
                hands.key(code, text, NONE, pressed=False)
    for code, spots in (
        (Key.Key_K, (away, hand)),
        (Key.Key_B, (away,)),
        (Key.Key_V, (hand, hands.bone("foot_l"))),
    ):
        for at in spots:
            for word, held in HELD.items():
                hands.key(code)
                hands.drag(f"{code.name} held, {word}drag @{at[0]:.0f},{at[1]:.0f}", at, held=held)
                hands.key(code, pressed=False)
            for button in (MIDDLE, RIGHT):
                hands.key(code)
                hands.drag(f"{code.name} held, {button.name}", at, button)
                hands.key(code, pressed=False)
            hands.drag(f"{code.name} no more", at)
            with hands.taken_back() as before:
                hands.key(code)
                hands.press(at)
                hands.move((at[0] + 30.0, at[1]))
                hands.key(code, pressed=False)
                hands.tell(f"{code.name} released in the drag", before)
                hands.key(Key.Key_Escape)
                hands.tell("Escape", before)
            hands.drag(f"{code.name} no more", at)
    hands.session.selection.set_flag("locked", ["calf_l"])
    hands.session.switches.set("temporary_ik", True)
    foot = hands.bone("foot_l")
    hands.drag("temporary IK of a locked chain", foot)
    hands.session.selection.set_flag("locked", [])
    hands.drag("temporary IK", foot)
    hands.drag("temporary IK beside", away)
    hands.drag("temporary IK at the gizmo", hands.handle(Handle.VIEW))
    hands.session.switches.set("temporary_ik", False)
    for at in (hand, away):
        with hands.taken_back() as before:
            hands.hover(at)
            hands.key(Key.Key_Y, "Y", SHIFT)
            hands.tell(f"a pivot is picked @{at[0]:.0f},{at[1]:.0f}", before)
            hands.drag("turned about it", hands.handle(Handle.VIEW))


CASES: dict[str, Callable[[ViewHands], None]] = {
    "move": _handles(MOVED),
    "rotate": _handles(TURNED),
    "scale": _handles(SCALED),
    "spaces": _spaces,
    "picked": _picked,
    "looked": _looked,
    "held keys": _held_keys,
}


@pytest.mark.parametrize("name", list(CASES))
def test_gestures_are_as_approved(qapp, name: str) -> None:
    problem = problem_of(name, CASES[name])
    assert not problem, problem

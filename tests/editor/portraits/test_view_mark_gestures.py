"""Gestures at what is drawn besides the bones: IK goals, dots of trails, bodies, cameras; as they were approved."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import Qt

from editor.gl.gizmo import Handle
from editor.model.ik.state import IkState
from editor.model.shot.state import Shot
from editor.tools.ik.marks import chain_marks
from editor.tools.state import Setup, Tool
from tests.editor.portraits.test_view_portraits import USES
from tests.editor.portraits.view_hands import (
    CTRL,
    HELD,
    MIDDLE,
    MOVED,
    NONE,
    SCALED,
    SHIFT,
    TURNED,
    ViewHands,
    problem_of,
)

Key = Qt.Key


def _chains(hands: ViewHands) -> None:
    USES["ik"](hands.session, hands.model)
    hands.model.scene.ik.hovered = None
    for mark in chain_marks(hands.session):
        for what, place in (("goal", mark.goal), ("pole", mark.pole)):
            if place is None:
                continue
            at = hands.place(place)
            for word, held in list(HELD.items())[:4]:
                hands.drag(f"{word}{mark.setup.name} {what}", at, held=held, whole=not held)
            with hands.taken_back() as before:
                hands.hover(at)
                hands.tell(f"over {mark.setup.name} {what}", before, pictures=True)
    hands.lines.append(f"active {hands.session.feature(IkState).active}")


def _trails(hands: ViewHands) -> None:
    hands.session.selection.select(["hand_l"])
    hands.session.switches.set("trails", True)
    hands.model.tools.set(Setup(Tool.SELECT))
    trail = hands.model.scene.trails._trails(hands.model.rig)
    for number in (4, 10, 20):
        at = hands.place(trail.places[-1, number])
        for path in (False, True):
            hands.session.switches.set("path_drag", path)
            for word, held in list(HELD.items())[:4]:
                hands.drag(f"{word}dot {number}{' path' if path else ''}", at, held=held, whole=not held)
        hands.session.switches.set("path_drag", False)
        with hands.taken_back() as before:
            hands.hover(at)
            hands.tell(f"over dot {number}", before, pictures=number == 10)
        for setup in (MOVED, TURNED):
            hands.model.tools.set(setup)
            with hands.taken_back() as before:
                hands.hover(at)
                hands.tell(f"over dot {number}, {setup.tool.name}", before)
        hands.model.tools.set(Setup(Tool.SELECT))
    hands.session.switches.set("path_draw", True)
    hands.drag("arc", (150.0, 150.0), far=(200.0, 60.0), whole=True)
    with hands.taken_back() as before:
        hands.tell(f"Escape before the stroke {hands.key(Key.Key_Escape)}", before)
    hands.session.selection.clear()
    hands.drag("arc of nothing", (150.0, 150.0), far=(200.0, 60.0))


def _bodies(hands: ViewHands) -> None:
    USES["bodies"](hands.session, hands.model)
    hands.model.scene.bodies.hovered = None
    hands.model.tools.set(Setup(Tool.SELECT))
    for grip in hands.model.scene.bodies.grips():
        at = hands.place(grip.place)
        hands.drag(f"{grip.handle.name}", at, whole=True)
        hands.drag(f"Ctrl {grip.handle.name}", at, held=CTRL)
        with hands.taken_back() as before:
            hands.hover(at)
            hands.tell(f"over {grip.handle.name}", before)


def _shot(hands: ViewHands) -> None:
    USES["cameras"](hands.session, hands.model)
    hands.model.controller.set_camera(replace(hands.model.camera, distance=9.0))
    for setup in (MOVED, TURNED, SCALED, Setup(Tool.SELECT)):
        hands.model.tools.set(setup)
        for handle in (Handle.X, Handle.XY, Handle.CENTRE, Handle.VIEW, Handle.TRACKBALL):
            if hands.model.gizmo() is not None:
                hands.drag(
                    f"camera {setup.tool.name} {handle.name}", hands.handle(handle), whole=handle is Handle.X
                )
    at = hands.handle(Handle.VIEW) if hands.model.gizmo() else hands.place(np.array([0.0, 1.0, 4.0]))
    for word, held in HELD.items():
        hands.click(f"{word}beside", (20.0, 460.0), held=held)
        hands.drag(f"{word}camera", at, held=held)
    shot = hands.session.feature(Shot)
    shot.select(None)
    spot = hands.place(np.array([0.0, 1.0, 4.0]))
    hands.click("the camera", spot)
    hands.click("Shift the camera", spot, held=SHIFT)
    for locked in (False, True):
        shot.look_through(True)
        shot.lock(locked)
        for held in (NONE, SHIFT, CTRL):
            hands.drag(f"looked through, {'locked ' if locked else ''}{held}", (60.0, 430.0), MIDDLE, held)
            shot.look_through(True)


CASES: dict[str, Callable[[ViewHands], None]] = {
    "chains": _chains,
    "trails": _trails,
    "bodies": _bodies,
    "shot": _shot,
}


@pytest.mark.parametrize("name", list(CASES))
def test_gestures_are_as_approved(qapp, name: str) -> None:
    problem = problem_of(name, CASES[name])
    assert not problem, problem

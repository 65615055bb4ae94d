"""Hands in a view without a window: gestures through its input handler, and what came of each, told in lines."""

import math
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import numpy as np
from PySide6.QtCore import Qt

from core.math import quat
from core.pose.pose import Pose
from editor.gl import camera as cameras
from editor.gl.camera import Camera, Pixel
from editor.gl.gizmo import Handle, handle_at, parts
from editor.model.shot.state import Shot
from editor.panels.viewport.input_handler import ViewportInputHandler
from editor.panels.viewport.view_model import ViewportModel
from editor.tools.pointer import Button, Modifiers, Pointer
from editor.tools.state import Setup, Tool, ToolState
from tests.editor.actions import rich
from tests.editor.portraits import approved, drawn
from tests.editor.portraits.happenings import changes

NONE, SHIFT, CTRL, ALT = Modifiers.NONE, Modifiers.SHIFT, Modifiers.CTRL, Modifiers.ALT
HELD = {"": NONE, "Shift ": SHIFT, "Ctrl ": CTRL, "Shift Ctrl ": SHIFT | CTRL, "Alt ": ALT}
MOVED, TURNED, SCALED = Setup(Tool.MOVE), Setup(Tool.ROTATE), Setup(Tool.SCALE)
LEFT, MIDDLE, RIGHT = Button.LEFT, Button.MIDDLE, Button.RIGHT
SIZE = (640.0, 480.0)
ASIDE = Camera((0.0, 0.9, 0.0), 0.7, 0.3, 3.4)
FAR = (34.0, -22.0)
"""Pixels that a drag goes."""
SOLVED = re.compile(r"\d+\.\d+ mm off · \d+ iterations?")
"""How near a solver came and how soon: another processor may need one more."""
SHOWN = 14
"""So many lines of what is drawn otherwise are told."""


def number(value: float) -> str:
    """A number with three digits after the point, nought without a sign."""
    return f"{round(float(value), 3) + 0.0:.3f}"


class ViewHands:
    """A session with a character, a view of it, and hands in the view."""

    def __init__(self) -> None:
        self.session = rich.session()
        self.session.playback.set_range(None)
        self.model = ViewportModel(self.session, ToolState())
        self.model.resize(SIZE)
        self.model.controller.set_camera(ASIDE)
        self.hint = ""
        self.lines: list[str] = []
        self._said: list[str] = []
        self.input = ViewportInputHandler(self.model, self._hinted, self._menu)
        self._posted = self.session.messages.posted.connect(
            lambda m: self._said.append(f"said {m.text!r} {m.next_step}".rstrip())
        )

    def close(self) -> None:
        self.model.close()
        self.session.close()

    def _hinted(self, text: str) -> None:
        self.hint = text

    def _menu(self, pointer: Pointer) -> None:
        self._said.append(f"menu of a place, {'a bone' if self.model.aim(pointer.pixel) else 'the ground'}")

    # ------------------------------------------------------------ places
    def bone(self, name: str, share: float = 0.4) -> Pixel:
        """Where a bone is drawn, a share of its length from its head."""
        shapes = self.model.draw_list().bones
        at = self.model.rig.skeleton.index(name)
        place = (1.0 - share) * shapes.heads[at] + share * shapes.tails[at]
        return self.place(place)

    def place(self, point: np.ndarray) -> Pixel:
        """Where a point of the world is seen."""
        pixel, _ = cameras.project(self.model.camera, np.asarray(point), SIZE)
        return float(pixel[0]), float(pixel[1])

    def handle(self, wanted: Handle) -> Pixel | None:
        """A place where a handle is caught."""
        gizmo = self.model.gizmo()
        for part in parts(gizmo, self.model.camera, SIZE):
            if part.handle is not wanted:
                continue
            ends = part.lines.reshape(-1, 3) if len(part.lines) else part.fill.reshape(-1, 3)
            for point in ends[len(ends) // 3 :]:
                x, y = self.place(point)
                for dx, dy in ((0.0, 0.0), (3.0, 2.0), (-3.0, -2.0), (12.0, 9.0)):
                    if handle_at(gizmo, self.model.camera, SIZE, (x + dx, y + dy)) is wanted:
                        return x + dx, y + dy
        return None

    # ------------------------------------------------------------ how it stands
    def state(self) -> dict[str, str]:
        session, model = self.session, self.model
        shot = session.feature(Shot)
        camera, chosen = model.camera, session.selection
        return {
            "selection": " ".join(chosen.bones),
            "hover": str(chosen.hover),
            "bubble": str(model.scene.bubble),
            "handle": model.scene.handle.name if model.scene.handle else "",
            "mark": str(model.scene.ik.hovered),
            "grip": str(model.scene.bodies.hovered),
            "dot": f"{model.scene.trails.hovered.bone}" if model.scene.trails.hovered else "",
            "time": number(session.playback.time),
            "camera": " ".join(number(v) for v in (*camera.target, camera.yaw, camera.pitch, camera.distance))
            + f"{' parallel' if camera.orthographic else ''}{' mirrored' if camera.mirrored else ''}",
            "view": model.controller.name,
            "pivot": f"{model.tools.setup.pivot.name} {model.tools.setup.picked is not None}",
            "switches": " ".join(
                n for n in ("path_draw", "path_drag", "temporary_ik") if session.switches[n]
            ),
            "shot": str(shot.selected.id if shot.selected is not None else None),
            "held": model.scene.held_gizmo.active.name if model.scene.held_gizmo else "",
            "busy": type(model.gestures.current).__name__ if model.gestures.current else "",
            "box": " ".join(number(v) for corner in model.box for v in corner) if model.box else "",
            "chip": model.chip()[0] if model.chip() else "",
            "tool": SOLVED.sub("# off", model.heads_up().tool),
            "hint": self.hint,
            "keys held": f"{model.breaking_down} {model.pulling}",
        }

    def moment(self) -> tuple:
        session = self.session
        return (
            self.state(), session.evaluator.pose(), session.document.project, session.history.position,
            drawn.lines(self.model.draw_list()),
        )  # fmt: skip

    def tell(self, what: str, before: tuple, pictures: bool = False) -> None:
        """What is other than before."""
        state, pose, project, position, picture = before
        session = self.session
        found = [f"{k}: {state[k]} → {now}" for k, now in self.state().items() if state[k] != now]
        found += posed(session.rig.skeleton.names, pose, session.evaluator.pose()) if session.rig else []
        if session.history.position != position:
            labels = session.history.labels[position : session.history.position]
            found += [f"step {label!r}" for label in labels] or ["steps back"]
            differ = changes(project.assets, session.document.project.assets)
            found += [f"{len(differ)} changes"]
            found += [line for line in differ if "tracks" not in line and "sum" not in line][:4]
        if pictures:
            now = drawn.lines(self.model.draw_list())
            other = [
                line
                for line in now
                if line not in picture and not line.startswith(("bones", "meshes", "casters"))
            ]
            found += [f"draws {line}" for line in other[:SHOWN]]
        found += self._said
        self._said.clear()
        self.lines += [f"{what}:", *(f"    {line}" for line in found or ["nothing"])]

    @contextmanager
    def taken_back(self) -> Iterator[tuple]:
        """Something is done; afterwards all stands as before."""
        session, model = self.session, self.model
        bones, time, camera, setup = (
            session.selection.bones,
            session.playback.time,
            model.camera,
            model.tools.setup,
        )
        switches = {name: session.switches[name] for name in ("path_draw", "path_drag", "temporary_ik")}
        item = session.feature(Shot).selected
        before = self.moment()
        yield before
        if model.gestures.current is not None:
            self.input.cancel()
        while session.history.position > before[3] and session.undo():
            pass
        for name, on in switches.items():
            session.switches.set(name, on)
        model.tools.set(setup)
        session.playback.pause()
        session.playback.seek(time)
        model.controller.set_camera(camera)
        session.feature(Shot).select(item.id if item is not None else None)
        session.selection.select(bones)
        model.hover(None)
        self.hint = ""
        self._said.clear()

    # ------------------------------------------------------------ gestures
    def press(self, at: Pixel, button: Button = LEFT, held: Modifiers = NONE) -> None:
        self.input.press(Pointer(*at, button, held))

    def move(self, at: Pixel, button: Button = LEFT, held: Modifiers = NONE) -> None:
        self.input.move(Pointer(*at, button, held))

    def release(self, at: Pixel, button: Button = LEFT, held: Modifiers = NONE) -> None:
        self.input.release(Pointer(*at, button, held))

    def hover(self, at: Pixel) -> None:
        """The pointer comes to a place with no button held."""
        self.move(at, Button.NONE)

    def key(self, key: Qt.Key, text: str = "", held: Modifiers = NONE, pressed: bool = True) -> bool:
        return self.input.key(int(key), text, held, pressed, False)

    def drag(
        self, what: str, at: Pixel | None, button: Button = LEFT, held: Modifiers = NONE, far: Pixel = FAR,
        whole: bool = False,
    ) -> None:  # fmt: skip
        """A drag in two moves: under way and let go."""
        if at is None:
            self.lines.append(f"{what}: is not there")
            return
        with self.taken_back() as before:
            self.press(at, button, held)
            self.move((at[0] + far[0] / 2, at[1] + far[1] / 2), button, held)
            if whole:
                self.tell(f"{what} under way", before, pictures=True)
            to = at[0] + far[0], at[1] + far[1]
            self.move(to, button, held)
            status = self.state()
            self.release(to, button, held)
            self.tell(what, before)
            told = [f"{k} {status[k]!r}" for k in ("busy", "chip", "tool", "hint", "held") if status[k]]
            self.lines.append(f"    meanwhile {' '.join(told)}")

    def click(self, what: str, at: Pixel, button: Button = LEFT, held: Modifiers = NONE) -> None:
        """A click, and a second one soon after it."""
        with self.taken_back() as before:
            self.press(at, button, held)
            self.release(at, button, held)
            self.tell(what, before)
            before = self.moment()
            self.input.double_click(Pointer(*at, button, held))
            self.release(at, button, held)
            self.tell(f"{what}, a double click", before)

    def typed(self, what: str, at: Pixel, text: str, ends: Qt.Key, held: Modifiers = NONE) -> None:
        """Numbers typed in a drag, and a key that ends it."""
        with self.taken_back() as before:
            self.press(at, LEFT, held)
            for letter in text:
                code = {"\t": Qt.Key.Key_Tab, "\b": Qt.Key.Key_Backspace}.get(letter, Qt.Key.Key_A)
                self.key(code, letter)
            self.tell(f"{what} typed {text!r}", before)
            self.key(ends)
            self.tell(f"{what} typed {text!r}, {ends.name}", before)


def posed(names: tuple[str, ...], before: Pose, now: Pose) -> list[str]:
    """Bones that are moved, turned or scaled against their parents: millimetres, degrees, factors."""
    found = []
    for at, name in enumerate(names):
        words = []
        moved = (now.translations[at] - before.translations[at]) * 1000.0
        if np.abs(moved).max() > 1e-3:
            words.append(f"moved {' '.join(f'{v + 0.0:.1f}' for v in moved)} mm")
        turn = quat.multiply(quat.conjugate(before.rotations[at]), now.rotations[at])
        angle = math.degrees(2.0 * math.atan2(float(np.linalg.norm(turn[:3])), abs(float(turn[3]))))
        if angle > 1e-3:
            axis = turn[:3] / np.linalg.norm(turn[:3]) * (1.0 if turn[3] >= 0.0 else -1.0)
            words.append(f"turned {angle:.1f}° about {' '.join(f'{v:.2f}' for v in axis)}")
        factors = now.scales[at] / before.scales[at]
        if np.abs(factors - 1.0).max() > 1e-5:
            words.append(f"scaled {' '.join(number(v) for v in factors)}")
        if words:
            found.append(f"{name} {', '.join(words)}")
    return found


def problem_of(name: str, gestures: Callable[[ViewHands], None]) -> str:
    """What of gestures is not as approved, or nothing."""

    def told() -> list[str]:
        hands = ViewHands()
        try:
            gestures(hands)
            return hands.lines
        finally:
            hands.close()

    return approved.problem_of(f"gestures-{name.replace(' ', '-')}", told)

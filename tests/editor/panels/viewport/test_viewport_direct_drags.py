"""Temporary IK and path drag as a person does them: by mouse with a key held, by their modes, undone to the bit."""

from itertools import pairwise

import numpy as np
import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent

from core.ik import keyed
from core.math.transform import down_chain
from editor.gl import camera as cameras
from editor.panels.viewport.panel import PANEL as VIEW
from editor.tools.state import Setup, Tool
from tests.editor.panel_stage import Stage
from tests.editor.user import CTRL, SHIFT, User


class Scene:
    def __init__(self, qapp) -> None:
        self.stage = Stage(qapp)
        self.panel = self.stage.add(VIEW.create(self.stage.context))
        self.stage.show(520, 460)
        self.user, self.session = User(self.stage.window), self.stage.session
        self.model, self.view = self.panel.model, self.panel.view
        self.stage.tools.set(Setup(Tool.SELECT))
        self.session.playback.seek(30 / 30)
        self.user.settle()

    def place(self, bone: str, frame: float = 30) -> np.ndarray:
        skeleton = self.session.rig.skeleton
        local = self.session.evaluator.sampled_pose(frame / 30).local
        return down_chain(skeleton.parents, local).translation[skeleton.index(bone)]

    def pixel(self, place) -> tuple[float, float]:
        found, _ = cameras.project(self.model.camera, np.asarray(place), self.view.view_size)
        return float(found[0]), float(found[1])

    def on(self, bone: str) -> tuple[float, float]:
        """A pixel on which this bone is the one under the pointer."""
        x, y = self.pixel(self.place(bone, self.session.playback.frame))
        spots = [(x + dx, y + dy) for dx in range(-12, 13, 2) for dy in range(-12, 13, 2)]
        spots.sort(key=lambda p: (p[0] - x) ** 2 + (p[1] - y) ** 2)
        return next(p for p in spots if self.model.bones_at(p)[:1] == (bone,))

    def keys(self) -> dict[str, set[float]]:
        clip, times = self.session.clip, {}
        for channel, track in clip.tracks.items():
            times.setdefault(channel.bone, set()).update(np.round(track.times * 30, 3).tolist())
        return times


@pytest.fixture
def scene(qapp):
    made = Scene(qapp)
    yield made
    made.stage.close(qapp)


def test_v_held_pulls_a_hand_by_its_limb_and_by_more_with_shift_and_ctrl(scene):
    session, first = scene.session, scene.session.clip
    before, steps = scene.keys(), session.history.position
    expected = {
        0: {"upper_arm_l", "lower_arm_l", "hand_l"},
        1: {"spine", "chest", "upper_arm_l", "lower_arm_l", "hand_l"},
        2: {"pelvis"},
    }
    for way, modifiers in enumerate((None, SHIFT, CTRL)):
        start, hand = scene.on("hand_l"), scene.place("hand_l")
        more = {} if modifiers is None else {"modifiers": modifiers}
        with scene.user.holding("V"):
            away = (60, -20) if way == 2 else (-50, -40)  # the body follows where the arm is too short
            scene.user.drag(scene.view, start, (start[0] + away[0], start[1] + away[1]), **more)
        assert session.history.position == steps + 1
        assert np.linalg.norm(scene.place("hand_l") - hand) > 0.05
        now = scene.keys()
        changed = {bone for bone in now if now[bone] != before.get(bone, set())}
        fits = expected[way] <= changed if way == 2 else changed <= expected[way]
        assert changed and fits, (way, changed)
        assert all(now[bone] - before.get(bone, set()) == {30.0} for bone in changed)
        assert not keyed.driving(session.rig, session.clip.curves) and not session.rig.ik_setups
        assert session.selection.bones == ("hand_l",)
        after = session.clip
        session.undo()
        assert session.clip is first
        session.redo()
        assert session.clip is after
        session.undo()
        scene.user.settle()


def test_live_mirror_takes_temporary_ik_to_the_other_side(scene):
    session, first = scene.session, scene.session.clip
    session.switches.toggle("live_mirror")
    start, before = scene.on("hand_l"), scene.place("hand_r")
    with scene.user.holding("V"):
        scene.user.drag(scene.view, start, (start[0] - 50, start[1] - 40))
    left, right = scene.place("hand_l"), scene.place("hand_r")
    assert np.linalg.norm(right - before) > 0.05
    assert np.allclose(left * (-1, 1, 1), right, atol=1e-4)
    session.undo()
    assert session.clip is first


def test_v_goes_on_repeating_with_ctrl_and_pastes_nothing(scene, qapp):
    session = scene.session
    scene.user.move(scene.view, scene.on("hand_l"))
    with scene.user.holding("V"):
        repeat = QKeyEvent(QEvent.Type.ShortcutOverride, Qt.Key.Key_V, CTRL, "v", True)
        repeat.ignore()
        qapp.sendEvent(scene.view, repeat)
        assert repeat.isAccepted()  # so that no shortcut is looked for
        for kind in (
            QEvent.Type.KeyRelease,
            QEvent.Type.ShortcutOverride,
        ):  # a repeat that Qt did not see as one
            pair = QKeyEvent(kind, Qt.Key.Key_V, CTRL, "v", False)
            pair.setTimestamp(4711)
            pair.ignore()
            qapp.sendEvent(scene.view, pair)
        assert pair.isAccepted() and scene.model.pulling
        qapp.sendEvent(scene.view, QKeyEvent(QEvent.Type.KeyRelease, Qt.Key.Key_V, CTRL, "v", False))
        assert not scene.model.pulling  # released with Ctrl still held
    typed = QKeyEvent(QEvent.Type.ShortcutOverride, Qt.Key.Key_V, CTRL, "v", False)
    typed.ignore()
    qapp.sendEvent(scene.view, typed)
    assert not typed.isAccepted() and session.history.position == 0


def test_the_mode_drags_without_a_key_and_a_click_only_selects(scene):
    session, first = scene.session, scene.session.clip
    start = scene.on("foot_l")
    scene.user.move(scene.view, start)
    scene.user.press("Shift+V")
    assert session.switches["temporary_ik"]
    scene.user.click(scene.view, start)
    assert session.selection.bones == ("foot_l",) and session.clip is first
    session.selection.set_flag("locked", ("calf_l",))
    scene.user.drag(scene.view, start, (start[0] + 10, start[1] - 40))
    assert session.clip is first
    session.selection.set_flag("locked", ())
    scene.user.press_mouse(scene.view, start)
    scene.user.move_held((int(start[0]) + 10, int(start[1]) - 40))
    scene.user.press("Esc")
    scene.user.release_mouse((int(start[0]) + 10, int(start[1]) - 40))
    assert session.clip is first
    foot = scene.place("foot_l")
    scene.user.drag(scene.view, start, (start[0] + 10, start[1] - 40))
    assert np.linalg.norm(scene.place("foot_l") - foot) > 0.03 and session.clip is not first
    scene.user.press("Shift+V")
    assert not session.switches["temporary_ik"]


def test_ctrl_and_drag_pulls_the_path_around_a_dot(scene):
    session = scene.session
    session.switches.set("trails", True)
    session.selection.select(("hand_l",))
    session.playback.seek(50 / 30)
    scene.user.settle()
    first, steps = session.clip, session.history.position
    places = [scene.place("hand_l", f) for f in range(61)]
    start = scene.pixel(places[20])
    marks = []
    scene.user.press_mouse(scene.view, start, modifiers=CTRL)
    for step in (5, 15, 30):
        scene.user.move_held((int(start[0]), int(start[1]) - step), modifiers=CTRL)
    scene.user.type("25")
    marks.append(scene.model.scene.trails.window)
    scene.user.release_mouse((int(start[0]), int(start[1]) - 30), modifiers=CTRL)
    assert marks[0][1] == pytest.approx(25 / 30) and scene.model.scene.trails.window is None
    assert session.history.position == steps + 1 and session.playback.frame == pytest.approx(20)
    moved = [float(np.linalg.norm(scene.place("hand_l", f) - places[f])) for f in (0, 20, 40, 60)]
    assert moved[1] > 0.03 and 0.0 < moved[2] < moved[1] and moved[3] < 1e-9
    assert session.preferences.get("path_frames") == 25
    after = session.clip
    session.undo()
    assert session.clip is first
    session.redo()
    assert session.clip is after
    session.undo()
    # by key: the mode, and how many frames follow
    scene.user.move(scene.view, (30, 60))
    scene.user.press("Shift+PgUp")
    assert session.preferences.get("path_frames") == 31
    scene.user.press("Shift+PgDown")
    scene.user.press("Ctrl+Shift+T")
    assert session.switches["path_drag"] and session.preferences.get("path_frames") == 24
    scene.user.settle()
    start = scene.pixel(scene.place("hand_l", 20))
    scene.user.drag(scene.view, start, (start[0], start[1] - 30))
    assert np.linalg.norm(scene.place("hand_l", 40) - places[40]) > 1e-3
    scene.user.press_mouse(scene.view, scene.pixel(scene.place("hand_l", 20)))
    again = session.clip
    scene.user.move_held((int(start[0]) + 40, int(start[1])))
    scene.user.press("Esc")
    scene.user.release_mouse((int(start[0]) + 40, int(start[1])))
    assert session.clip is again and scene.model.scene.trails.window is None


def stroke_over(scene, bone, frames, lift):
    """Pixels of an arc by a bone's path between two frames: in the middle so many nearer to the shoulder."""
    shares = np.linspace(0.0, 1.0, 9)
    places = [scene.pixel(scene.place(bone, frames[0] + s * (frames[1] - frames[0]))) for s in shares]
    shoulder = np.array(scene.pixel(scene.place("upper_arm_l", frames[0])))
    made = []
    for place, part in zip(np.array(places), shares, strict=True):
        way = (shoulder - place) / np.linalg.norm(shoulder - place)
        made.append(tuple(place + lift * np.sin(np.pi * part) * way))
    return made


def draw(scene, pixels, modifiers=None):
    held = {} if modifiers is None else {"modifiers": modifiers}
    scene.user.press_mouse(scene.view, pixels[0], **held)
    for pixel in pixels[1:]:
        scene.user.move_held(pixel, **held)
    scene.user.release_mouse(pixels[-1], **held)


def test_arc_drawn_over_a_path_moves_the_keys_between_its_ends_onto_it(scene):
    session, clip = scene.session, scene.session.clip
    session.selection.select(("hand_l",))
    scene.user.move(scene.view, (20, 440))
    scene.user.press("Ctrl+Alt+T")
    assert session.switches["path_draw"] and session.switches["trails"]
    steps, far = session.history.position, {f: scene.place("hand_l", f) for f in (0, 60)}
    arc = stroke_over(scene, "hand_l", (20, 40), 14.0)
    draw(scene, arc, SHIFT)
    assert session.history.labels[-1] == "Draw path of hand_l" and session.history.position == steps + 1
    assert not session.switches["path_draw"], "only the next drag draws"
    for frame in range(22, 39, 4):
        seen = np.array(scene.pixel(scene.place("hand_l", frame)))
        line = np.array(arc)
        dense = np.concatenate([np.linspace(a, b, 40) for a, b in pairwise(line)])
        assert np.linalg.norm(dense - seen, axis=-1).min() < 1.5, frame
    keyed = scene.keys()["upper_arm_l"]
    assert set(np.arange(20.0, 41.0)) <= keyed
    for frame, place in far.items():
        assert scene.place("hand_l", frame) == pytest.approx(place, abs=1e-6)
    scene.user.press("Ctrl+Z")
    assert session.clip is clip
    scene.user.press("Ctrl+Shift+Z")
    assert session.history.labels[-1] == "Draw path of hand_l"


def test_arc_is_cancelled_by_escape_and_needs_a_bone(scene):
    session, clip = scene.session, scene.session.clip
    session.selection.select(())
    scene.user.move(scene.view, (20, 440))
    scene.user.press("Ctrl+Alt+T")
    draw(scene, [(100.0, 100.0), (200.0, 120.0)])
    assert session.clip is clip and not session.switches["path_draw"]
    session.selection.select(("hand_l",))
    scene.user.press("Ctrl+Alt+T")
    arc = stroke_over(scene, "hand_l", (20, 40), 14.0)
    scene.user.press_mouse(scene.view, arc[0])
    scene.user.move_held(arc[4])
    assert scene.model.scene.trails.stroke is not None
    scene.user.press("Esc")
    scene.user.release_mouse(arc[4])
    assert scene.model.scene.trails.stroke is None
    assert session.clip is clip and not session.switches["path_draw"]


def test_escape_before_the_stroke_makes_the_next_drag_an_ordinary_one(scene):
    scene.session.selection.select(("hand_l",))
    scene.user.move(scene.view, (20, 440))
    scene.user.press("Ctrl+Alt+T")
    assert scene.session.switches["path_draw"]
    scene.user.press("Esc")
    assert not scene.session.switches["path_draw"]
    assert scene.session.selection.bones == ("hand_l",), "the first Escape ends the mode alone"


def test_locked_limb_is_said_and_not_drawn(scene):
    session, clip = scene.session, scene.session.clip
    session.selection.select(("hand_l",))
    session.selection.set_flag("locked", ("upper_arm_l",))
    scene.user.move(scene.view, (20, 440))
    scene.user.press("Ctrl+Alt+T")
    draw(scene, stroke_over(scene, "hand_l", (20, 40), 14.0))
    assert session.clip is clip

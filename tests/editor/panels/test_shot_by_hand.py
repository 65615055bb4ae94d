"""The shot as a person works with it: cameras from the view, looked through, locked and keyed; props; characters."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QScrollArea, QWidget

from core.arrays import same_value
from core.ids import AssetId
from core.io.shot_files import read_prop
from core.math import quat
from core.math.transform import IDENTITY, Transform
from core.shot.camera import key_times, lens_at, view_at
from core.shot.character import ShotCharacter
from core.shot.prop import hold_at
from editor.actions.shot import actions as shot_actions
from editor.gl import camera as cameras
from editor.gl.shot_view import place_of
from editor.model.shot.importing import import_cameras, import_prop
from editor.model.shot.state import Shot
from editor.panels.shot.panel import PANEL as SHOT
from editor.panels.viewport.panel import PANEL as VIEW
from tests.core.io.camera_files import gltf_with_cameras
from tests.editor.panel_stage import Stage
from tests.editor.user import User

ALT = Qt.KeyboardModifier.AltModifier
BOX = "\n".join(
    ["o Box", *(f"v {x} {y} {z}" for x in (-0.1, 0.1) for y in (-0.1, 0.1) for z in (-0.1, 0.1)),
     "f 1 2 4 3", "f 5 7 8 6", "f 1 5 6 2", "f 3 4 8 7", "f 1 3 7 5", "f 2 6 8 4"]
)  # fmt: skip


KEYS = {action.id: action.shortcut[-1] for action in shot_actions() if action.shortcut}


class Scene:
    def __init__(self, qapp) -> None:
        self.stage = Stage(qapp)
        self.view_panel = self.stage.add(VIEW.create(self.stage.context), 3)
        self.panel = self.stage.add(SHOT.create(self.stage.context), 3)
        self.stage.show(700, 1000)
        self.user, self.session = User(self.stage.window), self.stage.session
        self.model, self.view = self.view_panel.model, self.view_panel.view
        self.shot = self.session.feature(Shot)
        self.user.settle()

    def steps(self, times: int = 1) -> None:
        """Undo and redo: the document is as before each, then as it was, by value."""
        history, document = self.session, self.session.document
        after = document.project
        for _ in range(times):
            history.undo()
        before = document.project
        for _ in range(times):
            history.redo()
        assert same_value(document.project, after)
        assert not same_value(before, after)

    def press(self, keys: str) -> None:
        self.user.move(self.view, (20, 200))
        self.user.press(keys, self.view)
        self.user.settle()

    def field(self, name: str) -> QWidget:
        found = self.panel.findChild(QWidget, name)
        self.panel.findChild(QScrollArea).ensureWidgetVisible(found)
        self.user.settle()
        return found

    def click(self, name: str) -> None:
        found = self.field(name)
        self.user.click(found, (8, 8) if isinstance(found, QCheckBox) else None)
        self.user.settle()

    def seen(self):
        """Position and rotation of the eye of the view."""
        return place_of(self.model.camera)

    def at(self, matrix) -> tuple[float, float]:
        """The pixel at which something stands."""
        pixel, _ = cameras.project(self.model.camera, np.asarray(matrix)[:3, 3], self.view.view_size)
        return float(pixel[0]), float(pixel[1])


@pytest.fixture
def scene(qapp):
    made = Scene(qapp)
    yield made
    made.stage.close(qapp)


@pytest.fixture(scope="module")
def box(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("props") / "box.obj"
    path.write_text(BOX)
    return path


def test_a_camera_from_the_view_is_looked_through_locked_and_keyed(scene) -> None:
    place, turn = scene.seen()
    scene.user.click("emptyButton")
    scene.user.settle()
    (camera,) = scene.shot.cameras
    assert scene.shot.through and scene.field("shotThrough").isChecked()
    assert not scene.field("shotLock").isChecked()
    assert np.abs(view_at(camera, 0.0).position - place).max() < 1e-9
    assert quat.angle_between(view_at(camera, 0.0).rotation, turn) < 1e-7
    assert np.abs(scene.seen()[0] - place).max() < 1e-9  # creating it moves nothing
    frame = scene.view_panel.camera_frame
    assert frame.isVisible() and frame.words == camera.name
    scene.steps()
    scene.click("shotThrough")  # undo took the camera away, and the view from it

    scene.click("shotLock")
    size = scene.view.view_size
    start = (size[0] / 2.0, size[1] - 30.0)
    scene.user.drag(scene.view, start, (start[0] + 60.0, start[1] - 20.0), modifiers=ALT)
    moved = scene.shot.camera
    assert np.abs(view_at(moved, 0.0).position - place).max() > 0.05
    assert np.abs(view_at(moved, 0.0).position - scene.seen()[0]).max() < 1e-9
    assert scene.shot.through
    scene.steps()
    scene.session.undo()
    scene.user.settle()
    assert np.abs(scene.seen()[0] - place).max() < 1e-9
    scene.session.redo()

    scene.press("Ctrl+Alt+Shift+K")
    assert key_times(scene.shot.camera).tolist() == [0.0]
    scene.steps()
    scene.session.playback.seek(0.5)
    scene.user.wheel(scene.view, 2, start)
    scene.user.settle()
    assert key_times(scene.shot.camera).tolist() == [0.0, 0.5]  # what is keyed gets keys
    scene.session.playback.seek(0.0)
    scene.user.settle()
    assert np.abs(scene.seen()[0] - view_at(scene.shot.camera, 0.0).position).max() < 1e-9

    scene.user.type_into(scene.field("shotLens"), "85")
    assert lens_at(scene.shot.camera, 0.0) == pytest.approx(85.0)
    scene.steps()
    scene.user.type_into(scene.field("shotFov"), "60")
    assert 2.0 * np.degrees(np.arctan(36.0 / 2.0 / lens_at(scene.shot.camera, 0.0))) == pytest.approx(60.0)


def test_moving_the_view_leaves_a_camera_that_is_not_locked(scene) -> None:
    before = scene.model.camera
    scene.press("Ctrl+Alt+Shift+C")
    camera = scene.shot.camera
    assert camera is not None and scene.shot.through
    scene.press("Ctrl+Alt+L")
    assert not scene.shot.through
    assert scene.model.camera == before  # the view is where it was
    scene.press("Ctrl+Alt+L")
    scene.user.wheel(scene.view, 1, (100.0, 200.0))
    scene.user.settle()
    assert not scene.shot.through
    assert scene.shot.camera is camera
    assert not scene.view_panel.camera_frame.isVisible()


def test_escape_takes_a_move_of_a_locked_camera_back(scene) -> None:
    scene.press("Ctrl+Alt+Shift+C")
    scene.shot.lock(True)
    before, steps = scene.session.document.project, scene.session.history.position
    scene.user.press_mouse(scene.view, (200, 300), modifiers=ALT)
    scene.user.move_held((260, 320), modifiers=ALT)
    assert scene.shot.camera is not None
    scene.user.press("Escape", scene.view)
    scene.user.release_mouse((260, 320))
    assert scene.session.document.project is before
    assert scene.session.history.position == steps


def test_a_prop_is_picked_moved_attached_and_released(scene, box) -> None:
    import_prop(scene.session, box)
    scene.user.settle()
    (prop,) = scene.shot.props
    assert scene.shot.selected is prop
    scene.steps()
    scene.session.undo()
    scene.session.redo()
    scene.shot.select(None)
    scene.session.selection.select(["hand_l"])
    rig = scene.session.rig
    scene.model.frame_all()
    scene.user.settle()
    scene.user.click_row("shotList", "box")
    scene.user.settle()
    assert scene.shot.selected is not None and not scene.session.selection.bones

    start = scene.shot.matrix(scene.shot.selected)
    scene.press("W")
    gizmo = scene.model.gizmo()
    assert gizmo is not None
    middle = scene.at(start)
    scene.user.drag(scene.view, middle, (middle[0] + 50.0, middle[1] - 20.0))
    moved = scene.shot.matrix(scene.shot.selected)
    assert np.linalg.norm(moved[:3, 3] - start[:3, 3]) > 0.01
    scene.steps()

    scene.press("Ctrl+Alt+G")
    held = scene.shot.selected
    assert hold_at(held, 0.0).bone == "hand_l"
    assert np.abs(scene.shot.matrix(held) - moved).max() < 1e-9  # attaching moves nothing
    scene.steps()
    for time in (0.2, 0.5, 0.9):
        scene.session.playback.seek(time)
        bone = scene.shot.bone_matrix(rig.id, "hand_l")
        offset = np.linalg.solve(bone, scene.shot.matrix(scene.shot.selected))
        assert np.abs(offset - np.linalg.solve(scene_bone(scene, 0.0), moved)).max() < 1e-9
    scene.session.playback.seek(0.5)
    there = scene.shot.matrix(scene.shot.selected)
    scene.press("Ctrl+Alt+Shift+G")
    scene.session.playback.seek(0.9)
    assert (
        np.abs(scene.shot.matrix(scene.shot.selected) - there).max() < 1e-9
    )  # it stays where it was released
    scene.session.playback.seek(0.2)
    assert hold_at(scene.shot.selected, 0.2).bone == "hand_l"
    scene.steps()
    scene.click("shotHold1")
    assert [hold.bone for hold in scene.shot.selected.holds] == ["hand_l"]
    assert not scene.field("shotHold0").isEnabled()  # a prop stands somewhere
    scene.steps()


def scene_bone(scene, time: float):
    """World matrix of the hand at a time; the playhead stays where it is."""
    now = scene.session.playback.time
    scene.session.playback.seek(time)
    found = scene.shot.bone_matrix(scene.session.rig.id, "hand_l")
    scene.session.playback.seek(now)
    return found


def test_a_prop_attached_over_the_play_range_is_left_where_the_hand_leaves_it(scene, box) -> None:
    import_prop(scene.session, box)
    scene.session.selection.select(["hand_l"])
    scene.shot.select(scene.shot.props[0].id)
    scene.session.playback.set_range(0.2, 0.6)
    scene.session.playback.seek(0.2)
    scene.click("shotAttachRange")
    prop = scene.shot.selected
    assert [hold.bone for hold in prop.holds] == [None, "hand_l", None]
    scene.session.playback.seek(0.6 - 1e-9)
    carried = scene.shot.matrix(prop)
    scene.session.playback.set_range(None)
    scene.session.playback.seek(0.9)
    assert np.abs(scene.shot.matrix(prop) - carried).max() < 1e-6
    scene.steps()
    scene.click("shotAttachAlways")
    assert [hold.bone for hold in scene.shot.selected.holds] == ["hand_l"]
    scene.user.click("shotRemove")
    assert not scene.shot.props
    scene.steps()


def test_a_click_in_the_view_selects_a_prop_and_a_click_beside_it_does_not(scene, box) -> None:
    far = replace(read_prop(box), id=AssetId("prop-far"))
    far = replace(
        far, holds=(replace(far.holds[0], offset=Transform(np.array([1.5, 0.5, 0.0]), *IDENTITY[1:])),)
    )
    scene.shot.put("Add", far)
    scene.model.frame_all()
    scene.user.settle()
    place = scene.at(scene.shot.matrix(far))
    scene.user.click(scene.view, place)
    assert scene.shot.selected is far
    scene.press("Q")
    scene.user.click(scene.view, (place[0], place[1] + 120.0))
    assert scene.shot.selected is None


def test_what_stands_still_is_drawn_from_the_same_values(scene, box) -> None:
    import_prop(scene.session, box)
    scene.session.feature(Shot).add_camera(np.array([0.0, 1.0, 4.0]), quat.IDENTITY, 35.0)
    scene.shot.look_through(False)
    first = scene.model.draw_list()
    scene.session.playback.seek(0.5)
    second = scene.model.draw_list()
    assert first is not second
    assert first.meshes[-1] is second.meshes[-1]  # nothing of the prop goes to the graphics card again


def test_a_second_character_plays_its_clip_beside_the_first(scene) -> None:
    rig, clip = scene.session.rig, scene.session.clip
    other = ShotCharacter(
        AssetId("shot_character-1"), "double", "", rig.id, clip.id, offset=0.25,
        place=Transform(np.array([1.0, 0.0, 0.0]), *IDENTITY[1:]),
    )  # fmt: skip
    scene.shot.add(other)
    scene.session.playback.seek(0.5)
    scene.user.settle()
    found = scene.panel.model.characters.appearance(scene.shot.characters[0], 0.5)
    pose = scene.session.evaluator.sampled_pose(0.25)
    assert np.abs(found.pose.rotations - pose.rotations).max() < 1e-12
    own = len(scene.model.scene.meshes())
    assert len(scene.model.draw_list().meshes) == 2 * own
    scene.click("shotGhosted")
    assert len(scene.model.draw_list().meshes) == own and scene.model.draw_list().ghosts
    scene.steps()
    scene.user.type_into(scene.field("shotOffset"), "12")
    assert scene.shot.characters[0].offset == pytest.approx(12 / scene.session.playback.rate.fps)
    scene.steps()


def test_a_second_characters_clip_is_chosen_or_its_rest_pose(scene) -> None:
    rig, clip = scene.session.rig, scene.session.clip
    scene.shot.add(ShotCharacter(AssetId("shot_character-1"), "double", "", rig.id, clip.id))
    scene.user.settle()
    box = scene.field("shotClip")
    assert box.currentText() == clip.name
    for text, wanted in (("Rest pose", None), (clip.name, clip.id)):
        scene.user.press("Down" if box.findText(text) else "Up", box)
        assert scene.shot.characters[0].clip == wanted and box.currentText() == text
        assert scene.session.history.labels[-1].startswith("Clip")
        scene.steps()


def test_a_character_whose_file_is_gone_says_so(scene, tmp_path) -> None:
    gone = str(tmp_path / "gone.glb")
    scene.shot.add(ShotCharacter(AssetId("shot_character-1"), "double", gone))
    scene.user.wait_until(lambda: "gone.glb" in scene.field("shotProblem").text())
    scene.user.wait_until(lambda: not scene.session.jobs.running)
    scene.user.settle()
    note = scene.field("shotProblem")
    assert note.isVisible() and note.text() and not note.text().startswith("reading")
    scene.shot.add(ShotCharacter(AssetId("shot_character-2"), "double", "", scene.session.rig.id))
    scene.user.settle()
    assert not scene.field("shotProblem").isVisible()


def test_files_that_hold_nothing_for_the_shot_say_so(scene, tmp_path) -> None:
    path = tmp_path / "none.gltf"
    path.write_text('{"asset": {"version": "2.0"}, "nodes": [{"name": "a"}]}')
    import_cameras(scene.session, path)
    import_prop(scene.session, path)
    texts = " ".join(str(message) for message in scene.session.messages.log)
    assert "it holds no camera" in texts and "it holds no mesh" in texts
    scene.shot.add(ShotCharacter(AssetId("shot_character-2"), "gone", str(tmp_path / "gone.glb")))
    scene.user.settle()
    assert "gone.glb is not there" in scene.panel.model.characters.problem(scene.shot.characters[0])


def test_cameras_of_a_file_are_added_in_one_step(scene, tmp_path) -> None:
    import_cameras(scene.session, gltf_with_cameras(tmp_path / "cameras.gltf"))
    assert [camera.name for camera in scene.shot.cameras] == ["Shot"]
    assert key_times(scene.shot.cameras[0]).tolist() == [0.0, 1.0]
    scene.steps()


def test_the_eye_hides_and_a_double_click_renames(scene, box) -> None:
    import_prop(scene.session, box)
    scene.user.settle()
    shown = len(scene.model.draw_list().meshes)
    row = scene.user.find("shotList").topLevelItem(0)
    assert row.toolTip(2) == "Hide"
    scene.user.click_row("shotList", "box", column=2)
    assert not scene.shot.props[0].visible and row.toolTip(2) == "Show"
    assert len(scene.model.draw_list().meshes) == shown - 1
    scene.steps()
    scene.user.click_row("shotList", "box", column=2)
    assert scene.shot.props[0].visible
    scene.user.click_row("shotList", "box", double=True)
    scene.user.press("Ctrl+A")
    scene.user.type("crate")
    scene.user.press("Return")
    assert scene.shot.props[0].name == "crate"
    scene.steps()


def test_cameras_take_turns_and_keys_are_deleted_at_the_playhead(scene) -> None:
    scene.press(KEYS["view.camera_new"])
    first = scene.shot.camera
    scene.shot.add_camera(np.array([0.0, 1.0, 5.0]), quat.IDENTITY, 50.0)
    second = scene.shot.camera
    assert second.id != first.id and second.name != first.name
    scene.press(KEYS["shot.next_camera"])
    assert scene.shot.camera.id == first.id and scene.shot.through
    assert np.abs(scene.seen()[0] - view_at(first, 0.0).position).max() < 1e-9
    scene.press(KEYS["shot.key_camera"])
    assert key_times(scene.shot.camera).tolist() == [0.0]
    scene.click("shotUnkey")
    assert not scene.shot.camera.keyed
    scene.steps()
    assert scene.field("shotSafe").isChecked() == scene.session.switches["safe_frame"]
    scene.click("shotSafe")
    assert not scene.session.switches["safe_frame"]


def test_a_camera_is_moved_by_numbers_and_by_the_gizmo(scene) -> None:
    scene.shot.add_camera(np.array([0.6, 1.0, 0.4]), quat.IDENTITY, 50.0)
    scene.shot.look_through(False)
    scene.model.frame_all()
    scene.user.settle()
    scene.user.type_into(scene.field("shot_position_y"), "0.8")
    assert view_at(scene.shot.camera, 0.0).position.tolist() == pytest.approx([0.6, 0.8, 0.4])
    scene.steps()
    scene.user.type_into(scene.field("shot_rotation_y"), "30")
    turned = quat.to_matrix(view_at(scene.shot.camera, 0.0).rotation)
    assert turned[:, 2] == pytest.approx([0.5, 0.0, np.sqrt(0.75)], abs=1e-6)
    scene.press("W")
    middle = scene.at(scene.shot.matrix(scene.shot.camera))
    before = scene.session.document.project
    scene.user.press_mouse(scene.view, middle)
    scene.user.move_held((middle[0] + 40.0, middle[1]))
    scene.user.press("Escape", scene.view)
    scene.user.release_mouse((middle[0] + 40.0, middle[1]))
    assert scene.session.document.project is before
    scene.user.drag(scene.view, middle, (middle[0] - 40.0, middle[1]))
    assert np.abs(view_at(scene.shot.camera, 0.0).position - [0.6, 0.8, 0.4]).max() > 0.01
    scene.steps()

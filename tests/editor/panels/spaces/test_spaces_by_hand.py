"""Space switching as a person does it: by the panel and by keys, posed within the span, undone and done again."""

from dataclasses import replace

import numpy as np
import pytest

from core.clips.clip import Channel, Property
from core.io import load, save
from core.math.transform import down_chain
from core.rig.rig import VirtualBone
from core.rig.spaces import WORLD
from core.tracks.keys import scalar_track
from editor.model.spaces import Spaces
from editor.panels.spaces.panel import PANEL as SPACES
from editor.panels.viewport.panel import PANEL as VIEW
from tests.editor.panel_stage import Stage, small_session
from tests.editor.user import User


class Scene:
    """The viewport beside the panel, with a clip in which the pelvis walks away under the arm."""

    def __init__(self, qapp) -> None:
        session = small_session()
        clip, times = session.clip, [0.0, 1.0, 2.0]
        walk = {Channel("pelvis", Property.TRANSLATE, 2): scalar_track(times, [0.0, 0.2, 0.3])}
        session.document.replace(session.document.project.with_assets(clip.with_tracks(walk)), None)
        self.stage = Stage(qapp, session)
        self.view = self.stage.add(VIEW.create(self.stage.context), 3)
        self.panel = self.stage.add(SPACES.create(self.stage.context), 3)
        self.stage.show(520, 900)
        self.user, self.session = User(self.stage.window), session

    @property
    def spans(self):
        clip = self.session.clip
        return [
            (s.bone, s.space, round(clip.rate.to_frame(s.start), 3), round(clip.rate.to_frame(s.end), 3))
            for s in self.session.feature(Spaces).spans()
        ]

    def place(self, bone: str, frame: float) -> np.ndarray:
        skeleton = self.session.rig.skeleton
        local = self.session.evaluator.sampled_pose(frame / 30.0).local
        return down_chain(skeleton.parents, local).translation[skeleton.index(bone)]

    def select(self, *bones: str, frame: float) -> None:
        self.session.selection.select(bones)
        self.session.playback.seek(frame / 30.0)
        self.user.settle()

    def key(self, keys: str) -> None:
        self.user.move(self.view.view, (30, 60))
        self.user.press(keys)
        self.user.wait_until(lambda: not self.session.edit_jobs.busy, "the edit did not end")

    def click(self, name: str) -> None:
        self.user.click(name)
        self.user.wait_until(lambda: not self.session.edit_jobs.busy, "the edit did not end")


@pytest.fixture
def scene(qapp):
    made = Scene(qapp)
    yield made
    made.stage.close(qapp)


def test_a_hand_is_switched_posed_released_and_baked_by_keys(scene, tmp_path):
    session, first = scene.session, scene.session.document.project
    scene.select("hand_l", frame=10)
    before = [scene.place("hand_l", f) for f in range(61)]
    scene.key("Shift+J")
    assert scene.spans == [("hand_l", "world", 10, 60)]
    after = [scene.place("hand_l", f) for f in range(61)]
    assert np.abs(np.array(after[:11]) - before[:11]).max() < 1e-5
    assert np.abs(np.array(after[10:]) - after[10]).max() < 1e-5 < np.abs(np.array(before) - before[10]).max()
    live = session.document.project
    session.undo()
    assert session.document.project.assets == first.assets
    session.redo()
    assert session.document.project.assets == live.assets

    # posed in the span, the bone gets its key in the space
    session.playback.seek(1.0)
    pose = session.evaluator.pose()
    lifted = np.array(pose.rotations)
    number = session.rig.skeleton.index("upper_arm_l")
    lifted[number] = [0.0, 0.0, np.sin(0.2), np.cos(0.2)]
    tracks = session.clip.tracks
    assert session.keying.commit_pose(
        "Lift", pose.with_local(pose.local._replace(rotation=lifted)), ["upper_arm_l"]
    )
    assert session.clip.tracks == tracks
    wanted = down_chain(session.rig.skeleton.parents, pose.local._replace(rotation=lifted)).translation
    assert np.abs(scene.place("hand_l", 30) - wanted[session.rig.skeleton.index("hand_l")]).max() < 1e-5
    assert np.abs(scene.place("hand_l", 10) - after[10]).max() < 1e-9

    # a pose dragged elsewhere shows the hand where it stays
    moved = np.array(session.evaluator.pose().translations)
    moved[0] += (0.0, 0.03, 0.0)
    held = scene.place("hand_l", 30)
    session.preview.set_pose(
        session.evaluator.pose().with_local(session.evaluator.pose().local._replace(translation=moved))
    )
    shown = down_chain(session.rig.skeleton.parents, session.evaluator.pose().local).translation
    assert np.abs(shown[session.rig.skeleton.index("hand_l")] - held).max() < 1e-5
    session.preview.clear()

    # the file knows it, and so does what plays it
    save(session.document.project, tmp_path / "held.posewright")
    again = load(tmp_path / "held.posewright").project
    assert [s.name for s in again.rigs[0].ik_setups] == ["hand_l in world"]
    assert again.clips[0].curves.keys() == session.clip.curves.keys()

    scene.select("hand_l", frame=45)
    seen = [scene.place("hand_l", f) for f in range(46)]
    scene.key("Alt+J")
    assert scene.spans == [("hand_l", "world", 10, 45)]
    assert np.abs(np.array([scene.place("hand_l", f) for f in range(46)]) - seen).max() < 1e-5
    every = [scene.place("hand_l", f) for f in range(61)]
    scene.key("Ctrl+J")
    assert scene.spans == [] and session.rig.ik_setups == () and not session.clip.curves
    assert np.abs(np.array([scene.place("hand_l", f) for f in range(61)]) - every).max() < 1e-5
    for _ in range(4):
        session.undo()
    assert session.document.project.assets == first.assets


def test_the_panel_switches_lists_and_bakes_by_mouse(scene):
    session = scene.session
    assert scene.panel.empty.isVisible() and not scene.panel.tree.isVisible()
    scene.select("hand_l", frame=12)
    box = scene.panel.target
    box.setCurrentIndex(box.findData("pelvis"))
    box.activated.emit(box.currentIndex())
    scene.user.type_into("spacesFrames", "20")
    first = session.document.project
    scene.click("spacesSwitch")
    assert scene.spans == [("hand_l", "pelvis", 12, 32)]
    before = scene.place("hand_l", 12) - scene.place("pelvis", 12)
    assert np.abs(scene.place("hand_l", 30) - scene.place("pelvis", 30) - before).max() < 1e-5
    tree = scene.panel.tree
    assert [tree.topLevelItem(0).text(k) for k in range(3)] == ["hand_l", "pelvis", "12 – 32"]
    scene.select("head", frame=40)
    rect = tree.visualItemRect(tree.topLevelItem(0))
    scene.user.click(tree.viewport(), rect.center())
    assert session.selection.bones == ("hand_l",) and session.playback.frame == 12
    scene.click("spacesRelease")
    assert scene.spans == []
    session.undo()
    scene.user.settle()
    scene.click("spacesBakeNow")
    assert (
        scene.spans == []
        and np.abs(scene.place("hand_l", 30) - scene.place("pelvis", 30) - before).max() < 1e-5
    )
    session.undo()
    session.undo()
    assert session.document.project.assets == first.assets
    scene.user.settle()
    # kept motion, baked at once: keys, and nothing moves
    places = [scene.place("hand_l", f) for f in range(61)]
    motions = [scene.user.find("spacesHold"), scene.user.find("spacesKeep")]
    assert [button.isChecked() for button in motions] == [True, False]
    scene.user.click("spacesKeep")
    assert [button.isChecked() for button in motions] == [False, True]
    scene.user.click("spacesBake", (9, 10))
    scene.click("spacesSwitch")
    assert scene.spans == [] and session.document.project.assets != first.assets
    assert np.abs(np.array([scene.place("hand_l", f) for f in range(61)]) - places).max() < 1e-5


def test_two_selected_bones_and_what_cannot_be(scene):
    scene.select("hand_r", "hand_l", frame=0)
    scene.key("J")
    assert scene.spans == [("hand_r", "hand_l", 0, 60)]
    scene.session.undo()
    scene.select("chest", "hand_l", frame=0)
    scene.key("J")
    assert scene.spans == []
    scene.select("hand_r", frame=5)
    scene.session.selection.set_flag("locked", ("hand_r",))
    scene.key("Shift+J")
    assert scene.spans == []


def test_a_bone_to_follow_that_goes_leaves_the_world(scene):
    session, box = scene.session, scene.panel.target
    rig = session.rig
    made = VirtualBone("between", "hand_l", "hand_r")
    session.edits.put("virtual", replace(rig, virtual_bones=(made,)))
    scene.select("hand_l", frame=0)
    box.setFocus()
    scene.user.press("End")
    assert box.currentData() == "between" == scene.panel.model.target
    session.undo()
    scene.user.settle()
    assert box.findData("between") < 0
    assert box.currentText() == "World" and scene.panel.model.target == WORLD
    scene.select("hand_l", frame=0)
    scene.click("spacesSwitch")
    assert [space for _, space, _, _ in scene.spans] == [WORLD]

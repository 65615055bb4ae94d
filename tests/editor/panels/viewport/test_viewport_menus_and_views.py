"""Standard views by tweens, the menu of the right button, a camera that follows, skinning on the processor."""

import os
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QVariantAnimation

from core.clips.clip import Channel, Property, RootMotion
from core.tracks.keys import scalar_track
from editor.gl import camera as cameras
from editor.gl.camera import Camera, View
from editor.gl.capture import OffscreenRenderer
from editor.gl.colors import DARK
from editor.panels.viewport.panel import PANEL
from tests.editor.panel_stage import Stage
from tests.editor.user import ALT, RIGHT, User


class Scene:
    def __init__(self, qapp) -> None:
        self.stage = Stage(qapp)
        self.panel = self.stage.add(PANEL.create(self.stage.context))
        self.stage.show(700, 500)
        self.user = User(self.stage.window)
        self.session = self.stage.session
        self.model = self.panel.model
        self.view = self.panel.view
        self.user.settle()
        self.model.frame_all()
        self.user.settle()

    def pixel(self, bone: str, along: float = 0.4) -> tuple[float, float]:
        """A place on a bone as drawn."""
        index = self.session.rig.skeleton.index(bone)
        matrices = self.model.matrices()
        tip = self.model.character.tips(self.session.rig.skeleton)[index]
        place = matrices[index, :3, 3] + matrices[index, :3, :3] @ tip * along
        pixels, _ = cameras.project(self.model.camera, place[None], self.model.controller.size)
        return float(pixels[0, 0]), float(pixels[0, 1])


@pytest.fixture
def scene(qapp):
    made = Scene(qapp)
    yield made
    made.stage.close(qapp)


def test_a_view_that_cannot_draw_says_why(scene, monkeypatch):
    scene.view.failed.emit("OpenGL 3.3 is missing")
    latest = scene.session.messages.latest
    assert (latest.text, latest.next_step) == ("The viewport cannot draw", "OpenGL 3.3 is missing")
    assert scene.panel._empty_text() == ""
    monkeypatch.setattr(scene.view, "problem", "no context")
    assert scene.panel._empty_text() == "Nothing can be drawn: no context"


def test_standard_view_is_reached_exactly_by_a_tween(scene, monkeypatch):
    monkeypatch.delenv("POSEWRIGHT_STILL")
    before, seen = scene.model.camera, []
    drop = scene.model.controller.moved.connect(lambda _: seen.append(scene.model.camera))
    scene.user.move(scene.view, (350, 250))
    scene.stage.actions.run("view.top")
    assert scene.model.camera == before  # it has only begun
    goal = cameras.standard_view(before, View.TOP)
    scene.user.wait_until(lambda: scene.model.camera == goal, "the view is not reached")
    drop()
    pitches = [camera.pitch for camera in seen]
    assert len(seen) >= 2 and seen[0] != goal and pitches == sorted(pitches)  # few frames on a busy machine


def test_navigating_ends_a_camera_tween(scene, monkeypatch):
    monkeypatch.delenv("POSEWRIGHT_STILL")
    scene.stage.actions.run("view.front")
    scene.user.drag(scene.view, (350, 250), (420, 260), modifiers=ALT)
    rested = scene.model.camera
    scene.user.wait_until(
        lambda: scene.panel._tween._move.state() is QVariantAnimation.State.Stopped, "it still moves"
    )
    assert scene.model.camera == rested and cameras.view_name(rested) is None


def test_right_click_on_a_bone_selects_it_and_offers_what_can_be_done(scene):
    scene.user.click(scene.view, scene.pixel("lower_arm_l"), button=RIGHT)
    assert scene.session.selection.bones == ("lower_arm_l",)
    scene.user.choose_in_popup("Hide bones")
    assert scene.session.selection.hidden == {"lower_arm_l"}


def test_right_click_beside_the_character_offers_views(scene):
    scene.session.selection.select(["pelvis"])
    scene.user.click(scene.view, (25, 470), button=RIGHT)
    assert scene.session.selection.bones == ("pelvis",)
    scene.user.choose_in_popup("Right")
    assert cameras.view_name(scene.model.camera) is View.RIGHT


def test_right_button_still_takes_a_drag_back_and_zooms_with_alt(scene):
    camera = scene.model.camera
    scene.user.drag(scene.view, (350, 250), (420, 260), modifiers=ALT, release=False)
    scene.user.click(scene.view, (420, 260), button=RIGHT)
    scene.user.release_mouse((420, 260))
    assert scene.model.camera == camera
    scene.user.drag(scene.view, (350, 250), (350, 200), button=RIGHT, modifiers=ALT)
    assert scene.model.camera.distance != camera.distance


def test_silhouette_and_flip_are_switches_of_the_view(scene):
    lit = scene.user.picture(scene.view)
    scene.stage.actions.run("view.silhouette")
    scene.user.settle()
    assert scene.stage.actions.is_checked("view.silhouette")
    assert not np.array_equal(lit, scene.user.picture(scene.view))
    scene.stage.actions.run("view.flip")
    assert scene.model.camera.mirrored and scene.stage.actions.is_checked("view.flip")


def test_camera_follows_over_the_ground_where_switched_on(scene):
    session = scene.session
    path = scalar_track([0.0, 2.0], [0.0, 3.0])
    clip = replace(
        session.clip,
        tracks={Channel("pelvis", Property.TRANSLATE, 2): path, **session.clip.tracks},
        root_motion=RootMotion(True),
    )
    session.edits.put("walk", clip)
    session.playback.in_place = False
    before = np.array(scene.model.camera.target)
    session.playback.seek(0.5)
    assert np.array_equal(scene.model.camera.target, before)
    session.playback.seek(0.0)
    session.switches.set("follow", True)
    session.playback.seek(1.0)
    walked = session.evaluator.world()[:3, 3]
    moved = np.array(scene.model.camera.target) - before
    np.testing.assert_allclose(moved, walked * [1.0, 0.0, 1.0], atol=1e-9)
    session.playback.seek(0.0)
    np.testing.assert_allclose(scene.model.camera.target, before, atol=1e-9)


def test_skinning_on_the_processor_by_environment_gives_the_same_picture(scene, monkeypatch):
    frame = scene.model.draw_list()
    pictures = []
    for how in ("", "cpu"):
        monkeypatch.setitem(os.environ, "POSEWRIGHT_SKINNING", how)
        with OffscreenRenderer(samples=0) as capture:
            assert capture.renderer.cpu_skinning == (how == "cpu")
            pictures.append(capture.render(frame, Camera(), (160, 120), DARK).astype(int))
    assert np.abs(pictures[0] - pictures[1]).mean() < 0.5 and pictures[0].std() > 5

"""Simulating to keys as a person does: tried out in the view, compared, baked as a layer in one step, undone."""

import sys
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtWidgets import QScrollArea, QWidget

from core.blending.layer_stack import LayerMode
from core.clips.clip import Channel, Property
from core.evaluation.clip_pipeline import stack_of
from core.math import quat
from core.physics import engine
from core.rig.propose_bodies import propose_bodies
from core.tracks.keys import scalar_track
from editor.model.ragdoll.bodies import Bodies
from editor.model.ragdoll.simulating import Simulating
from editor.panels.bodies.panel import PANEL as BODIES
from editor.panels.simulate.panel import PANEL as SIMULATE
from editor.panels.viewport.panel import PANEL as VIEW
from tests.editor.panel_stage import Stage
from tests.editor.user import User


class Scene:
    def __init__(self, qapp) -> None:
        self.stage = Stage(qapp)
        self.session = self.stage.session
        self.session.edit_jobs.grace = 400.0
        rig, clip = self.session.rig, self.session.clip
        times = np.linspace(0.0, 1.0, 31)
        shaken = scalar_track(times, 0.3 * np.sin(9.0 * times))
        tracks = {**clip.tracks, Channel("pelvis", Property.TRANSLATE, 0): shaken}
        clip = replace(clip, length=1.0, looping=False, tracks=tracks)
        self.session.edits.put("prepared", replace(rig, body_plan=propose_bodies(rig)), clip)
        self.view = self.stage.add(VIEW.create(self.stage.context), 1)
        self.panel = self.stage.add(SIMULATE.create(self.stage.context), 3)
        self.stage.show(620, 1000)
        self.user = User(self.stage.window)
        self.simulating = self.session.feature(Simulating)

    @property
    def clip(self):
        return self.session.clip

    def select(self, *bones: str) -> None:
        self.session.selection.select(bones)
        self.user.settle()

    def field(self, name: str) -> QWidget:
        found = self.panel.findChild(QWidget, name)
        self.panel.findChild(QScrollArea).ensureWidgetVisible(found)
        self.user.settle()
        return found

    def simulate(self) -> None:
        self.user.click(self.field("simulateRun"))
        self.user.wait_until(lambda: self.simulating.job is None, "the simulation did not end")
        self.user.settle()

    def drawn(self, frame: float) -> np.ndarray:
        self.session.playback.seek(frame / 30.0)
        self.user.settle()
        return np.array(self.view.model.scene.matrices())

    def turned(self, frame: float) -> np.ndarray:
        """Local rotations drawn at a frame."""
        self.session.playback.seek(frame / 30.0)
        self.user.settle()
        return np.array(self.view.model.scene._drawn_pose().rotations)


@pytest.fixture
def scene(qapp):
    made = Scene(qapp)
    yield made
    made.stage.close(qapp)


def test_preview_moves_the_chosen_bones_and_the_document_stays(scene):
    before, steps = scene.session.document.project, scene.session.history.position
    assert not scene.field("simulateRun").isEnabled()
    scene.select("upper_arm_l")
    plain = scene.turned(12)
    scene.simulate()
    number = scene.session.rig.skeleton.index
    moved = np.degrees(quat.angle_between(scene.turned(12), plain))
    assert moved[number("upper_arm_l")] > 1.0
    others = [
        b
        for b in range(len(moved))
        if b not in (number("upper_arm_l"), number("lower_arm_l"), number("hand_l"))
    ]
    assert moved[others].max() < 1e-9
    assert scene.session.document.project is before and scene.session.history.position == steps
    sides = [scene.field("simulateShowClip"), scene.field("simulateShowSimulated")]
    assert [side.isChecked() for side in sides] == [False, True]
    scene.user.click(sides[0])
    assert np.array_equal(scene.turned(12), plain) and [side.isChecked() for side in sides] == [True, False]
    scene.user.click(sides[1])
    assert not np.array_equal(scene.turned(12), plain) and [side.isChecked() for side in sides] == [
        False,
        True,
    ]
    scene.user.click(scene.field("simulateDiscard"))
    assert np.array_equal(scene.turned(12), plain) and scene.simulating.outcome is None


def test_each_blend_is_shown_in_its_own_field(scene):
    into, out = scene.field("simulate_blend_in"), scene.field("simulate_blend_out")
    for field, text in ((into, "0.35"), (out, "0.8")):
        scene.user.type_into(field, text)
    assert (into.value, out.value) == (0.35, 0.8) == scene.simulating.blends()


@pytest.mark.parametrize("mode", list(LayerMode))
def test_baked_layer_shows_what_was_tried_out_in_one_step_and_undo_takes_it_back(scene, mode):
    scene.select("upper_arm_l")
    scene.simulating.set(mode=mode)
    scene.user.type_into(scene.field("simulate_tolerance"), "0.1")
    scene.user.type_into(scene.field("simulate_blend_out"), "0.3")
    scene.simulate()
    before, steps = scene.session.document.project, scene.session.history.position
    tried = [scene.drawn(frame) for frame in (0, 7, 15, 24, 29)]
    scene.user.click(scene.field("simulateBake"))
    assert scene.session.history.position == steps + 1
    stack = stack_of(scene.session.document.project, scene.clip.id)
    assert stack.layers[-1].mode is mode and scene.simulating.outcome is None
    for frame, matrices in zip((0, 7, 15, 24, 29), tried, strict=True):
        assert np.abs(scene.drawn(frame)[:, :3, 3] - matrices[:, :3, 3]).max() < 3e-4
    scene.session.undo()
    assert scene.session.document.project.assets == before.assets


def test_stiffer_and_following_stay_nearer_the_clip(scene):
    scene.select("upper_arm_l")
    largest = []
    for name, value in (("simulate_stiffness", "1"), ("simulate_stiffness", "6"), ("simulate_follow", "100")):
        scene.user.type_into(scene.field(name), value)
        scene.simulate()
        largest.append(scene.simulating.outcome.largest()[0])
    assert largest[0] > 1.5 * largest[1] > 2.0 * largest[2]


def test_kept_bones_stay_when_others_are_selected(scene):
    scene.select("upper_arm_l")
    scene.user.click(scene.field("simulateKeep"))
    scene.select("head")
    assert scene.simulating.chosen == ("upper_arm_l",)
    scene.user.click(scene.field("simulateKeep"))
    assert scene.simulating.chosen == ("head",)


def test_without_a_plan_bodies_are_those_of_a_proposed_one(scene):
    scene.select("upper_arm_l")
    rig = scene.session.rig
    scene.session.edits.put("no bodies", replace(rig, body_plan=None))
    scene.user.settle()
    assert scene.panel.counts.text().startswith("3 bodies, as proposed")
    scene.simulate()
    assert scene.simulating.outcome.bones == 3 and scene.session.rig.body_plan is None


def test_range_in_frames_is_what_is_simulated(scene):
    scene.select("upper_arm_l")
    scene.user.type_into(scene.field("simulate_start"), "6")
    scene.user.type_into(scene.field("simulate_end"), "18")
    plain = [scene.turned(frame) for frame in (3, 12, 25)]
    scene.simulate()
    times = scene.simulating.outcome.simulated.times
    assert np.allclose(times, np.arange(6, 19) / 30.0)
    now = [scene.turned(frame) for frame in (3, 12, 25)]
    assert [np.array_equal(a, b) for a, b in zip(plain, now, strict=True)] == [True, False, True]


def test_whole_body_falls_to_the_ground(scene):
    scene.user.click(scene.field("simulateWhole"))
    scene.user.type_into(scene.field("simulate_stiffness"), "0")
    scene.simulating.set(blend_out=0.0)
    scene.simulate()
    pelvis = scene.session.rig.skeleton.index("pelvis")
    heights = [scene.drawn(frame)[pelvis, 1, 3] for frame in (0, 30)]
    assert heights[1] < heights[0] - 0.3 and heights[1] > -0.05


def test_change_of_the_clip_drops_the_preview_with_a_word(scene):
    scene.select("upper_arm_l")
    scene.simulate()
    scene.session.edits.put("longer", replace(scene.clip, length=1.5))
    assert scene.simulating.outcome is None and not scene.simulating.on


def test_cancel_while_it_runs_changes_nothing(scene, monkeypatch):
    scene.select("upper_arm_l")
    waiting = []
    monkeypatch.setattr(scene.session.jobs, "start", lambda job, grace=0.0: waiting.append(job))
    scene.user.click(scene.field("simulateRun"))
    assert scene.panel.run.text() == "Cancel" and scene.simulating.job is waiting[0]
    scene.user.click(scene.field("simulateRun"))
    assert scene.panel.run.text() == "Simulate"
    assert scene.simulating.job is None and scene.simulating.outcome is None


def test_without_the_library_the_panel_says_what_to_install_and_bodies_work(scene, monkeypatch):
    scene.select("upper_arm_l")
    engine.unavailable.cache_clear()
    monkeypatch.setitem(sys.modules, "mujoco", None)
    try:
        scene.panel.refresh()
        scene.user.settle()
        text = scene.field("simulateMissing").text()
        assert "mujoco-core" in text and "pip install" in text
        assert not scene.field("simulateRun").isEnabled()
        assert not scene.simulating.run()
        bodies = scene.stage.add(BODIES.create(scene.stage.context), 2)
        scene.user.settle()
        assert bodies.isVisible()
        assert scene.session.feature(Bodies).set_mass("upper_arm_l", 9.0)
        assert scene.session.rig.body_plan.body("upper_arm_l").mass == 9.0
    finally:
        monkeypatch.undo()  # first: the panel asks again when events are handled after the test
        engine.unavailable.cache_clear()


def test_long_counts_are_written_on_several_lines(scene, monkeypatch):
    monkeypatch.setattr(scene.panel.model, "counts", lambda: "12 bodies are simulated, " * 10)
    scene.panel.refresh()
    scene.user.settle()
    counts = scene.user.find("simulateCounts")
    assert counts.height() > 2 * counts.fontMetrics().height() and counts.width() <= scene.panel.width()

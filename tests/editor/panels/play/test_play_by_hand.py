"""A person plays the character: keys and mouse in the view, rewind, bake, export, undo."""

import contextlib
from functools import cache

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

import core.io
from core.arrays import same_value
from core.locomotion.setup import H
from core.project.project import Project
from editor.model.play.baking import PlayBaking
from editor.model.play.state import Play
from editor.panels.viewport.play_driver import PlayDriver
from resources.sample.locomotion import FILE
from tests.editor.stage import stage
from tests.editor.user import RIGHT

PANELS = ("viewport", "clips", "history", "play", "play_run")


@cache
def sample() -> Project:
    return core.io.load(FILE).project


@pytest.fixture
def here(qapp, monkeypatch):
    monkeypatch.setattr(PlayDriver, "tick", lambda self: None)  # time goes on by `run_for` alone
    with stage(qapp, *PANELS, project=sample) as made:
        yield made
        made.session.feature(Play).stop()


@pytest.fixture
def play(here):
    here.user.press("Ctrl+7")
    found = here.session.feature(Play)
    here.user.wait_until(lambda: found.on, "Play did not start")
    here.user.move("viewport")
    return found


def run_for(here, seconds: float) -> None:
    play = here.session.feature(Play)
    for _ in range(round(seconds / H)):
        play.advance(H)
    here.user.settle()


@contextlib.contextmanager
def held(here, key: Qt.Key):
    QTest.keyPress(here.window.windowHandle(), key)
    here.user.settle()
    yield
    QTest.keyRelease(here.window.windowHandle(), key)
    here.user.settle()


def tap(here, key: Qt.Key) -> None:
    with held(here, key):
        pass


def test_walk_run_turn_jump_crouch_and_stairs_by_keys_leave_the_document(here, play):
    before, steps = here.session.document.project, here.session.history.position
    assert here.user.visible("playBar") and play.running
    with held(here, Qt.Key.Key_W):
        run_for(here, 0.5)
        assert play.run.control.speed == pytest.approx(3.75, abs=0.05)
        tap(here, Qt.Key.Key_Control)
        run_for(here, 0.6)
        assert play.run.control.speed == pytest.approx(1.75, abs=0.05)
        tap(here, Qt.Key.Key_Control)
        with held(here, Qt.Key.Key_Shift):
            run_for(here, 0.8)
            assert play.run.control.speed > 6.0
    run_for(here, 0.8)
    assert play.run.control.speed == 0.0
    with held(here, Qt.Key.Key_A):
        run_for(here, 0.6)
        assert play.run.control.yaw == pytest.approx(90.0, abs=15.0)
    tap(here, Qt.Key.Key_Space)
    run_for(here, 0.3)
    assert play.run.control.in_air and play.run.control.position[1] > 0.5
    run_for(here, 0.8)
    tap(here, Qt.Key.Key_C)
    run_for(here, 0.3)
    assert play.run.control.crouching
    tap(here, Qt.Key.Key_C)
    play.choices.choose_terrain("stairs")
    here.user.wait_until(lambda: play.choices.terrain.name == "stairs" and not play.preparing)
    here.user.move("viewport")
    with held(here, Qt.Key.Key_W):
        run_for(here, 1.6)
    assert play.run.control.position[1] > 1.0
    tap(here, Qt.Key.Key_Escape)
    here.user.wait_until(lambda: here.window.layouts.current.id == "pose")
    assert not play.on and here.session.display.source is None
    assert here.session.document.project is before and here.session.history.position == steps


def test_keys_are_released_when_the_view_loses_the_keyboard(here, play):
    QTest.keyPress(here.window.windowHandle(), Qt.Key.Key_W)
    run_for(here, 0.2)
    here.user.find("playBar").setFocus()
    here.user.settle()
    run_for(here, 0.8)
    assert not play.controls.held and play.run.control.speed == 0.0


def test_right_drag_turns_the_view_and_the_way(here, play):
    here.user.drag("viewport", (300, 200), (300 + 360, 200), RIGHT)
    assert play.controls.yaw == pytest.approx(-90.0, abs=1.0)
    with held(here, Qt.Key.Key_W):
        run_for(here, 0.5)
    x, _, z = play.run.control.position
    assert x < -0.5 and abs(z) < 0.2


def test_scrub_goes_back_and_steering_takes_over(here, play):
    with held(here, Qt.Key.Key_W):
        run_for(here, 2.0)
    model = here.window.docks["play_run"].body.panel.model
    places = [note.control.position for note in play.run.notes]
    here.user.drag("playBar", (model.x(110), 40), (model.x(60), 40))
    assert play.run.at == pytest.approx(60, abs=1) and not play.running
    assert play.run.control.position == places[play.run.at]
    assert np.allclose(here.session.evaluator.world()[:3, 3], places[play.run.at])
    here.user.click("playHere")
    assert play.running and len(play.run) == play.run.at


def test_bake_by_button_is_one_undo_step(here, play):
    before = here.session.document.project
    with held(here, Qt.Key.Key_W):
        run_for(here, 1.0)
    play.pause()
    here.user.settle()
    here.user.click("playBake")
    here.user.wait_until(lambda: here.session.history.position == 1, "nothing was baked")
    made = next(clip for clip in here.session.document.project.clips if clip.id not in before.assets)
    assert made.length == pytest.approx(1.0) and made.root_motion.enabled
    here.user.press("Ctrl+Z")
    assert same_value(here.session.document.project, before)


def test_export_plays_the_run_again(here, play, tmp_path):
    with held(here, Qt.Key.Key_W):
        run_for(here, 1.0)
    here.session.feature(PlayBaking).export(tmp_path / "run.glb")
    here.user.wait_until(lambda: (tmp_path / "run.glb").exists() and not here.session.jobs.running)
    again = core.io.load(tmp_path / "run.glb").project
    assert again.clips[0].length == pytest.approx(1.0, abs=1e-3)


def test_the_floor_is_drawn_and_overlays_by_boxes(here, play):
    from PySide6.QtWidgets import QWidget

    viewport = here.window.findChild(QWidget, "viewportPanel")
    drawn = viewport.model.draw_list()
    assert drawn.floor is not None and drawn.grid is None and drawn.bones is None
    with held(here, Qt.Key.Key_W):
        run_for(here, 0.4)
    many = len(viewport.model.draw_list().shapes)
    here.user.click("playShow_capsule")
    assert len(viewport.model.draw_list().shapes) == many + 1
    bare = here.user.picture("viewport")
    assert bare.std() > 5.0

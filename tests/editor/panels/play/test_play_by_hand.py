"""A person plays the character: keys and mouse in the view, rewind, bake, export, undo."""

import errno
import os
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

import core.io
from core.arrays import same_value
from core.errors import UnsupportedError
from core.locomotion.controls import Key as Control
from core.locomotion.input import RotationMode
from core.rig.mesh import Mesh
from editor.model.messages import Level
from editor.model.play.baking import PlayBaking
from editor.model.play.numbers import rows
from editor.model.play.overlays import OVERLAYS
from editor.model.play.state import Play
from editor.panels.play import widget as play_widget
from editor.panels.viewport import play_driver
from editor.panels.viewport.play_driver import PlayDriver
from editor.panels.viewport.widget import ViewportPanel
from tests.editor.panels.play.played import enter, held, into_view, light, pick, run_for, tap
from tests.editor.shell.test_window import choose_file
from tests.editor.stage import stage
from tests.editor.user import RIGHT

PANELS = ("viewport", "clips", "history", "play", "play_run")


@pytest.fixture
def here(qapp, monkeypatch):
    monkeypatch.setattr(PlayDriver, "tick", lambda self: None)  # time goes on by `run_for` alone
    with stage(qapp, *PANELS, project=light) as made:
        yield made
        made.session.feature(Play).stop()


@pytest.fixture
def play(here):
    return enter(here)


def test_the_view_stands_after_play_where_it_stood_before(here):
    panel = here.window.findChild(ViewportPanel)
    before = replace(panel.model.camera, yaw=1.3, distance=2.5)
    panel.model.controller.set_camera(before)
    play = enter(here)
    assert panel.model.camera != before
    tap(here, Qt.Key.Key_Escape)
    here.user.wait_until(lambda: not play.on)
    assert panel.model.camera == before


@pytest.mark.parametrize("button", ["playEnter", "playToggle"])
def test_play_is_begun_by_the_buttons_of_its_panels(here, button):
    here.window.show_panel("play")
    here.window.show_panel("play_run")
    here.user.settle()
    here.user.click(button)
    play = here.session.feature(Play)
    here.user.wait_until(lambda: play.on, "Play did not begin")
    here.user.click("playEnter")
    here.user.wait_until(lambda: not play.on, "Play did not end")


def test_without_the_package_for_gamepads_keys_drive_it(here, monkeypatch):
    def missing():
        raise UnsupportedError("no SDL")

    monkeypatch.setattr(play_driver, "PadWatch", missing)
    play = enter(here)
    with held(here, Qt.Key.Key_W):
        run_for(here, 0.3)
    assert play.run.control.speed > 0.0 and here.session.messages.latest is None


def test_a_view_that_is_closed_no_longer_looks_at_the_clock(here, play):
    panel = here.window.findChild(ViewportPanel)
    assert panel.play._timer.isActive()
    panel.close()
    assert play.on and not panel.play._timer.isActive()


@pytest.mark.parametrize("asks", ["play.open_inputs", "play.matching_open", "play.terrain_file"])
def test_a_file_that_cannot_be_read_is_refused_with_the_reason(here, play, tmp_path, asks):
    broken = tmp_path / "broken.json"
    broken.write_text("{")
    here.session.preferences.set("last_folder", str(tmp_path))
    here.window.actions_registry.run(asks)
    choose_file(here, broken)
    here.user.wait_until(lambda: here.session.messages.latest is not None, "nothing was said")
    assert here.session.messages.latest.level is Level.ERROR
    assert "broken.json" in here.session.messages.latest.text


def test_a_set_up_of_matching_that_cannot_be_written_says_why(here, play, tmp_path, monkeypatch):
    """A disk may fill while it is written."""

    def full(*_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(play_widget, "write_matching", full)
    here.window.actions_registry.run("play.matching_save")
    choose_file(here, tmp_path / "mine.json")
    here.user.wait_until(lambda: here.session.messages.latest is not None, "nothing was said")
    assert here.session.messages.latest.level is Level.ERROR
    assert here.session.messages.latest.text == f"{tmp_path / 'mine.json'}: {os.strerror(errno.ENOSPC)}"


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
    run_for(here, 0.1)
    pick(here, "playTerrain", "Stairs")
    here.user.wait_until(lambda: play.choices.terrain.name == "stairs" and not play.preparing)
    into_view(here)
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
    for span, words in ((None, "Bake to clip"), ((10, 40), "Bake span to clip"), (None, "Bake to clip")):
        play.set_span(span)
        here.user.settle()
        assert here.user.find("playBake").text() == words
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
    viewport = here.window.findChild(QWidget, "viewportPanel")
    drawn = viewport.model.draw_list()
    assert drawn.floor is not None and drawn.grid is None
    with held(here, Qt.Key.Key_W):
        run_for(here, 0.4)
    many = len(viewport.model.draw_list().shapes)
    here.user.click("playShow_capsule")
    assert len(viewport.model.draw_list().shapes) == many + 1
    bare = here.user.picture("viewport")
    assert bare.std() > 5.0


# ------------------------------------------------------------------ controller, speed, steps
def test_presets_change_how_quickly_it_starts(here, play):
    speeds = {}
    for title in ("Normal", "Responsive", "Sluggish"):
        pick(here, "playPreset", title)
        here.user.wait_until(lambda: not play.preparing)
        into_view(here)
        play.restart()
        with held(here, Qt.Key.Key_W):
            run_for(here, 0.1)
        speeds[title] = play.run.control.speed
        run_for(here, 1.5)
        assert play.run.control.speed == 0.0
    assert speeds["Sluggish"] < 0.5 * speeds["Normal"] < 0.5 * speeds["Responsive"]


def test_slow_motion_by_the_box_and_by_f3(here, play):
    pick(here, "playSpeed", "0.25×")
    assert play.clock.speed == 0.25
    into_view(here)
    with held(here, Qt.Key.Key_W):
        run_for(here, 1.0)
    assert len(play.run) == 15 and "0.25" in here.user.find("playTime").text()
    here.window.actions_registry.run("play.faster")
    here.user.settle()
    assert here.user.find("playSpeed").currentText() == "0.5×"


def test_single_steps_forward_and_back_by_keys_and_buttons(here, play):
    with held(here, Qt.Key.Key_W):
        run_for(here, 0.5)
    places = [note.control.position for note in play.run.notes]
    tap(here, Qt.Key.Key_P)
    assert not play.running
    for _ in range(2):
        tap(here, Qt.Key.Key_Comma)
    assert play.run.at == 28 and play.run.control.position == places[28]
    tap(here, Qt.Key.Key_Period)
    here.user.click("playStep")
    assert play.run.at == 30 == len(play.run)
    here.user.click("playStep")
    assert len(play.run) == 31
    here.user.click("playBack")
    assert play.run.at == 30 and play.run.control.position == places[30]


def test_rewind_shows_every_number_of_that_step(here, play):
    seen = []
    with held(here, Qt.Key.Key_W):
        for _ in range(4):
            run_for(here, 0.25)
            seen.append((play.run.at, rows(play)))
    tap(here, Qt.Key.Key_P)
    model = here.window.docks["play_run"].body.panel.model
    for at, told in seen:
        here.user.click("playBar", (model.x(at), 40))
        assert play.run.at == at and rows(play) == told
        shown = {k: here.user.find(f"playNumber{k}").text() for k in range(len(told))}
        assert list(shown.values()) == [row.text for row in told]
        pace = here.user.find(f"playNumber{len(told)}").text()
        assert play.step_seconds > 0.0 and pace == f"{1000.0 * play.step_seconds:.2f} ms"
    here.user.press("Home", "playBar")
    assert play.run.at == 0
    here.user.press("End", "playBar")
    assert play.run.at == len(play.run)


def test_minutes_can_be_gone_back_in(here, play):
    for number in range(2 * 60 * 60):  # of which states are kept every half second
        play.run.step(play.controls.input())
        if number == 600:
            play.controls.press(Control.AHEAD)
    place = play.run.notes[4321].control.position
    play.goto(4321)
    assert play.run.control.position == place and play.run.seconds == pytest.approx(120.0)


# ------------------------------------------------------------------ mouse
def test_the_caught_mouse_turns_the_view_and_aims(here, play):
    view = here.window.findChild(QWidget, "viewportPanel").view
    tap(here, Qt.Key.Key_M)
    here.user.settle()
    assert QWidget.mouseGrabber() is view
    middle = view.rect().center()
    window, place = here.user.point(view, (middle.x() + 40, middle.y() - 20))
    QTest.mouseMove(window, place)
    here.user.wait_until(lambda: play.controls.yaw != 0.0, "the mouse did not turn the view")
    assert play.controls.yaw == pytest.approx(-10.0, abs=1.0)
    assert play.controls.pitch == pytest.approx(-12.0 + 5.0, abs=1.0)
    here.user.press_mouse(view, (middle.x(), middle.y()), RIGHT)
    run_for(here, 0.05)
    assert play.run.control.mode is RotationMode.AIMING
    here.user.release_mouse(button=RIGHT)
    run_for(here, 0.05)
    assert play.run.control.mode is RotationMode.VELOCITY
    tap(here, Qt.Key.Key_Escape)  # frees the mouse; the next one leaves
    assert QWidget.mouseGrabber() is None and play.on
    tap(here, Qt.Key.Key_Escape)
    here.user.wait_until(lambda: not play.on)


def test_pitch_ends_at_89_degrees_and_the_wheel_comes_nearer(here, play):
    here.user.drag("viewport", (300, 100), (300, 400), RIGHT)
    here.user.drag("viewport", (300, 100), (300, 400), RIGHT)
    assert play.controls.pitch == -89.0
    far = play.camera.wanted
    here.user.wheel("viewport", 2)
    assert play.camera.wanted < far


# ------------------------------------------------------------------ overlays
def test_each_overlay_is_a_button_and_an_action(here, play):
    viewport = here.window.findChild(QWidget, "viewportPanel")
    with held(here, Qt.Key.Key_W):
        run_for(here, 0.4)
        tap(here, Qt.Key.Key_P)
        for name, overlay in OVERLAYS.items():
            button = here.user.find(f"playShow_{name}")
            assert not button.icon().isNull() and button.toolTip() == overlay.tip
            play.overlays.set(name, True)
        here.user.settle()
        every = len(viewport.model.draw_list().shapes)
        for name in ("velocity", "wish", "capsule", "trace"):
            here.user.click(f"playShow_{name}")
            assert not play.overlays[name]
            assert len(viewport.model.draw_list().shapes) == every - 1
            here.window.actions_registry.run(f"play.show_{name}")
            here.user.settle()
            assert here.user.find(f"playShow_{name}").isChecked()


def test_the_trace_is_coloured_by_slip(here, play):
    viewport = here.window.findChild(QWidget, "viewportPanel")
    with held(here, Qt.Key.Key_W):
        run_for(here, 0.6)
    for name in OVERLAYS:
        play.overlays.set(name, name == "trace")
    (trace,) = viewport.model.draw_list().shapes
    colors = {tuple(np.round(color, 3)) for color in np.asarray(trace.colors)}
    slips = [slip for note in play.run.notes if note.feet is not None for slip in note.feet.slip]
    assert max(slips) > 2.0 and len(colors) > 2


# ------------------------------------------------------------------ gamepad
def test_a_gamepad_drives_the_character_in_the_window(qapp):
    sdl2 = pytest.importorskip("sdl2", reason="needs the extra gamepad", exc_type=ImportError)
    with stage(qapp, *PANELS, project=light) as here:
        play = enter(here)
        number = sdl2.SDL_JoystickAttachVirtual(sdl2.SDL_JOYSTICK_TYPE_GAMECONTROLLER, 6, 15, 0)
        assert number >= 0, sdl2.SDL_GetError()
        device = sdl2.SDL_JoystickOpen(number)
        try:
            sdl2.SDL_JoystickSetVirtualAxis(device, 1, -32767)
            here.user.wait_until(lambda: play.run.control.speed > 3.0, "the stick did not drive")
            sdl2.SDL_JoystickSetVirtualAxis(device, 2, 32767)
            here.user.wait_until(lambda: play.controls.yaw < -20.0, "the right stick did not look")
            sdl2.SDL_JoystickSetVirtualButton(device, 0, 1)
            here.user.wait_until(lambda: play.run.control.jumped, "A did not jump")
        finally:
            sdl2.SDL_JoystickClose(device)
            sdl2.SDL_JoystickDetachVirtual(number)
        here.user.wait_until(lambda: play.run.control.speed == 0.0, "it went on without a gamepad")
        play.stop()


def test_a_character_without_a_mesh_is_drawn_as_bones(here, play):
    viewport = here.window.findChild(QWidget, "viewportPanel")
    assert not here.session.document.project.all(Mesh)
    assert viewport.model.draw_list().bones is not None
    assert here.session.selection.hover is None or not viewport.model.scene.names()


def test_the_way_to_drive_is_chosen_in_the_panel_and_by_its_word(here, play):
    pick(here, "playDrive", "Motion matching")
    here.user.wait_until(lambda: play.run.driven.setup.matcher is not None, "motion matching did not start")
    with held(here, Qt.Key.Key_W):
        run_for(here, 0.5)
        assert play.run.state.matched.on
    here.window.actions_registry.run("play.drive_rules")
    here.user.wait_until(lambda: play.run.driven.setup.matcher is None, "the rules did not come back")


def test_the_panel_says_that_the_character_is_being_prepared(here, play, monkeypatch):
    note = here.window.findChild(QWidget, "playPanel").note
    assert not note.isVisible()
    monkeypatch.setattr(Play, "preparing", property(lambda _: True))
    play.state_changed.emit(None)
    here.user.settle()
    assert note.isVisible() and note.text() == "Preparing the character…"

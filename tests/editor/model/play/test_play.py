"""Play without a window: steps, rewind, taking over, baking, files; the document stays as it is."""

import json
from dataclasses import replace

import numpy as np
import pytest

import core.io
from core.arrays import same_value
from core.errors import FormatError
from core.ids import AssetId
from core.locomotion.controls import Key
from core.locomotion.fall import Phase
from core.locomotion.input import Gait, RotationMode
from core.locomotion.play_setup import PlaySetup
from core.locomotion.setup import H
from core.physics import engine
from core.terrain.course import course_terrain
from core.terrain.pieces import Box, Plane
from core.terrain.reading import write_terrain
from core.terrain.terrain import Terrain, flat_terrain
from editor.model.graph.editor import GraphEditor
from editor.model.graph_run.gamepad import PadWatch
from editor.model.play.baking import PlayBaking
from editor.model.play.camera import RADIUS, FollowCamera, backward, free_distance, size_of
from editor.model.play.choices import BY_NAME
from editor.model.play.clock import PlayClock
from editor.model.play.controls import PlayControls
from editor.model.play.grounds import TERRAINS
from editor.model.play.inputs import PlayInputs
from editor.model.play.numbers import rows
from editor.model.play.state import Play
from editor.model.session import Session
from tests.light_character import light, whole


@pytest.fixture
def character(request):
    """Few clips are a second quicker to make; a test about every clip and the sample's graph asks for the whole."""
    return whole() if getattr(request, "param", "light") == "whole" else light()


@pytest.fixture
def session(tmp_path, character):
    made = Session.create(tmp_path / "config", tmp_path / "data")
    made.document.replace(character, None)
    made.playback.set_clip(character.clips[0].id)
    yield made
    made.close()


@pytest.fixture
def play(session):
    found = session.feature(Play)
    assert found.start()
    return found


def run_for(play: Play, seconds: float) -> None:
    for _ in range(round(seconds / H)):
        play.advance(H)


# ------------------------------------------------------------------ running
def test_character_walks_where_the_keys_say_and_the_document_stays(play, session):
    before, steps = session.document.project, session.history.position
    play.controls.press(Key.AHEAD)
    run_for(play, 1.0)
    assert play.on and play.running and play.run.control.position[2] > 2.0
    assert np.allclose(session.evaluator.world()[:3, 3], play.shown()[0].position)
    play.stop()
    assert session.display.source is None
    assert session.document.project is before and session.history.position == steps
    assert not session.document.dirty


def test_the_clock_moves_the_character_and_says_whether_it_did(play):
    assert not play.advance(0.0) and not play.advance(-1.0), "no time, no step"
    assert not play.tick(100.0), "time counts from the first look"
    assert play.tick(100.0 + 2.0 * H) and play.run.at == 2
    play.pause()
    assert not play.tick(101.0) and play.run.at == 2
    play.stop()
    assert not play.tick(102.0) and play.run.at == 2


def test_the_play_button_pauses_and_goes_on_instead_of_leaving(play, session):
    run_for(play, 0.1)
    session.playback.toggle()
    assert play.on and not play.running and not session.playback.playing
    session.playback.toggle()
    assert play.running
    session.playback.seek(0.5)  # scrubbing the clip ends it
    assert not play.on


def test_a_set_up_by_hand_is_driven_by_and_its_undo_goes_back(play, session):
    project, choices = session.document.project, play.choices
    rig, wave = project.rigs[0], project.clip_named("wave")
    run_for(play, 0.1)
    session.edits.put("New set-up", PlaySetup(AssetId("play_setup-1"), "Waving", rig.id, {"idle": wave.id}))
    assert choices.setup.name == "Waving" and play.run.driven.setup.moves.clips["idle"] is wave and play.on
    choices.choose_setup(BY_NAME)
    assert choices.setup is None and play.run.driven.setup.moves.clips["idle"] is not wave
    choices.choose_setup("play_setup-1")
    assert play.run.driven.setup.moves.clips["idle"] is wave
    session.undo()
    assert choices.setups == () and play.run.driven.setup.moves.clips["idle"] is not wave


def test_a_choice_while_it_is_left_counts_at_the_next_start(play):
    play.stop()
    play.choices.choose_terrain("bumps")
    assert not play.on
    play.start()
    assert play.on and play.run.terrain.name == play.run.driven.terrain.name == "bumps"


def test_same_inputs_give_the_same_states_again(play):
    play.controls.press(Key.AHEAD)
    run_for(play, 0.6)
    seen = play.run.state.to_bytes()
    play.goto(3)
    play.goto(len(play.run))
    assert play.run.state.to_bytes() == seen


def test_rewind_replays_until_the_person_steers(play):
    play.controls.press(Key.AHEAD)
    run_for(play, 1.0)
    play.controls.release(Key.AHEAD)
    place = play.run.notes[30].control.position
    play.goto(30)
    assert not play.running and play.run.control.position == place and not play.run.at_end
    play.start()
    run_for(play, 0.2)
    assert play.run.at == 42 and len(play.run) == 60
    play.controls.press(Key.LEFT)
    run_for(play, H)
    assert play.run.at == len(play.run) == 43 == len(play.run.notes) - 1


def test_slow_motion_shows_the_way_between_two_steps(play):
    play.controls.press(Key.AHEAD)
    run_for(play, 0.5)
    play.clock.speed = 0.25
    places = []
    for _ in range(5):
        play.advance(H)
        places.append(play.shown()[0].position[2])
    gaps = np.diff(places)
    assert (gaps > 0.0).all() and np.allclose(gaps, gaps[0], rtol=0.05)


def test_single_steps_go_on_by_one(play):
    play.step_once()
    play.step_once()
    assert len(play.run) == 2 and not play.running


def test_terrain_starts_again_and_preset_goes_on(play, session):
    play.controls.press(Key.AHEAD)
    run_for(play, 0.5)
    place = play.run.control.position
    play.choices.choose_preset("sluggish")
    assert play.run.control.position == place and len(play.run) == 0
    assert play.run.driven.setup.controller.name == "sluggish"
    play.choices.choose_terrain("stairs")
    assert play.run.control.position == (0.0, 0.0, 0.0) and play.choices.terrain.name == "stairs"
    assert session.preferences.get("play") == {
        "terrain": "stairs",
        "preset": "sluggish",
        "drive": "rules",
    }


def test_an_edit_of_a_clip_that_plays_is_taken_up(play, session):
    play.controls.press(Key.AHEAD)
    run_for(play, 0.5)
    plan, place = play.run.driven.setup.plan, play.run.control.position
    walk = session.document.project.clip_named("walk")
    session.edits.put("Shorter", replace(walk, curves={}))
    assert play.run.driven.setup.plan is not plan and play.on
    assert np.allclose(play.run.control.position, place)


def test_baking_and_other_edits_leave_the_recording(play, session):
    run_for(play, 0.3)
    run = play.run
    session.feature(PlayBaking).new_clip()
    session.edits.put("Shorter", replace(session.document.project.clip_named("wave"), curves={}))
    assert play.run is run and len(run) == 18
    session.edits.put(
        "Named like a missing one", replace(session.document.project.clip_named("wave"), name="idle")
    )
    assert play.run is run  # the first of a name counts
    walk = session.document.project.clip_named("walk")
    session.edits.put("Renamed", replace(walk, name="stroll"))
    assert play.run is not run


def test_the_ragdoll_key_says_what_to_install_where_there_is_no_engine(session, monkeypatch):
    monkeypatch.setattr(engine, "installed", lambda: False)
    monkeypatch.setattr(engine, "unavailable", lambda: "Ragdolls need something")
    play = session.feature(Play)
    assert play.start()
    said = []
    session.messages.posted.connect(lambda message: said.append(message.text))
    play.controls.press(Key.RAGDOLL)
    run_for(play, 0.3)
    play.controls.release(Key.RAGDOLL)
    run_for(play, 0.1)
    play.controls.press(Key.RAGDOLL)
    run_for(play, 0.1)
    assert said == ["Ragdolls need something"]


@pytest.mark.parametrize("character", ["whole"], indirect=True)
def test_the_ragdoll_key_lets_it_fall_and_rise_and_the_canvas_goes_on(play, session):
    canvas = session.feature(GraphEditor).canvas
    run_for(play, 0.2)
    assert canvas.frame is not None and max(canvas.frame.weights.values()) > 0.9
    play.controls.press(Key.RAGDOLL)
    run_for(play, 0.1)
    play.controls.release(Key.RAGDOLL)
    run_for(play, 0.6)
    assert play.run.state.fall.phase is Phase.FALLING
    assert {row.title: row.text for row in rows(play)}["Stance"] == "fallen, as a ragdoll"
    assert max(canvas.frame.weights.values()) == 0.0  # the graph waits
    seen, at = play.run.state.to_bytes(), play.run.at
    play.goto(3)
    play.goto(at)
    assert play.run.state.to_bytes() == seen


def test_every_number_has_words(play):
    play.controls.press(Key.AHEAD)
    run_for(play, 0.3)
    told = {row.title: row.text for row in rows(play)}
    assert told["Speed"].endswith("m/s") and float(told["Speed"].split()[0]) > 1.0
    assert all(row.title and row.text for row in rows(play))


# ------------------------------------------------------------------ baking, files
def test_bake_is_one_undo_step_and_a_clip_with_root_motion(play, session):
    before = session.document.project
    play.controls.press(Key.AHEAD)
    run_for(play, 1.0)
    play.set_span((6, 54))
    baking = session.feature(PlayBaking)
    baking.new_clip()
    made = [clip for clip in session.document.project.clips if clip.id not in before.assets]
    assert [clip.length for clip in made] == [pytest.approx(0.8)] and made[0].root_motion.enabled
    assert session.history.position == 1
    session.undo()
    assert same_value(session.document.project, before)


def test_export_leaves_the_document_and_is_read_again(play, session, tmp_path):
    before = session.document.project
    play.controls.press(Key.AHEAD)
    run_for(play, 0.5)
    session.feature(PlayBaking).export(tmp_path / "walked.glb")
    again = core.io.load(tmp_path / "walked.glb").project
    assert [clip.length for clip in again.clips] == [pytest.approx(0.5, abs=1e-4)]
    assert session.document.project is before


def test_inputs_of_a_file_give_the_same_run(play, session, tmp_path):
    files = session.feature(PlayInputs)
    play.controls.press(Key.AHEAD)
    run_for(play, 0.4)
    play.controls.press(Key.JUMP)
    run_for(play, 0.2)
    seen = play.run.state.to_bytes()
    files.save(tmp_path / "inputs.json")
    play.restart()
    files.open(tmp_path / "inputs.json")
    assert play.run.at == 0 and not play.running
    play.goto(len(play.run))
    assert play.run.state.to_bytes() == seen
    (tmp_path / "bad.json").write_text(json.dumps({"format": "x"}))
    with pytest.raises(FormatError):
        files.open(tmp_path / "bad.json")


def test_terrain_of_a_file(play, tmp_path):
    write_terrain(
        Terrain((Plane(), Box((0.0, 0.0, 2.0), size=(4.0, 3.0, 0.5))), "wall"), tmp_path / "wall.json"
    )
    play.choices.open_terrain(tmp_path / "wall.json")
    assert play.choices.terrain_id == "file" and play.choices.terrain_title == "wall.json"
    play.controls.press(Key.AHEAD)
    run_for(play, 1.5)
    assert 1.3 < play.run.control.position[2] < 1.5


# ------------------------------------------------------------------ parts
def test_clock_takes_four_steps_a_look_and_counts_the_rest():
    clock = PlayClock()
    assert clock.steps(10.5 * H) == 4 and clock.dropped == 6
    assert clock.share == pytest.approx(0.5)


def test_a_tap_between_two_steps_counts_for_one():
    controls = PlayControls()
    controls.press(Key.JUMP)
    controls.release(Key.JUMP)
    assert controls.input().jump and not controls.input().jump


def test_toggles_and_modes():
    controls = PlayControls()
    for key in (Key.WALK, Key.CROUCH, Key.LOOKING):
        controls.press(key)
        controls.release(key)
    given = controls.input()
    assert given.gait is Gait.WALK and given.crouch and given.mode is RotationMode.LOOKING
    controls.press(Key.WALK)
    assert controls.input().gait is Gait.RUN
    controls.press(Key.AIM)
    assert controls.input().mode is RotationMode.AIMING
    controls.release_all()
    assert controls.input().mode is RotationMode.LOOKING


def test_gamepad_has_a_dead_zone_and_turns_the_view():
    controls = PlayControls()
    controls.gamepad({"left_x": 0.1, "left_y": 0.1}, 0.1)
    assert controls.input().move == (0.0, 0.0) and not controls.steers
    controls.gamepad({"left_y": 1.0, "right_x": 1.0, "a": 1.0, "left_trigger": 0.8}, 0.1)
    given = controls.input()
    assert given.move == (0.0, 1.0) and given.jump and given.mode is RotationMode.AIMING
    assert controls.yaw == pytest.approx(-18.0)
    controls.gamepad({}, 0.0)
    assert controls.input().move == (0.0, 0.0)


def test_virtual_gamepad_is_read_by_name():
    sdl2 = pytest.importorskip("sdl2", reason="the extra gamepad", exc_type=ImportError)
    watch = PadWatch()
    number = sdl2.SDL_JoystickAttachVirtual(sdl2.SDL_JOYSTICK_TYPE_GAMECONTROLLER, 6, 15, 0)
    pad = watch.look()
    assert pad is not None
    device = sdl2.SDL_JoystickOpen(number)
    sdl2.SDL_JoystickSetVirtualAxis(device, 1, -32767)
    sdl2.SDL_JoystickSetVirtualButton(device, 3, 1)
    named = pad.named()
    assert named["left_y"] == pytest.approx(1.0) and named["y"] == 1.0 and named["a"] == 0.0
    sdl2.SDL_JoystickClose(device)
    sdl2.SDL_JoystickDetachVirtual(number)
    assert pad.named() == {}
    pad.close()
    watch.close()


@pytest.mark.parametrize("rate", [24.0, 60.0, 144.0])
def test_camera_follows_alike_at_any_frame_rate(rate):
    camera, flat = FollowCamera(), flat_terrain()
    for _ in range(round(rate * 0.5)):
        camera = camera.followed((1.0, 0.0, 1.0), 1.8, (0.0, -10.0), 1.0 / rate, flat)
    assert np.allclose(camera.pivot, (1.0, 1.44, 1.0), atol=2e-3)
    assert camera.distance == pytest.approx(camera.wanted)


@pytest.mark.parametrize(("times", "size"), [(1.0, 1.0), (1.1, 1.0), (3.0, 3.0), (0.4, 0.4), (1e3, 8.0)])
def test_camera_is_as_far_as_a_character_is_tall(times, size):
    rig = light().rigs[0]
    rest = rig.skeleton.rest
    grown = rest._replace(translation=rest.translation * times)
    tall = replace(rig, skeleton=replace(rig.skeleton, rest=grown), retarget_sources={})
    assert size_of(tall) == pytest.approx(size, rel=0.1)


def test_camera_stays_out_of_walls_and_ground():
    wall = Terrain((Plane(), Box((0.0, 0.0, -1.5), size=(6.0, 4.0, 0.5))))
    pivot = (0.0, 1.4, 0.0)
    for view in ((0.0, 0.0), (0.0, 60.0), (20.0, 5.0), (170.0, 80.0)):
        free = free_distance(wall, pivot, view, 4.2)
        eye = np.array(pivot) + backward(view) * free
        assert (
            wall.nearest(eye[None], eye[None], RADIUS).gap[0] > -2e-3
            or wall.touch(tuple(eye), tuple(eye), RADIUS - 2e-3, (0.0, 0.0, 0.0)) is None
        )
    assert free_distance(wall, pivot, (180.0, 0.0), 4.2) == 4.2


def test_every_terrain_lets_a_character_stand_at_its_start():
    for _, make in TERRAINS.values():
        assert abs(float(make().under((0.0, 0.0, 0.0)))) < 1e-6
    assert course_terrain().name == "course"


def test_leaving_while_the_character_is_made_shows_nothing_later(session):
    waiting = []
    session.jobs.runner = lambda work, then: waiting.append((work, then))
    play = session.feature(Play)
    assert play.start() and play.preparing and not play.on
    play.leave()
    for work, then in waiting:
        work()
        then()
    assert not play.preparing and not play.on and play.run is None

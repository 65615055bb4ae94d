"""What makes Play's character anew, and what it goes on with: choices, edits, another clip, another document."""

from dataclasses import replace

import pytest

from core.errors import ValidationError
from core.ids import AssetId
from core.locomotion.controls import Key
from core.locomotion.matching.setup import Drive
from core.locomotion.play_setup import PlaySetup
from core.locomotion.setup import H
from editor.model.play import making
from editor.model.play.camera import DISTANCE
from editor.model.play.run import Run
from editor.model.play.state import Play
from tests.editor.model.play.played import Waiting, character, light_session, played, told
from tests.light_character import light


@pytest.fixture
def session(monkeypatch):
    monkeypatch.setattr(making, "sdl", lambda: None)
    made = light_session()
    yield made
    made.close()


@pytest.fixture
def later(session) -> Waiting:
    session.jobs.runner = runner = Waiting()
    return runner


@pytest.fixture
def play(session, later) -> Play:
    """Ten steps ahead, paused at the end; what is made waits in `later`."""
    made = played(session)
    made.controls.press(Key.AHEAD)
    for _ in range(10):
        made.step_once()
    told(made)
    return made


# ---------------------------------------------------------------- the first time
def test_without_a_character_it_says_why(session) -> None:
    session.document.replace(light().without(*light().assets), None)
    session.playback.set_clip(None)
    play = session.feature(Play)
    assert not play.start() and not play.preparing and not play.on
    assert session.messages.latest.text == "Play: no character is shown"
    play.restart()
    assert len(session.messages.log) == 2 and play.run is None


@pytest.mark.parametrize("running", [True, False])
def test_the_first_character_is_made_in_the_background_and_shown(session, later, running) -> None:
    play = session.feature(Play)
    assert play.start(running) and play.preparing and not play.on
    later.deliver()
    assert play.on and play.running is running and not play.preparing and play.run.at == 0


def test_a_character_of_another_clip_by_then_is_not_shown(session, later) -> None:
    play = session.feature(Play)
    play.start()
    rig = replace(light().rigs[0], id=AssetId("rig-other"), name="other", retarget_sources={})
    session.edits.put("other", rig)
    session.playback.set_clip(None, rig.id)
    play.state_changed.connect(lambda _, told=(seen := []): told.append(play.preparing))
    later.deliver()
    assert not play.on and play.run is None and seen == [False]


def test_a_character_that_cannot_be_made_is_said(session, later, monkeypatch) -> None:
    def refused(*given):
        raise ValidationError("no way")

    monkeypatch.setattr(making, "make_character", refused)
    play = session.feature(Play)
    play.start()
    later.deliver()
    assert play.failed and not play.preparing and not play.on
    assert session.messages.latest.text == "no way"


# ---------------------------------------------------------------- choices
def test_another_preset_goes_on_from_where_it_is(play, later) -> None:
    place, state = play.run.control.position, play.run.state
    play.choices.choose_preset("sluggish")
    assert play.preparing and play.on and len(play.run) == 10
    later.deliver()
    assert play.run.driven.setup.controller.name == "sluggish" and len(play.run) == 0
    assert play.run.state is state and play.run.control.position == place and place[2] > 0.0
    assert not play.running and play.on and play.run.driven.setup.plan is character().setup.plan


def test_another_ground_begins_at_its_start_and_goes_on_running(play, later) -> None:
    play.start()
    play.choices.choose_terrain("bumps")
    later.deliver()
    assert play.running and play.run.terrain.name == "bumps" and play.run.control.position[2] == 0.0
    assert play.run.driven.setup.plan is character().setup.plan, "the same character"


def test_a_choice_while_it_is_made_counts(session, later) -> None:
    play = session.feature(Play)
    play.start()
    play.choices.choose_terrain("bumps")
    later.deliver()
    assert play.preparing and play.run is None
    later.deliver()
    assert play.on and play.running and play.run.terrain.name == "bumps"


def test_a_choice_while_it_is_left_waits_for_the_next_start(play, later) -> None:
    play.stop()
    told(play)
    play.choices.choose_preset("sluggish")
    assert not play.preparing and told(play) == (0, 0, 1)
    play.start()
    assert play.preparing
    later.deliver()
    assert play.run.driven.setup.controller.name == "sluggish" and play.run.control.position[2] == 0.0
    assert play.start() and not play.preparing, "it is as chosen now"


def test_a_choice_before_the_first_start_makes_nothing(session, later) -> None:
    play = session.feature(Play)
    play.choices.choose_preset("sluggish")
    assert not play.preparing and later.waiting == []


def test_who_leaves_meanwhile_is_not_brought_back(play, later) -> None:
    run = play.run
    play.choices.choose_preset("sluggish")
    play.stop()
    told(play)
    later.deliver()
    assert not play.on and play.run is run and told(play) == (0, 0, 1)


def test_to_leave_gives_up_what_is_made(play, later) -> None:
    play.choices.choose_preset("sluggish")
    play.leave()
    assert not play.on and not play.preparing
    later.deliver()
    assert not play.on and len(play.run) == 10


def test_a_toggle_of_the_controls_is_told(play) -> None:
    play.controls.press(Key.WALK)
    play.step_once()
    assert told(play) == (1, 1, 1)


def test_another_drive_is_made_of_the_document(play, later, monkeypatch) -> None:
    wishes = []
    monkeypatch.setattr(play._making, "make", lambda wish, done: wishes.append(wish))
    play.choices.choose_preset("sluggish")
    play.choices.choose_drive(Drive.MATCHING)
    play.choices.choose_drive(Drive.RULES)
    driven = play.run.driven
    assert [wish.known for wish in wishes] == [driven, None, driven]
    assert [wish.drive for wish in wishes] == [Drive.RULES, Drive.MATCHING, Drive.RULES]
    assert all(wish.controller.name == "sluggish" and wish.terrain.name == "flat" for wish in wishes)


def test_another_set_up_is_made_of_the_document(play, session, monkeypatch) -> None:
    wishes = []
    monkeypatch.setattr(play._making, "make", lambda wish, done: wishes.append(wish))
    setup = PlaySetup(AssetId("set-up"), "set-up", play.run.driven.rig.id)
    session.edits.put("set-up", setup)
    assert [(wish.known, wish.chosen) for wish in wishes] == [(None, setup)]


# ---------------------------------------------------------------- edits
def test_an_edit_of_a_clip_that_plays_goes_on_from_the_place_and_the_facing(play, session, later) -> None:
    play.controls.turn(90.0, 0.0)
    for _ in range(30):
        play.step_once()
    body = play.run.control
    assert abs(body.yaw) > 10.0
    session.edits.put("bare", replace(light().clip_named("walk"), curves={}))
    assert play.preparing
    later.deliver()
    assert play.run.control.position == pytest.approx(body.position)
    assert play.run.control.yaw == pytest.approx(body.yaw) and play.run.control.step == 0
    assert not play.running and play.on


def test_an_edit_of_what_does_not_play_changes_nothing(play, session) -> None:
    session.edits.put("bare", replace(light().clip_named("wave"), curves={}))
    assert not play.preparing and told(play) == (0, 0, 0)


def test_an_edit_while_it_is_left_counts_at_the_next_start(play, session, later) -> None:
    play.stop()
    session.edits.put("bare", replace(light().clip_named("walk"), curves={}))
    assert not play.preparing
    play.start()
    assert play.preparing
    later.deliver()
    assert play.run.driven.setup.plan is not character().setup.plan


def test_once_it_is_out_of_date_every_edit_has_it_made_again(play, session, later) -> None:
    session.edits.put("bare", replace(light().clip_named("walk"), curves={}))
    session.edits.put("bare", replace(light().clip_named("wave"), curves={}))
    assert len(later.waiting) == 2


def test_an_edit_before_the_first_start_makes_nothing(session, later) -> None:
    play = session.feature(Play)
    session.edits.put("bare", replace(light().clip_named("walk"), curves={}))
    assert not play.preparing and play.run is None


# ---------------------------------------------------------------- another clip, another document
def test_another_clip_of_the_character_ends_it_and_keeps_the_run(play, session) -> None:
    session.playback.set_clip(light().clip_named("wave").id)
    assert not play.on and len(play.run) == 10
    play.start()
    assert play.on and not play.preparing


def test_a_clip_of_another_character_forgets_the_run(play, session) -> None:
    rig = replace(light().rigs[0], id=AssetId("rig-other"), name="other", retarget_sources={})
    session.edits.put("other", rig)
    play.set_span((2, 4))
    told(play)
    session.playback.set_clip(None, rig.id)
    assert play.run is None and play.span is None and not play.on and told(play)[2] == 2


def test_another_document_forgets_the_run_and_what_is_made(play, session, later) -> None:
    play.choices.choose_preset("sluggish")
    session.document.replace(light(), None)
    assert play.run is None and not play.on and not play.preparing
    later.deliver()
    assert play.run is None and not play.on


# ---------------------------------------------------------------- the camera
def test_a_run_of_the_same_character_leaves_the_camera_as_it_is(play) -> None:
    play.camera = play.camera.zoomed(0.5)
    driven = play.run.driven
    play.show_run(Run(driven, driven.terrain, driven.start((1.0, 0.0, 0.0))))
    assert play.camera.wanted == 0.5 * DISTANCE and play.run.control.position[0] == 1.0


def test_another_character_is_looked_at_from_as_far_as_it_is_tall(session) -> None:
    play = session.feature(Play)
    play.camera = play.camera.zoomed(0.5)
    driven = character().fork()
    run = Run(driven, driven.terrain, driven.start())
    run.size = 3.0
    play.show_run(run)
    assert play.camera.wanted == play.camera.distance == pytest.approx(3.0 * DISTANCE)
    play.follow(60.0)
    assert play.camera.pivot[1] == pytest.approx(3.0 * 0.8 * driven.setup.controller.height, abs=1e-3)


def test_a_preset_keeps_the_camera_where_the_character_is(play, later) -> None:
    play.start()
    for _ in range(20):
        play.advance(H)
        play.follow(H)
    pivot = play.camera.pivot
    assert pivot[2] > 0.2
    play.choices.choose_preset("sluggish")
    later.deliver()
    assert play.camera.pivot == pivot and play.clock.share == 0.0

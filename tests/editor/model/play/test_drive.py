"""Play by motion matching: chosen beside the preset, from where the character is; kept; clips make it anew."""

from dataclasses import replace

import pytest

from core.ids import AssetId
from core.locomotion.controls import Key
from core.locomotion.matching.setup import Choice, Drive, Matching
from core.locomotion.matching.setup_file import write_matching
from core.locomotion.play_setup import PlaySetup
from core.locomotion.setup import H
from core.project.project import Project
from editor.model.play.choices import PREFERENCE, PlayChoices
from editor.model.play.setups import PlaySetups
from editor.model.play.state import Play
from editor.model.session import Session
from tests.light_character import light


def sample() -> Project:
    """Few clips: the database of all takes seconds to make."""
    return light("sprint start", "run stop left RF")


@pytest.fixture
def session(tmp_path):
    made = Session.create(tmp_path / "config", tmp_path / "data")
    made.document.replace(sample(), None)
    made.playback.set_clip(sample().clips[0].id)
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


def test_motion_matching_goes_on_from_where_the_character_is_and_back(play):
    play.controls.press(Key.AHEAD)
    run_for(play, 0.5)
    place = play.run.control.position
    play.choices.choose_drive(Drive.MATCHING)
    assert play.run.driven.drive is Drive.MATCHING
    assert play.run.control.position == pytest.approx(place)
    run_for(play, 0.5)
    assert play.run.state.matched.on
    play.choices.choose_drive(Drive.RULES)
    run_for(play, 0.1)
    assert play.run.state.matched is None and play.run.control.position[2] > place[2]


def test_the_choice_is_kept(play, session):
    play.choices.choose_drive(Drive.MATCHING)
    assert session.preferences.get(PREFERENCE)["drive"] == "matching"
    again = PlayChoices(session.document, session.playback, session.preferences)
    assert again.drive is Drive.MATCHING


def test_a_set_ups_numbers_and_ranges_are_what_is_matched_by(play, session):
    rig = sample().rigs[0]
    numbers = Matching(transition=2.0, choices=(Choice("sprint start", on=False),))
    session.edits.put("Set-up", PlaySetup(AssetId("s1"), "own", rig.id, matching=numbers))
    play.choices.choose_drive(Drive.MATCHING)
    database = play.run.driven.setup.matcher.database
    assert database.setup == numbers
    assert "sprint start" not in {stretch.clip for stretch in database.stretches}


def test_a_changed_clip_makes_the_database_anew(play, session):
    play.choices.choose_drive(Drive.MATCHING)
    before = play.run.driven
    clip = sample().clip_named("run stop left RF")
    session.edits.put("Shorter", replace(clip, length=clip.length - 0.2))
    play.start()
    assert play.run.driven is not before


def test_numbers_of_a_file_are_one_undo_step_of_the_set_up(play, session, tmp_path):
    setups, numbers = session.feature(PlaySetups), Matching(path_place=3.0)
    write_matching(numbers, tmp_path / "mine.json")
    before, position = session.document.project, session.history.position
    setups.read_matching(tmp_path / "mine.json")
    assert setups.matching == numbers and session.history.position == position + 1
    session.history.undo()
    assert dict(session.document.project.assets) == dict(before.assets) and setups.matching == Matching()

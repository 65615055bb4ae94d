"""What is chosen for Play: character, set-up, terrain, preset and drive; what is kept, and what is told."""

from dataclasses import replace
from pathlib import Path

import pytest

from core.ids import AssetId
from core.locomotion.matching.setup import Drive
from core.locomotion.play_setup import PlaySetup
from core.locomotion.setup import PRESETS
from core.terrain.pieces import Plane
from core.terrain.reading import write_terrain
from core.terrain.terrain import Terrain
from editor.model.play.choices import BY_NAME, FILE, PREFERENCE, PlayChoices
from editor.model.play.grounds import TERRAINS
from editor.model.play.overlays import OVERLAYS, Overlays
from editor.model.play.overlays import PREFERENCE as OVERLAY_PREFERENCE
from editor.model.session import Session
from tests.editor.rigs import small_project

RIG = AssetId("rig-small")
FIRST, SECOND = AssetId("play_setup-1"), AssetId("play_setup-2")


@pytest.fixture
def session():
    made = Session.create()
    made.document.replace(small_project(mesh=False), None)
    made.playback.set_clip(AssetId("clip-small"))
    yield made
    made.close()


def choices_of(session: Session) -> PlayChoices:
    made = PlayChoices(session.document, session.playback, session.preferences)
    made.told = []
    made.changed.connect(made.told.append)
    return made


@pytest.fixture
def choices(session) -> PlayChoices:
    return choices_of(session)


@pytest.fixture
def two(session, choices) -> PlayChoices:
    """Two set-ups of the character, and one of another between them."""
    rig = session.document.project.rigs[0]
    other = replace(rig, id=AssetId("rig-other"), name="other")
    session.edits.put("other", other, PlaySetup(AssetId("theirs"), "theirs", other.id))
    session.edits.put("set-ups", PlaySetup(FIRST, "first", RIG), PlaySetup(SECOND, "second", RIG))
    return choices


# ---------------------------------------------------------------- what is kept
@pytest.mark.parametrize(
    ("stored", "found"),
    [
        (None, ("flat", "normal", Drive.RULES)),
        ("flat", ("flat", "normal", Drive.RULES)),
        ({}, ("flat", "normal", Drive.RULES)),
        ({"terrain": "moon", "preset": "lazy", "drive": "wheels"}, ("flat", "normal", Drive.RULES)),
        ({"terrain": "stairs"}, ("stairs", "normal", Drive.RULES)),
        ({"preset": "responsive"}, ("flat", "responsive", Drive.RULES)),
        ({"drive": "matching"}, ("flat", "normal", Drive.MATCHING)),
    ],
)
def test_what_the_preferences_hold_is_chosen_as_far_as_it_is_known(session, stored, found) -> None:
    assert "responsive" in PRESETS and "lazy" not in PRESETS
    if stored is not None:
        session.preferences.set(PREFERENCE, stored)
    made = choices_of(session)
    assert (made.terrain_id, made.preset, made.drive) == found
    assert made.terrain.name == found[0] and made.terrain_title == TERRAINS[found[0]][0]
    assert made.controller is PRESETS[found[1]]


def test_each_choice_is_told_once_and_kept(session, choices) -> None:
    choices.choose_terrain("bumps")
    choices.choose_preset("responsive")
    choices.choose_drive(Drive.MATCHING)
    assert choices.told == [True, False, False], "only another terrain begins again"
    assert session.preferences.get(PREFERENCE) == {
        "terrain": "bumps", "preset": "responsive", "drive": "matching",
    }  # fmt: skip
    choices.choose_terrain("bumps")
    choices.choose_preset("responsive")
    choices.choose_drive(Drive.MATCHING)
    choices.choose_terrain("moon")
    choices.choose_preset("lazy")
    assert len(choices.told) == 3 and (choices.terrain_id, choices.preset) == ("bumps", "responsive")


def test_a_terrain_is_made_once(choices) -> None:
    flat = choices.terrain
    choices.choose_terrain("slopes")
    assert choices.terrain.name == "slopes" and choices.terrain is choices.terrain
    choices.choose_terrain("flat")
    assert choices.terrain is flat


def test_a_terrain_of_a_file_is_left_by_any_other(session, choices, tmp_path) -> None:
    first, second = tmp_path / "hill.json", tmp_path / "dale.json"
    write_terrain(Terrain((Plane(name="a"),), "hill"), first)
    write_terrain(Terrain((Plane(name="b"),), "dale"), second)
    before = session.preferences.get(PREFERENCE)
    choices.open_terrain(first)
    assert (choices.terrain_id, choices.terrain_title, choices.terrain.name) == (FILE, "hill.json", "hill")
    choices.open_terrain(second)
    assert (choices.terrain_title, choices.terrain.name) == ("dale.json", "dale")
    assert choices.told == [True, True] and session.preferences.get(PREFERENCE) == before
    choices.choose_terrain("flat")  # what it was before the files
    assert choices.told == [True] * 3
    assert (choices.terrain_id, choices.terrain_title, choices.terrain.name) == ("flat", "Flat", "flat")


def test_what_recorded_inputs_bring_is_taken_silently(choices) -> None:
    hill = Terrain((Plane(),), "hill")
    choices.put_terrain(hill, Path("inputs.json"))
    choices.put_preset("sluggish")
    choices.put_preset("of another program")
    assert choices.terrain is hill and choices.terrain_title == "inputs.json"
    assert choices.preset == "sluggish" and choices.controller is PRESETS["sluggish"] and choices.told == []


# ---------------------------------------------------------------- character and set-up
def test_without_a_character_nothing_is_driven(session, choices) -> None:
    assert choices.rig.id == RIG and choices.why_not() == ""
    session.document.replace(small_project(mesh=False).without("clip-small", "rig-small"), None)
    session.playback.set_clip(None)
    assert choices.rig is None and choices.setups == () and choices.setup is None
    assert choices.why_not() == "no character is shown"
    choices.choose_setup(BY_NAME)
    assert choices.told == []


def test_the_first_set_up_counts_until_another_is_chosen(two) -> None:
    assert [found.id for found in two.setups] == [FIRST, SECOND] and two.setup.id == FIRST
    two.choose_setup(SECOND)
    assert two.setup.id == SECOND and two.told == [False]
    two.choose_setup(SECOND)
    two.choose_setup("theirs")
    two.choose_setup("gone")
    assert two.setup.id == SECOND and two.told == [False]
    two.choose_setup(BY_NAME)
    assert two.setup is None and two.told == [False, False]
    two.choose_setup(FIRST)
    assert two.setup.id == FIRST and len(two.told) == 3


def test_to_choose_what_counts_already_tells_nothing(two) -> None:
    two.choose_setup(FIRST)
    assert two.setup.id == FIRST and two.told == []


def test_the_chosen_set_up_that_is_gone_gives_way_to_the_first(two, session) -> None:
    two.choose_setup(SECOND)
    session.edits.remove("gone", SECOND)
    assert two.setup.id == FIRST
    session.undo()
    assert two.setup.id == SECOND


def test_another_document_forgets_what_was_chosen(two, session) -> None:
    two.choose_setup(BY_NAME)
    session.document.replace(session.document.project, None)
    session.playback.set_clip(AssetId("clip-small"))
    assert two.setup.id == FIRST


# ---------------------------------------------------------------- overlays
@pytest.mark.parametrize("stored", [None, [], {"velocity": 0, "wish": 1, "moon": 1}])
def test_overlays_begin_as_they_were_kept(session, stored) -> None:
    if stored is not None:
        session.preferences.set(OVERLAY_PREFERENCE, stored)
    made = Overlays(session.preferences)
    wanted = {name: known.on for name, known in OVERLAYS.items()}
    if isinstance(stored, dict):
        wanted |= {"velocity": False, "wish": True}
    assert {name: made[name] for name in OVERLAYS} == wanted
    on = {"velocity", "contacts", "trace"} if not isinstance(stored, dict) else {"wish", "contacts", "trace"}
    assert {name for name in OVERLAYS if made[name]} == on


def test_a_switch_that_differs_is_told_and_kept(session) -> None:
    made, told = Overlays(session.preferences), []
    made.changed.connect(told.append)
    made.set("velocity", True)
    assert told == [] and session.preferences.get(OVERLAY_PREFERENCE) is None
    made.toggle("velocity")
    made.toggle("capsule")
    assert told == ["velocity", "capsule"] and not made["velocity"] and made["capsule"]
    kept = session.preferences.get(OVERLAY_PREFERENCE)
    assert set(kept) == set(OVERLAYS) and not kept["velocity"] and kept["capsule"] and not kept["wish"]
    made.toggle("velocity")
    assert made["velocity"] and told[2:] == ["velocity"]
    with pytest.raises(KeyError):
        made.set("moon", True)

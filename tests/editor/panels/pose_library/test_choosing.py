"""Poses chosen with Ctrl and Shift, and their tags."""

import pytest

from core.pose.library import LibraryPose
from editor.model.posing import library
from editor.model.posing.state import PosingState
from editor.panels.pose_library.view_model import PoseLibrary
from tests.editor.panel_stage import small_session


@pytest.fixture
def model():
    session = small_session(mesh=False)
    for name in "abcde":
        library.save_pose(session, name)
    made = PoseLibrary(session)
    session.feature(PosingState).choose()
    yield made
    session.close()


def names(model: PoseLibrary) -> str:
    project, posing = model.session.document.project, model.session.feature(PosingState)
    return "".join(project.get(LibraryPose, id).name for id in posing.poses)


def ids(model: PoseLibrary) -> dict:
    return {pose.name: pose.id for pose in model.poses()}


@pytest.mark.parametrize(
    ("first", "last", "chosen"), [("b", "d", "bcd"), ("d", "b", "dcb"), ("c", "c", "c"), ("a", "e", "abcde")]
)
def test_shift_chooses_all_between_in_either_direction(model, first: str, last: str, chosen: str) -> None:
    id = ids(model)
    model.choose(id[first])
    model.choose(id[last], through=True)
    assert names(model) == chosen
    assert model.session.feature(PosingState).active == id[last]


def test_shift_adds_to_what_ctrl_chose(model) -> None:
    id = ids(model)
    model.choose(id["a"])
    model.choose(id["c"], add=True)
    model.choose(id["e"], through=True)
    assert set(names(model)) == set("acde")
    model.choose(id["d"], add=True)  # again: no longer
    assert set(names(model)) == set("ace")
    model.choose(id["b"])
    assert names(model) == "b"


def test_shift_goes_through_what_the_search_leaves(model) -> None:
    id = ids(model)
    for name in "ace":
        model.tag(id[name], "hand")
    model.words = "#hand"
    model.choose(id["a"])
    model.choose(id["e"], through=True)
    assert names(model) == "ace"


def test_tags_are_words_with_blanks_or_commas_once_each_and_survive_an_update(model) -> None:
    id = ids(model)["b"]
    model.tag(id, "fist, left  left fist,arm")
    pose = model.session.document.project.get(LibraryPose, id)
    assert pose.tags == ("fist", "left", "arm")
    assert model.session.history.labels[-1] == "Tag pose b"
    model.update(id)
    model.rename(id, "punch")
    assert model.session.document.project.get(LibraryPose, id).tags == ("fist", "left", "arm")
    assert model.tags() == ("arm", "fist", "left")
    model.words = "#arm"
    assert [card.name for card in model.cards()] == ["punch"]
    assert model.cards()[0].tags == ("fist", "left", "arm")
    model.words = ""
    model.session.undo()
    model.session.undo()
    model.session.undo()
    assert model.session.document.project.get(LibraryPose, id).tags == ()

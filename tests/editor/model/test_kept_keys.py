"""Selected keys through edits, undo and redo, with no panel open."""

import pytest

from core.tracks import edits
from editor.model.session import Session
from tests.editor.panels.curves.curve_stage import X, Y, arm_project


@pytest.fixture
def session(tmp_path):
    made = Session.create(tmp_path, tmp_path)
    made.document.replace(arm_project(), None)
    yield made
    made.close()


def put(session: Session, track) -> None:
    session.edits.put("edit", session.clip.with_tracks({X: track}))


def test_keys_before_the_selected_one_go_and_come_back_and_it_stays_the_same(session):
    session.selection.select_keys({X: [5], Y: [2]})
    put(session, edits.delete_keys(session.clip.tracks[X], [1, 2]))
    assert session.selection.keys[X].tolist() == [3]
    session.undo()
    assert session.selection.keys[X].tolist() == [5]
    session.redo()
    assert session.selection.keys[X].tolist() == [3]
    assert session.selection.keys[Y].tolist() == [2]


def test_deleted_key_is_selected_no_longer(session):
    session.selection.select_keys({X: [5, 6]})
    put(session, edits.delete_keys(session.clip.tracks[X], [5]))
    assert session.selection.keys[X].tolist() == [5]


def test_moved_key_stays_selected_through_undo(session):
    session.selection.select_keys({X: [5]})
    put(session, edits.move_keys(session.clip.tracks[X], [5], 0.01).track)
    assert session.selection.keys[X].tolist() == [5]
    session.undo()
    assert session.selection.keys[X].tolist() == [5]


def test_selection_made_after_an_edit_is_not_carried_to_older_times(session):
    put(session, edits.delete_keys(session.clip.tracks[X], [1]))
    session.selection.select_keys({X: [1]})
    session.undo()
    assert session.selection.keys[X].tolist() == [2]

"""Selected keys through edits, undo and redo, with no panel open."""

import numpy as np
import pytest

from core.clips.clip import Channel, Property
from core.tracks import edits
from core.tracks.keys import scalar_track
from core.tracks.together import set_together
from editor.model import kept_keys
from editor.model.session import Session
from editor.tools import key_commands
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


@pytest.fixture
def crowd(session):
    """Forty channels whose tracks share their times, and every key of them selected."""
    times = np.arange(50) / 30.0
    times.flags.writeable = False
    channels = [Channel(f"bone_{n}", Property.ROTATE, axis) for n in range(14) for axis in range(3)]
    session.edits.put(
        "Crowd", session.clip.with_tracks({c: scalar_track(times, np.sin(times)) for c in channels})
    )
    session.selection.select_keys({c: np.arange(50) for c in channels})
    return channels


def test_keys_of_channels_that_share_their_times_are_looked_for_once(session, crowd, monkeypatch):
    looked, again = [], kept_keys._again
    monkeypatch.setattr(kept_keys, "_again", lambda *given: looked.append(given) or again(*given))
    tracks = [session.clip.tracks[channel] for channel in crowd]
    longer = dict(zip(crowd, set_together(tracks, 0.01, np.zeros(len(tracks))), strict=True))
    session.edits.put("key", session.clip.with_tracks(longer))
    assert len(looked) == 1
    wanted = [0, *range(2, 51)]
    assert all(session.selection.keys[channel].tolist() == wanted for channel in crowd)


def test_all_keys_of_channels_with_as_many_are_selected_with_the_same_numbers(session, crowd, monkeypatch):
    given = []
    monkeypatch.setattr(session.selection, "select_keys", given.append)
    session.selection.select([channel.bone for channel in crowd])
    key_commands.select_all(session)
    (keys,) = given
    shared = {len(numbers): set() for numbers in keys.values()}
    for numbers in keys.values():
        shared[len(numbers)].add(id(numbers))
        assert numbers.tolist() == list(range(len(numbers)))
    assert set(crowd) <= keys.keys() and all(len(ids) == 1 for ids in shared.values())

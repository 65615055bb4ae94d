"""Sliders of morphs and named curves without their widget: previewed, kept in one step, named apart."""

import pytest

from core.tracks.evaluate import evaluate_scalar
from editor.model.autokey import KeyState
from editor.model.channels import curve_channel, morph_channel
from editor.panels.weights.view_model import Weights
from tests.editor.panel_stage import small_session

SMILE = morph_channel("face/smile")


@pytest.fixture
def session():
    made = small_session(mesh=False)
    made.keying.auto = True
    made.said = []
    made.messages.posted.connect(lambda message: made.said.append(message.text))
    yield made
    made.close()


@pytest.fixture
def weights(session) -> Weights:
    return Weights(session)


def names(weights: Weights, words: str = "") -> list[str]:
    return [row.name for row in weights.rows(words)]


def test_a_curve_begins_at_nothing_where_the_playhead_is_and_is_selected(session, weights):
    session.playback.seek(0.5)
    first = weights.add_curve()
    assert session.history.labels == (f"Add curve {first.bone}",) and session.selection.weights == (first,)
    assert session.clip.curves[first.bone].times.tolist() == [0.5]
    second = weights.add_curve(first.bone)
    assert second.bone != first.bone and sorted(names(weights)) == sorted([first.bone, second.bone])
    session.playback.set_clip(None, session.rig.id)
    assert weights.add_curve("late") is None and "belongs to a clip" in session.said[-1]


@pytest.mark.parametrize("value", [0.0, 0.4, 1.0])
def test_a_slider_is_previewed_and_kept_in_one_step_and_taken_back(session, weights, value):
    channel = weights.add_curve("speed")
    session.playback.seek(1.0)
    clip, position = session.clip, session.history.position
    weights.preview(channel, 0.7)
    weights.preview(channel, value)
    shown = session.preview.clip
    assert evaluate_scalar(shown.curves["speed"], 1.0) == pytest.approx(value) and session.clip is clip
    weights.cancel()
    assert session.preview.clip is None and session.clip is clip
    weights.preview(channel, 0.7)
    weights.commit(channel, value)
    assert session.preview.clip is None
    if value:
        assert session.history.position == position + 1
        assert session.history.labels[-1] == f"Set speed {value:.2f} @ f30"
    assert evaluate_scalar(session.clip.curves["speed"], 1.0) == pytest.approx(value)


def test_a_key_is_set_and_taken_away_where_it_is(session, weights):
    channel = weights.add_curve("speed")
    session.playback.seek(1.0)

    def state() -> KeyState:
        return next(row.state for row in weights.rows() if row.channel == channel)

    for wanted, keys in ((KeyState.KEYED, [0.0, 1.0]), (None, [0.0])):
        assert weights.toggle_key(channel)
        assert session.clip.curves["speed"].times.tolist() == keys
        assert (state() is KeyState.KEYED) is (wanted is KeyState.KEYED)


def test_a_curve_is_renamed_in_its_place_and_a_name_that_is_taken_or_empty_refused(session, weights):
    first, second = weights.add_curve("speed"), weights.add_curve("turn")
    assert weights.rename_curve(first, "pace") and session.history.labels[-1] == "Rename curve speed to pace"
    assert list(session.clip.curves) == ["pace", "turn"] and session.selection.weights == (
        curve_channel("pace"),
    )
    before = session.clip
    for wrong, words in (("turn", "already has a curve turn"), (" ", "")):
        session.said.clear()
        assert not weights.rename_curve(curve_channel("pace"), wrong)
        assert session.said and words in session.said[-1]
    session.said.clear()
    assert not weights.rename_curve(second, "turn") and not weights.rename_curve(first, "x")
    assert session.clip is before and not session.said


def test_all_keys_go_in_one_step_and_what_has_none_is_left(session, weights):
    first, second = weights.add_curve("speed"), weights.add_curve("turn")
    assert weights.clear(first) and list(session.clip.curves) == ["turn"]
    assert session.history.labels[-1] == "Delete all keys of speed"
    position = session.history.position
    assert not weights.clear(first) and not weights.clear(SMILE) and session.history.position == position
    assert weights.clear(second) and not session.clip.curves


def test_every_word_counts_in_the_search_and_the_selected_are_told(session, weights):
    for name in ("left foot speed", "Right foot speed", "turn"):
        weights.add_curve(name)
    assert names(weights, "FOOT speed") == ["left foot speed", "Right foot speed"]
    assert names(weights, "speed right") == ["Right foot speed"] and names(weights, "foot turn") == []
    assert [row.name for row in weights.rows() if row.selected] == ["turn"]
    assert all(row.is_curve and row.place == "" for row in weights.rows()) and weights.has_rig

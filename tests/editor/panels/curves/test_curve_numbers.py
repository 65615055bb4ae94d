"""Numbers typed for keys, and copies of keys, in the curve editor."""

import numpy as np
import pytest

from core.tracks.evaluate import evaluate_scalar
from core.tracks.keys import TangentMode
from tests.editor.panels.curves.curve_stage import X, shifted
from tests.editor.user import SHIFT


# ---------------------------------------------------------------- numbers
def test_numeric_value_times_two_and_frame(stage):
    user, before = stage.user, stage.track(X)
    user.click(stage.canvas, stage.key_place(X, 3))
    user.type_into("curvesValue", "*2")
    assert stage.track(X).values[3] == pytest.approx(before.values[3] * 2, abs=2e-3)
    user.type_into("curvesFrame", "+3")
    assert stage.track(X).times[3] * 30 == pytest.approx(25.0)
    user.type_into("curvesOut", "=90")
    assert stage.track(X).out_slopes[3] == pytest.approx(90.0)
    assert stage.session.history.labels[-3:] == ("Set key value", "Move to frame", "Set out-slope")


def test_fields_show_a_dash_where_values_differ(stage):
    stage.session.selection.select_keys({X: [2, 3]})
    stage.user.settle()
    assert stage.panel.fields.value.value is None
    stage.user.type_into("curvesValue", "12")
    assert stage.track(X).values[2:4].tolist() == [12.0, 12.0]
    assert stage.panel.fields.value.value == 12.0


def test_relative_numbers_change_each_key_from_its_own(stage):
    before = stage.track(X)
    stage.session.selection.select_keys({X: [2, 3]})
    stage.user.settle()
    stage.user.type_into("curvesValue", "*2")
    assert stage.track(X).values[2:4] == pytest.approx(before.values[2:4] * 2)
    stage.user.type_into("curvesFrame", "+1")
    assert stage.track(X).times[2:4] == pytest.approx(before.times[2:4] + 1 / 30)
    stage.user.type_into("curvesOut", "*0.5")
    assert len(stage.session.history.labels) == 3
    assert stage.track(X).modes[2] == TangentMode.FREE


# ---------------------------------------------------------------- copy, paste
def test_copy_and_paste_at_playhead_original_time_and_reversed(stage):
    user, session, before = stage.user, stage.session, stage.track(X)
    session.selection.select_keys({X: [1, 2]})
    session.playback.seek(33.0 / 30.0)
    user.move(stage.canvas, (50, 50))
    user.press("Ctrl+C")
    user.press("Ctrl+V")
    after = stage.track(X)
    places = session.selection.keys[X]
    assert np.round(after.times[places] * 30).tolist() == [33, 41]
    assert after.values[places].tolist() == before.values[[1, 2]].tolist()
    session.undo()
    assert stage.track(X) is before
    session.selection.select_keys({X: [1, 2]})
    stage.panel.commands.delete()
    stage.panel.commands.paste(at_playhead=False)
    assert np.array_equal(stage.track(X).values, before.values)
    session.go_to(0)
    stage.panel.commands.paste(True, True)
    places = session.selection.keys[X]
    assert stage.track(X).values[places].tolist() == before.values[[2, 1]].tolist()


def test_duplicate_puts_copies_at_the_playhead(stage):
    stage.session.selection.select_keys({X: [0]})
    stage.session.playback.seek(0.4)
    stage.user.move(stage.canvas, (50, 50))
    stage.user.press("Ctrl+D")
    assert len(stage.track(X)) == 9
    assert evaluate_scalar(stage.track(X), 0.4) == pytest.approx(stage.track(X).values[0])


def test_ripple_takes_later_keys_along(stage):
    before = stage.track(X)
    stage.session.switches.set("ripple", True)
    place = stage.key_place(X, 3)
    stage.user.drag(
        stage.canvas, place, shifted(place, stage.model.view.axis.pixels_per_frame * 5, 0), modifiers=SHIFT
    )
    after = stage.track(X)
    assert np.allclose(after.times[3:], before.times[3:] + 5 / 30) and np.array_equal(
        after.times[:3], before.times[:3]
    )
    assert stage.session.selection.keys[X].tolist() == [3]

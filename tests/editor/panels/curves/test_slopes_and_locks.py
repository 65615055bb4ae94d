"""Slopes typed for keys whose sides differ, and what locked curves are left out of."""

import numpy as np
import pytest

from core.tracks.edits import set_mode, set_slopes
from core.tracks.keys import TangentMode
from editor.tools.curves.lanes import Lane
from tests.editor.panels.curves.curve_stage import X, Y


def put(stage, track) -> None:
    clip = stage.session.clip
    stage.session.edits.put("slopes", clip.with_tracks({X: track}))
    stage.session.selection.select_keys({X: [3]})
    stage.user.settle()


@pytest.fixture
def broken(stage):
    track = set_slopes(
        set_mode(stage.track(X), [3], TangentMode.BROKEN), [3], -20.0, 35.0, TangentMode.BROKEN
    )
    put(stage, track)
    return stage


def test_in_and_out_fields_show_and_set_their_own_side_of_a_broken_key(broken) -> None:
    fields = broken.panel.fields
    assert (fields.into.value, fields.out.value) == (pytest.approx(-20.0), pytest.approx(35.0))
    broken.user.type_into("curvesIn", "=-8")
    track = broken.track(X)
    assert (track.in_slopes[3], track.out_slopes[3]) == (pytest.approx(-8.0), pytest.approx(35.0))
    broken.user.type_into("curvesOut", "=12")
    track = broken.track(X)
    assert (track.in_slopes[3], track.out_slopes[3]) == (pytest.approx(-8.0), pytest.approx(12.0))
    assert track.modes[3] == TangentMode.BROKEN
    assert broken.session.history.labels[-2:] == ("Set in-slope", "Set out-slope")
    assert (fields.into.value, fields.out.value) == (pytest.approx(-8.0), pytest.approx(12.0))


@pytest.mark.parametrize("field", ["curvesIn", "curvesOut"])
def test_either_field_sets_both_sides_of_a_key_that_is_not_broken(stage, field: str) -> None:
    put(stage, set_mode(stage.track(X), [3], TangentMode.FREE))
    stage.user.type_into(field, "=15")
    track = stage.track(X)
    assert (track.in_slopes[3], track.out_slopes[3]) == (pytest.approx(15.0), pytest.approx(15.0))
    assert track.modes[3] == TangentMode.FREE


def test_slopes_that_differ_are_a_dash_and_a_relative_number_changes_each(broken) -> None:
    broken.session.selection.select_keys({X: [2, 3]})
    broken.user.settle()
    before = broken.track(X)
    assert broken.panel.fields.into.value is None
    broken.user.type_into("curvesIn", "*2")
    assert broken.track(X).in_slopes[2:4] == pytest.approx(2.0 * before.in_slopes[2:4])
    assert broken.track(X).out_slopes[3] == pytest.approx(before.out_slopes[3])


def test_select_all_leaves_locked_curves_out(stage) -> None:
    for flag in ("chosen", "hidden"):
        stage.model.lanes.set_flag(flag, ())
    stage.show("arm")
    commands = stage.panel.commands
    commands.select_all()
    every = set(stage.session.selection.keys)
    assert {X, Y} <= every
    stage.model.lanes.set_flag("locked", [Lane(X)])
    commands.select_all()
    assert set(stage.session.selection.keys) == every - {X}
    for channel, keys in stage.session.selection.keys.items():
        assert np.array_equal(keys, np.arange(len(stage.track(channel) if channel.is_bone else keys)))


def test_locked_curves_take_no_number(stage) -> None:
    stage.session.selection.select_keys({X: [3]})
    stage.model.lanes.set_flag("locked", [Lane(X)])
    stage.user.settle()
    before = stage.track(X)
    for edit in (stage.panel.commands.value_edit, stage.panel.commands.frame_edit):
        assert edit(5.0) is None
    assert stage.panel.commands.slope_edit(5.0, 1) is None
    assert stage.track(X) is before

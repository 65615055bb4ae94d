"""Keys and tangents in the curve editor, as a person drags them."""

import numpy as np
import pytest
from PySide6.QtCore import QPointF

from core.tracks.evaluate import evaluate_scalar
from core.tracks.keys import Interpolation, TangentMode
from tests.editor.panels.curves.curve_stage import X, pixels, shifted
from tests.editor.user import ALT, CTRL, RIGHT, SHIFT


# ---------------------------------------------------------------- keys
def test_drag_key_moves_it_in_one_step_and_undo_brings_it_back(stage):
    before, place = stage.track(X), stage.key_place(X, 3)
    stage.user.drag(stage.canvas, place, shifted(place, 0, -60), modifiers=SHIFT)
    after = stage.track(X)
    assert after.values[3] == pytest.approx(before.values[3] + pixels(stage, X, 0, -60)[1], rel=1e-6)
    assert np.array_equal(after.times, before.times)
    changed = np.flatnonzero(after.in_slopes != before.in_slopes)
    assert set(changed) <= {2, 3, 4} and 3 in set(np.flatnonzero(after.values != before.values))
    assert stage.session.history.labels[-1].startswith("Move key")
    stage.session.undo()
    assert stage.track(X) is before
    stage.session.redo()
    assert stage.track(X) is after


def test_drag_key_sideways_lands_on_frames_and_ctrl_between_them(stage):
    place = stage.key_place(X, 3)
    stage.user.drag(stage.canvas, place, shifted(place, 27, 0))
    frame = stage.track(X).times[3] * 30.0
    assert frame == pytest.approx(round(frame)) and frame != 22.0
    place = stage.key_place(X, 3)
    stage.user.press_mouse(stage.canvas, place)
    stage.user.move_held(shifted(place, 10, 0), modifiers=CTRL)
    stage.user.move_held(shifted(place, 27, 0), modifiers=CTRL)
    stage.user.release_mouse(shifted(place, 27, 0), modifiers=CTRL)
    frame = stage.track(X).times[3] * 30.0
    assert abs(frame - round(frame)) > 1e-3


def test_drag_key_with_shift_keeps_to_one_axis(stage):
    before, place = stage.track(X), stage.key_place(X, 3)
    stage.user.drag(stage.canvas, place, shifted(place, 60, -9), modifiers=SHIFT)
    assert np.array_equal(stage.track(X).values, before.values)
    assert stage.track(X).times[3] > before.times[3]


@pytest.mark.parametrize("how", ["escape", "right button"])
def test_cancel_during_a_drag_leaves_everything_as_it_was(stage, how):
    before, place = stage.clip, stage.key_place(X, 3)
    stage.user.press_mouse(stage.canvas, place)
    stage.user.move_held(shifted(place, 30, -40))
    assert stage.session.preview.clip is not None
    if how == "escape":
        stage.user.press("Esc")
    else:
        stage.user.click(stage.canvas, shifted(place, 30, -40), button=RIGHT)
    stage.user.release_mouse(shifted(place, 30, -40))
    assert stage.clip is before and stage.session.preview.clip is None
    assert stage.session.history.position == 0


def test_click_selects_shift_adds_ctrl_removes_and_the_ground_lets_go(stage):
    user, selection = stage.user, stage.session.selection
    user.click(stage.canvas, stage.key_place(X, 2))
    assert selection.keys[X].tolist() == [2]
    user.click(stage.canvas, stage.key_place(X, 4), modifiers=SHIFT)
    assert selection.keys[X].tolist() == [2, 4]
    user.click(stage.canvas, stage.key_place(X, 2), modifiers=CTRL)
    assert selection.keys[X].tolist() == [4]
    user.click(stage.canvas, stage.at(5, 5))
    assert not selection.keys


def test_box_select_then_move_over_other_keys_gives_those_in_the_way_up(stage):
    before = stage.track(X)
    places = [stage.key_place(X, n) for n in (1, 2)]
    corner = QPointF(places[0].x() - 8, min(p.y() for p in places) - 12)
    other = QPointF(places[1].x() + 8, max(p.y() for p in places) + 12)
    stage.user.drag(stage.canvas, corner, other)
    assert stage.session.selection.keys[X].tolist() == [1, 2]
    place = stage.key_place(X, 2)
    stage.user.drag(
        stage.canvas, place, shifted(place, stage.model.view.axis.pixels_per_frame * 8, 0), modifiers=SHIFT
    )
    after = stage.track(X)
    assert len(after) == len(before) - 1  # 14 + 8 = 22 was taken
    assert np.round(after.times * 30).tolist() == [0, 14, 22, 30, 41, 50, 60]
    assert after.values[2] == before.values[2]
    assert stage.session.selection.keys[X].tolist() == [1, 2]
    stage.session.undo()
    assert stage.track(X) is before


def test_lasso_catches_what_lies_inside(stage):
    a = stage.key_place(X, 4)
    stage.user.press_mouse(stage.canvas, shifted(a, -15, -15), modifiers=ALT)
    for dx, dy in ((15, -15), (15, 15), (-15, 15), (-15, -10)):
        stage.user.move_held(shifted(a, dx, dy), modifiers=ALT)
    stage.user.release_mouse(shifted(a, -15, -10), modifiers=ALT)
    assert stage.session.selection.keys[X].tolist() == [4]


def test_ctrl_click_on_the_curve_adds_a_key_without_changing_the_shape(stage):
    before = stage.track(X)
    time = 18.0 / 30.0
    x = stage.model.view.axis.x(time)
    y = stage.model.view.values.y(float(evaluate_scalar(before, time)))
    stage.user.click(stage.canvas, stage.at(x, y), modifiers=CTRL)
    after = stage.track(X)
    assert len(after) == len(before) + 1 and np.isclose(after.times, time).any()
    dense = np.linspace(0, 2, 601)
    assert np.abs(evaluate_scalar(after, dense) - evaluate_scalar(before, dense)).max() < 1e-9


def test_delete_takes_the_selected_keys_away(stage):
    stage.user.click(stage.canvas, stage.key_place(X, 2))
    stage.user.press("Del")
    assert len(stage.track(X)) == 7
    assert stage.session.history.labels[-1] == "Delete 1 key"


# ---------------------------------------------------------------- tangents
def test_tangent_keys_set_modes_of_the_selection(stage):
    user = stage.user
    user.click(stage.canvas, stage.key_place(X, 2))
    modes = ["AUTO", "CLAMPED", "FREE", "FLAT", "LINEAR", "STEPPED"]
    for number, name in reversed(list(enumerate(modes, 1))):
        user.press(str(number))
        assert stage.track(X).modes[2] == TangentMode[name]
    assert stage.track(X).interpolations[2] == Interpolation.CUBIC


def test_drag_handle_makes_free_and_alt_breaks_and_unify_joins(stage):
    user = stage.user
    user.click(stage.canvas, stage.key_place(X, 3))
    handle = stage.handle_place(X, 3, 1)
    user.drag(stage.canvas, handle, shifted(handle, 0, -40))
    track = stage.track(X)
    assert track.modes[3] == TangentMode.FREE and track.out_slopes[3] > 0
    assert track.in_slopes[3] == track.out_slopes[3]
    handle = stage.handle_place(X, 3, 1)
    user.drag(stage.canvas, handle, shifted(handle, 0, 60), modifiers=ALT)
    track = stage.track(X)
    assert track.modes[3] == TangentMode.BROKEN and track.in_slopes[3] != track.out_slopes[3]
    stage.panel.commands.unify_tangents()
    track = stage.track(X)
    assert track.modes[3] == TangentMode.FREE and track.in_slopes[3] == track.out_slopes[3]
    assert len(stage.session.history.labels) == 3


def test_drag_handle_of_one_of_several_selected_keys_leans_all_of_them(stage):
    before = stage.track(X)
    stage.session.selection.select_keys({X: [2, 3, 5]})
    stage.user.settle()
    handle = stage.handle_place(X, 3, 1)
    stage.user.drag(stage.canvas, handle, shifted(handle, 0, -40))
    track = stage.track(X)
    leans = track.out_slopes - before.out_slopes
    assert leans[3] > 0 and np.allclose(leans[[2, 5]], leans[3])
    assert (track.modes[[2, 3, 5]] == TangentMode.FREE).all()
    assert np.array_equal(track.out_slopes[[0, 1, 4, 6]], before.out_slopes[[0, 1, 4, 6]])
    assert stage.session.history.labels == ("Rotate tangents of 3 keys",)


def test_drag_handle_with_shift_levels_every_selected_key(stage):
    stage.session.selection.select_keys({X: [2, 3]})
    stage.user.settle()
    handle = stage.handle_place(X, 3, 1)
    stage.user.drag(stage.canvas, handle, shifted(handle, 0, -40), modifiers=SHIFT)
    assert np.allclose(stage.track(X).out_slopes[[2, 3]], 0.0)


def test_drag_handle_then_escape_restores(stage):
    user, before = stage.user, stage.clip
    user.click(stage.canvas, stage.key_place(X, 3))
    handle = stage.handle_place(X, 3, -1)
    user.drag(stage.canvas, handle, shifted(handle, -10, -50), during=lambda: user.press("Esc"))
    assert stage.clip is before and stage.session.preview.clip is None


def test_weighted_handle_changes_its_length(stage):
    user = stage.user
    user.click(stage.canvas, stage.key_place(X, 3))
    user.click("curvesWeighted")
    handle = stage.handle_place(X, 3, 1)
    user.drag(stage.canvas, handle, shifted(handle, 35, 0))
    assert stage.track(X).out_weights[3] > 0.4

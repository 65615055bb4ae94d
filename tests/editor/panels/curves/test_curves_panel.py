"""The curve editor as a person uses it: mouse and keys at what is on the screen, asserted on the document."""

import numpy as np
import pytest
from PySide6.QtCore import QPointF

from core.tracks import edits as track_edits
from core.tracks.components import to_angles
from core.tracks.evaluate import evaluate_scalar
from core.tracks.keys import Extrapolation, Interpolation, TangentMode
from editor.panels.curves.space import Layout
from editor.tools.curves.lanes import Lane, curve_channel
from tests.editor.panels.curves.curve_stage import TURN, X, Y, Z, arm_project, curve_stage
from tests.editor.user import ALT, CTRL, RIGHT, SHIFT


@pytest.fixture
def stage(qapp):
    with curve_stage(qapp) as made:
        made.show("arm")
        made.only(X)
        yield made


def shifted(place, dx, dy):
    return QPointF(place.x() + dx, place.y() + dy)


def pixels(stage, channel, dx, dy):
    """Seconds and value units that a drag is."""
    return dx / stage.model.axis.scale, stage.model.rise(Lane(channel), dy)


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
    stage.user.drag(stage.canvas, place, shifted(place, stage.model.axis.pixels_per_frame * 8, 0), modifiers=SHIFT)
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
    x = stage.model.axis.x(time)
    y = stage.model.values.y(float(evaluate_scalar(before, time)))
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
    stage.user.drag(stage.canvas, place, shifted(place, stage.model.axis.pixels_per_frame * 5, 0), modifiers=SHIFT)
    after = stage.track(X)
    assert np.allclose(after.times[3:], before.times[3:] + 5 / 30) and np.array_equal(after.times[:3], before.times[:3])
    assert stage.session.selection.keys[X].tolist() == [3]


# ---------------------------------------------------------------- view
def test_fit_shows_the_selection_with_neighbours_and_all(stage):
    user, model = stage.user, stage.model
    user.click(stage.canvas, stage.key_place(X, 3))
    user.press("F")
    track = stage.track(X)
    assert model.axis.start < track.times[2] and track.times[4] < model.axis.end
    assert model.axis.end - model.axis.start < 1.2
    user.press("A")
    assert model.axis.start < 0.0 and model.axis.end > 2.0


def test_wheel_zooms_both_axes_at_the_cursor_ctrl_time_shift_value(stage):
    user, model = stage.user, stage.model
    place = stage.at(300, 100)
    before = model.axis.time(300), model.values.value(100)
    user.wheel(stage.canvas, 2, place)
    assert model.axis.time(300) == pytest.approx(before[0]) and model.values.value(100) == pytest.approx(before[1])
    axis, values = model.axis, model.values
    user.wheel(stage.canvas, 1, place, CTRL)
    assert model.axis.scale > axis.scale and model.values == values
    axis = model.axis
    user.wheel(stage.canvas, 1, place, SHIFT)
    assert model.axis == axis and model.values.scale > values.scale


def test_stacked_layout_does_not_rescale_during_a_drag(stage):
    stage.only(X, Y, Z)
    stage.model.set_layout(Layout.STACKED)
    stage.user.settle()
    fit = stage.model.fit_of(Lane(X))
    place = stage.key_place(X, 3)
    stage.user.press_mouse(stage.canvas, place)
    stage.user.move_held(shifted(place, 0, -30))
    stage.user.move_held(shifted(place, 0, -90))
    assert stage.model.fit_of(Lane(X)) == fit
    under = stage.key_place(X, 3)
    assert under.y() == pytest.approx(place.y() - 90, abs=1.5)
    stage.user.release_mouse(shifted(place, 0, -90))
    assert stage.track(X).values[3] > arm_project().clips[0].tracks[X].values[3]


def test_list_switches_hide_lock_and_solo(stage):
    user, model = stage.user, stage.model
    model.set_flag("hidden", ())
    user.settle()
    listing = stage.panel.list
    user.click(listing.viewport(), listing.switch_place(Lane(Y), "hidden"))
    assert Lane(Y) not in model.visible()
    user.click(listing.viewport(), listing.switch_place(Lane(X), "solo"))
    assert model.visible() == (Lane(X),)
    user.click(listing.viewport(), listing.switch_place(Lane(X), "locked"))
    before, place = stage.clip, stage.key_place(X, 3)
    user.drag(stage.canvas, place, shifted(place, 0, -50))
    assert stage.clip is before


def test_search_lists_only_what_has_all_words(stage):
    stage.user.type_into("curvesSearch", "rot z", enter=False)
    assert stage.model.lanes() == (Lane(Z),)


def test_selecting_a_bone_shows_its_curves_and_the_float_curves(stage):
    stage.model.set_flag("hidden", ())
    stage.session.selection.select(["hand"])
    stage.user.settle()
    groups = {lane.group for lane in stage.model.visible()}
    assert groups == {"hand", "Curves"}


def test_keys_out_of_sight_are_not_edited(stage):
    before = stage.clip
    stage.session.selection.select_keys({X: [2], Y: [2], TURN: [1]})
    stage.user.move(stage.canvas, (60, 60))
    stage.user.press("Del")
    assert len(stage.track(X)) == 7
    assert stage.track(Y) is before.tracks[Y] and stage.track(TURN) is before.tracks[TURN]


def test_drag_on_the_ruler_scrubs(stage):
    stage.user.drag(stage.canvas, stage.at(200, -8), stage.at(400, -8))
    frame = stage.session.playback.time * 30
    assert frame == pytest.approx(round(stage.model.axis.time(400) * 30))


def test_scroll_bars_move_the_view(stage):
    stage.user.wheel(stage.canvas, 4, stage.at(300, 100))
    start = stage.model.axis.start
    bar = stage.user.find("curvesScrollTime")
    bar.setValue(bar.value() + 800)
    assert stage.model.axis.start > start


# ---------------------------------------------------------------- other kinds of curve
def test_float_curve_is_edited_in_the_same_place(stage):
    blink = curve_channel("blink")
    stage.only(blink)
    place = stage.key_place(blink, 1)
    stage.user.drag(stage.canvas, place, shifted(place, 0, 40))
    assert stage.clip.curves["blink"].values[1] < 1.0
    stage.session.undo()
    assert stage.clip.curves["blink"].values[1] == 1.0


def test_quaternion_angle_is_dragged_without_becoming_euler(stage):
    stage.show("hand")
    stage.only(TURN)
    before = stage.track(TURN)
    place = stage.key_place(TURN, 2, part=1)
    stage.user.drag(stage.canvas, place, shifted(place, 0, -30))
    after = stage.track(TURN)
    rest = np.array([0.0, 0.0, 0.0, 1.0])
    change = to_angles(after.values, rest) - to_angles(before.values, rest)
    assert change[2, 1] == pytest.approx(pixels(stage, TURN, 0, -30)[1], abs=1e-6)
    assert np.abs(np.delete(change.ravel(), 7)).max() < 1e-9
    stage.session.undo()
    assert stage.track(TURN) is before


def test_quaternion_segments_change_kind_by_the_tangent_keys(stage):
    stage.show("hand")
    stage.user.click(stage.canvas, stage.key_place(TURN, 1))
    stage.user.press("6")
    assert stage.track(TURN).interpolations[1] == Interpolation.CONSTANT
    stage.user.press("1")
    assert stage.track(TURN).interpolations[1] == Interpolation.CUBIC


# ---------------------------------------------------------------- buffer, extrapolation, operations
def test_buffer_keeps_the_old_shape_and_swaps_it_back(stage):
    before, place = stage.track(X), stage.key_place(X, 3)
    stage.user.drag(stage.canvas, place, shifted(place, 0, -60))
    after = stage.track(X)
    assert stage.model.ghosts()[Lane(X)].track is before
    stage.user.click("curvesSwap")
    assert stage.track(X) is before and stage.model.ghosts()[Lane(X)].track is after
    stage.user.click("curvesSwap")
    assert stage.track(X) is after


def test_extrapolation_is_set_by_side(stage):
    stage.model.set_flag("chosen", [Lane(X)])
    stage.panel.commands.set_extrapolation(None, Extrapolation.CYCLE_OFFSET)
    assert (stage.track(X).before, stage.track(X).after) == (Extrapolation.HOLD, Extrapolation.CYCLE_OFFSET)


def test_operation_previews_live_and_escape_takes_it_back(stage):
    before = stage.clip
    stage.session.selection.select_keys({X: [2, 3, 4]})
    stage.panel.begin("scale_average")
    stage.user.settle()
    stage.user.type_into("curvesParameter_amount", "-100")
    assert stage.session.preview.clip is not None and stage.clip is before
    stage.user.move(stage.canvas, (60, 60))
    stage.plot.setFocus()
    stage.user.press("Esc")
    assert stage.session.preview.clip is None and stage.clip is before and stage.panel.strip is None


def test_operation_applied_is_one_named_step(stage):
    stage.session.selection.select_keys({X: [2, 3, 4]})
    stage.panel.begin("scale_average")
    stage.user.settle()
    stage.user.type_into("curvesParameter_amount", "-100")
    stage.user.click("curvesApply")
    assert np.ptp(stage.track(X).values[2:5]) < 1e-9
    assert stage.session.history.labels[-1] == "Scale from average"


@pytest.mark.parametrize("operation", ["to_quaternion", "reduce_world", "gaussian", "butterworth", "euler_filter"])
def test_operations_without_selected_keys_work_on_the_curves_shown(stage, operation):
    stage.only(X, Y, Z)
    stage.panel.begin(operation)
    stage.user.settle()
    note = stage.panel.strip.run.note
    stage.user.click("curvesApply")
    if operation == "to_quaternion":
        assert stage.clip.rotation("arm") is not None and "off" in note
    if operation == "reduce_world":
        assert "mm" in note
    assert stage.panel.strip is None


def test_linked_ends_follow_each_other_in_a_drag(stage):
    stage.loop()
    stage.panel.commands.link_ends()
    stage.user.settle()
    place = stage.key_place(X, 0)
    stage.user.drag(stage.canvas, place, shifted(place, 0, -40), modifiers=SHIFT)
    track = stage.track(X)
    assert track.values[0] == pytest.approx(track.values[-1])
    assert track.out_slopes[0] == pytest.approx(track.in_slopes[-1])
    assert "Seam" in stage.panel.commands.seam_text()


# ---------------------------------------------------------------- pictures, life
def test_drawing_happens_only_when_something_changed(stage):
    drawn = stage.plot.item.drawn
    stage.session.playback.seek(1.0)
    stage.user.settle()
    stage.user.settle()
    assert stage.plot.item.drawn == drawn
    stage.user.wheel(stage.canvas, 1, stage.at(200, 90))
    assert stage.plot.item.drawn > drawn


def test_curve_is_on_the_screen_in_its_colour(stage):
    x, y = 200.0, None
    track = stage.track(X)
    y = stage.model.values.y(float(evaluate_scalar(track, stage.model.axis.time(x))))
    place = stage.at(x, y)
    picture = stage.user.picture(stage.canvas)
    near = picture[int(place.y()) - 3 : int(place.y()) + 4, int(place.x()) - 1 : int(place.x()) + 2, :3].astype(int)
    red = near[..., 0] - near[..., 2]
    assert red.max() > 80


def test_empty_project_and_reopening_leave_nothing_behind(qapp):
    from core.project.project import Project

    with curve_stage(qapp, Project({})) as stage:
        assert stage.model.lanes() == ()
        stage.user.click(stage.canvas, (100, 100))
        stage.user.press("F")
        stage.user.wheel(stage.canvas, 1, (100, 100))
        stage.load(arm_project())
        stage.user.settle()
        assert stage.model.lanes()
    assert stage.listening() == stage.listeners


def test_selected_keys_stay_with_their_times_through_undo(stage):
    stage.session.selection.select_keys({X: [5]})
    shorter = track_edits.delete_keys(stage.track(X), [1, 2])
    stage.session.edits.put("cut", stage.clip.with_tracks({X: shorter}))
    assert stage.session.selection.keys[X].tolist() == [3]
    stage.session.undo()
    assert stage.session.selection.keys[X].tolist() == [5]


def test_stale_selection_after_a_deletion_elsewhere_does_no_harm(stage):
    stage.session.selection.select_keys({X: [6, 7]})
    shorter = track_edits.delete_keys(stage.track(X), [4, 5, 6, 7])
    stage.session.edits.put("cut", stage.clip.with_tracks({X: shorter}))
    stage.user.settle()
    stage.user.press("Del")
    assert len(stage.track(X)) == 4

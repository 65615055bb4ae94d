"""What the curve editor shows: fitting, zoom, lists, pictures, and what it leaves behind."""

import numpy as np
import pytest

from core.tracks import edits as track_edits
from core.tracks.evaluate import evaluate_scalar
from editor.panels.curves.space import Layout
from editor.tools.curves.lanes import Lane
from tests.editor.panels.curves.curve_stage import TURN, X, Y, Z, arm_project, curve_stage, shifted
from tests.editor.user import ALT, CTRL, SHIFT


# ---------------------------------------------------------------- view
def test_fit_shows_the_selection_with_neighbours_and_all(stage):
    user, model = stage.user, stage.model
    user.click(stage.canvas, stage.key_place(X, 3))
    user.press("F")
    track = stage.track(X)
    assert model.view.axis.start < track.times[2] and track.times[4] < model.view.axis.end
    assert model.view.axis.end - model.view.axis.start < 1.2
    user.press("A")
    assert model.view.axis.start < 0.0 and model.view.axis.end > 2.0


def test_wheel_zooms_both_axes_at_the_cursor_ctrl_time_shift_value(stage):
    user, model = stage.user, stage.model
    place = stage.at(300, 100)
    before = model.view.axis.time(300), model.view.values.value(100)
    user.wheel(stage.canvas, 2, place)
    assert model.view.axis.time(300) == pytest.approx(before[0]) and model.view.values.value(
        100
    ) == pytest.approx(before[1])
    axis, values = model.view.axis, model.view.values
    user.wheel(stage.canvas, 1, place, CTRL)
    assert model.view.axis.scale > axis.scale and model.view.values == values
    axis = model.view.axis
    user.wheel(stage.canvas, 1, place, SHIFT)
    assert model.view.axis == axis and model.view.values.scale > values.scale
    values = model.view.values
    user.wheel(stage.canvas, 1, place, ALT)
    assert model.view.axis == axis.panned(60.0) and model.view.values == values


def test_stacked_layout_does_not_rescale_during_a_drag(stage):
    stage.only(X, Y, Z)
    stage.model.view.set_layout(Layout.STACKED)
    stage.user.settle()
    fit = stage.model.view.fit_of(Lane(X))
    place = stage.key_place(X, 3)
    stage.user.press_mouse(stage.canvas, place)
    stage.user.move_held(shifted(place, 0, -30))
    stage.user.move_held(shifted(place, 0, -90))
    assert stage.model.view.fit_of(Lane(X)) == fit
    under = stage.key_place(X, 3)
    assert under.y() == pytest.approx(place.y() - 90, abs=1.5)
    stage.user.release_mouse(shifted(place, 0, -90))
    assert stage.track(X).values[3] > arm_project().clips[0].tracks[X].values[3]


def test_list_switches_hide_lock_and_solo(stage):
    user, model = stage.user, stage.model
    model.lanes.set_flag("hidden", ())
    user.settle()
    listing = stage.panel.list
    for flag, words in (("solo", "Solo"), ("locked", "Lock"), ("hidden", "Hide")):
        user.move(listing.viewport(), listing.switch_place(Lane(Y), flag))
        assert listing.viewport().toolTip() == words
    user.click(listing.viewport(), listing.switch_place(Lane(Y), "hidden"))
    assert Lane(Y) not in model.lanes.visible()
    user.click(listing.viewport(), listing.switch_place(Lane(X), "solo"))
    assert model.lanes.visible() == (Lane(X),)
    user.click(listing.viewport(), listing.switch_place(Lane(X), "locked"))
    before, place = stage.clip, stage.key_place(X, 3)
    user.drag(stage.canvas, place, shifted(place, 0, -50))
    assert stage.clip is before


def test_search_lists_only_what_has_all_words(stage):
    stage.user.type_into("curvesSearch", "rot z", enter=False)
    assert stage.model.lanes.all() == (Lane(Z),)


def test_selecting_a_bone_shows_its_curves_and_the_float_curves(stage):
    stage.model.lanes.set_flag("hidden", ())
    stage.session.selection.select(["hand"])
    stage.user.settle()
    groups = {lane.group for lane in stage.model.lanes.visible()}
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
    assert frame == pytest.approx(round(stage.model.view.axis.time(400) * 30))


def test_the_ruler_is_in_the_unit_that_is_chosen(stage):
    def ruler():
        return stage.user.picture(stage.canvas)[: round(stage.at(0, 0).y()) - 2]

    frames = ruler()
    stage.session.preferences.set("time_unit", "seconds")
    stage.user.settle()
    assert not np.array_equal(ruler(), frames)
    stage.session.preferences.set("time_unit", "frames")
    stage.user.settle()
    assert np.array_equal(ruler(), frames)


def test_scroll_bars_move_the_view(stage):
    stage.user.wheel(stage.canvas, 4, stage.at(300, 100))
    start = stage.model.view.axis.start
    bar = stage.user.find("curvesScrollTime")
    bar.setValue(bar.value() + 800)
    assert stage.model.view.axis.start > start


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
    y = stage.model.view.values.y(float(evaluate_scalar(track, stage.model.view.axis.time(x))))
    place = stage.at(x, y)
    picture = stage.user.picture(stage.canvas)
    near = picture[
        int(place.y()) - 3 : int(place.y()) + 4, int(place.x()) - 1 : int(place.x()) + 2, :3
    ].astype(int)
    red = near[..., 0] - near[..., 2]
    assert red.max() > 80


def test_empty_project_and_reopening_leave_nothing_behind(qapp):
    from core.project.project import Project

    with curve_stage(qapp, Project({})) as stage:
        assert stage.model.lanes.all() == ()
        stage.user.click(stage.canvas, (100, 100))
        stage.user.press("F")
        stage.user.wheel(stage.canvas, 1, (100, 100))
        stage.load(arm_project())
        stage.user.settle()
        assert stage.model.lanes.all()
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


def test_brackets_on_the_ruler_set_the_play_range_without_drawing_the_curves_again(stage):
    playback, axis = stage.session.playback, stage.model.view.axis
    stage.user.settle()
    drawn = stage.plot.item.drawn
    stage.user.move(stage.canvas, stage.at(axis.x(2.0) + 5.0, -8))
    stage.user.settle()
    assert stage.plot.item.drawn == drawn
    stage.user.drag(stage.canvas, stage.at(axis.x(2.0) + 5.0, -8), stage.at(axis.x(1.0), -8))
    assert playback.range == pytest.approx((0.0, 1.0))
    stage.user.click(stage.canvas, stage.at(axis.x(1.0) + 4.0, -8), double=True)
    assert playback.range is None

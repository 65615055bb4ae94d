"""Commands of the curve editor without its widget: keys put at a frame, and the view fitted to what is selected."""

import numpy as np
import pytest

from editor.model.session import Session
from editor.panels.curves.commands import CurveCommands
from editor.panels.curves.view_model import CurvesModel
from tests.editor.panels.curves.curve_stage import X, Y, arm_project

RATE = 30.0


@pytest.fixture
def model():
    session = Session.create()
    project = arm_project()
    session.document.replace(project, None)
    session.playback.set_clip(project.clips[0].id)
    session.selection.select(["arm"])
    made = CurvesModel(session)
    made.lanes.set_flag("hidden", ())
    made.view.resize(800.0, 400.0)
    yield made
    made.close()
    session.close()


def test_several_keys_of_a_curve_go_along_with_the_first_and_single_ones_each_to_the_frame(model):
    commands, session = CurveCommands(model), model.session
    before = session.clip.tracks
    session.selection.select_keys({X: [2, 3], Y: [3]})
    clip = commands.frame_edit(16.0).clip
    shift = 16.0 / RATE - before[X].times[2]
    assert clip.tracks[X].times[[2, 3]] == pytest.approx(before[X].times[[2, 3]] + shift)
    assert clip.tracks[Y].times[3] == pytest.approx(before[Y].times[3] + shift)
    session.selection.select_keys({X: [2], Y: [3]})
    clip = commands.frame_edit(18.0).clip
    assert clip.tracks[X].times[2] == clip.tracks[Y].times[3] == pytest.approx(18.0 / RATE)
    session.selection.select_keys({})
    assert commands.frame_edit(3.0) is None


@pytest.mark.parametrize("keys, first, last", [([3], 2, 4), ([0], 0, 1), ([7], 6, 7), ([2, 5], 1, 6)])
def test_fitting_shows_the_selected_keys_with_their_neighbours_and_a_margin(model, keys, first, last):
    session, view = model.session, model.view
    session.selection.select_keys({X: keys})
    view.fit_selection()
    track = session.clip.tracks[X]
    start, end = track.times[first], track.times[last]
    axis = view.axis
    assert axis.start < start and end < axis.end
    assert (end - start) / (axis.end - axis.start) > 0.6
    near = sorted({n + d for n in keys for d in (-1, 0, 1)} & set(range(len(track))))
    low, high = track.values[near].min(), track.values[near].max()
    bottom, top = view.values.value(400.0), view.values.value(0.0)
    assert bottom < low and high < top and (high - low) / (top - bottom) > 0.5


def test_fitting_all_shows_the_whole_clip_and_every_key(model):
    session, view = model.session, model.view
    tracks = dict(session.clip.tracks)
    tracks[X] = type(tracks[X])(**{**{f: getattr(tracks[X], f) for f in tracks[X].__dataclass_fields__},
                                   "times": tracks[X].times * 1.5 - 0.4})  # fmt: skip
    session.edits.put("beyond", session.clip.with_tracks(tracks))
    view.fit_all()
    times = tracks[X].times
    assert view.axis.start < times[0] < 0.0 and times[-1] > session.clip.length and times[-1] < view.axis.end
    extent = view.axis.end - view.axis.start
    assert (times[-1] - times[0]) / extent > 0.8
    axis = view.axis
    view.set_axes(axis.panned(300.0), view.values)
    panned = view.axis
    view.fit_all(keep_time=True)
    assert view.axis == panned
    for lane in model.lanes.visible():
        curve = model.lanes.curve(lane)
        fit = view.fit_of(lane)
        shown = curve.values * fit.factor + fit.offset
        assert np.all(shown < view.values.value(0.0)) and np.all(shown > view.values.value(400.0))


def test_curves_out_of_sight_are_fitted_when_the_panel_is_shown_and_the_time_stays(model):
    view = model.view
    view.fit_all()
    fitted = view.values
    view.set_axes(view.axis.panned(120.0), view.values)
    axis = view.axis
    view.come_into_sight()
    assert (view.axis, view.values) == (axis, fitted)  # they are in sight: nothing is to be done
    view.set_axes(axis, view.values.fitted(1e5, 2e5))
    view.come_into_sight()
    assert view.axis == axis and view.values == fitted

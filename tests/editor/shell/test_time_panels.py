"""Dope sheet and curve editor in one window: one time axis, panels that come to the front."""

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF

from core.clips.clip import Channel, Property
from editor.panels.curves.plot import PlotView
from editor.panels.timeline.track_view import TrackView
from tests.editor.stage import stage


@pytest.fixture
def here(qapp):
    with stage(qapp, "clips", "bone_tree", "timeline", "curves", "inspector", "viewport") as made:
        yield made


def settled(here) -> tuple[TrackView, PlotView]:
    for _ in range(4):  # lining up resizes, which lines up again
        here.user.settle()
    return here.window.findChild(TrackView), here.window.findChild(PlotView)


def pixels(here, seconds: float) -> tuple[float, float]:
    """Pixels of the screen at which both panels show a time."""
    tracks, plot = settled(here)
    above = tracks.mapToGlobal(QPoint(0, 0)).x() + tracks._model.view.view_x(seconds)
    corner = plot.box.mapToScene(QPointF(0.0, 0.0)).x()
    below = plot.viewport().mapToGlobal(QPoint(0, 0)).x() + corner + plot._model.view.axis.x(seconds)
    return above, below


@pytest.mark.parametrize("width", [1280, 1600])
def test_frame_is_at_the_same_pixel_in_dope_sheet_and_curve_editor(here, width):
    here.window.resize(width, 820)
    here.user.click("workspace.curves")
    tracks, plot = settled(here)
    assert tracks.isVisible() and plot.isVisible()
    for seconds in (0.0, 1 / 3, 1.0):
        above, below = pixels(here, seconds)
        assert above == pytest.approx(below, abs=1e-6)
    here.user.wheel(tracks, 3, (tracks.width() - 200, 60))
    for seconds in (0.0, 0.5, 1.0):
        assert np.subtract(*pixels(here, seconds)) == pytest.approx(0.0, abs=1e-6)


def test_label_column_has_its_usual_width_where_the_curve_editor_is_behind(here):
    usual = settled(here)[0]._model.view.layout().labels
    here.user.click("workspace.curves")
    assert settled(here)[0]._model.view.layout().labels > usual
    here.window.docks["curves"].hide()
    assert settled(here)[0]._model.view.layout().labels == usual


@pytest.mark.parametrize("id", ["gaussian", "layout_stacked"])
def test_curve_command_of_the_menu_raises_the_panel_it_acts_in(here, id):
    here.window.docks["curves"].hide()
    assert settled(here)[1] is None, "it was never seen: it is not made yet"
    assert here.window.actions_registry.run(f"curves.{id}")
    plot = settled(here)[1]
    assert plot.isVisible()
    here.window.docks["curves"].hide()
    assert not plot.isVisible()
    assert here.window.actions_registry.run(f"curves.{id}")
    here.user.settle()
    assert plot.isVisible()


def test_curves_edited_out_of_sight_are_fitted_when_the_panel_opens(here):
    here.window.docks["curves"].hide()
    settled(here)
    session = here.session
    session.selection.select(["arm_l"])
    arm = Channel("arm_l", Property.ROTATE, 1)
    track = session.clip.tracks[arm]
    from core.tracks.edits import set_value

    session.edits.put("far", session.clip.with_tracks({arm: set_value(track, 0.5, 4000.0)}))
    here.window.show_panel("curves")
    model = settled(here)[1]._model
    assert model.view.values.low <= 0.0 and model.view.values.high >= 4000.0


def test_first_keys_of_a_fresh_clip_come_into_sight(here):
    here.user.click("workspace.curves")
    session = here.session
    session.clips.new()
    session.selection.select(["arm_l"])
    settled(here)
    rig = session.rig
    pose = session.evaluator.pose()
    bone = rig.skeleton.index("arm_l")
    session.keying.commit_pose("far", pose.with_bone(bone, translation=[50.0, 0.0, 0.0]), ["arm_l"])
    model = settled(here)[1]._model
    assert model.view.values.low <= 50.0 <= model.view.values.high

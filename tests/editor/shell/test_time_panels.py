"""Dope sheet and curve editor in one window: one time axis, panels that come to the front."""

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF
from PySide6.QtWidgets import QWidget

from core.clips.clip import Channel, Property
from core.tracks.keys import scalar_track
from core.tracks.tangents import with_tangents
from editor.panels.curves.plot import PlotView
from editor.panels.timeline.track_view import TrackView
from editor.tools.pointer import Modifiers
from tests.editor.stage import stage


@pytest.fixture
def here(qapp):
    with stage(qapp, "clips", "bone_tree", "timeline", "curves", "inspector") as made:
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


# ---------------------------------------------------------------- one timeline
def columns_of_the_playhead(here, widget) -> set[int]:
    """Pixels of the screen, across, that have the playhead's colour in the middle row of a widget."""
    corner = widget.mapToGlobal(QPoint(0, 0))
    row = (
        widget.screen()
        .grabWindow(0, corner.x(), corner.y() + widget.height() - 8, widget.width(), 1)
        .toImage()
    )
    accent = here.window.theme.color("accent").rgb()
    return {corner.x() + x for x in range(row.width()) if row.pixel(x, 0) == accent}


def test_dope_sheet_above_curves_is_one_timeline_with_one_ruler_and_one_playhead(here):
    here.window.resize(1280, 820)
    here.user.click("workspace.curves")
    tracks, plot = settled(here)
    tools = here.window.findChild(QWidget, "curvesSearch")
    assert plot.ruled and plot.ruler.size().height() == 0
    assert tools.mapToGlobal(QPoint(0, 0)).y() > plot.mapToGlobal(QPoint(0, plot.height())).y() - 1
    here.session.selection.select(["arm_l"])
    for seconds in (0.4, 0.7):
        here.session.playback.seek(seconds)
        settled(here)
        above, below = columns_of_the_playhead(here, tracks), columns_of_the_playhead(here, plot)
        assert len(above) == 1 and above <= below
    here.window.docks["timeline"].hide()
    settled(here)
    assert not plot.ruled and plot.ruler.size().height() == 24
    assert tools.mapToGlobal(QPoint(0, 0)).y() < plot.mapToGlobal(QPoint(0, 0)).y()
    here.window.show_panel("timeline")
    settled(here)
    assert plot.ruled


def test_tabbed_curve_editor_has_a_ruler_of_its_own(here):
    here.user.click("workspace.pose")
    here.window.show_panel("curves")
    plot = settled(here)[1]
    assert plot.isVisible() and not plot.ruled


def test_curves_of_another_bone_are_fitted_unless_that_is_switched_off(here):
    here.user.click("workspace.curves")
    session = here.session
    arm, leg = (Channel(name, Property.ROTATE, 1) for name in ("arm_l", "arm_r"))
    wide, small = (with_tangents(scalar_track([0.0, 1.0], [0.0, top])) for top in (900.0, 4.0))
    session.edits.put("tracks", session.clip.with_tracks({arm: wide, leg: small}))
    session.selection.select(["arm_l"])
    view = settled(here)[1]._model.view
    start, end = view.axis.start, view.axis.end
    assert view.values.low < 0.0 and 900.0 < view.values.high < 2000.0
    session.selection.select(["arm_r"])
    settled(here)
    assert view.values.high < 60.0
    assert (view.axis.start, view.axis.end) == (start, end), "time stays"
    assert here.window.actions_registry.run("time.fit_curves")
    held = view.values
    session.selection.select(["arm_l", "arm_r"])
    session.selection.select(["arm_r"])
    settled(here)
    assert view.values.high > 900.0 or view.values == held
    here.user.press("Shift+F", plot_of(here))
    settled(here)
    assert view.values.high < 60.0


def plot_of(here) -> PlotView:
    return here.window.findChild(PlotView)


def taller(here, pixels: int) -> None:
    """Give the curve editor more of the window's height."""
    from PySide6.QtCore import Qt

    dock = here.window.docks["curves"]
    here.window.resizeDocks([dock], [dock.height() + pixels], Qt.Orientation.Vertical)
    settled(here)


def test_fitted_curves_are_fitted_to_another_height_too(here):
    here.user.click("workspace.curves")
    here.session.selection.select(["arm_l"])
    view = settled(here)[1]._model.view
    taller(here, 60)
    view.fit_values()
    fitted = view.values
    taller(here, 160)
    assert view.values.height > fitted.height
    assert -view.values.low * view.values.scale == pytest.approx(20.0), (
        "the margin of a fit, not a stretched one"
    )
    view.wheel(200.0, 60.0, 3.0, Modifiers.SHIFT)
    zoomed = view.values.low, view.values.high
    taller(here, -80)
    assert (view.values.low, view.values.high) == pytest.approx(zoomed), "what was zoomed to stays"

"""The ruler: lanes of events below it, brackets of the play range, labels beside the flag, and what is painted."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QFocusEvent, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from core.clips.clip import Notify
from editor.panels.timeline.layout import RULER, Region
from editor.panels.timeline.track_view import TrackView
from editor.qt import time_ruler
from editor.qt.time_ruler import RulerMarks, TimeRuler
from tests.editor.panels.timeline.test_timeline_by_hand import ROW_X, Scene, X


@pytest.fixture
def scene(qapp):
    made = Scene(qapp)
    yield made
    made.stage.close(qapp)


def screen(scene) -> QImage:
    """What the screen shows of the view."""
    scene.user.settle()
    view: TrackView = scene.view
    corner = view.mapToGlobal(QPoint(0, 0))
    picture = view.screen().grabWindow(0, corner.x(), corner.y(), view.width(), view.height())
    return picture.toImage().convertToFormat(QImage.Format.Format_RGB32)


# ---------------------------------------------------------------- lanes of events
def test_the_ruler_is_as_high_as_the_rows_begin_below_it():
    assert RULER == time_ruler.HEIGHT


def test_lanes_of_events_lie_between_ruler_and_rows_which_are_still_hit(scene):
    user, session, layout = scene.user, scene.session, scene.model.view.layout
    first = layout().top(0)
    session.edits.put("a step", replace(session.clip, notifies=(Notify("step", 0.5),)))
    user.settle()
    strip = scene.panel.events
    top = strip.mapTo(scene.view, QPoint(0, 0)).y()
    assert strip.isVisible() and top == RULER
    assert layout().top(0) == first + layout().strips == top + strip.height()
    assert layout().region(400.0, layout().head + 5.0) is Region.KEYS
    user.drag(scene.view, scene.at(ROW_X, 20), scene.at(ROW_X, 26))
    assert scene.frames(X) == [0.0, 26.0, 40.0, 60.0]
    user.press("Ctrl+Z")
    user.press("Ctrl+Z")
    user.settle()
    assert not strip.isVisible() and layout().top(0) == first


# ---------------------------------------------------------------- the play range
def test_brackets_at_the_ends_of_the_clip_are_dragged_to_a_range_and_back(scene):
    user, playback = scene.user, scene.session.playback
    time = playback.time
    start, end = scene.ruler(0), scene.ruler(60)
    user.drag(scene.view, (start[0] - 5.0, start[1]), scene.ruler(10))
    assert playback.range == pytest.approx((10 / 30, 2.0))
    user.drag(scene.view, (end[0] + 5.0, end[1]), scene.ruler(50))
    assert playback.range == pytest.approx((10 / 30, 50 / 30))
    assert playback.time == time, "the playhead stays"
    user.drag(scene.view, (scene.x(10) - 4.0, start[1]), (scene.x(0) - 20.0, start[1]))
    user.drag(scene.view, (scene.x(50) + 4.0, start[1]), (scene.x(60) + 4.0, start[1]))
    assert playback.range is None, "over the whole clip there is none"
    assert scene.session.history.labels == ()


def test_first_and_last_frame_are_scrubbed_to_beside_the_brackets(scene):
    playback = scene.session.playback
    playback.seek(0.5)
    scene.user.click(scene.view, scene.ruler(0))
    assert playback.time == 0.0 and playback.range is None
    scene.user.click(scene.view, scene.ruler(60))
    assert playback.frame == pytest.approx(60.0)


def test_double_click_on_a_bracket_plays_all_of_the_clip(scene):
    user, playback = scene.user, scene.session.playback
    user.drag(scene.view, (scene.x(60) + 5.0, 14.0), scene.ruler(40))
    assert playback.range == pytest.approx((0.0, 40 / 30))
    user.click(scene.view, (scene.x(40) + 4.0, 14.0), double=True)
    assert playback.range is None


def test_bracket_dragged_and_given_up_leaves_the_range(scene):
    user, playback = scene.user, scene.session.playback
    user.drag(scene.view, (scene.x(60) + 5.0, 14.0), scene.ruler(20), release=False)
    assert playback.range == pytest.approx((0.0, 20 / 30))
    user.press("Esc")
    user.release_mouse(scene.ruler(20))
    assert playback.range is None


# ---------------------------------------------------------------- flag and labels
@pytest.mark.parametrize("steps", [0, 6, 20])
def test_no_label_is_written_under_the_flag_at_any_frame_and_zoom(scene, steps):
    model, theme = scene.model, scene.stage.context.theme
    scene.user.wheel(scene.view, steps, scene.ruler(30))
    ruler = TimeRuler(theme, model.view.axis, model.view.unit, model.view.layout().labels, 1.0)
    alone = ruler.labels(RulerMarks(2.0, False, None, None, 0.0))
    written = len(alone)
    assert written > 3
    for x, text in alone:
        assert x >= ruler.left and x + ruler.metrics.horizontalAdvance(text) <= ruler.right, (
            "whole labels alone"
        )
    for number in range(241):
        time = number / 120.0
        marks = RulerMarks(2.0, False, None, time, time)
        flag, labels = ruler.flag(marks), ruler.labels(marks)
        if flag is None:
            assert len(labels) == written
            continue
        for x, text in labels:
            wide = ruler.metrics.horizontalAdvance(text)
            assert x + wide <= flag.left() - time_ruler.GAP + 1e-9 or x >= flag.right() + time_ruler.GAP
        assert len(labels) >= written - 2, "only those that the flag would cover are left out"


# ---------------------------------------------------------------- what is painted
def test_playhead_leaves_no_trace_and_moves_over_a_picture_that_is_kept(scene):
    session = scene.session
    screen(scene)
    kept = scene.view._still
    for frame in (3.0, 11.5, 59.0, 30.0):
        session.playback.seek(frame / 30.0)
        screen(scene)
    assert scene.view._still is kept, "rows and keys are not painted for another time"
    scene.user.wheel(scene.view, 4, scene.ruler(30))
    session.playback.seek(0.9)
    scene.user.wheel(scene.view, -2, scene.ruler(20))
    session.playback.seek(1.1)
    moved = screen(scene)
    assert scene.view._still is not kept
    scene.view._renew()
    assert screen(scene) == moved


def test_clip_that_is_shown_whole_is_so_at_another_width_too(scene):
    axis = scene.model.view.axis
    scene.stage.window.resize(1100, 320)
    scene.user.settle()
    wider = scene.model.view.axis
    assert wider.width > axis.width + 150
    assert wider.x(0.0) == pytest.approx(axis.x(0.0)) and wider.width - wider.x(2.0) == pytest.approx(
        axis.x(0.0)
    )
    scene.user.wheel(scene.view, 3, scene.ruler(30))
    zoomed = scene.model.view.axis
    scene.stage.window.resize(900, 320)
    scene.user.settle()
    assert (
        scene.model.view.axis.start == pytest.approx(zoomed.start)
        and scene.model.view.axis.scale == zoomed.scale
    )


def test_a_clip_that_is_shown_whole_is_so_at_another_length(scene) -> None:
    session, view = scene.session, scene.model.view
    clip = session.clip
    for length in (4.4, 0.7):
        session.edits.put("length", replace(session.clip, length=length))
        scene.user.settle()
        assert view.axis.start <= 0.0 and length <= view.axis.end < length * 1.3
    view.set_axis(view.axis.fitted(0.1, 0.3, 0.0))
    part = view.axis
    session.edits.put("length", replace(session.clip, length=clip.length))
    scene.user.settle()
    assert view.axis == part


# ---------------------------------------------------------------- K
def test_k_is_not_held_any_more_when_the_keyboard_went_elsewhere(scene):
    """Its release is told to who has the keyboard then."""
    view: TrackView = scene.view
    view.setFocus()
    QTest.keyPress(view, Qt.Key.Key_K)
    QApplication.sendEvent(view, QFocusEvent(QEvent.Type.FocusOut))
    scene.user.drag(view, scene.at(ROW_X, 20), scene.at(ROW_X, 26))
    assert scene.frames(X) == [0.0, 26.0, 40.0, 60.0], "the key was dragged, the time was not scrubbed"

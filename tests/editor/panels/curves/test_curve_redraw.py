"""The picture while keys are dragged: only what changed is drawn, and it looks as if all were."""

import numpy as np
import pytest

from core.clips.clip import Channel
from core.tracks import edits
from editor.panels.curves import curve_image as pictures
from editor.panels.curves import curve_view, plot
from editor.panels.curves.curve_image import CurveImage
from editor.panels.curves.dirty_columns import DirtyColumns
from tests.editor.panels.curves.curve_stage import curve_stage, large_project, shifted


@pytest.fixture(params=[5, 8], ids=["finely covered", "many"])
def large(qapp, request):
    with curve_stage(qapp, large_project(request.param, 900)) as stage:
        stage.model.lanes.set_flag("hidden", ())
        stage.model.view.fit_all()
        keys = np.arange(300, 340)
        stage.session.selection.select_keys(dict.fromkeys(stage.session.clip.tracks, keys))
        stage.user.settle()
        yield stage


def pixels(image):
    """A picture's words."""
    return np.frombuffer(image.constBits(), np.uint32).reshape(image.height(), image.width()).copy()


def fresh(stage):
    """The picture as one who never drew before draws it."""
    return pixels(CurveImage(stage.model, stage.theme, stage.plot.ruler.text_width).draw(1.0, True))


def first(stage):
    """A channel whose keys are in sight."""
    return next(iter(stage.session.clip.tracks))


def test_a_drag_drawn_in_part_looks_as_drawn_whole(large):
    own = CurveImage(large.model, large.theme, large.plot.ruler.text_width)
    assert np.array_equal(pixels(own.draw(1.0)), fresh(large))
    place = large.key_place(first(large), 310)
    large.user.press_mouse(large.canvas, place)
    for dx, dy in ((30, 4), (60, -20), (0, -20), (-45, 11), (-2, 0)):
        large.user.move_held(shifted(place, dx, dy))
        drawn = pixels(own.draw(1.0))
        assert np.array_equal(drawn, fresh(large)), (dx, dy)
    large.user.release_mouse(shifted(place, -2, 0))
    assert np.array_equal(pixels(own.draw(1.0)), fresh(large))


def test_a_drag_draws_the_columns_near_its_keys_alone(large):
    stale, width = DirtyColumns(large.model), round(large.model.view.axis.width)
    assert stale.columns("look", width, 1.0) == (0, width)
    place = large.key_place(first(large), 310)
    large.user.press_mouse(large.canvas, place)
    large.user.move_held(shifted(place, 20, 0))
    left, right = stale.columns("look", width, 1.0)
    times = large.session.evaluator.clip.tracks[first(large)].times
    at = [large.model.view.axis.x(float(time)) for time in (times[300], times[345])]
    assert left < at[0] and at[1] < right and right - left < width / 4
    assert stale.columns("another look", width, 1.0) == (0, width)
    large.user.press("Escape")
    assert stale.columns("another look", width, 1.0) == (0, width)


def test_a_wide_drag_is_drawn_coarsely_and_finely_once_the_mouse_rests(large, monkeypatch):
    monkeypatch.setattr(pictures, "MOST_CELLS", 500)
    monkeypatch.setattr(pictures, "LEAST_BAND", 8)
    place = large.key_place(first(large), 310)
    large.user.press_mouse(large.canvas, place)
    large.user.move_held(shifted(place, 20, -9))
    item = large.plot.item
    large.user.wait_until(lambda: not item.refining, "no fine picture came")
    drawn = item.drawn
    assert np.array_equal(pixels(item.image), fresh(large))
    large.user.settle()
    assert item.drawn == drawn
    monkeypatch.setattr(plot, "RESTED", 10**6)  # a busy machine would rest before the drag is looked at
    large.user.move_held(shifted(place, 30, -12))
    large.user.release_mouse(shifted(place, 30, -12))
    assert item.refining, "what a drag drew coarsely is drawn finely after it, not before its picture"
    drawn = item.drawn
    item.refine()
    large.user.wait_until(lambda: not item.refining, "no fine picture came after the drag")
    assert item.drawn - drawn > 2, "a part in each turn"
    assert item.drawn - drawn < large.model.view.axis.width / 8 / 2, "what the drag touched alone"
    assert np.array_equal(pixels(item.image), fresh(large))


def test_keys_selected_as_a_drag_begins_are_drawn_everywhere(large):
    own = CurveImage(large.model, large.theme, large.plot.ruler.text_width)
    own.draw(1.0)
    channel: Channel = first(large)
    place = large.key_place(channel, 700)
    large.user.press_mouse(large.canvas, place)
    large.user.move_held(shifted(place, 12, 0))
    assert np.array_equal(pixels(own.draw(1.0)), fresh(large))
    large.user.release_mouse(shifted(place, 12, 0))


def test_a_key_hovered_and_left_is_drawn_as_if_all_were(large):
    own = CurveImage(large.model, large.theme, large.plot.ruler.text_width)
    own.draw(1.0)
    for number in (310, 700, 330):
        place = large.key_place(first(large), number)
        large.user.move(large.canvas, place)
        assert large.model.pointer.hovered is not None
        assert np.array_equal(pixels(own.draw(1.0)), fresh(large))
    large.model.pointer.hover(-1e6, -1e6)
    assert np.array_equal(pixels(own.draw(1.0)), fresh(large))


def test_undo_after_a_drag_is_drawn_everywhere(large):
    own = CurveImage(large.model, large.theme, large.plot.ruler.text_width)
    place = large.key_place(first(large), 310)
    large.user.press_mouse(large.canvas, place)
    large.user.move_held(shifted(place, 40, -30))
    own.draw(1.0)
    large.user.release_mouse(shifted(place, 40, -30))
    assert np.array_equal(pixels(own.draw(1.0)), fresh(large))
    large.session.undo()
    large.user.settle()
    assert np.array_equal(pixels(own.draw(1.0)), fresh(large))


def test_heights_of_curves_are_looked_up_once_whatever_is_selected(large, monkeypatch):
    looked, extent = [], curve_view.extent
    large.model.view.content()
    bones = large.session.rig.skeleton.names
    monkeypatch.setattr(curve_view, "extent", lambda curve: looked.append(curve) or extent(curve))
    for chosen in (bones[:2], (), bones):
        large.session.selection.select(chosen)
        large.user.settle()
        large.model.view.content()
    assert not looked
    channel, track = first(large), large.session.clip.tracks[first(large)]
    higher = edits.set_value(track, float(track.times[20]), 500.0, None)
    large.session.edits.put("Higher", large.session.clip.with_tracks({channel: higher}))
    large.user.settle()
    assert large.model.view.content()[3] > 500.0 and [curve.track for curve in looked] == [higher]

"""Which stretch of time and which rows a timeline shows, by numbers worked out by hand."""

from dataclasses import replace

import numpy as np
import pytest

from core.timing import FrameRate
from core.tracks.keys import scalar_track
from editor.model.time_axis import TimeUnit
from editor.panels.timeline.layout import ROW
from editor.tools.pointer import Modifiers
from tests.editor.panels.timeline.timeline_scene import Scene

MARGIN = 24.0


@pytest.fixture
def scene():
    made = Scene()
    yield made
    made.close()


def put(scene: Scene, **changes: object) -> None:
    scene.session.edits.put("other", replace(scene.session.clip, **changes))


def keys(scene: Scene, *times: float):
    """The clip with keys at these times on one channel alone."""
    channel = next(iter(scene.session.clip.tracks))
    put(scene, tracks={channel: scalar_track(list(times), np.zeros(len(times)))}, curves={}, morphs={})
    scene.session.selection.select([])
    return channel


def told(scene: Scene) -> list[None]:
    found: list[None] = []
    scene.view.changed.connect(found.append)
    return found


def test_all_is_from_the_first_key_or_the_start_to_the_last_key_or_the_end(scene) -> None:
    length = scene.session.clip.length
    for times, first, last in (
        ((0.5, 1.0), 0.0, length), ((-1.0, 1.0), -1.0, length), ((0.5, length + 2.0), 0.0, length + 2.0),
        ((-3.0, length + 1.0), -3.0, length + 1.0),
    ):  # fmt: skip
        keys(scene, *times)
        scene.view.set_axis(scene.axis.zoomed(5.0, 300.0))
        assert scene.view.partial
        scene.view.fit_all()
        assert scene.view.axis == scene.view.axis.fitted(first, last, MARGIN) and not scene.view.partial
    put(scene, tracks={}, curves={}, morphs={})
    scene.view.fit_all()
    assert scene.view.axis == scene.view.axis.fitted(0.0, length, MARGIN)


def test_selected_keys_are_fitted_with_two_frames_of_room(scene) -> None:
    channel = keys(scene, 0.3, 0.6, 1.2)
    frame = scene.view.axis.rate.frame
    for numbers, first, last in (([0, 1], 0.3, 0.6), ([1, 2], 0.6, 1.2), ([1], 0.6, 0.6)):
        scene.session.selection.select_keys({channel: np.array(numbers)})
        scene.view.fit_selection()
        wanted = scene.view.axis.fitted(first - 2.0 * frame, last + 2.0 * frame, MARGIN)
        assert (scene.view.axis.start, scene.view.axis.end) == pytest.approx((wanted.start, wanted.end))
    scene.session.selection.select_keys({})
    scene.view.fit_selection()
    assert scene.view.axis == scene.view.axis.fitted(0.0, scene.session.clip.length, MARGIN)


def test_the_wheel_zooms_scrolls_and_pans(scene) -> None:
    view = scene.view
    view.resize(900.0, 60.0)
    scene.rows.open_all(True)
    axis, labels, most = view.axis, view.layout().labels, view.layout().most_scroll
    none, shift, alt = Modifiers.NONE, Modifiers.SHIFT, Modifiers.ALT
    assert most > 100.0
    for x, steps, held, wanted, scroll in (
        (labels + 300.0, 1.0, none, axis.zoomed(1.18, 300.0), 50.0),
        (labels + 300.0, -2.0, none, axis.zoomed(1.18**-2.0, 300.0), 50.0),
        (labels + 300.0, -1.0, shift, axis, 94.0), (labels + 300.0, 1.0, shift, axis, 6.0),
        (labels + 300.0, 2.0, shift, axis, 0.0), (labels + 300.0, -99.0, shift, axis, most),
        (labels - 1.0, -1.0, none, axis, 94.0), (labels - 1.0, -1.0, alt, axis, 94.0),
        (labels + 300.0, 1.0, alt, axis.panned(60.0), 50.0), (labels + 300.0, -2.0, alt, axis.panned(-120.0), 50.0),
        (labels + 300.0, -1.0, alt | shift, axis, 94.0),
    ):  # fmt: skip
        view.set_axis(axis)
        view.set_scroll(50.0)
        view.wheel(x, 90.0, steps, held)
        assert view.axis == wanted and view.scroll == pytest.approx(scroll), (x, steps, held)


def test_a_clip_shown_as_a_whole_stays_so_at_another_length_rate_and_width(scene) -> None:
    view = scene.view
    view.fit_all()
    length = scene.session.clip.length
    part = scene.axis.zoomed(4.0, 300.0)
    for whole in (True, False):
        if not whole:
            view.set_axis(part)
        before = view.axis
        length += 1.0
        put(scene, length=length)
        assert (view.axis.start, view.axis.scale) == (
            (view.axis.fitted(0.0, length, MARGIN).start, view.axis.fitted(0.0, length, MARGIN).scale)
            if whole and view._whole is view.axis else (before.start, before.scale)
        )  # fmt: skip
    view.set_axis(part)
    put(scene, rate=FrameRate.of(24))
    assert view.axis.rate == FrameRate.of(24) and (view.axis.start, view.axis.scale) == (
        part.start,
        part.scale,
    )
    other = replace(scene.session.clip, id=type(scene.session.clip.id)("clip-new"), length=7.0)
    scene.session.edits.put("another", other)
    scene.session.playback.set_clip(other.id)
    assert view.axis == view.axis.fitted(0.0, 7.0, MARGIN) and not view.partial
    for width in (500.0, 1200.0):
        view.resize(width, 320.0)
        assert view.axis.width == view.layout().keys_width
        assert view.axis == view.axis.fitted(0.0, 7.0, MARGIN)  # all of it at this width too
    put(scene, length=9.0)
    assert view.axis == view.axis.fitted(0.0, 9.0, MARGIN)
    put(scene, rate=FrameRate.of(60))
    put(scene, length=5.0)
    assert view.axis == view.axis.fitted(0.0, 5.0, MARGIN)
    moved = view.axis.panned(30.0)
    view.set_axis(moved)
    put(scene, length=6.0)
    view.resize(1000.0, 320.0)
    assert view.axis == moved.resized(view.layout().keys_width)


def test_a_part_out_of_sight_is_noted_until_all_is_asked_for(scene) -> None:
    view, length = scene.view, scene.session.clip.length
    for start, end, partial in (
        (0.0, length, False), (-1.0, length + 1.0, False), (0.001, length + 1.0, True), (-1.0, length - 0.001, True),
    ):  # fmt: skip
        view.fit_all()
        view.set_axis(replace(view.axis, start=start, scale=view.axis.width / (end - start)))
        assert view.partial == partial, (start, end)
    view.set_axis(scene.axis.zoomed(0.2, 300.0))
    assert view.partial  # it lately was


def test_the_playhead_is_followed_while_it_runs_in_a_part(scene) -> None:
    view, playback = scene.view, scene.session.playback
    part = replace(scene.axis, start=0.0, scale=scene.axis.width / 0.5)
    view.set_axis(part)
    view.follow(1.0)
    assert view.axis == part
    playback.play()
    view.follow(1.0)
    assert view.axis == part.following(1.0) != part
    wide = replace(scene.axis, start=-1.0, scale=scene.axis.width / (playback.length + 0.5))
    view.set_axis(wide)
    view.follow(playback.length + 5.0)
    assert view.axis == wide
    playback.pause()


def test_rows_scroll_no_further_than_there_are(scene) -> None:
    view = scene.view
    view.resize(900.0, 120.0)
    scene.rows.open_all(True)
    most = len(scene.rows.all()) * ROW - view.layout().view_height
    changed = told(scene)
    for scroll, wanted, tells in ((10.0, 10.0, 1), (10.0, 10.0, 1), (-5.0, 0.0, 2), (9e9, most, 3)):
        view.set_scroll(scroll)
        assert view.scroll == pytest.approx(wanted) and len(changed) == tells
    view.set_strips(30.0)
    assert view.layout().strips == 30.0 and len(changed) == 4 and view.scroll == pytest.approx(most)
    view.set_strips(30.0)
    assert len(changed) == 4
    view.set_scroll(9e9)
    view.set_strips(0.0)
    assert view.scroll == pytest.approx(most)


def test_the_column_gives_another_width_to_time(scene) -> None:
    view = scene.view
    changed = told(scene)
    view.set_column(0.0)
    assert not changed
    for column, labels in ((250.0, 250.0), (0.0, 184.0)):
        view.set_column(column)
        assert view.layout().labels == labels and view.axis.width == 900.0 - labels and changed
        assert view.axis_x(300.0) == 300.0 - labels
        assert view.view_x(0.7) == pytest.approx(view.axis.x(0.7) + labels)
        assert view.axis.time(view.axis_x(view.view_x(0.7))) == pytest.approx(0.7)
    view.resize(0.0, -5.0)
    assert view._size == (1.0, 1.0)


def test_units_are_remembered(scene) -> None:
    view = scene.view
    changed = told(scene)
    view.set_unit(view.unit)
    assert not changed
    for unit in (TimeUnit.SECONDS, TimeUnit.TIMECODE, TimeUnit.FRAMES):
        view.set_unit(unit)
        assert view.unit is unit and scene.session.preferences.get("time_unit") == unit.value
    assert len(changed) == 3
    view.set_axis(view.axis)
    assert len(changed) == 3


def test_rows_in_sight_have_the_keys_beside_the_edges_too(scene) -> None:
    view = scene.view
    keys(scene, 0.5, 1.0, 1.5)
    for start, times in (
        (0.5, [0.5, 1.0, 1.5]), (0.5 + 10.0 / 100.0, [0.5, 1.0, 1.5]), (0.5 + 12.0 / 100.0, [1.0, 1.5]),
        (1.0 + 10.0 / 100.0, [1.0, 1.5]),
    ):  # fmt: skip
        view.set_axis(replace(view.axis, start=start, scale=100.0))
        row = view.row_views()[0]
        assert row.keys.times.tolist() == times
        assert row.xs == pytest.approx([view.view_x(time) for time in times])
    view.set_axis(replace(view.axis, start=1.5 + 10.0 / 100.0 - view.axis.width / 100.0, scale=100.0))
    assert view.row_views()[0].keys.times[-1] == 1.5
    view.set_axis(replace(view.axis, start=1.5 - 10.0 / 100.0 - view.axis.width / 100.0, scale=100.0))
    assert view.row_views()[0].keys.times[-1] == 1.5
    view.set_axis(replace(view.axis, start=1.5 - 12.0 / 100.0 - view.axis.width / 100.0, scale=100.0))
    assert view.row_views()[0].keys.times[-1] == 1.0
    scene.session.playback.set_clip(None, scene.session.rig.id)
    before = view.axis
    view.fit_all()
    view.fit_selection()
    assert view.axis == before and view.row_views() == []

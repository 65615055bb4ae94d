"""The timeline without its widget: what lies where, what a press, drag, wheel or row verb makes, held by pins."""

import itertools
from dataclasses import replace

import numpy as np
import pytest

from core.clips.clip import Channel, Marker, Property
from core.timing import FrameRate
from core.tracks.key_types import KeyType
from core.tracks.keys import scalar_track
from editor.model.key_filter import KeyFilter
from editor.model.time_axis import TimeUnit
from editor.panels.timeline.layout import EDGE, LANE, REACH, ROW, RULER, Layout
from editor.panels.timeline.view_model import TimelineModel
from editor.tools.pointer import Button, Modifiers, Pointer
from tests.editor.actions import rich
from tests.editor.panels.timeline.timeline_scene import Scene
from tests.pins import Pins

PINS = Pins(__file__)
NO, SHIFT, CTRL, ALT = Modifiers.NONE, Modifiers.SHIFT, Modifiers.CTRL, Modifiers.ALT


@pytest.fixture
def scene():
    made = Scene()
    yield made
    made.close()


def places(scene: Scene) -> list[tuple[float, float]]:
    """Pixels at and beside keys, edges, markers, brackets, arrows and labels."""
    x, found = scene.view.view_x, []
    for row, time in itertools.product((0, 1, 2), (0.0, 20.0 / 30.0, 40.0 / 30.0)):
        found += [(x(time) + off, scene.y(row)) for off in (0.0, REACH - 0.5, -REACH - 0.5)]
    found += [(x(time) + off, scene.y(3)) for time in (20.0 / 30.0, 40.0 / 30.0) for off in (-EDGE, EDGE)]
    found += [(x(time) + off, RULER + 7.0) for time in (0.3, 1.0) for off in (-7.0, -5.0, 4.0, 60.0, 110.0)]
    found += [(x(time), 12.0) for time in (0.2, 1.5, 0.9)]
    found += [(place, scene.y(row)) for row in (0, 1, 2) for place in (3.0, 10.0, 22.0, 60.0)]
    return [*found, (20.0, 5.0), (20.0, RULER + 5.0), (x(1.0), 318.0), (20.0, 318.0)]


# ------------------------------------------------------------ places
def test_layout_tells_what_lies_where() -> None:
    with PINS.together("layout") as note:
        for width, height, rows, scroll, lane, column, strips in itertools.product(
            (40.0, 300.0, 900.0),
            (20.0, 200.0),
            (0, 3, 40),
            (0.0, 33.0),
            (0.0, LANE),
            (0.0, 210.0),
            (0.0, 40.0),
        ):
            made = Layout(width, height, rows, scroll, lane, column, strips)
            note(made.lanes, made.head, made.labels, made.keys_width, made.view_height, made.most_scroll,
                 made.top(2), list(made.shown()))  # fmt: skip
            note(
                [made.region(x, y) for x in (made.labels - 1.0, made.labels) for y in (5.0, 24.0, 38.0, 40.0)]
            )
            note([made.row_at(y) for y in (made.head - 1.0, made.head, made.head + ROW, height)])


def test_what_is_hovered_aimed_and_under_every_place(scene) -> None:
    with PINS.together("hover") as note:
        for x, y in places(scene):
            scene.again()
            scene.pointer.hover(x, y)
            key = scene.pointer.key_at(x, y)
            note(scene.pointer.hovered, scene.pointer.edge, None if scene.pointer.near is None else
                 scene.pointer.near.name, None if key is None else (key[0].key, key[1]),
                 scene.pointer.span_edge_at(x, y), scene.view.layout().region(x, y))  # fmt: skip
            note([scene.pointer.arrow_at(x, row) for row in scene.rows.all()[:4]])
            marker = scene.model.markers.marker_at(x, y)
            note(None if marker is None else marker.name, scene.pointer.aim(x, y), scene.told())
        scene.pointer.leave()
        note(scene.pointer.hovered, scene.pointer.edge, scene.pointer.near)


def test_hovering_tells_only_what_is_new(scene) -> None:
    told: list[None] = []
    scene.pointer.changed.connect(told.append)
    x, y = scene.view.view_x(20.0 / 30.0), scene.y(1)
    for act, count in (
        (lambda: scene.pointer.leave(), 0), (lambda: scene.pointer.hover(x, y), 1),
        (lambda: scene.pointer.hover(x + 1, y), 0),
        (lambda: scene.pointer.hover(x + 60.0, y), 1), (lambda: scene.pointer.hover(x, y), 1),
        (lambda: scene.pointer.leave(), 1), (lambda: scene.pointer.leave(), 0),
    ):  # fmt: skip
        told.clear()
        act()
        assert len(told) == count


def test_boxes_catch_keys_of_the_rows_they_touch(scene) -> None:
    with PINS.together("boxes") as note:
        for first, last, (start, end) in itertools.product(
            range(5), range(5), ((-0.1, 0.1), (0.6, 1.4), (0.0, 3.0))
        ):
            top, bottom = scene.view.layout().top(first) + 2.0, scene.view.layout().top(last) + 4.0
            found = scene.pointer.keys_in_box(scene.view.view_x(start), top, scene.view.view_x(end), bottom)
            note([(str(c.bone), c.axis, k) for c, k in found.items()])


def test_presses_drags_and_clicks(scene) -> None:
    for held in (NO, SHIFT, CTRL):
        with PINS.together(f"press: {held.name}") as note:
            for (x, y), (dx, dy) in itertools.product(places(scene)[::2], ((0.0, 0.0), (47.0, 30.0))):
                scene.again()
                scene.rows.open_all(True) if dx else None
                began = scene.pointer.press(Pointer(x, y, Button.LEFT, held))
                if began is not None:
                    for share in (0.5, 1.0) if dx else ():
                        scene.model.gestures.move(Pointer(x + share * dx, y + share * dy, Button.LEFT, held))
                    note(type(began).__name__, scene.pointer.box)
                    scene.model.gestures.release(Pointer(x + dx, y + dy, Button.LEFT, held))
                note(*scene.told(), scene.pointer.box)


def test_other_buttons_and_scrubbing(scene) -> None:
    x, y = scene.view.view_x(0.9), scene.y(2)
    assert scene.pointer.press(Pointer(x, y, Button.RIGHT)) is None
    assert scene.pointer.press(Pointer(x, y)) is None
    with PINS.together("middle and scrub") as note:
        for button, scrubbing, place in itertools.product(
            (Button.MIDDLE, Button.LEFT), (False, True), ((x, y), (x, 10.0), (x - 200.0, RULER + 7.0))
        ):
            scene.again()
            scene.view.set_axis(scene.axis.zoomed(3.0, 200.0))
            scene.rows.open_all(True)
            scene.pointer.press(Pointer(*place, button), scrubbing)
            scene.model.gestures.move(Pointer(place[0] - 61.0, place[1] - 25.0, button))
            note(*scene.told())
            scene.model.gestures.cancel()
            note(*scene.told())
            scene.rows.open_all(False)


def test_drags_snap_to_what_is_switched_on(scene) -> None:
    with PINS.together("snapping") as note:
        for keys, markers, zoom in itertools.product((True, False), (True, False), (1.0, 6.0)):
            scene.again(at=0.555)
            scene.session.switches.set("snap_keys", keys)
            scene.session.switches.set("snap_markers", markers)
            scene.view.set_axis(scene.axis.zoomed(zoom, 300.0))
            snap = scene.pointer.snapping(scene.session.selection.keys)
            note([snap(time) for time in (0.005, 0.302, 0.31, 0.552, 0.56, 0.661, 1.003, 1.338, 1.99)])
            note(scene.pointer.selected_span())


def test_the_selected_span_is_of_the_rows_shown(scene) -> None:
    scene.again()
    assert scene.pointer.selected_span() == pytest.approx((20.0 / 30.0, 40.0 / 30.0))
    for keys in (
        {},
        {rich.TURN: np.array([1])},
        {Channel("pelvis", Property.TRANSLATE, 1): np.array([0, 1])},
    ):
        scene.session.selection.select_keys(keys)
        assert scene.pointer.selected_span() is None


# ------------------------------------------------------------ view
def test_the_wheel_zooms_pans_and_scrolls(scene) -> None:
    scene.rows.open_all(True)
    scene.view.resize(900.0, 120.0)
    with PINS.together("wheel") as note:
        for place, steps, held in itertools.product(
            ((500.0, 60.0), (500.0, 5.0), (40.0, 60.0)), (1.0, -1.0, -2.5), (NO, SHIFT, ALT)
        ):
            scene.view.set_axis(scene.axis)
            scene.view.set_scroll(20.0)
            scene.view.wheel(*place, steps, held)
            note(scene.view.axis.start, scene.view.axis.scale, scene.view.scroll, scene.view.partial)


def test_the_view_fits_follows_and_keeps_its_clip_in_sight(scene) -> None:
    view, session = scene.view, scene.session
    early = scalar_track([-0.5, 6.0], [0.0, 1.0])
    with PINS.together("view") as note:

        def told() -> None:
            note(view.axis.start, view.axis.end, view.axis.rate.fps, view.partial, view.scroll, view.unit)

        told()
        for act in (
            lambda: view.set_axis(scene.axis.zoomed(2.0, 10.0)), view.fit_selection, view.fit_all,
            lambda: session.selection.select_keys({}), view.fit_selection, lambda: view.resize(1200.0, 90.0),
            lambda: view.resize(0.0, 0.0), lambda: view.resize(700.0, 300.0), lambda: view.set_column(250.0),
            lambda: view.set_strips(60.0), lambda: view.set_scroll(900.0), lambda: view.set_scroll(-3.0),
            lambda: session.edits.put("rate", replace(session.clip, rate=FrameRate.of(24))),
            lambda: session.edits.put("longer", replace(session.clip, length=4.0)),
            lambda: view.set_unit(view.unit.next), lambda: view.set_axis(view.axis.panned(-50.0)), view.fit_all,
            lambda: session.edits.put("early", session.clip.with_tracks({rich.TURN: early})),
            view.fit_all,
        ):  # fmt: skip
            act()
            told()
        for playing, time in ((False, 3.0), (True, 3.0), (True, 0.1), (True, 1.9)):
            view.set_axis(scene.axis.zoomed(4.0, 0.0))
            session.playback.play() if playing else session.playback.pause()
            view.follow(time)
            told()
        session.playback.pause()
        views = [(v.row.key, v.top, v.keys.times, v.xs, v.dense) for v in view.row_views()]
        note(views)


def test_every_change_that_is_seen_is_told(scene) -> None:
    """What is drawn (changed) and the playhead (moved), by what happens to the session."""
    session, model = scene.session, scene.model
    changed: list[None] = []
    moved: list[None] = []
    model.changed.connect(changed.append)
    model.moved.connect(moved.append)
    other = session.clip.with_tracks({rich.TURN: scalar_track([0.25], [3.0])})
    rows = model.rows.all()
    table = (
        (lambda: session.preview.set_clip(other), True, False),
        (lambda: session.preview.set_pose(session.evaluator.pose()), False, False),
        (lambda: session.preview.clear(), True, False), (lambda: session.playback.seek(0.9), False, True),
        (lambda: session.playback.set_range(0.3, 0.8), True, False),
        (lambda: session.selection.select(["head"]), True, False),
        (lambda: session.selection.select_keys({}), True, False),
        (lambda: session.selection.set_flag("locked", ["head"]), True, False),
        (lambda: session.feature(KeyFilter).show_only(KeyType.HOLD), True, False),
        (lambda: session.feature(KeyFilter).show_only(None), True, False),
        (lambda: session.edits.put("other", other), True, False),
        (lambda: session.playback.play(), False, True), (lambda: session.playback.pause(), False, True),
        (lambda: model.view.set_scroll(0.0), False, False), (model.rows.show_rows, False, False),
        (lambda: model.rows.set_rows([("head",)], ()), True, False),
    )  # fmt: skip
    for number, (act, draws, moves) in enumerate(table):
        changed.clear()
        moved.clear()
        act()
        assert (bool(changed), bool(moved)) == (draws, moves), number
        if number == 0:
            assert model.rows.tracks[rich.TURN].times.tolist() == [0.25]
        elif number == 1:
            assert model.rows.all() is not rows
    model.close()
    changed.clear()
    moved.clear()
    session.playback.seek(0.1)
    session.selection.select(["spine"])
    assert not changed and not moved


@pytest.mark.parametrize("unit", TimeUnit)
def test_the_unit_is_remembered(scene, unit) -> None:
    scene.view.set_unit(unit)
    again = TimelineModel(scene.session)
    assert again.view.unit is unit
    scene.session.preferences.set("time_unit", "nonsense")
    other = TimelineModel(scene.session)
    assert other.view.unit is TimeUnit.FRAMES
    again.close()
    other.close()


def test_markers_are_gone_to_and_deleted_the_aimed_or_the_nearest(scene) -> None:
    lane, session = scene.model.markers, scene.session
    for time, aimed, wanted in ((0.1, None, 0), (0.64, None, 0), (0.66, None, 1), (2.0, 0, 0), (0.0, 1, 1)):
        session.playback.seek(time)
        lane.aimed_marker = None if aimed is None else lane.all()[aimed]
        lane.go_to_marker()
        assert session.playback.time == lane.all()[wanted].time
    lane.aimed_marker = Marker("gone", 0.9)
    session.playback.seek(0.9)
    lane.delete_marker()
    assert [m.name for m in lane.all()] == ["first"] and len(session.clip.markers) == 1
    left = scene.view.view_x(0.3)
    width = 8.0 + 7.0 * len("first")
    for x, found in (
        (left - REACH - 0.1, False),
        (left - REACH, True),
        (left + width, True),
        (left + width + 0.1, False),
    ):
        assert (lane.marker_at(x, RULER + 3.0) is not None) == found
    lane.delete_marker()
    lane.go_to_marker()
    lane.delete_marker()
    assert lane.all() == () and lane.marker_at(left, RULER + 3.0) is None

"""Rows of the timeline, the strip of the whole clip and lanes of events without a window, held by pins."""

import itertools
from dataclasses import replace

import numpy as np
import pytest

from core.clips.clip import Channel, Clip, Property
from core.tracks.key_types import KeyType
from core.tracks.keys import scalar_track
from editor.model.key_filter import KeyFilter
from editor.panels.timeline.event_rows import EventRows
from editor.panels.timeline.layout import INDENT, Region
from editor.panels.timeline.overview import MARGIN, NARROWEST, Overview, runs
from editor.panels.timeline.row_view import dense
from editor.tools import clip_events
from editor.tools.pointer import Button, Pointer
from tests.editor.actions import rich
from tests.editor.panels.timeline.timeline_scene import Scene
from tests.pins import Pins

PINS = Pins(__file__)


@pytest.fixture
def scene():
    made = Scene()
    yield made
    made.close()


def rows_told(scene: Scene) -> list[object]:
    return [
        (r.key, int(r.level), r.label, len(r.channels), r.wanted, r.opens, r.is_open)
        for r in scene.rows.all()
    ]


def test_rows_of_selections_opened_closed_hidden_and_alone(scene) -> None:
    rows = scene.rows
    with PINS.together("rows") as note:
        for bones in ((), ("upper_arm_l",), ("upper_arm_l", "hand_l"), ("pelvis", "lower_arm_l", "head")):
            scene.session.selection.select(bones)
            note(rows_told(scene), rows.key_times())
            for opened in (True, False):
                rows.open_all(opened)
                note(rows_told(scene))
            for number in (0, 1, -1):
                rows.toggle_row(rows.all()[number % len(rows.all())])
                note(rows_told(scene))
            rows.open_all(True)
            for verb in (rows.hide_row, rows.solo_row, rows.solo_row, rows.show_rows, rows.select_row):
                for aimed in (None, (), rows.all()[:2][-1].key, rows.all()[-1].key):
                    rows.aimed_row = aimed
                    verb()
                    note(rows_told(scene), sorted(map(str, rows.hidden)), sorted(map(str, rows.solo)),
                         [(str(c), k) for c, k in scene.session.selection.keys.items()])  # fmt: skip
            rows.open_all(False)
        scene.session.selection.select_weights([c for c in rows.tracks if not c.is_bone])
        note(rows_told(scene))


def test_keys_between_two_times_are_those_of_the_types_shown(scene) -> None:
    with PINS.together("keys in") as note:
        for kind in (None, *KeyType):
            scene.session.feature(KeyFilter).show_only(kind)
            for start, end in ((0.0, 20.0 / 30.0), (0.1, 1.4), (20.0 / 30.0, 20.0 / 30.0), (5.0, 6.0)):
                for row in scene.rows.all():
                    keys = scene.rows.keys_in(row, start, end)
                    note(keys.times, len(scene.rows.channels_keys(row.channels, start, end)))


def test_keys_that_stand_close_are_a_bar() -> None:
    for xs, wanted in (
        ((), ()), ((3.0,), (False,)), ((0.0, 3.9, 8.0), (True, True, False)), ((0.0, 4.0, 8.0), (False,) * 3),
        ((0.0, 5.0, 6.0, 7.0, 20.0), (False, True, True, True, False)),
    ):  # fmt: skip
        assert dense(np.array(xs)).tolist() == list(wanted)


# ------------------------------------------------------------ overview
@pytest.fixture
def overview(scene) -> Overview:
    return Overview(scene.rows, scene.view, scene.session.selection)


def test_overview_maps_the_clip_and_its_handle(scene, overview) -> None:
    with PINS.together("overview") as note:
        for zoom, pan in itertools.product((0.5, 1.0, 4.0, 400.0), (0.0, 90.0, -300.0)):
            scene.view.set_axis(scene.axis.zoomed(zoom, 300.0).panned(pan))
            left, right = overview.handle()
            assert right - left >= NARROWEST - 1e-9
            note(left, right, overview.wanted, overview.x(0.7), overview.time(500.0))
            edges = (left - 6.1, left - 5.9, left, left + 3.4, left + 3.6, left + 6.1, (left + right) / 2.0,
                     right - 6.1, right - 3.6, right, right + 5.9, right + 6.1)  # fmt: skip
            note([overview.part_at(x) for x in edges])
    room = scene.view.layout().keys_width - 2.0 * MARGIN
    start = scene.view.layout().labels + MARGIN
    for share in (0.0, 0.3, 1.0):
        assert overview.x(2.0 * share) == pytest.approx(start + share * room)
        assert overview.time(start + share * room) == pytest.approx(2.0 * share)
    assert overview.x(-1.0) == start and overview.x(9.0) == pytest.approx(start + room)


def test_a_narrow_handle_stands_about_the_middle_of_what_is_in_sight(scene, overview) -> None:
    scene.session.edits.put("long", replace(scene.session.clip, length=600.0))
    scene.view.set_axis(replace(scene.axis, start=212.0))
    axis = scene.view.axis
    middle = (overview.x(axis.start) + overview.x(axis.end)) / 2.0
    assert overview.handle() == pytest.approx((middle - NARROWEST / 2.0, middle + NARROWEST / 2.0))


def test_drags_of_the_stretch_in_sight(scene, overview) -> None:
    with PINS.together("stretch") as note:
        for zoom, where, moved in itertools.product(
            (0.7, 3.0), ("left", "right", "middle", "beside", "before"), (-700.0, -40.0, 0.0, 55.0, 900.0)
        ):
            scene.view.set_axis(scene.axis.zoomed(zoom, 300.0))
            before = scene.view.axis
            left, right = overview.handle()
            x = {"left": left, "right": right, "middle": (left + right) / 2.0, "beside": right + 60.0,
                 "before": left - 60.0}[where]  # fmt: skip
            drag = overview.press(x)
            drag.begin(Pointer(x, 3.0, Button.LEFT))
            note(scene.view.axis.start)
            drag.move(Pointer(x + moved, 3.0, Button.LEFT))
            note(scene.view.axis.start, scene.view.axis.end)
            drag.cancel()
            if where in ("left", "right", "middle"):
                assert scene.view.axis == before
        for factor in (0.5, 1.7):
            scene.view.set_axis(scene.axis.zoomed(3.0, 300.0))
            overview.zoom(factor)
            note(scene.view.axis.start, scene.view.axis.end)


def test_density_tells_columns_of_keys_and_is_kept(scene, overview) -> None:
    scene.again()
    found = overview.density()
    assert overview.density() is found
    keys, chosen = runs(found.keys), runs(found.selected)
    room = round(scene.view.layout().keys_width - 2.0 * MARGIN)
    columns = [round(time / 2.0 * (room - 1)) for time in (0.0, 20 / 30, 40 / 30, 2.0)]
    assert keys == [(c, c + 1) for c in columns] and chosen == [(c, c + 1) for c in columns[1:3]]
    scene.session.selection.select_keys({rich.TURN: np.array([3, 99])})
    assert overview.density(still=True) is found and overview.density() is not found
    assert runs(overview.density().selected) == [(columns[3], columns[3] + 1)]
    far_off = scalar_track([-1.0, 9.0], [0.0, 1.0])
    arm = [Channel("upper_arm_l", Property.ROTATE, axis) for axis in range(3)]
    scene.session.edits.put("far", scene.session.clip.with_tracks(dict.fromkeys(arm, far_off)))
    far = overview.density()
    assert far.keys[0] and far.keys[-1] and far.keys.sum() == 2
    scene.session.playback.set_clip(None, scene.session.rig.id)
    assert overview.clip is None and not overview.wanted and not overview.density().keys.any()
    assert overview.x(0.5) == scene.view.layout().labels + MARGIN and overview.time(400.0) == 0.0


@pytest.mark.parametrize(
    ("flags", "found"),
    [
        ("", []),
        ("0", []),
        ("1", [(0, 1)]),
        ("0110", [(1, 3)]),
        ("1011", [(0, 1), (2, 4)]),
        ("00100", [(2, 3)]),
    ],
)
def test_runs_of_columns(flags, found) -> None:
    assert runs(np.array([c == "1" for c in flags], dtype=bool)) == found


# ------------------------------------------------------------ lanes of events
def test_lanes_of_events_are_stacked_and_keep_their_height_in_a_drag(scene) -> None:
    clip: Clip = scene.session.clip
    notifies = tuple(replace(clip.notifies[0], time=time, duration=long) for time, long in
                     ((0.1, 0.5), (0.3, 0.4), (0.35, 0.0), (1.2, 0.1)))  # fmt: skip
    crowded = replace(clip, notifies=notifies)
    lanes = clip_events.lanes_of(crowded, every=True)
    made = EventRows()
    assert made.count == 1
    with PINS.together("events") as note:
        for shown, scale, held in ((clip, 200.0, False), (clip, 200.0, False), (crowded, 200.0, True),
                                   (crowded, 200.0, False), (crowded, 20.0, False), (None, 20.0, False)):  # fmt: skip
            note(made.lay_out(shown, lanes, scale, lambda name: 8.0 * len(name), held), made.count)
            note([(str(lane), top, depth) for lane, top, depth in made.lanes])
            for lane, top, depth in made.lanes:
                assert made.top(lane) == top and made.lane_at(float(top)) == lane
                assert made.lane_at(top + depth - 0.01) == lane and made.lane_at(top + depth) != lane
                events = clip_events.on_lane(shown, lane) if shown is not None else ()
                note([made.row(event) for event in events])
    assert made.lane_at(-0.1) is None and made.lane_at(float(made.count) + 1.0) is None


def test_an_indented_rows_arrow_is_further_in(scene) -> None:
    scene.session.selection.select(["upper_arm_l"])
    scene.rows.open_all(True)
    for row in scene.rows.all()[:4]:
        left = 4.0 + INDENT * row.level
        for x, found in ((left - 2.1, False), (left - 2.0, True), (left + 16.0, True), (left + 16.1, False)):
            assert scene.pointer.arrow_at(x, row) == (found and row.opens)
    assert scene.view.layout().region(5.0, 5.0) is Region.CORNER

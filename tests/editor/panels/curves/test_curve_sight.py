"""Where the curve editor shows its curves, by numbers that are worked out by hand: one line between two keys."""

from dataclasses import replace

import numpy as np
import pytest

from core.clips.clip import Channel, Marker, Property
from core.rig.skeleton import Skeleton
from core.tracks.keys import scalar_track
from editor.model.channels import curve_channel
from editor.model.time_axis import TimeAxis
from editor.panels.curves.space import Fit, Layout, ValueAxis
from editor.tools.curves.lanes import Lane
from editor.tools.pointer import Modifiers
from tests.editor.panels.curves.curve_stage import X, Y
from tests.editor.panels.curves.test_curves_without_window import Scene

LINE = scalar_track([0.0, 2.0], [-1.0, 3.0])
MOVE = Channel("hand", Property.TRANSLATE, 1)


@pytest.fixture
def scene():
    made = Scene()
    made.lanes.set_flag("hidden", ())
    made.session.edits.put("line", replace(made.session.clip, tracks={X: LINE}, curves={}))
    made.view.resize(800.0, 200.0)
    yield made
    made.close()


def put(scene: Scene, **changes: object) -> None:
    scene.session.edits.put("other", replace(scene.session.clip, **changes))


@pytest.mark.parametrize(
    ("low", "scale", "height", "stays"),
    [
        (-1.0, 50.0, 200.0, True),  # from -1 to 3 exactly: both edges count
        (-1.001, 50.0, 200.0, False),
        (-0.999, 49.0, 200.0, False),
        (-5.0, 20.0, 200.0, True),
        (-11.0, 8.0, 200.0, True),  # 25 high, the curve 4 of it
        (-12.0, 7.0, 200.0, False),  # 28.6 high: less than 0.15 of it
        (5.0, 20.0, 200.0, False),
        (-9.0, 32.0, 200.0, False),
    ],
)
def test_a_view_stays_where_the_whole_curve_is_in_sight_and_not_tiny(
    scene, low, scale, height, stays
) -> None:
    values = ValueAxis(low, scale, height)
    scene.view.set_axes(scene.view.axis, values)
    scene.view.come_into_sight()
    assert (scene.view.values == values) == stays
    if not stays:
        assert scene.view.values == values.fitted(-1.0, 3.0)


def test_without_curves_the_view_stays_and_of_many_the_widest_counts(scene) -> None:
    put(scene, tracks={})
    values = ValueAxis(7.0, 3.0, 200.0)
    axis = scene.view.axis
    scene.view.set_axes(axis, values)
    scene.view.come_into_sight()
    assert scene.view.values == values and scene.view.axis == axis
    put(scene, tracks={X: LINE, Y: scalar_track([0.0, 1.0], [-3.0, 0.0])})
    assert scene.view.values == values.fitted(-3.0, 3.0)  # the first keys of a clip
    for low, stays in ((-3.0, True), (-2.9, False)):
        shown = ValueAxis(low, 20.0, 200.0)
        scene.view.set_axes(axis, shown)
        scene.view.come_into_sight()
        assert (scene.view.values == shown) == stays
    put(scene, tracks={X: scalar_track([0.0, 1.0], [2.0, 2.0])})
    shown = ValueAxis(1.0, 50.0, 200.0)  # a flat one is fitted: it has no height to be seen
    scene.view.set_axes(axis, shown)
    scene.view.come_into_sight()
    assert scene.view.values == shown.fitted(2.0, 2.0)


def test_first_keys_are_fitted_unless_in_sight_or_in_a_drag(scene) -> None:
    for shown, still, fits in (
        (ValueAxis(7.0, 3.0, 200.0), False, True), (ValueAxis(7.0, 3.0, 200.0), True, False),
        (ValueAxis(-2.0, 30.0, 200.0), False, False),
    ):  # fmt: skip
        put(scene, tracks={})
        scene.view.set_axes(scene.view.axis, shown)
        scene.view.rest(still)
        put(scene, tracks={X: LINE})
        assert (scene.view.values != shown) == fits
        scene.view.rest(False)
    put(scene, tracks={})
    scene.view.resize(40.0, 200.0)
    shown = scene.view.values.panned(900.0)
    scene.view.set_axes(scene.view.axis, shown)
    put(scene, tracks={X: LINE})
    assert scene.view.values == shown  # too small to be looked at


def test_what_there_is_to_see_has_room_about_it(scene) -> None:
    assert scene.view.content() == pytest.approx((-0.1, 2.1, -1.4, 3.4))
    put(scene, tracks={X: scalar_track([-1.0, 3.0], [-1.0, 3.0]), Y: scalar_track([-0.5, 4.0], [0.0, 9.0])})
    assert scene.view.content() == pytest.approx((-1.25, 4.25, -2.0, 10.0))
    assert scene.view.content() is scene.view.content()
    put(scene, tracks={})
    assert scene.view.content() == pytest.approx((-0.1, 2.1, -1.2, 1.2))
    put(scene, length=4.0)
    assert scene.view.content() == pytest.approx((-0.2, 4.2, -1.2, 1.2))
    scene.session.playback.set_clip(None)
    assert scene.view.content() == pytest.approx((-0.05, 1.05, -1.2, 1.2))
    assert scene.view.snapped(0.123, {}) == 0.123


def test_content_is_held_while_a_drag_lasts(scene) -> None:
    before = scene.view.content()
    scene.view.rest(True)
    assert scene.view.held == (scene.lanes.clip, scene.session.selection.keys) and scene.view.still
    put(scene, tracks={X: scalar_track([0.0, 2.0], [-9.0, 9.0])})
    assert scene.view.content() == before
    scene.view.rest(False)
    assert scene.view.held is None and not scene.view.still
    assert scene.view.content()[2:] == pytest.approx((-10.8, 10.8))


def test_everything_is_fitted_in_time_from_the_first_key_to_the_last_or_the_clip(scene) -> None:
    def fitted(first: float, last: float) -> TimeAxis:
        return scene.view.axis.fitted(first, last, 28.0)

    for times, first, last in (
        ([0.5, 1.0], 0.0, 2.0), ([-1.0, 1.0], -1.0, 2.0), ([0.5, 3.0], 0.0, 3.0), ([-2.0, 5.0], -2.0, 5.0),
    ):  # fmt: skip
        put(scene, tracks={X: scalar_track(times, [-1.0, 3.0])})
        scene.view.set_axes(TimeAxis(9.0, 33.0, 800.0), ValueAxis(7.0, 3.0, 200.0))
        scene.view.fit_all(keep_time=True)
        assert scene.view.axis == TimeAxis(9.0, 33.0, 800.0)
        scene.view.fit_all()
        assert scene.view.axis == fitted(first, last)
        assert scene.view.values == ValueAxis(0.0, 1.0, 200.0).fitted(-1.0, 3.0)
    put(scene, tracks={})
    scene.view.fit_all()
    assert scene.view.axis == fitted(0.0, 2.0)


def test_values_are_fitted_without_what_is_beside_the_bones_unless_there_is_nothing_else(scene) -> None:
    other = scalar_track([0.0, 2.0], [10.0, 20.0])
    put(scene, curves={"blink": other})
    base = ValueAxis(0.0, 1.0, 200.0)
    for extras, wanted in ((False, (-1.0, 3.0)), (True, (-1.0, 20.0))):
        scene.view.set_axes(scene.view.axis, ValueAxis(7.0, 3.0, 200.0))
        scene.view.fit_values(extras)
        assert scene.view.values == base.fitted(*wanted)
        scene.view.resize(800.0, 300.0)  # stays fitted, with the margins of this height
        assert scene.view.values == replace(base, height=300.0).fitted(*wanted)
        scene.view.resize(800.0, 200.0)
    put(scene, tracks={})
    scene.view.fit_values()
    assert scene.view.values == base.fitted(10.0, 20.0)
    shown = ValueAxis(7.0, 3.0, 200.0)
    scene.view.set_axes(scene.view.axis, shown)
    scene.view.rest(True)
    scene.view.fit_values()
    assert scene.view.values == shown
    scene.view.rest(False)
    scene.view.resize(800.0, 100.0)  # not fitted: what is shown stays
    assert scene.view.values == ValueAxis(7.0, 1.5, 100.0)
    for width, height in ((60.0, 200.0), (800.0, 30.0), (60.5, 30.0)):
        scene.view.resize(width, height)
        shown = scene.view.values
        scene.view.fit_values()
        assert scene.view.values == shown
    scene.view.resize(61.0, 31.0)
    scene.view.fit_values()
    assert scene.view.values != shown


def test_selected_keys_are_fitted_with_their_neighbours(scene) -> None:
    bent = scalar_track([0.0, 0.5, 1.0, 1.5, 2.0], [0.0, 4.0, -2.0, 6.0, 30.0])
    put(scene, tracks={X: bent, Y: scalar_track([0.0, 2.0], [-50.0, 50.0])})
    for keys, times, values in (
        ([2], (0.5, 1.5), (-2.0, 6.0)), ([0], (0.0, 0.5), (0.0, 4.0)), ([4], (1.5, 2.0), (6.0, 30.0)),
        ([1, 2], (0.0, 1.5), (-2.0, 6.0)),
    ):  # fmt: skip
        scene.session.selection.select_keys({X: np.array(keys)})
        scene.view.fit_selection()
        assert scene.view.axis == scene.view.axis.fitted(*times, 56.0)
        assert scene.view.values == scene.view.values.fitted(*values, 56.0)
    scene.session.selection.select_keys({X: np.array([1]), Y: np.array([0])})
    scene.view.fit_selection()
    assert scene.view.axis == scene.view.axis.fitted(0.0, 2.0, 56.0)
    assert scene.view.values == scene.view.values.fitted(-50.0, 50.0, 56.0)
    scene.session.selection.select_keys({})
    scene.view.fit_selection()
    assert scene.view.axis == scene.view.axis.fitted(0.0, 2.0, 28.0)
    assert scene.view.values == scene.view.values.fitted(-50.0, 50.0)


def test_translations_are_shown_in_metres_of_the_world(scene) -> None:
    skeleton = scene.session.rig.skeleton
    scale = np.array([[1.0, 1.0, 1.0], [0.01, 0.02, 0.04], [5.0, 5.0, 5.0]])
    made = Skeleton(skeleton.names, skeleton.parents, skeleton.rest._replace(scale=scale))
    assert scene.view.unit_of(Lane(MOVE)) == 1.0
    scene.session.edits.put("scaled", replace(scene.session.rig, skeleton=made))
    for axis, metres in enumerate((0.01, 0.02, 0.04)):
        assert scene.view.unit_of(Lane(Channel("hand", Property.TRANSLATE, axis))) == metres
        assert scene.view.unit_of(Lane(Channel("hand", Property.ROTATE, axis))) == 1.0
        assert scene.view.unit_of(Lane(Channel("hand", Property.SCALE, axis))) == 1.0
        assert scene.view.unit_of(Lane(Channel("elbow", Property.TRANSLATE, axis))) == 1.0
        assert scene.view.unit_of(Lane(Channel("gone", Property.TRANSLATE, axis))) == 1.0
    assert scene.view.unit_of(Lane(curve_channel("blink"))) == 1.0
    assert scene.view.fit_of(Lane(MOVE)) == Fit(0.02)
    scene.view.set_axes(scene.view.axis, ValueAxis(0.0, 50.0, 200.0))
    assert scene.view.rise(Lane(X), 10.0) == pytest.approx(-0.2)
    assert scene.view.rise(Lane(MOVE), -10.0) == pytest.approx(10.0)
    put(scene, tracks={X: LINE, MOVE: scalar_track([0.0, 2.0], [100.0, 150.0])})
    assert scene.view.content()[2:] == pytest.approx((-1.4, 3.4))
    xs, ys = scene.view.key_places(scene.lanes.curve(Lane(MOVE)), slice(None))
    assert ys == pytest.approx([100.0, 50.0]) and xs == pytest.approx(
        scene.view.axis.xs(np.array([0.0, 2.0]))
    )


@pytest.mark.parametrize(
    ("scale", "time", "stop"),
    [
        (600.0, 1.016, 1.018),  # a marker nearer than the frame at 1.0 or 1.0333
        (600.0, 1.008, 1.0),  # the frame is nearer
        (600.0, 1.0245, 1.018),  # 3.9 pixels: within reach
        (600.0, 1.028, 1.0 + 1.0 / 30.0),
        (300.0, 1.016, 1.0),  # 10 pixels a frame: frames alone
        (370.0, 1.017, 1.018),  # 12.3 pixels a frame
        (600.0, 0.5105, 0.511),  # the playhead
    ],
)
def test_markers_and_the_playhead_catch_where_frames_are_wide(scene, scale, time, stop) -> None:
    put(scene, markers=(Marker("one", 1.018), Marker("far", 1.5)))
    scene.session.playback.seek(0.511)
    scene.view.set_axes(TimeAxis(0.0, scale, 800.0), scene.view.values)
    assert scene.view.snapped(time, {}) == pytest.approx(stop)


def test_the_wheel_zooms_at_the_pointer_and_alt_pans(scene) -> None:
    view = scene.view
    axis, values = view.axis, view.values
    none, alt, shift, ctrl = Modifiers.NONE, Modifiers.ALT, Modifiers.SHIFT, Modifiers.CTRL
    for steps in (1.0, -2.0):
        factor = 1.18**steps
        for held, wanted in (
            (none, (axis.zoomed(factor, 300.0), values.zoomed(factor, 50.0))),
            (ctrl, (axis.zoomed(factor, 300.0), values)), (shift, (axis, values.zoomed(factor, 50.0))),
            (ctrl | shift, (axis, values)), (alt, (axis.panned(60.0 * steps), values)),
            (alt | ctrl, (axis.panned(60.0 * steps), values)),
        ):  # fmt: skip
            view.set_axes(axis, values)
            view.wheel(300.0, 50.0, steps, held)
            assert (view.axis, view.values) == wanted


def test_only_a_view_that_differs_is_told(scene) -> None:
    view, told = scene.view, []
    view.changed.connect(told.append)
    view.set_axes(view.axis, view.values)
    assert not told
    view.set_axes(view.axis.panned(3.0), view.values)
    assert len(told) == 1
    view.set_axes(view.axis, view.values.panned(3.0))
    assert len(told) == 2
    view.set_layout(view.layout)
    assert len(told) == 2
    view.set_layout(Layout.NORMALISED)
    assert len(told) > 2
    assert view.fit_of(Lane(X)) == Fit(0.5, -0.5)
    told.clear()
    view.refresh_handles()
    assert len(told) == 1
    view.resize(700.0, 200.0)
    assert len(told) > 1


def test_another_clip_drops_what_is_compared_with_and_is_fitted_once(scene) -> None:
    view, clip = scene.view, scene.session.clip
    other = replace(clip, id=type(clip.id)("clip-other"), length=5.0)
    scene.session.edits.put("another", other)
    scene.lanes.keep_buffer(clip)
    scene.session.playback.set_clip(other.id)
    assert scene.lanes.buffer is None and view.axis == view.axis.fitted(0.0, 5.0, 28.0)
    scene.lanes.keep_buffer(other)
    moved = view.axis.panned(40.0)
    view.set_axes(moved, view.values)
    view.resize(800.0, 250.0)
    assert scene.lanes.buffer is other and view.axis == moved

"""What of the curve editor lies under a place, by distances of whole pixels: keys, handles, curves, outlines."""

from dataclasses import replace

import numpy as np
import pytest

from core.tracks.keys import Interpolation, scalar_track
from editor.panels.curves.curve_view import REACH
from editor.panels.curves.space import ValueAxis
from editor.tools.curves.lanes import Lane
from editor.tools.pointer import Button, Modifiers, Pointer
from tests.editor.panels.curves.curve_stage import X, Y, Z
from tests.editor.panels.curves.test_curves_without_window import Scene

A, B, C = Lane(X), Lane(Y), Lane(Z)


def line(times, values):
    track = scalar_track(times, values)
    return replace(
        track, interpolations=np.full(len(track), Interpolation.LINEAR, track.interpolations.dtype)
    )


@pytest.fixture
def scene():
    """A pixel is a 128th of a second and of a value: places are exact."""
    made = Scene()
    made.lanes.set_flag("hidden", ())
    made.view.resize(512.0, 256.0)
    show(made, {X: line([1.0, 2.0], [1.0, 1.0]), Y: line([1.0, 2.0], [1.125, 1.5])})
    made.said.clear()
    yield made
    made.close()


def show(scene: Scene, tracks) -> None:
    scene.session.edits.put("tracks", replace(scene.session.clip, length=4.0, tracks=tracks, curves={}))
    scene.view.set_axes(replace(scene.view.axis, start=0.0, scale=128.0), ValueAxis(0.0, 128.0, 256.0))


def test_the_nearest_key_within_reach_is_hit_and_seven_pixels_count(scene) -> None:
    at = scene.pointer.key_at  # X has keys at (128, 128) and (256, 128); Y at (128, 112) and (256, 64)
    for (x, y), found in {
        (128.0, 128.0): (A, 0), (135.0, 128.0): (A, 0), (135.25, 128.0): None, (121.25, 128.0): (A, 0),
        (120.75, 128.0): None, (128.0, 135.0): (A, 0), (128.0, 135.25): None, (128.0, 105.0): (B, 0),
        (128.0, 104.75): None, (128.0, 121.0): (A, 0), (128.0, 119.0): (B, 0), (128.0, 119.25): None,
        (133.0, 133.0): None, (132.0, 132.0): (A, 0), (256.0, 64.0): (B, 1), (250.0, 128.0): (A, 1),
        (200.0, 128.0): None,
    }.items():  # fmt: skip
        assert at(x, y) == found, (x, y)


def test_of_two_keys_in_reach_the_selected_one_then_a_bright_one_is_hit(scene) -> None:
    at = scene.pointer.key_at
    show(scene, {X: line([1.0, 2.0], [1.0, 1.0]), Y: line([1.0, 2.0], [1.0625, 1.0625])})  # 8 pixels apart
    for y, plain, first_selected, second_bright in (
        (127.0, A, A, A), (125.0, A, A, B), (124.75, A, A, B), (123.25, B, A, B), (121.0, B, A, B), (122.0, B, A, B),
    ):  # fmt: skip
        assert at(128.0, y) == (plain, 0)
        scene.session.selection.select_keys({X: np.array([0])})
        scene.lanes.set_flag("chosen", [A, B])
        assert at(128.0, y) == (first_selected, 0)
        scene.session.selection.select_keys({X: np.array([1])})
        assert at(128.0, y) == (plain, 0)  # another key of the curve is selected
        scene.session.selection.select_keys({})
        scene.lanes.set_flag("chosen", [B])
        assert at(128.0, y) == (second_bright, 0)
        scene.lanes.set_flag("chosen", [])
    scene.lanes.set_flag("locked", [A])
    assert at(128.0, 128.0) is None and at(128.0, 124.0) == (B, 0)


def test_of_many_keys_of_a_curve_the_nearest_is_told_by_its_number(scene) -> None:
    times = np.arange(9) / 32.0 + 0.5  # four pixels apart
    show(scene, {X: line(times, np.ones(9))})
    for number, time in enumerate(times):
        for off in (-1.75, 0.0, 1.75):
            assert scene.pointer.key_at(time * 128.0 + off, 128.0) == (A, number)


def test_the_nearest_curve_is_hit_a_bright_one_two_pixels_further(scene) -> None:
    at = scene.pointer.lane_at
    show(scene, {X: line([0.0, 4.0], [1.0, 1.0]), Y: line([0.0, 4.0], [1.125, 1.125])})  # at 128 and 112
    dim = frozenset()
    scene.lanes.bright = lambda: dim
    for y, lane in (
        (128.0, A),
        (135.0, A),
        (135.25, None),
        (121.0, A),
        (119.0, B),
        (105.0, B),
        (104.75, None),
    ):
        assert at(200.0, y) == lane, y
    assert at(200.0, 130.0, 2.0) == A and at(200.0, 130.25, 2.0) is None
    dim = frozenset([B])
    for y, lane in ((121.5, A), (121.0, A), (120.75, B), (103.0, B), (102.75, None), (128.0, A)):
        assert at(200.0, y) == lane, y
    show(scene, {X: line([0.0, 4.0], [0.0, 4.0])})  # a pixel up for each to the right
    dim = frozenset()
    for off in (0.0, 9.0, -9.0):
        assert at(100.0, 156.0 + off) == A
    for off in (10.0, -10.0):  # 7.07 from the line
        assert at(100.0, 156.0 + off) is None


def test_an_outline_catches_keys_up_to_its_edges(scene) -> None:
    catch = scene.pointer.keys_in

    def box(x0, y0, x1, y1):
        return {c: k.tolist() for c, k in catch([(x0, y0), (x1, y0), (x1, y1), (x0, y1)]).items()}

    assert box(100.0, 60.0, 300.0, 130.0) == {X: [0, 1], Y: [0, 1]}
    assert box(100.0, 120.0, 300.0, 130.0) == {X: [0, 1]}
    assert box(250.0, 60.0, 300.0, 130.0) == {X: [1], Y: [1]}
    assert box(129.0, 60.0, 255.0, 130.0) == {} and box(100.0, 129.0, 300.0, 140.0) == {}
    scene.lanes.set_flag("locked", [A])
    assert box(100.0, 60.0, 300.0, 130.0) == {Y: [0, 1]}
    triangle = [(100.0, 130.0), (300.0, 130.0), (100.0, 100.0)]
    scene.lanes.set_flag("locked", [])
    assert {c: k.tolist() for c, k in catch(triangle).items()} == {X: [0, 1], Y: [0]}


def test_handles_are_hit_within_seven_pixels_the_nearest_first(scene) -> None:
    cubic = scalar_track([0.5, 1.5, 2.5], [1.0, 1.0, 1.0])
    show(scene, {X: cubic})
    scene.session.selection.select_keys({X: np.array([1])})
    handles = {h.side: h for h in scene.view.handles()}
    assert set(handles) == {-1, 1} and handles[1].key_place == (192.0, 128.0)
    assert handles[1].place == pytest.approx((238.0, 128.0)) and handles[-1].place == pytest.approx(
        (146.0, 128.0)
    )
    hit = scene.pointer.handle_at
    for (x, y), side in {
        (238.0, 128.0): 1, (244.9, 128.0): 1, (245.1, 128.0): None, (238.0, 121.1): 1, (238.0, 120.9): None,
        (146.0, 134.9): -1, (139.1, 128.0): -1, (138.9, 128.0): None, (192.0, 128.0): None,
    }.items():  # fmt: skip
        found = hit(x, y)
        assert (None if found is None else found.side) == side, (x, y)
    scene.session.selection.select_keys({})
    assert hit(238.0, 128.0) is None


def test_a_press_takes_the_handle_only_more_than_half_the_reach_from_its_key(scene) -> None:
    show(scene, {X: scalar_track([0.5, 1.5, 2.5], [1.0, 1.0, 1.0])})
    scene.session.selection.select_keys({X: np.array([1])})
    far = scene.view.handles()
    for off, kind in (
        (1.0, "DragCurveKeys"),
        (REACH / 2.0, "DragCurveKeys"),
        (REACH / 2.0 + 0.5, "DragHandle"),
    ):
        near = tuple(h._replace(place=(192.0 + off, 128.0)) for h in far)
        scene.view._handles = near
        for button in (Button.LEFT, Button.RIGHT):
            gesture = scene.pointer._gesture_for(Pointer(192.0 + off, 128.0, button, Modifiers.NONE))
            assert type(gesture).__name__ == (kind if button is Button.LEFT else "NoneType"), off


def test_hovering_tells_once_what_is_under_the_pointer(scene) -> None:
    told = []
    scene.pointer.changed.connect(told.append)
    for place, hovered, count in (
        ((128.0, 128.0), (A, 0), 1), ((129.0, 128.0), (A, 0), 1), ((128.0, 112.0), (B, 0), 2), ((9.0, 9.0), None, 3),
        ((10.0, 9.0), None, 3),
    ):  # fmt: skip
        scene.pointer.hover(*place)
        assert scene.pointer.hovered == hovered and len(told) == count


@pytest.mark.parametrize(("lasso", "alt", "free"), [(False, False, False), (True, False, True), (False, True, True),
                                                    (True, True, False)])  # fmt: skip
def test_alt_turns_the_box_into_a_lasso_and_back(scene, lasso, alt, free) -> None:
    scene.pointer.lasso = lasso
    held = Modifiers.ALT if alt else Modifiers.NONE
    scene.pointer.press(Pointer(20.0, 20.0, Button.LEFT, held))
    for place in ((300.0, 30.0), (200.0, 200.0)):
        scene.model.gestures.move(Pointer(*place, Button.LEFT, held))
    corners = list(scene.pointer.outline)
    assert corners[0] == (20.0, 20.0) and corners[-1] == (200.0, 200.0)
    assert len(corners) == (3 if free else 2)
    scene.model.gestures.cancel()
    assert scene.pointer.outline is None


def test_the_ruler_scrubs_to_frames_and_not_before_the_start(scene) -> None:
    playback = scene.session.playback
    for x, time in ((128.0, 1.0), (130.0, 1.0), (131.0, 1.0 + 1.0 / 30.0), (-50.0, 0.0)):
        scene.pointer.press_ruler(Pointer(x, 5.0, Button.LEFT))
        scene.model.gestures.release(Pointer(x, 5.0, Button.LEFT))
        assert playback.time == pytest.approx(time)
    assert scene.pointer.press_ruler(Pointer(128.0, 5.0, Button.RIGHT)) is None
    scene.session.playback.set_clip(None)
    assert scene.pointer.press_ruler(Pointer(128.0, 5.0, Button.LEFT)) is None
    assert scene.pointer.press(Pointer(128.0, 128.0, Button.LEFT)) is None

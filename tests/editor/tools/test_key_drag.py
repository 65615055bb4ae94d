"""Drags of keys without a window: where they snap, what an edge scales about, what the step says, boxes."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from editor.tools.key_drag import BoxKeys, DragKeys, ScaleKeys, Snapping
from editor.tools.pointer import Button, Modifiers, Pointer
from tests.editor.actions import rich

FRAME = 1.0 / 30.0
PIXELS = 300.0
X, Y = rich.TURN, rich.TURN._replace(axis=0)


def time_at(x: float) -> float:
    return x / PIXELS


def at(frame: float, y: float = 0.0, *, held: Modifiers = Modifiers.NONE) -> Pointer:
    return Pointer(frame * FRAME * PIXELS, y, Button.LEFT, held)


@pytest.fixture
def session():
    made = rich.session()
    yield made
    made.close()


# ---------------------------------------------------------------- snapping
@given(st.floats(0.0, 10.0), st.lists(st.floats(0.0, 10.0), max_size=5), st.floats(0.001, 0.3))
def test_a_stop_within_reach_wins_over_a_frame_that_is_not_nearer(time, stops, reach):
    stops = np.array(sorted(stops))
    snapped = Snapping(lambda t: float(round(t)), stops, reach)(time)
    frame = float(round(time))
    if not len(stops):
        assert snapped == frame
        return
    away = np.abs(stops - time)
    assume((np.abs(away - reach) > 1e-9).all() and (np.abs(away - reach / 2.0) > 1e-9).all())
    near = float(away.min())
    caught = near < reach and (near <= abs(frame - time) or near < reach / 2.0)
    assert (abs(snapped - time) == near) if caught else snapped == frame


@pytest.mark.parametrize(
    "time, snapped",
    [(4.04, 4.1), (3.94, 4.0), (4.34, 4.1), (4.42, 4.0), (5.3, 5.0), (6.62, 6.6), (6.5, 6.6), (6.96, 7.0)],
)
def test_stops_catch_from_both_sides(time, snapped):
    assert Snapping(lambda t: float(round(t)), np.array([4.1, 6.6]), 0.3)(time) == snapped


# ---------------------------------------------------------------- drags
@pytest.mark.parametrize("frames, words", [(7.0, "+7"), (-3.0, "-3"), (2.5, "+2.5")])
def test_the_step_of_a_drag_says_how_many_keys_went_how_far(session, frames, words):
    gesture = DragKeys(session, 20.0 * FRAME, time_at, lambda: None)
    gesture.begin(at(20.0))
    held = Modifiers.CTRL if frames % 1.0 else Modifiers.NONE
    assert gesture.status == ""
    gesture.move(at(20.0 + frames, held=held))
    assert gesture.status == gesture.label == f"Move 2 keys {words} f"
    gesture.finish(at(20.0 + frames, held=held))
    assert session.history.labels[-1] == f"Move 2 keys {words} f"
    assert session.clip.tracks[X].times[1] == pytest.approx((20.0 + frames) * FRAME)


def test_a_press_alone_clicks_and_a_drag_back_to_its_start_does_not(session):
    clicked = []
    for frames, expected in ((0.0, 1), (6.0, 1)):
        gesture = DragKeys(session, 20.0 * FRAME, time_at, lambda: clicked.append(1))
        before = session.clip
        gesture.begin(at(20.0))
        gesture.move(at(20.0 + frames))
        gesture.move(at(20.0))
        gesture.finish(at(20.0))
        assert len(clicked) == expected
        assert session.clip is before and session.preview.clip is None
        assert session.selection.keys[X].tolist() == [1, 2]


@pytest.mark.parametrize("held", [Modifiers.NONE, Modifiers.ALT])
def test_with_ripple_later_keys_come_along_and_copies_leave_them(session, held):
    session.switches.set("ripple", True)
    before = session.clip.tracks[X].times
    gesture = DragKeys(session, 20.0 * FRAME, time_at, lambda: None)
    gesture.begin(at(20.0, held=held))
    gesture.move(at(25.0, held=held))
    gesture.finish(at(25.0, held=held))
    times = session.clip.tracks[X].times
    if held:
        assert session.history.labels[-1].startswith("Duplicate") and set(before) <= set(times)
    else:
        assert session.history.labels[-1] == "Ripple 2 keys +5 f"
        assert times == pytest.approx([before[0], *(before[1:] + 5.0 * FRAME)])


# ---------------------------------------------------------------- scaling
def scaled(session, late: bool, frame: float, held: Modifiers = Modifiers.NONE) -> list[float]:
    gesture = ScaleKeys(session, (20.0 * FRAME, 40.0 * FRAME), late, time_at, session.clip.rate.snap)
    press = 40.0 if late else 20.0
    gesture.begin(at(press, held=held))
    gesture.move(at(frame, held=held))
    gesture.finish(at(frame, held=held))
    return [float(round(t / FRAME, 4)) for t in session.clip.tracks[X].times]


@pytest.mark.parametrize(
    "late, frame, held, frames, percent",
    [
        (True, 50.0, Modifiers.NONE, [0.0, 20.0, 50.0, 60.0], "150"),
        (False, 10.0, Modifiers.NONE, [0.0, 10.0, 40.0, 60.0], "150"),
        (True, 45.0, Modifiers.ALT, [0.0, 15.0, 45.0, 60.0], "150"),
        (False, 25.0, Modifiers.ALT, [0.0, 25.0, 35.0, 60.0], "50"),
        (True, 44.4, Modifiers.CTRL, [0.0, 20.0, 44.4, 60.0], "122"),
        (True, 20.0, Modifiers.NONE, [0.0, 20.0, 21.0, 60.0], "5"),  # never into nothing
    ],
)
def test_an_edge_scales_about_the_other_and_with_alt_about_the_middle(
    session, late, frame, held, frames, percent
):
    assert scaled(session, late, frame, held) == frames
    assert session.history.labels[-1] == f"Scale 2 keys {percent} %"
    assert session.selection.keys[X].tolist() == [1, 2]


def test_an_edge_that_is_not_moved_or_given_up_changes_nothing(session):
    before, keys = session.clip, session.selection.keys
    assert scaled(session, True, 40.2) == [0.0, 20.0, 40.0, 60.0]
    gesture = ScaleKeys(session, (20.0 * FRAME, 40.0 * FRAME), True, time_at, session.clip.rate.snap)
    gesture.begin(at(40.0))
    assert gesture.status == ""
    gesture.move(at(50.0))
    assert gesture.status == "Scale 2 keys 150 %" and session.preview.clip is not None
    gesture.cancel()
    assert session.clip is before and session.preview.clip is None
    assert {c: k.tolist() for c, k in session.selection.keys.items()} == {
        c: k.tolist() for c, k in keys.items()
    }


@pytest.mark.parametrize("span", [(1.0, 1.0), (1.0, 0.5)])
def test_keys_at_one_time_cannot_be_scaled(session, span):
    with pytest.raises(ValueError, match="several times"):
        ScaleKeys(session, span, True, time_at, session.clip.rate.snap)


# ---------------------------------------------------------------- boxes
def box(session, find: Callable, start: Pointer, *way: Pointer) -> list:
    shown: list = []
    gesture = BoxKeys(session.selection, find, shown.append)
    gesture.begin(start)
    for pointer in way:
        gesture.move(pointer)
    gesture.finish(way[-1] if way else start)
    assert shown[-1] is None
    return shown


def test_a_box_drawn_any_way_round_finds_the_same(session):
    asked = []

    def find(*corners):
        asked.append(corners)
        return {X: np.array([0, 3])}

    a, b = Pointer(10.0, 90.0, Button.LEFT), Pointer(70.0, 20.0, Button.LEFT)
    for start, end in ((a, b), (b, a), (replace(a, y=20.0), replace(b, y=90.0))):
        assert box(session, find, start, end)[0] == (10.0, 20.0, 70.0, 90.0)
        assert session.selection.keys[X].tolist() == [0, 3]
    assert asked == [(10.0, 20.0, 70.0, 90.0)] * 3


@pytest.mark.parametrize(
    "held, frames", [(Modifiers.NONE, [3]), (Modifiers.SHIFT, [1, 2, 3]), (Modifiers.CTRL, [1, 2])]
)
def test_a_box_selects_adds_or_removes_and_a_click_alone_lets_go(session, held, frames):
    start = Pointer(10.0, 10.0, Button.LEFT, held)
    box(session, lambda *_: {X: np.array([3])}, start, replace(start, x=60.0))
    assert session.selection.keys[X].tolist() == frames
    box(session, lambda *_: {X: np.array([3])}, start, replace(start, x=11.0))
    assert (X in session.selection.keys) == bool(held)  # no box: only a plain click lets go


def test_a_box_with_ctrl_removes(session):
    start = Pointer(10.0, 10.0, Button.LEFT, Modifiers.CTRL)
    box(session, lambda *_: {X: np.array([2])}, start, replace(start, x=60.0))
    assert session.selection.keys[X].tolist() == [1]

"""Keys moved with what comes later: tracks, notifies and markers from the first of them on; where curves differ."""

from dataclasses import replace

import numpy as np
import pytest

from core.clips.clip import Marker, Notify, SyncMarker
from editor.tools.curves.lanes import Lane
from editor.tools.curves.reader import Reader
from editor.tools.key_moves import KeyMove, rippled
from tests.editor.panels.curves.curve_stage import TURN, X, Y, Z, arm_project

READER = Reader(arm_project().rigs[0].skeleton)
FRAME = 1.0 / 30.0


def clip(**changes):
    made = arm_project().clips[0]
    events = {
        "notifies": tuple(Notify("n", t * FRAME) for t in (5.0, 14.0, 40.0)),
        "sync_markers": tuple(SyncMarker("s", t * FRAME) for t in (13.9, 14.0)),
        "markers": tuple(Marker("m", t * FRAME) for t in (2.0, 30.0)),
    }
    return replace(made, **(events | changes))


def frames(items):
    return [round(item.time * 30.0, 6) for item in items]


def test_all_that_comes_later_goes_along_and_what_came_before_stays():
    before = clip()
    done = rippled(before, {X: np.array([2, 3])}, 3.0 * FRAME, {}, READER)
    for channel in (X, Y, Z):
        times = before.tracks[channel].times * 30.0
        assert np.allclose(
            done.clip.tracks[channel].times * 30.0, np.where(times >= 14.0 - 1e-6, times + 3.0, times)
        )
    assert np.allclose(done.clip.tracks[TURN].times * 30.0, [0.0, 18.0, 33.0, 48.0, 63.0])
    assert frames(done.clip.notifies) == [5.0, 17.0, 43.0] and frames(done.clip.sync_markers) == [13.9, 17.0]
    assert frames(done.clip.markers) == [2.0, 33.0]
    assert {c: k.tolist() for c, k in done.keys.items()} == {X: [2, 3]}


def test_keys_of_bones_that_are_held_stay_while_events_go():
    before = clip()
    done = rippled(before, {TURN: np.array([1])}, 3.0 * FRAME, {}, READER, {"arm"})
    assert done.clip.tracks[X] is before.tracks[X] and np.allclose(
        done.clip.tracks[TURN].times * 30.0, [0, 18, 33, 48, 63]
    )
    assert frames(done.clip.notifies) == [5.0, 14.0, 43.0]


def test_events_never_go_before_the_start_and_stay_in_order():
    before = clip(notifies=(Notify("a", 0.0), Notify("b", 1.0 * FRAME), Notify("c", 8.0 * FRAME)))
    done = rippled(before, {X: np.array([1])}, -5.0 * FRAME, {}, READER)
    assert frames(done.clip.notifies) == [0.0, 1.0, 3.0]
    first = rippled(before, {X: np.array([0])}, -5.0 * FRAME, {}, READER)
    assert frames(first.clip.notifies) == [0.0, 0.0, 3.0] and [n.name for n in first.clip.notifies] == [
        "a",
        "b",
        "c",
    ]


def test_without_a_shift_only_values_rise():
    before = clip()
    done = rippled(before, {X: np.array([2])}, 0.0, {Lane(X): 5.0}, READER)
    assert done.clip.notifies is before.notifies and np.array_equal(
        done.clip.tracks[X].times, before.tracks[X].times
    )
    assert done.clip.tracks[X].values[2] == pytest.approx(before.tracks[X].values[2] + 5.0)
    both = rippled(before, {X: np.array([2])}, 3.0 * FRAME, {Lane(X): 5.0}, READER)
    assert both.clip.tracks[X].values[2] == pytest.approx(before.tracks[X].values[2] + 5.0)
    assert both.clip.tracks[X].times[2] * 30.0 == pytest.approx(17.0)
    assert rippled(before, {}, 1.0, {}, READER).clip is before


@pytest.mark.parametrize("keys, seconds, low, high", [
    ({X: [4]}, 0.0, 1, None), ({X: [3, 4]}, 0.0, 0, None), ({X: [1]}, 0.0, None, 5), ({X: [6]}, 0.0, 3, None),
    ({X: [3]}, 0.0, 0, 7), ({X: [3]}, 9.0 * FRAME, 0, None), ({X: [2]}, 3.0 * FRAME, None, 6),
    ({X: [5]}, -20.0 * FRAME, 0, None), ({X: [3], Y: [2]}, 0.0, None, 7),
])  # fmt: skip
def test_curves_differ_up_to_some_keys_beside_those_that_move(keys, seconds, low, high):
    made = clip()
    times = made.tracks[X].times
    found = KeyMove(made, {c: np.array(k) for c, k in keys.items()}).reach(seconds)
    wanted = (-np.inf if low is None else times[low], np.inf if high is None else times[high])
    assert found == pytest.approx(wanted)


def test_where_a_turn_or_a_loop_changes_may_be_everywhere():
    made = clip()
    assert KeyMove(made, {TURN: np.array([1]), X: np.array([1])}, READER).reach(0.1) is None
    assert KeyMove(replace(made, looping=True), {X: np.array([1])}).reach(0.1) is None

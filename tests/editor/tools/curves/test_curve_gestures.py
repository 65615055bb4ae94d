"""Gestures of the curve editor without its panel: keys and handles dragged, keys caught by a box or a lasso."""

import numpy as np
import pytest

from core.clips.clip import Channel, Property
from core.tracks.edits import set_slopes
from core.tracks.keys import TangentMode
from editor.model.selection import Mode
from editor.model.session import Session
from editor.tools import key_edits
from editor.tools.curves.gestures import CatchKeys, DragCurveKeys, DragHandle, within
from editor.tools.curves.lanes import Lane
from editor.tools.curves.reader import Reader
from editor.tools.pointer import Button, Modifiers, Pointer
from tests.editor.panels.curves.curve_stage import TURN, X, Y, arm_project

SHIFT, CTRL, ALT, NONE = Modifiers.SHIFT, Modifiers.CTRL, Modifiers.ALT, Modifiers.NONE
MOVE = Channel("arm", Property.TRANSLATE, 1)
FRAME = 1.0 / 30.0
ROTATE = Lane(X)


class Shown:
    """Lanes and view: 300 pixels a second, two pixels a degree, a hundred a metre."""

    def __init__(self, session: Session) -> None:
        self.session, self.locked = session, ()
        self.reader = Reader(session.rig.skeleton)
        self.kept, self.rests, self.touched, self.clicks = [], [], [], []

    def editable(self, keys):
        return {c: k for c, k in keys.items() if c not in self.locked}

    def keep_buffer(self, clip):
        self.kept.append(clip)

    def time_at(self, x):
        return x / 300.0

    def rise(self, lane, dy):
        return -dy / (100.0 if lane.channel.property is Property.TRANSLATE else 2.0)

    def unit_of(self, lane):
        return 100.0 if lane.channel.property is Property.TRANSLATE else 1.0

    def snapped(self, time, moving):
        return self.session.clip.rate.snap(time)

    def rest(self, still):
        self.rests.append(still)

    def touch(self, reach):
        self.touched.append(reach)


@pytest.fixture
def shown():
    session = Session.create()
    session.document.replace(arm_project(), None)
    session.playback.set_clip(arm_project().clips[0].id, arm_project().rigs[0].id)
    session.switches.set("snap", True)
    session.switches.set("ripple", False)
    session.selection.select_keys({X: np.array([2, 3])})
    yield Shown(session)
    session.close()


def at(x, y, held=NONE):
    return Pointer(100.0 + x, 50.0 + y, Button.LEFT, held)


def drag_keys(shown, lane=ROTATE, time=14.0 * FRAME):
    gesture = DragCurveKeys(shown.session, shown, shown, lane, time, lambda: shown.clicks.append(1))
    gesture.begin(at(0.0, 0.0))
    return gesture


def track(shown, channel=X):
    clip = shown.session.preview.clip or shown.session.clip
    return clip.tracks[channel]


def selected(shown):
    return {c: k.tolist() for c, k in shown.session.selection.keys.items()}


# ---------------------------------------------------------------- keys
@pytest.mark.parametrize("x, y, held, frames, degrees, label", [
    (30.0, -20.0, NONE, 3.0, 10.0, "Move 2 keys +3 f +10°"),
    (33.0, 0.0, NONE, 3.0, 0.0, "Move 2 keys +3 f"),
    (-34.0, 0.0, CTRL, -3.4, 0.0, "Move 2 keys -3.4 f"),
    (0.0, 7.0, NONE, 0.0, -3.5, "Move 2 keys -3.5°"),
    (30.0, -20.0, SHIFT, 3.0, 0.0, "Move 2 keys +3 f"),
    (20.0, -20.0, SHIFT, 2.0, 0.0, "Move 2 keys +2 f"),
    (19.0, -20.0, SHIFT, 0.0, 10.0, "Move 2 keys +10°"),
    (34.0, 6.0, SHIFT | CTRL, 3.4, 0.0, "Move 2 keys +3.4 f"),
])  # fmt: skip
def test_keys_go_along_in_time_and_value(shown, x, y, held, frames, degrees, label):
    session, before = shown.session, track(shown)
    gesture = drag_keys(shown)
    gesture.move(at(x, y, held))
    moved = track(shown)
    assert np.allclose(moved.times[2:4], before.times[2:4] + frames * FRAME, atol=1e-9)
    assert np.allclose(moved.values[2:4], before.values[2:4] + degrees, atol=1e-9)
    rest = [0, 1, 4, 5, 6, 7]
    assert np.array_equal(moved.values[rest], before.values[rest])
    assert np.array_equal(moved.times[rest], before.times[rest])
    assert gesture.status == gesture.label == label
    assert session.clip.tracks[X] is before and shown.rests == [True] and session.history.labels == ()
    gesture.finish(at(x, y, held))
    assert shown.rests == [True, False] and session.history.labels == (label,)
    assert session.preview.clip is None and session.clip.tracks[X] is moved
    assert len(shown.kept) == 1 and shown.kept[0].tracks[X] is before
    assert selected(shown) == {X: [2, 3]} and shown.clicks == []


def test_a_press_that_does_not_wander_is_a_click(shown):
    gesture = drag_keys(shown)
    gesture.move(at(1.0, 1.0))
    assert shown.rests == [] and gesture.status == "" and shown.session.preview.clip is None
    gesture.finish(at(1.0, 1.0))
    assert shown.clicks == [1] and shown.session.history.labels == () and shown.kept == []
    gesture = drag_keys(shown)
    gesture.move(at(3.0, 0.0, CTRL))
    assert gesture.status == "Move 2 keys +0.3 f"
    gesture.move(at(1.0, 0.0, CTRL))  # once it is a drag small ways count
    assert gesture.status == "Move 2 keys +0.1 f"


def test_back_at_its_start_nothing_is_done_and_escape_takes_all_back(shown):
    session = shown.session
    for end in ("finish", "cancel"):
        gesture = drag_keys(shown)
        gesture.move(at(120.0, 30.0))
        assert selected(shown) == {X: [2, 4]}  # one of them has overtaken another
        if end == "finish":
            gesture.move(at(0.0, 0.0))
            assert session.preview.clip is None and shown.touched[-1] is None
            gesture.finish(at(0.0, 0.0))
        else:
            gesture.cancel()
        assert (
            session.preview.clip is None and session.history.labels == () and selected(shown) == {X: [2, 3]}
        )
        assert shown.rests[-1] is False and shown.kept == [] and shown.clicks == []


def test_keys_that_overtake_others_stay_selected_while_they_are_dragged(shown):
    gesture = drag_keys(shown)
    gesture.move(at(250.0, 0.0))
    times = track(shown).times[shown.session.selection.keys[X]]
    assert np.allclose(times * 30.0, [39.0, 47.0])
    gesture.finish(at(250.0, 0.0))
    assert np.allclose(track(shown).times[shown.session.selection.keys[X]] * 30.0, [39.0, 47.0])


def test_a_drag_tells_between_which_times_curves_differ(shown):
    gesture = drag_keys(shown)
    gesture.move(at(30.0, 0.0))
    low, high = shown.touched[-1]
    assert low <= track(shown).times[0] + 1e-9 and high >= track(shown).times[5] - 1e-9
    gesture.move(at(0.0, 0.0))
    assert shown.touched[-1] is None
    gesture.move(at(30.0, 0.0))
    assert shown.touched[-1] is not None
    gesture.cancel()
    assert shown.touched[-1] is None


def test_snapping_is_that_of_the_grabbed_key_and_may_be_off(shown):
    shown.session.switches.set("snap", False)
    gesture = drag_keys(shown, time=14.2 * FRAME)
    gesture.move(at(34.0, 0.0))
    assert gesture.label == "Move 2 keys +3.4 f"
    gesture.move(at(34.0, 0.0, CTRL))
    assert gesture.label == "Move 2 keys +3.8 f"  # from frame 14.2 onto 18
    gesture.cancel()


def test_locked_lanes_stay_and_playback_pauses(shown):
    session = shown.session
    session.playback.play()
    shown.locked = (X,)
    gesture = drag_keys(shown)
    assert not session.playback.playing
    gesture.move(at(50.0, 0.0))
    assert session.preview.clip is None and shown.rests == []
    session.selection.select_keys({X: np.array([2]), Y: np.array([2])})
    gesture = drag_keys(shown)
    gesture.move(at(0.0, -20.0))
    assert gesture.label == "Move key +10°"
    assert track(shown) is session.clip.tracks[X]
    assert track(shown, Y).values[2] == session.clip.tracks[Y].values[2] + 10.0
    gesture.finish(at(0.0, -20.0))
    assert selected(shown) == {Y: [2]}


def test_lanes_of_other_units_rise_by_as_many_pixels(shown):
    session = shown.session
    session.selection.select_keys({X: np.array([2]), MOVE: np.array([1, 2])})
    before = session.clip
    gesture = drag_keys(shown, Lane(MOVE))
    gesture.move(at(0.0, -20.0))
    assert gesture.label == "Move 3 keys +20m"
    gesture.finish(at(0.0, -20.0))
    assert session.clip.tracks[X].values[2] == pytest.approx(before.tracks[X].values[2] + 10.0)
    assert np.allclose(session.clip.tracks[MOVE].values[1:3], before.tracks[MOVE].values[1:3] + 0.2)


@pytest.mark.parametrize("part", [0, 1, 2])
def test_of_quaternion_keys_the_grabbed_angle_rises(shown, part):
    session = shown.session
    session.selection.select_keys({TURN: np.array([2])})
    before = shown.reader.angles(session.clip.tracks[TURN], TURN)
    gesture = drag_keys(shown, Lane(TURN, part))
    gesture.move(at(0.0, -4.0))
    gesture.finish(at(0.0, -4.0))
    after = shown.reader.angles(session.clip.tracks[TURN], TURN)
    wanted = before.copy()
    wanted[2, part] += 2.0
    assert np.allclose(after, wanted, atol=1e-6)
    session.undo()
    session.selection.select_keys({TURN: np.array([2]), X: np.array([1])})
    old = session.clip.tracks[X].values[1]
    gesture = drag_keys(shown, Lane(TURN, part))
    gesture.move(at(0.0, -4.0))
    gesture.finish(at(0.0, -4.0))
    assert session.clip.tracks[X].values[1] == pytest.approx(old + 2.0)


def test_with_ripple_later_keys_go_along(shown):
    session = shown.session
    session.switches.set("ripple", True)
    before = session.clip.tracks[X].times
    gesture = drag_keys(shown)
    gesture.move(at(30.0, 0.0))
    assert shown.touched[-1] is None
    gesture.finish(at(30.0, 0.0))
    after = session.clip.tracks[X].times
    assert np.allclose(after[2:] - before[2:], 0.1) and np.allclose(after[:2], before[:2])
    session.undo()
    gesture = drag_keys(shown)
    gesture.move(at(0.0, -30.0))  # in value nothing ripples
    gesture.finish(at(0.0, -30.0))
    assert np.array_equal(session.clip.tracks[X].times, before)
    risen = session.clip.tracks[X].values - arm_project().clips[0].tracks[X].values
    assert np.allclose(risen, [0, 0, 15, 15, 0, 0, 0, 0])


def test_without_a_clip_nothing_can_be_dragged():
    session = Session.create()
    for make in (
        lambda: DragCurveKeys(session, None, None, Lane(X), 0.0, lambda: None),
        lambda: DragHandle(session, None, None, Lane(X), 0, 1, (0.0, 0.0), False),
    ):
        with pytest.raises(ValueError, match="in a clip"):
            make()
    session.close()


# ---------------------------------------------------------------- handles
KEY = 3
PLACE = (100.0, 50.0)


def drag_handle(shown, side, lane=ROTATE, key=KEY, weighted=False):
    gesture = DragHandle(shown.session, shown, shown, lane, key, side, PLACE, weighted)
    gesture.begin(at(30.0 * side, 0.0))
    return gesture


@pytest.mark.parametrize("side", [-1, 1])
@pytest.mark.parametrize("held", [NONE, ALT, SHIFT, SHIFT | ALT])
def test_a_handle_turns_the_tangent_alt_breaks_it_and_shift_levels_it(shown, side, held):
    session, before = shown.session, track(shown)
    session.selection.select_keys({})
    gesture = drag_handle(shown, side)
    gesture.move(at(60.0 * side, -24.0 * side, held))
    moved = track(shown)
    slope = 0.0 if SHIFT in held else 12.0 / 0.2
    own, other = ("in_slopes", "out_slopes") if side < 0 else ("out_slopes", "in_slopes")
    assert getattr(moved, own)[KEY] == pytest.approx(slope)
    if ALT in held:
        assert moved.modes[KEY] == TangentMode.BROKEN
        assert getattr(moved, other)[KEY] == getattr(before, other)[KEY]
    else:
        assert moved.modes[KEY] == TangentMode.FREE and getattr(moved, other)[KEY] == pytest.approx(slope)
    assert np.array_equal(moved.values, before.values) and np.array_equal(moved.in_weights, before.in_weights)
    assert gesture.status == gesture.label == "Rotate tangent of arm Rotate X" and shown.rests == [True]
    gesture.finish(at(0.0, 0.0))
    assert session.history.labels == ("Rotate tangent of arm Rotate X",) and session.clip.tracks[X] is moved
    assert session.preview.clip is None and shown.rests[-1] is False
    assert len(shown.kept) == 1 and shown.kept[0].tracks[X] is before


def test_a_handle_pressed_or_taken_back_changes_nothing(shown):
    session = shown.session
    session.playback.play()
    gesture = drag_handle(shown, 1)
    assert not session.playback.playing
    gesture.move(at(31.0, 1.0))
    assert session.preview.clip is None and shown.rests == [] and gesture.status == ""
    gesture.finish(at(31.0, 1.0))
    assert session.history.labels == () and shown.kept == [] and shown.rests == [False]
    gesture = drag_handle(shown, 1)
    gesture.move(at(60.0, -24.0))
    gesture.move(at(30.0, -24.0))  # back where it was pressed it is a drag still
    assert track(shown).out_slopes[KEY] == pytest.approx(12.0 / 0.1)
    gesture.cancel()
    assert session.preview.clip is None and session.history.labels == () and shown.rests[-1] is False


def test_a_handle_never_goes_past_its_key(shown):
    shown.session.selection.select_keys({})
    for side in (-1, 1):
        gesture = drag_handle(shown, side)
        gesture.move(at(-80.0 * side, -10.0))
        own = "in_slopes" if side < 0 else "out_slopes"
        assert getattr(track(shown), own)[KEY] == pytest.approx(side * 5.0 / (2.0 / 300.0))
        gesture.cancel()


def test_a_broken_key_stays_broken(shown):
    session = shown.session
    broken = set_slopes(session.clip.tracks[X], [KEY], [3.0], [4.0], TangentMode.BROKEN)
    session.edits.put("Broken", session.clip.with_tracks({X: broken}))
    session.selection.select_keys({})
    gesture = drag_handle(shown, 1)
    gesture.move(at(60.0, -24.0))
    moved = track(shown)
    assert (moved.in_slopes[KEY], moved.out_slopes[KEY]) == (3.0, pytest.approx(60.0))
    assert moved.modes[KEY] == TangentMode.BROKEN
    gesture.cancel()


def test_the_other_selected_keys_lean_by_as_much_as_it_looks(shown):
    session = shown.session
    session.selection.select_keys({X: np.array([2, KEY]), MOVE: np.array([1]), TURN: np.array([1])})
    before = session.clip
    gesture = drag_handle(shown, 1)
    gesture.move(at(60.0, -24.0))
    assert gesture.label == "Rotate tangents of 3 keys"
    gesture.finish(at(60.0, -24.0))
    lean = 60.0 - before.tracks[X].out_slopes[KEY]
    after = session.clip
    assert after.tracks[X].out_slopes[KEY] == pytest.approx(60.0)
    assert after.tracks[X].out_slopes[2] == pytest.approx(before.tracks[X].out_slopes[2] + lean)
    assert after.tracks[MOVE].out_slopes[1] == pytest.approx(before.tracks[MOVE].out_slopes[1] + lean / 50.0)
    assert after.tracks[TURN] is before.tracks[TURN]
    assert after.tracks[X].out_slopes[4] == before.tracks[X].out_slopes[4]
    gesture = drag_handle(shown, -1)
    gesture.move(at(-60.0, 7.0, SHIFT))
    assert track(shown).in_slopes[2:4].tolist() == [0.0, 0.0] and track(shown, MOVE).in_slopes[1] == 0.0
    gesture.cancel()
    session.undo()
    session.selection.select_keys({X: np.array([1, 2])})  # the held one is none of them
    gesture = drag_handle(shown, 1)
    gesture.move(at(60.0, -24.0))
    assert gesture.label == "Rotate tangent of arm Rotate X"
    assert track(shown).out_slopes[2] == before.tracks[X].out_slopes[2]
    gesture.cancel()


@pytest.mark.parametrize("side", [-1, 1])
@pytest.mark.parametrize("held", [NONE, ALT])
def test_a_weighted_handle_has_a_length_too(shown, side, held):
    shown.session.selection.select_keys({})
    gap = 8.0 * FRAME  # to the keys on both sides
    gesture = drag_handle(shown, side, weighted=True)
    gesture.move(at(20.0 * side, -4.0, held))
    moved, weight = track(shown), (20.0 / 300.0) / gap
    own, other = (moved.in_weights, moved.out_weights) if side < 0 else (moved.out_weights, moved.in_weights)
    assert own[KEY] == pytest.approx(weight)
    assert other[KEY] == pytest.approx(1.0 / 3.0 if held is ALT else weight)
    gesture.move(at(500.0 * side, -4.0, held))  # at most as far as the next key
    moved = track(shown)
    assert (moved.in_weights if side < 0 else moved.out_weights)[KEY] == pytest.approx(1.0)
    gesture.cancel()


def test_the_outer_handles_of_a_curve_have_no_length(shown):
    shown.session.selection.select_keys({})
    for side, key in ((-1, 0), (1, 7)):
        gesture = drag_handle(shown, side, key=key, weighted=True)
        gesture.move(at(20.0 * side, -4.0))
        moved = track(shown)
        assert moved.in_weights is None or moved.in_weights[key] == pytest.approx(1.0 / 3.0)
        gesture.cancel()
    gesture = drag_handle(shown, 1, key=0, weighted=True)
    gesture.move(at(20.0, -4.0))
    assert track(shown).out_weights[0] == pytest.approx(20.0 / 300.0 / (6.0 * FRAME))
    gesture.cancel()


def test_angles_of_quaternions_have_no_handles(shown):
    gesture = drag_handle(shown, 1, Lane(TURN, 1), key=1)
    gesture.move(at(80.0, -40.0))
    assert shown.session.preview.clip is None
    gesture.finish(at(80.0, -40.0))
    assert shown.session.history.labels == ()


# ---------------------------------------------------------------- catching
def catch(shown, lasso=False):
    found = {X: np.array([5])}
    shown.outlines, shown.pressed = [], []

    def find(points):
        shown.found = list(points)
        return found

    gesture = CatchKeys(shown.session, find, shown.outlines.append, shown.pressed.append, lasso)
    gesture.begin(at(0.0, 0.0))
    return gesture


def test_a_box_has_two_corners_and_a_lasso_all_its_points(shown):
    for lasso in (False, True):
        gesture = catch(shown, lasso)
        gesture.move(at(3.9, 0.0))
        assert shown.outlines == [] and gesture.hint == ""
        gesture.move(at(4.0, 0.0))
        gesture.move(at(2.0, 9.0))
        way = [(100.0, 50.0), (104.0, 50.0), (102.0, 59.0)]
        expected = way if lasso else [way[0], way[2]]
        assert shown.outlines[-1] == expected and gesture.hint.startswith("Release")
        gesture.finish(at(2.0, 9.0))
        assert shown.found == expected and shown.outlines[-1] is None and shown.pressed == []
        assert selected(shown) == {X: [5]}


@pytest.mark.parametrize("held, left", [
    (NONE, [5]), (SHIFT, [2, 3, 5]), (CTRL, [2, 3]), (ALT, [5]), (SHIFT | ALT, [2, 3, 5]),
])  # fmt: skip
def test_what_is_caught_is_selected_added_or_taken_out(shown, held, left):
    if held is CTRL:
        shown.session.selection.select_keys({X: np.array([5])}, Mode.ADD)
    gesture = catch(shown)
    gesture.move(at(40.0, 40.0, held))
    gesture.finish(at(40.0, 40.0, held))
    assert selected(shown) == {X: left}


def test_a_press_without_a_way_is_a_click_on_the_ground_and_escape_selects_nothing(shown):
    gesture = catch(shown)
    gesture.finish(at(1.0, 0.0))
    assert shown.pressed == [at(0.0, 0.0)] and selected(shown) == {X: [2, 3]}
    gesture = catch(shown)
    gesture.move(at(40.0, 40.0))
    gesture.cancel()
    assert shown.outlines[-1] is None and selected(shown) == {X: [2, 3]} and shown.pressed == []


def test_places_on_the_edge_of_a_box_lie_inside_and_a_lasso_may_be_dented():
    xs, ys = (
        np.array([0.0, 10.0, 5.0, -0.1, 10.1, 5.0, 5.0]),
        np.array([0.0, 20.0, 7.0, 5.0, 5.0, -0.1, 20.1]),
    )
    wanted = [True, True, True, False, False, False, False]
    for box in ([(0.0, 0.0), (10.0, 20.0)], [(10.0, 0.0), (0.0, 20.0)], [(10.0, 20.0), (0.0, 0.0)]):
        assert within(box, xs, ys).tolist() == wanted
    dented = [(0.0, 0.0), (10.0, 0.0), (10.0, 10.0), (5.0, 2.0), (0.0, 10.0)]
    xs, ys = np.array([1.0, 9.0, 5.0, 5.0, 2.0, 20.0]), np.array([5.0, 5.0, 5.0, 1.0, 9.5, 5.0])
    assert within(dented, xs, ys).tolist() == [True, True, False, True, False, False]


def test_counts_are_of_keys_of_all_lanes():
    assert key_edits.count({X: np.array([1, 2]), Y: np.array([0])}) == 3

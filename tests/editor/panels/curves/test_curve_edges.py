"""Curve editor without its widget: presses on curves between keys, the result of layers, levels taken over."""

from dataclasses import replace

import numpy as np
import pytest

from core.timing import FrameRate
from core.tracks.keys import scalar_track
from editor.panels.curves import stacks
from editor.panels.curves.stacks import Bundle, Bundles
from editor.panels.curves.view_model import CurvesModel
from editor.tools.curves.lanes import Curve, Lane
from editor.tools.pointer import Button, Modifiers, Pointer
from tests.editor.actions import rich
from tests.editor.panels.curves.curve_stage import TURN, X, Y, Z
from tests.editor.panels.curves.test_curves_without_window import Scene

NO, SHIFT, CTRL = Modifiers.NONE, Modifiers.SHIFT, Modifiers.CTRL


@pytest.fixture
def scene():
    made = Scene()
    made.again()
    yield made
    made.close()


def between(scene: Scene, lane: Lane, time: float) -> tuple[float, float]:
    """The pixel of a curve at a time."""
    level = scene.pointer.value_at(scene.lanes.curve(lane), time)
    return scene.view.axis.x(time), scene.view.values.y(scene.view.fit_of(lane).on(level))


def click(scene: Scene, place: tuple[float, float], held: Modifiers = NO) -> None:
    scene.pointer.press(Pointer(*place, Button.LEFT, held))
    scene.model.gestures.release(Pointer(*place, Button.LEFT, held))


def alone(scene: Scene, lane: Lane) -> float:
    """A time at which no other curve is near a curve, and no key."""
    for time in np.arange(0.05, 1.95, 0.013):
        x, y = between(scene, lane, time)
        others = [between(scene, Lane(c), time)[1] for c in (X, Y, Z) if Lane(c) != lane]
        others += [between(scene, Lane(TURN, part), time)[1] for part in range(3)]
        if min(abs(y - other) for other in others) > 30.0 and scene.pointer.key_at(x, y) is None:
            return float(time)
    raise AssertionError("the curves lie too near to each other")


def test_a_click_on_a_curve_chooses_it_and_beside_all_none(scene) -> None:
    first, second = (
        between(scene, Lane(X), alone(scene, Lane(X))),
        between(scene, Lane(Y), alone(scene, Lane(Y))),
    )
    click(scene, first)
    assert scene.lanes.chosen == {Lane(X)}
    click(scene, second)
    assert scene.lanes.chosen == {Lane(Y)}
    click(scene, first, SHIFT)
    assert scene.lanes.chosen == {Lane(X), Lane(Y)}
    click(scene, second, SHIFT)
    assert scene.lanes.chosen == {Lane(X)}
    scene.session.selection.select_keys({X: np.array([1])})
    click(scene, (400.0, 2.0), SHIFT)
    assert scene.lanes.chosen == {Lane(X)} and scene.session.selection.keys
    click(scene, (400.0, 2.0))
    assert scene.lanes.chosen == frozenset() and not scene.session.selection.keys


def test_a_click_with_ctrl_puts_a_key_on_the_curve(scene) -> None:
    time = alone(scene, Lane(X))
    count = len(scene.session.clip.tracks[X])
    x, y = between(scene, Lane(X), time)
    click(scene, (x, y + 9.0), CTRL)
    track = scene.session.clip.tracks[X]
    snapped = scene.session.clip.rate.snap(time)
    assert len(track) == count + 1 and np.abs(track.times - snapped).min() < 1e-9
    assert scene.session.history.undo_label == "Add key on arm Rotate X"
    click(scene, (400.0, 2.0), CTRL)
    assert scene.said[-1] == "No curve here" and len(scene.session.clip.tracks[X]) == count + 1


def test_the_nearest_curve_within_reach_is_found_a_bright_one_first(scene) -> None:
    time = alone(scene, Lane(X))
    x, y = between(scene, Lane(X), time)
    assert scene.pointer.lane_at(x, y) == Lane(X) and scene.pointer.lane_at(x, y, 0.5) == Lane(X)
    found = [off for off in np.arange(0.0, 30.0, 0.5) if scene.pointer.lane_at(x, y + off) == Lane(X)]
    assert found == list(np.arange(0.0, len(found) * 0.5, 0.5)) and 3.0 <= found[-1] <= 25.0
    scene.lanes.set_flag("chosen", [Lane(X)])
    brighter = [off for off in np.arange(0.0, 30.0, 0.5) if scene.pointer.lane_at(x, y + off) == Lane(X)]
    assert len(brighter) >= len(found)


def test_a_handle_beside_its_key_comes_before_the_key_and_one_on_it_after(scene) -> None:
    scene.again({X: np.array([2])})
    for handle in scene.view.handles():
        gesture = scene.pointer.press(Pointer(*handle.place, Button.LEFT))
        assert type(gesture).__name__ == "DragHandle"
        scene.model.gestures.cancel()
        gesture = scene.pointer.press(Pointer(*handle.key_place, Button.LEFT))
        assert type(gesture).__name__ == "DragCurveKeys"
        scene.model.gestures.cancel()
    assert scene.pointer._far(Pointer(3.0, 4.0), (0.0, 8.0)) == 5.0


def test_a_clip_of_another_rate_is_shown_in_its_frames(scene) -> None:
    scene.session.edits.put("rate", replace(scene.session.clip, rate=FrameRate.of(24)))
    assert scene.view.axis.rate == FrameRate.of(24)


def test_a_view_in_which_the_curves_are_in_sight_stays(scene) -> None:
    """Coming back to the panel fits the values only where they are out of sight, or tiny; never in a drag."""
    axis, fitted = scene.axes
    wider = fitted.zoomed(0.8, 200.0)
    tiny, beside = fitted.zoomed(0.05, 200.0), fitted.panned(150.0)
    for values, stays in ((wider, True), (fitted, True), (tiny, False), (beside, False)):
        for still in (False, True):
            scene.view.set_axes(axis, values)
            scene.view.rest(still)
            scene.view.come_into_sight()
            assert (scene.view.values == values) == (stays or still)
            scene.view.rest(False)
    scene.view.set_axes(axis, tiny)
    scene.view.resize(40.0, 400.0)
    before = scene.view.values
    scene.view.come_into_sight()
    assert scene.view.values == before


def test_the_result_of_layers_is_shown_and_not_edited() -> None:
    session, _ = rich.at_stage("layer")
    model = CurvesModel(session)
    model.view.resize(600.0, 300.0)
    said: list[str] = []
    session.messages.posted.connect(lambda message: said.append(message.text))
    for bones in ((), ("hand_l",)):
        session.selection.select(bones)
        session.evaluator.layers.result = False
        own = model.lanes.clip
        session.evaluator.layers.result = True
        result = model.lanes.result
        assert result is not None and model.lanes.clip is result and result is not own
        assert model.lanes.result is result and model.lanes.selected_keys() == {}
        lane = model.lanes.all()[0]
        assert model.lanes.in_sight({lane.channel: np.array([0])}) == {}
        assert model.pointer.key_at(100.0, 100.0) is None
        assert model.pointer.keys_in([(0.0, 0.0), (600.0, 0.0), (600.0, 300.0)]) == {}
        assert not model.pointer.insert_at(300.0, lane)
        assert said[-1] == "The result of all layers cannot be edited"
    session.evaluator.layers.result = False
    assert model.lanes.result is None
    model.close()
    session.close()


# ------------------------------------------------------------ stacks
def curve(lane: Lane, values: np.ndarray, times: np.ndarray) -> Curve:
    track = scalar_track(times, values)
    return Curve(lane, track, track.values)


def frames(count: int, shift: float = 0.0) -> np.ndarray:
    """Times that curves share: they are not copied."""
    times = np.arange(count) / 30.0 + shift
    times.flags.writeable = False
    return times


def levels(bundle: Bundle) -> list[np.ndarray]:
    return [side for number in range(3) for side in bundle.level(number)]


@pytest.mark.parametrize("shift", [0.0, 0.25])
@pytest.mark.parametrize(
    ("which", "first", "last"),
    [
        ("none", 0, 0),
        ("one", 17, 18),
        ("both", 40, 47),
        ("other end", 63, 64),
        ("start", 0, 1),
        ("most", 5, 60),
        ("all", 0, 64),
    ],
)
def test_levels_are_taken_over_but_where_keys_have_changed(which, first, last, shift) -> None:
    """As made anew, whichever keys have changed, and where the keys were moved in time."""
    times = frames(64)
    rng = np.random.default_rng(7)
    rows = [rng.normal(size=64) for _ in range(3)]
    kept = Bundles()
    before = [curve(Lane(c), row, times) for c, row in zip((X, Y, Z), rows, strict=True)]
    ((bundle, _),) = kept.of(before)
    levels(bundle)
    changed = [np.array(row) for row in rows]
    for number in {"one": (1,), "none": ()}.get(which, (0, 2)):
        changed[number][first:last] += 5.0
    moved = frames(64, shift) if shift else times
    now = [
        old if which == "one" and number != 1 and not shift else curve(old.lane, row, moved)
        for number, (old, row) in enumerate(zip(before, changed, strict=True))
    ]
    for bundle, numbers in kept.of(now):
        members = [now[n] for n in numbers]
        for mine, wanted in zip(levels(bundle), levels(Bundle(members)), strict=True):
            assert np.array_equal(mine, wanted)


def test_curves_with_another_number_of_keys_are_stacked_anew() -> None:
    kept = Bundles()
    long, short = frames(32), frames(20)
    ((first, _),) = kept.of([curve(Lane(X), np.sin(long), long)])
    levels(first)
    made = curve(Lane(X), np.cos(short), short)
    ((second, _),) = kept.of([made])
    for mine, wanted in zip(levels(second), levels(Bundle([made])), strict=True):
        assert np.array_equal(mine, wanted)
    two = [curve(Lane(X), np.cos(short), short), curve(Lane(Y), np.sin(short), short)]
    groups = kept.of(two)
    assert sorted(n for _, numbers in groups for n in numbers) == [0, 1]


@pytest.mark.parametrize("count", [1, 2, 5, 8])
def test_the_keys_that_have_changed_are_found_in_whichever_curves(count) -> None:
    """Against each pair of curves looked through key by key; more than half of the keys are all of them."""
    rng = np.random.default_rng(count)
    for _ in range(60):
        before = [np.arange(float(count)) + 10.0 * row for row in range(4)]
        now, differ = [], set()
        for row in before:
            kind = rng.integers(3)  # the same object, an equal one, one that differs
            made = row if kind == 0 else row.copy()
            for key in rng.integers(0, count, rng.integers(1, 3)) if kind == 2 else ():
                made[key] += 1.0
                differ.add(int(key))
            now.append(made)
        start, end = stacks._changed(before, now)
        wanted = (min(differ), max(differ) + 1) if differ else (0, 0)
        if wanted[1] - wanted[0] > count * 0.5:
            wanted = 0, count
        assert (start, end) == wanted if differ else start == end
    long = np.arange(count + 1.0)
    assert stacks._changed([before[0], long], [before[0], before[1]]) == (0, count)

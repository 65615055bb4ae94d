"""The run's rows without their widget: places, what is under the pointer, drags, the wheel, changes of state."""

from types import SimpleNamespace

import pytest

from editor.model.events import Event
from editor.model.graph_run.lanes import Bar, Lane, LaneKind, Mark
from editor.panels.graph_run.view_model import GAP, HEIGHTS, LABELS, RULER, Drag, Part, RunModel

STATES = Lane(
    LaneKind.STATES,
    "moves",
    "moves",
    "n-1",
    bars=[Bar(0.0, 1.0, "idle", "n-2"), Bar(1.0, 3.0, "walk", "n-3")],
)
HITS = Lane(LaneKind.EVENTS, "hits", "hits", "n-4", marks=[Mark(0.5, "hit", "n-5"), Mark(2.0, "hurt", "")])
SPEED = Lane(LaneKind.INPUT, "speed", "speed", "", times=[0.0, 1.0, 2.0], values=[0.0, 2.0, 4.0])
STILL = Lane(LaneKind.INPUT, "still", "still", "", times=[0.0], values=[1.0])
QUIET = Lane(LaneKind.NOTIFIES, "quiet", "quiet", "")


class Run:
    """A recorded run of three seconds: idle, walk from step 3 on, idle again at step 7."""

    def __init__(self) -> None:
        lanes = (SPEED, STILL, STATES, QUIET, HITS)
        book = SimpleNamespace(lanes=lanes, named=lambda key: next((x for x in lanes if x.key == key), None))
        self.deck = SimpleNamespace(book=book, comparison=None)
        active = ["idle"] * 2 + ["walk"] * 4 + ["idle"] * 2
        samples = [SimpleNamespace(active={"moves": name}) for name in active]
        self.take = SimpleNamespace(samples=samples, at=1, length=3.0)
        self.replay = SimpleNamespace(span=None, set_span=self.set_span)
        self.node_chosen: Event[str] = Event()
        self.nodes: list[str] = []
        self.node_chosen.connect(self.nodes.append)
        self.seeks: list[float] = []
        self.seek = self.seeks.append
        self.running, self.time = False, 0.0

    def set_span(self, span) -> None:
        self.replay.span = span

    def goto(self, at: int) -> None:
        self.take.at = at


@pytest.fixture
def run() -> Run:
    return Run()


@pytest.fixture
def model(run) -> RunModel:
    made = RunModel(run)
    made.resize(LABELS + 600.0, 200.0)
    return made


def middle(model, row) -> float:
    return model.y(row) + row.height / 2.0


def test_a_little_of_the_time_before_the_start_is_in_sight(model):
    assert LABELS < model.x(0.0) < LABELS + 30.0
    assert model.time(model.x(1.25)) == pytest.approx(1.25)


def test_lanes_in_which_nothing_has_happened_take_no_room(model):
    rows = model.rows()
    assert [row.lane.key for row in rows] == ["speed", "moves", "hits"]
    tops, top = [], 0.0
    for row in rows:
        tops.append(top)
        assert row.height == row.whole == HEIGHTS[row.lane.kind]
        top += row.height + GAP
    assert [row.top for row in rows] == tops and model.content() == top - GAP


def test_the_run_before_is_drawn_below_and_its_items_are_under_the_pointer_there(model, run):
    old = Lane(LaneKind.STATES, "moves", "moves", "n-1", bars=[Bar(0.0, 3.0, "fall", "n-9")])
    run.deck.comparison = SimpleNamespace(
        book=SimpleNamespace(named=lambda key: old if key == "moves" else None)
    )
    row = model.rows()[1]
    assert (
        row.old is old and row.whole == 2.0 * row.height and model.rows()[2].top == row.top + row.whole + GAP
    )
    x = model.x(2.0)
    here, there = model.at(x, model.y(row) + row.height - 1.0), model.at(x, model.y(row) + row.height)
    assert (here.item.text, here.old, here.node) == ("walk", False, "n-3")
    assert (there.item.text, there.old, there.node) == ("fall", True, "n-9")
    assert model.hint(there) == "moves · fall · 0.00 – 3.00 s"


def test_what_is_under_the_pointer(model):
    speed, states, hits = model.rows()
    assert model.at(model.x(1.0), RULER - 1.0).part is Part.RULER
    assert model.at(model.x(1.0), RULER).part is Part.LANE
    found = model.at(LABELS - 1.0, middle(model, states))
    assert found.part is Part.LABEL and found.node == "n-1" and found.time == 0.0
    assert model.at(model.x(1.0), 190.0).part is Part.NOTHING
    near = model.x(0.5) + 3.9
    assert model.at(near, middle(model, hits)).node == "n-5"
    assert model.at(near + 0.3, middle(model, hits)).item is None
    assert model.at(model.x(2.0), middle(model, hits)).node == "n-4"  # the mark is of no node: the lane's
    assert model.hint(model.at(model.x(1.5), middle(model, speed))).startswith("speed · ")
    assert model.hint(model.at(model.x(1.5), middle(model, states))) == "moves · walk · 1.00 – 3.00 s"
    assert model.hint(model.at(0.0, 0.0)) == ""


def test_a_press_scrubs_and_points_at_what_is_there(model, run):
    _, states, _ = model.rows()
    model.follow = False
    model.press(model.x(1.5), middle(model, states))
    assert model.dragging is Drag.SCRUB and run.nodes == ["n-3"] and model.follow
    model.move(model.x(2.5), 0.0)
    model.move(model.x(-0.05), 0.0)
    assert run.seeks == [pytest.approx(1.5), pytest.approx(2.5), 0.0]
    model.release()
    model.move(model.x(2.0), 0.0)
    assert len(run.seeks) == 3 and model.dragging is None
    model.press(LABELS - 5.0, middle(model, states))
    assert run.nodes == ["n-3", "n-1"] and model.dragging is None and len(run.seeks) == 3


def test_shift_chooses_a_span_within_the_take_and_escape_drops_it(model, run):
    run.replay.span = (0.0, 1.0)
    model.press(model.x(1.0), 100.0, shift=True)
    assert run.replay.span is None and run.seeks == []
    model.move(model.x(1.0) + 2.0, 100.5)
    assert run.replay.span is None  # no drag yet
    model.move(model.x(2.0), 100.0)
    assert run.replay.span == pytest.approx((1.0, 2.0))
    model.move(model.x(1.0) + 1.0, 100.0)
    assert run.replay.span[1] == pytest.approx(1.0, abs=0.02)  # once moved, also a short one
    model.move(model.x(9.0), 100.0)
    assert run.replay.span == pytest.approx((1.0, 3.0))
    model.move(LABELS - 90.0, 100.0)
    assert run.replay.span == pytest.approx((1.0, 0.0))
    model.cancel()
    assert run.replay.span is None and model.dragging is None
    run.replay.span = (0.0, 1.0)
    model.press(model.x(1.0), 100.0)
    model.cancel()
    assert run.replay.span == (0.0, 1.0)


def test_the_middle_button_drags_the_view(model, run):
    model.resize(LABELS + 600.0, 60.0)
    x, told = model.x(1.0), []
    model.changed.connect(told.append)
    model.press(300.0, 50.0, middle=True)
    model.move(330.0, 40.0)
    assert len(told) == 1
    model.move(340.0, 40.0)
    assert model.x(1.0) == pytest.approx(x + 40.0) and model.scroll == 10.0 and run.seeks == []


def test_the_wheel_zooms_at_the_pointer_pans_with_shift_and_scrolls_with_alt(model):
    model.resize(LABELS + 600.0, 60.0)
    told = []
    model.changed.connect(told.append)
    x, scale = LABELS + 200.0, model.axis.scale
    time = model.time(x)
    model.wheel(x, 1.0)
    assert model.time(x) == pytest.approx(time) and model.axis.scale == pytest.approx(1.2 * scale)
    model.wheel(x, -1.0)
    place = model.x(1.0)
    model.wheel(x, 1.0, shift=True)
    assert abs(model.x(1.0) - place) == pytest.approx(80.0) and model.axis.scale == pytest.approx(scale)
    model.wheel(x, -1.0, shift=True)
    for where, alt in ((x, True), (LABELS - 5.0, False)):
        model.wheel(where, -0.2, alt=alt)
        assert model.scroll == pytest.approx(8.0) and model.axis.scale == pytest.approx(scale)
        model.wheel(where, -9.0, alt=alt)
        assert model.scroll == model.content() - (60.0 - RULER)
        top, height = model.bar()
        assert top + height == pytest.approx(60.0)
        model.wheel(where, 50.0, alt=alt)
        assert model.scroll == 0.0 and model.bar()[0] == RULER
    assert len(told) == 10
    model.resize(LABELS + 600.0, 400.0)
    assert model.bar() is None


def test_all_that_is_recorded_or_the_chosen_span_is_fitted(model, run):
    for span, (low, high) in ((None, (0.0, 3.0)), ((1.0, 1.5), (1.0, 1.5))):
        run.replay.span = span
        model.fit()
        assert LABELS < model.x(low) < LABELS + 120.0 and LABELS + 480.0 < model.x(high) < LABELS + 600.0


@pytest.mark.parametrize("by, at, goes", [
    (1, 1, [3, 7, 8, 8]), (1, 3, [7, 8]), (-1, 8, [7, 3, 1, 1]), (-1, 7, [3]), (-1, 3, [1]),
])  # fmt: skip
def test_changes_of_state_are_stepped_through_to_the_ends(model, run, by, at, goes):
    run.take.at = at
    seen = []
    for _ in goes:
        model.step_change(by)
        seen.append(run.take.at)
    assert seen == goes
    run.take = None
    model.step_change(by)


def test_the_playhead_stays_in_sight_while_the_run_goes_on_unless_it_is_dragged(model, run):
    run.running, run.time = True, 500.0
    model.press(model.x(1.0), 100.0)
    model.followed()
    assert model.x(500.0) > LABELS + 600.0
    model.release()
    model.follow = False
    model.followed()
    assert model.x(500.0) > LABELS + 600.0
    model.follow = True
    model.followed()
    assert LABELS < model.x(500.0) <= LABELS + 600.0


def test_a_pointer_that_moves_before_any_press_does_nothing(run, model) -> None:
    axis = model.axis
    model.move(300.0, 90.0)
    model.release()
    model.cancel()
    assert model.dragging is None and model.axis == axis

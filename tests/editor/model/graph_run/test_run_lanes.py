"""Lanes of a run from steps of plain numbers: bars, marks and curves, how they grow, and how they are cut."""

from types import SimpleNamespace

import numpy as np
import pytest

from core.graph.events import Event, EventKind
from core.graph.graph import Role, Variable
from core.graph.language.values import Kind
from core.graph.peek import Running
from editor.model.graph_run import lanes as module
from editor.model.graph_run.lanes import Bar, Lane, LaneBook, LaneKind, Mark, WatchedPin, first_difference


def lane(**more: object) -> Lane:
    return Lane(LaneKind.STATES, "key", "title", **more)


def bars(lane: Lane) -> list[tuple]:
    return [(bar.start, bar.end, bar.text, bar.node, bar.open) for bar in lane.bars]


# ---------------------------------------------------------------- one lane
def test_a_name_that_goes_on_is_one_bar() -> None:
    made = lane()
    made.hold(0.0, 1.0, "a", "n1")
    made.hold(1.0, 2.0, "a", "n1")
    made.hold(2.0, 3.0, "a", "n2")
    made.hold(3.0, 4.0, "b", "n2")
    assert bars(made) == [
        (0.0, 2.0, "a", "n1", False), (2.0, 3.0, "a", "n2", False), (3.0, 4.0, "b", "n2", True),
    ]  # fmt: skip
    made.bars[-1].open = False
    made.hold(4.0, 5.0, "b", "n2")
    assert bars(made)[-2:] == [(3.0, 4.0, "b", "n2", False), (4.0, 5.0, "b", "n2", True)]


def test_a_curve_notes_what_differs_and_its_bounds() -> None:
    made = lane()
    for time, value in ((0.0, 0.5), (1.0, 0.5), (2.0, -2.0), (3.0, 0.5), (4.0, 3.0)):
        made.curve(time, value)
    assert made.times == [0.0, 2.0, 3.0, 4.0] and made.values == [0.5, -2.0, 0.5, 3.0]
    assert (made.low, made.high) == (-2.0, 3.0)
    calm = lane(low=0.25, high=0.75)
    calm.curve(0.0, 0.5)
    assert (calm.low, calm.high) == (0.25, 0.75)


@pytest.mark.parametrize(
    ("time", "value"),
    [(0.9, None), (1.0 - 2e-9, None), (1.0 - 1e-10, 5.0), (1.0, 5.0), (1.9, 5.0), (2.0, 6.0), (99.0, 6.0)],
)
def test_a_curve_holds_its_value_until_the_next(time, value) -> None:
    assert lane(times=[1.0, 2.0], values=[5.0, 6.0]).value_at(time) == value


@pytest.mark.parametrize(
    ("time", "text"), [(0.5, None), (1.0, "a"), (2.0, "b"), (2.5, "b"), (2.9, "a"), (4.0, "a"), (4.1, None)]
)
def test_of_bars_above_each_other_the_last_that_holds_the_time_is_found(time, text) -> None:
    made = lane(bars=[Bar(1.0, 4.0, "a"), Bar(2.0, 2.5, "b"), Bar(6.0, 7.0, "c")])
    found = made.bar_at(time)
    assert (None if found is None else found.text) == text


def test_a_cut_drops_what_begins_there_or_later() -> None:
    made = lane(
        bars=[Bar(0.0, 1.0, "over", open=False), Bar(0.5, 2.0, "up to it", open=False), Bar(1.0, 3.0, "beyond"),
              Bar(2.0, 3.0, "then"), Bar(2.5, 3.0, "later")],
        marks=[Mark(1.0, "a"), Mark(2.0, "b"), Mark(2.0 + 1e-10, "c"), Mark(2.1, "d")],
        times=[0.0, 1.0, 2.0, 2.5], values=[1.0, 2.0, 3.0, 4.0],
    )  # fmt: skip
    made.cut(2.0)
    assert bars(made) == [
        (0.0, 1.0, "over", "", False), (0.5, 2.0, "up to it", "", True), (1.0, 2.0, "beyond", "", True),
    ]  # fmt: skip
    assert [mark.text for mark in made.marks] == ["a", "b", "c"]
    assert (made.times, made.values) == ([0.0, 1.0], [1.0, 2.0])


def test_a_cut_at_the_start_keeps_the_first_value() -> None:
    made = lane(bars=[Bar(0.0, 1.0, "a")], times=[0.0, 1.0], values=[1.0, 2.0])
    made.cut(0.0)
    assert made.bars == [] and (made.times, made.values) == ([0.0], [1.0])


# ---------------------------------------------------------------- a book
STEP = 0.25
STATES = [SimpleNamespace(node=f"state-{n}", name=n, root=k) for k, n in enumerate("ab")]
ARROWS = [
    SimpleNamespace(node="ab", name="a -> b", source=0),
    SimpleNamespace(node="ba", name="b -> a", source=1),
]


def place(kind: Kind, register: int) -> SimpleNamespace:
    width = 3 if kind is Kind.VECTOR else 1
    return SimpleNamespace(register=register, type=SimpleNamespace(kind=kind, width=width, enum="modes"))


VARIABLES = (
    (Variable("speed", maximum=4.0, minimum=-1.0), place(Kind.FLOAT, 0)),
    (Variable("wide"), place(Kind.FLOAT, 1)),
    (Variable("count", Kind.INT, (2.0,), 2.0, 7.0), place(Kind.INT, 2)),
    (Variable("on", Kind.BOOL, maximum=1.0, minimum=0.0), place(Kind.BOOL, 3)),
    (Variable("jump", Kind.BOOL, maximum=1.0, minimum=0.0, role=Role.TRIGGER), place(Kind.BOOL, 4)),
    (Variable("aim", Kind.VECTOR, (0.0, 0.0, 0.0), -1.0, 1.0), place(Kind.VECTOR, 5)),
    (Variable("mode", Kind.ENUM, maximum=1.0, minimum=0.0, enum="modes"), place(Kind.ENUM, 8)),
    (Variable("own", role=Role.OWN), place(Kind.FLOAT, 9)),
)


class Take:
    """Steps of a quarter of a second on a plan with one machine."""

    def __init__(self, name: str = "moves") -> None:
        self.machine = SimpleNamespace(node="machine", name=name, states=STATES, transitions=ARROWS, number=2)
        graph = SimpleNamespace(enums={"modes": ("low", "high")})
        ops = [SimpleNamespace(node="clip", number=0), SimpleNamespace(node="machine", number=2)]
        pins = {("node", "x"): SimpleNamespace(register=0)}
        self.plan = SimpleNamespace(
            variables=VARIABLES, graph=graph, names=(), ops=ops, pins=pins, machine=self.machine
        )
        self.samples: list[SimpleNamespace] = []

    @property
    def length(self) -> float:
        return self.samples[-1].end if self.samples else 0.0

    def add(
        self, active=0, running=(), montages=(), events=(), pose=0, weights=(1.0, 0.5, 0.25), **values
    ) -> None:
        numbers = np.zeros(10, np.float32)
        for variable, at in VARIABLES:
            value = np.atleast_1d(np.asarray(values.get(variable.name, 0.0), np.float32))
            numbers[at.register : at.register + len(value)] = value
        self.samples.append(
            SimpleNamespace(
                dt=STEP, end=self.length + STEP, active=(active,), running=(tuple(Running(n, 0.5) for n in running),),
                montages=[SimpleNamespace(name=n, section=s) for n, s in montages], events=tuple(events),
                values=numbers, weights=np.asarray(weights), pose=pose,
            )
        )  # fmt: skip


@pytest.fixture
def take(monkeypatch) -> Take:
    monkeypatch.setattr(module, "machines", lambda plan: (plan.machine,))
    return Take()


def event(name: str, kind: EventKind, moment: float = 0.0, node: str = "n") -> Event:
    return Event(name, kind, moment, 1.0, node)


def grown(take: Take, watched=()) -> LaneBook:
    book = LaneBook(take, watched)
    book.grow()
    return book


def test_there_is_a_lane_for_each_input_machine_and_kind_of_event(take) -> None:
    book = LaneBook(take)
    assert [(lane.kind.value, lane.key, lane.title, lane.node) for lane in book.lanes] == [
        *(("input", f"input.{v.name}", v.name, "") for v, _ in VARIABLES if v.name != "own"),
        ("states", "states.machine", "moves", "machine"),
        ("transitions", "blends.machine", "moves: transitions", "machine"),
        ("notifies", "notifies", "Notifies", ""), ("events", "events", "Events", ""),
    ]  # fmt: skip
    bounds = {lane.title: (lane.low, lane.high) for lane in book.lanes}
    assert bounds["speed"] == (-1.0, 4.0) and bounds["count"] == (2.0, 7.0)
    assert bounds["wide"] == bounds["aim"] == (0.0, 1.0), "without bounds it grows with its values"
    assert book.named("input.speed") is book.lanes[0] and book.named("input.own") is None


def test_a_machine_without_a_name_is_called_a_machine(monkeypatch) -> None:
    monkeypatch.setattr(module, "machines", lambda plan: (plan.machine,))
    titles = [lane.title for lane in LaneBook(Take("")).lanes]
    assert "machine" in titles and "machine: transitions" in titles


def test_inputs_are_curves_or_bars_by_their_kind(take) -> None:
    take.add(speed=1.0, count=3.0, mode=0.0, aim=(3.0, 4.0, 0.0))
    take.add(speed=1.0, on=1.0, jump=1.0, mode=1.0, aim=(0.0, 3.0, 4.0))
    take.add(speed=2.0, on=1.0, mode=1.0, aim=(0.0, 0.0, 1.0))
    take.add(speed=2.0, on=0.0)
    take.add(on=1.0, jump=1.0)
    book = grown(take)
    named = {lane.title: lane for lane in book.lanes}
    assert (named["speed"].times, named["speed"].values) == ([0.0, 0.5, 1.0], [1.0, 2.0, 0.0])
    assert (named["count"].times, named["count"].values) == ([0.0, 0.25], [3.0, 0.0])
    assert (named["aim"].times, named["aim"].values) == ([0.0, 0.5, 0.75], [5.0, 1.0, 0.0])
    assert bars(named["on"]) == [(0.25, 0.75, "on", "", False), (1.0, 1.25, "on", "", True)]
    assert bars(named["jump"]) == [(0.25, 0.5, "", "", False), (1.0, 1.25, "", "", True)]
    assert bars(named["mode"]) == [
        (0.0, 0.25, "low", "", False), (0.25, 0.75, "high", "", False), (0.75, 1.25, "low", "", True),
    ]  # fmt: skip


def test_states_and_transitions_that_run_at_once(take) -> None:
    take.add(active=-1)
    take.add(active=0)
    take.add(active=1, running=(0,))
    take.add(active=0, running=(0, 1))
    take.add(active=0, running=(1,))
    take.add(active=0)
    take.add(active=1, running=(0,))
    book = grown(take)
    assert bars(book.named("states.machine")) == [
        (0.25, 0.5, "a", "state-a", False), (0.5, 0.75, "b", "state-b", False),
        (0.75, 1.5, "a", "state-a", False), (1.5, 1.75, "b", "state-b", True),
    ]  # fmt: skip
    assert bars(book.named("blends.machine")) == [
        (0.5, 1.0, "a -> b", "ab", False), (0.75, 1.25, "b -> a", "ba", False),
        (1.5, 1.75, "a -> b", "ab", True),
    ]  # fmt: skip


def test_montages_have_lanes_before_the_notifies_with_bars_by_section(take) -> None:
    take.add(montages=[("wave", "up")])
    take.add(montages=[("wave", "down"), ("nod", "")])
    take.add(montages=[("nod", "")])
    take.add(montages=[("wave", "down")])
    book = grown(take)
    keys = [lane.key for lane in book.lanes]
    assert keys[-4:] == ["montage.wave", "montage.nod", "notifies", "events"]
    assert bars(book.named("montage.wave")) == [
        (0.0, 0.25, "up", "", False), (0.25, 0.5, "down", "", False), (0.75, 1.0, "down", "", True),
    ]  # fmt: skip
    assert bars(book.named("montage.nod")) == [(0.25, 0.75, "", "", False)]


def test_notifies_are_marks_and_spans_at_their_moments(take) -> None:
    take.add(events=[event("step", EventKind.NOTIFY, 0.1), event("swing", EventKind.BEGIN, 0.2)])
    take.add()
    take.add(events=[event("swing", EventKind.BEGIN, 0.05, "other")])
    take.add(events=[event("swing", EventKind.END, 0.125), event("gone", EventKind.END, 0.1)])
    found = grown(take).named("notifies")
    assert [(mark.time, mark.text, mark.node) for mark in found.marks] == [(0.1, "step", "n")]
    assert bars(found) == [(0.2, 0.875, "swing", "n", False), (0.55, 1.0, "swing", "other", True)]


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        (EventKind.CUSTOM, "x"), (EventKind.FINISHED, "x: finished"), (EventKind.MONTAGE_STARTED, "x: montage started"),
        (EventKind.MONTAGE_ENDED, "x: montage ended"), (EventKind.MONTAGE_BLENDING_OUT, "x: blending out"),
        (EventKind.TRANSITION_INTERRUPTED, "x: interrupted"), (EventKind.ENTER, None), (EventKind.TICK, None),
        (EventKind.TRANSITION_START, None), (EventKind.MONTAGE_SECTION, None),
    ],
)  # fmt: skip
def test_other_events_are_marks_with_what_happened(take, kind, text) -> None:
    take.add()
    take.add(events=[event("x", kind, 0.125)])
    book = grown(take)
    assert [(m.time, m.text, m.node) for m in book.named("events").marks] == (
        [] if text is None else [(0.375, text, "n")]
    )
    assert book.named("notifies").marks == [] and book.named("notifies").bars == []


# ---------------------------------------------------------------- what is watched
@pytest.mark.parametrize(
    ("pin", "values"),
    [
        (WatchedPin("node", "x", "value"), [1.0, 2.0]), (WatchedPin("", "wide", "variable"), [7.0, 8.0]),
        (WatchedPin("clip", "", "weight"), [0.5, 0.25]), (WatchedPin("machine", "", "weight"), [0.75, 1.0]),
        (WatchedPin("state-b", "", "weight of its root"), [0.0, 0.125]),
    ],
)  # fmt: skip
def test_a_value_or_weight_is_plotted_from_the_start(take, pin, values) -> None:
    take.add(speed=1.0, wide=7.0, weights=(0.5, 0.0, 0.75))
    take.add(speed=2.0, wide=8.0, weights=(0.25, 0.125, 1.0))
    for book in (grown(take, [pin]), grown(take)):
        book.watch([pin])
        found = book.lanes[-1]
        assert (found.kind, found.key) == (LaneKind.WATCH, f"watch.{pin.node}.{pin.pin}")
        assert (found.title, found.node) == (pin.title, pin.node)
        assert (found.times, found.values) == ([0.0, 0.25], values)
        book.watch([])
        assert book.named(found.key) is None


@pytest.mark.parametrize("pin", [("node", "y"), ("gone", ""), ("", "gone")])
def test_what_is_not_there_is_not_plotted(take, pin) -> None:
    book = grown(take, [WatchedPin(*pin, "title")])
    assert all(lane.kind is not LaneKind.WATCH for lane in book.lanes)


# ---------------------------------------------------------------- growing and cutting
def test_a_book_grows_by_what_is_new(take) -> None:
    take.add(speed=1.0)
    book = grown(take, [WatchedPin("node", "x", "speed")])
    take.add(speed=2.0, events=[event("step", EventKind.NOTIFY)])
    book.grow()
    book.grow()
    assert book.named("input.speed").values == book.lanes[-1].values == [1.0, 2.0]
    assert len(book.named("notifies").marks) == 1


def test_a_take_that_was_cut_cuts_its_lanes(take) -> None:
    for value in (1.0, 2.0, 3.0):
        take.add(speed=value, events=[event("step", EventKind.NOTIFY, 0.125)])
    book = grown(take)
    del take.samples[1:]
    book.grow()
    assert book.named("input.speed").values == [1.0] and len(book.named("notifies").marks) == 1
    assert bars(book.named("states.machine")) == [(0.0, 0.25, "a", "state-a", True)]
    take.add(speed=5.0)
    book.grow()
    assert book.named("input.speed").values == [1.0, 5.0]


@pytest.mark.parametrize(
    ("number", "values"), [(0, [1.0]), (1, [1.0]), (2, [1.0, 2.0]), (3, [1.0, 2.0, 3.0])]
)
def test_a_book_is_cut_to_so_many_steps(take, number, values) -> None:
    for value in (1.0, 2.0, 3.0):
        take.add(speed=value)
    book = grown(take)
    book.cut(number)
    assert book.named("input.speed").values == values
    assert [bar.end for bar in book.named("states.machine").bars] == ([number * STEP] if number else [])
    book.grow()
    assert book.named("input.speed").values == [1.0, 2.0, 3.0]


# ---------------------------------------------------------------- what differs
@pytest.mark.parametrize(
    ("change", "found"),
    [
        ({}, None), ({"active": 1}, (1, "states")), ({"events": [event("b", EventKind.NOTIFY)]}, (1, "events")),
        ({"events": [event("a", EventKind.NOTIFY, 1e-8)]}, (1, "events")),
        ({"events": [event("a", EventKind.NOTIFY, 1e-10)]}, None),
        ({"events": [event("a", EventKind.END)]}, (1, "events")),
        ({"pose": 1}, (1, "pose")), ({"active": 1, "pose": 1}, (1, "states")),
        ({"events": [], "pose": 1}, (1, "events")), ({"active": -1}, (1, "states")),
    ],
)  # fmt: skip
def test_the_first_step_that_differs_and_in_what(take, change, found) -> None:
    other, usual = Take(), {"events": [event("a", EventKind.NOTIFY)]}
    for number in range(3):
        take.add(**usual)
        other.add(**(usual | change if number == 1 else usual))
    other.add(pose=9)  # a step more is no difference
    assert first_difference(take, other) == first_difference(other, take) == found


def test_a_machine_of_another_name_differs(take) -> None:
    other = Take("acts")
    take.add()
    other.add()
    assert first_difference(take, other) == (0, "states")

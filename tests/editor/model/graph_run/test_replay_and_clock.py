"""Playing what is recorded, marks, the clock of a run, and break points: with takes of plain numbers."""

from types import SimpleNamespace

import pytest

from core.graph.events import Event, EventKind
from core.graph.peek import Running
from editor.model.graph_run import breaks as breaking
from editor.model.graph_run.breaks import ZERO, BreakPoints
from editor.model.graph_run.clock import LONGEST_LOOK, SPEEDS, STEP, Clock
from editor.model.graph_run.replay import Replay

H = 1.0 / 64.0


class Take:
    """A hundred steps of a sixty-fourth of a second; it goes to whole steps."""

    length = 100 * H

    def __init__(self) -> None:
        self.at = 1

    @property
    def time(self) -> float:
        return self.at * H

    def number_at(self, time: float) -> int:
        return min(max(int(time / H + 1e-9), 1), 100)

    def goto(self, number: int) -> None:
        self.at = number


@pytest.fixture
def take() -> Take:
    return Take()


@pytest.fixture
def replay() -> Replay:
    made = Replay()
    made.told = []
    made.changed.connect(lambda _: made.told.append(1))
    return made


# ---------------------------------------------------------------- replay
def test_it_goes_on_by_parts_of_steps(replay, take) -> None:
    take.at = 10
    found = [(replay.advance(take, 0.4 * H), take.at) for _ in range(6)]
    assert found == [(True, 10), (True, 10), (True, 11), (True, 11), (True, 12), (True, 12)]


def test_it_goes_on_from_where_somebody_went_meanwhile(replay, take) -> None:
    take.at = 10
    replay.advance(take, 0.9 * H)
    take.at = 50
    replay.advance(take, 0.9 * H)
    assert take.at == 50
    replay.advance(take, 0.2 * H)
    assert take.at == 51


def test_it_ends_at_the_end(replay, take) -> None:
    take.at = 98
    assert replay.advance(take, H) and take.at == 99
    assert not replay.advance(take, H) and take.at == 100
    take.at = 98
    assert not replay.advance(take, 50.0 * H) and take.at == 100


def test_a_span_begins_again_with_what_was_over(replay, take) -> None:
    replay.set_span((20 * H, 30 * H))
    take.at = 28
    assert replay.advance(take, H) and take.at == 29
    assert replay.advance(take, H) and take.at == 20, "its end is its beginning"
    take.at = 28
    assert replay.advance(take, 5.5 * H) and take.at == 23
    assert replay.advance(take, 24.0 * H) and take.at == 27, "over the end more than once"


def test_a_span_that_is_not_recorded_whole_is_not_played_over(replay, take) -> None:
    replay.set_span((90 * H, 101 * H))
    assert not replay.loops(take)
    take.at = 99
    assert not replay.advance(take, H) and take.at == 100
    replay.set_span((90 * H, 100 * H))
    assert replay.loops(take)
    replay.set_span(None)
    assert not replay.loops(take)


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ((0.5, 0.25), (0.25, 0.5)), ((-1.0, 0.5), (0.0, 0.5)), ((-2.0, -1.0), None), ((0.5, 0.5), None),
        ((0.5, 0.5 + 0.51 * STEP), (0.5, 0.5 + 0.51 * STEP)), ((0.5, 0.5 + 0.49 * STEP), None), (None, None),
    ],
)  # fmt: skip
def test_a_span_is_kept_in_order_and_where_it_is_half_a_step_long(replay, given, kept) -> None:
    replay.set_span(given)
    assert replay.span == kept and len(replay.told) == int(kept is not None)
    replay.set_span(given)
    assert len(replay.told) == int(kept is not None)


def test_a_mark_is_set_in_order_and_taken_away_where_one_is_near(replay) -> None:
    replay.mark(2.0)
    replay.mark(1.0)
    assert replay.marks == (1.0, 2.0) and len(replay.told) == 2
    replay.mark(1.0 + 0.51 * STEP)
    assert len(replay.marks) == 3
    replay.mark(2.0 - 0.49 * STEP)
    assert replay.marks == (1.0, 1.0 + 0.51 * STEP) and len(replay.told) == 4
    replay.mark(1.0 + 0.25 * STEP)
    assert replay.marks == (), "both were near"


def test_another_recording_has_neither_span_nor_marks(replay) -> None:
    replay.mark(1.0)
    replay.set_span((0.0, 1.0))
    replay.clear()
    assert replay.marks == () and replay.span is None and len(replay.told) == 2


# ---------------------------------------------------------------- the clock
@pytest.mark.parametrize("speed", SPEEDS)
def test_a_step_is_a_sixtieth_and_less_in_slow_motion_alone(speed) -> None:
    clock = Clock()
    clock.speed = speed
    assert clock.dt == pytest.approx(min(speed, 1.0) / 60.0)
    assert clock.passed(3.0) == 0.0
    assert clock.passed(3.05) == pytest.approx(0.05 * speed)
    assert clock.passed(9.0) == pytest.approx(LONGEST_LOOK * speed), "a stall"


def test_what_is_left_of_a_step_counts_at_the_next_look() -> None:
    clock = Clock()
    assert [clock.steps(0.4 * STEP) for _ in range(5)] == [0, 0, 1, 0, 1]
    assert clock.steps(2.5 * STEP) == 2 and clock.steps(0.5 * STEP) == 1
    assert clock.steps((1.0 - 1e-9) * STEP) == 1 and clock.steps(1e-9 * STEP) == 0


def test_a_pause_forgets_what_is_left_and_what_passes() -> None:
    clock = Clock()
    clock.steps(0.9 * STEP)
    clock.passed(1.0)
    clock.pause()
    assert clock.steps(0.2 * STEP) == 0 and clock.passed(1.05) == 0.0


# ---------------------------------------------------------------- break points
class Machine(SimpleNamespace):
    """A machine with three states and a transition between each two."""


MACHINE = Machine(
    states=[SimpleNamespace(node=f"state-{name}", name=name) for name in "abc"],
    transitions=[
        SimpleNamespace(node="go-ab", name="a -> b"),
        SimpleNamespace(node="go-bc", name="b -> c"),
    ],
)
OPS = [
    SimpleNamespace(node="node-0", name="first", number=0),
    SimpleNamespace(node="node-1", name="", number=1),
]


def sample(active=0, running=(), events=(), weights=(1.0, 0.0)) -> SimpleNamespace:
    return SimpleNamespace(
        active=(active,),
        running=(tuple(Running(n, 0.5) for n in running),),
        events=tuple(events),
        weights=weights,
    )


def event(name: str, kind: EventKind, node: str = "node") -> Event:
    return Event(name, kind, 0.0, 1.0, node)


@pytest.fixture
def points(monkeypatch) -> BreakPoints:
    monkeypatch.setattr(breaking, "machines", lambda plan: (MACHINE,))
    return BreakPoints()


def hit(points: BreakPoints, *samples) -> tuple[str, str] | None:
    found = points.hit(SimpleNamespace(samples=list(samples), plan=SimpleNamespace(ops=OPS)))
    return None if found is None else (found.text, found.node)


def test_without_break_points_nothing_is_hit(points) -> None:
    assert not points and hit(points, sample(), sample(active=1, running=(0,))) is None
    points.toggle("state-b")
    assert points and hit(points) is None


@pytest.mark.parametrize(
    ("before", "now", "found"),
    [
        (0, 1, ("state b", "state-b")), (1, 1, None), (1, 0, None), (2, 1, ("state b", "state-b")),
        (-1, 1, ("state b", "state-b")), (1, -1, None), (None, 1, ("state b", "state-b")), (None, -1, None),
    ],
)  # fmt: skip
def test_a_state_is_hit_when_it_is_entered(points, before, now, found) -> None:
    points.toggle("state-b")
    first = () if before is None else (sample(active=before),)
    assert hit(points, *first, sample(active=now)) == found


def test_the_last_state_counts_no_more_than_any_other(points) -> None:
    points.toggle("state-c")
    assert hit(points, sample(active=0), sample(active=-1)) is None
    points.toggle("state-a")
    assert hit(points, sample(active=1), sample(active=0)) == ("state a", "state-a")


@pytest.mark.parametrize(
    ("before", "now", "found"),
    [((), (0,), True), ((0,), (0,), False), ((1,), (1, 0), True), ((0,), (), False), (None, (0,), True)],
)
def test_a_transition_is_hit_when_it_begins(points, before, now, found) -> None:
    points.toggle("go-ab")
    first = () if before is None else (sample(running=before),)
    assert hit(points, *first, sample(running=now)) == (("transition a -> b", "go-ab") if found else None)


def test_a_transition_without_blend_is_hit_by_its_events(points) -> None:
    points.toggle("go-ab")
    told = event("a -> b", EventKind.TRANSITION_START, "go-ab")
    assert hit(points, sample(), sample(events=[told])) == ("transition a -> b", "go-ab")
    other = event("a -> b", EventKind.TRANSITION_END, "go-bc")
    entered = event("a", EventKind.ENTER, "go-ab")
    assert hit(points, sample(), sample(events=[other, entered])) is None


def test_an_event_is_hit_by_its_name_before_all_else(points) -> None:
    points.toggle("state-b")
    points.toggle_event("step")
    told = [event("other", EventKind.NOTIFY), event("step", EventKind.NOTIFY, "clip")]
    assert hit(points, sample(), sample(active=1, events=told)) == ("event step", "clip")
    points.toggle_event("step")
    assert points.events == frozenset() and hit(points, sample(), sample(events=told)) is None


@pytest.mark.parametrize(
    ("before", "now", "found"),
    [
        (0.0, ZERO, True),
        (0.9 * ZERO, 0.5, True),
        (ZERO, 0.5, False),
        (0.0, 0.9 * ZERO, False),
        (None, 0.5, True),
    ],
)
def test_a_node_is_hit_when_it_gets_weight(points, before, now, found) -> None:
    points.toggle("node-1")
    first = () if before is None else (sample(weights=(1.0, before)),)
    assert hit(points, *first, sample(weights=(1.0, now))) == (("node node-1", "node-1") if found else None)
    points.toggle("node-0")
    assert hit(points, sample(weights=(0.0, 1.0)), sample(weights=(1.0, 1.0))) == ("node first", "node-0")


def test_each_change_of_the_break_points_is_told(points) -> None:
    told = []
    points.changed.connect(lambda _: told.append((points.nodes, points.events)))
    points.toggle("a")
    points.toggle("b")
    points.toggle("a")
    points.toggle_event("step")
    points.clear()
    assert told == [
        ({"a"}, set()), ({"a", "b"}, set()), ({"b"}, set()), ({"b"}, {"step"}), (set(), set()),
    ]  # fmt: skip
    assert not points

"""Laws of time: cutting a span, passes of notifies, travel (table: `test_laws_table`)."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.clips.clip import Notify
from core.clips.evaluator import ClipEvaluator
from core.clips.root_motion import accumulate
from core.graph.events import EventKind
from core.graph.graph import Variable
from core.graph.instance import Instance
from core.math import transform
from tests.core.graph.builders import Drawing, clip, walking

SPEED = Variable("speed", minimum=-10.0, maximum=10.0)
WHOLE = 3.7
PACES = (-3.0, -1.0, 0.0, 0.5, 2.0)


def cuts(total: float, longest: float = 0.5):
    """Ways of cutting a span into steps."""
    return st.lists(st.floats(0.01, longest), min_size=1, max_size=30).map(
        lambda parts: [p * total / sum(parts) for p in parts]
    )


@st.composite
def circles(draw, fades) -> Drawing:
    """A machine that goes round and round three states by automatic rules; no state comes twice in 0.1 s."""
    clips = [
        walking(name, draw(st.floats(0.5, 1.2)), speed, x=float(k))
        for k, (name, speed) in enumerate((("a", 1.0), ("b", 2.0), ("c", -1.0)))
    ]
    drawing = Drawing(*clips, variables=(SPEED,))
    states = {name: drawing.clip_sheet(name, loop=draw(st.booleans())) for name in "abc"}
    arrows = [
        (source, target, draw(st.sampled_from(["", "speed > 1"])), {
            "automatic": draw(st.sampled_from([0.0, 0.1, 0.25, -1.0])), "seconds": draw(st.sampled_from(fades)),
        })
        for source, target in ("ab", "bc", "ca")
    ]  # fmt: skip
    drawing.whole = drawing.machine_graph(drawing.machine(states, arrows))
    return drawing


def told(instance: Instance, steps):
    """Events with their moments since the start, in one order of those of one moment; then the travel."""
    found, before, moved = [], 0.0, transform.IDENTITY
    result = None
    for dt in steps:
        result = instance.step(dt, {"speed": 5.0})
        found += [
            (before + e.moment, str(e.kind), e.name) for e in result.events if e.kind is not EventKind.TICK
        ]
        moved = transform.compose(moved, result.root_motion)
        before += dt
    times = {
        op.name: float(instance.state.floats[op.place.floats]) for op in instance.plan.ops if not op.inputs
    }
    order = sorted(range(len(found)), key=lambda k: (round(found[k][0], 7), found[k][1:]))
    return [found[k] for k in order], result.states, times, moved


def assert_same(one, other):
    assert [e[1:] for e in one[0]] == [e[1:] for e in other[0]]
    assert [e[0] for e in one[0]] == pytest.approx([e[0] for e in other[0]], abs=1e-9)
    assert one[1] == other[1]
    assert one[2] == pytest.approx(other[2], abs=1e-9)


@settings(max_examples=18, deadline=None)
@given(circles(["0", "0.1", "0.2"]), cuts(WHOLE))
def test_cutting_a_span_gives_the_same_states_times_and_events(drawing, steps):
    assert_same(told(drawing.run(drawing.whole), steps), told(drawing.run(drawing.whole), [WHOLE]))


@settings(max_examples=18, deadline=None)
@given(circles(["0"]), cuts(WHOLE))
def test_cutting_a_span_gives_the_same_travel_where_weights_stand_still(drawing, steps):
    one, other = told(drawing.run(drawing.whole), steps), told(drawing.run(drawing.whole), [WHOLE])
    assert one[3].translation == pytest.approx(other[3].translation, abs=1e-9)
    assert one[3].rotation == pytest.approx(other[3].rotation, abs=1e-9)


@settings(max_examples=40, deadline=None)
@given(
    st.lists(
        st.tuples(st.floats(0.001, 0.4), st.sampled_from([-3.0, -1.0, 0.0, 0.5, 2.0])),
        min_size=1,
        max_size=15,
    )
)
def test_each_notify_fires_once_a_pass_over_any_cutting_and_reversal(steps):
    """Counted from the way that the player goes: a turn of place 0.3 is passed where its floor changes."""
    drawing = Drawing(clip("a", notifies=(Notify("n", 0.3),)), variables=(SPEED,))
    instance = drawing.run(drawing.graph(drawing.clip_sheet("a", rate="speed", start="0.5")))
    place, wanted, found = 0.5, 0, 0
    for dt, speed in steps:
        after = place + dt * speed
        edges = np.array([place, after]) - 0.3
        if np.abs(edges - np.round(edges)).min() < 1e-6:
            return  # on the notify itself: which side it is on is rounding
        wanted += abs(int(np.floor(edges[1])) - int(np.floor(edges[0])))
        place = after
        found += sum(e.kind is EventKind.NOTIFY for e in instance.step(dt, {"speed": speed}).events)
    assert found == wanted


@settings(max_examples=30, deadline=None)
@given(cuts(4.0, 0.3), st.lists(st.floats(0, 1), min_size=30, max_size=30))
def test_each_notify_fires_once_a_pass_whoever_leads_the_sync_group(steps, alphas):
    """Two clips with a notify at one phase: each pass of the group's phase fires one, whoever leads."""
    clips = (clip("a", 1.0, notifies=(Notify("n", 0.25),)), clip("b", 0.6, notifies=(Notify("n", 0.15),)))
    alpha = Variable("alpha", maximum=1.0)
    drawing = Drawing(*clips, variables=(alpha,))
    a, b = (drawing.node("clip", name, {}, clip=f"clip-{name}", group="g") for name in "ab")
    mix = drawing.node("blend", "mix", {"alpha": "alpha"})
    graph = drawing.graph(drawing.pose_sheet("main", [a, b, mix], [(a, mix, "a"), (b, mix, "b")], mix))
    instance = drawing.run(graph)
    places = [op.place.floats for op in instance.plan.ops if op.name in ("a", "b")]
    fired = 0
    for dt, share in zip(steps, alphas, strict=False):
        # Kept apart from 0 and 1: at those one of the two is gone, and takes the phase when it comes again.
        result = instance.step(dt, {"alpha": 0.05 + 0.9 * share})
        fired += sum(e.kind is EventKind.NOTIFY for e in result.events)
    phases = [
        float(instance.state.floats[place]) / length for place, length in zip(places, (1.0, 0.6), strict=True)
    ]
    assert (
        phases[0] % 1.0 == pytest.approx(phases[1] % 1.0, abs=1e-6)
        or abs(phases[0] - phases[1]) % 1.0 > 1 - 1e-6
    )
    turned = phases[0] - 0.25
    if abs(turned - round(turned)) > 1e-6:
        assert fired == int(np.floor(turned)) + 1


@settings(max_examples=20, deadline=None)
@given(cuts(3.3), st.sampled_from([1.0, -1.5, 0.3]))
def test_one_player_at_full_weight_travels_as_accumulate_says(steps, rate):
    drawing = Drawing(walking("walk", 1.0, 1.5), variables=(SPEED,))
    instance = drawing.run(drawing.graph(drawing.clip_sheet("walk", rate=str(rate))))
    moved = transform.IDENTITY
    for dt in steps:
        moved = transform.compose(moved, instance.step(dt).root_motion)
    wanted = accumulate(ClipEvaluator(instance.plan.rig, drawing.clips[0]), [3.3 * rate])
    assert moved.translation == pytest.approx(wanted.translation[0], abs=1e-9)


def test_notifies_with_a_duration_are_counted_alike_over_cuttings():
    """Ticks are one a step; begins and ends are the same in any cutting."""
    drawing = Drawing(clip("a", notifies=(Notify("h", 0.9, 0.3),)), variables=(SPEED,))
    counts = []
    for steps in ([2.5], [0.05] * 50, [0.31] * 8 + [0.02]):
        instance = drawing.run(drawing.graph(drawing.clip_sheet("a")))
        events = [str(e.kind) for dt in steps for e in instance.step(dt).events]
        counts.append(Counter(kind for kind in events if kind in ("begin", "end")))
    assert counts[0] == counts[1] == counts[2] == Counter(begin=2, end=2)

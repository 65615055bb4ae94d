"""Notifies in graphs: threshold, exact moments, states with begin, tick and end (spec: graph, §5)."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.blending.blend_space import BlendSpace, SpaceAxis, SpaceKind, SpaceSample
from core.blending.easing import EaseShape, Easing
from core.clips.clip import Notify, NotifyRule
from core.graph.compile import compile_graph
from core.graph.events import EventKind
from core.graph.graph import Variable
from core.graph.instance import Instance
from core.graph.problems import GraphError
from core.graph.record import Step, baked_run, run
from core.ids import AssetId
from core.timing import FrameRate
from tests.core.graph.builders import Drawing, clip

SPEED = Variable("speed", maximum=10.0, minimum=-10.0)
KINDS = (EventKind.NOTIFY, EventKind.BEGIN, EventKind.END)


def playing(*notifies, length=1.0, looping=True, **literals) -> Instance:
    """One player of a clip with these notifies."""
    drawing = Drawing(clip("a", length, looping=looping, notifies=notifies), variables=(SPEED,))
    graph = drawing.graph(drawing.clip_sheet("a", **literals))
    return Instance(compile_graph(graph, drawing.project(graph)))


def told(instance, steps, kinds=KINDS, **inputs) -> list[str]:
    """Events ``kind name@time``, an exclamation mark where cut."""
    found, before = [], 0.0
    for dt in steps:
        found += [
            f"{e.kind} {e.name}@{before + e.moment:.6g}" + ("!" if e.interrupted else "")
            for e in instance.step(dt, inputs).events
            if e.kind in kinds
        ]
        before += dt
    return found


def test_notify_with_a_duration_begins_and_ends_at_its_moments():
    assert told(playing(Notify("hold", 0.25, 0.5)), [0.1] * 12) == [
        "begin hold@0.25", "end hold@0.75",
    ]  # fmt: skip


def test_notify_state_passed_whole_in_a_step_has_begin_tick_and_end():
    kinds = (*KINDS, EventKind.TICK)
    assert told(playing(Notify("hold", 0.02, 0.05)), [0.1], kinds) == [
        "begin hold@0.02", "tick hold@0.07", "end hold@0.07",
    ]  # fmt: skip


def test_notify_state_goes_on_over_the_seam():
    assert told(playing(Notify("hold", 0.75, 0.5)), [0.1] * 13) == ["begin hold@0.75", "end hold@1.25"]


def test_notify_state_as_long_as_the_loop_ends_where_it_begins_again():
    assert told(playing(Notify("hold", 0.5, 9.0)), [0.1] * 16) == [
        "begin hold@0.5", "end hold@1.5", "begin hold@1.5",
    ]  # fmt: skip


def test_notify_state_ends_with_a_clip_that_does_not_loop():
    assert told(playing(Notify("hold", 0.5, 9.0), looping=False), [0.1] * 16) == [
        "begin hold@0.5", "end hold@1",
    ]  # fmt: skip


def test_each_step_has_one_tick_with_its_progress():
    instance = playing(Notify("hold", 0.25, 0.5))
    ticks = [e for _ in range(10) for e in instance.step(0.1).events if e.kind is EventKind.TICK]
    assert [round(e.progress, 6) for e in ticks] == [0.1, 0.3, 0.5, 0.7, 0.9, 1.0]
    assert [round(e.seconds, 6) for e in ticks] == [0.05, 0.15, 0.25, 0.35, 0.45, 0.5]


def test_playback_that_starts_inside_a_notify_state_begins_it_there():
    assert told(playing(Notify("hold", 0.25, 0.5), start="0.5"), [0.1] * 4) == [
        "begin hold@0", "end hold@0.25",
    ]  # fmt: skip


def test_backwards_a_notify_state_begins_at_its_end():
    assert told(playing(Notify("hold", 0.25, 0.5), rate="-1", start="1"), [0.1] * 8) == [
        "begin hold@0.25", "end hold@0.75",
    ]  # fmt: skip


def test_playback_that_turns_back_ends_a_notify_state_where_it_began():
    instance = playing(Notify("hold", 0.25, 0.5), rate="speed")
    assert told(instance, [0.1] * 4, speed=1.0) == ["begin hold@0.25"]
    assert told(instance, [0.1] * 4, speed=-1.0) == ["end hold@0.15"]


def test_condition_that_turns_false_cuts_a_notify_state():
    held = Notify("hold", 0.25, 0.5, rule=NotifyRule(condition="speed < 1"))
    instance = playing(held)
    assert told(instance, [0.1] * 4, speed=0.0) == ["begin hold@0.25"]
    assert told(instance, [0.1] * 4, speed=2.0) == ["end hold@0!"]
    assert told(instance, [0.1] * 4, speed=2.0) == []


def test_condition_that_is_wrong_is_told_with_its_node():
    wrong = Notify("hold", 0.25, 0.5, rule=NotifyRule(condition="sped < 1"))
    with pytest.raises(GraphError, match="while of hold: there is no variable 'sped'"):
        playing(wrong)


def fading(*, easing=None, threshold=0.5, seconds="0.4") -> Instance:
    """From a (0..1) to b, whose notify `on` holds from 0 to 0.9 and fires ``now`` at 0.1."""
    notifies = (
        Notify("on", 0.0, 0.9, rule=NotifyRule(threshold=threshold)),
        Notify("now", 0.1, rule=NotifyRule(threshold=threshold)),
    )
    drawing = Drawing(clip("a", notifies=notifies), clip("b", x=1.0), variables=(SPEED,))
    states = {name: drawing.clip_sheet(name) for name in "ab"}
    arrows = [("a", "b", "speed > 1", {"seconds": seconds, "easing": easing or Easing()})]
    graph = drawing.machine_graph(drawing.machine(states, arrows))
    return Instance(compile_graph(graph, drawing.project(graph)))


@pytest.mark.parametrize("step", [0.4, 0.1, 0.03, 1 / 60])
def test_weight_that_falls_under_the_threshold_cuts_at_its_exact_moment(step):
    instance = fading(easing=Easing(EaseShape.SMOOTHER))
    assert told(instance, [0.1]) == ["begin on@0", "notify now@0.1"]
    found = told(instance, [step] * int(np.ceil(0.4 / step)), speed=2.0)
    assert found == ["end on@0.2!"]  # half of the way, whatever the easing


def test_notify_below_its_threshold_does_not_fire():
    drawing = Drawing(
        clip("a", notifies=(Notify("loud", 0.1, rule=NotifyRule(threshold=0.5)), Notify("any", 0.1))),
        clip("b"),
        variables=(SPEED,),
    )
    a, b = drawing.play("a"), drawing.play("b")
    mix = drawing.node("blend", "mix", {"alpha": "speed"})
    graph = drawing.graph(drawing.pose_sheet("main", [a, b, mix], [(a, mix, "a"), (b, mix, "b")], mix))
    instance = Instance(compile_graph(graph, drawing.project(graph)))
    assert told(instance, [0.2], speed=0.75) == ["notify any@0.1"]


def test_notify_at_the_end_of_a_clip_fires_before_a_cut_takes_it_away():
    drawing = Drawing(clip("a", looping=False, notifies=(Notify("last", 1.0),)), clip("b"))
    states = {name: drawing.clip_sheet(name) for name in "ab"}
    arrows = [("a", "b", None, {"automatic": 0.0, "seconds": 0})]
    graph = drawing.machine_graph(drawing.machine(states, arrows))
    for steps in ([1.2], [0.55, 0.55], [0.3] * 5):
        instance = Instance(compile_graph(graph, drawing.project(graph)))
        assert told(instance, steps) == ["notify last@1"]


@settings(max_examples=25, deadline=None)
@given(
    st.lists(st.tuples(st.floats(0.001, 0.3), st.floats(-3, 3)), min_size=1, max_size=12),
    st.floats(0, 1),
    st.floats(0.01, 2),
)
def test_begins_and_ends_take_turns_whatever_the_pace(steps, time, duration):
    instance = playing(Notify("hold", time, duration), rate="speed")
    under_way, moment = False, 0.0
    for dt, speed in steps:
        for e in instance.step(dt, {"speed": speed}).events:
            if e.kind in (EventKind.BEGIN, EventKind.END):
                assert under_way == (e.kind is EventKind.END)
                under_way = not under_way
        moment += dt


@settings(max_examples=12, deadline=None)
@given(st.lists(st.floats(0.01, 1.0), min_size=1, max_size=8), st.sampled_from(["1", "-1.5", "2.5"]))
def test_cutting_a_span_changes_no_begin_or_end(parts, rate):
    steps = [p * 3.13 / sum(parts) for p in parts]
    notifies = (Notify("hold", 0.25, 0.5), Notify("long", 0.6, 0.7), Notify("now", 0.4))
    whole = told(playing(*notifies, rate=rate), [3.13])
    assert told(playing(*notifies, rate=rate), steps) == whole


def test_every_begin_has_an_end_after_the_machine_went_on():
    instance = fading(threshold=0.0)
    events = told(instance, [0.1] * 3, speed=0.0) + told(instance, [0.1] * 6, speed=2.0)
    assert events == ["begin on@0", "notify now@0.1", "end on@0.4!"]


def test_baked_run_has_notify_states_with_their_duration():
    instance = playing(Notify("hold", 0.25, 0.5))
    steps = [Step(0.0), *(Step(0.1) for _ in range(10))]
    baked = baked_run(
        instance.plan, run(instance.plan, steps), steps, FrameRate.of(10), AssetId("clip-run"), "run"
    )
    assert [(n.name, round(n.time, 6), round(n.duration, 6)) for n in baked.notifies] == [("hold", 0.25, 0.5)]


def test_space_fires_at_the_exact_moment_of_its_clips():
    clips = tuple(
        clip(name, length, notifies=(Notify("step", length / 4),))
        for name, length in (("a", 1.0), ("b", 2.0))
    )
    space = BlendSpace(
        AssetId("space-1"), "s", clips[0].rig, (SpaceAxis("speed", 0.0, 1.0),),
        tuple(SpaceSample(c.id, (float(k),)) for k, c in enumerate(clips)), SpaceKind.LINE,
    )  # fmt: skip
    drawing = Drawing(*clips, variables=(SPEED,))
    node = drawing.node("blend_space", "s", {"x": "0.5"}, space=space.id)
    graph = drawing.graph(drawing.pose_sheet("main", [node], [], node))
    project = drawing.project(graph).with_assets(space)
    for steps in ([1.6], [0.1] * 16, [0.375, 0.5, 0.725]):
        instance = Instance(compile_graph(graph, project))
        found = told(instance, steps)
        assert set(found) == {"notify step@0.375"}  # a quarter of a cycle of 1.5 s


def test_notify_under_way_goes_on_where_playback_stands_still():
    held = Notify("hold", 0.0, 1.0, rule=NotifyRule(condition="speed < 1"))
    drawing = Drawing(clip("a", notifies=(held,)), variables=(SPEED,))
    node = drawing.play("a", rate="0")
    graph = drawing.graph(drawing.pose_sheet("main", [node], [], node))
    instance = Instance(compile_graph(graph, drawing.project(graph)))
    kinds = [[e.kind for e in instance.step(0.1, {"speed": v}).events] for v in (0.0, 0.0, 2.0, 2.0)]
    assert kinds == [[EventKind.BEGIN, EventKind.TICK], [EventKind.TICK], [EventKind.END], []]

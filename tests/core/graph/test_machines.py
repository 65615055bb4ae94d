"""State machines: what enters, leaves and fires, and when (spec: graph, §6)."""

import numpy as np
import pytest

from core.blending.easing import EaseShape, Easing
from core.graph.compile import compile_graph
from core.graph.events import EventKind
from core.graph.graph import BlendKind, Interrupt, Role, Variable
from core.graph.instance import Instance
from core.graph.language.values import Kind
from tests.core.graph.builders import Drawing, clip

SPEED = Variable("speed", maximum=10.0)
GO = Variable("go", Kind.BOOL, maximum=1.0, role=Role.TRIGGER)


def running(drawing: Drawing, machine) -> Instance:
    graph = drawing.machine_graph(machine)
    return Instance(compile_graph(graph, drawing.project(graph)))


def two(arrows, *, looping=True, lengths=(1.0, 2.0), **resets) -> Instance:
    """A machine of the states a and b, hips at 0 and 1."""
    clips = (clip("a", lengths[0], looping=looping), clip("b", lengths[1], looping=looping, x=1.0))
    drawing = Drawing(*clips, variables=(SPEED, GO))
    states = {name: drawing.clip_sheet(name) for name in ("a", "b")}
    return running(drawing, drawing.machine(states, arrows, **resets))


def hips(result) -> float:
    return float(result.pose.translations[1, 0])


def story(*results) -> list[str]:
    """Events of states and transitions, ``kind name@time`` with the time since the first step."""
    told, before = [], 0.0
    for result, dt in results:
        told += [
            f"{e.kind} {e.name}@{before + e.moment:.4g}"
            for e in result.events
            if e.kind is not EventKind.NOTIFY
        ]
        before += dt
    return told


def test_first_step_enters_the_default_state():
    instance = two([])
    result = instance.step(0.1)
    assert story((result, 0.1)) == ["enter a@0", "full a@0"]
    assert result.states == {"machine": "a"}


def test_rule_that_holds_starts_a_crossfade_which_ends_exactly():
    instance = two([("a", "b", "speed > 1", {"seconds": 0.25})])
    instance.step(0.1)
    told = [(instance.step(0.1, {"speed": 2.0}), 0.1), *((instance.step(0.1), 0.1) for _ in range(2))]
    assert [hips(r) for r, _ in told] == pytest.approx([0.4, 0.8, 1.0])
    assert story(*told) == [
        "leave a@0",
        "enter b@0",
        "transition_start a -> b@0",
        "transition_end a -> b@0.25",
        "full b@0.25",
        "gone a@0.25",
    ]


def test_changed_input_shows_in_the_pose_of_its_own_step():
    instance = two([("a", "b", "speed > 1", {"seconds": 0})])
    instance.step(0.1)
    assert hips(instance.step(0.1, {"speed": 2.0})) == 1.0


def test_automatic_rule_acts_at_its_exact_moment_and_the_rest_of_the_step_goes_on():
    instance = two([("a", "b", None, {"automatic": 0.0, "seconds": 0})], looping=False)
    instance.step(0.9)
    result = instance.step(0.3)
    leave = next(e for e in result.events if e.kind is EventKind.LEAVE)
    assert leave.moment == pytest.approx(0.1, abs=1e-12)
    player = instance.plan.op_named("b")
    assert instance.state.floats[player.place.floats] == pytest.approx(0.2)


def test_automatic_rule_by_the_blend_ends_with_the_clip():
    instance = two([("a", "b", None, {"automatic": -1.0, "seconds": 0.25})], looping=False)
    told = [(instance.step(0.1), 0.1) for _ in range(11)]
    assert "transition_start a -> b@0.75" in story(*told)
    assert "transition_end a -> b@1" in story(*told)


@pytest.mark.parametrize("looping", [True, False])
@pytest.mark.parametrize("steps", [[2.0], [0.5] * 4, [0.3, 0.45, 0.25, 0.999, 0.001], [1 / 60] * 120])
def test_cutting_the_time_changes_no_event(looping, steps):
    """A chain of automatic transitions, there and back."""
    instance = two(
        [
            ("a", "b", None, {"automatic": 0.3, "seconds": 0.2}),
            ("b", "a", None, {"automatic": 1.5, "seconds": 0.1}),
        ],
        looping=looping,
    )
    told = story(*((instance.step(dt), dt) for dt in steps))
    whole = two(
        [
            ("a", "b", None, {"automatic": 0.3, "seconds": 0.2}),
            ("b", "a", None, {"automatic": 1.5, "seconds": 0.1}),
        ],
        looping=looping,
    )
    assert told == story((whole.step(2.0), 2.0))


def test_priority_goes_before_order_and_order_before_nothing():
    clips = tuple(clip(name, x=k) for k, name in enumerate("abc"))
    for priorities, winner in (((0, 0), "b"), ((2, 1), "c"), ((1, 1), "b")):
        drawing = Drawing(*clips, variables=(SPEED,))
        states = {name: drawing.clip_sheet(name) for name in "abc"}
        arrows = [
            ("a", "b", "speed > 1", {"priority": priorities[0]}),
            ("a", "c", "speed > 1", {"priority": priorities[1]}),
        ]
        instance = running(drawing, drawing.machine(states, arrows))
        instance.step(0.1)
        assert instance.step(0.1, {"speed": 5}).states["machine"] == winner


def test_several_transitions_in_one_step_blend_from_the_first_source_to_the_last_target():
    clips = tuple(clip(name, x=k) for k, name in enumerate("abc"))
    drawing = Drawing(*clips, variables=(SPEED,))
    states = {name: drawing.clip_sheet(name) for name in "abc"}
    arrows = [("a", "b", "speed > 1", {"seconds": 0.5}), ("b", "c", "speed > 2", {"seconds": 0.2})]
    instance = running(drawing, drawing.machine(states, arrows))
    instance.step(0.1)
    result = instance.step(0.1, {"speed": 5})
    assert result.states["machine"] == "c"
    assert hips(result) == pytest.approx(1.0)  # half way from a (0) to c (2), by the last settings
    visits = [x for x in story((result, 0.1)) if not x.startswith("transition")]
    assert visits == ["leave a@0", "enter b@0", "leave b@0", "enter c@0", "gone b@0"]


def test_state_entered_twice_ends_the_step():
    instance = two([("a", "b", "speed > 1"), ("b", "a", "speed > 1")])
    instance.step(0.1)
    told = story((instance.step(0.1, {"speed": 5}), 0.1))
    assert len([x for x in told if x.startswith("enter")]) <= 2


def test_min_time_and_reentry_time_are_waited_for_exactly():
    instance = two([("a", "b", "speed > 1", {"min_time": 0.35, "seconds": 0})])
    told = [(instance.step(0.1, {"speed": 5}), 0.1) for _ in range(5)]
    assert "leave a@0.35" in story(*told)
    instance = two(
        [
            ("a", "b", "speed > 1", {"reentry_time": 0.5, "seconds": 0}),
            ("b", "a", "speed < 1", {"seconds": 0}),
        ]
    )
    instance.step(0.1), instance.step(0.1, {"speed": 5}), instance.step(0.1, {"speed": 0})
    told = [(instance.step(0.1, {"speed": 5}), 0.1) for _ in range(6)]
    assert [x for x in story(*told) if x.startswith("enter")] == ["enter b@0.4"]


@pytest.mark.parametrize(
    ("interrupt", "priority", "moment"),
    [
        (Interrupt.ALWAYS, 5, 0.1),
        (Interrupt.NEVER, -5, 0.4),
        (Interrupt.HIGHER_PRIORITY, 5, 0.4),
        (Interrupt.HIGHER_PRIORITY, -5, 0.1),
    ],
)
def test_interrupt_decides_when_a_running_blend_may_be_left(interrupt, priority, moment):
    instance = two(
        [
            ("a", "b", "speed > 1", {"seconds": 0.4, "interrupt": interrupt}),
            ("b", "a", "speed < 1", {"seconds": 0.4, "priority": priority}),
        ]
    )
    instance.step(0.1)
    told = [(instance.step(0.1, {"speed": 5}), 0.1)]
    told += [(instance.step(0.1, {"speed": 0}), 0.1) for _ in range(6)]
    assert f"leave b@{moment:g}" in story(*told)
    assert ("transition_interrupted a -> b@0.1" in story(*told)) == (moment == 0.1)


def test_return_to_a_state_still_fading_runs_it_on_without_a_jump():
    instance = two([("a", "b", "speed > 1", {"seconds": 1}), ("b", "a", "speed < 1", {"seconds": 1})])
    instance.step(0.1)
    poses = [hips(instance.step(0.05, {"speed": 5})) for _ in range(4)]
    poses += [hips(instance.step(0.05, {"speed": 0})) for _ in range(30)]
    assert np.abs(np.diff(poses)).max() <= 0.05 + 1e-9
    assert poses[-1] == 0.0
    player = instance.plan.op_named("a")
    assert instance.state.floats[player.place.floats] == pytest.approx(0.1 + 34 * 0.05)  # never restarted


@pytest.mark.parametrize("blend", [kind for kind in BlendKind if kind is not BlendKind.CUSTOM])
def test_interrupted_blends_never_jump(blend):
    """Rules flicker every few steps; whatever the kind of blend, the pose goes on by small steps."""
    more = {"seconds": 0.3, "blend": {"kind": blend}, "easing": Easing(EaseShape.SMOOTH)}
    instance = two([("a", "b", "speed > 1", more), ("b", "a", "speed < 1", more)])
    rng = np.random.default_rng(4)
    poses = []
    for _ in range(60):
        speed = float(rng.integers(0, 2)) * 5
        poses += [hips(instance.step(1 / 60, {"speed": speed})) for _ in range(int(rng.integers(1, 6)))]
    # At once it would be 1; inertialisation is the quickest of the four at a third of its time.
    assert np.abs(np.diff(poses)).max() < 0.13


@pytest.mark.parametrize("blend", [BlendKind.INERTIALISE, BlendKind.DEAD_BLEND])
def test_blend_by_the_target_alone_reaches_it(blend):
    instance = two([("a", "b", "speed > 1", {"seconds": 0.3, "blend": {"kind": blend}})])
    for _ in range(5):
        instance.step(1 / 60)
    poses = [hips(instance.step(1 / 60, {"speed": 5})) for _ in range(20)]
    assert 0.0 < poses[0] < 0.1
    assert (np.diff(poses) >= -1e-12).all()
    assert poses[-1] == 1.0
    assert instance.plan.op_named("a").number not in instance.step(1 / 60).visits


def test_deeper_interruptions_freeze_what_lies_lowest():
    clips = tuple(clip(name, x=k) for k, name in enumerate("abcdefg"))
    drawing = Drawing(*clips, variables=(SPEED,))
    states = {name: drawing.clip_sheet(name) for name in "abcdefg"}
    arrows = [
        (a, b, f"speed > {k}.5", {"seconds": 2})
        for k, (a, b) in enumerate(zip("abcdef", "bcdefg", strict=True))
    ]
    instance = running(drawing, drawing.machine(states, arrows))
    instance.step(0.1)
    poses = [hips(instance.step(0.05, {"speed": float(k)})) for k in range(1, 7)]
    assert np.abs(np.diff([0.0, *poses], 2)).max() < 0.13  # the speed changes little by little: nothing jumps
    told = story(*((instance.step(0.05), 0.05) for _ in range(60)))
    assert told[-1].startswith("gone")


def test_every_enter_has_one_leave_and_one_gone():
    more = {"seconds": 0.25}
    instance = two([("a", "b", "speed > 1", more), ("b", "a", "speed < 1", more)])
    rng = np.random.default_rng(8)
    counts = dict.fromkeys(("enter", "leave", "gone", "transition_start", "ends"), 0)
    for _ in range(300):
        for event in instance.step(
            float(rng.uniform(0.005, 0.2)), {"speed": float(rng.uniform(0, 2))}
        ).events:
            kind = "ends" if event.kind in ("transition_end", "transition_interrupted") else str(event.kind)
            counts[kind] = counts.get(kind, 0) + 1
    for _ in range(10):
        for event in instance.step(0.1, {"speed": 0.0}).events:
            kind = "ends" if event.kind in ("transition_end", "transition_interrupted") else str(event.kind)
            counts[kind] = counts.get(kind, 0) + 1
    assert counts["enter"] == counts["leave"] + 1 == counts["gone"] + 1  # the last state is still there
    assert counts["transition_start"] == counts["ends"]


@pytest.mark.parametrize(("reset", "expected"), [("when_irrelevant", 0.1), ("never", 0.4), ("always", 0.1)])
def test_reset_decides_where_a_state_goes_on(reset, expected):
    arrows = [("a", "b", "speed > 1", {"seconds": 0}), ("b", "a", "speed < 1", {"seconds": 0})]
    instance = two(arrows, a=reset)
    for _ in range(3):
        instance.step(0.1)
    for speed in (5, 5, 0):
        instance.step(0.1, {"speed": speed})
    player = instance.plan.op_named("a")
    assert instance.state.floats[player.place.floats] == pytest.approx(expected)


def test_reset_always_restarts_a_state_that_still_fades_without_a_jump():
    more = {"seconds": 0.5}
    instance = two([("a", "b", "speed > 1", more), ("b", "a", "speed < 1", more)], a="always")
    poses = [hips(instance.step(0.05)) for _ in range(4)]
    poses += [hips(instance.step(0.05, {"speed": 5})) for _ in range(4)]
    poses.append(hips(instance.step(0.05, {"speed": 0})))
    player = instance.plan.op_named("a")
    assert instance.state.floats[player.place.floats] == pytest.approx(0.05)
    assert np.abs(np.diff(poses)).max() < 0.11


def test_trigger_is_taken_by_the_transition_and_lapses_unused():
    instance = two([("a", "b", "take('go')", {"seconds": 0}), ("b", "a", "take('go')", {"seconds": 0})])
    instance.step(0.1)
    assert instance.step(0.1, {"go": True}).states["machine"] == "b"
    assert instance.step(0.1).states["machine"] == "b"  # taken: it does not act again
    slow = two([("a", "b", "take('go') and speed > 1", {"seconds": 0})])
    slow.step(0.1), slow.step(0.1, {"go": True})
    assert slow.step(0.1, {"speed": 5}).states["machine"] == "a"  # unused, it lapsed


def test_any_state_and_conduit():
    clips = tuple(clip(name, x=k) for k, name in enumerate("abc"))
    drawing = Drawing(*clips, variables=(SPEED,))
    states = {name: drawing.clip_sheet(name) for name in "abc"}
    anyone = drawing.node("any", "any", states=("a", "b"))
    gate = drawing.node("conduit", "gate", {"rule": "speed < 9"})
    arrows = [
        ("any", "gate", "speed > 1"),
        ("gate", "c", "speed > 5", {"seconds": 0}),
        ("gate", "b", None, {"seconds": 0}),
    ]
    machine = drawing.machine(states, arrows, (anyone, gate))
    instance = running(drawing, machine)
    assert instance.step(0.1).states["machine"] == "a"
    assert instance.step(0.1, {"speed": 9.5}).states["machine"] == "a"  # the conduit's own rule
    assert instance.step(0.1, {"speed": 2}).states["machine"] == "b"
    assert instance.step(0.1, {"speed": 6}).states["machine"] == "c"
    assert instance.step(0.1, {"speed": 2}).states["machine"] == "c"  # c is not admitted


def test_entry_chooses_the_first_state_whose_rule_holds():
    drawing = Drawing(clip("a"), clip("b", x=1.0), variables=(SPEED,))
    states = {name: drawing.clip_sheet(name) for name in "ab"}
    entry = drawing.node("entry", "entry")
    instance = running(drawing, drawing.machine(states, [("entry", "b", "speed > 1")], (entry,)))
    assert instance.step(0.1, {"speed": 5}).states["machine"] == "b"
    instance.restart()
    assert instance.step(0.1).states["machine"] == "a"


def test_nested_machine_restarts_with_its_state_and_gives_its_player_to_automatic_rules():
    drawing = Drawing(clip("a"), clip("b", 0.5, looping=False, x=1.0), variables=(SPEED,))
    inner = drawing.machine({"only": drawing.clip_sheet("b")}, [])
    states = {"a": drawing.clip_sheet("a"), "in": inner}
    arrows = [("a", "in", "speed > 1", {"seconds": 0}), ("in", "a", None, {"automatic": 0.0, "seconds": 0})]
    outer = drawing.machine(states, arrows)
    instance = running(drawing, outer)
    instance.step(0.1)
    told = [(instance.step(0.1, {"speed": 5}), 0.1)] + [
        (instance.step(0.1, {"speed": 0}), 0.1) for _ in range(5)
    ]
    assert "leave in@0.5" in story(*told)
    assert story(*told).count("enter only@0") == 1


def test_clip_without_length_is_over_at_once():
    drawing = Drawing(clip("a"), variables=(SPEED,))
    from dataclasses import replace

    still = replace(clip("b", x=1.0), length=0.0, looping=False)
    drawing.clips = (*drawing.clips, still)
    states = {name: drawing.clip_sheet(name) for name in "ab"}
    arrows = [("a", "b", "speed > 1", {"seconds": 0}), ("b", "a", None, {"automatic": 0.0, "seconds": 0})]
    instance = running(drawing, drawing.machine(states, arrows))
    instance.step(0.1)
    told = story((instance.step(0.1, {"speed": 5}), 0.1))
    assert told.index("enter b@0") < told.index("leave b@0")


def test_backwards_play_ends_at_the_start():
    drawing = Drawing(clip("a", looping=False), clip("b", x=1.0))
    states = {"a": drawing.clip_sheet("a", rate="-2", start="0.5"), "b": drawing.clip_sheet("b")}
    arrows = [("a", "b", None, {"automatic": 0.0, "seconds": 0})]
    instance = running(drawing, drawing.machine(states, arrows))
    told = [(instance.step(0.1), 0.1) for _ in range(4)]
    assert "leave a@0.25" in story(*told)

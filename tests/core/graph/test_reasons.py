"""What a watched step tells of each candidate transition: exact words, moments and order."""

import pytest

from core.errors import ValidationError
from core.graph.explain import Added, Explanation, explain, told
from core.graph.graph import Interrupt, InterruptBy, Role, Variable
from core.graph.instance import Instance
from core.graph.language.syntax import ExpressionError
from core.graph.language.values import Kind
from core.graph.record import Recording, Step, first_difference
from core.graph.watch import MOST_TERMS, terms_of
from tests.core.graph.builders import Drawing, clip, swinging, walker

SPEED = Variable("speed", maximum=9.0, minimum=-9.0)
GO = Variable("go", Kind.BOOL, maximum=1.0, minimum=0.0, role=Role.TRIGGER, buffer=1.0)


def machine(*arrows, extra=(), lengths=(("a", 1.0), ("b", 0.5), ("c", 0.4))) -> Instance:
    drawing = Drawing(*(clip(n, s, looping=n != "c") for n, s in lengths), variables=(SPEED, GO))
    states = {name: drawing.clip_sheet(name) for name, _ in lengths}
    return drawing.run(drawing.machine_graph(drawing.machine(states, list(arrows), extra)))


def look(mover: Instance, dt: float = 0.05, **inputs) -> list[tuple[str, bool, str, str, float]]:
    found = explain(mover, Step(dt, inputs)).reasons
    assert {r.machine for r in found} <= {"machine"}
    return [(r.transition, r.taken, r.why, r.detail, round(r.moment, 9)) for r in found]


def at(mover: Instance, *steps: float, **inputs) -> Instance:
    for dt in steps:
        mover.step(dt, inputs)
    return mover


def test_a_rule_that_is_false_is_told_with_its_values():
    mover = machine(("a", "b", " speed > 2 and time('a') < -speed "), ("a", "c", "state('machine') == 'c'"),
                    ("a", "b", "false"))  # fmt: skip
    assert look(at(mover, 0.1, speed=1.5)) == [
        (
            "a -> b",
            False,
            "rule",
            "speed > 2 and time('a') < -speed is false: speed = 1.5, time(a) = 0.1",
            0.0,
        ),
        ("a -> c", False, "rule", "state('machine') == 'c' is false: state(machine) = 'a'", 0.0),
        ("a -> b", False, "rule", "false is false", 0.0),
    ]


def test_the_one_that_acts_is_told_with_its_moment_and_others_come_after():
    mover = at(
        machine(("a", "b", "speed > 1", {"min_time": 0.12}), ("a", "c", "speed > 1", {"min_time": 0.13})), 0.1
    )
    assert look(mover, speed=2.0)[:2] == [
        ("a -> b", True, "taken", "at 0.0200 s of the step", 0.0),
        ("a -> c", False, "order", "another comes first, by moment or by priority", 0.0),
    ]


def test_min_and_reentry_times_are_told_with_what_has_passed():
    arrows = (
        ("a", "b", "speed > 1", {"min_time": 0.5}),
        ("a", "c", "speed > 1", {"reentry_time": 0.7, "seconds": 0}),
    )
    back = ("c", "a", "speed < 0", {"seconds": 0})
    mover = at(machine(*arrows, back), 0.1)
    assert look(mover, speed=2.0)[0] == ("a -> b", False, "min_time", "0.1000 s of 0.5 s in the state", 0.0)
    at(mover, 0.05, speed=2.0)
    at(mover, 0.05, speed=-1.0)
    found = look(mover, speed=2.0)
    assert found[1] == ("a -> c", False, "reentry_time", "0.0500 s of 0.7 s since the target was left", 0.0)
    assert look(mover, 0.1, speed=2.0)[1][2] == "reentry_time"


def test_a_trigger_that_was_taken_in_this_step_is_told():
    mover = at(
        machine(("a", "b", "take('go')", {"seconds": 0}), ("b", "c", "take('go')", {"seconds": 0})), 0.1
    )
    mover.set("go", True)
    found = look(mover)
    assert found[0][:3] == ("a -> b", True, "taken")
    assert found[1][:4] == ("b -> c", False, "trigger", "an earlier transition of this step took its trigger")


def test_automatic_moments_that_lie_ahead_are_told():
    mover = at(machine(("a", "c", "speed > 1", {"seconds": 0}), ("c", "a", None, {"automatic": 0.1})), 0.05)
    at(mover, 0.05, speed=2.0)
    # In c since the step's beginning: 0.05 of 0.4 s, and a tenth before the end it goes.
    assert look(mover)[0] == ("c -> a", False, "automatic", "its automatic moment comes in 0.2500 s", 0.0)
    assert look(at(mover, 0.1, 0.1), 0.1)[0][:4] == ("c -> a", True, "taken", "at 0.0500 s of the step")
    never = at(machine(("a", "b", None, {"automatic": 0.0, "player": "nobody"})), 0.1)
    found = look(never)
    assert found[0][2:4] == ("automatic", "its automatic moment comes never")


def test_a_running_transition_that_cannot_be_interrupted_is_told():
    never = {"interrupt": Interrupt.NEVER, "seconds": 0.4}
    mover = at(machine(("a", "b", "speed > 1", never), ("b", "c", "speed < 1")), 0.1)
    at(mover, 0.1, speed=2.0)
    assert look(mover, speed=0.0) == [
        ("b -> c", False, "interrupt", "the running transition may not be interrupted for 0.3000 s", 0.0)
    ]
    by_source = {**never, "interrupt_by": InterruptBy.SOURCE}
    mover = at(machine(("a", "b", "speed > 1", by_source), ("a", "c", "speed < 1")), 0.1, speed=1.0)
    at(mover, 0.1, speed=2.0)
    assert look(mover, speed=0.0) == [
        ("a -> c", False, "interrupt", "the running transition may not be interrupted until it is over", 0.0)
    ]


def test_reasons_are_told_as_values():
    mover = at(machine(("a", "b", "speed > 2")), 0.1)
    found = explain(mover, Step(0.05, {"speed": 1.0}))
    (reason,) = found.reasons
    assert told(found) == [{
        "machine": "machine", "transition": "a -> b", "node": reason.node, "moment": 0.0, "taken": False,
        "why": "rule", "detail": "speed > 2 is false: speed = 1",
    }]  # fmt: skip
    assert reason.node == mover.plan.ops[-2].transitions[0].node


@pytest.mark.parametrize("dt", [-0.01, 0.1001, float("nan")])
def test_long_steps_are_not_explained(dt):
    with pytest.raises(ValidationError, match=r"expected a step of 0 to 0\.1 s to explain, got"):
        explain(machine(), Step(dt))


def test_a_refused_step_leaves_the_mover_as_it_was():
    mover = at(machine(), 0.1)
    before = mover.snapshot()
    with pytest.raises(ValidationError):
        explain(mover, Step(0.1, {"speed": float("nan")}))
    assert mover.watch is None and mover.snapshot().same_bits(before)
    assert explain(mover, Step(0.0)).result.pose is not None
    assert explain(mover, Step(0.1)).result.pose is not None


# -------------------------------------------------------------------- leaves and bones
def layered() -> Explanation:
    """A quarter of lean in walk, a head that is lifted and turned, under a wave that has the spine."""
    drawing = Drawing(swinging("walk"), swinging("lean", -40.0), swinging("wave", 80.0), rig_=walker())
    walk, lean, wave = (drawing.play(name) for name in ("walk", "lean", "wave"))
    mix = drawing.node("blend", "mix", {"alpha": "0.75"})
    over = drawing.node("layered", "over", {"weight": "1"}, branches=("head",))
    by = {"translation": "vec(0, 0.1, 0)", "rotation": "axis_angle(vec(0, 1, 0), 30)"}
    lift = drawing.node("transform_bone", "lift", by,
                        bone="head", translation_way="add", translation_space="model", rotation_way="add",
                        rotation_space="model")  # fmt: skip
    wires = [
        (walk, mix, "a"),
        (lean, mix, "b"),
        (mix, over, "base"),
        (wave, over, "layer"),
        (over, lift, "pose"),
    ]
    mover = drawing.run(drawing.one(walk, lean, wave, mix, over, lift, wires=wires))
    mover.step(0.1)
    return explain(mover, Step(0.1))


def test_leaves_are_told_with_the_heaviest_first():
    found = layered().leaves()
    assert list(found.items()) == [("wave", 1.0), ("lean", 0.75), ("walk", 0.25)]


def test_what_each_node_did_to_a_bone_along_the_way():
    found = layered()
    head = found.bone("head")
    assert [(entry.name, entry.kind) for entry in head] == [
        ("mix", "blend"), ("over", "layered"), ("lift", "transformbone"), ("", "output")
    ]  # fmt: skip
    lift = head[2]
    assert (lift.metres, lift.degrees) == (pytest.approx(0.1), pytest.approx(30.0))
    assert (head[3].metres, head[3].degrees) == (0.0, pytest.approx(0.0, abs=1e-6))
    assert lift.node == next(op.node for op in found.plan.ops if op.name == "lift")
    # From the heaviest side of the blend, lean, at a fifth of a second: its thigh at −8°, the mix at −4.5°.
    (thigh,) = found.bones()["thigh_l"]
    assert (thigh.name, thigh.degrees) == ("mix", pytest.approx(3.5, abs=0.01))  # blends go along the chord
    assert found.bones()["root"] == ()
    assert [entry.name for entry in found.bones()["head"]] == ["mix", "lift"]
    assert [entry.name for entry in found.bones(metres=0.2, degrees=29.0)["head"]] == ["lift"]
    assert [entry.name for entry in found.bones(metres=0.09, degrees=90.0)["head"]] == ["lift"]
    assert found.bones(metres=0.2, degrees=90.0)["head"] == ()


def test_an_unknown_bone_is_told():
    with pytest.raises(Exception, match="nobody"):
        layered().bone("nobody")
    assert Added("n", "a", "clip", 0.0, 0.0).metres == 0.0


# -------------------------------------------------------------------- terms
@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("speed > 2 and not go", [("speed", None), ("go", None)]),
        ("v.x + v.y < w", [("v", None), ("w", None)]),
        ("time('walk') > -speed", [("time", ("walk",)), ("speed", None)]),
        ("state(m) == 'x'", [("state", ("m",)), ("m", None)]),
        ("max(speed, 2 * pace)", [("speed", None), ("pace", None)]),
        ("max(a, b)", [("max", ("a", "b")), ("a", None), ("b", None)]),
        ("raw_curve('walk', 'foot') > 1", [("raw_curve", ("walk", "foot"))]),
        ("1 < 2", []),
    ],
)
def test_terms_are_variables_and_calls_of_names(text, terms):
    assert terms_of(text) == terms


def test_so_many_terms_and_no_more():
    text = " + ".join(f"v{k}" for k in range(MOST_TERMS + 5))
    assert [name for name, _ in terms_of(text)] == [f"v{k}" for k in range(MOST_TERMS)]
    with pytest.raises(ExpressionError):
        terms_of("1 +")


def test_a_run_may_be_changed_from_the_very_step_that_is_asked():
    recording = Recording.of(machine(("a", "b", "speed > 2")).plan)
    first = [recording.step(0.1) for _ in range(4)]
    changed = recording.again(2, Instance(recording.instance.plan), {2: {"speed": 5.0}})
    assert first_difference(first, changed) == 2
    last = recording.again(2, Instance(recording.instance.plan), {3: {"speed": 5.0}})
    assert first_difference(first, last) == 3
    for early in (1, 4):
        with pytest.raises(ValidationError, match=f"expected changed inputs in steps 2 to 3, got {early}"):
            recording.again(2, Instance(recording.instance.plan), {early: {}})


def test_how_long_a_transition_of_this_very_step_runs_is_told_from_its_moment_on():
    never = {"interrupt": Interrupt.NEVER, "seconds": 0.4, "min_time": 0.13}
    mover = at(machine(("a", "b", "speed > 1", never), ("b", "c", "speed > 0")), 0.1)
    found = look(mover, 0.06, speed=2.0)
    assert found[0][:4] == ("a -> b", True, "taken", "at 0.0300 s of the step")
    assert found[1] == (
        "b -> c", False, "interrupt", "the running transition may not be interrupted for 0.4000 s", 0.03,
    )  # fmt: skip

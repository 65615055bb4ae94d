"""Which player an automatic rule looks at, through every node that a state may have: the heaviest, then the first."""

# ruff: noqa: E501 - a line a case

import pytest

from core.clips.clip import Additive, AdditiveSpace
from core.graph.graph import Node, TargetStart, Variable
from core.graph.instance import Instance
from tests.core.graph.builders import Drawing, swinging, walker

S = Variable("s", minimum=-9.0, maximum=9.0)
LENGTHS = {"short": 1.0, "fast": 2.0, "slow": 0.8}
"""Rates of three players of a clip of a second: they are over after 1, 0.5 and 1.25 s."""


def players(draw: Drawing) -> dict[str, Node]:
    return {
        name: draw.node("clip", name, {"rate": f"{rate}"}, clip="clip-once") for name, rate in LENGTHS.items()
    }


def state(kind: str, literals: dict, pins: dict[str, str], *, name: str = "", **parameters) -> Instance:
    """A machine that leaves its first state 0.25 s before the end of its heaviest player, a node over players."""
    additive = Additive(AdditiveSpace.LOCAL)
    draw = Drawing(
        swinging("once", looping=False), swinging("rest"), swinging("breath", looping=False, additive=additive),
        rig_=walker(), variables=(S,), slots=("G.U",), enums={"e": ("one", "two", "three")},
    )  # fmt: skip
    made = players(draw)
    breath = draw.node("clip", "breath", {"rate": "4"}, clip="clip-breath")
    node = draw.node(kind, "it", literals, **parameters)
    wires = [(breath if of == "breath" else made[of], node, pin) for pin, of in pins.items()]
    used = [n for n in (*made.values(), breath) if any(a is n for a, _, _ in wires)]
    first = draw.pose_sheet("first", [*used, node], wires, node)
    states = {"a": first, "b": draw.clip_sheet("rest")}
    arrow = ("a", "b", None, {"automatic": 0.25, "seconds": 0, "player": name})
    return draw.run(draw.machine_graph(draw.machine(states, [arrow])))


def left(instance: Instance, **inputs: float) -> float:
    """When the first state is left; infinite where it never is."""
    time = 0.0
    for _ in range(40):
        result = instance.step(0.05, inputs)
        found = [e.moment for e in result.events if str(e.kind) == "leave"]
        if found:
            return round(time + found[0], 6)
        time += 0.05
    return float("inf")


SHORT, FAST, SLOW = 0.75, 0.25, 1.0
TWO = {"a": "short", "b": "fast"}
MANY = {"pose_0": "short", "pose_1": "fast", "pose_2": "slow"}
CASES = [
    ("blend", {"alpha": "0.4"}, TWO, {}, SHORT), ("blend", {"alpha": "0.6"}, TWO, {}, FAST), ("blend", {"alpha": "0.5"}, TWO, {}, SHORT),
    ("blend", {"alpha": "0"}, TWO, {}, SHORT), ("blend", {"alpha": "9"}, TWO, {}, FAST),
    ("layered", {"weight": "1"}, {"base": "short", "layer": "fast"}, {"mask": "legs"}, SHORT),
    ("blend_many", {"weight_0": "1", "weight_1": "2", "weight_2": "1.5"}, MANY, {"count": 3}, FAST),
    ("blend_many", {"weight_0": "1", "weight_1": "1", "weight_2": "3"}, MANY, {"count": 3}, SLOW),
    ("blend_many", {}, MANY, {"count": 3}, SHORT),
    ("blend_by_int", {"value": "2"}, MANY, {"count": 3}, SLOW), ("blend_by_int", {"value": "1"}, MANY, {"count": 3}, FAST),
    ("blend_by_int", {"value": "7"}, MANY, {"count": 3, "default": 1}, FAST),
    ("blend_by_bool", {"value": "true"}, {"true": "fast", "false": "slow"}, {}, FAST),
    ("blend_by_bool", {"value": "false"}, {"true": "fast", "false": "slow"}, {}, SLOW),
    ("blend_by_enum", {"value": "'two'"}, {"one": "short", "two": "fast", "three": "slow"}, {"enum": "e"}, FAST),
    ("blend_by_name", {"value": "'y'"}, {"x": "short", "y": "fast", "z": "slow"}, {"names": ("x", "y", "z")}, FAST),
    ("blend_by_name", {"value": "'w'"}, {"x": "short", "y": "fast", "z": "slow"}, {"names": ("x", "y", "z"), "default": 2}, SLOW),
    ("apply_additive", {"alpha": "1"}, {"base": "short", "additive": "breath"}, {}, SHORT),
    ("mirror", {}, {"pose": "fast"}, {}, FAST), ("slot", {}, {"source": "slow"}, {"slot": "G.U"}, SLOW),
    ("inertialise", {}, {"pose": "fast"}, {}, FAST), ("modify_curve", {"value": "1"}, {"pose": "slow"}, {"curve": "c"}, SLOW),
    ("root_motion", {}, {"pose": "fast"}, {}, FAST), ("transform_bone", {"alpha": "0.5"}, {"pose": "slow"}, {"bone": "head"}, SLOW),
    ("look_at", {}, {"pose": "fast"}, {"bone": "head"}, FAST), ("stride_warp", {}, {"pose": "slow"}, {}, SLOW),
    ("plant_feet", {}, {"pose": "fast"}, {}, FAST), ("foot_placement", {}, {"pose": "slow"}, {}, SLOW),
    ("copy_bone", {}, {"pose": "fast"}, {"source": "head", "bone": "spine"}, FAST),
]  # fmt: skip


@pytest.mark.parametrize(
    ("kind", "literals", "pins", "more", "wanted"), CASES, ids=[f"{k} {c[0]}" for k, c in enumerate(CASES)]
)
def test_the_heaviest_player_says_when_a_state_is_over(kind, literals, pins, more, wanted):
    assert left(state(kind, literals, pins, **more)) == pytest.approx(wanted)


@pytest.mark.parametrize(
    ("name", "wanted"), [("short", SHORT), ("fast", FAST), ("", SHORT), ("nobody", float("inf"))]
)
def test_a_player_that_is_named_is_looked_at_however_heavy_it_is(name, wanted):
    assert left(state("blend", {"alpha": "0.1"}, TWO, name=name)) == pytest.approx(wanted)


def test_a_node_that_plays_nothing_is_never_over():
    assert left(state("rest", {}, {})) == float("inf")
    assert left(state("snapshot", {}, {}, snapshot="x")) == float("inf")


@pytest.mark.parametrize("start", [TargetStart.SAME_PHASE, TargetStart.SAME_FRACTION, TargetStart.AT])
@pytest.mark.parametrize(("kind", "literals", "pins", "more", "wanted"), CASES[:6])
def test_a_target_takes_the_phase_of_the_heaviest_player_and_gives_it_to_all(
    start, kind, literals, pins, more, wanted
):
    """From a state with players at other times to one with a node over two players: both stand where they are to."""
    draw = Drawing(swinging("once", looping=False), swinging("rest"), rig_=walker(), variables=(S,))
    made = players(draw)
    node = draw.node(kind, "it", literals, **more)
    wires = [(made[of], node, pin) for pin, of in pins.items()]
    used = [n for n in made.values() if any(a is n for a, _, _ in wires)]
    first = draw.pose_sheet("first", [*used, node], wires, node)
    one, two = (draw.node("clip", name, {"rate": "0"}, clip="clip-rest") for name in ("one", "two"))
    mix = draw.node("blend", "mix", {"alpha": "0.5"})
    second = draw.pose_sheet("second", [one, two, mix], [(one, mix, "a"), (two, mix, "b")], mix)
    arrow = ("a", "b", "s > 1", {"seconds": 0.3, "start": start, "start_at": 0.7})
    instance = draw.run(draw.machine_graph(draw.machine({"a": first, "b": second}, [arrow])))
    instance.step(0.1)
    instance.step(0.06, {"s": 2.0})
    rate = 1.0 if wanted == SHORT else 2.0
    for name in ("one", "two"):
        place = instance.plan.op_named(name).place.floats
        assert instance.state.floats[place] == pytest.approx(0.7 if start is TargetStart.AT else 0.1 * rate)


@pytest.mark.parametrize(("alpha", "wanted"), [("0.3", SHORT), ("0.45", SHORT), ("0.55", SLOW - 0.05)])
def test_a_choice_that_fades_by_bones_weighs_as_its_farthest_bone(alpha, wanted):
    """All bones but the hips go over at once, those take seconds: the chosen one weighs whole from the beginning."""
    draw = Drawing(swinging("once", looping=False), swinging("rest"), rig_=walker(), variables=(S,))
    made = players(draw)
    pick = draw.node(
        "blend_by_int", "pick", {"value": "if(s > 0, 1, 0)", "time_1": "9"}, count=2, mask="half"
    )
    mix = draw.node("blend", "mix", {"alpha": alpha})
    wires = [
        (made["fast"], pick, "pose_0"),
        (made["short"], pick, "pose_1"),
        (pick, mix, "a"),
        (made["slow"], mix, "b"),
    ]
    first = draw.pose_sheet("first", [*made.values(), pick, mix], wires, mix)
    arrow = ("a", "b", None, {"automatic": 0.25, "seconds": 0})
    instance = draw.run(draw.machine_graph(draw.machine({"a": first, "b": draw.clip_sheet("rest")}, [arrow])))
    instance.step(0.05, {"s": 0.0})  # the slow one plays from here on, the short one from its choice
    assert left(instance, s=1.0) == pytest.approx(wanted)

"""The update sheet: chains of actions, value nodes, reads of the last step."""

import pytest

from core.arrays import same_value
from core.graph.compile import compile_graph
from core.graph.events import EventKind
from core.graph.graph import Link, Node, Role, Sheet, SheetKind, Variable
from core.graph.instance import Instance
from core.graph.language.values import Kind
from core.graph.montage import Montage, Segment, SlotTrack
from core.graph.problems import GraphError
from core.ids import AssetId
from core.io.native.read import from_bytes
from core.io.native.write import to_bytes
from tests.core.graph.builders import RIG, Drawing, clip, walking

SPEED = Variable("speed", maximum=9.0, minimum=-9.0)
OWN = Variable("way", maximum=5.0, minimum=-5.0, role=Role.OWN)
COUNT = Variable("steps", Kind.INT, maximum=1e6, minimum=0.0, role=Role.OWN)
PLACE = Variable("place", Kind.VECTOR, (0.0, 0.0, 0.0), role=Role.OWN)


def drawing() -> Drawing:
    return Drawing(
        walking("walk", 1.0, 1.5), walking("run", 0.5, 4.0, x=1.0), clip("still", x=3.0),
        variables=(SPEED, OWN, COUNT, PLACE),
    )  # fmt: skip


def sheet(draw: Drawing, nodes: list[Node], wires: list[tuple[Node, Node, str]]) -> None:
    links = tuple(Link(a.id, b.id, pin) for a, b, pin in wires)
    draw.sheets.append(Sheet(draw.id(), "update", SheetKind.UPDATE, tuple(nodes), links))


def running(draw: Drawing, root=None) -> Instance:
    last = root or draw.clip_sheet("walk")
    graph = draw.graph(last)
    return Instance(compile_graph(graph, draw.project(graph)))


def chain(start: str, *actions: tuple[str, dict, dict], **begin) -> Instance:
    draw = drawing()
    first = draw.node(start, "", {}, **begin)
    nodes = [first, *(draw.node(kind, "", literals, **more) for kind, literals, more in actions)]
    sheet(draw, nodes, list(zip(nodes, nodes[1:], ["then"] * len(actions), strict=False)))
    return running(draw)


def test_variable_is_set_each_step_and_held_within_its_bounds():
    instance = chain("on_step", ("set", {"value": "way + speed * dt"}, {"variable": "way"}))
    for _ in range(4):
        instance.step(0.1, {"speed": 2.0})
    assert instance.value("way") == pytest.approx(0.8)
    instance.step(0.0)
    assert instance.value("way") == pytest.approx(0.8)
    for _ in range(90):
        instance.step(0.1)
    assert instance.value("way") == 5.0


def test_start_fires_once_though_the_first_step_has_no_seconds():
    instance = chain("on_start", ("set", {"value": "steps + 1"}, {"variable": "steps"}))
    for dt in (0.0, 0.0, 0.1, 0.1, 0.25):
        instance.step(dt)
    assert instance.value("steps") == 1.0


def test_actions_run_in_the_order_of_their_wires_with_their_own_conditions():
    instance = chain(
        "on_step",
        ("set", {"value": "2"}, {"variable": "way"}),
        ("set", {"value": "way * 2", "when": "speed > 0"}, {"variable": "way"}),
        ("set", {"value": "vec(way, speed, 1)"}, {"variable": "place"}),
    )
    instance.step(0.1)
    assert (instance.value("way"), instance.value("place")) == (2.0, (2.0, 0.0, 1.0))
    instance.step(0.1, {"speed": 3.0})
    assert (instance.value("way"), instance.value("place")) == (4.0, (4.0, 3.0, 1.0))


def test_event_of_the_last_step_starts_a_chain():
    instance = chain("on_event", ("set", {"value": "steps + 1"}, {"variable": "steps"}), event="step")
    for _ in range(30):
        instance.step(0.1)
    assert instance.value("steps") == 3.0  # the walk steps at 0.25, 1.25 and 2.25 s; the next is yet to come


def test_changed_variable_starts_a_chain_and_emits_an_event():
    instance = chain("on_changed", ("emit_event", {}, {"event": "faster"}), variable="speed")
    found = []
    for speed in (0.0, 0.0, 2.0, 2.0, 1.0):
        result = instance.step(0.1, {"speed": speed})
        found.append([e.name for e in result.events if e.kind is EventKind.CUSTOM])
    assert found == [[], [], ["faster"], [], ["faster"]]


def test_machine_goes_and_travels_as_the_sheet_says():
    for kind in ("go", "travel"):
        draw = drawing()
        states = {name: draw.clip_sheet(name) for name in ("walk", "run", "still")}
        arrows = [("walk", "run", "false", {"seconds": 0}), ("run", "still", "false", {"seconds": 0})]
        start = draw.node("on_changed", "", {}, variable="speed")
        act = draw.node(kind, "", {}, machine="machine", state="still")
        sheet(draw, [start, act], [(start, act, "then")])
        graph = draw.machine_graph(draw.machine(states, arrows))
        instance = Instance(compile_graph(graph, draw.project(graph)))
        assert instance.step(0.1).states["machine"] == "walk"
        result = instance.step(0.1, {"speed": 1.0})
        assert result.states["machine"] == "still"
        entered = [e.name for e in result.events if e.kind is EventKind.ENTER]
        assert entered == (["still"] if kind == "go" else ["run", "still"])


def test_snapshot_keeps_the_last_pose_and_is_shown_later():
    draw = drawing()
    run, shown = draw.play("run"), draw.node("snapshot", "shown", {}, snapshot="end")
    pick = draw.node("blend_by_bool", "pick", {"value": "speed > 1", "time": "0"})
    start = draw.node("on_changed", "", {}, variable="speed")
    save = draw.node("save_snapshot", "", {"when": "speed < 0"}, snapshot="end")
    root = draw.pose_sheet("main", [run, shown, pick], [(shown, pick, "true"), (run, pick, "false")], pick)
    sheet(draw, [start, save], [(start, save, "then")])
    instance = running(draw, root)
    never = instance.step(0.1, {"speed": 2.0})
    assert shown.id in never.flagged  # nothing was saved: the rest pose
    instance.restart()
    before = instance.step(0.1, {"speed": 0.0}).pose
    instance.step(0.1, {"speed": -1.0})
    result = instance.step(0.1, {"speed": 2.0})
    assert same_value(result.pose.translations, before.translations)
    assert not result.flagged


def test_sheet_asks_a_node_to_inertialise():
    draw = drawing()
    a, b = draw.play("walk"), draw.play("still")
    pick = draw.node("blend_by_bool", "pick", {"value": "speed > 0", "time": "0"})
    soft = draw.node("inertialise", "soft", {"seconds": "0.4"})
    start = draw.node("on_changed", "", {}, variable="speed")
    ask = draw.node("request_inertialise", "", {}, target="soft")
    root = draw.pose_sheet(
        "main", [a, b, pick, soft], [(b, pick, "true"), (a, pick, "false"), (pick, soft, "pose")], soft
    )
    sheet(draw, [start, ask], [(start, ask, "then")])
    instance = running(draw, root)
    for _ in range(3):
        instance.step(1 / 60)
    hips = [float(instance.step(1 / 60, {"speed": 1.0}).pose.translations[1, 0]) for _ in range(30)]
    assert 0.0 < hips[0] < 0.5
    assert hips[-1] == 3.0


# -------------------------------------------------------------------- value nodes
def valued(nodes: dict[str, tuple[str, dict, dict]], wires: list[tuple[str, str, str]]) -> Instance:
    """An update sheet that sets ``way`` each step to what the node *out* gives."""
    draw = drawing()
    made = {name: draw.node(kind, "", literals, **more) for name, (kind, literals, more) in nodes.items()}
    start, act = draw.node("on_step"), draw.node("set", "", {}, variable="way")
    links = [(made[a], made[b], pin) for a, b, pin in wires]
    sheet(draw, [start, act, *made.values()], [(start, act, "then"), (made["out"], act, "value"), *links])
    return running(draw)


def test_value_nodes_are_wired_like_expressions_are_written():
    instance = valued(
        {
            "speed": ("get", {}, {"variable": "speed"}),
            "twice": ("expression", {"value": "a * 2"}, {}),
            "out": ("function", {"low": "-1", "high": "abs(speed) + 0.5"}, {"function": "clamp"}),
        },
        [("speed", "twice", "a"), ("twice", "out", "x")],
    )
    for speed, wanted in ((0.25, 0.5), (3.0, 3.5), (-3.0, -1.0)):
        instance.step(0.1, {"speed": speed})
        assert instance.value("way") == pytest.approx(wanted)


def test_circle_through_previous_counts_up_one_a_step():
    instance = valued(
        {
            "out": ("expression", {"value": "before + 1"}, {}),
            "last": ("function", {}, {"function": "previous"}),
        },
        [("last", "out", "before"), ("out", "last", "x")],
    )
    found = []
    for dt in (0.1, 0.1, 0.0, 0.1):
        instance.step(dt)
        found.append(instance.value("way"))
    assert found == [1.0, 2.0, 2.0, 3.0]


def test_reads_say_what_the_last_step_left():
    draw = drawing()
    start, act = draw.node("on_step"), draw.node(
        "set", "", {"value": "vec(fraction(walk), bone(hips).y, if(active(walk), raw_curve(walk, level), -1))"},
        variable="place",
    )  # fmt: skip
    sheet(draw, [start, act], [(start, act, "then")])
    instance = running(draw)
    instance.step(0.25)
    instance.step(0.05)
    assert instance.value("place") == pytest.approx((0.25, 1.0, 0.0), abs=1e-9)


# -------------------------------------------------------------------- what is wrong
@pytest.mark.parametrize(
    ("nodes", "wires", "message"),
    [
        (
            [("on_step", {}, {}), ("set", {}, {"variable": "spede"})],
            [(0, 1)],
            "no variable 'spede'; near: speed",
        ),
        ([("on_step", {}, {}), ("set", {}, {"variable": "speed"})], [(0, 1)], "only own variables"),
        ([("on_step", {}, {}), ("set", {"value": "true"}, {"variable": "way"})], [(0, 1)], "expected float"),
        ([("on_step", {}, {}), ("go", {}, {"machine": "m", "state": "s"})], [(0, 1)], "no machine 'm'"),
        (
            [("on_step", {}, {}), ("request_inertialise", {}, {"target": "x"})],
            [(0, 1)],
            "no inertialise node",
        ),
        ([("on_event", {}, {}), ("set", {}, {"variable": "way"})], [(0, 1)], "no event is named"),
        ([("on_stop", {}, {})], [], "no node of kind 'on_stop' in update sheets; near: on_step"),
        (
            [("on_step", {}, {}), ("set", {}, {"variable": "way"}), ("set", {}, {"variable": "way"})],
            [(0, 1), (1, 2), (2, 1)],
            "in a circle",
        ),
    ],
)
def test_what_is_wrong_in_an_update_sheet_is_told_with_its_node(nodes, wires, message):
    draw = drawing()
    made = [draw.node(kind, "", literals, **more) for kind, literals, more in nodes]
    sheet(draw, made, [(made[a], made[b], "then") for a, b in wires])
    with pytest.raises(GraphError) as caught:
        running(draw)
    fitting = [p for p in caught.value.problems if message in p.message]
    assert fitting
    assert fitting[0].node in {node.id for node in made}


def test_circle_of_values_tells_its_path():
    with pytest.raises(GraphError) as caught:
        valued(
            {"out": ("expression", {"value": "a + 1"}, {}), "b": ("function", {}, {"function": "abs"})},
            [("b", "out", "a"), ("out", "b", "x")],
        )
    assert any(
        "the values go in a circle" in p.message and "previous" in p.message for p in caught.value.problems
    )


def test_update_sheet_survives_a_native_file_and_runs_again_with_the_same_bits():
    instance = chain("on_step", ("set", {"value": "way + random(0, 1, true)"}, {"variable": "way"}))
    graph = instance.plan.graph
    project = drawing().project(graph)
    assert same_value(from_bytes(to_bytes(project)), project)
    instance.step(0.1)
    state = instance.snapshot()
    instance.step(0.1)
    end = instance.snapshot()
    instance.restore(state)
    instance.step(0.1)
    assert instance.snapshot().same_bits(end)


def test_sheet_plays_a_montage_at_a_rate_and_wrong_names_are_told():
    def made(**names):
        draw = drawing()
        draw.parts["slots"] = ("Group.Upper",)
        segments = (Segment(AssetId("clip-still"), 0.0, 0.0, 1.0),)
        montage = Montage(AssetId("montage-wave"), "wave", RIG, "Group", (SlotTrack("Upper", segments),))
        draw.assets = (montage,)
        start = draw.node("on_changed", "", {}, variable="speed")
        act = draw.node("play_montage", "", {"rate": "speed"}, **names)
        sheet(draw, [start, act], [(start, act, "then")])
        walk, slot = draw.play("walk"), draw.node("slot", "upper", {}, slot="Group.Upper")
        return running(draw, draw.pose_sheet("main", [walk, slot], [(walk, slot, "source")], slot))

    instance = made(montage="wave")
    assert instance.step(0.1).montages == ()
    playing = instance.step(0.1, {"speed": 2.0}).montages
    assert [(p.name, round(p.position, 9)) for p in playing] == [("wave", 0.2)]
    with pytest.raises(GraphError, match="near: wave"):
        made(montage="wav")

"""The compiled kernel of the graph against its twin: spaces, sync groups, choices, slots and montages, IK."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.blending.blend_space import BlendSpace, MotionRule, Smoothing, SpaceAxis, SpaceKind, SpaceSample
from core.clips.clip import Notify, RootMotion, SyncMarker
from core.graph.commands import Command, Do
from core.graph.compile import compile_graph
from core.graph.events import EventKind
from core.graph.graph import SyncSetting, Tempo, Variable
from core.graph.instance import Instance
from core.graph.language.values import Kind
from core.graph.montage import Montage, Section, Segment, SlotTrack
from core.graph.runner import not_compiled
from core.ids import AssetId
from core.math import kernels
from tests.core.graph.builders import RIG, Drawing, swinging, walker
from tests.core.graph.test_kernel import assert_crowd_has_the_bits_of_singles, told
from tests.core.graph.test_laws import ALPHA, SPEED

GAIT = Variable("gait", Kind.ENUM, (0.0,), enum="gaits")
GOAL = Variable("goal", Kind.VECTOR, (0.1, 0.4, 0.2))
ASK = Variable("ask", Kind.BOOL, minimum=0.0, maximum=1.0)


@pytest.fixture(scope="module", autouse=True)
def loaded():
    if kernels.load() is None:
        pytest.skip("the compiled kernels cannot be used here")


def stride(name: str, degrees: float, length: float, **more):
    """A swinging loop of some length with two marked steps."""
    marks = (SyncMarker("left", 0.2 * length), SyncMarker("right", 0.7 * length))
    notifies = (Notify("step", 0.25), Notify("down", 0.6, duration=0.2)) if more.pop("steps", True) else ()
    return swinging(
        name, degrees, notifies=notifies, sync_markers=marks if more.pop("marked", True) else (), **more
    )


def clips():
    return (
        stride("walk", 30.0, 1.0, curves={"level": 0.4}),
        stride("run", -50.0, 1.0, root_motion=RootMotion(True), steps=False),
        stride("lean", 70.0, 1.0, marked=False, steps=False, curves={"level": 1.0, "other": 2.0}),
        swinging("once", 20.0, looping=False, curves={"other": 0.5}),
    )


@st.composite
def spaces(draw) -> BlendSpace:
    """A space over the clips on one or two axes."""
    names = draw(st.lists(st.sampled_from(["walk", "run", "lean", "once"]), min_size=1, max_size=4))
    wide = draw(st.booleans())
    places = [(0.0, 0.0), (4.0, 0.0), (1.0, 3.0), (3.0, 4.0)]
    axes = tuple(
        SpaceAxis(
            name, 0.0, 5.0, divisions=2, wrap=draw(st.booleans()),
            smoothing=draw(st.sampled_from(Smoothing)), smoothing_time=0.3,
        )
        for name in ("x", "y")[: 1 + wide]
    )  # fmt: skip
    samples = tuple(
        SpaceSample(AssetId(f"clip-{name}"), places[k] if wide else (k * 1.2,), 1.0 + 0.25 * k)
        for k, name in enumerate(names)
    )
    kind = draw(st.sampled_from([SpaceKind.GRID, SpaceKind.TRIANGLES])) if wide else SpaceKind.LINE
    return BlendSpace(
        AssetId("space-1"), "space", RIG, axes, samples, kind=kind, sync=draw(st.booleans()),
        root_motion=draw(st.sampled_from(MotionRule)), notifies=draw(st.sampled_from(MotionRule)),
        weight_speed=draw(st.sampled_from([0.0, 2.0])),
    )  # fmt: skip


MONTAGE = Montage(
    AssetId("montage-wave"), "wave", RIG, "Group",
    (SlotTrack("Upper", (Segment(AssetId("clip-once"), 0.0, 0.0, 0.8),)),), (Section("all", 0.0),),
)  # fmt: skip
PINS = {
    "blend": ("a", "b"), "layered": ("base", "layer"), "blend_by_bool": ("true", "false"),
    "blend_by_enum": ("stand", "go"), "blend_by_int": ("pose_0", "pose_1", "pose_2"),
    "blend_by_name": ("one", "two"), "blend_many": ("pose_0", "pose_1", "pose_2"), "slot": ("source",),
}  # fmt: skip
LEAVES = ("clip", "group clip", "blend_space", "group space")
KINDS = (*LEAVES, *PINS, "two_bone_ik", "look_at", "inertialise")
CHOSEN = {
    "blend_by_bool": "ask", "blend_by_enum": "gait", "blend_by_int": "if(speed > 1, 2, if(ask, 1, 0))",
    "blend_by_name": "if(ask, 'two', 'one')",
}  # fmt: skip


class _Tree:
    """Draws a random tree of nodes."""

    def __init__(self, draw) -> None:
        self.draw = draw
        tempo = SyncSetting("feet", draw(st.sampled_from(Tempo)))
        self.drawing = Drawing(
            *clips(), variables=(SPEED, ALPHA, GAIT, GOAL, ASK), rig_=walker(), slots=("Group.Upper",),
            assets=(draw(spaces()), MONTAGE), enums={"gaits": ("stand", "go")}, sync_groups=(tempo,),
        )  # fmt: skip
        self.axes = len(self.drawing.assets[0].axes)
        self.nodes, self.wires = [], []

    def one(self, *choices):
        return self.draw(st.sampled_from(choices))

    def node(self, kind, literals=None, **parameters):
        self.nodes.append(self.drawing.node(kind, f"{kind} {len(self.nodes)}", literals or {}, **parameters))
        return self.nodes[-1]

    def leaf(self, kind):
        literals = {"rate": self.one("1", "0.7 + alpha", "-0.8", "speed * 0.2")}
        group = {"group": "feet", "role": self.one("can_lead", "always", "never", "blended_in")}
        more = group if kind.startswith("group") else {}
        if kind.endswith("clip"):
            name = self.one("walk", "run", "lean", "once")
            return self.node("clip", literals, clip=f"clip-{name}", **more)
        literals |= dict(zip("xy"[: self.axes], ("speed", "alpha * 4"), strict=False))
        return self.node("blend_space", literals, space="space-1", **more)

    def made(self, kind):
        value = self.one("alpha", "ease_to(alpha, 0.1)", "0.4")
        if kind == "blend":
            return self.node(kind, {"alpha": value})
        if kind == "layered":
            return self.node(kind, {"weight": value}, branches=("spine:2",))
        if kind in CHOSEN:
            literals = {"value": CHOSEN[kind], "time": self.one("0.2", "0", "0.05 + alpha")}
            names = {"names": ("one", "two")} if kind == "blend_by_name" else {}
            enum = {"enum": "gaits"} if kind == "blend_by_enum" else {"count": 3}
            more = self.one({}, {"mask": "half"}, {"inertialise": True}, {"reset": True}, {"ease": "sine"})
            return self.node(kind, literals, **enum, **names, **more)
        if kind == "blend_many":
            weights = {"weight_0": "alpha", "weight_1": "speed * 0.3 - 0.4", "weight_2": self.one("0", "1")}
            return self.node(kind, weights, count=3)
        if kind == "slot":
            return self.node(kind, slot="Group.Upper")
        if kind == "two_bone_ik":
            return self.node(kind, {"goal": "goal", "alpha": value}, bone="foot_l")
        if kind == "look_at":
            return self.node(kind, {"goal": "goal", "alpha": value}, bone="head")
        return self.node(kind, {"request": "ask", "seconds": "0.2"})

    def pose(self, depth):
        kind = self.one(*(LEAVES if depth == 0 else KINDS))
        if kind in LEAVES:
            return self.leaf(kind)
        pins = PINS.get(kind, ("pose",))
        below = [self.pose(depth - 1) for _ in pins]
        made = self.made(kind)
        self.wires += [(b, made, pin) for b, pin in zip(below, pins, strict=True)]
        return made


@st.composite
def trees(draw):
    tree = _Tree(draw)
    last = tree.pose(draw(st.integers(0, 3)))
    drawing = tree.drawing
    return drawing, drawing.graph(drawing.pose_sheet("main", tree.nodes, tree.wires, last))


given_inputs = st.fixed_dictionaries(
    {},
    optional={
        "speed": st.floats(-3, 6), "alpha": st.floats(0, 1), "gait": st.sampled_from(["stand", "go"]),
        "ask": st.booleans(), "goal": st.lists(st.floats(-1, 1), min_size=3, max_size=3),
    },
)  # fmt: skip
spans = st.one_of(st.just(0.0), st.floats(0.001, 0.09), st.just(1 / 60), st.just(0.25))
runs = st.lists(st.tuples(spans, given_inputs, st.integers(0, 5)), max_size=14)
COMMANDS = {0: Command(Do.PLAY, "wave"), 1: Command(Do.STOP, "wave", seconds=0.1)}


@settings(max_examples=30, deadline=None)
@given(trees(), runs)
def test_kernel_and_twin_agree_over_random_graphs_of_players_choices_and_montages(tree, steps):
    drawing, graph = tree
    plan = compile_graph(graph, drawing.project(graph))
    compiled, plain = Instance(plan), Instance(plan)
    assert compiled.runner is not None
    plain.runner = None
    kinds = {node.kind for sheet in graph.sheets for node in sheet.nodes}
    plays = "slot" in kinds
    # How far a leg that is all but straight bends is the root of the last digits.
    nearly = 1e-7 if "two_bone_ik" in kinds else 1e-9
    for dt, inputs, number in steps:
        commands = [COMMANDS[number]] if plays and number in COMMANDS else []
        found, wanted = (i.step(dt, inputs, commands=commands) for i in (compiled, plain))
        assert found.numbers == pytest.approx(wanted.numbers, abs=nearly)
        assert told(found.events) == told(wanted.events)
        assert found.states == wanted.states
        assert [m.name for m in found.montages] == [m.name for m in wanted.montages]


@settings(max_examples=15, deadline=None)
@given(trees(), runs)
def test_many_of_such_graphs_have_the_bits_of_one_by_one(tree, steps):
    drawing, graph = tree
    plan = compile_graph(graph, drawing.project(graph))
    assert_crowd_has_the_bits_of_singles(plan, [(dt, inputs) for dt, inputs, _ in steps], 6)


def test_players_choices_and_idle_slots_are_compiled():
    drawing = Drawing(
        *clips(), variables=(SPEED, ALPHA, ASK), rig_=walker(), slots=("Group.Upper",), assets=(MONTAGE, LINE)
    )
    space = drawing.node("blend_space", "space", {"x": "speed"}, space="space-1", group="feet")
    walk = drawing.node("clip", "walk", {}, clip="clip-walk", group="feet")
    choice = drawing.node("blend_by_bool", "choice", {"value": "ask"})
    slot = drawing.node("slot", "slot", slot="Group.Upper")
    wires = [(space, choice, "true"), (walk, choice, "false"), (choice, slot, "source")]
    graph = drawing.one(space, walk, choice, slot, wires=wires)
    assert not_compiled(compile_graph(graph, drawing.project(graph))) == ()


LINE = BlendSpace(
    AssetId("space-1"), "space", RIG, (SpaceAxis("x", 0.0, 4.0),),
    (SpaceSample(AssetId("clip-walk"), (0.0,)), SpaceSample(AssetId("clip-run"), (4.0,))), kind=SpaceKind.LINE,
)  # fmt: skip


def quiet_steps(instance: Instance, count: int, inputs: dict) -> int:
    """How many of some steps the kernel did without Python's logic."""
    runner, alone = instance.runner, 0
    assert runner is not None
    act, logic, end = instance.works
    for _ in range(count):
        asked = []

        def noted(run, asked=asked):
            asked.append(run)
            logic(run)

        inner = instance.take_in(1 / 60, inputs)
        runner.step(instance.asking(runner, 1 / 60), inner, act, noted, end)
        alone += not asked
    return alone


def test_most_steps_of_a_sync_group_are_the_kernels_alone():
    drawing = Drawing(*clips(), variables=(SPEED,), rig_=walker(), assets=(LINE,))
    space = drawing.node("blend_space", "space", {"x": "speed"}, space="space-1", group="feet")
    other = drawing.node("clip", "lean", {}, clip="clip-lean", group="feet")
    mix = drawing.node("blend", "mix", {"alpha": "0.5"})
    graph = drawing.one(space, other, mix, wires=[(space, mix, "a"), (other, mix, "b")])
    instance = drawing.run(graph)
    assert quiet_steps(instance, 60, {"speed": 2.0}) > 30


def test_slot_in_which_nothing_plays_has_the_bits_of_its_source():
    found = []
    for slotted in (False, True):
        drawing = Drawing(*clips(), rig_=walker(), slots=("Group.Upper",), assets=(MONTAGE,))
        nodes, wires = [drawing.play("run")], []
        if slotted:
            nodes.append(drawing.node("slot", "slot", slot="Group.Upper"))
            wires.append((nodes[0], nodes[1], "source"))
        instance = drawing.run(drawing.one(*nodes, wires=wires))
        found.append([instance.step(0.03).pose.local.rotation.tobytes() for _ in range(20)])
    assert found[0] == found[1]


def test_montage_that_is_commanded_plays_in_a_compiled_run_and_ends():
    drawing = Drawing(*clips(), rig_=walker(), slots=("Group.Upper",), assets=(MONTAGE,))
    play = drawing.play("walk")
    slot = drawing.node("slot", "slot", slot="Group.Upper")
    graph = drawing.one(play, slot, wires=[(play, slot, "source")])
    instance = drawing.run(graph)
    assert instance.step(0.03).montages == ()
    result = instance.step(0.03, commands=[Command(Do.PLAY, "wave")])
    assert [event.kind for event in result.events if event.kind is EventKind.MONTAGE_STARTED]
    for _ in range(60):
        result = instance.step(0.03)
    assert result.montages == ()

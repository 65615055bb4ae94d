"""What the compiler says of graphs that are wrong as wholes: machines, update sheets, links, montages, the language.

Each case is held whole (see `tests/pins`): every problem with its sheet, node, pin and column, in order. What single
settings of pose nodes say is in `nodes/test_settings`.
"""

# ruff: noqa: E501 - a line a case

from dataclasses import fields, replace

import numpy as np
import pytest

from core.blending.easing import EaseShape, Easing
from core.clips.clip import Additive, AdditiveBase, AdditiveSpace, Notify, NotifyRule
from core.graph import machine_ways
from core.graph.compile import compile_graph
from core.graph.graph import BlendKind, Graph, Link, Node, NodeId, Role, Sheet, SheetKind, Variable
from core.graph.language.values import Kind
from core.graph.machine import MachineOp
from core.graph.montage import Montage, MontageBlend, Section, Segment, SlotTrack
from core.graph.problems import GraphError, Problem
from core.ids import AssetId
from tests.core.graph.builders import RIG, Drawing, swinging, walker
from tests.pins import Pins

HELD = Pins(__file__)
VARIABLES = (
    Variable("speed", minimum=-9.0, maximum=9.0), Variable("own", role=Role.OWN, minimum=-5.0, maximum=5.0),
    Variable("at", Kind.VECTOR, (0.0, 0.0, 0.0), role=Role.OWN), Variable("on", Kind.BOOL, maximum=1.0, role=Role.OWN),
    Variable("gait", Kind.ENUM, enum="gaits", role=Role.OWN, maximum=1.0), Variable("who", Kind.NAME, role=Role.OWN),
    Variable("go", Kind.BOOL, maximum=1.0, role=Role.TRIGGER),
)  # fmt: skip
CONDITION = NotifyRule(condition="sped > 1")


def drawing(*assets, **more) -> Drawing:
    additive = Additive(AdditiveSpace.LOCAL, AdditiveBase.FIRST_FRAME)
    clips = (swinging("walk"), swinging("run", 50.0), swinging("breath", 9.0, additive=additive),
             replace(swinging("other"), rig=AssetId("rig-9")), swinging("odd", notifies=(Notify("n", 0.1, rule=CONDITION),)))  # fmt: skip
    more.setdefault("slots", ("Group.Upper",))
    return Drawing(
        *clips, rig_=walker(), variables=VARIABLES, enums={"gaits": ("walk", "run")}, assets=assets, **more
    )


def told(draw: Drawing, graph: Graph) -> list:
    """All that is said of a graph, warnings too; of one that can be run also its values and its machines."""
    try:
        plan = compile_graph(graph, draw.project(graph))
    except GraphError as error:
        return list(error.problems)
    machines = [op for op in plan.ops if isinstance(op, MachineOp)]
    return [
        list(plan.warnings), plan.program.rows, plan.program.registers, plan.names, len(plan.actions),
        sorted(plan.branches), [(op.name, type(op).__name__, op.inputs) for op in plan.ops],
        [simple(t) for op in machines for t in op.transitions],
        [(s.name, s.root, s.reset, s.exits, len(s.does)) for op in machines for s in op.states], [op.entries for op in machines],
    ]  # fmt: skip


def simple(thing: object) -> list:
    """The fields of a dataclass that are words and numbers, or lists of those."""
    found = [getattr(thing, field.name) for field in fields(thing)]
    return [x for x in found if isinstance(x, str | int | float | tuple | np.ndarray | None)]


# -------------------------------------------------------------------- machines
def machine(arrows=(), *, literals=None, extra=(), change=None, names="abc") -> list:
    """Of a machine of three states, whose first does what the literals say."""
    draw = drawing()
    states = {name: draw.clip_sheet("walk") for name in names}
    extra = tuple(draw.node(kind, name, {}, **more) for kind, name, more in extra)
    made = draw.machine(states, [("a", "b", "speed > 1"), ("b", "c", "speed > 1"), *arrows], extra)
    if literals:
        made = replace(made, nodes=(replace(made.nodes[0], literals=literals), *made.nodes[1:]))
    if change:
        made = change(made)
    draw.sheets[-1] = made
    return told(draw, draw.machine_graph(made))


def retold(**more):
    """A change of a machine's first transition."""
    return lambda sheet: replace(
        sheet, transitions=(replace(sheet.transitions[0], **more), *sheet.transitions[1:])
    )


def blended(**more):
    """A change of the blend of a machine's first transition."""
    return lambda sheet: retold(blend=replace(sheet.transitions[0].blend, **more))(sheet)


BAD_EASE = Easing(EaseShape.CURVE, curve="bend")
MACHINES = {
    "sound": {},
    "no rule": {"arrows": [("c", "a", None)]},
    "wrong rules": {"arrows": [("a", "c", "sped > 1"), ("a", "c", "1 + 1"), ("a", "c", "take('gone')"), ("c", "a", "held(")]},
    "wrong blend": {"arrows": [("a", "c", "speed > 2", {"seconds": "speed >"}), ("a", "c", "speed > 2", {"seconds": "true"})]},
    "no state": {"change": lambda s: replace(s, nodes=(), transitions=())},
    "begins nowhere": {"change": retold(source=NodeId("n-00000bad"))},
    "leads nowhere": {"change": retold(target=NodeId("n-00000bad"))},
    "begins at an exit": {"extra": [("exit", "out", {})], "arrows": [("out", "a", "speed > 1")]},
    "begins at an entry": {"extra": [("entry", "in", {})], "arrows": [("in", "b", "speed > 1"), ("in", "c", None)]},
    "entry to an exit": {"extra": [("entry", "in", {}), ("exit", "out", {})], "arrows": [("in", "out", None), ("a", "out", None)]},
    "leads to any": {"extra": [("any", "every", {})], "arrows": [("a", "every", "speed > 1")]},
    "conduits in a circle": {"extra": [("conduit", "c1", {}), ("conduit", "c2", {})],
                             "arrows": [("a", "c1", None), ("c1", "c2", None), ("c2", "c1", None), ("c2", "b", None)]},
    "any to itself": {"extra": [("any", "every", {"to_self": True})], "arrows": [("every", "b", "speed > 1")]},
    "any of some": {"extra": [("any", "every", {"states": ("a", "nobody")})], "arrows": [("every", "b", "speed > 1")]},
    "no map": {"change": blended(easing=BAD_EASE)},
    "no profile": {"change": blended(profile="nobody")},
    "no sheet of its own": {"change": blended(kind=BlendKind.CUSTOM)},
    "custom with a profile": {"change": blended(kind=BlendKind.CUSTOM, profile="legs")},
    "does": {"literals": {"enter": "own := speed * 2; emit('landed')\nat := vec(1, speed, 0)", "leave": "on := true", "full": " ",
                          "gone": "gait := 'run'"}},
    "does what it may not": {"literals": {"enter": "speed := 1; go := true", "full": "owm := 1", "leave": "own = 2; emit(landed)",
                                          "gone": "own := true; at := 1; gait := 'fly'; own :="}},
    "does too much": {"literals": {"enter": ";".join(["own := 1"] * 101), "leave": ";".join(["own := 1"] * 100)}},
    "resets oddly": {"change": lambda s: replace(s, nodes=(replace(s.nodes[0], parameters={**s.nodes[0].parameters, "reset": "?"}), *s.nodes[1:]))},
    "sheet is gone": {"change": lambda s: replace(s, nodes=(replace(s.nodes[0], parameters={"sheet": "n-00000bad"}), *s.nodes[1:]))},
}  # fmt: skip


@pytest.mark.parametrize("case", MACHINES)
def test_machines(case):
    HELD.hold(f"machine, {case}", machine(**MACHINES[case]))


def custom(sheet_of) -> list:
    """Of a machine whose first transition blends by a sheet."""
    draw = drawing()
    states = {name: draw.clip_sheet("walk") for name in "ab"}
    arrow = ("a", "b", "speed > 1", {"blend": {"kind": BlendKind.CUSTOM}})
    made = draw.machine(states, [arrow, ("b", "a", None)])
    inside = sheet_of(draw, made)
    blend = replace(made.transitions[0].blend, sheet=inside.id)
    made = replace(made, transitions=(replace(made.transitions[0], blend=blend), *made.transitions[1:]))
    draw.sheets = [made if sheet.id == made.id else sheet for sheet in draw.sheets]
    return told(draw, draw.machine_graph(made))


def mixed(draw: Drawing, made: Sheet, which=("source", "target"), value="w"):
    inputs = [draw.node("pose_input", "", input=name) for name in which]
    mix = draw.node("blend", "mix", {"alpha": value})
    wires = list(zip(inputs, (mix, mix), ("a", "b"), strict=True))
    return draw.pose_sheet("custom", [*inputs, mix], wires, mix)


CUSTOMS = {
    "sound": mixed,
    "other inputs": lambda draw, made: mixed(draw, made, ("sauce", "")),
    "a value that is not there": lambda draw, made: mixed(draw, made, value="ww"),
    "a machine": lambda draw, made: made,
    "holds its machine": lambda draw, made: (
        node := draw.node("machine", "again", sheet=made.id),
        draw.pose_sheet("custom", [node], [], node),
    )[1],
}


@pytest.mark.parametrize("case", CUSTOMS)
def test_blends_of_their_own(case):
    HELD.hold(f"custom, {case}", custom(CUSTOMS[case]))


def test_machines_held_deep_within_each_other():
    draw = drawing()
    inside = draw.clip_sheet("walk")
    for _ in range(120):
        node = draw.node("machine", "m", sheet=draw.machine({"a": inside}, []).id)
        inside = draw.pose_sheet("s", [node], [], node)
    found = told(draw, draw.graph(inside))
    HELD.hold("deep", len(found), found[:2])


# -------------------------------------------------------------------- the update sheet
def update(*nodes: tuple[str, dict, dict], wires=None, slots=("Group.Upper",), montage=True) -> list:
    draw = drawing(*((wave(),) if montage and slots else ()), slots=slots)
    made = [draw.node(kind, "", literals, **more) for kind, literals, more in nodes]
    wires = [(k, k + 1) for k in range(len(made) - 1)] if wires is None else wires
    links = tuple(Link(made[a].id, made[b].id, "then") for a, b in wires)
    draw.sheets.append(Sheet(draw.id(), "update", SheetKind.UPDATE, tuple(made), links))
    soft, walk = draw.node("inertialise", "soft"), draw.play("walk")
    states = {name: draw.clip_sheet("walk") for name in "ab"}
    node = draw.node("machine", "legs", sheet=draw.machine(states, [("a", "b", "speed > 1")]).id)
    mix = draw.node("blend", "mix", {"alpha": "speed"})
    wires = [(walk, soft, "pose"), (soft, mix, "a"), (node, mix, "b")]
    return told(draw, draw.graph(draw.pose_sheet("main", [walk, soft, node, mix], wires, mix)))


def wave(**more) -> Montage:
    track = SlotTrack("Upper", (Segment(AssetId("clip-run"), 0.0, 0.0, 1.0),))
    values = {"tracks": (track,), "sections": (Section("one", 0.0), Section("two", 0.5)), **more}
    return Montage(AssetId("montage-wave"), "wave", RIG, "Group", **values)


STEP = ("on_step", {}, {})
SET = ("set", {"value": "1"}, {"variable": "own"})
UPDATES = {
    "sound": [STEP, SET, ("emit_event", {}, {"event": "e"}), ("save_snapshot", {}, {"snapshot": "s"})],
    "every start": [("on_start", {}, {}), SET],
    "changed": [("on_changed", {}, {"variable": "sped"}), SET],
    "event without a name": [("on_event", {}, {}), SET],
    "sets": [STEP, *(("set", {}, {"variable": name}) for name in ("own", "at", "on", "gait", "who"))],
    "sets wrongly": [STEP, *(("set", {"value": text}, {"variable": name})
                             for name, text in (("own", "true"), ("at", "1"), ("on", "1"), ("gait", "'fly'"), ("who", "2"), ("own", "x +")))],
    "sets what it may not": [STEP, ("set", {}, {"variable": "speed"}), ("set", {}, {"variable": "go"}), ("set", {}, {"variable": "nobody"})],
    "only when": [STEP, ("set", {"when": "speed"}, {"variable": "own"}), ("set", {"when": "speed > 1"}, {"variable": "own"})],
    "event": [STEP, ("emit_event", {}, {})],
    "snapshot": [STEP, ("save_snapshot", {}, {})],
    "inertialise": [STEP, ("request_inertialise", {}, {"target": "sofd"}), ("request_inertialise", {}, {"target": "soft"})],
    "go": [STEP, ("go", {}, {"machine": "legs", "state": "b"}), ("travel", {}, {"machine": "legs", "state": "a"})],
    "go nowhere": [STEP, ("go", {}, {"machine": "legs", "state": "b"}), ("travel", {}, {"machine": "legs", "state": "bb"})],
    "montage": [STEP, *((f"{do}_montage", {}, {"montage": "wave", "section": "two", "to": "one"})
                        for do in ("play", "stop", "pause", "resume", "jump", "next", "rate"))],
    "montage that is not there": [STEP, ("play_montage", {}, {"montage": "wafe"}), ("jump_montage", {}, {"montage": "wave", "section": "x"})],
    "clip": [STEP, ("play_clip", {"rate": "speed", "in": "0.1"}, {"clip": "clip-run", "slot": "Group.Upper"})],
    "clip that is not there": [STEP, ("play_clip", {}, {"clip": "gone", "slot": "Group.Upper"})],
    "clip in no slot": [STEP, ("play_clip", {}, {"clip": "clip-run", "slot": "Group.Uper"})],
    "no kind": [STEP, ("seet", {}, {"variable": "own"})],
    "an action at the end of nothing": [SET, ("on_step", {}, {})],
    "too many": [STEP, *[SET] * 2_001],
}  # fmt: skip


@pytest.mark.parametrize("case", UPDATES)
def test_update_sheets(case):
    HELD.hold(f"update, {case}", update(*UPDATES[case]))


def test_update_sheets_of_graphs_without_slots_or_with_wires_to_nowhere():
    play = ("play_montage", {}, {"montage": "wave"})
    HELD.hold("update, no slot", update(STEP, play, slots=()))
    HELD.hold(
        "update, no slot for a clip",
        update(STEP, ("play_clip", {}, {"clip": "clip-run", "slot": "x"}), slots=()),
    )
    HELD.hold("update, a wire to a start", update(STEP, ("on_start", {}, {}), wires=[(0, 1)]))
    HELD.hold(
        "update, two chains", update(STEP, ("on_start", {}, {}), SET, SET, wires=[(0, 2), (1, 2), (2, 3)])
    )


# -------------------------------------------------------------------- links, montages, values
def linked(inner: Graph, *literals: str, **more) -> list:
    draw = drawing(inner)
    node = draw.node("linked_graph", "in", dict.fromkeys(literals, "1"), graph=inner.id, **more)
    return told(draw, draw.one(node))


def test_linked_graphs():
    inner = Graph(
        AssetId("graph-in"),
        "inner",
        RIG,
        (Variable("a", maximum=9.0, minimum=-9.0), Variable("b", role=Role.OWN)),
    )
    output = Sheet(NodeId("n-0000000a"), "main", nodes=(Node(NodeId("n-0000000b"), "output"),))
    whole = replace(inner, sheets=(output,))
    with HELD.together("linked") as note:
        note(
            linked(inner),
            linked(whole),
            linked(whole, "a"),
            linked(whole, "b", "c"),
            linked(whole, "c", slot="s"),
        )
        note(linked(replace(whole, rig=AssetId("rig-9"))), linked(replace(whole, id=AssetId("graph-1"))))
        note(linked(replace(whole, sheets=(replace(output, nodes=()),))))


def test_graphs_linked_too_deep():
    inner = []
    for k in range(18):
        node = Node(NodeId("n-00000001"), "linked_graph", {"graph": f"graph-{k + 1}"} if k < 17 else {})
        output = Node(NodeId("n-00000002"), "output")
        sheet = Sheet(
            NodeId("n-00000003"), "main", nodes=(node, output), links=(Link(node.id, output.id, "pose"),)
        )
        inner.append(Graph(AssetId(f"graph-{k}"), f"g{k}", RIG, sheets=(sheet,)))
    for first in (0, 1, 2, 3):
        draw = drawing(*(g for g in inner if g is not inner[first]))
        HELD.hold(f"linked deep from {first}", told(draw, inner[first]))


SEGMENTS = {
    "sound": {}, "no segment": {"tracks": (SlotTrack("Upper", ()),)},
    "an empty track": {"tracks": (*wave().tracks, SlotTrack("Legs", ()))},
    "no clip": {"tracks": (SlotTrack("Upper", (Segment(AssetId("gone"), 0.0, 0.0, 1.0),)),)},
    "a clip of another rig": {"tracks": (SlotTrack("Upper", (Segment(AssetId("clip-other"), 0.5, 0.0, 1.0),)),)},
    "a clip played too far": {"tracks": (SlotTrack("Upper", (Segment(AssetId("clip-run"), 0.0, 0.0, 1.5),)),)},
    "plain and additive": {"tracks": (SlotTrack("Upper", (Segment(AssetId("clip-run"), 0.0, 0.0, 1.0), Segment(AssetId("clip-breath"), 1.0, 0.0, 1.0))),)},
    "a section beyond its end": {"sections": (Section("one", 0.0, "far"), Section("far", 1.0))},
    "a wrong condition": {"notifies": (Notify("n", 0.5, rule=CONDITION),)},
    "a clip's wrong condition": {"tracks": (SlotTrack("Upper", (Segment(AssetId("clip-odd"), 0.0, 0.0, 1.0),)),)},
    "no map": {"blend_in": MontageBlend(0.1, BAD_EASE), "blend_out": MontageBlend(0.1, BAD_EASE)},
    "no profile": {"blend_out": MontageBlend(0.1, profile="nobody")},
}  # fmt: skip


@pytest.mark.parametrize("case", SEGMENTS)
def test_montages(case):
    draw = drawing(wave(**SEGMENTS[case]))
    slot = draw.node("slot", "s", slot="Group.Upper")
    HELD.hold(f"montage, {case}", told(draw, draw.one(draw.play("walk"), slot, wires=[])))


def test_montages_of_one_name():
    draw = drawing(
        wave(), replace(wave(), id=AssetId("montage-2")), replace(wave(), id=AssetId("montage-3"), name="b")
    )
    HELD.hold("montage, two of one name", told(draw, draw.one(draw.play("walk"))))


EXPRESSIONS = (
    "pi", "-true", "-'a'", "not 1", "true + 1", "1 + true", "vec(1, 2, 3) + 1", "vec(1, 2, 3) * vec(1, 2, 3)", "2 * vec(1, 2, 3)",
    "vec(1, 2)", "vec(1, 2, true)", "min(true, 1)", "min()", "max(vec(1, 2, 3), 1)", "clamp(1, 2)", "lerp(1, 2, true)",
    "time(speed)", "time(1)", "time('nobody')", "state('it')", "curve(1 + 1)", "curve('a', 'b')", "raw_curve('it')", "map('m', 1)",
    "if(1, 2, 3)", "if(true, 2, 'a')", "if(true, vec(1, 2, 3), 1)", "gait == 'walk'", "gait == 'fly'", "gait == 1", "who == 'x'", "1 == true",
    "speed.x", "at.x", "at.w", "speed and true", "true or 1", "1 < true", "at < at", "at == at", "previous(speed)", "previous('a')",
    "held(1)", "rose(speed)", "random(1)", "random(0, 1, 2)", "ease_to(speed)", "spring(speed, 1)", "nothing(1)", "spede", "time_in_state", "1 % 0",
    "abs('a')", "abs(vec(1, 2, 3))", "length(1)", "normalise(at).x", "axis_angle(at, 1)", "dot(at, 1)", "event('x')", "fired('go')", "take('go')",
    "fired('speed')", "exited('it')", "active('it')", "bone('head').y", "bone('nobody').y", "ground_height(at)", "ground_height(1)",
)  # fmt: skip


def test_expressions_are_told_what_is_wrong_with_them():
    for text in EXPRESSIONS:
        draw = drawing()
        node = draw.node("modify_curve", "", {"value": text}, curve="lift")
        play = replace(draw.play("walk"), name="it")
        HELD.hold(f"value, {text}", told(draw, draw.one(play, node)))


@pytest.mark.parametrize(("most", "refused"), [(6, False), (5, True)])
def test_so_many_ways_and_no_more(most, refused, monkeypatch):
    """Two ways of states, and one from the entry; a conduit with two ways on counts once for itself and once for each."""
    monkeypatch.setattr(machine_ways, "MOST_WAYS", most)
    found = machine(
        [("a", "c1", "speed > 1"), ("c1", "b", None), ("c1", "c", None), ("in", "b", None)],
        extra=[("conduit", "c1", {}), ("entry", "in", {})],
    )
    told = [problem.message for problem in found if isinstance(problem, Problem)]
    assert told == (
        [f"its conduits and any states make more than {most} ways from state to state; use fewer"] * refused
    )

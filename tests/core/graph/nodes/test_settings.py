"""Each setting of each pose node alone: what the compiler says to it, what becomes of it, and what it plays.

The catalogue says which settings a node has; each is given some values, in a node that has all others as they are left
out or as its kind needs them. Held by pins (see `tests/pins`): the problems with their places, the plan as the kernel
reads it, and three steps, which the twin makes as well (see conftest).
"""

# ruff: noqa: E501 - a line a setting

from functools import cache

import pytest

from core.blending.blend_space import BlendSpace, SpaceAxis, SpaceKind, SpaceSample
from core.clips.clip import Additive, AdditiveBase, AdditiveSpace
from core.graph.catalogue.every import NODE_TYPES, shape_of
from core.graph.catalogue.pins import Form, Parameter, PinKind, Surroundings
from core.graph.compile import compile_graph
from core.graph.graph import Graph, Node
from core.graph.instance import Instance
from core.graph.kinds import KINDS
from core.graph.language.values import BOOL, FLOAT, INT, NAME, QUATERNION, VECTOR
from core.graph.packing import pack
from core.graph.plan import Plan
from core.graph.problems import GraphError
from core.ids import AssetId
from core.tracks.keys import scalar_track
from tests.core.graph.builders import RIG, Drawing, swinging
from tests.core.graph.nodes.test_any_node import PINS, drawing_with_everything
from tests.core.graph.nodes.test_node_stories import slope
from tests.pins import Pins

HELD = Pins(__file__)
APART = {"output", "machine", "get_up", "ragdoll", "linked_graph", "pose_input", "transition_input"}
"""Kinds that need more around them; they have tests of their own."""
NEEDS: dict[str, dict] = {
    "clip": {"clip": "clip-walk"}, "blend_space": {"space": "space-lean"}, "modify_curve": {"curve": "lift"},
    "slot": {"slot": "Group.Upper"}, "use_pose": {"name": "kept"}, "save_pose": {"name": "kept"},
    "aim_offset": {"space": "space-aim"}, "transform_bone": {"bone": "spine"}, "two_bone_ik": {"bone": "foot_l"},
    "copy_bone": {"source": "foot_l", "bone": "head"}, "chain_ik": {"root": "hips", "tip": "head"},
    "look_at": {"bone": "head"}, "layered": {"mask": "legs"}, "pose_asset": {"asset": "asset-face"},
    "snapshot": {"snapshot": "kept"}, "blend_by_enum": {"enum": "gaits"}, "blend_by_name": {"names": ("one", "two")},
}  # fmt: skip
SPARED: dict[str, dict] = {"chain_ik": {"iterations": 3}}
"""What a node has instead of its defaults where it does not matter: fewer turns of a slow solver."""
OF_FORM: dict[Form, tuple] = {
    Form.TRUTH: (True, False), Form.TEXT: ("kept", 3.0), Form.TEXTS: (("one",), "one", ("a", "b", "c")),
    Form.NUMBERS: ((1.0, 2.0, 3.0), (0.0, 0.0, 0.0), (1.0,), "x", (True, 1.0, 1.0)), Form.BONE: ("calf_l", "nobody", 3.0, ""),
    Form.BONES: (("spine",), ("nobody",), "spine"), Form.MASK: ("half", "nobody", 7.0), Form.CURVE: ("lift", "other", "", 4.0),
    Form.CURVES: (("lift",), ("other",), "lift"), Form.SETUP: ("back", "left leg", "no"), Form.CLIP: ("clip-breath", "clip-no", None),
    Form.SPACE: ("space-no",), Form.AIM: ("space-no", "space-lean"), Form.POSES: ("asset-no",), Form.ENUM: ("?", ""),
    Form.SLOT: ("Group.Uper", ""), Form.GROUP: ("feet",), Form.SNAPSHOT: ("other", ""), Form.SAVED: ("other", ""),
    Form.MAP: ("bent", "straight"),
}  # fmt: skip
TYPED = {
    FLOAT: ("0.75", "s", "-1", "true", "30"), BOOL: ("s > 0", "true", "false", "1"), INT: ("1", "2", "s", "-1"),
    VECTOR: ("vec(0.1, 0.5, s)", "1", "v"), QUATERNION: ("axis_angle(vec(0, 1, 0), 30 * s)", "v"), NAME: ("'two'", "'no'", "1"),
}  # fmt: skip


def values(parameter: Parameter) -> dict[str, tuple]:
    """What a parameter is tried with; very large numbers apart, so that they hide no others."""
    if parameter.form is Form.CHOICE:
        return {"": (*parameter.choices, "?")}
    if parameter.form in (Form.NUMBER, Form.WHOLE):
        least, most = parameter.least, parameter.most
        near = tuple(x for x in (least, most, least + 2.0, most - 0.5, 0.7, 3.0) if -100.0 <= x <= 100.0)
        return {
            "": near,
            ", far": (least, least - 1.0, most, most + 1.0),
            ", no number": (float("nan"), "x", True),
        }
    return {"": OF_FORM.get(parameter.form, ("?",))}


@cache
def aim_assets() -> tuple:
    """Clips of an aim offset, and their space."""
    additive = Additive(AdditiveSpace.MODEL, AdditiveBase.FIRST_FRAME)
    aims = tuple(swinging(f"aim{k}", 20.0 + 30.0 * k, additive=additive) for k in range(2))
    samples = tuple(SpaceSample(clip.id, (1.0 * k,)) for k, clip in enumerate(aims))
    aim = BlendSpace(
        AssetId("space-aim"), "aim", RIG, (SpaceAxis("x"),), samples, kind=SpaceKind.LINE, aim_offset=True
    )
    return *aims, aim


def drawn(kind: str, chosen: dict, typed: dict) -> tuple[Drawing, Graph]:
    drawing = drawing_with_everything()
    drawing.parts["slots"] = ("Group.Upper",)
    drawing.parts["maps"] = {"bent": scalar_track([0.0, 0.5, 1.0], [0.0, 0.9, 1.0])}
    *aims, aim = aim_assets()
    drawing.clips, drawing.assets = (*drawing.clips, *aims), (*drawing.assets, aim)
    walk, breath = drawing.play("walk", rate="1 + 0.2 * s"), drawing.play("breath")
    kept = Node(drawing.id(), "save_pose", {"name": "kept"})
    wires = [(walk, kept, "pose")]
    node = Node(drawing.id(), kind, {**NEEDS.get(kind, {}), **chosen}, typed, "it")
    wires += [
        (breath if pin == "additive" else kept, node, pin)
        for pin in sorted({*PINS, "source", "walk", "run"} - {"x"})
    ]
    nodes = [walk, breath, kept, node]
    if kind == "make_additive":
        nodes.append(drawing.node("apply_additive", "on", {"alpha": "0.5"}))
        wires += [(kept, nodes[-1], "base"), (node, nodes[-1], "additive")]
    return drawing, drawing.one(*nodes, wires=wires)


def parts(plan: Plan) -> list:
    """A plan in numbers: what the kernel reads, and how many there are of what."""
    packed = pack(plan)
    return [packed.q, packed.p, packed.work, packed.room, packed.logic, packed.poses, packed.stops,
            plan.program.rows, plan.program.registers, plan.names, [(op.name, op.inputs) for op in plan.ops]]  # fmt: skip


def told(kind: str, chosen: dict, typed: dict) -> list:
    """The problems; where it runs all the same its plan, and what three steps give."""
    drawing, graph = drawn(kind, chosen, typed)
    try:
        plan = compile_graph(graph, drawing.project(graph))
    except GraphError as error:
        return [list(error.problems)]
    found: list = [list(plan.warnings), parts(plan)]
    instance = Instance(plan)
    for dt, s in ((0.1, 0.5), (0.05, -0.3), (0.2, 1.4)):
        result = instance.step(dt, {"s": s, "v": [s, 0.2, 1.0]}, slope)
        found += [result.numbers, sorted(result.flagged), [event.name for event in result.events]]
    return found


SHAPES = {
    kind: shape_of(
        Node(Drawing().id(), kind, {**NEEDS.get(kind, {})}),
        Surroundings(Graph(AssetId("graph-1"), "g", AssetId("rig-1"), enums={"gaits": ("walk", "run")})),
    )
    for kind in sorted(KINDS)
    if kind not in APART
}
SAME = {"alpha_scale", "alpha_bias"}
"""Parameters that one piece of code reads for all modifiers; they are tried at `OF_SAME` alone."""
OF_SAME = {"aim_offset", "apply_additive", "transform_bone", "two_bone_ik"}
CHOSEN = [
    (kind, parameter)
    for kind, shape in SHAPES.items()
    for parameter in shape.parameters
    if parameter.name not in SAME or kind in OF_SAME
]
WRITTEN = [(kind, pin) for kind, shape in SHAPES.items() for pin in shape.inputs if pin.kind is PinKind.VALUE]


@pytest.mark.parametrize(("kind", "parameter"), CHOSEN, ids=[f"{k} {p.name}" for k, p in CHOSEN])
def test_each_parameter_makes_what_it_says(kind, parameter):
    for what, tried in values(parameter).items():
        with HELD.together(f"{kind}, {parameter.name}{what}") as note:
            for value in tried:
                note(told(kind, {**SPARED.get(kind, {}), parameter.name: value}, {}))


@pytest.mark.parametrize(("kind", "pin"), WRITTEN, ids=[f"{k} {p.name}" for k, p in WRITTEN])
def test_each_value_pin_takes_what_is_written(kind, pin):
    with HELD.together(f"{kind}, pin {pin.name}") as note:
        for text in (*TYPED.get(pin.type, ("1",)), "", "no +"):
            note(told(kind, SPARED.get(kind, {}), {pin.name: text}))


@pytest.mark.parametrize("kind", sorted(SHAPES))
def test_each_node_with_nothing_said(kind):
    with HELD.together(f"{kind}, plain") as note:
        note(told(kind, {}, {}))
        note(told(kind, dict.fromkeys(NEEDS.get(kind, {})), {}))


def test_all_kinds_are_looked_at():
    assert set(SHAPES) == set(KINDS) - APART
    assert set(SHAPES) <= set(NODE_TYPES)

"""Whatever stands in a node's parameters and pins: it compiles, or is refused in words; and nothing breaks."""

import json
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.arrays import same_value
from core.blending.blend_space import BlendSpace, SpaceAxis, SpaceKind, SpaceSample
from core.clips.clip import Additive, AdditiveBase, AdditiveSpace
from core.graph.compile import compile_graph
from core.graph.graph import Graph, Node, Variable
from core.graph.instance import Instance
from core.graph.kinds import KINDS
from core.graph.language.values import Kind
from core.graph.problems import GraphError
from core.ids import AssetId
from core.io.native.read import from_bytes
from core.io.native.write import to_bytes
from core.math.transform import Transform
from core.pose.library import PoseAsset, PoseTarget
from tests.core.graph.builders import RIG, Drawing, swinging, walker

PINS = {
    "pose", "base", "layer", "layer_2", "additive", "a", "b", "true", "false", "pose_0", "pose_1", "pose_2", "x",
}  # fmt: skip
VALUES = (
    "1", "0.5", "-1e300", "true", "vec(1, 2, 3)", "vec(1e300, 0, 0)", "axis_angle(vec(0, 0, 0), 1)", "v", "s",
    "axis_angle(vec(1, 0, 0), s)", "'one'", "1 / 0", "s +", "",
)  # fmt: skip
PARAMETERS = {
    "bone": ("head", "foot_l", "root", "nobody", 3.0), "source": ("foot_l", ""), "root": ("thigh_l", "head"),
    "tip": ("foot_l", "root"), "setup": ("", "left leg", "no"), "solver": ("ccd", "fabrik", "magic"),
    "clip": ("clip-walk", "clip-breath", "clip-no", None), "space": ("space-lean", "local", "model", "x"),
    "asset": ("asset-face", "no"), "curve": ("lift", "", 4.0), "way": ("set", "remap", "?"),
    "mask": ("", "legs", "nobody", 7.0), "branches": ((), ("spine:2",), ("spine:x",), ("", 1.0)),
    "translation_way": ("add", "replace", "?"), "rotation_way": ("add", "replace"), "scale_way": ("replace",),
    "translation_space": ("model", "world", "moon"), "count": (0, 1, 3, 1e9, float("nan")),
    "enum": ("gaits", "?"), "names": ((), ("one", "two"), "one"), "goal_space": ("bone", "world", "?"),
    "goal_bone": ("hips", "?"), "axis": ((0.0, 0.0, 0.0), (1.0,), (1.0, 2.0, 3.0)), "limit": (-1.0, 20.0),
    "alpha_by": ("bool", "curve", "?"), "alpha_curve": ("lift", "?"), "ease": ("sine", "curve", "?"),
    "iterations": (1, -4, "x"), "fade_in": (0.0, -1.0, 1e300), "inertialise": (True,), "replace": (True,),
    "stretch_limit": (2.0, 0.0), "soft": (0.5, 5.0), "bones_out": (("head",), "?"), "name": ("kept", ""),
    "snapshot": ("kept", ""), "mirror": (True,), "by_curves": (True,),
    "sheet": ("n-00000001", "?"), "end_rotation": ("goal", "?"),
    "root_motion": ("added", "?"), "curves": ("maximum", "?"), "alpha_scale": (2.0, 1e300),
}  # fmt: skip


@cache
def everything() -> tuple:
    """The rig, clips, a space and faces: made once, for they do not change."""
    additive = Additive(AdditiveSpace.LOCAL, AdditiveBase.FIRST_FRAME)
    clips = (swinging("walk", curves={"lift": 0.5}), swinging("breath", 10.0, additive=additive))
    space = BlendSpace(
        AssetId("space-lean"), "lean", RIG, (SpaceAxis("x"),), (SpaceSample(AssetId("clip-walk"), (0.0,)),),
        kind=SpaceKind.LINE,
    )  # fmt: skip
    delta = Transform(np.zeros((1, 3)), np.array([[0.0, 0.6, 0.0, 0.8]]), np.zeros((1, 3)))
    asset = PoseAsset(AssetId("asset-face"), "face", RIG, (PoseTarget("lift", ("head",), delta),))
    return walker(), clips, space, asset


def drawing_with_everything() -> Drawing:
    rig, clips, *assets = everything()
    return Drawing(
        *clips, rig_=rig, assets=tuple(assets), enums={"gaits": ("walk", "run")},
        variables=(Variable("s", minimum=-10.0, maximum=10.0), Variable("v", Kind.VECTOR, (0.0, 0.0, 0.0))),
    )  # fmt: skip


parameters = st.fixed_dictionaries({}, optional={k: st.sampled_from(v) for k, v in PARAMETERS.items()})
pins = ("alpha", "value", "goal", "goal_rotation", "pole", "translation", "rotation", "scale", "on", "weight",
        "weight_0", "time", "time_1", "rate", "start", "request", "seconds", "velocity", "spin", "keep", "turn",
        "from_high", "x", "lift")  # fmt: skip
literals = st.fixed_dictionaries({}, optional={pin: st.sampled_from(VALUES) for pin in pins})


def one_node(kind: str, chosen: dict, typed: dict) -> tuple[Drawing, Graph]:
    drawing = drawing_with_everything()
    walk, breath = drawing.play("walk"), drawing.play("breath")
    node = Node(drawing.id(), kind, chosen, typed, "it")
    wires = [(breath if pin == "additive" else walk, node, pin) for pin in sorted(PINS)]
    return drawing, drawing.one(walk, breath, node, wires=wires)


@pytest.mark.parametrize("kind", sorted(KINDS))
@settings(max_examples=15, deadline=None)
@given(parameters, literals, st.lists(st.floats(-10, 10), min_size=1, max_size=4))
def test_node_with_anything_in_it_is_refused_in_words_or_runs(kind, chosen, typed, values):
    drawing, graph = one_node(kind, chosen, typed)
    try:
        instance = Instance(compile_graph(graph, drawing.project(graph)))
    except GraphError as error:
        faults = [p for p in error.problems if not p.warning]
        assert faults
        assert all(p.message and len(p.message) < 500 for p in faults)
        return
    for k, value in enumerate(values):
        result = instance.step(0.0 if k == 1 else 0.07, {"s": value, "v": [value, -value, 1.0]})
        for part in (*result.pose.local, *result.root_motion):
            assert np.isfinite(part).all()
        assert np.linalg.norm(result.pose.rotations, axis=1) == pytest.approx(np.ones(12), abs=1e-9)
        assert all(np.isfinite(list(result.pose.curves.values())))
        assert len(set(result.visits)) == len(result.visits)


@settings(max_examples=15, deadline=None)
@given(st.sampled_from(sorted(KINDS)), parameters, literals)
def test_any_node_survives_a_native_file(kind, chosen, typed):
    chosen = {k: v for k, v in chosen.items() if "nan" not in json.dumps(v, default=str).lower()}
    for key in ("clip", "space", "asset", "graph"):
        chosen.pop(key, None)
    drawing, graph = one_node(kind, chosen, typed)
    project = drawing.project(graph)
    assert same_value(from_bytes(to_bytes(project)), project)

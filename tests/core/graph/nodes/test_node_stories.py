"""Nodes in many settings: each run is held by its story (see stories), stepped by kernel and twin alike."""

# ruff: noqa: E501 - a line a setting

import random
from pathlib import Path

import numpy as np
import pytest

from core.graph.instance import Instance
from core.graph.nodes.planting import near
from core.math import quat
from core.math.transform import Transform
from tests.core.graph.nodes.test_any_node import PINS, drawing_with_everything
from tests.core.graph.stories import Stories, Story

STORIES = Stories(Path(__file__).with_name("node_stories.txt"))
AXIS, TURN = "axis_angle(vec(1, 2, 3), s * 20)", "axis_angle(vec(0, 1, 0), 30 * s)"
ALPHAS = (
    ({"alpha": "0.3 + 0.2 * s"}, {}), ({"alpha": "s > 0"}, {"alpha_by": "bool", "fade_in": 0.1, "fade_out": 0.3}),
    ({"alpha": "s > 1"}, {"alpha_by": "bool", "fade_in": 0.0, "fade_out": 0.0}),
    ({}, {"alpha_by": "curve", "alpha_curve": "lift", "alpha_scale": 1.5, "alpha_bias": -0.25}),
    ({"alpha": "s"}, {"alpha_scale": -0.5, "alpha_bias": 0.75}),
)  # fmt: skip
NODES: list[tuple[str, dict, dict]] = [
    ("pose_asset", {"lift": "0.7 * s"}, {"asset": "asset-face"}), ("pose_asset", {}, {"asset": "asset-face", "by_curves": True}),
    ("pose_asset", {"lift": "2e6"}, {"asset": "asset-face", "by_curves": True}), ("pose_asset", {}, {"asset": "asset-face"}),
    ("root_motion", {"keep": "s > 0", "scale": "1 + s", "turn": "40 * s"}, {}),
    ("root_motion", {"velocity": "vec(s, 1, 2)", "spin": "90 * s", "turn": "30", "scale": "0.5"}, {"replace": True}),
    ("root_motion", {"spin": "2000"}, {"replace": True}),
    *(("modify_curve", {"value": "s + 1", "from_low": "-0.5", "from_high": "s", "to_low": "3", "to_high": "-1"},
       {"curve": "lift", "way": way}) for way in ("set", "add", "scale", "remap")),
    ("mirror", {"on": "s > 0"}, {}), ("mirror", {}, {}),
    *(("transform_bone", {"translation": "vec(0.1, s, -0.2)", "rotation": AXIS, "scale": "vec(1, 2, 1 + s)"},
       {"bone": "spine", **{f"{part}_way": way for part in ("translation", "rotation", "scale")},
        **{f"{part}_space": space for part in ("translation", "rotation", "scale")}})
      for way in ("add", "replace") for space in ("local", "model", "world")),
    *(("copy_bone", {}, {"source": "foot_l", "bone": "head", "space": space, "scale": True, "translation": moved})
      for space in ("local", "model") for moved in (True, False)),
    *(("two_bone_ik", {"goal": "vec(0.1, 0.4 + 0.1 * s, 0.2)", "pole": "vec(0, s, 1)", **turn},
       {"bone": "foot_l", "goal_space": space, "goal_bone": "hips", "pole_space": space, "pole_bone": "spine", **more})
      for space in ("model", "world", "bone")
      for turn, more in (({}, {}), ({"goal_rotation": TURN}, {"end_rotation": "goal", "soft": 0.4}),
                         ({}, {"end_rotation": "keep_local", "stretch_start": 0.8, "stretch_limit": 1.5}))),
    *(("chain_ik", {"goal": "vec(0.3, 1.2, 0.1 * s)"}, {"root": "hips", "tip": "head", "solver": solver, "iterations": steps})
      for solver in ("ccd", "fabrik") for steps in (1, 20)),
    ("chain_ik", {"goal": "vec(0.3, 1.2, 0.1 * s)"}, {"setup": "back"}), ("chain_ik", {}, {"setup": "left leg"}),
    *(("look_at", {"goal": "vec(s, 1.5, 1)"}, {"bone": "head", "limit": limit, **more}) for limit in (180.0, 20.0)
      for more in ({}, {"axis": (1.0, 0.0, 0.0)}, {"up_axis": (0.0, 2.0, 2.0)})),
    ("look_at", {"goal": "vec(s, 0, 1)"}, {"bone": "head", "goal_space": "bone", "goal_bone": "foot_l"}),
    ("foot_placement", {}, {}), ("foot_placement", {}, {"pelvis_down": 3.0, "foot_up": 4.0, "ankle": 5.0, "turn_half": 0.5}),
    ("plant_feet", {}, {}), ("plant_feet", {"hold": "s", "follow": "0.5"}, {"contacts": "lift", "free_half": 0.2, "ahead": 0.0}),
    ("stride_warp", {"stride": "1 + 0.3 * s", "direction": "30 * s", "turn": "10"}, {}),
    *(("layered", {"weight": "0.5 + 0.3 * s"}, {"mask": "legs", "curves": curves, "root_motion": motion, "model_rotations": turned})
      for curves, motion, turned in (("override", "base", False), ("blend", "weighted", True), ("maximum", "added", False))),
    ("layered", {"weight": "1", "weight_2": "s"}, {"count": 2, "branches": ("spine:2",), "branches_2": ("thigh_l",)}),
    ("blend_many", {"weight_0": "s", "weight_1": "1", "weight_2": "0.5"}, {"count": 3}), ("blend_many", {}, {"count": 2}),
    *(("blend_by_int", {"value": "if(s > 1, 2, if(s > 0, 1, 0))", "time_0": "0.1", "time_1": "0.3", "time_2": "0"},
       {"count": 3, **more}) for more in ({}, {"mask": "half"}, {"inertialise": True}, {"inertialise": True, "mask": "half"},
                                          {"reset": True}, {"ease": "power", "ease_power": 3, "default": 1})),
    ("blend_by_bool", {"value": "s > 0"}, {}), ("blend_by_name", {"value": "if(s > 0, 'two', 'no')"}, {"names": ("a", "b"), "default": 1}),
    ("inertialise", {"request": "s > 0", "seconds": "0.3"}, {}),
    ("inertialise", {"request": "rose(s > 0)", "seconds": "0.3"}, {"mask": "half", "bones_out": ("head",), "curves_out": ("lift",)}),
    *(("apply_additive", {"alpha": "s"}, {"space": space}) for space in ("", "local")),
    ("make_additive", {}, {"space": "model"}),
]  # fmt: skip
CHANGED = (
    "transform_bone",
    "copy_bone",
    "pose_asset",
    "two_bone_ik",
    "chain_ik",
    "look_at",
    "apply_additive",
    "stride_warp",
)


def slope(point) -> tuple[float, np.ndarray]:
    """Rising ground with waves."""
    x, _, z = (float(v) for v in point)
    normal = np.array([-0.1, 1.0, -0.2 - 0.1 * np.cos(z)])
    return 0.1 * x + 0.2 * z + 0.1 * np.sin(z), normal / np.linalg.norm(normal)


def running(kind: str, literals: dict, parameters: dict) -> Instance:
    """A node over walking, breathing and leaning poses."""
    drawing = drawing_with_everything()
    walk, breath = drawing.play("walk"), drawing.play("breath")
    still = drawing.node("rest")
    node = drawing.node(kind, "it", literals, **parameters)
    wires = [(breath if pin == "additive" else still if pin in ("base", "b", "pose_1", "false") else walk, node, pin)
             for pin in sorted(PINS)]  # fmt: skip
    last, nodes = node, [walk, breath, still, node]
    if kind == "make_additive":
        last = drawing.node("apply_additive", "on", {"alpha": "0.5"}, space="model")
        wires += [(walk, last, "base"), (node, last, "additive")]
        nodes.append(last)
    return drawing.run(drawing.graph(drawing.pose_sheet("main", nodes, wires, last)))


def told(kind: str, literals: dict, parameters: dict, number: object) -> None:
    instance, dice, story = running(kind, literals, parameters), random.Random(kind), Story()
    for step in range(12):
        dt = (0.05, 0.1, 0.0, 0.03, 0.2)[step % 5]
        inputs = {"s": dice.uniform(-1.5, 2.5)} if step % 2 == 0 else {}
        turn = quat.from_axis_angle(np.array([0.0, 1.0, 0.0]), 0.1 * step)
        place = Transform(np.array([0.05 * step, 0.02 * step, 0.1 * step]), turn, np.ones(3))
        story.step(dt, instance.step(dt, inputs, slope, place))
    STORIES.hold(f"{kind} {number}", story)


@pytest.mark.parametrize("number", range(len(NODES)), ids=lambda n: f"{NODES[n][0]} {n}")
def test_node_has_its_story(number):
    told(*NODES[number], number)


@pytest.mark.parametrize("by", range(len(ALPHAS)))
@pytest.mark.parametrize("kind", CHANGED)
def test_modifier_acts_by_its_alpha(kind, by):
    _, literals, parameters = next(found for found in NODES if found[0] == kind)
    literals = {pin: text for pin, text in literals.items() if pin != "alpha"}
    told(kind, {**literals, **ALPHAS[by][0]}, {**parameters, **ALPHAS[by][1]}, f"by {by}")


@pytest.mark.parametrize(
    ("height", "share"), [(-1.0, 1.0), (0.0, 1.0), (0.075, 0.5), (0.15, 0.0), (1.0, 0.0), (0.03, 0.896)]
)
def test_a_sole_follows_the_slope_near_the_ground(height, share):
    assert near(height) == pytest.approx(share)

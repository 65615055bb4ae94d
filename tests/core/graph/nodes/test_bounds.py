"""What parameters of nodes may be: numbers at their bounds are taken, those beyond are told, and defaults hold."""

import math

import pytest

from core.graph.compile import compile_graph
from core.graph.problems import GraphError
from core.rig.ik_setup import EndRotation
from tests.core.graph.builders import Drawing, swinging, walker

CHAIN = {"root": "hips", "tip": "head"}
NUMBERS = [
    ("two_bone_ik", {"bone": "foot_l"}, "soft", 0.0, 0.0, 0.99),
    ("two_bone_ik", {"bone": "foot_l"}, "stretch_start", 1.0, 0.01, 10.0),
    ("two_bone_ik", {"bone": "foot_l"}, "stretch_limit", 1.0, 1.0, 10.0),
    ("chain_ik", CHAIN, "iterations", 20, 1, 200),
    ("chain_ik", CHAIN, "tolerance", 1e-3, 1e-9, 1.0),
    ("look_at", {"bone": "head"}, "limit", 180.0, 0.0, 180.0),
]


def compiled(kind, **parameters):
    """The plan of one node after a player, and what was told about its parameters."""
    drawing = Drawing(swinging("walk"), rig_=walker())
    play, node = drawing.play("walk"), drawing.node(kind, "it", {}, **parameters)
    graph = drawing.one(play, node)
    try:
        plan = compile_graph(graph, drawing.project(graph))
    except GraphError as error:
        return None, [p for p in error.problems if not p.warning and p.node == node.id]
    return next((op for op in plan.ops if op.name == "it"), None), []


@pytest.mark.parametrize(("kind", "others", "name", "default", "least", "most"), NUMBERS)
def test_a_number_is_taken_at_its_bounds_and_told_beyond(kind, others, name, default, least, most):
    for value in (least, most, default):
        op, told = compiled(kind, **others, **{name: value})
        assert op is not None and not told
    for value in (least - 1e-3 if least > 1e-3 else least - 1.0, most + 1.0, math.nan, math.inf, "much"):
        op, (told,) = compiled(kind, **others, **{name: value})
        assert op is None and told.pin == name and f"{least:g} to {most:g}" in told.message


@pytest.mark.parametrize(("kind", "others", "name", "default", "least", "most"), NUMBERS)
def test_a_number_that_is_left_out_is_its_default(kind, others, name, default, least, most):
    plain, told = compiled(kind, **others), compiled(kind, **others, **{name: default})
    assert plain[0].setup == told[0].setup
    other = most if most != default else 0.5 * (least + most)
    assert compiled(kind, **others, **{name: other})[0].setup != plain[0].setup


@pytest.mark.parametrize(("kind", "parameters", "pin"), [
    ("two_bone_ik", {"bone": "nowhere"}, "bone"), ("two_bone_ik", {"bone": "hips"}, "bone"),
    ("two_bone_ik", {"bone": "root"}, "bone"),
    ("two_bone_ik", {"bone": "foot_l", "end_rotation": "sideways"}, "end_rotation"),
    ("two_bone_ik", {"bone": "foot_l", "goal_space": "moon"}, "goal_space"),
    ("two_bone_ik", {"bone": "foot_l", "goal_space": "bone", "goal_bone": "nowhere"}, "goal_bone"),
    ("chain_ik", {"root": "head", "tip": "hips"}, "tip"), ("chain_ik", {"root": "hips", "tip": "hips"}, "tip"),
    ("chain_ik", {"root": "nowhere", "tip": "head"}, "root"), ("chain_ik", CHAIN | {"solver": "magic"}, "solver"),
    ("chain_ik", {"setup": "nothing"}, "setup"),
    ("look_at", {"bone": "head", "axis": (0.0, 0.0, 0.0)}, "axis"),
    ("look_at", {"bone": "head", "up_axis": (0.0, 0.0, 0.0)}, "axis"),
    ("look_at", {"bone": "head", "axis": (0.0, 1.0)}, "axis"), ("look_at", {"bone": "nowhere"}, "bone"),
    ("inertialise", {"bones_out": ("hips", "nowhere")}, "bones_out"),
    ("inertialise", {"bones_out": "nowhere"}, "bones_out"),
])  # fmt: skip
def test_a_parameter_that_names_nothing_is_told_at_its_pin(kind, parameters, pin):
    op, told = compiled(kind, **parameters)
    assert op is None and pin in [problem.pin for problem in told]


def test_axes_of_any_length_are_taken_at_length_one():
    op, _ = compiled("look_at", bone="head", axis=(0.0, 0.0, 1e-6), up_axis=(0.0, 3.0, 4.0))
    assert op.setup.aim_axis == pytest.approx((0.0, 0.0, 1.0)) and op.setup.up_axis == pytest.approx(
        (0.0, 0.6, 0.8)
    )
    short, told = compiled("look_at", bone="head", axis=(0.0, 0.0, 1e-12))
    assert short is None and told


def test_a_chain_has_what_it_is_told():
    op, _ = compiled("chain_ik", **CHAIN, solver="fabrik", iterations=7, use_limits=False)
    setup = op.setup
    assert (setup.root, setup.tip, setup.solver, setup.iterations) == ("hips", "head", "fabrik", 7)
    assert not setup.use_limits and compiled("chain_ik", **CHAIN)[0].setup.use_limits
    leg = compiled("two_bone_ik", bone="foot_l")[0].setup
    assert (leg.root, leg.tip, leg.solver, leg.end_rotation) == (
        "thigh_l",
        "foot_l",
        "two_bone",
        EndRotation.MODEL,
    )


def left_out(**parameters):
    op, _ = compiled("inertialise", **parameters)
    return op.inertial


def test_bones_and_curves_that_are_left_out_of_an_inertial_blend():
    bones = walker().skeleton
    assert left_out().factors is None and left_out().curves_out is None
    for names in (("hips", "foot_l"), "head"):
        given = names if isinstance(names, tuple) else (names,)
        factors = left_out(bones_out=names).factors
        assert [bones.names[k] for k in (factors == 0.0).nonzero()[0]] == sorted(given, key=bones.index)
        assert set(factors) == {0.0, 1.0}
    drawing = Drawing(swinging("walk", curves={"a": 1.0, "b": 2.0, "c": 3.0}), rig_=walker())
    for names in (("b", "nowhere"), "b", ("a", "c")):
        node = drawing.node("inertialise", "it", {}, curves_out=names)
        drawing.sheets.clear()
        graph = drawing.one(drawing.play("walk"), node)
        plan = compile_graph(graph, drawing.project(graph))
        out = next(op for op in plan.ops if op.name == "it").inertial.curves_out
        found = {name for name, row in plan.table.index.items() if out[row]}
        assert found == set(names if isinstance(names, tuple) else (names,)) - {"nowhere"}
